#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf sched offcpu live: for how long tasks are off the CPU, table by table, by programs that tell it themselves'
. "$(dirname "$0")/lib.sh"

test_expect_success 'wrong options are said' '
	test_status 129 perf sched offcpu live -d 0 2>err && test_grep "is not a delay between refreshes" err &&
	test_status 1 perf sched offcpu live -s foo true 2>err && test_grep "there is no key .foo" err &&
	test_status 129 perf sched offcpu live --call-graph lbr true 2>err && test_grep "^Error: .*--call-graph lbr: live it is fp or dwarf" err &&
	test_status 1 perf sched offcpu live -p 1x true 2>err && test_grep "^Error: .*1x" err && [ $(grep -c ^Error err) = 1 ] &&
	test_status 129 perf sched offcpu foo 2>err && test_grep "foo" err
'
test_workload sleeps
test_require ROOT,TRACEFS,PYTHON
# tables.py COMM FUNCTION: of the rows of COMM in the state sleep of all tables: their sum in ns, the same of stacks through FUNCTION
# alone, and how many tables have one.
cat >tables.py <<\EOF
import json, sys
text, at, total, through, n = sys.stdin.read(), 0, 0, 0, 0
def part(node):
    if sys.argv[2] in node["frames"]:
        return node["period"]
    return sum(part(c) for c in node.get("children", []))
while text[at:].strip():
    table, at = json.JSONDecoder().raw_decode(text, text.index("{", at))
    rows = [r for r in table["rows"] if (r["comm"], r["state"]) == (sys.argv[1], "sleep")]
    total += sum(r["time_ns"] for r in rows)
    through += sum(part(n) for r in rows for n in r.get("callgraph", []))
    n += bool(rows)
print(total, through, n)
EOF
# No CPU is idle, and the tables together have at least what was slept, and no more than what it took.
test_expect_success 'a table each time; a wait that goes on is in each, and the parts are the whole' '
	test_spinning perf sched offcpu live -d 0.4 --json --comm sleep -- sh -c "sleep 1.5; exit 3" >json 2>err; test $? = 3 &&
	python3 tables.py sleep do_nanosleep <json >sum && read -r ns through n <sum && [ $n -ge 3 ] && [ $ns -ge 1490000000 ] && [ $ns = $through ]
'
# doze, nap and wait_for_byte: each for as long as the program itself says, which tells what it took, too
as_said () {
	local name times least most ns through n
	while read -r name times least most; do
		python3 tables.py sleeps "$name" <json >sum && read -r ns through n <sum || return 1
		echo "$name: $least to $most, found $through"
		[ "$through" -ge "$least" ] && [ "$through" -le "$most" ] || return 1
	done <said
}
live_sleeps () { test_spinning perf sched offcpu live -d 0.3 --json --comm sleeps "$@" -- sh -c "./sleeps >said" >json 2>err && [ $(wc -l <said) = 3 ] && as_said; }
test_expect_success 'stacks of programs: by frame pointers, by DWARF' '
	live_sleeps && live_sleeps --call-graph dwarf,4096
'
test_expect_success 'rows by stack have it, also where call chains are not shown' '
	test_spinning perf sched offcpu live -d 60 -G -s stack --comm sleep -x ";" -- sleep 0.3 >out 2>err && test_grep ";do_nanosleep\"?$" out
'
test_expect_success 'who wakes them' '
	test_spinning perf sched offcpu live -d 60 --wakers -s comm,waker --comm sleeps --percent-limit 0 -- sh -c "./sleeps >said" >out 2>err &&
	awk "/ sleeps  *sleeps\$/ { row = 1 } row && /wait_for_byte/ { way = 1 } way && /\[woken by sleeps/ { woken = 1 } woken && /pipe_write/ { found = 1 } /^\$/ { row = way = woken = 0 } END { exit !found }" out
'
test_expect_success PTY 'on a terminal in the place of the table before' '
	TERM=xterm script -qec "perf sched offcpu live -d 0.2 -G -- sleep 1" /dev/null </dev/null >screen &&
	test "$(grep -c "$(printf "\033\[H\033\[2J")# " screen)" -ge 2
'
test_done
