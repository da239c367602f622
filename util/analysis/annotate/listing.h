/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_ANNOTATE_LISTING_H
#define ANALYSIS_ANNOTATE_LISTING_H
/*
 * The code of one symbol as lines that a view draws: instructions, the source lines that they come
 * from, the names of inlined functions; with the jumps within it, and with the counts of its
 * addresses. Texts of files are as they are: a view makes them safe. One owner; what it has is
 * valid until it is freed (symbols: as long as their dso).
 */
#include "util/analysis/annotate/annotate.h"
#include "util/analysis/annotate/blocks.h"
#include "util/base/arena.h"
#include "util/base/hash.h"
#include "util/base/str.h"
#include "util/base/table.h"
#include "util/disasm/disasm.h"

/* Source files, read once for all listings; and where they are looked for: --prefix (put before
 * absolute paths, of which --prefix-strip first drops the first n directories). Zeroed memory is
 * ready to use. */
struct source_files {
	const char *prefix;		/* borrowed; NULL: none */
	unsigned prefix_strip;
	struct strmap *files;		/* path -> struct source_file */
};
void source_files_release(struct source_files *s);
/* Line nr (from 1) of a file; len 0 with ptr NULL: it cannot be read, or is not that long.
 * Borrowed until the release. */
struct span source_line(struct source_files *s, const char *path, u32 nr);
/* How many files could not be read; *reason: of one of them. */
size_t source_n_unread(const struct source_files *s, const char **reason);

enum listing_kind {
	LISTING_INSN,
	LISTING_SOURCE,		/* a line of a source file */
	LISTING_FUNCTION,	/* what follows is of this function */
};

#define LISTING_NONE UINT32_MAX

struct listing_line {
	u8 kind;		/* enum listing_kind */
	bool inlined;		/* FUNCTION: not the symbol itself; SOURCE: of one */
	u32 insn;		/* INSN: its number; else that of the next one */
	u32 line;		/* SOURCE: in the file */
	const char *text;	/* SOURCE: without the line's end; FUNCTION: its name */
	const char *file;	/* SOURCE: full path */
};

struct listing_insn {
	struct insn i;
	struct srcline src;
	u32 at_line;		/* number in lines */
	u32 target;		/* jumps within: number of the instruction; else LISTING_NONE */
	u32 n_jumps_here;
	const char *inlined;	/* the inlined function that it is of; NULL: none */
	/* what it reads or writes: "struct pair +0x8 (b)"; NULL: unknown, or nobody asked
	 * (access_mark_types()) */
	const char *data_type;
};

struct listing {
	struct dso *dso;
	const struct symbol *sym;
	const char *section;	/* ".text"; NULL: unknown */
	bool has_source;	/* some line of source is known */
	VEC(struct listing_line) lines;
	VEC(struct listing_insn) insns;
	struct arena texts;
};

struct listing_opts {
	struct disasm *disasm;
	bool source;			/* interleave lines of source */
	bool positions;			/* fill in listing_insn.src even so */
	bool inlines;			/* name inlined functions */
	struct source_files *files;	/* with source */
};

/* NULL: err says why its code cannot be shown (-ENODATA: it cannot be read). opts is needed for the
 * call only. */
struct listing *listing_new(struct dso *d, const struct symbol *sym,
			    const struct listing_opts *opts, struct err *err);
void listing_free(struct listing *l);		/* NULL is fine */

/* The number of the instruction that has the address, or LISTING_NONE. */
u32 listing_insn_at(const struct listing *l, u64 rva);

/* Counts of one event by instruction: n_insns sums, those of an instruction being of all addresses
 * up to the next one. Samples at no instruction are in the total alone. The caller frees. */
struct annotate_sum *listing_count(const struct listing *l, const struct annotate_symbol *s,
				   const struct event *e);

/* Lines of source by what their instructions used, most first. */
struct listing_hot { const char *file; u32 line; double pct; };
typedef VEC(struct listing_hot) listing_hots;
/* of n events the largest counts; sums[event][insn], totals by event. Lines below min_pct are left
 * out. The caller frees the vector. */
struct listing_counts {
	size_t n;
	const struct annotate_sum *const *sums;
	const struct annotate_sum *symbol_totals, *event_totals;
	enum annotate_percent percent;
	const struct insn_blocks *blocks;	/* of branch stacks, by insn; NULL: none */
	bool cycles;				/* some of them tell cycles */
	const struct branch_counters *counters;	/* that they have; NULL: none */
	u64 most_runs;				/* of an instruction */
};
void listing_hot_lines(const struct listing *l, const struct listing_counts *c, double min_pct,
		       listing_hots *out);
double listing_pct(const struct listing_counts *c, size_t event, u32 insn);

/* One row: the function, its file, the event (the first one), its samples and period. */
void listing_facts(const struct listing *l, const struct event *e, const struct listing_counts *c,
		   struct table *out);
/* A row a line: kind, address, percent, samples and period of each event, text, target, file and
 * line: what CSV and JSON show. */
void listing_table(const struct listing *l, const struct listing_counts *c, struct table *out);

#endif
