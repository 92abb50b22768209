/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The launch agent's coming and going (agent.h).
 */
#include "tester/engine/agent.h"

#include "tester/base/clock.h"
#include "tester/base/loop.h"
#include "tester/base/memory.h"
#include "tester/base/pairs.h"
#include "tester/sut/build.h"
#include "tester/sut/job.h"
#include "tester/sut/partner.h"
#include "tester/sut/registry.h"

#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { WAIT_MS = 120000, QUIT_MS = 3000 };

/* A file of the system under test. A run judges one system. */
static void take_build(struct engine_run *run, const char *words)
{
    char path[BUILD_PATH];

    if (!build_add(run->sut.build, words, path)) {
        sut_problem(&run->sut, "the file %.300s of the system under test has changed during the run: begin a new one",
                    path);
    }
}

static void on_agent_notice(void *context, const char *words)
{
    struct engine_run *run = context;
    char signal[16], why[64];

    if (strncmp(words, "build ", 6) == 0) {
        take_build(run, words);
        return;
    }
    if (strncmp(words, "leaving ", 8) != 0) {
        job_notice(&run->sut, &run->sut.agent, words);
        return;
    }
    pairs_value(words, "signal", signal, sizeof signal);
    snprintf(why, sizeof why, "somebody has ended it by %s", signal);
    dialogue_over(&run->sut.agent, DIALOGUE_EXITED, why);
}

static void attach(struct engine_run *run, struct registry_link *link)
{
    struct dialogue_events events = {.context = run, .notice = on_agent_notice};
    struct sockaddr_in local, remote;

    dialogue_open(&run->sut.agent, run->sut.loop, link, "agent", &events);
    session_addresses(run->sut.agent.session, &local, &remote);
    if (run->manager_address) {
        snprintf(run->sut.peer_address, sizeof run->sut.peer_address, "%s", run->manager_address);
    } else {
        inet_ntop(AF_INET, &local.sin_addr, run->sut.peer_address, sizeof run->sut.peer_address);
    }
    run->sut.agent_connected = true;
    dialogue_feed(&run->sut.agent);
}

void agent_send_away(struct registry_link *link)
{
    static const char refusal[] = "refuse reason=the%20run%20is%20over\n";
    char unread[4096];

    /* What is left unread, a hello at most, would have the connection broken before the agent reads why. */
    (void)!recv(link->fd, unread, sizeof unread, MSG_DONTWAIT);
    if (send(link->fd, refusal, sizeof refusal - 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
        shutdown(link->fd, SHUT_RDWR);
    }
    registry_link_close(link);
}

void agent_take_links(void *context, short revents)
{
    struct engine_run *run = context;
    struct registry_link link;
    unsigned tag;

    (void)revents;
    while (registry_box_take(run->sut.box, &tag, &link)) {
        if (tag == 0 && !run->sut.agent_connected) {
            attach(run, &link);
        } else if (tag == 0 && run->further_agent) {
            run->further_agent(run->lanes, &link);
        } else if (tag == 0 && run->early_count < LANES_MAX) {
            run->early[run->early_count++] = link;
        } else if (tag >= PARTNER_TAG) {
            partner_attach(run->partners, tag, &link);
        } else if (job_find(&run->sut, tag)) {
            job_attach(job_find(&run->sut, tag), &link);
        } else {
            registry_link_close(&link); /* its job ended meanwhile */
        }
    }
}

static bool is_ready(void *context)
{
    struct engine_run *run = context;

    return run->sut.agent_connected && run->sut.agent.state != DIALOGUE_GREETING;
}

bool agent_await(struct engine_run *run)
{
    unsigned wait_ms = run->agent_wait_ms ? run->agent_wait_ms : WAIT_MS;

    if (!sut_pump(&run->sut, is_ready, run, clock_now_ms() + wait_ms)) {
        if (run->sut.cancelled) {
            sut_problem(&run->sut, "%s", run->sut.cancelled);
        }
        sut_problem(&run->sut, "no launch agent connected within %u s", wait_ms / 1000);
        return false;
    }
    if (run->sut.agent.state != DIALOGUE_READY) {
        sut_problem(&run->sut, "the launch agent: %s", run->sut.agent.why);
        return false;
    }
    return true;
}

static bool has_answer(void *context)
{
    const struct dialogue_command *command = context;

    return command->reply != NULL;
}

bool agent_ask(struct engine_run *run, const char *text, unsigned ms, char *answer, size_t answer_octets)
{
    uint32_t id = dialogue_send(&run->sut.agent, ms, NULL, text, NULL, 0);
    struct dialogue_command *command = dialogue_find(&run->sut.agent, id);
    bool answered = command && sut_pump(&run->sut, has_answer, command, clock_now_ms() + ms);

    snprintf(answer, answer_octets, "%s", answered ? command->reply : "no answer");
    dialogue_forget(&run->sut.agent, id);
    return strncmp(answer, "ok", 2) == 0;
}

static bool has_left(void *context)
{
    struct engine_run *run = context;

    return run->sut.agent.state == DIALOGUE_GONE;
}

/* The agent's last command; older agents refuse one that tells the outcome beside the verdict. */
static void word_quit(const struct engine_run *run, const struct outcome *outcome, char *text, size_t room)
{
    char features[64];

    pairs_value(run->sut.agent.hello, "features", features, sizeof features);
    if (pairs_list_has(features, "outcome")) {
        snprintf(text, room, "quit verdict=%s outcome=%s", outcome->verdict, outcome->name);
    } else {
        snprintf(text, room, "quit verdict=%s", outcome->verdict);
    }
}

/* Lets the agent end by itself, with the verdict as its exit status. */
void agent_dismiss(struct engine_run *run, const struct outcome *outcome)
{
    char text[128];

    if (!run->sut.agent_connected) {
        return;
    }
    if (outcome && run->sut.agent.end == DIALOGUE_OPEN) {
        word_quit(run, outcome, text, sizeof text);
        dialogue_send(&run->sut.agent, QUIT_MS, NULL, text, NULL, 0);
        for (int64_t late = clock_now_ms() + QUIT_MS; !has_left(run) && clock_now_ms() < late;) {
            loop_turn(run->sut.loop, 100);
        }
    }
    dialogue_close(&run->sut.agent);
    run->sut.agent_connected = false;
}

bool agent_accept(struct engine_run *run)
{
    static const struct outcome_facts other = {.problem = "another command template than before"};
    size_t room = strlen(run->sut.agent.hello) + 1; /* no value is longer than all of them */
    char *template = memory_zero(room), *server = memory_zero(room);
    struct outcome outcome;

    pairs_value(run->sut.agent.hello, "template", template, room);
    pairs_value(run->sut.agent.hello, "server", server, room);
    char *templates = memory_format("%s%s%s", template, *server ? "\n" : "", server);
    bool good = !run->observer.agent || run->observer.agent(run->observer.context, templates);
    if (!good) {
        sut_note(&run->sut, "warning", "a launch agent with another command template was sent away: %.500s", template);
        outcome_decide(&other, &outcome);
        agent_dismiss(run, &outcome);
    }
    free(templates);
    free(server);
    free(template);
    return good;
}
