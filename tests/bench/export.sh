#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# export.sh [RECORDING]	CPU seconds (user and system) and peak memory of perf export by format, of perf flame and perf heatmap,
# beside those of perf script and report on the same recording (default: one that it makes), and of the way by other tools: upstream
# perf's script through stackcollapse-perf.pl (looked for in FLAMEGRAPH, a checkout of that project, and in PATH), or by the script
# stackcollapse.py of Debian's perf package. Then the page of a
# million distinct stacks in a browser. The best of three runs. Numbers to look at; nothing is asserted.
#	BENCH_SECONDS=6		length of the recording
#	BENCH_DWARF=file	a recording with stack dumps, for its page
#	BENCH_UPSTREAM="a b"	upstream perfs to compare with
#	BENCH_STACKS=1000000	distinct stacks of the page; 0: none
cd "$(dirname "$0")/../.." || exit 1
ours=$PWD/${BUILD:-build}/perf
newest=${PERF_NEWEST:-${XDG_CACHE_HOME:-$HOME/.cache}/stock-perf/perf-sid}
. tests/bench/table.sh
[ -x /usr/bin/time ] || { echo "bench: needs /usr/bin/time (package time)" >&2; exit 1; }
dir=$(mktemp -d "${TMPDIR:-/tmp}/t-bench.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
tests/bench/gen-program.sh 1 1200 alpha >"$dir/alpha.c" &&
	${CC:-cc} -O2 -g -fno-omit-frame-pointer -pthread -w -o "$dir/alpha" "$dir/alpha.c" || exit 1
data=$1
if [ -z "$data" ]; then
	data=$dir/fp.data
	"$ours" record -q -F 20000 -e cpu-clock -g -o "$data" "$dir/alpha" 2 "${BENCH_SECONDS:-6}" 60 >/dev/null || exit 1
fi
echo "recording: $(stat -c %s "$data") bytes, $("$ours" script -G -F event -i "$data" 2>/dev/null | wc -l) samples"

measure () {	# TITLE COMMAND...; the CPU seconds are left in $cpu
	local title=$1 best= i
	shift
	for ((i = 0; i < ${runs:-3}; i++)); do
		/usr/bin/time -f "%U %S %e %M" -o "$dir/t" "$@" >"$dir/out" 2>/dev/null
		best=$(tail -n 1 "$dir/t" | awk -v best="$best" '{ c = $1 + $2; split(best, b); if (best == "" || c < b[1]) print c, $3, $4 / 1024; else print best }')
	done
	cpu=${best%% *}
	echo "$best $(cat "$dir"/out "$dir"/db "$dir"/page.html 2>/dev/null | wc -c)" |
		awk -v t="$title" '{ printf "%-28s %7.2f s CPU %7.2f s %6.0f MB, output %d bytes\n", t, $1, $2, $3, $4 }'
	rm -f "$dir/db"
}

# Stacks by the tools that there were, without inlined functions, which take upstream perfs far longer: once.
collapse=${FLAMEGRAPH:+$FLAMEGRAPH/}stackcollapse-perf.pl
packaged=/usr/lib/perf-core/scripts/python/stackcollapse.py
by_upstream () {
	local p folded=$1 name
	for p in ${BENCH_UPSTREAM-/usr/bin/perf "$newest"}; do
		name=$("$p" version 2>/dev/null | awk '{ print $3 }' | cut -c1-9)
		[ -n "$name" ] || continue
		if command -v "$collapse" >/dev/null; then
			runs=1 measure "script | stackcollapse $name" sh -c "'$p' script --no-inline -i '$data' | '$collapse'"
		elif [ -f "$packaged" ] && [ "$p" = /usr/bin/perf ]; then
			runs=1 measure "stackcollapse.py $name" "$p" script --no-inline -i "$data" -s "$packaged"
		else
			runs=1 measure "script alone $name" "$p" script --no-inline -i "$data"
		fi
		bench_row "export folded, against script $name" "$folded s" "$cpu s" 20x
		awk -v a="$cpu" -v b="$folded" -v p="$name" 'BEGIN { printf "%-28s %7.1fx\n", "export,folded against " p, a / b }'
	done
}

# What a browser needs for the page.
page () {
	local n=${BENCH_STACKS:-1000000} npm=${PERF_NPM:-${XDG_CACHE_HOME:-$HOME/.cache}/perf-npm}
	[ "$n" -gt 0 ] && [ -d "$npm/node_modules/playwright-core" ] && command -v node chromium python3 >/dev/null || return 0
	python3 tests/bench/stacks.py "$dir/alpha" "$n" "$dir/deep.data" || return
	runs=1 measure "flame, $n stacks" "$ours" flame -q -f -i "$dir/deep.data" -o "$dir/page.html"
	runs=1 measure "export,folded, $n stacks" "$ours" export --format folded -i "$dir/deep.data"
	runs=1 measure "script, $n stacks" "$ours" script -i "$dir/deep.data"
	echo "its page, ms (of a zoom: until it is done, and until it is painted; then keys):"
	timeout 120 node tests/t/flame-page.js "$npm/node_modules" time "$dir/page.html" | grep -v ^console | sed 's/ #.*//; s/^/  /' | tee "$dir/page"
	bench_row "page of $n stacks: first paint" "$(awk 'NR == 1 { print $2 + 0 }' "$dir/page") ms" "" "<=1000"
	bench_row "page of $n stacks: loaded" "$(awk 'NR == 1 { print $NF }' "$dir/page") ms" "" ""
	bench_row "page of $n stacks: zoom" "$(awk '$1 == "zoom" && $3 > m { m = $3 } END { print m + 0 }' "$dir/page") ms" "" "<=50"
	bench_row "page of $n stacks: the slowest key" "$(awk 'NF == 2 && $2 > m { m = $2 } END { print m + 0 }' "$dir/page") ms" "" "<=300"
}

measure script "$ours" script -i "$data"
script=$cpu
measure report "$ours" report --stdio -i "$data"
report=$cpu
measure flame "$ours" flame -q -f -i "$data" -o "$dir/page.html"
bench_row "flame, against twice our report" "$cpu s" "" "<=$(awk -v r="$report" 'BEGIN { print 2 * r }')"
measure heatmap "$ours" heatmap -q -f -i "$data" -o "$dir/page.html"
rm -f "$dir/page.html"
measure export,folded "$ours" export --format folded -i "$data"
bench_row "export folded, against our script" "$cpu s" "$script s" 1x
by_upstream "$cpu"
for f in speedscope pprof otlp gecko csv json trace-json perfetto parquet; do
	measure "export,$f" "$ours" export --format $f -i "$data"
done
measure export,sqlite "$ours" export -f --format sqlite -i "$data" -o "$dir/db"
if [ -n "${BENCH_DWARF:-}" ]; then
	echo "stack dumps: $(stat -c %s "$BENCH_DWARF") bytes"
	runs=1 measure "flame, stack dumps" "$ours" flame -q -f -i "$BENCH_DWARF" -o "$dir/page.html"
	rm -f "$dir/page.html"
fi
page
