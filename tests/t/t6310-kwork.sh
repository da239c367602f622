#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='perf kwork: interrupts, soft interrupts and work queues, from made recordings and real ones'
. "$(dirname "$0")/lib.sh"

cat >symbols <<\EOF
ffffffff81000000 T _text
ffffffff81000000 T _stext
ffffffff81100000 T flush_work
ffffffff81110000 T a_function_of_a_very_long_name_indeed
ffffffff81120000 T last
ffffffff81130000 T _etext
EOF
# Times in us. Interrupt 24 on CPU 0: 10 and 30 us. Timer, CPU 0: raised twice, waits 5, runs 20; CPU 1: never raised, runs 8.
# flush_work on CPU 1: waits 100, runs 250. On CPU 0 task 10 runs for 1,000 us, 40 of which interrupts and 20 the timer take; then
# the CPU is idle for 500 us. On CPU 1 task 20 runs for 2,000 us, 8 of which the timer takes.
cat >story <<\EOF
event irq:irq_handler_entry irq:s32 name:16
event irq:irq_handler_exit irq:s32 ret:s32
event irq:softirq_raise vec:u32
print irq:softirq_raise "vec=%u [action=%s]", REC->vec, __print_symbolic(REC->vec, { 0, "HI" }, { 1, "TIMER" }, { 9, "RCU" })
event irq:softirq_entry vec:u32
print irq:softirq_entry "vec=%u [action=%s]", REC->vec, __print_symbolic(REC->vec, { 0, "HI" }, { 1, "TIMER" }, { 9, "RCU" })
event irq:softirq_exit vec:u32
print irq:softirq_exit "vec=%u [action=%s]", REC->vec, __print_symbolic(REC->vec, { 0, "HI" }, { 1, "TIMER" }, { 9, "RCU" })
event workqueue:workqueue_activate_work work:ptr function:ptr
event workqueue:workqueue_execute_start work:ptr function:ptr
event workqueue:workqueue_execute_end work:ptr function:ptr
event sched:sched_switch prev_comm:16 prev_pid:s32 prev_prio:s32 prev_state:s64 next_comm:16 next_pid:s32 next_prio:s32
kernel ffffffff81000000 ffffffff81130000
comm 10 10 ten
comm 20 20 twenty
900 0 0 0 sched:sched_switch swapper/0 0 120 0 ten 10 120
900 1 0 0 sched:sched_switch swapper/1 0 120 0 twenty 20 120
1000 0 10 10 irq:irq_handler_entry 24 disk-queue
1002 0 10 10 irq:softirq_raise 1
1004 0 10 10 irq:softirq_raise 1
1010 0 10 10 irq:irq_handler_exit 24 1
1009 0 10 10 irq:softirq_entry 1
1029 0 10 10 irq:softirq_exit 1
1100 0 10 10 irq:irq_handler_entry 24 disk-queue
1130 0 10 10 irq:irq_handler_exit 24 1
1200 1 20 20 irq:softirq_entry 1
1208 1 20 20 irq:softirq_exit 1
1300 1 20 20 workqueue:workqueue_activate_work 0xffff888100000040 0xffffffff81100000
1400 1 20 20 workqueue:workqueue_execute_start 0xffff888100000040 0xffffffff81100000
1650 1 20 20 workqueue:workqueue_execute_end 0xffff888100000040 0xffffffff81100000
1700 0 10 10 workqueue:workqueue_execute_start 0xffff888100000080 0xffffffff81110000
1800 0 10 10 workqueue:workqueue_execute_end 0xffff888100000080 0xffffffff81110000
1900 0 10 10 sched:sched_switch ten 10 120 1 swapper/0 0 120
2400 0 0 0 sched:sched_switch swapper/0 0 120 0 ten 10 120
2900 1 20 20 sched:sched_switch twenty 20 120 1 swapper/1 0 120
EOF
python3 "$TOP/tests/t/tpenc.py" k.data <story || exit 1
kwork () { local c=$1; shift; perf kwork $c -i k.data --kallsyms symbols "$@"; }

test_expect_success 'report: each work of each CPU, by the time that it took' '
	kwork report -S >out && sed "s/ *\$//" out >got && cat >expect <<-\EOF && test_cmp expect got

	  Kwork Name                     | Cpu  | Total Runtime | Count     | Max runtime   | Max runtime start   | Max runtime end     |
	 --------------------------------------------------------------------------------------------------------------------------------
	  (w)flush_work                  | 0001 |      0.250 ms |         1 |      0.250 ms |       1000.001400 s |       1000.001650 s |
	  (w)a_function_of_a_very_long_  | 0000 |      0.100 ms |         1 |      0.100 ms |       1000.001700 s |       1000.001800 s |
	  disk-queue:24                  | 0000 |      0.040 ms |         2 |      0.030 ms |       1000.001100 s |       1000.001130 s |
	  (s)TIMER:1                     | 0000 |      0.020 ms |         1 |      0.020 ms |       1000.001009 s |       1000.001029 s |
	  (s)TIMER:1                     | 0001 |      0.008 ms |         1 |      0.008 ms |       1000.001200 s |       1000.001208 s |
	 --------------------------------------------------------------------------------------------------------------------------------
	  Total count            :         6
	  Total runtime   (msec) :     0.418 (52.250% load average)
	  Total time span (msec) :     0.800
	 --------------------------------------------------------------------------------------------------------------------------------

	EOF
'
test_expect_success 'latency: from the last time that it was raised; the rest is skipped, and counted' '
	kwork latency >out && sed -n "4,\$p" out | grep -v "^ --\|^\$" >got && cat >expect <<-\EOF && test_cmp expect got
	  (w)flush_work                  | 0001 |      0.100 ms |         1 |      0.100 ms |       1000.001300 s |       1000.001400 s |
	  (s)TIMER:1                     | 0000 |      0.005 ms |         1 |      0.005 ms |       1000.001004 s |       1000.001009 s |
	  INFO: 21.739% skipped events (5 including 1 raise, 4 entry, 0 exit)
	EOF
'
test_expect_success 'timehist: each run; kinds, names, CPUs and times are chosen' '
	kwork timehist -k softirq,irq -C 0 >out && sed -e 1,3d -e "s/ *\$//" out >got && cat >expect <<-\EOF && test_cmp expect got &&
	       1000.001000        1000.001010  [0000]  disk-queue:24                        0.010
	       1000.001009        1000.001029  [0000]  (s)TIMER:1                           0.020       0.005
	       1000.001100        1000.001130  [0000]  disk-queue:24                        0.030
	EOF
	kwork report -n flush_work | grep -c " ms " >n && test "$(cat n)" = 1 && kwork report -k irq | grep -c " ms " >n && test "$(cat n)" = 1 &&
	kwork timehist --time 1000.0012,1000.0014 | grep -c "TIMER" >n && test "$(cat n)" = 1
'
test_expect_success 'top: tasks without what interrupts took from them' '
	kwork top >out && sed "s/ *\$//" out >got && cat >expect <<-\EOF && test_cmp expect got &&

	Total  :      3.500 ms, 2 cpus
	%Cpu(s):  14.29% id,   1.14% hi,   0.80% si
	%Cpu0   [||||||||||||||||||              62.66%]
	%Cpu1   [|||||||||||||||||||||||||||||   99.60%]

	      PID    %CPU           RUNTIME  COMMAND
	  ----------------------------------------------------
	       20   99.60          1.992 ms  twenty
	       10   62.66          0.940 ms  ten
	        0   33.33          0.500 ms  swapper/0

	EOF
	kwork top -s tid -n ten | grep -c " ms  " >n && test "$(cat n)" = 1
'
test_expect_success 'JSON and CSV have the values of the text' '
	kwork report --json >j && kwork latency -x , >c && kwork top --json >t && cat >check.py <<-\EOF && python3 check.py &&
	import json
	works = json.load(open("j"))["works"]
	assert [w["runtime_ns"] for w in works] == [250000, 100000, 40000, 20000, 8000], works
	assert works[2]["class"] == "irq" and works[2]["name"] == "disk-queue" and works[2]["id"] == 24 and works[2]["max_ns"] == 30000, works[2]
	tasks = json.load(open("t"))["tasks"]
	assert [(t["tid"], t["comm"], t["runtime_ns"]) for t in tasks] == [(20, "twenty", 1992000), (10, "ten", 940000), (0, "swapper/0", 500000)], tasks
	EOF
	sed -n 2p c >got && echo "workqueue,flush_work,(w)flush_work,18446612686364999744,1,100000,1,100000,1000001300000,1000001400000" >expect && test_cmp expect got
'
test_expect_success 'what is wrong is said' '
	test_status 1 kwork report -k foo 2>err && test_grep "no kind of work .foo" err && test_grep "irq, softirq, workqueue, sched" err &&
	test_status 1 kwork report -s avg 2>err && test_grep "sort: there is no key .avg" err && test_grep "runtime, max, count" err &&
	test_status 1 kwork latency -s runtime 2>err && test_grep "avg, max, count" err &&
	test_status 1 perf kwork -k foo record true 2>err && test_grep "no kind of work" err &&
	test_status 1 perf kwork report -i "$TOP/tests/data/small/fp.data" 2>err && test_grep "no events of interrupts" err && test_grep "perf kwork record" err &&
	test_status 1 perf kwork top -i "$TOP/tests/data/small/fp.data" 2>err && test_grep "no sched_switch events" err
'
test_expect_success NEWEST 'upstream perf finds the same in it' '
	for c in report latency timehist top "report -s max -k irq,softirq" "report -C 1" "top -s runtime"; do
		"$NEWEST" kwork $c -i k.data 2>raw | sed "s/(w)0x[0-9a-f]* */(w)/; s/(w)[a-z_]* */(w)/" >expect &&
		perf kwork $c -i k.data 2>err | sed "s/(w)0x[0-9a-f]* */(w)/; s/(w)[a-z_]* */(w)/" >got && test_cmp expect got || { echo "$c"; return 1; }
	done
'
# Of times that are the same, upstream has another one first.
test_expect_success ROOT,TRACEFS,NEWEST 'record: its events, with the same rows as upstream has' '
	perf kwork -k irq,softirq,workqueue,sched record -o r.data -- sleep 0.2 >out 2>err &&
	for c in report latency timehist; do
		"$NEWEST" kwork $c -i r.data >expect 2>raw && perf kwork $c -i r.data >got 2>err || { cat raw err; return 1; }
		grep -v "INFO" expect >e && grep -v "INFO" got >g && cut -d "|" -f 3 e >e.order && cut -d "|" -f 3 g >g.order && test_cmp e.order g.order &&
		sort e >e.rows && sort g >g.rows && test_cmp e.rows g.rows || return 1
	done
'
test_expect_success 'live: wrong options are said' '
	test_status 129 perf kwork live -d 0 2>err && test_grep "is not a delay between refreshes" err &&
	test_status 1 perf kwork live --latency -s runtime true 2>err && test_grep "there is no key .runtime" err && test_grep "avg, max, count" err
'
# Timers of a second of sleeps of 10 ms: each table has soft interrupts, of its own time alone.
test_expect_success ROOT,TRACEFS,PYTHON 'live: a table each time, of what ran since the last one' '
	perf kwork live -k softirq -d 0.5 --json -- sh -c "for i in \$(seq 100); do sleep 0.01; done; exit 3" >json 2>err; test $? = 3 &&
	perf kwork live -k softirq --latency -- sleep 0.3 >out 2>err && test_grep "^# [0-9][0-9]:[0-9][0-9]:[0-9][0-9]$" out && test_grep "Avg delay" out && cat >check.py <<-\EOF && python3 check.py
	import json
	text, tables, d = open("json").read().strip(), [], json.JSONDecoder()
	while text:
	    o, end = d.raw_decode(text)
	    tables.append(o["works"]); text = text[end:].strip()
	assert len(tables) >= 3, len(tables)
	for t in tables[:2]:
	    assert t and all(r["class"] == "softirq" and r["count"] > 0 and r["runtime_ns"] < 1.5e9 and r["max_ns"] <= r["runtime_ns"] for r in t), t
	spans = [(min(r["max_start_ns"] for r in t), max(r["max_end_ns"] for r in t)) for t in tables if t]
	assert all(a[1] <= b[1] and b[0] >= a[0] for a, b in zip(spans, spans[1:])), spans
	EOF
'
test_expect_success ROOT,TRACEFS 'live: functions of work queues have their names' '
	perf kwork live -k workqueue -- sh -c "for i in 1 2 3 4 5; do dd if=/dev/zero of=file bs=64k count=4 conv=fsync 2>/dev/null; sleep 0.4; done" >out 2>err && test_grep "^  \(w\)[a-z_]" out && ! grep "(w)0x" out
'
test_done
