/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The forgeries of one case: what its scripted peers said against a rule, as the passive checkers heard it, and what
 * the case says about that. A case declares each violation of its peers, and nothing that is none. A case that breaks
 * this is no judge of anybody.
 */
#ifndef TESTER_JUDGING_FORGERY_H
#define TESTER_JUDGING_FORGERY_H

#include "tester/judging/judge.h"

#include <stdbool.h>

struct forgeries;

/* forgery_open begins with none; forgery_close frees all. */
struct forgeries *forgery_open(void);
void forgery_close(struct forgeries *forgeries);

/* forgery_found notes a violation by a scripted peer: `where` is the flow on which it was heard, `rule` the rule's name
 * in wire/, `text` the sentence of the checker. forgeries may be NULL. */
void forgery_found(struct forgeries *forgeries, const void *where, const char *rule, const char *text);

/* forgery_declare is the case's word that `rule` was broken `where`, or with NULL anywhere, since it said so last.
 * False when no passive checker has heard that. */
bool forgery_declare(struct forgeries *forgeries, const void *where, const char *rule);

/* forgery_forgive passes over violations of `rule` that were heard `where`: the house's own scripted peers are known to
 * break it, and it concerns nobody. */
void forgery_forgive(struct forgeries *forgeries, const void *where, const char *rule);

/* forgery_heard is the sentence about a violation `where` that was not declared, or NULL. */
const char *forgery_heard(const struct forgeries *forgeries, const void *where);

/* forgery_stands tells whether a violation of `rule` was heard that was not declared. */
bool forgery_stands(const struct forgeries *forgeries, const char *rule);

/* forgery_owe notes a message that is wrong by the receiver's state alone: the case owes the proof that the same
 * message is accepted when the state is another. Returns the debt's number, for forgery_settle. */
unsigned forgery_owe(struct forgeries *forgeries, const char *text);
void forgery_settle(struct forgeries *forgeries, unsigned number);

/* forgery_sane counts a sanity step of the case. */
void forgery_sane(struct forgeries *forgeries);

/* forgery_judge ends a case inconclusive whose forgeries are not as it says, or that says so and forges nothing. */
void forgery_judge(const struct forgeries *forgeries, struct judge *judge);

#endif
