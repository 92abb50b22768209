/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Printing: one message in both forms against text written by hand, the edges of numbers, buffers that are too small.
 */
#include "tests/unit/tap.h"
#include "tests/unit/vector.h"
#include "wire/octets/print.h"
#include "wire/portals/messages.h"

static const char put_json[] =
    "{\"offset\":48,\"message\":\"put\",\"fields\":{\"operation\":\"put\","
    "\"initiator.nid\":\"127.0.0.1\",\"initiator.pid\":50001,\"initiator.gid\":7,\"initiator.rid\":0,"
    "\"target.nid\":\"127.0.0.1\",\"target.pid\":50002,\"target.gid\":7,\"target.rid\":1,"
    "\"portal\":4,\"cookie\":0,\"match_bits\":\"0x0123456789abcdef\",\"offset\":16,"
    "\"md\":\"0x0000000100000002\",\"rlength\":5,\"data\":\"68656c6c6f\"}}";

static const char barrier_text[] = "7: Barrier\n"
                                   "    Operation               barrier (5)\n"
                                   "    Initiator node id       255.255.255.255\n"
                                   "    Initiator process id    4294967295\n"
                                   "    Initiator group id      not known (4294967295)\n"
                                   "    Initiator rank id       not known (4294967295)\n"
                                   "    Target node id          255.255.255.255\n"
                                   "    Target process id       4294967295\n"
                                   "    Target group id         not known (4294967295)\n"
                                   "    Target rank id          not known (4294967295)\n"
                                   "    Sequence                18446744073709551615\n"
                                   "    Round                   4294967295\n";

static void print_put(struct wire_text *text, const struct vector *put)
{
    const struct wire_message *message = wire_portals_message_of(WIRE_PORTALS_PUT);

    wire_print_json_open(text, message, 48, put->octets, put->len);
    wire_text_add_octets(text, put->octets + 76, put->len - 76);
    wire_print_json_close(text, message, NULL);
}

static void json_line(void)
{
    static struct vector vector;
    char buffer[WIRE_PRINT_HEADER_MAX];
    struct wire_text text = wire_text_over(buffer, sizeof buffer);

    vector_load(VECTORS "/put.hex", &vector);
    print_put(&text, &vector);
    CHECK(!text.failed, "there is room");
    CHECK_STR(buffer, put_json, "the line is as written by hand");
    for (size_t cap = 0; cap <= sizeof put_json; cap++) {
        memset(buffer, '~', sizeof buffer);
        text = wire_text_over(buffer, cap);
        print_put(&text, &vector);
        CHECK(text.failed == (cap < sizeof put_json), "%zu characters of room", cap);
        CHECK(buffer[cap] == '~' && (cap == 0 || text.len < cap), "stay within it");
    }
}

static void json_without_payload(void)
{
    const struct wire_message *get = wire_portals_message_of(WIRE_PORTALS_GET);
    static struct vector vector;
    char buffer[WIRE_PRINT_HEADER_MAX];
    struct wire_text text = wire_text_over(buffer, sizeof buffer);

    vector_load(VECTORS "/get-ones.hex", &vector);
    wire_print_json_open(&text, get, 0, vector.octets, vector.len);
    wire_print_json_close(&text, get, "cut");
    CHECK(strstr(buffer, "\"offset\":\"18446744073709551615\""), "what JSON readers would round is a string");
    CHECK(strstr(buffer, "\"rlength\":1099511627776},\"error\":\"cut\"}"), "no data; the error comes last");
    text = wire_text_over(buffer, sizeof buffer);
    wire_print_json_open(&text, get, 0, vector.octets, vector.len - 1);
    CHECK(text.failed, "a header that is cut off is not printed");
}

static void text_for_people(void)
{
    static struct vector vector;
    char buffer[WIRE_PRINT_HEADER_MAX];
    struct wire_text text = wire_text_over(buffer, sizeof buffer);

    vector_load(VECTORS "/barrier-ones.hex", &vector);
    wire_print_fields(&text, wire_portals_message_of(WIRE_PORTALS_BARRIER), 7, vector.octets, vector.len);
    CHECK_STR(buffer, barrier_text, "fields with label and value");
    text = wire_text_over(buffer, sizeof buffer);
    wire_print_fields(&text, wire_portals_message_of(WIRE_PORTALS_BARRIER), 7, vector.octets, 4);
    CHECK(text.failed, "a header that is cut off is not printed");
}

static void check_json_value(struct wire_row row, uint64_t value, const char *want)
{
    char buffer[64];
    struct wire_text text = wire_text_over(buffer, sizeof buffer);

    wire_print_json_value(&text, &row, value);
    CHECK_STR(buffer, want, want);
}

static void numbers(void)
{
    static const struct wire_value names[] = {{3, "three"}, {0, NULL}};
    struct wire_row dec = {.width = 8, .base = WIRE_DEC, .values = names};
    struct wire_row hex = {.width = 2, .base = WIRE_HEX, .values = names};
    struct wire_row code = {.width = 4, .base = WIRE_ENUM, .values = names};
    struct wire_row ipv4 = {.width = 4, .base = WIRE_IPV4};

    check_json_value(dec, 0, "0");
    check_json_value(dec, 3, "3");
    check_json_value(dec, UINT64_C(9007199254740992), "9007199254740992");
    check_json_value(dec, UINT64_C(9007199254740993), "\"9007199254740993\"");
    check_json_value(hex, 3, "\"0x0003\"");
    check_json_value(code, 3, "\"three\"");
    check_json_value(code, 4, "4");
    check_json_value(ipv4, 0x01020304, "\"1.2.3.4\"");
    check_json_value(ipv4, 0, "\"0.0.0.0\"");
}

/* Every header of every vector has room in WIRE_PRINT_HEADER_MAX with plenty to spare. */
static void room_for_one(const struct vector *vector)
{
    struct wire_portals_header header;
    char buffer[WIRE_PRINT_HEADER_MAX / 2];
    struct wire_text text = wire_text_over(buffer, sizeof buffer);
    const struct wire_message *message;

    CHECK_EQ(wire_portals_decode(vector->octets, vector->len, &header, NULL, NULL), WIRE_OK, vector->name);
    message = wire_portals_message_of(wire_portals_kind(&header));
    wire_print_json_open(&text, message, UINT64_MAX, vector->octets, vector->len);
    CHECK(!text.failed, "%s: fits as JSON", vector->name);
    text = wire_text_over(buffer, sizeof buffer);
    wire_print_fields(&text, message, UINT64_MAX, vector->octets, vector->len);
    CHECK(!text.failed, "%s: fits as text", vector->name);
}

static void room(void)
{
    vector_each(VECTORS, room_for_one);
}

/* One field for JSON and for a person. */
static void shows(const struct wire_row *row, const unsigned char *octets, const char *json, const char *person)
{
    char buffer[128];
    struct wire_text text = wire_text_over(buffer, sizeof buffer);

    wire_print_json_row(&text, row, octets, row->width);
    CHECK_STR(buffer, json, "for programs");
    text = wire_text_over(buffer, sizeof buffer);
    wire_print_row(&text, row, octets, row->width);
    CHECK_STR(buffer, person, "for people");
    text = wire_text_over(buffer, sizeof buffer);
    wire_print_row(&text, row, octets, row->width - 1u);
    CHECK(text.failed, "not when it is cut off");
    text = wire_text_over(buffer, sizeof buffer);
    wire_print_json_row(&text, row, octets, row->width - 1u);
    CHECK(text.failed, "in either form");
}

static void signed_numbers_versions_hosts(void)
{
    static const struct wire_value names[] = {{0xffffffff, "default"}, {0, NULL}};
    static const unsigned char ones[16] = {255, 255, 255, 255, 255, 255, 255, 255,
                                           255, 255, 255, 255, 255, 255, 255, 255};
    static const unsigned char least[8] = {0x80}, exact[8] = {0, 0x20},
                               beyond[8] = {0xff, 0xdf, 255, 255, 255, 255, 255, 255};
    static const unsigned char version[8] = {0, 0, 0, 1, 0, 0, 0, 12};
    static const unsigned char plain[16] = {[12] = 10, [15] = 1},
                               mapped[16] = {[10] = 255, [11] = 255, [12] = 192, [15] = 9};
    static const unsigned char six[16] = {0x20, 1, 0x0d, 0xb8, [7] = 0x0a, [14] = 1},
                               nearly[16] = {[10] = 255, [15] = 1};
    struct wire_row number = {.width = 4, .base = WIRE_INT, .values = names};
    struct wire_row wide = {.width = 8, .base = WIRE_INT};
    struct wire_row pair = {.width = 8, .base = WIRE_VERSION};
    struct wire_row host = {.width = 16, .base = WIRE_HOST};

    shows(&number, ones, "-1", "default (-1)");
    shows(&wide, least, "\"-9223372036854775808\"", "-9223372036854775808");
    shows(&wide, exact, "9007199254740992", "9007199254740992");
    shows(&wide, beyond, "\"-9007199254740993\"", "-9007199254740993");
    shows(&pair, version, "\"1.12\"", "1.12");
    shows(&host, plain, "\"::10.0.0.1\"", "::10.0.0.1");
    shows(&host, mapped, "\"::ffff:192.0.0.9\"", "::ffff:192.0.0.9");
    shows(&host, six, "\"2001:db8:0:a:0:0:0:100\"", "2001:db8:0:a:0:0:0:100");
    shows(&host, nearly, "\"0:0:0:0:0:ff00:0:1\"", "0:0:0:0:0:ff00:0:1");
    shows(&host, ones, "\"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff\"", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");
}

int main(void)
{
    TAP_RUN(json_line);
    TAP_RUN(json_without_payload);
    TAP_RUN(text_for_people);
    TAP_RUN(numbers);
    TAP_RUN(room);
    TAP_RUN(signed_numbers_versions_hosts);
    return tap_done();
}
