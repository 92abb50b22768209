/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * `assay certify`: what a vendor runs. Registers a run at a service, starts the system under test here, shows the
 * progress, fetches the report.
 */
#include "tester/commands/certify/certify.h"
#include "tester/report/annotations.h"
#include "tester/report/chapters.h"
#include "tester/report/matrix.h"
#include "tester/report/outcome.h"
#include "tester/report/summary.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int cmd_certify(int argc, char **argv);

static int complain(const char *what)
{
    fprintf(stderr, "assay certify: %s\n", what);
    return CERTIFY_BROKEN;
}

/* The id of the implementation of that name and version, which is registered if it is new. */
static bool find_implementation(struct certify_client *client, const struct certify_options *options, char *id,
                                size_t id_octets)
{
    json_t *made, *all, *list, *one;
    size_t i;

    made = certify_client_json(client, "POST", "/api/v1/implementations",
                               json_pack("{s:s,s:s}", "name", options->implementation, "version", options->release));
    if (made) {
        const char *found = json_string_value(json_object_get(made, "id"));

        snprintf(id, id_octets, "%s", found ? found : "");
        snprintf(client->message, sizeof client->message, "the service gave the implementation no id");
        json_decref(made);
        return id[0] != '\0';
    }
    if (client->status != 409) {
        return false;
    }
    all = certify_client_json(client, "GET", "/api/v1/implementations", NULL);
    list = json_object_get(all, "implementations");
    id[0] = '\0';
    json_array_foreach(list, i, one)
    {
        const char *name = json_string_value(json_object_get(one, "name"));
        const char *version = json_string_value(json_object_get(one, "version"));
        const char *found = json_string_value(json_object_get(one, "id"));

        if (name && version && found && strcmp(name, options->implementation) == 0 &&
            strcmp(version, options->release) == 0) {
            snprintf(id, id_octets, "%s", found);
        }
    }
    if (all && !id[0]) {
        snprintf(client->message, sizeof client->message,
                 "the service has the implementation \"%.100s\", version \"%.100s\", already, but does not list it",
                 options->implementation, options->release);
    }
    json_decref(all);
    return id[0] != '\0';
}

/* False: the client's message says what is wrong. */
static bool add_statement(struct certify_client *client, const char *path, json_t *body)
{
    json_error_t error;
    json_t *statement = json_load_file(path, JSON_REJECT_DUPLICATES, &error);

    if (statement) {
        json_object_set_new(body, "statement", statement);
    } else if (error.line > 0) {
        snprintf(client->message, sizeof client->message, "%.200s:%d: %.150s", path, error.line, error.text);
    } else {
        snprintf(client->message, sizeof client->message, "the statement: %.300s", error.text);
    }
    return statement != NULL;
}

/* The run of that number, from 0: of several each has a seed of its own. */
static json_t *make_run(struct certify_client *client, const struct certify_options *options,
                        const char *implementation, long long number)
{
    json_t *body = json_pack("{s:s,s:s}", "implementation", implementation, "profile", options->profile);

    if (options->suite) {
        json_object_set_new(body, "suite", json_string(options->suite));
    }
    if (options->case_id) {
        json_object_set_new(body, "case", json_string(options->case_id));
    }
    if (options->server) {
        json_object_set_new(body, "server", json_string(options->server));
    }
    if (options->statement && !add_statement(client, options->statement, body)) {
        json_decref(body);
        return NULL;
    }
    if (options->linger > 0) {
        json_object_set_new(body, "linger", json_integer(options->linger));
    }
    if (options->seed >= 0) {
        json_object_set_new(body, "seed", json_integer(options->seed + number));
    }
    return certify_client_json(client, "POST", "/api/v1/runs", body);
}

static void print_summary(struct certify_client *client, const struct certify_options *options, const char *run)
{
    char path[160];
    json_t *state, *summary;

    snprintf(path, sizeof path, "/api/v1/runs/%s", run);
    state = certify_client_json(client, "GET", path, NULL);
    summary = json_object_get(state, "summary");
    for (size_t i = 0; i < CHAPTERS_VERDICTS; i++) {
        printf("%s%lld %s", i ? ", " : "",
               (long long)json_integer_value(json_object_get(summary, chapters_verdicts[i])), chapters_verdicts[i]);
    }
    printf("\nrun    %s/runs/%s\n", options->url, run);
    if (!options->report && json_is_string(json_object_get(state, "certificate"))) {
        printf("certificate %s/certificates/%s\n", options->url,
               json_string_value(json_object_get(state, "certificate")));
    }
    if (options->report) {
        printf("report %s/report.html\njson   %s/report.json\njunit  %s/junit.xml\n", options->report, options->report,
               options->report);
        if (json_is_string(json_object_get(state, "certificate"))) {
            printf("certificate %s/certificate.json\n", options->report);
        }
    }
    json_decref(state);
}

/* What failed, where that is wanted; what each chapter came to, what was not judged, and the meetings of
 * implementations. The service has it whether the report is fetched or not. Gives the outcome; false when there is no
 * report. */
static bool show_report(struct certify_client *client, const struct certify_options *options, const char *run,
                        struct outcome *outcome)
{
    char path[160];
    json_t *report;

    snprintf(path, sizeof path, "/api/v1/runs/%s/report.json", run);
    report = certify_client_json(client, "GET", path, NULL);
    if (options->annotate) {
        annotations_show(stdout, report);
    }
    summary_show(stdout, report);
    matrix_show(stdout, report);
    outcome_read(report, outcome);
    bool good = report != NULL;
    json_decref(report);
    return good;
}

/* What is printed last is what scripts read: the verdict, or why there is none. */
static int conclude(struct certify_client *client, const struct certify_options *options,
                    const struct certify_watch *watch, const char *run)
{
    bool fetched = !options->report || certify_fetch_report(client, run, options->report);

    struct outcome outcome;
    bool reported = show_report(client, options, run, &outcome);

    print_summary(client, options, run);
    if (strcmp(watch->state, "finished") != 0) {
        printf("%s%s%s\n", watch->problem, watch->problem[0] ? "\n" : "", watch->state);
        return CERTIFY_FOUND_WANTING;
    }
    if (!reported) {
        fprintf(stderr, "assay certify: the run is over, but its report cannot be read: %s\n", client->message);
        return CERTIFY_BROKEN;
    }
    if (!outcome_has_reason(&outcome, watch->problem)) {
        printf("%s\n", watch->problem); /* what befell the service, and not the run */
    }
    outcome_show(stdout, &outcome);
    if (!fetched) {
        return CERTIFY_BROKEN;
    }
    char place[1100];
    snprintf(place, sizeof place, options->report ? "%s/report.html" : "%s/runs/%s",
             options->report ? options->report : options->url, run);
    outcome_tell("assay certify", &outcome, place);
    return outcome_is_good(&outcome) ? CERTIFY_CONFORMS : CERTIFY_FOUND_WANTING;
}

static void cancel(struct certify_client *client, const char *run)
{
    char path[160];

    snprintf(path, sizeof path, "/api/v1/runs/%s/cancel", run);
    json_decref(certify_client_json(client, "POST", path, NULL));
}

/* `tallies` gets the verdicts where there are several runs. */
static int execute(struct certify_client *client, const struct certify_options *options, json_t *made, json_t *tallies)
{
    const char *run = json_string_value(json_object_get(json_object_get(made, "run"), "id"));
    const char *token = json_string_value(json_object_get(made, "token"));
    struct certify_watch watch = {.client = client};
    bool followed;

    if (!run || !token) {
        return complain("the service's answer has no run and no token: is it an Assay service of this version?");
    }
    printf("run %s of %s at %s\n", run, options->profile, options->url);
    watch.agent = certify_agent_start(options, token);
    if (!watch.agent) {
        cancel(client, run);
        return CERTIFY_BROKEN;
    }
    followed = certify_watch_run(&watch, run);
    certify_agent_stop(&watch);
    if (!followed) {
        cancel(client, run);
        return complain(watch.problem);
    }
    if (options->repeat > 1) {
        certify_repeat_add(client, run, tallies);
    }
    return conclude(client, options, &watch, run);
}

/* One run after the other, until one cannot be made or followed. The exit status is that of the worst. */
static int execute_all(struct certify_client *client, const struct certify_options *options, const char *implementation)
{
    json_t *tallies = json_object();
    int worst = CERTIFY_CONFORMS;
    long long done = 0;

    while (done < options->repeat && worst != CERTIFY_BROKEN) {
        json_t *made = make_run(client, options, implementation, done);
        int status = made ? execute(client, options, made, tallies) : complain(client->message);

        json_decref(made);
        worst = status > worst ? status : worst;
        done += status != CERTIFY_BROKEN;
        fflush(stdout);
    }
    if (options->repeat > 1) {
        certify_repeat_show(options->url, tallies, done);
    }
    json_decref(tallies);
    return worst;
}

int cmd_certify(int argc, char **argv)
{
    struct certify_options options;
    struct certify_client client;
    char implementation[128];
    int status = certify_options_parse(argc, argv, &options);

    if (status >= 0) {
        return status;
    }
    signal(SIGPIPE, SIG_IGN);
    if (!certify_client_open(&client, options.url, options.token)) {
        return complain(client.message);
    }
    status = find_implementation(&client, &options, implementation, sizeof implementation)
                 ? execute_all(&client, &options, implementation)
                 : complain(client.message);
    certify_client_close(&client);
    return status;
}
