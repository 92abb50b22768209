/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * How an IMPI message looks in Wireshark: one line in the packet list, a tree of its fields.
 */
#ifndef DISSECTOR_IMPI_TREE_H
#define DISSECTOR_IMPI_TREE_H

#include "dissector/impi/pdu.h"

/* impi_tree_title - writes a text into the message's head and appends it to the information column. */
void impi_tree_title(const struct impi_pdu *pdu, const char *text);

/* impi_tree_summary - "COLL C_NHOSTS 1  client 0 -> server", or "DATA tag 7 cid 0 5 octets  rank 0 -> rank 1". The text
 * lives as long as the packet. */
const char *impi_tree_summary(const struct impi_pdu *pdu);

/* impi_tree_startup - adds the fields of a start-up message and its payload as values. */
void impi_tree_startup(const struct impi_pdu *pdu);

/* impi_tree_packet - adds the fields of a packet's header, those that its type does not use apart from the others. */
void impi_tree_packet(const struct impi_pdu *pdu);

/* impi_tree_rows - adds the fields of a start-up message or packet in the order of its rows, as far as the octets
 * reach. */
void impi_tree_rows(const struct impi_pdu *pdu, const struct wire_message *message);

/* impi_tree_flow - adds the counters of flow control of the packet's pair of processes. */
void impi_tree_flow(const struct impi_pdu *pdu);

/* impi_tree_process - "rank 1 (127.0.0.2, pid 66)", or without the rank where it is not known. The text lives as long
 * as the packet. */
const char *impi_tree_process(const struct impi_pdu *pdu, const struct wire_impi_process *process);

/* impi_tree_rank - "1", or where the rank is not known what impi_tree_process says. */
const char *impi_tree_rank(const struct impi_pdu *pdu, const struct wire_impi_process *process);

/* impi_tree_pair - "rank 0 -> rank 1", or the same by addresses. */
const char *impi_tree_pair(const struct impi_pdu *pdu);

#endif
