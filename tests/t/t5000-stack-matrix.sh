#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='stacks of all sorts of programs: whole, and as libdw and libunwind see them'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW,CC,X86_64
test_lazy_prereq GOBUILT 'needs go, and its library compiled' \
	'export GOCACHE="$test_real_cache/go-build" && go version && test "$(go list -f "{{.Stale}}" fmt)" = false'
src=$TOP/tests/workloads

# Compares two lists of stacks and sorts the pairs into classes:
#	equal	the same frames
#	short	the oracle's stack is the inner part of ours, which goes on and reaches the thread's start
#	invents	both agree up to a frame; the oracle's next one lies in no code: not in a file, and the program has no executable
#		memory beside its files (checked below). Ours ends there, or goes on and reaches the start. libdw does so behind the
#		last frame of a context and where a signal's handler ran on a stack of its own: it reads on in what was not copied
#	differ	anything else
# Starts: what the kernel or the C library begins a thread or context with, or what nobody calls.
cat >compare.awk <<'EOT'
function is_start(f) { return f ~ / (_start|_dl_start_user|(__)?clone3?|_rt0_amd64_linux|runtime\.[^ ]*) / }
function starts(f, n) { return is_start(f[n]) || (n > 1 && f[n - 1] ~ / in_context /) }
function no_code(f) { return f ~ /\((\[unknown\]|\/\/anon|\[heap\]|\[stack\]|\[anon:[^)]*)\)$/ }
function sort_pair(a, b,    f, g, n, m, i) {
	n = split(a, f, "\n")
	m = split(b, g, "\n")
	for (i = 1; i <= n && i <= m && f[i] == g[i]; i++)
		;
	if (i > m)
		return starts(f, n) ? "short" : "differ"
	if (no_code(g[i]) && (i > n || starts(f, n)))
		return "invents"
	return "differ"
}
BEGIN { RS = ""; FS = "\n" }
FNR == NR { ours[FNR] = $0; n = FNR; next }
ours[FNR] == $0 { class["equal"]++; next }
{
	c = sort_pair(ours[FNR], $0)
	if (c == "differ" && !class[c]) first = "ours:\n" ours[FNR] "\noracle:\n" $0
	class[c]++
}
END {
	print n + 0, class["equal"] + 0, class["short"] + 0, class["invents"] + 0, class["differ"] + 0
	if (first) print first >"/dev/stderr"
}
EOT
# all stacks, those that reach a start
cat >starts.awk <<'EOT'
BEGIN { RS = ""; FS = "\n" }
{ n++; if ($NF ~ / (_start|_dl_start_user|(__)?clone3?|_rt0_amd64_linux|runtime\.[^ ]*) / || $(NF - 1) ~ / in_context /) whole++ }
END { print n + 0, whole + 0 }
EOT

# measure NAME ORACLES command...: records, adds a line for each oracle to "sums" and one to "ends".
measure () {
	local name=$1 oracles=$2 o
	shift 2
	perf record -q --call-graph dwarf,65528,raw -e cpu-clock:u -c 250000 -o m.data "$@" >/dev/null || return 1
	perf script --show-mmap-events -i m.data -F comm >maps 2>/dev/null || return 1
	! grep -E ': [r-][w-]x[ps] (//anon|\[heap|\[stack|\[anon)' maps || return 1
	perf script -v --no-inline --unwind cfi -i m.data -F ip,sym,dso >cfi 2>stat || return 1
	for o in $oracles; do
		perf script --no-inline --unwind $o -i m.data -F ip,sym,dso >$o 2>/dev/null || return 1
		echo "$name $o $(awk -f compare.awk cfi $o)" | tee -a sums || return 1
		[ -z "${KEEP_TRASH:-}" ] || cp $o $name.$o
	done
	echo "$name $(awk -f starts.awk cfi) $(sed -n 's/^unwound stacks: \([0-9]*\) of [0-9]*: complete$/\1/p' stat)" | tee -a ends
	grep '^unwound stacks' stat | sed "s/^/$name /" | tee -a reasons
	[ -z "${KEEP_TRASH:-}" ] || cp cfi $name.cfi
	rm -f m.data
	by_kernel "$name" "$@"
}

# by_kernel NAME command...: the same unwound at each sample both in the kernel and by the recorder; adds a line to "kernel".
test_lazy_prereq IN_KERNEL 'needs root, and a kernel whose BPF programs can unwind' 'perf record -q --call-graph dwarf --unwind bpf -o k.data true'
by_kernel () {
	local name=$1
	shift
	test_have IN_KERNEL || return 0
	perf record -v --call-graph dwarf --unwind check -e cpu-clock:u -c 250000 -o m.data "$@" >/dev/null 2>kernel.err &&
	sed -n "s/^stacks unwound both ways: /$name /p" kernel.err | tee -a kernel || return 1
	sed -n "s/^unwind: /$name: /p" kernel.err
	rm -f m.data
}

# matrix NAME ORACLES CC FLAGS: the C program with its loaded object.
matrix () {
	local name=$1 oracles=$2 cc=$3
	shift 3
	$cc -g -pthread -D_GNU_SOURCE -w "$@" -shared -fPIC -DPLUGIN -o $name.so "$src/stackmix.c" &&
	$cc -g -pthread -D_GNU_SOURCE -w "$@" -o $name "$src/stackmix.c" -ldl &&
	measure $name "$oracles" ./$name 50 ./$name.so
}

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
		measure more-$cf "$both" ./more-$cf 150 && grep -q "\[vdso\]" cfi && grep -q "@plt " cfi && grep -q clone cfi || return 1
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

test_expect_success 'at least 99.5% of all stacks equal those of each oracle where that does not stop short or invent frames' '
	awk "{ n[\$2] += \$3; equal[\$2] += \$4; short[\$2] += \$5; invents[\$2] += \$6; differ[\$2] += \$7 }
		END { printf \"%-10s %7s %7s %7s %7s %7s\n\", \"oracle\", \"stacks\", \"equal\", \"short\", \"invents\", \"differ\"
		for (o in n) {
			printf \"%-10s %7d %7d %7d %7d %7d\n\", o, n[o], equal[o], short[o], invents[o], differ[o]
			if (n[o] < 100 || differ[o] > 0.005 * (n[o] - short[o] - invents[o]) || equal[o] < 0.9 * n[o]) bad = 1
		} exit bad }" sums
'

test_expect_success 'every stack reaches the start of its thread, or the statistics say why not' '
	awk "{ n += \$2; whole += \$3; complete += \$4; if (\$3 < \$4 - 0.01 * \$2 - 1) { print \"complete, but not from the start:\", \$0; bad = 1 } }
		END { print n, whole, complete; exit bad || !n || whole < 0.8 * n }" ends &&
	sed "s/.* of [0-9]*: //" reasons | sort | uniq -c &&
	awk "{ n += \$4 } / (code without|damaged|binary cannot|stack copy)/ { bad += \$4 } END { print bad + 0, n; exit bad > 0.01 * n }" reasons
'

# A stack of a signal's own hides the interrupted one from a copy, not from the kernel.
test_expect_success IN_KERNEL 'what a program in the kernel unwinds equals what the recorder does, or goes on where the copy ends' '
	awk "{ equal += \$2; longer += \$4; other += \$(NF - 1) }
		END { print equal + 0, longer + 0, other + 0; exit equal < 100 || other }" kernel
'

test_done
