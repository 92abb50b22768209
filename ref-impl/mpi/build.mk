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

MPI_SOURCES := $(filter-out ref-impl/mpi/fortran/%,$(call under,ref-impl/mpi)) $(call under,ref-impl/puma) ref-impl/impi/common/link.c $(addprefix ref-impl/nal/,drive.c thread.c) ref-impl/address.c

# Of these, what a message runs through within a node is optimised as one.
MPI_SHORT := $(if $(LTO),$(filter $(addprefix ref-impl/mpi/,api/% collectives/% common/% communicators/% local/% messages/% types/%),$(MPI_SOURCES)) ref-impl/address.c)
MPI_PIECE := $(if $(LTO),$(OUT)/obj/libassay-mpi-piece/piece.o)
$(if $(LTO),$(eval $(call piece,libassay-mpi-piece,$(MPI_SHORT),-I ref-impl/include)))

MPI_OBJECTS := $(MPI_PIECE) $(call objs,$(filter-out $(MPI_SHORT),$(MPI_SOURCES)),libassay-mpi-inside) $(call objs,$(call under,wire),libwire)

$(eval $(call archive,assay-mpi-inside,$(MPI_SOURCES),-I ref-impl/include))

ARCHIVES  += $(LIB)/libassay-mpi.a
EXTRA_ALL += $(LIB)/libassay-mpi.so

# Every function has two names, and a tool may have the first for itself: chapter 8 of MPI. What the library calls
# within has the second, so that a tool sees the program's calls alone.
$(OUT)/obj/libassay-mpi/mpi.o: $(MPI_OBJECTS)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)ld -r -o $@.once $^
	$(Q)nm $@.once | awk '$$2 == "T" && $$3 ~ /^MPI_/ { print $$3, "P" $$3 }' > $@.second
	$(Q)objcopy --redefine-syms=$@.second $@.once
	$(Q)awk '{ print "--defsym=" $$1 "=" $$2 }' $@.second > $@.first
	$(Q)ld -r -o $@ $@.once @$@.first
	$(Q)objcopy --wildcard --keep-global-symbol='MPI_*' --keep-global-symbol='PMPI_*' --weaken-symbol='MPI_*' $@

$(LIB)/libassay-mpi.a: $(OUT)/obj/libassay-mpi/mpi.o
	$(call say,AR,$@)
	$(Q)mkdir -p $(@D) && rm -f $@ && ar rcs $@ $^

$(LIB)/libassay-mpi.so: $(OUT)/obj/libassay-mpi/mpi.o $(LIB)/libportals.so
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS_) $(WHOLE-$(VARIANT)) -shared -Wl,-soname,libassay-mpi.so -Wl,-rpath,'$$ORIGIN' \
	    -o $@ $< -L$(LIB) -lportals -lpthread

# The Fortran 77 binding: a subroutine for each function of mpi.h, and mpif.h, both made from that header.
F77_GEN := $(OUT)/gen/fortran

$(eval $(call archive,assay-mpif77-inside,$(F77_GEN)/subroutines.c ref-impl/mpi/fortran/f77.c \
    $(addprefix ref-impl/mpi/fortran/f77_,attributes.c newer.c processes.c requests.c)))

ARCHIVES += $(LIB)/libassay-mpif77.a
$(OUT)/obj/libassay-mpif77/mpif77.o: $(LIB)/libassay-mpif77-inside.a
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)ld -r -o $@ --whole-archive $<
	$(Q)objcopy --wildcard --keep-global-symbol='mpi_*_' --keep-global-symbol='pmpi_*_' $@

$(LIB)/libassay-mpif77.a: $(OUT)/obj/libassay-mpif77/mpif77.o
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcs $@ $^

$(F77_GEN)/subroutines.c: F77_WHAT := subroutines
$(F77_GEN)/mpif.h: F77_WHAT := mpif.h
$(F77_GEN)/subroutines.c $(F77_GEN)/mpif.h: ref-impl/mpi/fortran/binding.py ref-impl/include/mpi.h
	$(call say,GEN,$@)
	$(Q)mkdir -p $(@D)
	$(Q)PYTHONDONTWRITEBYTECODE=1 $(PYTHON) ref-impl/mpi/fortran/binding.py $(F77_WHAT) ref-impl/include/mpi.h > $@

# The module is for the compiler that made it, and there where that is.
FORTRAN  := $(shell command -v gfortran)
F90_MODULE := $(if $(FORTRAN),$(F77_GEN)/mpi.mod)
$(F77_GEN)/mpi.mod: ref-impl/mpi/fortran/mpi.f90 $(F77_GEN)/mpif.h
	$(call say,GEN,$@)
	$(Q)rm -f $@ && $(FORTRAN) -fsyntax-only -I $(F77_GEN) -J $(F77_GEN) $<

MPI_WRAPPERS := $(foreach name,mpicc mpicxx mpif77 mpif90,$(BIN)/assay-$(name))
EXTRA_ALL += $(F77_GEN)/mpif.h $(F90_MODULE) $(MPI_WRAPPERS)
SCRIPTS   += $(MPI_WRAPPERS)

# A wrapper finds header and libraries relative to itself where it is installed, else in this tree.
MPI_LINKED := "$$lib/libassay-mpi.a" "$$lib/libportals.a"
C_WRAPPER := -e 's|@HEADER@|mpi.h|' -e 's| @COMPILER_FLAGS@||' -e 's|@LIBRARIES@|$(MPI_LINKED)|' \
    -e 's|@TREE_INCLUDE@|$(abspath ref-impl/include)|'
FORTRAN_WRAPPER := -e 's|@LANGUAGE@|Fortran|' -e 's|@HEADER@|mpif.h|' -e 's|@COMPILER@|gfortran|' \
    -e 's|@COMPILER_FLAGS@|-fallow-argument-mismatch|' \
    -e 's|@LIBRARIES@|"$$lib/libassay-mpif77.a" $(MPI_LINKED)|' -e 's|@TREE_INCLUDE@|$(abspath $(F77_GEN))|'
$(BIN)/assay-mpicc: WRAPPER := $(C_WRAPPER) -e 's|@LANGUAGE@|C|' -e 's|@VARIABLE@|ASSAY_MPICC_CC|' -e 's|@COMPILER@|cc|'
$(BIN)/assay-mpicxx: WRAPPER := $(C_WRAPPER) -e 's|@LANGUAGE@|C++|' -e 's|@VARIABLE@|ASSAY_MPICXX_CXX|' \
    -e 's|@COMPILER@|c++|'
$(BIN)/assay-mpif77: WRAPPER := $(FORTRAN_WRAPPER) -e 's|@VARIABLE@|ASSAY_MPIF77_FC|'
$(BIN)/assay-mpif90: WRAPPER := $(FORTRAN_WRAPPER) -e 's|@VARIABLE@|ASSAY_MPIF90_FC|'
$(MPI_WRAPPERS): ref-impl/mpi/compiler.sh ref-impl/mpi/build.mk
	$(call say,GEN,$@)
	$(Q)mkdir -p $(@D)
	$(Q)sed -e 's|@NAME@|$(@F)|' $(WRAPPER) -e 's|@TREE_LIB@|$(abspath $(LIB))|' -e 's|@VERSION@|$(VERSION)|' \
	    -e 's|@TREE_FLAGS@|$(filter -fsanitize=%,$(OPT))|' $< > $@ && chmod 755 $@
