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

/* ---- connect.c */

/* handle_connect answers GET /connect. */
void handle_connect(struct request *request);

/* ---- organisation.c */

/* handle_organisations_get answers GET /api/v1/organisations. */
void handle_organisations_get(struct request *request);
/* handle_organisations_post answers POST /api/v1/organisations. */
void handle_organisations_post(struct request *request);
/* handle_organisation_approve answers POST /api/v1/organisations/{organisation}/approve. */
void handle_organisation_approve(struct request *request);
/* handle_organisation_delete answers DELETE /api/v1/organisations/{organisation}. */
void handle_organisation_delete(struct request *request);

/* ---- waiver.c */

/* handle_waivers_get answers GET /api/v1/waivers. */
void handle_waivers_get(struct request *request);
/* handle_waivers_post answers POST /api/v1/waivers. */
void handle_waivers_post(struct request *request);
/* handle_waiver_grant answers POST /api/v1/waivers/{waiver}/grant. */
void handle_waiver_grant(struct request *request);
/* handle_waiver_delete answers DELETE /api/v1/waivers/{waiver}. */
void handle_waiver_delete(struct request *request);

/* ---- session.c */

/* handle_session_get answers GET /api/v1/session. */
void handle_session_get(struct request *request);
/* handle_session_post answers POST /api/v1/session. */
void handle_session_post(struct request *request);
/* handle_session_delete answers DELETE /api/v1/session. */
void handle_session_delete(struct request *request);
/* handle_link_post answers POST /api/v1/sign-in-links. */
void handle_link_post(struct request *request);

/* ---- sessions.c */

/* handle_sessions_get answers GET /api/v1/sessions. */
void handle_sessions_get(struct request *request);
/* handle_session_end answers DELETE /api/v1/sessions/{session}. */
void handle_session_end(struct request *request);
/* handle_sessions_delete answers DELETE /api/v1/sessions. */
void handle_sessions_delete(struct request *request);

/* ---- member.c */

/* handle_members_get answers GET /api/v1/members. */
void handle_members_get(struct request *request);
/* handle_member_post answers POST /api/v1/members/{member}. */
void handle_member_post(struct request *request);
/* handle_member_delete answers DELETE /api/v1/members/{member}. */
void handle_member_delete(struct request *request);
/* handle_password_post answers POST /api/v1/password. */
void handle_password_post(struct request *request);

/* ---- audit.c */

/* handle_rejudged_get answers GET /api/v1/rejudged. */
void handle_rejudged_get(struct request *request);

/* handle_audit_get answers GET /api/v1/audit. */
void handle_audit_get(struct request *request);

/* ---- account.c */

/* handle_accounts_get answers GET /api/v1/accounts. */
void handle_accounts_get(struct request *request);
/* handle_account_delete answers DELETE /api/v1/accounts/{account}. */
void handle_account_delete(struct request *request);

/* ---- token.c */

/* handle_tokens_get answers GET /api/v1/tokens. */
void handle_tokens_get(struct request *request);
/* handle_tokens_post answers POST /api/v1/tokens. */
void handle_tokens_post(struct request *request);
/* handle_token_delete answers DELETE /api/v1/tokens/{token}. */
void handle_token_delete(struct request *request);

/* ---- profile.c */

/* handle_profiles_get answers GET /api/v1/profiles. */
void handle_profiles_get(struct request *request);
/* handle_cases_get answers GET /api/v1/profiles/{profile}/cases. */
void handle_cases_get(struct request *request);
/* handle_case_get answers GET /api/v1/profiles/{profile}/cases/{case}. */
void handle_case_get(struct request *request);
/* handle_requirements_get answers GET /api/v1/profiles/{profile}/requirements. */
void handle_requirements_get(struct request *request);

/* ---- implementation.c */

/* handle_implementations_get answers GET /api/v1/implementations. */
void handle_implementations_get(struct request *request);
/* handle_implementations_post answers POST /api/v1/implementations. */
void handle_implementations_post(struct request *request);
/* handle_implementation_get answers GET /api/v1/implementations/{implementation}. */
void handle_implementation_get(struct request *request);
/* handle_implementation_delete answers DELETE /api/v1/implementations/{implementation}. */
void handle_implementation_delete(struct request *request);

/* ---- run.c */

/* handle_runs_get answers GET /api/v1/runs. */
void handle_runs_get(struct request *request);
/* handle_runs_post answers POST /api/v1/runs. */
void handle_runs_post(struct request *request);
/* handle_run_get answers GET /api/v1/runs/{run}. */
void handle_run_get(struct request *request);
/* handle_run_delete answers DELETE /api/v1/runs/{run}. */
void handle_run_delete(struct request *request);
/* handle_run_cancel answers POST /api/v1/runs/{run}/cancel. */
void handle_run_cancel(struct request *request);
/* handle_run_finish answers POST /api/v1/runs/{run}/finish. */
void handle_run_finish(struct request *request);
/* handle_run_pause answers POST /api/v1/runs/{run}/pause. */
void handle_run_pause(struct request *request);
/* handle_run_resume answers POST /api/v1/runs/{run}/resume. */
void handle_run_resume(struct request *request);

/* ---- result.c */

/* handle_results_get answers GET /api/v1/runs/{run}/results. */
void handle_results_get(struct request *request);
/* handle_result_get answers GET /api/v1/runs/{run}/results/{case}. */
void handle_result_get(struct request *request);
/* handle_result_again answers POST /api/v1/runs/{run}/results/{case}/again. */
void handle_result_again(struct request *request);
/* handle_transcript_get answers GET /api/v1/runs/{run}/results/{case}/transcript. */
void handle_transcript_get(struct request *request);
/* handle_capture_get answers GET /api/v1/runs/{run}/results/{case}/capture. */
void handle_capture_get(struct request *request);
/* handle_packets_get answers GET /api/v1/runs/{run}/results/{case}/packets. */
void handle_packets_get(struct request *request);
/* handle_packet_get answers GET /api/v1/runs/{run}/results/{case}/packets/{packet}. */
void handle_packet_get(struct request *request);
/* handle_ladder_get answers GET /api/v1/runs/{run}/results/{case}/ladder. */
void handle_ladder_get(struct request *request);
/* handle_report_get answers GET /api/v1/runs/{run}/report.json. */
void handle_report_get(struct request *request);
/* handle_preflight_get answers GET /api/v1/runs/{run}/preflight. */
void handle_preflight_get(struct request *request);
/* handle_junit_get answers GET /api/v1/runs/{run}/junit.xml. */
void handle_junit_get(struct request *request);

/* ---- export.c */

/* handle_requirements_csv_get answers GET /api/v1/runs/{run}/requirements.csv. */
void handle_requirements_csv_get(struct request *request);
/* handle_archive_get answers GET /api/v1/runs/{run}/report.zip. */
void handle_archive_get(struct request *request);

/* ---- share.c */

/* handle_shares_get answers GET /api/v1/runs/{run}/shares. */
void handle_shares_get(struct request *request);
/* handle_shares_post answers POST /api/v1/runs/{run}/shares. */
void handle_shares_post(struct request *request);
/* handle_share_delete answers DELETE /api/v1/runs/{run}/shares/{share}. */
void handle_share_delete(struct request *request);

/* ---- compare.c */

/* handle_compare_get answers GET /api/v1/runs/{run}/compare/{other}. */
void handle_compare_get(struct request *request);
/* handle_compare_case_get answers GET /api/v1/runs/{run}/compare/{other}/cases/{case}. */
void handle_compare_case_get(struct request *request);
/* handle_history_get answers GET /api/v1/profiles/{profile}/cases/{case}/history. */
void handle_history_get(struct request *request);
/* handle_matrix_get answers GET /api/v1/profiles/{profile}/matrix. */
void handle_matrix_get(struct request *request);

/* ---- certificate.c */

/* handle_run_certificate_get answers GET /api/v1/runs/{run}/certificate. */
void handle_run_certificate_get(struct request *request);
/* handle_key_get answers GET /api/v1/key. */
void handle_key_get(struct request *request);
/* handle_certificate_get answers GET /api/v1/certificates/{certificate}. */
void handle_certificate_get(struct request *request);
/* handle_certificate_proof_get answers GET /api/v1/certificates/{certificate}/proof. */
void handle_certificate_proof_get(struct request *request);
/* handle_certificate_revoke answers POST /api/v1/certificates/{certificate}/revoke. */
void handle_certificate_revoke(struct request *request);
/* handle_log_get answers GET /api/v1/log. */
void handle_log_get(struct request *request);
/* handle_log_growth_get answers GET /api/v1/log/since/{size}. */
void handle_log_growth_get(struct request *request);
/* handle_certificate_verify answers POST /api/v1/certificates/verify. */
void handle_certificate_verify(struct request *request);

/* ---- badge.c */

/* handle_badge answers GET /certificates/{certificate}/badge.svg. */
void handle_badge(struct request *request);

/* ---- health.c */

/* handle_health answers GET /healthz. */
void handle_health(struct request *request);

/* ---- metrics.c */

/* handle_metrics answers GET /metrics. */
void handle_metrics(struct request *request);

#endif
