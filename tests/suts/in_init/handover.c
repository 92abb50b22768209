/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A text and a descriptor over a local socket (handover.h).
 */
#include "tests/suts/in_init/handover.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

void handover_fail(const char *what)
{
    perror(what);
    exit(1);
}

void handover_address(struct sockaddr_un *address, int rank)
{
    const char *site = getenv("SITE");

    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    snprintf(address->sun_path, sizeof address->sun_path, "%s/%d", site ? site : ".", rank);
}

int handover_rank(const char *variable)
{
    const char *text = getenv(variable);
    char *end;

    errno = 0;
    long number = text ? strtol(text, &end, 10) : -1;
    if (!text || *text < '0' || *text > '9' || *end || errno || number > INT_MAX) {
        fprintf(stderr, "handover: %s is %s; it must be a number from 0 to %d\n", variable, text ? text : "not set",
                INT_MAX);
        exit(1);
    }
    return (int)number;
}

union control {
    struct cmsghdr head;
    char octets[CMSG_SPACE(sizeof(int))];
};

void handover_give(int socket, const char *text, size_t len, int fd)
{
    union control control = {0};
    struct iovec part = {(void *)text, len};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

    if (fd >= 0) {
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
        control.head = (struct cmsghdr){CMSG_LEN(sizeof fd), SOL_SOCKET, SCM_RIGHTS};
        memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
    }
    if (sendmsg(socket, &message, 0) != (ssize_t)len) {
        handover_fail("handover: cannot send");
    }
}

size_t handover_take(int socket, char *text, int *fd)
{
    union control control = {0};
    struct iovec part = {text, HANDOVER_OCTETS};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t got = recvmsg(socket, &message, 0);

    if (got <= 0 || text[got - 1] != 0) {
        handover_fail("handover: nothing comes");
    }
    *fd = -1;
    if (message.msg_controllen >= sizeof control.head && control.head.cmsg_type == SCM_RIGHTS) {
        memcpy(fd, CMSG_DATA(&control.head), sizeof *fd);
    }
    return (size_t)got;
}
