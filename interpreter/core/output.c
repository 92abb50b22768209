/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Replies go out under a lock. The notice of a dying process cannot use it: who writes it may have been interrupted
 * while holding the lock, or be a signal handler. So a writer raises a flag while it writes, and the dying process
 * waits a moment for the flag to fall; if it does not fall (the writer is the one who died), an LF first ends whatever
 * stands half-written. specs/interpreter.md, section 2.2.
 */
#include "output.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../common/connection.h"
#include "../common/report.h"

enum { PATIENCE_MS = 500 };

static int output_fd = -1;
static pthread_mutex_t output_lock = PTHREAD_MUTEX_INITIALIZER;
static volatile sig_atomic_t output_writing, output_dying, output_quitting;

void output_open(int fd)
{
    output_fd = fd;
}

void output_quit(void)
{
    output_quitting = 1;
}

bool output_is_quitting(void)
{
    return output_quitting != 0;
}

/* stop_for_ever parks a thread that has nothing to say any more; the process ends around it. */
static void stop_for_ever(void)
{
    for (;;)
        pause();
}

void output_line(struct line *line, unsigned long id)
{
    bool sent;

    line_add(line, "\n");
    if (line->failed) {
        line_release(line);
        line_add(line, "%lu error no-memory reason=the%%20reply%%20does%%20not%%20fit%%20into%%20a%%20line\n", id);
    }
    pthread_mutex_lock(&output_lock);
    output_writing = 1;
    if (output_dying) {
        output_writing = 0; /* nothing was begun that an LF would have to end */
        stop_for_ever();
    }
    sent = !line->failed && connection_send(output_fd, line->text, line->len);
    output_writing = 0;
    pthread_mutex_unlock(&output_lock);
    if (!sent && !output_quitting) {
        report_say(line->failed ? "out of memory" : "the manager does not take replies any more");
        _exit(EXIT_REFUSED);
    }
}

void output_notice(struct notice *notice)
{
    const struct timespec moment = {.tv_nsec = 1000000};

    if (output_dying)
        stop_for_ever();
    output_dying = 1;
    for (int waited = 0; output_writing && waited < PATIENCE_MS; waited++)
        nanosleep(&moment, NULL);
    if (output_writing)
        connection_send(output_fd, "\n", 1);
    notice->text[notice->len++] = '\n';
    connection_send(output_fd, notice->text, notice->len);
}
