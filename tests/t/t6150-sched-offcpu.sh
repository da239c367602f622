#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='perf sched offcpu: for how long tasks were off the CPU, by state and stack, from made recordings'
. "$(dirname "$0")/lib.sh"

cat >symbols <<\EOF
ffffffff81000000 T _text
ffffffff81000000 T _stext
ffffffff81100000 T schedule
ffffffff81101000 T pipe_read
ffffffff81102000 T vfs_read
ffffffff81103000 T io_schedule
ffffffff81104000 T blkdev_read
ffffffff81105000 T do_work
ffffffff81106000 T pipe_write
ffffffff81107000 T vfs_write
ffffffff81108000 T blk_done
ffffffff81109000 T do_signal_stop
ffffffff8110a000 T _etext
EOF
# reader sleeps on a pipe for 5 ms, until writer wakes it, and waits 1 ms for the CPU; then 2 ms for a disk, which an interrupt
# ends; then it is preempted for 3 ms. writer is stopped for 4 ms, and never comes back from its last sleep (1 ms until the end).
cat >head <<\EOF
event sched:sched_switch prev_comm:16 prev_pid:s32 prev_prio:s32 prev_state:s64 next_comm:16 next_pid:s32 next_prio:s32
event sched:sched_waking comm:16 pid:s32 prio:s32 target_cpu:s32
kernel ffffffff81000000 ffffffff8110a000
comm 100 100 reader
comm 200 201 writer
EOF
cat >events <<\EOF
1000 0 0 0 sched:sched_switch swapper/0 0 120 0 reader 100 120
2000 0 100 100 sched:sched_switch reader 100 120 1 swapper/0 0 120 @ ffffffff81100010 ffffffff81101010 ffffffff81102010
3000 1 0 0 sched:sched_switch swapper/1 0 120 0 writer 201 120
7000 1 200 201 sched:sched_waking reader 100 120 0 @ ffffffff81106010 ffffffff81107010
8000 0 0 0 sched:sched_switch swapper/0 0 120 0 reader 100 120
9000 0 100 100 sched:sched_switch reader 100 120 2 swapper/0 0 120 @ ffffffff81100010 ffffffff81103010 ffffffff81104010
10000 1 200 201 sched:sched_switch writer 201 120 4 swapper/1 0 120 @ ffffffff81100010 ffffffff81109010
11000 0 0 0 sched:sched_waking reader 100 120 0 @ ffffffff81108010
11000 0 0 0 sched:sched_switch swapper/0 0 120 0 reader 100 120
12000 0 100 100 sched:sched_switch reader 100 120 256 hog 300 120 @ ffffffff81100010 ffffffff81105010
14000 1 0 0 sched:sched_switch swapper/1 0 120 0 writer 201 120
15000 0 300 300 sched:sched_switch hog 300 120 16 reader 100 120 @ ffffffff81100010
15000 1 200 201 sched:sched_switch writer 201 120 1 swapper/1 0 120 @ ffffffff81100010 ffffffff81101010 ffffffff81102010
16000 0 100 100 sched:sched_waking nobody 500 120 0
EOF
made () { python3 "$TOP/tests/t/tpenc.py" "$1" || exit 1; }
cat head events | made o.data
(echo nochains; cat head events) | made plain.data
offcpu () { perf sched -i "${f:-o.data}" offcpu --kallsyms symbols "$@"; }

test_expect_success 'times, waits, states and stacks' '
	offcpu | sed "s/ *\$//" >out && cat >expect <<-\EOF && test_cmp expect out
	# Off-CPU time: 0.016000 s in 6 waits of 2 tasks
	#
	#  Share  Time (s)  Waits   Average   Longest  Command  State
	# ......  ........  .....  ........  ........  .......  .........
	#
	  31.25%  0.005000      1  0.005000  0.005000  reader   sleep
	            |
	            ---vfs_read
	               pipe_read

	  25.00%  0.004000      1  0.004000  0.004000  writer   stopped
	            |
	            ---do_signal_stop

	  18.75%  0.003000      1  0.003000  0.003000  reader   preempted
	            |
	            ---do_work

	  12.50%  0.002000      1  0.002000  0.002000  reader   disk
	            |
	            ---blkdev_read
	               io_schedule

	   6.25%  0.001000      1  0.001000  0.001000  reader   runnable
	            |
	            ---vfs_read
	               pipe_read

	   6.25%  0.001000      1  0.001000  0.001000  writer   sleep
	            |
	            ---vfs_read
	               pipe_read

	EOF
'
test_expect_success 'the waker and its stack' '
	offcpu --wakers --comm reader | sed "s/ *\$//" >out && cat >expect <<-\EOF && test_cmp expect out
	# Off-CPU time: 0.011000 s in 4 waits of 1 tasks
	#
	#  Share  Time (s)  Waits   Average   Longest  Command  State
	# ......  ........  .....  ........  ........  .......  .........
	#
	  45.45%  0.005000      1  0.005000  0.005000  reader   sleep
	            |
	            ---vfs_read
	               pipe_read
	               [woken by writer 201]
	               pipe_write
	               vfs_write

	  27.27%  0.003000      1  0.003000  0.003000  reader   preempted
	            |
	            ---do_work

	  18.18%  0.002000      1  0.002000  0.002000  reader   disk
	            |
	            ---blkdev_read
	               io_schedule
	               [woken by swapper 0]
	               blk_done

	   9.09%  0.001000      1  0.001000  0.001000  reader   runnable
	            |
	            ---vfs_read
	               pipe_read

	EOF
'
test_expect_success 'rows of other things; no stacks; from the innermost function on' '
	offcpu -s state -G --percentiles | sed "s/ *\$//" >out && cat >expect <<-\EOF && test_cmp expect out &&
	# Off-CPU time: 0.016000 s in 6 waits of 2 tasks
	#
	#  Share  Time (s)  Waits   Average   Longest       50%       95%       99%  State
	# ......  ........  .....  ........  ........  ........  ........  ........  .........
	#
	  37.50%  0.006000      2  0.003000  0.005000  0.001048  0.005000  0.005000  sleep
	  25.00%  0.004000      1  0.004000  0.004000  0.004000  0.004000  0.004000  stopped
	  18.75%  0.003000      1  0.003000  0.003000  0.003000  0.003000  0.003000  preempted
	  12.50%  0.002000      1  0.002000  0.002000  0.002000  0.002000  0.002000  disk
	   6.25%  0.001000      1  0.001000  0.001000  0.001000  0.001000  0.001000  runnable
	EOF
	offcpu -s tid --tid 100 --inverted --percent-limit 20 | sed "s/ *\$//" >out && cat >expect <<-\EOF && test_cmp expect out
	# Off-CPU time: 0.011000 s in 4 waits of 1 tasks
	#
	#   Share  Time (s)  Waits   Average   Longest  Tid
	# .......  ........  .....  ........  ........  ...
	#
	  100.00%  0.011000      4  0.002750  0.005000  100
	            |
	            |--54.55%--pipe_read
	            |          vfs_read
	            |
	             --27.27%--do_work

	EOF
'
test_expect_success 'JSON and CSV have the values of the text' '
	offcpu --json >j && cat >check.py <<-\EOF && python3 check.py &&
	import json
	d = json.load(open("j"))
	assert (d["total_ns"], d["waits"], d["tasks"]) == (16000000, 6, 2), d
	r = d["rows"][0]
	assert (r["comm"], r["state"], r["time_ns"], r["count"], r["max_ns"], r["p99_ns"]) == ("reader", "sleep", 5000000, 1, 5000000, 5000000), r
	assert r["callgraph"] == [{"period": 5000000, "samples": 1, "frames": ["vfs_read", "pipe_read"]}], r
	assert sum(r["time_ns"] for r in d["rows"]) == d["total_ns"]
	EOF
	offcpu -s comm,stack -x , >c && sed -n 1,3p c >got && cat >expect <<-\EOF && test_cmp expect got
	share,time_ns,count,avg_ns,max_ns,p50_ns,p95_ns,p99_ns,comm,stack
	37.5000,6000000,2,3000000,5000000,1048575,5000000,5000000,reader,vfs_read;pipe_read
	25.0000,4000000,1,4000000,4000000,4000000,4000000,4000000,writer,do_signal_stop
	EOF
'
test_expect_success 'a span of time' '
	offcpu --time 1000.008500,1000.011500 -s state -x , | sed -n 1,3p | cut -d, -f2,9 >got &&
	printf "time_ns,state\n2000000,disk\n1000000,stopped\n" >expect && test_cmp expect got
'
test_expect_success 'the picture has the same times' '
	offcpu --flame=f.html 2>err && test -s f.html && perf flame -i o.data --off-cpu --folded --kallsyms symbols -o - 2>err |
		awk "{ sum += \$NF } END { print sum }" >got && echo 16000000 >expect && test_cmp expect got
'
test_expect_success 'without call chains' '
	f=plain.data offcpu -s comm,state -x , >got 2>err && test_grep "The recording has no call chains: record it with -g" err &&
	offcpu -s comm,state -x , >expect 2>err && test_cmp expect got
'
test_expect_success 'what is wrong is said' '
	test_status 1 offcpu -s foo 2>err && test_grep "sort: there is no key .foo" err && test_grep "comm, pid, tid, state" err &&
	test_status 1 offcpu -s waker 2>err && test_grep "the key .waker. needs --wakers" err &&
	test_status 129 offcpu --flame --wakers 2>err && test_grep "flame excludes" err &&
	test_status 1 offcpu --tid 12345 2>err && test_grep "no task that is asked for left a CPU" err &&
	test_status 1 perf sched offcpu -i "$TOP/tests/data/small/fp.data" 2>err && test_grep "no scheduler events" err
'
test_done
