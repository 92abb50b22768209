/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What a TCP connection is to IMPI, and where its messages begin; see dissector/impi/recognise.h. Of a command four
 * letters with a sane length are certain enough, of a packet the zeros of its type and of the host identifiers. A rank
 * of four octets alone is told by nothing but the port.
 */
#include "dissector/impi/recognise.h"

#include "dissector/impi/job.h"

#include <string.h>

enum {
    CODE_OCTETS = 4,
    MASKS_LONGEST = 256,    /* octets of an AUTH that is believed to be one */
    COLL_LONGEST = 1 << 24, /* of a COLL; four letters in the place of its length would be more */
    RANK_HIGHEST = 65535,   /* of a host that is believed to be one */
    SYN_EITHER = 0x01 | 2,  /* of what Wireshark has seen of a connection (tcp.completeness) */
};

bool impi_recognise_code(tvbuff_t *tvb, int offset)
{
    return tvb_captured_length_remaining(tvb, offset) >= CODE_OCTETS &&
           wire_impi_code_name((int32_t)tvb_get_ntohl(tvb, offset)) != NULL;
}

/* Whether the capture tells who has opened the connection, and if so, whether this packet's sender has. */
static bool opener_of(packet_info *pinfo, bool *sender_opened)
{
    const struct tcp_analysis *analysis = get_tcp_conversation_data(NULL, pinfo);

    if (!analysis || !(analysis->conversation_completeness & SYN_EITHER) || pinfo->srcport == pinfo->destport) {
        return false;
    }
    *sender_opened = analysis->server_port == pinfo->destport;
    return true;
}

/* Who speaks, from the length of a COLL: where every client gives one value of 4 octets, a client's has 8 octets, the
 * server's, with its mask, at least 12. */
static bool speaker_of_coll(tvbuff_t *tvb, bool *client)
{
    const struct wire_impi_label *label;

    if (tvb_captured_length(tvb) < 12) {
        return false;
    }
    label = wire_impi_label_of((int32_t)tvb_get_ntohl(tvb, 8));
    if (!label || label->per != WIRE_IMPI_PER_CLIENT) {
        return false;
    }
    *client = tvb_get_ntohl(tvb, 4) == 8;
    return true;
}

/* Whether the segment begins with a command, and who speaks if that can be told. */
static bool begins_command(tvbuff_t *tvb, bool *client, bool *client_known)
{
    int32_t len;

    *client_known = false;
    if (tvb_captured_length(tvb) < WIRE_IMPI_HEAD_OCTETS) {
        return false;
    }
    len = (int32_t)tvb_get_ntohl(tvb, 4);
    switch ((int32_t)tvb_get_ntohl(tvb, 0)) {
    case WIRE_IMPI_CMD_AUTH:
        *client = *client_known = true;
        return len >= 0 && len <= MASKS_LONGEST && len % 4 == 0;
    case WIRE_IMPI_CMD_IMPI:
        return len == 4;
    case WIRE_IMPI_CMD_COLL:
        *client_known = speaker_of_coll(tvb, client);
        return len >= 4 && len <= COLL_LONGEST;
    case WIRE_IMPI_CMD_DONE:
        return len == 0;
    case WIRE_IMPI_CMD_FINI:
        *client = *client_known = true;
        return len == 0;
    default:
        return false;
    }
}

/* An address that a host can have: an IPv4 address in either form, or an IPv6 address of a kind in use. */
static bool is_host(const unsigned char *host)
{
    static const unsigned char zeros[12];
    bool plain = memcmp(host, zeros, 12) == 0;
    bool mapped = memcmp(host, zeros, 10) == 0 && host[10] == 0xff && host[11] == 0xff;

    if (plain || mapped) {
        return memcmp(host + 12, zeros, 3) != 0 || (plain && host[15] == 1);
    }
    return (host[0] & 0xe0) == 0x20 || host[0] == 0xfd || (host[0] == 0xfe && (host[1] & 0xc0) == 0x80);
}

/* Whether a header of a packet stands there, told by itself alone. FINI, which may have anything in its fields, is
 * none that can be told. */
static bool begins_packet(tvbuff_t *tvb, int offset)
{
    unsigned char octets[WIRE_IMPI_PACKET_OCTETS];
    struct wire_impi_packet packet;

    if (tvb_captured_length_remaining(tvb, offset) < WIRE_IMPI_PACKET_OCTETS) {
        return false;
    }
    tvb_memcpy(tvb, octets, offset, sizeof octets);
    if (wire_impi_packet_decode(octets, sizeof octets, &packet) != WIRE_OK || packet.type == WIRE_IMPI_FINI) {
        return false;
    }
    if (!is_host(packet.src.host) || !is_host(packet.dest.host) || wire_impi_process_same(&packet.src, &packet.dest)) {
        return false;
    }
    return !wire_impi_packet_has_data(packet.type) || packet.len <= packet.msglen;
}

/* Whether four octets stand there that can be a host's rank. */
static bool begins_number(tvbuff_t *tvb)
{
    return tvb_captured_length(tvb) >= WIRE_IMPI_RANK_OCTETS && tvb_get_ntohl(tvb, 0) <= RANK_HIGHEST;
}

/* Whether a rank stands there with a header behind it, or alone where a host is known to listen. */
static bool begins_rank(tvbuff_t *tvb, const packet_info *pinfo)
{
    return begins_number(tvb) &&
           (begins_packet(tvb, WIRE_IMPI_RANK_OCTETS) || impi_job_listens(&pinfo->dst, pinfo->destport));
}

/* Whether the very first octets of a client that writes in small pieces stand there. The length, of which only zeros
 * can be here yet, tells them from the AUTH of a protocol of text. */
static bool begins_auth_in_pieces(tvbuff_t *tvb)
{
    static const unsigned char zeros[WIRE_IMPI_HEAD_OCTETS];
    int len = (int)tvb_captured_length(tvb);

    if (len < CODE_OCTETS || len >= WIRE_IMPI_HEAD_OCTETS || tvb_get_ntohl(tvb, 0) != WIRE_IMPI_CMD_AUTH) {
        return false;
    }
    /* Of no octets tvb_memeql says that they differ. */
    return len == CODE_OCTETS || tvb_memeql(tvb, CODE_OCTETS, zeros, (size_t)(len - CODE_OCTETS)) == 0;
}

static bool guess_startup(struct impi_stream *stream, tvbuff_t *tvb, packet_info *pinfo)
{
    bool client, client_known;

    if (!begins_command(tvb, &client, &client_known)) {
        client = client_known = begins_auth_in_pieces(tvb);
        if (!client) {
            return false;
        }
    }
    if (!client_known && !opener_of(pinfo, &client)) {
        return false;
    }
    stream->kind = IMPI_STARTUP;
    stream->opener_known = true;
    stream->opener = client ? way_number(pinfo) : !way_number(pinfo);
    return true;
}

static bool guess_channel(struct impi_stream *stream, tvbuff_t *tvb, packet_info *pinfo)
{
    bool rank = begins_rank(tvb, pinfo);
    bool sender = true;

    if (!rank && !begins_packet(tvb, 0)) {
        return false;
    }
    stream->kind = IMPI_CHANNEL;
    stream->opener_known = rank || opener_of(pinfo, &sender);
    stream->opener = sender ? way_number(pinfo) : !way_number(pinfo);
    return true;
}

bool impi_recognise(struct impi_stream *stream, tvbuff_t *tvb, packet_info *pinfo)
{
    return stream->kind != IMPI_UNDECIDED || guess_startup(stream, tvb, pinfo) || guess_channel(stream, tvb, pinfo);
}

void impi_recognise_as_told(struct impi_stream *stream, tvbuff_t *tvb, packet_info *pinfo)
{
    bool sender;

    if (stream->kind == IMPI_UNDECIDED && opener_of(pinfo, &sender) && sender && begins_number(tvb)) {
        stream->kind = IMPI_CHANNEL;
        stream->opener_known = true;
        stream->opener = way_number(pinfo);
    }
}

/* Whether a message surely begins here, in a direction that has been lost or never found. */
static bool begins_surely(const struct impi_stream *stream, unsigned way, tvbuff_t *tvb)
{
    bool client, client_known;

    if (stream->kind == IMPI_CHANNEL) {
        return begins_packet(tvb, 0);
    }
    if (!begins_command(tvb, &client, &client_known)) {
        return false;
    }
    return !client_known || client == (way == stream->opener);
}

/* Whether the direction has begun with this segment for all that is known: then a message begins here. */
static bool may_begin(const struct impi_stream *stream, unsigned way, const struct way_start *start)
{
    if (start->opening) {
        return true;
    }
    return stream->kind == IMPI_STARTUP && way != stream->opener && stream->auth_seen && !stream->choice_seen;
}

/* Whether the rank that opens a channel begins here. */
static bool begins_channel(const struct impi_stream *stream, tvbuff_t *tvb, const packet_info *pinfo,
                           const struct way_start *start)
{
    unsigned number = way_number(pinfo);

    if (stream->kind != IMPI_CHANNEL || !stream->opener_known || number != stream->opener ||
        stream->ways[number].followed) {
        return false;
    }
    return start->opening || (begins_rank(tvb, pinfo) && !begins_packet(tvb, 0));
}

struct way_start impi_recognise_start(struct impi_stream *stream, tvbuff_t *tvb, packet_info *pinfo,
                                      const struct tcpinfo *tcp, bool *rank)
{
    unsigned number = way_number(pinfo);
    struct way *way = &stream->ways[number];
    struct way_start start = way_start_of(way, tvb, pinfo, tcp);
    bool opened;

    *rank = false;
    if (start.skip) {
        return start;
    }
    if (!way->followed && !start.opening && opener_of(pinfo, &opened)) {
        start.gap = true; /* the capture holds the SYN, but not the octets behind it */
    }
    *rank = !start.gap && begins_channel(stream, tvb, pinfo, &start);
    if (start.gap || (!way->followed && !*rank && !may_begin(stream, number, &start))) {
        way->lost = !begins_surely(stream, number, tvb);
    }
    way->lost = way->lost || stream->kind == IMPI_UNDECIDED;
    start.lost = way->lost;
    return start;
}
