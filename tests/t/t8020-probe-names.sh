#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='perf probe: paths, names and arguments of a binary cannot become words or lines of their own for the kernel'
. "$(dirname "$0")/lib.sh"

test_require CC,X86_64
G=pn$$x$RANDOM	# a group of our own
trap 'perf probe -q -d "$G:*" >/dev/null 2>&1; test_at_exit' EXIT
echo 'int leaf(int n) { return n + 1; } int main(void) { return leaf(1); }' >p.c
cc -g -O1 -fno-inline -o plain p.c || exit 1

# refused NAME WHAT: no definition comes of a file below a directory of that name, and the message says what is in it.
refused () {
	mkdir -p "$1" && cp plain "$1/p" && test_status 1 perf probe -x "$1/p" -D "$G:e=leaf n" >out 2>err && ! test -s out &&
	test_grep "^Error: the kernel cannot take the name of .*: the path has $2 in it, where its parser ends a name$" err &&
	test_grep "^Hint: .*ln FILE NAME" err && [ "$(wc -l <err)" = 2 ]
}

test_expect_success 'a path that the kernel would split is refused' '
	refused "$(printf "a\np:$G/evil\tx")" "a newline" && refused "b c" "a blank" && refused "h#x" "a .#." &&
	refused "$(printf "\303\240")" "the byte 0xa0" && refused "$(printf "t\tx")" "a control character" &&
	refused "$(printf "e\033[31m")" "a control character" && refused "$(printf "r\342\200\256x")" "a control character"
'

test_expect_success 'and with the hard link of the hint it can be probed' '
	mkdir -p "d e" && cp plain "d e/p" && ln "d e/p" linked && perf probe -x ./linked -D "$G:e=leaf n" >out &&
	echo "p:$G/e $TRASH/linked:0x$(nm plain | sed -n "s/^0*\([0-9a-f]*\) T leaf$/\1/p") n=%di:s32" >expect && test_cmp expect out
'

test_expect_success UPROBES 'no definition of the path is added either' '
	d=$(printf "plain:0x$(nm plain | sed -n "s/^0*\([0-9a-f]*\) T leaf$/\1/p")\np:$G/evil\t/bin/sh:0x1000 #") && mkdir -p "$d" && cp plain "$d/p" &&
	test_status 1 perf probe -x "$d/p" -a "$G:e=leaf" 2>err && perf probe -l "$G:*" >out && ! test -s out
'

# A program that had its marker made by somebody else: the argument is a definition of its own.
cat >s.c <<'E2'
int main(void)
{
	asm volatile("990: nop\n.pushsection .note.stapsdt,\"\",\"note\"\n.balign 4\n.4byte 992f-991f, 994f-993f, 3\n"
		     "991: .asciz \"stapsdt\"\n992: .balign 4\n993: .8byte 990b\n.8byte 0\n.8byte 0\n"
		     ".asciz \"prov\\nider\"\n.asciz \"mark\"\n.asciz \"8@$5\\np:SDTGROUP/evil\\t/bin/sh:0x1000 4@$7 4@$0x1f\"\n994: .balign 4\n"
		     ".popsection");
	return 0;
}
E2

test_expect_success 'nor are the arguments of a marker' '
	sed -i "s/SDTGROUP/$G/" s.c && cc -O1 -fcf-protection=none -no-pie -o sdt s.c && perf probe -x ./sdt -D "%*mark" >out 2>err &&
	sed "s/ .*:0x[0-9a-f]*/ PLACE/" out >got && echo "p:sdt_prov_ider/mark PLACE arg2=\\7:u32 arg3=\\0x1f:u32" >expect &&
	test_cmp expect got && test_grep "argument 1 of %\*mark cannot be fetched by the kernel" err
'

test_expect_success 'a line that the kernel would cut is too long' '
	args=$(for i in $(seq 100); do printf " argument_with_a_long_name_%03d=+0(+8(+16(%%di)))" $i; done) &&
	test_status 1 perf probe -x ./plain -D "$G:e=leaf$args" >out 2>err && ! test -s out &&
	test_grep "^Error: cannot add event .$G:e.: its definition has [0-9]* bytes, and the kernel takes lines of at most 4094$" err
'

test_done
