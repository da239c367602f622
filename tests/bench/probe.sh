#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# probe.sh	perf probe on a vmlinux with debug information, and '*' on a program of 2,000 functions: CPU seconds (user+sys) and
# wall, the least of five runs, ours against the newest upstream perf. Numbers to look at, nothing is asserted.
#	BENCH_VMLINUX=file	default: the one that tests/vm/fetch.sh dbg fetches

top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/bench/table.sh"
ours=$top/${BUILD:-build}/perf
cache=${XDG_CACHE_HOME:-$HOME/.cache}
newest=${PERF_NEWEST:-$cache/stock-perf/perf-sid}
vmlinux=${BENCH_VMLINUX:-$(ls "${PERF_VMDIR:-$cache/perf-vm}"/dbgpkg/usr/lib/debug/boot/vmlinux-* 2>/dev/null | head -n 1)}
dir=$(mktemp -d "${TMPDIR:-/tmp}/t-bench-probe.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
export XDG_CACHE_HOME=$dir/cache

# best COMMAND...: "cpu wall" of the least of five
best () {
	local k
	for k in 1 2 3 4 5; do
		[ -z "$cold" ] || rm -rf "$dir/cache"
		/usr/bin/time -o "$dir/time" -f '%U %S %e' "$@" >/dev/null 2>&1
		tail -n 1 "$dir/time"
	done | awk '{ c = $1 + $2; if (NR == 1 || c < b) b = c; if (NR == 1 || $3 < w) w = $3 } END { printf "%.2f %.2f", b, w }'
}

row () {
	local title=$1 a b target
	shift
	a=$(best "$ours" probe "$@")
	printf '%-30s ours %s' "$title" "$a"
	if "$newest" version >/dev/null 2>&1; then
		b=$(best "$newest" probe "$@")
		awk -v a="$a" -v b="$b" 'BEGIN { split(a, x, " "); split(b, y, " ")
			printf "   upstream %s   CPU %.1fx, wall %.1fx faster", b, y[1] / (x[1] ? x[1] : 0.01), y[2] / (x[2] ? x[2] : 0.01) }'
	fi
	case $title in *", no index") target=3x ;; *", index") target=10x ;; *functions) target=5x ;; *) target= ;; esac
	bench_row "probe $title" "${a#* } s" "${b:+${b#* } s}" "$target"
	echo
}

[ -x /usr/bin/time ] || { echo "probe.sh: needs /usr/bin/time (package time)" >&2; exit 1; }
echo "perf probe: CPU and wall seconds"
# upstream perf's -L wants a source: any lines do
mkdir -p "$dir/src/fs" && seq -f 'line %.0f' 1 2500 >"$dir/src/fs/read_write.c"
if [ -n "$vmlinux" ]; then
	for cold in 1 ""; do
		for what in '-V vfs_read' '-D vfs_read' '-L vfs_read'; do
			row "vmlinux $what, ${cold:+no }index" -k "$vmlinux" -s "$dir/src" ${what% *} "${what##* }"
		done
	done
	row "vmlinux -D, no such function" -k "$vmlinux" -D vfs_raed
	row "vmlinux -F 'tcp_*'" -k "$vmlinux" -F 'tcp_*'
else
	echo "no vmlinux with debug information (tests/vm/fetch.sh dbg): skipped"
fi
"$top/tests/bench/gen-program.sh" 1 2000 many >"$dir/many.c" && ${CC:-cc} -O2 -g -w -pthread -o "$dir/many" "$dir/many.c" &&
	row "'*' on 2,000 functions" -x "$dir/many" --max-probes=100000 -D '*'
