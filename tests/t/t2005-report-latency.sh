#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf report: shares of wall-clock time, by how many threads ran at a time'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq RECORD 'needs a recorder that can sample cpu-clock' 'perf record -q -o probe.data -e cpu-clock true'
test_workload threads

made () { python3 "$TOP/tests/t/switches.py" "$@"; }
# Rows without what other options and files decide; as the newest upstream perf, byte for byte.
rows () { grep -av -e "Tip:" -e "^#\$" -e "^\$" | sed 's/ *$//; s/\[[.k]\] /[x] /'; }
same_as_newest () {	# same_as_newest FILE OPTIONS...
	local file=$1
	shift
	"$NEWEST" report --stdio --no-inline -i "$file" "$@" 2>/dev/null | rows >expect &&
	perf report --stdio --no-inline -i "$file" "$@" 2>err | rows >actual &&
	[ "$(wc -l <expect)" -gt 4 ] && test_cmp expect actual
}

# One thread for 100 ms, two for 50, four for 200, one for 50: 400 ms, of which CPU time is 1050 ms.
phases='a,1,100 b,2,50 c,4,200 a,1,50'
for way in switches wide none; do
	test_expect_success PYTHON "known phases ($way): within 2%" '
		made p.data $way $phases && perf report --stdio -i p.data --latency -s parallelism 2>err >out &&
		awk "/%/ { n++; w = \$3 == 1 ? 37.5 : \$3 == 2 ? 12.5 : \$3 == 4 ? 50 : 0; o = \$3 == 1 ? 14.29 : \$3 == 2 ? 9.52 : 76.19
			     if (\$1 - w > 2 || w - \$1 > 2 || (w && (\$2 - o > 2 || o - \$2 > 2))) { print; bad = 1 } }
		     END { exit bad || n < 3 }" out || { cat out err; return 1; }
	'
done
test_expect_success PYTHON 'switches: exact, in both orders, with a filter' '
	made p.data switches $phases && perf report --stdio -q -i p.data -s parallelism >out && perf report --stdio -q -i p.data --latency -s parallelism >>out &&
	perf report --stdio -q -i p.data --latency -s addr >>out &&
	perf report --stdio -q -i p.data -s parallelism --parallelism 2,4-9 >>out &&
	perf report --stdio -q -i p.data -s parallelism --parallelism 2,4-9 --percentage relative >>out &&
	sed "/^\$/d; s/ *\$//" out >got && cat >expect <<-EOF && test_cmp expect got
	    76.19%    50.00%            4
	    14.29%    37.50%            1
	     9.52%    12.50%            2
	    50.00%    76.19%            4
	    37.50%    14.29%            1
	    12.50%     9.52%            2
	    50.00%    76.19%  0x401020
	    37.50%    14.29%  0x401000
	    12.50%     9.52%  0x401010
	    76.19%    50.00%            4
	     9.52%    12.50%            2
	    88.89%    80.00%            4
	    11.11%    20.00%            2
	EOF
'
test_expect_success PYTHON 'as data' '
	perf report --json -i p.data -s parallelism >out && python3 - <<-\PY
	import json
	rows = json.load(open("out"))["events"][0]["rows"]
	assert [(r["parallelism"], r["overhead"], r["latency"]) for r in rows] == [(4, 76.1905, 50), (1, 14.2857, 37.5), (2, 9.5238, 12.5)], rows
	PY
'
test_expect_success PYTHON 'switches, and how many threads read them, decide nothing else' '
	for f in switches none; do
		made p.data $f $phases &&
		for jobs in 1 2 5; do perf report --stdio -i p.data --latency -s parallelism,addr,tid --jobs $jobs >out.$jobs 2>/dev/null || return 1; done &&
		test_cmp out.1 out.2 && test_cmp out.1 out.5 || return 1
	done
'
test_expect_success PYTHON 'without switches: said, with what records them; not where it cannot be judged' '
	made p.data none $phases && perf report --stdio -i p.data >out 2>err && ! grep -q Latency out && ! grep -q "context switches" err &&
	for o in --latency "-s latency" "-F parallelism,overhead" "--parallelism 1"; do
		perf report --stdio -i p.data $o >out 2>err &&
		test_grep "^Warning: .p.data. has no context switches: how many threads ran at a time is judged by samples, a thread about every 1 ms" err &&
		test_grep "^Hint: perf record --latency records the switches" err || return 1
	done &&
	python3 -c "
import sys; sys.path.insert(0, \"$TOP/tests/t\")
import perfdata as p, struct
p.recording(\"untimed.data\", [p.attr(p.IP | p.TID | p.IDENTIFIER)], [p.record(p.SAMPLE, p.USER, struct.pack(\"<QQII\", 1, 1, 1, 1))])" &&
	test_status 1 perf report --stdio -i untimed.data --latency 2>err && test_grep "has no context switches, and its samples do not tell" err
'
test_expect_success PYTHON 'what --parallelism takes' '
	made p.data switches $phases &&
	test_status 1 perf report --stdio -i p.data --parallelism 0,1 2>err && test_grep "at least one thread runs at a sample, not 0" err &&
	test_status 1 perf report --stdio -i p.data --parallelism 1-x 2>err && test_grep "^Error: --parallelism: bad list .1-x." err &&
	perf report --stdio -i p.data --parallelism 3 >out 2>&1 && ! grep % out
'
test_expect_success PYTHON 'a thread that is put on a CPU twice counts once; one that is first seen when it goes ran before' '
	made p.data late a,2,10 b,1,10 c,3,10 && perf report --stdio -q -i p.data -s addr,parallelism >out &&
	sed "/^\$/d; s/  *\([0-9]*\)\$/ \1/" out >got && cat >expect <<-EOF && test_cmp expect got
	    50.00%    33.33%  0x401020 3
	    33.33%    33.33%  0x401000 2
	    16.67%    33.33%  0x401010 1
	EOF
'
test_expect_success RECORD 'a recording with call chains' '
	perf record -q -F 999 -e cpu-clock:u -g --latency -o g.data ./threads 2 200 >/dev/null
'
test_expect_success NEWEST,PYTHON 'as the newest upstream perf' '
	made one.data switches a,1,100 b,1,20 && made two.data switches a,1,90 b,2,50 c,3,20 a,2,30 && made idle.data late a,3,10 b,1,20 &&
	while read -r o; do
		for f in one.data two.data; do same_as_newest $f $o || { echo "$f, options: $o"; return 1; }; done
	done <<-\EOF
	-s comm,addr
	--latency -s comm
	-s addr
	-s parallelism,addr
	-s addr,parallelism
	-s addr,latency
	-s overhead,latency,addr
	-s latency,overhead
	-F latency
	-F parallelism,latency,overhead
	-F overhead,parallelism
	--latency --percent-limit 20 -s addr
	--latency --parallelism 1 -s addr
	--parallelism 1-2 --percentage relative -s addr
	--latency -n --show-total-period -s addr
	--latency -F +period,addr -s comm
	--latency -F addr,overhead
	--latency --show-cpu-utilization -s addr
	-H -s latency,parallelism,addr
	--latency -H -s parallelism,addr
	-t , --latency -s addr
	--time ,0.05 -s addr
	--comm phases -s addr,comm
	EOF
'
test_expect_success RECORD,NEWEST 'with call chains: as the newest upstream perf' '
	for o in "-g none" "--latency -g none" "--latency --percent-limit 5 -g graph,5" "-F latency,latency_children,comm,sym -g none" "-s latency_children,comm,sym -g none" \
			"--latency --percent-limit 20 -g caller,20" "-s sym,parallelism --no-children -g none"; do
		same_as_newest g.data --comm worker-0,worker-1 $o || { echo "options: $o"; return 1; }
	done
'
# The same from what perf script prints: threads that are on a CPU when a sample comes.
test_expect_success RECORD,PYTHON 'live: as counted from the switches that perf script shows' '
	perf script -i g.data --show-switch-events --show-task-events -F tid,time,event,period --ns >text 2>/dev/null &&
	perf report --json -i g.data -s parallelism --no-children -g none >json && python3 - <<-\PY
	import json, re
	on, steps, cpu, wall = {}, [], {}, {}
	lines = [l for l in open("text") if re.match(r" *\d+ +[0-9.]+:", l)]
	first = {}
	for l in lines:	# who is first seen when it goes ran from the beginning
	    tid = l.split()[0]
	    m = re.search(r"PERF_RECORD_SWITCH +(IN|OUT)|PERF_RECORD_EXIT\((\d+):(\d+)\)", l)
	    fork = re.search(r"PERF_RECORD_FORK\((\d+):(\d+)\)", l)
	    if fork:
	        first.setdefault(fork.group(2), False)
	    if m:
	        first.setdefault(m.group(3) or tid, m.group(1) != "IN")
	running = {t for t, ran in first.items() if ran}
	for l in lines:
	    m = re.search(r"PERF_RECORD_SWITCH +(IN|OUT)|PERF_RECORD_EXIT\((\d+):(\d+)\)", l)
	    if m:
	        tid = m.group(3) or l.split()[0]
	        running.add(tid) if m.group(1) == "IN" else running.discard(tid)
	    elif "cpu-clock" in l:
	        n, period = max(len(running), 1), int(l.split()[2])
	        cpu[n] = cpu.get(n, 0) + period
	        wall[n] = wall.get(n, 0) + period / n
	for r in json.load(open("json"))["events"][0]["rows"]:
	    n = r["parallelism"]
	    assert abs(r["overhead"] - 100 * cpu[n] / sum(cpu.values())) < .01 and abs(r["latency"] - 100 * wall[n] / sum(wall.values())) < .01, (r, cpu, wall)
	PY
'
test_done
