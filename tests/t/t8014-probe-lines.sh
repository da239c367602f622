#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf probe: lines: what -L marks can be probed, what a message offers works, and nothing else is marked'
. "$(dirname "$0")/lib.sh"

test_require CC
cp "$TOP/tests/workloads/probed.c" "$TOP/tests/workloads/probedcxx.cc" .
cat >braces.c <<\EOC
#include <stdio.h>
extern int later;

static inline __attribute__((always_inline)) int
twice(int a)
{
	fputs("y", stderr);
	return a * 2;
}

__attribute__((noinline)) int
_under(int a)
{
	int b = twice(a);
	fputs("x", stderr);
	return a + b + later;
}

int later = 1;

int main(int argc, char **argv)
{
	(void)argv;
	return _under(argc) +
		twice(argc);
}
EOC

# marked PROGRAM WHAT: the numbers that -L shows.
marked () { perf probe -x "./$1" -L "$2" | sed -n '2,$s/^ *\([0-9][0-9]*\)  .*/\1/p'; }

# follow_hints PROGRAM NAME FIRST LAST: a refused line offers others, and these work.
follow_hints () {
	local l offered
	for l in $(seq "$3" "$4"); do
		perf probe -x "./$1" -D "$2:$l" >/dev/null 2>err && continue
		grep -q "^Hint: " err || { echo "$2:$l: no hint"; cat err; return 1; }
		offered=$(sed -n 's/; -L.*//p; /^Hint: probe that one/p' err | grep -oE "$2:[0-9]+")
		test -n "$offered" || { echo "$2:$l: nothing is offered"; cat err; return 1; }
		for o in $offered; do
			perf probe -x "./$1" -D "$o" >/dev/null 2>err2 || { echo "$2:$l: offered $o"; cat err err2; return 1; }
		done
	done
}

# marks_work PROGRAM WHAT: each marked line has a probe.
marks_work () {
	local l
	marked "$1" "$2" >marks && test -s marks || return 1
	while read -r l; do
		perf probe -x "./$1" -D "$2:$l" >/dev/null 2>err || { echo "$1: $2:$l is marked"; cat err; return 1; }
	done <marks
}

for opt in -O0 -O2; do
	test_expect_success "C $opt: marked lines have probes, messages offer lines that have" '
		cc -g $opt -o braces$opt braces.c && cc -g $opt -w -o probed$opt probed.c &&
		marks_work braces$opt _under && marks_work braces$opt main && marks_work braces$opt braces.c &&
		marks_work probed$opt leaf && marks_work probed$opt main && marks_work probed$opt probed.c &&
		follow_hints braces$opt braces.c 1 30 && follow_hints braces$opt _under 1 8 && follow_hints probed$opt probed.c 1 60 &&
		follow_hints probed$opt leaf 1 12
	'
done
test_lazy_prereq CXX 'needs a C++ compiler' 'c++ --version'
test_expect_success CXX 'C++: marked lines have probes' '
	c++ -g -O2 -w -o cxx probedcxx.cc && marks_work cxx probedcxx.cc && marks_work cxx grow && marks_work cxx main
'

test_expect_success 'where a function is declared, there it begins, though its brace stands on another line' '
	at=$(nm braces-O2 | sed -n "s/^0*\([0-9a-f]*\) T _under$/\1/p") && test -n "$at" &&
	perf probe -x ./braces-O2 -D braces.c:12 >out && echo "p:probe_braces/_under $TRASH/braces-O2:0x$at" >expect && test_cmp expect out &&
	perf probe -x ./braces-O2 -D _under:0 >out && echo "p:probe_braces/under $TRASH/braces-O2:0x$at" >expect && test_cmp expect out
'
test_expect_success 'a call that was inlined is a line with code' '
	marked braces-O2 _under >out && grep -qx 2 out && perf probe -x ./braces-O2 -D _under:2 >out && test -s out &&
	perf probe -x ./braces-O2 -L _under --no-inlines >out && ! test_grep "^ +2  .int b" out
'
test_expect_success 'a return is probed in whole functions only, and inlined copies are reported' '
	test_must_fail perf probe -x ./braces-O2 -D "twice%return" 2>err &&
	printf "Error: '\''twice%%return'\'' has only inlined copies: they have no return to probe\n" >expect &&
	echo "Hint: probe '\''twice'\'' without %return, or one of its last lines (-L twice shows them)" >>expect && test_cmp expect err &&
	printf "int f(int a);\nint g(int a) { return f(a) + 1; }\nint f(int a) { __asm__ volatile(\"\"); return a * 3; }\nint main(int c, char **v) { (void)v; return g(c) + f(c); }\n" >copies.c &&
	cc -g -O2 -o copies copies.c &&
	perf probe -x ./copies -D "f%return" >out 2>err && test "$(wc -l <out)" = 1 &&
	test_grep "Warning: .f. is inlined at [0-9]+ more places?, which have no return to probe: calls there are not seen" err
'
test_expect_success 'what is only declared is read by its symbol; what is in a library is reported' '
	printf "#include <unistd.h>\nextern int later, *__environ_not_here;\nint f(int a) { __asm__ volatile(\"\"); return a + later + optind; }\n" >ext.c &&
	printf "int later = 7;\nint f(int a);\nint main(int c, char **v) { (void)v; return f(c); }\n" >ext2.c && cc -g -O1 -c ext.c && cc -O1 -c ext2.c &&
	cc -no-pie -o ext ext.o ext2.o && perf probe -x ./ext -D "f later optind" >out &&
	test_grep " later=@[+]0x[0-9a-f]+:s32 optind=@[+]0x[0-9a-f]+:s32$" out && perf probe -x ./ext -V f --externs >out && test_grep "^		int	later$" out &&
	cc -g -O1 -fPIC -shared -o libext.so ext.c && test_must_fail perf probe -x ./libext.so -D "f optind" 2>err &&
	test_grep "cannot read .optind.: it is defined in another file, and the kernel can only read what this one has" err
'
test_expect_success 'a variable that can be read at none of the places is refused, not marked' '
	printf "extern int gone;\nvolatile int sink;\nstatic inline __attribute__((always_inline)) void in(int a) { sink = a; }\nint main(int c, char **v) { in(c); (void)v; in(c + 1); return 0; }\n" >marks.c &&
	cc -g -O2 -o marks marks.c && perf probe -x ./marks -D "in a" >out && test "$(wc -l <out)" = 2 &&
	test_must_fail perf probe -x ./marks -D "in nosuch" >out 2>err && test_grep "no variable .nosuch. is in scope" err && ! test -s out
'
test_expect_success 'a star is answered with what it is written as' '
	test_must_fail perf probe -x ./ext -D "f *a" 2>err && test_grep "^Hint: what it points to is written as .a\[0\]." err
'
test_expect_success '-V calls a place by the name that its DWARF has, whichever alias was asked for' '
	cc -g -O1 -o aliases -x c - <<-"EOF" &&
	__attribute__((noinline)) int zz_real(int n) { return n + 1; }
	int aa_alias(int n) __attribute__((alias("zz_real")));
	int main(int argc, char **argv) { (void)argv; return zz_real(argc) + aa_alias(argc); }
	EOF
	perf probe -x ./aliases -V aa_alias >out && grep "^	@<zz_real+0>$" out && grep "int	n$" out
'
test_done
