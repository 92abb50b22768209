# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# Tests of point-to-point messages: these are MPI programs that look at themselves, test_p2p.py runs them as jobs;
# wide*.c play the host agent of one process.

P2P_PROGRAMS := modes stress flood many unmet ahead cancel cancel_short crowd held listed signals idle
P2P_UNITS    := wide_messages wide_flow wide_cancel wide_contexts wide_end wide_hostile wide_endless

ifneq ($(VARIANT),fuzz)
$(foreach name,$(P2P_PROGRAMS),$(eval $(call link,$(OUT)/mpi/p2p_$(name),mpi-p2p_$(name),tests/mpi/p2p/$(name).c,\
    assay-mpi portals,-I ref-impl/include,-lpthread -ldl)))
$(foreach name,bits buffers lists,$(eval $(call unit,mpi_p2p_$(name),tests/mpi/p2p/$(name).c,assay-mpi-inside wire portals,\
    -I ref-impl/include,-lpthread -ldl)))
$(foreach name,$(P2P_UNITS),$(eval $(call unit,mpi_p2p_$(name),tests/mpi/p2p/$(name).c tests/mpi/p2p/agent.c,\
    assay-mpi-inside wire portals,-I ref-impl/include,-lpthread -ldl)))
EXTRA_ALL += $(addprefix $(OUT)/mpi/p2p_,$(P2P_PROGRAMS))
endif

# `make bench-mpi`: beside TCP and Debian's MPI libraries. Meaningful in the release variant only; not installed.
$(eval $(call link,$(OUT)/bench/bench_mpi,bench-mpi,tests/bench/bench_mpi.c,assay-mpi portals,-I ref-impl/include,-lpthread -ldl))
BENCHES += bench-mpi
.PHONY: bench-mpi
bench-mpi: $(BIN)/portalsrun $(BIN)/impirun $(OUT)/bench/bench_mpi
	$(Q)$(PYTHON) tests/bench/bench_mpi.py --bin '$(BIN)' '$(OUT)/bench/bench_mpi'
