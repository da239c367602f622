#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# top-storm.sh [SECONDS [PERF...]]	the memory of perf top while processes come and go, against upstream.
#
# Processes are made and end, thousands a second, for SECONDS (120); each PERF (default: ours, /usr/bin/perf and the newest upstream perf where
# they are) watches the whole machine at 4000 Hz as text meanwhile, all at the same time: by function, with call chains, and by process; and
# by function while each process is of a file of its own.
# MB: resident memory of its own (without mapped files) after a sixth of the time, and at the end; what was lost. Numbers to look at, nothing is
# asserted. Needs root.

top=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${1:-120}
shift
perfs=("$@")
if [ ${#perfs[@]} -eq 0 ]; then
	perfs=("$top/build/perf")
	for p in /usr/bin/perf "${PERF_NEWEST:-${XDG_CACHE_HOME:-$HOME/.cache}/stock-perf/perf-sid}"; do [ -x "$p" ] && perfs+=("$p"); done
fi
dir=$(mktemp -d "${TMPDIR:-/tmp}/t-bench-storm.XXXXXX") || exit 1
pids=
trap 'kill $pids 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM HUP
for storm in forkstorm filestorm; do
	${CC:-cc} -O1 -D_GNU_SOURCE -o "$dir/$storm" "$top/tests/workloads/$storm.c" || exit 1
done
mkfifo "$dir/keys"

anon () { awk '/^RssAnon/ { printf "%.1f", $2 / 1024 }' "/proc/$1/status"; }

for options in '-s comm,dso,sym' '-g' '-s pid,sym' 'filestorm -s comm,dso,sym'; do
	storm=forkstorm
	case $options in filestorm*) storm=filestorm options=${options#* } ;; esac
	pids=
	for i in "${!perfs[@]}"; do
		"${perfs[$i]}" top -F 4000 --stdio $options <>"$dir/keys" >"$dir/out.$i" 2>/dev/null &
		pids="$pids $!"
	done
	(cd "$dir" && exec "./$storm" "$seconds" >n) &
	weather=$!
	sleep $((seconds / 6))
	i=0
	for pid in $pids; do anon "$pid" >"$dir/early.$i"; i=$((i + 1)); done
	sleep $((seconds - seconds / 6 - 1))
	i=0
	for pid in $pids; do
		printf '%-24s %-50s %s MB, then %s MB; lost %s\n' "top $options" "${perfs[$i]}" "$(cat "$dir/early.$i")" "$(anon "$pid")" \
			"$(grep -ao 'lost: [0-9/]*' "$dir/out.$i" | tail -n 1)"
		i=$((i + 1))
	done
	wait $weather
	printf '%-24s %s processes (%s)\n' '' "$(cat "$dir/n")" "$storm"
	kill -INT $pids
	wait $pids 2>/dev/null
done
