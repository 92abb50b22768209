/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A VDMA channel at the data's receiver: a page table of 256 entries, and a counter of the packets that are still to
 * come for one slice of at most 1 MB (2.1.3 of the thesis). Packets may come in any order; software hears of the slice
 * when the counter is at zero.
 *
 *      window address     0        4096                                2^20
 *      page table         [ 0 ]    [ 1 ]    [ 2 ]   ..   [ 255 ]
 *      the slice              |--------------------|
 *                        window_start
 *
 * Nothing but the slice is written, whatever a packet says.
 */
#ifndef REF_IMPL_INTERCEPT_CHANNEL_H
#define REF_IMPL_INTERCEPT_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ICPT_PAGE_OCTETS = 4096,
    ICPT_PAGES = 256, /* of a page table */
    ICPT_WINDOW_OCTETS = ICPT_PAGES * ICPT_PAGE_OCTETS,
    ICPT_PAGE_PACKETS = 8, /* packets that fill a page */
};

/* struct intercept_channel - all zero: it is free. `token` is the owner's. */
struct intercept_channel {
    bool is_open;
    void *token;
    unsigned char *pages[ICPT_PAGES]; /* NULL: not mapped */
    uint32_t start, end;              /* of the slice, in the window */
    uint16_t from;                    /* the card that sends it */
    uint32_t remaining;               /* packets */
    uint64_t seen[ICPT_PAGES * ICPT_PAGE_PACKETS / 64];
};

/* intercept_channel_open - maps `len` octets of memory, whose first one is at `start` in the window, for packets of the
 * card `from`; they fit the window.
 * intercept_channel_close - maps nothing. */
void intercept_channel_open(struct intercept_channel *channel, void *memory, uint32_t start, uint32_t len,
                            uint16_t from, void *token);
void intercept_channel_close(struct intercept_channel *channel);

/* intercept_channel_place - where the payload of a packet with that window address goes; counts it. NULL: nowhere,
 * because the packet is none of the slice's, or has come before. */
unsigned char *intercept_channel_place(struct intercept_channel *channel, uint32_t address, size_t len);

/* intercept_channel_packet - octets of the packet that begins there, of a slice that ends at `end`. */
static inline uint32_t intercept_channel_packet(uint32_t address, uint32_t end)
{
    uint32_t page = ICPT_PAGE_OCTETS - address % ICPT_PAGE_OCTETS;
    uint32_t len = end - address < page ? end - address : page;

    return len < ICPT_PAGE_OCTETS / ICPT_PAGE_PACKETS ? len : ICPT_PAGE_OCTETS / ICPT_PAGE_PACKETS;
}

#endif
