/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The service's log of certificates (tester/report/log.h) in its database: rows that are added and never changed.
 */
#ifndef WEB_RUNS_CERTIFICATE_LOG_H
#define WEB_RUNS_CERTIFICATE_LOG_H

#include "web/store/database.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct service;

/* certificate_log_issued adds that the certificate was issued. Part of the caller's transaction. */
enum database_status certificate_log_issued(struct database *database, const json_t *certificate);

/* certificate_log_revoke adds that the certificate of that id is revoked, for that reason. *found false: there is none.
 * DATABASE_CONFLICT: it has been revoked before. */
enum database_status certificate_log_revoke(struct database *database, const char *id, const char *reason, bool *found);

/* certificate_log_fill adds the certificates that an earlier version has issued without a log. For the start. */
enum database_status certificate_log_fill(struct database *database);

/* certificate_log_proof gives the proof of a certificate; NULL: there is none, or *status says why. */
json_t *certificate_log_proof(const struct service *service, const char *id, enum database_status *status);

/* certificate_log_list gives the log: its signed head and all its entries, as texts. NULL as above. */
json_t *certificate_log_list(const struct service *service, enum database_status *status);

/* certificate_log_growth gives what shows that the log began with its first `before` entries (log.h). NULL with
 * DATABASE_OK: it has not so many, or `before` is 0. */
json_t *certificate_log_growth(const struct service *service, uint64_t before, enum database_status *status);

/* certificate_log_is_revoked tells whether the certificate is revoked, and since when and why. */
struct revocation {
    bool is_revoked;
    char at[32], reason[512];
};
enum database_status certificate_log_is_revoked(struct database *database, const char *id,
                                                struct revocation *revocation);

#endif
