#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='split DWARF in all its forms: lines and inlined functions are those of the same program not split'
. "$(dirname "$0")/lib.sh"

[ -x "$BUILD/helper/address-data" ] || make -s -C "$TOP" O="$BUILD" "$BUILD/helper/address-data" >/dev/null 2>&1 ||
	test_skip_all 'needs build/helper/address-data (make tests)'
test_require X86_64,CXX
test_lazy_prereq BINUTILS 'needs readelf and objcopy (package binutils)' 'readelf --version && objcopy --version'
test_lazy_prereq CLANGXX 'needs clang++' 'echo "#include <vector>" >c.cc && clang++ -c c.cc -o c.o'

cat >one.cc <<\END
#include <memory>
#include <string>
#include <vector>
namespace app {
template<int N> struct Node {
	std::vector<std::string> m; std::vector<long> v;
	long work(const std::string &s) { for (int i = 0; i < N; i++) { m.push_back(s + "x"); v.push_back(i); } return v.back() + N; }
};
struct Base { virtual ~Base() = default; virtual int f(int) = 0; };
template<int N> struct Derived : Base { int f(int x) override { return x * N; } };
}
extern int other(const long *v, int n, int k);
int main(int n, char **argv)
{
	std::unique_ptr<app::Base> b = std::make_unique<app::Derived<3>>();
	app::Node<7> seven; app::Node<9> nine;

	return (int)(seven.work(argv[0]) + nine.work(argv[0])) + b->f(n) + other(seven.v.data(), (int)seven.v.size(), n) > 5;
}
END
cat >two.cc <<\END
namespace app {
template<typename T> struct Range {
	const T *first; int n;
	const T *begin() const { return first; }
	const T *end() const { return first + n; }
};
}
static inline int twice(int x) { return x * 2 + 1; }
int other(const long *v, int n, int k)
{
	int s = 0;

	for (long x : app::Range<long>{ v, n }) s += twice((int)x);
	return s + twice(k);
}
END

# rows DIR: what is known of 600 addresses of its ./prog
rows () {
	(cd "$1" && { [ -s x.data ] || { readelf -SW prog | awk '
		function hex(s,  i, v) { for (i = 1; i <= length(s); i++) v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1; return v }
		{ sub(/^ *\[ *[0-9]+\] */, "") }
		$1 == ".text" { at = hex($3); size = hex($5); for (i = 0; i < 600; i++) printf "%x\n", at + int(i * size / 600) }' >at &&
	"$BUILD/helper/address-data" x.data prog <at; }; } && perf script -i x.data -F ip,sym,srcline --full-source-path >out) &&
	sed "s|$TRASH/$1/|@|" "$1/out"
}
# build DIR COMPILER OPTION...
build () {
	local dir=$1
	shift
	mkdir "$dir" && (cd "$dir" && cp ../one.cc ../two.cc . && "$@" -std=c++17 -O2 -c one.cc && "$@" -std=c++17 -O2 -c two.cc &&
		"$1" -o prog one.o two.o && objcopy -O binary --only-section=.text prog text)
}
# same DIR WHOLE: the programs have the same code
same () {
	cmp "$1/text" "$2/text" && rows "$1" >got && rows "$2" >expect && test "$(grep -c "(inlined)" expect)" -gt 100 &&
	test_cmp expect got
}
for v in 4 5; do
	test_expect_success BINUTILS "c++ -gdwarf-$v: .dwo files, one section for each type" '
		build c$v c++ -gdwarf-$v && build c$v-split c++ -gdwarf-$v -gsplit-dwarf && same c$v-split c$v &&
		build c$v-types c++ -gdwarf-$v -gsplit-dwarf -fdebug-types-section && same c$v-types c$v
	'
	test_expect_success BINUTILS,CLANGXX "clang++ -gdwarf-$v: the same, and both halves in one object file" '
		build l$v clang++ -gdwarf-$v && build l$v-split clang++ -gdwarf-$v -gsplit-dwarf && same l$v-split l$v &&
		build l$v-types clang++ -gdwarf-$v -gsplit-dwarf -fdebug-types-section && same l$v-types l$v &&
		build l$v-single clang++ -gdwarf-$v -gsplit-dwarf=single && same l$v-single l$v
	'
done

test_expect_success BINUTILS 'packed sections' '
	build c5-gz c++ -gdwarf-5 -gsplit-dwarf -gz && same c5-gz c5
'

test_expect_success BINUTILS 'a .dwo file that is gone, of another unit, no ELF, empty, a pipe: what is known without it; back again: all' '
	rows c5-split >whole && mv c5-split/one.dwo away && rows c5-split >poor &&
	test "$(grep -c "(inlined)" poor)" -lt "$(grep -c "(inlined)" whole)" && test_grep "one.cc" poor && test_grep "two.cc" poor &&
	for how in "cp two.dwo" "cp one.cc" "cp /dev/null" "mkfifo"; do
		(cd c5-split && $how one.dwo) && rows c5-split >got && test_cmp poor got && rm c5-split/one.dwo || return 1
	done && mv away c5-split/one.dwo && rows c5-split >got && test_cmp whole got
'

test_expect_success BINUTILS 'the .dwo files moved together with the program' '
	rows c5-split >whole && cp -r c5-split moved && mv c5-split/one.dwo c5-split/two.dwo . && rm moved/x.data && rows moved >got &&
	mv one.dwo two.dwo c5-split/ && sed "s|$TRASH/c5-split/|@|" got >same && test_cmp whole same
'

# Of bytes of the debug sections some become others.
cat >damage.py <<\END
import random, subprocess, sys
name, seed = sys.argv[1], int(sys.argv[2])
random.seed(seed)
data = bytearray(open(name, "rb").read())
out = subprocess.run(["readelf", "-SW", name], capture_output=True, text=True).stdout
secs = [line[6:].split() for line in out.splitlines() if "] .debug_" in line]
secs = [(int(s[3], 16), int(s[4], 16)) for s in secs if int(s[4], 16)]
for k in range(1 << seed % 5):
    off, n = random.choice(secs)
    at = off + (random.randrange(n) if seed % 2 else min(n - 1, int(random.expovariate(1 / 60))))
    data[at] = random.choice((0, 1, 127, 128, 255, random.randrange(256)))
open(name, "wb").write(data[:random.randrange(64, len(data))] if seed == 8 and not name.endswith("prog") else data)
END
test_expect_success BINUTILS,PYTHON 'damaged .dwo files, object files and skeletons: no harm' '
	for f in c5-types/one.dwo c4-types/one.dwo c5-gz/one.dwo l5-single/one.o c5-split/prog l5-single/prog c4/prog; do
		[ -f $f ] || continue
		for i in 1 2 5 8; do
			cp $f good && python3 damage.py $f $i && { rows ${f%/*} >got 2>err; s=$?; test $s -le 1; } &&
			test "$(grep -c "^	" got)" -ge 600 && cp good $f || { echo "$f $i: status $s"; cat err; return 1; }
		done
	done
'

test_done
