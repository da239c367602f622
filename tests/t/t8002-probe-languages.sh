#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf probe: functions, strings and sequences of C++, Rust and Go, with the values that the programs print'
. "$(dirname "$0")/lib.sh"

test_require UPROBES,CC,PERF_SW
G=pl$$x$RANDOM
tidy () { perf probe -q -d "$G:*" >/dev/null 2>&1; true; }
trap 'tidy; test_at_exit' EXIT

# values FILE: what the probe said, a line an event. Texts without an end are cut to what their _len says.
values () {
	perf script -F trace -i "$1" | sed 's/^ *([0-9a-f]*\( <- [0-9a-f]*\)*) *//; s/ *$//' | awk '{
		line = $0
		while (match(line, /[a-z0-9_]+="[^"]*"?[^=]* [a-z0-9_]+_len=(0x)?[0-9a-f]+/)) {
			part = substr(line, RSTART, RLENGTH)
			name = part; sub(/=.*/, "", name)
			len = part; sub(/.*_len=/, "", len)
			n = len ~ /^0x/ ? hex(substr(len, 3)) : len + 0
			text = substr(part, length(name) + 3, n)
			line = substr(line, 1, RSTART - 1) name ":\"" text "\"" substr(line, RSTART + RLENGTH)
		}
		print line
	}
	function hex(s, v, i) { for (i = 1; i <= length(s); i++) v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1; return v }'
}

# live FILE SPEC COMMAND...: one probe, recorded while the command runs; what it printed is left in said.
live () {
	local data=$1 spec=$2
	shift 2
	perf probe -q -x "$1" "$spec" && perf record -q -e "$G:*" -o "$data" "$@" >said && perf probe -q -d "$G:*"
}

test_expect_success CXX 'C++: the program' '
	cat >c.cc <<\EOF &&
#include <cstdio>
#include <string>
#include <vector>
namespace app {
struct Shape {
	std::string name;
	std::vector<short> tags;
	int w, h;
	__attribute__((noinline)) int area(int n, const std::string &why) const;
};
int Shape::area(int n, const std::string &why) const
{
	int r = w * h * n + (int)why.size();
	std::printf("why=\"%s\" name=\"%s\" tags=%d n=%d w=%d\n", why.c_str(), name.c_str(), tags[1], n, w);
	return r;
}
template <typename T> __attribute__((noinline)) T larger(T a, T b)
{
	T r = a > b ? a : b;
	std::printf("a=%d b=%d\n", (int)a, (int)b);
	return r;
}
}
int main(int argc, char **)
{
	app::Shape s{"square", {10, 11, 12}, argc + 2, 7};

	for (int i = 0; i < 3; i++)
		s.area(i, std::string("reason number ") + char(48 + i));
	return app::larger(argc + 2, 7) + app::larger<short>(argc, 3) == 0;
}
EOF
	c++ -g -O1 -fno-inline -o cxx0 c.cc && c++ -g -O2 -o cxx2 c.cc
'

for p in cxx0 cxx2; do
	test_expect_success CXX,X86_64 "C++, $p: std::string and std::vector by their elements" '
		live c.data "$G:area=app::Shape::area why:string name=this->name:string tags=this->tags[1]:s16 n w=this->w" ./$p &&
		grep why= said >expect && test "$(wc -l <expect)" = 3 && values c.data >out && test_cmp expect out
	'
done

test_expect_success CXX,X86_64 'C++: every instance of a template; one by its mangled name' '
	perf probe -x ./cxx0 "$G:larger=app::larger a b" 2>err && test_grep "$G:larger_1 " err &&
	perf record -q -e "$G:*" -o t.data ./cxx0 >said && perf probe -q -d "$G:*" &&
	grep a= said >expect && values t.data >out && test_cmp expect out &&
	m=$(nm cxx0 | sed -n "s/.* [TWV] \(.*largerIs.*\)/\1/p") && test -n "$m" &&
	live m.data "$G:one=$m a b" ./cxx0 && grep a= said | tail -n 1 >expect && values m.data >out && test_cmp expect out
'

test_expect_success CXX 'C++: by file and line' '
	line=$(awk "/int r = w/ { print NR }" c.cc) &&
	live l.data "$G:line=c.cc:$line n" ./cxx0 && sed -n "s/.* \(n=[0-9]*\) .*/\1/p" said >expect && test -s expect && values l.data >out && test_cmp expect out
'

test_expect_success RUST 'Rust: the program' '
	cat >r.rs <<\EOF &&
mod inner {
    pub struct P { pub name: String, pub n: u32, pub v: Vec<i16> }
    impl P {
        #[inline(never)]
        pub fn weigh(&self, k: i32, s: &str, w: &[u32]) -> i64 {
            println!("k={} s:\"{}\" w={:#x} name:\"{}\" v={} n={:#x}", k, s, w[1], self.name, self.v[2], self.n);
            k as i64 + s.len() as i64 + self.n as i64
        }
    }
}
fn main() {
    let a = std::env::args().count() as i32;
    for i in 0..3 {
        let p = inner::P { name: format!("name{}", i), n: 77, v: vec![1, 2, 3] };
        p.weigh(i - a, &format!("slice text {}", i), &[5, 6 + i as u32]);
    }
}
EOF
	rustc -g -o rs0 r.rs 2>/dev/null && rustc -g -C opt-level=2 -o rs2 r.rs 2>/dev/null
'

for p in rs0 rs2; do
	test_expect_success RUST,X86_64 "Rust, $p: &str, String, slices and Vec" '
		live r.data "$G:weigh=inner::P::weigh k s:string w[1] name=self.name:string v=self.v[2]:s16 n=self.n" ./$p &&
		test "$(wc -l <said)" = 3 && values r.data >out && test_cmp said out
	'
done

test_expect_success RUST 'Rust: a qualified name in a large unit takes no time' '
	timeout 20 "$BUILD/perf" probe -q -x ./rs0 -D "$G:weigh=inner::P::weigh k" >out && test "$(wc -l <out)" = 1
'

test_expect_success GO 'Go: the program' '
	cat >g.go <<\EOF &&
package main

import "fmt"

type Shape struct {
	name string
	w, h int
	tags []int32
}

//go:noinline
func (s *Shape) Area(n int, why string, v []int16) int {
	fmt.Printf("n=%d why:\"%s\" v=%d name:\"%s\" w=%d tags=%d\n", n, why, v[1], s.name, s.w, s.tags[1])
	return s.w * s.h * n
}

func main() {
	for i := 0; i < 3; i++ {
		s := &Shape{name: fmt.Sprintf("square%d", i), w: 3, h: 4, tags: []int32{1, int32(-2 - i)}}
		s.Area(i-1, fmt.Sprintf("why not %d", i), []int16{4, int16(5 + i)})
	}
}
EOF
	GOCACHE="$TRASH/cache" GOFLAGS=-mod=mod go build -o g g.go
'

test_expect_success GO,X86_64 'Go: methods, string and slices' '
	live g.data "$G:area=main.(*Shape).Area n why:string v[1] name=s.name:string w=s.w tags=s.tags[1]" ./g &&
	test "$(wc -l <said)" = 3 && values g.data >out && test_cmp said out
'

test_expect_success GO,X86_64 'Go: where it was probed, and from where it was called' '
	perf probe -q -x ./g "$G:area=main.(*Shape).Area" && perf record -q --call-graph dwarf -e "$G:area" -o s.data ./g >/dev/null && perf probe -q -d "$G:*" &&
	perf script -F ip,sym -i s.data | sed "s|^[[:space:]]*[0-9a-f]* ||" | grep . | sort | uniq -c | sed "s/^ *//" >out &&
	for f in "main.(\*Shape).Area" main.main runtime.main; do grep -qx "3 $f" out || { cat out; return 1; }; done
'

test_expect_success GO 'Go: a return probe would kill the program, and is refused' '
	test_must_fail perf probe -x ./g "$G:r=main.(*Shape).Area%return" 2>err &&
	test_grep "is a Go program" err && test_grep "[Hh]int:.*-L" err &&
	perf probe -f -x ./g -D "$G:r=main.(*Shape).Area%return" >out && test_grep "^r:$G/r" out
'

tidy
test_done
