// SPDX-License-Identifier: GPL-2.0-or-later
// Which settings of the configuration no command knows: every command shows its option tables,
// and is not run.
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>

#include "builtin.h"
#include "util/base/num.h"
#include "util/cli/config.h"
#include "util/cli/error.h"
#include "util/cli/options.h"

/* What is no option's: looked up by name. */
static const char *const looked_up[] = {
	"buildid.dir", "buildid-cache.debuginfod", "pager.*", "sched.schedstat", "session-*.run",
	"trace.add-events",
	"trace.args-alignment", "trace.capture", "trace.no-inherit", "trace.show-arg-names",
	"trace.show-duration", "trace.show-prefix", "trace.show-timestamp", "trace.show-zeros",
	"trace.tracepoint-beautifiers",
};

/* Of upstream's manual, for what this version does not have or does without. */
static const char *const no_effect[] = {
	"auxtrace.*", "convert.queue-size",
	"core.addr2line-disable-warn", "core.addr2line-timeout", "diff.*", "gtk.*",
	"help.*", "intel-pt.*", "itrace.*", "kmem.*", "llvm.*", "man.*", "record.aio",
	"report.queue-size", "samples.*", "scripts.*",
	"ui.*",
};

struct known { VEC(char *) names; VEC(const char *) words; };

static void add_known(const struct cli_cmd *cmd, void *ctx)
{
	struct known *k = ctx;
	const bool has_subs = cmd->flags & CLI_STOP_AT_NON_OPTION && !strchr(cmd->name, ' ');

	for (const struct option_table *t = cmd->tables; t && t->defs; t++)
		for (const struct option_def *d = t->defs; d->kind != OPT_KIND_END; d++)
			if (d->name)
				vec_push(&k->names, d->flags & OPT_IN_FILE ? xstrdup(d->name) :
					 xasprintf("%.*s.%s", (int)strcspn(cmd->name, " "),
						   cmd->name, d->name));
	for (const char *const *w = cmd->words; has_subs && w && *w; w++)
		/* that is perf record, but for what it finds in tracefs first */
		if (strcmp(cmd->name, "sched") || strcmp(*w, "record"))
			vec_push(&k->words, *w);
}

static void show_command(const struct perf_command *c, const char *sub)
{
	const char *argv[] = { c->name, sub, NULL };

	c->run(sub ? 2 : 1, argv);
}

static void know_all(struct known *k, const struct perf_command *commands)
{
	cli_show_commands(add_known, k);
	for (const struct perf_command *c = commands; c->name; c++) {
		vec_clear(&k->words);
		show_command(c, strcmp(c->name, "stat") ? NULL : "report");
		if (!strcmp(c->name, "stat"))
			show_command(c, NULL);
		for (size_t i = 0, n = k->words.n; i < n; i++)
			show_command(c, k->words.v[i]);
	}
	cli_show_commands(NULL, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(looked_up); i++)
		vec_push(&k->names, xstrdup(looked_up[i]));
	for (size_t i = 0; i < ARRAY_SIZE(no_effect); i++)
		vec_push(&k->names, xstrdup(no_effect[i]));
}

static bool listed(const char *const *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!fnmatch(names[i], name, 0))
			return true;
	return false;
}

static void add_place(struct str *s, const struct config_item *it)
{
	str_addch(s, '\'');
	str_add_safe(s, it->name);
	str_addf(s, "' at line %d of '", it->line);
	str_add_safe(s, it->file);
	str_addch(s, '\'');
}

unsigned config_check(const struct perf_command *commands, const struct config *c,
		      config_reported report)
{
	struct known k = { .names = { NULL, 0, 0 } };
	struct str s = STR_INIT;
	unsigned n_unknown = 0;

	know_all(&k, commands);
	for (size_t i = 0; i < c->items.n; i++) {
		char *name = opt_setting_name(c->items.v[i].name);
		const bool known = listed((const char *const *)k.names.v, k.names.n, name);
		const char *best = known ? NULL : nearest_name(name, (const char *const *)k.names.v,
							       k.names.n);

		str_reset(&s);
		add_place(&s, &c->items.v[i]);
		if (!known)
			str_addf(&s, " is no setting that is known%s%s%s",
				 best ? ": did you mean '" : "", best ? best : "", best ? "'?" :
				 "");
		else
			str_add(&s, " has no effect in this version");
		if (!known || listed(no_effect, ARRAY_SIZE(no_effect), name))
			report(str_cstr(&s), known);
		n_unknown += !known;
		free(name);
	}
	for vec_each(name, &k.names)
		free(*name);
	vec_free(&k.names);
	vec_free(&k.words);
	str_release(&s);
	return n_unknown;
}
