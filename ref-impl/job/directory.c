/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The process's side of the job directory (specs/portals-wire.md, "Joining a job"): connects to the service that the
 * launcher runs, says who and where it is, and waits for the list of all. The connection stays open as a sign of life;
 * LEAVE before it closes tells an orderly end from a death.
 *
 * In the environment: ASSAY_JOB=HOST:PORT, ASSAY_JOB_KEY, ASSAY_RANK, ASSAY_SIZE.
 */
#include "ref-impl/job/join.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LINE_MAX_OCTETS = 255 /* without the line feed */, KEY_MIN = 16, KEY_MAX = 64 };

/* struct directory is the connection and what has been read from it, but not yet used. */
struct directory {
    int fd;
    size_t begin, end;
    char buffer[1024];
    char line[LINE_MAX_OCTETS + 1];
};

/* struct credentials is what the launcher put into the environment. */
struct credentials {
    char host[256];
    const char *port;
    const char *key;
    uint32_t rank, size;
};

static bool credentials_read(struct credentials *c)
{
    const char *place = getenv("ASSAY_JOB");
    const char *colon = place ? strrchr(place, ':') : NULL;
    size_t key_len;

    if (!colon || colon == place || !colon[1] || (size_t)(colon - place) >= sizeof c->host) {
        job_complain("ASSAY_JOB=%s is not HOST:PORT; start this process by portalsrun", place ? place : "");
        return false;
    }
    memcpy(c->host, place, (size_t)(colon - place));
    c->host[colon - place] = '\0';
    c->port = colon + 1;
    c->key = getenv("ASSAY_JOB_KEY");
    key_len = c->key ? strlen(c->key) : 0;
    if (key_len < KEY_MIN || key_len > KEY_MAX || strspn(c->key, "0123456789abcdef") != key_len) {
        job_complain("ASSAY_JOB_KEY must be %d to %d lower case hexadecimal digits, as portalsrun sets it", KEY_MIN,
                     KEY_MAX);
        return false;
    }
    if (!job_number_parse(getenv("ASSAY_SIZE"), JOB_SIZE_MAX, &c->size) || c->size == 0 ||
        !job_number_parse(getenv("ASSAY_RANK"), c->size - 1, &c->rank)) {
        job_complain("ASSAY_SIZE must be 1 to %u, ASSAY_RANK below it, as portalsrun sets them", JOB_SIZE_MAX);
        return false;
    }
    return true;
}

/* Connects to the directory; -1 with a line on stderr. */
static int directory_connect(const struct credentials *c)
{
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    int fd = -1;
    int failure = getaddrinfo(c->host, c->port, &hints, &found);

    if (failure != 0) {
        job_complain("cannot find the job directory %s:%s: %s", c->host, c->port, gai_strerror(failure));
        return -1;
    }
    for (const struct addrinfo *one = found; one && fd < 0; one = one->ai_next) {
        fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd >= 0 && connect(fd, one->ai_addr, one->ai_addrlen) != 0) {
            failure = errno;
            close(fd);
            fd = -1;
        }
    }
    freeaddrinfo(found);
    if (fd < 0) {
        job_complain("cannot reach the job directory %s:%s: %s; is portalsrun still running?", c->host, c->port,
                     strerror(failure));
    }
    return fd;
}

static bool directory_say(int fd, const char *text)
{
    size_t len = strlen(text);

    while (len > 0) {
        ssize_t put = send(fd, text, len, MSG_NOSIGNAL);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put <= 0) {
            return false;
        }
        text += put;
        len -= (size_t)put;
    }
    return true;
}

/* Reads one line into d->line without its end. False at the end of the stream and on a line that is too long. */
static bool directory_line(struct directory *d)
{
    size_t len = 0;

    for (;;) {
        while (d->begin < d->end) {
            char c = d->buffer[d->begin++];
            if (c == '\n') {
                d->line[len] = '\0';
                return true;
            }
            if (len == LINE_MAX_OCTETS) {
                return false;
            }
            d->line[len++] = c;
        }
        ssize_t got = recv(d->fd, d->buffer, sizeof d->buffer, 0);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return false;
        }
        d->begin = 0;
        d->end = (size_t)got;
    }
}

/* Splits "WORD NUMBER NUMBER ..." in place: `count` numbers after `words` words. */
static bool line_numbers(char *line, const char *word, size_t count, uint32_t *numbers)
{
    char *save = NULL;
    char *part = strtok_r(line, " ", &save);

    if (word) {
        if (!part || strcmp(part, word) != 0) {
            return false;
        }
        part = strtok_r(NULL, " ", &save);
    }
    for (size_t i = 0; i < count; i++) {
        if (!job_number_parse(part, UINT32_MAX, &numbers[i])) {
            return false;
        }
        part = strtok_r(NULL, " ", &save);
    }
    return part == NULL;
}

/* The address by which the others shall reach us: where the directory is on this machine, so are they. */
static uint32_t directory_local_address(int fd)
{
    struct sockaddr_in peer = {0};
    struct sockaddr_in own = {0};
    socklen_t peer_len = sizeof peer;
    socklen_t own_len = sizeof own;

    if (getpeername(fd, (struct sockaddr *)&peer, &peer_len) != 0 ||
        getsockname(fd, (struct sockaddr *)&own, &own_len) != 0 || ntohl(peer.sin_addr.s_addr) >> 24 == 127) {
        return INADDR_LOOPBACK;
    }
    return ntohl(own.sin_addr.s_addr);
}

/* Reads the answer to JOIN: the job's line, then one line for each rank. */
static enum job_status directory_list(struct directory *d, const struct credentials *c, struct job_facts *facts)
{
    uint32_t job_line[2];

    if (!directory_line(d)) {
        job_complain("rank %u: the job directory closed before all processes had joined", (unsigned)c->rank);
        return JOB_UNREACHABLE;
    }
    if (strncmp(d->line, "REFUSED", 7) == 0) {
        job_complain("rank %u: the job directory refused: %s", (unsigned)c->rank, d->line + 7 + (d->line[7] == ' '));
        return JOB_REFUSED;
    }
    if (!line_numbers(d->line, "JOB", 2, job_line) || job_line[1] != c->size) {
        job_complain("rank %u: the job directory speaks another protocol, or of another job", (unsigned)c->rank);
        return JOB_REFUSED;
    }
    enum job_status status = job_members_allocate(job_line[0], c->size, facts);
    for (uint32_t rank = 0; status == JOB_OK && rank < c->size; rank++) {
        uint32_t member[3];

        if (!directory_line(d) || !line_numbers(d->line, NULL, 3, member) || member[0] != rank) {
            job_complain("rank %u: the job directory's line for rank %u is missing or broken", (unsigned)c->rank,
                         (unsigned)rank);
            free(facts->members);
            return JOB_REFUSED;
        }
        facts->members[rank].nid = member[1];
        facts->members[rank].pid = member[2];
    }
    return status;
}

enum job_status job_directory_join(struct job_facts *facts)
{
    struct credentials c = {{0}, NULL, NULL, 0, 0};
    struct directory d = {.fd = -1};
    enum job_status status = JOB_UNREACHABLE;
    char join[LINE_MAX_OCTETS];
    uint32_t nid = 0;
    uint32_t pid = 0;

    if (!credentials_read(&c)) {
        return JOB_REFUSED;
    }
    d.fd = directory_connect(&c);
    if (d.fd < 0) {
        return JOB_UNREACHABLE;
    }
    if (!job_address_choose(directory_local_address(d.fd), &nid) || !job_place_take(&nid, c.size, &pid)) {
        goto close_connection;
    }
    snprintf(join, sizeof join, "JOIN 1 %s %u %u %u\n", c.key, (unsigned)c.rank, (unsigned)nid, (unsigned)pid);
    if (!directory_say(d.fd, join)) {
        job_complain("rank %u: the job directory closed at once", (unsigned)c.rank);
        goto close_connection;
    }
    status = directory_list(&d, &c, facts);
    if (status != JOB_OK) {
        goto close_connection;
    }
    facts->self = facts->members[c.rank];
    facts->self.nid = nid;
    facts->self.pid = pid;
    facts->connection = d.fd;
    return JOB_OK;

close_connection:
    close(d.fd);
    return status;
}

void job_directory_leave(int connection)
{
    /* The service may be gone already; there is nobody else to tell. */
    (void)directory_say(connection, "LEAVE\n");
    close(connection);
}
