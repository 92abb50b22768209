/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * TLS between queues and a socket; see secure.h. OpenSSL reads from one buffer in memory and writes to another; octets
 * go between these and the socket as on a plain connection. Only one version, one cipher suite and one way to use the
 * key are spoken, so that there is nothing to choose badly.
 */
#include "ref-impl/impi/common/secure.h"

#include "ref-impl/clock.h"

#include <errno.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD_OCTETS = 16384 /* of data at most in one record */ };

struct secure {
    const struct secure_key *key;
    SSL_CTX *context;
    SSL *ssl;
    BIO *from, *to; /* what has come of the socket, what is to go there; both are the ssl's */
    bool ready, broken, ended;
    struct queue arrived; /* from the socket, for `from` */
    struct queue leaving; /* out of `to`, for the socket */
    size_t sealed;        /* octets at the front of the caller's queue that are in `leaving`, protected */
    size_t records;       /* sent since the key was changed */
    char name[SECURE_NAME_OCTETS];
    char error[160];
};

/* What the commonest failures mean to whoever reads them; OpenSSL's own words come behind. */
static const struct {
    int reason;
    const char *text;
} meanings[] = {
    {SSL_R_BINDER_DOES_NOT_VERIFY, "it has another key"},
    {SSL_R_SSLV3_ALERT_ILLEGAL_PARAMETER, "it does not take the key, which must be the same on both sides"},
    {SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE, "it does not take this side for whom it expects, or has no key"},
    {SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM, "it is not whom it should be, or has no key"},
    {SSL_R_NO_SHARED_CIPHER, "it is not whom it should be, or has no key"},
    {SSL_R_WRONG_VERSION_NUMBER, "what it sends is not TLS"},
    {SSL_R_DECRYPTION_FAILED_OR_BAD_RECORD_MAC, "what it sent was changed on its way"},
    {SSL_R_SSLV3_ALERT_BAD_RECORD_MAC, "what it received was changed on its way"},
};

/* It is broken, by what OpenSSL says, or as `text` tells. */
static void failure_keep(struct secure *s, const char *text)
{
    unsigned long code = ERR_get_error();
    const char *reason = code != 0 ? ERR_reason_error_string(code) : NULL;

    for (size_t i = 0; code != 0 && !text && i < sizeof meanings / sizeof meanings[0]; i++) {
        text = ERR_GET_REASON(code) == meanings[i].reason ? meanings[i].text : NULL;
    }
    if (!s->broken) {
        snprintf(s->error, sizeof s->error, "%s%s%s%s", text ? text : "TLS fails", reason ? " (" : "",
                 reason ? reason : "", reason ? ")" : "");
    }
    s->broken = true;
    ERR_clear_error();
}

/* The key as OpenSSL wants to have it: a session that never was. */
static SSL_SESSION *session_of_key(const struct secure *s)
{
    static const unsigned char suite[] = {0x13, 0x01}; /* TLS_AES_128_GCM_SHA256 */
    SSL_SESSION *session = SSL_SESSION_new();

    if (session && SSL_SESSION_set1_master_key(session, s->key->octets, s->key->len) &&
        SSL_SESSION_set_cipher(session, SSL_CIPHER_find(s->ssl, suite)) &&
        SSL_SESSION_set_protocol_version(session, TLS1_3_VERSION)) {
        return session;
    }
    SSL_SESSION_free(session);
    return NULL;
}

/* The side that connects is asked for the key. */
static int key_offer(SSL *ssl, const EVP_MD *digest, const unsigned char **name, size_t *len, SSL_SESSION **session)
{
    struct secure *s = SSL_get_app_data(ssl);

    *session = NULL;
    if (digest && EVP_MD_get_type(digest) != NID_sha256) {
        return 1;
    }
    *name = (const unsigned char *)s->name;
    *len = strlen(s->name);
    *session = session_of_key(s);
    return *session != NULL;
}

/* The side that accepts is asked for the key of that name. */
static int key_find(SSL *ssl, const unsigned char *name, size_t len, SSL_SESSION **session)
{
    struct secure *s = SSL_get_app_data(ssl);

    *session = NULL;
    if (len != strlen(s->name) || memcmp(name, s->name, len) != 0) {
        return 1;
    }
    *session = session_of_key(s);
    return *session != NULL;
}

/* TLS 1.3, one suite, a fresh secret in every handshake besides the key. The side that accepts has no certificate, and
 * the one that connects trusts none, so that nobody without the key can take part. */
static bool context_prepare(SSL_CTX *context)
{
    (void)SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    (void)SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
    return SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) &&
           SSL_CTX_set_max_proto_version(context, TLS1_3_VERSION) &&
           SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256") && SSL_CTX_set1_groups_list(context, "X25519") &&
           SSL_CTX_set_num_tickets(context, 0);
}

/* The two buffers; they are the ssl's as soon as it has them. */
static bool buffers_open(struct secure *s)
{
    s->from = BIO_new(BIO_s_mem());
    s->to = BIO_new(BIO_s_mem());
    if (!s->from || !s->to) {
        BIO_free(s->from);
        BIO_free(s->to);
        return false;
    }
    (void)BIO_set_mem_eof_return(s->from, -1); /* empty is not the end */
    SSL_set_bio(s->ssl, s->from, s->to);
    return true;
}

static void secure_free(struct secure *s)
{
    SSL_free(s->ssl);
    SSL_CTX_free(s->context);
    queue_free(&s->arrived);
    queue_free(&s->leaving);
    free(s);
}

struct secure *secure_create(const struct secure_key *key, enum secure_side side, const char *name)
{
    struct secure *s = calloc(1, sizeof *s);

    if (!s) {
        return NULL;
    }
    s->key = key;
    snprintf(s->name, sizeof s->name, "%s", name);
    s->context = SSL_CTX_new(TLS_method());
    s->ssl = s->context && context_prepare(s->context) ? SSL_new(s->context) : NULL;
    if (!s->ssl || !buffers_open(s)) {
        ERR_clear_error();
        secure_free(s);
        return NULL;
    }
    SSL_set_app_data(s->ssl, s);
    if (side == SECURE_CONNECTS) {
        SSL_set_psk_use_session_callback(s->ssl, key_offer);
        SSL_set_verify(s->ssl, SSL_VERIFY_PEER, NULL);
        SSL_set_connect_state(s->ssl);
    } else {
        SSL_set_psk_find_session_callback(s->ssl, key_find);
        SSL_set_accept_state(s->ssl);
    }
    return s;
}

bool secure_ready(const struct secure *s)
{
    return s->ready;
}

const char *secure_error(const struct secure *s)
{
    return s ? s->error : "";
}

/* Sends what TLS has made, as far as the socket takes it. */
static enum queue_moved leaving_send(struct secure *s, int fd)
{
    size_t waits = BIO_ctrl_pending(s->to);
    unsigned char *space = waits > 0 ? queue_space(&s->leaving, waits) : NULL;

    if (waits > 0) {
        int got = space ? BIO_read(s->to, space, (int)waits) : -1;

        if (got != (int)waits) {
            failure_keep(s, "no memory");
            return QUEUE_BROKEN;
        }
        queue_filled(&s->leaving, waits);
    }
    return queue_send(&s->leaving, fd);
}

/* Goes on with the handshake, as far as what has come allows. */
static void handshake_advance(struct secure *s)
{
    ERR_clear_error();
    int outcome = SSL_do_handshake(s->ssl);

    if (outcome != 1) {
        if (SSL_get_error(s->ssl, outcome) != SSL_ERROR_WANT_READ) {
            failure_keep(s, NULL);
        }
        return;
    }
    s->ready = SSL_session_reused(s->ssl) == 1; /* by the key, then */
    if (!s->ready) {
        failure_keep(s, "it wants to do without the key");
    }
}

/* Takes all that can be read, to the end of the queue. */
static void data_read(struct secure *s, struct queue *in)
{
    for (;;) {
        unsigned char *space = queue_space(in, RECORD_OCTETS);

        ERR_clear_error();
        int got = space ? SSL_read(s->ssl, space, RECORD_OCTETS) : -1;
        if (got > 0) {
            queue_filled(in, (size_t)got);
            continue;
        }
        switch (space ? SSL_get_error(s->ssl, got) : SSL_ERROR_SYSCALL) {
        case SSL_ERROR_WANT_READ:
            return;
        case SSL_ERROR_ZERO_RETURN:
            s->ended = true;
            return;
        default:
            failure_keep(s, space ? NULL : "no memory");
            return;
        }
    }
}

/* Hands over to TLS what has come of the socket. */
static void arrived_take(struct secure *s)
{
    size_t len = queue_len(&s->arrived);

    if (len > 0 && BIO_write(s->from, queue_front(&s->arrived), (int)len) != (int)len) {
        failure_keep(s, "no memory");
    }
    queue_take(&s->arrived, len);
}

/* Always QUEUE_BROKEN. */
static enum queue_moved broken(void)
{
    errno = EPROTO;
    return QUEUE_BROKEN;
}

enum queue_moved secure_receive(struct secure *s, int fd, struct queue *in, size_t max)
{
    if (!s) {
        return queue_receive(in, fd, max);
    }
    if (s->broken) {
        return broken();
    }
    size_t before = queue_len(in);
    enum queue_moved moved = queue_receive(&s->arrived, fd, max);
    int error = errno;

    arrived_take(s);
    if (!s->ready && !s->broken) {
        handshake_advance(s);
    }
    if (s->ready && !s->broken) {
        data_read(s, in);
    }
    (void)leaving_send(s, fd); /* an alert, an answer; a failure shows itself in reading */
    if (!s->ready && !s->broken && moved != QUEUE_MOVED) {
        failure_keep(s, "it ended the connection before the handshake was over");
    }
    if (s->broken) {
        return broken();
    }
    if (moved == QUEUE_MOVED && s->ended && queue_len(in) == before) {
        return QUEUE_ENDED; /* what came before the end was told by itself, as of a plain connection */
    }
    errno = error;
    return moved;
}

/* Protects octets at the front of the queue in one record. */
static bool record_seal(struct secure *s, const struct queue *out)
{
    size_t len = queue_len(out) < RECORD_OCTETS ? queue_len(out) : RECORD_OCTETS;

    ERR_clear_error();
    if (++s->records >= SECURE_RECORDS_A_KEY) {
        s->records = 0;
        (void)SSL_key_update(s->ssl, SSL_KEY_UPDATE_NOT_REQUESTED);
    }
    if (SSL_write(s->ssl, queue_front(out), (int)len) != (int)len) {
        failure_keep(s, NULL);
        return false;
    }
    s->sealed = len;
    return true;
}

enum queue_moved secure_send(struct secure *s, int fd, struct queue *out)
{
    if (!s) {
        return queue_send(out, fd);
    }
    for (;;) {
        if (s->broken) {
            return broken();
        }
        if (leaving_send(s, fd) == QUEUE_BROKEN) {
            return QUEUE_BROKEN;
        }
        if (queue_len(&s->leaving) > 0) {
            return QUEUE_MOVED;
        }
        if (s->sealed > 0) {
            queue_take(out, s->sealed);
            s->sealed = 0;
        }
        if (!s->ready || queue_len(out) == 0) {
            return QUEUE_MOVED;
        }
        (void)record_seal(s, out);
    }
}

bool secure_pass(struct secure *s, int fd, struct queue *out, const void *octets, size_t len)
{
    if (!s) {
        return queue_pass(out, fd, octets, len);
    }
    if (!queue_put(out, octets, len)) {
        return false;
    }
    (void)secure_send(s, fd, out);
    return true;
}

void secure_close(struct secure *s, int fd)
{
    if (!s) {
        return;
    }
    if (s->ready && !s->broken) {
        (void)SSL_shutdown(s->ssl);
        ERR_clear_error();
    }
    (void)leaving_send(s, fd);
    secure_free(s);
}

/* One whose handshake is not over; `count`: all are. */
static size_t way_unready(const struct secure_way *ways, size_t count)
{
    size_t i = 0;

    while (i < count && (!ways[i].secure || ways[i].secure->ready)) {
        i++;
    }
    return i;
}

/* Waits for what comes on those that are not ready, and hears it. False: *failed is broken. */
static bool ways_serve(const struct secure_way *ways, size_t count, struct pollfd *fds, int patience_ms, size_t *failed)
{
    for (size_t i = 0; i < count; i++) {
        bool waits = ways[i].secure && !ways[i].secure->ready;

        fds[i] = (struct pollfd){waits ? ways[i].fd : -1, POLLIN, 0};
    }
    if (poll(fds, count, patience_ms) < 0) {
        return true; /* a signal */
    }
    for (size_t i = 0; i < count; i++) {
        if (fds[i].revents != 0 &&
            secure_receive(ways[i].secure, ways[i].fd, ways[i].in, RECORD_OCTETS) != QUEUE_MOVED &&
            !ways[i].secure->ready) {
            *failed = i;
            return false;
        }
    }
    return true;
}

bool secure_agree(const struct secure_way *ways, size_t count, uint64_t deadline_ms, size_t *failed)
{
    struct pollfd *fds = calloc(count, sizeof *fds);
    bool good = fds != NULL;

    *failed = 0;
    for (size_t i = 0; good && i < count; i++) {
        if (ways[i].secure) { /* whoever connects begins */
            handshake_advance(ways[i].secure);
            (void)leaving_send(ways[i].secure, ways[i].fd);
        }
    }
    while (good && way_unready(ways, count) < count) {
        uint64_t now = clock_now_ms();

        if (now >= deadline_ms) {
            *failed = way_unready(ways, count);
            failure_keep(ways[*failed].secure, "the handshake has not come to its end in time");
            good = false;
        } else {
            good = ways_serve(ways, count, fds, (int)(deadline_ms - now), failed);
        }
    }
    free(fds);
    return good;
}
