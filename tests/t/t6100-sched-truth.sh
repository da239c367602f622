#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# alone: yes
test_description='perf sched against a program that knows its own story; the sums of every recording close'
. "$(dirname "$0")/lib.sh"

test_workload schedscript
test_workload schedtruth
test_workload schedenc
test_workload damage

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
    # The time between switches has all CPU time in it, and what the hypervisor took; unless that was within a switch, between
    # the reading of the scheduler's clock and the event.
    assert t["running_ns"] >= cpu * 97 // 100 - 1000000, (t, line)
    if name == "sleeper":
        # It ran late by the delay of the CPU, and by what the timer was late. Its start (new, then moved) and its end (a lock, the
        # output) are not in its own measure: at most five delays, none longer than the longest.
        d = delay[int(tid)]
        assert d["delay_ns"] <= late + 5 * d["max_delay_ns"] + 2000000, (d, line)
        # It sleeps to the end of each period: the rest of 2 ms that it did not run or wait for its CPU.
        assert t["sleeping_ns"] >= 50 * 2000000 - t["runnable_ns"] - t["preempted_ns"] - t["running_ns"] - 2000000, t
        assert t["sleeping_ns"] >= 50 * 2000000 // 2, t
print("whole" if whole else "events were lost: lower bounds were not checked")
EOF

# A wrong program is wrong each time.
tell_story () {
	perf sched record -o s.data ./schedscript 500 50 >out 2>err && grep cpu_ns out >story &&
	perf sched latency -p --json -i s.data >s.json && python3 truth.py
}
test_expect_success SCHED,PYTHON 'the story of four threads' '
	test_attempts 3 "a hypervisor that takes the CPU at the wrong place makes one measurement wrong" tell_story
'
test_expect_success SCHED,PYTHON 'the sums close' '
	python3 sums.py s.json
'
cat >waits.py <<'EOF'
# Each part of what a task waited for, against its own clock. The program's own measures have the measured time inside of them.
import json, sys
d = json.load(open("w.json"))
seen = {t["tid"]: t for t in d["timelines"]}
delay = {t["tid"]: t for t in d["tasks"]}
if d["gaps"] or d["lost"]:
    print("events were lost: nothing can be compared")
    sys.exit(7)
names = {}
for line in open("waits"):
    name, tid, key, ns, _, n, _, cpu = line.split()
    t, ns, n, cpu = seen[int(tid)], int(ns), int(n), int(cpu)
    names[name] = t
    assert t["comm"] == name, (t, name)
    assert t["running_ns"] >= cpu * 97 // 100 - 1000000, ("CPU time", t, line)
    if key == "late":
        # From the wake-up to the run is inside of what the thread saw; other delays are its start, and preemptions.
        assert delay[int(tid)]["delay_ns"] <= ns + t["preempted_ns"] + 200 * 1000000, (delay[int(tid)], t, line)
        # A wake-up that comes before the thread is off its CPU is no delay.
        assert delay[int(tid)]["count"] >= n * 8 // 10, (delay[int(tid)], line)
    elif key == "slept":
        # The start-up of the thread may sleep, too.
        # One that is preempted on its way to sleep sleeps less.
        assert n * 1000000 * 7 // 10 <= t["sleeping_ns"] + t["preempted_ns"] and t["sleeping_ns"] <= ns + 200 * 1000000, (t, line)
    elif key == "waited":
        # TASK_KILLABLE is shown as D. Waking up, and the run to the next reading of the clock, are in ns, too.
        # The child may run, and sleep, before the parent comes to wait.
        blocked = t["blocked_ns"] + t["iowait_ns"]
        assert n * 3000000 * 9 // 10 <= blocked + t["preempted_ns"] + t["runnable_ns"] and 0 < blocked <= ns + 200 * 1000000, (t, line)
assert sum(n.startswith("forked") for n in names) == 5, sorted(names)
print("compared")
EOF

# Events are lost when the machine is busy enough: then once more, and at last on one CPU alone (the kernel may have lost the
# idle task of another one for good, by a count of nested events that stayed up).
compare_waits () {
	local cpus= status
	[ $test_attempt -le 2 ] || cpus="-C 0"
	perf sched record -m 8M $cpus -o w.data ${cpus:+taskset -c 0} ./schedtruth 200 30 10 5 >out 2>err || { cat err; return 1; }
	grep " cpu " out >waits && perf sched latency -p --json -i w.data >w.json || return 1
	python3 waits.py
	status=$?
	[ $status = 7 ] || test_lost=
	return $status
}
test_expect_success SCHED,PYTHON 'futex, sleeps, uninterruptible waits and forks by the clock of those who waited' '
	test_compared= test_lost=1
	if test_attempts 6 "a busy machine loses events, and may take the CPU at the wrong place" compare_waits; then
		test_compared=1
	else
		test "$test_lost" && test_skip "events were lost in each of the recordings"
	fi
'
test_expect_success SCHED,PYTHON 'timehist and map tell the same of these tasks' '
	if [ -z "$test_compared" ]; then test_skip "events were lost"; return; fi
	perf sched timehist --json -i w.data >h.json 2>/dev/null && perf sched map --json -i w.data >m.json 2>/dev/null &&
	python3 - <<-\EOF
	import json
	runs, ins, whole = {}, {}, {t["tid"]: t for t in json.load(open("w.json"))["timelines"]}
	for e in json.load(open("h.json"))["events"]:
	    runs[e["task"]["tid"]] = runs.get(e["task"]["tid"], 0) + e["run_ns"]
	for e in json.load(open("m.json"))["map"]:
	    ins[e["tid"]] = ins.get(e["tid"], 0) + 1
	for line in open("waits"):
	    tid = int(line.split()[1])
	    # All of them ended before the recording did: each run has its line.
	    assert runs[tid] == whole[tid]["running_ns"], (tid, runs[tid], whole[tid])
	    assert ins[tid] == whole[tid]["runs"], (tid, ins[tid], whole[tid])
	EOF
'
test_expect_success SCHED 'map and timehist tell of the same runs' '
	perf sched timehist -i s.data 2>/dev/null | awk "\$2 ~ /^\\[0/" | wc -l >rows &&
	perf sched map -i s.data | grep -c " secs" >lines && test_cmp rows lines
'
test_expect_success PYTHON 'the sums close on encoded recordings, with lost events and events out of order' '
	for f in "4 200 2000" "64 100 300" "1 50 1000"; do
		./schedenc e.data busy $f && perf sched latency -p --json -i e.data >e.json && python3 sums.py e.json || { echo "$f"; return 1; }
	done &&
	printf "%s\n" "cpus 2" "10 0 switch swapper/0:0 R a:7" "20 1 switch swapper/1:0 R b:8" "30 0 lost 9" "40 0 switch c:9 S a:7" \
		"50 1 switch a:7 D b:8" "45 0 switch a:7 S swapper/0:0" "60 1 fork b:8 a:7" "70 1 new 8 a:7 0" "80 0 wake 8 b:8 1" \
		"90 1 switch b:8 X swapper/1:0" "95 0 iowait a:7 10" | ./schedenc e.data && perf sched latency -p --json -i e.data >e.json 2>err &&
	python3 sums.py e.json && grep "\"lost\":9" e.json
'
test_expect_success PYTHON 'the sums close on damaged recordings, as far as they can be read' '
	gzip -dc "$TEST_DIR/../data/sched-6.1.data.gz" >whole.data && ./schedenc e.data busy 4 20 200 && n=0 &&
	for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
		for f in whole.data e.data; do
			./damage $seed $f bad.data
			timeout 60 perf sched latency -p --json -f -i bad.data >bad.json 2>err
			st=$?
			case $st in 124|13[0-9]|14*) echo "$f $seed: status $st"; return 1 ;; esac
			if [ $st != 0 ] || tr -d "\n" <bad.json | grep -q "\"cpus\":\[\]"; then continue; fi
			python3 sums.py bad.json || { echo "$f $seed"; return 1; }
			n=$((n + 1))
		done
	done && test_range "readable ones" $n 3 24
'
test_expect_success PYTHON,CORPUS 'the sums close on recordings of other kernels' '
	closed=0
	for f in "$CORPUS"/*/perf.data; do
		perf evlist -i "$f" 2>/dev/null | grep -q sched:sched_switch || continue
		perf sched latency -p --json -i "$f" >c.json 2>/dev/null || { echo "$f"; return 1; }
		if tr -d "\n" <c.json | grep -q "\"cpus\":\[\]"; then continue; fi
		python3 sums.py c.json || { echo "$f"; return 1; }
		closed=$((closed + 1))
	done && [ $closed -ge 1 ]
'
test_done
