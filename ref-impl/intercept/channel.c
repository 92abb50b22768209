/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * VDMA channels; see channel.h. Packets of a slice have fixed places: each begins where the one before it ends, 512
 * octets or up to the end of page or slice (IW-13). So a packet is known by its window address.
 */
#include "ref-impl/intercept/channel.h"

#include <string.h>

/* The number of the packet that begins at `address`; at most 8 begin in a page, also in the first one. */
static unsigned packet_number(const struct intercept_channel *channel, uint32_t address)
{
    uint32_t page = address / ICPT_PAGE_OCTETS * ICPT_PAGE_OCTETS;
    uint32_t first = page < channel->start ? channel->start : page;

    return page / ICPT_PAGE_OCTETS * ICPT_PAGE_PACKETS + (address - first) / (ICPT_PAGE_OCTETS / ICPT_PAGE_PACKETS);
}

/* Whether a packet of the slice begins there. */
static bool begins_packet(const struct intercept_channel *channel, uint32_t address)
{
    uint32_t page = address / ICPT_PAGE_OCTETS * ICPT_PAGE_OCTETS;
    uint32_t first = page < channel->start ? channel->start : page;

    return address >= channel->start && address < channel->end &&
           (address - first) % (ICPT_PAGE_OCTETS / ICPT_PAGE_PACKETS) == 0;
}

//= ICPT-067
//= ICPT-068
//= ICPT-071
void intercept_channel_open(struct intercept_channel *channel, void *memory, uint32_t start, uint32_t len,
                            uint16_t from, void *token)
{
    unsigned char *at = memory;

    *channel =
        (struct intercept_channel){.is_open = true, .token = token, .start = start, .end = start + len, .from = from};
    for (uint32_t address = start; address < channel->end; address += intercept_channel_packet(address, channel->end)) {
        uint32_t page = address / ICPT_PAGE_OCTETS;

        channel->remaining++;
        if (!channel->pages[page]) {
            channel->pages[page] = at + (address - start); /* of the slice's first octet in this page */
        }
    }
}

void intercept_channel_close(struct intercept_channel *channel)
{
    memset(channel, 0, sizeof *channel);
}

//= ICPT-023
//= ICPT-072
//= ICPT-081
unsigned char *intercept_channel_place(struct intercept_channel *channel, uint32_t address, size_t len)
{
    if (!channel->is_open || !begins_packet(channel, address) ||
        len != intercept_channel_packet(address, channel->end)) {
        return NULL;
    }
    unsigned number = packet_number(channel, address);
    uint64_t bit = UINT64_C(1) << number % 64;
    uint32_t page = address / ICPT_PAGE_OCTETS;
    uint32_t first = page * ICPT_PAGE_OCTETS < channel->start ? channel->start : page * ICPT_PAGE_OCTETS;

    if (channel->seen[number / 64] & bit) {
        return NULL;
    }
    channel->seen[number / 64] |= bit;
    channel->remaining--;
    return channel->pages[page] + (address - first);
}
