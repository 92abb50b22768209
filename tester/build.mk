# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# The engine as a library (the service links it too) and the program `assay`.

TESTER-LIBS    := lua5.4 jansson libsodium
TESTER-PROGRAM := tester/main.c tester/progress.c $(wildcard tester/cmd_*.c tester/certify*.c)
TESTER-ENGINE  := $(filter-out $(TESTER-PROGRAM),$(sort $(wildcard tester/*.c)))
TESTER-CFLAGS  := $(call pkgcflags,$(TESTER-LIBS)) -DASSAY_SOURCE='"$(CURDIR)"'

$(eval $(call archive,assay-tester,$(TESTER-ENGINE),$(TESTER-CFLAGS)))
$(eval $(call program,assay,$(TESTER-PROGRAM),assay-tester wire,$(TESTER-CFLAGS) $(if $(wildcard tester/cmd_certify.c),-DASSAY_CERTIFY) $(call pkgcflags,libcurl),$(call pkglibs,$(TESTER-LIBS) libcurl) -lpthread))
