#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf heap record: what programs allocate, by what they say themselves'
. "$(dirname "$0")/lib.sh"

test_workload heaps -fno-builtin
test_workload heapscxx
test_workload heapforks
test_workload heaplate
test_workload heapown -fno-builtin
test_workload nocall
test_require PYTHON,BPF,PERF_SW
heap () { perf heap record -q -o "${f:-h.data}" "$@"; }
# Each function that the program tells of has exactly these sums; with a second argument: within three standard deviations.
cat >compare.py <<\EOF
import json, sys
d = json.load(open('report'))
rows = {r['function'].split('(')[0]: r for r in d['rows']}
bad = d['lost'] and 'lost: %d' % d['lost'] or ''
for line in open(sys.argv[1]):
    name, *said = line.split()
    live, peak, alloc, freed, times = map(int, said)
    r = rows.get(name)
    if len(sys.argv) == 2:
        got = r and (r['live_bytes'], r['peak_bytes'], r['alloc_bytes'], r['freed_bytes'], r['allocs'])
        if got != (live, peak, alloc, freed, times):
            bad += '\n%s: %s, not %s' % (name, got, said)
    elif alloc > 40 * d['period_bytes']:
        got, error = (r['alloc_bytes'], r['error_bytes']) if r else (0, 0)
        if abs(got - alloc) > 1.5 * error + 1 or error > alloc / 2:
            bad += '\n%s: %d +- %d, not %d' % (name, got, error, alloc)
print(bad)
sys.exit(bool(bad))
EOF
as_said () { perf heap report --json --sort alloc -i "${f:-h.data}" >report 2>err && python3 compare.py said "$@"; }

test_expect_success 'without BPF, and without the right to use it: one message, and no file' '
	test_status 1 ./nocall bpf=EINVAL "$BUILD/perf" heap record -q -o none.data true 2>err && [ ! -e none.data ] && [ $(grep -c ^Error err) = 1 ] &&
	mkdir home && chmod 777 home . && HOME=$PWD/home test_status 1 setpriv --reuid=65534 --regid=65534 --clear-groups "$BUILD/perf" heap record -q -o home/none.data true 2>err &&
	[ ! -e home/none.data ] && test_grep "^Error: .*not permitted" err && [ $(grep -c ^Error err) = 1 ]
'
test_lazy_prereq HEAP 'needs a kernel (5.17) with uprobes that BPF programs can be on' 'perf heap record -q -o probe.data true'
test_require HEAP
test_lazy_prereq MULTI 'needs a kernel (6.6) that probes many functions at once' 'perf heap record -q --probes multi -o probe.data true'
test_lazy_prereq SESSION 'needs a kernel (6.14) with session probes' 'perf heap record -q --probes session -o probe.data true'

test_expect_success 'each allocation, exact to the byte' '
	heap --period 1 ./heaps >said && as_said &&
	perf evlist -i h.data >out && printf "%s\n" dummy:u heap:alloc heap:free >expect && test_cmp expect out
'
test_expect_success SESSION 'the same with each kind of probes: session' 'heap --probes session --period 1 ./heaps >said && as_said'
test_expect_success MULTI 'the same: many at once' 'heap --probes multi --period 1 ./heaps 2000 >said && as_said'
test_expect_success 'the same: one by one' 'heap --probes single --period 1 ./heaps 2000 >said && as_said'
stack () { perf heap report --sort alloc -g -i h.data 2>err | sed -n '/ leak$/,/^$/p' | tr -d ' |\n'; }
test_expect_success 'stacks: by DWARF, and by frame pointers' '
	heap --period 1 ./heaps >said && stack | grep "mainleak" &&
	heap --period 1 --call-graph fp ./heaps >said && as_said && stack | grep "mainleak"
'
test_expect_success CXX 'C++: new and delete, another thread, a child' '
	heap --period 1 ./heapscxx 300 >said && as_said
'
test_expect_success 'a static program' '
	cc -g -O1 -fno-inline -fno-builtin -D_GNU_SOURCE -static -o static "$TOP/tests/workloads/heaps.c" || { test_skip "needs static libraries"; return 0; }
	heap --period 1 ./static 2000 >said && as_said
'
test_expect_success 'musl: static, and with its loader' '
	musl-gcc -g -O1 -fno-inline -fno-builtin -D_GNU_SOURCE -static -o musl "$TOP/tests/workloads/heaps.c" || { test_skip "needs musl-gcc (package musl-tools)"; return 0; }
	heap --period 1 ./musl 2000 >said && as_said &&
	musl-gcc -g -O1 -fno-inline -fno-builtin -D_GNU_SOURCE -o musl "$TOP/tests/workloads/heaps.c" && heap --period 1 ./musl 2000 >said && as_said
'
test_expect_success 'a script, whose interpreter is probed' '
	printf "#!%s\n" "$(command -v sh)" >script && echo "exec ./heaps 100" >>script && chmod +x script &&
	heap --period 1 ./script >said && as_said
'
test_lazy_prereq FANOTIFY 'needs a kernel with permission events of fanotify (CONFIG_FANOTIFY_ACCESS_PERMISSIONS)' \
	'perf heap record -q --period 1 -o fan.data sh -c "./heaps 10; true" && [ "$(perf heap report -i fan.data -x, --sort alloc | grep -c "leak$")" = 1 ]'
test_expect_success FANOTIFY 'programs that a script executes, from their beginning on' '
	heap --period 1 sh -c "for i in 1 2 3 4 5 6 7 8 9 10; do ./heaps 10 >said; done" && perf heap report -i h.data -x, --sort alloc >rows && awk -F, "
		\$NF == \"leak\" { leak = \$2 \" \" \$3 \" \" \$7 } \$NF == \"grow\" { grow = \$5 \" \" \$7 } END { print leak, grow }" rows >out &&
	echo "1000000 1000000 1000 2047000 110" >expect && test_cmp expect out
'
test_expect_success 'sampled: within the error that is told' '
	heap --period 64K ./heaps 400000 >said && as_said about && heap ./heaps 1000000 >said && as_said about
'
test_expect_success 'a process that runs; its memory of before is not known' '
	{ ./heaps 2000 1500 >said & } && pid=$! && test_kill_at_end $pid && sleep 0.5 && kill -STOP $pid &&
	{ heap --period 1 -p $pid -- sh -c "kill -CONT $pid; tail --pid=$pid -f /dev/null" || [ $? = 143 ]; } && as_said
'
test_expect_success 'children that are only forked, whose parents end at once' '
	heap --period 1 ./heapforks 1 1000 >said && as_said && heap --period 1 ./heapforks 20 1500 >said && perf heap report -i h.data -x, --sort alloc >rows &&
	awk -F, "NR > 1 && NF == 12 { print \$NF, \$5, \$6, \$7 }" rows | grep -E "^(parent|child|grandchild) " | sort >got && awk "{ print \$1, \$4, \$5, \$6 }" said | sort | test_cmp - got
'
test_expect_success 'a process that runs: its children, after it has ended' '
	{ ./heapforks 3 1500 >said & } && pid=$! && test_kill_at_end $pid && heap --period 1 -p $pid && wait $pid && perf heap report -i h.data -x, --sort alloc >rows &&
	awk -F, "NR > 1 && NF == 12 { print \$NF, \$5, \$6, \$7 }" rows | grep -E "^(parent|child|grandchild) " | sort >got && awk "{ print \$1, \$4, \$5, \$6 }" said | sort | test_cmp - got
'
test_expect_success 'an allocator that is preloaded' '
	libs=$(ls /usr/lib/*/libjemalloc.so.2 /usr/lib/*/libtcmalloc_minimal.so.4 2>/dev/null) || [ "$libs" ] || { test_skip "needs jemalloc or tcmalloc"; return 0; }
	for lib in $libs; do
		LD_PRELOAD=$lib heap --period 1 ./heaps 2000 >said && as_said && LD_PRELOAD=$lib heap --period 1 ./heapscxx 300 >said && as_said || { echo "$lib"; return 1; }
	done
'
test_expect_success 'a library with an allocator of its own that is loaded later' '
	cc -g -O1 -fno-builtin -fno-inline -shared -fPIC -DPLUGIN -o plugin.so "$TOP/tests/workloads/heaplate.c" &&
	cc -g -O1 -fno-builtin -fno-inline -shared -fPIC -DPLUGIN -DHIDDEN -o hidden.so "$TOP/tests/workloads/heaplate.c" &&
	for lib in plugin hidden; do
		perf heap record -o h.data --period 1 ./heaplate ./$lib.so 1000 >said 2>late && as_said &&
		test_grep "^Warning: functions that allocate memory were mapped while this recorded, those of .*/$lib.so.: what" late && test_grep "^Hint: --library .*/$lib.so probes them" late &&
		perf heap record -o h.data --period 1 --library ./$lib.so ./heaplate ./$lib.so >said 2>late && ! grep Warning late && as_said || return 1
	done &&
	heap --period 1 --library ./plugin.so,./hidden.so sh -c "./heaplate ./hidden.so; true" >said && as_said
'
test_expect_success 'what is no such library' '
	test_status 1 heap --library ./none true 2>err && test_grep "^Error: cannot read .*./none.*, which is to be probed: No such file" err &&
	test_status 1 heap --library ./heaplate true 2>err && test_grep "^Error: .*./heaplate.* has no function that allocates memory" err
'
test_expect_success 'operators new and delete of a program: each once, whether they call malloc or not' '
	heap --period 1 ./heapown >said && as_said && heap --probes single --period 1 ./heapown >said && as_said &&
	perf heap record -o h.data --period 1 ./heapown 2>err >said && test_grep "201 allocations of [0-9]* bytes and 100 frees were seen" err
'
test_expect_success 'options of perf record: events beside them' '
	f=c.data heap -e cpu-clock -F 1000 ./heaps 200000 >said && perf evlist -i c.data >out && printf "%s\n" cpu-clock heap:alloc heap:free >expect && test_cmp expect out
'
test_expect_success 'live: the last table has the sums that the program tells' '
	perf heap live -d 60 --period 1 -s alloc --json -- ./heaps >both 2>err && sed -n "/^{/,\$p" both >report && sed "/^{/,\$d" both >said && test -s said && python3 compare.py said
'
test_expect_success 'live: again and again while programs allocate' '
	perf heap live -d 0.2 --period 1 -g -- sh -c "for i in 1 2 3 4 5; do ./heaps 20; sleep 0.4; done; exit 3" >out 2>err; test $? = 3 &&
	test "$(grep -c "^# [0-9][0-9]:[0-9][0-9]:[0-9][0-9]$" out)" -ge 3 && test_grep " leak$" out &&
	grep "^# allocated: " out | sed "s/.*: \([0-9]*\) bytes.*/\1/" >sums && sort -n sums | test_cmp - sums && test "$(head -1 sums)" -lt "$(tail -1 sums)"
'
test_expect_success PTY 'live: on a terminal in the place of the table before, with nothing below it' '
	TERM=xterm script -qec "perf heap live -d 0.2 --period 1 -- sh -c \"for i in 1 2 3 4 5 6; do ./heaps 20; sleep 0.4; done\"" /dev/null </dev/null >screen &&
	test "$(grep -c "$(printf "\033\[H\033\[2J")# " screen)" -ge 2 && ! grep "Processing" screen
'
test_expect_success 'live: what interrupts it ends the recorder, whose last table is shown' '
	cat >interrupt.py <<-\EOF &&
	import signal, subprocess, sys, time
	p = subprocess.Popen(sys.argv[1:], preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
	end = time.time() + 30
	while "freed" not in open("told").read() and time.time() < end: time.sleep(0.1)
	p.send_signal(signal.SIGINT)
	sys.exit(p.wait(60))
	EOF
	: >told && python3 interrupt.py perf heap live -d 60 --period 1 -- sh -c "./heaps 20 >/dev/null; echo freed >told; sleep 60" >out 2>err &&
	[ "$(grep -c "^# allocated: [1-9]" out)" = 1 ] && test_grep " leak *$" out
'
test_expect_success 'live: its recorder and the command end with it' '
	{ perf heap live -d 0.2 -- sh -c "echo \$\$ >pid; exec sleep 60" >out 2>err & } && live=$! && test_kill_at_end $live && test_wait_for 30 "[ -s pid ]" &&
	children=$(cat /proc/$live/task/*/children) && test -n "$children" && kill -TERM $live && { wait $live; [ $? = 143 ]; } &&
	for p in $children $(cat pid); do test_wait_for 30 "! grep -q \"^State:.[RSD]\" /proc/$p/status 2>/dev/null" || return 1; done
'
test_expect_success 'live: what cannot be' '
	test_status 129 perf heap live 2>err && test_grep "what is to be watched" err && test_status 129 perf heap live -d 0 true 2>err &&
	perf heap live /nonexistent >out 2>err; [ $? = 255 ] && test_grep "^Error: cannot run ./nonexistent" err && test_cmp /dev/null out &&
	test_status 1 ./nocall bpf=EINVAL "$BUILD/perf" heap live true >out 2>err && [ $(grep -c ^Error err) = 1 ] && test_cmp /dev/null out
'
test_expect_success 'what it does not go with is said' '
	for o in --overwrite --switch-output=1s "-C 0" --threads; do test_status 1 perf heap record $o true 2>err && test_grep "heap recording" err || return 1; done
'
test_done
