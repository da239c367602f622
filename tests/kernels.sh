#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# kernels.sh DIR [KERNEL[-VARIANT]...]	boots Debian's kernels in VMs (tests/vm/fetch.sh kernels), each as it is and with parts taken
# away, runs every command of tests/kernels.py there and writes Documentation/KERNELS.md anew. What was printed stays in
# DIR/KERNEL-VARIANT/, so that a part can be run again; with no run: "kernels.sh DIR none". Some minutes a variant; no rights are needed.
# The exit status is 1 if a command neither worked nor gave a reason that is expected there.

top=$(cd "$(dirname "$0")/.." && pwd)
[ $# -ge 1 ] || { echo "usage: kernels.sh DIR [KERNEL[-VARIANT]...]" >&2; exit 129; }
mkdir -p "$1" && dir=$(cd "$1" && pwd) || exit 1
shift
wanted=" $* "
. "$top/tests/t/lib.sh"
. "$top/tests/vm/vm.sh"
kernels="5.10:k510 6.1:k61 6.12:kfprobe sid:ksid"
# NAME:parameters of the kernel
variants="plain notracefs nobtf nobpf noperf lockdown:lockdown=confidentiality"

make -s -C "$top" O="$BUILD" workloads || exit 1
mkdir -p files/bin files/etc
for p in calltree lockfight heaps probed late nocall; do cp "$BUILD/workloads/$p" files/bin/ || exit 1; done
printf 'root:x:0:0::/root:/bin/sh\n' >files/etc/passwd
vm_copy_program files "$(command -v objdump)" || exit 1
python3 "$top/tests/kernels.py" rows >files/rows

cat >guest.sh <<\GUEST
cd /root; mkdir -p /run /out/rows /dev/shm; mount -t tmpfs tmpfs /dev/shm
uname -r >/out/release
insmod /lib/modules/*/kernel/loop.ko 2>/dev/null
[ -e /dev/stdin ] || ln -s /proc/self/fd/0 /dev/stdin
mount -t tmpfs tmpfs /tmp; mkdir -p /sys/fs/cgroup; mount -t bpf bpf /sys/fs/bpf; mount -t cgroup2 cgroup2 /sys/fs/cgroup; echo +memory >/sys/fs/cgroup/cgroup.subtree_control; mkdir -p /sys/fs/cgroup/g
dd if=/dev/zero of=/tmp/disk bs=1M count=8 2>/dev/null; losetup /dev/loop0 /tmp/disk
perf record -q -g -o given.data calltree 2000
perf record -q -o other.data calltree 2000
case $(cat /variant) in
notracefs) umount /sys/kernel/debug/tracing; umount /sys/kernel/debug; umount /sys/kernel/tracing; wrap="nocall mount=EPERM" ;;
nobtf) mount -t tmpfs tmpfs /sys/kernel/btf ;;
nobpf) wrap="nocall bpf=EPERM" ;;
noperf) wrap="nocall perf_event_open=ENOSYS" ;;
esac
tab=$(printf '\t')
while IFS=$tab read -r name command; do
	echo "$name" >>/dev/ttyS0
	$wrap timeout -s KILL 60 sh -c "$command" >"/out/rows/$name.txt" 2>&1 </dev/null
	echo $? >"/out/rows/$name.status"
done </rows
dmesg | grep -E 'BUG|Oops|WARNING' >/out/dmesg
exit 0
GUEST

run () {	# KERNEL FOLDER VARIANT PARAMETERS
	vm_boot "x86/$2"
	[ -n "$vm_kernel" ] || { echo "kernels.sh: no kernel $1 (tests/vm/fetch.sh kernels)" >&2; return 1; }
	vm_modules=loop vm_append=$4 vm_files="files/*"
	echo "$3" >files/variant
	VM_TIMEOUT=1500 vm_run guest.sh >vm.log || { cat vm.log >&2; return 1; }
	rm -rf "$dir/$1-$3" && mv out "$dir/$1-$3"
}

bad=0
for kernel in $kernels; do
	for variant in $variants; do
		name=${kernel%%:*}-${variant%%:*} parameters=
		case "$wanted" in "  "|*" ${kernel%%:*} "*|*" $name "*) ;; *) continue ;; esac
		case $variant in *:*) parameters=${variant#*:} ;; esac
		begin=$SECONDS
		run "${kernel%%:*}" "${kernel##*:}" "${variant%%:*}" "$parameters" || { echo "$name: the VM failed" >&2; bad=1; }
		echo "$name: $((SECONDS - begin)) s" >&2
	done
done
python3 "$top/tests/kernels.py" table "$dir" "$top/Documentation/KERNELS.md" || bad=1
test_finished=1
exit $bad
