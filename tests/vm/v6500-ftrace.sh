#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf ftrace (VM): calls, durations, profiles; and the tracer is as it was, also after kill -9'
. "$(dirname "$0")/../t/lib.sh"
. "$TOP/tests/vm/vm.sh"

test_require VM
vm_files= vm_modules=
cat >guest.sh <<\GUEST
O=/out; cd /root; mkdir -p /run
T=/sys/kernel/tracing
try () { f=$1; shift; "$@" >$O/$f.out 2>$O/$f.err; echo $? >$O/$f.status; }
state () { (cd $T && for f in current_tracer tracing_on set_ftrace_filter set_ftrace_notrace set_graph_function set_graph_notrace \
	set_ftrace_pid tracing_cpumask tracing_thresh max_graph_depth options/sleep-time options/funcgraph-irqs; do echo "$f: $(cat $f)"; done; ls instances); }

uname -r >$O/release
echo nop >$T/current_tracer
echo vfs_fsync >$T/set_ftrace_filter; echo 7 >$T/max_graph_depth; echo vfs_statfs >$T/set_graph_function
state >$O/state.before
mkdir d; for i in 1 2 3 4 5 6 7; do echo $i >d/$i; done

try func perf ftrace -T vfs_mkdir -T vfs_rmdir -- mkdir x
state >$O/state.func
try stack perf ftrace trace -T vfs_mkdir --func-opts call-graph -- mkdir y
try notrace perf ftrace -T 'vfs_*' -N vfs_mkdir -- mkdir x2
try graph perf ftrace -G do_mkdirat -T do_mkdirat -T vfs_mkdir -- mkdir z
try depth perf ftrace -G do_mkdirat -T do_mkdirat -T vfs_mkdir --graph-opts depth=1,noirqs,tail -- mkdir z2
state >$O/state.graph
try verbose perf ftrace -G do_mkdirat -T do_mkdirat -T vfs_mkdir --graph-opts verbose -- mkdir z3
try latency perf ftrace latency -T vfs_mkdir --percentiles -- mkdir a b c e f
try json perf ftrace latency -T vfs_mkdir --json -- mkdir a1 b1 c1
try range perf ftrace latency -T vfs_rmdir --bucket-range 1000 --hide-empty -- rmdir a b c e f
try sleep perf ftrace latency -T hrtimer_nanosleep -- sleep 0.3
try bpf perf ftrace latency -b -T vfs_mkdir --json -- mkdir bb1 bb2 bb3
try bpfnone perf ftrace latency -b -T no_such_function -- true
try profile perf ftrace profile -T vfs_mkdir -T vfs_rmdir -T 'do_rmdir' -s count -- sh -c 'exec rmdir a1 b1 c1'
try csv perf ftrace profile -T vfs_mkdir -x , -- mkdir g
try inherit perf ftrace -T vfs_mkdir --inherit -- sh -c 'mkdir h; mkdir i; true'
try nofunc perf ftrace -T no_such_function -- true
try noexec perf ftrace -T vfs_mkdir -- /no/such/program
try list perf ftrace -F 'vfs_mkd*'
state >$O/state.errors
for n in 1 2; do
	perf ftrace -G vfs_read -T vfs_read --graph-opts nosleep-time,thresh=1 -a -- sleep 30 >/dev/null 2>&1 & pid=$!
	i=0; while [ $i -lt 100 ] && [ "$(cat $T/tracing_on)$(cat $T/current_tracer)" != 1function_graph ]; do sleep 0.1; i=$((i + 1)); done
	state >$O/state.during
	kill -9 $pid; wait $pid; killall sleep
	try after perf ftrace -T vfs_mkdir -- mkdir m$n
	state >$O/state.killed$n
done
echo function >$T/current_tracer
try busy perf ftrace -G vfs_mkdir -- true
echo nop >$T/current_tracer
GUEST
# $1 as it was at the beginning
same_state () { diff -u out/state.before "out/state.$1"; }

test_expect_success 'the guest runs to its end' 'vm_run guest.sh && test "$(cat out/status)" = 0'
test_expect_success 'trace: calls of functions, and who called' '
	test "$(cat out/func.status out/stack.status out/notrace.status | tr -d "\n")" = 000 && test "$(grep -c " vfs_mkdir <-" out/func.out)" = 1 &&
	test_grep " vfs_mkdir <-" out/stack.out && test_grep "=> do_mkdirat" out/stack.out && test_grep " vfs_[a-z]* <-" out/notrace.out && ! grep " vfs_mkdir <-" out/notrace.out
'
test_expect_success 'trace: the graph of calls' '
	test "$(cat out/graph.status out/depth.status out/verbose.status | tr -d "\n")" = 000 && test_grep "[|]  do_mkdirat[(][)] [{]" out/graph.out && test_grep " us .*[|]    vfs_mkdir[(][)];" out/graph.out &&
	test "$(grep -c "do_mkdirat" out/depth.out)" = 1 && ! grep "vfs_mkdir" out/depth.out && test_grep " [^ ]*-[0-9]+ +[|].*do_mkdirat[(][)] [{]" out/verbose.out
'
test_expect_success 'processes that the command starts: only when asked for' '
	test "$(grep -c " vfs_mkdir <-" out/inherit.out)" = 2
'
test_expect_success 'latency: a call each, in its place' '
	test "$(cat out/latency.status out/range.status out/sleep.status | tr -d "\n")" = 000 &&
	awk -F "|" "/ [mnu]?s \|/ { n += \$2 } END { exit n != 5 }" out/latency.out && test_grep "^ *count: *5$" out/latency.out && test_grep "^ *99.9%: " out/latency.out &&
	awk -F "|" "/ [mnu]?s \|/ { n += \$2 } END { exit n != 5 }" out/range.out &&
	awk "/256 - 512  ms/ { exit \$6 != 1 }" out/sleep.out && awk "/total time/ { exit !(\$3 >= 300000 && \$3 < 500000) }" out/sleep.out
'
test_expect_success 'latency by BPF' '
	test "$(cat out/bpf.status)" = 0 && test_grep "\"count\":3," out/bpf.out && test "$(cat out/bpfnone.status)" = 1 && test_grep "no_such_function" out/bpfnone.err
'
test_expect_success PYTHON 'latency and profile as data' '
	cat >check.py <<-\EOF && python3 check.py &&
	import json
	d = json.load(open("out/json.out"))
	assert d["count"] == 3 and sum(b["count"] for b in d["buckets"]) == 3 and d["min_ns"] <= d["p50_ns"] <= d["max_ns"] <= d["total_ns"], d
	EOF
	sed -n 1p out/csv.out >got && echo "function,total_ns,avg_ns,max_ns,count" >expect && test_cmp expect got && test_grep "^vfs_mkdir,[0-9]*,[0-9]*,[0-9]*,1$" out/csv.out
'
test_expect_success 'profile: each function, how often and how long' '
	test "$(cat out/profile.status)" = 0 && awk "NR > 1 { print \$4, \$5 }" out/profile.out | sort >got && printf "3 do_rmdir\n3 vfs_rmdir\n" >expect && test_cmp expect got &&
	awk "NR > 1 && (\$2 * \$4 > \$1 * 1.01 || \$3 > \$1) { exit 1 }" out/profile.out
'
test_expect_success 'errors' '
	test "$(cat out/nofunc.status out/noexec.status out/busy.status | tr "\n" " ")" = "1 255 1 " && test_grep "no function that can be traced matches .no_such_function" out/nofunc.err &&
	test_grep "No such file or directory" out/noexec.err && test_grep "the kernel.s tracer is in use: current_tracer is .function" out/busy.err && echo vfs_mkdir >expect && test_cmp expect out/list.out
'
test_expect_success 'everything is put back' 'same_state func && same_state graph && same_state errors'
test_expect_success 'and by the next one after kill -9' '
	grep "current_tracer: function_graph" out/state.during && test "$(cat out/after.status)" = 0 && same_state killed1 && same_state killed2
'
test_done
