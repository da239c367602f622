#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf ftrace: options, and what it says where it cannot trace (tests/vm/v6500-ftrace.sh has the rest)'
. "$(dirname "$0")/lib.sh"

# Whether the tracer is there is another question than whether it may be used.
test_lazy_prereq NO_GRAPH 'needs a kernel without the tracer function_graph' \
	'[ -r /sys/kernel/tracing/available_tracers ] && ! grep -qw function_graph /sys/kernel/tracing/available_tracers'
test_lazy_prereq FTRACE 'needs a kernel whose function tracer root may use' '[ -w /sys/kernel/tracing/set_ftrace_filter ] && cat /sys/kernel/tracing/set_ftrace_filter'

test_expect_success 'wrong options are said' '
	test_status 129 perf ftrace --graph-opts nosuch true 2>err && test_grep "there is no option .nosuch" err && test_grep "thresh=<n>" err &&
	test_status 129 perf ftrace --graph-opts depth true 2>err && test_grep "a number is missing" err &&
	test_status 129 perf ftrace --graph-opts tail=1 true 2>err && test_grep "takes no value" err &&
	test_status 129 perf ftrace trace --func-opts nosuch true 2>err && test_grep "they are call-graph and irq-info" err &&
	test_status 1 perf ftrace profile -s nosuch true 2>err && test_grep "no key .nosuch.: they are total, avg, max, count and name" err
'
test_expect_success 'latency needs one function, and options that go together' '
	test_status 1 perf ftrace latency true 2>err && test_grep "which function" err && test_grep "latency -T FUNCTION" err &&
	test_status 1 perf ftrace latency -T a -T b true 2>err && test_grep "of one function" err &&
	test_status 1 perf ftrace latency -T a --min-latency 5 true 2>err && test_grep "need --bucket-range" err &&
	test_status 1 perf ftrace latency -T a --bucket-range 1 --min-latency 5 --max-latency 5 true 2>err && test_grep "not above" err &&
	test_status 1 perf ftrace latency -T a -e sched:sched_switch,sched:sched_switch true 2>err && test_grep "one of them" err
'
test_expect_success ROOT,TRACEFS,NO_GRAPH 'a kernel without function_graph: which one has it, and what works here' '
	for c in "" trace profile "latency -T vfs_read" "-G vfs_read"; do
		test_status 1 perf ftrace $c true >out 2>err && ! test -s out && test_grep "this kernel has no tracer .function_graph" err && test_grep "CONFIG_FUNCTION_GRAPH_TRACER=y" err || return 1
	done && test_grep "t function" err && ! ls /sys/kernel/tracing/instances | grep perf-ftrace
'
# with_tracer NAME COMMAND...: while it is the setting.
with_tracer () {
	local status
	printf "[ftrace]\n\ttracer = %s\n" $1 >.home/.perfconfig
	shift
	"$@"; status=$?
	rm .home/.perfconfig
	return $status
}
test_expect_success 'the setting ftrace.tracer: wrong ones are said' '
	test_status 129 with_tracer nosuch perf ftrace true 2>err && test_grep ".nosuch. is no tracer: function_graph and function are" err &&
	with_tracer function perf config --list >out 2>err && test_grep "ftrace.tracer=function" out
'
test_lazy_prereq NO_FUNCTION 'needs a kernel without the tracer function' \
	'[ -r /sys/kernel/tracing/available_tracers ] && ! grep -qw function /sys/kernel/tracing/available_tracers'
test_expect_success ROOT,TRACEFS,NO_FUNCTION,NO_GRAPH 'the setting ftrace.tracer is for where no option says which tracer' '
	test_status 1 with_tracer function perf ftrace true 2>err && test_grep "no tracer .function.$" err &&
	test_status 1 with_tracer function perf ftrace -t function_graph true 2>err && test_grep "no tracer .function_graph.$" err &&
	test_status 1 with_tracer function perf ftrace -G vfs_read true 2>err && test_grep "no tracer .function_graph.$" err
'
test_expect_success ROOT,TRACEFS,FTRACE 'the setting ftrace.tracer: function' '
	with_tracer function perf ftrace -- cat /etc/hostname >out 2>err && test_grep " <-" out
'
test_expect_success ROOT,TRACEFS,FTRACE 'the functions of this kernel' '
	perf ftrace -F "vfs_ope*" >out && test_grep "^vfs_open$" out && ! grep -v "^vfs_ope" out &&
	perf ftrace -T vfs_open -- cat /etc/hostname >out 2>err && test_grep " vfs_open <-" out && ! ls /sys/kernel/tracing/instances | grep perf-ftrace
'
cat >calls.c <<\EOF
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
static void *call(void *n) { for (int i = 0; i < *(int *)n; i++) { syscall(SYS_getppid); usleep(2000); } return NULL; }
int main(int argc, char **argv)
{
	int a = atoi(argv[1]), b = atoi(argv[2]);
	pthread_t t;
	pthread_create(&t, NULL, call, &b); call(&a); pthread_join(t, NULL);
	return 0;
}
EOF
test_expect_success BPF,TRACEFS 'latency -e needs two tracepoints that there are' '
	test_status 1 perf ftrace latency -e cpu-clock,page-faults true 2>err && test_grep "is not a tracepoint" err &&
	test_status 1 perf ftrace latency -e sched:sched_switch true 2>err && test_grep "needs two tracepoints, and .sched:sched_switch. is 1" err &&
	test_status 1 perf ftrace latency -e sched:sched_switch,sched:nosuch true 2>err && test_grep "sched:nosuch" err
'
# The time from one call to the same call again contains 2 ms of sleep: n - 1 times, of each thread.
test_expect_success BPF,TRACEFS,CC 'latency -e: each time between two events of a thread' '
	gcc -O1 -pthread -o calls calls.c &&
	perf ftrace latency --json -e syscalls:sys_enter_getppid,syscalls:sys_enter_getppid -- ./calls 21 11 >same.json && test_grep "\"count\":30," same.json &&
	perf ftrace latency -e syscalls:sys_enter_getppid,syscalls:sys_exit_getppid -- ./calls 21 11 >pair && test_grep "^ *count: *32$" pair && test_grep "COUNT [|] GRAPH" pair &&
	sed -n "s/.*\"min_ns\":\([0-9]*\),.*/\1/p" same.json >least && test "$(cat least)" -ge 2000000 &&
	perf ftrace latency --percentiles -e syscalls:sys_enter_clock_nanosleep,syscalls:sys_exit_clock_nanosleep -- sleep 0.3 >sleep &&
	awk "/256 - 512  ms/ { n = \$6 } /total time/ { t = \$3 } END { exit !(n == 1 && t >= 300000) }" sleep && test_grep "^ *99.9%: " sleep
'
# The same of the process, of its first thread, and of another process with the command that was started.
watch_calls () {
	local e=syscalls:sys_enter_getppid,syscalls:sys_exit_getppid pid
	./calls 1000000 1000000 &
	pid=$!
	sleep 0.3
	perf ftrace latency --json -e $e -p $pid -- sleep 0.6 >pid.json
	perf ftrace latency --json -e $e --tid $pid -- sleep 0.3 >tid.json
	kill $pid
	wait $pid 2>/dev/null
	perf ftrace latency --json -e $e -p $$ -- ./calls 5 5 >both.json && perf ftrace latency --json -e $e -a -- ./calls 5 5 >all.json
}
test_expect_success BPF,TRACEFS,CC,PYTHON 'latency -e: of a process, of a thread, of all' '
	watch_calls && cat >check.py <<-\EOF && python3 check.py
	import json
	pid, tid, both, everybody = (json.load(open(f + ".json"))["count"] for f in ("pid", "tid", "both", "all"))
	assert both == 10 and everybody >= 10 and 10 < tid < pid, (pid, tid, both, everybody)
	EOF
'
test_done
