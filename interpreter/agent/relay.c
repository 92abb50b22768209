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
#include "tunnel.h"

enum { ADDRESS_OCTETS = 300, PORT_OCTETS = 16, BACKLOG = 128 };

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

/* serve takes connections until the agent has gone, which closes the other end of `life`. */
static void serve(const struct tunnel *tunnel, int listener, int life)
{
    struct pollfd polls[2] = {{.fd = life, .events = POLLIN}, {.fd = listener, .events = POLLIN}};

    signal(SIGCHLD, SIG_IGN); /* nobody waits for those that carry */
    signal(SIGPIPE, SIG_IGN);
    for (;;) {
        int client;

        if (poll(polls, 2, -1) < 0)
            continue;
        if (polls[0].revents)
            _exit(0);
        client = accept(listener, NULL, NULL);
        if (client >= 0 && fork() == 0) {
            close(listener);
            close(life);
            tunnel_carry(tunnel, client);
            _exit(0);
        }
        if (client >= 0)
            close(client);
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
