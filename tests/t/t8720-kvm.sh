#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf kvm: why virtual CPUs leave their guests'
. "$(dirname "$0")/lib.sh"
test_require PYTHON

encode () { PYTHONDONTWRITEBYTECODE=1 python3 "$TOP/tests/t/tpenc.py" "$@"; }
random () { PYTHONDONTWRITEBYTECODE=1 python3 "$TOP/tests/t/kvmrandom.py" "$@"; }

# An exit before the first entry counts for nothing, nor does one without entry at the end.
cat >story <<-\END
cpuid GenuineIntel-6-143-6
event kvm:kvm_entry vcpu_id:u32 rip:u64 intr_info:u32 error_code:u32
event kvm:kvm_exit exit_reason:u32 guest_rip:u64 isa:u32 info1:u64 info2:u64 intr_info:u32 error_code:u32 vcpu_id:u32
event kvm:kvm_mmio type:u32 len:u32 gpa:u64 val:u64
event kvm:kvm_pio rw:u32 port:u32 size:u32 count:u32 val:u32
comm 100 101 CPU-0
9 0 100 101 kvm:kvm_exit 12 0x1000 1 0 0 0 0 0
10 0 100 101 kvm:kvm_entry 0 0x1000 0 0
20 0 100 101 kvm:kvm_exit 30 0x1000 1 0 0 0 0 0
22 0 100 101 kvm:kvm_pio 1 0x3f8 1 1 0x41
30 0 100 101 kvm:kvm_entry 0 0x1000 0 0
40 0 100 101 kvm:kvm_exit 48 0x1000 1 0 0 0 0 0
42 0 100 101 kvm:kvm_mmio 1 4 0xfee00000 0
48 0 100 101 kvm:kvm_mmio 2 4 0xfee00010 0
65 0 100 101 kvm:kvm_entry 0 0x1000 0 0
66 1 100 102 kvm:kvm_entry 1 0x1000 0 0
68 1 100 102 kvm:kvm_exit 12 0x1000 1 0 0 0 0 1
99 1 100 102 kvm:kvm_entry 1 0x1000 0 0
100 1 100 102 kvm:kvm_exit 12 0x1000 1 0 0 0 0 1
104 1 100 102 kvm:kvm_entry 1 0x1000 0 0
105 1 100 102 kvm:kvm_exit 0x80000021 0x1000 1 0 0 0 0 1
106 1 100 102 kvm:kvm_entry 1 0x1000 0 0
120 0 100 101 kvm:kvm_exit 1 0x1000 1 0 0 0 0 0
END
rows () { perf kvm -i k.data stat report -x, "$@" | sed "1d" | cut -d, -f1-5; }
test_expect_success 'reasons, how often, how long' '
	encode k.data <story && rows >got && printf "%s\n" HLT,2,35000,4000,31000 EPT_VIOLATION,1,25000,25000,25000 INVALID_STATE,1,1000,1000,1000 \
		IO_INSTRUCTION,1,10000,10000,10000 >expect && test_cmp expect got &&
	rows -k time >got && test "$(sed -n 4p got)" = INVALID_STATE,1,1000,1000,1000 &&
	rows --vcpu 0 >got && test "$(cut -d, -f1 got | tr "\n" " ")" = "EPT_VIOLATION IO_INSTRUCTION " && rows -p 7 >got && ! test -s got
'
test_expect_success 'devices: memory from the exit to the read, from the write to the entry; ports' '
	rows --event mmio >got && printf "%s\n" 0xfee00000:R,1,2000,2000,2000 0xfee00010:W,1,17000,17000,17000 >expect && test_cmp expect got &&
	rows --event ioport >got && echo 0x3f8:POUT,1,8000,8000,8000 >expect && test_cmp expect got
'
test_expect_success 'text and JSON' '
	cp k.data perf.data.guest && perf kvm stat report >out && test_grep "^ +HLT +2 +40.00% +49.30% +4.00us +31.00us +17.50us \( .-  77.14% \)$" out &&
	test_grep "^Total Samples:5, Total events handled time:71.00us.$" out && perf kvm stat report --json >out.json && python3 -m json.tool out.json >/dev/null
'
test_expect_success 'arm64: what kvm_exit tells there' '
	encode arm.data <<-\END && perf kvm -i arm.data stat report -x, | cut -d, -f1-3 >got && printf "%s\n" name,samples,total_ns DABT_LOW,2,12000 IRQ,1,3000 >expect &&
	arch aarch64
	event kvm:kvm_entry vcpu_pc:u64
	event kvm:kvm_exit ret:u32 esr_ec:u32 vcpu_pc:u64
	10 0 100 101 kvm:kvm_entry 0x1000
	20 0 100 101 kvm:kvm_exit 2 0x24 0x1000
	25 0 100 101 kvm:kvm_entry 0x1000
	30 0 100 101 kvm:kvm_exit 0 0 0x1000
	33 0 100 101 kvm:kvm_entry 0x1000
	40 0 100 101 kvm:kvm_exit 2 0x24 0x1000
	47 0 100 101 kvm:kvm_entry 0x1000
	END
	test_cmp expect got
'
test_expect_success 'what is wrong is said' '
	test_status 1 perf kvm stat report --event foo 2>err && test_grep "event: there is no .foo" err && test_grep "vmexit, mmio, ioport" err &&
	test_status 1 perf kvm stat report -k foo 2>err && test_grep "key: there is no .foo" err &&
	test_status 1 perf kvm -i "$TOP/tests/data/small/fp.data" stat report 2>err && test_grep "no events of virtual machines" err &&
	test_grep "perf kvm stat record" err && test_status 129 perf kvm 2>err && test_grep "needs a sub-command" err &&
	test_status 129 perf kvm stat 2>err && test_grep "needs a sub-command: record, report, live" err &&
	test_status 1 perf kvm --guestkallsyms nosuch -i "$TOP/tests/data/small/fp.data" report --stdio 2>err &&
	test_grep "^Error: cannot read the symbols of guests from .nosuch.: No such file or directory$" err
'
test_expect_success 'live: what is wrong is said' '
	test_status 1 perf kvm stat live --event foo true 2>err && test_grep "event: there is no .foo" err &&
	test_status 129 perf kvm stat live -d 0 true 2>err && test_grep "is not a delay between refreshes" err &&
	test_status 1 perf kvm stat live -p x true 2>err && test_grep "^Error: " err &&
	test_status 129 perf kvm stat live --duration x true 2>err && test_grep "duration" err
'
test_lazy_prereq KVM_EVENTS 'needs root and the tracepoints of kvm' 'test_have ROOT,TRACEFS && [ -e /sys/kernel/tracing/events/kvm/kvm_exit ]'
test_expect_success KVM_EVENTS 'live: tables while a command runs, and its exit status (with guests: tests/vm/v8720-kvm.sh)' '
	perf kvm stat live -d 0.2 sh -c "sleep 0.7; exit 3" >out 2>err; test $? = 3 &&
	test "$(grep -c "^# [0-9][0-9]:[0-9][0-9]:[0-9][0-9]$" out)" -ge 2 && test_grep "^Analyze events for all VMs, all VCPUs:" out && test_grep "VM-EXIT +Samples" out &&
	perf kvm stat live --json -d 60 true >out && python3 -m json.tool out >/dev/null
'
test_expect_success KVM_EVENTS 'live: without the tracepoints' '
	test_status 1 unshare -m sh -c "mount -t tmpfs none /sys/kernel/tracing/events/kvm && perf kvm stat live true" 2>err &&
	test_grep "^Error: no tracepoints of virtual machines" err && test_grep "modprobe kvm" err
'
test_expect_success 'report, buildid-list: of the recording of guests, of both, of the host' '
	cp "$TOP/tests/data/small/fp.data" perf.data.kvm && cp perf.data.kvm perf.data.host && perf kvm --host report --stdio >out && perf report --stdio -i perf.data.kvm >expect &&
	test_cmp expect out && perf kvm --host --no-guest buildid-list >out && perf buildid-list -i perf.data.host >expect && test_cmp expect out
'
# The shortest time of one virtual CPU is always 0 there.
test_expect_success NEWEST 'the same rows as the newest upstream has' '
	for seed in 1 2; do for isa in vmx svm; do
		random $seed $isa | encode r.data || return 1
		for o in "" "--event mmio" "--event ioport" "-k time" "-p 100" "--vcpu 1"; do
			"$NEWEST" kvm -i r.data stat report --stdio $o 2>&1 | grep -v "^unknown kvm exit" >theirs && perf kvm -i r.data stat report --stdio $o >ours || return 1
			{ [[ $o != --vcpu* ]] || sed -i -E "s/[0-9.]+us( +[0-9.]+us +[0-9.]+us \()/0.00us\1/" ours; } && sed -i "s/ *0.00us/ 0.00us/" ours theirs &&
			test_cmp theirs ours || { echo "$seed $isa $o"; return 1; }
		done
	done; done
'
test_done
