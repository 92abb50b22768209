/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a run has found broken so far, and what it has seen work. One fault of a system under test shows in many cases;
 * the first that judges it names the requirement, the others are told apart from it by this.
 */
#ifndef TESTER_JUDGING_FAULTS_H
#define TESTER_JUDGING_FAULTS_H

#include "tester/judging/symptom.h"

#include <stdbool.h>
#include <stdint.h>

/* struct fault is a symptom by which a case has failed; it lives as long as the faults. */
struct fault {
    struct symptom symptom;
    char requirement[16], case_id[72];
    bool foundation; /* that case is one on which all others rest */
    unsigned shown;  /* how many cases have shown it; guarded by the faults' lock */
    struct fault *next;
};

struct faults;

/* faults_open begins with none; faults_close frees all. The functions below may be called on any thread. */
struct faults *faults_open(void);
void faults_close(struct faults *faults);

/* faults_add notes that a case, perhaps a foundation, has failed by the requirement with this symptom. faults_find
 * gives the first such fault, or NULL; faults_again notes that one more case has shown it. faults_hanging gives the
 * one by which a function does not return, when several cases have shown that and none in this run has seen the
 * function return, or NULL. */
void faults_add(struct faults *faults, const struct symptom *symptom, const char *requirement, const char *case_id,
                bool foundation);
const struct fault *faults_find(struct faults *faults, const struct symptom *symptom);
void faults_again(struct faults *faults, const struct fault *fault);
const struct fault *faults_hanging(struct faults *faults, const char *function);

/* faults_losing gives the first fault by which something is lost at times, or NULL: whatever does not come may have
 * been lost, although it has come elsewhere in the run. */
const struct fault *faults_losing(struct faults *faults);

/* faults_base gives the first fault by which a foundation misses something that the run has never seen come, or NULL:
 * what comes only behind that cannot come either. */
const struct fault *faults_base(struct faults *faults);

/* faults_returned notes that a function has returned, faults_worked that it, or a step, has also done well.
 * faults_refuted tells whether the run has seen the contrary of a symptom. */
void faults_returned(struct faults *faults, const char *subject);
void faults_worked(struct faults *faults, const char *subject);
bool faults_refuted(struct faults *faults, const struct symptom *symptom);

/* faults_missed notes that a step was waited for in vain. faults_patience is how long to wait for one: `ms`, but not so
 * long when it has been missed several times and never been taken in this run. */
void faults_missed(struct faults *faults, const char *step);
int64_t faults_patience(struct faults *faults, const char *step, int64_t ms);

#endif
