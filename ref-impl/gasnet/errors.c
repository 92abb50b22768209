/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The names of the codes, and what they mean.
 */
#include <gasnet.h>

struct text {
    int code;
    const char *name, *meaning;
};

static const struct text texts[] = {
    {GASNET_OK, "GASNET_OK", "no error"},
    {GASNET_ERR_NOT_INIT, "GASNET_ERR_NOT_INIT", "the library is not initialised and attached, or is so already"},
    {GASNET_ERR_RESOURCE, "GASNET_ERR_RESOURCE", "a resource is exhausted or may not be used here"},
    {GASNET_ERR_BAD_ARG, "GASNET_ERR_BAD_ARG", "an argument or variable of the environment has no legal value"},
    {GASNET_ERR_NOT_READY, "GASNET_ERR_NOT_READY", "what was asked for has not ended yet"},
    {GASNET_ERR_BARRIER_MISMATCH, "GASNET_ERR_BARRIER_MISMATCH", "the nodes named different barriers"},
};

static const struct text *find(int code)
{
    static const struct text unknown = {0, "unknown", "no code of GASNet"};

    for (unsigned i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        if (texts[i].code == code) {
            return &texts[i];
        }
    }
    return &unknown;
}

const char *gasnet_ErrorName(int code)
{
    return find(code)->name;
}

const char *gasnet_ErrorDesc(int code)
{
    return find(code)->meaning;
}
