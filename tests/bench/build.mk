# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# Benchmarks. `make bench-codec`: what a header costs. Meaningful in the release variant only; not installed.

$(eval $(call link,$(OUT)/bench/bench_codec,bench-codec,tests/bench/bench_codec.c,wire))

BENCHES += bench-codec
.PHONY: bench-codec
bench-codec: $(OUT)/bench/bench_codec
	$(Q)$(OUT)/bench/bench_codec

# Thousands of endpoints in one process; their allocations are counted. `make bench-scale`: what it costs to be many.
comma := ,
SCALE     := $(addprefix tests/bench/,many.c traffic.c server.c) tests/unit/heap.c
HEAP_WRAP := -Wl$(comma)--wrap=malloc$(comma)--wrap=calloc$(comma)--wrap=aligned_alloc$(comma)--wrap=realloc$(comma)--wrap=free -lpthread -ldl

ifneq ($(VARIANT),fuzz)
$(eval $(call unit,scale,tests/bench/test_scale.c $(SCALE),portals-inside,,$(HEAP_WRAP)))
endif
$(eval $(call link,$(OUT)/bench/bench_scale,bench-scale,tests/bench/bench_scale.c tests/bench/baseline.c $(SCALE),portals-inside,,$(HEAP_WRAP)))

# Large pages, where the system has them: ten thousand endpoints touch more small ones than a processor remembers, which
# no node of a job does. SCALE_PAGES= measures with the small ones.
SCALE_PAGES ?= GLIBC_TUNABLES=glibc.malloc.hugetlb=1

BENCHES += bench-scale
.PHONY: bench-scale
bench-scale: $(OUT)/bench/bench_scale
	$(Q)$(SCALE_PAGES) $(OUT)/bench/bench_scale

# Reading from the service beside a bare program of the same HTTP library.
$(eval $(call link,$(OUT)/bench/bare-http,bare-http,tests/bench/bare_http.c,,$(call pkgcflags,libmicrohttpd),$(call pkglibs,libmicrohttpd)))

BENCHES += bench-web
.PHONY: bench-web
bench-web: $(OUT)/bench/bare-http $(BIN)/assayd
	$(Q)$(PYTHON) tests/bench/bench_web.py $(BIN)/assayd $(OUT)/bench/bare-http

# The service under load: many systems at once, SIGKILLs, hostile clients; with both stores. Long; LOADFLAGS takes less.
.PHONY: bench-load
bench-load: all $(OUT)/bench/bare-http
	$(Q)$(PYTHON) tests/bench/bench_load.py $(BIN) $(OUT)/bench/bare-http $(LOADFLAGS)

# `make bench-table`: the reference beside its peers, in one table; also as data. TABLEFLAGS=--only=portals,openmpi takes
# some of them. On a machine that others use the rounds say how little a figure means.
$(eval $(call link,$(OUT)/bench/rows_portals,bench-rows-portals,tests/bench/rows_portals.c,portals,,-lpthread -ldl))
$(eval $(call link,$(OUT)/bench/rows_mpi,bench-rows-mpi,tests/bench/rows_mpi.c,assay-mpi portals,-I ref-impl/include,-lpthread -ldl))
$(eval $(call link,$(OUT)/bench/bare_relay,bench-bare-relay,tests/bench/bare_relay.c,,,))
BENCHES += bench-table
.PHONY: bench-table
bench-table: $(BIN)/portalsrun $(BIN)/impirun $(OUT)/bench/rows_portals $(OUT)/bench/rows_mpi $(OUT)/bench/bare_relay
	$(Q)$(PYTHON) tests/bench/table.py --bin '$(BIN)' --json '$(B)/bench.json' $(TABLEFLAGS) --relay '$(OUT)/bench/bare_relay' '$(OUT)/bench/rows_mpi' '$(OUT)/bench/rows_portals'

# `make bench-collectives`: collective operations and one-sided communication beside Open MPI and MPICH.
$(eval $(call link,$(OUT)/bench/bench_collectives,bench-collectives,tests/bench/bench_collectives.c,assay-mpi portals,-I ref-impl/include,-lpthread -ldl))
BENCHES += bench-collectives
.PHONY: bench-collectives
bench-collectives: $(BIN)/portalsrun $(BIN)/impirun $(OUT)/bench/bench_collectives
	$(Q)$(PYTHON) tests/bench/bench_collectives.py --bin '$(BIN)' $(COLLECTIVESFLAGS) '$(OUT)/bench/bench_collectives'

# `make bench-gasnet`: active messages there and back, puts and gets between two nodes, over each network.
GASNET_BENCHES := $(foreach name,pingpong bandwidth,$(OUT)/bench/gasnet_$(name))
$(foreach name,pingpong bandwidth,$(eval $(call link,$(OUT)/bench/gasnet_$(name),bench-gasnet-$(name),tests/gasnet/programs/$(name).c,assay-gasnet portals33,$(GASNET_INCLUDES),-lpthread -ldl)))
BENCHES += bench-gasnet
.PHONY: bench-gasnet
bench-gasnet: $(BIN)/portalsrun $(GASNET_BENCHES)
	$(Q)for net in shm tcp intercept; do for program in $(GASNET_BENCHES); do \
	    echo "over $$net:" && '$(BIN)/portalsrun' -np 2 --nal $$net $$program || exit 1; done; done

# `make bench-intercept`: what the thesis measured beside what the simulation gives, in virtual time.
$(eval $(call link,$(OUT)/bench/bench_intercept,bench-intercept,tests/bench/bench_intercept.c tests/intercept/transfer_time.c,portals-inside,,-lpthread -ldl))

BENCHES += bench-intercept
.PHONY: bench-intercept
bench-intercept: $(OUT)/bench/bench_intercept
	$(Q)$(OUT)/bench/bench_intercept

# `make bench-intercept-wishes`: what the wishes of the thesis's chapter 7 are worth, in virtual time.
$(eval $(call link,$(OUT)/bench/bench_icpt_wishes,bench-icpt-wishes,tests/bench/bench_icpt_wishes.c tests/intercept/programs.c tests/intercept/barriers.c,portals-inside,,-lpthread -ldl))

BENCHES += bench-intercept-wishes
.PHONY: bench-intercept-wishes
bench-intercept-wishes: $(OUT)/bench/bench_icpt_wishes
	$(Q)$(OUT)/bench/bench_icpt_wishes

# What one message costs in system calls, allocations and instructions: tests/scenario/test_message_cost.py.
COUNTED_WRAP := $(foreach name,syscall send sendmsg recv readv process_vm_readv malloc calloc,-Wl$(comma)--wrap=$(name))
COST_PROGRAMS := $(OUT)/bench/cost_portals $(OUT)/bench/cost_mpi
ifneq ($(VARIANT),fuzz)
$(eval $(call link,$(OUT)/bench/cost_portals,bench-cost-portals,tests/bench/cost_portals.c tests/bench/counted.c,portals,,$(COUNTED_WRAP) -lpthread -ldl))
$(eval $(call link,$(OUT)/bench/cost_mpi,bench-cost-mpi,tests/bench/cost_mpi.c tests/bench/counted.c,assay-mpi portals,-I ref-impl/include,$(COUNTED_WRAP) -lpthread -ldl))
EXTRA_ALL += $(COST_PROGRAMS)
endif

# `make bench-intercept-all`: 4,096 simulated nodes, each sends to each, and each to its neighbour. Minutes, and some
# gigabytes of memory.
$(eval $(call link,$(OUT)/bench/bench_icpt_all,bench-icpt-all,tests/bench/bench_icpt_all.c tests/intercept/traffic.c,portals-inside,,-lpthread -ldl))

.PHONY: bench-intercept-all
bench-intercept-all: $(OUT)/bench/bench_icpt_all
	$(Q)$(OUT)/bench/bench_icpt_all $(INTERCEPT_NODES)
	$(Q)$(OUT)/bench/bench_icpt_all $(or $(INTERCEPT_NODES),4096) 1 1000

# `make bench-dissector`: a million packets in Wireshark, beside LNet's dissector; a quarter of an hour.
.PHONY: bench-dissector
bench-dissector: dissector dissector-upstream
	$(Q)$(PYTHON) tests/bench/bench_dissector.py --build '$(abspath $(B))' $(DISSECTORFLAGS)
