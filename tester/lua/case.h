/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A case while it runs, as the primitives (`core`) see it that the Lua library in tester/cases/lib is made of.
 */
#ifndef TESTER_LUA_CASE_H
#define TESTER_LUA_CASE_H

#include "tester/judging/forgery.h"
#include "tester/judging/judge.h"
#include "tester/judging/passive_checker.h"
#include "tester/judging/passive_checker_impi.h"
#include "tester/judging/passive_checker_intercept.h"
#include "tester/peers/network.h"
#include "tester/peers/peer.h"
#include "tester/profile/case_entry.h"
#include "tester/sut/sut.h"

#include <jansson.h>
#include <lua.h>
#include <stdbool.h>
#include <stdint.h>

struct partners;

struct case_run {
    struct sut *sut;
    struct partners *partners;
    const char *api;         /* which an interpreter must have been built for */
    const json_t *statement; /* what the system under test declares (tester/profile/statement.h); or NULL */
    bool own_server_wanted;  /* a case of the run meets under the server that a vendor of clients brings */
    /* who hears of steps; or NULL */
    void (*step)(void *context, const struct case_info *about, const char *text);
    void *step_context;
    const struct case_entry *entry;
    struct judge judge;
    struct faults *faults;     /* of the run */
    struct readings *readings; /* of the run */
    struct evidence *evidence;
    struct streams streams;
    struct peers peers;
    struct forgeries *forgeries;
    struct passive_checker *checker;
    struct passive_checker_impi *checker_impi;
    struct passive_checker_intercept *checker_intercept;
    struct network *network; /* of the Intercept network, which the case plays; or NULL */
    struct host_load *load;  /* how busy this machine is; the run's */
    int64_t begin_ms;        /* when its function was called, */
    int64_t lost_ms;         /* and how much this machine had been short of processors until then */
    bool vain;               /* something was waited for in vain */
    uint64_t chance;         /* state of its random numbers */
    lua_State *lua;
};

/* case_self is the case of a Lua state. */
struct case_run *case_self(lua_State *lua);

/* case_wait turns the loop until until(context) holds: true; or `ms` have passed, and as long again as this machine had
 * no processor meanwhile: false. It ends the case when a rank
 * is lost, the run is over or the case is too late: self->judge.ended tells, and whoever waited just returns then. */
bool case_wait(struct case_run *self, bool (*until)(void *context), void *context, int64_t ms);

/* case_watch ends the case if something from outside has done so: the end of the run, a lost process, a crash, its
 * deadline. */
void case_watch(struct case_run *self);

/* case_clock starts the case's own time, at the end of which case_watch ends it. What this machine has no processor
 * for does not count, to a bound. */
void case_clock(struct case_run *self);

/* case_symptom_of notes in which function a process has died, for the verdict that follows. */
void case_symptom_of(struct case_run *self, const struct dialogue *dialogue);

/* case_has_loss tells whether a process has ended, wanted or not. */
bool case_has_loss(const struct case_run *self);

#endif
