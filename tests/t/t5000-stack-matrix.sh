#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='stacks of all sorts of programs: whole, and as libdw and libunwind see them'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW,CC,X86_64
test_lazy_prereq GOBUILT 'needs go, and its library compiled' \
	'export GOCACHE="$test_real_cache/go-build" && go version && test "$(go list -f "{{.Stale}}" fmt)" = false'
. "$TEST_DIR/stacks.sh"

both="libdw libunwind"

test_expect_success 'gcc, with and without frame pointers' '
	matrix gcc-O0 "$both" gcc -O0 && matrix gcc-O2 "$both" gcc -O2 && matrix gcc-O3 libdw gcc -O3 -fomit-frame-pointer &&
	matrix gcc-fp "$both" gcc -O2 -fno-omit-frame-pointer -fcf-protection=none
'

test_expect_success CLANG 'clang' '
	matrix clang-O0 libdw clang -O0 && matrix clang-O2 "$both" clang -O2 &&
	matrix clang-O3 libdw clang -O3 -fno-omit-frame-pointer
'

# libunwind wants a sorted table of the unwind information, which these have not
test_expect_success 'static' '
	gcc -g -O2 -static -pthread -w -D_GNU_SOURCE -DSTATIC -o static "$src/stackmix.c" && measure static libdw ./static 50
'

test_expect_success 'at a fixed address' '
	gcc -g -O2 -no-pie -fno-pic -pthread -w -D_GNU_SOURCE -o nopie "$src/stackmix.c" -ldl && measure no-pie "$both" ./nopie 50
'

test_expect_success 'the vdso, late bound PLT stubs, a child of clone, -fcf-protection' '
	for cf in full none; do
		gcc -g -O2 -w -fno-builtin -D_GNU_SOURCE -Wl,-z,lazy -fcf-protection=$cf -o more-$cf "$src/stackmore.c" &&
		measure more-$cf "$both" ./more-$cf 1500 && grep -q "\[vdso\]" cfi && grep -q "@plt " cfi && grep -q clone cfi || return 1
	done
'

test_lazy_prereq M32 'needs a compiler and a kernel for 32-bit programs' \
	'gcc -m32 -O2 -static -nostdlib -fno-pic -no-pie -DBARE -o bare32 "$TOP/tests/workloads/stackmore.c" && ./bare32'
test_expect_success M32 'a 32-bit program' '
	gcc -g -O2 -m32 -static -nostdlib -fno-pic -no-pie -fomit-frame-pointer -fno-optimize-sibling-calls -fcf-protection=none \
		-fasynchronous-unwind-tables -DBARE -o bare32 "$src/stackmore.c" && measure 32-bit libdw ./bare32
'

test_expect_success 'unwind information in .debug_frame only' '
	matrix debug_frame libdw gcc -O2 -fno-asynchronous-unwind-tables -fno-unwind-tables &&
	readelf -SW debug_frame | grep -q "\.debug_frame"
'

test_expect_success OBJDUMP 'the same, stripped, with .gnu_debuglink' '
	gcc -g -pthread -D_GNU_SOURCE -w -O2 -fno-asynchronous-unwind-tables -fno-unwind-tables -o linked "$src/stackmix.c" -ldl &&
	mkdir .debug && objcopy --only-keep-debug linked .debug/linked.debug &&
	strip linked && objcopy --add-gnu-debuglink=.debug/linked.debug linked &&
	measure linked libdw ./linked 50
'

test_expect_success CXX 'C++: templates, inlining, exceptions' '
	for o in O0 O2; do
		g++ -g -$o -w -o cxx-$o "$src/stackmixcxx.cc" && measure cxx-$o "$both" ./cxx-$o 1000 || return 1
	done
'

test_expect_success CXX,CLANG 'C++ by clang' '
	clang++ -g -O3 -w -o cxx-clang "$src/stackmixcxx.cc" && measure cxx-clang libdw ./cxx-clang 1000
'

cat >rs.rs <<'EOT'
use std::collections::BTreeMap;
#[inline(never)]
fn down(n: u32, seed: u64) -> u64 { if n == 0 { work(seed) } else { down(n - 1, seed + 1) ^ seed >> 3 } }
#[inline(never)]
fn work(seed: u64) -> u64 {
	let mut m = BTreeMap::new();
	for i in 0..200u64 { m.insert((seed ^ i).wrapping_mul(6364136223846793005).to_string(), i); }
	let mut v: Vec<_> = m.keys().map(|s| s.len()).collect();
	v.sort_by(|a, b| b.cmp(a));
	v[0] as u64 + m.values().sum::<u64>()
}
fn main() {
	std::panic::set_hook(Box::new(|_| {}));
	let mut x = 0;
	for i in 0..400 {
		x ^= down(20, i);
		if i % 40 == 0 { let _ = std::panic::catch_unwind(|| if down(3, i) != 1 { panic!("thrown") }); }
	}
	let t: Vec<_> = (0..2).map(|i| std::thread::spawn(move || (0..100).fold(0, |a, j| a ^ down(8, i * j)))).collect();
	for h in t { x ^= h.join().unwrap(); }
	println!("{}", x);
}
EOT
test_expect_success RUST 'Rust' '
	rustc -g -O -o rs rs.rs && measure rust libdw ./rs
'

cat >go.go <<'EOT'
package main

import (
	"fmt"
	"sort"
)

//go:noinline
func down(n int, seed uint64) uint64 {
	if n == 0 {
		return work(seed)
	}
	return down(n-1, seed+1) ^ seed>>3
}

//go:noinline
func work(seed uint64) uint64 {
	m := map[string]uint64{}
	var keys []string
	for i := uint64(0); i < 100; i++ {
		k := fmt.Sprint((seed ^ i) * 6364136223846793005)
		m[k] = i
		keys = append(keys, k)
	}
	sort.Slice(keys, func(a, b int) bool { return keys[a] < keys[b] })
	return m[keys[0]]
}

func main() {
	c := make(chan uint64)
	for g := 0; g < 4; g++ {
		go func(g int) {
			x := uint64(0)
			for i := 0; i < 300; i++ {
				x ^= down(12, uint64(g*i))
			}
			c <- x
		}(g)
	}
	for g := 0; g < 4; g++ {
		fmt.Println(<-c)
	}
}
EOT
test_expect_success GOBUILT 'Go' '
	GO111MODULE=off GOFLAGS=-mod=mod GOCACHE="$test_real_cache/go-build" go build -o gobin go.go && measure go libdw ./gobin
'

stacks_verdict 100 0.8
test_done
