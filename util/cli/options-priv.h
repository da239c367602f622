/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_OPTIONS_PRIV_H
#define CLI_OPTIONS_PRIV_H
/*
 * Between options.c (parsing), option-values.c (storing), defaults.c (the configuration), usage.c
 * and manual.c (printing).
 */
#include "util/cli/options.h"

#define opt_each(t, d, cmd) \
	(const struct option_table *t = (cmd)->tables; t && t->defs; t++) \
		for (const struct option_def *d = t->defs; d->kind != OPT_KIND_END; d++)

static inline bool opt_takes_arg(const struct option_def *d)
{
	return d->arg != NULL;
}

static inline bool opt_negatable(const struct option_def *d)
{
	return d->name && !(d->flags & OPT_NONEG) &&
		(d->kind != OPT_KIND_CALL || (d->flags & OPT_UNSETS));
}

/* Storing a value of any kind but CALL. NULL, or what is wrong with the text. */
const char *opt_store(const struct option_def *d, void *field, const char *arg);
void opt_set(const struct option_def *d, void *field);
/* What --no-x does. dflt: the field's value before the first option, of opt_size() bytes. */
void opt_clear(const struct option_def *d, void *field, const u64 *dflt);

/* The fields of all options before the first one is used: what --no-x goes back to. */
typedef VEC(u64) opt_saved;
void opt_save(const struct cli_cmd *cmd, opt_saved *out);	/* vec_free() it */
const u64 *opt_saved_of(const struct cli_cmd *cmd, const opt_saved *saved,
			const struct option_table *table,
			const struct option_def *def);

/* The settings of the configuration files as defaults; 0 or -errno. */
int opt_defaults(const struct cli_cmd *cmd, const opt_saved *saved, struct err *err);

/* absent.c: what to do without an option (text up to a "=", or a letter) that other perfs have;
 * NULL: they have none of that name, either. */
const char *cli_absent_option(const char *cmd, const char *text);

/* -h, --help and --list-opts; the exit status. */
int usage_show_help(const struct cli_cmd *cmd, const char *const *words, size_t n_words);
int usage_show_man(const struct cli_cmd *cmd);
int usage_list_opts(const struct cli_cmd *cmd, const char *how);
/* The usage lines, and how to see the options: after an error, which must stay on the screen. */
void usage_brief(const struct cli_cmd *cmd, struct str *out);
/* The usage lines and one option on stderr. */
void usage_one_option(const struct cli_cmd *cmd, const struct option_def *d);

#endif
