/*
 * schedule_rename: the best order of a program whose values may have other places.
 *
 *   program --machine_advice.rename--> the same order, other places --schedule_find--> order
 *
 * What that finds has the state of the renamed program. Then it is compared once more, with the
 * program as written: both clear the new places at the end, and the whole states must be equal.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/schedule.h"

struct search {
    const struct schedule_job *job;
    struct renamed renamed;
};

/* A program from a text, opened for candidates. */
struct opened {
    char *text;
    struct source source;
    struct candidate_setup setup;
    struct candidates *candidates;
    struct diag_list diags;
    bool open;
};

/* text: freed by close_text. Returns 0; 1 when it is not legal; -1. */
static int open_text(struct opened *o, const struct search *s, char *text, size_t size)
{
    char error[MACHINE_ERROR];
    *o = (struct opened){.text = text, .setup = *s->job->setup};
    diag_list_init(&o->diags);
    if (!text || source_from_text(&o->source, o->setup.source->name, text, size) != 0)
        return -1;
    o->open = true;
    o->setup.source = &o->source;
    return candidate_open(&o->candidates, &o->setup, &o->diags, error);
}

static void close_text(struct opened *o)
{
    candidate_free(o->candidates);
    diag_list_free(&o->diags);
    if (o->open)
        source_close(&o->source);
    free(o->text);
}

/* A program that clears the new places at its end. */
static char *cleared(const struct search *s, const char *text, size_t size)
{
    char *whole = malloc(size + s->renamed.clear_size + 1);
    if (!whole)
        return NULL;
    memcpy(whole, text, size);
    memcpy(whole + size, s->renamed.clear, s->renamed.clear_size);
    whole[size + s->renamed.clear_size] = '\0';
    return whole;
}

/* Whether the order leaves what the program as written leaves. */
static int compare(const struct search *s, const struct schedule *found, bool *equal)
{
    struct opened written;
    const size_t end = s->renamed.end, more = s->renamed.clear_size;
    char *text = cleared(s, found->text, found->size);
    const struct candidate candidate = {
        .text = text, .size = found->size + more, .waits = s->job->tags};
    uint64_t cycles = UINT64_MAX;
    *equal = false;
    int status = open_text(&written, s, cleared(s, s->job->setup->source->text, end), end + more);
    if (status == 0)
        status = text ? candidate_time(written.candidates, &candidate, &cycles) : -1;
    if (status == 0 && cycles == found->after)
        status = candidate_compare(written.candidates, &candidate, false, equal);
    close_text(&written);
    free(text);
    return status < 0 ? -1 : 0;
}

/* `found` instead of what the schedule has. */
static void take(struct search *s, struct schedule *schedule, struct schedule *found)
{
    const struct schedule old = *schedule;
    *schedule = *found;
    schedule->program = old.program;
    schedule->equal = old.equal;
    schedule->before = old.before;
    schedule->free_places = old.free_places;
    schedule->rename = true;
    schedule->unrenamed = old.after;
    schedule->renamed = s->renamed;
    if (!schedule->optimal && schedule->after <= schedule->free_places) {
        schedule->optimal = true;
        schedule->stopped = false;
        schedule->reason = "the bound with free registers and addresses is met";
    }
    *found = old;
    s->renamed = (struct renamed){.text = NULL};
}

static int try_renamed(struct search *s, struct schedule *schedule, char error[MACHINE_ERROR])
{
    struct opened o;
    struct schedule found = {.text = NULL};
    bool equal = false;
    char *text = s->renamed.text;
    s->renamed.text = NULL;
    int status = open_text(&o, s, text, s->renamed.size);
    const struct schedule_job job = {.setup = &o.setup, .tags = s->job->tags, .on = s->job->on};
    if (status == 0)
        status = schedule_find(o.candidates, &job, &found, error);
    if (status == 0 && !found.kept && found.after < schedule->after)
        status = compare(s, &found, &equal);
    if (status == 0 && equal)
        take(s, schedule, &found);
    schedule_free(&found);
    close_text(&o);
    return status < 0 ? -1 : 0; /* what is not legal is not taken */
}

int schedule_find_renamed(struct candidates *candidates, const struct schedule_job *job,
                          struct schedule *schedule, char error[MACHINE_ERROR])
{
    struct search s = {.job = job};
    struct schedule_job as_written = *job;
    as_written.on = false; /* the time is for the other one */
    int status = schedule_find(candidates, &as_written, schedule, error);
    if (status != 0)
        return status;
    schedule->rename = true;
    schedule->unrenamed = schedule->after;
    if (schedule->after > schedule->free_places)
        status = job->setup->machine->advice->rename(candidate_program(candidates), &s.renamed);
    if (status == 0 && s.renamed.count)
        status = try_renamed(&s, schedule, error);
    renamed_free(&s.renamed);
    return status;
}
