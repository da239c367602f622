#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf trace shows every call that strace -f shows: threads, forks, signals, exec, namespaces, two ABIs'
. "$(dirname "$0")/lib.sh"
. "$TEST_DIR/syscmp.sh"

test_workload sysmix
test_workload sysmore
test_workload sysends

# How often the helpers look whether the other one sleeps (pread64, clock_nanosleep) and whether a lock is contended (futex) differ from
# run to run. A thread's stack is returned (munmap) at its end or kept for the next one.
# program part | calls left out | calls whose result is not compared
parts='
sysmix threads | futex,munmap | -
sysmix vfork | - | -
sysmix clone3 | - | -
sysmix signals | pread64,clock_nanosleep | -
sysmix stopped | pread64,clock_nanosleep | -
sysmix seccomp | - | -
sysmix thread-exec | futex | -
sysmore server | futex | -
sysmore chain | - | -
sysmore thread-chain | futex | -
sysmore long-args | - | -
sysmore daemon | - | -
sysmore interrupted | pread64,clock_nanosleep | -
'
while IFS='|' read -r what drop noret; do
	[ -n "$what" ] || continue
	test_expect_success "$what" "same_as_strace $drop $noret ./$what"
done <<<"$parts"

test_expect_success 'sysmore namespaces' '
	./sysmore namespaces; [ $? = 77 ] && { test_skip "no namespaces here"; return; }
	same_as_strace - - ./sysmore namespaces
'

test_expect_success 'sysmore uring' '
	./sysmore uring; [ $? = 77 ] && { test_skip "no io_uring here"; return; }
	same_as_strace - - ./sysmore uring
'

# A tracee of strace cannot be one of its parent, too: only the parent is compared.
strace_how= perf_how=--no-inherit
test_expect_success 'sysmore tracer' 'same_as_strace - - ./sysmore tracer'
unset strace_how
perf_how=

test_expect_success X86_64 'a program of the 32-bit ABI' '
	cc -m32 -nostdlib -static -fno-pie -no-pie -fno-stack-protector -o sys32 "$TOP/tests/workloads/bare/sys32.c" 2>/dev/null && ./sys32 ||
		{ test_skip "no 32-bit programs here"; return; }
	same_as_strace - - ./sys32 && strace_how="-f -yy" lines=85 same_as_strace - - ./sys32
'

# A signal that ends a process at once is taken by nobody, unless there is a tracer. Times that a child used, and whether there is a core, differ from run to run.
fates () {
	grep -E '^[0-9]+ +(---|\+\+\+)' "$1" |
		sed -E 's/^[0-9]+ +//; s/si_pid=[0-9]+/si_pid=N/; s/(si_[us]time)=[0-9]+( \/\*.*s \*\/)?/\1=N/g; s/ \(core dumped\)//'
}

test_expect_success 'signals and ends are reported as strace does' '
	ulimit -c 0 &&
	test_status 5 strace -f -o strace.out ./sysends && test_status 5 perf trace --style=strace -o perf.out ./sysends &&
	fates strace.out | grep -v "^--- SIGTERM" >want && fates perf.out >got && [ "$(wc -l <want)" -ge 12 ] && test_cmp want got &&
	test_status 5 perf trace --style=strace -e signal=none -e quiet=exit -o perf.out ./sysends && test_grep -v "^[0-9]+ (---|\+\+\+)" perf.out &&
	printf "[trace]\n\tcapture = rawtp\n" >raw.config &&
	PERF_CONFIG=$PWD/raw.config test_status 5 perf trace --style=strace -o perf.out ./sysends &&
	grep -v "^+++" want >signals && fates perf.out >got && test_cmp signals got
'

test_expect_success 'interrupted and restarted calls' '
	perf trace -o out ./sysmix signals &&
	test_grep "read\(.*= -1 EINTR|read\(.*= -1 ERESTARTSYS|read\(\)\) += -1 ERESTARTSYS" out &&
	test_grep "rt_sigreturn\(" out &&
	perf trace -o out ./sysmix stopped &&
	test_grep "restart_syscall\(" out && test_grep "= -1 ERESTART_RESTARTBLOCK \(Interrupted by signal\)" out
'

test_expect_success 'a call that seccomp refuses' '
	perf trace -e mkdirat -o out ./sysmix seccomp &&
	test_grep "mkdirat\(dfd: CWD, pathname: \"/nosuch/dir\", mode: .*= -1 EXDEV" out
'

test_done
