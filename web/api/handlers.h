/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The handlers of the JSON API, grouped by the file they are in.
 * What each answers is described for its route in
 * specs/openapi.json. A handler runs on a thread of the HTTP server, when the whole body is there, and answers exactly
 * once; it may wait for the database and for nothing else.
 */
#ifndef WEB_API_HANDLERS_H
#define WEB_API_HANDLERS_H

struct request;

/* session.c */
void handle_session_get(struct request *request);
void handle_session_post(struct request *request);
void handle_session_delete(struct request *request);
void handle_sessions_delete(struct request *request);
void handle_link_post(struct request *request);

/* account.c */
void handle_accounts_get(struct request *request);
void handle_account_delete(struct request *request);

/* token.c */
void handle_tokens_get(struct request *request);
void handle_tokens_post(struct request *request);
void handle_token_delete(struct request *request);

/* profile.c */
void handle_profiles_get(struct request *request);
void handle_cases_get(struct request *request);
void handle_case_get(struct request *request);
void handle_requirements_get(struct request *request);

/* implementation.c */
void handle_implementations_get(struct request *request);
void handle_implementations_post(struct request *request);
void handle_implementation_get(struct request *request);
void handle_implementation_delete(struct request *request);

/* run.c */
void handle_runs_get(struct request *request);
void handle_runs_post(struct request *request);
void handle_run_get(struct request *request);
void handle_run_delete(struct request *request);
void handle_run_cancel(struct request *request);

/* result.c */
void handle_results_get(struct request *request);
void handle_result_get(struct request *request);
void handle_transcript_get(struct request *request);
void handle_capture_get(struct request *request);
void handle_ladder_get(struct request *request);
void handle_report_get(struct request *request);
void handle_junit_get(struct request *request);

/* certificate.c */
void handle_run_certificate_get(struct request *request);
void handle_key_get(struct request *request);
void handle_certificate_get(struct request *request);
void handle_certificate_verify(struct request *request);

#endif
