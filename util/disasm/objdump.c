// SPDX-License-Identifier: GPL-2.0-or-later
// Instructions by the program objdump: it is given the bytes alone, so that it says the same of a
// file, of the running kernel and of a vdso. Format of its lines: "address:TAB bytes TAB text".
#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/num.h"
#include "util/base/xalloc.h"
#include "util/disasm/disasm-priv.h"
#include "util/os/run.h"

struct state {
	const struct disasm_opts *opts;
	struct disasm_isa isa;
	const char *bfd;
};

static const struct { u16 machine; bool is64; const char *bfd; } machines[] = {
	{ EM_X86_64, true, "i386:x86-64" }, { EM_X86_64, false, "i386:x64-32" },
	{ EM_386, false, "i386" }, { EM_AARCH64, true, "aarch64" }, { EM_ARM, false, "arm" },
	{ EM_PPC64, true, "powerpc:common64" }, { EM_PPC, false, "powerpc:common" },
	{ EM_S390, true, "s390:64-bit" }, { EM_MIPS, true, "mips:isa64" },
	{ EM_MIPS, false, "mips" }, { EM_SPARCV9, true, "sparc:v9" }, { EM_SPARC, false, "sparc" },
	{ EM_RISCV, true, "riscv:rv64" }, { EM_RISCV, false, "riscv:rv32" },
	{ 258, true, "loongarch64" },
};

static void *open_objdump(const struct disasm_opts *o, const struct disasm_isa *isa,
			  struct err *err UNUSED)
{
	struct state *s;

	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		if (machines[i].machine != isa->machine || machines[i].is64 != isa->is64)
			continue;
		s = xcalloc(1, sizeof(*s));
		*s = (struct state){ .opts = o, .isa = *isa, .bfd = machines[i].bfd };
		return s;
	}
	return NULL;
}

static int run(const struct state *s, const struct code_bytes *in, struct str *out,
	       struct err *err)
{
	const char *program = s->opts->objdump ? s->opts->objdump : "objdump";
	char vma[40];
	const char *argv[16] = { program, "-D", "-b", "binary", "-m", s->bfd, "-w", vma,
				 s->isa.big_endian ? "-EB" : "-EL", "/dev/stdin" };
	struct run_opts o = { .argv = argv, .dies_with_us = true };
	const int fd = memfd_create("code", MFD_CLOEXEC);
	int ret;

	if (s->opts->style)
		argv[10] = "-M", argv[11] = s->opts->style;
	snprintf(vma, sizeof(vma), "--adjust-vma=0x%llx", (unsigned long long)in->rva);
	if (fd < 0)
		return err_sys(err, errno, "cannot hand code to '%s'", program);
	ret = io_write(fd, in->p, in->n);
	if (!ret && lseek(fd, 0, SEEK_SET) < 0)
		ret = -errno;
	o.in_fd = fd;
	if (ret)
		err_sys(err, -ret, "cannot hand code to '%s'", program);
	else
		ret = run_output(&o, out, err);
	close(fd);
	if (ret > 0)
		ret = err_set(err, EIO, "'%s' ended with status %d", program, ret);
	return ret;
}

/* "48 8b 05 e3" -> bytes */
static u8 read_bytes(const char *hex, u8 *out)
{
	u8 n = 0;
	char *end;

	while (n < INSN_MAX_BYTES) {
		const unsigned long v = strtoul(hex, &end, 16);

		if (end == hex)
			break;
		for (long digits = end - hex; digits > 0 && n < INSN_MAX_BYTES; digits -= 2)
			out[n++] = (u8)(v >> (4 * MAX(digits - 2, 0L)));
		hex = end + strspn(end, " ");
	}
	return n;
}

static void split_text(const char *text, struct insn_text *t)
{
	const char *tab = strpbrk(text, " \t");
	const char *rest;

	/* a prefix is part of the name */
	while (tab && (str_has_prefix(tab - 3, "rep ") || str_has_prefix(tab - 4, "lock ") ||
		       str_has_prefix(tab - 5, "repnz ") || str_has_prefix(tab - 4, "repz ")))
		tab = strpbrk(tab + 1, " \t");
	snprintf(t->mnemonic, sizeof(t->mnemonic), "%.*s",
		 (int)(tab ? tab - text : (long)strlen(text)), text);
	rest = tab ? tab + strspn(tab, " \t") : "";
	snprintf(t->operands, sizeof(t->operands), "%.*s", (int)strcspn(rest, "#\n"), rest);
	for (size_t n = strlen(t->operands); n && isspace((u8)t->operands[n - 1]); n--)
		t->operands[n - 1] = 0;
}

/* false: no line of an instruction. */
static bool parse_line(char *line, struct insn *i, struct insn_text *t)
{
	char *end, *bytes, *text;

	i->rva = strtoull(line, &end, 16);
	if (end == line || *end != ':' || !(bytes = strchr(end, '\t')))
		return false;
	text = strchr(bytes + 1, '\t');
	if (text)
		*text++ = 0;
	i->length = read_bytes(bytes + 1, i->bytes);
	split_text(text ? text : "(bad)", t);
	return i->length > 0;
}

static void classify(const struct state *s, struct insn *i)
{
	struct x86_parts x;

	if (s->isa.machine == EM_AARCH64)
		arm64_classify(i, i->bytes);
	else if ((s->isa.machine == EM_X86_64 || s->isa.machine == EM_386) &&
		 x86_split(i->bytes, i->length, s->isa.is64, &x))
		x86_classify(i, i->bytes, &x, s->isa.is64);
}

/* "w0, 0x1139": of the address alone, as in a file. */
static void bare_target(struct insn_text *t, u64 rva)
{
	char *comma = strrchr(t->operands, ',');
	char *at = comma ? comma + 1 + strspn(comma + 1, " ") : t->operands;

	snprintf(at, sizeof(t->operands) - (size_t)(at - t->operands), "%llx",
		 (unsigned long long)rva);
}

static int decode(void *p, const struct code_bytes *in, disasm_put put, void *ctx,
		  struct err *err)
{
	struct state *s = p;
	struct str out = STR_INIT;
	struct insn_text t;
	char *save = NULL;
	int ret = run(s, in, &out, err);

	for (char *line = ret ? NULL : strtok_r(out.buf, "\n", &save); line && !ret;
	     line = strtok_r(NULL, "\n", &save)) {
		struct insn i = { .mnemonic = t.mnemonic, .operands = t.operands };

		if (!parse_line(line + strspn(line, " "), &i, &t))
			continue;
		classify(s, &i);
		if (i.has_target)
			bare_target(&t, i.target_rva);
		ret = put(ctx, &i);
	}
	str_release(&out);
	return ret;
}

const struct engine objdump_engine = { "objdump", open_objdump, decode, free };
