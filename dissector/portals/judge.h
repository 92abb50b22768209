/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What is wrong with a message: claimed from the follower of the capture (dissector/common/follower.h) on the first
 * pass, and shown in the message's tree. Nothing is said of a stream whose HELLO the capture lacks.
 */
#ifndef DISSECTOR_PORTALS_JUDGE_H
#define DISSECTOR_PORTALS_JUDGE_H

#include "dissector/portals/pdu.h"

/* judge_wanted - whether the user wants messages judged (the preference "analyse").
 * judge_want - sets it. */
bool judge_wanted(void);
void judge_want(bool wanted);

/* judge_message - first pass: claims what was found about a whole message.
 * judge_broken - about octets that are no message.
 * judge_rest - what no message of the packet has claimed; true when there is something. */
void judge_message(struct pdu *pdu);
void judge_broken(struct pdu *pdu);
bool judge_rest(struct pdu *pdu);

/* judge_found - whether something was found about the message that is to be told. */
bool judge_found(const struct pdu *pdu);

/* judge_about - what the first finding to be told is about, in words. */
const char *judge_about(const struct pdu *pdu);

/* judge_show - every pass: adds what was found to the message's tree. */
void judge_show(const struct pdu *pdu);

#endif
