/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The values that a client gives under a label (a part of the checker of IMPI start-up): their number, their range, and
 * whether they fit to what the same client gave before. Judges section 2.3.5 of the IMPI 0.0 document with the limits
 * of section 3.9. Values are looked at one element after the other, as they come, so that a payload may be of any
 * length.
 */
#include "wire/impi/check_own.h"
#include "wire/impi/labels.h"

#include <string.h>

uint64_t wire_impi_digest(uint64_t digest, const unsigned char *octets, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        digest = (digest ^ octets[i]) * UINT64_C(0x100000001b3);
    }
    return digest;
}

bool wire_impi_values_element(struct wire_impi_values *values, size_t width, const unsigned char **octets, size_t *len)
{
    size_t count = width - values->kept_len;

    count = *len < count ? *len : count;
    if (count) {
        memcpy(values->kept + values->kept_len, *octets, count);
        *octets += count;
        *len -= count;
        values->kept_len += (uint32_t)count;
    }
    if (values->kept_len < width) {
        return false;
    }
    values->kept_len = 0;
    return true;
}

static void report(struct wire_impi_link *link, enum wire_impi_violation violation, int64_t expected, int64_t observed)
{
    const struct wire_impi_label *label = wire_impi_label_of(link->values[WIRE_IMPI_FROM_CLIENT].label);

    wire_impi_report_field(&link->findings, violation, label ? label->name : NULL, expected, observed);
}

/* Versions ascend, and 0.0 is among them, hence first. */
static void judge_version(struct wire_impi_link *link, const struct wire_impi_values *values, uint64_t version)
{
    if (values->index == 0 && version != 0) {
        report(link, WIRE_IMPI_VERSION_FIRST, 0, (int64_t)version);
    }
    if (values->index > 0 && version <= values->last) {
        report(link, WIRE_IMPI_VERSION_ORDER, (int64_t)values->last, (int64_t)version);
    }
}

static void judge_pid(struct wire_impi_link *link, uint32_t process, int64_t pid)
{
    bool has_address = link->sent >> wire_impi_label_place(WIRE_IMPI_P_IPV6) & 1;

    if (process >= WIRE_IMPI_LINK_PROCESSES || !has_address) {
        return;
    }
    link->processes[process].pid = pid;
    for (uint32_t i = 0; i < process; i++) {
        if (wire_impi_process_same(&link->processes[i], &link->processes[process])) {
            wire_impi_report_field(&link->findings, WIRE_IMPI_PID_TWICE, NULL, 0, 0);
            return;
        }
    }
}

static void judge_value(struct wire_impi_link *link, const struct wire_impi_values *values, uint64_t value)
{
    uint32_t index = values->index;
    int64_t ackmark = index < WIRE_IMPI_LINK_HOSTS ? link->ackmarks[index] : 0;

    wire_impi_value_judge(&link->findings, values->label, value, ackmark);
    switch (values->label) {
    case WIRE_IMPI_C_VERSION:
        judge_version(link, values, value);
        break;
    case WIRE_IMPI_C_NHOSTS:
        link->nhosts = (uint32_t)value;
        break;
    case WIRE_IMPI_C_NPROCS:
        link->nprocs = (uint32_t)value;
        break;
    case WIRE_IMPI_H_ACKMARK:
        if (index < WIRE_IMPI_LINK_HOSTS) {
            link->ackmarks[index] = (uint32_t)value;
        }
        break;
    case WIRE_IMPI_P_PID:
        judge_pid(link, index, (int64_t)value);
        break;
    default:
        break;
    }
}

static bool is_single(int32_t label)
{
    const struct wire_impi_label *known = wire_impi_label_of(label);

    return known && known->per == WIRE_IMPI_PER_CLIENT;
}

/* The host of an IPv4 address behind twelve octets of zero; ::1 and ::, which begin so, are IPv6. */
static bool is_compatible(const unsigned char *host)
{
    static const unsigned char zeros[12];

    return memcmp(host, zeros, sizeof zeros) == 0 && host[12] != 0;
}

static void take_element(struct wire_impi_link *link, struct wire_impi_values *values, const struct wire_row *row)
{
    uint64_t value = 0;

    if (row->base == WIRE_HOST) {
        //= IMPI-007
        if (is_compatible(values->kept)) {
            (void)wire_impi_note(&link->notes, WIRE_IMPI_NOTE_ADDRESS_FORM, &link->compatible);
        }
        if (values->label == WIRE_IMPI_P_IPV6 && values->index < WIRE_IMPI_LINK_PROCESSES) {
            memcpy(link->processes[values->index].host, values->kept, WIRE_IMPI_HOST_OCTETS);
        }
    } else if (wire_row_get(row, values->kept, sizeof values->kept, &value) == WIRE_OK) {
        if (values->index == 0 || !is_single(values->label)) { /* what is too much is told once, by the count */
            judge_value(link, values, value);
        }
        values->sum += value;
        values->last = value;
    }
    values->index++;
}

/* The client has come to this label: it will not give lower ones any more. */
static void pass(struct wire_impi_link *link, struct wire_impi_job_client *client, int64_t label)
{
    struct wire_impi_job *job = link->job;

    client->latest = label;
    for (uint32_t i = 0; i < job->label_count; i++) {
        uint64_t *passed = &job->labels[i].passed_at[link->rank];

        *passed = *passed == 0 && job->labels[i].label <= label ? job->now : *passed;
    }
}

void wire_impi_given_begin(struct wire_impi_link *link, int32_t label)
{
    struct wire_impi_job_client *client = wire_impi_link_client(link);

    link->values[WIRE_IMPI_FROM_CLIENT] = (struct wire_impi_values){.label = label, .digest = WIRE_IMPI_DIGEST};
    if (client && label > client->latest) {
        pass(link, client, (int64_t)label - 1); /* what is below has been skipped; the label itself is not whole yet */
    }
}

void wire_impi_given_octets(struct wire_impi_link *link, const unsigned char *octets, size_t len)
{
    struct wire_impi_values *values = &link->values[WIRE_IMPI_FROM_CLIENT];
    const struct wire_impi_label *label = wire_impi_label_of(values->label);

    values->digest = wire_impi_digest(values->digest, octets, len);
    values->octets += (uint32_t)len;
    while (label && wire_impi_values_element(values, label->element.width, &octets, &len)) {
        take_element(link, values, &label->element);
    }
}

/* There must be so many values, and no part of one; 0: their number is not known. */
static void judge_number(struct wire_impi_link *link, enum wire_impi_violation violation, uint32_t wanted)
{
    const struct wire_impi_values *values = &link->values[WIRE_IMPI_FROM_CLIENT];

    if (values->kept_len != 0 || (wanted && values->index != wanted)) {
        report(link, violation, wanted, values->index);
    } else if (values->label == WIRE_IMPI_H_NPROCS && link->nprocs && values->sum != link->nprocs) {
        report(link, WIRE_IMPI_HOST_NPROCS, link->nprocs, (int64_t)values->sum);
    }
}

static void judge_count(struct wire_impi_link *link, const struct wire_impi_values *values,
                        const struct wire_impi_label *label)
{
    enum wire_impi_violation violation = wire_impi_value_form(label);

    switch (label->per) {
    case WIRE_IMPI_PER_VERSION:
        judge_number(link, violation, values->index ? 0 : 1);
        return;
    case WIRE_IMPI_PER_CLIENT:
        judge_number(link, violation, 1);
        return;
    case WIRE_IMPI_PER_HOST:
        judge_number(link, violation, link->nhosts);
        return;
    case WIRE_IMPI_PER_PROCESS:
        judge_number(link, violation, link->nprocs);
        return;
    }
}

void wire_impi_given_end(struct wire_impi_link *link)
{
    struct wire_impi_values *values = &link->values[WIRE_IMPI_FROM_CLIENT];
    const struct wire_impi_label *known = wire_impi_label_of(values->label);
    struct wire_impi_job_client *client = wire_impi_link_client(link);
    struct wire_impi_job_label *label = client ? wire_impi_job_label(link->job, values->label) : NULL;

    if (known) {
        judge_count(link, values, known);
    }
    if (label && !(label->given >> link->rank & 1)) {
        label->given |= UINT32_C(1) << link->rank;
        label->disordered |= (uint32_t)(values->label < client->latest) << link->rank;
        label->octets[link->rank] = values->octets;
        label->digest[link->rank] = values->digest;
    }
    if (client && values->label > client->latest) {
        pass(link, client, values->label);
    }
}
