#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf probe -D on C++: the definitions of the newest upstream perf, or better ones for a reason that can be checked'
. "$(dirname "$0")/lib.sh"
. "$TEST_DIR/probe-compare.sh"

test_require NEWEST,CXX,X86_64,OBJDUMP,ELFUTILS
cp "$TOP/tests/workloads/probedcxx.cc" .
specs () {
	local f l
	for f in norm count area grow mixed first second apply main; do
		echo "$f"; echo "$f \$params"; echo "$f \$vars"
		for l in 1 2 3 4 5; do echo "$f:$l"; done
	done
	for f in norm count grow first second apply; do echo "$f%return"; done
	printf '%s\n' 'norm scale' 'norm this->x' 'norm this->low' 'norm this->high' 'norm this->c' 'count add' 'area this->a_.x' 'area this->b_.y' \
		'grow by' 'grow also->x' 'grow also->high' 'grow this->history_[2]' 'grow this->id_' 'grow this->name_:string' 'grow:3 before' 'count:2 add' \
		'mixed seed' 'first n' 'first n:u8' 'second n' 'second:4 n' 'apply out' 'main argc' 'grow+4' 'first%return $retval' 'x=first n' \
		'larger' '_ZN3app5firstEi' '_ZN3app5firstEi n' '_ZN3app6largerIiEET_S1_S1_' '_ZN3app6largerIiEET_S1_S1_ $params' \
		'probedcxx.cc:29' 'probedcxx.cc:45' 'probedcxx.cc:70' 'probedcxx.cc:98' 'probedcxx.cc:98 n'
}

for build in g++:-O0 g++:-O2 clang++:-O0 clang++:-O2; do
	p=cxx${build#*:}-${build%:*}
	test_expect_success "${build/:/ }: each definition is upstream perf's, or has a reason" '
		command -v ${build%:*} >/dev/null || { test_skip "needs ${build%:*}"; return; }
		${build%:*} -g ${build#*:} -w -o $p probedcxx.cc && compare $p && grep -c "^same" $p.verdicts && ! grep "^worse" $p.verdicts
	'
done
test_done
