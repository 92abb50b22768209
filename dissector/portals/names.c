/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Names of processes for the information column and the tree.
 */
#include "dissector/portals/names.h"

#include <epan/wmem_scopes.h>

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

static const char *address_text(packet_info *pinfo, const struct wire_portals_id *id)
{
    return wmem_strdup_printf(pinfo->pool, "%u.%u.%u.%u:%u", id->nid >> 24, id->nid >> 16 & 255, id->nid >> 8 & 255,
                              id->nid & 255, id->pid);
}

const char *names_long(packet_info *pinfo, const struct wire_portals_id *id)
{
    struct wire_portals_id whole = completed(id);
    const char *address = address_text(pinfo, id);

    if (!rank_known(&whole)) {
        return address;
    }
    return wmem_strdup_printf(pinfo->pool, "rank %u of group %u (%s)", whole.rid, whole.gid, address);
}

static const char *name_short(packet_info *pinfo, const struct wire_portals_id *id, bool with_group)
{
    if (!rank_known(id)) {
        return address_text(pinfo, id);
    }
    if (with_group) {
        return wmem_strdup_printf(pinfo->pool, "rank %u of group %u", id->rid, id->gid);
    }
    return wmem_strdup_printf(pinfo->pool, "rank %u", id->rid);
}

const char *names_rank(packet_info *pinfo, const struct wire_portals_id *id)
{
    struct wire_portals_id whole = completed(id);

    return rank_known(&whole) ? wmem_strdup_printf(pinfo->pool, "%u", whole.rid) : address_text(pinfo, id);
}

const char *names_pair(packet_info *pinfo, const struct wire_portals_id *from, const struct wire_portals_id *to)
{
    struct wire_portals_id one = completed(from);
    struct wire_portals_id other = completed(to);
    bool groups_differ = rank_known(&one) && rank_known(&other) && one.gid != other.gid;

    return wmem_strdup_printf(pinfo->pool, "%s -> %s", name_short(pinfo, &one, groups_differ),
                              name_short(pinfo, &other, groups_differ));
}
