#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='traces of ARM SPE become samples: script, report, mem report'
. "$(dirname "$0")/lib.sh"

test_require PYTHON
export PYTHONPATH=$TOP/tests/t PYTHONDONTWRITEBYTECODE=1

cat >make.py <<'END'
from speenc import *
import itertools
few = Trace()
few.add(op(*LOAD), ev(RETIRED | L1 | TLB), va(0x7f0000001000), pa(0x1000), lat(0, 20), lat(1, 5), lat(2, 3), src(0))
few.add(op(*STORE), ev(RETIRED | L1 | L1_MISS | TLB | TLB_MISS), va(0x7f0000001008), lat(0, 30))
few.add(op(*LOAD), ev(RETIRED | L1 | L1_MISS | LLC | LLC_MISS | REMOTE), va(0x7f0000002008), lat(0, 300), src(14))
few.branch(1, RETIRED | MISSED)
few.branch(8)
few.add(op(0, 0), ev(RETIRED))
few.add(ctx(200), op(*LOAD), ev(L1), va(0x0b00000000003000), lat(0, 4))
few.add(op(*LOAD), ev(L1), va(0xff00ffff80003000), lat(0, 4), at=pc(0xffff8000001000, 1))
spe_recording('few.data', few.data)
spe_recording('few-n1.data', few.data, N1)
all = Trace()
for kind in LOAD, STORE, OTHER, BRANCH, (0, 4), (0, 8), (2, 8), (1, 0x10):
    for n in range(4):
        for bits in itertools.combinations((L1, L1_MISS, TLB, TLB_MISS, LLC, LLC_MISS, REMOTE, L2, L2_MISS, MODIFIED, RECENT, SNOOPED), n):
            all.access(kind, sum(bits))
for kind in LOAD, STORE:
    for n in range(33):
        for bits in 0, L1 | L1_MISS, SNOOPED | L1, LLC | REMOTE:
            all.access(kind, bits, src(n))
for kind in range(256):
    for bits in 0, NOT_TAKEN, MISSED, NOT_TAKEN | MISSED:
        all.branch(kind, bits)
    all.access((0, kind), L1)
for top in (0, 0x0b, 0xf0, 0xff), :
    for t, low in itertools.product(top, (0, 0x0f, 0x80, 0xf0, 0xff)):
        all.add(op(*LOAD), ev(L1), va(t << 56 | low << 48 | 0x1000))
for el, ns in itertools.product(range(4), (0, 1)):
    all.add(op(2, 0), ev(0), tgt(0xff800000001000, el, ns), at=pc(0x00ff8000001000, el, ns))
branches = Trace()
for kind in range(32):
    for bits in 0, NOT_TAKEN, MISSED, NOT_TAKEN | MISSED:
        branches.branch(kind, bits)
        branches.add(op(2, kind), ev(bits), previous(0x400800 + kind))
branches.add(op(2, 0), ev(0), tgt(0x402000, 1), at=pc(0xffff8000001000, 1))
for kind in LOAD, BRANCH:
    branches.add(op(*kind), ev(L1), previous(0xff800000001000, 1))
spe_recording('branches.data', branches.data)
for name, midr in ('old', None), ('n1', N1), ('ampere', AMPERE1A), ('hip', HIP12), ('a57', 0x410fd070):
    spe_recording(name + '.data', ctx(100) + all.data, midr)
END
python3 make.py || exit 1

test_expect_success 'each record is a sample of all that it was' '
	perf script --ns -i few.data -F pid,tid,cpu,time,event,ip,addr,weight,flags >out 2>err && sed "s/  */ /g; s/^ //; s/ $//" out >got && cat >want <<-\END &&
	100/100 [000] 0.000001000: l1d-access: 7f0000001000 20 400000
	100/100 [000] 0.000001000: tlb-access: 7f0000001000 20 400000
	100/100 [000] 0.000001000: memory: 7f0000001000 20 400000
	100/100 [000] 0.000001000: instructions: 0 20 400000
	100/100 [000] 0.000001001: l1d-miss: 7f0000001008 30 400004
	100/100 [000] 0.000001001: l1d-access: 7f0000001008 30 400004
	100/100 [000] 0.000001001: tlb-miss: 7f0000001008 30 400004
	100/100 [000] 0.000001001: tlb-access: 7f0000001008 30 400004
	100/100 [000] 0.000001001: memory: 7f0000001008 30 400004
	100/100 [000] 0.000001001: instructions: 0 30 400004
	100/100 [000] 0.000001002: l1d-miss: 7f0000002008 300 400008
	100/100 [000] 0.000001002: l1d-access: 7f0000002008 300 400008
	100/100 [000] 0.000001002: llc-miss: 7f0000002008 300 400008
	100/100 [000] 0.000001002: llc-access: 7f0000002008 300 400008
	100/100 [000] 0.000001002: remote-access: 7f0000002008 300 400008
	100/100 [000] 0.000001002: memory: 7f0000002008 300 400008
	100/100 [000] 0.000001002: instructions: 0 300 400008
	100/100 [000] 0.000001003: branch: jcc/miss/ 402000 0 40000c
	100/100 [000] 0.000001003: instructions: jcc/miss/ 402000 0 40000c
	100/100 [000] 0.000001004: branch: call 402000 0 400010
	100/100 [000] 0.000001004: memory: 0 0 400010
	100/100 [000] 0.000001004: instructions: call 402000 0 400010
	100/100 [000] 0.000001005: instructions: 0 0 400014
	200/200 [000] 0.000001006: l1d-access: 3000 4 400018
	200/200 [000] 0.000001006: memory: 3000 4 400018
	200/200 [000] 0.000001006: instructions: 0 4 400018
	200/200 [000] 0.000001007: l1d-access: ffff80003000 4 ffffff8000001000
	200/200 [000] 0.000001007: memory: ffff80003000 4 ffffff8000001000
	200/200 [000] 0.000001007: instructions: 0 4 ffffff8000001000
	END
	test_cmp want got && test ! -s err
'

src () { perf script -i $1 --itrace=M -F ip,data_src | sed 's/ *$//; s/^ *[0-9a-f]* |//; s/  */ /g; s/ [0-9a-f]*$//'; }
test_expect_success 'where data came from: what events say, and the numbers of CPUs that are known' '
	src few.data >got && cat >want <<-\END && test_cmp want got &&
	OP LOAD|LVL L1 hit|SNP N/A|TLB Walker hit|LCK No|BLK N/A
	OP STORE|LVL L1 miss|SNP N/A|TLB Walker miss|LCK No|BLK N/A
	OP LOAD|LVL Remote L3 miss|SNP N/A|TLB N/A|LCK No|BLK N/A
	OP N/A|LVL N/A|SNP N/A|TLB N/A|LCK No|BLK N/A
	OP LOAD|LVL L1 hit|SNP N/A|TLB N/A|LCK No|BLK N/A
	OP LOAD|LVL L1 hit|SNP N/A|TLB N/A|LCK No|BLK N/A
	END
	src few-n1.data >got && sed "s/LVL L1 hit|SNP N.A/LVL L1 hit|SNP None/; s/STORE|LVL L1 miss/STORE|LVL N\/A/; s/L3 miss|SNP N.A/RAM hit|SNP None/; s/N.A|LVL N.A|SNP N.A|TLB N.A/N\/A|LVL L1 hit|SNP None|TLB N\/A/" want >want-n1 && test_cmp want-n1 got
'

test_expect_success 'only what is asked for, and each third record' '
	count () { perf script -i few.data "$@" -F event | sed "s/ *//; s/: *$//" | sort | uniq -c | tr -s " \n" " " ; } &&
	count --itrace=f >got && echo -n " 5 l1d-access 2 l1d-miss " >want && test_cmp want got &&
	count --itrace=bM >got && echo -n " 2 branch 6 memory " >want && test_cmp want got &&
	count --itrace=mta >got && echo -n " 1 llc-access 1 llc-miss 1 remote-access 2 tlb-access 1 tlb-miss " >want && test_cmp want got &&
	count --itrace=bi3i >got && echo -n " 2 instructions " >want && test_cmp want got &&
	test_must_fail perf script -i few.data --itrace=i100us 2>err && test_grep "a trace of ARM SPE has no period of time" err && test_grep "i10i takes" err
'

test_expect_success 'report, and mem report' '
	perf report -i few.data --stdio --itrace=fi1i --no-children -s comm,dso >out 2>err && test_grep "Samples: 2  of event .l1d-miss." out &&
	test_grep "100.00%  prog  *prog" out && perf mem report -i few.data --stdio >out 2>err && test_grep "Remote L3 miss" out &&
	perf script --no-itrace -i few.data >out 2>err && test ! -s out && test_grep "ARM SPE data are not decoded" err
'

test_expect_success 'inject: the same samples in a file that has no trace' '
	perf script --ns -F comm,pid,tid,cpu,time,event,ip,period -i old.data >want && perf inject --itrace -i old.data -o plain.data &&
	perf script --ns -F comm,pid,tid,cpu,time,event,ip,period -i plain.data >got && test_cmp want got && [ $(wc -l <got) -gt 9000 ] &&
	perf evlist -i plain.data >out && test_grep "^l1d-miss$" out && perf script -D -i plain.data >out && ! grep -q AUXTRACE out
'

test_expect_success 'last branches: the one sampled, and the one before it' '
	perf script -i branches.data --itrace=i1il -F ip,brstack >out && sed "s/  */ /g; s/ *$//" out | sed -n "1,4p; 9,10p; 70,71p; \$p" >got &&
	cat >want <<-\END && test_cmp want got &&
	 400000 0x400000/0x402000/P/-/-/0//-
	 400004 0x400004/0x0/P/-/-/0//- 0x0/0x400800/-/-/-/0//-
	 400008 0x400008/0x402000/PN/-/-/0//-
	 40000c 0x40000c/0x0/PN/-/-/0//- 0x0/0x400800/-/-/-/0//-
	 400020 0x400020/0x402000/P/-/-/0/COND/-
	 400024 0x400024/0x0/P/-/-/0/COND/- 0x0/0x400801/-/-/-/0//-
	 400114 0x400114/0x0/M/-/-/0/CALL/- 0x0/0x400808/-/-/-/0//-
	 400118 0x400118/0x402000/MN/-/-/0/CALL/-
	 400408 0x400408/0x0/P/-/-/0//- 0x0/0xffff800000001000/-/-/-/0//-
	END
	perf script -i branches.data --itrace=i1ig -F ip,brstack >out && ! grep -q / out &&
	perf inject --itrace=i1il -i branches.data -o plain.data && perf script -i plain.data -F ip,brstack >got &&
	perf script -i branches.data --itrace=i1il -F ip,brstack >want && test_cmp want got
'

test_expect_success 'damaged traces end, and are not invented' '
	python3 - <<-\END &&
	from speenc import *
	import random
	random.seed(7)
	for i in range(40):
	    t = bytearray(b"".join(pc(0x400000) + op(1, 0) + ev(L1) + va(16) + ts(9 + k) for k in range(20)))
	    for k in range(12):
	        t[random.randrange(len(t))] = random.randrange(256)
	    spe_recording("bad%d.data" % i, bytes(t[:random.randrange(len(t))]), random.choice([None, N1]))
	END
	for i in $(seq 0 39); do perf script -i bad$i.data >out 2>err; [ $? -lt 128 ] || return 1; done
'

. "$TEST_DIR/alike.sh"
raw_fields () { "$NEWEST" script -D -i $1 2>err | sed -n "/SAMPLE/s/0x[0-9a-f]* .0x/0x/p; /weight\|data_src\|addr/p"; }

for f in few few-n1 old n1 ampere hip a57; do
	test_expect_success NEWEST "as upstream 7.2 has it: $f" '
		for o in "--ns -F comm,pid,tid,cpu,time,event,ip,addr,data_src,weight,flags,period" "" --itrace=bi3i "--itrace=fM --ns" "--itrace=i1i -F +addr,+flags"; do
			alike script -i '$f'.data $o && test -s theirs || return 1
		done &&
		"$NEWEST" inject --itrace=bfmtMai1i -i '$f'.data -o theirs.data 2>err && perf inject --itrace=bfmtMai1i -i '$f'.data -o ours.data 2>err &&
		for p in "$NEWEST" perf; do
			for how in "script --ns -F comm,pid,tid,cpu,time,event,ip,period" evlist "report --stdio -q -s comm,dso,cpu"; do
				alike_results $p $how || return 1
			done || return 1
		done &&
		raw_fields theirs.data >theirs && raw_fields ours.data >ours && test_cmp theirs ours
	'
done

test_expect_success NEWEST 'as upstream 7.2 has it: last branches' '
	for o in i1il bMli1i fl i1igl bl; do
		alike script --ns -i branches.data --itrace=$o -F event,time,ip,addr,flags,brstack && test -s theirs || return 1
	done &&
	for p in "$NEWEST" perf; do
		$p inject --itrace=bfMli1i -i branches.data -o $(basename $p).data 2>err || return 1
	done && mv $(basename "$NEWEST").data theirs.data && mv perf.data ours.data && alike_results "$NEWEST" script -F event,ip,brstack &&
	"$NEWEST" evlist -v -i theirs.data | sed "s/size: [0-9]*//" >theirs && "$NEWEST" evlist -v -i ours.data | sed "s/size: [0-9]*//" >ours && test_cmp theirs ours
'

test_done
