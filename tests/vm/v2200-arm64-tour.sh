#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='arm64 with counters (VM): the tour of the README, counts right to 0.1%, each profile what the program does'
. "$(dirname "$0")/../t/lib.sh"
. "$TOP/tests/vm/vm.sh"
. "$TOP/tests/vm/arm64.sh"

arm64_require
arm64_cc turns -static -O2 -fno-omit-frame-pointer -fno-optimize-sibling-calls "$TOP/tests/vm/turns.c" &&
arm64_cc probed -O1 "$TOP/tests/workloads/probed.c" || exit 1
vm_files="turns probed"

# turns 15000000 is 40 million instructions, and 11,700 of the C library.
cat >guest.sh <<'GUEST'
O=/out; cd /root
n=0
try () { f=$1; shift; n=$((n + 1)); "$@" >$O/$f.out 2>$O/$f.err; echo $? >$O/$f.status; }
many=cycles:u,instructions:u,cycles:u,instructions:u,cpu_cycles:u,inst_retired:u,cycles:u,instructions:u,cycles:u,instructions:u

try stat perf stat -x, -e cycles:u,instructions:u,cpu_cycles:u,inst_retired:u,armv8_pmuv3/inst_retired/u /turns 15000000
try plain perf stat /turns 15000000
try repeat perf stat -x, -r 3 -e cycles:u,instructions:u /turns 15000000
try interval perf stat -x, -I 10 -e cycles:u,instructions:u /turns 15000000
try group perf stat -x, -e '{cycles:u,instructions:u}' /turns 15000000
try many perf stat -x, -e $many /turns 150000000
try noscale perf stat --no-scale -e $many /turns 30000000
try all perf stat -x, -a -e cycles,instructions sleep 0.1
try metric perf stat -M insn_per_cycle /turns 15000000
try json perf list --json pmu
try list perf list hw
try flat perf record -e cycles:u -c 100000 -o flat.data /turns 3000000
try flatr perf report --stdio -i flat.data
try sort perf report --stdio --hierarchy -i flat.data
try freq perf record -e cycles -g -o freq.data /turns 15000000
try freqr perf report --stdio --no-children -g none -s sym -i freq.data
try default perf record -o default.data /turns 15000000
try event perf evlist -i default.data
try alias perf record -e cpu_cycles:u -c 100000 -o alias.data /turns 3000000
try aliasr perf report --stdio -s sym -i alias.data
try read perf record -e '{cycles:u,instructions:u,page-faults:u}:S' -c 1000000 -o read.data /turns 15000000
try reads perf script -F event,period,sym -i read.data
try readr perf report --stdio --group -s sym -i read.data
try branch perf record -b -o b.data /turns 30000
try branch2 perf record -b -e instructions:u -o b.data /turns 30000
try annotate perf annotate --stdio -i flat.data heavy
try flame perf flame --svg -o /out/flame.svg -i freq.data
try export perf export --format folded -i freq.data -o /out/folded
try diff perf diff flat.data alias.data
try sql perf sql -i flat.data "select function, samples from functions_total order by samples desc"
try probe perf probe -x /turns 'heavy n' -a 'light n=%x0:s64'
try probed perf probe -x /probed 'leaf n s:string c np->arr[1]'
try probes perf record -e 'probe_turns:*' -o probes.data /turns 300 3
try probesr perf script -F event,trace -i probes.data
try args perf record -e 'probe_probed:*' -o args.data /probed 3
try argsr perf script -F event,trace -i args.data
try unprobe perf probe -d '*:*'
try kprobe perf probe -a 'openk=do_sys_openat2 path=+0($arg2):ustring'
try kprobed perf record -a -e probe:openk -o k.data cat /no/such/file
try kprobes perf script -F comm,trace -i k.data
try trace perf trace -e getppid,write /turns 300 3
try summary perf trace -s /turns 300 5
try sched perf sched record -o sched.data /turns 300 5
try latency perf sched latency -i sched.data
try timehist perf sched timehist -i sched.data
try lock perf lock record -a -o lock.data sleep 0.01
try contention perf lock contention -i lock.data
try contentionb perf lock contention -ab sleep 0.01
try kmem perf kmem record -o kmem.data /turns 300 1
try kmems perf kmem --caller -s bytes stat -i kmem.data
try kwork perf kwork record -o kwork.data sleep 0.05
try kworkr perf kwork report -i kwork.data
try bpf perf check feature bpf
/turns 3000000000 & pid=$!
try top timeout -s INT 2 perf top --stdio -e cycles -d 1
kill $pid
try doctor perf doctor
echo $n >$O/commands
exit 0
GUEST

# status NAME...: they ended with 0
status () { local f; for f; do [ "$(cat "out/$f.status")" = 0 ] || { echo "$f:"; cat "out/$f.err"; return 1; }; done; }
# near FILE EVENT N: each count of the event (in the field with it) is N to 0.1%
near () {
	awk -F, -v e="$2" -v n="$3" -v at="${4:-1}" '$(at + 2) == e { seen++; if ($at < n * 0.999 || $at > n * 1.001) { print; bad = 1 } }
		END { exit bad || !seen }' "$1"
}
# shares FILE: heavy has three quarters, light one
shares () { test_grep "^ *75\.00%.* heavy *$" "$1" && test_grep "^ *25\.00%.* light *$" "$1"; }

test_expect_success 'the guest runs to its end' 'vm_run guest.sh && test "$(cat out/commands)" -ge 30'

test_expect_success 'stat: cycles and instructions to 0.1%, by the names of the kernel and of the PMU' '
	status stat && cat out/stat.err &&
	for e in cycles:u instructions:u cpu_cycles:u inst_retired:u armv8_pmuv3/inst_retired/u; do near out/stat.err $e 40000000 || return 1; done
'
test_expect_success 'stat: what is not there is said, what is there has its metrics' '
	status plain metric && test_grep "<not supported> +branches" out/plain.err && test_grep "^ +40[0-9]{6} +instructions +# +1\.0" out/plain.err &&
	test_grep "1\.0" out/metric.err
'
test_expect_success 'stat -r: the mean; -I: the parts are the whole; a group' '
	status repeat interval group && near out/repeat.err cycles:u 40000000 && near out/repeat.err instructions:u 40000000 &&
	test "$(grep -c ,cycles:u, out/interval.err)" -ge 4 &&
	awk -F, "{ n[\$4] += \$2 } END { for (e in n) { print n[e], 0, e; k++ } exit k != 2 }" OFS=, out/interval.err >whole &&
	near whole cycles:u 40000000 && near whole instructions:u 40000000 &&
	near out/group.err cycles:u 40000000 && near out/group.err instructions:u 40000000
'
test_expect_success 'stat: more events than counters: scaled, with the share of the time; --no-scale: as counted, with the share' '
	status many noscale && cat out/many.err out/noscale.err &&
	awk -F, "{ if (\$1 < 400e6 * 0.99 || \$1 > 400e6 * 1.01 || \$5 < 50 || \$5 > 80) bad = 1 } END { exit bad || NR != 10 }" out/many.err &&
	sed -n "s/^ *\([0-9]*\) .*(\([0-9.]*\)%)$/\1 \2/p" out/noscale.err >counts && test "$(wc -l <counts)" = 10 &&
	awk "{ r = \$1 / 80e6 * 100; if (r < \$2 - 1.5 || r > \$2 + 1.5) bad = 1 } END { exit bad }" counts
'
test_expect_success 'stat -a: the idle CPU has cycles by its clock and few instructions' '
	status all && awk -F, "\$3 == \"cycles\" { c = \$1 } \$3 == \"instructions\" { i = \$1 } END { print c, i; exit c < 99e6 || c > 120e6 || i > c / 2 || !i }" out/all.err
'
test_expect_success 'list: the PMU by its name, only events that are there' '
	status json list && test_grep "\"Unit\": \"armv8_pmuv3\"" out/json.out && test_grep "armv8_pmuv3/cpu_cycles/" out/json.out &&
	test_grep "^  cycles OR cpu-cycles " out/list.out && test_grep -v branch out/list.out
'
test_expect_success 'record and report: exact shares, of cycles and of the alias with a modifier' '
	status flat flatr sort alias aliasr && shares out/flatr.out && shares out/aliasr.out &&
	test_grep "of event .cpu_cycles:u.$" out/aliasr.out && test_grep "^# Event count \(approx\.\): 8000000$" out/flatr.out
'
test_expect_success 'record by frequency, kernel included, and with the default event' '
	status freq freqr default event && test "$(cat out/event.out)" = cycles:P &&
	awk "/ heavy *$/ { h = \$1 + 0 } / light *$/ { l = \$1 + 0 } END { print h, l; exit h < 70 || h > 76 || l < 23 || l > 27 }" out/freqr.out
'
test_expect_success '{a,b,c}:S: each member has its own period' '
	status read reads readr && awk "\$2 == \"cycles:u:\" { c++; bad += \$1 != 1000000 } \$2 == \"instructions:u:\" { i++; bad += \$1 < 990000 || \$1 > 1010000 }
		\$2 == \"page-faults:u:\" { f++; sum += \$1 } END { print c, i, f, sum, bad; exit c != 40 || i != 40 || bad || sum < 3 || sum > 100 }" out/reads.out &&
	test_grep "^ *75\.00% +75\.[0-9]*%.* heavy" out/readr.out
'
test_expect_success '-b on counters without branches: which event it was asked for' '
	test "$(cat out/branch.status out/branch2.status)" = "1
1" && test_grep "^Error: the hardware behind .cycles:P. cannot record branches$" out/branch.err &&
	test_grep "^Error: the hardware behind .instructions:u. cannot record branches$" out/branch2.err
'
test_expect_success 'annotate: the two instructions of the loop have all of it' '
	status annotate && test_grep "subs +x0, x0, #(0x)?1" out/annotate.out && test_grep "b\.ne" out/annotate.out &&
	awk "/subs|b\.ne/ { n += \$1 } END { print n; exit n < 99.9 || n > 100.1 }" out/annotate.out
'
test_expect_success 'flame, export, diff, sql' '
	status flame export diff sql && test_grep ">heavy" out/flame.svg && test_grep "main;both;first;heavy [0-9]+$" out/folded &&
	test_grep "75\.00% .*heavy" out/diff.out && test_grep "^ *heavy +60$" out/sql.out && test_grep "^ *light +20$" out/sql.out
'
test_expect_success 'probe: arguments by name, by register, strings and members' '
	status probe probed probes probesr args argsr unprobe && sed "s/^ *probe_turns:\([a-z]*\): ([0-9a-f]*) /\1 /" out/probesr.out >got &&
	grep -v perf out/probes.out >want && test_cmp want got && test "$(wc -l <got)" = 6 &&
	sed -n "s/.*) n=\([0-9]*\) s_string=\(.*\) c=\([^ ]*\) .*/\1 \2 \3/p" out/argsr.out >got &&
	sed -n "s/^leaf n=\([0-9]*\) s_string=\(.*\) c=\([^ ]*\) .*/\1 \2 \3/p" out/args.out >want && test_cmp want got && test "$(wc -l <got)" = 3 &&
	test "$(grep -c " arr=-101$" out/argsr.out)" = 3
'
test_expect_success 'probe: the kernel' '
	status kprobe kprobes && test_grep "cat.* path=\"/no/such/file\"$" out/kprobes.out
'
test_expect_success 'trace: calls of this machine' '
	status trace summary && test "$(grep -c ": turns/[0-9]* getppid() .* = [0-9]*$" out/trace.err)" = 3 &&
	test "$(grep -c "write(fd: 3</dev/null>, buf: \"0123456789\", count: 10) .* = 10$" out/trace.err)" = 3 &&
	cat out/summary.* | grep -E "^ +clock_nanosleep +5 +0 " && cat out/summary.* | grep -E "^ +getppid +5 +0 "
'
test_expect_success 'sched: naps of a millisecond' '
	status sched latency timehist && test_grep "^  turns:[0-9]+ " out/latency.out &&
	awk "/ turns\[/ && \$4 >= 1 && \$4 < 1.2 { n++ } END { print n; exit n != 5 }" out/timehist.out
'
test_expect_success 'lock, kmem, kwork, BPF, top, doctor' '
	status lock contention contentionb kmem kmems kwork kworkr bpf doctor && test_grep " getname_flags.* " out/kmems.out && test_grep "arch_timer" out/kworkr.out &&
	test_grep "[0-9]% +turns +.* heavy" out/top.out
'
test_done
