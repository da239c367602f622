#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='stacks through code that cannot be read while recording: kept as copies; how stacks end, counted'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW,CC,ROOT,X86_64

# removes itself; its stacks are looked at when it has ended and nothing leads to the file any more
cat >gone.c <<'EOT'
#include <sys/mman.h>
#include <unistd.h>
static volatile char *pages;
__attribute__((noinline)) static void touch(int n) { for (int i = 0; i < n; i++) pages[(long)i * 4096] = 1; }
__attribute__((noinline)) static int deep(int n) { if (n) return deep(n - 1) + 1; touch(20); return 0; }
int main(int argc, char **argv)
{
	if (argc < 2)
		unlink(argv[0]);
	pages = mmap(0, 20 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise((void *)pages, 20 * 4096, MADV_NOHUGEPAGE);
	return deep(7) == 1000;
}
EOT
cc -O1 -g -fomit-frame-pointer -fno-optimize-sibling-calls -Wl,--build-id -o whole gone.c ||
	test_skip_all 'the compiler does not take the program'

record () { perf record -N --call-graph dwarf -m 16M -e page-faults:u -c 1 "$@"; }
# samples in touch(): all, and those whose chain is whole down to main()
whole () {
	awk 'BEGIN { RS = "" } /^[^\n]* touch[ \n]/ { n++; if (gsub(/ deep[ \n]/, "&") == 8 && / main([ \n]|$)/) good++ }
		END { print n + 0, good + 0 }' "$1"
}

test_expect_success 'a recording has no copies when all can be read' '
	record -v -o whole.data ./whole stay 2>err && perf script -i whole.data -F ip,sym >out && test "$(whole out)" = "20 20" &&
	test_grep -v "binary cannot be read" err && test "$(stat -c %s whole.data)" -lt 100000
'

# The recorder is stopped before the program begins, until it has ended.
has_ended () { local c; for c in $(cat /proc/$recorder/task/*/children); do grep -q "^State:.Z" /proc/$c/status && return; done; return 1; }
gone_recorded () {
	cp whole gone && { perf record -N --call-graph dwarf -m 16M -e page-faults:u -c 1 -v -o gone.data -- sh -c "kill -STOP \$PPID; exec ./gone" 2>err & } && recorder=$! &&
	test_kill_at_end $recorder && test_wait_for 60 'has_ended' && kill -CONT $recorder && wait $recorder && test ! -e gone &&
	test_grep "^unwound stacks: [0-9]+ of [0-9]+: binary cannot be read" err
}
test_expect_success 'the file is gone: registers and stack stay in the recording, and record says so' '
	gone_recorded &&
	test_grep "^Warning: [0-9]+ of [0-9]+ stacks are in the file as copies.*/gone" err && test_grep "^Hint: .*--symfs" err &&
	n=$(sed -n "s/^unwound stacks: \([0-9]*\) of .*binary cannot be read/\1/p" err) &&
	test $n -ge 20 && test "$(stat -c %s gone.data)" -gt $(( n * 1000 )) &&
	perf script -i gone.data -F ip,sym >out 2>/dev/null && test "$(whole out)" = "0 0"
'

test_expect_success 'with the file under --symfs the chains are whole' '
	mkdir -p "root$PWD" && cp whole "root$PWD/gone" && perf script -v --symfs root -i gone.data -F ip,sym >out 2>stat &&
	test "$(whole out)" = "20 20" && test_grep "^unwound stacks: [0-9]+ of $n: binary" stat	# the C library is not there
'

test_expect_success 'with the file in the build-id cache too' '
	perf buildid-cache -a whole && echo "unwound stacks: $n of $n: complete" >expect &&
	perf script -v -i gone.data -F ip,sym >out 2>stat && test "$(whole out)" = "20 20" &&
	grep "^unwound stacks" stat >ends && test_cmp expect ends &&
	perf report -v --stdio --no-inline -i gone.data -g none >rep 2>stat && grep "^unwound stacks" stat >ends &&
	test_cmp expect ends && test_grep "deep" rep
'

test_expect_success UPSTREAM 'upstream perf reads it without a word' '
	"$UPSTREAM" report --stdio --no-inline -g none -i gone.data >rep 2>err && test_cmp /dev/null err &&
	"$UPSTREAM" script --no-inline -i whole.data -F ip,sym >out 2>err && test "$(whole out)" = "20 20" && test_cmp /dev/null err
'

test_expect_success NEWEST 'the newest release unwinds the copies' '
	"$NEWEST" script --no-inline --symfs root -i gone.data -F ip,sym >out 2>/dev/null && test "$(whole out)" = "20 20" &&
	"$NEWEST" script --no-inline -i whole.data -F ip,sym >out 2>err && test "$(whole out)" = "20 20" && test_cmp /dev/null err
'

# 15 page faults below 400 frames of a kilobyte, 10 in code without tables, 12 in a loaded object that is gone, 20 elsewhere
cat >ends.c <<'EOT'
#define _GNU_SOURCE
#include <alloca.h>
#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
void FN(volatile char *at, long n);
/* no frame pointer, no return address on top of the stack, and nothing that says where it is: the stack is aligned, so that the
 * instructions do not tell it either */
#define STR1(x) #x
#define STR(x) STR1(x)
__asm__(".text\n.globl " STR(FN) "\n.type " STR(FN) ",@function\n" STR(FN) ":\n"
	"push %rbp\n\tmov %rsp,%r11\n\txor %ebp,%ebp\n\tand $-64,%rsp\n\tpush %rbp\n"
	"1:\tmovb $1,(%rdi)\n\tadd $4096,%rdi\n\tdec %rsi\n\tjnz 1b\n\tmov %r11,%rsp\n\tpop %rbp\n\tret\n");
#ifndef PLUGIN
__attribute__((noinline)) static void touch(volatile char *at, long n) { while (n--) { *at = 1; at += 4096; } }
__attribute__((noinline)) static int deep(int n, volatile char *at)
{
	volatile char *room = alloca(1024);

	*room = 1;
	if (n)
		return deep(n - 1, at) + *room;
	memset((char *)room, 0, 1024);
	touch(at, 15);
	return *room;
}
__attribute__((noinline)) static void grow(long n)
{
	volatile char *room = alloca(n);

	while ((n -= 4096) >= 0)
		room[n] = 1;
}
int main(int argc, char **argv)
{
	void *lib = dlopen(argv[1], RTLD_NOW);
	void (*fn)(volatile char *, long);
	volatile char *at;

	grow(600000);
	if (!lib || argc < 2 || mlockall(MCL_CURRENT))
		return 1;
	at = mmap(0, 60 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise((void *)at, 60 * 4096, MADV_NOHUGEPAGE);
	*(void **)&fn = dlsym(lib, "in_plugin");
	unlink(argv[1]);
	touch(at, 20);
	deep(400, at + 20 * 4096);
	FN(at + 35 * 4096, 10);
	fn(at + 45 * 4096, 12);
	return 0;
}
#endif
EOT

# What the program's own faults (and those of its preparation, by where they are) make: whole, cut, without tables, unread, all
cat >expect.awk <<'EOT'
BEGIN { RS = "" }
{ all++ }
/^[^\n]* touch / && / main / && !/ deep / { whole++ }
!/ (_start|_dl_start_user) / && !/ untold / && !/gone\.so/ { cut++ }
/^[^\n]* touch / && / deep / { deep++ }
/^[^\n]* untold / { untold++ }
/gone\.so/ && !(raw && / (_start|_dl_start_user) /) { gone++ }	# the reader may guess its way through it
END { print whole + 0, deep + 0, untold + 0; print all - cut - untold - gone, cut, untold, gone, all >"expect" }
EOT
# "stack copy too short", "the stack was not there to be copied"
cat >ends.awk <<'EOT'
/^unwound stacks/ { n[$6] += $3; all = $5 + 0 }
END { print n["complete"] + 0, n["stack"] + n["the"] + 0, n["code"] + 0, n["binary"] + 0, all }
EOT

# A recorder that looks at its rings while the program runs finds the deleted file through the process: it waits until that is gone.
cat >quiet.c <<'EOT'
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	kill(getppid(), SIGSTOP);
	if (!fork())
		_exit(execv(argv[1], argv + 1));
	wait(NULL);
	return kill(getppid(), SIGCONT);
}
EOT

test_expect_success 'how stacks end, counted while recording and by the reader' '
	cc -O1 -g -w -o quiet quiet.c &&
	cc -O1 -g -w -fomit-frame-pointer -DFN=untold -o ends ends.c -ldl && cc -O1 -w -shared -DPLUGIN -DFN=in_plugin -o plugin.so ends.c &&
	for how in "" ,raw; do
		cp plugin.so gone.so && record -v --call-graph dwarf,16384$how -o ends.data ./quiet ./ends ./gone.so 2>err &&
		perf script -v -i ends.data -F ip,sym,dso >out 2>stat &&
		test "$(awk -v raw=$how -f expect.awk out)" = "20 15 10" && awk "{ exit !(\$2 >= 15 && \$4 >= 12) }" expect &&
		if [ -n "$how" ]; then cat stat; else cat err; fi | awk -f ends.awk >ends.txt && test_cmp expect ends.txt || return 1
	done &&
	perf report -v --stdio -i ends.data 2>stat >out && awk -f ends.awk stat >ends.txt && test_cmp expect ends.txt &&
	perf report --stats -i ends.data 2>err >out && awk "/^User stacks, unwound/ { on = 1; next } /^User/ { on = 0 }
		on { sub(/\([^)]*%\)/, \"\"); n[\$2] += \$1; all += \$1 } END { print n[\"complete\"] + 0, n[\"stack\"] + n[\"the\"] + 0, n[\"code\"] + 0, n[\"binary\"] + 0, all }" out >ends.txt &&
	test_cmp expect ends.txt
'

test_done
