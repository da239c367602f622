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
	test_status 1 perf ftrace latency -b -T a true 2>err && test_grep "without -b" err &&
	test_status 1 perf ftrace latency -e a,b true 2>err && test_grep "perf trace -e" err
'
test_expect_success ROOT,TRACEFS,NO_GRAPH 'a kernel without function_graph: which one has it, and what works here' '
	for c in "" trace profile "latency -T vfs_read" "-G vfs_read"; do
		test_status 1 perf ftrace $c true >out 2>err && ! test -s out && test_grep "this kernel has no tracer .function_graph" err && test_grep "CONFIG_FUNCTION_GRAPH_TRACER=y" err || return 1
	done && test_grep "t function" err && ! ls /sys/kernel/tracing/instances | grep perf-ftrace
'
test_expect_success ROOT,TRACEFS,FTRACE 'the functions of this kernel' '
	perf ftrace -F "vfs_ope*" >out && test_grep "^vfs_open$" out && ! grep -v "^vfs_ope" out &&
	perf ftrace -T vfs_open -- cat /etc/hostname >out 2>err && test_grep " vfs_open <-" out && ! ls /sys/kernel/tracing/instances | grep perf-ftrace
'
test_done
