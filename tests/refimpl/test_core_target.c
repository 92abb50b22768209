/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The target's side of puts and gets, step by step over a scripted network: when events come, in which order, what
 * revocation and broken transfers do, and what forged messages cannot do.
 */
#include <string.h>

#include "ref-impl/core/eq.h"
#include "ref-impl/core/md.h"
#include "ref-impl/core/me.h"
#include "ref-impl/core/ni_open.h"
#include "tests/refimpl/script.h"
#include "tests/unit/tap.h"

static uint64_t ni, eq, me, md;
static char region[64];

#define GOOD(call) CHECK_EQ((call), CORE_OK, #call)

/* Opens the interface with one entry for everybody on portal 0 and one descriptor that logs to a queue of `events`. */
static void begin(const struct policy *policy, uint64_t events)
{
    struct me_criteria all = {.process = {CORE_ANY_ID, CORE_ANY_ID, CORE_ANY_ID, CORE_ANY_ID},
                              .ignore_bits = UINT64_MAX};
    struct core_md value = {.start = region,
                            .length = sizeof(region),
                            .threshold = CORE_ENDLESS,
                            .options = CORE_SERVES_PUT | CORE_SERVES_GET | CORE_REMOTE_OFFSET};

    ni = script_open(policy);
    GOOD(eq_alloc(ni, events, &eq));
    value.eventq = eq;
    GOOD(me_attach(ni, 0, &all, false, &me));
    GOOD(md_attach(me, &value, false, &md));
}

static void end(void)
{
    GOOD(ni_close(ni));
}

static uint64_t events(void)
{
    uint64_t count = 0;

    GOOD(eq_count(eq, &count));
    return count;
}

static void put_event_waits_for_its_acknowledgement(void)
{
    struct wire_portals_header put = script_request(&script_first, WIRE_PORTALS_PUT, 8);
    struct core_event event;
    struct nal_sink sink;

    begin(&policy_3_0, 4);
    put.offset = 16;
    put.portal = 0;
    put.match_bits = 0x1122334455667788u;
    sink = script_arrive(&put);
    CHECK(sink.start == region + 16 && sink.length == 8 && sink.token, "the data goes where the request says");
    CHECK_EQ(events(), 0, "no event while data is coming");
    script_landed(sink.token, true);
    CHECK_EQ(events(), 0, "no event before the acknowledgement has left");
    CHECK_EQ(script_sent_count, 1, "one acknowledgement");
    CHECK_EQ(script_sent[0].header.operation, WIRE_PORTALS_ACK, "it is one");
    CHECK(!memcmp(&script_sent[0].header.initiator, &script_self, sizeof(script_self)), "from us");
    CHECK(!memcmp(&script_sent[0].header.target, &script_first, sizeof(script_first)), "to the initiator");
    CHECK_EQ(script_sent[0].header.match_bits, put.match_bits, "match bits echoed");
    CHECK_EQ(script_sent[0].header.offset, 16, "offset echoed");
    CHECK_EQ(script_sent[0].header.md, 42, "descriptor echoed");
    CHECK_EQ(script_sent[0].header.rlength, 8, "requested length echoed");
    CHECK_EQ(script_sent[0].header.mlength, 8, "manipulated length told");
    CHECK_EQ(script_sent[0].length, 0, "no data");
    script_left(script_sent[0].cookie, true);
    GOOD(eq_get(eq, &event));
    CHECK(event.kind == CORE_EVENT_PUT && event.offset == 16 && event.mlength == 8, "now the event");
    end();
}

static void one_peers_events_keep_their_order(void)
{
    struct wire_portals_header slow = script_request(&script_first, WIRE_PORTALS_PUT, 1);
    struct wire_portals_header fast = slow, other = script_request(&script_last, WIRE_PORTALS_PUT, 1);
    struct core_event event;

    begin(&policy_3_0, 8);
    slow.match_bits = 1;
    fast.match_bits = 2;
    fast.md = other.md = WIRE_PORTALS_MD_NONE;
    other.match_bits = 3;
    script_landed(script_arrive(&slow).token, true);
    script_landed(script_arrive(&fast).token, true);
    script_landed(script_arrive(&fast).token, true);
    CHECK_EQ(events(), 0, "the later ones of a peer wait for the first");
    script_landed(script_arrive(&other).token, true);
    CHECK_EQ(events(), 1, "another peer does not");
    GOOD(eq_get(eq, &event));
    CHECK_EQ(event.match_bits, 3, "the other peer's");
    script_left(script_sent[0].cookie, true);
    CHECK_EQ(events(), 3, "all are there at once");
    GOOD(eq_get(eq, &event));
    CHECK_EQ(event.match_bits, 1, "in the order of arrival");
    GOOD(eq_get(eq, &event));
    CHECK_EQ(event.match_bits, 2, "in the order of arrival");
    end();
}

static void room_is_reserved_at_acceptance(void)
{
    struct wire_portals_header put = script_request(&script_first, WIRE_PORTALS_PUT, 1);
    struct core_md value;
    struct nal_sink sink;

    begin(&policy_3_0, 1);
    put.md = WIRE_PORTALS_MD_NONE;
    sink = script_arrive(&put);
    CHECK(sink.token, "accepted");
    CHECK(!script_arrive(&put).token, "the only slot is promised");
    CHECK_EQ(script_drops(ni), 1, "so the second is discarded");
    GOOD(md_update(md, &value, NULL, CORE_NONE));
    CHECK_EQ(md_update(md, NULL, &value, eq), CORE_NOT_EMPTY, "a queue about to hold an event is not empty");
    script_landed(sink.token, false);
    CHECK_EQ(events(), 0, "a broken transfer logs nothing");
    CHECK_EQ(script_drops(ni), 2, "and is counted");
    GOOD(md_update(md, NULL, &value, eq));
    sink = script_arrive(&put);
    CHECK(sink.token, "its slot is free again");
    script_landed(sink.token, true);
    CHECK_EQ(events(), 1, "and used");
    end();
}

static void unlinking_revokes(void)
{
    struct wire_portals_header put = script_request(&script_first, WIRE_PORTALS_PUT, 9);
    struct me_criteria all = {.process = {CORE_ANY_ID, CORE_ANY_ID, CORE_ANY_ID, CORE_ANY_ID},
                              .ignore_bits = UINT64_MAX};
    struct core_md value = {
        .start = region, .length = 9, .threshold = 5, .options = CORE_SERVES_PUT, .eventq = CORE_NONE};
    void *token;

    begin(&policy_3_0, 4);
    token = script_arrive(&put).token;
    GOOD(md_unlink(md));
    CHECK(script_revoked_count == 1 && script_revoked[0] == token, "MDUnlink takes the memory back");
    CHECK_EQ(events(), 0, "no event");
    CHECK_EQ(script_drops(ni), 1, "counted");
    GOOD(md_attach(me, &value, false, &md));
    token = script_arrive(&put).token;
    GOOD(md_attach(me, &value, false, &md));
    CHECK(script_revoked_count == 2 && script_revoked[1] == token, "so does replacing the descriptor");
    token = script_arrive(&put).token;
    GOOD(me_unlink(me));
    CHECK(script_revoked_count == 3 && script_revoked[2] == token, "and unlinking the entry");
    GOOD(me_attach(ni, 0, &all, false, &me));
    GOOD(md_attach(me, &value, false, &md));
    token = script_arrive(&put).token;
    GOOD(me_attach(ni, 0, &all, false, &me));
    CHECK(script_revoked_count == 4 && script_revoked[3] == token, "and replacing the list");
    CHECK_EQ(script_drops(ni), 4, "each is counted");
    CHECK_EQ(script_sent_count, 0, "none is acknowledged");
    end();
}

static void a_landed_put_survives_unlinking(void)
{
    struct wire_portals_header put = script_request(&script_first, WIRE_PORTALS_PUT, 9);
    struct core_event event;

    begin(&policy_3_0, 4);
    script_landed(script_arrive(&put).token, true);
    GOOD(md_unlink(md));
    CHECK_EQ(script_revoked_count, 0, "nothing is left to revoke");
    script_left(script_sent[0].cookie, true);
    GOOD(eq_get(eq, &event));
    CHECK(event.kind == CORE_EVENT_PUT && event.md.start == region, "the event of what was done comes nevertheless");
    end();
}

static void get_event_waits_for_its_reply(void)
{
    struct wire_portals_header get = script_request(&script_first, WIRE_PORTALS_GET, 8);
    struct core_event event;

    begin(&policy_3_0, 2);
    get.offset = 3;
    CHECK(!script_arrive(&get).token, "a get brings no data");
    CHECK_EQ(script_sent[0].header.operation, WIRE_PORTALS_REPLY, "the reply goes at once");
    CHECK(script_sent[0].payload == region + 3 && script_sent[0].length == 8, "straight from memory");
    CHECK_EQ(script_sent[0].header.mlength, 8, "with its length");
    CHECK_EQ(events(), 0, "no event before it has left");
    script_left(script_sent[0].cookie, true);
    GOOD(eq_get(eq, &event));
    CHECK(event.kind == CORE_EVENT_GET && event.offset == 3, "now the event");
    script_arrive(&get);
    script_left(script_sent[1].cookie, false);
    CHECK_EQ(events(), 0, "a reply that could not be sent is no event");
    script_refusal = NAL_NO_ROUTE;
    script_arrive(&get);
    CHECK_EQ(events(), 0, "nor is one that was refused");
    CHECK_EQ(script_drops(ni), 2, "both are counted");
    end();
}

static void forged_messages(void)
{
    const uint32_t operations[] = {WIRE_PORTALS_PUT, WIRE_PORTALS_ACK, WIRE_PORTALS_GET, WIRE_PORTALS_REPLY};
    struct wire_portals_header forged;
    int64_t expected = 0;

    begin(&policy_3_0, 4);
    for (unsigned i = 0; i < 4; i++) {
        forged = script_request(&script_first, operations[i], 1);
        forged.md = md;
        forged.target = script_last;
        CHECK(!script_arrive(&forged).token && script_drops(ni) == ++expected, "for another process");
        forged.target = script_self;
        forged.target.rid = 2;
        CHECK(!script_arrive(&forged).token && script_drops(ni) == ++expected, "for another rank at our address");
    }
    forged = script_request(&script_first, 77, 1);
    CHECK(!script_arrive(&forged).token && script_drops(ni) == ++expected, "an unknown operation");
    forged = script_request(&script_outsider, WIRE_PORTALS_PUT, 1);
    CHECK(!script_arrive(&forged).token && script_drops(ni) == ++expected, "a sender of another group");
    forged = script_request(&script_first, WIRE_PORTALS_PUT, 1);
    forged.initiator.rid = 3;
    CHECK(!script_arrive(&forged).token && script_drops(ni) == ++expected, "a rank that our group of 3 does not have");
    forged = script_request(&script_first, WIRE_PORTALS_PUT, UINT64_MAX);
    CHECK(!script_arrive(&forged).token && script_drops(ni) == ++expected, "an endless request");
    forged.rlength = 1;
    forged.offset = UINT64_MAX;
    CHECK(!script_arrive(&forged).token && script_drops(ni) == ++expected, "an endless offset");
    CHECK_EQ(script_sent_count, 0, "nobody was answered");
    CHECK_EQ(events(), 0, "nothing was logged");
    forged = script_request(&script_first, WIRE_PORTALS_PUT, 1);
    forged.target.gid = forged.target.rid = WIRE_PORTALS_ID_UNKNOWN;
    CHECK(script_arrive(&forged).token != NULL, "who does not know our rank may still send");
    end();
}

static void freed_queue(void)
{
    struct wire_portals_header put = script_request(&script_first, WIRE_PORTALS_PUT, 1);
    struct nal_sink sink;

    begin(&policy_3_0, 4);
    put.md = WIRE_PORTALS_MD_NONE;
    sink = script_arrive(&put);
    GOOD(eq_free(eq));
    script_landed(sink.token, true);
    CHECK(!script_arrive(&put).token, "a freed queue has no room");
    CHECK_EQ(script_drops(ni), 1, "so the next request is discarded");
    end();
}

static void closing_under_way(void)
{
    struct wire_portals_header put = script_request(&script_first, WIRE_PORTALS_PUT, 1);
    struct wire_portals_header get = script_request(&script_first, WIRE_PORTALS_GET, 1);

    begin(&policy_3_0, 4);
    script_arrive(&put);
    script_landed(script_arrive(&put).token, true);
    script_arrive(&get);
    end(); /* the leak checker has the word */
}

static void other_policies(void)
{
    struct wire_portals_header put = script_request(&script_first, WIRE_PORTALS_PUT, 1);
    struct me_criteria masked = {
        .process = {CORE_ANY_ID, CORE_ANY_ID, CORE_ANY_ID, CORE_ANY_ID}, .match_bits = 0x1f, .ignore_bits = 0x0f};
    struct policy policy = policy_3_0;
    struct core_event event;
    struct core_md value;

    policy.full_queue_rejects = policy.ignore_masks_both_sides = policy.unlink_by_call_empties_entry = false;
    policy.update_resets_offset = true;
    begin(&policy, 1);
    put.md = WIRE_PORTALS_MD_NONE;
    script_landed(script_arrive(&put).token, true);
    script_landed(script_arrive(&put).token, true);
    CHECK_EQ(script_drops(ni), 0, "served although its event has no room");
    CHECK_EQ(eq_get(eq, &event), CORE_EVENT_AND_GAP, "the next event tells");
    CHECK_EQ(event.sequence, 2, "the oldest one is lost");
    script_landed(script_arrive(&put).token, true);
    GOOD(eq_get(eq, &event));

    GOOD(md_update(md, &value, NULL, CORE_NONE));
    value.options = CORE_SERVES_PUT;
    GOOD(md_update(md, NULL, &value, CORE_NONE));
    script_landed(script_arrive(&put).token, true);
    GOOD(md_update(md, NULL, &value, CORE_NONE));
    CHECK(script_arrive(&put).start == region, "an update sets the offset back");

    GOOD(me_attach(ni, 1, &masked, true, &me));
    GOOD(md_attach(me, &value, false, &md));
    put.portal = 1;
    put.match_bits = 0x10;
    CHECK(!script_arrive(&put).token, "as printed, a bit under its own mask never matches");
    GOOD(md_unlink(md));
    GOOD(me_unlink(me));
    end();
}

int main(void)
{
    TAP_RUN(put_event_waits_for_its_acknowledgement);
    TAP_RUN(one_peers_events_keep_their_order);
    TAP_RUN(room_is_reserved_at_acceptance);
    TAP_RUN(unlinking_revokes);
    TAP_RUN(a_landed_put_survives_unlinking);
    TAP_RUN(get_event_waits_for_its_reply);
    TAP_RUN(forged_messages);
    TAP_RUN(freed_queue);
    TAP_RUN(closing_under_way);
    TAP_RUN(other_policies);
    return tap_done();
}
