/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The labels of COLL as a table (section 2.3.5 of the IMPI 0.0 document). The reference reads and writes start-up
 * values by it, printers and checkers explain them by it.
 */
#include "wire/impi/labels.h"

#include <string.h>

static const struct wire_value default_values[] = {{UINT32_MAX, "default"}, {0, NULL}};

#define LABEL(code_, name_, label_, per_, width_, base_, values_, help_)                                               \
    {                                                                                                                  \
        .code = code_, .name = name_, .label = label_, .clause = "2.3.5", .per = per_,                                 \
        .element = {.name = "value",                                                                                   \
                    .label = label_,                                                                                   \
                    .clause = "2.3.5",                                                                                 \
                    .offset = 0,                                                                                       \
                    .width = width_,                                                                                   \
                    .base = base_,                                                                                     \
                    .values = values_,                                                                                 \
                    .help = help_},                                                                                    \
    }

//= IMPI-006
//= IMPI-053
//= IMPI-058
//= IMPI-068
//= IMPI-071
const struct wire_impi_label wire_impi_labels[WIRE_IMPI_LABELS] = {
    LABEL(WIRE_IMPI_C_VERSION, "IMPI_C_VERSION", "Versions", WIRE_IMPI_PER_VERSION, 8, WIRE_VERSION, NULL,
          "A version of the protocol that the client supports; ascending."),
    LABEL(WIRE_IMPI_C_NHOSTS, "IMPI_C_NHOSTS", "Number of hosts", WIRE_IMPI_PER_CLIENT, 4, WIRE_DEC, NULL,
          "Hosts of the client, at least 1."),
    LABEL(WIRE_IMPI_C_NPROCS, "IMPI_C_NPROCS", "Number of processes", WIRE_IMPI_PER_CLIENT, 4, WIRE_DEC, NULL,
          "Processes on all hosts of the client, at least 1."),
    LABEL(WIRE_IMPI_C_DATALEN, "IMPI_C_DATALEN", "Data in a packet", WIRE_IMPI_PER_CLIENT, 4, WIRE_DEC, NULL,
          "Octets of user data in a packet; the smallest of all clients is in force."),
    LABEL(WIRE_IMPI_C_TAGUB, "IMPI_C_TAGUB", "Largest tag", WIRE_IMPI_PER_CLIENT, 4, WIRE_INT, NULL,
          "The largest tag; the smallest of all clients is in force."),
    LABEL(WIRE_IMPI_C_COLL_XSIZE, "IMPI_C_COLL_XSIZE", "Collective crossover size", WIRE_IMPI_PER_CLIENT, 4, WIRE_INT,
          default_values, "Octets from which collectives take the long protocol; -1 is the default, 1024."),
    LABEL(WIRE_IMPI_C_COLL_MAXLINEAR, "IMPI_C_COLL_MAXLINEAR", "Collective linear limit", WIRE_IMPI_PER_CLIENT, 4,
          WIRE_INT, default_values, "Number from which collectives are logarithmic; -1 is the default, 4."),
    LABEL(WIRE_IMPI_H_IPV6, "IMPI_H_IPV6", "Host addresses", WIRE_IMPI_PER_HOST, 16, WIRE_HOST, NULL,
          "Address at which the host listens."),
    LABEL(WIRE_IMPI_H_PORT, "IMPI_H_PORT", "Host ports", WIRE_IMPI_PER_HOST, 4, WIRE_DEC, NULL,
          "TCP port at which the host listens."),
    LABEL(WIRE_IMPI_H_NPROCS, "IMPI_H_NPROCS", "Processes of hosts", WIRE_IMPI_PER_HOST, 4, WIRE_DEC, NULL,
          "Processes on the host."),
    LABEL(WIRE_IMPI_H_ACKMARK, "IMPI_H_ACKMARK", "Acknowledgement marks", WIRE_IMPI_PER_HOST, 4, WIRE_DEC, NULL,
          "Packets after which a protocol acknowledgement is sent."),
    LABEL(WIRE_IMPI_H_HIWATER, "IMPI_H_HIWATER", "High-water marks", WIRE_IMPI_PER_HOST, 4, WIRE_DEC, NULL,
          "Packets that may be under way without an acknowledgement."),
    LABEL(WIRE_IMPI_P_IPV6, "IMPI_P_IPV6", "Process addresses", WIRE_IMPI_PER_PROCESS, 16, WIRE_HOST, NULL,
          "Host identifier of the process."),
    LABEL(WIRE_IMPI_P_PID, "IMPI_P_PID", "Process identifiers", WIRE_IMPI_PER_PROCESS, 8, WIRE_INT, NULL,
          "Identifier of the process, unique under its host identifier."),
};

const struct wire_impi_label *wire_impi_label_of(int32_t code)
{
    for (size_t i = 0; i < WIRE_IMPI_LABELS; i++) {
        if (wire_impi_labels[i].code == code) {
            return &wire_impi_labels[i];
        }
    }
    return NULL;
}

const struct wire_impi_label *wire_impi_label_named(const char *name)
{
    for (size_t i = 0; i < WIRE_IMPI_LABELS; i++) {
        if (strcmp(wire_impi_labels[i].name, name) == 0) {
            return &wire_impi_labels[i];
        }
    }
    return NULL;
}
