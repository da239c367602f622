#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf archive: on another machine the report is the same, with lines, inlined functions, vdso and kernel'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq TAR 'needs tar, and bzip2' 'tar --version && command -v bzip2'
test_lazy_prereq DWZ 'needs dwz' 'command -v dwz'
test_require PERF_SW,CC,TAR,X86_64

cat >inl.c <<'EOF'
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
volatile long sink;
static inline __attribute__((always_inline)) void inner(volatile char *p)
{
	for (int i = 0; i < 50; i++)
		p[i * 4096] = 1;
	for (int i = 0; i < 20000; i++)
		sink += i;
}
static inline __attribute__((always_inline)) void middle(volatile char *p) { inner(p); }
__attribute__((noinline)) void outer(void)
{
	char *p = mmap(0, 50 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(p, 50 * 4096, MADV_NOHUGEPAGE);
	middle(p);
	munmap(p, 50 * 4096);
}
int main(void)
{
	struct timespec t;
	while (clock() < CLOCKS_PER_SEC / 3) {
		outer();
		/* a coarse clock: for others the vdso may call a function that it has no symbol for */
		for (int i = 0; i < 20000; i++) {
			clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
			sink += t.tv_nsec;
		}
	}
	return 0;
}
EOF

# What a user looks at: call graphs with inlined functions, source lines, each stack.
cat >look <<'EOF'
perf report --stdio --no-children -i perf.data 2>err
perf report --stdio --no-children -i perf.data -s srcline,sym -g none 2>>err
perf script -i perf.data -F comm,ip,sym,symoff,dso,srcline 2>>err
EOF

test_expect_success 'a recording of a program, the C library, the vdso and the kernel, packed' '
	cc -g -O2 -fno-omit-frame-pointer -D_GNU_SOURCE -o inl inl.c &&
	perf record -q -F 499 -g -e cpu-clock -o perf.data ./inl && . ./look | grep -v "Tip:" >expect &&
	test_grep "inner .inlined" expect && test_grep "inl.c:[0-9]+" expect && test_grep "__vdso_clock_gettime" expect &&
	{ ! test_have KALLSYMS || test_grep "kernel.kallsyms" expect; } &&
	perf archive >out && cp perf.data.tar.bz2 keep.tar.bz2 && tar tf perf.data.tar.bz2 >names && test_grep "/inl/[0-9a-f]+/elf" names && test_grep "/vdso$" names
'

# Another machine: a root directory with nothing but perf, its libraries (elsewhere than they were here), a shell, tar and bzip2; without
# /proc and /sys there is no kernel either.
make_other () {
	local b
	mkdir -p other/opt/lib other/there other/home other/tmp other/dev other/bin &&
	for b in "$BUILD/perf" "$(command -v bash)" "$(command -v tar)" "$(command -v bzip2)"; do
		cp -L "$b" other/opt/ && { cp -Ln $(ldd "$b" | grep -o "/[^ )]*") other/opt/lib/ || :; } || return 1
	done
	cat >other/opt/run <<-\EOF
	ld="/opt/lib/ld-linux-x86-64.so.2 --library-path /opt/lib"
	perf () { $ld /opt/perf "$@"; }
	export HOME=/home
	cd /there
	EOF
	cat look >>other/opt/run
}
there () { chroot other /opt/lib/ld-linux-x86-64.so.2 --library-path /opt/lib /opt/bash /opt/run | grep -v "Tip:"; }
test_lazy_prereq CHROOT 'needs root and chroot' 'test_have ROOT && chroot / true && ldd "$BUILD/perf" | grep -q ld-linux-x86-64.so.2'

test_expect_success CHROOT 'on a machine that has none of these files the names are missing' '
	make_other && cp perf.data other/there/ && there >out && test_grep "\[unknown\]" out && ! grep -E "inner|inl.c:" out
'

test_expect_success CHROOT 'after unpacking there it is the same to the letter' '
	HOME=$TRASH/other/home perf archive --unpack perf.data.tar.bz2 && there >out && test_cmp expect out
'

test_expect_success UPSTREAM 'upstream perf unpacks it by tar, as it says, and has the names' '
	mkdir -p upstream/.debug && mv inl inl.away && tar xf keep.tar.bz2 -C upstream/.debug &&
	HOME=$TRASH/upstream "$UPSTREAM" report --stdio --no-children --no-inline -g none -s dso,sym -i perf.data 2>/dev/null >out
	mv inl.away inl; test_grep "inl .*outer" out && test_grep "vdso. .*__vdso_clock_gettime" out
'

test_expect_success UPSTREAM,CHROOT 'an archive that upstream perf made' '
	rm -rf packed && mkdir packed && cp perf.data packed/ && ( cd packed && "$UPSTREAM" archive perf.data >../out 2>&1 )
	test -e packed/perf.data.tar.bz2 || { test_skip "upstream perf packs nothing here: $(head -c 100 out | tr "\n" " ")"; return; }
	rm -rf other/home/.debug other/there/* && cp perf.data other/there/ &&
	HOME=$TRASH/other/home perf archive --unpack packed/perf.data.tar.bz2 && there >out &&
	test_grep "inner .inlined" out && test_grep "inl.c:[0-9]+" out && test_grep "__vdso_clock_gettime" out	# it packs what is hit itself
'

# Its inlined functions' names are in what dwz has put together of both, where there is dwz
test_expect_success CHROOT 'a stripped program, its debug file by debug link, and what that shares with another' '
	rm -rf perf.data* other/home/.debug other/there/* .home/.debug && mkdir -p apart/.debug && ( cd apart &&
		sed "s/2000; i/2001; i/" ../inl.c >other.c && for p in prog other; do
			cc -g -O2 -fno-omit-frame-pointer -D_GNU_SOURCE -o $p $(test $p = prog && echo ../inl.c || echo other.c) &&
			objcopy --only-keep-debug $p .debug/$p.debug || exit 1
		done && { ! test_have DWZ || ( cd .debug && dwz -m common.dbg prog.debug other.debug && test -s common.dbg ); } &&
		strip prog && objcopy --add-gnu-debuglink=.debug/prog.debug prog ) &&
	perf record -q -F 499 -g -e cpu-clock:u -o perf.data ./apart/prog && . ./look | grep -v "Tip:" >expect &&
	test_grep "inner .inlined" expect && test_grep "inl.c:[0-9]+" expect && perf archive >out && tar tf perf.data.tar.bz2 >names &&
	{ ! test_have DWZ || test_grep "/common.dbg/[0-9a-f]+/elf" names; } &&
	cp perf.data other/there/ && HOME=$TRASH/other/home perf archive --unpack perf.data.tar.bz2 && there >out && test_cmp expect out
'

test_done
