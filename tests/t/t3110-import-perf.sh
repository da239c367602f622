#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='import perf: recordings read by programs in Python'
. "$(dirname "$0")/lib.sh"

module=$TOP/build-python
[ -e "$module/perf.abi3.so" ] || { echo "1..0 # SKIP needs the module (make python)"; exit 0; }
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

test_done
