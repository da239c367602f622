// SPDX-License-Identifier: GPL-2.0-or-later
// Definitions as texts, one printer a dialect, and the one parser of what the kernel lists.
// Syntax: the kernel's
// Documentation/trace/kprobetrace.rst, uprobetracer.rst, fprobetrace.rst, boottime-trace.rst.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/probe/probe-priv.h"

static void fetch_release(struct probe_fetch *f)
{
	free(f->name);
	free(f->base);
	for vec_each(r, &f->refs)
		free(*r);
	vec_free(&f->refs);
	free(f->type);
}

void fetches_release(probe_fetches *v)
{
	for vec_each(f, v)
		fetch_release(f);
	vec_free(v);
}

void probe_at_release(struct probe_at *at)
{
	free(at->module);
	free(at->symbol);
	free(at->path);
	*at = (struct probe_at){ .off = 0 };
}

void probe_def_release(struct probe_def *d)
{
	free(d->group);
	free(d->event);
	probe_at_release(&d->at);
	fetches_release(&d->args);
	free(d->where);
}

/* --- printing */

void fetch_text(const struct probe_fetch *f, struct str *out)
{
	if (f->name)
		str_addf(out, "%s=", f->name);
	for (size_t i = f->refs.n; i-- > 0;)
		str_addf(out, "%s(", f->refs.v[i]);
	str_add(out, f->base);
	str_addchn(out, ')', f->refs.n);
	if (f->type)
		str_addf(out, ":%s", f->type);
}

void fetches_text(const probe_fetches *v, struct str *out)
{
	for vec_each(f, v) {
		str_addch(out, ' ');
		fetch_text(f, out);
	}
}

void probe_at_text(const struct probe_at *at, struct str *out)
{
	if (at->module)
		str_addf(out, "%s:", at->module);
	if (at->path)
		str_addf(out, "%s:0x%llx", at->path, (unsigned long long)at->off);
	else if (at->symbol)
		str_addf(out, "%s+%llu", at->symbol, (unsigned long long)at->off);
	else
		str_addf(out, "0x%llx", (unsigned long long)at->off);
	if (at->ref_ctr_off)
		str_addf(out, "(0x%llx)", (unsigned long long)at->ref_ctr_off);
}

static void kprobe_text(const struct probe_def *d, struct str *out)
{
	str_addf(out, "%c:%s/%s ", d->at.ret ? 'r' : 'p', d->group, d->event);
	probe_at_text(&d->at, out);
	fetches_text(&d->args, out);
}

/* MODULE: is not said here. */
static void fprobe_text(const struct probe_def *d, struct str *out)
{
	str_addf(out, "f:%s/%s %s%s", d->group, d->event, d->at.symbol, d->at.ret ? "%return" : "");
	fetches_text(&d->args, out);
}

void probe_def_text(const struct probe_def *d, struct str *out)
{
	if (d->fprobe)
		fprobe_text(d, out);
	else
		kprobe_text(d, out);
}

/* Returns are written as FUNC%return here. A value ends at the next quote of the kind that it began
 * with: nothing in it can be escaped. */
int probe_def_bootconfig(const struct probe_def *d, struct str *out, struct err *err)
{
	struct str value = STR_INIT;
	int ret = 0;
	char quote;

	if (!d->kernel || d->fprobe)
		return err_set(err, EINVAL, "'%s:%s': the boot configuration knows kprobes of the "
					    "kernel only", d->group, d->event);
	probe_at_text(&d->at, &value);
	str_add(&value, d->at.ret ? "%return" : "");
	fetches_text(&d->args, &value);
	quote = strchr(str_cstr(&value), '\'') ? '"' : '\'';
	if (!strchr(str_cstr(&value), quote))
		str_addf(out, "ftrace.event.kprobes.%s.probes = %c%s%c", d->event, quote,
			 str_cstr(&value), quote);
	else
		ret = err_set(err, EINVAL, "'%s:%s': the boot configuration has no value with both "
					   "kinds of quotes", d->group, d->event);
	str_release(&value);
	return ret;
}

/* --- parsing */

void fetch_value(struct probe_fetch *f, const char *text)
{
	VEC(char *) outer = { 0 };
	size_t n = strlen(text);
	const char *open;

	while ((text[0] == '+' || text[0] == '-') && (open = memchr(text, '(', n)) && text[n - 1] ==
	       ')') {
		vec_push(&outer, xstrndup(text, (size_t)(open - text)));
		n -= (size_t)(open + 1 - text) + 1;
		text = open + 1;
	}
	for (size_t i = outer.n; i-- > 0;)
		vec_push(&f->refs, outer.v[i]);
	vec_free(&outer);
	f->base = xstrndup(text, n);
}

/* "n=+8(%di):s32" */
static void parse_fetch(const char *word, size_t n, struct probe_fetch *f)
{
	char *text = xstrndup(word, n), *value = strchr(text, '='), *colon;

	if (value) {
		*value++ = 0;
		f->name = xstrdup(text);
	} else {
		value = text;
	}
	colon = strchr(value, ':');
	if (colon) {
		*colon = 0;
		f->type = xstrdup(colon + 1);
	}
	fetch_value(f, value);
	free(text);
}

/* "[MODULE:]SYMBOL[+OFF][%return]", "0xADDRESS" */
static void parse_kernel_place(char *place, struct probe_at *at)
{
	char *name = strchr(place, ':'), *plus;

	if (name) {
		*name++ = 0;
		at->module = xstrdup(place);
	} else {
		name = place;
	}
	at->ret = str_has_suffix(name, "%return");
	name[strcspn(name, "%")] = 0;
	if (!strncmp(name, "0x", 2)) {
		at->off = strtoull(name, NULL, 16);
		return;
	}
	plus = strchr(name, '+');
	if (plus) {
		at->off = strtoull(plus + 1, NULL, 0);
		*plus = 0;
	}
	at->symbol = xstrdup(name);
}

/* "/path:0x1280[(0x40)]" */
static void parse_file_place(char *place, struct probe_at *at)
{
	char *colon = strrchr(place, ':'), *end;

	if (colon) {
		*colon = 0;
		at->off = strtoull(colon + 1, &end, 16);
		at->ref_ctr_off = *end == '(' ? strtoull(end + 1, NULL, 16) : 0;
	}
	at->path = xstrdup(place);
}

char probe_def_parse(const char *text, bool kernel, struct probe_def *out)
{
	const char *colon = strchr(text, ':'), *slash = colon ? strchr(colon, '/') : NULL,
		*p = slash ? strchr(slash, ' ') : NULL;
	char *place;
	size_t n;

	if (!p)
		return 0;
	*out = (struct probe_def){ .kernel = kernel, .fprobe = text[0] == 'f' };
	out->group = xstrndup(colon + 1, (size_t)(slash - colon - 1));
	out->event = xstrndup(slash + 1, (size_t)(p - slash - 1));
	n = strcspn(p + 1, " ");
	place = xstrndup(p + 1, n);
	(kernel ? parse_kernel_place : parse_file_place)(place, &out->at);
	free(place);
	out->at.ret = out->at.ret || text[0] == 'r';
	for (p += 1 + n; *p; p += n) {
		p += strspn(p, " ");
		n = strcspn(p, " ");
		if (n)
			parse_fetch(p, n, vec_add(&out->args));
	}
	return text[0];
}
