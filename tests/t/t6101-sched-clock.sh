#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# alone: yes
test_description='perf sched timehist and latency against the clock of a program, wait by wait'
. "$(dirname "$0")/lib.sh"

test_workload schedclock

test_lazy_prereq SCHED 'needs root and the scheduler tracepoints' 'perf sched record -o probe.data true && [ -s probe.data ]'
test_require SCHED,PYTHON

cat >clock.py <<\EOF
# Each wait that the program told against the runs of timehist: it left its CPU, became ready and ran again between the readings
# of the program's own clock, which is that of the recording. "KIND told seen", and with which letters it had left its CPU.
# Not all come about: who is woken on his way to sleep does not leave the CPU; who is preempted there leaves it as R.
import json, sys
SLACK = 2000	# ns, between the clock that the kernel uses where it may not wait and the one of programs
events = [e for e in json.load(open("c.json"))["events"] if e["event"] == "run"]
lat = json.load(open("l.json"))
state = {(e["task"]["tid"], e["time_ns"]): e["state"] for e in events}
runs = {}
for e in events:
    if e["known"]:
        at = e["time_ns"] - e["run_ns"]
        runs.setdefault(e["task"]["tid"], []).append((at - e["wait_ns"] if e["wait_ns"] else 0, at - e["delay_ns"], at))
within = lambda x, lo, hi: not hi or lo - SLACK <= x <= hi + SLACK
told, seen, letters, held_ns, waiter = {}, {}, {}, 0, 0
for line in open("story"):
    kind, *numbers = line.split()
    tid, out0, out1, ready0, ready1, in0, in1, sleeps = map(int, numbers)
    mine = runs.get(tid, [])
    if kind == "sync":	# any number of waits in between, as many as getrusage() counted
        hits = [r for r in mine if r[0] >= out0 - SLACK and r[2] <= in1 + SLACK and state[tid, r[0]][0] != "R"]
        told[kind] = told.get(kind, 0) + sleeps
        seen[kind] = seen.get(kind, 0) + len(hits)
    else:
        hits = [r for r in mine if within(r[0], out0, out1) and within(r[1], ready0, ready1) and within(r[2], in0, in1)]
        # Preempted after the wait, it leaves the CPU once more.
        hits = [r for r in hits if not r[0] or state[tid, r[0]][0] != "R"]
        told[kind] = told.get(kind, 0) + 1
        seen[kind] = seen.get(kind, 0) + bool(hits)
    if kind == "held" and hits:
        assert hits[0][2] - hits[0][1] >= 5000000 - SLACK, (line, hits)
        held_ns += hits[0][2] - hits[0][1]
        waiter = tid
    for r in hits:
        if r[0]:
            letters.setdefault(kind, set()).add(state[tid, r[0]])
for kind in sorted(told):
    print(kind, told[kind], seen[kind], "".join(sorted(letters.get(kind, set()))))
row = {t["tid"]: t for t in lat["tasks"]}.get(waiter)
print("latency", row["count"] >= seen["held"] and row["delay_ns"] >= held_ns and row["max_delay_ns"] >= 5000000 - SLACK if row else "-")
sys.exit(7 if lat["gaps"] or lat["lost"] else 0)
EOF

# Where events are missing too few are seen: then once more, and at last on one CPU alone.
record_story () {
	perf sched record -k mono -m 8M $1 -o c.data timeout 60 ${1:+taskset -c 0} ./schedclock 200 20 30 10 5 8 >story 2>err || { cat err; return 1; }
	perf sched timehist --json -i c.data >c.json 2>err && perf sched latency -p --json -i c.data >l.json
}
enough () { awk -v kind="$1" '$1 == kind { n = 1; if ($3 > $2 || $3 < $2 * 7 / 10) { print "too few or too many: " $0; exit 1 } } END { if (!n) exit 1 }' out; }
kinds='wake nap vfork fork held sync'
all_enough () { local k; for k in $kinds; do ! grep -q "^$k [1-9]" out || enough "$k" || return 1; done; }
# A wrong program is wrong each time.
compare_story () {
	local cpus=
	[ $test_attempt -le 2 ] || cpus="-C 0"
	record_story "$cpus" || return 1
	python3 clock.py >out
	status=$?
	cat out
	[ $status = 7 ] || { story_whole=1; [ $status = 0 ] || return 1; }	# 7: events are missing
	all_enough && story_whole=1
}
story_whole=
whole () { cat out; [ -n "$story_whole" ] || { test_skip "events were lost in each of the recordings"; return 1; }; }

test_expect_success 'the story can be recorded, and each wait is there' '
	test_attempts 6 "a busy machine loses events, and may take the CPU at the wrong place" compare_story ||
	{ test -z "$story_whole" && test_grep "^latency" out && test_skip "events were lost in each of the recordings"; }
'
test_expect_success 'futex: two threads that wake each other' 'if whole; then enough wake && test_grep "^wake .* S\$" out; fi'
test_expect_success 'sleeps end with the timer' 'if whole; then enough nap && test_grep "^nap .* S\$" out; fi'
test_expect_success 'uninterruptible waits are reported as D' 'if whole; then enough vfork && test_grep "^vfork .* D\$" out; fi'
test_expect_success 'a child waits from fork() to its first instruction' 'if whole; then enough fork; fi'
test_expect_success 'woken on a CPU that another one keeps for 5 ms: that is the delay' '
	if whole; then
		if ! grep -q "^held" out; then test_skip "no right to SCHED_FIFO"; return; fi
		enough held && test_grep "^held .* S\$" out && test_grep "^latency True" out
	fi
'
test_expect_success 'I/O: as many sleeps as the kernel counted' '
	if whole; then
		if ! grep -q "^sync [1-9]" out; then test_skip "nothing waits for this file system"; return; fi
		enough sync && test_grep "^sync .*D" out
	fi
'
test_done
