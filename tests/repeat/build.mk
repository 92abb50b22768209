# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# `make repeat` runs the whole suite REPEATS times (20) against the reference, with a seed of its own each time, and
# compares the verdicts; it takes minutes and is no part of `make check`. ASSAY_NAL and ASSAY_FAULT are passed on.
# `make repeat-intercept` does so over the Intercept network, one of whose four planes is cut while the others lose every
# hundredth frame and flip one bit of 100,000: INTERCEPT_FAULTS. Cases wait there for most of their time, so several are
# judged at once. ASSAY_INTERCEPT_TIME=virtual simulates the time of the network.

REPEATS ?= 20
INTERCEPT_FAULTS ?= lost=0.01,bit-errors=1e-5,cut=8

.PHONY: repeat repeat-intercept
repeat-intercept: all
	$(Q)$(PYTHON) tests/repeat/run.py --bin '$(abspath $(BIN))' --seconds 600 --network intercept \
	    --jobs $$((3 * $(JOBS))) --faults '$(INTERCEPT_FAULTS)' $(REPEATS)
repeat: all
	$(Q)$(PYTHON) tests/repeat/run.py --bin '$(abspath $(BIN))' --seconds 60 $(REPEATS)
