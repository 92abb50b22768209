/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Tokens: known, used up, over, unknown; and that a connection reaches the run that waits for it.
 */
#include "tester/sut/registry.h"
#include "tests/unit/tap.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

static const char token[] = "0123456789abcdef";

static unsigned closed;

static void on_close(void *context)
{
    close(*(int *)context);
    closed++;
}

static void tokens(void)
{
    struct registry_box *box = registry_box_new();
    struct registry_link link;
    unsigned tag = 0;
    int fds[2], more[2];

    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, more) == 0, "sockets");
    CHECK_EQ(registry_check(token), ENGINE_UNKNOWN_TOKEN, "nobody waits");
    CHECK_EQ(registry_attach(token, fds[0], NULL, 0, NULL, NULL), ENGINE_UNKNOWN_TOKEN, "nobody takes");
    registry_add(box, token, 42, 2);
    CHECK_EQ(registry_check(token), ENGINE_OK, "now somebody does");
    CHECK_EQ(registry_check("0123456789abcdeF"), ENGINE_UNKNOWN_TOKEN, "another token");
    CHECK_EQ(registry_check("0123456789abcde"), ENGINE_UNKNOWN_TOKEN, "a part of it");
    CHECK(!registry_box_take(box, &tag, &link), "nothing came yet");

    CHECK_EQ(registry_attach(token, fds[0], "early", 5, on_close, &fds[0]), ENGINE_OK, "the first connection");
    struct pollfd woken = {.fd = registry_box_fd(box), .events = POLLIN};
    CHECK_EQ(poll(&woken, 1, 60000), 1, "the run is woken");
    CHECK(registry_box_take(box, &tag, &link), "and gets it");
    CHECK_EQ(tag, 42, "with its tag");
    CHECK(link.fd == fds[0] && link.extra_octets == 5 && memcmp(link.extra, "early", 5) == 0, "and what came early");
    registry_link_close(&link);
    CHECK_EQ(closed, 1, "it is closed by the giver's own way");

    CHECK_EQ(registry_attach(token, more[0], NULL, 0, on_close, &more[0]), ENGINE_OK, "the second connection");
    CHECK_EQ(registry_check(token), ENGINE_USED_TOKEN, "then it is used up");
    CHECK_EQ(registry_attach(token, fds[1], NULL, 0, NULL, NULL), ENGINE_USED_TOKEN, "a third one is not taken");
    registry_box_free(box);
    CHECK_EQ(closed, 2, "what nobody took is closed when the run ends");
    CHECK_EQ(registry_check(token), ENGINE_OVER_TOKEN, "a token that is over is not unknown");
    close(fds[1]);
    close(more[1]);
}

/* What came by one token is passed on by another; of the first one's connections some are taken away. */
static void passed(void)
{
    struct registry_box *box = registry_box_new(), *lane = registry_box_new();
    struct registry_link link;
    unsigned tag = 0;
    int fds[2];

    closed = 0;
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0, "sockets");
    registry_narrow("one that is not known", 1);
    registry_add(box, "a run's own token", 0, 3);
    registry_add(lane, "a run's own token-1", 0, 1);
    registry_narrow("a run's own token", 2);
    CHECK_EQ(registry_attach("a run's own token", fds[0], "early", 5, on_close, &fds[0]), ENGINE_OK, "it takes one");
    CHECK_EQ(registry_check("a run's own token"), ENGINE_USED_TOKEN, "and no more");
    registry_narrow("a run's own token", 1);
    CHECK_EQ(registry_check("a run's own token"), ENGINE_USED_TOKEN, "none can be taken away that are not there");
    CHECK(registry_box_take(box, &tag, &link), "which comes");
    registry_pass("a run's own token-1", &link);
    CHECK(registry_box_take(lane, &tag, &link) && link.fd == fds[0] && link.extra_octets == 5,
          "and is passed on whole");
    registry_pass("a run's own token-1", &link);
    CHECK_EQ(closed, 1, "where nobody takes it, it is closed");
    registry_retire("a run's own token");
    registry_narrow("a run's own token", 1);
    CHECK_EQ(registry_check("a run's own token"), ENGINE_OVER_TOKEN, "what is over takes nobody any more");
    registry_box_free(box);
    registry_box_free(lane);
    close(fds[1]);
}

static void retired(void)
{
    struct registry_box *box = registry_box_new();
    char other[17];

    registry_add(box, "fedcba9876543210", 1, 5);
    registry_retire("fedcba9876543210");
    CHECK_EQ(registry_check("fedcba9876543210"), ENGINE_OVER_TOKEN, "retired before it was used up");
    for (unsigned i = 0; i < 3000; i++) {
        snprintf(other, sizeof other, "%016u", i);
        registry_add(box, other, 1, 1);
        registry_retire(other);
    }
    CHECK_EQ(registry_check("0000000000002999"), ENGINE_OVER_TOKEN, "late ones are remembered");
    CHECK_EQ(registry_check("0000000000000000"), ENGINE_UNKNOWN_TOKEN, "not for ever");
    registry_box_free(box);
}

/* A run that goes on after it was suspended has the token that it had; each box ends its own tokens alone. */
static void many_boxes(void)
{
    enum { BOXES = 40, TOKENS = 100 };
    struct registry_box *boxes[BOXES], *later = registry_box_new();
    char name[32];

    for (unsigned i = 0; i < BOXES; i++) {
        boxes[i] = registry_box_new();
        for (unsigned k = 0; k < TOKENS; k++) {
            snprintf(name, sizeof name, "box-%08u-%08u", i, k);
            registry_add(boxes[i], name, k, 1);
        }
    }
    registry_retire("box-00000007-00000050");
    registry_retire("box-00000007-00000050");
    CHECK_EQ(registry_check("box-00000007-00000050"), ENGINE_OVER_TOKEN, "one of many");
    CHECK_EQ(registry_check("box-00000007-00000051"), ENGINE_OK, "its neighbour is as it was");
    registry_box_free(boxes[7]);
    CHECK_EQ(registry_check("box-00000007-00000000"), ENGINE_OVER_TOKEN, "the first of a box that has ended");
    CHECK_EQ(registry_check("box-00000007-00000099"), ENGINE_OVER_TOKEN, "and the last");
    CHECK_EQ(registry_check("box-00000008-00000099"), ENGINE_OK, "those of others are none of it");
    registry_add(later, "box-00000007-00000099", 1, 1);
    CHECK_EQ(registry_check("box-00000007-00000099"), ENGINE_OK, "a token that comes again");
    for (unsigned i = 0; i < BOXES; i++) {
        if (i != 7) {
            registry_box_free(boxes[i]);
        }
    }
    CHECK_EQ(registry_check("box-00000007-00000099"), ENGINE_OK, "is not forgotten with what it was");
    CHECK_EQ(registry_check("box-00000008-00000099"), ENGINE_UNKNOWN_TOKEN, "the oldest are forgotten");
    CHECK_EQ(registry_check("box-00000039-00000099"), ENGINE_OVER_TOKEN, "the youngest are not");
    registry_box_free(later);
}

int main(void)
{
    TAP_RUN(tokens);
    TAP_RUN(passed);
    TAP_RUN(retired);
    TAP_RUN(many_boxes);
    return tap_done();
}
