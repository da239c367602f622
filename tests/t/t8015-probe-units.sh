#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf probe: units opened one by one give what reading all of them gives; C++, DWARF 4 and 5, string indexes, compressed'
. "$(dirname "$0")/lib.sh"

test_require CXX
# More than 1 MiB of .debug_info in 16 units.
awk 'BEGIN { for (i = 0; i < 1200; i++) printf "struct t%d { int alpha%d; long beta%d, gamma%d; t%d *next; char name[%d]; };\n", i, i, i, i, i, i + 1
	print "struct all {"; for (i = 0; i < 1200; i++) printf "t%d m%d;\n", i, i; print "};" }' >types.h
cat >unit.cc <<'E2'
#include "types.h"
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define HIDDEN __attribute__((noinline))
extern volatile long sink;
namespace app {
struct Circle { long r; HIDDEN long area(int scale); bool operator<(const Circle &o) const; long operator()(long n); };
template <typename T> HIDDEN T larger(T a, T b) { sink += a; return a > b ? a : b; }
struct Caller { template <typename T> HIDDEN long operator()(T n) { sink += n; return sink; } };
namespace { HIDDEN long hidden(long n) { sink += n; return sink; } }
#if N == 7
long Circle::area(int scale) { return larger(r * scale, 3L); }
bool Circle::operator<(const Circle &o) const { sink++; return r < o.r; }
long Circle::operator()(long n) { return hidden(n + r); }
#endif
}
static inline __attribute__((always_inline)) long everywhere(long n) { sink += n; return sink; }
HIDDEN long CAT(only, N)(long n, all *t)
{
	struct Local { HIDDEN long inside(long k) { sink += k; return sink; } } l;
	t->m7.alpha7 = (int)everywhere(n);
	return app::Caller()(n) + app::hidden(n) + l.inside(n);
}
#if N == 0
volatile long sink;
static all big;
int main()
{
	app::Circle c = { 3 };
	return (int)(only0(1, &big) + c.area(2) + (c < c) + c(4));
}
#endif
E2
build () {	# NAME COMPILER FLAG...
	local name=$1 cxx=$2 n
	shift 2
	for n in $(seq 0 15); do
		$cxx -g "$@" -DN=$n -c -o "$name.$n.o" unit.cc || return 1
	done
	$cxx -o "$name" "$name".*.o
}
export XDG_CACHE_HOME=$PWD/cache
specs='only3 only15 area Circle::area app::Circle::area larger larger<long> app::larger hidden inside everywhere main
	operator() operator< _ZN3app6Circle4areaEi only11+4 only7%return unit.cc:22'
vars='only3:t->m7.alpha7 area:scale app::Circle::area:this->r inside:k larger:a only5:sink'
ask () {
	local file=$1 s all=()
	shift
	for s in $specs; do all+=(-D "$s"); done
	for s in $vars; do all+=(-D "v=${s%:*} ${s##*:}"); done
	perf probe "$@" -x "$file" "${all[@]}"
	for s in nosuch app::hidden 'Caller::operator()'; do perf probe "$@" -x "$file" -D "$s"; done
	perf probe "$@" -x "$file" -V area; perf probe "$@" -x "$file" -L only3
	true
}
check () {
	rm -rf cache
	ask "./$1" --no-index >plain 2>&1 && test ! -d cache && ask "./$1" >first 2>&1 && ask "./$1" >again 2>&1 &&
		test_cmp plain first && test_cmp plain again && test "$(grep -c "^p:" plain)" -gt 60 &&
		perf probe -v -x "./$1" -D area 2>err >out && test_grep "area. is in 1 of 16 units, says the index" err
}

test_expect_success 'g++, DWARF 5' 'build five c++ -gdwarf-5 -O1 && check five'
test_expect_success OBJDUMP 'compressed' 'objcopy --compress-debug-sections five packed && check packed'
test_expect_success 'g++, DWARF 4' 'build four c++ -gdwarf-4 -O0 && check four'
test_expect_success CLANG 'clang++: no siblings, names by index, .debug_aranges and .debug_names' '
	build clang clang++ -O1 -fstandalone-debug -gpubnames -gdwarf-aranges && check clang
'
test_expect_success 'type units are not indexed: the answer is the same' '
	build types c++ -gdwarf-5 -O0 -fdebug-types-section && rm -rf cache && ask ./types --no-index >plain 2>&1 && test_grep "^p:" plain &&
	ask ./types >first 2>&1 && test_cmp plain first && test -z "$(find cache -type f 2>/dev/null)"
'
test_done
