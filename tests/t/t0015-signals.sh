#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='signals and limits: one rule for all commands that run a program: they write what they have, and end it'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW
printf '#!/bin/sh\necho $$ >pid\nexec sleep 60\n' >work && chmod +x work

# ended SIGNALS COMMAND...: a signal ends it, and the program that it runs; it has not died of the signal before it wrote its output.
ended () {
	local signals=$1 sig pid
	shift
	for sig in $signals; do
		rm -f pid out.data out.txt
		(trap - INT QUIT; exec "$@" ./work) >out 2>err & pid=$!
		test_wait_for 20 "test -s pid" && sleep 0.2 && kill -$sig $pid || { kill -9 $pid; cat err; return 1; }
		test_wait_for 20 "! kill -0 $pid 2>/dev/null" || { echo "deaf to $sig: $*"; kill -9 $pid $(cat pid); return 1; }
		wait $pid
		! kill -0 $(cat pid) 2>/dev/null || { echo "$sig leaves the program running: $*"; kill $(cat pid); return 1; }
		{ [ ! -e out.data ] || perf evlist -i out.data >list; } && { [ -e out.data ] || [ -s out.txt ]; } ||
			{ echo "$sig: no output: $*"; cat err; return 1; }
	done
}

test_expect_success 'record' '
	ended "INT TERM HUP QUIT ALRM USR1" perf record -N -e cpu-clock -o out.data &&
	ended "QUIT" perf record -N -a -e cpu-clock -o out.data
'

test_expect_success 'stat, and stat record' '
	ended "QUIT USR1 USR2" perf stat -e task-clock -o out.txt && test_grep "task-clock" out.txt &&
	ended "HUP" perf stat record -e task-clock -o out.data
'

test_expect_success SYSCALLS,ROOT 'trace' '
	ended "HUP QUIT ALRM USR2" perf trace -e execve -o out.txt &&
	ended "HUP USR1" perf trace -a -s -o out.txt && test_grep "Summary of events" out.txt
'

test_expect_success SYSCALLS,ROOT 'sched record, and timechart record' '
	ended "QUIT" perf sched record -N -o out.data && ended "USR1" perf timechart record -o out.data
'

test_expect_success 'record: USR2 does not end it' '
	rm -f pid && { perf record -N -e cpu-clock -o out.data ./work 2>err & } && pid=$! && test_wait_for 20 "test -s pid" && sleep 0.2 &&
	kill -USR2 $pid && sleep 0.3 && kill -0 $pid && kill -TERM $pid && { wait $pid; perf evlist -i out.data; }
'

test_expect_success 'record: nohup is obeyed' '
	rm -f pid && { (trap "" HUP; exec perf record -N -e cpu-clock -o out.data ./work) 2>err & } && pid=$! &&
	test_wait_for 20 "test -s pid" && sleep 0.2 && kill -HUP $pid && sleep 0.3 && kill -0 $pid && kill -TERM $pid && { wait $pid; perf evlist -i out.data; }
'

# waits PID: until it sleeps in the loop that waits for the other end of a FIFO.
waiting () { test_wait_for 20 "grep -q nanosleep /proc/$1/wchan || grep -q fifo /proc/$1/wchan"; }

test_expect_success 'a FIFO of the user is waited for, until a signal comes' '
	mkfifo named && for sig in INT HUP; do
		for c in "record -q -N -e dummy:u -o named true" "stat record -o named true" "report -i named"; do
			(trap - INT QUIT; exec perf $c) >out 2>err & pid=$!
			waiting $pid && kill -$sig $pid && test_wait_for 10 "! kill -0 $pid 2>/dev/null" ||
				{ echo "$sig: $c"; cat err; kill -9 $pid; return 1; }
			wait $pid
			[ $? != 0 ] || return 1
		done
	done
'

# A pipe of one page that is never read.
test_expect_success PYTHON 'record: and when its reader stops reading' '
	rm -f named && mkfifo named && { python3 -c "
import fcntl, time
f = open(\"named\", \"rb\", buffering=0)
fcntl.fcntl(f, 1031, 4096)
time.sleep(60)" & } && test_kill_at_end $! &&
	{ perf record -q -a -e cpu-clock -o named 2>err & } && pid=$! && sleep 1 &&
	test_wait_for 20 "kill -TERM $pid; ! kill -0 $pid 2>/dev/null" || { kill -9 $pid; return 1; }
	wait $pid; [ $? != 0 ]
'

test_expect_success SYSCALLS,ROOT 'a limit of file sizes is an error, not the end' '
	(ulimit -f 8 && test_status 1 perf trace -o lines ls -R "$TOP/tests" >out 2>err) && test_grep "^Error: cannot write .lines.: File too large$" err &&
	test_grep "^Hint: .*ulimit -f" err &&
	perf stat -e dummy:u sh -c "ulimit -f 0; : >f; echo x >f" 2>/dev/null; [ $? = 153 ]
'

test_expect_success 'a small stack is the command'"'"'s limit, not ours' '
	(ulimit -s 64 && perf stat -e dummy:u sh -c "ulimit -s" >out 2>err && perf record -q --call-graph dwarf -e cpu-clock:u -c 20000 -o s.data ls / >ls &&
	perf report --stdio -i s.data >rep && perf script -i s.data >script) && echo 64 >expect && test_cmp expect out && test_grep "ls" script
'

test_done
