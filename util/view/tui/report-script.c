// SPDX-License-Identifier: GPL-2.0-or-later
// Samples as lines of text: which ones, and what of them, as options of perf script.
#include "util/base/str.h"
#include "util/view/tui/dialog.h"
#include "util/view/tui/report-priv.h"

/* What is chosen; option NULL: all samples. */
struct choice { const char *option; char *value; };

struct choices {
	VEC(char *) items;
	VEC(struct choice) v;
};

static void add_choice(struct choices *c, const char *option, const char *value,
		       const char *text)
{
	vec_push(&c->items, xstrdup(text));
	vec_push(&c->v, ((struct choice){ option, value ? xstrdup(value) : NULL }));
}

static void add_named(struct choices *c, const char *option, const char *kind, const char *name)
{
	struct str text = STR_INIT;

	if (!*name || strchr(name, ','))	/* a comma is between two of them */
		return;
	str_addf(&text, "Show individual samples of %s [", kind);
	str_add_safe(&text, name);
	str_add(&text, "]");
	add_choice(c, option, name, str_cstr(&text));
	str_release(&text);
}

/* A word of a zoom, or of the cursor's row, as the option that chooses its samples. */
static const char *option_of(const struct report_browser *b, char what, const struct str *name,
			     struct str *value)
{
	const char *open = strrchr(str_cstr(name), '(');

	if (what == 'd' || what == 'k') {
		str_add(value, str_cstr(name));
		return "--dsos";
	}
	if (what != 't')
		return NULL;
	if (open && report_zoom_is_thread(b)) {
		str_addn(value, open + 1, strcspn(open + 1, ")"));
		return "--tid";
	}
	str_add(value, str_cstr(name));
	return "--comms";
}

static void add_here(struct report_browser *b, struct choices *c, char what, const char *kind)
{
	struct str name = STR_INIT, value = STR_INIT;
	const char *option = NULL;
	bool out;

	if (report_zoom_name(b, what, &name, &out))
		option = option_of(b, what, &name, &value);
	if (option)
		add_named(c, option, kind, str_cstr(&value));
	str_release(&name);
	str_release(&value);
}

static void add_choices(struct report_browser *b, struct choices *c)
{
	const struct hist_sym *sym = report_symbol_here(b);

	if (sym && sym->name)
		add_named(c, "--symbols", "symbol", sym->name);
	add_here(b, c, 't', "thread");
	add_here(b, c, 'd', "DSO");
	add_choice(c, NULL, NULL, "Show all individual samples");
	add_choice(c, "-F", "+srcline", "Show all individual samples with their source lines");
	add_choice(c, "", NULL, "Show samples with custom perf script arguments");
}

typedef VEC(char *) word_vec;

static void add_word(word_vec *v, const char *word) { vec_push(v, xstrdup(word)); }

/* What is zoomed into holds for all. */
static void add_zooms(struct report_browser *b, word_vec *v)
{
	for vec_each(z, &b->zooms) {
		struct str name = STR_INIT, value = STR_INIT;
		const char *label = strchr(z->label, ' '), *option;

		str_add(&name, label ? label + 1 : "");
		option = z->text ? NULL : option_of(b, z->what, &name, &value);
		if (option && !strchr(str_cstr(&value), ',')) {
			add_word(v, option);
			add_word(v, str_cstr(&value));
		}
		str_release(&name);
		str_release(&value);
	}
}

/* Words of a line, between blanks; false: none was given. */
static bool ask_words(struct report_browser *b, word_vec *v)
{
	struct str line = STR_INIT;
	const bool ok = dialog_input(b->screen, "perf script",
				     "Arguments, for example -F comm,ip,sym -C 0:", &line);

	for (const char *p = str_cstr(&line); ok && *p;) {
		const size_t blanks = strspn(p, " "), n = strcspn(p + blanks, " ");

		if (n)
			vec_push(v, xstrndup(p + blanks, n));
		p += blanks + n;
	}
	str_release(&line);
	return ok;
}

static void show(struct report_browser *b, const struct choice *c)
{
	const struct report_tui_calls *calls = &b->o->calls;
	word_vec v = { 0 };
	bool ok = true;

	add_zooms(b, &v);
	if (c->option && !*c->option) {
		ok = ask_words(b, &v);
	} else if (c->option) {
		add_word(&v, c->option);
		add_word(&v, c->value);
	}
	vec_push(&v, NULL);
	if (ok)
		calls->script(calls->ctx, b->screen, (const char *const *)v.v, &b->said);
	for vec_each(word, &v)
		free(*word);
	vec_free(&v);
}

void report_script(struct report_browser *b)
{
	struct choices c = { 0 };
	int i;

	if (!b->o->calls.script)
		return;
	add_choices(b, &c);
	i = dialog_menu(b->screen, "Samples as text", (const char *const *)c.items.v, c.items.n);
	if (i >= 0)
		show(b, &c.v.v[i]);
	for vec_each(item, &c.items)
		free(*item);
	for vec_each(it, &c.v)
		free(it->value);
	vec_free(&c.items);
	vec_free(&c.v);
}
