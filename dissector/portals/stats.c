/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * The statistics tree. The tap's data are the texts and numbers that the tree needs, made once per message.
 */
#include "dissector/portals/stats.h"

#include "dissector/portals/names.h"
#include "dissector/portals/track.h"

#include <epan/stats_tree.h>
#include <epan/tap.h>

/* One message, for the listeners. Lives as long as its packet. */
struct stats_message {
    const struct wire_message *message;
    const char *pair;
    uint32_t portal;
    uint64_t octets; /* requested length */
    double time;     /* since its request; negative when it is no answer */
    bool addressed;  /* it has a portal index */
};

static int tap = -1;
static int operations_node, lengths_node, times_node, portals_node, pairs_node;

static const char operations_name[] = "Operations";
static const char lengths_name[] = "Requested octets";
static const char times_name[] = "Response time (us)";
static const char portals_name[] = "Portal indexes";
static const char pairs_name[] = "Processes";

static void tree_begin(stats_tree *tree)
{
    operations_node = stats_tree_create_node(tree, operations_name, 0, STAT_DT_INT, TRUE);
    lengths_node = stats_tree_create_node(tree, lengths_name, 0, STAT_DT_INT, TRUE);
    times_node = stats_tree_create_node(tree, times_name, 0, STAT_DT_FLOAT, TRUE);
    portals_node = stats_tree_create_node(tree, portals_name, 0, STAT_DT_INT, TRUE);
    pairs_node = stats_tree_create_node(tree, pairs_name, 0, STAT_DT_INT, TRUE);
    stat_node_set_flags(tree, lengths_name, 0, TRUE, ST_FLG_AVERAGE);
    stat_node_set_flags(tree, times_name, 0, TRUE, ST_FLG_AVERAGE);
}

/* The tree counts in int: a longer message counts as the longest that fits. */
static int octets_clamped(uint64_t octets)
{
    return octets > G_MAXINT ? G_MAXINT : (int)octets;
}

static void count_addressed(stats_tree *tree, const struct stats_message *of)
{
    char portal[sizeof "portal 4294967295"];
    int octets = octets_clamped(of->octets);

    (void)g_snprintf(portal, sizeof portal, "portal %u", of->portal);
    tick_stat_node(tree, portals_name, 0, TRUE);
    tick_stat_node(tree, portal, portals_node, FALSE);
    avg_stat_node_add_value_int(tree, lengths_name, 0, TRUE, octets);
    avg_stat_node_add_value_int(tree, of->message->label, lengths_node, FALSE, octets);
}

static tap_packet_status message_count(stats_tree *tree, packet_info *pinfo, epan_dissect_t *edt, const void *data,
                                       tap_flags_t flags)
{
    const struct stats_message *of = data;

    (void)pinfo;
    (void)edt;
    (void)flags;
    tick_stat_node(tree, operations_name, 0, TRUE);
    tick_stat_node(tree, of->message->label, operations_node, FALSE);
    tick_stat_node(tree, pairs_name, 0, TRUE);
    tick_stat_node(tree, of->pair, pairs_node, FALSE);
    if (of->addressed) {
        count_addressed(tree, of);
    }
    if (of->time >= 0) {
        float us = (float)(of->time * 1e6);

        avg_stat_node_add_value_float(tree, times_name, 0, TRUE, us);
        avg_stat_node_add_value_float(tree, of->message->label, times_node, FALSE, us);
    }
    return TAP_PACKET_REDRAW;
}

void stats_register(int proto)
{
    (void)proto;
    tap = register_tap("portals");
    stats_tree_register_plugin("portals", "portals", "Portals", 0, message_count, tree_begin, NULL);
}

void stats_count(const struct pdu *pdu)
{
    struct stats_message *of;

    if (!have_tap_listener(tap) || pdu->header.operation == WIRE_PORTALS_NUMBER) {
        return;
    }
    of = wmem_new0(pdu->pinfo->pool, struct stats_message);
    of->message = pdu->message;
    of->pair = names_pair(pdu->pinfo, &pdu->header.initiator, &pdu->header.target);
    of->portal = pdu->header.portal;
    of->octets = pdu->header.rlength;
    of->addressed = pdu->header.operation >= WIRE_PORTALS_PUT && pdu->header.operation <= WIRE_PORTALS_REPLY;
    of->time = track_time(pdu);
    tap_queue_packet(tap, pdu->pinfo, of);
}
