# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# `make damage` spoils every capture that there is, evidence of all cases among them, and compares what `assay check` and
# the plugin tell of it with what they tell of the capture as it was. It takes an hour or more: DAMAGEFLAGS="--each 2
# --cases 50" takes some damages of each kind and some cases. tests/damage/test_damage.py is the short form.

DAMAGEFLAGS ?= --each 3

.PHONY: damage
damage: all
	$(Q)$(PYTHON) tests/damage/run.py --bin '$(abspath $(BIN))' $(DAMAGEFLAGS)
