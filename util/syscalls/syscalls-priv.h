/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYSCALLS_SYSCALLS_PRIV_H
#define SYSCALLS_SYSCALLS_PRIV_H
#include "util/base/rd.h"
#include "util/syscalls/syscalls.h"

extern const struct sysx sysx_open, sysx_at, sysx_access, sysx_prot, sysx_clock, sysx_family,
	sysx_socktype, sysx_sock, sysx_ipproto,
	sysx_netlink, sysx_sol, sysx_so, sysx_tcp, sysx_ip, sysx_ipv6, sysx_clone, sysx_fcntl,
	sysx_fdflag, sysx_seal, sysx_futex,
	sysx_epoll_events, sysx_poll_events, sysx_ipc, sysx_sa, sysx_signal, sysx_resolve,
	sysx_prctl, sysx_sched,
	sysx_sighow, sysx_fstype, sysx_statvfs, sysx_ss, sysx_lock, sysx_whence, sysx_perf_type,
	sysx_perf_sample, sysx_perf_read,
	sysx_perf_attr, sysx_uring_setup, sysx_statx_mask, sysx_cld, sysx_cap, sysx_msg,
	sysx_sicode, sysx_bpf_map, sysx_bpf_prog,
	sysx_iflag, sysx_oflag, sysx_cflag, sysx_lflag, sysx_udp, sysx_packet, sysx_netlink_opt,
	sysx_statx_attr, sysx_uring_feat,
	sysx_sched_flag, sysx_mount_attr, sysx_landlock_fs, sysx_landlock_net, sysx_ioprio_class,
	sysx_quota, sysx_quota_type,
	sysx_mpol_mode, sysx_shmget, sysx_syslog, sysx_personality, sysx_swap, sysx_mpol,
	sysx_mremap, sysx_membarrier_flag, sysx_key_spec, sysx_segv_code, sysx_bus_code,
	sysx_ill_code, sysx_fpe_code, sysx_trap_code,
	sysx_sys_code, sysx_poll_code, sysx_at_statx, sysx_kcmp, sysx_reboot_cmd;

/* RDONLY, O_RDONLY, and as strace has what is unknown */
enum sysx_how { SYSX_SHORT, SYSX_PREFIX, SYSX_STRACE };
const struct sysx_item *sysx_find(const struct sysx *x, u64 value);
void sysx_add_value(struct str *s, const struct sysx *x, u64 value, enum sysx_how how);
void sysx_add_bits(struct str *s, const struct sysx *x, u64 value, enum sysx_how how);

struct fmt {			/* one call being written */
	struct str *s;
	const struct syscall_values *v;
	const struct syscall_style *style;
	const struct syschunk *by_arg[9];	/* first chunk of an argument */
};
static inline enum sysx_how fmt_how(const struct fmt *f)
{
	return f->style->strace ? SYSX_STRACE : f->style->prefix ? SYSX_PREFIX : SYSX_SHORT;
}
/* The bytes of an argument's chunk of this kind; false without one. */
bool fmt_chunk(const struct fmt *f, unsigned arg, u8 kind, struct span *out);
void fmt_ptr(const struct fmt *f, u64 p);
/* "%lld", "%#llx" and "%#llo", without printf: they are in every second line. */
void fmt_s64(struct str *s, s64 v);
void fmt_hex(struct str *s, u64 v);
void fmt_oct(struct str *s, u64 v);
void fmt_fd(const struct fmt *f, unsigned slot, s32 fd);
void fmt_file_mode(const struct fmt *f, u32 mode);
void fmt_signal(struct str *s, int sig, bool prefix);
void fmt_sigset(struct str *s, struct span bytes, bool prefix);
void fmt_sockaddr(const struct fmt *f, struct span bytes);
/* "{ .a: 1, .b: 2 }", for strace "{a=1, b=2}" */
void fmt_open(const struct fmt *f);
void fmt_field(const struct fmt *f, const char *name, bool first);
void fmt_close(const struct fmt *f);
/* A struct kind whose bytes are there. false: it is not one of them. */
bool fmt_struct(const struct fmt *f, unsigned arg, u8 kind, struct span bytes);
bool fmt_layout(const struct fmt *f, u8 kind, struct span bytes);
void fmt_ioctl_request(const struct fmt *f, u32 request);
/* What it points to, if it was copied and is known; else a number. */
void fmt_ioctl_arg(const struct fmt *f, unsigned arg, u32 request);
void fmt_revents(const struct fmt *f);
void fmt_sockopt(const struct fmt *f, u32 level, u32 option, struct span bytes);
/* Bytes of a struct epoll_event of this machine, and of its 32-bit ABI */
unsigned sys_epoll_bytes(bool compat);
/* Bytes that a struct kind has in memory, 0: no struct. out: the kernel fills it */
unsigned sys_struct_bytes(const struct syscall_info *info, u8 kind, bool compat, bool *out);
unsigned sys_layout_bytes(const struct syscall_info *info, u8 kind, bool compat, bool *out);

#endif
