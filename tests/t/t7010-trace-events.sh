#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf trace: events between calls, page faults, recordings, without BPF'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq SYSBPF 'needs a kernel that lets BPF watch system calls' \
	'test_have BPF && ! perf trace -v -e close -o probe true 2>&1 | grep -qi "cannot load the BPF programs"'

test_require ROOT,TRACEFS,SYSCALLS,CC
test_workload syslines
mkdir d

names () { sed -n 's/.*[0-9] \( \.\.\. \[continued\]: \)\{0,1\}\([a-z0-9_]*\)(.*/\2/p' "$1"; }

test_expect_success 'only events: no calls' '
	perf trace --no-syscalls --ev "sched:*process_exec,sched:*process_exit" -o out ./syslines d >/dev/null &&
	head -n 1 out >first && tail -n 1 out >last &&
	test_grep "^ +0\.000 syslines/[0-9]+ sched:sched_process_exec\(filename: \"./syslines\", pid: [0-9]+( \(syslines\))?, old_pid: " first &&
	test_grep "^ +[0-9.]+ syslines/[0-9]+ sched:sched_process_exit\(comm: \"syslines\", pid: [0-9]+ \(syslines\), prio: " last &&
	test_grep -v " openat\(" out
'

test_expect_success 'events alone turn calls off, --libtraceevent_print' '
	perf trace -e sched:sched_process_exec --libtraceevent_print -o out ./syslines d >/dev/null &&
	test "$(wc -l <out)" = 1 && test_grep "sched:sched_process_exec\(filename=./syslines pid=[0-9]+ old_pid=[0-9]+\)$" out
'

test_expect_success SYSBPF 'calls and events in the order of time' '
	perf trace -e "execve,exit_group,sched:sched_process_exec,sched:sched_process_exit" -o out ./syslines d >/dev/null &&
	sed "s|^[^/]*/[0-9]* \([a-z_:]*\)(.*|\1|" out >got &&
	{ echo execve; echo sched:sched_process_exec; echo exit_group; echo sched:sched_process_exit; } >want.whole &&
	{ echo sched:sched_process_exec; echo execve; echo exit_group; echo sched:sched_process_exit; } >want.ended &&
	{ cmp -s got want.whole || test_cmp want.ended got; } &&
	test_grep "filename: \"./syslines\"" out
'

test_expect_success 'page faults with symbols' '
	perf trace -F all --no-syscalls -o out ./syslines d >/dev/null &&
	test_grep "^ +[0-9.]+ \( .*\): syslines/[0-9]+ minfault \[_start\+0(x0)?\] => .*/ld-.*@0x[0-9a-f]+ \([xd]\.\)$" out &&
	test_must_fail perf trace -F some true 2>err && test_grep "all, maj or min" err
'

test_expect_success 'record, and the same calls again' '
	perf trace record -q -o t.data ./syslines d >/dev/null 2>&1 &&
	perf trace -i t.data >all 2>&1 &&
	test_grep " lseek\(fd: [0-9]+, offset: 0, whence: SET\) += 0$" all &&
	test_grep " exit_group\(error_code: 0\) += \?$" all &&
	perf trace -i t.data -e "lseek,fsync,unlink" >some 2>&1 && names some >got &&
	printf "lseek\nunlink\nfsync\n" >expect && test_cmp expect got &&
	perf trace -s -i t.data >sum 2>&1 && test_grep "^   writev +1 +0 " sum &&
	perf trace --failure -i t.data >failed 2>&1 && test_grep "access\(.*-1 ENOENT" failed && test_grep -v "\) += [0-9]" failed
'

test_expect_success UPSTREAM 'upstream perf reads the recording: the same names' '
	perf trace record -q -o t.data ./syslines d >/dev/null 2>&1 &&
	"$UPSTREAM" trace -i t.data >upstream 2>&1 && perf trace -i t.data >ours 2>&1 &&
	names upstream >expect && names ours >got && test -s expect && test_cmp expect got
'

test_expect_success SYSBPF 'a recording has the calls that the capture has' '
	perf trace record -q -o t.data ./syslines d >/dev/null 2>&1 && perf trace -i t.data >rec 2>&1 &&
	perf trace -o live ./syslines d >/dev/null && names rec >expect && names live >got && test_cmp expect got
'

test_expect_success 'without BPF' '
	perf trace --no-bpf -e lseek,unlink -o out ./syslines d >/dev/null 2>err && names out >got &&
	printf "lseek\nunlink\n" >expect && test_cmp expect got &&
	test_status 3 perf trace --no-bpf -o out sh -c "exit 3"
'

test_expect_success 'stacks' '
	perf trace --call-graph dwarf,16384 -e fsync -o out ./syslines d >/dev/null 2>&1 &&
	test_grep " fsync\(fd: " out && test_grep "^ {38}files \(.*/syslines\)$" out && test_grep "^ {38}main \(.*/syslines\)$" out
'

# Those of the events in ./syslines, without the head of the line.
fields () { sed -E 's/^ *[0-9.]+ (\( *[0-9.]* *(ms)?\): )?[^ ]+ //' "$1"; }

test_expect_success 'fields of events: calls as calls, no number of the call, no zeros unless they are wanted' '
	perf trace -e syscalls:sys_enter_lseek -e syscalls:sys_enter_exit_group -o out ./syslines d >/dev/null && fields out >got &&
	printf "syscalls:sys_enter_%s\n" "lseek(fd: 3, whence: SET)" "exit_group()" >expect && test_cmp expect <(sed "s/fd: [0-9]*/fd: 3/" got) &&
	printf "[trace]\n\tshow_zeros = true\n" >zeros &&
	PERF_CONFIG=zeros perf trace -e syscalls:sys_enter_exit_group -o out ./syslines d >/dev/null && fields out >got &&
	echo "syscalls:sys_enter_exit_group(error_code: 0)" >expect && test_cmp expect got &&
	test_status 1 perf trace -e syscalls:sys_exit_openat --filter "ret == -2" -o out cat ./nosuch &&
	test_grep "cat/[0-9]+ syscalls:sys_exit_openat\(__syscall_nr: [0-9]+, ret: -2\)$" out
'

test_expect_success BTF 'fields of events: the names of enumerators, no flag that is false' '
	perf trace -e timer:hrtimer_start -o out sleep 0.01 &&
	test_grep "timer:hrtimer_start\(.*, mode: HRTIMER_MODE_[A-Z_]+(, was_armed: 1)?\)$" out && test_grep -v "was_armed: 0" out &&
	perf trace record -q -o t.data -e timer:hrtimer_start sleep 0.01 &&
	perf trace -i t.data >out 2>&1 && test_grep "timer:hrtimer_start\(.*mode: HRTIMER_MODE_[A-Z_]+" out
'

test_expect_success '--filter is of the events in the -e before it, or an error' '
	perf trace -e syscalls:sys_enter_lseek --filter "offset == 0 && whence == 0" -e syscalls:sys_enter_exit_group \
		--filter "error_code == 9" -o out ./syslines d >/dev/null && fields out >got &&
	echo "syscalls:sys_enter_lseek(fd: 3, whence: SET)" >expect && test_cmp expect <(sed "s/fd: [0-9]*/fd: 3/" got) &&
	test_must_fail perf trace -e openat --filter "flags == 0" true 2>err &&
	test_grep "^Error: --filter must follow the -e of a tracepoint: .openat. is none$" err && test_grep "^Hint: .*syscalls:sys_enter_NAME" err &&
	test_must_fail perf trace --filter "flags == 0" -e syscalls:sys_enter_openat true 2>err &&
	test_grep "^Error: --filter must follow the -e of a tracepoint$" err &&
	test_must_fail perf trace -i t.data -e sched:sched_switch --filter "prev_pid == 1" 2>err &&
	test_grep "^Error: --filter is for the kernel: it has no effect on a recording$" err &&
	test_must_fail perf trace -e cpu-clock --filter "x == 1" true 2>err && test_grep "unknown term .x." err
'

test_expect_success X86_64 'a recording has the numbers of calls of the machine that made it' '
	perf trace record -q -o t.data ./syslines d >/dev/null 2>&1 &&
	perl -0777 -pe "s/(.*)x86_64\\0\\0/\$1aarch64\\0/s" t.data >arm.data && ! cmp -s t.data arm.data &&
	perf trace -i t.data -e exit_group >out 2>&1 && test_grep "exit_group\(error_code: 0\) += \?$" out &&
	perf trace -i arm.data -e munlockall >out 2>&1 && test_grep "syslines/[0-9]+ munlockall\(\)" out
'

test_expect_success 'an unknown event is an error' '
	test_must_fail perf trace -e sched:nosuch true 2>err && test_grep "nosuch" err
'

test_done
