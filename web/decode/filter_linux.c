/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A filter of system calls (seccomp). A list of what may be called would break with the next version of Wireshark, so
 * this is one of what may not: what files and memory are concerned is left to Landlock and to limits.
 */
#include "web/decode/filter_linux.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
enum { ARCHITECTURE = (int)AUDIT_ARCH_X86_64 };
#elif defined(__aarch64__)
enum { ARCHITECTURE = (int)AUDIT_ARCH_AARCH64 };
#else
enum { ARCHITECTURE = 0 }; /* not known */
#endif

enum { FOREIGN = 0x40000000 /* the numbers of x32 begin here */, NUMBERS_MAX = 32, FILTER_MAX = 2 * NUMBERS_MAX + 16 };

static const unsigned refused[] = {
#ifdef SYS_fork
    SYS_fork,
    SYS_vfork,
#endif
    SYS_socket,
    SYS_socketpair,
    SYS_kill,
    SYS_tkill,
    SYS_tgkill,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_pidfd_open,
    SYS_pidfd_send_signal,
    SYS_unshare,
    SYS_setns,
    SYS_mount,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_io_uring_setup,
    SYS_setpriority,
    SYS_sched_setaffinity,
};

struct program {
    struct sock_filter steps[FILTER_MAX];
    unsigned short count;
};

static void add(struct program *program, struct sock_filter step)
{
    program->steps[program->count++] = step;
}

static void add_load(struct program *program, size_t offset)
{
    add(program, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

static void add_end(struct program *program, uint32_t action)
{
    add(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

/* Where the number is `number`, the call fails with `error`. */
static void add_refusal(struct program *program, uint32_t number, uint32_t error)
{
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1));
    add_end(program, SECCOMP_RET_ERRNO | error);
}

/* Threads may be made, processes not. What clone3 is to make stands in memory, where a filter cannot look: as if the
 * system did not have it, and the C library takes clone. */
static void add_clone(struct program *program)
{
    add_refusal(program, SYS_clone3, ENOSYS);
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3));
    add_load(program, offsetof(struct seccomp_data, args[0])); /* the lower half, on both machines */
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0));
    add_end(program, SECCOMP_RET_ERRNO | EPERM);
}

bool filter_linux_possible(void)
{
    return ARCHITECTURE != 0;
}

bool filter_linux_apply(void)
{
    struct program program = {.count = 0};

    _Static_assert(sizeof refused / sizeof refused[0] <= NUMBERS_MAX, "the filter has room for all");
    add_load(&program, offsetof(struct seccomp_data, arch));
    add(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)ARCHITECTURE, 1, 0));
    add_end(&program, SECCOMP_RET_KILL_PROCESS);
    add_load(&program, offsetof(struct seccomp_data, nr));
    add(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FOREIGN, 0, 1));
    add_end(&program, SECCOMP_RET_KILL_PROCESS);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        add_refusal(&program, refused[i], EPERM);
    }
    add_clone(&program);
    add_end(&program, SECCOMP_RET_ALLOW);
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER,
                 &(struct sock_fprog){.len = program.count, .filter = program.steps}, 0, 0) == 0;
}
