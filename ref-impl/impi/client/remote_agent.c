/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Host agents on nodes: see remote_agent.h. Two processes: one speaks with impirun, and ends the other, which is the
 * agent proper (agent/agent.h), when impirun is gone. Links are Unix sockets with a name in the network namespace of
 * the node, which has the key of the job in it; only processes of the same user are listened to.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "ref-impl/impi/client/remote_agent.h"

#include "ref-impl/clock.h"
#include "ref-impl/impi/agent/agent.h"
#include "ref-impl/impi/client/line.h"
#include "ref-impl/impi/client/negotiate_pack.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CONNECT_MS = 30000, LINK_MS = 30000, SPEAK_MS = 2000, LABELS_MAX = 1 << 28 };

/* The abstract name of an agent's socket for links. */
static socklen_t link_name(const char *key, uint32_t first, struct sockaddr_un *name)
{
    *name = (struct sockaddr_un){.sun_family = AF_UNIX};
    int len = snprintf(name->sun_path + 1, sizeof name->sun_path - 1, "assay-impi-%s-%" PRIu32, key, first);

    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)len);
}

static int links_listen(const struct remote_agent *a)
{
    struct sockaddr_un name;
    socklen_t len = link_name(a->key, a->first, &name);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd >= 0 && (bind(fd, (const struct sockaddr *)&name, len) != 0 || listen(fd, (int)a->count) != 0)) {
        close(fd);
        return -1;
    }
    return fd;
}

int remote_agent_link(const char *key, uint32_t first, uint32_t rank)
{
    struct sockaddr_un name;
    socklen_t len = link_name(key, first, &name);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    uint32_t number = rank - first;

    if (fd >= 0 && (connect(fd, (const struct sockaddr *)&name, len) != 0 ||
                    send(fd, &number, sizeof number, MSG_NOSIGNAL) != (ssize_t)sizeof number)) {
        int error = errno;

        close(fd);
        errno = error;
        return -1;
    }
    return fd;
}

/* Keeps what has connected if it is the link of a rank that has none yet; whoever knows the name can connect. */
static bool link_keep(int fd, uint32_t count, int *links)
{
    struct timeval patience = {SPEAK_MS / 1000, 0};
    struct ucred peer = {0};
    socklen_t len = sizeof peer;
    uint32_t number = count;

    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) != 0 || peer.uid != geteuid() ||
        recv(fd, &number, sizeof number, MSG_WAITALL) != (ssize_t)sizeof number || number >= count ||
        links[number] >= 0) {
        close(fd);
        return false;
    }
    links[number] = fd;
    return true;
}

/* The links of all ranks; NULL: not all of them have come, each within LINK_MS of the one before. */
static int *links_take(int listen_fd, uint32_t count)
{
    int *links = malloc(count * sizeof *links);
    uint64_t deadline = clock_now_ms() + LINK_MS;
    uint32_t taken = 0;

    for (uint32_t i = 0; links && i < count; i++) {
        links[i] = -1;
    }
    while (links && taken < count) {
        struct pollfd wait = {listen_fd, POLLIN, 0};
        uint64_t now = clock_now_ms();
        int fd = -1;

        if (now >= deadline || (poll(&wait, 1, (int)(deadline - now)) < 0 && errno != EINTR)) {
            free(links);
            return NULL;
        }
        fd = wait.revents ? accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC) : -1;
        if (fd >= 0 && link_keep(fd, count, links)) {
            taken++;
            deadline = clock_now_ms() + LINK_MS;
        }
    }
    return links;
}

/* What impirun says of the job. */
static bool job_hear(struct line_stream *impirun, struct agreed *agreed, struct agent_setup *setup)
{
    char text[LINE_OCTETS], error[NEGOTIATE_ERROR_OCTETS];
    struct negotiation labels = {0};
    const unsigned char *octets = NULL;
    uint32_t clients = 0, rank = 0, host = 0;
    size_t len = 0;

    if (!line_wait(impirun, text) ||
        sscanf(text, "JOB %" SCNu32 " %" SCNu32 " %" SCNu32 " %zu %" SCNu32, &clients, &rank, &host, &len,
               &setup->connect_seconds) != 5 ||
        len > LABELS_MAX || !line_wait_octets(impirun, len, &octets)) {
        return false;
    }
    bool good = negotiate_unpack(octets, len, &labels) && negotiate_finish(&labels, clients, rank, agreed, error);
    negotiate_free(&labels);
    setup->agreed = agreed;
    setup->host = good ? agreed->first_host + host : 0;
    return good && setup->host < agreed->world.hosts;
}

/* Sees the agent proper to its end, or ends it with impirun; says how it ended. */
static void agent_watch(pid_t pid, int impirun)
{
    struct pollfd ends[2] = {{impirun, POLLIN, 0}, {(int)syscall(SYS_pidfd_open, pid, 0), POLLIN, 0}};
    int status = 0;
    unsigned char octet = AGENT_ORDERLY;

    while (poll(ends, 2, -1) < 0 && errno == EINTR) {
    }
    if (ends[0].revents != 0) {
        (void)kill(pid, SIGKILL); /* impirun has nothing to say any more: it is gone */
    }
    if (waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == AGENT_ORDERLY) {
        (void)line_say_octets(impirun, &octet, 1);
    }
}

/* From the labels of the job to its end. */
static void job_serve(const struct remote_agent *a, struct line_stream *impirun, int listen_fd, int links_fd)
{
    struct agreed agreed = {0};
    struct agent_setup setup = {.listen_fd = listen_fd, .report_fd = impirun->fd};

    if (!job_hear(impirun, &agreed, &setup)) {
        return; /* whoever ended the job has said why */
    }
    setup.links = links_take(links_fd, a->count);
    close(links_fd);
    if (!setup.links) {
        agent_complain(&setup, "not all of its processes have come");
        return;
    }
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        bool good = prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent;

        _exit(good ? agent_run(&setup) : AGENT_BROKEN);
    }
    for (uint32_t i = 0; i < a->count; i++) {
        close(setup.links[i]);
    }
    close(listen_fd);
    if (pid > 0) {
        agent_watch(pid, impirun->fd);
    }
}

/* The process that speaks with impirun. */
static _Noreturn void agent_process(const struct remote_agent *a)
{
    struct line_stream impirun = {.fd = -1};
    struct address own = a->own;
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    int links_fd = links_listen(a), listen_fd = address_listen(&own);

    (void)setsid();
    (void)dup2(nothing, STDIN_FILENO);
    (void)dup2(nothing, STDOUT_FILENO);
    if (links_fd < 0 || listen_fd < 0) {
        fprintf(stderr, "impirun: no host agent can listen on this node: %s\n", strerror(errno));
        _exit(1);
    }
    if (address_connect(&a->impirun, NULL, CONNECT_MS, &impirun.fd) == 0 &&
        line_say(impirun.fd, "AGENT %s %" PRIu32 " %u", a->key, a->first, (unsigned)address_port(&own))) {
        job_serve(a, &impirun, listen_fd, links_fd);
    }
    _exit(0);
}

bool remote_agent_start(const struct remote_agent *a)
{
    pid_t pid = fork();

    if (pid == 0) {
        if (fork() == 0) {
            agent_process(a);
        }
        _exit(0);
    }
    return pid > 0 && waitpid(pid, NULL, 0) == pid;
}
