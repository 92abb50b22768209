/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Frames of the Intercept network as structs, and back (specs/intercept-wire.md). Decoding looks at the form only:
 * where the frame ends, that its CRC is right, which message it carries. Whether a well-formed frame is also legal is
 * judged by wire/intercept/rules.h.
 *
 *     enum wire_status status = wire_intercept_decode(octets, len, &frame, &frame_octets);
 *     if (status == WIRE_OK && frame.message == WIRE_INTERCEPT_RTS) ...
 */
#ifndef WIRE_INTERCEPT_FRAME_H
#define WIRE_INTERCEPT_FRAME_H

#include "wire/intercept/messages.h"
#include "wire/octets/status.h"

#include <stddef.h>
#include <stdint.h>

/* A frame. A message uses the members that its rows name; decoding leaves the others zero. */
struct wire_intercept_frame {
    enum wire_intercept_message message;
    /* Why the content of a short-message packet is none of the messages (`message` is then a SHORT_MESSAGE):
     * WIRE_SHORT, WIRE_TOO_LONG: its lengths do not fit. WIRE_UNKNOWN: no such type or version. WIRE_MALFORMED: padding
     * or data as they cannot be. WIRE_OK: it is one. Encoding does not read it. */
    enum wire_status content;
    const unsigned char *data; /* behind the fields, within the decoded octets; of encoding the caller's */
    size_t data_len;           /* octets, without padding */

    uint8_t kind; /* enum wire_intercept_kind */
    uint8_t planes, flags, sequence;
    uint16_t destination, source;                    /* IUCA */
    uint8_t destination_vnic, source_vnic;           /* all but VDMA */
    uint16_t length;                                 /* octets of payload, with padding */
    uint32_t reserved;                               /* short messages, link frames: 0 */
    uint16_t channel;                                /* VDMA */
    uint32_t window_address;                         /* VDMA: octets */
    uint16_t command, amount;                        /* commands */
    uint32_t rmpp_type, rmpp_length;                 /* RMPP; the length in octets */
    uint64_t message_number;                         /* RMPP, TRY_MATCH */
    uint32_t n;                                      /* CTS, NEXT_CTS: packets */
    uint32_t packet_number;                          /* DATA, STOP_DATA, LAST_DATA */
    uint64_t mlength;                                /* CTS, MATCH_REPLY: octets */
    uint32_t status;                                 /* MSGERROR, REFUSE, DONE, MATCH_REPLY: WIRE_INTERCEPT_STATUS_.. */
    uint32_t body_reserved;                          /* 0 */
    uint16_t control_type, version;                  /* control messages */
    uint32_t control_length;                         /* octets */
    uint64_t rank, key, peer_rank;                   /* control messages; CONNECT */
    uint32_t channel_granted, slice, slices;         /* GET */
    uint32_t window_start;                           /* GET: octets */
    uint64_t address;                                /* GET, PUT, TRY_MATCH: at the data's sender */
    uint64_t slice_length, put_length, match_length; /* octets */
    uint64_t key_remaining;                          /* GET, GET_EXT_REPLY */
    uint64_t first_block_length, first_block_addr, last_block_length, last_block_addr; /* GET */
    uint32_t first_length, last_length;                                                /* GET_EXT_REPLY: octets */
    uint32_t nic_count;                                                                /* UPD_CONN */
};

/* wire_intercept_portals_octets - how many octets a Portals header has in RTS and TRY_MATCH, as its first word says. Of
 * fewer than four octets the shorter one. */
size_t wire_intercept_portals_octets(const unsigned char *header, size_t len);

/* wire_intercept_measure - how many octets the frame has that begins at `octets`, CRC included. WIRE_SHORT: fewer than
 * WIRE_INTERCEPT_HEADER_OCTETS are there. WIRE_UNKNOWN: no such kind. WIRE_TOO_LONG: a length above the kind's maximum.
 * WIRE_MALFORMED: a length that is no multiple of eight. */
WIRE_MUST_USE enum wire_status wire_intercept_measure(const void *octets, size_t len, size_t *frame_octets);

/* wire_intercept_decode - reads the frame at the beginning of `len` octets; what follows it is left alone. Fails as
 * wire_intercept_measure does, with WIRE_SHORT when the frame does not end within the octets, and with WIRE_MALFORMED
 * when its CRC is wrong. `frame_octets` may be NULL. Writes its outputs only on WIRE_OK; does not block or allocate. */
WIRE_MUST_USE enum wire_status wire_intercept_decode(const void *octets, size_t len, struct wire_intercept_frame *frame,
                                                     size_t *frame_octets);

/* wire_intercept_decode_entry - the same for an entry of a receive buffer, which is a frame without its CRC
 * (specs/intercept-wire.md, 6). */
WIRE_MUST_USE enum wire_status wire_intercept_decode_entry(const void *octets, size_t len,
                                                           struct wire_intercept_frame *frame);

/* wire_intercept_complete - fills in what follows from `message` and `data_len`: kind, type, version and lengths. */
void wire_intercept_complete(struct wire_intercept_frame *frame);

/* wire_intercept_encode - writes the frame to `buffer` and its octets to `len`: fields as they are, data, zeros up to
 * `length`, CRC. Does not judge: a forger gets the octets asked for. WIRE_UNKNOWN: no such message. WIRE_NO_SPACE:
 * `cap` is too small; WIRE_INTERCEPT_FRAME_MAX suffices for every frame that is not forged. */
WIRE_MUST_USE enum wire_status wire_intercept_encode(const struct wire_intercept_frame *frame, void *buffer, size_t cap,
                                                     size_t *len);

/* wire_intercept_padded - `len` octets with their padding to whole quadwords. */
size_t wire_intercept_padded(size_t len);

#endif
