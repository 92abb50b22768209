/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * `assay check`: has the checker judge a capture, and prints each breach with its packet and its requirement.
 */
#include "tester/capture.h"
#include "tester/commands.h"
#include "tester/examine.h"
#include "tester/follow.h"

#include <getopt.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

enum { GOOD, FOUND_WANTING, BROKEN };

static const char help[] =
    "usage: assay check [--json] CAPTURE\n"
    "\n"
    "Reads a capture (pcap or pcapng), follows the Portals conversations in it and prints each message that breaks a\n"
    "rule of the Portals document or of its TCP binding: the packet's number, the requirement, what is wrong.\n"
    "Streams are found by their HELLO; other traffic is passed over.\n"
    "\n"
    "  --json  one JSON object instead of lines\n"
    "\n"
    "Exit status: 0 no breach; 1 some; 2 usage, a file that is no capture or is cut off (what came before is judged\n"
    "and printed), or a capture without any Portals stream.\n";

static void print_breach(const struct examine_breach *breach)
{
    char from[64], to[64], text[512];

    capture_end_text(&breach->from, from, sizeof from);
    capture_end_text(&breach->to, to, sizeof to);
    follow_finding_text(&breach->finding, "see packet", text, sizeof text);
    printf("packet %" PRIu64 ": %s -> %s: %s: %s\n", breach->packet, from, to, breach->message, text);
}

static void print_text(const struct examine *examine)
{
    for (size_t i = 0; i < examine->breach_count; i++) {
        print_breach(&examine->breaches[i]);
    }
    for (size_t i = 0; i < examine->note_count; i++) {
        const struct examine_note *note = &examine->notes[i];
        if (note->packet) {
            printf("note: packet %" PRIu64 ": %s\n", note->packet, note->text);
        } else {
            printf("note: %s\n", note->text);
        }
    }
    if (examine->breaches_left_out || examine->notes_left_out) {
        printf("note: %zu breaches and %zu notes more are left out\n", examine->breaches_left_out,
               examine->notes_left_out);
    }
    printf("%" PRIu64 " packets, %" PRIu64 " Portals streams, %" PRIu64 " messages: %zu breaches", examine->packets,
           examine->streams, examine->messages, examine->breach_count + examine->breaches_left_out);
    if (examine->unanswered) {
        printf("; %" PRIu64 " requests without an answer", examine->unanswered);
    }
    if (examine->unjudged) {
        printf("; %" PRIu64 " answers not judged", examine->unjudged);
    }
    putchar('\n');
}

static json_t *json_end(const struct capture_end *end)
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

/* 64-bit values go as text: JSON's numbers may be floating point to a reader. */
static json_t *json_breach(const struct examine_breach *breach)
{
    const struct wire_portals_finding *finding = &breach->finding;
    json_t *made = json_pack("{s:I,s:f,s:o,s:o,s:o,s:s,s:s,s:s,s:s}", "packet", (json_int_t)breach->packet, "time",
                             (double)breach->when_ns / 1e9, "from", json_end(&breach->from), "to",
                             json_end(&breach->to), "sender", json_id(&breach->sender), "message", breach->message,
                             "rule", finding->name, "requirement", finding->requirement, "text", finding->text);

    if (finding->field) {
        json_object_set_new(made, "field", json_string(finding->field));
        json_object_set_new(made, "expected", json_sprintf("%" PRIu64, finding->expected));
        json_object_set_new(made, "observed", json_sprintf("%" PRIu64, finding->observed));
    }
    if (finding->related) {
        json_object_set_new(made, "related_packet", json_integer((json_int_t)finding->related));
    }
    return made;
}

static void print_json(const struct examine *examine, const char *path, const char *damage)
{
    json_t *breaches = json_array(), *notes = json_array();

    for (size_t i = 0; i < examine->breach_count; i++) {
        json_array_append_new(breaches, json_breach(&examine->breaches[i]));
    }
    for (size_t i = 0; i < examine->note_count; i++) {
        const struct examine_note *note = &examine->notes[i];
        json_t *packet = note->packet ? json_integer((json_int_t)note->packet) : json_null();
        json_array_append_new(notes, json_pack("{s:o,s:s}", "packet", packet, "text", note->text));
    }
    json_t *all =
        json_pack("{s:s,s:I,s:I,s:I,s:I,s:I,s:I,s:o,s:o,s:o}", "capture", path, "packets", (json_int_t)examine->packets,
                  "streams", (json_int_t)examine->streams, "messages", (json_int_t)examine->messages, "unanswered",
                  (json_int_t)examine->unanswered, "unjudged", (json_int_t)examine->unjudged, "left_out",
                  (json_int_t)(examine->breaches_left_out + examine->notes_left_out), "breaches", breaches, "notes",
                  notes, "damage", damage ? json_string(damage) : json_null());
    json_dumpf(all, stdout, JSON_INDENT(2) | JSON_ENCODE_ANY);
    putchar('\n');
    json_decref(all);
}

/* The verdict on the capture as a whole; a line on standard error when there is none. */
static int settle(const struct examine *examine, const char *path, const char *damage)
{
    if (damage) {
        fprintf(stderr, "assay check: %s: %s\n", path, damage);
        return BROKEN;
    }
    if (examine->streams == 0) {
        fprintf(stderr, "assay check: %s: %s\n", path,
                examine->impi ? "holds traffic of IMPI, which cannot be checked yet, and no Portals stream"
                              : "no Portals stream begins in this capture: there is nothing to judge");
        return BROKEN;
    }
    return examine->breach_count || examine->breaches_left_out ? FOUND_WANTING : GOOD;
}

static int check(const char *path, bool json)
{
    struct capture_packet packet;
    struct examine examine;
    char message[256];
    enum capture_result result;
    struct capture *capture = capture_open(path, message, sizeof message);

    if (!capture) {
        fprintf(stderr, "assay check: %s: %s\n", path, message);
        return BROKEN;
    }
    examine_open(&examine, EXAMINE_ROOM);
    while ((result = capture_next(capture, &packet, message, sizeof message)) == CAPTURE_PACKET) {
        examine_packet(&examine, &packet);
    }
    examine_finish(&examine);
    const char *damage = result == CAPTURE_BROKEN ? message : NULL;
    if (json) {
        print_json(&examine, path, damage);
    } else {
        print_text(&examine);
    }
    int status = settle(&examine, path, damage);
    examine_close(&examine);
    capture_close(capture);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("assay check: the output cannot be written\n", stderr);
        return BROKEN;
    }
    return status;
}

int cmd_check(int argc, char **argv)
{
    static const struct option long_options[] = {
        {"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {0}};
    bool json = false;
    int option;

    optind = 1;
    while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        if (option == 'h') {
            fputs(help, stdout);
            return GOOD;
        }
        if (option != 'j') {
            return BROKEN;
        }
        json = true;
    }
    if (optind + 1 != argc) {
        fputs("assay check: name one capture (see assay check --help)\n", stderr);
        return BROKEN;
    }
    return check(argv[optind], json);
}
