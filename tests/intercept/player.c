/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Drivers with a Portals of the test above them; see player.h. In the place of the Portals header stands the number of
 * the message.
 */
#include "tests/intercept/player.h"

#include <stdlib.h>
#include <string.h>

enum { GUARD = 8192, VNIC = 1 };

static struct player_message *message_find(struct player *player, uint32_t to, const struct intercept_arrival *arrival)
{
    uint32_t number = PLAYER_MESSAGES;

    if (arrival->header) {
        memcpy(&number, arrival->header, sizeof number);
    }
    for (unsigned i = 0; !arrival->header && i < player->count; i++) {
        const struct player_message *message = &player->messages[i];

        if (message->send.vnic == 0 && message->source == arrival->source && message->send.destination == to &&
            message->begun == 0) {
            number = i;
            break;
        }
    }
    return number < player->count ? &player->messages[number] : NULL;
}

static void play_parse(void *portals, const struct intercept_arrival *arrival, struct intercept_wanted *wanted)
{
    struct player_node *self = portals;
    struct player *player = self->player;
    struct player_message *message = message_find(player, self->number, arrival);

    if (!message || message->source != arrival->source || (!arrival->header && player->refuses_puts)) {
        return;
    }
    unsigned number = (unsigned)(message - player->messages) + 1;
    unsigned *last = &player->last_begun[self->number][message->source];

    message->begun++;
    if (arrival->header) {
        player->disordered += number <= *last;
        *last = number;
    }
    wanted->rlength = message->send.length;
    wanted->mlength = message->mlength;
    wanted->memory = message->memory;
    wanted->token = message;
}

static void play_receive(void *portals, void *token, uint64_t offset, const unsigned char *octets, size_t len)
{
    struct player_message *message = token;

    (void)portals;
    memcpy(message->memory + offset, octets, len);
}

static void play_finalize(void *portals, void *token, bool complete)
{
    struct player_message *message = token;

    (void)portals;
    message->finalized++;
    message->finalized_well = complete;
}

static void play_sent(void *portals, struct intercept_send *send, bool complete)
{
    struct player_message *message = (struct player_message *)(void *)send; /* its first member */

    (void)portals;
    message->sent++;
    message->sent_well = complete;
}

static const struct intercept_library library = {
    .parse = play_parse, .receive = play_receive, .finalize = play_finalize, .sent = play_sent};

static void host_run(void *context, uint32_t number, uint64_t now_ns)
{
    const struct player_node *self = context;

    intercept_node_turn(&self->player->node[number], now_ns);
}

static void host_write(void *context, void *token, unsigned char *to, const unsigned char *octets, size_t len)
{
    const struct player_node *self = context;

    intercept_node_write(&self->player->node[self->number], token, to, octets, len);
}

static void host_sent(void *context, void *cookie)
{
    const struct player_node *self = context;

    intercept_node_slice_sent(&self->player->node[self->number], cookie);
    intercept_simulation_wake(self->player->simulation, self->number);
}

bool player_begin(struct player *player, const struct intercept_setup *setup)
{
    memset(player, 0, sizeof *player);
    player->nodes = setup->nodes;
    player->simulation = intercept_simulation_new(setup);
    player->messages = calloc(PLAYER_MESSAGES, sizeof *player->messages);
    for (uint32_t number = 0; player->simulation && player->messages && number < setup->nodes; number++) {
        struct intercept_nic *nic = intercept_simulation_nic(player->simulation, number);
        struct intercept_host host = {host_run, host_write, host_sent, &player->self[number]};

        player->self[number] = (struct player_node){player, number};
        intercept_simulation_host(player->simulation, number, &host);
        if (!intercept_node_begin(&player->node[number], nic, (uint16_t)(100 + number), &library,
                                  &player->self[number]) ||
            !intercept_nic_open(nic, VNIC, ICPT_RX_OCTETS_MIN, ICPT_INTERRUPT_ALL)) {
            return false;
        }
    }
    return player->simulation && player->messages;
}

void player_end(struct player *player)
{
    for (uint32_t number = 0; number < player->nodes; number++) {
        intercept_node_end(&player->node[number]);
    }
    for (unsigned i = 0; i < player->count; i++) {
        free(player->messages[i].data);
        free(player->messages[i].room);
    }
    free(player->messages);
    intercept_simulation_free(player->simulation);
}

struct player_message *player_send_at(struct player *player, uint16_t ends[2], uint8_t vnic, uint64_t lengths[2],
                                      unsigned offsets[2])
{
    struct player_message *message = &player->messages[player->count];
    uint64_t seed = player->count * UINT64_C(77);

    message->data = aligned_alloc(4096, (lengths[0] + offsets[0]) / 4096 * 4096 + 4096);
    message->room = aligned_alloc(4096, (lengths[0] + offsets[1] + 2 * (uint64_t)GUARD) / 4096 * 4096 + 4096);
    memset(message->room, 0xa5, lengths[0] + offsets[1] + 2 * (size_t)GUARD);
    for (uint64_t i = 0; i < lengths[0]; i++) {
        uint64_t next = i % 8 ? seed >> i % 8 * 8 : intercept_faults_random(&seed);

        message->data[offsets[0] + i] = (unsigned char)next;
    }
    message->memory = message->room + GUARD + offsets[1];
    message->source = ends[0];
    message->mlength = lengths[1];
    message->send = (struct intercept_send){
        .destination = ends[1], .vnic = vnic, .data = message->data + offsets[0], .length = lengths[0]};
    memcpy(message->send.header, &player->count, sizeof player->count);
    player->count++;
    (void)intercept_node_send(&player->node[ends[0]], &message->send);
    intercept_simulation_wake(player->simulation, ends[0]);
    return message;
}

struct player_message *player_send(struct player *player, uint32_t from, uint32_t to, uint64_t length, uint64_t mlength)
{
    return player_send_at(player, (uint16_t[]){(uint16_t)from, (uint16_t)to}, VNIC, (uint64_t[]){length, mlength},
                          (unsigned[]){0, 0});
}

bool player_is_good(const struct player_message *message)
{
    uint64_t behind = GUARD + message->send.length - message->mlength;

    for (uint64_t i = 1; i <= GUARD; i++) {
        if (message->memory[-(ptrdiff_t)i] != 0xa5) {
            return false;
        }
    }
    for (uint64_t i = 0; i < behind; i++) {
        if (message->memory[message->mlength + i] != 0xa5) {
            return false;
        }
    }
    return message->begun == 1 && message->finalized == 1 && message->finalized_well && message->sent == 1 &&
           message->sent_well && memcmp(message->memory, message->send.data, message->mlength) == 0;
}

bool player_run(struct player *player)
{
    bool good = intercept_simulation_run(player->simulation, UINT64_MAX) && player->disordered == 0;

    for (unsigned i = 0; i < player->count; i++) {
        good = good && player_is_good(&player->messages[i]);
    }
    for (uint32_t number = 0; number < player->nodes; number++) {
        good = good && intercept_node_idle(&player->node[number]);
    }
    return good;
}
