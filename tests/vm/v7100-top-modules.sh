#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf top -a while kernel modules come, run, go and come again elsewhere (VM): their functions have names, nothing is unknown'
. "$(dirname "$0")/../t/lib.sh"
. "$TOP/tests/vm/vm.sh"

test_require VM
vm_modules="zsmalloc lz4_compress lz4 lz4hc_compress lz4hc zram crc-itu-t raid6_pq xor"
for m in $vm_modules; do
	vm_copy_module probe.ko $m && test -s probe.ko || test_skip_all "the VM kernel has no module $m"
	rm -f probe.ko
done
# The files of these are found, which only functions that run while they are loaded need; the others' names are of kallsyms.
mkdir -p dep/lib/modules/$vm_kernel && printf "kernel/%s.ko:\n" raid6_pq xor >dep/lib/modules/$vm_kernel/modules.dep
vm_files=dep/lib

cat >guest.sh <<\GUEST
O=/out; cd /root
M=$(echo /lib/modules/*/kernel)
come () { for m in "$@"; do insmod $M/$m.ko || exit 1; done; }
# Writes to a compressed RAM disk run through these.
disk () {
	come zsmalloc lz4_compress lz4 lz4hc_compress lz4hc zram
	grep -E "^(zram|lz4_compress) " /proc/modules >>$O/places
	echo lz4 >/sys/block/zram0/comp_algorithm && echo 64M >/sys/block/zram0/disksize || exit 1
	for i in 1 2 3; do dd if=/bin/perf of=/dev/zram0 bs=1M conv=fsync 2>/dev/null; done
	sleep 3
	rmmod zram lz4hc lz4 lz4hc_compress lz4_compress zsmalloc || exit 1
}
perf top --stdio -a -e cpu-clock -F 500 -d 2 -E 500 -s dso,symbol >$O/top 2>$O/err &
top=$!
sleep 5
disk
# It measures while it is loaded, with functions that stay and one that goes.
come raid6_pq xor
sleep 3
rmmod xor raid6_pq
come crc-itu-t		# so that the others come to lie elsewhere
disk
sleep 3
kill -INT $top; wait $top
echo $? >$O/top.status
GUEST
# Each table apart: table.1, table.2 ...
tables () { rm -f table.*; awk '/PerfTop:/ { n++ } n { print >"table." n }' out/top; }

names_twice () { for t in table.*; do grep -oE "\[lz4_compress\] +\[k\] LZ4_compress_fast[a-zA-Z_]*" $t | sort | uniq -d; done; }

test_expect_success 'the guest runs to its end, and so does perf top' 'vm_run guest.sh && test "$(cat out/top.status)" = 0 && tables && test -s table.5'
for fn in "\[lz4_compress\] +\[k\] LZ4_compress_fast" "\[zram\] +\[k\] zram_" "\[raid6_pq\] +\[k\] raid6_"; do
	test_expect_success "there is ${fn##* }" 'grep -lE "$fn" table.* >in && test -s in'
done
test_expect_success 'the same function in the second place is one row, not two' '
	names_twice >twice && ! grep . twice &&
	sed -n 1,2p out/places | grep zram >first && sed -n 3,4p out/places | grep zram >second && ! cmp -s first second
'
test_expect_success 'nothing of the kernel and its modules is unknown, in no table' '
	! grep -nE "\[k\] +(\[unknown|0x|$)" table.*
'
test_done
