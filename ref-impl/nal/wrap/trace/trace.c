/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The trace network: wraps another one and shows what passes, in both directions, as packets of a capture
 * (flow.h).
 *
 * A message that is sent is shown just before the network below gets it, also should that refuse it. One that is
 * received is shown as soon as its payload is in memory, before the core hears of it; payload that the core did not
 * want was never kept by anybody, and is shown as not captured, or where it is more than 960000 octets as a gap. The
 * octets are those of the binding; connection, handshake and HELLO are made up. Messages that the network below
 * discards by itself are not seen here.
 *
 * Tokens are the core's own: a side list says what is being received under which. The memory of a token is read under
 * `lock` only, and not once it has been revoked.
 */
#include "ref-impl/nal/wrap/trace/trace.h"

#include "ref-impl/nal/wrap/trace/flow.h"
#include "ref-impl/nal/wrap/trace/pcapng.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* struct receipt is a message whose payload is arriving. */
struct receipt {
    struct receipt *next;
    struct wire_portals_header header;
    struct nal_sink sink;
    bool revoked;
};

struct trace {
    struct nal nal;
    struct nal *below;
    struct nal_upcalls upcalls;
    void *core;

    pthread_mutex_t lock;
    struct trace_flows flows;
    struct receipt *receipts;
    bool failed; /* the capture could not be written; it was said once */
};

/* Writes a message to the capture. Called with `lock` held. */
static void trace_show(struct trace *trace, const struct trace_message *message)
{
    if (!trace->failed && !trace_flow_show(&trace->flows, message)) {
        trace->failed = true;
        fprintf(stderr, "portals: interface %u: the trace ends here: %s\n", (unsigned)trace->flows.interface,
                strerror(errno));
    }
}

/* A message of this process to itself was shown when it was sent: both ends of its connection are the same one. */
static void show_received(struct trace *trace, const struct wire_portals_header *header, const void *payload,
                          uint64_t known, const char *note)
{
    const struct wire_portals_id *self = &trace->flows.self;

    if (header->initiator.nid == self->nid && header->initiator.pid == self->pid) {
        return;
    }
    struct trace_message message = {.header = header,
                                    .payload = payload,
                                    .known = known,
                                    .payload_octets = wire_portals_payload(header),
                                    .note = note};

    trace_show(trace, &message);
}

/* Remembers what is arriving; where there is no memory for that it is shown without its payload. */
static void receipt_begin(struct trace *trace, const struct wire_portals_header *header, const struct nal_sink *sink)
{
    struct receipt *receipt = malloc(sizeof *receipt);

    pthread_mutex_lock(&trace->lock);
    if (receipt) {
        *receipt = (struct receipt){trace->receipts, *header, *sink, false};
        trace->receipts = receipt;
    } else {
        show_received(trace, header, NULL, 0, ", no memory to keep its data");
    }
    pthread_mutex_unlock(&trace->lock);
}

/* Where the list points to the receipt of that token. Called with `lock` held. */
static struct receipt **receipt_find(struct trace *trace, const void *token)
{
    struct receipt **link = &trace->receipts;

    while (*link && (*link)->sink.token != token) {
        link = &(*link)->next;
    }
    return link;
}

static void trace_arrive(void *core, const struct wire_portals_header *header, struct nal_sink *sink)
{
    struct trace *trace = core;

    if (wire_portals_payload(header) == 0) {
        pthread_mutex_lock(&trace->lock);
        show_received(trace, header, NULL, 0, NULL);
        pthread_mutex_unlock(&trace->lock);
        trace->upcalls.arrive(trace->core, header, sink);
        return;
    }
    trace->upcalls.arrive(trace->core, header, sink);
    if (sink->token) {
        receipt_begin(trace, header, sink);
    } else {
        pthread_mutex_lock(&trace->lock);
        show_received(trace, header, NULL, 0, ", data discarded");
        pthread_mutex_unlock(&trace->lock);
    }
}

static void trace_landed(void *core, void *token, bool complete)
{
    struct trace *trace = core;

    pthread_mutex_lock(&trace->lock);
    struct receipt **link = receipt_find(trace, token);
    struct receipt *receipt = *link;
    if (receipt) {
        *link = receipt->next;
        bool known = complete && !receipt->revoked && receipt->sink.start;
        uint64_t wanted = wire_portals_payload(&receipt->header);
        if (wanted > receipt->sink.length) {
            wanted = receipt->sink.length;
        }
        show_received(trace, &receipt->header, receipt->sink.start, known ? wanted : 0,
                      complete ? NULL : ", data cut off");
    }
    pthread_mutex_unlock(&trace->lock);
    free(receipt);
    trace->upcalls.landed(trace->core, token, complete);
}

static void trace_sent(void *core, void *cookie, bool complete)
{
    struct trace *trace = core;

    trace->upcalls.sent(trace->core, cookie, complete);
}

static void trace_dropped(void *core)
{
    struct trace *trace = core;

    trace->upcalls.dropped(trace->core);
}

static const struct nal_upcalls trace_upcalls = {
    .arrive = trace_arrive, .landed = trace_landed, .sent = trace_sent, .dropped = trace_dropped};

static enum nal_status trace_send(struct nal *nal, const struct wire_portals_header *header, const void *payload,
                                  uint64_t length, void *cookie)
{
    struct trace *trace = (struct trace *)nal;
    struct trace_message message = {
        .header = header, .sent = true, .payload = payload, .known = length, .payload_octets = length};

    pthread_mutex_lock(&trace->lock);
    trace_show(trace, &message);
    pthread_mutex_unlock(&trace->lock);
    return nal_send(trace->below, header, payload, length, cookie);
}

static void trace_revoke(struct nal *nal, void *token)
{
    struct trace *trace = (struct trace *)nal;

    nal_revoke(trace->below, token);
    /* `landed` may be running: either it has read the memory when we get the lock, or it will not. */
    pthread_mutex_lock(&trace->lock);
    struct receipt *receipt = *receipt_find(trace, token);
    if (receipt) {
        receipt->revoked = true;
    }
    pthread_mutex_unlock(&trace->lock);
}

static double trace_distance(struct nal *nal, const struct wire_portals_id *peer)
{
    return nal_distance(((struct trace *)nal)->below, peer);
}

static void trace_free(struct trace *trace)
{
    while (trace->receipts) {
        struct receipt *next = trace->receipts->next;

        free(trace->receipts);
        trace->receipts = next;
    }
    trace_flow_end(&trace->flows);
    if (trace->flows.capture) {
        pcapng_close(trace->flows.capture);
    }
    pthread_mutex_destroy(&trace->lock);
    free(trace);
}

static void trace_close(struct nal *nal)
{
    struct trace *trace = (struct trace *)nal;

    nal_close(trace->below);
    trace_free(trace);
}

static const struct nal_ops trace_ops = {
    .name = "trace",
    .send = trace_send,
    .revoke = trace_revoke,
    .distance = trace_distance,
    .close = trace_close,
};

/* Makes the capture file; NULL with a line on stderr. */
static struct pcapng *capture_create(const char *directory, const struct nal_config *config)
{
    char path[4096];
    char suffix[16] = "";
    char comment[200];
    char name[40];

    if (config->interface != 0) {
        snprintf(suffix, sizeof suffix, "-%u", (unsigned)config->interface);
    }
    int len = snprintf(path, sizeof path, "%s/portals-%u-%d%s.pcapng", directory, (unsigned)config->self.rid,
                       (int)getpid(), suffix);
    snprintf(comment, sizeof comment,
             "Portals messages of rank %u of %u (group %u), as seen inside the process; connections are made up",
             (unsigned)config->self.rid, (unsigned)config->group_size, (unsigned)config->self.gid);
    snprintf(name, sizeof name, "rank%u-portals%u", (unsigned)config->self.rid, (unsigned)config->interface);
    struct pcapng *capture = NULL;
    errno = ENAMETOOLONG;
    if (len > 0 && (size_t)len < sizeof path) {
        capture = pcapng_create(path, "Assay " ASSAY_VERSION, comment, name);
    }
    if (!capture) {
        fprintf(stderr, "portals: cannot write the trace %s: %s; set ASSAY_TRACE to a directory that can be written\n",
                path, strerror(errno));
    }
    return capture;
}

enum nal_status trace_open(const char *directory, nal_opener *inner, const struct nal_config *config,
                           const struct nal_upcalls *upcalls, void *core, struct nal **nal)
{
    struct trace *trace = calloc(1, sizeof *trace);

    if (!trace) {
        return NAL_NO_MEMORY;
    }
    trace->nal.ops = &trace_ops;
    trace->upcalls = *upcalls;
    trace->core = core;
    pthread_mutex_init(&trace->lock, NULL);
    trace->flows.self = config->self;
    trace->flows.interface = config->interface;
    trace->flows.group_size = config->group_size;
    trace->flows.capture = capture_create(directory, config);
    enum nal_status status = NAL_NO_DEVICE;
    if (trace->flows.capture) {
        status = inner(config, &trace_upcalls, trace, &trace->below);
    }
    if (status != NAL_OK) {
        trace_free(trace);
        return status;
    }
    *nal = &trace->nal;
    return NAL_OK;
}
