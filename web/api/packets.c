/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * API: the packets of a case's capture, as Wireshark decodes them with our plugin.
 */
#include "web/api/handlers.h"
#include "web/decode/decoders.h"
#include "web/http/access.h"
#include "web/http/request.h"
#include "web/service/service.h"
#include "web/store/evidence_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 100, NUMBER_MAX = 100000000 };

/* A whole number up to NUMBER_MAX; -1: it is none. */
static long read_number(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    long number = digits > 0 && digits < 10 && text[digits] == '\0' ? strtol(text, NULL, 10) : -1;

    return number <= NUMBER_MAX ? number : -1;
}

/* By which an answer is kept: the path, and from where on. */
static void name_page(const struct request *request, char *name, size_t name_octets)
{
    snprintf(name, name_octets, "%.400s?skip=%u", request->path, request->decode.skip);
}

/* What answers when the work is done. */
static void reply_decoded(struct request *request)
{
    struct decode_work *work = &request->decode;
    char name[440];
    json_t *body;

    if (work->none) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_packet", "The capture has no such packet.");
        return;
    }
    if (!work->answer) {
        request_reply_error(request, MHD_HTTP_BAD_GATEWAY, "not_decoded",
                            "The capture could not be decoded here: the program that does so ended, or took too long. "
                            "Download the capture and open it with Wireshark.");
        return;
    }
    body = work->answer;
    work->answer = NULL;
    if (work->frame > 0) {
        body = json_pack("{s:i,s:o}", "number", (int)work->frame, "fields", body);
    } else {
        bool more = json_array_size(body) > PAGE;

        if (more) {
            json_array_remove(body, PAGE);
        }
        body = json_pack("{s:o,s:b}", "packets", body, "more", more);
    }
    name_page(request, name, sizeof name);
    request_reply_page_json(
        request,
        &(struct request_page){
            .name = name, .run = request->parameters[0], .type = "application/json", .for_good = request->run_over},
        body);
}

/* Finds the capture, and has it decoded. */
static void decode(struct request *request)
{
    struct service *service = request->service;
    enum database_status status;
    bool found;

    if (!access_check_run(request, request->parameters[0])) {
        return;
    }
    if (!service->decoders) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_decoder",
                            "This service does not decode captures. Download the capture and open it with Wireshark.");
        return;
    }
    status = evidence_rows_find(service->database, request->parameters[0], request->parameters[1], "capture",
                                &request->decode.place, &found);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
    } else if (!found) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_evidence", "The run has no such evidence (yet).");
    } else {
        decoders_begin(request, reply_decoded);
    }
}

void handle_packets_get(struct request *request)
{
    const char *skip = request_argument(request, "skip");
    long number = skip ? read_number(skip) : 0;
    char name[440];

    if (number < 0) {
        request_reply_error(request, MHD_HTTP_BAD_REQUEST, "bad_skip", "skip must be a whole number up to %d.",
                            NUMBER_MAX);
        return;
    }
    request->decode.skip = (unsigned)number;
    request->decode.count = PAGE + 1;
    name_page(request, name, sizeof name);
    if (!request_reply_kept(request, name)) {
        decode(request);
    }
}

void handle_packet_get(struct request *request)
{
    long number = read_number(request->parameters[2]);
    char name[440];

    request->decode.frame = number > 0 ? (unsigned)number : 0;
    name_page(request, name, sizeof name);
    if (number <= 0) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_packet", "The capture has no such packet.");
    } else if (!request_reply_kept(request, name)) {
        decode(request);
    }
}
