#include "tests/ventus/logged.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

char logged_root[32];

int logged_unpack(void **state)
{
    (void)state;
    char command[256];
    strcpy(logged_root, "/tmp/takt-ventus-XXXXXX");
    if (!mkdtemp(logged_root))
        return -1;
    snprintf(command, sizeof command, "tar -xzf tests/ventus/cases.tar.gz -C %s", logged_root);
    return system(command);
}

int logged_clear(void **state)
{
    (void)state;
    char command[256];
    snprintf(command, sizeof command, "rm -rf %s", logged_root);
    return system(command);
}

/* --- files ------------------------------------------------------------------------------------ */

static struct {
    const char *end;
    struct logged_file *files;
    size_t count;
} walk;

static int add(const char *path, const struct stat *info, int flag, struct FTW *at)
{
    (void)info;
    (void)at;
    const size_t length = strlen(path), end = strlen(walk.end);
    struct source source;
    char error[256];
    if (flag != FTW_F || length < end || strcmp(path + length - end, walk.end) != 0)
        return 0;
    assert_int_equal(source_open(&source, path, error, sizeof error), 0);
    walk.files = realloc(walk.files, (walk.count + 1) * sizeof *walk.files);
    struct logged_file *file = &walk.files[walk.count++];
    *file = (struct logged_file){strdup(path), malloc(source.size + 1), source.size};
    memcpy(file->text, source.text, source.size);
    file->text[source.size] = '\0';
    source_close(&source);
    return 0;
}

size_t logged_files(const char *end, struct logged_file **files)
{
    walk.end = end;
    walk.files = NULL;
    walk.count = 0;
    assert_int_equal(nftw(logged_root, add, 16, FTW_PHYS), 0);
    *files = walk.files;
    return walk.count;
}

void logged_free(struct logged_file *files, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(files[i].path);
        free(files[i].text);
    }
    free(files);
}

/* --- logs ------------------------------------------------------------------------------------- */

static char *log_of(struct source *source, size_t *size)
{
    struct ventus_program program;
    struct ventus_run run;
    struct diag_list diags;
    char error[VENTUS_ERROR] = "", *text = NULL;
    diag_list_init(&diags);
    if (ventus_program_load(&program, source, 1, &diags) != 0)
        fail_msg("%s", diags.count ? diags.items[0].message : "no program");
    if (ventus_run_new(&run, &program, error) != 0)
        fail_msg("%s", error);
    FILE *out = open_memstream(&text, size);
    if (ventus_log(out, &run, 1000000, error) != 0)
        fail_msg("%s", error);
    fclose(out);
    ventus_run_free(&run);
    ventus_program_free(&program);
    source_close(source);
    diag_list_free(&diags);
    return text;
}

char *logged_of_file(const char *path, size_t *size)
{
    struct source source;
    char error[256];
    if (source_open(&source, path, error, sizeof error) != 0)
        fail_msg("%s", error);
    return log_of(&source, size);
}

char *logged_of_text(const char *text, size_t *size)
{
    struct source source;
    assert_int_equal(source_from_text(&source, "t.ventus", text, strlen(text)), 0);
    return log_of(&source, size);
}
