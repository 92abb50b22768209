# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# GASNet over Portals 3.3:
#
#   libassay-gasnet-inside.a   everything, with all its names: for the unit tests, which look inside
#   libassay-gasnet.a          one object that shows nothing but gasnet*_*, to be linked with libportals33.a
#
# It uses Portals as any program does, by portals3.h, p3rt.h and libportals33 alone.

GASNET_PORTALS  := 3.3
GASNET_INCLUDES := -I ref-impl/include/gasnet -I ref-impl/include/portals-$(GASNET_PORTALS)
GASNET_OBJECTS  := $(call objs,$(call under,ref-impl/gasnet),libassay-gasnet-inside)

$(eval $(call archive,assay-gasnet-inside,$(call under,ref-impl/gasnet),$(GASNET_INCLUDES) -DGASNET_PAR))

ARCHIVES += $(LIB)/libassay-gasnet.a

$(OUT)/obj/libassay-gasnet/gasnet.o: $(GASNET_OBJECTS)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)ld -r -o $@ $^
	$(Q)objcopy --wildcard --keep-global-symbol='gasnet_*' --keep-global-symbol='gasnetc_*' $@

$(LIB)/libassay-gasnet.a: $(OUT)/obj/libassay-gasnet/gasnet.o
	$(call say,AR,$@)
	$(Q)mkdir -p $(@D) && rm -f $@ && ar rcs $@ $^
