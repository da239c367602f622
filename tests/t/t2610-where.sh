#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='--where: which samples an expression chooses, against awk over what script prints of all'
. "$(dirname "$0")/lib.sh"

export LC_ALL=C.UTF-8 HOME=$PWD/home PERF_BUILDID_DIR=$PWD/home/.debug
mkdir home
small=$TOP/tests/data/small

# chosen TABLE EXPR CONDITION: of all.TABLE, lines by awk; and what script prints with --where.
chosen () {
	awk -F '\t' "$awk_lib $3" "all.$1" >expect &&
	"lines_$1" --where "$2" >actual && test_cmp expect actual
}
# Of the table on standard input, each line: an expression, a tab, the condition of awk.
each () {	# each TABLE
	local expr cond bad=0 n=0
	while IFS=$'\t' read -r expr cond; do
		n=$((n + 1))
		chosen "$1" "$expr" "$cond" || { echo "# $1: $expr"; bad=1; }
	done
	echo "$n" >>tried
	[ $bad = 0 ]
}

# ---- samples: comm pid tid cpu time period event ip symbol file ----

lines_samples () {
	perf script -G --no-inline --symfs /nonexistent --kallsyms /dev/null -i "$(echo "$CORPUS"/*callgraph-3.4*/perf.data)" \
		-F comm,pid,tid,cpu,time,period,event,ip,sym,dso "$@" 2>err |
	sed -E 's/ \(([^()]*)\)$/\t\1/; s/^ *(.*[^ ]) +([0-9]+)\/([0-9]+) +\[([0-9]+)\] +([0-9.]+): +([0-9]+) ([^ ]+): +([0-9a-f]+) ([^\t]*)/\1\t\2\t\3\t\4\t\5\t\6\t\7\t\8\t\9/'
}
awk_lib='function base(s) { sub(/^.*\//, "", s); return s }'
test_expect_success CORPUS 'samples: all of them' '
	lines_samples >all.samples && [ "$(wc -l <all.samples)" -gt 1000 ] && awk -F "\t" "NF != 10 { print; bad = 1 } END { exit bad }" all.samples
'
test_expect_success CORPUS 'samples: expressions' "each samples <<'END'
comm == chrome	\$1 == \"chrome\"
comm = chrome	\$1 == \"chrome\"
comm != chrome	\$1 != \"chrome\"
comm == \"Browser Composi\"	\$1 == \"Browser Composi\"
comm ~ 'kworker/*'	\$1 ~ /^kworker\//
comm ~ kworker/?:?	\$1 ~ /^kworker\/.:.$/
comm !~ 'C*'	\$1 !~ /^C/
comm ~ /om/	\$1 ~ /om/
comm ~ /^(find|chown)$/	\$1 == \"find\" || \$1 == \"chown\"
comm !~ /[0-9]/	\$1 !~ /[0-9]/
comm in find,chown,sh	\$1 == \"find\" || \$1 == \"chown\" || \$1 == \"sh\"
comm in (find, chown)	\$1 == \"find\" || \$1 == \"chown\"
comm not in (find, chown)	\$1 != \"find\" && \$1 != \"chown\"
comm contains ome	\$1 ~ /ome/
comm not contains r	\$1 !~ /r/
comm ~ 'jbd2/[sd]*'	\$1 ~ /^jbd2\/[sd]/
pid == 2046	\$2 == 2046
pid == 0x7fe	\$2 == 2046
pid != 2046	\$2 != 2046
pid < 100	\$2 < 100
pid >= 2046 and tid <= 2053	\$2 >= 2046 && \$3 <= 2053
pid	\$2 != 0
not pid	\$2 == 0
tid == 2053 or tid == 2046	\$3 == 2053 || \$3 == 2046
tid in 0-100,2046,10000-20000	\$3 <= 100 || \$3 == 2046 || (\$3 >= 10000 && \$3 <= 20000)
tid not in 0-3000	\$3 > 3000
cpu == 1	\$4 + 0 == 1
cpu in 0-0	\$4 + 0 == 0
cpu > 0 && comm ~ c*	\$4 > 0 && \$1 ~ /^c/
time > 14425	\$5 >= 14425
time < 14425.5	\$5 < 14425.5
time in 14424.6-14425.2,14425.5-14426	(\$5 >= 14424.6 && \$5 < 14425.2) || (\$5 >= 14425.5 && \$5 < 14426)
period > 1000000	\$6 > 1000000
period <= 1000000 || period > 5000000	\$6 <= 1000000 || \$6 > 5000000
event == cycles	\$7 == \"cycles\"
event != cycles	\$7 != \"cycles\"
event ~ c*	\$7 ~ /^c/
ip >= 0xffffffff81000000	length(\$8) == 16
ip < 0x8000000000000000	length(\$8) < 16
dso == chrome	base(\$NF) == \"chrome\"
dso == /opt/google/chrome/chrome	\$NF == \"/opt/google/chrome/chrome\"
dso ~ lib*	base(\$NF) ~ /^lib/
dso ~ /libc-|libpthread/	\$NF ~ /libc-|libpthread/
dso == [kernel.kallsyms]	\$NF == \"[kernel.kallsyms]\"
sym == [unknown]	\$9 == \"[unknown]\"
mode == kernel	length(\$8) == 16
mode == user	length(\$8) < 16
!(comm == chrome || comm == swapper) && cpu == 0	\$1 != \"chrome\" && \$1 != \"swapper\" && \$4 + 0 == 0
not (pid > 100 and pid < 3000) or comm == Compositor	!(\$2 > 100 && \$2 < 3000) || \$1 == \"Compositor\"
comm == chrome or comm == find and cpu == 0	\$1 == \"chrome\" || (\$1 == \"find\" && \$4 + 0 == 0)
((((cpu == 0))))	\$4 + 0 == 0
not not cpu == 0	\$4 + 0 == 0
addr == 0 or addr != 0	0
not addr	1
END
"

# ---- tracepoints: comm tid cpu time event trace ----

lines_tracepoints () {
	perf script -i "$small/sched.data" -F comm,tid,cpu,time,event,trace "$@" 2>err |
	sed -E 's/^ *(.*[^ ]) +([0-9]+) +\[([0-9]+)\] +([0-9.]+): +([^ ]+): (.*)$/\1\t\2\t\3\t\4\t\5\t\6/'
}
test_expect_success 'tracepoints: all of them' '
	lines_tracepoints >all.tracepoints && [ "$(wc -l <all.tracepoints)" -gt 20 ] && awk -F "\t" "NF != 6 { print; bad = 1 } END { exit bad }" all.tracepoints
'
awk_lib='
function base(s) { sub(/^.*\//, "", s); return s }
function f(name, s) { s = " " $6 " "; return match(s, " " name "=[^ ]*") ? substr(s, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : "-" }
function has(name) { return f(name) != "-" }
'
test_expect_success 'tracepoints: expressions' "each tracepoints <<'END'
prev_comm == sh	f(\"prev_comm\") == \"sh\"
next_comm ~ swapper/*	f(\"next_comm\") ~ /^swapper/
next_comm ~ /^s/ and cpu == 1	f(\"next_comm\") ~ /^s/ && \$3 == 1
prev_pid in 1114,1116	f(\"prev_pid\") == 1114 || f(\"prev_pid\") == 1116
next_pid != 0	has(\"next_pid\") && f(\"next_pid\") + 0 != 0
not next_pid	!has(\"next_pid\") || f(\"next_pid\") + 0 == 0
next_pid	has(\"next_pid\") && f(\"next_pid\") + 0 != 0
prev_state == 2	f(\"prev_state\") == \"D\"
prev_state != 1	has(\"prev_state\") && f(\"prev_state\") != \"S\"
prev_state in 0x100-0x1ff	f(\"prev_state\") == \"R+\"
next_prio < 120	has(\"next_prio\") && f(\"next_prio\") + 0 < 120
prio == 0	has(\"prio\") && f(\"prio\") + 0 == 0
target_cpu == 1	has(\"target_cpu\") && f(\"target_cpu\") + 0 == 1
runtime > 100000	has(\"runtime\") && f(\"runtime\") + 0 > 100000
runtime in 10000-50000	has(\"runtime\") && f(\"runtime\") + 0 >= 10000 && f(\"runtime\") + 0 <= 50000
event == sched:sched_switch	\$5 == \"sched:sched_switch\"
event ~ sched:*wake*	\$5 ~ /wake/
event in (sched:sched_wakeup, sched:sched_switch)	\$5 ~ /wakeup|switch/
sched:sched_wakeup.comm == sh	\$5 == \"sched:sched_wakeup\" && f(\"comm\") == \"sh\"
sched:sched_stat*.pid == 1114	\$5 == \"sched:sched_stat_runtime\" && f(\"pid\") == 1114
sched:*.pid == 1114 and comm == sh	f(\"pid\") == 1114 && \$1 == \"sh\"
prev_comm contains lee or next_comm contains lee	f(\"prev_comm\") ~ /lee/ || f(\"next_comm\") ~ /lee/
prev_comm in sh,sleep and not prev_state	0
pid == 1114 and tid == 1114	\$2 == 1114
END
"

# ---- call chains ----

test_expect_success 'call chains: what contains a function, in any form' '
	stacks () { perf script --no-inline --kallsyms /dev/null -i "$small/fp.data" -F comm,pid,tid,time,period,event,ip,sym,dso "$@" 2>err; } &&
	stacks >all && [ "$(grep -c "^sh" all)" = 89 ] && grep -oE "^	 *[0-9a-f]+ [^ ]+" all | awk "{ print \$2 }" | sort | uniq -c | sort -n | tail -30 >names &&
	while IFS="	" read -r expr cond; do
		awk "BEGIN { RS = \"\"; ORS = \"\n\n\" } $cond" all >expect && stacks --where "$expr" >actual && test_cmp expect actual || return 1
		echo 1 >>tried
	done <<-\END
	stack contains dl_main	/ dl_main \(/
	stack contains _dl*	/ _dl[^ ]* \(/
	stack contains /^_dl_(sys|rel)/	/ _dl_(sys|rel)[^ ]* \(/
	stack not contains dl_main	!/ dl_main \(/
	stack contains _start and not stack contains dl_main	/ _start \(/ && !/ dl_main \(/
	sym == mprotect or stack contains mprotect	/ mprotect \(/
	dso ~ libc* and stack contains *	/^[^\n]*\n\t *[0-9a-f]+ [^\n]*libc/
	(stack contains dl_main or stack contains __brk) and time > 50%	0
	END
'

test_expect_success 'at least 60 expressions were tried' '
	awk "{ n += \$1 } END { exit n < 60 }" tried || ! test_have CORPUS
'

# ---- everywhere the same ----

test_expect_success 'report, diff, flame and export take it; shares are of what is left' '
	perf script -G -i "$small/fp.data" --where "dso ~ libc*" -F ip >ips 2>err && n=$(wc -l <ips) && [ "$n" -gt 5 ] &&
	perf report --stdio --no-children -g none -s comm -n -i "$small/fp.data" --where "dso ~ libc*" >out 2>err && test_grep "100.00% +$n +sh" out &&
	perf diff --json -s comm --where "dso ~ libc*" "$small/fp.data" "$small/fp.data" >out 2>err && test_grep "baseline.*\"samples\":$n}" out &&
	perf flame --folded --where "dso ~ libc*" -i "$small/fp.data" >out 2>err && [ "$(awk "{ n += \$NF } END { print n / 250000 }" out)" = "$n" ] &&
	perf export -f --format folded -o out --where "dso ~ libc*" -i "$small/fp.data" 2>err && [ "$(awk "{ n += \$NF } END { print n }" out)" -ge "$n" ]
'
test_expect_success 'percentages of the time: those of --time' '
	perf script -i "$small/sched.data" --time 25%-75% >expect && perf script -i "$small/sched.data" --where "time >= 25% and time <= 75%" >actual &&
	{ diff expect actual >d || [ "$(grep -c "^[<>]" d)" -le 1 ]; } &&
	perf script -i "$small/sched.data" --where "time in 0%-100%" >actual && perf script -i "$small/sched.data" >expect && test_cmp expect actual
'
test_expect_success 'from a pipe' '
	perf script -i "$small/pipe.data" >all && cat "$small/pipe.data" | perf script -i - --where "comm ~ s* and not no_such_field" >actual &&
	test_cmp all actual &&
	{ cat "$small/pipe.data" | test_status 1 perf script -i - --where "time > 10%" 2>err >out; } && test_grep "percentages of time need a file" err
'
test_expect_success 'no sample is left: said' '
	test_status 1 perf report --stdio -i "$small/fp.data" --where "pid == 1" 2>err >out && test_grep "no sample in .* passes the filters" err
'

# refused EXPR COLUMN TEXT: the caret stands there
refused () {
	test_status 1 perf script -i "$small/fp.data" --where "$1" >out 2>err && grep -F -e "$3" err >/dev/null &&
		[ "$(sed -n 3p err)" = "$(printf "%*s^" "$(($2 + 2))" "")" ] && [ ! -s out ] || { echo "# $1"; cat err; return 1; }
}
test_expect_success 'what is wrong has a caret below it' '
	refused "" 0 "a field is missing" &&
	refused "comm ==" 7 "a value is missing" &&
	refused "comm = )" 7 "a value is missing" &&
	refused "comm < 3" 5 "is a text" &&
	refused "pid ~ 3" 0 "is a number" &&
	refused "pid == x" 7 "not a number" &&
	refused "pid == 99999999999999999999" 7 "not a number" &&
	refused "cpu in 0-x" 7 "not a number" &&
	refused "cpu in 0-3," 11 "a value is missing" &&
	refused "cpu in (0-3" 11 "the list ends" &&
	refused "cpu not 3" 8 "is missing" &&
	refused "time > 110%" 7 "not a time" &&
	refused "time > soon" 7 "not a time" &&
	refused "sym ~ /(/" 6 "regular expression" &&
	refused "sym ~ /ab" 6 "the end of this text is missing" &&
	refused "sym == \"ab" 7 "the end of this text is missing" &&
	refused "(pid > 3" 8 "is missing" &&
	refused "pid > 3)" 7 "is missing" &&
	refused "pid == 3 tid == 4" 9 "is missing" &&
	refused "pid == 3 and" 12 "a field is missing" &&
	refused "and pid == 3" 0 "a field is missing" &&
	refused "stack == x" 6 "is missing" &&
	refused "comn == sh" 0 "no event" && test_grep "did you mean .comm.?" err &&
	refused "pid == 3 and prev_comm == sh" 13 "no event" &&
	refused "pïd == 3" 0 "not a field" &&
	refused "comm == \"ï\" and pid == x" 23 "not a number" &&
	refused "$(printf "(%.0s" {1..200})" 100 "nested too deeply"
'
test_expect_success 'a number is asked of a field that is one' '
	test_status 1 perf script -i "$small/sched.data" --where "prev_pid == sh" 2>err >out && test_grep "not a number, as .prev_pid. is: .sh." err &&
	test_status 1 perf script -i "$small/sched.data" --where "sched:sched_wakeup.prev_pid == 3" 2>err >out && test_grep "no event of the recording has a field" err
'
test_done
