#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf data convert: JSON of samples, trace events of a scheduler recording'
. "$(dirname "$0")/lib.sh"

test_workload threads

record () { perf record -q "$@"; }
sched_record () { perf sched record -o "$@"; }

test_lazy_prereq RECORD 'needs a recorder that can sample cpu-clock' 'record -o probe.data -e cpu-clock true && [ -s probe.data ]'
test_lazy_prereq SCHED 'needs root and the scheduler tracepoints' 'sched_record probe.data true && [ -s probe.data ]'
test_lazy_prereq PYTHON 'needs python3' 'command -v python3'

test_expect_success RECORD,PYTHON 'every sample is in the document' '
	record -F 499 -e cpu-clock -g -o g.data ./threads 2 200 >/dev/null &&
	perf data convert -i g.data --to-json g.json 2>err && grep "Converted .g.data. into JSON data .g.json." err &&
	perf script -i g.data -F tid,time -G --ns | awk "{ print \$1, \$2 }" | tr -d : >script &&
	python3 - >json <<-\EOF &&
	import json
	d = json.load(open("g.json"))
	assert d["linux-perf-json-version"] == 1 and d["headers"]["arch"]
	for s in d["samples"]:
	    assert s["callchain"] and s["callchain"][0]["ip"].startswith("0x")
	    print(s["tid"], "%d.%09d" % divmod(s["timestamp"], 1000000000))
	EOF
	test_cmp script json
'
test_expect_success RECORD 'an output that exists is kept unless --force is given' '
	echo precious >kept.json &&
	test_must_fail perf data convert -i g.data --to-json kept.json 2>err && grep "kept.json.* exists" err &&
	echo precious >expect && test_cmp expect kept.json &&
	perf data convert -f -i g.data --to-json kept.json 2>/dev/null && ! grep precious kept.json
'
test_expect_success SCHED,PYTHON 'trace events: one run at a time on each CPU' '
	sched_record s.data ./threads 2 200 >/dev/null 2>&1 &&
	perf data convert -i s.data --to-trace-json s.json 2>/dev/null &&
	python3 - <<-\EOF
	import json
	d = json.load(open("s.json"))["traceEvents"]
	cpus = {}
	for e in d:
	    if e["ph"] == "X" and e["pid"] == 4194305:
	        cpus.setdefault(e["tid"], []).append((e["ts"], e["ts"] + e["dur"]))
	assert cpus
	for spans in cpus.values():
	    for (a, b), (c, _) in zip(spans, spans[1:]):
	        assert a <= b <= c + 0.001, (a, b, c)
	assert any(e["ph"] == "M" and e["args"]["name"].startswith("CPU ") for e in d)
	EOF
'
test_expect_success RECORD 'a recording of something else says what to record' '
	test_must_fail perf data convert -i g.data --to-trace-json t.json 2>err && grep "perf sched record" err
'
test_expect_success 'errors' '
	test_must_fail perf data convert -i nosuch.data --to-json x.json 2>err && grep nosuch.data err &&
	test_status 129 perf data convert -i nosuch.data 2>err && grep to-json err
'
test_expect_success '--time: only the samples of that part' '
	perf record -q -e cpu-clock -c 1000000 -o part.data perf test -w noploop 0.3 && perf script -i part.data -F time >times && n=$(wc -l <times) && [ $n -ge 20 ] &&
	from=$(sed -n 6p times | tr -d " :") && to=$(sed -n 15p times | tr -d " :") && perf script -i part.data -F time --time $from,$to >part && [ $(wc -l <part) -ge 8 ] && [ $(wc -l <part) -lt $n ] &&
	perf data convert -q -i part.data --time $from,$to --to-json part.json && [ $(grep -o "\"timestamp\"" part.json | wc -l) = $(wc -l <part) ]
'

test_done
