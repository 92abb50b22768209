/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Runs as everybody outside sees them (engine.h): configuration, selection of cases, the report folder, start, cancel,
 * join. What a run does meanwhile is in run.c.
 */
#include "tester/engine/engine.h"

#include "tester/base/clock.h"
#include "tester/base/host_load.h"
#include "tester/base/memory.h"
#include "tester/base/utf8.h"
#include "tester/engine/again.h"
#include "tester/engine/agent.h"
#include "tester/engine/earlier.h"
#include "tester/engine/lanes.h"
#include "tester/engine/preflight.h"
#include "tester/engine/run.h"
#include "tester/engine/state.h"
#include "tester/judging/faults.h"
#include "tester/judging/readings.h"
#include "tester/profile/case_list.h"
#include "tester/profile/profile.h"
#include "tester/profile/spec_folder.h"
#include "tester/profile/statement.h"
#include "tester/report/waivers.h"
#include "tester/sut/build.h"
#include "tester/sut/own_server.h"
#include "tester/sut/partner.h"
#include "tester/sut/registry.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Makes the folder and those above it; gives why the last could not be made, or 0. The path is as it was. */
static int make_folders(char *path)
{
    int error = 0;
    char end = '/';

    for (char *at = path + 1; end != 0; at++) {
        end = *at;
        if (end == '/' || end == 0) {
            *at = 0;
            error = mkdir(path, 0777) < 0 && errno != EEXIST ? errno : 0;
            *at = end;
        }
    }
    return error;
}

/* Takes an earlier run's reports away: a run that is cut off must not leave them as its own. */
static void remove_reports(const char *folder)
{
    static const char *const names[] = {"report.json", "report.html", "junit.xml"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *path = memory_format("%s/%s", folder, names[i]);
        unlink(path);
        free(path);
    }
}

/* Makes the folder, and sees whether files can be made in it. */
static enum engine_status make_folder(const char *folder, char *message, size_t message_octets)
{
    char *path = memory_text(folder);
    int error = make_folders(path);
    char *probe = memory_format("%s/report.json.part", folder);
    FILE *file = error ? NULL : fopen(probe, "we");
    if (!file) {
        snprintf(message, message_octets, "the report folder %s cannot be written: %s", folder,
                 strerror(error ? error : errno));
    } else {
        fclose(file);
        unlink(probe);
        remove_reports(folder);
    }
    free(probe);
    free(path);
    return file ? ENGINE_OK : ENGINE_UNWRITABLE;
}

static char *copy_or_null(const char *text)
{
    return text ? memory_text(text) : NULL;
}

static void run_copy(struct engine_run *run, const struct engine_config *config, const struct engine_observer *observer)
{
    time_t now = time(NULL);
    struct tm utc;

    run->suite = copy_or_null(config->suite);
    run->case_id = copy_or_null(config->case_id);
    run->report_directory = memory_text(config->report_directory);
    run->run_token = memory_text(config->run_token);
    run->manager_address = copy_or_null(config->manager_address);
    run->sut_name = utf8_repair(memory_text(config->sut_name));
    run->reference = copy_or_null(config->reference);
    run->own_server = copy_or_null(config->own_server);
    run->guest = config->guest ? utf8_repair(memory_text(config->guest)) : NULL;
    run->guest_token = copy_or_null(config->guest_token);
    run->sut.facts.guest = run->guest ? run->guest : "";
    run->seed = config->seed;
    run->resumable = config->resumable;
    run->whole = run;
    run->sut.facts.role = "";
    run->agent_wait_ms = config->agent_wait_ms;
    run->linger_ms = config->linger_ms;
    run->room = (struct evidence_room){.folder = run->report_directory,
                                       .capture_max = config->capture_octets_max,
                                       .evidence_max = config->evidence_octets_max};
    run->observer = observer ? *observer : (struct engine_observer){0};
    run->sut.note = run->observer.note;
    run->sut.note_context = run->observer.context;
    run->again = again_open();
    run->faults = faults_open();
    run->readings = readings_open();
    run->sut.build = build_open();
    results_open(&run->results, config->waivers);
    run->begin_ms = clock_now_ms();
    strftime(run->started, sizeof run->started, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
}

static void run_free(struct engine_run *run)
{
    lanes_close(run->lanes);
    for (unsigned i = 0; i < run->early_count; i++) {
        if (run->suspended) {
            registry_link_close(&run->early[i]); /* it comes back */
        } else {
            agent_send_away(&run->early[i]);
        }
    }
    partner_close_all(run->partners, true);
    if (run->sut.box) {
        registry_box_free(run->sut.box);
    }
    if (run->sut.loop) {
        loop_free(run->sut.loop);
    }
    case_list_free(run->own_cases);
    results_close(&run->results);
    again_close(run->again);
    faults_close(run->faults);
    readings_close(run->readings);
    build_close(run->sut.build);
    if (run->load) {
        host_load_close(run->load);
    }
    selection_free(&run->selection);
    free(run->sut.facts.verbs);
    free(run->suite);
    free(run->case_id);
    free(run->report_directory);
    free(run->run_token);
    free(run->manager_address);
    free(run->sut_name);
    free(run->reference);
    free(run->own_server);
    free(run->guest);
    free(run->guest_token);
    json_decref(run->statement);
    json_decref(run->earlier);
    free(run->sut.cancelled);
    free(run);
}

static enum engine_status check_guest(const struct engine_run *run, char *message, size_t message_octets)
{
    if (!run->guest || profile_takes_server(run->profile)) {
        return ENGINE_OK;
    }
    snprintf(message, message_octets, "profile %s knows no meetings of implementations", run->profile->name);
    return ENGINE_BAD_GUEST;
}

static enum engine_status check_server(const struct engine_run *run, char *message, size_t message_octets)
{
    if (!run->own_server) {
        return ENGINE_OK;
    }
    if (!profile_takes_server(run->profile)) {
        snprintf(message, message_octets, "profile %s knows no servers that could be brought along",
                 run->profile->name);
        return ENGINE_BAD_SERVER;
    }
    return own_server_check(run->own_server, message, message_octets) ? ENGINE_OK : ENGINE_BAD_SERVER;
}

/* What the system under test declares of itself, if anything. */
static enum engine_status take_statement(struct engine_run *run, const struct engine_config *config, char *message,
                                         size_t message_octets)
{
    if (!config->statement) {
        return ENGINE_OK;
    }
    char *folder = spec_folder_of(config->cases_directory ? config->cases_directory : case_directory());
    run->statement = statement_load(config->statement, folder, run->profile->name, message, message_octets);
    free(folder);
    return run->statement ? ENGINE_OK : ENGINE_BAD_STATEMENT;
}

/* Whether the case is for all, or for systems that declare the limit which it uses up. */
static bool is_declared(const void *statement, const struct case_info *about)
{
    return !about->limit[0] || statement_member(statement, "limits", about->limit);
}

/* The cases that the caller has loaded, or the run's own. */
static enum engine_status take_cases(struct engine_run *run, const struct engine_config *config, char *message,
                                     size_t message_octets)
{
    enum engine_status status = ENGINE_OK;

    if (!config->cases) {
        status = case_list_load(config->cases_directory, config->profile, &run->own_cases, message, message_octets);
    }
    run->cases = config->cases ? config->cases : run->own_cases;
    return status;
}

enum engine_status engine_run_create(const struct engine_config *config, const struct engine_observer *observer,
                                     struct engine_run **result, char *message, size_t message_octets)
{
    struct engine_run *run = memory_zero(sizeof *run);

    run_copy(run, config, observer);
    enum engine_status status = take_cases(run, config, message, message_octets);
    if (status == ENGINE_OK) {
        run->profile = case_list_profile(run->cases);
        run->preflight = preflight_of(run->profile);
        status = selection_make(&run->selection, run->cases, run->suite, run->case_id, message, message_octets);
    }
    if (status == ENGINE_OK) {
        status = check_server(run, message, message_octets);
    }
    if (status == ENGINE_OK) {
        status = check_guest(run, message, message_octets);
    }
    if (status == ENGINE_OK) {
        status = take_statement(run, config, message, message_octets);
    }
    if (status == ENGINE_OK && !run->case_id) {
        selection_keep(&run->selection, is_declared, run->statement);
    }
    if (status == ENGINE_OK && config->waivers && !waivers_check(config->waivers, message, message_octets)) {
        status = ENGINE_BAD_WAIVERS;
    }
    if (status == ENGINE_OK) {
        status = earlier_take(run, config->earlier, message, message_octets);
    }
    if (status == ENGINE_OK) {
        status = make_folder(run->report_directory, message, message_octets);
    }
    if (status == ENGINE_OK && !(run->sut.box = registry_box_new())) {
        snprintf(message, message_octets, "no event descriptor: %s", strerror(errno));
        status = ENGINE_NO_MEMORY;
    }
    if (status != ENGINE_OK) {
        run_free(run);
        return status;
    }
    run->sut.loop = loop_new();
    run->box_watch = loop_add(run->sut.loop, registry_box_fd(run->sut.box), POLLIN, agent_take_links, run);
    run->partners = partner_open_all(&run->sut, run->reference, run->guest_token);
    run->shares = run->resumable && !run->guest;
    registry_add(run->sut.box, run->run_token, 0, run->shares ? 1 + LANES_MAX : 1);
    *result = run;
    return ENGINE_OK;
}

const struct profile *engine_run_profile(const struct engine_run *run)
{
    return run->profile;
}

enum engine_status engine_run_start(struct engine_run *run)
{
    run->running = pthread_create(&run->thread, NULL, run_thread, run) == 0;
    return run->running ? ENGINE_OK : ENGINE_NO_MEMORY;
}

void engine_run_cancel(struct engine_run *run)
{
    engine_run_cancel_because(run, "the run was cancelled");
}

void engine_run_cancel_because(struct engine_run *run, const char *reason)
{
    sut_cancel(&run->sut, reason);
    lanes_cancel(run->lanes, reason);
}

void engine_run_suspend(struct engine_run *run)
{
    run->suspended = true;
    engine_run_cancel_because(run, "the run was suspended");
}

bool engine_run_again(struct engine_run *run, const char *case_id)
{
    bool good = again_ask(run, case_id);

    registry_box_wake(run->sut.box);
    return good;
}

void engine_run_release(struct engine_run *run)
{
    again_release(run);
    registry_box_wake(run->sut.box);
}

bool engine_run_unstartable(const struct engine_run *run)
{
    return run->sut.unstartable;
}

void engine_run_join(struct engine_run *run)
{
    if (run->running) {
        pthread_join(run->thread, NULL);
    }
    run_free(run);
}
