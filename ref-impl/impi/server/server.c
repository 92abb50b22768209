/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The IMPI server's loop; see server.h. One thread, which never waits for one client: what each of them says is heard
 * in its session (session.h), labels are joined in collect.h, and what goes out waits in the guest's queue.
 *
 *      GATHERING --all ranks taken: IMPI to all--> COLLECTING --all DONE: DONE to all--> RUNNING --all FINI--> ENDED
 *
 * While the job gathers, a client that is lost makes room for another one with its rank. Later its loss is the end of
 * the job: the others are told by the end of their connections, the user by a line and by the exit status (2.3.7).
 */
#include "ref-impl/impi/server/server.h"

#include "ref-impl/impi/server/collect.h"
#include "ref-impl/impi/server/guest.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    STRANGERS_MAX = 128,   /* connections that are no clients of the job; the oldest one gives way */
    READ_OCTETS = 65536,   /* at once from one guest */
    HELD_MAX = 8 << 20,    /* octets of labels that one client may be ahead of the others */
    WAITING_MAX = 8 << 20, /* octets that one client may leave unread before the others have to wait */
    DEAF_MS = 1000         /* how long nobody is let in where there is no descriptor */
};

enum phase { PHASE_GATHERING, PHASE_COLLECTING, PHASE_RUNNING, PHASE_ENDED };

struct server {
    const struct server_options *options;
    enum phase phase;
    int status;
    int listen_fd;
    bool deaf; /* there was no descriptor for one more connection: they wait until there is one */
    bool told_deaf;
    struct collect *collect;
    struct guest *guests; /* oldest first */
    size_t count;
    uint32_t joined, finished;
    struct guest *members[WIRE_IMPI_CLIENTS_MAX];
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

/* Takes a guest off the list and ends it. */
static void guest_remove(struct server *s, struct guest *guest)
{
    struct guest **at = &s->guests;

    while (*at != guest) {
        at = &(*at)->next;
    }
    *at = guest->next;
    s->count--;
    guest_end(guest);
    s->deaf = false;
}

/* The end of a connection, whoever ended it; stderr has been told. What does it mean for the job? */
static void guest_lose(struct server *s, struct guest *guest)
{
    if (guest->rank >= 0) {
        s->members[guest->rank] = NULL;
        s->joined--;
        if (s->phase == PHASE_GATHERING) {
            collect_forget(s->collect, (uint32_t)guest->rank);
        } else if (guest->session.state != SESSION_FINISHED) {
            job_break(s);
        }
    }
    guest_remove(s, guest);
}

//= IMPI-081
//= IMPI-241
//= IMPI-248
static void guest_ended(struct server *s, struct guest *guest, const char *how)
{
    if (guest->session.state != SESSION_FINISHED) {
        guest_report(guest, "%s before it %s%s", how, session_state_text(&guest->session),
                     session_in_message(&guest->session) ? ", in the middle of a command" : "");
    }
    guest_lose(s, guest);
}

/* Always false: the guest is gone. */
static bool guest_refuse(struct server *s, struct guest *guest, const char *why)
{
    guest_report(guest, "is cut off: %s", why);
    guest_lose(s, guest);
    return false;
}

/* A message without payload of its own, to one guest. */
static bool command_say(struct guest *guest, struct wire_impi_command command)
{
    unsigned char octets[WIRE_IMPI_COMMAND_MAX];
    size_t used = 0;

    return wire_impi_command_encode(WIRE_IMPI_FROM_SERVER, &command, octets, sizeof octets, &used) == WIRE_OK &&
           guest_say(guest, octets, used);
}

static void command_say_all(struct server *s, struct wire_impi_command command)
{
    for (uint32_t rank = 0; rank < s->options->clients; rank++) {
        if (s->members[rank] && !command_say(s->members[rank], command)) {
            guest_report(s->members[rank], "cannot be told anything: no memory");
            job_break(s);
        }
    }
}

//= IMPI-029
static bool choice_tell(struct server *s, struct guest *guest, int method)
{
    if (method == WIRE_IMPI_AUTH_NONE) {
        guest_report(guest, "is let in without authentication (IMPI_AUTH_NONE): a warning"); //= IMPI-039
    }
    return command_say(guest, (struct wire_impi_command){.kind = WIRE_IMPI_SAYS_CHOICE, .which = method}) ||
           guest_refuse(s, guest, "no memory");
}

/* A guest wants to be a client. */
static bool rank_take(struct server *s, struct guest *guest, int32_t rank)
{
    char why[128];

    //= IMPI-245
    if (rank < 0 || (uint32_t)rank >= s->options->clients) {
        snprintf(why, sizeof why, "it says that it is client %" PRId32 ", in a job of %" PRIu32, rank,
                 s->options->clients);
        return guest_refuse(s, guest, why);
    }
    //= IMPI-244
    if (s->members[rank]) {
        snprintf(why, sizeof why, "client %" PRId32 " is at %s already", rank, s->members[rank]->place);
        return guest_refuse(s, guest, why);
    }
    if (s->phase != PHASE_GATHERING) { /* it has finished and left: nobody else can become it */
        snprintf(why, sizeof why, "client %" PRId32 " has been there, and has finished", rank);
        return guest_refuse(s, guest, why);
    }
    guest->rank = rank;
    s->members[rank] = guest;
    s->joined++;
    return true;
}

static bool label_take(struct server *s, struct guest *guest, const struct session_event *event)
{
    char text[96];

    switch (collect_add(s->collect, (uint32_t)guest->rank, event->label, event->octets, event->len)) {
    case COLLECT_TAKEN:
        return true;
    case COLLECT_OUT_OF_ORDER:
    case COLLECT_REPEATED:
    case COLLECT_LATE:
        snprintf(text, sizeof text, "submits label 0x%" PRIx32 " again or too late, which is ignored",
                 (uint32_t)event->label);
        guest_note(guest, text);
        return true;
    case COLLECT_NO_MEMORY:
        break;
    }
    return guest_refuse(s, guest, "no memory for its labels");
}

//= IMPI-078
static bool fini_take(struct server *s, struct guest *guest)
{
    if (s->phase != PHASE_RUNNING) {
        guest->session.state = SESSION_DONE; /* it has not finished in order */
        return guest_refuse(s, guest, "it says FINI before all clients are DONE");
    }
    s->finished++;
    return true;
}

/* What a guest has said. False: the guest is gone. */
static bool event_handle(struct server *s, struct guest *guest, const struct session_event *event)
{
    switch (event->kind) {
    case SESSION_MORE:
        return true;
    case SESSION_CHOICE:
        return choice_tell(s, guest, event->method);
    case SESSION_RANK:
        return rank_take(s, guest, event->rank);
    case SESSION_LABEL:
        return label_take(s, guest, event);
    case SESSION_NO_MORE_LABELS:
        (void)collect_done(s->collect, (uint32_t)guest->rank);
        return true;
    case SESSION_FINI:
        return fini_take(s, guest);
    case SESSION_NOTE:
        guest_note(guest, event->text);
        return true;
    case SESSION_BAD:
        break;
    }
    return guest_refuse(s, guest, event->text);
}

/* Hears what has come from a guest. False: the guest is gone. */
static bool guest_hear(struct server *s, struct guest *guest)
{
    const unsigned char *octets = queue_front(&guest->in);
    size_t len = queue_len(&guest->in);
    struct session_event event;

    do {
        session_next(&guest->session, &octets, &len, &event);
        if (!event_handle(s, guest, &event)) {
            return false;
        }
    } while (event.kind != SESSION_MORE);
    queue_take(&guest->in, queue_len(&guest->in));
    return true;
}

static void guest_read(struct server *s, struct guest *guest)
{
    switch (queue_receive(&guest->in, guest->fd, READ_OCTETS)) {
    case QUEUE_MOVED:
        (void)guest_hear(s, guest);
        return;
    case QUEUE_ENDED:
        guest_ended(s, guest, "ended its connection");
        return;
    case QUEUE_BROKEN:
        guest_ended(s, guest, errno == ECONNRESET ? "reset its connection" : "was lost");
        return;
    }
}

static void guest_serve(struct server *s, struct guest *guest, short happened)
{
    bool broken = (happened & (POLLHUP | POLLERR)) != 0;
    bool readable = (happened & POLLIN) || (broken && (guest->watched & POLLIN)); /* reading tells how it ended */

    if ((happened & POLLOUT) && queue_send(&guest->out, guest->fd) == QUEUE_BROKEN) {
        broken = true;
        readable = false;
    }
    if (readable) {
        guest_read(s, guest);
    } else if (broken) {
        guest_ended(s, guest, "was lost");
    }
}

/* The oldest connection that is no client of the job gives way; false: there is none. */
static bool stranger_remove(struct server *s)
{
    for (struct guest *guest = s->guests; guest; guest = guest->next) {
        if (guest->rank < 0) {
            return guest_refuse(s, guest, "too many connections that say nothing"), true;
        }
    }
    return false;
}

/* A new connection, at the end of the list. */
static void guest_add(struct server *s, int fd)
{
    struct guest **at = &s->guests;

    if (s->count - s->joined >= STRANGERS_MAX) {
        (void)stranger_remove(s);
    }
    struct guest *guest = guest_begin(fd, &s->options->auth);
    if (guest) {
        while (*at) {
            at = &(*at)->next;
        }
        *at = guest;
        s->count++;
    }
}

/* All descriptors are those of clients. The listening socket would stay ready and be asked in vain, for ever: it is
 * left alone until a client leaves, or for a while. */
static void deafen(struct server *s, const char *why)
{
    if (!s->told_deaf) {
        fprintf(stderr, "impirun: cannot take another connection: %s; raise the limit (ulimit -n)\n", why);
    }
    s->deaf = s->told_deaf = true;
}

static void guests_accept(struct server *s)
{
    bool more = true;

    while (more) {
        int fd = accept4(s->listen_fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

        if (fd >= 0) {
            guest_add(s, fd);
        } else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
            const char *why = strerror(errno);

            more = stranger_remove(s);
            if (!more) {
                deafen(s, why);
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
        const struct guest *guest = s->members[rank];

        most = guest && queue_len(&guest->out) > most ? queue_len(&guest->out) : most;
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
            no_memory = !guest_say(s->members[rank], octets, len) || no_memory;
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

/* Whether to hear more from a guest now: nobody gets far ahead of the others. */
static bool guest_may_speak(const struct server *s, const struct guest *guest, size_t unread)
{
    return guest->rank < 0 || (unread < WAITING_MAX && collect_held(s->collect, (uint32_t)guest->rank) < HELD_MAX);
}

/* Sends what waits, and says what to watch: the listening socket first, then the guests in their order. 0: no memory.
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
    s->polled[0] = (struct pollfd){s->deaf ? -1 : s->listen_fd, POLLIN, 0};
    for (struct guest *guest = s->guests; guest; guest = guest->next) {
        (void)queue_send(&guest->out, guest->fd); /* a failure shows itself in poll */
        guest->watched =
            (short)((guest_may_speak(s, guest, unread) ? POLLIN : 0) | (queue_len(&guest->out) > 0 ? POLLOUT : 0));
        s->polled[count++] = (struct pollfd){guest->fd, guest->watched, 0};
    }
    return count;
}

/* One round: waits until something happens, and does what is to be done. */
//= IMPI-246
static void round_serve(struct server *s)
{
    size_t count = poll_prepare(s);
    struct guest *guest = s->guests;

    if (count == 0) {
        fputs("impirun: no memory for another connection\n", stderr);
        job_break(s);
        return;
    }
    int ready = poll(s->polled, count, s->deaf ? DEAF_MS : -1);

    s->deaf = s->deaf && ready != 0;
    if (ready < 0) {
        return; /* a signal */
    }
    for (size_t i = 1; i < count && s->phase != PHASE_ENDED; i++) {
        struct guest *next = guest->next;

        guest_serve(s, guest, s->polled[i].revents);
        job_advance(s);
        guest = next;
    }
    if (s->phase != PHASE_ENDED && (s->polled[0].revents & POLLIN)) {
        guests_accept(s);
    }
}

/* Prints the one line: where clients find this server. */
static void address_print(const struct server_options *options, uint16_t port)
{
    struct address shown = options->everywhere ? address_outward() : options->address;
    char text[ADDRESS_TEXT_OCTETS];

    address_set_port(&shown, port);
    address_text(&shown, text);
    //= IMPI-011
    puts(text); //= IMPI-010
    fflush(stdout);
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
    address_print(options, address_port(&place));
    while (s.phase != PHASE_ENDED) {
        round_serve(&s);
    }
    while (s.guests) {
        guest_remove(&s, s.guests);
    }
    close(s.listen_fd);
    collect_free(s.collect);
    free(s.polled);
    return s.status;
}
