#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf report: parts between two events, sockets, the order of groups, times in ns'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq RECORD 'needs a recorder that can sample cpu-clock' 'perf record -q -o probe.data -e cpu-clock true'
test_workload threads

# Columns as wide as what is in them: upstream's are as wide as what it saw while reading.
rows () { grep -av -e "Tip:" -e "^#\$" -e "^\$" | sed 's/   */  /g; s/ *$//; s/\.\.\.*/../g; s/\[[.k]\] /[x] /g'; }
same_as_newest () {	# same_as_newest FILE OPTIONS...
	local file=$1
	shift
	"$NEWEST" report --stdio --no-inline -i "$file" "$@" 2>/dev/null | rows >expect &&
	perf report --stdio --no-inline -i "$file" "$@" 2>err | rows >actual &&
	[ "$(wc -l <expect)" -gt 3 ] && test_cmp expect actual
}
shares () { perf report --stdio -q -i onoff.data -s addr -n "$@" 2>err | sed 's/^ *[0-9.]*% *//; s/  */ /g; s/ $//; /^$/d' | tr '\n' ';'; }

test_expect_success PYTHON '--switch-on and --switch-off: what is between' '
	python3 "$TOP/tests/t/onoff.py" onoff.data &&
	[ "$(shares)" = "160 0x9000;80 0x7000;40 0x5000;20 0x3000;10 0x1000;2 0x6000;1 0x2000;2 0x8000;1 0x4000;" ] &&
	[ "$(shares --switch-on page-faults)" = "160 0x9000;80 0x7000;40 0x5000;20 0x3000;2 0x6000;2 0x8000;1 0x4000;" ] &&
	[ "$(shares --switch-on page-faults --switch-off context-switches)" = "80 0x7000;20 0x3000;1 0x6000;" ] &&
	[ "$(shares --switch-off context-switches)" = "20 0x3000;10 0x1000;1 0x2000;" ] &&
	[ "$(shares --switch-on page-faults --switch-off context-switches --show-on-off-events)" = "80 0x7000;20 0x3000;2 0x6000;1 0x2000;1 0x4000;1 0x8000;" ] &&
	[ "$(shares --switch-on page-faults --switch-off page-faults)" = "160 0x9000;80 0x7000;40 0x5000;20 0x3000;2 0x8000;1 0x4000;" ]
'
test_expect_success PYTHON 'shares are of what is between; any number of threads' '
	perf report --stdio -q -i onoff.data -s addr --switch-on page-faults --switch-off context-switches >out && test_grep "80.00%  0x7000" out &&
	for j in 1 3; do perf report --stdio -i onoff.data -s addr --switch-on page-faults --jobs $j >out.$j || return 1; done && test_cmp out.1 out.3
'
test_expect_success PYTHON 'what is not there' '
	test_status 1 perf report --stdio -i onoff.data --switch-on nosuch 2>err && test_grep "^Error: --switch-on: .* has no event .nosuch.$" err &&
	test_grep "^Hint: .*perf evlist" err && test_status 1 perf report --stdio -i onoff.data --switch-off nosuch 2>err &&
	test_grep "^Error: --switch-off: " err
'
# --switch-off alone does nothing there, but for one sample.
test_expect_success PYTHON,NEWEST '--switch-on: as the newest upstream perf' '
	for o in "--switch-on page-faults" "--switch-on page-faults --switch-off context-switches" "--switch-on page-faults --switch-off page-faults" \
			"--switch-on page-faults --switch-off context-switches --show-on-off-events" "--switch-on cpu-clock" \
			"--switch-on page-faults --switch-off context-switches --time 0.0000006,"; do
		same_as_newest onoff.data -s addr -n $o || { echo "options: $o"; return 1; }
	done
'
test_expect_success RECORD 'recordings' '
	perf record -q -o group.data -e "{cpu-clock,task-clock,page-faults}" -F 499 ./threads 1 200 >/dev/null &&
	perf record -q -o cpu.data -e cpu-clock --sample-cpu -F 499 ./threads 1 200 >/dev/null
'
test_expect_success RECORD,NEWEST '--group-sort-idx: as the newest upstream perf' '
	for i in 0 1 2; do same_as_newest group.data --group --group-sort-idx $i || { echo "index $i"; return 1; }; done &&
	same_as_newest group.data --group --group-sort-idx 2 -s dso
'
test_expect_success RECORD '--group-sort-idx: a number that no event has is the first' '
	perf report --stdio -i group.data --group >a 2>/dev/null && perf report --stdio -i group.data --group --group-sort-idx 7 >b 2>/dev/null && test_cmp a b &&
	perf report --stdio -i group.data --group --group-sort-idx -1 >b 2>/dev/null && test_cmp a b &&
	perf report --stdio -q -i group.data --group --group-sort-idx 2 2>/dev/null | awk "/%/ { if (n++ && \$3 + 0 > last) exit 1; last = \$3 + 0 } END { exit n < 3 }"
'
test_expect_success RECORD '--socket-filter: its samples, said above the rows' '
	perf report --stdio -i cpu.data --socket-filter 0 >out 2>/dev/null && perf report --stdio -i cpu.data --socket-filter 77 >none 2>/dev/null &&
	test_grep "^# Processor Socket: 0$" out && test_grep "hot" out && test_grep "^# Processor Socket: 77$" none && ! grep % none
'
test_expect_success RECORD,NEWEST '--socket-filter, --ns: as the newest upstream perf' '
	for o in "--socket-filter 0" "--socket-filter 9" "--socket-filter -1" "-s time --ns" "-s time,comm --ns --time-quantum 10ms" "-F time,overhead --ns" "--samples 3 -s comm"; do
		same_as_newest cpu.data $o || { echo "options: $o"; return 1; }
	done
'
# Upstream marks private mappings as shared ones, too.
maps () { sed 's/^\( *[0-9a-f]*-[0-9a-f]* ...\)s/\1p/; s/  *\(\[\)/ \1/; s/ 0 \[/ [/'; }
test_expect_success RECORD '--mmaps: tasks with what they had mapped' '
	perf report --mmaps -i cpu.data >out && perf report --tasks -i cpu.data >tasks && grep " |" out >got && grep " |" tasks >expect && test_cmp expect got &&
	test_grep "^ +[0-9a-f]+-[0-9a-f]+ r-xp 0000[0-9a-f]{4} [0-9a-f]{40} /.*/threads$" out && [ "$(grep -c "/threads$" out)" = 2 ] &&
	perf report --mmaps --json -i cpu.data >json && python3 - <<-\PY
	import json
	m = json.load(open("json"))["maps"]
	assert any(r["path"].endswith("/threads") and r["perms"] == "r-xp" and len(r["build_id"]) == 40 for r in m), m
	assert len({r["tid"] for r in m}) == 2
	PY
'
test_expect_success RECORD,NEWEST '--mmaps: as the newest upstream perf' '
	"$NEWEST" report --stdio --mmaps -i cpu.data 2>/dev/null | maps >expect && perf report --mmaps -i cpu.data | maps >actual && test_cmp expect actual
'
test_done
