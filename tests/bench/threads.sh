#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# threads.sh [SECONDS [PERF...]]	what is lost of a load that writes faster than one thread reads, and with a thread a CPU (--threads).
#
# On each CPU a program that does nothing but system calls, all of which are recorded system-wide, with call chains, in buffers of several
# sizes. Each PERF (default: ours, /usr/bin/perf and the newest upstream perf where they are) records SECONDS (3) with one thread and with
# --threads. K/s: thousands of samples that reached the file a second; lost: of all, as the kernel counts. Numbers to look at, nothing is
# asserted. Needs root.

top=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${1:-3}
shift
perfs=("$@")
if [ ${#perfs[@]} -eq 0 ]; then
	perfs=("$top/build/perf")
	for p in /usr/bin/perf "${PERF_NEWEST:-${XDG_CACHE_HOME:-$HOME/.cache}/stock-perf/perf-sid}"; do [ -x "$p" ] && perfs+=("$p"); done
fi
dir=$(mktemp -d "${TMPDIR:-/tmp}/t-bench-threads.XXXXXX") || exit 1
loops=
trap 'kill $loops 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM HUP
for ((cpu = 0; cpu < $(nproc); cpu++)); do
	taskset -c $cpu dd if=/dev/zero of=/dev/null bs=1 status=none &
	loops="$loops $!"
done

# DIR: samples in it, and those that the kernel says it lost (each counter tells at the end)
sums () {
	"$top/build/perf" script -i "$1" -D 2>/dev/null |
		awk '/PERF_RECORD_SAMPLE/ { n++ } /PERF_RECORD_LOST_SAMPLES/ { for (i = 1; i < NF; i++) if ($i == "lost") lost += $(i + 1) } END { print n + 0, lost + 0 }'
}

printf '%-10s %-10s %8s %10s %10s %8s\n' perf threads -m K/s lost CPU
for size in 64K 256K 1M 8M; do
	for p in "${perfs[@]}"; do
		for how in "" --threads; do
			rm -rf "$dir/d"
			TIMEFORMAT='%U %S'
			t=$( { time "$p" record -q $how -a -g -m $size -e syscalls:sys_enter_write -o "$dir/d" sleep "$seconds" >/dev/null 2>"$dir/err"; } 2>&1 )
			read -r n lost < <(sums "$dir/d")
			[ "$n" ] && printf '%-10s %-10s %8s %10.0f %9.1f%% %8s\n' "$(basename "$p")" "${how:-one}" $size \
				$((n / seconds / 1000)) "$(echo "$n $lost" | awk '{ print $1 ? 100 * $2 / ($1 + $2) : 100 }')" \
				"$(echo "$t" | awk '{ printf "%.1f s", $1 + $2 }')"
		done
	done
done
