/* Programs of a case: findings of their machine's language, the words that are assembled. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functional/kelvin/program.h"
#include "functional/ventus/asm.h"
#include "tests/case_run.h"
#include "timing/machines.h"

struct subject {
    const struct machine *machine;
    struct source source;
    struct diag_list diags;
    struct machine_program *program;
    int status;
    bool undecoded; /* what was to be checked */
};

static void stop(const char *what)
{
    fprintf(stderr, "cases: %s\n", what);
    exit(99);
}

static char *whole_text(const struct case_one *one, size_t *size)
{
    char *text = case_text(&one->what, size);
    if (!one->within.line)
        return text;
    size_t frame_size;
    char *frame = case_text(&one->within, &frame_size), *whole = NULL;
    const char *gap = memmem(frame, frame_size, "{}", 2);
    if (!gap)
        stop("'within' lacks {}");
    FILE *out = open_memstream(&whole, size);
    fwrite(frame, 1, (size_t)(gap - frame), out);
    fputs(text, out);
    fputs(gap + 2, out);
    fclose(out);
    free(frame);
    free(text);
    return whole;
}

/* Every rule of legality, too, instead of what decoding finds. */
static void check(struct subject *subject)
{
    struct config config;
    char error[MACHINE_ERROR];
    if (machine_config(subject->machine, &config, error, sizeof error) != 0)
        stop(error);
    diag_list_free(&subject->diags);
    diag_list_init(&subject->diags);
    subject->status =
        subject->machine->language->check(subject->program, &config, NULL, &subject->diags);
    config_free(&config);
}

static void subject_open(struct subject *subject, struct case_slice language, const char *text,
                         size_t size)
{
    char name[32];
    const struct case_slice machine = case_word(&language);
    snprintf(name, sizeof name, "%.*s", (int)machine.length, machine.at);
    *subject = (struct subject){.machine = machine_named(name)};
    if (!subject->machine || source_from_text(&subject->source, "text", text, size) != 0)
        stop(name);
    diag_list_init(&subject->diags);
    subject->status =
        subject->machine->language->load(&subject->program, &subject->source, 1, &subject->diags);
    const bool checks = case_is(case_word(&language), "check");
    subject->undecoded = checks && subject->status != 0;
    if (checks && subject->status == 0)
        check(subject);
    if (subject->status < 0 || (subject->status != 0) != (subject->diags.errors != 0))
        stop("a status and its findings contradict each other");
}

static void subject_close(struct subject *subject)
{
    subject->machine->language->unload(subject->program);
    diag_list_free(&subject->diags);
    source_close(&subject->source);
}

/* --- findings --------------------------------------------------------------------------------- */

/* What an expectation says of a finding; 0, -1 and NULL: any. */
struct wanted {
    int severity;
    bool first;                   /* of all findings */
    long count;                   /* of its name or severity; -1: one or more */
    struct case_slice rule, name; /* at NULL: any */
    uint32_t line, column;
    int64_t other_line; /* -1: any */
    const char *words;  /* '^' before those at the beginning */
};

static bool number_of(struct case_slice word, uint32_t *number)
{
    char *end;
    *number = (uint32_t)strtoul(word.at, &end, 10);
    return end == word.at + word.length && word.length;
}

/* "3:12" */
static bool place_of(struct case_slice word, struct wanted *wanted)
{
    const char *colon = memchr(word.at, ':', word.length);
    if (!colon)
        return number_of(word, &wanted->line);
    const size_t length = (size_t)(colon - word.at);
    return number_of((struct case_slice){word.at, length}, &wanted->line) &&
           number_of((struct case_slice){colon + 1, word.length - length - 1}, &wanted->column);
}

static bool is_rule(struct case_slice word)
{
    size_t i = 0;
    while (i < word.length && (isdigit((unsigned char)word.at[i]) || word.at[i] == '.'))
        i++;
    return i == word.length && memchr(word.at, '.', word.length);
}

/* Returns whether the word is one that describes a finding. */
static bool describe(struct case_slice word, struct case_slice *rest, struct wanted *wanted)
{
    static const char *const severities[] = {"note", "warning", "error"};
    for (int i = 0; i < 3; i++) {
        if (case_is(word, severities[i])) {
            wanted->severity = i;
            return true;
        }
    }
    uint32_t count = 0;
    if (case_is(word, "first"))
        return wanted->first = true;
    if (case_is(word, "alone")) {
        wanted->other_line = 0;
        return true;
    }
    if (case_is(word, "of")) {
        wanted->other_line = number_of(case_word(rest), &count) ? count : 0;
        return wanted->other_line > 0;
    }
    if (*word.at == 'x' && number_of((struct case_slice){word.at + 1, word.length - 1}, &count)) {
        wanted->count = count;
        return true;
    }
    if (is_rule(word))
        wanted->rule = word;
    else if (!place_of(word, wanted))
        wanted->name = word;
    return true;
}

static bool is_kind(const struct diag *diag, const struct wanted *wanted)
{
    return wanted->name.at ? case_is(wanted->name, diag->name)
                           : (int)diag->severity == wanted->severity;
}

static bool says(const struct diag *diag, const char *words)
{
    if (*words == '^')
        return strncmp(diag->message, words + 1, strlen(words + 1)) == 0;
    return strstr(diag->message, words) || (diag->fix && strstr(diag->fix, words));
}

static bool matches(const struct diag *diag, const struct wanted *wanted)
{
    return is_kind(diag, wanted) && (int)diag->severity == wanted->severity &&
           (!wanted->rule.at || case_is(wanted->rule, diag->rule)) &&
           (!wanted->line || diag->line == wanted->line) &&
           (!wanted->column || diag->column == wanted->column) &&
           (wanted->other_line < 0 || diag->other_line == wanted->other_line) &&
           (!wanted->words || says(diag, wanted->words));
}

static bool found(const struct diag_list *list, const struct wanted *wanted)
{
    if (wanted->first)
        return list->count && matches(&list->items[0], wanted);
    long count = 0;
    bool any = false, first = false;
    for (size_t i = 0; i < list->count; i++) {
        const bool match = matches(&list->items[i], wanted);
        any |= match;
        if (is_kind(&list->items[i], wanted) && count++ == 0)
            first = match;
    }
    return wanted->count < 0 ? any : count == wanted->count && (count == 0 || first);
}

/* --- words ------------------------------------------------------------------------------------ */

/* Words of the code, as text; NULL: it is refused. */
static char *assembled(const struct machine *machine, const struct source *source)
{
    struct diag_list diags;
    struct kelvin_program kelvin;
    struct riscv_image ventus;
    struct ventus_setup setup;
    const bool is_kelvin = strcmp(machine->name, "kelvin") == 0;
    diag_list_init(&diags);
    const int status = is_kelvin ? kelvin_program_load(&kelvin, source, 1, &diags)
                                 : ventus_assemble(&ventus, &setup, source, 1, &diags);
    const struct riscv_image *image = is_kelvin ? &kelvin.image : &ventus;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; i < image->stmt_count; i++)
        fprintf(out, " %08x", (unsigned)image->stmts[i].word);
    fclose(out);
    if (is_kelvin) {
        kelvin_program_free(&kelvin);
    } else {
        riscv_image_free(&ventus);
        ventus_setup_free(&setup);
    }
    diag_list_free(&diags);
    if (status == 0)
        return text;
    free(text);
    return NULL;
}

static bool has_words(const struct subject *subject, const char *words)
{
    char *mine = assembled(subject->machine, &subject->source);
    const bool same = mine && strcmp(mine, words) == 0;
    if (!same)
        fprintf(stderr, "found words%s\n", mine ? mine : " none");
    free(mine);
    return same;
}

/* The same words as another text. */
static bool same_words(const struct subject *subject, struct case_slice other)
{
    struct source source;
    while (other.length && *other.at == ' ')
        other = (struct case_slice){other.at + 1, other.length - 1};
    if (source_from_text(&source, "other", other.at, other.length) != 0)
        stop("not a memory");
    char *theirs = assembled(subject->machine, &source);
    const bool same = theirs && has_words(subject, theirs);
    free(theirs);
    source_close(&source);
    return same;
}

/* --- canonical text --------------------------------------------------------------------------- */

static char *printed(const struct subject *subject)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (subject->status != 0 || subject->machine->language->print(subject->program, NULL, out) != 0)
        fputs("(not printed)", out);
    fclose(out);
    return text;
}

/* What is printed reads and prints the same. */
static bool prints_stable(const struct subject *subject)
{
    struct subject again;
    char *once = printed(subject);
    const struct case_slice language = {subject->machine->name, strlen(subject->machine->name)};
    subject_open(&again, language, once, strlen(once));
    char *twice = printed(&again);
    const bool same = subject->status == 0 && again.status == 0 && strcmp(once, twice) == 0;
    if (!same)
        fprintf(stderr, "printed\n%sand again\n%s", once, twice);
    free(once);
    free(twice);
    subject_close(&again);
    return same;
}

static bool prints(const struct subject *subject, const char *words)
{
    char *text = printed(subject);
    const bool good = words && strstr(text, words);
    if (!good)
        fprintf(stderr, "printed\n%s", text);
    free(text);
    return good;
}

/* ---------------------------------------------------------------------------------------------- */

static bool holds(const struct subject *subject, struct case_line expected)
{
    const struct diag_list *diags = &subject->diags;
    size_t size;
    struct case_slice rest = expected.text;
    const struct case_slice verb = case_word(&rest);
    if (subject->undecoded)
        return false;
    if (case_is(verb, "clean"))
        return subject->status == 0 && diags->warnings == 0;
    if (case_is(verb, "taken"))
        return subject->status == 0;
    if (case_is(verb, "refused"))
        return subject->status == 1;
    if (case_is(verb, "stable"))
        return prints_stable(subject);
    if (case_is(verb, "words")) {
        char *words = strndup(rest.at, rest.length);
        const bool same = has_words(subject, words);
        free(words);
        return same;
    }
    if (case_is(verb, "as"))
        return same_words(subject, rest);
    char *words = case_words(&expected, &size);
    if (case_is(verb, "prints")) {
        const bool same = prints(subject, words);
        free(words);
        return same;
    }
    struct wanted wanted = {.severity = -1, .count = -1, .other_line = -1, .words = words};
    bool good = true;
    rest = expected.text; /* without the words */
    for (struct case_slice word; good && (word = case_word(&rest)).length;)
        good = describe(word, &rest, &wanted);
    good = good && wanted.severity >= 0 && found(diags, &wanted);
    /* With a warning or a note a program is legal, unless its count alone is in question. */
    good = good && (wanted.severity == DIAG_ERROR || wanted.count >= 0 || subject->status == 0);
    free(words);
    return good;
}

size_t case_run_program(const struct case_file *file, const struct case_one *one)
{
    struct subject subject;
    size_t size, wrong = 0;
    char *text = whole_text(one, &size);
    subject_open(&subject, one->language, text, size);
    for (size_t i = one->first; i < one->first + one->count; i++) {
        if (holds(&subject, file->expected[i]))
            continue;
        wrong++;
        case_wrong(file, &file->expected[i]);
        fprintf(stderr, "of the program\n%s\n", text);
        diag_print(&subject.diags, &subject.source, 1, stderr, false);
    }
    subject_close(&subject);
    free(text);
    return wrong;
}
