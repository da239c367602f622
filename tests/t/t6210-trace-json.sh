#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf data convert --to-trace-json: an encoded recording as exact text; what viewers of the format ask for'
. "$(dirname "$0")/lib.sh"

test_workload schedenc

cat >story <<\EOF
cpus 2
0 0 comm 100 100 hog
0 0 comm 200 200 "ser"ver
0 0 comm 200 201 thread
1000 0 switch swapper/0:0 R hog:100
1000 1 switch swapper/1:0 R ser:200
1500 1 switch ser:200 D swapper/1:0
2000 0 wake 100 ser:200 1
2000.001 0 wake 100 ser:200 1
2010 1 switch swapper/1:0 R ser:200
3000 1 switch ser:200 R+ thread:201
4000 0 switch hog:100 S swapper/0:0
4200 0 switch swapper/0:0 R ser:200
5000 0 switch ser:200 S swapper/0:0
EOF
cat >expect.json <<\EOF
{"displayTimeUnit":"ns","traceEvents":[
{"ph":"C","pid":4194305,"tid":4194305,"ts":1000001000.000,"name":"CPUs that run a task","args":{"n":1}},
{"ph":"C","pid":4194305,"tid":4194305,"ts":1000001000.000,"name":"tasks that wait for a CPU","args":{"n":0}},
{"ph":"C","pid":4194305,"tid":4194305,"ts":1000001000.000,"name":"CPUs that run a task","args":{"n":2}},
{"ph":"X","pid":4194305,"tid":4194307,"ts":1000001000.000,"dur":500.000,"name":"\"ser\"ver","cat":"cpu","args":{"tid":200,"cpu":1,"prio":120}},
{"ph":"X","pid":200,"tid":200,"ts":1000001000.000,"dur":500.000,"name":"running","cat":"sched","args":{"tid":200,"cpu":1,"prio":120}},
{"ph":"C","pid":4194305,"tid":4194305,"ts":1000001500.000,"name":"CPUs that run a task","args":{"n":1}},
{"ph":"s","pid":100,"tid":100,"ts":1000002000.000,"id":1,"name":"wakeup","cat":"sched"},
{"ph":"C","pid":4194305,"tid":4194305,"ts":1000002000.000,"name":"tasks that wait for a CPU","args":{"n":1}},
{"ph":"X","pid":200,"tid":200,"ts":1000001500.000,"dur":500.000,"name":"blocked","cat":"sched","args":{"tid":200,"cpu":1,"prio":120}},
{"ph":"X","pid":200,"tid":200,"ts":1000002000.000,"dur":10.000,"name":"runnable","cat":"sched","args":{"tid":200,"cpu":1,"prio":120}},
{"ph":"f","pid":200,"tid":200,"ts":1000002010.000,"id":1,"name":"wakeup","cat":"sched","bp":"e"},
{"ph":"C","pid":4194305,"tid":4194305,"ts":1000002010.000,"name":"CPUs that run a task","args":{"n":2}},
{"ph":"C","pid":4194305,"tid":4194305,"ts":1000002010.000,"name":"tasks that wait for a CPU","args":{"n":0}},
{"ph":"X","pid":4194305,"tid":4194307,"ts":1000002010.000,"dur":990.000,"name":"\"ser\"ver","cat":"cpu","args":{"tid":200,"cpu":1,"prio":120}},
{"ph":"X","pid":200,"tid":200,"ts":1000002010.000,"dur":990.000,"name":"running","cat":"sched","args":{"tid":200,"cpu":1,"prio":120}},
{"ph":"C","pid":4194305,"tid":4194305,"ts":1000003000.000,"name":"tasks that wait for a CPU","args":{"n":1}},
{"ph":"X","pid":4194305,"tid":4194306,"ts":1000001000.000,"dur":3000.000,"name":"hog","cat":"cpu","args":{"tid":100,"cpu":0,"prio":120}},
{"ph":"X","pid":100,"tid":100,"ts":1000001000.000,"dur":3000.000,"name":"running","cat":"sched","args":{"tid":100,"cpu":0,"prio":120}},
{"ph":"C","pid":4194305,"tid":4194305,"ts":1000004000.000,"name":"CPUs that run a task","args":{"n":1}},
{"ph":"X","pid":200,"tid":200,"ts":1000003000.000,"dur":1200.000,"name":"runnable","cat":"sched","args":{"tid":200,"cpu":0,"prio":120}},
{"ph":"C","pid":4194305,"tid":4194305,"ts":1000004200.000,"name":"CPUs that run a task","args":{"n":2}},
{"ph":"C","pid":4194305,"tid":4194305,"ts":1000004200.000,"name":"tasks that wait for a CPU","args":{"n":0}},
{"ph":"X","pid":4194305,"tid":4194306,"ts":1000004200.000,"dur":800.000,"name":"\"ser\"ver","cat":"cpu","args":{"tid":200,"cpu":0,"prio":120}},
{"ph":"X","pid":200,"tid":200,"ts":1000004200.000,"dur":800.000,"name":"running","cat":"sched","args":{"tid":200,"cpu":0,"prio":120}},
{"ph":"C","pid":4194305,"tid":4194305,"ts":1000005000.000,"name":"CPUs that run a task","args":{"n":1}},
{"ph":"M","pid":4194305,"tid":4194305,"name":"process_name","args":{"name":"CPUs"}},
{"ph":"M","pid":4194305,"tid":4194306,"name":"thread_name","args":{"name":"CPU 0"}},
{"ph":"M","pid":4194305,"tid":4194307,"name":"thread_name","args":{"name":"CPU 1"}},
{"ph":"X","pid":4194305,"tid":4194307,"ts":1000003000.000,"dur":2000.000,"name":"thread","cat":"cpu","args":{"tid":201,"cpu":1,"prio":120}},
{"ph":"X","pid":200,"tid":201,"ts":1000003000.000,"dur":2000.000,"name":"running","cat":"sched","args":{"tid":201,"cpu":1,"prio":120}},
{"ph":"M","pid":100,"tid":100,"name":"process_name","args":{"name":"hog"}},
{"ph":"M","pid":100,"tid":100,"name":"thread_name","args":{"name":"hog"}},
{"ph":"M","pid":200,"tid":200,"name":"process_name","args":{"name":"\"ser\"ver"}},
{"ph":"M","pid":200,"tid":200,"name":"thread_name","args":{"name":"\"ser\"ver"}},
{"ph":"M","pid":200,"tid":201,"name":"thread_name","args":{"name":"thread"}}
]}
EOF
cat >check.js <<\EOF
// The format as its viewers read it: phases and their fields, slices of a track nested or apart, flows that begin before they end.
const d = JSON.parse(require('fs').readFileSync(process.argv[2], 'utf8')), ev = d.traceEvents, flows = {}, tracks = {};
const bad = (e, why) => { console.log(why, JSON.stringify(e)); process.exit(1); };
if (!Array.isArray(ev) || !ev.length) bad(d, 'no events');
for (const e of ev) {
	if (!Number.isInteger(e.pid) || !Number.isInteger(e.tid) || typeof e.name !== 'string') bad(e, 'pid, tid, name');
	if (e.ph !== 'M' && !(e.ts >= 0)) bad(e, 'ts');
	if (e.ph === 'X') {
		if (!(e.dur >= 0)) bad(e, 'dur');
		(tracks[e.pid + '/' + e.tid] = tracks[e.pid + '/' + e.tid] || []).push(e);
	} else if (e.ph === 'C') {
		if (!(e.args.n >= 0)) bad(e, 'counter');
	} else if (e.ph === 's') {
		if (flows[e.id]) bad(e, 'flow id twice');
		flows[e.id] = e;
	} else if (e.ph === 'f') {
		if (!flows[e.id] || flows[e.id].ts > e.ts || e.bp !== 'e') bad(e, 'flow end');
	} else if (e.ph !== 'M' || !['process_name', 'thread_name'].includes(e.name) || typeof e.args.name !== 'string') {
		bad(e, 'phase');
	}
}
for (const t of Object.values(tracks)) {
	t.sort((a, b) => a.ts - b.ts || b.dur - a.dur);
	for (let i = 1; i < t.length; i++)
		if (t[i].ts < t[i - 1].ts + t[i - 1].dur - .002) bad(t[i], 'slices of a track overlap');
}
console.log(Object.keys(tracks).length + ' tracks, ' + Object.keys(flows).length + ' flows');
EOF

test_expect_success 'exact text' '
	./schedenc s.data <story && perf data convert -i s.data --to-trace-json out.json 2>err && test_cmp expect.json out.json
'
test_expect_success NODE 'it is what the format says' '
	node check.js out.json >out && echo "5 tracks, 1 flows" >expect && test_cmp expect out
'
test_expect_success NODE 'the same of a busy machine, and of one that lost events' '
	./schedenc b.data busy 8 200 2000 && perf data convert -i b.data --to-trace-json b.json 2>err &&
	node check.js b.json >out && grep "^48 tracks" out &&
	sed "s/^3000 .*/3000 1 lost 7/" story | ./schedenc l.data && perf data convert -i l.data --to-trace-json l.json 2>err && node check.js l.json
'
test_lazy_prereq SCHED 'needs root and the scheduler tracepoints' 'perf sched record -o probe.data true && [ -s probe.data ]'
test_expect_success SCHED,NODE 'the same of a live recording' '
	perf sched record -o live.data sh -c "ls -l / | cat; sleep 0.05" >/dev/null 2>&1 &&
	perf data convert -i live.data --to-trace-json live.json 2>err && node check.js live.json
'
test_expect_success NODE 'the same of a recording of 6.1' '
	gzip -dc "$TEST_DIR/../data/sched-6.1.data.gz" >k.data &&
	perf data convert -i k.data --to-trace-json k.json 2>err && node check.js k.json
'
test_expect_success PYTHON 'the sums of all recordings made here close' '
	python3 "$TEST_DIR/schedsums.py" "$BUILD/perf" *.data
'
test_done
