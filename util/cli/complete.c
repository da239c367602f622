// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/cli/complete.h"

#include <ctype.h>
#include <stdlib.h>

#include "util/cli/options-priv.h"

void complete_word(struct complete *c, const char *word, const char *help)
{
	if (!str_has_prefix(word, c->typed))
		return;
	str_addn(c->out, c->words[c->n - 1], c->head);
	str_add_safe(c->out, word);
	if (help && *help) {
		str_addch(c->out, '\t');
		str_add_safen(c->out, help, strcspn(help, "\n"));
	}
	str_addch(c->out, '\n');
}

void complete_list(struct complete *c, const char *separators)
{
	for (const char *p = c->typed + strcspn(c->typed, separators); *p;
	     p = c->typed + strcspn(c->typed, separators)) {
		c->head += (size_t)(p + 1 - c->typed);
		c->typed = p + 1;
	}
}

static void complete_request(struct complete *c, const char *request)
{
	str_addf(c->out, "@%s\n", request);
}

static void type_from(struct complete *c, size_t head)
{
	c->head = head;
	c->typed = c->words[c->n - 1] + head;
}

/* ---- what an option is given ---- */

static const struct option_def *find_long(const struct cli_cmd *cmd, const char *name, size_t n)
{
	for opt_each(t, d, cmd) {
		(void)t;
		if (d->name && !(d->flags & OPT_IN_FILE) && strlen(d->name) == n &&
		    !strncmp(d->name, name, n))
			return d;
	}
	return NULL;
}

static const struct option_def *find_letter(const struct cli_cmd *cmd, char letter)
{
	for opt_each(t, d, cmd) {
		(void)t;
		if (d->short_name == letter)
			return d;
	}
	return NULL;
}

/* The option of the last letter in "-ab", if what follows must be its argument. *attached: there
 * is one already, from this byte on. */
static const struct option_def *by_letters(const struct cli_cmd *cmd, const char *word,
					   size_t *attached)
{
	*attached = 0;
	for (size_t i = 1; word[i]; i++) {
		const struct option_def *d = find_letter(cmd, word[i]);

		if (!d)
			return NULL;
		if (!opt_takes_arg(d) || (d->flags & OPT_BARE))
			continue;
		if (word[i + 1])
			*attached = i + 1;
		return word[i + 1] || !(d->flags & OPT_OPTARG) || d->takes_next ? d : NULL;
	}
	return NULL;
}

/* The option whose argument is the word after this one, or (see takes_next) could be. */
static const struct option_def *wants_next(const struct cli_cmd *cmd, const char *word)
{
	const struct option_def *d;
	size_t attached;

	if (word[1] != '-') {
		d = by_letters(cmd, word, &attached);
		return attached ? NULL : d;
	}
	d = strchr(word, '=') ? NULL : find_long(cmd, word + 2, strlen(word + 2));
	return d && opt_takes_arg(d) && (!(d->flags & OPT_OPTARG) || d->takes_next) ? d : NULL;
}

static bool is_its_argument(const struct option_def *d, const char *word)
{
	return !(d->flags & OPT_OPTARG) || d->takes_next(word);
}

static bool is_plain(const char *word, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)word[i]) && !strchr("-_", word[i]))
			return false;
	return n;
}

/* "relative|absolute": false if it is not only words. */
static bool words_of(struct complete *c, const char *arg)
{
	const char *w;

	for (w = arg; ; w += strcspn(w, "|") + 1) {
		if (!is_plain(w, strcspn(w, "|:")))
			return false;
		if (!w[strcspn(w, "|")])
			break;
	}
	if (w == arg)
		return false;
	for (w = arg; ; w += strcspn(w, "|") + 1) {
		char *word = xstrndup(w, strcspn(w, "|:"));

		complete_word(c, word, NULL);
		free(word);
		if (!w[strcspn(w, "|")])
			return true;
	}
}

static char *trim(char *word)
{
	size_t n;

	word += strspn(word, " ");
	for (n = strlen(word); n && word[n - 1] == ' ';)
		word[--n] = '\0';
	return word;
}

/* "sort rows by these keys: runtime, switch, avg or max": false if there are no such words at the
 * end of the text (or nothing else: "always, never or auto"). */
static bool words_of_help(struct complete *c, const char *help)
{
	const char *colon = strstr(help, ": "), *from = colon ? colon + 2 : help;
	char *copy = xstrndup(from, (size_t)(strchrnul(from, '(') - from)), *left = copy, *word;
	VEC(char *) words = { NULL, 0, 0 };
	bool ok = true;

	while ((word = strsep(&left, ",\n")) && ok) {
		char *or = strstr(word, " or "), *second = or ? or + 4 : NULL;

		if (or)
			*or = '\0';
		for (; word && ok; word = second, second = NULL) {
			word = trim(word);
			ok = is_plain(word, strlen(word));
			vec_push(&words, word);
		}
	}
	for (size_t i = 0; ok && words.n > 1 && i < words.n; i++)
		complete_word(c, words.v[i], NULL);
	ok = ok && words.n > 1;
	vec_free(&words);
	free(copy);
	return ok;
}

static void give_value(struct complete *c, const struct cli_cmd *cmd, const struct option_def *d)
{
	static const char *const files[] = { "file", "path", "test.xml" },
		*const dirs[] = { "dir", "directory" };
	const size_t n = strcspn(d->arg, "[, ");

	if (c->values && c->values(c, cmd, d))
		return;
	if (strstr(d->arg, "[,"))
		complete_list(c, ",");
	if (words_of(c, d->arg) || (d->help && words_of_help(c, d->help)))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++)
		if (strlen(dirs[i]) == n && !strncmp(d->arg, dirs[i], n))
			complete_request(c, "dir");
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (strlen(files[i]) == n && !strncmp(d->arg, files[i], n))
			complete_request(c, "file");
}

/* ---- options ---- */

static void offer(struct complete *c, const struct option_def *d, const char *lead)
{
	const bool attached = d->arg && d->flags & OPT_OPTARG && !*lead;
	char *word = xasprintf("--%s%s", lead, d->name);

	complete_word(c, word, d->help);
	free(word);
	if (attached) {
		word = xasprintf("--%s=", d->name);
		complete_word(c, word, d->help);
		free(word);
	}
}

static bool seen_before(const struct cli_cmd *cmd, const struct option_def *last)
{
	for opt_each(t, d, cmd) {
		(void)t;
		if (d == last)
			return false;
		if (d->name && last->name && !strcmp(d->name, last->name))
			return true;
	}
	return false;
}

static void offer_options(struct complete *c, const struct cli_cmd *cmd)
{
	const bool negated = str_has_prefix(c->typed, "--no-");

	for opt_each(t, d, cmd) {
		char letter[] = { '-', d->short_name, '\0' };

		(void)t;
		if (d->flags & (OPT_HIDDEN | OPT_IN_FILE) || seen_before(cmd, d))
			continue;
		if (d->name)
			offer(c, d, "");
		else if (d->short_name)
			complete_word(c, letter, d->help);
		if (d->name && negated && opt_negatable(d) && !str_has_prefix(d->name, "no-"))
			offer(c, d, "no-");
	}
	complete_word(c, "--help", "show the manual page");
}

/* ---- the line ---- */

static void give_option(struct complete *c, const struct cli_cmd *cmd)
{
	const char *word = c->typed, *eq = str_has_prefix(word, "--") ? strchr(word, '=') : NULL;
	const struct option_def *d;
	size_t attached = 0;

	if (eq) {
		d = find_long(cmd, word + 2, (size_t)(eq - word) - 2);
		attached = (size_t)(eq - word) + 1;
	} else {
		d = word[1] && word[1] != '-' ? by_letters(cmd, word, &attached) : NULL;
	}
	if (d && d->arg && attached) {
		type_from(c, attached);
		give_value(c, cmd, d);
	} else if (!eq) {
		offer_options(c, cmd);
	}
}

static void give_workload(struct complete *c, size_t first)
{
	char *request = xasprintf("command %zu", first);

	complete_request(c, request);
	free(request);
}

/* "record [-o file] [<command>]": of a command that is one without a sub-command, too. */
static size_t sub_of_usage(const char *usage)
{
	const size_t n = strcspn(usage, " ");

	return is_plain(usage, n) && *usage != '-' ? n : 0;
}

/* The sub-command of this name, if there is one: it is kept in c->sub. */
static bool find_sub(struct complete *c, const struct cli_cmd *cmd, const char *word)
{
	if (!(cmd->flags & CLI_STOP_AT_NON_OPTION))
		return false;
	for (const char *const *w = cmd->words; w && *w; w++)
		if (!strcmp(*w, word))
			c->sub = word;
	for (const char *const *u = cmd->usage; u && *u; u++)
		if (sub_of_usage(*u) == strlen(word) && str_has_prefix(*u, word))
			c->sub = word;
	return c->sub;
}

static void give_subs(struct complete *c, const struct cli_cmd *cmd)
{
	for (const char *const *w = cmd->words; w && *w; w++)
		complete_word(c, *w, NULL);
	for (const char *const *u = cmd->usage; u && *u && !cmd->words; u++) {
		char *word = xstrndup(*u, sub_of_usage(*u));

		if (*word)
			complete_word(c, word, NULL);
		free(word);
	}
}

static void give_argument(struct complete *c, const struct cli_cmd *cmd, bool first)
{
	if (c->arguments && c->arguments(c, cmd))
		return;
	if (first)
		give_subs(c, cmd);
	if (cmd->words || cmd->flags & CLI_NO_ARGUMENTS)
		return;
	if (cmd->flags & CLI_STOP_AT_NON_OPTION)
		give_workload(c, c->n - 1);
	else
		complete_request(c, "file");
}

void complete_command(struct complete *c, const struct cli_cmd *cmd)
{
	bool first = true, options = true;

	c->sub = NULL;
	for (size_t i = c->at; i + 1 < c->n; i++) {
		const char *w = c->words[i];
		const bool option = options && w[0] == '-' && w[1];
		const struct option_def *d = option ? wants_next(cmd, w) : NULL;

		if (option && !strcmp(w, "--"))
			options = false;
		if (d && i + 2 == c->n) {
			type_from(c, 0);
			give_value(c, cmd, d);
			if (!(d->flags & OPT_OPTARG))
				return;
		} else if (d && is_its_argument(d, c->words[i + 1])) {
			i++;
		}
		if (option)
			continue;
		if (first && find_sub(c, cmd, w)) {
			c->at = i + 1;
			return;
		}
		if (cmd->flags & CLI_STOP_AT_NON_OPTION) {
			if (!cmd->words)
				give_workload(c, i);
			return;
		}
		first = false;
	}
	type_from(c, 0);
	if (options && c->typed[0] == '-')
		give_option(c, cmd);
	else
		give_argument(c, cmd, first);
}
