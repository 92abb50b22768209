/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checker of IMPI start-up: the order of messages between one client and the server, and between clients. Judges
 * sections 2.3.3 to 2.3.7 of the IMPI 0.0 document; the values inside COLL are judged in wire/impi/check_given.c
 * and wire/impi/check_spread.c.
 *
 *     client: SILENT --AUTH--> OFFERED --IMPI--> JOINED --DONE--> FINISHED --FINI--> ENDED
 *     server: SILENT --CHOICE--> CHOSEN --IMPI--> SIZED --DONE--> ALL_DONE
 *
 * A client that leaves out a step is reported once and then taken to be where it thinks it is.
 */
#include "wire/impi/check_job.h"

#include "wire/impi/check_own.h"
#include "wire/impi/labels.h"

enum client_stage { SILENT, OFFERED, JOINED, FINISHED, ENDED };
enum server_stage { SERVER_SILENT, CHOSEN, SIZED, ALL_DONE };

void wire_impi_job_begin(struct wire_impi_job *job, const struct wire_impi_job_tables *tables)
{
    *job = (struct wire_impi_job){.tables = *tables, .xsize = -1, .maxlinear = -1};
}

void wire_impi_link_begin(struct wire_impi_link *link, struct wire_impi_job *job)
{
    *link = (struct wire_impi_link){.job = job, .rank = -1, .number = ++job->links};
}

bool wire_impi_link_is_chosen(const struct wire_impi_link *link)
{
    return link->server_stage >= CHOSEN && link->client_stage >= JOINED;
}

bool wire_impi_job_seen_all(const struct wire_impi_job *job)
{
    return job->size > 0 && job->joined >= (uint32_t)job->size;
}

static struct wire_impi_finding *report(struct wire_impi_link *link, enum wire_impi_violation violation)
{
    return wire_impi_report(&link->findings, violation);
}

static struct wire_impi_finding *report_awaited(struct wire_impi_link *link, enum wire_impi_violation violation,
                                                uint32_t awaited)
{
    struct wire_impi_finding *finding = report(link, violation);
    bool own = link->rank >= 0 && link->rank < WIRE_IMPI_CLIENTS_MAX && awaited >> link->rank & 1;

    finding->awaited = own ? 0 : awaited; /* what comes on the same connection comes in its order */
    return finding;
}

/* ---- the client ---- */

static void judge_auth(struct wire_impi_link *link, const struct wire_impi_command *command)
{
    if (link->client_stage != SILENT) {
        report(link, WIRE_IMPI_NOT_JOINED);
        return;
    }
    link->client_stage = OFFERED;
    link->auth_mask = command->auth_mask;
    link->more_masks = command->len > 4;
    if (command->bare || command->len % 4) {
        report(link, WIRE_IMPI_AUTH_NO_MASK);
    } else if (command->auth_mask == 0 && !link->more_masks) {
        report(link, WIRE_IMPI_AUTH_NOTHING);
    }
}

/* No job has more clients than this. */
static int32_t size_of(const struct wire_impi_job *job)
{
    int32_t size = job->size > 0 ? job->size : job->secrets.size;

    return size > 0 ? size : WIRE_IMPI_CLIENTS_MAX;
}

static void judge_key(struct wire_impi_link *link, const struct wire_impi_command *command)
{
    const struct wire_impi_secrets *secrets = &link->job->secrets;

    if (secrets->key_known && command->key != secrets->key) {
        report(link, WIRE_IMPI_KEY_WRONG);
    }
}

static void judge_join(struct wire_impi_link *link, const struct wire_impi_command *command)
{
    int32_t size = size_of(link->job);

    if (link->client_stage >= JOINED) {
        report(link, WIRE_IMPI_JOIN_AGAIN);
        return;
    }
    link->client_stage = JOINED;
    if (command->bare || command->len != 4) {
        report(link, WIRE_IMPI_JOIN_FORM);
        return;
    }
    if (command->rank < 0 || command->rank >= size) {
        wire_impi_report_field(&link->findings, WIRE_IMPI_JOIN_RANK, "rank", command->rank < 0 ? 0 : size - 1,
                               command->rank);
    }
    link->rank = command->rank;
    if (wire_impi_rank_is_taken(link)) {
        report(link, WIRE_IMPI_JOIN_TAKEN);
    }
    wire_impi_rank_take(link);
}

static void judge_label(struct wire_impi_link *link, const struct wire_impi_command *command)
{
    int place = wire_impi_label_place(command->label);

    if (link->client_stage >= FINISHED) {
        report(link, WIRE_IMPI_AFTER_DONE);
        link->job->disordered = true;
        return;
    }
    if (command->bare) {
        report(link, WIRE_IMPI_COLL_FORM);
        return;
    }
    //= IMPI-043
    if (link->server_stage < SIZED) {
        (void)wire_impi_note(&link->notes, WIRE_IMPI_NOTE_LABEL_AT_ONCE, &link->at_once);
    }
    //= IMPI-052
    if (command->label == WIRE_IMPI_NO_LABEL) {
        report(link, WIRE_IMPI_LABEL_ZERO);
    } else if (link->has_label && command->label <= link->highest) {
        wire_impi_report_field(&link->findings, WIRE_IMPI_LABEL_ORDER, "label", link->highest, command->label);
    }
    if (!link->has_label || command->label > link->highest) {
        link->highest = command->label;
    }
    link->has_label = true;
    link->sent |= place >= 0 ? UINT32_C(1) << place : 0;
    wire_impi_given_begin(link, command->label);
}

static void judge_done(struct wire_impi_link *link, const struct wire_impi_command *command)
{
    struct wire_impi_job_client *client = wire_impi_link_client(link);

    if (link->client_stage >= FINISHED) {
        report(link, WIRE_IMPI_AFTER_DONE);
        return;
    }
    link->client_stage = FINISHED;
    if (client) {
        client->done = true;
        client->done_at = link->job->now;
    }
    if (command->len != 0) {
        report(link, WIRE_IMPI_DONE_FORM);
    }
    //= IMPI-053
    for (int i = 0; i < WIRE_IMPI_LABELS; i++) {
        if (!(link->sent >> i & 1)) {
            report(link, WIRE_IMPI_LABEL_MISSING)->field = wire_impi_labels[i].name;
            return;
        }
    }
}

/* The client's hosts have channels that they did not close. */
static bool has_channels(const struct wire_impi_link *link)
{
    const struct wire_impi_job *job = link->job;

    for (uint32_t i = 0; job->whole && i < job->hosts; i++) {
        if (job->tables.hosts[i].client == (uint32_t)link->rank && job->tables.hosts[i].channels) {
            return true;
        }
    }
    return false;
}

static void judge_fini(struct wire_impi_link *link, const struct wire_impi_command *command)
{
    //= IMPI-092
    if (wire_impi_link_client(link) && has_channels(link)) {
        struct wire_impi_finding *finding =
            wire_impi_note(&link->notes, WIRE_IMPI_NOTE_FINI_BEFORE_CLOSED, &link->unclosed);

        if (finding) {
            finding->awaited = UINT32_C(1) << link->rank;
        }
    }
    if (command->len != 0) {
        report(link, WIRE_IMPI_FINI_FORM);
    }
    if (!link->all_done) {
        report(link, WIRE_IMPI_FINI_EARLY);
    }
    if (link->job->choices_differ) {
        report(link, WIRE_IMPI_DIFFERENT_CHOICES);
    }
    if (link->job->limits_broken) {
        report(link, WIRE_IMPI_LIMITS_IGNORED);
    }
    link->client_stage = ENDED;
    link->ended = true;
}

/* Whether the message may come at all; a client is reported once for what it left out. */
static bool judge_client_order(struct wire_impi_link *link, const struct wire_impi_command *command)
{
    enum wire_impi_kind kind = command->kind;

    if (link->client_stage == ENDED) {
        report(link, WIRE_IMPI_AFTER_FINI);
        return false;
    }
    if (link->client_stage == SILENT && kind != WIRE_IMPI_SAYS_AUTH) {
        report(link, WIRE_IMPI_NO_AUTH);
        link->unidentified = true;
        link->client_stage = OFFERED;
    }
    if (link->bad_choice && kind != WIRE_IMPI_SAYS_AUTH) {
        report(link, WIRE_IMPI_METHOD_TAKEN);
        link->bad_choice = false;
    }
    if (link->client_stage == OFFERED &&
        (kind == WIRE_IMPI_SAYS_COLL || kind == WIRE_IMPI_SAYS_DONE || kind == WIRE_IMPI_SAYS_FINI)) {
        report(link, WIRE_IMPI_NOT_JOINED);
        link->client_stage = JOINED;
    }
    return true;
}

static void judge_client(struct wire_impi_link *link, const struct wire_impi_command *command)
{
    if (!judge_client_order(link, command)) {
        return;
    }
    switch (command->kind) {
    case WIRE_IMPI_SAYS_AUTH:
        judge_auth(link, command);
        return;
    case WIRE_IMPI_SAYS_IMPI:
        judge_join(link, command);
        return;
    case WIRE_IMPI_SAYS_COLL:
        judge_label(link, command);
        return;
    case WIRE_IMPI_SAYS_DONE:
        judge_done(link, command);
        return;
    case WIRE_IMPI_SAYS_FINI:
        judge_fini(link, command);
        return;
    case WIRE_IMPI_SAYS_KEY:
        judge_key(link, command);
        return;
    case WIRE_IMPI_SAYS_CHOICE:
    case WIRE_IMPI_SAYS_OTHER: /* a server steps over it */
        return;
    }
}

/* ---- the server ---- */

static void judge_choice(struct wire_impi_link *link, const struct wire_impi_command *command)
{
    bool offered = command->which >= 0 && command->which < 32 && link->auth_mask >> command->which & 1;

    link->server_stage = CHOSEN;
    if (link->client_stage == SILENT || link->unidentified) {
        report(link, WIRE_IMPI_CHOICE_EARLY);
        return;
    }
    //= IMPI-034
    if (!offered && !(link->more_masks && command->which >= 32)) {
        report(link, WIRE_IMPI_CHOICE_NOT_OFFERED);
        link->bad_choice = true;
    }
    if (command->len != 0 && (command->which == WIRE_IMPI_AUTH_NONE || command->which == WIRE_IMPI_AUTH_KEY)) {
        report(link, WIRE_IMPI_CHOICE_FOLLOW_ON);
    }
}

static void judge_size(struct wire_impi_link *link, const struct wire_impi_command *command)
{
    struct wire_impi_job *job = link->job;
    const struct wire_impi_job_client *client = wire_impi_rank_place(link);

    if (link->server_stage >= SIZED || command->bare || command->len != 4 || command->size < 1) {
        report(link, WIRE_IMPI_SIZE_FORM);
        return;
    }
    link->server_stage = SIZED;
    if (job->size > 0 && job->size != command->size) {
        wire_impi_report_field(&link->findings, WIRE_IMPI_SIZE_DIFFERS, "size", job->size, command->size);
    }
    job->size = command->size;
    if (link->rank >= command->size || link->rank < 0) {
        wire_impi_report_field(&link->findings, WIRE_IMPI_RANK_OUTSIDE, "rank", command->size - 1, link->rank);
    } else if (client && client->sized && client->owner != link->number) {
        report(link, WIRE_IMPI_RANK_TAKEN);
    } else {
        wire_impi_rank_settle(link);
    }
    if (job->joined < (uint32_t)command->size) {
        wire_impi_report_field(&link->findings, WIRE_IMPI_SIZE_EARLY, "clients joined", command->size, job->joined);
    }
}

/* Whether every client that was seen has given this label, or has skipped it. The mask must be that of the givers. */
static void judge_mask(struct wire_impi_link *link, const struct wire_impi_job_label *label, uint32_t mask)
{
    const struct wire_impi_job *job = link->job;
    uint32_t beyond = job->size < 32 ? ~UINT32_C(0) << job->size : 0;
    uint32_t wanted = mask & ~beyond;
    uint32_t awaited = 0;

    for (int i = 0; i < WIRE_IMPI_CLIENTS_MAX && i < job->size; i++) {
        const struct wire_impi_job_client *client = &job->clients[i];
        bool given = label->given >> i & 1;

        if (client->joined && !client->partial && !(label->disordered >> i & 1)) {
            wanted = (wanted & ~(UINT32_C(1) << i)) | (uint32_t)given << i;
            awaited |= (uint32_t)(!given && !client->done && client->latest < label->label) << i;
        }
    }
    if (awaited) {
        report_awaited(link, WIRE_IMPI_SPREAD_EARLY, awaited)->label = label->label;
    } else if (wanted != mask) {
        wire_impi_report_field(&link->findings, WIRE_IMPI_SPREAD_MASK, "client_mask", wanted, mask);
    }
}

static void judge_spread(struct wire_impi_link *link, const struct wire_impi_command *command)
{
    struct wire_impi_job_label *label;
    uint32_t bit;

    if (link->server_stage == ALL_DONE) {
        report(link, WIRE_IMPI_AFTER_ALL_DONE);
    } else if (link->server_stage < SIZED) {
        report(link, WIRE_IMPI_SPREAD_UNSIZED);
    }
    if (command->bare) {
        report(link, WIRE_IMPI_SPREAD_FORM);
        return;
    }
    label = wire_impi_job_label(link->job, command->label);
    if (label) {
        bit = UINT32_C(1) << (label - link->job->labels);
        if (!link->job->disordered) {
            if (link->received & bit) {
                report(link, WIRE_IMPI_SPREAD_AGAIN);
            }
            judge_mask(link, label, command->client_mask);
        }
        link->received |= bit;
    }
    wire_impi_spread_begin(link, command->label, command->client_mask, (uint32_t)command->len - 8);
}

static void judge_all_done(struct wire_impi_link *link, const struct wire_impi_command *command)
{
    const struct wire_impi_job *job = link->job;
    struct wire_impi_job_client *client = wire_impi_link_client(link);
    uint32_t awaited = 0;

    if (client) {
        client->told_done = true;
        client->told_done_at = job->now;
    }
    if (link->server_stage == ALL_DONE) {
        report(link, WIRE_IMPI_AFTER_ALL_DONE);
        return;
    }
    link->server_stage = ALL_DONE;
    link->all_done = true;
    if (command->len != 0) {
        report(link, WIRE_IMPI_ALL_DONE_FORM);
    }
    for (int i = 0; i < WIRE_IMPI_CLIENTS_MAX && i < job->size; i++) {
        awaited |= (uint32_t)(job->clients[i].joined && !job->clients[i].partial && !job->clients[i].done) << i;
    }
    if (awaited) {
        report_awaited(link, WIRE_IMPI_ALL_DONE_EARLY, awaited);
    }
    //= IMPI-047
    for (uint32_t i = 0; i < job->label_count; i++) {
        if ((job->labels[i].given & ~job->labels[i].disordered) && !(link->received >> i & 1)) {
            struct wire_impi_finding *finding = report(link, WIRE_IMPI_SPREAD_MISSING);
            const struct wire_impi_label *label = wire_impi_label_of(job->labels[i].label);
            finding->field = label ? label->name : NULL;
            return;
        }
    }
}

static void judge_server(struct wire_impi_link *link, const struct wire_impi_command *command)
{
    if (link->ended && link->all_done) {
        report(link, WIRE_IMPI_SERVER_AFTER_FINI);
        return;
    }
    switch (command->kind) {
    case WIRE_IMPI_SAYS_CHOICE:
        judge_choice(link, command);
        return;
    case WIRE_IMPI_SAYS_IMPI:
        judge_size(link, command);
        return;
    case WIRE_IMPI_SAYS_COLL:
        judge_spread(link, command);
        return;
    case WIRE_IMPI_SAYS_DONE:
        judge_all_done(link, command);
        return;
    case WIRE_IMPI_SAYS_AUTH:
    case WIRE_IMPI_SAYS_KEY:
    case WIRE_IMPI_SAYS_FINI:
    case WIRE_IMPI_SAYS_OTHER: /* a client may ignore it */
        return;
    }
}

/* ---- both ---- */

/* The octets of a COLL's values, which may be none. */
static void take_values(struct wire_impi_link *link, enum wire_impi_direction direction,
                        const struct wire_impi_startup_piece *piece)
{
    bool client = direction == WIRE_IMPI_FROM_CLIENT;

    if (piece->command->kind != WIRE_IMPI_SAYS_COLL || piece->command->bare) {
        return;
    }
    if (piece->kind == WIRE_IMPI_PAYLOAD && client) {
        wire_impi_given_octets(link, piece->octets, piece->len);
    } else if (piece->kind == WIRE_IMPI_PAYLOAD) {
        wire_impi_spread_octets(link, piece->octets, piece->len);
    }
    if (piece->left == 0 && client) {
        wire_impi_given_end(link);
    } else if (piece->left == 0) {
        wire_impi_spread_end(link);
    }
}

unsigned wire_impi_link_piece(struct wire_impi_link *link, enum wire_impi_direction direction,
                              const struct wire_impi_startup_piece *piece, uint64_t mark)
{
    (void)mark;
    link->findings.count = link->notes.count = 0;
    if (link->over[direction]) {
        return 0;
    }
    if (piece->kind == WIRE_IMPI_COMMAND && direction == WIRE_IMPI_FROM_CLIENT) {
        judge_client(link, piece->command);
    } else if (piece->kind == WIRE_IMPI_COMMAND) {
        judge_server(link, piece->command);
    }
    take_values(link, direction, piece);
    return link->findings.count;
}

unsigned wire_impi_link_broken(struct wire_impi_link *link, enum wire_impi_direction direction)
{
    link->findings.count = link->notes.count = 0;
    if (!link->over[direction]) {
        report(link, WIRE_IMPI_COMMAND_LENGTH);
    }
    link->over[direction] = true;
    return link->findings.count;
}

void wire_impi_link_missed(struct wire_impi_link *link)
{
    struct wire_impi_job_client *client = wire_impi_link_client(link);

    if (client) {
        client->partial = true;
    }
    link->job->missed = true;
    link->over[WIRE_IMPI_FROM_CLIENT] = link->over[WIRE_IMPI_FROM_SERVER] = true;
}

unsigned wire_impi_link_end(struct wire_impi_link *link, enum wire_impi_direction direction, bool inside)
{
    link->findings.count = link->notes.count = 0;
    if (inside && !link->over[direction]) {
        report(link, WIRE_IMPI_COMMAND_CUT);
    }
    link->over[direction] = true;
    wire_impi_rank_leave(link);
    return link->findings.count;
}

int64_t wire_impi_job_host_at(const struct wire_impi_job *job, const unsigned char *address, uint32_t port)
{
    int64_t found = -1;

    for (uint32_t i = 0; i < job->hosts; i++) {
        const struct wire_impi_job_host *host = &job->tables.hosts[i];

        if (host->port == port && (!address || wire_impi_host_same(host->address, address))) {
            if (found >= 0) {
                return -1;
            }
            found = i;
        }
    }
    return found;
}
