/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The IMPI server's loop; see server.h. One thread, which never waits for one client: what each of them says is heard
 * in its session (session.h), labels are joined in collect.h, and what goes out waits in the peer's queue.
 *
 *      GATHERING --all ranks taken: IMPI to all--> COLLECTING --all DONE: DONE to all--> RUNNING --all FINI--> ENDED
 *
 * While the job gathers, a client that is lost makes room for another one with its rank. Later its loss is the end of
 * the job: the others are told by the end of their connections, the user by a line and by the exit status (2.3.7).
 */
#include "ref-impl/impi/server/server.h"

#include "ref-impl/clock.h"
#include "ref-impl/impi/server/collect.h"
#include "ref-impl/impi/server/peer.h"
#include "ref-impl/launch/output.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    UNIDENTIFIED_MAX = 128, /* connections that are no clients of the job; the oldest one gives way */
    READ_OCTETS = 65536,    /* at once from one peer */
    HELD_MAX = 8 << 20,     /* octets of labels that one client may be ahead of the others */
    WAITING_MAX = 8 << 20,  /* octets that one client may leave unread before the others have to wait */
    PAUSE_MS = 1000         /* how long nobody is let in where there is no descriptor */
};

enum phase { PHASE_GATHERING, PHASE_COLLECTING, PHASE_RUNNING, PHASE_ENDED };

struct server {
    const struct server_options *options;
    enum phase phase;
    int status;
    int listen_fd;
    bool accept_paused; /* there was no descriptor for one more connection: they wait until there is one */
    bool told_paused;
    struct collect *collect;
    struct peer *peers; /* oldest first */
    size_t count;
    uint32_t joined, finished;
    struct peer *members[WIRE_IMPI_CLIENTS_MAX];
    struct pollfd *polled;
    size_t polled_cap;
};

/* The job has failed; a line on stderr has said why. */
static void job_break(struct server *s)
{
    if (s->phase != PHASE_ENDED) {
        fputs("impirun: the job cannot go on without it; ending the connections to all clients\n", stderr);
    }
    s->phase = PHASE_ENDED;
    s->status = 1;
}

/* Takes a peer off the list and ends it. */
static void peer_remove(struct server *s, struct peer *peer)
{
    struct peer **at = &s->peers;

    while (*at != peer) {
        at = &(*at)->next;
    }
    *at = peer->next;
    s->count--;
    peer_end(peer);
    s->accept_paused = false;
}

/* The end of a connection, whoever ended it; stderr has been told. What does it mean for the job? */
static void peer_lose(struct server *s, struct peer *peer)
{
    if (peer->rank >= 0) {
        s->members[peer->rank] = NULL;
        s->joined--;
        if (s->phase == PHASE_GATHERING) {
            collect_forget(s->collect, (uint32_t)peer->rank);
        } else if (peer->session.state != SESSION_FINISHED) {
            job_break(s);
        }
    }
    peer_remove(s, peer);
}

//= IMPI-081
//= IMPI-241
//= IMPI-248
static void peer_ended(struct server *s, struct peer *peer, const char *how)
{
    if (peer->session.state != SESSION_FINISHED) {
        peer_report(peer, "%s before it %s%s", how, session_state_text(&peer->session),
                    session_in_message(&peer->session) ? ", in the middle of a command" : "");
    }
    peer_lose(s, peer);
}

/* Always false: the peer is gone. */
static bool peer_refuse(struct server *s, struct peer *peer, const char *why)
{
    peer_report(peer, "is cut off: %s", why);
    peer_lose(s, peer);
    return false;
}

/* A message without payload of its own, to one peer. */
static bool command_say(struct peer *peer, struct wire_impi_command command)
{
    unsigned char octets[WIRE_IMPI_COMMAND_MAX];
    size_t used = 0;

    return wire_impi_command_encode(WIRE_IMPI_FROM_SERVER, &command, octets, sizeof octets, &used) == WIRE_OK &&
           peer_say(peer, octets, used);
}

static void command_say_all(struct server *s, struct wire_impi_command command)
{
    for (uint32_t rank = 0; rank < s->options->clients; rank++) {
        if (s->members[rank] && !command_say(s->members[rank], command)) {
            peer_report(s->members[rank], "cannot be told anything: no memory");
            job_break(s);
        }
    }
}

//= IMPI-029
static bool choice_tell(struct server *s, struct peer *peer, int method)
{
    if (method == WIRE_IMPI_AUTH_NONE) {
        peer_report(peer, "is let in without authentication (IMPI_AUTH_NONE): a warning"); //= IMPI-039
    }
    return command_say(peer, (struct wire_impi_command){.kind = WIRE_IMPI_SAYS_CHOICE, .which = method}) ||
           peer_refuse(s, peer, "no memory");
}

/* A peer wants to be a client. */
static bool rank_take(struct server *s, struct peer *peer, int32_t rank)
{
    char why[128];

    //= IMPI-245
    if (rank < 0 || (uint32_t)rank >= s->options->clients) {
        snprintf(why, sizeof why, "it says that it is client %" PRId32 ", in a job of %" PRIu32, rank,
                 s->options->clients);
        return peer_refuse(s, peer, why);
    }
    //= IMPI-244
    if (s->members[rank]) {
        snprintf(why, sizeof why, "client %" PRId32 " is at %s already", rank, s->members[rank]->place);
        return peer_refuse(s, peer, why);
    }
    if (s->phase != PHASE_GATHERING) { /* it has finished and left: nobody else can become it */
        snprintf(why, sizeof why, "client %" PRId32 " has been there, and has finished", rank);
        return peer_refuse(s, peer, why);
    }
    peer->rank = rank;
    s->members[rank] = peer;
    s->joined++;
    return true;
}

static bool label_take(struct server *s, struct peer *peer, const struct session_event *event)
{
    char text[96];

    switch (collect_add(s->collect, (uint32_t)peer->rank, event->label, event->octets, event->len)) {
    case COLLECT_TAKEN:
        return true;
    case COLLECT_OUT_OF_ORDER:
    case COLLECT_REPEATED:
    case COLLECT_LATE:
        snprintf(text, sizeof text, "submits label 0x%" PRIx32 " again or too late, which is ignored",
                 (uint32_t)event->label);
        peer_note(peer, text);
        return true;
    case COLLECT_NO_MEMORY:
        break;
    }
    return peer_refuse(s, peer, "no memory for its labels");
}

//= IMPI-078
static bool fini_take(struct server *s, struct peer *peer)
{
    if (s->phase != PHASE_RUNNING) {
        peer->session.state = SESSION_DONE; /* it has not finished in order */
        return peer_refuse(s, peer, "it says FINI before all clients are DONE");
    }
    s->finished++;
    return true;
}

/* What a peer has said. False: the peer is gone. */
static bool event_handle(struct server *s, struct peer *peer, const struct session_event *event)
{
    switch (event->kind) {
    case SESSION_MORE:
        return true;
    case SESSION_CHOICE:
        return choice_tell(s, peer, event->method);
    case SESSION_RANK:
        return rank_take(s, peer, event->rank);
    case SESSION_LABEL:
        return label_take(s, peer, event);
    case SESSION_NO_MORE_LABELS:
        (void)collect_done(s->collect, (uint32_t)peer->rank);
        return true;
    case SESSION_FINI:
        return fini_take(s, peer);
    case SESSION_NOTE:
        peer_note(peer, event->text);
        return true;
    case SESSION_BAD:
        break;
    }
    return peer_refuse(s, peer, event->text);
}

/* A secure channel has been chosen. What the peer has said behind AUTH was plain, and nothing plain is listened to now.
 * False: the peer is gone. */
static bool peer_seal(struct server *s, struct peer *peer, size_t unheard)
{
    char why[96];

    if (unheard > 0) {
        snprintf(why, sizeof why, "it sends %zu plain octets where the handshake of a secure channel was to come",
                 unheard);
        return peer_refuse(s, peer, why);
    }
    return peer_secure(peer, s->options->key, &s->options->auth) ||
           peer_refuse(s, peer, "no memory for a secure channel");
}

/* Hears what has come from a peer. False: the peer is gone. */
static bool peer_hear(struct server *s, struct peer *peer)
{
    const unsigned char *octets = queue_front(&peer->in);
    size_t len = queue_len(&peer->in);
    struct session_event event;

    do {
        session_next(&peer->session, &octets, &len, &event);
        if (!event_handle(s, peer, &event)) {
            return false;
        }
        if (event.kind == SESSION_CHOICE && event.method == AUTH_SECURE && !peer_seal(s, peer, len)) {
            return false;
        }
    } while (event.kind != SESSION_MORE);
    queue_take(&peer->in, queue_len(&peer->in));
    return true;
}

static void peer_read(struct server *s, struct peer *peer)
{
    switch (secure_receive(peer->secure, peer->fd, &peer->in, READ_OCTETS)) {
    case QUEUE_MOVED:
        (void)peer_hear(s, peer);
        return;
    case QUEUE_ENDED:
        peer_ended(s, peer, "ended its connection");
        return;
    case QUEUE_BROKEN:
        if (*secure_error(peer->secure)) {
            char why[256];

            snprintf(why, sizeof why, "the secure channel (-tls) to it is broken: %s", secure_error(peer->secure));
            (void)peer_refuse(s, peer, why);
            return;
        }
        peer_ended(s, peer, errno == ECONNRESET ? "reset its connection" : "was lost");
        return;
    }
}

static void peer_serve(struct server *s, struct peer *peer, short happened)
{
    bool broken = (happened & (POLLHUP | POLLERR)) != 0;
    bool readable = (happened & POLLIN) || (broken && (peer->watched & POLLIN)); /* reading tells how it ended */

    if ((happened & POLLOUT) && secure_send(peer->secure, peer->fd, &peer->out) == QUEUE_BROKEN) {
        broken = true;
        readable = false;
    }
    if (readable) {
        peer_read(s, peer);
    } else if (broken) {
        peer_ended(s, peer, "was lost");
    }
}

/* The oldest connection that is no client of the job gives way; false: there is none. */
static bool unidentified_remove(struct server *s)
{
    for (struct peer *peer = s->peers; peer; peer = peer->next) {
        if (peer->rank < 0) {
            return peer_refuse(s, peer, "too many connections that say nothing"), true;
        }
    }
    return false;
}

/* A new connection, at the end of the list. */
static void peer_add(struct server *s, int fd)
{
    struct peer **at = &s->peers;

    if (s->count - s->joined >= UNIDENTIFIED_MAX) {
        (void)unidentified_remove(s);
    }
    struct peer *peer = peer_begin(fd, s->options->key ? &auth_secure : &s->options->auth);
    if (peer) {
        while (*at) {
            at = &(*at)->next;
        }
        *at = peer;
        s->count++;
    }
}

/* All descriptors are those of clients. The listening socket would stay ready and be asked in vain, for ever: it is
 * left alone until a client leaves, or for a while. */
static void pause_accepting(struct server *s, const char *why)
{
    if (!s->told_paused) {
        fprintf(stderr, "impirun: cannot take another connection: %s; raise the limit (ulimit -n)\n", why);
    }
    s->accept_paused = s->told_paused = true;
}

static void guests_accept(struct server *s)
{
    bool more = true;

    while (more) {
        int fd = accept4(s->listen_fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

        if (fd >= 0) {
            peer_add(s, fd);
        } else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
            const char *why = strerror(errno);

            more = unidentified_remove(s);
            if (!more) {
                pause_accepting(s, why);
            }
        } else {
            more = errno == EINTR || errno == ECONNABORTED;
        }
    }
}

/* How many octets the slowest client has not taken yet. */
static size_t waiting(const struct server *s)
{
    size_t most = 0;

    for (uint32_t rank = 0; rank < s->options->clients; rank++) {
        const struct peer *peer = s->members[rank];

        most = peer && queue_len(&peer->out) > most ? queue_len(&peer->out) : most;
    }
    return most;
}

//= IMPI-047
//= IMPI-048
static void labels_broadcast(struct server *s)
{
    unsigned char *octets = NULL;
    bool no_memory = false;
    size_t len = 0;

    while (waiting(s) < WAITING_MAX && collect_next(s->collect, &octets, &len, &no_memory)) {
        for (uint32_t rank = 0; rank < s->options->clients; rank++) {
            no_memory = !peer_say(s->members[rank], octets, len) || no_memory;
        }
        free(octets);
    }
    if (no_memory) {
        fputs("impirun: no memory for the labels of all clients\n", stderr);
        job_break(s);
    }
}

/* Does what has become possible. */
static void job_advance(struct server *s)
{
    if (s->phase == PHASE_GATHERING && s->joined == s->options->clients) {
        s->phase = PHASE_COLLECTING; //= IMPI-041
        //= IMPI-042
        command_say_all(s, (struct wire_impi_command){.kind = WIRE_IMPI_SAYS_IMPI,
                                                      .cmd = WIRE_IMPI_CMD_IMPI,
                                                      .len = 4,
                                                      .size = (int32_t)s->options->clients});
    }
    if (s->phase == PHASE_COLLECTING) {
        labels_broadcast(s);
        if (s->phase == PHASE_COLLECTING && collect_finished(s->collect)) {
            s->phase = PHASE_RUNNING; //= IMPI-075
            command_say_all(s, (struct wire_impi_command){.kind = WIRE_IMPI_SAYS_DONE, .cmd = WIRE_IMPI_CMD_DONE});
        }
    }
    if (s->phase == PHASE_RUNNING && s->finished == s->options->clients) {
        s->phase = PHASE_ENDED; //= IMPI-079
    }
}

/* Whether to hear more from a peer now: nobody gets far ahead of the others. */
static bool peer_may_speak(const struct server *s, const struct peer *peer, size_t unread)
{
    return peer->rank < 0 || (unread < WAITING_MAX && collect_held(s->collect, (uint32_t)peer->rank) < HELD_MAX);
}

/* Sends what waits, and says what to watch: the listening socket first, then the peers in their order. 0: no memory.
 */
static size_t poll_prepare(struct server *s)
{
    size_t unread = waiting(s);
    size_t count = 1;

    if (s->count + 1 > s->polled_cap) {
        size_t cap = 2 * (s->count + 1);
        struct pollfd *polled = realloc(s->polled, cap * sizeof *polled);

        if (!polled) {
            return 0;
        }
        s->polled = polled;
        s->polled_cap = cap;
    }
    s->polled[0] = (struct pollfd){s->accept_paused ? -1 : s->listen_fd, POLLIN, 0};
    for (struct peer *peer = s->peers; peer; peer = peer->next) {
        (void)secure_send(peer->secure, peer->fd, &peer->out); /* a failure shows itself in poll */
        peer->watched =
            (short)((peer_may_speak(s, peer, unread) ? POLLIN : 0) | (queue_len(&peer->out) > 0 ? POLLOUT : 0));
        s->polled[count++] = (struct pollfd){peer->fd, peer->watched, 0};
    }
    return count;
}

/* Gives up handshakes that have lasted too long. Says how long poll may wait until the next one has; -1: without end.
 */
static int handshakes_limit(struct server *s)
{
    uint64_t now = clock_now_ms();
    uint64_t due = UINT64_MAX;

    for (struct peer *peer = s->peers, *next = NULL; peer; peer = next) {
        next = peer->next;
        if (peer_handshakes(peer) && peer->handshake_until_ms <= now) {
            (void)peer_refuse(s, peer, "the handshake of its secure channel (-tls) has not come to its end in time");
        } else if (peer_handshakes(peer) && peer->handshake_until_ms < due) {
            due = peer->handshake_until_ms;
        }
    }
    return due == UINT64_MAX ? -1 : (int)(due - now);
}

/* How long to wait for something to happen. */
static int patience_ms(const struct server *s, int handshakes_ms)
{
    return s->accept_paused && (handshakes_ms < 0 || handshakes_ms > PAUSE_MS) ? PAUSE_MS : handshakes_ms;
}

/* One round: waits until something happens, and does what is to be done. */
//= IMPI-246
static void round_serve(struct server *s)
{
    int handshakes_ms = handshakes_limit(s);
    size_t count = poll_prepare(s);
    struct peer *peer = s->peers;

    if (count == 0) {
        fputs("impirun: no memory for another connection\n", stderr);
        job_break(s);
        return;
    }
    int ready = poll(s->polled, count, patience_ms(s, handshakes_ms));

    s->accept_paused = s->accept_paused && ready != 0;
    if (ready < 0) {
        return; /* a signal */
    }
    for (size_t i = 1; i < count && s->phase != PHASE_ENDED; i++) {
        struct peer *next = peer->next;

        peer_serve(s, peer, s->polled[i].revents);
        job_advance(s);
        peer = next;
    }
    if (s->phase != PHASE_ENDED && (s->polled[0].revents & POLLIN)) {
        guests_accept(s);
    }
}

/* Prints the one line: where clients find this server. The server ends when nobody can read it. */
static void address_print(struct server *s, uint16_t port)
{
    const struct server_options *options = s->options;
    struct address shown = options->everywhere ? address_outward() : options->address;
    char text[ADDRESS_TEXT_OCTETS];

    address_set_port(&shown, port);
    address_text(&shown, text);
    //= IMPI-011
    puts(text); //= IMPI-010
    if (!output_flushed("impirun")) {
        fputs("impirun: no client can find this server without its address; ending\n", stderr);
        s->phase = PHASE_ENDED;
        s->status = 1;
    }
}

int server_run(const struct server_options *options)
{
    struct server s = {.options = options};
    struct address place = options->address;
    char text[ADDRESS_TEXT_OCTETS];

    s.listen_fd = address_listen(&place); //= IMPI-012
    if (s.listen_fd < 0) {
        address_text(&place, text);
        fprintf(stderr, "impirun: cannot listen on %s: %s\n", text, strerror(errno)); //= IMPI-020
        return 1;
    }
    s.collect = collect_create(options->clients);
    if (!s.collect) {
        fputs("impirun: no memory\n", stderr);
        close(s.listen_fd);
        return 1;
    }
    address_print(&s, address_port(&place));
    while (s.phase != PHASE_ENDED) {
        round_serve(&s);
    }
    while (s.peers) {
        peer_remove(&s, s.peers);
    }
    close(s.listen_fd);
    collect_free(s.collect);
    free(s.polled);
    return s.status;
}
