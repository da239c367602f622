#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf trace: every option has an effect, says that it has none, or is refused: live, without BPF, with -i'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq SYSBPF 'needs a kernel that lets BPF watch system calls' \
	'test_have BPF && ! perf trace -v -e close -o probe true 2>&1 | grep -qi "cannot load the BPF programs"'

test_require ROOT,TRACEFS,SYSCALLS,CC
test_workload syslines
mkdir d
printf '#!/bin/sh\n./syslines d\n' >child
chmod +x child
# somebody else, who makes calls all the time
sh -c 'while :; do mkdir -p w; sleep 0.02; done' & busy=$!
test_kill_at_end $busy
perf trace record -q -e sched:sched_process_exec,sched:sched_stat_runtime,page-faults -o t.data ./child >/dev/null 2>&1
perf trace record -q -g -e page-faults -o g.data ./syslines d >/dev/null 2>&1
head -c -3000 t.data >cut.data && chmod 600 cut.data
sed "s/ do_syscall_64\$/ another_name/" /proc/kallsyms >names
child=$(perf trace -i t.data -e execve 2>&1 | sed -n 's|.* syslines/\([0-9]*\) .*|\1|p' | head -n 1)

has () { grep -aEq -e "$1" o || { echo "no '$1'"; head -n 20 o; return 1; }; }
only () { ! grep -aE " [a-z_.0-9]+/[0-9]+ " o | grep -avE " [a-z_.0-9]+/$1 " || { echo "not only of $1"; return 1; }; }
hasnt () { ! grep -aEq -e "$1" o || { echo "'$1' is there"; grep -aE -e "$1" o | head -n 5; return 1; }; }

# try ARGS CHECKS: perf trace with these arguments, and what its output and messages must be. Each CHECKS fails without the option.
run () { echo "perf trace $1" && { eval "perf trace $1" 2>o >/dev/null; rc=$?; } && eval "$2"; }
refused () { [ $rc != 0 ] && has "Error: .*$1"; }
no_effect () { [ $rc = 0 ] && has "Warning: no effect .*$1$"; }

# OPTION ARGS CHECKS, one row an option; "-" as ARGS: nothing to see, CHECKS says why.
cat >live <<\X
all-cpus	-a -e mkdir -- sleep 0.2	has "mkdir/[0-9]+ mkdir\("
cpu	-C 0 --show-cpu -- sleep 0.2	has "\[000\]" && hasnt "\[00[1-9]\]"
delay	-D 200 -e mkdir,rmdir -- sh -c "mkdir first; rmdir first; sleep 0.5; mkdir later; rmdir later"	has later && hasnt first
event	-e lseek -- ./syslines d	has lseek && hasnt "access\("
expr	--expr lseek -- ./syslines d	has lseek && hasnt "access\("
force	-	accepted: nothing is refused
pf	-F all --no-syscalls -- ./syslines d	has minfault
cgroup	-G nosuch -- sleep 0.1	refused "(.*nosuch|the cgroup hierarchy of perf_event is not mounted)"
input	-	see below
kallsyms	--kallsyms names -e lseek -- ./syslines d	refused "kallsyms is for a recording"
mmap-pages	-m nonsense -- true	[ $rc != 0 ] && has "expects a size"
output	-o o -e lseek -- ./syslines d	has "lseek\("
pid	-p $busy -e mkdir,wait4 -- sleep 0.2	has "sh/$busy wait4\("
tid	-t $busy -e mkdir,wait4 -- sleep 0.2	has "sh/$busy wait4\("
quiet	-q --no-bpf --max-string 3 -e lseek -- ./syslines d	has "lseek\(" && hasnt "Warning"
summary	-s -e lseek -- ./syslines d	has "Summary of events" && hasnt "lseek\("
summary-only	--summary-only -e lseek -- ./syslines d	has "Summary of events" && hasnt "lseek\("
bpf-summary	--bpf-summary -e lseek -- ./syslines d	has "Summary of events" && hasnt "lseek\("
with-summary	-S -e lseek -- ./syslines d	has "Summary of events" && has "lseek\("
errno-summary	--errno-summary -e access -- ./syslines d	has "ENOENT: 2" && hasnt "access\("
summary-mode	--summary-mode total -- true	refused "summary-mode is about the summary: give -s or -S"
max-summary	-s --max-summary 1 -e lseek,access -- ./syslines d	[ $(grep -cE "^   (lseek|access) " o) = 1 ]
sched	--sched -- true	refused "sched is about the summary: give -s or -S"
tolerant	-	for recordings: see below
time	-T -e lseek -- ./syslines d	has "^ *[0-9]{4,}\.[0-9]{3} \("
uid	-u nobody -e mkdir -- sleep 0.2	hasnt "mkdir\("
verbose	--no-bpf -v -e lseek -- ./syslines d	has "lseek\("
call-graph	--call-graph nonsense -- true	refused nonsense
comm	--no-comm -e lseek -- ./syslines d	has "ms\): [0-9]+ lseek\("
duration	--duration 10 -e lseek,clock_nanosleep -- sh -c "./syslines d; sleep 0.05"	has nanosleep && hasnt "lseek\("
failure	--failure -e lseek,access -- ./syslines d	has "access\(" && hasnt "lseek\("
field-separator	-s -x ";" -e lseek -- ./syslines d	has "^syslines;[0-9]+;[0-9]+;100\.0000;lseek;8;1;0;"
filter	-e lseek --filter "whence == 0" -- true	refused "filter must follow"
filter-pids	-p $$,$busy --filter-pids $busy -e mkdir,wait4 -- sleep 0.2	hasnt "sh/$busy "
force-btf	--force-btf -e openat -- true	[ $rc = 0 ]
json	--json -e lseek -- ./syslines d	has "^\{.*\"syscall\":\"lseek\""
kernel-syscall-graph	--kernel-syscall-graph -e lseek -- ./syslines d	has "^ +[a-z_0-9]+ \(\[kernel.kallsyms\]\)"
libtraceevent_print	--libtraceevent_print -e sched:sched_process_exec -- true	has "\(filename=.*true pid=[0-9]+ old_pid=[0-9]+\)"
map-dump	--map-dump x -- true	refused "of old versions"
max-events	--max-events 1 -e lseek,access -- ./syslines d	[ $(wc -l <o) = 1 ]
max-stack	--max-stack 1 -e fsync -- ./syslines d	[ $(grep -cE "^ {20,}[^ ]" o) = 1 ]
min-stack	--min-stack 100 -e fsync -- ./syslines d	hasnt "fsync\("
max-string	--max-string 3 -e writev -- ./syslines d	hasnt "\"[^\" ]{4}"
no-bpf	--no-bpf -e unlink -- ./syslines d	has "unlink\(pathname: 0x"
no-inherit	--no-inherit -e lseek,exit_group -- ./child	has exit_group && hasnt "lseek\("
per-thread	-	the way in which rings are made
print-sample	--print-sample -e lseek -- ./syslines d	has "^raw_syscalls:sys_exit "
proc-map-timeout	-	only a process with a huge number of mappings reaches it
show-cpu	--show-cpu -e lseek -- ./syslines d	has " \[[0-9]{3}\] \("
show-on-off-events	--show-on-off-events -- true	refused "needs --switch-on or --switch-off"
sort-events	-	accepted: events are always in order
style	--style strace -e lseek -- ./syslines d	has "lseek\([0-9]+<.*>, 0, SEEK_SET\) = 0"
switch-on	--switch-on syscalls:sys_enter_unlink -e lseek,fsync -- ./syslines d	has "fsync\(" && hasnt "lseek\("
switch-off	--switch-off syscalls:sys_enter_unlink -e lseek,fsync -- ./syslines d	hasnt "fsync\(" && has "lseek\("
syscalls	--syscalls -e sched:sched_process_exec -- ./syslines d	has "lseek\("
tool_stats	--tool_stats -e lseek -- ./syslines d	has "lines of calls: 1"
with-return	--with-return -- sh -c "./syslines d & wait"	hasnt "\.\.\.$|continued"
X

cat >rings <<\X
summary-mode	--no-bpf -s --summary-mode cgroup -- true	refused "summary-mode cgroup needs BPF"
max-string	--no-bpf --max-string 3 -e unlink -- ./syslines d	no_effect "--max-string"
force-btf	--no-bpf --force-btf -e unlink -- ./syslines d	no_effect "--force-btf"
filter-pids	--no-bpf -p $$,$busy --filter-pids $busy -e mkdir,wait4 -- sleep 0.2	hasnt "sh/$busy "
failure	--no-bpf --failure -e lseek,access -- ./syslines d	has "access\(" && hasnt "lseek\("
errno-summary	--no-bpf --errno-summary -e access -- ./syslines d	has "ENOENT: 2" && hasnt "access\("
no-inherit	--no-bpf --no-inherit -e lseek,exit_group -- ./child	has exit_group && hasnt "lseek\("
max-events	--no-bpf --max-events 1 -e lseek,access -- ./syslines d	[ $(wc -l <o) = 1 ]
X

cat >file <<\X
all-cpus	-a	no_effect "-a"
cpu	-C 4095	[ ! -s o ] && [ $rc = 0 ]
delay	-D 10	refused "-D is for tracing"
event	-e lseek	has "lseek\(" && hasnt "access\(" && hasnt "sched_process_exec\("
expr	--expr "sched:*exec"	has "sched_process_exec\(" && hasnt "lseek\(" && hasnt "stat_runtime\("
force	-f	[ $rc = 0 ]
pf	-F maj	refused "no page faults"
cgroup	-G nosuch	refused "-G is for tracing"
input	true	refused "no command is run with -i"
kallsyms	-i g.data --kallsyms names --kernel-syscall-graph -e lseek	has "another_name.*kernel.kallsyms"
mmap-pages	-m 1M	no_effect "-m"
output	-o o	has "lseek\("
pid	-p $child	has "lseek\(" && only $child
tid	-t $child	has "lseek\(" && only $child
quiet	-q -a	hasnt Warning
summary	-i g.data -s -e lseek	has "Summary of events" && hasnt "lseek\(" && hasnt "\(.*/syslines\)$"
summary-only	--summary-only	has "Summary of events" && hasnt "lseek\("
bpf-summary	--bpf-summary	has "Summary of events" && hasnt "lseek\("
with-summary	-S	has "Summary of events" && has "lseek\("
errno-summary	--errno-summary	has "ENOENT: [0-9]" && hasnt "access\("
summary-mode	-s --summary-mode cgroup	refused "summary-mode cgroup is for tracing"
max-summary	--max-summary 1	refused "max-summary is about the summary"
sched	-s --sched	has "^ syslines \([0-9]+\), .* msec$"
tolerant	-i cut.data --tolerant	[ $rc = 0 ]
time	-T	has "^ *[0-9]{4,}\.[0-9]{3} \(.*lseek\("
uid	-u nobody	refused "-u is for tracing"
verbose	-v	[ $rc = 0 ]
call-graph	--call-graph fp	no_effect "--call-graph"
comm	--no-comm	hasnt " syslines/"
duration	--duration 100000	hasnt "lseek\("
failure	--failure	has "access\(" && hasnt "lseek\("
field-separator	-s --field-separator=, -e lseek	has "^syslines,[0-9]+,.*,lseek,8,1,0," && hasnt "Summary"
filter	-e sched:sched_process_exec --filter "pid == 1"	refused "filter is for the kernel"
filter-pids	--filter-pids $child	hasnt "lseek\(" && has " child/"
force-btf	--force-btf	no_effect "--force-btf"
json	--json	has "^\{.*\"syscall\":\"lseek\""
kernel-syscall-graph	-i g.data --kernel-syscall-graph -e lseek	has "kernel.kallsyms"
libtraceevent_print	--libtraceevent_print	has "sched_process_exec\(filename=.* pid="
map-dump	--map-dump x	refused "of old versions"
max-events	--max-events 2	[ $(grep -cE "^ *[0-9?]" o) = 2 ]
max-stack	-i g.data --max-stack 1 -e fsync	[ $(grep -cE "^ {20,}[^ ]" o) -le 1 ] && has "fsync\("
min-stack	-i g.data --min-stack 100	hasnt "fault \["
max-string	--max-string 3	no_effect "--max-string"
no-bpf	--no-bpf	no_effect "--no-bpf"
no-inherit	--no-inherit	no_effect "--no-inherit"
per-thread	--per-thread	no_effect "--per-thread"
print-sample	--print-sample	has "^raw_syscalls:sys_exit "
proc-map-timeout	--proc-map-timeout 9	no_effect "--proc-map-timeout"
show-cpu	--show-cpu	has " \[[0-9]{3}\] "
show-on-off-events	--show-on-off-events	refused "needs --switch-on or --switch-off"
sort-events	-	accepted: events are always in order
style	--style strace -e lseek	has "lseek\([0-9]+, 0, SEEK_SET\) += 0"
switch-on	--switch-on sched:nosuch	refused "no event .sched:nosuch."
switch-off	--switch-off sched:sched_process_exec	hasnt "lseek\("
syscalls	--syscalls -e sched:sched_process_exec	has "lseek\(" && hasnt "stat_runtime\("
tool_stats	--tool_stats	has "lines of calls: [0-9]"
with-return	--with-return	hasnt "\.\.\.$"
X

# TABLE BEFORE AFTER
each () {
	local failed=
	while IFS='	' read -r name args checks; do
		[ "$args" != - ] || continue
		run "$2 $args $3" "$checks" >report 2>&1 </dev/null || { echo "--$name:"; cat report; failed=1; }
	done <"$1"
	[ -z "$failed" ]
}

test_expect_success 'the tables have every option' '
	perf trace -h 2>&1 | sed -nE "s/^    (-., |    )--([a-z_-]+).*/\2/p" | sort >expect && test -s expect &&
	cut -f1 live | sort >actual && test_cmp expect actual &&
	cut -f1 file | sort >actual && test_cmp expect actual
'

test_expect_success SYSBPF 'live' 'each live "" ""'
test_expect_success 'without BPF' 'each rings "" ""'
test_expect_success 'a recording' '
	run "-i t.data" "has \"lseek\\(\" && has \"access\\(\" && has \"stat_runtime\\(\" && has \"fault \\[\" && has \" child/\" && hasnt Warning" &&
	each file "-i t.data" ""
'
test_expect_success 'perf trace record takes those of perf record, no others' '
	for o in --failure "--duration 3" --with-summary "--max-string 3" --errno-summary; do
		test_must_fail perf trace record $o -o no.data true >out 2>&1 && test_grep "[Uu]nknown option|unknown switch" out || return 1
	done
'

test_done
