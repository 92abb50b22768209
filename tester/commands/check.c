/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * `assay check`: has the checker judge a capture, and prints each violation and each note with its packet and its
 * requirement.
 */
#include "tester/capture/findings.h"
#include "tester/capture/merge.h"
#include "tester/capture/read.h"
#include "tester/commands/check_job.h"
#include "tester/commands/check_senders.h"
#include "tester/commands/check_sides.h"
#include "tester/commands/check_waits.h"
#include "tester/commands/commands.h"
#include "tester/commands/option.h"
#include "wire/follow/follow.h"
#include "wire/follow/follow_impi.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { GOOD, FOUND_WANTING, BROKEN };
enum { MESSAGE_OCTETS = 1024 };

/* The files that are judged together. */
struct captures {
    char *const *paths;
    size_t count;
};

static const char help[] =
    "usage: assay check [--json] [--job] [--sut PLACE] [--match-bits LAYOUT] CAPTURE...\n"
    "\n"
    "Reads a capture (pcap or pcapng, packed by gzip or not; - is the standard input), follows the Portals\n"
    "conversations, the IMPI jobs and the links of the Intercept network in it and prints each message that breaks a\n"
    "rule of the Portals document, of its TCP binding, of the IMPI document or of the Intercept network: the packet's\n"
    "number, the requirement, what is wrong. Notes of IMPI stand apart: what takes another reading where the document\n"
    "can be read in two ways, what breaks a requirement that is only reconstructed, what looks wrong but cannot be\n"
    "proven; each is told once, with how often it was seen. Portals streams are found by their HELLO, connections to\n"
    "an IMPI server by their AUTH, channels of IMPI hosts by the ports that the hosts have announced; other\n"
    "traffic is passed over.\n"
    "\n"
    "Several captures, such as those of the nodes of a job, are judged as one: by time, with the packets numbered as\n"
    "mergecap numbers them.\n"
    "\n"
    "Where several senders break rules, a line before the last one counts them for each.\n"
    "\n"
    "  --json  one JSON object instead of lines\n"
    "  --job   draws the IMPI jobs, too: clients, hosts, processes and masters, the parameters that they agreed on, "
    "and\n"
    "          each collective operation with who sent to whom, by world ranks, and in which packet\n"
    "\n"
    "What came later than a second, or not until the end, is a note with its time, unless the capture may lack it.\n"
    "Who has broken a rule, the system under test or a peer, is told where the capture says who is who, which "
    "evidence\n"
    "of cases does, or where --sut says so; the last line then counts for both.\n"
    "\n"
    "  --sut PLACE  where the system under test is: ADDRESS or ADDRESS:PORT, an IPv6 address in brackets before a "
    "port\n"
    "\n"
    "  --match-bits LAYOUT\n"
    "          says what the match bits of Portals messages that break rules mean, as a library lays them out that "
    "you\n"
    "          know to have sent them: " WIRE_MATCH_NAMES "\n"
    "\n"
    "Exit status: 0 no violation; 1 some; 2 usage, a file that is no capture or is cut off (what came before is "
    "judged\n"
    "and printed), or a capture with neither.\n";

/* What to print, and what the user says: where the system under test is, what match bits mean. */
struct shape {
    bool json, job;
    struct wire_end system;
    const struct wire_match_layout *match_bits; /* what Portals messages say in them, or NULL */
};

/* A violation, or a note with the class in front. */
static void print_finding(const char *class, const struct findings *findings, const struct shape *shape,
                          const struct wire_examine_violation *violation)
{
    const char *side = check_sides_name(findings, violation);
    const struct wire_impi_finding *impi = &violation->impi;
    char from[64], to[64], text[768], bits[WIRE_MATCH_TEXT_MAX];
    struct wire_text said = wire_text_over(bits, sizeof bits);

    capture_end_text(&violation->from, from, sizeof from);
    capture_end_text(&violation->to, to, sizeof to);
    if (violation->is_impi) {
        wire_follow_impi_finding_text(&violation->impi, "see packet", text, sizeof text);
    } else {
        wire_follow_finding_text(&violation->finding, "see packet", text, sizeof text);
    }
    printf("%spacket %" PRIu64 ": %s -> %s: %s: %s", class, violation->packet, from, to, violation->message, text);
    if (violation->times > 1) {
        printf("; %" PRIu64 " times", violation->times);
    }
    if (violation->is_impi && impi->paired) {
        printf("%s from process %" PRId64 " to %" PRId64, violation->times > 1 ? "" : ";", impi->pids[0],
               impi->pids[1]);
    }
    if (side) {
        printf("; by %s", *side == 's' ? "the system under test" : "its peer");
    }
    if (wire_match_text(&said, shape->match_bits, &violation->header)) {
        printf("; %s", bits);
    }
    putchar('\n');
}

/* How much there was to judge. */
static void print_extent(const struct findings *findings)
{
    const struct wire_examine *examine = &findings->examine;
    bool impi = findings->examine.impi_links || findings->examine.impi_channels;

    printf("%" PRIu64 " packets", findings->packets);
    if (findings->examine.streams || (!impi && !examine->intercept_links)) {
        printf(", %" PRIu64 " Portals streams, %" PRIu64 " messages", findings->examine.streams,
               findings->examine.messages);
    }
    if (impi) {
        printf(", %" PRIu64 " connections to IMPI servers, %" PRIu64 " channels of IMPI hosts, %" PRIu64 " messages",
               findings->examine.impi_links, findings->examine.impi_channels, findings->examine.impi_messages);
    }
    if (examine->intercept_links) {
        printf(", %" PRIu64 " Intercept links, %" PRIu64 " frames (%" PRIu64 " again, %" PRIu64 " corrupt), %" PRIu64
               " messages",
               examine->intercept_links, examine->intercept_frames, examine->intercept_again,
               examine->intercept_corrupt, examine->intercept_messages);
    }
}

static void print_text(const struct findings *findings, const struct shape *shape)
{
    if (shape->job) {
        check_job_print(findings);
    }
    for (size_t i = 0; i < findings->violation_count; i++) {
        print_finding("", findings, shape, &findings->violations[i]);
    }
    for (size_t i = 0; i < findings->note_count; i++) {
        print_finding("note: ", findings, shape, &findings->notes[i]);
    }
    check_waits_print(findings);
    for (size_t i = 0; i < findings->remark_count; i++) {
        const struct finding_remark *remark = &findings->remarks[i];
        if (remark->packet) {
            printf("remark: packet %" PRIu64 ": %s\n", remark->packet, remark->text);
        } else {
            printf("remark: %s\n", remark->text);
        }
    }
    if (findings->violations_left_out || findings->notes_left_out || findings->remarks_left_out) {
        printf("remark: %zu violations, %zu notes and %zu remarks more are left out\n", findings->violations_left_out,
               findings->notes_left_out, findings->remarks_left_out);
    }
    check_senders_print(findings);
    print_extent(findings);
    printf(": %zu violations", findings->violation_count + findings->violations_left_out);
    check_sides_print(findings);
    if (findings->note_count) {
        printf(", %zu notes", findings->note_count + findings->notes_left_out);
    }
    if (findings->examine.unanswered) {
        printf("; %" PRIu64 " requests without an answer", findings->examine.unanswered);
    }
    if (findings->examine.unjudged) {
        printf("; %" PRIu64 " answers not judged", findings->examine.unjudged);
    }
    putchar('\n');
}

static json_t *json_end(const struct wire_end *end)
{
    char text[64];

    capture_end_text(end, text, sizeof text);
    return json_string(text);
}

static json_t *json_id(const struct wire_portals_id *id)
{
    return id->nid ? json_pack("{s:I,s:I,s:I,s:I}", "nid", (json_int_t)id->nid, "pid", (json_int_t)id->pid, "gid",
                               (json_int_t)id->gid, "rid", (json_int_t)id->rid)
                   : json_null();
}

/* What both kinds of findings have: which rule, in which field. 64-bit values go as text: JSON's numbers may be
 * floating point to a reader. */
struct said {
    const char *rule, *requirement, *text, *field;
    json_t *expected, *observed; /* owned */
    uint64_t related;
};

static struct said said_of(const struct wire_examine_violation *violation)
{
    const struct wire_portals_finding *finding = &violation->finding;
    const struct wire_impi_finding *impi = &violation->impi;

    if (violation->is_impi) {
        return (struct said){impi->rule->name,
                             impi->rule->requirement,
                             impi->rule->text,
                             impi->field,
                             impi->compared ? json_sprintf("%" PRId64, impi->expected) : NULL,
                             impi->compared ? json_sprintf("%" PRId64, impi->observed) : NULL,
                             impi->related};
    }
    return (struct said){finding->name,
                         finding->requirement,
                         finding->text,
                         finding->field,
                         finding->field ? json_sprintf("%" PRIu64, finding->expected) : NULL,
                         finding->field ? json_sprintf("%" PRIu64, finding->observed) : NULL,
                         finding->related};
}

static const char *severity_of(const struct wire_examine_violation *violation)
{
    return violation->is_impi && violation->impi.rule->severity == WIRE_IMPI_NOTE ? "note" : "breach";
}

/* What only notes have. */
static void add_note(json_t *made, const struct wire_examine_violation *note)
{
    const struct wire_impi_finding *impi = &note->impi;

    if (impi->rule->reading) {
        json_object_set_new(made, "reading", json_string(impi->rule->reading));
    }
    if (impi->paired) {
        json_object_set_new(made, "processes",
                            json_pack("[I,I]", (json_int_t)impi->pids[0], (json_int_t)impi->pids[1]));
    }
    json_object_set_new(made, "times", json_integer((json_int_t)note->times));
}

static json_t *json_finding(const struct findings *findings, const struct shape *shape,
                            const struct wire_examine_violation *violation)
{
    struct said said = said_of(violation);
    json_t *made =
        json_pack("{s:s,s:I,s:f,s:o,s:o,s:o,s:s,s:s,s:s,s:s}", "severity", severity_of(violation), "packet",
                  (json_int_t)violation->packet, "time", (double)violation->when_ns / 1e9, "from",
                  json_end(&violation->from), "to", json_end(&violation->to), "sender", json_id(&violation->sender),
                  "message", violation->message, "rule", said.rule, "requirement", said.requirement, "text", said.text);
    const char *side = check_sides_name(findings, violation);
    char bits[WIRE_MATCH_TEXT_MAX];
    struct wire_text text = wire_text_over(bits, sizeof bits);

    if (wire_match_text(&text, shape->match_bits, &violation->header)) {
        json_object_set_new(made, "match_bits", json_string(bits));
    }
    if (wire_examine_is_hearsay(violation)) {
        json_object_set_new(made, "hearsay", json_true());
    }
    json_object_set_new(made, "side", side ? json_string(side) : json_null());
    if (said.field) {
        json_object_set_new(made, "field", json_string(said.field));
    }
    if (said.expected) {
        json_object_set_new(made, "expected", said.expected);
        json_object_set_new(made, "observed", said.observed);
    }
    if (said.related) {
        json_object_set_new(made, "related_packet", json_integer((json_int_t)said.related));
    }
    if (violation->times) {
        add_note(made, violation);
    }
    return made;
}

static json_t *json_findings(const struct findings *findings, const struct shape *shape,
                             const struct wire_examine_violation *at, size_t count)
{
    json_t *made = json_array();

    for (size_t i = 0; i < count; i++) {
        json_array_append_new(made, json_finding(findings, shape, &at[i]));
    }
    return made;
}

static json_t *json_remarks(const struct findings *findings)
{
    json_t *made = json_array();

    for (size_t i = 0; i < findings->remark_count; i++) {
        const struct finding_remark *remark = &findings->remarks[i];
        json_t *packet = remark->packet ? json_integer((json_int_t)remark->packet) : json_null();
        json_array_append_new(made, json_pack("{s:o,s:s}", "packet", packet, "text", remark->text));
    }
    return made;
}

static void print_json(const struct findings *findings, const struct captures *captures, const struct shape *shape,
                       const char *damage)
{
    json_t *paths = json_array();

    for (size_t i = 0; i < captures->count; i++) {
        json_array_append_new(paths, json_string(captures->paths[i]));
    }
    size_t left_out = findings->violations_left_out + findings->notes_left_out + findings->remarks_left_out;
    json_t *all =
        json_pack("{s:s,s:I,s:I,s:I,s:I,s:I,s:I,s:o,s:o,s:o,s:o}", "capture", captures->paths[0], "packets",
                  (json_int_t)findings->packets, "streams", (json_int_t)findings->examine.streams, "messages",
                  (json_int_t)findings->examine.messages, "unanswered", (json_int_t)findings->examine.unanswered,
                  "unjudged", (json_int_t)findings->examine.unjudged, "left_out", (json_int_t)left_out, "breaches",
                  json_findings(findings, shape, findings->violations, findings->violation_count), "notes",
                  json_findings(findings, shape, findings->notes, findings->note_count), "remarks",
                  json_remarks(findings), "damage", damage ? json_string(damage) : json_null());

    json_object_set_new(all, "captures", paths);
    json_object_set_new(all, "senders", check_senders_json(findings));
    json_object_set_new(all, "waits", check_waits_json(findings));
    json_object_set_new(all, "sides", check_sides_json(findings));
    json_object_set_new(all, "impi",
                        json_pack("{s:I,s:I,s:I}", "links", (json_int_t)findings->examine.impi_links, "channels",
                                  (json_int_t)findings->examine.impi_channels, "messages",
                                  (json_int_t)findings->examine.impi_messages));
    json_object_set_new(all, "intercept",
                        json_pack("{s:I,s:I,s:I,s:I,s:I}", "links", (json_int_t)findings->examine.intercept_links,
                                  "frames", (json_int_t)findings->examine.intercept_frames, "again",
                                  (json_int_t)findings->examine.intercept_again, "corrupt",
                                  (json_int_t)findings->examine.intercept_corrupt, "messages",
                                  (json_int_t)findings->examine.intercept_messages));
    if (shape->job) {
        json_object_set_new(all, "jobs", check_job_json(findings));
    }
    json_dumpf(all, stdout, JSON_INDENT(2) | JSON_ENCODE_ANY);
    putchar('\n');
    json_decref(all);
}

/* Why there is nothing to judge. */
static const char *nothing(const struct findings *findings)
{
    if (findings->packets == 0) {
        return "holds no packet: there is nothing to judge; see that the capture ran where the job's packets pass";
    }
    if (findings->strange == findings->packets) {
        return "no packet can be read: the link layer is none that is known, or the packets are cut inside it; there "
               "is nothing to judge";
    }
    return "neither a Portals stream nor a connection of IMPI begins in this capture, and no link of Intercept: there "
           "is nothing to judge; capture a job from its start";
}

/* The verdict on the capture as a whole; a line on standard error when there is none. */
static int settle(const struct findings *findings, const struct captures *captures, const char *damage)
{
    if (damage) {
        fprintf(stderr, "assay check: %s\n", damage);
        return BROKEN;
    }
    if (findings->examine.streams == 0 && findings->examine.impi_links == 0 && findings->examine.impi_channels == 0 &&
        findings->examine.intercept_links == 0) {
        fprintf(stderr, "assay check: %s%s: %s\n", captures->paths[0], captures->count > 1 ? " and the others" : "",
                nothing(findings));
        return BROKEN;
    }
    return findings->violation_count || findings->violations_left_out ? FOUND_WANTING : GOOD;
}

static int check(const struct captures *captures, struct shape shape)
{
    struct capture_packet packet;
    struct findings findings;
    char message[MESSAGE_OCTETS];
    enum capture_result result;
    struct merge *merge = merge_open(captures->paths, captures->count, message, sizeof message);

    if (!merge) {
        fprintf(stderr, "assay check: %s\n", message);
        return BROKEN;
    }
    findings_open(&findings, FINDINGS_ROOM);
    findings.examine.merged = captures->count > 1;
    findings.system = shape.system;
    while ((result = merge_next(merge, &packet, message, sizeof message)) == CAPTURE_PACKET) {
        findings_packet(&findings, &packet);
    }
    findings_finish(&findings);
    const char *damage = result == CAPTURE_BROKEN ? message : NULL;
    if (shape.json) {
        print_json(&findings, captures, &shape, damage);
    } else {
        print_text(&findings, &shape);
    }
    int status = settle(&findings, captures, damage);
    const char *silent = findings.packets ? merge_silent(merge) : NULL;
    if (silent && !damage) {
        fprintf(stderr, "assay check: %s: holds no packet; the other files are judged without it\n", silent);
    }
    findings_close(&findings);
    merge_close(merge);
    return status;
}

int cmd_check(int argc, char **argv)
{
    static const struct option long_options[] = {
        {"json", no_argument, NULL, 'j'},      {"job", no_argument, NULL, 'b'},
        {"sut", required_argument, NULL, 's'}, {"match-bits", required_argument, NULL, 'm'},
        {"help", no_argument, NULL, 'h'},      {0}};
    struct shape shape = {.json = false};
    int option;

    optind = 0; /* from the beginning */
    while ((option = option_next(argc, argv, long_options, 1)) != -1) {
        if (option == 'h') {
            fputs(help, stdout);
            return GOOD;
        }
        if (option == 's' && check_sides_place(optarg, &shape.system)) {
            continue;
        }
        if (option == 'm' && (shape.match_bits = option_match_bits(argv, optarg))) {
            continue;
        }
        if (option == 's') {
            fprintf(stderr, "assay check: --sut: '%s' is no address, nor one with a port\n", optarg);
        }
        if (option != 'j' && option != 'b') {
            return BROKEN;
        }
        shape.json = shape.json || option == 'j';
        shape.job = shape.job || option == 'b';
    }
    if (optind == argc) {
        fputs("assay check: name a capture, or several of one job; see assay check --help\n", stderr);
        return BROKEN;
    }
    return check(&(struct captures){argv + optind, (size_t)(argc - optind)}, shape);
}
