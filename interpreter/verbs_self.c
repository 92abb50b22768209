/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Handles as octets, threads, and what the interpreter can say about itself. specs/interpreter.md, sections 4.2, 4.5
 * and 4.6.
 */
#include "verbs.h"

#include <string.h>
#include <unistd.h>

/* get_handle finds the handle that the pair names. */
static void get_handle(struct call *call, const char *key, struct meaning *meaning)
{
    const char *name = call_value(call, key);

    memset(meaning, 0, sizeof *meaning);
    if (!names_get(name, meaning))
        failure_set(&call->failure, "unknown-name", "%s: nothing is called %.40s", key, name);
    else if (!kind_is_handle(meaning->kind))
        failure_set(&call->failure, "wrong-kind", "%s: %.40s is a %s, not a handle", key, name,
                    kind_word(meaning->kind));
}

static bool handles_equal(const struct meaning *a, const struct meaning *b)
{
    return kind_octets(a->kind) == kind_octets(b->kind) &&
           memcmp(a->handle.octets, b->handle.octets, kind_octets(a->kind)) == 0;
}

static void run_same(struct call *call)
{
    struct meaning a, b;

    get_handle(call, "a", &a);
    get_handle(call, "b", &b);
    if (!call_failed(call))
        result_bool(call, "same", handles_equal(&a, &b));
}

static void run_any_roundtrip(struct call *call)
{
    struct meaning from, to;
    ptl_handle_any_t any;

    get_handle(call, "handle", &from);
    names_check_settable(call_value(call, "to"), &call->failure);
    if (call_failed(call))
        return;
    call_any(call, "handle", &any);
    memset(&to, 0, sizeof to);
    to.kind = from.kind;
    to.copy = true;
    if (from.kind == KIND_NI)
        VENDOR_CONVERT(to.handle.ni, any);
    else if (from.kind == KIND_ME)
        VENDOR_CONVERT(to.handle.me, any);
    else if (from.kind == KIND_MD)
        VENDOR_CONVERT(to.handle.md, any);
    else
        VENDOR_CONVERT(to.handle.eq, any);
    names_set(call_value(call, "to"), &to, &call->failure);
    result_bool(call, "same", handles_equal(&from, &to));
}

static void run_thread(struct call *call)
{
    const char *name = call_value(call, "name");
    struct meaning meaning;

    memset(&meaning, 0, sizeof meaning);
    meaning.kind = KIND_THREAD;
    names_add(name, &meaning, &call->failure);
    if (call_failed(call))
        return;
    executor_start(name, &call->failure);
    if (call_failed(call))
        names_remove(name);
}

static void run_join(struct call *call)
{
    const char *name = call_value(call, "name");
    struct meaning meaning;

    if (!names_get(name, &meaning))
        failure_set(&call->failure, "unknown-name", "there is no thread %.40s", name);
    else if (meaning.kind != KIND_THREAD)
        failure_set(&call->failure, "wrong-kind", "%.40s is a %s, not a thread", name, kind_word(meaning.kind));
    if (call_failed(call))
        return;
    executor_join(name, &call->failure);
    if (!call_failed(call))
        names_remove(name);
}

#define WORD_SIGNED(type) ((type)-1 < (type)1 ? "true" : "false")

/* Whether the compiler can tell the four kinds of handles apart. C99 itself has no way of asking. */
#if defined(__GNUC__)
#define WORD_SAME(a, b) __builtin_types_compatible_p(ptl_handle_##a##_t, ptl_handle_##b##_t)
#define HANDLES_DISTINCT                                                                                               \
    (WORD_SAME(ni, me) || WORD_SAME(ni, md) || WORD_SAME(ni, eq) || WORD_SAME(me, md) || WORD_SAME(me, eq) ||          \
             WORD_SAME(md, eq)                                                                                         \
         ? "false"                                                                                                     \
         : "true")
#else
#define HANDLES_DISTINCT "unknown"
#endif

static void run_describe(struct call *call)
{
    struct line *line = &call->result;

    line_add(line, " ptl_size_t.octets=%u ptl_size_t.signed=%s", (unsigned)sizeof(ptl_size_t), WORD_SIGNED(ptl_size_t));
    line_add(line, " ptl_match_bits_t.octets=%u", (unsigned)sizeof(ptl_match_bits_t));
    line_add(line, " ptl_sr_value_t.octets=%u ptl_sr_value_t.signed=%s", (unsigned)sizeof(ptl_sr_value_t),
             WORD_SIGNED(ptl_sr_value_t));
    line_add(line, " ptl_id_t.octets=%u handle.octets=%u", (unsigned)sizeof(ptl_id_t),
             (unsigned)sizeof(ptl_handle_any_t));
    line_add(line, " PTL_ID_ANY=");
    result_add_number(line, (ptl_id_t)-1 < (ptl_id_t)1, (unsigned long long)PTL_ID_ANY);
    line_add(line, " pagesize=%ld handles.distinct=%s", sysconf(_SC_PAGESIZE), HANDLES_DISTINCT);
}

static void run_commands(struct call *call)
{
    line_add(&call->result, " verbs=");
    verbs_add_names(&call->result);
}

static void run_quit(struct call *call)
{
    call->after = AFTER_QUIT;
}

static void run_abandon(struct call *call)
{
    call->after = AFTER_ABANDON;
}

const struct verb verbs_self[] = {
    {"any-roundtrip", "handle to", run_any_roundtrip, false},
    {"same", "a b", run_same, false},
    {"thread", "name", run_thread, true},
    {"join", "name", run_join, true},
    {"describe", "", run_describe, false},
    {"commands", "", run_commands, false},
    {"quit", "", run_quit, true},
    {"abandon", "", run_abandon, true},
    {NULL, NULL, NULL, false},
};
