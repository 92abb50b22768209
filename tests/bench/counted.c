/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * System calls and allocations, counted where the library makes them: see counted.h. Not counted are those that say how
 * long one waited: looking whether anything has come, sleeping, the locks of the C library.
 */
#include "tests/bench/counted.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/uio.h>

static _Atomic unsigned long system_calls, allocations;
static unsigned long calls_before, allocations_before;

/* The linker's names: calls of NAME come to __wrap_NAME, and __real_NAME is what they meant. */
long __real_syscall(long number, ...);
ssize_t __real_sendmsg(int fd, const struct msghdr *message, int flags);
ssize_t __real_send(int fd, const void *octets, size_t len, int flags);
ssize_t __real_recv(int fd, void *octets, size_t len, int flags);
ssize_t __real_readv(int fd, const struct iovec *parts, int count);
ssize_t __real_process_vm_readv(pid_t process, const struct iovec *here, unsigned long here_count,
                                const struct iovec *there, unsigned long there_count, unsigned long flags);
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
long __wrap_syscall(long number, ...);
ssize_t __wrap_sendmsg(int fd, const struct msghdr *message, int flags);
ssize_t __wrap_send(int fd, const void *octets, size_t len, int flags);
ssize_t __wrap_recv(int fd, void *octets, size_t len, int flags);
ssize_t __wrap_readv(int fd, const struct iovec *parts, int count);
ssize_t __wrap_process_vm_readv(pid_t process, const struct iovec *here, unsigned long here_count,
                                const struct iovec *there, unsigned long there_count, unsigned long flags);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);

long __wrap_syscall(long number, ...)
{
    long argument[6];
    va_list list;

    va_start(list, number);
    for (int i = 0; i < 6; i++) {
        argument[i] = va_arg(list, long); /* the C library takes six as well, whatever was given */
    }
    va_end(list);
    system_calls++;
    return __real_syscall(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
}

ssize_t __wrap_sendmsg(int fd, const struct msghdr *message, int flags)
{
    system_calls++;
    return __real_sendmsg(fd, message, flags);
}

ssize_t __wrap_send(int fd, const void *octets, size_t len, int flags)
{
    system_calls++;
    return __real_send(fd, octets, len, flags);
}

/* Counts a call that was more than a look. */
static ssize_t counted_read(ssize_t got)
{
    system_calls += got >= 0;
    return got;
}

ssize_t __wrap_recv(int fd, void *octets, size_t len, int flags)
{
    return counted_read(__real_recv(fd, octets, len, flags));
}

ssize_t __wrap_readv(int fd, const struct iovec *parts, int count)
{
    return counted_read(__real_readv(fd, parts, count));
}

ssize_t __wrap_process_vm_readv(pid_t process, const struct iovec *here, unsigned long here_count,
                                const struct iovec *there, unsigned long there_count, unsigned long flags)
{
    system_calls++;
    return __real_process_vm_readv(process, here, here_count, there, there_count, flags);
}

void *__wrap_malloc(size_t size)
{
    allocations++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    allocations++;
    return __real_calloc(count, size);
}

void counted_begin(void)
{
    calls_before = system_calls;
    allocations_before = allocations;
}

void counted_end(const char *kind, unsigned rank, unsigned messages)
{
    printf("%s %u %.3f %.3f\n", kind, rank, (double)(system_calls - calls_before) / messages,
           (double)(allocations - allocations_before) / messages);
}
