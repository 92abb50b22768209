/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * The tables of Wireshark's menus; see tables.h.
 */
#include "dissector/common/tables.h"

#include <epan/export_object.h>
#include <epan/srt_table.h>
#include <epan/stats_tree.h>
#include <epan/tap.h>

#include <stddef.h>
#include <string.h>

/* ---- the tree of counts ---- */

static const char kinds_name[] = "Messages";
static const char octets_name[] = "Octets of data";
static const char lengths_name[] = "Octets in a message";
static const char times_name[] = "Response time (us)";
static const char portals_name[] = "Portal indexes";
static const char pairs_name[] = "Processes";

static void tree_begin(stats_tree *tree)
{
    (void)stats_tree_create_node(tree, kinds_name, 0, STAT_DT_INT, TRUE);
    (void)stats_tree_create_node(tree, octets_name, 0, STAT_DT_INT, TRUE);
    (void)stats_tree_create_node(tree, lengths_name, 0, STAT_DT_INT, TRUE);
    (void)stats_tree_create_node(tree, times_name, 0, STAT_DT_FLOAT, TRUE);
    (void)stats_tree_create_node(tree, pairs_name, 0, STAT_DT_INT, TRUE);
    stat_node_set_flags(tree, lengths_name, 0, TRUE, ST_FLG_AVERAGE);
    stat_node_set_flags(tree, times_name, 0, TRUE, ST_FLG_AVERAGE);
}

static void count(stats_tree *tree, const char *parent, const char *name)
{
    (void)tick_stat_node(tree, parent, 0, TRUE);
    (void)tick_stat_node(tree, name, stats_tree_parent_id_by_name(tree, parent), FALSE);
}

/* The tree counts in int: a longer message counts as the longest that fits. */
static void count_octets(stats_tree *tree, const struct tables_message *message)
{
    int octets = message->octets > G_MAXINT ? G_MAXINT : (int)message->octets;

    (void)increase_stat_node(tree, octets_name, 0, TRUE, octets);
    (void)increase_stat_node(tree, message->kind, stats_tree_parent_id_by_name(tree, octets_name), FALSE, octets);
    (void)avg_stat_node_add_value_int(tree, lengths_name, 0, TRUE, octets);
    (void)avg_stat_node_add_value_int(tree, message->kind, stats_tree_parent_id_by_name(tree, lengths_name), FALSE,
                                      octets);
}

static void count_time(stats_tree *tree, const packet_info *pinfo, const struct tables_message *message)
{
    nstime_t passed;

    nstime_delta(&passed, &pinfo->abs_ts, message->asked);
    (void)avg_stat_node_add_value_float(tree, times_name, 0, TRUE, (float)(nstime_to_sec(&passed) * 1e6));
    (void)avg_stat_node_add_value_float(tree, message->kind, stats_tree_parent_id_by_name(tree, times_name), FALSE,
                                        (float)(nstime_to_sec(&passed) * 1e6));
}

static tap_packet_status tree_count(stats_tree *tree, packet_info *pinfo, epan_dissect_t *edt, const void *data,
                                    tap_flags_t flags)
{
    const struct tables_message *message = data;

    (void)edt;
    (void)flags;
    count(tree, kinds_name, message->kind);
    if (message->pair) {
        count(tree, pairs_name, message->pair);
    }
    if (message->portal) {
        count(tree, portals_name, message->portal);
    }
    if (message->octets >= 0) {
        count_octets(tree, message);
    }
    if (message->asked) {
        count_time(tree, pinfo, message);
    }
    return TAP_PACKET_REDRAW;
}

/* ---- response times ---- */

static struct tables_protocol *protocols[2]; /* those that have registered */

static const struct tables_protocol *protocol_of(register_srt_t *srt)
{
    const char *abbrev = proto_get_protocol_filter_name(get_srt_proto_id(srt));
    size_t at = protocols[1] && strcmp(protocols[1]->abbrev, abbrev) == 0 ? 1 : 0;

    return protocols[at];
}

static void answers_begin(struct register_srt *srt, GArray *array)
{
    const struct tables_answers *answers = &protocol_of(srt)->answers;
    int rows = 0;
    srt_stat_table *table;

    while (answers->names[rows]) {
        rows++;
    }
    table = init_srt_table(answers->title, NULL, array, rows, "Answer", answers->filter, NULL);
    for (int row = 0; row < rows; row++) {
        init_srt_table_row(table, row, answers->names[row]);
    }
}

static tap_packet_status answers_count(void *data, packet_info *pinfo, epan_dissect_t *edt, const void *told,
                                       tap_flags_t flags)
{
    const struct tables_message *message = told;
    const srt_data_t *tables = data;

    (void)edt;
    (void)flags;
    if (!message->asked) {
        return TAP_PACKET_DONT_REDRAW;
    }
    add_srt_table_data(g_array_index(tables->srt_array, srt_stat_table *, 0), (int)message->row, message->asked, pinfo);
    return TAP_PACKET_REDRAW;
}

/* ---- conversations and endpoints ---- */

/* The field by which an end of a conversation can be filtered, where it is a rank: addresses are no values of it. */
static const char *conversation_filter(struct _conversation_item_t *item, conv_filter_type_e filter)
{
    const struct tables_protocol *protocol =
        (const struct tables_protocol *)((const char *)item->dissector_info -
                                         offsetof(struct tables_protocol, conversation));

    switch (filter) {
    case CONV_FT_SRC_ADDRESS:
        return protocol->from_rank;
    case CONV_FT_DST_ADDRESS:
        return protocol->to_rank;
    default:
        return CONV_FILTER_INVALID;
    }
}

static const char *endpoint_filter(struct _endpoint_item_t *item, conv_filter_type_e filter)
{
    const struct tables_protocol *protocol =
        (const struct tables_protocol *)((const char *)item->dissector_info -
                                         offsetof(struct tables_protocol, endpoint));

    return filter == CONV_FT_SRC_ADDRESS   ? protocol->from_rank
           : filter == CONV_FT_DST_ADDRESS ? protocol->to_rank
                                           : CONV_FILTER_INVALID;
}

static address address_of(const char *process)
{
    address made;

    set_address(&made, AT_STRINGZ, (int)strlen(process) + 1, process);
    return made;
}

static int span_of(const struct tables_message *message)
{
    return message->span > G_MAXINT ? G_MAXINT : (int)message->span;
}

static tap_packet_status conversations_count(void *data, packet_info *pinfo, epan_dissect_t *edt, const void *told,
                                             tap_flags_t flags)
{
    const struct tables_message *message = told;
    conv_hash_t *conversations = data;
    address from, to;

    (void)edt;
    if (!message->pair) {
        return TAP_PACKET_DONT_REDRAW;
    }
    from = address_of(message->from);
    to = address_of(message->to);
    conversations->flags = flags;
    add_conversation_table_data(conversations, &from, &to, 0, 0, 1, span_of(message), &pinfo->rel_ts, &pinfo->abs_ts,
                                &message->protocol->conversation, CONVERSATION_NONE);
    return TAP_PACKET_REDRAW;
}

static tap_packet_status endpoints_count(void *data, packet_info *pinfo, epan_dissect_t *edt, const void *told,
                                         tap_flags_t flags)
{
    const struct tables_message *message = told;
    conv_hash_t *endpoints = data;
    address from, to;

    (void)pinfo;
    (void)edt;
    if (!message->pair) {
        return TAP_PACKET_DONT_REDRAW;
    }
    from = address_of(message->from);
    to = address_of(message->to);
    endpoints->flags = flags;
    add_endpoint_table_data(endpoints, &from, 0, TRUE, 1, span_of(message), &message->protocol->endpoint,
                            ENDPOINT_NONE);
    add_endpoint_table_data(endpoints, &to, 0, FALSE, 1, span_of(message), &message->protocol->endpoint, ENDPOINT_NONE);
    return TAP_PACKET_REDRAW;
}

/* ---- data as files ---- */

/* One message's data. Lives as long as its packet. */
struct file {
    const char *from, *name;
    const unsigned char *octets;
    size_t len;
};

static tap_packet_status file_add(void *data, packet_info *pinfo, epan_dissect_t *edt, const void *told,
                                  tap_flags_t flags)
{
    const struct file *file = told;
    export_object_list_t *list = data;
    export_object_entry_t *entry = g_new0(export_object_entry_t, 1);

    (void)edt;
    (void)flags;
    entry->pkt_num = pinfo->num;
    entry->hostname = g_strdup(file->from);
    entry->content_type = g_strdup("application/octet-stream");
    entry->filename = g_strdup(file->name);
    entry->payload_len = file->len;
    entry->payload_data = g_memdup2(file->octets, file->len);
    list->add_entry(list->gui_data, entry);
    return TAP_PACKET_REDRAW;
}

bool tables_export_wanted(const struct tables_protocol *protocol)
{
    return have_tap_listener(protocol->export_tap);
}

void tables_export(const struct tables_protocol *protocol, packet_info *pinfo, tvbuff_t *data, const char *from,
                   const char *name)
{
    struct file *file;
    unsigned len = tvb_captured_length(data);

    if (len == 0 || len < tvb_reported_length(data)) {
        return;
    }
    file = wmem_new(pinfo->pool, struct file);
    *file = (struct file){from, name, tvb_get_ptr(data, 0, (int)len), len};
    tap_queue_packet(protocol->export_tap, pinfo, file);
}

/* ---- all of them ---- */

void tables_register(struct tables_protocol *protocol, int proto)
{
    protocols[protocols[0] ? 1 : 0] = protocol;
    protocol->conversation.get_filter_type = conversation_filter;
    protocol->endpoint.get_filter_type = endpoint_filter;
    protocol->tap = register_tap(protocol->abbrev);
    stats_tree_register_plugin(protocol->abbrev, protocol->abbrev, protocol->title, 0, tree_count, tree_begin, NULL);
    register_srt_table(proto, protocol->abbrev, 1, answers_count, answers_begin, NULL);
    register_conversation_table(proto, TRUE, conversations_count, endpoints_count);
    protocol->export_tap = register_export_object(proto, file_add, NULL);
}

bool tables_wanted(const struct tables_protocol *protocol)
{
    return have_tap_listener(protocol->tap);
}

void tables_tell(packet_info *pinfo, const struct tables_message *message)
{
    tap_queue_packet(message->protocol->tap, pinfo, message);
}
