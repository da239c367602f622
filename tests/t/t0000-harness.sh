#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the frame of the shell tests itself: what fails is reported as failing'
. "$(dirname "$0")/lib.sh"

# A tree of its own with a script, run by the real lib.sh: sub NAME 'body' -> ./NAME/tests/t/t9999-NAME.sh
sub () {
	mkdir -p "$1/tests/t" "$1/build" &&
	cp "$TEST_DIR/lib.sh" "$1/tests/t/" && cp "$TOP/tests/run.sh" "$1/tests/" &&
	printf '#!/bin/bash\ntest_description=x\n. "$(dirname "$0")/lib.sh"\n%s\n' "$2" >"$1/tests/t/t9999-$1.sh"
}
run_sub () { BUILD= TMPDIR=$TRASH bash "$1/tests/t/t9999-$1.sh"; }
run_runner () { local n=$1; shift; BUILD= TMPDIR=$TRASH "$@" bash "$n/tests/run.sh" t; }

test_expect_success 'a test that succeeds is ok' '
	sub good "test_expect_success one true; test_done" &&
	run_sub good >out &&
	printf "ok 1 - one\n1..1\n" >expect &&
	test_cmp expect out
'

test_expect_success 'a failing test is not ok, its output is shown, the status is 1' '
	sub bad "test_expect_success one \"echo shown && false\"; test_expect_success two true; test_done" &&
	test_status 1 run_sub bad >out &&
	test_grep "^not ok 1 - one" out &&
	test_grep "^#   shown" out &&
	test_grep "^ok 2 - two" out
'

test_expect_success 'the chain stops at the first failure' '
	sub chain "test_expect_success one \"false && touch \\\"$TRASH/touched\\\"\"; test_done" &&
	test_status 1 run_sub chain >out &&
	! test -e touched
'

test_expect_success 'a script that ends early has failed' '
	sub early "test_expect_success one true; exit 0" &&
	test_status 1 run_sub early >out &&
	test_grep "^not ok 2 - .* ended before test_done" out
'

test_expect_success 'exit inside a test is a failure' '
	sub exits "test_expect_success one \"echo why; exit 0\"; test_done" &&
	test_status 1 run_sub exits >out &&
	test_grep "^not ok 1" out &&
	test_grep "^#   why" out
'

test_expect_success 'a missing prerequisite skips and says why' '
	sub prereq "test_lazy_prereq MOON \"needs the moon\" false
		test_expect_success MOON one false
		test_expect_success !MOON two true
		test_done" &&
	run_sub prereq >out &&
	test_grep "^ok 1 - one # SKIP needs the moon" out &&
	test_grep "^ok 2 - two$" out
'

test_expect_success 'an unknown prerequisite is a failure' '
	sub unknown "test_expect_success NO_SUCH one true; test_done" &&
	test_status 1 run_sub unknown >out &&
	test_grep "^not ok 1" out &&
	test_grep "no such prerequisite: NO_SUCH" out
'

test_expect_success 'test_skip and test_skip_all' '
	sub skip "test_expect_success one \"test_skip no luck; return\"; test_done" &&
	run_sub skip >out &&
	test_grep "^ok 1 - one # SKIP no luck" out &&
	sub skipall "test_skip_all nothing here; test_done" &&
	run_sub skipall >out &&
	test_grep "^1..0 # SKIP nothing here" out
'

test_expect_success 'helpers fail when they should' '
	echo a >a && echo b >b && echo a >c &&
	test_cmp a c &&
	test_status 1 test_cmp a b &&
	test_range x 5 1 10 && test_range x 0.5 0.25 1 &&
	test_status 1 test_range x 11 1 10 &&
	test_status 1 test_range x "" 0 10 &&
	test_status 1 test_range x abc 0 10 &&
	test_grep a a && test_grep -v b a &&
	test_status 1 test_grep b a &&
	test_status 1 test_grep -v a a &&
	test_status 1 test_grep a nosuch &&
	test_must_fail false &&
	test_status 1 test_must_fail true &&
	test_status 1 test_must_fail bash -c "kill -SEGV \$\$" &&
	test_status 1 test_must_fail ./nosuch
'

test_expect_success 'the trash is private, empty, home, and gone afterwards' '
	sub trash "ls; echo \"dir \$(pwd)\"; echo \"home \$HOME\"; echo \"left \${PERF_CONFIG-none}\"
		test_expect_success one true; test_done" &&
	PERF_CONFIG=/x run_sub trash >out &&
	test_grep "^dir $TRASH/t-t9999-trash" out &&
	test_grep "^home $TRASH/t-t9999-trash" out &&
	test_grep "^left none" out &&
	! ls -d "$TRASH"/t-t9999-trash.*
'

test_expect_success 'the runner adds up, and its last line is exact' '
	run_runner good env >out &&
	test "$(tail -n 1 out)" = "1 passed, 0 failed, 0 skipped" &&
	run_runner prereq env >out &&
	test "$(tail -n 1 out)" = "1 passed, 0 failed, 1 skipped" &&
	test_grep "one: needs the moon" out
'

test_expect_success 'what is red stays red: no second run' '
	test_status 1 run_runner bad env >out &&
	test "$(tail -n 1 out)" = "1 passed, 1 failed, 0 skipped" &&
	test_grep "^not ok 1 - one" out && test_grep -v "again|second runs" out &&
	test_status 1 run_runner early env >out &&
	test "$(tail -n 1 out)" = "1 passed, 1 failed, 0 skipped" &&
	sub flaky "test_expect_success one \"test -e $TRASH/been || { echo first; touch $TRASH/been; false; }\"; test_done" &&
	test_status 1 run_runner flaky env >out &&
	test "$(tail -n 1 out)" = "0 passed, 1 failed, 0 skipped" && rm been
'

# The runner with stages of its own that fail the first time, as a lint and a unit test that are red by chance.
test_expect_success 'nor for a lint or a unit test, whatever the list says' '
	sub stages "test_expect_success one true; test_done" && mkdir -p stages/tests/lint stages/build &&
	printf "lint\twhy\nunit\twhy\n" >stages/tests/second-run.list &&
	printf "#!/bin/sh\nname=\$(basename \"\$0\")\necho 1..1\n[ -e %s/\$name.been ] && { echo ok 1; exit; }\n" "$TRASH" >once.sh &&
	printf ">%s/\$name.been; echo not ok 1 - red; exit 1\n" "$TRASH" >>once.sh && chmod +x once.sh &&
	cp once.sh stages/tests/lint/run.sh && cp once.sh stages/build/perf-unit &&
	test_status 1 env BUILD= TMPDIR=$TRASH bash stages/tests/run.sh lint unit >out &&
	test "$(tail -n 1 out)" = "0 passed, 2 failed, 0 skipped"
'

test_expect_success 'a live test of the list that passes on its second run is named with its reason, and its first failure shown' '
	printf "# why\nt9999-flaky\tits time has not come\n" >flaky/tests/second-run.list &&
	run_runner flaky env >out &&
	test "$(tail -n 1 out)" = "1 passed, 0 failed, 0 skipped" &&
	test_grep "^t9999-flaky: a second run passed: its time has not come$" out &&
	test_grep "^passed on a second run, alone: 1; at a further attempt: 0$" out &&
	test_grep "^#   first" out && rm been &&
	printf "t9999-early\tno\n" >early/tests/second-run.list && test_status 1 run_runner early env >out &&
	test "$(tail -n 1 out)" = "1 passed, 1 failed, 0 skipped"
'

test_expect_success 'attempts inside a script are counted and told; all in vain they fail' '
	sub tries "odd () { [ \$((test_attempt % 2)) = 0 ] || { echo \"said \$1\"; false; }; }
		test_expect_success one \"test_attempts 3 \\\"luck is needed\\\" odd aloud\"
		test_expect_success two \"test_attempts 3 \\\"never told\\\" true\"; test_done" &&
	run_runner tries env >out &&
	test_grep "^t9999-tries: attempt 2 of 3 passed: one: luck is needed \(said aloud\)$" out && test_grep -v "never told" out &&
	test_grep "^passed on a second run, alone: 0; at a further attempt: 1$" out &&
	sub vain "test_expect_success one \"test_attempts 3 \\\"luck\\\" false\"; test_done" &&
	test_status 1 run_runner vain env >out && test_grep "^#   attempt 3 of 3 failed$" out
'

# A name that is gone would make the next one of that name a live test without anybody noticing.
test_expect_success 'the list names tests that are there, each with a reason' '
	grep -v "^#" "$TOP/tests/second-run.list" >list && test -s list &&
	while read -r name why; do
		[ -n "$why" ] && ls "$TOP"/tests/t/$name.sh "$TOP"/tests/vm/$name.sh 2>/dev/null | grep -q . || { echo "$name"; return 1; }
	done <list
'

# Its neighbour, which comes later by its name, has ended before it begins.
test_expect_success 'what changes the whole machine runs alone, after the others' '
	sub alone "test_expect_success one \"grep -qx begun,ended $TRASH/order\"; test_done" && sed -i "2i# alone: yes" alone/tests/t/t9999-alone.sh &&
	sub later "printf begun, >$TRASH/order; sleep 0.5; echo ended >>$TRASH/order; test_expect_success one true; test_done" &&
	mv later/tests/t/t9999-later.sh alone/tests/t && run_runner alone env >out && test "$(tail -n 1 out)" = "2 passed, 0 failed, 0 skipped"
'

test_expect_success 'a script that hangs is killed with its children, and has failed' '
	sub hang "sleep 1000 & echo \$! >$TRASH/pid; test_expect_success one \"sleep 1000\"; test_done" &&
	test_status 1 run_runner hang env TEST_TIMEOUT=1 >out &&
	test_grep "killed after 1 s" out &&
	test_grep "^0 passed, [1-9] failed, 0 skipped" out &&
	test_wait_for 10 "! kill -0 $(cat pid) 2>/dev/null"
'

test_done
