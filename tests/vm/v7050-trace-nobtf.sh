#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf trace on a kernel without type information (VM): programs without it, no BPF, ordinary users'
# PERF_VM_NOBTF_KERNEL names a bzImage without CONFIG_DEBUG_INFO_BTF that has what it needs built in: BPF_SYSCALL, PERF_EVENTS,
# FTRACE_SYSCALLS, VIRTIO_PCI, VIRTIO_CONSOLE, SERIAL_8250_CONSOLE, DEVTMPFS, TMPFS, DEBUG_FS, UNIX, INET. (Kernels of
# distributions have BTF: "make allnoconfig" of a kernel's source and these options make such a one in some minutes.)
. "$(dirname "$0")/../t/lib.sh"
. "$TOP/tests/vm/vm.sh"
. "$TOP/tests/vm/trace.sh"

test_lazy_prereq NOBTF 'needs a kernel without BTF in PERF_VM_NOBTF_KERNEL' '[ -f "$PERF_VM_NOBTF_KERNEL" ]'
test_require VM,CC,NOBTF
build_guest_programs syspredict sysmix syslines
vm_image=$PERF_VM_NOBTF_KERNEL
parts='files dirs stats times local messages polls signals limits children programs futexes prctls memory fcntls buffers ioctls'
mixes='threads vfork clone3 signals thread-exec'

guest_begins >guest.sh
cat >>guest.sh <<\GUEST
ls /sys/kernel/btf >$O/btf 2>&1
try w perf trace -o $O/w.trace dd if=/dev/zero of=/dev/null bs=1 count=20000
try wsum perf trace -s -o $O/w.sum dd if=/dev/zero of=/dev/null bs=1 count=20000
try mixed perf trace -e unlink,sched:sched_process_exec /syslines d
try stacks perf trace --call-graph dwarf,32768 -e unlink /syslines d
sh -c 'while :; do mkdir -p d; sleep 0.2; done' & p=$!
try pid perf trace -p $p -e mkdir --max-events 3 sleep 20
try all perf trace -a -e mkdir --max-events 3 sleep 20
kill $p
try record perf trace record -q -o t.data /syslines d
try replay perf trace -i t.data

mkdir -p /etc /tmp/u; chmod 755 / /out /root; chmod 777 /tmp/u
printf 'root:x:0:0::/root:/bin/sh\nu:x:1000:1000::/tmp/u:/bin/sh\n' >/etc/passwd
echo 'u:x:1000:' >/etc/group
echo 2 >/proc/sys/kernel/perf_event_paranoid
try closed su u -c 'cd /tmp/u; perf trace ls /'
mount -o remount,mode=755 /sys/kernel/tracing; chmod -R o+rX /sys/kernel/tracing/events
try paranoid su u -c 'cd /tmp/u; perf trace ls /'
echo 1 >/proc/sys/kernel/perf_event_paranoid
try open su u -c 'cd /tmp/u; perf trace -v ls /'
exit 0
GUEST

# Names of files behind descriptors are what needs type information; else as in t7032.
bare () {
	sed -E 's/^[^:]*: [^\/]*\/[0-9]+ //; s/\) +(=|\.\.\.)/) \1/; s/([0-9])<[^<>]*>/\1/g
		s/\b([0-9]+) \((syspredict|perf)\)/\1/g; s/new_addr: (0x[0-9a-f]+|NULL)/new_addr: ANY/' "$1"
}

test_expect_success 'the VM runs, and its kernel has no type information' '
	vm_run guest.sh && test_grep "No such file" out/btf
'

test_expect_success 'programs without type information are taken, and say what they lack' '
	test_grep "without the kernel.s type information: files behind descriptors have no names" out/ls.err &&
	test_grep "openat\(dfd: CWD, filename: \"/\", flags: .*DIRECTORY\) += [0-9]+$" out/ls.err
'

expect_predicted bare
expect_same_mixes

test_expect_success 'a busy program: nothing lost, all strings' '
	test "$(grep -c "read(fd: 0, buf: \"..\", count: 1)" out/w.trace)" = 20000 &&
	test "$(grep -c "write(fd: 1, buf: \"..\", count: 1)" out/w.trace)" = 20000 &&
	test_grep -v LOST out/w.trace && test_grep "^   write +2000[0-9] " out/w.sum
'

test_expect_success 'events, stacks, running processes, all processes, recordings' '
	test_grep "sched_process_exec\(filename: \"/syslines\"" out/mixed.err && test_grep "unlink\(pathname: \"Other\"\) +=" out/mixed.err &&
	test_grep "unlink\(pathname: \"Other\"\) +=" out/stacks.err && test_grep "^ +main \(/syslines\)$" out/stacks.err &&
	test "$(grep -c "mkdir(pathname: \"d\"" out/pid.err)" = 3 && test "$(grep -c "mkdir(pathname: \"d\"" out/all.err)" = 3 &&
	test_grep " unlink\(pathname: 0x[0-9a-f]+\) += 0$" out/replay.err
'

test_expect_success 'an ordinary user hears what is missing, one thing after the other, and then traces' '
	test_grep "neither by BPF .see -v. nor by tracepoints" out/closed.err && test_grep "mode=755 /sys/kernel/tracing" out/closed.err &&
	test_grep "perf_event_paranoid at 1 only, it is 2" out/paranoid.err &&
	test "$(cat out/open.status)" = 0 && test_grep "CAP_BPF and CAP_PERFMON" out/open.err && test_grep "without strings" out/open.err &&
	test_grep "openat\(dfd: CWD, filename: 0x[0-9a-f]+, flags: " out/open.err
'

test_done
