# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# One makefile for the whole house. Every folder says what it builds in its own build.mk with three calls:
#
#   $(eval $(call archive,NAME,SOURCES,CFLAGS))                     static library $(LIB)/libNAME.a
#   $(eval $(call program,NAME,SOURCES,ARCHIVES,CFLAGS,LDLIBS))     executable     $(BIN)/NAME
#   $(eval $(call unit,NAME,SOURCES,ARCHIVES,CFLAGS,LDLIBS))        unit test      $(OUT)/test/NAME, run by `make unit`
#
# Variants: release (default), debug, asan, tsan, fuzz. `make V=1` shows every command, `make LTO=` links without
# optimising.

MAKEFLAGS += --no-builtin-rules
VARIANT ?= release
CC      ?= gcc
ifeq ($(origin CC),default)
CC      := gcc
endif
PREFIX  ?= /usr/local
DESTDIR ?=
PYTHON  ?= /usr/bin/python3
VERSION := 0.1.0

# B moves the whole build tree; the contract's place for programs is build/bin.
# However it is given, it has one name: dependencies are known by it.
B   ?= build
override B := $(patsubst $(CURDIR)/%,%,$(abspath $(B)))
OUT := $(B)/$(VARIANT)
ifeq ($(VARIANT),release)
BIN := $(B)/bin
LIB := $(B)/lib
else
BIN := $(OUT)/bin
LIB := $(OUT)/lib
endif

WARN      := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
# -g1: of functions and lines alone, which is what traces name; VARIANT=debug has the rest.
OPT-release := -O2 -g1
OPT-debug   := -O0 -g3
OPT-asan    := -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
OPT-tsan    := -O1 -g1 -fno-omit-frame-pointer -fsanitize=thread
OPT-fuzz    := -O1 -g1 -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
ifeq ($(origin OPT-$(VARIANT)),undefined)
$(error VARIANT=$(VARIANT) is not one of release debug asan tsan fuzz)
endif
ifeq ($(VARIANT),fuzz)
CC := clang
endif
OPT     := $(OPT-$(VARIANT))
CSTD    := -std=c17 -D_GNU_SOURCE
CFLAGS_ := $(CSTD) $(WARN) $(OPT) -fPIC -fvisibility=hidden -I. -DASSAY_VERSION='"$(VERSION)"' $(CFLAGS)
LDFLAGS_:= $(OPT) -Wl,--as-needed $(LDFLAGS)

Q := @
ifeq ($(V),1)
Q :=
endif
say = $(if $(Q),@printf '  %-7s %s\n' '$(1)' '$(2)')

all:
.PHONY: all
.SECONDARY:
.DELETE_ON_ERROR:

# folders of the headers of later revisions of Portals
LATER_HEADERS := $(notdir $(wildcard ref-impl/include/portals-3.*)) gasnet

PROGRAMS :=
SCRIPTS  :=
ARCHIVES :=
UNITS    :=
DEPFILES :=

# objects of sources $(1) in object folder $(2)
objs = $(patsubst %.c,$(OUT)/obj/$(2)/%.o,$(1))

# members FILE OBJECTS: the file that lists what an archive or a program is made of. It is newer than both when the list
# has changed, also where no object has. Names are below OUT, so that it is the same list where B is an absolute path.
members = $(call listed,$(1),$(strip $(subst $(OUT)/,,$(2))))$(1)
listed  = $(if $(subst x$(2),,x$(strip $(file <$(1)))),$(shell mkdir -p $(dir $(1)))$(file >$(1),$(2)))

# objrule OWNER CFLAGS: every target keeps its own objects, so that flags never mix
define objrule
$(OUT)/obj/$(1)/%.o: %.c
	$$(call say,CC,$$<)
	$(Q)mkdir -p $$(@D)
	$(Q)$(CC) $(CFLAGS_) $(2) -MMD -MP -c -o $$@ $$<
endef

# piece NAME SOURCES CFLAGS: sources optimised as if they were one, $(OUT)/obj/NAME/piece.o, for what every message runs
# through: calls between files cost it a tenth of its instructions, and those that -O2 does not put in line another
# twentieth. At each change that is the work of many compilations, so LTO= does without; so do variants for people who
# look inside, and clang, which has no such output.
LTO := $(if $(findstring clang,$(CC)),,$(filter release,$(VARIANT)))

# For structures of some hundred octets GCC takes `rep stos` and `rep movs`, which begin slower than loops have ended:
# without them a short message takes an eighth less time.
PIECE_ := -O3
ifneq ($(if $(LTO),$(filter x86_64%,$(shell $(CC) -dumpmachine))),)
PIECE_ += $(foreach what,memset memcpy,-m$(what)-strategy=vector_loop:512:noalign,libcall:-1:noalign)
endif

define piece
$(call objrule,$(1),$(3) -flto $(PIECE_))
DEPFILES += $(patsubst %.o,%.d,$(call objs,$(2),$(1)))
$(OUT)/obj/$(1)/piece.o: $(call objs,$(2),$(1)) $(call members,$(OUT)/obj/$(1)/members,$(call objs,$(2),$(1)))
	$$(call say,LTO,$$@)
	$(Q)$(CC) $(OPT) $(PIECE_) -w -flto=auto -r -flinker-output=nolto-rel -o $$@ $$(filter %.o,$$^)
endef

define archive
$(call objrule,lib$(1),$(3))
ARCHIVES += $(LIB)/lib$(1).a
DEPFILES += $(patsubst %.o,%.d,$(call objs,$(2),lib$(1)))
$(LIB)/lib$(1).a: $(call objs,$(2),lib$(1)) $(call members,$(OUT)/obj/lib$(1)/members,$(call objs,$(2),lib$(1)))
	$$(call say,AR,$$@)
	$(Q)mkdir -p $$(@D) && rm -f $$@ && ar qcs $$@ $$(filter %.o,$$^)
endef

define link
$(call objrule,$(2),$(5))
DEPFILES += $(patsubst %.o,%.d,$(call objs,$(3),$(2)))
$(1): $(call objs,$(3),$(2)) $(call members,$(OUT)/obj/$(2)/members,$(call objs,$(3),$(2))) $(addprefix $(LIB)/lib,$(addsuffix .a,$(4)))
	$$(call say,LD,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$(CC) $(LDFLAGS_) -o $$@ $(call objs,$(3),$(2)) -Wl,--start-group $(addprefix $(LIB)/lib,$(addsuffix .a,$(4))) -Wl,--end-group $(6)
endef

define program
PROGRAMS += $(BIN)/$(1)
$(call link,$(BIN)/$(1),$(1),$(2),$(3),$(4),$(5))
endef

define unit
UNITS += $(OUT)/test/$(1)
$(call link,$(OUT)/test/$(1),test-$(1),$(2),$(3),$(4),$(5))
endef

# all C sources below the folders $(1)
under = $(sort $(shell find $(1) -name '*.c'))

# What pkg-config says of packages, asked once.
pkgvar    = pkg-$(subst $() ,,$(1))
pkgsaid   = $(if $(filter undefined,$(origin $(pkgvar))),$(eval $(pkgvar) := $(shell pkg-config $(1) 2>/dev/null)))$($(pkgvar))
pkgcflags = $(call pkgsaid,--cflags $(1))
pkglibs   = $(call pkgsaid,--libs $(1))

include $(sort $(wildcard */build.mk tests/*/build.mk))
-include $(DEPFILES)


all: $(ARCHIVES) $(PROGRAMS) $(EXTRA_ALL)

.PHONY: clean help
clean:
	rm -rf $(B)

# What there is to make; tests/scenario/test_manuals.py holds it to the targets.
define HELP
to look, to use
  make demo            install what is missing, build, certify the reference through the service
  make serve           the service, on what `make demo` has recorded (PORT=8080 HOST=127.0.0.1)
  make trace           the books: each requirement beside code, cases and mutants
  make examples        the programs of chapter 5 of Portals
  make three-clients   the IMPI document's example of a job, with its octets
  make dissector       the plugin for Wireshark; make install-dissector, make uninstall-dissector
  make install         programs, libraries, manuals (PREFIX=/usr/local DESTDIR=); make uninstall
  make tarball         the archive for vendors: test interpreters and launch agent

to work on it
  make, make all       everything, into build/ (V=1 shows commands, LTO= links without optimising, B=dir, CC=clang,
                       VARIANT=debug|asan|tsan)
  make unit            the unit tests
  make pytest          the tests above C (T=tests/scenario or T=file takes some, LONG=no leaves the long ones out)
  make lint            what no compiler holds; make lint-NAME, a script of tests/lint; make lint-tidy, lint-clang
  make modules         who includes whom: folders and modules on floors, as text and in build/share/modules.svg
  make suts            judges systems that are not the reference, or slow, by all cases
  make check           all that must be green: deps, all, lint, check-tests (pytest without the long tests,
                       web-postgresql) and beside it check-compiles (variants-check, mutants-compile, and what is needed
                       for the rest), mutants-check, sanitizers with the unit tests, fuzz-seeds, fuzz-impi-short
  make check-long      what check leaves out: whole suites over again, on every network and other systems (LONG=only),
                       unit without sanitizers
  make mutants-check   changed mutants compile; tries some whose proof is stale (MUTANT_SECONDS=30)
  make variants-check  changed variants compile
  make sanitizers      unit tests and scenarios with checks of memory and threads
  make check-programs  of all programs only those that the scenarios of jobs run; check-units, those of unit;
                       fuzz-programs, the fuzz targets (VARIANT=asan|fuzz)
  make deps            install the Debian packages that are missing
  make clean           remove build/

long work
  make mutants         prove the cases; red while a proof is stale (MUTANTS="name P30-137 ref-impl/core/me.c" takes
                       some, MUTANTFLAGS=--stale those whose proof is stale, MUTANTFLAGS=--check writes nothing)
  make variants        judge every change of the reference that the documents allow: all must conform (VARIANTS="name
                       P30-137 a+b" takes some, VARIANTFLAGS=--pairs all pairs of readings)
  make damage          spoils every capture in every way: nobody may be accused for it (DAMAGEFLAGS="--each 2 --cases 50")
  make repeat          the suite twenty times, verdicts compared (REPEATS=20); make repeat-intercept, over the
                       Intercept network with bad cables and a cut plane
  make web-postgresql  the tests of the service with PostgreSQL
  make advisories      security updates that the packages lack which the service is linked with
  make thirdparty      MPICH's tests and programs of others with the MPI library (THIRDPARTY="coll/ hpcc" takes some)
  make layouts         collective operations of MPI on every layout of eight processes, from one IMPI client to eight
                       (LAYOUTFLAGS="--every 8" takes a part)
  make drawn           MPI programs drawn by lot: with this library, Open MPI and MPICH they print the same
                       (DRAWNFLAGS="--first 1000 --seeds 50")
  make kills           power lost, disk full, SIGKILL in the middle of runs of the service (KILLS=100)
  make bench           all benchmarks; make bench-table, bench-codec, bench-scale, bench-tcp, bench-shm, bench-mpi,
                       bench-collectives, bench-gasnet, bench-web, bench-intercept, bench-intercept-wishes;
                       make bench-intercept-all, bench-dissector (minutes),
                       bench-load (hours: the service under load, SIGKILLs, hostile clients, on both stores; LOADFLAGS)
  make dissector-upstream  writes packet-portals.c and packet-impi.c for Wireshark's own tree; dissector-upstream-check
                       compiles them there and has its pre-commit, checkers and fuzz-test look at them
  make dissector-versions  compiles the Wireshark plugin against the headers of 4.0, 4.4 and 4.6, fetched from Debian
  make fuzz            each target for a minute (FUZZ_SECONDS=60); make fuzz-short; make fuzz-seeds
  make fuzz-impi       random hostile peers against impirun; make fuzz-impi-short
  make fuzz-intercept  frames of Intercept, and a card with its driver among hostile ones (FUZZ_SECONDS=3600)
endef

help:
	$(info $(HELP))
	@:

# ---- tests --------------------------------------------------------------------------------------------------------

# What pytest needs to know about this build; tests/conftest.py reads it. LONG=no leaves the long tests out, LONG=only
# takes nothing else. A make in a test shares nothing with the one around it.
TESTENV = ASSAY_BUILD='$(abspath $(B))' ASSAY_BIN='$(abspath $(BIN))' ASSAY_LIB='$(abspath $(LIB))' ASSAY_VARIANT='$(VARIANT)' \
          ASSAY_OUT='$(abspath $(OUT))' ASSAY_LONG='$(LONG)' PYTHONDONTWRITEBYTECODE=1 \
          MAKEFLAGS='$(filter-out -j% --jobserver%,$(MAKEFLAGS))'

.PHONY: deps check check-long pytest sanitizers
deps:
	$(Q)sh tests/deps.sh

PYTEST_NEEDS = all

# pytest: everything above C: scenarios, service, dissector, browser, lints of the lints.
pytest: $(PYTEST_NEEDS)
	$(Q)$(TESTENV) PYTHON='$(PYTHON)' PYTEST_JOBS='$(PYTEST_JOBS)' sh tests/run-pytest $(T)

PYTEST_JOBS ?= 1

# What is done at once: files are compiled, and tests run, beside each other; of the latter twice as many as there are
# processors, for half of their time is waiting.
JOBS ?= $(shell nproc)
together = $(Q)$(MAKE) --no-print-directory -j$(JOBS)

# sanitizers: unit tests and scenarios with address and undefined-behaviour checks, the reference library with thread checks.
# The scenario that takes longest begins first. Without the long tests, only those that are jobs of the reference, with
# the programs that these need, and threads are looked at where there are some.
longest   = tests/scenario/test_suite_networks.py
scenarios = $(longest) $(filter-out $(longest),$(wildcard tests/scenario/test_*.py)) tests/gasnet
jobs      = $(patsubst %,tests/scenario/test_%.py,examples interpreter_job job_driving job_intercept job_shm job_wrappers)
ifeq ($(LONG),no)
sanitized_needs = check-programs
sanitized_tests = $(jobs)
one_thread      = wire_% tester_% icpt-% web_% interp_% report_% impi_% mpi_% scale nal-mixed ref_core_match_index \
                  ref_core_memory ref_core_handle ref_core_target ref_later_32 ref_puma_rma \
                  $(addprefix ref_api_,ac init md me movement)
else
sanitized_needs = all
sanitized_tests = $(scenarios)
endif
sanitizers:
	$(together) VARIANT=asan $(sanitized_needs)
	$(together) VARIANT=asan unit
	$(Q)$(MAKE) --no-print-directory VARIANT=asan pytest PYTEST_NEEDS=$(sanitized_needs) T='$(sanitized_tests)' PYTEST_JOBS=$$((2 * $(JOBS)))
	$(together) VARIANT=tsan unit LEAVE_OUT='$(one_thread)'

.PHONY: check-programs
check-programs: $(addprefix $(BIN)/,assay interp-portals portalsrun sut-agent) $(addprefix $(OUT)/examples/,$(EXAMPLES)) \
    $(addprefix $(OUT)/,scenario/job-probe scenario/drive-probe scenario/leave-probe test/traffic)

# Tests of the service that ask for most of its statements, on the other engine too.
on_both = $(patsubst %,tests/web/test_%.py,account bad_input compare export members resume)

# check: what must be green on every machine before a change lands. The long tests are left to check-long, and so are
# the unit tests without the checks of sanitizers.
check: deps
	$(together) all
	$(together) lint
	$(Q)$(MAKE) --no-print-directory -j2 check-tests check-compiles LONG=no
	$(Q)$(MAKE) --no-print-directory mutants-check
	$(Q)$(MAKE) --no-print-directory sanitizers LONG=no
	$(together) fuzz-seeds fuzz-impi-short
	@echo 'check: all green'

# What later steps need is compiled beside the tests, which wait for half of their time, and gives way to them.
.PHONY: check-tests check-compiles
check-tests:
	$(Q)$(MAKE) --no-print-directory pytest PYTEST_JOBS=$$((2 * $(JOBS)))
	$(Q)$(MAKE) --no-print-directory web-postgresql POSTGRESQL_TESTS=tests/web/test_account.py LONG=
check-compiles: in_passing = $(Q)nice -n 19 $(MAKE) --no-print-directory -j$(JOBS)
check-compiles:
	$(in_passing) VARIANT=asan check-programs check-units fuzz-programs >/dev/null
	$(in_passing) VARIANT=tsan check-units LEAVE_OUT='$(one_thread)' >/dev/null
	$(in_passing) variants-check
	$(in_passing) mutants-compile

# check-long: what check leaves out: whole suites over every network and on other systems, also with checks of memory,
# more of the service on PostgreSQL, clang's warnings, and some seconds of each fuzz target.
check-long: deps
	$(together) all unit
	$(Q)$(MAKE) --no-print-directory pytest LONG=only PYTEST_JOBS=$$((2 * $(JOBS)))
	$(Q)$(MAKE) --no-print-directory web-postgresql POSTGRESQL_TESTS='$(on_both)' PYTEST_JOBS=$$((2 * $(JOBS)))
	$(Q)$(MAKE) --no-print-directory lint-clang
	$(Q)$(MAKE) --no-print-directory sanitizers
	$(together) fuzz-short
	@echo 'check-long: all green'

.PHONY: bench
bench: $(BENCHES)

# ---- installing ----------------------------------------------------------------------------------------------------
#
#   make install   [PREFIX=/usr/local] [DESTDIR=]   programs, libraries, cases, specifications, manuals
#   make uninstall [PREFIX=/usr/local] [DESTDIR=]   takes the same away again
#
# Nothing that is installed needs this tree. DESTDIR, for packagers, is put before every path and stands in no file.

bindir     = $(DESTDIR)$(PREFIX)/bin
libdir     = $(DESTDIR)$(PREFIX)/lib
includedir = $(DESTDIR)$(PREFIX)/include
sharedir   = $(DESTDIR)$(PREFIX)/share/assay
docdir     = $(DESTDIR)$(PREFIX)/share/doc/assay
mandir     = $(DESTDIR)$(PREFIX)/share/man
MANPAGES   = $(sort $(wildcard */man/*.[1-8]))
PCFILES    = $(sort $(wildcard */*.pc.in))
LIBRARIES  = $(foreach name,portals portals32 portals33 assay-mpi,$(LIB)/lib$(name).a $(LIB)/lib$(name).so) $(LIB)/libassay-mpif77.a $(LIB)/libassay-gasnet.a
HEADERS    = ref-impl/include/portals.h
# Names that other MPI libraries have too, hence a folder of their own.
MPI_HEADERS = ref-impl/include/mpi.h $(F77_GEN)/mpif.h $(F90_MODULE)
DOCUMENTS  = README.md CHANGES.md LICENSE $(BOOKS)

# The names that a page describes: it is found under each of them.
man_names = awk '/^\.Sh/ { name = $$2 == "NAME" } name && /^\.Nm/ { print $$2 }'

.PHONY: install uninstall
install: all
	$(Q)install -d '$(bindir)' '$(libdir)/pkgconfig' '$(includedir)/assay-mpi' '$(sharedir)' '$(docdir)'
	$(Q)install -m 755 $(PROGRAMS) $(SCRIPTS) '$(bindir)'
	$(Q)install -m 644 $(LIBRARIES) '$(libdir)'
	$(Q)install -m 644 $(HEADERS) '$(includedir)'
	$(Q)for folder in $(LATER_HEADERS); do \
	    (cd ref-impl/include && find "$$folder" -name '*.h') | while read -r file; do \
	        install -D -m 644 "ref-impl/include/$$file" '$(includedir)/'"$$file" || exit 1; done || exit 1; done
	$(Q)install -m 644 $(MPI_HEADERS) '$(includedir)/assay-mpi'
	$(Q)install -m 644 $(DOCUMENTS) '$(docdir)'
	$(Q)for template in $(PCFILES); do \
	    sed -e 's|@PREFIX@|$(PREFIX)|g' -e 's|@VERSION@|$(VERSION)|g' "$$template" | \
	        install -m 644 /dev/stdin '$(libdir)/pkgconfig/'"$$(basename "$$template" .in)" || exit 1; done
	$(Q)for page in $(MANPAGES); do \
	    section="$${page##*.}"; folder='$(mandir)/man'"$$section"; file="$$(basename "$$page")"; \
	    install -D -m 644 "$$page" "$$folder/$$file" || exit 1; \
	    for name in $$($(man_names) "$$page"); do \
	        [ "$$name.$$section" = "$$file" ] || ln -sf "$$file" "$$folder/$$name.$$section" || exit 1; done; done
	@# A case that this version no longer has must not stay behind: it would be run.
	$(Q)rm -rf '$(sharedir)/cases' '$(sharedir)/specs'
	$(Q)for folder in tester/cases specs; do \
	    to='$(sharedir)/'"$$(basename "$$folder")"; install -d "$$to" && \
	    (cd "$$folder" && find . -type f ! -name '.*' -print0 | tar --null -T - -cf -) | tar --no-same-owner -xf - -C "$$to" && \
	    chmod -R u=rwX,go=rX "$$to" || exit 1; done
	$(Q)install -m 644 $(B)/share/assay-interpreter.tar.gz '$(sharedir)'
	@echo 'install: programs in $(bindir), cases and specifications in $(sharedir), manuals in $(mandir)'
	@echo 'install: libraries in $(libdir); if programs do not find them, run ldconfig or set LD_LIBRARY_PATH'
	@echo 'install: the Wireshark plugin has its own target: make install-dissector'

uninstall:
	$(Q)for file in $(notdir $(PROGRAMS) $(SCRIPTS)); do rm -f '$(bindir)/'"$$file"; done
	$(Q)for file in $(notdir $(LIBRARIES)); do rm -f '$(libdir)/'"$$file"; done
	$(Q)for file in $(notdir $(HEADERS)); do rm -f '$(includedir)/'"$$file"; done
	$(Q)rm -rf '$(includedir)/assay-mpi' $(LATER_HEADERS:%='$(includedir)/%')
	$(Q)for file in $(notdir $(PCFILES:.in=)); do rm -f '$(libdir)/pkgconfig/'"$$file"; done
	$(Q)for page in $(MANPAGES); do \
	    section="$${page##*.}"; folder='$(mandir)/man'"$$section"; rm -f "$$folder/$$(basename "$$page")"; \
	    for name in $$($(man_names) "$$page"); do rm -f "$$folder/$$name.$$section"; done; done
	$(Q)rm -rf '$(sharedir)' '$(docdir)'
	@echo 'uninstall: removed from $(DESTDIR)$(PREFIX); runs and reports that were made stay where they are'
