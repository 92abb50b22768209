# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# `make trace` renders the books, one for each profile: every requirement beside the code that fulfils it, the cases
# that judge it and the mutants that prove the cases, in one HTML file that needs nothing else. The service has them
# inside and shows them at /book.

# the names in specs/profiles.json, in its order
PROFILES     := $(shell $(PYTHON) tests/profile_table.py)
BOOKS        := $(PROFILES:%=$(B)/share/%.html)
TRACE_LAYOUT := $(OUT)/trace/layout
TRACE_INPUTS := $(shell find ref-impl wire -name '*.[ch]') $(shell find tester/cases -name '*.lua') \
                $(shell find tests/mutants -name '*.mutants') $(wildcard tests/profile_table.py tests/trace/*.py \
                tests/trace/book.* specs/*.json wire/vectors/*.hex)
EXTRA_ALL    += $(BOOKS)

$(eval $(call link,$(TRACE_LAYOUT),trace-layout,$(wildcard tests/trace/*.c),wire,$(call pkgcflags,jansson),$(call pkglibs,jansson)))

# The two programs only tell what stands in the inputs; a new build of them alone makes no new book.
$(BOOKS): $(B)/share/%.html: $(TRACE_INPUTS) $(PROOFS) | $(TRACE_LAYOUT) $(BIN)/assay
	$(call say,BOOK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)PYTHONDONTWRITEBYTECODE=1 $(PYTHON) tests/trace/trace.py --profile $* --layout $(TRACE_LAYOUT) --assay $(BIN)/assay \
	    --proofs $(PROOFS) --release '$(VERSION)' --output $@

.PHONY: trace
trace: $(BOOKS)
	@printf 'trace: %s\n' $(BOOKS)
