/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The messages of Portals 3.0 over TCP: rows and codec. Fulfils section 4.1 of the Portals 3.0 document (tables 6 to 9)
 * and chapters 3 and 4 of specs/portals-wire.md.
 *
 * Each message is one list of rows below, the only place where its fields are written down. A list is expanded three
 * times: into the constant table that everybody walks at run time, into the straight-line reader and into the
 * straight-line writer, which go through the cursor field by field. A row whose width is not that of its member does
 * not compile.
 */
#include "wire/portals/messages.h"

#include "wire/octets/cursor.h"

#include <assert.h>
#include <string.h>

static const struct wire_value operation_values[] = {
    {WIRE_PORTALS_PUT, "put"},
    {WIRE_PORTALS_ACK, "ack"},
    {WIRE_PORTALS_GET, "get"},
    {WIRE_PORTALS_REPLY, "reply"},
    {WIRE_PORTALS_BARRIER, "barrier"},
    {WIRE_PORTALS_NUMBER, "number"},
    {WIRE_PORTALS_ACKNOWLEDGE, "acknowledge"},
    {WIRE_PORTALS_HELLO, "hello"},
    {WIRE_PORTALS_TAG + WIRE_PORTALS_PUT, "tagged put"},
    {WIRE_PORTALS_TAG + WIRE_PORTALS_ACK, "tagged ack"},
    {WIRE_PORTALS_TAG + WIRE_PORTALS_GET, "tagged get"},
    {WIRE_PORTALS_TAG + WIRE_PORTALS_REPLY, "tagged reply"},
    {WIRE_PORTALS_TAG + WIRE_PORTALS_GETPUT, "getput"},
    {0, NULL},
};

static const struct wire_value md_values[] = {{WIRE_PORTALS_MD_NONE, "PTL_MD_NONE"}, {0, NULL}};

static const struct wire_value missing_values[] = {{0, "nothing"}, {1, "the next message"}, {0, NULL}};

static const struct wire_value id_values[] = {{WIRE_PORTALS_ID_UNKNOWN, "not known"}, {0, NULL}};

/* The table number of a row is that of its message; the rows of both ends are shared by all messages. */
#define TABLE_6         "4.1, table 6"
#define TABLE_7         "4.1, table 7"
#define TABLE_8         "4.1, table 8"
#define TABLE_9         "4.1, table 9"
#define BINDING_HELLO   "binding 4.1"
#define BINDING_BARRIER "binding 4.6"
#define BINDING_NUMBER  "binding 4.7"
#define BINDING_TAG     "binding 4.8"

/* clang-format off */

/* ROW(member, label, clause, offset, width, base, values, help); the member is the row's name. */

//= P30-072
#define PROCESS_ROWS(ROW, clause, who, member, at)                                                                     \
    ROW(member.nid, who " node id", clause, at, 4, WIRE_IPV4, NULL,                                                    \
        "Node of the process: its IPv4 address.")                                                                      \
    ROW(member.pid, who " process id", clause, at + 4, 4, WIRE_DEC, NULL,                                              \
        "Process on the node: the TCP port at which it listens.")                                                      \
    ROW(member.gid, who " group id", clause, at + 8, 4, WIRE_DEC, id_values,                                           \
        "Group (job) of the process; all ones when the sender does not know it.")                                      \
    ROW(member.rid, who " rank id", clause, at + 12, 4, WIRE_DEC, id_values,                                           \
        "Rank of the process in its group, from 0; all ones when the sender does not know it.")

#define HEAD_ROWS(ROW, clause)                                                                                         \
    ROW(operation, "Operation", clause, 0, 4, WIRE_ENUM, operation_values,                                             \
        "Kind of message.")                                                                                            \
    PROCESS_ROWS(ROW, clause, "Initiator", initiator, 4)                                                               \
    PROCESS_ROWS(ROW, clause, "Target", target, 20)

/* Put and get requests carry the same information (tables 6 and 8), apart from the put's data. */
//= P30-049
//= P30-277
//= P30-278
//= P30-279
//= P30-280
//= P30-281
//= P30-282
//= P30-283
//= P30-296
//= P30-297
//= P30-298
#define REQUEST_ROWS(ROW, clause)                                                                                      \
    HEAD_ROWS(ROW, clause)                                                                                             \
    ROW(portal, "Portal index", clause, 36, 4, WIRE_DEC, NULL,                                                         \
        "Index into the target's portal table.")                                                                       \
    ROW(cookie, "Cookie", clause, 40, 4, WIRE_DEC, NULL,                                                               \
        "Index into the target's access control table.")                                                               \
    ROW(match_bits, "Match bits", clause, 44, 8, WIRE_HEX, NULL,                                                       \
        "Compared with the entries of the target's match list.")                                                       \
    ROW(offset, "Offset", clause, 52, 8, WIRE_DEC, NULL,                                                               \
        "Offset into the target's memory, used where the target leaves offsets to the initiator.")                     \
    ROW(md, "Memory desc", clause, 60, 8, WIRE_HEX, md_values,                                                         \
        "The initiator's memory descriptor; opaque to the target, which echoes it. None: no answer is wanted.")        \
    ROW(rlength, "Length", clause, 68, 8, WIRE_DEC, NULL,                                                              \
        "Octets that the initiator asks to have written or read.")

/* Acknowledgements and replies echo the request and add what was done (tables 7 and 9). */
//= P30-288
//= P30-289
//= P30-290
//= P30-291
//= P30-292
//= P30-293
//= P30-294
//= P30-301
//= P30-302
#define ANSWER_ROWS(ROW, clause)                                                                                       \
    HEAD_ROWS(ROW, clause)                                                                                             \
    ROW(portal, "Portal index", clause, 36, 4, WIRE_DEC, NULL,                                                         \
        "Echo of the request's portal index.")                                                                         \
    ROW(match_bits, "Match bits", clause, 40, 8, WIRE_HEX, NULL,                                                       \
        "Echo of the request's match bits.")                                                                           \
    ROW(offset, "Offset", clause, 48, 8, WIRE_DEC, NULL,                                                               \
        "Echo of the request's offset.")                                                                               \
    ROW(md, "Memory desc", clause, 56, 8, WIRE_HEX, md_values,                                                         \
        "Echo of the request's memory descriptor, by which the initiator finds its own.")                              \
    ROW(rlength, "Requested length", clause, 64, 8, WIRE_DEC, NULL,                                                    \
        "Echo of the request's length.")                                                                               \
    ROW(mlength, "Manipulated length", clause, 72, 8, WIRE_DEC, NULL,                                                  \
        "Octets really written or read, at most the requested length.")

#define TAG_ROWS(ROW, at)                                                                                              \
    ROW(uid, "User id", BINDING_TAG, at, 4, WIRE_DEC, NULL,                                                            \
        "User of the process that sends this message.")                                                                \
    ROW(hdr_data, "Header data", BINDING_TAG, at + 4, 8, WIRE_HEX, NULL,                                               \
        "What the initiator of a put tells in its header; echoed in answers.")                                         \
    ROW(local_offset, "Local offset", BINDING_TAG, at + 12, 8, WIRE_DEC, NULL,                                         \
        "Where in the initiator's memory the data begins; echoed in answers.")

#define TAGGED_PUT_ROWS(ROW) REQUEST_ROWS(ROW, BINDING_TAG) TAG_ROWS(ROW, 76)
#define TAGGED_ACK_ROWS(ROW) ANSWER_ROWS(ROW, BINDING_TAG) TAG_ROWS(ROW, 80)

#define PUT_ROWS(ROW) REQUEST_ROWS(ROW, TABLE_6)
#define ACK_ROWS(ROW) ANSWER_ROWS(ROW, TABLE_7)
#define GET_ROWS(ROW) REQUEST_ROWS(ROW, TABLE_8)
#define REPLY_ROWS(ROW) ANSWER_ROWS(ROW, TABLE_9)

#define HELLO_ROWS(ROW)                                                                                                \
    ROW(operation, "Magic", BINDING_HELLO, 0, 4, WIRE_ENUM, operation_values,                                          \
        "The letters PTL3, by which a stream of this binding is known.")                                               \
    ROW(version_major, "Major version", BINDING_HELLO, 4, 2, WIRE_DEC, NULL,                                           \
        "Version of the binding; streams of another major version are refused.")                                       \
    ROW(version_minor, "Minor version", BINDING_HELLO, 6, 2, WIRE_DEC, NULL,                                           \
        "Minor version of the binding; differences are ignored.")                                                      \
    PROCESS_ROWS(ROW, BINDING_HELLO, "Sender", initiator, 8)                                                           \
    PROCESS_ROWS(ROW, BINDING_HELLO, "Peer", target, 24)                                                               \
    ROW(interface, "Interface", BINDING_HELLO, 40, 4, WIRE_DEC, NULL,                                                  \
        "Number of the network interface that the stream belongs to, at both ends.")                                   \
    ROW(group_size, "Group size", BINDING_HELLO, 44, 4, WIRE_DEC, NULL,                                                \
        "Number of processes in the sender's group.")

#define BARRIER_ROWS(ROW)                                                                                              \
    HEAD_ROWS(ROW, BINDING_BARRIER)                                                                                    \
    ROW(sequence, "Sequence", BINDING_BARRIER, 36, 8, WIRE_DEC, NULL,                                                  \
        "How many barriers of this interface there have been, this one included.")                                     \
    ROW(round, "Round", BINDING_BARRIER, 44, 4, WIRE_DEC, NULL,                                                        \
        "Round of the dissemination, from 0.")

#define NUMBER_ROWS(ROW)                                                                                               \
    ROW(operation, "Operation", BINDING_NUMBER, 0, 4, WIRE_ENUM, operation_values,                                     \
        "Kind of message.")                                                                                            \
    ROW(epoch, "Epoch", BINDING_NUMBER, 4, 8, WIRE_HEX, NULL,                                                          \
        "Which counting of the sender this is; a later one has a larger value.")                                       \
    ROW(number, "Number", BINDING_NUMBER, 12, 8, WIRE_DEC, NULL,                                                       \
        "Number of the message that follows, from 1 in each epoch.")

#define ACKNOWLEDGE_ROWS(ROW)                                                                                          \
    HEAD_ROWS(ROW, BINDING_NUMBER)                                                                                     \
    ROW(incarnation, "Incarnation", BINDING_NUMBER, 36, 8, WIRE_HEX, NULL,                                             \
        "Which life of the sender this is; a later one has a larger value.")                                           \
    ROW(epoch, "Epoch", BINDING_NUMBER, 44, 8, WIRE_HEX, NULL,                                                         \
        "The counting that is acknowledged.")                                                                          \
    ROW(acknowledged, "Acknowledged", BINDING_NUMBER, 52, 8, WIRE_DEC, NULL,                                           \
        "All messages of the epoch up to this number have been received.")                                             \
    ROW(missing, "Missing", BINDING_NUMBER, 60, 4, WIRE_ENUM, missing_values,                                          \
        "Whether later messages have come without the next one.")

/* clang-format on */

/* The first expansion: the tables. */

#define TABLE_ROW(member, label_, clause_, offset_, width_, base_, values_, help_)                                     \
    {.name = #member,                                                                                                  \
     .label = label_,                                                                                                  \
     .clause = clause_,                                                                                                \
     .offset = offset_,                                                                                                \
     .width = width_,                                                                                                  \
     .base = base_,                                                                                                    \
     .values = values_,                                                                                                \
     .help = help_},

static const struct wire_row put_rows[] = {PUT_ROWS(TABLE_ROW)};
static const struct wire_row ack_rows[] = {ACK_ROWS(TABLE_ROW)};
static const struct wire_row get_rows[] = {GET_ROWS(TABLE_ROW)};
static const struct wire_row reply_rows[] = {REPLY_ROWS(TABLE_ROW)};
static const struct wire_row barrier_rows[] = {BARRIER_ROWS(TABLE_ROW)};
static const struct wire_row number_rows[] = {NUMBER_ROWS(TABLE_ROW)};
static const struct wire_row acknowledge_rows[] = {ACKNOWLEDGE_ROWS(TABLE_ROW)};
static const struct wire_row hello_rows[] = {HELLO_ROWS(TABLE_ROW)};

static const struct wire_row tagged_request_rows[] = {TAGGED_PUT_ROWS(TABLE_ROW)};
static const struct wire_row tagged_answer_rows[] = {TAGGED_ACK_ROWS(TABLE_ROW)};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
/* The payload's length stands in the last row of a put and of a reply. */
#define LAST_ROW_OF(array) ((int16_t)(COUNT_OF(array) - 1))
/* Three rows of the tag stand behind it. */
#define LAST_BEFORE_TAG(array) ((int16_t)(COUNT_OF(array) - 4))

/* Each message's length is the sum of its rows' widths. */
#define PLUS_WIDTH(member, label, clause, offset, width, base, values, help) +(width)
enum {
    PUT_OCTETS = 0 PUT_ROWS(PLUS_WIDTH),
    ACK_OCTETS = 0 ACK_ROWS(PLUS_WIDTH),
    GET_OCTETS = 0 GET_ROWS(PLUS_WIDTH),
    REPLY_OCTETS = 0 REPLY_ROWS(PLUS_WIDTH),
    BARRIER_OCTETS = 0 BARRIER_ROWS(PLUS_WIDTH),
    NUMBER_OCTETS = 0 NUMBER_ROWS(PLUS_WIDTH),
    ACKNOWLEDGE_OCTETS = 0 ACKNOWLEDGE_ROWS(PLUS_WIDTH),
    HELLO_OCTETS = 0 HELLO_ROWS(PLUS_WIDTH),
    TAGGED_REQUEST_OCTETS = 0 TAGGED_PUT_ROWS(PLUS_WIDTH),
    TAGGED_ANSWER_OCTETS = 0 TAGGED_ACK_ROWS(PLUS_WIDTH),
};

static_assert((int)TAGGED_ANSWER_OCTETS == (int)WIRE_PORTALS_HEADER_MAX, "it is the longest");

static_assert((int)NUMBER_OCTETS == (int)WIRE_PORTALS_NUMBER_OCTETS,
              "who puts a NUMBER before a header makes room for it");

#define TAGGED_REQUEST(name, label, operation, payload)                                                                \
    {                                                                                                                  \
        name, label, BINDING_TAG, WIRE_PORTALS_TAG + WIRE_PORTALS_##operation, TAGGED_REQUEST_OCTETS,                  \
            tagged_request_rows, COUNT_OF(tagged_request_rows), payload, 0                                             \
    }
#define TAGGED_ANSWER(name, label, operation, payload)                                                                 \
    {                                                                                                                  \
        name, label, BINDING_TAG, WIRE_PORTALS_TAG + WIRE_PORTALS_##operation, TAGGED_ANSWER_OCTETS,                   \
            tagged_answer_rows, COUNT_OF(tagged_answer_rows), payload, 0                                               \
    }

const struct wire_message wire_portals_messages[WIRE_PORTALS_COUNT] = {
    {"put", "Put request", TABLE_6, WIRE_PORTALS_PUT, PUT_OCTETS, put_rows, COUNT_OF(put_rows), LAST_ROW_OF(put_rows),
     0},
    {"ack", "Acknowledgement", TABLE_7, WIRE_PORTALS_ACK, ACK_OCTETS, ack_rows, COUNT_OF(ack_rows), -1, 0},
    {"get", "Get request", TABLE_8, WIRE_PORTALS_GET, GET_OCTETS, get_rows, COUNT_OF(get_rows), -1, 0},
    {"reply", "Reply", TABLE_9, WIRE_PORTALS_REPLY, REPLY_OCTETS, reply_rows, COUNT_OF(reply_rows),
     LAST_ROW_OF(reply_rows), 0},
    {"barrier", "Barrier", BINDING_BARRIER, WIRE_PORTALS_BARRIER, BARRIER_OCTETS, barrier_rows, COUNT_OF(barrier_rows),
     -1, 0},
    {"number", "Number", BINDING_NUMBER, WIRE_PORTALS_NUMBER, NUMBER_OCTETS, number_rows, COUNT_OF(number_rows), -1, 0},
    {"acknowledge", "Acknowledge", BINDING_NUMBER, WIRE_PORTALS_ACKNOWLEDGE, ACKNOWLEDGE_OCTETS, acknowledge_rows,
     COUNT_OF(acknowledge_rows), -1, 0},
    {"hello", "Hello", BINDING_HELLO, WIRE_PORTALS_HELLO, HELLO_OCTETS, hello_rows, COUNT_OF(hello_rows), -1, 0},
    TAGGED_REQUEST("tagged-put", "Put request, tagged", PUT, LAST_BEFORE_TAG(tagged_request_rows)),
    TAGGED_ANSWER("tagged-ack", "Acknowledgement, tagged", ACK, -1),
    TAGGED_REQUEST("tagged-get", "Get request, tagged", GET, -1),
    TAGGED_ANSWER("tagged-reply", "Reply, tagged", REPLY, LAST_BEFORE_TAG(tagged_answer_rows)),
    TAGGED_REQUEST("getput", "Getput request", GETPUT, LAST_BEFORE_TAG(tagged_request_rows)),
};

const struct wire_message *wire_portals_message_of(uint32_t operation)
{
    for (size_t i = 0; i < WIRE_PORTALS_COUNT; i++) {
        if (wire_portals_messages[i].operation == operation) {
            return &wire_portals_messages[i];
        }
    }
    return NULL;
}

const struct wire_message *wire_portals_message_named(const char *name)
{
    for (size_t i = 0; i < WIRE_PORTALS_COUNT; i++) {
        if (strcmp(wire_portals_messages[i].name, name) == 0) {
            return &wire_portals_messages[i];
        }
    }
    return NULL;
}

#define READ_2(reader)         wire_read_u16(reader)
#define READ_4(reader)         wire_read_u32(reader)
#define READ_8(reader)         wire_read_u64(reader)
#define WRITE_2(writer, value) wire_write_u16(writer, value)
#define WRITE_4(writer, value) wire_write_u32(writer, value)
#define WRITE_8(writer, value) wire_write_u64(writer, value)

#define READ_ROW(member, label, clause, offset, width, base, values, help)                                             \
    static_assert(sizeof(header->member) == (width), "the row's width is the member's");                               \
    header->member = READ_##width(&part);
#define WRITE_ROW(member, label, clause, offset, width, base, values, help) WRITE_##width(&part, header->member);

/*
 * The second and third expansion: a reader and a writer for each list of rows, read_NAME and write_NAME. Put and get
 * share their rows, and so do acknowledgement and reply: the clause makes no octets.
 */
#define BOTH_WAYS(name, OCTETS, ROWS)                                                                                  \
    static void read_##name(struct wire_reader *reader, struct wire_portals_header *header)                            \
    {                                                                                                                  \
        struct wire_reader part = wire_read_part(reader, OCTETS);                                                      \
                                                                                                                       \
        if (!part.failed) {                                                                                            \
            ROWS(READ_ROW)                                                                                             \
        }                                                                                                              \
    }                                                                                                                  \
    static void write_##name(struct wire_writer *writer, const struct wire_portals_header *header)                     \
    {                                                                                                                  \
        struct wire_writer part = wire_write_part(writer, OCTETS);                                                     \
                                                                                                                       \
        if (!part.failed) {                                                                                            \
            ROWS(WRITE_ROW)                                                                                            \
        }                                                                                                              \
    }

BOTH_WAYS(request, PUT_OCTETS, PUT_ROWS)
BOTH_WAYS(answer, ACK_OCTETS, ACK_ROWS)
BOTH_WAYS(tagged_request, TAGGED_REQUEST_OCTETS, TAGGED_PUT_ROWS)
BOTH_WAYS(tagged_answer, TAGGED_ANSWER_OCTETS, TAGGED_ACK_ROWS)
BOTH_WAYS(barrier, BARRIER_OCTETS, BARRIER_ROWS)
BOTH_WAYS(number, NUMBER_OCTETS, NUMBER_ROWS)
BOTH_WAYS(acknowledge, ACKNOWLEDGE_OCTETS, ACKNOWLEDGE_ROWS)
BOTH_WAYS(hello, HELLO_OCTETS, HELLO_ROWS)

/* Copied instead of `= {0}`: gcc clears a struct of this size by a string instruction that takes as long as all else.
 */
static const struct wire_portals_header nothing_yet;

/* Reads a tagged message; false when the operation is none. */
static bool read_tagged(uint32_t operation, struct wire_reader *reader, struct wire_portals_header *header)
{
    switch (operation) {
    case WIRE_PORTALS_TAG + WIRE_PORTALS_PUT:
    case WIRE_PORTALS_TAG + WIRE_PORTALS_GET:
    case WIRE_PORTALS_TAG + WIRE_PORTALS_GETPUT:
        read_tagged_request(reader, header);
        break;
    case WIRE_PORTALS_TAG + WIRE_PORTALS_ACK:
    case WIRE_PORTALS_TAG + WIRE_PORTALS_REPLY:
        read_tagged_answer(reader, header);
        break;
    default:
        return false;
    }
    header->operation = operation - WIRE_PORTALS_TAG;
    header->tagged = 1;
    return true;
}

uint64_t wire_portals_payload(const struct wire_portals_header *header)
{
    switch (header->operation) {
    case WIRE_PORTALS_PUT:
    case WIRE_PORTALS_GETPUT:
        return header->rlength;
    case WIRE_PORTALS_REPLY:
        return header->mlength;
    default:
        return 0;
    }
}

/* Writes a tagged message; false when there is no such one. */
static bool write_tagged(struct wire_writer *writer, const struct wire_portals_header *header)
{
    struct wire_portals_header tagged = *header;

    tagged.operation += WIRE_PORTALS_TAG;
    switch (header->operation) {
    case WIRE_PORTALS_PUT:
    case WIRE_PORTALS_GET:
    case WIRE_PORTALS_GETPUT:
        write_tagged_request(writer, &tagged);
        return true;
    case WIRE_PORTALS_ACK:
    case WIRE_PORTALS_REPLY:
        write_tagged_answer(writer, &tagged);
        return true;
    default:
        return false;
    }
}

enum wire_status wire_portals_decode(const void *octets, size_t len, struct wire_portals_header *header,
                                     size_t *header_octets, uint64_t *payload_octets)
{
    struct wire_reader peek = wire_reader_over(octets, len);
    struct wire_reader reader = peek;
    struct wire_portals_header got = nothing_yet;
    uint32_t operation = wire_read_u32(&peek);
    uint64_t payload = 0;

    if (peek.failed) {
        return WIRE_SHORT;
    }
    switch (operation) {
    case WIRE_PORTALS_PUT:
        read_request(&reader, &got);
        payload = got.rlength; //= P30-286
        break;
    case WIRE_PORTALS_GET:
        read_request(&reader, &got); //= P30-299
        break;
    case WIRE_PORTALS_ACK:
        read_answer(&reader, &got); //= P30-295
        break;
    case WIRE_PORTALS_REPLY:
        read_answer(&reader, &got);
        payload = got.mlength; //= P30-303
        break;
    case WIRE_PORTALS_BARRIER:
        read_barrier(&reader, &got);
        break;
    case WIRE_PORTALS_NUMBER:
        read_number(&reader, &got);
        break;
    case WIRE_PORTALS_ACKNOWLEDGE:
        read_acknowledge(&reader, &got);
        break;
    case WIRE_PORTALS_HELLO:
        read_hello(&reader, &got);
        break;
    default:
        if (!read_tagged(operation, &reader, &got)) {
            return WIRE_UNKNOWN;
        }
        payload = wire_portals_payload(&got);
        break;
    }
    if (reader.failed) {
        return WIRE_SHORT;
    }
    if (got.rlength > WIRE_PORTALS_LENGTH_MAX || got.mlength > WIRE_PORTALS_LENGTH_MAX) {
        return WIRE_TOO_LONG;
    }
    *header = got;
    if (header_octets) {
        *header_octets = len - reader.left;
    }
    if (payload_octets) {
        *payload_octets = payload;
    }
    return WIRE_OK;
}

enum wire_status wire_portals_encode(const struct wire_portals_header *header, void *buffer, size_t cap, size_t *len)
{
    struct wire_writer writer = wire_writer_over(buffer, cap);

    if (header->tagged) {
        if (!write_tagged(&writer, header)) {
            return WIRE_UNKNOWN;
        }
        *len = writer.failed ? *len : writer.written;
        return writer.failed ? WIRE_NO_SPACE : WIRE_OK;
    }
    switch (header->operation) {
    case WIRE_PORTALS_PUT: //= P30-276
    case WIRE_PORTALS_GET: //= P30-296
        write_request(&writer, header);
        break;
    case WIRE_PORTALS_ACK:   //= P30-287
    case WIRE_PORTALS_REPLY: //= P30-300
        write_answer(&writer, header);
        break;
    case WIRE_PORTALS_BARRIER:
        write_barrier(&writer, header);
        break;
    case WIRE_PORTALS_NUMBER:
        write_number(&writer, header);
        break;
    case WIRE_PORTALS_ACKNOWLEDGE:
        write_acknowledge(&writer, header);
        break;
    case WIRE_PORTALS_HELLO:
        write_hello(&writer, header);
        break;
    default:
        return WIRE_UNKNOWN;
    }
    if (writer.failed) {
        return WIRE_NO_SPACE;
    }
    *len = writer.written;
    return WIRE_OK;
}
