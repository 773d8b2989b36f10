#include "tests/made_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/source.h"

void made_page_compare(const char *path, void (*write)(FILE *out))
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    write(out);
    fclose(out);
    if (getenv("TAKT_REGENERATE") != NULL) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        assert_int_equal(fwrite(text, 1, size, file), size);
        assert_int_equal(fclose(file), 0);
    }
    struct source source;
    char error[200];
    if (source_open(&source, path, error, sizeof error) != 0)
        fail_msg("%s", error);
    if (source.size != size || memcmp(source.text, text, size) != 0)
        fail_msg("%s is not what the code gives: run this test with TAKT_REGENERATE=1", path);
    source_close(&source);
    free(text);
}
