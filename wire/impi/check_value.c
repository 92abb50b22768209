/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a single value of a label may be (a part of the checker of IMPI start-up), whether a client is heard to give it
 * or the server to spread it. Judges section 2.3.5 of the IMPI 0.0 document with the limits of section 3.9.
 */
#include "wire/impi/check_own.h"

int wire_impi_label_place(int32_t label)
{
    for (int i = 0; i < WIRE_IMPI_LABELS; i++) {
        if (wire_impi_labels[i].code == label) {
            return i;
        }
    }
    return -1;
}

struct wire_impi_job_label *wire_impi_job_label(struct wire_impi_job *job, int32_t label)
{
    for (uint32_t i = 0; i < job->label_count; i++) {
        if (job->labels[i].label == label) {
            return &job->labels[i];
        }
    }
    if (job->label_count == WIRE_IMPI_JOB_LABELS) {
        return NULL;
    }
    job->labels[job->label_count].label = label;
    return &job->labels[job->label_count++];
}

enum wire_impi_violation wire_impi_value_form(const struct wire_impi_label *label)
{
    switch (label->per) {
    case WIRE_IMPI_PER_VERSION:
        return WIRE_IMPI_VERSION_FORM;
    case WIRE_IMPI_PER_HOST:
        return WIRE_IMPI_HOST_COUNT;
    case WIRE_IMPI_PER_PROCESS:
        return WIRE_IMPI_PROCESS_COUNT;
    case WIRE_IMPI_PER_CLIENT:
        break;
    }
    switch (label->code) {
    case WIRE_IMPI_C_DATALEN:
        return WIRE_IMPI_DATALEN_FORM;
    case WIRE_IMPI_C_TAGUB:
        return WIRE_IMPI_TAGUB_FORM;
    case WIRE_IMPI_C_COLL_XSIZE:
    case WIRE_IMPI_C_COLL_MAXLINEAR:
        return WIRE_IMPI_CHOSEN_FORM;
    default:
        return WIRE_IMPI_COUNT_FORM;
    }
}

/* A number that must be at least this. */
static void at_least(struct wire_impi_findings *findings, enum wire_impi_violation violation, int32_t label,
                     int64_t least, int64_t value)
{
    if (value < least) {
        wire_impi_report_field(findings, violation, wire_impi_label_of(label)->name, least, value);
    }
}

void wire_impi_value_judge(struct wire_impi_findings *findings, int32_t label, uint64_t value, int64_t ackmark)
{
    int64_t whole = (int64_t)value;
    int64_t number = (int32_t)(uint32_t)value; /* of a signed one of 4 octets */

    switch (label) {
    case WIRE_IMPI_C_NHOSTS:
    case WIRE_IMPI_C_NPROCS:
        at_least(findings, WIRE_IMPI_COUNT_ZERO, label, 1, whole);
        break;
    case WIRE_IMPI_C_DATALEN:
    case WIRE_IMPI_H_ACKMARK:
        at_least(findings, WIRE_IMPI_LIMIT_RANGE, label, 1, whole);
        break;
    case WIRE_IMPI_C_TAGUB:
        at_least(findings, WIRE_IMPI_LIMIT_RANGE, label, WIRE_IMPI_TAGUB_MIN, number);
        break;
    case WIRE_IMPI_C_COLL_XSIZE:
    case WIRE_IMPI_C_COLL_MAXLINEAR:
        at_least(findings, WIRE_IMPI_CHOSEN_RANGE, label, -1, number);
        break;
    case WIRE_IMPI_H_PORT:
        if (value == 0 || value > UINT16_MAX) {
            wire_impi_report_field(findings, WIRE_IMPI_PORT_RANGE, wire_impi_label_of(label)->name, UINT16_MAX, whole);
        }
        break;
    case WIRE_IMPI_H_NPROCS:
        at_least(findings, WIRE_IMPI_HOST_NPROCS, label, 1, whole);
        break;
    case WIRE_IMPI_H_HIWATER:
        at_least(findings, WIRE_IMPI_LIMIT_RANGE, label, ackmark > 0 ? ackmark : 1, whole);
        break;
    default:
        break;
    }
}
