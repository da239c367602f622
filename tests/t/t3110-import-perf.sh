#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='import perf: recordings read by programs in Python'
. "$(dirname "$0")/lib.sh"

module=$BUILD-python
[ -e "$module/perf.abi3.so" ] || module=$TOP/build-python
[ -e "$module/perf.abi3.so" ] || test_skip_all "needs the module (make python)"
test_require PYTHON
export PYTHONPATH=$module PYTHONDONTWRITEBYTECODE=1
small=$TOP/tests/data/small
py () { python3 "$@"; }

test_expect_success 'samples are those of perf script: place, time, stack' '
	cat >s.py <<-\END2 &&
	import perf, sys
	for s in perf.open(sys.argv[1]):
	    print(s.comm, s.pid, s.tid, s.cpu if s.cpu >= 0 else "", s.time, s.period, s.event, "%x" % s.ip)
	    for f in s.callchain:
	        print("\t%x %s%s (%s)" % (f.ip, f.symbol or "[unknown]", "+0x%x" % f.offset if f.symbol and not f.inlined else "", f.dso or "[unknown]"))
	END2
	for f in fp dwarf sched zstd pipe; do
		py s.py "$small/$f.data" >$f.out && [ $(grep -vc "^	" $f.out) = $(perf script -f -i "$small/$f.data" -F comm | grep -c .) ] || return 1
	done &&
	perf script -f -i "$small/fp.data" -F ip,sym,symoff,dso --no-inline | sed "s/^[ 	]*/	/; /^	$/d" >want &&
	py -c "
import perf
for s in perf.open(\"$small/fp.data\", inline=False):
    for f in s.callchain:
        print(\"\t%x %s (%s)\" % (f.ip, \"%s+0x%x\" % (f.symbol, f.offset) if f.symbol and not f.symbol.startswith(\"[\") else f.symbol or \"[unknown]\", f.dso or \"[unknown]\"))" >got &&
	grep -v "\[" want >want.1 && grep -v "\[" got >got.1 && [ $(wc -l <got.1) -gt 50 ] && test_cmp want.1 got.1
'
test_expect_success 'report(): the rows of perf report, as dictionaries' '
	cat >r.py <<-\END2 &&
	import perf, json, sys
	r = perf.open(sys.argv[1]).report(sort="comm,dso,sym")
	want = json.load(sys.stdin)["events"][0]["rows"]
	assert len(r) == len(want) and r[0]["event"] == "cpu-clock", (len(r), len(want))
	key = lambda d: (d["comm"], d["dso"], d["symbol"])
	assert {key(d): round(d["overhead"], 4) for d in r} == {key(d): d["overhead"] for d in want}
	assert abs(sum(d["overhead"] for d in r) - 100) < 1e-6 and sum(d["period"] for d in r) == 22250000
	c = perf.open(sys.argv[1]).report(sort="sym", children=True)
	assert max(d["overhead_children"] for d in c) > 50
	END2
	perf report -f -i "$small/fp.data" --no-children --json -g none --sort comm,dso,sym --percent-limit 0 | py r.py "$small/fp.data"
'
test_expect_success 'filters, as the options of their names' '
	py -c "
import perf
a = list(perf.open(\"$small/sched.data\"))
s = list(perf.open(\"$small/sched.data\", where=\"event ~ \\\"*switch\\\"\"))
assert 0 < len(s) < len(a) and {x.event for x in s} == {\"sched:sched_switch\"}, (len(s), len(a))
p = a[0].pid
assert [x.time for x in perf.open(\"$small/sched.data\", pid=p)] == [x.time for x in a if x.pid == p]
assert [x.time for x in perf.open(\"$small/sched.data\", pid=[p, 1 << 20])] == [x.time for x in a if x.pid == p]
assert [x.time for x in perf.open(\"$small/sched.data\", comm=a[0].comm)] == [x.time for x in a if x.comm == a[0].comm]
f = s[0].fields
assert list(f)[:3] == [\"prev_comm\", \"prev_pid\", \"prev_prio\"] and type(f[\"prev_pid\"]) is int, f
"
'
test_expect_success 'stat(), header, events' '
	py -c "
import perf
f = perf.open(\"$small/stat.data\")
n = {r[\"event\"]: r for r in f.stat()}
assert n[\"page-faults\"][\"value\"] == 50 and n[\"task-clock\"][\"value\"] == 1037816, n
assert f.header[\"header version\"] == \"1\" and \"task-clock\" in f.events
assert perf.open(\"$small/fp.data\").stat() == []
"
'
test_expect_success 'errors: what failed, and the next step; a loop that is left, samples that are kept' '
	py -c "
import perf, gc
try: perf.open(\"nosuch\")
except FileNotFoundError as e: assert isinstance(e, perf.Error) and \"nosuch\" in str(e), e
else: assert 0
open(\"junk\", \"w\").write(\"x\" * 1000)
for call in lambda: perf.open(\"junk\"), lambda: list(perf.open(\"$small/fp.data\", where=\"comm ~\")), lambda: perf.open(\"$small/fp.data\").report(sort=\"nosuch\"):
    try: call()
    except perf.Error as e: assert e.errno and e.strerror and e.hint != \"\", e
    else: assert 0, call
for i in range(20):
    for s in perf.open(\"$small/fp.data\"): break
kept = list(perf.open(\"$small/fp.data\"))
gc.collect()
assert len([f.srcline for s in kept for f in s.callchain]) > 100
g = iter(perf.open(\"$small/fp.data\")); next(g); del g
"
'
test_expect_success 'memory does not grow with the number of samples' '
	cat >many.py <<-\END2 &&
	import sys
	sys.path.insert(0, "'"$TOP"'/tests/t")
	from perfdata import *
	st = IP | TID | TIME | CALLCHAIN | PERIOD | IDENTIFIER
	user = (1 << 64) - 512
	recs = b"".join(record(SAMPLE, USER, struct.pack("<QQIIQQ5Q", 1, 0x401000 + i % 50, 7, 7, 1000 + i, 1, 4, user, 0x401000 + i % 50, 0x402000 + i % 70, 0x403000))
	                for i in range(200000))
	recording("many.data", [attr(st)], [comm(st, 7, 7, "many"), recs])
	END2
	py many.py && cat >mem.py <<-\END2 &&
	import perf, resource
	def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
	n = 0
	for s in perf.open("many.data"):
	    n += 1
	    if n == 20000: first = peak()
	    assert len(s.callchain) == 3 and s.comm == "many"
	assert n == 200000, n
	assert peak() - first < 8000, (first, peak())
	END2
	py mem.py
'
test_expect_success 'the example of README' '
	sed -n "/^import perf/,/^\`\`\`/p" "$TOP/README.md" | sed "/^\`\`\`/,\$d" >example.py && [ $(wc -l <example.py) -ge 5 ] &&
	cp "$small/fp.data" perf.data && py example.py >out && [ -s out ] && test_grep "sh" out
'
test_expect_success 'any Python from 3.8 on; types for checkers' '
	for p in /root/.pyenv/versions/3.{8,9,10,12,13}.*/bin/python3 /usr/bin/python3; do
		[ -x "$p" ] || continue
		$p s.py "$small/fp.data" >any.out && test_cmp fp.out any.out || { echo "# $p"; return 1; }
	done &&
	py -c "
import ast
tree = ast.parse(open(\"$module/perf.pyi\").read())
import perf
names = {n.name for n in tree.body if hasattr(n, \"name\")}
assert all(hasattr(perf, n) for n in names), names
sample = [n for n in tree.body if getattr(n, \"name\", 0) == \"Sample\"][0]
s = next(iter(perf.open(\"$small/fp.data\")))
assert len(sample.body) == perf.Sample.n_fields and all(getattr(s, f.target.id) is s[i] for i, f in enumerate(sample.body))
"
'

# ---- the names of upstream perf's module, for what happens now ----

cat >live.py <<'END2'
import os, perf, time
cpus, threads = perf.cpu_map(), perf.thread_map(-1)
assert list(threads) == [-1] and len(cpus) >= 1
evsel = perf.evsel(type=perf.TYPE_SOFTWARE, config=perf.COUNT_SW_DUMMY, task=1, comm=1, mmap=0, freq=0, wakeup_events=1, watermark=1,
                   sample_id_all=1, context_switch=0, sample_type=perf.SAMPLE_PERIOD | perf.SAMPLE_TID | perf.SAMPLE_CPU | perf.SAMPLE_TIME)
evsel.open(cpus=cpus, threads=threads)
evlist = perf.evlist(cpus, threads)
evlist.add(evsel)
evlist.mmap()
assert len(evlist) == 1 and evlist[0] is evsel and len(evlist.get_pollfd()) == len(cpus)
pid = os.spawnlp(os.P_NOWAIT, 'true', 'true')
os.waitpid(pid, 0)
assert evlist.poll(timeout=10000) > 0
seen = {}
for cpu in cpus:
    event = evlist.read_on_cpu(cpu)
    while event:
        if event.sample_pid == pid or getattr(event, 'pid', 0) == pid:
            seen.setdefault(type(event).__name__ + str(event.type), event)
            assert event.type == perf.RECORD_FORK or event.sample_cpu == cpu, event
        event = evlist.read_on_cpu(cpu)
fork, comm, end = seen['task_event7'], seen['comm_event3'], seen['task_event4']
assert fork.ppid == os.getpid() and str(comm) == '{ type: comm, pid: %d, tid: %d, comm: true }' % (pid, pid), comm
assert str(end) == '{ type: exit, pid: %d, ppid: %d, tid: %d, ptid: %d, time: %d}' % (pid, os.getpid(), pid, os.getpid(), end.time), end
evlist.close()
END2
test_expect_success ROOT,PERF_SW 'evsel, evlist, rings: as programs for upstream perf use them' 'py live.py'
test_expect_success ROOT,PERF_SW 'the same program under upstream perf (but for close())' '
	/usr/bin/python3 -c "import sys; sys.path = [p for p in sys.path if not p.endswith(\"-python\")]; import perf; perf.evlist" || { test_skip "no package python3-perf"; return; }
	sed "/^evlist.close/d" live.py >theirs.py && PYTHONPATH= /usr/bin/python3 theirs.py
'
test_expect_success 'names and numbers of upstream perf' '
	cat >names.py <<-\END2 &&
	import perf
	for n in sorted(dir(perf)):
	    if n.isupper() and isinstance(getattr(perf, n), int): print(n, getattr(perf, n))
	    elif isinstance(getattr(perf, n), type) and n not in ("_", ): print(n)
	END2
	PYTHONPATH= /usr/bin/python3 names.py >theirs || { test_skip "no package python3-perf"; return; }
	{ echo "import perf; perf.evsel"; cat names.py; } >all.py && py all.py >ours && LC_ALL=C sort ours -o ours && LC_ALL=C sort theirs | LC_ALL=C comm -23 - ours >missing &&
	test_cmp /dev/null missing
'
test_expect_success PERF_SW 'parse_events(), counts; what cannot be' '
	py -c "
import os, perf
l = perf.parse_events(\"task-clock,page-faults:u\", perf.cpu_map(), perf.thread_map(os.getpid()))
assert len(l) == 2 and str(l) == \"evlist([task-clock,page-faults:u])\", l
try: l.open()
except perf.Error as e: print(e)
l = perf.parse_events(\"task-clock\", threads=perf.thread_map(os.getpid()))
l[0].read_format = perf.FORMAT_TOTAL_TIME_ENABLED | perf.FORMAT_TOTAL_TIME_RUNNING | perf.FORMAT_ID
l.open(); l.enable()
for i in range(3000000): pass
l.disable()
n = [l[0].read(c, os.getpid()) for c in l[0].cpus()]
assert sum(v.val for v in n) > 1000000 and all(v.ena >= v.run > 0 or v.val == 0 for v in n), [v.values for v in n]
for bad in lambda: perf.parse_events(\"nosuch\"), lambda: perf.evsel(type=9999).open():
    try: bad()
    except perf.Error as e: assert \"nosuch\" in str(e) or \"cannot open event\" in str(e), e
    else: assert 0
try: perf.evsel(nosuch=1)
except TypeError: pass
else: assert 0
assert perf.tracepoint(sys=\"nosuch\", name=\"nosuch\") == -1
try: perf.nosuch
except AttributeError: pass
else: assert 0
"
'
test_expect_success ROOT,PERF_SW 'fields of tracepoints' '
	py -c "
import os, perf, time
t = perf.tracepoint(\"sched\", \"sched_switch\")
assert t > 0
cpus, threads = perf.cpu_map(), perf.thread_map(os.getpid())
e = perf.evsel(type=perf.TYPE_TRACEPOINT, config=t, freq=0, sample_period=1, wakeup_events=1, sample_id_all=1,
               sample_type=perf.SAMPLE_PERIOD | perf.SAMPLE_TID | perf.SAMPLE_CPU | perf.SAMPLE_RAW | perf.SAMPLE_TIME)
e.open(cpus=cpus, threads=threads)
l = perf.evlist(cpus, threads); l.add(e); l.mmap(pages=8)
for i in range(5): time.sleep(0.01)
got = []
for c in cpus:
    s = l.read_on_cpu(c)
    while s:
        if s.type == perf.RECORD_SAMPLE: got.append(s)
        s = l.read_on_cpu(c)
assert len(got) >= 5 and all(s.prev_pid == os.getpid() and s.prev_comm.startswith(\"python\") and s.next_pid >= 0 for s in got), got
"
'

test_done
