/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ELF_ELF_WRITE_H
#define ELF_ELF_WRITE_H
/*
 * An ELF file around the code of one function, as a JIT compiler left it: text, one symbol, a
 * build-id, and, where they are known, its unwind table and DWARF line numbers. Any thread.
 */
#include "util/elf/build-id.h"

/* off: within the code, ascending */
struct elf_line { u64 off; u32 line; const char *file; };

struct elf_function {
	u16 machine;		/* EM_* */
	bool swap;		/* write the other byte order */
	const char *name;
	struct span code;	/* empty: the section has only a size (NOBITS) */
	u64 bytes;		/* of the code */
	/* .eh_frame and .eh_frame_hdr as they lie after the code, 8-byte aligned */
	struct span unwind;
	u64 unwind_hdr_bytes;	/* the last (or first) so many bytes of it are .eh_frame_hdr */
	const struct elf_line *lines;
	size_t n_lines;
};

#define ELF_FUNCTION_TEXT_OFF 0x80	/* file offset, and address, of the first byte of code */

/* Appends the file's bytes to the empty out; id is made from the contents, so that equal code
 * has an equal id. */
void elf_write_function(const struct elf_function *f, struct str *out, struct build_id *id);

#endif
