# more: what the Makefile includes and a newcomer does not need: long tests, other builds, installation
# and packages, figures, fuzzing, campaigns.
.PHONY: matrix coverage coverage-run events install install-files uninstall deb test-deb test-long test-long-run page picture \
        test-browser test-python test-python-run test-readers test-vscode test-container \
        bench-latency bench-growth bench-schedule bench-sweep mutants check-asan check-clang \
        test-arm64 \
        test-arm64-run bench bench-run bench-amx bench-ventus \
        bench-fit fit-campaign fuzz fuzz-reduce hostile

# The suites with random campaigns: make test has an eighth of the rounds, this OFTEN times all
# (tests/often.h).
OFTEN   ?= 2
LONGBIN  = $(patsubst %.c,$(BUILD)/%,$(shell grep -lE 'tests/often.h|oracle/lockstep.h' $(TESTS)))
test-long: deps
	@.ci/install gcc-riscv64-unknown-elf valgrind neovim slurm-wlm parallel libtree-sitter-dev
	+@$(QUIETLY) test-long-run

$(BUILD)/tests/editors/test_tree_sitter: LIBS += -ltree-sitter

test-long-run: build $(LONGBIN) $(LONG)
	@TAKT=$(BUILD)/takt TAKT_OFTEN=$(OFTEN) .ci/run-tests -j $(JOBS) $(sort $(LONGBIN) $(LONG))
	@tests/sweep/engines $(BUILD)/takt
	+@$(QUIETLY) hostile MINUTES=3
	@TAKT=$(BUILD)/takt TAKT_EDITS=10000 PYTHONDONTWRITEBYTECODE=1 $(PYTHON) -m unittest \
	    tests/python/test_lsp.py tests/python/test_neovim.py

# The formats for other tools, by readers of others (tests/python/test_formats.py).
test-readers: build
	@.ci/install python3-jsonschema python3-junitparser protobuf-compiler valgrind npm
	@npm install --silent --prefix $(BUILD)/readers @microsoft/jest-sarif speedscope \
	    vscode-textmate vscode-oniguruma
	@node tests/editors/grammars.js $(BUILD)/readers
	@editors/tree-sitter/generate --check
	@TAKT=$(BUILD)/takt TAKT_READERS=$(BUILD)/readers PYTHONDONTWRITEBYTECODE=1 $(PYTHON) -m unittest \
	    tests/python/test_formats.py

# The extension in VS Code itself, which is fetched from npm (1 GB).
test-vscode: build
	@tests/editors/vscode.sh $(BUILD)-vscode

# The container and the action's script, by buildah.
test-container:
	@tests/action/container.sh

# Measured cells of AMX and totals of Ventus as lists for takt fit: what it predicts of what it has
# not seen.
bench-fit: build
	@TAKT=$(BUILD)/takt $(PYTHON) tests/fit/ventus.py
	@TAKT=$(BUILD)/takt $(PYTHON) tests/fit/amx.py

# Secret chips against takt fit: exact, with noise, with one false value; changed numbers against takt diff.
CHIPS   ?= 20
fit-campaign: build
	@TAKT=$(BUILD)/takt $(PYTHON) tests/fit/rules.py
	@TAKT=$(BUILD)/takt $(PYTHON) tests/fit/campaign.py --chips $(CHIPS) --threads $(JOBS) --check

# The package in python/ on the library that is built; types and data frames where mypy and pandas are.
test-python:
	@.ci/install python3-cffi python3-pandas mypy
	+@$(QUIETLY) test-python-run

test-python-run: build
	@TAKT=$(BUILD)/takt TAKT_LIBRARY=$(BUILD)/libtakt.so PYTHONPATH=python PYTHONDONTWRITEBYTECODE=1 \
	    $(PYTHON) -m unittest discover -s tests/python


# The event lists of the examples anew; the diff goes to review.
events: deps
	+@$(QUIETLY) $(BUILD)/takt $(BUILD)/tests/test_events
	@TAKT=$(BUILD)/takt TAKT_REGENERATE=1 $(BUILD)/tests/test_events

# A test asks for more memory than there can be.
SANITIZERS = -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
ASAN     = BUILD=build-asan OPT="-O1 -g" SANITIZE="$(SANITIZERS)"
check-asan: deps
	+@$(WATCHED:$(BUILD)=build-asan) $(ASAN) test-build LONG='$$(CAMPAIGNS)'
	+@ASAN_OPTIONS=allocator_may_return_null=1 $(QUIETLY) $(ASAN) test-run LONG='$$(CAMPAIGNS)'

check-clang: deps
	+@$(WATCHED:$(BUILD)=build-clang) BUILD=build-clang CC=clang test-build LONG='$$(CAMPAIGNS)'
	+@$(QUIETLY) BUILD=build-clang CC=clang test-run LONG='$$(CAMPAIGNS)'

# The examples by other compilers, at other levels and with each sanitizer: the same answers. The thread
# sanitizer wants addresses that are not at random.
MATRIX   = gcc-O0 gcc-O3 clang-O0 clang-O3 gcc-O1-address,undefined gcc-O1-thread gcc-O1-leak \
           clang-O1-address,undefined clang-O1-thread
matrix: deps build
	@.ci/install clang libclang-rt-14-dev
	+@for v in $(MATRIX); do \
	    sanitizer=$$(echo $$v | cut -d- -f3); \
	    $(QUIETLY) BUILD=build-matrix/$$v CC=$${v%%-*} \
	        OPT="-$$(echo $$v | cut -d- -f2) -g1" SANITIZE="$${sanitizer:+-fsanitize=$$sanitizer}" WARN= \
	        build-matrix/$$v/takt || exit 1; \
	done
	@$$(setarch -R true 2>/dev/null && echo setarch -R) .ci/matrix $(BUILD)/takt $(MATRIX:%=build-matrix/%/takt)

# Lines and branches that the suites reach, by room. Without warnings: at -O0 some
# intrinsics are macros that convert. fail.so, loaded by all, keeps counters whole where calls fail.
# Bodies that are inlined everywhere are counted once, not once for each place.
COVERAGE = BUILD=build-coverage OPT="-O0 -g -Dalways_inline=unused" SANITIZE="--coverage" WARN=
GOALS    = 95 90
coverage: deps
	@.ci/install gcovr python3-cffi
	@find build-coverage -name '*.gcda' -delete 2>/dev/null || true
	+@$(QUIETLY) $(COVERAGE) coverage-run
	@.ci/coverage build-coverage $(GOALS)

# The suites, then the campaign's calls that fail, each from every place. A suite that fails here stops
# nothing: some measure time or memory, which the counters take.
coverage-run: build $(TESTBIN) $(HOSTILE)
	-@LD_PRELOAD=$(abspath $(HOSTILE)) TAKT=$(BUILD)/takt \
	    .ci/run-tests -j $(JOBS) $(TESTBIN)
	-@TAKT=$(BUILD)/takt TAKT_LIBRARY=$(BUILD)/libtakt.so PYTHONPATH=python \
	    PYTHONDONTWRITEBYTECODE=1 PYTHON="$(PYTHON)" TAKT_OFTEN=1 \
	    .ci/run-tests -j $(JOBS) $(wildcard tests/python/test_*.py)
	-@for kind in memory "sqlite --only writes"; do \
	    $(PYTHON) tests/hostile/campaign.py $(BUILD)/takt --plain $(BUILD)/takt --fail $(HOSTILE) \
	        --places --minutes 60 --only $$kind --out $(BUILD)/places-$${kind%% *} & \
	done; wait

# Single faults planted in the sources, which the suites have to find: docs/mutants.md. COUNT=n in each room, SEED=n,
# ROOM="timing traces", MUTANTS="--only FILE:LINE". The copies of the tree stay in build-mutants.
COUNT   ?= 100
mutants: deps
	@CC="$(CC)" $(PYTHON) tests/mutants/mutants.py --count $(COUNT) --seed $(SEED) --jobs $(JOBS) \
	    $(ROOM:%=--room %) $(MUTANTS)

# The suites for arm64, compiled across against Debian's libraries in a folder and run by qemu, then the
# matrix with that build. TAKT is a script, so that what suites start is emulated, too.
ARM64ROOT = build-arm64-root
EMULATOR  = qemu-aarch64-static -L $(abspath $(ARM64ROOT))
$(ARM64ROOT):
	@.ci/install mmdebstrap
	@mmdebstrap --quiet --arch=arm64 --variant=extract \
	    --include=libc6-dev,libevent-dev,libsqlite3-dev \
	    --include=libcmocka-dev,libyaml-dev,libjansson-dev,zlib1g-dev,libelf-dev,libdw-dev \
	    --include=libiberty-dev,libgmp-dev,libmpfr-dev,libtree-sitter-dev \
	    bookworm $@.new && mv $@.new $@

test-arm64: deps build | $(ARM64ROOT)
	@.ci/install qemu-user-static gcc-aarch64-linux-gnu libc6-dev-arm64-cross
	+@$(QUIETLY) BUILD=build-arm64 test-arm64-run \
	    CC="$(if $(findstring ccache,$(CC)),ccache )aarch64-linux-gnu-gcc --sysroot=$(abspath $(ARM64ROOT))"
	@.ci/matrix $(BUILD)/takt build-arm64/takt.sh

test-arm64-run: build $(TESTBIN) $(HOSTILE)
	@printf '#!/bin/sh\nexec %s "$$@"\n' '$(EMULATOR) $(abspath $(BUILD))/takt' > $(BUILD)/takt.sh
	@chmod +x $(BUILD)/takt.sh
	@EMULATOR="$(EMULATOR)" TAKT=$(BUILD)/takt.sh .ci/run-tests -j $(JOBS) $(TESTBIN)


# --- install: make install PREFIX=/usr/local DESTDIR= ------------------------------------------
PREFIX  ?= /usr/local
PAGES    = README.md CONTRIBUTING.md LICENSE $(wildcard docs/*.md docs/*.png action/* editors/*/*.* editors/*/*/*.* functional/*/*.md timing/*/README.md \
           config/ventus/ventus128.yaml config/kelvin/kelvin-tcm.yaml \
           examples/*/*.* examples/*/*/*.*)
LIBDIR  ?= $(PREFIX)/lib
# The package reads its declarations from the header.
PYTHON_FILES = $(wildcard python/takt/*.py) python/takt/py.typed include/takt.h
PYTHONDIR   ?= $(PREFIX)/lib/python3/dist-packages
MANDIR  ?= $(PREFIX)/share/man
install: build
	@$(MAKE) --no-print-directory install-files

# What is built already.
install-files: $(BUILD)/pages/takt.fish
	install -D -m 755 $(BUILD)/takt $(DESTDIR)$(PREFIX)/bin/takt
	install -D -m 644 include/takt.h $(DESTDIR)$(PREFIX)/include/takt.h
	install -D -m 644 $(BUILD)/libtakt.a $(DESTDIR)$(LIBDIR)/libtakt.a
	install -D -m 644 $(BUILD)/libtakt.so $(DESTDIR)$(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libtakt.so
	@mkdir -p $(DESTDIR)$(LIBDIR)/pkgconfig
	@sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|' include/takt.pc.in \
	    > $(DESTDIR)$(LIBDIR)/pkgconfig/takt.pc
	install -D -m 644 -t $(DESTDIR)$(PYTHONDIR)/takt $(PYTHON_FILES)
	@for f in $(PAGES); do \
	    install -D -m 644 $$f $(DESTDIR)$(PREFIX)/share/doc/takt/$$f || exit 1; \
	done; echo "pages and examples: $(DESTDIR)$(PREFIX)/share/doc/takt"
	install -d $(DESTDIR)$(MANDIR)/man1
	install -m 644 $(BUILD)/pages/man/*.1 $(DESTDIR)$(MANDIR)/man1
	install -D -m 644 $(BUILD)/pages/man/libtakt.3 $(DESTDIR)$(MANDIR)/man3/libtakt.3
	install -D -m 644 $(BUILD)/pages/takt.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/takt
	install -D -m 644 $(BUILD)/pages/_takt $(DESTDIR)$(PREFIX)/share/zsh/vendor-completions/_takt
	install -D -m 644 $(BUILD)/pages/takt.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/takt.fish

# Manual pages and completions, from the option tables.
$(BUILD)/pages/takt.fish: $(BUILD)/takt .ci/pages include/takt.h
	@.ci/pages $(BUILD)/takt $(VERSION) $(BUILD)/pages

# What make install with the same PREFIX and DESTDIR has put there, and nothing else.
uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/takt $(DESTDIR)$(PREFIX)/include/takt.h $(DESTDIR)$(LIBDIR)/libtakt.a \
	    $(DESTDIR)$(LIBDIR)/libtakt.so $(DESTDIR)$(LIBDIR)/$(SONAME) $(DESTDIR)$(LIBDIR)/pkgconfig/takt.pc \
	    $(DESTDIR)$(MANDIR)/man1/takt.1 $(DESTDIR)$(MANDIR)/man1/takt-*.1 $(DESTDIR)$(MANDIR)/man3/libtakt.3 \
	    $(DESTDIR)$(PREFIX)/share/bash-completion/completions/takt \
	    $(DESTDIR)$(PREFIX)/share/zsh/vendor-completions/_takt \
	    $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/takt.fish
	rm -rf $(DESTDIR)$(PREFIX)/share/doc/takt $(DESTDIR)$(PYTHONDIR)/takt

# --- Debian packages: takt, libtakt0, libtakt-dev, python3-takt in $(BUILD)/deb -----------------
deb:
	@.ci/install debhelper dh-python python3-all
	@.ci/deb $(BUILD)/deb $(VERSION)

# Installed and tried in a fresh root; as root, or where users may have namespaces.
test-deb: deb
	@.ci/install mmdebstrap
	@.ci/test-deb $(BUILD)/deb


# --- figures: never part of a timed test -------------------------------------------------------
BENCHBIN = $(BENCHES:%.c=$(BUILD)/%)
$(BENCHBIN): $(BUILD)/%: $(BUILD)/%.o $(BUILD)/libtest.a $(BUILD)/libtakt.a
	$(CC) $(LDFLAGS) -o $@ $^ -lmpfr -lgmp $(LIBS)

bench: deps
	+@$(QUIETLY) bench-run

bench-run: build $(filter-out %/bench_amx,$(BENCHBIN))
	@for b in $(filter-out %/bench_amx,$(BENCHBIN)); do echo "== $$b"; $$b || exit 1; done
	@echo "== takt sweep"; TAKT=$(BUILD)/takt $(PYTHON) tests/bench/sweep.py

bench-sweep: build
	@TAKT=$(BUILD)/takt $(PYTHON) tests/bench/sweep.py

# What one timing costs: as a process, in takt batch, by the library and from Python.
bench-latency: deps
	@.ci/install python3-cffi
	+@$(QUIETLY) build $(BUILD)/tests/bench/bench_library
	@TAKT=$(BUILD)/takt TAKT_LIBRARY=$(BUILD)/libtakt.so PYTHONPATH=python BENCH_PYTHON=$(PYTHON) \
	    $(BUILD)/tests/bench/bench_library
	@TAKT=$(BUILD)/takt TAKT_LATENCY=1 PYTHONDONTWRITEBYTECODE=1 $(PYTHON) -m unittest -q \
	    tests.python.test_lsp.Latency

# Each command on programs of 10^4 to 10^6 statements; GROWTH="--sizes 6,7 --cases few".
GROWTH  ?= --sizes 4,5,6
bench-growth: deps
	+@$(QUIETLY) build
	@TAKT=$(BUILD)/takt $(PYTHON) tests/bench/growth.py $(GROWTH)

# What takt schedule makes of the examples, of tests/naive and of larger programs;
# BENCH="--lines 40000".
bench-schedule: deps
	+@$(QUIETLY) build
	@TAKT=$(BUILD)/takt $(PYTHON) tests/bench/schedule.py $(BENCH)

# The measured kernels beside the model.
bench-ventus: deps
	+@$(QUIETLY) $(BUILD)/tests/bench/bench_ventus $(BUILD)/tests/bench/bench_ventus_rtl
	@$(BUILD)/tests/bench/bench_ventus
	@$(BUILD)/tests/bench/bench_ventus_rtl

bench-amx: deps
	+@$(QUIETLY) $(BUILD)/tests/bench/bench_amx
	@$(BUILD)/tests/bench/bench_amx


# --- fuzz targets: clang's libFuzzer, package libclang-rt-14-dev; MINUTES for all TARGETS together ---
# A target starts from its corpus in tests/fuzz and, where it is named after a machine, its examples.
FUZZERS  = $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
TARGETS ?= $(FUZZERS)
FUZZLIBS = build-fuzz/tests/fuzz/caller.o build-fuzz/tests/handle_rows.o build-fuzz/libcommands.a build-fuzz/libtakt.a
MINUTES ?= 10
fuzz:
	@.ci/install clang libclang-rt-14-dev
	+@$(QUIETLY) BUILD=build-fuzz CC=clang OPT="-O1 -g" \
	    SANITIZE="-fsanitize=address,undefined,fuzzer-no-link" $(FUZZLIBS)
	@mkdir -p build-fuzz/corpus build-fuzz/findings
	@for name in $(TARGETS); do \
	    clang $(STD) -O1 -g $(CPPFLAGS) -fsanitize=address,undefined,fuzzer -o build-fuzz/fuzz_$$name \
	        tests/fuzz/fuzz_$$name.c $(FUZZLIBS) $(LIBS) -lz || exit 1; \
	    mkdir -p build-fuzz/corpus/$$name; \
	    seeds="$$(ls -d tests/fuzz/corpus/fuzz_$$name examples/$$name 2>/dev/null)"; \
	    test $$name != config || seeds="$$(ls -d config/*/)"; \
	    build-fuzz/fuzz_$$name -max_total_time=$$(($(MINUTES) * 60 / $(words $(TARGETS)) + 1)) -timeout=60 \
	        -print_final_stats=1 -artifact_prefix=build-fuzz/findings/$$name- \
	        $$(test -f tests/fuzz/fuzz_$$name.dict && echo -dict=tests/fuzz/fuzz_$$name.dict) \
	        build-fuzz/corpus/$$name $$seeds || exit 1; \
	done

# The smallest of what campaigns have kept that reaches as much, in place of what is there.
fuzz-reduce:
	@for name in $(TARGETS); do \
	    rm -rf build-fuzz/least && mkdir build-fuzz/least; \
	    build-fuzz/fuzz_$$name -set_cover_merge=1 -use_counters=0 -max_len=4096 build-fuzz/least \
	        build-fuzz/corpus/$$name tests/fuzz/corpus/fuzz_$$name || exit 1; \
	    find tests/fuzz/corpus/fuzz_$$name -regextype egrep -regex '.*/[0-9a-f]{40}' -delete; \
	    cp build-fuzz/least/* tests/fuzz/corpus/fuzz_$$name/; \
	done


# --- the hostile campaign: docs/hostile.md; MINUTES, ATTACKS="pages bits", SEED, PLACES=1, ALL=1 ------------
SEED    ?= 1
$(HOSTILE): tests/hostile/fail.c
	@mkdir -p $(@D)
	$(CC) $(STD) $(CPPFLAGS) -O1 -g -Wall -Wextra -shared -fPIC -o $@ $< -ldl

HANDLES  = $(BUILD)/tests/hostile/handles
$(HANDLES): $(BUILD)/tests/hostile/handles.o $(BUILD)/tests/handle_rows.o $(BUILD)/libtakt.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/tests/test_hostile: | $(HOSTILE) $(HANDLES)

hostile: deps
	+@$(QUIETLY) $(BUILD)/takt $(HOSTILE) $(HANDLES)
	+@$(QUIETLY) $(ASAN) build-asan/takt build-asan/tests/hostile/handles
	@$(PYTHON) tests/hostile/campaign.py build-asan/takt --plain $(BUILD)/takt --fail $(HOSTILE) \
	    --minutes $(MINUTES) --seed $(SEED) $(ATTACKS:%=--only %) $(if $(ALL),--all) $(if $(PLACES),--places)


# --- what pages take from npm: the built files are committed, so that nothing else needs npm -------
page:
	@npm ci --prefix analysis/page --ignore-scripts --no-audit --no-fund --silent
	@cp analysis/page/node_modules/uplot/LICENSE analysis/page/uplot/LICENSE
	@cp analysis/page/node_modules/uplot/dist/uPlot.iife.min.js analysis/page/uplot/uplot.js
	@cp analysis/page/node_modules/uplot/dist/uPlot.min.css analysis/page/uplot/uplot.css
	@rm -r analysis/page/node_modules
	@cd analysis/page/uplot && sha256sum LICENSE uplot.css uplot.js > SHA256SUMS
	+@$(MAKE) --no-print-directory picture

# Pictures of pages: those of docs/screens.md; docs/page.png is in the README, too.
picture: deps
	@.ci/install chromium
	+@$(QUIETLY) build
	@.ci/picture $(BUILD)/takt docs

# Pages in a headless Chromium.
test-browser: deps
	@.ci/install chromium
	+@$(QUIETLY) build
	@tests/browser/html.sh

