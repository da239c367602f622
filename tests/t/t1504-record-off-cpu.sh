#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf record --off-cpu: for how long threads are blocked, and where, by the clock of the program itself'
. "$(dirname "$0")/lib.sh"

test_workload sleeps
test_workload nocall
rec () { perf record -q -e dummy "$@"; }
# Of each sample: period, comm, tid, and its functions from the outermost on.
samples () { perf script --no-inline -i "$1" -F comm,tid,period,ip,sym 2>/dev/null | awk '
	!NF { if (head) print head, stack ";"; head = ""; next }
	/^\t/ { stack = ";" $2 stack; next }
	{ head = $3 " " $1 " " $2; stack = "" }
	END { if (head) print head, stack ";" }'; }
# The program says how often it slept where, how long it had asked for, and how long it took. Within 5%, and never less than asked for.
as_said () {
	samples "$2" >samples && awk 'NR == FNR { least[$1] = $3; most[$1] = $4; next } { for (f in least) if ($0 ~ ";" f ";") all[f] += $1 }
		END { for (f in least) if (all[f] < least[f] || all[f] > most[f] || all[f] < .95 * most[f]) { print f, least[f], all[f], most[f]; bad = 1 } exit bad }' "$1" samples
}
periods () { perf script -i "$1" -F period --time "$2" 2>/dev/null; }
single='0,18446744069414584' sums='18446744069414584,'

test_expect_success 'wrong uses' '
	test_status 129 rec --off-cpu=soon true 2>err && test_grep "^Error: .soon. is not how long a block lasts" err && test_grep "^Hint: a number of milliseconds" err &&
	test_status 129 rec --off-cpu-thresh -1 true 2>err && test_grep "^Error: .-1. is not how long" err
'

test_require BPF,PERF_SW
test_lazy_prereq OFFCPU 'needs a kernel (5.18) that lets BPF watch switches of tasks' \
	'test_have BPF && ! rec --off-cpu -o probe true 2>&1 | grep "cannot load the BPF programs"'

test_expect_success 'without BPF, and without the right to use it: one message, and no file' '
	test_status 1 ./nocall bpf=EINVAL "$BUILD/perf" record -q -e dummy --off-cpu -o none.data true 2>err && [ ! -e none.data ] &&
	test_grep "^Error: cannot load the BPF programs that measure off-CPU time: Invalid argument$" err && test_grep "^Hint: " err && [ $(grep -c ^Error err) = 1 ] &&
	mkdir home && chmod 777 home . && HOME=$PWD/home test_status 1 setpriv --reuid=65534 --regid=65534 --clear-groups "$BUILD/perf" record -q -e dummy --off-cpu -o home/none.data true 2>err &&
	[ ! -e home/none.data ] && test_grep "^Error: .*not permitted" err && test_grep "^Hint: BPF programs need root, or CAP_BPF and CAP_PERFMON$" err && [ $(grep -c ^Error err) = 1 ]
'
test_require OFFCPU

test_expect_success 'each function of a program was blocked for as long as it says' '
	rec --off-cpu -o sums.data ./sleeps >said && [ $(wc -l <said) = 3 ] && as_said said sums.data &&
	perf evlist -i sums.data >actual && printf "%s\n" dummy offcpu-time >expect && test_cmp expect actual &&
	[ -z "$(periods sums.data "$single")" ]
'

# doze sleeps ten times for 30 ms, nap four times for 50, two threads once for longer.
test_expect_success 'blocks as long as the threshold are samples of their own, at their time' '
	rec --off-cpu=45 -o thresh.data ./sleeps >said && as_said said thresh.data &&
	periods thresh.data "$single" >long && awk "\$1 < 45000000 { exit 1 } END { exit NR < 6 }" long && periods thresh.data "$sums" >short && [ -s short ] &&
	perf script -i thresh.data -F period,ip,sym --time "$sums" 2>/dev/null >out && grep doze out && ! grep -E "nap|wait_for_byte" out &&
	perf report --header-only -i thresh.data 2>/dev/null >head && first=$(sed -n "s/^# time of first sample : //p" head) && last=$(sed -n "s/^# time of last sample : //p" head) &&
	awk -v a="$first" -v b="$last" "BEGIN { exit !(b - a > .15 && b - a < 60) }" &&
	perf script -i thresh.data -F time,period --time "$single" 2>/dev/null | tr -d : | awk "NR > 1 && \$1 < t - .01 { exit 1 } { t = \$1 }" &&
	rec --off-cpu --off-cpu-thresh 45 -o same.data ./sleeps >said && as_said said same.data && periods same.data "$single" >again && [ $(wc -l <again) -ge 6 ]
'
test_expect_success 'no threshold: each block is a sample; a large one: none is' '
	rec --off-cpu=0 -o each.data ./sleeps >said && as_said said each.data && [ $(periods each.data "$single" | wc -l) -ge 16 ] && [ -z "$(periods each.data "$sums")" ] &&
	rec --off-cpu=2s -o no.data ./sleeps >said && as_said said no.data && [ -z "$(periods no.data "$single")" ] && rec --off-cpu --no-off-cpu -o not.data true &&
	perf evlist -i not.data >actual && echo dummy >expect && test_cmp expect actual
'

test_expect_success 'children are followed, or not' '
	rec --off-cpu -o kids.data sh -c "sleep 0.3; :" && samples kids.data | awk "{ n[\$2] += \$1 } END { exit n[\"sleep\"] < 300000000 || n[\"sh\"] < 300000000 }" &&
	rec --off-cpu -i -o kids.data sh -c "sleep 0.3; :" && samples kids.data | awk "\$2 == \"sleep\" { exit 1 } { n += \$1 } END { exit n < 300000000 }"
'
# Sleeps for a tenth of a second again and again.
napping () { exec perl -e '$| = 1; for (;;) { select undef, undef, undef, .1 }'; }
of_both () { samples "$1" | awk -v a=$a -v b=$b '$3 == a { na += $1 } $3 == b { nb += $1 } END { print (na > 2e8 ? "a" : "-") (nb > 2e8 ? "b" : "-") }'; }
test_lazy_prereq PERL 'needs perl' 'perl -v'
test_expect_success PERL '-p, -t, -u, -a: whom it is about' '
	{ napping & } && a=$! && test_kill_at_end $a && { setpriv --reuid=61504 --regid=61504 --clear-groups perl -e "for (;;) { select undef, undef, undef, .1 }" & } && b=$! && test_kill_at_end $b &&
	sleep 0.3 && rec --off-cpu -p $a -o p.data sleep 0.6 && rec --off-cpu -t $b -o t.data sleep 0.6 && rec --off-cpu -u 61504 -o u.data sleep 0.6 && rec --off-cpu -a -o a.data sleep 0.6 &&
	for f in p t u a; do of_both $f.data || return 1; done >actual && printf "%s\n" a- -b -b ab >expect && test_cmp expect actual && kill $a $b
'
# It sleeps for three seconds, and is watched for a part of that.
test_expect_success PERL 'what counts is the time in which events are on; a block that goes on at the end counts up to then' '
	rec --off-cpu -D 1500 -o later.data sleep 3 && samples later.data | awk "{ n += \$1 } END { print n; exit n < 1400000000 || n > 2950000000 }" &&
	test_status 7 rec --off-cpu=100 -o goes-on.data perl -e "if (!fork) { select undef, undef, undef, 30 } else { select undef, undef, undef, .3; exit 7 }" && samples goes-on.data >out && cat out &&
	awk "\$1 >= 250000000 && \$1 < 5000000000 { n++ } END { exit n != 2 }" out && [ $(periods goes-on.data "$single" | wc -l) = 2 ]
'
# Without frame pointers: of fp no caller is left, of dwarf all are there, from the first block on.
test_lazy_prereq IN_KERNEL 'needs root, and a kernel whose BPF programs can unwind' 'perf record -q --call-graph dwarf --unwind bpf -e cpu-clock:u -o k.data true'
test_expect_success IN_KERNEL,X86_64 'stacks by unwind tables: --call-graph dwarf and auto' '
	cc -O2 -fomit-frame-pointer -fno-inline -fno-optimize-sibling-calls -g -D_GNU_SOURCE -pthread -o blind "$TOP/tests/workloads/sleeps.c" -lm -ldl &&
	for m in dwarf auto; do
		perf record -v -e dummy --call-graph $m --off-cpu -o k.data ./blind >said 2>how && samples k.data >all &&
		awk "\$4 !~ /^;(_start|clone3?|__clone);/ { bad++ } END { exit !NR || bad }" all || { cat all how; return 1; }
	done &&
	perf record -q -e cpu-clock:u --call-graph dwarf --off-cpu=0 -o k.data sh -c "for i in 1 2 3; do ./blind; done" >/dev/null && perf script --no-inline -i k.data -F comm,event,ip,sym |
		awk "BEGIN { RS = \"\" } / offcpu-time:/ && /blind/ { n++; whole += / (_start|clone3?|__clone)\$/ } END { print n, whole; exit n < 48 || whole < 0.95 * n }"
'
test_expect_success IN_KERNEL,X86_64 'nor do BPF programs of others spoil them' '
	rm -f there && { perf record -q -e cpu-clock --filter "period > 1" -o other.data sh -c "touch there; exec sleep 60" & } &&
	while ! test -e there; do kill -0 $! || return 1; sleep 0.02; done &&
	ret=0 && { perf record -v -e dummy --call-graph dwarf --off-cpu -o k.data ./blind >said 2>how || ret=$?; } &&
	kill -INT $! && { wait $!; test $? != 127; } && test $ret = 0 && samples k.data >all &&
	awk "\$4 !~ /^;(_start|clone3?|__clone);/ { bad++ } END { exit !NR || bad }" all || { cat all how; false; }
'
test_expect_success 'several files: each has the time that came in it' '
	rec --off-cpu --switch-output=1s -o sw.data sh -c "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do sleep 0.2; done" && ls sw.data.* >files && [ $(wc -l <files) -ge 2 ] &&
	for f in sw.data.*; do samples $f | awk "\$2 != \"sh\" { n += \$1 } END { print n + 0 }" || return 1; done >ns && cat ns && awk "{ n += \$1; m += \$1 > 100000000 } END { exit n < 2600000000 || m < 2 }" ns
'
test_expect_success 'other events beside it, a pipe, a compressed file' '
	perf record -q --off-cpu -g -e task-clock,dummy -o - ./sleeps 2>err >pipe && perf script -i - -F event <pipe 2>/dev/null | grep -c offcpu-time >n && [ $(cat n) -ge 3 ] &&
	rec --off-cpu -z -o z.data ./sleeps >said && as_said said z.data
'
test_expect_success 'what cannot be is refused' '
	test_status 1 rec --off-cpu --overwrite -o none.data true 2>err && test_grep "does not go with --overwrite" err && [ ! -e none.data ]
'
inside () { unshare -fp --mount-proc "$@"; }
test_lazy_prereq PIDNS 'needs root and pid namespaces' 'inside true'
cat >inside.sh <<'EOF'
for i in 1 2; do perl -e 'for (;;) { select undef, undef, undef, .1 }' & done
"$1" record -q -e dummy --off-cpu -p $! -o p.data sleep 0.5
echo $!
EOF
test_expect_success PIDNS,PERL 'in a container: its own numbers of processes; its threads, its children, -p, -a, but nobody outside' '
	inside "$BUILD/perf" record -q -e dummy --off-cpu -o in.data ./sleeps >said && as_said said in.data && samples in.data | awk "\$3 > 20 { exit 1 }" &&
	inside "$BUILD/perf" record -q -e dummy --off-cpu -o in.data sh -c "sleep 0.3; :" && samples in.data | awk "{ n[\$2] += \$1 } END { exit n[\"sleep\"] < 300000000 || n[\"sh\"] < 300000000 }" &&
	inside sh inside.sh "$BUILD/perf" >pid && samples p.data | awk "NR == FNR { pid = \$1; next } \$3 != pid { exit 1 } { n += \$1 } END { exit n < 200000000 }" pid - &&
	{ napping & } && a=$! && test_kill_at_end $a && sleep 0.2 && inside "$BUILD/perf" record -q -e dummy --off-cpu -a -o a.data sh -c "sleep 0.6; :" && kill $a &&
	samples a.data | awk "\$2 == \"perl\" { exit 1 } \$2 == \"sleep\" { n += \$1 } END { exit n < 600000000 }"
'
cgroups_end () { rmdir cg/perf-$$-a cg/perf-$$-b; umount cg; }
test_lazy_prereq CGROUP2 'needs root, and cgroups of version 2 by which events are counted' \
	'! grep -q "[:,]perf_event[:,]" /proc/self/cgroup && mkdir -p cg && mount -t cgroup2 none cg && umount cg'
test_expect_success PERL,CGROUP2 '-G: only tasks of that cgroup, or of these' '
	mkdir -p cg && mount -t cgroup2 none cg && mkdir cg/perf-$$-a cg/perf-$$-b &&
	{ napping & } && a=$! && test_kill_at_end $a && { napping & } && b=$! && test_kill_at_end $b && echo $a >cg/perf-$$-a/cgroup.procs && echo $b >cg/perf-$$-b/cgroup.procs && sleep 0.3 &&
	rec --off-cpu -a -G perf-$$-a -o a.data sleep 0.6 && rec -e dummy --off-cpu -a -G perf-$$-a,perf-$$-b -o ab.data sleep 0.6 &&
	for f in a ab; do of_both $f.data || return 1; done >actual && printf "%s\n" a- ab >expect && test_cmp expect actual && kill $a $b && test_status 143 wait $b && cgroups_end
'

# 7.2 does not know the names of threads that have ended any more.
rows () { "$@" script --no-inline -i thresh.data -F tid,event,period,time,ip,sym 2>/dev/null | awk '/^\t/ { print $2; next } NF { print $1, $2, $3, $4 }'; }
test_expect_success UPSTREAM 'upstream reads it' '
	rows perf >mine && rows "$UPSTREAM" >theirs && test_cmp mine theirs && grep "^nap$" mine
'
test_expect_success NEWEST 'the newest one, too' '
	rows perf | grep offcpu-time >mine && rows "$NEWEST" | grep offcpu-time >theirs && test_cmp mine theirs && [ -s mine ] &&
	"$NEWEST" report --no-inline -i thresh.data --stdio -g none -F period,sym 2>/dev/null >out && test_grep "clock_nanosleep" out
'
test_expect_success 'perf flame draws it' '
	perf flame --off-cpu --folded -f -i sums.data 2>/dev/null >folded && awk "{ s += \$NF } END { print s }" folded >actual &&
	perf script -F period -i sums.data 2>/dev/null | awk "{ s += \$1 } END { print s }" >expect && test_cmp expect actual && grep ";doze;" folded &&
	perf flame --off-cpu -f -o off.html -i thresh.data 2>err && grep "</html>" off.html >/dev/null
'
test_done
