#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='exit statuses: one table for all commands, as perf(1) has it'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq TRACEPOINTS 'needs root and tracepoints' 'test_have ROOT,TRACEFS,SYSCALLS'

# statuses COMMAND...: with a program that ends by itself, by a signal, and one that cannot be run
statuses () {
	test_status 0 "$@" true >out 2>&1 && test_status 7 "$@" sh -c "exit 7" >out 2>&1 &&
	test_status 143 "$@" sh -c "kill \$\$" >out 2>&1 && test_status 255 "$@" ./nosuch >out 2>err &&
	grep -x "Error: cannot run .\./nosuch.: No such file or directory" err && [ "$(grep -c "Error: " err)" = 1 ] &&
	test_status 255 "$@" /etc/passwd >out 2>err && grep "^Error: cannot run ./etc/passwd.: Permission denied" err
}

for c in stat "stat record -o a.data" "record -N -o a.data"; do
	test_expect_success PERF_SW "perf $c: the status of the program" 'statuses perf $c -e dummy:u'
done
for c in trace "trace -s" "trace --no-bpf" "trace record -o a.data" "sched record -o a.data" "timechart -o a.data record"; do
	test_expect_success TRACEPOINTS "perf $c: the status of the program" 'statuses perf $c'
done

test_expect_success PERF_SW 'stat: what is wrong with the events or targets is no program that cannot be run' '
	for o in "-p x" "-t ," "-C x" "-u nosuchuser"; do
		test_status 1 perf stat $o true >out 2>err && [ "$(grep -c "^Error: " err)" = 1 ] || { cat err; return 1; }
	done
'

test_expect_success 'the table is in perf(1)' '
	sed -n "/^EXIT STATUS/,/^ENVIRONMENT/p" "$TOP/Documentation/perf.txt" >table &&
	for s in 0 1 "128 . n" 129 255; do grep -x "$s::" table || return 1; done
'

test_done
