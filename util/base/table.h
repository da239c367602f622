/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H
/*
 * The result model: what analysis makes and view draws. A table has columns and rows of typed cells; a row may own a call
 * tree. Cells hold values, never formatted text. Texts are borrowed, or copied into the table's arena (table_text()).
 * One owner; zeroed memory is an empty table.
 */
#include "util/base/arena.h"
#include "util/base/vec.h"

enum cell_kind {
	CELL_NONE,		/* nothing to show (and sorts first) */
	CELL_TEXT,		/* text, from a file: shown through str_add_safe() */
	CELL_COUNT,		/* u: a number of things */
	CELL_PCT,		/* d: percent, 0..100 */
	CELL_NS,		/* u: ns, shown as seconds with decimals of the column */
	CELL_BYTES,		/* u */
	CELL_ADDR,		/* u: an address */
	CELL_SYM,		/* text with level ('k', '.') : "[k] name" */
	CELL_TASK,		/* u: number, text: name: "  123:name" */
	CELL_NUM,		/* d, with decimals of the column */
};

struct cell {
	u8 kind;
	char level;
	bool suffix_inlined;	/* CELL_SYM: name of an inlined copy */
	const char *text;
	union { u64 u; s64 s; double d; };
};

struct column {
	const char *key;	/* "overhead", "comm": for csv, json, --sort */
	const char *title;	/* "Shared Object" */
	bool right;		/* numbers */
	bool trim;		/* as last column, cells are not padded */
	u8 decimals;
	u16 min_width;		/* 0: by title and contents */
	u16 width;		/* not 0: exactly this (-w, fixed numbers) */
	u16 member, n_members;	/* of columns side by side under one title (event groups); else 0 and 0 or 1 */
};

/* A call tree below a row, drawn in the styles of view/calltree.h. Node 0 is the (unnamed) root when n > 0; children are
 * linked in the order of display. */
struct call_node {
	const char *name;	/* borrowed from what the table was made of */
	bool inlined;
	bool joined;		/* the only continuation of its parent: same weight, drawn in the same column */
	u64 va;			/* with name NULL: shown as address */
	u64 value;		/* of the stacks through it */
	u64 count;		/* number of samples through it */
	u64 self, self_count;	/* of the stacks that end here */
	u32 first_child, next;	/* 0: none */
	u32 n_branches;		/* children, also those that are not kept */
	u32 depth;
};

struct call_tree {
	u64 total, total_count;	/* of all stacks of the row, shown or not */
	VEC(struct call_node) nodes;
};

struct table_row {
	struct cell *cells;	/* n columns; in the table's arena */
	struct call_tree *tree;	/* NULL: none */
	bool hidden;		/* counts for widths, is not shown (below the percent limit) */
	u16 indent;		/* hierarchy level */
};

struct table {
	VEC(struct column) cols;
	VEC(struct table_row) rows;
	struct arena arena;
};

void table_release(struct table *t);
struct column *table_add_column(struct table *t, const char *key, const char *title);
/* A row of CELL_NONE; add columns first. Valid until the next row is added (its cells stay put). */
struct table_row *table_add_row(struct table *t);
struct call_tree *table_new_tree(struct table *t);		/* freed with the table */
const char *table_text(struct table *t, const char *text);	/* a copy that lives as long as the table */

static inline struct cell cell_text(const char *s) { return (struct cell){ .kind = CELL_TEXT, .text = s }; }
static inline struct cell cell_count(u64 n) { return (struct cell){ .kind = CELL_COUNT, .u = n }; }
static inline struct cell cell_pct(double d) { return (struct cell){ .kind = CELL_PCT, .d = d }; }
static inline struct cell cell_ns(u64 ns) { return (struct cell){ .kind = CELL_NS, .u = ns }; }
static inline struct cell cell_bytes(u64 n) { return (struct cell){ .kind = CELL_BYTES, .u = n }; }
static inline struct cell cell_addr(u64 va) { return (struct cell){ .kind = CELL_ADDR, .u = va }; }

#endif
