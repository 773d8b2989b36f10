#include "editor/value.h"

#include "analysis/value.h"

/* Beyond these an execution takes longer than a hover may. */
enum { MOST_LINES = 2000, MOST_EVENTS = 50000 };

static bool is_short(const struct study *study)
{
    return study->line_count <= MOST_LINES && study->run->store.summary.events <= MOST_EVENTS;
}

static bool place_of(const struct buffer *file, const struct buffer_word *word, char *place,
                     size_t size)
{
    const struct vocabulary *vocabulary = file->machine->language->vocabulary;
    return word->length && vocabulary && vocabulary->place && file->machine->values->history &&
           vocabulary->place(word->start + word->at, word->length, place, size);
}

static void say_write(const struct study *study, const struct history_write *write, const char *how,
                      FILE *out)
{
    const struct stmt_info *stmt =
        write->stmt == NONE_ID ? NULL : store_stmt(&study->run->store, write->stmt);
    fprintf(out, "; %s by line %u, issued in cycle %llu, readable from cycle %llu on", how,
            stmt ? stmt->line : write->line, (unsigned long long)write->issued,
            (unsigned long long)write->readable);
}

void value_say(struct buffer *file, const struct buffer_word *word, FILE *out)
{
    struct study *study = &file->study;
    const struct study_line *row = study_line(study, word->line);
    struct history history = {.count = 0};
    char place[MACHINE_SPEC], unsaid[MACHINE_ERROR];
    if (!row || !is_short(study) || !place_of(file, word, place, sizeof place))
        return;
    if (file->machine->values->history(study->run->run, place, &history, unsaid) == 0) {
        const struct history_at at = history_at(&history, row->issue);
        fprintf(out, "- `%s` in cycle %llu: ", place, (unsigned long long)row->issue);
        if (at.words)
            value_words(&history, at.words, out);
        else
            fputs("not known, a write has landed in part", out);
        if (at.last)
            say_write(study, at.last, "written", out);
        else if (at.words)
            fputs("; as the run found it", out);
        if (at.landing)
            say_write(study, at.landing, "to be written", out);
        fputc('\n', out);
    }
    history_free(&history);
}
