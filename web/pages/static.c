/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What is the same for everybody: the pages' frame, assets, the API's description, the book, the interpreter's tarball.
 * All pages are one frame of HTML; the script that belongs to the address fills it from the API.
 */
#include "web/http/request.h"
#include "web/pages/frame.h"
#include "web/pages/handlers.h"
#include "web/profiles/book.h"
#include "web/profiles/catalogue.h"
#include "web/service/asset.h"
#include "web/service/service.h"

#include <string.h>

/* Answers with a file that lives as long as the service, or 304 when the client has what `tag` stands for, and with one
 * more header unless that is NULL. */
static void reply_kept(struct request *request, const struct asset *asset, const char *tag, const char *header,
                       const char *value)
{
    const char *known = request_header(request, "If-None-Match");
    bool same = known && strcmp(known, tag) == 0;
    struct MHD_Response *response;

    response = MHD_create_response_from_buffer(same ? 0 : asset->len, (void *)(uintptr_t)asset->octets,
                                               MHD_RESPMEM_PERSISTENT);
    if (response) {
        MHD_add_response_header(response, "ETag", tag);
        MHD_add_response_header(response, "Cache-Control", "no-cache");
        MHD_add_response_header(response, "Content-Type", asset_type(asset->name));
        if (header) {
            MHD_add_response_header(response, header, value);
        }
    }
    request_queue(request, same ? MHD_HTTP_NOT_MODIFIED : MHD_HTTP_OK, response);
}

/* The same with an embedded file. Only names that the program was built with exist. */
static void reply_asset(struct request *request, const char *name, const char *header, const char *value)
{
    const struct asset *asset = asset_find(name);

    if (!asset) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "not_found", "There is nothing at this address.");
        return;
    }
    reply_kept(request, asset, asset_tag(), header, value);
}

void handle_openapi(struct request *request)
{
    reply_asset(request, "openapi.json", NULL, NULL);
}

void handle_tarball(struct request *request)
{
    reply_asset(request, "assay-interpreter.tar.gz", "Content-Disposition",
                "attachment; filename=\"assay-interpreter.tar.gz\"");
}

void handle_asset(struct request *request)
{
    static const char *const public_endings[] = {".css", ".js", ".svg"};
    const char *name = request->parameters[0];
    size_t len = strlen(name);

    for (size_t i = 0; i < sizeof public_endings / sizeof public_endings[0]; i++) {
        size_t ending = strlen(public_endings[i]);

        if (len > ending && strcmp(name + len - ending, public_endings[i]) == 0) {
            reply_asset(request, name, NULL, NULL);
            return;
        }
    }
    request_reply_error(request, MHD_HTTP_NOT_FOUND, "not_found", "There is nothing at this address.");
}

void handle_favicon(struct request *request)
{
    reply_asset(request, "icon.svg", NULL, NULL);
}

void handle_page(struct request *request)
{
    const struct frame *frame = request->service->frame;

    reply_kept(request, &frame->page, frame->tag, NULL, NULL);
}

void handle_book(struct request *request)
{
    const struct catalogue *catalogue = request->service->catalogue;
    const char *wanted = request->parameters[0];
    const struct profile *profile =
        wanted[0] ? catalogue_profile(catalogue, wanted) : profile_table_at(catalogue_table(catalogue), 0);
    const struct asset *book = profile ? book_of(profile->name) : NULL;
    char policy[BOOK_POLICY_SIZE];

    if (!book) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "not_found", "There is no requirements book of that profile.");
        return;
    }
    book_policy(book, policy);
    reply_asset(request, book->name, "Content-Security-Policy", policy);
}
