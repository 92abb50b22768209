/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The life of a job. Its first process, the vendor's command, leads a process group. A command that returns with status
 * 0 may leave the job to processes in the background: as long as its group has members, or somebody holds its output,
 * the job goes on. A command that fails takes the job with it.
 *
 *   running -- command returns, status 0 --> returned: `! returned` -- group and output gone --> over: `! ended`
 *      |                                         | stop
 *      | stop: SIGTERM                           v
 *      +---------------------------------> stopping -- kill_ms: SIGKILL to the group --> dying -- over_ms --> over
 *      |                                         |                                         |
 *      +---- command fails, kill_ms later -------+---------------- group gone -------------+---------------> over
 *
 * The number of the group is not another's as long as it has members, so no signal hits anybody else. A process that
 * leaves the group is beyond what POSIX lets us reach; one that is stopped may keep the output as long as it likes.
 */
#include "jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../common/report.h"
#include "../common/signals.h"
#include "../common/times.h"
#include "conversation.h"
#include "orphans_linux.h"
#include "output.h"
#include "spawn.h"

enum { STOP_MS = 2000, LINGER_MS = 500, DYING_MS = 1000, TAIL_MS = 100, LOOK_MS = 50 };

struct job {
    bool used, stopping;
    bool returned;                  /* the command has, with `status` as waitpid gives it */
    bool told;                      /* the manager knows that it has returned and the job goes on */
    bool group_gone;                /* nobody is left in the command's group */
    unsigned long number, reply_id; /* reply_id: of the stop that waits; 0: none */
    pid_t pid;
    int status;
    long memory_kib;            /* the most that the command has had; 0: not known */
    long long kill_ms, over_ms; /* when to kill the group, when to wait no longer; 0: not due */
    unsigned lines;
    struct job_output outputs[2];
};

static struct job jobs[JOBS];

static struct job *job_find(unsigned long number)
{
    for (size_t i = 0; i < JOBS; i++)
        if (jobs[i].used && jobs[i].number == number)
            return &jobs[i];
    return NULL;
}

static struct job *job_find_or_fail(unsigned long number, struct failure *failure)
{
    struct job *job = job_find(number);

    if (!job)
        failure_set(failure, "unknown-name", "job %lu is not running", number);
    return job;
}

static struct job *job_place(void)
{
    for (size_t i = 0; i < JOBS; i++)
        if (!jobs[i].used)
            return &jobs[i];
    return NULL;
}

pid_t jobs_start(const struct job_order *order, struct failure *failure)
{
    struct job *job = job_place();
    int outputs[2];
    pid_t pid;

    if (job_find(order->number))
        failure_set(failure, "exists", "job %lu is running", order->number);
    else if (!job)
        failure_set(failure, "no-memory", "%d jobs are running already", JOBS);
    pid = failure->code ? -1 : spawn_job(order, outputs, failure);
    if (pid < 0)
        return -1;
    memset(job, 0, sizeof *job);
    job->used = true;
    job->number = order->number;
    job->pid = pid;
    output_open(&job->outputs[0], outputs[0], job->number, "stdout", &job->lines);
    output_open(&job->outputs[1], outputs[1], job->number, "stderr", &job->lines);
    if (!conversation_is_quiet())
        report_say("job %lu: started %s, process %ld", job->number, order->arguments[0], (long)pid);
    return pid;
}

static void signal_group(const struct job *job, int signal)
{
    if (!job->group_gone)
        kill(-job->pid, signal);
}

static void job_stop(struct job *job, bool at_once)
{
    if (!job->stopping) {
        job->stopping = true;
        job->kill_ms = times_now_ms() + STOP_MS;
        signal_group(job, SIGTERM);
        signal_group(job, SIGCONT); /* a stopped process takes no SIGTERM */
    }
    if (at_once && job->kill_ms)
        job->kill_ms = times_now_ms();
}

void jobs_stop(unsigned long number, unsigned long reply_id, struct failure *failure)
{
    struct job *job = job_find_or_fail(number, failure);

    if (!job)
        return;
    if (job->reply_id) {
        failure_set(failure, "busy", "job %lu is being stopped already", number);
        return;
    }
    job->reply_id = reply_id;
    job_stop(job, false);
}

void jobs_stop_all(bool at_once)
{
    for (size_t i = 0; i < JOBS; i++)
        if (jobs[i].used)
            job_stop(&jobs[i], at_once);
}

void jobs_signal(unsigned long number, int signal, struct failure *failure)
{
    struct job *job = job_find_or_fail(number, failure);

    if (job)
        signal_group(job, signal);
}

void jobs_add_numbers(struct line *line)
{
    const char *between = "";

    for (size_t i = 0; i < JOBS; i++) {
        if (jobs[i].used) {
            line_add(line, "%s%lu", between, jobs[i].number);
            between = ",";
        }
    }
}

bool jobs_any(void)
{
    for (size_t i = 0; i < JOBS; i++)
        if (jobs[i].used)
            return true;
    return false;
}

static void shorten(int *timeout_ms, long long due_ms)
{
    long long rest = due_ms - times_now_ms();

    if (due_ms && (*timeout_ms < 0 || rest < *timeout_ms))
        *timeout_ms = rest < 0 ? 0 : (int)rest;
}

size_t jobs_poll(struct pollfd *polls, int *timeout_ms)
{
    size_t count = 0;

    for (size_t i = 0; i < JOBS; i++) {
        if (!jobs[i].used)
            continue;
        for (size_t j = 0; j < 2; j++) {
            polls[count].fd = jobs[i].outputs[j].fd; /* poll passes over -1 */
            polls[count].events = POLLIN;
            polls[count++].revents = 0;
        }
        if (jobs[i].returned) /* nobody tells of the end of processes that are not ours */
            shorten(timeout_ms, times_now_ms() + LOOK_MS);
        shorten(timeout_ms, jobs[i].kill_ms);
        shorten(timeout_ms, jobs[i].over_ms);
    }
    return count;
}

static bool holds_output(const struct job *job)
{
    return job->outputs[0].fd >= 0 || job->outputs[1].fd >= 0;
}

/* add_memory says the most that the command has had, where that is known. */
static void add_memory(const struct job *job, struct line *line)
{
    if (job->memory_kib > 0)
        line_add(line, " memory=%ld", job->memory_kib);
}

/* end_job tells how the command ended and forgets the job. */
static void end_job(struct job *job)
{
    struct line line = {0};

    output_close(&job->outputs[0]);
    output_close(&job->outputs[1]);
    job->used = false;
    line_add(&line, "! ended job=%lu ", job->number);
    if (WIFSIGNALED(job->status))
        line_add(&line, "signal=%s", signal_name(WTERMSIG(job->status)));
    else
        line_add(&line, "status=%d", WEXITSTATUS(job->status));
    if (!conversation_is_quiet())
        report_say("job %lu: ended, %s", job->number, strrchr(line.text, ' ') + 1);
    add_memory(job, &line);
    conversation_send(&line);
    if (job->reply_id)
        conversation_ok(job->reply_id, "");
}

/* say_returned tells, behind all that was printed until then, that the command is gone and the job is not. */
static void say_returned(struct job *job)
{
    struct line line = {0};

    job->told = true;
    output_drain(&job->outputs[0]);
    output_drain(&job->outputs[1]);
    line_add(&line, "! returned job=%lu status=0", job->number);
    add_memory(job, &line);
    conversation_send(&line);
}

/* take_ends notes which commands have returned, and buries whom they have left behind. */
static void take_ends(void)
{
    int status;
    long memory_kib;
    pid_t pid;

    while ((pid = orphans_take(&status, &memory_kib)) > 0) {
        for (size_t i = 0; i < JOBS; i++) {
            if (jobs[i].used && !jobs[i].returned && jobs[i].pid == pid) {
                jobs[i].returned = true;
                jobs[i].status = status;
                jobs[i].memory_kib = memory_kib;
            }
        }
    }
}

/* look_at_command draws the consequences of the command's return, and sees whether anybody is left in its group. */
static void look_at_command(struct job *job)
{
    bool failed = !WIFEXITED(job->status) || WEXITSTATUS(job->status) != 0;

    if (!job->returned || job->group_gone)
        return;
    job->group_gone = kill(-job->pid, 0) < 0 && errno == ESRCH;
    if (job->told || job->stopping)
        return;
    if (failed) {
        job->stopping = true;
        job->kill_ms = times_now_ms() + LINGER_MS;
    } else if (!job->group_gone || holds_output(job)) {
        say_returned(job);
    }
}

static void step_job(struct job *job)
{
    long long now = times_now_ms();

    look_at_command(job);
    if (job->kill_ms && now >= job->kill_ms) {
        job->kill_ms = 0;
        job->over_ms = now + DYING_MS;
        signal_group(job, SIGKILL);
    }
    if (job->stopping && job->returned && job->group_gone && !job->over_ms) {
        job->kill_ms = 0; /* nobody is left whom we could reach */
        job->over_ms = now + TAIL_MS;
    }
    if (job->returned && ((job->group_gone && !holds_output(job)) || (job->over_ms && now >= job->over_ms)))
        end_job(job);
    else if (job->over_ms && now >= job->over_ms)
        job->over_ms = now + DYING_MS; /* killed, but the system still holds it */
}

void jobs_step(const struct pollfd *polls, size_t count)
{
    size_t at = 0;

    for (size_t i = 0; i < JOBS; i++) {
        if (!jobs[i].used)
            continue;
        for (size_t j = 0; j < 2; j++, at++)
            if (at < count && jobs[i].outputs[j].fd >= 0 && polls[at].revents)
                output_read(&jobs[i].outputs[j]);
    }
    take_ends();
    for (size_t i = 0; i < JOBS; i++)
        if (jobs[i].used)
            step_job(&jobs[i]);
}
