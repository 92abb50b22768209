/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The unit tests' voice: TAP on standard output. A test program is a list of functions:
 *
 *     static void adds(void)
 *     {
 *         CHECK(1 + 1 == 2, "one and one");
 *         CHECK_EQ(sum(2, 3), 5, "two and three");
 *     }
 *
 *     int main(void)
 *     {
 *         TAP_RUN(adds);
 *         return tap_done();
 *     }
 *
 * A check never compiles out, whatever NDEBUG says, and never ends the program: the rest still runs. A program whose
 * main returns tap_done() exits 1 when a check failed or when none ran. Checks may be made from several threads.
 */
#ifndef TESTS_UNIT_TAP_H
#define TESTS_UNIT_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The counts of one program. Guarded by stdout's own lock, which also keeps a check's lines together. */
struct tap_counts {
    unsigned run;
    unsigned failed;
};

/* tap_program - the one set of counts of this program, however many translation units it has. */
__attribute__((weak)) struct tap_counts tap_program;

/* tap_counts - where it is. */
static inline struct tap_counts *tap_counts(void)
{
    return &tap_program;
}

/* tap_check - counts one check and prints its line; on failure prints the place and the condition too.
 * Returns `good`, so that a test can leave early: if (!CHECK(...)) return; */
__attribute__((format(printf, 5, 6))) static inline bool tap_check(bool good, const char *file, int line,
                                                                   const char *condition, const char *fmt, ...)
{
    struct tap_counts *counts = tap_counts();
    va_list args;

    flockfile(stdout);
    counts->run++;
    printf("%s %u - ", good ? "ok" : "not ok", counts->run);
    va_start(args, fmt);
    vprintf(fmt, args);
    va_end(args);
    putchar('\n');
    if (!good) {
        counts->failed++;
        printf("# %s:%d: failed: %s\n", file, line, condition);
    }
    fflush(stdout);
    funlockfile(stdout);
    return good;
}

/* tap_check_eq - like tap_check for two whole numbers, and shows both when they differ. */
static inline bool tap_check_eq(unsigned long long got, unsigned long long want, const char *file, int line,
                                const char *condition, const char *what)
{
    bool good = tap_check(got == want, file, line, condition, "%s", what);

    if (!good) {
        printf("# got  %llu (0x%llx)\n# want %llu (0x%llx)\n", got, got, want, want);
    }
    return good;
}

/* tap_check_str - like tap_check for two strings, and shows both when they differ. */
static inline bool tap_check_str(const char *got, const char *want, const char *file, int line, const char *condition,
                                 const char *what)
{
    bool good = tap_check(got && want && strcmp(got, want) == 0, file, line, condition, "%s", what);

    if (!good) {
        printf("# got  %s\n# want %s\n", got ? got : "(null)", want ? want : "(null)");
    }
    return good;
}

/* tap_print_octets - prints octets as a diagnostic, sixteen a line. */
static inline void tap_print_octets(const char *label, const unsigned char *octets, size_t len)
{
    printf("# %s (%zu octets)", label, len);
    for (size_t i = 0; i < len; i++) {
        printf("%s%02x", i % 16 ? " " : "\n#   ", octets[i]);
    }
    putchar('\n');
}

/* tap_check_mem - like tap_check for octets, and shows both when they differ. */
static inline bool tap_check_mem(const void *got, const void *want, size_t len, const char *file, int line,
                                 const char *what)
{
    bool good = tap_check(memcmp(got, want, len) == 0, file, line, "same octets", "%s", what);

    if (!good) {
        tap_print_octets("got", got, len);
        tap_print_octets("want", want, len);
    }
    return good;
}

/* tap_skip - counts one check that cannot be made here, with the reason. */
static inline void tap_skip(const char *what, const char *why)
{
    printf("ok %u - %s # SKIP %s\n", ++tap_counts()->run, what, why);
}

/* tap_done - prints the plan and returns the exit status of main: 0 when all checks held and at least one was made. */
static inline int tap_done(void)
{
    struct tap_counts *counts = tap_counts();

    printf("1..%u\n", counts->run);
    if (counts->failed) {
        printf("# %u of %u failed\n", counts->failed, counts->run);
    }
    return counts->failed || counts->run == 0;
}

/* CHECK - one check: a condition, then a printf format and its arguments that say what is demanded. */
#define CHECK(condition, ...) tap_check((condition), __FILE__, __LINE__, #condition, __VA_ARGS__)
/* CHECK_EQ - one check of two whole numbers; `what` is a plain string. */
#define CHECK_EQ(got, want, what)                                                                                      \
    tap_check_eq((unsigned long long)(got), (unsigned long long)(want), __FILE__, __LINE__, #got " == " #want, (what))
/* CHECK_STR - one check of two strings. */
#define CHECK_STR(got, want, what) tap_check_str((got), (want), __FILE__, __LINE__, #got " is " #want, (what))
/* CHECK_MEM - one check of `len` octets at two places. */
#define CHECK_MEM(got, want, len, what) tap_check_mem((got), (want), (len), __FILE__, __LINE__, (what))
/* TAP_RUN - runs one test function under a heading. */
#define TAP_RUN(function)                                                                                              \
    do {                                                                                                               \
        printf("# %s\n", #function);                                                                                   \
        function();                                                                                                    \
    } while (0)

#endif
