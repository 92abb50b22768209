/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Reads the command line of assayd. One line on stderr for everything that is wrong with it.
 */
#include "web/service/options.h"

#include "tester/base/plain.h"

#include <arpa/inet.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_LISTEN = 256,
    OPTION_DATA,
    OPTION_DATABASE,
    OPTION_CERT,
    OPTION_KEY,
    OPTION_PEER,
    OPTION_LINK,
    OPTION_TOKEN,
    OPTION_LIMIT,
    OPTION_ROUTES,
    OPTION_PROXY,
    OPTION_BACKUP,
    OPTION_INSPECT,
    OPTION_SINGLE,
    OPTION_ROTATE,
    OPTION_REJUDGE,
    OPTION_INSTANCE,
    OPTION_ISSUER,
    OPTION_ISSUER_ADDRESS,
    OPTION_ACCESS_LOG,
    OPTION_SHARKD,
};

static const struct option long_options[] = {
    {"listen", required_argument, NULL, OPTION_LISTEN},
    {"data", required_argument, NULL, OPTION_DATA},
    {"database", required_argument, NULL, OPTION_DATABASE},
    {"access-log", required_argument, NULL, OPTION_ACCESS_LOG},
    {"sharkd", required_argument, NULL, OPTION_SHARKD},
    {"tls-cert", required_argument, NULL, OPTION_CERT},
    {"tls-key", required_argument, NULL, OPTION_KEY},
    {"peer-address", required_argument, NULL, OPTION_PEER},
    {"sign-in-link", no_argument, NULL, OPTION_LINK},
    {"issue-token", required_argument, NULL, OPTION_TOKEN},
    {"backup", required_argument, NULL, OPTION_BACKUP},
    {"inspect", no_argument, NULL, OPTION_INSPECT},
    {"rejudge", required_argument, NULL, OPTION_REJUDGE},
    {"instance", required_argument, NULL, OPTION_INSTANCE},
    {"issuer", required_argument, NULL, OPTION_ISSUER},
    {"issuer-address", required_argument, NULL, OPTION_ISSUER_ADDRESS},
    {"rotate-key", no_argument, NULL, OPTION_ROTATE},
    {"proxy", required_argument, NULL, OPTION_PROXY},
    {"single-user", no_argument, NULL, OPTION_SINGLE},
    {"limit", required_argument, NULL, OPTION_LIMIT},
    {"list-routes", no_argument, NULL, OPTION_ROUTES},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {0},
};

static const char help_options[] =
    "usage: assayd --listen ADDR:PORT --data DIR [--tls-cert FILE --tls-key FILE]\n"
    "       assayd --data DIR --issue-token NAME\n"
    "       assayd --data DIR --backup FOLDER\n"
    "       assayd --data DIR --inspect\n"
    "       assayd --data DIR --rejudge all|CASE,CASE\n"
    "       assayd --data DIR --rotate-key\n"
    "\n"
    "Serves the Assay test service: pages, JSON API, live events and the connections of test interpreters on one "
    "port.\n"
    "\n"
    "  --listen ADDR:PORT    where to listen: 127.0.0.1:8080, [::1]:8080, 0.0.0.0:8080; port 0 takes a free one\n"
    "  --data DIR            the folder that holds everything; made on the first start\n"
    "  --database URL        the database, postgresql://[USER@]HOST[:PORT]/NAME; by default an SQLite file in DIR\n"
    "  --instance NAME       be one of several services that share DIR and the database, each with its own name\n"
    "  --issuer NAME         who issues the certificates: the body that runs the service; signed, and shown on their "
    "pages\n"
    "  --issuer-address TEXT where that body is reached, for people: a postal address, say; needs --issuer\n"
    "  --tls-cert FILE       certificate chain (PEM); with --tls-key the service speaks HTTPS\n"
    "  --tls-key FILE        private key (PEM)\n"
    "  --peer-address ADDR   numeric IPv4 address at which scripted peers listen for the systems under test; by "
    "default\n"
    "                        the address at which the launch agent reached the service\n"
    "  --access-log FILE     add a line of JSON for each request to FILE, or - for stderr; SIGUSR1 opens FILE anew\n"
    "  --sharkd PROGRAM      Wireshark's sharkd, by which pages show what is in a capture; none: they do not; by "
    "default\n"
    "                        the one of PATH, if there is one\n"
    "  --proxy ADDR[/BITS]   a reverse proxy, or a network of them, whose Forwarded or X-Forwarded-.. headers are "
    "believed;\n"
    "                        may be given several times\n"
    "  --single-user         without accounts: whoever connects is the owner; only where --listen is this machine "
    "itself\n"
    "                        (127.0.0.1 or [::1])\n"
    "  --sign-in-link        print a one-time sign-in link though there is an account\n"
    "  --issue-token NAME    print a new API token of the owner's account and end; a running service knows it at once\n"
    "  --backup FOLDER       copy the data folder, also while its service runs, into a new folder and end; assayd\n"
    "                        serves that as it serves DIR\n"
    "  --inspect             look whether the database is sound and all evidence whole, also while a service runs, and "
    "end\n"
    "  --rejudge CASES       judge the stored evidence of all runs again, as the checkers do today, also while a "
    "service\n"
    "                        runs, list what differs and the certificates that rest on it, tell the accounts, and "
    "end;\n"
    "                        CASES is the word all, or ids of cases that have turned out wrong: ID,ID\n"
    "  --rotate-key          change the key that certificates are signed with, while no service runs, and end; those "
    "of the\n"
    "                        old key stay good\n"
    "  --list-routes         print the table of routes and end\n"
    "  --limit NAME=N        change what the service allows at most; may be given several times (names below)\n"
    "  --help, --version     this text, the version\n"
    "\n"
    "Limits, with what holds unless --limit says otherwise:\n"
    "\n";

static const char help_end[] =
    "\n"
    "The first start prints a one-time sign-in link. SIGTERM and SIGINT end the service in order: runs that are under "
    "way\n"
    "are kept, and go on when the service runs again and their launch agents have come back. Exit status: 0 ended in "
    "order,\n"
    "1 --inspect has found defects, or --rejudge what differs, 2 wrong usage or it cannot start.\n";

static bool parse_port(const char *text, uint16_t *port)
{
    char *end;
    unsigned long value;

    if (text[0] < '0' || text[0] > '9') {
        return false;
    }
    value = strtoul(text, &end, 10);
    *port = (uint16_t)value;
    return *end == '\0' && value <= 65535;
}

/* ADDR:PORT or [ADDR]:PORT, numeric. */
static bool parse_listen(struct options *options)
{
    const char *colon = strrchr(options->listen, ':');
    const char *begin = options->listen;
    struct sockaddr_in *v4 = (struct sockaddr_in *)&options->address;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&options->address;
    size_t len = colon ? (size_t)(colon - begin) : 0;
    uint16_t port;

    if (!colon || !parse_port(colon + 1, &port)) {
        return false;
    }
    if (len >= 2 && begin[0] == '[' && begin[len - 1] == ']') {
        begin++;
        len -= 2;
    }
    if (len == 0 || len >= sizeof options->host) {
        return false;
    }
    memcpy(options->host, begin, len);
    options->host[len] = '\0';
    if (inet_pton(AF_INET, options->host, &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        v4->sin_port = htons(port);
        options->address_len = sizeof *v4;
        return true;
    }
    if (inet_pton(AF_INET6, options->host, &v6->sin6_addr) == 1) {
        v6->sin6_family = AF_INET6;
        v6->sin6_port = htons(port);
        options->address_len = sizeof *v6;
        return true;
    }
    return false;
}

static bool read_limit(struct options *options)
{
    char message[160];

    if (!limits_set(&options->limits, optarg, message, sizeof message)) {
        fprintf(stderr, "assayd: %s\n", message);
        options->task = OPTIONS_WRONG;
        return false;
    }
    return true;
}

static bool read_proxy(struct options *options)
{
    if (!proxies_add(&options->proxies, optarg)) {
        fprintf(stderr,
                "assayd: --proxy: not a numeric address or network such as 127.0.0.1 or 10.0.0.0/8, or one too "
                "many: %.80s\n",
                optarg);
        options->task = OPTIONS_WRONG;
        return false;
    }
    return true;
}

static bool read_issuer(struct options *options, int option)
{
    const char *name = option == OPTION_ISSUER ? "issuer" : "issuer-address";

    if (!plain_text(optarg, ISSUER_TEXT_MAX)) {
        fprintf(stderr,
                "assayd: --%s: must be a text of 1 to %d octets in UTF-8 without control characters, and without those "
                "that are invisible or turn the direction of writing\n",
                name, ISSUER_TEXT_MAX);
        options->task = OPTIONS_WRONG;
        return false;
    }
    *(option == OPTION_ISSUER ? &options->issuer.name : &options->issuer.address) = optarg;
    return true;
}

/* Options whose value is taken as it is. */
static bool read_text(struct options *options, int option)
{
    const char **const places[] = {[OPTION_DATA - OPTION_LISTEN] = &options->place.folder,
                                   [OPTION_DATABASE - OPTION_LISTEN] = &options->place.url,
                                   [OPTION_INSTANCE - OPTION_LISTEN] = &options->place.instance,
                                   [OPTION_LISTEN - OPTION_LISTEN] = &options->listen,
                                   [OPTION_CERT - OPTION_LISTEN] = &options->tls_cert,
                                   [OPTION_KEY - OPTION_LISTEN] = &options->tls_key,
                                   [OPTION_PEER - OPTION_LISTEN] = &options->peer_address,
                                   [OPTION_ACCESS_LOG - OPTION_LISTEN] = &options->access_log,
                                   [OPTION_SHARKD - OPTION_LISTEN] = &options->sharkd};

    *places[option - OPTION_LISTEN] = optarg;
    return true;
}

static void print_help(void)
{
    fputs(help_options, stdout);
    limits_print(stdout);
    fputs(help_end, stdout);
}

static bool read_option(struct options *options, int option)
{
    switch (option) {
    case OPTION_LISTEN:
    case OPTION_DATA:
    case OPTION_DATABASE:
    case OPTION_INSTANCE:
    case OPTION_CERT:
    case OPTION_KEY:
    case OPTION_PEER:
    case OPTION_ACCESS_LOG:
    case OPTION_SHARKD:
        return read_text(options, option);
    case OPTION_LINK:
        options->sign_in_link = true;
        return true;
    case OPTION_SINGLE:
        options->single_user = true;
        return true;
    case OPTION_TOKEN:
        options->task = OPTIONS_ISSUE_TOKEN;
        options->token_name = optarg;
        return true;
    case OPTION_BACKUP:
        options->task = OPTIONS_BACK_UP;
        options->backup = optarg;
        return true;
    case OPTION_INSPECT:
        options->task = OPTIONS_INSPECT;
        return true;
    case OPTION_REJUDGE:
        options->task = OPTIONS_REJUDGE;
        options->rejudge = optarg;
        return true;
    case OPTION_ROTATE:
        options->task = OPTIONS_ROTATE_KEY;
        return true;
    case OPTION_PROXY:
        return read_proxy(options);
    case OPTION_ISSUER:
    case OPTION_ISSUER_ADDRESS:
        return read_issuer(options, option);
    case OPTION_LIMIT:
        return read_limit(options);
    case OPTION_ROUTES:
        options->task = OPTIONS_LIST_ROUTES;
        return true;
    case 'h':
        print_help();
        options->task = OPTIONS_END;
        return false;
    case 'V':
        puts("assayd " ASSAY_VERSION);
        options->task = OPTIONS_END;
        return false;
    default:
        options->task = OPTIONS_WRONG;
        return false;
    }
}

static bool is_loopback(const struct sockaddr_storage *address)
{
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;

    return address->ss_family == AF_INET ? ntohl(v4->sin_addr.s_addr) >> 24 == 127
                                         : IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr);
}

static bool is_name(const char *text)
{
    size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-");

    return len > 0 && len <= 32 && text[len] == '\0';
}

/* What is wrong with being one of several, or NULL. */
static const char *find_instance_mistake(const struct options *options)
{
    if (!options->place.instance) {
        return NULL;
    }
    if (!is_name(options->place.instance)) {
        return "--instance: the name must have 1 to 32 letters, digits and '-'";
    }
    if (!options->place.url) {
        return "--instance: several services share a PostgreSQL database; --database is missing";
    }
    if (options->limits.of[LIMIT_AGENT_SECONDS] == 0) {
        return "--instance: services that share runs hand them over by suspending them; agent-seconds must not be 0";
    }
    return options->single_user ? "--instance and --single-user exclude each other" : NULL;
}

/* What is wrong with the options taken together, or NULL. */
static const char *find_mistake(struct options *options)
{
    struct in_addr peer;

    if (!options->place.folder && options->task != OPTIONS_LIST_ROUTES) {
        return "--data DIR is missing";
    }
    if (options->place.url && strncmp(options->place.url, "postgresql://", strlen("postgresql://")) != 0) {
        return "--database: not a URL such as postgresql://user@host/assay";
    }
    if (options->task == OPTIONS_BACK_UP && options->place.url) {
        return "--backup copies a folder with its SQLite file; of PostgreSQL take pg_dump first, then copy the folder";
    }
    if (options->task == OPTIONS_ISSUE_TOKEN) {
        size_t len = strlen(options->token_name);

        return len == 0 || len > 100 ? "--issue-token: the name must have 1 to 100 octets" : NULL;
    }
    if (options->task != OPTIONS_SERVE) {
        return NULL;
    }
    if (!options->listen) {
        return "--listen ADDR:PORT is missing";
    }
    if (!parse_listen(options)) {
        return "--listen: not a numeric ADDR:PORT such as 127.0.0.1:8080 or [::1]:8080";
    }
    if (options->single_user && (!is_loopback(&options->address) || options->proxies.count > 0)) {
        return "--single-user: only at a loopback address, 127.0.0.1:PORT or [::1]:PORT, and without --proxy: anybody "
               "who can connect is the owner";
    }
    if (options->issuer.address && !options->issuer.name) {
        return "--issuer-address: --issuer NAME is missing";
    }
    if (!options->tls_cert != !options->tls_key) {
        return "--tls-cert and --tls-key belong together: give both or none";
    }
    if (options->peer_address && inet_pton(AF_INET, options->peer_address, &peer) != 1) {
        return "--peer-address: not a numeric IPv4 address";
    }
    return find_instance_mistake(options);
}

void options_parse(int argc, char **argv, struct options *options)
{
    const char *mistake;
    int option;

    *options = (struct options){.task = OPTIONS_SERVE};
    limits_default(&options->limits);
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":", long_options, NULL)) != -1) {
        if (option == ':' || option == '?') {
            fprintf(stderr, "assayd: %s %s; see assayd --help\n", argv[optind > 1 ? optind - 1 : 1],
                    option == ':' ? "needs a value" : "is no option, or takes no value");
        }
        if (!read_option(options, option)) {
            return;
        }
    }
    mistake = optind < argc ? "there is an argument too many" : find_mistake(options);
    if (mistake) {
        fprintf(stderr, "assayd: %s; see assayd --help\n", mistake);
        options->task = OPTIONS_WRONG;
    }
}
