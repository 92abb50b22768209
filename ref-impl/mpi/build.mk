# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# A small MPI over Portals and IMPI:
#
#   libassay-mpi-inside.a   everything, with all its names: for the unit tests, which look inside
#   libassay-mpi.a          one object that shows nothing but MPI_* and PMPI_*, to be linked with libportals.a
#   libassay-mpi.so         the same, shared; it asks for libportals.so
#   assay-mpicc             compiles programs and links them with both
#
# It uses Portals as any program does, by portals.h and libportals alone.

MPI_SOURCES := $(call under,ref-impl/mpi) ref-impl/impi/common/link.c ref-impl/nal/thread.c
MPI_OBJECTS := $(call objs,$(MPI_SOURCES),libassay-mpi-inside) $(call objs,$(call under,wire),libwire)

$(eval $(call archive,assay-mpi-inside,$(MPI_SOURCES),-I ref-impl/include))

ARCHIVES  += $(LIB)/libassay-mpi.a
EXTRA_ALL += $(LIB)/libassay-mpi.so $(BIN)/assay-mpicc
SCRIPTS   += $(BIN)/assay-mpicc

# Every function has two names, and a tool may have the first for itself: chapter 8 of MPI.
$(OUT)/obj/libassay-mpi/mpi.o: $(MPI_OBJECTS)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)ld -r -o $@.once $^
	$(Q)nm $@.once | awk '$$2 == "T" && $$3 ~ /^MPI_/ { print "--defsym=P" $$3 "=" $$3 }' > $@.names
	$(Q)ld -r -o $@ $@.once @$@.names
	$(Q)objcopy --wildcard --keep-global-symbol='MPI_*' --keep-global-symbol='PMPI_*' --weaken-symbol='MPI_*' $@

$(LIB)/libassay-mpi.a: $(OUT)/obj/libassay-mpi/mpi.o
	$(call say,AR,$@)
	$(Q)mkdir -p $(@D) && rm -f $@ && ar rcs $@ $^

$(LIB)/libassay-mpi.so: $(OUT)/obj/libassay-mpi/mpi.o $(LIB)/libportals.so
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS_) $(WHOLE-$(VARIANT)) -shared -Wl,-soname,libassay-mpi.so -Wl,-rpath,'$$ORIGIN' \
	    -o $@ $< -L$(LIB) -lportals -lpthread

# The wrapper finds header and libraries relative to itself where it is installed, else in this tree.
$(BIN)/assay-mpicc: ref-impl/mpi/assay-mpicc.sh
	$(call say,GEN,$@)
	$(Q)mkdir -p $(@D)
	$(Q)sed -e 's|@TREE_INCLUDE@|$(abspath ref-impl/include)|' -e 's|@TREE_LIB@|$(abspath $(LIB))|' \
	    -e 's|@VERSION@|$(VERSION)|' -e 's|@TREE_FLAGS@|$(filter -fsanitize=%,$(OPT))|' $< > $@ && chmod 755 $@
