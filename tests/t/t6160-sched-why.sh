#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='perf sched why: what late tasks waited for, from made recordings whose reason is known'
. "$(dirname "$0")/lib.sh"
. "$TEST_DIR/npm.sh"

python3 "$TOP/tests/t/why.py" . || exit 1
why () { perf sched why --kallsyms symbols -i "$@"; }

# The parts of the chain, and the causes, add up to the delay; parts follow each other without gaps.
cat >adds-up.py <<\EOF
import json, sys
for w in json.load(sys.stdin)["waits"]:
    assert sum(c["time_ns"] for c in w["causes"]) == w["delay_ns"] == w["to_ns"] - w["from_ns"], w
    at = w["from_ns"]
    for p in w["chain"]:
        if p["part"]:
            assert p["from_ns"] == at and p["time_ns"] > 0, (p, at)
            at += p["time_ns"]
    assert at == w["to_ns"], w
    print(w["causes"][0]["kind"], w["causes"][0]["time_ns"], w["causes"][0]["cause"], sep="\t")
EOF
while IFS=$'\t' read -r name task kind ns words; do
	python3 "$TOP/tests/t/tpenc.py" "$name.data" <"$name" || exit 1
	test_expect_success "$name: the reason comes first, and the times add up" '
		why $name.data --json $task >j && python3 adds-up.py <j >got &&
		printf "%s\t%s\t" "$kind" "$ns" >expect && head -c $(stat -c %s expect) got >begin && test_cmp expect begin && grep -F "$words" got
	'
done <expected

test_expect_success 'the chain as text' '
	why pipes.data t1 | sed "s/ *\$//" >out && cat >expect <<-\EOF && test_cmp expect out
	t1 1 from 1000.000100 s to 1000.020500 s: 20.400 ms

	    Share   Time (ms)  Parts  Cause
	   97.89%      19.970      1  t4 4 ran, for which it waited through a pipe
	    0.98%       0.200      2  t3 3 ran, for which it waited through a pipe
	    0.49%       0.100      2  t2 2 ran, for which it waited through a pipe
	    0.49%       0.100      2  it ran itself
	    0.05%       0.010      1  the CPU came out of idle
	    0.05%       0.010      1  t3 3 (nice 0) ran on CPU 1 instead
	    0.05%       0.010      1  t2 2 (nice 0) ran on CPU 1 instead

	    At (ms)     For (ms)
	      0.000        0.010  t1 1 ran on CPU 1
	      0.010     (20.290)  t1 1 waited for a pipe, until t2 2 woke it
	      0.010        0.010    t2 2 ran on CPU 1
	      0.020     (20.180)    t2 2 waited for a pipe, until t3 3 woke it
	      0.020        0.010      t3 3 ran on CPU 1
	      0.030     (19.970)      t3 3 waited for a pipe, until t4 4 woke it
	      0.030       19.970        t4 4 ran on CPU 0
	     20.000        0.010      t3 3 waited for CPU 1, which came out of idle
	     20.010        0.190      t3 3 ran on CPU 1
	     20.200        0.010    t2 2 waited for CPU 1, which ran t3 3 (nice 0)
	     20.210        0.090    t2 2 ran on CPU 1
	     20.300        0.010  t1 1 waited for CPU 1, which ran t2 2 (nice 0)
	     20.310        0.090  t1 1 ran on CPU 1
	EOF
'
test_expect_success 'a span of time, and the longest parts' '
	why disk.data --time 1000.010,1000.020 1 | head -5 | sed "s/ *\$//" >out && cat >expect <<-\EOF && test_cmp expect out &&
	t1 1 from 1000.010000 s to 1000.020000 s: 10.000 ms

	    Share   Time (ms)  Parts  Cause
	   80.00%       8.000      2  t1 1 waited for I/O of device 8:16
	   20.00%       2.000      1  it ran itself
	EOF
	why pipes.data --max-parts 1 t1 | tail -6 | sed "s/ *\$//" >out && cat >expect <<-\EOF && test_cmp expect out
	      0.010        0.010  ... 1 shorter part
	      0.020     (20.180)    t2 2 waited for a pipe, until t3 3 woke it
	      0.020        0.010  ... 1 shorter part
	      0.030     (19.970)      t3 3 waited for a pipe, until t4 4 woke it
	      0.030       19.970        t4 4 ran on CPU 0
	     20.000        0.400  ... 6 shorter parts
	EOF
'
test_expect_success 'the longest waits of all tasks' '
	why pipes.data --slowest 2 | head -3 >out && cat >expect <<-\EOF && test_cmp expect out &&
	   #         From (s)     For (ms)  Task                   First cause
	   1      1000.000110       20.300  t1 1                   t4 4 ran, for which it waited through a pipe
	   2      1000.000120       20.190  t2 2                   t4 4 ran, for which it waited through a pipe
	EOF
	why convoy.data --slowest 10 --json >j && python3 adds-up.py <j >got && [ $(wc -l <got) = 3 ] &&
	why hog.data --slowest 1 t1 -x , >c && sed -n 1,2p c >got && cat >expect <<-\EOF && test_cmp expect got
	comm,tid,from_ns,to_ns,delay_ns,lost,first_cause,share,time_ns,count,kind,cause
	t1,1,1000005000000,1000032000000,27000000,0,t9 9 (realtime priority 50) ran on CPU 0 instead,92.5926,25000000,1,cpu,t9 9 (realtime priority 50) ran on CPU 0 instead
	EOF
'
test_expect_success 'without call chains' '
	{ echo nochains && cat pipes; } | python3 "$TOP/tests/t/tpenc.py" plain.data && why plain.data t1 >out 2>err &&
	test_grep "Without call chains it is mostly not known" err && test_grep "t4 4 ran, for which it waited through something" out
'
test_expect_success 'what is wrong is said' '
	test_status 129 why pipes.data 2>err && test_grep "which task" err &&
	test_status 129 why pipes.data t1 t2 2>err && test_grep "unexpected argument .t2." err &&
	test_status 1 why pipes.data nobody 2>err && test_grep "the recording has no task .nobody." err &&
	test_status 1 why pipes.data --time 3,2 t1 2>err && test_grep "invalid time window" err &&
	test_status 1 why pipes.data --time 1,2 t1 2>err && test_grep "the task did nothing in that time" err &&
	test_status 1 why "$TOP/tests/data/small/fp.data" sh 2>err && test_grep "no scheduler events" err
'
test_expect_success 'perf flame --why: of which recordings, and beside what' '
	perf flame --why 2 --kallsyms symbols -i pipes.data -f -o w.html 2>err && test_grep "^\[ perf flame: .* samples" err &&
	test_status 129 perf flame --why 2 --folded -i pipes.data 2>err && test_grep "^Error: --why is part of the page of one recording$" err &&
	test_status 129 perf flame --why 2 --comm t1 -i pipes.data 2>err && test_grep "^Error: --why follows waits through all tasks" err &&
	test_status 129 perf flame --why 2 -- true 2>err && test_grep "perf sched record --why" err &&
	grep -v sched_switch pipes >none && python3 "$TOP/tests/t/tpenc.py" none.data <none && test_status 1 perf flame --why 2 -i none.data -o n.html 2>err &&
	test_grep "has no sched_switch events" err && [ ! -e n.html ]
'
test_expect_success BROWSER 'its page has the chain that perf sched why shows' '
	browser waits w.html >got && cat >expect <<-\EOF && test_cmp expect got
	hidden false true
	waitlist 1000.000110 | 20.3 ms | t1 1 | t4 4 ran, for which it waited through a pipe
	waitlist 1000.000120 | 20.2 ms | t2 2 | t4 4 ran, for which it waited through a pipe
	waitcauses 98.37% | 20.0 ms | 1 | t4 4 ran, for which it waited through a pipe
	waitcauses 0.99% | 200 µs | 2 | t3 3 ran, for which it waited through a pipe
	waitcauses 0.49% | 100 µs | 2 | t2 2 ran, for which it waited through a pipe
	waitcauses 0.05% | 10 µs | 1 | the CPU came out of idle
	waitcauses 0.05% | 10 µs | 1 | t3 3 (nice 0) ran on CPU 1 instead
	waitcauses 0.05% | 10 µs | 1 | t2 2 (nice 0) ran on CPU 1 instead
	waitchain 0 µs | (20.3 ms) |  | t1 1 waited for a pipe, until t2 2 woke it
	waitchain 0 µs | 10 µs |  | t2 2 ran on CPU 1
	waitchain 10 µs | (20.2 ms) |  | t2 2 waited for a pipe, until t3 3 woke it
	waitchain 10 µs | 10 µs |  | t3 3 ran on CPU 1
	waitchain 20 µs | (20.0 ms) |  | t3 3 waited for a pipe, until t4 4 woke it
	waitchain 20 µs | 20.0 ms |  | t4 4 ran on CPU 0
	waitchain 20.0 ms | 10 µs |  | t3 3 waited for CPU 1, which came out of idle
	waitchain 20.0 ms | 190 µs |  | t3 3 ran on CPU 1
	waitchain 20.2 ms | 10 µs |  | t2 2 waited for CPU 1, which ran t3 3 (nice 0)
	waitchain 20.2 ms | 90 µs |  | t2 2 ran on CPU 1
	waitchain 20.3 ms | 10 µs |  | t1 1 waited for CPU 1, which ran t2 2 (nice 0)
	lanes true
	link true
	other true
	stacks true true
	back true true
	EOF
'
test_expect_success BROWSER,AXE 'which who cannot see it can use' '
	browser axe "w.html#wait=0" >found && test_cmp /dev/null found
'
test_done
