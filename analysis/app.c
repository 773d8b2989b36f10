#include "analysis/app.h"

#include <stdlib.h>
#include <string.h>

#include "host/number.h"
#include "host/path.h"

static int open_program(const struct app *app, struct app_program *program, struct diag_list *diags)
{
    char error[MACHINE_ERROR];
    char *name = path_relative(app->source->name, program->path);
    const int status = name ? source_open(&program->source, name, error, sizeof error) : -1;
    const struct diag at = {.severity = DIAG_ERROR,
                            .line = program->line,
                            .column = program->column,
                            .length = program->length,
                            .rule = ""};
    if (status > 0)
        diag_add(diags, &at, "%s\nnames are from the folder of this file", error);
    free(name);
    return status;
}

int app_load(struct app *app, const struct config *config, const struct machine_setting *settings,
             struct diag_list *diags)
{
    const struct machine *machine = app->machine;
    int worst = 0;
    for (size_t i = 0; i < app->program_count; i++) {
        struct app_program *p = &app->programs[i];
        p->diags.silenced = diags->silenced;
        int status = open_program(app, p, diags);
        if (status == 0) {
            status = machine->language->load(&p->program, &p->source, 1, &p->diags);
            status = machine_legal(machine, status, p->program, config, settings, &p->diags);
            diag_sort(&p->diags);
        }
        if (status < 0)
            return -1;
        worst |= status;
    }
    return worst;
}

void app_free(struct app *app)
{
    for (size_t i = 0; i < app->program_count; i++) {
        struct app_program *p = &app->programs[i];
        if (p->program)
            app->machine->language->unload(p->program);
        if (p->source.name)
            source_close(&p->source);
        diag_list_free(&p->diags);
        free(p->path);
    }
    free(app->programs);
    free(app->steps);
    *app = (struct app){0};
}

const char *app_step_text(const struct app *app, const struct app_step *step, char text[APP_TEXT])
{
    char number[NUMBER_TEXT];
    number_group(number, (int64_t)(step->kind == APP_REPEAT ? step->times : step->bytes));
    if (step->kind == APP_RUN)
        snprintf(text, APP_TEXT, "%s", app->programs[step->program].path);
    else
        snprintf(text, APP_TEXT, step->kind == APP_REPEAT ? "%s times" : "%s bytes", number);
    return text;
}
