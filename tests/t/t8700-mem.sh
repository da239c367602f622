#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf mem: which events are recorded on which machine, and the samples as data'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq OPENS 'needs root, its own mounts, and build/helper/attr-opens (make tests)' \
	'[ "$(id -u)" = 0 ] && unshare -m true && [ -x "$BUILD/helper/attr-opens" ]'
test_lazy_prereq NO_MEM 'this machine has no memory events' \
	'! ls /sys/bus/event_source/devices/cpu*/events/mem-loads /sys/bus/event_source/devices/ibs_op /sys/bus/event_source/devices/arm_spe_0'
test_lazy_prereq AMD 'needs an AMD CPU: upstream asks for the name' 'grep -q AuthenticAMD /proc/cpuinfo'

devices=$TOP/tests/roots/attrs/sys/bus/event_source/devices
gen () { PYTHONDONTWRITEBYTECODE=1 python3 "$TOP/tests/t/memdata.py" "$@"; }

intel () { rm -rf root && cp -r "$devices" root && echo "event=0xcd,umask=0x1,ldlat=3" >root/cpu/events/mem-loads && echo "event=0xd0,umask=0x82" >root/cpu/events/mem-stores; }
amd () {
	rm -rf root && cp -r "$devices" root && rm -f root/cpu/events/mem-* && mkdir -p root/ibs_op/format && echo 11 >root/ibs_op/type &&
	echo config:19 >root/ibs_op/format/cnt_ctl && echo config1:0-11 >root/ibs_op/format/ldlat
}
spe () {
	rm -rf root && cp -r "$devices" root && rm -f root/cpu/events/mem-* && mkdir -p root/arm_spe_0/format && echo 9 >root/arm_spe_0/type && (
	cd root/arm_spe_0/format && echo config:0 >ts_enable && echo config:1 >pa_enable && echo config:32 >load_filter && echo config:33 >store_filter &&
	echo config2:0-11 >min_latency )
}
opens () { echo "$1" | "$BUILD/helper/attr-opens" -d root line "${2:-$BUILD/perf}" | grep -E "sample_type=1[04]|^refused" | grep -v "^t=1 c=9"; }
kinds () { opens "$1" | grep -oE "^t=[0-9]+ c=[0-9a-f]+( c[123]=[0-9a-f]+)*|group=.*|^refused"; }

test_expect_success OPENS 'Intel: loads and stores, one of them, latency' '
	intel && kinds "mem record true" >actual && printf "%s\n" "t=4 c=1cd c1=1e" "t=4 c=82d0" >expect && test_cmp expect actual &&
	kinds "mem record -t load --ldlat 50 true" >actual && echo "t=4 c=1cd c1=32" >expect && test_cmp expect actual &&
	kinds "mem -t store record true" >actual && echo "t=4 c=82d0" >expect && test_cmp expect actual &&
	kinds "mem record -e ldlat-stores true" >actual && test_cmp expect actual &&
	kinds "mem record -t load,store true" >actual && [ "$(grep -c t=4 actual)" = 2 ] &&
	opens "mem record -t load -U -p --data-page-size true" >actual && test_grep "exclude_kernel.* precise_ip=3 sample_type=148810f" actual
'
test_expect_success OPENS 'Intel with mem-loads-aux: it leads the loads' '
	intel && echo "event=0x03,umask=0x82" >root/cpu/events/mem-loads-aux && kinds "mem record -t load true" >actual && cat actual &&
	grep -x "t=4 c=8203" actual && grep -x "t=4 c=1cd c1=1e" actual && [ "$(grep -c ^t= actual)" = 2 ]
'
test_expect_success OPENS 'AMD: both at once' '
	amd && kinds "mem record true" >actual && echo "t=11 c=0" >expect && test_cmp expect actual &&
	kinds "mem record --ldlat 256 true" >actual && echo "t=11 c=0 c1=100" >expect && test_cmp expect actual &&
	kinds "mem record -e mem-ldst true" >actual && echo "t=11 c=0" >expect && test_cmp expect actual &&
	echo "mem record -t load true" | "$BUILD/helper/attr-opens" -d root line "$BUILD/perf" >actual && test_grep "^refused" actual
'
test_expect_success OPENS,AMD,NEWEST 'AMD: the same as upstream opens' '
	amd && mkdir -p root/ibs_op/caps && echo 1 >root/ibs_op/caps/ldlat &&
	for o in "" "-K" "-p --data-page-size" "--ldlat 256"; do
		opens "mem record $o true" >ours && opens "mem record $o true" "$NEWEST" >theirs && test_cmp theirs ours || return 1
	done
'
test_expect_success OPENS 'Arm: SPE, both at once or one kind' '
	spe && unshare -m sh -c "mount --bind root /sys/bus/event_source/devices && \"$BUILD/perf\" mem record -e list" >out && cat out &&
	test_grep "^spe-load +: available  \(arm_spe_0/ts_enable=1,pa_enable=1,load_filter=1,store_filter=0,min_latency=30/\)$" out &&
	test_grep "^spe-store .*load_filter=0,store_filter=1/\)$" out && test_grep "^spe-ldst " out
'
test_expect_success NO_MEM 'none: one message' '
	test_status 1 perf mem record true 2>err && test_grep "^Error: no PMU of this machine has events for accesses of memory$" err &&
	test_status 1 perf mem record -e list 2>err && test_grep "^Error: no PMU of this machine" err
'
test_expect_success 'errors of usage' '
	test_status 129 perf mem record -t loads true 2>err && test_grep "the types are load and store" err &&
	test_status 129 perf mem 2>err && test_grep "needs a sub-command: record, report" err &&
	gen plain.data && test_status 129 perf mem report -D --hierarchy -i plain.data 2>err && test_grep "hierarchy. has no effect" err
'

# ---- report -D ----

# Upstream writes the first line in another form than all others: with an address that is not the data address.
same_dump () {
	local file=$1
	shift
	"$NEWEST" mem report -D "$@" -i $file 2>/dev/null | sed "s/ 1024M / 1G /; s/;1024M;/;1G;/" >theirs && perf mem report -D "$@" -i $file >ours || return 1
	case "$*" in *-x*) ;; *) sed -i 2d theirs ours ;; esac
	[ "$(wc -l <ours)" -gt 20 ] && test_cmp theirs ours
}
test_expect_success NEWEST 'report -D: as upstream' '
	gen plain.data && gen full.data full && gen bare.data bare &&
	for f in plain full bare; do
		same_dump $f.data && same_dump $f.data -x, && same_dump $f.data -U && same_dump $f.data -p && same_dump $f.data --data-page-size -p -x ";" || return 1
	done
'
test_expect_success 'report -D: all lines have the same form' '
	gen full.data full && perf mem report -D -i full.data >out && test_grep "^# PID, TID, IP, ADDR, LOCAL WEIGHT, DSRC, SYMBOL$" out &&
	sed 1d out >lines && [ "$(wc -l <lines)" = 60 ] && ! grep -vE "^100 10[01] 0x[0-9a-f]+ 0x[0-9a-f]+ [0-9]+ 0x[0-9a-f]+ [^ ]+:[^ ]+$" lines &&
	head -n 1 lines >first && test_grep "^100 100 0x7f0000030000 0x7f1000000000 0 0x68100142 " first
'
test_expect_success 'report -D: -C and -t choose' '
	gen plain.data && perf mem report -D -C 1 -i plain.data >out && [ "$(wc -l <out)" = 21 ] &&
	perf mem -t store report -D -i plain.data >out && perf mem report -t load -D -i plain.data >out2 && sed 1d out >stores && [ -s stores ] &&
	! grep -F "0x68100142 " stores && grep -F "0x68100142 " out2
'
test_done
