/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The agent's table of verbs. The manager supplies numbers, one address, two options of a server and a few environment
 * variables; what is executed is the vendor's template and nothing else.
 */
#include "commands.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "../common/command.h"
#include "../common/line.h"
#include "../common/report.h"
#include "conversation.h"
#include "jobs.h"
#include "measure_linux.h"
#include "spawn.h"
#include "template.h"
#include "values.h"

/* struct order is one command on its way: who answers it sets `answered`. */
struct order {
    struct agent *agent;
    const struct command_head *head;
    struct command command;
    struct failure failure;
    struct line result;
    bool later; /* answered when it is done */
};

static unsigned long read_job(struct order *order)
{
    return agent_values_number(&order->command, "job", 1, 2147483647, &order->failure);
}

/* decode_environment undoes the percent-encoding of the variables' values, in place. */
static void decode_environment(struct order *order)
{
    for (size_t i = 0; i < order->command.count; i++)
        if (strncmp(order->command.pairs[i].key, "env.", 4) == 0 && !text_decode(order->command.pairs[i].value))
            failure_set(&order->failure, "bad-value", "%.40s is not percent-encoded text", order->command.pairs[i].key);
}

/* read_template gives the template that the job is started by: the vendor's own one, or its server's. */
static char *const *read_template(struct order *order)
{
    const char *name = command_value(&order->command, "template");

    if (name && strcmp(name, "server") != 0)
        failure_set(&order->failure, "bad-value", "template is server, or left out");
    else if (name && !order->agent->server)
        failure_set(&order->failure, "missing", "there is no server: the agent was started without --server");
    return name ? order->agent->server : order->agent->words;
}

static void run_start(struct order *order)
{
    char *const *words = read_template(order);
    struct job_order job = {.number = read_job(order), .command = &order->command};
    struct template_values values;
    pid_t pid;

    values.manager = order->agent->advertised;
    agent_values_read(&order->command, &values, &order->failure);
    spawn_check_environment(&order->command, &order->failure);
    decode_environment(order);
    if (!order->failure.code)
        job.arguments = template_expand(words, &values, &order->failure);
    if (order->failure.code)
        return;
    pid = jobs_start(&job, &order->failure);
    if (pid > 0)
        line_add(&order->result, " pid=%ld", (long)pid);
    else
        report_say("job %lu: %s", job.number, order->failure.reason);
    template_free(job.arguments);
}

static void run_stop(struct order *order)
{
    unsigned long job = read_job(order);

    if (!order->failure.code)
        jobs_stop(job, order->head->id, &order->failure);
    order->later = true;
}

static void run_signal(struct order *order)
{
    unsigned long job = read_job(order);
    const char *name = command_value(&order->command, "name");
    bool stop = strcmp(name, "STOP") == 0;

    if (!stop && strcmp(name, "CONT") != 0)
        failure_set(&order->failure, "bad-value", "name is STOP or CONT");
    if (!order->failure.code)
        jobs_signal(job, stop ? SIGSTOP : SIGCONT, &order->failure);
}

/* run_agents: who asks twice, or while jobs run, would get processes that know of those. */
static void run_agents(struct order *order)
{
    struct agent *agent = order->agent;
    unsigned long most = agent->jobs > 1 ? agent->jobs - 1 : 0;
    unsigned long count = agent_values_number(&order->command, "count", 1, most, &order->failure);

    if (!order->failure.code && (agent->others_asked || jobs_any()))
        failure_set(&order->failure, "busy", "others are asked for once, before any job");
    if (order->failure.code)
        return;
    agent->others_asked = true;
    agent->others = (unsigned)count;
}

static void run_jobs(struct order *order)
{
    line_add(&order->result, " jobs=");
    jobs_add_numbers(&order->result);
}

/* say_outcome says how the run ended; the manager has decided it, and its name is its words with hyphens between. */
static void say_outcome(const char *name)
{
    char words[32];
    size_t i = 0;

    for (; name[i] && i < sizeof words - 1; i++)
        words[i] = name[i] == '-' ? ' ' : name[i];
    words[i] = '\0';
    report_say("the run is over; its verdict: %s", words);
}

static bool is_one_of(const char *text, const char *const *names)
{
    for (; *names; names++) {
        if (strcmp(text, *names) == 0)
            return true;
    }
    return false;
}

static void run_quit(struct order *order)
{
    static const char *const verdicts[] = {"conforms", "does-not-conform", "inconclusive", NULL};
    static const char *const outcomes[] = {"conforms", "conforms-in-part", "does-not-conform", "inconclusive", NULL};
    const char *verdict = command_value(&order->command, "verdict");
    const char *outcome = command_value(&order->command, "outcome");

    if (verdict && !is_one_of(verdict, verdicts)) {
        failure_set(&order->failure, "bad-value", "verdict is conforms, does-not-conform or inconclusive");
        return;
    }
    if (outcome && !is_one_of(outcome, outcomes)) {
        failure_set(&order->failure, "bad-value",
                    "outcome is conforms, conforms-in-part, does-not-conform or inconclusive");
        return;
    }
    if (verdict && !conversation_is_quiet())
        say_outcome(outcome ? outcome : verdict);
    order->agent->verdict_status = !verdict || strcmp(verdict, "conforms") == 0 ? EXIT_DONE : EXIT_FAULTED;
    order->agent->quit_id = order->head->id;
    order->later = true;
    jobs_stop_all(false);
}

static void run_measure(struct order *order)
{
    if (measure_can())
        line_add(&order->result, " files=%u", measure_jobs(order->agent->words, order->agent->server));
    else
        failure_set(&order->failure, "unknown-command", "this system does not show what a process has mapped");
}

static void run_commands(struct order *order);

#define START_PAIRS "job [template] [np] [token] [client] [server] [clients] [hosts] [options] [env.*] [unset.*]"

static const struct {
    const char *name, *pairs;
    void (*run)(struct order *order);
} verbs[] = {
    {"start", START_PAIRS, run_start},  {"stop", "job", run_stop},
    {"signal", "job name", run_signal}, {"jobs", "", run_jobs},
    {"agents", "count", run_agents},    {"measure", "", run_measure},
    {"commands", "", run_commands},     {"quit", "[verdict] [outcome]", run_quit},
};

enum { VERBS = sizeof verbs / sizeof *verbs };

static void run_commands(struct order *order)
{
    line_add(&order->result, " verbs=");
    for (size_t i = 0; i < VERBS; i++)
        line_add(&order->result, "%s%s", i ? "," : "", verbs[i].name);
}

static void execute(struct order *order)
{
    command_read_body(order->head->body, &order->command, &order->failure);
    for (size_t i = 0; i < VERBS && !order->failure.code; i++) {
        if (strcmp(verbs[i].name, order->command.verb) != 0)
            continue;
        command_check(&order->command, verbs[i].pairs, &order->failure);
        if (!order->failure.code)
            verbs[i].run(order);
        return;
    }
    failure_set(&order->failure, "unknown-command", "no verb is called '%.40s'", order->command.verb);
}

bool commands_take(struct agent *agent, char *line, struct failure *why)
{
    struct order order;
    struct command_head head;

    memset(&order, 0, sizeof order);
    order.agent = agent;
    order.head = &head;
    command_read_head(line, &head, &order.failure);
    if (head.id == 0)
        failure_set(why, order.failure.code, "%s", order.failure.reason);
    else if (head.id <= agent->last_id)
        failure_set(why, "syntax", "a command's number must be larger than those before it");
    if (why->code)
        return false;
    agent->last_id = head.id;
    if (head.thread[0])
        failure_set(&order.failure, "unknown-name", "an agent has no threads");
    if (!order.failure.code)
        execute(&order);
    if (order.failure.code)
        conversation_error(head.id, &order.failure);
    else if (!order.later)
        conversation_ok(head.id, order.result.text ? order.result.text : "");
    line_release(&order.result);
    return true;
}
