#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='stacks unwound by a BPF program on Linux 6.1 (VM): its verifier takes it, and each stack is what the recorder makes'
. "$(dirname "$0")/../t/lib.sh"
. "$TOP/tests/vm/vm.sh"

test_require VM,CC
gcc -g -O2 -static -pthread -w -D_GNU_SOURCE -DSTATIC -o stackmix "$TOP/tests/workloads/stackmix.c" 2>/dev/null ||
	test_skip_all 'needs a static C library (libc6-dev)'
gcc -O1 -static -w -o bpfhold "$TOP/tests/workloads/bpfhold.c" || exit 1
vm_files='stackmix bpfhold'

cat >guest.sh <<\GUEST
O=/out
try () { f=$1; shift; "$@" >$O/$f.out 2>$O/$f.err; echo $? >$O/$f.status; }
try user perf record -v --call-graph dwarf --unwind check -e cpu-clock:u -c 250000 -o /user.data /stackmix 40
try kernel perf record -v --call-graph dwarf --unwind check -e cpu-clock -c 500000 -o /kernel.data /stackmix 40
try faults perf record -v --call-graph dwarf --unwind check -e page-faults -c 1 -o /faults.data /stackmix 20
try plain perf record -v --call-graph dwarf --unwind bpf -e cpu-clock -c 500000 -o /plain.data /stackmix 40
try default perf record -v --call-graph dwarf -e cpu-clock -c 500000 -o /default.data /stackmix 40
try come perf record -v --call-graph dwarf -e cpu-clock -c 500000 -o /come.data /bpfhold prog 1000 /stackmix 10
try chains perf script --no-inline -i /plain.data -F ip,sym
exit 0
GUEST

test_expect_success 'the VM runs; the program loads' '
	vm_run guest.sh && cat out/*.err && for f in user kernel faults plain default come; do test "$(cat out/$f.status)" = 0 || return 1; done &&
	! grep -H "cannot be unwound in the kernel" out/*.err
'

test_expect_success 'each stack is the same both ways' '
	sed -n "s/^stacks unwound both ways: //p" out/user.err out/kernel.err out/faults.err | tee sums &&
	awk "{ equal += \$1; other += \$(NF - 1) } END { exit NR != 3 || equal < 100 || other }" sums
'

test_expect_success 'the chains are in the file, of user and kernel code' '
	test_grep " spin$" out/chains.out && test_grep " main$" out/chains.out &&
	awk "/^stacks unwound in the kernel: / { n = \$6 + 0 } END { exit n < 20 }" out/plain.err
'

test_expect_success 'the default where the kernel is sampled, and a BPF program of others that comes' '
	cat out/default.err out/come.err && awk "/^stacks unwound in the kernel: / { n = \$6 + 0 } END { exit n < 20 }" out/default.err && ! grep Warning: out/default.err &&
	test_grep "^Warning: samples of kernel code may be missing: BPF programs of others trace the kernel since" out/come.err &&
	test_grep "^unwound stacks: [0-9]* of [0-9]*: complete" out/come.err
'

test_done
