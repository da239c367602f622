/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WIRE_SYSREC_H
#define WIRE_SYSREC_H
/*
 * What the capture of system calls in the kernel hands over, and the plan that tells it which bytes
 * of user memory a call's arguments lead to. Shared by the BPF program (util/bpf/sys.bpf.c) and
 * those who read its ring, so only kernel types.
 *
 * One ring holds these kinds of records. A call that runs to its end without sleeping is one
 * SYSREC_CALL. A call that sleeps, never returns, or is cut by death has a SYSREC_ENTER; if it
 * returns, its SYSREC_CALL follows with SYSREC_F_ENTERED. The chunks of the records of a call add
 * up. There may be a second SYSREC_ENTER for memory that the first one was without. A SYSREC_NAME
 * tells what a file's key stands for and comes before the first record that uses the key.
 */
#include <linux/types.h>

enum sysrec_type { SYSREC_CALL = 1, SYSREC_ENTER = 2, SYSREC_NAME = 3, SYSREC_SIGNAL = 4,
		   SYSREC_EXIT = 5 };

enum sysrec_flags {
	SYSREC_F_COMPAT = 1,	/* a call of the 32-bit instruction set */
	SYSREC_F_NO_ENTER = 2,	/* its beginning was not seen: enter_ns is 0 */
	SYSREC_F_NO_RETURN = 4,	/* exit, exit_group */
	SYSREC_F_CUT = 8,	/* the thread died in it */
	SYSREC_F_ENTERED = 16,	/* a SYSREC_ENTER of this call went before */
	SYSREC_F_TRUNC = 32,	/* not all memory of the arguments fitted */
	/* it never began (seccomp): arguments and result are right, the start is not known */
	SYSREC_F_REFUSED = 64,
	/* of SYSREC_ENTER: memory of its arguments is not resident yet; it comes with the next
	 * record of it */
	SYSREC_F_MISSING = 128,
};

struct sysrec {
	__u16 type, flags;
	__u32 nr;
	__u32 tid, tgid;	/* at its beginning, as the tool's pid namespace has them */
	__u64 enter_ns, exit_ns;	/* CLOCK_MONOTONIC */
	__s64 ret;
	__u64 args[6];
	char comm[16];		/* at its end */
	__u32 cpu;
	__u32 len;		/* bytes of chunks that follow */
	/* differs from tid when a thread other than the first one called execve */
	__u32 exit_tid;
	__s32 ustack, kstack;	/* ids of stacks, -1: none */
	/* records of this thread that found no room, since its last one that did */
	__u32 lost_before;
};

/* The chunks: what arguments point to. bytes follow, without padding. */
enum syschunk_kind {
	SYSCHUNK_STR = 1,	/* a string without its NUL */
	SYSCHUNK_STR_CUT,	/* the same, longer in memory */
	SYSCHUNK_MEM,		/* bytes: a buffer or a struct */
	SYSCHUNK_FDKEY,		/* u64 key of the file behind the descriptor in the argument */
	SYSCHUNK_ARGV,		/* strings each with its NUL */
	SYSCHUNK_ARGV_CUT,
	SYSCHUNK_IOV,		/* the iovecs themselves */
	SYSCHUNK_IOVDATA,	/* bytes of the first iovecs, one chunk each */
	SYSCHUNK_ADDR,		/* a socket address */
	SYSCHUNK_MMSG,		/* a struct mmsghdr; its ADDR, IOV and IOVDATA follow */
};
#define SYSCHUNK_RET 6		/* "argument" number of the result */
#define SYSCHUNK_PIPE0 7	/* ... of descriptors that pipe and socketpair made */
#define SYSCHUNK_PIPE1 8
/* Chunks follow each other without padding: readers take them at any address. (The kernel's side
 * writes them at any, too; there the attribute would turn each access into single bytes.) */
#ifdef __bpf__
#define SYSREC_ANYWHERE
#else
#define SYSREC_ANYWHERE __attribute__((packed))
#endif
struct __attribute__((packed)) syschunk {
	__u8 arg, kind;
	__u16 len;
} SYSREC_ANYWHERE;

struct sysname {
	__u16 type;		/* SYSREC_NAME */
	__u16 sk_family, sk_type, sk_proto;
	__u64 key;
	__u64 ino;
	__u32 mode, magic;	/* st_mode; f_type of its filesystem */
	__u32 unlinked, len;
	__u32 sk_state, rdev;
	__u16 lport, rport;	/* host order */
	__u32 pad;
	/* AF_UNIX: the first 8 bytes of laddr are the inode of the other end, 0: there is none */
	__u8 laddr[16], raddr[16];
	/* len bytes: the path's components from the last to the first below the process's root,
	 * each with its NUL; of a socket the name of its protocol with its NUL, and what an AF_UNIX
	 * one is bound to */
};

/* A signal that a thread takes, or its end; only when asked for. */
#define SYSREC_INFO_BYTES 48
struct sysends {
	__u16 type, pad;	/* SYSREC_SIGNAL, SYSREC_EXIT */
	__u32 tid, tgid;
	__s32 code;		/* the signal; as wait(2) has it */
	__u64 time_ns;
	__u8 info[SYSREC_INFO_BYTES];	/* the beginning of siginfo_t, 0: unknown */
};

/* ---- the ring ---- */
/*
 * Records lie in segments, each with room after it for one that begins at its end. A position only
 * grows; a record begins with a word that follows from its position and a secret of the session,
 * and has the record's bytes / 8, the word's among them, in its lower 16 bits. It is written last:
 * a position whose word is another one has no record yet, whatever was there a lap before.
 */
#define SYSRING_SEG_BYTES (1 << 20)
#define SYSRING_STRIDE (SYSRING_SEG_BYTES + (64 << 10))	/* whole pages, however large they are */
#define SYSRING_MAX_RECORD 8192
struct sysring_pos {	/* on a cache line of its own */
	__u64 pos, pad[7];
} __attribute__((aligned(64)));
#define SYSRING_WORD(pos, secret) (((pos) ^ (secret)) * 0x9e3779b97f4a7c15ULL & ~0xffffULL)

/* ---- the plan: what to copy for a call ---- */
enum sysop {
	SYSOP_NONE, SYSOP_STR, SYSOP_MEM, SYSOP_BUF, SYSOP_BUFRET, SYSOP_ADDR, SYSOP_ADDRP,
		SYSOP_ARGV, SYSOP_IOV, SYSOP_MSG,
	SYSOP_FD, SYSOP_FDRET, SYSOP_FDPAIR,
	SYSOP_MMSG,	/* as many struct mmsghdr as the result says */
	/* what the request in len_arg points to, if it is small; size: 0 what the kernel reads,
	 * 1 what it fills in */
	SYSOP_IOCTL,
};
struct sysplan_op {
	__u8 op, arg;
	/* BUF, ADDR: the argument with the length; IOV: with the count; ADDRP: a pointer to it */
	__u8 len_arg;
	__u8 flags;		/* enum sysop_flags */
	__u16 size;		/* STR, MEM: bytes; BUF, BUFRET: bytes of an element */
	__u16 cap;		/* BUF, BUFRET, IOV: at most so many bytes */
};
enum sysop_flags {
	/* the call writes there, too: it is not read later than the kernel reads it */
	SYSOP_F_CHANGED = 1,
};
#define SYSPLAN_OPS 8		/* a power of two */
enum sysplan_flags { SYSPLAN_WANTED = 1, SYSPLAN_NO_RETURN = 2, SYSPLAN_EXEC = 4,
		     SYSPLAN_FDS = 8 /* descriptors change */,
		     SYSPLAN_FORK = 16 /* makes a task */ };
struct sysplan {
	/* ops[0..n_in) at the beginning, ops[n_in..n_in + n_out) at the end */
	__u8 flags, n_in, n_out;
	__u8 pad[5];
	struct sysplan_op ops[SYSPLAN_OPS];
};
#define SYSPLAN_NRS 512		/* per ABI: plans[compat * SYSPLAN_NRS + nr] */

/* ---- the summary kept in the kernel ---- */
struct syssum_key {
	__u32 tid;
	__u16 nr, compat;
	__u64 cgroup;
};
struct syssum {
	__u64 count, errors, total_ns, min_ns, max_ns;
	__u64 sq_lo, sq_hi;	/* sum of the squares of ns */
};
struct syssum_errno_key {
	__u32 tid;
	__u16 nr, compat;
	__u32 code, pad;
	__u64 cgroup;
};
struct syssum_task {
	char comm[16];
	__u32 tgid, pad;
};

#endif
