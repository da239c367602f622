#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf record: several files, overwriting, compression, header'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW,UPSTREAM
test_workload counted

upstream () { local f=$1; shift; "$UPSTREAM" script -i "$f" "$@" >lines 2>upstream.err && test ! -s upstream.err; }
count () { grep -c -e "$1" lines; }
same () { [ "$1" = "$2" ] || { echo "$3: $1, not $2"; return 1; }; }
# samples in touch_pages, over all files given
in_all () { for f in "$@"; do upstream "$f" -F ip,sym || return 1; cat lines; done | grep -c touch_pages; }

cpu=$(taskset -cp $$ | sed "s/.*: //; s/[-,].*//")
# counted on one CPU in the background, held at each "wait"; perf records it: a sample has 40 bytes, so
# 4000 of them are more than half a ring of 256 kB, when perf wakes up, and less than a whole one
start () {
	rm -f in out ctl ack && mkfifo in out ctl ack && { taskset -c $cpu ./counted "$@" <in >out & } && p=$! &&
	test_kill_at_end $p && exec 5>in 6<out 7<>ctl 8<>ack && at_wait
}
at_wait () { read -r -t 60 x <&6 && test "$x" = ready; }
go () { echo >&5 && at_wait; }
attach () {
	{ perf record --control fifo:ctl,ack -e page-faults:u -c 1 -p $p "$@" 2>err & } && r=$! && test_kill_at_end $r &&
	echo ping >&7 && read -r -t 60 x <&8 && test "$x" = ack
}
end () { echo >&5; wait $r; s=$?; exec 5>&- 6>&- 7>&- 8>&-; return $s; }
files () { ls $1.[0-9]* 2>/dev/null | wc -l; }

test_expect_success '--switch-output by size: whole files, nothing lost between them' '
	start wait faults 4000 wait faults 4000 wait faults 4000 && attach --switch-output=100k -o sw.data &&
	go && test_wait_for 60 "test \$(files sw.data) -ge 1" && go && test_wait_for 60 "test \$(files sw.data) -ge 2" && end &&
	test ! -e sw.data && test "$(files sw.data)" -ge 3 &&
	same "$(in_all sw.data.[0-9]*)" 12000 faults && same "$(grep -c "Dump sw\.data\.20[0-9]*" err)" "$(files sw.data)" "names said" &&
	test_grep "Captured and wrote [0-9.]+ MB sw\.data\.<timestamp> \]" err
'

test_expect_success 'each of them knows the names and mappings of what ran' '
	for f in sw.data.[0-9]*; do
		upstream $f -F comm,dso,ip,sym && sed -n "/touch_pages/p" lines >mine && cat mine >>all-mine &&
		same "$(grep -c "counted.*/counted)" mine)" "$(wc -l <mine)" "resolved in $f" || return 1
	done &&
	test -s all-mine	# the last file may have none
'

test_expect_success '--switch-max-files keeps the last ones' '
	start wait faults 4000 wait faults 4000 && attach --switch-output=100k --switch-max-files=1 -o mx.data &&
	go && test_wait_for 60 "grep -q Dump err" && end && same "$(files mx.data)" 1 files
'

test_expect_success '--switch-output=signal: SIGUSR2' '
	start wait faults 30 wait faults 50 && attach --switch-output -o us.data && go && kill -USR2 $r &&
	test_wait_for 60 "test \$(files us.data) -ge 1" && first=$(ls us.data.[0-9]*) && end &&
	same "$(files us.data)" 2 files && same "$(in_all $first)" 30 "before the signal" && same "$(in_all us.data.[0-9]*)" 80 all
'

test_expect_success '--timestamp-filename' '
	perf record -q --timestamp-filename -e page-faults:u -c 1 -o ts.data ./counted faults 10 && test ! -e ts.data &&
	same "$(in_all ts.data.[0-9]*)" 10 faults
'

test_expect_success '--max-size ends the recording' '
	start wait faults 4000 wait && attach --max-size=64k -o ms.data && go && wait $r && end &&
	test_grep "perf size limit reached \(64 KB\), stopping session" err &&
	test_range faults "$(in_all ms.data)" 1 4000 && test "$(stat -c %s ms.data)" -ge 65536
'

test_expect_success '--overwrite keeps the newest' '
	perf record -q --overwrite -m 4 -e page-faults:u -c 1 -o ow.data ./counted faults 4000 spin 1 && upstream ow.data -F ip,sym &&
	n=$(count touch_pages) && test "$n" -gt 0 && test "$n" -lt 3000 &&
	perf record -q --overwrite -e page-faults:u -c 1 -o ow.data ./counted faults 50 && same "$(in_all ow.data)" 50 "all that fit"
'

test_expect_success '-z: compressed, and the same samples' '
	perf version --build-options | grep -q "zstd: \[ on" || { test_skip "built without zstd"; return; }
	perf record -q -z -g -e page-faults:u -c 1 -o z.data ./counted depth 30 faults 2000 &&
	perf record -q -g -e page-faults:u -c 1 -o nz.data ./counted depth 30 faults 2000 &&
	test $(( 3 * $(stat -c %s z.data) )) -lt "$(stat -c %s nz.data)" && perf script -i z.data -F ip,sym >lines &&
	same "$(grep -c touch_pages lines)" 2000 "samples for us" &&
	perf evlist -v -i z.data >a && perf evlist -v -i nz.data >b && test_cmp b a
'

# The sums of the header's ratio are exact: what is said at the end is compared with it.
test_expect_success '-z: how much it packed is said at the end and in the header, and its records are counted' '
	perf version --build-options | grep -q "zstd: \[ on" || { test_skip "built without zstd"; return; }
	perf record -z -g -e page-faults:u -c 1 -o z.data ./counted depth 30 faults 2000 2>err &&
	test_grep "z\.data \([0-9]+ samples\), compressed \(original [0-9.]+ MB, ratio is [0-9.]+\) \]$" err &&
	ratio=$(sed -n "s/.*ratio is \([0-9]*\.[0-9]*\)).*/\1/p" err | xargs printf "%.0f") && test "$ratio" -gt 3 &&
	perf report -i z.data --header --stats >stats && test_grep "^# compressed : Zstd, level = 1, ratio = $ratio$" stats &&
	test_grep "^ +COMPRESSED events: +[1-9]" stats && perf record -e page-faults:u -o nz.data true 2>err && test_grep "samples\) \]$" err &&
	perf report -i nz.data --stats >stats && ! grep COMPRESSED stats
'
test_expect_success NEWEST 'report --stats: the records of packed files are counted as 7.2 does, with the header before them' '
	"$NEWEST" record -q -z -e page-faults:u -c 1 -o z2.data ./counted faults 2000 2>err &&
	perf record -q -z -e page-faults:u -c 1 -o z.data ./counted faults 2000 && for f in z2.data z.data; do
		"$NEWEST" report -i $f --header --stats 2>err >theirs && perf report -i $f --header --stats 2>err >ours &&
		grep -c "^# cpudesc" ours && test_grep "COMPRESSED2* events:" ours &&
		sed "/^# missing features/d" theirs >expect && sed "/^# missing features/d" ours >got && test_cmp expect got || return 1
	done
'

test_expect_success '-k mono: the times are those of that clock' '
	mono () { awk "{ print \$1 }" /proc/uptime; } && from=$(perl -MTime::HiRes=clock_gettime,CLOCK_MONOTONIC -e "print clock_gettime(CLOCK_MONOTONIC)") &&
	perf record -q -k mono -e page-faults:u -c 1 -o k.data ./counted faults 5 &&
	to=$(perl -MTime::HiRes=clock_gettime,CLOCK_MONOTONIC -e "print clock_gettime(CLOCK_MONOTONIC)") &&
	upstream k.data -F time && test -s lines &&
	awk -v from="$from" -v to="$to" "{ sub(/:/, \"\"); if (\$1 < from || \$1 > to) exit 1 }" lines &&
	"$UPSTREAM" report --header-only -I -i k.data >head && test_grep "clockid: monotonic" head
'

test_expect_success 'the header: what upstream perf says of this machine' '
	perf record -q -e cpu-clock -o ours.data true && upstream_record -q -e cpu-clock -o upstream.data true &&
	for f in ours upstream; do
		"$UPSTREAM" report --header-only -I -i $f.data 2>$f.err >$f.full &&
		grep -E "^# (hostname|os release|arch|nrcpus|cpudesc|cpuid|total memory|sibling|CPU|node|CPU cache|  L|memory nodes)" $f.full |
			grep -vE "MHz|meminfo|free" >$f.head || return 1
	done
	test_cmp upstream.head ours.head && test ! -s ours.err && test_grep "perf version" ours.full && test_grep "^# cmdline : .*record -q -e cpu-clock -o ours.data true" ours.full
'

test_expect_success 'build-ids: in the mappings and in the header' '
	eu=$(readelf -n ./counted 2>/dev/null | sed -n "s/.*Build ID: //p") && perf record -q -e page-faults:u -c 1 -o b.data ./counted faults 3 &&
	"$UPSTREAM" buildid-list -i b.data >ids && { test -z "$eu" || test_grep "^$eu .*/counted$" ids; } && test_grep "vdso" ids &&
	perf record -q -B -e page-faults:u -c 1 -o b.data ./counted faults 3 && "$UPSTREAM" report --header-only -i b.data >head &&
	test_grep "missing features:.*BUILD_ID" head
'

test_expect_success 'roles exchanged: the report of an upstream perf recording and of ours read alike' '
	upstream_record -q -e page-faults:u -c 1 -o s.data ./counted faults 400 && perf record -q -e page-faults:u -c 1 -o o.data ./counted faults 400 &&
	for f in s o; do
		"$UPSTREAM" report --stdio -i $f.data -F sample,comm,dso,sym 2>/dev/null | grep touch_pages >$f.upstream || return 1
	done && test_cmp s.upstream o.upstream && perf report --stdio -i s.data -F sample,comm,dso,sym | grep touch_pages >s.ours &&
	perf report --stdio -i o.data -F sample,comm,dso,sym | grep touch_pages >o.ours && test_cmp s.ours o.ours
'

test_expect_success 'a recorder that is killed takes no more with it than the last second' '
	{ sh -c "while :; do :; done" & } && spinner=$! && test_kill_at_end $spinner &&
	{ perf record -q -e cpu-clock -F 99 -g -o killed.data -p $spinner & } && recorder=$! && test_kill_at_end $recorder &&
	test_wait_for 60 "perf script -i killed.data 2>/dev/null | grep -a cpu-clock >/dev/null" && kill -KILL $recorder && kill $spinner &&
	test_status 1 perf report --stdio -i killed.data >killed.out 2>err && test_grep "% .* sh " killed.out &&
	test_grep "^Warning: killed.data: its header was never completed; reading what there is" err
'

# Twenty to a hundred looks a second, not as many as there can be
test_lazy_prereq STRACE 'needs strace' 'strace -o trace true'
test_expect_success STRACE 'a recorder of nothing sleeps, into a file and into a pipe' '
	for out in quiet.data -; do
		strace -o polls -e trace=poll perf record -q -e page-faults:u -o $out sleep 2.5 >piped && test -s polls &&
		test "$(wc -l <polls)" -lt 1000 || return 1
	done
'

test_done
