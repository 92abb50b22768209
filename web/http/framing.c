/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Headers that readers of HTTP understand in different ways (framing.h). The library takes the first of several.
 */
#include "web/http/framing.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

struct seen {
    const char *length, *coding, *host; /* the first of each */
    const char *problem;
};

/* Notes the first value of a header; a second one is a problem, unless it says the same. */
static void note(struct seen *seen, const char **first, const char *value, const char *problem)
{
    if (!*first) {
        *first = value;
    } else if (strcmp(*first, value) != 0) {
        seen->problem = problem;
    }
}

static void look_at_host(struct seen *seen, const char *value)
{
    if (seen->host) {
        seen->problem = "A request has one header Host.";
    } else if (strpbrk(value, " \t,/?#@\\")) {
        seen->problem = "The header Host is not the name of a host.";
    }
    seen->host = value;
}

static enum MHD_Result look(void *context, enum MHD_ValueKind kind, const char *name, const char *value)
{
    struct seen *seen = context;

    (void)kind;
    value = value ? value : "";
    if (strpbrk(name, " \t")) {
        seen->problem = "The name of a header has a blank in it.";
    } else if (strcasecmp(name, "Content-Length") == 0) {
        note(seen, &seen->length, value, "Two headers Content-Length say different lengths.");
    } else if (strcasecmp(name, "Transfer-Encoding") == 0) {
        note(seen, &seen->coding, value, "Two headers Transfer-Encoding say different codings.");
    } else if (strcasecmp(name, "Host") == 0) {
        look_at_host(seen, value);
    }
    return seen->problem ? MHD_NO : MHD_YES;
}

const char *framing_problem(struct MHD_Connection *connection, const char *version)
{
    struct seen seen = {.problem = NULL};

    MHD_get_connection_values(connection, MHD_HEADER_KIND, look, &seen);
    if (!seen.problem && seen.coding && strcasecmp(seen.coding, "chunked") != 0) {
        return "The only Transfer-Encoding that is understood here is 'chunked'.";
    }
    if (!seen.problem && seen.coding && seen.length) {
        return "A request has either Content-Length or Transfer-Encoding.";
    }
    if (!seen.problem && !seen.host && strcmp(version, MHD_HTTP_VERSION_1_0) != 0) {
        return "A request of HTTP/1.1 has a header Host.";
    }
    return seen.problem;
}
