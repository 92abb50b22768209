/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * sut-agent: starts and stops jobs of the system under test for a test manager (specs/interpreter.md, section 5). It
 * runs on the vendor's machine, holds the vendor's command template and an outgoing connection. One thread waits for
 * the manager, for what jobs print, for their ends and for signals, all at once.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/connection.h"
#include "../common/line.h"
#include "../common/lines.h"
#include "../common/report.h"
#include "../common/signals.h"
#include "../common/times.h"
#include "commands.h"
#include "conversation.h"
#include "jobs.h"
#include "measure_linux.h"
#include "options.h"
#include "orphans_linux.h"
#include "others.h"
#include "relay.h"

/* struct loop is what is waited for besides the jobs. */
struct loop {
    const struct agent_options *options;
    struct agent agent;
    struct lines lines;
    bool ending; /* all jobs are being stopped; then the program ends with `status` .. */
    bool lost;   /* .. or tries to get back the manager that it has lost */
    int status;
};

enum { PAUSE_MOST_MS = 15000 };

static int signal_pipe[2] = {-1, -1};

/* on_signal wakes the loop. */
static void on_signal(int number)
{
    int error = errno;
    unsigned char octet = (unsigned char)number;
    ssize_t written = write(signal_pipe[1], &octet, 1);

    (void)written; /* a full pipe wakes as well */
    errno = error;
}

static bool catch_signals(void)
{
    static const int numbers[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

    if (pipe(signal_pipe) != 0)
        return false;
    for (size_t i = 0; i < 2; i++) {
        fcntl(signal_pipe[i], F_SETFD, FD_CLOEXEC);
        fcntl(signal_pipe[i], F_SETFL, O_NONBLOCK);
    }
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, NULL);
    signal(SIGPIPE, SIG_IGN); /* a terminal that is gone must not orphan jobs */
    return true;
}

/* end begins the end: no job shall outlive the agent. */
static void end(struct loop *loop, int status)
{
    if (!loop->ending)
        loop->status = status;
    jobs_stop_all(loop->ending); /* asked twice: no more patience */
    loop->ending = true;
}

/* say_leaving tells the manager, before any job is stopped: it would take the jobs' ends for their own doing. Nobody
 * waits for a manager that does not listen. */
static void say_leaving(const struct loop *loop, int number)
{
    struct pollfd manager = {.fd = loop->lines.fd, .events = POLLOUT};
    struct line line = {0};

    if (poll(&manager, 1, 0) != 1)
        return;
    line_add(&line, "! leaving signal=%s", signal_name(number));
    conversation_send(&line);
}

static void take_signals(struct loop *loop)
{
    unsigned char numbers[64];
    ssize_t got = read(signal_pipe[0], numbers, sizeof numbers);

    for (ssize_t i = 0; i < got; i++)
        if (numbers[i] != SIGCHLD) {
            report_say("%s; stopping all jobs%s", signal_name(numbers[i]), loop->ending ? " at once" : "");
            if (!loop->ending)
                say_leaving(loop, numbers[i]);
            if (numbers[i] != SIGINT) /* which a terminal sends to all of us */
                others_signal(numbers[i]);
            if (loop->lost)
                loop->status = 128 + numbers[i];
            loop->lost = false;
            end(loop, 128 + numbers[i]);
        }
}

/* lose_manager ends what nobody gives orders for any more. */
static void lose_manager(struct loop *loop, const char *why)
{
    conversation_break();
    if (loop->agent.quit_id || loop->ending)
        return;
    report_say("%s; stopping all jobs", why);
    loop->lost = true;
    end(loop, EXIT_REFUSED);
}

static void break_off(struct loop *loop, const char *why)
{
    struct line line = {0};

    line_add(&line, "! protocol reason=");
    line_add_encoded(&line, why, strlen(why));
    conversation_send(&line);
    connection_finish(loop->lines.fd);
    lose_manager(loop, why);
    loop->lost = false; /* it would say the same again */
}

/* take_lines executes what has come. Lines may be there without anything to read: those that came with the welcome. */
static void take_lines(struct loop *loop)
{
    enum lines_status status = LINES_NONE;
    struct failure failure = {0};
    const char *why = "";
    char *line;

    while (!conversation_is_broken() && (status = lines_take(&loop->lines, &line, &why)) == LINES_OK)
        if (!commands_take(&loop->agent, line, &failure))
            break_off(loop, failure.reason);
    if (status == LINES_BAD && !conversation_is_broken())
        break_off(loop, why);
}

static void read_manager(struct loop *loop)
{
    if (lines_fill(&loop->lines) == LINES_CLOSED)
        lose_manager(loop, "the manager closed the connection");
    else
        take_lines(loop);
}

static int serve(const struct agent_options *options, const char *token);

/* start_others makes those that the manager wants. Each is as if started by itself, with a token of its own. */
static void start_others(struct loop *loop)
{
    int number = others_start(loop->agent.others);
    struct agent_options options = *loop->options;
    char token[160];

    loop->agent.others = 0;
    if (number < 0)
        report_say("no process for another agent: %s", strerror(errno));
    if (number <= 0)
        return;
    close(loop->lines.fd);
    close(signal_pipe[0]);
    close(signal_pipe[1]);
    snprintf(token, sizeof token, "%s-%d", options.token, number);
    options.jobs = 1;
    options.patience_s = 0; /* the first agent will start others */
    _exit(serve(&options, token));
}

static void run(struct loop *loop)
{
    struct pollfd polls[JOBS_POLL + 2];

    while (jobs_any() || (!loop->agent.quit_id && !loop->ending)) {
        int timeout_ms = -1;
        size_t count;
        if (loop->agent.others) /* before a command comes that was sent after this one was answered */
            start_others(loop);
        count = jobs_poll(polls + 2, &timeout_ms);
        polls[0] = (struct pollfd){.fd = signal_pipe[0], .events = POLLIN};
        polls[1] = (struct pollfd){.fd = conversation_is_broken() ? -1 : loop->lines.fd, .events = POLLIN};
        if (poll(polls, (nfds_t)(count + 2), timeout_ms) < 0)
            continue; /* interrupted: the signal is in the pipe */
        if (polls[0].revents)
            take_signals(loop);
        jobs_step(polls + 2, count);
        if (polls[1].revents)
            read_manager(loop);
        else if (conversation_is_broken() && !loop->ending)
            lose_manager(loop, "the manager is gone");
    }
}

/* add_template adds a pair with the words of a template. */
static void add_template(struct line *hello, const char *name, char *const *words)
{
    struct line text = {0};

    for (size_t i = 0; words[i]; i++) {
        line_add(&text, i ? " " : "");
        line_add_text(&text, words[i], strlen(words[i]));
    }
    line_add(hello, " %s=", name);
    line_add_encoded(hello, text.text ? text.text : "", text.len);
    hello->failed |= text.failed;
    line_release(&text);
}

static void add_hello(struct line *hello, const struct agent_options *options)
{
    char host[256] = "";

    gethostname(host, sizeof host - 1);
    line_add(hello, "hello versions=1 role=agent name=sut-agent/%s pid=%ld host=", ASSAY_VERSION, (long)getpid());
    line_add_encoded(hello, host, strlen(host));
    line_add(hello, " features=outcome%s jobs=%u", measure_can() ? ",measure" : "", options->jobs);
    add_template(hello, "template", options->words);
    if (options->server)
        add_template(hello, "server", options->server);
    line_add(hello, "\n");
}

/* come connects to the manager as if for the first time. */
static enum connection_status come(struct loop *loop, const struct agent_options *options, const char *token)
{
    enum connection_status status = CONNECTION_REFUSED;
    struct line hello = {0};

    memset(loop, 0, sizeof *loop);
    loop->options = options;
    loop->agent.words = options->words;
    loop->agent.server = options->server;
    loop->agent.advertised = options->advertised;
    loop->agent.jobs = options->jobs;
    measure_forget();
    add_hello(&hello, options);
    if (!hello.failed)
        status = connection_open(options->manager, token, hello.text, &loop->lines);
    line_release(&hello);
    return status;
}

/* converse does what the manager says, until it is gone or wants no more, and all jobs have ended. */
static void converse(struct loop *loop)
{
    conversation_open(loop->lines.fd, loop->options->quiet);
    if (!loop->options->quiet)
        report_say("connected to the manager at %s",
                   loop->options->relayed ? loop->options->tunnel.address : loop->options->manager);
    take_lines(loop);
    run(loop);
    if (loop->agent.quit_id)
        conversation_ok(loop->agent.quit_id, "");
    lines_close(&loop->lines);
    if (loop->lost)
        others_signal(SIGTERM); /* they would be in the way of those that are started next */
    others_wait();
}

/* pass_time waits; a signal that ends the agent is given as its exit status, else -1. */
static int pass_time(int ms)
{
    const long long until = times_now_ms() + ms;
    struct pollfd signals = {.fd = signal_pipe[0], .events = POLLIN};
    unsigned char number;

    for (long long left = ms; left > 0; left = until - times_now_ms())
        while (poll(&signals, 1, (int)left) > 0 && read(signal_pipe[0], &number, 1) == 1)
            if (number != SIGCHLD)
                return 128 + number;
    return -1;
}

/* come_again gets back a manager that is lost (CONNECTION_LATER), or that has asked us to wait: seldom and seldomer, or
 * as often as the manager wants it, until our patience ends. True: we are connected. The time that a manager asks us to
 * wait does not count. */
static bool come_again(struct loop *loop, const struct agent_options *options, const char *token,
                       enum connection_status status)
{
    long long until = times_now_ms() + 1000LL * options->patience_s;
    int pause_ms = 250, signalled = -1;

    if (status == CONNECTION_LATER)
        report_say("trying for %u s to connect again", options->patience_s);
    while (status != CONNECTION_OPEN && status != CONNECTION_REFUSED && signalled < 0 && times_now_ms() < until) {
        if (status == CONNECTION_WAIT && connection_wait_ms() > 0)
            pause_ms = connection_wait_ms();
        signalled = pass_time(pause_ms);
        pause_ms = pause_ms < PAUSE_MOST_MS / 2 ? 2 * pause_ms : PAUSE_MOST_MS;
        if (signalled < 0)
            status = come(loop, options, token);
        if (status == CONNECTION_WAIT)
            until = times_now_ms() + 1000LL * options->patience_s;
    }
    loop->status = signalled >= 0 ? signalled : EXIT_REFUSED;
    return status == CONNECTION_OPEN;
}

/* serve is the agent's life with this token: from the connection to its end, whose status it gives. */
static int serve(const struct agent_options *options, const char *token)
{
    static struct loop loop;
    enum connection_status status = come(&loop, options, token);

    if (status != CONNECTION_OPEN && (status != CONNECTION_WAIT || !options->patience_s))
        return EXIT_REFUSED;
    if (!catch_signals()) {
        report_say("cannot make a pipe: %s", strerror(errno));
        return EXIT_REFUSED;
    }
    if (status == CONNECTION_WAIT && !come_again(&loop, options, token, status))
        return loop.status;
    orphans_adopt();
    do
        converse(&loop);
    while (loop.lost && options->patience_s && come_again(&loop, options, token, CONNECTION_LATER));
    return loop.agent.quit_id ? loop.agent.verdict_status : loop.status;
}

int main(int argc, char **argv)
{
    static struct agent_options options; /* until the process ends, whichever way it leaves */
    static char relay[300];
    int status;

    report_name("sut-agent");
    status = options_read(argc, argv, &options);
    if (status >= 0)
        return status;
    if (options.relayed) {
        if (!relay_open(&options.tunnel, options.relay, relay, sizeof relay))
            return EXIT_REFUSED;
        options.manager = relay;
    }
    if (!options.advertised)
        options.advertised = options.manager;
    unsetenv("ASSAY_TOKEN"); /* the run's token is not for jobs */
    return serve(&options, options.token);
}
