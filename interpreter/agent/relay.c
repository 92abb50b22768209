/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The relay's processes (relay.h):
 *
 *     agent --- pipe that closes with the agent ---> relay --- one process for each connection
 *
 * They have a process group of their own: a Ctrl-C is for the agent, which still has to tell the manager.
 */
#include "relay.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../common/report.h"
#include "../common/times.h"
#include "tunnel.h"

enum { ADDRESS_OCTETS = 300, PORT_OCTETS = 16, BACKLOG = 128, REFUSED_MS = 1000 };

static void on_end(int signal_number)
{
    (void)signal_number; /* it ends the wait */
}

/* listen_at opens the socket; -1, and told, when it cannot. `port` becomes the port that it has. */
static int listen_at(const char *host, const char *wanted, char *port, size_t port_octets)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE}, *all;
    int error = getaddrinfo(host, wanted, &hints, &all), fd, on = 1;
    struct sockaddr_storage own;
    socklen_t own_octets = sizeof own;

    if (error) {
        report_say("--relay: cannot find host '%s': %s", host, gai_strerror(error));
        return -1;
    }
    fd = socket(all->ai_family, all->ai_socktype, all->ai_protocol);
    if (fd >= 0)
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (fd < 0 || bind(fd, all->ai_addr, all->ai_addrlen) != 0 || listen(fd, BACKLOG) != 0 ||
        getsockname(fd, (struct sockaddr *)&own, &own_octets) != 0 ||
        getnameinfo((struct sockaddr *)&own, own_octets, NULL, 0, port, (socklen_t)port_octets, NI_NUMERICSERV) != 0) {
        report_say("--relay: cannot listen at %s port %s: %s", host, wanted, strerror(errno));
        if (fd >= 0)
            close(fd);
        fd = -1;
    } else {
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    freeaddrinfo(all);
    return fd;
}

/* count_left waits for processes that have ended, without waiting: how many of `count` are left. */
static unsigned count_left(unsigned count)
{
    while (count > 0 && waitpid(-1, NULL, WNOHANG) > 0)
        count--;
    return count;
}

/* turn_away tells a client why it is not served, and the agent's terminal once in a while. What the client has sent is
 * read: closing would reset the connection otherwise. */
static void turn_away(int client, const char *why)
{
    static long long said_ms;
    char rest[4096];

    if (said_ms == 0 || times_now_ms() - said_ms > REFUSED_MS)
        report_say("--relay: a connection was refused: %s", why);
    said_ms = times_now_ms();
    tunnel_refuse(client, "503 Service Unavailable", why);
    shutdown(client, SHUT_WR);
    while (recv(client, rest, sizeof rest, MSG_DONTWAIT) > 0)
        continue;
}

/* take_one starts a process for a connection; how many there are then. */
static unsigned take_one(const struct tunnel *tunnel, int listener, int life, unsigned count)
{
    int client = accept(listener, NULL, NULL);
    char why[128];
    pid_t pid;

    if (client < 0)
        return count;
    pid = count < RELAY_MOST ? fork() : -1;
    if (pid == 0) {
        close(listener);
        close(life);
        tunnel_carry(tunnel, client);
        _exit(0);
    }
    if (pid < 0) {
        if (count < RELAY_MOST)
            snprintf(why, sizeof why, "no process for it: %s", strerror(errno));
        else
            snprintf(why, sizeof why, "the relay of sut-agent carries %d connections, as many as it may", RELAY_MOST);
        turn_away(client, why);
    }
    close(client);
    return pid < 0 ? count : count + 1;
}

/* serve takes connections until the agent has gone, which closes the other end of `life`. */
static void serve(const struct tunnel *tunnel, int listener, int life)
{
    struct pollfd polls[2] = {{.fd = life, .events = POLLIN}, {.fd = listener, .events = POLLIN}};
    struct sigaction on_child = {.sa_handler = on_end};
    unsigned count = 0;

    sigaction(SIGCHLD, &on_child, NULL);
    signal(SIGPIPE, SIG_IGN);
    for (;;) {
        int ready = poll(polls, 2, -1);

        count = count_left(count);
        if (ready > 0 && polls[0].revents)
            _exit(0);
        if (ready > 0 && polls[1].revents)
            count = take_one(tunnel, listener, life, count);
    }
}

/* leave_to_itself forks twice, so that the relay is no child of the agent, which waits for the ends of its jobs. */
static bool leave_to_itself(const struct tunnel *tunnel, int listener, const int life[2])
{
    pid_t pid = fork();
    int status = 1;

    if (pid == 0) {
        setpgid(0, 0);
        close(life[1]);
        pid = fork();
        if (pid == 0)
            serve(tunnel, listener, life[0]);
        _exit(pid < 0);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return pid > 0 && status == 0;
}

bool relay_open(const struct tunnel *tunnel, const char *where, char *address, size_t address_octets)
{
    char text[ADDRESS_OCTETS], port[PORT_OCTETS], *host = text, *colon;
    int life[2], listener;
    bool good;

    snprintf(text, sizeof text, "%s", where ? where : "127.0.0.1:0");
    colon = strrchr(text, ':');
    if (!colon || colon == text) {
        report_say("--relay: '%.200s' is not HOST:PORT", text);
        return false;
    }
    *colon = '\0';
    snprintf(address, address_octets, "%s", text); /* with the brackets of IPv6 */
    if (text[0] == '[' && colon[-1] == ']') {
        colon[-1] = '\0';
        host++;
    }
    listener = listen_at(host, colon + 1, port, sizeof port);
    if (listener < 0)
        return false;
    snprintf(address + strlen(address), address_octets - strlen(address), ":%s", port);
    good = pipe(life) == 0;
    if (good) {
        fcntl(life[0], F_SETFD, FD_CLOEXEC);
        fcntl(life[1], F_SETFD, FD_CLOEXEC);
        good = leave_to_itself(tunnel, listener, life);
        close(life[0]); /* the other end stays open for as long as the agent lives */
    }
    close(listener);
    if (!good)
        report_say("--relay: no process for it: %s", strerror(errno));
    return good;
}
