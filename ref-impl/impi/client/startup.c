/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the server says to a client, and what the client answers; see startup.h for the states, and chapters 2.3.2 to
 * 2.3.6. client.c carries the octets.
 */
#include "ref-impl/impi/client/startup.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The most octets that a broadcast can have: 32 clients, each with what the server takes from one. */
#define BROADCAST_MAX ((int32_t)1 << 28)

__attribute__((format(printf, 2, 3))) static void fail(struct startup *s, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(s->error, sizeof s->error, fmt, args);
    va_end(args);
    s->state = STARTUP_FAILED;
}

static void say(struct startup *s, struct wire_impi_command command)
{
    unsigned char octets[WIRE_IMPI_COMMAND_MAX];
    size_t used = 0;

    if (wire_impi_command_encode(WIRE_IMPI_FROM_CLIENT, &command, octets, sizeof octets, &used) != WIRE_OK ||
        !queue_put(&s->out, octets, used)) {
        fail(s, "no memory");
    }
}

//= IMPI-026
void startup_begin(struct startup *s, const struct auth *auth, uint32_t rank, const struct offer *offer)
{
    *s = (struct startup){.state = STARTUP_CHOOSING, .auth = auth, .offer = offer, .rank = rank};
    s->stream = wire_impi_startup_begin(WIRE_IMPI_FROM_SERVER);
    say(s, (struct wire_impi_command){
               .kind = WIRE_IMPI_SAYS_AUTH, .cmd = WIRE_IMPI_CMD_AUTH, .len = 4, .auth_mask = auth->mask});
}

void startup_end(struct startup *s)
{
    queue_free(&s->out);
    queue_free(&s->values);
    negotiate_free(&s->negotiation);
    negotiate_release(&s->agreed);
}

/* The server has chosen a method, where this client offers a secure channel and nothing else. */
static void secure_choice_heard(struct startup *s, const struct wire_impi_command *choice)
{
    if (choice->which != AUTH_SECURE || choice->len > 0) {
        fail(s,
             "the server wants authentication method %" PRId32 ": it has no secure channels, and this client has -tls",
             choice->which);
        return;
    }
    s->state = STARTUP_SECURING;
}

/* The server has chosen a method: answers it, and joins. */
static void choice_heard(struct startup *s, const struct wire_impi_command *choice)
{
    bool offered = choice->which >= 0 && choice->which < AUTH_METHODS && (s->auth->mask >> choice->which & 1);

    //= IMPI-037
    if (!offered) {
        fail(s, "the server wants authentication method %" PRId32 ", which was not offered", choice->which);
        return;
    }
    if (choice->len > 0) {
        fail(s, "the server announces %" PRId32 " octets of messages that method %" PRId32 " does not have",
             choice->len, choice->which);
        return;
    }
    if (choice->which == WIRE_IMPI_AUTH_KEY) {
        say(s, (struct wire_impi_command){.kind = WIRE_IMPI_SAYS_KEY, .key = s->auth->key}); //= IMPI-030
        s->key_told = true;
    }
    s->state = STARTUP_JOINING;
    //= IMPI-040
    say(s, (struct wire_impi_command){
               .kind = WIRE_IMPI_SAYS_IMPI, .cmd = WIRE_IMPI_CMD_IMPI, .len = 4, .rank = (int32_t)s->rank});
}

/* The job is complete: submits all labels. */
static void size_heard(struct startup *s, const struct wire_impi_command *command)
{
    if (command->len != 4) {
        fail(s, "the server's IMPI has %" PRId32 " octets of payload, not 4", command->len);
        return;
    }
    if (command->size < 1 || command->size > WIRE_IMPI_CLIENTS_MAX || (uint32_t)command->size <= s->rank) {
        fail(s, "the server says that the job has %" PRId32 " clients, and this is client %" PRIu32, command->size,
             s->rank);
        return;
    }
    s->clients = (uint32_t)command->size;
    s->state = STARTUP_COLLECTING; //= IMPI-043
    if (!offer_write(s->offer, &s->out)) {
        fail(s, "no memory");
    }
}

/* All values of a broadcast are there. */
static void label_heard(struct startup *s, const struct wire_impi_command *command, const void *octets, size_t len)
{
    if (!negotiate_add(&s->negotiation, command->label, command->client_mask, octets, len, s->error)) {
        s->state = STARTUP_FAILED;
    }
}

/* A broadcast begins. */
static void coll_heard(struct startup *s, const struct wire_impi_command *command)
{
    bool known = !command->bare && wire_impi_label_of(command->label);

    if (command->bare || command->len > (known ? NEGOTIATE_VALUES_MAX + 8 : BROADCAST_MAX)) {
        fail(s, "the server's COLL has %" PRId32 " octets of payload, which cannot be right",
             command->len); //= IMPI-249
        return;
    }
    if (s->stream.payload_left == 0) {
        label_heard(s, command, NULL, 0);
    }
}

/* Whether what all have agreed on has this client as it is: what is started, and what is listened to, goes by it. */
static bool own_is_ours(const struct startup *s)
{
    const struct offer *offer = s->offer;
    const struct agreed_host *hosts = s->agreed.hosts + s->agreed.first_host;
    uint32_t first = hosts[0].first;

    if (offer->hosts > s->agreed.world.hosts - s->agreed.first_host ||
        offer->processes > s->agreed.world.size - first) {
        return false;
    }
    for (uint32_t host = 0; host < s->agreed.world.hosts - s->agreed.first_host; host++) {
        bool own = hosts[host].client == s->rank;

        if (own != (host < offer->hosts)) {
            return false;
        }
        if (own && (hosts[host].port != offer->ports[host] ||
                    hosts[host].first + hosts[host].processes != first + offer_first(offer, host + 1))) {
            return false;
        }
    }
    for (uint32_t i = 0; i < offer->processes; i++) {
        const struct wire_impi_process *process = &s->agreed.world.members[first + i].process;

        if (process->pid != offer->first_pid + i ||
            memcmp(process->host, offer_process_host_id(offer, i), sizeof process->host) != 0) {
            return false;
        }
    }
    return true;
}

static void done_heard(struct startup *s)
{
    if (!negotiate_finish(&s->negotiation, s->clients, s->rank, &s->agreed, s->error)) {
        s->state = STARTUP_FAILED;
        return;
    }
    if (s->offer->secure && !negotiate_secure(&s->negotiation, s->clients, s->error)) {
        s->state = STARTUP_FAILED;
        return;
    }
    if (!own_is_ours(s)) {
        fail(s, "the server gives back other hosts or processes than this client has submitted");
        return;
    }
    s->state = STARTUP_RUNNING;
}

/* A command of the server's, in a state in which it may say such a thing or not. */
static void command_heard(struct startup *s, const struct wire_impi_command *command)
{
    const char *name = wire_impi_code_name(command->cmd);

    if (s->state == STARTUP_CHOOSING && s->auth->mask == auth_secure.mask) {
        secure_choice_heard(s, command);
    } else if (s->state == STARTUP_CHOOSING) {
        choice_heard(s, command);
    } else if (command->kind == WIRE_IMPI_SAYS_OTHER) {
        return; //= IMPI-023
    } else if (s->state == STARTUP_JOINING && command->kind == WIRE_IMPI_SAYS_IMPI) {
        size_heard(s, command);
    } else if (s->state == STARTUP_COLLECTING && command->kind == WIRE_IMPI_SAYS_COLL) {
        coll_heard(s, command);
    } else if (s->state == STARTUP_COLLECTING && command->kind == WIRE_IMPI_SAYS_DONE) {
        done_heard(s);
    } else {
        fail(s, "the server says %s, where %s was to come", name ? name : "something",
             s->state == STARTUP_JOINING ? "the number of clients" : "COLL or DONE");
    }
}

/* Payload, all of it or a part. Only that of known labels is kept. */
static void payload_heard(struct startup *s, const struct wire_impi_startup_piece *piece)
{
    const struct wire_impi_command *command = piece->command;

    if (command->kind != WIRE_IMPI_SAYS_COLL || !wire_impi_label_of(command->label)) {
        return;
    }
    if (piece->left == 0 && queue_len(&s->values) == 0) {
        label_heard(s, command, piece->octets, piece->len);
        return;
    }
    if (!queue_put(&s->values, piece->octets, piece->len)) {
        fail(s, "no memory");
    } else if (piece->left == 0) {
        label_heard(s, command, queue_front(&s->values), queue_len(&s->values));
        queue_take(&s->values, queue_len(&s->values));
    }
}

//= IMPI-025
enum startup_state startup_hear(struct startup *s, const void *octets, size_t len)
{
    const unsigned char *at = octets;
    struct wire_impi_startup_piece piece;

    while (s->state != STARTUP_FAILED && s->state != STARTUP_RUNNING && s->state != STARTUP_SECURING) {
        enum wire_status status = wire_impi_startup_next(&s->stream, &at, &len, &piece);

        if (status == WIRE_SHORT) {
            break;
        }
        if (status != WIRE_OK) {
            fail(s, "the server announces a negative length");
        } else if (piece.kind == WIRE_IMPI_COMMAND) {
            command_heard(s, piece.command);
        } else {
            payload_heard(s, &piece);
        }
    }
    if (s->state == STARTUP_SECURING && len > 0) {
        fail(s, "the server sends %zu plain octets where the handshake of a secure channel was to come", len);
    }
    return s->state;
}

void startup_lost(struct startup *s)
{
    switch (s->state) {
    case STARTUP_CHOOSING:
        fail(s, "the server ended the connection before it chose an authentication method: %s",
             s->auth->mask == auth_secure.mask ? "it has no secure channels, and this client has -tls"
                                               : "has it none of ours, or does it demand secure channels (-tls)?");
        return;
    case STARTUP_JOINING:
        //= IMPI-032
        fail(s, "the server ended the connection: %s",
             s->key_told ? "is the key wrong, or the rank taken?" : "is the rank taken, or not one of this job?");
        return;
    case STARTUP_COLLECTING:
        fail(s, "the server ended the connection while the clients exchanged their labels: another client was lost, or "
                "the server itself");
        return;
    case STARTUP_SECURING: /* the handshake tells */
    case STARTUP_RUNNING:
    case STARTUP_FAILED:
        return;
    }
}
