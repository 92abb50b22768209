/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * API: certificates, the public key, and checking a certificate that somebody holds.
 */
#include "web/api/handlers.h"

#include "tester/report/key_chain.h"
#include "web/http/access.h"
#include "web/http/request.h"
#include "web/runs/certificate_log.h"
#include "web/service/service.h"
#include "web/store/query.h"

#include <stdio.h>
#include <string.h>

void handle_key_get(struct request *request)
{
    char text[CERTIFICATE_TEXT_SIZE], id[CERTIFICATE_TEXT_SIZE];

    certificate_key_text(request->service->key.public_key, text);
    certificate_key_id(request->service->key.public_key, id);
    request_reply(request, MHD_HTTP_OK,
                  json_pack("{s:s,s:s,s:s,s:O}", "algorithm", "Ed25519", "id", id, "key", text, "chain",
                            request->service->key_chain));
}

static void reply_document(struct request *request, const char *sql, const char *id)
{
    struct query query;
    bool found;
    enum database_status status;

    query_open_read(&query, request->service->database, sql);
    query_text(&query, ":id", id);
    found = query_next(&query);
    if (found) {
        const char *document = query_column_text(&query, 0);

        request_reply_octets(request, "application/json", document, strlen(document), "certificate.json");
    }
    status = query_close(&query);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
    } else if (!found) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_certificate", "There is no such certificate.");
    }
}

void handle_certificate_get(struct request *request)
{
    reply_document(request, "SELECT document FROM certificates WHERE id = :id", request->parameters[0]);
}

void handle_run_certificate_get(struct request *request)
{
    if (access_check_run(request, request->parameters[0])) {
        reply_document(request, "SELECT document FROM certificates WHERE run = :id", request->parameters[0]);
    }
}

/* What asks the log for a certificate answers so when there is none. */
static void reply_log(struct request *request, json_t *found, enum database_status status)
{
    if (status != DATABASE_OK) {
        json_decref(found);
        request_reply_database(request, status, "");
    } else if (!found) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_certificate", "There is no such certificate.");
    } else {
        request_reply(request, MHD_HTTP_OK, found);
    }
}

void handle_certificate_proof_get(struct request *request)
{
    enum database_status status;
    json_t *proof = certificate_log_proof(request->service, request->parameters[0], &status);

    reply_log(request, proof, status);
}

void handle_log_get(struct request *request)
{
    enum database_status status;
    json_t *log = certificate_log_list(request->service, &status);

    reply_log(request, log, status);
}

void handle_log_growth_get(struct request *request)
{
    enum database_status status;
    json_t *growth = certificate_log_growth(request->service, (uint64_t)request_id(request, 0), &status);

    if (status == DATABASE_OK && !growth) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_entry",
                            "The log has not so many entries: the size of an earlier head is wanted, 1 or more.");
        return;
    }
    reply_log(request, growth, status);
}

void handle_certificate_revoke(struct request *request)
{
    static const struct field fields[] = {{"reason", FIELD_TEXT, 1, 400, true}};
    enum database_status status;
    bool found;

    if (!request->who.owner || request->who.limited) {
        request_reply_error(request, MHD_HTTP_FORBIDDEN, "not_owner",
                            "Only the service's owner, signed in by a link of the terminal or an own one, revokes.");
        return;
    }
    if (!request_check_body(request, fields, 1)) {
        return;
    }
    status = certificate_log_revoke(request->service->database, request->parameters[0],
                                    request_text(request, "reason", ""), &found);
    if (status == DATABASE_OK && !found) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_certificate", "There is no such certificate.");
    } else if (status != DATABASE_OK) {
        request_reply_database(request, status, "The certificate has been revoked already.");
    } else {
        request_reply_nothing(request);
    }
}

/* Genuine, but is it still good? *revoked: it is not, and message says why. */
static enum database_status look_for_revocation(struct request *request, bool *revoked, char *message,
                                                size_t message_octets)
{
    const json_t *payload = json_object_get(json_object_get(request->body, "certificate"), "payload");
    const char *id = json_string_value(json_object_get(payload, "id"));
    struct revocation revocation = {.is_revoked = false};
    enum database_status status =
        id ? certificate_log_is_revoked(request->service->database, id, &revocation) : DATABASE_OK;

    *revoked = status == DATABASE_OK && revocation.is_revoked;
    if (*revoked) {
        snprintf(message, message_octets, "revoked at %s: %s", revocation.at, revocation.reason);
    }
    return status;
}

void handle_certificate_verify(struct request *request)
{
    static const char *const words[] = {[CERTIFICATE_GOOD] = "good",
                                        [CERTIFICATE_ALTERED] = "altered",
                                        [CERTIFICATE_OTHER_KEY] = "other-key",
                                        [CERTIFICATE_BROKEN] = "broken"};
    static const struct field fields[] = {{"certificate", FIELD_OBJECT, 0, 0, true}};
    enum certificate_status status;
    enum database_status asked = DATABASE_OK;
    bool revoked = false;
    char message[600];

    if (!request_check_body(request, fields, 1)) {
        return;
    }
    status = key_chain_verify(json_object_get(request->body, "certificate"), request->service->key.public_key,
                              request->service->key_chain, message, sizeof message);
    if (status == CERTIFICATE_GOOD) {
        asked = look_for_revocation(request, &revoked, message, sizeof message);
    }
    if (asked != DATABASE_OK) { /* a certificate of which nobody knows whether it is revoked is not called good */
        request_reply_database(request, asked, "");
        return;
    }
    request_reply(request, MHD_HTTP_OK,
                  json_pack("{s:s,s:s}", "result", revoked ? "revoked" : words[status], "message", message));
}
