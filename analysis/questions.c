#include "analysis/questions.h"

#include <string.h>

#include "analysis/loops.h"
#include "config/embed.h"

EMBED(analysis_units_sql, "analysis/units.sql");
EMBED(analysis_stalls_sql, "analysis/stalls.sql");
EMBED(analysis_transfers_sql, "analysis/transfers.sql");
EMBED(analysis_statements_sql, "analysis/statements.sql");
EMBED(analysis_reasons_sql, "analysis/reasons.sql");
EMBED(analysis_bandwidth_sql, "analysis/bandwidth.sql");
EMBED(analysis_counters_sql, "analysis/counters.sql");
EMBED(analysis_roofline_sql, "analysis/roofline.sql");
EMBED(analysis_windows_sql, "analysis/windows.sql");
EMBED(analysis_tags_sql, "analysis/tags.sql");
EMBED(analysis_hazards_sql, "analysis/hazards.sql");
EMBED(analysis_assumed_sql, "analysis/assumed.sql");
EMBED(analysis_parameters_sql, "analysis/parameters.sql");
EMBED(analysis_critical_sql, "analysis/critical.sql");
EMBED(analysis_bounds_sql, "analysis/bounds.sql");
EMBED(analysis_warnings_sql, "analysis/warnings.sql");
EMBED(analysis_regions_sql, "analysis/regions.sql");
EMBED(analysis_loops_sql, "analysis/loops.sql");
EMBED(analysis_check_sql, "analysis/check.sql");

const struct question questions[] = {
    {"units", analysis_units_sql, NULL},           {"stalls", analysis_stalls_sql, NULL},
    {"transfers", analysis_transfers_sql, NULL},   {"statements", analysis_statements_sql, NULL},
    {"reasons", analysis_reasons_sql, NULL},       {"bandwidth", analysis_bandwidth_sql, NULL},
    {"counters", analysis_counters_sql, NULL},     {"roofline", analysis_roofline_sql, NULL},
    {"windows", analysis_windows_sql, NULL},       {"tags", analysis_tags_sql, NULL},
    {"hazards", analysis_hazards_sql, NULL},       {"assumed", analysis_assumed_sql, NULL},
    {"parameters", analysis_parameters_sql, NULL}, {"critical", analysis_critical_sql, NULL},
    {"bounds", analysis_bounds_sql, NULL},         {"warnings", analysis_warnings_sql, NULL},
    {"regions", analysis_regions_sql, NULL},       {"loops", analysis_loops_sql, loops_find},
    {"check", analysis_check_sql, NULL},
};
const size_t question_count = sizeof questions / sizeof *questions;

const struct question *question_find(const char *name)
{
    for (size_t i = 0; i < question_count; i++)
        if (!strcmp(questions[i].name, name))
            return &questions[i];
    return NULL;
}

const char *question_asks(const struct question *question, size_t *size)
{
    /* "-- name: " */
    const char *text = question->sql + strlen("-- ") + strlen(question->name) + strlen(": ");
    *size = strcspn(text, "\n");
    return text;
}
