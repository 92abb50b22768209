/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * `assay run`: a whole run on one machine without a service. Opens a listener (listener.h), starts the launch agent
 * with the caller's command template, and lets the engine do the rest.
 */
#include "tester/commands/commands.h"
#include "tester/commands/option.h"
#include "tester/commands/profile_help.h"
#include "tester/commands/progress.h"
#include "tester/engine/engine.h"
#include "tester/profile/profile.h"
#include "tester/report/matrix.h"
#include "tester/report/outcome.h"
#include "tester/report/summary.h"
#include "tester/report/waivers.h"
#include "tester/sut/launch.h"
#include "tester/sut/listener.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sodium/core.h>
#include <sodium/randombytes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { AGENT_WAIT_MS = 20000, JOBS_MAX = 16 };

static const char help[] =
    "usage: assay run [--profile P] [--suite S] [--case ID] [--seed N] [--jobs N] [--report DIR] -- TEMPLATE...\n"
    "\n"
    "Judges a system under test on this machine. TEMPLATE is the command that starts a job of test interpreters; in "
    "its\n"
    "arguments {np} stands for the number of processes and {args} for the interpreter's own arguments (appended when\n"
    "missing). Where a profile has roles, the words in braces decide which is judged. The reference is judged by:\n"
    "\n";

static const char help_options[] =
    "\n"
    "  --profile P     specification to judge by; the first one listed below where it is not given\n"
    "  --suite S       only the cases of this suite, or of several: S,S,..\n"
    "  --case ID       only this case, or several: ID,ID,..\n"
    "  --jobs N        judge by so many cases at once, each with jobs of its own: up to 16, one if not given\n"
    "  --seed N        repeat the random choices of an earlier run\n"
    "  --report DIR    where report.json, junit.xml and cases/ go (assay-report)\n"
    "  --sut NAME      name of the system under test, for the report\n"
    "  --statement F   what the system under test declares of its limits and readings (specs/statement.md)\n"
    "  --waivers F     failures that are waived: by whom, why, and until when (specs/waivers.md)\n"
    "  --reference DIR where the reference's programs are, which meet the system under test (suite\n"
    "                  interop); the folder of this program if not given\n"
    "  --server WORDS  beside a client: command of an own IMPI server, 'impirun -server {clients} {options}',\n"
    "                  which joins the meetings\n"
    "  --listen A:P    address and port for agent and interpreters (127.0.0.1:0)\n"
    "  --verbose       show notes and the jobs' output\n"
    "\n";

static const char help_end[] =
    "\n"
    "The launch agent is the program sut-agent beside this one, or along PATH, or $ASSAY_AGENT.\n"
    "Exit status: 0 conforms, at least in part; 1 does not conform, or inconclusive; 2 usage, or the command cannot be "
    "started.\n";

struct options {
    struct engine_config config;
    const char *listen;
    const char *waivers; /* the file; or NULL */
    bool seeded, verbose;
    unsigned jobs; /* 0: not given */
    char **template;
};

/* The program's state. */
struct program {
    struct progress progress;
    const char *report_directory;
    struct engine_run *run;
    struct loop *loop;
    struct listener *listener;
    struct launch agent;
    int finished_fd, signal_fd;
    bool finished;
    bool connected, unstartable; /* written by the run's thread, read when it has finished, as is the outcome */
    struct outcome outcome;
};

static bool parse_seed(const char *text, uint64_t *seed)
{
    char *end;

    errno = 0;
    *seed = strtoull(text, &end, 0);
    return *text >= '0' && *text <= '9' && *end == 0 && errno == 0;
}

static bool parse_jobs(const char *text, unsigned *jobs)
{
    uint64_t number;

    if (!parse_seed(text, &number) || number < 1 || number > JOBS_MAX) {
        return false;
    }
    *jobs = (unsigned)number;
    return true;
}

/* Where the value of an option of text goes; NULL for the others. */
static const char **place_of(struct options *options, int option)
{
    switch (option) {
    case 'p':
        return &options->config.profile;
    case 's':
        return &options->config.suite;
    case 'c':
        return &options->config.case_id;
    case 'r':
        return &options->config.report_directory;
    case 'o':
        return &options->config.own_server;
    case 'f':
        return &options->config.reference;
    case 'l':
        return &options->listen;
    case 'u':
        return &options->config.sut_name;
    case 't':
        return &options->config.statement;
    case 'w':
        return &options->waivers;
    default:
        return NULL;
    }
}

static void print_help(void)
{
    fputs(help, stdout);
    profile_help_templates(stdout, "assay run");
    fputs(help_options, stdout);
    profile_help_names(stdout);
    fputs(help_end, stdout);
}

/* Returns -1 to go on, else the exit status. */
static int parse_options(int argc, char **argv, struct options *options)
{
    static const struct option known[] = {{"profile", required_argument, NULL, 'p'},
                                          {"suite", required_argument, NULL, 's'},
                                          {"case", required_argument, NULL, 'c'},
                                          {"seed", required_argument, NULL, 'n'},
                                          {"report", required_argument, NULL, 'r'},
                                          {"listen", required_argument, NULL, 'l'},
                                          {"sut", required_argument, NULL, 'u'},
                                          {"verbose", no_argument, NULL, 'v'},
                                          {"server", required_argument, NULL, 'o'},
                                          {"reference", required_argument, NULL, 'f'},
                                          {"statement", required_argument, NULL, 't'},
                                          {"waivers", required_argument, NULL, 'w'},
                                          {"jobs", required_argument, NULL, 'j'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    int option;

    optind = 0; /* from the beginning */
    while ((option = option_next(argc, argv, known, 0)) != -1) {
        const char **place = place_of(options, option);

        if (place) {
            *place = optarg;
            continue;
        }
        switch (option) {
        case 'v':
            options->verbose = true;
            break;
        case 'j':
            if (parse_jobs(optarg, &options->jobs)) {
                break;
            }
            fprintf(stderr, "assay run: --jobs \"%s\" is not a whole number from 1 to %d\n", optarg, JOBS_MAX);
            return 2;
        case 'n':
            options->seeded = true;
            if (parse_seed(optarg, &options->config.seed)) {
                break;
            }
            fprintf(stderr, "assay run: --seed \"%s\" is not a whole number\n", optarg);
            return 2;
        case 'h':
            print_help();
            return 0;
        default:
            return 2;
        }
    }
    if (optind == argc) {
        fputs("assay run: the command template is missing; give it behind --, see assay run --help\n", stderr);
        return 2;
    }
    options->template = argv + optind;
    return -1;
}

static void on_note(void *context, const char *kind, const char *text)
{
    struct program *program = context;

    program->connected = program->connected || strcmp(kind, "agent-connected") == 0;
    progress_note(&program->progress, kind, text);
}

static void on_started(void *context, const struct case_info *about, unsigned index, unsigned total)
{
    progress_started(&((struct program *)context)->progress, about, index, total);
}

static void on_result(void *context, const struct engine_result *result)
{
    progress_result(&((struct program *)context)->progress, result);
}

static void on_finished(void *context, const struct engine_summary *summary, const char *problem)
{
    struct program *program = context;
    uint64_t one = 1;

    progress_clear(&program->progress);
    summary_show_folder(stdout, program->report_directory);
    progress_finished(&program->progress, summary, problem);
    program->outcome = *summary->outcome;
    program->unstartable = engine_run_unstartable(program->run);
    if (write(program->finished_fd, &one, sizeof one) < 0) {
        abort(); /* an event descriptor that takes no 1: the main thread would wait for ever */
    }
}

static void on_finished_fd(void *context, short revents)
{
    (void)revents;
    ((struct program *)context)->finished = true;
}

static void on_signal(void *context, short revents)
{
    struct program *program = context;
    struct signalfd_siginfo info;

    (void)revents;
    if (read(program->signal_fd, &info, sizeof info) == sizeof info) {
        engine_run_cancel(program->run);
    }
}

static void on_agent_end(void *context, short revents)
{
    struct program *program = context;

    (void)revents;
    launch_reap(&program->agent, program->loop);
    if (!program->finished) {
        engine_run_cancel_because(program->run, "the launch agent has ended");
    }
}

static void program_wait(struct program *program)
{
    while (!program->finished) {
        loop_turn(program->loop, listener_expire(program->listener));
    }
}

/* Makes everything that the loop needs; false when the system refuses. */
static bool program_open(struct program *program, const struct options *options, char *message, size_t message_octets)
{
    sigset_t signals;

    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, NULL); /* before any thread: all inherit it */
    program->loop = loop_new();
    program->finished_fd = eventfd(0, EFD_CLOEXEC);
    program->signal_fd = signalfd(-1, &signals, SFD_CLOEXEC);
    if (program->finished_fd < 0 || program->signal_fd < 0) {
        snprintf(message, message_octets, "%s", strerror(errno));
        return false;
    }
    loop_add(program->loop, program->finished_fd, POLLIN, on_finished_fd, program);
    loop_add(program->loop, program->signal_fd, POLLIN, on_signal, program);
    progress_open(&program->progress, stdout, options->verbose);
    program->listener = listener_open(program->loop, options->listen, message, message_octets);
    return program->listener != NULL;
}

static int program_status(const struct program *program)
{
    return program->unstartable || !program->connected ? 2 : outcome_is_good(&program->outcome) ? 0 : 1;
}

static void start_agent(struct program *program, const struct options *options)
{
    char message[700];
    struct launch_order order = {.address = listener_address(program->listener),
                                 .token = options->config.run_token,
                                 .own_server = options->config.own_server,
                                 .jobs = options->jobs,
                                 .template = options->template};

    if (launch_agent(&program->agent, &order, message, sizeof message)) {
        launch_watch(&program->agent, program->loop, on_agent_end, program);
        return;
    }
    fprintf(stderr, "assay run: %s\n", message);
    engine_run_cancel_because(program->run, message);
}

/* Reads the file of waivers, if there is one; false: it is none. */
static bool read_waivers(struct options *options, json_t **waivers)
{
    char message[700];

    *waivers = options->waivers ? waivers_load(options->waivers, message, sizeof message) : NULL;
    if (options->waivers && !*waivers) {
        fprintf(stderr, "assay run: %s\n", message);
        return false;
    }
    options->config.waivers = *waivers;
    return true;
}

static int run_with(struct program *program, struct options *options)
{
    struct engine_observer observer = {
        .context = program, .note = on_note, .started = on_started, .result = on_result, .finished = on_finished};
    char message[700];

    program->report_directory = options->config.report_directory;
    if (!program_open(program, options, message, sizeof message) ||
        engine_run_create(&options->config, &observer, &program->run, message, sizeof message) != ENGINE_OK) {
        fprintf(stderr, "assay run: %s\n", message);
        return 2;
    }
    printf("assay %s, profile %s, seed %llu\n", ASSAY_VERSION, engine_run_profile(program->run)->name,
           (unsigned long long)options->config.seed);
    fflush(stdout);
    start_agent(program, options);
    if (engine_run_start(program->run) != ENGINE_OK) {
        fputs("assay run: no thread for the run\n", stderr);
        return 2;
    }
    program_wait(program);
    engine_run_join(program->run);
    launch_stop(&program->agent, program->loop, program->connected);
    matrix_show_folder(stdout, options->config.report_directory);
    printf("report: %s/report.json\n", options->config.report_directory);
    char place[4096];
    snprintf(place, sizeof place, "%s/report.html", options->config.report_directory);
    outcome_tell("assay run", &program->outcome, place);
    return program_status(program);
}

int cmd_run(int argc, char **argv)
{
    struct options options = {
        .config = {.report_directory = "assay-report", .sut_name = "", .agent_wait_ms = AGENT_WAIT_MS},
        .listen = "127.0.0.1:0"};
    struct program program = {.finished_fd = -1, .signal_fd = -1};
    unsigned char chance[24];
    char token[2 * sizeof chance + 1];
    json_t *waivers;
    int status = parse_options(argc, argv, &options);

    if (status >= 0 || !read_waivers(&options, &waivers)) {
        return status >= 0 ? status : 2;
    }
    if (sodium_init() < 0) {
        fputs("assay run: the system has no random numbers\n", stderr);
        return 2;
    }
    if (!options.seeded) {
        options.config.seed = randombytes_random();
    }
    randombytes_buf(chance, sizeof chance);
    for (size_t i = 0; i < sizeof chance; i++) {
        snprintf(token + 2 * i, 3, "%02x", chance[i]);
    }
    options.config.run_token = token;
    status = run_with(&program, &options);
    if (program.listener) {
        listener_close(program.listener);
    }
    if (program.loop) {
        loop_free(program.loop);
    }
    close(program.finished_fd);
    close(program.signal_fd);
    json_decref(waivers);
    return status;
}
