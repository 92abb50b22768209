# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# `make suts` builds systems that are not the reference by the steps that vendors are told, makes others slow, and
# certifies each with all cases of its profile. `make pytest T=tests/suts`, a part of `make check-long`, does so with some.

.PHONY: suts
suts: all
	$(Q)$(TESTENV) SUTS_WHOLE=1 PYTHON='$(PYTHON)' sh tests/run-pytest tests/suts
