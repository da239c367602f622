#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# sched.sh [SECONDS [PERF...]]	what recording the scheduler and reading the recording cost, against the faster upstream.
#
# The load is three pipe ping-pongs: they keep two CPUs busy (6.6 s of it are about 2.2 M events and 220 MB). Each PERF (default:
# ours, /usr/bin/perf and the newest upstream perf where they are) is a column; the runs of one line take turns, all write to /dev/null, and
# the least of TURNS (5) counts: neighbours only ever add. CPU: user+sys, in ms: at hundredths of a second a ratio of 8 would be one
# of 7 to 9. The last columns: how many times more than the first PERF the best of the others needs, of CPU, wall and memory; and of
# CPU by the medians: where that is far from the least, the machine was too busy to tell.
# Numbers to look at, nothing is asserted. Needs root and the scheduler's tracepoints.

top=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${1:-6.6}
shift
perfs=("$@")
if [ ${#perfs[@]} -eq 0 ]; then
	perfs=("$top/${BUILD:-build}/perf")
	for p in /usr/bin/perf "${PERF_NEWEST:-${XDG_CACHE_HOME:-$HOME/.cache}/stock-perf/perf-sid}"; do [ -x "$p" ] && perfs+=("$p"); done
fi
dir=$(mktemp -d "${TMPDIR:-/tmp}/t-bench-sched.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM HUP
cat >"$dir/pp.c" <<'EOF'
#include <signal.h>
#include <unistd.h>
int main(void)
{
	int a[2], b[2];
	char c = 0;

	if (pipe(a) || pipe(b))
		return 1;
	if (!fork()) {
		while (read(a[0], &c, 1) == 1 && write(b[1], &c, 1) == 1)
			;
		return 0;
	}
	while (write(a[1], &c, 1) == 1 && read(b[0], &c, 1) == 1)
		;
	return 0;
}
EOF
${CC:-cc} -O2 -o "$dir/pp" "$dir/pp.c" || exit 1
pairs() # SECONDS
{
	for _ in 1 2 3; do timeout "$1" "$dir/pp" & done
	wait
}

measure() # COMMAND...: "CPU WALL MB" of one run
{
	local TIMEFORMAT='%3U %3S %3R'
	{ time /usr/bin/time -o "$dir/mem" -f '%M' "$@" >/dev/null 2>"$dir/err"; } 2>"$dir/time"
	awk -v kb="$(tail -1 "$dir/mem")" '{ printf "%.3f %.3f %.0f\n", $1 + $2, $3, kb / 1024 }' "$dir/time"
}

# One line: the least CPU and wall of the turns of each perf, the memory of the last.
row() # NAME OPTION...: what follows the perf
{
	local name=$1 i k
	shift
	for ((k = 0; k < ${TURNS:-5}; k++)); do
		for i in "${!perfs[@]}"; do echo "$i $(measure "${perfs[i]}" "$@")"; done
	done | awk -v name="$name" -v table="${BENCH_TABLE:-/dev/null}" '
		function sort(v, n,   i, k, t) {
			for (i = 2; i <= n; i++)
				for (k = i; k > 1 && v[k] < v[k - 1]; k--) { t = v[k]; v[k] = v[k - 1]; v[k - 1] = t }
		}
		function ratio(v,   i, b) {
			for (i = 1; i < perfs; i++)
				if (i == 1 || v[i] < b)
					b = v[i]
			return perfs > 1 && v[0] > 0 ? sprintf("%.1f", b / v[0]) : "-"
		}
		{
			cpus[$1, ++n[$1]] = $2; mem[$1] = $4
			if (n[$1] == 1 || $3 < wall[$1]) wall[$1] = $3
			if ($1 >= perfs) perfs = $1 + 1
		}
		END {
			printf "%-10s", name
			for (i = 0; i < perfs; i++) {
				for (k = 1; k <= n[i]; k++)
					one[k] = cpus[i, k]
				sort(one, n[i])
				cpu[i] = one[1]; median[i] = one[int((n[i] + 1) / 2)]
				printf "%28s", sprintf("%.3f s %.3f s %d MB", cpu[i], wall[i], mem[i])
			}
			if (perfs > 1) {
				printf "sched: %s, CPU\t%.3f s\t%.3f s\t%s\n", name, cpu[0], ratio(cpu) * cpu[0], name == "script" ? "8x" : "5x" >>table
				printf "sched: %s, memory\t%d MB\t%d MB\t4x\n", name, mem[0], ratio(mem) * mem[0] >>table
			}
			printf "%8s%8s%8s%8s\n", ratio(cpu), ratio(wall), ratio(mem), ratio(median)
		}'
}

echo "recording, $seconds s of three ping-pongs: the recorder's own CPU, and what was lost"
for p in "${perfs[@]}"; do
	pairs "$seconds" &
	out=($(measure "$p" sched record -m 16M -o "$dir/r.data" sleep "$seconds"))
	wait
	printf '%-12s %6s s CPU, %s bytes' "${p##*/}" "${out[0]}" "$(stat -c %s "$dir/r.data")"
	lost=$("$top/${BUILD:-build}/perf" script -i "$dir/r.data" --show-lost-events 2>&1 >/dev/null | grep -o 'lost [0-9].*' | tr '\n' ' ')
	echo "  ${lost:-nothing lost}"
	[ "$p" = "${perfs[0]}" ] && mv "$dir/r.data" "$dir/s.data"
done
echo
echo "reading: $(stat -c %s "$dir/s.data") bytes, $("$top/${BUILD:-build}/perf" script -i "$dir/s.data" 2>/dev/null | wc -l) events; CPU, wall, memory"
printf '%-10s' command
printf '%28s' "${perfs[@]##*/}"
printf '%8s%8s%8s%8s\n' CPU wall memory median
for what in latency map timehist; do row "$what" sched -i "$dir/s.data" "$what"; done
row script script -i "$dir/s.data"
