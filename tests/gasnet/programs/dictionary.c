/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A dictionary that is spread over the nodes: who owns a word's hash keeps its count. Words go there as medium
 * requests, and questions are answered by medium replies. As a user of GASNet would write it.
 */
#define GASNET_SEQ 1
#include <gasnet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gasnet/programs/must.h"

enum { SLOTS = 4096, WORD = 24, COUNT_WORD = 128, COUNTED, ASK, ANSWER, EACH = 500 };

static struct {
    char word[WORD];
    int count;
} slots[SLOTS];

static int outstanding, answer;

static unsigned hash(const char *word)
{
    unsigned value = 5381;

    while (*word) {
        value = value * 33 + (unsigned char)*word++;
    }
    return value;
}

static int *slot_of(const char *word)
{
    unsigned at = hash(word) / gasnet_nodes() % SLOTS;

    while (slots[at].count > 0 && strcmp(slots[at].word, word)) {
        at = (at + 1) % SLOTS;
    }
    strcpy(slots[at].word, word);
    return &slots[at].count;
}

static void count_word(gasnet_token_t token, void *word, size_t octets)
{
    HOLDS(octets <= WORD && strlen(word) == octets - 1);
    ++*slot_of(word);
    MUST(gasnet_AMReplyShort0(token, COUNTED));
}

static void counted(gasnet_token_t token)
{
    (void)token;
    outstanding--;
}

static void ask(gasnet_token_t token, void *word, size_t octets)
{
    MUST(gasnet_AMReplyMedium1(token, ANSWER, word, octets, *slot_of(word)));
}

static void take_answer(gasnet_token_t token, void *word, size_t octets, gasnet_handlerarg_t count)
{
    (void)token;
    HOLDS(strlen(word) == octets - 1);
    answer = count;
}

static void name(char *word, int number)
{
    snprintf(word, WORD, "word-%d", number);
}

static void send(int number)
{
    char word[WORD];

    name(word, number);
    outstanding++;
    MUST(gasnet_AMRequestMedium0(hash(word) % gasnet_nodes(), COUNT_WORD, word, strlen(word) + 1));
}

int main(int argc, char **argv)
{
    gasnet_handlerentry_t table[] = {{COUNT_WORD, (void (*)())count_word},
                                     {COUNTED, (void (*)())counted},
                                     {ASK, (void (*)())ask},
                                     {ANSWER, (void (*)())take_answer}};
    char word[WORD];

    MUST(gasnet_init(&argc, &argv));
    MUST(gasnet_attach(table, 4, 0, 0));
    barrier_all();
    for (int i = 0; i < EACH; i++) {
        send(i);
        if (i % 7 == 0) {
            send(i);
        }
    }
    GASNET_BLOCKUNTIL(outstanding == 0);
    barrier_all();
    for (int i = (int)gasnet_mynode(); i < EACH; i += 17) {
        name(word, i);
        answer = -1;
        MUST(gasnet_AMRequestMedium0(hash(word) % gasnet_nodes(), ASK, word, strlen(word) + 1));
        GASNET_BLOCKUNTIL(answer >= 0);
        HOLDS(answer == (int)gasnet_nodes() * (i % 7 == 0 ? 2 : 1));
    }
    barrier_all();
    if (gasnet_mynode() == 0) {
        printf("right\n");
        fflush(stdout);
    }
    barrier_all();
    gasnet_exit(0);
}
