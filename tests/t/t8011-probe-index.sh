#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf probe: the index of functions of large files gives what the search without it gives'
. "$(dirname "$0")/lib.sh"

test_require CC
# More than 2 MiB of .debug_info in more than 16 units: a header with many types, and functions of all kinds.
awk 'BEGIN { for (i = 0; i < 1500; i++) printf "struct t%d { int alpha%d; long beta%d, gamma%d; struct t%d *next; char name[%d]; };\n", i, i, i, i, i, i + 1 }' >types.h
cat >unit.c <<'EOF2'
#include "types.h"
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
extern volatile long sink;
static inline __attribute__((always_inline)) long everywhere(long n) { sink += n; return sink; }
static __attribute__((noinline)) long same(long n) { sink -= n; return sink; }
__attribute__((noinline)) long CAT(only, N)(long n, struct t7 *t) { t->alpha7 = everywhere(n); return same(n + N); }
__attribute__((noinline)) long CAT(f, N)(long n) { extern long shared(long); return shared(n) + everywhere(3); }
#if N == 5
long shared(long n) { long inner(long k) { return same(k + n); } return inner(n) + sink; }
#endif
#if N == 0
volatile long sink;
int main(void) { struct t7 t; return (int)(only0(1, &t) + f0(2)); }
#endif
EOF2
for n in $(seq 0 19); do
	cc -g -O1 -fno-eliminate-unused-debug-types -DN=$n -c -o $n.o unit.c || exit 1
done
cc -o many *.o || exit 1
export XDG_CACHE_HOME=$PWD/cache
index () { find cache -type f 2>/dev/null; }
log () { grep -c "$1" "$2"; }

specs='only3 f5 f19 same everywhere shared inner only11:0 main only7+4 f1%return'
vars='only3:n only3:t->alpha7 same:n everywhere:n inner:k'
ask () {
	for s in $specs; do echo "$s:"; perf probe "$@" -x ./many -D "$s"; done
	for s in $vars; do echo "$s:"; perf probe "$@" -x ./many -D "${s%%:*} ${s#*:}"; done
	for s in only3 everywhere nosuchfunction; do perf probe "$@" -x ./many -V $s; perf probe "$@" -x ./many -L $s; done
	true
}

test_expect_success 'with and without the index, and when it is read again: the same' '
	ask --no-index >plain 2>&1 && test -z "$(index)" &&
	ask >first 2>&1 && test "$(index | wc -l)" = 1 &&
	ask >again 2>&1 && test_cmp plain first && test_cmp plain again &&
	test "$(perf probe --no-index -x ./many -D same | wc -l)" = 20 && test "$(perf probe -x ./many -D everywhere | wc -l)" = 40
'
test_expect_success OBJDUMP 'its name is the build-id, and it is used' '
	id=$(readelf -n ./many | sed -n "s/.*Build ID: //p") &&
	test "$(index)" = "cache/perf/functions/${id:0:2}/${id:2}" &&
	perf probe -v -x ./many -D only3 2>err >out && test_grep "only3. is in 1 of 20 units, says the index" err
'
test_expect_success 'damaged, cut, empty, of another file: made anew, the answer is the same' '
	f=$(index) && cp "$f" good && perf probe -x ./many -D same >expect &&
	for how in cut empty byte tail text; do
		case $how in
		cut) head -c 300 good >"$f" ;;
		empty) : >"$f" ;;
		byte) cp good "$f" && printf "\377" | dd of="$f" bs=1 seek=200 conv=notrunc status=none ;;
		tail) { cat good && echo; } >"$f" ;;
		text) echo "no index at all" >"$f" ;;
		esac
		perf probe -v -x ./many -D same >out 2>err && test_cmp expect out && test_grep "is not an index of this file: made anew" err &&
		cmp good "$f" || { echo "after $how"; return 1; }
	done
'
test_expect_success 'two at a time; nothing is left but the index' '
	rm -rf cache && { perf probe -x ./many -D same >out1 & perf probe -x ./many -D same >out2; wait $!; } &&
	test_cmp expect out1 && test_cmp expect out2 && test "$(index | wc -l)" = 1
'
test_expect_success 'switched off, by option or setting; and where it cannot be written' '
	rm -rf cache && perf probe --no-index -x ./many -D same >out && test_cmp expect out &&
	perf config probe.index=false && perf probe -x ./many -D same >out && test_cmp expect out && test -z "$(index)" &&
	perf config --unset probe.index && XDG_CACHE_HOME=/dev/null/x perf probe -v -x ./many -D same >out 2>err && test_cmp expect out &&
	test_grep "cannot be written" err
'
test_done
