/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Packets out of a stream, and into it; see agent/connection.h. Chapter 3.5: a header of 128 octets, and behind it, in
 * DATA and DATASYNC only, pk_len octets. The host agents use it for both sides between which they stand.
 */
#include "ref-impl/impi/agent/connection.h"

#include "wire/octets/cursor.h"

#include <unistd.h>

/* Two packets as they usually are: so one read mostly ends with a packet, and none has to be moved in memory. */
enum { READ_OCTETS = 2 * (WIRE_IMPI_PACKET_OCTETS + 65536) };

enum queue_moved connection_read(struct connection *connection)
{
    size_t max = READ_OCTETS - queue_len(&connection->in) % READ_OCTETS;

    return secure_receive(connection->secure, connection->fd, &connection->in, max);
}

//= IMPI-252
enum connection_outcome connection_next(struct connection *connection, uint32_t datalen,
                                        struct connection_packet *packet)
{
    size_t len = queue_len(&connection->in);
    size_t whole = WIRE_IMPI_PACKET_OCTETS;

    if (len < WIRE_IMPI_PACKET_OCTETS) {
        return CONNECTION_MORE;
    }
    if (wire_impi_packet_decode(queue_front(&connection->in), len, &packet->header) != WIRE_OK) {
        struct wire_reader r = wire_reader_over(queue_front(&connection->in), len);

        packet->header.type = wire_read_u32(&r);
        return CONNECTION_UNKNOWN_TYPE;
    }
    //= IMPI-119
    //= IMPI-120
    if (wire_impi_packet_has_data(packet->header.type)) {
        if (packet->header.len > datalen) {
            return CONNECTION_TOO_LONG; //= IMPI-255
        }
        whole += packet->header.len; //= IMPI-110
    }
    if (len < whole) {
        return CONNECTION_MORE;
    }
    packet->octets = queue_front(&connection->in);
    packet->len = whole;
    /* The octets stay where they are until the queue is written to again. */
    connection->in.begin += whole;
    return CONNECTION_PACKET;
}

size_t connection_left(const struct connection *connection)
{
    return queue_len(&connection->in);
}

enum queue_moved connection_send(struct connection *connection)
{
    return secure_send(connection->secure, connection->fd, &connection->out);
}

bool connection_pass(struct connection *connection, const void *octets, size_t len)
{
    return secure_pass(connection->secure, connection->fd, &connection->out, octets, len);
}

bool connection_put(struct connection *connection, const void *octets, size_t len)
{
    return queue_put(&connection->out, octets, len);
}

bool connection_put_header(struct connection *connection, const struct wire_impi_packet *header)
{
    unsigned char octets[WIRE_IMPI_PACKET_OCTETS];

    return wire_impi_packet_encode(header, octets, sizeof octets) == WIRE_OK &&
           connection_put(connection, octets, sizeof octets);
}

void connection_close(struct connection *connection)
{
    if (connection->fd >= 0) {
        secure_close(connection->secure, connection->fd);
        close(connection->fd);
    }
    connection->fd = -1;
    connection->secure = NULL;
    queue_free(&connection->in);
    queue_free(&connection->out);
}
