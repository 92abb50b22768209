# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# The unit tests of wire/, and `make unit`, which runs every program that any build.mk registered with the unit macro.

# UNITS is complete only when all makefiles have been read, hence the second expansion.
.SECONDEXPANSION:
.PHONY: unit
unit: $$(UNITS)
	$(Q)sh tests/unit/run-tap $(sort $(UNITS))
