# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# `make thirdparty` compiles and runs programs of others, whose sources Debian has, with the MPI library, and compares what
# comes of them with tests/thirdparty/expected.txt. It fetches the sources, takes two hours, and is no part of `make check`.
# THIRDPARTY="coll/ hpcc" takes some. Packages beside those of `make deps`: dpkg-dev, gfortran, libblas-dev,
# liblapack-dev, cmake, autoconf, automake, libtool, m4, flex, bison, zlib1g-dev.

THIRDPARTY ?=

.PHONY: thirdparty
thirdparty: all
	$(Q)$(PYTHON) tests/thirdparty/run.py --bin '$(abspath $(BIN))' --work '$(abspath $(B))/thirdparty' $(THIRDPARTY)
