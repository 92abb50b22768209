/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A capture of the Intercept network as steps that a page replays: every frame on the cable of a card, with its decoded
 * header, what became of it, the Portals call that caused it, and the requirements that explain it.
 *
 *     {"cards":  [{"name": "rank 0", "iuca": 46275}, ..],
 *      "causes": [{"call": "PtlPut", "by": 0, "to": 1, "octets": 40, "what": "message 0"}, ..],
 *      "steps":  [{"packet": 22, "time_us": 12.5, "card": 0, "up": true, "plane": 2, "octets": 116,
 *                  "message": "rts", "label": "Request to send", "condition": "sound", "again": false,
 *                  "cause": 0, "requirements": ["ICPT-159"], "fields": [["Kind", "short message (2)"], ..],
 *                  "findings": [{"requirement": "ICPT-009", "text": ".."}]}, ..],
 *      "left_out": 0}
 *
 * `name`: the rank that Portals headers tell, or "node 46275". `card`, `by`, `to` and `cause` are indices, or null.
 * `up`: from the card towards the switch. `condition` is sound, corrupt, withdrawn or lost; what is damaged has no
 * fields. Times begin at the first step. `left_out`: frames beyond REPLAY_STEPS_MAX, and those of cables at whose ends
 * no card is known.
 */
#ifndef TESTER_CAPTURE_REPLAY_H
#define TESTER_CAPTURE_REPLAY_H

#include <jansson.h>
#include <stddef.h>

enum { REPLAY_STEPS_MAX = 2000, REPLAY_CARDS_MAX = 64 };

/* replay_read - reads the capture. NULL, and a message, when it is none or holds no frame of a card. A capture that is
 * cut off is shown up to there. The caller releases the JSON. */
json_t *replay_read(const char *path, char *message, size_t message_octets);

#endif
