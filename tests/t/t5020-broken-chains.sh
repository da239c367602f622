#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='frame pointer chains that break: report says so and shows no made-up callers'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW,CC,X86_64

# leaf() runs with whatever is in the frame pointer: 1 (nothing to follow), or words that look like a frame with a return
# address where no code is. Self-made, because what a compiler keeps in that register changes from one to the next.
cat >chain.c <<'EOT'
#include <stdlib.h>
static volatile unsigned long sink;
static unsigned long no_frame[2] = { 0, 0x123456789abcUL };
__attribute__((noinline)) static void leaf(unsigned long bp, long n)
{
#ifdef BROKEN
	__asm__ volatile("xchg %0, %%rbp\n1:\tdec %1\n\tjnz 1b\n\txchg %0, %%rbp" : "+r"(bp), "+r"(n) : : "memory", "cc");
#else
	__asm__ volatile("1:\tdec %1\n\tjnz 1b" : "+r"(bp), "+r"(n) : : "memory", "cc");
#endif
	sink += bp;
}
__attribute__((noinline)) static void middle(unsigned long bp, long n) { leaf(bp, n); sink++; }
int main(int argc, char **argv)
{
	middle(argc > 1 && *argv[1] == 'g' ? (unsigned long)no_frame : 1, 200000000);
	return 0;
}
EOT
cc -O0 -g -fno-omit-frame-pointer -o fine chain.c &&
	cc -O1 -g -fomit-frame-pointer -fno-optimize-sibling-calls -DBROKEN -o broken chain.c || test_skip_all 'the compiler does not take the program'

record () { perf record -q -e cpu-clock:u -c 500000 "$@"; }
tree () { perf report --stdio --no-inline -i $1 --percent-limit 5 2>err; }

test_expect_success 'chains that are whole: no word' '
	record -g -o fine.data ./fine && tree fine.data >out && test_grep "main" out && test_grep "middle" out && test_cmp /dev/null err
'

test_expect_success 'leaf functions without callers: where, and what helps' '
	record -g -o alone.data ./broken alone && tree alone.data >out &&
	test_grep "^Warning: [0-9]+% of the user stacks break, .*in broken: that code has no frame pointers" err &&
	test_grep "^hint: record with --call-graph dwarf" err
'

test_expect_success 'their missing callers are one frame in report, and none in script' '
	perf report --stdio -i alone.data -g folded,0.5,caller --no-children >out 2>err && test_grep "% \[broken chain\];leaf$" out &&
	perf report --stdio -i alone.data -g caller --no-children >out 2>err && test_grep "^ +---\[broken chain\]" out &&
	perf report --stdio -i alone.data >out 2>err && test_grep " 0.00%  broken   \[unknown\] +\[.\] \[broken chain\]" out &&
	perf script -i alone.data -F ip,sym >out 2>err && test_grep -v "broken chain" out
'

test_expect_success 'the start of a program, and stacks that were cut to one frame on purpose, are not broken' '
	perf record -q -e cpu-clock/call-graph=fp,max-stack=1/u -c 500000 -o short.data ./fine && perf script --no-inline -i short.data -F ip,sym | awk "NF" | wc -l >n &&
	perf script -i short.data -F comm | wc -l >samples && test_cmp samples n &&
	perf report --stdio --dsos fine -i short.data >out 2>err && test_grep -v "broken chain" out && test_cmp /dev/null err &&
	perf report --stdio --dsos fine -i fine.data --max-stack 1 >out 2>err && test_grep -v "broken chain" out
'

test_expect_success 'callers that are no code are one frame in report' '
	record -g -o garbage.data ./broken garbage && tree garbage.data >out &&
	test_grep "\[broken chain\]" out && test_grep -v "0x123456" out && test_grep "of the user stacks break, .*in broken" err
'

test_expect_success 'script shows what was recorded' '
	perf script -i garbage.data -F ip,sym >out 2>err && test_grep "123456789abc" out && test_grep -v "broken chain" out &&
	test_cmp /dev/null err
'

test_expect_success 'the mark is in trees and rows, folded lines, JSON and CSV' '
	perf report --stdio -i garbage.data >out 2>err && test_grep "0.00%  broken   \[unknown\] +\[.\] \[broken chain\]" out &&
	perf report --stdio -i garbage.data -g folded >out 2>err && test_grep "\[broken chain\];leaf$" out &&
	perf report --stdio --json -i garbage.data >out 2>err && test_grep "\"symbol\":\"\[broken chain\]\"" out &&
	test_grep "\"frames\":\[\"\[broken chain\]\",\"leaf\"" out &&
	perf report --stdio -t, -g none --sort dso,sym -i garbage.data >out 2>err && test_grep "^ *[0-9.]+% *, *0.00% *,\[unknown\] *,\[.\] \[broken chain\]" out
'

# count FILE: recorded chains that break, and all: callers in no code, or no caller of what starts no thread
count () {
	perf script -i "$1" -F ip,sym,dso | awk 'BEGIN { RS = "" }
		{ n = split($0, l, "\n"); bad = 0; for (i = 1; i <= n; i++) if (l[i] ~ /\(\[unknown\]\)/) bad = 1
		  if (n == 1 && l[1] !~ / (_start|clone|__clone)/) bad = 1
		  all++; broken += bad } END { printf "%d of %d\n", broken, all }'
}
test_expect_success 'how many break: -v of report and script, --stats' '
	for f in fine alone garbage; do
		count $f.data >n && echo "recorded call chains: $(cat n) break in code without frame pointers" >want &&
		perf report -v --stdio -i $f.data 2>&1 >/dev/null | grep "^recorded" >got && test_cmp want got &&
		perf script -v -i $f.data 2>&1 >/dev/null | grep "^recorded" >got && test_cmp want got &&
		perf report --stats -i $f.data 2>err | awk "/^User stacks, recorded as call chains:/ { getline; w = \$1; getline; print \$1 \" of \" \$1 + w }" >got &&
		test_cmp n got || return 1
	done && test_grep "^[1-9]" n
'

test_expect_success 'dwarf stacks of the same program are whole' '
	record --call-graph dwarf -o dwarf.data ./broken garbage && tree dwarf.data >out && test_cmp /dev/null err &&
	test_grep -v "broken chain" out
'

test_done
