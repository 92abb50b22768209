/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Agents and processes of a client from their start to their end; see local_job.h. Chapters 2.3.1 and 2.4. The
 * processes are started as portalsrun does it (ref-impl/launch): they find each other in a job directory, and their
 * Portals traffic stays among them. Each has a link to its agent besides (link.h).
 *
 * Nobody waits for ever. The job is broken when a process is killed by a signal or exits with another status than 0,
 * and when an agent fails; then all that still run are ended, and so the channels to the other clients. An agent that
 * says that a process was lost is believed at once, but the process's own end, which comes with it, tells more.
 */
#include "ref-impl/impi/client/local_job.h"

#include "ref-impl/clock.h"
#include "ref-impl/impi/agent/agent.h"
#include "ref-impl/impi/client/server_watch.h"
#include "ref-impl/launch/directory.h"
#include "ref-impl/launch/hosted.h"
#include "ref-impl/launch/run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    LOST_MS = 1000, /* from the end of a link to the end of its process */
    SPARE_FDS = 64,
};

struct local_job {
    const struct local_job_setup *setup;
    struct run run;
    struct child *agents;
    bool *agent_seen; /* of each agent: its end has been looked at */
    int *links[2];    /* of each process: its own end, and the agent's end */
    int report[2];    /* what agents write before they end, and where */
    uint64_t lost_ms; /* when a lost process is the end of the job, whatever else is heard; 0: none is lost */
};

static uint32_t host_count(const struct local_job *l)
{
    return l->setup->options->hosts;
}

static void agent_judge(struct local_job *l, uint32_t host)
{
    int status = l->agents[host].status;

    if (l->run.ending || (WIFEXITED(status) && WEXITSTATUS(status) == AGENT_ORDERLY) || l->lost_ms != 0) {
        return; /* in order, or reported */
    }
    if (WIFSIGNALED(status)) {
        fprintf(stderr, "impirun: the agent of host %" PRIu32 " (process %d) was killed by signal %d (%s)\n",
                l->setup->agreed->first_host + host, (int)l->agents[host].pid, WTERMSIG(status),
                strsignal(WTERMSIG(status)));
    }
    run_end(&l->run, SIGTERM, RUN_FAILED);
}

/* What agents have said about their ends. They say it before their processes can notice, so that what follows from it
 * in a process is not taken for the cause. */
static void reports_judge(struct local_job *l)
{
    unsigned char status = 0;

    while (read(l->report[0], &status, 1) == 1) {
        if (status == AGENT_PROCESS_LOST) {
            l->lost_ms = l->lost_ms ? l->lost_ms : clock_now_ms() + LOST_MS;
        } else {
            run_end(&l->run, SIGTERM, RUN_FAILED);
        }
    }
}

/* Looks at all that have ended since the last call; says how many run. */
static uint32_t ends_judge(struct local_job *l)
{
    uint32_t running = children_reap(&l->run.children);

    reports_judge(l);
    for (uint32_t i = 0; i < l->run.children.count; i++) {
        if (!l->run.children.all[i].running && !l->run.seen[i]) {
            l->run.seen[i] = true;
            (void)run_judge(&l->run, i); /* that it was finalized is its agent's matter */
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
static int deadlines_handle(struct local_job *l)
{
    uint64_t now = clock_now_ms();
    uint64_t due = l->lost_ms;

    if (!l->run.ending && due != 0 && now >= due) {
        run_end(&l->run, SIGTERM, RUN_FAILED);
    }
    if (l->run.ending) {
        due = run_kill_due(&l->run, now);
    }
    return due == 0 ? -1 : due > now ? (int)(due - now) : 0;
}

static void job_watch(struct local_job *l)
{
    while (ends_judge(l) > 0) {
        struct pollfd fds[3] = {{l->run.signal_fd, POLLIN, 0},
                                {directory_fd(l->run.directory), POLLIN, 0},
                                {*l->setup->server_fd, POLLIN, 0}};

        (void)poll(fds, 3, deadlines_handle(l));
        run_handle_signals(&l->run);
        directory_handle(l->run.directory);
        if (fds[2].revents != 0) {
            server_watch(l->setup->server_fd, l->setup->server);
        }
    }
}

/* Room for two ends of a link for each process, and more. */
static bool descriptors_need(const struct local_job *l)
{
    return run_need_descriptors(&l->run, 2 * l->setup->options->processes + l->setup->agreed->world.hosts +
                                             DIRECTORY_UNIDENTIFIED_MAX + SPARE_FDS);
}

static bool links_open(struct local_job *l)
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
static void links_close(struct local_job *l, int end)
{
    for (uint32_t i = 0; l->links[end] && i < l->setup->options->processes; i++) {
        if (l->links[end][i] >= 0) {
            close(l->links[end][i]);
            l->links[end][i] = -1;
        }
    }
}

/* The agent of a host, in its own process: keeps nothing open but what is its own. */
static _Noreturn void agent_process(struct local_job *l, uint32_t host, pid_t launcher, const sigset_t *signals)
{
    const struct local_job_setup *setup = l->setup;
    uint32_t first = offer_first(setup->offer, host);
    uint32_t count = offer_first(setup->offer, host + 1) - first;
    struct agent_setup agent = {.agreed = setup->agreed,
                                .host = setup->agreed->first_host + host,
                                .connect_seconds = setup->options->connect_seconds,
                                .listen_fd = setup->listen_fds[host],
                                .report_fd = l->report[1],
                                .key = setup->options->key,
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
    close(l->run.signal_fd);
    close(l->report[0]);
    sigprocmask(SIG_SETMASK, signals, NULL);
    _exit(agent_run(&agent));
}

/* Starts the agents, one after the other. */
static bool agents_start(struct local_job *l, const sigset_t *signals)
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
        l->run.children.others_count = host + 1;
        close(l->setup->listen_fds[host]);
        l->setup->listen_fds[host] = -1;
    }
    links_close(l, 1);
    return true;
}

/* Starts the processes: each inherits its end of the link to its agent. */
static void processes_start(struct local_job *l, const sigset_t *signals)
{
    char place_text[32];
    struct children_place place = {
        .directory = place_text, .signals = *signals, .fd_name = "ASSAY_IMPI_LINK", .fds = l->links[0]};

    snprintf(place_text, sizeof place_text, "127.0.0.1:%u", (unsigned)directory_port(l->run.directory));
    run_start(&l->run, &place, l->setup->options->command);
    links_close(l, 0);
}

static bool agents_prepare(struct local_job *l)
{
    l->run.children.others = l->agents = calloc(host_count(l), sizeof *l->agents);
    l->agent_seen = calloc(host_count(l), sizeof *l->agent_seen);
    return l->agents && l->agent_seen && pipe2(l->report, O_NONBLOCK | O_CLOEXEC) == 0;
}

static void memory_free(struct local_job *l)
{
    links_close(l, 0);
    links_close(l, 1);
    free(l->links[0]);
    free(l->links[1]);
    free(l->agents);
    free(l->agent_seen);
    run_close(&l->run);
    for (int end = 0; end < 2; end++) {
        if (l->report[end] >= 0) {
            close(l->report[end]);
        }
    }
}

int local_job_run(const struct local_job_setup *setup)
{
    struct local_job l = {
        .setup = setup,
        .run = {.program = "impirun",
                .refusal = "impirun ends the job",
                .first_rank = setup->agreed->hosts[setup->agreed->first_host].first, /* in MPI_COMM_WORLD */
                .signal_fd = -1},
        .report = {-1, -1},
    };
    struct in_addr loopback = {htonl(INADDR_LOOPBACK)};
    const struct network *hosted = NULL;
    sigset_t signals;

    /* The directory comes after the agents, who must not hold it open, and so does a thread of the network. */
    if (!descriptors_need(&l) || !run_prepare(&l.run, setup->options->processes, &signals) || !agents_prepare(&l) ||
        !links_open(&l) || !agents_start(&l, &signals) || !run_open_directory(&l.run, loopback)) {
        fprintf(stderr, "impirun: cannot start host agents and processes: %s\n", strerror(errno));
        children_signal_others(&l.run.children, SIGKILL);
        children_sweep(&l.run.children);
        l.run.status = RUN_FAILED;
    } else if (!hosted_begin(NULL, setup->options->processes, &hosted)) {
        children_signal_others(&l.run.children, SIGKILL);
        children_sweep(&l.run.children);
        l.run.status = RUN_FAILED;
    } else {
        processes_start(&l, &signals);
        job_watch(&l);
        if (!l.run.ending && l.lost_ms != 0) {
            l.run.status = RUN_FAILED; /* all others have ended by themselves before that was due */
        }
        children_sweep(&l.run.children);
    }
    hosted_end(hosted);
    memory_free(&l);
    return l.run.status;
}
