#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf probe on a kernel with fprobe events (VM): entries and returns by the function tracer, recorded, counted, deleted'
. "$(dirname "$0")/../t/lib.sh"
. "$TOP/tests/vm/vm.sh"

vm_boot x86/kfprobe
test_lazy_prereq VM_FPROBE 'needs a kernel with fprobe events (tests/vm/fetch.sh fprobe)' '[ -n "$vm_kernel" ]'
test_require VM_FPROBE
test_require VM,CC
cc -O1 -static -o story "$TOP/tests/vm/story.c" || test_skip_all 'needs a static C library (libc6-dev)'
vm_files=story vm_modules=

cat >guest.sh <<\GUEST
O=/out; cd /root
try () { f=$1; shift; "$@" >$O/$f.out 2>$O/$f.err; echo $? >$O/$f.status; }
values () { perf script -F comm,event,trace -i $1 | sed -n 's/^ *story *probe:\([a-z_]*\): ([0-9a-f]*\( <- [0-9a-f]*\)*) */\1 /p' | sed 's/__return / /'; }

uname -r >$O/release
/story >$O/said
try add perf probe --fprobe -a 'open=do_sys_openat2 path=+0(%si):ustring flags=+0($arg3):x64'
try add2 perf probe --fprobe -q -a 'openret=do_sys_openat2%return ret=$retval:s64' -a 'read=vfs_read count=%dx:u64' \
	-a 'readret=vfs_read%return ret=$retval:s64'
cat /sys/kernel/tracing/dynamic_events >$O/events
cat /sys/kernel/tracing/kprobe_events >$O/kprobes
try list perf probe -l
try record perf record -e 'probe:*' -aR -o x.data /story
values x.data >$O/values
try stat perf stat -x, -e probe:open,probe:openret__return,probe:read /story
try mixed perf probe -a 'kp=vfs_write'
try twice perf probe --fprobe -a 'open=do_sys_openat2'
try force perf probe --fprobe -f -a 'open=do_sys_openat2'
perf record -q -e probe:read -o w.data sleep 30 >/dev/null 2>&1 & rec=$!
n=0; while [ $n -lt 100 ] && ! ls -l /proc/$rec/fd 2>/dev/null | grep -q perf_event; do sleep 0.1; n=$((n + 1)); done
try busy perf probe -d probe:read
kill -INT $rec; wait $rec
try middle perf probe --fprobe -a 'mid=vfs_read+5'
try reg perf probe --fprobe -a 'reg=vfs_read x=%bx'
try notrace perf probe --fprobe -a ktime_get_mono_fast_ns
try del perf probe -d 'probe:*'
cat /sys/kernel/tracing/dynamic_events >$O/left
GUEST

test_expect_success 'the guest runs to its end, nothing is left' 'vm_run guest.sh && test ! -s out/left'
test_expect_success 'added: as fprobe events, registers as arguments' '
	test "$(cat out/add.status out/add2.status | tr -d "\n")" = 00 && test ! -s out/kprobes && sort out/events >have &&
	{ echo "f:probe/open do_sys_openat2 path=+0(\$arg2):ustring flags=+0(\$arg3):x64" &&
	  echo "f:probe/openret__return do_sys_openat2%return ret=\$retval:s64" && echo "f:probe/read vfs_read count=\$arg3:u64" &&
	  echo "f:probe/readret__return vfs_read%return ret=\$retval:s64"; } >expect && sed "s/^f[0-9]*:/f:/" have | test_cmp expect -
'
test_expect_success 'listed' '
	printf "  %-20s (on %s)\n" probe:open "do_sys_openat2 with path flags" probe:openret__return "do_sys_openat2%return with ret" \
		probe:read "vfs_read with count" probe:readret__return "vfs_read%return with ret" >expect && test_cmp expect out/list.out
'
test_expect_success 'recorded: arguments, strings and return values are what the program did' '
	test "$(grep -cE "^open " out/said)" = 3 && test_cmp out/said out/values
'
test_expect_success 'counted' '
	awk -F, "{ print \$1, \$3 }" out/stat.err | grep probe >counts &&
	printf "3 probe:open\n3 probe:openret__return\n5 probe:read\n" >expect && test_cmp expect counts
'
test_expect_success 'beside a kprobe; the same name again: refused, by force with a number' '
	test_grep "event .open. already exists" out/twice.err && test_grep "probe:open_1 " out/force.err && test "$(cat out/mixed.status)" = 0
'
test_expect_success 'in use: who; deleted: both kinds' '
	test_grep "cannot delete event .probe:read.: it is in use" out/busy.err &&
	printf "Removed event: probe:%s\n" kp open open_1 openret__return read readret__return >expect && test_cmp expect out/del.err
'
test_expect_success 'no entry, no argument, not to be traced' '
	test_grep "vfs_read\+5. is not an entry or return of a function" out/middle.err &&
	test_grep "%bx cannot be read by an fprobe event" out/reg.err && test "$(cat out/notrace.status)" = 1 &&
	test_grep "cannot add event" out/notrace.err
'
test_done
