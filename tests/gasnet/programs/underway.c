/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the conduit has under way, as Portals sees it: the calls of Portals go through this program, linked with
 * -Wl,--wrap of each. "limit N": so many messages at once and no more, though all events are kept back until the
 * conduit does nothing but ask for them. "temporaries": each descriptor that was made for one operation is unlinked.
 * "joins": halves of long messages of two nodes, which have the same number, each find their own. Says "right".
 */
#define GASNET_SEQ 1
#include <gasnet.h>
#include <portals3.h>
#include <stdbool.h>
#include <string.h>

#include "tests/gasnet/programs/must.h"

enum { SEGMENT = 1 << 20, LARGE = 4096, MANY = 1000, IDLE = 60, SEGMENT_PORTAL = 38, LONG_CAME = 200, MARK };

static gasnet_seginfo_t *segment;
static unsigned char elsewhere[64 * LARGE];

/* ---- the calls of Portals -------------------------------------------------------------------------------------- */

int __real_PtlPutRegion(ptl_handle_md_t md, ptl_size_t local, ptl_size_t octets, ptl_ack_req_t ack,
                        ptl_process_id_t target, ptl_pt_index_t portal, ptl_ac_index_t cookie, ptl_match_bits_t bits,
                        ptl_size_t remote, ptl_hdr_data_t header) __attribute__((weak));
int __wrap_PtlPutRegion(ptl_handle_md_t md, ptl_size_t local, ptl_size_t octets, ptl_ack_req_t ack,
                        ptl_process_id_t target, ptl_pt_index_t portal, ptl_ac_index_t cookie, ptl_match_bits_t bits,
                        ptl_size_t remote, ptl_hdr_data_t header);
int __real_PtlEQGet(ptl_handle_eq_t eq, ptl_event_t *event) __attribute__((weak));
int __wrap_PtlEQGet(ptl_handle_eq_t eq, ptl_event_t *event);
int __real_PtlEQPoll(ptl_handle_eq_t *eqs, int count, ptl_time_t ms, ptl_event_t *event, int *which)
    __attribute__((weak));
int __wrap_PtlEQPoll(ptl_handle_eq_t *eqs, int count, ptl_time_t ms, ptl_event_t *event, int *which);
int __real_PtlMDBind(ptl_handle_ni_t ni, ptl_md_t md, ptl_unlink_t unlink, ptl_handle_md_t *handle)
    __attribute__((weak));
int __wrap_PtlMDBind(ptl_handle_ni_t ni, ptl_md_t md, ptl_unlink_t unlink, ptl_handle_md_t *handle);
int __real_PtlMDUnlink(ptl_handle_md_t md) __attribute__((weak));
int __wrap_PtlMDUnlink(ptl_handle_md_t md);

/* Messages that wait for an acknowledgement, and the most there were; descriptors that are bound. */
static int under_way, most_under_way, bound, most_bound;

/* Events are kept back as long as the conduit does something else in between. */
static bool keeps_back;
static int asked_in_vain;

/* The put that is held, and of which portal the next one will be. */
static enum { HOLD_NONE, HOLD_SEGMENT, HOLD_MESSAGES, HELD } holding;
static struct {
    ptl_handle_md_t md;
    ptl_size_t local, octets, remote;
    ptl_ack_req_t ack;
    ptl_process_id_t target;
    ptl_pt_index_t portal;
    ptl_match_bits_t bits;
    ptl_hdr_data_t header;
} held;

int __wrap_PtlPutRegion(ptl_handle_md_t md, ptl_size_t local, ptl_size_t octets, ptl_ack_req_t ack,
                        ptl_process_id_t target, ptl_pt_index_t portal, ptl_ac_index_t cookie, ptl_match_bits_t bits,
                        ptl_size_t remote, ptl_hdr_data_t header)
{
    asked_in_vain = 0;
    if (ack == PTL_ACK_REQ && ++under_way > most_under_way) {
        most_under_way = under_way;
    }
    if (holding == (portal == SEGMENT_PORTAL ? HOLD_SEGMENT : HOLD_MESSAGES)) {
        held.md = md, held.local = local, held.octets = octets, held.ack = ack, held.target = target;
        held.portal = portal, held.bits = bits, held.remote = remote, held.header = header;
        holding = HELD;
        return PTL_OK;
    }
    return __real_PtlPutRegion(md, local, octets, ack, target, portal, cookie, bits, remote, header);
}

static int counted(int code, const ptl_event_t *event)
{
    if (code == PTL_OK && event->type == PTL_EVENT_ACK) {
        under_way--;
    }
    return code;
}

int __wrap_PtlEQGet(ptl_handle_eq_t eq, ptl_event_t *event)
{
    if (keeps_back && asked_in_vain++ < IDLE) {
        return PTL_EQ_EMPTY;
    }
    return counted(__real_PtlEQGet(eq, event), event);
}

int __wrap_PtlEQPoll(ptl_handle_eq_t *eqs, int count, ptl_time_t ms, ptl_event_t *event, int *which)
{
    return counted(__real_PtlEQPoll(eqs, count, ms, event, which), event);
}

int __wrap_PtlMDBind(ptl_handle_ni_t ni, ptl_md_t md, ptl_unlink_t unlink, ptl_handle_md_t *handle)
{
    if (++bound > most_bound) {
        most_bound = bound;
    }
    return __real_PtlMDBind(ni, md, unlink, handle);
}

int __wrap_PtlMDUnlink(ptl_handle_md_t md)
{
    bound--;
    return __real_PtlMDUnlink(md);
}

/* ---- what is tried --------------------------------------------------------------------------------------------- */

//= GASN-121 GASN-132
static void limit(int wanted)
{
    char *own = segment[gasnet_mynode()].addr, *there = segment[gasnet_nodes() - 1].addr;

    if (gasnet_mynode() == 0) {
        HOLDS(under_way == 0);
        most_under_way = 0;
        keeps_back = true;
        for (int i = 0; i < MANY; i++) {
            gasnet_put_nbi_bulk(1, there + 8 * i, own + 8 * i, 8);
        }
        keeps_back = false;
        gasnet_wait_syncnbi_puts();
        if (most_under_way != wanted) {
            fprintf(stderr, "%d messages were under way at once, not %d\n", most_under_way, wanted);
            gasnet_exit(4);
        }
    }
}

/* Puts, gets and data of long messages from and to memory outside of the segment, of which each needs a descriptor. */
//= GASN-066 GASN-067 GASN-068 GASN-120
static void temporaries(int most)
{
    char *there = segment[(gasnet_mynode() + 1) % gasnet_nodes()].addr;
    const double begun = seconds_now();
    const int before = bound;

    for (int i = 0; i < 64; i++) {
        unsigned char *here = elsewhere + (size_t)i * LARGE;

        if (i % 2) {
            gasnet_put_nbi_bulk((gasnet_mynode() + 1) % gasnet_nodes(), there + (size_t)i * LARGE, here, LARGE);
        } else {
            gasnet_get_nbi_bulk(here, (gasnet_mynode() + 1) % gasnet_nodes(), there + (size_t)i * LARGE, LARGE);
        }
    }
    gasnet_wait_syncnbi_all();
    MUST(gasnet_AMRequestLong0((gasnet_mynode() + 1) % gasnet_nodes(), MARK, elsewhere, LARGE, there));
    HOLDS(most_bound > before && most_bound <= before + most);
    while (bound != before && seconds_now() - begun < 60) {
        MUST(gasnet_AMPoll());
    }
    HOLDS(bound == before);
}

static int marks, came;

static void mark(gasnet_token_t token)
{
    (void)token;
    marks++;
}

static void mark_long(gasnet_token_t token, void *data, size_t octets)
{
    (void)token, (void)data, (void)octets;
    marks++;
}

/* All of the data must be there, of the node that sent it. */
static void long_came(gasnet_token_t token, void *data, size_t octets)
{
    gasnet_node_t from;

    MUST(gasnet_AMGetMsgSource(token, &from));
    HOLDS(octets == LARGE && data == (char *)segment[0].addr + (size_t)from * LARGE);
    for (size_t i = 0; i < octets; i++) {
        HOLDS(((unsigned char *)data)[i] == from);
    }
    came++;
}

/* Of node 1 the message comes and its data is held, of node 2 the data and its message is held. */
//= GASN-147
static void joins(void)
{
    const gasnet_node_t self = gasnet_mynode();

    if (self > 0) {
        unsigned char *own = segment[self].addr;

        memset(own, (int)self, LARGE);
        holding = self == 1 ? HOLD_SEGMENT : HOLD_MESSAGES;
        MUST(gasnet_AMRequestLongAsync0(0, LONG_CAME, own, LARGE, (char *)segment[0].addr + (size_t)self * LARGE));
        HOLDS(holding == HELD);
        MUST(gasnet_AMRequestShort0(0, MARK + 1));
    } else {
        GASNET_BLOCKUNTIL(marks == 2);
        MUST(gasnet_AMPoll());
        HOLDS(came == 0);
    }
    barrier_all();
    if (self > 0) {
        HOLDS(__real_PtlPutRegion(held.md, held.local, held.octets, held.ack, held.target, held.portal, 0, held.bits,
                                  held.remote, held.header) == PTL_OK);
    } else {
        GASNET_BLOCKUNTIL(came == 2);
    }
}

int main(int argc, char **argv)
{
    gasnet_handlerentry_t handlers[] = {
        {LONG_CAME, (void (*)())long_came}, {MARK, (void (*)())mark_long}, {MARK + 1, (void (*)())mark}};
    const char *what = argc > 1 ? argv[1] : "";
    const int number = argc > 2 ? atoi(argv[2]) : 0;

    MUST(gasnet_init(&argc, &argv));
    MUST(gasnet_attach(handlers, 3, SEGMENT, 0));
    segment = segments();
    barrier_all();
    if (!strcmp(what, "limit")) {
        limit(number);
    } else if (!strcmp(what, "temporaries")) {
        temporaries(number);
    } else if (!strcmp(what, "joins")) {
        joins();
    }
    barrier_all();
    if (gasnet_mynode() == 0) {
        printf("right\n");
        (void)fflush(stdout);
    }
    barrier_all();
    gasnet_exit(0);
}
