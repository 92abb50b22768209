/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The initiator's side of puts and gets, and the barrier, over a scripted network.
 */
#include <pthread.h>
#include <string.h>

#include "ref-impl/core/barrier.h"
#include "ref-impl/core/eq.h"
#include "ref-impl/core/md.h"
#include "ref-impl/core/messages/get.h"
#include "ref-impl/core/messages/put.h"
#include "ref-impl/core/ni_open.h"
#include "tests/refimpl/script.h"
#include "tests/unit/tap.h"

static uint64_t ni, eq, md;
static char region[16];

#define GOOD(call) CHECK_EQ((call), CORE_OK, #call)

static const struct message_address address = {
    .target = {.nid = 0x7f000001, .pid = 5002, .gid = 9, .rid = 2},
    .portal = 3,
    .cookie = 4,
    .match_bits = 0xfedcba9876543210u,
    .offset = 5,
};

static void begin(uint64_t events)
{
    struct core_md value = {.start = region, .length = sizeof(region)};

    ni = script_open(&policy_3_0);
    GOOD(eq_alloc(ni, events, &eq));
    value.eventq = eq;
    GOOD(md_bind(ni, &value, &md));
}

static uint64_t events(void)
{
    uint64_t count = 0;

    GOOD(eq_count(eq, &count));
    return count;
}

static void what_is_sent(void)
{
    const struct wire_portals_header *header = &script_sent[0].header;
    struct core_event event;
    struct core_md value;

    begin(4);
    GOOD(message_put_start(md, true, &address));
    CHECK_EQ(header->operation, WIRE_PORTALS_PUT, "a put");
    CHECK(!memcmp(&header->initiator, &script_self, sizeof(script_self)), "from us, with all four ids");
    CHECK(!memcmp(&header->target, &script_last, sizeof(script_last)), "to the target, with all four ids");
    CHECK(header->portal == 3 && header->cookie == 4 && header->offset == 5, "portal, cookie, offset");
    CHECK_EQ(header->match_bits, 0xfedcba9876543210u, "match bits");
    CHECK_EQ(header->md, md, "the descriptor, since an acknowledgement is wanted");
    CHECK(header->rlength == 16 && script_sent[0].length == 16 && script_sent[0].payload == region, "the whole region");
    CHECK_EQ(events(), 0, "not sent yet");
    GOOD(md_update(md, &value, NULL, CORE_NONE));
    CHECK_EQ(md_update(md, NULL, &value, eq), CORE_NOT_EMPTY, "a queue about to hold an event is not empty");
    script_left(script_sent[0].cookie, true);
    GOOD(eq_get(eq, &event));
    CHECK(event.kind == CORE_EVENT_SENT && event.offset == 5 && event.rlength == 16 && event.mlength == 16, "sent");
    GOOD(md_update(md, NULL, &value, eq));
    GOOD(message_put_start(md, false, &address));
    CHECK_EQ(script_sent[1].header.md, WIRE_PORTALS_MD_NONE, "no descriptor, no acknowledgement");
    script_left(script_sent[1].cookie, false);
    GOOD(eq_get(eq, &event));
    CHECK_EQ(event.kind, CORE_EVENT_SENT, "memory that the network has given up is free again");
    GOOD(message_get_start(md, &address));
    CHECK_EQ(script_sent[2].header.operation, WIRE_PORTALS_GET, "a get");
    CHECK(script_sent[2].header.md == md && script_sent[2].header.rlength == 16, "descriptor and length");
    CHECK(script_sent[2].length == 0 && !script_sent[2].cookie, "no data, nothing to report");
    script_refusal = NAL_NO_ROUTE;
    CHECK_EQ(message_put_start(md, true, &address), CORE_BAD_PROCESS, "no route");
    CHECK_EQ(message_get_start(md, &address), CORE_BAD_PROCESS, "no route");
    script_refusal = NAL_NO_MEMORY;
    CHECK_EQ(message_put_start(md, true, &address), CORE_NO_SPACE, "no memory");
    CHECK_EQ(message_get_start(md, &address), CORE_NO_SPACE, "no memory");
    CHECK_EQ(events(), 0, "what was not sent logs nothing");
    GOOD(md_update(md, NULL, &value, eq));
    GOOD(ni_close(ni));
}

/* An answer of the last process to a request of ours. */
static struct wire_portals_header answer(uint32_t operation, uint64_t mlength)
{
    return (struct wire_portals_header){.operation = operation,
                                        .initiator = script_last,
                                        .target = script_self,
                                        .portal = 3,
                                        .match_bits = 6,
                                        .offset = 5,
                                        .md = md,
                                        .rlength = 100,
                                        .mlength = mlength};
}

static void acknowledgements(void)
{
    struct wire_portals_header ack;
    struct core_event event;

    begin(1);
    ack = answer(WIRE_PORTALS_ACK, 7);
    script_arrive(&ack);
    script_arrive(&ack);
    CHECK_EQ(script_drops(ni), 1, "room for one");
    GOOD(eq_get(eq, &event));
    CHECK(event.kind == CORE_EVENT_ACK && event.portal == 3 && event.match_bits == 6 && event.offset == 5 &&
              event.rlength == 100 && event.mlength == 7,
          "built from the message");
    CHECK(!memcmp(&event.initiator, &script_self, sizeof(script_self)), "the operation was ours");
    ack.md = md + 1;
    script_arrive(&ack);
    ack.md = CORE_NONE;
    script_arrive(&ack);
    ack.md = eq;
    script_arrive(&ack);
    CHECK_EQ(script_drops(ni), 4, "handles of nothing, and of something else");
    ack.md = md;
    GOOD(md_unlink(md));
    script_arrive(&ack);
    CHECK_EQ(script_drops(ni), 5, "the descriptor is gone");
    CHECK_EQ(events(), 0, "no event for any of them");
    GOOD(ni_close(ni));
}

static void replies(void)
{
    struct wire_portals_header reply;
    struct core_event event;
    struct nal_sink sink, second;

    begin(2);
    reply = answer(WIRE_PORTALS_REPLY, 100);
    sink = script_arrive(&reply);
    CHECK(sink.start == region && sink.length == sizeof(region), "cut to the descriptor, from its start");
    CHECK_EQ(events(), 0, "no event before the data is there");
    second = script_arrive(&reply);
    CHECK(second.token && !script_arrive(&reply).token, "room for two");
    CHECK_EQ(script_drops(ni), 1, "the third is counted");
    script_landed(sink.token, true);
    GOOD(eq_get(eq, &event));
    CHECK(event.kind == CORE_EVENT_REPLY && event.rlength == 100 && event.mlength == 16 && event.offset == 0, "event");
    GOOD(md_unlink(md));
    CHECK(script_revoked_count == 1 && script_revoked[0] == second.token, "unlinking takes the memory back");
    CHECK(!script_arrive(&reply).token, "the descriptor is gone");
    CHECK_EQ(script_drops(ni), 3, "the cut one and the late one are counted");
    GOOD(ni_close(ni));
}

static void replies_that_do_not_fit(void)
{
    struct policy policy = policy_3_0;
    struct core_md value = {.start = region, .length = 4, .eventq = CORE_NONE};
    struct wire_portals_header reply;

    policy.replies_always_fit = false;
    ni = script_open(&policy);
    GOOD(md_bind(ni, &value, &md));
    reply = answer(WIRE_PORTALS_REPLY, 5);
    CHECK(!script_arrive(&reply).token, "too long");
    reply.mlength = 4;
    CHECK(script_arrive(&reply).token != NULL, "fits");
    value.options = CORE_TRUNCATES;
    GOOD(md_update(md, NULL, &value, CORE_NONE));
    reply.mlength = 5;
    CHECK_EQ(script_arrive(&reply).length, 4, "may be cut");
    GOOD(ni_close(ni));
}

static void *enter_barrier(void *argument)
{
    enum core_status *status = argument;

    *status = barrier_wait(ni);
    return NULL;
}

static struct wire_portals_header barrier_message(const struct wire_portals_id *from, uint64_t sequence, uint32_t round)
{
    return (struct wire_portals_header){.operation = WIRE_PORTALS_BARRIER,
                                        .initiator = *from,
                                        .target = script_self,
                                        .sequence = sequence,
                                        .round = round};
}

/* Three ranks: rank 1 hears from 0 in round 0 and from 2 in round 1, and tells 2, then 0. */
static void barriers(void)
{
    enum core_status status = CORE_EMPTY;
    struct wire_portals_header message;
    pthread_t thread;

    begin(1);
    message = barrier_message(&script_last, 1, 1); /* early */
    script_arrive(&message);
    pthread_create(&thread, NULL, enter_barrier, &status);
    script_wait_sent(1);
    CHECK(script_sent[0].header.target.rid == 2 && script_sent[0].header.round == 0, "rank 2 is told in round 0");
    CHECK_EQ(script_sent[0].header.sequence, 1, "of the first barrier");
    message = barrier_message(&script_last, 1, 0);
    script_arrive(&message);
    message = barrier_message(&script_first, 1, 2);
    script_arrive(&message);
    message = barrier_message(&script_outsider, 1, 0);
    script_arrive(&message);
    message = barrier_message(&script_first, 1, 99);
    script_arrive(&message);
    CHECK_EQ(script_drops(ni), 4, "the wrong rank, the wrong round, an outsider");
    CHECK_EQ(script_sent_count, 1, "none of them opens the barrier");
    message = barrier_message(&script_first, 1, 0);
    script_arrive(&message);
    pthread_join(thread, NULL);
    CHECK_EQ(status, CORE_OK, "the barrier opens");
    CHECK(script_sent_count == 2 && script_sent[1].header.target.rid == 0 && script_sent[1].header.round == 1,
          "rank 0 is told in round 1");

    pthread_create(&thread, NULL, enter_barrier, &status);
    script_wait_sent(3);
    CHECK_EQ(script_sent[2].header.sequence, 2, "the second barrier");
    GOOD(ni_close(ni));
    pthread_join(thread, NULL);
    CHECK_EQ(status, CORE_BAD_INTERFACE, "closing opens it with an error");
}

int main(void)
{
    TAP_RUN(what_is_sent);
    TAP_RUN(acknowledgements);
    TAP_RUN(replies);
    TAP_RUN(replies_that_do_not_fit);
    TAP_RUN(barriers);
    return tap_done();
}
