/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * The protocol "assay": lines between test manager and test interpreter (specs/interpreter.md), on a TCP connection
 * that HTTP has handed over by "Upgrade: assay/1".
 */
#ifndef DISSECTOR_PACKET_ASSAY_H
#define DISSECTOR_PACKET_ASSAY_H

/* assay_register_protocol - registers protocol and fields. */
void assay_register_protocol(void);

/* assay_register_handoff - tells HTTP and TCP about the protocol. */
void assay_register_handoff(void);

#endif
