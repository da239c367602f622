/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_TUI_SCREEN_H
#define VIEW_TUI_SCREEN_H
/*
 * A screen: cells that text with a colour class is put into, and keys. Two kinds: a terminal
 * (screen-slang.c, the only file that knows S-Lang) and a grid in memory (screen-grid.c), which
 * plays a script of keys and keeps what was shown. Rows and columns count from 0. What is put
 * outside is clipped; texts of files go through str_add_safe() first (struct line does it), and
 * what is no printable character is put as '?' in any case. One owner, one thread.
 */
#include "util/base/err.h"
#include "util/base/str.h"
#include "util/base/vec.h"

enum screen_color {
	COLOR_NORMAL,		/* [colors] names of perf-config */
	COLOR_TOP,		/* a share of 5% or more */
	COLOR_MEDIUM,		/* 0.5% or more */
	COLOR_SELECTED,		/* where the cursor is */
	COLOR_JUMP_ARROWS,
	COLOR_ADDR,
	COLOR_ROOT,		/* titles, and the line at the bottom */
	/* of the flame view */
	COLOR_KERNEL,
	COLOR_USER,
	COLOR_INLINED,
	COLOR_JIT,
	COLOR_MATCH,
	N_COLORS
};

/* What a key is: a character (u32), or one of these. */
enum screen_key_code {
	KEY_UP = 0x110000, KEY_DOWN, KEY_LEFT, KEY_RIGHT, KEY_PAGE_UP, KEY_PAGE_DOWN, KEY_HOME,
	KEY_END, KEY_ENTER, KEY_ESC, KEY_TAB, KEY_BACK_TAB, KEY_BACKSPACE, KEY_DELETE, KEY_F1,
	KEY_WHEEL_UP, KEY_WHEEL_DOWN,
	KEY_CLICK,		/* at row, col */
	KEY_RESIZE,		/* another size, or what was shown is lost: draw all of it */
	KEY_TIMEOUT,		/* no key came */
	KEY_CLOSED,		/* no key will come any more */
};
#define KEY_CTRL(c) ((u32)(c) & 0x1f)

struct screen_key { u32 code; int row, col; };

struct err;
struct run_opts;
struct screen;
struct screen_ops {
	void (*size)(struct screen *s, int *rows, int *cols);
	/* n bytes of printable UTF-8 (of ASCII, where the screen has no more) that fit */
	void (*put)(struct screen *s, int row, int col, const char *text, size_t n,
		    enum screen_color color);
	void (*flush)(struct screen *s);
	struct screen_key (*key)(struct screen *s, int timeout_ms);
	void (*suspend)(struct screen *s);
	int (*run)(struct screen *s, const struct run_opts *o, bool wait, struct err *err);
	void (*free)(struct screen *s);
};

struct screen {			/* the head of both kinds */
	const struct screen_ops *ops;
	bool utf8;		/* else lines are drawn in ASCII, and other characters are '?' */
	bool mono;		/* there are no colours: text has to say what they would */
	/* draws what is behind a dialog, when the size has changed; NULL: nothing */
	void (*backdrop)(void *ctx);
	void *backdrop_ctx;
	/* For who has something to do while a key is waited for: called instead of waiting, it
	 * waits until there are bytes of keys, or for a part of a second. It answers what
	 * screen_key() returns then, also if that was to wait for ever: KEY_TIMEOUT, KEY_CLOSED;
	 * 0: it goes on. NULL: there is nothing to do. */
	u32 (*meanwhile)(void *ctx);
	void *meanwhile_ctx;
};

struct screen_opts {
	/* "red, default", by enum screen_color; NULL: the built-in ones */
	const char *colors[N_COLORS];
	bool mono;		/* no colours: reverse, bold */
};

/* The terminal of standard input and output. NULL with a reason: it is none, TERM is missing or
 * dumb, or perf was built without S-Lang. */
struct screen *screen_open(const struct screen_opts *o, struct err *err);
/* In memory. script: characters, and names between <>: <down> <up> <left> <right> <pgup> <pgdn>
 * <home> <end> <enter> <esc> <tab> <backtab> <bs> <del> <f1> <lt> <ctrl-c> <wheelup> <wheeldown>
 * <click ROW,COL> <resize ROWSxCOLS> <timeout>; <shot> keeps what is shown then, <colors> its
 * classes, one letter a cell. After the end comes KEY_CLOSED. script is borrowed. */
struct screen *screen_grid_new(int rows, int cols, bool utf8, const char *script);
/* All that was kept; rows end at their last character that is not blank. Borrowed. */
const char *screen_grid_shots(const struct screen *s);
void screen_free(struct screen *s);

static inline void screen_size(struct screen *s, int *rows, int *cols)
{
	s->ops->size(s, rows, cols);
}
/* Text from col on, at most width columns of it, filled with blanks up to there (width < 0: all of
 * it, and no blanks). Returns the column after it. */
int screen_put(struct screen *s, int row, int col, int width, const char *text,
	       enum screen_color color);
/* A line without its first skip columns, in its own colours, or all in one (color < N_COLORS);
 * filled with blanks, as above. */
struct line;
struct screen_place { int row, col, width; };
void screen_put_line(struct screen *s, struct screen_place at, const struct line *l, size_t skip,
		     enum screen_color color);
void screen_flush(struct screen *s);
struct screen_key screen_key(struct screen *s, int timeout_ms);	/* < 0: waits */
void screen_suspend(struct screen *s);				/* as Ctrl-Z */
/* A program has the terminal until it ends: terminal_run(). In memory it is only noted. */
int screen_run(struct screen *s, const struct run_opts *o, bool wait, struct err *err);
/* The class of a percentage. */
enum screen_color screen_pct_color(double pct);

/* Text in pieces, each of a colour class. Zeroed memory is an empty line. */
struct line_span { u32 end; u8 color; };	/* end: in bytes */
struct line { struct str text; VEC(struct line_span) spans; };
void line_reset(struct line *l);
void line_release(struct line *l);
void line_add(struct line *l, enum screen_color color, const char *text);	/* ours */
void line_add_name(struct line *l, enum screen_color color, const char *name);	/* of a file */
void line_addf(struct line *l, enum screen_color color, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* What was added to l->text by others since the last piece. */
void line_mark(struct line *l, enum screen_color color);

/* Columns of a character on terminals: 0, 1 or 2; of n bytes of UTF-8. */
int screen_char_width(u32 c);
size_t screen_text_width(const char *s, size_t n);

#endif
