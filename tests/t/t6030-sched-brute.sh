#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf sched latency: every figure, percentiles and histogram too, computed again from the output of perf script'
. "$(dirname "$0")/lib.sh"

test_workload schedenc

cat >brute.py <<'EOF'
# brute.py perf FILE	runs, delays, percentiles and histogram of each thread by three rules: a delay goes from a wake-up (of a task
# that sleeps, or is new) or a preemption to the run; what began before the recording is not known; pid 0 is idle.
# With a CPU after FILE only that one was recorded: who was sent to or from another one is left out, and a CPU that became idle
# while a task seemed to wait for it did not have that task any more: the other one had taken it, so when its delay ended is not known.
import collections, json, re, subprocess, sys
perf, path, *only = sys.argv[1:]
run = lambda *a: subprocess.run([perf, *a, "-i", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout.decode(errors="replace")
switch = re.compile(r"prev_pid=(\d+) .*prev_state=(\S+) ==> next_comm=.* next_pid=(\d+)")
state, delays, runs, away, idle = {}, collections.defaultdict(list), collections.Counter(), set(), 0
for line in run("sched", "script", "--ns", "-F", "time,event,trace").splitlines():
    m = re.match(r" *(\d+)\.(\d{9}): +(?:sched:)?(\w+): (.*)", line)
    if not m:
        continue
    t, event, text = int(m[1]) * 10**9 + int(m[2]), m[3], m[4]
    if only and any(int(cpu) != int(only[0]) for cpu in re.findall(r"(?:target|orig|dest)_cpu=(\d+)", text)):
        away.add(int(re.search(r" pid=(\d+)", text)[1]))
    if event == "sched_switch":
        m = switch.search(text)
        prev, how, comes = int(m[1]), m[2], int(m[3])
        if prev and state.get(prev, ("?",))[0] == "runs":
            runs[prev] += t - state[prev][1]
        state[prev] = ("ready", t) if how in ("R", "R+") else ("sleeps", t)
        if only and state.get(comes, ("?",))[0] == "ready" and state[comes][1] < idle:
            del state[comes]
        if comes == 0:
            idle = t
        if comes and state.get(comes, ("?",))[0] == "ready":
            delays[comes].append((t - state[comes][1], state[comes][1], t))
        state[comes] = ("runs", t)
    elif event in ("sched_waking", "sched_wakeup", "sched_wakeup_new"):
        pid = int(re.search(r" pid=(\d+)", text)[1])
        if state.get(pid, ("?",))[0] not in ("runs", "ready"):
            state[pid] = ("ready", t)
got = json.loads(run("sched", "latency", "-p", "--json"))
if got["gaps"] or got["lost"]:
    print("events are missing: nothing can be compared")
    sys.exit(7)
tasks = {t["tid"]: t for t in got["tasks"]}
want = {p for p in set(runs) | set(delays) if p and (runs[p] or delays[p])}
assert not (set(tasks) ^ want) - away and len(want - away) > 2, (set(tasks) ^ want, away)
tasks = {p: t for p, t in tasks.items() if p not in away}
for pid, t in tasks.items():
    d = sorted(delays[pid])
    assert (t["runtime_ns"], t["count"], t["delay_ns"]) == (runs[pid], len(d), sum(x[0] for x in d)), (t, runs[pid], d)
    if d and d[-1][0]:
        first = min(x[1] for x in d if x[0] == d[-1][0])
        assert (t["max_delay_ns"], t["max_start_ns"], t["max_end_ns"]) == (d[-1][0], first, first + d[-1][0]), (t, d[-1])
    for key, share in ("p50_ns", .5), ("p95_ns", .95), ("p99_ns", .99):
        exact = next((x[0] for i, x in enumerate(d) if i + 1 >= share * len(d)), 0)
        assert exact <= t[key] <= min(exact + exact // 8 + 1, t["max_delay_ns"]), (t, key, exact)
hist = {(h["from_ns"], h["to_ns"]): h["count"] for h in got["histogram"]}
assert all(to == 2 * frm or (frm, to) == (0, 8) for frm, to in hist), hist
if not away:
    exact = collections.Counter(next(s for s in hist if s[0] <= x[0] < s[1]) for d in delays.values() for x in d)
    assert exact == hist, (exact, hist)
# The text has the same numbers.
text = run("sched", "latency", "-p", "--percentiles", "--histogram")
ms = lambda ns: "%.3f" % (ns / 1e6)
for pid, t in tasks.items():
    row = re.search(r"^  .*:%d +\| +(.*)$" % pid, text, re.M)[1]
    n = re.findall(r"[\d.]+", re.sub(r"p\d\d:", "", row))
    avg = t["delay_ns"] // t["count"] if t["count"] else 0
    at = lambda ns: "%d.%06d" % (ns // 10**9, ns // 1000 % 10**6)
    assert n == [ms(t["runtime_ns"]), str(t["count"]), ms(avg), ms(t["max_delay_ns"]), at(t["max_start_ns"]), at(t["max_end_ns"]),
                 ms(t["p50_ns"]), ms(t["p95_ns"]), ms(t["p99_ns"])], (row, t)
bars = re.findall(r" - .* \| +(\d+) \| *([\d.]+)% \|(#*)", text)
assert [int(b[0]) for b in bars if int(b[0])] == [h["count"] for h in got["histogram"]], bars
total = sum(int(b[0]) for b in bars)
assert all(b[1] == "%.2f" % (100 * int(b[0]) / total) for b in bars), bars
assert all(len(b[2]) == 40 * int(b[0]) // max(int(x[0]) for x in bars) for b in bars), bars
print(len(tasks) > 0, sum(map(len, delays.values())) > 0)
EOF

test_expect_success PYTHON 'encoded machines' '
	echo "True True" >expect &&
	for f in "1 50 1000" "4 200 2000" "64 100 300"; do
		./schedenc e.data busy $f && python3 brute.py "$BUILD/perf" e.data >out && test_cmp expect out || { echo "$f"; return 1; }
	done
'
test_expect_success PYTHON 'a story with preemptions, new tasks, and waits that began before it' '
	printf "%s\n" "cpus 2" "0 0 switch swapper/0:0 R a:10" "10 1 switch swapper/1:0 R b:20" "15 0 wake 10 c:30 0" "20 0 switch a:10 R+ c:30" \
		"31 0 switch c:30 S a:10" "40 0 fork a:10 d:40" "41 0 new 10 d:40 1" "50 1 switch b:20 R d:40" "77 1 switch d:40 S b:20" \
		"80 1 wake 20 c:30 0" "80 1 wake 20 d:40 1" "81 0 switch a:10 D c:30" "82 1 wake 20 a:10 0" "90 0 switch c:30 X a:10" \
		"95 1 switch b:20 S d:40" "99 1 switch d:40 S swapper/1:0" | ./schedenc e.data && python3 brute.py "$BUILD/perf" e.data >out && test_cmp expect out
'
test_lazy_prereq SCHED 'needs root and the scheduler tracepoints' 'perf sched record -o probe.data true && [ -s probe.data ]'
# Of one CPU alone when the kernel does not tell of all switches of the other one.
test_expect_success SCHED,PYTHON 'a recording made here' '
	for cpu in "" "-C 0"; do
		perf sched record -m 4M $cpu -o live.data ${cpu:+taskset -c 0} sh -c "for i in 1 2 3 4 5; do ls -l / | cat >/dev/null; done; sleep .05" >/dev/null 2>&1 || return 1
		python3 brute.py "$BUILD/perf" live.data ${cpu#-C} >out
		case $? in 0) test_cmp expect out; return ;; 7) ;; *) return 1 ;; esac
	done
	test_skip "events are missing in it"
'
test_done
