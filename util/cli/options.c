// SPDX-License-Identifier: GPL-2.0-or-later
// Parsing the command line by option tables.
#include "util/cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/base/num.h"
#include "util/cli/error.h"
#include "util/cli/options-priv.h"

enum { EXIT_USAGE = 129 };

struct parse {
	const struct cli_cmd *cmd;
	const char **argv;
	int argc, i;		/* argv[i] is the word at hand */
	int n;			/* words kept so far, in argv[0..n) */
	int done;		/* != 0: leave with this value of CLI_DONE() */
	opt_saved saved;
};

struct found {
	const struct option_table *table;
	const struct option_def *def;
	bool unset;
};

static bool is_flag(const struct option_def *d)
{
	return !opt_takes_arg(d) || (d->flags & OPT_OPTARG);
}

static bool negated_name(const char *text, const char **rest)
{
	if (!str_has_prefix(text, "no-"))
		return false;
	*rest = text + 3;
	return true;
}

/* "--inherit" for an option that is called "no-inherit" */
static const char *positive_name(const struct option_def *d)
{
	return opt_negatable(d) && !opt_takes_arg(d) && str_has_prefix(d->name, "no-") ?
		d->name + 3 : NULL;
}

static bool find_exact(const struct cli_cmd *cmd, const char *text, struct found *f)
{
	for opt_each(t, d, cmd)
		if (d->name && !(d->flags & OPT_IN_FILE) && !strcmp(d->name, text)) {
			*f = (struct found){ t, d, false };
			return true;
		}
	for opt_each(t, d, cmd) {
		const char *rest, *pos;

		if (!d->name || d->flags & OPT_IN_FILE)
			continue;
		pos = positive_name(d);
		if ((negated_name(text, &rest) && !strcmp(rest, d->name)) ||
		    (pos && !strcmp(pos, text))) {
			*f = (struct found){ t, d, true };
			return true;
		}
	}
	return false;
}

struct prefix_match {
	struct found f;
	char first[80], second[80];	/* spellings, for the message about ambiguity */
	int n;
};

/* Of two tables' options of one name the first is meant, as when the name is whole. */
static void add_match(struct prefix_match *m, const struct option_table *t,
		      const struct option_def *d, bool unset,
		      const char *prefix, const char *name)
{
	char text[sizeof(m->first)];

	snprintf(text, sizeof(text), "--%s%s", prefix, name);
	if (m->n && (m->f.def == d || !strcmp(m->first, text)))
		return;
	if (m->n < 2)
		memcpy(m->n ? m->second : m->first, text, sizeof(text));
	if (!m->n)
		m->f = (struct found){ t, d, unset };
	m->n++;
}

static void find_prefix(const struct cli_cmd *cmd, const char *text, struct prefix_match *m)
{
	for opt_each(t, d, cmd) {
		const char *rest, *pos;

		if (!d->name || (d->flags & OPT_HIDDEN))
			continue;
		pos = positive_name(d);
		if (str_has_prefix(d->name, text))
			add_match(m, t, d, false, "", d->name);
		else if (opt_negatable(d) && negated_name(text, &rest) && *rest &&
			 str_has_prefix(d->name, rest))
			add_match(m, t, d, true, "no-", d->name);
		else if (pos && str_has_prefix(pos, text))
			add_match(m, t, d, true, "", pos);
	}
}

static const char *suggest_long(const struct cli_cmd *cmd, const char *text)
{
	VEC(const char *) names = { NULL, 0, 0 };
	const char *best;

	for opt_each(t, d, cmd)
		if (d->name && !(d->flags & OPT_HIDDEN))
			vec_push(&names, d->name);
	best = nearest_name(text, names.v, names.n);
	vec_free(&names);
	return best;
}

static void unknown_option(struct parse *p, const char *text)
{
	const char *absent = cli_absent_option(p->cmd->name, text), *best = absent ? NULL :
		suggest_long(p->cmd, text);
	struct str s = STR_INIT;

	str_add(&s, "Error: unknown option `");
	str_add_safe(&s, text);
	str_add(&s, "'\n");
	if (absent)
		str_addf(&s, "Hint: this perf does not have it: %s\n", absent);
	if (best)
		str_addf(&s, "Hint: did you mean `--%s'?\n", best);
	usage_brief(p->cmd, &s);
	fputs(str_cstr(&s), stderr);
	str_release(&s);
	p->done = CLI_DONE(EXIT_USAGE);
}

static void unknown_switch(struct parse *p, const char *c)
{
	const char *absent = cli_absent_option(p->cmd->name, (const char[]){ *c, '\0' });
	struct str s = STR_INIT;

	str_add(&s, "Error: unknown switch `");
	str_add_safen(&s, c, 1);
	str_add(&s, "'\n");
	if (absent)
		str_addf(&s, "Hint: this perf does not have it: %s\n", absent);
	usage_brief(p->cmd, &s);
	fputs(str_cstr(&s), stderr);
	str_release(&s);
	p->done = CLI_DONE(EXIT_USAGE);
}

static void ambiguous_option(struct parse *p, const char *text, const struct prefix_match *m)
{
	struct str s = STR_INIT;

	str_addf(&s, "Error: ambiguous option: %s (could be %s or %s)\n", text, m->first,
		 m->second);
	cli_usage_text(p->cmd, &s);
	cli_options_text(p->cmd, &text, 1, &s);
	fputs(str_cstr(&s), stderr);
	str_release(&s);
	p->done = CLI_DONE(EXIT_USAGE);
}

/* "Error: switch `e' TEXT" and the usage of that option. */
static int bad_use(struct parse *p, const struct option_def *d, bool by_long, bool unset,
		   const char *text)
{
	if (by_long)
		fprintf(stderr, "Error: option `%s%s' %s",
			unset && !str_has_prefix(d->name, "no-") ? "no-" : "", d->name, text);
	else
		fprintf(stderr, "Error: switch `%c' %s", d->short_name, text);
	usage_one_option(p->cmd, d);
	p->done = CLI_DONE(EXIT_USAGE);
	return -EINVAL;
}

static int call_back(struct parse *p, const struct found *f, const struct opt_use *u)
{
	struct err err = ERR_INIT;
	struct str s = STR_INIT;
	int ret = f->def->call(u, &err);

	if (ret >= 0)
		return 0;
	const bool forbidden = err.code == EACCES || err.code == EPERM;	/* not the user's mistake */

	cli_error_text(&err, &s);
	fputs(str_cstr(&s), stderr);
	if (!forbidden)
		usage_one_option(p->cmd, f->def);
	str_release(&s);
	err_release(&err);
	p->done = CLI_DONE(forbidden ? CLI_FAILED : EXIT_USAGE);
	return ret;
}

static int apply(struct parse *p, const struct found *f, const char *arg, bool by_long)
{
	const struct option_def *d = f->def;
	void *field = (char *)f->table->base + d->off;
	struct opt_use u = { d, f->table->base, field, arg, f->unset };
	const char *wrong;

	if (!arg && !f->unset && (d->flags & OPT_OPTARG))
		u.arg = d->dflt;
	if (d->kind == OPT_KIND_CALL)
		return call_back(p, f, &u);
	if (f->unset) {
		opt_clear(d, field, opt_saved_of(p->cmd, &p->saved, f->table, d));
	} else if (!opt_takes_arg(d)) {
		opt_set(d, field);
	} else if (u.arg) {
		wrong = opt_store(d, field, u.arg);
		if (wrong)
			return bad_use(p, d, by_long, false, wrong);
	}
	return 0;
}

/* The word after the option at hand, if it is (or, for an optional argument, may be) its
 * argument. */
static const char *next_arg(struct parse *p, const struct option_def *d)
{
	const char *next = p->i + 1 < p->argc ? p->argv[p->i + 1] : NULL;

	if (!next || ((d->flags & OPT_OPTARG) && !(d->takes_next && d->takes_next(next))))
		return NULL;
	p->i++;
	return next;
}

static int use_long(struct parse *p, const struct found *f, const char *value)
{
	const struct option_def *d = f->def;

	if (f->unset && !opt_negatable(d))
		return bad_use(p, d, true, true, "isn't available");
	if (value && (f->unset || !opt_takes_arg(d)))
		return bad_use(p, d, true, f->unset, "takes no value");
	if (!value && !f->unset && opt_takes_arg(d)) {
		value = next_arg(p, d);
		if (!value && !is_flag(d))
			return bad_use(p, d, true, false, "requires a value");
	}
	return apply(p, f, value, true);
}

static int keep(struct parse *p, const char *word)
{
	p->argv[p->n++] = word;
	return 0;
}

static int parse_long(struct parse *p, const char *word)
{
	const char *text = word + 2, *eq = strchr(text, '=');
	char *name = eq ? xstrndup(text, (size_t)(eq - text)) : xstrdup(text);
	struct prefix_match m = { .n = 0 };
	struct found f;
	int ret = 0;

	if (find_exact(p->cmd, name, &f)) {
		ret = use_long(p, &f, eq ? eq + 1 : NULL);
	} else if (!strcmp(name, "help")) {
		p->done = CLI_DONE(usage_show_man(p->cmd));
	} else if (!strcmp(name, "list-opts")) {
		p->done = CLI_DONE(usage_list_opts(p->cmd, eq ? eq + 1 : NULL));
	} else if (cli_absent_option(p->cmd->name, name)) {	/* no abbreviation of another one */
		unknown_option(p, name);
	} else {
		find_prefix(p->cmd, name, &m);
		if (m.n == 1)
			ret = use_long(p, &m.f, eq ? eq + 1 : NULL);
		else if (m.n > 1)
			ambiguous_option(p, name, &m);
		else if (p->cmd->flags & CLI_KEEP_UNKNOWN)
			ret = keep(p, word);
		else
			unknown_option(p, name);
	}
	free(name);
	return ret;
}

static bool find_short(const struct cli_cmd *cmd, char c, struct found *f)
{
	for opt_each(t, d, cmd)
		if (d->short_name == c) {
			*f = (struct found){ t, d, false };
			return true;
		}
	return false;
}

/* One dash and an exact long name of three letters or more: "-stdio", "-per-core", "-header=x". */
static bool single_dash_long(struct parse *p, const char *word)
{
	size_t n = strcspn(word + 1, "=");
	char *name;
	struct found f;
	bool hit;

	if (n < 3)
		return false;
	name = xstrndup(word + 1, n);
	hit = find_exact(p->cmd, name, &f);
	free(name);
	if (hit)
		use_long(p, &f, word[1 + n] ? word + n + 2 : NULL);
	return hit;
}

static void parse_shorts(struct parse *p, const char *word)
{
	if (single_dash_long(p, word))
		return;
	for (const char *c = word + 1; *c && !p->done; c++) {
		struct found f;
		const char *arg = NULL;

		if (!find_short(p->cmd, *c, &f)) {
			if (*c == 'h')
				p->done = CLI_DONE(usage_show_help(p->cmd, p->argv + p->i + 1,
								   (size_t)(p->argc - p->i - 1)));
			else if ((p->cmd->flags & CLI_KEEP_UNKNOWN) && c == word + 1)
				keep(p, word);
			else
				unknown_switch(p, c);
			return;
		}
		if (opt_takes_arg(f.def)) {
			bool bare = f.def->flags & OPT_BARE;

			arg = c[1] && !bare ? c + 1 : !c[1] ? next_arg(p, f.def) : NULL;
			if (!arg && !is_flag(f.def)) {
				bad_use(p, f.def, false, false, "requires a value");
				return;
			}
		}
		if (apply(p, &f, arg, false) < 0 || (arg && arg == c + 1))
			return;
	}
}

static void parse_words(struct parse *p)
{
	for (; p->i < p->argc && !p->done; p->i++) {
		const char *word = p->argv[p->i];

		if (word[0] != '-' || !word[1]) {
			if (p->cmd->flags & CLI_STOP_AT_NON_OPTION)
				break;
			keep(p, word);
		} else if (!strcmp(word, "--")) {
			p->i++;
			break;
		} else if (word[1] == '-') {
			parse_long(p, word);
		} else {
			parse_shorts(p, word);
		}
	}
}

/* Who is shown the commands instead of their being run. */
static struct { void (*show)(const struct cli_cmd *cmd, void *ctx); void *ctx; } shown;

void cli_show_commands(void (*show)(const struct cli_cmd *cmd, void *ctx), void *ctx)
{
	shown.show = show;
	shown.ctx = ctx;
}

static int show_only(const struct cli_cmd *cmd, int argc, const char **argv)
{
	shown.show(cmd, shown.ctx);
	if (!(cmd->flags & CLI_STOP_AT_NON_OPTION))	/* the words are no sub-commands */
		return CLI_DONE(0);
	for (const char *const *w = cmd->words; argc >= 2 && argv[1] && w && *w; w++)
		if (!strcmp(*w, argv[1])) {
			for (int i = 1; i < argc; i++)
				argv[i - 1] = argv[i];
			argv[0] = *w;
			argv[argc - 1] = NULL;
			return argc - 1;
		}
	return CLI_DONE(0);
}

int cli_parse(const struct cli_cmd *cmd, int argc, const char **argv)
{
	struct parse p = { .cmd = cmd, .argv = argv, .argc = argc, .i = 1 };
	struct err err = ERR_INIT;

	if (shown.show)
		return show_only(cmd, argc, argv);
	opt_save(cmd, &p.saved);
	if (opt_defaults(cmd, &p.saved, &err) < 0) {
		cli_error(&err);
		err_release(&err);
		p.done = CLI_DONE(EXIT_USAGE);
	}
	parse_words(&p);
	vec_free(&p.saved);
	if (p.done)
		return p.done;
	while (p.i < argc)
		keep(&p, argv[p.i++]);
	if (p.n && (cmd->flags & CLI_NO_ARGUMENTS))
		return CLI_DONE(cli_usage_error(cmd, "unexpected argument '%s'", argv[0]));
	argv[p.n] = NULL;
	return p.n;
}
