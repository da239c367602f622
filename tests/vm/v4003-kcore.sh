#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='/proc/kcore (VM): perf record --kcore, perf buildid-cache -k, directories of upstream perf; the code that ran, and its names, elsewhere'
. "$(dirname "$0")/../t/lib.sh"
. "$TOP/tests/vm/vm.sh"

test_require VM
# Upstream perf's recorder, where it is here and finds all its libraries
mkdir -p upstream/bin
upstream=$(command -v perf_6.1 /usr/bin/perf 2>/dev/null | head -n 1)
[ -z "$upstream" ] || { vm_copy_program upstream "$upstream" && mv "upstream/bin/$(basename "$upstream")" upstream/bin/stock-perf; }
place=lib/modules/$vm_kernel
mkdir -p upstream/$place
vm_copy_module crc.ko crc-itu-t && cp crc.ko upstream/crc.ko
vm_files="upstream/bin upstream/lib upstream/lib64 upstream/usr upstream/crc.ko"
vm_files=$(for f in $vm_files; do [ -e "$f" ] && echo "$f"; done)

cat >guest.sh <<\GUEST
O=/out; cd /root
[ ! -f /crc.ko ] || insmod /crc.ko
load="dd if=/dev/zero of=/dev/null bs=1M count=3000"
perf record -q --kcore -e cpu-clock -F 500 -o $O/ours $load 2>$O/ours.err || exit 1
perf record -q --kcore -e cpu-clock -F 500 -o $O/ours $load 2>$O/ours.err || exit 1
perf report -i $O/ours --stdio --no-children -g none --sort sym >$O/ours.report || exit 1
perf buildid-cache -v -k /proc/kcore >$O/cache.out || exit 1
perf buildid-cache -v -k /proc/kcore >>$O/cache.out || exit 1
mkdir -p $O/cache; cp -r /root/.debug/* $O/cache/
perf buildid-list -k >$O/id 2>/dev/null
grep -E " (_stext|_etext)$" /proc/kallsyms >$O/ends; cat /proc/modules >$O/modules
if [ -x /bin/stock-perf ]; then
	stock-perf record -q --kcore -e cpu-clock -F 500 -o $O/upstream $load 2>$O/upstream.err
	echo $? >$O/upstream.status
	stock-perf report -i $O/ours --stdio --no-children -g none --sort sym >$O/upstream.reads 2>$O/upstream.reads.err
fi
exit 0
GUEST

test_expect_success 'it is recorded in the guest' 'vm_run guest.sh; s=$?; cat out/log; test $s = 0'
rows () { grep -vE "^#|^$" "$1" | awk '{ print $2, $3 }' | sort; }

test_expect_success 'a directory with the kernel beside the recording; the older one was kept' '
	( cd out/ours && ls . kcore_dir ) >ls && printf "%s\n" .: data kcore_dir "" kcore_dir: kallsyms kcore modules >want && test_cmp want ls &&
	test -f out/ours.old/kcore_dir/kcore && start=$(awk "/ _stext/ { print \$1 }" out/ends) && end=$(awk "/ _etext/ { print \$1 }" out/ends) &&
	readelf -lW out/ours/kcore_dir/kcore | awk "\$1 == \"LOAD\" { print \$3, \$5 }" >segs &&
	grep -q "^0x$start $(printf "0x%06x" $((16#$end - 16#$start)))" segs && cmp out/modules out/ours/kcore_dir/modules
'
test_expect_success 'here, where the kernel is another one, it gives the same names' '
	rows out/ours.report | grep "^\[k\]" >want && test -s want && perf report -i out/ours --stdio --no-children -g none --sort sym >report &&
	rows report | grep "^\[k\]" >got && test_cmp want got && ! grep -q "\[k\] 0x" got
'
test_expect_success 'a recording without it, by the cache of kcore' '
	cp out/ours/data plain.data && mkdir cache && cp -r out/cache/"[kernel.kcore]" cache/ &&
	perf --buildid-dir "$PWD/cache" report -i plain.data --stdio --no-children -g none --sort sym >report &&
	rows report | grep "^\[k\]" >got && test_cmp want got &&
	test "$(ls -d cache/*/*/* | wc -l)" = 1 && grep -c "^Added kcore" out/cache.out >n && grep -qx 1 n && grep -q "^The same kcore is in" out/cache.out
'
test_expect_success OBJDUMP 'the code is the one that ran' '
	start=$(awk "/ _stext/ { print \$1 }" out/ends) &&
	objdump -d --start-address=0x$start --stop-address=0x$(printf "%x" $((16#$start + 256))) out/ours/kcore_dir/kcore >dis && grep -cE "^ *ffff" dis >n && test "$(cat n)" -ge 20
'
test_lazy_prereq UPSTREAM_THERE 'needs an upstream perf that runs in the guest' '[ "$(cat out/upstream.status 2>/dev/null)" = 0 ]'
test_expect_success UPSTREAM_THERE 'what upstream perf recorded so has names here' '
	ls out/upstream/kcore_dir && perf report -i out/upstream --stdio --no-children -g none --sort sym >report && rows report | grep "^\[k\]" >got &&
	test -s got && ! grep -q "\[k\] 0x" got && grep -qE "zero|clear_user" got
'
test_expect_success UPSTREAM_THERE 'upstream perf reads ours' 'rows out/upstream.reads | grep "^\[k\]" >got && test_cmp want got'

test_done
