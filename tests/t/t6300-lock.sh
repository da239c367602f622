#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='perf lock: waits for the kernel locks, from made recordings and real ones'
. "$(dirname "$0")/lib.sh"

cat >symbols <<\EOF
ffffffff81000000 T _text
ffffffff81000000 T _stext
ffffffff81100000 T lookup
ffffffff81110000 T syscall
ffffffff81120000 T mapper
ffffffff81130000 T other
ffffffff81200000 T __sched_text_start
ffffffff81200000 T mutex_lock
ffffffff81210000 T down_read
ffffffff81220000 T __sched_text_end
ffffffff81220000 T __lock_text_start
ffffffff81220000 T spin_slow
ffffffff81230000 T __lock_text_end
ffffffff81230000 T _etext
ffffffff81800000 D big_lock
ffffffff81801000 D table_of_locks
ffffffff81802000 D __end_of_data
EOF
# Times in us. Task 100 waits twice for a mutex from lookup (500 and 100), once from mapper for a rwsem (2,000); task 200, whose
# chain ends in the same function, for the mutex (250). The idle tasks of two CPUs wait for one spin lock at once. One wait has
# no end, one end no beginning.
cat >story <<\EOF
event lock:contention_begin lock_addr:ptr flags:u32
event lock:contention_end lock_addr:ptr ret:s32
kernel ffffffff81000000 ffffffff81230000
comm 100 100 first
comm 200 200 second
1000 0 100 100 lock:contention_begin 0xffffffff81800000 33 @ ffffffff81200010 ffffffff81100020 ffffffff81110030
1100 0 100 100 lock:contention_begin 0xffffffff81800000 32 @ ffffffff81200010 ffffffff81100020 ffffffff81110030
1500 1 100 100 lock:contention_end 0xffffffff81800000 0
1600 0 200 200 lock:contention_begin 0xffffffff81800000 32 @ ffffffff81200010 ffffffff81130040 ffffffff81110030
1650 1 100 100 lock:contention_begin 0xffffffff81800000 32 @ ffffffff81200010 ffffffff81100020 ffffffff81110030
1750 1 100 100 lock:contention_end 0xffffffff81800000 0
1850 0 200 200 lock:contention_end 0xffffffff81800000 0
2000 0 100 100 lock:contention_begin 0xffff888100001000 2 @ ffffffff81210010 ffffffff81120020 ffffffff81110030
2010 0 0 0 lock:contention_begin 0xffffffff81801040 1 @ ffffffff81220010 ffffffff81130010
2015 1 0 0 lock:contention_begin 0xffffffff81801040 1 @ ffffffff81220010 ffffffff81130010
2020 0 0 0 lock:contention_end 0xffffffff81801040 0
2024.5 1 0 0 lock:contention_end 0xffffffff81801040 0
2100 0 200 200 lock:contention_end 0xffff888100002000 0
4000 1 100 100 lock:contention_end 0xffff888100001000 0
5000 1 100 100 lock:contention_begin 0xffff888100003000 4 @ ffffffff81210010 ffffffff81120020
EOF
python3 "$TOP/tests/t/tpenc.py" l.data <story || exit 1
lock () { local c=$1; shift; perf lock $c -i l.data --kallsyms symbols "$@"; }
# The text alone, without blanks at the ends of lines, into err.
text () { lock "$@" 2>all && sed "/^Warning: /d; s/ *\$//" all >err; }

test_expect_success 'contention: by caller, the functions of the locks themselves left out' '
	lock contention >out 2>err && ! test -s out && cat >expect <<-\EOF &&
	 contended   total wait     max wait     avg wait         type   caller

	         1      2.00 ms      2.00 ms      2.00 ms      rwsem:R   mapper+0x20
	         2    600.00 us    500.00 us    300.00 us        mutex   lookup+0x20
	         1    250.00 us    250.00 us    250.00 us        mutex   other+0x40
	         2     19.50 us     10.00 us      9.75 us     spinlock   other+0x10
	Warning: 1 waits had no end in the recording: they are not counted
	Warning: 1 waits began before the recording, or their beginning was lost: they are not counted
	EOF
	test_cmp expect err
'
test_expect_success 'by thread, by lock, and with the chains' '
	text contention -t && cat >expect <<-\EOF && test_cmp expect err &&
	 contended   total wait     max wait     avg wait          pid   comm

	         3      2.60 ms      2.00 ms    866.67 us          100   first
	         1    250.00 us    250.00 us    250.00 us          200   second
	         2     19.50 us     10.00 us      9.75 us            0   swapper
	EOF
	text contention -l && cat >expect <<-\EOF && test_cmp expect err &&
	 contended   total wait     max wait     avg wait            address   symbol

	         1      2.00 ms      2.00 ms      2.00 ms   ffff888100001000    (rwsem)
	         3    850.00 us    500.00 us    283.33 us   ffffffff81800000   big_lock (mutex)
	         2     19.50 us     10.00 us      9.75 us   ffffffff81801040   table_of_locks (spinlock)
	EOF
	text contention -v -E 1 && sed -n "4,\$p" err >chain && printf "\t\t\t0xffffffff81120020  mapper+0x20\n\t\t\t0xffffffff81110030  syscall+0x30\n" >expect &&
	test_cmp expect chain
'
test_expect_success 'filters, keys, columns and the depth of the chain' '
	text contention -Y mutex,spinlock -k contended -F avg_wait,wait_min && cat >expect <<-\EOF && test_cmp expect err &&
	    avg wait     min wait  contended         type   caller

	   300.00 us    100.00 us          2        mutex   lookup+0x20
	     9.75 us      9.50 us          2     spinlock   other+0x10
	   250.00 us    250.00 us          1        mutex   other+0x40
	EOF
	text contention -L big_lock -x , -S lookup && cat >expect <<-\EOF && test_cmp expect err &&
	# output: contended, total wait, max wait, avg wait, type, caller
	2, 600000, 500000, 300000, mutex, lookup+0x20
	EOF
	text contention -L ffff888100001000 -x "\t" && printf "1\t 2000000\t 2000000\t 2000000\t rwsem:R\t mapper+0x20\n" >expect &&
	sed 1d err >got && test_cmp expect got &&
	text contention -Y mutex --stack-skip 2 && cat >expect <<-\EOF && test_cmp expect err
	 contended   total wait     max wait     avg wait         type   caller

	         3    850.00 us    500.00 us    283.33 us        mutex   syscall+0x30
	EOF
'
test_expect_success 'report and info' '
	text report && cat >expect <<-\EOF && test_cmp expect err &&
	                Name   acquired  contended     avg wait   total wait     max wait     min wait

	            big_lock          3          3    283.33 us    850.00 us    500.00 us    100.00 us
	      table_of_locks          2          2      9.75 us     19.50 us     10.00 us      9.50 us
	                              1          1      2.00 ms      2.00 ms      2.00 ms      2.00 ms
	EOF
	text report -t -k wait_max -F contended -E 2 && cat >expect <<-\EOF && test_cmp expect err &&
	                Name  contended     max wait

	               first          3      2.00 ms
	              second          1    250.00 us
	EOF
	text info && cat >expect <<-\EOF && test_cmp expect err
	 Thread ID: comm
	         0: swapper
	       100: first
	       200: second

	Address of instance: name of class
	 0xffff888100001000:
	 0xffffffff81800000: big_lock
	 0xffffffff81801040: table_of_locks
	EOF
'
# Three waits of big_lock, 100, 250 and 500 us: steps of an eighth end at 262.143 and 524.287 us, and nothing is above the longest.
test_expect_success 'percentiles' '
	text contention -l -L big_lock --percentiles && cat >expect <<-\EOF && test_cmp expect err &&
	 contended   total wait     max wait     avg wait          50%          95%          99%            address   symbol

	         3    850.00 us    500.00 us    283.33 us    262.14 us    500.00 us    500.00 us   ffffffff81800000   big_lock (mutex)
	EOF
	text contention -L big_lock -t --percentiles -F wait_max -x ";" && cat >expect <<-\EOF && test_cmp expect err &&
	# output: max wait; total wait; 50%; 95%; 99%; pid; comm
	500000; 600000; 106495; 500000; 500000; 100; first
	250000; 250000; 250000; 250000; 250000; 200; second
	EOF
	text report --percentiles -E 1 -F contended && cat >expect <<-\EOF && test_cmp expect err &&
	                Name  contended   acquired          50%          95%          99%

	            big_lock          3          3    262.14 us    500.00 us    500.00 us
	EOF
	lock contention -q -l -L big_lock --percentiles --json >out && test_grep "\"p50_ns\":262143,\"p95_ns\":500000,\"p99_ns\":500000" out &&
	lock contention -q -l --json >out && ! grep p50_ns out
'
# Options that both have are told once, in the same words.
test_expect_success 'contention and futex share the options of whose waits' '
	for c in contention futex; do perf lock $c --list-opts=doc | awk -v RS= "/--(all-cpus|cpu|pid|tid|cgroup-filter|map-nr-entries|key|field)(=[^\n]*)?::/" >$c.opts || return 1; done &&
	test_cmp contention.opts futex.opts && [ "$(grep -c "^--" futex.opts)" = 8 ] && test_grep "only waits that begin on these CPUs" futex.opts
'
test_expect_success 'JSON and CSV have the values of the text' '
	lock contention -q --json >out && cat >check.py <<-\EOF && python3 check.py out &&
	import json, sys
	rows = json.load(open(sys.argv[1]))["locks"]
	assert [r["contended"] for r in rows] == [1, 2, 1, 2], rows
	assert rows[1]["total_wait_ns"] == 600000 and rows[1]["min_wait_ns"] == 100000 and rows[1]["type"] == "mutex", rows[1]
	assert rows[1]["stack"] == ["lookup+0x20", "syscall+0x30"], rows[1]
	assert rows[1]["stack_addresses"] == [0xffffffff81100020, 0xffffffff81110030], rows[1]
	EOF
	lock report -q -x , >out && sed -n 1,2p out >head && cat >expect <<-\EOF && test_cmp expect head
	contended,total_wait_ns,max_wait_ns,avg_wait_ns,min_wait_ns,address,symbol,type
	3,850000,500000,283333,100000,18446744071587233792,big_lock,mutex
	EOF
'
test_expect_success 'what is wrong is said' '
	test_status 1 lock contention -Y foo 2>err && test_grep "foo. is not a type of lock" err && test_grep "rwsem:R" err &&
	test_status 1 lock contention -k acquired 2>err && test_grep "key: there is no field .acquired" err &&
	test_status 1 lock report -F contended,x 2>err && test_grep "field: there is no field .x" err && test_grep "acquired, contended" err &&
	test_status 1 lock contention -l -t 2>err && test_grep "exclude each other" err &&
	test_status 1 lock contention -x . 2>err && test_grep "separator .\.. stands in names" err &&
	test_status 1 lock contention -L , 2>err && test_grep "list of locks is empty" err &&
	test_status 1 perf lock contention -i "$TOP/tests/data/small/fp.data" 2>err && test_grep "no lock contention events" err &&
	test_grep "perf lock record" err && test_status 129 perf lock foo 2>err && test_grep "record" err
'
test_expect_success 'the text goes to a file, or to standard output, where that is said' '
	lock contention -q -E 1 2>err && [ $(wc -l <err) = 1 ] && lock report -q -E 1 2>err && [ $(wc -l <err) = 1 ] && lock contention -q --output text >out 2>err && ! test -s out && ! test -s err && grep -c mapper text >n && test "$(cat n)" = 1 &&
	lock contention -q --output - >out 2>err && ! test -s err && test_cmp text out
'
# Upstream counts a wait without an end, takes the idle tasks for one, and names addresses by this machine.
test_expect_success NEWEST 'upstream perf finds the same in whole waits of other tasks' '
	sed "/^5000/d" story | python3 "$TOP/tests/t/tpenc.py" whole.data &&
	rows () { grep "^[0-9]" "$1" | grep -vE "ffffffff81801040|swapper" | sed -E "s/(, ffff[0-9a-f]{12}, )[^,]*,/\1,/" | sort; } &&
	for o in "-t -k contended" "-l -k wait_total -F contended,wait_min" "-t -F avg_wait,wait_max" "-l -Y mutex" "-t -L ffffffff81800000"; do
		"$NEWEST" lock contention -i whole.data $o -x , >/dev/null 2>theirs &&
		perf lock contention -q -i whole.data $o -x , 2>ours &&
		rows theirs >expect && rows ours >got && test -s got && test_cmp expect got || { echo "$o"; return 1; }
	done
'
test_expect_success ROOT,TRACEFS 'record: its events, read by report, script and contention' '
	test_workload lockfight && perf lock record -o r.data -- ./lockfight >out 2>err && perf evlist -i r.data >names 2>/dev/null &&
	grep -v "^#" names >got && printf "lock:contention_begin\nlock:contention_end\n" >expect && test_cmp expect got &&
	perf lock contention -i r.data 2>err && test_grep "contended .* caller" err
'
test_done
