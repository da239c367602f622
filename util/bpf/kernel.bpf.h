/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BPF_KERNEL_BPF_H
#define BPF_KERNEL_BPF_H
/*
 * The few kernel structs and fields that the capture of system calls reads. Offsets come from the running kernel's BTF.
 */
#include <linux/bpf.h>
#include <linux/types.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>
#include <stdbool.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s64 s64;

#define CORE __attribute__((preserve_access_index))

#if defined(__TARGET_ARCH_x86)
struct pt_regs {
	unsigned long bp, bx, r10, r9, r8, ax, cx, dx, si, di, orig_ax, ip;
} CORE;
struct thread_info {
	u32 status;
} CORE;
#else
struct user_pt_regs;
struct pt_regs {
	u64 regs[31];
	u64 pc;
	u64 orig_x0;
	int syscallno;
} CORE;
struct thread_info {
	unsigned long flags;
} CORE;
#endif

struct qstr {
	union {
		u64 hash_len;
	};
	const unsigned char *name;
} CORE;
struct super_block {
	unsigned long s_magic;
} CORE;
struct inode {
	unsigned short i_mode;
	unsigned long i_ino;
	u32 i_rdev;
	struct super_block *i_sb;
} CORE;
struct hlist_bl_node {
	struct hlist_bl_node **pprev;
} CORE;
struct dentry {
	struct hlist_bl_node d_hash;
	struct dentry *d_parent;
	struct qstr d_name;
} CORE;
struct vfsmount {
	struct dentry *mnt_root;
} CORE;
struct mount {
	struct mount *mnt_parent;
	struct dentry *mnt_mountpoint;
	struct vfsmount mnt;
} CORE;
struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
} CORE;
struct file {
	struct inode *f_inode;
	struct path f_path;
	void *private_data;
} CORE;
struct fdtable {
	unsigned int max_fds;
	struct file **fd;
} CORE;
struct files_struct {
	struct fdtable *fdt;
} CORE;
struct fs_struct {
	struct path root;
} CORE;
struct in6_bpf {
	u8 b[16];
};
struct sock_common {
	u32 skc_daddr, skc_rcv_saddr;
	u16 skc_dport, skc_num;
	unsigned short skc_family;
	volatile unsigned char skc_state;
	struct in6_bpf skc_v6_daddr, skc_v6_rcv_saddr;
} CORE;
struct sock {
	struct sock_common __sk_common;
	u16 sk_type, sk_protocol;
} CORE;
struct socket {
	struct sock *sk;
} CORE;
struct kernfs_node {
	u64 id;
} CORE;
struct task_struct {
	struct thread_info thread_info;
	int pid, tgid, exit_code;
	char comm[16];
	struct fs_struct *fs;
	struct files_struct *files;
} CORE;

#endif
