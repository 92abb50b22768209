/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The Lua files that all cases share, read and compiled once: every case has a state of its own, and the library is
 * executed in each of them.
 */
#ifndef TESTER_PROFILE_SANDBOX_LIBRARY_H
#define TESTER_PROFILE_SANDBOX_LIBRARY_H

#include <lua.h>
#include <sodium/crypto_hash_sha256.h>
#include <stdbool.h>
#include <stddef.h>

struct sandbox_library;

/* sandbox_library_load compiles `first`, a text of Lua, and every *.lua of the folder in the order of names, whose
 * octets are added to `read`; NULL and a message when one cannot be read or does not compile. sandbox_library_free
 * frees it; NULL is allowed. */
struct sandbox_library *sandbox_library_load(const char *folder, const char *first, crypto_hash_sha256_state *read,
                                             char *message, size_t message_octets);
void sandbox_library_free(struct sandbox_library *library);

/* sandbox_library_run executes all of it in a state (sandbox.h); false and a message when it raises an error. Threads
 * may do so at once, each in a state of its own. */
bool sandbox_library_run(const struct sandbox_library *library, lua_State *lua, char *message, size_t message_octets);

#endif
