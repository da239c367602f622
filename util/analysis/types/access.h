/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_TYPES_ACCESS_H
#define ANALYSIS_TYPES_ACCESS_H
/*
 * Which type of data, and which part of it, an instruction reads or writes: by the variables that
 * DWARF says are in registers and memory there, and by values that are followed through the code
 * of the function from these, from what is loaded through them, and from what functions return.
 */
#include "util/analysis/annotate/listing.h"
#include "util/disasm/disasm.h"
#include "util/symbols/datatypes.h"

enum access_why {
	ACCESS_KNOWN,
	ACCESS_STACK,		/* it pushes, pops, calls or returns */
	ACCESS_NO_INSN,		/* no instruction is known at this address */
	ACCESS_NO_MEMORY,	/* the instruction does not access memory */
	ACCESS_NO_DEBUG,	/* no debug information for this code */
	ACCESS_NO_VARIABLE,	/* nobody knows what the registers hold */
	ACCESS_NO_TYPE,		/* a pointer to void, or to what is only declared */
	ACCESS_OUTSIDE,		/* outside of the type that is expected there */
	N_ACCESS_WHYS
};
const char *access_why_word(enum access_why w);	/* "no_mem_ops", as upstream has it */

struct access {
	u64 rva;
	u8 length;
	u8 why;				/* enum access_why */
	const struct datatype *type;	/* ACCESS_KNOWN: complete; else NULL */
	u64 off;			/* bytes from the start of the type */
	const char *mnemonic;		/* NULL with ACCESS_NO_INSN */
};

struct access_finder;
/* arch: of the recording. NULL: err says why. */
struct access_finder *access_finder_new(const struct arch_info *arch, struct err *err);
void access_finder_free(struct access_finder *f);	/* NULL is fine */
/* Any thread; valid until the finder is freed. */
const struct access *access_find(struct access_finder *f, struct dso *d, const struct symbol *sym,
				 u64 rva);
/* The member there: "in.y"; appends nothing where there is none. Any thread. */
void access_add_field(struct access_finder *f, struct str *out, const struct dso *d,
		      const struct datatype *type, u64 off);
/* "struct pair +0x8 (b)", of a known one. Any thread. */
void access_add_text(struct access_finder *f, struct str *out, const struct dso *d,
		     const struct access *a);
/* The data types of all instructions of the listing. */
void access_mark_types(struct access_finder *f, struct listing *l);
/* Its members are known after that. Any thread. */
void access_complete(struct access_finder *f, const struct dso *d, const struct datatype *type);

#endif
