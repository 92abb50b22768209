/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The HTTP client of `assay certify`, by libcurl. Part of tester/; needs nothing of the service but its interface.
 */
#include "tester/commands/certify/certify.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ANSWER_MAX = 256 * 1024 * 1024, LINE_MAX_OCTETS = 1024 * 1024, CONNECT_S = 10, ANSWER_S = 120 };

/* libcurl brings some thirty libraries with it, which every other command would load for nothing each time it starts:
 * it is opened by who needs it. */
#define CURL_FUNCTION(name) __typeof__(curl_##name) *name
static struct {
    CURL_FUNCTION(global_init);
    CURL_FUNCTION(global_cleanup);
    CURL_FUNCTION(easy_init);
    CURL_FUNCTION(easy_cleanup);
    CURL_FUNCTION(easy_reset);
    CURL_FUNCTION(easy_setopt);
    CURL_FUNCTION(easy_perform);
    CURL_FUNCTION(easy_getinfo);
    CURL_FUNCTION(easy_strerror);
    CURL_FUNCTION(slist_append);
    CURL_FUNCTION(slist_free_all);
} curl;

/* Stores the address of a function of the library in the pointer at `function`. */
static bool curl_find(void *library, const char *name, void *function)
{
    void *address = dlsym(library, name);

    memcpy(function, &address, sizeof address);
    return address != NULL;
}

/* False: it is not installed, or lacks a function. */
static bool curl_open(void)
{
#define CURL_FIND(name) curl_find(library, "curl_" #name, &curl.name)
    void *library = dlopen("libcurl.so.4", RTLD_NOW);

    return library && CURL_FIND(global_init) && CURL_FIND(global_cleanup) && CURL_FIND(easy_init) &&
           CURL_FIND(easy_cleanup) && CURL_FIND(easy_reset) && CURL_FIND(easy_setopt) && CURL_FIND(easy_perform) &&
           CURL_FIND(easy_getinfo) && CURL_FIND(easy_strerror) && CURL_FIND(slist_append) && CURL_FIND(slist_free_all);
}

bool certify_client_open(struct certify_client *client, const char *url, const char *token)
{
    *client = (struct certify_client){.url = url, .token = token};
    if (!curl_open()) {
        snprintf(client->message, sizeof client->message, "certify needs libcurl, and libcurl.so.4 cannot be loaded");
        return false;
    }
    client->curl = curl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? curl.easy_init() : NULL;
    if (!client->curl) {
        snprintf(client->message, sizeof client->message, "out of memory");
    }
    return client->curl != NULL;
}

void certify_client_close(struct certify_client *client)
{
    curl.easy_cleanup(client->curl);
    curl.global_cleanup();
}

/* Sets what all requests share; the caller frees the headers. NULL: the address is too long. */
static struct curl_slist *prepare(struct certify_client *client, const char *path)
{
    struct curl_slist *headers = NULL;
    char text[1024];
    size_t url_len = strlen(client->url);

    while (url_len > 0 && client->url[url_len - 1] == '/') {
        url_len--;
    }
    client->status = 0;
    client->message[0] = '\0';
    if (snprintf(text, sizeof text, "%.*s%s", (int)url_len, client->url, path) >= (int)sizeof text) {
        snprintf(client->message, sizeof client->message, "the address is too long");
        return NULL;
    }
    curl.easy_reset(client->curl);
    curl.easy_setopt(client->curl, CURLOPT_URL, text);
    curl.easy_setopt(client->curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl.easy_setopt(client->curl, CURLOPT_NOSIGNAL, 1L);
    curl.easy_setopt(client->curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S);
    curl.easy_setopt(client->curl, CURLOPT_USERAGENT, "assay/" ASSAY_VERSION);
    snprintf(text, sizeof text, "Authorization: Bearer %s", client->token);
    headers = curl.slist_append(headers, text);
    return curl.slist_append(headers, "Content-Type: application/json");
}

/* Executes what was prepared. False: nobody answered; message says why. */
static bool perform(struct certify_client *client, struct curl_slist *headers)
{
    CURLcode code;

    curl.easy_setopt(client->curl, CURLOPT_HTTPHEADER, headers);
    code = curl.easy_perform(client->curl);
    curl.slist_free_all(headers);
    curl.easy_getinfo(client->curl, CURLINFO_RESPONSE_CODE, &client->status);
    if (code != CURLE_OK) {
        snprintf(client->message, sizeof client->message, "%s: %s%s", client->url, curl.easy_strerror(code),
                 code == CURLE_COULDNT_CONNECT ? "; does assayd listen there? It prints its address when it starts"
                                               : "");
    }
    return code == CURLE_OK;
}

/* ---- whole answers ------------------------------------------------------------------------------------------------
 */

struct answer {
    char *octets;
    size_t len;
};

static size_t on_octets(char *octets, size_t size, size_t count, void *context)
{
    struct answer *answer = context;
    size_t len = size * count;
    char *more;

    if (answer->len + len > ANSWER_MAX) {
        return 0;
    }
    more = realloc(answer->octets, answer->len + len + 1);
    if (!more) {
        return 0;
    }
    memcpy(more + answer->len, octets, len);
    answer->octets = more;
    answer->len += len;
    return len;
}

static bool ask(struct certify_client *client, const char *method, const char *path, const char *body,
                struct answer *answer)
{
    struct curl_slist *headers = prepare(client, path);

    *answer = (struct answer){0};
    if (!headers) {
        return false;
    }
    curl.easy_setopt(client->curl, CURLOPT_CUSTOMREQUEST, method);
    curl.easy_setopt(client->curl, CURLOPT_TIMEOUT, (long)ANSWER_S);
    curl.easy_setopt(client->curl, CURLOPT_WRITEFUNCTION, on_octets);
    curl.easy_setopt(client->curl, CURLOPT_WRITEDATA, answer);
    if (body) {
        curl.easy_setopt(client->curl, CURLOPT_POSTFIELDS, body);
    }
    return perform(client, headers);
}

/* Turns a refusal into a message. */
static void explain(struct certify_client *client, const char *path, const json_t *answer)
{
    const json_t *error = json_object_get(answer, "error");
    const char *message = json_string_value(json_object_get(error, "message"));

    snprintf(client->message, sizeof client->message, "%s%s: %ld: %s", client->url, path, client->status,
             message ? message : "the answer is not that of an Assay service");
}

json_t *certify_client_json(struct certify_client *client, const char *method, const char *path, json_t *body)
{
    char *text = body ? json_dumps(body, JSON_COMPACT) : NULL;
    struct answer answer;
    json_t *json = NULL;
    bool answered = ask(client, method, path, text, &answer);

    json_decref(body);
    free(text);
    if (answered) {
        json = json_loadb(answer.octets ? answer.octets : "", answer.len, 0, NULL);
        if (client->status >= 300 || !json) {
            explain(client, path, json);
            json_decref(json);
            json = NULL;
        }
    }
    free(answer.octets);
    return json;
}

/* ---- answers that become files ------------------------------------------------------------------------------------
 */

struct saving {
    struct certify_client *client;
    const char *path;
    FILE *out; /* NULL: not open, or it could not be opened or written */
    int error; /* errno of what failed, or 0 */
    struct answer refusal;
};

static size_t on_saved(char *octets, size_t size, size_t count, void *context)
{
    struct saving *saving = context;
    long status = 0;

    curl.easy_getinfo(saving->client->curl, CURLINFO_RESPONSE_CODE, &status);
    if (status >= 300) {
        return on_octets(octets, size, count, &saving->refusal);
    }
    saving->out = saving->out ? saving->out : fopen(saving->path, "wbe");
    if (!saving->out || fwrite(octets, size, count, saving->out) != count) {
        saving->error = errno;
        return 0;
    }
    return size * count;
}

/* Completes the file, also an empty one; else removes what there is of it. */
static bool settle(struct saving *saving, bool good)
{
    if (good && !saving->out) {
        saving->out = fopen(saving->path, "wbe");
        saving->error = saving->out ? 0 : errno;
    }
    if (saving->out && fclose(saving->out) != 0 && good) {
        saving->error = errno;
    }
    if (saving->out && (!good || saving->error)) {
        remove(saving->path);
    }
    if (saving->error) {
        snprintf(saving->client->message, sizeof saving->client->message, "%.300s: cannot write: %s", saving->path,
                 strerror(saving->error));
    }
    return good && !saving->error;
}

bool certify_client_save(struct certify_client *client, const char *path, const char *file)
{
    struct saving saving = {.client = client, .path = file};
    struct curl_slist *headers = prepare(client, path);
    bool good;

    if (!headers) {
        return false;
    }
    curl.easy_setopt(client->curl, CURLOPT_LOW_SPEED_LIMIT, 1L); /* it may be long, but must not stand still */
    curl.easy_setopt(client->curl, CURLOPT_LOW_SPEED_TIME, (long)ANSWER_S);
    curl.easy_setopt(client->curl, CURLOPT_WRITEFUNCTION, on_saved);
    curl.easy_setopt(client->curl, CURLOPT_WRITEDATA, &saving);
    good = perform(client, headers);
    if (good && client->status >= 300) {
        json_t *json = json_loadb(saving.refusal.octets ? saving.refusal.octets : "", saving.refusal.len, 0, NULL);

        explain(client, path, json);
        json_decref(json);
        good = false;
    }
    free(saving.refusal.octets);
    return settle(&saving, good);
}

/* ---- streams ------------------------------------------------------------------------------------------------------
 */

struct reader {
    const struct certify_stream *stream;
    char *line;
    size_t len, room;
    bool ended;
};

static bool add_octet(struct reader *reader, char octet)
{
    if (!reader->line || reader->len + 1 >= reader->room) {
        size_t room = reader->room ? reader->room * 2 : 1024;
        char *line = room <= LINE_MAX_OCTETS ? realloc(reader->line, room) : NULL;

        if (!line) {
            return false;
        }
        reader->line = line;
        reader->room = room;
    }
    reader->line[reader->len++] = octet;
    reader->line[reader->len] = '\0';
    return true;
}

static size_t on_piece(char *octets, size_t size, size_t count, void *context)
{
    struct reader *reader = context;
    size_t len = size * count;

    for (size_t i = 0; i < len; i++) {
        if (octets[i] != '\n') {
            if (octets[i] != '\r' && !add_octet(reader, octets[i])) {
                return 0;
            }
            continue;
        }
        if (!reader->stream->on_line(reader->stream->context, reader->line && reader->len ? reader->line : "")) {
            reader->ended = true;
            return 0;
        }
        reader->len = 0;
    }
    return len;
}

static int on_progress(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
    struct reader *reader = context;

    (void)a, (void)b, (void)c, (void)d;
    if (!reader->stream->on_idle(reader->stream->context)) {
        reader->ended = true;
        return 1;
    }
    return 0;
}

bool certify_client_stream(struct certify_client *client, const char *path, const struct certify_stream *stream)
{
    struct curl_slist *headers = prepare(client, path);
    struct reader reader = {.stream = stream};
    bool good;

    if (!headers) {
        return false;
    }
    curl.easy_setopt(client->curl, CURLOPT_WRITEFUNCTION, on_piece);
    curl.easy_setopt(client->curl, CURLOPT_WRITEDATA, &reader);
    curl.easy_setopt(client->curl, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl.easy_setopt(client->curl, CURLOPT_XFERINFODATA, &reader);
    curl.easy_setopt(client->curl, CURLOPT_NOPROGRESS, 0L);
    curl.easy_setopt(client->curl, CURLOPT_FAILONERROR, 1L);
    curl.easy_setopt(client->curl, CURLOPT_TCP_KEEPALIVE, 1L);
    good = perform(client, headers) || reader.ended;
    free(reader.line);
    return good;
}
