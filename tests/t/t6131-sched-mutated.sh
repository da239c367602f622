#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf sched on recordings that met something: lost events, numbers given again, late events, other kernels'
. "$(dirname "$0")/lib.sh"

# schedmutate.py makes them of two whole recordings (6.1, and 6.18 of schedmix), the same ones on each machine. What ours shows is predicted
# from their events; so is what the newest upstream perf shows, where there is one.
test_require PYTHON
if test_have NEWEST; then upstream=$NEWEST; else upstream=-; fi
for kernel in 6.1 6.18; do
	gzip -dc "$TEST_DIR/../data/sched-$kernel.data.gz" >whole-$kernel.data
done

# met SEED KERNEL [KIND...]
met () {
	local seed=$1 kernel=$2
	shift 2
	python3 "$TEST_DIR/schedmutate.py" "$seed" "whole-$kernel.data" "met-$seed-$kernel.data" "$@" &&
	python3 "$TEST_DIR/schedcmp.py" "$BUILD/perf" "$upstream" "met-$seed-$kernel.data" no-chains some="$seed"
}

seed=0
for kind in lose hole thin mute late early unnamed reuse rename twice slow bits; do
	seed=$((seed + 1))
	test_expect_success "$kind" 'met $seed 6.18 $kind'
done
test_expect_success 'two losses and a number given again' 'met 13 6.18 lose reuse lose'
test_expect_success 'an older kernel, whose recorder lost names' 'met 14 6.18 bits unnamed lose'
for seed in 21 22 23 24 25 26; do
	test_expect_success "several at once, 6.1, seed $seed" 'met $seed 6.1'
done
test_expect_success 'the sums of all of them close' '
	python3 "$TEST_DIR/schedsums.py" "$BUILD/perf" *.data
'
# A switch to the task that has exited is missing: what it does is done by a task without a number, not by what ran there before.
test_expect_success 'who exits, and was not seen to come' '
	cat >story <<-\EOF &&
	cpus 2
	0 0 comm 100 100 leader
	0 0 comm 300 300 other
	1000 0 switch leader:100 S swapper/0:0
	1100 0 move -1 other:300 0 1
	1110 0 wake -1 other:300 1
	1200 0 switch swapper/0:0 R leader:100
	1300 0 move -1 other:300 1 0
	1400 1 switch swapper/1:0 R other:300
	1500 1 switch other:300 S swapper/1:0
	EOF
	test_workload schedenc && ./schedenc g.data <story && perf sched timehist -wM -i g.data 2>/dev/null >out &&
	test_grep "^    1000.001100 .*  :-1\[-1\]  *migrated: other\[300\] cpu 0 => 1" out &&
	test_grep "^    1000.001110 .*  :-1\[-1\]  *awakened: other\[300\]" out &&
	test_grep "^    1000.001300 .*  leader\[100\]  *migrated: other\[300\] cpu 1 => 0" out &&
	python3 "$TEST_DIR/schedcmp.py" "$BUILD/perf" "$upstream" g.data
'
test_done
