/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Both sides of a secure channel in one thread (common/secure.h): the handshake, data in any pieces, keys that change,
 * what was tampered with.
 */
#include "ref-impl/clock.h"
#include "ref-impl/impi/common/secure.h"
#include "tests/unit/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/ssl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { AT_ONCE = 65536 };

static const struct secure_key key = {"sixteen octets..", 16}, other_key = {"sixteen Octets..", 16};

/* Two ends; what one sends is in the other's socket at once. */
struct pair {
    int fds[2];
    struct secure *ends[2];
    struct queue in[2], out[2];
};

static struct pair pair_begin(const struct secure_key *first, const char *first_name, enum secure_side second_side,
                              const char *second_name)
{
    struct pair p = {.fds = {-1, -1}};

    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, p.fds) == 0, "two sockets");
    p.ends[0] = secure_create(first, SECURE_CONNECTS, first_name);
    p.ends[1] = secure_create(&key, second_side, second_name);
    CHECK(p.ends[0] && p.ends[1], "two ends");
    return p;
}

static void pair_end(struct pair *p)
{
    for (int i = 0; i < 2; i++) {
        secure_close(p->ends[i], p->fds[i]);
        close(p->fds[i]);
        queue_free(&p->in[i]);
        queue_free(&p->out[i]);
    }
}

/* The handshake, as far as it goes; whether both are ready. */
static bool pair_agree(struct pair *p)
{
    for (int round = 0; round < 6; round++) {
        for (int i = 0; i < 2; i++) {
            (void)secure_receive(p->ends[i], p->fds[i], &p->in[i], AT_ONCE);
        }
    }
    return secure_ready(p->ends[0]) && secure_ready(p->ends[1]);
}

static void data(void)
{
    enum { PIECE = 50000, ALL = 8 << 20 };
    static unsigned char octets[PIECE];
    struct pair p = pair_begin(&key, "a to b", SECURE_ACCEPTS, "a to b");
    size_t put = 0, taken = 0;
    bool same = pair_agree(&p), waited = false;

    CHECK(same, "both have the key");
    while (same && taken < ALL) {
        if (put < ALL && queue_len(&p.out[0]) < ALL) {
            size_t len = 1 + put % PIECE;

            for (size_t i = 0; i < len; i++) {
                octets[i] = (unsigned char)((put + i) * 7);
            }
            same = secure_pass(p.ends[0], p.fds[0], &p.out[0], octets, len);
            put += len;
        }
        same = same && secure_send(p.ends[0], p.fds[0], &p.out[0]) == QUEUE_MOVED;
        waited = waited || queue_len(&p.out[0]) > 0;
        same = same && secure_receive(p.ends[1], p.fds[1], &p.in[1], 1 + put % 30000) == QUEUE_MOVED;
        for (size_t i = 0; same && i < queue_len(&p.in[1]); i++) {
            same = queue_front(&p.in[1])[i] == (unsigned char)((taken + i) * 7);
        }
        taken += queue_len(&p.in[1]);
        queue_take(&p.in[1], queue_len(&p.in[1]));
    }
    CHECK(same && waited, "octets come whole and in order, and some had to wait");
    secure_close(p.ends[0], p.fds[0]);
    p.ends[0] = NULL;
    close(p.fds[0]);
    enum queue_moved moved = QUEUE_MOVED;
    for (int i = 0; i < 1000 && moved == QUEUE_MOVED; i++) {
        moved = secure_receive(p.ends[1], p.fds[1], &p.in[1], AT_ONCE);
    }
    CHECK_EQ(moved, QUEUE_ENDED, "and then the end");
    CHECK_STR(secure_error(p.ends[1]), "", "which is none to complain of");
    p.fds[0] = dup(p.fds[1]);
    pair_end(&p);
}

/* More records than one key is good for. */
static void many_records(void)
{
    struct pair p = pair_begin(&key, "a to b", SECURE_ACCEPTS, "a to b");
    bool same = pair_agree(&p);
    uint32_t count = 0;

    for (; same && count < SECURE_RECORDS_A_KEY + 100; count++) {
        same = secure_pass(p.ends[1], p.fds[1], &p.out[1], &count, sizeof count) && queue_len(&p.out[1]) == 0 &&
               secure_receive(p.ends[0], p.fds[0], &p.in[0], AT_ONCE) == QUEUE_MOVED &&
               queue_len(&p.in[0]) == sizeof count && memcmp(queue_front(&p.in[0]), &count, sizeof count) == 0;
        queue_take(&p.in[0], queue_len(&p.in[0]));
    }
    CHECK(same, "%u records", (unsigned)count);
    pair_end(&p);
}

/* ---- another implementation's side ---- */

/* A client in OpenSSL alone, and the changes of keys that it has been told of: `asking` those that want one back. */
struct foreign {
    SSL_CTX *context;
    SSL *ssl;
    int told, asking;
};

static int foreign_key(SSL *ssl, const EVP_MD *digest, const unsigned char **name, size_t *len, SSL_SESSION **session)
{
    static const unsigned char suite[] = {0x13, 0x01};

    (void)digest;
    *name = (const unsigned char *)"a to b";
    *len = 6;
    *session = SSL_SESSION_new();
    return SSL_SESSION_set1_master_key(*session, key.octets, key.len) &&
           SSL_SESSION_set_cipher(*session, SSL_CIPHER_find(ssl, suite)) &&
           SSL_SESSION_set_protocol_version(*session, TLS1_3_VERSION);
}

/* KeyUpdate is 18 00 00 01, and 00, or 01 if one is asked for in return (RFC 8446, 4.6.3). */
static void foreign_hears(int sent, int version, int type, const void *octets, size_t len, SSL *ssl, void *given)
{
    struct foreign *foreign = given;

    (void)version;
    (void)ssl;
    if (!sent && type == SSL3_RT_HANDSHAKE && len == 5 && memcmp(octets, "\x18\0\0\1", 4) == 0) {
        foreign->told++;
        foreign->asking += ((const unsigned char *)octets)[4];
    }
}

static bool foreign_meet(struct foreign *foreign, struct pair *p)
{
    *foreign = (struct foreign){.context = SSL_CTX_new(TLS_client_method())};
    (void)SSL_CTX_set_ciphersuites(foreign->context, "TLS_AES_128_GCM_SHA256");
    (void)SSL_CTX_set1_groups_list(foreign->context, "X25519");
    foreign->ssl = SSL_new(foreign->context);
    SSL_set_psk_use_session_callback(foreign->ssl, foreign_key);
    SSL_set_msg_callback(foreign->ssl, foreign_hears);
    SSL_set_msg_callback_arg(foreign->ssl, foreign);
    (void)SSL_set_fd(foreign->ssl, p->fds[0]);
    for (int round = 0; round < 6 && SSL_connect(foreign->ssl) != 1; round++) {
        (void)secure_receive(p->ends[1], p->fds[1], &p->in[1], AT_ONCE);
    }
    (void)secure_receive(p->ends[1], p->fds[1], &p->in[1], AT_ONCE);
    return SSL_is_init_finished(foreign->ssl) && secure_ready(p->ends[1]);
}

/* A word each way; whether both have come. */
static bool foreign_trades(struct foreign *foreign, struct pair *p)
{
    char answer[8] = "";
    bool good = SSL_write(foreign->ssl, "there", 5) == 5;

    (void)secure_receive(p->ends[1], p->fds[1], &p->in[1], AT_ONCE);
    good = good && queue_len(&p->in[1]) == 5 && memcmp(queue_front(&p->in[1]), "there", 5) == 0;
    queue_take(&p->in[1], queue_len(&p->in[1]));
    good = good && secure_pass(p->ends[1], p->fds[1], &p->out[1], "back", 4);
    return good && SSL_read(foreign->ssl, answer, sizeof answer) == 4 && memcmp(answer, "back", 4) == 0;
}

/* Whoever asks for new keys gets them; who only takes new ones for itself is followed. */
static void keys_asked_for(void)
{
    struct pair p = pair_begin(&key, "a to b", SECURE_ACCEPTS, "a to b");
    struct foreign foreign;

    CHECK(foreign_meet(&foreign, &p), "another implementation has the key");
    CHECK(foreign_trades(&foreign, &p) && foreign.told == 0, "nobody has asked");
    for (int time = 1; time <= 3; time++) {
        (void)SSL_key_update(foreign.ssl, SSL_KEY_UPDATE_NOT_REQUESTED);
        CHECK(foreign_trades(&foreign, &p), "new keys one way");
        CHECK_EQ(foreign.told, time - 1, "which needs no answer");
        (void)SSL_key_update(foreign.ssl, SSL_KEY_UPDATE_REQUESTED);
        CHECK(foreign_trades(&foreign, &p), "new keys both ways");
        CHECK_EQ(foreign.told, time, "which were asked for");
    }
    CHECK_EQ(foreign.asking, 0, "an answer asks for none");
    SSL_free(foreign.ssl);
    SSL_CTX_free(foreign.context);
    pair_end(&p);
}

static void refusals(void)
{
    struct pair p = pair_begin(&other_key, "a to b", SECURE_ACCEPTS, "a to b");

    CHECK(!pair_agree(&p), "another key");
    CHECK(strstr(secure_error(p.ends[0]), "it does not take the key"), "one side: %s", secure_error(p.ends[0]));
    CHECK(strstr(secure_error(p.ends[1]), "it has another key"), "the other: %s", secure_error(p.ends[1]));
    errno = 0;
    CHECK_EQ(secure_receive(p.ends[0], p.fds[0], &p.in[0], AT_ONCE), QUEUE_BROKEN, "it stays broken");
    CHECK_EQ(errno, EPROTO, "by no fault of the socket");
    CHECK_EQ(secure_send(p.ends[0], p.fds[0], &p.out[0]), QUEUE_BROKEN, "for sending, too");
    pair_end(&p);

    p = pair_begin(&key, "a to b", SECURE_ACCEPTS, "b to a");
    CHECK(!pair_agree(&p), "another name");
    CHECK(strstr(secure_error(p.ends[0]), "it does not take this side"), "one side: %s", secure_error(p.ends[0]));
    CHECK(strstr(secure_error(p.ends[1]), "it is not whom it should be"), "the other: %s", secure_error(p.ends[1]));
    pair_end(&p);

    p = pair_begin(&key, "a to b", SECURE_CONNECTS, "a to b");
    CHECK(!pair_agree(&p), "two that connect, so that what one says could be its own");
    pair_end(&p);
}

/* Of a message of 100 octets, every octet of its record in turn. */
static void tampering(void)
{
    static const unsigned char message[100] = "message";
    unsigned char record[256];

    for (size_t at = 0, len = 1; at < len; at++) {
        struct pair p = pair_begin(&key, "a to b", SECURE_ACCEPTS, "a to b");
        bool good = pair_agree(&p) && secure_pass(p.ends[0], p.fds[0], &p.out[0], message, sizeof message);
        ssize_t got = recv(p.fds[1], record, sizeof record, 0);

        len = got > 0 ? (size_t)got : 0;
        record[at] ^= 0x10;
        good = good && len > sizeof message && send(p.fds[0], record, len, 0) == got;
        (void)shutdown(p.fds[0], SHUT_WR);
        enum queue_moved moved = secure_receive(p.ends[1], p.fds[1], &p.in[1], AT_ONCE);
        moved = moved == QUEUE_MOVED ? secure_receive(p.ends[1], p.fds[1], &p.in[1], AT_ONCE) : moved;
        if (!good || moved == QUEUE_MOVED || queue_len(&p.in[1]) > 0) {
            CHECK(false, "octet %zu of %zu was changed", at, len);
        }
        pair_end(&p);
    }
    CHECK(true, "no octet can be changed");
}

static void deadline(void)
{
    struct pair p = pair_begin(&key, "a to b", SECURE_ACCEPTS, "a to b");
    struct secure_way ways[2] = {{NULL, -1, NULL}, {p.ends[0], p.fds[0], &p.in[0]}};
    size_t failed = 0;

    CHECK(!secure_agree(ways, 2, clock_now_ms(), &failed), "nobody answers in time");
    CHECK_EQ(failed, 1, "this one");
    CHECK(strstr(secure_error(p.ends[0]), "in time"), "and why: %s", secure_error(p.ends[0]));
    CHECK(secure_agree(ways, 1, clock_now_ms(), &failed), "where there is nothing to wait for");
    pair_end(&p);
}

static void plain(void)
{
    int fds[2] = {-1, -1};
    struct queue in = {0}, out = {0};

    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0, "two sockets");
    CHECK(secure_pass(NULL, fds[0], &out, "one", 3) && queue_put(&out, "two", 3), "no secure channel");
    CHECK_EQ(secure_send(NULL, fds[0], &out), QUEUE_MOVED, "is a plain one");
    CHECK_EQ(secure_receive(NULL, fds[1], &in, 100), QUEUE_MOVED, "in both directions");
    CHECK(queue_len(&in) == 6 && memcmp(queue_front(&in), "onetwo", 6) == 0, "with the same octets");
    CHECK_STR(secure_error(NULL), "", "and no error");
    secure_close(NULL, fds[0]);
    queue_free(&in);
    queue_free(&out);
    close(fds[0]);
    close(fds[1]);
}

int main(void)
{
    TAP_RUN(data);
    TAP_RUN(many_records);
    TAP_RUN(keys_asked_for);
    TAP_RUN(refusals);
    TAP_RUN(tampering);
    TAP_RUN(deadline);
    TAP_RUN(plain);
    return tap_done();
}
