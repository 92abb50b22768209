# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# assayd, the test service, in one file: what it serves is embedded. `make serve` starts it on build/demo's data,
# `make demo` certifies the bundled reference through it.

LESSONS      := $(patsubst web/pages/lessons/%.pcapng,$(OUT)/gen/lesson-%.js,$(wildcard web/pages/lessons/*.pcapng))
WEB_EMBEDDED := web/store/schema.sql web/store/postgresql.sql $(wildcard web/pages/assets/*) $(LESSONS) specs/openapi.json $(PROOFS)
WEB_TARBALL  := $(B)/share/assay-interpreter.tar.gz
WEB_ASSETS   := $(OUT)/gen/web-assets.o
WEB_PACKAGES := libmicrohttpd jansson sqlite3 libpq libsodium zlib libzstd

$(eval $(call program,assayd,$(call under,web),assay-tester wire,$(call pkgcflags,$(WEB_PACKAGES)),$(WEB_ASSETS) $(call pkglibs,$(WEB_PACKAGES)) $(call pkglibs,lua5.4) -lm -lpthread))

$(BIN)/assayd: $(WEB_ASSETS)

$(OUT)/gen/web-assets.o: web/service/embed.sh $(WEB_EMBEDDED) $(WEB_TARBALL) $(BOOKS)
	$(call say,EMBED,$@)
	$(Q)mkdir -p $(@D)
	$(Q)sh web/service/embed.sh $(filter-out web/service/embed.sh,$^) >$(OUT)/gen/web-assets.S
	$(Q)$(CC) $(OPT) -c -o $@ $(OUT)/gen/web-assets.S

# The steps of a lesson, as a module that its page imports.
$(OUT)/gen/lesson-%.js: web/pages/lessons/%.pcapng $(BIN)/assay
	$(Q)mkdir -p $(@D)
	$(Q){ printf 'export default ' && $(BIN)/assay replay $<; } >$@.part && mv $@.part $@

.PHONY: demo serve
# On a fresh machine nothing can be found out before the packages are there, hence a second make.
demo: deps
	$(Q)$(MAKE) --no-print-directory all
	$(Q)sh web/demo.sh $(B)

serve: all
	$(Q)sh web/serve.sh $(B)

# Of Debian's packages that assayd is linked with, those that have a security update which is not installed here, as the
# last `apt-get update` knows; and by debsecan, where it is installed, those with open advisories.
.PHONY: advisories
advisories: $(BIN)/assayd
	$(Q)ldd $< | awk '$$3 ~ "^/" { print $$3; print "/usr" $$3 }' | xargs dpkg -S 2>/dev/null | cut -d: -f1 | sort -u >$(OUT)/gen/linked
	$(Q)xargs apt-get install -s --only-upgrade <$(OUT)/gen/linked | grep -E '^Inst .*Debian-Security' | cut -d' ' -f2-4 >$(OUT)/gen/updates || :
	$(Q)if command -v debsecan >/dev/null; then debsecan --suite $$(. /etc/os-release && echo $$VERSION_CODENAME) | grep -wFf $(OUT)/gen/linked || :; fi
	$(Q)if grep -wFf $(OUT)/gen/linked $(OUT)/gen/updates; then echo "install these updates, and start the service anew" >&2; exit 1; fi
