// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/uid-program.h"

#include <errno.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/base/types.h"

#define INSN(op, dst, src, o, i) \
	((struct bpf_insn){ .code = (op), .dst_reg = (dst), .src_reg = (src), .off = (o), \
			    .imm = (int)(i) })
#define MOV_IMM(dst, i) INSN(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, i)
#define CALL(helper) INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_##helper)

int os_uid_program(uid_t uid, struct err *err)
{
	const struct bpf_insn insns[] = {
		CALL(get_current_uid_gid),
		INSN(BPF_ALU | BPF_MOV | BPF_X, 6, 0, 0, 0),	/* the low half is the user */
		CALL(get_current_pid_tgid),
		INSN(BPF_ALU | BPF_MOV | BPF_K, 1, 0, 0, uid),
		INSN(BPF_JMP | BPF_JNE | BPF_X, 6, 1, 3, 0),
		INSN(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2, 0),	/* pid 0 */
		MOV_IMM(0, 1), INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
		MOV_IMM(0, 0), INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};
	union bpf_attr a;
	int fd;

	memset(&a, 0, sizeof(a));
	a.prog_type = BPF_PROG_TYPE_PERF_EVENT;
	a.insns = (uintptr_t)insns;
	a.insn_cnt = ARRAY_SIZE(insns);
	a.license = (uintptr_t)"GPL";
	memcpy(a.prog_name, "perf_uid", 9);
	fd = (int)syscall(SYS_bpf, BPF_PROG_LOAD, &a, sizeof(a));
	return fd >= 0 ? fd : err_sys(err, errno, "the kernel takes no BPF program that knows "
						  "users");
}
