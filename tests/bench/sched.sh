#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# sched.sh [SECONDS [PERF...]]	what recording the scheduler and reading the recording cost, against the faster stock.
#
# The load is three pipe ping-pongs: they keep two CPUs busy (6.6 s of it are about 2.2 M events and 220 MB). Each PERF (default:
# ours, /usr/bin/perf and the newest stock where they are) is a column; the runs of one line take turns. CPU: user+sys, the least
# of three runs. The last columns: how many times more than the first PERF the best of the others needs, of CPU and wall.
# Numbers to look at, nothing is asserted. Needs root and the scheduler's tracepoints.

top=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${1:-6.6}
shift
perfs=("$@")
if [ ${#perfs[@]} -eq 0 ]; then
	perfs=("$top/perf")
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
	/usr/bin/time -o "$dir/time" -f '%U %S %e %M' "$@" >/dev/null 2>"$dir/err"
	tail -1 "$dir/time" | awk '{ printf "%.2f %.2f %.0f\n", $1 + $2, $3, $4 / 1024 }'
}

# One line: the least CPU and wall of three turns of each perf, the largest memory of the last.
row() # NAME OPTION...: what follows the perf
{
	local name=$1 i k cpu=() wall=() mem=() out
	shift
	for k in 1 2 3; do
		for i in "${!perfs[@]}"; do
			out=($(measure "${perfs[i]}" "$@"))
			[ "$k" -gt 1 ] && awk -v a="${out[0]}" -v b="${cpu[i]}" 'BEGIN { exit !(a > b) }' || cpu[i]=${out[0]}
			[ "$k" -gt 1 ] && awk -v a="${out[1]}" -v b="${wall[i]}" 'BEGIN { exit !(a > b) }' || wall[i]=${out[1]}
			mem[i]=${out[2]}
		done
	done
	printf '%-10s' "$name"
	for i in "${!perfs[@]}"; do printf '%25s' "${cpu[i]} s ${wall[i]} s ${mem[i]} MB"; done
	awk -v c="${cpu[*]}" -v w="${wall[*]}" -v m="${mem[*]}" 'function best(t,   v, n, i, b) {
		n = split(t, v, " ")
		for (i = 2; i <= n; i++)
			if (i == 2 || v[i] < b)
				b = v[i]
		return n > 1 && v[1] > 0 ? sprintf("%.1f", b / v[1]) : "-"
	} BEGIN { printf "%8s %8s %8s\n", best(c), best(w), best(m) }'
}

echo "recording, $seconds s of three ping-pongs: the recorder's own CPU, and what was lost"
for p in "${perfs[@]}"; do
	pairs "$seconds" &
	out=($(measure "$p" sched record -m 16M -o "$dir/r.data" sleep "$seconds"))
	wait
	printf '%-12s %6s s CPU, %s bytes' "${p##*/}" "${out[0]}" "$(stat -c %s "$dir/r.data")"
	lost=$("$top/perf" script -i "$dir/r.data" --show-lost-events 2>&1 >/dev/null | grep -o 'lost [0-9].*' | tr '\n' ' ')
	echo "  ${lost:-nothing lost}"
	[ "$p" = "${perfs[0]}" ] && mv "$dir/r.data" "$dir/s.data"
done
echo
echo "reading: $(stat -c %s "$dir/s.data") bytes, $("$top/perf" script -i "$dir/s.data" 2>/dev/null | wc -l) events; CPU, wall, memory"
printf '%-10s' command
printf '%25s' "${perfs[@]##*/}"
printf '%8s %8s %8s\n' CPU wall memory
for what in latency map timehist; do row "$what" sched -i "$dir/s.data" "$what"; done
row script script -i "$dir/s.data"
