/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * API: certificates, the public key, and checking a certificate that somebody holds.
 */
#include "web/api/handlers.h"
#include "web/http/access.h"
#include "web/http/request.h"
#include "web/service/service.h"
#include "web/store/query.h"

#include <string.h>

void handle_key_get(struct request *request)
{
    char text[CERTIFICATE_TEXT_SIZE], id[CERTIFICATE_TEXT_SIZE];

    certificate_key_text(request->service->key.public_key, text);
    certificate_key_id(request->service->key.public_key, id);
    request_reply(request, MHD_HTTP_OK, json_pack("{s:s,s:s,s:s}", "algorithm", "Ed25519", "id", id, "key", text));
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

void handle_certificate_verify(struct request *request)
{
    static const char *const words[] = {[CERTIFICATE_GOOD] = "good",
                                        [CERTIFICATE_ALTERED] = "altered",
                                        [CERTIFICATE_OTHER_KEY] = "other-key",
                                        [CERTIFICATE_BROKEN] = "broken"};
    static const struct field fields[] = {{"certificate", FIELD_OBJECT, 0, 0, true}};
    enum certificate_status status;
    char message[256];

    if (!request_check_body(request, fields, 1)) {
        return;
    }
    status = certificate_verify(json_object_get(request->body, "certificate"), request->service->key.public_key,
                                message, sizeof message);
    request_reply(request, MHD_HTTP_OK, json_pack("{s:s,s:s}", "result", words[status], "message", message));
}
