/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Process ids of Portals 3.2 and 3.3 as values: a node id and a process id, nid/NID/PID. specs/interpreter.md,
 * section 3 (process ids).
 */
#include "../call.h"

#include <string.h>

/* read_part reads one component, an integer or `any`, that ends at `end`. `too_wide` is set where it does not fit. */
static bool read_part(const char *text, const char *end, unsigned long long any, size_t octets, bool *too_wide,
                      unsigned long long *bits)
{
    char part[32] = "";
    struct integer integer;

    if (end - text >= (long)sizeof part)
        return false;
    memcpy(part, text, (size_t)(end - text));
    *bits = any;
    if (strcmp(part, "any") == 0)
        return true;
    if (!text_read_integer(part, &integer))
        return false;
    if (!text_integer_bits(&integer, octets, bits))
        *too_wide = true;
    return true;
}

void call_process(struct call *call, const char *key, ptl_process_id_t *process)
{
    const char *text = call_value(call, key), *nid = text + 4, *slash;
    unsigned long long nid_bits, pid_bits;
    bool too_wide = false;

    memset(process, 0, sizeof *process);
    slash = strncmp(text, "nid/", 4) == 0 ? strchr(nid, '/') : NULL;
    if (!slash || !read_part(nid, slash, PTL_NID_ANY, sizeof process->nid, &too_wide, &nid_bits) ||
        !read_part(slash + 1, slash + strlen(slash), PTL_PID_ANY, sizeof process->pid, &too_wide, &pid_bits)) {
        failure_set(&call->failure, "bad-value", "%s: '%.60s' is not a process id of this revision", key, text);
        return;
    }
    if (too_wide) {
        failure_set(&call->failure, "too-wide", "%s: an id of '%.60s' does not fit its type", key, text);
        return;
    }
    process->nid = (ptl_nid_t)nid_bits;
    process->pid = (ptl_pid_t)pid_bits;
}

void result_add_process(struct line *line, const ptl_process_id_t *process)
{
    line_add(line, "nid/");
    if (process->nid == PTL_NID_ANY)
        line_add(line, "any");
    else
        result_add_number(line, false, (unsigned long long)process->nid);
    line_add(line, "/");
    if (process->pid == PTL_PID_ANY)
        line_add(line, "any");
    else
        result_add_number(line, false, (unsigned long long)process->pid);
}
