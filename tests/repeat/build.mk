# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# `make repeat` runs the whole suite REPEATS times (20) against the reference, with a seed of its own each time, and
# compares the verdicts; it takes minutes and is no part of `make check`. ASSAY_NAL and ASSAY_FAULT are passed on.

REPEATS ?= 20

.PHONY: repeat
repeat: all
	$(Q)$(PYTHON) tests/repeat/run.py --bin '$(abspath $(BIN))' --seconds 60 $(REPEATS)
