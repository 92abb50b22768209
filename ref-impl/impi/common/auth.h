/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Which authentication methods this side may use, and in which order of preference (chapter 2.3.3). A method is
 * available when it is implemented, which NONE and KEY are, and enabled by the user: NONE by the presence of
 * IMPI_AUTH_NONE in the environment, KEY by a value in IMPI_AUTH_KEY.
 */
#ifndef REF_IMPL_IMPI_COMMON_AUTH_H
#define REF_IMPL_IMPI_COMMON_AUTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    AUTH_METHODS = 2, /* of the document */
    AUTH_SECURE = 31  /* ours: a secure channel (common/secure.h) comes first, and all of this once more inside */
};

/* struct auth is what this side can do. `order` has `count` methods, the most preferred first. */
struct auth {
    uint32_t mask; /* bit m: method m is available */
    uint64_t key;  /* with bit 1 */
    uint32_t order[AUTH_METHODS];
    size_t count;
};

/* What a side offers, and chooses, before there is the secure channel that it wants. */
extern const struct auth auth_secure;

/* auth_read - takes the methods from the environment. `none` and `key` are the values of the two variables, NULL where
 * they are not set. False, with one line in `error`, when the key is no number, or when no method is available. */
bool auth_read(const char *none, const char *key, struct auth *auth, char *error, size_t cap);

/* auth_prefer - orders the methods as the list of -auth says: numbers or ranges of them with a comma between, the most
 * preferred first. Numbers of methods that are not available are skipped; available methods that it does not name come
 * last, the strongest of them first. False: the list is malformed, `auth` is as before. */
bool auth_prefer(struct auth *auth, const char *list);

/* auth_choose - the most preferred method among those of `mask`; -1: there is no common method. */
int auth_choose(const struct auth *auth, uint32_t mask);

/* auth_key_same - whether the key is the right one, in a time that does not depend on where they differ. */
bool auth_key_same(const struct auth *auth, uint64_t key);

#endif
