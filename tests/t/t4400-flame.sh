#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf flame: pages, drawings and folded stacks have the shares that report has, whatever names there are'
. "$(dirname "$0")/lib.sh"
. "$TEST_DIR/npm.sh"

test_workload stackmix
test_workload threads
test_workload sleeps

record () { perf record -q "$@"; }

test_lazy_prereq RECORD 'needs a recorder that can sample cpu-clock' 'record -o probe.data -e cpu-clock true && [ -s probe.data ]'
folded () { perf flame --folded -f -i "$@"; }

# Of folded stacks: each function's share with what it called, its own, and its name.
cat >shares.py <<\EOF
import sys, collections
several = collections.Counter(line.rstrip("\n").split(" ", 2)[2] for line in open(sys.argv[1]))
total, own, every = collections.Counter(), collections.Counter(), 0
for line in sys.stdin:
    stack, weight = line.rstrip("\n").rsplit(" ", 1)
    frames, weight = stack.split(";")[1:], int(weight)
    every += weight
    for f in set(frames):
        total[f] += weight
    if frames:
        own[frames[-1]] += weight
for f in total:
    if not f.startswith("[") and several[f] < 2:
        print("%.2f%% %.2f%% %s" % (100 * total[f] / every, 100 * own[f] / every, f))
EOF
# The same of report. Symbols of one name in two files are two rows there, and not compared.
reported () {
	perf report --no-inline -i "$1" --stdio -g none --percent-limit 0 -F overhead_children,overhead,sym 2>/dev/null |
		sed -n "s/^ *\([0-9.]*%\) *\([0-9.]*%\) *\[.\] \([^ [].*[^ ]\) *\$/\1 \2 \3/p"
}
once () { awk "NR == FNR { n[substr(\$0, index(\$0, \$3))]++; next } n[substr(\$0, index(\$0, \$3))] == 1" "$1" "$1" | sort; }
flat () { perf report --no-inline -i "$1" --stdio -g none -F overhead,sym 2>/dev/null | sed -n "s/^ *\([0-9.]*%\) *\[.\] \([^ ].*[^ ]\) *\$/\1 \1 \2/p"; }

test_expect_success RECORD 'one command records and draws' '
	perf flame -F 999 -e cpu-clock -g ./threads 3 300 >out 2>err && grep "perf flame: [1-9][0-9]* samples, [1-9][0-9]* distinct stacks in flame.html" err &&
	grep -c "</html>" flame.html >n && echo 1 >expect && test_cmp expect n && [ -s perf.data ]
'
test_expect_success RECORD 'an output that exists is replaced only when that is asked for, and this is said before the work' '
	cp flame.html kept && rm -f gone && test_status 1 perf flame -e cpu-clock sh -c "touch gone" 2>err && cmp kept flame.html && [ ! -e gone ] &&
	printf "%s\n" "Error: '\''flame.html'\'' exists" "Hint: -f replaces it; -o names another output" >expect && test_cmp expect err &&
	perf flame -i perf.data -f 2>err && grep "</html>" flame.html && perf flame -i perf.data -o /dev/null 2>err
'
test_expect_success RECORD 'the status of the program is that of perf, and the picture is drawn' '
	test_status 3 perf flame -q -e cpu-clock -c 10000 -o status.html sh -c "exit 3" && [ -s status.html ]
'
test_expect_success 'wrong uses' '
	test_status 129 perf flame --svg --folded -i x 2>err && grep "exclude each other" err &&
	test_status 129 perf flame -F 99 2>err && grep "^Error: --freq is about recording, and there is nothing to record" err &&
	test_status 129 perf flame -F 99 -i x 2>err && grep "^Error: --freq is about recording, and -i reads a recording" err &&
	test_status 129 perf flame -i x true 2>err && grep "there is no command to run" err &&
	test_status 129 perf flame --minwidth=-3 -i x 2>err && grep "not a width in pixels: .-3" err &&
	test_status 1 perf flame -i nothere.data -o x.html 2>err && grep "nothere.data" err && [ ! -e x.html ]
'
test_expect_success RECORD,PYTHON 'a share is that of report, in each of several recordings' '
	record -F 1999 -e cpu-clock -g -o fp.data ./threads 3 200 >/dev/null && record -c 100000 -e cpu-clock --call-graph dwarf -o dwarf.data ./stackmix >/dev/null &&
	record -F 1999 -e cpu-clock,task-clock -g -o two.data ./threads 2 100 >/dev/null && record -F 1999 -e cpu-clock -o flat.data ./threads 2 100 >/dev/null &&
	record -c 100000 -e cpu-clock -z -g -o packed.data ./threads 4 100 >/dev/null &&
	for f in fp dwarf packed; do
		reported $f.data >rows && once rows >expect && [ -s expect ] && folded $f.data --no-inline 2>/dev/null | python3 shares.py rows | sort >actual &&
		test_cmp expect actual || return 1
	done &&
	flat flat.data >rows && once rows >expect && [ -s expect ] && folded flat.data 2>/dev/null | python3 shares.py rows | sort >actual && test_cmp expect actual
'
same_shares () {	# RECORDING: each function's share and its own in the picture are those of report
	reported "$1" >rows && once rows >expect && [ -s expect ] && folded "$1" --no-inline 2>/dev/null | python3 shares.py rows | sort >actual && test_cmp expect actual ||
		{ echo "$1"; return 1; }
}
ten () {
	local n=0 options
	while read -r options; do
		n=$((n + 1))
		eval "record -o ten$n.data $options" >/dev/null 2>&1 && same_shares ten$n.data || { echo "$options"; return 1; }
	done <<-\END
		-F 999 -e cpu-clock -g ./threads 2 60
		-F 4999 -e cpu-clock:u -g ./threads 5 60
		-F 999 -e task-clock -g ./stackmix
		-c 50000 -e cpu-clock:u --call-graph dwarf,4096 ./stackmix
		-c 20000 -e cpu-clock --call-graph dwarf --no-inherit ./stackmix
		-F 1999 -e cpu-clock -g -z ./stackmix
		-F 2999 -e cpu-clock -g -a ./threads 2 60
		-F 1999 -e cpu-clock -g -T -P -d ./threads 3 60
		-c 1 -e page-faults -g ./threads 3 20
		-c 1 -e minor-faults:u --call-graph dwarf sh -c "./stackmix; ./threads 2 20"
	END
	[ $n = 10 ]
}
test_expect_success RECORD,PYTHON 'the shares of ten recordings are those of report' ten
test_expect_success RECORD,PYTHON 'events are drawn one by one' '
	folded two.data --no-inline --show-event task-clock 2>/dev/null >b && folded two.data --no-inline >a 2>/dev/null && [ -s a ] && [ -s b ] &&
	test_status 1 perf flame --folded --show-event cycles -i two.data 2>err && grep "^Hint: there are: cpu-clock, task-clock" err
'
# The sum of periods is that of the first event of report, but where that has rows of branches or groups of events.
whole () {
	local f n=0
	for f in "$CORPUS"/*/perf.data; do
		case $f in *branch*|*group*|*discriminator*|*multi-process*) continue ;; esac
		perf report --stdio -i "$f" 2>/dev/null | sed -n "s/^# Event count (approx.): //p" | head -n 1 >expect
		[ -s expect ] || continue
		folded "$f" 2>/dev/null | awk '{ n += $NF } END { printf "%.0f\n", n }' >actual
		test_cmp expect actual || { echo "$f"; return 1; }
		n=$((n + 1))
	done
	[ $n -gt 10 ]
}
test_expect_success CORPUS 'each event of recordings of others arrives whole' 'whole'
test_expect_success RECORD 'all the same whatever the number of threads' '
	for form in --folded --svg --icicle; do
		for j in 1 2 5; do perf flame $form --jobs $j -f -o j$j -i dwarf.data 2>err || return 1; done
		cmp j1 j2 && cmp j1 j5 || return 1
	done
'
test_expect_success RECORD 'stacks the other way round, some of them, and small ones left out' '
	folded fp.data 2>/dev/null | sed "s/ [0-9]*\$//" | awk -F";" "{ s = \$1; for (i = NF; i > 1; i--) s = s \";\" \$i; print s }" | sort >expect &&
	folded fp.data --reverse 2>/dev/null | sed "s/ [0-9]*\$//" | sort >actual && test_cmp expect actual &&
	test_status 1 perf flame --folded -i fp.data --comm nobody 2>err >out && [ ! -s out ] && grep "no sample in .fp.data. passes the filters" err &&
	folded fp.data --percent-limit 60 2>/dev/null >out && [ $(wc -l <out) -lt $(wc -l <actual) ] &&
	folded fp.data 2>/dev/null | awk "{ s += \$NF } END { print s }" >expect && awk "{ s += \$NF } END { print s }" out >actual && test_cmp expect actual
'
test_expect_success RECORD,PYTHON 'the drawing is well-formed, and a frame is as wide as its share' '
	perf flame --svg --width 1020 --minwidth 0 --title "a <b> & \"c\"" -f -o out.svg -i fp.data 2>err && python3 - <<-\EOF
	import xml.etree.ElementTree as e, re
	S = "{http://www.w3.org/2000/svg}"
	root = e.parse("out.svg").getroot()
	assert root.find(S + "title").text == "a <b> & \"c\"", root.find(S + "title").text
	n = 0
	for g in root.iter(S + "g"):
	    share = float(re.search(r": ([0-9.]+)%, self", g.find(S + "title").text).group(1))
	    width = float(g.find(S + "rect").get("width"))
	    assert abs(width - share * 10) <= 0.7, (share, width)
	    n += 1
	assert n > 5
	EOF
'
test_expect_success RECORD,BROWSER 'in a browser the table has the shares of report, too' '
	perf flame --no-inline -f -o fp.html -i fp.data 2>err && browser table fp.html | awk "{ print \$2, \$1, \$3 }" | grep -v " \[" | head -n 20 | sort >actual &&
	reported fp.data | sort >expect && [ -s actual ] && comm -13 expect actual >wrong && test_cmp /dev/null wrong
'
test_expect_success RECORD,BROWSER 'a click zooms, views and times change what is drawn, the address brings it back, nothing is asked from elsewhere' '
	cat >expect <<-\END &&
	tip all
	zoomed 2 true
	back 1
	inverted true true
	sandwich true true
	calls true true
	span true true
	link true
	whole true
	theme dark
	color true
	END
	browser use fp.html >actual && test_cmp expect actual
'
test_expect_success RECORD,BROWSER 'the share of a search is that of the functions it finds' '
	folded fp.data --no-inline 2>/dev/null | awk "{ all += \$NF } /;climb|;hot/ { n += \$NF } END { printf \"%.2f%%\\n\", 100 * n / all }" >expect &&
	browser search fp.html "^(cl.mb|hot)\$" | head -n 1 >actual && test_cmp expect actual
'
test_expect_success RECORD,BROWSER,AXE 'the checker of accessible pages finds nothing serious' '
	browser axe fp.html >found && test_cmp /dev/null found && browser axe "fp.html#v=sandwich" >found && test_cmp /dev/null found
'
hostile="</script><img src=x onerror=alert(1)>"
cat >names.c <<\EOF
#include <sys/prctl.h>
volatile long n;
int main(int argc, char **argv) { prctl(PR_SET_NAME, argv[argc - 1]); for (long i = 0; i < 300000000; i++) n++; return 0; }
EOF
test_expect_success RECORD,CC,PYTHON 'names are text, whatever they are' '
	cc -o names names.c && record -F 999 -e cpu-clock -g -o evil.data ./names "</script><b>" >/dev/null &&
	perf flame -f -o evil.html --title "$hostile" -i evil.data 2>err && grep -c "</script>" evil.html >n && echo 4 >expect && test_cmp expect n &&
	perf flame --svg -f -o evil.svg --title "$hostile" -i evil.data 2>err && python3 -c "import xml.etree.ElementTree as e; e.parse(\"evil.svg\")" &&
	folded evil.data 2>/dev/null | grep "^</script><b>;"
'
test_expect_success RECORD,CC,BROWSER 'and in the browser' '
	browser names evil.html >actual &&
	printf "%s\n" "$hostile – flame graph" "$hostile" "task all" "task </script><b>" "elements 0" >expect && grep -v "^task names" actual >out && test_cmp expect out
'
cat >work.c <<\EOF
#include <time.h>
volatile long n;
/* By the CPU time: how fast a virtual machine is changes from run to run. */
static long ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
#define SPIN(howlong) do { long end = ms() + (howlong); do for (long i = 0; i < 100000; i++) n++; while (ms() < end); } while (0)
__attribute__((noinline)) void same(void) { SPIN(60); }
__attribute__((noinline)) void alike(void) { SPIN(60); }
__attribute__((noinline)) void slower(void) { SPIN(SLOWER); }
int main(void) { for (int i = 0; i < 4; i++) { same(); alike(); slower(); } return 0; }
EOF
# Two that lose what one wins: alone, the one would lose as much, and which is on top would be chance.
test_expect_success RECORD,CC 'a comparison of two builds' '
	cc -O1 -g -fno-omit-frame-pointer -DSLOWER=40 -o old work.c && cc -O1 -g -fno-omit-frame-pointer -DSLOWER=120 -o new work.c &&
	record -F 4999 -e cpu-clock:u -g -o old.data ./old && record -F 4999 -e cpu-clock:u -g -o new.data ./new &&
	perf flame --diff old.data new.data --folded >out 2>err && grep "main;slower [0-9][0-9]* [0-9][0-9]*\$" out &&
	perf flame --diff old.data new.data -o diff.html 2>err && test_status 129 perf flame --diff old.data 2>err && grep "takes two recordings: OLD NEW" err
'
test_expect_success RECORD,CC,BROWSER 'the function that was changed is on top' '
	browser table diff.html >table && cat table && head -n 1 table >out && grep "+.* slower\$" out
'
test_expect_success RECORD 'an empty recording is said to be one, and leaves no file' '
	record -e cpu-clock -c 3000000000 -o empty.data true && test_status 1 perf flame -i empty.data -o none.html 2>err && [ ! -e none.html ] &&
	grep "^Error: the file .empty.data. has no samples" err
'
test_expect_success RECORD 'a full disk: one message, no half file' '
	test_status 1 perf flame -i fp.data -o - >/dev/full 2>err && grep -c "No space left" err >n && echo 1 >expect && test_cmp expect n
'
full () {
	local status
	mkdir -p small && mount -t tmpfs -o size=16k none small || return
	perf flame -i dwarf.data -o small/x.html
	status=$?
	ls -A small >left
	umount small
	[ $status = 1 ]
}
test_expect_success RECORD,ROOT 'the same of a file system' '
	full 2>err && grep "small/x.html.*No space left" err && [ ! -s left ]
'
# The program says how often it slept where, how long it had asked for, and how long it took.
off_cpu () {
	awk 'NR == FNR { least[$1] = $3; most[$1] = $4; next } { for (f in least) if ($0 ~ ";" f ";") { all[f] += $NF; if ($0 !~ /waits for a CPU/) own[f] += $NF } }
		END { for (f in least) if (all[f] < least[f] || own[f] > most[f]) { print f, least[f], own[f], all[f], most[f]; bad = 1 } exit bad }' "$1" "$2"
}
test_expect_success RECORD 'off-CPU: a program is as long in its sleeps as it says' '
	perf flame --off-cpu --folded -f -o folded ./sleeps >said 2>err && [ $(wc -l <said) = 3 ] && off_cpu said folded &&
	perf flame --off-cpu -f -o off.html -i perf.data 2>err && grep -F "off-CPU time" off.html >/dev/null &&
	perf flame --off-cpu --svg -f -o off.svg -i perf.data 2>err && grep -F "off-CPU time" off.svg >/dev/null
'
test_lazy_prereq IDLE 'needs a CPU whose idle task the kernel shows' 'test_idle_seen >"$TRASH/idle"'
# A wake-up that was lost is no sleep: a busy machine loses events, and the kernel the idle task of a CPU. Each such recording
# says so, or the test fails for good.
sleeps_of_all () {
	local cpu
	cpu=$(test_idle_seen) || cpu=$(cat "$TRASH/idle")	# all may be busy now
	record -a -m 32M -e sched:sched_switch,sched:sched_wakeup --call-graph dwarf,2048 -o wide.data taskset -c $cpu ./sleeps >said
	folded wide.data --off-cpu --comm sleeps 2>/dev/null >folded && off_cpu said folded && return
	cat said folded
	perf report --stats -i wide.data | grep -E "LOST(_SAMPLES)? events: " ||
		perf script -G -C $cpu -F trace -i wide.data | awk '/next_pid=0 / { to++ } /prev_pid=0 / { from++ } END { print "idle: " to+0 " to, " from+0 " from"; exit to - from < 2 }' || : >unexplained
	return 1
}
test_expect_success RECORD,TRACEFS,ROOT,IDLE 'the same of all CPUs, with the time after a wake-up apart' '
	test_attempts 4 "a busy machine loses events, and the kernel idle tasks" sleeps_of_all && [ ! -e unexplained ] && grep "; *\[waits for a CPU\] [0-9]*\$" folded &&
	! grep -v "^sleeps;" folded && folded wide.data --off-cpu --reverse --comm sleeps 2>/dev/null | awk "{ s += \$NF } END { print s }" >actual &&
	awk "{ s += \$NF } END { print s }" folded >expect && test_cmp expect actual &&
	perf script -F tid,comm -i wide.data | awk "\$1 == \"sleeps\" { print \$2; exit }" >tid &&
	folded wide.data --off-cpu --tid $(cat tid) 2>/dev/null | awk "{ print substr(\$0, 1, 7) }" | sort -u >actual && grep "^sleeps;" actual &&
	perf flame --off-cpu --diff wide.data perf.data -f -o offdiff.html 2>err
'
test_expect_success RECORD 'events that say themselves how long it was' '
	record -c 1000000 -e cpu-clock/name=offcpu-time/ -g -o said.data ./threads 2 100 >/dev/null && perf script -F period -i said.data | awk "{ s += \$1 } END { print s }" >expect &&
	folded said.data --off-cpu 2>/dev/null | awk "{ s += \$NF } END { print s }" >actual && test_cmp expect actual && [ $(cat actual) -gt 0 ] &&
	perf flame --off-cpu -f -o said.html -i said.data 2>err && grep -F "off-cpu" said.html >/dev/null
'
test_expect_success RECORD 'recordings that do not say when tasks were away' '
	test_status 1 perf flame --off-cpu -f -i fp.data 2>err && grep "^Error: .fp.data. does not say when tasks were off the CPU" err &&
	test_status 129 perf flame --off-cpu -C 0 -i fp.data 2>err && grep "^Error: tasks that leave a CPU come back on any other" err &&
	record -e context-switches -c 1 -g -o out.data true && test_status 1 perf flame --off-cpu -f -i out.data 2>err &&
	grep "says when tasks left the CPU, but not when they came back" err && grep "^Hint: .*--switch-events" err &&
	record -e context-switches -c 1 --switch-events -o none.data true && test_status 1 perf flame --off-cpu -f -i none.data 2>err &&
	grep "have no call chains" err
'
test_done
