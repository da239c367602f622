#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh [STAGE...] [PATTERN]	runs tests, two scripts at a time, and adds up their TAP. Scripts with "# waits: yes" mostly wait
# (for a screen, for the next refresh): one of them at a time runs beside the two. Those with "# alone: yes" change settings of the
# whole machine, or compare with a program's clock what the scheduler does: they run after the others, one at a time.
#
# Stages: lint, unit, t, asan (a sanitized perf: unit tests and the scripts with "# asan: yes"), newest (the scripts that
# compare with the newest upstream perf), vm (tests/vm: what needs another kernel, in a virtual machine; downloads it once),
# all (lint unit t asan; the default is lint unit t). PATTERN: only scripts and unit tests whose name contains it.
#
# What failed has failed, but for the live tests that tests/second-run.list names: they are run once more, alone, after
# everything else. Those that passed then, and tests of which a part passed at a further attempt only (test_attempts of
# tests/t/lib.sh), are listed with their reasons and counted. The last line is always "N passed, N failed, N skipped".
# TEST_TIMEOUT (600) seconds for one script: the longest take 250 where programs start slowly. TEST_JOBS (2); TEST_SECONDS: a file
# for what each took (seconds, name, CPU seconds).

[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@"
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top" || exit 1
limit=${TEST_TIMEOUT:-600} jobs=${TEST_JOBS:-2}
out=$(mktemp -d "${TMPDIR:-/tmp}/t-run.XXXXXX") || exit 1
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$out"' EXIT
trap 'exit 130' INT TERM HUP

stages= pattern=
for arg; do
	case $arg in
	lint|unit|t|asan|newest|vm) stages="$stages $arg" ;;
	all) stages="lint unit t asan" ;;
	*) pattern=$arg ;;
	esac
done
stages=${stages:-lint unit t}

passed=0 failed=0 skipped=0 second=0
: >"$out/skips"; : >"$out/failures"; : >"$out/again"; : >"$out/attempts"

# run_one LABEL LOG command...: with the time limit; the whole process group is killed at its end. Where there are sanitizers,
# leaks are looked for in the unit tests: perf itself leaves its memory to the kernel.
run_one () {
	local log=$2 label=$1 status pid leaks start=$SECONDS
	leaks=$([ "$label" = asan-unit ] && echo 1 || echo 0)
	shift 2
	ASAN_OPTIONS=detect_leaks=$leaks:abort_on_error=0:exitcode=99 UBSAN_OPTIONS=print_stacktrace=1 \
		timeout -k 5 "$limit" "$@" >"$log" 2>"$log.err" </dev/null &
	pid=$!
	wait $pid
	status=$?
	kill -KILL -- -$pid 2>/dev/null		# timeout leads a process group: nothing of it stays
	[ $status != 124 ] && [ $status != 137 ] || echo "not ok - $label: killed after $limit s" >>"$log"
	echo $status >"$log.status"
	times >"$log.times"
	echo "$((SECONDS - start)) $label $(awk -F '[ms ]+' 'NR == 2 { print int(60 * ($1 + $3) + $2 + $4) }' "$log.times")" >>"$out/seconds"
}

# count LOG LABEL: adds the log up into n_ok, n_not, n_skip. A run that failed without saying so is a failure.
count () {
	local status
	status=$(cat "$1.status" 2>/dev/null || echo 99)
	eval "$(awk '
		/^not ok/ && / # TODO/ { skip++; next }
		/^not ok/ { bad++; next }
		/^ok .* # SKIP/ || /^ok .* # skip/ { skip++; next }
		/^ok/ { ok++; next }
		/^1\.\.0/ { skip += /# SKIP/; plan = 1; next }
		/^1\.\.[0-9]+/ { plan = 1; split($1, p, "\\.\\."); want = p[2] }
		/^Bail out!/ { bad++ }
		END {
			if (plan && want && want != ok + bad + skip) bad++
			if (!plan && !bad) bad++
			printf "n_ok=%d n_not=%d n_skip=%d", ok, bad, skip
		}' "$1")"
	[ "$status" = 0 ] || [ "$n_not" != 0 ] || n_not=1
}

note_skips () {
	sed -nE "s|^ok [0-9]+ (- )?(.*) # (SKIP\|skip) ?(.*)|$2: \2: \4|p; s|^1\.\.0 # SKIP ?(.*)|$2: \1|p" "$1" >>"$out/skips"
}

# note_attempts LOG LABEL: what passed, but not at once.
note_attempts () {
	sed -nE "s|^# (attempt [0-9]+ of [0-9]+ passed: .*)|$2: \1|p" "$1" >>"$out/attempts"
}

# second_run_reason LABEL: why this test may need one; false for all others.
second_run_reason () {
	awk -v name="${1#asan-}" '$1 == name { sub(/^[^ \t]+[ \t]+/, ""); print; found = 1 } END { exit !found }' \
		tests/second-run.list 2>/dev/null
}

show_failure () {
	awk '/^not ok/ { show = 1 } /^ok/ { show = 0 } show || /^Bail/' "$1" | head -n 150
	if [ -s "$1.err" ]; then echo "# stderr:"; tail -n 30 "$1.err" | sed 's/^/#   /'; fi
	[ -s "$1" ] || echo "# no output; exit status $(cat "$1.status" 2>/dev/null)"
}

# tally LABEL LOG: into the sums; false if it failed.
tally () {
	count "$2"
	passed=$((passed + n_ok)) skipped=$((skipped + n_skip))
	note_skips "$2" "$1"
	note_attempts "$2" "$1"
	printf '%-44s %4d ok%s%s\n' "$1" "$n_ok" "$([ "$n_skip" = 0 ] || echo ", $n_skip skipped")" \
		"$([ "$n_not" = 0 ] || echo ", $n_not FAILED")"
	[ "$n_not" = 0 ]
}

# failure LABEL LOG: in the sums and in the list at the end.
failure () {
	failed=$((failed + n_not))
	{ echo "$1:"; show_failure "$2"; } | tee -a "$out/failures"
}

# settle LABEL LOG BUILD-DIR command...: what the log says is added up; a red live test waits for its second run.
settle () {
	local label=$1 log=$2
	shift 2
	count "$log"
	if [ "$n_not" != 0 ] && second_run_reason "$label" >/dev/null; then
		printf '%-44s %4s failed; will be run again\n' "$label" "$n_not"
		show_failure "$log"
		echo "$label $*" >>"$out/again"
	else
		tally "$label" "$log" || failure "$label" "$log"
	fi
}

# once LABEL BUILD-DIR command...: a stage of one program: lints and unit tests have no second run.
once () {
	local label=$1 build=$2 log
	log=$out/$(echo "$1" | tr -c 'a-zA-Z0-9\n' _)
	shift 2
	( BUILD=$build limit=${STAGE_TIMEOUT:-1200} run_one "$label" "$log" "$@" )
	count "$log"
	tally "$label" "$log" || failure "$label" "$log"
}

# one_script BUILD-DIR LABEL-PREFIX script: in a shell of its own, whose times are those of the script
one_script () {
	( BUILD=$1 run_one "$2$(basename "$3" .sh)" "$out/$2$(basename "$3" .sh)" bash "$3" )
}

is_waiting () { [ "$jobs" -gt 1 ] && grep -q "^# waits: yes" "$1"; }
is_alone () { grep -q "^# alone: yes" "$1"; }

# scripts BUILD-DIR LABEL-PREFIX script...
scripts () {
	local build=$1 prefix=$2 s name third
	shift 2
	( for s; do ! is_waiting "$s" || one_script "$build" "$prefix" "$s"; done ) &
	third=$!
	for s; do
		if is_waiting "$s" || is_alone "$s"; then continue; fi
		while [ "$(jobs -rp | grep -vcx "$third")" -ge "$jobs" ]; do wait -n; done
		one_script "$build" "$prefix" "$s" &
	done
	wait
	for s; do ! is_alone "$s" || one_script "$build" "$prefix" "$s"; done
	for s; do
		name=$prefix$(basename "$s" .sh)
		settle "$name" "$out/$name" "$build" bash "$s"
	done
}

select_scripts () {
	local s
	for s in tests/t/t[0-9]*.sh; do
		[ -e "$s" ] || continue
		case $(basename "$s") in *"$pattern"*) ;; *) continue ;; esac
		[ -z "$1" ] || grep -qE "$1" "$s" || continue
		echo "$s"
	done
}

stage_lint () {
	[ -x tests/lint/run.sh ] && [ -z "$pattern" ] || return 0
	once lint "$top/build" tests/lint/run.sh
}

stage_unit () {
	[ -x build/perf-unit ] || { echo "not ok - build/perf-unit is missing: make it first"; failed=$((failed + 1)); return; }
	once unit "$top/build" build/perf-unit ${pattern:+"*$pattern*"}
}

stage_t () { scripts "$top/build" "" $(select_scripts ''); }

stage_newest () { scripts "$top/build" "" $(select_scripts 'NEWEST'); }

stage_vm () {
	local s list=
	tests/vm/fetch.sh || echo "vm: the kernel cannot be fetched"
	[ ! -x "${PERF_ARM64_BUILD:-build-arm64}/perf" ] || tests/vm/fetch.sh arm64 || echo "vm: the kernel of arm64 cannot be fetched"
	for s in tests/vm/v[0-9]*.sh; do
		case $(basename "$s") in *"$pattern"*) list="$list $s" ;; esac
	done
	limit=600 jobs=1 scripts "$top/build" "" $list
}

stage_asan () {
	if ! echo 'int main(void){return 0;}' | ${CC:-gcc} -fsanitize=address,undefined -x c -o "$out/asan-probe" - 2>/dev/null ||
	   ! "$out/asan-probe"; then
		echo "asan: the compiler has no sanitizers: skipped"
		echo "asan: the compiler has no sanitizers" >>"$out/skips"
		skipped=$((skipped + 1))
		return
	fi
	if ! make -s -j"$jobs" asan >"$out/asan-build" 2>&1; then
		echo "not ok - make asan"
		tail -n 30 "$out/asan-build"
		failed=$((failed + 1))
		return
	fi
	( BUILD=$top/build-asan limit=${STAGE_TIMEOUT:-1200} run_one asan-unit "$out/asan-unit" \
		build-asan/perf-unit ${pattern:+"*$pattern*"} ) &
	scripts "$top/build-asan" asan- $(select_scripts '^# asan: yes')
	tally asan-unit "$out/asan-unit" || failure asan-unit "$out/asan-unit"
}

second_runs () {
	local label build cmd lim
	while read -r label build cmd; do
		case $cmd in *tests/vm/*) lim=600 ;; *) lim=$limit ;; esac
		set -f
		BUILD=$build limit=$lim run_one "$label" "$out/second" $cmd
		set +f
		if tally "$label (second run)" "$out/second"; then
			second=$((second + 1))
			echo "$label: a second run passed: $(second_run_reason "$label")" >>"$out/attempts"
		else
			failure "$label" "$out/second"
		fi
	done <"$out/again"
}

for stage in $stages; do
	echo "== $stage"
	"stage_$stage"
done
if [ -s "$out/again" ]; then
	echo "== second runs, alone"
	second_runs
fi
echo "== seconds of the slowest: $(sort -rn "$out/seconds" | head -n 12 | awk '{ printf "%s%s %d", (NR > 1 ? ", " : ""), $2, $1 }')"
[ -z "${TEST_SECONDS:-}" ] || sort -rn "$out/seconds" >"$TEST_SECONDS"
if [ -s "$out/skips" ]; then
	echo "== skipped"
	sort -u "$out/skips"
fi
if [ -s "$out/attempts" ]; then
	echo "== not passed at once"
	cat "$out/attempts"
fi
if [ -s "$out/failures" ]; then
	echo "== failed"
	grep -E '^not ok|^[^# ].*:$|^# (its last step|now): ' "$out/failures" | cut -c1-300
fi
echo "passed on a second run, alone: $second; at a further attempt: $(grep -c ': attempt [0-9]' "$out/attempts")"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
