#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# sched.sh [SECONDS [PERF...]]	CPU time of reading one scheduler recording: user+sys, the least of three runs.
#
# The load is one pipe ping-pong for each CPU pair. Each PERF (default: ours, /usr/bin/perf and the newest stock where they are) is a column.
# Numbers to look at, nothing is asserted. Needs root and the scheduler's tracepoints.

top=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${1:-3}
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
cat >"$dir/load" <<EOF
for i in 1 2; do timeout $seconds "$dir/pp" & done
wait
EOF

cpu_seconds() # COMMAND...: user+sys of one run
{
	local TIMEFORMAT='%U %S' t
	t=$({ time "$@" >/dev/null 2>&1; } 2>&1 | tail -1)
	awk '{ print $1 + $2 }' <<<"$t"
}
least_of_three() { for _ in 1 2 3; do cpu_seconds "$@"; done | sort -n | head -1; }

"$top/perf" sched record -m 16M -o "$dir/s.data" bash "$dir/load" >/dev/null 2>"$dir/err" || { cat "$dir/err"; exit 1; }
echo "recording: $(stat -c %s "$dir/s.data") bytes, $("$top/perf" sched map -i "$dir/s.data" | wc -l) switches"
grep -i lost "$dir/err"
printf '%-14s' command
printf '%12s' "${perfs[@]##*/}"
echo
for what in latency map timehist script; do
	printf '%-14s' "$what"
	for p in "${perfs[@]}"; do printf '%12s' "$(least_of_three "$p" sched -i "$dir/s.data" $what)"; done
	echo
done
