/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Conversations with an interpreter, over a socket pair: greeting, replies, notices, and everything that is not the
 * protocol.
 */
#include "tester/base/clock.h"
#include "tester/base/pairs.h"
#include "tester/sut/dialogue.h"
#include "tests/unit/tap.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define HELLO "hello versions=1 role=interpreter api=portals-3.0\n"

struct pair {
    struct loop *loop;
    struct dialogue dialogue;
    int other;
    char notice[128];
};

static void on_notice(void *context, const char *words)
{
    struct pair *pair = context;

    snprintf(pair->notice, sizeof pair->notice, "%s", words);
}

/* Opens a conversation; `extra` had been read behind the upgrade request. */
static void pair_open(struct pair *pair, const char *extra)
{
    struct dialogue_events events = {.context = pair, .notice = on_notice};
    struct registry_link link = {0};
    int fds[2];

    memset(pair, 0, sizeof *pair);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0) {
        abort();
    }
    pair->loop = loop_new();
    pair->other = fds[1];
    link.fd = fds[0];
    link.extra = strdup(extra);
    link.extra_octets = strlen(extra);
    dialogue_open(&pair->dialogue, pair->loop, &link, "interpreter", &events);
    dialogue_feed(&pair->dialogue);
}

static void pair_close(struct pair *pair)
{
    dialogue_close(&pair->dialogue);
    loop_free(pair->loop);
    close(pair->other);
}

/* The other side says something, and the loop takes all of it. */
static void pair_say(struct pair *pair, const void *octets, size_t len)
{
    const char *at = octets;

    while (len) {
        ssize_t sent = send(pair->other, at, len, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent > 0) {
            at += sent;
            len -= (size_t)sent;
        } else if (pair->dialogue.state == DIALOGUE_GONE) {
            break;
        }
        loop_turn(pair->loop, 0);
    }
    for (int i = 0; i < 4; i++) {
        loop_turn(pair->loop, 0);
    }
}

static void pair_say_text(struct pair *pair, const char *text)
{
    pair_say(pair, text, strlen(text));
}

static void pair_expect(struct pair *pair, const char *wanted)
{
    char text[512] = "";
    ssize_t got = recv(pair->other, text, sizeof text - 1, MSG_DONTWAIT);

    text[got > 0 ? got : 0] = 0;
    CHECK_STR(text, wanted, "what the manager said");
}

static void greets(void)
{
    struct pair pair;

    pair_open(&pair, "");
    pair_say_text(&pair, "hello versions=9,1 role=interp");
    CHECK(pair.dialogue.state == DIALOGUE_GREETING, "half a line is none");
    pair_say_text(&pair, "reter api=portals-3.0 name=a%20b%2 flag\n");
    CHECK(pair.dialogue.state == DIALOGUE_READY, "a hello in two parts is understood");
    pair_expect(&pair, "welcome version=1\n");
    char value[32];
    CHECK(pairs_value(pair.dialogue.hello, "name", value, sizeof value), "there is a name");
    CHECK_STR(value, "a b%2", "percent-encoding is undone, a lame one kept");
    CHECK(!pairs_value(pair.dialogue.hello, "nam", value, sizeof value), "a beginning of a key is no key");
    CHECK(!pairs_value(pair.dialogue.hello, "flag", value, sizeof value), "a word is no pair");
    CHECK(pairs_value(pair.dialogue.hello, "api", value, 5), "a value longer than the room");
    CHECK_STR(value, "port", "is cut");
    pair_close(&pair);
}

static void refuses(void)
{
    static const char *const hellos[] = {"hello versions=11 role=interpreter\n",
                                         "hello versions= role=interpreter\n",
                                         "hello versions=1 role=agent\n",
                                         "HELLO versions=1 role=interpreter\n",
                                         "1 ok\n",
                                         "\n"};
    struct pair pair;

    for (size_t i = 0; i < sizeof hellos / sizeof hellos[0]; i++) {
        pair_open(&pair, hellos[i]);
        CHECK(pair.dialogue.state == DIALOGUE_GONE && pair.dialogue.end == DIALOGUE_BROKEN, "refused: %s",
              pair.dialogue.why);
        CHECK(dialogue_send(&pair.dialogue, 1000, NULL, "PtlInit", NULL, 0) == 0, "no command is sent to it");
        pair_close(&pair);
    }
}

static void commands_and_replies(void)
{
    static const char *const lines[] = {"PtlInit", "PtlFini"};
    struct pair pair;

    pair_open(&pair, HELLO);
    pair_expect(&pair, "welcome version=1\n");
    uint32_t first = dialogue_send(&pair.dialogue, 1000, NULL, "PtlInit", NULL, 0);
    uint32_t second = dialogue_send(&pair.dialogue, 2000, "worker", "batch lines=2 repeat=3", lines, 2);
    CHECK_EQ(first, 1, "ids begin with 1");
    CHECK_EQ(second, 2, "and grow");
    pair_expect(&pair, "1 1000 PtlInit\n2 2000 @worker batch lines=2 repeat=3\nPtlInit\nPtlFini\n");
    pair_say_text(&pair, "2 ok runs=3 line=0\n1 error no-memory reason=none%20left\n");
    struct dialogue_command *command = dialogue_find(&pair.dialogue, 2);
    CHECK_STR(command->reply, "ok runs=3 line=0", "replies may come in any order");
    CHECK_STR(dialogue_find(&pair.dialogue, 1)->reply, "error no-memory reason=none%20left", "an error is a reply");
    dialogue_forget(&pair.dialogue, 2);
    CHECK(!dialogue_find(&pair.dialogue, 2), "what is forgotten is gone");
    pair_say_text(&pair, "! output job=1 stream=stdout text=x\n");
    CHECK_STR(pair.notice, "output job=1 stream=stdout text=x", "a notice is passed on");
    pair_close(&pair);
}

/* line, wanted end, part of the reason */
static const struct {
    const char *line;
    enum dialogue_end end;
    const char *why;
} ends[] = {
    {"! crash signal=SIGSEGV function=PtlPut id=1\n", DIALOGUE_CRASHED, "crash: SIGSEGV in PtlPut"},
    {"! crash signal=SIGABRT function=none id=1\n", DIALOGUE_CRASHED, "outside the library"},
    {"! hang function=PtlEQWait id=1 ms=50\n", DIALOGUE_HUNG, "PtlEQWait did not return within 50 ms"},
    {"! exit status=3\n", DIALOGUE_EXITED, "ended by itself with status 3"},
    {"! protocol reason=too%20long\n", DIALOGUE_BROKEN, "too long"},
    {"2 ok\n", DIALOGUE_BROKEN, "not given"},
    {"1 ok\n1 ok\n", DIALOGUE_BROKEN, "twice"},
    {"01 ok\n", DIALOGUE_BROKEN, "neither"},
    {"1 okay\n", DIALOGUE_BROKEN, "neither"},
    {"1  ok\n", DIALOGUE_BROKEN, "neither"},
    {"1 error\n", DIALOGUE_BROKEN, "neither"},
    {"4294967297 ok\n", DIALOGUE_BROKEN, "not given"},
    {"-1 ok\n", DIALOGUE_BROKEN, "neither"},
    {"1 ok\r\n", DIALOGUE_BROKEN, "not printable"},
    {"\xc3\xa4\n", DIALOGUE_BROKEN, "not printable"},
};

static void ends_are_told_apart(void)
{
    struct pair pair;

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        pair_open(&pair, HELLO);
        dialogue_send(&pair.dialogue, 1000, NULL, "PtlInit", NULL, 0);
        pair_say_text(&pair, ends[i].line);
        CHECK(pair.dialogue.end == ends[i].end && strstr(pair.dialogue.why, ends[i].why), "%s", pair.dialogue.why);
        pair_close(&pair);
    }
}

static void a_notice_explains_the_close(void)
{
    struct pair pair;

    pair_open(&pair, HELLO);
    pair_say_text(&pair, "! crash signal=SIGBUS function=PtlGet id=1\n");
    shutdown(pair.other, SHUT_WR);
    loop_turn(pair.loop, 100);
    CHECK(pair.dialogue.state == DIALOGUE_GONE && pair.dialogue.end == DIALOGUE_CRASHED, "the first reason stands");
    pair_close(&pair);

    pair_open(&pair, HELLO);
    shutdown(pair.other, SHUT_WR);
    loop_turn(pair.loop, 100);
    CHECK(pair.dialogue.end == DIALOGUE_CLOSED, "without a notice it merely closed");
    pair_close(&pair);
}

static void lengths(void)
{
    struct pair pair;
    char *line = malloc(SESSION_LINE_MAX + 1);

    memset(line, 'x', SESSION_LINE_MAX);
    memcpy(line, "1 ok x=", 7);
    line[SESSION_LINE_MAX - 1] = '\n';
    pair_open(&pair, HELLO);
    dialogue_send(&pair.dialogue, 1000, NULL, "read", NULL, 0);
    pair_say(&pair, line, SESSION_LINE_MAX);
    struct dialogue_command *command = dialogue_find(&pair.dialogue, 1);
    CHECK(command->reply && strlen(command->reply) == SESSION_LINE_MAX - 3, "the longest line is taken");
    pair_close(&pair);

    line[SESSION_LINE_MAX - 1] = 'x';
    line[SESSION_LINE_MAX] = '\n';
    pair_open(&pair, HELLO);
    dialogue_send(&pair.dialogue, 1000, NULL, "read", NULL, 0);
    pair_say(&pair, line, SESSION_LINE_MAX + 1);
    CHECK(pair.dialogue.end == DIALOGUE_BROKEN, "one octet more is refused");
    pair_close(&pair);
    free(line);
}

static void lists(void)
{
    CHECK(pairs_list_has("a,b,c", "b") && pairs_list_has("b", "b"), "words are found");
    CHECK(!pairs_list_has("ab,bc", "b") && !pairs_list_has("", "b") && !pairs_list_has(NULL, "b"),
          "parts of words and empty lists are not");
}

/* A notice of the end cuts a reply off; an LF ends what was written of it. */
static void replies_cut_off(void)
{
    static const char crash[] = "! crash signal=SIGSEGV function=PtlInit id=1\n";
    static const char *const cuts[] = {"\n", "1\n", "1 o\n", "1 error\n"};
    struct pair pair;

    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
        pair_open(&pair, HELLO);
        dialogue_send(&pair.dialogue, 1000, NULL, "PtlInit", NULL, 0);
        pair_say_text(&pair, cuts[i]);
        CHECK(pair.dialogue.end == DIALOGUE_BROKEN && pair.dialogue.cut, "a line that is no reply, so far");
        pair_say_text(&pair, crash);
        CHECK(pair.dialogue.end == DIALOGUE_CRASHED && !pair.dialogue.cut, "the crash that explains it");
        CHECK_STR(pair.dialogue.why, "crash: SIGSEGV in PtlInit", "why");
        pair_close(&pair);
    }
    pair_open(&pair, HELLO);
    pair_say_text(&pair, "\n! output job=1 text=x\n");
    CHECK(pair.dialogue.end == DIALOGUE_BROKEN && !pair.dialogue.cut, "a notice of something else explains nothing");
    pair_say_text(&pair, crash);
    CHECK(pair.dialogue.end == DIALOGUE_BROKEN && pair.dialogue.why, "nor does one that comes later");
    pair_close(&pair);
    pair_open(&pair, HELLO);
    pair_say_text(&pair, "! hang function=PtlInit id=1 ms=5\n\n");
    CHECK(pair.dialogue.end == DIALOGUE_HUNG && !pair.dialogue.cut, "what was known before stays");
    pair_close(&pair);
}

/* Who was cancelled while it waited does not break the conversation; the reply may come once, and no more. */
static void a_reply_that_nobody_waits_for(void)
{
    struct pair pair;

    pair_open(&pair, HELLO);
    dialogue_send(&pair.dialogue, 1000, NULL, "build", NULL, 0);
    dialogue_send(&pair.dialogue, 1000, NULL, "quit", NULL, 0);
    dialogue_forget(&pair.dialogue, 1);
    pair_say_text(&pair, "1 ok files=4\n2 ok\n");
    CHECK(pair.dialogue.end == DIALOGUE_OPEN && !dialogue_find(&pair.dialogue, 1), "it is passed over");
    CHECK_STR(dialogue_find(&pair.dialogue, 2)->reply, "ok", "the next one");
    pair_say_text(&pair, "1 ok files=4\n");
    CHECK(pair.dialogue.end == DIALOGUE_BROKEN, "a second one");
    pair_close(&pair);
}

int main(void)
{
    TAP_RUN(greets);
    TAP_RUN(refuses);
    TAP_RUN(commands_and_replies);
    TAP_RUN(ends_are_told_apart);
    TAP_RUN(a_notice_explains_the_close);
    TAP_RUN(lengths);
    TAP_RUN(lists);
    TAP_RUN(replies_cut_off);
    TAP_RUN(a_reply_that_nobody_waits_for);
    return tap_done();
}
