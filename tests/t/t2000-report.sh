#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf report: what is printed does not depend on threads; errors'
. "$(dirname "$0")/lib.sh"

test_workload threads

record () { perf record -q "$@"; }

test_lazy_prereq RECORD 'needs a recorder that can sample cpu-clock' 'record -o probe.data -e cpu-clock true && [ -s probe.data ]'

test_expect_success RECORD 'a recording of threads with chains' '
	record -F 499 -e cpu-clock -g -o g.data ./threads 3 400 >/dev/null &&
	perf report --stdio -i g.data >out &&
	grep "^# Children      Self  Command" out &&
	grep "^# Samples: .* of event .cpu-clock" out &&
	grep -- "---\|--[0-9.]*%--" out
'
test_expect_success RECORD 'one and two threads print the same' '
	perf report --stdio --jobs 1 -i g.data >one &&
	perf report --stdio --jobs 2 -i g.data >two &&
	test_cmp one two && test_grep "^ +[0-9.]+% +[0-9.]+%  " one &&
	perf report --stdio --jobs 1 --no-children -i g.data -g folded >one &&
	perf report --stdio --jobs 2 --no-children -i g.data -g folded >two &&
	test_cmp one two && test_grep "^[0-9.]+% [^ ;]+;" one
'
# The clock is moved by a library, so that two minutes need not pass.
test_expect_success RECORD,CC 'the tip is that of the recording at any time, and a pipe has none' '
	cat >later.c <<-EOF &&
	#include <stdlib.h>
	#include <time.h>
	time_t time(time_t *t)
	{
		struct timespec ts;

		clock_gettime(CLOCK_REALTIME, &ts);
		ts.tv_sec += atoi(getenv("LATER"));
		if (t)
			*t = ts.tv_sec;
		return ts.tv_sec;
	}
	EOF
	cc -shared -fPIC -o later.so later.c &&
	perf report --stdio -i g.data >now &&
	test_grep "^# \(Tip: .*perf (report|record) .*\)\$" now &&
	for later in 60 120 180 240 3600 90000; do
		LATER=$later LD_PRELOAD=$PWD/later.so perf report --stdio -i g.data >then && test_cmp now then || return 1
	done &&
	perf report --stdio -i g.data | cat >piped &&
	tail -n 3 now >tip && cat piped tip >whole && test_cmp now whole
'
test_expect_success RECORD 'rows of self time sum up to 100%' '
	perf report --stdio -q --no-children -g none -s comm,dso,sym -F period -i g.data |
		awk "{ sum += \$1 } END { printf \"%.0f\n\", sum }" >sum &&
	perf report --stdio --no-children -g none -i g.data |
		sed -n "s/^# Event count (approx.): //p" >count &&
	test_cmp count sum
'
test_expect_success 'errors say what and what to do' '
	test_must_fail perf report --stdio -i nosuch.data 2>err &&
	grep "nosuch.data" err &&
	echo hello >bad.data &&
	test_must_fail perf report --stdio -i bad.data 2>err &&
	grep "bad.data" err
'
test_expect_success RECORD 'wrong keys are named' '
	test_must_fail perf report -s comm,nosuch -i g.data 2>err &&
	grep "nosuch" err &&
	test_must_fail perf report -F nosuch -i g.data 2>err &&
	grep "nosuch" err &&
	test_must_fail perf report -g nosuch -i g.data 2>err &&
	grep "nosuch" err
'
test_expect_success RECORD,PYTHON 'JSON has the rows of the text' '
	perf report --json --no-children -i g.data >out.json &&
	python3 -c "
import json
d = json.load(open(\"out.json\"))
e = d[\"events\"][0]
rows = e[\"rows\"]
assert rows and abs(sum(r[\"overhead\"] for r in rows) - 100) < 0.1, rows
assert any(r.get(\"callgraph\") for r in rows)
print(len(rows))" >n.json &&
	perf report --stdio -q -g none --no-children -i g.data | grep -c % >n.text &&
	test_cmp n.text n.json
'
test_expect_success 'upstream has other names for two options' '
	small=$TOP/tests/data/small &&
	perf report --stdio --show-cpu-utilization -i $small/fp.data >expect 2>&1 && test_grep "sys +usr" expect &&
	perf report --stdio --showcpuutilization -i $small/fp.data >out 2>&1 && test_cmp expect out &&
	for c in "report --stdio" script; do
		perf $c --unwind libdw -i $small/dwarf.data >expect 2>&1 &&
		perf $c --unwind-style=libdw -i $small/dwarf.data >out 2>&1 && test_cmp expect out &&
		test_status 1 perf $c --unwind-style nosuch -i $small/dwarf.data >out 2>err && test_grep "nosuch" err || return 1
	done
'
test_done
