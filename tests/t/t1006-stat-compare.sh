#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf stat --compare: two commands by turns'
. "$(dirname "$0")/lib.sh"

test_expect_success 'ABAB after one warm-up of each, and only then the numbers' '
	perf stat --compare "echo A >>order" "echo B >>order" -r 8 2>err &&
	test "$(tr -d "\n" <order)" = ABABABABABABABABAB && test_grep "(8 pairs)" err && test_grep "^ A: echo A >>order$" err
'

test_expect_success 'what is much slower is said to be, in text, CSV and JSON' '
	perf stat --compare "true" "sleep 0.1" -r 8 2>err && test_grep "B is slower: it takes [0-9.]* times as long as A" err &&
	perf stat -x, -o out --compare "sleep 0.1" "true" -r 8 && grep -v "^#" out | grep . | head -n 2 | cut -d, -f1,7 >got &&
	printf "%s\n" measure,verdict "seconds elapsed,faster" >expect && test_cmp expect got &&
	perf stat -j -o out --compare "true" "sleep 0.1" -r 8 &&
	python3 - out <<-\EOF
	import json, sys
	r = [json.loads(l) for l in open(sys.argv[1])][0]
	assert r["measure"] == "seconds elapsed" and r["verdict"] == "slower"
	assert r["low"] <= r["ratio"] <= r["high"] and r["low"] > 1 and r["a"] < r["b"]
	EOF
'

test_expect_success PERF_SW 'events, too' '
	perf stat -x, -o out --compare "true" "dd if=/dev/zero of=/dev/null bs=8M count=1 2>/dev/null" -r 8 -e page-faults &&
	test_grep "^page-faults,[0-9.]*,[0-9.]*,[0-9.]*,[0-9.]*,[0-9.]*,more" out
'

test_expect_success '--fail-if-slower' '
	test_status 1 perf stat --compare "true" "sleep 0.1" -r 8 --fail-if-slower 50 2>err && test_grep "more than --fail-if-slower 50 allows" err &&
	perf stat --compare "sleep 0.1" "true" -r 8 --fail-if-slower 0 2>err &&
	perf stat --compare "true" "sleep 0.1" -r 8 --fail-if-slower 100000000 2>err
'

test_expect_success 'what cannot be compared' '
	test_status 129 perf stat --compare "true" 2>err && test_grep "takes two commands" err &&
	test_status 129 perf stat --compare "true" "true" -r 3 2>err && test_grep "fewer than 8 pairs" err &&
	test_status 1 perf stat --compare "true" "exit 3" -r 8 2>err && test_grep "command B failed with exit status 3: .exit 3." err &&
	test_status 129 perf stat --fail-if-slower 3 true 2>err && test_grep "needs --compare" err &&
	test_status 129 perf stat --fail-if-slower x true 2>err && test_grep "is not a percentage" err
'

test_done
