/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * GET /connect: launch agents and interpreters come in by HTTP Upgrade (specs/interpreter.md, section 1), are checked,
 * and their connection is handed to the engine. A refusal is plain text whose first line says why.
 */
#include "web/api/handlers.h"

#include "tester/engine/engine.h"
#include "web/http/aside.h"
#include "web/http/hangup.h"
#include "web/http/request.h"
#include "web/runs/start.h"
#include "web/service/service.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#define PROTOCOL "assay/1"

enum { TOKEN_LEAST = 16, TOKEN_MOST = 128, QUEUE_RETRY_S = 2 };

static void refuse(struct request *request, unsigned status, const char *why)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(strlen(why), (void *)(uintptr_t)why, MHD_RESPMEM_MUST_COPY);

    if (response) {
        MHD_add_response_header(response, "Content-Type", "text/plain; charset=utf-8");
        if (status == MHD_HTTP_UPGRADE_REQUIRED) {
            MHD_add_response_header(response, "Upgrade", PROTOCOL);
        }
    }
    request->octets = (int64_t)strlen(why);
    request_queue(request, status, response);
}

/* Whether a list of words separated by commas has the word. */
static bool list_has(const char *list, const char *word)
{
    size_t len = strlen(word);

    while (list && *list) {
        list += strspn(list, ", \t");
        if (strncasecmp(list, word, len) == 0 && (list[len] == '\0' || strchr(", \t", list[len]))) {
            return true;
        }
        list += strcspn(list, ",");
    }
    return false;
}

/* The token of the header, or NULL when it is none. */
static const char *read_token(const struct request *request)
{
    const char *authorization = request_header(request, "Authorization");
    size_t len;

    if (!authorization || strncmp(authorization, "Bearer ", 7) != 0) {
        return NULL;
    }
    authorization += 7;
    len = strspn(authorization, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-");
    return authorization[len] == '\0' && len >= TOKEN_LEAST && len <= TOKEN_MOST ? authorization : NULL;
}

/* The connection is ours now. Between the check and here somebody else may have used the token up. */
static void on_upgraded(void *context, struct MHD_Connection *connection, void *request_context, const char *extra,
                        size_t extra_len, MHD_socket fd, struct MHD_UpgradeResponseHandle *handle)
{
    struct request *request = request_context;
    struct hangup *hangup = hangup_begin(request->service->hangups, connection, fd, handle);

    (void)context;
    if (!hangup) {
        MHD_upgrade_action(handle, MHD_UPGRADE_ACTION_CLOSE);
    } else if (engine_attach(request->parameters[0], fd, extra, extra_len, hangup_close, hangup) != ENGINE_OK) {
        static const char refusal[] = "refuse reason=token%20used%20or%20run%20over\n";

        /* The peer is leaving anyway: what it does not read, it does not miss. */
        if (send(fd, refusal, sizeof refusal - 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
            shutdown(fd, SHUT_RDWR);
        }
        hangup_close(hangup);
    }
}

static void upgrade(struct request *request, const char *token)
{
    struct MHD_Response *response = MHD_create_response_for_upgrade(on_upgraded, NULL);

    if (!response) {
        refuse(request, MHD_HTTP_INTERNAL_SERVER_ERROR, "The service is out of memory.\n");
        return;
    }
    /* The header's text does not outlive the request's headers; the request does. */
    snprintf(request->parameters[0], sizeof request->parameters[0], "%s", token);
    MHD_add_response_header(response, "Upgrade", PROTOCOL);
    request->upgraded = true;
    request_hand_over(request, MHD_HTTP_SWITCHING_PROTOCOLS, response);
}

/* Nobody waits for this token: that of a job that is over, or a launch agent comes back to a run that was suspended. */
static void come_back(struct request *request)
{
    const char *token = read_token(request);
    enum engine_status status = engine_token_check(token);
    char why[256], text[512];

    if (status == ENGINE_OK) { /* by now */
        upgrade(request, token);
        return;
    }
    switch (runs_return(request->service->runs, token, why, sizeof why)) {
    case RETURN_GOES_ON:
        upgrade(request, token);
        break;
    case RETURN_UNDER_WAY:
        if (engine_token_check(token) == ENGINE_OK) { /* another agent has begun it meanwhile */
            upgrade(request, token);
        } else {
            refuse(request, MHD_HTTP_CONFLICT, "The run takes no further launch agent now.\n");
        }
        break;
    case RETURN_PAUSED:
        refuse(request, MHD_HTTP_SERVICE_UNAVAILABLE, "The run is paused; it goes on when somebody wants it to.\n");
        break;
    case RETURN_QUEUED:
        snprintf(text, sizeof text, "The run waits for its turn: %s.\n", why);
        request->retry_seconds = QUEUE_RETRY_S;
        refuse(request, MHD_HTTP_SERVICE_UNAVAILABLE, text);
        break;
    case RETURN_LATER:
        snprintf(text, sizeof text, "The run cannot go on now: %s.\n", why);
        refuse(request, MHD_HTTP_SERVICE_UNAVAILABLE, text);
        break;
    case RETURN_OVER:
        snprintf(text, sizeof text, "The run is over: make a new run for a new token.%s%s\n", *why ? " " : "", why);
        refuse(request, MHD_HTTP_GONE, text);
        break;
    case RETURN_UNKNOWN:
        if (status == ENGINE_USED_TOKEN) {
            refuse(request, MHD_HTTP_CONFLICT, "The token has been used: it is for one connection of each process.\n");
        } else if (status == ENGINE_OVER_TOKEN) {
            refuse(request, MHD_HTTP_GONE, "The token's run or job is over, or has been deleted.\n");
        } else {
            refuse(request, MHD_HTTP_UNAUTHORIZED,
                   "The token is not known: copy the whole token of a run that is waiting.\n");
        }
        break;
    }
}

void handle_connect(struct request *request)
{
    const char *wanted = request_header(request, "Upgrade");
    const char *token = read_token(request);

    if (!wanted || !list_has(request_header(request, "Connection"), "upgrade")) {
        refuse(request, MHD_HTTP_BAD_REQUEST,
               "This address is for sut-agent and test interpreters: 'Connection: Upgrade' and 'Upgrade: assay/1' are "
               "missing.\n");
        return;
    }
    if (!list_has(wanted, PROTOCOL)) {
        refuse(request, MHD_HTTP_UPGRADE_REQUIRED,
               "This service speaks assay/1 only: take the interpreter that it offers for download.\n");
        return;
    }
    if (!token) {
        refuse(request, MHD_HTTP_UNAUTHORIZED,
               "There is no token (Authorization: Bearer TOKEN, 16 to 128 of A-Z a-z 0-9 _ -).\n");
        return;
    }
    if (engine_token_check(token) == ENGINE_OK) {
        upgrade(request, token);
    } else {
        aside_begin(request, come_back);
    }
}
