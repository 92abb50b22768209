/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * The statistics tree of IMPI. The tap's data are the texts and numbers that the tree needs, made once per message.
 */
#include "dissector/impi/stats.h"

#include "dissector/impi/track.h"
#include "dissector/impi/tree.h"

#include <epan/stats_tree.h>
#include <epan/tap.h>

/* One message, for the listeners. Lives as long as its packet. */
struct told {
    const char *name;
    const char *pair; /* NULL: it is not between processes */
    int octets;       /* of data; negative: it has none */
    double time;      /* since what it answers; negative when it answers nothing */
};

static int tap = -1;
static int names_node, octets_node, times_node, pairs_node;

static const char names_name[] = "Messages";
static const char octets_name[] = "Octets of data in a packet";
static const char times_name[] = "Response time (us)";
static const char pairs_name[] = "Processes";

static void tree_begin(stats_tree *tree)
{
    names_node = stats_tree_create_node(tree, names_name, 0, STAT_DT_INT, TRUE);
    octets_node = stats_tree_create_node(tree, octets_name, 0, STAT_DT_INT, TRUE);
    times_node = stats_tree_create_node(tree, times_name, 0, STAT_DT_FLOAT, TRUE);
    pairs_node = stats_tree_create_node(tree, pairs_name, 0, STAT_DT_INT, TRUE);
    stat_node_set_flags(tree, octets_name, 0, TRUE, ST_FLG_AVERAGE);
    stat_node_set_flags(tree, times_name, 0, TRUE, ST_FLG_AVERAGE);
}

static tap_packet_status message_count(stats_tree *tree, packet_info *pinfo, epan_dissect_t *edt, const void *data,
                                       tap_flags_t flags)
{
    const struct told *told = data;

    (void)pinfo;
    (void)edt;
    (void)flags;
    tick_stat_node(tree, names_name, 0, TRUE);
    tick_stat_node(tree, told->name, names_node, FALSE);
    if (told->pair) {
        tick_stat_node(tree, pairs_name, 0, TRUE);
        tick_stat_node(tree, told->pair, pairs_node, FALSE);
    }
    if (told->octets >= 0) {
        avg_stat_node_add_value_int(tree, octets_name, 0, TRUE, told->octets);
        avg_stat_node_add_value_int(tree, told->name, octets_node, FALSE, told->octets);
    }
    if (told->time >= 0) {
        avg_stat_node_add_value_float(tree, times_name, 0, TRUE, (float)(told->time * 1e6));
        avg_stat_node_add_value_float(tree, told->name, times_node, FALSE, (float)(told->time * 1e6));
    }
    return TAP_PACKET_REDRAW;
}

void impi_stats_register(void)
{
    tap = register_tap("impi");
    stats_tree_register_plugin("impi", "impi", "IMPI", 0, message_count, tree_begin, NULL);
}

void impi_stats_count(const struct impi_pdu *pdu)
{
    bool packet = pdu->form == IMPI_FORM_PACKET;
    struct told *told;

    if (!have_tap_listener(tap)) {
        return;
    }
    told = wmem_new0(pdu->pinfo->pool, struct told);
    told->name = pdu->message ? pdu->message->label : "Rank of a host";
    told->pair = packet && pdu->packet.type != WIRE_IMPI_FINI ? impi_tree_pair(pdu) : NULL;
    told->octets = -1;
    if (packet && wire_impi_packet_has_data(pdu->packet.type)) {
        told->octets = pdu->packet.len > G_MAXINT ? G_MAXINT : (int)pdu->packet.len;
    }
    told->time = impi_track_time(pdu);
    tap_queue_packet(tap, pdu->pinfo, told);
}
