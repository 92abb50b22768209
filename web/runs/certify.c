/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a certificate says: who issues it, of which approved organisation whose implementation is, which profile, what
 * came out, and the hash of the report that it stands on.
 */
#include "web/runs/certify.h"

#include "tester/report/outcome.h"
#include "web/runs/certificate_log.h"
#include "web/runs/waived.h"
#include "web/service/secret.h"
#include "web/service/service.h"
#include "web/store/query.h"

#include <stdlib.h>
#include <string.h>

enum { BUILD_FILES_MAX = 200 };

/* The payload without the report's hash, read from the database; NULL when there is no such run. */
static json_t *read_payload(struct service *service, const char *run, const char *id)
{
    json_t *payload = NULL;
    struct query query;

    query_open(&query, service->database,
               "SELECT :id AS id, r.id AS run, r.profile, r.seed, r.statement AS \"statement:json\", "
               "strftime('%Y-%m-%dT%H:%M:%SZ', 'now') AS issued, "
               "json_object('name', i.name, 'version', i.version) AS \"implementation:json\", "
               "(SELECT json_object('name', o.name, 'address', o.address, 'approved', o.approved) FROM organisations o "
               "WHERE o.account = r.account AND o.approved IS NOT NULL AND o.ended IS NULL) AS \"organisation:json\", "
               "(SELECT json_object('pass', COUNT(*) FILTER (WHERE verdict = 'pass'), 'fail', COUNT(*) FILTER (WHERE "
               "verdict = 'fail'), "
               "'warn', COUNT(*) FILTER (WHERE verdict = 'warn'), 'skip', COUNT(*) FILTER (WHERE verdict = 'skip'), "
               "'inconclusive', COUNT(*) FILTER (WHERE verdict = 'inconclusive')) FROM results WHERE run = r.id) AS "
               "\"summary:json\" "
               "FROM runs r JOIN implementations i ON i.id = r.implementation WHERE r.id = :run");
    query_text(&query, ":id", id);
    query_text(&query, ":run", run);
    if (query_next(&query)) {
        payload = query_json(&query);
    }
    query_close(&query);
    if (json_is_null(json_object_get(payload, "statement"))) {
        json_object_del(payload, "statement");
    }
    return payload;
}

static enum database_status store(struct service *service, const char *run, const char *id, const char *document)
{
    struct query query;

    query_open(&query, service->database, "INSERT INTO certificates (id, run, document) VALUES (:id, :run, :document)");
    query_text(&query, ":id", id);
    query_text(&query, ":run", run);
    query_text(&query, ":document", document);
    return query_run(&query);
}

static bool has_text(const json_t *object, const char *key, const char *text)
{
    const char *found = json_string_value(json_object_get(object, key));

    return found && strcmp(found, text) == 0;
}

/* The vendor's own server beside the clients: its command, how many meetings there were under it, how many passed. */
static json_t *own_server(json_t *command, const json_t *matrix)
{
    json_int_t meetings = 0, passed = 0;

    for (size_t i = 0; i < json_array_size(matrix); i++) {
        const json_t *cell = json_array_get(matrix, i);

        meetings += has_text(cell, "server", "sut");
        passed += has_text(cell, "server", "sut") && has_text(cell, "verdict", "pass");
    }
    return json_pack("{s:O,s:I,s:I}", "command", command, "meetings", meetings, "passed", passed);
}

/* What was judged, as the launch agent has measured it: the digest of all files of code, and their names, without the
 * folders of the vendor's machine; only the number of them where they are many. */
static json_t *build_of(const json_t *measured)
{
    const json_t *files = json_object_get(measured, "files");
    json_t *build = json_pack("{s:O,s:I}", "sha256", json_object_get(measured, "sha256"), "count",
                              (json_int_t)json_array_size(files));
    json_t *list = json_array();

    for (size_t i = 0; i < json_array_size(files); i++) {
        const json_t *file = json_array_get(files, i);
        const char *path = json_string_value(json_object_get(file, "file")), *slash = path ? strrchr(path, '/') : NULL;

        json_array_append_new(
            list, json_pack("{s:s,s:O}", "name", slash ? slash + 1 : path, "sha256", json_object_get(file, "sha256")));
    }
    if (json_object_get(measured, "left_out")) {
        json_object_set(build, "left_out", json_object_get(measured, "left_out"));
    }
    if (json_array_size(files) <= BUILD_FILES_MAX) {
        json_object_set(build, "files", list);
    }
    json_decref(list);
    return build;
}

/* What the report knows: the outcome, how much was judged and by which program, catalogue and cases, the role of a
 * profile that is judged in two, whether a client had its own server, how the system under test was connected, what it
 * consisted of, and which of its failures are waived. */
static void add_report(json_t *payload, const json_t *read)
{
    json_t *sut = json_object_get(read, "sut");
    json_t *role = json_object_get(sut, "role"), *server = json_object_get(sut, "own_server");
    json_t *waivers = waived_certified(read);
    struct outcome outcome;

    if (json_is_object(json_object_get(sut, "transport"))) {
        json_object_set(payload, "transport", json_object_get(sut, "transport"));
    }
    if (json_is_object(json_object_get(sut, "build"))) {
        json_object_set_new(payload, "build", build_of(json_object_get(sut, "build")));
    }
    if (json_is_object(json_object_get(read, "digests"))) {
        json_object_set(payload, "digests", json_object_get(read, "digests"));
    }
    if (waivers) {
        json_object_set_new(payload, "waivers", waivers);
    }
    outcome_read(read, &outcome);
    json_object_set_new(payload, "verdict", json_string(outcome.name));
    json_object_set(payload, "coverage", json_object_get(read, "coverage"));
    if (json_is_string(role)) {
        json_object_set(payload, "role", role);
    }
    if (json_is_string(server)) {
        json_object_set_new(payload, "own_server", own_server(server, json_object_get(read, "matrix")));
    }
}

/* Who issues it; null where the service does not say. */
static json_t *issuer(const struct issuer *issuer)
{
    return issuer->name
               ? json_pack("{s:s,s:s}", "name", issuer->name, "address", issuer->address ? issuer->address : "")
               : json_null();
}

enum database_status certify_issue(struct service *service, const char *run, const json_t *report,
                                   const char *report_sha256)
{
    char id[SECRET_ID_SIZE];
    json_t *payload, *document;
    char *text;
    enum database_status status;

    secret_make_id(id);
    payload = read_payload(service, run, id);
    if (!payload) {
        return DATABASE_BROKEN;
    }
    json_object_set_new(payload, "issuer", issuer(&service->issuer));
    add_report(payload, report);
    json_object_set_new(payload, "report_sha256", json_string(report_sha256));
    json_object_set_new(payload, "tester", json_string("assay/" ASSAY_VERSION));
    document = certificate_seal(&service->key, payload);
    text = document ? json_dumps(document, JSON_INDENT(2)) : NULL;
    status = text ? store(service, run, id, text) : DATABASE_BROKEN;
    status = status ? status : certificate_log_issued(service->database, document);
    json_decref(document);
    free(text);
    return status;
}
