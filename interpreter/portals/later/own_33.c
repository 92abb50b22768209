/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What only Portals 3.3 has: parts of descriptors, the exchange of octets, waiting for several queues, ids of jobs.
 * specs/interpreter.md, section 8. NO_PtlGetPut and others of its kind, which probe.sh finds out, leave out what a
 * header does not declare: the cases that need it are skipped.
 */
#include "../verbs.h"

#include <string.h>

#include "handlers.h"

#if PORTALS_LATER >= 33

enum { QUEUES_MOST = 16 };

#ifndef NO_PtlGetJid
static void run_get_jid(struct call *call)
{
    ptl_jid_t jid, *jid_at = call_report(call, "jid", &jid);
    ptl_handle_ni_t interface;
    int code;

    call_handle(call, "interface", KIND_NI, &interface);
    if (call_failed(call))
        return;
    call_unwritten(&jid, sizeof jid);
    call_enter(call, "PtlGetJid");
    code = PtlGetJid(interface, jid_at);
    call_leave(call);
    if (result_code(call, code) && jid_at == &jid)
        line_add(&call->result, " jid=%llu", (unsigned long long)jid);
}
#endif

#ifndef NO_PtlNIFailStr
/* run_fail_text gives how long the text is; what it says is the implementation's affair. */
static void run_fail_text(struct call *call)
{
    ptl_ni_fail_t type = PTL_NI_OK;
    ptl_handle_ni_t interface;
    const char *text;

    call_handle(call, "interface", KIND_NI, &interface);
    if (!call_is(call, "fail_type", "PTL_NI_OK"))
        type = (ptl_ni_fail_t)call_bits(call, "fail_type", sizeof type, NULL, 0);
    if (call_failed(call))
        return;
    call_enter(call, "PtlNIFailStr");
    text = PtlNIFailStr(interface, type);
    call_leave(call);
    line_add(&call->result, " length=%lld", text ? (long long)strlen(text) : -1LL);
}
#endif

#ifndef NO_PtlHandleIsEqual
static void run_is_equal(struct call *call)
{
    ptl_handle_any_t a, b;
    bool equal;

    call_any(call, "a", &a);
    call_any(call, "b", &b);
    if (call_failed(call))
        return;
    call_enter(call, "PtlHandleIsEqual");
    equal = PtlHandleIsEqual(a, b) == PtlHandleIsEqual(a, a); /* what the number for "equal" is, is left open */
    call_leave(call);
    result_bool(call, "same", equal);
}
#endif

#ifndef NO_PtlEQPoll
/* read_queues reads names separated by commas. */
static int read_queues(struct call *call, ptl_handle_eq_t *queues)
{
    const ptl_handle_eq_t none = PTL_EQ_NONE;
    size_t count = 0;
    char **names = call_words(call, "queues", QUEUES_MOST, &count);

    for (size_t i = 0; names && i < count; i++) {
        struct meaning meaning;
        memset(&queues[i], 0, sizeof queues[i]);
        if (strcmp(names[i], "none") == 0)
            queues[i] = none;
        else if (!names_get(names[i], &meaning) || meaning.kind != KIND_EQ)
            failure_set(&call->failure, "unknown-name", "queues: %.40s is no event queue", names[i]);
        else
            memcpy(&queues[i], meaning.object.octets, sizeof queues[i]);
    }
    return (int)count;
}

#ifndef PTL_TIME_FOREVER
#define PTL_TIME_FOREVER ((ptl_time_t)-1) /* a header may lack it */
#endif

/* Of a signed type a number above its largest would be one below 0: it is the largest one then. */
static ptl_time_t time_of(struct call *call)
{
    const unsigned long long forever = (unsigned long long)PTL_TIME_FOREVER;
    const unsigned long long largest = ~0ull >> (64 - 8 * sizeof(ptl_time_t) + 1);
    unsigned long long bits = call_bits(call, "timeout", sizeof(ptl_time_t), "forever", forever);

    return (ptl_time_t)-1 < (ptl_time_t)1 && bits != forever && bits > largest ? (ptl_time_t)largest : (ptl_time_t)bits;
}

static void run_poll(struct call *call)
{
    ptl_handle_eq_t queues[QUEUES_MOST];
    ptl_event_t event, *event_at = call_report(call, "event", &event);
    int which, *which_at = call_report(call, "which", &which), count, code;
    ptl_time_t timeout = time_of(call);

    count = read_queues(call, queues);
    if (call_failed(call))
        return;
    call_unwritten(&event, sizeof event);
    call_unwritten(&which, sizeof which);
    call_enter(call, "PtlEQPoll");
    code = PtlEQPoll(queues, count, timeout, event_at, which_at);
    call_leave(call);
    if (event_at == &event)
        result_event(call, code, &event);
    else
        result_code(call, code);
    if (has_event(code) && which_at == &which)
        line_add(&call->result, " which=%d", which);
}
#endif

#if !defined(NO_PtlPutRegion) || !defined(NO_PtlGetRegion)
/* struct part is what PtlPutRegion and PtlGetRegion take of a descriptor. */
struct part {
    ptl_size_t local, length;
};

static void read_part(struct call *call, struct part *part)
{
    part->local = (ptl_size_t)call_bits(call, "local", sizeof part->local, NULL, 0);
    part->length = (ptl_size_t)call_bits(call, "length", sizeof part->length, NULL, 0);
}
#endif

#ifndef NO_PtlPutRegion
static void run_put_region(struct call *call)
{
    ptl_ack_req_t ack = (ptl_ack_req_t)call_constant(call, "ack_req", CONSTANT_ACK);
    struct operation op;
    struct part part;
    int code;

    read_operation(call, "mem_desc", &op);
    read_part(call, &part);
    if (call_failed(call))
        return;
    call_enter(call, "PtlPutRegion");
    code = PtlPutRegion(op.descriptor, part.local, part.length, ack, op.target, op.portal, op.cookie, op.bits,
                        op.offset, (ptl_hdr_data_t)op.extra.hdr_data);
    call_leave(call);
    result_code(call, code);
}
#endif

#ifndef NO_PtlGetRegion
static void run_get_region(struct call *call)
{
    struct operation op;
    struct part part;
    int code;

    read_operation(call, "mem_desc", &op);
    read_part(call, &part);
    if (call_failed(call))
        return;
    call_enter(call, "PtlGetRegion");
    code = PtlGetRegion(op.descriptor, part.local, part.length, op.target, op.portal, op.cookie, op.bits, op.offset);
    call_leave(call);
    result_code(call, code);
}
#endif

#ifndef NO_PtlGetPut
static void run_get_put(struct call *call)
{
    ptl_handle_md_t put;
    struct operation op;
    int code;

    read_operation(call, "mem_desc", &op);
    call_handle(call, "put_desc", KIND_MD, &put);
    if (call_failed(call))
        return;
    call_enter(call, "PtlGetPut");
    code = PtlGetPut(op.descriptor, put, op.target, op.portal, op.cookie, op.bits, op.offset,
                     (ptl_hdr_data_t)op.extra.hdr_data);
    call_leave(call);
    result_code(call, code);
}
#endif

#endif

const struct verb portals_added[] = {
#if PORTALS_LATER >= 33
#ifndef NO_PtlGetJid
    {"PtlGetJid", "interface jid", run_get_jid, false},
#endif
#ifndef NO_PtlNIFailStr
    {"PtlNIFailStr", "interface fail_type", run_fail_text, false},
#endif
#ifndef NO_PtlHandleIsEqual
    {"PtlHandleIsEqual", "a b", run_is_equal, false},
#endif
#ifndef NO_PtlEQPoll
    {"PtlEQPoll", "queues timeout event which", run_poll, false},
#endif
#ifndef NO_PtlPutRegion
    {"PtlPutRegion", "mem_desc local length ack_req target portal cookie match_bits offset [hdr_data]", run_put_region,
     false},
#endif
#ifndef NO_PtlGetRegion
    {"PtlGetRegion", "mem_desc local length target portal cookie match_bits offset", run_get_region, false},
#endif
#ifndef NO_PtlGetPut
    {"PtlGetPut", "mem_desc put_desc target portal cookie match_bits offset [hdr_data]", run_get_put, false},
#endif
    {"handler-alloc", "interface count handle", run_handler_alloc, false},
    {"handled", "eventq count ms", run_handled, false},
#endif
    {NULL, NULL, NULL, false},
};
