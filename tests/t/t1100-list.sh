#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='perf list: kinds, globs, JSON'
. "$(dirname "$0")/lib.sh"

test_expect_success 'software events' '
	perf list sw >out &&
	sed "s/^  //; s/ *\[.*//" out >names &&
	cat >expect <<-\EOF &&
	alignment-faults
	bpf-output
	cgroup-switches
	context-switches OR cs
	cpu-clock
	cpu-migrations OR migrations
	dummy
	emulation-faults
	major-faults
	minor-faults
	page-faults OR faults
	task-clock
	EOF
	test_cmp expect names &&
	echo "  cpu-clock                                          [Software event]" >expect && grep "^  cpu-clock" out >got &&
	test_cmp expect got
'

test_expect_success PERF_SW,UPSTREAM 'the rows are those of upstream perf' '
	"$UPSTREAM" list sw 2>/dev/null | grep "Software event" >upstream && perf list sw >ours && test_cmp upstream ours
'

test_expect_success TRACEFS 'globs and parts of names' '
	perf list "sched:*switch" >out && echo "  sched:sched_switch                                 [Tracepoint event]" >expect &&
	test_cmp expect out &&
	perf list sched:sched_proc >out && test_grep sched:sched_process_fork out &&
	perf list tracepoint >out && test_grep "sched:sched_wakeup " out && LC_ALL=C sort -c out
'

test_expect_success 'nothing is said to be nothing' '
	test_status 1 perf list nosuchthing >out 2>err && ! test -s out && test_grep "no event matches .nosuchthing." err &&
	perf list metric >out && test_grep "^  insn_per_cycle$" out && perf list metricgroup >out && test_grep "^Default$" out
'

test_expect_success 'all kinds of hardware names can be asked for' '
	perf list hw >out && test_grep "cycles OR cpu-cycles" out && perf list cache >out && test_grep LLC-load-misses out
'

test_expect_success PYTHON 'JSON' '
	perf list -j sw cache >out && python3 - out <<-\EOF
	import json, sys
	rows = json.load(open(sys.argv[1]))
	cs = [r for r in rows if r["EventName"] == "context-switches"]
	assert len(cs) == 1 and cs[0]["EventType"] == "Software event" and cs[0]["Encoding"] == "software/config=0x3/", cs
	assert any(r["EventName"] == "L1-dcache-loads" for r in rows)
	EOF
'

test_expect_success 'raw dump, output file, descriptions' '
	perf list --raw-dump sw | grep "^alignment-faults bpf-output " &&
	perf list -o file sw && test_grep cpu-clock file &&
	perf list -d sw | grep "\[page faults, minor and major\]"
'

test_done
