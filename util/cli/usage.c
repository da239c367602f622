// SPDX-License-Identifier: GPL-2.0-or-later
// What is printed from option tables: usage errors, -h, the manual's OPTIONS, completion words.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/base/num.h"
#include "util/cli/options-priv.h"
#include "util/cli/pager.h"

enum { HELP_COLUMN = 26, EXIT_USAGE = 129 };

typedef VEC(struct option_def) def_vec;

void cli_usage_text(const struct cli_cmd *cmd, struct str *out)
{
	const char *lead = "\n Usage:";

	for (const char *const *u = cmd->usage; u && *u; u++) {
		str_addf(out, "%s perf%s%s%s%s\n", lead, *cmd->name ? " " : "", cmd->name,
			 **u ? " " : "", *u);
		lead = "    or:";
	}
	str_add(out, "\n");
}

/* Options with a letter first, by letter without regard to case; then the others by name. */
static int cmp_defs(const void *a, const void *b)
{
	const struct option_def *x = a, *y = b;
	int cx = tolower((unsigned char)x->short_name), cy = tolower((unsigned char)y->short_name);

	if (!cx != !cy)
		return cx ? -1 : 1;
	if (cx)
		return cx != cy ? cx - cy : y->short_name - x->short_name;
	return strcmp(x->name, y->name);
}

/* Of two options with one name the first counts; a letter that is taken already is not shown. */
static void add_def(def_vec *out, struct option_def d)
{
	for (size_t i = 0; i < out->n; i++) {
		const struct option_def *seen = &out->v[i];

		if (d.name && seen->name && !strcmp(seen->name, d.name))
			return;
		if (d.short_name == seen->short_name)
			d.short_name = 0;
	}
	if (d.name || d.short_name)
		vec_push(out, d);
}

static void list_defs(const struct cli_cmd *cmd, def_vec *out)
{
	for opt_each(t, d, cmd) {
		(void)t;
		if (!(d->flags & OPT_HIDDEN))
			add_def(out, *d);
	}
	if (out->n)
		qsort(out->v, out->n, sizeof(out->v[0]), cmp_defs);
}

static void add_arg(const struct option_def *d, struct str *s)
{
	if (!d->arg)
		return;
	if (d->flags & OPT_BARE)
		return;
	if (d->flags & OPT_OPTARG)
		str_addf(s, d->name ? "[=<%s>]" : "[<%s>]", d->arg);
	else
		str_addf(s, " <%s>", d->arg);
}

static void add_option(const struct option_def *d, struct str *out)
{
	size_t start = out->len, width;

	str_add(out, "    ");
	if (d->short_name)
		str_addf(out, "-%c%s", d->short_name, d->name ? ", " : "");
	else
		str_add(out, "    ");
	if (d->name)
		str_addf(out, "--%s", d->name);
	add_arg(d, out);
	width = out->len - start;
	if (width > HELP_COLUMN - 2) {
		str_addch(out, '\n');
		width = 0;
	}
	str_addchn(out, ' ', HELP_COLUMN - width);
	for (const char *h = d->help ? d->help : ""; ; ) {
		size_t n = strcspn(h, "\n");

		str_addn(out, h, n);
		str_addch(out, '\n');
		if (!h[n])
			break;
		h += n + 1;
		str_addchn(out, ' ', HELP_COLUMN);
	}
}

static bool wanted(const struct option_def *d, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *w = words[i] + strspn(words[i], "-");

		if (d->name && *w && str_has_prefix(d->name, w))
			return true;
		if (w[0] && !w[1] && d->short_name == w[0])
			return true;
	}
	return !n;
}

void cli_options_text(const struct cli_cmd *cmd, const char *const *words, size_t n_words,
		      struct str *out)
{
	def_vec defs = { NULL, 0, 0 };

	list_defs(cmd, &defs);
	for (size_t i = 0; i < defs.n; i++)
		if (wanted(&defs.v[i], words, n_words))
			add_option(&defs.v[i], out);
	str_addch(out, '\n');
	vec_free(&defs);
}

static void doc_heading(const struct option_def *d, struct str *out)
{
	if (d->short_name) {
		str_addf(out, "-%c", d->short_name);
		if (!d->name)
			add_arg(d, out);
		str_addf(out, "::\n");
	}
	if (d->name) {
		str_addf(out, "--%s", d->name);
		if (d->arg && (d->flags & OPT_OPTARG))
			str_addf(out, "[=<%s>]", d->arg);
		else if (d->arg)
			str_addf(out, "=<%s>", d->arg);
		str_add(out, "::\n");
	}
}

static bool is_named(const struct option_def *d, const char *names)
{
	const char letter[] = { d->short_name, '\0' }, *name = d->name ? d->name : letter;
	const size_t len = strlen(name);

	for (const char *w = names + strspn(names, " "); *w; w += strspn(w, " ")) {
		const size_t n = strcspn(w, " ");

		if (n == len && !strncmp(w, name, n))
			return true;
		w += n;
	}
	return false;
}

static void doc_help(const char *help, struct str *out)
{
	for (const char *h = help; ; ) {
		size_t n = strcspn(h, "\n");

		if (n)
			str_addf(out, "\t%.*s", (int)n, h);
		str_addch(out, '\n');
		if (!h[n])
			break;
		h += n + 1;
	}
	str_addch(out, '\n');
}

void cli_options_doc(const struct cli_cmd *cmd, const char *which, struct str *out)
{
	const bool all = !which || !*which, others = !all && *which == '!';
	def_vec defs = { NULL, 0, 0 };

	list_defs(cmd, &defs);
	for vec_each(d, &defs) {
		if (!all && is_named(d, which + others) == others)
			continue;
		doc_heading(d, out);
		doc_help(d->help ? d->help : "", out);
	}
	vec_free(&defs);
}

void cli_options_names(const struct cli_cmd *cmd, struct str *out)
{
	def_vec defs = { NULL, 0, 0 };

	list_defs(cmd, &defs);
	for vec_each(d, &defs)
		if (d->name)
			str_addf(out, "--%s ", d->name);
	vec_free(&defs);
	for (const char *const *w = cmd->words; w && *w; w++)
		str_addf(out, "%s ", *w);
	str_addch(out, '\n');
}

void usage_one_option(const struct cli_cmd *cmd, const struct option_def *d)
{
	struct str s = STR_INIT;

	if (d->flags & OPT_HIDDEN) {
		usage_brief(cmd, &s);
	} else {
		cli_usage_text(cmd, &s);
		add_option(d, &s);
		str_addch(&s, '\n');
	}
	fputs(str_cstr(&s), stderr);
	str_release(&s);
}

int usage_show_help(const struct cli_cmd *cmd, const char *const *words, size_t n_words)
{
	struct str s = STR_INIT;

	cli_usage_text(cmd, &s);
	cli_options_text(cmd, words, n_words, &s);
	cli_pager_start();
	fputs(str_cstr(&s), stdout);
	str_release(&s);
	return 0;
}

int usage_list_opts(const struct cli_cmd *cmd, const char *how)
{
	struct str s = STR_INIT;

	if (how && str_has_prefix(how, "doc") && (!how[3] || how[3] == ':'))
		cli_options_doc(cmd, how[3] ? how + 4 : NULL, &s);
	else
		cli_options_names(cmd, &s);
	fputs(str_cstr(&s), stdout);
	str_release(&s);
	return 0;
}

void usage_brief(const struct cli_cmd *cmd, struct str *out)
{
	cli_usage_text(cmd, out);
	str_addf(out, " See 'perf %s%s-h' for the options.\n\n", cmd->name, *cmd->name ? " " : "");
}

static int usage_error(const struct cli_cmd *cmd, const char *names, const char *fmt, va_list ap)
{
	struct str s = STR_INIT, msg = STR_INIT;
	opt_list words = { NULL, 0, 0 };
	char *copy = xstrdup(names ? names : ""), *left = copy;

	str_addv(&msg, fmt, ap);
	str_add(&s, "Error: ");
	str_add_safe(&s, str_cstr(&msg));
	str_addch(&s, '\n');
	str_release(&msg);
	for (char *w = strsep(&left, ","); w; w = strsep(&left, ","))
		if (*w)
			vec_push(&words, w);
	if (words.n) {
		cli_usage_text(cmd, &s);
		cli_options_text(cmd, words.v, words.n, &s);
	} else {
		usage_brief(cmd, &s);
	}
	fputs(str_cstr(&s), stderr);
	vec_free(&words);
	free(copy);
	str_release(&s);
	return EXIT_USAGE;
}

int cli_usage_error(const struct cli_cmd *cmd, const char *fmt, ...)
{
	va_list ap;
	int ret;

	va_start(ap, fmt);
	ret = usage_error(cmd, NULL, fmt, ap);
	va_end(ap);
	return ret;
}

int cli_usage_error_opt(const struct cli_cmd *cmd, const char *names, const char *fmt, ...)
{
	va_list ap;
	int ret;

	va_start(ap, fmt);
	ret = usage_error(cmd, names, fmt, ap);
	va_end(ap);
	return ret;
}

static const struct cli_sub *find_sub(const struct cli_sub *subs, const char *word)
{
	const struct cli_sub *hit = NULL;
	int hits = 0;

	for (const struct cli_sub *s = subs; s->name; s++) {
		if (!strcmp(s->name, word))
			return s;
		if (strlen(word) >= 3 && str_has_prefix(s->name, word)) {
			hit = s;
			hits++;
		}
	}
	return hits == 1 ? hit : NULL;
}

static int no_sub(const struct cli_cmd *cmd, const struct cli_sub *subs)
{
	struct str names = STR_INIT;
	int status;

	for (const struct cli_sub *s = subs; s->name; s++)
		str_addf(&names, "%s%s", s == subs ? "" : ", ", s->name);
	status = cli_usage_error(cmd, "perf %s needs a sub-command: %s", cmd->name,
				 str_cstr(&names));
	str_release(&names);
	return status;
}

int cli_run_sub(const struct cli_cmd *cmd, const struct cli_sub *subs, int n, const char **argv,
		void *ctx)
{
	const struct cli_sub *sub = n > 0 ? find_sub(subs, argv[0]) : NULL;
	opt_list names = { NULL, 0, 0 };
	const char *best;
	int status;

	if (sub) {
		argv[0] = sub->name;
		return sub->run(n, argv, ctx);
	}
	if (n <= 0)
		return no_sub(cmd, subs);
	for (const struct cli_sub *s = subs; s->name; s++)
		vec_push(&names, s->name);
	best = nearest_name(argv[0], names.v, names.n);
	status = cli_usage_error(cmd, "perf %s has no '%s'%s%s%s", cmd->name, argv[0],
				 best ? "; did you mean '" : "", best ? best : "",
				 best ? "'?" : "");
	vec_free(&names);
	return status;
}
