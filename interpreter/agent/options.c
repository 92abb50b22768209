/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Reading the agent's command line.
 */
#include "options.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/connection.h"
#include "../common/line.h"
#include "../common/report.h"
#include "others.h"
#include "words.h"

static const char usage[] =
    "usage: sut-agent --url http[s]://HOST[:PORT] [--token TOKEN] [--server WORDS] [--advertise HOST:PORT]\n"
    "                 [--relay HOST:PORT] [--tunnel WORDS] [--jobs N] [--patience SECONDS] [--quiet] -- TEMPLATE...\n"
    "\n"
    "Starts and stops jobs of the system under test for a test manager. TEMPLATE is the command that starts one job;\n"
    "{np} in it becomes the number of processes, {args} the interpreter's arguments (appended when it is not there),\n"
    "{client} and {server} the rank and the server of an IMPI client, {hosts} its number of hosts, {clients} the "
    "number\n"
    "of clients of an IMPI server, {options} options that the IMPI document gives a server. It is executed without a\n"
    "shell. For example:\n"
    "\n"
    "  sut-agent --url http://tests.example.org:8080 -- mpirun -np {np} ./interp-portals {args}\n"
    "  sut-agent --url .. -- mpirun -client {client} {server} -np {np} ./interp-mpi {args}\n"
    "  sut-agent --url .. -- mpirun -server {clients} {options}\n"
    "  sut-agent --url .. --server 'mpirun -server {clients} {options}' -- mpirun -client {client} {server} ..\n"
    "\n"
    "  --url http://HOST:PORT  where the manager listens; --manager HOST:PORT says the same. With https the agent is "
    "the\n"
    "                          relay for interpreters, by the program openssl\n"
    "  --token TOKEN           the run's token; without it ASSAY_TOKEN of the environment is taken, which other users\n"
    "                          of this machine cannot see\n"
    "  --server WORDS          beside clients: the command of your IMPI server, which then takes part in jobs with\n"
    "                          clients of the reference; words are separated by blanks, quotes keep them together\n"
    "  --relay HOST:PORT       interpreters reach the manager through the agent, which listens there; with https at\n"
    "                          127.0.0.1 if not given: name an address of this machine that compute nodes reach\n"
    "  --tunnel WORDS          the command that carries octets between its standard streams and {host}:{port}; with\n"
    "                          https, if not given: openssl s_client .. -connect {host}:{port}\n"
    "  --advertise HOST:PORT   where the interpreters find the manager, if not at the same address\n"
    "  --jobs N                so many cases may be executed at once, each with jobs of its own: up to 16, one if not\n"
    "                          given\n"
    "  --patience SECONDS      how long to try to connect again when the connection to the manager breaks, to go on "
    "with "
    "the\n"
    "                          run: up to 86400, 900 if not given; 0 ends at once\n"
    "  --quiet                 tell of failures only, and do not show what jobs print\n"
    "  --version, --help\n"
    "\n"
    "Status: 0 conforms, at least in part, 1 it does not, 2 wrong arguments, 3 refused or the manager is gone.\n";

static int misuse(const char *what, const char *which)
{
    report_say("%s%s; try --help", what, which);
    return EXIT_MISUSED;
}

/* address_of cuts http://HOST:PORT/ down to HOST:PORT, in place. NULL when it is another kind of URL. */
static const char *address_of(char *url)
{
    static const char scheme[] = "http://";
    char *address = url + sizeof scheme - 1;

    if (strncmp(url, scheme, sizeof scheme - 1) != 0)
        return NULL;
    address[strcspn(address, "/")] = '\0';
    return strrchr(address, ':') ? address : NULL;
}

/* secure_address_of does so with https://HOST[:PORT]/; a host alone is meant at port 443. */
static const char *secure_address_of(char *url)
{
    static const char scheme[] = "https://";
    char *address = url + sizeof scheme - 1;

    if (strncmp(url, scheme, sizeof scheme - 1) != 0)
        return NULL;
    address[strcspn(address, "/")] = '\0';
    return *address ? address : NULL;
}

/* read_url takes either; what is neither leaves the manager unknown. */
static void read_url(struct agent_options *options, char *url)
{
    options->manager = address_of(url);
    options->tunnel.address = options->manager ? NULL : secure_address_of(url);
}

/* split_address gives host and port of the tunnel's address as texts of their own. */
static void split_address(struct tunnel *tunnel)
{
    static char host[300], port[8];
    const char *colon = strrchr(tunnel->address, ':');
    size_t brackets;

    if (colon && strchr(colon, ']')) /* of IPv6, without a port */
        colon = NULL;
    snprintf(host, sizeof host, "%.*s", colon ? (int)(colon - tunnel->address) : (int)sizeof host - 1, tunnel->address);
    brackets = host[0] == '[';
    if (brackets)
        host[strlen(host) - 1] = '\0';
    snprintf(port, sizeof port, "%s", colon ? colon + 1 : "443");
    tunnel->host = host + brackets;
    tunnel->port = port;
}

/* tls_command is the command for https: a certificate names an address otherwise than a host. */
static const char *tls_command(const char *host)
{
    unsigned char octets[sizeof(struct in6_addr)];
    bool address = inet_pton(AF_INET, host, octets) == 1 || inet_pton(AF_INET6, host, octets) == 1;

    return address ? TUNNEL_TLS_ADDRESS : TUNNEL_TLS;
}

/* read_tunnel finds out whether the agent is a relay, and to what. */
static int read_tunnel(struct agent_options *options)
{
    struct tunnel *tunnel = &options->tunnel;
    bool secure = tunnel->address != NULL;
    const char *why;

    options->relayed = secure || options->relay || options->tunnel_text;
    if (!options->relayed)
        return -1;
    if (!secure)
        tunnel->address = options->manager;
    split_address(tunnel);
    if (!options->tunnel_text && !secure)
        return -1;
    tunnel->command = words_split(options->tunnel_text ? options->tunnel_text : tls_command(tunnel->host), &why);
    return tunnel->command ? -1 : misuse("--tunnel: ", why);
}

/* read_server cuts the server's template into words, as the shell has done with the other one. */
static int read_server(struct agent_options *options)
{
    const char *why;
    char **words = words_split(options->server_text, &why);

    if (words) {
        options->server = words;
        why = words_check_server(words);
        if (!why)
            return -1;
        words_free(words);
    }
    return misuse("--server: ", why);
}

/* read_count reads a whole number within bounds; where there is no text, *count stays. */
static bool read_count(const char *text, unsigned long long least, unsigned long long most, unsigned *count)
{
    unsigned long long number = *count;
    bool good = !text || text_read_count(text, least, most, &number);

    *count = (unsigned)number;
    return good;
}

static int check(struct agent_options *options)
{
    int status;

    if (!options->manager && !options->tunnel.address)
        return misuse("--url is missing, or is not http://HOST:PORT or https://HOST", "");
    if (!options->token)
        return misuse("--token is missing, and ASSAY_TOKEN is not set", "");
    if (!connection_check_token(options->token))
        return misuse("the token must be 16 to 128 characters of A-Z a-z 0-9 _ -", "");
    if (!options->words || !options->words[0])
        return misuse("the command template is missing: put it behind --", "");
    if (!read_count(options->jobs_text, 1, OTHERS + 1, &options->jobs))
        return misuse("--jobs is not a whole number from 1 to 16: ", options->jobs_text);
    if (!read_count(options->patience_text, 0, 86400, &options->patience_s))
        return misuse("--patience is not a whole number from 0 to 86400: ", options->patience_text);
    status = options->server_text ? read_server(options) : -1;
    return status < 0 ? read_tunnel(options) : status;
}

/* read_one takes one option and gives how many arguments it took; 0: it is none of ours, or its value is missing. */
static int read_one(char **arguments, struct agent_options *options)
{
    const char *name = arguments[0];
    char *value = arguments[1];

    if (strcmp(name, "--quiet") == 0) {
        options->quiet = true;
        return 1;
    }
    if (!value)
        return 0;
    if (strcmp(name, "--url") == 0)
        read_url(options, value);
    else if (strcmp(name, "--manager") == 0)
        options->manager = value;
    else if (strcmp(name, "--token") == 0)
        options->token = value;
    else if (strcmp(name, "--server") == 0)
        options->server_text = value;
    else if (strcmp(name, "--advertise") == 0)
        options->advertised = value;
    else if (strcmp(name, "--relay") == 0)
        options->relay = value;
    else if (strcmp(name, "--tunnel") == 0)
        options->tunnel_text = value;
    else if (strcmp(name, "--jobs") == 0)
        options->jobs_text = value;
    else if (strcmp(name, "--patience") == 0)
        options->patience_text = value;
    else
        return 0;
    return 2;
}

int options_read(int count, char **arguments, struct agent_options *options)
{
    int i = 1;

    memset(options, 0, sizeof *options);
    options->token = getenv("ASSAY_TOKEN");
    options->jobs = 1;
    options->patience_s = 900;
    while (i < count && strcmp(arguments[i], "--") != 0) {
        int taken;
        if (strcmp(arguments[i], "--help") == 0) {
            fputs(usage, stdout);
            return report_printed();
        }
        if (strcmp(arguments[i], "--version") == 0) {
            puts("sut-agent " ASSAY_VERSION " (protocol 1)");
            return report_printed();
        }
        taken = read_one(arguments + i, options);
        if (!taken)
            return misuse("unknown argument, or its value is missing: ", arguments[i]);
        i += taken;
    }
    if (i < count)
        options->words = arguments + i + 1;
    return check(options);
}
