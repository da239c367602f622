#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the Makefile: compilers that cannot build perf, libraries that are left out, other machines, builds that are the same'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq GIT 'needs git, and a checkout' 'git -C "$TOP" rev-parse HEAD'
test_lazy_prereq M32 'needs a compiler that knows -m32' 'echo __SIZEOF_POINTER__ | cc -m32 -E -P - | grep -x 4'
test_lazy_prereq ARM64CC 'needs aarch64-linux-gnu-gcc (package gcc-aarch64-linux-gnu)' 'aarch64-linux-gnu-gcc --version'
test_lazy_prereq ARM64LIBC 'needs a C library for arm64 (package libc6-dev-arm64-cross)' 'echo "#include <stdio.h>" | aarch64-linux-gnu-gcc -E -'
test_lazy_prereq LIBBPF 'needs clang, bpftool and libbpf-dev' 'make -s -C "$TOP" O="$PWD/features" features | grep "libbpf., true"'
test_lazy_prereq ARM64LIBS 'needs the libraries of arm64 (scripts/deps.sh --cross arm64)' \
	'PKG_CONFIG_LIBDIR=/usr/lib/aarch64-linux-gnu/pkgconfig pkg-config --exists libelf libdw libtraceevent zlib libunwind'
test_lazy_prereq QEMU 'needs qemu-aarch64-static (package qemu-user-static)' 'qemu-aarch64-static --version'

in_tree () { make -s -C "$TOP" O="$PWD/obj" "$@"; }

# A compiler of which only its name is known.
fake () {
	printf '#!/bin/sh\ncase "$*" in *-dumpmachine*) echo %s ;; *) echo "%s" ;; esac\n' "${2:-x86_64-linux-gnu}" "$1" >fake-cc && chmod +x fake-cc
}

# refused WHY: make says that, in one line, and does nothing else.
refused () {
	test_status 2 in_tree CC="${2:-$PWD/fake-cc}" features >out 2>err && echo "$1" >expect &&
	sed -n "s/^Makefile:[0-9]*: \*\*\* \(.*\)\.  Stop\.$/\1/p" err >said && test_cmp expect said && [ "$(wc -l <err)" = 1 ]
}

test_expect_success 'a compiler that is too old, or is none, is named in one line' '
	fake "10 __clang_major__ 8" && refused "'"'\$PWD/fake-cc'"' is gcc 10: perf needs gcc 11 or newer, or clang 14 or newer" &&
	fake "4 13 8" && refused "'"'\$PWD/fake-cc'"' is clang 13: perf needs clang 14 or newer, or gcc 11 or newer" &&
	refused "'"'nosuch-cc'"' is no C compiler, or is not installed" nosuch-cc &&
	fake "11 __clang_major__ 8" && in_tree CC="$PWD/fake-cc" features >out && fake "4 21 8" x86_64-pc-linux-gnu && in_tree CC="$PWD/fake-cc" features >out
'

# Dependencies name their targets by it: with two names for one directory a changed header would rebuild nothing.
test_expect_success 'a build directory in the tree has one name' '
	for o in obj "$TOP/obj"; do
		make -s -f - -C "$TOP" O="$o" show <<-\END >>names || return 1
			include Makefile
			show: ; @echo "$(O)"
		END
	done &&
	printf "obj\nobj\n" >expect && test_cmp expect names
'

test_expect_success M32 'so is one for 32 bits' '
	refused "'"'cc -m32'"' makes programs of 32 bits: perf runs on 64-bit machines only, and reads the recordings of others" "cc -m32"
'

test_expect_success 'each optional library can be left out; its stub compiles without a warning' '
	for x in $(sed -n "s/^optional := //p" "$TOP/Makefile"); do
		name=$(echo $x | tr A-Z a-z) && in_tree NO_$x=1 features >out && test_grep "X.\"$name\", false," out || return 1
	done &&
	for f in $(cd "$TOP" && find util -name "*-stub.c"); do
		(cd "$TOP" && cc -std=gnu11 -D_GNU_SOURCE -I. -Wall -Wextra -Werror -Wshadow -Wmissing-prototypes -fsyntax-only "$f") || return 1
	done
'

test_expect_success 'what is only loaded at run time needs nothing to be built' '
	printf "#!/bin/sh\ncase \"\$*\" in *python*|*debuginfod*) exit 1 ;; esac\nexec pkg-config \"\$@\"\n" >only && chmod +x only &&
	in_tree PKG_CONFIG="$PWD/only" features >out && test_grep "X.\"python\", true," out && test_grep "X.\"debuginfod\", true," out
'

test_expect_success 'programs for BPF are made for the machine of the compiler' '
	for m in aarch64:arm64 riscv64:riscv s390x:s390 x86_64:x86; do
		fake "12 __clang_major__ 8" ${m%:*}-linux-gnu && make -pn -C "$TOP" O="$PWD/obj" CC="$PWD/fake-cc" features >out 2>/dev/null &&
		grep "^BPF_ARCH " out | tail -n 1 >name && echo "BPF_ARCH := ${m#*:}" >expect && test_cmp expect name || return 1
	done
'

# ---- the same bytes ----

objects="build/util/base/str.o build/util/cli/complete.o build/perf.o build/util/view/flame-html.o"
two_trees () {
	[ -d there/perf ] && return
	XZ_OPT=-0 "$TOP/scripts/dist.sh" . && mkdir -p a there/perf/deeper && tar xJf perf-*.tar.xz -C a --strip-components=1 &&
	tar xJf perf-*.tar.xz -C there/perf/deeper --strip-components=1 && rm -f perf-*.tar.xz
}

test_expect_success GIT,CC 'two builds in different directories are the same bytes' '
	two_trees && make -s -C a $objects && make -s -C there/perf/deeper $objects &&
	for o in $objects; do cmp a/$o there/perf/deeper/$o || return 1; done &&
	make -s -C a O="$PWD/elsewhere" "$PWD/elsewhere/util/base/str.o" && cmp a/build/util/base/str.o elsewhere/util/base/str.o
'

test_expect_success GIT,CC,LIBBPF 'so are programs for BPF' '
	two_trees && for d in a there/perf/deeper; do make -s -C $d build/bpf/progcount.skel.h || return 1; done &&
	cmp a/build/bpf/progcount.skel.h there/perf/deeper/build/bpf/progcount.skel.h
'

# ---- arm64 ----

# Of perf itself what depends on the machine; the whole takes minutes (tests/toolchains.sh).
machine_objects="util/unwind/libunwind util/syscalls/structs util/syscalls/plan util/os/vdso util/os/run util/bench/mem-functions
	util/test/jitdump util/test/traploop util/record/live-unwind util/session/live-futex tests/unit/unwind/test-self"

test_expect_success ARM64CC,ARM64LIBC 'what tests run compiles for arm64, which has no calls of old kinds' '
	for f in "$TOP"/tests/workloads/*.c "$TOP"/tests/helper/steps.c; do
		aarch64-linux-gnu-gcc -std=gnu11 -D_GNU_SOURCE -I"$TOP" -Wall -Werror -fsyntax-only "$f" || return 1
	done
'

test_expect_success GIT,ARM64CC,ARM64LIBS 'objects for arm64' '
	two_trees && make -s -C a CROSS_COMPILE=aarch64-linux-gnu- O=build-arm64 WERROR=1 $(echo $objects | sed "s|build/|build-arm64/|g") &&
	make -s -C a CROSS_COMPILE=aarch64-linux-gnu- O=build-arm64 WERROR=1 $(for o in $machine_objects; do echo build-arm64/$o.o; done) &&
	file_machine=$(od -An -tu2 -j18 -N2 a/build-arm64/perf.o) && [ $file_machine = 183 ]
'

test_expect_success GIT,ARM64CC,ARM64LIBS,LIBBPF 'programs for BPF for arm64, without a warning' '
	two_trees && in=a/util/bpf && progs=$(cd $in && ls *.bpf.c | grep -v "^stack" | sed "s|\(.*\)\.bpf\.c|build-arm64/bpf/\1.bpf.o|") &&
	make -s -C a CROSS_COMPILE=aarch64-linux-gnu- O=build-arm64 $progs 2>err && test_cmp /dev/null err
'

test_lazy_prereq ARM64BUILD 'needs build-arm64/perf-unit (make CROSS_COMPILE=aarch64-linux-gnu- O=build-arm64)' '[ -x "$TOP/build-arm64/perf-unit" ]'
test_expect_success ARM64BUILD,QEMU 'the unit tests pass on arm64, as qemu has it' '
	(cd "$TOP" && timeout 170 qemu-aarch64-static build-arm64/perf-unit) >out 2>&1 || { grep -A5 "^not ok" out; return 1; }
'

test_done
