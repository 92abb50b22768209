/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What match bits of MPI libraries say; the values are put together by hand.
 */
#include "tests/unit/tap.h"
#include "wire/portals/match_bits.h"

static const char *said(const char *layout, uint32_t operation, uint32_t portal, uint64_t bits)
{
    static char line[WIRE_MATCH_TEXT_MAX];
    struct wire_text text = wire_text_over(line, sizeof line);
    struct wire_portals_header header = {.operation = operation, .portal = portal, .match_bits = bits};

    return wire_match_text(&text, wire_match_layout(layout), &header) ? line : "nothing";
}

static void assay_tells_messages_by_portal(void)
{
    CHECK_STR(said("assay-mpi", WIRE_PORTALS_PUT, 0, UINT64_C(2) << 31 | 7),
              "MPI message: protocol short, representation native, number 0, context slot 2, tag 7", "short");
    CHECK_STR(said("assay-mpi", WIRE_PORTALS_ACK, 0, UINT64_MAX),
              "MPI message: protocol long, representation external32, number 8191, context slot 262143, "
              "tag 2147483647",
              "each field at its largest, in an acknowledgement too");
    CHECK_STR(said("assay-mpi", WIRE_PORTALS_GET, 1, 5), "MPI message fetched: number 5", "the octets of a long one");
    CHECK_STR(said("assay-mpi", WIRE_PORTALS_GET, 22, 532479), "MPI message fetched: number 532479", "of very many");
    CHECK_STR(said("assay-mpi", WIRE_PORTALS_PUT, 2, UINT64_C(9) << 32 | 64),
              "control message: control upper bits of numbers, argument 64", "what is told before");
    CHECK_STR(said("assay-mpi", WIRE_PORTALS_PUT, 2, UINT64_C(2) << 32 | 3),
              "control message: control credit, argument 3", "control");
    CHECK_STR(said("assay-mpi", WIRE_PORTALS_PUT, 2, UINT64_C(1) << 63 | UINT64_C(9) << 49 | 1),
              "wish to cancel a short MPI message: representation native, number 9, context slot 0, tag 1",
              "the same portal, another form");
    CHECK_STR(said("assay-mpi", WIRE_PORTALS_REPLY, 4, UINT64_C(6) << 32 | 0x524d4101),
              "access to an MPI window: context slot 6", "one-sided");
    CHECK_STR(said("assay-mpi", WIRE_PORTALS_PUT, 5, 0), "question to the owner of an MPI window", "without fields");
}

static void puma_has_one_form(void)
{
    CHECK_STR(said("puma-mpi", WIRE_PORTALS_PUT, 3, UINT64_C(0xfffffffe00050013)),
              "MPI message: tag -2, rank 5, context 2, ready no, reply yes, long yes", "a tag may be negative");
}

static void nothing_is_said_of_others(void)
{
    CHECK_STR(said("assay-mpi", WIRE_PORTALS_PUT, 23, 1), "nothing", "a portal of nobody");
    CHECK_STR(said("assay-mpi", WIRE_PORTALS_BARRIER, 0, 0), "nothing", "a message without match bits");
    CHECK(!wire_match_layout("mpi"), "a layout that nobody has");
    CHECK_STR(said("mpi", WIRE_PORTALS_PUT, 0, 0), "nothing", "nor says anything");
}

static void no_text_is_longer_than_told(void)
{
    for (unsigned i = 0; i < WIRE_MATCH_LAYOUTS; i++) {
        for (uint32_t portal = 0; portal < 24; portal++) {
            for (int sign = 0; sign < 2; sign++) {
                uint64_t bits = sign ? UINT64_MAX : UINT64_MAX >> 1;

                CHECK(strlen(said(wire_match_layouts[i].name, WIRE_PORTALS_PUT, portal, bits)) <
                          WIRE_MATCH_TEXT_MAX - 1,
                      "portal %u", portal);
            }
        }
    }
}

int main(void)
{
    TAP_RUN(assay_tells_messages_by_portal);
    TAP_RUN(puma_has_one_form);
    TAP_RUN(nothing_is_said_of_others);
    TAP_RUN(no_text_is_longer_than_told);
    return tap_done();
}
