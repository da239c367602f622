/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H
/*
 * The result model: what analysis makes and view draws. A table has columns and rows of typed
 * cells; a row may own a call tree. Cells hold values, never formatted text. Texts are borrowed, or
 * copied into the table's arena (table_text()). One owner; zeroed memory is an empty table.
 */
#include "util/base/arena.h"
#include "util/base/vec.h"

enum cell_kind {
	CELL_NONE,		/* nothing to show (and sorts first): "N/A", null, an empty field */
	/* text, from a file: shown through str_add_safe(); NULL as CELL_NONE */
	CELL_TEXT,
	CELL_COUNT,		/* u: a number of things */
	CELL_PCT,		/* d: percent, 0..100 */
	CELL_NS,		/* u: ns, shown as seconds with decimals of the column */
	CELL_BYTES,		/* u */
	CELL_ADDR,		/* u: an address */
	/* a function: text with level ('k', '.') : "[k] name"; why: it has no name, or NULL */
	CELL_SYM,
	CELL_TASK,		/* u: number, text: name: "  123:name" */
	CELL_NUM,		/* d, with decimals of the cell or the column */
	CELL_INT,		/* s: a number that may be negative (a CPU, a priority) */
	CELL_BOOL,		/* u: 0 or 1 */
	CELL_LIST,		/* list: rows of one column, or of two: name and value */
	/* this row has no such thing: JSON leaves the member out, CSV the field empty */
	CELL_ABSENT,
};

struct cell {
	u8 kind;
	char level;
	bool suffix_inlined;	/* CELL_SYM: name of an inlined copy */
	u8 decimals;		/* CELL_NUM, in CSV and JSON, plus 1; 0: of the column */
	/* of a number, a list, or CELL_NONE: as people are shown it, where that is not what the
	 * column says; NULL */
	const char *text;
	union { u64 u; s64 s; double d; const struct table *list; const char *reason; };
};

/* How upstream perf writes a number, in formats that have to stay as they are. */
enum column_form {
	COL_SECONDS = 1,	/* CELL_NS: seconds with decimals in CSV and JSON, too */
	COL_PERCENT_SIGN = 2,	/* CELL_PCT: with a % in CSV */
	COL_JSON_TEXT = 4,	/* a number between quotes */
	COL_NOT_IN_CSV = 8,
	COL_NOT_IN_JSON = 16,
	COL_CSV_ALIGNED = 32,	/* at the right of width columns */
	COL_HEX = 64,		/* CELL_ADDR: in text without leading zeros */
	COL_WORD = 128,		/* CELL_COUNT, CELL_PCT: text takes it for a word */
	COL_THREE_DIGITS = 256,	/* CELL_INT: in text at least so many */
	COL_BINARY_UNITS = 512,	/* CELL_BYTES: in text with K, M, G */
	COL_PLUS_SIGN = 1024,	/* CELL_PCT: in text with + or - */
	COL_BARE_PERCENT = 2048,	/* CELL_PCT: with -t without % */
	COL_SPARK = 4096,	/* CELL_LIST of numbers: in text a character each, by its height */
};

struct column {
	/* "overhead", "comm": for CSV, JSON, --sort. With the unit ("run_ns") where the kind does
	 * not tell it; of "task.comm" and "task.tid" side by side JSON makes an object "task" */
	const char *key;
	const char *title;	/* "Shared Object" */
	const char *none;	/* what text has for CELL_NONE; NULL: "N/A" */
	bool right;		/* numbers */
	bool trim;		/* as last column, cells are not padded */
	u8 decimals;		/* of text; of CELL_NUM everywhere (0: 4 in CSV and JSON) */
	u8 json_decimals;	/* where they are others in JSON */
	u16 form;		/* enum column_form */
	u16 min_width;		/* 0: by title and contents */
	u16 width;		/* not 0: exactly this (-w, fixed numbers) */
	const char *band;	/* a title above its own and those of its members; NULL */
	/* of columns side by side under one title (event groups); else 0 and 0 or 1 */
	u16 member, n_members;
	/* Not 0: rows are nested, and those with indent level - 1 are of this column: they have
	 * cells of it and of those with lower levels. Such columns are the last ones. */
	u16 level;
};

/* What is known of the branches that a node of a call tree is an end of: how often it is a target;
 * a source, with the cycles since the branch before; rounds of loops that are left out before it;
 * and how often it is no branch, but a frame of a stack. */
struct branch_counts {
	u64 targets, predicted, aborts;
	u64 sources, cycles, rounds, round_cycles;
	u64 calls;
};

/* A call tree below a row, drawn in the styles of view/calltree.h. Node 0 is the (unnamed) root
 * when n > 0; children are linked in the order of display. */
struct call_node {
	const char *name;	/* borrowed from what the table was made of */
	const void *what;	/* of a histogram: its struct hist_sym; borrowed */
	bool inlined;
	/* the only continuation of its parent: same weight, drawn in the same column */
	bool joined;
	u64 va;			/* with name NULL: shown as address */
	u64 value;		/* of the stacks through it */
	u64 count;		/* number of samples through it */
	u64 self, self_count;	/* of the stacks that end here */
	u32 first_child, next;	/* 0: none */
	u32 n_branches;		/* children, also those that are not kept */
	u32 depth;
	u32 ends;		/* its place in call_tree.ends, plus one; 0: nothing is known */
};

struct call_tree {
	u64 total, total_count;	/* of all stacks of the row, shown or not */
	VEC(struct call_node) nodes;
	VEC(struct branch_counts) ends;
};

struct table_row {
	struct cell *cells;	/* n columns; in the table's arena */
	struct call_tree *tree;	/* NULL: none */
	bool hidden;		/* counts for widths, is not shown (below the percent limit) */
	u16 indent;		/* hierarchy level */
};

struct table {
	const char *key;	/* what its rows are: "rows", "tasks" */
	VEC(struct column) cols;
	VEC(struct table_row) rows;
	struct arena arena;
};

/* What a command was asked for (cli_output_group()): both not given, text. */
struct table_output {
	const char *sep;	/* -x: CSV with this separator */
	bool json;
};
static inline bool table_output_data(const struct table_output *o) { return o->sep || o->json; }

void table_release(struct table *t);
struct column *table_add_column(struct table *t, const char *key, const char *title);
/* A row of CELL_NONE; add columns first. Valid until the next row is added (its cells stay put). */
struct table_row *table_add_row(struct table *t);
/* A table of one row of counts, by their keys, which are borrowed. */
void table_set_facts(struct table *t, const char *const *keys, const u64 *values, size_t n);
/* Rows go, columns stay: for rows that are drawn as they come. */
void table_clear_rows(struct table *t);
/* The first n rows stay. */
void table_cut_rows(struct table *t, size_t n);
struct call_tree *table_new_tree(struct table *t);		/* freed with the table */
/* a copy that lives as long as the table (or until its rows go) */
const char *table_text(struct table *t, const char *text);
/* For CELL_LIST: a table that is freed with t. Columns first, as ever. */
struct table *table_new_list(struct table *t);
/* By key; NULL where the table has no such column. */
const struct cell *table_cell(const struct table *t, const struct table_row *row, const char *key);

static inline struct cell cell_text(const char *s) { return (struct cell){ .kind = CELL_TEXT,
									   .text = s }; }
static inline struct cell cell_count(u64 n) { return (struct cell){ .kind = CELL_COUNT, .u = n }; }
static inline struct cell cell_pct(double d) { return (struct cell){ .kind = CELL_PCT, .d = d }; }
static inline struct cell cell_ns(u64 ns) { return (struct cell){ .kind = CELL_NS, .u = ns }; }
static inline struct cell cell_bytes(u64 n) { return (struct cell){ .kind = CELL_BYTES, .u = n }; }
static inline struct cell cell_addr(u64 va) { return (struct cell){ .kind = CELL_ADDR, .u = va }; }
static inline struct cell cell_int(s64 v) { return (struct cell){ .kind = CELL_INT, .s = v }; }
static inline struct cell cell_bool(bool v) { return (struct cell){ .kind = CELL_BOOL, .u = v }; }
/* decimals in CSV and JSON; -1: of the column */
static inline struct cell cell_num(double d, int decimals)
{
	return (struct cell){ .kind = CELL_NUM, .d = d, .decimals = (u8)(decimals + 1) };
}
static inline struct cell cell_list(
	const struct table *t) { return (struct cell){ .kind = CELL_LIST, .list = t }; }
static inline struct cell cell_absent(void) { return (struct cell){ .kind = CELL_ABSENT }; }

#endif
