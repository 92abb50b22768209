# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# The unit tests and `make unit`, which runs every program registered with the unit macro, wherever it was registered.
# UNITS is complete only when all makefiles are read, hence the second expansion.

