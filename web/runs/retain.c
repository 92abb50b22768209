/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Removes evidence whose time is over (retain.h), run by run: nobody waits long for the database.
 */
#include "web/runs/retain.h"

#include "web/http/kept.h"
#include "web/service/secret.h"
#include "web/service/service.h"
#include "web/store/evidence_rows.h"
#include "web/store/query.h"

#include <stdbool.h>
#include <stdio.h>

struct expired {
    char run[SECRET_ID_SIZE];
    int64_t account;
};

/* The next run whose evidence is to go. A certificate outlives its run, so one is looked for by the run's id. */
static bool find(struct database *database, unsigned days, struct expired *expired)
{
    struct query query;
    char age[32];
    bool found;

    snprintf(age, sizeof age, "-%u days", days);
    query_open_read(&query, database,
                    "SELECT id, account FROM runs r WHERE state NOT IN ('created', 'waiting', 'running') AND "
                    "evidence_removed IS NULL AND COALESCE(ended, created) < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', "
                    ":age) AND NOT EXISTS (SELECT 1 FROM certificates c WHERE c.run = r.id) LIMIT 1");
    query_text(&query, ":age", age);
    found = query_next(&query);
    if (found) {
        snprintf(expired->run, sizeof expired->run, "%s", query_column_text(&query, 0));
        expired->account = query_column_number(&query, 1);
    }
    return query_close(&query) == DATABASE_OK && found;
}

static enum database_status execute(struct database *database, const char *sql, const char *run)
{
    struct query query;

    query_open(&query, database, sql);
    query_text(&query, ":run", run);
    return query_run(&query);
}

/* What belongs to no case, reports among it, stays. */
#define OF_CASES "run = :run AND case_id <> '' AND kind <> 'source'"
#define BUNDLES  "run = :run AND case_id = '' AND kind LIKE '" EVIDENCE_ROWS_BUNDLE "%'"

static enum database_status remove_evidence(struct database *database, const char *run)
{
    enum database_status status = database_begin(database);

    if (status != DATABASE_OK) {
        return status;
    }
    status = execute(database,
                     "UPDATE runs SET evidence_removed = strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), stored = stored - "
                     "(SELECT COALESCE(SUM(octets), 0) FROM evidence WHERE " OF_CASES ") WHERE id = :run AND "
                     "evidence_removed IS NULL",
                     run);
    status = status ? status : execute(database, "DELETE FROM evidence WHERE " OF_CASES, run);
    status = status ? status : execute(database, "DELETE FROM evidence WHERE " BUNDLES, run);
    return database_end(database, status);
}

void retain_expired(struct service *service)
{
    unsigned days = service->limits.of[LIMIT_RETAIN_DAYS];
    struct expired expired;

    while (days > 0 && !service->ending && find(service->database, days, &expired)) {
        if (remove_evidence(service->database, expired.run) != DATABASE_OK) {
            return; /* the next hour comes */
        }
        kept_forget(service->kept, expired.account, expired.run);
    }
}
