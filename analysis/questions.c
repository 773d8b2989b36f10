#include "analysis/questions.h"

#include <string.h>

#include "analysis/loops.h"
#include "analysis/nops.h"
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
EMBED(analysis_nops_sql, "analysis/nops.sql");
EMBED(analysis_check_sql, "analysis/check.sql");

const struct question questions[] = {
    {"units", analysis_units_sql, NULL, FROM_TABLES},
    {"stalls", analysis_stalls_sql, NULL, FROM_TABLES},
    {"transfers", analysis_transfers_sql, NULL, FROM_TABLES},
    {"statements", analysis_statements_sql, NULL, FROM_TABLES},
    {"reasons", analysis_reasons_sql, NULL, FROM_TABLES},
    {"bandwidth", analysis_bandwidth_sql, NULL, FROM_TABLES},
    {"counters", analysis_counters_sql, NULL, FROM_TABLES},
    {"roofline", analysis_roofline_sql, NULL, FROM_TABLES},
    {"windows", analysis_windows_sql, NULL, FROM_TABLES},
    {"tags", analysis_tags_sql, NULL, FROM_TABLES},
    {"hazards", analysis_hazards_sql, NULL, FROM_TABLES},
    {"assumed", analysis_assumed_sql, NULL, FROM_TABLES},
    {"parameters", analysis_parameters_sql, NULL, FROM_TABLES},
    {"critical", analysis_critical_sql, NULL, FROM_TABLES},
    {"bounds", analysis_bounds_sql, NULL, FROM_TABLES},
    {"warnings", analysis_warnings_sql, NULL, FROM_TABLES},
    {"regions", analysis_regions_sql, NULL, FROM_TABLES},
    {"loops", analysis_loops_sql, loops_find, FROM_INTERVALS},
    {"nops", analysis_nops_sql, nops_table, FROM_RUN},
    {"check", analysis_check_sql, NULL, FROM_TABLES},
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
