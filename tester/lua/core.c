/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Primitives for judging and small helpers (case.h). tester/cases/lib/judge.lua is written on them.
 */
#include "tester/lua/core.h"

#include "tester/base/clock.h"
#include "tester/base/host_load.h"
#include "tester/base/memory.h"
#include "tester/base/utf8.h"
#include "tester/judging/readings.h"
#include "tester/lua/binding.h"
#include "tester/profile/statement.h"

#include <jansson.h>
#include <lauxlib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* core.judge(req, what [, observed]): a judgement that came out well. */
static int core_judge(struct case_run *self, lua_State *lua)
{
    const char *requirement = judge_own(&self->judge, lua_tostring(lua, 1));
    const char *what = lua_tostring(lua, 2);
    const char *observed = binding_text(lua, 3, "");

    if (judge_lists(&self->judge, requirement)) {
        const char *line = lua_pushfstring(lua, "%s  good: %s%s%s", requirement, what, *observed ? ": " : "", observed);
        judge_pass(&self->judge, requirement);
        evidence_say(self->evidence, "judged", line);
        evidence_arrow(self->evidence, "judged", "manager", "manager", requirement, strstr(line, "good: "));
    }
    return 0;
}

/* core.warn(req, reason, expected, observed) */
static int core_warn(struct case_run *self, lua_State *lua)
{
    const char *requirement = judge_own(&self->judge, lua_tostring(lua, 1));
    const char *reason = lua_tostring(lua, 2);

    if (judge_lists(&self->judge, requirement)) {
        judge_warn(&self->judge, requirement, reason, lua_tostring(lua, 3), lua_tostring(lua, 4));
        evidence_say(self->evidence, "judged", lua_pushfstring(lua, "%s  warning: %s", requirement, reason));
        evidence_arrow(self->evidence, "judged", "manager", "manager", requirement,
                       lua_pushfstring(lua, "warn: %s", reason));
    }
    return 0;
}

/* What the revision of the run calls a code that a case knows by its name of Portals 3.0: `Revision` is the profile's
 * (revision.h). It stays on the stack. */
static const char *name_of_revision(lua_State *lua, const char *name)
{
    if (lua_getglobal(lua, "Revision") != LUA_TTABLE || lua_getfield(lua, -1, "renames") != LUA_TTABLE) {
        return name;
    }
    return lua_getfield(lua, -1, name) == LUA_TSTRING ? lua_tostring(lua, -1) : name;
}

/* core.symptom(kind, subject, detail, basic): how the case is about to end, for cases that end in the same way. kind is
 * "returns", "missing" or "loses". */
static int core_symptom(struct case_run *self, lua_State *lua)
{
    static const char *const names[] = {"returns", "missing", "loses", NULL};
    static const enum symptom_kind kinds[] = {SYMPTOM_RETURNS, SYMPTOM_MISSING, SYMPTOM_LOSES};
    int which = binding_option(lua, 1, names);

    if (which < 0) {
        return binding_bad(lua, 1, "it is no kind of symptom: returns, missing or loses");
    }
    bool basic = lua_toboolean(lua, 4);
    symptom_set(&self->judge.symptom, kinds[which], lua_tostring(lua, 2), name_of_revision(lua, lua_tostring(lua, 3)),
                basic);
    return 0;
}

/* core.worked(step): the run has seen that this step, which is missing elsewhere, can be taken. */
static int core_worked(struct case_run *self, lua_State *lua)
{
    faults_worked(self->faults, lua_tostring(lua, 1));
    return 0;
}

/* core.missed(step): it was waited for in vain. core.patience(step, ms): how long to wait for it. */
static int core_missed(struct case_run *self, lua_State *lua)
{
    faults_missed(self->faults, lua_tostring(lua, 1));
    return 0;
}

static int core_patience(struct case_run *self, lua_State *lua)
{
    lua_pushinteger(lua, faults_patience(self->faults, lua_tostring(lua, 1), lua_tointeger(lua, 2)));
    return 1;
}

/* core.finish(verdict, axis, req, reason, expected, observed): ends the case. */
static int core_finish(struct case_run *self, lua_State *lua)
{
    static const char *const axes[] = {"sut", "configuration", "network", "tester", NULL};
    static const char *const names[] = {"fail", "skip", "inconclusive", NULL};
    static const enum verdict verdicts[] = {VERDICT_FAIL, VERDICT_SKIP, VERDICT_INCONCLUSIVE};
    int which = binding_option(lua, 1, names), axis = binding_option(lua, 2, axes);
    const char *requirement = judge_own(&self->judge, lua_tostring(lua, 3));

    if (which < 0) {
        return binding_bad(lua, 1, "it is no verdict: fail, skip or inconclusive");
    }
    if (axis < 0) {
        return binding_bad(lua, 2, "it is no axis: sut, configuration, network or tester");
    }
    enum verdict verdict = verdicts[which];
    if (verdict != VERDICT_FAIL || judge_lists(&self->judge, requirement)) {
        judge_end(&self->judge, verdict, axes[axis], requirement, lua_tostring(lua, 4), lua_tostring(lua, 5),
                  lua_tostring(lua, 6));
    }
    return 0;
}

/* core.judging(req) */
static int core_judging(struct case_run *self, lua_State *lua)
{
    const char *requirement = judge_own(&self->judge, lua_tostring(lua, 1));

    if (judge_lists(&self->judge, requirement)) {
        strncpy(self->judge.judging, requirement, sizeof self->judge.judging - 1);
    }
    return 0;
}

/* core.tolerate_crash(reading): a crash from here on is a warning with that reading; "" takes it back. */
static int core_tolerate_crash(struct case_run *self, lua_State *lua)
{

    snprintf(self->judge.crash_reading, sizeof self->judge.crash_reading, "%s", lua_tostring(lua, 1));
    return 0;
}

/* core.step(text): transcript, live view, ladder, comment on the next packet. */
static int core_step(struct case_run *self, lua_State *lua)
{
    const char *text = lua_tostring(lua, 1);

    evidence_say(self->evidence, "step", text);
    evidence_arrow(self->evidence, "step", "manager", "manager", text, "");
    pcapng_comment(self->evidence->capture, text);
    if (self->step) {
        char *shown = utf8_repair(memory_text(text));
        self->step(self->step_context, &self->entry->about, shown);
        free(shown);
    }
    return 0;
}

/* core.note(text): transcript only. */
static int core_note(struct case_run *self, lua_State *lua)
{
    evidence_say(self->evidence, "note", lua_tostring(lua, 1));
    return 0;
}

static int core_now(struct case_run *self, lua_State *lua)
{
    (void)self;
    lua_pushnumber(lua, (lua_Number)clock_now_us() / 1000.0);
    return 1;
}

/* core.host_lost() -> milliseconds for which this machine had no processor, so far */
static int core_host_lost(struct case_run *self, lua_State *lua)
{
    lua_pushinteger(lua, (lua_Integer)host_load_lost(self->load));
    return 1;
}

/* core.waited_in_vain(): the system under test did not do in time what the case waited for */
static int core_waited_in_vain(struct case_run *self, lua_State *lua)
{
    (void)lua;
    self->vain = true;
    return 0;
}

/* core.random(n): 1..n. The generator is splitmix64, seeded by the run's seed and the case's id. */
static int core_random(struct case_run *self, lua_State *lua)
{
    lua_Integer most = lua_tointeger(lua, 1);

    if (!(most >= 1)) {
        return binding_bad(lua, 1, "must be at least 1");
    }
    uint64_t value = self->chance += 0x9e3779b97f4a7c15u;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
    value = (value ^ value >> 27) * 0x94d049bb133111ebu;
    value ^= value >> 31;
    lua_pushinteger(lua, (lua_Integer)(value % (uint64_t)most) + 1);
    return 1;
}

/* core.mix(seed, count [, first]): the octets of the pattern mix/seed (specs/interpreter.md, 4.3). */
static int core_mix(struct case_run *self, lua_State *lua)
{
    (void)self;
    enum { MIX_MAX = 32 << 20 };
    uint32_t seed = (uint32_t)lua_tointeger(lua, 1);
    lua_Integer count = lua_tointeger(lua, 2);
    uint32_t first = (uint32_t)binding_integer(lua, 3, 0);
    luaL_Buffer buffer;

    if (!(count >= 0 && count <= MIX_MAX)) {
        return binding_bad(lua, 2, "must be 0 to 33554432");
    }
    char *octets = luaL_buffinitsize(lua, &buffer, (size_t)count);
    for (lua_Integer i = 0; i < count; i++) {
        uint32_t x = seed * 2654435761u + first + (uint32_t)i;
        x ^= x >> 15;
        x *= 2246822519u;
        x ^= x >> 13;
        octets[i] = (char)x;
    }
    luaL_pushresultsize(&buffer, (size_t)count);
    return 1;
}

/* 0 to 15, or 99 for what is no hexadecimal digit. */
static unsigned digit_value(char c)
{
    static const char digits[] = "0123456789abcdef";
    char lower = c >= 'A' && c <= 'F' ? (char)(c + 'a' - 'A') : c;
    const char *at = c ? strchr(digits, lower) : NULL;

    return at ? (unsigned)(at - digits) : 99;
}

/* core.integer(text): the 64-bit integer that the text is, decimal or 0x and hexadecimal, up to 2^64 - 1 (which becomes
 * -1); nothing when it is none. */
static int core_integer(struct case_run *self, lua_State *lua)
{
    (void)self;
    const char *text = lua_tostring(lua, 1);
    bool negative = *text == '-';
    const char *digits = text + negative;
    bool hex = digits[0] == '0' && (digits[1] | 32) == 'x';
    unsigned base = hex ? 16 : 10;
    uint64_t value = 0;

    digits += hex ? 2 : 0;
    if (!*digits) {
        return 0;
    }
    for (; *digits; digits++) {
        unsigned digit = digit_value(*digits);
        if (digit >= base || value > (UINT64_MAX - digit) / base) {
            return 0;
        }
        value = value * base + digit;
    }
    lua_pushinteger(lua, (lua_Integer)(negative ? 0 - value : value));
    return 1;
}

/* core.unhex(text): the octets that the hexadecimal digits are; nothing when they are odd. */
static int core_unhex(struct case_run *self, lua_State *lua)
{
    (void)self;
    size_t len;
    const char *digits = lua_tolstring(lua, 1, &len);
    luaL_Buffer buffer;

    if (len % 2 || strspn(digits, "0123456789abcdefABCDEF") != len) {
        return 0;
    }
    char *octets = luaL_buffinitsize(lua, &buffer, len / 2);
    for (size_t i = 0; i < len / 2; i++) {
        unsigned value = 0;
        for (size_t k = 2 * i; k < 2 * i + 2; k++) {
            value = value * 16 + digit_value(digits[k]);
        }
        octets[i] = (char)value;
    }
    luaL_pushresultsize(&buffer, len / 2);
    return 1;
}

/* core.declared(section, name): what the conformance statement declares, a number or a text; nothing when it does
 * not. */
static int core_declared(struct case_run *self, lua_State *lua)
{
    const json_t *value = statement_member(self->statement, lua_tostring(lua, 1), lua_tostring(lua, 2));

    if (!value) {
        return 0;
    }
    if (json_is_integer(value)) {
        lua_pushinteger(lua, (lua_Integer)json_integer_value(value));
    } else {
        lua_pushstring(lua, json_string_value(value));
    }
    return 1;
}

/* core.reading_found(switch, value): the system under test follows this reading. */
static int core_reading_found(struct case_run *self, lua_State *lua)
{
    const char *name = lua_tostring(lua, 1), *value = lua_tostring(lua, 2);

    json_object_set_new(self->judge.readings, name, json_string(value));
    readings_found(self->readings, name, value);
    return 0;
}

/* core.reading_of(switch): the reading that this run has found first; nothing when it has found none. */
static int core_reading_of(struct case_run *self, lua_State *lua)
{
    const char *value = readings_of(self->readings, lua_tostring(lua, 1));

    lua_pushstring(lua, value);
    return value ? 1 : 0;
}

void lua_core_register(lua_State *lua)
{
    static const struct binding bindings[] = {
        {"judge", "sss?", core_judge},
        {"warn", "ssss", core_warn},
        {"finish", "ssssss", core_finish},
        {"symptom", "sss.", core_symptom},
        {"worked", "s", core_worked},
        {"missed", "s", core_missed},
        {"patience", "si", core_patience},
        {"judging", "s", core_judging},
        {"declared", "ss", core_declared},
        {"reading_found", "ss", core_reading_found},
        {"reading_of", "s", core_reading_of},
        {"step", "s", core_step},
        {"note", "s", core_note},
        {"now", "", core_now},
        {"host_lost", "", core_host_lost},
        {"waited_in_vain", "", core_waited_in_vain},
        {"random", "i", core_random},
        {"mix", "iii?", core_mix},
        {"integer", "s", core_integer},
        {"unhex", "s", core_unhex},
        {"tolerate_crash", "s", core_tolerate_crash},
        {NULL, NULL, NULL},
    };

    binding_register(lua, bindings);
}
