#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf stat --topdown, --transaction, --smi-cost: metrics that some processors have'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq OPENS 'needs root, its own mounts, and build/helper/attr-opens (make tests)' \
	'[ "$(id -u)" = 0 ] && unshare -m true && [ -x "$BUILD/helper/attr-opens" ]'
test_lazy_prereq PLAIN 'this processor has these events' \
	'! ls /sys/bus/event_source/devices/cpu/events/topdown-retiring /sys/bus/event_source/devices/cpu/events/cycles-t /sys/bus/event_source/devices/cpu/freeze_on_smi'

test_expect_success PLAIN 'a processor without them: one message, and what to do' '
	test_status 1 perf stat --topdown true 2>err && test_grep "^Error: this processor has no events for the topdown method$" err &&
	test_grep "^Hint: they are .topdown-retiring. and others in /sys/.*--metric-dir reads" err &&
	test_status 1 perf stat -T true 2>err && test_grep "^Error: this processor has no events for transactions$" err &&
	test_status 1 perf stat --smi-cost true 2>err && test_grep "^Error: this machine has no freeze_on_smi" err &&
	perf stat --topdown --no-topdown true 2>err && test_grep "seconds time elapsed" err
'

# The events of a fake processor: which of them are opened, and who leads them.
make_root () {
	rm -rf root && cp -r "$TOP/tests/roots/attrs/sys/bus/event_source/devices" root && cd root/cpu/events && echo "event=0x00,umask=0x4" >slots &&
	echo "event=0x00,umask=0x80" >topdown-retiring && echo "event=0x00,umask=0x81" >topdown-bad-spec &&
	echo "event=0x00,umask=0x82" >topdown-fe-bound && echo "event=0x00,umask=0x83" >topdown-be-bound &&
	echo "event=0x3c,cmask=1" >cycles-t && echo "event=0xc9,umask=0x1" >tx-start && echo "event=0xc8,umask=0x1" >el-start && cd ../../..
}
opens () { echo "$1" | "$BUILD/helper/attr-opens" -d root line "$BUILD/perf" | grep -oE "^t=[0-9]+ c=[0-9a-f]+|group=.*|^refused" | sed "s/ cpu=any//"; }
test_expect_success OPENS '--topdown: one group that slots leads' '
	make_root && opens "stat --topdown" >actual && cat actual && [ "$(head -n 1 actual)" = "t=4 c=400" ] && [ "$(grep -c "^t=" actual)" = 5 ] &&
	[ "$(grep -c group=0 actual)" = 4 ] && for c in 8000 8100 8200 8300; do grep -x "t=4 c=$c" actual || return 1; done
'
test_expect_success OPENS '--transaction' '
	make_root && opens "stat --transaction" >actual && cat actual && grep -x "t=4 c=1c9" actual && grep -x "t=4 c=1c8" actual
'
test_expect_success '--td-level: groups of a file, and levels that there are not' '
	mkdir -p metrics && cat >metrics/a.json <<-\EOF &&
	[ { "MetricName": "tma_one", "MetricExpr": "page\\-faults / context\\-switches", "MetricGroup": "TopdownL1" },
	  { "MetricName": "tma_two", "MetricExpr": "page\\-faults", "MetricGroup": "TopdownL2" } ]
	EOF
	perf stat --metric-dir metrics --topdown true 2>err && test_grep "tma_two" err && ! grep tma_one err &&
	perf stat --metric-dir metrics --topdown --td-level 1 true 2>err && test_grep "tma_one" err && ! grep tma_two err &&
	perf stat --metric-dir metrics --topdown --td-level 1 --no-metric-only true 2>err && test_grep "page-faults .*# .*tma_one" err &&
	test_status 1 perf stat --metric-dir metrics --topdown --td-level 3 true 2>err && test_grep "there is no level 3 of the topdown metrics: the highest is 2" err &&
	test_status 1 perf stat --metric-dir metrics --topdown --td-level -1 true 2>err && test_grep "no level -1 of" err
'
test_expect_success PERF_SW 'retire latencies (:R) are taken, and are 0, which is said; nothing is opened for them' '
	perf stat --record-tpebs --tpebs-mode min -x, -o out -e cs:R,cs true 2>err && grep -v "^#" out | grep . | cut -d, -f1-5 >rows && sed -n 1p rows >row &&
	echo "0,,cs:R,1,100.00" >expect && test_cmp expect row && test_grep "^[0-9]+,,cs,[1-9]" rows &&
	test_grep "^Warning: .cs:R. is shown as 0: a retire latency comes with samples" err && [ "$(wc -l <err)" = 1 ] &&
	perf stat -x, -e cs:R true 2>err && ! grep Warning err && perf stat -q -e cs:R true 2>err && ! grep Warning err &&
	test_status 129 perf stat --tpebs-mode most -e cs:R true 2>err && test_grep "mean, min, max and last are" err
'
test_done
