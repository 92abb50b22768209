# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# `make variants` judges every change of the reference that the documents allow (tests/variants/README.md): each must
# conform. VARIANTS="name P30-137 portals-3.0/readings a+b" takes only these; VARIANTFLAGS=--stale those whose result says
# nothing of this tree, --pairs every two readings together, --check writes nothing.
#
# `make variants-check`, a part of `make check`, looks whether those compile that were not seen to compile as they are
# now (compiled.json). VARIANTFLAGS=--compile looks at all, and keeps that they do.

.PHONY: variants variants-check
variants: $(BIN)/assay
	$(Q)set -f; $(PYTHON) tests/variants/run.py --build '$(abspath $(B))' $(VARIANTFLAGS) $(VARIANTS)

variants-check:
	$(Q)$(PYTHON) tests/variants/run.py --build '$(abspath $(B))' --changed --compile --check
