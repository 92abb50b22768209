/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Makes a system slow, and nothing else: preloaded into its processes, it lets time pass where the system sends,
 * receives and starts. All of that is permitted. The environment says how much:
 *
 *   SLOW_SEND=LOW-HIGH   milliseconds before each message that goes out
 *   SLOW_ANSWER=MS       milliseconds after which what has come is seen
 *   SLOW_START=MS        milliseconds before the program begins
 *   SLOW_PROGRAMS=NAMES  only programs of these names, with commas between; all without it
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static struct {
    unsigned low_ms, high_ms, answer_ms, start_ms;
    ssize_t (*send)(int, const void *, size_t, int);
    ssize_t (*sendmsg)(int, const struct msghdr *, int);
    ssize_t (*recv)(int, void *, size_t, int);
    ssize_t (*recvmsg)(int, struct msghdr *, int);
} slow;

static void pass_ms(unsigned ms)
{
    struct timespec left = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
    int error = errno;

    while (ms > 0 && nanosleep(&left, &left) != 0) {
    }
    errno = error;
}

/* Chance without a state that threads would have to share. */
static unsigned between(unsigned low, unsigned high)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return low + (unsigned)(now.tv_nsec / 1000) % (high - low + 1);
}

static void read_range(const char *name, unsigned *low, unsigned *high)
{
    const char *text = getenv(name);

    if (text && sscanf(text, "%u-%u", low, high) != 2) {
        *high = *low;
    }
    if (*high < *low || *high > 60000) {
        fprintf(stderr, "slow: %s is \"%s\"; it must be milliseconds, or two of them with a hyphen\n", name, text);
        exit(2);
    }
}

/* Whether this program is one of those that are meant. */
static bool is_meant(void)
{
    const char *names = getenv("SLOW_PROGRAMS"), *name = program_invocation_short_name;
    size_t len = strlen(name);

    for (const char *at = names; at && *at; at += strcspn(at, ","), at += *at == ',') {
        if (strcspn(at, ",") == len && strncmp(at, name, len) == 0) {
            return true;
        }
    }
    return !names;
}

__attribute__((constructor)) static void begin(void)
{
    unsigned highest;

    *(void **)&slow.send = dlsym(RTLD_NEXT, "send");
    *(void **)&slow.sendmsg = dlsym(RTLD_NEXT, "sendmsg");
    *(void **)&slow.recv = dlsym(RTLD_NEXT, "recv");
    *(void **)&slow.recvmsg = dlsym(RTLD_NEXT, "recvmsg");
    if (is_meant()) {
        read_range("SLOW_SEND", &slow.low_ms, &slow.high_ms);
        read_range("SLOW_ANSWER", &slow.answer_ms, &highest);
        read_range("SLOW_START", &slow.start_ms, &highest);
        pass_ms(slow.start_ms);
    }
}

static ssize_t after_answer(ssize_t got)
{
    if (got > 1) { /* who reads octet by octet waits for many more */
        pass_ms(slow.answer_ms);
    }
    return got;
}

ssize_t send(int fd, const void *octets, size_t len, int flags)
{
    pass_ms(between(slow.low_ms, slow.high_ms));
    return slow.send(fd, octets, len, flags);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    pass_ms(between(slow.low_ms, slow.high_ms));
    return slow.sendmsg(fd, message, flags);
}

ssize_t recv(int fd, void *octets, size_t len, int flags)
{
    return after_answer(slow.recv(fd, octets, len, flags));
}

ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
    return after_answer(slow.recvmsg(fd, message, flags));
}
