/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Writes a run down while it happens. Everything that belongs together is one transaction: a result comes with its
 * evidence and its event or not at all, so that a killed service leaves whole results behind. The functions are called
 * by the engine on the run's own thread.
 */
#include "web/runs/record.h"

#include "web/http/kept.h"
#include "web/live/hub.h"
#include "web/profiles/catalogue.h"
#include "web/runs/again.h"
#include "web/service/service.h"
#include "web/store/evidence_rows.h"
#include "web/store/listener.h"
#include "web/store/query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EVENTS_MAX = 100000 };

static struct database *database_of(const struct run *run)
{
    return run->runs->service->database;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

enum database_status record_insert_event(struct run *run, const char *kind, json_t *data)
{
    char *text = json_dumps(data, JSON_COMPACT);
    enum database_status status = DATABASE_BROKEN;
    struct query query;

    json_decref(data);
    if (text) {
        query_open(&query, database_of(run),
                   "INSERT INTO events (run, seq, kind, data) VALUES (:run, :seq, :kind, :data)");
        query_text(&query, ":run", run->id);
        query_number(&query, ":seq", run->seq + 1);
        query_text(&query, ":kind", kind);
        query_text(&query, ":data", text);
        status = query_run(&query);
    }
    status = status ? status : listener_tell(database_of(run), run->id);
    if (status == DATABASE_OK) {
        run->seq++;
        run->stored += (int64_t)strlen(text);
    }
    free(text);
    return status;
}

/* One event in a transaction of its own: a run has thousands, and nobody is judged by them. */
static enum database_status insert_alone(struct run *run, const char *kind, json_t *data)
{
    enum database_status status = database_begin_loose(database_of(run));

    if (status != DATABASE_OK) {
        json_decref(data);
        return status;
    }
    return database_end(database_of(run), record_insert_event(run, kind, data));
}

/* An event that stands alone. Past EVENTS_MAX only results and the end are kept. */
static void tell(struct run *run, const char *kind, json_t *data)
{
    enum database_status status;

    if (run->seq >= EVENTS_MAX) {
        json_decref(data);
        return;
    }
    status = insert_alone(run, kind, data);
    if (status == DATABASE_OK) {
        hub_wake(run->runs->service->hub, run->id);
    } else {
        run_lose(run, status);
    }
}

static void set_state(struct run *run, const char *state)
{
    enum database_status status;
    struct query query;

    query_open(&query, database_of(run),
               "UPDATE runs SET state = :state, started = COALESCE(started, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) "
               "WHERE id = :id AND state <> :state");
    query_text(&query, ":state", state);
    query_text(&query, ":id", run->id);
    status = query_run(&query);
    kept_change(run->runs->service->kept, run->account);
    if (status != DATABASE_OK) {
        run_lose(run, status);
    }
}

static void on_note(void *context, const char *kind, const char *text)
{
    struct run *run = context;

    if (strcmp(kind, "agent-connected") == 0) {
        set_state(run, "running");
    }
    if (strcmp(kind, "waiting-for-agent") == 0) {
        return; /* it is at the door: that the run waits for it was told when the run was made */
    }
    tell(run, "note", json_pack("{s:s,s:s}", "kind", kind, "text", text));
}

static void on_started(void *context, const struct case_info *about, unsigned index, unsigned total)
{
    struct run *run = context;
    struct query query;

    if (!run->total_known) {
        query_open(&query, database_of(run), "UPDATE runs SET total = :total WHERE id = :id");
        query_number(&query, ":total", total);
        query_text(&query, ":id", run->id);
        run->total_known = query_run(&query) == DATABASE_OK;
        kept_change(run->runs->service->kept, run->account);
    }
    tell(run, "started",
         json_pack("{s:s,s:s,s:s,s:i,s:i}", "case", about->id, "title", about->title, "suite", about->suite, "index",
                   (int)index, "total", (int)total));
}

static void on_step(void *context, const struct case_info *about, const char *text)
{
    tell(context, "step", json_pack("{s:s,s:s}", "case", about->id, "text", text));
}

static const char *text_of(const char *text)
{
    return text ? text : "";
}

/* ---- results and evidence ---------------------------------------------------------------------------------------- */

enum database_status record_add_file(const struct run *run, const struct evidence_file *file)
{
    char path[4096 + 256];

    if (snprintf(path, sizeof path, "%s/%s", run->directory, file->path) >= (int)sizeof path) {
        return DATABASE_BROKEN;
    }
    return evidence_files_add(run->runs->service->evidence, path, file->sha256);
}

enum database_status record_insert_file(struct run *run, const char *case_id, const struct evidence_file *file)
{
    enum database_status status = evidence_rows_insert(database_of(run), run->id, case_id, file);

    if (status == DATABASE_OK) {
        run->stored += (int64_t)file->octets;
    }
    return status;
}

/* The text of the case's file is kept as it was when it judged; runs that had the same share it. */
static enum database_status add_source(const struct run *run, const struct case_info *about,
                                       struct evidence_file *source)
{
    const char *text = text_of(about->source);

    *source = (struct evidence_file){.kind = "source"};
    return evidence_files_write(run->runs->service->evidence, text, strlen(text), source);
}

static enum database_status add_files(const struct run *run, const struct engine_result *result,
                                      struct evidence_file *source)
{
    enum database_status status = add_source(run, result->about, source);

    for (size_t i = 0; status == DATABASE_OK && i < result->evidence_count; i++) {
        status = record_add_file(run, &result->evidence[i]);
    }
    return status;
}

static enum database_status insert_files(struct run *run, const struct engine_result *result,
                                         const struct evidence_file *source)
{
    char id[AGAIN_ID_SIZE];
    enum database_status status;

    again_evidence_id(result, id);
    status = evidence_rows_insert(database_of(run), run->id, id, source);
    for (size_t i = 0; status == DATABASE_OK && i < result->evidence_count; i++) {
        status = record_insert_file(run, id, &result->evidence[i]);
    }
    return status;
}

/* What is stored need not lie in the run's folder any longer. */
static void remove_files(const struct run *run, const struct engine_result *result)
{
    char path[sizeof run->directory + 256];

    for (size_t i = 0; i < result->evidence_count; i++) {
        if (snprintf(path, sizeof path, "%s/%s", run->directory, result->evidence[i].path) < (int)sizeof path) {
            unlink(path);
        }
    }
}

/* The case as it is now, kept with the result: the next version of the cases may say something else. */
static char *about_text(const struct case_info *about)
{
    json_t *requirements = json_array();
    json_t *object;
    char *text;

    for (const char *const *id = about->requirements; *id; id++) {
        json_array_append_new(requirements, json_string(*id));
    }
    object = json_pack("{s:s,s:o,s:s,s:i,s:b,s:b}", "purpose", about->purpose ? about->purpose : "", "requirements",
                       requirements, "file", about->file ? about->file : "", "ranks", (int)about->ranks, "wire",
                       about->needs_wire, "negative", about->negative);
    if (about->cell) {
        json_object_set_new(object, "cell", catalogue_cell_json(about));
    }
    text = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    return text;
}

static enum database_status insert_result(struct run *run, const struct engine_result *result)
{
    const struct case_info *about = result->about;
    char *text = about_text(about);
    struct query query;
    enum database_status status;

    query_open(
        &query, database_of(run),
        "INSERT INTO results (run, position, case_id, title, suite, chapter, verdict, axis, requirement, reason, "
        "expected, observed, duration_ms, about) VALUES (:run, (SELECT COUNT(*) FROM results WHERE run = "
        ":run), "
        ":case_id, :title, :suite, :chapter, :verdict, :axis, :requirement, :reason, :expected, :observed, "
        ":duration_ms, :about)");
    query_text(&query, ":run", run->id);
    query_text(&query, ":case_id", about->id);
    query_text(&query, ":title", text_of(about->title));
    query_text(&query, ":suite", text_of(about->suite));
    query_text(&query, ":chapter", text_of(about->chapter));
    query_text(&query, ":verdict", verdict_name(result->verdict));
    query_text(&query, ":axis", text_of(result->axis));
    query_text(&query, ":requirement", text_of(result->requirement));
    query_text(&query, ":reason", text_of(result->reason));
    query_text(&query, ":expected", text_of(result->expected));
    query_text(&query, ":observed", text_of(result->observed));
    query_number(&query, ":duration_ms", result->duration_ms);
    query_text(&query, ":about", text ? text : "{}");
    status = query_run(&query);
    if (status == DATABASE_OK && text) {
        run->stored += (int64_t)strlen(text);
    }
    free(text);
    return status;
}

/* What the run goes on from, should its agent or the service be lost. */
static enum database_status insert_record(const struct run *run, const struct engine_result *result)
{
    char *record = json_dumps(result->record, JSON_COMPACT);
    enum database_status status = DATABASE_OK;
    struct query query;

    if (record) {
        query_open(&query, database_of(run),
                   "INSERT INTO records (run, case_id, attempt, record) VALUES (:run, :case_id, :attempt, :record)");
        query_number(&query, ":attempt", result->attempt);
        query_text(&query, ":run", run->id);
        query_text(&query, ":case_id", result->about->id);
        query_text(&query, ":record", record);
        status = query_run(&query);
    }
    free(record);
    return status;
}

static enum database_status update_stored(struct run *run)
{
    struct query query;

    query_open(&query, database_of(run), "UPDATE runs SET stored = :stored WHERE id = :id");
    query_number(&query, ":stored", run->stored);
    query_text(&query, ":id", run->id);
    return query_run(&query);
}

static json_t *result_event(const struct engine_result *result)
{
    json_t *data =
        json_pack("{s:s,s:s,s:s,s:s,s:s,s:i}", "case", result->about->id, "verdict", verdict_name(result->verdict),
                  "axis", text_of(result->axis), "requirement", text_of(result->requirement), "reason",
                  text_of(result->reason), "duration_ms", (int)result->duration_ms);

    if (result->about->cell) {
        json_object_set_new(data, "cell", catalogue_cell_json(result->about));
    }
    if (result->attempt > 0) {
        json_object_set_new(data, "attempt", json_integer(result->attempt));
        json_object_set_new(data, "counts", json_boolean(result->counts));
    }
    return data;
}

/* Result, evidence and event in one transaction; the files are on the disk already. */
static enum database_status insert_all(struct run *run, const struct engine_result *result,
                                       const struct evidence_file *source)
{
    enum database_status status = database_begin(database_of(run));

    if (status != DATABASE_OK) {
        return status;
    }
    status = result->attempt > 0 ? again_record(database_of(run), run->id, result) : insert_result(run, result);
    status = status ? status : insert_record(run, result);
    status = status ? status : insert_files(run, result, source);
    status = status ? status : record_insert_event(run, "result", result_event(result));
    status = status ? status : update_stored(run);
    return database_end(database_of(run), status);
}

static void on_result(void *context, const struct engine_result *result)
{
    struct run *run = context;
    int64_t seq = run->seq, stored = run->stored;
    struct evidence_file source;
    enum database_status status;

    evidence_files_hold(run->runs->service->evidence);
    status = add_files(run, result, &source);
    status = status ? status : insert_all(run, result, &source);
    evidence_files_release(run->runs->service->evidence);
    kept_change(run->runs->service->kept, run->account);
    if (status == DATABASE_OK) {
        remove_files(run, result);
        hub_wake(run->runs->service->hub, run->id);
    } else {
        run->seq = seq;
        run->stored = stored;
        run_lose(run, status);
    }
}

struct engine_observer record_observer(struct run *run)
{
    return (struct engine_observer){
        .context = run, .note = on_note, .started = on_started, .step = on_step, .result = on_result};
}
