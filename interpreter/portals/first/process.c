/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Process ids of Portals 3.0, in two addressings, as values: the one structure that commands pass as text.
 * specs/interpreter.md, section 3 (process ids).
 */
#include "../call.h"

#include <string.h>

#define IS_SIGNED(type) ((type)-1 < (type)1)

/* Stands in members that nobody may look at. */
#define VALUE_IGNORED ((ptl_id_t)0xdeadbeefu)

/* process_parts cuts "form/A/B.." into `count` integers or `any`; false when it has another form. `too_wide` is set
 * when one of them does not fit. */
static bool process_parts(const char *text, const char *form, size_t count, ptl_id_t *parts, bool *too_wide)
{
    size_t len = strlen(form);

    if (strncmp(text, form, len) != 0 || text[len] != '/')
        return false;
    text += len + 1;
    for (size_t i = 0; i < count; i++) {
        char part[32] = "";
        struct integer integer;
        unsigned long long bits = 0;
        len = strcspn(text, "/");
        if (len >= sizeof part || (text[len] == '/') != (i + 1 < count))
            return false;
        memcpy(part, text, len);
        text += len + 1;
        if (strcmp(part, "any") == 0)
            parts[i] = PTL_ID_ANY;
        else if (!text_read_integer(part, &integer))
            return false;
        else if (!text_integer_bits(&integer, sizeof(ptl_id_t), &bits))
            *too_wide = true;
        else
            parts[i] = (ptl_id_t)bits;
    }
    return true;
}

static void set_ids(ptl_process_id_t *process, ptl_addr_kind_t kind, const ptl_id_t *nid_pid, const ptl_id_t *gid_rid)
{
    process->addr_kind = kind;
    process->nid = nid_pid ? nid_pid[0] : VALUE_IGNORED;
    process->pid = nid_pid ? nid_pid[1] : VALUE_IGNORED;
    process->gid = gid_rid ? gid_rid[0] : VALUE_IGNORED;
    process->rid = gid_rid ? gid_rid[1] : VALUE_IGNORED;
}

void call_process(struct call *call, const char *key, ptl_process_id_t *process)
{
    const char *text = call_value(call, key);
    ptl_id_t parts[5] = {0};
    bool too_wide = false;

    memset(process, 0, sizeof *process);
    if (process_parts(text, "nid", 2, parts, &too_wide))
        set_ids(process, PTL_ADDR_NID, parts, NULL);
    else if (process_parts(text, "gid", 2, parts, &too_wide))
        set_ids(process, PTL_ADDR_GID, NULL, parts);
    else if (process_parts(text, "both", 4, parts, &too_wide))
        set_ids(process, PTL_ADDR_BOTH, parts, parts + 2);
    else if (process_parts(text, "kind", 5, parts, &too_wide))
        set_ids(process, (ptl_addr_kind_t)parts[0], parts + 1, parts + 3);
    else
        failure_set(&call->failure, "bad-value", "%s: '%.60s' is not a process id", key, text);
    if (too_wide)
        failure_set(&call->failure, "too-wide", "%s: an id of '%.60s' is not an integer of %u octets", key, text,
                    (unsigned)sizeof parts[0]);
}

static void add_id(struct line *line, const char *before, ptl_id_t id)
{
    line_add(line, "%s", before);
    if (id == PTL_ID_ANY)
        line_add(line, "any");
    else
        result_add_number(line, IS_SIGNED(ptl_id_t), (unsigned long long)id);
}

void result_add_process(struct line *line, const ptl_process_id_t *process)
{
    bool node = process->addr_kind != PTL_ADDR_GID, group = process->addr_kind != PTL_ADDR_NID;

    if (!group)
        line_add(line, "nid");
    else if (!node)
        line_add(line, "gid");
    else if (process->addr_kind == PTL_ADDR_BOTH)
        line_add(line, "both");
    else
        line_add(line, "kind/%lld", (long long)process->addr_kind);
    if (node) {
        add_id(line, "/", process->nid);
        add_id(line, "/", process->pid);
    }
    if (group) {
        add_id(line, "/", process->gid);
        add_id(line, "/", process->rid);
    }
}
