/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Primitives by which a case shows that what it sends is invalid (case.h, forgery.h). tester/cases/lib/forge.lua is
 * written on them.
 */
#include "tester/lua/forgery.h"

#include "tester/lua/binding.h"
#include "tester/lua/stream.h"

#include <errno.h>
#include <lauxlib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* core.violation_found(rule [, stream]) -> whether, for the passive checker, a scripted peer has broken the rule of
 * that name since the last time it was asked, on that stream or anywhere; if not, also what else was broken there, or
 * nil */
static int core_violation_found(struct case_run *self, lua_State *lua)
{
    const char *rule = lua_tostring(lua, 1);
    const struct stream *stream = lua_isnoneornil(lua, 2) ? NULL : lua_stream_find(self, lua, 2);

    if (!stream && !lua_isnoneornil(lua, 2)) {
        return binding_bad(lua, 2, "there is no such stream");
    }
    const struct flow *where = stream ? &stream->flow : NULL;

    lua_pushboolean(lua, forgery_declare(self->forgeries, where, rule));
    lua_pushstring(lua, forgery_heard(self->forgeries, where));
    return 2;
}

/* core.ignore_violation(rule [, stream]): what the passive checker has heard broken there, or on the Intercept network
 * that the case plays, is known to the library, and no forgery */
static int core_ignore_violation(struct case_run *self, lua_State *lua)
{
    const struct stream *stream = lua_isnoneornil(lua, 2) ? NULL : lua_stream_find(self, lua, 2);
    const void *where = stream ? (const void *)&stream->flow : lua_isnoneornil(lua, 2) ? self->checker_intercept : NULL;

    if (!where) {
        return binding_bad(lua, 2, "there is no such stream");
    }
    forgery_forgive(self->forgeries, where, lua_tostring(lua, 1));
    return 0;
}

/* core.proof_due(text) -> number: the message is wrong by the receiver's state, which is to be shown */
static int core_proof_due(struct case_run *self, lua_State *lua)
{
    lua_pushinteger(lua, forgery_owe(self->forgeries, lua_tostring(lua, 1)));
    return 1;
}

/* core.proof_given(number): it has been shown */
static int core_proof_given(struct case_run *self, lua_State *lua)
{
    forgery_settle(self->forgeries, (unsigned)lua_tointeger(lua, 1));
    return 0;
}

/* core.sanity_held(): a sanity step held */
static int core_sanity_held(struct case_run *self, lua_State *lua)
{
    (void)lua;
    forgery_sane(self->forgeries);
    return 0;
}

/* The key in the text, which is the decimal number that a server reads in its environment. */
static bool read_key(const char *text, uint64_t *key)
{
    char *end;

    if (!text || *text < '0' || *text > '9') {
        return false;
    }
    errno = 0;
    *key = strtoull(text, &end, 10);
    return errno == 0 && *end == 0;
}

/* core.server_started_with(job, clients or nil [, key]): what the server of this job was started with, so that the
 * passive checker knows which ranks and keys are wrong; a key that is no number of 64 bits is none that it could know
 * */
static int core_server_started_with(struct case_run *self, lua_State *lua)
{
    lua_Integer job = lua_tointeger(lua, 1), clients = binding_integer(lua, 2, 0);
    struct wire_impi_secrets secrets = {.size = clients > 0 && clients <= WIRE_IMPI_CLIENTS_MAX ? (int32_t)clients : 0};

    secrets.key_known = read_key(binding_text(lua, 3, NULL), &secrets.key);
    if (self->checker_impi) {
        passive_checker_impi_tell(self->checker_impi, (unsigned)job, &secrets);
    }
    return 0;
}

void lua_forgery_register(lua_State *lua)
{
    static const struct binding bindings[] = {
        {"violation_found", "si?", core_violation_found},
        {"ignore_violation", "si?", core_ignore_violation},
        {"proof_due", "s", core_proof_due},
        {"proof_given", "i", core_proof_given},
        {"sanity_held", "", core_sanity_held},
        {"server_started_with", "ii?s?", core_server_started_with},
        {NULL, NULL, NULL},
    };

    binding_register(lua, bindings);
}
