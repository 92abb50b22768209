/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * API: profiles, their cases and requirements.
 */
#include "web/api/handlers.h"
#include "web/http/request.h"
#include "web/profiles/catalogue.h"
#include "web/service/service.h"

#include <string.h>

/* What the catalogue says is the same for everybody as long as the service runs. */
static void reply_for_all(struct request *request, json_t *body)
{
    request_reply_page_json(request, &(struct request_page){.type = "application/json", .for_good = true}, body);
}

void handle_profiles_get(struct request *request)
{
    if (!request_reply_kept_for_all(request, NULL)) {
        reply_for_all(request, json_pack("{s:o}", "profiles", catalogue_profiles(request->service->catalogue)));
    }
}

/* NULL: answered. */
static const struct case_list *find_cases(struct request *request)
{
    const struct case_list *cases = catalogue_cases(request->service->catalogue, request->parameters[0]);

    if (!cases) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_profile",
                            "There is no such profile, or its cases do not load.");
    }
    return cases;
}

void handle_cases_get(struct request *request)
{
    const struct case_list *cases = request_reply_kept_for_all(request, NULL) ? NULL : find_cases(request);
    json_t *list;

    if (!cases) {
        return;
    }
    list = json_array();
    for (size_t i = 0; i < case_list_count(cases); i++) {
        json_array_append_new(list, catalogue_case_json(case_list_at(cases, i), false));
    }
    reply_for_all(request, json_pack("{s:o}", "cases", list));
}

void handle_case_get(struct request *request)
{
    const struct case_list *cases = find_cases(request);

    if (!cases) {
        return;
    }
    for (size_t i = 0; i < case_list_count(cases); i++) {
        const struct case_info *about = case_list_at(cases, i);

        if (strcmp(about->id, request->parameters[1]) == 0) {
            json_t *object = catalogue_case_json(about, true);
            json_t *rows = catalogue_requirement_list(request->service->catalogue, request->parameters[0],
                                                      json_object_get(object, "requirements"));

            json_object_set_new(object, "requirement_rows", rows);
            json_object_set_new(
                object, "mutants",
                catalogue_mutants(request->service->catalogue, about->id, json_object_get(object, "requirements")));
            request_reply(request, MHD_HTTP_OK, object);
            return;
        }
    }
    request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_case", "The profile has no such case.");
}

void handle_requirements_get(struct request *request)
{
    const json_t *rows;

    if (request_reply_kept_for_all(request, NULL)) {
        return;
    }
    rows = catalogue_requirements(request->service->catalogue, request->parameters[0]);
    if (!rows) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_profile", "There is no catalogue of such a profile.");
        return;
    }
    reply_for_all(request, json_pack("{s:O,s:o}", "requirements", rows, "sections",
                                     catalogue_sections(request->service->catalogue, request->parameters[0])));
}
