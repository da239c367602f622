// SPDX-License-Identifier: GPL-2.0-or-later
// A screen in memory, for tests: keys come from a script, what is shown is kept as text.
#include "util/view/tui/screen.h"

#include <stdio.h>

#include "util/base/utf8.h"
#include "util/os/run.h"

struct cell_text { char bytes[5]; u8 color; };	/* "": the second half of a wide character */

struct grid {
	struct screen head;
	int rows, cols;
	struct cell_text *cells;
	const char *script;
	struct str shots;
};

static const struct { const char *name; u32 code; } names[] = {
	{ "up", KEY_UP }, { "down", KEY_DOWN }, { "left", KEY_LEFT }, { "right", KEY_RIGHT },
	{ "pgup", KEY_PAGE_UP }, { "pgdn", KEY_PAGE_DOWN }, { "home", KEY_HOME },
	{ "end", KEY_END }, { "enter", KEY_ENTER }, { "esc", KEY_ESC }, { "tab", KEY_TAB },
	{ "backtab", KEY_BACK_TAB }, { "bs", KEY_BACKSPACE }, { "del", KEY_DELETE },
	{ "f1", KEY_F1 }, { "lt", '<' }, { "ctrl-c", KEY_CTRL('c') },
	{ "wheelup", KEY_WHEEL_UP }, { "wheeldown", KEY_WHEEL_DOWN }, { "timeout", KEY_TIMEOUT },
};

static const char color_letters[N_COLORS] = {
	[COLOR_NORMAL] = '.', [COLOR_TOP] = 't', [COLOR_MEDIUM] = 'm', [COLOR_SELECTED] = 'S',
	[COLOR_JUMP_ARROWS] = 'j', [COLOR_ADDR] = 'a', [COLOR_ROOT] = 'R', [COLOR_KERNEL] = 'k',
	[COLOR_USER] = 'u', [COLOR_INLINED] = 'i', [COLOR_JIT] = 'J', [COLOR_MATCH] = 'M',
};

static void grid_size(struct screen *s, int *rows, int *cols)
{
	const struct grid *g = (struct grid *)s;

	*rows = g->rows;
	*cols = g->cols;
}

static void grid_clear(struct grid *g)
{
	for (int i = 0; i < g->rows * g->cols; i++)
		g->cells[i] = (struct cell_text){ " ", COLOR_NORMAL };
}

static void grid_put(struct screen *s, int row, int col, const char *text, size_t n,
		     enum screen_color color)
{
	struct grid *g = (struct grid *)s;

	for (size_t i = 0, len; i < n; i += len) {
		struct cell_text *c = &g->cells[row * g->cols + col];
		int w;

		len = utf8_len(text + i, n - i);
		w = screen_char_width(utf8_decode(text + i, len));
		if (!w)
			continue;
		*c = (struct cell_text){ .color = (u8)color };
		memcpy(c->bytes, text + i, len);
		for (int k = 1; k < w; k++)
			c[k] = (struct cell_text){ .color = (u8)color };
		col += w;
	}
}

static void grid_flush(struct screen *s) { (void)s; }
static void grid_suspend(struct screen *s) { (void)s; }

static int grid_run(struct screen *s, const struct run_opts *o, bool wait, struct err *err)
{
	struct grid *g = (struct grid *)s;

	(void)err;
	str_add(&g->shots, "run:");
	for (size_t i = 0; o->argv[i]; i++)
		str_addf(&g->shots, " '%s'", o->argv[i]);
	str_add(&g->shots, wait ? ", and wait\n" : "\n");
	return 0;
}

static void shot(struct grid *g, bool colors)
{
	for (int r = 0; r < g->rows; r++) {
		const struct cell_text *c = &g->cells[r * g->cols];
		int n = g->cols;

		while (n && (colors ? c[n - 1].color == COLOR_NORMAL :
				      !strcmp(c[n - 1].bytes, " ")))
			n--;
		for (int i = 0; i < n; i++) {
			if (colors)
				str_addch(&g->shots, color_letters[c[i].color]);
			else
				str_add(&g->shots, c[i].bytes);
		}
		str_addch(&g->shots, '\n');
	}
	str_add(&g->shots, "----\n");
}

static void resize(struct grid *g, int rows, int cols)
{
	free(g->cells);
	g->rows = rows;
	g->cols = cols;
	g->cells = xcalloc((size_t)rows * (size_t)cols, sizeof(*g->cells));
	grid_clear(g);
}

/* What stands between < and >: a key, or one that is for the grid (code 0). */
static struct screen_key named_key(struct grid *g, const char *name)
{
	struct screen_key k = { 0 };
	int a, b;

	if (!strcmp(name, "shot") || !strcmp(name, "colors")) {
		shot(g, *name == 'c');
	} else if (sscanf(name, "resize %dx%d", &a, &b) == 2) {
		resize(g, a, b);
		k.code = KEY_RESIZE;
	} else if (sscanf(name, "click %d,%d", &a, &b) == 2) {
		k = (struct screen_key){ KEY_CLICK, a, b };
	} else {
		for (size_t i = 0; i < ARRAY_SIZE(names); i++)
			if (!strcmp(name, names[i].name))
				k.code = names[i].code;
		if (!k.code)
			str_addf(&g->shots, "no such key: <%s>\n", name);
	}
	return k;
}

static struct screen_key grid_key(struct screen *s, int timeout_ms)
{
	struct grid *g = (struct grid *)s;
	struct screen_key k = { 0 };

	(void)timeout_ms;
	while (!k.code && *g->script) {
		const char *end = strchr(g->script, '>');
		char name[32] = "";

		if (*g->script != '<' || !end) {
			k.code = (u8)*g->script++;
			continue;
		}
		snprintf(name, sizeof(name), "%.*s", (int)(end - g->script - 1), g->script + 1);
		g->script = end + 1;
		k = named_key(g, name);
	}
	if (!k.code)
		k.code = KEY_CLOSED;
	return k;
}

static void grid_free(struct screen *s)
{
	struct grid *g = (struct grid *)s;

	free(g->cells);
	str_release(&g->shots);
	free(g);
}

struct screen *screen_grid_new(int rows, int cols, bool utf8, const char *script)
{
	static const struct screen_ops ops = { grid_size, grid_put, grid_flush, grid_key,
					       grid_suspend, grid_run, grid_free };
	struct grid *g = xnew(struct grid);

	g->head = (struct screen){ .ops = &ops, .utf8 = utf8 };
	g->script = script;
	resize(g, rows, cols);
	return &g->head;
}

const char *screen_grid_shots(const struct screen *s)
{
	return str_cstr(&((const struct grid *)s)->shots);
}
