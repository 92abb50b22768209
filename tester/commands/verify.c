/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * `assay verify`: tells, offline, whether a certificate is whole and, with --key, whether it is genuine.
 */
#include "tester/base/plain.h"
#include "tester/base/utf8.h"
#include "tester/commands/option.h"
#include "tester/report/certificate.h"
#include "tester/report/coverage.h"
#include "tester/report/key_chain.h"
#include "tester/report/log.h"
#include "tester/report/outcome.h"

#include <errno.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cmd_verify(int argc, char **argv);

enum { GOOD = 0, FOUND_WANTING = 1, BROKEN = 2, FILE_MAX = 1024 * 1024 };

static const char help[] =
    "usage: assay verify CERTIFICATE.json [--key FILE] [--keys KEYS.json] [--log PROOF.json]\n"
    "\n"
    "Checks the signature of a certificate. FILE holds the service's public key, got from the service itself or from\n"
    "somebody trusted (curl URL/api/v1/key): without it only alterations are found, not forgeries.\n"
    "\n"
    "A service changes its key now and then. Its answer names the keys before with what proves them: certificates by\n"
    "those are good as well. KEYS.json is a later such answer, from anywhere, where FILE is older than the "
    "certificate.\n"
    "\n"
    "PROOF.json shows that the certificate is in the service's log, and whether it has been revoked since (curl\n"
    "URL/api/v1/certificates/ID/proof): it is as old as the file.\n"
    "\n"
    "Exit status: 0 good, 1 altered, signed by another key, revoked or not in the log, 2 not a certificate or\n"
    "wrong usage.\n";

/* The file's text, or NULL after one line on stderr. */
static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rbe");
    char *text = file ? calloc(1, FILE_MAX + 1) : NULL;
    size_t len = text ? fread(text, 1, FILE_MAX + 1, file) : 0;
    const char *wrong = NULL;

    if (!text) {
        wrong = strerror(errno);
    } else if (ferror(file)) {
        wrong = strerror(errno); /* a folder, for example */
    } else if (len > FILE_MAX) {
        wrong = "is too long";
    } else if (memchr(text, 0, len)) {
        wrong = "holds a NUL, which no text does";
    }
    if (wrong) {
        fprintf(stderr, "assay verify: %s: %s\n", path, wrong);
        free(text);
        text = NULL;
    } else if (text) {
        text[len] = '\0';
    }
    if (file) {
        fclose(file);
    }
    return text;
}

/* A text as it may be printed: not where it would do something to a terminal, or look like another one. Whoever has
 * signed a certificate or a log may be anybody. */
static const char *plain(const char *text)
{
    return plain_allowed(text, false) ? text : "(a text with characters that cannot be shown)";
}

/* Makes all texts such ones. */
static void make_plain(json_t *value)
{
    const char *name;
    json_t *member;
    size_t i;

    if (json_is_string(value) && !plain_allowed(json_string_value(value), false)) {
        (void)json_string_set(value, plain(json_string_value(value)));
    }
    json_object_foreach(value, name, member)
    {
        make_plain(member);
    }
    json_array_foreach(value, i, member)
    {
        make_plain(member);
    }
}

/* The vendor's own IMPI server, where one took part. */
static void print_server(const json_t *server)
{
    const char *command = json_string_value(json_object_get(server, "command"));

    if (command) {
        printf("own server: %s (%lld of %lld meetings under it passed)\n", command,
               (long long)json_integer_value(json_object_get(server, "passed")),
               (long long)json_integer_value(json_object_get(server, "meetings")));
    }
}

static void print_transport(const json_t *transport)
{
    const char *text = json_string_value(json_object_get(transport, "text"));

    if (text) {
        printf("%s the wire: %s\n", json_is_true(json_object_get(transport, "on_wire")) ? "seen on" : "not seen on",
               text);
    }
}

/* "label: NAME, ADDRESS" of an object, or that there is none; certificates of format 1 say nothing of it. */
static void print_body(const char *label, const json_t *body)
{
    const char *name = json_string_value(json_object_get(body, "name"));
    const char *address = json_string_value(json_object_get(body, "address"));

    if (name) {
        printf("%s: %s%s%s\n", label, name, address && *address ? ", " : "", address ? address : "");
    } else if (json_is_null(body)) {
        printf("%s: none\n", label);
    }
}

static void print_payload(const json_t *payload)
{
    const json_t *implementation = json_object_get(payload, "implementation");
    const char *fields[] = {json_string_value(json_object_get(implementation, "name")),
                            json_string_value(json_object_get(implementation, "version")),
                            json_string_value(json_object_get(payload, "profile")),
                            json_string_value(json_object_get(payload, "verdict")),
                            json_string_value(json_object_get(payload, "issued"))};

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        fields[i] = fields[i] ? fields[i] : "?";
    }
    const char *role = json_string_value(json_object_get(payload, "role"));
    printf("%s %s: %s%s%s: %s (%s)\n", fields[0], fields[1], fields[2], role ? ", as " : "", role ? role : "",
           outcome_words(fields[3]), fields[4]);
    print_body("issuer", json_object_get(payload, "issuer"));
    print_body("organisation, approved by the issuer", json_object_get(payload, "organisation"));
    print_server(json_object_get(payload, "own_server"));
    print_transport(json_object_get(payload, "transport"));
    coverage_show(stdout, json_object_get(payload, "coverage"));
}

/* The file as JSON, or NULL after one line on stderr. */
static json_t *read_json(const char *path)
{
    char *text = read_text(path);
    json_error_t error;
    json_t *document = text ? json_loads(text, JSON_REJECT_DUPLICATES, &error) : NULL;

    if (text && !document) {
        fprintf(stderr, "assay verify: %s:%d:%d: not JSON: %s\n", path, error.line, error.column, error.text);
    }
    free(text);
    return document;
}

/* What the log says of a certificate that is whole. */
static int verify_log(const char *path, const json_t *certificate, const json_t *chain)
{
    json_t *proof = read_json(path);
    enum log_status status;
    char message[640];

    if (!proof) {
        return BROKEN;
    }
    status = log_verify(proof, certificate, chain, message, sizeof message);
    json_decref(proof);
    if (status == LOG_GOOD) {
        printf("log: %s\n", plain(utf8_repair(message)));
    } else {
        fprintf(stderr, "assay verify: %s: %s\n", path, plain(utf8_repair(message)));
    }
    return status == LOG_GOOD ? GOOD : status == LOG_BROKEN ? BROKEN : FOUND_WANTING;
}

static int verify(const char *path, const unsigned char *pinned, const json_t *chain, const char *log_file)
{
    json_t *document = read_json(path);
    enum certificate_status status;
    int result;
    char message[256];

    if (!document) {
        return BROKEN;
    }
    status = key_chain_verify(document, pinned, chain, message, sizeof message);
    result = status == CERTIFICATE_GOOD ? GOOD : status == CERTIFICATE_BROKEN ? BROKEN : FOUND_WANTING;
    if (status == CERTIFICATE_GOOD && log_file) {
        result = verify_log(log_file, document, chain);
    } else if (status != CERTIFICATE_GOOD) {
        fprintf(stderr, "assay verify: %s: %s\n", path, plain(utf8_repair(message)));
    }
    if (result == GOOD) {
        make_plain(document);
        print_payload(json_object_get(document, "payload"));
        printf("good: %s%s\n", message,
               pinned ? "" : "; that this key is the service's own is not checked (--key FILE)");
    }
    json_decref(document);
    return result;
}

/* The chain of a service's answer, or NULL. */
static json_t *read_chain(const char *text)
{
    json_t *answer = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    json_t *chain = json_incref(json_object_get(answer, "chain"));

    json_decref(answer);
    return chain;
}

/* The key of the file, and, where it is a service's answer that has one, the chain of the keys before it. */
static bool read_key(const char *path, unsigned char key[static CERTIFICATE_PUBLIC_OCTETS], json_t **chain)
{
    char *text = read_text(path);
    bool good = text && certificate_key_parse(text, key);

    if (text && !good) {
        fprintf(stderr, "assay verify: %s: is not a public key (32 octets in base64, or the JSON of /api/v1/key)\n",
                path);
    }
    *chain = good ? read_chain(text) : NULL;
    free(text);
    return good;
}

/* Takes a chain from elsewhere in the place of the key's own. */
static bool take_chain(const char *path, json_t **chain)
{
    unsigned char key[CERTIFICATE_PUBLIC_OCTETS];

    json_decref(*chain);
    if (!read_key(path, key, chain)) {
        return false;
    }
    if (!json_is_array(*chain)) {
        fprintf(stderr, "assay verify: %s: has no \"chain\": the JSON of a service's /api/v1/key is wanted\n", path);
        return false;
    }
    return true;
}

int cmd_verify(int argc, char **argv)
{
    static const struct option long_options[] = {{"key", required_argument, NULL, 'k'},
                                                 {"keys", required_argument, NULL, 'c'},
                                                 {"log", required_argument, NULL, 'l'},
                                                 {"help", no_argument, NULL, 'h'},
                                                 {0}};
    unsigned char key[CERTIFICATE_PUBLIC_OCTETS];
    const char *key_file = NULL, *chain_file = NULL, *log_file = NULL;
    json_t *chain = NULL;
    int option;

    optind = 0; /* from the beginning */
    while ((option = option_next(argc, argv, long_options, 1)) != -1) {
        if (option == 'h') {
            fputs(help, stdout);
            return GOOD;
        }
        if (option != 'k' && option != 'c' && option != 'l') {
            return BROKEN;
        }
        *(option == 'k' ? &key_file : option == 'c' ? &chain_file : &log_file) = optarg;
    }
    if (optind + 1 != argc) {
        fputs("assay verify: name one certificate, a file that a service issued; see assay verify --help\n", stderr);
        return BROKEN;
    }
    if (sodium_init() < 0) {
        fputs("assay verify: the cryptographic library does not start\n", stderr);
        return BROKEN;
    }
    if (key_file && !read_key(key_file, key, &chain)) {
        return BROKEN;
    }
    if (chain_file && !take_chain(chain_file, &chain)) {
        json_decref(chain);
        return BROKEN;
    }
    int result = verify(argv[optind], key_file ? key : NULL, chain, log_file);
    json_decref(chain);
    return result;
}
