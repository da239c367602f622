#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='stacks of all sorts of programs: whole, and as libdw and libunwind see them'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW,CC,X86_64
test_lazy_prereq GOBUILT 'needs go, and its library compiled' \
	'export GOCACHE="$test_real_cache/go-build" && go version && test "$(go list -f "{{.Stale}}" fmt)" = false'
src=$TOP/tests/workloads

# Compares two lists of stacks and sorts the pairs: equal; "lost": the oracle ended where the stack goes on, and ours reaches
# the thread's start; "differ": anything else. Starts: what the kernel or the C library begins a thread or context with.
cat >compare.awk <<'EOT'
function starts(stack,    f, n, last) {
	n = split(stack, f, "\n")
	last = f[n]
	return last ~ / (_start|(__)?clone3?|_rt0_amd64_linux|runtime\.[^ ]*)$/ ||
		(n > 1 && f[n - 1] ~ / in_context$/)
}
BEGIN { RS = ""; FS = "\n" }
FNR == NR { ours[FNR] = $0; n = FNR; next }
{
	if (ours[FNR] == $0) equal++
	else if (starts(ours[FNR]) && !starts($0)) lost++
	else { differ++; if (differ == 1) first = "ours:\n" ours[FNR] "\noracle:\n" $0 }
}
END { print n + 0, equal + 0, lost + 0, differ + 0; if (differ) print first >"/dev/stderr" }
EOT
# all stacks, those that reach a start
cat >starts.awk <<'EOT'
BEGIN { RS = ""; FS = "\n" }
{ n++; if ($NF ~ / (_start|(__)?clone3?|_rt0_amd64_linux|runtime\.[^ ]*)$/ || $(NF - 1) ~ / in_context$/) whole++ }
END { print n + 0, whole + 0 }
EOT

# measure NAME ORACLES command...: records, adds a line for each oracle to "sums" and one to "ends".
measure () {
	local name=$1 oracles=$2 o
	shift 2
	perf record -q --call-graph dwarf,65528,raw -e cpu-clock:u -c 250000 -o m.data "$@" >/dev/null || return 1
	perf script -v --no-inline --unwind cfi -i m.data -F ip,sym >cfi 2>stat || return 1
	for o in $oracles; do
		perf script --no-inline --unwind $o -i m.data -F ip,sym >$o 2>/dev/null || return 1
		echo "$name $o $(awk -f compare.awk cfi $o)" | tee -a sums || return 1
	done
	echo "$name $(awk -f starts.awk cfi) $(sed -n 's/^unwound stacks: \([0-9]*\) of [0-9]*: complete$/\1/p' stat)" | tee -a ends
	grep '^unwound stacks' stat
	[ -z "${KEEP_TRASH:-}" ] || for o in cfi $oracles; do mv $o $name.$o; done
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

test_expect_success 'of all stacks, at least 99.5% are the same or the oracle lost its way, and 90% are the same' '
	awk "{ n[\$2] += \$3; equal[\$2] += \$4; lost[\$2] += \$5; differ[\$2] += \$6 }
		END { for (o in n) {
			printf \"%s: %d stacks, %d equal, %d where only we reach the start, %d differ\n\", o, n[o], equal[o], lost[o], differ[o]
			if (n[o] < 100 || equal[o] + lost[o] < 0.995 * n[o] || equal[o] < 0.9 * n[o]) bad = 1
		} exit bad }" sums
'

test_expect_success 'every stack reaches the start of its thread, or the statistics say why not' '
	awk "{ n += \$2; whole += \$3; complete += \$4; if (\$3 < \$4 - 0.01 * \$2 - 1) { print \"complete, but not from the start:\", \$0; bad = 1 } }
		END { print n, whole, complete; exit bad || !n || whole < 0.8 * n }" ends
'

test_done
