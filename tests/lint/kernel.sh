#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel's doors are in util/os: paths below /proc, /sys and /dev, and system calls about processes, events and time, are
# nowhere else but where kernel.allow says why. (Programs that are measured, and BPF programs, are not asked.)
. tests/lint/sources.inc

calls='ioctl|poll|ppoll|select|pselect|syscall|signalfd|eventfd|timerfd_[a-z]+|inotify_[a-z0-9]+|fork|vfork|execl[pe]*|execv[pe]*'
calls="$calls|posix_spawnp?|kill|tgkill|wait|waitpid|wait4|waitid|setns|unshare|prctl|getrlimit|setrlimit|prlimit|socket|uname"
calls="$calls|perf_event_open|ptrace|mount|sigaction|sigprocmask|sysinfo|process_vm_readv|setpriority|sysconf|gethostname"
calls="$calls|sched_(setaffinity|getaffinity|setscheduler|getcpu|yield)"
kept=$(c_sources | grep -vE '^util/(os|test|bench)/|\.bpf\.c$' | xargs awk -v keep=1 -f tests/lint/strip.awk)
bare=$(c_sources | grep -vE '^util/(os|test|bench)/|\.bpf\.c$' | xargs awk -f tests/lint/strip.awk)
found=$(
	printf '%s\n' "$kept" | grep -E '"/(proc|sys|dev)[/"%]' | cut -d: -f1 | sort | uniq -c | awk '{ print $2, "path", $1 }'
	printf '%s\n' "$bare" | grep -E "(^[^:]*:[0-9]+:|[^A-Za-z0-9_.>])($calls)\(" | cut -d: -f1 | sort | uniq -c |
		awk '{ print $2, "call", $1 }'
)
printf '%s\n' "$found" | awk -v list=tests/lint/kernel.allow -f tests/lint/allowed.awk |
	verdict "kernel: paths and system calls are those of util/os"
printf '%s\n' "$found" | awk -v list=tests/lint/kernel.allow -v stale=1 -f tests/lint/allowed.awk |
	verdict "kernel: the allow-list has no stale lines"

# Commands compose a session: no list allows them these.
own='stream_(new|begin|put|run)|source_(open_[a-z]+|close)|data_open|ring_(map|open|consume)|event_list_open|os_perf_open'
own="$own|poll|ppoll|select|ioctl|signalfd|perf_event_open"
printf '%s\n' "$bare" | grep '^builtin' | grep -E "(^[^:]*:[0-9]+:|[^A-Za-z0-9_.>])($own)\(" |
	verdict "kernel: commands open no streams, readers or events, and poll nothing"
