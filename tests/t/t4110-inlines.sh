#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='source lines and inlined functions of thousands of addresses are those of the other readers of DWARF'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq ADDR2LINE 'needs addr2line and readelf (package binutils) and eu-addr2line (package elfutils)' \
	'addr2line --version && readelf --version && eu-addr2line --version'
test_lazy_prereq LLVM_SYMBOLIZER 'needs llvm-symbolizer (package llvm)' 'llvm-symbolizer --version'
test_lazy_prereq UNIT_DWARF 'needs build/perf-unit with debug information' \
	'readelf -SW "$BUILD/perf-unit" | grep -q " \.debug_info "'
test_lazy_prereq GXX 'needs g++ (package g++) and objdump (package binutils)' 'g++ --version && objdump --version'
[ -x "$BUILD/helper/address-data" ] || make -s -C "$TOP" O="$BUILD" "$BUILD/helper/address-data" >/dev/null 2>&1 ||
	test_skip_all 'needs build/helper/address-data (make tests)'
test_require X86_64

# text_addresses FILE N: addresses spread evenly over its .text
text_addresses () {
	readelf -SW "$1" | awk -v n="$2" '
		function hex(s,  i, v) { for (i = 1; i <= length(s); i++) v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1; return v }
		{ sub(/^ *\[ *[0-9]+\] */, "") }
		$1 == ".text" { at = hex($3); size = hex($5); if (n > size) n = size
			for (i = 0; i < n; i++) printf "%x\n", at + int(i * size / n) }'
}

# A line for each address: "function@file:line" of each frame, innermost first, between bars. Marks of clones are no part of
# a name, and of a constructor's or destructor's two symbols for one place (C1 and C2) either may be shown.
plain='function plain(s) { gsub(/ \[clone [^]]*\]/, "", s); gsub(/\.(cold|part|isra|constprop|localalias|llvm)(\.[0-9]+)*/, "", s); gsub(/D1E/, "D2E", s); gsub(/C1[EI]/, "C2E", s); gsub(/C2I/, "C2E", s); return s }'
ours () {
	awk "$plain"'
		function flush() { if (n) print row; n = 0; row = "" }
		/^\t/ { if (n++) row = row "|"; sub(/^\t *[0-9a-f]+ /, ""); sub(/ \(inlined\)$/, ""); row = row plain($0) "@"; next }
		/^  / { sub(/^  /, ""); sub(/ \(inlined\)$/, ""); row = row $0; next }
		{ flush() }
		END { flush() }'
}
# Of a tool that prints addresses and then pairs of lines.
theirs () {
	awk "$plain"'
		/^0x[0-9a-f]+$/ { if (nr++) print row; row = ""; n = 0; next }
		n++ % 2 == 0 { row = row (n > 1 ? "|" : "") plain($0) "@"; next }
		{ sub(/ \(discriminator [0-9]+\)/, ""); sub(/:\?$/, ":0"); row = row $0 }
		END { if (nr) print row }'
}

ours_of () {	# FILE OPTIONS: rows of the addresses in ./at
	local file=$1
	shift
	"$BUILD/helper/address-data" at.data "$file" <at &&
	perf script -i at.data -F ip,sym,srcline --full-source-path "$@" | ours
}

# compare TITLE: files at, rows, ref, and (asked only where they differ) arbiter. What may differ: code without any DWARF; the
# padding between functions, which belongs to no symbol (only the name differs); rows where the arbiter has what we have.
compare () {
	[ "$(wc -l <rows)" = "$(wc -l <at)" ] && [ "$(wc -l <ref)" = "$(wc -l <at)" ] ||
		{ echo "rows missing: $(wc -l <at) addresses, $(wc -l <rows) rows, $(wc -l <ref) of the other"; return 1; }
	paste at rows ref | awk -F '\t' '$2 != $3' >differ
	cut -f 1 differ >odd
	arbiter <odd >third && [ "$(wc -l <third)" = "$(wc -l <odd)" ] || { echo "no arbiter"; return 1; }
	paste differ third | awk -F '\t' -v title="$1" -v all="$(wc -l <at)" '
		$2 !~ /\// && $3 !~ /\// { bare++; next }
		{ a = $2; b = $3; sub(/^\[unknown\]@/, "@", a); sub(/^[^@]*@/, "@", b) }
		{ c = $4; sub(/^\?\?@/, "@", c); sub(/\|.*/, "", c) }	# of the arbiter, where it has no name either
		$2 ~ /^\[unknown\]@/ && (a == b || a == "@" || a == c) { padding++; next }
		$2 == $4 { alone++; if (alone <= 3) print "the arbiter sides with us: " $1 "\n  " $2 "\n  " $3; next }
		{ bad++; if (bad <= 5) print substr("not equal: " $1 "\n  ours   " $2 "\n  theirs " $3 "\n  third  " $4, 1, 3000) }
		END {
			printf "%s: %d addresses, %d equal, %d without DWARF, %d padding, %d where the other is alone, %d wrong\n", title, all,
				all - NR, bare, padding, alone, bad > "verdict"
			exit bad > 0 || padding + bare > all / 4 || alone > all / 100
		}'
}

addr2line_of () { addr2line -a -i -f -C -e "$1" <at | theirs; }

# eu-addr2line tells lines only with columns; names only without the types of their parameters where DWARF has no linkage name
eu_of () {
	eu-addr2line -a -i -f -C -e "$1" $(sed 's/^/0x/') | sed 's/ inlined at .*//; s/\(:[0-9]*\):[0-9]*$/\1/' | theirs
}

test_expect_success ADDR2LINE,UNIT_DWARF '10000 addresses of a large C program are as addr2line -i -f has them' '
	f=$BUILD/perf-unit && arbiter () { eu_of "$BUILD/perf-unit"; } &&
	text_addresses "$f" 10000 >at && [ "$(wc -l <at)" = 10000 ] &&
	ours_of "$f" >rows && addr2line_of "$f" >ref && compare "C" && test_comment verdict
'

cat >shapes.cc <<\END
#include <memory>
#include <string>
#include <utility>
#include <vector>
namespace app {
template<int N> struct Node {
	std::vector<std::string> m; std::vector<std::pair<std::string, long>> v;
	long work(const std::string &s) {
		for (int i = 0; i < N; i++) { m.push_back(s + "x"); v.emplace_back(s, i); }
		auto less = [](auto &a, auto &b) { return a.second * N % 7 < b.second * N % 7; };
		for (auto &a : v) for (auto &b : v) if (less(a, b)) std::swap(a, b);
		long sum = 0; for (auto &p : v) sum += p.second + N; return sum;
	}
};
struct Base { virtual ~Base() = default; virtual int f(int) = 0; };
template<int N> struct Derived : Base {
	int f(int x) override { try { if (x > 100000) throw std::string("x"); return x * N; } catch (std::string &s) { return s.size(); } }
};
template<int... I> long all(std::integer_sequence<int, I...>, const std::string &s)
{
	std::vector<std::unique_ptr<Base>> b; (b.push_back(std::make_unique<Derived<I>>()), ...);
	long sum = (Node<I>().work(s) + ...); for (auto &x : b) sum += x->f(3); return sum;
}
}
int main(int, char **argv) { return app::all(std::make_integer_sequence<int, 10>(), argv[0]) & 1; }
END
shapes () { [ -e "$1" ] || "$2" -std=c++17 -g $3 -o "$1" shapes.cc; }

test_expect_success ADDR2LINE,CXX 'the same of a C++ program with templates, 10000 addresses' '
	shapes cxx c++ -O2 && arbiter () { eu_of ./cxx; } && text_addresses cxx 10000 >at && [ "$(wc -l <at)" = 10000 ] &&
	ours_of ./cxx >rows && addr2line_of ./cxx >ref && compare "C++" && test_comment verdict
'

# llvm-symbolizer has a demangler of its own, so names are compared as they are in the file
llvm_of () {
	sed 's/^/0x/' at | llvm-symbolizer --obj="$1" --no-demangle --output-style=LLVM | awk "$plain"'
		/^$/ { if (n) print row; row = ""; n = 0; next }
		n++ % 2 == 0 { row = row (n > 1 ? "|" : "") plain($0) "@"; next }
		{ sub(/:[0-9]+$/, ""); row = row $0 }
		END { if (n) print row }'
}

test_expect_success ADDR2LINE,LLVM_SYMBOLIZER,UNIT_DWARF '10000 addresses of a large C program are as llvm-symbolizer has them' '
	f=$BUILD/perf-unit && arbiter () { eu_of "$BUILD/perf-unit"; } && text_addresses "$f" 10000 >at &&
	ours_of "$f" --no-demangle >rows && llvm_of "$f" >ref && compare "C, llvm" && test_comment verdict
'

test_expect_success ADDR2LINE,LLVM_SYMBOLIZER,CXX 'the same of the C++ program' '
	shapes cxx c++ -O2 && arbiter () { eu_of ./cxx; } && text_addresses cxx 10000 >at &&
	ours_of ./cxx --no-demangle >rows && llvm_of ./cxx >ref && compare "C++, llvm" && test_comment verdict
'

test_expect_success ADDR2LINE,LLVM_SYMBOLIZER,CLANG,CXX 'the same made by clang, whose ranges of inlined calls addr2line 2.40 misreads' '
	shapes cxx-clang clang++ -O2 && arbiter () { eu_of ./cxx-clang; } && text_addresses cxx-clang 10000 >at &&
	ours_of ./cxx-clang --no-demangle >rows && llvm_of ./cxx-clang >ref && compare "C++, clang, llvm" && test_comment verdict
'

test_expect_success CC 'the order of the frames, their marks, and --no-inline' '
	cat >nest.c <<-\END &&
	volatile int sink;
	static inline __attribute__((always_inline)) void inner(void)
	{
		sink++;
	}
	static inline __attribute__((always_inline)) void middle(void)
	{
		inner();
	}
	int main(void)
	{
		middle();
		return 0;
	}
	END
	cc -O1 -g -o nest nest.c && at=$(nm nest | awk "/ main$/ { print \$1 }") && echo "$at" >at &&
	"$BUILD/helper/address-data" at.data nest <at &&
	perf script -i at.data -F ip,sym,srcline | sed "s/^\t *[0-9a-f]* /\t/" >out &&
	printf "\n\tinner\n  nest.c:4 (inlined)\n\tmiddle\n  nest.c:8 (inlined)\n\tmain\n  nest.c:12\n\n" >expect && test_cmp expect out &&
	perf script -i at.data -F ip,sym,symoff,dso | sed "s/^\t *[0-9a-f]* /\t/; s|(/.*/|(|" >out &&
	printf "\n\tinner+0x0 (inlined)\n\tmiddle+0x0 (inlined)\n\tmain+0x0 (nest)\n\n" >expect && test_cmp expect out &&
	perf script -i at.data -F ip,sym,srcline --no-inline | sed "s/^\t *[0-9a-f]* /\t/" >out &&
	printf "\n\tmain\n  nest.c:4\n\n" >expect && test_cmp expect out &&
	for n in 1 2 8; do perf script -i at.data --jobs $n >out.$n || return 1; done && cmp out.1 out.2 && cmp out.1 out.8
'

test_expect_success UNIT_DWARF 'any number of threads tells the same of 10000 addresses in hundreds of units' '
	text_addresses "$BUILD/perf-unit" 10000 >at && "$BUILD/helper/address-data" at.data "$BUILD/perf-unit" <at &&
	for n in 1 2 4; do
		perf script -i at.data -F ip,sym,srcline --jobs $n >out.$n && perf report --stdio -g caller -i at.data --jobs $n >tree.$n &&
		sed "/Tip:/d" tree.$n >rep.$n && cmp out.1 out.$n && cmp rep.1 rep.$n || return 1
	done && test "$(grep -c "(inlined)" out.1)" -gt 1000
'

cat >scope.cc <<\END
volatile int sink;
#define INL static inline __attribute__((always_inline))
#define METHOD __attribute__((always_inline)) inline
namespace app {
namespace {
INL void hidden(int n) { sink += n; }
struct Local { METHOD void run(int n) { hidden(n); } };
}
namespace inner { INL void step(int n) { Local l; l.run(n); } }
template<class T> struct Box { T v; METHOD void put(T n) { inner::step(n); v = n; } };
template<int N> INL void times(int n) { Box<int> b; b.put(n * N); }
static union { METHOD void in_union(int n) { times<3>(n); } } nameless;
extern "C" { METHOD void cfun(int n) { nameless.in_union(n); } }
}
INL void plain(int n) { app::cfun(n); }
int main(int argc, char **)
{
	auto lambda = [&](int k) __attribute__((always_inline)) {
		struct In { INL void deep(int n) { plain(n); } };
		In::deep(k);
	};
	lambda(argc);
	return 0;
}
END
cat >scope.expect <<\END
app::(anonymous namespace)::hidden(int) (inlined)
app::(anonymous namespace)::Local::run(int) (inlined)
app::inner::step(int) (inlined)
app::Box<int>::put(int) (inlined)
void app::times<3>(int) (inlined)
app::{unnamed type}::in_union(int) (inlined)
cfun (inlined)
plain(int) (inlined)
main::{lambda}::operator()::In::deep(int) (inlined)
main::{lambda}::operator()(int) (inlined)
main
END
# scopes FILE OPTIONS: the frames where main changes sink first
scopes () {
	local file=$1
	shift
	objdump -d "$file" | awk '/<main>:/ { here = 1 } here && /<sink>/ { sub(/:/, "", $1); print $1; exit }' >at && [ -s at ] &&
	"$BUILD/helper/address-data" at.data "$file" <at &&
	perf script -i at.data -F ip,sym "$@" | sed -n "s/^\t *[0-9a-f]* //p"
}

test_expect_success GXX 'functions of C++ that have no linkage name are reported with their namespaces and classes' '
	for how in -gdwarf-5 -gdwarf-4 "-gdwarf-5 -fdebug-types-section" "-gdwarf-5 -gsplit-dwarf" "-g -flto"; do
		g++ -O1 $how -o scope scope.cc && scopes scope >out && test_cmp scope.expect out || { echo "with $how"; return 1; }
	done
'

# One program twice: once its functions are static, and have no linkage names, once they are seen by other files, and have
cat >types.cc <<\END
#define F LINK inline __attribute__((always_inline))
volatile unsigned long sink;
namespace app {
struct Shape { int w; };
enum Kind { ROUND };
typedef unsigned long number;
F void numbers(number a, short b, unsigned short c, long long d, unsigned long long e, signed char f, bool g, double h) { sink += a + b + c + d + e + f + g + (int)h; }
F void pointers(const char *a, char *const b, const char *const *c, void *d, const volatile int *e) { sink += *a + *b + **c + *(int *)d + *e; }
F void places(Shape *a, const Shape &b, Shape &&c, Kind d) { sink += a->w + b.w + c.w + d; }
F void compound(int (&a)[4], int (*b)[2][3], void (*c)(int, const char *), int Shape::*d, Shape *e) { sink += a[1] + b[0][1][2] + (c != 0) + e->*d; }
F void many(int a, ...) { sink += a; }
template <typename T> F T *result(T *v, unsigned long n) { sink += *v + n; return v; }
}
int main(int argc, char **argv)
{
	app::Shape s = { argc };
	int a[4] = { argc, 2, 3, 4 }, b[1][2][3] = { { { argc } } };

	app::numbers(argc, 2, 3, 4, 5, 6, true, 2.0);
	app::pointers(argv[0], argv[0], argv, a, a);
	app::places(&s, s, app::Shape{ argc }, app::ROUND);
	app::compound(a, b, 0, &app::Shape::w, &s);
	app::many(argc);
	return *app::result(a, 3);
}
END
inlined () {
	objdump -d --no-show-raw-insn "$1" | awk "/<main>:/ { f = 1; next } f && /^\$/ { exit } f { sub(/:/, \"\", \$1); print \$1 }" |
		"$BUILD/helper/address-data" at.data "$1" && perf script -i at.data -F ip,sym 2>/dev/null | sed -n "s/^[\t ]*[0-9a-f]* \(.*\) (inlined)$/\1/p" | sort -u
}
test_expect_success GXX 'the types of their parameters are those that the demangler gives to functions with linkage names' '
	for how in -gdwarf-5 -gdwarf-4; do
		g++ -O1 $how -DLINK=static -o types types.cc || return 1
		g++ -O1 $how -DLINK= -o linked types.cc && inlined linked >expect && inlined types >out && [ "$(wc -l <expect)" = 6 ] &&
		test_cmp expect out || { echo "with $how"; return 1; }
	done && test_grep "app::compound\(int \(&\) \[4\], int \(\*\) \[2\]\[3\], void \(\*\)\(int, char const\*\), int app::Shape::\*, app::Shape\*\)" out
'

test_expect_success GXX 'with --no-demangle they are as in the file' '
	g++ -O1 -g -o scope scope.cc && scopes scope --no-demangle >out && cat >expect <<-\END && test_cmp expect out
	hidden (inlined)
	run (inlined)
	step (inlined)
	_ZN3app3BoxIiE3putEi (inlined)
	times<3> (inlined)
	in_union (inlined)
	cfun (inlined)
	plain (inlined)
	deep (inlined)
	operator() (inlined)
	main
	END
'

test_done
