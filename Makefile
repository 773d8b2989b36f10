# takt: see README.md. make run and make test need nothing but make: they install what is missing.
CC      ?= gcc
ifeq ($(origin CC),default)
CC      := gcc
endif
BUILD   ?= build
OPT     ?= -O2 -g
STD      = -std=c11 -ffp-contract=off
WARN     = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes -Werror
CPPFLAGS += -I. -I$(BUILD) -D_GNU_SOURCE
RECORDED  = -include host/memory.h
CFLAGS  += $(STD) $(OPT) $(WARN) $(SANITIZE) -pthread -fPIC -fvisibility=hidden
LDFLAGS += $(SANITIZE) -pthread
LIBS     = -levent -lsqlite3 -lyaml -ljansson -lelf -ldw -liberty -lm

MACHINES = $(shell sed -n 's/^MACHINE(\(.*\)).*/\1/p' config/machines.def)
# Instruction sets that machines share are rooms beside theirs.
SHARED   = riscv
ROOMS    = host functional $(SHARED:%=functional/%) timing config traces analysis library editor
SOURCES  = $(foreach r,$(ROOMS),$(wildcard $(r)/*.c)) \
           $(foreach m,$(MACHINES),$(wildcard functional/$(m)/*.c timing/$(m)/*.c))
CLI      = $(wildcard cli/*.c) $(foreach m,$(MACHINES),$(wildcard cli/$(m)/*.c))
COMMANDS = cli/commands.def $(foreach m,$(MACHINES),$(wildcard cli/$(m)/commands.def))
TESTS    = $(wildcard tests/test_*.c tests/*/test_*.c)
TESTLIB  = $(filter-out $(TESTS),$(wildcard tests/*.c tests/*/*.c))
TESTLIB := $(filter-out tests/fuzz/%.c tests/bench/%.c tests/hostile/%.c,$(TESTLIB))
BENCHES  = $(wildcard tests/bench/*.c)

OBJECTS  = $(SOURCES:%.c=$(BUILD)/%.o)
CLIOBJ   = $(CLI:%.c=$(BUILD)/%.o)
TESTBIN  = $(TESTS:%.c=$(BUILD)/%)
# Suites that are campaigns: make test-long runs them, and those that try bad input of one kind
# after another. The latter run with sanitizers, too.
CAMPAIGNS = $(addprefix $(BUILD)/tests/,test_hostile test_growth test_toy editors/test_tree_sitter)
LONG     = $(CAMPAIGNS) \
           $(addprefix $(BUILD)/tests/test_,trace_hostile memory_out outside_text corpus)
HOSTILE  = $(BUILD)/tests/hostile/fail.so
EMBEDDED = $(wildcard config/*/*.yaml timing/*/*.txt traces/*.sql analysis/*.sql \
           analysis/page/*.* analysis/page/uplot/*)

# Files and suites at a time; JOBS=1 runs one after the other. Within another make its -j holds.
JOBS    ?= $(shell nproc)
PARALLEL = --no-print-directory $(if $(findstring -j,$(MAKEFLAGS)),,-j$(JOBS))
QUIETLY  = $(MAKE) -s $(PARALLEL)
WATCHED  = .ci/watched $(BUILD) $(MAKE) $(PARALLEL)

.DELETE_ON_ERROR:
PYTHON  ?= /usr/bin/python3
.PHONY: FORCE help all build deps run test test-build test-run layers format clean
all: build

build: $(BUILD)/takt $(BUILD)/libtakt.so

# --- what a fresh machine needs -----------------------------------------------------------------
deps:
	@.ci/install

help:
	@sed -n 's/^#: //p' $(MAKEFILE_LIST)

#: make               the program and the library
#: make run           what is missing, the program, the first example
#: make test          all suites but campaigns; JOBS=1 one after the other
#: make test-long     random campaigns with more rounds (OFTEN=n), the suites that are campaigns, three minutes of make hostile
#: make fit-campaign  secret chips against takt fit, CHIPS=n; changed numbers against takt diff
#: make hostile       hostile commands for MINUTES=n (docs/hostile.md); ATTACKS="pages bits", SEED=n, PLACES=1
#: make fuzz          libFuzzer on libtakt and each parser for MINUTES=n; TARGETS="elf chip"; fuzz-reduce keeps what it found
#: make check-asan    the suites with sanitizers; check-clang: by clang
#: make test-arm64    the suites compiled for arm64, by qemu
#: make matrix        the examples by other compilers and sanitizers: the same answers
#: make coverage      lines and branches that the suites reach
#: make mutants       faults planted in the sources that the suites have to find (docs/mutants.md); COUNT=n in each room, SEED=n, ROOM=name
#: make layers        what includes what, calls in circles, the format; make format applies it
#: make bench         figures; bench-amx, bench-ventus, bench-fit, bench-latency, bench-growth,
#:                    bench-schedule, bench-sweep
#: make events        the event lists of the examples anew; make page: what pages take from npm; picture: docs/screens.md
#: make test-browser  pages in Chromium; test-python: the package; test-readers: formats by other tools
#: make test-vscode   the extension in VS Code itself; test-container: action/
#: make install       with PREFIX and DESTDIR; uninstall; deb, test-deb: Debian packages
#: make clean         without what was built
run: deps
	+@$(WATCHED) build
	@$(BUILD)/takt run examples/mncore2/fma.vsm

test: deps
	@.ci/install python3-cffi
	+@$(WATCHED) test-build
	+@$(QUIETLY) test-run PYTESTS="$(wildcard tests/python/test_*.py)"

test-build: build $(filter-out $(LONG),$(TESTBIN))

test-run: test-build layers
	@TAKT=$(BUILD)/takt TAKT_LIBRARY=$(BUILD)/libtakt.so PYTHONPATH=python PYTHONDONTWRITEBYTECODE=1 \
	    PYTHON="$(PYTHON)" .ci/run-tests -j $(JOBS) $(PYTESTS) $(filter-out $(LONG),$(TESTBIN))


# --- the program --------------------------------------------------------------------------------
$(BUILD)/takt: $(CLIOBJ) $(BUILD)/libtakt.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS) -lz

$(BUILD)/libtakt.a: $(OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^

# What include/takt.h exports, and nothing else; SONAME changes with what is incompatible.
SONAME   = libtakt.so.0
$(BUILD)/libtakt.so: $(OBJECTS) include/takt.map
	$(CC) $(LDFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=include/takt.map \
	    -Wl,--no-undefined -o $@ $(OBJECTS) $(filter-out -levent,$(LIBS))
	@ln -sf libtakt.so $(BUILD)/$(SONAME)

$(BUILD)/libtest.a: $(TESTLIB:%.c=$(BUILD)/%.o)
	@rm -f $@
	$(AR) rcs $@ $^

# Rows of all commands, those of the machines in config/machines.def behind the others.
$(BUILD)/all-commands.def: $(COMMANDS) config/machines.def
	@mkdir -p $(@D)
	@{ cat $(COMMANDS); echo '#undef COMMAND'; } > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(CLIOBJ): | $(BUILD)/all-commands.def

# The version: the tag in git, else the file.
VERSION := $(shell git describe --tags --match 'v[0-9]*' 2>/dev/null | sed 's/^v//' | grep . || cat VERSION)
$(BUILD)/version.h: FORCE
	@mkdir -p $(@D)
	@echo '#define TAKT_VERSION "$(VERSION)"' | cmp -s - $@ || echo '#define TAKT_VERSION "$(VERSION)"' > $@
$(OBJECTS) $(CLIOBJ): | $(BUILD)/version.h

# Objects of other flags are none of this build's.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CPPFLAGS) $(RECORDED) $(CFLAGS)' | cmp -s - $@ || echo '$(CPPFLAGS) $(RECORDED) $(CFLAGS)' > $@
FORCE:

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(RECORDED) $(CFLAGS) -MMD -MP -c -o $@ $<

# Files taken in by EMBED are not seen by -MMD.
$(patsubst %.c,$(BUILD)/%.o,$(shell grep -l '"config/embed.h"' $(SOURCES) $(CLI) $(wildcard tests/*.c tests/*/*.c) 2>/dev/null)): $(EMBEDDED)

$(TESTBIN): $(BUILD)/%: $(BUILD)/%.o $(BUILD)/libtest.a $(BUILD)/libtakt.a
	$(CC) $(LDFLAGS) -o $@ $^ -lcmocka -lmpfr -lgmp $(LIBS)

# The fuzz targets, all in one program.
CALLER   = $(BUILD)/tests/fuzz/caller.o $(BUILD)/tests/handle_rows.o
TARGETOBJ = $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/fuzz/fuzz_*.c))
$(TARGETOBJ): private CPPFLAGS += -DLLVMFuzzerTestOneInput=$(@F:.o=)
$(BUILD)/tests/test_corpus: private LIBS := $(BUILD)/libtakt.a $(LIBS) -lz
$(BUILD)/tests/test_corpus: $(TARGETOBJ) $(CALLER) $(BUILD)/libcommands.a

$(BUILD)/libcommands.a: $(filter-out %/main.o,$(CLIOBJ))
	@rm -f $@
	$(AR) rcs $@ $^

include .ci/more.mk

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

# --- checks -------------------------------------------------------------------------------------
layers: build
	@SINCE=$(BUILD)/formatted .ci/format
	@.ci/layers $(BUILD)

format:
	clang-format -i $$(git ls-files '*.c' '*.h' ':!editors')

clean:
	rm -rf build build-*
