#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='stacks through the dynamic linker, stubs, vfork, coroutines and other builds: whole, and as others see them'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW,CC,X86_64
. "$TEST_DIR/stacks.sh"
both="libdw libunwind"

# ways NAME ORACLES CC FLAGS: the program, with a leaf that has unwind tables here, and what it loads.
ways () {
	local name=$1 oracles=$2 cc=$3
	shift 3
	$cc -g -O2 -w -D_GNU_SOURCE "$@" -shared -fPIC -Wl,-z,lazy -DPLUGIN -o $name.so "$src/bare/stackways.c" &&
	$cc -g -O2 -w -c -DLEAF -o $name-leaf.o "$src/bare/stackways.c" &&
	$cc -g -O2 -w -D_GNU_SOURCE "$@" -o $name "$src/bare/stackways.c" $name-leaf.o -ldl && measure $name "$oracles" ./$name 60 ./$name.so
}

test_expect_success 'calls bound at their first use, indirect functions, a vfork child' '
	ways lazy "$both" gcc -Wl,-z,lazy && grep -q "_dl_runtime_resolve" cfi && grep -q "in_vfork_child" cfi &&
	grep -q "through_stub" cfi && ways now libdw gcc -Wl,-z,now
'

test_expect_success 'stubs for indirect branch tracking' '
	ways ibt libdw gcc -Wl,-z,lazy,-z,ibtplt -fcf-protection=full && readelf -SW ibt | grep -q "\.plt\.sec"
'

test_expect_success CLANG 'the same by clang' '
	ways clang libdw clang -Wl,-z,lazy
'

test_expect_success 'static, at any address' '
	gcc -g -O2 -static-pie -fPIE -pthread -w -D_GNU_SOURCE -DSTATIC -o static-pie "$src/stackmix.c" && measure static-pie libdw ./static-pie 40
'

test_expect_success 'optimized as a whole, and for size' '
	matrix lto libdw gcc -O2 -flto && matrix size libdw gcc -Os -fomit-frame-pointer
'

test_lazy_prereq ASAN 'needs libasan' 'echo "int main(void){return 0;}" | gcc -xc -fsanitize=address -o asan-probe - && ./asan-probe'
test_expect_success ASAN 'sanitized' '
	export ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=0 &&
	gcc -g -O1 -fsanitize=undefined,address -w -D_GNU_SOURCE -o sanitized "$src/stackmore.c" && measure sanitized libdw ./sanitized 40
'

test_lazy_prereq CXX20 'needs a C++20 compiler' 'echo "#include <coroutine>" | c++ -std=c++20 -fsyntax-only -xc++ -'
test_expect_success CXX20 'coroutines' '
	g++ -std=c++20 -g -O2 -w -o coro "$src/stackcoro.cc" && measure coro "$both" ./coro 400 && grep -q "drive" cfi &&
	g++ -std=c++20 -g -O0 -w -o coro-O0 "$src/stackcoro.cc" && measure coro-O0 "$both" ./coro-O0 200
'

test_expect_success RUST 'Rust, not optimized' '
	cat >rs.rs <<-\EOT &&
	#[inline(never)]
	fn down(n: u32, seed: u64) -> u64 { if n == 0 { work(seed) } else { down(n - 1, seed + 1) ^ seed >> 3 } }
	#[inline(never)]
	fn work(seed: u64) -> u64 { (0..3000u64).map(|i| (seed ^ i).wrapping_mul(6364136223846793005)).fold(0, |a, b| a ^ b >> 3) }
	fn main() { println!("{}", (0..150).fold(0, |a, i| a ^ down(30, i))); }
	EOT
	rustc -g -C opt-level=0 -o rs rs.rs && measure rust-O0 libdw ./rs
'

stacks_verdict 100 0.8

# How large a frame is follows from what the code does to the stack pointer until it returns.
test_expect_success 'functions without tables: a leaf goes on, and so does a frame' '
	gcc -O2 -w -c -DLEAF -fomit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables -o leaf.o "$src/bare/stackways.c" &&
	gcc -g -O2 -w -D_GNU_SOURCE -o bare "$src/bare/stackways.c" leaf.o -ldl &&
	perf record -q --call-graph dwarf,8192,raw -e cpu-clock:u -c 250000 -o m.data ./bare 60 >/dev/null &&
	perf script -v --no-inline -i m.data -F ip,sym,dso >cfi 2>stat && cat stat &&
	awk "BEGIN { RS = \"\"; FS = \"\n\" } \$1 ~ / bare_leaf / { leaf++; if (\$2 !~ / main /) bad++ }
		\$1 ~ / bare_frame / { frame++; if (\$2 !~ / main /) bad++ }
		END { print leaf + 0, frame + 0, bad + 0; exit leaf < 10 || frame < 10 || bad }" cfi &&
	! grep -v ": complete$" stat
'

test_lazy_prereq MUSL 'needs musl-gcc (package musl-tools)' 'musl-gcc --version'
# Instructions do not tell everything: in 8 runs up to 2 of 172 stacks ended early.
test_expect_success MUSL 'the musl library has no tables: stacks go through it' '
	musl-gcc -g -O2 -w -D_GNU_SOURCE -o musl "$src/stackmore.c" &&
	for work in 1500 4500 15000; do		# some kernels give few samples
		perf record -q --call-graph dwarf,8192,raw -e cpu-clock:u -c 250000 -o m.data ./musl $work >/dev/null &&
		perf script -v --no-inline -i m.data -F ip,sym,dso >cfi 2>stat && cat stat || return 1
		test "$(grep -c " by_stubs " cfi)" -lt 10 || break
	done &&
	awk "BEGIN { RS = \"\"; FS = \"\n\" } \$1 ~ / by_stubs / { n++; for (i = 2; i <= NF && \$i ~ / recurse /; i++) ;
			if (i == 15 ? \$i !~ / main / : i == 12 ? \$i !~ / in_child / : 1) { bad++; print } }
		END { print n + 0, bad + 0; exit n < 10 || bad }" cfi &&
	awk "/^unwound stacks:/ { n[\$6 == \"complete\"] += \$3 } END { exit n[1] < .97 * (n[0] + n[1]) }" stat
'
test_done
