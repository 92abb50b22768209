/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What is wrong with the messages of a packet, as wire/follow/examine.h tells it of the capture file that is open. It
 * sees the TCP segments themselves, whatever Wireshark makes of them for display; so the plugin says what `assay check`
 * says, with every TCP preference. A message that is displayed claims what was found about it; what nobody claims is
 * told at the packet.
 */
#ifndef DISSECTOR_COMMON_FOLLOWER_H
#define DISSECTOR_COMMON_FOLLOWER_H

#include "dissector/common/wireshark_compat.h"

#include "wire/follow/examination.h"
#include "wire/intercept/check.h"

#include <epan/packet.h>

/* What was found about one message, in the memory of the file. */
struct follower_found {
    const struct wire_examine_violation **at;
    const struct wire_impi_step *step; /* of a message of a collective operation of IMPI, or NULL */
    unsigned count;
    bool judged;  /* the message has been seen and judged; without this nothing is known about it */
    bool answers; /* it is one of Portals, to a request that was seen */
    bool late;    /* that it is wrong came to light in a later packet */
};

/* follower_register - sets it up, to begin anew with every capture file. Once, at start-up. */
void follower_register(void);

/* follower_packet - first pass: takes the packet's TCP segment, once for each packet however often it is called. */
void follower_packet(packet_info *pinfo);

/* follower_ends - first pass: whether the packet that follower_packet has taken has a FIN or a RST. */
bool follower_ends(void);

/* follower_datagram - first pass: takes the packet's UDP datagram. False: it is no frame of the Intercept network, nor
 * on one of its links. */
bool follower_datagram(packet_info *pinfo, const unsigned char *octets, size_t len, size_t missing,
                       struct wire_intercept_heard *heard);

/* follower_claim - first pass: what was found about the message that begins with these octets and was whole in this
 * packet.
 * follower_claim_broken - about the next octets of the packet that are no message. */
struct follower_found follower_claim(const unsigned char *octets, size_t len);
struct follower_found follower_claim_broken(void);

/* follower_keep - the same in the memory of the file; NULL where there is nothing in it. */
const struct follower_found *follower_keep(const struct follower_found *found);

/* follower_rest - first pass, when all messages of the packet have been displayed: what nobody has claimed, of IMPI or
 * of Portals. */
struct follower_found follower_rest(bool impi);

/* follower_late - second pass: what came to light about the packet behind it, of IMPI or of Portals. */
struct follower_found follower_late(const packet_info *pinfo, bool impi);

/* follower_asks_later - second pass: whether an answer in the packet was captured before its request. */
bool follower_asks_later(const packet_info *pinfo);

/* follower_tells_intercept - the same of what a frame of the Intercept network breaks: of the finding at that place. */
bool follower_tells_intercept(const struct wire_intercept_heard *heard, unsigned place, const packet_info *pinfo);

/* follower_tells - whether a violation or note is to be told by what is known now. In the first of two passes, or the
 * only one, what other connections could still disprove is not. */
bool follower_tells(const struct wire_examine_violation *violation, const packet_info *pinfo);

#endif
