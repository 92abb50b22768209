/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Labels as octets and back: see negotiate_pack.h.
 */
#include "ref-impl/impi/client/negotiate_pack.h"

#include "wire/octets/cursor.h"

enum { HEAD_OCTETS = 12 };

bool negotiate_pack(const struct negotiation *negotiation, struct queue *queue)
{
    for (size_t i = 0; i < WIRE_IMPI_LABELS; i++) {
        size_t len = queue_len(&negotiation->labels[i].values);
        unsigned char head[HEAD_OCTETS];
        struct wire_writer w = wire_writer_over(head, sizeof head);

        if (!negotiation->labels[i].seen) {
            continue;
        }
        wire_write_u32(&w, (uint32_t)wire_impi_labels[i].code);
        wire_write_u32(&w, negotiation->labels[i].mask);
        wire_write_u32(&w, (uint32_t)len);
        if (!queue_put(queue, head, sizeof head) ||
            (len > 0 && !queue_put(queue, queue_front(&negotiation->labels[i].values), len))) {
            return false;
        }
    }
    return true;
}

bool negotiate_unpack(const void *octets, size_t len, struct negotiation *negotiation)
{
    const unsigned char *at = octets;
    char error[NEGOTIATE_ERROR_OCTETS];

    while (len >= HEAD_OCTETS) {
        struct wire_reader r = wire_reader_over(at, HEAD_OCTETS);
        int32_t label = (int32_t)wire_read_u32(&r);
        uint32_t mask = wire_read_u32(&r);
        size_t values = wire_read_u32(&r);

        at += HEAD_OCTETS;
        len -= HEAD_OCTETS;
        if (values > len || !negotiate_add(negotiation, label, mask, at, values, error)) {
            return false;
        }
        at += values;
        len -= values;
    }
    return len == 0;
}
