#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf kvm stat on a host of virtual machines (VM): what a guest does is counted, recorded and live'
. "$(dirname "$0")/../t/lib.sh"
. "$TOP/tests/vm/vm.sh"

test_require VM,CC
vm_modules="irqbypass kvm kvm-amd"
mkdir files files/work
for m in $vm_modules; do
	vm_copy_module $m.ko $m && test -s $m.ko || test_skip_all "the VM kernel has no module $m"
done
cc -O1 -static -o files/work/kvmguest "$TOP/tests/vm/kvmguest.c" || test_skip_all 'the compiler makes no static program'
vm_files=files/work

cat >guest.sh <<\GUEST
O=/out; cd /root
for m in irqbypass kvm kvm-amd; do insmod /lib/modules/*/kernel/$m.ko || exit 1; done
ls /dev/kvm || exit 1
W="/work/kvmguest 300 200 100 5 30"
perf kvm stat record -o $O/k.data $W || exit 1
for e in vmexit ioport mmio; do
	perf kvm stat report -i $O/k.data --event $e >$O/report.$e || exit 1
	perf kvm stat live -d 60 --event $e $W >$O/live.$e || exit 1
done
perf kvm stat live -d 60 --event ioport --duration 20000 $W >$O/long || exit 1
perf kvm stat live -d 60 --event vmexit -k time --json $W >$O/live.json || exit 1
perf kvm stat live -d 60 -p 1 $W >$O/live.none || exit 1
perf kvm stat live -d 60 -m 1 $W >$O/live.small 2>$O/live.small.err || exit 1
perf stat -e kvm:kvm_exit,kvm:kvm_pio,kvm:kvm_mmio -x, -o $O/counts -a -- $W || exit 1
GUEST
test_expect_success 'the VM runs virtual machines' 'vm_run guest.sh || { status=$?; tail -30 out/log; return $status; }'

# has FILE NAME COUNT: a row of so many
has () { awk -v name="$2" -v n="$3" '$1 == name && $2 == n { found = 1 } END { exit !found }' "out/$1" || { cat "out/$1"; return 1; }; }

test_expect_success 'ports: recorded and live' '
	for f in report.ioport live.ioport; do has $f 0x10:POUT 300 && has $f 0x11:POUT 5 && test_grep "^Total Samples:305," out/$f || return 1; done
'

test_expect_success 'device memory: recorded and live' '
	for f in report.mmio live.mmio; do has $f 0x8000:W 200 && has $f 0x8000:R 100 && test_grep "^Total Samples:300," out/$f || return 1; done
'

test_expect_success 'reasons: recorded and live' '
	for f in report.vmexit live.vmexit; do has $f io 305 && test_grep "^ +npf +[0-9]+ " out/$f && test_grep "VM-EXIT +Samples" out/$f || return 1; done
'

test_expect_success NEWEST 'the recording says the same to the newest upstream perf' '
	for e in vmexit ioport mmio; do
		"$NEWEST" kvm -i out/k.data stat report --stdio --event $e >theirs 2>&1 && perf kvm -i out/k.data stat report --event $e >ours && test_cmp theirs ours || return 1
	done
'

test_expect_success 'those that took long, each with its time' '
	grep "event took" out/long >lines && test "$(wc -l <lines)" = 5 &&
	test "$(grep -cE "^[0-9]+\.[0-9]{6} VM [0-9]+, vcpu 0: 0x11:POUT event took [0-9]+usec$" lines)" = 5 &&
	awk "{ sub(/usec/, \"\", \$NF); if (\$NF < 30000) exit 1 }" lines
'

test_expect_success PYTHON 'as JSON, the longest first' '
	python3 - <<-\EOF
	import json
	rows = json.load(open("out/live.json"))["reasons"]
	assert rows[0]["name"] == "io", rows
	assert sum(r["samples"] for r in rows if r["name"] == "io") == 305, rows
	EOF
'

test_expect_success 'of other processes there is nothing; lost events are counted' '
	test_grep "^Total Samples:0," out/live.none && { test_grep "^Total Samples:" out/live.small; } &&
	{ ! test -s out/live.small.err || test_grep "events were lost: exits are missing" out/live.small.err; }
'

test_done
