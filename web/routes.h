/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Everything that can be asked for, in one table. specs/openapi.json describes the same rows; a test compares them.
 */
#ifndef WEB_ROUTES_H
#define WEB_ROUTES_H

#include "web/http/route.h"

extern const struct route_table routes;

#endif
