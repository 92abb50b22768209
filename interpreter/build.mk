# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# interp-portals, interp-mpi and sut-agent as part of the house; the archive that the service hands to vendors. The folder also builds alone, with its own
# Makefile and as C99: what is compiled here is held to that as well.

INTERP_COMMON  := $(wildcard interpreter/common/*.c)
INTERP_SOURCES := $(INTERP_COMMON) $(wildcard interpreter/core/*.c)
AGENT_SOURCES  := $(INTERP_COMMON) $(wildcard interpreter/agent/*.c)
INTERP_CFLAGS  := -std=c99 -U_GNU_SOURCE -D_XOPEN_SOURCE=700

PORTALS_SHARED := $(INTERP_SOURCES) $(wildcard interpreter/portals/*.c)

$(eval $(call program,interp-portals,$(PORTALS_SHARED) $(wildcard interpreter/portals/first/*.c),portals,$(INTERP_CFLAGS) -Iref-impl/include,-lpthread -ldl))

# The same for the later revisions.
later_interpreter = $(call program,interp-portals-$(1),$(PORTALS_SHARED) $(wildcard interpreter/portals/later/*.c),portals$(2),$(INTERP_CFLAGS) \
    -DPORTALS_LATER=$(2) -Iref-impl/include/portals-$(1),-lpthread -ldl)
$(eval $(call later_interpreter,3.2,32))
$(eval $(call later_interpreter,3.3,33))

$(eval $(call program,interp-mpi,$(INTERP_SOURCES) $(wildcard interpreter/mpi/*.c),assay-mpi portals,$(INTERP_CFLAGS) \
    -Iref-impl/include,-lpthread -ldl))
$(eval $(call program,sut-agent,$(AGENT_SOURCES),,$(INTERP_CFLAGS)))

# The archive: sorted, one owner, one time, so that the same sources give the same octets.
INTERP_VERSIONED := assay-interpreter-$(VERSION)
INTERP_TARBALL   := $(B)/share/assay-interpreter.tar.gz
INTERP_FILES     := $(sort $(wildcard interpreter/*/*.[ch] interpreter/*/*/*.[ch] interpreter/*/README.md interpreter/*/*/README.md) \
                    $(addprefix interpreter/,Makefile README.md probe.sh))

EXTRA_ALL += $(INTERP_TARBALL)

.PHONY: tarball
tarball: $(INTERP_TARBALL)

$(INTERP_TARBALL): $(INTERP_FILES) interpreter/adapter.example ref-impl/include/portals.h LICENSE specs/interpreter.md interpreter/build.mk
	$(call say,TAR,$@)
	$(Q)rm -rf $(OUT)/tarball && mkdir -p $(@D) $(OUT)/tarball
	$(Q)cp --parents $(INTERP_FILES) $(OUT)/tarball
	$(Q)mv $(OUT)/tarball/interpreter $(OUT)/tarball/$(INTERP_VERSIONED)
	$(Q)mkdir $(OUT)/tarball/$(INTERP_VERSIONED)/example
	$(Q)cp interpreter/adapter.example $(OUT)/tarball/$(INTERP_VERSIONED)/example/portals.h
	$(Q)cp ref-impl/include/portals.h $(OUT)/tarball/$(INTERP_VERSIONED)/example/reference.h
	$(Q)cp LICENSE $(OUT)/tarball/$(INTERP_VERSIONED)/
	$(Q)cp specs/interpreter.md $(OUT)/tarball/$(INTERP_VERSIONED)/PROTOCOL.md
	$(Q)echo $(VERSION) > $(OUT)/tarball/$(INTERP_VERSIONED)/VERSION
	$(Q)find $(OUT)/tarball -exec chmod u=rwX,go=rX {} +
	$(Q)tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C $(OUT)/tarball -cf - $(INTERP_VERSIONED) | gzip -9n > $@
