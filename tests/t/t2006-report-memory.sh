#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf report --mem-mode: accesses to memory, against the newest upstream perf'
. "$(dirname "$0")/lib.sh"

test_require PYTHON
test_require CC

made () { python3 "$TOP/tests/t/memory.py" memprog "$@"; }
# Columns as wide as what is in them: upstream's are as wide as what it saw while reading.
rows () { grep -av -e "Tip:" -e "^#\$" -e "^\$" | sed 's/   */  /g; s/ *$//; s/\.\.\.*/../g'; }
same_as_newest () {	# same_as_newest FILE OPTIONS...
	local file=$1
	shift
	"$NEWEST" report --stdio --no-inline --mem-mode -i "$file" "$@" 2>/dev/null | rows >expect &&
	perf report --stdio --no-inline --mem-mode -i "$file" "$@" 2>err | rows >actual &&
	[ "$(wc -l <expect)" -gt 4 ] && test_cmp expect actual
}

test_expect_success 'a program and its accesses' '
	cat >memprog.c <<-\EOF &&
	static char table[256] = { 1 };
	long big[100];
	int counter[64];
	__attribute__((noinline)) void hot(void) { counter[1]++; big[2]++; }
	__attribute__((noinline)) void cold(void) { table[3]++; }
	int main(void) { hot(); cold(); return table[4]; }
	EOF
	cc -O1 -g -no-pie -fno-pie -o memprog memprog.c && made mem.data
'
test_expect_success 'rows, their weights, and where the data lie' '
	perf report --stdio -q --mem-mode -i mem.data -s mem,snoop,tlb,locked,blocked >out && sed "/^\$/d; s/   */  /g" out >got &&
	cat >expect <<-EOF && test_cmp expect got &&
	  60.21%  RAM hit  Miss  Walker miss  No  N/A
	  19.70%  L3 hit  HitM  L2 hit  No  N/A
	  8.21%  L1 hit  None  L1 or L2 hit  Yes  N/A
	  7.22%  LFB/MAB miss  None  L1 or L2 hit  Yes  Data
	  4.54%  L1 hit  None  L1 or L2 hit  No  N/A
	  0.11%  N/A  N/A  N/A  No  N/A
	EOF
	perf report --stdio --mem-mode -i mem.data -s symbol_daddr,dso_daddr >out && test_grep "^# Total weight : 1827$" out &&
	test_grep "^# Sort order   : symbol_daddr,dso_daddr$" out && ! grep "Event count" out && test_grep "32.84%  .\.. table.0x64  +memprog" out &&
	test_grep "7.22%  .\.. big.0x10  +memprog" out && test_grep "27.37%  .\.. 0x0000000000999900  .unknown. *$" out
'
test_expect_success 'lines of the cache: by the first variable in each, as far from it as the line begins' '
	perf report --stdio -q --mem-mode -i mem.data -s dcacheline >out && line=$((0x$(nm memprog | sed -n "s/ . table\$//p") & 63)) &&
	test_grep "\[\.\] table\+0x$(printf %x $(((line + 100) / 64 * 64 - line))) *$" out && test_grep "\[X\] 0x0000000000999900 *$" out && test_grep "\[\.\] 0x0000000008000100 *$" out &&
	if [ $line = 0 ]; then test_grep "\[\.\] table\+0x0 *$" out; else test_grep "\[\.\] table-0x$(printf %x $line) *$" out; fi
'
test_expect_success 'as data' '
	perf report --json --mem-mode -i mem.data -s mem,weight,local_weight,data_page_size >out && python3 - <<-\PY
	import json
	e = json.load(open("out"))["events"][0]
	assert e["period"] == 1827, e["period"]
	r = e["rows"][0]
	assert (r["mem"], r["weight"], r["local_weight"], r["data_page_size"]) == ("RAM hit", 600, 300, 4096), r
	PY
'
test_expect_success 'what cannot be' '
	test_status 1 perf report --stdio --mem-mode -b -i mem.data 2>err && test_grep "mem-mode and -b are two kinds of rows" err &&
	test_status 1 perf report --stdio --mem-mode -i "$TOP/tests/data/small/fp.data" 2>err && test_grep "has no data addresses$" err &&
	test_grep "^Hint: record with: perf record -d" err
'
test_expect_success 'how many threads read it decides nothing' '
	perf report --stdio --mem-mode -i mem.data --jobs 1 >a && perf report --stdio --mem-mode -i mem.data --jobs 4 >b && test_cmp a b
'
# Left out: where upstream subtracts a variable's address in memory from a place in the file (dcacheline), the column of IPC with
# nothing in it that it adds to every "symbol...", rows of each address of a function (symbol_iaddr), and 1G, which it calls 1024M.
test_expect_success NEWEST 'as the newest upstream perf' '
	while read -r o; do
		same_as_newest mem.data $o || { echo "options: $o"; return 1; }
	done <<-\EOF

	-s mem
	-s mem,snoop,tlb,locked,blocked
	-s locked,blocked
	-s snoop,tlb -n --show-total-period
	-s dso_daddr
	-s phys_daddr
	-s data_page_size,code_page_size
	-s weight,local_weight,ins_lat,local_ins_lat
	-s p_stage_cyc,local_p_stage_cyc
	-s +pid
	-s snoop -F +period
	-F overhead,sample,period,weight1,weight2,weight3
	-F overhead,dso_daddr,tlb
	-s comm,mem -H
	-s sym,mem --percent-limit 10
	-t, -s mem,locked
	EOF
'
# 7.2 adds what it cannot tell apart by a part of the bits to another row ("L1 hit" and "L2 MHB hit" are one), and knows no key that
# --fields does not have.
test_expect_success NEWEST 'shares by class of access: as the newest upstream perf, byte by byte' '
	PYTHONDONTWRITEBYTECODE=1 python3 "$TEST_DIR/memdata.py" plain.data && same () {
		"$NEWEST" mem report --stdio -i $1 $2 2>/dev/null | grep -v Tip: | sed -e :a -e "/^[#\n]*\$/{\$d;N;ba" -e "}" >expect && [ "$(wc -l <expect)" -gt 15 ] &&
		perf mem report --stdio -i $1 $2 2>err | grep -v Tip: | sed -e :a -e "/^[#\n]*\$/{\$d;N;ba" -e "}" >actual && test_cmp expect actual
	} &&
	while read -r o; do
		same plain.data "$o" || { echo "options: $o"; return 1; }
	done <<-\EOF &&
	-s comm -F overhead,op,cache,memory,snoop,dtlb
	-F overhead,cache,comm
	-F overhead,op,memory -s local_weight -x ,
	-F overhead,op,memory -s local_weight -w 12
	-F op,overhead -s local_weight
	-F overhead,sample,op -s tlb
	-F overhead,dtlb -s comm,local_weight
	-F +op -s comm
	-s comm -p
	-s comm --data-page-size
	-s comm
	EOF
	python3 - >src <<-\PY && made classes.data $(cat src) && same classes.data "-s local_weight -F overhead,op,cache,memory,snoop,dtlb"
	v = list(range(32)) + [2 | n << 33 | l << 5 for n in range(16) for l in (1, 2, 8)] + [2 | s << 19 | x << 38 for s in range(32) for x in range(3)]
	print(" ".join("%x" % x for x in v + [2 | t << 26 for t in range(128)]))
	PY
'
test_expect_success 'shares by class of access: as data, and where there are none' '
	perf mem report --json -i mem.data -F overhead,op,dtlb,sym >json && python3 -c "
import json
r = json.load(open(\"json\"))[\"events\"][0][\"rows\"]
assert abs(sum(sum(x[\"op\"].values()) for x in r) - 100) < .01 and abs(sum(r[0][\"dtlb\"].values()) - r[0][\"overhead\"]) < .01, r" &&
	test_status 1 perf report -i mem.data -F overhead,op 2>err && test_grep "^Error: .op. is a column of accesses to memory$" err && test_grep "perf mem report -F op" err
'
test_expect_success NEWEST 'all that a CPU may say: as the newest upstream perf' '
	python3 - >src <<-\PY &&
	lvl, snp, lck, tlb, num, rem, snx, blk, hop = 5, 19, 24, 26, 33, 37, 38, 40, 43
	v = [2 | 1 << b << lvl | hit << lvl for b in range(3, 14) for hit in (0, 2, 4, 6)]
	v += [2 | l << lvl | n << num | r << rem | h << hop for l in (0, 2, 4) for n in range(16) for r in (0, 1) for h in (0, 1, 2, 3, 4)]
	v += [2 | s << snp | x << snx for s in range(32) for x in range(4)] + [2 | t << tlb for t in range(128)]
	v += [2 | l << lck | b << blk for l in range(4) for b in range(8)]
	print(" ".join("%x" % x for x in v))
	PY
	made all.data $(cat src) && same_as_newest all.data -s mem,snoop,tlb,locked,blocked,dcacheline,local_weight
'
for d in "$CORPUS"/*/; do
	case $d in *hotspot-perf.data.old*|*hotspot-perf.data.true.v2*) ;; *) continue ;; esac
	test_expect_success CORPUS,NEWEST "$(basename "$d"): as the newest upstream perf" '
		same_as_newest "$d/perf.data" -g none --symfs /nonexistent -s local_weight,mem,dso,dso_daddr,snoop,tlb,locked,blocked
	'
done

test_done
