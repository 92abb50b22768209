/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Addresses as text and as host identifiers (chapter 1.2.3).
 */
#include "ref-impl/impi/common/address.h"
#include "tests/unit/tap.h"

#include <unistd.h>

static void texts(void)
{
    static const char *bad[] = {"",
                                ":5",
                                "host",
                                "host:",
                                "host:x",
                                "host:0",
                                "host:65536",
                                "h:-1",
                                "h: 5",
                                "h:5 ",
                                "h:99999999999999999999",
                                "[]:5",
                                "h:+5"};
    char host[16];
    uint16_t port = 0;

    CHECK(address_split("192.0.2.7:5001", host, sizeof host, &port), "dotted");
    CHECK_STR(host, "192.0.2.7", "its host");
    CHECK_EQ(port, 5001, "its port");
    CHECK(address_split("[2001:db8::7]:65535", host, sizeof host, &port), "in brackets");
    CHECK_STR(host, "2001:db8::7", "its host");
    CHECK_EQ(port, 65535, "its port");
    CHECK(address_split("::1:80", host, sizeof host, &port), "without brackets: the last colon counts");
    CHECK_STR(host, "::1", "its host");
    CHECK(!address_split("a-name-of-16-oct:1", host, sizeof host, &port), "no room for it");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK(!address_split(bad[i], host, sizeof host, &port), "malformed: '%s'", bad[i]);
    }
}

/* An address as text, resolved, as identifier and back. */
static void round_trip(const char *text, const char *shown, const unsigned char *id)
{
    struct address address;
    unsigned char host[WIRE_IMPI_HOST_OCTETS];
    char again[ADDRESS_TEXT_OCTETS];
    const char *reason = NULL;

    if (!CHECK(address_resolve(text, 5001, &address, 1, &reason) == 1, "%s", text)) {
        return;
    }
    address_host_id(&address, host);
    CHECK_MEM(host, id, sizeof host, "its identifier");
    address = address_of_host_id(host, 5002);
    CHECK_EQ(address_port(&address), 5002, "its port");
    address_text(&address, again);
    CHECK_STR(again, shown, "the same address");
}

static void identifiers(void)
{
    static const unsigned char v4[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 0, 2, 7};
    static const unsigned char compatible[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 192, 0, 2, 7};
    static const unsigned char v6[] = {0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7};
    static const unsigned char loopback[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    struct address address = address_of_host_id(compatible, 5001);
    char text[ADDRESS_TEXT_OCTETS];

    round_trip("192.0.2.7", "192.0.2.7:5002", v4);
    round_trip("2001:db8::7", "[2001:db8::7]:5002", v6);
    round_trip("::1", "[::1]:5002", loopback);
    address_text(&address, text);
    CHECK_STR(text, "192.0.2.7:5001", "twelve octets of zero before it");
}

static void sockets(void)
{
    struct address at;
    const char *reason = "";
    int connected = -1;

    CHECK(address_resolve("nobody.invalid", 1, &at, 1, &reason) == 0 && reason[0], "a name that nobody has: %s",
          reason);
    CHECK(address_resolve("127.0.0.1", 0, &at, 1, &reason) == 1, "this machine");
    int listening = address_listen(&at);
    CHECK(listening >= 0 && address_port(&at) != 0, "listens at a port");
    CHECK_EQ(address_connect(&at, NULL, 1000, &connected), 0, "and is reached");
    struct address peer;
    CHECK(address_peer(connected, &peer) && address_port(&peer) == address_port(&at), "by its address");
    struct address busy = at;
    CHECK_EQ(address_listen(&busy), -1, "nobody else listens there");
    close(connected);
    close(listening);
    CHECK(address_connect(&at, NULL, 1000, &connected) != 0, "nobody listens any more");
}

int main(void)
{
    TAP_RUN(texts);
    TAP_RUN(identifiers);
    TAP_RUN(sockets);
    return tap_done();
}
