#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# make bench: pairs of this perf and upstream perfs on the same recording: CPU seconds (user and system), peak memory, and the
# ratio to the faster upstream. Numbers to look at; nothing is asserted. Takes minutes, most of them upstream perf's.
#	BENCH_SECONDS=4		length of the recording
#	BENCH_RECORD=10		seconds of each live recording of stacks
#	BENCH_DWARF=file	use this recording with stack dumps instead of making one
#	BENCH_DATA=file		use this recording (call chains by frame pointer) instead of making one
#	BENCH_UPSTREAM="a b"	upstream perfs to compare with
#	BENCH_LIMIT=100		seconds for each run of inlines.sh and browser.py
#	BENCH_PARTS="a b"	only these of: report dwarf inlines probe export browser sched trace lock top heap (default: all)
#	BENCH_TOP=10		seconds of each top
# At the end one table: each bench, the faster upstream perf, the ratio, and what was wanted.
cd "$(dirname "$0")/../.." || exit 1
ours=$PWD/${BUILD:-build}/perf
newest=${PERF_NEWEST:-${XDG_CACHE_HOME:-$HOME/.cache}/stock-perf/perf-sid}
upstreams=
for p in ${BENCH_UPSTREAM-/usr/bin/perf "$newest"}; do "$p" version >/dev/null 2>&1 && upstreams="$upstreams $p"; done
[ -x /usr/bin/time ] || { echo "bench: needs /usr/bin/time (package time)" >&2; exit 1; }
[ -x "$ours" ] || { echo "bench: $ours is not built" >&2; exit 1; }
. tests/bench/table.sh
parts=${BENCH_PARTS:-report dwarf inlines probe export browser sched trace lock top heap}
is_part () { case " $parts " in *" $1 "*) ;; *) return 1 ;; esac; }
dir=$(mktemp -d "${TMPDIR:-/tmp}/t-bench.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT

recorder=${upstreams# }; recorder=${recorder%% *}	# the older: every upstream perf reads its files

make_data () {
	local seconds=${BENCH_SECONDS:-4} p
	local flags="-O2 -g -fno-omit-frame-pointer -pthread -w"

	tests/bench/gen-program.sh 1 1200 alpha >"$dir/alpha.c" && tests/bench/gen-program.sh 2 800 beta >"$dir/beta.c" || return 1
	for p in alpha beta; do ${CC:-cc} $flags -o "$dir/$p" "$dir/$p.c" || return 1; done
	"$dir/alpha" 2 $((seconds + 2)) 60 >/dev/null &
	"$dir/beta" 2 $((seconds + 2)) 50 >/dev/null &
	"$recorder" record -q -a -F 20000 -e cpu-clock -g -o "$dir/fp.data" sleep "$seconds" >/dev/null 2>&1 ||
		"$ours" record -q -a -F 20000 -e cpu-clock -g -o "$dir/fp.data" sleep "$seconds" >/dev/null || return 1
	wait
}

# Stacks as dumps: of alpha alone, about 25 frames each
make_dwarf () {
	[ -x "$dir/alpha" ] || return 1
	"$recorder" record -q -F 4000 -e cpu-clock:u -m 8M --call-graph dwarf -o "$dir/dwarf.data" \
		"$dir/alpha" 2 "${BENCH_SECONDS:-4}" 50 >/dev/null 2>&1
}

# record_dwarf TITLE OPTIONS...	What recording stacks costs the recorder itself, and the file; of three runs the cheapest, with
# rings in which nobody loses records. The load runs beside it. Each begins without a file there: to replace a large one costs
# whoever does it.
record_dwarf () {
	local seconds=${BENCH_RECORD:-10} title=$1 p cpu size best= round
	shift
	for p in $upstreams "$ours"; do
		for round in 1 2 3; do
			rm -f "$dir"/live.data*
			"$dir/alpha" 2 $((seconds + 2)) 60 >/dev/null &
			sleep 0.5
			measure "$dir/r" "$p" record -q -p $! -F 10000 -m 8M --call-graph dwarf "$@" -o "$dir/live.data" sleep "$seconds"
			read -r cpu _ <"$dir/r"
			size=$(stat -c %s "$dir/live.data")
			"$ours" report --stats -i "$dir/live.data" 2>/dev/null | awk -v c="$cpu" -v s="$size" '
				/SAMPLE events/ && !n { n = $3 } $1 ~ /^LOST/ { lost += $3 } END { if (n) print c, s / 1e6, n, lost + 0 }' >>"$dir/rounds"
			wait
		done
		sort -n "$dir/rounds" | head -n 1 >"$dir/r" && rm -f "$dir/rounds"
		read -r cpu size _ <"$dir/r"
		awk -v t="$title" -v ours="$([ "$p" = "$ours" ] && echo y)" -v best="$best" \
			-v v="$([ "$p" = "$ours" ] && echo ours || "$p" version | awk '{ print $3 }' | cut -c1-9)" '{
			printf "%-34s %-9s %9.2f s %9.1f MB, %d samples, %d LOST records", t, v, $1, $2, $3, $4
			if (ours && split(best, b, " ")) printf "   1/%.1f of the CPU, 1/%.1f of the file", b[1] / ($1 > 0 ? $1 : 0.01), b[2] / $2
			print "" }' "$dir/r"
		[ "$p" != "$ours" ] || bench_row "$title: the recorder's CPU" "$cpu s" "${best:+${best% *} s}" 15x
		[ "$p" != "$ours" ] || bench_row "$title: its file" "$size MB" "${best:+${best#* } MB}" 20x
		best=$(awk -v b="$best" -v c="$cpu" -v s="$size" 'BEGIN { split(b, x, " "); print b == "" || c < x[1] ? c " " s : b }')
	done
}

# measure FILE COMMAND...: "cpu_s wall_s rss_mb" to FILE
measure () {
	local out=$1
	shift
	/usr/bin/time -o "$dir/time" -f '%U %S %e %M' "$@" >/dev/null 2>&1
	tail -n 1 "$dir/time" | awk '{ printf "%.2f %.2f %d\n", $1 + $2, $3, $4 / 1024 }' >"$out"
}

# What the second core brings: the same on one and on two, wall, the best of five
two_cores () {
	local title=$1 cpus i wall best line=
	shift
	[ "$(nproc)" -ge 2 ] || return 0
	for cpus in 0 0,1; do
		best=
		for i in 1 2 3 4 5; do
			/usr/bin/time -o "$dir/time" -f '%e' taskset -c $cpus "$ours" "$@" >/dev/null 2>&1
			wall=$(tail -n 1 "$dir/time")
			best=$(awk -v b="$best" -v w="$wall" 'BEGIN { print b == "" || w < b ? w : b }')
		done
		line="$line $best"
	done
	bench_row "$title: times one core" "$(echo "$line" | awk '{ printf "%.2f", $1 / ($2 > 0 ? $2 : 0.01) }')" "" ">=1.6"
	echo "$line" | awk -v t="$title" '{ printf "%-34s one core %s s, two %s s: %.2fx\n", t, $1, $2, $1 / ($2 > 0 ? $2 : 0.01) }'
}

# pair TITLE ARGUMENTS...; target and memory: as bench_row has them
pair () {
	local title=$1 best= p cpu wall rss
	shift
	for p in $upstreams; do
		measure "$dir/r" "$p" "$@"
		read -r cpu wall rss <"$dir/r"
		printf '%-34s %-9s %9s s %9s s %8s MB\n' "$title" "$("$p" version | awk '{ print $3 }' | cut -c1-9)" "$cpu" "$wall" "$rss"
		best=$(awk -v b="$best" -v c="$cpu" -v r="$rss" 'BEGIN { split(b, x, " "); print b == "" || c < x[1] ? c " " r : b }')
	done
	measure "$dir/r" "$ours" "$@"
	read -r cpu wall rss <"$dir/r"
	printf '%-34s %-9s %9s s %9s s %8s MB' "$title" ours "$cpu" "$wall" "$rss"
	[ -z "$best" ] || awk -v b="$best" -v c="$cpu" -v r="$rss" 'BEGIN { split(b, x, " ")
		printf "   %.1fx faster, 1/%.1f of the memory", x[1] / (c > 0 ? c : 0.01), x[2] / r }'
	echo
	bench_row "$title: CPU" "$cpu s" "${best:+${best% *} s}" "${target:-}"
	bench_row "$title: memory" "$rss MB" "${best:+${best#* } MB}" "${memory:-}"
}

export BUILD=${BUILD:-build} BENCH_LIMIT=${BENCH_LIMIT:-100} BENCH_TABLE=$dir/table
: >"$BENCH_TABLE"
data=${BENCH_DATA:-$dir/fp.data}
[ -n "${BENCH_DATA:-}" ] || make_data || { echo "bench: cannot make a recording" >&2; exit 1; }
echo "recording: $(stat -c %s "$data" | awk '{ printf "%.1f MB", $1 / 1e6 }')," \
	"$("$ours" report --stats -i "$data" | awk '/SAMPLE events/ { print $3; exit }') samples"
printf '%-34s %-9s %11s %11s %11s\n' task perf CPU wall memory
if is_part report; then
	target=40x memory=20x pair "report (children, graph)" report --stdio --no-inline -i "$data"
	target=40x memory=20x pair "report -g none (children)" report --stdio --no-inline -g none -i "$data"
	pair "report --no-children -g none" report --stdio --no-inline --no-children -g none -i "$data"
	pair "report --no-children (graph)" report --stdio --no-inline --no-children -i "$data"
	target=10x pair "script" script --no-inline -i "$data"
	two_cores "report, the second core" report --stdio --no-inline -i "$data"
	target=10x pair "record true" record -q -o "$dir/true.data" -- true
fi
if is_part dwarf && { [ -n "${BENCH_DWARF:-}" ] || make_dwarf; }; then
	dwarf=${BENCH_DWARF:-$dir/dwarf.data}
	"$ours" report -v --stdio --no-inline -i "$dwarf" 2>&1 >/dev/null | sed -n 's/^unwound stacks: \(.*\)/dwarf recording: \1/p'
	target=5x pair "dwarf report --no-children" report --stdio --no-inline --no-children -i "$dwarf"
	target=5x pair "dwarf report (children, graph)" report --stdio --no-inline -i "$dwarf"
	target=5x pair "dwarf script" script --no-inline -i "$dwarf"
	two_cores "dwarf report, the second core" report --stdio --no-inline -i "$dwarf"
	echo "unwinding alone, one core:" "$("${ours%/*}/bench-unwind" "$dwarf" cfi 5 | tail -n 1)"
	record_dwarf "record dwarf, user code" -e cpu-clock:u
	record_dwarf "record dwarf, the kernel, too" -e cpu-clock
fi
is_part inlines && tests/bench/inlines.sh
is_part probe && tests/bench/probe.sh
is_part export && BENCH_DWARF=${dwarf:-} tests/bench/export.sh "$data"
is_part browser && python3 tests/bench/browser.py "$data"
is_part sched && tests/bench/sched.sh "${BENCH_SECONDS:-4}"
is_part trace && NEWER=$newest tests/bench/trace.sh
is_part lock && tests/bench/lock.sh
is_part top && tests/bench/top.sh "${BENCH_TOP:-10}"
is_part heap && tests/bench/heap.sh
echo
bench_table "$BENCH_TABLE"
