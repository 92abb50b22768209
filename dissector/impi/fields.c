/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Makes IMPI's header fields from rows and registers those that no row describes; see dissector/impi/fields.h.
 */
#include "dissector/impi/fields.h"

#include "dissector/common/rowfield.h"

#include "wire/impi/packet.h"
#include "wire/impi/startup.h"

#include <epan/proto.h>
#include <epan/wmem_scopes.h>

#include <string.h>

struct impi_fields_own impi_fields_own;
struct impi_fields_fragments impi_fields_fragments;
struct impi_fields_trees impi_fields_trees;

enum { ROWS_MAX = 96 }; /* of all messages together; there are 50 */

/* The field of a row. Rows that are alike share one: the number is that of the first. */
struct place {
    const struct wire_row *row;
    int id;
    const int *shared; /* the number to use */
};

/* Rows are asked for in their order, so that the next one mostly stands behind the last. */
struct places {
    struct place at[ROWS_MAX];
    size_t count, last;
};

static struct places used, unused;
static int label_ids[WIRE_IMPI_LABELS];

static const struct place *place_of(struct places *places, const struct wire_row *row)
{
    for (size_t i = 0; i < places->count; i++) {
        places->last = places->last + 1 < places->count ? places->last + 1 : 0;
        if (places->at[places->last].row == row) {
            return &places->at[places->last];
        }
    }
    return NULL;
}

int impi_fields_of_row(const struct wire_row *row)
{
    const struct place *place = place_of(&used, row);

    return place ? *place->shared : -1;
}

int impi_fields_unused(const struct wire_row *row)
{
    const struct place *place = place_of(&unused, row);

    return place ? *place->shared : -1;
}

int impi_fields_of_label(const struct wire_impi_label *label)
{
    return label >= wire_impi_labels && label < wire_impi_labels + WIRE_IMPI_LABELS
               ? label_ids[label - wire_impi_labels]
               : -1;
}

/* Registers a field of its own for the row, or lets it share that of a row like it. */
static void row_register(int proto, struct places *places, const struct wire_row *row, const char *prefix)
{
    struct place *place = &places->at[places->count];
    hf_register_info *info;

    if (places->count == ROWS_MAX || place_of(places, row)) {
        return;
    }
    *place = (struct place){row, -1, &place->id};
    for (size_t i = 0; i < places->count; i++) {
        if (rowfield_alike(places->at[i].row, row)) {
            place->shared = places->at[i].shared;
        }
    }
    places->count++;
    if (place->shared != &place->id) {
        return;
    }
    info = wmem_new0(wmem_epan_scope(), hf_register_info);
    info->p_id = &place->id;
    info->hfinfo = rowfield_of(row, wmem_strdup_printf(wmem_epan_scope(), "impi.%s%s", prefix, row->name));
    proto_register_field_array(proto, info, 1);
}

static void messages_register(int proto)
{
    for (size_t m = 0; m < WIRE_IMPI_STARTUP_FORMS; m++) {
        for (size_t r = 0; r < wire_impi_startup_messages[m].row_count; r++) {
            row_register(proto, &used, &wire_impi_startup_messages[m].rows[r], "");
        }
    }
    /* the types of packet have the same rows, and each row is unused by some of them */
    for (size_t r = 0; r < wire_impi_packet_messages[0].row_count; r++) {
        row_register(proto, &used, &wire_impi_packet_messages[0].rows[r], "");
        row_register(proto, &unused, &wire_impi_packet_messages[0].rows[r], "unused.");
    }
}

static void labels_register(int proto)
{
    hf_register_info *infos = wmem_alloc0_array(wmem_epan_scope(), hf_register_info, WIRE_IMPI_LABELS);

    for (size_t i = 0; i < WIRE_IMPI_LABELS; i++) {
        const struct wire_impi_label *label = &wire_impi_labels[i];
        char *name = wmem_strdup_printf(wmem_epan_scope(), "impi.%s", label->name + strlen("IMPI_"));

        for (char *c = name; *c; c++) {
            *c = g_ascii_tolower(*c);
        }
        label_ids[i] = -1;
        infos[i].p_id = &label_ids[i];
        infos[i].hfinfo = rowfield_of(&label->element, name);
    }
    proto_register_field_array(proto, infos, WIRE_IMPI_LABELS);
}

#define MASKED(member, label, name, method, help)                                                                      \
    {                                                                                                                  \
        &impi_fields_own.member,                                                                                       \
        {                                                                                                              \
            label, "impi." name, FT_BOOLEAN, 32, NULL, UINT64_C(1) << (method), help, HFILL                            \
        }                                                                                                              \
    }
#define OWN(member, label, name, type, base, kind, help)                                                               \
    {                                                                                                                  \
        &impi_fields_own.member,                                                                                       \
        {                                                                                                              \
            label, "impi." name, type, base, kind, 0, help, HFILL                                                      \
        }                                                                                                              \
    }

/* clang-format off */
static hf_register_info own_fields[] = {
    OWN(message, "Message", "message", FT_STRING, BASE_NONE, NULL,
        "AUTH, CHOICE, KEY, IMPI, COLL, DONE, FINI or OTHER; of a packet its type."),
    OWN(opaque, "Payload", "payload", FT_BYTES, BASE_NONE, NULL, "Octets that mean nothing to version 0.0."),
    OWN(values, "Values", "values", FT_BYTES, BASE_NONE, NULL, "Values of which version 0.0 does not know the form."),
    MASKED(offers_none, "IMPI_AUTH_NONE", "auth_mask.none", WIRE_IMPI_AUTH_NONE, "No authentication is offered."),
    MASKED(offers_key, "IMPI_AUTH_KEY", "auth_mask.key", WIRE_IMPI_AUTH_KEY, "Authentication by key is offered."),
    MASKED(offers_tls, "ASSAY_AUTH_TLS", "auth_mask.tls", WIRE_IMPI_AUTH_TLS,
           "A secure channel is offered: an extension of Assay, no method of IMPI."),
    OWN(client, "Client", "client", FT_INT32, BASE_DEC, NULL, "The rank of the client whose values these are."),
    OWN(host_rank, "Host rank", "host_rank", FT_INT32, BASE_DEC, NULL,
        "The rank in the job of the host that has connected; it opens the channel."),
    OWN(src, "Source", "src", FT_STRING, BASE_NONE, NULL, "The sending process, with its rank in MPI_COMM_WORLD."),
    OWN(dest, "Destination", "dest", FT_STRING, BASE_NONE, NULL,
        "The receiving process, with its rank in MPI_COMM_WORLD."),
    OWN(src_rank, "World rank", "src.rank", FT_UINT32, BASE_DEC, NULL, "Its rank in MPI_COMM_WORLD."),
    OWN(dest_rank, "World rank", "dest.rank", FT_UINT32, BASE_DEC, NULL, "Its rank in MPI_COMM_WORLD."),
    OWN(collective, "Collective operation", "collective", FT_STRING, BASE_NONE, NULL,
        "By the tag on a context for collective operations: BARRIER, BCAST, GATHER.."),
    OWN(operation_number, "Number", "collective.number", FT_UINT64, BASE_DEC, NULL,
        "Which operation of its kind on MPI_COMM_WORLD, as they can be told apart, from 1."),
    OWN(operation_phase, "Phase", "collective.phase", FT_STRING, BASE_NONE, NULL,
        "Of a Barrier: enters, is answered. Otherwise from the root: down; to it: up; from rank to rank: on."),
    OWN(operation_root, "Root", "collective.root", FT_UINT32, BASE_DEC, NULL,
        "Its rank in MPI_COMM_WORLD, where the messages so far leave one only."),
    OWN(data, "User data", "data", FT_BYTES, BASE_NONE, NULL, "What the MPI program sends."),
    OWN(continuation, "Continuation data", "continuation", FT_BYTES, BASE_NONE, NULL,
        "Octets of a message that began in an earlier packet and is not put together."),
    OWN(continuation_of, "Message begins in", "continuation_of", FT_FRAMENUM, BASE_NONE, NULL,
        "The packet with the header of the message that goes on here."),
    OWN(undecoded, "Undecoded data", "undecoded", FT_BYTES, BASE_NONE, NULL,
        "Octets in which no message can be found."),
    OWN(request_in, "Request in", "request_in", FT_FRAMENUM, BASE_NONE, FRAMENUM_TYPE(FT_FRAMENUM_REQUEST),
        "The packet with what is answered here."),
    OWN(response_in, "Response in", "response_in", FT_FRAMENUM, BASE_NONE, FRAMENUM_TYPE(FT_FRAMENUM_RESPONSE),
        "The packet with the answer to this one."),
    OWN(time, "Response time", "time", FT_RELATIVE_TIME, BASE_NONE, NULL, "Time between the two."),
    OWN(first_in, "First packet in", "first_in", FT_FRAMENUM, BASE_NONE, NULL,
        "Where the long message begins that goes on here."),
    OWN(next_in, "Next packet in", "next_in", FT_FRAMENUM, BASE_NONE, NULL, "Where the long message goes on."),
    OWN(cancels, "Message in", "cancels", FT_FRAMENUM, BASE_NONE, NULL, "The message that is to be cancelled."),
    OWN(cancelled_in, "Cancel request in", "cancelled_in", FT_FRAMENUM, BASE_NONE, NULL,
        "The request to cancel this message."),
    OWN(flow_sent, "Packets sent", "flow.sent", FT_UINT64, BASE_DEC, NULL,
        "Packets that count for flow control from source to destination, with this one."),
    OWN(flow_unacked, "Unacknowledged packets", "flow.unacked", FT_INT64, BASE_DEC, NULL,
        "Packets under way without an acknowledgement after this one; of an acknowledgement: in the other direction."),
    OWN(flow_acks, "Acknowledgements", "flow.acks", FT_UINT64, BASE_DEC, NULL,
        "Protocol acknowledgements from source to destination, with this one."),
    OWN(requirement, "Broken requirement", "requirement", FT_STRING, BASE_NONE, NULL,
        "Id of the requirement of the specification that is broken."),
    OWN(noted, "Noted requirement", "noted", FT_STRING, BASE_NONE, NULL,
        "Id of the requirement about which there is a note: a reading of what can be read in two ways, or a guess."),
};

#define FRAGMENT(member, label, name, type, help)                                                                      \
    {                                                                                                                  \
        &impi_fields_fragments.member,                                                                                 \
        {                                                                                                              \
            label, "impi." name, type, BASE_NONE, NULL, 0, help, HFILL                                                 \
        }                                                                                                              \
    }
static hf_register_info fragment_fields[] = {
    FRAGMENT(fragments, "Packets of the message", "fragments", FT_NONE, "All packets of a long message."),
    FRAGMENT(fragment, "Packet of the message", "fragment", FT_FRAMENUM, "One packet of a long message."),
    FRAGMENT(overlap, "Overlap", "fragment.overlap", FT_BOOLEAN, "Data that another packet holds, too."),
    FRAGMENT(overlap_conflict, "Conflicting overlap", "fragment.overlap.conflicts", FT_BOOLEAN,
             "Data that another packet holds differently."),
    FRAGMENT(multiple_tails, "Several ends", "fragment.multiple_tails", FT_BOOLEAN, "The message ends twice."),
    FRAGMENT(too_long, "Too long", "fragment.too_long_fragment", FT_BOOLEAN, "Data beyond the message's end."),
    FRAGMENT(error, "Reassembly error", "fragment.error", FT_FRAMENUM, "The message cannot be put together."),
    {&impi_fields_fragments.count, {"Number of packets", "impi.fragment.count", FT_UINT32, BASE_DEC, NULL, 0,
     "Packets of the message.", HFILL}},
    FRAGMENT(reassembled_in, "Message whole in", "reassembled.in", FT_FRAMENUM, "Where the message is complete."),
    {&impi_fields_fragments.reassembled_length, {"Message length", "impi.reassembled.length", FT_UINT32, BASE_DEC,
     NULL, 0, "Octets of the whole message.", HFILL}},
};
/* clang-format on */

static int *const trees[] = {
    &impi_fields_trees.message, &impi_fields_trees.mask, &impi_fields_trees.client,    &impi_fields_trees.process,
    &impi_fields_trees.unused,  &impi_fields_trees.flow, &impi_fields_trees.fragments, &impi_fields_trees.fragment,
};

void impi_fields_register(int proto)
{
    for (size_t i = 0; i < G_N_ELEMENTS(own_fields); i++) {
        *own_fields[i].p_id = -1;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(fragment_fields); i++) {
        *fragment_fields[i].p_id = -1;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(trees); i++) {
        *trees[i] = -1;
    }
    messages_register(proto);
    labels_register(proto);
    proto_register_field_array(proto, own_fields, (int)G_N_ELEMENTS(own_fields));
    proto_register_field_array(proto, fragment_fields, (int)G_N_ELEMENTS(fragment_fields));
    proto_register_subtree_array(trees, (int)G_N_ELEMENTS(trees));
}
