/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Carrying one connection (tunnel.h). This is a process of its own, so it may wait.
 */
#include "tunnel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../common/connection.h"
#include "../common/report.h"
#include "../common/times.h"

enum { HEAD_OCTETS = 8192, HEAD_MS = 30000, LAST_MS = 500, WORDS_MOST = 64, WORD_OCTETS = 600 };

/* read_head reads the request's head, octet by octet so that nothing behind it is taken; false when it is none, or is
 * not there in time. */
static bool read_head(int client, char *head)
{
    const long long until = times_now_ms() + HEAD_MS;
    struct pollfd wait = {.fd = client, .events = POLLIN};
    long long left = HEAD_MS;
    size_t len = 0;

    for (; len + 1 < HEAD_OCTETS && left > 0 && poll(&wait, 1, (int)left) > 0; left = until - times_now_ms()) {
        if (recv(client, head + len, 1, 0) != 1)
            return false;
        head[++len] = '\0';
        if (len >= 4 && strcmp(head + len - 4, "\r\n\r\n") == 0)
            return strncmp(head, "GET /connect HTTP/1.1\r\n", 23) == 0;
    }
    return false;
}

/* send_head sends the head with the service's name as Host: a service among others on its machine is known by that. */
static bool send_head(int service, const char *head, const char *address)
{
    char line[WORD_OCTETS];
    bool good = true;

    for (const char *end; good && (end = strstr(head, "\r\n")) != NULL; head = end + 2) {
        if (strncasecmp(head, "Host:", 5) == 0) {
            snprintf(line, sizeof line, "Host: %s\r\n", address);
            good = connection_send(service, line, strlen(line));
        } else {
            good = connection_send(service, head, (size_t)(end + 2 - head));
        }
    }
    return good;
}

/* fill writes a word of the command with {host} and {port} filled in. */
static char *fill(const struct tunnel *tunnel, const char *word)
{
    char *text = calloc(1, WORD_OCTETS);
    size_t len = 0;

    while (text && *word && len + 1 < WORD_OCTETS) {
        bool host = strncmp(word, "{host}", 6) == 0, port = strncmp(word, "{port}", 6) == 0;

        if (host || port)
            snprintf(text + len, WORD_OCTETS - len, "%s", host ? tunnel->host : tunnel->port);
        else
            text[len] = *word;
        len += strlen(text + len);
        word += host || port ? 6 : 1;
    }
    return text;
}

/* become is the command. What it says of a certificate that is not good goes on to the agent's terminal. */
static void become(const struct tunnel *tunnel, int end, int said)
{
    char *words[WORDS_MOST + 1] = {NULL};

    for (size_t i = 0; tunnel->command[i] && i < WORDS_MOST; i++)
        words[i] = fill(tunnel, tunnel->command[i]);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGCHLD, SIG_DFL);
    if (dup2(end, STDIN_FILENO) >= 0 && dup2(end, STDOUT_FILENO) >= 0 && dup2(said, STDERR_FILENO) >= 0)
        execvp(words[0], words);
    report_say("cannot execute %s: %s; --tunnel names another command", words[0], strerror(errno));
    _exit(127);
}

static void close_both(const int ends[2])
{
    close(ends[0]);
    close(ends[1]);
}

/* open_command starts the command and gives our end of its standard input and output, and as `said` that of what it
 * complains of; -1 when it cannot. It stays known by `pid`, although it may end, for as long as nobody waits for it. */
static int open_command(const struct tunnel *tunnel, int client, pid_t *pid, int *said)
{
    int ends[2], words[2];

    signal(SIGCHLD, SIG_DFL);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return -1;
    if (pipe(words) != 0) {
        close_both(ends);
        return -1;
    }
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
        fcntl(words[i], F_SETFD, FD_CLOEXEC);
    }
    fcntl(client, F_SETFD, FD_CLOEXEC);
    *pid = fork();
    if (*pid == 0)
        become(tunnel, ends[1], words[1]);
    if (*pid < 0) {
        close_both(ends);
        close_both(words);
        return -1;
    }
    close(ends[1]);
    close(words[1]);
    *said = words[0];
    return ends[0];
}

/* repeat says what the command complains of, all but the word by which openssl takes its leave; false: it has ended. */
static bool repeat(int said)
{
    static const char leave[] = "DONE\n";
    const size_t leave_len = sizeof leave - 1;
    char text[1024];
    ssize_t got = read(said, text, sizeof text);
    size_t len = got > 0 ? (size_t)got : 0;

    if (len >= leave_len && memcmp(text + len - leave_len, leave, leave_len) == 0 &&
        (len == leave_len || text[len - leave_len - 1] == '\n'))
        len -= leave_len;
    fwrite(text, 1, len, stderr);
    return got > 0 || (got < 0 && errno == EINTR);
}

/* end_command ends a command that has not ended with its input, and says the rest of what it complains of. */
static void end_command(pid_t pid, int said)
{
    struct pollfd wait = {.fd = said, .events = POLLIN};

    kill(pid, SIGTERM);
    while (poll(&wait, 1, LAST_MS) > 0 && repeat(said))
        continue;
}

/* hand_on hands on what can be read: 1 something, 0 that no more comes, -1 that the other side takes nothing. */
static int hand_on(int from, int to)
{
    static char octets[65536];
    ssize_t got;

    do
        got = recv(from, octets, sizeof octets, 0);
    while (got < 0 && errno == EINTR);
    if (got <= 0)
        return 0;
    return connection_send(to, octets, (size_t)got) ? 1 : -1;
}

/* carry hands on both ways, and to the terminal what is `said` (-1: nothing is). When the client has said its last word
 * the service may still answer for a moment. True: the service has said something. */
static bool carry(int client, int service, int said)
{
    struct pollfd polls[3] = {
        {.fd = client, .events = POLLIN}, {.fd = service, .events = POLLIN}, {.fd = said, .events = POLLIN}};
    bool answered = false;
    int ms = -1, status;

    for (;;) {
        int ready = poll(polls, 3, ms);

        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return answered;
        if (polls[1].revents) {
            status = hand_on(service, client);
            answered |= status > 0;
            if (status <= 0)
                return answered;
        }
        if (polls[2].revents && !repeat(said))
            polls[2].fd = -1;
        if (polls[0].revents && hand_on(client, service) <= 0) {
            shutdown(service, SHUT_WR);
            polls[0].fd = -1;
            ms = LAST_MS;
        }
    }
}

void tunnel_refuse(int client, const char *status, const char *why)
{
    char text[512];

    snprintf(text, sizeof text, "HTTP/1.1 %s\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n%s\n", status,
             why);
    connection_send(client, text, strlen(text));
}

void tunnel_carry(const struct tunnel *tunnel, int client)
{
    static char head[HEAD_OCTETS];
    char why[400];
    int service, said = -1;
    bool answered = false;
    pid_t pid = -1;

    if (!read_head(client, head)) {
        tunnel_refuse(client, "400 Bad Request", "this is the relay of sut-agent, for test interpreters only");
        return;
    }
    service = tunnel->command ? open_command(tunnel, client, &pid, &said) : connection_dial(tunnel->address);
    if (service >= 0)
        answered = send_head(service, head, tunnel->address) && carry(client, service, said);
    if (pid > 0)
        end_command(pid, said);
    if (!answered) {
        snprintf(why, sizeof why, "the way to %s%s%s has ended before the service answered", tunnel->address,
                 tunnel->command ? ", by " : "", tunnel->command ? tunnel->command[0] : "");
        tunnel_refuse(client, "502 Bad Gateway", why);
    }
    connection_finish(client);
}
