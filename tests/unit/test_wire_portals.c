/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The Portals codec against the vectors: what each decodes to is written down here once more by hand, each encodes to
 * itself again, and each of its truncations says that it is one.
 */
#include "tests/unit/tap.h"
#include "tests/unit/vector.h"
#include "wire/portals/messages.h"

#include <stdlib.h>

#define A                                                                                                              \
    {                                                                                                                  \
        0x7f000001, 50001, 7, 0                                                                                        \
    }
#define B                                                                                                              \
    {                                                                                                                  \
        0x7f000001, 50002, 7, 1                                                                                        \
    }
#define ONES                                                                                                           \
    {                                                                                                                  \
        0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff                                                                 \
    }
#define ALL     UINT64_MAX
#define LONGEST UINT64_C(1099511627776)

/* What the messages say that have a tag and those that have none. */
#define PUT                                                                                                            \
    .operation = 1, .initiator = A, .target = B, .portal = 4, .match_bits = 0x0123456789abcdef, .offset = 16,          \
    .md = 0x100000002, .rlength = 5
#define ACK                                                                                                            \
    .operation = 2, .initiator = B, .target = A, .portal = 4, .match_bits = 0x0123456789abcdef, .offset = 16,          \
    .md = 0x100000002, .rlength = 5, .mlength = 5
#define GET                                                                                                            \
    .operation = 3, .initiator = A, .target = B, .portal = 5, .cookie = 2, .match_bits = 0xdeadbeef,                   \
    .offset = 4294967296, .md = 0x10000000a, .rlength = 16
#define REPLY                                                                                                          \
    .operation = 4, .initiator = B, .target = A, .portal = 5, .match_bits = 0xdeadbeef, .offset = 4294967296,          \
    .md = 0x10000000a, .rlength = 16, .mlength = 9

struct expected {
    const char *name;
    uint64_t payload;
    struct wire_portals_header header;
};

static const struct expected expected[] = {
    {"put", 5, {PUT}},
    {"put-noack-empty",
     0,
     {.operation = 1,
      .initiator = A,
      .target = {0x7f000001, 50002, 0xffffffff, 0xffffffff},
      .portal = 0,
      .cookie = 1,
      .match_bits = 0x8000000000000001,
      .offset = 0,
      .md = ALL,
      .rlength = 0}},
    {"put-zeros", 0, {.operation = 1}},
    {"put-ones",
     LONGEST,
     {.operation = 1,
      .initiator = ONES,
      .target = ONES,
      .portal = 0xffffffff,
      .cookie = 0xffffffff,
      .match_bits = ALL,
      .offset = ALL,
      .md = ALL,
      .rlength = LONGEST}},
    {"ack", 0, {ACK}},
    {"tagged-put", 5, {PUT, .tagged = 1, .uid = 1000, .hdr_data = 0x1122334455667788, .local_offset = 3}},
    {"tagged-ack", 0, {ACK, .tagged = 1, .uid = 1001, .hdr_data = 0x1122334455667788, .local_offset = 3}},
    {"tagged-get", 0, {GET, .tagged = 1, .uid = 1000, .local_offset = 8}},
    {"tagged-reply", 9, {REPLY, .tagged = 1, .uid = 1001, .local_offset = 8}},
    {"ack-truncated",
     0,
     {.operation = 2,
      .initiator = B,
      .target = A,
      .portal = 63,
      .match_bits = 0xfedcba9876543210,
      .offset = 0,
      .md = 0,
      .rlength = 4294967296,
      .mlength = 0}},
    {"ack-ones",
     0,
     {.operation = 2,
      .initiator = ONES,
      .target = ONES,
      .portal = 0xffffffff,
      .match_bits = ALL,
      .offset = ALL,
      .md = ALL,
      .rlength = LONGEST,
      .mlength = LONGEST}},
    {"get", 0, {GET}},
    {"get-zeros", 0, {.operation = 3}},
    {"get-ones",
     0,
     {.operation = 3,
      .initiator = ONES,
      .target = ONES,
      .portal = 0xffffffff,
      .cookie = 0xffffffff,
      .match_bits = ALL,
      .offset = ALL,
      .md = 0xfffffffffffffffe,
      .rlength = LONGEST}},
    {"reply", 9, {REPLY}},
    {"reply-empty",
     0,
     {.operation = 4,
      .initiator = B,
      .target = A,
      .portal = 0,
      .match_bits = 0,
      .offset = 0,
      .md = 0x8000000000000000,
      .rlength = 8,
      .mlength = 0}},
    {"reply-ones",
     LONGEST,
     {.operation = 4,
      .initiator = ONES,
      .target = ONES,
      .portal = 0xffffffff,
      .match_bits = ALL,
      .offset = ALL,
      .md = ALL,
      .rlength = LONGEST,
      .mlength = LONGEST}},
    {"hello",
     0,
     {.operation = 0x50544c33,
      .version_major = 1,
      .version_minor = 0,
      .initiator = A,
      .target = B,
      .interface = 0,
      .group_size = 2}},
    {"hello-answer",
     0,
     {.operation = 0x50544c33,
      .version_major = 1,
      .version_minor = 3,
      .initiator = B,
      .target = A,
      .interface = 0,
      .group_size = 2}},
    {"hello-ones",
     0,
     {.operation = 0x50544c33,
      .version_major = 0xffff,
      .version_minor = 0xffff,
      .initiator = ONES,
      .target = ONES,
      .interface = 0xffffffff,
      .group_size = 0xffffffff}},
    {"barrier", 0, {.operation = 5, .initiator = A, .target = B, .sequence = 1, .round = 0}},
    {"barrier-ones", 0, {.operation = 5, .initiator = ONES, .target = ONES, .sequence = ALL, .round = 0xffffffff}},
    {"number", 0, {.operation = 6, .epoch = 17, .number = 2}},
    {"number-ones", 0, {.operation = 6, .epoch = ALL, .number = ALL}},
    {"acknowledge",
     0,
     {.operation = 7, .initiator = B, .target = A, .incarnation = 19, .epoch = 17, .acknowledged = 2, .missing = 1}},
    {"acknowledge-ones",
     0,
     {.operation = 7,
      .initiator = ONES,
      .target = ONES,
      .incarnation = ALL,
      .epoch = ALL,
      .acknowledged = ALL,
      .missing = 0xffffffff}},
};

static unsigned found;

static bool same_id(const struct wire_portals_id *one, const struct wire_portals_id *other)
{
    return one->nid == other->nid && one->pid == other->pid && one->gid == other->gid && one->rid == other->rid;
}

static void check_members(const struct wire_portals_header *got, const struct wire_portals_header *want)
{
    CHECK_EQ(got->operation, want->operation, "operation");
    CHECK(same_id(&got->initiator, &want->initiator), "initiator");
    CHECK(same_id(&got->target, &want->target), "target");
    CHECK_EQ(got->portal, want->portal, "portal");
    CHECK_EQ(got->cookie, want->cookie, "cookie");
    CHECK_EQ(got->match_bits, want->match_bits, "match_bits");
    CHECK_EQ(got->offset, want->offset, "offset");
    CHECK_EQ(got->md, want->md, "md");
    CHECK_EQ(got->rlength, want->rlength, "rlength");
    CHECK_EQ(got->mlength, want->mlength, "mlength");
    CHECK_EQ(got->version_major, want->version_major, "version_major");
    CHECK_EQ(got->version_minor, want->version_minor, "version_minor");
    CHECK_EQ(got->interface, want->interface, "interface");
    CHECK_EQ(got->group_size, want->group_size, "group_size");
    CHECK_EQ(got->sequence, want->sequence, "sequence");
    CHECK_EQ(got->round, want->round, "round");
    CHECK_EQ(got->epoch, want->epoch, "epoch");
    CHECK_EQ(got->number, want->number, "number");
    CHECK_EQ(got->incarnation, want->incarnation, "incarnation");
    CHECK_EQ(got->acknowledged, want->acknowledged, "acknowledged");
    CHECK_EQ(got->missing, want->missing, "missing");
    CHECK_EQ(got->tagged, want->tagged, "tagged");
    CHECK_EQ(got->uid, want->uid, "uid");
    CHECK_EQ(got->hdr_data, want->hdr_data, "hdr_data");
    CHECK_EQ(got->local_offset, want->local_offset, "local_offset");
}

static void check_truncations(const struct vector *vector, size_t header_octets)
{
    struct wire_portals_header header = {.operation = 77};
    size_t octets = 88;
    uint64_t payload = 99;

    for (size_t len = 0; len < header_octets; len++) {
        /* A copy of just that size, so that an address sanitiser sees a read beyond it. */
        unsigned char *copy = len ? malloc(len) : NULL;

        if (len) {
            memcpy(copy, vector->octets, len);
        }
        CHECK(wire_portals_decode(copy, len, &header, &octets, &payload) == WIRE_SHORT, "%s: %zu octets are too short",
              vector->name, len);
        free(copy);
    }
    CHECK(header.operation == 77 && octets == 88 && payload == 99, "%s: outputs stay untouched", vector->name);
}

static void check_round_trip(const struct vector *vector, const struct wire_portals_header *header, size_t octets)
{
    unsigned char again[WIRE_PORTALS_HEADER_MAX];
    size_t len = 0;

    CHECK_EQ(wire_portals_encode(header, again, sizeof again, &len), WIRE_OK, "encodes");
    CHECK_EQ(len, octets, "to the same length");
    CHECK_MEM(again, vector->octets, octets, "and to the same octets");
    len = 77;
    CHECK_EQ(wire_portals_encode(header, again, octets - 1, &len), WIRE_NO_SPACE, "not into one octet less");
    CHECK_EQ(len, 77, "and the length stays untouched");
}

static void check_vector(const struct vector *vector)
{
    const struct expected *want = NULL;
    struct wire_portals_header header;
    size_t octets = 0;
    uint64_t payload = 0;

    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        want = strcmp(expected[i].name, vector->name) == 0 ? &expected[i] : want;
    }
    if (strcmp(vector->name, "stream") == 0 || !CHECK(want, "%s: is expected", vector->name)) {
        return;
    }
    found++;
    memset(&header, 0xa5, sizeof header);
    if (!CHECK_EQ(wire_portals_decode(vector->octets, vector->len, &header, &octets, &payload), WIRE_OK, "decodes")) {
        return;
    }
    check_members(&header, &want->header);
    CHECK_EQ(octets, wire_portals_message_of(wire_portals_kind(&header))->octets, "octets of the header");
    CHECK_EQ(payload, want->payload, "octets of payload");
    check_truncations(vector, octets);
    check_round_trip(vector, &header, octets);
}

static void every_vector(void)
{
    vector_each(VECTORS, check_vector);
    CHECK_EQ(found, sizeof expected / sizeof expected[0], "every expected vector is there");
}

static void refuses_what_cannot_be_cut(void)
{
    unsigned char octets[WIRE_PORTALS_HEADER_MAX] = {0};
    struct wire_portals_header header = {.operation = WIRE_PORTALS_PUT, .rlength = LONGEST + 1};
    size_t len = 0;

    CHECK_EQ(wire_portals_decode(octets, sizeof octets, &header, NULL, NULL), WIRE_UNKNOWN, "operation 0 is none");
    octets[3] = 8;
    CHECK_EQ(wire_portals_decode(octets, sizeof octets, &header, NULL, NULL), WIRE_UNKNOWN, "nor is 8");
    CHECK_EQ(wire_portals_encode(&header, octets, sizeof octets, &len), WIRE_OK, "a forger may encode any length");
    CHECK_EQ(wire_portals_decode(octets, len, &header, NULL, NULL), WIRE_TOO_LONG, "a receiver does not take it");
    header = (struct wire_portals_header){.operation = WIRE_PORTALS_ACK, .mlength = UINT64_MAX};
    CHECK_EQ(wire_portals_encode(&header, octets, sizeof octets, &len), WIRE_OK, "the same for manipulated lengths");
    CHECK_EQ(wire_portals_decode(octets, len, &header, NULL, NULL), WIRE_TOO_LONG, "of acknowledgements");
    header = (struct wire_portals_header){.operation = 8};
    CHECK_EQ(wire_portals_encode(&header, octets, sizeof octets, &len), WIRE_UNKNOWN, "an operation without rows");
}

int main(void)
{
    TAP_RUN(every_vector);
    TAP_RUN(refuses_what_cannot_be_cut);
    return tap_done();
}
