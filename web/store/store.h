/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The data folder, and the database, which is in it or elsewhere.
 */
#ifndef WEB_STORE_STORE_H
#define WEB_STORE_STORE_H

#include "web/service/place.h"
#include "web/store/database.h"

#include <stdbool.h>
#include <stddef.h>

/* store_open makes the data folder where it is missing, opens the database and brings the schema up to date. NULL: one
 * line in message. */
struct database *store_open(const struct place *place, char *message, size_t message_octets);

/* store_lock makes the data folder where it is missing and takes the lock that one service a folder may hold, or one of
 * that name where several share it. The lock is held until the process ends, also by a crash. False: one line in
 * message. */
bool store_lock(const struct place *place, char *message, size_t message_octets);

/* store_begin waits until no other service that shares the folder is in its start, and gives a descriptor to be closed
 * after the own one, or -1 and one line in message. */
int store_begin(const char *folder, char *message, size_t message_octets);

#endif
