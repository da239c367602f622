#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='perf record: files, exit statuses and messages'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW

# the closing line's count of samples; nothing when it names none
samples_said () { sed -n 's/.*Captured and wrote .*(\([0-9]*\) samples.*/\1/p' "$1"; }
# lines of upstream perf's script without call chains: one a sample
upstream_samples () { "$UPSTREAM" script -i "$1" -F comm,tid,time,event 2>upstream.err | grep -c .; }

spin='i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'

test_expect_success 'a command is recorded, with the two closing lines' '
	perf record -e cpu-clock -c 1000000 sh -c "$spin" >out 2>err &&
	test ! -s out && test -f perf.data && test ! -e perf.data.old &&
	test "$(stat -c %a perf.data)" = 600 &&
	test_grep "^\[ perf record: Woken up [0-9]+ times to write data \]$" err &&
	test_grep "^\[ perf record: Captured and wrote [0-9]+\.[0-9]{3} MB perf\.data \([0-9]+ samples\) \]$" err &&
	test "$(wc -l <err)" = 2
'

test_expect_success UPSTREAM 'upstream perf reads it without a word and finds as many samples as were said' '
	test "$(upstream_samples perf.data)" = "$(samples_said err)" &&
	test ! -s upstream.err &&
	"$UPSTREAM" report --stdio -i perf.data >report 2>upstream.err && test ! -s upstream.err &&
	test_grep "Total Lost Samples: 0" report
'

test_expect_success NEWEST 'so does the newest one' '
	"$NEWEST" script -i perf.data -F comm,tid,time,event 2>upstream.err | grep -c . >n &&
	test "$(cat n)" = "$(samples_said err)" && test ! -s upstream.err
'

test_expect_success 'an old file is kept as perf.data.old' '
	cp perf.data first && perf record -q -e cpu-clock true && test_cmp first perf.data.old && ! cmp -s first perf.data
'

test_expect_success 'the status of the command is passed on' '
	test_status 3 perf record -q -e cpu-clock sh -c "exit 3" &&
	test_status 0 perf record -q -e cpu-clock true &&
	test_status 143 perf record -q -e cpu-clock sh -c "kill -TERM \$\$"
'

test_expect_success 'a command that does not exist: one error, no file' '
	mkdir none && ( cd none &&
	test_status 255 perf record -e cpu-clock nosuchcmd 2>err &&
	echo "Error: cannot run '\''nosuchcmd'\'': No such file or directory" >expect && test_cmp expect err &&
	rm err expect && test -z "$(ls -A)" )
'

test_expect_success 'and the file from before stays as it was' '
	rm -f perf.data.old && cp perf.data before &&
	test_status 255 perf record -q -e cpu-clock ./nosuchcmd 2>err && test_cmp before perf.data && test ! -e perf.data.old
'

test_expect_success 'stdout in a pipe gets the output of the command, not the file' '
	rm -f perf.data && perf record -q -e cpu-clock echo hello | cat >out &&
	echo hello >expect && test_cmp expect out && test -s perf.data
'

test_expect_success '-q says nothing, -o names the file' '
	perf record -q -o x.data -e cpu-clock true >out 2>err && test ! -s out && test ! -s err && test -s x.data
'

test_expect_success UPSTREAM '-o - writes a stream that upstream perf reads' '
	perf record -q -o - -e cpu-clock -c 1000000 sh -c "echo to stderr; $spin" 2>err >stream &&
	echo "to stderr" >expect && test_cmp expect err &&
	"$UPSTREAM" script -i - <stream >from.pipe 2>upstream.err &&
	test_grep "^ *sh +[0-9]+ " from.pipe && test ! -s upstream.err
'

test_expect_success 'a reader that went away is an error, not a hang' '
	{ perf record -o - -e cpu-clock sh -c "sleep 0.2" 2>err; echo $? >status; } | true;
	test "$(cat status)" = 1 && test_grep "Broken pipe" err
'

test_expect_success 'SIGINT and SIGTERM end it properly, and the command with it' '
	for sig in INT TERM; do
		rm -f perf.data pid &&
		{ perf record -e cpu-clock sh -c "echo \$\$ >pid; exec sleep 60" 2>err & } && p=$! && test_kill_at_end $p &&
		test_wait_for 20 "test -s pid" && kill -$sig $p && { wait $p; test $? = 143; } &&
		test_grep "Captured and wrote" err && ! kill -0 "$(cat pid)" 2>/dev/null &&
		perf record --dry-run -e cpu-clock true || return 1
	done
'

test_expect_success 'a process is attached to, and its end is the end' '
	mkfifo go ctl ack && exec 7<>ctl 8<>ack && { sh -c "read x <go; $spin" & } && p=$! && test_kill_at_end $p &&
	{ perf record -e cpu-clock -c 1000000 --control fifo:ctl,ack -p $p -o p.data 2>err & } && r=$! && test_kill_at_end $r &&
	echo ping >&7 && read -r -t 60 x <&8 && echo >go && wait $r && samples_said err >n && test -s n
'
sed_pid () { sed -n 's/^ *[^ ]* *\([0-9]*\).*/\1/p' "$1" | sort -u; }
test_expect_success UPSTREAM 'only it was recorded' '
	"$UPSTREAM" script -i p.data -F comm,tid >lines 2>upstream.err && test ! -s upstream.err &&
	test "$(sed_pid lines)" = "$p" && test "$(wc -l <lines)" = "$(cat n)"
'

test_expect_success 'what does not exist or cannot be is said' '
	test_status 1 perf record -e cpu-clock -p 999999999 true 2>err && test_grep "process 999999999 does not exist" err &&
	test_status 129 perf record -e nosuchevent true 2>err && test_grep "nosuchevent" err &&
	test_status 129 perf record --call-graph nosuch true 2>err && test_grep "nosuch" err &&
	test_status 129 perf record --call-graph dwarf,70000 true 2>err && test_grep "65528" err &&
	test_status 129 perf record --nosuch true 2>err && test_grep "unknown option" err &&
	test_status 129 perf record -F 0 true 2>err && test_grep "frequency" err &&
	test_status 1 perf record -e cpu-clock -G nosuchgroup true 2>err && test_grep "add -a" err &&
	test_status 1 perf record -a -p $$ true 2>err && test_grep "exclude each other" err &&
	test_status 1 perf record -e cpu-clock -o /nosuchdir/x true 2>err && test_grep "/nosuchdir/x.*No such file" err &&
	test_status 1 perf record -e cpu-clock --exclude-perf true 2>err && test_grep "tracepoint" err
'

test_expect_success '!PERF_HW' 'without hardware counters: what is recorded instead is said; what has no substitute is refused' '
	for e in "" "-e cycles"; do
		perf record $e true 2>err && test_grep "^The event .cycles.* is not supported by this machine: .cpu-clock. is recorded instead$" err &&
		test "$(grep -vc "^\[ perf record" err)" = 1 || return 1
	done
	test_status 1 perf record -e cache-misses true 2>err && test_grep "cache-misses" err &&
	test_status 1 perf record -e cpu-clock -b true 2>err && test_grep "cannot record branches" err &&
	test_status 1 perf record -e cpu-clock --call-graph lbr true 2>err && test_grep "cannot record branches" err
'

test_expect_success 'the old spelling -g dwarf,1024 is understood, with a hint' '
	perf record -e cpu-clock -g dwarf,1024 true 2>err && test_grep "^Warning: .*call-graph=dwarf,1024" err
'

# Only said, not done: on a slow machine the timer alone would take all of a CPU, and the command never ends.
test_expect_success 'a frequency that is too high is lowered, or refused if asked' '
	max=$(cat /proc/sys/kernel/perf_event_max_sample_rate) && over=$((max + 1)) &&
	perf record --dry-run -e cpu-clock -F $over true 2>err &&
	test_grep "^Warning: $over samples per second are more than the kernel allows: it will be $max$" err &&
	test_status 1 perf record --dry-run -e cpu-clock -F $over --strict-freq true 2>err && test_grep "^Error: $over samples per second are more than the kernel allows .$max.$" err && test_grep "^Hint: .*kernel.perf_event_max_sample_rate=$over$" err &&
	perf record --dry-run -e cpu-clock -F max true 2>err && test_grep "^info: using a maximum frequency rate of [0-9]+ Hz$" err
'

test_expect_success ROOT 'an ordinary user records the user part of own programs; more is refused with the next step' '
	test "$(cat /proc/sys/kernel/perf_event_paranoid)" = 2 && chmod 755 . && mkdir -m 777 user &&
	setpriv --reuid=65534 --regid=65534 --clear-groups perf version >/dev/null 2>&1 &&
	setpriv --reuid=65534 --regid=65534 --clear-groups test -w user || { test_skip "no other user can be tried here"; return; }
	as_nobody () { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; } &&
	as_nobody perf record -e cpu-clock -c 1000000 -o user/x.data sh -c "$spin" 2>err &&
	test_grep "^cpu-clock: user space only, perf_event_paranoid is 2$" err && perf evlist -f -i user/x.data >ev &&
	test_grep "^cpu-clock:u$" ev &&
	as_nobody perf record -o user/d.data true 2>err && test_grep "^cycles:P: user space only, " err && test_grep -v ":Pu" err &&
	test_status 1 as_nobody perf record -e cpu-clock -a -o user/y.data true 2>err &&
	test_grep "Permission denied" err && test_grep "sysctl kernel.perf_event_paranoid=0$" err &&
	test ! -e user/y.data && ( ulimit -l 64 &&
	test_status 1 as_nobody perf record -e cpu-clock -m 64M -o user/y.data true 2>err && test_grep "perf_event_mlock_kb" err )
'

test_expect_success ROOT '-u: where only processes that are there are followed, it is said with the reason' '
	setpriv --reuid=61500 --regid=61500 --clear-groups sleep 60 & p=$!
	test_kill_at_end $p && sleep 0.2 &&
	head="^the processes that user .61500. has now are recorded, .*: " && for a in "-e sched:sched_switch=.sched:sched_switch. is a tracepoint" \
		"--per-thread -e cs=--per-thread watches the threads that there are" "--no-inherit -e cs=--no-inherit watches the threads that there are"; do
		perf record -u 61500 ${a%=*} -o u.data sleep 0.1 2>err && test_grep "$head${a#*=}$" err &&
		perf record -q -u 61500 ${a%=*} -o u.data sleep 0.1 2>err && test ! -s err || return 1
	done && kill $p && test_status 1 perf record -u 61501 -e sched:sched_switch -o u.data sleep 0.1 2>err &&
	test_grep "^Error: user .61501. has no processes$" err && test_grep "^Hint: only processes that are there .* is a tracepoint$" err
'

# Another user (root) spins all the time; the one who is asked for begins later.
test_expect_success BPF '-u: processes that begin later are recorded, those of others are not' '
	spin="i=0; while [ \$i -lt 200000 ]; do i=\$((i+1)); done" &&
	later () { test_wait_for 60 "[ -e begun ]" && setpriv --reuid=61500 --regid=61500 --clear-groups sh -c "echo \$\$ && $spin" >later && touch done; } &&
	{ perf test -w noploop 30 & } && root=$! && test_kill_at_end $root && { later & } && p=$! &&
	perf record -u 61500 -e cpu-clock -F 1000 -o u.data sh -c "touch begun; until [ -e done ]; do sleep 0.1; done" 2>err && wait $p &&
	kill $root && ! grep "has now" err && perf script -i u.data -F pid | sort -n | uniq -c >pids && cat pids later &&
	awk -v p=$(cat later) "\$2 != p { exit 1 } \$1 >= 10 { n++ } END { exit n != 1 }" pids &&
	perf record -u 61500 --call-graph dwarf -e cpu-clock -o u.data sleep 0.2 2>err && perf evlist -i u.data >ev && test_grep "^cpu-clock$" ev
'
test_expect_success ROOT '-a -u: of all processes those of the user' '
	{ setpriv --reuid=61500 --regid=61500 --clear-groups perf test -w noploop 30 & } && p=$! && test_kill_at_end $p &&
	{ perf test -w noploop 30 & } && root=$! && test_kill_at_end $root &&
	perf record -q -a -u 61500 -e cpu-clock -o u.data sleep 0.3 2>err && perf script -i u.data -F pid | tr -d " " | sort -u >pids && echo $p | test_cmp - pids &&
	perf stat -x, -a -u 61500 -e task-clock sleep 0.1 2>counts && test_grep "^[0-9.]*,msec,task-clock," counts && kill $p $root
'

test_expect_success ROOT 'a full disk is reported, the command goes on, what was written can be read' '
	mkdir small && { mount -t tmpfs -o size=64k none small 2>/dev/null || { test_skip "no tmpfs can be mounted"; return; }; } &&
	test_status 1 perf record -o small/x.data -e page-faults -c 1 -g sh -c "i=0; while [ \$i -lt 200 ]; do /bin/true; i=\$((i+1)); done
		echo done >finished" 2>err &&
	cp small/x.data full.data && umount small && test_grep "No space left" err && test_grep done finished
'
test_expect_success ROOT,UPSTREAM 'by upstream perf too' '
	test -s full.data || { test_skip "no full disk"; return; }
	"$UPSTREAM" script -i full.data -F comm,tid >lines 2>err; test -s lines	# it may say that the file is cut
'

test_done
