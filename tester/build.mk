# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# The engine as a library (the service links it too) and the program `assay`.

TESTER-LIBS    := lua5.4 jansson libsodium zlib
TESTER-PROGRAM := $(call under,tester/commands)
TESTER-ENGINE  := $(filter-out $(TESTER-PROGRAM),$(call under,tester))
TESTER-CFLAGS  := $(call pkgcflags,$(TESTER-LIBS)) -DASSAY_SOURCE='"$(CURDIR)"'

$(eval $(call archive,assay-tester,$(TESTER-ENGINE),$(TESTER-CFLAGS)))
$(eval $(call program,assay,$(TESTER-PROGRAM),assay-tester wire,$(TESTER-CFLAGS) $(call pkgcflags,libcurl),$(call pkglibs,$(TESTER-LIBS)) -lpthread -ldl))
