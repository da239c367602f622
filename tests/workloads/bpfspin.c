// SPDX-License-Identifier: GPL-2.0-or-later
// bpfspin MILLISECONDS: runs a BPF program named "burn_in_bpf" with BPF_PROG_TEST_RUN until that
// much CPU time has passed: a busy
// machine does not shorten what a profile sees of it.
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec * 1000L + ts.tv_nsec / 1000000;
}

static void run(int fd)
{
	static char packet[64], back[256];
	union bpf_attr a;

	memset(&a, 0, sizeof(a));
	a.test.prog_fd = (uint32_t)fd;
	a.test.data_in = (uintptr_t)packet;
	a.test.data_size_in = sizeof(packet);
	a.test.data_out = (uintptr_t)back;
	a.test.data_size_out = sizeof(back);
	a.test.repeat = 100;
	if (syscall(SYS_bpf, BPF_PROG_TEST_RUN, &a, sizeof(a))) {
		perror("BPF_PROG_TEST_RUN");
		exit(2);
	}
}

int main(int argc, char **argv)
{
	/* r1 = 20000; do { r0 = r0 * 31 + 1 } while (--r1); return 0 */
	static const struct bpf_insn code[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = 1 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 1, .imm = 20000 },
		{ .code = BPF_ALU64 | BPF_MUL | BPF_K, .dst_reg = 0, .imm = 31 },
		{ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = 0, .imm = 1 },
		{ .code = BPF_ALU64 | BPF_SUB | BPF_K, .dst_reg = 1, .imm = 1 },
		{ .code = BPF_JMP | BPF_JNE | BPF_K, .dst_reg = 1, .off = -4, .imm = 0 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr a;
	long until;
	int fd;

	memset(&a, 0, sizeof(a));
	a.prog_type = BPF_PROG_TYPE_SOCKET_FILTER;
	a.insns = (uintptr_t)code;
	a.insn_cnt = sizeof(code) / sizeof(code[0]);
	a.license = (uintptr_t)"GPL";
	memcpy(a.prog_name, "burn_in_bpf", 12);
	fd = (int)syscall(SYS_bpf, BPF_PROG_LOAD, &a, sizeof(a));
	if (fd < 0) {
		perror("BPF_PROG_LOAD");
		return 1;
	}
	printf("%d\n", (int)getpid());
	fflush(stdout);
	until = now_ms() + (argc > 1 ? strtol(argv[1], NULL, 10) : 300);
	while (now_ms() < until)
		run(fd);
	return 0;
}
