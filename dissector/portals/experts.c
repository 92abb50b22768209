/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Judges messages by the rules that the implementation and the test manager use, and shows the verdict in the packet.
 */
#include "dissector/portals/experts.h"

#include "dissector/common/mark.h"
#include "dissector/common/rowfield.h"
#include "dissector/portals/fields.h"
#include "dissector/portals/note.h"
#include "dissector/portals/stream.h"

#include <epan/wmem_scopes.h>

struct experts_own experts_own;

static expert_field header_violation_fields[WIRE_PORTALS_HEADER_VIOLATIONS];
static expert_field violation_fields[WIRE_PORTALS_VIOLATIONS];

/* clang-format off */
static ei_register_info own_infos[] = {
    {&experts_own.cut, {"portals.cut", PI_MALFORMED, PI_WARN, "The octets end inside a message", EXPFILL}},
    {&experts_own.lost, {"portals.lost", PI_UNDECODED, PI_NOTE,
     "No message can be found here: the capture began inside one, octets are missing, or a broken message came before",
     EXPFILL}},
    {&experts_own.continued, {"portals.continued", PI_REASSEMBLE, PI_CHAT,
     "The data goes on in later packets and is not put together", EXPFILL}},
    {&experts_own.unasked, {"portals.unasked", PI_SEQUENCE, PI_NOTE,
     "The capture holds no unanswered request that this message answers", EXPFILL}},
    {&experts_own.echo_differs, {"portals.echo_differs", PI_PROTOCOL, PI_WARN,
     "The answer does not repeat portal index, match bits, offset and length of the request with its memory descriptor",
     EXPFILL}},
    {&experts_own.barrier_partner, {"portals.barrier.wrong_partner", PI_PROTOCOL, PI_WARN,
     "In this round of the barrier the message is due to another rank", EXPFILL}},
    {&experts_own.barrier_round, {"portals.barrier.surplus_round", PI_PROTOCOL, PI_WARN,
     "A barrier of a group of this size has no such round", EXPFILL}},
};
/* clang-format on */

static int group_of(enum wire_portals_header_violation violation)
{
    return violation == WIRE_PORTALS_BAD_OPERATION || violation == WIRE_PORTALS_BAD_LENGTH ? PI_MALFORMED : PI_PROTOCOL;
}

static int severity_of(const struct wire_portals_rule *rule)
{
    return rule->action == WIRE_PORTALS_DISCARD || rule->action == WIRE_PORTALS_DELIVER ? PI_WARN : PI_ERROR;
}

static const char *consequence_of(const struct wire_portals_rule *rule)
{
    switch (rule->action) {
    case WIRE_PORTALS_DELIVER:
        return "a receiver processes the message";
    case WIRE_PORTALS_DISCARD:
        return "a receiver discards the message and counts a drop";
    case WIRE_PORTALS_CLOSE:
        return "a receiver counts a drop and closes the stream";
    case WIRE_PORTALS_REFUSE:
        return "a receiver refuses the stream";
    }
    return "";
}

static void header_violation_describe(ei_register_info *info, enum wire_portals_header_violation violation)
{
    const struct wire_portals_rule *rule = wire_portals_rule_of(violation);

    header_violation_fields[violation] = (expert_field)EI_INIT;
    *info = (ei_register_info){
        &header_violation_fields[violation],
        {rowfield_rule("portals", "breach", rule->name), group_of(violation), severity_of(rule),
         wmem_strdup_printf(wmem_epan_scope(), "%s: %s; %s", rule->requirement, rule->text, consequence_of(rule)),
         EXPFILL}};
}

static void violation_describe(ei_register_info *info, enum wire_portals_violation violation)
{
    const struct wire_portals_rule *rule = wire_portals_violation_rule(violation);

    violation_fields[violation] = (expert_field)EI_INIT;
    *info =
        (ei_register_info){&violation_fields[violation],
                           {rowfield_rule("portals", "breach", rule->name), PI_PROTOCOL, severity_of(rule),
                            wmem_strdup_printf(wmem_epan_scope(), "%s: %s", rule->requirement, rule->text), EXPFILL}};
}

static void violations_register(expert_module_t *module)
{
    ei_register_info *infos = wmem_alloc0_array(wmem_epan_scope(), ei_register_info, WIRE_PORTALS_VIOLATIONS);

    for (int violation = WIRE_PORTALS_NO_VIOLATION + 1; violation < WIRE_PORTALS_VIOLATIONS; violation++) {
        violation_describe(&infos[violation], (enum wire_portals_violation)violation);
    }
    expert_register_field_array(module, infos + 1, WIRE_PORTALS_VIOLATIONS - 1);
}

void experts_register(int proto)
{
    expert_module_t *module = expert_register_protocol(proto);
    ei_register_info *infos = wmem_alloc0_array(wmem_epan_scope(), ei_register_info, WIRE_PORTALS_HEADER_VIOLATIONS);

    for (size_t i = 0; i < G_N_ELEMENTS(own_infos); i++) {
        *own_infos[i].ids = (expert_field)EI_INIT;
    }
    expert_register_field_array(module, own_infos, (int)G_N_ELEMENTS(own_infos));
    for (int violation = WIRE_PORTALS_LEGAL + 1; violation < WIRE_PORTALS_HEADER_VIOLATIONS; violation++) {
        header_violation_describe(&infos[violation], (enum wire_portals_header_violation)violation);
    }
    expert_register_field_array(module, infos + 1, WIRE_PORTALS_HEADER_VIOLATIONS - 1);
    violations_register(module);
}

void experts_header_violation(const struct pdu *pdu, enum wire_portals_header_violation violation)
{
    const struct wire_portals_rule *rule = wire_portals_rule_of(violation);
    proto_item *item;

    if (violation == WIRE_PORTALS_LEGAL) {
        return;
    }
    item = proto_tree_add_string(pdu->tree, fields_own.requirement, pdu->tvb, 0, 0, rule->requirement);
    proto_item_set_generated(item);
    mark_broken(pdu->pinfo, rule->requirement);
    expert_add_info(pdu->pinfo, pdu->item, &header_violation_fields[violation]);
}

void experts_violation(const struct pdu *pdu, const struct wire_portals_finding *finding)
{
    wmem_strbuf_t *text = wmem_strbuf_new(pdu->pinfo->pool, NULL);
    proto_item *item = proto_tree_add_string(pdu->tree, fields_own.requirement, pdu->tvb, 0, 0, finding->requirement);

    proto_item_set_generated(item);
    mark_broken(pdu->pinfo, finding->requirement);
    wmem_strbuf_append_printf(text, "%s: %s", finding->requirement, finding->text);
    if (finding->field) {
        wmem_strbuf_append_printf(text, ": %s is 0x%" PRIx64 " instead of 0x%" PRIx64, finding->field,
                                  finding->observed, finding->expected);
    }
    if (finding->related) {
        wmem_strbuf_append_printf(text, " (see packet %" PRIu64 ")", finding->related);
    }
    expert_add_info_format(pdu->pinfo, pdu->item, &violation_fields[finding->violation], "%s",
                           wmem_strbuf_get_str(text));
}

/* Whether a HELLO comes from the side that opened the connection: an acceptor sends from the port at which it listens.
 */
static bool opener_sends(const struct pdu *pdu)
{
    return wire_portals_port_of(pdu->header.initiator.pid) != pdu->pinfo->srcport;
}

/* A HELLO opens its direction. The acceptor's, which is the second of the stream, is also held against the opener's.
 * An opener that was refused gets no answer: then address and port tell whom it reached. */
static enum wire_portals_header_violation judge_hello(const struct pdu *pdu)
{
    const struct stream_way *back = pdu->back;
    bool answers = back->greeted && pdu->pinfo->num > back->hello_frame;
    enum wire_portals_header_violation violation;

    if (pdu->note && pdu->note->hello_again) {
        return WIRE_PORTALS_HELLO_AGAIN;
    }
    violation = wire_portals_validate_hello(&pdu->header, back->greeted ? &back->hello.initiator : NULL,
                                            answers ? &back->hello : NULL);
    if (violation == WIRE_PORTALS_LEGAL && !back->greeted && opener_sends(pdu) &&
        !stream_end_is(&pdu->header.target, pdu->pinfo)) {
        return WIRE_PORTALS_WRONG_PEER;
    }
    return violation;
}

enum wire_portals_header_violation experts_judge(const struct pdu *pdu)
{
    const struct wire_portals_id *sender = pdu->way->greeted ? &pdu->way->hello.initiator : NULL;
    const struct wire_portals_id *self = pdu->back->greeted ? &pdu->back->hello.initiator : NULL;

    if (pdu->header.operation == WIRE_PORTALS_HELLO) {
        return judge_hello(pdu);
    }
    if (pdu->note && pdu->note->opening) {
        return WIRE_PORTALS_BAD_MAGIC;
    }
    return wire_portals_validate(&pdu->header, sender, self);
}
