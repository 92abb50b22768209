# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# The reference implementation of Portals 3.0. Three libraries from one set of sources:
#
#   libportals-inside.a   everything, with all its names: for the unit tests, which look inside
#   libportals.a          one object that shows nothing but Ptl*: for programs; no name of ours can clash with theirs
#   libportals.so         the same, shared
#
# Programs include portals.h from ref-impl/include and link with libportals and -lpthread -ldl.

PORTALS_SOURCES := $(call under,ref-impl/api ref-impl/core ref-impl/intercept ref-impl/nal ref-impl/job wire/octets wire/portals wire/impi wire/intercept) ref-impl/address.c ref-impl/lock.c
PORTALS_OBJECTS := $(call objs,$(PORTALS_SOURCES),libportals-inside)

$(eval $(call archive,portals-inside,$(PORTALS_SOURCES),$(patsubst -I%,-isystem%,$(call pkgcflags,pmix))))

ARCHIVES  += $(LIB)/libportals.a
EXTRA_ALL += $(LIB)/libportals.so

# Sanitizers bring symbols that only the program has.
WHOLE-release := -Wl,--no-undefined
WHOLE-debug   := -Wl,--no-undefined

# Of these, what a message runs through within a node is optimised as one.
PORTALS_SHORT := $(if $(LTO),$(filter ref-impl/api/% ref-impl/core/% ref-impl/nal/shm/% ref-impl/nal/peer/% wire/octets/% wire/portals/messages.c,$(PORTALS_SOURCES)) \
    $(addprefix ref-impl/nal/,drive.c loop.c mixed.c open.c))
PORTALS_PIECE := $(if $(LTO),$(OUT)/obj/libportals-piece/piece.o)
$(if $(LTO),$(eval $(call piece,libportals-piece,$(PORTALS_SHORT),)))

PORTALS_JOINED := $(PORTALS_PIECE) $(call objs,$(filter-out $(PORTALS_SHORT),$(PORTALS_SOURCES)),libportals-inside)

$(OUT)/obj/libportals/portals.o: $(PORTALS_JOINED)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)ld -r -o $@ $^
	$(Q)objcopy --wildcard --keep-global-symbol='Ptl*' $@

$(LIB)/libportals.a: $(OUT)/obj/libportals/portals.o
	$(call say,AR,$@)
	$(Q)mkdir -p $(@D) && rm -f $@ && ar rcs $@ $^

$(LIB)/libportals.so: $(PORTALS_JOINED)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS_) $(WHOLE-$(VARIANT)) -shared -Wl,-soname,libportals.so -o $@ $^ -lpthread -ldl

# Portals 3.2 and 3.3: the same core and networks with other functions in front. ref-impl/api3 is compiled once for each.
#
#   libportals32-inside.a, libportals33-inside.a   for the unit tests
#   libportals32.a, libportals33.a, .so            what programs link with
PORTALS_BENEATH := $(filter-out ref-impl/api/%,$(PORTALS_SOURCES))

define portals_later
$(call archive,portals$(1)-inside,$(call under,ref-impl/api3 ref-impl/api$(1)),-I ref-impl/include/portals-$(2) -I ref-impl/api$(1))

PORTALS$(1)_OBJECTS := $(call objs,$(PORTALS_BENEATH),libportals-inside) $(call objs,$(call under,ref-impl/api3 ref-impl/api$(1)),libportals$(1)-inside)
ARCHIVES  += $(LIB)/libportals$(1).a
EXTRA_ALL += $(LIB)/libportals$(1).so

$(OUT)/obj/libportals$(1)/portals.o: $$(PORTALS$(1)_OBJECTS)
	$$(call say,LD,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)ld -r -o $$@ $$^
	$(Q)objcopy --wildcard --keep-global-symbol='Ptl*' --keep-global-symbol='ptl_*_str' --keep-global-symbol='utcp_my_nid' $$@

$(LIB)/libportals$(1).a: $(OUT)/obj/libportals$(1)/portals.o
	$$(call say,AR,$$@)
	$(Q)mkdir -p $$(@D) && rm -f $$@ && ar rcs $$@ $$^

$(LIB)/libportals$(1).so: $$(PORTALS$(1)_OBJECTS)
	$$(call say,LD,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$(CC) $(LDFLAGS_) $(WHOLE-$(VARIANT)) -shared -Wl,-soname,libportals$(1).so -o $$@ $$^ -lpthread -ldl
endef

$(eval $(call portals_later,32,3.2))
$(eval $(call portals_later,33,3.3))

-include $(sort $(wildcard ref-impl/*/build.mk))
