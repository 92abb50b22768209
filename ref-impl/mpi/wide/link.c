/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The link of the wide-area device: octets to and from the host agent (ref-impl/impi/common/link.h). Whoever has a
 * packet writes as much as goes without blocking; what is left is written when there is room by whoever has the turn,
 * and that one reads, too: the thread, or in its place the program, where it waits for nothing else
 * (ref-impl/nal/drive.h). A packet is handed on when all of it has come (IMPI 3.7.3).
 *
 * The end: we say FINI when the program is finalized, and go on reading and answering until the agent says FINI (3.8).
 * A link that ends otherwise means that the job is being ended; who ended it has said why.
 */
#include "ref-impl/mpi/wide/link.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ref-impl/impi/common/link.h"
#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/messages/engine_lock.h"
#include "ref-impl/nal/drive.h"
#include "ref-impl/nal/thread.h"

enum { BATCH = 16, PIECES_IN_A_ROW = 256, AHEAD_OCTETS = 2048 };

/* What has come: of the packet at hand, and octets behind it that were read together with it, so that a short packet is
 * read at once. Of whoever has the turn. */
struct reading {
    unsigned char head[WIRE_IMPI_PACKET_OCTETS];
    size_t head_len;
    struct wire_impi_packet packet;
    unsigned char *octets; /* room for its data: of its own, or where the receive wants them */
    size_t len;
    unsigned char ahead[AHEAD_OCTETS];
    size_t ahead_at, ahead_end;
    bool waits;   /* the next read sleeps until there is something */
    bool drained; /* the last read took all that was there */
    bool more;    /* there may be more than was read */
    bool ended;   /* the agent has said that all is over */
};

static int link_fd = -1, bell = -1;
static wide_link_place *place;
static wide_link_arrived *arrived;
static pthread_t thread;
static struct drive drive; /* who reads */
static struct reading reading;

/* How whoever reads takes the engine's lock. */
static const struct locks {
    void (*lock)(void), (*unlock)(void);
} of_program = {engine_lock, engine_unlock}, of_thread = {engine_lock_beside, engine_unlock_beside};
static struct wide_packet_list outgoing; /* guarded by the engine's lock */
static bool blocked;                     /* likewise: the thread is to write the rest */

struct wide_packet *wide_link_new(void)
{
    struct wide_packet *packet = calloc(1, sizeof(*packet));

    if (!packet) {
        world_abort(1, "there is no memory for a packet to another client");
    }
    return packet;
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

/* All of a packet has been written. */
static void written(struct wide_packet *packet)
{
    TAILQ_REMOVE(&outgoing, packet, link);
    if (packet->request) {
        packet->written_off(packet->request);
    }
    free(packet);
}

/* What is left of a packet, as one or two pieces. */
static size_t pieces(const struct wide_packet *packet, struct iovec *iov)
{
    size_t head = packet->written < sizeof(packet->head) ? sizeof(packet->head) - packet->written : 0;
    size_t data = packet->len + sizeof(packet->head) - packet->written - head;
    size_t count = 0;

    if (head) {
        iov[count++] = (struct iovec){(unsigned char *)packet->head + packet->written, head};
    }
    if (data) {
        iov[count++] = (struct iovec){(unsigned char *)packet->octets + packet->len - data, data};
    }
    return count;
}

/* Takes account of so many octets that were written. */
static void account(size_t octets)
{
    while (octets > 0) {
        struct wide_packet *packet = TAILQ_FIRST(&outgoing);
        // NOLINTNEXTLINE(clang-analyzer-unix.Malloc): what is freed has left the list, by its back pointer
        size_t left = sizeof(packet->head) + packet->len - packet->written;

        if (octets < left) {
            packet->written += octets;
            return;
        }
        octets -= left;
        written(packet);
    }
}

/* Writes what goes without blocking. False when something is left. */
static bool write_some(void)
{
    while (!TAILQ_EMPTY(&outgoing)) {
        struct iovec iov[2 * BATCH];
        struct msghdr message = {.msg_iov = iov};
        struct wide_packet *packet = TAILQ_FIRST(&outgoing);
        ssize_t sent;

        // NOLINTBEGIN(clang-analyzer-unix.Malloc): what is freed has left the list, by its back pointer
        for (int i = 0; i < BATCH && packet; i++, packet = TAILQ_NEXT(packet, link)) {
            message.msg_iovlen += pieces(packet, iov + message.msg_iovlen);
        }
        // NOLINTEND(clang-analyzer-unix.Malloc)
        sent = sendmsg(link_fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent < 0) {
            return errno != EAGAIN && errno != EWOULDBLOCK; /* a broken link is noticed by who reads */
        }
        account((size_t)sent);
    }
    return true;
}

static void ring(void)
{
    uint64_t once = 1;

    if (write(bell, &once, sizeof(once)) < 0 && errno != EAGAIN) {
        world_abort(1, "cannot wake the thread of the wide-area device");
    }
}

/* Puts an urgent packet before those of which nothing has been written. */
static void insert(struct wide_packet *packet, bool urgent)
{
    struct wide_packet *next = urgent ? TAILQ_FIRST(&outgoing) : NULL;

    if (next && next->written > 0) {
        next = TAILQ_NEXT(next, link);
    }
    if (next) {
        TAILQ_INSERT_BEFORE(next, packet, link);
    } else {
        TAILQ_INSERT_TAIL(&outgoing, packet, link);
    }
}

void wide_link_push(struct wide_packet *packet, const struct wire_impi_packet *head, bool urgent)
{
    if (wire_impi_packet_encode(head, packet->head, sizeof(packet->head)) != WIRE_OK) { //= IMPI-108
        world_abort(1, "a packet does not fit its own head");
    }
    insert(packet, urgent);
    if (!blocked && !write_some()) {
        blocked = true;
        ring();
    }
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

/* Asks the socket for octets; 0 when there are none at this time. Ends the process when there will never be. */
//= IMPI-180
static size_t receive(struct reading *r, void *octets, size_t len)
{
    ssize_t got = recv(link_fd, octets, len, r->waits ? 0 : MSG_DONTWAIT);

    r->waits = false;
    r->drained = got < (ssize_t)len;
    if (got > 0) {
        return (size_t)got;
    }
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) {
        return 0;
    }
    world_abort(1, NULL);
}

/* Reads some octets, 0 when there are none: few by way of `ahead`, many to where they belong. */
static size_t read_some(struct reading *r, void *octets, size_t len)
{
    size_t here = r->ahead_end - r->ahead_at;

    if (here == 0 && r->drained) {
        return 0; /* the next wait says when there is more */
    }
    if (here == 0 && len >= sizeof(r->ahead)) {
        return receive(r, octets, len);
    }
    if (here == 0) {
        r->ahead_at = 0;
        r->ahead_end = here = receive(r, r->ahead, sizeof(r->ahead));
    }
    len = len < here ? len : here;
    memcpy(octets, r->ahead + r->ahead_at, len);
    r->ahead_at += len;
    return len;
}

/* A head has come: makes room for the data behind it. */
static void begin_packet(struct reading *r, const struct locks *locks)
{
    r->len = 0;
    r->octets = NULL;
    if (wire_impi_packet_decode(r->head, sizeof(r->head), &r->packet) != WIRE_OK) {
        world_abort(1, "the host agent has sent a packet of a type that does not exist"); //= IMPI-254
    }
    if (!wire_impi_packet_has_data(r->packet.type)) {
        r->packet.len = 0; //= IMPI-119 IMPI-120
    }
    if (r->packet.len > world_now()->datalen) { //= IMPI-255
        world_abort(1, "the host agent has sent a packet with more data than was agreed on");
    }
    if (r->packet.len > 0) {
        locks->lock();
        r->octets = place(&r->packet);
        locks->unlock();
    }
    if (r->packet.len > 0 && !r->octets) {
        r->octets = malloc(r->packet.len);
        if (!r->octets) {
            world_abort(1, "there is no memory for a packet from another client");
        }
    }
}

/* Reads a piece of a packet. True when it is all there: then it is the caller's. */
static bool read_packet(struct reading *r, bool *nothing, const struct locks *locks)
{
    size_t got;

    *nothing = false;
    if (r->head_len < sizeof(r->head)) {
        got = read_some(r, r->head + r->head_len, sizeof(r->head) - r->head_len);
        *nothing = got == 0;
        r->head_len += got;
        if (r->head_len < sizeof(r->head)) {
            return false;
        }
        begin_packet(r, locks);
    }
    if (r->len < r->packet.len) {
        got = read_some(r, r->octets + r->len, r->packet.len - r->len);
        *nothing = got == 0;
        r->len += got;
    }
    if (r->len < r->packet.len) {
        return false;
    }
    r->head_len = 0;
    return true;
}

/* Reads what has come; not for ever, since there may be something to write. Whether anything has. With the turn. */
static bool read_much(const struct locks *locks)
{
    struct reading *r = &reading;
    bool nothing = false;
    int piece = 0;

    for (r->drained = false; !nothing && !r->ended && piece < PIECES_IN_A_ROW; piece++) {
        bool whole = read_packet(r, &nothing, locks);

        r->waits = false;
        if (!whole) {
            continue;
        }
        r->ended = r->packet.type == WIRE_IMPI_FINI && !link_fini_names(&r->packet.src);
        if (!r->ended) {
            locks->lock();
            arrived(&r->packet, r->octets);
            locks->unlock();
        }
    }
    r->more = !nothing;
    return piece > 1 || !nothing;
}

/* Does what can be done without waiting. With the turn. */
static bool advance(const struct locks *locks)
{
    locks->lock();
    blocked = blocked && !write_some();
    locks->unlock();
    return read_much(locks);
}

/* Sleeps until there is something to do, or for the thread, until its bell rings. */
static void sleep_on(bool writes, int with_bell)
{
    struct pollfd fds[2] = {{.fd = link_fd, .events = POLLIN}, {.fd = bell, .events = POLLIN}};
    uint64_t rung;

    fds[0].events |= writes ? POLLOUT : 0;
    if (poll(fds, 1 + (nfds_t)with_bell, -1) < 0 && errno != EINTR) {
        world_abort(1, "cannot wait for the host agent");
    }
    if (fds[1].revents && read(bell, &rung, sizeof(rung)) < 0 && errno != EAGAIN) {
        world_abort(1, "cannot be woken any more");
    }
}

static void *run(void *unused)
{
    bool ended = false, writes = false, more = true;

    while (!ended) {
        if (drive_thread_take(&drive)) {
            (void)advance(&of_thread);
            engine_lock_beside();
            writes = blocked;
            engine_unlock_beside();
            ended = reading.ended;
            more = reading.more;
            drive_thread_give(&drive);
        }
        if (!ended && drive_thread_spared(&drive)) {
            drive_thread_aside(&drive);
        } else if (!ended && !more) {
            sleep_on(writes, 1);
        }
    }
    return unused;
}

/* Waits until something has come. The program's thread, with the turn and without the lock. Where no processor is to
 * spare it sleeps at once: what comes passes the host agents, which need one. */
static void await(void)
{
    bool came = false;

    if (!drive.spin.crowded || !drive_spin_may_sleep()) {
        drive_spin_begin(&drive.spin);
        while (!(came = advance(&of_program)) && drive_spin_again(&drive.spin)) {
        }
        drive_spin_end(&drive.spin, came);
    }
    if (!came && drive_spin_may_sleep()) {
        drive_sleeps(&drive, true);
        if (blocked) {
            sleep_on(true, 0);
        }
        reading.waits = !blocked;
        (void)advance(&of_program);
        reading.waits = false;
        drive_sleeps(&drive, false);
    }
}

bool wide_link_wait(void)
{
    if (link_fd < 0) {
        return false;
    }
    if (!drive_take(&drive)) {
        engine_unlock(); /* the thread has the turn for a moment, and may want the lock */
        sched_yield();
        engine_lock();
        return true;
    }
    engine_unlock(); /* only now: nothing can have come since the caller looked */
    await();
    if (reading.more || reading.ended) {
        ring(); /* the thread goes on */
    }
    drive_give(&drive);
    engine_lock();
    return true;
}

/* ---- the beginning and the end ---------------------------------------------------------------------------------- */

bool wide_link_open(int fd, wide_link_place *places, wide_link_arrived *arrivals)
{
    link_fd = fd;
    place = places;
    arrived = arrivals;
    TAILQ_INIT(&outgoing);
    blocked = false;
    reading = (struct reading){.head_len = 0};
    drive_init(&drive, (uint32_t)world_now()->native + 2 /* the agent, and one to spare */);
    bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    int error = bell < 0 ? errno : thread_start(&thread, run, NULL);
    if (error != 0) {
        fprintf(stderr, "mpi: cannot start a thread for the host agent: %s\n", strerror(error));
    }
    return error == 0;
}

void wide_link_finish(void)
{
    struct wire_impi_packet fini = {.type = WIRE_IMPI_FINI}; //= IMPI-124

    wide_link_push(wide_link_new(), &fini, false); //= IMPI-178
}

void wide_link_close(void)
{
    struct wide_packet *packet;

    pthread_join(thread, NULL); //= IMPI-091
    while ((packet = TAILQ_FIRST(&outgoing))) {
        TAILQ_REMOVE(&outgoing, packet, link);
        free(packet);
    }
    close(bell);
    link_fd = bell = -1;
}
