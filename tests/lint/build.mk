# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# `make lint` holds what no compiler holds; `make lint-NAME` runs one part, NAME being a script of this folder.
# `make lint-tidy` asks clang-tidy as well: minutes, not seconds, hence not a part of `lint`.

LINTS := layers modules rooms sizes catalogue profile_names requirements citations forgeries verbs proofs variants layout headers comments words data symbols

.PHONY: lint $(LINTS:%=lint-%) lint-tidy
# Every part tells what it finds, whatever the others found.
lint:
	$(Q)$(MAKE) --no-print-directory -k $(LINTS:%=lint-%)

$(LINTS:%=lint-%): lint-%:
	$(call say,LINT,$*)
	$(Q)PYTHONDONTWRITEBYTECODE=1 $(PYTHON) tests/lint/$*.py $(LINTFLAGS-$*)

# The names of symbols can only be read from what has been built.
lint-symbols: all
LINTFLAGS-symbols = --lib '$(LIB)'

# The floors on which folders and modules stand: as text, and drawn into a file that a browser shows.
.PHONY: modules
MODULES := $(B)/share/modules.svg
modules:
	$(Q)mkdir -p '$(dir $(MODULES))'
	$(Q)PYTHONDONTWRITEBYTECODE=1 $(PYTHON) tests/lint/modules.py --picture '$(MODULES)'
	@echo 'modules: drawn in $(MODULES)'

# TIDY="a.c b.c" takes only these.
lint-tidy:
	$(call say,LINT,clang-tidy)
	$(Q)PYTHONDONTWRITEBYTECODE=1 $(PYTHON) tests/lint/tidy.py --build '$(abspath $(B))' $(TIDY)
