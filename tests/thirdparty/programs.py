# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Programs that Debian has, whose results are the same octets however many processes compute them."""

from library import OF_JOBS, Library

# A ray tracer, whose pictures are compared with those of the same program without MPI. No JPEG, PNG or threads. Its
# makefile takes no other compiler than mpicc; that a job is one, and not each process for itself, is seen in its words.
TACHYON = """
mkdir bin
ln -s "$MPICC" bin/mpicc
export PATH="$PWD/bin:$PATH"
cp -r unix alone
make -s -C alone linux-mpi MPIFLAGS=
mv compile/linux-mpi/tachyon alone/tachyon
rm -rf compile/linux-mpi
make -s -C unix linux-mpi
for scene in balls 2balls tetra teapot trypsin4pti
do
    ray="$PWD/compile/linux-mpi/tachyon $PWD/scenes/$scene.dat -res 160 160 -format PPM -o"
    cat >scenes/$scene <<END
set -e
cd $PWD/scenes
rm -f $scene.said
$PWD/alone/tachyon $scene.dat -res 160 160 -format PPM -o $scene.0.ppm
for processes in 1 2 3 4
do
    $PORTALSRUN -np \\$processes $ray $scene.\\$processes.ppm >>$scene.said
done
$PORTALSRUN --nal tcp -np 3 $ray $scene.5.ppm >>$scene.said
ASSAY_MPI=puma $PORTALSRUN -np 3 $ray $scene.6.ppm >>$scene.said
for picture in 1 2 3 4 5 6
do
    cmp $scene.0.ppm $scene.\\$picture.ppm
done
test \\$(grep -c 'Ray Tracing Time' $scene.said) = 6
echo all pictures are the same
END
done
"""
# Noise is taken from 150 reads of the package's example: distances, clusters, and reads that are likely, of flows and
# of sequences. Perseus wants GSL and no MPI. What the programs print of their progress comes in any order.
AMPLICONNOISE = """
for program in NDist PyroDist SeqDist SeqNoise PyroNoiseM FCluster
do
    make -s -C $program CC="$MPICC -w"
done
cat >Test/job <<END
set -e
export PYRO_LOOKUP_FILE=$PWD/Data/LookUp_E123.dat SEQ_LOOKUP_FILE=$PWD/Data/Tran.dat
rm -rf \\$1
mkdir \\$1
cd \\$1
name=\\$1
shift
{
    echo 150 360
    sed -n 2,151p $PWD/Test/C005.dat
} >s.dat
\\$@ $PWD/PyroDist/PyroDist -in s.dat -out s >../\\$name.said
$PWD/FCluster/FCluster -in s.fdist -out s_X >../\\$name.said
\\$@ $PWD/PyroNoiseM/PyroNoiseM -din s.dat -out n -lin s_X.list -s 60.0 -c 0.01 >../\\$name.said
perl $PWD/Scripts/Truncate.pl 220 <n_cd.fa >t.fa
\\$@ $PWD/SeqDist/SeqDist -in t.fa >t.seqdist
$PWD/FCluster/FCluster -in t.seqdist -out t_S >../\\$name.said
\\$@ $PWD/SeqNoise/SeqNoise -in t.fa -din t.seqdist -lin t_S.list -out q -s 30.0 -c 0.08 -min n.mapping >../\\$name.said
\\$@ $PWD/NDist/NDist -i -in n_cd.fa >n.ndist
$PWD/FCluster/FCluster -i -in n.ndist -out n >../\\$name.said
END
cat >Test/reads <<END
set -e
cd $PWD/Test
sh job two $PORTALSRUN -np 2
sh job four $PORTALSRUN -np 4
sh job tcp $PORTALSRUN --nal tcp -np 4
ASSAY_MPI=puma sh job puma $PORTALSRUN -np 4
for other in four tcp puma
do
    diff -r two \\$other
done
echo \\$(grep -c '>' two/n_cd.fa) of flows, \\$(grep -c '>' two/q_cd.fa) of sequences
END
"""

ALL = (
    Library("tachyon", "scenes", TACHYON, tuple(
        (scene, OF_JOBS, "", r"^all pictures are the same$")
        for scene in ("balls", "2balls", "tetra", "teapot", "trypsin4pti"))),
    Library("ampliconnoise", "Test", AMPLICONNOISE, (("reads", OF_JOBS, "", r"^34 of flows, 1 of sequences$"),)),
)
