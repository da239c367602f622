#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf record --flight: the last seconds, when a signal asks for them or the command fails'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW
busy='$end = time + shift; 1 while time < $end'
# The first and the last sample's time in ms, and how many there are
times () { perf script -F time -i "$1" | tr -d " :" | sort -n | awk '{ t[NR] = $1 * 1000 } END { printf "%d %d %d\n", t[1], t[NR], NR }'; }
files () { ls | grep -cE '^perf\.data'; }

test_expect_success 'a command that ends well leaves no file' '
	rm -f perf.data* && perf record --flight 1 -e cpu-clock -c 2000000 perl -e "$busy" 1 2>err && [ "$(files)" = 0 ] &&
	echo "[ perf record: the command ended well, nothing more was written (--flight) ]" >expect && test_cmp expect err
'

test_expect_success 'one that fails: the samples of the window, none that is older' '
	rm -f perf.data* && test_status 3 perf record --flight 500ms -e cpu-clock -c 2000000 -m 512 perl -e "$busy; exit 3" 3 2>err && [ "$(files)" = 1 ] &&
	test_grep "Dump perf.data.[0-9]{16}" err && set -- $(times perf.data.*) &&
	test_range samples $3 1 260 && test_range "window in ms" $(($2 - $1)) 0 500 && rm perf.data.*
'

test_expect_success 'a signal: a file of the window, and the command goes on' '
	rm -f perf.data* && { perf record --flight 400ms -e cpu-clock -c 2000000 -m 512 perl -e "$busy" 4 2>err & rec=$!; test_kill_at_end $rec; } &&
	test_wait_for 20 "[ -e perf.data ]" && sleep 1.5 && kill -USR2 $rec && test_wait_for 20 "ls | grep -q perf.data.2" && kill -0 $rec &&
	wait $rec && [ "$(files)" = 1 ] && set -- $(times perf.data.2*) &&
	test_range samples $3 1 210 && test_range "window in ms" $(($2 - $1)) 0 400 &&
	perf report --stdio -i perf.data.2* >out 2>&1 && test_grep "perl" out && rm perf.data.*
'

test_expect_success 'what was written by a signal is in no later file' '
	rm -f perf.data* && { perf record --flight 10 -e cpu-clock -c 2000000 -m 512 perl -e "$busy; exit 1" 3 2>err & rec=$!; test_kill_at_end $rec; } &&
	test_wait_for 20 "[ -e perf.data ]" && sleep 1 && kill -USR2 $rec && test_status 1 wait $rec && [ "$(files)" = 2 ] &&
	first=$(times $(ls perf.data.2* | head -n 1)) && second=$(times $(ls perf.data.2* | tail -n 1)) &&
	[ $(echo $first | cut -d" " -f2) -le $(echo $second | cut -d" " -f1) ] && rm perf.data.*
'

test_expect_success 'a trigger event: a file of the window before it' '
	rm -f perf.data* && test_status 3 perf record --flight 400ms --switch-output-event context-switches/period=1000000,cpu=0/ -e cpu-clock -c 2000000 -m 512 perl -e "exit 3" 2>err && [ "$(files)" = 1 ] && rm perf.data.* &&
	perf record --flight 400ms --switch-output-event faults:u/period=3000/ -e cpu-clock:u -c 2000000 -m 512 perl -e "$busy; push @a, 1 for 1 .. 2e6; $busy" 1 2>err && [ "$(files)" -ge 1 ] && first=$(ls perf.data.2* | head -n 1) &&
	test_grep "Dump $first \]" err && test_grep "the command ended well, nothing more" err && set -- $(times $first) &&
	test_range samples $3 1 210 && test_range "window in ms" $(($2 - $1)) 0 400 && rm perf.data.*
'

test_expect_success 'with what it does not go' '
	rm -f perf.data* && for o in --switch-output=1M --switch-output=1s --max-size=1M "-o -"; do
		test_status 1 perf record --flight 1 $o true >out 2>err && test_grep "^Error: " err || test_status 129 perf record --flight 1 $o true >out 2>err || return 1
	done && [ "$(files)" = 0 ]
'

test_done
