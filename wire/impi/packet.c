/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The packets between IMPI hosts: rows and codec. Fulfils section 3.5 of the IMPI 0.0 document with table 3.1. Stands
 * beside wire/portals/messages.c and is made like it: the list of rows below is the only place where the fields are
 * written down, and is expanded into the table, the reader, the writer and the table of uses.
 */
#include "wire/impi/packet.h"

#include "wire/octets/cursor.h"

#include <assert.h>
#include <string.h>

//= IMPI-109
static const struct wire_value type_values[] = {
    {WIRE_IMPI_DATA, "DATA"},         {WIRE_IMPI_DATASYNC, "DATASYNC"}, {WIRE_IMPI_PROTOACK, "PROTOACK"},
    {WIRE_IMPI_SYNCACK, "SYNCACK"},   {WIRE_IMPI_CANCEL, "CANCEL"},     {WIRE_IMPI_CANCELYES, "CANCELYES"},
    {WIRE_IMPI_CANCELNO, "CANCELNO"}, {WIRE_IMPI_FINI, "FINI"},         {0, NULL},
};

/* Which types use a field, as table 3.1 says: one bit for each pk_type. */
enum {
    IN_DATA = 1 << WIRE_IMPI_DATA | 1 << WIRE_IMPI_DATASYNC,
    IN_SYNCACK = 1 << WIRE_IMPI_SYNCACK,
    IN_PROTOACK = 1 << WIRE_IMPI_PROTOACK,
    IN_CANCELS = 1 << WIRE_IMPI_CANCEL | 1 << WIRE_IMPI_CANCELYES | 1 << WIRE_IMPI_CANCELNO,
    IN_FINI = 1 << WIRE_IMPI_FINI,
    IN_ALL_BUT_FINI = IN_DATA | IN_SYNCACK | IN_PROTOACK | IN_CANCELS,
    IN_NONE = 0,
};

/* clang-format off */

/* ROW(member, name, label, clause, offset, width, base, values, uses, help) */
//= IMPI-108
//= IMPI-121
//= IMPI-122
//= IMPI-123
//= IMPI-124
#define PACKET_ROWS(ROW)                                                                                               \
    ROW(type, "pk_type", "Packet type", "3.5", 0, 4, WIRE_ENUM, type_values, IN_ALL_BUT_FINI | IN_FINI,                \
        "Kind of packet.")                                                                                             \
    ROW(len, "pk_len", "Data length", "3.5", 4, 4, WIRE_DEC, NULL, IN_DATA,                                            \
        "Octets of user data behind this header; means nothing in packets without data.")                              \
    ROW(src.host, "pk_src.p_hostid", "Source host", "3.2", 8, 16, WIRE_HOST, NULL, IN_ALL_BUT_FINI,                    \
        "Host identifier of the process that sends this packet.")                                                      \
    ROW(src.pid, "pk_src.p_pid", "Source process", "3.2", 24, 8, WIRE_INT, NULL, IN_ALL_BUT_FINI,                      \
        "Identifier of the sending process on its host.")                                                              \
    ROW(dest.host, "pk_dest.p_hostid", "Destination host", "3.2", 32, 16, WIRE_HOST, NULL, IN_ALL_BUT_FINI,            \
        "Host identifier of the process for which this packet is.")                                                    \
    ROW(dest.pid, "pk_dest.p_pid", "Destination process", "3.2", 48, 8, WIRE_INT, NULL, IN_ALL_BUT_FINI,               \
        "Identifier of the receiving process on its host.")                                                            \
    ROW(srqid, "pk_srqid", "Source request", "3.5", 56, 8, WIRE_HEX, NULL, IN_DATA | IN_SYNCACK | IN_CANCELS,          \
        "The sender's name for its send request; answers give it back.")                                               \
    ROW(drqid, "pk_drqid", "Destination request", "3.5", 64, 8, WIRE_HEX, NULL, IN_DATA | IN_SYNCACK,                  \
        "The receiver's name for its receive request; the rest of a long message gives it back.")                      \
    ROW(msglen, "pk_msglen", "Message length", "3.5", 72, 8, WIRE_DEC, NULL, IN_DATA,                                  \
        "Octets of the whole message, in each of its packets.")                                                        \
    ROW(lsrank, "pk_lsrank", "Source rank", "3.5", 80, 4, WIRE_INT, NULL, IN_DATA,                                     \
        "The sender's rank in the communicator.")                                                                      \
    ROW(tag, "pk_tag", "Tag", "3.4", 84, 4, WIRE_INT, NULL, IN_DATA,                                                   \
        "The message's tag.")                                                                                          \
    ROW(cid, "pk_cid", "Context id", "3.3", 88, 8, WIRE_DEC, NULL, IN_DATA,                                            \
        "Which communicator the message belongs to; MPI_COMM_WORLD is 0.")                                             \
    ROW(seqnum, "pk_seqnum", "Sequence number", "3.5", 96, 8, WIRE_DEC, NULL, IN_DATA,                                 \
        "Optional: a number that tells messages apart; no receiver relies on it.")                                     \
    ROW(count, "pk_count", "Count", "3.5", 104, 8, WIRE_INT, NULL, IN_DATA,                                            \
        "Optional: the count that the send call was given.")                                                           \
    ROW(dtype, "pk_dtype", "Datatype", "3.5", 112, 8, WIRE_HEX, NULL, IN_DATA,                                         \
        "Optional: an opaque handle of the sender's datatype.")                                                        \
    ROW(reserved, "pk_reserved", "Reserved", "3.5", 120, 8, WIRE_HEX, NULL, IN_NONE,                                   \
        "For future use.")

#define TABLE_ROW(member, name_, label_, clause_, offset_, width_, base_, values_, uses, help_)                        \
    {.name = name_, .label = label_, .clause = clause_, .offset = offset_, .width = width_, .base = base_,             \
     .values = values_, .help = help_},
#define USES_ROW(member, name, label, clause, offset, width, base, values, uses, help) uses,
#define PLUS_WIDTH(member, name, label, clause, offset, width, base, values, uses, help) +(width)

/* clang-format on */

static const struct wire_row rows[] = {PACKET_ROWS(TABLE_ROW)};
static const unsigned char used_by[] = {PACKET_ROWS(USES_ROW)};

enum { ROW_COUNT = sizeof rows / sizeof rows[0], LENGTH_ROW = 1 };

static_assert(PACKET_ROWS(PLUS_WIDTH) == WIRE_IMPI_PACKET_OCTETS, "the rows fill the header");

#define PACKET(code, name, label, payload)                                                                             \
    [code] = {name, label, "3.5, table 3.1", code, WIRE_IMPI_PACKET_OCTETS, rows, ROW_COUNT, payload, 0}

//= IMPI-110
//= IMPI-119
const struct wire_message wire_impi_packet_messages[WIRE_IMPI_TYPES] = {
    PACKET(WIRE_IMPI_DATA, "DATA", "Message data", LENGTH_ROW),
    PACKET(WIRE_IMPI_DATASYNC, "DATASYNC", "Message data, synchronous", LENGTH_ROW),
    PACKET(WIRE_IMPI_PROTOACK, "PROTOACK", "Protocol acknowledgement", -1),
    PACKET(WIRE_IMPI_SYNCACK, "SYNCACK", "Synchronization acknowledgement", -1),
    PACKET(WIRE_IMPI_CANCEL, "CANCEL", "Cancel request", -1),
    PACKET(WIRE_IMPI_CANCELYES, "CANCELYES", "Cancel reply: destroyed", -1),
    PACKET(WIRE_IMPI_CANCELNO, "CANCELNO", "Cancel reply: too late", -1),
    PACKET(WIRE_IMPI_FINI, "FINI", "End of connection", -1),
};

const struct wire_message *wire_impi_packet_message(uint32_t type)
{
    return type < WIRE_IMPI_TYPES ? &wire_impi_packet_messages[type] : NULL;
}

const struct wire_message *wire_impi_packet_named(const char *name)
{
    for (size_t i = 0; i < WIRE_IMPI_TYPES; i++) {
        if (strcmp(wire_impi_packet_messages[i].name, name) == 0) {
            return &wire_impi_packet_messages[i];
        }
    }
    return NULL;
}

bool wire_impi_packet_uses(uint32_t type, const struct wire_row *row)
{
    for (size_t i = 0; i < ROW_COUNT && type < WIRE_IMPI_TYPES; i++) {
        if (rows[i].offset == row->offset) {
            return used_by[i] >> type & 1;
        }
    }
    return false;
}

//= IMPI-101
bool wire_impi_process_same(const struct wire_impi_process *one, const struct wire_impi_process *other)
{
    return one->pid == other->pid && memcmp(one->host, other->host, WIRE_IMPI_HOST_OCTETS) == 0;
}

/* Whether the first 12 octets are those of either form in which an IPv4 address may stand behind them. */
static bool is_ipv4(const unsigned char *host)
{
    static const unsigned char zeros[10];

    return memcmp(host, zeros, sizeof zeros) == 0 && host[10] == host[11] && (host[10] == 0 || host[10] == 0xff);
}

//= IMPI-007
//= IMPI-008
bool wire_impi_host_same(const unsigned char *one, const unsigned char *other)
{
    return memcmp(one, other, WIRE_IMPI_HOST_OCTETS) == 0 ||
           (is_ipv4(one) && is_ipv4(other) && memcmp(one + 12, other + 12, 4) == 0);
}

static void read_16(struct wire_reader *reader, unsigned char *host)
{
    const unsigned char *at = wire_read_octets(reader, WIRE_IMPI_HOST_OCTETS);

    if (at) {
        memcpy(host, at, WIRE_IMPI_HOST_OCTETS);
    }
}

static void write_16(struct wire_writer *writer, const unsigned char *host)
{
    wire_write_octets(writer, host, WIRE_IMPI_HOST_OCTETS);
}

/* Numbers without a sign and with one have the same octets; a conversion to a signed type keeps them, as every compiler
 * that builds this defines it. */
CURSOR_INLINE void read_4(struct wire_reader *reader, void *member)
{
    uint32_t value = wire_read_u32(reader);

    memcpy(member, &value, sizeof value);
}

CURSOR_INLINE void read_8(struct wire_reader *reader, void *member)
{
    uint64_t value = wire_read_u64(reader);

    memcpy(member, &value, sizeof value);
}

#define READ_4(reader, member)   read_4(reader, &(member))
#define READ_8(reader, member)   read_8(reader, &(member))
#define READ_16(reader, member)  read_16(reader, member)
#define WRITE_4(writer, member)  wire_write_u32(writer, (uint32_t)(member))
#define WRITE_8(writer, member)  wire_write_u64(writer, (uint64_t)(member))
#define WRITE_16(writer, member) write_16(writer, member)

#define READ_ROW(member, name, label, clause, offset, width, base, values, uses, help)                                 \
    static_assert(sizeof(packet->member) == (width), "the row's width is the member's");                               \
    READ_##width(&part, packet->member);
#define WRITE_ROW(member, name, label, clause, offset, width, base, values, uses, help)                                \
    WRITE_##width(&part, packet->member);

static void read_packet(struct wire_reader *reader, struct wire_impi_packet *packet)
{
    struct wire_reader part = wire_read_part(reader, WIRE_IMPI_PACKET_OCTETS);

    if (!part.failed) {
        PACKET_ROWS(READ_ROW)
    }
}

enum wire_status wire_impi_packet_decode(const void *octets, size_t len, struct wire_impi_packet *packet)
{
    struct wire_reader reader = wire_reader_over(octets, len);
    struct wire_impi_packet got;

    read_packet(&reader, &got);
    if (reader.failed) {
        return WIRE_SHORT;
    }
    if (got.type >= WIRE_IMPI_TYPES) {
        return WIRE_UNKNOWN;
    }
    *packet = got;
    return WIRE_OK;
}

enum wire_status wire_impi_packet_measure(const void *octets, size_t len, uint64_t *all)
{
    struct wire_reader reader = wire_reader_over(octets, len);
    struct wire_reader part = wire_read_part(&reader, WIRE_IMPI_PACKET_OCTETS);
    uint32_t type = wire_read_u32(&part), data = wire_read_u32(&part);

    if (reader.failed) {
        return WIRE_SHORT;
    }
    if (type >= WIRE_IMPI_TYPES) {
        return WIRE_UNKNOWN;
    }
    *all = WIRE_IMPI_PACKET_OCTETS + (uint64_t)(wire_impi_packet_has_data(type) ? data : 0);
    return WIRE_OK;
}

enum wire_status wire_impi_packet_encode(const struct wire_impi_packet *packet, void *buffer, size_t cap)
{
    struct wire_writer writer = wire_writer_over(buffer, cap);
    struct wire_writer part = wire_write_part(&writer, WIRE_IMPI_PACKET_OCTETS);

    if (part.failed) {
        return WIRE_NO_SPACE;
    }
    PACKET_ROWS(WRITE_ROW)
    return WIRE_OK;
}
