// SPDX-License-Identifier: GPL-2.0-or-later
/* Type information of the kernel: cut to what a BPF program needs, and values written by it. */
#include <linux/btf.h>

#include "util/base/xalloc.h"
#include "util/bpf/kbtf.h"
#include "util/syscalls/btf.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t n);

static void print(const u8 *data, size_t n)
{
	static const char *const types[] = { "s", "in", "e", "task_struct" };
	static const struct syscall_style style;
	static const u8 value[64] = { 0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, 7, 0, 8, 0, 'h', 'i' };
	struct str bytes = STR_INIT, out = STR_INIT;
	struct sys_btf *b;

	str_addn(&bytes, data, n);
	b = sys_btf_new(&bytes);
	for (size_t i = 0; b && i < ARRAY_SIZE(types); i++)
		sys_btf_add(b, types[i], (struct span){ value, sizeof(value) >> i }, &style, &out);
	sys_btf_free(b);
	str_release(&bytes);
	str_release(&out);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t n)
{
	static const char *const names[] = { "s", "other" };
	struct kbtf_typedef def = { .name = "hook_t" };
	const struct kbtf_wants wants = { names, 2, &def, 1, n & 1 };
	u8 *copy = n ? xmemdup(data, n) : NULL;		/* aligned as a mapping is */
	struct str out = STR_INIT;

	kbtf_cut((struct span){ copy, n }, &wants, &out);
	str_release(&out);
	print(copy, n);
	free(copy);
	return 0;
}
