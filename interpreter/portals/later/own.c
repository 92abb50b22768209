/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What Portals 3.2 and 3.3 have in another form than 3.0, or in addition: the start with limits, ids of users, entries
 * at any portal. specs/interpreter.md, section 8. NO_PtlGetUid and NO_PtlMEAttachAny leave out what a header lacks.
 */
#include "../interfaces.h"
#include "../verbs.h"

#include <string.h>

static bool given(const struct call *call, const char *key)
{
    return command_value(&call->command, key) != NULL;
}

static void run_init(struct call *call)
{
    int most, *most_at = given(call, "max_interfaces") ? call_report(call, "max_interfaces", &most) : NULL;
    int code;

    if (call_failed(call))
        return;
    call_unwritten(&most, sizeof most);
    call_enter(call, "PtlInit");
    code = PtlInit(most_at);
    call_leave(call);
    if (result_code(call, code) && most_at == &most)
        line_add(&call->result, " max_interfaces=%d", most);
}

static void run_get_id(struct call *call)
{
    ptl_process_id_t id, *id_at = call_report(call, "id", &id);
    ptl_handle_ni_t interface;
    int code;

    call_handle(call, "interface", KIND_NI, &interface);
    if (call_failed(call))
        return;
    call_unwritten(&id, sizeof id);
    call_enter(call, "PtlGetId");
    code = PtlGetId(interface, id_at);
    call_leave(call);
    if (result_code(call, code) && id_at == &id) {
        line_add(&call->result, " id=");
        result_add_process(&call->result, &id);
    }
}

#ifndef NO_PtlGetUid
static void run_get_uid(struct call *call)
{
    ptl_uid_t uid, *uid_at = call_report(call, "uid", &uid);
    ptl_handle_ni_t interface;
    int code;

    call_handle(call, "interface", KIND_NI, &interface);
    if (call_failed(call))
        return;
    call_unwritten(&uid, sizeof uid);
    call_enter(call, "PtlGetUid");
    code = PtlGetUid(interface, uid_at);
    call_leave(call);
    if (result_code(call, code) && uid_at == &uid)
        line_add(&call->result, " uid=%llu", (unsigned long long)uid);
}
#endif

/* What commands call a limit, what the revision calls it, whether it is an index, and what is asked for when a command
 * does not say. */
enum { MANY = 8192 };
#if PORTALS_LATER >= 33
#define LIMITS(row)                                                                                                    \
    row(ptl_size, max_pt_index, 1, 64) row(acl_size, max_ac_index, 1, 64) row(entries, max_mes, 0, MANY)               \
        row(descriptors, max_mds, 0, MANY) row(queues, max_eqs, 0, 256) row(list, max_me_list, 0, MANY)                \
            row(getput, max_getput_md, 0, 64)
#else
#define LIMITS(row)                                                                                                    \
    row(ptl_size, max_ptable_index, 1, 64) row(acl_size, max_atable_index, 1, 64)                                      \
        row(entries, max_match_entries, 0, MANY) row(descriptors, max_mem_descriptors, 0, MANY)                        \
            row(queues, max_event_queues, 0, 256)
#endif

/* read_limits reads those that the command gives; the others are asked for as the table has them. An index is one less
 * than how many there are. */
static void read_limits(struct call *call, ptl_ni_limits_t *limits)
{
    memset(limits, 0, sizeof *limits);
#define READ(pair, member, index, otherwise)                                                                           \
    limits->member = (otherwise) - (index);                                                                            \
    if (given(call, #pair))                                                                                            \
        limits->member = (int)call_bits(call, #pair, sizeof(int), NULL, 0) - (index);
    LIMITS(READ)
#undef READ
}

static void add_limits(struct line *line, const ptl_ni_limits_t *limits)
{
#define ADD(pair, member, index, otherwise)                                                                            \
    line_add(line, " actual." #pair "=%lld", (long long)limits->member + (index));
    LIMITS(ADD)
#undef ADD
}

/* Whether PtlNIInit has given the handle of an interface that was open, and says so: Portals 3.3 alone. */
static bool is_open_already(int code)
{
    const char *name = constant_name(CONSTANT_RETURN_CODE, code);

    return name && !strcmp(name, "PTL_IFACE_DUP");
}

static void run_ni_init(struct call *call)
{
    ptl_interface_t interface = interfaces_number(call, "interface");
    ptl_pid_t pid = PTL_PID_ANY;
    ptl_ni_limits_t desired, actual, *desired_at = &desired, *actual_at = &actual;
    ptl_handle_ni_t handle, *handle_at = call_output(call, "handle", &handle);
    int code;

    if (given(call, "pid"))
        pid = (ptl_pid_t)call_bits(call, "pid", sizeof pid, "any", PTL_PID_ANY);
    if (given(call, "actual"))
        actual_at = call_report(call, "actual", &actual);
    if (call_is(call, "desired", "null"))
        desired_at = NULL;
    read_limits(call, &desired);
    if (call_failed(call))
        return;
    memset(&handle, 0, sizeof handle);
    call_unwritten(&actual, sizeof actual);
    call_enter(call, "PtlNIInit");
    code = PtlNIInit(interface, pid, desired_at, actual_at, handle_at);
    call_leave(call);
    if (!result_code(call, code) && !is_open_already(code))
        return;
    call->stop = false;
    if (actual_at == &actual)
        add_limits(&call->result, &actual);
    call_keep(call, "handle", KIND_NI, &handle, false);
}

static void run_ni_dist(struct call *call)
{
    unsigned long distance, *distance_at = call_report(call, "distance", &distance);
    ptl_handle_ni_t interface;
    ptl_process_id_t process;
    int code;

    call_handle(call, "interface", KIND_NI, &interface);
    call_process(call, "process", &process);
    if (call_failed(call))
        return;
    call_unwritten(&distance, sizeof distance);
    call_enter(call, "PtlNIDist");
    code = PtlNIDist(interface, process, distance_at);
    call_leave(call);
    if (result_code(call, code) && distance_at == &distance)
        line_add(&call->result, " distance=%lu", distance);
}

#ifndef NO_PtlMEAttachAny
static void run_attach_any(struct call *call)
{
    ptl_pt_index_t index, *index_at = call_report(call, "index", &index);
    ptl_match_bits_t bits = (ptl_match_bits_t)call_bits(call, "match_bits", sizeof bits, NULL, 0);
    ptl_match_bits_t ignored = (ptl_match_bits_t)call_bits(call, "ignorebits", sizeof ignored, NULL, 0);
    ptl_unlink_t unlink = (ptl_unlink_t)call_constant(call, "unlink", CONSTANT_UNLINK);
    ptl_handle_me_t handle, *handle_at = call_output(call, "handle", &handle);
    ptl_handle_ni_t interface;
    ptl_process_id_t id;
    int code;

    call_handle(call, "interface", KIND_NI, &interface);
    call_process(call, "matchid", &id);
    if (call_failed(call))
        return;
    memset(&handle, 0, sizeof handle);
    call_unwritten(&index, sizeof index);
    call_enter(call, "PtlMEAttachAny");
    code = PtlMEAttachAny(interface, index_at, id, bits, ignored, unlink, handle_at);
    call_leave(call);
    if (!result_code(call, code))
        return;
    if (index_at == &index)
        line_add(&call->result, " index=%llu", (unsigned long long)index);
    call_keep(call, "handle", KIND_ME, &handle, false);
}
#endif

#if PORTALS_LATER >= 33
#define LIMIT_PAIRS "[ptl_size] [acl_size] [entries] [descriptors] [queues] [list] [getput]"
#else
#define LIMIT_PAIRS "[ptl_size] [acl_size] [entries] [descriptors] [queues]"
#endif

const char portals_features[] = ",null-limits";

const struct verb portals_own[] = {
    {"PtlInit", "[max_interfaces]", run_init, false},
    {"PtlGetId", "interface id", run_get_id, false},
#ifndef NO_PtlGetUid
    {"PtlGetUid", "interface uid", run_get_uid, false},
#endif
    {"PtlNIInit", "interface [pid] [desired] " LIMIT_PAIRS " [actual] handle", run_ni_init, false},
    {"PtlNIDist", "interface process distance", run_ni_dist, false},
#ifndef NO_PtlMEAttachAny
    {"PtlMEAttachAny", "interface index matchid match_bits ignorebits unlink handle", run_attach_any, false},
#endif
    {NULL, NULL, NULL, false},
};
