#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='stacks that a BPF program unwinds at the sample: the file, processes that change, and where it is not possible'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW,CC,ROOT,BPF,X86_64
perf record -q --call-graph dwarf --unwind bpf -o k.data true 2>why || test_skip_all "the program does not load: $(head -n 1 why)"
src=$TOP/tests/workloads
gcc -g -O2 -pthread -w -D_GNU_SOURCE -o stackmix "$src/stackmix.c" -ldl || exit 1

in_kernel () { sed -n 's/^stacks unwound in the kernel: \([0-9]*\),.*/\1/p' "$1"; }
# same_both_ways ERR LEAST
same_both_ways () {
	sed -n "s/^stacks unwound both ways: //p" "$1" >sums; cat sums; grep "^unwind: " "$1"
	awk -v least="$2" '{ n++; equal += $1; other += $(NF - 1) } END { exit n != 1 || equal < least || other }' sums
}

# Deep recursion, callbacks, signals, jumps, threads, a loaded context
test_expect_success 'the default: chains are ordinary ones, and whole' '
	perf record -v --call-graph dwarf -e cpu-clock:u -c 250000 -o a.data ./stackmix 600 2>err && test "$(in_kernel err)" -gt 0 &&
	perf script --no-inline -i a.data -F ip,sym | awk "
		BEGIN { RS = \"\"; FS = \"\n\" }
		{
			n++
			if (\$NF ~ / (_start|_dl_start_user|(__)?clone3?)\$/ || (NF > 1 && \$(NF - 1) ~ / in_context\$/)) whole++
			for (i = r = 0; ++i <= NF;) r += \$i ~ / recurse/
			deep += r > 60
		}
		END { print n, whole, deep; exit n < 100 || whole < 0.9 * n || !deep }"
'

test_expect_success UPSTREAM 'upstream perf reads the file and sees the same samples, and as many frames' '
	for p in perf "$UPSTREAM"; do
		"$p" script --no-inline -i a.data -F comm,tid,time,period,ip --max-stack 1024 2>/dev/null |
			awk "/:/ { print \$1, \$2, \$3, \$4; next } { print NF }" >${p##*/}.$n || return 1
		n=upstream
	done && test "$(wc -l <perf.)" -gt 1000 && test_cmp perf.upstream perf.
'

test_expect_success 'with the chain of the kernel, of page faults and switches: the same both ways' '
	for event in "cpu-clock -c 250000" "page-faults -c 1" "context-switches -c 1"; do
		perf record -v --call-graph dwarf --unwind check -o k.data -e $event ./stackmix 60 2>err || return 1
		sed -n "s/^stacks unwound both ways: //p" err | tee sums && grep "^unwind: " err
		awk "{ n++; other += \$(NF - 1) } END { exit n != 1 || other }" sums || return 1
	done
'

test_expect_success 'programs that run programs, and fork: the same both ways' '
	perf record -v --call-graph dwarf --unwind check -e cpu-clock -F 4000 -o k.data sh -c "
		for i in 1 2 3; do (./stackmix 20; ./stackmix 20) & ./stackmix 20; wait; done" 2>err && same_both_ways err 0
'

test_expect_success 'a library in the place of another: no stack by the wrong tables' '
	gcc -O1 -w -o reload "$src/reload.c" -ldl && gcc -O1 -w -fPIC -shared -DFRAME=100 -o one.so "$src/reload.c" &&
	gcc -O1 -w -fPIC -shared -DFRAME=2000 -o two.so "$src/reload.c" &&
	least=1 &&
	for args in "8 100000000" "200 2000000"; do
		perf record -v --call-graph dwarf --unwind check -e cpu-clock:u -F 5000 -o k.data ./reload $args ./one.so ./two.so >same 2>err &&
		cat same && test "$(cat same)" -gt 3 && same_both_ways err $least || return 1
		least=0
	done
'

test_expect_success 'where it is not possible: an error, or with auto as ever' '
	for args in "--per-thread" "-e cpu-clock:u,task-clock:u" "-d"; do
		test_must_fail perf record --call-graph dwarf --unwind bpf $args -o k.data ./stackmix 1 2>err || return 1
		test_grep "^Error: stacks cannot be unwound in the kernel: " err &&
		perf record -v --call-graph dwarf --unwind auto -c 250000 $args -o k.data ./stackmix 5 2>err &&
		test_grep "unwound by the recorder, not in the kernel: " err && ! grep "^stacks unwound in the kernel" err &&
		test_grep "^unwound stacks: [0-9]* of [0-9]*: complete" err || return 1
	done
'

others='(BPF programs of others trace the kernel|there are BPF maps of others)'

# What runs beside this test may have some.
test_expect_success 'the default where the kernel is sampled, too, unless there are BPF programs or maps of others; not with cfi' '
	perf record -v --call-graph dwarf -e cpu-clock -c 250000 -o k.data ./stackmix 600 2>err &&
	if grep -E "unwound by the recorder, not in the kernel: $others$" err; then test -z "$(in_kernel err)"
	elif ! grep -E "^Warning: samples of kernel code may be missing: $others" err; then test "$(in_kernel err)" -gt 100; fi &&
	perf record -v --call-graph dwarf --unwind cfi -e cpu-clock:u -c 250000 -o k.data ./stackmix 5 2>err &&
	! grep "in the kernel" err && test_grep "^unwound stacks: [0-9]* of [0-9]*: complete" err
'

gcc -O1 -w -o bpfhold "$src/bpfhold.c" || exit 1

test_expect_success 'with a BPF program or map of somebody else: not where the kernel is sampled, but of user code' '
	for what in prog map; do
		./bpfhold $what 60000 >ready & holder=$!
		for i in $(seq 500); do test -s ready && break; sleep 0.02; done
		perf record -v --call-graph dwarf -e cpu-clock -c 250000 -o k.data ./stackmix 5 2>err &&
		perf record -v --call-graph dwarf -e cpu-clock:u -c 250000 -o k.data ./stackmix 60 2>user; ret=$?
		kill $holder; wait $holder; test $ret = 0 &&
		test_grep "unwound by the recorder, not in the kernel: $others$" err && ! grep "^stacks unwound in the kernel" err &&
		test "$(in_kernel user)" -gt 0 || return 1
	done
'

test_expect_success 'one that comes while recording ends it: a warning, stacks as ever; none of user code, and none with bpf' '
	for what in prog map; do
		perf record -v --call-graph dwarf -e cpu-clock -c 250000 -o k.data ./bpfhold $what 1500 ./stackmix 100 2>err >/dev/null &&
		if ! grep -E "unwound by the recorder, not in the kernel: $others$" err; then
			test_grep "^Warning: samples of kernel code may be missing: $others since .* at most [0-9]* ms later" err &&
			test_grep "^Hint: --unwind cfi loses none" err
		fi && test_grep "^unwound stacks: [0-9]* of [0-9]*: complete" err || return 1
		for args in "-e cpu-clock:u" "-e cpu-clock --unwind bpf"; do
			perf record -v --call-graph dwarf $args -c 250000 -o k.data ./bpfhold $what 200 ./stackmix 100 2>err >/dev/null &&
			! grep "^Warning: samples of kernel code" err && test "$(in_kernel err)" -gt 0 || return 1
		done
	done
'

test_done
