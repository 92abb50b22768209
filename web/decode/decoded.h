/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What sharkd answers, written anew: only members that are known, in the shape that openapi.json describes, and no more
 * than a page can show.
 */
#ifndef WEB_DECODE_DECODED_H
#define WEB_DECODE_DECODED_H

#include <jansson.h>

enum {
    DECODED_TEXT_MAX = 1024,   /* octets of a text; what is longer is cut off */
    DECODED_DEPTH_MAX = 32,    /* of fields in fields */
    DECODED_FIELDS_MAX = 20000 /* of one packet */
};

/* decoded_frames makes of the result of "frames" a list of {number, time, source, destination, protocol, octets, info}:
 * number and octets are numbers, time is in seconds since the first packet. NULL: the result is something else, or no
 * memory. */
json_t *decoded_frames(const json_t *result);

/* decoded_tree makes of the result of "frame" a list of {text, fields}, fields being such a list again, or not there; a
 * field that the plugin complains of has "severity" (note, warning, error). NULL as before, and where there is more
 * than
 * the bounds above. */
json_t *decoded_tree(const json_t *result);

#endif
