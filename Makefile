# takt: see README.md. make run and make test need nothing but make: they install what is missing.
CC      ?= gcc
ifeq ($(origin CC),default)
CC      := gcc
endif
BUILD   ?= build
OPT     ?= -O2 -g
WARN     = -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes -Werror
CPPFLAGS += -I. -D_GNU_SOURCE
CFLAGS  += $(OPT) $(WARN) $(SANITIZE) -pthread
LDFLAGS += $(SANITIZE) -pthread
LIBS     = -levent -lsqlite3 -lyaml -ljansson -lm

MACHINES = $(shell sed -n 's/^MACHINE(\(.*\)).*/\1/p' config/machines.def)
ROOMS    = functional timing config traces analysis
SOURCES  = $(foreach r,$(ROOMS),$(wildcard $(r)/*.c)) \
           $(foreach m,$(MACHINES),$(wildcard functional/$(m)/*.c timing/$(m)/*.c))
CLI      = $(wildcard cli/*.c)
TESTS    = $(wildcard tests/test_*.c tests/*/test_*.c)
TESTLIB  = $(filter-out $(TESTS),$(wildcard tests/*.c tests/*/*.c))
TESTLIB := $(filter-out tests/fuzz/%.c tests/bench/%.c,$(TESTLIB))
BENCHES  = $(wildcard tests/bench/*.c)

OBJECTS  = $(SOURCES:%.c=$(BUILD)/%.o)
CLIOBJ   = $(CLI:%.c=$(BUILD)/%.o)
TESTBIN  = $(TESTS:%.c=$(BUILD)/%)
EMBEDDED = $(wildcard config/*/*.yaml traces/*.sql analysis/*.sql analysis/*.html analysis/*.css analysis/*.js)

.DELETE_ON_ERROR:
.PHONY: all build deps run test check check-asan check-clang layers format clean bench fuzz-build
all: build

build: $(BUILD)/takt

# --- what a fresh machine needs -----------------------------------------------------------------
deps:
	@.ci/install

run: deps
	@$(MAKE) --no-print-directory -s build
	@$(BUILD)/takt run examples/mncore2/fma.vsm

test: deps
	@$(MAKE) --no-print-directory -s test-run

test-run: build layers $(TESTBIN)
	@TAKT=$(BUILD)/takt .ci/run-tests $(TESTBIN)

check-asan: deps
	@$(MAKE) --no-print-directory -s BUILD=build-asan OPT="-O1 -g" \
	    SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer" test-run

check-clang: deps
	@$(MAKE) --no-print-directory -s BUILD=build-clang CC=clang test-run

# --- the program --------------------------------------------------------------------------------
$(BUILD)/takt: $(CLIOBJ) $(BUILD)/libtakt.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/libtakt.a: $(OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/libtest.a: $(TESTLIB:%.c=$(BUILD)/%.o)
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# Files taken in by EMBED are not seen by -MMD.
$(patsubst %.c,$(BUILD)/%.o,$(shell grep -l '"config/embed.h"' $(SOURCES) $(CLI) 2>/dev/null)): $(EMBEDDED)

$(TESTBIN): $(BUILD)/%: $(BUILD)/%.o $(BUILD)/libtest.a $(BUILD)/libtakt.a
	$(CC) $(LDFLAGS) -o $@ $^ -lcmocka -lmpfr -lgmp $(LIBS)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

# --- checks -------------------------------------------------------------------------------------
layers:
	@.ci/layers

format:
	clang-format -i $$(git ls-files '*.c' '*.h')

clean:
	rm -rf build build-*
