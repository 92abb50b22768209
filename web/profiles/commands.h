/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The commands that a person types to bring a system under test to a run.
 */
#ifndef WEB_PROFILES_COMMANDS_H
#define WEB_PROFILES_COMMANDS_H

#include "tester/profile/profile.h"

#include <jansson.h>
#include <stdbool.h>

/* What the commands are for: base is the service's address as the client sees it, server the command of an own IMPI
 * server, or "". */
struct commands_order {
    const struct profile *profile;
    const char *base, *server, *token;
    bool tls, guest; /* guest: another vendor's clients, which meet those under test */
};

/* commands_json gives an array of {"title","text"}; one that is for one role alone has "role" too, and the one that
 * fetches the interpreter the archive's digest, "sha256". New reference. */
json_t *commands_json(const struct commands_order *order);

#endif
