/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Values of COLL (IMPI 0.0, 2.3.5); see dissector/impi/values.h. A label tells how wide an element is and how many of
 * them a client gives. Versions come without a count: a pair of numbers that is not above the one before it begins the
 * next client.
 */
#include "dissector/impi/values.h"

#include "dissector/impi/experts.h"
#include "dissector/impi/fields.h"
#include "dissector/impi/stream.h"

#include "wire/octets/print.h"

#include <string.h>

enum {
    ELEMENT_TEXT_MAX = 64,  /* characters of one value */
    SUMMARY_VALUES = 12,    /* values in the information column */
    TREE_VALUES_MAX = 4096, /* values of one client in the tree */
};

/* The values of one client. */
struct run {
    int32_t client; /* -1: not known */
    uint32_t count;
};

/* A COLL's values taken apart. Clients that gave nothing have no run. */
struct runs {
    const struct wire_impi_label *label; /* NULL: opaque */
    uint32_t elements;
    struct run at[WIRE_IMPI_CLIENTS_MAX];
    unsigned count; /* 0: they cannot be told apart */
};

static const unsigned char *payload_of(const struct impi_pdu *pdu, size_t *len)
{
    gint here = tvb_captured_length_remaining(pdu->tvb, (gint)pdu->header_octets);

    *len = here > 0 ? (size_t)here : 0;
    return *len ? tvb_get_ptr(pdu->tvb, (gint)pdu->header_octets, here) : NULL;
}

static uint64_t version_at(const unsigned char *octets, uint32_t index, const struct wire_row *element)
{
    uint64_t version = 0;

    return wire_row_get(element, octets + (size_t)index * element->width, element->width, &version) == WIRE_OK ? version
                                                                                                               : 0;
}

/* The end of the run of ascending versions that begins at `from`. */
static uint32_t versions_end(const struct runs *runs, const unsigned char *octets, uint32_t from)
{
    uint32_t at = from + 1;

    while (at < runs->elements &&
           version_at(octets, at, &runs->label->element) > version_at(octets, at - 1, &runs->label->element)) {
        at++;
    }
    return at;
}

/* How many elements this client gives, or 0 when that is not known. */
static uint32_t count_of(const struct impi_stream *stream, enum wire_impi_per per, unsigned client)
{
    const struct impi_counts *counts = per == WIRE_IMPI_PER_HOST ? &stream->hosts : &stream->processes;

    if (per == WIRE_IMPI_PER_CLIENT) {
        return 1;
    }
    return counts->mask >> client & 1 ? counts->of[client] : 0;
}

/* Gives each client of the mask its part. All elements must be used up, and no client be without. */
static void split(struct runs *runs, const struct impi_pdu *pdu, const unsigned char *octets)
{
    uint32_t used = 0;

    for (unsigned client = 0; client < WIRE_IMPI_CLIENTS_MAX; client++) {
        uint32_t count;

        if (!(pdu->command.client_mask >> client & 1)) {
            continue;
        }
        if (used >= runs->elements) {
            runs->count = 0;
            return;
        }
        count = runs->label->per == WIRE_IMPI_PER_VERSION ? versions_end(runs, octets, used) - used
                                                          : count_of(pdu->stream, runs->label->per, client);
        if (count == 0 || count > runs->elements - used) {
            runs->count = 0;
            return;
        }
        runs->at[runs->count++] = (struct run){(int32_t)client, count};
        used += count;
    }
    runs->count = used == runs->elements ? runs->count : 0;
}

static struct runs runs_of(const struct impi_pdu *pdu)
{
    struct runs runs = {.label = wire_impi_label_of(pdu->command.label)};
    size_t len;
    const unsigned char *octets = payload_of(pdu, &len);

    if (!runs.label || !octets) {
        return runs;
    }
    runs.elements = (uint32_t)(len / runs.label->element.width);
    if (runs.elements == 0 || len % runs.label->element.width || len < pdu->payload_octets) {
        return runs;
    }
    if (impi_stream_direction(pdu->stream, pdu->way) == WIRE_IMPI_FROM_CLIENT) {
        runs.at[runs.count++] = (struct run){pdu->stream->client, runs.elements};
    } else {
        split(&runs, pdu, octets);
    }
    return runs;
}

void impi_values_learn(const struct impi_pdu *pdu)
{
    struct impi_counts *counts =
        pdu->command.label == WIRE_IMPI_C_NHOSTS ? &pdu->stream->hosts : &pdu->stream->processes;
    struct runs runs = runs_of(pdu);

    if (pdu->command.label != WIRE_IMPI_C_NHOSTS && pdu->command.label != WIRE_IMPI_C_NPROCS) {
        return;
    }
    for (unsigned i = 0; i < runs.count; i++) {
        counts->mask |= UINT32_C(1) << runs.at[i].client;
        counts->of[runs.at[i].client] = tvb_get_ntohl(pdu->tvb, (gint)pdu->header_octets + 4 * (gint)i);
    }
}

static const char *element_text(const struct impi_pdu *pdu, const struct wire_row *element, gint offset)
{
    char buffer[ELEMENT_TEXT_MAX];
    struct wire_text text = wire_text_over(buffer, sizeof buffer);

    wire_print_row(&text, element, tvb_get_ptr(pdu->tvb, offset, element->width), element->width);
    return wmem_strdup(pdu->pinfo->pool, text.failed ? "?" : buffer);
}

static void show_element(const struct impi_pdu *pdu, proto_tree *tree, const struct wire_impi_label *label, gint offset)
{
    int hf = impi_fields_of_label(label);

    if (label->element.base == WIRE_VERSION) {
        proto_tree_add_string(tree, hf, pdu->tvb, offset, label->element.width,
                              element_text(pdu, &label->element, offset));
        return;
    }
    proto_tree_add_item(tree, hf, pdu->tvb, offset, label->element.width, ENC_BIG_ENDIAN);
}

/* One client's values, below a head of their own where the server joins those of several. */
static gint show_run(const struct impi_pdu *pdu, const struct runs *runs, unsigned number, gint offset)
{
    const struct run *run = &runs->at[number];
    uint32_t shown = MIN(run->count, (uint32_t)TREE_VALUES_MAX);
    gint width = runs->label->element.width;
    proto_tree *tree = pdu->tree;

    if (impi_stream_direction(pdu->stream, pdu->way) == WIRE_IMPI_FROM_SERVER) {
        proto_item *item = proto_tree_add_int(pdu->tree, impi_fields_own.client, pdu->tvb, offset,
                                              (gint)run->count * width, run->client);

        tree = proto_item_add_subtree(item, impi_fields_trees.client);
        proto_item_append_text(item, ": %s%s", element_text(pdu, &runs->label->element, offset),
                               run->count > 1 ? ", .." : "");
    }
    for (uint32_t i = 0; i < shown; i++) {
        show_element(pdu, tree, runs->label, offset + (gint)i * width);
    }
    return offset + (gint)run->count * width;
}

void impi_values_show(const struct impi_pdu *pdu)
{
    struct runs runs = runs_of(pdu);
    gint offset = (gint)pdu->header_octets;
    gint here = tvb_reported_length_remaining(pdu->tvb, offset);

    if (here <= 0) {
        return;
    }
    if (runs.count == 0) {
        proto_item *item = proto_tree_add_item(pdu->tree, impi_fields_own.values, pdu->tvb, offset, here, ENC_NA);

        expert_add_info(pdu->pinfo, item, runs.label ? &impi_experts_own.shape : &impi_experts_own.unknown);
        return;
    }
    for (unsigned i = 0; i < runs.count; i++) {
        offset = show_run(pdu, &runs, i, offset);
    }
}

const char *impi_values_summary(const struct impi_pdu *pdu)
{
    wmem_strbuf_t *text = wmem_strbuf_new(pdu->pinfo->pool, NULL);
    struct runs runs = runs_of(pdu);
    gint offset = (gint)pdu->header_octets;
    unsigned told = 0;

    for (unsigned r = 0; r < runs.count; r++) {
        for (uint32_t i = 0; i < runs.at[r].count && told < SUMMARY_VALUES; i++, told++) {
            wmem_strbuf_append(text, i ? ", " : r ? "; " : "");
            wmem_strbuf_append(text,
                               element_text(pdu, &runs.label->element, offset + (gint)i * runs.label->element.width));
        }
        offset += (gint)runs.at[r].count * runs.label->element.width;
    }
    if (told < runs.elements && runs.count) {
        wmem_strbuf_append(text, ", ..");
    }
    if (runs.count == 0) {
        wmem_strbuf_append_printf(text, "%" PRIu64 " octets", pdu->payload_octets);
    }
    return wmem_strbuf_get_str(text);
}
