#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# whole.sh [RUNS [PERF]]	how many stacks are whole with --call-graph fp, auto and dwarf, and what that costs, for programs of many kinds.
#
# Each program runs RUNS (3) times without perf and with each mode at 4 kHz on cpu-clock; lines have the best of the runs: whole: user stacks
# that reach the start of their thread (tests/bench/whole.py); copied: of the unwound stacks those that the kernel left to the recorder; own: CPU
# of perf itself, in seconds; program: its CPU time against that with fp; lost: samples. "system": all of the system while some of them run at
# once. "user": as an ordinary user. Programs that are not here are left out. Numbers to look at, nothing is asserted. Needs root.
top=$(cd "$(dirname "$0")/../.." && pwd)
runs=${1:-3} perf=${2:-$top/build/perf}
dir=$(mktemp -d "${TMPDIR:-/tmp}/t-bench-whole.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM HUP
chmod 755 "$dir" && cd "$dir" || exit 1
mkdir -m 777 home

cp "$top/tests/workloads/blind.c" .
gcc -O2 -pthread -o blind blind.c
musl-gcc -O2 -o musl blind.c 2>/dev/null
musl-gcc -O2 -static -o musl-static blind.c 2>/dev/null
cat >w.go <<'EOF'
package main
import ("fmt"; "sort"; "sync")
func run(w *sync.WaitGroup) {
	for k := 0; k < 12; k++ {
		v := make([]int, 100000); s := uint32(1)
		for i := range v { s = s*1103515245 + 12345; v[i] = int(s >> 3) }
		sort.Ints(v)
		m := map[string]int{}
		for i := 0; i < 20000; i++ { m[fmt.Sprintf("%d %f", v[i], float64(v[i])*0.5)]++ }
	}
	w.Done()
}
func main() { var w sync.WaitGroup; for i := 0; i < 4; i++ { w.Add(1); go run(&w) }; w.Wait() }
EOF
cat >w.rs <<'EOF'
use std::collections::HashMap;
fn run() -> usize {
	let mut r = 0;
	for _ in 0..25 {
		let mut v = Vec::new(); let mut s: u32 = 1;
		for _ in 0..100000 { s = s.wrapping_mul(1103515245).wrapping_add(12345); v.push(s >> 3); }
		v.sort();
		let mut m: HashMap<String, u32> = HashMap::new();
		for i in 0..20000 { *m.entry(format!("{} {}", v[i], v[i] as f64 * 0.5)).or_default() += 1; }
		r += m.len();
	}
	r
}
fn main() { let t = std::thread::spawn(run); let a = run(); println!("{}", a + t.join().unwrap()); }
EOF
cat >w.js <<'EOF'
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }
let s = 0
for (let k = 0; k < 25; k++) {
	const a = []
	for (let i = 0; i < 50000; i++) a.push((i * 1103515245 + 12345) % 1000003)
	a.sort((x, y) => x - y)
	const m = new Map()
	for (const x of a) m.set('k' + x, (m.get('k' + x) || 0) + 1)
	s += JSON.stringify([...m]).length + fib(24)
}
console.log(s)
EOF
cat >w.py <<'EOF'
import json, re
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
s = 0
for k in range(15):
    a = sorted(((i * 1103515245 + 12345) % 1000003 for i in range(50000)), key=lambda x: -x)
    s += len(json.dumps(a)) + fib(18) + len(re.findall(r'\d+7', ' '.join(map(str, a))))
print(s)
EOF
command -v go >/dev/null && go build -o go-program w.go 2>/dev/null
command -v rustc >/dev/null && rustc -O -o rust-program w.rs 2>/dev/null
printf '#include <%s>\n' stdio.h stdlib.h string.h math.h pthread.h signal.h >c.c
for i in $(seq 1500); do
	echo "int f$i(int a, char *s) { int b = 0; for (int i = 0; i < a; i++) { b += s[i] * $i; if (b > 1000) b -= (int)strlen(s); printf(\"%d %s\", b, s); } return b; }" >>c.c
done
git init -q repo && (cd repo && for i in $(seq 40); do seq $i $((i * 300)) >file$((i % 7)) && git add . && git -c user.name=a -c user.email=a commit -qm $i; done)

# The child's CPU time is that of perf's children; perf's own what is left.
cat >run.py <<'EOF'
import os, subprocess, sys
p = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=open("err", "w"))
os.waitid(os.P_PID, p.pid, os.WEXITED | os.WNOWAIT)
f = open("/proc/%d/stat" % p.pid).read().rsplit(")", 1)[1].split()
hz = os.sysconf("SC_CLK_TCK")
p.wait()
print((int(f[11]) + int(f[12])) / hz, (int(f[13]) + int(f[14])) / hz)
EOF
field () { sed -n "$1" err | tail -n 1; }
one () {	# NAME MODE command...
	name=$1 mode=$2 && shift 2
	for r in $(seq "$runs"); do
		rm -f home/o.data
		read -r own child < <(python3 run.py $as "$perf" record -v -F 4000 -e cpu-clock$only --call-graph $mode -o home/o.data "$@")
		all=$(field 's/.*(\([0-9]*\) samples).*/\1/p')
		left=$(field 's/^stacks unwound in the kernel: [0-9]*, left to the recorder: \([0-9]*\)/\1/p')
		lost=$(field 's/^Warning: lost \([0-9]*\) of.*/\1/p')
		echo "$own $child ${all:-0} ${left:--} ${lost:-0} $(python3 "$top/tests/bench/whole.py" "$perf" home/o.data 2>/dev/null | head -n 1)"
	done | awk -v name="$name" -v mode="$mode" -v base="$base" '
		NR == 1 || $1 < own { own = $1 } NR == 1 || $2 < child { child = $2 } { n = $3; left = $4; lost += $5; w += $6; a += $7 }
		END { printf "%-12s %-6s %8d %7.2f%% %8s %6.2f %8.2f %6s %5d\n", name, mode, n, a ? 100 * w / a : 0, left, own, child,
			base ? sprintf("%+.1f%%", 100 * (child / base - 1)) : "", lost; print child >"child" }'
}
row () {	# NAME command...
	name=$1 base= && shift
	[ -x "$(command -v "$1")" ] || return
	for mode in fp auto ${DWARF:+dwarf}; do
		one "$name" $mode "$@"
		[ $mode != fp ] || base=$(cat child)
	done
}
printf '%-12s %-6s %8s %8s %8s %6s %8s %6s %5s\n' program mode samples whole copied own CPU program lost
as= only=
row gcc gcc -O2 -c c.c -o c.o
row gcc-short gcc -O2 -c blind.c -o c.o
row git git -C repo log -p
row python3 python3 w.py
row node node w.js
row musl ./musl 120
row musl-static ./musl-static 120
row glibc ./blind 120
row go ./go-program
row rust ./rust-program

for mode in fp auto; do
	base=
	one system $mode -a sh -c "gcc -O2 -c c.c -o c.o & node w.js >/dev/null & python3 w.py >/dev/null & ./rust-program >/dev/null & wait"
done
only=:u
as="env HOME=$dir/home setpriv --reuid=65534 --regid=65534 --clear-groups"
row user-glibc ./blind 120
row user-python python3 w.py
