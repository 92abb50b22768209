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
# Replicates are drawn by process 0, computed by all, and collected; MPI is asked for in configure by the name mpicc.
PHYML = """
mkdir bin
ln -s "$MPICC" bin/mpicc
export PATH="$PWD/bin:$PATH"
autoreconf -i
./configure -q --enable-phyml-mpi
make -s -j2 -C src CFLAGS='-w -O1 -msse3'
cp examples/nucleic src
printf '%s\\n' "cd $PWD/src" "rm -f nucleic_phyml_*" \\
    "$PORTALSRUN -np 3 ./phyml-mpi -i nucleic -b 6 --r_seed 7 -o lr --no_memory_check --quiet >said" \\
    'grep -h -e "^. Log-like" -e "^ *#[1-6]" nucleic_phyml_stats.txt nucleic_phyml_boot_stats.txt' >src/replicates
"""
LIKELIHOODS = (r"-5210\.71", r"-5969\.33", r"-5105\.25", r"-5203\.21", r"-5422\.99", r"-5371\.93")
REPLICATES = r"-5432\.64\d*\n" + "".join(rf" +#{number}\s+54\s+{likelihood}\d*\s.*\n"
                                         for number, likelihood in enumerate(LIKELIHOODS, 1))

ALL = (
    Library("mrbayes", "src", MRBAYES, (
        ("chains", OF_JOBS, "", r'^ +Likelihood of best state for "cold" chain of run 2 was -57\d\d\.'),)),
    Library("examl", "examl", EXAML, (
        ("evaluation", OF_JOBS, "", r"^Likelihood tree 0: -16235\.4087"),)),
    Library("phyml", "src", PHYML, (("replicates", OF_JOBS, "", REPLICATES),)),
)
