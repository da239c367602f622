#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# No VM is booted: PERF_VMLINUX names the image (default: the VM kernel's, of tests/vm/fetch.sh dbg).
test_description='perf probe -D on a kernel image: the definitions of the newest upstream perf, or better ones for a reason that can be checked'
vmlinux=${PERF_VMLINUX:-}
. "$(dirname "$0")/../t/lib.sh"
. "$TOP/tests/vm/vm.sh"
. "$TEST_DIR/probe-compare.sh"

[ -n "$vmlinux" ] || vmlinux=$vm_debug_root/boot/vmlinux-$vm_kernel
test_lazy_prereq VMLINUX 'needs the debug information of an x86 kernel (tests/vm/fetch.sh dbg, or PERF_VMLINUX)' '[ -f "$vmlinux" ]'
test_require NEWEST,VMLINUX,X86_64
ln -s "$vmlinux" vmlinux
probe_kernel=1

# KIND NAME: compares what the lines of standard input ask for
list () {
	local what=$1
	cat >"$what"
	test_expect_success "$what: each definition is upstream perf's, or has a reason" '
		specs () { cat "$what"; } && compare vmlinux && grep -c "^same\|^refused" vmlinux.verdicts && ! grep "^worse" vmlinux.verdicts
	'
	cat vmlinux.verdicts >>all.verdicts
}

list functions <<\EOS
tcp_sendmsg
tcp_sendmsg+12
tcp_sendmsg%return
tcp_sendmsg%return $retval
do_sys_openat2%return ret=$retval:s64
getname_flags
getname_flags%return
schedule
__schedule
do_sys_open
wake_up_new_task
kmem_cache_alloc
icmp_rcv
ip_rcv
tcp_v4_rcv
udp_sendmsg
page_cache_ra_unbounded
__do_sys_getpid
__x64_sys_getpid
__x64_sys_read
netif_receive_skb
inet_csk_accept
ttwu_do_wakeup
rcu_read_lock
kmalloc
vfs_read@fs/read_write.c
vfs_read@fs/open.c
nosuchfunction
vfs_read+100000
x=vfs_read
g:x=vfs_read%return
EOS

list lines <<\EOS
tcp_sendmsg:0
tcp_sendmsg:8
tcp_sendmsg:9
tcp_sendmsg_locked:20
getname_flags:65
icmp_rcv:55
icmp_rcv:59
icmp_rcv:64
icmp_rcv:5
schedule:10
schedule:27
__schedule:36
__schedule:80
schedule@kernel/sched/core.c:5
do_sys_openat2:3
do_sys_openat2:10
vfs_read:6
vfs_read:18
vfs_read:5000
try_to_wake_up:33
tcp_v4_rcv:2
tcp_v4_rcv:10
do_exit:9
fs/namei.c:65
fs/read_write.c:450
fs/read_write.c:451
fs/open.c:1298
fs/open.c:1300
net/ipv4/tcp.c:1483
net/ipv4/tcp.c:1497
namei.c:200
kernel/sched/core.c:6500
EOS

list variables <<\EOS
tcp_sendmsg size
tcp_sendmsg sk msg size
tcp_sendmsg $params
tcp_sendmsg $vars
tcp_sendmsg_locked:20 flags
tcp_sendmsg_locked copied
vfs_getname=getname_flags:65 pathname=filename:string
getname_flags filename:string flags
do_sys_openat2 dfd filename how
do_sys_openat2 filename:string
do_sys_openat2 filename:ustring
do_sys_open filename:string
schedule:27 prev
__schedule prev rq
__schedule:36 rf
__schedule:80 prev
vfs_read file buf count pos
vfs_read file:x64 count:u32 c2=count:x8
vfs_read $arg1 $arg2 $stack $stack0 $comm
vfs_read %di %si +0(%di):u64
vfs_read @jiffies
vfs_read @init_task+0:u64
vfs_read jiffies_64
vfs_read current_task
vfs_read *pos
vfs_read nosuchvar
vfs_read count:string
vfs_write $vars
page_cache_ra_unbounded nr_to_read
udp_sendmsg:49 is_udplite
udp_sendmsg:49 connected
icmp_rcv:64 icmph
do_exit:9 __ret_warn_on
do_exit code
EOS

list members <<\EOS
tcp_sendmsg sk->__sk_common.skc_family
tcp_sendmsg sk->sk_sndbuf sk->sk_protocol sk->sk_type
tcp_sendmsg sk->sk_userlocks
tcp_sendmsg msg->msg_flags msg->msg_iter.count
tcp_sendmsg msg->msg_name->sa_family
icmp_rcv skb->len skb->data_len
icmp_rcv skb->cloned skb->pkt_type
icmp_rcv skb->dev->name:string
icmp_rcv skb->dev->name
icmp_rcv skb->cb[3]
ip_rcv skb->dev->ifindex skb->protocol:x16
__schedule:80 prev prev->pid prev->comm:string rq->nr_running
__schedule prev->state rq->lock
do_sys_openat2 how->flags how->mode:x16 how->resolve
vfs_read file->f_path.dentry->d_iname:string
vfs_read file->f_path.dentry->d_name.name:string
vfs_read file->f_path.dentry->d_iname
vfs_read file->f_inode->i_ino file->f_inode->i_mode
vfs_read file->nosuch
vfs_read init_task.pid
vfs_read init_task.comm:string
vfs_open path->dentry->d_iname:string
do_filp_open pathname->name:string
wake_up_new_task p->comm:string p->pid p->se.vruntime
handle_mm_fault vma->vm_start address flags
handle_mm_fault vma->vm_mm->owner->comm:string
submit_bio bio->bi_iter.bi_sector bio->bi_opf
queue_work_on cpu wq->name:string work->func
hrtimer_start_range_ns timer->node.expires tim
mutex_lock lock->owner.counter
__x64_sys_openat regs->di
EOS

test_expect_success 'all in all' '
	cut -d " " -f 1 all.verdicts | sort | uniq -c && test "$(wc -l <all.verdicts)" = 128
'
test_done
