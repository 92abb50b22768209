/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Credits: see credits.h.
 */
#include "ref-impl/gasnet/messages/credits.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "ref-impl/gasnet/base/fatal.h"
#include "ref-impl/gasnet/base/nodes.h"
#include "ref-impl/gasnet/base/settings.h"
#include "ref-impl/gasnet/base/system.h"

enum { EPOCH_ENDS = 0x80, MOST_GIVEN = 7, MOST_USED = 15 };

/* What one node and this one have lent each other. */
struct account {
    /* as borrower */
    uint64_t held, available; /* lent to this node; of these, not used by requests under way */
    uint64_t peak, recent;    /* most that were in use at once: in this epoch, and before, decaying */
    bool lacked;
    /* as lender */
    uint64_t lent;
    uint64_t given; /* beyond the first, in this epoch */
    bool active;    /* has sent in this epoch */
    bool due;       /* is to be told, in a reply, that the epoch has ended */
    bool asked;     /* has been told and has not answered */
    /* statistics */
    uint64_t requests, served, stalls, got, returned;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards all of these */
static struct account *accounts;
static uint64_t bank, bank_full, first_lent, served_in_epoch;

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- what there is ----------------------------------------------------------------------------------------------- */

/* One buffer may wait to be used again, and of each the last chunk may not be reached: those are not counted. */
static uint64_t credits_in(uint64_t chunks_in_buffer) //= GASN-149
{
    return (uint64_t)(RECEIVE_BUFFERS - 1) * (chunks_in_buffer - 1) * CREDITS_IN_CHUNK;
}

bool credits_plan(uint32_t nodes, struct credits_plan *plan) //= GASN-130 GASN-149 GASN-150
{
    const struct settings *settings = settings_get();
    uint64_t per_chunks = (uint64_t)(RECEIVE_BUFFERS - 1) * CREDITS_IN_CHUNK;

    plan->banked = settings->dynamic ? settings->credits_banked : 0;
    plan->each = smaller(settings->credits_each, settings->credits_most);
    if (settings->receive_octets == 0) {
        plan->chunks_in_buffer = (plan->each * nodes + plan->banked + per_chunks - 1) / per_chunks + 1;
    } else {
        plan->chunks_in_buffer = larger(settings->receive_octets / CHUNK_OCTETS / RECEIVE_BUFFERS, 1);
    }
    plan->total = credits_in(plan->chunks_in_buffer);
    if (plan->total < (uint64_t)CREDITS_LEAST * nodes) {
        (void)fprintf(stderr,
                      "gasnet: GASNET_PORTAL_AMRECV_SPACE=%" PRIu64 " gives %" PRIu64
                      " credits, and %u nodes need %" PRIu64 "\n",
                      settings->receive_octets, plan->total, nodes, (uint64_t)CREDITS_LEAST * nodes);
        return false;
    }
    plan->each = smaller(plan->each, plan->total / nodes);
    plan->banked = settings->dynamic ? smaller(plan->banked, plan->total - plan->each * nodes) : 0;
    return true;
}

static void take_return(uint32_t node, uint32_t count);
static void take_revoke(uint32_t node, uint32_t unused);

void credits_open(const struct credits_plan *plan)
{
    accounts = calloc(nodes_count(), sizeof(*accounts));
    if (!accounts) {
        fatal_end("no memory for the credits of %u nodes", nodes_count());
    }
    bank = bank_full = plan->banked;
    first_lent = plan->each;
    for (uint32_t i = 0; i < nodes_count(); i++) {
        accounts[i].lent = plan->each;
    }
    system_take(SYSTEM_RETURN, take_return);
    system_take(SYSTEM_REVOKE, take_revoke);
}

void credits_lent_by(uint32_t node, uint64_t credits)
{
    accounts[node].held = accounts[node].available = credits;
}

/* ---- the borrower ------------------------------------------------------------------------------------------------ */

uint32_t credits_of(uint64_t octets) //= GASN-141 GASN-142
{
    return octets <= CREDIT_OCTETS ? 1 : (uint32_t)((octets + CREDIT_OCTETS - 1) / CREDIT_OCTETS);
}

bool credits_take(uint32_t node, uint32_t count, uint8_t *octet) //= GASN-124 GASN-138 GASN-140 GASN-148 GASN-153
{
    struct account *account = &accounts[node];
    bool enough;

    *octet = 0;
    if (!settings_get()->flow_control) {
        return true;
    }
    pthread_mutex_lock(&lock);
    enough = account->available >= count;
    if (enough) {
        account->available -= count;
        account->peak = larger(account->peak, account->held - account->available);
        account->requests++;
        *octet = (uint8_t)(count | (account->lacked ? MOST_GIVEN << 4 : 0));
        account->lacked = false;
    } else if (!account->lacked) {
        account->lacked = true;
        account->stalls++;
    }
    pthread_mutex_unlock(&lock);
    return enough;
}

void credits_untake(uint32_t node, uint32_t count)
{
    if (settings_get()->flow_control) {
        pthread_mutex_lock(&lock);
        accounts[node].available += count;
        pthread_mutex_unlock(&lock);
    }
}

/* Gives back what was not in use at once lately. Lock held. */
static void give_back(uint32_t node) //= GASN-151 GASN-152
{
    struct account *account = &accounts[node];
    uint64_t keep = larger(larger(account->peak, account->recent), CREDITS_LEAST);
    uint64_t count = account->held > keep ? smaller(account->held - keep, account->available) : 0;

    account->held -= count;
    account->available -= count;
    account->returned += count;
    account->recent = larger(account->peak, account->recent / 4);
    account->peak = account->held - account->available;
    system_send(node, SYSTEM_RETURN, (uint32_t)count);
}

void credits_returned(uint32_t node, uint8_t octet)
{
    struct account *account = &accounts[node];
    uint64_t given = octet >> 4 & MOST_GIVEN;

    if (!settings_get()->flow_control) {
        return;
    }
    pthread_mutex_lock(&lock);
    account->available += given + (octet & MOST_USED);
    account->held += given;
    account->got += given;
    if (account->available > account->held) {
        fatal_end("node %u returns more credits than it has lent", node);
    }
    if (octet & EPOCH_ENDS) {
        give_back(node);
    }
    pthread_mutex_unlock(&lock);
}

static void take_revoke(uint32_t node, uint32_t unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    give_back(node);
    pthread_mutex_unlock(&lock);
}

/* ---- the lender -------------------------------------------------------------------------------------------------- */

static void take_return(uint32_t node, uint32_t count)
{
    struct account *account = &accounts[node];

    pthread_mutex_lock(&lock);
    if (!account->asked || count > account->lent - smaller(account->lent, CREDITS_LEAST)) {
        fatal_end("node %u gives back %u credits of %" PRIu64, node, count, account->lent);
    }
    account->asked = false;
    account->lent -= count;
    bank += count;
    pthread_mutex_unlock(&lock);
}

/* Asks back what is not used, where the bank is low. Lock held. */
static void end_epoch(void) //= GASN-123 GASN-151
{
    const bool low = bank < bank_full / 2 + 1;

    served_in_epoch = 0;
    for (uint32_t i = 0; i < nodes_count(); i++) {
        struct account *account = &accounts[i];

        if (low && account->lent > CREDITS_LEAST && !account->asked) {
            account->asked = true;
            account->due = account->active;
            if (!account->active) {
                system_send(i, SYSTEM_REVOKE, 0); //= GASN-079
            }
        }
        account->active = false;
        account->given = 0;
    }
}

/* What the bank gives to one that lacked credits. Lock held. */
static uint64_t grant(struct account *account, uint64_t wanted) //= GASN-126 GASN-139
{
    const uint64_t most = settings_get()->credits_most;
    uint64_t count = smaller(smaller(wanted, bank), most - smaller(most, account->lent));

    count = smaller(count, first_lent - smaller(first_lent, account->given));
    bank -= count;
    account->lent += count;
    account->given += count;
    return count;
}

uint8_t credits_serve(uint32_t node, uint8_t octet)
{
    struct account *account = &accounts[node];
    uint64_t given = 0;
    uint8_t ends = 0;

    if (!settings_get()->flow_control) {
        return 0;
    }
    pthread_mutex_lock(&lock);
    account->served++;
    if (settings_get()->dynamic) { //= GASN-125
        account->active = true;
        given = grant(account, octet >> 4 & MOST_GIVEN);
        ends = account->due ? EPOCH_ENDS : 0;
        account->due = false;
        if (++served_in_epoch >= settings_get()->epoch) {
            end_epoch();
        }
    }
    pthread_mutex_unlock(&lock);
    return (uint8_t)(ends | given << 4 | (octet & MOST_USED));
}

/* ---- statistics -------------------------------------------------------------------------------------------------- */

void credits_write(void) //= GASN-117
{
    char name[64];
    FILE *file;

    if (!settings_get()->statistics) {
        return;
    }
    (void)snprintf(name, sizeof(name), "gasnet-credits.%u", nodes_self());
    file = fopen(name, "w");
    if (!file) {
        (void)fprintf(stderr, "gasnet: %s cannot be written\n", name);
        return;
    }
    (void)fprintf(file, "# node held lent requests stalls got returned served; bank %" PRIu64 "\n", bank);
    for (uint32_t i = 0; i < nodes_count(); i++) {
        const struct account *a = &accounts[i];

        (void)fprintf(file, "%u %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
                      i, a->held, a->lent, a->requests, a->stalls, a->got, a->returned, a->served);
    }
    (void)fclose(file);
}
