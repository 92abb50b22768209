# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# Fuzz targets. `make fuzz-seeds` gives each all of its first inputs, with checks of memory (the asan variant). With
# libFuzzer, `make fuzz` runs each for FUZZ_SECONDS (60), `make fuzz-short` for 5 seconds; both build the fuzz variant
# themselves, and with -j they run several at once. Findings stay in $(B)/fuzz/findings; the corpus grows in
# $(B)/fuzz/corpus.

FUZZ_SECONDS ?= 60

FUZZERS := wire_decode wire_roundtrip wire_stream wire_check capture impi_startup impi_packet impi_check impi_input external32 intercept intercept_nic
CUT     := wire_stream impi_startup impi_packet

# What the target $(1) is made of.
fuzz_sources  = tests/fuzz/fuzz_$(1).c$(if $(filter $(CUT),$(1)), tests/fuzz/cuts.c)
fuzz_archives = $(if $(filter capture,$(1)),assay-tester )$(if $(filter impi_input,$(1)),impi-inside )$(if $(filter intercept_nic,$(1)),portals-inside )wire
fuzz_libs     = $(if $(filter capture,$(1)), $(call pkglibs,libsodium zlib))$(if $(filter impi_input,$(1)), $(call pkglibs,openssl))$(if $(filter intercept_nic,$(1)), -lpthread -ldl)

$(OUT)/seeds/.made: $(wildcard wire/vectors/*.hex wire/vectors/*/*.hex wire/vectors/conversations/*.txt) tests/fuzz/seeds \
		tests/fuzz/captures.py $(addprefix tests/damage/,damage.py network.py paths.py wires.py)
	$(Q)sh tests/fuzz/seeds wire/vectors $(@D)
	$(Q)$(PYTHON) tests/fuzz/captures.py $(@D)
	$(Q)touch $@

.PHONY: fuzz-programs

ifeq ($(VARIANT),fuzz)

define fuzzer
$(call program,fuzz_$(1),$(call fuzz_sources,$(1)),$(call fuzz_archives,$(1)),,-fsanitize=fuzzer$(call fuzz_libs,$(1)))
endef
$(foreach name,$(FUZZERS),$(eval $(call fuzzer,$(name))))

FUZZRUNS := $(addprefix fuzz-run-,$(FUZZERS))

.PHONY: fuzz-run $(FUZZRUNS)
fuzz-programs: $(addprefix $(BIN)/fuzz_,$(FUZZERS)) $(OUT)/seeds/.made
fuzz-run: $(FUZZRUNS)
$(FUZZRUNS): fuzz-run-%: $(BIN)/fuzz_% $(OUT)/seeds/.made
	$(Q)mkdir -p $(OUT)/corpus/$* $(OUT)/findings
	$(Q)$(BIN)/fuzz_$* -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -timeout=60 -rss_limit_mb=1024 \
	    -artifact_prefix=$(OUT)/findings/$*- $(OUT)/corpus/$* $(OUT)/seeds \
	    >$(OUT)/$*.log 2>&1 || { tail -n 40 $(OUT)/$*.log; exit 1; }
	@printf '  FUZZ    %s for %s s: %s\n' $* $(FUZZ_SECONDS) "$$(grep '^Done' $(OUT)/$*.log)"

else ifeq ($(VARIANT),asan)

$(foreach name,$(FUZZERS),$(eval $(call link,$(OUT)/fuzz/$(name),fuzz-$(name),$(call fuzz_sources,$(name)) \
    tests/fuzz/replay.c,$(call fuzz_archives,$(name)),,$(call fuzz_libs,$(name)))))

SEEDRUNS := $(addprefix fuzz-seeds-,$(FUZZERS))

.PHONY: fuzz-seeds $(SEEDRUNS)
fuzz-programs: $(addprefix $(OUT)/fuzz/,$(FUZZERS)) $(OUT)/seeds/.made
fuzz-seeds: $(SEEDRUNS)
$(SEEDRUNS): fuzz-seeds-%: $(OUT)/fuzz/% $(OUT)/seeds/.made
	$(Q)said=$$($(OUT)/fuzz/$* $(OUT)/seeds) && printf '  SEEDS   %s: %s\n' $* "$$said"

else

.PHONY: fuzz fuzz-short fuzz-seeds fuzz-intercept
fuzz-seeds:
	+$(Q)$(MAKE) --no-print-directory VARIANT=asan fuzz-seeds
fuzz:
	+$(Q)$(MAKE) --no-print-directory VARIANT=fuzz fuzz-run FUZZ_SECONDS=$(FUZZ_SECONDS)
fuzz-short:
	+$(Q)$(MAKE) --no-print-directory VARIANT=fuzz fuzz-run FUZZ_SECONDS=5

# Frames, and a card with its driver among hostile ones; FUZZ_SECONDS=3600 is an hour of each.
fuzz-intercept:
	+$(Q)$(MAKE) --no-print-directory VARIANT=fuzz fuzz-run-intercept fuzz-run-intercept_nic FUZZ_SECONDS=$(FUZZ_SECONDS)

endif
