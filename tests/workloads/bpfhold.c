// SPDX-License-Identifier: GPL-2.0-or-later
// bpfhold prog|map MS [COMMAND...]: has a BPF program of tracepoints, or a BPF map, says so,
// waits MS milliseconds and runs COMMAND,
// which keeps it. Exit code 77: the kernel does not let it.
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int bpf(int cmd, union bpf_attr *a)
{
	return (int)syscall(__NR_bpf, cmd, a, sizeof(*a));
}

static int load(void)
{
	const struct bpf_insn code[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr a;

	memset(&a, 0, sizeof(a));
	a.prog_type = BPF_PROG_TYPE_TRACEPOINT;
	a.insns = (uintptr_t)code;
	a.insn_cnt = 2;
	a.license = (uintptr_t)"GPL";
	return bpf(BPF_PROG_LOAD, &a);
}

static int map(void)
{
	union bpf_attr a;

	memset(&a, 0, sizeof(a));
	a.map_type = BPF_MAP_TYPE_ARRAY;
	a.key_size = 4;
	a.value_size = 8;
	a.max_entries = 1;
	return bpf(BPF_MAP_CREATE, &a);
}

int main(int argc, char **argv)
{
	const int fd = argc < 3 ? -1 : strcmp(argv[1], "map") ? load() : map();

	if (fd < 0) {
		perror("bpf");
		return 77;
	}
	fcntl(fd, F_SETFD, 0);		/* COMMAND gets it */
	puts("ready");
	fflush(stdout);
	usleep((unsigned)strtoul(argv[2], NULL, 10) * 1000);
	if (argc > 3)
		execv(argv[3], argv + 3);
	return argc > 3;
}
