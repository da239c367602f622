#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf probe -D: the definitions of the newest upstream perf, or better ones for a reason that can be checked'
. "$(dirname "$0")/lib.sh"
. "$TEST_DIR/probe-compare.sh"

test_require NEWEST,CC,X86_64,OBJDUMP,ELFUTILS
cp "$TOP/tests/workloads/probed.c" .
specs () {
	local f l
	for f in leaf one twice main; do
		echo "$f"; echo "$f%return"; echo "$f \$params"
		for l in 1 2 3 4 5 6 7 8; do echo "$f:$l"; done
	done
	printf '%s\n' 'leaf n' 'leaf n s:string' 'leaf np->in.more' 'leaf np->grid[1][2]' 'leaf np->pin->name:string' 'leaf:2 n' 'leaf global_count' \
		'leaf+4' 'leaf%return $retval' 'leaf%return ret=$retval:s64' 'x=leaf n' 'g:x=leaf n'
}

for build in gcc:-O0 gcc:-O2 gcc:-O3 clang:-O0 clang:-O2; do
	p=probed${build#*:}-${build%:*}
	test_expect_success "${build/:/ }: each definition is upstream perf's, or has a reason" '
		command -v ${build%:*} >/dev/null || { test_skip "needs ${build%:*}"; return; }
		${build%:*} -g ${build#*:} -w -o $p probed.c && compare $p && grep -c "^same" $p.verdicts && ! grep "^worse" $p.verdicts
	'
done

test_expect_success UPROBES 'what is called refused by the kernel is' '
	perf probe -q -x ./probed-O2-gcc -D "kr$$:leaf=leaf" >line && { tr -d "\n" <line && echo " x=@global_count+0:s32"; } >bad &&
	! cat bad >>/sys/kernel/tracing/uprobe_events
'
test_done
