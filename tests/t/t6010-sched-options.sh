#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf sched: what each option does, on encoded recordings; equal to the newest upstream perf where that is right'
. "$(dirname "$0")/lib.sh"

test_workload schedenc

cat >story <<\EOF
cpus 3
0 0 comm 100 100 hog
0 0 comm 200 200 server
0 0 comm 300 300 other
1000 0 switch swapper/0:0:0 R hog:100:100
1100 1 switch swapper/1:0:0 R server:200
1200 0 switch hog:100:100 S swapper/0:0:0
1300 1 switch server:200 D other:300
1400 1 wake 300 server:200 1
1450 1 move 300 server:200 1 0
1500 0 switch swapper/0:0:0 R server:200
1600 1 wake 300 hog:100:100 1
1700 1 switch other:300 R+ hog:100:100
1800 0 switch server:200 S swapper/0:0:0
1900 1 switch hog:100:100 S other:300
2000 1 switch other:300 Z swapper/1:0:0
EOF
./schedenc s.data <story || exit 1
map () { perf sched map -i s.data "$@" 2>err | sed 's/ *$//'; }
timehist () { perf sched timehist -i s.data "$@" 2>err | sed 's/ *$//'; }

test_expect_success 'map: --cpus chooses lines, --compact columns, --task-name shows when a task comes and leaves' '
	map --cpus 1 >out && cat >expect <<-\EOF && test_cmp expect out &&
	   A0 *B0    1000.001100 secs B0 => server:200
	   .  *C0    1000.001300 secs C0 => other:300
	   B0 *A0    1000.001700 secs A0 => hog:100
	   .  *C0    1000.001900 secs
	   .  *.     1000.002000 secs
	EOF
	map --compact --task-name hog >out && cat >expect <<-\EOF && test_cmp expect out &&
	  *A0    1000.001000 secs A0 => hog:100 (CPU 0)
	  *-   -     1000.001200 secs
	   -  *A0    1000.001700 secs
	   .  *-     1000.001900 secs
	EOF
	map --task-name erv --fuzzy-name >out && grep "A0 => server:200" out && test "$(wc -l <out)" = 4
'
test_expect_success 'map: colours of CPUs and pids only where they are wanted' '
	script -qec "perf sched map -i s.data --color-pids 200 | cat" /dev/null </dev/null >out 2>/dev/null && test_grep " secs " out &&
	! grep "$(printf "\033")" out
'
test_expect_success 'map: 128 CPUs fit into 120 and 80 columns, and nothing is left out' '
	./schedenc w.data busy 128 20 20 && perf sched map -i w.data 2>/dev/null >plain &&
	COLUMNS=80 perf sched map -i w.data 2>/dev/null >folded &&
	test_range width "$(awk "length(\$0) > m { m = length(\$0) } END { print m }" folded)" 60 80 &&
	COLUMNS=120 perf sched map -i w.data 2>/dev/null >folded &&
	test_range width "$(awk "length(\$0) > m { m = length(\$0) } END { print m }" folded)" 60 120 &&
	awk "{ gsub(/ +\$/, \"\"); gsub(/ /, \"\"); line = line \$0 } / secs( |\$)|[0-9]secs/ { print line; line = \"\" }" folded >joined &&
	tr -d " " <plain >expect && test_cmp expect joined
'
test_expect_success 'map: --cpus on a terminal has columns for those only' '
	COLUMNS=80 perf sched map --cpus 100-103 -i w.data >out 2>/dev/null && grep " secs" out >lines && test_cmp lines out &&
	! grep -v "^  \([ *].. \)\{1,4\} *[0-9.]* secs" out && perf sched map --cpus 100-103 -i w.data 2>/dev/null | sed "s/.* \([0-9.]* secs.*\)/\1/" >expect &&
	sed "s/.* \([0-9.]* secs.*\)/\1/" out >got && test_cmp expect got
'
test_expect_success NEWEST 'map equals the newest upstream perf' '
	for o in "" --compact "--cpus 1" "--cpus 0,2 --compact" "--task-name hog" "--task-name hog,server" "--task-name o --fuzzy-name" \
		"--color-cpus 1" "--color-pids 100"; do
		map $o >ours && "$NEWEST" sched map $o -i s.data 2>/dev/null </dev/null | sed "s/ *\$//" >upstream && test_cmp upstream ours || { echo "$o"; return 1; }
	done
'
test_expect_success 'timehist: all columns' '
	timehist -MVwP --state --show-prio >out && cat >expect <<-\EOF && test_cmp expect out
	           time    cpu  0123  task name                       prio      wait time  sch delay   run time  pre-mig time  state
	                              [tid/pid]                                    (msec)     (msec)     (msec)     (msec)
	--------------- ------  ----  ------------------------------  --------  ---------  ---------  ---------  ---------  -----
	    1000.001000 [0000]  i     <idle>                          0             0.000      0.000      0.000      0.000      I
	    1000.001100 [0001]   i    <idle>                          0             0.000      0.000      0.000      0.000      I
	    1000.001200 [0000]  s     hog[100]                        100           0.000      0.000      0.200      0.000      S
	    1000.001300 [0001]   s    server[200]                     120           0.000      0.000      0.200      0.000      D
	    1000.001400 [0001]        other[300]                                                       awakened: server[200]
	    1000.001450 [0001]    m     other[300]                                                       migrated: server[200] cpu 1 => 0
	    1000.001500 [0000]  i     <idle>                          0             0.200      0.200      0.300      0.000      I
	    1000.001600 [0001]        other[300]                                                       awakened: hog[100]
	    1000.001700 [0001]   s    other[300]                      120           0.000      0.000      0.400      0.000      R
	    1000.001800 [0000]  s     server[200]                     120           0.200      0.100      0.300      0.050      S
	    1000.001900 [0001]   s    hog[100]                        100           0.500      0.100      0.200      0.000      S
	    1000.002000 [0001]   s    other[300]                      120           0.200      0.200      0.100      0.000      Z
	EOF
'
test_expect_success NEWEST 'timehist equals the newest upstream perf' '
	for o in "" -n -w -M -V -P --state --show-prio "--prio 100" "--prio 0,110-130" "-p 200" "-t 100,300" "-C 1" "-MVwnP --state --show-prio"; do
		timehist $o >ours && "$NEWEST" sched timehist $o -i s.data 2>/dev/null </dev/null | sed "s/ *\$//" >upstream &&
		test_cmp upstream ours || { echo "$o"; return 1; }
	done
'
test_expect_success 'timehist: windows, idle times, summaries' '
	timehist -w --time 1000.00125,1000.0016 | grep "^ *1000" | sed "s/ *\$//" >out && cat >expect <<-\EOF && test_cmp expect out &&
	    1000.001300 [0001]  server[200]                         0.000      0.000      0.050
	    1000.001400 [0001]  other[300]                                                       awakened: server[200]
	    1000.001500 [0000]  <idle>                              0.200      0.200      0.250
	    1000.001600 [0001]  other[300]                                                       awakened: hog[100]
	    1000.001600 [0001]  other[300]                          0.000      0.000      0.300
	    1000.001600 [0000]  server[200]                         0.200      0.100      0.100
	EOF
	timehist -I | grep "^ *1000" >out && ! grep -v "<idle>" out &&
	timehist -s >out && grep "server\[200\] *-1 *2 *0.500 *0.200 *0.250 *0.300 *20.00 *1" out && ! grep "^ *1000" out &&
	timehist -s --state >out && grep "server\[200\] *-1 *2 *0.500 *0.000 *0.200 *0.000 *0.100" out &&
	timehist -S >out && grep "Total number of context switches: 9" out && grep "^ *1000" out &&
	timehist -IS >out && grep "Idle-time summary" out && grep "Total number of context switches: 4" out &&
	test_status 129 perf sched timehist -sw -i s.data 2>err && grep "mutually exclusive" err
'
test_expect_success 'latency: per pid, of a CPU, percentiles, histogram' '
	perf sched latency -i s.data -s max >out && grep "server:200 *| *0.500 ms | *1 | avg: *0.100 ms | max: *0.100 ms" out &&
	perf sched latency -i s.data -C 0 >out && grep "server:200 *| *0.300 ms" out && ! grep other out &&
	perf sched latency -i s.data -p --percentiles >out && grep "p50: *0.1[0-9]* ms | p95: *0.2[0-9]* ms" out || grep "hog:100.*p50" out &&
	perf sched latency -i s.data --histogram >out && tail -5 out | grep "[*#]"
'
test_expect_success PYTHON 'JSON of each is JSON, and says the same' '
	perf sched map -i s.data --json >map.json 2>err && perf sched timehist -i s.data -wMS --json >hist.json 2>err &&
	perf sched latency -i s.data --json >lat.json && perf sched replay -r 2 --json -i s.data >replay.json &&
	cp "$TEST_DIR/../data/schedstat-6.1.data" stats.data && perf sched stats report --json -i stats.data >stats.json &&
	perf sched stats diff --json stats.data stats.data >diff.json &&
	python3 - >out <<-\EOF &&
	import json
	load = lambda n: json.load(open(n + ".json"))
	m = load("map")["map"]
	print(len(m), [(e["cpu"], e["name"], e["comm"]) for e in m][1])
	h = load("hist")
	print([sum(e["event"] == k for e in h["events"]) for k in ("run", "wakeup", "migration")])
	print(sum(e["run_ns"] for e in h["events"] if e["event"] == "run" and e["task"]["tid"] == 200), [s["sum_ns"] for s in h["summary"] if s["task"]["tid"] == 200])
	print([t["runtime_ns"] for t in load("lat")["tasks"] if t["comm"] == "server"])
	r = load("replay")
	print(r["run_events"], r["sleep_events"], r["wakeup_events"], len(r["rounds"]), r["run_ns"])
	s = load("stats")
	print(s["elapsed_jiffies"], s["rows"][0]["cpu"], s["rows"][0]["sched_count"], load("diff")["sides"][1] == {"side": "new", **s})
	EOF
	cat >expect <<-\EOF && test_cmp expect out
	9 (1, '\''B0'\'', '\''server'\'')
	[9, 2, 1]
	500000 [500000]
	[500000]
	8 2 2 2 1400000
	30 0 85 True
	EOF
'
test_expect_success PYTHON 'the numbers of the JSON are those of the text' '
	perf sched timehist -s --json -i s.data >sum.json 2>err && timehist -s >sum.txt && perf sched latency -p --json -i s.data >lat.json &&
	perf sched latency -p -i s.data >lat.txt && python3 - >out <<-\EOF && echo "3 3" >expect && test_cmp expect out
	import json, re
	ms = lambda ns: "%d.%03d" % (ns // 10**6, ns // 1000 % 1000)
	rows = {"%s[%d]" % (s["task"]["comm"], s["task"]["tid"]): s for s in json.load(open("sum.json"))["summary"]}
	text = [l.split() for l in open("sum.txt") if re.match(r" *\w+\[\d+\] ", l)]
	for f in text:
	    s = rows[f[0]]
	    assert f[2:5] + f[6:7] + f[8:] == [str(s["count"]), ms(s["sum_ns"]), ms(s["min_ns"]), ms(s["max_ns"]), str(s["migrations"])], (f, s)
	rows = {"%s:%d" % (t["comm"], t["tid"]): t for t in json.load(open("lat.json"))["tasks"]}
	lines = [re.findall(r"[\w.:]+", l) for l in open("lat.txt") if re.match(r"  \w+:\d+ ", l)]
	for f in lines:
	    t = rows[f[0]]
	    assert (f[1], f[3]) == ("%.3f" % (t["runtime_ns"] / 1e6), str(t["count"])), (f, t)
	    assert "%.3f" % (t["max_delay_ns"] / 1e6) == f[f.index("max:") + 1], (f, t)
	print(len(text), len(lines))
	EOF
'
# Runs: one a stay on a CPU that is seen whole, cut where it wakes another; sleeps: one each that ends.
test_expect_success 'replay: as many runs, sleeps and wake-ups as the recording has, in each round' '
	perf sched replay -r 3 -i s.data >out && grep "^nr_run_events: *8\$" out && grep "^nr_sleep_events: *2\$" out &&
	grep "^nr_wakeup_events: *2\$" out && test "$(grep -c "^#" out)" = 3
'
test_expect_success 'stats report -v explains the fields' '
	cp "$TEST_DIR/../data/schedstat-6.1.data" stats.data && perf sched stats report -v -i stats.data >out &&
	grep "^sched_yield() count  *: *0\$" out && grep "^load_balance() count on cpu newly idle  *: " out && ! grep "_lb_" out
'
test_expect_success NEWEST 'stats report -v equals the newest upstream perf' '
	perf sched stats report -v -i stats.data >ours && "$NEWEST" sched stats report -v -i stats.data >upstream 2>/dev/null </dev/null && test_cmp upstream ours
'
test_expect_success '-D dumps the records first' '
	perf sched -D -i s.data map >out 2>err && grep "PERF_RECORD_SAMPLE" out && tail -1 out | grep "1000.002000 secs"
'
# what names the events stands at the end
test_expect_success 'a file without its end is reported from one without scheduler events' '
	head -c $(( $(stat -c %s s.data) / 2 )) s.data >cut &&
	! perf sched latency -i cut >out 2>err && test_cmp /dev/null out && grep "^Error: it is not known which events of .cut. are the scheduler.s: the end" err &&
	rm cut
'
test_lazy_prereq SCHED 'needs root and the scheduler tracepoints' 'perf sched record -o probe.data true && [ -s probe.data ]'
test_expect_success SCHED 'record -g: timehist shows where a task left' '
	perf sched record -g -o g.data sleep 0.05 >/dev/null 2>&1 && perf sched timehist -g -i g.data >out 2>err &&
	grep "sleep\[[0-9]*\].* <- " out && perf sched timehist --no-call-graph -i g.data >out 2>err && ! grep " <- " out &&
	perf sched timehist -G -i g.data >got 2>err && test_cmp out got && test_cmp /dev/null err
'
test_expect_success PYTHON 'the sums of all recordings made here close' '
	python3 "$TEST_DIR/schedsums.py" "$BUILD/perf" *.data
'
test_expect_success 'timehist -s: a CPU that was never idle, one that idles at the end, one on which nothing ran' '
	cat >story <<-EOF &&
	cpus 3
	0 0 comm 100 100 hog
	0 0 comm 200 200 other
	1000 0 switch other:200 R hog:100
	1500 1 switch third:300 S swapper/1:0
	2000 0 switch hog:100 R other:200
	EOF
	./schedenc busy.data <story && perf sched timehist -s -i busy.data 2>/dev/null | grep "^    CPU " >out &&
	cat >expect <<-EOF &&
	    CPU  0 idle for      0.000  msec  (  0.00%)
	    CPU  1 idle for      0.500  msec  ( 50.00%)
	    CPU  2 idle entire time window
	EOF
	test_cmp expect out
'
test_lazy_prereq REALTIME 'needs the right to a realtime priority' 'chrt -f 1 true'
test_expect_success REALTIME,STRACE 'record: the reader goes before the tasks that it records, whose priority stays; -r chooses another one' '
	strace -f -e trace=sched_setscheduler -o calls perf sched record -o x.data chrt -p 0 >out 2>err && test_grep "SCHED_OTHER" out &&
	grep sched_setscheduler calls | tail -n 1 >last && test_grep "SCHED_FIFO, \[1\]\) += 0" last &&
	strace -f -e trace=sched_setscheduler -o calls perf sched record -r 7 -o x.data true 2>err &&
	grep sched_setscheduler calls | tail -n 1 >last && test_grep "SCHED_FIFO, \[7\]\) += 0" last
'
yield_all () { perf sched record -m 128 -o y.data ./yielders 2000 1 2>err && test_grep "Captured and wrote" err && test_grep -v "lost" err; }
test_expect_success REALTIME 'record: two thousand runnable threads and small buffers: nothing is lost' '
	test_workload yielders && test_attempts 3 "the host of a virtual machine may take the CPU of the reader away" yield_all
'
test_expect_success ROOT 'record: what is lost says what can be set' '
	perf record -m 1 -a -e sched:sched_switch,sched:sched_waking,raw_syscalls:sys_enter -o l.data dd if=/dev/zero of=/dev/null bs=1 count=300k 2>err &&
	test_grep "^Hint: larger buffers \(-m 16M\), a reader that goes before other tasks \(-r 1\), a reader for each CPU \(--threads\), fewer events \(-e, --filter\), or" err
'
test_done
