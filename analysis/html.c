#include "analysis/html.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "config/embed.h"
#include "traces/json_text.h"
#include "traces/schema.h"

EMBED(analysis_page_css, "analysis/page/page.css");
EMBED(analysis_diff_css, "analysis/page/diff.css");
EMBED(analysis_uplot_css, "analysis/page/uplot/uplot.css");
EMBED(analysis_uplot_js, "analysis/page/uplot/uplot.js");
EMBED(analysis_uplot_license, "analysis/page/uplot/LICENSE");
EMBED(analysis_run_js, "analysis/page/run.js");
EMBED(analysis_view_js, "analysis/page/view.js");
EMBED(analysis_lines_js, "analysis/page/lines.js");
EMBED(analysis_pen_js, "analysis/page/pen.js");
EMBED(analysis_items_js, "analysis/page/items.js");
EMBED(analysis_gantt_js, "analysis/page/gantt.js");
EMBED(analysis_charts_js, "analysis/page/charts.js");
EMBED(analysis_page_js, "analysis/page/page.js");

enum { CELL_BYTES = 160 };

#define PUT(out, embedded) fwrite(embedded, 1, EMBED_SIZE(embedded), out)

void html_text(FILE *out, const char *text, size_t size)
{
    for (size_t i = 0; i < size;) {
        const size_t n = json_text_utf8(text + i, size - i);
        const char c = text[i];
        if (n == 0 || (n == 1 && (unsigned char)c < ' ' && c != '\t'))
            fputs("\xef\xbf\xbd", out);
        else if (c == '<')
            fputs("&lt;", out);
        else if (c == '>')
            fputs("&gt;", out);
        else if (c == '&')
            fputs("&amp;", out);
        else if (c == '"')
            fputs("&quot;", out);
        else
            fwrite(text + i, 1, n, out);
        i += n ? n : 1;
    }
}

void html_words(FILE *out, const char *text)
{
    html_text(out, text, strlen(text));
}

void html_cell(FILE *out, const char *text)
{
    size_t size = strlen(text);
    const bool cut = size > CELL_BYTES;
    for (size = cut ? CELL_BYTES : size; cut && size && (text[size] & 0xc0) == 0x80;)
        size--;
    html_text(out, text, size);
    if (cut)
        fputs("...", out);
}

void html_put(FILE *out, const char *frame, ...)
{
    static const char cell[] = "%.160s";
    va_list args;
    va_start(args, frame);
    for (const char *at; (at = strchr(frame, '%')) != NULL;) {
        const bool cut = strncmp(at, cell, sizeof cell - 1) == 0;
        fwrite(frame, 1, (size_t)(at - frame), out);
        if (cut)
            html_cell(out, va_arg(args, const char *));
        else
            html_words(out, va_arg(args, const char *));
        frame = at + (cut ? sizeof cell - 1 : sizeof "%s" - 1);
    }
    va_end(args);
    fputs(frame, out);
}

void html_table(FILE *out, const char *id, const char *title, const char *sentence,
                const char *const *columns)
{
    fprintf(out, "<section id=\"%s\"><h2>%s</h2>\n", id, title);
    if (sentence)
        fprintf(out, "<p>%s</p>\n", sentence);
    fputs("<div class=\"scroll\"><table><thead><tr>", out);
    for (; *columns; columns++)
        fprintf(out, "<th%s>%s</th>", **columns == '#' ? " class=\"n\"" : "",
                *columns + (**columns == '#'));
    fputs("</tr></thead><tbody>\n", out);
}

void html_table_end(FILE *out)
{
    fputs("</tbody></table></div></section>\n", out);
}

void html_begin(FILE *out, const char *title)
{
    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>",
          out);
    html_put(out, "%s - takt</title>\n<style>\n", title);
    PUT(out, analysis_uplot_css);
    putc('\n', out);
    PUT(out, analysis_page_css);
    PUT(out, analysis_diff_css);
    fputs("</style>\n</head>\n<body>\n", out);
}

void html_main(FILE *out, const char *const *sections, size_t count)
{
    fputs("<nav><div>", out);
    for (size_t i = 0; i < count; i++) {
        const char *words = strchr(sections[i], '=');
        fprintf(out, "<a href=\"#%.*s\">%s</a>", (int)(words - sections[i]), sections[i],
                words + 1);
    }
    fputs("<button id=\"theme\" type=\"button\">light / dark</button></div></nav>\n<main>\n", out);
}

void html_picture(FILE *out, const char *name, const char *data, size_t size)
{
    html_put(out, "<script type=\"application/json\" class=\"run\" data-name=\"%s\">", name);
    fwrite(data, 1, size, out);
    fputs("</script>\n", out);
}

void html_end(FILE *out)
{
    fputs("</main>\n<footer><kbd>1</kbd> to <kbd>9</kbd> sections, <kbd>j</kbd> <kbd>k</kbd> or "
          "arrows rows, <kbd>Enter</kbd> to the source line, <kbd>t</kbd> light or dark; heads "
          "sort. Written by takt " TAKT_VERSION
          ". Charts are drawn with uPlot.</footer>\n<script>\n/*\n",
          out);
    PUT(out, analysis_uplot_license);
    fputs("\n*/\n", out);
    PUT(out, analysis_uplot_js);
    fputs("\n</script>\n<script>\n'use strict';\nconst takt = {};\n", out);
    PUT(out, analysis_run_js);
    PUT(out, analysis_view_js);
    PUT(out, analysis_lines_js);
    PUT(out, analysis_pen_js);
    PUT(out, analysis_items_js);
    PUT(out, analysis_gantt_js);
    PUT(out, analysis_charts_js);
    PUT(out, analysis_page_js);
    fputs("</script>\n</body>\n</html>\n", out);
}
