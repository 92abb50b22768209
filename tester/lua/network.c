/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Primitives for the Intercept network that a case plays (case.h, tester/peers/network.h). A case has one network;
 * cards of the system under test are their IUCAs to Lua, planes their numbers. tester/cases/lib/intercept is written on
 * them.
 */
#include "tester/lua/network.h"

#include "tester/base/clock.h"
#include "tester/lua/binding.h"
#include "tester/lua/frame.h"
#include "wire/intercept/frame.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 1024, QUIET_KINDS = 1 << WIRE_INTERCEPT_VDMA | 1 << WIRE_INTERCEPT_ACKNOWLEDGE };

/* core.network() -> "ADDRESS:PORT" of plane 0, and the port */
static int core_network(struct case_run *self, lua_State *lua)
{
    char message[256];

    if (self->network) {
        return binding_bad(lua, 0, "a case has one network");
    }
    self->network = network_new(self->sut->loop, self->sut->peer_address, message, sizeof message);
    if (!self->network) {
        judge_end_format(&self->judge, VERDICT_INCONCLUSIVE, "configuration", "%s", message);
        return 0;
    }
    self->network->evidence = self->evidence;
    self->network->checker = self->checker_intercept;
    lua_pushfstring(lua, "%s:%d", self->sut->peer_address, (int)network_port(self->network));
    lua_pushinteger(lua, network_port(self->network));
    return 2;
}

/* The cable that the arguments at `index` and behind it mean; NULL: there is none. */
static struct network_cable *find_cable(const struct case_run *self, lua_State *lua, int index)
{
    lua_Integer iuca = lua_tointeger(lua, index), plane = lua_tointeger(lua, index + 1);

    if (!self->network || iuca < 0 || iuca > UINT16_MAX || plane < 0 || plane >= NETWORK_PLANES) {
        return NULL;
    }
    return network_cable_of(self->network, (uint16_t)iuca, (unsigned)plane);
}

/* Tells of a frame, but of VDMA packets and acknowledgements, of which there are many: the capture has them. */
static void say(const struct case_run *self, unsigned plane, const void *octets, size_t len, bool sent)
{
    unsigned kind = len ? *(const unsigned char *)octets : 0;
    char text[TEXT_MAX], mark[32], label[40];

    if (kind < 8 && QUIET_KINDS >> kind & 1) {
        return;
    }
    lua_frame_describe(octets, len, text, sizeof text);
    snprintf(mark, sizeof mark, "plane %u %s", plane, sent ? "->" : "<-");
    snprintf(label, sizeof label, "%.*s", (int)strcspn(text, " "), text);
    evidence_say(self->evidence, mark, text);
    evidence_arrow(self->evidence, "wire", sent ? "network" : "system under test",
                   sent ? "system under test" : "network", label, text);
}

/* core.network_encode(frame) -> octets */
static int core_network_encode(struct case_run *self, lua_State *lua)
{
    (void)self;
    return lua_frame_encode(lua, 1) ? 1 : BINDING_ERROR;
}

/* core.network_decode(octets) -> frame */
static int core_network_decode(struct case_run *self, lua_State *lua)
{
    (void)self;
    size_t len;
    const char *octets = lua_tolstring(lua, 1, &len);

    lua_frame_push(lua, octets, len);
    return 1;
}

/* core.network_send(iuca, plane, octets, raw): over the link to that card: as a packet, of which the link sets sequence
 * and CRC, or `raw`, as it is */
static int core_network_send(struct case_run *self, lua_State *lua)
{
    struct network_cable *cable = find_cable(self, lua, 1);
    size_t len;
    const char *octets = lua_tolstring(lua, 3, &len);
    bool raw = lua_toboolean(lua, 4);

    if (!cable) {
        return binding_bad(lua, 1, "no such card has made itself known on that plane");
    }
    if (len > LINK_DATAGRAM_MAX || (!raw && len < WIRE_INTERCEPT_HEADER_OCTETS + WIRE_INTERCEPT_CRC_OCTETS)) {
        return binding_bad(lua, 3, "no frame has so many octets");
    }
    say(self, cable->plane->number, octets, len, true);
    if (raw) {
        network_transmit(cable, (const unsigned char *)octets, len);
    } else {
        link_send(&cable->link, (const unsigned char *)octets, len, clock_now_ms());
    }
    return 0;
}

static bool datagram_came(void *context)
{
    const struct network *network = context;

    return network->first != NULL;
}

/* core.network_take(ms) -> the next frame that has come, with `plane` and `card`; nil: none */
static int core_network_take(struct case_run *self, lua_State *lua)
{
    if (!self->network) {
        return binding_bad(lua, 0, "the case has no network");
    }
    (void)case_wait(self, datagram_came, self->network, lua_tointeger(lua, 1));
    struct network_datagram *datagram = self->judge.ended ? NULL : network_take(self->network);
    if (!datagram) {
        return 0;
    }
    say(self, datagram->plane, datagram->octets, datagram->len, false);
    lua_frame_push(lua, datagram->octets, datagram->len);
    lua_pushinteger(lua, datagram->plane);
    lua_setfield(lua, -2, "plane");
    lua_pushinteger(lua, datagram->iuca);
    lua_setfield(lua, -2, "card");
    free(datagram);
    return 1;
}

struct known_wait {
    const struct network *network;
    unsigned mask, cards;
    uint16_t iuca; /* of the last one that is known on all of these planes */
};

static bool cards_known(void *context)
{
    struct known_wait *wait = context;
    const struct network *network = wait->network;
    unsigned known = 0;

    for (unsigned p = 0; p < NETWORK_PLANES; p++) {
        for (unsigned i = 0; i < network->planes[p].cable_count; i++) {
            uint16_t iuca = network->planes[p].cables[i]->iuca;
            unsigned on = 0;

            for (unsigned plane = 0; plane < NETWORK_PLANES; plane++) {
                on |= network_cable_of(network, iuca, plane) ? 1U << plane : 0;
            }
            if ((on & wait->mask) == wait->mask && p == (unsigned)__builtin_ctz(wait->mask)) {
                known++;
                wait->iuca = iuca;
            }
        }
    }
    return known >= wait->cards;
}

/* core.network_known(mask, cards, ms) -> the IUCA of the last card of so many that have made themselves known on all
 * planes of the mask; or nil */
static int core_network_known(struct case_run *self, lua_State *lua)
{
    struct known_wait wait = {.network = self->network,
                              .mask = (unsigned)lua_tointeger(lua, 1) & WIRE_INTERCEPT_PLANES_ALL,
                              .cards = (unsigned)lua_tointeger(lua, 2)};

    if (!self->network || wait.mask == 0) {
        return binding_bad(lua, 1, "the case has no network, or the mask no plane");
    }
    if (!case_wait(self, cards_known, &wait, lua_tointeger(lua, 3))) {
        return 0;
    }
    lua_pushinteger(lua, wait.iuca);
    return 1;
}

/* core.network_rules(mask, acknowledges, repeats): whether the links of these planes, also those that are made later,
 * answer what comes, and send again what is not acknowledged */
static int core_network_rules(struct case_run *self, lua_State *lua)
{
    unsigned mask = (unsigned)lua_tointeger(lua, 1);
    bool acknowledges = lua_toboolean(lua, 2), repeats = lua_toboolean(lua, 3);

    for (unsigned p = 0; self->network && p < NETWORK_PLANES; p++) {
        struct network_plane *plane = &self->network->planes[p];

        if (!(mask >> p & 1)) {
            continue;
        }
        plane->acknowledges = acknowledges;
        plane->repeats = repeats;
        for (unsigned i = 0; i < plane->cable_count; i++) {
            plane->cables[i]->link.acknowledges = acknowledges;
            plane->cables[i]->link.repeats = repeats;
        }
    }
    return 0;
}

/* core.network_cut(mask): over these planes nothing comes and nothing leaves; over the others it does */
static int core_network_cut(struct case_run *self, lua_State *lua)
{
    unsigned mask = (unsigned)lua_tointeger(lua, 1);

    for (unsigned plane = 0; self->network && plane < NETWORK_PLANES; plane++) {
        self->network->planes[plane].is_cut = mask >> plane & 1;
    }
    evidence_say(self->evidence, "network", lua_pushfstring(lua, "planes that are cut: mask %d", (int)mask));
    return 0;
}

/* core.network_link(iuca, plane) -> {next=, expected=, outstanding=, again=, asked=}: sequences of the next packets in
 * both directions; ours that are not acknowledged; packets that came again; requests that came. nil: there is none */
static int core_network_link(struct case_run *self, lua_State *lua)
{
    const struct network_cable *cable = find_cable(self, lua, 1);

    if (!cable) {
        return 0;
    }
    const struct link_end *link = &cable->link;
    const struct {
        const char *name;
        lua_Integer value;
    } members[] = {{"next", link->next},
                   {"expected", link->expected},
                   {"outstanding", link_outstanding(link)},
                   {"again", link->again},
                   {"asked", link->asked}};
    lua_newtable(lua);
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        lua_pushinteger(lua, members[i].value);
        lua_setfield(lua, -2, members[i].name);
    }
    return 1;
}

/* core.network_sequence(iuca, plane, next or nil, expected or nil): sets what the link sends next, and what it expects,
 * for cases that have sent or answered by hand */
static int core_network_sequence(struct case_run *self, lua_State *lua)
{
    struct network_cable *cable = find_cable(self, lua, 1);

    if (!cable) {
        return binding_bad(lua, 1, "no such card has made itself known on that plane");
    }
    if (!lua_isnoneornil(lua, 3)) {
        cable->link.next = cable->link.oldest = (uint8_t)lua_tointeger(lua, 3);
    }
    if (!lua_isnoneornil(lua, 4)) {
        cable->link.expected = (uint8_t)lua_tointeger(lua, 4);
    }
    return 0;
}

/* core.network_strays(mask) -> how many packets have come over these planes while they were cut */
static int core_network_strays(struct case_run *self, lua_State *lua)
{
    unsigned mask = (unsigned)lua_tointeger(lua, 1), strays = 0;

    for (unsigned plane = 0; self->network && plane < NETWORK_PLANES; plane++) {
        strays += mask >> plane & 1 ? self->network->planes[plane].strays : 0;
    }
    lua_pushinteger(lua, strays);
    return 1;
}

static bool all_acknowledged(void *context)
{
    return network_outstanding(context) == 0;
}

/* core.network_settled(ms) -> whether all that links have sent is acknowledged */
static int core_network_settled(struct case_run *self, lua_State *lua)
{
    if (!self->network) {
        return binding_bad(lua, 0, "the case has no network");
    }
    bool settled = case_wait(self, all_acknowledged, self->network, lua_tointeger(lua, 1));

    lua_pushboolean(lua, settled);
    return 1;
}

void lua_network_register(lua_State *lua)
{
    static const struct binding bindings[] = {
        {"network", "", core_network},
        {"network_encode", "t", core_network_encode},
        {"network_decode", "s", core_network_decode},
        {"network_send", "iis.", core_network_send},
        {"network_take", "i", core_network_take},
        {"network_known", "iii", core_network_known},
        {"network_rules", "i..", core_network_rules},
        {"network_cut", "i", core_network_cut},
        {"network_link", "ii", core_network_link},
        {"network_sequence", "iii?i?", core_network_sequence},
        {"network_strays", "i", core_network_strays},
        {"network_settled", "i", core_network_settled},
        {NULL, NULL, NULL},
    };

    binding_register(lua, bindings);
}
