#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf sched against a program that knows its own story; the sums of every recording close'
. "$(dirname "$0")/lib.sh"

test_workload schedstory

test_lazy_prereq SCHED 'needs root and the scheduler tracepoints' 'perf sched record -o probe.data true && [ -s probe.data ]'
test_lazy_prereq PYTHON 'needs python3' 'command -v python3'

cat >sums.py <<'EOF'
# All parts of each timeline add up to what was seen of it.
import json, sys
d = json.load(open(sys.argv[1]))
assert d["cpus"]
for c in d["cpus"]:
    assert c["running_ns"] + c["idle_ns"] + c["unknown_ns"] == c["seen_ns"], c
for t in d["timelines"]:
    parts = sum(v for k, v in t.items() if k.endswith("_ns") and k != "seen_ns")
    assert parts == t["seen_ns"], t
running = sum(c["running_ns"] for c in d["cpus"])
by_task = sum(t["running_ns"] for t in d["timelines"])
# A task can be thought to run where events are missing.
assert d["gaps"] or d["lost"] or abs(running - by_task) <= running // 100, (running, by_task)
EOF

cat >truth.py <<'EOF'
# What the threads say of themselves against what was measured. Lost events make the counts too small: then only upper bounds hold.
import json, sys
d = json.load(open("s.json"))
seen = {t["tid"]: t for t in d["timelines"]}
delay = {t["tid"]: t for t in d["tasks"]}
whole = not d["gaps"] and not d["lost"]
for line in open("story"):
    name, tid, _, cpu, _, switches, _, late = line.split()
    t, cpu, switches, late = seen[int(tid)], int(cpu), int(switches), int(late)
    assert t["comm"] == name, (t, name)
    # Runs are counted when they begin: the first one is no switch away. After its last words a thread may be switched again.
    assert t["runs"] <= switches + 20, (t, line)
    if not whole:
        continue
    assert t["runs"] >= switches, (t, line)
    # The time between switches has all CPU time in it, and what the hypervisor took.
    assert t["running_ns"] >= cpu * 97 // 100 - 1000000, (t, line)
    if name == "sleeper":
        # It ran late by the delay of the CPU, and by what the timer was late.
        assert delay[int(tid)]["delay_ns"] <= late + 20 * 1000000, (delay[int(tid)], line)
        assert t["sleeping_ns"] + t["runnable_ns"] + t["preempted_ns"] + t["running_ns"] >= 50 * 2000000, t
print("whole" if whole else "events were lost: lower bounds were not checked")
EOF

test_expect_success SCHED,PYTHON 'the story of four threads' '
	perf sched record -o s.data ./schedstory 500 50 >out 2>err && grep cpu_ns out >story &&
	perf sched latency -p --json -i s.data >s.json && python3 truth.py
'
test_expect_success SCHED,PYTHON 'the sums close' '
	python3 sums.py s.json
'
test_expect_success SCHED 'map and timehist tell of the same runs' '
	perf sched timehist -i s.data 2>/dev/null | awk "\$2 ~ /^\\[0/" | wc -l >rows &&
	perf sched map -i s.data | grep -c " secs" >lines && test_cmp rows lines
'
test_expect_success PYTHON 'the sums close on recordings of other kernels' '
	for f in "$TOP"/../shared/corpus/*; do
		perf evlist -i "$f" 2>/dev/null | grep -q sched:sched_switch || continue
		perf sched latency -p --json -i "$f" >c.json 2>/dev/null || { echo "$f"; return 1; }
		python3 sums.py c.json || { echo "$f"; return 1; }
	done
'
test_done
