#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='packages of split DWARF (.dwp): what the .dwo files say, they say'
. "$(dirname "$0")/lib.sh"

[ -x "$BUILD/helper/address-data" ] || make -s -C "$TOP" O="$BUILD" "$BUILD/helper/address-data" >/dev/null 2>&1 ||
	test_skip_all 'needs build/helper/address-data (make tests)'
test_require X86_64,CC,OBJDUMP
test_lazy_prereq LLVM_DWP 'needs llvm-dwp' 'llvm-dwp --version'
test_lazy_prereq GNU_DWP 'needs dwp of binutils' 'dwp --version'
test_lazy_prereq CLANG 'needs clang' 'clang --version'

# Eight units, each with a type, strings and inlined functions of its own, and one that all share
cat >all.h <<\END
struct shared { int a; long b; struct shared *next; };
extern volatile long sink;
END
for i in 1 2 3 4 5 6 7 8; do
	cat >u$i.c <<END
#include "all.h"
struct own$i { char text$i[$i]; struct shared s; short last$i; };
static inline __attribute__((always_inline)) void inner$i(struct own$i *o)
{
	sink += o->last$i + $i;
}
__attribute__((noinline)) void outer$i(struct own$i *o, struct shared *s, int n)
{
	for (int i = 0; i < n; i++) {
		inner$i(o);
		sink += s->b;
	}
}
END
done
{ echo '#include "all.h"'; echo 'volatile long sink;'
for i in 1 2 3 4 5 6 7 8; do echo "struct own$i; void outer$i(struct own$i *, struct shared *, int);"; done
echo 'int main(int c, char **v) { static long room[64]; (void)v;'
for i in 1 2 3 4 5 6 7 8; do echo "outer$i((void *)room, (void *)room, c);"; done
echo 'return 0; }'; } >main.c

# addresses FILE: every fourth byte of all that we have written
addresses () {
	nm -S "$1" | awk '$4 ~ /^(outer[1-8]|main)$/ { print $1, $2 }' | while read -r a n; do
		for ((i = 0; i < 16#$n; i += 4)); do printf '%x\n' $((16#$a + i)); done
	done
}
# ask: what reports and probes know of ./prog
ask () {
	perf script -i x.data -F ip,sym,srcline 2>err || return 1
	for i in 1 4 8; do
		perf probe -x ./prog -V outer$i 2>&1
		perf probe -x ./prog -D "outer$i o->last$i o->text$i s->next->b n" 2>&1
	done
	true
}
# units COMPILER OPTION...: ./prog, its .dwo files, and in ./want what they tell
units () {
	rm -f ./*.dwo ./*.dwp prog want
	for f in main u1 u2 u3 u4 u5 u6 u7 u8; do "$@" -O1 -gsplit-dwarf -c $f.c || return 1; done
	"$@" -gsplit-dwarf -Wl,--build-id=sha1 -o prog main.o u?.o && addresses prog >addresses && test "$(wc -l <addresses)" -gt 60 &&
	"$BUILD/helper/address-data" x.data prog <addresses && ask >want &&
	grep -q 'outer3' want && test "$(grep -c '(inlined)' want)" -ge 8 && grep -q 'text8=' want
}
for form in -gdwarf-5 -gdwarf-4; do
	for cc in cc clang; do
		more=; [ $cc = clang ] && more=CLANG,
		test_expect_success ${more}LLVM_DWP "$cc $form, llvm-dwp" '
			units $cc $form && llvm-dwp -e prog -o prog.dwp && rm ./*.dwo && ask >got && test_cmp want got &&
			mv prog.dwp away.dwp && ask >got && ! cmp -s want got
		'
	done
done
test_expect_success CLANG,GNU_DWP 'clang -gdwarf-4, dwp of binutils' '
	units clang -gdwarf-4 && { dwp -e prog -o prog.dwp >out 2>&1 || { test_skip "dwp of this binutils fails on it"; return; }; } &&
	rm ./*.dwo && ask >got && test_cmp want got
'

# libdw 0.188 finds no unit in a .dwo file that begins with a type unit; so what is in the package is reported without an oracle
for form in -gdwarf-5 -gdwarf-4; do
	test_expect_success LLVM_DWP "type units, also those that only the .dwo of another unit has brought: $form" '
		rm -f ./*.dwo ./*.dwp prog &&
		for f in main u1 u2 u3 u4 u5 u6 u7 u8; do cc $form -O1 -gsplit-dwarf -fdebug-types-section -c $f.c || return 1; done &&
		cc -gsplit-dwarf -o prog main.o u?.o && llvm-dwp -e prog -o prog.dwp && rm ./*.dwo &&
		for i in 1 2 3 4 5 6 7 8; do
			perf probe -x ./prog -D "outer$i o->last$i s->next->b o->s.next->a" | sed "s/.* last/last/" &&
			echo "last$i=+$((8 + (i - 1) / 8 * 8 + 24))(%di):s16 b=+8(+16(%si)):s64 a=+0(+$((8 + (i - 1) / 8 * 8 + 16))(%di)):s32" || return 1
		done >both && awk "NR % 2 { x = \$0; next } x != \$0 { print x; print \$0; bad = 1 } END { exit bad }" both
	'
done

test_expect_success LLVM_DWP 'where it may be: beside the program, under --symfs, beside its debug file' '
	units cc -gdwarf-5 && llvm-dwp -e prog -o p.dwp && rm ./*.dwo && perf script -i x.data -F ip,sym,srcline >poor && ! grep -q inlined poor &&
	cp p.dwp prog.dwp && perf script -i x.data -F ip,sym,srcline >rich && grep -q inlined rich && rm prog.dwp &&
	mkdir -p "sys$TRASH" && cp prog p.dwp "sys$TRASH" && mv "sys$TRASH/p.dwp" "sys$TRASH/prog.dwp" &&
	perf script -i x.data -F ip,sym,srcline --symfs "$PWD/sys" >got && test_cmp rich got &&
	objcopy --only-keep-debug prog prog.debug && cp prog whole && strip -g prog && objcopy --add-gnu-debuglink=prog.debug prog &&
	cp p.dwp prog.debug.dwp && perf script -i x.data -F ip,sym,srcline >got && test_cmp rich got &&
	mv prog.debug.dwp prog.dwp && perf script -i x.data -F ip,sym,srcline >got && test_cmp rich got && mv whole prog
'

test_expect_success LLVM_DWP 'the package of another program has no units of this one' '
	mkdir others && for f in u?.c main.c all.h; do sed "s/own/foreign/; s/shared/common/" $f >others/$f; done &&
	( cd others && cc -gdwarf-5 -O1 -gsplit-dwarf -o other ./*.c && llvm-dwp -e other -o ../prog.dwp ) &&
	perf script -i x.data -F ip,sym,srcline >got && test_cmp poor got &&
	test_must_fail perf probe -x ./prog -D "outer1 n" 2>err && test_grep "which is missing" err && test_grep "/prog.dwp" err
'

test_expect_success LLVM_DWP,PYTHON 'packed, damaged and cut packages: no harm' '
	cp p.dwp prog.dwp && objcopy --compress-debug-sections=zlib prog.dwp packed.dwp 2>err && mv packed.dwp prog.dwp &&
	perf script -i x.data -F ip,sym,srcline >got && test_cmp rich got &&
	python3 - p.dwp <<-\END &&
		import random, sys
		data = open(sys.argv[1], "rb").read()
		random.seed(7)
		for i in range(24):
		    d = bytearray(data)
		    for k in range(1 + i):
		        d[random.randrange(64, len(d))] = random.randrange(256)
		    open("bad%d" % i, "wb").write(d[:random.randrange(64, len(d))] if i % 4 == 3 else d)
		at = data.find(b"\5\0\0\0\5\0\0\0") if b"\5\0\0\0\5\0\0\0" in data else 64
		for i in range(24, 40):       # the index itself
		    d = bytearray(data)
		    for k in range(3):
		        d[at + random.randrange(0, 160) if at + 160 < len(d) else random.randrange(64, len(d))] = random.choice((0, 1, 127, 255))
		    open("bad%d" % i, "wb").write(d)
	END
	for i in $(seq 0 39); do
		cp bad$i prog.dwp && { perf script -i x.data -F ip,sym,srcline >got 2>err; s=$?; test $s -le 1; } &&
		test "$(awk "/^\t/ { print \$1 }" got | uniq | wc -l)" = "$(wc -l <addresses)" || { echo "package $i: status $s"; return 1; }
	done
'

test_done
