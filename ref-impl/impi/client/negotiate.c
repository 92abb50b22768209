/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The conclusions that a client draws from all labels; see negotiate.h. Chapters 2.3.5 and 3.9. A broadcast has the
 * values of those clients whose bit stands in its mask, in the order of their ranks, with nothing between them: how
 * many belong to each follows from C_NHOSTS and C_NPROCS. The versions, of which each client may give any number, are
 * in client/negotiate_version.c.
 */
#include "ref-impl/impi/client/negotiate.h"

#include "ref-impl/impi/client/negotiate_version.h"
#include "ref-impl/impi/client/offer.h"
#include "ref-impl/impi/common/member_index.h"
#include "wire/octets/cursor.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is being concluded. */
struct concluding {
    const struct negotiation *from;
    struct agreed *to;
    uint32_t clients;
    uint32_t hosts_of[LINK_CLIENTS_MAX];
    uint32_t processes_of[LINK_CLIENTS_MAX];
    uint32_t client, index; /* whose element is being looked at, and which of its elements */
    char *error;
};

/* Always false. */
__attribute__((format(printf, 2, 3))) static bool fail(struct concluding *c, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(c->error, NEGOTIATE_ERROR_OCTETS, fmt, args);
    va_end(args);
    return false;
}

static size_t label_index(int32_t code)
{
    return (size_t)(wire_impi_label_of(code) - wire_impi_labels);
}

bool negotiate_add(struct negotiation *n, int32_t label, uint32_t mask, const void *octets, size_t len,
                   char error[NEGOTIATE_ERROR_OCTETS])
{
    const struct wire_impi_label *known = wire_impi_label_of(label);

    if (label == OFFER_SECURE_LABEL && len == 0) {
        n->secure = mask;
    }
    if (!known) {
        return true; //= IMPI-054
    }
    size_t i = label_index(label);
    if (n->labels[i].seen) {
        snprintf(error, NEGOTIATE_ERROR_OCTETS, "the server sends %s twice", known->name);
        return false;
    }
    if (!queue_put(&n->labels[i].values, octets, len)) {
        snprintf(error, NEGOTIATE_ERROR_OCTETS, "no memory for %s", known->name);
        return false;
    }
    n->labels[i].seen = true;
    n->labels[i].mask = mask;
    return true;
}

bool negotiate_secure(const struct negotiation *n, uint32_t clients, char error[NEGOTIATE_ERROR_OCTETS])
{
    for (uint32_t client = 0; client < clients; client++) {
        if (!(n->secure >> client & 1)) {
            snprintf(error, NEGOTIATE_ERROR_OCTETS,
                     "client %" PRIu32 " has no secure channels between hosts, and this client has -tls: all must have "
                     "them, or none",
                     client);
            return false;
        }
    }
    return true;
}

void negotiate_free(struct negotiation *n)
{
    for (size_t i = 0; i < WIRE_IMPI_LABELS; i++) {
        queue_free(&n->labels[i].values);
    }
}

void negotiate_release(struct agreed *agreed)
{
    free(agreed->world.members);
    free(agreed->hosts);
    *agreed = (struct agreed){0};
}

/* How many elements a client gives for a label. */
static uint32_t due(const struct concluding *c, const struct wire_impi_label *label, uint32_t client)
{
    switch (label->per) {
    case WIRE_IMPI_PER_HOST:
        return c->hosts_of[client];
    case WIRE_IMPI_PER_PROCESS:
        return c->processes_of[client];
    case WIRE_IMPI_PER_CLIENT:
    case WIRE_IMPI_PER_VERSION:
        break;
    }
    return 1;
}

/* What to do with one element; the reader has exactly its octets. False: c->error says why not. */
typedef bool element_take(struct concluding *c, struct wire_reader *element);

/* Walks over the elements of a label, client by client. With `all`, no client may have left it out. */
static bool label_walk(struct concluding *c, int32_t code, bool all, element_take *take)
{
    size_t i = label_index(code);
    const struct wire_impi_label *label = &wire_impi_labels[i];
    const struct queue *values = &c->from->labels[i].values;
    uint32_t mask = c->from->labels[i].mask;
    size_t want = 0;

    //= IMPI-057
    if (c->clients < LINK_CLIENTS_MAX && mask >> c->clients != 0) {
        return fail(c, "%s: the mask 0x%" PRIx32 " names clients that the job of %" PRIu32 " does not have",
                    label->name, mask, c->clients);
    }
    for (uint32_t client = 0; client < c->clients; client++) {
        if (mask >> client & 1) {
            want += (size_t)due(c, label, client) * label->element.width;
        } else if (all) {
            return fail(c, "client %" PRIu32 " has left out %s", client, label->name);
        }
    }
    if (want != queue_len(values)) {
        return fail(c,
                    "%s: there are %zu octets of values, where those of the clients in the mask 0x%" PRIx32 " have %zu",
                    label->name, queue_len(values), mask, want);
    }
    struct wire_reader r = wire_reader_over(queue_front(values), queue_len(values));
    for (c->client = 0; c->client < c->clients; c->client++) {
        uint32_t count = mask >> c->client & 1 ? due(c, label, c->client) : 0; //= IMPI-055

        for (c->index = 0; c->index < count; c->index++) {
            struct wire_reader element = wire_read_part(&r, label->element.width);

            if (!take(c, &element)) {
                return false;
            }
        }
    }
    return true;
}

static bool hosts_take(struct concluding *c, struct wire_reader *element)
{
    uint32_t hosts = wire_read_u32(element);

    if (hosts == 0 || hosts > LINK_HOSTS_MAX - c->to->world.hosts) {
        return fail(c, "client %" PRIu32 " gives IMPI_C_NHOSTS %" PRIu32 ": must be at least 1, and all together %d",
                    c->client, hosts, LINK_HOSTS_MAX);
    }
    c->hosts_of[c->client] = hosts;
    c->to->world.hosts += hosts;
    return true;
}

static bool processes_take(struct concluding *c, struct wire_reader *element)
{
    uint32_t processes = wire_read_u32(element);

    if (processes == 0 || processes > LINK_PROCESSES_MAX - c->to->world.size) {
        return fail(c, "client %" PRIu32 " gives IMPI_C_NPROCS %" PRIu32 ": must be at least 1, and all together %d",
                    c->client, processes, LINK_PROCESSES_MAX);
    }
    c->processes_of[c->client] = processes;
    c->to->world.size += processes;
    return true;
}

//= IMPI-061
static bool datalen_take(struct concluding *c, struct wire_reader *element)
{
    uint32_t datalen = wire_read_u32(element);

    //= IMPI-139
    if (datalen == 0) {
        return fail(c, "client %" PRIu32 " gives IMPI_C_DATALEN 0: must be at least 1", c->client);
    }
    c->to->world.datalen = datalen < c->to->world.datalen ? datalen : c->to->world.datalen;
    return true;
}

//= IMPI-062
static bool tagub_take(struct concluding *c, struct wire_reader *element)
{
    int32_t tagub = (int32_t)wire_read_u32(element);

    if (tagub < WIRE_IMPI_TAGUB_MIN) {
        return fail(c, "client %" PRIu32 " gives IMPI_C_TAGUB %" PRId32 ": must be at least %d", c->client, tagub,
                    WIRE_IMPI_TAGUB_MIN);
    }
    c->to->world.tagub = tagub < c->to->world.tagub ? tagub : c->to->world.tagub;
    return true;
}

/* One of the two values in which all clients must agree. -1 stands for the default and is the same as that. */
struct common {
    const char *name;
    int32_t code, otherwise; /* label; default */
    int32_t *given;          /* what a client gave, -1 as long as none did */
    int32_t *in_force;       /* -1 before the first client */
};

/* A client wants this value, -1 or more. */
//= IMPI-065
//= IMPI-066
static bool common_take(struct concluding *c, const struct common *common, uint32_t client, int32_t value)
{
    int32_t meant = value < 0 ? common->otherwise : value;

    if (*common->in_force >= 0 && meant != *common->in_force) {
        return fail(c, "client %" PRIu32 " gives %s %" PRId32 ", and the clients before it %" PRId32 ": all must agree",
                    client, common->name, value, *common->in_force);
    }
    *common->in_force = meant;
    *common->given = value < 0 ? *common->given : value;
    return true;
}

static struct common xsize_of(struct concluding *c)
{
    return (struct common){"IMPI_C_COLL_XSIZE", WIRE_IMPI_C_COLL_XSIZE, WIRE_IMPI_DEFAULT_XSIZE,
                           &c->to->world.xsize_given, &c->to->world.xsize};
}

static struct common maxlinear_of(struct concluding *c)
{
    return (struct common){"IMPI_C_COLL_MAXLINEAR", WIRE_IMPI_C_COLL_MAXLINEAR, WIRE_IMPI_DEFAULT_MAXLINEAR,
                           &c->to->world.maxlinear_given, &c->to->world.maxlinear};
}

static bool common_element_take(struct concluding *c, struct wire_reader *element, struct common common)
{
    int32_t value = (int32_t)wire_read_u32(element);

    if (value < -1) {
        return fail(c, "client %" PRIu32 " gives %s %" PRId32 ": must be at least 0, or -1", c->client, common.name,
                    value);
    }
    return common_take(c, &common, c->client, value);
}

static bool xsize_take(struct concluding *c, struct wire_reader *element)
{
    return common_element_take(c, element, xsize_of(c));
}

static bool maxlinear_take(struct concluding *c, struct wire_reader *element)
{
    return common_element_take(c, element, maxlinear_of(c));
}

/* All clients' values; one that left it out counts as one that gave -1. */
static bool common_conclude(struct concluding *c, struct common common, element_take *take)
{
    uint32_t mask = c->from->labels[label_index(common.code)].mask;
    bool good = label_walk(c, common.code, false, take);

    for (uint32_t client = 0; good && client < c->clients; client++) {
        good = (mask >> client & 1) || common_take(c, &common, client, -1);
    }
    return good;
}

/* The host that the element at hand belongs to. */
static struct agreed_host *host_at(const struct concluding *c)
{
    uint32_t host = c->index;

    for (uint32_t client = 0; client < c->client; client++) {
        host += c->hosts_of[client];
    }
    return &c->to->hosts[host]; //= IMPI-070
}

static struct link_member *member_at(const struct concluding *c)
{
    uint32_t rank = c->index;

    for (uint32_t client = 0; client < c->client; client++) {
        rank += c->processes_of[client];
    }
    //= IMPI-018
    return &c->to->world.members[rank]; //= IMPI-073
}

/* Reads a host identifier; the length of the element is right. */
static bool host_id_read(struct wire_reader *element, unsigned char *id)
{
    const unsigned char *octets = wire_read_octets(element, WIRE_IMPI_HOST_OCTETS);

    if (octets) {
        memcpy(id, octets, WIRE_IMPI_HOST_OCTETS);
    }
    return true;
}

static bool address_take(struct concluding *c, struct wire_reader *element)
{
    return host_id_read(element, host_at(c)->id);
}

static bool port_take(struct concluding *c, struct wire_reader *element)
{
    uint32_t port = wire_read_u32(element);

    if (port == 0 || port > UINT16_MAX) {
        return fail(c, "client %" PRIu32 " gives IMPI_H_PORT %" PRIu32 ": there is no such port", c->client, port);
    }
    host_at(c)->port = (uint16_t)port;
    return true;
}

static bool host_processes_take(struct concluding *c, struct wire_reader *element)
{
    struct agreed_host *host = host_at(c);
    uint32_t before = 0;

    host->processes = wire_read_u32(element);
    host->client = c->client;
    host->first = c->index == 0 && c->client == 0 ? 0 : host[-1].first + host[-1].processes;
    for (uint32_t client = 0; client < c->client; client++) {
        before += c->processes_of[client];
    }
    uint32_t left = before + c->processes_of[c->client] - host->first;
    bool last = c->index + 1 == c->hosts_of[c->client];
    if (host->processes == 0 || host->processes > left || (last && host->processes != left)) {
        return fail(c, "client %" PRIu32 " gives IMPI_H_NPROCS that do not add up to its %" PRIu32 " processes",
                    c->client, c->processes_of[c->client]);
    }
    for (uint32_t i = 0; i < host->processes; i++) {
        c->to->world.members[host->first + i].client = c->client;
        c->to->world.members[host->first + i].host = (uint32_t)(host - c->to->hosts);
    }
    return true;
}

//= IMPI-137
static bool ackmark_take(struct concluding *c, struct wire_reader *element)
{
    uint32_t ackmark = wire_read_u32(element);

    if (ackmark == 0) {
        return fail(c, "client %" PRIu32 " gives IMPI_H_ACKMARK 0: must be at least 1", c->client);
    }
    c->to->world.ackmark = ackmark < c->to->world.ackmark ? ackmark : c->to->world.ackmark;
    return true;
}

static bool hiwater_take(struct concluding *c, struct wire_reader *element)
{
    uint32_t hiwater = wire_read_u32(element);

    if (hiwater == 0) {
        return fail(c, "client %" PRIu32 " gives IMPI_H_HIWATER 0: must be at least the ackmark", c->client);
    }
    c->to->world.hiwater = hiwater < c->to->world.hiwater ? hiwater : c->to->world.hiwater;
    return true;
}

/* Each host's own marks against each other, where its client gave both. */
static bool marks_judge(struct concluding *c)
{
    const struct queue *ackmarks = &c->from->labels[label_index(WIRE_IMPI_H_ACKMARK)].values;
    const struct queue *hiwaters = &c->from->labels[label_index(WIRE_IMPI_H_HIWATER)].values;
    uint32_t ack_mask = c->from->labels[label_index(WIRE_IMPI_H_ACKMARK)].mask;
    uint32_t hi_mask = c->from->labels[label_index(WIRE_IMPI_H_HIWATER)].mask;
    struct wire_reader acks = wire_reader_over(queue_front(ackmarks), queue_len(ackmarks));
    struct wire_reader his = wire_reader_over(queue_front(hiwaters), queue_len(hiwaters));

    for (uint32_t client = 0; client < c->clients; client++) {
        for (uint32_t host = 0; host < c->hosts_of[client]; host++) {
            uint32_t ackmark = ack_mask >> client & 1 ? wire_read_u32(&acks) : 0;
            uint32_t hiwater = hi_mask >> client & 1 ? wire_read_u32(&his) : UINT32_MAX;

            if (ackmark > hiwater) {
                return fail(c, "client %" PRIu32 " gives IMPI_H_ACKMARK %" PRIu32 " above IMPI_H_HIWATER %" PRIu32,
                            client, ackmark, hiwater);
            }
        }
    }
    /* Possible only where a client left one of the two out. */
    if (c->to->world.ackmark > c->to->world.hiwater) {
        c->to->world.ackmark = c->to->world.hiwater;
    }
    return true;
}

static bool process_host_take(struct concluding *c, struct wire_reader *element)
{
    return host_id_read(element, member_at(c)->process.host);
}

static bool process_pid_take(struct concluding *c, struct wire_reader *element)
{
    member_at(c)->process.pid = (int64_t)wire_read_u64(element);
    return true;
}

/* No two processes may be called the same: packets could not be delivered. */
static bool names_judge(struct concluding *c)
{
    struct link_world *world = &c->to->world;
    struct member_index *index = member_index_create(world->members, world->size);
    uint32_t one = 0;
    uint32_t other = 0;

    if (!index) {
        return fail(c, "no memory for a job of %" PRIu32 " processes", world->size);
    }
    bool twins = member_index_duplicate(index, &one, &other);
    member_index_free(index);
    //= IMPI-102
    return !twins || fail(c,
                          "the processes of ranks %" PRIu32 " (client %" PRIu32 ") and %" PRIu32 " (client %" PRIu32
                          ") have the same identifiers, IMPI_P_IPV6 and IMPI_P_PID",
                          one, world->members[one].client, other, world->members[other].client);
}

/* The number of hosts and processes, and room for them. */
static bool counts_conclude(struct concluding *c)
{
    struct agreed *to = c->to;

    if (!label_walk(c, WIRE_IMPI_C_NHOSTS, true, hosts_take) ||
        !label_walk(c, WIRE_IMPI_C_NPROCS, true, processes_take)) {
        return false;
    }
    to->hosts = calloc(to->world.hosts, sizeof *to->hosts);
    to->world.members = calloc(to->world.size, sizeof *to->world.members);
    return (to->hosts && to->world.members) || fail(c, "no memory for a job of %" PRIu32 " processes", to->world.size);
}

static bool values_conclude(struct concluding *c)
{
    return label_walk(c, WIRE_IMPI_C_DATALEN, false, datalen_take) &&
           label_walk(c, WIRE_IMPI_C_TAGUB, false, tagub_take) && common_conclude(c, xsize_of(c), xsize_take) &&
           common_conclude(c, maxlinear_of(c), maxlinear_take) && label_walk(c, WIRE_IMPI_H_IPV6, true, address_take) &&
           label_walk(c, WIRE_IMPI_H_PORT, true, port_take) &&
           label_walk(c, WIRE_IMPI_H_NPROCS, true, host_processes_take) &&
           label_walk(c, WIRE_IMPI_H_ACKMARK, false, ackmark_take) &&
           label_walk(c, WIRE_IMPI_H_HIWATER, false, hiwater_take) && marks_judge(c) &&
           label_walk(c, WIRE_IMPI_P_IPV6, true, process_host_take) &&
           label_walk(c, WIRE_IMPI_P_PID, true, process_pid_take) && names_judge(c);
}

bool negotiate_finish(const struct negotiation *n, uint32_t clients, uint32_t rank, struct agreed *agreed,
                      char error[NEGOTIATE_ERROR_OCTETS])
{
    //= IMPI-056
    struct agreed to = {.world = {.clients = clients,
                                  .datalen = OFFER_DATALEN_MAX,
                                  .tagub = INT32_MAX,
                                  .xsize = -1,
                                  .maxlinear = -1,
                                  .xsize_given = -1,
                                  .maxlinear_given = -1,
                                  .ackmark = OFFER_HIWATER_MAX,
                                  .hiwater = OFFER_HIWATER_MAX}};
    struct concluding c = {.from = n, .to = &to, .clients = clients, .error = error};
    size_t version = label_index(WIRE_IMPI_C_VERSION);
    const struct queue *versions = &n->labels[version].values;

    if (!negotiate_version(queue_front(versions), queue_len(versions), n->labels[version].mask, clients, &to.world,
                           error) ||
        !counts_conclude(&c) || !values_conclude(&c)) {
        negotiate_release(&to);
        return false;
    }
    for (uint32_t client = 0; client < rank; client++) {
        to.first_host += c.hosts_of[client];
    }
    *agreed = to;
    return true;
}
