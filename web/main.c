/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * assayd: the test service. Puts the parts together, prints the sign-in link, waits for a signal, and takes the parts
 * apart again in the opposite order.
 */
#include "tester/base/output.h"
#include "web/decode/decoders.h"
#include "web/http/access_log.h"
#include "web/http/aside.h"
#include "web/http/hangup.h"
#include "web/http/hashing.h"
#include "web/http/kept.h"
#include "web/http/known.h"
#include "web/http/rate.h"
#include "web/http/server.h"
#include "web/http/timeout.h"
#include "web/live/hub.h"
#include "web/pages/frame.h"
#include "web/profiles/catalogue.h"
#include "web/routes.h"
#include "web/runs/rejudge.h"
#include "web/runs/runs.h"
#include "web/service/options.h"
#include "web/store/account.h"
#include "web/store/evidence_files.h"
#include "web/store/listener.h"
#include "web/store/room.h"
#include "web/store/signing_keys.h"
#include "web/store/store.h"
#include "web/upkeep/backup.h"
#include "web/upkeep/inspect.h"

#include <arpa/inet.h>
#include <malloc.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    EXIT_GOOD = 0,
    EXIT_DEFECTS = 1,
    EXIT_WRONG = 2,
    RUNS_STOP_MS = 15000,
    HUB_STOP_MS = 5000,
    ANSWERS_STOP_MS = 2000,
    DESCRIPTORS = 8192,
    GUESSES = 20,
    ARENAS = 256
};

static int complain(const char *message)
{
    fprintf(stderr, "assayd: %s\n", message);
    return EXIT_WRONG;
}

/* The status of a program that has printed what it was asked for. */
static int printed(void)
{
    return output_flushed("assayd") ? EXIT_GOOD : EXIT_WRONG;
}

static int issue_token(const struct options *options)
{
    char message[512], id[SECRET_ID_SIZE], token[SECRET_TOKEN_SIZE];
    struct database *database;
    enum database_status status;
    int64_t owner;

    database = store_open(&options->place, message, sizeof message);
    if (!database) {
        return complain(message);
    }
    status = account_make_owner(database, "owner", &owner);
    if (status == DATABASE_OK) {
        status = account_make_token(
            database,
            &(struct account_token){.account = owner, .name = options->token_name, .role = ROLE_ADMINISTRATOR}, id,
            token);
    }
    database_close(database);
    if (status != DATABASE_OK) {
        return complain("the token could not be stored (is the disk full?)");
    }
    puts(token);
    return printed();
}

static int back_up(const struct options *options)
{
    char message[1024];

    if (!backup_make(options->place.folder, options->backup, message, sizeof message)) {
        return complain(message);
    }
    puts(message);
    return printed();
}

static int inspect(const struct options *options)
{
    char message[1024];
    long defects = inspect_data(&options->place, message, sizeof message);

    if (defects < 0) {
        return complain(message);
    }
    int status = printed();

    return status == EXIT_GOOD && defects > 0 ? EXIT_DEFECTS : status;
}

static int rejudge(const struct options *options)
{
    char message[1024];
    long differing = rejudge_data(&options->place, options->rejudge, message, sizeof message);

    if (differing < 0) {
        return complain(message);
    }
    int status = printed();

    return status == EXIT_GOOD && differing > 0 ? EXIT_DEFECTS : status;
}

static int rotate_key(const struct options *options)
{
    char message[1024];

    if (!store_lock(&options->place, message, sizeof message) ||
        !signing_keys_rotate(options->place.folder, message, sizeof message)) {
        return complain(message);
    }
    puts(message);
    return printed();
}

/* ---- the service ------------------------------------------------------------------------------------------------- */

/* The account of a service that has a single user, and the token of its pages against those of other sites. */
static bool make_single_user(struct service *service)
{
    int64_t owner;

    secret_make_token("", service->csrf);
    return account_make_owner(service->database, "owner", &owner) == DATABASE_OK;
}

/* What the service writes to beside its database. */
static bool open_files(struct service *service, const struct options *options, char *message, size_t message_octets)
{
    service->room = room_open(service->data);
    if (!service->room) {
        snprintf(message, message_octets, "out of memory");
        return false;
    }
    if (options->access_log) {
        service->access_log = access_log_open(options->access_log, message, message_octets);
        if (!service->access_log) {
            return false;
        }
    }
    service->evidence = evidence_files_open(service->data, message, message_octets);
    return service->evidence &&
           signing_keys_load(service->data, &service->key, &service->key_chain, message, message_octets);
}

/* What decodes captures for the pages; whether it is used at all is up to whoever starts the service. */
static bool open_decoders(struct service *service, const struct options *options, char *message, size_t message_octets)
{
    struct decoders_order order = {.program = options->sharkd,
                                   .most = options->limits.of[LIMIT_DECODERS],
                                   .account_most = options->limits.of[LIMIT_ACCOUNT_DECODERS],
                                   .evidence = service->evidence};

    return (options->sharkd && strcmp(options->sharkd, "none") == 0) ||
           decoders_new(&order, &service->decoders, message, message_octets);
}

/* Another service has committed events of this run; of any, where it is "". */
static void on_told(void *context, const char *run)
{
    if (*run) {
        hub_wake(context, run);
    } else {
        hub_tick(context);
    }
}

static bool open_parts(struct service *service, const struct options *options, char *message, size_t message_octets)
{
    const char *folder = options->place.folder;

    *service = (struct service){.data = folder,
                                .name = options->place.instance ? options->place.instance : "",
                                .peer_address = options->peer_address,
                                .tls = options->tls_cert != NULL,
                                .single_user = options->single_user,
                                .issuer = options->issuer,
                                .limits = options->limits,
                                .proxies = options->proxies,
                                .routes = &routes};
    if (service->tls && !service->peer_address && options->address.ss_family == AF_INET &&
        strcmp(options->host, "0.0.0.0") != 0) {
        /* Behind TLS the engine does not see the connection's own address. */
        service->peer_address = options->host;
    }
    service->database = store_open(&options->place, message, message_octets);
    if (!service->database) {
        return false;
    }
    if (service->single_user && !make_single_user(service)) {
        snprintf(message, message_octets, "%s: the single user's account cannot be made (is the disk full?)", folder);
        return false;
    }
    if (!open_files(service, options, message, message_octets) ||
        !open_decoders(service, options, message, message_octets)) {
        return false;
    }
    service->catalogue = catalogue_load(message, message_octets);
    if (!service->catalogue) {
        return false;
    }
    service->frame = frame_new(service->catalogue);
    service->account_rate = rate_new(options->limits.of[LIMIT_ACCOUNT_REQUESTS]);
    service->costly_rate = rate_new(options->limits.of[LIMIT_ACCOUNT_COSTLY]);
    service->address_rate = rate_new(options->limits.of[LIMIT_ADDRESS_REQUESTS]);
    service->guess_rate = rate_new(GUESSES);
    service->timeouts = timeouts_new(options->limits.of[LIMIT_REQUEST_SECONDS]);
    /* What others change is not noticed here: several services keep no answers. */
    service->kept = kept_new(*service->name ? 0 : limits_octets(&options->limits, LIMIT_CACHE_MIB));
    service->known = known_new();
    service->hashing = hashing_new();
    service->aside = aside_new();
    service->hangups = service->tls ? hangups_new() : NULL;
    service->hub = hub_new(options->limits.of[LIMIT_STREAMS], options->limits.of[LIMIT_ACCOUNT_STREAMS]);
    if (*service->name && service->hub) {
        service->listener = listener_start(service->database, on_told, service->hub);
    }
    if (service->frame && service->kept && service->known && service->hashing && service->aside && service->hub &&
        service->account_rate && service->costly_rate && service->address_rate && service->guess_rate &&
        service->timeouts && (service->hangups || !service->tls) && (service->listener || !*service->name)) {
        service->runs = runs_new(service);
    }
    if (!service->runs) {
        snprintf(message, message_octets, "%s: cannot take up the runs (full disk, or out of memory)", folder);
        return false;
    }
    return true;
}

static void close_parts(struct service *service)
{
    if (service->runs) {
        runs_free(service->runs);
    }
    listener_stop(service->listener);
    hub_free(service->hub);
    hashing_free(service->hashing);
    aside_free(service->aside);
    decoders_free(service->decoders);
    hangups_free(service->hangups);
    known_free(service->known);
    kept_free(service->kept);
    timeouts_free(service->timeouts);
    rate_free(service->guess_rate);
    rate_free(service->address_rate);
    rate_free(service->costly_rate);
    rate_free(service->account_rate);
    frame_free(service->frame);
    catalogue_free(service->catalogue);
    evidence_files_close(service->evidence);
    room_close(service->room);
    access_log_close(service->access_log);
    database_close(service->database);
    json_decref(service->key_chain);
    certificate_key_forget(&service->key);
}

/* The host by which people reach the service: a wildcard address stands for the machine's own name. */
static void name_host(const struct options *options, char *host, size_t host_octets)
{
    char name[256];

    if (strcmp(options->host, "0.0.0.0") != 0 && strcmp(options->host, "::") != 0) {
        bool v6 = strchr(options->host, ':') != NULL;

        snprintf(host, host_octets, "%s%s%s", v6 ? "[" : "", options->host, v6 ? "]" : "");
    } else if (gethostname(name, sizeof name) == 0) {
        snprintf(host, host_octets, "%.255s", name);
    } else {
        snprintf(host, host_octets, "localhost");
    }
}

/* Says where the service is and, when nobody could sign in otherwise or it was asked for, how to. */
static bool greet(struct service *service, const struct options *options, int port)
{
    const char *scheme = service->tls ? "https" : "http";
    char code[SECRET_TOKEN_SIZE], host[300];
    int64_t owner = 0;
    enum database_status status = account_owner(service->database, &owner);

    name_host(options, host, sizeof host);
    printf("assayd " ASSAY_VERSION " listens at %s://%s:%d\n", scheme, host, port);
    if (options->single_user) {
        printf("Single user: whoever connects to it here is the owner.\n");
    } else if (status == DATABASE_OK && (owner == 0 || options->sign_in_link)) {
        status = account_make_code(service->database, &(struct account_code){.account = owner}, code);
        if (status == DATABASE_OK) {
            printf("Sign in (once, within %d hours): %s://%s:%d/sign-in?code=%s\n", ACCOUNT_LINK_HOURS, scheme, host,
                   port, code);
        }
    }
    if (!output_flushed("assayd")) {
        fputs("assayd: the service runs all the same; --sign-in-link prints another link at the next start\n", stderr);
    }
    return status == DATABASE_OK;
}

static void set_waited(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGUSR1);
}

/* Whoever has renamed the access log wants a new one. */
static void wait_for_end(const struct service *service)
{
    sigset_t waited;
    int number;

    set_waited(&waited);
    while (sigwait(&waited, &number) != 0 || number == SIGUSR1) {
        access_log_reopen(service->access_log);
    }
}

/* Those who have just been woken up are answered before their connections are closed. */
static void await_answers(const struct service *service)
{
    for (unsigned ms = 0; service->slept > 0 && ms < ANSWERS_STOP_MS; ms += 10) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
}

/* The opposite order of the start: no new requests, runs end, live views end, connections end, parts are freed. */
static int stop(struct service *service, struct server *server)
{
    service->ending = true;
    if (!runs_stop(service->runs, RUNS_STOP_MS)) {
        /* Taking the parts from under them would help nobody. */
        fputs("assayd: some runs could not be written down in time; the next start takes them up\n", stderr);
        _exit(EXIT_GOOD);
    }
    hub_stop(service->hub, HUB_STOP_MS);
    hashing_stop(service->hashing);
    aside_stop(service->aside);
    decoders_stop(service->decoders);
    await_answers(service);
    server_stop(server);
    close_parts(service);
    return EXIT_GOOD;
}

static int serve(const struct options *options)
{
    struct service service = {0};
    struct server *server;
    char message[1024] = "";
    int start;
    bool good;

    if (!store_lock(&options->place, message, sizeof message)) {
        return complain(message);
    }
    start = store_begin(options->place.folder, message, sizeof message);
    if (start < 0) {
        return complain(message);
    }
    good = open_parts(&service, options, message, sizeof message);
    close(start);
    if (!good) {
        close_parts(&service);
        return complain(message);
    }
    server = server_start(&service, options, message, sizeof message);
    if (!server) {
        close_parts(&service);
        return complain(message);
    }
    if (!greet(&service, options, server_port(server))) {
        fputs("assayd: the sign-in link could not be stored (is the disk full?)\n", stderr);
    }
    wait_for_end(&service);
    return stop(&service, server);
}

/* Clients alone may have as many connections as systems commonly allow descriptors: the runs' files and jobs need
 * theirs too, and must not fail because somebody connects and says nothing. */
static void raise_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < DESCRIPTORS) {
        limit.rlim_cur = limit.rlim_max < DESCRIPTORS ? limit.rlim_max : DESCRIPTORS;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* Every thread inherits the blocked signals, so that only wait_for_end gets them. */
static void prepare_signals(void)
{
    sigset_t waited;

    set_waited(&waited);
    pthread_sigmask(SIG_BLOCK, &waited, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

int main(int argc, char **argv)
{
    struct options options;

    output_begin();
    options_parse(argc, argv, &options);
    umask(077);
    if (sodium_init() < 0) {
        return complain("the system has no source of random numbers");
    }
    switch (options.task) {
    case OPTIONS_SERVE:
        mallopt(M_ARENA_MAX, ARENAS); /* threads that share one wait for who was preempted in it */
        prepare_signals();
        raise_limit();
        return serve(&options);
    case OPTIONS_ISSUE_TOKEN:
        return issue_token(&options);
    case OPTIONS_BACK_UP:
        return back_up(&options);
    case OPTIONS_INSPECT:
        return inspect(&options);
    case OPTIONS_REJUDGE:
        return rejudge(&options);
    case OPTIONS_ROTATE_KEY:
        return rotate_key(&options);
    case OPTIONS_LIST_ROUTES:
        route_print(&routes);
        return printed();
    case OPTIONS_END:
        return printed();
    case OPTIONS_WRONG:
        break;
    }
    return EXIT_WRONG;
}
