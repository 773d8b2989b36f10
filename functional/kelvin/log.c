/*
 * log: output of a program: slog, clog, klog and flog, and # takt: get.
 *
 *   slog 42, klog "pixels" ... --> arguments --flog "%d %s\n"--> text into the dump
 *
 * %d %i %u %x %X %o %c %p take a scalar, %f its bits as a single, %s a string of clog or klog (or
 * the string in memory at a scalar address); flags, width and precision are those of printf. A
 * missing argument prints ?; surplus arguments are dropped.
 */
#include <string.h>

#include "functional/kelvin/exec_state.h"

/* --- arguments -------------------------------------------------------------------------------- */

static void add_scalar(struct log *log, uint32_t value)
{
    log->open = false;
    if (log->count < LOG_ARGUMENTS)
        log->arguments[log->count++].value = value;
}

static void begin_string(struct log *log)
{
    if (log->open || log->count == LOG_ARGUMENTS || log->used + 2 >= LOG_BYTES)
        return;
    log->arguments[log->count++].string = log->used + 1;
    log->text[log->used] = '\0';
    log->open = true;
}

/* Append a character to the open string. False: the buffer is full. */
static bool add_character(struct log *log, char c)
{
    if (!log->open || log->used + 2 >= LOG_BYTES)
        return false;
    log->text[log->used++] = c;
    log->text[log->used] = '\0';
    return true;
}

static void end_string(struct log *log)
{
    if (log->open)
        log->used++;
    log->open = false;
}

static void add_memory(struct kelvin_exec *exec, uint32_t address)
{
    uint32_t c;
    end_string(&exec->log);
    begin_string(&exec->log);
    while (riscv_memory_load(exec->memory, address++, 1, &c) && c &&
           add_character(&exec->log, (char)c))
        continue;
    end_string(&exec->log);
}

/* Append up to four characters; a 0 ends the string. */
static void add_characters(struct log *log, uint32_t value)
{
    begin_string(log);
    for (unsigned i = 0; i < 4; i++, value >>= 8) {
        if (!(value & 0xff)) {
            end_string(log);
            return;
        }
        add_character(log, (char)(value & 0xff));
    }
}

/* --- format string ---------------------------------------------------------------------------- */

enum { SPEC = 24 };

static void print_string(struct kelvin_exec *exec, const char *spec, uint32_t argument)
{
    const struct log *log = &exec->log;
    char text[LOG_BYTES];
    const char *string = text;
    if (log->arguments[argument].string) {
        string = log->text + log->arguments[argument].string - 1;
    } else {
        uint32_t address = log->arguments[argument].value, c, n = 0;
        while (n + 1 < sizeof text && riscv_memory_load(exec->memory, address++, 1, &c) && c)
            text[n++] = (char)c;
        text[n] = '\0';
    }
    fprintf(exec->options.dump, spec, string);
}

static void print_argument(struct kelvin_exec *exec, const char *spec, char kind, uint32_t argument)
{
    FILE *out = exec->options.dump;
    if (argument >= exec->log.count) {
        putc('?', out);
        return;
    }
    const uint32_t value = exec->log.arguments[argument].value;
    float single;
    switch (kind) {
    case 's':
        print_string(exec, spec, argument);
        return;
    case 'f':
    case 'e':
    case 'g':
        memcpy(&single, &value, sizeof single);
        fprintf(out, spec, (double)single);
        return;
    case 'p':
        fprintf(out, "0x%x", value);
        return;
    default:
        fprintf(out, spec, value);
    }
}

/* Read a conversion whose text after the % begins at address, into spec. Returns its last
 * character, 0 if invalid. */
static char read_conversion(const struct kelvin_exec *exec, uint32_t *address, char spec[SPEC])
{
    size_t used = 0;
    uint32_t c;
    spec[used++] = '%';
    while (riscv_memory_load(exec->memory, *address, 1, &c) && c) {
        ++*address;
        if (strchr("diuxXocpsfeg%", (char)c)) {
            spec[used++] = (char)c;
            spec[used] = '\0';
            return (char)c;
        }
        if (strchr("hlzj", (char)c))
            continue; /* length modifiers are ignored: an argument has 32 bits */
        if (used + 2 >= SPEC || !strchr("0123456789.-+ #", (char)c) || (used > 6 && c >= '0'))
            break;
        spec[used++] = (char)c;
    }
    return 0;
}

static void close_record(struct kelvin_exec *exec, uint32_t format)
{
    FILE *out = exec->options.dump;
    uint32_t argument = 0, c, left = 1 << 16;
    end_string(&exec->log);
    exec->printed = true;
    while (out && left-- && riscv_memory_load(exec->memory, format++, 1, &c) && c) {
        char spec[SPEC];
        if (c != '%') {
            putc((int)c, out);
            continue;
        }
        const char kind = read_conversion(exec, &format, spec);
        if (kind == '%')
            putc('%', out);
        else if (kind)
            print_argument(exec, spec, kind, argument++);
        else
            putc('?', out);
    }
    if (out && ferror(out))
        exec->failed = true;
    memset(&exec->log, 0, sizeof exec->log);
}

void kelvin_log(struct kelvin_exec *exec, enum kelvin_family family, uint32_t value)
{
    switch (family) {
    case KELVIN_slog:
        end_string(&exec->log);
        add_scalar(&exec->log, value);
        return;
    case KELVIN_clog:
        add_characters(&exec->log, value);
        return;
    case KELVIN_klog:
        add_memory(exec, value);
        return;
    default:
        close_record(exec, value);
    }
}

/* --- get -------------------------------------------------------------------------------------- */

static const uint8_t *bytes_of(const void *context, const struct riscv_get *get, uint64_t offset,
                               uint32_t size)
{
    const struct kelvin_exec *exec = context;
    const uint8_t *bytes = get->file == 'm'   ? exec->memory[0].bytes + get->at
                           : get->file == 'v' ? exec->state.vector.v[get->at].b
                                              : (const uint8_t *)&exec->state.x[get->at];
    (void)size;
    return bytes + offset;
}

void kelvin_print_gets(struct kelvin_exec *exec, uint32_t stmt)
{
    const struct riscv_get_state state = {
        .rules = &kelvin_get_rules, .bytes = bytes_of, .context = exec, .who = ""};
    riscv_gets_print(&exec->program->gets, stmt, &state, exec->options.dump);
    if (ferror(exec->options.dump))
        exec->failed = true;
}
