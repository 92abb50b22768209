# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# Unit tests, and what the tests of the service preload: a disk that gets full or loses its power. `make kills` lets it, and SIGKILL, do
# so KILLS times (100) at random moments.

$(eval $(call link,$(OUT)/web/faulty-disk.so,faulty-disk,tests/web/faulty_disk.c,,,-shared -ldl))
ifeq ($(VARIANT),release)
EXTRA_ALL += $(OUT)/web/faulty-disk.so
endif

$(eval $(call unit,web_dialect,tests/web/unit/test_dialect.c web/store/dialect.c))
$(eval $(call unit,web_queue,tests/web/unit/test_queue.c web/runs/queue.c))
$(eval $(call unit,web_decoded,tests/web/unit/test_decoded.c web/decode/decoded.c,,$(call pkgcflags,jansson),$(call pkglibs,jansson)))
$(eval $(call unit,web_jump,tests/web/unit/test_jump.c web/runs/jump.c))

# web-postgresql: the tests of the service, with PostgreSQL instead of SQLite; what is about SQLite's file is skipped.
POSTGRESQL_TESTS ?= tests/web
.PHONY: web-postgresql
web-postgresql: all
	$(Q)$(TESTENV) PYTHON='$(PYTHON)' PYTEST_JOBS='$(PYTEST_JOBS)' ASSAY_WEB_DATABASE=postgresql \
	    sh tests/run-pytest $(POSTGRESQL_TESTS)

KILLS ?= 100

.PHONY: kills
kills: all
	$(Q)$(TESTENV) PYTHON='$(PYTHON)' ASSAY_KILLS=$(KILLS) sh tests/run-pytest tests/web/test_faulty_disk.py
