// SPDX-License-Identifier: GPL-2.0-or-later
/* An arm64 stack on any machine: the code is assembled by clang, where that is here; registers
 * and stack are made up. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"
#include "util/base/xalloc.h"
#include "util/unwind/unwind.h"

static const char source[] =
	".text\n.globl start\n.type start,%function\nstart:\n.cfi_startproc\n.cfi_undefined "
	"x30\nbl caller\nnop\n.cfi_endproc\n"
	".size start,.-start\n"
	".globl caller\n.type caller,%function\ncaller:\n.cfi_startproc\nstp "
	"x29,x30,[sp,-16]!\n.cfi_def_cfa_offset 16\n"
	".cfi_offset 29,-16\n.cfi_offset 30,-8\nmov x29,sp\n.cfi_def_cfa 29,16\nbl leaf\nldp "
	"x29,x30,[sp],16\nret\n.cfi_endproc\n"
	".size caller,.-caller\n"
	".globl leaf\n.type leaf,%function\nleaf:\n.cfi_startproc\nadd "
	"x0,x0,x0\nret\n.cfi_endproc\n.size leaf,.-leaf\n";

#define BASE 0x400000000000ULL
#define STACK 0xffff00001000ULL

static char *assemble(void)
{
	const char *dir = unit_tmpdir();
	char *cmd = xasprintf("cd '%s' && cat >x.s <<'END'\n%sEND\nclang "
			      "--target=aarch64-linux-gnu -shared -nostdlib -fuse-ld=lld "
			      "-Wl,--build-id -o x.so x.s 2>/dev/null", dir, source);
	int ret = system(cmd);

	free(cmd);
	if (ret)
		SKIP("no clang and lld here that make arm64 code");
	return xasprintf("%s/x.so", dir);
}

TEST(leaf_in_link_register)
{
	char *path = assemble();
	struct symbols_opts so = { .buildid_dir = "" };
	struct machine_opts mo = { .arch = arch_by_name("aarch64") };
	struct wire_mmap mm = { .pid = 1, .tid = 1, .start_va = BASE, .bytes = 1 << 20, .prot = 5,
				.path = path };
	struct unwind_frame out[16];
	struct sample s = { .pid = 1, .tid = 1, .time_ns = 2 };
	u64 regs[33] = { 0 }, stack[4] = { 0 }, buf[128];
	enum unwind_end reason;
	const char *bad;
	struct os os;

	os_init(&os);
	struct dso_store *store = dso_store_new(&os, &so);
	struct machine *m = machine_new(store, &mo);

	CHECK(wire_encode_mmap2(NULL, &mm, PERF_RECORD_MISC_USER, NULL, buf, sizeof(buf)) > 0);
	CHECK_EQ(machine_apply(m, (struct perf_event_header *)buf, 1, &bad), 0);
	struct thread *th = machine_thread_at(m, 1, 1, 2);
	struct dso *d = space_find(thread_space_at(th, 2), BASE, 2)->dso;
	const struct symbol *start = dso_find_name(d, "start"),
		*caller = dso_find_name(d, "caller"), *leaf = dso_find_name(d, "leaf");

	CHECK(start && caller && leaf);
	CHECK(dso_find_name(d, "$x.0") == NULL);
	/* the whole file is mapped in one piece here: addresses are file offsets */
	u64 va = BASE + dso_rva_to_off(d, leaf->start_rva);
	u64 ra = BASE + dso_rva_to_off(d, caller->start_rva) + 12,
		ra2 = BASE + dso_rva_to_off(d, start->start_rva) + 4;

	regs[29] = regs[31] = STACK;
	regs[30] = ra | 0x2aULL << 56;		/* signed */
	regs[32] = va;
	stack[1] = ra2;
	s.user_regs = (struct regs_view){ .abi = PERF_SAMPLE_REGS_ABI_64, .mask = (1ULL << 33) - 1,
					  .regs = regs };
	s.stack = (struct span){ (const u8 *)stack, sizeof(stack) };
	struct unwind_ctx *c = unwind_new(m, NULL, NULL);

	CHECK_EQ(unwind_user(c, &s, th, out, 16, &reason), 3);
	CHECK_STR(unwind_end_text(reason), "complete");
	CHECK_EQ(out[0].va, va);
	CHECK_EQ(out[1].va, ra);
	CHECK_EQ(out[2].va, ra2);
	unwind_free(c);
	machine_free(m);
	dso_store_free(store);
	os_release(&os);
	free(path);
}
