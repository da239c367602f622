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
static unsigned long last_frame[2], kept;
/* known: a word that is no code, and after it middle's own frame. */
__attribute__((noinline)) static void middle(unsigned long bp, long n, int known)
{
	if (known) {
		no_frame[0] = (unsigned long)__builtin_frame_address(0);
		bp = (unsigned long)no_frame;
	}
	leaf(bp, n);
	sink++;
}
/* zero: after the stack a frame of zeros. */
__attribute__((noinline)) int main(int argc, char **argv)
{
	unsigned long *frame = __builtin_frame_address(0);

	kept = *frame;
	if (argc > 1 && *argv[1] == 'z')
		*frame = (unsigned long)last_frame;
	middle(argc > 1 && *argv[1] == 'g' ? (unsigned long)no_frame : 1, 200000000, argc > 1 && *argv[1] == 'k');
	*frame = kept;
	return 0;
}
EOT
cc -O0 -g -fno-omit-frame-pointer -o fine chain.c &&
	cc -O0 -g -fno-omit-frame-pointer -DBROKEN -o part chain.c &&
	cc -O1 -g -fomit-frame-pointer -fno-optimize-sibling-calls -DBROKEN -o broken chain.c &&
	cc -O1 -s -fomit-frame-pointer -fno-optimize-sibling-calls -DBROKEN -o stripped chain.c || test_skip_all 'the compiler does not take the program'

# chains of frame pointers: -g alone would mend them
record () { perf record -q -e cpu-clock:u -c 500000 "$@"; }
tree () { perf report --stdio --no-inline -i $1 --percent-limit 5 2>err; }

test_expect_success 'chains that are whole: no word' '
	record --call-graph fp -o fine.data ./fine && tree fine.data >out && test_grep "main" out && test_grep "middle" out && test_cmp /dev/null err
'

test_expect_success 'leaf functions without callers: where, and what helps' '
	record --call-graph fp -o alone.data ./broken alone && tree alone.data >out &&
	test_grep "^Warning: [0-9]+% of the user stacks break, .*in broken: that code has no frame pointers \(record with --call-graph dwarf\)$" err
'

# In its first instructions a function still has its caller's frame: now and then a sample is whole.
test_expect_success 'their missing callers are one frame in report, and none in script' '
	perf report --stdio -i alone.data -g folded,0.5,caller --no-children >out 2>err && test_grep "% \[broken chain\];leaf$" out &&
	perf report --stdio -i alone.data -g caller --no-children >out 2>err && test_grep "^ +(---|[|] +--9[0-9.]+%--|--9[0-9.]+%--)\[broken chain\]" out &&
	perf report --stdio -i alone.data >out 2>err && test_grep " 0.00%  broken   \[unknown\] +\[.\] \[broken chain\]" out &&
	perf script -i alone.data -F ip,sym >out 2>err && test_grep -v "broken chain" out
'

test_expect_success 'the start of a program, and stacks that were cut to one frame on purpose, are not broken' '
	perf record -q -e cpu-clock/call-graph=fp,max-stack=1/u -c 500000 -o short.data ./fine && perf script --no-inline -i short.data -F ip,sym | awk "NF" | wc -l >n &&
	perf script -i short.data -F comm | wc -l >samples && [ "$(cat n)" -gt 10 ] && test_cmp samples n &&
	perf report --stdio --dsos fine -i short.data >out 2>err && test_grep -v "broken chain" out && test_cmp /dev/null err &&
	perf report --stdio --dsos fine -i fine.data --max-stack 1 >out 2>err && test_grep -v "broken chain" out
'

test_expect_success 'callers that are no code are one frame in report' '
	record --call-graph fp -o garbage.data ./broken garbage && tree garbage.data >out &&
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

test_expect_success 'the row of the missing callers has the CPU of its samples' '
	record --call-graph fp --sample-cpu -o cpu.data ./broken alone && for c in --children --no-children; do
		perf report --stdio $c -s cpu,sym -g none --no-inline -i cpu.data >out 2>err && test_grep "^ +[0-9.]+%" out && test_grep -v " -001 " out || return 1
	done &&
	perf report --stdio --children -s cpu,sym -g none -i cpu.data >out 2>err && test_grep " [0-9][0-9][0-9]  \[\.\] \[broken chain\]$" out
'

test_expect_success 'a 0 that closes a stack is no caller, and breaks nothing' '
	record --call-graph fp -o zero.data ./fine zero && perf script -i zero.data -F ip,sym >out && test_grep "^[[:space:]]+0 \[unknown\]" out &&
	tree zero.data >out && test_cmp /dev/null err && test_grep "main" out && test_grep -v "broken chain|--0|unknown" out
'

test_expect_success 'callers after a word that is no code are shown, and the word' '
	record --call-graph fp -o known.data ./part known && perf script -i known.data -F ip,sym >out && test_grep "^[[:space:]]+123456789abc" out &&
	tree known.data >out && test_cmp /dev/null err && test_grep "main" out && test_grep "0x123456789abc" out && test_grep -v "broken" out
'

test_expect_success 'a single frame in code without symbols may be a whole stack: no word' '
	record --call-graph fp -o stripped.data ./stripped alone && perf report --stdio --dsos stripped -i stripped.data >out 2>err &&
	test_grep -v "broken chain" out && test_cmp /dev/null err &&
	perf report --stats -i stripped.data >out 2>err && test_grep " [1-9][0-9]*  \(.*%\)  one frame in code without symbols: whole" out &&
	perf report --stdio -v -i stripped.data >out 2>err && test_grep "^recorded call chains: [1-9][0-9]* more are one frame" err
'

test_expect_success 'stacks that an unwinder made (simpleperf, with frames of Dalvik code) are none of frame pointers' '
	d=$CORPUS/platform_system_extras-perf_display_bitmaps.data-7f4cba
	[ -e "$d/perf.data" ] || { test_skip "not in this corpus"; return; }
	perf report --stdio --symfs /nonexistent -i "$d/perf.data" >out 2>err && test_grep "displayingbitmaps.*classes.*dex|\.vdex|\.jar" out &&
	test_grep -v "broken" out && test_grep -v "stacks break" err
'

# count FILE: recorded chains that break, and all: callers in no code, or no caller of what starts no thread
count () {
	perf script --no-inline -i "$1" -F ip,sym,dso | awk 'BEGIN { RS = "" }
		{ n = split($0, l, "\n"); bad = 0; for (i = 1; i <= n; i++) if (l[i] ~ /\(\[unknown\]\)/) bad = 1
		  if (n == 1 && l[1] !~ / (_start|_dl_start|clone|__clone)/) bad = 1
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

# middle finds its own frame by the register that leaf has changed without telling: nobody can go on from there.
test_expect_success 'dwarf stacks of the same program: as far as its tables are true, and no word of frame pointers' '
	record --call-graph dwarf -o dwarf.data ./broken garbage && tree dwarf.data >out && test_cmp /dev/null err && test_grep "^ +---middle$" out && test_grep "^ +leaf$" out &&
	test_grep -v "broken chain" out
'

test_done
