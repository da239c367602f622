#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf trace: stacks below lines, output between two events, events as JSON'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq SYSBPF 'needs a kernel that lets BPF watch system calls' \
	'test_have BPF && ! perf trace -v -e close -o probe true 2>&1 | grep -qi "cannot load the BPF programs"'

test_require SYSBPF,CC,ROOT,TRACEFS,SYSCALLS
test_workload syslines
mkdir d

# The names of the calls that have lines.
names () { sed -nE 's/^.*[0-9] ([a-z_0-9]+)\(.*\) += .*/\1/p' "$1"; }

test_expect_success 'each call keeps its strings and has its own stack below' '
	perf trace --call-graph dwarf,32768 -e rename,unlink,fsync,kill -o out ./syslines d >/dev/null &&
	sed -nE "s/^.*[0-9] ((rename|unlink|fsync|kill)\(.*)/\1/p; s/^ {38}([a-z_]+) \(.*\/syslines\)$/\1/p" out >got.raw &&
	sed -E "s/fd: [0-9]+<.*\//fd: </; s/pid: [0-9]+/pid: N/; s/ += / = /" got.raw | grep -v "^_start$" >got &&
	cat >expect <<-\EOF &&
	rename(oldname: "My-File-Name", newname: "Other") = 0
	files
	main
	unlink(pathname: "Other") = 0
	files
	main
	fsync(fd: <Other (deleted)>) = 0
	files
	main
	kill(pid: N (syslines), sig: USR1) = 0
	others
	main
	EOF
	test_cmp expect got
'

test_expect_success '--max-stack and --min-stack, which ask for stacks themselves' '
	perf trace --max-stack 1 -e rename,unlink -o out ./syslines d >/dev/null && test "$(wc -l <out)" = 4 &&
	test "$(grep -cE "^ {38}[^ ]*(rename|unlink)[^ ]* \(" out)" = 2 &&
	perf trace --min-stack 100 -e rename,unlink -o out ./syslines d >/dev/null && test ! -s out &&
	perf trace --call-graph dwarf,32768 --min-stack 3 -e rename,unlink -o out ./syslines d >/dev/null && names out >got &&
	printf "rename\nunlink\n" >expect && test_cmp expect got
'

test_expect_success '--kernel-syscall-graph: the part of the kernel too, only then' '
	perf trace --kernel-syscall-graph -e fsync -o out ./syslines d >/dev/null && test_grep "\(\[kernel|^ {38}.*\(/.*vmlinux" out &&
	perf trace --call-graph fp -e fsync -o out ./syslines d >/dev/null && test_grep -v "\[kernel" out && test_grep "fsync\(fd: " out
'

test_expect_success 'as strace -k writes stacks' '
	perf trace --style=strace --call-graph dwarf -e unlink -o out ./syslines d >/dev/null &&
	test_grep "^[0-9]+ unlink\(\"Other\"\) += 0$" out && test_grep "^ > /.*/syslines\(files\+0x[0-9a-f]+\) \[0x[0-9a-f]+\]$" out
'

test_expect_success 'a loop: each call with a stack of its own' '
	perf trace -m 64M --call-graph fp -e write -o out dd if=/dev/zero of=/dev/null bs=1 count=2000 status=none 2>err &&
	test "$(grep -c "write(fd: 1</dev/null>, buf: \"" out)" = 2000 && test ! -s err &&
	awk "/write\(/ { if (open) bad++; open = 1; next } /^          / { open = 0 } END { exit bad + open > 0 }" out
'

test_expect_success '--switch-on, --switch-off: an event that is not among those of -e' '
	perf trace --switch-on syscalls:sys_enter_unlink -e lseek,unlink,fsync,kill -o out ./syslines d >/dev/null && names out >got &&
	printf "unlink\nfsync\nkill\n" >expect && test_cmp expect got &&
	perf trace --switch-off syscalls:sys_enter_fsync -e lseek,unlink,fsync,kill -o out ./syslines d >/dev/null && names out >got &&
	printf "lseek\nunlink\n" >expect && test_cmp expect got &&
	perf trace --switch-on syscalls:sys_enter_unlink --switch-off syscalls:sys_enter_kill --show-on-off-events \
		-e lseek,unlink,fsync,kill -o out ./syslines d >/dev/null &&
	sed -E "s/^.*[0-9] ([a-z_:]+)\(.*/\1/" out >got &&
	printf "syscalls:sys_enter_unlink\nunlink\nfsync\nsyscalls:sys_enter_kill\n" >expect && test_cmp expect got
'

test_expect_success '--switch-on: what is no event is named' '
	test_must_fail perf trace --switch-on no:such true 2>err && test_grep "switch-on: .no:such. is not the name of an event" err &&
	test_must_fail perf trace --switch-off "sched:*" true 2>err && test_grep "switch-off: .sched:\*. is not" err &&
	perf trace record -q -o t.data ./syslines d >/dev/null 2>&1 &&
	test_must_fail perf trace -i t.data --switch-on no:such 2>err && test_grep "^Error: --switch-on: the recording has no event .no:such.$" err
'

test_expect_success 'the tracepoints of all calls are events like others' '
	perf trace -e raw_syscalls:sys_exit,fsync -o out ./syslines d >/dev/null &&
	test_grep "raw_syscalls:sys_exit\(id: [0-9]+, ret: " out && test_grep " fsync\(fd: " out
'

test_expect_success 'words that name nothing are refused' '
	test_must_fail perf trace -e "" true 2>err && test_grep "names no system call" err &&
	test_must_fail perf trace -e "!" true 2>err && test_grep "names no system call" err &&
	test_must_fail perf trace -e openat,,close true 2>err && test_grep "empty name" err &&
	test_must_fail perf trace -C 9999 true 2>err && test_grep "CPU 9999 is not online" err
'

test_expect_success 'JSON: events, stacks and sums are objects too' '
	test_have PYTHON || { test_skip "no python3"; return; }
	perf trace --json --call-graph dwarf -e unlink,sched:sched_process_exec -S --errno-summary -o out ./syslines d >/dev/null &&
	python3 - out >got <<-\EOF &&
	import json, sys
	for line in open(sys.argv[1]):
	    o = json.loads(line)
	    if o["type"] == "event":
	        print(o["event"], "syslines" in o["args"])
	    elif o["type"] == "stack":
	        print("stack", any(f.startswith("files (") for f in o["frames"]))
	    elif o["type"] == "summary":
	        print("sum", o["syscall"], o["calls"], o["errors"], o["errnos"])
	    else:
	        print(o["type"], o["syscall"], o["ret"])
	EOF
	cat >expect <<-\EOF &&
	sched:sched_process_exec True
	stack False
	call unlink 0
	stack True
	sum unlink 1 0 {}
	EOF
	test_cmp expect got
'

test_done
