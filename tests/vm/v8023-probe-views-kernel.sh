#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# No VM is booted: PERF_VMLINUX names the image (default: the VM kernel's, of tests/vm/fetch.sh dbg), PERF_KERNEL_SOURCE its source.
test_description='perf probe -V, -F and -L on a kernel image: what the newest upstream perf shows; each difference has a reason that is checked'
vmlinux=${PERF_VMLINUX:-} source=${PERF_KERNEL_SOURCE:-}
. "$(dirname "$0")/../t/lib.sh"
. "$TOP/tests/vm/vm.sh"

[ -n "$vmlinux" ] || vmlinux=$vm_debug_root/boot/vmlinux-$vm_kernel
test_lazy_prereq VMLINUX 'needs the debug information of an x86 kernel (tests/vm/fetch.sh dbg, or PERF_VMLINUX)' '[ -f "$vmlinux" ]'
test_lazy_prereq KERNEL_SOURCE 'needs the source of that kernel (PERF_KERNEL_SOURCE)' '[ -f "$source/kernel/sched/core.c" ]'
test_require NEWEST,VMLINUX,X86_64

both () {
	"$NEWEST" probe -q -k "$vmlinux" "$@" >s 2>/dev/null
	perf probe -q -k "$vmlinux" "$@" >o 2>err
}
# Variables at each place, "PLACE<tab>[state] TYPE<tab>NAME": a place in a part of a function is named after the part.
flat () { sed 's/\.part\.[0-9]*+/+/' "$1" | awk '/^\t@</ { p = $0; next } /^\t\t/ { print p $0 }' | grep -v "(No matched" | sort -u; }
name_of () { sed 's/^\t@<[^>]*>//; s/\t@<.*//; s/.*\t//'; }

# POINT: only we have it: it can be fetched; only upstream perf has it: there is another of this name (of a function that is inlined
# there), or it cannot be fetched.
variables () {
	local n
	both -V "$@"
	cmp -s o s && return
	flat o >fo; flat s >fs
	comm -23 fo fs | name_of | sort -u >more
	comm -13 fo fs | grep -v "\[INV\]" | name_of | sort -u >less
	while read -r n; do
		perf probe -q -k "$vmlinux" -D "$1 $n" >def 2>err && grep -qE " [a-zA-Z_0-9]+=[^\\]|=.0x[0-9a-f]+" def || { echo "-V $*: more: $n"; cat err; return 1; }
	done <more
	while read -r n; do
		[ "$(grep -c "	$n\(	@.*\)*$" fs)" -le "$(grep -c "	$n\(	@.*\)*$" fo)" ] || name_of <fo | grep -qxF -- "$n" ||
			{ ! perf probe -q -k "$vmlinux" -D "$1 $n" >def 2>err && grep -qE "computed|of each CPU|has no address" err; } ||
			{ echo "-V $*: less: $n"; cat err; return 1; }
	done <less
}
each () { local p; while read -r p; do eval "$1 $p" || return 1; done; }

test_expect_success 'functions: the same names' '
	for f in "!_* & !*@plt" "icmp*" "*rcv*" "vfs_*" "_*" "*" "*.part.*" "tcp_* & !*_v6_*" "a* | b*" "*.isra.*" "__x64_sys_*" "*.cold" "[a-c]*" "do_?xit"; do
		both -F"$f" && sort -u s >ss && sort -u o >oo && test -s oo && test_cmp ss oo || { echo "-F $f"; return 1; }
	done
'
test_expect_success 'variables: the same, or ours can be fetched, and upstream perf'\''s cannot' '
	each variables <<\EOV
tcp_sendmsg
tcp_sendmsg:8
tcp_sendmsg_locked
tcp_sendmsg_locked:20
getname_flags
getname_flags:65
icmp_rcv
icmp_rcv:64
schedule
__schedule
__schedule:36
vfs_read
vfs_read+20
vfs_read --range
vfs_read:12 --range
do_sys_openat2
do_sys_openat2:10
try_to_wake_up
try_to_wake_up:33 --range
ttwu_do_wakeup
kmem_cache_alloc
ip_rcv
udp_sendmsg:49
copy_process
copy_process:60
handle_mm_fault
do_exit:9
submit_bio
mutex_lock
tcp_v4_rcv
do_nanosleep
vfs_write%return
vfs_read --filter "c*"
__x64_sys_openat
EOV
'
# FUNCTION: the same text; each line that only we mark can be probed. Upstream perf goes beyond the function where its address ranges do.
lines () {
	local n
	both -s "$source" -L "$1"
	grep -q . o && head -n "$(wc -l <o)" s | sed "s/^ *[0-9]*  //; s/^         //" >ss && sed "s/^ *[0-9]*  //; s/^         //" o | cmp -s - ss ||
		{ echo "-L $1: text"; return 1; }
	sed -n "s/^ *\([0-9][0-9]*\)  .*/\1/p" o | sort >no; head -n "$(wc -l <o)" s | sed -n "s/^ *\([0-9][0-9]*\)  .*/\1/p" | sort >ns
	! comm -13 no ns | grep . || { echo "-L $1: not marked"; return 1; }
	for n in $(comm -23 no ns); do
		perf probe -q -k "$vmlinux" -D "$1:$n" >/dev/null 2>err || { echo "-L $1: $n is marked"; cat err; return 1; }
	done
}
test_expect_success KERNEL_SOURCE 'lines: the same, and what only we mark can be probed' '
	each lines <<\EOL
tcp_sendmsg
tcp_sendmsg_locked
getname_flags
icmp_rcv
schedule
__schedule
do_sys_openat2
vfs_read
vfs_read@fs/read_write.c
try_to_wake_up
ttwu_do_wakeup
kmem_cache_alloc
ip_rcv
udp_sendmsg
handle_mm_fault
do_exit
submit_bio
mutex_lock
tcp_v4_rcv
vfs_write
vfs_open
do_filp_open
inet_csk_accept
tcp_v4_connect
do_nanosleep
queue_work_on
kernel_clone
wake_up_new_task
__do_sys_getpid
fs/open.c
EOL
'
test_done
