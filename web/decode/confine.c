/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Confined programs (confine.h). Between fork and exec only calls are made that a process of many threads may make
 * there.
 */
#include "web/decode/confine.h"

#include "web/decode/filter_linux.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/landlock.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOBODY = 65534, DESCRIPTORS = 32, NICE = 4, FAILED = 127 };

/* Everything that Landlock's first version knows is refused where no rule allows it; the rules allow reading. */
#define HANDLED ((LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1)
#define READING (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE)

static const char *const system_files[] = {"/usr",           "/lib",      "/lib64",       "/etc/ld.so.cache",
                                           "/etc/localtime", "/dev/null", "/dev/urandom", NULL};

static bool has_landlock(void)
{
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) >= 1;
}

bool confine_possible(void)
{
    /* Without Landlock a process of the same user would read whatever the service does. */
    return filter_linux_possible() && (has_landlock() || geteuid() == 0);
}

/* ---- in the child ------------------------------------------------------------------------------------------------ */

/* What is not there needs no rule. */
static bool allow(int rules, const char *path)
{
    struct landlock_path_beneath_attr beneath = {.allowed_access = READING};
    struct stat about;
    bool good;
    int fd = path[0] ? open(path, O_PATH | O_CLOEXEC) : -1;

    if (fd < 0) {
        return true;
    }
    beneath.parent_fd = fd;
    if (fstat(fd, &about) == 0 && S_ISDIR(about.st_mode)) {
        beneath.allowed_access |= LANDLOCK_ACCESS_FS_READ_DIR;
    }
    good = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) == 0;
    close(fd);
    return good;
}

static bool restrict_files(const struct confine_order *order)
{
    struct landlock_ruleset_attr handled = {.handled_access_fs = HANDLED};
    bool good;
    int rules;

    if (!has_landlock()) {
        return true; /* confine_possible has seen that the user changes */
    }
    /* Only the first member: later ones are not known to every kernel. */
    rules = (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof handled.handled_access_fs, 0);
    good = rules >= 0 && allow(rules, order->program);
    for (size_t i = 0; good && system_files[i]; i++) {
        good = allow(rules, system_files[i]);
    }
    for (size_t i = 0; good && order->readable[i]; i++) {
        good = allow(rules, order->readable[i]);
    }
    good = good && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    close(rules);
    return good;
}

/* A limit that is stricter already stays: who has no privileges cannot raise it. */
static bool limit(int resource, rlim_t most)
{
    struct rlimit now;
    rlim_t least = getrlimit(resource, &now) == 0 && now.rlim_max < most ? now.rlim_max : most;

    return setrlimit(resource, &(struct rlimit){least, least}) == 0;
}

/* Likewise the priority of a service that is nice itself. */
static bool yield_to_others(void)
{
    errno = 0;
    return (getpriority(PRIO_PROCESS, 0) >= NICE && errno == 0) || setpriority(PRIO_PROCESS, 0, NICE) == 0;
}

static bool limit_all(const struct confine_order *order)
{
    return limit(RLIMIT_AS, (rlim_t)order->memory_mib << 20) && limit(RLIMIT_CPU, order->processor_s) &&
           limit(RLIMIT_FSIZE, 0) && limit(RLIMIT_CORE, 0) && limit(RLIMIT_NOFILE, DESCRIPTORS) && yield_to_others();
}

/* The C library's calls would tell all threads, which this process no longer has. */
static bool change_user(void)
{
    return geteuid() != 0 ||
           (syscall(SYS_setgroups, 0, NULL) == 0 && syscall(SYS_setresgid, NOBODY, NOBODY, NOBODY) == 0 &&
            syscall(SYS_setresuid, NOBODY, NOBODY, NOBODY) == 0);
}

static bool place_descriptors(const struct confine_order *order, int in, int out)
{
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);

    /* All of these are above 2 where the service's own standard descriptors are open; CONFINE_FILE comes last, as it
     * may be the number of one of the others. */
    return nowhere > 2 && dup2(in, 0) == 0 && dup2(out, 1) == 1 && dup2(nowhere, 2) == 2 &&
           dup2(order->file, CONFINE_FILE) == CONFINE_FILE && fcntl(CONFINE_FILE, F_SETFD, 0) == 0 &&
           syscall(SYS_close_range, CONFINE_FILE + 1, UINT_MAX, 0) == 0;
}

static void reset_signals(void)
{
    sigset_t none;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
}

_Noreturn static void become(const struct confine_order *order, int in, int out)
{
    reset_signals();
    /* Whoever changes the user forgets who is to be killed with the parent. */
    if (place_descriptors(order, in, out) && change_user() && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 &&
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && limit_all(order) && restrict_files(order) &&
        filter_linux_apply()) {
        execve(order->program, order->arguments, order->environment);
    }
    _exit(FAILED);
}

/* ---- in the service ---------------------------------------------------------------------------------------------- */

static void close_pair(const int pair[2])
{
    close(pair[0]);
    close(pair[1]);
}

bool confine_start(const struct confine_order *order, struct confined *confined)
{
    int in[2], out[2];
    pid_t pid;

    if (pipe2(in, O_CLOEXEC) != 0) {
        return false;
    }
    if (pipe2(out, O_CLOEXEC) != 0) {
        close_pair(in);
        return false;
    }
    pid = fork();
    if (pid == 0) {
        become(order, in[0], out[1]);
    }
    close(in[0]);
    close(out[1]);
    if (pid < 0) {
        close(in[1]);
        close(out[0]);
        return false;
    }
    /* Who does not read what is asked must not hold up who asks. */
    fcntl(in[1], F_SETFL, O_NONBLOCK);
    *confined = (struct confined){.pid = pid, .to = in[1], .from = out[0]};
    return true;
}

void confine_end(struct confined *confined)
{
    kill(confined->pid, SIGKILL);
    close(confined->to);
    close(confined->from);
    while (waitpid(confined->pid, NULL, 0) < 0 && errno == EINTR) {
        continue;
    }
}
