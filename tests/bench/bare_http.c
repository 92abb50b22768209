/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * bare-http FILE..: the least that libmicrohttpd does, as the yardstick of the service. Answers GET /N with the N-th
 * file, from memory, with as many threads as the service has. Prints its port and ends with its standard input.
 */
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MAX = 16, THREADS = 16, FILE_OCTETS_MAX = 16 * 1024 * 1024 };

static struct MHD_Response *answers[FILES_MAX];
static unsigned count;

// NOLINTNEXTLINE(readability-function-size): the parameters are libmicrohttpd's
static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                                  const char *version, const char *upload, size_t *upload_len, void **request)
{
    unsigned long number = strtoul(url + 1, NULL, 10);

    (void)context;
    (void)method;
    (void)version;
    (void)upload;
    if (!*request) {
        *request = answers; /* the second call answers, as the service's does */
        return MHD_YES;
    }
    *upload_len = 0;
    return number < count ? MHD_queue_response(connection, MHD_HTTP_OK, answers[number]) : MHD_NO;
}

static struct MHD_Response *load(const char *path)
{
    FILE *file = fopen(path, "re");
    char *octets = file ? malloc(FILE_OCTETS_MAX) : NULL;
    size_t len = octets ? fread(octets, 1, FILE_OCTETS_MAX, file) : 0;

    if (file) {
        fclose(file);
    }
    return octets ? MHD_create_response_from_buffer_with_free_callback(len, octets, free) : NULL;
}

int main(int argc, char **argv)
{
    struct MHD_Daemon *daemon;

    for (int i = 1; i < argc && count < FILES_MAX; i++) {
        answers[count] = load(argv[i]);
        if (!answers[count++]) {
            fprintf(stderr, "bare-http: %s: cannot be read\n", argv[i]);
            return 2;
        }
    }
    daemon = MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, on_request, NULL,
                              MHD_OPTION_THREAD_POOL_SIZE, (unsigned)THREADS, MHD_OPTION_END);
    if (!daemon) {
        fputs("bare-http: cannot listen\n", stderr);
        return 2;
    }
    printf("%d\n", MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
    fflush(stdout);
    while (getchar() != EOF) {
    }
    MHD_stop_daemon(daemon);
    return 0;
}
