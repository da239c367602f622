// SPDX-License-Identifier: GPL-2.0-or-later
/* A jitdump file, and the ELF files that are made of its code. */
#include <stdlib.h>

#include "util/elf/elf-write.h"
#include "util/symbols/jitdump.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t n);

static volatile u64 sink;

static void write_elf(const struct jitdump *d, const struct jit_record *load,
		      const struct jit_record *unwind)
{
	const struct elf_line lines[] = { { 0, 1, "a" }, { load->bytes / 2, 2, "b" } };
	struct elf_function f = {
		.machine = (u16)d->machine, .swap = d->swap, .name = load->name, .code = load->code,
			.bytes = load->bytes,
		.unwind = unwind->unwind, .unwind_hdr_bytes = unwind->unwind_hdr_bytes,
		.lines = lines, .n_lines = load->index % 3,
	};
	struct str out = STR_INIT;
	struct build_id id;

	elf_write_function(&f, &out, &id);
	if (out.len < ELF_FUNCTION_TEXT_OFF + load->code.len || id.n != 20)
		abort();
	str_release(&out);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t n)
{
	struct jit_record rec, unwind = { 0 };
	struct jitdump d;
	struct jit_line l;
	const char *prev = "";

	if (jitdump_init(&d, data, n, NULL))
		return 0;
	while (jitdump_next(&d, &rec) > 0) {
		if (rec.id == JIT_CODE_LOAD)
			write_elf(&d, &rec, &unwind);
		else if (rec.id == JIT_CODE_UNWIND)
			unwind = rec;
		else if (rec.id == JIT_CODE_DEBUG)
			while (jitdump_line(&rec.lines, &prev, &l))
				sink += l.va + strlen(l.file);
		for (size_t i = 0; i < rec.unwind.len; i++)
			sink += rec.unwind.ptr[i];
	}
	return 0;
}
