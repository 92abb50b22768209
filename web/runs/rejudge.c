/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What evidence alone can settle: whether the system under test has broken a rule in what was captured. What a case has
 * asked for besides, only a new run can tell.
 */
#include "web/runs/rejudge.h"

#include "tester/judging/rejudge.h"
#include "web/profiles/catalogue.h"
#include "web/store/evidence_rows.h"
#include "web/store/query.h"
#include "web/store/store.h"

#include <inttypes.h>
#include <sodium/crypto_hash_sha256.h>
#include <sodium/utils.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, TEXT_SIZE = 700, REQUIREMENT_SIZE = 64, ABOUT_SIZE = 101 };

struct work {
    struct database *database;
    struct evidence_files *files;
    struct catalogue *catalogue;
    const char *cases;                           /* REJUDGE_ALL or ids */
    long runs, results, judged, differing, held; /* held: how many certificates rest on what differs */
};

/* What became of one result. */
struct renewed {
    const char *now; /* "fail", "cleared", "unsettled"; NULL: as it was */
    char requirement[REQUIREMENT_SIZE], text[TEXT_SIZE];
};

static const char *text_of(const json_t *row, const char *key)
{
    const char *text = json_string_value(json_object_get(row, key));

    return text ? text : "";
}

static bool is(const json_t *row, const char *key, const char *value)
{
    return strcmp(text_of(row, key), value) == 0;
}

/* ---- one result -------------------------------------------------------------------------------------------------- */

static bool judge_capture(const struct work *work, const json_t *result, struct rejudge *found)
{
    char *octets;

    evidence_rows_load(work->database, work->files, text_of(result, "run"), text_of(result, "case_id"), "capture",
                       &octets);
    if (!octets) {
        return false;
    }
    rejudge_capture(octets, (uint64_t)json_integer_value(json_object_get(result, "octets")), found);
    free(octets);
    return found->readable && found->sided;
}

/* The verdict of today, as far as the capture tells; `found` is NULL where it says nothing. */
static void settle(const json_t *result, const struct rejudge *found, struct renewed *verdict)
{
    bool failed = is(result, "verdict", "fail");
    bool known = is(result, "verdict", "warn") && found && is(result, "requirement", found->requirement);

    if (!found || known) {
        return;
    }
    if (!failed && found->violations > 0) {
        verdict->now = "fail";
        snprintf(verdict->requirement, sizeof verdict->requirement, "%s", found->requirement);
        snprintf(verdict->text, sizeof verdict->text, "%s", found->text);
    } else if (failed && found->violations == 0 && found->whole && rejudge_by_checker(text_of(result, "reason"))) {
        verdict->now = "cleared";
        snprintf(verdict->requirement, sizeof verdict->requirement, "%s", text_of(result, "requirement"));
        snprintf(verdict->text, sizeof verdict->text,
                 "the checker of today finds nothing wrong in the capture; a new run tells what the case then says");
    }
}

/* A case that somebody has named as wrong: what it has asked for cannot be asked of the evidence. */
static void doubt(const json_t *result, struct renewed *verdict)
{
    if (!verdict->now && !is(result, "verdict", "skip")) {
        verdict->now = "unsettled";
        snprintf(verdict->requirement, sizeof verdict->requirement, "%s", text_of(result, "requirement"));
        snprintf(verdict->text, sizeof verdict->text,
                 "the case has turned out wrong, and the evidence alone cannot tell; a new run can");
    }
}

/* Whether the case is another one today, as far as its own file tells. */
static bool has_changed(const struct case_list *cases, const json_t *result)
{
    for (size_t i = 0; i < case_list_count(cases); i++) {
        const struct case_info *about = case_list_at(cases, i);
        unsigned char digest[crypto_hash_sha256_BYTES];
        char hex[EVIDENCE_FILE_DIGEST];

        if (is(result, "case_id", about->id)) {
            crypto_hash_sha256(digest, (const unsigned char *)about->source, strlen(about->source));
            sodium_bin2hex(hex, sizeof hex, digest, sizeof digest);
            return !is(result, "source", hex);
        }
    }
    return true;
}

/* ---- one run ----------------------------------------------------------------------------------------------------- */

/* The rows; NULL: they could not all be read. */
static json_t *list(struct query *query)
{
    json_t *rows = query_list(query);

    if (query_close(query) != DATABASE_OK) {
        json_decref(rows);
        return NULL;
    }
    return rows;
}

static json_t *list_runs(const struct work *work)
{
    struct query query;

    query_open_read(&query, work->database,
                    "SELECT r.id, r.account, r.profile, i.name || ' ' || i.version AS implementation, "
                    "COALESCE((SELECT c.id FROM certificates c WHERE c.run = r.id), '') AS certificate "
                    "FROM runs r JOIN implementations i ON i.id = r.implementation WHERE r.state NOT IN ('created', "
                    "'waiting', 'running') ORDER BY r.created");
    return list(&query);
}

static json_t *list_results(const struct work *work, const char *run)
{
    struct query query;

    query_open_read(&query, work->database,
                    "SELECT s.run, s.case_id, s.verdict, s.requirement, s.reason, "
                    "COALESCE(e.octets, 0) AS octets, COALESCE((SELECT o.digest FROM evidence o WHERE o.run = s.run "
                    "AND o.case_id = s.case_id AND o.kind = 'source'), '') AS source FROM results s LEFT JOIN evidence "
                    "e ON e.run = s.run AND e.case_id = s.case_id AND e.kind = 'capture' WHERE s.run = :run "
                    "AND (:cases = '" REJUDGE_ALL "' OR ',' || :cases || ',' LIKE '%,' || s.case_id || ',%') "
                    "ORDER BY s.position");
    query_text(&query, ":run", run);
    query_text(&query, ":cases", work->cases);
    return list(&query);
}

static enum database_status forget(struct database *database, const char *run, const char *case_id)
{
    struct query query;

    query_open(&query, database, "DELETE FROM rejudged WHERE run = :run AND case_id = :case_id");
    query_text(&query, ":run", run);
    query_text(&query, ":case_id", case_id);
    return query_run(&query);
}

static enum database_status note(struct database *database, const char *run, const json_t *result,
                                 const struct renewed *verdict)
{
    struct query query;

    query_open(&query, database,
               "INSERT INTO rejudged (run, case_id, was, now, requirement, text, tester) VALUES (:run, :case_id, :was, "
               ":now, :requirement, :text, :tester)");
    query_text(&query, ":run", run);
    query_text(&query, ":case_id", text_of(result, "case_id"));
    query_text(&query, ":was", text_of(result, "verdict"));
    query_text(&query, ":now", verdict->now);
    query_text(&query, ":requirement", verdict->requirement);
    query_text(&query, ":text", verdict->text);
    query_text(&query, ":tester", "assay/" ASSAY_VERSION);
    return query_run(&query);
}

/* The account's administrators find it in their audit log. */
static enum database_status tell(struct database *database, const json_t *run, long differing)
{
    char path[PATH_SIZE], about[ABOUT_SIZE];
    struct query query;

    snprintf(path, sizeof path, "/runs/%s", text_of(run, "id"));
    snprintf(about, sizeof about, "%ld verdicts of a run%s", differing,
             is(run, "certificate", "") ? "" : ", on which a certificate rests");
    query_open(&query, database,
               "INSERT INTO audit (account, member, action, path, about, status, address) VALUES (:account, 'the "
               "service', 'REJUDGE', :path, :about, 200, '')");
    query_number(&query, ":account", json_integer_value(json_object_get(run, "account")));
    query_text(&query, ":path", path);
    query_text(&query, ":about", about);
    return query_run(&query);
}

static void print(const json_t *run, const json_t *result, const struct renewed *verdict)
{
    printf("run %s, case %s: was %s, %s%s: %s%s%s\n", text_of(run, "id"), text_of(result, "case_id"),
           text_of(result, "verdict"), strcmp(verdict->now, "unsettled") == 0 ? "is " : "now ", verdict->now,
           verdict->requirement, *verdict->requirement ? ": " : "", verdict->text);
}

/* Without a lock: a service may run meanwhile. */
static void rejudge_result(struct work *work, const json_t *result, struct renewed *verdict)
{
    struct rejudge found;
    bool judged = judge_capture(work, result, &found);

    *verdict = (struct renewed){.now = NULL};
    settle(result, judged ? &found : NULL, verdict);
    if (strcmp(work->cases, REJUDGE_ALL) != 0) {
        doubt(result, verdict);
    }
    work->results++;
    work->judged += judged;
}

static enum database_status write_down(struct database *database, const json_t *run, const json_t *results,
                                       const struct renewed *verdicts, long differing)
{
    enum database_status status = database_begin(database);
    const char *id = text_of(run, "id");
    const json_t *result;
    size_t i;

    if (status != DATABASE_OK) {
        return status;
    }
    json_array_foreach(results, i, result)
    {
        status = status ? status : forget(database, id, text_of(result, "case_id"));
        if (status == DATABASE_OK && verdicts[i].now) {
            status = note(database, id, result, &verdicts[i]);
        }
    }
    if (status == DATABASE_OK && differing > 0) {
        status = tell(database, run, differing);
    }
    return database_end(database, status);
}

/* Prints what differs; returns how much. */
static long print_all(struct work *work, const json_t *run, const json_t *results, const struct renewed *verdicts)
{
    const struct case_list *cases = catalogue_cases(work->catalogue, text_of(run, "profile"));
    long differing = 0, changed = 0;
    const json_t *result;
    size_t i;

    json_array_foreach(results, i, result)
    {
        changed += !cases || has_changed(cases, result);
        if (verdicts[i].now) {
            print(run, result, &verdicts[i]);
            differing++;
        }
    }
    if (changed > 0) {
        printf("run %s: %ld of these cases are other ones today; what they would say now, only a new run tells\n",
               text_of(run, "id"), changed);
    }
    if (differing > 0 && !is(run, "certificate", "")) {
        printf("certificate %s of %s, %s: %ld of its verdicts\n", text_of(run, "certificate"),
               text_of(run, "implementation"), text_of(run, "profile"), differing);
        work->held++;
    }
    return differing;
}

static bool rejudge_run(struct work *work, const json_t *run)
{
    json_t *results = list_results(work, text_of(run, "id"));
    struct renewed *verdicts = calloc(json_array_size(results) + 1, sizeof *verdicts);
    bool good = results && verdicts;
    const json_t *result;
    long differing;
    size_t i;

    if (good) {
        json_array_foreach(results, i, result)
        {
            rejudge_result(work, result, &verdicts[i]);
        }
        differing = print_all(work, run, results, verdicts);
        good = write_down(work->database, run, results, verdicts, differing) == DATABASE_OK;
        work->differing += differing;
        work->runs += json_array_size(results) > 0;
    }
    free(verdicts);
    json_decref(results);
    return good;
}

static bool rejudge_runs(struct work *work)
{
    json_t *runs = list_runs(work);
    bool good = runs != NULL;
    const json_t *run;
    size_t i;

    json_array_foreach(runs, i, run)
    {
        good = good && rejudge_run(work, run);
    }
    json_decref(runs);
    return good;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static bool open_all(struct work *work, const struct place *place, char *message, size_t message_octets)
{
    char path[PATH_SIZE];

    snprintf(path, sizeof path, "%s/assay.db", place->folder);
    if (!place->url && access(path, R_OK) != 0) {
        snprintf(message, message_octets, "%.400s: there is no database here", path);
        return false;
    }
    work->database = store_open(place, message, message_octets);
    work->files = work->database ? evidence_files_open(place->folder, message, message_octets) : NULL;
    work->catalogue = work->files ? catalogue_load(message, message_octets) : NULL;
    return work->catalogue;
}

long rejudge_data(const struct place *place, const char *cases, char *message, size_t message_octets)
{
    struct work work = {.cases = cases};
    bool good = open_all(&work, place, message, message_octets);

    if (good) {
        good = rejudge_runs(&work);
        snprintf(message, message_octets,
                 "%.400s: not all could be read or written down (is the disk full?); what is above is", place->folder);
    }
    if (good && work.results == 0 && strcmp(cases, REJUDGE_ALL) != 0) {
        snprintf(message, message_octets, "no run here has a result of a case %.200s", cases);
        good = false;
    }
    if (good) {
        printf("%s: %ld runs, %ld results; %ld captures judged again, the rest cannot be without the system; %ld "
               "results differ or are unsettled, %ld certificates rest on them\n",
               place->folder, work.runs, work.results, work.judged, work.differing, work.held);
    }
    catalogue_free(work.catalogue);
    evidence_files_close(work.files);
    database_close(work.database);
    return good ? work.differing : -1;
}
