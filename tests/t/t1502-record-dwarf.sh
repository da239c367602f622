#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='perf record --call-graph dwarf: unwound while recording, or raw'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW,UPSTREAM,X86_64
test_workload counted -fomit-frame-pointer

# chains of the samples in touch_pages: "samples complete"; complete: depth times down() below main and the start
chains () {
	"$UPSTREAM" script --no-inline --max-stack 1024 -i "$1" -F ip,sym >chains 2>upstream.err &&
	awk -v depth="$2" 'BEGIN { RS = "" } /^[^\n]* touch_pages/ { n++; if (gsub(/ down($|\n)/, "&") == depth + 1 && / main\n/ && / _start/) good++ }
		END { print n + 0, good + 0 }' chains
}

test_expect_success 'every stack is whole, and nothing but chains is in the file' '
	perf record -q --call-graph dwarf -e page-faults:u -c 1 -o live.data ./counted depth 30 faults 200 &&
	test "$(chains live.data 30)" = "200 200" && test ! -s upstream.err &&
	"$UPSTREAM" evlist -v -i live.data >attr && test_grep "CALLCHAIN" attr && test_grep "sample_stack_user: [0-9]+" attr &&
	perf script -v -i live.data -F ip >/dev/null 2>err && test_grep -v "unwound stacks" err
'

test_expect_success 'the raw dumps give the same chains, in a much larger file' '
	perf record -q --call-graph dwarf,8192,raw -e page-faults:u -c 1 -o raw.data ./counted depth 30 faults 200 &&
	test "$(chains raw.data 30)" = "200 200" &&
	"$UPSTREAM" evlist -v -i raw.data >attr && test_grep "REGS_USER.STACK_USER" attr && test_grep "sample_stack_user: 8192" attr &&
	test "$(stat -c %s raw.data)" -gt $(( 5 * $(stat -c %s live.data) ))
'

test_expect_success 'our own report of both says the same' '
	for f in live raw; do
		perf report --stdio --no-inline --no-children -g none -i $f.data --sort sym -F sample,sym >$f.out 2>$f.err &&
		grep -v "^#" $f.out | grep "touch_pages" >$f.row || return 1
	done &&
	test_cmp live.row raw.row && test -s live.row
'

test_expect_success 'several threads read and unwind: the same chains, and nothing but chains' '
	perf record -v --threads --call-graph dwarf -e page-faults:u -c 1 -o th.data ./counted depth 30 faults 200 2>err && test_grep "^(unwound stacks: [0-9]+ of [0-9]+: complete|stacks unwound in the kernel: [0-9]+)" err &&
	test "$(chains th.data 30)" = "200 200" && test ! -s upstream.err && [ -e th.data/data.0 ] &&
	perf report --stdio --no-inline --no-children -g none -i th.data --sort sym -F sample,sym 2>/dev/null | grep "touch_pages" >th.row && test_cmp live.row th.row &&
	perf record -q --threads --call-graph dwarf --unwind cfi -e page-faults:u -c 1 -o cfi.data ./counted depth 30 faults 200 && test "$(chains cfi.data 30)" = "200 200"
'

test_expect_success 'short dumps cut the stacks, which is no error' '
	perf record --call-graph dwarf,256 -e page-faults:u -c 1 -o short.data ./counted depth 60 faults 20 2>err &&
	test "$(chains short.data 60)" = "20 0" && test_grep "stacks are cut.*256 bytes" err && test_grep "dwarf,1024" err
'

# In execve the stack of the old program is gone, and there is none to be copied: that is no matter of sizes.
test_expect_success ROOT 'stacks that could not be copied are not said to be too deep' '
	perf record -v --call-graph dwarf -e page-faults -c 1 -o exec.data true 2>err && test_grep -v "stack copy too short|stacks are cut" err &&
	test_grep "unwound stacks: [0-9]+ of [0-9]+: the stack was not there to be copied" err
'

test_lazy_prereq FEW_CPUS 'locks 32 MB for each CPU' 'test "$(nproc)" -le 16'
test_expect_success ROOT,FEW_CPUS 'without a size more is copied where the rings are large enough, and a deep stack is whole' '
	perf record -q --call-graph dwarf -m 32M -e page-faults:u -c 1 -o deep.data ./counted depth 250 faults 20 &&
	test "$(chains deep.data 250)" = "20 20" && perf evlist -v -i deep.data >attr && test_grep "sample_stack_user: 33552" attr &&
	perf record -q --call-graph dwarf -m 32M -e page-faults:u -F 4000 -o deep.data ./counted depth 500 faults 20 &&
	perf evlist -v -i deep.data >attr && test_grep "sample_stack_user: 65528" attr &&
	perf record -q --call-graph dwarf,65528 -m 32M -e page-faults:u -c 1 -o deep.data ./counted depth 500 faults 20 &&
	test "$(chains deep.data 500)" = "20 20" &&
	perf record -q --call-graph dwarf -m 1M -e page-faults:u -c 1 -o small.data ./counted depth 2 faults 2 &&
	perf evlist -v -i small.data >attr && test_grep "sample_stack_user: 8192" attr &&
	perf record -q --call-graph dwarf,8192,raw -m 32M -e page-faults:u -c 1 -o small.data ./counted depth 2 faults 2 &&
	perf evlist -v -i small.data >attr && test_grep "sample_stack_user: 8192" attr
'

test_expect_success '-v tells how the stacks ended' '
	perf record -v --call-graph dwarf -e page-faults:u -c 1 -o v.data ./counted depth 60 faults 20 2>err &&
	test_grep "^unwound stacks: [0-9]+ of [0-9]+: " err
'

test_expect_success 'forked children and threads are unwound in their own address space' '
	perf record -q --call-graph dwarf -e page-faults:u -c 1 -o th.data ./counted depth 5 thread faults 60 &&
	"$UPSTREAM" script --no-inline -i th.data -F comm,ip,sym >chains 2>/dev/null &&
	awk "BEGIN { RS = \"\" } /^second *\n[^\n]* touch_pages/ { n++; if (/ in_thread\n/) good++ }
		END { print n + 0, good + 0; exit !(n == 60 && good == 60) }" chains &&
	perf record -q --call-graph dwarf -e page-faults:u -c 1 -o sh.data sh -c "./counted depth 3 faults 40; ./counted depth 7 faults 50" &&
	test "$(chains sh.data 3)" = "90 40" && test "$(chains sh.data 7)" = "90 50"
'

test_expect_success 'a process that runs already' '
	mkfifo in out ctl ack && { ./counted depth 12 wait faults 80 <in >out & } && p=$! && test_kill_at_end $p && exec 5>in 6<out &&
	read -r -t 60 x <&6 && exec 7<>ctl 8<>ack &&
	{ perf record -q --control fifo:ctl,ack --call-graph dwarf -e page-faults:u -c 1 -p $p -o p.data & } && r=$! &&
	test_kill_at_end $r && echo ping >&7 && read -r -t 60 x <&8 && echo >&5 && wait $r && exec 5>&- 6>&- &&
	test "$(chains p.data 12)" = "80 80"
'

test_expect_success KALLSYMS,TRACEFS,ROOT 'the kernel part of a chain is kept' '
	perf record -q --call-graph dwarf -e sched:sched_process_fork -o k.data ./counted depth 4 forks 9 &&
	"$UPSTREAM" script --no-inline -i k.data -F ip,sym,dso >chains 2>/dev/null &&
	awk "BEGIN { RS = \"\" } { n++; if (/kernel.kallsyms/ && / run_children / && / main / && gsub(/ down /, \"&\") == 5) good++ }
		END { print n, good + 0; exit !(n == 9 && good == 9) }" chains
'

test_expect_success 'what does not go together with unwinding keeps the dumps' '
	perf record -q --call-graph dwarf --tail-synthesize -e page-faults:u -c 1 -o tail.data ./counted depth 2 faults 5 &&
	"$UPSTREAM" evlist -v -i tail.data >attr && test_grep "STACK_USER" attr
'

test_done
