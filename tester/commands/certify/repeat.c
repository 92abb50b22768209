/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * `assay certify --repeat N`: what the runs came to, case by case. What comes out one way in one run and another way in
 * the next is what somebody repeats a case for, so those cases are told one by one, with the runs that went each way.
 */
#include "tester/commands/certify/certify.h"
#include "tester/report/chapters.h"

#include <string.h>

void certify_repeat_add(struct certify_client *client, const char *run, json_t *tallies)
{
    char path[160];
    json_t *answer, *result;
    size_t i;

    snprintf(path, sizeof path, "/api/v1/runs/%s/results", run);
    answer = certify_client_json(client, "GET", path, NULL);
    json_array_foreach(json_object_get(answer, "results"), i, result)
    {
        const char *id = json_string_value(json_object_get(result, "id"));
        const char *verdict = json_string_value(json_object_get(result, "verdict"));
        json_t *of_case;

        if (!id || !verdict) {
            continue;
        }
        of_case = json_object_get(tallies, id);
        if (!of_case) {
            json_object_set_new(tallies, id, json_object());
            of_case = json_object_get(tallies, id);
        }
        if (!json_object_get(of_case, verdict)) {
            json_object_set_new(of_case, verdict, json_array());
        }
        json_array_append_new(json_object_get(of_case, verdict), json_string(run));
    }
    json_decref(answer);
}

/* "18 pass, 2 fail"; with the runs behind it: those of every verdict but the first that there is. */
static void show_counts(json_t *of_case, const char *url, const char *id)
{
    size_t shown = 0;

    for (size_t i = 0; i < CHAPTERS_VERDICTS; i++) {
        size_t count = json_array_size(json_object_get(of_case, chapters_verdicts[i]));

        if (count > 0) {
            printf("%s%zu %s", shown++ ? ", " : "", count, chapters_verdicts[i]);
        }
    }
    putchar('\n');
    for (size_t i = 1; shown > 1 && i < CHAPTERS_VERDICTS; i++) {
        json_t *run;
        size_t at;

        json_array_foreach(json_object_get(of_case, chapters_verdicts[i]), at, run)
        {
            printf("  %-12s %s/runs/%s/cases/%s\n", chapters_verdicts[i], url, json_string_value(run), id);
        }
    }
}

void certify_repeat_show(const char *url, json_t *tallies, long long count)
{
    size_t alike = 0;
    const char *id;
    json_t *of_case;

    printf("\n%lld runs:\n", count);
    json_object_foreach(tallies, id, of_case)
    {
        if (json_object_size(of_case) > 1 || json_object_size(tallies) == 1) {
            printf("%s: ", id);
            show_counts(of_case, url, id);
        } else {
            alike++;
        }
    }
    if (alike > 0) {
        printf("%zu %s the same way in every run\n", alike, alike == 1 ? "case went" : "cases went");
    }
}
