/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Shows in the packet what the checkers that the test manager uses find; see dissector/impi/experts.h.
 */
#include "dissector/impi/experts.h"

#include "dissector/common/mark.h"
#include "dissector/common/rowfield.h"
#include "dissector/impi/fields.h"
#include "dissector/impi/note.h"

#include "wire/impi/check_job.h"

#include <epan/wmem_scopes.h>

#include <inttypes.h>
#include <string.h>

struct impi_experts_own impi_experts_own;

static expert_field rule_fields[WIRE_IMPI_VIOLATIONS];

/* clang-format off */
static ei_register_info own_infos[] = {
    {&impi_experts_own.cut, {"impi.cut", PI_MALFORMED, PI_WARN, "The octets end inside a message", EXPFILL}},
    {&impi_experts_own.broken, {"impi.broken", PI_MALFORMED, PI_WARN,
     "No packet has such a type, or no command such a length: what follows cannot be told", EXPFILL}},
    {&impi_experts_own.lost, {"impi.lost", PI_UNDECODED, PI_NOTE,
     "No message can be found here: the capture began inside one, octets are missing, or a broken message came before",
     EXPFILL}},
    {&impi_experts_own.continued, {"impi.continued", PI_REASSEMBLE, PI_CHAT,
     "The data goes on in later packets and is not put together", EXPFILL}},
    {&impi_experts_own.unknown, {"impi.unknown", PI_UNDECODED, PI_NOTE,
     "Version 0.0 has no such command or label: whoever does not know it skips it", EXPFILL}},
    {&impi_experts_own.shape, {"impi.shape", PI_UNDECODED, PI_NOTE,
     "The values cannot be told apart: their octets do not fit the label, the clients or their counts", EXPFILL}},
};
/* clang-format on */

/* A note is no violation; see wire/impi/check.h. */
static bool is_note(const struct wire_impi_rule *rule)
{
    return rule->severity == WIRE_IMPI_NOTE;
}

static int severity_of(const struct wire_impi_rule *rule)
{
    if (is_note(rule)) {
        return PI_NOTE;
    }
    return rule->inferred ? PI_WARN : PI_ERROR;
}

static void rule_describe(ei_register_info *info, enum wire_impi_violation violation)
{
    const struct wire_impi_rule *rule = wire_impi_rule_of(violation);
    const char *name = rowfield_rule("impi", is_note(rule) ? "note" : "breach", rule->name);
    const char *text = wmem_strdup_printf(wmem_epan_scope(), "%s: %s", rule->requirement, rule->text);

    rule_fields[violation] = (expert_field)EI_INIT;
    *info = (ei_register_info){&rule_fields[violation], {name, PI_PROTOCOL, severity_of(rule), text, EXPFILL}};
}

void impi_experts_register(int proto)
{
    expert_module_t *module = expert_register_protocol(proto);
    ei_register_info *infos = wmem_alloc0_array(wmem_epan_scope(), ei_register_info, WIRE_IMPI_VIOLATIONS);

    for (size_t i = 0; i < G_N_ELEMENTS(own_infos); i++) {
        *own_infos[i].ids = (expert_field)EI_INIT;
    }
    expert_register_field_array(module, own_infos, (int)G_N_ELEMENTS(own_infos));
    for (int violation = WIRE_IMPI_NO_VIOLATION + 1; violation < WIRE_IMPI_VIOLATIONS; violation++) {
        rule_describe(&infos[violation], (enum wire_impi_violation)violation);
    }
    expert_register_field_array(module, infos + 1, WIRE_IMPI_VIOLATIONS - 1);
}

static bool is_wanted = true;

bool impi_experts_wanted(void)
{
    return is_wanted;
}

void impi_experts_want(bool wanted)
{
    is_wanted = wanted;
}

static void note_found(struct impi_pdu *pdu, const struct follower_found *found)
{
    const struct follower_found *kept = follower_keep(found);

    if (kept) {
        impi_note_extend(pdu->note)->found = kept;
    }
}

void impi_experts_claim(struct impi_pdu *pdu)
{
    size_t len = tvb_captured_length(pdu->tvb);

    struct follower_found found = follower_claim(tvb_get_ptr(pdu->tvb, 0, (gint)len), len);

    note_found(pdu, &found);
}

void impi_experts_claim_broken(struct impi_pdu *pdu)
{
    struct follower_found found = follower_claim_broken();

    note_found(pdu, &found);
}

static void show_requirement(const struct impi_pdu *pdu, const struct wire_impi_rule *rule)
{
    int hf = is_note(rule) ? impi_fields_own.noted : impi_fields_own.requirement;
    proto_item *item = proto_tree_add_string(pdu->tree, hf, pdu->tvb, 0, 0, rule->requirement);

    proto_item_set_generated(item);
    if (!is_note(rule)) {
        mark_broken(pdu->pinfo, rule->requirement);
    }
}

static void show_finding(const struct impi_pdu *pdu, const struct wire_examine_violation *violation)
{
    const struct wire_impi_finding *finding = &violation->impi;
    uint64_t times = finding->tally ? finding->tally->times : violation->times;
    wmem_strbuf_t *text = wmem_strbuf_new(pdu->pinfo->pool, NULL);

    show_requirement(pdu, finding->rule);
    wmem_strbuf_append_printf(text, "%s: %s", finding->rule->requirement, finding->rule->text);
    if (finding->compared) {
        wmem_strbuf_append_printf(text, ": %s is %" PRId64 " instead of %" PRId64, finding->field, finding->observed,
                                  finding->expected);
    } else if (finding->field) {
        wmem_strbuf_append_printf(text, ": %s", finding->field);
    }
    if (finding->related) {
        wmem_strbuf_append_printf(text, " (see packet %" PRIu64 ")", finding->related);
    }
    if (finding->rule->reading) {
        wmem_strbuf_append_printf(text, ": reading %s", finding->rule->reading);
    }
    if (times > 1) {
        wmem_strbuf_append_printf(text, " (the first of %" PRIu64 ")", times);
    }
    expert_add_info_format(pdu->pinfo, pdu->item, &rule_fields[finding->violation], "%s", wmem_strbuf_get_str(text));
}

static const struct follower_found *found_of(const struct impi_pdu *pdu)
{
    static const struct follower_found nothing;
    const struct follower_found *found = impi_note_more(pdu->note)->found;

    return found ? found : &nothing;
}

bool impi_experts_found(const struct impi_pdu *pdu)
{
    const struct follower_found *found = found_of(pdu);

    for (unsigned i = 0; i < found->count; i++) {
        if (follower_tells(found->at[i], pdu->pinfo)) {
            return true;
        }
    }
    return false;
}

void impi_experts_show(const struct impi_pdu *pdu)
{
    const struct follower_found *found = found_of(pdu);

    for (unsigned i = 0; i < found->count; i++) {
        if (follower_tells(found->at[i], pdu->pinfo)) {
            show_finding(pdu, found->at[i]);
        }
    }
}
