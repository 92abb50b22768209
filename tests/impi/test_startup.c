/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The client's side of start-up as a machine, and what it concludes (chapters 2.3.2 to 2.3.6, 3.9): the document's job
 * of three clients, in which this is client 1, octet by octet and at once.
 */
#include "ref-impl/impi/client/startup.h"
#include "tests/unit/tap.h"

static const uint16_t ports[] = {6001, 6002};
static const struct auth none_and_key = {3, 5678, {1, 0}, 2};
static const struct auth none_only = {1, 0, {0}, 1};

/* Client 1 of the document's example: two hosts with three processes each. */
static struct offer offered(void)
{
    return (struct offer){.hosts = 2,
                          .processes = 6,
                          .values = {4000, 2147483647, -1, -1, 10, 20},
                          .host_id = {[12] = 127, 0, 0, 1},
                          .ports = ports,
                          .first_pid = 7};
}

/* What the server tells client 1 before DONE. Hosts 3, 2, 2; processes 6, 6, 8. */
#define V00     "\0\0\0\0\0\0\0\0"
#define V01     "\0\0\0\0\0\0\0\1"
#define HOST    "\0\0\0\0\0\0\0\0\0\0\0\0\x7f\0\0\1"
#define MARK(n) "\0\0\0" n
#define SIZE    "IMPI\0\0\0\4\0\0\0\3"
#define DONE    "DONE\0\0\0\0"

static const char versions[] = "COLL\0\0\0\x30\0\0\x10\0\0\0\0\7" V00 V01 V00 V00 V01;
static const char hosts[] = "COLL\0\0\0\x14\0\0\x11\0\0\0\0\7\0\0\0\3\0\0\0\2\0\0\0\2";
static const char processes[] = "COLL\0\0\0\x14\0\0\x12\0\0\0\0\7\0\0\0\6\0\0\0\6\0\0\0\x08";
static const char lengths[] = "COLL\0\0\0\x14\0\0\x13\0\0\0\0\7\0\0\x1f\x40\0\0\x0f\xa0\0\0\x0f\xa0";
static const char tags[] = "COLL\0\0\0\x10\0\0\x14\0\0\0\0\5\0\0\xff\xff\x7f\xff\xff\xff";
static const char xsizes[] = "COLL\0\0\0\x14\0\0\x15\0\0\0\0\7\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
static const char linears[] = "COLL\0\0\0\x14\0\0\x16\0\0\0\0\7\0\0\0\2\0\0\0\2\0\0\0\2";
static const char addresses[] = "COLL\0\0\0\x78\0\0\x20\0\0\0\0\7" HOST HOST HOST HOST HOST HOST HOST;
static const char port_list[] = "COLL\0\0\0\x24\0\0\x21\0\0\0\0\7\0\0\x13\x89\0\0\x13\x8a\0\0\x13\x8b\0\0\x17\x71\0\0"
                                "\x17\x72\0\0\x1b\x59\0\0\x1b\x5a";
static const char shares[] =
    "COLL\0\0\0\x24\0\0\x22\0\0\0\0\7" MARK("\2") MARK("\2") MARK("\2") MARK("\3") MARK("\3") MARK("\4") MARK("\4");
static const char ackmarks[] = "COLL\0\0\0\x24\0\0\x23\0\0\0\0\7" MARK("\5") MARK("\6") MARK("\7") MARK("\x0a")
    MARK("\x0a") MARK("\3") MARK("\x09");
static const char hiwaters[] = "COLL\0\0\0\x24\0\0\x24\0\0\0\0\7" MARK("\x63") MARK("\x63") MARK("\7") MARK("\x14")
    MARK("\x14") MARK("\5") MARK("\x09");

static void put(struct queue *queue, const char *octets, size_t len)
{
    CHECK(queue_put(queue, octets, len), "room");
}

/* The process labels: all have the same host; process identifiers count up from 1. */
static void put_processes(struct queue *queue, uint8_t last)
{
    put(queue, "COLL\0\0\1\x48\0\0\x30\0\0\0\0\7", 16);
    for (int i = 0; i < 20; i++) {
        put(queue, HOST, 16);
    }
    put(queue, "COLL\0\0\0\xa8\0\0\x31\0\0\0\0\7", 16);
    for (char i = 0; i < 20; i++) {
        char pid[8] = {0, 0, 0, 0, 0, 0, 0, (char)(i == 19 ? last : i + 1)};

        put(queue, pid, 8);
    }
}

static struct queue conversation(uint8_t last)
{
    struct queue queue = {0};

    put(&queue, V00 SIZE, 8 + 12);
    put(&queue, versions, sizeof versions - 1);
    put(&queue, hosts, sizeof hosts - 1);
    put(&queue, processes, sizeof processes - 1);
    put(&queue, lengths, sizeof lengths - 1);
    put(&queue, tags, sizeof tags - 1);
    put(&queue, xsizes, sizeof xsizes - 1);
    put(&queue, linears, sizeof linears - 1);
    put(&queue, addresses, sizeof addresses - 1);
    put(&queue, port_list, sizeof port_list - 1);
    put(&queue, shares, sizeof shares - 1);
    put(&queue, ackmarks, sizeof ackmarks - 1);
    put(&queue, hiwaters, sizeof hiwaters - 1);
    put_processes(&queue, last);
    put(&queue, DONE, 8);
    return queue;
}

static void agreed_check(const struct agreed *agreed)
{
    const struct link_world *w = &agreed->world;

    CHECK(w->clients == 3 && w->hosts == 7 && w->size == 20, "3 clients, 7 hosts, 20 processes");
    CHECK(w->major == 0 && w->minor == 0, "version 0.0: the third client has no other below 0.1 and we have none");
    CHECK(w->datalen == 4000 && w->tagub == 65535, "the smallest data length and tag, one client without a tag");
    CHECK(w->xsize == 1024 && w->xsize_given == -1 && w->maxlinear == 2 && w->maxlinear_given == 2, "of collectives");
    CHECK(w->ackmark == 3 && w->hiwater == 5, "the smallest marks of all hosts");
    CHECK_EQ(agreed->first_host, 3, "our first host");
    static const uint32_t first[] = {0, 2, 4, 6, 9, 12, 16, 20};
    static const uint32_t client[] = {0, 0, 0, 1, 1, 2, 2};
    static const uint16_t port[] = {5001, 5002, 5003, 6001, 6002, 7001, 7002};
    for (uint32_t host = 0; host < 7; host++) {
        const struct agreed_host *h = &agreed->hosts[host];

        CHECK(h->client == client[host] && h->port == port[host] && h->first == first[host] &&
                  h->processes == first[host + 1] - first[host],
              "host %u", (unsigned)host);
        for (uint32_t rank = h->first; rank < first[host + 1]; rank++) {
            CHECK(w->members[rank].host == host && w->members[rank].client == client[host] &&
                      w->members[rank].process.pid == (int64_t)rank + 1,
                  "rank %u", (unsigned)rank);
        }
    }
}

static void whole(void)
{
    struct queue octets = conversation(20);
    struct offer offer = offered();

    for (size_t piece = 1; piece <= queue_len(&octets); piece = piece < 40 ? piece + 1 : piece * 2) {
        struct startup s;

        startup_begin(&s, &none_only, 1, &offer);
        CHECK_MEM(queue_front(&s.out), "AUTH\0\0\0\4\0\0\0\1", 12, "it opens with AUTH");
        for (size_t at = 0; at < queue_len(&octets); at += piece) {
            size_t left = queue_len(&octets) - at;

            (void)startup_hear(&s, queue_front(&octets) + at, left < piece ? left : piece);
        }
        if (CHECK(s.state == STARTUP_RUNNING, "in pieces of %zu octets: %s", piece, s.error)) {
            agreed_check(&s.agreed);
        }
        startup_end(&s);
    }
    queue_free(&octets);
}

/* What client 1 submits: every octet by hand. */
static void submits(void)
{
    static const char want[] = "AUTH\0\0\0\4\0\0\0\3"
                               "\0\0\0\0\0\0\x16\x2e"
                               "IMPI\0\0\0\4\0\0\0\1"
                               "COLL\0\0\0\x0c\0\0\x10\0\0\0\0\0\0\0\0\0"
                               "COLL\0\0\0\x08\0\0\x11\0\0\0\0\2"
                               "COLL\0\0\0\x08\0\0\x12\0\0\0\0\6"
                               "COLL\0\0\0\x08\0\0\x13\0\0\0\x0f\xa0"
                               "COLL\0\0\0\x08\0\0\x14\0\x7f\xff\xff\xff"
                               "COLL\0\0\0\x08\0\0\x15\0\xff\xff\xff\xff"
                               "COLL\0\0\0\x08\0\0\x16\0\xff\xff\xff\xff"
                               "COLL\0\0\0\x24\0\0\x20\0" HOST HOST "COLL\0\0\0\x0c\0\0\x21\0\0\0\x17\x71\0\0\x17\x72"
                               "COLL\0\0\0\x0c\0\0\x22\0\0\0\0\3\0\0\0\3"
                               "COLL\0\0\0\x0c\0\0\x23\0\0\0\0\x0a\0\0\0\x0a"
                               "COLL\0\0\0\x0c\0\0\x24\0\0\0\0\x14\0\0\0\x14"
                               "COLL\0\0\0\x64\0\0\x30\0";
    static const char pids[] = "COLL\0\0\0\x34\0\0\x31\0\0\0\0\0\0\0\0\x07\0\0\0\0\0\0\0\x08\0\0\0\0\0\0\0\x09"
                               "\0\0\0\0\0\0\0\x0a\0\0\0\0\0\0\0\x0b\0\0\0\0\0\0\0\x0c"
                               "DONE\0\0\0\0";
    struct offer offer = offered();
    struct startup s;

    startup_begin(&s, &none_and_key, 1, &offer);
    CHECK(startup_hear(&s, "\0\0\0\1\0\0\0\0", 8) == STARTUP_JOINING, "the server wants the key");
    CHECK_EQ(queue_len(&s.out), 12 + 8 + 12, "key and rank are sent, and no label before the size is known");
    CHECK(startup_hear(&s, SIZE, 12) == STARTUP_COLLECTING, "three clients");
    if (CHECK_EQ(queue_len(&s.out), sizeof want - 1 + 96 + sizeof pids - 1, "all labels and DONE")) {
        CHECK_MEM(queue_front(&s.out), want, sizeof want - 1, "labels ascending");
        CHECK_MEM(queue_front(&s.out) + sizeof want - 1 + 96, pids, sizeof pids - 1, "the last one, and DONE");
    }
    startup_end(&s);
}

static void twins(void)
{
    struct queue octets = conversation(7);
    struct offer offer = offered();
    struct startup s;

    startup_begin(&s, &none_only, 1, &offer);
    CHECK(startup_hear(&s, queue_front(&octets), queue_len(&octets)) == STARTUP_FAILED, "two processes of one name");
    CHECK(strstr(s.error, "ranks 6 (client 1) and 19 (client 2)"), "are named: %s", s.error);
    startup_end(&s);
    queue_free(&octets);
}

/* Every truncation, and every octet changed: it fails or waits, and never does anything else. */
static void disturbed(void)
{
    struct queue octets = conversation(20);
    struct offer offer = offered();
    size_t len = queue_len(&octets);
    unsigned failed = 0;

    for (size_t i = 0; i < len; i++) {
        struct startup s;

        startup_begin(&s, &none_only, 1, &offer);
        CHECK(startup_hear(&s, queue_front(&octets), i) < STARTUP_RUNNING, "not before the last octet");
        startup_lost(&s);
        CHECK(s.state == STARTUP_FAILED && s.error[0], "the end of the connection says something");
        startup_end(&s);
        queue_front(&octets)[i] ^= 0x81;
        startup_begin(&s, &none_only, 1, &offer);
        failed += startup_hear(&s, queue_front(&octets), len) == STARTUP_FAILED;
        startup_end(&s);
        queue_front(&octets)[i] ^= 0x81;
    }
    CHECK(failed > 200, "many of the changes were noticed: %u", failed);
    queue_free(&octets);
}

/* A server that gives back fewer hosts and processes than were submitted, and nothing behind them: the one of two hosts
 * that there is has just what was said of it. */
static void less_than_submitted(void)
{
    static const char octets[] =
        V00 "IMPI\0\0\0\4\0\0\0\1"
            "COLL\0\0\0\x10\0\0\x10\0\0\0\0\1" V00 "COLL\0\0\0\x0c\0\0\x11\0\0\0\0\1\0\0\0\1"
            "COLL\0\0\0\x0c\0\0\x12\0\0\0\0\1\0\0\0\3"
            "COLL\0\0\0\x18\0\0\x20\0\0\0\0\1" HOST "COLL\0\0\0\x0c\0\0\x21\0\0\0\0\1\0\0\x17\x71"
            "COLL\0\0\0\x0c\0\0\x22\0\0\0\0\1\0\0\0\3"
            "COLL\0\0\0\x38\0\0\x30\0\0\0\0\1" HOST HOST HOST
            "COLL\0\0\0\x20\0\0\x31\0\0\0\0\1\0\0\0\0\0\0\0\7\0\0\0\0\0\0\0\x08\0\0\0\0\0\0\0\x09" DONE;
    struct offer offer = offered();
    struct startup s;

    startup_begin(&s, &none_only, 0, &offer);
    CHECK(startup_hear(&s, octets, sizeof octets - 1) == STARTUP_FAILED, "one host of two");
    CHECK(strstr(s.error, "other hosts or processes"), "is told: %s", s.error);
    startup_end(&s);
}

int main(void)
{
    TAP_RUN(whole);
    TAP_RUN(submits);
    TAP_RUN(twins);
    TAP_RUN(disturbed);
    less_than_submitted();
    return tap_done();
}
