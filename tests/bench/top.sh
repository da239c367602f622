#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# top.sh [SECONDS [PERF...]]	what perf top needs itself, at 4000 Hz on busy CPUs, against upstream.
#
# A busy loop a CPU; each PERF (default: ours, /usr/bin/perf and the newest upstream perf where they are) watches the whole machine for
# SECONDS (20) as text and in the browser (on a terminal of script(1)), by functions and with call chains, one after the other. CPU: user+sys in ms a second of it, without the first
# two seconds (symbols are read then); MB: memory at the end. Numbers to look at, nothing is asserted. Needs root.

top=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${1:-20}
shift
perfs=("$@")
if [ ${#perfs[@]} -eq 0 ]; then
	perfs=("$top/build/perf")
	for p in /usr/bin/perf "${PERF_NEWEST:-${XDG_CACHE_HOME:-$HOME/.cache}/stock-perf/perf-sid}"; do [ -x "$p" ] && perfs+=("$p"); done
fi
. "$top/tests/bench/table.sh"
dir=$(mktemp -d "${TMPDIR:-/tmp}/t-bench-top.XXXXXX") || exit 1
loops=
trap 'kill $loops 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM HUP
${CC:-cc} -O1 -fno-omit-frame-pointer -o "$dir/movinghot" "$top/tests/workloads/movinghot.c" || exit 1
mkfifo "$dir/go"
for _ in $(seq "$(nproc)"); do
	"$dir/movinghot" 2 1000 <"$dir/go" &
	loops="$loops $!"
done
exec 9>"$dir/go"
for _ in $loops; do echo >&9; sleep 0.2; done
mkfifo "$dir/keys"

ticks () { sed 's/.*) //' "/proc/$1/stat" | awk '{ print $12 + $13 }'; }

# PERF OPTION...: "ms a second, MB". Standard input is a pipe in which nothing comes, or a terminal where nobody types.
measure () {
	local from to pid
	case " $* " in
	*" --stdio "*)
		"$@" <>"$dir/keys" >/dev/null 2>&1 &
		pid=$! ;;
	*)
		script -qfc "stty rows 50 cols 160; echo \$\$ >$dir/pid; TERM=xterm exec $*" /dev/null <>"$dir/keys" >/dev/null 2>&1 &
		sleep 0.5
		pid=$(cat "$dir/pid") ;;
	esac
	sleep 2
	from=$(ticks $pid)
	sleep "$seconds"
	to=$(ticks $pid)
	awk -v t=$((to - from)) -v hz="$(getconf CLK_TCK)" -v s="$seconds" '/^VmRSS/ { printf "%.1f ms/s, %.0f MB\n", t * 1000 / hz / s, $2 / 1024 }' \
		"/proc/$pid/status"
	kill -INT $pid
	wait $pid 2>/dev/null
}

for options in '--stdio' '--stdio -g' '--stdio -d 1 -s comm,dso,sym' '--tui' '--tui -g'; do
	for p in "${perfs[@]}"; do
		printf '%-32s %-50s ' "top -F 4000 $options" "$p"
		measure "$p" top -F 4000 $options | tee "$dir/line"
		read -r ms _ <"$dir/line"
		[ "$p" = "${perfs[0]}" ] && ours=$ms best= || best=$(awk -v b="$best" -v m="$ms" 'BEGIN { print b == "" || m + 0 < b + 0 ? m : b }')
	done
	bench_row "top -F 4000 $options: a second" "$ours ms" "${best:+$best ms}" 3x
done
