# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by tests/vm/v*.sh after tests/t/lib.sh: runs shell scripts as root of a throw-away x86-64 VM (qemu, software emulation).
#
#	vm_run guest.sh		# guest.sh is run by busybox sh in a guest that has perf; what it writes to /out comes
#				# back as ./out/; the exit status is the script's, 125 if the VM did not come so far
#
# The guest's root is an initramfs made here: busybox, the built perf with its libraries, vm_files (copied to /). Modules
# are in /lib/modules; with vm_debug=1 the kernel's debug information is on a disk, mounted where perf looks for it.
# No rights are needed on the host. vm_append is added to the kernel's command line. With vm_image=FILE that kernel is booted, which must have all it needs built in.

VMDIR=${PERF_VMDIR:-$test_real_cache/perf-vm}
# vm_boot FOLDER: the kernel that is unpacked in this folder of VMDIR; vm_kernel is its release, empty if it is not there.
vm_boot () {
	vm_root=$VMDIR/$1
	vm_kernel=$(ls "$vm_root/lib/modules" 2>/dev/null | head -n 1)
}
vm_boot x86/kcloud
vm_busybox=$(ls "$VMDIR"/x86/bb/bin/busybox "$VMDIR"/x86/bb/usr/bin/busybox 2>/dev/null | head -n 1)
vm_debug_root=$VMDIR/dbgpkg/usr/lib/debug
vm_files= vm_debug= vm_image= vm_append= vm_perf=$BUILD/perf
test_lazy_prereq VM 'needs qemu-system-x86, cpio or busybox, and what tests/vm/fetch.sh fetches' \
	'qemu-system-x86_64 --version && [ -n "$vm_kernel" ] && [ -x "$vm_busybox" ] && [ "$(uname -m)" = x86_64 ]'
test_lazy_prereq VM_DEBUG 'needs the debug information of the VM kernel (tests/vm/fetch.sh dbg) and mkfs.ext4' \
	'[ -f "$vm_debug_root/boot/vmlinux-$vm_kernel" ] && command -v mkfs.ext4'

# Copies a program with its libraries to the same places below $1.
vm_copy_program () {
	local f
	mkdir -p "$1/bin"
	cp "$2" "$1/bin/" || return 1
	ldd "$2" 2>/dev/null | grep -oE '/[^ ]+' | while read -r f; do
		mkdir -p "$1$(dirname "$f")" && cp -L "$f" "$1$f" || return 1
	done
}

# One module by its name, as NN-name.ko, unpacked.
vm_copy_module () {
	local ko
	ko=$(find "$vm_root/lib/modules/$vm_kernel/kernel" -name "$2.ko" -o -name "$2.ko.xz" | head -n 1)
	case $ko in
	*.xz) xz -dc "$ko" >"$1" ;;
	?*) cp "$ko" "$1" ;;
	esac	# else it is built in
}

vm_guest_busybox () { echo "$vm_busybox"; }

vm_init () {
	cat <<\INIT
#!/bin/busybox sh
/bin/busybox mkdir -p /sbin /proc /sys /dev /tmp /out /root /usr/lib/debug
/bin/busybox --install -s /bin
export PATH=/bin HOME=/root TERM=dumb LC_ALL=C
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
for m in /boot-modules/*; do insmod $m; done
mount -t tracefs tracefs /sys/kernel/tracing; mount -t debugfs debugfs /sys/kernel/debug
ln -s /proc/self/fd /dev/fd
echo -1 >/proc/sys/kernel/perf_event_paranoid
[ ! -e /dev/vda ] || mount -t ext4 -o ro /dev/vda /usr/lib/debug
for p in /sys/class/virtio-ports/*; do [ ! -e $p/name ] || eval "port_$(cat $p/name)=/dev/${p##*/}"; done
cd /root
sh /guest.sh >/out/log 2>&1 </dev/null
echo $? >/out/status
tar -C / -c out >$port_out
poweroff -f
INIT
}

vm_build () {
	local d=$1 n=10 m
	mkdir -p "$d/bin" "$d/boot-modules" "$d/lib/modules" &&
	cp "$(vm_guest_busybox)" "$d/bin/busybox" && vm_copy_program "$d" "$vm_perf" && cp "$2" "$d/guest.sh" || return 1
	[ -n "$vm_image" ] || for m in virtio_ring virtio virtio_pci_legacy_dev virtio_pci_modern_dev virtio_pci virtio_console virtio_blk; do
		vm_copy_module "$d/boot-modules/$n-$m.ko" $m || return 1
		n=$((n + 1))
	done
	for m in $vm_modules; do
		mkdir -p "$d/lib/modules/$vm_kernel/kernel" && vm_copy_module "$d/lib/modules/$vm_kernel/kernel/$m.ko" $m || return 1
	done
	[ -z "$vm_files" ] || cp -r $vm_files "$d/" || return 1
	vm_init >"$d/init" && chmod +x "$d/init" "$d/bin/busybox"
}

# A disk with vmlinux and the modules' debug files that are asked for.
vm_disk () {
	local m ko
	mkdir -p disk/boot && cp --reflink=auto "$vm_debug_root/boot/vmlinux-$vm_kernel" disk/boot/ &&
	for m in $vm_modules; do
		ko=$(cd "$vm_debug_root" && find "lib/modules/$vm_kernel/kernel" -name "$m.ko*" | head -n 1)
		[ -z "$ko" ] || { mkdir -p "disk/$(dirname "$ko")" && cp "$vm_debug_root/$ko" "disk/$ko"; } || return 1
	done &&
	truncate -s 900M disk.img && mkfs.ext4 -q -F -O ^has_journal -E lazy_itable_init=1 -m 0 -d disk disk.img && rm -rf disk
}

# vm_qemu ARGUMENT...: the machine, until it is off. Another file that is sourced may have another one.
# On a busy host the emulated timer may be late when the kernel looks whether it works at all: it is not to look (no_timer_check).
vm_qemu () {
	timeout -k 5 "${VM_TIMEOUT:-400}" qemu-system-x86_64 -nodefaults -no-user-config -display none -no-reboot -M q35 -cpu max -accel tcg \
		-smp 2 -m 1536 -kernel "${vm_image:-$vm_root/boot/vmlinuz-$vm_kernel}" -initrd initramfs "$@" \
		-append "console=ttyS0 quiet panic=-1 mitigations=off audit=0 no_timer_check $vm_append" -serial file:console \
		-device virtio-serial-pci -chardev file,id=o,path=out.tar -device virtserialport,chardev=o,name=out
}

vm_run () {
	local d=vm-root disk=
	rm -rf "$d" out out.tar initramfs console
	vm_build "$d" "$1" || { echo "the VM's files cannot be put together"; return 125; }
	( cd "$d" && find . | "$vm_busybox" cpio -o -H newc 2>/dev/null ) | gzip -1 >initramfs
	rm -rf "$d"
	if [ -n "$vm_debug" ]; then
		vm_disk || return 125
		disk="-drive file=disk.img,format=raw,if=virtio,readonly=on"
	fi
	vm_qemu $disk </dev/null >qemu.log 2>&1
	rm -f disk.img
	tar xf out.tar 2>/dev/null && [ -s out/status ] && return "$(cat out/status)"
	echo "the VM did not finish:"
	tail -n 20 qemu.log console
	return 125
}
