// SPDX-License-Identifier: GPL-2.0-or-later
// perf top: the keys of its text view.
#include <stdlib.h>
#include <string.h>

#include "builtin-top.h"
#include "util/base/num.h"
#include "util/view/top-text.h"

#define KEY_ESC 27
#define MAX_LINE 256

struct keyed {				/* what keys change */
	struct top_look *look;
	struct top_opts *filter;
	const struct event_list *list;
	struct str *out;
};

static const struct event *shown(const struct keyed *k)
{
	return k->look->shown ? k->look->shown : k->list->events.v[0];
}

static size_t n_events(const struct event_list *l)
{
	size_t n = 0;

	for vec_each(e, &l->events)
		n += !(*e)->dummy;
	return n;
}

/* ---- what is asked ---- */

static bool set_delay(struct keyed *k, const char *text)
{
	double s;

	if (!parse_double(text, &s) || s < 0.01 || s > 86400)
		return false;
	k->look->delay_ns = (u64)(s * 1e9);
	return true;
}

static bool set_entries(struct keyed *k, const char *text)
{
	return parse_int(text, &k->look->entries) && k->look->entries >= 0;
}

static bool set_min_n(struct keyed *k, const char *text)
{
	return parse_int(text, &k->look->min_n) && k->look->min_n >= 0;
}

static bool set_min_pct(struct keyed *k, const char *text)
{
	return !cli_parse_pct(text, &k->look->min_pct, NULL);
}

static bool set_event(struct keyed *k, const char *text)
{
	int n;

	if (!parse_int(text, &n) || n < 0)
		return false;
	for vec_each(e, &k->list->events)
		if (!(*e)->dummy && !n--)
			return k->look->shown = *e, true;
	return false;
}

static bool set_code(struct keyed *k, const char *text)
{
	free(k->look->code_of);
	k->look->code_of = xstrdup(text);
	return true;
}

static void list_events(struct keyed *k)
{
	unsigned n = 0;

	str_add(k->out, "\nAvailable events:");
	for vec_each(e, &k->list->events) {
		if ((*e)->dummy)
			continue;
		str_addf(k->out, "\n\t%u ", n++);
		str_add_safe(k->out, (*e)->name);
	}
}

/* ---- what happens at once ---- */

static void hide_kernel(struct keyed *k) { k->filter->hide_kernel = !k->filter->hide_kernel; }
static void hide_user(struct keyed *k) { k->filter->hide_user = !k->filter->hide_user; }
static void zero(struct keyed *k) { k->filter->zero = !k->filter->zero; }

static void no_code(struct keyed *k)
{
	free(k->look->code_of);
	k->look->code_of = NULL;
}

/* ---- the table ---- */

static char *delay_value(const struct keyed *k)
{
	return xasprintf("%g", (double)k->look->delay_ns / 1e9);
}

static char *entries_value(const struct keyed *k)
{
	return k->look->entries ? xasprintf("%d", k->look->entries) : xstrdup("all that fit");
}

static char *min_n_value(const struct keyed *k) { return xasprintf("%d", k->look->min_n); }
static char *min_pct_value(const struct keyed *k) { return xasprintf("%g%%", k->look->min_pct); }
static char *event_value(const struct keyed *k) { return xstrdup(shown(k)->name); }
static char *code_value(const struct keyed *k)
{
	return xstrdup(k->look->code_of ? k->look->code_of : "NULL");
}
static char *yes_no(bool yes) { return xstrdup(yes ? "yes" : "no"); }
static char *kernel_value(const struct keyed *k) { return yes_no(k->filter->hide_kernel); }
static char *user_value(const struct keyed *k) { return yes_no(k->filter->hide_user); }
static char *zero_value(const struct keyed *k) { return xstrdup(k->filter->zero ? "1" : "0"); }

static const struct typed_key {
	char key;
	const char *text;		/* in the list of keys */
	char *(*value)(const struct keyed *k);	/* the caller frees; NULL: it has none */
	const char *asks;		/* NULL: act() is all there is to do */
	bool (*set)(struct keyed *k, const char *text);	/* false: it is no such value */
	void (*act)(struct keyed *k);	/* of one that asks: before */
} typed_keys[] = {
	{ 'd', "display refresh delay.", delay_value, "Enter display delay", set_delay, NULL },
	{ 'e', "display entries (lines).", entries_value, "Enter display entries (lines)",
	  set_entries, NULL },
	{ 'E', "active event counter.", event_value, "Enter details event counter", set_event,
	  list_events },
	{ 'f', "profile display filter (count).", min_n_value,
	  "Enter display event count filter", set_min_n, NULL },
	{ 'F', "profile display filter (percent).", min_pct_value,
	  "Enter display event filter (percent)", set_min_pct, NULL },
	{ 's', "annotate symbol.", code_value, "Enter details symbol", set_code, NULL },
	{ 'S', "stop annotation.", NULL, NULL, NULL, no_code },
	{ 'K', "hide kernel symbols.", kernel_value, NULL, NULL, hide_kernel },
	{ 'U', "hide user symbols.", user_value, NULL, NULL, hide_user },
	{ 'z', "toggle sample zeroing.", zero_value, NULL, NULL, zero },
	{ 'q', "quit.", NULL, NULL, NULL, NULL },
};

static const struct typed_key *find_key(const struct keyed *k, char key)
{
	for (size_t i = 0; i < ARRAY_SIZE(typed_keys); i++)
		if (typed_keys[i].key == key)
			return key != 'E' || n_events(k->list) > 1 ? &typed_keys[i] : NULL;
	return key == 'Q' ? find_key(k, 'q') : NULL;
}

static void show_menu(const struct keyed *k)
{
	struct top_key keys[ARRAY_SIZE(typed_keys) + 1] = { { 0, NULL, NULL } };
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(typed_keys); i++) {
		const struct typed_key *d = &typed_keys[i];

		if (find_key(k, d->key))
			keys[n++] = (struct top_key){ d->key, d->text,
						      d->value ? d->value(k) : NULL };
	}
	top_keys_text(k->out, keys);
	for (size_t i = 0; i < n; i++)
		free(keys[i].value);
}

static enum top_did begin_key(struct top_prompt *p, const struct typed_key *d, struct keyed *k)
{
	if (d->act)
		d->act(k);
	if (!d->asks)
		return d->act ? TOP_CHANGED : TOP_QUIT;
	p->key = d->key;
	str_reset(&p->line);
	str_addf(k->out, "\n%s: ", d->asks);
	return TOP_ASKS;
}

/* Letters of an answer; the terminal does not show them. */
static enum top_did answer(struct top_prompt *p, char key, struct keyed *k)
{
	const struct typed_key *d = find_key(k, p->key);

	if (key == '\n' || key == '\r') {
		str_add(k->out, "\n");
		p->key = 0;
		if (p->line.len && d && !d->set(k, str_cstr(&p->line))) {
			str_add(k->out, "Not a value for this: '");
			str_add_safe(k->out, str_cstr(&p->line));
			str_add(k->out, "'\n");
		}
		return TOP_CHANGED;
	}
	if (key == KEY_ESC) {
		p->key = 0;
		return TOP_CHANGED;
	}
	if ((key == 127 || key == '\b') && p->line.len) {
		p->line.buf[--p->line.len] = '\0';
		str_add(k->out, "\b \b");
	} else if ((unsigned char)key >= ' ' && key != 127 && p->line.len < MAX_LINE) {
		str_addch(&p->line, key);
		str_addch(k->out, key);
	}
	return TOP_ASKS;
}

enum top_did top_key(struct top_prompt *p, char key, struct top_look *look,
		     struct top_opts *filter, const struct event_list *l, struct str *out)
{
	struct keyed k = { look, filter, l, out };
	const struct typed_key *d = find_key(&k, key);

	if (p->key)
		return answer(p, key, &k);
	if (d) {
		p->menu = false;
		return begin_key(p, d, &k);
	}
	if (p->menu) {
		p->menu = false;
		return TOP_CHANGED;
	}
	p->menu = true;
	show_menu(&k);
	return TOP_ASKS;
}
