#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf daemon: sessions from a configuration file, what the commands print, and nothing left behind'
. "$(dirname "$0")/lib.sh"

base=$PWD/base
mkdir base
pid_of () { perf daemon --config conf -x: | awk -F: -v s="$1" '$2 == s { print $1 }'; }
alive () { [ -d "/proc/$1" ] && ! grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null; }
gone () { for p in "$@"; do ! alive "$p" || return 1; done; }
children () { cat /proc/"$1"/task/*/children; }
# conf of "NAME=RUN"...
conf () {
	printf '[daemon]\n\tbase = %s\n' "$base" >conf.new
	for s in "$@"; do printf '\n[session-%s]\n\trun = %s\n' "${s%%=*}" "${s#*=}" >>conf.new; done
	mv conf.new conf
}
stop_at_exit () { [ ! -s base/lock ] || ! alive "$(cat base/lock)" || perf daemon stop --base "$base"; }
trap 'stop_at_exit; test_at_exit' EXIT

# ---- wrong lines ----

# wrong TEXT PATTERN [HINT]: of a configuration
wrong () {
	printf '%b' "$1" >bad && test_status 1 perf daemon start --config bad >out 2>err && test_cmp /dev/null out && test_grep "^Error: $2$" err &&
		{ [ -z "${3:-}" ] || test_grep "^Hint: .*$3" err; } && [ ! -e base/control ]
}

test_expect_success 'a wrong line is named with its file and number' '
	D="[daemon]\nbase = $base\n" at="bad config line" in="in .$PWD/bad." &&
	wrong "${D}bsae = 3\n" "$at 3 $in: \[daemon\] has no setting .bsae." base &&
	wrong "$D[session-x]\nrum = -a\n" "$at 4 $in: a session has no setting .rum." run &&
	wrong "$D[session-x]\nrun =\n" "$at 4 $in: .run. is empty: nothing would be recorded" "run = " &&
	wrong "$D[session-x]\nrun = -o '"'a b"'\n" "$at 4 $in: a quote \(.\) is not closed in .run." "begin a comment" &&
	wrong "$D[session-x]\nrun = -a --control=fd:3\n" "$at 4 $in: .--control=fd:3.: the daemon itself has the control channel" &&
	wrong "$D[session-x\nrun = -a\n" "$at 3 $in: missing .\]." &&
	wrong "[daemon]\n[session-x]\nrun = -a\n" "no base directory is given in $PWD/bad" "base = DIRECTORY"
'

test_expect_success 'names of sessions that could lead elsewhere are refused' '
	for name in . .. .x "" "$(printf %065d 1)"; do
		wrong "[daemon]\nbase = $base\n[session-$name]\nrun = -a\n" "bad config line 4 in .*: .* cannot be the name of a session" letters || return 1
	done &&
	for name in ../y /etc "a b" "\\033[2J" "\$(id)" "a;b"; do
		wrong "[daemon]\nbase = $base\n[session-x \"$name\"]\nrun = -a\n" "bad config line 4 in .*: .* cannot be the name of a session" || return 1
		! grep -q "$(printf "\033")" err || return 1
	done && [ -z "$(ls base)" ]
'

test_expect_success 'a base that is not there, is no directory, or is open for everybody' '
	wrong "[daemon]\nbase = $base/no\n" "cannot use .$base/no. as the base of perf daemon: No such file or directory" "mkdir -p .$base/no." &&
	wrong "[daemon]\nbase = $PWD/bad\n" "cannot use .$PWD/bad. as the base of perf daemon: not a directory" &&
	mkdir open && chmod 777 open &&
	wrong "[daemon]\nbase = $PWD/open\n" "cannot use .$PWD/open. as the base of perf daemon: everybody may write into it" "chmod o-w"
'

test_expect_success ROOT 'a base without permission, and that of another user' '
	mkdir other mine && chown 65534 other && cp "$BUILD/perf" perf-copy && chmod 755 . perf-copy &&
	wrong "[daemon]\nbase = $PWD/other\n" "cannot use .$PWD/other. as the base of perf daemon: it belongs to another user" &&
	test_status 1 setpriv --reuid=65534 --regid=65534 --clear-groups ./perf-copy daemon start --base mine 2>err &&
	test_grep "^Error: cannot write into .*/mine., the base of perf daemon: Permission denied" err && test_grep "^Hint: .*directory of your own" err
'

test_expect_success 'no daemon: every command says so' '
	conf && for c in "" ping signal stop; do
		test_status 1 perf daemon $c --config conf >out 2>err && test_cmp /dev/null out && test_grep "^Error: no perf daemon runs on .$base." err &&
			test_grep "^Hint: .*perf daemon start" err || return 1
	done &&
	test_status 129 perf daemon bogus 2>err && test_status 129 perf daemon start more 2>err
'

# ---- sessions ----

test_expect_success PERF_SW 'start: the sessions run; list, list -v and list -x as upstream prints them' '
	conf "one=-e cpu-clock -m 2 --overwrite --switch-output sleep 1000" "two=-e task-clock -o '"'a file'"' sleep 1001" &&
	perf daemon start --config conf >out 2>err && test_cmp /dev/null out && test_cmp /dev/null err &&
	d=$(cat base/lock) && one=$(pid_of one) two=$(pid_of two) && alive $d && alive $one && alive $two &&
	cat >expect <<-EOF &&
	[$d:daemon] base: $base
	[$one:one] perf record -e cpu-clock -m 2 --overwrite --switch-output sleep 1000
	[$two:two] perf record -e task-clock -o '"'a file'"' sleep 1001
	EOF
	perf daemon --config conf >out && test_cmp expect out &&
	perf daemon --base base >out && test_cmp expect out &&
	cat >expect <<-EOF &&
	[$d:daemon] base: $base
	  output:  $base/output
	  lock:    $base/lock
	  up:      0 minutes
	[$one:one] perf record -e cpu-clock -m 2 --overwrite --switch-output sleep 1000
	  base:    $base/session-one
	  output:  $base/session-one/output
	  control: $base/session-one/control
	  ack:     $base/session-one/ack
	  up:      0 minutes
	EOF
	perf daemon --config conf -v >out && head -n 10 out | sed "s/[0-9]* minutes/0 minutes/" >first && test_cmp expect first &&
	cat >expect <<-EOF &&
	$d:daemon:$base:$base/output:$base/lock:0
	$one:one:-e cpu-clock -m 2 --overwrite --switch-output sleep 1000:$base/session-one:$base/session-one/output:$base/session-one/control:$base/session-one/ack:0
	EOF
	perf daemon -x: --config conf >out && head -n 2 out | sed "s/:[0-9]*$/:0/" >first && test_cmp expect first
'

test_expect_success PERF_SW 'ping and signal: all sessions, one, and one that is not there' '
	printf "OK   one\nOK   two\n" >expect && perf daemon ping --config conf >out && test_cmp expect out &&
	printf "OK   two\n" >expect && perf daemon ping --config conf --session two >out && test_cmp expect out &&
	printf "FAIL no (not found)\n" >expect && test_status 1 perf daemon ping --config conf --session no >out && test_cmp expect out &&
	echo "signal 12 sent to session '"'one [$one]'"'" >expect &&
	perf daemon signal --config conf --session one >out && test_cmp expect out &&
	test_wait_for 20 "ls base/session-one | grep -q \"perf.data.[0-9]\"" &&
	perf script -i base/session-one/perf.data.2* >out 2>err &&
	echo "signal 12 sent to session '"'two [$two]'"'" >>expect && perf daemon signal --config conf >out && test_cmp expect out &&
	test_status 1 perf daemon signal --config conf --session no >out 2>err && test_grep "^Error: no signal was sent to session .no.: not found" err &&
	alive $one && alive $two
'

test_expect_success PERF_SW 'a base has one daemon; the message has its pid' '
	test_status 1 perf daemon start --config conf 2>err && [ "$(wc -l <err)" = 1 ] &&
	test_grep "^failed: another perf daemon \(pid $d\) owns $base; end it with .*perf daemon stop --base \"$base\"" err && perf daemon ping --config conf
'

test_expect_success PERF_SW,UPSTREAM 'and upstream perf sees the same lock' '
	"$UPSTREAM" daemon start --config conf >out 2>&1 && test_wait_for 10 "[ -s out ]" && test_grep "another perf daemon \(pid $d\) owns $base" out && perf daemon ping --config conf
'

test_expect_success PERF_SW 'a session that does not answer' '
	kill -STOP $two && printf "OK   one\nFAIL two (no answer)\n" >expect && test_status 1 perf daemon ping --config conf >out && test_cmp expect out &&
	kill -CONT $two && printf "OK   two\n" >expect && perf daemon ping --config conf --session two >out && test_cmp expect out
'

test_expect_success PERF_SW 'the file changes: what is new is started, what is gone ended, what is the same goes on' '
	conf "one=-e cpu-clock -m 2 --overwrite --switch-output sleep 1000" "three=-e cpu-clock sleep 1002" &&
	test_wait_for 20 "perf daemon ping --config conf --session three >/dev/null" && [ "$(pid_of one)" = $one ] && gone $two &&
	perf report -i "base/session-two/a file" >/dev/null 2>&1 &&
	three=$(pid_of three) && alive $three && conf "three=-e cpu-clock -c 2000000 sleep 1003" &&
	test_wait_for 20 "perf daemon --config conf | grep -q \"sleep 1003\"" && gone $one $three && three=$(pid_of three) &&
	perf daemon ping --config conf
'

test_expect_success PERF_SW 'a file that cannot be understood changes nothing, and the output says why' '
	cp conf good && echo "[session-" >>conf && test_wait_for 20 "grep -q \"reconfig failed\" base/output" &&
	test_grep "reconfig failed, the sessions stay as they are: bad config line [0-9]+ in .$PWD/conf.: missing" base/output &&
	mv good conf && [ "$(pid_of three)" = $three ] && perf daemon ping --config conf
'

test_expect_success PERF_SW 'a session that has ended is told about; it starts again when the file is written' '
	kill -TERM $three && test_wait_for 20 "! perf daemon --config conf 2>/dev/null | grep -q three" &&
	perf daemon --config conf >out 2>err && [ "$(wc -l <out)" = 1 ] && test_grep "^Warning: session .three. has ended: killed \(signal 15\); see .$base/session-three/output." err &&
	cp conf copy && cp copy conf && test_wait_for 20 "perf daemon ping --config conf --session three >/dev/null" && three=$(pid_of three) && alive $three
'

test_expect_success PERF_SW 'stop: recordings are whole, and no process is left' '
	conf "three=-e cpu-clock -c 2000000 sleep 1003" "deaf=-e cpu-clock sh -c '"'sleep 1004 & exec sleep 1005'"'" &&
	test_wait_for 20 "perf daemon ping --config conf --session deaf >/dev/null" && deaf=$(pid_of deaf) three=$(pid_of three) &&
	all="$d $deaf $three $(children $deaf) $(children $three)" && [ $(echo $all | wc -w) -ge 5 ] &&
	perf daemon stop --config conf >out 2>err && test_cmp /dev/null out && test_cmp /dev/null err && gone $deaf $three $(echo $all | cut -d" " -f4-) &&
	test_wait_for 10 "gone $d" && [ ! -e base/control ] && test_grep "daemon exited$" base/output &&
	for f in base/session-*/perf.data; do perf report --header-only -i $f >/dev/null || return 1; done
'

test_expect_success PERF_SW 'wrong options and commands: start warns with the words of the session, and the others run' '
	conf "bad=-e nosuch true" "none=-e cpu-clock nosuchcommand" "done=-e cpu-clock true" "good=-e cpu-clock sleep 1006" &&
	perf daemon start --config conf >out 2>err && test_cmp /dev/null out &&
	test_grep "^Warning: session .bad. has ended: exited, status=129; see .$base/session-bad/output.:" err && test_grep nosuch err &&
	test_grep "^Warning: session .none. has ended: exited, status=255; see .$base/session-none/output.:" err &&
	test_grep "^Error: cannot run .nosuchcommand.: No such file or directory" err && test_grep -v "session .done." err &&
	perf daemon ping --config conf >out && echo "OK   good" >expect && test_cmp expect out && perf daemon stop --config conf
'

test_expect_success PERF_SW 'kill -9 of the daemon: its sessions end and finish their files, and start works again' '
	conf "one=-e cpu-clock sleep 1007" && perf daemon start --config conf && d=$(cat base/lock) one=$(pid_of one) && work=$(children $one) &&
	kill -9 $d && test_wait_for 20 "gone $d $one $work" && perf report --header-only -i base/session-one/perf.data >/dev/null &&
	[ -S base/control ] && test_status 1 perf daemon --config conf 2>err && test_grep "no perf daemon runs on" err &&
	perf daemon start --config conf && perf daemon ping --config conf && [ "$(cat base/lock)" != $d ] && perf daemon stop --config conf
'

test_expect_success PERF_SW 'a path that is longer than an address of a socket' '
	long=$PWD/$(printf %0100d 1) && mkdir $long && conf "one=-e cpu-clock sleep 1008" &&
	perf daemon start --config conf --base $long && perf daemon --base $long >out && test_grep "daemon\] base: $long$" out && perf daemon stop --base $long
'

test_expect_success PERF_SW 'in the foreground: it logs, and TERM ends it and its sessions' '
	conf "one=-e cpu-clock sleep 1009" &&
	{ perf daemon start -f --config conf >out 2>err & fg=$!; test_kill_at_end $fg; } &&
	test_wait_for 20 "perf daemon ping --config conf >/dev/null 2>&1" && one=$(pid_of one) && [ "$(pid_of daemon)" = $fg ] &&
	kill -TERM $fg && wait $fg && gone $one && test_grep "daemon started \(pid $fg\)" err && test_grep "daemon exited" err && test_cmp /dev/null out
'

test_expect_success PERF_SW 'strangers at the socket: what is no request, and who says nothing' '
	conf "one=-e cpu-clock sleep 1010" && perf daemon start --config conf && [ "$(stat -c %a base/control)" = 600 ] &&
	for text in "x" "nosuch\0\0" "list\0" "\0\0\0\0"; do
		perl -MSocket -e '\''socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, sockaddr_un($ARGV[0])) or die; syswrite(S, eval "\"$ARGV[1]\""); shutdown(S, 1); $n = sysread(S, $b, 1000);'\'' base/control "$text" || return 1
	done &&
	perf daemon ping --config conf && perf daemon stop --config conf
'

test_done
