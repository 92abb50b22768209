/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Agents and processes of a client from their start to their end; see local.h. Chapters 2.3.1 and 2.4. The processes
 * are started as portalsrun does it (ref-impl/launch): they find each other in a job directory, and their Portals
 * traffic stays among them. Each has a link to its agent besides (link.h).
 *
 * Nobody waits for ever. The job is broken when a process is killed by a signal or exits with another status than 0,
 * and when an agent fails; then all that still run are ended, and so the channels to the other clients. An agent that
 * says that a process was lost is believed at once, but the process's own end, which comes with it, tells more.
 */
#include "ref-impl/impi/local.h"

#include "ref-impl/impi/agent.h"
#include "ref-impl/launch/children.h"
#include "ref-impl/launch/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    GRACE_MS = 2000, /* from SIGTERM to SIGKILL */
    LOST_MS = 1000,  /* from the end of a link to the end of its process */
    KEY_OCTETS = 16,
    SPARE_FDS = 64,
    EXIT_JOB = 1,
    EXIT_CANNOT_RUN = 126,
    EXIT_NOT_FOUND = 127
};

struct local {
    const struct local_setup *setup;
    uint32_t first_rank; /* world rank of the first process */
    struct directory *directory;
    struct children children;
    struct child *agents;
    bool *seen;       /* of each process: its end has been looked at */
    bool *agent_seen; /* of each agent */
    int *links[2];    /* of each process: its own end, and the agent's end */
    char key[2 * KEY_OCTETS + 1];
    int signal_fd;
    int report[2]; /* what agents write before they end, and where */
    int status;
    bool ending;
    uint64_t kill_ms; /* when those that have not ended will be killed; 0: they have been */
    uint64_t lost_ms; /* when a lost process is the end of the job, whatever else is heard; 0: none is lost */
};

static uint64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static uint32_t host_count(const struct local *l)
{
    return l->setup->options->hosts;
}

static void agents_signal(const struct local *l, int signal)
{
    for (uint32_t host = 0; host < host_count(l); host++) {
        if (l->agents[host].running) {
            (void)kill(l->agents[host].pid, signal);
        }
    }
}

/* Ends everything; the first call decides how the client exits. */
static void job_end(struct local *l, int signal, int status)
{
    if (l->ending) {
        return;
    }
    l->ending = true;
    l->status = status;
    l->kill_ms = now_ms() + GRACE_MS;
    directory_refuse(l->directory, "impirun ends the job");
    children_signal(&l->children, signal);
    agents_signal(l, SIGTERM);
}

/* Judges the end of one process. That it was finalized is its agent's matter. */
static void process_judge(struct local *l, uint32_t i)
{
    const struct child *child = &l->children.all[i];
    unsigned rank = (unsigned)(l->first_rank + i);
    int status = child->status;

    if (WIFSIGNALED(status)) {
        int signal = WTERMSIG(status);

        if (!l->ending || (signal != SIGTERM && signal != SIGKILL && signal != SIGINT)) {
            fprintf(stderr, "impirun: rank %u (process %d) was killed by signal %d (%s)\n", rank, (int)child->pid,
                    signal, strsignal(signal));
        }
        job_end(l, SIGTERM, 128 + signal);
    } else if (WEXITSTATUS(status) != 0) {
        if (!l->ending) {
            fprintf(stderr, "impirun: rank %u (process %d) exited with status %d\n", rank, (int)child->pid,
                    WEXITSTATUS(status));
        }
        job_end(l, SIGTERM, WEXITSTATUS(status)); //= IMPI-080
    }
}

static void agent_judge(struct local *l, uint32_t host)
{
    int status = l->agents[host].status;

    if (l->ending || (WIFEXITED(status) && WEXITSTATUS(status) == AGENT_ORDERLY) || l->lost_ms != 0) {
        return; /* in order, or reported */
    }
    if (WIFSIGNALED(status)) {
        fprintf(stderr, "impirun: the agent of host %" PRIu32 " (process %d) was killed by signal %d (%s)\n",
                l->setup->agreed->first_host + host, (int)l->agents[host].pid, WTERMSIG(status),
                strsignal(WTERMSIG(status)));
    }
    job_end(l, SIGTERM, EXIT_JOB);
}

/* What agents have said about their ends. They say it before their processes can notice, so that what follows from it
 * in a process is not taken for the cause. */
static void reports_judge(struct local *l)
{
    unsigned char status = 0;

    while (read(l->report[0], &status, 1) == 1) {
        if (status == AGENT_PROCESS_LOST) {
            l->lost_ms = l->lost_ms ? l->lost_ms : now_ms() + LOST_MS;
        } else {
            job_end(l, SIGTERM, EXIT_JOB);
        }
    }
}

/* Looks at all that have ended since the last call; says how many run. */
static uint32_t ends_judge(struct local *l)
{
    uint32_t running = children_reap(&l->children);

    reports_judge(l);
    for (uint32_t i = 0; i < l->children.count; i++) {
        if (!l->children.all[i].running && !l->seen[i]) {
            l->seen[i] = true;
            process_judge(l, i);
        }
    }
    for (uint32_t host = 0; host < host_count(l); host++) {
        running += l->agents[host].running;
        if (!l->agents[host].running && !l->agent_seen[host]) {
            l->agent_seen[host] = true;
            agent_judge(l, host);
        }
    }
    return running;
}

/* Does what has become due; says how long to wait for the next thing, -1: nothing is to come by itself. */
static int deadlines_handle(struct local *l)
{
    uint64_t now = now_ms();
    uint64_t due = l->ending ? l->kill_ms : l->lost_ms;

    if (due != 0 && now >= due) {
        if (l->ending) {
            children_signal(&l->children, SIGKILL);
            agents_signal(l, SIGKILL);
            l->kill_ms = due = 0;
        } else {
            job_end(l, SIGTERM, EXIT_JOB);
            due = l->kill_ms;
        }
    }
    return due == 0 ? -1 : due > now ? (int)(due - now) : 0;
}

static void signals_handle(struct local *l)
{
    struct signalfd_siginfo info;

    while (read(l->signal_fd, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo == SIGCHLD) {
            continue;
        }
        int signal = (int)info.ssi_signo;
        if (l->ending) {
            children_signal(&l->children, signal);
        } else {
            fprintf(stderr, "impirun: ending the job on signal %d (%s)\n", signal, strsignal(signal));
        }
        job_end(l, signal, 128 + signal);
    }
}

/* The server has nothing to say any more; that it goes away early is worth a line. */
static void server_watch(int *server_fd)
{
    unsigned char waste[4096];
    ssize_t got = recv(*server_fd, waste, sizeof waste, MSG_DONTWAIT);

    if (got > 0 || (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))) {
        return;
    }
    fputs("impirun: the IMPI server has ended the connection before this client's FINI; the job goes on without it\n",
          stderr);
    close(*server_fd);
    *server_fd = -1;
}

static void job_watch(struct local *l)
{
    while (ends_judge(l) > 0) {
        struct pollfd fds[3] = {
            {l->signal_fd, POLLIN, 0}, {directory_fd(l->directory), POLLIN, 0}, {*l->setup->server_fd, POLLIN, 0}};

        (void)poll(fds, 3, deadlines_handle(l));
        signals_handle(l);
        directory_handle(l->directory);
        if (fds[2].revents != 0) {
            server_watch(l->setup->server_fd);
        }
    }
}

/* Signals are read from a descriptor. Says in *before which were blocked until now. */
static bool signals_prepare(struct local *l, sigset_t *before)
{
    sigset_t wanted;

    sigemptyset(&wanted);
    sigaddset(&wanted, SIGCHLD);
    sigaddset(&wanted, SIGINT);
    sigaddset(&wanted, SIGTERM);
    sigaddset(&wanted, SIGHUP);
    sigprocmask(SIG_BLOCK, &wanted, before);
    sigdelset(before, SIGCHLD);
    l->signal_fd = signalfd(-1, &wanted, SFD_NONBLOCK | SFD_CLOEXEC);
    return l->signal_fd >= 0 && pipe2(l->report, O_NONBLOCK | O_CLOEXEC) == 0 && prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

/* Room for two ends of a link for each process, and more. */
static void limit_raise(const struct local *l)
{
    struct rlimit limit;
    rlim_t need = 2 * (rlim_t)l->setup->options->processes + l->setup->agreed->world.hosts + SPARE_FDS;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < need) {
        limit.rlim_cur = need < limit.rlim_max ? need : limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static bool links_open(struct local *l)
{
    uint32_t count = l->setup->options->processes;

    for (int end = 0; end < 2; end++) {
        l->links[end] = malloc(count * sizeof *l->links[end]);
        if (!l->links[end]) {
            return false;
        }
        memset(l->links[end], 0xff, count * sizeof *l->links[end]); /* all are -1 */
    }
    for (uint32_t i = 0; i < count; i++) {
        int pair[2];

        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
            return false;
        }
        l->links[0][i] = pair[0];
        l->links[1][i] = pair[1];
    }
    return true;
}

/* Closes one end of all links, 0 the processes', 1 the agents'. */
static void links_close(struct local *l, int end)
{
    for (uint32_t i = 0; l->links[end] && i < l->setup->options->processes; i++) {
        if (l->links[end][i] >= 0) {
            close(l->links[end][i]);
            l->links[end][i] = -1;
        }
    }
}

/* The agent of a host, in its own process: keeps nothing open but what is its own. */
static _Noreturn void agent_process(struct local *l, uint32_t host, pid_t launcher, const sigset_t *signals)
{
    const struct local_setup *setup = l->setup;
    uint32_t first = offer_first(setup->offer, host);
    uint32_t count = offer_first(setup->offer, host + 1) - first;
    struct agent_setup agent = {.agreed = setup->agreed,
                                .host = setup->agreed->first_host + host,
                                .dance_seconds = setup->options->dance_seconds,
                                .listen_fd = setup->listen_fds[host],
                                .report_fd = l->report[1],
                                .links = calloc(count, sizeof *agent.links)};

    (void)setpgid(0, 0); /* a terminal's signals are for the launcher */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != launcher || !agent.links) {
        _exit(AGENT_BROKEN);
    }
    for (uint32_t i = 0; i < count; i++) {
        agent.links[i] = l->links[1][first + i];
        l->links[1][first + i] = -1;
    }
    links_close(l, 0);
    links_close(l, 1);
    for (uint32_t other = 0; other < host_count(l); other++) {
        if (other != host && setup->listen_fds[other] >= 0) {
            close(setup->listen_fds[other]);
        }
    }
    close(*setup->server_fd);
    close(l->signal_fd);
    close(l->report[0]);
    sigprocmask(SIG_SETMASK, signals, NULL);
    _exit(agent_run(&agent));
}

/* Starts the agents, one after the other. */
static bool agents_start(struct local *l, const sigset_t *signals)
{
    pid_t launcher = getpid();

    for (uint32_t host = 0; host < host_count(l); host++) {
        pid_t pid = fork();

        if (pid == 0) {
            agent_process(l, host, launcher, signals);
        }
        if (pid < 0) {
            return false;
        }
        l->agents[host] = (struct child){pid, true, 0};
        l->children.others_count = host + 1;
        close(l->setup->listen_fds[host]);
        l->setup->listen_fds[host] = -1;
    }
    links_close(l, 1);
    return true;
}

/* Starts the processes, one after the other; a program that cannot be run ends it all. */
static void processes_start(struct local *l, const sigset_t *signals)
{
    const struct client_options *options = l->setup->options;
    char place_text[32];
    /* Processes of one machine: memory is the nearest network. */
    struct children_place place = {.directory = place_text,
                                   .key = l->key,
                                   .nal = getenv("ASSAY_NAL") ? NULL : "shm",
                                   .signals = *signals,
                                   .fd_name = "ASSAY_IMPI_LINK",
                                   .fds = l->links[0]};

    snprintf(place_text, sizeof place_text, "127.0.0.1:%u", (unsigned)directory_port(l->directory));
    for (uint32_t i = 0; i < options->processes && !l->ending; i++) {
        int error = children_start(&l->children, &place, options->command);

        if (error != 0) {
            fprintf(stderr, "impirun: cannot run %s: %s\n", options->command[0], strerror(error));
            for (uint32_t rest = i; rest < options->processes; rest++) {
                l->seen[rest] = true;
            }
            job_end(l, SIGKILL, error == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN);
        }
    }
    links_close(l, 0);
}

/* Draws the key of the Portals job and its group id, and opens its directory. */
static bool directory_prepare(struct local *l)
{
    unsigned char octets[KEY_OCTETS + 4];
    struct in_addr loopback = {htonl(INADDR_LOOPBACK)};
    uint32_t gid = 0;

    if (getrandom(octets, sizeof octets, 0) != (ssize_t)sizeof octets) {
        return false;
    }
    for (size_t i = 0; i < KEY_OCTETS; i++) {
        snprintf(l->key + 2 * i, 3, "%02x", octets[i]);
    }
    memcpy(&gid, octets + KEY_OCTETS, sizeof gid);
    gid = (gid & 0x7fffffff) | 1; /* never 0, which is no group, nor all ones, which is the wildcard */
    l->directory = directory_open(loopback, l->key, gid, l->setup->options->processes);
    return l->directory != NULL;
}

static bool memory_take(struct local *l)
{
    const struct client_options *options = l->setup->options;

    l->children.count = options->processes;
    l->children.all = calloc(options->processes, sizeof *l->children.all);
    l->children.others = l->agents = calloc(options->hosts, sizeof *l->agents);
    l->seen = calloc(options->processes, sizeof *l->seen);
    l->agent_seen = calloc(options->hosts, sizeof *l->agent_seen);
    /* At a terminal the processes stay in the group that owns it: they can read it, and Ctrl-C reaches them. */
    l->children.own_groups = !isatty(STDIN_FILENO);
    return l->children.all && l->agents && l->seen && l->agent_seen;
}

static void memory_free(struct local *l)
{
    links_close(l, 0);
    links_close(l, 1);
    free(l->links[0]);
    free(l->links[1]);
    free(l->children.all);
    free(l->agents);
    free(l->seen);
    free(l->agent_seen);
    if (l->directory) {
        directory_close(l->directory);
    }
    if (l->signal_fd >= 0) {
        close(l->signal_fd);
    }
    for (int end = 0; end < 2; end++) {
        if (l->report[end] >= 0) {
            close(l->report[end]);
        }
    }
}

int local_run(const struct local_setup *setup)
{
    struct local l = {.setup = setup, .signal_fd = -1, .report = {-1, -1}};
    sigset_t signals;

    l.first_rank = setup->agreed->hosts[setup->agreed->first_host].first;
    limit_raise(&l);
    /* The directory comes after the agents, who must not hold it open. */
    if (!memory_take(&l) || !signals_prepare(&l, &signals) || !links_open(&l) || !agents_start(&l, &signals) ||
        !directory_prepare(&l)) {
        fprintf(stderr, "impirun: cannot start host agents and processes: %s\n", strerror(errno));
        if (l.agents) {
            agents_signal(&l, SIGKILL);
            children_sweep(&l.children);
        }
        l.status = EXIT_JOB;
    } else {
        processes_start(&l, &signals);
        job_watch(&l);
        if (!l.ending && l.lost_ms != 0) {
            l.status = EXIT_JOB; /* all others have ended by themselves before that was due */
        }
        children_sweep(&l.children);
    }
    memory_free(&l);
    return l.status;
}
