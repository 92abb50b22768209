/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What programs say of their windows: the hints of chapters 11.2.1 and 11.7.2 of MPI-3, kept and told again. Here all
 * accesses are ordered and atomic and a lock can always be had, whatever a hint would allow; so each hint that a
 * program gives is kept to. What is no hint for windows, or no value of one, is passed over.
 */
#include <string.h>

#include "ref-impl/mpi/api/windows/life.h"

/* What a hint may say: one of these words, or several with commas between. */
struct known_hint {
    const char *key, *value; /* that of a window of which nothing was said */
    const char *words[6];    /* NULL ends them */
    bool several, shared;    /* shared: of windows of shared memory alone */
};

static const struct known_hint known_hints[] = {
    {"no_locks", "false", {"false", "true"}, false, false},
    {"accumulate_ordering", "rar,raw,war,waw", {"rar", "raw", "war", "waw", "none"}, true, false},
    {"accumulate_ops", "same_op_no_op", {"same_op_no_op", "same_op"}, false, false},
    {"same_size", "false", {"false", "true"}, false, false},
    {"same_disp_unit", "false", {"false", "true"}, false, false},
    {"alloc_shared_noncontig", "false", {"false", "true"}, false, true},
};

enum { KNOWN_HINTS = sizeof(known_hints) / sizeof(known_hints[0]) };

static bool is_word(const struct known_hint *hint, const char *text, size_t len)
{
    for (const char *const *word = hint->words; *word; word++) {
        if (strlen(*word) == len && memcmp(*word, text, len) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_value(const struct known_hint *hint, const char *text)
{
    size_t len = hint->several ? strcspn(text, ",") : strlen(text);

    while (is_word(hint, text, len)) {
        if (!text[len]) {
            return true;
        }
        text += len + 1;
        len = strcspn(text, ",");
    }
    return false;
}

int hints_take(struct mpi_win *win, MPI_Info info)
{
    int code = MPI_SUCCESS;

    for (int i = 0; i < KNOWN_HINTS && info != MPI_INFO_NULL && code == MPI_SUCCESS; i++) {
        const struct known_hint *hint = &known_hints[i];
        char value[MPI_MAX_INFO_VAL + 1];
        int given = 0;

        code = MPI_Info_get(info, hint->key, MPI_MAX_INFO_VAL, value, &given);
        if (code == MPI_SUCCESS && given && is_value(hint, value) &&
            (!hint->shared || win->flavor == MPI_WIN_FLAVOR_SHARED)) {
            code = MPI_Info_set(win->hints, hint->key, value);
        }
    }
    return code;
}

int hints_make(struct mpi_win *win, MPI_Info info)
{
    int code = MPI_Info_create(&win->hints);

    for (int i = 0; i < KNOWN_HINTS && code == MPI_SUCCESS; i++) {
        if (!known_hints[i].shared || win->flavor == MPI_WIN_FLAVOR_SHARED) {
            code = MPI_Info_set(win->hints, known_hints[i].key, known_hints[i].value);
        }
    }
    return code == MPI_SUCCESS ? hints_take(win, info) : code;
}

API int MPI_Win_set_info(MPI_Win win, MPI_Info info)
{
    struct mpi_call call = call_on_window("MPI_Win_set_info", win);

    call_info(&call, info);
    return call.code == MPI_SUCCESS ? hints_take(call.win, info) : call_end(&call);
}

API int MPI_Win_get_info(MPI_Win win, MPI_Info *info_used)
{
    struct mpi_call call = call_on_window("MPI_Win_get_info", win);

    return call.code == MPI_SUCCESS ? MPI_Info_dup(call.win->hints, info_used) : call_end(&call);
}
