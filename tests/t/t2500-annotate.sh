#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf annotate: listings of instructions and source with the samples of each'
. "$(dirname "$0")/lib.sh"

test_require CC

cat >hot.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>

static inline __attribute__((always_inline)) unsigned mix(unsigned x)
{
	return x * 2654435761u ^ x >> 7;
}

__attribute__((noinline)) unsigned hot(unsigned n)
{
	unsigned s = 1;

	for (unsigned i = 0; i < n; i++)
		s = mix(s + i);
	return s;
}

__attribute__((noinline)) unsigned cold(unsigned n)
{
	return n ^ 5;
}

int main(int argc, char **argv)
{
	unsigned s = 0;

	for (int i = 0; i < atoi(argv[argc - 1]); i++)
		s += hot(1000000) + cold(s);
	printf("%u\n", s);
	return 0;
}
EOF

test_expect_success 'recordings' '
	cc -g -O1 -o hot hot.c &&
	cp hot bare && strip bare &&
	perf record -q -e cpu-clock -F 2000 -o hot.data ./hot 300 >/dev/null &&
	perf record -q -e cpu-clock,task-clock -F 1000 -o two.data ./hot 200 >/dev/null &&
	perf record -q -e cpu-clock -F 1000 -o bare.data ./bare 100 >/dev/null
'
test_expect_success 'the function that was asked for, in the layout of --stdio' '
	perf annotate -i hot.data hot >out 2>err &&
	test_cmp /dev/null err &&
	test_grep "^ Percent \|	Source code & Disassembly of hot for cpu-clock \([0-9]+ samples, percent: local period\)$" out &&
	test_grep "^         :      Disassembly of section .text:$" out &&
	test_grep "^         :      [0-9a-f]{16} <hot>:$" out &&
	test_grep "^         : 9    __attribute__" out &&
	test_grep "^         :      mix\(\): \(inlined\)$" out &&
	test_grep "^         : 6            return x \* 2654435761u" out &&
	test_grep "^ +[0-9.]+ :   [0-9a-f]+:   +ret$" out &&
	awk "/^ +[0-9.]+ : / { sum += \$1 } END { exit !(sum > 99.8 && sum < 100.2) }" out
'

test_done
