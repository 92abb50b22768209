/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What is the same for everybody: the pages' frame, assets, the API's description, the book, the interpreter's tarball.
 * All pages are one frame of HTML; the script that belongs to the address fills it from the API.
 */
#include "web/http/compress.h"
#include "web/http/request.h"
#include "web/pages/frame.h"
#include "web/pages/handlers.h"
#include "web/profiles/book.h"
#include "web/profiles/catalogue.h"
#include "web/service/asset.h"
#include "web/service/service.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is answered: a file that lives as long as the service, a text that changes with it, by which name its compressed
 * form is kept (NULL: it is compressed already), and its own policy or name as a download, or NULL. */
struct fixed {
    const struct asset *asset;
    const char *tag, *name, *policy, *download;
};

static void reply_plain(struct request *request, const struct fixed *fixed)
{
    const struct asset *asset = fixed->asset;
    const char *known = request_header(request, "If-None-Match");
    bool same = known && strstr(known, fixed->tag);
    struct MHD_Response *response;

    response = MHD_create_response_from_buffer(same ? 0 : asset->len, (void *)(uintptr_t)asset->octets,
                                               MHD_RESPMEM_PERSISTENT);
    if (response) {
        MHD_add_response_header(response, "ETag", fixed->tag);
        MHD_add_response_header(response, "Cache-Control", "no-cache");
        MHD_add_response_header(response, "Vary", "Accept-Encoding");
        request_add_type(response, asset_type(asset->name), fixed->download);
        if (fixed->policy) {
            MHD_add_response_header(response, "Content-Security-Policy", fixed->policy);
        }
    }
    request->octets = same ? 0 : (int64_t)asset->len;
    request_queue(request, same ? MHD_HTTP_NOT_MODIFIED : MHD_HTTP_OK, response);
}

static bool is_compressed(const struct request *request)
{
    return compress_is_accepted(request_header(request, "Accept-Encoding"));
}

/* Compressed once, for the first who takes it so. */
static void reply_compressed(struct request *request, const struct fixed *fixed)
{
    char *text = malloc(fixed->asset->len);

    if (!text) {
        reply_plain(request, fixed);
        return;
    }
    memcpy(text, fixed->asset->octets, fixed->asset->len);
    request_reply_page(
        request,
        &(struct request_page){
            .name = fixed->name, .type = asset_type(fixed->asset->name), .policy = fixed->policy, .for_good = true},
        text, fixed->asset->len);
}

static void reply_fixed(struct request *request, const struct fixed *fixed)
{
    if (!fixed->name || !is_compressed(request)) {
        reply_plain(request, fixed);
    } else if (!request_reply_kept_for_all(request, fixed->name)) {
        reply_compressed(request, fixed);
    }
}

/* Only names that the program was built with exist. */
static void reply_asset(struct request *request, const char *name)
{
    const struct asset *asset = asset_find(name);

    if (!asset) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "not_found", "There is nothing at this address.");
        return;
    }
    reply_fixed(request, &(struct fixed){.asset = asset, .tag = asset_tag(), .name = asset->name});
}

void handle_openapi(struct request *request)
{
    reply_asset(request, "openapi.json");
}

void handle_tarball(struct request *request)
{
    static const char name[] = "assay-interpreter.tar.gz";

    reply_fixed(request, &(struct fixed){.asset = asset_find(name), .tag = asset_tag(), .download = name});
}

void handle_asset(struct request *request)
{
    static const char *const public_endings[] = {".css", ".js", ".svg"};
    const char *name = request->parameters[0];
    size_t len = strlen(name);

    for (size_t i = 0; i < sizeof public_endings / sizeof public_endings[0]; i++) {
        size_t ending = strlen(public_endings[i]);

        if (len > ending && strcmp(name + len - ending, public_endings[i]) == 0) {
            reply_asset(request, name);
            return;
        }
    }
    request_reply_error(request, MHD_HTTP_NOT_FOUND, "not_found", "There is nothing at this address.");
}

void handle_favicon(struct request *request)
{
    reply_asset(request, "icon.svg");
}

void handle_page(struct request *request)
{
    const struct frame *frame = request->service->frame;

    reply_fixed(request, &(struct fixed){.asset = &frame->page, .tag = frame->tag, .name = frame->page.name});
}

/* HTML of a book, NULL: there was no memory for it; taken over, and kept under that name. */
static void reply_part(struct request *request, const char *name, const char *policy, char *text, size_t len)
{
    static const char type[] = "text/html; charset=utf-8";

    if (!text) {
        request_reply(request, MHD_HTTP_INTERNAL_SERVER_ERROR, NULL);
        return;
    }
    request_reply_page(request, &(struct request_page){.name = name, .type = type, .policy = policy, .for_good = true},
                       text, len);
}

static void reply_outline(struct request *request, const struct asset *book)
{
    char policy[BOOK_POLICY_SIZE], *text;
    size_t len;

    if (is_compressed(request) && request_reply_kept_for_all(request, NULL)) {
        return; /* the policy is made of the whole book */
    }
    book_policy(book, policy);
    text = book_outline(book, &len);
    reply_part(request, NULL, policy, text, len);
}

/* Kept under the section's own id, not under each id in it. */
static void reply_section(struct request *request, const struct asset *book, const char *id)
{
    char name[BOOK_ID_SIZE + 64];
    struct book_piece piece;
    char *text;

    if (!book_section(book, id, &piece)) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "not_found",
                            "The requirements book has nothing of that name.");
        return;
    }
    snprintf(name, sizeof name, "%s#%s", book->name, piece.id);
    if (is_compressed(request) && request_reply_kept_for_all(request, name)) {
        return;
    }
    text = malloc(piece.len);
    if (text) {
        memcpy(text, piece.octets, piece.len);
    }
    reply_part(request, name, NULL, text, piece.len);
}

static void reply_whole(struct request *request, const struct asset *book)
{
    char policy[BOOK_POLICY_SIZE];

    book_policy(book, policy);
    reply_fixed(request, &(struct fixed){.asset = book, .tag = asset_tag(), .name = book->name, .policy = policy});
}

void handle_book(struct request *request)
{
    const struct catalogue *catalogue = request->service->catalogue;
    const char *wanted = request->parameters[0];
    const struct profile *profile =
        wanted[0] ? catalogue_profile(catalogue, wanted) : profile_table_at(catalogue_table(catalogue), 0);
    const struct asset *book = profile ? book_of(profile->name) : NULL;
    const char *part = wanted[0] ? request->parameters[1] : "";

    if (!book) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "not_found", "There is no requirements book of that profile.");
        return;
    }
    if (!part[0]) {
        reply_outline(request, book);
    } else if (strcmp(part, "whole") == 0) {
        reply_whole(request, book);
    } else {
        reply_section(request, book, part);
    }
}
