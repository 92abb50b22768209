/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Memory that runs out: every allocation of the core fails once, in turn. Nothing may have changed, nothing may leak,
 * and the next try succeeds. The linker puts the wrappers below in front of the allocators.
 */
#include <stdlib.h>

#include "ref-impl/core/eq.h"
#include "ref-impl/core/md.h"
#include "ref-impl/core/me.h"
#include "ref-impl/core/messages/put.h"
#include "ref-impl/core/ni_open.h"
#include "tests/refimpl/script.h"
#include "tests/unit/tap.h"

static int allocations_left = -1; /* before one fails; negative: none does */

static bool fails(void)
{
    return allocations_left >= 0 && allocations_left-- == 0;
}

void *__real_malloc(size_t octets);
void *__real_calloc(size_t count, size_t octets);
void *__real_realloc(void *old, size_t octets);
void *__real_aligned_alloc(size_t alignment, size_t octets);

void *__wrap_malloc(size_t octets)
{
    return fails() ? NULL : __real_malloc(octets);
}

void *__wrap_calloc(size_t count, size_t octets)
{
    return fails() ? NULL : __real_calloc(count, octets);
}

void *__wrap_realloc(void *old, size_t octets)
{
    return fails() ? NULL : __real_realloc(old, octets);
}

void *__wrap_aligned_alloc(size_t alignment, size_t octets)
{
    return fails() ? NULL : __real_aligned_alloc(alignment, octets);
}

static uint64_t ni, eq, me, md;
static char region[8];
static const struct me_criteria all = {.process = {CORE_ANY_ID, CORE_ANY_ID, CORE_ANY_ID, CORE_ANY_ID}};
static struct core_md value = {.start = region,
                               .length = sizeof(region),
                               .threshold = 9,
                               .options = CORE_SERVES_PUT | CORE_SERVES_GET | CORE_REMOTE_OFFSET,
                               .eventq = CORE_NONE};

static enum core_status open_interface(void)
{
    struct ni_config config = {
        .policy = &policy_3_0, .portals = 2, .accesses = 2, .self = script_self, .group_size = 1};

    return ni_open(1, &config, &ni);
}

static enum core_status alloc_queue(void)
{
    return eq_alloc(ni, 4, &eq);
}

static enum core_status attach_entry(void)
{
    return me_attach(ni, 0, &all, false, &me);
}

static enum core_status insert_entry(void)
{
    uint64_t handle;

    return me_insert(me, true, &all, false, &handle);
}

static enum core_status attach_descriptor(void)
{
    return md_attach(me, &value, false, &md);
}

static enum core_status insert_descriptor(void)
{
    uint64_t handle;

    return md_insert(md, false, &value, false, &handle);
}

static enum core_status bind_descriptor(void)
{
    uint64_t handle;

    return md_bind(ni, &value, &handle);
}

/* A put that does not leave: it has the memory that the interface keeps for an operation. */
static enum core_status leave_put(void)
{
    struct message_address address = {.target = script_first};

    return message_put_start(md, false, &address);
}

static enum core_status start_put(void)
{
    enum core_status status = leave_put();

    if (status == CORE_OK) {
        script_left(script_sent[script_sent_count - 1].cookie, true);
    }
    return status;
}

/* Lets the first allocation fail, then the second, until the call succeeds. */
static void exhaust(const char *name, enum core_status (*call)(void), int least)
{
    enum core_status status = CORE_NO_SPACE;
    bool good = true;
    int failures;

    for (failures = 0; status != CORE_OK && failures < 10; failures++) {
        allocations_left = failures;
        status = call();
        good = good && (status == CORE_NO_SPACE || (status == CORE_OK && failures >= least));
        allocations_left = -1;
    }
    CHECK(good && status == CORE_OK, "%s: %d allocations may fail", name, failures - 1);
}

static void calls(void)
{
    exhaust("ni_open", open_interface, 2);
    CHECK_EQ(ni_close(ni), CORE_OK, "closed");
    ni = script_open(&policy_3_0);
    exhaust("eq_alloc, with the first memory for handles", alloc_queue, 2);
    exhaust("me_attach", attach_entry, 1);
    exhaust("me_insert", insert_entry, 1);
    exhaust("md_attach", attach_descriptor, 1);
    exhaust("md_insert, with more memory for handles", insert_descriptor, 2);
    exhaust("md_bind", bind_descriptor, 1);
    CHECK_EQ(leave_put(), CORE_OK, "the first of two puts");
    exhaust("message_put_start", start_put, 1);
    CHECK_EQ(ni_close(ni), CORE_OK, "closed");
}

static void replacing_keeps_what_is_there(void)
{
    struct wire_portals_header put = script_request(&script_first, WIRE_PORTALS_PUT, 1);
    struct nal_sink sink;

    put.md = WIRE_PORTALS_MD_NONE;
    ni = script_open(&policy_3_0);
    CHECK(attach_entry() == CORE_OK && attach_descriptor() == CORE_OK, "a list");
    allocations_left = 0;
    CHECK_EQ(attach_descriptor(), CORE_NO_SPACE, "no memory for a new descriptor");
    allocations_left = 0;
    CHECK_EQ(attach_entry(), CORE_NO_SPACE, "no memory for a new list");
    allocations_left = -1;
    sink = script_arrive(&put);
    CHECK(sink.token != NULL, "the old ones are still there");
    script_landed(sink.token, true);
    CHECK_EQ(ni_close(ni), CORE_OK, "closed");
}

static void messages_are_discarded(void)
{
    const uint32_t operations[] = {WIRE_PORTALS_PUT, WIRE_PORTALS_GET, WIRE_PORTALS_REPLY};
    struct core_md before;

    ni = script_open(&policy_3_0);
    CHECK(attach_entry() == CORE_OK && attach_descriptor() == CORE_OK, "a list");
    CHECK_EQ(leave_put(), CORE_OK, "a put of our own");
    for (int i = 0; i < 3; i++) {
        struct wire_portals_header header = script_request(&script_first, operations[i], 1);

        header.md = md;
        header.mlength = 1;
        allocations_left = 0;
        CHECK(!script_arrive(&header).token, "no memory for the operation");
        allocations_left = -1;
        CHECK_EQ(script_drops(ni), i + 1, "counted");
    }
    CHECK_EQ(md_update(md, &before, NULL, CORE_NONE), CORE_OK, "the descriptor");
    CHECK_EQ(before.threshold, 9, "has not noticed");
    CHECK_EQ(script_sent_count, 1, "nobody was answered");
    CHECK_EQ(ni_close(ni), CORE_OK, "closed");
}

int main(void)
{
    TAP_RUN(calls);
    TAP_RUN(replacing_keeps_what_is_there);
    TAP_RUN(messages_are_discarded);
    return tap_done();
}
