# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Programs that Debian has for the descent of species: what they find does not depend on whose MPI it is."""

from library import OF_JOBS, Library

MRBAYES = """
./configure -q --with-mpi=yes --without-beagle --without-readline CC="$MPICC" MPICC="$MPICC" CFLAGS='-w -O1'
make -s -j2
cat >run.nex <<END
begin mrbayes;
    set autoclose=yes nowarn=yes seed=11 swapseed=7;
    execute $PWD/examples/primates.nex;
    lset nst=6 rates=gamma;
    mcmc ngen=4000 nchains=4 nruns=2 samplefreq=100 printfreq=1000 filename=out;
    quit;
end;
END
printf '%s\\n' "$PORTALSRUN -np 4 $PWD/src/mb $PWD/run.nex" >src/chains
"""
EXAML = """
make -s -C parser -f Makefile.SSE3.gcc
parser/parse-examl -s testData/49 -m DNA -n 49
make -s -C examl -f Makefile.SSE3.gcc CC="$MPICC -w -fcommon"
printf '%s\\n' "$PORTALSRUN -np 4 $PWD/examl/examl -t $PWD/testData/49.tree -m GAMMA -s $PWD/49.binary -n out -f E" \\
    >examl/evaluation
"""

ALL = (
    Library("mrbayes", "src", MRBAYES, (
        ("chains", OF_JOBS, "", r'^ +Likelihood of best state for "cold" chain of run 2 was -57\d\d\.'),)),
    Library("examl", "examl", EXAML, (
        ("evaluation", OF_JOBS, "", r"^Likelihood tree 0: -16235\.4087"),)),
)
