/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The shared memory itself: that nothing of it stays behind, who finds whose, and that nonsense in it does no harm.
 */
#include "ref-impl/nal/shm/brief.h"
#include "ref-impl/nal/shm/net.h"
#include "tests/refshm/node.h"
#include "tests/unit/tap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static struct node a, b;

/* Whether the inbox of that rank has a name. */
static bool is_named(uint32_t rank)
{
    struct wire_portals_id id = node_id(rank);
    DIR *place = opendir("/dev/shm");
    const struct dirent *entry;
    char end[32];
    bool found = false;

    snprintf(end, sizeof end, "-%08x-%u", (unsigned)id.nid, (unsigned)id.pid);
    while (place && (entry = readdir(place))) {
        size_t len = strlen(entry->d_name);

        found = found || (strncmp(entry->d_name, "assay-shm-", 10) == 0 && len > strlen(end) &&
                          strcmp(entry->d_name + len - strlen(end), end) == 0);
    }
    if (place) {
        closedir(place);
    }
    return found;
}

static void names_go_when_all_have_found_each_other(void)
{
    node_prepare(&a, 0);
    node_prepare(&b, 1);
    CHECK(is_named(0) && is_named(1), "names are there to be found");
    node_join(&a, 2);
    CHECK(is_named(0) && !is_named(1), "the last who looks for an inbox takes its name away");
    node_join(&b, 2);
    CHECK(!is_named(0) && !is_named(1), "all names are gone as soon as the job is complete");
    node_end(&a);
    node_end(&b);
    node_prepare(&a, 0);
    node_join(&a, 1);
    CHECK(!is_named(0), "nobody looks for one who is alone");
    node_end(&a);
    node_prepare(&a, 0);
    node_end(&a);
    CHECK(!is_named(0), "one who leaves before the job is complete takes the name along");
}

static void what_a_killed_process_leaves_is_removed(void)
{
    int ready[2];
    char octet;

    CHECK(pipe(ready) == 0, "a pipe");
    pid_t child = fork();
    if (child == 0) {
        node_prepare(&b, 1);
        (void)!write(ready[1], "", 1);
        pause();
        _exit(0);
    }
    CHECK(read(ready[0], &octet, 1) == 1, "another process has prepared itself");
    node_prepare(&a, 0);
    CHECK(is_named(1), "what belongs to the living is left alone");
    node_end(&a);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    /* It leaves a name, which the next process removes: here, or of whatever job begins now. */
    node_prepare(&a, 0);
    CHECK(!is_named(1), "a killed process leaves no name behind the next one");
    node_end(&a);
    close(ready[0]);
    close(ready[1]);
}

static void another_job_is_not_found(void)
{
    struct wire_portals_header put;

    node_prepare(&a, 0);
    node_prepare(&b, 1);
    b.net->segment.inbox->secret++;
    node_join(&a, 2);
    node_open(&a, 0);
    put = node_put(&a, &b, 1, 0);
    CHECK_EQ(nal_send(a.nal, &put, NULL, 0, NULL), NAL_NO_ROUTE, "an inbox with another secret is none of ours");
    node_end(&a);
    node_prepare(&a, 0);
    b.net->segment.inbox->secret--;
    b.net->segment.inbox->record_octets++;
    node_join(&a, 2);
    node_open(&a, 0);
    CHECK_EQ(nal_send(a.nal, &put, NULL, 0, NULL), NAL_NO_ROUTE, "nor is one of another build");
    node_end(&a);
    node_end(&b);
}

/* Has node a write a record into b's ring that no sender makes. */
static void say(const struct shm_record *record, uint64_t more)
{
    struct shm_endpoint *endpoint = &a.net->peers[0].endpoints[0];

    lock_take(&a.net->lock);
    (void)shm_endpoint_usable(endpoint);
    shm_ring_write(endpoint->out, 0, record, sizeof *record);
    shm_ring_publish(endpoint->out, sizeof *record + more);
    shm_bell_mark(endpoint->peer->inbox, 0, 0);
    lock_give(&a.net->lock);
}

static void nonsense(const struct shm_record *record, uint64_t more, const char *what)
{
    node_pair(&a, &b);
    say(record, more);
    CHECK(recorder_await(&b.core, RECORDER_DROPPED, 1), "%s", what);
    (void)node_send(&a, &b, 2, NULL, 0, NULL);
    (void)node_send(&b, &a, 3, NULL, 0, NULL);
    CHECK(recorder_await(&a.core, RECORDER_ARRIVE, 1), "the one who got it goes on");
    node_end(&a);
    node_end(&b);
    CHECK_EQ(recorder_calls(&b.core, RECORDER_ARRIVE), 0, "and hears the one who wrote it no more");
    CHECK_EQ(recorder_calls(&b.core, RECORDER_DROPPED), 1, "it is counted once");
}

static void nonsense_does_no_harm(void)
{
    struct shm_record record = {.form = SHM_FORM_WHOLE,
                                .header = {.operation = 77, .initiator = node_id(0), .target = node_id(1)}};

    nonsense(&record, 0, "an unknown operation is counted");
    record.header.operation = WIRE_PORTALS_HELLO;
    nonsense(&record, 0, "so is a HELLO");
    record.header.operation = WIRE_PORTALS_PUT;
    record.header.rlength = UINT64_MAX;
    nonsense(&record, 0, "so is a length that cannot be");
    record.header.rlength = 0;
    nonsense(&record, 10 * SHM_RING_OCTETS, "so is a position outside of the ring");
}

static void memory_that_is_none_is_not_fetched(void)
{
    static unsigned char room[1 << 20], data[1 << 20];
    void *nowhere = mmap(NULL, sizeof room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    node_pair(&a, &b);
    recorder_sink(&b.core, room, sizeof room, &b);
    (void)node_send(&a, &b, 1, data, 1, NULL);
    CHECK(recorder_await(&b.core, RECORDER_LANDED, 1), "a first message tells the sender that it may lend");
    (void)node_send(&a, &b, 2, nowhere, sizeof room, &a);
    CHECK(recorder_await(&b.core, RECORDER_LANDED, 2), "payload that is no memory ends");
    CHECK_EQ(recorder_incomplete(&b.core, RECORDER_LANDED), 1, "not complete");
    CHECK(recorder_await(&a.core, RECORDER_SENT, 1), "for the sender too");
    recorder_sink(&b.core, nowhere, sizeof room, &b);
    (void)node_send(&a, &b, 3, data, sizeof room, &a);
    CHECK(recorder_await(&b.core, RECORDER_LANDED, 3), "so does payload for what is no memory");
    CHECK_EQ(recorder_incomplete(&b.core, RECORDER_LANDED), 2, "not complete");
    recorder_sink(&b.core, room, sizeof room, &b);
    memset(data, 5, sizeof data);
    (void)node_send(&a, &b, 4, data, sizeof room, &a);
    CHECK(recorder_await(&b.core, RECORDER_LANDED, 4), "the next message lands");
    CHECK_MEM(room, data, sizeof room, "whole");
    node_end(&a);
    node_end(&b);
    munmap(nowhere, sizeof room);
}

/* Two calls of the system as a signal may interrupt them: in place of libc's, so many times. */
static int fallocate_interruptions, flock_interruptions;

int posix_fallocate(int fd, off_t offset, off_t len)
{
    if (fallocate_interruptions > 0) {
        fallocate_interruptions--;
        return EINTR;
    }
    return fallocate(fd, 0, offset, len) == 0 ? 0 : errno;
}

int flock(int fd, int how)
{
    if (flock_interruptions > 0) {
        flock_interruptions--;
        errno = EINTR;
        return -1;
    }
    return (int)syscall(SYS_flock, fd, how);
}

static void signals_do_not_stop_the_making(void)
{
    fallocate_interruptions = flock_interruptions = 3;
    node_prepare(&a, 0);
    CHECK_EQ(fallocate_interruptions + flock_interruptions, 0, "what is interrupted is done again");
    CHECK(is_named(0), "until the inbox is there");
    node_end(&a);
}

int main(void)
{
    TAP_RUN(names_go_when_all_have_found_each_other);
    TAP_RUN(what_a_killed_process_leaves_is_removed);
    TAP_RUN(another_job_is_not_found);
    TAP_RUN(nonsense_does_no_harm);
    TAP_RUN(memory_that_is_none_is_not_fetched);
    TAP_RUN(signals_do_not_stop_the_making);
    return tap_done();
}
