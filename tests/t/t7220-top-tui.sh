#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf top on a terminal: the browser (what stays with a refresh is tested on a screen in memory: tests/unit/view)'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW,CC,TMUX
test_workload movinghot
. "$TEST_DIR/tmux.sh"

# Goes on for minutes; its id is in $loop.
yes | ./movinghot 100 >/dev/null & loop=$! && test_kill_at_end $loop
top="perf top -d 0.3 -e cpu-clock:u -p $loop"

first_row () { screen | sed -nE '3s/^ +[0-9.]+%  //p' | tr -s ' '; }
count () { screen | sed -nE '1s/.*approx.\): ([0-9]+).*/\1/p'; }

test_expect_success 'the hot function is on top before it moves on; in the end its last rows stay' '
	rm -f go && mkfifo go && { ./movinghot 2 1 <go & } && moving=$! && test_kill_at_end $moving && exec 9>go &&
	on 120x12 "perf top -z -d 0.4 -e cpu-clock:u -p $moving" && shows "^Samples: 0 .*lost: 0/0 drop: 0/0 \[z\] own CPU" && echo >&9 && exec 9>&- &&
	: >rows && test_wait_for 60 "first_row >>rows; screen | grep -q \"^all who were watched have ended\"" &&
	grep hot_ rows | uniq >got && printf "movinghot [.] hot_%d\n" 0 1 2 >expect && test_cmp expect got &&
	shows "hot_2$" && press d && shows "^Samples: .*, DSO: movinghot lost: 0/0" && press q && ended
'
test_expect_success 'the title, rows, call chains that stay open, zoom and back, help, quit' '
	on 120x45 "$top -F 1000 -g" && shows "^Samples: .* of event .cpu-clock:u., 1000 Hz, Event count \(approx.\): [0-9]+ lost: 0/0 drop: 0/0 own CPU: [0-9.]+%$" &&
	shows "^  Children      Self  Shared Object +Symbol" && shows "^\+ +[0-9.]+% +[0-9.]+%  movinghot +\[\.\] hot_0$" &&
	press E && shows "^- .*hot_0$" && shows "^   .* main$" && was=$(count) && test_wait_for 15 "[ \"\$(count)\" != $was ]" && shows "^- .*hot_0$" && shows "^   .* main$" &&
	press C && shows "^[+] .*hot_0$" && press d && shows ", DSO: [a-z.0-9-]+ lost" && press Escape && shows "approx.\): [0-9]+ lost" &&
	press h && shows "Toggle zeroing of samples" && shows "Enable/Disable events" && press x && press q && ended && screen >left && ! grep -q Samples left
'
test_expect_success UPSTREAM 'the same title as upstream' '
	on 120x20 "$UPSTREAM top -e cpu-clock:u -p $loop" && shows "^Samples: [1-9].* lost: 0/0 drop: 0/0" && screen | sed -n 1p | sed -E "s/[0-9]+[KM]?( |\$)/N\1/g; s/ +/ /g" >expect && press q &&
	on 120x20 "perf top -e cpu-clock:u -p $loop" && shows "^Samples: [1-9]" && screen | sed -n 1p | sed -E "s/ own CPU.*//; s/[0-9]+[KM]?( |\$)/N\1/g; s/ +/ /g" >got &&
	test_cmp expect got && press q && ended
'
test_expect_success 'z, f, K, P' '
	rm -f perf.hist.* && on 120x12 "$top" && shows "hot_0$" && press z && shows "drop: 0/0 \[z\]" && press z && shows "drop: 0/0 own" &&
	press f && shows "^Press .f. again to re-enable the events" && sleep 1 && still=$(count) && sleep 1 && test "$(count)" = "$still" &&
	press P && shows "^perf.hist.0 written!" && test_grep "%  movinghot +\[\.\] hot_0$" perf.hist.0 &&
	press f && shows "^Press .f. to disable the events" && test_wait_for 15 "[ \"\$(count)\" != $still ]" &&
	press U && test_wait_for 60 "! screen | grep -q hot_0" && press U && shows "hot_0$" && press K && shows "of the kernel are left out" && press q && ended
'
test_expect_success 'a shows the code, and goes on counting' '
	on 100x30 "$top" && shows "hot_0$" && press a && shows "^hot_0  .*/movinghot \[Percent: local period\]" && shows "^ *[0-9]+\.[0-9]+ │" &&
	was=$(count) && test_wait_for 15 "[ \"\$(count)\" != $was ]" && press q && shows "^Overhead" && press q && ended
'
test_expect_success 'how the code looks is said by the options of perf annotate' '
	on 100x30 "$top -M intel --no-source --percent-type global-period --asm-raw" && shows "hot_0$" && press a && shows "^hot_0  .*Percent: global period" && shows "│ .*add +(DWORD|QWORD|[er])" && press q q && ended &&
	test_status 1 perf top -p $loop -M sparc 2>err && test_grep "no disassembler style .sparc." err && test_status 129 perf top -p $loop --prefix-strip 1 2>err && test_grep "prefix-strip is about --prefix" err
'
test_expect_success 'the shares of the code fade, and are gone where nothing is hot any more' '
	rm -f go && mkfifo go && { ./movinghot 2 3 <go & } && moving=$! && test_kill_at_end $moving && exec 9>go &&
	on 100x30 "perf top -d 0.1 -F 500 -e cpu-clock:u -p $moving" && shows "^Samples: 0 " && echo >&9 && exec 9>&- &&
	shows "hot_0$" && press a && shows "^hot_0  .*/movinghot \[Percent: local period\]" && shows "^ *[0-9]+\.[0-9]+ │" &&
	test_wait_for 60 "! screen | grep -qE \"^ *[0-9]+\.[0-9]+ │\"" && press q && shows "^Overhead" && press q && ended
'
test_expect_success 'l shows the call stacks as an icicle, which follows what is hot; what is selected stays' '
	rm -f go && mkfifo go && { ./movinghot 3 2 <go & } && moving=$! && test_kill_at_end $moving && exec 9>go &&
	on 100x24 "perf top -z -d 0.3 -g -e cpu-clock:u -p $moving" && shows "^Samples: 0 " && press l && shows "^there are no call chains yet" && echo >&9 && exec 9>&- &&
	shows "hot_0$" && press l && shows "^ user  +kernel  +inlined  +JIT" && shows "main [0-9.]+%$" && shows "hot_0 [0-9.]+%" &&
	press Down Down && shows "^[a-z_]+.*: total [0-9.]+%, self" && test_wait_for 60 "screen | grep -q hot_1" && test_wait_for 15 "! screen | grep -q hot_0" &&
	shows "^[a-z_]+.*: total [0-9.]+%, self" && press i && shows " inverted" && test_wait_for 60 "screen | grep -q hot_2" && shows " inverted" &&
	press q && shows "^  Children      Self" && shows "hot_2$" && press q && ended &&
	on 100x12 "$top" && shows "hot_0$" && press l && shows "^no call chains are sampled: start perf top with -g" && press q && ended
'
test_expect_success 'several events; a group side by side' '
	on 120x12 "perf top -d 0.3 -e cpu-clock:u,page-faults:u -p $loop" && shows "^Available samples" && press Enter && shows "event .cpu-clock:u.*lost" && press Tab && shows "event .page-faults:u.*lost" && press q && ended &&
	on 100x12 "perf top -d 0.3 -e \"{cpu-clock:u,page-faults:u}\" -s comm -p $loop" && shows "^ +[0-9.]+% +0.00%  movinghot" && press q && ended
'
test_expect_success '--hierarchy, T: rows as a tree, which stays open, and as a list' '
	on 100x14 "$top --hierarchy" && shows "^  Overhead     Shared Object / Symbol$" && shows "^[+] +[0-9.]+%     +movinghot$" && press Home + && shows "^- +[0-9.]+%     +movinghot$" &&
	shows "^ {6,}[0-9.]+%     +\[\.\] hot_0$" && was=$(count) && test_wait_for 15 "[ \"\$(count)\" != $was ]" && shows "^ {6,}[0-9.]+%     +\[\.\] hot_0$" &&
	press T && shows "^rows are a list" && shows "^ +[0-9.]+%  movinghot +\[\.\] hot_0$" && press T && shows "^  Overhead     Shared Object / Symbol$" && press q && ended
'
test_expect_success UPSTREAM '--hierarchy: the same screen as upstream, but for digits' '
	seen () { shows "movinghot$" && press E && shows "hot_0$" && screen | sed -n "3,5p" | tr 0-9 " " | sed "s/ *\$//" >$1 && press q; } &&
	on 100x14 "$UPSTREAM top --hierarchy -s comm,dso,sym -e cpu-clock:u -p $loop" && shows "^Samples: [1-9]" && seen expect &&
	on 100x14 "$top --hierarchy -s comm,dso,sym" && seen got && test_cmp expect got && ended
'
test_expect_success 'another size' '
	# one look for all of it: the end of the old, larger screen has the same last line
	on 100x12 "$top" && shows "hot_0$" && tm resize-window -t it -x 50 -y 6 &&
	{ test_wait_for 15 "screen >got && [ \$(wc -l <got) = 6 ] && sed -n 6p got | grep -q ^Tip && sed -n 1p got | grep -qE \"^Samples: .* of event .cpu-clock:u., [0-9]+ Hz\"" || { cat got; false; }; } &&
	press q && ended
'
test_expect_success 'text: in a pipe, with --stdio, and where a terminal cannot be drawn on' '
	on 100x12 "$top --stdio 2>err" && shows "^   PerfTop:" && press q && ended && test ! -s err &&
	on 100x12 "env TERM=dumb $top 2>err" && shows "^   PerfTop:" && press q && ended &&
	echo "Warning: no browser: the terminal cannot be drawn on (TERM is dumb); this is the text" >expect && test_cmp expect err &&
	on 100x12 "env -u TERM $top 2>err" && shows "^   PerfTop:" && press q && ended && test_grep "TERM is not set" err && test "$(wc -l <err)" = 1 &&
	{ $top --tui 2>err | head -n 1 >out; } && test_grep "no terminal; this is the text" err && test_grep "^   PerfTop:" out &&
	printf "[tui]\n\ttop = false\n" >config && on 100x12 "env PERF_CONFIG=config $top" && shows "^   PerfTop:" && press q && ended &&
	on 100x12 "env PERF_CONFIG=config $top --tui" && shows "^Samples: " && press q && ended
'
test_expect_success 'what is recorded instead of counters that are not there is told in the browser, too' '
	on 150x12 "perf top -d 0.3 -p $loop 2>err" && shows "^Samples: .* of event" && { test ! -s err || { shows "cpu-clock. is recorded instead" && test_grep "recorded instead" err; }; } && press q && ended
'
test_expect_success 'errors are told before the terminal is taken' '
	on 100x12 "perf top -p 99999999" && ended 1 && shows "^Error: .*99999999" && on 100x12 "$top -s nosuch" && ended 1 && shows "^Error: .*nosuch"
'
test_lazy_prereq PARANOID2 'needs perf_event_paranoid at 2, and setpriv' \
	'[ "$(cat /proc/sys/kernel/perf_event_paranoid)" = 2 ] && setpriv --reuid 65534 --clear-groups true'
test_expect_success ROOT,PARANOID2 'another user is told why it sees only its own processes' '
	chmod 755 . && cp "$BUILD/perf" perf.copy && chmod 755 perf.copy &&
	on 100x12 "setpriv --reuid 65534 --regid 65534 --clear-groups ./perf.copy top" && ended 1 && shows "perf_event_paranoid" && ! screen | grep Samples: &&
	{ yes | setpriv --reuid 65534 --regid 65534 --clear-groups ./movinghot 100 & } && own=$! && test_kill_at_end $own &&
	test_wait_for 10 "grep -q movinghot /proc/$own/comm" &&
	on 100x12 "setpriv --reuid 65534 --regid 65534 --clear-groups ./perf.copy top -d 0.3 -p $own" && shows "hot_0$" && press q && ended
'
test_expect_success 'the terminal is as before after SIGSEGV' 'ended_by SEGV 139 "$top"'
test_expect_success 'the terminal is as before after SIGTERM' 'ended_by TERM 0 "$top"'
test_expect_success 'the terminal is as before after SIGKILL' 'ended_by KILL 137 "$top"'
test_expect_success 'Ctrl-Z and fg' '
	gone && tm new-session -d -s it -x 90 -y 24 "PATH='"'$PATH'"' PS1=prompt: bash --norc --noprofile -i" &&
	shows "^prompt:" && press "$top" Enter && shows "^Samples:" && press C-z && shows "Stopped" &&
	! screen | grep Samples: && press fg Enter && shows "^Samples:" && was=$(count) && test_wait_for 15 "[ \"\$(count)\" != $was ]" && press q && shows "^prompt:$"
'
test_expect_success 'a terminal that is closed ends it' '
	rm -f pid && on 90x24 "sh -c \"echo \\\$\\\$ >pid; exec $top\"" && shows "^Samples:" && gone && test_wait_for 15 "! kill -0 $(cat pid) 2>/dev/null"
'
test_done
