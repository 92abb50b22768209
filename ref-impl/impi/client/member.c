/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A rank of a client on many nodes, before it is the program: see member.h. It knows its rank from the environment, in
 * which every PMIx launcher puts it, and asks PMIx nothing: that is for the program, which takes its place.
 */
#include "ref-impl/impi/client/member.h"

#include "ref-impl/impi/client/line.h"
#include "ref-impl/impi/client/remote_agent.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { FAILED = 1, USAGE = 2, CANNOT_RUN = 126, NOT_FOUND = 127, CONNECT_MS = 10000, HOST_OCTETS = 256 };

struct member {
    const char *key;
    uint32_t rank;
    struct address own, impirun;
    struct line_stream stream;
};

/* Always false. */
static bool fail(const char *what, const char *why)
{
    fprintf(stderr, "impirun: on a node of the client: %s: %s\n", what, why);
    return false;
}

static bool rank_read(struct member *m)
{
    const char *text = getenv("PMIX_RANK");
    char *end = NULL;

    errno = 0;
    unsigned long rank = text ? strtoul(text, &end, 10) : 0;
    if (!text || end == text || *end || errno != 0 || rank > INT_MAX) {
        return fail("the launcher does not say which rank this is",
                    "PMIX_RANK is not set; -launcher needs one that provides PMIx, such as mpirun of Open MPI, or srun "
                    "--mpi=pmix");
    }
    m->rank = (uint32_t)rank;
    return true;
}

/* Connects to impirun, by the first of its addresses that answers. */
static bool impirun_connect(struct member *m, const char *places)
{
    const char *colon = strrchr(places, ':'), *reason = NULL;
    int error = EINVAL;

    while (colon && *places && places < colon) {
        size_t len = strcspn(places, ",:");
        char host[HOST_OCTETS];

        snprintf(host, sizeof host, "%.*s", (int)len, places);
        if (address_resolve(host, (uint16_t)strtoul(colon + 1, NULL, 10), &m->impirun, 1, &reason) == 1) {
            error = address_connect(&m->impirun, NULL, CONNECT_MS, &m->stream.fd);
            if (error == 0) {
                return true;
            }
        }
        places += len + 1;
    }
    return fail("cannot connect to impirun", strerror(error));
}

/* By which address the hosts of others find this node: the one from which it reaches the server. */
static bool own_find(struct member *m, const char *server)
{
    struct address to;
    char host[HOST_OCTETS];
    const char *reason = NULL;
    uint16_t port = 0;

    if (!address_split(server, host, sizeof host, &port) || address_resolve(host, port, &to, 1, &reason) != 1 ||
        !address_towards(&to, &m->own)) {
        return fail("no way leads to the IMPI server", server);
    }
    return true;
}

static bool join_say(const struct member *m)
{
    unsigned char id[WIRE_IMPI_HOST_OCTETS];
    char text[2 * WIRE_IMPI_HOST_OCTETS + 1];
    struct utsname node;

    address_host_id(&m->own, id);
    for (size_t i = 0; i < sizeof id; i++) {
        snprintf(text + 2 * i, 3, "%02x", id[i]);
    }
    if (uname(&node) != 0 || node.nodename[0] == '\0') {
        snprintf(node.nodename, sizeof node.nodename, "node");
    }
    return line_say(m->stream.fd, "JOIN %s %" PRIu32 " %s %.64s", m->key, m->rank, text, node.nodename) ||
           fail("cannot speak with impirun", strerror(errno));
}

/* Does what impirun says, until that is to run; gives the link. -1: the job is not to be. */
static int orders_follow(struct member *m)
{
    char text[LINE_OCTETS];
    struct remote_agent agent = {.key = m->key, .own = m->own, .impirun = m->impirun};
    uint32_t first = 0;
    int link = -1;

    while (line_wait(&m->stream, text)) {
        if (sscanf(text, "LEAD %" SCNu32 " %" SCNu32, &agent.first, &agent.count) == 2) {
            if (!remote_agent_start(&agent)) {
                (void)fail("cannot start the host agent", strerror(errno));
                return -1;
            }
        } else if (sscanf(text, "LINK %" SCNu32, &first) == 1 && link < 0) {
            link = remote_agent_link(m->key, first, m->rank);
            if (link < 0) {
                (void)fail("cannot reach the host agent of this node", strerror(errno));
                return -1;
            }
        } else if (strcmp(text, "RUN") == 0 && link >= 0) {
            return link;
        }
    }
    return -1; /* impirun has said why */
}

int member_run(char **words)
{
    struct member m = {.stream = {.fd = -1}};
    char number[16];

    if (!words[0] || !words[1] || !words[2] || !words[3]) {
        fputs("impirun: -member is what -launcher starts, and not for people; impirun --help tells more\n", stderr);
        return USAGE;
    }
    m.key = words[0];
    if (!rank_read(&m) || !own_find(&m, words[2]) || !impirun_connect(&m, words[1]) || !join_say(&m)) {
        return FAILED;
    }
    int link = orders_follow(&m);
    line_close(&m.stream);
    if (link < 0) {
        return FAILED;
    }
    snprintf(number, sizeof number, "%d", link);
    (void)setenv("ASSAY_IMPI_LINK", number, 1);
    (void)execvp(words[3], words + 3);
    int error = errno;
    fprintf(stderr, "impirun: cannot run %s: %s\n", words[3], strerror(error));
    return error == ENOENT ? NOT_FOUND : CANNOT_RUN;
}
