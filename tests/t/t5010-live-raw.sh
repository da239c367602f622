#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='stacks unwound while recording and stacks unwound from their dumps are the same call paths'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW,CC,ROOT
test_workload stackmix -w

# The call paths of page faults in spin(): function+offset, innermost first, one path a line.
cat >paths.awk <<'EOT'
BEGIN { RS = ""; FS = "\n" }
/^[^\n]* spin\+/ { p = ""; for (i = 1; i <= NF; i++) { split($i, w, " "); p = p " " w[2] } print p }
EOT
paths () { perf script --no-inline -i $1 -F ip,sym,symoff | awk -f paths.awk; }

record () { perf record -q --call-graph dwarf,32768$1 -e page-faults:u -c 1 -o $2 ./stackmix 0; }

# root: the rings hold all dumps, so that nothing is lost however late the recorder runs
test_expect_success 'the same paths, as often' '
	record "" live.data && record ,raw raw.data && paths live.data >live && paths raw.data >raw &&
	test "$(wc -l <live)" -gt 40 && sort live >live.sorted && sort raw >raw.sorted && test_cmp raw.sorted live.sorted
'

test_expect_success 'they are whole: deep recursion, signal handlers, callbacks, longjmp, threads' '
	for want in "spin[^ ]* recurse.*( recurse[^ ]*){500} main.* _start" "spin[^ ]* recurse.* on_signal[^ ]* __restore_rt.* signals.* main.* _start" \
			"spin[^ ]* compare.* callbacks[^ ]* main.* _start" "spin[^ ]* jump.* jumps[^ ]* main.* _start" \
			"spin[^ ]* recurse.* in_thread.* (__)?clone"; do
		test_grep "^ $want" live || return 1
	done
'

# read_by TOOL: without a word; the same paths in both files, the same rows on top of its report
read_by () {
	for f in live raw; do
		"$1" script --no-inline --max-stack 1024 -i $f.data -F ip,sym,symoff >$f.out 2>$f.err &&
		test_cmp /dev/null $f.err && awk -f paths.awk $f.out | sed "s/ [^ ]*+0x0$//" | sort >$f.upstream || return 1
		"$1" report --stdio --no-inline --no-children -g none -s sym -F sample,sym -i $f.data >$f.rep 2>$f.err &&
		test_cmp /dev/null $f.err && grep -v -e "^#" -e "^$" $f.rep | awk "{ print \$1, \$NF }" | sort -k1,1nr -k2 | head -3 >$f.top || return 1
	done
	test "$(wc -l <live.upstream)" = "$(wc -l <live)" && test "$(wc -l <raw.upstream)" = "$(wc -l <raw)" &&
	test_grep " spin$" live.top && awk "{ print \$2 }" live.top | head -1 >live.first && awk "{ print \$2 }" raw.top | head -1 >raw.first &&
	test_cmp raw.first live.first &&
	diff raw.upstream live.upstream | grep -c "^[<>]" >n; test "$(cat n)" -le $(( $(wc -l <live) / 10 )) || { diff raw.upstream live.upstream; return 1; }
}
test_expect_success UPSTREAM 'upstream perf reads both without a word, and sees the same in both' 'read_by "$UPSTREAM"'
test_expect_success NEWEST 'so does its newest release' 'read_by "$NEWEST"'

test_done
