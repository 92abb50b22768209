/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Networks as rows, and several as one (ref-impl/nal/networks.h, mixed.h): which are chosen, over which a message goes,
 * and in which order they end. The networks are this test's own.
 */
#include "ref-impl/nal/mixed.h"
#include "ref-impl/nal/networks.h"
#include "tests/reftcp/recorder.h"
#include "tests/unit/tap.h"

/* A network that reaches peers up to a process id, and notes what is done with it. */
struct part {
    struct nal nal;
    uint32_t reaches;
    unsigned sent, revoked, ended, closed, ended_before;
    enum nal_status opening;
};

static struct part near, far;

static struct part *part_of(struct nal *nal)
{
    return (struct part *)nal;
}

static enum nal_status part_send(struct nal *nal, const struct wire_portals_header *header, const void *payload,
                                 uint64_t length, void *cookie)
{
    (void)payload, (void)length, (void)cookie;
    if (header->target.pid > part_of(nal)->reaches) {
        return NAL_NO_ROUTE;
    }
    part_of(nal)->sent++;
    return NAL_OK;
}

static void part_revoke(struct nal *nal, void *token)
{
    (void)token;
    part_of(nal)->revoked++;
}

static double part_distance(struct nal *nal, const struct wire_portals_id *peer)
{
    (void)peer;
    return part_of(nal)->reaches;
}

static void part_end(struct nal *nal)
{
    part_of(nal)->ended++;
}

static void part_close(struct nal *nal)
{
    part_of(nal)->closed++;
    part_of(nal)->ended_before = near.ended + far.ended;
}

static const struct nal_ops part_ops = {
    .name = "part",
    .send = part_send,
    .revoke = part_revoke,
    .distance = part_distance,
    .close = part_close,
    .end = part_end,
};

static enum nal_status part_open(struct part *part, struct nal **nal)
{
    *nal = &part->nal;
    return part->opening;
}

static enum nal_status near_open(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                                 struct nal **nal)
{
    (void)config, (void)upcalls, (void)core;
    return part_open(&near, nal);
}

static enum nal_status far_open(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                                struct nal **nal)
{
    (void)config, (void)upcalls, (void)core;
    return part_open(&far, nal);
}

static const struct network near_row = {.name = "near", .reach = NETWORK_REACHES_NODE, .cost = 1, .open = near_open};
static const struct network far_row = {.name = "far", .reach = NETWORK_REACHES_ANY, .cost = 2, .open = far_open};
static const struct network *const rows[] = {&far_row, &near_row};

/* Opens both as one. */
static enum nal_status both_open(struct nal **nal)
{
    static const struct nal_config config = {0, {1, 1, 1, 0}, 2};

    near.nal.ops = far.nal.ops = &part_ops;
    return mixed_open(rows, 2, &config, &recorder_upcalls, NULL, nal);
}

static enum nal_status send_to(struct nal *nal, uint32_t pid)
{
    struct wire_portals_header put = {.operation = WIRE_PORTALS_PUT, .target = {.nid = 1, .pid = pid}};

    return nal_send(nal, &put, NULL, 0, NULL);
}

static void the_cheapest_that_reaches_a_peer(void)
{
    struct nal *nal = NULL;

    near = (struct part){.reaches = 10};
    far = (struct part){.reaches = 20};
    CHECK_EQ(both_open(&nal), NAL_OK, "two networks open as one");
    CHECK_EQ(send_to(nal, 5), NAL_OK, "a peer that both reach");
    CHECK(near.sent == 1 && far.sent == 0, "is reached over the cheaper one, wherever its row stands");
    CHECK_EQ(send_to(nal, 15), NAL_OK, "a peer that one reaches");
    CHECK(near.sent == 1 && far.sent == 1, "is reached over that one");
    CHECK_EQ(send_to(nal, 25), NAL_NO_ROUTE, "a peer that none reaches");
    nal_revoke(nal, &near);
    CHECK(near.revoked == 1 && far.revoked == 1, "what is revoked may be landing from either");
    CHECK(nal_distance(nal, &(struct wire_portals_id){.nid = 1}) > 15, "the one that reaches most knows distances");
    nal_close(nal);
    CHECK(near.closed == 1 && far.closed == 1, "both are closed");
    CHECK(near.ended_before == 2 && far.ended_before == 2, "but none before all have ended");
}

static void a_part_that_does_not_open(void)
{
    struct nal *nal = NULL;

    near = (struct part){.reaches = 10};
    far = (struct part){.opening = NAL_NO_DEVICE};
    CHECK_EQ(both_open(&nal), NAL_NO_DEVICE, "the whole does not open either");
    CHECK(near.closed == 1 && far.closed == 0 && !nal, "what had been opened is closed again");
}

static void choosing(void)
{
    const struct network *chosen[NETWORKS_MAX];
    char names[NETWORKS_NAMES_OCTETS];
    size_t count = networks_choose("shm", false, chosen);

    CHECK_EQ(count, 2, "a network that does not reach everybody brings the one with which it goes");
    CHECK(count == 2 && chosen[1] == networks_find("shm") && chosen[0] == networks_find(chosen[1]->with),
          "which it names");
    CHECK_EQ(networks_choose("tcp", false, chosen), 1, "one that reaches everybody is alone");
    CHECK_EQ(networks_choose("pigeon", false, chosen), 0, "a name that no row has");
    count = networks_choose(NULL, false, chosen);
    CHECK(count > 1, "without a name several take part");
    for (size_t i = 0; i < count; i++) {
        CHECK(chosen[i]->mixes, chosen[i]->name);
    }
    count = networks_choose(NULL, true, chosen);
    for (size_t i = 0; i < count; i++) {
        CHECK(chosen[i]->greet != NULL, "numbered messages go over networks that carry numbers");
    }
    CHECK(strcmp(networks_names("and", names), "tcp, shm, intercept and loop") == 0, "the names as one reads them");
}

int main(void)
{
    TAP_RUN(the_cheapest_that_reaches_a_peer);
    TAP_RUN(a_part_that_does_not_open);
    TAP_RUN(choosing);
    return tap_done();
}
