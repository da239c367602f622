// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/daemon/plan.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/str.h"
#include "util/base/xalloc.h"

#define NAME_LONGEST 64

static int check_name(const char *name, struct err *err)
{
	const size_t n = strlen(name);
	bool fine = n && n <= NAME_LONGEST && name[0] != '.';

	for (const char *c = name; *c; c++)
		fine &= isalnum((unsigned char)*c) || strchr("-_.+@", *c);
	if (fine)
		return 0;
	err_set(err, EINVAL, "'%.*s' cannot be the name of a session", NAME_LONGEST, name);
	err_hint(err, "use letters, digits and - _ . + @, at most %d, without a dot in front",
		 NAME_LONGEST);
	return -EINVAL;
}

static int add_word(const char **p, struct str *word, struct err *err)
{
	char quote = 0;

	for (; **p && (quote || !isspace((unsigned char)**p)); ++*p) {
		if (**p == '\\' && quote != '\'' && (*p)[1])
			str_addch(word, *++*p);
		else if (quote ? **p == quote : **p == '"' || **p == '\'')
			quote = quote ? 0 : **p;
		else
			str_addch(word, **p);
	}
	if (!quote)
		return 0;
	err_set(err, EINVAL, "a quote (%c) is not closed in 'run'", quote);
	err_hint(err, "in the file, ; and # begin a comment unless the value stands in \"...\"");
	return -EINVAL;
}

int daemon_words_split(daemon_words *out, const char *run, struct err *err)
{
	struct str word = STR_INIT;
	int ret = 0;

	for (;;) {
		while (isspace((unsigned char)*run))
			run++;
		if (!*run || ret)
			break;
		ret = add_word(&run, &word, err);
		if (!ret)
			vec_push(out, str_detach(&word));
		str_release(&word);
	}
	vec_push(out, NULL);
	out->n--;
	return ret;
}

void daemon_words_release(daemon_words *w)
{
	for vec_each(word, w)
		free(*word);
	vec_free(w);
}

/* The daemon gives --control itself. Words of the command that is recorded are its own: they stand
 * after the first word that is no option and no option's value, which only record knows; "--" is
 * sure. */
static int check_run(const char *run, struct err *err)
{
	daemon_words words = { 0 };
	int ret = daemon_words_split(&words, run, err);

	if (!ret && !words.n) {
		ret = err_set(err, EINVAL, "'run' is empty: nothing would be recorded");
		err_hint(err, "write the options of perf record: run = -a -e cpu-clock "
			      "--switch-output=1m");
	}
	for (size_t i = 0; i < words.n && !ret && strcmp(words.v[i], "--"); i++)
		if (str_has_prefix(words.v[i], "--control")) {
			ret = err_set(err, EINVAL, "'%s': the daemon itself has the control "
						   "channel", words.v[i]);
			err_hint(err, "leave it out; perf daemon signal and ping use it");
		}
	daemon_words_release(&words);
	return ret;
}

static struct daemon_plan_session *find(const struct daemon_plan *p, const char *name)
{
	for vec_each(s, &p->sessions)
		if (!strcmp(s->name, name))
			return s;
	return NULL;
}

const struct daemon_plan_session *daemon_plan_find(const struct daemon_plan *p, const char *name)
{
	return find(p, name);
}

int daemon_plan_add(struct daemon_plan *p, const char *name, const char *run, struct err *err)
{
	struct daemon_plan_session *s = find(p, name);
	int ret = check_name(name, err);

	if (!ret)
		ret = check_run(run, err);
	if (ret)
		return ret;
	if (s) {
		free(s->run);
		s->run = xstrdup(run);
	} else {
		vec_push(&p->sessions, ((struct daemon_plan_session){ xstrdup(name),
								      xstrdup(run) }));
	}
	return 0;
}

void daemon_plan_release(struct daemon_plan *p)
{
	for vec_each(s, &p->sessions) {
		free(s->name);
		free(s->run);
	}
	vec_free(&p->sessions);
}
