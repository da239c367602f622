#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf top: what is hot now, as text'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW,CC
test_workload movinghot
test_workload forkstorm

# The first row of each table: "dso [level] symbol".
tops () { awk '/^   PerfTop:/ { want = 1; next } want && /%/ { sub(/^ +[0-9.]+% +/, ""); $1 = $1; print; want = 0 }' "$1"; }

# moving SECONDS ROUNDS: ./movinghot, which waits until it is let go by go_on; its id is in $moving.
moving () {
	rm -f go && mkfifo go && { ./movinghot "$1" "$2" <go & } && moving=$! && test_kill_at_end $moving && exec 9>go
}
go_on () { echo >&9; exec 9>&-; }

# With what was before forgotten (-z) or fading: the hot function is on top before it moves on, and none comes twice.
for z in -z ''; do
	test_expect_success "the hot function moves${z:+, $z}" '
		moving 2 1 &&
		{ perf top --stdio -d 0.5 $z -p $moving >out 2>err & } && top=$! &&
		test_wait_for 10 "grep -q PerfTop out || grep -q cpu-clock err" && go_on &&
		test_status 0 wait $top &&
		tops out | uniq >got &&
		printf "movinghot [.] hot_%d\n" 0 1 2 >expect && test_cmp expect got
	'
done

test_done
