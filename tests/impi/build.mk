# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# Tests of impirun: its state machines as C units, the whole of it with scripted peers (test_*.py). link-player is a
# process that speaks nothing but the link to its agent.

IMPI_UNITS := $(patsubst tests/impi/test_%.c,%,$(sort $(wildcard tests/impi/test_*.c)))

$(foreach name,$(IMPI_UNITS),$(eval $(call unit,impi_$(name),tests/impi/test_$(name).c,impi-inside wire,,$(IMPI_LIBS))))

$(eval $(call link,$(OUT)/impi/link-player,link-player,tests/impi/link_player.c,impi-inside wire,,$(IMPI_LIBS)))
ifneq ($(VARIANT),fuzz)
EXTRA_ALL += $(OUT)/impi/link-player
endif

# Hostile peers against a real server and real agents, for FUZZ_IMPI_SECONDS; prints its seed. A few seconds of it belong
# to `make check` and `make fuzz-short`.
FUZZ_IMPI_SECONDS ?= 3600
ifneq ($(VARIANT),fuzz)
.PHONY: fuzz-impi fuzz-impi-short
fuzz-impi:
	+$(Q)$(MAKE) --no-print-directory VARIANT=asan $(B)/asan/bin/impirun $(B)/asan/impi/link-player
	$(Q)$(PYTHON) tests/impi/hostile.py --seconds $(FUZZ_IMPI_SECONDS) --bin $(B)/asan/bin --out $(B)/asan
fuzz-impi-short:
	+$(Q)$(MAKE) --no-print-directory fuzz-impi FUZZ_IMPI_SECONDS=10
fuzz-short: fuzz-impi-short
endif
