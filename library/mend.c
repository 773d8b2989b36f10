#include "library/mend.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/fixes.h"

/* Another program of this text, judged. Takes the text. NULL: no memory. */
static struct takt_program *judged(const struct takt_program *from, char *text, size_t size,
                                   const struct machine_setting *settings)
{
    struct takt_program *to = library_program(from->machine, 1);
    if (to)
        to->diags.silenced = from->diags.silenced;
    if (to && (source_from_text(to->sources, from->sources[0].name, text, size) != 0 ||
               library_judge(to, settings) < 0)) {
        takt_program_close(to);
        to = NULL;
    }
    free(text);
    if (to)
        library_raise_traps(to);
    return to;
}

int library_mend(const struct takt_program *program, const struct machine_setting *settings,
                 struct mended *mended)
{
    *mended = (struct mended){0};
    const struct machine *machine = program->machine->machine;
    const struct takt_program *now = program;
    for (;;) {
        size_t size, edits;
        char *text = fixes_pad(machine, &now->diags, 0, now->sources, &size, &edits);
        if (!text)
            return -1;
        if (edits == 0) {
            mended->text = text;
            mended->size = size;
            return 0;
        }
        mended->edits += edits;
        struct takt_program *next = judged(program, text, size, settings);
        takt_program_close(mended->program);
        mended->program = next;
        if (!next)
            return -1;
        now = next;
    }
}

void library_mended_free(struct mended *mended)
{
    free(mended->text);
    takt_program_close(mended->program);
}
