#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# export.sh [RECORDING]	CPU seconds (user and system) and peak memory of perf export by format, beside those of perf script and
# report on the same recording (default: one that it makes). Numbers to look at; nothing is asserted.
cd "$(dirname "$0")/../.." || exit 1
ours=$PWD/${BUILD:-build}/perf
[ -x /usr/bin/time ] || { echo "bench: needs /usr/bin/time (package time)" >&2; exit 1; }
dir=$(mktemp -d "${TMPDIR:-/tmp}/t-bench.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
data=$1
if [ -z "$data" ]; then
	data=$dir/fp.data
	tests/bench/gen-program.sh 1 1200 alpha >"$dir/alpha.c" &&
		${CC:-cc} -O2 -g -fno-omit-frame-pointer -pthread -w -o "$dir/alpha" "$dir/alpha.c" || exit 1
	"$ours" record -q -F 20000 -e cpu-clock -g -o "$data" "$dir/alpha" 2 "${BENCH_SECONDS:-6}" 60 >/dev/null || exit 1
fi
echo "recording: $(stat -c %s "$data") bytes, $("$ours" script -G -F event -i "$data" 2>/dev/null | wc -l) samples"
measure () {	# TITLE COMMAND...
	local title=$1 best=
	shift
	for _ in 1 2 3; do
		/usr/bin/time -f "%U %S %e %M" -o "$dir/t" "$@" >"$dir/out" 2>/dev/null
		best=$(awk -v best="$best" '{ c = $1 + $2; split(best, b); if (best == "" || c < b[1]) print c, $3, $4 / 1024; else print best }' "$dir/t")
	done
	echo "$title $best $(cat "$dir"/out "$dir"/db 2>/dev/null | wc -c)" | awk '{ printf "%-22s %6.2f s CPU %6.2f s %6.0f MB, output %d bytes\n", $1, $2, $3, $4, $5 }'
	rm -f "$dir/db"
}
measure script "$ours" script -i "$data"
measure report "$ours" report --stdio -i "$data"
for f in folded speedscope pprof gecko csv json trace-json; do measure "export,$f" "$ours" export --format $f -i "$data"; done
measure export,sqlite "$ours" export -f --format sqlite -i "$data" -o "$dir/db"
