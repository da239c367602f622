# SPDX-License-Identifier: GPL-2.0-or-later
#
# make			build/perf (and the link ./perf) and build/perf-unit
# make tests		what the tests need, too
# make python		import perf: build-python/perf.abi3.so, for any Python from 3.8 on
#			(make tests and make install have it made, too, but with NO_PYTHON=1)
# make check		everything that can be tested here (tests/run.sh; STAGES="unit t" a part)
# make install		PREFIX=/usr/local DESTDIR= (BUILT=1: nothing is built): also manual pages,
#			completion for bash, zsh and fish, the header of dlfilters (make man: the
#			pages alone, in build/man/), the module for Python (PYTHON_DIR: where its
#			modules are; that of python3 below PREFIX)
# make dist		build/perf-VERSION.tar.xz: the same bytes for the same commit
# make static		build/perf-static: one file that needs nothing of the system that it runs
#			on, not even a C library; without Python, dlfilters and debuginfod, which
#			are libraries that are loaded
# make asan | tsan	the same programs with sanitizers, in build-asan/ and build-tsan/
# make fuzz		each fuzz target under clang's libFuzzer and sanitizers, FUZZ_SECONDS=60
#			each, or FUZZ_TOTAL=3600 over all (tests/fuzz/run.sh)
# make memcheck		recordings and the fuzz targets' corpus under valgrind (tests/memcheck.sh)
# make bench hdr-check lint fuzz-targets workloads clean objs features
#
# O=dir		another build directory	WERROR=1	warnings are errors
# NO_<OPTION>=1	without an optional library, e.g. NO_ZSTD=1 (names: the table "optional" below)
# CROSS_COMPILE=aarch64-linux-gnu-	for another machine, by that compiler and the libraries of
#	Debian's multiarch (scripts/deps.sh --cross arm64). EMULATOR=qemu-aarch64-static runs what
#	is built: for make man, install
#
# Two builds of the same sources by the same tools are the same bytes, in whatever directories.
#
# Sources are globbed. A room may add rules of its own in util/<room>/room.mk.

O ?= build
# The same directory has one name: dependencies name their targets by it.
override O := $(patsubst $(CURDIR)/%,%,$(O))
PREFIX ?= /usr/local
CROSS_COMPILE ?=
ifneq ($(CROSS_COMPILE),)
ifeq ($(origin CC),default)
CC := $(CROSS_COMPILE)gcc
endif
ifeq ($(origin AR),default)
AR := $(CROSS_COMPILE)ar
endif
endif
CLANG ?= clang
BPFTOOL ?= $(firstword $(wildcard /usr/sbin/bpftool /usr/local/sbin/bpftool /sbin/bpftool) bpftool)
PKG_CONFIG ?= pkg-config
OPT ?= -O2

MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.SECONDARY:
.DELETE_ON_ERROR:
.PHONY: all install tests check tests man asan tsan bench hdr-check lint fuzz fuzz-targets \
	fuzzers memcheck rights-table workloads clean objs unit-objs features dist static FORCE
all:

CLEANING := $(if $(MAKECMDGOALS),$(if $(filter-out clean dist,$(MAKECMDGOALS)),,1))

# ---- The machine that it is built for ----

ifndef CLEANING
# "12 __clang_major__ 8": which compiler, and the bytes of a pointer
compiler := $(shell echo '__GNUC__ __clang_major__ __SIZEOF_POINTER__' | $(CC) -E -P - 2>/dev/null)
compiler_is_clang := $(filter-out __clang_major__,$(word 2,$(compiler)))
ifeq ($(compiler),)
$(error '$(CC)' is no C compiler, or is not installed$(if $(CROSS_COMPILE), \
	(scripts/deps.sh --cross installs it)))
endif
ifneq ($(word 3,$(compiler)),8)
$(error '$(CC)' makes programs of 32 bits: perf runs on 64-bit machines only, \
	and reads the recordings of others)
endif
ifneq ($(if $(compiler_is_clang),,$(filter 1 2 3 4 5 6 7 8 9 10,$(word 1,$(compiler)))),)
$(error '$(CC)' is gcc $(word 1,$(compiler)): perf needs gcc 11 or newer, or clang 14 or newer)
endif
ifneq ($(filter 1 2 3 4 5 6 7 8 9 10 11 12 13,$(compiler_is_clang)),)
$(error '$(CC)' is clang $(compiler_is_clang): perf needs clang 14 or newer, or gcc 11 or newer)
endif
# "aarch64-linux-gnu", the name of Debian's directories; clang has "-pc-" in the middle
MULTIARCH := $(shell $(CC) -dumpmachine | sed 's/-pc-/-/; s/-unknown-/-/')
# as uname -m and the names of the kernel's programs for BPF
MACHINE := $(firstword $(subst -, ,$(MULTIARCH)))
endif
EMULATOR ?=
ifneq ($(CROSS_COMPILE),)
PKG_CONFIG := PKG_CONFIG_LIBDIR=/usr/lib/$(MULTIARCH)/pkgconfig:/usr/share/pkgconfig $(PKG_CONFIG)
endif

# ---- Libraries ----

# required: pkg-config name : Debian package
required := \
	libelf:libelf-dev \
	libdw:libdw-dev \
	libtraceevent:libtraceevent-dev \
	zlib:zlib1g-dev \
	libunwind:libunwind-dev \
	libunwind-generic:libunwind-dev

req_names := $(foreach r,$(required),$(firstword $(subst :, ,$r)))

ifndef CLEANING
req_missing := $(if $(shell $(PKG_CONFIG) --exists $(req_names) 2>/dev/null || echo no),$(strip \
	$(foreach r,$(required),$(if $(shell \
		$(PKG_CONFIG) --exists $(firstword $(subst :, ,$r)) 2>/dev/null || echo no),$r))))
ifneq ($(req_missing),)
$(foreach r,$(req_missing),$(warning missing library $(firstword $(subst :, ,$r)): \
	install the Debian package $(lastword $(subst :, ,$r))))
$(error required libraries are missing (and pkg-config itself must be installed))
endif
REQ_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(req_names))
REQ_LIBS := $(shell $(PKG_CONFIG) --libs $(req_names))
endif

# optional: the names. opt_X_pkg: pkg-config name, or opt_X_probe: a header; neither: nothing of it
# is needed to build; opt_X_files: only these files may include its headers.
# They are built when the library is here; else foo-stub.c is, in the place of a foo.c that has one.
optional := ZSTD LZMA SLANG CAPSTONE LIBBPF DEBUGINFOD PYTHON LIBIBERTY SQLITE PFM

opt_ZSTD_pkg := libzstd
opt_ZSTD_deb := libzstd-dev
opt_ZSTD_files := util/data/zstd.c util/elf/zstd.c util/export/zstd.c
opt_LZMA_pkg := liblzma
opt_LZMA_deb := liblzma-dev
opt_LZMA_files := util/elf/lzma.c
opt_SLANG_pkg := slang
opt_SLANG_deb := libslang2-dev
opt_SLANG_files := util/view/tui/screen-slang.c
opt_SLANG_loaded := y
opt_CAPSTONE_pkg := capstone
opt_CAPSTONE_deb := libcapstone-dev
opt_CAPSTONE_files := $(filter-out %-stub.c,$(wildcard util/disasm/capstone*.c))
opt_CAPSTONE_loaded := y
opt_LIBBPF_pkg := libbpf
opt_LIBBPF_deb := libbpf-dev, clang and bpftool
opt_LIBBPF_files := $(filter-out %.bpf.c %-stub.c util/bpf/kbtf.c,$(wildcard util/bpf/*.c))
opt_LIBBPF_tools := $(CLANG) $(BPFTOOL)
opt_DEBUGINFOD_files := util/symbols/debuginfod.c
opt_PYTHON_files := $(filter-out %-stub.c %-generate.c,$(wildcard util/script/python*.c \
	util/script/module*.c))
opt_LIBIBERTY_probe := libiberty/demangle.h
opt_LIBIBERTY_libs := -liberty
opt_LIBIBERTY_deb := libiberty-dev
opt_LIBIBERTY_files := util/elf/iberty.c

opt_SQLITE_pkg := sqlite3
opt_SQLITE_deb := libsqlite3-dev
opt_SQLITE_files := $(filter-out %-stub.c,$(wildcard util/export/sqlite*.c))
opt_PFM_probe := perfmon/pfmlib_perf_event.h
opt_PFM_deb := libpfm4-dev
opt_PFM_files := util/event/pfm.c
opt_PFM_libs := -lpfm
opt_PFM_loaded := y

# $(call opt_probe,X): "y" when the library (and its tools) are here
opt_probe = $(if $(NO_$1),,$(if $(shell \
	$(if $(opt_$1_pkg),$(PKG_CONFIG) --exists $(opt_$1_pkg) 2>/dev/null,$(if \
	$(opt_$1_probe),$(strip \
	echo '\#include <$(opt_$1_probe)>' | $(CC) -E -x c - >/dev/null 2>&1),:)) \
	$(foreach t,$(opt_$1_tools),&& command -v $t >/dev/null 2>&1) || echo no),,y))

ifndef CLEANING
$(foreach x,$(optional),$(eval opt_$x := $(call opt_probe,$x)))
$(foreach x,$(optional),$(if $(opt_$x),$(eval opt_$x_cflags := $(if $(opt_$x_pkg),$(shell \
	$(PKG_CONFIG) --cflags $(opt_$x_pkg))))$(eval opt_$x_libs := $(if $(opt_$x_pkg),$(shell \
	$(PKG_CONFIG) --libs $(opt_$x_pkg)),$(opt_$x_libs)))))
endif
# opt_X_loaded: not linked, but loaded at run time by what needs it (util/base/library.h)
OPT_LIBS := $(foreach x,$(optional),$(if $(opt_$x),$(if $(opt_$x_loaded),,$(opt_$x_libs))))

# ---- Flags ----

comma := ,

WARN := -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wvla -Wwrite-strings
CPPFLAGS += -D_GNU_SOURCE -I. -I$(O) $(REQ_CFLAGS)
CFLAGS ?= $(OPT) -g
COMPILE = $(CC) -std=gnu11 $(WARN) $(if $(filter 1,$(WERROR)),-Werror) $(CPPFLAGS) $(CFLAGS) \
	$(EXTRA_CFLAGS) $(NO_PATHS) -fno-strict-aliasing -pthread -MMD -MP
# No object says where it was built.
NO_PATHS := $(if $(filter /%,$(O)),-ffile-prefix-map=$(O)=/usr/src/perf/build) \
	-ffile-prefix-map=$(CURDIR)=/usr/src/perf
LINK = $(CC) $(CFLAGS) $(EXTRA_CFLAGS) $(LDFLAGS) -pthread -rdynamic -Wl,--as-needed
LIBS = $(OPT_LIBS) $(REQ_LIBS) -lm -ldl

# ---- Files ----

have_bpf := $(opt_LIBBPF)
# stack.bpf.c knows the registers of x86-64 alone
bpf_foreign := $(if $(filter x86_64,$(MACHINE)),,stack)
bpf_src := $(filter-out $(bpf_foreign:%=util/bpf/%.bpf.c),$(wildcard util/bpf/*.bpf.c))
bpf_skel := $(if $(have_bpf),$(bpf_src:util/bpf/%.bpf.c=$(O)/bpf/%.skel.h))

all_src := $(sort $(shell find util arch -name '*.c' ! -name '*.bpf.c' 2>/dev/null))
stubs := $(filter %-stub.c,$(all_src))
dropped := $(foreach x,$(optional),$(if $(opt_$x),,$(opt_$x_files))) \
	$(bpf_foreign:%=util/bpf/%prog.c)
lib_src := $(filter-out $(dropped) $(filter-out $(dropped:%.c=%-stub.c),$(stubs)),$(all_src))
cmd_src := $(wildcard perf.c) $(sort $(wildcard builtin-*.c))
unit_src := $(sort $(shell find tests/unit -name 'test-*.c' 2>/dev/null))
unit_lib_src := $(filter-out $(unit_src),$(sort $(shell find tests/unit -name '*.c' 2>/dev/null)))
fuzz_src := $(sort $(wildcard tests/fuzz/fuzz-*.c))
helper_src := $(sort $(wildcard tests/helper/*.c))
# bare/: programs without a library, that tests compile in their own way.
workload_src := $(sort $(wildcard tests/workloads/*.c))
hdrs := $(sort $(wildcard builtin*.h) \
	$(shell find util arch include tests/unit -name '*.h' 2>/dev/null))

obj = $(patsubst %.c,$(O)/%.o,$1)
lib_obj := $(call obj,$(lib_src))
cmd_obj := $(call obj,$(cmd_src))
unit_obj := $(call obj,$(unit_src) $(unit_lib_src)) $(O)/tests/unit/list.o
fuzz_bin := $(fuzz_src:tests/fuzz/%.c=$(O)/%)
helper_bin := $(helper_src:tests/helper/%.c=$(O)/helper/%)
workload_bin := $(workload_src:tests/workloads/%.c=$(O)/workloads/%)

$(foreach x,$(optional),$(if $(opt_$x),$(foreach f,$(opt_$x_files),\
	$(eval $(call obj,$f): EXTRA_CFLAGS += $(opt_$x_cflags)))))

all: $(if $(wildcard perf.c),$(O)/perf $(if $(filter build,$(O)),perf)) \
	$(O)/libperf.a $(O)/perf-unit

perf: $(O)/perf
	$(Q)ln -sfn $(O)/perf $@

Q := $(if $(V),,@)
say = $(if $(V)$(findstring s,$(firstword -$(MAKEFLAGS))),,@printf '  %-7s %s\n' $1 $2)

# ---- Rules ----

# $(call if_changed,text): write the text to $@ unless it is there already
define if_changed
	@mkdir -p $(@D)
	@printf '%s\n' $1 > $@.new
	@if cmp -s $@.new $@; then rm -f $@.new; else mv -f $@.new $@; fi
endef

ifndef CLEANING
$(O)/flags: FORCE
	$(call if_changed,'$(CC) $(WARN) $(CPPFLAGS) $(NO_PATHS) $(CFLAGS)')
$(O)/link-flags: FORCE
	$(call if_changed,'$(LINK) $(LIBS)')
$(O)/objects: FORCE
	$(call if_changed,$(lib_obj) $(cmd_obj) $(unit_obj))
# PERF_FEATURES(X): X(name, is built in, Debian package); for util/cli/build-options.c alone
$(O)/perf-features.h: FORCE
	$(call if_changed,'/* generated */' '#define PERF_FEATURES(X) \' \
		$(foreach r,$(required),'	X("$(firstword $(subst :, ,$r))"$(comma) \
			true$(comma) "$(lastword $(subst :, ,$r))") \') \
		$(foreach x,$(optional),'	X("$(call lower,$x)"$(comma) \
			$(if $(opt_$x),true,false)$(comma) "$(opt_$x_deb)") \') '')
endif
lower = $(shell echo $1 | tr A-Z a-z)

# The compiler's warnings stay beside the object, so that a check sees them also when nothing had
# to be built.
$(O)/%.o: %.c $(O)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(COMPILE) $(UNIT_ID) -c -o $@ $< 2>$(@:.o=.warn); rc=$$?; \
		cat $(@:.o=.warn) >&2; exit $$rc

$(O)/tests/unit/list.o: $(O)/tests/unit/list.c $(O)/flags
	$(call say,CC,$<)
	$(Q)$(COMPILE) -c -o $@ $<

$(O)/tests/unit/list.c: $(unit_src) tests/unit/list.awk $(O)/objects
	$(call say,GEN,$@)
	$(Q)mkdir -p $(@D)
	$(Q)awk -f tests/unit/list.awk $(unit_src) /dev/null > $@

# Each test file has its own name space: tests/unit/base/test-str.c, TEST(add) is
# unit_base_str__add().
unit_path = $(subst /test-,/,$(patsubst tests/unit/%.c,%,$<))
$(call obj,$(unit_src)): UNIT_ID = -DUNIT_ID=unit_$(subst -,_,$(subst /,_,$(unit_path)))

$(O)/util/cli/build-options.o: $(O)/perf-features.h
$(O)/perf.o: $(O)/objects	# its table asks which builtin-*.c there are
$(O)/util/cli/build-options.o: EXTRA_CFLAGS += -include $(O)/perf-features.h
$(call obj,$(filter util/bpf/%,$(lib_src))): | $(bpf_skel)

$(O)/libperf.a: $(lib_obj) $(O)/objects
	$(call say,AR,$@)
	$(Q)rm -f $@
	$(Q)$(AR) rcsT $@ $(lib_obj)

$(O)/perf: $(cmd_obj) $(O)/libperf.a $(O)/link-flags
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $(cmd_obj) $(O)/libperf.a $(LIBS)

# A static perf: the same objects, but for those that load libraries. They are linked; Python,
# dlfilters and debuginfod, which need those of the system, are left out.
static_src := util/cli/build-options.c util/base/library.c $(filter util/disasm/capstone-lib.c \
	util/view/tui/screen-slang.c util/event/pfm.c,$(lib_src))
static_off := $(opt_PYTHON_files) $(opt_DEBUGINFOD_files)
static_own := $(patsubst %.c,$(O)/static/%.o,$(static_src) util/script/python-stub.c \
	util/symbols/debuginfod-stub.c)
static_obj := $(filter-out $(call obj,$(static_src) $(static_off) $(static_off:%.c=%-stub.c)), \
	$(cmd_obj) $(lib_obj)) $(static_own)
# bz2 and lzma: what libdw.a needs beyond what libdw.pc says
STATIC_LIBS = $(shell $(PKG_CONFIG) --static --libs $(req_names) \
	$(foreach x,$(optional),$(if $(opt_$x),$(opt_$x_pkg)))) \
	$(foreach x,$(optional),$(if $(opt_$x),$(opt_$x_libs))) -lbz2 $(if $(opt_LZMA),,-llzma) -lm

$(O)/static/%.o: %.c $(O)/flags
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(COMPILE) -DPERF_STATIC -c -o $@ $<

$(O)/static/perf-features.h: $(O)/perf-features.h
	$(Q)mkdir -p $(@D)
	$(Q)sed 's/"\(python\|debuginfod\)", true/"\1", false/' $< > $@
$(O)/static/util/cli/build-options.o: $(O)/static/perf-features.h
$(O)/static/util/cli/build-options.o: EXTRA_CFLAGS += -include $(O)/static/perf-features.h
$(foreach x,$(optional),$(if $(opt_$x),$(foreach f,$(opt_$x_files),\
	$(eval $(O)/static/$(f:.c=.o): EXTRA_CFLAGS += $(opt_$x_cflags)))))

# The linker warns of what is left to the C library of the system; nothing needs that.
$(O)/perf-static: $(static_obj) $(O)/objects
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -pthread -static -o $@ $(static_obj) \
		-Wl,--start-group $(STATIC_LIBS) -Wl,--end-group 2>$@.warn || \
		{ cat $@.warn >&2; exit 1; }

$(O)/perf-unit: $(unit_obj) $(O)/libperf.a $(O)/link-flags
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $(unit_obj) $(O)/libperf.a $(LIBS)

$(O)/fuzz-%: $(O)/tests/fuzz/fuzz-%.o $(O)/tests/fuzz/main.o $(O)/libperf.a
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $(filter-out %.a,$^) $(O)/libperf.a $(LIBS)

# Commands are not in the library.
$(foreach t,commands options,$(O)/fuzz-$t $(O)/libfuzzer-$t): \
	$(filter-out $(O)/perf.o,$(cmd_obj))

$(O)/libfuzzer-%: $(O)/tests/fuzz/fuzz-%.o $(O)/libperf.a
	$(call say,LINK,$@)
	$(Q)$(LINK) -fsanitize=fuzzer -o $@ $(filter-out %.a,$^) $(O)/libperf.a $(LIBS)

$(O)/helper/%: $(O)/tests/helper/%.o $(O)/libperf.a
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(LINK) -o $@ $< $(O)/libperf.a $(LIBS)

$(O)/bench-unwind: $(O)/tests/bench/unwind.o $(O)/libperf.a
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBS)

# Workloads predict their own profile: no inlining, frame pointers, debug information.
$(O)/workloads/%: tests/workloads/%.c
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -D_GNU_SOURCE -O1 -g -fno-inline -fno-omit-frame-pointer \
		-fno-optimize-sibling-calls -pthread -o $@ $< -lm -ldl

# BPF: each program declares the few kernel fields that it reads, so that no vmlinux.h is needed.
BPF_ARCH := $(MACHINE)
bpf_arch_names := x86_64:x86 aarch64:arm64 riscv64:riscv s390x:s390 powerpc64le:powerpc \
	loongarch64:loongarch
$(foreach n,$(bpf_arch_names),$(if $(filter $(MACHINE):%,$n),\
	$(eval BPF_ARCH := $(lastword $(subst :, ,$n)))))
# those with atomic operations that give a value
$(O)/bpf/lockstat.bpf.o $(O)/bpf/futexstat.bpf.o: bpf_cpu := -mcpu=v3
$(O)/bpf/%.bpf.o: util/bpf/%.bpf.c
	$(call say,BPF,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) -target bpf -D__TARGET_ARCH_$(BPF_ARCH) $(bpf_cpu) -O2 -g -Wall -I. \
		$(opt_LIBBPF_cflags) \
		-idirafter /usr/include/$(MULTIARCH) $(NO_PATHS) \
		-MMD -MP -MT $@ -MF $(@:.o=.d) -c -o $@ $<

$(O)/bpf/%.skel.h: $(O)/bpf/%.bpf.o
	$(Q)$(BPFTOOL) gen skeleton $< name $(subst -,_,$*)_bpf > $@.tmp && mv -f $@.tmp $@

-include $(wildcard util/*/room.mk arch/*/room.mk)

# ---- Targets ----

workloads: $(workload_bin)
fuzz-targets: $(fuzz_bin)

# The same targets for libFuzzer: FUZZ_SAN says with which sanitizers; run.sh builds them so.
fuzzers: $(fuzz_bin:$(O)/fuzz-%=$(O)/libfuzzer-%)

fuzz:
	tests/fuzz/run.sh

memcheck: tests
	tests/memcheck.sh

# The tables of Documentation/RIGHTS.md, from this machine (root; some minutes)
rights-table: all
	tests/rights-table.sh

# What the tests run on; a static perf where the libraries are there for it.
can_static = $(shell echo 'int main(void) { return 0; }' | $(CC) -static -x c -o /dev/null - \
	-lbz2 -lelf -lz 2>/dev/null && echo y)
tests: all workloads $(helper_bin) fuzz-targets man \
	$(if $(filter tests check memcheck,$(MAKECMDGOALS)),$(if $(can_static),static)) \
	$(if $(filter tests check,$(MAKECMDGOALS)),$(if $(opt_PYTHON),python))

check: tests
	tests/run.sh

lint: all
	tests/lint/run.sh

# Not position-independent: what is said of each global would be half a million relocations, which
# are half of what a start costs.
asan:
	ASAN_OPTIONS=detect_leaks=0 $(MAKE) O=build-asan OPT=-O1 LDFLAGS="$(LDFLAGS) -no-pie" \
		CFLAGS="-O1 -g -fno-pie -fno-omit-frame-pointer -fsanitize=address,undefined \
			-fno-sanitize-recover=undefined" \
		$(if $(ASAN_TARGETS),$(ASAN_TARGETS),all fuzz-targets)

tsan:
	$(MAKE) O=build-tsan CFLAGS="-O1 -g -fno-omit-frame-pointer -fsanitize=thread" all

bench: all $(O)/bench-unwind
	tests/bench/run.sh

hdr-check: $(if $(have_bpf),$(bpf_skel))
	@rc=0; for h in $(hdrs); do \
		printf '#include "%s"\n' $$h | $(CC) -std=gnu11 $(WARN) -Wno-unused-function \
			-Werror $(CPPFLAGS) -fsyntax-only -x c - || \
			{ echo "hdr-check: $$h does not compile alone"; rc=1; }; \
	done; exit $$rc

objs:
	@printf '%s\n' $(lib_obj) $(cmd_obj)

unit-objs:
	@printf '%s\n' $(unit_obj)

features: $(O)/perf-features.h
	@cat $<

man: $(O)/perf
	scripts/mkman.sh "$(strip $(EMULATOR) $(O)/perf)" $(O)/man

dist:
	scripts/dist.sh $(O)

static: $(O)/perf-static

docs := $(wildcard Documentation/*.txt Documentation/*.md Documentation/*.png)
share := $(DESTDIR)$(PREFIX)/share
INSTALL_DATA := install -m 644
# where Python looks for modules below PREFIX; Debian's directory where it looks nowhere there
PYTHON_DIR ?= $(or $(shell python3 -c 'import sys; print(next(p for p in sys.path if \
	p.startswith("$(PREFIX)/lib") and p.endswith("-packages")))' 2>/dev/null), \
	$(PREFIX)/lib/python3/dist-packages)
# BUILT: where it was made
has_module := $(if $(BUILT),$(wildcard $(O)-python/perf.abi3.so),$(opt_PYTHON))
install: $(if $(BUILT),,$(O)/perf man $(if $(opt_PYTHON),python))
	install -d $(DESTDIR)$(PREFIX)/bin $(share)/man/man1 $(share)/man/man5 $(share)/doc/perf \
		$(share)/bash-completion/completions $(share)/zsh/site-functions \
		$(share)/fish/vendor_completions.d \
		$(DESTDIR)$(PREFIX)/include/perf
	install -m 755 $(O)/perf $(DESTDIR)$(PREFIX)/bin/perf
	$(INSTALL_DATA) $(O)/man/*.1 $(share)/man/man1/
	$(INSTALL_DATA) $(O)/man/*.5 $(share)/man/man5/
	$(INSTALL_DATA) include/perf/*.h $(DESTDIR)$(PREFIX)/include/perf/
	$(INSTALL_DATA) $(docs) $(share)/doc/perf/
	$(INSTALL_DATA) scripts/completion/perf.bash $(share)/bash-completion/completions/perf
	$(INSTALL_DATA) scripts/completion/_perf $(share)/zsh/site-functions/
	$(INSTALL_DATA) scripts/completion/perf.fish $(share)/fish/vendor_completions.d/
	$(if $(has_module),install -d $(DESTDIR)$(PYTHON_DIR))
	$(if $(has_module),$(INSTALL_DATA) $(addprefix $(O)-python/perf.,abi3.so pyi) \
		$(DESTDIR)$(PYTHON_DIR)/)

clean:
	rm -rf build build-python build-asan build-tsan build-fuzz build-msan \
		$(foreach o,$(filter-out /% .%,$(O)),$o $o-python)
	rm -f perf

ifndef CLEANING
-include $(shell find $(O) -name '*.d' 2>/dev/null)
endif
