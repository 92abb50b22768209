/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Follows a run by the service's live events and shows it: a bar on a terminal, plain lines otherwise. Notices when the
 * launch agent ends before its time.
 */
#include "tester/commands/certify/certify.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BAR = 32, RECONNECTS_MAX = 10 };

static void clear_bar(const struct certify_watch *watch)
{
    if (watch->bar) {
        fputs("\r\033[K", stderr);
    }
}

static void draw_bar(const struct certify_watch *watch, const char *case_id)
{
    unsigned filled = watch->total ? watch->done * BAR / watch->total : 0;

    if (watch->bar) {
        fprintf(stderr, "\r\033[K[%.*s%*s] %u/%u %.40s", (int)filled, "################################",
                (int)(BAR - filled), "", watch->done, watch->total, case_id);
        fflush(stderr);
    }
}

static const char *text_at(const json_t *data, const char *name)
{
    const char *text = json_string_value(json_object_get(data, name));

    return text ? text : "";
}

static void show_result(struct certify_watch *watch, const json_t *data)
{
    const char *verdict = text_at(data, "verdict"), *requirement = text_at(data, "requirement");
    bool again = json_object_get(data, "attempt") != NULL;

    watch->done += !again;
    /* On a terminal only what is not as it should be stays on the screen. */
    if (!watch->bar || strcmp(verdict, "pass") != 0) {
        clear_bar(watch);
        printf("%-12s %s%s%s%s%s%s\n", verdict, text_at(data, "case"), again ? ", again" : "", *requirement ? "  " : "",
               requirement, *text_at(data, "reason") ? ": " : "", text_at(data, "reason"));
        fflush(stdout);
    }
    draw_bar(watch, text_at(data, "case"));
}

static void show_note(struct certify_watch *watch, const json_t *data)
{
    const char *kind = text_at(data, "kind");

    if (strcmp(kind, "agent-connected") == 0) {
        watch->connected = true;
    }
    if (strcmp(kind, "agent-connected") == 0 || strcmp(kind, "preflight") == 0 || strcmp(kind, "lingering") == 0 ||
        strcmp(kind, "warning") == 0) {
        clear_bar(watch);
        printf("%s\n", text_at(data, "text"));
        fflush(stdout);
    }
}

static void take_event(struct certify_watch *watch, const char *text)
{
    json_t *frame = json_loads(text, 0, NULL);
    const json_t *data = json_object_get(frame, "data");

    if (strcmp(watch->event, "started") == 0) {
        watch->total = (unsigned)json_integer_value(json_object_get(data, "total"));
        draw_bar(watch, text_at(data, "case"));
    } else if (strcmp(watch->event, "result") == 0) {
        show_result(watch, data);
    } else if (strcmp(watch->event, "note") == 0) {
        show_note(watch, data);
    } else if (strcmp(watch->event, "finished") == 0) {
        watch->finished = true;
        snprintf(watch->verdict, sizeof watch->verdict, "%s", text_at(data, "verdict"));
        snprintf(watch->state, sizeof watch->state, "%s", text_at(data, "state"));
        snprintf(watch->problem, sizeof watch->problem, "%s", text_at(data, "problem"));
    }
    json_decref(frame);
}

static bool on_line(void *context, const char *line)
{
    struct certify_watch *watch = context;

    if (strncmp(line, "id: ", 4) == 0) {
        watch->last = strtoll(line + 4, NULL, 10);
    } else if (strncmp(line, "event: ", 7) == 0) {
        snprintf(watch->event, sizeof watch->event, "%s", line + 7);
    } else if (strncmp(line, "data: ", 6) == 0) {
        take_event(watch, line + 6);
    }
    return !watch->finished;
}

/* The agent that ends before it has connected has said why on stderr; nobody else will come. One whose status is a
 * verdict has been connected, although the event that tells of it is still under way. */
static bool on_idle(void *context)
{
    struct certify_watch *watch = context;

    if (watch->agent && waitpid(watch->agent, &watch->agent_status, WNOHANG) == watch->agent) {
        watch->agent = 0;
        watch->connected |= WIFEXITED(watch->agent_status) && WEXITSTATUS(watch->agent_status) <= 1;
    }
    return watch->agent || watch->connected;
}

bool certify_watch_run(struct certify_watch *watch, const char *run)
{
    const struct certify_stream stream = {.context = watch, .on_line = on_line, .on_idle = on_idle};
    char path[160];

    watch->bar = isatty(STDERR_FILENO);
    for (unsigned tries = 0; tries < RECONNECTS_MAX && !watch->finished; tries++) {
        long long before = watch->last;

        snprintf(path, sizeof path, "/api/v1/runs/%s/events?after=%lld", run, watch->last);
        certify_client_stream(watch->client, path, &stream);
        if (!watch->finished && !on_idle(watch)) {
            snprintf(watch->problem, sizeof watch->problem, "sut-agent ended before it was connected");
            return false;
        }
        if (watch->last > before) {
            tries = 0;
        }
        if (!watch->finished && tries > 0) {
            sleep(1); /* the service may be starting again */
        }
    }
    clear_bar(watch);
    if (!watch->finished) {
        snprintf(watch->problem, sizeof watch->problem, "the run can no longer be followed: %.300s",
                 watch->client->message);
    }
    return watch->finished;
}
