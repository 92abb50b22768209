/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * From the text of a pair to what a Portals library is given. specs/interpreter.md, section 3.
 */
#include "call.h"

#include <string.h>

bool kind_is_handle(int kind)
{
    return kind >= KIND_NI && kind <= KIND_EQ;
}

void handle_to_any(int kind, const union object *object, ptl_handle_any_t *any)
{
    union handle handle;

    memcpy(handle.octets, object->octets, kind_octets(kind));
    if (kind == KIND_NI)
        VENDOR_CONVERT(*any, handle.ni);
    else if (kind == KIND_ME)
        VENDOR_CONVERT(*any, handle.me);
    else if (kind == KIND_MD)
        VENDOR_CONVERT(*any, handle.md);
    else
        VENDOR_CONVERT(*any, handle.eq);
}

void handle_from_any(int kind, ptl_handle_any_t any, union object *object)
{
    union handle handle;

    memset(&handle, 0, sizeof handle);
    if (kind == KIND_NI)
        VENDOR_CONVERT(handle.ni, any);
    else if (kind == KIND_ME)
        VENDOR_CONVERT(handle.me, any);
    else if (kind == KIND_MD)
        VENDOR_CONVERT(handle.md, any);
    else
        VENDOR_CONVERT(handle.eq, any);
    memcpy(object->octets, handle.octets, kind_octets(kind));
}

long long call_constant(struct call *call, const char *key, enum constant_group group)
{
    const char *text = call_value(call, key), *word = text;
    unsigned long long all = 0;

    for (;;) {
        size_t len = strcspn(word, "|");
        char one[64] = "";
        struct integer integer;
        unsigned long long bits;
        long long value;
        if (len < sizeof one)
            memcpy(one, word, len);
        if (len > 0 && constant_value(group, word, len, &value)) {
            all |= (unsigned long long)value;
        } else if (text_read_integer(one, &integer) && text_integer_bits(&integer, sizeof(int), &bits)) {
            all |= (unsigned long long)(int)bits;
        } else {
            failure_set(&call->failure, "bad-value", "%s: '%.60s' is neither a name that fits here nor an integer", key,
                        text);
            return 0;
        }
        if (!word[len])
            return (long long)all;
        word += len + 1;
    }
}

/* special_handle takes the words that stand for handles: none, zero, ones. */
static bool special_handle(struct call *call, const char *key, int kind, void *handle, size_t octets)
{
    const ptl_handle_eq_t no_queue = PTL_EQ_NONE;
    const ptl_handle_md_t no_descriptor = VENDOR_MD_NONE;

    if (call_is(call, key, "zero"))
        memset(handle, 0, octets);
    else if (call_is(call, key, "ones"))
        memset(handle, 255, octets);
    else if (!call_is(call, key, "none"))
        return false;
    else if (kind == KIND_EQ)
        memcpy(handle, &no_queue, octets);
    else if (kind == KIND_MD && VENDOR_HAS_MD_NONE)
        memcpy(handle, &no_descriptor, octets);
    else
        failure_set(&call->failure, "bad-value", "%s: there is no constant for 'none' of this kind", key);
    return true;
}

void call_handle(struct call *call, const char *key, int kind, void *handle)
{
    size_t octets = kind_octets(kind), its_octets;
    struct meaning meaning;

    if (special_handle(call, key, kind, handle, octets) || !call_lookup(call, key, &meaning))
        return;
    if (!kind_is_handle(meaning.kind)) {
        call_fail_kind(call, key, &meaning, "handle");
        return;
    }
    its_octets = kind_octets(meaning.kind);
    memset(handle, 0, octets);
    memcpy(handle, meaning.object.octets, its_octets < octets ? its_octets : octets);
}

void call_any(struct call *call, const char *key, ptl_handle_any_t *any)
{
    struct meaning meaning;

    if (special_handle(call, key, KIND_STRUCTURE, any, sizeof *any) || !call_lookup(call, key, &meaning))
        return;
    if (!kind_is_handle(meaning.kind))
        call_fail_kind(call, key, &meaning, "handle");
    else
        handle_to_any(meaning.kind, &meaning.object, any);
}

void call_structure(struct call *call, const char *key, ptl_md_t *structure)
{
    struct meaning meaning;

    if (!call_lookup(call, key, &meaning))
        return;
    if (meaning.kind == KIND_STRUCTURE)
        memcpy(structure, meaning.object.octets, sizeof *structure);
    else
        call_fail_kind(call, key, &meaning, "memory descriptor structure");
}
