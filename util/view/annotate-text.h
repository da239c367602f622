/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_ANNOTATE_TEXT_H
#define VIEW_ANNOTATE_TEXT_H
/*
 * A listing of "perf annotate" as text, in the two layouts that upstream's users know. Texts of
 * files go through str_add_safe(). Appends to a struct str; any thread.
 */
#include "util/analysis/annotate/listing.h"
#include "util/base/str.h"

struct annotate_look {
	bool full_paths;		/* of files */
	bool raw;			/* the bytes of instructions */
	bool show_n, show_period;	/* in the place of percentages */
	bool positions;			/* lines of source beside instructions, and their sums */
	bool color;			/* percentages by their weight, as terminal escapes */
	bool source;			/* lines of it were asked for */
	bool types;			/* of data, behind instructions */
	bool jumps;			/* how many come to a target */
	bool line_numbers;		/* of source */
	bool plain;			/* addresses and operands as objdump writes them */
	bool full;			/* plain: addresses where it ran (annotate_view.shift) */
	bool mangled;			/* names of functions as the linker has them */
	bool min_max;			/* the least and the most cycles, too */
	bool no_arrows;			/* in a browser: from a jump to its target */
	/* of which instructions the offset stands there: targets of jumps; calls, too; all */
	enum { ANNOTATE_OFFSETS_TARGETS, ANNOTATE_OFFSETS_CALLS, ANNOTATE_OFFSETS_ALL,
	       N_ANNOTATE_OFFSETS } offsets;
};

struct annotate_view {
	const struct listing *l;
	struct listing_counts counts;	/* of the event, or of all members of its group */
	const struct event_list *events;
	const struct event *event;
	bool group;
	const char *path;		/* of the binary, as recorded */
	u64 shift;			/* of struct annotate_symbol */
	struct annotate_look look;
};

/* --stdio: a title, and all addresses. */
void annotate_stdio(struct str *out, const struct annotate_view *v);
/* --stdio2: jumps as arrows to labels, names in the place of addresses. */
void annotate_stdio2(struct str *out, const struct annotate_view *v);

/* "↓", "↑" for jumps within, "→" out of it, "←" for returns; NULL: none. */
const char *annotate_arrow(const struct listing *l, const struct listing_insn *it);

/* What --stdio2 (and a browser) begins with: samples of the event or its group, in all symbols. */
void annotate_samples_title(struct str *out, const struct annotate_view *v);
/* The parts of a line of --stdio2, for a browser: the numbers of an instruction (blanks where all
 * are zero), and what stands behind them. */
void annotate_numbers(struct str *out, const struct annotate_view *v,
		      const struct listing_line *line);
/* Instructions a cycle, and cycles, of the blocks that end with the line: as wide as
 * annotate_cycles_width(), which is 0 where there are none; blanks, or with title the columns'
 * names, where the line has none. Two columns before the first number are blank. */
void annotate_add_cycles(struct str *out, const struct annotate_view *v,
			 const struct listing_line *line, bool title);
size_t annotate_cycles_width(const struct annotate_view *v);
/* Which letters there stand for which events, a line each. */
void annotate_counters_text(struct str *out, const struct branch_counters *c);
struct annotate_widths { size_t address, mnemonic, jumps; };
struct annotate_widths annotate_widths(const struct annotate_view *v);
void annotate_code_line(struct str *out, const struct annotate_view *v,
			const struct annotate_widths *w, const struct listing_line *line);
const char *annotate_title(const struct annotate_view *v);	/* "Percent" */
const char *annotate_name(const struct annotate_view *v, const struct symbol *sym);

#endif
