// SPDX-License-Identifier: GPL-2.0-or-later
/* Our rules against libdw's, for every row of every FDE of libc and of this very program;
 * damaged sections. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include "util/base/xalloc.h"
#include "util/symbols/cfi.h"

/* What libdw says of a register, in the words of a rule. */
static void check_reg(Dwarf_Frame *frame, const struct cfi_rule *r, int reg, u64 rva)
{
	Dwarf_Op mem[3], *ops;
	size_t n;
	const struct cfi_reg_rule *ours = &r->regs[reg];

	if (dwarf_frame_register(frame, reg, mem, &ops, &n)) {
		unit_fail(__FILE__, __LINE__, "dwarf_frame_register");
		return;
	}
	/* undefined; libdw says so of call-clobbered ones without a rule, too */
	if (n == 0 && ops == mem) {
		CHECK(ours->how == CFI_UNDEFINED || ours->how == CFI_SAME);
	} else if (n == 0) {
		CHECK_EQ(ours->how, CFI_SAME);
	} else if (ops[0].atom == DW_OP_call_frame_cfa && ops[n - 1].atom == DW_OP_stack_value) {
		/* the stack pointer is the CFA without being told */
		CHECK(ours->how == CFI_IS_CFA_PLUS || (ours->how == CFI_SAME && reg == 7));
	} else if (ops[0].atom == DW_OP_call_frame_cfa &&
		   (n == 1 || (n == 2 && ops[1].atom == DW_OP_plus_uconst))) {
		CHECK_EQ(ours->how, CFI_AT_CFA);
		CHECK_EQ(ours->off, n == 2 ? (s64)ops[1].number : 0);
	} else {
		CHECK(ours->how == CFI_EXPR || ours->how == CFI_VAL_EXPR || ours->how == CFI_REG);
	}
	(void)rva;
}

static void check_cfa(Dwarf_Frame *frame, const struct cfi_rule *r)
{
	Dwarf_Op *ops;
	size_t n;

	CHECK_EQ(dwarf_frame_cfa(frame, &ops, &n), 0);
	if (n == 1 && ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31) {
		CHECK_EQ(r->cfa_how, CFI_REG);
		CHECK_EQ(r->cfa_reg, ops[0].atom - DW_OP_breg0);
		CHECK_EQ(r->cfa_off, (s64)ops[0].number);
	} else if (n == 1 && ops[0].atom == DW_OP_bregx) {
		CHECK_EQ(r->cfa_how, CFI_REG);
		CHECK_EQ(r->cfa_reg, ops[0].number);
		CHECK_EQ(r->cfa_off, (s64)ops[0].number2);
	} else {
		CHECK_EQ(r->cfa_how, CFI_EXPR);
	}
}

/* All rows between from and to. */
static size_t check_range(struct dso *d, Dwarf_CFI *cfi, u64 from, u64 to)
{
	size_t rows = 0;

	for (u64 at = from; at < to;) {
		struct cfi_rule r;
		Dwarf_Frame *frame;
		Dwarf_Addr start, end;
		bool signal;
		int ret = dso_cfi(d, at, &r), theirs = dwarf_cfi_addrframe(cfi, at, &frame);

		CHECK_EQ(ret == 0, theirs == 0);
		if (ret) {
			at++;
			continue;
		}
		CHECK_EQ(dwarf_frame_info(frame, &start, &end, &signal), r.ra_reg);
		CHECK_EQ(signal, r.signal_frame);
		CHECK(at >= r.start_rva && at < r.end_rva);
		/* libdw counts rows from the last change of a register on */
		CHECK(start <= r.start_rva);
		CHECK_EQ(end, r.end_rva);
		check_cfa(frame, &r);
		for (int reg = 0; reg <= 16; reg++)
			check_reg(frame, &r, reg, at);
		free(frame);
		at = r.end_rva;
		rows++;
	}
	return rows;
}

static size_t check_file(const char *path)
{
	struct os os;
	struct symbols_opts opts = { 0 };
	struct dso_key k = { .kind = DSO_FILE, .path = path };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t rows = 0, n;
	GElf_Phdr ph;

	CHECK(fd >= 0);
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	Dwarf_CFI *cfi = dwarf_getcfi_elf(elf);

	CHECK(cfi != NULL);
	os_init(&os);
	struct dso_store *store = dso_store_new(&os, &opts);
	struct dso *d = dso_get(store, &k);

	CHECK_EQ(elf_getphdrnum(elf, &n), 0);
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(elf, i, &ph) && ph.p_type == PT_LOAD && ph.p_flags & PF_X)
			rows += check_range(d, cfi, ph.p_vaddr, ph.p_vaddr + ph.p_memsz);
	dwarf_cfi_end(cfi);
	elf_end(elf);
	close(fd);
	dso_store_free(store);
	os_release(&os);
	return rows;
}

TEST(this_program)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	CHECK(n > 0);
	path[n] = 0;
	if (arch_host()->elf_machine != EM_X86_64)
		SKIP("register numbers of x86-64");
	CHECK(check_file(path) > 1000);
}

static int find_libc(struct dl_phdr_info *info, size_t size UNUSED, void *ctx)
{
	if (!strstr(info->dlpi_name, "/libc.so"))
		return 0;
	*(char **)ctx = xstrdup(info->dlpi_name);
	return 1;
}

TEST(libc)
{
	char *path = NULL;

	if (arch_host()->elf_machine != EM_X86_64)
		SKIP("register numbers of x86-64");
	if (!dl_iterate_phdr(find_libc, &path))
		SKIP("no shared libc");
	CHECK(check_file(path) > 1000);
	free(path);
}

/* A CIE of x86-64 and one FDE for [0x1000, 0x1100), as GNU as makes them, at address 0x2000. */
static const u8 section[] = {
	0x14, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 0x10, 1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0,
		0,
	0x14, 0, 0, 0, 0x1c, 0, 0, 0, 0xe0, 0xef, 0xff, 0xff, 0, 1, 0, 0, 0, 0x41, 0x0e, 16, 0x86,
	2, 0, 0,
	0, 0, 0, 0,
};

static int eval(const u8 *p, size_t n, u64 rva, struct cfi_rule *r)
{
	return cfi_eval((struct span){ p, n }, 0x2000, true, true, rva, r);
}

TEST(rows)
{
	struct cfi_rule r;

	CHECK_EQ(eval(section, sizeof(section), 0x1000, &r), 0);
	CHECK_EQ(r.start_rva, 0x1000);
	CHECK_EQ(r.end_rva, 0x1001);
	CHECK_EQ(r.cfa_off, 8);
	CHECK_EQ(r.regs[16].how, CFI_AT_CFA);
	CHECK_EQ(r.regs[16].off, -8);
	CHECK_EQ(r.regs[6].how, CFI_SAME);
	CHECK_EQ(eval(section, sizeof(section), 0x10ff, &r), 0);
	CHECK_EQ(r.start_rva, 0x1001);
	CHECK_EQ(r.end_rva, 0x1100);
	CHECK_EQ(r.cfa_off, 16);
	CHECK_EQ(r.regs[6].off, -16);
	CHECK(eval(section, sizeof(section), 0x1100, &r) < 0);
	CHECK(eval(section, sizeof(section), 0xfff, &r) < 0);
}

/* Each byte of the section set to values that lie: no read outside (ASan says), no endless loop. */
TEST(damaged)
{
	static const u8 values[] = { 0, 1, 0x7f, 0x80, 0xff };
	struct cfi_rule r;

	for (size_t n = 0; n <= sizeof(section); n++) {
		u8 *copy = xmemdup(section, n ? n : 1);

		eval(copy, n, 0x1001, &r);
		free(copy);
	}
	for (size_t i = 0; i < sizeof(section); i++)
		for (size_t v = 0; v < ARRAY_SIZE(values); v++) {
			u8 *copy = xmemdup(section, sizeof(section));

			copy[i] = values[v];
			eval(copy, sizeof(section), 0x1001, &r);
			free(copy);
		}
}
