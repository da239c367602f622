#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf record --filter: which samples of an event that is no tracepoint are written'
. "$(dirname "$0")/lib.sh"

test_workload counted
test_workload threads
test_workload nocall
rec () { perf record -q "$@"; }
n_samples () { perf script -f -i "$1" -F ip 2>/dev/null | grep -c .; }
n_dropped () { perf report -f --stats -i "$1" 2>/dev/null | awk '/LOST_SAMPLES \(BPF\) events/ { n += $NF } END { print n + 0 }'; }
has () { perf script -i "$1" -F "$2" 2>/dev/null | tr -d ' ' | sort -u | tr '\n' ' ' | sed 's/ $//'; }
refused () { test_status 129 rec -e task-clock --filter "$1" -o none.data true 2>err && [ ! -e none.data ] && sed -n '1,/^ *\\___/p' err >got && test_cmp expect got; }

test_expect_success 'what is wrong in a filter, and where' '
	printf "%s\n" "filter syntax error: '\''period > 0, perid < 5'\''" "                                  \\___ unknown term '\''perid'\''" >expect &&
	refused "period > 0, perid < 5" && test_grep "^Hint: did you mean .period.\?$" err &&
	printf "%s\n" "filter syntax error: '\''mem_op == lode'\''" "                                \\___ '\''lode'\'' is not a value of mem_op" >expect &&
	refused "mem_op == lode" && test_grep "^Hint: values of mem_op: a number, or one of na load store pfetch exec$" err &&
	printf "%s\n" "filter syntax error: '\''ip'\''" "                        \\___ here is a comparison missing" >expect && refused "ip" && test_grep "^Hint: operators: ==" err &&
	printf "%s\n" "filter syntax error: '\''ip && tid == 1'\''" "                         \\___ here is a comparison missing" >expect && refused "ip && tid == 1" &&
	printf "%s\n" "filter syntax error: '\''ip >'\''" "                          \\___ here is a value missing" >expect && refused "ip >" &&
	printf "%s\n" "filter syntax error: '\''ip > 1 tid == 2'\''" "                             \\___ here is '\'','\'', '\''||'\'' or '\''&&'\'' expected" >expect && refused "ip > 1 tid == 2" &&
	printf "%s\n" "filter syntax error: '\''(ip > 1'\''" "                             \\___ here is a '\'')'\'' missing" >expect && refused "(ip > 1" &&
	printf "%s\n" "filter syntax error: '\'''\''" "                      \\___ here is a term missing, as in '\''period > 1000'\''" >expect && refused "" &&
	long=$(printf "ip > 1 || %.0s" $(seq 64)) && test_status 129 rec -e task-clock --filter "${long}ip > 1" true 2>err && test_grep "___ more than 64 comparisons$" err &&
	test_status 129 rec --filter "ip > 1" true 2>err && test_grep "^Error: --filter must follow the -e of its event$" err
'

test_expect_success 'what samples do not have' '
	test_status 1 rec -e task-clock --filter "cpu > 0" -o none.data true 2>err && [ ! -e none.data ] &&
	test_grep "^Error: task-clock event does not have PERF_SAMPLE_CPU, which .cpu. of the filter reads$" err && test_grep "^Hint: add --sample-cpu to perf record$" err &&
	for t in addr=-d data_pgsz=--data-page-size code_pgsz=--code-page-size phys_addr=--phys-data weight=-W weight2=-W txn=--transaction mem_lvl=-d cgroup=--all-cgroups; do
		test_status 1 rec -e task-clock --filter "ip > 0 || ${t%%=*} > 1" true 2>err && test_grep "^Hint: add ${t#*=} to perf record$" err || return 1
	done
'

test_require BPF,PERF_SW,ROOT
test_lazy_prereq FILTER 'needs a kernel (6.2) that shows samples to BPF' 'rec -e task-clock --filter "ip > 0" -o probe.data true'
test_require FILTER

test_expect_success 'by address: as many as the program says' '
	rec -e page-faults:u -c 1 -d -o all.data setarch -R ./counted faults 300 && perf script -i all.data -F ip,addr,sym >all &&
	set -- $(awk "/touch_pages/ { print \$1 }" all | sort | sed -n "1p;\$p") && [ $(grep -c touch_pages all) = 300 ] &&
	rec -e page-faults:u -c 1 -d --filter "addr >= 0x$1, addr <= 0x$2" -o in.data setarch -R ./counted faults 300 && [ $(n_samples in.data) = 300 ] && [ "$(perf script -i in.data -F ip,sym | grep -c touch_pages)" = 300 ] &&
	rec -e page-faults:u -c 1 -d --filter "addr < 0x$1 || addr > 0x$2" -o out.data setarch -R ./counted faults 300 &&
	[ $(n_dropped out.data) = 300 ] && test_range "the others" $(($(n_dropped in.data) - $(n_samples out.data))) -5 5
'

test_expect_success 'by thread, and what is counted as dropped' '
	{ ./threads 2 8000 & work=$!; test_kill_at_end $work; } && test_wait_for 20 "[ \$(ls /proc/$work/task | wc -l) = 3 ]" && set -- $(ls /proc/$work/task | grep -vx $work) &&
	rec -e task-clock -c 1000000 -p $work --filter "tid == $1" -o one.data sleep 0.5 && [ "$(has one.data tid)" = $1 ] && test_range dropped $(n_dropped one.data) 10 5000 &&
	rec -e task-clock -c 1000000 -p $work --filter "tid == $1 || tid == $2, pid == $work" -o both.data sleep 0.5 && [ "$(has both.data tid)" = "$(printf "%s\n" $1 $2 | sort | tr "\n" " " | sed "s/ $//")" ] &&
	rec -e task-clock -c 1000000 -p $work --filter "pid == $work && tid != $1" -o other.data sleep 0.5 && [ "$(has other.data tid)" = $2 ] &&
	perf record -e task-clock -c 1000000 -p $work --filter "pid != $work" -o none.data sleep 0.5 2>err && [ $(n_samples none.data) = 0 ] &&
	test_grep "^\[ perf record: $(n_dropped none.data) samples dropped by the filter \]$" err && kill $work
'

test_expect_success 'each event has its own, and a group as well; several of one are all to hold' '
	rec -e "{task-clock/period=1000000,name=a/,task-clock/period=3000000,name=b/}" --filter "period > 2000000" -o g.data ./counted spin 300 && [ "$(has g.data event)" = b: ] &&
	rec -e task-clock/period=1000000,name=a/ --filter "period > 2000000" -e task-clock/period=3000000,name=b/ --filter "period > 2000000" -e task-clock/period=2000000,name=c/ -o e.data ./counted spin 300 &&
	[ "$(has e.data event)" = "b: c:" ] &&
	rec -e task-clock -c 1000000 --filter "period > 1 || ip > 1" --filter "period < 1" -o s.data ./counted spin 100 && [ $(n_samples s.data) = 0 ] &&
	rec -e task-clock -c 1000000 --filter "ip < 1 || (period > 1, period < 1 || ip > 1)" -o p.data ./counted spin 100 && [ $(n_dropped p.data) = 0 ] && [ $(n_samples p.data) -gt 10 ] &&
	rec -e task-clock -c 1000000 --filter "period & 64" -o and.data ./counted spin 100 && [ $(n_dropped and.data) = 0 ] &&
	rec -e task-clock -c 1000000 --filter "period & 1" -o and.data ./counted spin 100 && [ $(n_samples and.data) = 0 ]
'

test_expect_success 'by CPU, user, cgroup and time; children are filtered, too' '
	cpu=$(taskset -cp $$ | sed "s/.*[ ,-]//") && rec --sample-cpu -e task-clock -c 1000000 --filter "cpu == $cpu" -o cpu.data sh -c "taskset -c $cpu ./counted forks 2 spin 200" && [ "$(has cpu.data cpu)" = "[00$cpu]" ] &&
	rec -e task-clock -c 100000 --filter "uid == 65534, gid == 65533" -o uid.data sh -c "i=0; while [ \$i -lt 20000 ]; do i=\$((i+1)); done; setpriv --reuid=65534 --regid=65533 --clear-groups perl -e \"1 for 1 .. 3e6\"" &&
	[ "$(has uid.data comm | sed "s/ *setpriv//; s/:-1 *//")" = perl ] && [ $(n_samples uid.data) -gt 3 ] && [ $(n_dropped uid.data) -gt 0 ] &&
	rec --all-cgroups -e task-clock -c 1000000 --filter "cgroup == /" -o cg.data ./counted spin 50 && rec --all-cgroups -e task-clock -c 1000000 --filter "cgroup != /" -o nocg.data ./counted spin 50 &&
	[ $(n_dropped nocg.data) = 0 ] || [ $(n_dropped cg.data) = 0 ] && test_status 1 rec --all-cgroups -e task-clock --filter "cgroup == /no/such" true 2>err && test_grep "no access to cgroup ./no/such." err
'

test_expect_success 'all readers know that it is no loss, upstream, too' '
	perf report --stdio -i one.data 2>&1 | grep -q "^# Total Lost Samples: 0" && perf script -D -i one.data | grep -q "PERF_RECORD_LOST_SAMPLES lost [0-9]* (BPF)" &&
	perf report --stats --json -i one.data >j && test_grep "\"name\":\"task-clock\",\"samples\":[0-9]+,\"lost\":0,\"dropped\":$(n_dropped one.data)" j
'

# Others run programs as nobody at the same time: the user is one of this test alone. At its very end a task has no number any more: -1.
test_expect_success 'with -u, and with stacks' '
	rec -u 61505 -e task-clock -c 100000 --filter "period > 1" -o u.data sh -c "i=0; while [ \$i -lt 20000 ]; do i=\$((i+1)); done; setpriv --reuid=61505 perl -e \"1 for 1 .. 3e6\"" &&
	[ "$(has u.data comm | sed "s/ *setpriv//; s/:-1 *//")" = perl ] && [ $(n_dropped u.data) -gt 0 ] &&
	rec --call-graph dwarf -e task-clock:u -c 1000000 --filter "period > 1" -o st.data ./threads 1 200 && perf script -i st.data -F ip,sym | grep -q climb
'

rows () { timeout -s INT 3 perf top --stdio -d 1 -p $work -e task-clock -c 1000000 --filter "cpu >= 0, tid $1" -s sym -E 5 -f 0 </dev/null >out 2>&1; awk '/ hot$/ { n++ } END { print n + 0 }' out; }
test_expect_success 'perf top' '
	{ ./threads 1 8000 & work=$!; test_kill_at_end $work; } && test_wait_for 20 "[ \$(ls /proc/$work/task | wc -l) = 2 ]" && set -- $(ls /proc/$work/task | grep -vx $work) &&
	[ "$(rows "== $1")" -gt 0 ] && [ "$(rows "!= $1")" = 0 ] && kill $work
'

test_expect_success 'without BPF, and without the right to use it' '
	test_status 1 ./nocall bpf=EINVAL "$BUILD/perf" record -q -e task-clock --filter "ip > 0" -o no.data true 2>err && [ ! -e no.data ] && [ $(grep -c ^Error err) = 1 ] &&
	test_grep "^Error: cannot load the BPF program that filters samples: " err && test_grep "^Hint: " err
'

user () { (cd pub && HOME=$PWD exec setpriv --reuid=65534 --regid=65534 --clear-groups "$BUILD/perf" "$@"); }
mkdir pub && chmod 777 pub . && cp counted pub
test_lazy_prereq PERF_USER 'needs users who may sample' 'user record -q -e task-clock:u -o p.data true'
test_require PERF_USER

test_expect_success 'other users: not until root lets them' '
	[ ! -e /sys/fs/bpf/perf_filter ] && before=$(stat -fc %t /sys/fs/bpf) && mode=$(stat -c %a /sys/fs/bpf) && echo "$before $mode" >state &&
	test_status 1 user record -q -e task-clock:u --filter "ip > 0" -o none.data true 2>err && test_grep "not permitted$" err && test_grep "^Hint: .* --setup-filter pin$" err &&
	test_status 1 user record --setup-filter pin 2>err && test_grep "^Error: " err && [ ! -e /sys/fs/bpf/perf_filter ] &&
	test_status 129 perf record --setup-filter hold 2>err && test_grep "^Error: .hold. is neither pin nor unpin$" err &&
	test_status 1 perf record --setup-filter unpin 2>err && test_grep "^Error: no filter of samples is pinned$" err
'

trap 'perf record --setup-filter unpin 2>/dev/null; test_at_exit' EXIT
test_expect_success 'pinned: other users have filters, of their own events' '
	perf record --setup-filter pin && [ "$(cd /sys/fs/bpf/perf_filter && stat -c %a . sample_filter filter_events filter_rules | tr "\n" " ")" = "755 666 666 666 " ] &&
	user record -q -e page-faults:u -c 1 -d --filter "addr > 0, period == 1" -o some.data ./counted faults 200 && test_range samples $(n_samples pub/some.data) 200 2000 &&
	user record -q -e page-faults:u -c 1 --filter "period > 1" -o none.data ./counted faults 200 && [ $(n_samples pub/none.data) = 0 ] && test_range dropped $(n_dropped pub/none.data) 200 2000 &&
	rec -e page-faults:u -c 1 --filter "period > 1" -o root.data ./counted faults 200 && [ $(n_samples root.data) = 0 ] &&
	perf record --setup-filter pin
'

left () { /usr/sbin/bpftool -j map dump pinned /sys/fs/bpf/perf_filter/$1 | grep -o "\"key\":\[" | wc -l; }
test_lazy_prereq BPFTOOL 'needs bpftool' '[ -x /usr/sbin/bpftool ]'
test_expect_success BPFTOOL 'what a killed recorder left is swept by the next one' '
	{ (cd pub && HOME=$PWD exec setpriv --reuid=65534 --regid=65534 --clear-groups "$BUILD/perf" record -q -e task-clock:u --filter "ip > 0" -o k.data sleep 5) & rec=$!; test_kill_at_end $rec; } && test_wait_for 20 "[ \$(left filter_rules) = 1 ]" &&
	kill -KILL $rec && test_status 137 wait $rec && [ $(left filter_rules) = 1 ] &&
	user record -q -e task-clock:u --filter "ip > 0" -o l.data true && [ $(left filter_rules) = 0 ] && [ $(left filter_events) = 0 ]
'

test_expect_success 'unpinned: all is as it was' '
	perf record --setup-filter unpin && [ ! -e /sys/fs/bpf/perf_filter ] && [ "$(stat -fc %t /sys/fs/bpf) $(stat -c %a /sys/fs/bpf)" = "$(cat state)" ] &&
	test_status 1 user record -q -e task-clock:u --filter "ip > 0" -o none.data true 2>err && test_grep "^Hint: .* --setup-filter pin$" err
'

test_done
