#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What tracing costs: W = dd of 500k single bytes, about a million calls. Each row the best of three: wall, times native.
top=$(cd "$(dirname "$0")/../.." && pwd)
perf=${PERF:-$top/build/perf} stock=${STOCK:-/usr/bin/perf} count=${COUNT:-500k}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/bench-trace.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
W="dd if=/dev/zero of=/dev/null bs=1 count=$count status=none"

native=
row () {	# title command...
	local title=$1 best= t i
	shift
	for i in 1 2 3; do
		t=$({ TIMEFORMAT=%R; time "$@" >/dev/null 2>&1; } 2>&1)
		best=$(printf '%s\n' $best "$t" | sort -n | head -n 1)
	done
	[ -n "$native" ] || native=$best
	awk -v n="$title" -v t="$best" -v b="$native" 'BEGIN { printf "%-28s %8.2f s %7.1f x\n", n, t, t / b }'
}

row native $W
row 'perf trace -o' "$perf" trace -o "$tmp/out" $W
echo "  lines: $(wc -l <"$tmp/out"), of them LOST: $(grep -c ^LOST "$tmp/out")"
row 'perf trace -s' "$perf" trace -s -o "$tmp/sum" $W
row 'perf trace -e accept' "$perf" trace -e accept -o "$tmp/acc" $W
four="$W & $W & $W & $W & wait"
row 'four at once, native' sh -c "$four"
row 'four at once, perf trace -o' "$perf" trace -o "$tmp/out" sh -c "$four"
echo "  lines: $(wc -l <"$tmp/out"), of them LOST: $(grep -c ^LOST "$tmp/out")"
row 'perf trace true' "$perf" trace -o "$tmp/true" true
if [ -x "$stock" ]; then
	row 'stock: perf trace true' "$stock" trace -o "$tmp/true" true
	[ -z "$SLOW" ] || row 'stock: perf trace -o' "$stock" trace -o "$tmp/out" $W
fi
[ -z "$SLOW" ] || row 'strace -o' strace -f -o "$tmp/out" $W
