/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * API: runs. Making one answers with its token, once, and with the very commands that a person types.
 */
#include "web/api/handlers.h"
#include "web/http/access.h"
#include "web/http/request.h"
#include "web/profiles/catalogue.h"
#include "web/profiles/commands.h"
#include "web/runs/again.h"
#include "web/runs/cancel.h"
#include "web/runs/runs.h"
#include "web/runs/start.h"
#include "web/service/service.h"
#include "web/store/query.h"
#include "web/store/run_row.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS                                                                                                        \
    "r.id, r.profile, r.role, r.suite, r.case_id AS \"case\", r.server, r.guest, r.statement AS \"statement:json\", "  \
    "r.seed, r.linger, "                                                                                               \
    "r.state, r.verdict, r.problem, "                                                                                  \
    "r.outcome AS \"outcome:json\", r.total, r.stored, r.created, r.started, r.ended, "                                \
    "r.resume_until, r.paused AS \"paused:bool\", r.evidence_removed, "                                                \
    "(SELECT json_object('id', i.id, 'name', i.name, 'version', i.version, 'vendor', i.vendor) "                       \
    "FROM implementations i WHERE i.id = r.implementation) AS \"implementation:json\", "                               \
    "COALESCE(r.summary, " RUN_ROW_SUMMARY(                                                                            \
        "r.id") ") AS \"summary:json\", "                                                                              \
                "json_object('requirements', r.requirements, 'judged', r.judged) AS \"coverage:json\", "               \
                "(SELECT c.id FROM certificates c WHERE c.run = r.id) AS certificate"

enum { LIST_MAX = 200, LINGER_MOST = 30 };

void handle_runs_get(struct request *request)
{
    const char *implementation = request_argument(request, "implementation");
    char name[128];
    struct query query;
    json_t *list;
    enum database_status status;

    snprintf(name, sizeof name, "%s%s%.64s", request->path, implementation ? "?" : "",
             implementation ? implementation : "");
    if (request_reply_kept(request, name)) {
        return;
    }
    query_open_read(
        &query, request->service->database,
        "SELECT " COLUMNS " FROM runs r WHERE r.account = :account AND "
        "(:implementation IS NULL OR r.implementation = :implementation) ORDER BY r.created DESC LIMIT :most");
    query_number(&query, ":account", request->who.account);
    query_text(&query, ":implementation", implementation);
    query_number(&query, ":most", LIST_MAX);
    list = query_list(&query);
    status = query_close(&query);
    if (status != DATABASE_OK) {
        json_decref(list);
        request_reply_database(request, status, "");
        return;
    }
    request_reply_page_json(
        request, &(struct request_page){.name = name, .run = "", .type = "application/json", .for_good = true},
        json_pack("{s:o}", "runs", list));
}

/* The run as JSON, or NULL when the answer (404, 500) has been given. */
static json_t *read_run(struct request *request, const char *id)
{
    struct query query;
    json_t *run = NULL;
    const char *stored;
    char problem[1200];

    if (!access_check_run(request, id)) {
        return NULL;
    }
    query_open_read(&query, request->service->database,
                    "SELECT " COLUMNS ", r.not_judged AS \"not_judged:json\", r.waivers AS \"waivers:json\", "
                    "EXISTS (SELECT 1 FROM evidence WHERE run = r.id AND case_id = '' AND kind = 'preflight') "
                    "AS \"preflight:bool\" FROM runs r WHERE r.id = :id");
    query_text(&query, ":id", id);
    if (query_next(&query)) {
        run = query_json(&query);
    }
    query_close(&query);
    if (!run) {
        request_reply_database(request, DATABASE_BROKEN, "");
        return NULL;
    }
    runs_storage_problem(request->service->runs, id, problem, sizeof problem);
    stored = json_string_value(json_object_get(run, "problem"));
    if (!problem[0] && stored && strstr(stored, "could not be stored")) {
        snprintf(problem, sizeof problem, "%s", stored);
    }
    json_object_set_new(run, "storage_problem", json_string(problem));
    return run;
}

void handle_run_get(struct request *request)
{
    const char *id = request->parameters[0];
    json_t *run = request_reply_kept(request, NULL) ? NULL : read_run(request, id);

    if (run) {
        request_reply_page_json(
            request, &(struct request_page){.run = id, .type = "application/json", .for_good = request->run_over}, run);
    }
}

static void reply_engine_refusal(struct request *request, const struct run_made *made)
{
    switch (made->engine) {
    case ENGINE_NO_PROFILE:
    case ENGINE_NO_CASE:
        request_reply_error(request, MHD_HTTP_BAD_REQUEST, "nothing_to_run", "%s",
                            made->message[0] ? made->message : "There is no such profile, suite or case.");
        return;
    case ENGINE_BAD_SERVER:
        request_reply_error(request, MHD_HTTP_BAD_REQUEST, "bad_server", "server: %s", made->message);
        return;
    case ENGINE_BAD_GUEST:
        request_reply_error(request, MHD_HTTP_BAD_REQUEST, "bad_guest", "guest: %s", made->message);
        return;
    case ENGINE_BAD_STATEMENT:
        request_reply_error(request, MHD_HTTP_BAD_REQUEST, "bad_statement", "%s", made->message);
        return;
    case ENGINE_BAD_CASE:
        request_reply_error(request, MHD_HTTP_INTERNAL_SERVER_ERROR, "bad_case", "A case does not load: %s",
                            made->message);
        return;
    case ENGINE_UNWRITABLE:
        request_reply_error(request, MHD_HTTP_INSUFFICIENT_STORAGE, "disk_full",
                            "The service cannot write the run's folder: %s", made->message);
        return;
    case ENGINE_OK:
    case ENGINE_BAD_WAIVERS:
    case ENGINE_BAD_EARLIER:
    case ENGINE_NO_MEMORY:
    case ENGINE_BAD_TABLE:
    case ENGINE_UNKNOWN_TOKEN:
    case ENGINE_USED_TOKEN:
    case ENGINE_OVER_TOKEN:
        break;
    }
    request_reply_error(request, MHD_HTTP_INTERNAL_SERVER_ERROR, "engine", "The run cannot be started. %s",
                        made->message);
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

static void reply_made(struct request *request, const struct run_made *made)
{
    char base[512];
    json_t *run = read_run(request, made->id), *answer;

    if (!run) {
        return;
    }
    if (!request_base(request, base, sizeof base)) {
        snprintf(base, sizeof base, "http://localhost");
    }
    struct commands_order order = {.base = base,
                                   .tls = request->from.tls,
                                   .profile = catalogue_profile(request->service->catalogue, text_of(run, "profile")),
                                   .server = text_of(run, "server"),
                                   .token = made->token};
    answer =
        json_pack("{s:o,s:s,s:o,s:n}", "run", run, "token", made->token, "commands", commands_json(&order), "guest");
    if (*text_of(run, "guest")) {
        order.server = "";
        order.token = made->guest_token;
        order.guest = true;
        json_object_set_new(answer, "guest",
                            json_pack("{s:s,s:o,s:o}", "token", made->guest_token, "commands", commands_json(&order),
                                      "report", json_sprintf("%s/met/%s", base, made->guest_token)));
    }
    request_reply(request, MHD_HTTP_CREATED, answer);
}

static void reply_limit(struct request *request, enum run_refusal refusal)
{
    const struct limits *limits = &request->service->limits;

    switch (refusal) {
    case RUN_TOO_MUCH_KEPT:
        request_reply_error(request, MHD_HTTP_CONTENT_TOO_LARGE, "too_much_kept",
                            "The runs of your account hold %u MiB of evidence or more (limit %s): delete some.",
                            limits->of[LIMIT_ACCOUNT_MIB], limits_name(LIMIT_ACCOUNT_MIB));
        return;
    case RUN_TOO_MANY_KEPT:
        request_reply_error(request, MHD_HTTP_CONTENT_TOO_LARGE, "too_many_kept",
                            "Your account has %u runs (limit %s): delete some.", limits->of[LIMIT_ACCOUNT_ITEMS],
                            limits_name(LIMIT_ACCOUNT_ITEMS));
        return;
    case RUN_MADE:
    case RUN_NO_ROOM:
    case RUN_NO_IMPLEMENTATION:
    case RUN_DATABASE:
    case RUN_ENGINE:
        break;
    }
}

/* What came of an order. */
static void reply_order(struct request *request, const struct run_made *made)
{
    switch (made->refusal) {
    case RUN_MADE:
        reply_made(request, made);
        break;
    case RUN_TOO_MUCH_KEPT:
    case RUN_TOO_MANY_KEPT:
        reply_limit(request, made->refusal);
        break;
    case RUN_NO_IMPLEMENTATION:
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_implementation",
                            "Your account has no implementation of this id.");
        break;
    case RUN_NO_ROOM:
        request_reply_database(request, DATABASE_FULL, "");
        break;
    case RUN_DATABASE:
        request_reply_database(request, made->status, "");
        break;
    case RUN_ENGINE:
        reply_engine_refusal(request, made);
        break;
    }
}

void handle_runs_post(struct request *request)
{
    static const struct field fields[] = {
        {"implementation", FIELD_TEXT, 1, 64, true},    {"profile", FIELD_TEXT, 1, 64, true},
        {"suite", FIELD_TEXT, 1, 256, false},           {"case", FIELD_TEXT, 1, 16384, false},
        {"server", FIELD_TEXT, 1, 500, false},          {"guest", FIELD_TEXT, 1, 100, false},
        {"statement", FIELD_OBJECT, 0, 0, false},       {"seed", FIELD_NUMBER, 0, 9007199254740991, false},
        {"linger", FIELD_NUMBER, 0, LINGER_MOST, false}};
    struct run_order order = {.account = request->who.account};
    struct run_made made;
    char *statement;

    if (!request_check_body(request, fields, sizeof fields / sizeof fields[0])) {
        return;
    }
    order.implementation = request_text(request, "implementation", "");
    order.profile = request_text(request, "profile", "");
    order.suite = request_text(request, "suite", NULL);
    order.case_id = request_text(request, "case", NULL);
    order.server = request_text(request, "server", NULL);
    order.guest = request_text(request, "guest", NULL);
    order.seed = request_number(request, "seed", (int64_t)randombytes_random());
    order.linger = request_number(request, "linger", 0);
    statement = json_is_object(json_object_get(request->body, "statement"))
                    ? json_dumps(json_object_get(request->body, "statement"), JSON_COMPACT)
                    : NULL;
    order.statement = statement;
    runs_make(request->service->runs, &order, &made);
    free(statement);
    reply_order(request, &made);
}

void handle_run_cancel(struct request *request)
{
    enum database_status status;
    bool found;

    if (!access_check_run(request, request->parameters[0])) {
        return;
    }
    status = cancel_run(request->service->runs, request->parameters[0], request->who.account, &found);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
    } else if (!found) {
        request_reply_error(request, MHD_HTTP_CONFLICT, "run_over", "The run is over already.");
    } else {
        request_reply(request, MHD_HTTP_ACCEPTED, json_pack("{s:b}", "cancelling", true));
    }
}

static void change_pause(struct request *request, bool pause)
{
    enum database_status status;
    bool found;

    if (!access_check_run(request, request->parameters[0])) {
        return;
    }
    status = runs_pause(request->service->runs, request->parameters[0], request->who.account, pause, &found);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
    } else if (!found) {
        request_reply_error(request, MHD_HTTP_CONFLICT, "not_so", "The run is over, or %s.",
                            pause ? "paused already" : "not paused");
    } else {
        request_reply(request, MHD_HTTP_ACCEPTED, json_pack("{s:b}", "paused", pause));
    }
}

void handle_run_pause(struct request *request)
{
    change_pause(request, true);
}

void handle_run_resume(struct request *request)
{
    change_pause(request, false);
}

void handle_run_finish(struct request *request)
{
    enum database_status status;
    bool found;

    if (!access_check_run(request, request->parameters[0])) {
        return;
    }
    status = again_finish(request->service->runs, request->parameters[0], &found);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
    } else if (!found) {
        request_reply_error(request, MHD_HTTP_CONFLICT, "run_over", "The run is over already.");
    } else {
        request_reply(request, MHD_HTTP_ACCEPTED, json_pack("{s:b}", "finishing", true));
    }
}

void handle_run_delete(struct request *request)
{
    enum database_status status;
    bool under_way;

    if (!access_check_run(request, request->parameters[0])) {
        return;
    }
    status = runs_delete(request->service->runs, request->parameters[0], request->who.account, &under_way);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
    } else if (under_way) {
        request_reply_error(request, MHD_HTTP_CONFLICT, "run_under_way", "The run is under way: cancel it first.");
    } else {
        request_reply_nothing(request);
    }
}
