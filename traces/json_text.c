#include "traces/json_text.h"

#include <math.h>
#include <stdint.h>

size_t json_text_utf8(const char *text, size_t size)
{
    const unsigned char *t = (const unsigned char *)text;
    if (size == 0)
        return 0;
    if (t[0] < 0x80)
        return 1;
    const size_t length = t[0] >= 0xf0 ? 4 : t[0] >= 0xe0 ? 3 : 2;
    if (t[0] < 0xc2 || t[0] > 0xf4 || length > size)
        return 0;
    uint32_t code = t[0] & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((t[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (t[i] & 0x3f);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    return code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0
                                                                                        : length;
}

void json_text(FILE *out, const char *text, size_t size)
{
    putc('"', out);
    for (size_t i = 0; i < size;) {
        const unsigned char c = (unsigned char)text[i];
        const size_t length = json_text_utf8(text + i, size - i);
        if (length == 0) {
            fputs("\\ufffd", out);
            i++;
            continue;
        }
        if (c == '"' || c == '\\') {
            putc('\\', out);
            putc(c, out);
        } else if (c == '\n') {
            fputs("\\n", out);
        } else if (c == '\t') {
            fputs("\\t", out);
        } else if (c < 0x20) {
            fprintf(out, "\\u%04x", c);
        } else {
            fwrite(text + i, 1, length, out);
        }
        i += length;
    }
    putc('"', out);
}

void json_text_real(FILE *out, double value)
{
    if (!isfinite(value))
        fputs("null", out);
    else if (value == floor(value) && fabs(value) < 1e15)
        fprintf(out, "%.0f", value);
    else
        fprintf(out, "%.12g", value);
}
