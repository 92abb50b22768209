/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Placeholders in the vendor's command.
 */
#include "interpreter/agent/template.h"
#include "tests/unit/tap.h"

static const struct template_values all = {.np = "4",
                                           .client = "0",
                                           .server = "10.0.0.1:99",
                                           .clients = "3",
                                           .hosts = "2",
                                           .options = "-port 7 -auth 1-0",
                                           .manager = "host:1",
                                           .token = "secret-token_0123"};

/* expands checks the arguments that come out; `expected` ends with NULL. */
static void expands(const char *const *words, const struct template_values *values, const char *const *expected)
{
    struct failure failure = {0};
    char **arguments = template_expand((char *const *)(const void *)words, values, &failure);
    size_t i = 0;

    if (!CHECK(arguments && !failure.code, "expands %s", words[0]))
        return;
    for (; arguments[i] && expected[i]; i++)
        CHECK_STR(arguments[i], expected[i], "argument");
    CHECK(!arguments[i] && !expected[i], "as many arguments as expected");
    template_free(arguments);
}

static void replaces(void)
{
    expands((const char *const[]){"run", "-n{np}{np}", "{client}", "{server}/{np}", "{args}", "x", NULL}, &all,
            (const char *const[]){"run", "-n44", "0", "10.0.0.1:99/4", "--manager", "host:1", "--token",
                                  "secret-token_0123", "x", NULL});
    expands((const char *const[]){"{np}", NULL}, &all,
            (const char *const[]){"4", "--manager", "host:1", "--token", "secret-token_0123", NULL});
    expands((const char *const[]){"run", "", "{", "{n", "{NP}", "{{np}}", "a{args}", "{args}", NULL}, &all,
            (const char *const[]){"run", "", "{", "{n", "{NP}", "{4}", "a{args}", "--manager", "host:1", "--token",
                                  "secret-token_0123", NULL});
    expands((const char *const[]){"{args}", "{args}", NULL}, &all,
            (const char *const[]){"--manager", "host:1", "--token", "secret-token_0123", "--manager", "host:1",
                                  "--token", "secret-token_0123", NULL});
}

static void replaces_for_servers(void)
{
    struct template_values server = all;

    server.token = NULL;
    expands((const char *const[]){"run", "{clients}", "{hosts}{client}", "{options}", "x{options}", "{args}", NULL},
            &server, (const char *const[]){"run", "3", "20", "-port", "7", "-auth", "1-0", "x{options}", NULL});
    server.options = "-auth 1";
    server.clients = "";
    expands((const char *const[]){"run", "{clients}", "{clients}{clients}", "{options}", NULL}, &server,
            (const char *const[]){"run", "", "-auth", "1", NULL});
    server.options = NULL;
    expands((const char *const[]){"run", "{options}", "{args}", "{options}", NULL}, &server,
            (const char *const[]){"run", NULL});
}

static void does_not_replace_twice(void)
{
    struct template_values odd = all;

    odd.server = "{np}";
    expands((const char *const[]){"{server}{args}", "{args}", NULL}, &odd,
            (const char *const[]){"{np}{args}", "--manager", "host:1", "--token", "secret-token_0123", NULL});
}

static void misses(void)
{
    static const char *const words[] = {"run", "{client}", NULL};
    struct template_values none = {.np = "1", .manager = "host:1", .token = "secret-token_0123"};
    struct failure failure = {0};

    CHECK(!template_expand((char *const *)(const void *)words, &none, &failure), "a placeholder without a value");
    CHECK_STR(failure.code, "missing", "is missing");
}

static void needs_a_command(void)
{
    static const char *const words[] = {"{clients}", "{options}", NULL};
    struct template_values empty = {.clients = ""};
    struct failure failure = {0};

    CHECK(!template_expand((char *const *)(const void *)words, &empty, &failure),
          "a template of which nothing is left");
    CHECK_STR(failure.code, "missing", "is missing");
}

int main(void)
{
    TAP_RUN(replaces);
    TAP_RUN(replaces_for_servers);
    TAP_RUN(does_not_replace_twice);
    TAP_RUN(misses);
    TAP_RUN(needs_a_command);
    return tap_done();
}
