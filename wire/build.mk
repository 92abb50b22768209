# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# libwire: octets to structs and back. Needs nothing but the C library.

$(eval $(call archive,wire,$(call under,wire)))
