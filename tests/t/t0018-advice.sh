#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='what is not allowed: the hint says what helps, at once, and it is no wrong usage'
. "$(dirname "$0")/lib.sh"

test_require ROOT
q="'"
mkdir home && chmod 777 . home
as_nobody () { HOME=$PWD/home setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
as_nobody perf version >/dev/null 2>&1 || { test_skip_all "perf cannot be run by others: its directory is closed"; }
restrict=$(cat /proc/sys/kernel/kptr_restrict)

test_lazy_prereq PARANOID2 'needs kernel.perf_event_paranoid of 2' '[ "$(cat /proc/sys/kernel/perf_event_paranoid)" = 2 ]'
test_lazy_prereq CLOSED 'needs a tracefs that is for root' \
	'test_have TRACEFS && ! as_nobody ls /sys/kernel/tracing/events >/dev/null 2>&1 && [ -d /sys/kernel/tracing/events ]'
test_lazy_prereq USERNS 'needs user namespaces for users' 'as_nobody unshare -U -r true'

# refused STATUS WHAT command...: the message in the file expect, and that status
refused () { echo "$*" && test_status 1 as_nobody "$@" >out 2>err && test_cmp expect err; }
mount="sudo mount -o remount,mode=755 /sys/kernel/tracing && sudo chmod -R o+rX /sys/kernel/tracing/events"

test_expect_success PERF_SW,PARANOID2 'the process of another user: no container, no level' '
	as_nobody perf stat -e task-clock:u -p $$ true 2>err; [ $? = 1 ] &&
	printf "Error: cannot open event %stask-clock:u%s for thread $$: Permission denied\n" "$q" "$q" >expect &&
	printf "Hint: it belongs to another user: run as root or with CAP_PERFMON\n" >>expect && test_cmp expect err
'
test_expect_success PERF_SW,PARANOID2,USERNS 'the same where root is none' '
	as_nobody unshare -U -r perf stat -e task-clock:u -p $$ true 2>err; [ $? = 1 ] &&
	test_grep "^Hint: it belongs to another user: run as root of the machine \(not of a container\)$" err
'
test_expect_success PARANOID2,CLOSED 'tracefs is closed: what to do for all of it, status 1, no usage' '
	printf "Error: cannot read %s/sys/kernel/tracing/events%s: Permission denied\n" "$q" "$q" >expect &&
	printf "Hint: run as root, or let everybody read the tracing files:\n      $mount\n" >>expect &&
	printf "      and: sudo sysctl kernel.perf_event_paranoid=1 for system calls of your own programs and counts, -1 for all else\n" >>expect &&
	for c in record stat trace; do refused perf $c -e sched:sched_switch true || return 1; done &&
	refused perf sched record true && refused perf list sched:sched_switch
'
test_expect_success PARANOID2,CLOSED,USERNS 'tracefs is closed to the root of a namespace' '
	test_status 1 as_nobody unshare -U -r perf record -e sched:sched_switch true 2>err &&
	test_grep "^Hint: run as root of the machine \(not of a container\), or let everybody" err
'
test_expect_success CLOSED,CC 'probes: root is needed, readable files do not help' '
	printf "int main(void) { return 0; }\n" >p.c && cc -g -o p p.c && chmod 755 p &&
	test_status 1 as_nobody perf probe -x ./p main 2>err && test_grep "^Hint: adding probes needs root: run as root \(sudo\)$" err &&
	test_status 1 as_nobody perf probe -d foo:bar 2>err && test_grep "^Hint: (deleting probes needs root: )?run as root \(sudo\)$" err &&
	test_status 1 as_nobody perf probe -l 2>err && test_grep "^Hint: run as root \(sudo\)$" err && test_grep -v remount err
'
test_expect_success PARANOID2 'the addresses of the kernel: the level that hides them is the one to change' '
	[ "$restrict" = 0 ] || { test_skip "kernel.kptr_restrict is $restrict"; return; }
	test_status 1 as_nobody perf kallsyms schedule 2>err &&
	test_grep "^Hint: run as root or with CAP_SYSLOG; or for all users: sudo sysctl kernel.perf_event_paranoid=1$" err
'

test_done
