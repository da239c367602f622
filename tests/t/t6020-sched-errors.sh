#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf sched and timechart: wrong values, missing rights and empty selections say what to do, once'
. "$(dirname "$0")/lib.sh"

test_workload schedenc

printf "%s\n" "cpus 4" "0 0 comm 100 100 hog" "1000 0 switch swapper/0:0 R hog:100" "1100 1 switch swapper/1:0 R server:200" \
	"1200 0 switch hog:100 S swapper/0:0" "1300 1 switch server:200 S swapper/1:0" | ./schedenc s.data || exit 1

# told STATUS TEXT COMMAND...: exactly this on stderr, with that status
told () {
	local status=$1 text=$2
	shift 2
	printf "$text" >expect
	test_status "$status" "$@" >out 2>err && grep -v "^Samples of sched_switch event" err >got
	test_cmp expect got || { echo "$*"; return 1; }
}

list="Hint: write numbers and ranges with commas, such as 0,4-7\n"
test_expect_success 'wrong values' '
	for o in "latency -C" "map --cpus" "map --color-cpus" "map --color-pids" "timehist -C" "timehist -p" "timehist -t" "timehist --prio"; do
		told 1 "Error: bad list '\''x'\'': expected a number at '\''x'\''\n$list" perf sched $o x -i s.data || return 1
		test_cmp /dev/null out || return 1
	done &&
	told 1 "Error: unknown sort key '\''x'\''\nHint: the keys are: avg, max, switch, runtime, pid\n" perf sched latency -s x -i s.data &&
	for w in x 2,1 1,x; do
		told 1 "Error: invalid time window '\''$w'\''\nHint: write --time START,STOP in seconds, the earlier one first; either may be left out\n" \
			perf sched timehist --time $w -i s.data || return 1
	done &&
	told 1 "Error: no task has priority 140\nHint: they go from 0 (the most urgent) to 139; 120 is that of most tasks\n" \
		perf sched timehist --prio 120,140 -i s.data &&
	for o in "sched replay -r" "sched timehist --max-stack" "timechart -n" "timechart -w"; do
		test_status 129 perf $o -1 -i s.data 2>err && grep "expects an unsigned numerical value" err || { echo "$o"; return 1; }
	done
'
test_expect_success 'what the recording does not have' '
	told 0 "Warning: the recording has no events of CPU 7; it has those of CPU 0-1\n" perf sched latency -C 0,7 -i s.data && grep hog out &&
	told 0 "Warning: the recording has no events of CPU 7-8; it has those of CPU 0-1\n" perf sched map --cpus 7-8 -i s.data &&
	told 0 "Warning: the recording has no events of CPU 9; it has those of CPU 0-1\n" perf sched timehist -C 9 -i s.data &&
	told 0 "Warning: the recording has no process 5: perf sched timehist -s shows which it has\n" perf sched timehist -p 5,100 -i s.data &&
	told 0 "Warning: the recording has no thread 6: perf sched timehist -s shows which it has\n" perf sched timehist -t 6 -i s.data &&
	no="Warning: no task of the recording is '\''%s'\'': perf sched latency -p shows which it has" &&
	told 0 "$(printf "$no" ser), --fuzzy-name also finds a part of a name\n" perf sched map --task-name hog,ser -i s.data &&
	told 0 "" perf sched map --task-name hog,ser --fuzzy-name -i s.data &&
	told 0 "$(printf "$no" zzz)\n" perf sched map --task-name hog,zzz --fuzzy-name -i s.data &&
	told 0 "$(printf "$no" none)\nWritten 0.0 seconds of trace to o.svg.\n" perf timechart -p hog,100,none -o o.svg -i s.data &&
	told 0 "$(printf "$no" none)\nWritten 0.0 seconds of trace to o.svg.\n" perf timechart --highlight none -o o.svg -i s.data &&
	told 0 "Written 0.0 seconds of trace to o.svg.\n" perf timechart --highlight 1000 -p hog -o o.svg -i s.data
'
test_expect_success 'the hint of an empty selection works' '
	perf sched timehist -s -i s.data | grep "hog\[100\]" && perf sched latency -p -i s.data | grep "server:200"
'
test_expect_success 'sched record: -h has its own option and those of perf record' '
	perf sched record -h >out 2>&1 && grep -- "--schedstat " out && grep -- "--call-graph" out
'
test_lazy_prereq NOSCHEDSTAT 'this kernel has /proc/schedstat' '[ ! -e /proc/schedstat ]'
test_lazy_prereq SCHED 'needs root and the scheduler tracepoints' 'perf sched record -o probe.data true && [ -s probe.data ]'
test_expect_success SCHED,NOSCHEDSTAT 'sched record --schedstat where there are none' '
	told 1 "Error: this kernel does not count what its scheduler does: '\''/proc/schedstat'\'' does not exist\nHint: it was built without CONFIG_SCHEDSTATS\n" \
		perf sched record --schedstat -o none.data true && test ! -e none.data
'
test_lazy_prereq HIDE 'needs root, unshare(1) and setpriv(1)' \
	'unshare -m sh -c "mount -t tmpfs none /sys/kernel/tracing && mount -t tmpfs none /sys/kernel" && setpriv --reuid=65534 true'
as_nobody_without_tracefs () {
	unshare -m sh -c 'mount -t tmpfs none /sys/kernel && cd "$0" && exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"' "$PWD" "$@"
}
test_expect_success HIDE 'no tracefs: the command that mounts it' '
	chmod 755 . && cp "$(type -P perf)" perf-here && chmod 755 perf-here &&
	for o in "sched record" "timechart record" "timechart record -I" "timechart record -P"; do
		test_status 1 as_nobody_without_tracefs ./perf-here $o true 2>err && cat err && test "$(grep -c "^Error:" err)" = 1 &&
		grep "^Hint:.*mount" err || { echo "$o"; return 1; }
	done
'
test_expect_success HIDE 'no rights: root, or the commands that give them' '
	for o in "sched record" "timechart record" "timechart record -I" "timechart record -P"; do
		test_status 1 setpriv --reuid=65534 --regid=65534 --clear-groups ./perf-here $o true 2>err && cat err && test "$(grep -c "^Error:" err)" = 1 &&
		grep "^Hint: run as root" err || { echo "$o"; return 1; }
	done
'
test_done
