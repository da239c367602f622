#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf trace shows every call that strace -f shows: threads, forks, signals, exec, namespaces, two ABIs'
. "$(dirname "$0")/lib.sh"
. "$TEST_DIR/syscmp.sh"

test_workload sysmix
test_workload sysmore

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

test_expect_success 'interrupted and restarted calls' '
	perf trace -o out ./sysmix signals &&
	test_grep "read\(.*= -1 EINTR|read\(.*= -1 ERESTARTSYS|read\(\)\) += -1 ERESTARTSYS" out &&
	test_grep "rt_sigreturn\(" out &&
	perf trace -o out ./sysmix stopped &&
	test_grep "restart_syscall\(" out && test_grep "= -1 ERESTART_RESTARTBLOCK \(Interrupted by signal\)" out
'

test_expect_success 'a call that seccomp refuses' '
	perf trace -e mkdir -o out ./sysmix seccomp &&
	test_grep "mkdir\(pathname: \"/nosuch/dir\", mode: .*= -1 EXDEV" out
'

test_done
