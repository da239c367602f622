#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf top: options that t7100 does not have'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW,CC
test_workload movinghot
test_workload forkstorm

# loop: ./movinghot that goes on for minutes; its id is in $loop.
yes | ./movinghot 100 >/dev/null & loop=$! && test_kill_at_end $loop

# tables N OPTION...: N tables of the loop's (or of $whom), into out.
tables () {
	local n=$1
	shift
	: >out
	{ perf top --stdio -d 0.3 ${whom:--p $loop} "$@" >out 2>err & } && top=$! && test_kill_at_end $top &&
	test_wait_for 20 "[ \$(grep -c PerfTop out) -ge $n ]" && kill -INT $top && test_status 0 wait $top
}
no_rows () { test_grep -v "^ +[0-9.]+%  " out; }

test_expect_success '--fields, also more of them; -w; -v' '
	tables 2 -e cpu-clock:u --fields overhead,comm,sym && test_grep "^ +[0-9.]+%  movinghot +\[\.\] hot_0$" out &&
	tables 2 -e cpu-clock:u -s sym --fields +period && test_grep "^ +[0-9.]+% +[0-9]+  \[\.\] hot_0$" out &&
	tables 2 -e cpu-clock:u -s comm -w 0,20 && test_grep "^ +[0-9.]+%  movinghot *$" out &&
	tables 2 -e cpu-clock:u -s dso,sym -v && test_grep "^ +[0-9.]+%  /.*/movinghot +\[\.\] hot_0" out
'
test_expect_success '-t, -C and -u are in the title' '
	whom="-t $loop" tables 2 -e cpu-clock:u && test_grep "\(target_tid: $loop\)" out && test_grep "movinghot +\[\.\] hot_0" out &&
	{ ! test_have ROOT || { whom="-C 0" tables 1 -e cpu-clock:u && test_grep "\(all, CPU: 0\)" out; }; }
'
test_lazy_prereq SETPRIV 'needs setpriv' 'setpriv --reuid 65534 --clear-groups true'
test_expect_success ROOT,SETPRIV '-u: the processes of a user, and nobody else' '
	chmod 755 . && { yes | setpriv --reuid 65534 --regid 65534 --clear-groups ./movinghot 100 & } && own=$! && test_kill_at_end $own &&
	test_wait_for 10 "grep -q movinghot /proc/$own/comm" &&
	whom="-u 65534" tables 2 -e cpu-clock:u -s pid && test_grep "\(uid: 65534\)" out && test_grep "^ +[0-9.]+% +$own:" out && test_grep -v " $loop:" out
'
test_expect_success ROOT,PERF_CGROUP '-G: what runs in a cgroup; cgroups and namespaces as columns' '
	cg=$(awk "\$3 == \"cgroup\" && \$4 ~ /perf_event/ { print \$2; exit }" /proc/mounts) &&
	cg=${cg:-$(awk "\$3 == \"cgroup2\" { print \$2; exit }" /proc/mounts)} && test -n "$cg" && name=perftest-$$ &&
	mkdir "$cg/$name" 2>/dev/null || { test_skip "no cgroup can be made"; return; }
	{ yes | sh -c "echo \$\$ >$cg/$name/cgroup.procs; exec ./movinghot 100" & } && inside=$! && test_kill_at_end $inside &&
	whom="-a -G $name" tables 2 -e cpu-clock:u -s pid && test_grep "^ +[0-9.]+% +$inside:" out && test_grep -v " $loop:" out &&
	whom="-a" tables 2 -e cpu-clock:u --all-cgroups -s cgroup,comm && test_grep "^ +[0-9.]+%  /$name +movinghot" out &&
	tables 2 -e cpu-clock:u --namespaces -s cgroup_id,comm && test_grep "^ +[0-9.]+%  [0-9]+/0x[0-9a-f]+ +movinghot" out
	s=$?; kill $inside; test_wait_for 10 "rmdir $cg/$name" && test $s = 0
'
test_expect_success 'children of the process are followed, but with -i' '
	for i in "" -i; do
		rm -f go && mkfifo go && { sh -c "read x; ./movinghot 100 <go" <go & } && sky=$! && test_kill_at_end $sky && exec 9>go &&
		: >out && { perf top --stdio -d 0.3 -e cpu-clock:u -s comm $i -p $sky >out 2>err & } && top=$! && test_kill_at_end $top &&
		test_wait_for 20 "grep -q PerfTop out" && echo >&9 && echo >&9 && sleep 0.3 &&
		test_wait_for 20 "pgrep -P $sky movinghot >child" && test_kill_at_end $(cat child) && : >out &&
		test_wait_for 20 "[ \$(grep -ac PerfTop out) -ge 4 ]" && kill -INT $top && test_status 0 wait $top && kill $(cat child) $sky && exec 9>&- &&
		if [ -z "$i" ]; then test_grep "%  movinghot" out; else test_grep -v "%  movinghot" out; fi || return 1
	done
'
test_expect_success '--max-stack, --ignore-callees' '
	tables 2 -e cpu-clock:u -g --max-stack 1 -s sym && test_grep "^ +[0-9.]+% +[0-9.]+%  \[\.\] hot_0" out && test_grep -v "\[\.\] main" out &&
	tables 2 -e cpu-clock:u -g --ignore-callees "^main$" --no-children -s sym -E 1 && test_grep "^ +[0-9.]+%  \[\.\] main" out && test_grep -v "%  \[\.\] hot_0" out
'
test_expect_success SYSCALLS,ROOT '--switch-on, --switch-off: nothing counts before the one, or after the other' '
	e="-e cpu-clock:u,syscalls:sys_enter_getppid" &&
	tables 3 $e --switch-on syscalls:sys_enter_getppid && no_rows &&
	tables 2 $e --switch-off syscalls:sys_enter_getppid && test_grep "hot_0" out
'
test_expect_success TRACEFS,ROOT 'tracepoints: --filter, their fields, and --raw-trace' '
	{ ./forkstorm 100 >/dev/null & } && storm=$! && test_kill_at_end $storm &&
	whom="-p $storm" tables 2 -e sched:sched_process_fork -c 1 -f 0 -s comm,trace -E 3 && test_grep "forkstorm +comm=forkstorm pid=[0-9]+ child_comm=forkstorm" out &&
	whom="-p $storm" tables 2 -e sched:sched_process_fork -c 1 --raw-trace -f 0 -s comm,trace -E 3 && test_grep "forkstorm +.*parent_pid=[0-9]+" out &&
	whom="-p $storm" tables 2 -e sched:sched_process_fork --filter "parent_pid==0" -c 1 -s comm -f 0 && no_rows
'
test_expect_success 'sizes of buffers; --overwrite is said to have no effect; words of other versions' '
	tables 1 -e cpu-clock:u -m 16 && test ! -s err && tables 1 -e cpu-clock:u --overwrite && test_grep "no effect: --overwrite" err &&
	tables 1 -e cpu-clock:u --num-thread-synthesize 4 --force --proc-map-timeout 100 && test ! -s err &&
	test_status 129 perf top -D 2>err && test_grep "perf kallsyms and nm" err
'
# shape FILE: rows of its second table with samples in their columns, without digits
shape () { awk "/PerfTop/ { n += has; has = 0; next } /%/ { has = 1 } n == 1 && has" "$1" | grep -a % | tr 0-9 " " | sed "s/ *\$//"; }
test_expect_success '--hierarchy: a level for each sort key; -E counts all rows; no sums of callers' '
	tables 4 -e cpu-clock:u -H -s comm,dso,sym -E 3 && shape out >got &&
	printf "%s\n" "      .  %        movinghot" "         .  %        movinghot" "            .  %        [.] hot_" >expect && test_cmp expect got &&
	tables 2 -e cpu-clock:u --hierarchy -g -s dso,sym && test_grep "^ +[0-9.]+%     movinghot *$" out && test_grep "^ +[0-9.]+%     \[\.\] hot_0 *$" out && test_grep -v "[0-9]% +[0-9.]+%" out
'
test_expect_success UPSTREAM '--hierarchy: the same rows as upstream' '
	for s in "-s comm,dso,sym -E 3" "-s dso,sym -n -E 2" "-s sym,comm -E 2"; do
		tables 4 -e cpu-clock:u --hierarchy $s && shape out >got &&
		rm -f keys && mkfifo keys && : >up && { timeout 20 $UPSTREAM top --stdio --hierarchy -d 1 -e cpu-clock:u $s -p $loop <>keys >up 2>err & } && top=$! &&
		test_wait_for 20 "[ \$(grep -ac PerfTop up) -ge 5 ]" && kill -INT $top && shape up >expect && test -s expect && test_cmp expect got || return 1
	done
'
# While it is stopped nobody reads the buffers, which are small: what does not fit is told in the title, and goes on being told.
test_expect_success 'samples that were lost are told in the title, those of the interval and all of them' '
	: >out && { perf top --stdio -d 0.3 -e cpu-clock:u -m 4 -g -p $loop >out 2>err & } && top=$! && test_kill_at_end $top &&
	test_wait_for 20 "grep -q \"lost: 0/\" out" && kill -STOP $top && sleep 3 && kill -CONT $top &&
	test_wait_for 20 "grep -qE \"lost: 0/[1-9]\" out" && test_grep "lost: [1-9][0-9]*/[1-9]" out && kill -INT $top && test_status 0 wait $top
'
test_expect_success UPSTREAM 'the same rows as upstream' '
	for s in comm,dso,sym dso,sym sym; do
		tables 2 -e cpu-clock:u -s $s && grep -aE "^ +[0-9.]+%  movinghot$|^ +[0-9.]+%  .*hot_0" out | tail -n 1 | sed -E "s/^ +[0-9.]+% +//; s/ +/ /g; s/ $//" >got &&
		rm -f keys && mkfifo keys && : >up.$s && { timeout 20 $UPSTREAM top --stdio -d 1 -e cpu-clock:u -s $s -E 5 -p $loop <>keys >up.$s 2>err & } && top=$! &&
		test_wait_for 20 "[ \$(grep -ac PerfTop up.$s) -ge 3 ]" && kill -INT $top &&
		grep -aE "^ +[0-9.]+%  .*hot_0" up.$s | tail -n 1 | sed -E "s/^ +[0-9.]+% +//; s/ +/ /g; s/ $//" >expect && test_cmp expect got || return 1
	done
'
test_done
