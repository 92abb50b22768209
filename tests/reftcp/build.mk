# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# Unit tests of the TCP network, its wrappers and the job, below the API.
REFTCP_COMMON := tests/reftcp/recorder.c tests/reftcp/place.c
ifneq ($(VARIANT),fuzz)
$(eval $(call unit,tcp-traffic,tests/reftcp/test_tcp_traffic.c $(REFTCP_COMMON),portals-inside,,-lpthread -ldl))
$(eval $(call unit,tcp-malformed,tests/reftcp/test_tcp_malformed.c $(REFTCP_COMMON),portals-inside,,-lpthread -ldl))
$(eval $(call unit,tcp-pressure,tests/reftcp/test_tcp_pressure.c $(REFTCP_COMMON),portals-inside,,-lpthread -ldl))
$(eval $(call unit,tcp-crossing,tests/reftcp/test_tcp_crossing.c $(REFTCP_COMMON),portals-inside,,-lpthread -ldl))
$(eval $(call unit,nal-wrappers,tests/reftcp/test_nal_wrappers.c $(REFTCP_COMMON),portals-inside,,-lpthread -ldl))
$(eval $(call unit,nal-drive,tests/reftcp/test_nal_drive.c,portals-inside,,-lpthread -ldl))
$(eval $(call unit,nal-mixed,tests/reftcp/test_nal_mixed.c $(REFTCP_COMMON),portals-inside,,-lpthread -ldl))

# What the scenarios of jobs run: tests/scenario/test_job_*.py.
$(eval $(call link,$(OUT)/scenario/job-probe,job-probe,tests/reftcp/job_probe.c,portals,,-lpthread -ldl))
$(eval $(call link,$(OUT)/scenario/drive-probe,drive-probe,tests/reftcp/drive_probe.c,portals,,-lpthread -ldl))
$(eval $(call link,$(OUT)/scenario/leave-probe,leave-probe,tests/reftcp/leave_probe.c,portals,,-lpthread -ldl))
EXTRA_ALL += $(OUT)/scenario/job-probe $(OUT)/scenario/drive-probe $(OUT)/scenario/leave-probe
endif

# `make bench-tcp`: the TCP network beside TCP itself. Meaningful in the release variant only; not installed.
$(eval $(call link,$(OUT)/bench/bench_tcp,bench-tcp,tests/bench/bench_tcp.c tests/bench/pair.c,portals,,-lpthread -ldl))
BENCHES += bench-tcp
.PHONY: bench-tcp
bench-tcp: $(BIN)/portalsrun $(OUT)/bench/bench_tcp
	$(Q)$(BIN)/portalsrun -np 2 --nal tcp $(OUT)/bench/bench_tcp
