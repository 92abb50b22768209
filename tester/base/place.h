/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Where programs are.
 */
#ifndef TESTER_BASE_PLACE_H
#define TESTER_BASE_PLACE_H

#include <stdbool.h>
#include <stddef.h>

/* place_own_folder gives the folder of the running program; false when the system does not tell. */
bool place_own_folder(char *folder, size_t room);

/* place_find_program looks for a program: where the environment variable says, else beside this one, else along PATH.
 * Writes the best guess even when it returns false. */
bool place_find_program(const char *name, const char *variable, char *path, size_t room);

#endif
