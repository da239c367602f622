#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='a kernel of 2020 (5.10, VM) without hardware counters: record, stat and trace as root and as an ordinary user'
. "$(dirname "$0")/../t/lib.sh"
. "$TOP/tests/vm/vm.sh"

vm_boot x86/k510
test_lazy_prereq VM_510 'needs a 5.10 kernel (tests/vm/fetch.sh old)' '[ -n "$vm_kernel" ]'
test_require VM_510
test_require VM
vm_modules=

cat >guest.sh <<\GUEST
O=/out; cd /root
try () { f=$1; shift; "$@" >$O/$f.out 2>$O/$f.err; echo $? >$O/$f.status; }

uname -r >$O/release
try plain perf record -o p.data dd if=/dev/zero of=/dev/null bs=1M count=2000
try samples perf script -i p.data -F comm,event
try all perf record -a -o a.data sleep 0.2
try missing perf record -e cache-misses -o m.data true
try trace perf trace -v ls /
try plainstat perf stat true
mkdir -p /etc /tmp/u; chmod 755 / /out /root; chmod 777 /tmp/u
printf 'root:x:0:0::/root:/bin/sh\nu:x:1000:1000::/tmp/u:/bin/sh\n' >/etc/passwd
echo 'u:x:1000:' >/etc/group
echo 2 >/proc/sys/kernel/perf_event_paranoid
try user su u -c 'cd /tmp/u; perf record -o p.data dd if=/dev/zero of=/dev/null bs=1M count=2000'
try usersamples su u -c 'cd /tmp/u; perf script -i p.data -F event'
try userall su u -c 'cd /tmp/u; perf record -a -o a.data true'
exit 0
GUEST
# status NAME 0|1
status () { test "$(cat "out/$1.status")" = "$2"; }

test_expect_success 'the guest runs to its end' 'vm_run guest.sh && test_grep "^5\.10\." out/release'
test_expect_success 'record: the clock for cycles, whatever else this kernel does not know' '
	status plain 0 && test_grep "^The event .cycles:P. is not supported by this machine: .cpu-clock. is recorded instead" out/plain.err &&
	status samples 0 && sed "s/^ *perf-exec /dd /; s/^ *//" out/samples.out | sort -u >got && echo "dd cpu-clock: " >want && test_cmp want got &&
	test "$(wc -l <out/samples.out)" -gt 100 && status all 0
'
test_expect_success 'record: an event that is not there is named' '
	status missing 1 && test_grep "^Error: the event .cache-misses. is not supported by this machine$" out/missing.err
'
test_expect_success 'record: an ordinary user gets user space, and for all processes the reason' '
	status user 0 && test_grep "user space only, perf_event_paranoid is 2$" out/user.err && status usersamples 0 &&
	test "$(sort -u out/usersamples.out)" = "cpu-clock:u: " &&
	status userall 1 && test_grep "^Hint: access to performance monitoring is limited: perf_event_paranoid is 2:" out/userall.err
'
test_expect_success 'stat: what is there' '
	status plainstat 0 && test_grep "<not supported> +cpu-cycles" out/plainstat.err && test_grep "[1-9][0-9]* +page-faults" out/plainstat.err
'
test_expect_success 'trace: from tracepoints where the BPF programs are too new' '
	status trace 0 && test_grep "^Hint: kernels before 5\.12 do not know the atomic instructions" out/trace.err &&
	test_grep "^Warning: calls come from tracepoints instead: without strings$" out/trace.err &&
	test_grep "openat\(dfd: CWD, filename: 0x[0-9a-f]+, .*DIRECTORY.*\) += [0-9]+$" out/trace.err
'
test_done
