/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the server makes of a client's octets (chapters 2.3.2 to 2.3.7): the same events however they are cut.
 */
#include "ref-impl/impi/server/session.h"
#include "tests/unit/tap.h"

#include <inttypes.h>

#define OCTETS(literal) literal, sizeof(literal) - 1

static const struct auth none_and_key = {3, 5678, {1, 0}, 2};

/* The events of a stream as one line of text: what happened, what was said. The octets go in `piece` at a time. */
static void listen_to(const char *octets, size_t len, size_t piece, char *told, size_t cap)
{
    struct session s;
    struct session_event event = {.kind = SESSION_MORE};
    size_t at = 0;

    session_begin(&s, &none_and_key);
    told[0] = '\0';
    while (at < len && event.kind != SESSION_BAD) {
        size_t left = len - at < piece ? len - at : piece;
        const unsigned char *next = (const unsigned char *)octets + at;

        at += left;
        do {
            size_t used = strlen(told);

            session_next(&s, &next, &left, &event);
            switch (event.kind) {
            case SESSION_MORE:
                break;
            case SESSION_CHOICE:
                snprintf(told + used, cap - used, "choice %d;", event.method);
                break;
            case SESSION_RANK:
                snprintf(told + used, cap - used, "rank %" PRId32 ";", event.rank);
                break;
            case SESSION_LABEL:
                snprintf(told + used, cap - used, "label %" PRIx32 " %.*s;", (uint32_t)event.label, (int)event.len,
                         event.octets ? (const char *)event.octets : "");
                break;
            case SESSION_NO_MORE_LABELS:
                snprintf(told + used, cap - used, "done;");
                break;
            case SESSION_FINI:
                snprintf(told + used, cap - used, "fini;");
                break;
            case SESSION_NOTE:
                snprintf(told + used, cap - used, "note;");
                break;
            case SESSION_BAD:
                snprintf(told + used, cap - used, "bad;");
                break;
            }
        } while (event.kind != SESSION_MORE && event.kind != SESSION_BAD);
    }
    session_end(&s);
}

static void hear(const char *octets, size_t len, const char *want)
{
    char told[512];

    for (size_t piece = 1; piece <= len; piece++) {
        listen_to(octets, len, piece, told, sizeof told);
        if (strcmp(told, want) != 0) {
            break;
        }
    }
    CHECK_STR(told, want, want);
}

#define AUTH_NONE "AUTH\0\0\0\4\0\0\0\1"
#define AUTH_KEY  "AUTH\0\0\0\4\0\0\0\2"
#define KEY       "\0\0\0\0\0\0\x16\x2e"
#define RANK      "IMPI\0\0\0\4\0\0\0\2"
#define DONE      "DONE\0\0\0\0"
#define FINI      "FINI\0\0\0\0"

static void whole(void)
{
    hear(OCTETS(AUTH_NONE RANK "COLL\0\0\0\x07\0\0\x10\0abc"
                               "COLL\0\0\0\4\0\0\x11\0" DONE FINI),
         "choice 0;rank 2;label 1000 abc;label 1100 ;done;fini;");
    hear(OCTETS(AUTH_KEY KEY RANK), "choice 1;rank 2;");
    hear(OCTETS("AUTH\0\0\0\x0c\0\0\0\1\xff\xff\xff\xff\0\0\0\0" RANK), "choice 0;rank 2;");
    hear(OCTETS("AUTH\0\0\0\4\xff\xff\xff\xff" KEY RANK), "choice 1;rank 2;");
    hear(OCTETS(AUTH_NONE "IMPI\0\0\0\4\xff\xff\xff\xff"), "choice 0;rank -1;");
    /* a key that begins like a command is a key */
    hear(OCTETS(AUTH_KEY "IMPI\0\0\0\4\0\0\0\0"), "choice 1;bad;");
}

static void unknown(void)
{
    hear(OCTETS(AUTH_NONE "XYZW\0\0\0\5IMPI\0" RANK "\xff\0\0\0\0\0\0\0"
                          "MORE\0\0\0\1!" DONE),
         "choice 0;note;rank 2;note;note;done;");
    hear(OCTETS(AUTH_KEY KEY "XYZW\0\0\0\0" RANK), "choice 1;note;rank 2;");
}

static void wrong_order(void)
{
    hear(OCTETS(RANK), "bad;");
    hear(OCTETS("XYZW\0\0\0\0"), "bad;");
    hear(OCTETS(AUTH_NONE AUTH_NONE), "choice 0;bad;");
    hear(OCTETS(AUTH_NONE DONE), "choice 0;bad;");
    hear(OCTETS(AUTH_NONE "COLL\0\0\0\4\0\0\x10\0"), "choice 0;bad;");
    hear(OCTETS(AUTH_NONE FINI), "choice 0;bad;");
    hear(OCTETS(AUTH_NONE RANK RANK), "choice 0;rank 2;bad;");
    hear(OCTETS(AUTH_NONE RANK AUTH_NONE), "choice 0;rank 2;bad;");
    hear(OCTETS(AUTH_NONE RANK FINI), "choice 0;rank 2;bad;");
    hear(OCTETS(AUTH_KEY "\0\0\0\0\0\0\x16\x2f"), "choice 1;bad;");
    hear(OCTETS(AUTH_KEY "\x80\0\0\0\0\0\x16\x2e"), "choice 1;bad;");
    hear(OCTETS(AUTH_NONE RANK DONE DONE "COLL\0\0\0\5\0\0\x10\0x" FINI FINI RANK "\xff\xff"),
         "choice 0;rank 2;done;note;note;fini;");
}

static void lengths(void)
{
    hear(OCTETS("AUTH\0\0\0\0"), "bad;");
    hear(OCTETS("AUTH\0\0\0\3abc"), "bad;");
    hear(OCTETS("AUTH\0\0\0\6\0\0\0\1\0\0"), "bad;");
    hear(OCTETS("AUTH\x7f\xff\xff\xff"), "bad;");
    hear(OCTETS("AUTH\xff\xff\xff\xff"), "bad;");
    hear(OCTETS("AUTH\0\0\0\4\0\0\0\0"), "bad;");
    hear(OCTETS(AUTH_NONE "IMPI\0\0\0\0"), "choice 0;bad;");
    hear(OCTETS(AUTH_NONE "IMPI\0\0\0\x08\0\0\0\1"), "choice 0;bad;");
    hear(OCTETS(AUTH_NONE "ABCD\x80\0\0\0"), "choice 0;bad;");
    hear(OCTETS(AUTH_NONE RANK "COLL\0\0\0\3abc"), "choice 0;rank 2;bad;");
    hear(OCTETS(AUTH_NONE RANK "COLL\0\x40\0\5"), "choice 0;rank 2;bad;");
    hear(OCTETS(AUTH_NONE RANK "COLL\x7f\xff\xff\xff"), "choice 0;rank 2;bad;");
    hear(OCTETS(AUTH_NONE RANK "DONE\xff\xff\xff\xfe"), "choice 0;rank 2;bad;");
    hear(OCTETS(AUTH_NONE RANK "DONE\0\0\0\2xy"
                               "FINI\0\0\0\2xy"),
         "choice 0;rank 2;done;fini;");
}

static void states(void)
{
    struct session s;
    struct session_event event;
    const unsigned char *octets = (const unsigned char *)"AUTH\0\0\0\4\0\0\0\1";
    size_t len = 5;

    session_begin(&s, &none_and_key);
    CHECK(!session_in_message(&s), "nothing has been said");
    CHECK_STR(session_state_text(&s), "was authenticated", "what is to come first");
    session_next(&s, &octets, &len, &event);
    CHECK(session_in_message(&s), "in the middle");
    len = 7;
    session_next(&s, &octets, &len, &event);
    CHECK(event.kind == SESSION_CHOICE && !session_in_message(&s), "complete");
    CHECK_STR(session_state_text(&s), "said which client it is", "what is to come next");
    session_end(&s);
}

int main(void)
{
    TAP_RUN(whole);
    TAP_RUN(unknown);
    TAP_RUN(wrong_order);
    TAP_RUN(lengths);
    TAP_RUN(states);
    return tap_done();
}
