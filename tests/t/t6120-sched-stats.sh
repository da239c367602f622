#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf sched stats: recordings that upstream perf 7.2 made on a 6.1 kernel, with what it printed of them'
. "$(dirname "$0")/lib.sh"

data=$TEST_DIR/../data
test_lazy_prereq SCHEDSTAT 'this kernel has no /proc/schedstat' '[ -r /proc/schedstat ]'
test_lazy_prereq NOSCHEDSTAT 'this kernel has /proc/schedstat' '[ ! -e /proc/schedstat ]'

# Copies belong to who runs this.
cp "$data/schedstat-6.1.data" a.data && cp "$data/schedstat-6.1-b.data" b.data

test_expect_success 'report' '
	perf sched stats report -i a.data >out && test_cmp "$data/schedstat-6.1.report" out
'
test_expect_success 'report of one CPU' '
	perf sched stats report -C 1 -i a.data >out && grep "^CPU: 1\$" out && ! grep "^CPU: 0" out
'
test_expect_success 'diff' '
	perf sched stats diff a.data b.data >out &&
	test_cmp "$data/schedstat-6.1.diff" out
'
test_expect_success SCHEDSTAT 'recorded here' '
	perf sched stats record -o here.data true && perf sched stats report -i here.data >out &&
	grep "^CPU: 0\$" out && perf sched stats true >live && grep "<ALL CPUS SUMMARY>" live
'
test_expect_success NOSCHEDSTAT 'a kernel without the counters is reported' '
	test_must_fail perf sched stats record -o none.data true 2>err && grep CONFIG_SCHEDSTATS err && ! test -e none.data
'
test_expect_success 'a recording without counters says how to make one' '
	gzip -dc "$data/sched-6.1.data.gz" >k.data &&
	test_must_fail perf sched stats report -i k.data 2>err && grep "no scheduler statistics" err
'
test_done
