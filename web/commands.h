/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The commands that a person types to bring a system under test to a run.
 */
#ifndef WEB_COMMANDS_H
#define WEB_COMMANDS_H

#include <jansson.h>
#include <stdbool.h>

/* commands_json gives an array of {"title","text"}: base is the service's address as the client sees it. New reference.
 */
json_t *commands_json(const char *base, bool tls, const char *profile, const char *token);

#endif
