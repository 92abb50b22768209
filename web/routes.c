/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The table of routes. A handler is found in the folder that its group names.
 */
#include "web/routes.h"

#include "web/api/handlers.h"
#include "web/live/handlers.h"
#include "web/pages/handlers.h"

enum { SMALL = 8 * 1024, RUN = 32 * 1024, CERTIFICATE = 64 * 1024 };

static const struct route rows[] = {
    {"GET", "/healthz", WHO_ANYONE, 0, handle_health, AT_ONCE},
    {"GET", "/metrics", WHO_ACCOUNT, 0, handle_metrics, ASIDE},
    {"GET", "/openapi.json", WHO_ANYONE, 0, handle_openapi, AT_ONCE},
    {"GET", "/download/assay-interpreter.tar.gz", WHO_ANYONE, 0, handle_tarball, AT_ONCE},
    {"GET", "/assets/{name}", WHO_ANYONE, 0, handle_asset, AT_ONCE},
    {"GET", "/favicon.ico", WHO_ANYONE, 0, handle_favicon, AT_ONCE},
    {"GET", "/connect", WHO_RUN, 0, handle_connect, AT_ONCE},

    {"GET", "/api/v1/session", WHO_ANYONE, 0, handle_session_get, AT_ONCE},
    {"POST", "/api/v1/session", WHO_ANYONE, SMALL, handle_session_post, AT_ONCE},
    {"DELETE", "/api/v1/session", WHO_ACCOUNT, 0, handle_session_delete, ASIDE},
    {"GET", "/api/v1/sessions", WHO_ACCOUNT, 0, handle_sessions_get, AT_ONCE},
    {"DELETE", "/api/v1/sessions", WHO_ACCOUNT, 0, handle_sessions_delete, ASIDE},
    {"DELETE", "/api/v1/sessions/{session}", WHO_ACCOUNT, 0, handle_session_end, ASIDE},
    {"POST", "/api/v1/password", WHO_ACCOUNT, SMALL, handle_password_post, AT_ONCE},
    {"GET", "/api/v1/members", WHO_ACCOUNT, 0, handle_members_get, AT_ONCE},
    {"POST", "/api/v1/members/{member}", WHO_ADMINISTRATOR, SMALL, handle_member_post, ASIDE},
    {"DELETE", "/api/v1/members/{member}", WHO_ACCOUNT, 0, handle_member_delete, ASIDE},
    {"GET", "/api/v1/audit", WHO_ADMINISTRATOR, 0, handle_audit_get, ASIDE},
    {"POST", "/api/v1/sign-in-links", WHO_ACCOUNT, SMALL, handle_link_post, ASIDE},
    {"GET", "/api/v1/accounts", WHO_ACCOUNT, 0, handle_accounts_get, ASIDE},
    {"DELETE", "/api/v1/accounts/{account}", WHO_ADMINISTRATOR, 0, handle_account_delete, ASIDE},
    {"GET", "/api/v1/tokens", WHO_ACCOUNT, 0, handle_tokens_get, AT_ONCE},
    {"POST", "/api/v1/tokens", WHO_ACCOUNT, SMALL, handle_tokens_post, ASIDE},
    {"DELETE", "/api/v1/tokens/{token}", WHO_ACCOUNT, 0, handle_token_delete, ASIDE},

    {"GET", "/api/v1/profiles", WHO_ACCOUNT, 0, handle_profiles_get, AT_ONCE},
    {"GET", "/api/v1/profiles/{profile}/cases", WHO_ACCOUNT, 0, handle_cases_get, AT_ONCE},
    {"GET", "/api/v1/profiles/{profile}/cases/{case}", WHO_ACCOUNT, 0, handle_case_get, ASIDE},
    {"GET", "/api/v1/profiles/{profile}/cases/{case}/history", WHO_ACCOUNT, 0, handle_history_get, ASIDE},
    {"GET", "/api/v1/profiles/{profile}/matrix", WHO_ACCOUNT, 0, handle_matrix_get, ASIDE},
    {"GET", "/api/v1/profiles/{profile}/requirements", WHO_ACCOUNT, 0, handle_requirements_get, AT_ONCE},

    {"GET", "/api/v1/implementations", WHO_ACCOUNT, 0, handle_implementations_get, AT_ONCE},
    {"POST", "/api/v1/implementations", WHO_TESTER, SMALL, handle_implementations_post, ASIDE},
    {"GET", "/api/v1/implementations/{implementation}", WHO_ACCOUNT, 0, handle_implementation_get, AT_ONCE},
    {"DELETE", "/api/v1/implementations/{implementation}", WHO_TESTER, 0, handle_implementation_delete, ASIDE},

    {"GET", "/api/v1/runs", WHO_ACCOUNT, 0, handle_runs_get, ASIDE},
    {"POST", "/api/v1/runs", WHO_COSTLY, RUN, handle_runs_post, ASIDE},
    {"GET", "/api/v1/runs/{run}", WHO_ACCOUNT, 0, handle_run_get, ASIDE},
    {"DELETE", "/api/v1/runs/{run}", WHO_COSTLY, 0, handle_run_delete, ASIDE},
    {"POST", "/api/v1/runs/{run}/cancel", WHO_COSTLY, 0, handle_run_cancel, ASIDE},
    {"POST", "/api/v1/runs/{run}/finish", WHO_COSTLY, 0, handle_run_finish, ASIDE},
    {"POST", "/api/v1/runs/{run}/pause", WHO_COSTLY, 0, handle_run_pause, ASIDE},
    {"POST", "/api/v1/runs/{run}/resume", WHO_COSTLY, 0, handle_run_resume, ASIDE},
    {"GET", "/api/v1/runs/{run}/events", WHO_ACCOUNT, 0, handle_run_events, AT_ONCE},
    {"GET", "/api/v1/runs/{run}/results", WHO_ACCOUNT, 0, handle_results_get, ASIDE},
    {"GET", "/api/v1/runs/{run}/results/{case}", WHO_ACCOUNT, 0, handle_result_get, ASIDE},
    {"POST", "/api/v1/runs/{run}/results/{case}/again", WHO_COSTLY, 0, handle_result_again, ASIDE},
    {"GET", "/api/v1/runs/{run}/results/{case}/transcript", WHO_ACCOUNT, 0, handle_transcript_get, ASIDE},
    {"GET", "/api/v1/runs/{run}/results/{case}/capture", WHO_ACCOUNT, 0, handle_capture_get, ASIDE},
    {"GET", "/api/v1/runs/{run}/results/{case}/packets", WHO_ACCOUNT, 0, handle_packets_get, AT_ONCE},
    {"GET", "/api/v1/runs/{run}/results/{case}/packets/{packet}", WHO_ACCOUNT, 0, handle_packet_get, AT_ONCE},
    {"GET", "/api/v1/runs/{run}/results/{case}/ladder", WHO_ACCOUNT, 0, handle_ladder_get, ASIDE},
    {"GET", "/api/v1/runs/{run}/compare/{other}", WHO_ACCOUNT, 0, handle_compare_get, ASIDE},
    {"GET", "/api/v1/runs/{run}/compare/{other}/cases/{case}", WHO_ACCOUNT, 0, handle_compare_case_get, ASIDE},
    {"GET", "/api/v1/runs/{run}/report.json", WHO_ACCOUNT, 0, handle_report_get, ASIDE},
    {"GET", "/api/v1/runs/{run}/report.html", WHO_ACCOUNT, 0, handle_report_page_get, ASIDE},
    {"GET", "/api/v1/runs/{run}/preflight", WHO_ACCOUNT, 0, handle_preflight_get, ASIDE},
    {"GET", "/api/v1/runs/{run}/junit.xml", WHO_ACCOUNT, 0, handle_junit_get, ASIDE},
    {"GET", "/api/v1/runs/{run}/requirements.csv", WHO_ACCOUNT, 0, handle_requirements_csv_get, ASIDE},
    {"GET", "/api/v1/runs/{run}/report.zip", WHO_ACCOUNT, 0, handle_archive_get, ASIDE},
    {"GET", "/api/v1/runs/{run}/shares", WHO_ACCOUNT, 0, handle_shares_get, AT_ONCE},
    {"POST", "/api/v1/runs/{run}/shares", WHO_CERTIFIER, SMALL, handle_shares_post, ASIDE},
    {"DELETE", "/api/v1/runs/{run}/shares/{share}", WHO_CERTIFIER, 0, handle_share_delete, ASIDE},
    {"GET", "/api/v1/runs/{run}/certificate", WHO_ACCOUNT, 0, handle_run_certificate_get, ASIDE},

    {"GET", "/api/v1/rejudged", WHO_ACCOUNT, 0, handle_rejudged_get, ASIDE},
    {"GET", "/api/v1/waivers", WHO_ACCOUNT, 0, handle_waivers_get, AT_ONCE},
    {"POST", "/api/v1/waivers", WHO_CERTIFIER, SMALL, handle_waivers_post, ASIDE},
    {"POST", "/api/v1/waivers/{waiver}/grant", WHO_ADMINISTRATOR, 0, handle_waiver_grant, ASIDE},
    {"DELETE", "/api/v1/waivers/{waiver}", WHO_CERTIFIER, 0, handle_waiver_delete, ASIDE},

    {"GET", "/api/v1/organisations", WHO_ACCOUNT, 0, handle_organisations_get, AT_ONCE},
    {"POST", "/api/v1/organisations", WHO_CERTIFIER, SMALL, handle_organisations_post, ASIDE},
    {"POST", "/api/v1/organisations/{organisation}/approve", WHO_CERTIFIER, 0, handle_organisation_approve, ASIDE},
    {"DELETE", "/api/v1/organisations/{organisation}", WHO_CERTIFIER, 0, handle_organisation_delete, ASIDE},

    {"GET", "/api/v1/key", WHO_ANYONE, 0, handle_key_get, AT_ONCE},
    {"GET", "/api/v1/certificates/{certificate}", WHO_ANYONE, 0, handle_certificate_get, ASIDE},
    {"GET", "/api/v1/certificates/{certificate}/proof", WHO_ANYONE, 0, handle_certificate_proof_get, ASIDE},
    {"POST", "/api/v1/certificates/{certificate}/revoke", WHO_ACCOUNT, SMALL, handle_certificate_revoke, ASIDE},
    {"GET", "/api/v1/log", WHO_ANYONE, 0, handle_log_get, AT_ONCE},
    {"GET", "/api/v1/log/since/{size}", WHO_ANYONE, 0, handle_log_growth_get, ASIDE},
    {"POST", "/api/v1/certificates/verify", WHO_ANYONE, CERTIFICATE, handle_certificate_verify, ASIDE},

    {"GET", "/book", WHO_ANYONE, 0, handle_book, AT_ONCE},
    {"GET", "/book/{profile}", WHO_ANYONE, 0, handle_book, AT_ONCE},
    {"GET", "/book/{profile}/{part}", WHO_ANYONE, 0, handle_book, AT_ONCE},
    {"GET", "/shared/{secret}", WHO_ANYONE, 0, handle_shared, ASIDE},
    {"GET", "/met/{token}", WHO_ANYONE, 0, handle_met, ASIDE},
    {"GET", "/sign-in", WHO_ANYONE, 0, handle_page, AT_ONCE},
    {"GET", "/certificates/{certificate}", WHO_ANYONE, 0, handle_page, AT_ONCE},
    {"GET", "/certificates/{certificate}/badge.svg", WHO_ANYONE, 0, handle_badge, AT_ONCE},
    {"GET", "/verify", WHO_ANYONE, 0, handle_page, AT_ONCE},
    {"GET", "/", WHO_PAGE, 0, handle_page, AT_ONCE},
    {"GET", "/account", WHO_PAGE, 0, handle_page, AT_ONCE},
    {"GET", "/implementations/new", WHO_PAGE, 0, handle_page, AT_ONCE},
    {"GET", "/waivers", WHO_PAGE, 0, handle_page, AT_ONCE},
    {"GET", "/runs/new", WHO_PAGE, 0, handle_page, AT_ONCE},
    {"GET", "/runs/{run}", WHO_PAGE, 0, handle_page, AT_ONCE},
    {"GET", "/runs/{run}/cases/{case}", WHO_PAGE, 0, handle_page, AT_ONCE},
    {"GET", "/runs/{run}/compare/{other}", WHO_PAGE, 0, handle_page, AT_ONCE},
    {"GET", "/profiles/{profile}", WHO_PAGE, 0, handle_page, AT_ONCE},
    {"GET", "/profiles/{profile}/matrix", WHO_PAGE, 0, handle_page, AT_ONCE},
    {"GET", "/profiles/{profile}/cases/{case}", WHO_PAGE, 0, handle_page, AT_ONCE},
    {"GET", "/replay", WHO_PAGE, 0, handle_page, AT_ONCE},
    {"GET", "/replay/{lesson}", WHO_PAGE, 0, handle_page, AT_ONCE},
};

const struct route_table routes = {rows, sizeof rows / sizeof rows[0]};
