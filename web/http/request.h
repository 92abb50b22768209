/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One HTTP request while it is answered, and the ways to answer it. A handler parses, calls, and calls exactly one of
 * the request_reply functions; all of them add the security headers.
 */
#ifndef WEB_HTTP_REQUEST_H
#define WEB_HTTP_REQUEST_H

#include "web/http/forwarded.h"
#include "web/service/secret.h"
#include "web/store/account.h"
#include "web/store/evidence_files.h"

#include <jansson.h>
#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct request;
struct route;
struct service;

enum { REQUEST_PARAMETERS_MAX = 3, REQUEST_PARAMETER_SIZE = 160 };

/* What is to be done with a password aside (hashing.h), and what came of it. */
struct password_work {
    const char *said;                /* to be compared with `hash`; NULL: nothing is */
    const char *chosen;              /* to be hashed, where what was said is good; NULL: nothing is */
    char hash[SECRET_PASSWORD_SIZE]; /* "": there is none, nothing fits; at last that of what was chosen */
    bool good, failed;               /* what was said fits; what was chosen could not be hashed */
    bool left;                       /* nothing was done */
    int64_t member;                  /* whose it is */
    void (*then)(struct request *request);
};

/* What is to be decoded of a capture aside (decode/decoders.h), and what came of it. */
struct decode_work {
    struct evidence_place place; /* of the capture */
    unsigned skip, count;        /* so many packets behind so many; or, where it is not 0, */
    unsigned frame;              /* all fields of this one */
    json_t *answer;              /* NULL: it could not be decoded */
    bool none;                   /* there is no such packet */
    bool left;                   /* nothing was done: the service ends */
    void (*then)(struct request *request);
};

/* The place of a request that is answered aside (aside.h). */
struct aside_place {
    struct request *next;
    uint64_t who, turn;
    void (*handle)(struct request *request);
    bool on;                   /* the handler is called now: what it answers is held */
    bool kept;                 /* the answer is one that is kept */
    struct MHD_Response *held; /* the answer, with request->status */
};

struct request {
    struct service *service;
    struct MHD_Connection *connection;
    const struct route *route;
    const char *method, *path;
    char parameters[REQUEST_PARAMETERS_MAX][REQUEST_PARAMETER_SIZE]; /* what stood for {..} in the route's pattern */
    struct requester who;
    struct forwarded from;
    char *text; /* the body as it came, ended by a zero, when the route has one */
    size_t text_len, text_room;
    json_t *body;             /* the same as JSON object, checked by request_check_body */
    char about[101];          /* what is told of it in the audit log, beside its path: request_note */
    unsigned status;          /* of the answer */
    int64_t octets;           /* of its body; -1: not known */
    uint64_t began_us;        /* access_log_now_us */
    enum MHD_Result answered; /* what MHD said when the answer was queued */
    bool overflow;            /* the body was longer than anybody takes */
    bool upgraded;            /* the connection is no longer HTTP's */
    bool slept;               /* request_sleep */
    bool noted;               /* audit_note */
    bool closing;             /* nothing that follows on the connection is a request */
    unsigned retry_seconds;   /* said with the answer where it is not 0 */
    bool run_over;            /* what access_check_run has found: the run never changes any more */
    struct password_work password;
    struct decode_work decode;
    struct aside_place aside;
    void (*then)(struct request *request); /* it is answered by this, when its connection has woken up; or NULL */
    uint64_t moment;                       /* of the account's runs (kept.h), before anything was read */
};

/* request_sleep suspends the connection: another thread does what takes long, and resumes it. Until the request has
 * been answered it counts among the service's `slept`. */
void request_sleep(struct request *request);

/* request_header gives the value of a header, or NULL. */
const char *request_header(const struct request *request, const char *name);

/* request_argument gives a value of the query string, or NULL; "" for what is no UTF-8. */
const char *request_argument(const struct request *request, const char *name);

/* request_base writes this service's address as the client sees it: "http://HOST:PORT". False when the Host header is
 * missing or no host name. */
bool request_base(const struct request *request, char *base, size_t base_octets);

/* struct field is one member of a JSON body. Lengths are in octets of UTF-8; FIELD_TEXT allows no control characters,
 * FIELD_LINES line breaks only; neither those that are invisible or turn the direction of writing. */
enum field_kind { FIELD_TEXT, FIELD_LINES, FIELD_NUMBER, FIELD_OBJECT };
struct field {
    const char *name;
    enum field_kind kind;
    size_t least, most; /* octets of a text, value of a number */
    bool required;
};

/* request_check_body parses the body and compares it with the fields. False: the answer (400) has been given. */
bool request_check_body(struct request *request, const struct field *fields, size_t count);

/* request_text, request_number read a checked member, or the other value when it is absent or null. */
const char *request_text(const struct request *request, const char *name, const char *otherwise);
int64_t request_number(const struct request *request, const char *name, int64_t otherwise);

/* request_id gives the parameter of the path as a number, 0 where it is none. */
int64_t request_id(const struct request *request, size_t parameter);

/* request_note says what the audit log shows of the request beside its path: a name, say. */
void request_note(struct request *request, const char *about);

/* request_reply answers with JSON and takes `body` over. NULL body: 500. */
void request_reply(struct request *request, unsigned status, json_t *body);

/* request_reply_error answers {"error":{"code","message"}}; the message is for a person. */
void request_reply_error(struct request *request, unsigned status, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* request_reply_database answers for a database that did not do it: 409, 507 or 500. `conflict` says what is in the
 * way. */
void request_reply_database(struct request *request, enum database_status status, const char *conflict);

/* request_reply_octets answers 200 with a copy of the octets. download: the file name to be offered, or NULL. */
void request_reply_octets(struct request *request, const char *type, const void *octets, size_t len,
                          const char *download);

/* struct request_file is an open file, or octets in memory: `len` of them, of the content type; a file in packed form
 * (gzip) where `packed_len` is not 0. tag (at most 64 characters) changes with the content. download: the file name to
 * be offered, or NULL. */
struct request_file {
    int fd;
    char *octets; /* NULL: it is a file */
    uint64_t len, packed_len;
    const char *type, *tag, *download;
};

/* request_reply_file answers 200 with the file, whose descriptor it closes, or the octets, which it frees, in the form
 * that the client takes, or 304 when the client has it. Holds no lock and copies no file. */
void request_reply_file(struct request *request, struct request_file *file);

/* struct request_page is an answer that may be kept (kept.h). */
struct request_page {
    const char *name;   /* by which it is kept; NULL: the path */
    const char *run;    /* the run that it is about, "" where it changes with any run of the account; NULL: the same for
                           everybody as long as the service runs */
    const char *type;   /* content type */
    const char *policy; /* Content-Security-Policy, or NULL for the usual one */
    bool for_good;      /* it may be kept */
};

/* request_reply_kept answers with what is kept for the account under the name, NULL for the path; false when nothing
 * is. request_reply_kept_for_all does so with what is the same for everybody. */
bool request_reply_kept(struct request *request, const char *name);
bool request_reply_kept_for_all(struct request *request, const char *name);

/* request_reply_page answers 200 with the text, which it takes over, compressed where the client takes that; and keeps
 * the answer, where it may, for whoever asks again. request_reply_page_json does so with JSON and takes `body` over. */
void request_reply_page(struct request *request, const struct request_page *page, char *text, size_t len);
void request_reply_page_json(struct request *request, const struct request_page *page, json_t *body);

/* request_reply_redirect answers 303 to a path of this service. */
void request_reply_redirect(struct request *request, const char *path);

/* request_reply_nothing answers 204. */
void request_reply_nothing(struct request *request);

/* request_add_headers adds the headers that every answer has: those of security. */
void request_add_headers(const struct request *request, struct MHD_Response *response);

/* request_add_type adds the content type, and the name by which a download is offered, or NULL. */
void request_add_type(struct MHD_Response *response, const char *type, const char *download);

/* request_queue adds these headers and hands the response over; frees our share of it. request_hand_over adds none.
 * Of a request that is answered aside it is held, and request_queue_held hands it over, on a thread of the server. */
void request_queue(struct request *request, unsigned status, struct MHD_Response *response);
void request_hand_over(struct request *request, unsigned status, struct MHD_Response *response);
void request_queue_held(struct request *request);

/* request_release frees what the request holds, not the request. */
void request_release(struct request *request);

#endif
