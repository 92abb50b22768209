/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The report to read (html.h): what the run came to, what was judged by chapter, what was not judged, who got on
 * with whom, and every case.
 */
#include "tester/report/html.h"

#include "tester/base/markup.h"
#include "tester/base/memory.h"
#include "tester/report/attempts.h"
#include "tester/report/causes.h"
#include "tester/report/chapters.h"
#include "tester/report/coverage.h"
#include "tester/report/matrix.h"
#include "tester/report/outcome.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char style[] =
    ":root{color-scheme:light dark;--paper:#fff;--line:#c9d2d0;--soft:#56646a;--pass:#18704a;--fail:#b3261e;"
    "--warn:#8a5a00}"
    "@media(prefers-color-scheme:dark){:root{--paper:#14191b;--line:#3a474b;--soft:#9fb0b3;--pass:#74d3a2;"
    "--fail:#ff9b93;--warn:#f0c36c}}"
    "html{background:var(--paper)}"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:68rem;margin:0 auto;padding:1.5rem}"
    "h1{font-size:1.6rem;margin:0}h2{font-size:1.15rem;margin:2rem 0 .5rem}"
    ".word{font-size:1.9rem;font-weight:700;margin:.3rem 0}.quiet{color:var(--soft)}"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.2rem}dt{color:var(--soft)}"
    "dd{margin:0;overflow-wrap:anywhere}.wide{overflow-x:auto}"
    "table{border-collapse:collapse;width:100%;font-size:.9rem}"
    "th,td{text-align:left;vertical-align:top;padding:.35rem .7rem .35rem 0;border-bottom:1px solid var(--line)}"
    "td{overflow-wrap:break-word}td.n{font-variant-numeric:tabular-nums;white-space:nowrap}"
    "code{font-size:.85em;overflow-wrap:anywhere}"
    ".pass{color:var(--pass)}.fail,.does-not-conform{color:var(--fail)}.warn{color:var(--warn)}"
    ".conforms,.conforms-in-part{color:var(--pass)}"
    "span{white-space:nowrap}@media(max-width:40rem){dl{grid-template-columns:1fr}dd{margin:0 0 .5rem}"
    "body{padding:1rem}}"
    "p:not(.word)::first-letter{text-transform:uppercase}"
    "@media print{html{background:none}body{max-width:none;padding:0;font-size:10pt}tr{break-inside:avoid}"
    ".wide{overflow:visible}table{font-size:8pt}th,td{padding-right:.4rem}td a{display:none}}";

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

/* Prints text with %s only, each of which is escaped: the markup is in the format, what was reported never is. */
__attribute__((format(printf, 2, 3))) static void put(FILE *out, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    for (; *format; format++) {
        if (format[0] == '%' && format[1] == 's') {
            const char *text = va_arg(arguments, const char *);

            markup_put(out, text, strlen(text));
            format++;
        } else {
            fputc(*format, out);
        }
    }
    va_end(arguments);
}

static void put_fact(FILE *out, const char *term, const char *value)
{
    if (*value) {
        put(out, "<dt>%s</dt><dd>%s</dd>\n", term, value);
    }
}

/* ---- the parts --------------------------------------------------------------------------------------------------- */

static void put_head(FILE *out, const json_t *report)
{
    const char *name = text_of(json_object_get(report, "sut"), "name");
    struct outcome outcome;
    unsigned requirements, judged;

    outcome_read(report, &outcome);
    coverage_count(json_object_get(report, "coverage"), &requirements, &judged);
    name = *name ? name : "System under test";
    put(out,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>%s: %s - Assay</title>\n",
        name, outcome.words);
    fprintf(out, "<style>%s</style></head>\n", style);
    put(out, "<body><main><h1>%s</h1>\n<p class=\"word %s\">%s</p>\n", name, outcome.name, outcome.words);
    for (size_t i = 0; i < outcome.reason_count; i++) {
        put(out, "<p>%s.</p>\n", outcome.reasons[i]);
    }
    if (requirements > 0) {
        fprintf(out, "<p>%u of %u requirements of the selected cases were judged.</p>\n", judged, requirements);
    }
}

static void put_facts(FILE *out, const json_t *report)
{
    const json_t *sut = json_object_get(report, "sut"), *transport = json_object_get(sut, "transport");
    const json_t *summary = json_object_get(report, "summary");

    fputs("<dl>\n", out);
    put_fact(out, "Profile", text_of(report, "profile"));
    put_fact(out, "Judged as", text_of(sut, "role"));
    put_fact(out, "Interpreter", text_of(sut, "interpreter"));
    put_fact(out, "Own server", text_of(sut, "own_server"));
    put_fact(out, "Meets, in place of the reference's client", text_of(sut, "guest"));
    put_fact(out, json_is_true(json_object_get(transport, "on_wire")) ? "Seen on the wire" : "Not seen on the wire",
             text_of(transport, "text"));
    put_fact(out, "Build (SHA-256)", text_of(json_object_get(sut, "build"), "sha256"));
    if (json_object_get(json_object_get(sut, "build"), "left_out")) {
        put_fact(out, "Not in that digest", "files beyond those that the report lists: there were too many");
    }
    fputs("<dt>Cases</dt><dd>", out);
    for (size_t i = 0; i < CHAPTERS_VERDICTS; i++) {
        fprintf(out, "%s%lld %s", i ? ", " : "",
                (long long)json_integer_value(json_object_get(summary, chapters_verdicts[i])), chapters_verdicts[i]);
    }
    fputs("</dd>\n", out);
    put_fact(out, "Begun", text_of(report, "started"));
    put_fact(out, "Seed", text_of(report, "seed"));
    put_fact(out, "Tester", text_of(report, "tester"));
    fputs("</dl>\n", out);
}

static void put_chapters(FILE *out, const json_t *cases)
{
    size_t count;
    struct chapter *chapters = chapters_of(cases, &count);

    fputs("<h2>By chapter of the specification</h2>\n<div class=\"wide\" tabindex=\"0\" role=\"group\" "
          "aria-label=\"Chapters\"><table><thead><tr><th scope=\"col\">Chapter"
          "<th scope=\"col\">Title",
          out);
    for (size_t k = 0; k < CHAPTERS_VERDICTS; k++) {
        fprintf(out, "<th scope=\"col\">%s", chapters_verdicts[k]);
    }
    fputs("</thead><tbody>\n", out);
    for (size_t i = 0; i < count; i++) {
        put(out, "<tr><th scope=\"row\">%s</th><td>%s</td>", chapters[i].number, chapters[i].title);
        for (size_t k = 0; k < CHAPTERS_VERDICTS; k++) {
            fprintf(out, "<td class=\"n%s%s\">%u</td>", chapters[i].counts[k] ? " " : "",
                    chapters[i].counts[k] ? chapters_verdicts[k] : "", chapters[i].counts[k]);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
    free(chapters);
}

static void put_causes(FILE *out, const json_t *causes)
{
    if (json_array_size(causes) == 0) {
        return;
    }
    fputs("<h2>Likely causes</h2>\n<p class=\"quiet\">Cases that went wrong alike, in the order in which that showed. "
          "The first is the one to look at first.</p>\n<ol>\n",
          out);
    for (size_t i = 0; i < json_array_size(causes); i++) {
        const json_t *cause = json_array_get(causes, i);
        char sizes[CAUSES_SIZES];

        causes_sizes(cause, sizes);
        put(out, "<li>%s<br>", text_of(cause, "text"));
        if (*text_of(cause, "case")) {
            put(out, "%s, <a href=\"#%s\">%s</a>: ", text_of(cause, "requirement"), text_of(cause, "case"),
                text_of(cause, "case"));
        }
        put(out, "%s</li>\n", sizes);
    }
    fputs("</ol>\n", out);
}

static void put_not_judged(FILE *out, const json_t *groups)
{
    if (json_array_size(groups) == 0) {
        return;
    }
    fputs("<h2>What was not judged</h2>\n<p class=\"quiet\">This run does not tell whether these requirements are "
          "fulfilled.</p>\n<ul>\n",
          out);
    for (size_t i = 0; i < json_array_size(groups); i++) {
        const json_t *group = json_array_get(groups, i), *ids = json_object_get(group, "requirements");

        put(out, "<li>%s:", text_of(group, "reason"));
        for (size_t k = 0; k < json_array_size(ids); k++) {
            const char *id = json_string_value(json_array_get(ids, k));

            put(out, " <span>%s</span>", id ? id : "");
        }
        fputs("</li>\n", out);
    }
    fputs("</ul>\n", out);
}

static void put_waived_cases(FILE *out, const char *title, const json_t *ids)
{
    for (size_t i = 0; i < json_array_size(ids); i++) {
        const char *id = json_string_value(json_array_get(ids, i));

        put(out, "%s<a href=\"#%s\">%s</a>", i ? ", " : title, id ? id : "", id ? id : "");
    }
}

/* Under what waivers the run was judged, whatever came of it. */
static void put_waivers(FILE *out, const json_t *waivers)
{
    if (json_array_size(waivers) == 0) {
        return;
    }
    fputs("<h2>Waivers</h2>\n<ul>\n", out);
    for (size_t i = 0; i < json_array_size(waivers); i++) {
        const json_t *waiver = json_array_get(waivers, i);

        put(out, "<li><strong>%s</strong> (%s), ", text_of(waiver, "id"), text_of(waiver, "state"));
        put(out, "%s: %s. Until %s.", text_of(waiver, "owner"), text_of(waiver, "reason"), text_of(waiver, "expires"));
        put_waived_cases(out, "<br>Failed and waived: ", json_object_get(waiver, "waived"));
        put_waived_cases(out, "<br>Blocked by these: ", json_object_get(waiver, "behind"));
        put_waived_cases(out, "<br>Not needed for, as it passed: ", json_object_get(waiver, "not_needed"));
        fputs("</li>\n", out);
    }
    fputs("</ul>\n", out);
}

static void put_matrix_head(FILE *out, const json_t *const *meetings, size_t count)
{
    static const char *const rows[][2] = {{"server", "server"}, {"client 0", "client_a"}, {"client 1", "client_b"}};

    fputs("<thead>\n", out);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        put(out, "<tr><th scope=\"row\">%s</th>", rows[i][0]);
        for (size_t k = 0; k < count; k++) {
            put(out, "<th scope=\"col\">%s</th>", text_of(meetings[k], rows[i][1]));
        }
        fputs("</tr>\n", out);
    }
    fputs("</thead>\n", out);
}

static void put_matrix(FILE *out, const json_t *matrix)
{
    const json_t *meetings[MATRIX_MEETINGS_MAX];
    size_t count = matrix_meetings(matrix, meetings);

    if (count == 0) {
        return;
    }
    fputs("<h2>Interoperability</h2>\n<p class=\"quiet\">MPI programs, each run as one job of two clients; sut "
          "is "
          "the implementation under test.</p>\n<div class=\"wide\" tabindex=\"0\" role=\"group\" "
          "aria-label=\"Meetings\"><table>",
          out);
    put_matrix_head(out, meetings, count);
    fputs("<tbody>\n", out);
    for (size_t i = 0; i < json_array_size(matrix); i++) {
        const char *program = text_of(json_array_get(matrix, i), "program");

        if (!matrix_is_first(matrix, i)) {
            continue;
        }
        put(out, "<tr><th scope=\"row\">%s</th>", program);
        for (size_t k = 0; k < count; k++) {
            const char *verdict = matrix_verdict(matrix, program, meetings[k]);

            put(out, "<td class=\"%s\">%s</td>", verdict, verdict);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

static void put_evidence(FILE *out, const json_t *one, const char *kind, enum report_html_place place)
{
    const char *path = text_of(one, kind);

    if (!*path || place == REPORT_HTML_ALONE) {
        return;
    }
    if (place == REPORT_HTML_FOLDER) {
        put(out, " <a href=\"./%s\">%s</a>", path, kind); /* never an address with a scheme, whoever wrote the report */
    } else {
        put(out, " <a href=\"results/%s/%s\">%s</a>", text_of(one, "id"), kind, kind);
    }
}

/* What came out each time, where the case was judged more than once. */
static void put_attempts(FILE *out, const json_t *one)
{
    size_t count = json_array_size(json_object_get(one, "attempts"));
    char *words = attempts_words(one);
    char number[24];

    snprintf(number, sizeof number, "%zu", count);
    if (count > 0) {
        put(out, "<br>judged %s times: %s; the worst counts", number, words);
    }
    free(words);
}

static void put_case(FILE *out, const json_t *one, enum report_html_place place)
{
    const json_t *ids = json_object_get(one, "requirements");
    const char *verdict = text_of(one, "verdict");

    put(out, "<tr id=\"%s\"><td class=\"%s\">%s</td><td>%s<br><code>%s</code>", text_of(one, "id"), verdict, verdict,
        text_of(one, "title"), text_of(one, "id"));
    put_evidence(out, one, "transcript", place);
    put_evidence(out, one, "capture", place);
    if (*text_of(one, "reason") && strcmp(verdict, "pass") != 0) {
        put(out, "<br>%s%s%s", text_of(one, "requirement"), *text_of(one, "requirement") ? ": " : "",
            text_of(one, "reason"));
    }
    if (*text_of(one, "expected") || *text_of(one, "observed")) {
        put(out, "<br>expected <code>%s</code>, observed <code>%s</code>", text_of(one, "expected"),
            text_of(one, "observed"));
    }
    put_attempts(out, one);
    fputs("</td><td>", out);
    for (size_t i = 0; i < json_array_size(ids); i++) {
        const char *id = json_string_value(json_array_get(ids, i));

        put(out, "%s<span>%s</span>", i ? " " : "", id ? id : "");
    }
    put(out, "</td><td>%s %s</td></tr>\n", text_of(one, "chapter"), text_of(one, "chapter_title"));
}

static void put_cases(FILE *out, const json_t *cases, enum report_html_place place)
{
    fputs("<h2>Cases</h2>\n<div class=\"wide\" tabindex=\"0\" role=\"group\" "
          "aria-label=\"Cases\"><table><thead><tr><th scope=\"col\">Verdict<th scope=\"col\">Case"
          "<th scope=\"col\">Requirements<th scope=\"col\">Chapter</thead><tbody>\n",
          out);
    for (size_t i = 0; i < json_array_size(cases); i++) {
        put_case(out, json_array_get(cases, i), place);
    }
    fputs("</tbody></table></div>\n", out);
}

bool report_html_write(FILE *out, const json_t *report, enum report_html_place place)
{
    const json_t *cases = json_object_get(report, "cases");

    put_head(out, report);
    put_facts(out, report);
    put_causes(out, json_object_get(report, "causes"));
    put_waivers(out, json_object_get(report, "waivers"));
    put_not_judged(out, json_object_get(json_object_get(report, "coverage"), "not_judged"));
    put_matrix(out, json_object_get(report, "matrix"));
    put_chapters(out, cases);
    put_cases(out, cases, place);
    fputs("</main></body></html>\n", out);
    return !ferror(out);
}

const char *report_html_style(void)
{
    return style;
}

bool report_html_save(const char *folder)
{
    char *from = memory_format("%s/report.json", folder), *to = memory_format("%s/report.html", folder);
    char *part = memory_format("%s.part", to);
    json_t *report = json_load_file(from, 0, NULL);
    FILE *out = report ? fopen(part, "we") : NULL;
    bool good = out && report_html_write(out, report, REPORT_HTML_FOLDER);

    good = (!out || fclose(out) == 0) && good && rename(part, to) == 0;
    if (!good) {
        unlink(part);
    }
    json_decref(report);
    free(part);
    free(to);
    free(from);
    return good;
}
