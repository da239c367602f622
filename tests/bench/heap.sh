#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# heap.sh [PERF]	what perf heap record costs the program that it watches.
#
# A program that allocates and frees at several rates, alone and recorded: ns of CPU time for a pair of malloc and free, and how much more
# it is. By each kind of probes that the kernel has, at the default sampling; and with --period 1, where each is recorded. Numbers to look at,
# nothing is asserted. Needs root.

top=$(cd "$(dirname "$0")/../.." && pwd)
perf=${1:-$top/build/perf}
. "$top/tests/bench/table.sh"
dir=$(mktemp -d "${TMPDIR:-/tmp}/t-bench-heap.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM HUP
${CC:-cc} -O1 -fno-builtin -o "$dir/heaprate" "$top/tests/workloads/heaprate.c" || exit 1

alone () { "$dir/heaprate" "$@"; }
recorded () { "$perf" heap record -q -o "$dir/data" $options -- "$dir/heaprate" "$@"; }

# Turns of the loop for about so many pairs a second.
turn_ns=$(awk -v a="$(alone 200000 0)" -v b="$(alone 200000 1000)" 'BEGIN { print (b - a) / 1000 }')
pair_ns=$(alone 2000000 0)
printf '%-34s %10s %10s %10s %8s\n' 'pairs of malloc and free' 'alone ns' 'recorded' 'a pair +' 'slower'
row () {
	local title=$1 pairs=$2 work=$3 a r
	options=$4
	a=$(alone "$pairs" "$work") && r=$(recorded "$pairs" "$work") || return
	awk -v t="$title" -v a="$a" -v r="$r" 'BEGIN { printf "%-34s %10.1f %10.1f %10.1f %7.2fx\n", t, a, r, r - a, r / a }' | tee "$dir/line"
	bench_row "heap: $title" "$(awk '{ print $NF }' "$dir/line" | tr -d x)" '' "$5"
}
for rate in 10000 100000 1000000; do
	work=$(awk -v r=$rate -v p="$pair_ns" -v t="$turn_ns" 'BEGIN { w = (1e9 / r - p) / t; print (w > 0 ? int(w) : 0) }')
	row "$rate a second" $((rate / 2 + 50000)) "$work" '' "$([ $rate = 1000000 ] && echo '<=1.3')"
done
for way in session multi single; do
	row "as fast as they come, $way" 500000 0 "--probes $way" ''
done
row 'as fast as they come, --period 1' 300000 0 '--period 1' ''
