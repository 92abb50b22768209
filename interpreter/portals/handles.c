/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Handles as octets. specs/interpreter.md, section 4.2.
 */
#include "verbs.h"

#include <string.h>

/* get_handle finds the handle that the pair names. */
static void get_handle(struct call *call, const char *key, struct meaning *meaning)
{
    const char *name = call_value(call, key);

    memset(meaning, 0, sizeof *meaning);
    if (!names_get(name, meaning))
        failure_set(&call->failure, "unknown-name", "%s: nothing is called %.40s", key, name);
    else if (!kind_is_handle(meaning->kind))
        failure_set(&call->failure, "wrong-kind", "%s: %.40s is a %s, not a handle", key, name,
                    kind_title(meaning->kind));
}

static bool handles_equal(const struct meaning *a, const struct meaning *b)
{
    return kind_octets(a->kind) == kind_octets(b->kind) &&
           memcmp(a->object.octets, b->object.octets, kind_octets(a->kind)) == 0;
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
    handle_from_any(to.kind, any, &to.object);
    names_set(call_value(call, "to"), &to, &call->failure);
    result_bool(call, "same", handles_equal(&from, &to));
}

const struct verb portals_handles[] = {
    {"any-roundtrip", "handle to", run_any_roundtrip, false},
    {"same", "a b", run_same, false},
    {NULL, NULL, NULL, false},
};
