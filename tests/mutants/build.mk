# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# `make mutants` proves the cases: every mutant in this folder must be caught by a case that names what it breaks.
# MUTANTS="name name" takes only these.

.PHONY: mutants
mutants: $(BIN)/assay
	$(Q)$(PYTHON) tests/mutants/run.py --build '$(abspath $(B))' --json '$(abspath $(B))/mutants.json' $(MUTANTS)
