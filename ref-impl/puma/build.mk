# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# libpuma.a: the portals of Puma over Portals 3.0, for programs that use portals.h beside it. Built with everything, not
# installed: it is to be read, tried and measured.

$(eval $(call archive,puma,$(call under,ref-impl/puma),-I ref-impl/include))
