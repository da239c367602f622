#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf report --by-time and --outliers: when samples fell, and when the profile was another one'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq RECORD 'needs a recorder that can sample cpu-clock' 'perf record -q -o probe.data -e cpu-clock:u true'
export LC_ALL=C.UTF-8

test_expect_success CC,RECORD 'a program with phases: early, then late, with a short burst in the middle' '
	cat >phases.c <<-\END &&
	#include <time.h>
	#include <stdlib.h>
	static double now(void) { struct timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return t.tv_sec + t.tv_nsec / 1e9; }
	#define PHASE(name) __attribute__((noinline)) void name(double s) \
		{ double end = now() + s; while (now() < end) for (volatile int i = 0; i < 20000; i++) ; }
	PHASE(early) PHASE(burst) PHASE(late)
	int main(void) { early(0.25); burst(0.03); early(0.12); late(0.4); return 0; }
	END
	cc -O1 -fno-omit-frame-pointer -o phases phases.c && perf record -q -o p.data -F 2000 -e cpu-clock:u ./phases
'
test_expect_success CC,RECORD,PYTHON 'rows by slices: their sum is the period of the row, early is early, late is late' '
	perf report --json --by-time 20 -s sym -i p.data >out.json && perf report --json -s sym -F period,sym -i p.data >plain.json &&
	python3 -c "
import json
rows = {r[\"symbol\"]: r for r in json.load(open(\"out.json\"))[\"events\"][0][\"rows\"]}
plain = {r[\"symbol\"]: r[\"period\"] for r in json.load(open(\"plain.json\"))[\"events\"][0][\"rows\"]}
assert set(rows) == set(plain)
for s, r in rows.items():
    assert len(r[\"by_time\"]) == 20 and sum(r[\"by_time\"]) == plain[s], s
early, late, burst = (rows[s][\"by_time\"] for s in (\"early\", \"late\", \"burst\"))
assert early[0] and not early[-1] and late[-1] and not late[0], (early, late)
assert sum(1 for v in burst if v) <= 3, burst
"
'
test_expect_success CC,RECORD 'as text: a bar for each slice' '
	perf report --stdio --by-time 20 -s sym -i p.data >out && test_grep "^# Overhead  Time                  Symbol" out &&
	grep "\[\.\] late" out >row && [ "$(grep -o "[▁▂▃▄▅▆▇█]" row | wc -l)" -ge 8 ] && test_grep "█" row &&
	perf report --stdio -q --by-time 20 -s sym -i p.data | sed "s/%.*//" >shares && perf report --stdio -q -s sym -i p.data | sed "s/%.*//" >expect && test_cmp expect shares
'
test_expect_success CC,RECORD,PYTHON 'outliers: the slices with the burst, and what is different in them' '
	perf report --json --outliers --by-time 40 -s sym -i p.data >out.json && python3 -c "
import json
rows = json.load(open(\"out.json\"))[\"events\"][0][\"rows\"]
assert rows and len(rows) <= 10
top = rows[0]
assert top[\"differs_pct\"] > 2 * top[\"chance_pct\"] and top[\"to_ns\"] > top[\"from_ns\"]
assert any(r[\"changes\"].get(\"burst\", 0) > 30 for r in rows), rows
" && perf report --stdio --outliers -s sym -i p.data >out && test_grep "burst [+][0-9.]+%" out
'
test_expect_success CC,RECORD 'steady all the time: no slice is unlike the others' '
	cat >steady.c <<-\END && cc -O1 -o steady steady.c && perf record -q -o s.data -F 1000 -e cpu-clock:u ./steady &&
	__attribute__((noinline)) void one(void) { for (volatile int i = 0; i < 3000; i++) ; }
	__attribute__((noinline)) void two(void) { for (volatile int i = 0; i < 3000; i++) ; }
	int main(void) { for (int i = 0; i < 20000; i++) { one(); two(); } return 0; }
	END
	perf report --stdio -q --outliers --by-time 10 -s sym -i s.data >out && ! grep "one\|two" out
'
test_expect_success CC,RECORD 'callers, too: with --children each stack counts once in each slice' '
	perf record -q -g -o g.data -F 1000 -e cpu-clock:u ./phases && perf report --children --stdio --by-time 10 -g none -s sym -i g.data >out &&
	test_grep "^# Children      Self  Time        Symbol" out && test_grep "^ +[0-9.]+% +0.00%  [^ ].*\[\.\] main" out
'
test_expect_success CC,RECORD 'what is wrong is said' '
	test_status 1 perf report --by-time 1 -i p.data 2>err && test_grep "from 2 to 1000 slices" err &&
	test_status 1 perf report --by-time 5000 -i p.data 2>err && test_grep "from 2 to 1000 slices" err &&
	test_status 1 perf report --by-time 9 -s time -i p.data 2>err && test_grep "by time already" err &&
	test_status 1 perf report --outliers -H --stdio -i p.data 2>err && test_grep "cannot be combined with --hierarchy" err &&
	cat "$TOP/tests/data/small/pipe.data" | test_status 1 perf report --by-time 9 -i - 2>err && test_grep "does not say from when" err
'
test_done
