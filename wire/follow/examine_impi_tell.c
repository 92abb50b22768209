/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What is found on connections of IMPI, and what still waits (wire/follow/examine_impi.h).
 */
#include "wire/follow/examine_impi.h"
#include "wire/follow/examine_impi_state.h"

#include "wire/follow/guess.h"
#include "wire/impi/check_requests.h"

static struct wire_examine_violation record_of(const struct impi_conversation *conversation, unsigned side,
                                               const char *message, const struct wire_impi_finding *finding)
{
    return (struct wire_examine_violation){
        .packet = conversation->packet->number,
        .when_ns = conversation->packet->when_ns,
        .from = conversation->connection->ends[side],
        .to = conversation->connection->ends[!side],
        .message = message,
        .is_impi = true,
        .impi = *finding,
        .job = conversation->job ? &conversation->job->job : NULL,
    };
}

/* Whether what cannot be cut is rather something else, that began as the connection was expected to: a channel whose
 * first octets are not between processes of the job, or, where there is none, behind the one packet that was guessed;
 * a link to a server that has not answered. */
static bool is_mistaken(const struct impi_conversation *conversation, unsigned side, unsigned violation)
{
    struct wire_impi_packet packet;
    const struct wire_follow_impi_channel *channel = conversation->channel;

    if (conversation->kind == LINK) {
        return violation == WIRE_IMPI_COMMAND_LENGTH && !wire_impi_link_is_chosen(&conversation->link->link);
    }
    if (violation != WIRE_IMPI_PACKET_TYPE || channel->channel.packets > (conversation->job ? 0 : 1)) {
        return false;
    }
    packet = wire_guess_packet_of(channel->ways[side].kept);
    return !conversation->job || wire_impi_job_process_of(&conversation->job->job, &packet.src) < 0 ||
           wire_impi_job_process_of(&conversation->job->job, &packet.dest) < 0;
}

/* The connection is none of IMPI. */
static void give_back(struct impi_conversation *conversation)
{
    struct wire_examine *examine = conversation->impi->examine;

    *(conversation->kind == LINK ? &examine->impi_links : &examine->impi_channels) -= 1;
    if (conversation->kind == LINK) {
        conversation->job->links--;
    } else {
        wire_impi_channel_gone(&conversation->channel->channel);
    }
    conversation->given_back = true;
}

static void on_report(void *context, unsigned side, const char *message, const struct wire_impi_findings *findings)
{
    struct impi_conversation *conversation = context;
    const struct wire_examine_listener *listener = &conversation->impi->examine->listener;

    for (unsigned i = 0; i < findings->count && !conversation->given_back; i++) {
        if (is_mistaken(conversation, side, findings->at[i].violation)) {
            give_back(conversation);
        }
    }
    if (conversation->given_back) {
        return;
    }
    if (conversation->kind == LINK && (conversation->doubted[0] || conversation->doubted[1])) {
        return;
    }
    for (unsigned i = 0; i < findings->count && listener->violation; i++) {
        struct wire_examine_violation violation = record_of(conversation, side, message, &findings->at[i]);

        listener->violation(listener->context, &violation);
    }
}

static void on_note(void *context, unsigned side, const char *message, const struct wire_impi_findings *notes)
{
    const struct impi_conversation *conversation = context;
    const struct wire_examine_listener *listener = &conversation->impi->examine->listener;

    for (unsigned i = 0; i < notes->count && listener->note; i++) {
        struct wire_examine_violation note = record_of(conversation, side, message, &notes->at[i]);

        note.owner = conversation;
        note.times = 1;
        listener->note(listener->context, &note);
    }
}

static void on_message(void *context, unsigned side, const unsigned char *octets, size_t len)
{
    const struct impi_conversation *conversation = context;
    const struct wire_examine_listener *listener = &conversation->impi->examine->listener;

    (void)side;
    if (listener->message) {
        listener->message(listener->context, octets, len);
    }
}

static void on_collective(void *context, unsigned side, const struct wire_impi_step *step)
{
    const struct impi_conversation *conversation = context;
    const struct wire_examine_listener *listener = &conversation->impi->examine->listener;

    (void)side;
    if (listener->collective) {
        listener->collective(listener->context, conversation->packet, &conversation->job->job, step);
    }
}

struct wire_follow_impi_listener wire_examine_impi_listener(struct impi_conversation *conversation)
{
    return (struct wire_follow_impi_listener){.report = on_report,
                                              .note = on_note,
                                              .message = on_message,
                                              .collective = on_collective,
                                              .context = conversation};
}

bool wire_examine_impi_is_link(const struct impi_conversation *conversation)
{
    return conversation->kind == LINK && !conversation->missed && !conversation->given_back;
}

/* ---- what still waits ---- */

static void tell_waits(const struct wire_examine_listener *listener, const struct wire_impi_channel_tables *tables)
{
    for (uint32_t i = 0; i < tables->request_count; i++) {
        const struct wire_impi_request *request = &tables->requests[i];
        struct wire_examine_wait wait = {.asked = request->mark};

        if (request->state == WIRE_IMPI_WAITING) {
            wait.what = "synchronous message";
            wait.wanted = "SYNCACK";
        } else if (request->state == WIRE_IMPI_SENDING) {
            wait.what = "long message";
            wait.wanted = "rest, although it is acknowledged";
        }
        if (wait.what) {
            listener->waited(listener->context, &wait);
        }
    }
}

void wire_examine_impi_waiting(const struct wire_examine_impi *impi)
{
    for (size_t i = 0; i < impi->channel_count; i++) {
        const struct impi_conversation *conversation = impi->channels[i];

        if (conversation && !conversation->channel->channel.lacked[0] && !conversation->channel->channel.lacked[1]) {
            tell_waits(&impi->examine->listener, &conversation->channel->channel.tables);
        }
    }
}
