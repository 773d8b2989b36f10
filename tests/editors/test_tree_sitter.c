/*
 * The grammar of editors/tree-sitter in tree-sitter's own library: every program of the repository
 * and random legal ones have trees without errors, whose lines and statements are as many as a look
 * at the text finds; and after each of random edits the tree is that of a fresh parse.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <fts.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tree_sitter/api.h>

#include "editors/tree-sitter/src/parser.c"
#include "tests/dice.h"
#include "tests/gen_program.h"
#include "tests/often.h"

static TSParser *parser(void)
{
    TSParser *made = ts_parser_new();
    assert_true(ts_parser_set_language(made, tree_sitter_mncore2()));
    return made;
}

static size_t count(TSNode node, const char *type)
{
    size_t sum = strcmp(ts_node_type(node), type) == 0 && ts_node_is_named(node);
    for (uint32_t i = 0; i < ts_node_child_count(node); i++)
        sum += count(ts_node_child(node, i), type);
    return sum;
}

/* Pieces between semicolons, and lines with something, comments aside. */
static void by_eye(const char *text, size_t *lines, size_t *pieces, size_t *comments)
{
    *lines = *pieces = *comments = 0;
    while (*text != '\0') {
        bool any = false, line = false;
        for (; *text != '\0' && *text != '\n' && *text != '#'; text++) {
            if (*text == ';')
                any = false;
            else if (strchr(" \t\r", *text) == NULL && !any) {
                any = line = true;
                ++*pieces;
            }
        }
        *lines += line;
        *comments += *text == '#';
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
}

static void check(TSParser *by, const char *name, const char *text, size_t length)
{
    TSTree *tree = ts_parser_parse_string(by, NULL, text, (uint32_t)length);
    const TSNode root = ts_tree_root_node(tree);
    size_t lines, pieces, comments;
    by_eye(text, &lines, &pieces, &comments);
    const size_t hosts = count(root, "host_line");
    if (ts_node_has_error(root) || count(root, "step") + hosts != lines ||
        count(root, "statement") + count(root, "nop") + count(root, "wait") + hosts != pieces ||
        count(root, "comment") + count(root, "directive") != comments)
        fail_msg("%s: %zu lines, %zu pieces, %zu comments by eye", name, lines, pieces, comments);
    ts_tree_delete(tree);
}

static char *whole(const char *path, size_t *length)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = calloc(1, 1 << 24);
    assert_non_null(text);
    *length = fread(text, 1, (1 << 24) - 1, file);
    fclose(file);
    return text;
}

static void programs(void **state)
{
    (void)state;
    char examples[] = "examples", golden[] = "tests/golden", naive[] = "tests/naive";
    char *folders[] = {examples, golden, naive, NULL};
    TSParser *by = parser();
    FTS *walk = fts_open(folders, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    assert_non_null(walk);
    size_t seen = 0;
    for (FTSENT *entry; (entry = fts_read(walk)) != NULL;) {
        if (entry->fts_info != FTS_F || strstr(entry->fts_name, ".vsm") == NULL)
            continue;
        size_t length;
        char *text = whole(entry->fts_path, &length);
        check(by, entry->fts_path, text, length);
        free(text);
        seen++;
    }
    fts_close(walk);
    ts_parser_delete(by);
    assert_true(seen > 50);
}

static char *random_program(uint64_t seed, size_t *length)
{
    const struct gen_options options = {GEN_ALL, 40, 50, 3, 3};
    char *text = gen_program(seed, &options, length);
    assert_non_null(text);
    return text;
}

static void random_programs(void **state)
{
    (void)state;
    TSParser *by = parser();
    for (uint64_t seed = 1; seed <= often(800); seed++) {
        char name[32];
        snprintf(name, sizeof name, "seed %d", (int)seed);
        size_t length;
        char *text = random_program(seed, &length);
        check(by, name, text, length);
        free(text);
    }
    ts_parser_delete(by);
}

static TSPoint point(const char *text, size_t at)
{
    TSPoint place = {0, 0};
    for (size_t i = 0; i < at; i++) {
        place.row += text[i] == '\n';
        place.column = text[i] == '\n' ? 0 : place.column + 1;
    }
    return place;
}

struct text {
    char *bytes;
    size_t length;
};

/* In *text, `gone` bytes from `from` on become `come` bytes of `piece`; the tree hears of it. */
static void replace(struct text *text, size_t from, size_t gone, const char *piece, size_t come,
                    TSTree *tree)
{
    const struct text old = *text;
    text->length = old.length - gone + come;
    text->bytes = malloc(text->length + 1);
    assert_non_null(text->bytes);
    memcpy(text->bytes, old.bytes, from);
    memcpy(text->bytes + from, piece, come);
    memcpy(text->bytes + from + come, old.bytes + from + gone, old.length - from - gone + 1);
    const TSInputEdit change = {
        .start_byte = (uint32_t)from,
        .old_end_byte = (uint32_t)(from + gone),
        .new_end_byte = (uint32_t)(from + come),
        .start_point = point(old.bytes, from),
        .old_end_point = point(old.bytes, from + gone),
        .new_end_point = point(text->bytes, from + come),
    };
    ts_tree_edit(tree, &change);
    free(old.bytes);
}

/* The tree after an edit, which has to be that of a fresh parse where the text has no error: where
 * it has one, the two may be mended in different ways. */
static TSTree *again(TSParser *by, const struct text *text, TSTree *tree, bool *good, size_t *seen)
{
    TSTree *next = ts_parser_parse_string(by, tree, text->bytes, (uint32_t)text->length);
    TSTree *fresh = ts_parser_parse_string(by, NULL, text->bytes, (uint32_t)text->length);
    *good = !ts_node_has_error(ts_tree_root_node(fresh));
    if (*good) {
        char *one = ts_node_string(ts_tree_root_node(next));
        char *other = ts_node_string(ts_tree_root_node(fresh));
        assert_string_equal(one, other);
        free(one);
        free(other);
        ++*seen;
    }
    ts_tree_delete(tree);
    ts_tree_delete(fresh);
    return next;
}

/* Random edits; one that brings an error is taken back. */
static void edits(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "\n", ";",      " ", "#", "nop", "wait i0a", "",      "\"",     "$lm",  "d set ", "d set",
        "/",  "i\"3\"", "[", "é", "%",   "# takt:",  "\n\n ", "fvadd ", "0x1f", ";;"};
    struct dice dice = {7};
    TSParser *by = parser();
    size_t seen = 0;
    for (uint64_t seed = 1; seed <= often(80); seed++) {
        struct text text;
        text.bytes = random_program(seed, &text.length);
        TSTree *tree = ts_parser_parse_string(by, NULL, text.bytes, (uint32_t)text.length);
        for (int i = 0; i < 20; i++) {
            const size_t from = dice_below(&dice, text.length + 1);
            const size_t rest = text.length - from;
            const size_t gone = dice_below(&dice, (rest < 12 ? rest : 12) + 1);
            const char *piece = pieces[dice_below(&dice, sizeof pieces / sizeof *pieces)];
            char lost[12];
            memcpy(lost, text.bytes + from, gone);
            bool good;
            replace(&text, from, gone, piece, strlen(piece), tree);
            tree = again(by, &text, tree, &good, &seen);
            if (!good) {
                replace(&text, from, strlen(piece), lost, gone, tree);
                tree = again(by, &text, tree, &good, &seen);
                assert_true(good);
            }
        }
        ts_tree_delete(tree);
        free(text.bytes);
    }
    ts_parser_delete(by);
    assert_true(seen >= 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs),
        cmocka_unit_test(random_programs),
        cmocka_unit_test(edits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
