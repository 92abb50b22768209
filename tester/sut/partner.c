/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Partners of a run (partner.h): where their programs are, their agents' life. The judge shares no code with them: they
 * are programs like those of the system under test, started in the same way.
 */
#include "tester/sut/partner.h"

#include "tester/base/clock.h"
#include "tester/base/memory.h"
#include "tester/base/pairs.h"
#include "tester/base/place.h"
#include "tester/sut/job.h"
#include "tester/sut/launch.h"
#include "tester/sut/listener.h"
#include "tester/sut/sut.h"

#include <sodium/randombytes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_ROOM = 4096, WORDS = 12, AGENT_WAIT_MS = 30000, QUIT_MS = 3000, TOKEN_OCTETS = 24, TOKEN_ROOM = 129 };

static const char *const names[PARTNER_COUNT] = {"client", "server"};

/* One partner's agent. */
struct partner_agent {
    struct sut *sut;
    struct launch launch;
    struct dialogue dialogue;
    bool attached;
    bool guest; /* nobody starts it here */
    char token[TOKEN_ROOM];
};

struct partners {
    struct sut *sut;
    char folder[PATH_ROOM]; /* of the reference's programs */
    char lacks[PATH_ROOM + 128];
    struct listener *listener; /* at which the agents connect */
    struct partner_agent agents[PARTNER_COUNT];
};

enum partner partner_named(const char *name)
{
    enum partner which = PARTNER_CLIENT;

    while (which < PARTNER_COUNT && strcmp(names[which], name) != 0) {
        which++;
    }
    return which;
}

/* Looks whether the folder has the programs that the templates below name. */
static void look_for_programs(struct partners *partners)
{
    static const char *const programs[] = {"impirun", "interp-mpi"};

    for (size_t i = 0; i < sizeof programs / sizeof programs[0] && !*partners->lacks; i++) {
        char *path = memory_format("%s/%s", partners->folder, programs[i]);

        if (access(path, X_OK) != 0) {
            snprintf(partners->lacks, sizeof partners->lacks,
                     "the case needs the reference, but there is no program %s in %s", programs[i], partners->folder);
        }
        free(path);
    }
}

struct partners *partner_open_all(struct sut *sut, const char *reference, const char *guest_token)
{
    struct partners *partners = memory_zero(sizeof *partners);

    partners->sut = sut;
    if (reference) {
        snprintf(partners->folder, sizeof partners->folder, "%s", reference);
    } else if (!place_own_folder(partners->folder, sizeof partners->folder)) {
        snprintf(partners->folder, sizeof partners->folder, ".");
    }
    look_for_programs(partners);
    if (guest_token) {
        struct partner_agent *guest = &partners->agents[PARTNER_CLIENT];

        guest->guest = true;
        snprintf(guest->token, sizeof guest->token, "%s", guest_token);
        registry_add(sut->box, guest->token, PARTNER_TAG + PARTNER_CLIENT, 1);
    }
    return partners;
}

const char *partner_lacks(const struct partners *partners)
{
    return *partners->lacks ? partners->lacks : NULL;
}

/* ---- starting an agent ------------------------------------------------------------------------------------------- */

/* The agent's command template: an array that ends with NULL; array and texts are freed by template_free. */
static char **template_new(const struct partners *partners, enum partner which)
{
    static const char *const words[][WORDS] = {
        [PARTNER_CLIENT] = {"%s/impirun", "-client", "{client}", "{server}", "-np", "{np}", "-hosts", "{hosts}",
                            "%s/interp-mpi", "{args}"},
        [PARTNER_SERVER] = {"%s/impirun", "-server", "{clients}", "{options}"},
    };
    char **template = memory_zero((WORDS + 1) * sizeof(char *));

    for (size_t i = 0; words[which][i]; i++) {
        bool program = strncmp(words[which][i], "%s", 2) == 0;

        template[i] =
            program ? memory_format("%s%s", partners->folder, words[which][i] + 2) : memory_text(words[which][i]);
    }
    return template;
}

static void template_free(char **template)
{
    for (char **at = template; *at; at++) {
        free(*at);
    }
    free(template);
}

static bool agent_ready(void *context)
{
    struct partner_agent *agent = context;

    return agent->attached && agent->dialogue.state != DIALOGUE_GREETING;
}

static bool agent_start(struct partners *partners, enum partner which, char *message, size_t message_octets)
{
    struct partner_agent *agent = &partners->agents[which];
    unsigned char chance[TOKEN_OCTETS];

    if (!partners->listener) {
        partners->listener = listener_open(partners->sut->loop, "127.0.0.1:0", message, message_octets);
    }
    if (!partners->listener) {
        return false;
    }
    randombytes_buf(chance, sizeof chance);
    for (size_t i = 0; i < sizeof chance; i++) {
        snprintf(agent->token + 2 * i, 3, "%02x", chance[i]);
    }
    registry_add(partners->sut->box, agent->token, PARTNER_TAG + which, 1);
    char **template = template_new(partners, which);
    bool good =
        launch_agent(&agent->launch,
                     &(struct launch_order){
                         .address = listener_address(partners->listener), .token = agent->token, .template = template},
                     message, message_octets);
    template_free(template);
    return good;
}

/* ---- a guest ----------------------------------------------------------------------------------------------------- */

bool partner_is_guest(const struct partners *partners, enum partner which)
{
    return partners->agents[which].guest;
}

/* A guest's agent that was lost may come again, by the same token. */
static void guest_renew(struct partners *partners, struct partner_agent *agent)
{
    if (agent->attached && agent->dialogue.state == DIALOGUE_GONE) {
        dialogue_close(&agent->dialogue);
        agent->attached = false;
        registry_retire(agent->token);
        registry_add(partners->sut->box, agent->token, PARTNER_TAG + PARTNER_CLIENT, 1);
    }
}

static bool guest_can_take_part(const struct partner_agent *agent, char *message, size_t message_octets)
{
    if (!agent->attached || agent->dialogue.state != DIALOGUE_READY) {
        snprintf(message, message_octets, "the guest's launch agent is not there%s%s",
                 agent->attached && agent->dialogue.why ? ": " : "",
                 agent->attached && agent->dialogue.why ? agent->dialogue.why : "");
        return false;
    }
    size_t room = strlen(agent->dialogue.hello) + 1;
    char *template = memory_zero(room);
    pairs_value(agent->dialogue.hello, "template", template, room);
    bool good = strstr(template, "{client}") != NULL;
    free(template);
    if (!good) {
        snprintf(message, message_octets,
                 "the guest's command template has no {client}: it cannot start an IMPI client");
    }
    return good;
}

bool partner_await_guest(struct partners *partners, int64_t ms, char *message, size_t message_octets)
{
    struct partner_agent *agent = &partners->agents[PARTNER_CLIENT];

    if (!agent->guest) {
        return true;
    }
    guest_renew(partners, agent);
    sut_pump(partners->sut, agent_ready, agent, clock_now_ms() + ms);
    return guest_can_take_part(agent, message, message_octets);
}

struct dialogue *partner_agent(struct partners *partners, enum partner which, char *message, size_t message_octets)
{
    struct partner_agent *agent = &partners->agents[which];

    if (agent->guest) {
        return partner_await_guest(partners, AGENT_WAIT_MS, message, message_octets) ? &agent->dialogue : NULL;
    }

    if (*partners->lacks) {
        snprintf(message, message_octets, "%s", partners->lacks);
        return NULL;
    }
    if (!agent->launch.pid && !agent_start(partners, which, message, message_octets)) {
        return NULL;
    }
    sut_pump(partners->sut, agent_ready, agent, clock_now_ms() + AGENT_WAIT_MS);
    if (!agent->attached || agent->dialogue.state != DIALOGUE_READY) {
        snprintf(message, message_octets, "the launch agent of the %s beside the system under test: %s", names[which],
                 agent->attached && agent->dialogue.why ? agent->dialogue.why : "it does not connect");
        return NULL;
    }
    return &agent->dialogue;
}

/* ---- its connection, its end ------------------------------------------------------------------------------------- */

static void on_notice(void *context, const char *words)
{
    struct partner_agent *agent = context;

    job_notice(agent->sut, &agent->dialogue, words);
}

void partner_attach(struct partners *partners, unsigned tag, struct registry_link *link)
{
    struct partner_agent *agent = &partners->agents[tag - PARTNER_TAG];
    struct dialogue_events events = {.context = agent, .notice = on_notice};

    dialogue_open(&agent->dialogue, partners->sut->loop, link, "agent", &events);
    agent->sut = partners->sut;
    agent->attached = true;
    if (agent->guest) {
        sut_note(partners->sut, "guest-connected", "the guest's launch agent is there");
    }
    dialogue_feed(&agent->dialogue);
}

/* Lets the agent end by itself; a run that was cancelled waits for it too. */
static void agent_dismiss(struct loop *loop, struct partner_agent *agent, bool over)
{
    if ((over || !agent->guest) && agent->dialogue.state == DIALOGUE_READY) {
        dialogue_send(&agent->dialogue, QUIT_MS, NULL, "quit", NULL, 0);
        for (int64_t late = clock_now_ms() + QUIT_MS;
             agent->dialogue.state != DIALOGUE_GONE && clock_now_ms() < late;) {
            loop_turn(loop, 100);
        }
    }
    dialogue_close(&agent->dialogue);
}

void partner_close_all(struct partners *partners, bool over)
{
    for (size_t i = 0; partners && i < PARTNER_COUNT; i++) {
        struct partner_agent *agent = &partners->agents[i];

        if (agent->attached) {
            agent_dismiss(partners->sut->loop, agent, over);
        }
        if (agent->token[0]) {
            registry_retire(agent->token);
        }
        if (agent->launch.pid) {
            launch_stop(&agent->launch, partners->sut->loop, agent->attached);
        }
    }
    if (partners && partners->listener) {
        listener_close(partners->listener);
    }
    free(partners);
}
