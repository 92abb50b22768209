/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Where a direction of a TCP connection stands; see way.h. Everything here happens on the first pass, when segments
 * come in the order of the capture.
 */
#include "dissector/common/way.h"

/* What Wireshark has seen of a connection, in the bits that its filter tcp.completeness documents. */
enum { SYN_SEEN = 0x01, SYN_ACK_SEEN = 0x02 };

unsigned way_number(const packet_info *pinfo)
{
    int order = cmp_address(&pinfo->src, &pinfo->dst);

    return order > 0 || (order == 0 && pinfo->srcport > pinfo->destport);
}

/* How far the segment is beyond the place where the payload goes on; negative when it is older. */
static int32_t distance(uint32_t from, uint32_t to)
{
    return (int32_t)(to - from);
}

/* The sequence number behind these octets. Where segments came out of order and Wireshark has waited for the missing
 * one, they reach beyond the packet in which it came, to the end of all that has come without a gap. */
static uint32_t end_of(packet_info *pinfo, const struct tcpinfo *tcp)
{
    const struct tcp_analysis *analysis = tcp->is_reassembled ? get_tcp_conversation_data(NULL, pinfo) : NULL;
    uint32_t contiguous = analysis ? analysis->fwd->maxnextseq : 0; /* 0: Wireshark does not wait */

    return contiguous && distance(tcp->nxtseq, contiguous) > 0 ? contiguous : tcp->nxtseq;
}

/* Takes from the segment what belongs to the open payload. A gap is octets that the capture lacks; octets from before
 * the expected place are a retransmission, which changes nothing. */
static uint64_t payload_take(struct way *way, tvbuff_t *tvb, uint32_t end, uint64_t *before)
{
    uint32_t len = tvb_reported_length(tvb);
    uint32_t begin = end - len;
    int32_t gap = distance(way->next_seq, begin);
    uint32_t old = gap < 0 ? MIN(len, (uint32_t)-gap) : 0;
    uint64_t missed = gap > 0 ? (uint64_t)gap : 0;
    uint64_t take;

    if (missed > 0 && missed >= way->left) {
        way->left = 0;
        way->lost = true;
        return 0;
    }
    way->left -= missed;
    *before = way->total - way->left;
    take = MIN((uint64_t)(len - old), way->left);
    way->left -= take;
    if (take) {
        way->next_seq = begin + old + (uint32_t)take;
    }
    return old + take;
}

/* Octets between the last segment and this one that the capture lacks. Octets that TCP has put together come without a
 * gap by nature. */
static bool gap_before(const struct way *way, tvbuff_t *tvb, const struct tcpinfo *tcp)
{
    return way->begun && tcp && !tcp->is_reassembled &&
           distance(way->seen_seq, tcp->nxtseq - tvb_reported_length(tvb)) > 0;
}

/* Whether TCP was asked for the rest of a message and did not get it, since the capture cuts this segment short: then
 * the segment comes by itself, and where in the message it stands is not known. */
static bool waited_in_vain(struct way *way, tvbuff_t *tvb, const struct tcpinfo *tcp)
{
    bool vain = way->waits && tcp && !tcp->is_reassembled &&
                distance(way->seen_seq, tcp->nxtseq - tvb_reported_length(tvb)) >= 0;

    way->waits = way->waits && !vain;
    return vain;
}

/* Whether this is the first segment with data after the connection's SYN. Sequence numbers count from the SYN, unless
 * the user has switched that off. */
static bool connection_begins_here(tvbuff_t *tvb, packet_info *pinfo, const struct tcpinfo *tcp)
{
    const struct tcp_analysis *analysis = tcp ? get_tcp_conversation_data(NULL, pinfo) : NULL;
    uint32_t begin;

    if (!analysis || !(analysis->conversation_completeness & (SYN_SEEN | SYN_ACK_SEEN))) {
        return false;
    }
    begin = tcp->nxtseq - tvb_reported_length(tvb);
    return tcp->is_reassembled || begin == 1 || begin == analysis->fwd->base_seq + 1;
}

struct way_start way_start_of(struct way *way, tvbuff_t *tvb, packet_info *pinfo, const struct tcpinfo *tcp)
{
    struct way_start start = {.total = way->total, .payload_frame = way->payload_frame};
    uint32_t end = tcp ? end_of(pinfo, tcp) : 0;

    start.gap = gap_before(way, tvb, tcp);
    start.gap = waited_in_vain(way, tvb, tcp) || start.gap;
    start.opening = !way->followed && !way->lost && connection_begins_here(tvb, pinfo, tcp);
    if (way->left && tcp) {
        start.skip = payload_take(way, tvb, end, &start.before);
        start.gap = false;
    }
    way->begun = true;
    if (tcp && distance(way->seen_seq, end) > 0) {
        way->seen_seq = end;
    }
    start.gap = start.gap || way->lost;
    return start;
}

void way_payload_open(struct way *way, uint64_t missing, uint64_t total, packet_info *pinfo, const struct tcpinfo *tcp)
{
    if (!tcp) {
        return;
    }
    way->left = missing;
    way->total = total;
    way->payload_frame = pinfo->num;
    way->next_seq = end_of(pinfo, tcp);
}
