/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The chapters of the Portals interpreter.
 */
#ifndef INTERPRETER_PORTALS_VERBS_H
#define INTERPRETER_PORTALS_VERBS_H

#include "../core/verbs.h"
#include "call.h"

/* Each ends with a row without name. */
extern const struct verb portals_interface[], portals_match[], portals_descriptor[], portals_event[];
extern const struct verb portals_movement[], portals_handles[];

/* What a revision has in a form of its own, and what it has in addition: first/ or later/. */
extern const struct verb portals_own[], portals_added[];
extern const char portals_features[]; /* for `hello`, with a comma in front of each */

/* run_on_interface is for the functions that take nothing but an interface. */
void run_on_interface(struct call *call, int (*function)(ptl_handle_ni_t interface));

/* has_event tells whether the library gives an event with this code, result_event writes both. */
bool has_event(int code);
void result_event(struct call *call, int code, const ptl_event_t *event);

/* struct operation is what all calls that move data have in common; read_operation reads it. `descriptor` is the name
 * of the pair with the descriptor. */
struct operation {
    ptl_handle_md_t descriptor;
    ptl_process_id_t target;
    ptl_pt_index_t portal;
    ptl_ac_index_t cookie;
    ptl_match_bits_t bits;
    ptl_size_t offset;
    struct extra extra;
};
void read_operation(struct call *call, const char *descriptor, struct operation *operation);

#endif
