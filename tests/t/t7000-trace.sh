#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf trace: lines, selection, filters, summary'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq SYSBPF 'needs a kernel that lets BPF watch system calls' \
	'test_have BPF && ! perf trace -v -e close -o probe true 2>&1 | grep -qi "cannot load the BPF programs"'

# What the kernel refuses for a fault of the programs is no lack of the machine.
test_expect_success BPF 'the verifier takes the programs' '
	perf trace -v -e close -o probe true 2>err; test_grep -v "Argument list too long|Invalid argument" err
'

test_require SYSBPF,CC
test_workload syslines
test_workload sysmix

# Every pattern that the program printed must match a line of its trace.
all_match () {
	local p rc=0
	[ -s "$1" ] || { echo "no patterns"; return 1; }
	while IFS= read -r p; do
		grep -aqE -- "$p" "$2" || { echo "no line for: $p"; rc=1; }
	done <"$1"
	[ $rc = 0 ] || cat "$2"
	return $rc
}

test_expect_success 'each call as the program predicts it' '
	mkdir d && perf trace -o out ./syslines d >patterns &&
	all_match patterns out
'

test_expect_success 'the layout: time, duration, comm/tid, result column' '
	head -n 1 out >first &&
	test_grep "^ +0\.000 \( *[0-9]+\.[0-9]{3} ms\): syslines/[0-9]+ execve\(filename: \"./syslines\", argv: \[\"./syslines\", \"d\"\], envp: 0x[0-9a-f]+\) = 0$" first &&
	tail -n 1 out >last &&
	test_grep "^ *[0-9]+\.[0-9]{3} \(         \): syslines/[0-9]+ exit_group\(error_code: 0\) {45}= \?$" last
'

test_expect_success '-e: names, and nothing else' '
	perf trace -e lseek,unlink -o out ./syslines d >/dev/null &&
	sed "s/.*[0-9] \([a-z]*\)(.*/\1/" out >got &&
	printf "lseek\nunlink\n" >expect && test_cmp expect got
'

test_expect_success '-e: globs, classes, regular expressions' '
	perf trace -e "epoll_c*,*sleep" -o out ./syslines d >/dev/null &&
	sed "s/.*[0-9] \([a-z0-9_]*\)(.*/\1/" out >got &&
	printf "epoll_create1\nepoll_ctl\nclock_nanosleep\n" >expect && test_cmp expect got &&
	perf trace -e net -o out ./syslines d >/dev/null &&
	sed "s/.*[0-9] \([a-z0-9_]*\)(.*/\1/" out | sort -u >got &&
	printf "bind\nconnect\ngetsockname\nlisten\nsendto\nsocket\n" >expect && test_cmp expect got &&
	perf trace -e "/^(un|re)(link|name)$" -o out ./syslines d >/dev/null &&
	sed "s/.*[0-9] \([a-z0-9_]*\)(.*/\1/" out >got &&
	printf "rename\nunlink\n" >expect && test_cmp expect got
'

test_expect_success '-e with ! leaves the whole list out' '
	perf trace -e "!close,mmap" -o out ./syslines d >/dev/null &&
	test_grep "openat\(" out && test_grep -v " (close|mmap)\(" out
'

test_expect_success '-e: sets of names, one ABI, names that may be missing, everything but' '
	names () { sed "s/.*[0-9] \([a-z0-9_]*\)(.*/\1/" out; }
	perf trace -e "%%stat,?nosuch" -o out ./syslines d >/dev/null && names | sort -u >got && grep -qx newfstatat got &&
	test_grep -v "openat|read" got && perf trace -e "lseek@64,unlink@32" -o out ./syslines d >/dev/null && names >got &&
	echo lseek >expect && test_cmp expect got &&
	perf trace -e "l*,!lstat,!listen" -o out ./syslines d >/dev/null && names >got && test_cmp expect got &&
	perf trace -e "trace=%file,!open*" -o out ./syslines d >/dev/null && names >got && grep -qx unlink got && test_grep -v open got &&
	test_must_fail perf trace -e "%nosuch" true 2>err && test_grep "%nosuch" err && test_grep "%%stat" err &&
	test_must_fail perf trace -e status=failed true 2>err && test_grep "failure" err
'

test_expect_success '-e @FILE: names in a file' '
	names () { sed "s/.*[0-9] \([a-z0-9_]*\)(.*/\1/" out; }
	printf "# two calls\nlseek, unlink\n\n  ?nosuch # and none\n" >group &&
	perf trace -e @group -o out ./syslines d >/dev/null && names >got && printf "lseek\nunlink\n" >expect && test_cmp expect got &&
	perf trace -e "l*,!@group,!listen" -o out ./syslines d >/dev/null && test_grep -v " (lseek|unlink)\(" out &&
	perf trace -e @file -o out ./syslines d >/dev/null && test_grep " unlink\(" out && test_grep -v " lseek\(" out &&
	test_must_fail perf trace -e @nosuch true 2>err && test_grep "nosuch.*neither a class" err &&
	: >group && test_must_fail perf trace -e @group true 2>err && test_grep "names no calls" err
'

test_expect_success '-o |COMMAND of strace is explained' '
	test_must_fail perf trace -o "|cat" true 2>err && test_grep "strace" err && test_grep ">\(COMMAND\)" err && ! [ -e "|cat" ]
'

test_expect_success 'an unknown name is named' '
	test_must_fail perf trace -e opennat true 2>err && test_grep "opennat" err && test_grep "openat" err &&
	test_must_fail perf trace -e signal=INT true 2>err && test_grep "strace" err
'

test_expect_success '--failure, --duration, --max-events' '
	perf trace --failure -o out ./syslines d >/dev/null &&
	test_grep "= -1 ENOENT" out && test_grep -v "\) += [0-9]" out &&
	perf trace --duration 20 -o out sleep 0.05 &&
	test_grep "clock_nanosleep\(" out &&
	perf trace --max-events 3 -o out ./syslines d >/dev/null &&
	test "$(wc -l <out)" = 3
'

test_expect_success '--with-return: a call that waits is one line, in the order of the ends' '
	perf trace -e wait4,clock_nanosleep -o cut sh -c "sleep 0.1; true" && test_grep "\[continued\]: wait4" cut &&
	perf trace --with-return -e wait4,clock_nanosleep -o out sh -c "sleep 0.1; true" &&
	test_grep -v "continued" out && test_grep -v "\.\.\.$" out && test_grep -v "^ *-" out &&
	sed -n "s/^.*ms): [a-z]*.[0-9]* \([a-z0-9_]*\)(.*) *= \([0-9]*\).*/\1/p" out | head -n 2 >names &&
	printf "clock_nanosleep\nwait4\n" >expect && test_cmp expect names
'

test_expect_success '-s counts calls and errors' '
	perf trace -s --errno-summary -o out ./syslines d >/dev/null &&
	test_grep "^ Summary of events:$" out && test_grep "^ syslines \([0-9]+\), [0-9]+ events, 100.0%$" out &&
	test_grep "^   writev +1 +0 " out && test_grep "^   access +[12] +[12] " out && test_grep "ENOENT: [0-9]+$" out &&
	perf trace -s --summary-mode=total -o out sh -c "./syslines d >/dev/null; ./syslines d >/dev/null" &&
	test_grep "^ total, [0-9]+ events$" out && test_grep "^   writev +2 +0 " out
'

test_expect_success '-S shows both' '
	perf trace -S -e lseek -o out ./syslines d >/dev/null && test_grep "lseek\(fd" out && test_grep "^   lseek +1 +0 " out
'

test_expect_success '--no-comm, -T, --style, --json' '
	perf trace --no-comm -e lseek -o out ./syslines d >/dev/null && test_grep "ms\): [0-9]+ lseek\(" out &&
	perf trace -T -e lseek -o out ./syslines d >/dev/null && test_grep "^ *[0-9]{4,}\.[0-9]{3} \(" out &&
	perf trace --style=strace -e lseek -o out ./syslines d >/dev/null &&
	test_grep "^[0-9]+ lseek\([0-9]+<.*/My-File-Name>, 0, SEEK_SET\) += 0$" out &&
	perf trace --json -e lseek -o out ./syslines d >/dev/null &&
	test_grep "\"syscall\":\"lseek\",\"args\":\"fd: .*\",\"raw_args\":\[[0-9]+,0,0\],\"ret\":0,\"result\":\"0\"}$" out
'

test_expect_success 'the exit status is the command s' '
	test_status 3 perf trace -o out sh -c "exit 3" &&
	test_must_fail perf trace -o out ./nosuch 2>err && test_grep "nosuch.*No such file or directory" err
'

test_expect_success 'a program named trace' '
	ln -s "$(command -v perf)" trace && ./trace -e lseek -o out ./syslines d >/dev/null && test_grep "lseek\(" out
'

test_expect_success 'a running process: -p' '
	rm -f out && { sleep 1000 & } && pid=$! && test_kill_at_end $pid &&
	{ perf trace -p $pid -o out & } && tracer=$! && test_kill_at_end $tracer &&
	test_wait_for 20 "kill -STOP $pid; kill -CONT $pid; [ -s out ]" &&
	kill $pid && wait $tracer
	test_grep "sleep/$pid .*(restart_syscall|clock_nanosleep)\(" out
'

test_expect_success 'what a call that slept has read is shown when it goes on' '
	perf trace -e read,write -o out sh -c "(sleep 1; cat /dev/null; echo hello) | cat" >/dev/null &&
	test_grep "cat/[0-9]+ read\(fd: 0<pipe:\[[0-9]+\]>, buf: 0x[0-9a-f]+, count: [0-9]+\) +\.\.\.$" out &&
	test_grep "cat/[0-9]+  \.\.\. \[continued\]: read\(buf: \"hello.n\"\)\) += 6$" out &&
	perf trace --style=strace -e read,write -o out sh -c "(sleep 1; cat /dev/null; echo hello) | cat" >/dev/null &&
	test_grep "^[0-9]+ read\(0<pipe:\[[0-9]+\]>,  <unfinished \.\.\.>$" out &&
	test_grep "^[0-9]+ <\.\.\. read resumed>\"hello.n\", [0-9]+\) += 6$" out
'

test_expect_success 'a command beside -p only says how long' '
	{ sleep 1000 & } && pid=$! && test_kill_at_end $pid &&
	perf trace -p $pid -o out sh -c "kill -STOP $pid; kill -CONT $pid; sleep 0.3" &&
	test_grep -v "sh/" out && test_must_fail perf trace -p 99999999 2>err && test_grep "99999999" err
'

test_expect_success 'calls of the 32-bit ABI' '
	cat >c32.c <<-\EOF &&
	#include <string.h>
	#include <sys/mman.h>
	int main(void)
	{
		char *p = mmap((void *)0x10000000, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		long r;

		strcpy(p, "/etc/passwd");
		asm volatile("int $0x80" : "=a"(r) : "a"(5), "b"(p), "c"(0), "d"(0) : "memory");
		return r < 0;
	}
	EOF
	if ! cc -o c32 c32.c 2>/dev/null || ! ./c32; then test_skip "no 32-bit calls here"; return; fi
	perf trace -o out ./c32 && test_grep " open\(filename: \"/etc/passwd\", flags: RDONLY\) += [0-9]+</etc/passwd>$" out
'

test_expect_success 'names are those that the process sees: chroot' '
	mkdir -p jail/sub && echo x >jail/sub/file &&
	cat >inner.c <<-\EOF &&
	#include <fcntl.h>
	#include <unistd.h>
	int main(void)
	{
		int fd;

		if (chroot("jail") || chdir("/"))
			return 77;
		fd = open("sub/file", O_RDONLY);
		return lseek(fd, 1, SEEK_SET) != 1;
	}
	EOF
	cc -o inner inner.c && perf trace -e lseek -o out ./inner
	if [ $? = 77 ]; then test_skip "no chroot here"; return; fi
	test_grep "lseek\(fd: [0-9]+</sub/file>, offset: 1, whence: SET\) += 1$" out
'

test_expect_success 'events alone are shown while the program runs' '
	test_have TRACEFS || { test_skip "no tracepoints"; return; }
	cat >waits <<-\EOF &&
	for i in $(seq 100); do
		grep -q "sched:sched_process_exec(.*sleep" out && exit 7
		sleep 0.1
	done
	exit 8
	EOF
	perf trace -e sched:sched_process_exec -o out sh waits
	test $? = 7
'

test_expect_success '-p with a short list: children of a process that makes none of its calls' '
	rm -f out &&
	{ sh -c "for i in \$(seq 100); do mkdir m\$i; [ -s out ] && exit; sleep 0.1; done" & } &&
	perf trace -p $! -e mkdir -o out &&
	test_grep "mkdir/[0-9]+ mkdir\(pathname: \"m[0-9]+\"" out
'

test_expect_success 'values alone are as the tests of upstream have them: no names of pipes, no quotes round buffers' '
	printf "[trace]\n\tshow_arg_names = no\n\tshow_timestamp = no\n\tshow_duration = no\n\targs_alignment = 0\n" >values &&
	PERF_CONFIG=$PWD/values perf trace -e write,openat -o out sh -c "echo \"buffer \\\"content\" | cat >/dev/null" &&
	PERF_CONFIG=$PWD/values perf trace --force-btf -e clock_nanosleep -o forced sleep 0.01 &&
	test_grep "^sh/[0-9]+ write\([0-9]+, buffer .*content.n, 16\) = 16$" out && ! grep "pipe:" out &&
	test_grep "^sh/[0-9]+ openat\(CWD, \"/dev/null\", WRONLY" out &&
	test_grep "^sleep/[0-9]+ clock_nanosleep\(0, 0, \{0, 10000000\}, 0x[0-9a-f]+\) = 0$" forced
'

test_expect_success 'settings: names, prefixes, alignment, zeros, time, events' '
	say () { printf "[trace]\n\t%s\n" "$1" >.home/.perfconfig; perf trace -e lseek,socket -o out ./syslines d >/dev/null; rc=$?; rm .home/.perfconfig; return $rc; }
	say "show_arg_names = no" && test_grep "lseek\([0-9]+<.*/My-File-Name>, 0, SET\) += 0$" out &&
	say "show_prefix = yes" && test_grep "family: AF_INET, type: SOCK_STREAM\|SOCK_CLOEXEC, protocol: IPPROTO_IP\) += " out &&
	say "args_alignment = 0" && test_grep "protocol: IP\) = " out &&
	say "args_alignment = 90" && test_grep "socket\(family: INET, type: STREAM\|CLOEXEC, protocol: IP\) {33} = " out &&
	say "show_zeros = no" && test_grep "lseek\(fd: [0-9]+<.*/My-File-Name>, whence: SET\)" out &&
	say "show_timestamp = no" && test_grep "^\( *[0-9.]+ ms\): syslines/" out &&
	say "show_duration = no" && test_grep "^ *[0-9.]+ syslines/" out &&
	test_must_fail say "tracepoint_beautifiers = nosuch" &&
	say "add_events = unlink" && test_grep "unlink\(" out && test_grep "lseek\(" out
'

test_expect_success '--show-cpu, --print-sample, --sched' '
	perf trace --show-cpu --print-sample -e lseek -o out ./syslines d >/dev/null &&
	test_grep "^ +0\.000 \[[0-9]{3}\] \( *[0-9.]+ ms\): syslines/[0-9]+ lseek\(" out &&
	test_grep "^raw_syscalls:sys_enter [0-9]+\.[0-9]{3} syslines [0-9]+/[0-9]+ \[[0-9]+\]$" out &&
	test_grep "^raw_syscalls:sys_exit [0-9]+\.[0-9]{3} syslines [0-9]+/[0-9]+ \[[0-9]+\]$" out &&
	if test_have TRACEFS; then
		perf trace -s --sched -o out ./syslines d >/dev/null &&
		test_grep "^ syslines \([0-9]+\), [0-9]+ events, 100.0%, [0-9]+\.[0-9]{3} msec$" out
	fi
'

test_expect_success '--bpf-summary is a summary, --no-bpf-summary takes none away' '
	for o in "-s" "-s --no-bpf-summary" "--bpf-summary" "--bpf-summary --no-bpf-summary -s"; do
		perf trace $o -e lseek -o out ./syslines d >/dev/null && test_grep "^ Summary of events:$" out &&
		test_grep "^   lseek +1 +0 " out && test_grep -v "lseek\(" out || return 1
	done &&
	perf trace -S --bpf-summary -e lseek -o out ./syslines d >/dev/null && test_grep "^   lseek +1 +0 " out && test_grep "lseek\(" out &&
	perf trace --no-bpf-summary -e lseek -o out ./syslines d >/dev/null && test_grep -v "Summary" out && test_grep "lseek\(" out
'

test_expect_success 'every option of upstream perf is known' '
	for o in all-cpus cpu delay event force pf cgroup input mmap-pages output pid summary with-summary tid time uid verbose bpf-summary \
		call-graph comm duration errno-summary expr failure filter filter-pids force-btf kernel-syscall-graph libtraceevent_print \
		max-events max-stack max-summary min-stack no-inherit print-sample proc-map-timeout sched show-cpu show-on-off-events \
		sort-events summary-mode switch-off switch-on syscalls tool_stats map-dump; do
		perf trace -h | grep -qE -- "--$o( |\$)" || { echo "no --$o"; return 1; }
	done
'

test_expect_success 'options of strace are explained' '
	test_must_fail perf trace -k true 2>err && test_grep "call-graph" err &&
	test_must_fail perf trace -c true 2>err && test_grep "summary" err &&
	test_must_fail perf trace -s 200 true 2>err && test_grep "max-string" err &&
	test_must_fail perf trace -tt true 2>err && test_grep "\-T" err &&
	perf trace -ff -yy -e lseek -o out ./syslines d >/dev/null && test_grep "lseek\(" out
'

test_expect_success 'an ordinary user hears what is missing' '
	cp "$(command -v perf)" p && chmod 755 . p &&
	setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null || { test_skip "no setpriv"; return; }
	setpriv --reuid=65534 --regid=65534 --clear-groups sh -c "cat /sys/kernel/tracing/events/raw_syscalls/sys_enter/id" 2>/dev/null &&
		{ test_skip "everybody may read tracefs here"; return; }
	setpriv --reuid=65534 --regid=65534 --clear-groups ./p trace true >o 2>err; test $? != 0 &&
	test_grep "system calls can be watched neither by BPF" err && test_grep "[Hh]int:" err
'

test_done
