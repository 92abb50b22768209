/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * The jobs of a capture; see dissector/impi/job.h. A server serves one job: a client that comes to the same address and
 * port after the server was done, or after all earlier connections were closed, belongs to the next job.
 */
#include "dissector/impi/job.h"

#include <epan/wmem_scopes.h>

#include <string.h>

enum {
    HOSTS_MAX = 256, /* of one job; more are not learned */
    PROCESSES_MAX = 4096,
    JOBS_MAX = 1024,             /* of a capture; connections of further ones are shown, but not judged */
    CLOSED_EITHER = 0x10 | 0x20, /* FIN or RST seen (tcp.completeness) */
};

struct impi_job {
    struct wire_impi_job check;
    address server;
    uint32_t port;
    bool over; /* the server has said DONE */
    wmem_list_t *connections;
};

/* The checker's view of one connection. */
struct impi_link {
    struct wire_impi_link check;
    struct wire_impi_startup says[2]; /* by enum wire_impi_direction */
    bool followed;                    /* nothing is missing so far */
};

static wmem_list_t *jobs; /* the latest first; NULL until there is one */
static unsigned job_count;

static void reset(void)
{
    jobs = NULL; /* its memory went with the file */
    job_count = 0;
}

void impi_job_register(void)
{
    register_init_routine(reset);
}

static bool has_ended(const struct impi_job *job)
{
    if (job->over) {
        return true;
    }
    for (wmem_list_frame_t *at = wmem_list_head(job->connections); at; at = wmem_list_frame_next(at)) {
        const struct tcp_analysis *connection = wmem_list_frame_data(at);

        if (connection && !(connection->conversation_completeness & CLOSED_EITHER)) {
            return false;
        }
    }
    return true;
}

static struct impi_job *job_find(const address *server, uint32_t port)
{
    for (wmem_list_frame_t *at = jobs ? wmem_list_head(jobs) : NULL; at; at = wmem_list_frame_next(at)) {
        struct impi_job *job = wmem_list_frame_data(at);

        if (job->port == port && addresses_equal(&job->server, server)) {
            return has_ended(job) ? NULL : job;
        }
    }
    return NULL;
}

static struct impi_job *job_make(const address *server, uint32_t port)
{
    struct impi_job *job = wmem_new0(wmem_file_scope(), struct impi_job);
    struct wire_impi_job_tables tables = {.host_count = HOSTS_MAX, .process_count = PROCESSES_MAX};

    tables.hosts = wmem_alloc_array(wmem_file_scope(), struct wire_impi_job_host, HOSTS_MAX);
    tables.processes = wmem_alloc_array(wmem_file_scope(), struct wire_impi_job_process, PROCESSES_MAX);
    wire_impi_job_begin(&job->check, &tables);
    copy_address_wmem(wmem_file_scope(), &job->server, server);
    job->port = port;
    job->connections = wmem_list_new(wmem_file_scope());
    jobs = jobs ? jobs : wmem_list_new(wmem_file_scope());
    wmem_list_prepend(jobs, job);
    return job;
}

/* The connection, followed from now on. NULL: there are too many jobs. */
static struct impi_link *link_make(struct impi_pdu *pdu)
{
    struct impi_stream *stream = pdu->stream;
    struct impi_link *link;

    stream->job = job_find(&pdu->pinfo->dst, pdu->pinfo->destport);
    if (!stream->job && job_count < JOBS_MAX) {
        stream->job = job_make(&pdu->pinfo->dst, pdu->pinfo->destport);
        job_count++;
    }
    if (!stream->job) {
        return NULL;
    }
    link = wmem_new0(wmem_file_scope(), struct impi_link);
    wire_impi_link_begin(&link->check, &stream->job->check);
    link->says[WIRE_IMPI_FROM_CLIENT] = wire_impi_startup_begin(WIRE_IMPI_FROM_CLIENT);
    link->says[WIRE_IMPI_FROM_SERVER] = wire_impi_startup_begin(WIRE_IMPI_FROM_SERVER);
    link->followed = true;
    wmem_list_append(stream->job->connections, get_tcp_conversation_data(NULL, pdu->pinfo));
    stream->link = link;
    return link;
}

/* The connection, followed from its client's first message on. */
static struct impi_link *link_of(struct impi_pdu *pdu)
{
    bool first = pdu->command.kind == WIRE_IMPI_SAYS_AUTH && pdu->way == pdu->stream->opener;

    return pdu->stream->link || !first ? pdu->stream->link : link_make(pdu);
}

static void piece_note(struct impi_pdu *pdu, struct impi_link *link, enum wire_impi_direction direction,
                       const struct wire_impi_startup_piece *piece)
{
    if (piece->kind == WIRE_IMPI_COMMAND && piece->command->kind == WIRE_IMPI_SAYS_CHOICE) {
        wire_impi_startup_method(&link->says[WIRE_IMPI_FROM_CLIENT], piece->command->which);
    }
    (void)wire_impi_link_piece(&link->check, direction, piece, pdu->pinfo->num);
}

void impi_job_note(struct impi_pdu *pdu)
{
    enum wire_impi_direction direction = impi_stream_direction(pdu->stream, pdu->way);
    struct impi_link *link = link_of(pdu);
    uint64_t whole = pdu->header_octets + pdu->payload_octets;
    struct wire_impi_startup_piece piece;
    const unsigned char *octets;
    size_t len = tvb_captured_length(pdu->tvb);

    if (!link || !link->followed) {
        return;
    }
    if (len < whole) {
        impi_job_missed(pdu->stream);
        return;
    }
    octets = tvb_get_ptr(pdu->tvb, 0, (gint)len);
    while (wire_impi_startup_next(&link->says[direction], &octets, &len, &piece) == WIRE_OK) {
        piece_note(pdu, link, direction, &piece);
    }
    if (direction == WIRE_IMPI_FROM_SERVER && pdu->command.kind == WIRE_IMPI_SAYS_DONE) {
        pdu->stream->job->over = true;
    }
}

void impi_job_missed(struct impi_stream *stream)
{
    if (stream->link && stream->link->followed) {
        wire_impi_link_missed(&stream->link->check);
        stream->link->followed = false;
    }
}

void impi_job_end(struct impi_pdu *pdu)
{
    struct impi_link *link = pdu->stream->link;

    if (link && link->followed) {
        (void)wire_impi_link_end(&link->check, impi_stream_direction(pdu->stream, pdu->way), false);
    }
}

/* An address in the 16 octets of a host identifier. */
static bool host_of(const address *at, unsigned char host[WIRE_IMPI_HOST_OCTETS])
{
    size_t len = at->type == AT_IPv4 ? 4 : at->type == AT_IPv6 ? WIRE_IMPI_HOST_OCTETS : 0;

    if (len == 0 || (size_t)at->len != len) {
        return false;
    }
    memset(host, 0, WIRE_IMPI_HOST_OCTETS);
    memcpy(host + WIRE_IMPI_HOST_OCTETS - len, at->data, len);
    return true;
}

/* The latest job of which a host listens at the port: at that address, or where `exact` is false at any, since what a
 * host announces need not be what the capture shows. */
static struct impi_job *job_listening(const address *at, uint32_t port, bool exact)
{
    unsigned char host[WIRE_IMPI_HOST_OCTETS];

    if (exact && !host_of(at, host)) {
        return NULL;
    }
    for (wmem_list_frame_t *frame = jobs ? wmem_list_head(jobs) : NULL; frame; frame = wmem_list_frame_next(frame)) {
        struct impi_job *job = wmem_list_frame_data(frame);

        if (wire_impi_job_host_at(&job->check, exact ? host : NULL, port) >= 0) {
            return job;
        }
    }
    return NULL;
}

bool impi_job_listens(const address *at, uint32_t port)
{
    return job_listening(at, port, true) || job_listening(at, port, false);
}

static struct impi_job *job_with(const struct wire_impi_process *process)
{
    for (wmem_list_frame_t *frame = jobs ? wmem_list_head(jobs) : NULL; frame; frame = wmem_list_frame_next(frame)) {
        struct impi_job *job = wmem_list_frame_data(frame);

        if (wire_impi_job_process_of(&job->check, process) >= 0) {
            return job;
        }
    }
    return NULL;
}

void impi_job_adopt(struct impi_pdu *pdu)
{
    struct impi_stream *stream = pdu->stream;
    bool to_acceptor = stream->opener_known && pdu->way == stream->opener;
    const address *at = to_acceptor ? &pdu->pinfo->dst : &pdu->pinfo->src;
    uint32_t port = to_acceptor ? pdu->pinfo->destport : pdu->pinfo->srcport;

    if (!stream->job && stream->opener_known) {
        stream->job = job_listening(at, port, true);
    }
    if (!stream->job && stream->opener_known) {
        stream->job = job_listening(at, port, false);
    }
    if (!stream->job && pdu->form == IMPI_FORM_PACKET) {
        stream->job = job_with(&pdu->packet.src);
    }
}

int64_t impi_job_host(const struct impi_stream *stream, const address *at, uint32_t port)
{
    unsigned char host[WIRE_IMPI_HOST_OCTETS];

    return stream->job && stream->job->check.whole && host_of(at, host)
               ? wire_impi_job_host_at(&stream->job->check, host, port)
               : -1;
}

const struct wire_impi_job *impi_job_of(const struct impi_stream *stream)
{
    return stream->job ? &stream->job->check : NULL;
}

int64_t impi_job_rank(const struct impi_stream *stream, const struct wire_impi_process *process)
{
    return stream->job && stream->job->check.whole ? wire_impi_job_process_of(&stream->job->check, process) : -1;
}
