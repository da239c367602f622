/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DWARF_WALK_PRIV_H
#define DWARF_WALK_PRIV_H
/*
 * A quick way through the entries of one unit: forwards, each byte once, with the few attributes
 * that describe inlined calls. libdw opens the unit; it would look through the attributes of an
 * entry for each of them, and for one thread at a time. What is asked of the plain forms is
 * answered here; where a function says false (forms that lead to other sections or units), libdw
 * has to be asked.
 */
#include <elfutils/libdw.h>

#include "util/base/str.h"
#include "util/base/vec.h"
#include "util/dwarf/form-priv.h"

enum walk_attr {
	W_LOW_PC, W_HIGH_PC, W_RANGES, W_ORIGIN, W_SPECIFICATION, W_NAME, W_LINKAGE, W_MIPS_LINKAGE,
		W_CALL_FILE, W_CALL_LINE,
	W_CALL_COLUMN, W_SIBLING, N_WALK_ATTRS
};

/* attr N_WALK_ATTRS: of no interest; constant: of implicit_const */
struct walk_form { u16 form; u8 attr; s64 constant; };

struct walk_abbrev {
	u64 code;
	u16 tag;
	bool children;
	int fixed;		/* bytes of all attributes; -1: it depends */
	u32 first, n;		/* forms */
};

/* Of one unit. Read-only after walk_open(); then any thread. */
struct walk {
	Dwarf_CU *cu;
	const u8 *start, *end;	/* its bytes, header included */
	const u8 *top;		/* its first entry */
	struct form_unit unit;
	bool has_base;
	u64 base;		/* of its range lists */
	struct form_strings strings;
	struct span ranges, rnglists;	/* sections */
	VEC(struct walk_abbrev) abbrevs;	/* by code */
	VEC(struct walk_form) forms;
};

struct walk_value { u16 form; const u8 *at; s64 constant; };

struct walk_entry {
	const u8 *at, *next;	/* next: after its attributes, where its children are */
	u16 tag;		/* 0: the end of a list of children */
	bool children;
	u32 has;		/* bits: which of v there are */
	struct walk_value v[N_WALK_ATTRS];
};

struct walk_range { u64 low, high; };
typedef VEC(struct walk_range) walk_ranges;

/* The unit of this top entry; one owner of its Dwarf. false: not as it should be. */
bool walk_open(struct walk *w, const Dwarf_Die *top);
void walk_release(struct walk *w);

/* Attributes only of functions, inlined calls, and what has children. false: the unit ends
 * there. */
bool walk_read(const struct walk *w, const u8 *at, struct walk_entry *e);
/* Of any entry. */
bool walk_read_all(const struct walk *w, const u8 *at, struct walk_entry *e);
/* After the entry and all that is below it. Always farther on. */
const u8 *walk_skip(const struct walk *w, const struct walk_entry *e);

/* NULL: the entry has none, which the functions below take for one that they cannot tell. */
static inline const struct walk_value *walk_get(const struct walk_entry *e, enum walk_attr attr)
{
	return e->has & 1u << attr ? &e->v[attr] : NULL;
}

bool walk_number(const struct walk *w, const struct walk_value *v, u64 *out);
bool walk_address(const struct walk *w, const struct walk_value *v, u64 *out);
bool walk_string(const struct walk *w, const struct walk_value *v, const char **out);
/* The entry's place in its unit (unit true) or in the section. */
bool walk_reference(const struct walk *w, const struct walk_value *v, u64 *off, bool *unit);
/* Appends the ranges of the list that are not empty. */
bool walk_range_list(const struct walk *w, const struct walk_value *v, walk_ranges *out);

/* As libdw knows them. */
static inline Dwarf_Die walk_die(const struct walk *w, const u8 *at)
{
	return (Dwarf_Die){ .addr = (void *)at, .cu = w->cu };
}

static inline Dwarf_Attribute walk_libdw(const struct walk *w, unsigned name,
					 const struct walk_value *v)
{
	return (Dwarf_Attribute){ .code = name, .form = v->form, .valp = (unsigned char *)v->at,
				  .cu = w->cu };
}

#endif
