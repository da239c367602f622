#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf trace shows every call that strace -f shows, in the order of each thread'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq SYSBPF 'needs a kernel that lets BPF watch system calls' \
	'test_have BPF && ! perf trace -v -e close -o probe true 2>&1 | grep -qi "cannot load the BPF programs"'

test_require SYSBPF,CC,STRACE
test_workload sysmix
strace -f -qq -o probe true 2>/dev/null || test_skip_all 'strace cannot trace here'

# The calls of each thread, one thread a line, sorted. How often the helpers of sysmix look, and whether a lock was
# contended, differs from run to run: those calls are left out.
# When a shell hears of its children's ends, too.
sequences () {
	awk -v shell="$in_shell" '{
		tid = $1; sub(/^[0-9]+ +/, "")
		if ($0 ~ /^<\.\.\. / || $0 ~ /^\+\+\+/ || $0 ~ /^---/ || $0 ~ /^LOST/) next
		sub(/\(.*/, "")
		if ($0 ~ /^(futex|pread64|clock_nanosleep|munmap)$/) next
		if (shell && $0 ~ /^(rt_sig[a-z]*|wait4)$/) next
		s[tid] = s[tid] " " $0
	} END { for (t in s) print s[t] }' "$1" | sort
}

# A capture that misses calls misses them always; a program may differ by chance.
same_as_strace () {
	local try
	for try in 1 2 3; do
		strace -f -qq --signal=none -o strace.out "$@" >/dev/null 2>&1
		perf trace --style=strace -o perf.out "$@" >/dev/null 2>&1
		sequences strace.out >expect
		sequences perf.out >actual
		[ -s expect ] && cmp -s expect actual && return 0
	done
	test_cmp expect actual
}

for part in threads vfork clone3 signals stopped seccomp thread-exec; do
	test_expect_success "sysmix $part" "same_as_strace ./sysmix $part"
done

in_shell=1
test_expect_success 'a pipeline' 'same_as_strace sh -c "ls / | cat | wc -l"'
test_expect_success 'a shell with files' 'same_as_strace sh -c "echo a >x; cat x; rm x; cd /; (true); false"'

test_expect_success 'interrupted and restarted calls' '
	perf trace -o out ./sysmix signals &&
	test_grep "read\(.*= -1 EINTR|read\(.*= -1 ERESTARTSYS|read\(\)\) += -1 ERESTARTSYS" out &&
	test_grep "rt_sigreturn\(" out &&
	perf trace -o out ./sysmix stopped &&
	test_grep "restart_syscall\(" out && test_grep "= -1 ERESTART_RESTARTBLOCK" out
'

test_expect_success 'a call that seccomp refuses' '
	perf trace -e mkdir -o out ./sysmix seccomp &&
	test_grep "mkdir\(pathname: 0x[0-9a-f]+, mode: .*= -1 EXDEV" out
'

test_done
