# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by tests/vm/v*-arm64-*.sh after vm.sh: its vm_run with an arm64 machine, whose counters count.
#
# perf is that of PERF_ARM64_BUILD (default: build-arm64, as tests/vm/build-arm64.sh makes it), programs are linked statically or use
# the libraries there. One instruction takes a nanosecond of the machine's time, and cycles are the same as instructions: counts are
# exact and do not depend on the host's load. There is a counter for cycles and one for instructions more than the general ones
# (6 in all), and no event of branches or caches.

arm64_build=${PERF_ARM64_BUILD:-$TOP/build-arm64}
vm_boot arm/kcloud
arm64_busybox=$(ls "$VMDIR"/arm/bb/bin/busybox "$VMDIR"/arm/bb/usr/bin/busybox 2>/dev/null | head -n 1)
vm_perf=$arm64_build/perf
vm_modules=

test_lazy_prereq ARM64_CC 'needs a C compiler for arm64 (package gcc-aarch64-linux-gnu)' 'aarch64-linux-gnu-gcc --version'
test_lazy_prereq ARM64_BUILD 'needs perf for arm64 (tests/vm/build-arm64.sh)' '[ -x "$vm_perf" ] && [ -e "$arm64_build/lib/libc.so.6" ]'
test_lazy_prereq ARM64_QEMU 'needs qemu-system-aarch64 (package qemu-system-arm)' 'qemu-system-aarch64 --version'
test_lazy_prereq ARM64_KERNEL 'needs the arm64 kernel and busybox (tests/vm/fetch.sh arm64) and cpio' \
	'[ -n "$vm_kernel" ] && [ -x "$arm64_busybox" ] && { [ -x "$vm_busybox" ] || cpio --version; }'
# All of it; test_missing is what lacks, of the first that does.
arm64_require () { test_require ARM64_QEMU; test_require ARM64_KERNEL; test_require ARM64_BUILD; test_require ARM64_CC; }
test_lazy_prereq VM_ARM64 'needs qemu-system-arm, tests/vm/fetch.sh arm64, tests/vm/build-arm64.sh and gcc-aarch64-linux-gnu' \
	'test_have ARM64_QEMU,ARM64_KERNEL,ARM64_BUILD,ARM64_CC'

# arm64_cc NAME ARGUMENT...: ./NAME for the machine
arm64_cc () {
	local name=$1
	shift
	aarch64-linux-gnu-gcc -g -w -D_GNU_SOURCE -pthread -o "$name" "$@" >.cc 2>&1 || { cat .cc; return 1; }
}

vm_guest_busybox () { echo "$arm64_busybox"; }
vm_copy_program () {
	mkdir -p "$1/bin" "$1/lib" && cp "$2" "$1/bin/" && cp "$arm64_build"/lib/* "$1/lib/"
}

vm_qemu () {
	timeout -k 5 "${VM_TIMEOUT:-400}" qemu-system-aarch64 -nodefaults -no-user-config -display none -no-reboot -M virt \
		-cpu max,pauth-impdef=on -accel tcg -icount shift=0,sleep=off -smp "${vm_cpus:-1}" -m 1536 \
		-kernel "$vm_root/boot/vmlinuz-$vm_kernel" -initrd initramfs \
		-append "console=ttyAMA0 quiet panic=-1 mitigations=off audit=0 $vm_append" -serial file:console \
		-device virtio-serial-pci -chardev file,id=o,path=out.tar -device virtserialport,chardev=o,name=out "$@"
}
