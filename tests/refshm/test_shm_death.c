/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Processes that stop or die while a message is on its way, at the worst moment: when the one end is in the middle of
 * it. The other one is a process of its own here, which waits for orders.
 */
#include "ref-impl/nal/shm/net.h"
#include "tests/refshm/node.h"
#include "tests/unit/tap.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LENGTH = 8 << 20, LIFE_SECONDS = 300 /* of the other process, should nobody end it */ };

static struct node us, them;
static unsigned char *data, *room;

/* struct other is the other process: orders go to it, reports come back, one octet each. */
static struct {
    pid_t process;
    int orders[2], reports[2];
} other;

static char hear(int fd)
{
    char octet = 0;

    return read(fd, &octet, 1) == 1 ? octet : '\0';
}

static void say(int fd, char octet)
{
    (void)!write(fd, &octet, 1);
}

/* What the other process does: 'p' prepares, 'j' joins, 'd' sends a short message, 's' a long one, 'i' and 'l'
 * report on what has come. */
static _Noreturn void other_run(bool denied)
{
    alarm(LIFE_SECONDS);
    for (;;) {
        char order = hear(other.orders[0]);

        switch (order) {
        case 'p':
            node_prepare(&them, 1);
            break;
        case 'j':
            if (denied) {
                node_deny(&them);
            }
            node_join(&them, 2);
            node_open(&them, 0);
            recorder_sink(&them.core, room, LENGTH, &them);
            break;
        case 'd':
            (void)node_send(&them, &us, 1, data, 8, NULL);
            break;
        case 's':
            (void)node_send(&them, &us, 2, data, LENGTH, NULL);
            break;
        case 'i': /* how many landings were not complete */
            order = (char)('0' + recorder_incomplete(&them.core, RECORDER_LANDED));
            break;
        case 'l': /* waits for the third landing */
            order = recorder_await(&them.core, RECORDER_LANDED, 3) && room[LENGTH - 1] == 3 ? 'l' : 'L';
            break;
        default:
            _exit(0);
        }
        say(other.reports[1], order);
    }
}

static char order(char octet)
{
    say(other.orders[1], octet);
    return hear(other.reports[0]);
}

static void begin(bool denied)
{
    us.self = node_id(0);
    them.self = node_id(1);
    if (pipe(other.orders) != 0 || pipe(other.reports) != 0 || (other.process = fork()) < 0) {
        perror("another process");
        exit(1);
    }
    if (other.process == 0) {
        other_run(denied);
    }
    node_prepare(&us, 0);
    (void)order('p');
    if (denied) {
        node_deny(&us);
    }
    node_join(&us, 2);
    (void)order('j');
    memset(data, 0x5a, LENGTH);
}

static void other_kill(void)
{
    kill(other.process, SIGKILL);
    waitpid(other.process, NULL, 0);
}

static void finish(void)
{
    node_end(&us);
    for (int i = 0; i < 2; i++) {
        close(other.orders[i]);
        close(other.reports[i]);
    }
}

/* A core whose `arrive` kills the sender of a long message, which is in the middle of it then. */
static void arrive_and_kill(void *core, const struct wire_portals_header *header, struct nal_sink *sink)
{
    recorder_upcalls.arrive(core, header, sink);
    if (header->rlength == LENGTH) {
        other_kill();
    }
}

static void open_killing(void)
{
    struct nal_config config = {0, us.self, 2};
    struct nal_upcalls upcalls = recorder_upcalls;

    upcalls.arrive = arrive_and_kill;
    recorder_sink(&us.core, room, LENGTH, &us);
    CHECK_EQ(shm_net_open(us.net, &config, &upcalls, &us.core, &us.nal), NAL_OK, "the interface opens");
}

static void sender_dies(bool denied)
{
    begin(denied);
    open_killing();
    (void)order('d');
    CHECK(recorder_await(&us.core, RECORDER_LANDED, 1), "a short message lands");
    say(other.orders[1], 's');
    CHECK(recorder_await(&us.core, RECORDER_LANDED, 2), "the end of a long one is reported, though its sender is dead");
    CHECK(!recorder_note(&us.core, RECORDER_LANDED, 1).complete, "as not complete");
    finish();
}

static void a_sender_dies_while_it_writes(void)
{
    sender_dies(true);
}

static void a_sender_dies_while_it_lends(void)
{
    sender_dies(false);
}

static void receiver_dies(bool denied)
{
    enum { COUNT = 20 };
    unsigned wrong = 0;

    begin(denied);
    node_open(&us, 0);
    (void)order('d');
    (void)node_send(&us, &them, 0, data, 1, &us);
    CHECK(recorder_await(&us.core, RECORDER_SENT, 1), "a first message leaves");
    CHECK(recorder_await(&us.core, RECORDER_ARRIVE, 1), "and another one comes");
    kill(other.process, SIGSTOP);
    waitpid(other.process, NULL, WUNTRACED);
    for (unsigned i = 0; i < COUNT; i++) {
        wrong += node_send(&us, &them, i, data, LENGTH, &us) != NAL_OK;
    }
    CHECK_EQ(wrong, 0, "messages to a process that has stopped are taken");
    other_kill();
    CHECK(recorder_await(&us.core, RECORDER_SENT, 1 + COUNT), "once it is dead, the end of each is reported");
    CHECK(recorder_incomplete(&us.core, RECORDER_SENT) >= COUNT - 2, "as not complete");
    (void)node_send(&us, &them, 9, data, LENGTH, &us);
    CHECK(recorder_await(&us.core, RECORDER_SENT, 2 + COUNT), "so is that of messages that are sent afterwards");
    finish();
}

static void a_receiver_dies_while_it_reads(void)
{
    receiver_dies(true);
}

static void a_receiver_dies_while_it_fetches(void)
{
    receiver_dies(false);
}

/* The interface closes while the peer takes nothing: the message is given up, and the peer, once it goes on, does not
 * take what it has of it for a whole one. */
static void given_up(bool denied)
{
    begin(denied);
    node_open(&us, 0);
    (void)node_send(&us, &them, 0, data, 1, &us);
    CHECK(recorder_await(&us.core, RECORDER_SENT, 1), "a first message leaves");
    (void)order('d');
    CHECK(recorder_await(&us.core, RECORDER_ARRIVE, 1), "and another one comes");
    kill(other.process, SIGSTOP);
    waitpid(other.process, NULL, WUNTRACED);
    (void)node_send(&us, &them, 1, data, LENGTH, &us);
    nal_close(us.nal);
    CHECK_EQ(recorder_calls(&us.core, RECORDER_SENT), 2, "the close does not wait for a process that has stopped");
    CHECK_EQ(recorder_incomplete(&us.core, RECORDER_SENT), 1, "and reports what it gave up");
    memset(data, 3, LENGTH);
    node_open(&us, 0);
    (void)node_send(&us, &them, 2, data, LENGTH, &us);
    kill(other.process, SIGCONT);
    CHECK_EQ(order('l'), 'l', "what is sent after that arrives whole");
    CHECK_EQ(order('i'), '1', "but what was given up does not count as received");
    CHECK(recorder_await(&us.core, RECORDER_SENT, 3), "the sender is told");
    other_kill();
    finish();
}

static void a_written_message_is_given_up(void)
{
    given_up(true);
}

static void a_lent_message_is_given_up(void)
{
    given_up(false);
}

int main(void)
{
    data = malloc(LENGTH);
    room = calloc(1, LENGTH);
    signal(SIGPIPE, SIG_IGN);
    TAP_RUN(a_sender_dies_while_it_writes);
    TAP_RUN(a_sender_dies_while_it_lends);
    TAP_RUN(a_receiver_dies_while_it_reads);
    TAP_RUN(a_receiver_dies_while_it_fetches);
    TAP_RUN(a_written_message_is_given_up);
    TAP_RUN(a_lent_message_is_given_up);
    free(data);
    free(room);
    return tap_done();
}
