/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The test manager's engine, as everybody outside tester/ sees it: load cases, execute a run, hear what happens.
 *
 * A run executes selected cases of one profile against one system under test and leaves a report folder. It has a
 * thread of its own from engine_run_start until engine_run_join. Connections of the launch agent and of interpreters
 * (specs/interpreter.md) are made elsewhere (the service's HTTP server, or the small listener of `assay run`) and
 * handed over, upgraded, with engine_attach.
 */
#ifndef TESTER_ENGINE_ENGINE_H
#define TESTER_ENGINE_ENGINE_H

#include "tester/base/status.h"
#include "tester/engine/observer.h"
#include "tester/profile/case_directory.h"
#include "tester/profile/case_list.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct profile; /* tester/profile/profile.h */

/* struct engine_config is copied by engine_run_create. A profile that is NULL is the first of the table. NULL in suite
 * or case_id means all; each may name several, separated by commas. */
struct engine_config {
    const char *cases_directory, *profile, *suite, *case_id;
    const struct case_list *cases; /* of the profile, loaded already: they stay the caller's and must outlive the run;
                                      NULL: the run loads its own, of `profile` below `cases_directory` */
    const char *report_directory;  /* made if it is missing; an earlier run's reports in it are removed */
    const char *run_token;         /* what the agent presents */
    const char *manager_address; /* numeric IPv4 address at which the scripted peers listen; NULL: the local address of
                                     the agent's connection */
    const char *sut_name;        /* for the report; may be "" */
    const char *reference;  /* folder of the reference's programs, which meet the system under test; NULL: the folder of
                               the running program */
    const char *own_server; /* beside a client: the command of the vendor's own IMPI server, with which the launch agent
                               is expected; NULL: with whatever the agent has */
    const char *guest, *guest_token; /* another vendor's implementation that meets the system under test in place of
                               the reference's client, and what its launch agent presents: the run then has meetings
                               only; NULL: nobody's */
    const char *statement; /* file with what the system under test declares (specs/statement.md); NULL: nothing */
    const json_t *waivers; /* failures that are waived, an array (specs/waivers.md); NULL: none */
    const json_t *earlier; /* what a run that was suspended has told, an array of engine_result.record in its order:
                               these cases are not executed again; NULL: a run that begins */
    bool resumable;        /* a run whose agent's connection breaks is suspended and not ended */
    uint64_t seed;
    unsigned linger_ms;           /* how long a run in which a case has failed or was inconclusive waits, after its last
                                     case, for somebody to have one judged again (engine_run_again) */
    unsigned agent_wait_ms;       /* how long to wait for the agent; 0 means 120 s */
    uint64_t capture_octets_max;  /* of one case; what is more is left out, and told; 0 means 256 MiB */
    uint64_t evidence_octets_max; /* of all cases together; a run that has more ends with a problem; 0: no limit */
};

struct engine_run;

/* engine_run_create makes a run that has not begun; engine_run_start begins it, on a thread of its own. `observer` is
 * copied. On failure of the first, `message` says what is wrong and there is no run. */
enum engine_status engine_run_create(const struct engine_config *config, const struct engine_observer *observer,
                                     struct engine_run **run, char *message, size_t message_octets);
enum engine_status engine_run_start(struct engine_run *run);

/* engine_run_profile gives the profile by which the run judges; it lives as long as the run. */
const struct profile *engine_run_profile(const struct engine_run *run);

/* engine_run_cancel asks the run to end soon: the running case becomes inconclusive, jobs are stopped. Any thread.
 * engine_run_cancel_because is the same with a reason of its own for the report; the first reason stands. */
void engine_run_cancel(struct engine_run *run);
void engine_run_cancel_because(struct engine_run *run, const char *reason);

/* engine_run_suspend asks a run to stop so that another one, made with what this one has told, may go on: the running
 * case is not told, no report is written, and the agent's connection is closed without a verdict. Any thread. */
void engine_run_suspend(struct engine_run *run);

/* engine_run_again asks for a case that has been told to be judged once more, by the same agent, before the run ends;
 * asking twice before it begins is asking once. False: the run has done all its cases. Any thread. */
bool engine_run_again(struct engine_run *run, const char *case_id);

/* engine_run_release has a run that waits for that, or will, end instead. Any thread. */
void engine_run_release(struct engine_run *run);

/* engine_run_unstartable tells whether the run came to nothing because the agent could not execute the SUT's command.
 * It may be asked in `finished` and from then on until engine_run_join. */
bool engine_run_unstartable(const struct engine_run *run);

/* engine_run_join waits for the run's thread, if there is one, and frees the run. */
void engine_run_join(struct engine_run *run);

/* engine_attach hands an upgraded connection to whoever waits for `token` in any run of this process: fd becomes the
 * engine's. The `extra` octets were already read behind the request. `close_cb(close_context)` is called, on any
 * thread, when the engine is done with fd instead of close(fd) if close_cb is not NULL (libmicrohttpd owns upgraded
 * sockets). Thread-safe. On failure fd stays the caller's. */
enum engine_status engine_attach(const char *token, int fd, const void *extra, size_t extra_octets,
                                 void (*close_cb)(void *close_context), void *close_context);

/* engine_token_check tells what engine_attach would say now, without attaching. Thread-safe. */
enum engine_status engine_token_check(const char *token);

#endif
