#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='reading a recording for more than half a second shows how far it is, on a terminal, and leaves no trace of that'
. "$(dirname "$0")/lib.sh"

test_require PYTHON,CC
test_workload threads
export PAGER=cat NO_COLOR=1

# Here each look at the clock is a second after the one before: what is read in a blink takes long.
cat >jump.c <<'EOF'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t id, struct timespec *ts)
{
	static __thread long n;
	long ret = syscall(SYS_clock_gettime, id, ts);

	ts->tv_sec += id == CLOCK_MONOTONIC ? ++n : 0;
	return (int)ret;
}
EOF
cc -shared -fPIC -O1 -o jump.so jump.c || exit 1

pty () { python3 "$TEST_DIR/onpty.py" "$@"; }
# The line may be drawn many times, and is wiped after the last time: nothing of it stays.
bar=$'\r(Processing events|Reading the recording)\\.\\.\\. +[0-9.]+(%| MB)\033\\[K'
wipe=$'\r\033\\[K'
has_bar () { LC_ALL=C grep -aqE "$bar" "$1" || { echo "no progress in $1:"; cat -v "$1"; return 1; }; }
has_no_bar () { ! LC_ALL=C grep -aqE "\.\.\. +[0-9.]+(%| MB)" "$1" || { echo "progress in $1:"; cat -v "$1"; return 1; }; }
leaves_nothing () { python3 - "$1" <<-'EOF'
	import re, sys
	text = open(sys.argv[1], 'rb').read()
	rest = re.sub(rb'(\r(Processing events|Reading the recording)\.\.\. +[0-9.]+(%| MB)\x1b\[K)+\r\x1b\[K', b'', text)
	assert not re.search(rb'\.\.\. +[0-9.]+(%| MB)', rest) and b'\x1b' not in rest, rest
	EOF
}
# shows COMMAND...: its text goes to a file
shows () {
	LD_PRELOAD=$PWD/jump.so pty err "$@" >out && has_bar err && leaves_nothing err || { echo "in: $*"; return 1; }
}

test_expect_success PERF_SW 'recordings' '
	perf record -q -F 999 -e cpu-clock:u -g -o g.data ./threads 1 100 >/dev/null &&
	perf record -q -F 999 -e cpu-clock:u -g -o - ./threads 1 100 >g.pipe &&
	perf stat record -o stat.data -e task-clock true 2>/dev/null
'
test_expect_success PERF_SW 'report, script and the commands around recordings' '
	shows perf report --stdio -i g.data && test_grep "worker" out &&
	shows perf report --json -i g.data && shows perf report --stats -i g.data && shows perf report --tasks -i g.data &&
	shows perf report -D -i g.data && shows perf report --stdio --jobs 1 -i g.data &&
	shows perf script -i g.data && test_grep "worker" out &&
	shows perf inject -b -i g.data -o new.data && shows perf buildid-list -H -i g.data &&
	shows perf data convert --to-json j.json -i g.data && shows perf stat report -i stat.data &&
	(unset PERF_BUILDID_DIR && shows perf archive g.data)
'
test_expect_success PERF_SW,TRACEFS,ROOT 'sched, timechart' '
	perf sched record -q -o sched.data ./threads 2 20 >/dev/null 2>&1 &&
	for command in latency map timehist "timehist -s" script "script --json" "replay -r 1"; do
		shows perf sched $command -i sched.data || return 1
	done &&
	shows perf timechart -i sched.data -o t.svg &&
	shows perf data convert --to-trace-json t.json -i sched.data &&
	shows perf sched stats report -i "$TOP/tests/data/schedstat-6.1.data"
'
test_expect_success SYSCALLS,ROOT 'trace of a recording' '
	perf trace record -o trace.data true >/dev/null 2>&1 &&
	shows perf trace -i trace.data -o lines && test_grep "exit_group" lines &&
	shows perf trace -s -i trace.data -o sums && test_grep "syscall" sums
'
test_expect_success PERF_SW 'a file that comes slowly, by the real clock' '
	pty --slow g.pipe err perf report --stdio -i - >out && has_bar err && leaves_nothing err && test_grep worker out
'
test_expect_success PERF_SW 'what is read at once shows nothing' '
	pty err perf report --stdio -i g.data >out && has_no_bar err && test_grep "^# Total Lost Samples" out
'
test_expect_success PERF_SW 'not with -q, nor with -v, nor in a file, nor on a dumb terminal' '
	export LD_PRELOAD=$PWD/jump.so &&
	pty err perf report --stdio -q -i g.data >out && has_no_bar err &&
	pty err perf report --stdio -v -i g.data >out && has_no_bar err &&
	pty err perf report --stdio -v symbols=1 -i g.data >out && has_no_bar err &&
	pty err env TERM=dumb perf report --stdio -i g.data >out && has_no_bar err &&
	perf report --stdio -i g.data >out 2>err && has_no_bar err && test_grep "^# Total Lost Samples" out &&
	unset LD_PRELOAD
'
test_expect_success PERF_SW 'text on the same terminal, or in a pipe, is not mixed with it' '
	export LD_PRELOAD=$PWD/jump.so &&
	pty --both tty perf report --stdio -i g.data && has_bar tty && leaves_nothing tty && test_grep worker tty &&
	pty --both tty perf script -i g.data && leaves_nothing tty && test_grep worker tty &&
	pty --both tty perf script -S nosuchsymbol -i g.data && has_bar tty && leaves_nothing tty &&
	pty --both tty perf script -D -i g.data && has_no_bar tty &&
	pty err sh -c "perf script -D -i g.data | cat >out" && has_no_bar err &&
	pty err sh -c "perf report -i g.data | cat >out" && has_bar err && leaves_nothing err &&
	unset LD_PRELOAD
'
test_expect_success PERF_SW 'an error stands on a line of its own' '
	head -c $(($(wc -c <g.pipe) - 20)) g.pipe >cut.pipe &&
	LD_PRELOAD=$PWD/jump.so pty err sh -c "perf report --stdio -i - <cut.pipe" >out; has_bar err && leaves_nothing err
'
test_done
