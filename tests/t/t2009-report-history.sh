#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf report --branch-history: branches as parts of call chains, as the newest upstream perf'
. "$(dirname "$0")/lib.sh"

test_require CC,X86_64,OBJDUMP,PYTHON
. "$TEST_DIR/kinds.sh"
paths () { py branchpaths.py loop loop "$@" || exit 1; }
paths flags.data '3:3:10>2/5;11>12/0/m;30>31/7/a' '3:3:10>2/6/m;11>12/0/m;30>31/9' '3:3:10>2/6/x;11>12/0/a;30>31/0'
# More words in the chain than branches; rounds of loops that repeat in both samples.
paths deep.data '3:3,20,25,11,12,13,14:10>2/5;11>12/6'
paths rounds.data $(for i in 1 2 3 4; do echo '3:10:10>2/5;10>2/9;10>2/9;11>12/6;30>31/7'; done)
# Places that have the same slot in the small table by which 7.2 finds where a branch comes from: there it sees no loop.
paths slot.data '3:10:10>2/5;=0>=0/3;=0>=0/4;30>31/7'

same () {
	local file=$1
	shift
	same_report $file --branch-history "$@"
}

# The columns Predicted, Abort and Cycles are compared below: 7.2 divides by both ends of each branch.
test_expect_success NEWEST 'chains of branches' 'all 22 <<-\EOT
	loop.data -s comm
	loop.data -s dso,sym
	loop.data -s dso,sym,srcline
	loop.data -s comm -g callee
	loop.data -s srcline -g caller
	loop.data -s comm -G --no-children
	loop.data -s comm -g graph,0.5,3
	loop.data -s comm -g fractal
	loop.data -s comm -g flat
	loop.data -s comm -g folded -t ,
	loop.data -s comm -g folded,count
	loop.data -s comm -n --show-total-period
	far.data -s comm
	far.data -s dso -g callee
	far.data -s srcline,sym,dso -g callee
	flags.data -s comm --no-children
	flags.data -s comm --no-children -g caller
	deep.data -s comm --no-children
	deep.data -s comm --no-children -g caller
	rounds.data -s sym --no-children -g flat
	far.data --percent-limit 60 -s dso
	loop.data -s comm --max-stack 200
	EOT
'
# 7.2 has the same chains there, and nothing that tells two files apart in which an address was.
lines () {
	sed -E -e "s/ ?iter:[0-9]+ avg_cycles:[0-9]+//; s/ \(\)//; s/(%--|---| )[^ |]*\+0x[0-9a-f]+/\1ADDR/; s/0x[0-9a-f]+/ADDR/" $1 |
		sort | uniq -c
}
same_unnamed () {
	same raw.data --no-children -s comm -g $1 >diff || :
	[ "$(wc -l <expect)" -gt 800 ] && lines expect >e && lines actual >a || return 1
	diff e a >differ || [ "$(grep -c "^[<>]" differ)" -le 12 ] || { cat differ; return 1; }
}
test_expect_success NEWEST 'chains in code without names: the address, in its file' '
	[ ! -e raw.data ] || { same_unnamed callee && same_unnamed caller; }
'
test_expect_success 'columns: of each branch once, and what its source tells' '
	perf report --stdio --branch-history -i flags.data --no-children >out &&
	test_grep "^ +100.00%  loop\+3 +\[.\] loop  loop +55.6% +2 +3 +- +- *$" out &&
	test_grep "loop \+2 \(predicted:33.3%\)$" out && test_grep "loop \+12 \(predicted:33.3% abort:33.3%\)$" out && test_grep "loop \+30 \(cycles:5\)$" out &&
	perf report --stdio --branch-history -i far.data -s dso,callchain_branch_predicted,callchain_branch_cycles >out && test_grep "^ +100.00%  loop +60.0% +4940 *$" out &&
	perf report --json --branch-history -i flags.data --no-children >json && python3 -c "
import json
row = json.load(open(\"json\"))[\"events\"][0][\"rows\"][0]
assert (round(row[\"callchain_branch_predicted\"], 1), row[\"callchain_branch_abort\"], row[\"callchain_branch_cycles\"]) == (55.6, 2, 3), row
found = []
def walk(nodes):
    for n in nodes:
        if \"branches\" in n:
            assert len(n[\"branches\"]) == len(n[\"frames\"]), n
            found.extend(b for b in n[\"branches\"] if b)
        walk(n.get(\"children\", []))
walk(row[\"callgraph\"])
assert {\"targets\": 3, \"predicted\": 1} in found and {\"targets\": 3, \"predicted\": 1, \"aborts\": 1} in found, found
assert any(b.get(\"sources\") and b[\"cycles\"] // b[\"sources\"] == 5 for b in found), found"
'
# 7.2: "iter" is of all samples but one, and so 1.33 here, and nothing of one sample.
test_expect_success 'rounds of a loop are left out, also where 7.2 misses them' '
	perf report --stdio --branch-history -i rounds.data -s comm --no-children >out &&
	test_grep "^ +loop \+10 \(cycles:9 iter:1 avg_cycles:9\)$" out &&
	perf report --stdio --branch-history -i slot.data -s comm --no-children >out && [ "$(grep -c "^ *0\( .*\)\?$" out)" = 2 ] &&
	test_grep "loop \+30 \(cycles:7 iter:1 avg_cycles:4\)$" out
'
test_expect_success 'any number of threads shows the same' '
	for f in loop.data flags.data raw.data; do
		[ -e $f ] || continue
		perf report --stdio --branch-history --jobs 1 -i $f >one 2>/dev/null && perf report --stdio --branch-history --jobs 3 -i $f >three 2>/dev/null && cmp one three || return 1
	done
'
test_expect_success 'what cannot be shown is said' '
	test_must_fail perf report --branch-history -i bare.data 2>err && test_grep "^Error: --branch-history was given, but .bare.data. has no branch stacks$" err &&
	test_must_fail perf report -i loop.data -s callchain_branch_cycles 2>err && test_grep "^Error: .callchain_branch_cycles. is of branches in call chains$" err && test_grep "branch-history" err
'
# 10 samples of cycles with chains of main and loop, then of instructions without; in another thread there are no chains at all.
test_expect_success '--show-ref-call-graph: the chain of the sample before it in its thread' '
	PYTHONPATH="$TEST_DIR" PYTHONDONTWRITEBYTECODE=1 python3 - <<-\PY &&
	import os, struct, subprocess
	import perfdata as p
	ST = p.IP | p.TID | p.TIME | p.PERIOD | p.IDENTIFIER
	at = {s.split()[2]: int(s.split()[0], 16) for s in subprocess.run(["nm", "loop"], capture_output=True, text=True).stdout.split("\n") if len(s.split()) == 3}
	page = at["loop"] & ~0xfff
	out = [p.comm(ST, 7, 7, "ref", time=1), p.comm(ST, 7, 8, "other", time=1),
	       p.mmap2(ST, 7, page, 0x1000, page - 0x400000, os.path.abspath("loop"), time=2)]
	def sample(ident, ip, tid, chain=()):
	    b = struct.pack("<QQIIQQ", ident, ip, 7, tid, 1000 * len(out), 1000)
	    words = [(1 << 64) - 512, *chain]
	    out.append(p.record(p.SAMPLE, p.USER, b + (struct.pack("<Q%dQ" % len(words), len(words), *words) if ident == 1 else b"")))
	for i in range(10):
	    sample(1, at["loop"] + 3, 7, (at["loop"] + 3, at["main"] + 5))
	for i in range(4):
	    sample(2, at["loop"] + 4, 7)
	for i in range(2):
	    sample(2, at["loop"] + 4, 8)
	attrs = [p.attr(ST | p.CALLCHAIN, kind=0), p.attr(ST, kind=0, config=1)]
	p.recording("ref.data", attrs, out)
	PY
	perf report --stdio --no-children -s comm,sym -g caller -i ref.data --show-ref-call-graph >out && sed -n "/instructions/,\$p" out >second &&
	test_grep "^ +66.67%  ref +\[.\] loop" second && test_grep "^ +---main$" second && test_grep "^ +33.33%  other +\[.\] loop" second && [ "$(grep -c "main$" second)" = 1 ] &&
	perf report --stdio --no-children -s comm,sym -g caller -i ref.data >out && sed -n "/instructions/,\$p" out >second && test_grep -v "main$" second
'
test_done
