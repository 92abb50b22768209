# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# `make mutants` proves the cases: every mutant in this folder must be caught by a case that names what it breaks, and
# proofs.json tells who catches whom. MUTANTS="name name" takes only these; MUTANTFLAGS=--check writes nothing.

.PHONY: mutants
mutants: $(BIN)/assay
	$(Q)$(PYTHON) tests/mutants/run.py --build '$(abspath $(B))' $(MUTANTFLAGS) $(MUTANTS)
