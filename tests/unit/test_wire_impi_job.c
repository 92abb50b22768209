/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checker of IMPI start-up, by conversations written down as text: each line is what one side says on a connection,
 * and behind an exclamation mark stands what must be found in it.
 *
 *     0c COLL 1100 3 ! label-order        connection 0, the client (s: the server); label in hexadecimal, values
 *     0s COLL 1100/3 3 2                  from the server: label / client mask, values
 *     0c AUTH 1, 0s CHOICE 0 0, 0c IMPI 0, 0s IMPI 2, 0c DONE, 0c FINI, 0c =0011, 0c end, 0c end inside, 0c missed
 *
 * A value is a number of the label's width, or octets behind an equals sign. "1c good" stands for all that a client of
 * one host with two processes says until DONE, with the first value for the labels that follow it.
 */
#include "tests/unit/tap.h"
#include "wire/impi/check_job.h"
#include "wire/impi/labels.h"
#include "wire/octets/cursor.h"
#include "wire/octets/hex.h"

#include <stdlib.h>

enum { LINKS = 3, WORDS = 32, OCTETS_MAX = 1024, HOSTS = 8, PROCESSES = 32 };

/* Everything of one conversation. */
static struct wire_impi_job job;
static struct wire_impi_job_host hosts[HOSTS];
static struct wire_impi_job_process processes[PROCESSES];
static struct wire_impi_link links[LINKS];
static struct wire_impi_startup streams[LINKS][2];
static char found[512];

static void begin(uint32_t host_room, uint32_t process_room)
{
    wire_impi_job_begin(&job, &(struct wire_impi_job_tables){hosts, host_room, processes, process_room});
    for (int i = 0; i < LINKS; i++) {
        wire_impi_link_begin(&links[i], &job);
        streams[i][0] = wire_impi_startup_begin(WIRE_IMPI_FROM_CLIENT);
        streams[i][1] = wire_impi_startup_begin(WIRE_IMPI_FROM_SERVER);
    }
}

static void note(const struct wire_impi_findings *findings)
{
    for (unsigned i = 0; i < findings->count; i++) {
        size_t used = strlen(found);

        snprintf(found + used, sizeof found - used, "%s%s", used ? " " : "", findings->at[i].rule->name);
    }
}

/* Octets go in one by one, so that every state between them is passed. */
static void feed(int link, enum wire_impi_direction direction, const unsigned char *octets, size_t len)
{
    struct wire_impi_startup *stream = &streams[link][direction];
    struct wire_impi_startup_piece piece;

    for (size_t i = 0; i < len; i++) {
        const unsigned char *at = octets + i;
        size_t one = 1;

        while (wire_impi_startup_next(stream, &at, &one, &piece) == WIRE_OK) {
            if (piece.kind == WIRE_IMPI_COMMAND && piece.command->kind == WIRE_IMPI_SAYS_CHOICE) {
                wire_impi_startup_method(&streams[link][0], piece.command->which);
            }
            (void)wire_impi_link_piece(&links[link], direction, &piece, 1);
            note(&links[link].findings);
        }
    }
    if (stream->broken) {
        (void)wire_impi_link_broken(&links[link], direction);
        note(&links[link].findings);
    }
}

static void write_hex(struct wire_writer *writer, const char *digits)
{
    struct wire_hex hex = {.line = 1};
    unsigned char octets[OCTETS_MAX];
    size_t used = 0;
    size_t made = 0;

    CHECK_EQ(wire_hex_feed(&hex, digits, strlen(digits), &used, octets, sizeof octets, &made), WIRE_OK,
             "the test's own");
    wire_write_octets(writer, octets, made);
}

static void write_value(struct wire_writer *writer, size_t width, const char *word)
{
    if (word[0] == '=') {
        write_hex(writer, word + 1);
    } else if (width == 8) {
        wire_write_u64(writer, strtoull(word, NULL, 0));
    } else {
        wire_write_u32(writer, (uint32_t)strtoll(word, NULL, 0));
    }
}

static void write_command(struct wire_writer *writer, const char *name, const struct wire_writer *payload,
                          const unsigned char *octets)
{
    wire_write_octets(writer, name, 4);
    wire_write_u32(writer, (uint32_t)payload->written);
    wire_write_octets(writer, octets, payload->written);
}

static void write_coll(struct wire_writer *writer, char **words, size_t count)
{
    unsigned char octets[OCTETS_MAX];
    struct wire_writer payload = wire_writer_over(octets, sizeof octets);
    char *slash = NULL;
    int32_t code = (int32_t)strtol(words[2], &slash, 16);
    const struct wire_impi_label *label = wire_impi_label_of(code);

    wire_write_u32(&payload, (uint32_t)code);
    if (*slash == '/') {
        wire_write_u32(&payload, (uint32_t)strtoul(slash + 1, NULL, 16));
    }
    for (size_t i = 3; i < count; i++) {
        write_value(&payload, label ? label->element.width : 4, words[i]);
    }
    write_command(writer, "COLL", &payload, octets);
}

/* Any other message: words are its values of 4 octets. */
static void write_plain(struct wire_writer *writer, char **words, size_t count)
{
    unsigned char octets[OCTETS_MAX];
    struct wire_writer payload = wire_writer_over(octets, sizeof octets);

    for (size_t i = 2; i < count; i++) {
        write_value(&payload, 4, words[i]);
    }
    if (strcmp(words[1], "CHOICE") == 0) {
        wire_write_octets(writer, octets, payload.written);
    } else {
        write_command(writer, words[1], &payload, octets);
    }
}

static void perform(char **words, size_t count);

/* All labels of a client of one host with two processes. */
static void perform_good(const char *who, const char *from)
{
    static const char *const lines[] = {"COLL 1000 0",
                                        "COLL 1100 1",
                                        "COLL 1200 2",
                                        "COLL 1300 65536",
                                        "COLL 1400 2147483647",
                                        "COLL 1500 -1",
                                        "COLL 1600 -1",
                                        "COLL 2000 =0000000000000000000000007f000001",
                                        "COLL 2100 50001",
                                        "COLL 2200 2",
                                        "COLL 2300 10",
                                        "COLL 2400 20",
                                        "COLL 3000 =0000000000000000000000007f0000010000000000000000000000007f000001",
                                        "COLL 3100 101 102",
                                        "DONE"};

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char line[128];
        char *words[WORDS];
        char *save = NULL;
        size_t count = 0;

        snprintf(line, sizeof line, "%s %s", who, lines[i]);
        for (char *word = strtok_r(line, " ", &save); word && count < WORDS; word = strtok_r(NULL, " ", &save)) {
            words[count++] = word;
        }
        if (count == 2 || strcmp(words[2], from) >= 0) {
            perform(words, count);
        }
    }
}

static void perform(char **words, size_t count)
{
    unsigned char octets[OCTETS_MAX];
    struct wire_writer writer = wire_writer_over(octets, sizeof octets);
    enum wire_impi_direction direction = words[0][1] == 's' ? WIRE_IMPI_FROM_SERVER : WIRE_IMPI_FROM_CLIENT;
    int link = words[0][0] - '0';

    if (strcmp(words[1], "good") == 0) {
        perform_good(words[0], count > 2 ? words[2] : "");
        return;
    }
    if (strcmp(words[1], "end") == 0) {
        (void)wire_impi_link_end(&links[link], direction, count > 2);
        note(&links[link].findings);
        return;
    }
    if (strcmp(words[1], "missed") == 0) {
        wire_impi_link_missed(&links[link]);
        return;
    }
    if (words[1][0] == '=') {
        write_hex(&writer, words[1] + 1);
    } else if (strcmp(words[1], "COLL") == 0 && count > 2) {
        write_coll(&writer, words, count);
    } else {
        write_plain(&writer, words, count);
    }
    feed(link, direction, octets, writer.written);
}

static void play(const char *const *lines)
{
    for (size_t i = 0; lines[i]; i++) {
        char line[256];
        char *words[WORDS];
        char *save = NULL;
        size_t count = 0;
        char *mark;

        snprintf(line, sizeof line, "%s", lines[i]);
        mark = strstr(line, " ! ");
        if (mark) {
            *mark = 0;
        }
        for (char *word = strtok_r(line, " ", &save); word && count < WORDS; word = strtok_r(NULL, " ", &save)) {
            words[count++] = word;
        }
        found[0] = 0;
        perform(words, count);
        CHECK_STR(found, mark ? mark + 3 : "", lines[i]);
    }
}

#define PLAY(...) (begin(HOSTS, PROCESSES), play((const char *const[]){__VA_ARGS__, NULL}))
#define MORE(...) play((const char *const[]){__VA_ARGS__, NULL})
#define ADDRESS_1 "00000000000000000000ffff7f000001"
#define ADDRESS_2 "00000000000000000000ffff7f000002"
/* One client has joined a job of one. */
#define JOINED_ALONE "0c AUTH 1", "0s CHOICE 0 0", "0c IMPI 0", "0s IMPI 1"

/* The three clients of the document, as far as it prints what they say. */
static void the_job_of_the_document(void)
{
    PLAY("0c AUTH 1", "2c AUTH 2", "2s CHOICE 1 0", "2c =000000000000162e", "0s CHOICE 0 0", "1c AUTH 3",
         "1s CHOICE 0 0", "2c IMPI 2", "0c IMPI 0", "1c IMPI 1", "0s IMPI 3", "1s IMPI 3", "2s IMPI 3",
         "0c COLL 1100 3", "2c COLL 1100 2", "1c COLL 1100 2", "0s COLL 1100/7 3 2 2", "1s COLL 1100/7 3 2 2",
         "2s COLL 1100/7 3 2 2", "0c COLL 1200 6", "1c COLL 1200 6", "2c COLL 1200 8", "0s COLL 1200/7 6 6 8",
         "0c COLL 1300 8000", "2c COLL 1300 4000", "1c COLL 2100 6001 6002", "0s COLL 1300/5 8000 4000",
         "1s COLL 1300/5 8000 4000", "0c COLL 2100 5001 5002 5003", "2c COLL 2100 7001 7002",
         "0s COLL 2100/7 5001 5002 5003 6001 6002 7001 7002");
    CHECK_EQ(job.size, 3, "three clients");
    CHECK(job.hosts == 7 && job.processes == 20, "seven hosts, twenty processes");
    CHECK_EQ(job.limits.datalen, 4000, "the smallest of those that were given");
    CHECK(hosts[0].port == 5001 && hosts[3].port == 6001 && hosts[6].port == 7002, "ports in the order of clients");
    CHECK(hosts[2].client == 0 && hosts[3].client == 1 && hosts[6].client == 2, "and whose they are");
    CHECK_EQ(wire_impi_job_host_at(&job, NULL, 6002), 4, "a host is found by its port");
    CHECK(wire_impi_job_seen_all(&job) && !job.whole, "all are seen, but not all is known");
}

static void a_whole_job(void)
{
    const unsigned char mapped[16] = {[10] = 0xff, [11] = 0xff, [12] = 127, [15] = 1};
    struct wire_impi_process process = {.host = {[12] = 127, [15] = 1}, .pid = 102};

    PLAY("0c AUTH 2", "0s CHOICE 1 0", "0c =0000000000001234", "0c IMPI 0", "0s IMPI 1", "0c good", "0s COLL 1000/1 0",
         "0s COLL 1100/1 1", "0s COLL 1200/1 2", "0s COLL 1300/1 65536", "0s COLL 1400/1 2147483647",
         "0s COLL 1500/1 -1", "0s COLL 1600/1 -1", "0s COLL 2000/1 =0000000000000000000000007f000001",
         "0s COLL 2100/1 50001", "0s COLL 2200/1 2", "0s COLL 2300/1 10", "0s COLL 2400/1 20",
         "0s COLL 3000/1 =0000000000000000000000007f0000010000000000000000000000007f000001", "0s COLL 3100/1 101 102",
         "0s DONE", "0c FINI", "0c end", "0s end");
    CHECK(job.whole, "all is known");
    CHECK(job.limits.datalen == 65536 && job.limits.tagub == INT32_MAX, "limits");
    CHECK(job.limits.ackmark == 10 && job.limits.hiwater == 20, "of flow control too");
    CHECK(job.xsize == 1024 && job.maxlinear == 4, "defaults");
    CHECK_EQ(wire_impi_job_process_of(&job, &process), 1, "a process is found");
    memcpy(process.host, mapped, 16);
    CHECK_EQ(wire_impi_job_process_of(&job, &process), 1, "by either form of its address");
    process.pid = 103;
    CHECK_EQ(wire_impi_job_process_of(&job, &process), -1, "another is not");
    CHECK_EQ(wire_impi_job_host_at(&job, mapped, 50001), 0, "a host is found by address and port");
    CHECK_EQ(wire_impi_job_host_at(&job, mapped, 50002), -1, "another is not");
    CHECK_EQ(processes[1].host, 0, "processes have hosts");
}

static void authentication(void)
{
    PLAY("0c IMPI 0 ! no-auth", "0c AUTH 1 ! not-joined", "0c COLL 1100 1", "0c end");
    PLAY("0c AUTH 0 ! auth-nothing", "0s CHOICE 0 0 ! choice-not-offered", "0c IMPI 0 ! method-taken");
    PLAY("0c AUTH ! auth-no-mask");
    PLAY("0c AUTH =000001 ! auth-no-mask");
    PLAY("0c AUTH 1 =00 ! auth-no-mask");
    PLAY("0c AUTH 0 2", "0s CHOICE 33 0");
    PLAY("0s CHOICE 0 0 ! choice-early");
    PLAY("0c AUTH 1", "0s CHOICE 0 4 =00000000 ! choice-follow-on", "0c IMPI 0");
    PLAY("0c AUTH 2", "0s CHOICE -1 0 ! choice-not-offered");
    PLAY("0c AUTH 1", "0c COLL 1100 1 ! not-joined", "0c COLL 1200 1");
    PLAY("0c XYZW ! no-auth", "0c XYZW", "0c IMPI 0");
}

static void joining(void)
{
    PLAY("0c AUTH 1", "0c IMPI ! join-form", "0c IMPI 0 ! join-again");
    PLAY("0c AUTH 1", "0c IMPI 0 1 ! join-form");
    PLAY("0c AUTH 1", "0c IMPI -1 ! join-rank", "0s CHOICE 0 0", "0s IMPI 1 ! rank-outside size-early");
    PLAY("0c AUTH 1", "0c IMPI 0", "0s CHOICE 0 0", "0s IMPI 0 ! size-form", "0s IMPI ! size-form", "0s IMPI 1",
         "0s IMPI 1 ! size-form", "1c AUTH 1", "1c IMPI 1 ! join-rank", "1s CHOICE 0 0", "1s IMPI 1 ! rank-outside");
    PLAY("0c AUTH 1", "0c IMPI 0", "1c AUTH 1", "1c IMPI 0 ! join-taken", "0s CHOICE 0 0", "1s CHOICE 0 0",
         "0s IMPI 2 ! size-early", "1s IMPI 3 ! size-differs rank-taken size-early");
    CHECK(!wire_impi_job_seen_all(&job), "clients that were not seen are missing");
}

/* What nobody but the server and its user know, the checker knows when it is told. */
static void secrets(void)
{
    PLAY("0c AUTH 1", "0c IMPI 31", "1c AUTH 1", "1c IMPI 32 ! join-rank", "2c AUTH 1",
         "2c IMPI 2147483647 ! join-rank");
    PLAY("0c AUTH 2", "0s CHOICE 1 0", "0c =0000000000001234", "0c IMPI 2");
    begin(HOSTS, PROCESSES);
    job.secrets = (struct wire_impi_secrets){.size = 2, .key_known = true, .key = 0x8000000000001234};
    MORE("0c AUTH 2", "0s CHOICE 1 0", "0c =8000000000001234", "0c IMPI 1");
    MORE("1c AUTH 2", "1s CHOICE 1 0", "1c =0000000000001234 ! key-wrong", "1c IMPI 2 ! join-rank");
    MORE("2c AUTH 1", "2s CHOICE 0 0", "2c IMPI 0");
}

/* Who is refused or leaves before the size was told, is no client: another one may have its rank. */
static void refused_clients(void)
{
    PLAY("0c IMPI 0 ! no-auth", "1c AUTH 1", "1s CHOICE 0 0", "1c IMPI 0", "1s IMPI 1", "1c good", "1s COLL 1100/1 1");
    PLAY("0c AUTH 1", "0s CHOICE 0 0", "0c IMPI 0", "0c COLL 1100 7", "0s end", "1c AUTH 1", "1s CHOICE 0 0",
         "1c IMPI 0", "1s IMPI 1", "1c COLL 1100 1", "1s COLL 1100/1 1");
    PLAY("0c AUTH 1", "0s CHOICE 0 0", "0c IMPI 0", "0c COLL 1100 7", "1c AUTH 1", "1s CHOICE 0 0",
         "1c IMPI 0 ! join-taken", "1c COLL 1100 9", "1s end", "0s IMPI 1", "0s COLL 1100/1 7");
    PLAY(JOINED_ALONE, "0c good", "0c end", "1c AUTH 1", "1c IMPI 0");
    PLAY("0c AUTH 1", "0s CHOICE 0 0", "0c IMPI 0", "1c AUTH 1", "1s CHOICE 0 0", "1c IMPI 0 ! join-taken", "1s end",
         "1c end", "2c AUTH 1", "2s CHOICE 0 0", "2c IMPI 1", "0s IMPI 2", "2s IMPI 2");
    PLAY("0c AUTH 1", "0s CHOICE 0 0", "0c IMPI 0", "1c AUTH 1", "1s CHOICE 0 0", "1c IMPI 0 ! join-taken", "0c end",
         "0s end", "1s IMPI 1", "1c COLL 1100 1", "1s COLL 1100/1 1");
    PLAY("0c AUTH 1", "0s CHOICE 0 0", "0c IMPI 0", "1c AUTH 1", "1s CHOICE 0 0", "1c IMPI 0 ! join-taken", "1s end",
         "0c end", "2c AUTH 1", "2s CHOICE 0 0", "2c IMPI 1", "2s IMPI 2 ! size-early");
    PLAY("0c AUTH 1", "0s CHOICE 0 0", "0c IMPI 0", "1c AUTH 1", "1s CHOICE 0 0", "1c IMPI 1", "0s IMPI 2", "1s IMPI 2",
         "1c end", "0c DONE ! label-missing", "0s DONE");
    PLAY("0c AUTH 1", "0s CHOICE 0 0", "0c IMPI 0", "1c AUTH 1", "1s CHOICE 0 0", "1c IMPI 5", "0s IMPI 1",
         "0c DONE ! label-missing", "0s DONE");
}

static void labels(void)
{
    PLAY(JOINED_ALONE, "0c COLL ! coll-form", "0c COLL 0 ! label-zero", "0c COLL 1200 1",
         "0c COLL 1100 1 ! label-order", "0c COLL 1200 1 ! label-order", "0c COLL 1250 =00", "0c DONE ! label-missing",
         "0c COLL 3200 ! after-done", "0c DONE ! after-done");
    PLAY(JOINED_ALONE, "0c COLL 80000000 1", "0c COLL ffffffff 1", "0c COLL fffffffe 1 ! label-order",
         "0c COLL ffffffff 1 ! label-order", "0c COLL 1000 0");
    PLAY(JOINED_ALONE, "0c good", "0c FINI ! fini-early", "0c FINI ! after-fini", "0c XYZW ! after-fini");
    PLAY(JOINED_ALONE, "0c DONE 0 ! done-form label-missing", "0s DONE", "0c FINI 1 ! fini-form");
}

static void values(void)
{
    PLAY(JOINED_ALONE, "0c COLL 1000 ! version-form");
    PLAY(JOINED_ALONE, "0c COLL 1000 1 ! version-first");
    PLAY(JOINED_ALONE, "0c COLL 1000 0 1 2 0x100000000 0x100000000 ! version-order");
    PLAY(JOINED_ALONE, "0c COLL 1000 0 =00 ! version-form");
    PLAY(JOINED_ALONE, "0c COLL 1100 0 ! count-zero", "0c COLL 1200 ! count-form", "0c COLL 1300 0 ! limit-range",
         "0c COLL 1400 32766 ! limit-range", "0c COLL 1500 -2 ! chosen-range", "0c COLL 1600 1 2 ! chosen-form");
    PLAY(JOINED_ALONE, "0c COLL 1100 1 1 ! count-form", "0c COLL 1300 1 1 ! datalen-form", "0c COLL 1400 ! tagub-form");
    PLAY(JOINED_ALONE, "0c COLL 1100 2", "0c COLL 1200 3", "0c COLL 2000 =00 ! host-count",
         "0c COLL 2100 1 65536 ! port-range", "0c COLL 2200 1 1 ! host-nprocs", "0c COLL 2300 0 5 ! limit-range",
         "0c COLL 2400 1 4 ! limit-range", "0c COLL 3100 1 2 ! process-count");
    PLAY(JOINED_ALONE, "0c COLL 1100 2", "0c COLL 1200 3", "0c COLL 2100 0 1 ! port-range",
         "0c COLL 2200 3 0 ! host-nprocs", "0c COLL 2300 5 5 5 ! host-count",
         "0c COLL 3000 =00000000000000000000000000000001000000000000000000000000000000010000000000000000000000000000000"
         "2",
         "0c COLL 3100 7 7 7 ! pid-twice");
    PLAY(JOINED_ALONE, "0c COLL 2100 1 2 3");
}

static void lengths(void)
{
    PLAY("0c =41555448ffffffff ! command-length", "0c AUTH 1", "0c end inside");
    PLAY("0c =415554", "0c end inside ! command-cut");
    PLAY("0c AUTH 1", "0s =00000000ffffffff ! command-length");
}

static void what_the_server_spreads(void)
{
    PLAY("0c AUTH 1", "1c AUTH 1", "0c IMPI 0", "1c IMPI 1", "0s CHOICE 0 0", "0s COLL 1100/0 ! spread-unsized",
         "0s IMPI 2", "1s CHOICE 0 0", "1s IMPI 2", "0c COLL 1200 3", "0s COLL 1200/1 3 ! spread-early",
         "1c COLL 1200 4", "1s COLL 1200/3 4 3 ! spread-data", "0c COLL 1300 7", "1c COLL 1400 40000",
         "0s COLL 1300/1 7", "1s COLL 1300/3 7 7 ! spread-mask", "0s COLL 1300/1 7 ! spread-again",
         "0c COLL 1400 50000", "0s COLL 1400/7 50000 40000 ! spread-mask", "1s COLL 1400/3 50000 40000 1 ! spread-data",
         "0c COLL 1500 1", "1c COLL 1500 2", "0s COLL 1500/3 1 2", "0s COLL ! spread-form", "0s DONE ! all-done-early");
    CHECK(job.choices_differ, "clients that do not agree are seen");
    MORE("0c DONE ! label-missing", "1c DONE ! label-missing", "1s DONE 0 ! all-done-form spread-missing",
         "1s DONE ! after-all-done", "1s COLL 1600/0 ! after-all-done", "0c FINI ! different-choices",
         "0s DONE ! server-after-fini", "1c FINI ! different-choices");
}

/* Of a label that came behind a higher one the server may tell, or not, or say that it was skipped. */
static void what_came_out_of_order(void)
{
#define TWO_JOINED                                                                                                     \
    "0c AUTH 1", "1c AUTH 1", "0c IMPI 0", "1c IMPI 1", "0s CHOICE 0 0", "0s IMPI 2", "1s CHOICE 0 0", "1s IMPI 2",    \
        "0c COLL 1200 3", "0c COLL 1100 1 ! label-order", "1c COLL 1200 4"
    PLAY(TWO_JOINED, "0s COLL 1100/0", "0s COLL 1200/3 3 4", "0c DONE ! label-missing", "1c DONE ! label-missing",
         "0s DONE");
    PLAY(TWO_JOINED, "0s COLL 1100/1 1", "0s COLL 1200/3 3 4");
    PLAY(TWO_JOINED, "0s COLL 1200/3 3 4", "0c DONE ! label-missing", "1c DONE ! label-missing", "0s DONE");
    PLAY(TWO_JOINED, "0s COLL 1100/2 ! spread-mask", "0s COLL 1200/1 3 ! spread-mask");
}

/* Octets of connection 0 were not seen: nothing is reported of what its client gave, before and after. */
static void what_was_not_seen(void)
{
    PLAY("0c AUTH 1", "1c AUTH 1", "0c IMPI 0", "1c IMPI 1", "0s CHOICE 0 0", "0s IMPI 2", "1s CHOICE 0 0", "1s IMPI 2",
         "0c COLL 1100 3", "0c missed", "0c COLL 1100 3", "1c COLL 1100 4", "1s COLL 1100/3 9 4", "1c COLL 1200 4",
         "1s COLL 1200/3 3 4", "0s COLL 1200/3 7 7", "1c COLL 1300 7", "1s COLL 1300/2 7", "1c COLL 1400 40000",
         "1s COLL 1400/0 ! spread-mask", "1c DONE ! label-missing", "1s DONE", "0s FINI", "0c end inside");
    PLAY("0c AUTH 1", "0c missed", "1c AUTH 1", "1c IMPI 1", "1s CHOICE 0 0", "1s IMPI 2 ! size-early");
    CHECK(!wire_impi_job_seen_all(&job), "who was not seen to join has not been seen");
}

/* A label that nobody knows is compared too. */
static void opaque_labels(void)
{
    PLAY(JOINED_ALONE, "0c COLL 1250 =01020304050607", "0s COLL 1250/1 =01020304050607", "0c COLL 1251 =0102",
         "0s COLL 1251/1 =0103 ! spread-data", "0s COLL 1260/0 ! spread-early", "0c COLL 1270", "0s COLL 1270/1");
}

static void limits_of_others(void)
{
    PLAY(JOINED_ALONE, "0c COLL 1100 1", "0c COLL 1200 1", "0s COLL 1100/1 1", "0s COLL 1200/1 1",
         "0c COLL 2300 0 ! limit-range", "0s COLL 2300/1 0", "0c DONE ! label-missing", "0s DONE",
         "0c FINI ! limits-ignored");
}

/* The second of two clients, whose connection alone is seen, is told what the first is said to have given. */
#define HEARSAY "1c AUTH 1", "1s CHOICE 0 0", "1c IMPI 1", "1s IMPI 2 ! size-early"

static void hearsay(void)
{
    PLAY(HEARSAY, "1c COLL 1000 0", "1s COLL 1000/3 0 =00000000 ! version-form");
    PLAY(HEARSAY, "1c COLL 1000 0", "1s COLL 1000/3 0 1 0");
    PLAY(HEARSAY, "1c COLL 1000 0", "1s COLL 1000/3 0 ! version-form");
    PLAY(HEARSAY, "1c COLL 1100 1", "1s COLL 1100/3 1 ! count-form");
    PLAY(HEARSAY, "1c COLL 1100 1", "1s COLL 1100/3 1 1 1 ! count-form");
    PLAY(HEARSAY, "1c COLL 1100 1", "1s COLL 1100/3 0 1 ! count-zero");
    PLAY(HEARSAY, "1c COLL 1200 1", "1s COLL 1200/3 0 1 ! count-zero");
    PLAY(HEARSAY, "1c COLL 1300 1", "1s COLL 1300/3 0 1 ! limit-range");
    PLAY(HEARSAY, "1c COLL 1400 32767", "1s COLL 1400/3 32766 32767 ! limit-range");
    PLAY(HEARSAY, "1c COLL 1500 -1", "1s COLL 1500/3 -2 -1 ! chosen-range");
    PLAY(HEARSAY, "1c COLL 1100 1", "1s COLL 1100/3 2 1", "1c COLL 1200 1", "1s COLL 1200/3 3 1", "1c COLL 2100 1",
         "1s COLL 2100/3 1 1 ! host-count", "1c COLL 2200 1", "1s COLL 2200/3 1 1 1 ! host-nprocs", "1c COLL 2300 5",
         "1s COLL 2300/3 5 0 5 ! limit-range", "1c COLL 2400 5", "1s COLL 2400/3 4 1 5 ! limit-range", "1c COLL 3100 1",
         "1s COLL 3100/3 1 2 1 ! process-count");
    PLAY(HEARSAY, "1c COLL 1100 1", "1s COLL 1100/3 1 1", "1c COLL 2000 =00000000000000000000000000000001",
         "1s COLL 2000/3 =00000000000000000000000000000000000000000000000000000000000001 ! host-count",
         "1c COLL 2100 1", "1s COLL 2100/3 0 1 ! port-range", "1c COLL 2200 1", "1s COLL 2200/3 0 1 ! host-nprocs");
}

/* Without addresses nobody knows which processes share one. */
static void pids_without_addresses(void)
{
    PLAY(JOINED_ALONE, "0c COLL 1200 2", "0c COLL 3100 5 5");
    PLAY(JOINED_ALONE, "0c COLL 1200 2", "0c COLL 3000 =" ADDRESS_1 ADDRESS_1, "0c COLL 3100 5 5 ! pid-twice");
    PLAY(JOINED_ALONE, "0c COLL 1200 2", "0c COLL 3000 =" ADDRESS_1 ADDRESS_2, "0c COLL 3100 5 5");
}

/* A client may have the rank of one that was not captured: what the server spreads may be the other one's. */
static void somebody_else_with_a_rank(void)
{
    PLAY("0c AUTH 1", "0s CHOICE 0 0", "0c IMPI 0", "1c AUTH 1", "1s CHOICE 0 0", "1c IMPI 1", "1s IMPI 2",
         "0c COLL 1300 7", "1c COLL 1300 8", "1s COLL 1300/3 6 8");
    PLAY("0c AUTH 1", "0s CHOICE 0 0", "0c IMPI 0", "1c AUTH 1", "1s CHOICE 0 0", "1c IMPI 1", "1s IMPI 2", "0s IMPI 2",
         "0c COLL 1300 7", "1c COLL 1300 8", "1s COLL 1300/3 6 8 ! spread-data");
    PLAY("0c AUTH 1", "0s CHOICE 0 0", "0c IMPI 0", "0c COLL 1300 7", "0c DONE ! label-missing", "0s end", "0c end",
         "1c AUTH 1", "1s CHOICE 0 0", "1c IMPI 1", "1s IMPI 2 ! size-early", "1c DONE ! label-missing", "1s DONE");
    CHECK(!wire_impi_job_seen_all(&job), "who was refused is no client");
}

/* Labels below zero, as any other that the document does not know, are those that come first. */
static void labels_below_zero(void)
{
    PLAY("0c AUTH 1", "0s CHOICE 0 0", "0c IMPI 0", "1c AUTH 1", "1s CHOICE 0 0", "1c IMPI 1", "0s IMPI 2", "1s IMPI 2",
         "0c COLL -5 7", "0s COLL -5/1 7 ! spread-early", "1c COLL -4 7", "1s COLL -5/1 7");
    PLAY("0c AUTH 1", "0s CHOICE 0 0", "0c IMPI 0", "1c AUTH 1", "1s CHOICE 0 0", "1c IMPI 1", "0s IMPI 2", "1s IMPI 2",
         "0c COLL -80000000 7", "0s COLL -80000000/1 7 ! spread-early", "1c COLL -7fffffff 7");
}

/* What a client was heard to give is told as its own fault, not as the server's. */
static void heard_is_no_hearsay(void)
{
    PLAY("0c AUTH 1", "0s CHOICE 0 0", "0c IMPI 0", "1c AUTH 1", "1s CHOICE 0 0", "1c IMPI 1", "0s IMPI 2", "1s IMPI 2",
         "0c COLL 1100 0 ! count-zero", "1c COLL 1100 1", "0s COLL 1100/3 0 1", "1s COLL 1100/3 0 1",
         "0c COLL 1300 ! datalen-form", "1c COLL 1300 1", "1s COLL 1300/3 1", "0c missed", "1c COLL 1400 32767",
         "1s COLL 1400/3 1 32767");
}

/* One connection of several is enough to learn the job, and proves nothing about the others. */
static void one_connection_of_two(void)
{
    PLAY("1c AUTH 1", "1s CHOICE 0 0", "1c IMPI 1", "1s IMPI 2 ! size-early", "1c good", "1s COLL 1000/3 0 0",
         "1s COLL 1100/3 1 1", "1s COLL 1200/3 1 2", "1s COLL 1300/3 1000 65536",
         "1s COLL 1400/3 2147483647 2147483647", "1s COLL 1500/3 1024 -1", "1s COLL 1600/3 -1 -1",
         "1s COLL 2100/3 1 50001", "1s DONE ! spread-missing", "1c FINI");
    CHECK(!wire_impi_job_seen_all(&job), "not all are seen");
    CHECK_EQ(job.limits.datalen, 1000, "what the other one gave counts");
    CHECK(!job.choices_differ, "the default may be said in two ways");
}

/* A job for which there is no room is not learned; nothing is written beyond the tables. */
static void little_room(void)
{
    hosts[1].port = 77;
    processes[1].id.pid = 77;
    begin(1, 1);
    MORE(JOINED_ALONE, "0c COLL 1100 2", "0c COLL 1200 2", "0s COLL 1100/1 2", "0s COLL 1200/1 2", "0c COLL 2100 5 6",
         "0s COLL 2100/1 5 6", "0c COLL 3100 5 6", "0s COLL 3100/1 5 6");
    CHECK(job.hosts == 0 && job.processes == 0, "nothing is known");
    CHECK(hosts[1].port == 77 && processes[1].id.pid == 77, "nothing is written");
    begin(HOSTS, PROCESSES);
    MORE(JOINED_ALONE, "0c COLL 1100 0xffffffff", "0s COLL 1100/1 0xffffffff", "0c COLL 2100 1 ! host-count",
         "0s COLL 2100/1 1");
    CHECK_EQ(job.hosts, 0, "four thousand million hosts are too many");
}

int main(void)
{
    TAP_RUN(the_job_of_the_document);
    TAP_RUN(a_whole_job);
    TAP_RUN(authentication);
    TAP_RUN(joining);
    TAP_RUN(secrets);
    TAP_RUN(refused_clients);
    TAP_RUN(labels);
    TAP_RUN(values);
    TAP_RUN(lengths);
    TAP_RUN(what_the_server_spreads);
    TAP_RUN(what_came_out_of_order);
    TAP_RUN(what_was_not_seen);
    TAP_RUN(opaque_labels);
    TAP_RUN(limits_of_others);
    TAP_RUN(hearsay);
    TAP_RUN(heard_is_no_hearsay);
    TAP_RUN(somebody_else_with_a_rank);
    TAP_RUN(labels_below_zero);
    TAP_RUN(pids_without_addresses);
    TAP_RUN(one_connection_of_two);
    TAP_RUN(little_room);
    return tap_done();
}
