/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Saves what the service has of a run into a folder: report.json, junit.xml, certificate.json, and the evidence of
 * every case at the places that report.json names.
 */
#include "tester/commands/certify/certify.h"
#include "tester/report/html.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

static bool complain(const char *what)
{
    fprintf(stderr, "assay certify: %s\n", what);
    return false;
}

/* A place in the report is one below the report's folder, whatever the service says. */
static bool is_below(const char *place)
{
    return place[0] != '/' && place[0] != '\0' && !strstr(place, "..") && !strpbrk(place, "\\\n\r");
}

/* Makes the folders above `file`, from the report's folder on. */
static bool make_folders(char *file)
{
    for (char *at = file + 1; (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        if (mkdir(file, 0777) != 0 && errno != EEXIST) {
            fprintf(stderr, "assay certify: %s: cannot make the folder: %s\n", file, strerror(errno));
            *at = '/';
            return false;
        }
        *at = '/';
    }
    return true;
}

/* Saves PATH as FOLDER/PLACE. What the service does not have is no mistake when it is optional. */
static bool save(struct certify_client *client, const char *path, const char *folder, const char *place, bool optional)
{
    char file[4096];

    if (!is_below(place) || snprintf(file, sizeof file, "%s/%s", folder, place) >= (int)sizeof file) {
        return complain("the report names a place that is not below its folder");
    }
    if (!make_folders(file)) {
        return false;
    }
    if (certify_client_save(client, path, file)) {
        return true;
    }
    return (optional && client->status == 404) || complain(client->message);
}

static bool save_evidence(struct certify_client *client, const char *run, const char *folder, const json_t *one)
{
    static const char *const kinds[] = {"transcript", "capture", "ladder"};
    const char *id = json_string_value(json_object_get(one, "id"));
    char path[512];

    for (size_t i = 0; id && i < sizeof kinds / sizeof kinds[0]; i++) {
        const char *place = json_string_value(json_object_get(one, kinds[i]));

        if (place && *place) {
            snprintf(path, sizeof path, "/api/v1/runs/%s/results/%s/%s", run, id, kinds[i]);
            if (!save(client, path, folder, place, true)) {
                return false;
            }
        }
    }
    return true;
}

/* How the start went. A service that does not keep it has none. */
static bool save_preflight(struct certify_client *client, const char *run, const char *folder, const json_t *report)
{
    const char *place = json_string_value(json_object_get(report, "preflight"));
    char path[512];

    snprintf(path, sizeof path, "/api/v1/runs/%s/preflight", run);
    return !place || !*place || save(client, path, folder, place, true);
}

bool certify_fetch_report(struct certify_client *client, const char *run, const char *folder)
{
    char path[512];
    json_t *report, *cases, *one;
    size_t i;
    bool good;

    snprintf(path, sizeof path, "/api/v1/runs/%s/report.json", run);
    report = certify_client_json(client, "GET", path, NULL);
    if (!report) {
        return complain(client->message);
    }
    good = save(client, path, folder, "report.json", false);
    snprintf(path, sizeof path, "/api/v1/runs/%s/junit.xml", run);
    good = good && save(client, path, folder, "junit.xml", false);
    snprintf(path, sizeof path, "/api/v1/runs/%s/certificate", run);
    good = good && save(client, path, folder, "certificate.json", true);
    good = good && save_preflight(client, run, folder, report);
    cases = json_object_get(report, "cases");
    json_array_foreach(cases, i, one)
    {
        good = good && save_evidence(client, run, folder, one);
    }
    json_decref(report);
    if (good && !report_html_save(folder)) {
        fprintf(stderr, "assay certify: %s/report.html cannot be written\n", folder);
        good = false;
    }
    return good;
}
