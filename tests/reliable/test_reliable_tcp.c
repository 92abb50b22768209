/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The reliability layer above real connections that are cut in the middle of a transfer, again and again: shut down at
 * the socket, as a router that goes down or a proxy that gives up would do it. Both processes live in this one.
 */
#include "ref-impl/nal/tcp/tcp.h"
#include "ref-impl/nal/wrap/reliable/reliable.h"
#include "tests/reftcp/recorder.h"
#include "tests/unit/tap.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CUTS = 12, PUTS = 2 * CUTS, PUT_OCTETS = 4 << 20, FD_MAX = 256 };

static struct process {
    int listen_fd;
    struct wire_portals_id self;
    struct tcp_net *tcp;
    struct reliable_net *net;
    struct nal *nal;
    struct recorder core;
} processes[2];

static enum nal_status below_open(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                                  struct nal **nal)
{
    return tcp_net_open(processes[config->self.rid].tcp, config, upcalls, core, nal);
}

static enum nal_status below_greet(uint32_t interface, const struct wire_portals_id *target)
{
    return tcp_net_greet(processes[target->pid == processes[0].self.pid].tcp, interface, target);
}

static void process_begin(struct process *process, uint32_t rank)
{
    static const struct reliable_below below = {below_open, below_greet};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;

    process->listen_fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (bind(process->listen_fd, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(process->listen_fd, 16) != 0 ||
        getsockname(process->listen_fd, (struct sockaddr *)&address, &len) != 0) {
        abort();
    }
    process->self = (struct wire_portals_id){INADDR_LOOPBACK, ntohs(address.sin_port), 7, rank};
    recorder_begin(&process->core);
    process->net = reliable_net_new(&below, &process->self, 2);
    struct network_watch watch = {reliable_net_peer, process->net};
    if (!process->net || !tcp_net_start(process->listen_fd, &process->self, 2, &watch, &process->tcp)) {
        abort();
    }
    struct nal_config config = {0, process->self, 2};
    CHECK_EQ(reliable_net_open(process->net, &config, &recorder_upcalls, &process->core, &process->nal), NAL_OK,
             "the interface opens");
}

static void process_end(struct process *process)
{
    nal_close(process->nal);
    reliable_net_stop(process->net);
    tcp_net_stop(process->tcp);
    reliable_net_free(process->net);
    close(process->listen_fd);
}

/* Cuts every connection of this process; says how many. */
static unsigned connections_cut(void)
{
    unsigned count = 0;

    for (int fd = 0; fd < FD_MAX; fd++) {
        struct sockaddr_in peer;
        socklen_t len = sizeof peer;

        if (getpeername(fd, (struct sockaddr *)&peer, &len) == 0 && peer.sin_family == AF_INET) {
            count += shutdown(fd, SHUT_RDWR) == 0;
        }
    }
    return count;
}

static void put(uint64_t *bits, const unsigned char *data)
{
    struct wire_portals_header put = {.operation = WIRE_PORTALS_PUT,
                                      .initiator = processes[0].self,
                                      .target = processes[1].self,
                                      .match_bits = *bits,
                                      .md = 1,
                                      .rlength = PUT_OCTETS};

    CHECK_EQ(nal_send(processes[0].nal, &put, data, PUT_OCTETS, bits), NAL_OK, "a put is taken");
}

static void cut_in_mid_transfer(void)
{
    static uint64_t bits[PUTS];
    static int token;
    unsigned char *data = malloc(PUT_OCTETS);
    unsigned char *room = calloc(1, PUT_OCTETS);
    unsigned connections = 0;
    unsigned wrong = 0;

    for (uint32_t i = 0; i < PUT_OCTETS; i++) {
        data[i] = (unsigned char)(i * 2654435761U >> 24);
    }
    recorder_sink(&processes[1].core, room, PUT_OCTETS, &token);
    /* Two puts for each cut, not all at once: whoever carried everything before this thread runs again would leave the
     * later cuts nothing to cut. */
    for (unsigned i = 0; i < PUTS; i += 2) {
        bits[i] = i;
        bits[i + 1] = i + 1;
        put(&bits[i], data);
        put(&bits[i + 1], data);
        CHECK(recorder_await(&processes[1].core, RECORDER_ARRIVE, i + 1), "put %u has begun at the target", i);
        connections += connections_cut();
    }
    CHECK(recorder_await(&processes[0].core, RECORDER_SENT, PUTS), "all are acknowledged");
    CHECK(connections >= CUTS, "connections were cut: %u ends", connections);
    CHECK_EQ(recorder_incomplete(&processes[0].core, RECORDER_SENT), 0, "none has failed");
    CHECK_EQ(recorder_calls(&processes[1].core, RECORDER_ARRIVE), PUTS, "each came once");
    CHECK_EQ(recorder_calls(&processes[1].core, RECORDER_LANDED), PUTS, "each landed once");
    CHECK_EQ(recorder_incomplete(&processes[1].core, RECORDER_LANDED), 0, "as a whole");
    CHECK_EQ(recorder_calls(&processes[1].core, RECORDER_DROPPED), 0, "nothing was counted as dropped");
    for (unsigned i = 0; i < PUTS; i++) {
        wrong += recorder_note(&processes[1].core, RECORDER_ARRIVE, i).header.match_bits != i;
    }
    CHECK_EQ(wrong, 0, "in the order of sending");
    CHECK(memcmp(room, data, PUT_OCTETS) == 0, "with its data");
    free(data);
    free(room);
}

int main(void)
{
    process_begin(&processes[0], 0);
    process_begin(&processes[1], 1);
    TAP_RUN(cut_in_mid_transfer);
    process_end(&processes[0]);
    process_end(&processes[1]);
    return tap_done();
}
