#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf trace on the kernel of a distribution, Linux 6.1 with type information (VM): its verifier takes all programs'
. "$(dirname "$0")/../t/lib.sh"
. "$TOP/tests/vm/vm.sh"
. "$TOP/tests/vm/trace.sh"

test_require VM,CC
build_guest_programs syspredict sysmix
# what this guest has no module or no file for (inet, iovecs of sockets, ioctls) is left to t7032
parts='files dirs stats times local messages polls signals limits children programs futexes prctls memory fcntls descriptors buffers'
mixes='threads vfork clone3 signals thread-exec'

guest_begins >guest.sh
cat >>guest.sh <<\GUEST
try all perf trace -v -a -S --errno-summary --with-return ls /
try short perf trace -v -e accept,getpid true
try entered perf trace -v --duration 0.001 --failure --kernel-syscall-graph ls /none
exit 0
GUEST

# As in t7032.
calls () {
	sed -E 's/^[^:]*: [^\/]*\/[0-9]+ //; s/\) +(=|\.\.\.)/) \1/; s/(socket|pipe|ns):\[[0-9]+\]/\1:[N]/g
		s/\b([0-9]+) \((syspredict|perf)\)/\1/g; s/new_addr: (0x[0-9a-f]+|NULL)/new_addr: ANY/' "$1"
}

test_expect_success 'the VM runs; every set of options has programs that its kernel takes' '
	vm_run guest.sh && ! grep -H "without the kernel.s type information\|cannot load\|tracepoints instead" out/*.err &&
	test_grep "openat\(dfd: CWD, filename: \"/\", flags: .*DIRECTORY\) += 3</>$" out/ls.err &&
	test_grep "^   openat +[0-9]" out/all.err && test "$(cat out/short.status)" = 0 && test_grep "/none" out/entered.err
'

expect_predicted calls
expect_same_mixes

test_done
