/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The command line of impirun; see arguments.h. The document fixes `-server N`, `-port P`, `-auth LIST` and `-client R
 * HOST:PORT` (chapter 2.2); the rest is ours. A value that is wrong is an error, whether it stands in the command line
 * or in the environment; the command line wins.
 */
#include "ref-impl/impi/arguments.h"

#include "wire/impi/startup.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROCESSES_MAX = 4096, CONNECT_SECONDS = 120, CONNECT_SECONDS_MAX = 86400 };

static const char help_text[] =
    "usage: impirun -server N [-port PORT] [-auth LIST] [-address ADDRESS] [-tls FILE]\n"
    "       impirun -client RANK HOST:PORT [-np N] [-hosts H] [OPTION VALUE]... PROGRAM [ARGUMENT...]\n"
    "       impirun -client RANK HOST:PORT -np N -launcher 'mpirun -np {np}' [OPTION VALUE]... PROGRAM [ARGUMENT...]\n"
    "\n"
    "Starts a job of several MPI implementations (IMPI 0.0): one server, at which N clients meet, and each client.\n"
    "\n"
    "The server prints its ADDRESS:PORT and ends with the job.\n"
    "  -server N            how many clients the job has, 1 to 32\n"
    "  -port PORT           listen on this port; without it on any\n"
    "  -auth LIST           authentication methods, the preferred one first: 1 is the key, 0 none; ranges like 1-0 "
    "too\n"
    "  -address ADDRESS     listen on this address of the machine only, and print it\n"
    "  -tls FILE            takes clients only over secure channels (TLS), by the key in this file; see -tls below\n"
    "\n"
    "A client runs N processes of an MPI program on this machine, or by a launcher on several.\n"
    "  -client RANK HOST:PORT  which client this is, from 0, and what the server printed\n"
    "  -np N, -n N          how many processes, 1 to 4096 (1)\n"
    "  -hosts H             how many host agents carry their messages (1)\n"
    "  -launcher COMMAND    starts the processes by this command, of a launcher that provides PMIx; {np} in it is N, "
    "and -hosts\n"
    "                       counts for each node\n"
    "  -datalen N           most octets of data in a packet, 1 to 16777216 (65536)\n"
    "  -tagub N             largest tag, 32767 to 2147483647 (2147483647)\n"
    "  -xsize N             crossover size, told to the other clients; the same in all of them (1024)\n"
    "  -maxlinear N         clients up to which collectives need no trees; the same in all clients (4)\n"
    "  -ackmark N           packets after which an acknowledgement is due (10)\n"
    "  -hiwater N           packets that may be unacknowledged, at least the ackmark (20)\n"
    "  -timeout SECONDS     how long the other clients' hosts may take to connect (120)\n"
    "  -tls FILE            secure channels (TLS) to the server and between hosts, by the key of 16 to 256 octets in "
    "this file,\n"
    "                       which nobody but its owner may use; the same in the server and all clients; not with "
    "-launcher\n"
    "\n"
    "  --help, --version    say this, or which version it is\n"
    "\n"
    "Environment: IMPI_AUTH_NONE (set) and IMPI_AUTH_KEY (a number) enable the authentication methods, at least one "
    "is\n"
    "needed; IMPI_HOST_NAME is this machine's address for the others; IMPI_DATALEN, IMPI_TAGUB, IMPI_COLL_XSIZE,\n"
    "IMPI_COLL_MAXLINEAR, IMPI_ACKMARK and IMPI_HIWATER stand for the options.\n"
    "\n"
    "Exit status: 0 when the job ended in order; 1 when it could not start or was broken; 2 wrong usage; 126 PROGRAM\n"
    "cannot be run; 127 PROGRAM not found; otherwise that of the first process that failed, or 128 plus the number of\n"
    "the signal that ended it.\n";

/* What is being read. */
struct reading {
    struct arguments *out;
    bool server, client, ackmark, hiwater;
    const char *auth, *address, *launcher, *tls;
};

/* One line on stderr: what is wrong. Always false. */
__attribute__((format(printf, 1, 2))) static bool wrong(const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    fputs("impirun: ", stderr);
    vfprintf(stderr, fmt, args);
    fputs("; impirun --help tells more\n", stderr);
    va_end(args);
    return false;
}

/* A whole number from `min` to `max`; `name` is the option or variable. */
static bool number_read(const char *name, const char *text, long long min, long long max, long long *number)
{
    char *end = NULL;

    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end || errno != 0 || value < min || value > max || strchr(" \t\n+", text[0])) {
        return wrong("%s %s: must be a number from %lld to %lld", name, text, min, max); //= IMPI-013
    }
    *number = value;
    return true;
}

/* One kind of number: how it is called, and what it may be. */
enum number {
    NUMBER_SERVER,
    NUMBER_PORT,
    NUMBER_NP,
    NUMBER_N,
    NUMBER_HOSTS,
    NUMBER_TIMEOUT,
    NUMBER_DATALEN,
    NUMBER_TAGUB,
    NUMBER_XSIZE,
    NUMBER_MAXLINEAR,
    NUMBER_ACKMARK,
    NUMBER_HIWATER,
    NUMBERS,
};

static const struct {
    const char *option, *variable;
    long long min, max;
} numbers[NUMBERS] = {
    [NUMBER_SERVER] = {"-server", NULL, 1, WIRE_IMPI_CLIENTS_MAX},
    [NUMBER_PORT] = {"-port", NULL, 1, 65535},
    [NUMBER_NP] = {"-np", NULL, 1, PROCESSES_MAX},
    [NUMBER_N] = {"-n", NULL, 1, PROCESSES_MAX},
    [NUMBER_HOSTS] = {"-hosts", NULL, 1, PROCESSES_MAX},
    [NUMBER_TIMEOUT] = {"-timeout", NULL, 1, CONNECT_SECONDS_MAX},
    [NUMBER_DATALEN] = {"-datalen", "IMPI_DATALEN", 1, OFFER_DATALEN_MAX},
    [NUMBER_TAGUB] = {"-tagub", "IMPI_TAGUB", OFFER_TAGUB_MIN, OFFER_TAGUB_MAX},
    [NUMBER_XSIZE] = {"-xsize", "IMPI_COLL_XSIZE", -1, 2147483647},
    [NUMBER_MAXLINEAR] = {"-maxlinear", "IMPI_COLL_MAXLINEAR", -1, 2147483647},
    [NUMBER_ACKMARK] = {"-ackmark", "IMPI_ACKMARK", 1, OFFER_HIWATER_MAX},
    [NUMBER_HIWATER] = {"-hiwater", "IMPI_HIWATER", 1, OFFER_HIWATER_MAX},
};

static void number_store(struct reading *r, enum number which, long long value)
{
    struct client_options *client = &r->out->client;

    switch (which) {
    case NUMBER_SERVER:
        r->server = true;
        r->out->server.clients = (uint32_t)value;
        return;
    case NUMBER_PORT:
        address_set_port(&r->out->server.address, (uint16_t)value);
        return;
    case NUMBER_NP:
    case NUMBER_N:
        client->processes = (uint32_t)value;
        return;
    case NUMBER_HOSTS:
        client->hosts = (uint32_t)value;
        return;
    case NUMBER_TIMEOUT:
        client->connect_seconds = (uint32_t)value;
        return;
    case NUMBER_DATALEN:
        client->values.datalen = (uint32_t)value;
        return;
    case NUMBER_TAGUB:
        client->values.tagub = (int32_t)value;
        return;
    case NUMBER_XSIZE:
        client->values.xsize = (int32_t)value; //= IMPI-064
        return;
    case NUMBER_MAXLINEAR:
        client->values.maxlinear = (int32_t)value;
        return;
    case NUMBER_ACKMARK:
        r->ackmark = true;
        client->values.ackmark = (uint32_t)value;
        return;
    case NUMBER_HIWATER:
        r->hiwater = true;
        client->values.hiwater = (uint32_t)value;
        return;
    case NUMBERS:
        return;
    }
}

/* The values that the environment gives. */
static bool environment_read(struct reading *r)
{
    for (enum number which = 0; which < NUMBERS; which++) {
        const char *text = numbers[which].variable ? getenv(numbers[which].variable) : NULL;
        long long value = 0;

        if (!text || !*text) {
            continue;
        }
        if (!number_read(numbers[which].variable, text, numbers[which].min, numbers[which].max, &value)) {
            return false;
        }
        number_store(r, which, value);
    }
    return true;
}

/* -client RANK HOST:PORT */
static bool client_read(struct reading *r, const char *rank, const char *place)
{
    struct client_options *client = &r->out->client;
    long long value = 0;

    if (!rank || !place) {
        return wrong("option -client needs a rank and the server's HOST:PORT");
    }
    //= IMPI-019
    if (!number_read("-client", rank, 0, WIRE_IMPI_CLIENTS_MAX - 1, &value)) {
        return false;
    }
    if (!address_split(place, client->server_host, sizeof client->server_host, &client->server_port)) {
        return wrong("-client %s %s: the server's address must be HOST:PORT, as the server prints it", rank, place);
    }
    r->client = true;
    client->rank = (int32_t)value;
    return true;
}

/* An option whose value is a number; there is such an option. */
static bool number_option_read(struct reading *r, enum number which, const char *text)
{
    long long value = 0;

    if (!number_read(numbers[which].option, text, numbers[which].min, numbers[which].max, &value)) {
        return false;
    }
    number_store(r, which, value);
    return true;
}

/* Where the value of an option goes that is no number; NULL: there is no such option. */
static const char **text_option(struct reading *r, const char *name)
{
    if (strcmp(name, "-launcher") == 0) {
        return &r->launcher;
    }
    if (strcmp(name, "-tls") == 0) {
        return &r->tls;
    }
    return strcmp(name, "-auth") == 0 ? &r->auth : strcmp(name, "-address") == 0 ? &r->address : NULL;
}

/* One option with one value. */
static bool option_read(struct reading *r, const char *name, const char *value)
{
    enum number which = 0;

    while (which < NUMBERS && strcmp(name, numbers[which].option) != 0) {
        which++;
    }
    const char **text = text_option(r, name);
    if (which == NUMBERS && !text) {
        return wrong("unknown option %s", name);
    }
    if (!value) {
        return wrong("option %s needs a value", name);
    }
    if (!text) {
        return number_option_read(r, which, value);
    }
    *text = value;
    return true;
}

/* The key of secure channels, if they are wanted. */
static bool key_complete(struct reading *r)
{
    struct arguments *out = r->out;
    char error[160];

    if (!r->tls) {
        return true;
    }
    if (r->launcher) {
        return wrong("-tls and -launcher do not go together: agents on other nodes have no key");
    }
    if (!secure_key_read(r->tls, &out->key, error, sizeof error)) {
        return wrong("-tls %s: %s", r->tls, error);
    }
    out->server.key = out->client.key = &out->key;
    return true;
}

/* Where the server listens, and how clients authenticate. */
static bool server_complete(struct reading *r)
{
    struct server_options *server = &r->out->server;
    const char *reason = NULL;

    if (r->auth && !auth_prefer(&server->auth, r->auth)) {
        return wrong("-auth %s: must be numbers or ranges of them with a comma between, like 1,0 or 1-0", r->auth);
    }
    server->everywhere = !r->address;
    if (r->address && address_resolve(r->address, address_port(&server->address), &server->address, 1, &reason) == 0) {
        return wrong("-address %s: %s", r->address, reason);
    }
    return true;
}

/* What fits together; a mark that was not given follows the one that was. */
static bool client_complete(struct reading *r)
{
    struct client_options *client = &r->out->client;
    struct offer_values *values = &client->values;

    if (!r->hiwater && values->hiwater < values->ackmark) {
        values->hiwater = values->ackmark;
    }
    if (!r->ackmark && values->ackmark > values->hiwater) {
        values->ackmark = values->hiwater;
    }
    //= IMPI-138
    if (values->ackmark > values->hiwater) {
        return wrong("the ackmark, %u, must not be above the hiwater, %u", values->ackmark, values->hiwater);
    }
    if (client->hosts > client->processes) {
        return wrong("%u hosts for %u processes: every host must have one", client->hosts, client->processes);
    }
    if (!client->command[0]) {
        return wrong("say which program to run");
    }
    client->launcher = r->launcher;
    if (client->launcher && client->launcher[strspn(client->launcher, " ")] == '\0') {
        return wrong("-launcher: say which command starts the processes, such as 'mpirun -np {np}'");
    }
    if (client->launcher && client->host_name && *client->host_name) {
        return wrong("IMPI_HOST_NAME names one machine, and -launcher starts processes on several: unset it; each node "
                     "is known by the address from which it reaches the server");
    }
    return true;
}

static enum arguments_outcome arguments_complete(struct reading *r, char **rest)
{
    struct auth auth = {0};
    char error[160];

    if (r->server == r->client) {
        (void)wrong("%s", r->server ? "it is either -server or -client" : "say -server N, or -client RANK HOST:PORT");
        return ARGUMENTS_WRONG;
    }
    if (!auth_read(getenv("IMPI_AUTH_NONE"), getenv("IMPI_AUTH_KEY"), &auth, error, sizeof error)) {
        (void)wrong("%s", error);
        return ARGUMENTS_WRONG;
    }
    r->out->client.auth = r->out->server.auth = auth;
    r->out->client.command = rest;
    r->out->client.host_name = getenv("IMPI_HOST_NAME");
    if (!key_complete(r)) {
        return ARGUMENTS_WRONG;
    }
    if (r->client) {
        return client_complete(r) ? ARGUMENTS_CLIENT : ARGUMENTS_WRONG;
    }
    if (rest[0]) {
        (void)wrong("a server runs no program: %s", rest[0]);
        return ARGUMENTS_WRONG;
    }
    return server_complete(r) ? ARGUMENTS_SERVER : ARGUMENTS_WRONG;
}

/* One word of the command line that begins with a hyphen, and how many words it takes; 0: it is wrong. */
static int word_read(struct reading *r, char **words)
{
    //= IMPI-017
    if (strcmp(words[0], "-client") == 0) {
        return client_read(r, words[1], words[1] ? words[2] : NULL) ? 3 : 0;
    }
    return option_read(r, words[0], words[1]) ? 2 : 0;
}

/* Whether the word asks for help or the version, which are printed. */
static bool shown(const char *word)
{
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        fputs(help_text, stdout);
        return true;
    }
    if (strcmp(word, "--version") == 0) {
        puts("impirun " ASSAY_VERSION);
        return true;
    }
    return false;
}

/* Whether one of the options asks for that: it is answered whatever else is wrong. */
static bool shown_anything(char **words)
{
    while (words[0] && words[0][0] == '-' && strcmp(words[0], "--") != 0) {
        if (shown(words[0])) {
            return true;
        }
        for (int takes = strcmp(words[0], "-client") == 0 ? 3 : 2; takes > 0 && words[0]; takes--) {
            words++;
        }
    }
    return false;
}

//= IMPI-009
enum arguments_outcome arguments_read(int argc, char **argv, struct arguments *arguments)
{
    struct reading r = {.out = arguments};
    int words = 0;
    int i = 1;

    *arguments = (struct arguments){.server.address = address_any(0)};
    arguments->client = (struct client_options){.processes = 1, .hosts = 1, .connect_seconds = CONNECT_SECONDS};
    arguments->client.values =
        (struct offer_values){OFFER_DATALEN, OFFER_TAGUB_MAX, -1, -1, OFFER_ACKMARK, OFFER_HIWATER};
    if (argc > 0 && shown_anything(argv + 1)) {
        return ARGUMENTS_SHOWN;
    }
    if (!environment_read(&r)) {
        return ARGUMENTS_WRONG;
    }
    for (; i < argc && argv[i][0] == '-' && strcmp(argv[i], "--") != 0; i += words) {
        words = word_read(&r, argv + i);
        if (words == 0) {
            return ARGUMENTS_WRONG;
        }
    }
    i += i < argc && strcmp(argv[i], "--") == 0;
    return arguments_complete(&r, argv + i);
}
