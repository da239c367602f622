#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf sched: latency, map and timehist of a recording; compared with the newest upstream perf'
. "$(dirname "$0")/lib.sh"

test_workload threads

sched_record () { perf sched record -o "$@"; }

test_lazy_prereq SCHED 'needs root and the scheduler tracepoints' 'sched_record probe.data true && [ -s probe.data ]'

test_expect_success SCHED 'a recording' '
	sched_record s.data ./threads 2 200 >/dev/null 2>&1 && test -s s.data
'
test_expect_success SCHED 'latency: totals are the sums of the rows' '
	perf sched latency -p -i s.data >out &&
	awk "/ms \|/ && !/TOTAL/ { split(\$0, f, \"|\"); run += f[2]; n += f[3] } /TOTAL/ { split(\$0, f, \"|\"); print (run - f[2] < 1 && f[2] - run < 1), n == f[3] }" \
		out >sums &&
	echo "1 1" >expect && test_cmp expect sums &&
	perf sched latency --json -i s.data >json && python3 -c "import json; json.load(open(\"json\"))[\"tasks\"][0][\"delay_ns\"]"
'
test_expect_success SCHED 'map: a line for each switch, marked once' '
	perf sched map -i s.data >out && test -s out &&
	! grep -v "^ [^*]*[*][^*]* secs" out
'
test_expect_success SCHED 'timehist: times go forward; the summary closes' '
	perf sched timehist -S -i s.data >out 2>err &&
	awk "\$2 ~ /^\[[0-9][0-9][0-9][0-9]\]\$/ { if (\$1 + 0 < last) bad = 1; last = \$1 + 0 } END { exit bad }" out &&
	grep "^Total number of context switches: [1-9]" out
'
# Names are left out: tasks of other pid namespaces have none in upstream perf, and it tells some twice.
test_expect_success SCHED,NEWEST 'map equals the newest upstream perf' '
	perf sched map -i s.data | sed "s/ secs .*/ secs/" >ours &&
	"$NEWEST" sched map -i s.data 2>/dev/null | sed "s/ secs .*/ secs/" >upstream && test_cmp upstream ours &&
	perf sched map --compact -i s.data | sed "s/ secs .*/ secs/" >ours &&
	"$NEWEST" sched map --compact -i s.data 2>/dev/null | sed "s/ secs .*/ secs/" >upstream && test_cmp upstream ours
'
test_expect_success SCHED,NEWEST 'timehist has the newest upstream perf its rows' '
	perf sched timehist -wM -i s.data 2>/dev/null | cut -c1-23 >ours &&
	"$NEWEST" sched timehist -wM -i s.data 2>/dev/null | cut -c1-23 >upstream && test_cmp upstream ours
'
test_expect_success SCHED 'replay runs as often as asked, and says what each round took' '
	sched_record r.data true >/dev/null 2>&1 &&
	perf sched replay -r 2 -i r.data >out &&
	grep "^nr_run_events:  *[0-9]" out && grep "^task  *0 (.*), nr_events: [0-9]" out &&
	grep -c "^#[12]  : [0-9.]*, ravg: [0-9.]*, cpu: [0-9.]* / [0-9.]*\$" out >n && echo 2 >expect && test_cmp expect n
'
test_expect_success 'a recording without scheduler events says how to make one' '
	test_must_fail perf sched latency -i nosuch.data 2>err && grep nosuch.data err
'
test_expect_success 'unknown sub-command' '
	test_status 129 perf sched nosuch 2>err && grep nosuch err
'
test_expect_success SCHED,PYTHON 'the sums of all recordings made here close' '
	python3 "$TEST_DIR/schedsums.py" "$BUILD/perf" *.data
'
test_done
