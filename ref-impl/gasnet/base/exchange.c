/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What nodes tell each other while they start: see exchange.h.
 */
#include "ref-impl/gasnet/base/exchange.h"

#include <portals3.h>
#include <stdlib.h>

#include "ref-impl/gasnet/base/bits.h"
#include "ref-impl/gasnet/base/fatal.h"
#include "ref-impl/gasnet/base/nodes.h"

static struct exchange_told *told; /* by round and node */

static uint64_t place(enum exchange_round round, uint32_t node)
{
    return (uint64_t)round * nodes_count() + node;
}

void exchange_open(void)
{
    const size_t octets = ROUNDS * nodes_count() * sizeof(*told);
    ptl_md_t md = {.length = octets,
                   .threshold = PTL_MD_THRESH_INF,
                   .options =
                       PTL_MD_OP_PUT | PTL_MD_MANAGE_REMOTE | PTL_MD_EVENT_START_DISABLE | PTL_MD_EVENT_END_DISABLE,
                   .eq_handle = PTL_EQ_NONE};

    md.start = told = calloc(1, octets);
    if (!told) {
        fatal_end("no memory for %u nodes", nodes_count());
    }
    (void)nodes_attach(PORTAL_MESSAGES, TO_START, &md); //= GASN-024
    nodes_barrier();                                    //= GASN-044
}

/* Puts to one node after the other, and waits for each acknowledgement: then what it says is there. */
static void put_to_all(const ptl_md_t *md, uint64_t at)
{
    const uint32_t count = nodes_count();
    ptl_handle_md_t handle;
    ptl_event_t event;

    fatal_portals(PtlMDBind(nodes_interface(), *md, PTL_RETAIN, &handle), "PtlMDBind");
    for (uint32_t step = 1; step < count; step++) {
        fatal_portals(PtlPut(handle, PTL_ACK_REQ, nodes_process((nodes_self() + step) % count), PORTAL_MESSAGES, 0,
                             TO_START, at * sizeof(*told), 0),
                      "PtlPut");
        do {
            fatal_portals(PtlEQWait(md->eq_handle, &event), "PtlEQWait");
        } while (event.type != PTL_EVENT_ACK); //= GASN-022 GASN-023
    }
    fatal_portals(PtlMDUnlink(handle), "PtlMDUnlink");
}

void exchange_tell(enum exchange_round round, struct exchange_told own)
{
    ptl_md_t md = {
        .start = &own, .length = sizeof(own), .threshold = PTL_MD_THRESH_INF, .options = PTL_MD_EVENT_START_DISABLE};

    told[place(round, nodes_self())] = own;
    fatal_portals(PtlEQAlloc(nodes_interface(), 2, PTL_EQ_HANDLER_NONE, &md.eq_handle), "PtlEQAlloc");
    put_to_all(&md, place(round, nodes_self()));
    fatal_portals(PtlEQFree(md.eq_handle), "PtlEQFree");
    nodes_barrier();
}

struct exchange_told exchange_of(enum exchange_round round, uint32_t node)
{
    return told[place(round, node)];
}
