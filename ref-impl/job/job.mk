# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# JOB_CFLAGS: where the headers of PMIx are; its library is loaded at run time. Included by ref-impl/build.mk.
JOB_CFLAGS := $(patsubst -I%,-isystem %,$(call pkgcflags,pmix))
