#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf probe on a kernel with kprobes (VM): added, recorded, counted, traced and deleted, without debug information'
. "$(dirname "$0")/../t/lib.sh"
. "$TOP/tests/vm/vm.sh"

test_require VM,CC
cc -O1 -static -o story "$TOP/tests/vm/story.c" || test_skip_all 'needs a static C library (libc6-dev)'
vm_files=story vm_modules=loop

# The guest: each step leaves its output in /out; the tests below look at it.
cat >guest.sh <<\GUEST
O=/out; cd /root
try () { f=$1; shift; "$@" >$O/$f.out 2>$O/$f.err; echo $? >$O/$f.status; }
values () { perf script -F comm,event,trace -i $1 | sed -n 's/^ *story *probe:\([a-z]*\)\(__return\)*: ([0-9a-f]*\( <- [0-9a-f]*\)*) */\1 /p'; }

insmod /lib/modules/*/kernel/loop.ko
/story >$O/said
/story loop >$O/said2; rm -f /dev/loop4?; rmmod loop; insmod /lib/modules/*/kernel/loop.ko

try add perf probe -a 'open=do_sys_openat2 path=+0(%si):ustring flags=+0($arg3):x64'
try add2 perf probe -q -a 'openret=do_sys_openat2%return ret=$retval:s64' -a 'read=vfs_read count=$arg3:u64' \
	-a 'readret=vfs_read%return ret=$retval:s64'
try list perf probe -l
try record perf record -e 'probe:*' -aR -o x.data /story
values x.data >$O/values
try stat perf stat -x, -e probe:open,probe:openret__return,probe:read /story
try trace perf trace --no-syscalls -e probe:open /story
try twice perf probe -a 'open=do_sys_openat2'
try force perf probe -f -a 'open=do_sys_openat2'
try dry perf probe -n -a 'dry=vfs_write'
# behind the nop of the function tracer: 5 bytes, after an endbr64 where the kernel has those
try off sh -c "perf probe -a off=vfs_read+9 || perf probe -a off=vfs_read+5"
cp /sys/kernel/tracing/kprobe_events $O/events
addr=$(awk '$3 == "vfs_write" { print $1; exit }' /proc/kallsyms)
try addr perf probe -a "byaddr=0x$addr count=%dx"
perf record -q -e probe:byaddr -o w.data sleep 30 >/dev/null 2>&1 & rec=$!
n=0; while [ $n -lt 100 ] && ! ls -l /proc/$rec/fd 2>/dev/null | grep -q perf_event; do sleep 0.1; n=$((n + 1)); done
try busy perf probe -d probe:byaddr
kill -INT $rec; wait $rec
try del perf probe -d probe:byaddr -d 'probe:open*'
try delall perf probe -d 'probe:*'
try delnone perf probe -d 'probe:*'

try black perf probe -a exc_int3
try notrace perf probe -a ktime_get_mono_fast_ns
try globs perf probe -a 'ktime_get_[mr]*'
try globsmade perf probe -l 'probe:ktime_get_*'
perf probe -q -d 'probe:ktime_get_*'
try globonly perf probe -a 'ktime_get_mono_fast_n*'
try middle perf probe -a 'mid=vfs_read+1'
try nosuch perf probe -a vfs_raed
try wide perf probe -a vfs_read+100000
try register perf probe -a 'vfs_read x=%nosuch'
try line perf probe -a 'vfs_read:6'
try variable perf probe -a 'vfs_read count'
try boot perf probe --bootconfig -D 'vfs_read count=%dx' -D 'back=vfs_read%return r=$retval'
try lines perf probe -L vfs_read

try mod perf probe -m loop -a 'ctl=loop_control_ioctl cmd=%si:s32 parm=%dx:s64' -a 'ctlret=loop_control_ioctl%return ret=$retval:s32'
try modlist perf probe -l 'probe:ctl*'
perf record -q -e 'probe:ctl*' -aR -o m.data /story loop >/dev/null
values m.data >$O/modvalues
try modfuncs perf probe -m loop -F
try moddel perf probe -d 'probe:ctl*'
try nomod perf probe -m nosuchmodule foo
cat /sys/kernel/tracing/kprobe_events >$O/left
GUEST

says () { printf '%s\n' "$2" >expect && test_cmp expect "out/$1"; }

test_expect_success 'the guest runs to its end' 'vm_run guest.sh && test ! -s out/left'

test_expect_success 'added: the text of it' '
	{ echo "Added new event:" &&
	  printf "  %-20s (on do_sys_openat2 with path=+0(%%si):ustring flags=+0(\$arg3):x64)\n\n" probe:open &&
	  printf "You can now use it in all perf tools, such as:\n\n\tperf record -e probe:open -aR sleep 1\n\n"; } >expect &&
	test_cmp expect out/add.err && says add2.status 0 && test ! -s out/add2.err
'
test_expect_success 'listed' '
	printf "  %-20s (on %s)\n" probe:open "do_sys_openat2 with path flags" probe:openret__return "do_sys_openat2%return with ret" \
		probe:read "vfs_read with count" probe:readret__return "vfs_read%return with ret" >expect && test_cmp expect out/list.out
'
test_expect_success 'recorded: arguments, strings and return values are what the program did' '
	grep -cE "^open " out/said >n && test "$(cat n)" = 3 && test_cmp out/said out/values
'
test_expect_success 'counted' '
	awk -F, "{ print \$1, \$3 }" out/stat.err | grep probe >counts &&
	printf "3 probe:open\n3 probe:openret__return\n5 probe:read\n" >expect && test_cmp expect counts
'
test_expect_success 'traced' '
	test "$(grep -c "probe:open(" out/trace.err)" = 3 && test_grep "/no/such/file" out/trace.err
'
test_expect_success 'the same name again: refused, by force with a number; a dry run leaves nothing' '
	test_grep "event .open. already exists" out/twice.err && says twice.status 1 &&
	test_grep "probe:open_1 " out/force.err && test_grep "Would add" out/dry.err && test_grep -v "dry" out/events &&
	test_grep "^p:probe/off vfs_read\+[59]$" out/events
'
test_expect_success 'by its address' 'says addr.status 0'
test_expect_success 'a probe in use stays, and who uses it is told' '
	test_grep "cannot delete event .probe:byaddr.: it is in use" out/busy.err && test_grep "perf \([0-9]+\)" out/busy.err
'
test_expect_success 'deleted: several, all, none' '
	printf "Removed event: probe:%s\n" byaddr open open_1 openret__return >expect && test_cmp expect out/del.err &&
	printf "Removed event: probe:%s\n" off read readret__return >expect && test_cmp expect out/delall.err &&
	test_grep "does not hit any event" out/delnone.err
'
test_expect_success 'what must not be probed is named' '
	test_grep "^Error: .exc_int3. cannot be probed: the kernel needs it to handle probes" out/black.err &&
	test_grep "ktime_get_mono_fast_ns. is not to be traced \(notrace\)" out/notrace.err
'
test_expect_success 'of a glob, what must not be probed is left out and named; the others are added' '
	says globs.status 0 && test_grep "^Warning: [0-9]+ functions? (is|are) left out, which (is|are) not to be traced .notrace.: .*ktime_get_mono_fast_ns" out/globs.err &&
	test -s out/globsmade.out && test_grep " .on ktime_get_real_seconds." out/globsmade.out && ! grep -q ktime_get_mono_fast_ns out/globsmade.out &&
	says globonly.status 1 && test_grep "^Error: .*ktime_get_mono_fast_ns. is not to be traced .notrace." out/globonly.err
'
test_expect_success 'no boundary, no function, no offset, no register' '
	test_grep "the kernel says: Probe point is not an instruction boundary" out/middle.err &&
	test_grep "no function .vfs_raed. in the kernel" out/nosuch.err && test_grep "did you mean .vfs_read." out/nosuch.err &&
	test_grep "offset 100000 is past the end of .vfs_read." out/wide.err && test_grep "nosuch" out/register.err
'
test_expect_success 'lines and variables need debug information, and it is said which' '
	for f in line variable lines; do
		test_grep "there is no debug information of the kernel " out/$f.err && test_grep "^Hint: " out/$f.err || return 1
	done
'
test_expect_success 'as boot configuration' '
	printf "ftrace.event.kprobes.vfs_read.probes = %svfs_read+0 count=%%dx%s\nftrace.event.kprobes.back__return.probes = %svfs_read+0%%return r=\$retval%s\n" \
		\" \" \" \" | tr \\042 \\047 >expect && test_cmp expect out/boot.out
'
test_expect_success 'in a module' '
	test_cmp out/said2 out/modvalues && test_grep "^loop_control_ioctl$" out/modfuncs.out &&
	printf "  %-20s (on %s)\n" probe:ctl "loop:loop_control_ioctl with cmd parm" probe:ctlret__return "loop:loop_control_ioctl%return with ret" \
		>expect && test_cmp expect out/modlist.out &&
	printf "Removed event: probe:%s\n" ctl ctlret__return >expect && test_cmp expect out/moddel.err
'
test_expect_success 'a module that is not there' 'test_grep "module .nosuchmodule. is not loaded" out/nomod.err'

test_done
