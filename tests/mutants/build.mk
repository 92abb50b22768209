# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# `make mutants` proves the cases: every mutant below this folder must be caught by a case that names what it breaks, and
# proofs.json tells who catches whom. MUTANTS="name P30-137 ref-impl/core/me.c" takes only these; MUTANTFLAGS=--stale those
# whose proof no longer binds what it did, --check writes nothing, --builds N and --jobs N choose how much is built and
# judged at once. All of it takes some two hours on two processors.
#
# `make mutants-check`, a part of `make check`, looks whether those compile that have not been tried as they are now, and
# tries as many of those whose proof is stale as it can begin in MUTANT_SECONDS. MUTANTFLAGS=--compile looks at all.

MUTANT_SECONDS ?= 30

# What the books and the service show: the proofs that are not stale. It is newer only when they are others.
PROOFS       := $(B)/share/proofs.json
PROOF_INPUTS := $(shell find ref-impl wire interpreter -name '*.[ch]') $(shell find tester/cases -name '*.lua') \
                $(shell find tests/mutants -name '*.mutants') $(wildcard tests/mutants/*.py) tests/mutants/proofs.json

$(PROOFS): $(B)/share/.proofs ;

$(B)/share/.proofs: $(PROOF_INPUTS)
	$(call say,PROOFS,$(PROOFS))
	$(Q)mkdir -p $(@D)
	$(Q)PYTHONDONTWRITEBYTECODE=1 $(PYTHON) tests/mutants/run.py --current >$@
	$(Q)cmp -s $@ $(PROOFS) || cp $@ $(PROOFS)

.PHONY: mutants mutants-compile mutants-check
mutants: $(BIN)/assay
	$(Q)set -f; $(PYTHON) tests/mutants/run.py --build '$(abspath $(B))' $(MUTANTFLAGS) $(MUTANTS)

mutants-compile:
	$(Q)$(PYTHON) tests/mutants/run.py --build '$(abspath $(B))' --changed --compile

mutants-check: $(BIN)/assay mutants-compile
	$(Q)$(PYTHON) tests/mutants/run.py --build '$(abspath $(B))' --stale --check --seconds $(MUTANT_SECONDS)
