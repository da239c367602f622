#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# inlines.sh [PERF...]	source lines and inlined functions of 100,000 distinct addresses in a library with 100 MB of DWARF:
# wall time, CPU seconds (user+sys, children that were waited for included) and peak memory of each PERF (default: ours,
# /usr/bin/perf and the newest upstream perf where they are). A run ends after BENCH_LIMIT (300) seconds; then its share of the
# addresses tells the rest. Numbers to look at, nothing is asserted. Needs a C++ compiler, binutils and build/helper.
#
# The library: one C++ file full of templates, 74 copies of its object with other symbols. The newest upstream perf dies of its
# own addr2line handling with default settings, so it is given the path of addr2line.

top=$(cd "$(dirname "$0")/../.." && pwd)
limit=${BENCH_LIMIT:-300} n=${BENCH_ADDRESSES:-100000}
build=$top/${BUILD:-build}
newest=${PERF_NEWEST:-${XDG_CACHE_HOME:-$HOME/.cache}/stock-perf/perf-sid}
perfs=("$@")
if [ ${#perfs[@]} -eq 0 ]; then
	perfs=("$build/perf")
	for p in /usr/bin/perf "$newest"; do "$p" version >/dev/null 2>&1 && perfs+=("$p"); done
fi
for tool in /usr/bin/time c++ objcopy readelf; do
	command -v $tool >/dev/null || { echo "bench: needs $tool" >&2; exit 1; }
done
make -s -C "$top" "$build/helper/address-data" O="$build" || exit 1
dir=$(mktemp -d "${TMPDIR:-/tmp}/t-bench-inlines.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM HUP
. "$top/tests/bench/table.sh"
cd "$dir" || exit 1
export HOME=$dir

cat >one.cc <<'END'
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>
namespace app {
template<int N> struct Node {
	std::map<int, std::string> m; std::vector<std::pair<std::string, long>> v;
	long work(const std::string &s) {
		for (int i = 0; i < N; i++) { m[i] += s; v.emplace_back(s, i); }
		std::sort(v.begin(), v.end(), [](auto &a, auto &b) { return a.second * N % 7 < b.second * N % 7; });
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
long run(const std::string &s) { return app::all(std::make_integer_sequence<int, 20>(), s); }
END
c++ -std=c++17 -O2 -g -fPIC -c one.cc || exit 1
for i in $(seq 74); do objcopy --prefix-symbols="p${i}_" one.o "o$i.o" || exit 1; done
c++ -shared -nostdlib -o big.so o*.o && rm -f o*.o || exit 1

readelf -SW big.so | awk -v n="$n" '
	function hex(s,  i, v) { for (i = 1; i <= length(s); i++) v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1; return v }
	{ sub(/^ *\[ *[0-9]+\] */, "") }
	$1 == ".text" { at = hex($3); size = hex($5); for (i = 0; i < n; i++) printf "%x\n", at + int(i * size / n) }' >at
"$build/helper/address-data" big.data big.so <at || exit 1
echo "library: $(size -A big.so | awk '$1 ~ /debug/ { s += $2 } END { printf "%.0f MB", s / 1e6 }') of DWARF, $n addresses"

# row TITLE PERF ARGUMENTS...
row () {
	local title=$1 p=$2 opts= status got=
	shift 2
	[ "$p" != "$newest" ] || opts="--addr2line /usr/bin/addr2line"
	# shellcheck disable=SC2086
	/usr/bin/time -q -o time -f '%e %U %S %M' timeout "$limit" "$p" "$@" $opts -i big.data >out 2>err
	status=$?
	[ "$status" = 0 ] || got=" (status $status after $(grep -c -E '^	 *[0-9a-f]+ [^ ].*$' out) frames)"
	awk -v t="$title" -v p="$("$p" version 2>/dev/null | awk '{ print $3 }' | cut -c1-10)" -v got="$got" '
		{ printf "%-28s %-10s %8.2f s wall %8.2f s CPU %6d MB%s\n", t, p, $1, $2 + $3, $4 / 1024, got }' time
	awk -v t="$title" -v ours="$([ "$p" = "${perfs[0]}" ] && echo y)" '{ print t "\t" ours "\t" $1 }' time >>rows
}

for p in "${perfs[@]}"; do
	row "script -F ip,sym,srcline" "$p" script -F ip,sym,srcline
	row "report --stdio" "$p" report --stdio -g caller
done
# A run that was given up would have taken longer.
awk -F'\t' '$2 { ours[$1] = $3; next } !($1 in best) || $3 < best[$1] { best[$1] = $3 } END { for (t in ours) print t "\t" ours[t] "\t" best[t] }' rows |
	while IFS=$'\t' read -r title a b; do bench_row "inlines: $title" "$a s" "${b:+$b s}" 20x; done
