// SPDX-License-Identifier: GPL-2.0-or-later
// perf --complete WORD...: what the last word of a command line could be, for the completion of
// shells (util/cli/complete.h). Every command on the way shows its option table, and is not run.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "builtin-export.h"
#include "builtin.h"
#include "util/analysis/hist/hist.h"
#include "util/analysis/hist/keys.h"
#include "util/base/num.h"
#include "util/cli/build-options.h"
#include "util/cli/complete.h"
#include "util/event/catalog.h"
#include "util/export/perf-script.h"
#include "util/record/record.h"
#include "util/syscalls/syscalls.h"

enum { DEEPEST = 4 };		/* perf bench sched messaging */

struct line {
	struct complete c;	/* first: the callbacks of complete.h get this */
	const struct perf_command *commands;
	const char *path[DEEPEST + 1];	/* the (sub-)commands so far */
	size_t depth;
	struct str name;	/* the path as one text */
	bool found;		/* the command of this name was shown */
	size_t shown, last;	/* how many were; none has the name: this one is meant */
	const struct cli_cmd *outer;	/* whose other options are those of another command */
};

/* ---- values ---- */

static void give_names(struct complete *c, const char *(*name)(size_t i))
{
	for (size_t i = 0; name(i); i++)
		complete_word(c, name(i), NULL);
}

static void give_events(struct complete *c)
{
	catalog all = { NULL, 0, 0 };
	struct err err = ERR_INIT;
	struct pmu_db *db;
	struct os os;

	os_init(&os);
	db = pmu_db_new(&os);
	catalog_read(&all, (1U << CATALOG_N) - 1, &os, db, &err);	/* whatever there is */
	for vec_each(e, &all) {
		if (!e->supported || e->kind == CATALOG_RAW || e->kind == CATALOG_BREAKPOINT)
			continue;
		complete_word(c, e->name, e->desc ? e->desc : e->made_desc);
		if (e->alias)
			complete_word(c, e->alias, e->desc);
	}
	catalog_release(&all);
	pmu_db_free(db);
	os_release(&os);
	err_release(&err);
}

static void give_event_list(struct complete *c)
{
	complete_list(c, ",{");
	give_events(c);
}

static void give_calls(struct complete *c)
{
	const struct arch_info *a = arch_host();

	complete_list(c, ",!");
	for (size_t i = 0; i < a->n_syscalls; i++)
		if (a->syscall_names[i])
			complete_word(c, a->syscall_names[i], "system call");
	for (size_t i = 0; syscall_class_name(i); i++)
		complete_word(c, syscall_class_name(i), "class of system calls");
	give_events(c);
}

static void give_sort_keys(struct complete *c)
{
	complete_list(c, ",+");
	give_names(c, hist_key_name);
}

static void give_record_modes(struct complete *c)
{
	complete_word(c, "auto", "what is best for each program");
	complete_word(c, "fp", "frame pointers");
	complete_word(c, "dwarf", "a copy of the stack, unwound by debug information");
	complete_word(c, "lbr", "the branch records of the CPU");
}

static void give_chain_words(struct complete *c)
{
	complete_list(c, ",");
	give_names(c, chain_opts_word);
}

static void give_branch_filters(struct complete *c)
{
	complete_list(c, ",");
	give_names(c, record_branch_word);
}

static void give_clocks(struct complete *c)
{
	give_names(c, record_clock_word);
}

static void give_registers(struct complete *c)
{
	const struct arch_info *a = arch_host();

	complete_list(c, ",");
	for (size_t i = 0; i < a->n_perf_regs; i++)
		if (a->perf_reg_names[i])
			complete_word(c, a->perf_reg_names[i], NULL);
}

static void give_script_fields(struct complete *c)
{
	struct str names = STR_INIT;
	char *copy, *left, *name;

	complete_list(c, ",+-:");
	script_fields_names(&names);
	copy = left = str_detach(&names);
	while ((name = strsep(&left, ",")))
		complete_word(c, name, NULL);
	free(copy);
}

static void give_formats(struct complete *c)
{
	for (const struct exporter *const *e = exporters; *e; e++)
		if ((*e)->format)
			complete_word(c, (*e)->format, NULL);
}

/* The option's name, its argument's, and the command that has it (NULL: all). */
static const struct {
	const char *option, *arg, *command;
	void (*give)(struct complete *c);
} values[] = {
	{ NULL, "event", "trace", give_calls },
	{ "expr", "expr", "trace", give_calls },
	{ NULL, "event", NULL, give_event_list },
	{ NULL, "key[,key2...]", "report", give_sort_keys },
	{ NULL, "key[,keys...]", "report", give_sort_keys },
	{ NULL, "key[,key2...]", "top", give_sort_keys },
	{ NULL, "key[,keys...]", "top", give_sort_keys },
	{ NULL, "key[,key2...]", "diff", give_sort_keys },
	{ NULL, "key[,key2...]", "mem report", give_sort_keys },
	{ "call-graph", "record_mode[,record_size]", NULL, give_record_modes },
	{ "call-graph", NULL, "top", give_record_modes },
	{ "call-graph", NULL, NULL, give_chain_words },
	{ NULL, "branch filter mask", NULL, give_branch_filters },
	{ NULL, "clockid", NULL, give_clocks },
	{ NULL, "register", NULL, give_registers },
	{ "fields", NULL, "script", give_script_fields },
	{ "format", NULL, "export", give_formats },
};

static bool matches(const char *wanted, const char *name)
{
	return !wanted || (name && !strcmp(wanted, name));
}

static bool give_value(struct complete *c, const struct cli_cmd *cmd, const struct option_def *d)
{
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		if (matches(values[i].option, d->name) && matches(values[i].arg, d->arg) &&
		    matches(values[i].command, cmd->name)) {
			values[i].give(c);
			return true;
		}
	return false;
}

/* ---- arguments ---- */

static void give_commands(struct complete *c)
{
	const struct line *l = (const struct line *)c;

	for (const struct perf_command *p = l->commands; p->name; p++)
		complete_word(c, p->name, p->help);
}

static bool give_argument(struct complete *c, const struct cli_cmd *cmd)
{
	const struct build_option *o;
	size_t n;

	if (!*cmd->name || !strcmp(cmd->name, "help")) {
		give_commands(c);
		return true;
	}
	if (!strcmp(cmd->name, "list"))
		give_events(c);
	if (strcmp(cmd->name, "check feature"))
		return false;
	complete_list(c, ",");
	for (o = build_options(&n); n; o++, n--)
		complete_word(c, o->name, o->macro);
	return true;
}

/* ---- commands ---- */

/* With the options of another command behind its own. */
static void with_other(const struct cli_cmd *other, void *ctx)
{
	struct line *l = ctx;
	struct cli_cmd both = *l->outer;
	VEC(struct option_table) tables = { NULL, 0, 0 };

	for (const struct option_table *t = l->outer->tables; t && t->defs; t++)
		vec_push(&tables, *t);
	for (const struct option_table *t = other->tables; t && t->defs; t++)
		vec_push(&tables, *t);
	vec_push(&tables, ((struct option_table){ NULL, NULL }));
	both.tables = tables.v;
	both.flags = other->flags;
	complete_command(&l->c, &both);
	vec_free(&tables);
}

/* "kmem record", "mem report": what they do not have themselves is for record, report. */
static const struct perf_command *other_command(const struct line *l, const struct cli_cmd *cmd)
{
	const char *space = strrchr(cmd->name, ' ');

	if (!space || !(cmd->flags & CLI_KEEP_UNKNOWN || !strcmp(space, " record")))
		return NULL;
	return find_command(l->commands, space + 1);
}

static void at_command(const struct cli_cmd *cmd, void *ctx)
{
	struct line *l = ctx;
	const struct perf_command *other = other_command(l, cmd);
	const char *argv[] = { other ? other->name : NULL, NULL };

	l->shown++;
	if (l->found || (l->last ? l->shown != l->last :
			 strcmp(cmd->name, str_cstr(&l->name)) != 0))
		return;
	l->found = true;
	if (!other) {
		complete_command(&l->c, cmd);
		return;
	}
	l->outer = cmd;
	cli_show_commands(with_other, l);
	other->run(1, argv);
}

static void show_path(struct line *l)
{
	const char *argv[DEEPEST + 1];

	memcpy(argv, l->path, sizeof(argv));
	argv[l->depth] = NULL;
	l->shown = 0;
	cli_show_commands(at_command, l);
	find_command(l->commands, argv[0])->run((int)l->depth, argv);
	cli_show_commands(NULL, NULL);
}

/* The sub-command that the line goes on with is shown behind its command; some ("stat record")
 * have no name of their own. */
static void go_on(struct line *l)
{
	if (!l->depth && !find_command(l->commands, l->c.sub)) {
		l->c.sub = NULL;
		return;
	}
	l->path[l->depth++] = l->c.sub;
	str_addf(&l->name, "%s%s", l->name.len ? " " : "", l->c.sub);
	l->c.sub = NULL;
	l->found = false;
	l->last = 0;
	show_path(l);
	l->last = l->shown;
	if (!l->found)
		show_path(l);
}

int complete_line(const struct perf_command *commands, const struct cli_cmd *globals, int n,
		  const char **words)
{
	const char *names[128];
	struct cli_cmd perf = *globals;
	struct str out = STR_INIT;
	struct line l = { .c = { .words = words, .n = (size_t)n, .values = give_value,
				 .arguments = give_argument, .out = &out },
			  .commands = commands };
	size_t i = 0;

	for (const struct perf_command *p = commands; p->name && i + 1 < ARRAY_SIZE(names); p++)
		names[i++] = p->name;
	names[i] = NULL;
	perf.words = names;
	if (n > 0)
		complete_command(&l.c, &perf);
	while (l.c.sub && l.depth < DEEPEST)
		go_on(&l);
	fputs(str_cstr(&out), stdout);
	str_release(&out);
	str_release(&l.name);
	return 0;
}
