#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf stat: counts, layouts, errors'
. "$(dirname "$0")/lib.sh"

test_workload charged

# Counts the workload from its start signal on: perf attaches while it waits, and its own command sends the signal.
count_it () {	# count_it PAGES SLEEPS perf-stat-options...
	local pages=$1 sleeps=$2 pid
	shift 2
	rm -f ready go out predicted
	mkfifo go &&
	{ ./charged "$pages" "$sleeps" ready go >predicted & } &&
	pid=$! && test_kill_at_end $pid &&
	test_wait_for 60 "[ -e ready ]" &&
	perf stat -x, -o out "$@" -p $pid -- sh -c "echo >go; while kill -0 $pid 2>/dev/null && [ ! -s predicted -o \"\$(tail -c1 predicted)\" = ' ' ]; do sleep 0.02; done" &&
	wait $pid
}

value () {	# value EVENT: its count in out
	awk -F, -v e="$1" '$3 == e { print $1 }' out
}

test_expect_success PERF_SW 'faults and switches are those the workload predicts' '
	count_it 1000 20 -e faults,cs,minor-faults &&
	read -r _ faults _ switches <predicted &&
	test "$faults" -ge 1000 &&
	test "$(value faults)" -ge "$faults" && test "$(value faults)" -le $((faults + 200)) &&
	test "$(value minor-faults)" -le "$(value faults)" &&
	test "$(value cs)" -ge "$switches" && test "$(value cs)" -le $((switches + 200))
'

test_expect_success PERF_SW 'a group counts the same as its events alone' '
	count_it 1000 1 -e "{faults,minor-faults},faults,minor-faults" &&
	sed 1,2d out | cut -d, -f1,3 >all && head -n 2 all >grouped && tail -n 2 all >alone &&
	test "$(wc -l <all)" = 4 && test_cmp grouped alone &&
	read -r _ faults _ <predicted && test_range faults "$(value faults | head -n 1)" "$faults" $((faults + 200))
'

test_expect_success PERF_SW 'children are counted, unless told otherwise' '
	perf stat -x, -o out -e faults sh -c "./charged 3000 1; true" >/dev/null &&
	test "$(value faults)" -ge 3000 &&
	perf stat -x, -o out -i -e faults sh -c "./charged 3000 1; true" >/dev/null &&
	test "$(value faults)" -lt 3000
'

test_expect_success PERF_SW 'the table of a command' '
	perf stat sh -c "echo from the command" >stdout 2>err &&
	echo "from the command" >expect && test_cmp expect stdout &&
	sed -n 2p err >got && echo " Performance counter stats for '\''sh -c echo from the command'\'':" >expect && test_cmp expect got &&
	grep -E "^ {0,18}[0-9.]+ msec task-clock                       # +[0-9]+\.[0-9] CPUs  CPUs_utilized *$" err &&
	grep -E "^ +[0-9]+      page-faults                      # +[0-9]+\.[0-9] faults/sec  page_faults_per_second *$" err &&
	grep -E "^ +[0-9]+\.[0-9]{9} seconds time elapsed$" err &&
	grep -E "^ +[0-9]+\.[0-9]{9} seconds user$" err && grep -E "^ +[0-9]+\.[0-9]{9} seconds sys$" err &&
	grep -E "^ {2,17}(<not supported>|[0-9][0-9,.]*) (msec|    ) [a-z-]+ {2,}" err | cut -c25- | cut -d" " -f1 >rows &&
	printf "%s\n" context-switches cpu-migrations page-faults task-clock branch-misses branches cpu-cycles instructions >expect &&
	head -n 8 rows | test_cmp expect - && test "$(grep -cE "^ .{17} .{4} [a-z-]+ " err)" = "$(wc -l <rows)"
'

test_expect_success PERF_SW,UPSTREAM 'rows are laid out as in upstream perf' '
	shape () { sed -n "s/[0-9][0-9.]* \(msec\|    \) \([a-z]\)/N \1 \2/p; s/^ *[0-9][0-9.]* seconds/seconds/p" | sed "s/^ *N/N/; s/# .*//; s/ *$//"; } &&
	perf stat -e task-clock,cs,faults true 2>&1 | shape >ours &&
	"$UPSTREAM" stat -e task-clock,cs,faults true 2>&1 | shape >upstream &&
	test -s ours && test_cmp upstream ours
'

test_expect_success PERF_SW 'CSV' '
	perf stat -x, -o out -e task-clock,cs,faults true && sed 1,2d out >rows &&
	sed "s/[0-9][0-9.]*/N/g; s/K\/sec/\/sec/; s/M\/sec/\/sec/" rows >got &&
	cat >expect <<-\EOF &&
	N,msec,task-clock,N,N,,
	N,,cs,N,N,,
	N,,faults,N,N,,
	EOF
	test_cmp expect got &&
	perf stat -x "\t" -o out -e cs:u true && sed 1,2d out | awk -F"\t" "{ print NF, \$3 }" >got &&
	echo "7 cs:u" >expect && test_cmp expect got
'

test_expect_success PERF_SW,PYTHON 'JSON lines' '
	perf stat -j -o out -e task-clock,cs,faults -r 2 true &&
	python3 - out <<-\EOF
	import json, sys
	rows = [json.loads(l) for l in open(sys.argv[1])]
	assert [r["event"] for r in rows] == ["task-clock", "cs", "faults"], rows
	assert rows[0]["unit"] == "msec" and not "metric-unit" in rows[0]
	assert all("variance" in r and r["pcnt-running"] == 100.0 for r in rows)
	assert float(rows[2]["counter-value"]) > 0
	EOF
'

test_expect_success PERF_SW 'repeated runs have a deviation' '
	perf stat -r 3 -e task-clock,faults sh -c "echo x >>runs" 2>err &&
	test "$(wc -l <runs)" = 3 &&
	test_grep "[(]3 runs[)]:" err && test_grep "[+]- .* seconds time elapsed  [(] [+]- .*% [)]" err &&
	perf stat -r 2 --table true 2>err && test_grep "# Table of individual measurements:" err
'

test_expect_success PERF_SW 'intervals end with the command and add up' '
	count_it 1000 100 -I 20 -e faults,cs &&
	awk -F, "\$4 == \"faults\" && \$2 ~ /^[0-9]/ { n += \$2; rows++ } END { print n, rows }" out >sum &&
	read -r n rows <sum && read -r _ faults _ <predicted &&
	test "$n" -ge "$faults" && test "$n" -le $((faults + 200)) && test "$rows" -ge 2 &&
	perf stat -I 10 --interval-count 2 -x, -o out -e cs -p $$ &&
	test "$(grep -c ,cs, out)" = 2
'

test_workload counted
# held PERF-OPTION...: counted does 1000, 2000 and 4000 faults, each after a line on 5; perf stat counts it by commands on 7
held () {
	rm -f in from ctl ack counts && mkfifo in from ctl ack &&
	{ ./counted wait faults 1000 wait faults 2000 wait faults 4000 wait <in >from & } && p=$! && test_kill_at_end $p &&
	exec 5>in 6<from 7<>ctl 8<>ack && at_wait &&
	{ perf stat -x, -e page-faults -p $p -o counts "$@" 2>err & } && r=$! && test_kill_at_end $r && say ping
}
at_wait () { read -r -t 60 x <&6 && test "$x" = ready; }
go () { echo >&5 && at_wait; }
say () { echo "$1" >&7 && read -r -t 60 x <&8 && test "$x" = ack; }
counted_faults () { exec 5>&- 6>&- 7>&- 8>&-; wait $p; awk -F, '{ for (i = 3; i <= NF; i++) if ($i == "page-faults") print $(i - 2) }' counts; }

test_expect_success PERF_SW '--control: what happens between enable and disable is counted' '
	held -D -1 --control fifo:ctl,ack && go && say enable && go && say disable && go && say stop && wait $r &&
	test_range faults "$(counted_faults)" 2000 2010 &&
	printf "Events %s\n" disabled enabled disabled >expect && test_cmp expect err
'

test_expect_success PERF_SW '--control: on descriptors, from the beginning, with intervals' '
	held -I 60000 --control fd:7,8 && go && go && say disable && go && say stop && wait $r &&
	test_range faults "$(counted_faults)" 3000 3010 && echo "Events disabled" >expect && test_cmp expect err
'

test_expect_success PERF_SW '--control: what is no command, and no channel' '
	held --control fifo:ctl,ack && echo dance >&7 && say stop && wait $r && counted_faults >/dev/null &&
	echo "unknown command '\''dance'\'' on the control channel (enable, disable, ping, stop)" >expect && test_cmp expect err &&
	test_status 1 perf stat --control socket:x true 2>err && test_grep "^Error: .socket:x. is not a control channel$" err
'

test_expect_success PERF_SW '-D: nothing is counted before; with each of several runs' '
	perf stat -x, -D 60000 -e page-faults -o out ./counted faults 1000 2>err && test "$(value page-faults)" = "<not counted>" &&
	echo "Events disabled" >expect && test_cmp expect err &&
	perf stat -r 2 -x, -D 100 -e page-faults -o out sh -c "sleep 0.5; ./counted faults 1000" 2>err &&
	test_range faults "$(value page-faults)" 1000 1400 &&
	printf "Events disabled\nEvents enabled\nEvents disabled\nEvents enabled\n" >expect && test_cmp expect err
'

test_expect_success PERF_SW 'a time-out ends the command' '
	test_status 143 perf stat --timeout 50 -e cs -o out sleep 1000 && test_grep "seconds time elapsed" out
'

test_expect_success PERF_SW 'a signal ends the wait, and the counts are printed' '
	{ perf stat -e cs -p $$ -o out & } && pid=$! && test_kill_at_end $pid &&
	test_wait_for 60 "grep -q ^Name:.perf /proc/$pid/status && grep -q ^SigBlk:.*[2367abef]$ /proc/$pid/status" &&
	kill -INT $pid && test_status 130 wait $pid &&
	test_grep "stats for process id" out && test_grep " cs " out
'

test_expect_success PERF_SW 'the status of the command is ours' '
	test_status 7 perf stat -o out sh -c "exit 7" && test_grep task-clock out &&
	test_status 137 perf stat -o out sh -c "kill -9 \$\$"
'

test_expect_success PERF_SW 'files: new, appended' '
	perf stat -o out -e cs true && perf stat -o out --append -e faults true &&
	test "$(grep -c "^# started on" out)" = 2 && test_grep " cs " out && test_grep " faults " out &&
	test_status 1 perf stat -o /nosuch/dir/out true 2>err && test_grep "cannot write ./nosuch/dir/out.: No such file" err
'

test_expect_success PERF_SW,ROOT 'parts of the machine' '
	perf stat -a -A -x, -o out -e cpu-clock true && sed 1,2d out | cut -d, -f1 >got &&
	for c in $(perl -e "print join(q( ), map { /(\d+)-(\d+)/ ? (\$1..\$2) : \$_ } split /,/, <>)" /sys/devices/system/cpu/online); do echo CPU$c; done >expect &&
	test_cmp expect got &&
	perf stat -a -A -x, -o out -e cs/percore/,cs true && sed 1,2d out | cut -d, -f1,4 >got &&
	perf stat -a --per-core -x, -o cores -e cs true &&
	{ sed 1,2d cores | sed "s/,.*/,cs\/percore\//" && sed "s/\$/,cs/" expect; } >percore &&
	test_cmp percore got &&
	for part in core die socket node; do
		perf stat -a --per-$part -x, -o out -e cpu-clock true &&
		sed 1,2d out | awk -F, "{ n += \$2 } END { print n }" >got && wc -l <expect >cpus &&
		test "$(cat got)" -eq "$(cat cpus)" || return 1
	done &&
	perf stat -a --per-core -e cs true 2>err && grep -E "^S[0-9]+-D[0-9]+-C[0-9]+ +[0-9]+ +[0-9]+      cs" err
'

test_expect_success PERF_SW 'threads' '
	perf stat --per-thread -p $$ -e faults,cs -x, -o out sleep 0.01 &&
	test_grep "^$(cat /proc/$$/comm)-$$,.*,faults," out
'

test_expect_success PERF_SW,ROOT 'without a command or another target: the whole system' '
	perf stat -e cs -I 20 --interval-count 2 2>err && test "$(grep -cE "^ +0\.[0-9]+ +[0-9]+ +cs *$" err)" = 2 &&
	perf stat -e cs -A -x, -I 20 --interval-count 1 2>err && test "$(cut -d, -f2 err)" = "$(seq -f CPU%g 0 $(($(getconf _NPROCESSORS_ONLN) - 1)))" &&
	perf stat -e cs --per-node --timeout 20 2>err && test_grep "counter stats for .system wide." err && test_grep "^N0 +[0-9]+ +[0-9]+ +cs" err &&
	{ perf stat -e cs 2>err & p=$!; sleep 0.3; kill -INT $p; wait $p; test_grep "counter stats for .system wide." err; }
'

test_expect_success PERF_SW,SYSCALLS 'tracepoints: globs, filters, many at once' '
	perf stat -x, -o out -e "sched:sched_process_f*" sh -c "true & wait" && test "$(value sched:sched_process_fork)" = 1 &&
	perf stat -x, -o out -e syscalls:sys_enter_write --filter "count > 100" \
		dd if=/dev/zero of=/dev/null bs=512 count=1000 status=none && test "$(value syscalls:sys_enter_write)" = 1000 &&
	perf stat -x, -o out -e syscalls:sys_enter_write --filter "count > 1000" \
		dd if=/dev/zero of=/dev/null bs=512 count=1000 status=none && test "$(value syscalls:sys_enter_write)" = 0 &&
	perf stat -x, -o out -e "syscalls:sys_enter_*" dd if=/dev/zero of=/dev/null bs=512 count=1000 status=none &&
	cut -d, -f3 out | grep sys_enter >names && test "$(wc -l <names)" -gt 100 && LC_ALL=C sort -c names &&
	test "$(value syscalls:sys_enter_write)" -ge 1000 && test "$(value syscalls:sys_enter_write)" -le 1010 &&
	test_status 1 perf stat -e syscalls:sys_enter_write --filter "nosuch > 1" true 2>err &&
	test_grep "cannot set the filter .nosuch > 1." err && test_grep "Hint: the fields" err
'

test_expect_success PERF_SW 'what the machine lacks is said' '
	perf stat -x, -o out -e r0,faults true && test_grep ",faults," out &&
	if ! perf list hw | grep -q "cycles .*event]$"; then
		perf stat -e cycles,cs,instructions true 2>err && test_grep "<not supported>      cycles" err &&
		test_grep "^Warning: not supported by this machine: .cycles., .instructions.: it has no such hardware counters" err &&
		perf stat -x, -e cycles,cs true 2>err && ! grep Warning err && perf stat -x, -o out -e cycles,cs true 2>err && test_grep "^Warning: not supp" err &&
		perf stat true 2>err && ! grep Warning err && perf stat -j -e cs,cycles true 2>err && ! grep -v "^{" err &&
		test_status 1 perf stat -e cycles,instructions touch ran 2>err && ! test -e ran &&
		test_grep "^Error: No supported events found: the event .cycles. is not supported by this machine$" err && test_grep "^Hint: there is no such hardware" err &&
		test_status 1 perf stat record -o none -x, -e cycles true 2>err && ! test -e none
	fi
'

test_expect_success PERF_SW 'record and report' '
	perf stat record -o data -x, -e cs,task-clock,faults true 2>live && perf stat report -i data -x, 2>replayed &&
	test_cmp live replayed &&
	perf stat record -o data -I 10 -x, -e cs,faults sleep 0.05 2>live && perf stat report -i data -x, 2>replayed &&
	test_cmp live replayed &&
	test_status 255 perf stat record -o none nosuchcommand 2>err && ! test -e none &&
	printf x >junk && test_status 1 perf stat report -i junk 2>err
'

test_expect_success PERF_SW,UPSTREAM 'upstream perf reads our counts, we read those of upstream perf' '
	shape () { sed -n "s/^ *\([0-9.]*\) \(msec\|    \) \([a-z-]*\).*/\1 \3/p; /seconds time/p" "$1"; } &&
	perf stat record -o data -e cs,task-clock,faults true 2>err && "$UPSTREAM" stat report -i data 2>upstream &&
	perf stat report -i data 2>ours && shape ours >a && shape upstream >b && test -s a && test_cmp a b &&
	"$UPSTREAM" stat record -o data2 -e cs,task-clock,faults true 2>err && "$UPSTREAM" stat report -i data2 2>upstream &&
	perf stat report -i data2 2>ours && shape ours >a && shape upstream >b && test -s a && test_cmp a b
'

test_expect_success PERF_SW 'upstream'"'"'s words where no CPU is online, and the title of a stream' '
	test_status 1 perf stat -C 9999 -e cs true 2>err && test_grep "^Error: No supported events found: CPU 9999 is not online$" err &&
	perf stat record -e task-clock -o - true 2>/dev/null | perf stat report -i - 2>err && test_grep "^ Performance counter stats for .pipe.:$" err
'

test_expect_success 'errors of events' '
	test_status 129 perf stat -e nosuch true 2>err &&
	sed 3q err >got && printf "event syntax error: '\''nosuch'\''\n                     \\___ Bad event name\n\n" >expect &&
	test_cmp expect got &&
	test_grep "Run .perf list. for a list of valid events" err && test_grep "Usage: perf stat" err &&
	test_status 129 perf stat -e cylces true 2>err && test_grep "did you mean .cycles.?" err &&
	test_status 129 perf stat -e "{cs,faults" true 2>err && test_grep "missing }" err
'

test_expect_success TRACEFS 'errors of tracepoints' '
	test_status 129 perf stat -e sched:sched_swich true 2>err &&
	test_grep "unknown tracepoint" err && test_grep "File .*/events/sched/sched_swich not found" err &&
	test_grep "did you mean .sched:sched_switch.?" err
'

test_expect_success PERF_SW 'errors of commands and targets' '
	test_status 255 perf stat -e cs nosuchcommand 2>err && test_grep "cannot run .nosuchcommand.: No such file or directory" err &&
	test_status 1 perf stat -p 999999999 2>err && test_grep "process 999999999 does not exist" err &&
	test_status 129 perf stat --per-core -e cs true 2>err && test_grep "per-core needs -a" err &&
	test_status 129 perf stat -r 3 -p 1 2>err && test_grep "needs a command" err
'

# Each locale is made here; the machine's own are not asked.
test_lazy_prereq LOCALES 'needs localedef and the sources of locales (package locales)' '
	mkdir locales && localedef -i en_US -f UTF-8 locales/en_US.UTF-8 && localedef -i de_DE -f UTF-8 locales/de_DE.UTF-8'
# 16384 pages of dd, and a few more
big_in () { local locale=$1; shift; LOCPATH=$PWD/locales LC_ALL=$locale "${PERF:-perf}" stat -e page-faults,task-clock "$@" \
	dd if=/dev/zero of=/dev/null bs=64M count=1 2>&1; }
test_expect_success PERF_SW,LOCALES 'digits are grouped as the locale says, with its point; not with --no-big-num' '
	big_in C >out && test_grep "^ +16[45][0-9]{2}      page-faults " out && test_grep "^ +[0-9]+\.[0-9]{2} msec task-clock" out &&
	big_in en_US.UTF-8 >out && test_grep "^ {12}16,[45][0-9]{2}      page-faults " out &&
	test_grep "^ +[0-9]+\.[0-9]{2} msec task-clock " out && test_grep "^ +[0-9]+\.[0-9]{9} seconds time elapsed" out &&
	big_in de_DE.UTF-8 >out && test_grep "^ {12}16\.[45][0-9]{2}      page-faults +# +[0-9]+,[0-9]{3} " out &&
	test_grep "^ +[0-9]+,[0-9]{2} msec task-clock " out && test_grep "^ +[0-9]+,[0-9]{9} seconds time elapsed" out &&
	test_grep "^ +[0-9]+,[0-9]{9} seconds user" out &&
	big_in en_US.UTF-8 --no-big-num >out && test_grep "^ {13}16[45][0-9]{2}      page-faults " out
'

test_expect_success LOCALES 'the dates in headers are the same in all locales' '
	captured () { LOCPATH=$PWD/locales LC_ALL=$1 perf report -i "$TOP/tests/data/small/fp.data" --header-only | grep "captured on"; } &&
	captured C >expect && test_grep ": [MTWFS][a-z]{2} " expect && captured de_DE.UTF-8 >out && test_cmp expect out
'
test_expect_success PERF_SW,LOCALES 'what programs read is the same in every locale' '
	big_in de_DE.UTF-8 -x ";" >out && test_grep "^16[45][0-9]{2};;page-faults;[0-9]+;100\.00;;$" out &&
	big_in de_DE.UTF-8 -j >out && test_grep "\"counter-value\" : \"16[45][0-9]{2}\.000000\"" out &&
	test_grep "\"pcnt-running\" : 100\.00" out
'
test_expect_success PERF_SW,LOCALES,UPSTREAM 'numbers of a locale: as upstream perf' '
	shape () { sed -n "s/  *$//; /page-faults\|task-clock\|seconds time/s/[0-9]/9/gp" | sed "s/99*,999 K/9,999 K/; s/99*,99 m/9,99 m/; s/^ *//"; } &&
	big_in de_DE.UTF-8 | shape >actual && PERF=$UPSTREAM big_in de_DE.UTF-8 | shape >expect && test_cmp expect actual
'

# Kernels before 5.3 have no pidfd_open, and containers may forbid it.
for error in ENOSYS EPERM; do
	test_expect_success STRACE "stat ends with its workload where pidfd_open says $error" '
		timeout -s KILL 20 strace -o calls -e trace=pidfd_open -e inject=pidfd_open:error='$error' \
			perf stat -e task-clock -o counts sh -c "exit 3"
		test $? = 3 &&
		grep "pidfd_open.*INJECTED" calls && grep "task-clock" counts
	'
done

# round-time.py FILE OUT N TIME: the time of the last N rounds.
cat >round-time.py <<'EOF'
import struct, sys
d = bytearray(open(sys.argv[1], "rb").read())
at, n = struct.unpack_from("<QQ", d, 40)
end, rounds = at + n, []
while at < end:
    kind, _, size = struct.unpack_from("<IHH", d, at)
    if kind == 77:
        rounds.append(at)
    at += size
for r in rounds[-int(sys.argv[3]):]:
    struct.pack_into("<Q", d, r + 16, int(sys.argv[4]))
open(sys.argv[2], "wb").write(d)
EOF
test_expect_success PERF_SW,PYTHON 'stat report: times that no clock has, and those that go back' '
	perf stat record -o i.data -I 50 -e task-clock -- sleep 0.12 >out 2>err && perf stat record -o one.data -e task-clock -- true 2>err &&
	python3 round-time.py i.data max.data 1 $(((1 << 63) - 1)) && perf stat report -i max.data 2>out && test_grep "^9223372036.854775807 " out &&
	for f in i one; do
		python3 round-time.py $f.data beyond.data 1 9223372036854775808 && test_must_fail perf stat report -i beyond.data 2>out &&
			test_grep "^Error: .beyond.data. at offset 0x[0-9a-f]*: a round at a time beyond any clock" out || return 1
	done &&
	python3 round-time.py i.data back.data 1 5 && test_must_fail perf stat report -i back.data 2>out &&
	test_grep "^Error: .back.data. at offset 0x[0-9a-f]*: a round at a time before the last one.s" out && grep "^ *0.0[0-9]* .* task-clock" out
'

test_done
