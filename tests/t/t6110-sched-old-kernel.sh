#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf sched on a recording that upstream perf 6.1 made on a 6.1 kernel with schedstats: a pipe ping-pong, a second thread, an fsync'
. "$(dirname "$0")/lib.sh"

# The recording has a switch that is reported twice, tasks that wake others while they exit, and an end where one CPU was switched off
# before the other. The newest upstream perf's map of it is the same to the byte, and so is its timehist (-MVw), but for tasks that
# have exited: there it shows no times, and forgets names and ids.
data=$TEST_DIR/../data
test_lazy_prereq PYTHON 'needs python3' 'command -v python3'

test_expect_success 'the recording' '
	gzip -dc "$data/sched-6.1.data.gz" >k.data
'
test_expect_success 'map' '
	perf sched map -i k.data >out && test_cmp "$data/sched-6.1.map" out
'
test_expect_success 'timehist' '
	perf sched timehist -MVw --state -t 143,144,145 -i k.data 2>/dev/null >all && sed "s/ *\$//" all >out &&
	test_cmp "$data/sched-6.1.timehist" out
'
test_expect_success 'latency' '
	perf sched latency -p -i k.data >out && test_cmp "$data/sched-6.1.latency" out
'
test_expect_success NEWEST 'map and timehist equal the newest upstream perf, but for tasks that have exited' '
	"$NEWEST" sched map -i k.data >upstream 2>/dev/null && test_cmp "$data/sched-6.1.map" upstream &&
	"$NEWEST" sched timehist -MVw -i k.data >upstream 2>/dev/null && perf sched timehist -MVw -i k.data >ours 2>/dev/null &&
	diff upstream ours | grep "^>" >differ &&
	test "$(wc -l <differ)" -le 6 && ! grep -v "pp6\[14[135]\]\|second name" differ
'
test_expect_success PYTHON 'the sums close' '
	python3 "$TEST_DIR/schedsums.py" "$BUILD/perf" k.data && perf sched latency --json -i k.data >json && grep "\"gaps\":1,\"lost\":0" json
'
test_done
