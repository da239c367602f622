#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='script -D: the packets of traces in the AUX area, Intel PT and ARM SPE'
. "$(dirname "$0")/lib.sh"

test_require PYTHON
export PYTHONPATH=$TOP/tests/t PYTHONDONTWRITEBYTECODE=1

cat >make.py <<'END2'
from ptenc import *
P = struct.pack
T, Q = (lambda *v: b''.join(v)), (lambda h, v: bytes([h]) + P('<Q', v & (1 << 64) - 1))
high = 0xffffffff81001234
pt = T(PSB, PAD * 3, mode_tsx(), mode_exec(), mode_exec(32, 1), mode_exec(16), mode_tsx(1, 0), mode_tsx(0, 1), ip(FUP, 0x401000), ip(FUP, high),
       ip(FUP, 0x7fff12345678, 4), ip(TIP, high, 6), ip(TIP, 0x1234, 1), ip(TIP, 0x12345678, 2), ip(PGD, 0, 0), ip(PGD, 0x1234, 1), ip(PGE, 0x401000),
       pip(0x1fea1a00), pip(0x1fea1a00, 1), vmcs(0x123456000), tsc(0xbc4cd2cfe8), tma(0xb23c, 0x30), tma(0xb23c, 0x130), cbr(0x1d), PSBEND,
       tnt('T'), tnt('TNTTNN'), PAD, tnt('NN'), PAD * 9, long_tnt('T'), long_tnt('TN' * 20), long_tnt('T' * 47), mtc(0x48), cyc(0), cyc(5), cyc(31),
       cyc(32), cyc(4095), cyc(4096), cyc(123456789), OVF, STOP, mnt(0x1122334455667788), ptw(0x123456789abcdef0), ptw(0x12345678, 4, 1), exstop(),
       exstop(1), mwait(0x60, 1), mwait(0x12345678, 3), pwre(0, 6, 2), pwre(1, 3, 1), pwrx(6, 7, 0x15), bbp(0, 4), bip(0, 0x1122334455667788),
       bip(31, 5), bep(), bbp(1, 5), bip(3, 0x11223344, 4), bep(1), bbp(1, 0x1f), bip(2, 7, 4), PSB, tnt('TN'), cfe(1, 0), cfe(1, 0x20, 1), cfe(31, 255),
       evd(0, 0xffff), evd(63, 1), b'\x02\x99\xd9\xff\x02\x03\x05\x01\x99\x40\xad', tnt('TN'), tsc(1)[:4])
# class 0: without the values that it does not tell, for which they repeat what stood there before
spe = T(b'\0\0\0', *[bytes([0x48 | c, b]) for c in range(4) for b in range(256) if c or not b & 0xf8 or b & 9 == 8],
        *[Q(0xb0 | i, top << 56 | a) for i in range(8) for top in (0, 0x20, 0xc0, 0xff, 0x0f) for a in (0, 0x80123456789a, 0xff0123456789ab)],
        *[bytes([h | i]) + P('<H', 0x123 + i) for h in (0x98,) for i in range(8)], *[bytes([0x64 | i]) + P('<I', 7 + i) for i in range(4)],
        *[bytes([0x20 | e]) + Q(0xb0 | i, 9) + bytes([0x20 | e, 0x98 | i]) + P('<H', 9) for e in range(4) for i in range(8)],
        *[bytes([0x42 | z << 4]) + P('<Q', (1 << 64) - 1)[:1 << z] for z in range(4)], *[b'\x62' + P('<I', 1 << b) for b in range(32)],
        b'\x43\x0e\x53\x34\x12', Q(0x71, 0x123456789a), b'\x01', bytes(21), b'\x20\0\0\0\0\0', *[bytes([h]) + b'\1' * 24 for h in range(256) if h != 0x21])
for name, info, trace in ('pt', pt_info(), pt), ('spe', spe_info(header=1), spe):
    recording(name + '.data', [attr(ST, kind=TYPE_PT)], [info, comm(ST, 100, 100, 'prog', time=1), auxtrace(trace), auxtrace(trace[:100], off=8)])
END2
python3 make.py || exit 1

for f in pt spe; do
	test_expect_success NEWEST "the same as upstream perf: $f" '
		"$NEWEST" script -D -i '$f'.data >upstream 2>err && perf script -D -i '$f'.data >ours 2>err && [ $(wc -l <ours) -gt 100 ] &&
		{ test_cmp upstream ours >diff || { head -n 60 diff; return 1; }; }
	'
done
test_expect_success 'packets, and what the recording says of its trace' '
	perf script -D -i pt.data >out 2>err && sed -n "/AUXTRACE_INFO/,/^$/p; /Processor Trace data/,/^$/p" out >text &&
	test_grep "^0 0 0x[0-9a-f]+ \[0x98\]: PERF_RECORD_AUXTRACE_INFO type: 1$" text && test_grep "^  Max non-turbo ratio 20$" text &&
	test_grep "^\.  00000000:  02 82 02 82 .* 02 82 PSB$" text && test_grep "  FUP 0x401000$" text && test_grep "  TNT TNTTNN \(6\)$" text &&
	test_grep "  CYC 0x75bcd15$" text && test_grep "  MWAIT 0x100000060 Hints 0x60 Extensions 0x1$" text && test_grep "  Bad packet!$" text &&
	perf script -D -i spe.data >out 2>err && test_grep "  LD SVE-SME-REG EVLEN 4096 PRED SG$" out && test_grep "  TS 78187493530$" out &&
	test_grep "  PC 0xff0123456789ab el2 ns=1$" out && perf report -D -i pt.data >out 2>err && test_grep "  TIP.PGE 0x401000$" out
'
test_expect_success 'what a trace ends in the middle of, and one that is larger than the file' '
	python3 - <<-\END2 &&
	from ptenc import *
	import struct
	for i, (info, t) in enumerate([(pt_info(), tsc(7) + cyc(1 << 40)), (spe_info(header=1), b"\x71" + bytes(7) + b"\xb0\1\2\3\4\5\6\7")]):
	    recording("cut%d.data" % i, [attr(ST, kind=TYPE_PT)], [info, auxtrace(t)[:-3], b"\xff\xff\xff"])
	recording("short.data", [attr(ST, kind=TYPE_PT)], [record(AUX_INFO, 0, b""), record(AUX_INFO, 0, struct.pack("<IIQ", 1, 0, 6)), auxtrace(tsc(7))])
	recording("huge.data", [attr(ST, kind=TYPE_PT)], [pt_info(), record(AUXTRACE, 0, struct.pack("<QQQIIII", 1 << 40, 0, 0, 0, 1, 0, 0))])
	END2
	for f in cut0 cut1 short huge; do
		perf script -D -i $f.data >$f.out 2>$f.err; [ $? -lt 2 ] || return 1
	done &&
	test_grep "  TSC 0x7$" cut0.out && test_grep "  Bad packet!$" cut1.out && test_grep "^  PMU Type            6$" short.out && test_grep "  TSC 0x7$" short.out
'
test_expect_success CORPUS,NEWEST 'a trace of a real CPU: all its packets' '
	F=$CORPUS/perf_data_converter-perf.data.intel_pt-4.14-af0962/perf.data
	[ -e "$F" ] || { test_skip "not in this corpus"; return; }
	for p in "$NEWEST" perf; do $p script -D -f -i "$F" 2>err | grep "^\.  0[0-9a-f]*:  .. " >packets.$(basename $p) || return 1; done &&
	[ $(wc -l <packets.perf) -gt 80000 ] && test_cmp packets.$(basename "$NEWEST") packets.perf
'

test_done
