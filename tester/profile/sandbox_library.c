/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The compiled library (sandbox_library.h). What is loaded in binary form is only ever what was compiled here: Lua does
 * not check such chunks.
 */
#include "tester/profile/sandbox_library.h"

#include "tester/base/files.h"
#include "tester/base/memory.h"
#include "tester/profile/sandbox.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

/* One file: its chunk in Lua's binary form. */
struct chunk {
    char *octets;
    size_t len;
};

struct sandbox_library {
    struct chunk *chunks;
    size_t count;
};

static int append(lua_State *lua, const void *octets, size_t len, void *context)
{
    struct chunk *chunk = context;

    (void)lua;
    chunk->octets = memory_grow(chunk->octets, chunk->len + len);
    memcpy(chunk->octets + chunk->len, octets, len);
    chunk->len += len;
    return 0;
}

static bool compile(lua_State *lua, const char *source, size_t len, const char *name, struct chunk *chunk,
                    char *message, size_t message_octets)
{
    bool good = sandbox_compile(lua, source, len, name, message, message_octets);

    if (good) {
        lua_dump(lua, append, chunk, 0);
        lua_pop(lua, 1);
    }
    return good;
}

static bool compile_file(lua_State *lua, const char *path, crypto_hash_sha256_state *read, struct chunk *chunk,
                         char *message, size_t message_octets)
{
    size_t len;
    char *source = files_read(path, &len, message, message_octets);
    bool good = source && compile(lua, source, len, files_shown(path), chunk, message, message_octets);

    if (source) {
        crypto_hash_sha256_update(read, (const unsigned char *)source, len);
    }
    free(source);
    return good;
}

struct sandbox_library *sandbox_library_load(const char *folder, const char *first, crypto_hash_sha256_state *read,
                                             char *message, size_t message_octets)
{
    struct sandbox_library *library = memory_zero(sizeof *library);
    lua_State *lua = sandbox_new();
    struct files files;
    bool good = files_list(folder, ".lua", &files, message, message_octets);

    if (!lua) {
        snprintf(message, message_octets, "no memory for Lua");
        good = false;
    }
    library->chunks = memory_zero((files.count + 1) * sizeof(struct chunk));
    good = good && compile(lua, first, strlen(first), "first", &library->chunks[0], message, message_octets);
    library->count = good;
    for (size_t i = 0; good && i < files.count; i++) {
        good = compile_file(lua, files.paths[i], read, &library->chunks[library->count], message, message_octets);
        library->count += good;
    }
    files_free(&files);
    sandbox_free(lua);
    if (!good) {
        sandbox_library_free(library);
        return NULL;
    }
    return library;
}

void sandbox_library_free(struct sandbox_library *library)
{
    if (!library) {
        return;
    }
    for (size_t i = 0; i < library->count; i++) {
        free(library->chunks[i].octets);
    }
    free(library->chunks);
    free(library);
}

bool sandbox_library_run(const struct sandbox_library *library, lua_State *lua, char *message, size_t message_octets)
{
    bool good = true;

    for (size_t i = 0; good && i < library->count; i++) {
        good = sandbox_run_compiled(lua, library->chunks[i].octets, library->chunks[i].len, message, message_octets);
    }
    return good;
}
