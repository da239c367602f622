#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf top: what is hot now, as text'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW,CC
test_workload movinghot
test_workload forkstorm

# The first row of each table: "dso [level] symbol".
tops () { awk '/^   PerfTop:/ { want = 1; next } want && /%/ { sub(/^ +[0-9.]+% +/, ""); $1 = $1; print; want = 0 }' "$1"; }

# moving SECONDS ROUNDS: ./movinghot, which waits until it is let go by go_on; its id is in $moving.
moving () {
	rm -f go && mkfifo go && { ./movinghot "$1" "$2" <go & } && moving=$! && test_kill_at_end $moving && exec 9>go
}
go_on () { echo >&9; exec 9>&-; }

# With what was before forgotten (-z) or fading: the hot function is on top before it moves on, and none comes twice.
for z in -z ''; do
	test_expect_success "the hot function moves${z:+, $z}" '
		moving 2 1 && : >out && : >err &&
		{ perf top --stdio -d 0.5 $z -p $moving >out 2>err & } && top=$! &&
		test_wait_for 10 "grep -q PerfTop out || grep -q cpu-clock err" && go_on &&
		test_status 0 wait $top &&
		tops out | uniq >got &&
		printf "movinghot [.] hot_%d\n" 0 1 2 >expect && test_cmp expect got
	'
done


# loop: ./movinghot that goes on for minutes; its id is in $loop.
yes | ./movinghot 100 >/dev/null & loop=$! && test_kill_at_end $loop

# tables N OPTION...: N tables of the loop's (or of $whom), into out.
tables () {
	local n=$1
	shift
	: >out	# the old tables: the shell of the background job empties it too late
	{ perf top --stdio -d 0.3 ${whom:--p $loop} "$@" >out 2>err & } && top=$! &&
	test_wait_for 20 "[ \$(grep -c PerfTop out) -ge $n ]" && kill -INT $top && test_status 0 wait $top
}

test_expect_success 'the title, the dashes, the rows' '
	tables 2 -e cpu-clock:u -F 1000 && test ! -s err &&
	printf "%s\n" "   PerfTop:    N irqs/sec  kernel: 0.0%  exact:  0.0% lost: 0/0 drop: 0/0 [1000Hz cpu-clock:u],  (target_pid: $loop)  throttled: N  own CPU: N%" \
		"$(printf "%079d" 0 | tr 0 -)" "" "   100.00%  movinghot  [.] hot_0" "" >expect &&
	sed -E "s/^(   PerfTop:) *[0-9]+ irqs/\1    N irqs/; s/(throttled:) [0-9]+/\1 N/; s/(own CPU:) [0-9.]+%/\1 N%/; s/ +\[\.\]/  [.]/
		s/^ +[0-9.]+%/   100.00%/" out | sed "/\[\.\] [^h]/d" | tail -5 >got && test_cmp expect got
'
test_expect_success 'a period in the title, columns, fields, widths' '
	tables 2 -z -e cpu-clock:u -c 2000000 -n --show-total-period -s comm,sym -E 1 -w 0,0,0,20 &&
	test_grep "\[2000000 cpu-clock:u\],  \(target_pid: $loop\)" out &&
	test_grep "^ +[0-9.]+% +[0-9]+ +[0-9]+000000  movinghot             \[\.\] hot_0$" out
'
test_expect_success 'the default event is another one where there are no counters' '
	tables 1 && { test_grep "\[4000Hz cycles" out ||
	{ test_grep "\[4000Hz cpu-clock\]" out && test "$(wc -l <err)" = 1 && test_grep "cpu-clock. is recorded instead" err; } }
'
test_expect_success '-E, -f, --percent-limit, --symbols, --comms, --dsos leave out rows' '
	tables 2 -E 1 && tops out | uniq >got && echo "movinghot [.] hot_0" >expect && test_cmp expect got &&
	test "$(grep -cE "^ +[0-9.]+%  " out)" = "$(grep -c PerfTop out)" &&
	tables 2 -f 1000000000 && test_grep -v "^ +[0-9.]+%  " out &&
	tables 2 --percent-limit 60 && test_grep -v "^ +[0-9.]+%  [^m]" out && test_grep "%  movinghot" out &&
	tables 2 --symbols hot_1,hot_2 && test_grep -v "^ +[0-9.]+%  " out &&
	tables 2 --comms nobody && test_grep -v "^ +[0-9.]+%  " out &&
	tables 2 --dsos movinghot -s sym && tops out | uniq >got && echo "[.] hot_0" >expect && test_cmp expect got
'
test_expect_success '--sym-annotate: the code of a function in the place of rows' '
	tables 2 -e cpu-clock:u --sym-annotate hot_0 -M intel --no-source -E 6 && test_grep "^Showing cpu-clock:u for hot_0$" out && test_grep "^ +[0-9]+\.[0-9]{2} \|" out && test_grep -v "%hot|^ +[0-9.]+%" out &&
	sed -n "/^Showing/,\$p" out | grep "^ .* |" >lines && test "$(wc -l <lines)" -ge 2 && tables 2 -e cpu-clock:u --sym-annotate nosuch && test_grep "^No sample was taken in a function with this name so far" out
'
test_expect_success ROOT '-U leaves the kernel, -K all else' '
	local whom="-C $(cat /sys/devices/system/cpu/online)" &&
	tables 3 -e cpu-clock -f 0 -U && test_grep -v "\[\.\]" out && test_grep "%  \[kernel\]" out &&
	tables 2 -e cpu-clock -K -s dso && test_grep -v "%  \[kernel\]" out && test_grep "%  movinghot" out &&
	tables 3 -e cpu-clock -s dso --dsos "[kernel]" && test_grep "%  \[kernel\]" out && test_grep -v "%  movinghot" out
'
test_expect_success 'callers, children and self' '
	tables 2 -e cpu-clock:u -g -s sym -E 3 && test_grep "^ +[0-9.]+%  +[0-9.]+%  \[\.\] main" out &&
	test_grep "^ +---.*|^ +--[0-9.]+%--" out &&
	tables 2 -e cpu-clock:u --call-graph dwarf,graph,callee --no-children -s sym -E 1 &&
	test_grep "^ +[0-9.]+%  \[\.\] hot_0" out && test_grep "^ +---main" out
'
test_expect_success 'with several events the first one is shown, or their groups side by side' '
	tables 2 -e cpu-clock:u,page-faults:u -s comm && test_grep "\[cpu-clock:u\]" out && test_grep "^ +[0-9.]+%  movinghot" out &&
	tables 2 -e "{cpu-clock:u,page-faults:u}" -s comm && test_grep "^ +[0-9.]+% +0.00%  movinghot" out
'
test_expect_success 'it ends with the process that it watches, which may become another program' '
	mkfifo away && { sh -c "read x; exec ./movinghot 1 <away" <away & } && pid=$! && test_kill_at_end $pid && exec 9>away &&
	{ perf top --stdio -d 0.2 -p $pid -s comm,sym >out 2>err & } && top=$! && sleep 1 && echo >&9 && echo >&9 && exec 9>&- &&
	test_status 0 wait $top && test_grep "%  movinghot  \[\.\] hot_2" out
'
test_expect_success 'a reader of the pipe that goes away ends it' '
	perf top --stdio -d 0.1 -p $loop 2>err | head -n 3 >out && test_grep PerfTop out && test_grep -v rror err
'
test_expect_success 'refusals' '
	test_status 129 perf top -a -p 1 2>err && test_grep "^Error: -a is everybody" err &&
	test_status 129 perf top sleep 1 2>err && test_grep "^Error: .*sleep" err &&
	test_status 129 perf top -d 0 2>err && test_grep "is not a delay between refreshes" err &&
	test_status 129 perf top --show-on-off-events 2>err && test_grep "needs --switch-on" err &&
	test_status 1 perf top -p $loop --switch-on nosuch 2>err && test_grep "nosuch. is not one of those that are sampled" err &&
	test_status 1 perf top -p 99999999 2>err && test_grep "99999999" err &&
	test_status 1 perf top -s nosuch -p $loop 2>err && test_grep "nosuch" err
'
test_lazy_prereq PARANOID2 'needs perf_event_paranoid at 2, and setpriv' \
	'[ "$(cat /proc/sys/kernel/perf_event_paranoid)" = 2 ] && setpriv --reuid 65534 --clear-groups true'
test_expect_success ROOT,PARANOID2 'another user sees its own processes, and is told why not the others' '
	chmod 755 . && { yes | setpriv --reuid 65534 --regid 65534 --clear-groups ./movinghot 100 & } && own=$! && test_kill_at_end $own &&
	test_wait_for 10 "grep -q movinghot /proc/$own/comm" &&
	cp "$BUILD/perf" perf && chmod 755 perf &&
	{ setpriv --reuid 65534 --regid 65534 --clear-groups ./perf top --stdio -d 0.3 -p $own >out 2>err & } && top=$! &&
	test_wait_for 20 "grep -q hot_0 out" && kill -INT $top && test_status 0 wait $top &&
	test_grep "kernel: 0.0%" out &&
	test_status 1 setpriv --reuid 65534 --regid 65534 --clear-groups ./perf top --stdio 2>err &&
	test_grep "perf_event_paranoid" err
'

# ---- on a terminal ----

typed () { python3 "$TOP/tests/t/typed.py" "$@"; }

test_expect_success PYTHON 'keys' '
	typed out 24x100 "wait:PerfTop" "type:h" "wait:Mapped keys" "wait:\[d\] +display refresh delay\. +\t\(0.2\)" \
		"wait:\[K\] .*\(no\)" "wait:Enter selection" "type:K" "wait:PerfTop" \
		"type:h" "wait:\[K\] .*\(yes\)" "wait:continue: " "type:x" \
		"wait:PerfTop" "type:d" "wait:Enter display delay: " "type:0.39\x7f\n" \
		"wait:PerfTop" "type:e" "wait:lines\): " "type:1\n" "wait:PerfTop" "type:f" "wait:count filter: " "type:none\n" "wait:Not a value" \
		"wait:PerfTop" "type:F" "wait:percent\): " "type:50\n" "wait:PerfTop" "type:z" "wait:PerfTop" "type:d" "wait:delay: " "type:7\x1b" \
		"wait:PerfTop" "type:h" "wait:\(0.3\)" "wait:\(1\)" "wait:\(5\)" "wait:\(50%\)" "wait:\(1\)" "wait:continue: " "type:q" \
		-- perf top --stdio -d 0.2 -e cpu-clock:u -p $loop
'
test_expect_success PYTHON 's, S: the code of a function, and rows again' '
	typed out 30x100 "wait:hot_0" "type:s" "wait:Enter details symbol: " "type:hot_0\n" "wait:Showing cpu-clock:u for hot_0" "wait:Percent   Code of .*/movinghot \(percent: local period\)" \
		"wait:[0-9]+\.[0-9][0-9] \|.*(j|add|mov|cmp|sub|lea)" "type:e" "wait:lines\): " "type:5\n" "wait:[1-5] of [0-9]+ lines are shown" "type:s" "wait:symbol: " "type:nosuch\n" "wait:No sample was taken" \
		"type:h" "wait:\[s\] .*\(nosuch\)" "wait:continue: " "type:S" "wait:movinghot +\[\.\] hot_0" "type:q" \
		-- perf top --stdio -d 0.2 -e cpu-clock:u -p $loop
'
test_expect_success PYTHON 'E: which of several events' '
	typed out 24x100 "wait:\[cpu-clock:u\]" "type:E" "wait:0 cpu-clock:u" "wait:1 page-faults:u" "wait:counter: " "type:1\n" "wait:\[page-faults:u\]" \
		"type:q" -- perf top --stdio -d 0.2 -e cpu-clock:u,page-faults:u -p $loop
'
test_expect_success PYTHON 'the table is shown in place, no wider and no longer than the terminal' '
	typed out 10x60 "wait:PerfTop" "wait:PerfTop" "type:q" -- perf top --stdio -d 0.2 -f 0 -s comm,dso,sym -p $loop &&
	test "$(grep -ac "$(printf "\033\[H\033\[2J")" out)" = "$(grep -ac PerfTop out)" &&
	tr -d "\r" <out | sed "s/\x1b\[[0-9;]*[A-Za-z]//g" |
	awk "/PerfTop/ { n = 0 } /./ { n += int((length(\$0) + 59) / 60) } n > 8 || (/^-+\$/ && length(\$0) != 59) { bad = 1; print n, \$0 } END { exit bad }" || { cat -A out; false; }
'
for how in type:q kill:INT kill:TERM kill:HUP; do
	test_expect_success PYTHON "the terminal is as it was after $how" '
		typed out 24x80 "wait:PerfTop" "$how" -- perf top --stdio -d 0.2 -p $loop
	'
done
test_expect_success PYTHON 'no escapes where the terminal knows none' '
	typed out 24x80 "wait:PerfTop" "type:q" -- env TERM=dumb perf top --stdio -d 0.2 -p $loop && test_grep -v "$(printf "\033")" out
'

# ---- for weeks ----

# rss PID: kB of memory in use
rss () { awk '/^VmRSS/ { print $2 }' /proc/$1/status; }

# A task that is kept takes more than 1000 bytes; so a tenth of that for each fork is far from keeping them. Only the storm is watched:
# what other programs run meanwhile (compilers, tests) would be read, too, and kept for its rows.
test_expect_success 'a storm of forks leaves its memory as it is' '
	mkfifo weather && { sh -c "read x; ./forkstorm 4 >before; read x; ./forkstorm 16 >after; read x" <weather & } && sky=$! &&
	test_kill_at_end $sky && exec 9>weather && : >out && rm -f before after &&
	{ perf top --stdio -d 0.5 -s comm -p $sky >out 2>err & } && top=$! && test_kill_at_end $top && test_wait_for 20 "grep -q PerfTop out" &&
	echo >&9 && test_wait_for 20 "[ -s before ]" && early=$(rss $top) &&
	echo >&9 && test_wait_for 40 "[ -s after ]" && late=$(rss $top) && echo >&9 && exec 9>&- && test_status 0 wait $top &&
	echo "$(cat after) forks: $early kB, then $late kB" && test_grep "%  forkstorm" out &&
	test_range growth_kb $((late - early)) -100000 $((256 + $(cat after) / 10))
'

test_done
