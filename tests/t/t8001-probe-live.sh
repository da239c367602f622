#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf probe: user probes of the running kernel, on a program that says what they must show'
. "$(dirname "$0")/lib.sh"

test_require UPROBES,CC,PERF_SW
G=pt$$x$RANDOM	# a group of our own: other probes must not be touched
tidy () { perf probe -q -d "$G:*" >/dev/null 2>&1; perf probe -q -d "sdt_$G:*" >/dev/null 2>&1; true; }
trap 'tidy; test_at_exit' EXIT
cp "$TOP/tests/workloads/probed.c" . && cc -g -O1 -o probed probed.c && cc -g -O0 -o probed0 probed.c || exit 1
perf record -q -e dummy:u -o x.data true >/dev/null 2>&1 && perf script -i x.data >/dev/null 2>&1 ||
	test_skip_all 'needs perf record and perf script'

# What the probe said, as "name=value ..." of each event.
values () { perf script -F trace -i "$1" | sed 's/^ *([0-9a-f]* *\(<- [0-9a-f]*\)*) *//; s/ *$//'; }

test_expect_success 'added, listed, and the text says how it is used' '
	perf probe -x ./probed "$G:a=leaf n" 2>err &&
	printf "Added new event:\n  %-20s (on leaf in %s with n)\n\nYou can now use it in all perf tools, such as:\n\n\tperf record -e %s:a -aR sleep 1\n\n" \
		"$G:a" "$TRASH/probed" "$G" >expect && test_cmp expect err &&
	perf probe -l "$G:*" >out &&
	printf "  %-20s (on leaf@%s/probed.c in %s/probed with n)\n" "$G:a" "$TRASH" "$TRASH" >expect && test_cmp expect out
'

test_expect_success 'an event that exists is refused; -f gives it a number' '
	test_must_fail perf probe -x ./probed "$G:a=leaf" 2>err && test_grep "already exists" err && test_grep "perf probe -f" err &&
	perf probe -f -x ./probed "$G:a=leaf" 2>err && test_grep "$G:a_1 " err &&
	perf probe -d "$G:a_1" 2>err && echo "Removed event: $G:a_1" >expect && test_cmp expect err
'

test_expect_success 'a dry run writes nothing' '
	perf probe -n -x ./probed "$G:dry=leaf" 2>err && test_grep "$G:dry" err && perf probe -l "$G:dry" >out && ! test -s out
'

test_expect_success 'deleting: globs, and what does not exist is reported' '
	perf probe -d "$G:*" 2>err && echo "Removed event: $G:a" >expect && test_cmp expect err &&
	test_must_fail perf probe -d "$G:*" 2>err && test_grep "does not hit any event" err
'

test_expect_success 'deleting: a name that is nearly right' '
	perf probe -q -x ./probed -a "$G:blk9=leaf" &&
	for d in "$G:blk8" "x$G:blk9"; do
		test_status 1 perf probe -d "$d" 2>err && test_grep "^Error: .$d. does not hit any event$" err &&
		test_grep "^Hint: did you mean .$G:blk9.[?] " err || return 1
	done &&
	for e in "$G:zzz Hint: the events of the group .$G. are: blk9" "$G:enable Hint: the events of the group .$G. are: blk9" \
		"x$G:blk9 Hint: did you mean .$G:blk9.[?]" "x$G:zzz Hint: did you mean the group .$G.[?]"; do
		test_must_fail perf record -e "${e%% *}" -o no.data true 2>err && test_grep "^${e#* }$" err || return 1
	done &&
	perf probe -q -d "$G:blk9"
'

for p in probed probed0; do
	test_expect_success X86_64 "$p: arguments have the values that the program prints" '
		perf probe -q -x ./$p "$G:leaf=leaf n s:string c np->in.bits np->in.more np->arr[2] np->grid[1][2] np->pin->name:string np->next->in.a pa=np->pin->a np->ui global_count np->str:string" &&
		perf record -q -e "$G:leaf" -o $p.data ./$p 5 >said &&
		sed -n "s/^leaf //; s/ ret=.*//p" said >expect && test "$(wc -l <expect)" = 5 &&
		values $p.data >out && test_cmp expect out && test_grep "arr=-102" out &&
		perf probe -q -d "$G:leaf"
	'
done

test_expect_success 'return values' '
	perf probe -q -x ./probed "$G:ret=leaf%return ret=\$retval:s64" &&
	perf record -q -e "$G:ret__return" -o r.data ./probed 4 >said &&
	sed -n "s/^leaf .* \(ret=.*\)/\1/p" said >expect && test "$(wc -l <expect)" = 4 &&
	values r.data >out && test_cmp expect out &&
	perf probe -q -d "$G:ret__return"
'

test_expect_success 'an inlined function counts at all its places' '
	perf probe -x ./probed "$G:twice=twice" 2>err && test_grep "at [0-9]+ places" err &&
	perf record -q -e "$G:twice" -o i.data ./probed >/dev/null &&
	test "$(perf script -F trace -i i.data | wc -l)" = 2 &&
	perf probe -q -d "$G:twice"
'

test_expect_success CXX 'C++: by its qualified name, with members' '
	cat >c.cc <<\EOF &&
#include <cstdio>
namespace app { struct Shape { int w, h; __attribute__((noinline)) int area(int n) const { return w * h * n; } }; }
int main(int argc, char **) { app::Shape s{argc + 2, 7}; std::printf("%d\n", s.area(argc + 4)); }
EOF
	c++ -g -O1 -o cxx c.cc &&
	perf probe -q -x ./cxx "$G:area=app::Shape::area n this->w this->h" &&
	perf record -q -e "$G:area" -o c.data ./cxx >/dev/null &&
	values c.data >out && echo "n=5 w=3 h=7" >expect && test_cmp expect out &&
	perf probe -q -d "$G:area"
'

test_expect_success RUST,X86_64 'Rust: by its qualified name' '
	cat >r.rs <<\EOF &&
mod inner {
    #[inline(never)]
    pub fn crunch(n: u64, k: i32) -> u64 { (n as i64 + k as i64) as u64 }
}
fn main() {
    let a = std::env::args().count() as u64;
    println!("{}", inner::crunch(a + 5, -3 - a as i32));
}
EOF
	rustc -g -o rs r.rs &&
	perf probe -q -x ./rs "$G:crunch=inner::crunch n:u64 k:s32" &&
	perf record -q -e "$G:crunch" -o rs.data ./rs >/dev/null &&
	values rs.data >out && echo "n_u64=6 k_s32=-4" >expect && test_cmp expect out &&
	perf probe -q -d "$G:crunch"
'

test_expect_success X86_64 'markers: arguments and the semaphore' '
	cat >s.c <<\EOF &&
#include <stdio.h>
__attribute__((section(".probes"))) volatile unsigned short sem;
int main(int argc, char **argv)
{
	long v = argc + 41;

	asm volatile("990: nop\n.pushsection .note.stapsdt,\"\",\"note\"\n.balign 4\n.4byte 992f-991f, 994f-993f, 3\n"
		     "991: .asciz \"stapsdt\"\n992: .balign 4\n993: .8byte 990b\n.8byte 0\n.8byte sem\n"
		     ".asciz \"SDTGROUP\"\n.asciz \"mark\"\n.asciz \"8@%0 -4@$-3\"\n994: .balign 4\n.popsection" : : "r"(v));
	printf("%d\n", sem);
	return 0;
}
EOF
	sed -i "s/SDTGROUP/$G/" s.c && cc -O1 -fcf-protection=none -no-pie -o sdt s.c &&
	perf probe -x ./sdt "%$G:mark" 2>err && test_grep "sdt_$G:mark" err &&
	perf record -q -e "sdt_$G:mark" -o s.data ./sdt >out &&
	echo 1 >expect && test_cmp expect out &&
	values s.data >out && echo "arg1=42 arg2=-3" >expect && test_cmp expect out &&
	perf probe -q -d "sdt_$G:*"
'

test_expect_success 'what the kernel refuses is reported with its reason, and nothing of the command stays' '
	tidy &&
	test_must_fail perf probe -x ./probed -a "$G:one=one" -a "$G:bad=leaf %nosuch" 2>err && test_grep "$G:bad" err &&
	perf probe -l "$G:*" >out && ! test -s out
'

tidy
test_done
