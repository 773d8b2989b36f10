/* fuzz_trace: any bytes as a trace: every question, the timeline and the exports. */
#include <stdint.h>

#include "analysis/report.h"
#include "analysis/run_json.h"
#include "analysis/screen.h"
#include "tests/fuzz/file.h"
#include "traces/konata.h"
#include "traces/perfetto.h"
#include "traces/trace.h"
#include "traces/store_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *out;
    sqlite3 *db = NULL;
    char error[600] = "";
    if (!out && !(out = fopen("/dev/null", "w")))
        abort();
    if (trace_open(&db, fuzz_file("t.db", data, size), error, sizeof error) != 0) {
        if (!*error)
            abort();
        return 0;
    }
    struct store store;
    if (store_read(&store, db) == SQLITE_OK) {
        screen_print(&store, &(const struct screen_options){.width = 80}, out);
        run_json_print(&store, NULL, out);
    }
    store_close(&store);
    report_check(db, out);
    perfetto_write(db, 0, 10000, out);
    konata_write(db, 0, 10000, out);
    sqlite3_close(db);
    return 0;
}
