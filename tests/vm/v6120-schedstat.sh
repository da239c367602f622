#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf sched --schedstat, sched stats and timechart power events on a kernel that has them (6.1, in a VM)'
. "$(dirname "$0")/../t/lib.sh"
. "$TOP/tests/vm/vm.sh"

test_require VM
mkdir -p files/bin
vm_copy_program files "$(type -P sleep)"
vm_files="files/bin $(ls -d files/lib* files/usr 2>/dev/null | tr '\n' ' ')"

cat >guest.sh <<\GUEST
O=/out; K=/proc/sys/kernel/sched_schedstats; cd /root
[ "$(cat $K)" = 0 ] || exit 1
perf sched record --schedstat -o $O/st.data sh -c "cat $K; sleep 0.5" >$O/meanwhile || exit 2
cat $K >$O/after
perf sched record -o $O/plain.data sleep 0.2 || exit 3
perf sched stats record -o $O/a.data sh -c "cat $K; sleep 0.3" >>$O/meanwhile || exit 4
cat $K >>$O/after
perf sched stats record -o $O/b.data sleep 0.3 || exit 5
perf sched stats sleep 0.2 >$O/live || exit 6
(perf sched stats record -o $O/sig.data & p=$!; sleep 1; kill -INT $p; wait $p) || exit 7
cat $K >>$O/after
perf timechart record -o $O/t.data sleep 0.5 && perf timechart record -P -o $O/p.data sleep 0.5
GUEST
test_expect_success 'the guest runs to its end' 'vm_run guest.sh && mv out kept'
test_expect_success 'the counters are on while it is measured only' '
	printf "1\n1\n" >expect && test_cmp expect kept/meanwhile && printf "0\n0\n0\n" >expect && test_cmp expect kept/after
'
# Sleeping and waiting for a CPU are reported only then.
test_expect_success '--schedstat: the events of the statistics are there' '
	perf script -i kept/st.data -F event | sort | uniq -c >out && cat out && grep "sched:sched_stat_sleep" out && grep "sched:sched_stat_wait" out &&
	perf script -i kept/plain.data -F event | sort | uniq -c >out && ! grep "sched_stat_sleep\|sched_stat_wait" out
'
test_expect_success 'stats: what was recorded is not nothing, and closes' '
	for f in a b sig; do
		perf sched stats report -i kept/$f.data >$f.report && grep "^sched_count  *: *[1-9]" $f.report && grep "^CPU: 1\$" $f.report || return 1
	done &&
	grep "^CPU: 0 | DOMAIN: 0 | DOMAIN_CPUS: 0-1\$" kept/live
'
test_expect_success NEWEST 'stats report and diff equal the newest upstream perf' '
	for f in a b sig; do
		"$NEWEST" sched stats report -i kept/$f.data >upstream 2>/dev/null && test_cmp upstream $f.report || return 1
	done &&
	perf sched stats diff kept/a.data kept/b.data >ours && "$NEWEST" sched stats diff kept/a.data kept/b.data >upstream 2>/dev/null && test_cmp upstream ours
'
test_expect_success 'timechart: idle states of both CPUs, with and without the tasks' '
	for f in t p; do
		perf timechart -i kept/$f.data -o $f.svg 2>err && grep "class=\"c[0-4]\".* data-p=\"0\"" $f.svg >out && grep "class=\"c[0-4]\".* data-p=\"1\"" $f.svg >out || return 1
	done &&
	grep "class=\"r\"" t.svg >out && ! grep "class=\"r\" x.*data-t" p.svg
'
test_done
