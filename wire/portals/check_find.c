/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The findings of the checker (wire/portals/check.h): how a violation becomes one.
 */
#include "wire/portals/check_own.h"

#include <string.h>

struct wire_portals_finding *wire_portals_check_find(struct wire_portals_check *check,
                                                     enum wire_portals_violation violation, uint64_t related)
{
    const struct wire_portals_rule *rule = wire_portals_violation_rule(violation);
    struct wire_portals_finding *finding = &check->findings[check->finding_count];
    bool told;

    *finding = (struct wire_portals_finding){.violation = violation,
                                             .name = rule->name,
                                             .requirement = rule->requirement,
                                             .text = rule->text,
                                             .related = related};
    memcpy(finding->ends, check->ends, sizeof finding->ends);
    finding->stream = check->stream;
    finding->numbered = check->numbered;
    finding->several = wire_portals_check_is_several(check);
    finding->message = check->messages;
    told = !check->partial || !wire_portals_violation_needs_all(violation);
    check->unjudged += !told;
    if (told && check->finding_count + 1 < WIRE_PORTALS_FINDINGS_MAX) {
        check->finding_count++; /* the last place takes what is not told, or comes in surplus */
    }
    return finding;
}

struct wire_portals_finding *wire_portals_check_report(struct wire_portals_check *check,
                                                       enum wire_portals_header_violation violation)
{
    const struct wire_portals_rule *rule = wire_portals_rule_of(violation);
    struct wire_portals_finding *finding = wire_portals_check_find(check, WIRE_PORTALS_NO_VIOLATION, 0);

    finding->header_violation = violation;
    finding->name = rule->name;
    finding->requirement = rule->requirement;
    finding->text = rule->text;
    return finding;
}
