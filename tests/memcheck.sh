#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# memcheck.sh [PATTERN]	reads recordings under valgrind's memcheck: nothing uninitialised is looked at, nothing is beyond what it lies in.
#
# What: the recordings of tests/data, those of ../shared/corpus and ../shared/corpus-foreign (where
# they are) that are smaller than MEMCHECK_BYTES (400,000), those that MEMCHECK_FILES names, and
# the corpus of each fuzz target. Each goes through the commands below; with MEMCHECK_EVERY=n each
# file through every nth of them, with MEMCHECK_TURN=k counted from the kth. Only files whose name
# contains PATTERN. The last line is "N runs, N with findings"; the log of a finding is shown.

top=$(cd "$(dirname "$0")/.." && pwd)
perf=$top/build/perf corpus=${CORPUS:-$top/../shared/corpus}
foreign=${FOREIGN:-$top/../shared/corpus-foreign}
limit=${MEMCHECK_BYTES:-400000} every=${MEMCHECK_EVERY:-1} pattern=${1:-}
command -v valgrind >/dev/null || { echo "memcheck: valgrind is missing: install the package valgrind" >&2; exit 1; }
[ -x "$perf" ] || { echo "memcheck: $perf is missing: make tests" >&2; exit 1; }
out=$(mktemp -d "${TMPDIR:-/tmp}/memcheck.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
export HOME=$out LC_ALL=C TERM=dumb
unset DEBUGINFOD_URLS
cd "$out" || exit 1
runs=0 bad=0 turn=${MEMCHECK_TURN:-0}

commands=('report --stdio' 'script' 'report --stdio --header -I --stats' 'evlist -v' 'script -D' 'buildid-list' 'report --stdio --children -g caller'
'script -F +srcline,+addr,+brstacksym' 'inject -b -f -o o.data' 'data convert -f --to-json o.json' 'report --json' 'report --stdio --tasks' 'annotate --stdio')
sched=('sched latency' 'sched timehist -wMnS' 'sched map' 'sched replay -n' 'timechart -o o.svg' 'data convert -f --to-trace-json o.json')
calls=('trace' 'trace -s')
counts=('stat report')

# check LABEL command...
check () {
	local label=$1
	shift
	runs=$((runs + 1))
	timeout 300 valgrind -q --error-exitcode=99 --num-callers=25 --log-file=vg.log "$@" >stdout 2>stderr </dev/null
	case $? in
	99) bad=$((bad + 1)); echo "memcheck: $label"; head -n "${MEMCHECK_LINES:-40}" vg.log ;;
	124) bad=$((bad + 1)); echo "memcheck: $label: more than 300 s" ;;
	esac
	rm -rf o.data o.json o.svg
}

# read_with FILE COMMAND...
read_with () {
	local file=$1 cmd
	shift
	for cmd; do
		turn=$((turn + 1))
		[ $((turn % every)) = 0 ] || continue
		# shellcheck disable=SC2086
		check "perf $cmd -i $file" "$perf" $cmd -i "$file"
	done
}

kinds_of () {
	"$perf" evlist -i "$1" 2>/dev/null >events
	kinds=("${commands[@]}")
	! grep -q ^sched: events || kinds+=("${sched[@]}")
	! grep -q syscalls: events || kinds+=("${calls[@]}")
	! "$perf" stat report -i "$1" >/dev/null 2>&1 || kinds+=("${counts[@]}")
}

for f in "$top"/tests/data/small/*.data "$top"/tests/data/*.data "$top"/tests/data/*.data.gz \
	"$corpus"/*/perf.data "$corpus"/*/*.data "$corpus"/*.data "$foreign"/*/*.data \
	$MEMCHECK_FILES; do
	[ -f "$f" ] || continue
	case $f in *"$pattern"*) ;; *) continue ;; esac
	case " $seen " in *" $(realpath "$f") "*) continue ;; esac
	seen="$seen $(realpath "$f")"
	case $f in *.gz) gzip -dc "$f" >"$(basename "$f" .gz)"; f=$(basename "$f" .gz) ;; esac
	[ "$(stat -c %s "$f")" -lt "$limit" ] || continue
	kinds_of "$f"
	read_with "$f" "${kinds[@]}"
done
for target in "$top"/build/fuzz-*; do
	[ -x "$target" ] && [ ! -d "$target" ] || continue
	name=$(basename "$target")
	case $name in *"$pattern"*) ;; *) continue ;; esac
	check "$name" "$target" "$top/tests/fuzz/corpus/${name#fuzz-}"/*
done
echo "$runs runs, $bad with findings"
[ $bad = 0 ]
