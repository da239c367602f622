#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf script: samples between two events, and of addresses'
. "$(dirname "$0")/lib.sh"

sched=$TOP/tests/data/small/sched.data
fp=$TOP/tests/data/small/fp.data

same () { "$NEWEST" script -i "$sched" "$@" >theirs 2>/dev/null && perf script -i "$sched" "$@" >ours && [ -s ours ] && test_cmp theirs ours; }
test_expect_success NEWEST 'samples after an event, and between two: as upstream' '
	same --switch-on sched:sched_wakeup && same --switch-on sched:sched_wakeup --switch-off sched:sched_switch &&
	same --switch-on sched:sched_wakeup --switch-off sched:sched_switch --show-on-off-events &&
	same --switch-on sched:sched_stat_runtime --switch-off sched:sched_wakeup --ns
'
# Upstream leaves out only that one sample.
test_expect_success '--switch-off alone: nothing after it' '
	perf script -i "$sched" >all && sed "/sched_wakeup:/,\$d" all >expect && [ -s expect ] &&
	perf script -i "$sched" --switch-off sched:sched_wakeup >actual && test_cmp expect actual &&
	sed "/sched_wakeup:/q" all >expect && perf script -i "$sched" --switch-off sched:sched_wakeup --show-on-off-events >actual && test_cmp expect actual
'
test_expect_success 'any number of threads, and a stream' '
	perf script -i "$sched" --switch-on sched:sched_wakeup --switch-off sched:sched_switch >expect &&
	perf script --jobs 1 -i "$sched" --switch-on sched:sched_wakeup --switch-off sched:sched_switch >actual && test_cmp expect actual &&
	perf script --jobs 4 -i "$sched" --switch-on sched:sched_wakeup --switch-off sched:sched_switch >actual && test_cmp expect actual &&
	perf script -i "$TOP/tests/data/small/pipe.data" >all && [ -s all ] &&
	cat "$TOP/tests/data/small/pipe.data" | perf script -i - --switch-on no-such >actual && test_cmp /dev/null actual
'
test_expect_success 'names of no event, and an option alone' '
	test_status 1 perf script -i "$sched" --switch-on no:such 2>err && test_grep "^Error: --switch-on: the recording has no event .no:such.$" err &&
	test_status 1 perf script -i "$sched" --switch-off sched_wakeup 2>err && test_grep "^Hint: .perf evlist. lists" err &&
	test_status 129 perf script -i "$sched" --show-on-off-events 2>err && test_grep "needs --switch-on or --switch-off" err
'
test_lazy_prereq LIBPYTHON 'scripts in Python run' 'echo "def process_event(d): pass" >p.py && perf script -s p.py -i "$TOP/tests/data/small/sched.data"'
test_expect_success LIBPYTHON 'scripts in Python have the same samples' '
	printf "def trace_unhandled(n, c, d):\\n\\tprint(n)\\n" >names.py &&
	perf script -s names.py -i "$sched" --switch-on sched:sched_wakeup --switch-off sched:sched_switch >actual && [ "$(wc -l <actual)" = 3 ]
'
at () { perf script -G -F ip -i "$fp" "$@" 2>/dev/null | tr -d " " | sort -u; }
test_expect_success '-S takes addresses, and what lies behind them' '
	ip=$(perf script -G -F ip -i "$fp" 2>/dev/null | tr -d " " | sort | uniq | head -n 1) && [ -n "$ip" ] &&
	echo "$ip" >expect && at -S 0x$ip >actual && test_cmp expect actual && at -S $ip >actual && test_cmp expect actual &&
	at -S $(printf "%x" $((0x$ip - 9))) --addr-range 10 >actual && grep -x "$ip" actual &&
	at -S $(printf "%x" $((0x$ip - 10))) --addr-range 10 >actual && ! grep -x "$ip" actual &&
	at -S 0x$ip,no_such_name >actual && test_cmp expect actual
'
test_expect_success NEWEST 'addresses: as upstream' '
	ip=$(perf script -G -F ip -i "$fp" 2>/dev/null | tr -d " " | grep -v "^f" | sort -u | head -n 1) &&
	for o in "-S 0x$ip" "-S $(printf "%x" $((0x$ip & ~0xfff))) --addr-range 4096"; do
		"$NEWEST" script -G -F comm,ip -i "$fp" $o >theirs 2>/dev/null && perf script -G -F comm,ip -i "$fp" $o >ours 2>/dev/null &&
		[ -s ours ] && test_cmp theirs ours || return 1
	done
'
test_done
