/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How a program gets from "HOST:PORT" and a token to a connection on which lines go both ways. Every failure ends here
 * with one line for the person who started the program. specs/interpreter.md, sections 1 and 2.1.
 */
#include "connection.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "line.h"
#include "report.h"
#include "times.h"

enum { PATIENCE_SECONDS = 30, FINISH_MS = 1000, HEAD_OCTETS = 8192, BODY_OCTETS = 512, ADDRESS_OCTETS = 300 };

static int wait_ms; /* connection_wait_ms */

int connection_wait_ms(void)
{
    return wait_ms;
}

bool connection_check_token(const char *token)
{
    size_t len = strlen(token);

    return len >= 16 && len <= 128 &&
           strspn(token, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == len;
}

/* address_split cuts "HOST:PORT" or "[IPV6]:PORT" in `text` into its parts. */
static bool address_split(char *text, char **host, char **port)
{
    unsigned long long number;
    char *colon = strrchr(text, ':');

    if (!colon || colon == text)
        return false;
    *colon = '\0';
    *host = text;
    *port = colon + 1;
    if (text[0] == '[' && colon[-1] == ']') {
        colon[-1] = '\0';
        *host = text + 1;
    } else if (strchr(text, ':')) {
        return false;
    }
    return **host && text_read_count(*port, 1, 65535, &number);
}

/* connect_to connects to one address within the time we have; -1 with errno. */
static int connect_to(const struct addrinfo *where)
{
    int fd = socket(where->ai_family, where->ai_socktype, where->ai_protocol);
    struct pollfd wait = {.fd = fd, .events = POLLOUT};
    int error = 0, ready;
    socklen_t error_octets = sizeof error;

    if (fd < 0)
        return -1;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    if (connect(fd, where->ai_addr, where->ai_addrlen) != 0) {
        error = errno;
        if (error == EINPROGRESS || error == EINTR) {
            do
                ready = poll(&wait, 1, PATIENCE_SECONDS * 1000);
            while (ready < 0 && errno == EINTR);
            error = ETIMEDOUT;
            if (ready > 0)
                getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &error_octets);
        }
    }
    if (error) {
        close(fd);
        errno = error;
        return -1;
    }
    fcntl(fd, F_SETFL, 0);
    return fd;
}

/* set_patience limits how long one receive may wait; 0: for ever. */
static void set_patience(int fd, int seconds)
{
    struct timeval time = {.tv_sec = seconds};

    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
}

/* set_keepalive has the system ask now and then whether the manager is still there: after half a minute without an
 * answer the connection is broken, where the system can be told the times. */
static void set_keepalive(int fd)
{
    int on = 1;

    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
#ifdef TCP_KEEPIDLE
    int idle = 15, every = 5, tries = 3;

    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &every, sizeof every);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &tries, sizeof tries);
#endif
}

/* Tries every address of the host. */
int connection_dial(const char *address)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *all;
    char text[ADDRESS_OCTETS], *host, *port;
    struct timeval patience = {.tv_sec = PATIENCE_SECONDS};
    int fd = -1, error, on = 1;

    snprintf(text, sizeof text, "%s", address);
    if (strlen(address) >= sizeof text || !address_split(text, &host, &port)) {
        report_say("'%.200s' is not an address: give HOST:PORT", address);
        return -1;
    }
    error = getaddrinfo(host, port, &hints, &all);
    if (error) {
        report_say("cannot find host '%s': %s", host, gai_strerror(error));
        return -1;
    }
    for (struct addrinfo *one = all; one && fd < 0; one = one->ai_next)
        fd = connect_to(one);
    error = errno;
    freeaddrinfo(all);
    if (fd < 0) {
        report_say("cannot connect to the manager at %s: %s", address, strerror(error));
        return -1;
    }
    /* A reply is one write and must leave at once; a manager that vanished must be noticed. */
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    set_keepalive(fd);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    set_patience(fd, PATIENCE_SECONDS);
    return fd;
}

bool connection_send(int fd, const char *octets, size_t len)
{
    while (len > 0) {
        ssize_t sent = send(fd, octets, len, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        octets += sent;
        len -= (size_t)sent;
    }
    return true;
}

void connection_finish(int fd)
{
    const long long until = times_now_ms() + FINISH_MS;
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    char rest[4096];

    shutdown(fd, SHUT_WR);
    for (long long left = FINISH_MS; left > 0; left = until - times_now_ms())
        if (poll(&wait, 1, (int)left) > 0 && recv(fd, rest, sizeof rest, 0) <= 0)
            return;
}

/* read_until receives one octet at a time until the text ends with `end`, so that nothing of what follows is taken.
 * False when the connection ends or the room is used up first; what came is in `text`. */
static bool read_until(int fd, const char *end, char *text, size_t room)
{
    size_t len = 0, end_len = strlen(end);

    text[0] = '\0';
    while (len + 1 < room) {
        ssize_t got = recv(fd, text + len, 1, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        text[++len] = '\0';
        if (len >= end_len && strcmp(text + len - end_len, end) == 0)
            return true;
    }
    return false;
}

/* header_of gives the value of the first header NAME in an HTTP head, up to the line's end and beyond, or NULL. */
static const char *header_of(const char *head, const char *name)
{
    size_t name_len = strlen(name);

    for (const char *line = strstr(head, "\r\n"); line; line = strstr(line, "\r\n")) {
        line += 2;
        if (strncasecmp(line, name, name_len) == 0 && line[name_len] == ':')
            return line + name_len + 1 + strspn(line + name_len + 1, " \t");
    }
    return NULL;
}

/* head_has tells whether the HTTP head has the header NAME with exactly this value. */
static bool head_has(const char *head, const char *name, const char *value)
{
    const char *found = header_of(head, name);
    size_t value_len = strlen(value);

    return found && strncasecmp(found, value, value_len) == 0 && (found[value_len] == '\r' || found[value_len] == ' ');
}

/* read_wait notes how long the manager wants to be left alone, a minute at most. */
static void read_wait(const char *head)
{
    const char *value = header_of(head, "Retry-After");
    unsigned long seconds = value && *value >= '0' && *value <= '9' ? strtoul(value, NULL, 10) : 0;

    wait_ms = seconds > 60 ? 60000 : 1000 * (int)seconds;
}

static void make_printable(char *text)
{
    for (; *text; text++)
        if (*text < 0x20 || *text > 0x7e)
            *text = '?';
}

/* status_of tells what a refusal by this HTTP status means for another try. */
static enum connection_status status_of(int status)
{
    if (status == 503)
        return CONNECTION_WAIT;
    return status == 409 || status == 500 || status == 502 || status == 504 ? CONNECTION_LATER : CONNECTION_REFUSED;
}

/* upgrade sends the request and reads the answer. */
static enum connection_status upgrade(int fd, const char *address, const char *token)
{
    static char said[BODY_OCTETS];
    char head[HEAD_OCTETS], body[BODY_OCTETS];
    int status = 0;

    snprintf(head, sizeof head,
             "GET /connect HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: assay/1\r\n"
             "Authorization: Bearer %s\r\n\r\n",
             address, token);
    if (!connection_send(fd, head, strlen(head)) || !read_until(fd, "\r\n\r\n", head, sizeof head)) {
        report_say("%s does not answer like a test manager: the connection ended within its HTTP answer", address);
        return CONNECTION_LATER;
    }
    if (sscanf(head, "HTTP/1.%*1[01] %3d", &status) != 1) {
        report_say("%s does not answer like a test manager: no HTTP answer", address);
        return CONNECTION_REFUSED;
    }
    if (status == 101 && head_has(head, "Upgrade", "assay/1"))
        return CONNECTION_OPEN;
    if (status == 101) {
        report_say("%s upgraded the connection to something else than assay/1", address);
        return CONNECTION_REFUSED;
    }
    read_wait(head);
    read_until(fd, "\n", body, sizeof body);
    body[strcspn(body, "\r\n")] = '\0';
    make_printable(body);
    if (status != 503 || strcmp(body, said) != 0) /* whoever waits is told once why */
        report_say("the manager at %s refused the connection (%d): %s", address, status,
                   body[0] ? body : "no reason given");
    snprintf(said, sizeof said, "%s", status == 503 ? body : "");
    return status_of(status);
}

/* welcome_read judges the manager's answer to `hello`. Pairs that we do not know are passed over. */
static enum connection_status welcome_read(char *line, const char *address)
{
    char *rest = NULL;
    char *verb = strtok_r(line, " ", &rest);
    const char *version = "", *reason = "no reason given";

    for (char *word = strtok_r(NULL, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        if (strncmp(word, "version=", 8) == 0)
            version = word + 8;
        if (strncmp(word, "reason=", 7) == 0 && text_decode(word))
            reason = word + 7;
    }
    if (verb && strcmp(verb, "welcome") == 0 && strcmp(version, "1") == 0)
        return CONNECTION_OPEN;
    if (verb && strcmp(verb, "refuse") == 0)
        report_say("the manager at %s refused: %s", address, reason);
    else if (verb && strcmp(verb, "welcome") == 0)
        report_say("the manager at %s chose protocol version '%.20s'; this program speaks 1", address, version);
    else
        report_say("the manager at %s neither welcomed nor refused", address);
    return CONNECTION_REFUSED;
}

/* greet says hello and waits for the welcome. */
static enum connection_status greet(struct lines *lines, const char *address, const char *hello)
{
    char *line;
    const char *why = "the connection ended";

    if (connection_send(lines->fd, hello, strlen(hello)) && lines_next(lines, &line, &why) == LINES_OK)
        return welcome_read(line, address);
    report_say("no welcome from the manager at %s: %s", address, why);
    return CONNECTION_LATER;
}

enum connection_status connection_open(const char *address, const char *token, const char *hello, struct lines *lines)
{
    enum connection_status status = CONNECTION_LATER;
    int fd = connection_dial(address);

    if (fd < 0)
        return status;
    if (!lines_open(lines, fd))
        report_say("out of memory");
    else
        status = upgrade(fd, address, token);
    if (status == CONNECTION_OPEN)
        status = greet(lines, address, hello);
    if (status == CONNECTION_OPEN)
        set_patience(fd, 0);
    else
        lines_close(lines);
    return status;
}
