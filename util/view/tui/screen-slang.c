// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The terminal, drawn by S-Lang (SLsmg: only what changed is sent). Modes, signals and the bytes of
 * keys are not left to it: os/terminal.h restores the terminal whatever happens, and keys.h knows
 * the mouse.
 */
#include "util/view/tui/screen.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#define ENABLE_SLFUTURE_CONST 1
#include <slang.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/base/library.h"
#include "util/os/terminal.h"
#include "util/view/tui/keys.h"

enum { ESC_WAIT_MS = 50 };	/* what a terminal sends of one key comes within this */

#define MOUSE_ON "\033[?1000h\033[?1006h"
#define MOUSE_OFF "\033[?1000l\033[?1006l"

/* Loaded when the first screen is opened: its tables would cost every command at its start. */
static struct {
	__typeof__(SLsmg_gotorc) *gotorc;
	__typeof__(SLsmg_init_smg) *init_smg;
	__typeof__(SLsmg_refresh) *refresh;
	__typeof__(SLsmg_reinit_smg) *reinit_smg;
	__typeof__(SLsmg_reset_smg) *reset_smg;
	__typeof__(SLsmg_set_color) *smg_set_color;
	__typeof__(SLsmg_write_nchars) *write_nchars;
	__typeof__(SLtt_get_screen_size) *get_screen_size;
	__typeof__(SLtt_initialize) *initialize;
	__typeof__(SLtt_set_color) *set_color;
	__typeof__(SLtt_set_cursor_visibility) *set_cursor_visibility;
	__typeof__(SLtt_set_mono) *set_mono;
	__typeof__(SLtt_tgetnum) *tgetnum;
	__typeof__(SLtt_tgetstr) *tgetstr;
	__typeof__(SLutf8_enable) *utf8_enable;
	__typeof__(SLtt_Screen_Rows) *screen_rows;
	__typeof__(SLtt_Screen_Cols) *screen_cols;
	__typeof__(SLtt_Use_Ansi_Colors) *use_ansi_colors;
	__typeof__(SLang_TT_Write_FD) *write_fd;
} sl;

#define ENTRY(name, field) LIBRARY_ENTRY(name, offsetof(__typeof__(sl), field))
static int load_library(struct err *err)
{
	static const struct library_function entries[] = {
		ENTRY(SLsmg_gotorc, gotorc), ENTRY(SLsmg_init_smg, init_smg),
		ENTRY(SLsmg_refresh, refresh), ENTRY(SLsmg_reinit_smg, reinit_smg),
		ENTRY(SLsmg_reset_smg, reset_smg), ENTRY(SLsmg_set_color, smg_set_color),
		ENTRY(SLsmg_write_nchars, write_nchars),
		ENTRY(SLtt_get_screen_size, get_screen_size), ENTRY(SLtt_initialize, initialize),
		ENTRY(SLtt_set_color, set_color),
		ENTRY(SLtt_set_cursor_visibility, set_cursor_visibility),
		ENTRY(SLtt_set_mono, set_mono), ENTRY(SLtt_tgetnum, tgetnum),
		ENTRY(SLtt_tgetstr, tgetstr), ENTRY(SLutf8_enable, utf8_enable),
		ENTRY(SLtt_Screen_Rows, screen_rows), ENTRY(SLtt_Screen_Cols, screen_cols),
		ENTRY(SLtt_Use_Ansi_Colors, use_ansi_colors), ENTRY(SLang_TT_Write_FD, write_fd),
	};
	char why[200];

	if (library_load("libslang.so.2", entries, ARRAY_SIZE(entries), &sl, why, sizeof(why)))
		return 0;
	err_set(err, ENOTSUP, "S-Lang cannot be loaded: %s", why);
	err_hint(err, "install the package libslang2");
	return -ENOTSUP;
}

struct slang_screen {
	struct screen head;
	struct terminal *terminal;
	u8 in[64];
	size_t n_in;
};

static void slang_size(struct screen *s, int *rows, int *cols)
{
	(void)s;
	*rows = *sl.screen_rows;
	*cols = *sl.screen_cols;
}

static void slang_put(struct screen *s, int row, int col, const char *text, size_t n,
		      enum screen_color color)
{
	(void)s;
	sl.smg_set_color((SLsmg_Color_Type)color);
	sl.gotorc(row, col);
	sl.write_nchars((char *)text, (SLstrlen_Type)n);
}

static void slang_flush(struct screen *s)
{
	(void)s;
	sl.gotorc(*sl.screen_rows - 1, *sl.screen_cols - 1);
	sl.refresh();
}

/* S-Lang asks for the size itself: what it sends a row with is allocated by that. */
static void set_size(void)
{
	sl.get_screen_size();
	*sl.screen_rows = MIN(*sl.screen_rows, 500);
	*sl.screen_cols = MIN(*sl.screen_cols, 1000);
}

static struct screen_key redraw(void)
{
	set_size();
	sl.reinit_smg();
	return (struct screen_key){ .code = KEY_RESIZE };
}

static void drop_front(struct slang_screen *t, size_t n)
{
	t->n_in -= n;
	memmove(t->in, t->in + n, t->n_in);
}

/* false: wait for more */
static bool take_key(struct slang_screen *t, bool whole, struct screen_key *k)
{
	size_t n;

	do {
		n = keys_decode(t->in, t->n_in, whole, k);
		drop_front(t, n);
	} while (n && !k->code);
	return n > 0;
}

/* Of what happens with the terminal first; code: of screen.meanwhile(), 0 if it is that. */
static enum terminal_event wait_for(struct slang_screen *t, int timeout_ms, u32 *code)
{
	enum terminal_event e = TERMINAL_TIMEOUT;

	*code = 0;
	if (t->n_in || timeout_ms >= 0 || !t->head.meanwhile)
		return terminal_wait(t->terminal, t->n_in ? ESC_WAIT_MS : timeout_ms);
	while (!*code && (e = terminal_wait(t->terminal, 0)) == TERMINAL_TIMEOUT)
		*code = t->head.meanwhile(t->head.meanwhile_ctx);
	return e;
}

static struct screen_key slang_key(struct screen *s, int timeout_ms)
{
	struct slang_screen *t = (struct slang_screen *)s;
	struct screen_key k;

	for (;;) {
		enum terminal_event e;
		u32 code;

		if (take_key(t, false, &k))
			return k;
		e = wait_for(t, timeout_ms, &code);
		if (code)
			return (struct screen_key){ .code = code };
		switch (e) {
		case TERMINAL_BYTES:
			{
				const size_t got = terminal_read(t->terminal, t->in + t->n_in,
								 sizeof(t->in) - t->n_in);

				if (!got)
					return (struct screen_key){ .code = KEY_CLOSED };
				t->n_in += got;
			}
			break;
		case TERMINAL_RESIZED:
		case TERMINAL_CONTINUED:
			return redraw();
		case TERMINAL_CLOSED:
			return (struct screen_key){ .code = KEY_CLOSED };
		case TERMINAL_TIMEOUT:
			if (t->n_in && take_key(t, true, &k))
				return k;
			if (timeout_ms >= 0)
				return (struct screen_key){ .code = KEY_TIMEOUT };
			break;
		}
	}
}

static void slang_suspend(struct screen *s)
{
	struct slang_screen *t = (struct slang_screen *)s;

	terminal_suspend(t->terminal);
	redraw();
}

static int slang_run(struct screen *s, const struct run_opts *o, bool wait, struct err *err)
{
	struct slang_screen *t = (struct slang_screen *)s;
	const int ret = terminal_run(t->terminal, o, wait, err);

	redraw();
	return ret;
}

static void slang_free(struct screen *s)
{
	struct slang_screen *t = (struct slang_screen *)s;

	sl.reset_smg();
	terminal_close(t->terminal);
	free(t);
}

/* ---- colours ---- */

struct look { const char *fg, *bg, *fg256, *bg256; SLtt_Char_Type mono; };
/* fg256: where the terminal has 256 colours, and another one is better to read */
static const struct look looks[N_COLORS] = {
	[COLOR_NORMAL] = { "default", "default", NULL, NULL, 0 },
	[COLOR_TOP] = { "red", "default", NULL, NULL, SLTT_BOLD_MASK },
	[COLOR_MEDIUM] = { "green", "default", NULL, NULL, 0 },
	[COLOR_SELECTED] = { "black", "lightgray", NULL, NULL, SLTT_REV_MASK },
	[COLOR_JUMP_ARROWS] = { "blue", "default", NULL, NULL, 0 },
	[COLOR_ADDR] = { "magenta", "default", NULL, NULL, 0 },
	[COLOR_ROOT] = { "white", "blue", NULL, NULL, SLTT_REV_MASK },
	[COLOR_KERNEL] = { "black", "brown", "color16", "color215", 0 },
	[COLOR_USER] = { "black", "green", "color16", "color114", SLTT_ULINE_MASK },
	[COLOR_INLINED] = { "black", "cyan", "color16", "color116", 0 },
	[COLOR_JIT] = { "black", "magenta", "color16", "color182", 0 },
	[COLOR_MATCH] = { "white", "red", "color231", "color160", SLTT_BOLD_MASK | SLTT_REV_MASK },
};

/* "red, default" */
static bool split_colors(const char *text, char *fg, char *bg, size_t n)
{
	const char *comma = text ? strchr(text, ',') : NULL;
	size_t fg_len = text ? strcspn(text, ", \t") : 0;

	if (!fg_len || fg_len >= n)
		return false;
	snprintf(fg, n, "%.*s", (int)fg_len, text);
	if (comma)
		comma += 1 + strspn(comma + 1, " \t");
	snprintf(bg, n, "%s", comma && *comma ? comma : "default");
	return true;
}

static void set_colors(const struct screen_opts *o)
{
	const bool many = sl.tgetnum("Co") >= 256;

	if (o->mono)
		*sl.use_ansi_colors = 0;
	for (int i = 0; i < N_COLORS; i++) {
		const struct look *l = &looks[i];
		char fg[32], bg[32];

		sl.set_mono(i, NULL, l->mono);
		if (split_colors(o->colors[i], fg, bg, sizeof(fg)))
			sl.set_color(i, NULL, fg, bg);
		else
			sl.set_color(i, NULL, many && l->fg256 ? l->fg256 : l->fg,
				       many && l->bg256 ? l->bg256 : l->bg);
	}
}

/* ---- opening ---- */

/* What the terminal is sent at the beginning and at any end. */
static const char *capability(const char *name)
{
	const char *s = sl.tgetstr(name);

	return s ? s : "";
}

static bool check_term(struct err *err)
{
	const char *term = getenv("TERM");

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return err_set(err, ENOTTY, "standard input and output are no terminal");
	if (!term || !*term || !strcmp(term, "dumb") || !strcmp(term, "unknown"))
		return err_set(err, ENOTTY, "the terminal cannot be drawn on (TERM is %s)",
			       term && *term ? term : "not set");
	if (load_library(err))
		return -ENOTSUP;
	return sl.initialize(term) < 0 ?
		err_set(err, ENOTTY, "the terminal is not known here (TERM is %s)", term) : 0;
}

/* By the locale of LC_ALL, LC_CTYPE, LANG, which perf does not use otherwise. */
static bool locale_is_utf8(void)
{
	locale_t l = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	bool utf8;

	if (!l)
		return false;
	utf8 = !strcmp(nl_langinfo_l(CODESET, l), "UTF-8");
	freelocale(l);
	return utf8;
}

struct screen *screen_open(const struct screen_opts *o, struct err *err)
{
	static const struct screen_ops ops = { slang_size, slang_put, slang_flush, slang_key,
					       slang_suspend, slang_run, slang_free };
	struct slang_screen *t;
	struct str enter = STR_INIT, leave = STR_INIT;

	if (check_term(err))
		return NULL;
	t = xnew(struct slang_screen);
	t->head = (struct screen){ .ops = &ops, .utf8 = locale_is_utf8() };
	sl.utf8_enable(t->head.utf8);
	*sl.write_fd = STDOUT_FILENO;
	str_addf(&enter, "%s%s%s", capability("ti"), capability("ks"), MOUSE_ON);
	str_addf(&leave, "%s%s%s%s%s", MOUSE_OFF, capability("me"), capability("ke"),
		 capability("ve"), capability("te"));
	t->terminal = terminal_open(STDIN_FILENO, str_cstr(&enter), str_cstr(&leave), err);
	str_release(&enter);
	str_release(&leave);
	if (!t->terminal) {
		free(t);
		return NULL;
	}
	set_size();
	set_colors(o);
	t->head.mono = !*sl.use_ansi_colors;
	sl.init_smg();
	sl.set_cursor_visibility(0);
	return &t->head;
}
