#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf probe on a kernel with kprobes (VM): variables, lines and modules by the debug information'
. "$(dirname "$0")/../t/lib.sh"
. "$TOP/tests/vm/vm.sh"

test_require VM,VM_DEBUG,CC
cc -O1 -static -o story "$TOP/tests/vm/story.c" || test_skip_all 'needs a static C library (libc6-dev)'
vm_files=story vm_modules=loop vm_debug=1

cat >guest.sh <<\GUEST
O=/out; cd /root
try () { f=$1; shift; "$@" >$O/$f.out 2>$O/$f.err; echo $? >$O/$f.status; }
values () { perf script -F comm,event,trace -i $1 | sed -n 's/^ *story *probe:\([a-z]*\)\(__return\)*: ([0-9a-f]*\( <- [0-9a-f]*\)*) */\1 /p'; }

insmod /lib/modules/*/kernel/loop.ko
/story >$O/said
/story loop >$O/said2; rm -f /dev/loop4?; rmmod loop; insmod /lib/modules/*/kernel/loop.ko

try add perf probe -a 'open=do_sys_openat2 path=filename:ustring how->flags:x64' -a 'openret=do_sys_openat2%return ret=$retval:s64' \
	-a 'read=vfs_read count=count:u64' -a 'readret=vfs_read%return ret=$retval:s64'
try record perf record -e 'probe:*' -aR -o x.data /story
values x.data >$O/values
try list perf probe -l
try lines perf probe -L vfs_read
line=$(awk 'NR > 2 { print $1; exit }' $O/lines.out); echo $line >$O/line
try byline perf probe -a "byline=vfs_read:$line count=count:u64"
try struct perf probe -a 'inner=do_filp_open name=pathname->name:string'
perf record -q -e probe:byline -e probe:inner -aR -o l.data /story >/dev/null
values l.data >$O/linevalues
try where perf probe -l 'probe:byline'
try vars perf probe -V vfs_read
try inlined perf probe -a 'twice=do_sys_open filename:ustring'
try optimized perf probe -a 'opt=vfs_read:$line nosuchvar'
try black perf probe -a exc_int3
try mod perf probe -m loop -a 'ctl=loop_control_ioctl cmd=cmd:s32 parm=parm:s64' -a 'ctlret=loop_control_ioctl%return ret=$retval:s32'
perf record -q -e 'probe:ctl*' -aR -o m.data /story loop >/dev/null
values m.data >$O/modvalues
try modlist perf probe -l 'probe:ctl*'
try modlines perf probe -m loop -L loop_control_ioctl
try delall perf probe -d 'probe:*'
cat /sys/kernel/tracing/kprobe_events >$O/left
GUEST

test_expect_success 'the guest runs to its end' 'vm_run guest.sh && test ! -s out/left'
test_expect_success 'recorded: variables, members, strings and return values are what the program did' '
	test "$(grep -cE "^open " out/said)" = 3 && test_cmp out/said out/values
'
test_expect_success 'listed with files and functions' '
	printf "  %-20s (on %s)\n" probe:open "do_sys_openat2@fs/open.c with path flags" \
		probe:openret__return "do_sys_openat2%return@fs/open.c with ret" probe:read "vfs_read@fs/read_write.c with count" \
		probe:readret__return "vfs_read%return@fs/read_write.c with ret" >expect && test_cmp expect out/list.out
'
test_expect_success 'by line' '
	line=$(cat out/line) && test "$line" -gt 0 &&
	test_grep "probe:byline +\(on vfs_read:$line with count=count:u64\)" out/byline.err &&
	test_grep "probe:byline +\(on vfs_read:$line@fs/read_write.c with count\)" out/where.out &&
	sed -n "s/^read /byline /p" out/said >expect && grep ^byline out/linevalues >got && test_cmp expect got
'
test_expect_success 'a string after a pointer of the kernel' '
	sed -n "s/^open path=\(.*\) flags.*/inner name=\1/p" out/said >expect && grep ^inner out/linevalues >got && test_cmp expect got
'
test_expect_success 'lines without the source: where it was looked for' '
	test_grep "^<vfs_read@fs/read_write.c:0>" out/lines.out && test_grep "the source is not there: .*read_write.c" out/lines.err
'
test_expect_success 'variables' '
	printf "Available variables at vfs_read\n\t@<vfs_read+0>\n\t\tchar*\tbuf\n\t\tloff_t*\tpos\n\t\tsize_t\tcount\n\t\tstruct file*\tfile\n" \
		>expect && test_cmp expect out/vars.out
'
test_expect_success 'an inlined function: one event at all its places' '
	test_grep "probe:twice +\(on do_sys_open with filename:ustring\) at [0-9]+ places" out/inlined.err
'
test_expect_success 'what the kernel needs itself is refused by name' 'test_grep "exc_int3. cannot be probed" out/black.err'
test_expect_success 'in a module: variables, list and lines' '
	test_cmp out/said2 out/modvalues &&
	printf "  %-20s (on %s in loop with %s)\n" probe:ctl "loop_control_ioctl@drivers/block/loop.c" "cmd parm" \
		probe:ctlret__return "loop_control_ioctl%return@drivers/block/loop.c" ret >expect && test_cmp expect out/modlist.out &&
	test_grep "^<loop_control_ioctl@drivers/block/loop.c:0>" out/modlines.out
'
test_expect_success 'all deleted' 'test "$(grep -c "^Removed event: probe:" out/delall.err)" = 9'

test_done
