# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# Unit tests of the shared memory network, below the API.
REFSHM_COMMON := tests/refshm/node.c tests/reftcp/recorder.c
ifneq ($(VARIANT),fuzz)
$(eval $(call unit,shm-traffic,tests/refshm/test_shm_traffic.c $(REFSHM_COMMON),portals-inside,,-lpthread -ldl))
$(eval $(call unit,shm-interfaces,tests/refshm/test_shm_interfaces.c $(REFSHM_COMMON),portals-inside,,-lpthread -ldl))
$(eval $(call unit,shm-memory,tests/refshm/test_shm_memory.c $(REFSHM_COMMON),portals-inside,,-lpthread -ldl))
$(eval $(call unit,shm-death,tests/refshm/test_shm_death.c $(REFSHM_COMMON),portals-inside,,-lpthread -ldl))
$(eval $(call unit,shm-pour,tests/refshm/test_shm_pour.c $(REFSHM_COMMON),portals-inside,,-lpthread -ldl))
endif

# `make bench-shm`: the shared memory network beside shared memory itself. Meaningful in the release variant only.
$(eval $(call link,$(OUT)/bench/bench_shm,bench-shm,tests/bench/bench_shm.c tests/bench/pair.c,portals,,-lpthread -ldl))
BENCHES += bench-shm
.PHONY: bench-shm
bench-shm: $(BIN)/portalsrun $(OUT)/bench/bench_shm
	$(Q)$(BIN)/portalsrun -np 2 --nal shm $(OUT)/bench/bench_shm
