/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Judging stored evidence again (rejudge.h).
 */
#include "tester/judging/rejudge.h"

#include "tester/capture/findings.h"
#include "tester/judging/judge.h"
#include "wire/follow/follow.h"
#include "wire/follow/follow_impi.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { REQUESTS = 4096, MESSAGE_OCTETS = 256 };

/* What only shows that a process has ended, or how the streams were read: the capture does not tell why. */
static bool is_uncertain(const struct wire_examine_violation *violation)
{
    if (violation->is_impi) {
        switch (violation->impi.violation) {
        case WIRE_IMPI_COMMAND_CUT:
        case WIRE_IMPI_CLOSED_INSIDE:
        case WIRE_IMPI_CLOSED_WITHOUT_FINI:
        case WIRE_IMPI_CLOSED_BEFORE_FINI:
            return true;
        default:
            return violation->impi.rule->inferred;
        }
    }
    return !violation->is_intercept && (violation->finding.violation == WIRE_PORTALS_CUT_OFF ||
                                        violation->finding.violation == WIRE_PORTALS_NUMBER_LAST ||
                                        violation->finding.violation == WIRE_PORTALS_SECOND_STREAM);
}

static void take_first(struct rejudge *rejudge, const struct wire_examine_violation *violation, const char *requirement)
{
    char text[REJUDGE_TEXT - 64];

    if (violation->is_impi) {
        wire_follow_impi_finding_text(&violation->impi, "see packet", text, sizeof text);
    } else {
        wire_follow_finding_text(&violation->finding, "see packet", text, sizeof text);
    }
    rejudge->packet = violation->packet;
    snprintf(rejudge->requirement, sizeof rejudge->requirement, "%s", requirement);
    snprintf(rejudge->text, sizeof rejudge->text, "packet %" PRIu64 ", %s: %s", violation->packet, violation->message,
             text);
}

static void take_findings(struct rejudge *rejudge, const struct findings *findings)
{
    for (size_t i = 0; i < findings->violation_count; i++) {
        const struct wire_examine_violation *violation = &findings->violations[i];
        const char *broken = violation->is_impi ? violation->impi.rule->requirement : violation->finding.requirement;

        enum capture_side side = findings_side(findings, violation);

        if (side == CAPTURE_NO_SIDE) {
            rejudge->sided = false;
        }
        if (side != CAPTURE_SYSTEM || is_uncertain(violation)) {
            continue;
        }
        if (rejudge->violations++ == 0) {
            take_first(rejudge, violation, broken);
        }
    }
}

void rejudge_capture(const void *octets, size_t len, struct rejudge *rejudge)
{
    char message[MESSAGE_OCTETS];
    struct capture *capture = capture_open_octets(octets, len, message, sizeof message);
    struct capture_packet packet;
    struct findings findings;
    enum capture_result result;

    *rejudge = (struct rejudge){.readable = capture != NULL, .sided = true};
    if (!capture) {
        return;
    }
    findings_open(&findings, REQUESTS);
    while ((result = capture_next(capture, &packet, message, sizeof message)) == CAPTURE_PACKET) {
        findings_packet(&findings, &packet);
    }
    rejudge->whole = result != CAPTURE_BROKEN;
    findings_finish(&findings);
    take_findings(rejudge, &findings);
    findings_close(&findings);
    capture_close(capture);
}

bool rejudge_by_checker(const char *reason)
{
    return strstr(reason, JUDGE_UNASKED) != NULL;
}
