/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Conversations of two IMPI hosts written down as text (impi_play.h).
 */
#include "tests/unit/impi_play.h"

#include "tests/unit/tap.h"
#include "wire/octets/hex.h"

#include <stdlib.h>

enum { WORDS = 16 };

struct wire_impi_job play_job;
static struct wire_impi_job_host hosts[2];
static struct wire_impi_job_process processes[4];
struct wire_impi_pair play_pairs[PLAY_PAIRS];
struct wire_impi_request play_requests[PLAY_REQUESTS];
const struct wire_impi_limits play_limits = {.datalen = 10, .ackmark = 2, .hiwater = 3, .tagub = 32767};

void play_make_job(void)
{
    wire_impi_job_begin(&play_job, &(struct wire_impi_job_tables){hosts, 2, processes, 4});
    play_job.whole = true;
    play_job.size = 2;
    play_job.hosts = 2;
    play_job.processes = 4;
    hosts[1].client = 1;
    for (unsigned i = 0; i < 4; i++) {
        processes[i] =
            (struct wire_impi_job_process){.id = {.host = {[12] = 127, [15] = 1}, .pid = 100 + (int)i}, .host = i / 2};
    }
}

static const struct wire_message *type_named(const char *name)
{
    const struct wire_message *message = wire_impi_packet_named(name);

    return message ? message : wire_impi_packet_message(WIRE_IMPI_FINI);
}

/* A process by its letter: 0 to 3 of the job, x an outsider. */
static struct wire_impi_process process_named(char name)
{
    return name == 'x' ? (struct wire_impi_process){.pid = 666} : processes[(name - '0') & 3].id;
}

static void take_field(struct wire_impi_packet *packet, const char *word)
{
    const char *slash = strchr(word, '/');
    unsigned long long value = strtoull(word + 1, NULL, 0);

    switch (word[0]) {
    case 's':
        packet->srqid = value;
        break;
    case 'd':
        packet->drqid = value;
        break;
    case 'l':
        packet->len = (uint32_t)value;
        packet->msglen = slash ? strtoull(slash + 1, NULL, 0) : value;
        break;
    case 't':
        packet->tag = (int32_t)strtol(word + 1, NULL, 0);
        break;
    case 'c':
        packet->cid = value;
        break;
    case 'v':
        packet->reserved = value;
        break;
    case 'r':
        packet->lsrank = (int32_t)strtol(word + 1, NULL, 0);
        break;
    default:
        CHECK(false, "the test's own field %s", word);
    }
}

static struct wire_impi_packet packet_of(char **words, size_t count)
{
    struct wire_impi_packet packet = {.type = type_named(words[1])->operation};

    if (count > 2) {
        packet.src = process_named(words[2][0]);
        packet.dest = process_named(words[2][2]);
        packet.lsrank = words[2][0] == 'x' || !wire_impi_packet_has_data(packet.type) ? 0 : words[2][0] - '0';
    }
    for (size_t i = 3; i < count; i++) {
        if (words[i][0] != '=') {
            take_field(&packet, words[i]);
        }
    }
    return packet;
}

/* The data of the packet, in hexadecimal digits. */
static void give_data(struct wire_impi_channel *channel, enum wire_impi_side side, const char *digits)
{
    struct wire_hex hex = {.line = 1};
    unsigned char octets[32];
    size_t used = 0, made = 0;

    CHECK_EQ(wire_hex_feed(&hex, digits, strlen(digits), &used, octets, sizeof octets, &made), WIRE_OK,
             "the test's own");
    for (size_t i = 0; i < made; i++) {
        wire_impi_channel_data(channel, side, octets + i, 1);
    }
}

static void perform(struct wire_impi_channel *channel, char **words, size_t count, uint64_t mark)
{
    enum wire_impi_side side = words[0][0] == 'a' ? WIRE_IMPI_ACCEPTOR : WIRE_IMPI_CONNECTOR;
    struct wire_impi_packet packet;
    unsigned told;

    if (strcmp(words[1], "end") == 0) {
        told = wire_impi_channel_end(channel, side, count > 2);
    } else if (strcmp(words[1], "rank") == 0) {
        told = wire_impi_channel_rank(channel, (uint32_t)strtoul(words[2], NULL, 0));
    } else if (strcmp(words[1], "broken") == 0) {
        told = wire_impi_channel_broken(channel, side);
    } else if (strcmp(words[1], "gone") == 0) {
        wire_impi_channel_gone(channel);
        return;
    } else if (strcmp(words[1], "lacks") == 0) {
        wire_impi_channel_lacks(channel, side, true);
        return;
    } else {
        packet = packet_of(words, count);
        for (size_t i = 3; i < count; i++) {
            if (words[i][0] == '=') {
                give_data(channel, side, words[i] + 1);
            }
        }
        told = wire_impi_channel_packet(channel, side, &packet, mark);
    }
    CHECK_EQ(told, channel->findings.count, "the number of findings is returned");
}

static size_t split(char *line, char **words, size_t room)
{
    char *save = NULL;
    size_t count = 0;

    for (char *word = strtok_r(line, " ", &save); word && count < room; word = strtok_r(NULL, " ", &save)) {
        words[count++] = word;
    }
    return count;
}

static void compare(const struct wire_impi_findings *findings, const char *wanted, const char *line)
{
    char found[256] = "";
    size_t used = 0;

    for (unsigned i = 0; i < findings->count; i++) {
        used +=
            (size_t)snprintf(found + used, sizeof found - used, "%s%s", used ? " " : "", findings->at[i].rule->name);
    }
    CHECK_STR(found, wanted, line);
}

/* What stands behind the mark, which is cut off with all that follows it. */
static const char *cut(char *line, const char *mark)
{
    char *at = strstr(line, mark);

    if (at) {
        *at = 0;
    }
    return at ? at + strlen(mark) : "";
}

void play_lines(struct wire_impi_channel *channel, bool notes, const char *const *lines)
{
    for (uint64_t i = 0; lines[i]; i++) {
        char line[160];
        char *words[WORDS];

        snprintf(line, sizeof line, "%s", lines[i]);
        const char *noted = cut(line, " ? ");
        const char *wanted = cut(line, " ! ");
        perform(channel, words, split(line, words, WORDS), i + 1);
        compare(&channel->findings, wanted, lines[i]);
        if (notes) {
            compare(&channel->notes, noted, lines[i]);
        }
    }
}

void play_begin(struct wire_impi_channel *channel)
{
    wire_impi_channel_begin(channel,
                            &(struct wire_impi_channel_tables){play_pairs, PLAY_PAIRS, play_requests, PLAY_REQUESTS},
                            &play_limits);
    channel->job = &play_job;
    channel->hosts[WIRE_IMPI_ACCEPTOR] = 0;
    memset(hosts[1].peers, 0, sizeof hosts[1].peers); /* nothing is open from the conversation before */
}
