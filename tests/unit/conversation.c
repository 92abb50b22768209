/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Reading conversations: lines of words. Octets come from the single vectors, with parts replaced.
 */
#include "tests/unit/conversation.h"

#include "wire/octets/hex.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char folder[] = VECTORS "/conversations";

static _Noreturn void give_up(const char *name, unsigned line, const char *why)
{
    printf("Bail out! %s/%s.txt: line %u: %s\n", folder, name, line, why);
    exit(2);
}

static int is_conversation(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');

    return dot && strcmp(dot, ".txt") == 0;
}

void conversation_each(void (*visit)(const char *name))
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_conversation, alphasort);

    if (count <= 0) {
        give_up("*", 0, "there is none; run from the root of the tree");
    }
    for (int i = 0; i < count; i++) {
        *strrchr(entries[i]->d_name, '.') = 0;
        visit(entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
}

/* Digits to octets; the number of octets, or 0. */
static size_t octets_of(const char *digits, unsigned char *octets, size_t cap)
{
    struct wire_hex hex = {.line = 1};
    size_t used = 0, made = 0;
    enum wire_status status = wire_hex_feed(&hex, digits, strlen(digits), &used, octets, cap, &made);

    return status == WIRE_OK && wire_hex_end(&hex) == WIRE_OK && used == strlen(digits) ? made : 0;
}

/* "put.hex" or "=00ff". */
static void take_source(const char *name, struct conversation_step *step, const char *word)
{
    char path[512];

    if (word[0] == '=') {
        step->octets.len = octets_of(word + 1, step->octets.octets, VECTOR_OCTETS_MAX);
        if (step->octets.len == 0) {
            give_up(name, step->line, "hexadecimal digits must follow =");
        }
        return;
    }
    snprintf(path, sizeof path, VECTORS "/%s", word);
    vector_load(path, &step->octets);
}

/* "48:0018": replaces the octets from offset 48. */
static void take_change(const char *name, struct conversation_step *step, const char *word)
{
    unsigned char octets[16];
    unsigned offset;
    int used = 0;

    if (sscanf(word, "%u:%n", &offset, &used) != 1 || used == 0) {
        give_up(name, step->line, "a change is OFFSET:OCTETS");
    }
    size_t count = octets_of(word + used, octets, sizeof octets);
    if (count == 0 || offset + count > step->octets.len) {
        give_up(name, step->line, "a change is no octets, or outside the message");
    }
    memcpy(step->octets.octets + offset, octets, count);
}

static bool take_side(struct conversation_step *step, const char *word)
{
    step->side = strcmp(word, "acceptor") == 0 ? WIRE_PORTALS_ACCEPTOR : WIRE_PORTALS_OPENER;
    return step->side == WIRE_PORTALS_ACCEPTOR || strcmp(word, "opener") == 0;
}

/* The lines that set something for later steps. True when it was one. */
static bool take_setting(struct conversation_step *step, const char *text)
{
    unsigned number;

    if (sscanf(text, "stream %u", &number) == 1 && number >= 1 && number <= CONVERSATION_STREAMS_MAX) {
        step->stream = number - 1;
        return true;
    }
    if (sscanf(text, "at %u", &number) == 1) {
        step->when_us = (uint64_t)number * 1000000;
        return true;
    }
    return sscanf(text, "listener %8x %8x", &step->listener.nid, &step->listener.pid) == 2;
}

static void take_step(const char *name, struct conversation_step *step, char *text)
{
    char word[64];

    if (sscanf(text, "breaks %63s %15s", step->name, step->requirement) == 2) {
        step->kind = CONVERSATION_BREAKS;
    } else if (sscanf(text, "waiting %u", &step->count) == 1) {
        step->kind = CONVERSATION_WAITING;
    } else if (sscanf(text, "finish %63s", word) == 1 && take_side(step, word)) {
        step->kind = CONVERSATION_FINISH;
    } else if (sscanf(text, "%63s", word) == 1 && take_side(step, word)) {
        char *rest = NULL;

        step->kind = CONVERSATION_OCTETS;
        strtok_r(text, " ", &rest);
        char *source = strtok_r(NULL, " ", &rest);
        if (!source) {
            give_up(name, step->line, "says not what is sent");
        }
        take_source(name, step, source);
        for (char *change = strtok_r(NULL, " ", &rest); change; change = strtok_r(NULL, " ", &rest)) {
            take_change(name, step, change);
        }
    } else {
        give_up(name, step->line, "is none of the lines that the README knows");
    }
}

void conversation_read(const char *name, void (*visit)(void *context, const struct conversation_step *step),
                       void *context)
{
    static struct conversation_step step;
    char path[512], text[256];
    FILE *file;

    memset(&step, 0, sizeof step);
    snprintf(path, sizeof path, "%s/%s.txt", folder, name);
    file = fopen(path, "r");
    if (!file) {
        give_up(name, 0, "cannot be opened");
    }
    while (fgets(text, sizeof text, file)) {
        step.line++;
        text[strcspn(text, "#\n")] = 0;
        char *begin = text + strspn(text, " ");
        if (*begin && !take_setting(&step, begin)) {
            take_step(name, &step, begin);
            visit(context, &step);
        }
    }
    fclose(file);
}
