/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Progress for a person (progress.h). On a terminal one line is drawn again and again, and only what did not pass
 * stays; in a file every case is a line.
 */
#include "tester/commands/progress.h"

#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { BAR_WIDTH = 24 };

void progress_open(struct progress *progress, FILE *out, bool verbose)
{
    *progress = (struct progress){.out = out, .bar = isatty(fileno(out)), .verbose = verbose};
}

void progress_clear(struct progress *progress)
{
    if (progress->bar) {
        fputs("\r\033[K", progress->out);
    }
}

static int terminal_width(const struct progress *progress)
{
    struct winsize size = {0};

    return ioctl(fileno(progress->out), TIOCGWINSZ, &size) == 0 && size.ws_col > 40 ? size.ws_col : 80;
}

void progress_note(void *context, const char *kind, const char *text)
{
    struct progress *progress = context;
    bool shown = progress->verbose || strcmp(kind, "warning") == 0 || strcmp(kind, "agent-connected") == 0;

    if (shown) {
        progress_clear(progress);
        fprintf(progress->out, "%s: %s\n", kind, text);
        fflush(progress->out);
    }
}

void progress_started(void *context, const struct case_info *about, unsigned index, unsigned total)
{
    struct progress *progress = context;
    char bar[BAR_WIDTH + 1];
    unsigned done = total ? index * BAR_WIDTH / total : 0;

    progress->index = index;
    progress->total = total;
    if (!progress->bar) {
        return;
    }
    for (unsigned i = 0; i < BAR_WIDTH; i++) {
        bar[i] = i < done ? '#' : '.';
    }
    bar[BAR_WIDTH] = 0;
    int room = terminal_width(progress) - BAR_WIDTH - 16;
    fprintf(progress->out, "\r\033[K[%s] %3u/%-3u %.*s", bar, index + 1, total, room > 0 ? room : 0, about->id);
    fflush(progress->out);
}

void progress_result(void *context, const struct engine_result *result)
{
    struct progress *progress = context;
    bool good = result->verdict == VERDICT_PASS;

    if (good && progress->bar) {
        return;
    }
    progress_clear(progress);
    fprintf(progress->out, "%-12s %s%s%s%s%s\n", verdict_name(result->verdict), result->about->id,
            *result->requirement ? "  " : "", result->requirement, good || !*result->reason ? "" : ": ",
            good ? "" : result->reason);
    if (*result->expected || *result->observed) {
        fprintf(progress->out, "             expected %s\n             observed %s\n", result->expected,
                result->observed);
    }
    fflush(progress->out);
}

void progress_finished(void *context, const struct engine_summary *summary, const char *problem)
{
    struct progress *progress = context;

    progress_clear(progress);
    fprintf(progress->out, "%u cases: %u pass, %u fail, %u warn, %u skip, %u inconclusive\n",
            summary->pass + summary->fail + summary->warn + summary->skip + summary->inconclusive, summary->pass,
            summary->fail, summary->warn, summary->skip, summary->inconclusive);
    (void)problem; /* it is among the reasons */
    outcome_show(progress->out, summary->outcome);
    fflush(progress->out);
}
