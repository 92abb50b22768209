/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The upcalls of the driver, under the thesis's names (3.3.3, 5.3.2): `parse` is lib_parse, which decides about a
 * message; `receive` copies to the user, cb_recv; `finalize` and `sent` are lib_finalize at target and initiator.
 */
#include "ref-impl/nal/intercept/net.h"
#include "wire/portals/rules.h"

#include <stdlib.h>
#include <string.h>

/* Who has sent a message from that node: the job's member there; where it has none, a process of another job, which is
 * what it says it is as long as it is on that node. NULL: nobody can have. */
static const struct wire_portals_id *sender_on(const struct intercept_net *net, uint16_t iuca,
                                               const struct wire_portals_header *header)
{
    for (uint32_t rank = 0; rank < net->size; rank++) {
        if (net->members[rank].nid == iuca) {
            return &net->members[rank];
        }
    }
    return header->initiator.nid == iuca ? &header->initiator : NULL;
}

static void landing_add(struct intercept_net *net, struct intercept_landing *landing)
{
    landing->prev = NULL;
    landing->next = net->landings;
    if (landing->next) {
        landing->next->prev = landing;
    }
    net->landings = landing;
}

static void landing_free(struct intercept_net *net, struct intercept_landing *landing)
{
    if (landing->next) {
        landing->next->prev = landing->prev;
    }
    if (landing->prev) {
        landing->prev->next = landing->next;
    } else {
        net->landings = landing->next;
    }
    free(landing);
}

/* The core decides about a message for that interface. */
//= ICPT-220
static void message_decide(struct intercept_net *net, uint32_t number, const struct wire_portals_header *header,
                           uint64_t payload, struct intercept_wanted *wanted)
{
    struct intercept_landing *landing = calloc(1, sizeof *landing);
    bool begun = false;

    while (landing && !(begun = landing_begin(&net->arrivals, &landing->landing, number, header, payload)) &&
           !arrivals_keep(&net->arrivals, number, header)) {
    }
    if (!landing) {
        arrivals_count_drop(&net->arrivals, number);
    } else if (!begun || landing->landing.state == LANDING_NONE) {
        free(landing);
    } else {
        landing_add(net, landing);
        landing->memory = landing->landing.start;
        wanted->mlength = landing->landing.remaining;
        wanted->memory = landing->memory;
        wanted->token = landing;
    }
}

//= ICPT-188
static void library_parse(void *portals, const struct intercept_arrival *arrival, struct intercept_wanted *wanted)
{
    struct intercept_net *net = portals;
    uint32_t number = arrival->vnic > 0 ? arrival->vnic - 1 : 0;
    struct wire_portals_header header;
    uint64_t payload = 0;

    if (!arrival->header || wire_portals_decode(arrival->header, wire_intercept_portals_octets(arrival->header, 4),
                                                &header, NULL, &payload) != WIRE_OK) {
        arrivals_count_drop(&net->arrivals, number);
        return;
    }
    wanted->rlength = payload;
    const struct wire_portals_id *sender = sender_on(net, arrival->source, &header);
    if (!sender || wire_portals_validate(&header, sender, &net->self) != WIRE_PORTALS_LEGAL) {
        arrivals_count_drop(&net->arrivals, number);
        return;
    }
    message_decide(net, number, &header, payload, wanted);
}

//= ICPT-053
//= ICPT-223
static void library_receive(void *portals, void *token, uint64_t offset, const unsigned char *octets, size_t len)
{
    struct intercept_net *net = portals;
    struct intercept_landing *landing = token;

    if (!landing) {
        return;
    }
    pthread_mutex_lock(&net->arrivals.sink_lock);
    if (landing->landing.state == LANDING_ACTIVE) {
        memcpy(landing->memory + offset, octets, len);
    }
    pthread_mutex_unlock(&net->arrivals.sink_lock);
}

static void library_finalize(void *portals, void *token, bool complete)
{
    struct intercept_net *net = portals;
    struct intercept_landing *landing = token;

    landing_end(&net->arrivals, &landing->landing, complete);
    landing_free(net, landing);
}

//= ICPT-218
static void library_sent(void *portals, struct intercept_send *send, bool complete)
{
    struct intercept_net *net = portals;
    struct intercept_item *item = net->items;

    while (&item->send != send) {
        item = item->next;
    }
    if (item->next) {
        item->next->prev = item->prev;
    }
    if (item->prev) {
        item->prev->next = item->next;
    } else {
        net->items = item->next;
    }
    item->base.complete = complete;
    peer_queue_append(&net->finished, &item->base);
    lock_take(&net->lock);
    item->base.interface->moved = true;
    lock_give(&net->lock);
}

//= ICPT-194
//= ICPT-211
const struct intercept_library intercept_net_library = {
    .parse = library_parse, .receive = library_receive, .finalize = library_finalize, .sent = library_sent};

void intercept_net_settle(struct intercept_net *net)
{
    for (struct intercept_landing *landing = net->landings; landing; landing = landing->next) {
        (void)landing_settle(&net->arrivals, &landing->landing);
    }
}
