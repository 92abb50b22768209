/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Scripted peers of the Portals TCP binding (peer.h): who they are, and what has come as messages.
 */
#include "tester/peers/peer.h"

#include "tester/base/memory.h"
#include "tester/judging/passive_checker.h"
#include "wire/octets/row.h"
#include "wire/portals/rules.h"

#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void peer_open_all(struct peers *peers, struct streams *streams)
{
    *peers = (struct peers){.streams = streams};
}

void peer_close_all(struct peers *peers)
{
    for (unsigned i = 0; i < peers->peer_count; i++) {
        free(peers->peers[i]);
    }
    peers->peer_count = 0;
}

static void on_opened(struct port *port, struct stream *stream)
{
    struct peer *peer = port->owner;

    passive_checker_listen(peer->all->checker, &stream->flow, &peer->id);
    if (port->all->evidence) { /* its HELLO will say by whom */
        evidence_say(port->all->evidence, "wire", "a stream was opened to this peer");
    }
}

struct peer *peer_new(struct peers *peers, const char *address, char *message, size_t message_octets)
{
    char label[32];

    if (peers->peer_count == PEERS_MAX) {
        snprintf(message, message_octets, "a case may have %d peers", PEERS_MAX);
        return NULL;
    }
    snprintf(label, sizeof label, "peer %u", peers->peer_count);
    struct port *port = port_new(peers->streams, address, 0, label, message, message_octets);
    if (!port) {
        return NULL;
    }
    struct peer *peer = memory_zero(sizeof *peer);
    peer->all = peers;
    peer->index = peers->peer_count;
    peer->port = port;
    peer->id.nid = ntohl(port->address.sin_addr.s_addr);
    peer->id.pid = ntohs(port->address.sin_port);
    port->owner = peer;
    port->opened = on_opened;
    peers->peers[peers->peer_count++] = peer;
    return peer;
}

struct stream *peer_connect(struct peer *peer, uint32_t nid, uint32_t pid)
{
    struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(nid), .sin_port = htons((uint16_t)wire_portals_port_of(pid))};
    struct stream *stream =
        pid > UINT16_MAX ? NULL
                         : port_connect(peer->all->streams, peer->port->address.sin_addr, &to, peer->port->label);

    if (stream) {
        stream->port = peer->port;
        passive_checker_listen(peer->all->checker, &stream->flow,
                               &(struct wire_portals_id){nid, pid, WIRE_PORTALS_ID_UNKNOWN, WIRE_PORTALS_ID_UNKNOWN});
    }
    return stream;
}

enum stream_result peer_next(struct stream *stream, struct wire_portals_header *header, size_t *header_octets,
                             size_t *data_octets)
{
    uint64_t payload;
    enum wire_status status = wire_portals_decode(stream->in.octets, stream->in.len, header, header_octets, &payload);

    if (status == WIRE_OK && payload > stream->in.limit - *header_octets) {
        return STREAM_MALFORMED; /* no case asks for so much */
    }
    if (status == WIRE_OK && stream->in.len - *header_octets >= payload) {
        *data_octets = (size_t)payload;
        return STREAM_MESSAGE;
    }
    if (status != WIRE_OK && status != WIRE_SHORT) {
        return STREAM_MALFORMED;
    }
    if (stream->reset) {
        return STREAM_RESET;
    }
    if (!stream->ended && stream->fd >= 0) {
        return STREAM_NOTHING;
    }
    return stream->in.len ? STREAM_MALFORMED : STREAM_CLOSED; /* the end inside a message */
}

static size_t describe_row(const struct wire_row *row, uint64_t value, char *text, size_t room)
{
    struct in_addr address = {htonl((uint32_t)value)};
    char dotted[INET_ADDRSTRLEN];
    int len = 0;

    switch (row->base) {
    case WIRE_HEX:
        len = snprintf(text, room, " %s=0x%llx", row->name, (unsigned long long)value);
        break;
    case WIRE_IPV4:
        inet_ntop(AF_INET, &address, dotted, sizeof dotted);
        len = snprintf(text, room, " %s=%s", row->name, dotted);
        break;
    case WIRE_INT:
        len = snprintf(text, room, " %s=%lld", row->name, (long long)wire_row_signed(row, value));
        break;
    case WIRE_HOST:
    case WIRE_VERSION:
    case WIRE_DEC:
    case WIRE_ENUM:
        len = snprintf(text, room, " %s=%llu", row->name, (unsigned long long)value);
        break;
    }
    return len < 0 || (size_t)len >= room ? room - 1 : (size_t)len;
}

void peer_describe(const void *octets, size_t len, char *text, size_t room)
{
    struct wire_portals_header header;
    const struct wire_message *message = NULL;
    size_t used;

    if (wire_portals_decode(octets, len, &header, NULL, NULL) == WIRE_OK) {
        message = wire_portals_message_of(wire_portals_kind(&header));
    }
    if (!message) {
        snprintf(text, room, "%zu octets that are no message", len);
        return;
    }
    used = (size_t)snprintf(text, room, "%s", message->name);
    for (unsigned i = 1; i < message->row_count && used + 1 < room; i++) {
        uint64_t value;
        if (wire_row_get(&message->rows[i], octets, len, &value) == WIRE_OK) {
            used += describe_row(&message->rows[i], value, text + used, room - used);
        }
    }
}
