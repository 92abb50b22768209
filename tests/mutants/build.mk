# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# `make mutants` proves the cases: every mutant in this folder must be caught by a case that names what it breaks, and
# proofs.json tells who catches whom. MUTANTS="name name" takes only these, also by patterns ("impi-inter-*"); MUTANTFLAGS=
# --check writes nothing, --builds N and --jobs N choose how much is built and judged at once. All of it is half an hour of
# processor time; MUTANTFLAGS=--compile only looks whether the mutants still fit and compile, which takes a minute.

.PHONY: mutants
mutants: $(BIN)/assay
	$(Q)set -f; $(PYTHON) tests/mutants/run.py --build '$(abspath $(B))' $(MUTANTFLAGS) $(MUTANTS)
