/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a vendor's site may do to a client of IMPI, preloaded into it (test_site.py): a firewall that throws away
 * whatever wants to connect, without a word (SITE_FIREWALL), or host agents that look for messages only now and then,
 * for so many milliseconds after each look (SITE_SLOW_MS). Programs of other names are left alone.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/filter.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

/* The value of a variable in a client, else NULL. */
static const char *setting(const char *variable)
{
    return strcmp(program_invocation_short_name, "impirun") == 0 ? getenv(variable) : NULL;
}

/* The first place where a client listens is that of its host; what comes later is inside the machine. */
EXPORT int listen(int fd, int backlog)
{
    static bool inside;
    int (*next)(int, int);
    struct sock_filter nothing = BPF_STMT(BPF_RET | BPF_K, 0);
    struct sock_fprog filter = {1, &nothing};

    *(void **)&next = dlsym(RTLD_NEXT, "listen");
    if (setting("SITE_FIREWALL") && !inside &&
        setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) < 0) {
        return -1;
    }
    inside = true;
    return next(fd, backlog);
}

EXPORT int poll(struct pollfd *fds, nfds_t count, int timeout)
{
    int (*next)(struct pollfd *, nfds_t, int);
    const char *slow = setting("SITE_SLOW_MS");
    int ready;

    *(void **)&next = dlsym(RTLD_NEXT, "poll");
    ready = next(fds, count, timeout);
    if (slow && ready > 0) {
        struct timespec pause = {.tv_nsec = atol(slow) * 1000000};

        nanosleep(&pause, NULL);
    }
    return ready;
}
