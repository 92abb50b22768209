/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * See launcher.h. A launcher tells each process its rank and how many there are. Where it says that there are several
 * but shows no way to find the others, each of them would be a job of size one, and nobody would notice.
 */
#include "ref-impl/job/launcher.h"

#include "ref-impl/job/join.h"

#include <stdlib.h>
#include <string.h>

/* What a launcher sets, and how its processes can be one job after all. */
static const struct launcher {
    const char *name, *rank, *size, *remedy;
} launchers[] = {
    {"Open MPI's mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "pass its PMIX_ variables on to the program"},
    {"Slurm's srun", "SLURM_PROCID", "SLURM_NTASKS", "start it by srun --mpi=pmix"},
    {"Flux", "FLUX_TASK_RANK", "FLUX_JOB_SIZE", "start it by flux run -o pmi=pmix"},
    {"a PMI launcher such as MPICH's mpirun", "PMI_RANK", "PMI_SIZE",
     "start it by portalsrun, Open MPI's mpirun, prterun or srun --mpi=pmix"},
};

/* Whether the environment has this number, up to `max`. */
static bool number_get(const char *name, uint32_t max, uint32_t *number)
{
    return job_number_parse(getenv(name), max, number);
}

bool job_launcher_excluded(void)
{
    const char *alone = getenv("ASSAY_SINGLETON");

    if (alone && *alone && strcmp(alone, "0") != 0) {
        return false;
    }
    for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; i++) {
        const struct launcher *one = &launchers[i];
        uint32_t rank = 0;
        uint32_t size = 0;

        if (number_get(one->size, UINT32_MAX, &size) && size > 1 && number_get(one->rank, size - 1, &rank)) {
            job_complain(
                "%s started this process as rank %u of %u (%s, %s), but offers no PMIx by which it could find the "
                "others: %s; or set ASSAY_SINGLETON=1 to make each process a job of its own",
                one->name, (unsigned)rank, (unsigned)size, one->rank, one->size, one->remedy);
            return true;
        }
    }
    return false;
}
