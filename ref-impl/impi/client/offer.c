/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A client's labels as octets; see offer.h and chapters 2.3.5 and 2.3.6. All go out together: the order of the labels
 * is all that the server asks for, and nothing in version 0.0 depends on what the others answer.
 */
#include "ref-impl/impi/client/offer.h"

#include "wire/impi/labels.h"
#include "wire/impi/startup.h"
#include "wire/octets/cursor.h"

uint32_t offer_first(const struct offer *offer, uint32_t host)
{
    uint32_t share = offer->processes / offer->hosts;
    uint32_t rest = offer->processes % offer->hosts;

    if (offer->places) {
        return host < offer->hosts ? offer->places[host].first : offer->processes;
    }
    return host * share + (host < rest ? host : rest);
}

const unsigned char *offer_host_id(const struct offer *offer, uint32_t host)
{
    return offer->places ? offer->places[host].id : offer->host_id;
}

const unsigned char *offer_process_host_id(const struct offer *offer, uint32_t process)
{
    uint32_t host = 0;

    while (offer->places && offer_first(offer, host + 1) <= process) {
        host++;
    }
    return offer_host_id(offer, host);
}

/* How many elements this client gives for a label. */
static uint32_t elements(const struct offer *offer, enum wire_impi_per per)
{
    switch (per) {
    case WIRE_IMPI_PER_HOST:
        return offer->hosts;
    case WIRE_IMPI_PER_PROCESS:
        return offer->processes;
    case WIRE_IMPI_PER_CLIENT:
    case WIRE_IMPI_PER_VERSION:
        break;
    }
    return 1;
}

/* Element number `i` of a label. */
//= IMPI-001
static void element_write(struct wire_writer *w, const struct offer *offer, int32_t label, uint32_t i)
{
    const struct offer_values *values = &offer->values;

    switch ((enum wire_impi_label_code)label) {
    case WIRE_IMPI_NO_LABEL:
        return;
    case WIRE_IMPI_C_VERSION:
        wire_write_u32(w, 0); /* major, minor */
        wire_write_u32(w, 0); //= IMPI-058
        return;
    case WIRE_IMPI_C_NHOSTS:
        wire_write_u32(w, offer->hosts); //= IMPI-060
        return;
    case WIRE_IMPI_C_NPROCS:
        wire_write_u32(w, offer->processes);
        return;
    case WIRE_IMPI_C_DATALEN:
        wire_write_u32(w, values->datalen);
        return;
    case WIRE_IMPI_C_TAGUB:
        wire_write_u32(w, (uint32_t)values->tagub);
        return;
    case WIRE_IMPI_C_COLL_XSIZE:
        wire_write_u32(w, (uint32_t)values->xsize); //= IMPI-063
        return;
    case WIRE_IMPI_C_COLL_MAXLINEAR:
        wire_write_u32(w, (uint32_t)values->maxlinear);
        return;
    case WIRE_IMPI_H_IPV6:
        wire_write_octets(w, offer_host_id(offer, i), WIRE_IMPI_HOST_OCTETS);
        return;
    case WIRE_IMPI_P_IPV6:
        wire_write_octets(w, offer_process_host_id(offer, i), WIRE_IMPI_HOST_OCTETS);
        return;
    case WIRE_IMPI_H_PORT:
        wire_write_u32(w, offer->ports[i]); //= IMPI-068
        return;
    case WIRE_IMPI_H_NPROCS:
        wire_write_u32(w, offer_first(offer, i + 1) - offer_first(offer, i)); //= IMPI-069
        return;
    case WIRE_IMPI_H_ACKMARK:
        wire_write_u32(w, values->ackmark);
        return;
    case WIRE_IMPI_H_HIWATER:
        wire_write_u32(w, values->hiwater);
        return;
    case WIRE_IMPI_P_PID:
        wire_write_u64(w, (uint64_t)(offer->first_pid + i)); //= IMPI-072
        return;
    }
}

static bool label_write(const struct offer *offer, const struct wire_impi_label *label, struct queue *queue)
{
    uint32_t count = elements(offer, label->per);
    size_t len = (size_t)count * label->element.width;
    struct wire_impi_command command = {
        .kind = WIRE_IMPI_SAYS_COLL, .cmd = WIRE_IMPI_CMD_COLL, .len = (int32_t)(4 + len), .label = label->code};
    unsigned char *space = queue_space(queue, WIRE_IMPI_COMMAND_MAX + len);
    size_t used = 0;

    if (!space ||
        wire_impi_command_encode(WIRE_IMPI_FROM_CLIENT, &command, space, WIRE_IMPI_COMMAND_MAX, &used) != WIRE_OK) {
        return false;
    }
    struct wire_writer w = wire_writer_over(space + used, len);
    for (uint32_t i = 0; i < count; i++) {
        element_write(&w, offer, label->code, i);
    }
    queue_filled(queue, used + len);
    return !w.failed;
}

/* The label of secure channels, which has no values. */
static bool secure_write(struct queue *queue)
{
    struct wire_impi_command secure = {
        .kind = WIRE_IMPI_SAYS_COLL, .cmd = WIRE_IMPI_CMD_COLL, .len = 4, .label = OFFER_SECURE_LABEL};
    unsigned char octets[WIRE_IMPI_COMMAND_MAX];
    size_t used = 0;

    return wire_impi_command_encode(WIRE_IMPI_FROM_CLIENT, &secure, octets, sizeof octets, &used) == WIRE_OK &&
           queue_put(queue, octets, used);
}

//= IMPI-052
//= IMPI-053
//= IMPI-074
bool offer_write(const struct offer *offer, struct queue *queue)
{
    struct wire_impi_command done = {.kind = WIRE_IMPI_SAYS_DONE, .cmd = WIRE_IMPI_CMD_DONE};
    unsigned char octets[WIRE_IMPI_COMMAND_MAX];
    size_t used = 0;

    for (size_t i = 0; i < WIRE_IMPI_LABELS; i++) {
        if (!label_write(offer, &wire_impi_labels[i], queue)) {
            return false;
        }
    }
    if (offer->secure && !secure_write(queue)) {
        return false;
    }
    return wire_impi_command_encode(WIRE_IMPI_FROM_CLIENT, &done, octets, sizeof octets, &used) == WIRE_OK &&
           queue_put(queue, octets, used);
}
