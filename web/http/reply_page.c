/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Answers that are compressed and kept: lists, results, reports.
 */
#include "web/http/compress.h"
#include "web/http/kept.h"
#include "web/http/request.h"
#include "web/service/service.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPRESS_LEAST = 256, TAG_OCTETS = 16 };

/* One answer in the making. */
struct made {
    char *octets;
    size_t len;
    bool gzip;
    char tag[2 * TAG_OCTETS + 16]; /* with its quotes */
};

static bool takes_gzip(const struct request *request)
{
    return compress_is_accepted(request_header(request, "Accept-Encoding"));
}

static struct kept_key key_of(const struct request *request, int64_t account, const char *name)
{
    return (struct kept_key){.account = account, .name = name ? name : request->path, .gzip = takes_gzip(request)};
}

static bool reply_kept(struct request *request, int64_t account, const char *name)
{
    struct kept *kept = request->service->kept;
    struct kept_key key = key_of(request, account, name);
    struct kept_sent sent;

    request->moment = kept_moment(kept, key.account);
    if (request->aside.on) { /* the server's thread answers, when the connection has woken up */
        request->aside.kept = !name && account != 0 && kept_has(kept, &key);
        return request->aside.kept;
    }
    if (!kept_reply(kept, &key, request->connection, request_header(request, "If-None-Match"), &sent)) {
        return false;
    }
    request->answered = sent.answered;
    request->status = sent.status;
    request->octets = (int64_t)sent.octets;
    return true;
}

bool request_reply_kept(struct request *request, const char *name)
{
    return reply_kept(request, request->who.account, name);
}

bool request_reply_kept_for_all(struct request *request, const char *name)
{
    return reply_kept(request, 0, name);
}

/* Compresses what is worth it, and makes the tag, which changes with the content and with its form. */
static void make(const struct request *request, struct made *made)
{
    unsigned char hash[TAG_OCTETS];
    char hex[2 * TAG_OCTETS + 1], *compressed = NULL;
    size_t len = 0;

    crypto_generichash(hash, sizeof hash, (const unsigned char *)made->octets, made->len, NULL, 0);
    sodium_bin2hex(hex, sizeof hex, hash, sizeof hash);
    if (made->len >= COMPRESS_LEAST && takes_gzip(request)) {
        compressed = compress_gzip(made->octets, made->len, &len);
    }
    if (compressed) {
        free(made->octets);
        made->octets = compressed;
        made->len = len;
        made->gzip = true;
    }
    snprintf(made->tag, sizeof made->tag, "\"%s%s\"", hex, made->gzip ? "-gzip" : "");
}

/* Whether the account may still see it is asked again. What changes is kept by nobody else. */
static const char *cache_control(const char *run)
{
    if (!run) {
        return "no-cache";
    }
    return run[0] ? "private, no-cache" : "no-store";
}

static void add_headers(const struct request *request, const struct request_page *page, const struct made *made,
                        struct MHD_Response *response)
{
    MHD_add_response_header(response, "ETag", made->tag);
    MHD_add_response_header(response, "Vary", "Accept-Encoding");
    MHD_add_response_header(response, "Cache-Control", cache_control(page->run));
    MHD_add_response_header(response, "Content-Type", page->type);
    if (made->gzip) {
        MHD_add_response_header(response, "Content-Encoding", "gzip");
    }
    if (page->policy) {
        MHD_add_response_header(response, "Content-Security-Policy", page->policy);
    }
    request_add_headers(request, response);
}

/* Keeps a copy of the answer for whoever asks again. */
static void keep(const struct request *request, const struct request_page *page, const struct made *made)
{
    struct MHD_Response *whole = MHD_create_response_from_buffer(made->len, made->octets, MHD_RESPMEM_MUST_COPY);
    struct MHD_Response *same = MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    struct kept_key key = key_of(request, page->run ? request->who.account : 0, page->name);
    struct kept_answer answer = {
        .whole = whole, .same = same, .tag = made->tag, .run = page->run ? page->run : "", .octets = made->len};

    if (!whole || !same) {
        return; /* out of memory: the little that is left is not worth an unwinding */
    }
    add_headers(request, page, made, whole);
    add_headers(request, page, made, same);
    kept_put(request->service->kept, &key, &answer, request->moment);
}

void request_reply_page(struct request *request, const struct request_page *page, char *text, size_t len)
{
    const char *known = request_header(request, "If-None-Match");
    struct made made = {.octets = text, .len = len};
    struct MHD_Response *response;
    bool has_it;

    make(request, &made);
    if (page->for_good) {
        keep(request, page, &made);
    }
    has_it = known && strstr(known, made.tag);
    response = MHD_create_response_from_buffer_with_free_callback(has_it ? 0 : made.len, made.octets, free);
    if (!response) {
        free(made.octets);
        request->answered = MHD_NO;
        return;
    }
    add_headers(request, page, &made, response);
    request->octets = has_it ? 0 : (int64_t)made.len;
    request_hand_over(request, has_it ? MHD_HTTP_NOT_MODIFIED : MHD_HTTP_OK, response);
}

void request_reply_page_json(struct request *request, const struct request_page *page, json_t *body)
{
    char *text = body ? json_dumps(body, JSON_COMPACT) : NULL;

    json_decref(body);
    if (text) {
        request_reply_page(request, page, text, strlen(text));
    } else {
        request_reply(request, MHD_HTTP_INTERNAL_SERVER_ERROR, NULL);
    }
}
