/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A certificate as a small picture, for a project's own page: which profile, and what came out.
 */
#include "web/api/handlers.h"

#include "tester/report/outcome.h"
#include "web/http/request.h"
#include "web/runs/certificate_log.h"
#include "web/service/service.h"
#include "web/store/query.h"

#include <stdio.h>
#include <string.h>

enum { LETTER = 7, MARGIN = 8, TEXT_SIZE = 64 };

struct badge {
    char profile[TEXT_SIZE], words[TEXT_SIZE];
    const char *colour;
    bool found;
};

/* Copies what needs no escaping: letters, digits and the signs that names of profiles and outcomes have. */
static void put_plain(char text[static TEXT_SIZE], const char *from)
{
    size_t len = 0;

    for (; *from && len + 1 < TEXT_SIZE; from++) {
        if (!strchr("<>&\"'", *from)) {
            text[len++] = *from;
        }
    }
    text[len] = '\0';
}

static enum database_status read_badge(struct request *request, struct badge *badge)
{
    struct revocation revocation;
    struct query query;
    enum database_status status;

    *badge = (struct badge){.colour = "#18704a"};
    query_open_read(&query, request->service->database,
                    "SELECT json_extract(document, '$.payload.profile'), json_extract(document, '$.payload.verdict') "
                    "FROM certificates WHERE id = :id");
    query_text(&query, ":id", request->parameters[0]);
    badge->found = query_next(&query);
    if (badge->found) {
        put_plain(badge->profile, query_column_text(&query, 0));
        put_plain(badge->words, outcome_words(query_column_text(&query, 1)));
    }
    status = query_close(&query);
    status =
        status ? status : certificate_log_is_revoked(request->service->database, request->parameters[0], &revocation);
    if (status == DATABASE_OK && revocation.is_revoked) {
        put_plain(badge->words, "revoked");
        badge->colour = "#b3261e";
    }
    return status;
}

static void reply_badge(struct request *request, const struct badge *badge)
{
    int left = (int)strlen(badge->profile) * LETTER + 2 * MARGIN,
        right = (int)strlen(badge->words) * LETTER + 2 * MARGIN;
    struct MHD_Response *response;
    char text[2048];
    int len = snprintf(text, sizeof text,
                       "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"20\" role=\"img\" "
                       "aria-label=\"%s: %s\"><title>%s: %s</title>"
                       "<rect width=\"%d\" height=\"20\" rx=\"3\" fill=\"#3a4149\"/>"
                       "<path d=\"M%d 0h%da3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-%dz\" fill=\"%s\"/>"
                       "<g fill=\"#fff\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\" "
                       "text-anchor=\"middle\"><text x=\"%d\" y=\"14\">%s</text><text x=\"%d\" y=\"14\">%s</text></g>"
                       "</svg>\n",
                       left + right, badge->profile, badge->words, badge->profile, badge->words, left + right, left,
                       right - 3, right - 3, badge->colour, left / 2, badge->profile, left + right / 2, badge->words);

    response = MHD_create_response_from_buffer((size_t)len, text, MHD_RESPMEM_MUST_COPY);
    if (response) {
        request_add_type(response, "image/svg+xml", NULL);
        /* Other sites show it; whether it is still true is asked each time. */
        MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "cross-origin");
        MHD_add_response_header(response, "Cache-Control", "no-cache");
    }
    request->octets = len;
    request_queue(request, MHD_HTTP_OK, response);
}

void handle_badge(struct request *request)
{
    struct badge badge;
    enum database_status status = read_badge(request, &badge);

    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
    } else if (!badge.found) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_certificate", "There is no such certificate.");
    } else {
        reply_badge(request, &badge);
    }
}
