#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf script: the text, against the newest upstream perf on the same file'
. "$(dirname "$0")/lib.sh"

test_require NEWEST
test_workload story

record () { perf record -q "$@"; }

test_lazy_prereq RECORD 'needs a recorder that can sample page faults' 'record -o probe.data -e page-faults -c 1 true && [ -s probe.data ]'
test_lazy_prereq SCHED 'needs a recorder that can record scheduler events' \
	'test_have TRACEFS && record -o probe2.data -e sched:sched_process_exec -c 1 true && [ -s probe2.data ]'

# same OURS UPSTREAM: equal, line by line. Allowed to differ are names alone (address and file equal: aliases of a symbol, and the
# caller that a call which does not return stands in; at most a quarter of the lines), and the name of a task that has exited,
# for which upstream perf has ":PID".
same () {
	awk -v upstream="$2" '
		function bare(s) {
			gsub(/\\x20/, " ", s)
			if (s ~ /^\t/ && s !~ /\(/) return substr(s, 1, 17)
			sub(/ [^ ]+ \(/, " (", s)
			return s
		}
		{
			if ((getline other < upstream) <= 0) { print "more lines than upstream perf, from " NR ": " $0; bad = 1; exit }
			if ($0 == other) next
			if (bare($0) == bare(other)) { names++; next }
			gone = other
			if (gone ~ /^ *:[0-9]+ /) { sub(/^ *[^ ]+ +/, "", gone); mine = $0; sub(/^ *[^ ].*[^ ]  +/, "", mine)
				if (index($0, gone)) next }
			print NR ": " $0; print "upstream: " other; if (++bad > 5) exit
		}
		END {
			if (!bad && (getline other < upstream) > 0) { print "fewer lines than upstream perf"; bad = 1 }
			if (names > 10 + NR / 4) { print names " names of " NR " lines differ"; bad = 1 }
			if (NR < 3) { print "nothing to compare"; bad = 1 }
			exit bad != 0
		}' "$1"
}
# like_newest FILE OPTIONS...
like_newest () {
	local file=$1
	shift
	"$NEWEST" script --no-inline -i "$file" "$@" >upstream.txt 2>upstream.err
	perf script --no-inline -i "$file" "$@" >ours.txt 2>ours.err || { cat ours.err; return 1; }
	same ours.txt upstream.txt || { echo "options: $file $*"; cat upstream.err; return 1; }
}

test_expect_success RECORD 'recordings' '
	record -e page-faults -c 1 -g -o g.data ./story 50 &&
	record -e page-faults -c 1 -d -o flat.data ./story 50 &&
	record -e cpu-clock -F 2000 -g -o clock.data sh -c "./story 2000; ls / | sort | cat >/dev/null"
'
test_expect_success RECORD,NEWEST 'chains, as the newest upstream perf prints them' '
	like_newest g.data && like_newest clock.data
'
test_expect_success RECORD,NEWEST 'samples without chains' 'like_newest flat.data'
test_expect_success RECORD,NEWEST 'options' '
	like_newest g.data -G --ns && like_newest g.data --max-stack 2 &&
	like_newest flat.data --reltime && like_newest flat.data --deltatime --comms "second one"
'
test_expect_success RECORD,NEWEST 'fields with chains' '
	for f in comm,tid,ip,sym comm,pid,tid,time,event,ip ip,sym,dso,dsoff +pid,+misc -period,-symoff; do
		like_newest g.data -F $f || return 1
	done
'
test_expect_success RECORD,NEWEST 'fields without chains' '
	for f in comm,pid,tid,time event,period ip,sym,symoff addr,dso addr,ip +pid,+misc sw:comm,ip; do
		like_newest flat.data -F $f || return 1
	done
'
test_expect_success RECORD,NEWEST 'records that are no samples' '
	like_newest g.data --show-mmap-events --show-switch-events --show-lost-events && like_newest flat.data -D
'
test_expect_success RECORD,SCHED 'a recording of tracepoints' '
	record -e sched:sched_process_exec,sched:sched_process_fork,sched:sched_switch -o tp.data ./story 50 &&
	record -g -e sched:sched_process_exec,sched:sched_process_fork -o tpg.data ./story 50
'
test_expect_success RECORD,SCHED,NEWEST 'tracepoints, as the newest upstream perf prints them' '
	like_newest tp.data && like_newest tp.data -F +period,+pid && like_newest tp.data -F trace:comm,ip,sym &&
	like_newest tp.data -L && like_newest tpg.data
'
test_expect_success RECORD,SCHED,SYSCALLS,NEWEST 'syscalls, as the newest upstream perf prints them' '
	record -e "syscalls:sys_enter_openat,syscalls:sys_exit_mmap,syscalls:sys_enter_mmap" -o sys.data ./story 50 &&
	like_newest sys.data
'


test_done
