/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Counting violations by their senders (check_senders.h).
 */
#include "tester/commands/check_senders.h"

#include <inttypes.h>
#include <stdio.h>

static void name_of(const struct wire_examine_violation *violation, char *text, size_t room)
{
    const struct wire_portals_id *id = &violation->sender;

    if (wire_examine_is_hearsay(violation)) {
        snprintf(text, room, "a client that was not captured");
        return;
    }
    if (id->nid == 0) {
        capture_end_text(&violation->from, text, room);
        return;
    }
    snprintf(text, room, "rank %" PRIu32 " of group %" PRIu32 " (%u.%u.%u.%u:%" PRIu32 ")", id->rid, id->gid,
             id->nid >> 24, id->nid >> 16 & 255, id->nid >> 8 & 255, id->nid & 255, id->pid);
}

json_t *check_senders_json(const struct findings *findings)
{
    json_t *places = json_object(), *made = json_array();

    for (size_t i = 0; i < findings->violation_count; i++) {
        char name[96];

        name_of(&findings->violations[i], name, sizeof name);
        json_t *known = json_object_get(places, name);
        if (!known) {
            known = json_pack("{s:s,s:i}", "sender", name, "breaches", 0);
            json_object_set(places, name, known);
            json_array_append_new(made, known);
        }
        json_object_set_new(known, "breaches",
                            json_integer(json_integer_value(json_object_get(known, "breaches")) + 1));
    }
    json_decref(places);
    return made;
}

void check_senders_print(const struct findings *findings)
{
    json_t *senders = check_senders_json(findings), *sender;
    size_t place;

    if (json_array_size(senders) > 1) {
        json_array_foreach(senders, place, sender)
        {
            printf("sender: %s: violations: %" JSON_INTEGER_FORMAT "\n",
                   json_string_value(json_object_get(sender, "sender")),
                   json_integer_value(json_object_get(sender, "breaches")));
        }
    }
    json_decref(senders);
}
