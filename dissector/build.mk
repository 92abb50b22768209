# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
#
# The Wireshark plugin. Built when Wireshark's headers are there; `make deps` installs them.
#
#   make dissector                              builds it
#   make install-dissector [WS_PLUGINDIR=DIR]   root: for all users; others: into the personal plugin folder
#   make uninstall-dissector [WS_PLUGINDIR=DIR]
#   make dissector-upstream                     writes packet-portals.c and packet-impi.c, for Wireshark's own tree

WS_VERSION := $(shell pkg-config --modversion wireshark 2>/dev/null)
# Plugins are loaded from a folder named for the first two numbers of Wireshark's version.
WS_SERIES  := $(shell echo $(WS_VERSION) | cut -d. -f1,2)
WS_ROOT    := $(if $(filter release,$(VARIANT)),$(B),$(OUT))/wireshark
WS_PLUGIN  := $(WS_ROOT)/$(WS_SERIES)/epan/assay.so
# The plugin folder that Wireshark was built with ends in the series.
WS_SYSTEM  := $(patsubst %/$(WS_SERIES),%,$(shell pkg-config --variable=plugindir wireshark 2>/dev/null))
ifeq ($(shell id -u),0)
WS_PLUGINDIR ?= $(WS_SYSTEM)
else
WS_PLUGINDIR ?= $(HOME)/.local/lib/wireshark/plugins
endif
WS_TARGET  := $(DESTDIR)$(WS_PLUGINDIR)/$(WS_SERIES)/epan/assay.so

# Wireshark's headers are not ours to keep free of warnings.
WS_CFLAGS  := $(patsubst -I%,-isystem %,$(call pkgcflags,wireshark))
WS_SOURCES := $(filter-out dissector/upstream/%,$(sort $(wildcard dissector/*.c dissector/*/*.c)))

.PHONY: dissector install-dissector uninstall-dissector
ifeq ($(WS_VERSION),)
dissector install-dissector uninstall-dissector:
	@echo "$@: Wireshark's headers are missing; 'make deps' installs wireshark-dev" >&2
	@exit 2
else
ifneq ($(VARIANT),fuzz)
EXTRA_ALL += $(WS_PLUGIN)
endif

$(eval $(call objrule,dissector,$(WS_CFLAGS)))
DEPFILES += $(patsubst %.o,%.d,$(call objs,$(WS_SOURCES),dissector))

dissector: $(WS_PLUGIN)

$(WS_PLUGIN): $(call objs,$(WS_SOURCES),dissector) $(LIB)/libwire.a
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS_) -shared -o $@ $(filter %.o,$^) $(LIB)/libwire.a $(call pkglibs,wireshark)

# A plugin that is found twice makes Wireshark stop, so the other place is looked at.
install-dissector: $(WS_PLUGIN)
	$(Q)sh dissector/install.sh install $(WS_PLUGIN) '$(WS_TARGET)'

uninstall-dissector:
	$(Q)sh dissector/install.sh uninstall $(WS_PLUGIN) '$(WS_TARGET)'
endif

# Sources for Wireshark's own tree, in which nothing is judged; they need nothing of wire/.
UPSTREAM := $(B)/upstream
$(eval $(call link,$(OUT)/upstream-write,upstream-write,dissector/upstream/write.c,wire))

.PHONY: dissector-upstream
dissector-upstream: $(UPSTREAM)/packet-portals.c $(UPSTREAM)/packet-impi.c

$(UPSTREAM)/packet-%.c: dissector/upstream/packet-%.c.in $(OUT)/upstream-write
	$(call say,WRITE,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(OUT)/upstream-write $* < $< > $@.new && mv $@.new $@
