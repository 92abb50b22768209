/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The parts of `assay certify`: a client of the service's HTTP interface, the same one that anybody else would use.
 */
#ifndef TESTER_COMMANDS_CERTIFY_CERTIFY_H
#define TESTER_COMMANDS_CERTIFY_CERTIFY_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

enum { CERTIFY_CONFORMS = 0, CERTIFY_FOUND_WANTING = 1, CERTIFY_BROKEN = 2 };

/* What the command line says; pointers into argv. */
struct certify_options {
    const char *url, *agent_url, *token, *profile, *suite, *case_id, *report, *implementation, *release, *server,
        *statement;
    const char *jobs; /* as sut-agent takes it, or NULL */
    char **template;  /* ends with NULL */
    long long seed;   /* -1: the service chooses */
    long long repeat; /* so many runs, one after the other */
    long long linger; /* minutes that the agent stays where a case has failed */
    bool annotate;    /* tell what failed to continuous integration */
};

/* certify_options_parse reads the command line. -1: go on; else the exit status (--help, or a mistake that one line on
 * stderr has told). */
int certify_options_parse(int argc, char **argv, struct certify_options *options);

/* ---- HTTP ------------------------------------------------------------------------------------------------------- */

/* struct certify_client is a connection to the service. */
struct certify_client {
    void *curl;
    const char *url, *token;
    char message[512]; /* after a failure: one line */
    long status;       /* of the last answer, 0 when there was none */
};

/* certify_client_open prepares a client; false: message says why. certify_client_close frees it. */
bool certify_client_open(struct certify_client *client, const char *url, const char *token);
void certify_client_close(struct certify_client *client);

/* certify_client_json asks METHOD PATH, with body (taken over) when it is not NULL, and gives the answer's JSON, or
 * NULL with a message when the service refuses or does not answer. */
json_t *certify_client_json(struct certify_client *client, const char *method, const char *path, json_t *body);

/* certify_client_save writes the answer to GET PATH into a file. False: message; client->status 404 when there is none.
 */
bool certify_client_save(struct certify_client *client, const char *path, const char *file);

/* certify_client_stream reads GET PATH as it comes: every line goes to on_line (without its end), which ends the stream
 * by returning false; on_idle is called about once a second and does so too. Returns false when the connection broke.
 */
struct certify_stream {
    void *context;
    bool (*on_line)(void *context, const char *line);
    bool (*on_idle)(void *context);
};
bool certify_client_stream(struct certify_client *client, const char *path, const struct certify_stream *stream);

/* ---- progress, the agent, the report ---------------------------------------------------------------------------- */

/* struct certify_watch is what has been heard of the run. */
struct certify_watch {
    struct certify_client *client;
    pid_t agent;      /* 0 when it has ended */
    int agent_status; /* as waitpid gives it, once it has ended */
    bool connected, finished, bar;
    long long last; /* number of the last event */
    char event[32]; /* the event whose data comes next */
    unsigned done, total;
    char verdict[32], state[32], problem[512];
};

/* certify_watch_run reads the run's events until it is over, and shows them. False: it can no longer be followed, or
 * the agent ended before it had connected; a message was left in problem. */
bool certify_watch_run(struct certify_watch *watch, const char *run);

/* certify_agent_start starts sut-agent (beside this program, ASSAY_AGENT, or in PATH) with the template. 0: one line
 * was printed. */
pid_t certify_agent_start(const struct certify_options *options, const char *run_token);

/* certify_agent_stop ends it, if it still runs, and waits. */
void certify_agent_stop(struct certify_watch *watch);

/* certify_repeat_add counts the verdicts of a run that is over in `tallies`: an object with an object for each case,
 * with the list of runs for each verdict. What cannot be fetched is not counted. certify_repeat_show prints of `count`
 * runs which cases went which way, and where those are that went another way than the best. */
void certify_repeat_add(struct certify_client *client, const char *run, json_t *tallies);
void certify_repeat_show(const char *url, json_t *tallies, long long count);

/* certify_fetch_report saves report, JUnit, evidence and certificate below the folder. False: one line was printed. */
bool certify_fetch_report(struct certify_client *client, const char *run, const char *folder);

#endif
