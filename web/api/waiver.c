/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * API: waivers (specs/waivers.md). An account's certifiers ask for one; the service's owner grants it, or not; either
 * ends it. It counts for runs that are made while it is granted.
 */
#include "web/api/handlers.h"
#include "web/api/list.h"

#include "tester/engine/engine.h"
#include "tester/report/waivers.h"
#include "web/http/request.h"
#include "web/profiles/catalogue.h"
#include "web/service/secret.h"
#include "web/service/service.h"
#include "web/store/query.h"

#include <stdlib.h>
#include <string.h>

/* Of an account: so many that are not over, and of those that are so many, the latest ones. */
enum { WAIVERS_MAX = 200 };

#define EXPIRED "strftime('%Y-%m-%dT%H:%M:%fZ', 'now') > expires || 'T23:59:59.999Z'"
#define STATE                                                                                                          \
    "CASE WHEN w.ended IS NOT NULL THEN 'ended' WHEN " EXPIRED                                                         \
    " THEN 'expired' WHEN w.granted IS NULL THEN 'requested' ELSE 'granted' END"
#define COLUMNS                                                                                                        \
    "w.id, a.name AS account, w.account = :account AS \"mine:bool\", "                                                 \
    "json_object('id', i.id, 'name', i.name, 'version', i.version) AS \"implementation:json\", w.profile, "            \
    "w.cases AS \"cases:json\", w.requirements AS \"requirements:json\", w.owner, w.reason, w.requested_by, "          \
    "w.created, w.expires, w.granted_by, w.granted, w.ended_by, w.ended, " STATE " AS state"
#define TABLES "waivers w JOIN accounts a ON a.id = w.account JOIN implementations i ON i.id = w.implementation"
#define SEEN   "(w.account = :account OR :all <> 0)"

static void bind_who(struct query *query, const struct request *request)
{
    query_number(query, ":account", request->who.account);
    query_number(query, ":all", request->who.owner);
}

void handle_waivers_get(struct request *request)
{
    struct query query;

    query_open_read(&query, request->service->database,
                    "SELECT " COLUMNS " FROM " TABLES " WHERE " SEEN " ORDER BY w.created DESC");
    bind_who(&query, request);
    list_reply(request, &query, "waivers");
}

/* ---- asking for one ---------------------------------------------------------------------------------------------- */

/* Ids, separated by commas and blanks, as a list. */
static json_t *ids_of(const char *text)
{
    json_t *list = json_array();
    size_t len;

    for (text += strspn(text, ", "); *text; text += strspn(text, ", ")) {
        len = strcspn(text, ", ");
        json_array_append_new(list, json_stringn(text, len));
        text += len;
    }
    return list;
}

static bool is_case(const struct case_list *cases, const char *id)
{
    for (size_t i = 0; i < case_list_count(cases); i++) {
        if (strcmp(case_list_at(cases, i)->id, id) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_requirement(const json_t *rows, const char *id)
{
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const char *each = json_string_value(json_object_get(json_array_get(rows, i), "id"));

        if (each && strcmp(each, id) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether the profile has all that is to be waived; false: answered. */
static bool check_scope(struct request *request, const char *profile, const json_t *cases, const json_t *requirements)
{
    const struct case_list *known = catalogue_cases(request->service->catalogue, profile);
    const json_t *rows = catalogue_requirements(request->service->catalogue, profile);

    if (!known) {
        request_reply_error(request, MHD_HTTP_BAD_REQUEST, "no_profile", "There is no profile '%s'.", profile);
        return false;
    }
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const char *id = json_string_value(json_array_get(cases, i));

        if (!is_case(known, id)) {
            request_reply_error(request, MHD_HTTP_BAD_REQUEST, "no_case", "cases: %s has no case '%s'.", profile, id);
            return false;
        }
    }
    for (size_t i = 0; i < json_array_size(requirements); i++) {
        const char *id = json_string_value(json_array_get(requirements, i));

        if (!is_requirement(rows, id)) {
            request_reply_error(request, MHD_HTTP_BAD_REQUEST, "no_requirement",
                                "requirements: %s has no requirement '%s'.", profile, id);
            return false;
        }
    }
    return true;
}

/* Whether the engine would take it; false: answered. */
static bool check_waiver(struct request *request, const char *id, json_t *cases, json_t *requirements)
{
    char message[300];
    json_t *list = json_pack("[{s:s,s:s,s:s,s:s,s:O,s:O}]", "id", id, "owner", request_text(request, "owner", ""),
                             "reason", request_text(request, "reason", ""), "expires",
                             request_text(request, "expires", ""), "cases", cases, "requirements", requirements);
    bool good = list && waivers_check(list, message, sizeof message);

    if (!good) {
        request_reply_error(request, MHD_HTTP_BAD_REQUEST, "bad_waiver", "%s", list ? message : "it is no text");
    }
    json_decref(list);
    return good;
}

/* Runs have what counted for them: nobody needs the oldest ones. */
static enum database_status forget(struct request *request)
{
    struct query query;

    query_open(&query, request->service->database,
               "DELETE FROM waivers WHERE account = :account AND id IN (SELECT id FROM waivers WHERE "
               "account = :account AND (ended IS NOT NULL OR " EXPIRED ") ORDER BY created DESC, id "
               "LIMIT 1000000 OFFSET :most)");
    query_number(&query, ":account", request->who.account);
    query_number(&query, ":most", WAIVERS_MAX);
    return query_run(&query);
}

/* Inserts it, where the account has the implementation and not too many waivers: *made tells. */
static enum database_status insert(struct request *request, const char *id, const char *cases, const char *requirements,
                                   bool *made)
{
    struct query query;

    query_open(&query, request->service->database,
               "INSERT INTO waivers (id, account, implementation, profile, cases, requirements, owner, reason, "
               "requested_by, expires) SELECT :id, :account, i.id, :profile, :cases, :requirements, :owner, :reason, "
               ":member, :expires FROM implementations i WHERE i.id = :implementation AND i.account = :account AND "
               "(SELECT COUNT(*) FROM waivers WHERE account = :account AND ended IS NULL AND NOT (" EXPIRED
               ")) < :most RETURNING id");
    query_text(&query, ":id", id);
    query_number(&query, ":account", request->who.account);
    query_text(&query, ":implementation", request_text(request, "implementation", ""));
    query_text(&query, ":profile", request_text(request, "profile", ""));
    query_text(&query, ":cases", cases);
    query_text(&query, ":requirements", requirements);
    query_text(&query, ":owner", request_text(request, "owner", ""));
    query_text(&query, ":reason", request_text(request, "reason", ""));
    query_text(&query, ":member", request->who.member_name);
    query_text(&query, ":expires", request_text(request, "expires", ""));
    query_number(&query, ":most", WAIVERS_MAX);
    *made = query_next(&query);
    return query_run(&query);
}

static void make(struct request *request, const char *id, const json_t *cases, const json_t *requirements)
{
    char *cases_text = json_dumps(cases, JSON_COMPACT), *requirements_text = json_dumps(requirements, JSON_COMPACT);
    enum database_status status = DATABASE_BROKEN;
    bool made = false;

    if (cases_text && requirements_text) {
        status = forget(request);
        status = status == DATABASE_OK ? insert(request, id, cases_text, requirements_text, &made) : status;
    }
    free(cases_text);
    free(requirements_text);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
    } else if (!made) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_implementation",
                            "Your account has no implementation of this id, or %d waivers that are not over: end one.",
                            WAIVERS_MAX);
    } else {
        request_reply(request, MHD_HTTP_CREATED, json_pack("{s:s,s:s}", "id", id, "state", "requested"));
    }
}

void handle_waivers_post(struct request *request)
{
    static const struct field fields[] = {
        {"implementation", FIELD_TEXT, 1, 64, true}, {"profile", FIELD_TEXT, 1, 64, true},
        {"cases", FIELD_TEXT, 0, 4000, false},       {"requirements", FIELD_TEXT, 0, 4000, false},
        {"owner", FIELD_TEXT, 1, 200, true},         {"reason", FIELD_TEXT, 1, 400, true},
        {"expires", FIELD_TEXT, 10, 10, true}};
    char id[SECRET_ID_SIZE];
    json_t *cases, *requirements;

    if (!request_check_body(request, fields, sizeof fields / sizeof fields[0])) {
        return;
    }
    request_note(request, request_text(request, "owner", ""));
    secret_make_id(id);
    cases = ids_of(request_text(request, "cases", ""));
    requirements = ids_of(request_text(request, "requirements", ""));
    if (check_scope(request, request_text(request, "profile", ""), cases, requirements) &&
        check_waiver(request, id, cases, requirements)) {
        make(request, id, cases, requirements);
    }
    json_decref(cases);
    json_decref(requirements);
}

/* ---- granting and ending ----------------------------------------------------------------------------------------- */

/* Executes a change that returns the waiver's id, or none, and answers. */
static void change(struct request *request, const char *sql)
{
    struct query query;
    bool found;
    enum database_status status;

    query_open(&query, request->service->database, sql);
    query_text(&query, ":id", request->parameters[0]);
    query_text(&query, ":member", request->who.member_name);
    bind_who(&query, request);
    found = query_next(&query);
    status = query_run(&query);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
    } else if (!found) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_waiver",
                            "There is no waiver of this id, or it has been granted, ended or is expired already.");
    } else {
        request_reply_nothing(request);
    }
}

void handle_waiver_grant(struct request *request)
{
    if (!request->who.owner || request->who.limited) {
        request_reply_error(request, MHD_HTTP_FORBIDDEN, "not_owner",
                            "Only the service's owner, signed in by a link of the terminal or an own one, grants.");
        return;
    }
    change(request, "UPDATE waivers AS w SET granted_by = :member, granted = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') "
                    "WHERE w.id = :id AND " SEEN " AND " STATE " = 'requested' RETURNING id");
}

void handle_waiver_delete(struct request *request)
{
    change(request, "UPDATE waivers AS w SET ended_by = :member, ended = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') "
                    "WHERE w.id = :id AND " SEEN " AND w.ended IS NULL RETURNING id");
}
