/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Reads lines, gathers the lines of a batch behind it, and puts commands into the executors' queues. Commands that
 * cannot be delivered are answered here. specs/interpreter.md, sections 2.2 and 4.4 (batch).
 */
#include "reader.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/command.h"
#include "../common/connection.h"
#include "../common/report.h"
#include "executor.h"
#include "notice.h"
#include "output.h"
#include "verbs.h"

/* Only the reader's own thread touches these. */
static struct lines *reader_lines;
static unsigned long reader_last_id;

/* The batch that is being gathered. */
static struct work *reader_batch;
static char reader_batch_thread[NAME_OCTETS];
static size_t reader_batch_missing;

static void reply_failure(unsigned long id, const struct failure *failure)
{
    struct line line = {0};

    line_add(&line, "%lu error %s reason=", id, failure->code);
    line_add_encoded(&line, failure->reason, strlen(failure->reason));
    output_line(&line, id);
    line_release(&line);
}

/* break_off ends the process because the manager does not keep to the protocol. */
static void break_off(const char *why)
{
    struct line line = {0};
    struct notice notice = {.len = 0};

    line_add(&line, "! protocol reason=");
    line_add_encoded(&line, why, strlen(why));
    notice_add(&notice, line.failed ? "! protocol reason=" : line.text);
    output_notice(&notice);
    connection_finish(reader_lines->fd);
    report_say("the manager broke the protocol: %s", why);
    _exit(EXIT_REFUSED);
}

/* work_append adds a text; NULL when memory is short, and then the old work is freed. */
static struct work *work_append(struct work *work, const char *text)
{
    size_t text_len = strlen(text) + 1, len = work ? work->len : 0;
    struct work *longer = realloc(work, sizeof *work + len + text_len);

    if (!longer) {
        free(work);
        return NULL;
    }
    if (!work)
        memset(longer, 0, sizeof *longer);
    memcpy(longer->text + len, text, text_len);
    longer->len = len + text_len;
    if (longer->lines++ == 0)
        longer->first_len = text_len;
    return longer;
}

static void deliver(const char *thread, struct work *work, unsigned long id)
{
    struct failure failure = {0};

    if (work)
        executor_put(thread, work, &failure);
    else
        failure_set(&failure, "no-memory", "no memory for the command");
    if (failure.code) {
        reply_failure(id, &failure);
        free(work);
    }
}

/* take_batch_line gathers one more line of a batch. When memory is short the others are passed over, so that they are
 * not taken for commands. */
static void take_batch_line(const char *line)
{
    if (reader_batch)
        reader_batch = work_append(reader_batch, line);
    if (--reader_batch_missing == 0) {
        deliver(reader_batch_thread, reader_batch, reader_last_id);
        reader_batch = NULL;
    }
}

static void take_command(char *line)
{
    struct command_head head;
    struct failure failure = {0};
    struct work *work;

    command_read_head(line, &head, &failure);
    if (head.id == 0)
        break_off(failure.reason);
    if (head.id <= reader_last_id)
        break_off("a command's number must be larger than those before it");
    reader_last_id = head.id;
    if (failure.code) {
        reply_failure(head.id, &failure);
        return;
    }
    work = work_append(NULL, head.body);
    if (work) {
        work->id = head.id;
        work->deadline_ms = head.deadline_ms;
    }
    reader_batch_missing = verbs_lines_behind(head.body);
    if (reader_batch_missing == 0) {
        deliver(head.thread, work, head.id);
        return;
    }
    reader_batch = work;
    snprintf(reader_batch_thread, sizeof reader_batch_thread, "%s", head.thread);
}

static void *reader_main(void *unused)
{
    enum lines_status status;
    const char *why;
    char *line;

    (void)unused;
    while ((status = lines_next(reader_lines, &line, &why)) == LINES_OK) {
        if (reader_batch_missing > 0)
            take_batch_line(line);
        else
            take_command(line);
    }
    if (output_is_quitting())
        return NULL;
    if (status == LINES_BAD)
        break_off(why);
    report_say("the manager closed the connection");
    _exit(EXIT_REFUSED);
}

bool reader_open(struct lines *lines)
{
    pthread_t thread;
    sigset_t all, before;
    int error;

    reader_lines = lines;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&thread, NULL, reader_main, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error == 0;
}
