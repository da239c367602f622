#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf sched --json: each kind of object has its keys and types, and the text can be made of it again'
. "$(dirname "$0")/lib.sh"

test_workload schedenc

printf "%s\n" "cpus 3" "0 0 comm 100 100 ho\"g" "5 0 comm 200 201 a<b&c" "1000 0 switch swapper/0:0 R ho\"g:100:100" "1100 1 switch swapper/1:0 R server:200" \
	"1200 0 switch ho\"g:100:100 S swapper/0:0" "1300 1 switch server:200 D other:300" "1400 1 wake 300 server:200 1" \
	"1450 1 move 300 server:200 1 0" "1500 0 switch swapper/0:0 R server:200" "1600 1 wake 300 ho\"g:100:100 1" \
	"1700 1 switch other:300 R+ ho\"g:100:100" "1750 1 fork ho\"g:100:100 kid:400" "1760 1 new 100 kid:400 2" "1800 0 switch server:200 S swapper/0:0" \
	"1810 2 switch swapper/2:0 R kid:400" "1900 1 switch ho\"g:100:100 S other:300" "2000 1 switch other:300 Z a<b&c:201" \
	"2100 2 switch kid:400 X swapper/2:0" | ./schedenc story.data || exit 1
./schedenc busy.data busy 8 100 300 || exit 1
cp "$TEST_DIR/../data/schedstat-6.1.data" stats.data && cp "$TEST_DIR/../data/schedstat-6.1-b.data" stats-b.data

cat >lib.py <<'EOF'
import json, re, subprocess, sys
PERF = sys.argv[1]
def text(*a):
    return subprocess.run([PERF, "sched", *a], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout.decode()
def load(*a):
    return json.loads(text(*a, "--json"))
# A shape is a type, [shape of each], {key: shape, "key?": shape of one that may be missing} or a set of words.
def check(x, shape, where="top"):
    if isinstance(shape, list):
        assert isinstance(x, list), where
        for i, e in enumerate(x):
            check(e, shape[0], "%s[%d]" % (where, i))
    elif isinstance(shape, dict):
        assert isinstance(x, dict), where
        must = {k for k in shape if k[-1] != "?"}
        may = {k.rstrip("?") for k in shape}
        assert must <= set(x) <= may, (where, must - set(x), set(x) - may)
        for k, v in x.items():
            check(v, shape[k] if k in shape else shape[k + "?"], where + "." + k)
    elif isinstance(shape, set):
        assert x in shape, (where, x)
    else:
        assert isinstance(x, shape) and (shape is bool or not isinstance(x, bool)), (where, x, shape)
        assert shape is not int or x >= 0, (where, x)
ms = lambda ns: "%d.%03d" % (ns // 10**6, ns // 1000 % 1000)
secs = lambda ns: "%d.%06d" % (ns // 10**9, ns // 1000 % 10**6)
TASK = {"comm": str, "tid": int, "pid": int}
def name(t):
    if not t["tid"]:
        return "<idle>"
    return "%s[%d%s]" % (t["comm"], t["tid"], "/%d" % t["pid"] if t["pid"] != t["tid"] else "")
EOF
cat >map.py <<'EOF'
from lib import *
for f in sys.argv[2:]:
    d, lines, told = load("map", "-i", f), text("map", "-i", f).splitlines(), set()
    check(d, {"map": [{"time_ns": int, "cpu": int, "tid": int, "pid": int, "comm": str, "name": str}],
              **{k: int for k in ("switches", "gaps", "lost", "lost_records", "bad", "records")}})
    assert d["switches"] == len(d["map"])
    d = d["map"]
    assert len(d) == len(lines)
    for e, line in zip(d, lines):
        m = re.match(r"^(.*)\*(..) (.*) (\d+\.\d+) secs (.*)$", line)
        assert (len(m[1]) - 2) % 4 == 0 and e["cpu"] == (len(m[1]) - 2) // 4, (e, line)
        assert (m[2].strip(), m[4]) == (e["name"], secs(e["time_ns"])), (e, line)
        if m[5].strip():
            assert m[5].rstrip() == "%s => %s:%d" % ("%-2s" % e["name"], e["comm"], e["tid"]), (e, line)
            told.add(e["name"])
    assert told == {e["name"] for e in d}
EOF
cat >timehist.py <<'EOF'
from lib import *
EVENT = {"run": {"event": str, "time_ns": int, "cpu": int, "task": TASK, "prio": int, "start_prio": int, "state": {"R", "R+", "S", "D", "T", "t", "X", "Z", "P", "I"},
                 "known": bool, "wait_ns": int, "delay_ns": int, "run_ns": int, "pre_migration_ns": int, "next": TASK},
         "wakeup": {"event": str, "time_ns": int, "cpu": int, "task": TASK, "by": TASK},
         "migration": {"event": str, "time_ns": int, "cpu": int, "task": TASK, "by": TASK, "from_cpu": int, "to_cpu": int}}
SUM = {"task": TASK, "parent": (int, type(None)), "count": int, "sum_ns": int, "min_ns": int, "avg_ns": (int, float), "max_ns": int,
       "stddev_pct": (int, float), "slept_ns": int, "blocked_ns": int, "preempted_ns": int, "delay_ns": int, "migrations": int}
IDLE = {"cpu": int, "idle_ns": int, "idle_pct": (int, float), "count": int, "entire": bool}
for f in sys.argv[2:]:
    d = load("timehist", "-wMnPS", "--state", "--show-prio", "-i", f)
    check(d, {"events": [dict], "summary": [SUM], "idle": [IDLE], "idle_chains": [dict],
              **{k: int for k in ("tasks", "switches", "run_ns", "wall_ns", "cpus", "gaps")}})
    rows = [l for l in text("timehist", "-wMnPS", "--state", "--show-prio", "-i", f).splitlines() if re.match(r" *\d+\.\d{6} \[", l)]
    assert len(rows) == len(d["events"]), (len(rows), len(d["events"]))
    for e, row in zip(d["events"], rows):
        check(e, EVENT[e["event"]])
        w = row.split()
        assert w[:2] == [secs(e["time_ns"]), "[%04d]" % e["cpu"]], (e, row)
        if e["event"] == "run":
            want = [name(e["task"]), str(e["prio"])] + [ms(e[k + "_ns"]) for k in ("wait", "delay", "run", "pre_migration")] + [e["state"][0], "next:"]
            assert w[2:-1] == want, (want, row)
            assert w[-1] == "%s[%d]" % (e["next"]["comm"] if e["next"]["tid"] else "swapper/%d" % e["cpu"], e["next"]["tid"]), (e, row)
        elif e["event"] == "wakeup":
            assert row.rstrip().endswith("awakened: " + name(e["task"])), (e, row)
        else:
            assert row.rstrip().endswith("migrated: %s cpu %d => %d" % (name(e["task"]), e["from_cpu"], e["to_cpu"])), (e, row)
    for s in d["summary"]:
        runs = [e["run_ns"] for e in d["events"] if e["event"] == "run" and e["known"] and e["task"] == s["task"]]
        assert (s["count"], s["sum_ns"], s["min_ns"], s["max_ns"]) == (len(runs), sum(runs), min(runs), max(runs)), (s, runs)
EOF
cat >others.py <<'EOF'
from lib import *
for f in sys.argv[2:]:
    d = load("latency", "-p", "-i", f)
    row = {k + "_ns": int for k in ("runtime", "delay", "avg_delay", "max_delay", "max_start", "max_end", "p50", "p95", "p99")}
    line = {k: int for k in ("seen_ns", "unknown_ns", "running_ns", "runnable_ns", "preempted_ns", "sleeping_ns", "blocked_ns", "iowait_ns", "dead_ns")}
    check(d, {"tasks": [{"comm": str, "tid": int, "tasks": int, "count": int, **row}],
              **{k: int for k in ("switches", "gaps", "lost", "lost_records", "bad", "records")},
              "histogram": [{"from_ns": int, "to_ns": int, "count": int}],
              "cpus": [{k: int for k in ("cpu", "seen_ns", "running_ns", "idle_ns", "unknown_ns")}], "timelines": [dict]})
    assert sum(h["count"] for h in d["histogram"]) == sum(t["count"] for t in d["tasks"])
    total = re.search(r"TOTAL: *\| *([\d.]+) ms \| *(\d+) \|", text("latency", "-p", "-i", f))
    assert total.groups() == ("%.3f" % (sum(t["runtime_ns"] for t in d["tasks"]) / 1e6), str(sum(t["count"] for t in d["tasks"]))), total
    d, out = load("replay", "-r", "1", "-i", f), text("replay", "-r", "1", "-i", f)
    check(d, {"run_events": int, "sleep_events": int, "wakeup_events": int, "run_ns": int, "tasks": [{"comm": str, "tid": int, "events": int}],
              "rounds": [{"wall_ns": int, "cpu_ns": int}]})
    for k, v in ("run", "run_events"), ("sleep", "sleep_events"), ("wakeup", "wakeup_events"):
        assert int(re.search(r"nr_%s_events: *(\d+)" % k, out)[1]) == d[v]
    rows = re.findall(r"^task +\d+ \( *(.*): *(\d+)\), nr_events: (\d+)$", out, re.M)
    assert rows == [(t["comm"], str(t["tid"]), str(t["events"])) for t in d["tasks"]], rows
EOF
cat >script.py <<'EOF'
from lib import *
for f in sys.argv[2:]:
    d, lines = load("script", "-i", f), text("script", "--ns", "-F", "comm,pid,tid,cpu,time,event,trace", "-i", f).splitlines()
    check(d, [{"time_ns": int, "cpu": int, "pid": int, "tid": int, "comm": str, "event": str, "fields": dict}])
    assert len(d) == len(lines) and d, (len(d), len(lines))
    for e, line in zip(d, lines):
        m = re.match(r" *(.*?) +(\d+)/(\d+) +\[(\d+)\] +(\d+)\.(\d{9}): +([\w:]+): +(.*)$", line)
        assert (m[1], int(m[2]), int(m[3]), int(m[4]), int(m[5] + m[6]), m[7]) == (e["comm"], e["pid"], e["tid"], e["cpu"], e["time_ns"], e["event"]), (e, line)
        if e["event"] == "sched:sched_switch":
            x = re.match(r"prev_comm=(.*) prev_pid=(\d+) prev_prio=(\d+) prev_state=\S+ ==> next_comm=(.*) next_pid=(\d+) next_prio=(\d+)", m[8])
            assert list(x.groups()) == [str(e["fields"][k]) for k in ("prev_comm", "prev_pid", "prev_prio", "next_comm", "next_pid", "next_prio")], (e, line)
            check(e["fields"], {"prev_comm": str, "prev_pid": int, "prev_prio": int, "prev_state": int, "next_comm": str, "next_pid": int, "next_prio": int})
EOF
cat >stats.py <<'EOF'
from lib import *
sides = load("stats", "diff", "stats.data", "stats-b.data")["sides"]
assert [s.pop("side") for s in sides] == ["old", "new"]
assert sides == [load("stats", "report", "-i", f) for f in ("stats.data", "stats-b.data")]
for d, f in zip(sides, ("stats.data", "stats-b.data")):
    out = text("stats", "report", "-i", f)
    assert int(re.search(r"^Time elapsed .*: *(\d+)$", out, re.M)[1]) == d["elapsed_jiffies"]
    blocks = re.split(r"^CPU: (?=\d)", out, flags=re.M)[1:]
    rows = [r for r in d["rows"] if "cpu" in r]
    assert len(blocks) == len(rows)
    for b, row in zip(blocks, rows):
        head = re.match(r"(\d+)(?: \| DOMAIN: (\S+) \| DOMAIN_CPUS: (\S+))?\n", b)
        assert int(head[1]) == row["cpu"] and (head[2] is not None) == ("domain" in row), (head, row)
        assert not head[2] or head[3] == row["domain_cpus"], (head[3], row)
        shown = {m[0]: int(m[1]) for m in re.findall(r"^([a-z]\w+) +: +(\d+)\b(?!\.)", b, re.M)}
        counts = {k: v for k, v in row.items() if k not in ("cpu", "domain", "domain_name", "domain_cpus")}
        assert shown == counts, (set(shown.items()) ^ set(counts.items()))
EOF
test_expect_success PYTHON 'map' 'python3 map.py "$BUILD/perf" story.data busy.data'
test_expect_success PYTHON 'timehist' 'python3 timehist.py "$BUILD/perf" story.data busy.data'
test_expect_success PYTHON 'latency and replay' 'python3 others.py "$BUILD/perf" story.data busy.data'
test_expect_success PYTHON 'script' 'python3 script.py "$BUILD/perf" story.data busy.data'
test_expect_success 'script --json with what it does not know' '
	test_status 129 perf sched script --json -F comm -i story.data 2>err && grep "unknown" err
'
test_expect_success PYTHON 'stats report and diff' 'python3 stats.py "$BUILD/perf"'
test_expect_success PYTHON 'of a recording without a switch, too' '
	printf "%s\n" "cpus 1" "10 0 wake 5 a:6 0" | ./schedenc none.data &&
	for o in latency map script timehist "timehist -s" "replay -r 1"; do
		perf sched $o --json -i none.data 2>/dev/null | python3 -m json.tool >/dev/null || { echo "$o"; return 1; }
	done
'
test_done
