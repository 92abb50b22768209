/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Drawing IMPI jobs (check_job.h). Who takes part comes from start-up, what they do together from
 * wire/impi/check_collective.h, message by message; here the messages of one operation are brought together.
 */
#include "tester/commands/check_job.h"

#include "tester/base/memory.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The messages of an operation stand together in a sorted array, `count` of them from `first`. */
struct operation {
    const struct finding_step *const *messages;
    size_t count;
};

/* ---- which messages are of one operation ---- */

static bool is_same(const struct finding_step *one, const struct finding_step *other)
{
    return one->step.number && one->step.number == other->step.number && one->step.cid == other->step.cid &&
           one->step.group == other->step.group && one->step.misplaced == other->step.misplaced &&
           strcmp(one->step.operation, other->step.operation) == 0;
}

static int by_operation(const void *one, const void *other)
{
    const struct finding_step *a = *(const struct finding_step *const *)one;
    const struct finding_step *b = *(const struct finding_step *const *)other;
    int kinds = strcmp(a->step.operation, b->step.operation);

    if (kinds || a->step.misplaced != b->step.misplaced) {
        return kinds ? kinds : a->step.misplaced - b->step.misplaced;
    }
    if (a->step.cid != b->step.cid) {
        return a->step.cid < b->step.cid ? -1 : 1;
    }
    if (a->step.group != b->step.group) {
        return a->step.group < b->step.group ? -1 : 1;
    }
    if (a->step.number != b->step.number) {
        return a->step.number < b->step.number ? -1 : 1;
    }
    return a < b ? -1 : a > b; /* as captured */
}

static int by_beginning(const void *one, const void *other)
{
    const struct operation *a = one, *b = other;

    return a->messages[0] < b->messages[0] ? -1 : a->messages[0] > b->messages[0];
}

/* The operations of a job by their beginnings; `sorted` has room for all steps, and is what they point to. */
static size_t operations_of(const struct findings *findings, const struct wire_impi_job *job,
                            const struct finding_step **sorted, struct operation *operations)
{
    size_t count = 0, found = 0;

    for (size_t i = 0; i < findings->step_count; i++) {
        if (findings->steps[i].job == job) {
            sorted[count++] = &findings->steps[i];
        }
    }
    if (count == 0) {
        return 0;
    }
    qsort(sorted, count, sizeof(const struct finding_step *), by_operation);
    for (size_t i = 0; i < count; i++) {
        if (found == 0 || !is_same(sorted[i - 1], sorted[i])) {
            operations[found++] = (struct operation){sorted + i, 0};
        }
        operations[found - 1].count++;
    }
    qsort(operations, found, sizeof *operations, by_beginning);
    return found;
}

/* As its last message told: each of them leaves fewer possible. */
static int64_t root_of(const struct operation *operation)
{
    return operation->messages[operation->count - 1]->step.root;
}

/* ---- a job ---- */

static void address_text(const unsigned char *host, char *text, socklen_t room)
{
    static const unsigned char zeros[10];
    bool ipv4 = memcmp(host, zeros, sizeof zeros) == 0 && host[10] == host[11] && (host[10] == 0 || host[10] == 0xff);

    inet_ntop(ipv4 ? AF_INET : AF_INET6, ipv4 ? host + 12 : host, text, room);
}

static bool is_master(const struct wire_impi_job *job, uint32_t rank)
{
    return job->clients[job->tables.hosts[job->tables.processes[rank].host].client].first_process == rank;
}

static uint32_t masters_of(const struct wire_impi_job *job)
{
    uint32_t count = 0;

    for (uint32_t rank = 0; rank < job->processes; rank++) {
        count += is_master(job, rank);
    }
    return count;
}

static const char *form_of(const struct wire_impi_job *job)
{
    uint32_t forms = wire_impi_pattern_forms(masters_of(job), job->choices_differ ? -1 : job->maxlinear);

    return forms == 1U << WIRE_IMPI_LINEAR ? "linear" : forms == 1U << WIRE_IMPI_TREE ? "trees" : "linear or trees";
}

/* ---- as text ---- */

static void print_processes(const struct wire_impi_job *job, uint32_t host)
{
    for (uint32_t rank = 0; rank < job->processes; rank++) {
        if (job->tables.processes[rank].host == host) {
            printf("      rank %" PRIu32 "  pid %" PRId64 "%s\n", rank, job->tables.processes[rank].id.pid,
                   is_master(job, rank) ? "  master" : "");
        }
    }
}

static void print_hosts(const struct wire_impi_job *job)
{
    for (uint32_t host = 0; host < job->hosts; host++) {
        const struct wire_impi_job_host *at = &job->tables.hosts[host];
        char address[INET6_ADDRSTRLEN];

        if (host == 0 || at->client != at[-1].client) {
            printf("  client %" PRIu32 "\n", at->client);
        }
        address_text(at->address, address, sizeof address);
        printf("    host %" PRIu32 "  %s port %" PRIu32 "  ackmark %" PRIu32 " hiwater %" PRIu32 "\n", host, address,
               at->port, at->ackmark, at->hiwater);
        print_processes(job, host);
    }
}

static void print_operation(const struct operation *operation)
{
    const struct wire_impi_step *first = &operation->messages[0]->step;

    printf("    %s", first->operation);
    if (first->number) {
        printf(" %" PRIu64, first->number);
    }
    if (root_of(operation) >= 0) {
        printf("  root %" PRId64, root_of(operation));
    }
    if (first->cid != WIRE_IMPI_CID_WORLD) {
        printf("  on context %" PRIu64, first->cid);
    }
    printf("%s\n", first->misplaced ? "  on the context of point-to-point messages" : "");
    for (size_t i = 0; i < operation->count; i++) {
        const struct finding_step *message = operation->messages[i];

        printf("      %" PRId64 " -> %" PRId64 "  packet %" PRIu64, message->step.from, message->step.to,
               message->packet);
        if (message->step.octets) {
            printf("  %" PRIu64 " octets", message->step.octets);
        }
        printf("%s%s\n", message->step.phase[0] ? "  " : "", message->step.phase);
    }
}

/* How many of the operations are on MPI_COMM_WORLD, or on other communicators. */
static size_t count_on(const struct operation *operations, size_t count, bool world)
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++) {
        found += (operations[i].messages[0]->step.cid == WIRE_IMPI_CID_WORLD) == world;
    }
    return found;
}

static void print_operations(const struct operation *operations, size_t count, bool world)
{
    for (size_t i = 0; i < count; i++) {
        if ((operations[i].messages[0]->step.cid == WIRE_IMPI_CID_WORLD) == world) {
            print_operation(&operations[i]);
        }
    }
}

static void print_job(const struct findings *findings, const struct wire_impi_job *job,
                      const struct finding_step **sorted, struct operation *operations)
{
    size_t count = operations_of(findings, job, sorted, operations);

    if (!job->whole) {
        puts("  start-up was not captured to its end: nobody knows who takes part");
        return;
    }
    printf("  agreed: DATALEN %" PRIu32 ", TAGUB %" PRId32 ", COLL_XSIZE %" PRId32 ", COLL_MAXLINEAR %" PRId32
           ", ackmark %" PRIu32 ", hiwater %" PRIu32 "\n",
           job->limits.datalen, job->limits.tagub, job->xsize, job->maxlinear, job->limits.ackmark,
           job->limits.hiwater);
    print_hosts(job);
    printf("  collective operations on MPI_COMM_WORLD (%" PRIu32 " masters: %s)%s\n", masters_of(job), form_of(job),
           count_on(operations, count, true) ? "" : ": none");
    print_operations(operations, count, true);
    if (count_on(operations, count, false)) {
        puts("  collective operations on other communicators");
        print_operations(operations, count, false);
    }
}

/* ---- as JSON ---- */

static json_t *json_of_processes(const struct wire_impi_job *job, uint32_t host)
{
    json_t *made = json_array();

    for (uint32_t rank = 0; rank < job->processes; rank++) {
        if (job->tables.processes[rank].host == host) {
            json_array_append_new(made, json_pack("{s:I,s:o,s:b}", "rank", (json_int_t)rank, "pid",
                                                  json_sprintf("%" PRId64, job->tables.processes[rank].id.pid),
                                                  "master", is_master(job, rank)));
        }
    }
    return made;
}

static json_t *json_of_hosts(const struct wire_impi_job *job)
{
    json_t *made = json_array();

    for (uint32_t host = 0; host < job->hosts; host++) {
        const struct wire_impi_job_host *at = &job->tables.hosts[host];
        char address[INET6_ADDRSTRLEN];

        address_text(at->address, address, sizeof address);
        json_array_append_new(made, json_pack("{s:I,s:I,s:s,s:I,s:I,s:I,s:o}", "rank", (json_int_t)host, "client",
                                              (json_int_t)at->client, "address", address, "port", (json_int_t)at->port,
                                              "ackmark", (json_int_t)at->ackmark, "hiwater", (json_int_t)at->hiwater,
                                              "processes", json_of_processes(job, host)));
    }
    return made;
}

static json_t *json_of_operation(const struct operation *operation)
{
    const struct wire_impi_step *first = &operation->messages[0]->step;
    json_t *messages = json_array();

    for (size_t i = 0; i < operation->count; i++) {
        const struct finding_step *message = operation->messages[i];

        json_array_append_new(messages,
                              json_pack("{s:I,s:I,s:I,s:I,s:s}", "packet", (json_int_t)message->packet, "from",
                                        (json_int_t)message->step.from, "to", (json_int_t)message->step.to, "octets",
                                        (json_int_t)message->step.octets, "phase", message->step.phase));
    }
    return json_pack("{s:s,s:o,s:I,s:o,s:b,s:o}", "operation", first->operation, "context",
                     json_sprintf("%" PRIu64, first->cid), "number", (json_int_t)first->number, "root",
                     root_of(operation) < 0 ? json_null() : json_integer((json_int_t)root_of(operation)), "misplaced",
                     first->misplaced, "messages", messages);
}

static json_t *json_of_job(const struct findings *findings, const struct wire_impi_job *job,
                           const struct finding_step **sorted, struct operation *operations)
{
    size_t count = operations_of(findings, job, sorted, operations);
    json_t *collectives = json_array();

    for (size_t i = 0; i < count; i++) {
        json_array_append_new(collectives, json_of_operation(&operations[i]));
    }
    return json_pack("{s:b,s:I,s:{s:I,s:I,s:I,s:I,s:I,s:I},s:o,s:o}", "whole", job->whole, "clients",
                     (json_int_t)job->size, "agreed", "datalen", (json_int_t)job->limits.datalen, "tagub",
                     (json_int_t)job->limits.tagub, "coll_xsize", (json_int_t)job->xsize, "coll_maxlinear",
                     (json_int_t)job->maxlinear, "ackmark", (json_int_t)job->limits.ackmark, "hiwater",
                     (json_int_t)job->limits.hiwater, "hosts", job->whole ? json_of_hosts(job) : json_array(),
                     "collectives", collectives);
}

/* ---- all jobs ---- */

/* Room to sort all messages. */
struct room {
    const struct finding_step **sorted;
    struct operation *operations;
};

static struct room room_for(const struct findings *findings)
{
    size_t count = findings->step_count + 1;

    return (struct room){memory_zero(count * sizeof(const struct finding_step *)),
                         memory_zero(count * sizeof(struct operation))};
}

static void give(const struct room *room)
{
    free(room->sorted);
    free(room->operations);
}

void check_job_print(const struct findings *findings)
{
    struct room room = room_for(findings);
    const struct wire_impi_job *job;
    struct wire_end server;

    for (size_t i = 0; (job = wire_examine_job(&findings->examine, i, &server)) != NULL; i++) {
        char address[64];

        capture_end_text(&server, address, sizeof address);
        printf("job %zu: server %s, %" PRId32 " clients, %" PRIu32 " hosts, %" PRIu32 " processes\n", i + 1, address,
               job->size, job->hosts, job->processes);
        print_job(findings, job, room.sorted, room.operations);
    }
    if (findings->steps_left_out) {
        printf("%zu messages of collective operations more are left out\n", findings->steps_left_out);
    }
    give(&room);
}

json_t *check_job_json(const struct findings *findings)
{
    struct room room = room_for(findings);
    json_t *made = json_array();
    const struct wire_impi_job *job;
    struct wire_end server;

    for (size_t i = 0; (job = wire_examine_job(&findings->examine, i, &server)) != NULL; i++) {
        json_t *drawn = json_of_job(findings, job, room.sorted, room.operations);
        char address[64];

        capture_end_text(&server, address, sizeof address);
        json_object_set_new(drawn, "server", json_string(address));
        json_array_append_new(made, drawn);
    }
    give(&room);
    return made;
}
