/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DWARF_LINES_PRIV_H
#define DWARF_LINES_PRIV_H
#include <elfutils/libdw.h>
#include <pthread.h>
#include <stdatomic.h>

#include "util/base/arena.h"
#include "util/base/hash.h"
#include "util/base/vec.h"
#include "util/dwarf/file.h"
#include "util/dwarf/lines.h"
#include "util/dwarf/walk-priv.h"


/* what: an entry's offset, or the number of a function */
struct line_range { u64 low, high; u64 what; };
typedef VEC(struct line_range) line_ranges;

/* A reader of the file: libdw is not thread-safe within one Dwarf. */
struct line_reader {
	pthread_mutex_t lock;
	Dwarf *dw;
	struct lines *of;
	struct hmap scopes;		/* Dwarf_CU -> struct dwarf_scopes */
};

struct line_func;

/* A unit that was asked for. Read-only for any thread, but each part is made at its first use. */
struct line_unit {
	struct line_reader *reader;
	Dwarf_Die cu;			/* its entry in the file; of split DWARF the skeleton */
	atomic_bool has_rows;		/* then both below are there */
	Dwarf_Lines *rows;
	size_t n_rows;
	const char *dir;		/* its DW_AT_comp_dir */
	/* name as libdw has it -> full path; under the file's lock */
	struct hmap paths;

	atomic_bool indexed;		/* then all below is there */
	Dwarf_Die top;			/* where the functions are */
	const char *top_dir;
	struct walk walk;
	/* names without linkage are reported with what they are in */
	bool scoped;
	line_ranges ranges;		/* of concrete functions with code */
	VEC(const u8 *) entries;	/* of function number i */
	atomic_bool has_files;
	Dwarf_Files *files;		/* then it is there, or NULL: none */
	struct line_func *_Atomic *funcs;	/* of function number i; NULL: not yet asked for */
	/* of function number i % 8; the reader's lock is taken under it */
	pthread_mutex_t making[8];
	pthread_mutex_t lock;		/* of origins; the innermost */
	/* places of entries that calls were inlined from -> names */
	struct hmap origins;
};

enum { MAX_READERS = 4, N_SHARDS = 32 };

/* Answers to some of the addresses. */
struct shard {
	pthread_mutex_t lock;
	struct hmap by_rva;
	struct arena arena;
};

struct lines {
	struct dwarf_file file;
	Dwarf_Aranges *aranges;	/* of the first reader's Dwarf; only searched */
	/* filled when the aranges do not cover an address, under the first reader's lock */
	line_ranges units;
	atomic_bool units_scanned;
	bool no_demangle;
	/* code at address 0: in object files; else it is what the linker threw away */
	bool has_zero;
	unsigned n_readers;
	struct line_reader readers[MAX_READERS];
	pthread_mutex_t lock;	/* of what follows, and of the units' paths; the innermost */
	struct hmap by_unit;	/* offset -> struct line_unit */
	struct hmap names;	/* of functions, as libdw has it -> demangled */
	struct arena arena;	/* names, paths */
	struct shard shards[N_SHARDS];
};

/* readers.c */
void lines_sort(line_ranges *v);
/* The innermost range that holds at; ranges may nest. Any thread. */
const struct line_range *lines_find(const line_ranges *v, u64 at);
bool lines_has_code_at(const struct lines *l, u64 rva);
struct dwarf_file *lines_file(struct lines *l);
const char *lines_string(struct line_reader *l, Dwarf_Attribute *attr);
/* Full path of a file of a unit with that DW_AT_comp_dir; name lives as long as the Dwarf. Any
 * thread. */
const char *lines_path(struct line_unit *u, const char *dir, const char *name);
const char *lines_dir(struct line_reader *l, Dwarf_Die *top);
const char *lines_demangled(struct lines *l, const char *name);		/* any thread */
/* a copy that lives as long as l; any thread */
const char *lines_kept(struct lines *l, const char *text);
bool lines_no_demangle(const struct lines *l);

/* names.c, under the reader's lock: of a function or an inlined call, "ns::Class::name" where it
 * has no linkage name and its unit is of a language with scopes, or scoped says so. "??": it has
 * none. Lives as long as the lines. */
const char *dwarf_names_function(struct line_reader *l, const Dwarf_Die *function, bool scoped);
bool dwarf_names_scoped(Dwarf_Die *cu);
void dwarf_names_release(struct line_reader *l);

/* signature.c, of C++, under the reader's lock: what a declaration's parameters are, "(int) const",
 * and its result, with a blank; names of types in a text as the demangler spells them. name: of a
 * type, with its scopes. */
struct type_names {
	struct line_reader *reader;
	const char *(*name)(struct line_reader *l, Dwarf_Die *type);
};
void dwarf_add_parameters(const struct type_names *l, Dwarf_Die *function, struct str *out);
void dwarf_add_result(const struct type_names *l, Dwarf_Die *function, struct str *out);
void dwarf_spell_types(const char *text, struct str *out);

/* inlines.c: the frames at rva, where execution is at a (NULL: only names are asked for); 0:
 * nothing inlined there. frames: room for INLINES_MAX. Any thread. */
enum { INLINES_MAX = 65 };
size_t inlines_at(struct line_unit *u, u64 rva, const struct srcline *a,
		  struct inline_frame *frames);
void inlines_init(struct line_unit *u);
void inlines_release(struct line_unit *u);

#endif
