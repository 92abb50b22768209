# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# Tests of the MPI library. test_*.c look inside, as one process of a world that they make up (play.h); programs/ are
# ordinary MPI programs, which test_programs.py compiles and runs with this library and with Debian's.

MPI_UNITS := $(patsubst tests/mpi/test_%.c,%,$(sort $(wildcard tests/mpi/test_*.c)))

$(foreach name,$(MPI_UNITS),$(eval $(call unit,mpi_$(name),tests/mpi/test_$(name).c tests/mpi/play.c,assay-mpi-inside wire,\
    -I ref-impl/include,)))

# `make layouts`: collective operations on every layout of eight processes; LAYOUTFLAGS="--every 8" takes a part.
.PHONY: layouts
layouts: all
	$(Q)PYTHONDONTWRITEBYTECODE=1 $(PYTHON) tests/mpi/layouts.py --bin '$(abspath $(BIN))' $(LAYOUTFLAGS)

# `make drawn`: programs drawn by lot, with this library and with others; DRAWNFLAGS="--first 1000 --seeds 50".
.PHONY: drawn
drawn: all
	$(Q)PYTHONDONTWRITEBYTECODE=1 $(PYTHON) tests/mpi/drawn.py --bin '$(abspath $(BIN))' $(DRAWNFLAGS)

include tests/mpi/p2p/p2p.mk
