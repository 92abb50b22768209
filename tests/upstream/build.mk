# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# What needs more of Wireshark than is installed, fetched by apt from Debian into $(B)/debian: long work, not part of
# `make check`.
#
#   make dissector-versions    compiles the plugin against the headers of Wireshark 4.0, 4.4 and 4.6

.PHONY: dissector-versions
dissector-versions:
	$(Q)$(PYTHON) tests/upstream/versions.py --folder '$(abspath $(B))/debian/headers'

#   make dissector-upstream-check    compiles the dissectors for Wireshark's tree in Debian's source of it, and has its
#                                    pre-commit and other checkers look at them, and its fuzz-test at sample captures
.PHONY: dissector-upstream-check
dissector-upstream: $(B)/upstream/portals.pcap

$(B)/upstream/portals.pcap: tests/upstream/samples.py tests/captures/lam-impi.pcap $(wildcard wire/vectors/*.hex wire/vectors/conversations/*)
	$(call say,WRITE,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(PYTHON) $< $(@D)

dissector-upstream-check: dissector-upstream
	$(Q)$(PYTHON) tests/upstream/tree.py --folder '$(abspath $(B))/debian/source' --upstream '$(abspath $(B))/upstream'
