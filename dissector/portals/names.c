/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Names of processes for the information column and the tree.
 */
#include "dissector/portals/names.h"

#include <epan/wmem_scopes.h>

enum { LONGEST = 64 }; /* of the names of one process, and its zero */

/* From address (node and process in one number) to what the process last said of itself. Processes of many nodes have
 * the same number, which is all that GLib's hash of such a key looks at. */
static wmem_map_t *known;

static guint64 address_of(const struct wire_portals_id *id)
{
    return (guint64)id->nid << 32 | id->pid;
}

static guint address_hash(gconstpointer address)
{
    return wmem_strong_hash(address, sizeof(guint64));
}

void names_register(void)
{
    known = wmem_map_new_autoreset(wmem_epan_scope(), wmem_file_scope(), address_hash, g_int64_equal);
}

static bool rank_known(const struct wire_portals_id *id)
{
    return id->gid != WIRE_PORTALS_ID_UNKNOWN && id->rid != WIRE_PORTALS_ID_UNKNOWN;
}

void names_learn(const struct wire_portals_id *id)
{
    guint64 address = address_of(id);
    struct wire_portals_id *kept = wmem_map_lookup(known, &address);

    if (!rank_known(id)) {
        return;
    }
    if (!kept) {
        guint64 *key = wmem_new(wmem_file_scope(), guint64);

        kept = wmem_new(wmem_file_scope(), struct wire_portals_id);
        *key = address;
        wmem_map_insert(known, key, kept);
    }
    *kept = *id;
}

/* The id with group and rank supplied where the sender did not know them and the process itself has told. */
static struct wire_portals_id completed(const struct wire_portals_id *id)
{
    guint64 address = address_of(id);
    const struct wire_portals_id *kept = rank_known(id) ? NULL : wmem_map_lookup(known, &address);

    return kept ? *kept : *id;
}

static void add_address(struct wire_text *text, const struct wire_portals_id *id)
{
    wire_text_add_ipv4(text, id->nid);
    wire_text_add(text, ":");
    wire_text_add_u64(text, id->pid);
}

static void add_name(struct wire_text *text, const struct wire_portals_id *id, bool with_group)
{
    if (!rank_known(id)) {
        add_address(text, id);
        return;
    }
    wire_text_add(text, "rank ");
    wire_text_add_u64(text, id->rid);
    if (with_group) {
        wire_text_add(text, " of group ");
        wire_text_add_u64(text, id->gid);
    }
}

const char *names_long(packet_info *pinfo, const struct wire_portals_id *id)
{
    struct wire_portals_id whole = completed(id);
    char name[LONGEST];
    struct wire_text text = wire_text_over(name, sizeof name);

    if (rank_known(&whole)) {
        add_name(&text, &whole, true);
        wire_text_add(&text, " (");
    }
    add_address(&text, id);
    wire_text_add(&text, rank_known(&whole) ? ")" : "");
    return wmem_strdup(pinfo->pool, name);
}

const char *names_rank(packet_info *pinfo, const struct wire_portals_id *id)
{
    struct wire_portals_id whole = completed(id);
    char name[LONGEST];
    struct wire_text text = wire_text_over(name, sizeof name);

    if (rank_known(&whole)) {
        wire_text_add_u64(&text, whole.rid);
    } else {
        add_address(&text, id);
    }
    return wmem_strdup(pinfo->pool, name);
}

void names_add_pair(struct wire_text *text, const struct wire_portals_id *from, const struct wire_portals_id *to)
{
    struct wire_portals_id one = completed(from);
    struct wire_portals_id other = completed(to);
    bool groups_differ = rank_known(&one) && rank_known(&other) && one.gid != other.gid;

    add_name(text, &one, groups_differ);
    wire_text_add(text, " -> ");
    add_name(text, &other, groups_differ);
}

const char *names_pair(packet_info *pinfo, const struct wire_portals_id *from, const struct wire_portals_id *to)
{
    char pair[2 * LONGEST];
    struct wire_text text = wire_text_over(pair, sizeof pair);

    names_add_pair(&text, from, to);
    return wmem_strdup(pinfo->pool, pair);
}
