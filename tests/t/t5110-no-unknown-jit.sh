#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='code that has symbols anywhere on the machine has its name: code made at run time, the vdso, the kernel'
. "$(dirname "$0")/lib.sh"
. "$TEST_DIR/named.sh"

test_require PERF_SW,CC
test_workload counted
test_workload agent

both () { local mode; for mode in fp dwarf; do eval "$1" || { echo "with $mode"; return 1; }; done; }

test_lazy_prereq NAMESPACE 'needs root, unshare, chroot and mount namespaces' 'test_have ROOT && unshare -m chroot / true'
make_root () {
	local lib
	mkdir -p root/tmp && for lib in $(ldd agent | grep -o '/[^ )]*'); do mkdir -p root/"${lib%/*}" && cp -L "$lib" root/"$lib" || return 1; done
	cp agent root/
}
test_have NAMESPACE && make_root

opts='-q -F 999 -e cpu-clock:u'

# A coarse clock: reading the clock of a virtual machine (kvm-clock) calls a function that the vdso has no symbol for.
test_expect_success X86_64 'the vdso' '
	cat >clock.c <<-\EOF &&
	#include <time.h>
	volatile long sink;
	int main(void)
	{
		while (clock() < CLOCKS_PER_SEC / 5)
			for (int i = 0; i < 20000; i++) {
				struct timespec t;
				clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
				sink += t.tv_nsec;
			}
		return 0;
	}
	EOF
	cc -g -O1 -fno-omit-frame-pointer -o clock clock.c &&
	both "perf record $opts --call-graph \$mode -o vdso.data ./clock && named vdso.data __vdso_clock_gettime some vdso &&
		row vdso.data __vdso_clock_gettime vdso"
'

test_expect_success KALLSYMS 'the kernel' '
	both "perf record -q -m 4M --call-graph \$mode -e page-faults:k -c 1 -o k.data ./counted faults 1 &&
		perf script --no-inline -i k.data -F ip,sym,dso >script.out && ! grep \"\[unknown\].*kernel.kallsyms\" script.out &&
		grep kernel.kallsyms script.out >/dev/null"
'

test_lazy_prereq LOADS_BPF 'needs the right to load BPF programs, and their names' \
	'test_have ROOT,KALLSYMS && ./bpfspin 1 && [ "$(cat /proc/sys/net/core/bpf_jit_enable)" = 1 ]'
[ ! -e /usr/include/linux/bpf.h ] || test_workload bpfspin
test_expect_success LOADS_BPF,X86_64 'BPF programs, loaded while recording, and before' '
	perf record -q -F 999 -g -e cpu-clock -o during.data ./bpfspin 400 &&
	{ ./bpfspin 100000000 >bpf.pid & } && p=$! && test_kill_at_end $p && test_wait_for 60 "test -s bpf.pid" &&
	perf record -q -a -F 999 -g -e cpu-clock -o before.data sleep 0.5 && kill $p || return 1
	wait $p
	for f in during before; do
		perf report -i $f.data --stdio --no-children -g none -s sym --comm bpfspin 2>/dev/null | grep -o "bpf_prog_.*_burn_in_bpf" >$f.name || return 1
		perf script -i $f.data --comm bpfspin --no-inline -F ip,sym,dso >script.out 2>/dev/null && ! grep "\[unknown\].*kernel.kallsyms" script.out || return 1
	done
	test_cmp during.name before.name
'

# mapped PID: the names of its perf map are those of the report, with and without unwinding
test_expect_success X86_64 'code of a JIT compiler that wrote a perf map' '
	{ ./agent 60000 jit >agent.pid & } && p=$! && test_kill_at_end $p && test_wait_for 60 "test -s agent.pid" &&
	both "perf record $opts -N --call-graph \$mode -p $p -o map.data -- sleep 0.3 && named map.data jitted_loop some perf-$p.map" &&
	echo "0 7fffffffffff py::busy:/srv/app.py" >/tmp/perf-$p.map &&
	perf script -i map.data --no-inline -F ip,sym >out && rm -f /tmp/perf-$p.map && kill $p && test_grep " py::busy:/srv/app.py$" out
'

test_expect_success X86_64 'perf maps that lie, overlap, or are no maps at all' '
	{ ./agent 60000 jit >hostile.pid & } && p=$! && test_kill_at_end $p && test_wait_for 60 "test -s hostile.pid" &&
	perf record $opts -g -N -p $p -o hostile.data -- sleep 0.2 && map=/tmp/perf-$p.map &&
	look () { for c in "report -g none" script; do timeout 60 perf $c -i hostile.data >>out 2>>err || return 1; done; } && : >out >err &&
	printf "0 7fffffffffff \033[31mred\007\tbell\n" >$map && look && test_grep "red.*bell" out &&
	! LC_ALL=C grep -a "$(printf "[\033\007]")" out &&
	{ printf "%s\n" "ffffffffffffff00 200 zq_wraps" "5 zq_empty" "zz 5 zq_bad" "100 -5 zq_negative" "11111111111111111111 5 zq_long" "0 7fffffffffff zq_first" \
		"10 7ffffffffff0 later"; head -c 100000 /dev/zero | tr "\0" A; } >$map && : >out && look &&
	test_grep "later" out && ! grep zq_ out &&
	head -c 300000 /dev/urandom >$map && look && rm -f $map && mkfifo $map && look; status=$?
	rm -f $map; kill $p; test $status = 0
'

# Lines as .NET (capitals, blanks, brackets, tiers, stubs without size), Java agents (0x, signatures), Node and Erlang write them; the
# lines after "=" are addresses and the names that they must have: a later line takes what it overlaps, and no more.
cat >forms <<\END
00007F0000001000 40 int32 [System.Private.CoreLib] System.String::GetHashCode()[Tier0]
= 7f0000001000 int32 [System.Private.CoreLib] System.String::GetHashCode()[Tier0]
= 7f000000103f int32 [System.Private.CoreLib] System.String::GetHashCode()[Tier0]
00007F0000001040 20 instance void [App] Foo`1[System.__Canon]::Bar(class [System.Runtime]System.Object)[PreJIT]
= 7f0000001040 instance void [App] Foo`1[System.__Canon]::Bar(class [System.Runtime]System.Object)[PreJIT]
= 7f0000001060 [unknown]
0x7f0000002000 0x30 Ljava/lang/String;::hashCode
= 7f000000202f Ljava/lang/String;::hashCode
0x00007f0000003000 0x0000000000000100 Interpreter
= 7f00000030ff Interpreter
= 7f0000003100 [unknown]
00007F0000004000 0 [PreStub] stub without a size
= 7f0000004000 [PreStub] stub without a size
= 7f0000004001 [unknown]
00007F0000005000 80 void [App] A::f()[Tier0]
00007F0000005000 40 void [App] A::f()[OptimizedTier1]
7f0000005020 10 a third one in there
= 7f0000005000 void [App] A::f()[OptimizedTier1]
= 7f000000501f void [App] A::f()[OptimizedTier1]
= 7f0000005020 a third one in there
= 7f0000005030 void [App] A::f()[OptimizedTier1]
= 7f0000005040 void [App] A::f()[Tier0]
= 7f0000005080 [unknown]
7f0000006000 20 stub<1> AllocateTemporaryEntryPoints<0x7f0000006000>
= 7f0000006001 stub<1> AllocateTemporaryEntryPoints<0x7f0000006000>
7f0000007000 10 $lists:seq/2
= 7f0000007000 $lists:seq/2
7f0000008000 10 LazyCompile:*foo /app/x.js:1:2
= 7f0000008000 LazyCompile:*foo /app/x.js:1:2
7f0000009000 10
7f000000a000
= 7f0000009000 [unknown]
7f000000b000 10 py::f:/srv/名前.py
= 7f000000b000 py::f:/srv/名前.py
7f000000c000 10 the file ends in this li
= 7f000000c000 the file ends in this li
END
test_expect_success X86_64 'maps as other runtimes write them: every form of line' '
	[ -x "$BUILD/helper/address-data" ] || make -s -C "$TOP" O="$BUILD" "$BUILD/helper/address-data" >/dev/null 2>&1 || return 1
	nobody=$((5000000 + $$)) && map=/tmp/perf-$nobody.map && grep -v "^=" forms | head -c -1 >$map &&
	sed -n "s/^= //p" forms >expect && cut -d" " -f1 expect | "$BUILD/helper/address-data" forms.data --anon $nobody &&
	perf script -i forms.data -F ip,sym 2>err | awk NF | sed "s/^[ \t]*//" >out; rm -f $map; test_cmp expect out
'

# A map that grew for days: 300,000 lines, each place taken three times
test_expect_success X86_64 'a long map: the last of each place counts' '
	nobody=$((5000000 + $$)) && map=/tmp/perf-$nobody.map &&
	awk "BEGIN { for (r = 0; r < 3; r++) for (i = 0; i < 100000; i++) printf \"7f00%08x 100 run%d function%d\\n\", i * 256 + r * 64, r, i }" >$map &&
	seq 0 99 | awk "{ printf \"7f00%08x\\n7f00%08x\\n\", \$1 * 256000 + 16, \$1 * 256000 + 200 }" >at &&
	seq 0 99 | awk "{ if (\$1) printf \"run2 function%d\\n\", \$1 * 1000 - 1; else print \"run0 function0\"; printf \"run2 function%d\\n\", \$1 * 1000 }" >expect &&
	"$BUILD/helper/address-data" long.data --anon $nobody <at && perf script -i long.data -F ip,sym 2>err | awk NF | sed "s/^[ \t]*[0-9a-f]* //" >out
	rm -f $map; test_cmp expect out
'

test_expect_success X86_64,NAMESPACE 'the perf map of a container: in its own /tmp, under the pid that it has there' '
	{ unshare -mpf sh -c "mount -t tmpfs none root/tmp && exec chroot root /agent 60000 jit" >inner.pid & } && p=$! &&
	test_kill_at_end $p && test_wait_for 60 "test -s inner.pid" && test "$(cat inner.pid)" = 1 &&
	inner=$(grep -sl "^PPid:[^0-9]*$p\$" /proc/[0-9]*/status | tr -dc 0-9) && test_kill_at_end $inner &&
	both "perf record $opts -N --call-graph \$mode -p $inner -o map.data -- sleep 0.3 && named map.data jitted_loop some perf-$inner.map" &&
	kill -9 $inner
'

cat >burn.js <<'EOF'
function leaf(n) { let a = 1; for (let i = 0; i < n; i++) a = (a * 31 + i) & 0xffffff; return a; }
function burn(n) { return leaf(n) + 1; }
let sum = 0;
while (process.cpuUsage().user < 700000) sum += burn(100000);
EOF
# The JavaScript part of the stacks has names (node 18 calls its kinds otherwise than 20): our functions, and nothing that is unknown outside of the libraries' own code
js_named () {
	perf script --no-inline -i $1 -F ip,sym,dso 2>/dev/null | sed 's/^[ \t]*[0-9a-f]* //' | sort | uniq -c | sort -rn >js.out
	grep -E "(JS|Function|LazyCompile):.?leaf" js.out >/dev/null && ! grep -E "\[unknown\] .*($2)" js.out || { head -20 js.out; return 1; }
}

test_expect_success NODE 'node with --perf-basic-prof' '
	both "perf record $opts --call-graph \$mode -N -o node.data node --perf-basic-prof --interpreted-frames-native-stack burn.js &&
		js_named node.data perf-[0-9]+.map; r=\$?; rm -f /tmp/perf-\$(perf script -i node.data -F pid 2>/dev/null | sort -u | head -1 | tr -d \" \").map; test \$r = 0"
'

test_expect_success NODE 'node with --perf-prof, after perf inject -j' '
	both "perf record $opts -k mono --call-graph \$mode -N -o node.data node --perf-prof --interpreted-frames-native-stack burn.js &&
		perf inject -j -i node.data -o node.jit.data && js_named node.jit.data \"jitted|anon\" && rm -f jit-*.dump jitted-*"
'

test_expect_success JAVA 'Java with the perf map that it writes at its end' '
	cat >Burn.java <<-\EOF &&
	public class Burn {
		static long leaf(long n) { long a = 1; for (long i = 0; i < n; i++) a = (a * 31 + i) ^ (a >>> 7); return a; }
		public static void main(String[] x) throws Exception {
			long s = 0, end = System.nanoTime() + 700000000L;
			while (System.nanoTime() < end) s += leaf(10000000);
			System.out.println(ProcessHandle.current().pid());
		}
	}
	EOF
	javac Burn.java || return 1
	java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit -version 2>/dev/null || { test_skip "this Java writes no perf map"; return; }
	both "perf record $opts --call-graph \$mode -N -o java.data java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit \
			-XX:+PreserveFramePointer Burn >java.pid && named java.data Interpreter some perf-\$(tail -1 java.pid).map &&
		perf report -i java.data --stdio --no-children -g none -s sym 2>/dev/null | grep \"Burn.leaf\" && rm -f /tmp/perf-\$(tail -1 java.pid).map"
'

test_done
