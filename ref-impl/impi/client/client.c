/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The life of a client; see client.h. Chapters 2.3 and 2.4: connect to the server, agree with the other clients
 * (startup.h), run agents and processes (local_job.h), and when all of that has ended in order, say FINI.
 *
 * The hosts listen before anything is said of them, and the program starts after all is agreed: a job that cannot start
 * runs nothing.
 */
#include "ref-impl/impi/client/client.h"

#include "ref-impl/clock.h"
#include "ref-impl/impi/client/local_job.h"
#include "ref-impl/impi/client/nodes.h"
#include "ref-impl/impi/client/startup.h"
#include "ref-impl/impi/common/address.h"
#include "ref-impl/impi/common/secure.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ADDRESSES_MAX = 16, CONNECT_MS = 30000, FINI_MS = 10000, EXIT_JOB = 1 };

struct client {
    const struct client_options *options;
    int server_fd;
    struct secure *secure; /* NULL: the connection to the server is plain */
    struct offer offer;
    uint16_t *ports;
    int *listen_fds;
    struct nodes *nodes; /* NULL: all hosts and processes are on this machine */
    struct startup startup;
};

/* Always false. */
static bool fail(const char *what, const char *why)
{
    fprintf(stderr, "impirun: %s: %s\n", what, why);
    return false;
}

//= IMPI-019
static bool server_connect(struct client *c)
{
    struct address addresses[ADDRESSES_MAX];
    const char *reason = NULL;
    char what[CLIENT_HOST_OCTETS + 64];
    int error = 0;
    size_t count = address_resolve(c->options->server_host, c->options->server_port, addresses, ADDRESSES_MAX, &reason);

    snprintf(what, sizeof what, "cannot connect to the IMPI server at %s, port %u", c->options->server_host,
             (unsigned)c->options->server_port);
    if (count == 0) {
        return fail(what, reason);
    }
    for (size_t i = 0; i < count; i++) {
        error = address_connect(&addresses[i], NULL, CONNECT_MS, &c->server_fd);
        if (error == 0) {
            return true;
        }
    }
    return fail(what, strerror(error));
}

/* By which address the others shall find the hosts of this client: as the user says, or as the server sees us. */
static bool host_address(const struct client *c, struct address *address)
{
    const char *reason = NULL;

    if (c->options->host_name && *c->options->host_name) {
        return address_resolve(c->options->host_name, 0, address, 1, &reason) > 0 ||
               fail("IMPI_HOST_NAME names no address", reason);
    }
    if (!address_local(c->server_fd, address)) {
        return fail("cannot tell the address of this machine", strerror(errno));
    }
    address_set_port(address, 0);
    return true;
}

/* Lets every host listen. */
//= IMPI-086
static bool hosts_listen(struct client *c)
{
    struct address own;

    if (!host_address(c, &own)) {
        return false;
    }
    address_host_id(&own, c->offer.host_id);
    c->ports = calloc(c->options->hosts, sizeof *c->ports);
    c->listen_fds = calloc(c->options->hosts, sizeof *c->listen_fds);
    if (!c->ports || !c->listen_fds) {
        return fail("cannot start", "no memory");
    }
    for (uint32_t host = 0; host < c->options->hosts; host++) {
        c->listen_fds[host] = -1;
    }
    for (uint32_t host = 0; host < c->options->hosts; host++) {
        struct address at = own;

        c->listen_fds[host] = address_listen(&at);
        if (c->listen_fds[host] < 0 && errno == EADDRNOTAVAIL) {
            at = address_any(0); /* the others see us by an address that is not this machine's own */
            c->listen_fds[host] = address_listen(&at);
        }
        if (c->listen_fds[host] < 0) {
            char text[ADDRESS_TEXT_OCTETS];

            address_text(&own, text);
            fprintf(stderr, "impirun: no host agent can listen at %s: %s; IMPI_HOST_NAME can name another address\n",
                    text, strerror(errno));
            return false;
        }
        c->ports[host] = address_port(&at);
    }
    return true;
}

/* The server has chosen a secure channel: makes it, and begins anew inside. What comes with it goes to `in`. */
static bool server_secure(struct client *c, struct queue *in)
{
    size_t failed = 0;

    c->secure = secure_create(c->options->key, SECURE_CONNECTS, SECURE_NAME_SERVER);
    if (!c->secure) {
        return fail("the job cannot start", "no memory for a secure channel");
    }
    struct secure_way way = {c->secure, c->server_fd, in};
    if (!secure_agree(&way, 1, clock_now_ms() + SECURE_HANDSHAKE_MS, &failed)) {
        return fail("no secure channel (-tls) to the IMPI server", secure_error(c->secure));
    }
    startup_end(&c->startup);
    startup_begin(&c->startup, &c->options->auth, (uint32_t)c->options->rank, &c->offer);
    return true;
}

/* Speaks with the server until all is agreed, or there is to be a secure channel. */
static bool server_agree(struct client *c)
{
    struct startup *s = &c->startup;
    struct queue in = {0};

    while (s->state != STARTUP_RUNNING && s->state != STARTUP_FAILED) {
        if (secure_send(c->secure, c->server_fd, &s->out) == QUEUE_BROKEN) {
            queue_take(&s->out, queue_len(&s->out)); /* what the server said before its end is still to be heard */
        }
        struct pollfd wait[2] = {{c->server_fd, (short)(POLLIN | (queue_len(&s->out) > 0 ? POLLOUT : 0)), 0},
                                 {c->nodes ? nodes_launcher_fd(c->nodes) : -1, POLLIN, 0}};
        if (poll(wait, 2, -1) < 0) {
            continue;
        }
        if (wait[1].revents != 0) {
            queue_free(&in);
            return fail("the job cannot start", "the launcher has ended");
        }
        if (!(wait[0].revents & ~POLLOUT)) {
            continue;
        }
        enum queue_moved moved = secure_receive(c->secure, c->server_fd, &in, 65536);
        (void)startup_hear(s, queue_front(&in), queue_len(&in));
        queue_take(&in, queue_len(&in));
        if (s->state == STARTUP_SECURING && !server_secure(c, &in)) {
            queue_free(&in);
            return false;
        }
        if (moved != QUEUE_MOVED) {
            startup_lost(s); //= IMPI-249
            if (*secure_error(c->secure)) {
                snprintf(s->error, sizeof s->error, "the secure channel (-tls) to the IMPI server is broken: %s",
                         secure_error(c->secure));
            }
        }
    }
    queue_free(&in);
    return s->state == STARTUP_RUNNING || fail("the job cannot start", s->error);
}

/* All has ended in order: tells the server. */
//= IMPI-077
//= IMPI-092
static bool server_leave(struct client *c)
{
    struct wire_impi_command fini = {.kind = WIRE_IMPI_SAYS_FINI, .cmd = WIRE_IMPI_CMD_FINI};
    unsigned char octets[WIRE_IMPI_COMMAND_MAX];
    struct queue out = {0};
    unsigned char waste[4096];
    size_t used = 0;
    struct pollfd wait = {c->server_fd, POLLOUT, 0};

    if (c->server_fd < 0 ||
        wire_impi_command_encode(WIRE_IMPI_FROM_CLIENT, &fini, octets, sizeof octets, &used) != WIRE_OK) {
        return fail("the job has ended in order", "but the IMPI server is gone and cannot be told");
    }
    /* Nothing else was ever sent in this phase, so eight octets go at once or never. */
    bool said = queue_put(&out, octets, used) && poll(&wait, 1, FINI_MS) == 1 &&
                secure_send(c->secure, c->server_fd, &out) == QUEUE_MOVED && queue_len(&out) == 0;
    queue_free(&out);
    if (!said) {
        return fail("cannot say FINI to the IMPI server",
                    *secure_error(c->secure) ? secure_error(c->secure) : strerror(errno));
    }
    /* What is unread would turn the end into a reset, which could overtake FINI. */
    while (recv(c->server_fd, waste, sizeof waste, MSG_DONTWAIT) > 0) {
    }
    return true;
}

static void client_free(struct client *c)
{
    for (uint32_t host = 0; c->listen_fds && host < c->options->hosts; host++) {
        if (c->listen_fds[host] >= 0) {
            close(c->listen_fds[host]);
        }
    }
    free(c->listen_fds);
    free(c->ports);
    nodes_end(c->nodes);
    startup_end(&c->startup);
    secure_close(c->secure, c->server_fd);
    if (c->server_fd >= 0) {
        close(c->server_fd);
    }
}

/* Everything that the others must be told of: hosts that listen, here or on their nodes. */
static bool hosts_prepare(struct client *c, int *status)
{
    if (!c->options->launcher) {
        bool good = hosts_listen(c);

        c->offer.ports = c->ports;
        return good;
    }
    c->nodes = nodes_gather(c->options, c->server_fd, &c->offer, status);
    return c->nodes;
}

/* Runs what has been agreed on. */
static int job_run(struct client *c)
{
    const struct startup *s = &c->startup;
    struct local_job_setup setup = {c->options, &s->agreed, &c->offer, c->listen_fds, &c->server_fd, c->secure};

    return c->nodes ? nodes_run(c->nodes, &s->negotiation, s->clients, &c->server_fd)
                    : local_job_run(&setup); //= IMPI-076
}

int client_run(const struct client_options *options)
{
    struct client c = {.options = options, .server_fd = -1};
    int status = EXIT_JOB;

    /* No Unix process has such a large number, and no other impirun of this machine has this one. */
    c.offer = (struct offer){.hosts = options->hosts,
                             .processes = options->processes,
                             .values = options->values,
                             .first_pid = (int64_t)getpid() << 32};
    c.offer.secure = options->key != NULL;
    if (server_connect(&c) && hosts_prepare(&c, &status)) {
        startup_begin(&c.startup, options->key ? &auth_secure : &options->auth, (uint32_t)options->rank, &c.offer);
        if (server_agree(&c)) {
            status = job_run(&c);
            status = status == 0 && !server_leave(&c) ? EXIT_JOB : status;
        }
    }
    client_free(&c);
    return status;
}
