/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The networks that wrap another one: what trace writes, and what fault does to what is sent. Below them is the TCP
 * network.
 */
#include "ref-impl/clock.h"
#include "ref-impl/nal/wrap/fault/fault.h"
#include "ref-impl/nal/wrap/trace/flow.h"
#include "ref-impl/nal/wrap/trace/trace.h"
#include "tests/reftcp/place.h"
#include "tests/unit/tap.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct place a, b;

/* nal_opener: the interface of presence `a`. */
static enum nal_status open_below(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                                  struct nal **nal)
{
    return tcp_net_open(a.net, config, upcalls, core, nal);
}

static void pair_begin(void)
{
    place_begin(&a, 0);
    place_begin(&b, 1);
    place_open(&b, 0);
}

static void pair_end(void)
{
    place_end(&a);
    place_end(&b);
}

static bool fault_begin(const char *spec)
{
    struct nal_config config = {0, a.self, PLACE_GROUP_SIZE};

    return fault_open(spec, open_below, &config, &recorder_upcalls, &a.core, &a.nal) == NAL_OK;
}

/* Memory that stays as long as any message may need it; a network that has said `sent` needs it no longer. */
static char data8[8];

static void send_numbered(unsigned count)
{
    memcpy(data8, "datadata", sizeof data8);
    for (unsigned i = 0; i < count; i++) {
        struct wire_portals_header put = place_header(WIRE_PORTALS_PUT, &a.self, &b.self);

        put.match_bits = i;
        put.rlength = sizeof data8;
        (void)nal_send(a.nal, &put, data8, sizeof data8, &a);
    }
}

/* A message of a kind that no spec here touches, as the last one. */
static void send_last(void)
{
    struct wire_portals_header ack = place_header(WIRE_PORTALS_ACK, &a.self, &b.self);

    ack.match_bits = UINT64_MAX;
    (void)nal_send(a.nal, &ack, NULL, 0, NULL);
}

static void bad_specs_are_refused(void)
{
    static const char *const bad[] = {"drop",        "drop=",        "drop=2",    "drop=-1", "drop=nan",
                                      "dup=0.5x",    "delay_ms=1.5", "seed=-1",   "kinds=",  "kinds=barrier",
                                      "kinds=put|x", "speed=3",      "drop=0.1;", "=1",      "delay_ms=60001"};

    pair_begin();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK(!fault_begin(bad[i]), "'%s' is refused", bad[i]);
    }
    a.nal = NULL;
    pair_end();
}

static void dropping_all(void)
{
    pair_begin();
    CHECK(fault_begin("drop=1,kinds=put"), "opens");
    send_numbered(20);
    send_last();
    CHECK(recorder_await(&b.core, RECORDER_ARRIVE, 1), "what is not to be touched arrives");
    CHECK_EQ(recorder_note(&b.core, RECORDER_ARRIVE, 0).header.operation, WIRE_PORTALS_ACK, "and nothing else");
    CHECK_EQ(recorder_calls(&a.core, RECORDER_SENT), 20, "the sender believes that all were sent");
    CHECK_EQ(recorder_incomplete(&a.core, RECORDER_SENT), 0, "completely");
    pair_end();
}

static void doubling_all(void)
{
    unsigned wrong = 0;

    pair_begin();
    CHECK(fault_begin("dup=1"), "opens");
    send_numbered(20);
    CHECK(recorder_await(&b.core, RECORDER_ARRIVE, 40), "every message arrives twice");
    for (unsigned i = 0; i < 40; i++) {
        wrong += recorder_note(&b.core, RECORDER_ARRIVE, i).header.match_bits != i / 2;
    }
    CHECK_EQ(wrong, 0, "each directly behind itself");
    pair_end();
    CHECK_EQ(recorder_calls(&a.core, RECORDER_SENT), 20, "but is reported as sent once");
}

static void delaying_keeps_order_and_data(void)
{
    char room[8] = "";
    unsigned wrong = 0;

    pair_begin();
    CHECK(fault_begin("delay_ms=30"), "opens");
    recorder_sink(&b.core, room, sizeof room, &b);
    uint64_t begun_ms = clock_now_ms();
    send_numbered(50);
    unsigned long at_once = recorder_calls(&b.core, RECORDER_ARRIVE);
    CHECK(at_once == 0 || clock_now_ms() - begun_ms >= 30, "nothing arrives before its time");
    CHECK_EQ(recorder_calls(&a.core, RECORDER_SENT), 50, "the sender need not wait");
    memset(data8, '#', sizeof data8); /* the memory is ours again */
    CHECK(recorder_await(&b.core, RECORDER_LANDED, 50), "everything arrives later");
    for (unsigned i = 0; i < 50; i++) {
        wrong += recorder_note(&b.core, RECORDER_ARRIVE, i).header.match_bits != i;
    }
    CHECK_EQ(wrong, 0, "in order");
    CHECK_MEM(room, "datadata", 8, "with the data that was there when it was sent");
    pair_end();
}

static void reordering_changes_the_order_only(void)
{
    enum { COUNT = 100 };
    unsigned seen[COUNT] = {0};
    unsigned moved = 0, missing = 0;

    pair_begin();
    CHECK(fault_begin("reorder=0.3,seed=5"), "opens");
    send_numbered(COUNT);
    CHECK(recorder_await(&b.core, RECORDER_ARRIVE, COUNT), "everything arrives");
    for (unsigned i = 0; i < COUNT; i++) {
        uint64_t number = recorder_note(&b.core, RECORDER_ARRIVE, i).header.match_bits;
        moved += number != i;
        seen[number % COUNT]++;
    }
    for (unsigned i = 0; i < COUNT; i++) {
        missing += seen[i] != 1;
    }
    CHECK_EQ(missing, 0, "each exactly once");
    CHECK(moved > 0, "%u of %d in another place", moved, COUNT);
    pair_end();
}

static void closing_sends_what_is_held_back(void)
{
    pair_begin();
    CHECK(fault_begin("delay_ms=60000"), "opens");
    send_numbered(10);
    place_end(&a);
    CHECK(recorder_await(&b.core, RECORDER_ARRIVE, 10), "a delay of a minute ends with the interface");
    place_end(&b);
}

/* The messages that arrive with that spec, as bits. */
static uint64_t survivors(const char *spec)
{
    uint64_t arrived = 0;

    pair_begin();
    if (!CHECK(fault_begin(spec), "opens")) {
        return 0;
    }
    send_numbered(64);
    send_last();
    place_end(&a); /* all has arrived when the peer has seen the end; the last message says so */
    for (unsigned i = 0;; i++) {
        (void)recorder_await(&b.core, RECORDER_ARRIVE, i + 1);
        uint64_t number = recorder_note(&b.core, RECORDER_ARRIVE, i).header.match_bits;
        if (number >= 64) {
            break;
        }
        arrived |= 1ULL << number;
    }
    place_end(&b);
    return arrived;
}

static void the_seed_decides(void)
{
    uint64_t first = survivors("drop=0.5,kinds=put,seed=42");

    CHECK(first != 0 && first != UINT64_MAX, "some arrive, some do not: %016llx", (unsigned long long)first);
    CHECK_EQ(survivors("drop=0.5,kinds=put,seed=42"), first, "the same seed drops the same messages");
    CHECK_EQ(survivors("drop=0.5,kinds=put,seed=42,dup=0.5"), first, "whatever else is done to them");
    CHECK(survivors("drop=0.5,kinds=put,seed=43") != first, "another seed drops others");
}

/* The signals that a thread of this process blocks, as the kernel shows them: bit n - 1 stands for signal n. */
static unsigned long long blocked_in(const char *thread)
{
    char path[300];
    char line[256];
    unsigned long long blocked = 0;

    snprintf(path, sizeof path, "/proc/self/task/%s/status", thread);
    FILE *status = fopen(path, "r");
    while (status && fgets(line, sizeof line, status)) {
        (void)sscanf(line, "SigBlk: %llx", &blocked);
    }
    if (status) {
        fclose(status);
    }
    return blocked;
}

static void signals_are_the_applications(void)
{
    const unsigned long long alarm_bit = 1ULL << (SIGALRM - 1);
    unsigned threads = 0;
    unsigned wrong = 0;

    pair_begin();
    CHECK(fault_begin("delay_ms=1"), "opens");
    send_numbered(1);
    CHECK(recorder_await(&b.core, RECORDER_ARRIVE, 1),
          "a message goes through: a thread that begins blocks everything");
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *task; tasks && (task = readdir(tasks)) != NULL;) {
        if (task->d_name[0] != '.' && atoi(task->d_name) != getpid()) {
            threads++;
            wrong += !(blocked_in(task->d_name) & alarm_bit);
        }
    }
    closedir(tasks);
    CHECK(threads >= 3, "two networks and the wrapper have threads of their own");
    CHECK_EQ(wrong, 0, "each leaves signals to the application");
    pair_end();
}

static void a_trace_can_be_revoked_under(void)
{
    enum { LENGTH = 1 << 20 };
    struct nal_config config = {0, {0}, PLACE_GROUP_SIZE};
    char directory[] = "/tmp/assay-trace-XXXXXX";
    char path[256];
    struct stat file = {.st_size = 0};
    unsigned char *data = calloc(1, LENGTH);
    unsigned char *room = malloc(LENGTH);

    CHECK(mkdtemp(directory) != NULL, "a folder");
    pair_begin();
    config.self = a.self;
    CHECK(trace_open("/nowhere/at/all", open_below, &config, &recorder_upcalls, &a.core, &a.nal) == NAL_NO_DEVICE,
          "a folder that does not exist is refused");
    CHECK(trace_open(directory, open_below, &config, &recorder_upcalls, &a.core, &a.nal) == NAL_OK, "opens");
    struct wire_portals_header put = place_header(WIRE_PORTALS_PUT, &b.self, &a.self);
    put.rlength = LENGTH;
    for (unsigned i = 0; i < 20; i++) {
        recorder_sink(&a.core, room, LENGTH, &put);
        (void)nal_send(b.nal, &put, data, LENGTH, NULL);
        CHECK(recorder_await(&a.core, RECORDER_ARRIVE, i + 1), "a message begins to arrive");
        nal_revoke(a.nal, &put);
        memset(room, '#', LENGTH);
        CHECK(recorder_await(&a.core, RECORDER_LANDED, i + 1), "it ends");
        CHECK(room[0] == '#' && room[LENGTH - 1] == '#', "its memory is left alone");
    }
    pair_end();
    snprintf(path, sizeof path, "%s/portals-0-%d.pcapng", directory, (int)getpid());
    CHECK(stat(path, &file) == 0 && file.st_size > 0, "the capture is there, %lld octets", (long long)file.st_size);
    unlink(path);
    rmdir(directory);
    free(data);
    free(room);
}

/* A network that is no network: it counts what it is given, and brings what the test wants, also while it closes. */
static struct below {
    struct nal nal;
    struct nal_upcalls upcalls;
    void *core;
    unsigned sent;
    bool late_message; /* a message arrives while it closes */
} below;

static enum nal_status below_send(struct nal *nal, const struct wire_portals_header *header, const void *payload,
                                  uint64_t length, void *cookie)
{
    (void)nal, (void)header, (void)payload, (void)length;
    below.sent++;
    below.upcalls.sent(below.core, cookie, true);
    return NAL_OK;
}

static void below_arrive(uint64_t rlength)
{
    struct wire_portals_header put = place_header(WIRE_PORTALS_PUT, &b.self, &a.self);
    struct nal_sink sink = {NULL, 0, NULL};

    put.rlength = rlength;
    below.upcalls.arrive(below.core, &put, &sink);
    if (sink.token) {
        below.upcalls.landed(below.core, sink.token, false);
    }
}

static void below_close(struct nal *nal)
{
    (void)nal;
    if (below.late_message) {
        below_arrive(0);
    }
}

static enum nal_status below_open(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                                  struct nal **nal)
{
    static const struct nal_ops ops = {
        .name = "below",
        .send = below_send,
        .close = below_close,
    };

    (void)config;
    below = (struct below){.nal = {&ops}, .upcalls = *upcalls, .core = core};
    *nal = &below.nal;
    return NAL_OK;
}

/* What the core says while the network below closes is neither forgotten nor kept by somebody who has gone. */
static void a_late_message_is_sent(void)
{
    static const char *const specs[] = {"delay_ms=1000", "reorder=1", "reorder=1,dup=1"};

    for (unsigned i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        struct nal_config config = {0, a.self, PLACE_GROUP_SIZE};
        struct nal *nal = NULL;

        recorder_begin(&a.core);
        CHECK(fault_open(specs[i], below_open, &config, &recorder_upcalls, &a.core, &nal) == NAL_OK, "%s", specs[i]);
        below.late_message = a.core.answers = true;
        a.core.nal = nal;
        nal_close(nal);
        CHECK_EQ(recorder_calls(&a.core, RECORDER_ARRIVE), 1, "a message arrives while it closes");
        CHECK_EQ(below.sent, i == 2 ? 2 : 1, "its answer goes out");
    }
}

/* A length that a peer claims, of octets that nobody has, does not fill the disk. */
static void a_trace_does_not_grow_with_what_is_claimed(void)
{
    struct nal_config config = {0, {0x7f000001, 50001, 7, 0}, PLACE_GROUP_SIZE};
    char directory[] = "/tmp/assay-trace-XXXXXX";
    char path[256];
    struct stat file = {.st_size = 0};
    struct nal *nal = NULL;

    CHECK(mkdtemp(directory) != NULL, "a folder");
    recorder_begin(&a.core);
    CHECK(trace_open(directory, below_open, &config, &recorder_upcalls, &a.core, &nal) == NAL_OK, "opens");
    below_arrive(1ULL << 40);
    recorder_sink(&a.core, data8, sizeof data8, &a);
    below_arrive(1ULL << 40);
    below_arrive(sizeof data8);
    nal_close(nal);
    CHECK_EQ(recorder_calls(&a.core, RECORDER_LANDED), 2, "one is thrown away, two are cut off");
    snprintf(path, sizeof path, "%s/portals-0-%d.pcapng", directory, (int)getpid());
    CHECK(stat(path, &file) == 0 && file.st_size > 0, "the capture is there");
    CHECK(file.st_size < 20000, "two messages of 2^40 octets are %lld octets in it", (long long)file.st_size);
    unlink(path);
    rmdir(directory);
}

/* Octets are counted modulo 2^32; that the count is 0 again does not mean that nothing has been said. */
static void a_connection_opens_once(void)
{
    enum { SYN_OCTETS = 1, HELLO_OCTETS = 48, PUT_OCTETS = 76 };
    char path[] = "/tmp/assay-trace-XXXXXX";
    int fd = mkstemp(path);
    struct trace_flows flows = {.self = {0x7f000001, 50001, 7, 0}, .group_size = 2};
    struct wire_portals_header put = {.operation = WIRE_PORTALS_PUT,
                                      .initiator = flows.self,
                                      .target = {0x7f000001, 50002, 7, 1},
                                      .md = UINT64_MAX,
                                      .rlength = (1ULL << 32) - SYN_OCTETS - HELLO_OCTETS - PUT_OCTETS};
    struct trace_message message = {.header = &put, .sent = true, .payload_octets = put.rlength};

    flows.capture = pcapng_create(path, "test", "test", "test");
    CHECK(fd >= 0 && flows.capture, "a capture");
    CHECK(trace_flow_show(&flows, &message), "a message of nearly 2^32 octets is shown");
    CHECK_EQ(flows.first->sequence[0], 0, "with it the count begins again");
    put.rlength = message.payload_octets = 0;
    CHECK(trace_flow_show(&flows, &message), "so is one behind it");
    CHECK_EQ(flows.first->sequence[0], PUT_OCTETS, "on the same connection");
    trace_flow_end(&flows);
    pcapng_close(flows.capture);
    close(fd);
    unlink(path);
}

int main(void)
{
    TAP_RUN(bad_specs_are_refused);
    TAP_RUN(dropping_all);
    TAP_RUN(doubling_all);
    TAP_RUN(delaying_keeps_order_and_data);
    TAP_RUN(reordering_changes_the_order_only);
    TAP_RUN(closing_sends_what_is_held_back);
    TAP_RUN(the_seed_decides);
    TAP_RUN(signals_are_the_applications);
    TAP_RUN(a_trace_can_be_revoked_under);
    TAP_RUN(a_late_message_is_sent);
    TAP_RUN(a_trace_does_not_grow_with_what_is_claimed);
    TAP_RUN(a_connection_opens_once);
    return tap_done();
}
