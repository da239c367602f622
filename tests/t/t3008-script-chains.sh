#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='call chains that several records make: user parts that come later, call stacks that the CPU kept'
. "$(dirname "$0")/lib.sh"

test_require CC,X86_64,PYTHON
py () { PYTHONDONTWRITEBYTECODE=1 python3 "$TOP/tests/t/$1" "${@:2}"; }
# The functions of each sample's chain, a line each.
chains () { sed -n 's/^[[:space:]]*[0-9a-f]\{1,\} \([^ ]*\).*/\1/p; s/^ *$/|/p' | tr '\n' ' ' | tr '|' '\n' | sed 's/^ *//; s/ *$//' | grep .; }

# ---- deferred chains ----

cat >defer.c <<-\END
volatile int x;
__attribute__((noinline)) void inner(void) { x++; x++; x++; }
__attribute__((noinline)) void outer(void) { inner(); x++; }
int main(void) { outer(); x++; return 0; }
END
cat >merged <<-\END
[unknown] [unknown] inner outer main
[unknown] inner outer main
[unknown] outer main
inner outer main
[unknown]
[unknown] outer main
END
test_expect_success 'the user part that came later, of the same task and cookie' '
	cc -g -O1 -no-pie -fcf-protection=none -o defer defer.c && py deferred.py defer.data defer && py deferred.py pipe.data defer pipe &&
	perf script -F ip,sym -i defer.data | chains >out && test_cmp merged out &&
	perf script -F ip,sym -i - <pipe.data | chains >out && test_cmp merged out &&
	perf script -F ip,sym --jobs 2 --merge-callchains -i defer.data | chains >out && test_cmp merged out &&
	perf script -F ip,sym --max-stack 2 -i defer.data | chains >out && cut -d" " -f 1-2 merged >expect && test_cmp expect out
'
test_expect_success 'the same in a report, with any number of threads' '
	for o in "" "--jobs 2"; do
		perf report --stdio --no-children -g folded,count,caller -s comm -q $o -i defer.data >out && grep -E "^[0-9]+ " out | sort >lines &&
		printf "%s\n" "1 0xffffffff81000100" "1 main;outer;0xffffffff81000100" "1 main;outer;0xffffffff81000100" "1 main;outer;inner" \
			"1 main;outer;inner;0xffffffff81000140" "1 main;outer;inner;0xffffffff81000200;0xffffffff81000100" | sort >expect &&
		test_cmp expect lines || return 1
	done
'
test_expect_success 'the parts alone are not to be had' '
	test_status 129 perf script --no-merge-callchains -i defer.data 2>err && test_grep "always shown with their user parts" err &&
	test_grep "^Hint: .perf script -D. shows" err && perf script -D -i defer.data >out && [ "$(grep -c "PERF_RECORD_CALLCHAIN_DEFERRED" out)" = 3 ]
'
# Upstream prints a sample when its record came, and a cookie that no record answers as an address.
test_expect_success NEWEST 'the same as upstream' '
	for f in defer.data pipe.data; do
		"$NEWEST" script -F comm,tid,ip,sym,symoff,dso -i $f 2>/dev/null | grep -v " 21 .unknown" | awk -v RS= "{ print \$0 \"\\n\" }" | sort >theirs &&
		perf script -F comm,tid,ip,sym,symoff,dso -i $f | awk -v RS= "{ print \$0 \"\\n\" }" | sort >ours && [ "$(wc -l <ours)" -gt 20 ] && test_cmp theirs ours || return 1
	done
'

# ---- call stacks of the CPU ----

{
	echo 'volatile int x;'
	for i in $(seq 19 -1 0); do
		echo "__attribute__((noinline)) void f$i(void) { $([ $i = 19 ] || echo "f$((i + 1))();") x++; }"
	done
	echo 'int main(void) { f0(); x++; return 0; }'
} >deep.c
# story NAME [KIND] <DEPTHS
story () { py lbr.py "$1.data" deep ${2:-}; }
down () { seq -f f%g -s ' ' "$1" -1 "$2"; }
# to FRAMES DEPTH...: the innermost frames of each (0: all)
to () { for d in "${@:2}"; do down $d $(($1 ? d - $1 + 1 : 0)); done; }
up () { for d in "$@"; do echo "1 $(seq -f f%g -s ';' 0 $d)"; done; }
test_expect_success 'a stack goes on with what the one before it knew' '
	cc -g -O1 -no-pie -fcf-protection=none -fno-ipa-icf -o deep deep.c &&
	printf "%s\n" 8 12 16 4 "12 5" | story deep && perf script -F ip,sym --stitch-lbr -i deep.data | chains >out &&
	{ down 8 0 && down 12 0 && down 16 0 && down 4 0 && down 12 4; } >expect && test_cmp expect out &&
	perf script -F ip,sym -i deep.data | chains >out && { down 8 0 && down 12 4 && down 16 8 && down 4 0 && down 12 4; } >expect && test_cmp expect out
'
test_expect_success 'of the same thread, in the same register, from the same place' '
	printf "%s\n" 8 "12 5 x" 12 | story changed && perf script -F ip,sym --stitch-lbr -i changed.data | chains >out &&
	{ down 8 0 && down 12 4 && down 12 4; } >expect && test_cmp expect out &&
	printf "%s\n" 8 "t8 12" 12 "t8 16" | story threads && perf script -F ip,sym --stitch-lbr -i threads.data | chains >out &&
	{ down 8 0 && down 12 4 && down 12 0 && down 16 4; } >expect && test_cmp expect out &&
	printf "%s\n" 8 18 8 15 | story gap && perf script -F ip,sym --stitch-lbr -i gap.data | chains >out &&
	{ down 8 0 && down 18 10 && down 8 0 && down 15 7; } >expect && test_cmp expect out &&
	printf "%s\n" 8 "kernel 12" 16 | story kernel && perf script -F ip,sym --stitch-lbr -i kernel.data | chains >out &&
	{ down 8 0 && echo "[unknown] $(down 12 0)" && down 16 0; } >expect && test_cmp expect out
'
test_expect_success 'of stacks that are not full, too; --max-stack cuts what is shown, not what is known' '
	printf "%s\n" 3 "5 2" "8 2" "12 6" 7 "9 3" | story short && perf script -F ip,sym --stitch-lbr -i short.data | chains >out &&
	to 0 3 5 8 12 7 9 >expect && test_cmp expect out &&
	perf script -F ip,sym --stitch-lbr --max-stack 3 -i short.data | chains >out && to 3 3 5 8 12 7 9 >expect && test_cmp expect out
'
test_expect_success 'report has them, too, with any number of threads' '
	for o in "" "--jobs 2"; do
		perf report --stdio --no-children --stitch-lbr -g folded,count,caller -s comm -q $o -i deep.data >out && grep -E "^[0-9]+ " out | sort >lines &&
		{ up 8 12 16 4 && echo "1 $(seq -f f%g -s ";" 4 12)"; } | sort >expect && test_cmp expect lines || return 1
	done
'
test_expect_success 'where it has no effect it is said' '
	printf "%s\n" 8 12 | story plain plain && perf script --stitch-lbr -i plain.data >out 2>err &&
	test_grep "stitch-lbr has no effect: the recording has no call stacks of the CPU" err && test_grep "record --call-graph lbr" err &&
	printf "%s\n" 8 12 | story nocaps nocaps && perf script --stitch-lbr -F ip,sym -i nocaps.data 2>err | chains >out &&
	test_grep "stitch-lbr has no effect: the recording does not say how many branches the CPU keeps" err &&
	{ down 8 0 && down 12 4; } >expect && test_cmp expect out &&
	printf "%s\n" 8 12 | story noindex noindex && perf script --stitch-lbr -F ip,sym -i noindex.data | chains >out && test_cmp expect out
'
# depths SEED: samples of two threads, in stacks that grow and shrink; some were forgotten in part, or made from elsewhere
depths () {
	awk -v seed=$1 'BEGIN {
		srand(seed)
		d = 5
		for (i = 0; i < 60; i++) {
			d += int(rand() * 9) - 4
			d = d < 1 ? 1 : d > 19 ? 19 : d
			f = rand() < .3 ? 1 + int(rand() * d) : 1
			print rand() < .3 ? "t8" : "", d, f, rand() < .1 ? "x" : ""
		}
	}'
}
test_expect_success NEWEST 'stacks of any depth: as upstream' '
	for seed in 1 2 3 4 5; do
		depths $seed | story any &&
		for o in "" --stitch-lbr; do
			"$NEWEST" script -F comm,tid,ip,sym,symoff,dso $o -i any.data 2>/dev/null >theirs &&
			perf script -F comm,tid,ip,sym,symoff,dso $o -i any.data >ours && [ "$(wc -l <ours)" -gt 300 ] && test_cmp theirs ours || return 1
		done
	done && perf script --stitch-lbr -i any.data >with && perf script -i any.data >without && [ "$(wc -l <with)" -gt "$(wc -l <without)" ]
'
test_done
