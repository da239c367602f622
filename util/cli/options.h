/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H
/*
 * Option tables. One const table per command (and per shared group) is all there is: parsing, -h,
 * the manual's OPTIONS, and shell completion are made from it.
 *
 *	struct foo_opts { bool all; int freq; const char *output; opt_list events;
 *			  struct cli_common common; };
 *
 *	// u->arg is the text; --no-filter: see OPT_UNSETS. < 0: the message is shown with the
 *	// option's usage, exit 129
 *	static int set_filter(const struct opt_use *u, struct err *err)
 *	{
 *		struct foo_opts *o = u->base;
 *		return event_list_filter(o->list, u->arg, err);
 *	}
 *
 *	static const struct option_def foo_options[] = {
 *		OPT_FLAG('a', "all-cpus", struct foo_opts, all, "collect from all CPUs"),
 *		OPT_INT('F', "freq", struct foo_opts, freq, "n", "profile at this frequency"),
 *		OPT_STRING('o', "output", struct foo_opts, output, "file", "output file name"),
 *		OPT_LIST('e', "event", struct foo_opts, events, "event", "event selector"),
 *		OPT_CALL(0, "filter", "filter", set_filter, "event filter"),
 *		OPT_END
 *	};
 *
 *	int cmd_foo(int argc, const char **argv)	// argv[0] is the command's name
 *	{
 *		struct foo_opts o = { .freq = 4000 };		// defaults go into the struct
 *		const char *const usage[] = { "[<options>] [<command>]", NULL };
 *		const struct option_table tables[] =
 *			{ { foo_options, &o }, cli_common_group(&o.common), { 0 } };
 *		const struct cli_cmd cmd = { .name = "foo", .usage = usage, .tables = tables,
 *					     .flags = CLI_STOP_AT_NON_OPTION };
 *		int n = cli_parse(&cmd, argc, argv);
 *
 *		if (n < 0)
 *			return cli_status(n);	// -h was shown, or a usage error was printed
 *		... argv[0..n) are the arguments that are left, argv[n] is NULL ...
 *	}
 *
 * Understood by every command without a table line: -h [word...], --help, --list-opts.
 * Spellings: -e x, -ex, --event x, --event=x, bundled -ag, --no-x, unambiguous prefixes (--ev),
 * exact long names with one dash (-stdio), and "--" ends the options. A later table must not repeat
 * a name of an earlier one (the first one wins).
 */
#include "util/base/err.h"
#include "util/base/str.h"
#include "util/base/vec.h"

typedef VEC(const char *) opt_list;	/* texts borrowed from argv; vec_free() it */

/* --no-x switches off what an option switches on; one with a value is as if it had not been
 * given, on the command line or in a configuration file: its field has the command's own default
 * again. */
enum opt_kind {
	OPT_KIND_END,
	OPT_KIND_FLAG,		/* bool; --no-x sets false */
	OPT_KIND_COUNT,		/* int, one more per use; --no-x sets 0 */
	OPT_KIND_SET,		/* int = val; --no-x sets 0 */
	OPT_KIND_BIT,		/* u64 |= val; --no-x clears the bits */
	OPT_KIND_INT,		/* int */
	OPT_KIND_U64,
	OPT_KIND_DOUBLE,
	OPT_KIND_STRING,	/* const char *, borrowed from argv */
	OPT_KIND_LIST,		/* opt_list, one element per use; --no-x empties */
	OPT_KIND_DURATION,	/* u64 ns; a number without unit is in units of val ns */
	OPT_KIND_SIZE,		/* u64 bytes; k, M, G */
	/* int = index of the word in arg ("node|cpu"); unambiguous prefixes do */
	OPT_KIND_CHOICE,
	/* callback; takes an argument exactly if arg is set; --no-x only with OPT_UNSETS */
	OPT_KIND_CALL,
};

enum opt_flags {
	OPT_HIDDEN = 1,		/* works, but is not listed */
	/* the argument is optional and must be attached (-g[x], --x[=y]), see also takes_next */
	OPT_OPTARG = 2,
	OPT_NONEG = 4,		/* no --no-x */
	/* with OPT_OPTARG: nothing can be attached to the letter, so that it bundles (-vag) */
	OPT_BARE = 8,
	OPT_UNSIGNED = 16,	/* OPT_KIND_INT: not below 0 */
	/* no option, but a key of the configuration files, by its whole name: "call-graph.order",
	 * with - for _. It goes before an option of that name in the command's section. */
	OPT_IN_FILE = 64,
	/* OPT_KIND_CALL: the callback knows what --no-x (u->unset, without u->arg) means; without
	 * it there is no --no-x */
	OPT_UNSETS = 32,
};

struct option_def;
struct opt_use {
	const struct option_def *def;
	void *base;		/* of the table that has the option */
	void *field;		/* base + off */
	const char *arg;	/* NULL without one; borrowed from argv */
	bool unset;		/* --no-x */
};

struct option_def {
	const char *name;	/* long name or NULL */
	char short_name;	/* or 0 */
	u8 kind;		/* enum opt_kind */
	u8 flags;		/* enum opt_flags */
	size_t off;		/* of the field in the table's struct */
	u64 val;
	const char *arg;	/* what the argument is called, without < >; NULL: takes none */
	const char *help;	/* may have more lines */
	/* OPT_OPTARG: the text used when no argument is given (NULL: callbacks get NULL, others
	 * keep their value) */
	const char *dflt;
	int (*call)(const struct opt_use *use, struct err *err);
	/* OPT_OPTARG: the next word is the argument if this says so (old spellings such as "-g
	 * dwarf,1024"). */
	bool (*takes_next)(const char *word);
};

struct option_table {
	const struct option_def *defs;	/* up to OPT_END; NULL ends an array of tables */
	void *base;			/* the struct that "off" is in */
};

/* offsetof, and a compiler warning if the field has another type. */
#define OPT_OFF(st, field, type) (offsetof(st, field) + 0 * sizeof(&((st *)0)->field == (type *)0))
/* The same for an int or an enum. */
#define OPT_OFF_INT(st, field) \
	(offsetof(st, field) + 0 * sizeof(char[sizeof(((st *)0)->field) == sizeof(int) ? 1 : -1]))
/* Below: s, l the letter and the name, st, f the struct and its field, a the argument's name, d
 * what it is when it is left out, h the help. */
#define OPT_DEF(s, l, k, h, ...) \
	{ .name = l, .short_name = s, .kind = OPT_KIND_##k, .help = h, __VA_ARGS__ }

#define OPT_FLAG(s, l, st, f, h) OPT_DEF(s, l, FLAG, h, .off = OPT_OFF(st, f, bool))
#define OPT_COUNT(s, l, st, f, h) OPT_DEF(s, l, COUNT, h, .off = OPT_OFF(st, f, int))
/* The field is an int or an enum. */
#define OPT_SET(s, l, st, f, v, h) \
	OPT_DEF(s, l, SET, h, .off = OPT_OFF_INT(st, f), .val = (u64)(v))
#define OPT_BIT(s, l, st, f, v, h) OPT_DEF(s, l, BIT, h, .off = OPT_OFF(st, f, u64), .val = v)
#define OPT_INT(s, l, st, f, a, h) OPT_DEF(s, l, INT, h, .off = OPT_OFF(st, f, int), .arg = a)
/* From 0 on. */
#define OPT_UINT(s, l, st, f, a, h) \
	OPT_DEF(s, l, INT, h, .flags = OPT_UNSIGNED, .off = OPT_OFF(st, f, int), .arg = a)
#define OPT_U64(s, l, st, f, a, h) OPT_DEF(s, l, U64, h, .off = OPT_OFF(st, f, u64), .arg = a)
#define OPT_DOUBLE(s, l, st, f, a, h) \
	OPT_DEF(s, l, DOUBLE, h, .off = OPT_OFF(st, f, double), .arg = a)
#define OPT_STRING(s, l, st, f, a, h) \
	OPT_DEF(s, l, STRING, h, .off = OPT_OFF(st, f, const char *), .arg = a)
/* --x[=a]: without an argument the field becomes d. */
#define OPT_STRING_OPTARG(s, l, st, f, a, d, h) \
	OPT_DEF(s, l, STRING, h, .flags = OPT_OPTARG, .off = OPT_OFF(st, f, const char *), \
		.arg = a, .dflt = d)
#define OPT_LIST(s, l, st, f, a, h) \
	OPT_DEF(s, l, LIST, h, .off = OPT_OFF(st, f, opt_list), .arg = a)
#define OPT_DURATION(s, l, st, f, unit_ns, a, h) \
	OPT_DEF(s, l, DURATION, h, .off = OPT_OFF(st, f, u64), .val = unit_ns, .arg = a)
#define OPT_SIZE(s, l, st, f, a, h) OPT_DEF(s, l, SIZE, h, .off = OPT_OFF(st, f, u64), .arg = a)
/* The field is an int or an enum. */
#define OPT_CHOICE(s, l, st, f, a, h) \
	OPT_DEF(s, l, CHOICE, h, .off = OPT_OFF_INT(st, f), .arg = a)
/* a NULL: without argument. */
#define OPT_CALL(s, l, a, fn, h) OPT_DEF(s, l, CALL, h, .arg = a, .call = fn)
#define OPT_CALL_OPTARG(s, l, a, d, fn, h) \
	OPT_DEF(s, l, CALL, h, .flags = OPT_OPTARG, .arg = a, .dflt = d, .call = fn)
/* The same with OPT_UNSETS. */
#define OPT_CALL_NO(s, l, a, fn, h) \
	OPT_DEF(s, l, CALL, h, .flags = OPT_UNSETS, .arg = a, .call = fn)
#define OPT_CALL_OPTARG_NO(s, l, a, d, fn, h) \
	OPT_DEF(s, l, CALL, h, .flags = OPT_OPTARG | OPT_UNSETS, .arg = a, .dflt = d, .call = fn)
/* "section.key" in the configuration files (OPT_IN_FILE): a callback as that of an option with
 * an argument, or without (true, false). */
#define OPT_SETTING(l, a, fn) \
	OPT_DEF(0, l, CALL, "", .flags = OPT_IN_FILE | OPT_HIDDEN | OPT_UNSETS, .arg = a, \
		.call = fn)
/* The same of another kind: a flag (a NULL) or a value. */
#define OPT_SETTING_FIELD(l, k, st, f, a) \
	{ .name = l, .kind = k, .flags = OPT_IN_FILE | OPT_HIDDEN, .off = offsetof(st, f), \
	  .arg = a, .help = "" }
#define OPT_END { .kind = OPT_KIND_END }

enum cli_cmd_flags {
	CLI_STOP_AT_NON_OPTION = 1,	/* the first word that is no option begins a workload */
	/* unknown options are left among the arguments (commands that wrap another) */
	CLI_KEEP_UNKNOWN = 2,
	CLI_NO_ARGUMENTS = 4,		/* options only: a word left over is an error of usage */
};

struct cli_cmd {
	const char *name;		/* "record", "sched timehist" */
	const char *const *usage;	/* what stands after "perf NAME ", NULL-ended */
	const struct option_table *tables;	/* ended by { 0 } */
	unsigned flags;
	const char *const *words;	/* sub-commands for completion, NULL-ended, or NULL */
};

/* The configuration (config_used()) comes first: each setting "NAME.OPTION = value" whose NAME
 * is the command's first word and whose OPTION is the exact long name of an option (_ for - is
 * fine) is that option's default, as is each key of OPT_IN_FILE. Texts are borrowed from it.
 * >= 0: the number of arguments left in argv[0..n); < 0: done, leave the command with
 * cli_status(n). */
int cli_parse(const struct cli_cmd *cmd, int argc, const char **argv);
static inline int cli_status(int n) { return -1 - n; }
#define CLI_DONE(status) (-1 - (status))

/* "Error: text", the usage lines and how to see the options on stderr; returns 129, the exit
 * status of wrong usage. */
int cli_usage_error(const struct cli_cmd *cmd, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* The same with the options of these names (comma-separated long names or single letters). */
int cli_usage_error_opt(const struct cli_cmd *cmd, const char *names, const char *fmt,
			...) PRINTF_LIKE(3, 4);

/* Commands of commands ("perf sched latency"): after cli_parse() with CLI_STOP_AT_NON_OPTION, n
 * words are left in argv. Runs the one that argv[0] names, exactly or by an unambiguous beginning
 * of three letters or more; without or with a wrong name: the usage, 129. subs is ended by a name
 * of NULL; ctx is handed on. */
struct cli_sub {
	const char *name;
	int (*run)(int argc, const char **argv, void *ctx);
};
int cli_run_sub(const struct cli_cmd *cmd, const struct cli_sub *subs, int n, const char **argv,
		void *ctx);

/* A setting's name as tables have it: small letters, - for _. The caller frees. */
char *opt_setting_name(const char *name);
/* Until it is called with NULL: cli_parse() parses nothing, but shows each command; all but the
 * names of a sub-command (which are left to be run, and shown) end with status 0. One thread. */
void cli_show_commands(void (*show)(const struct cli_cmd *cmd, void *ctx), void *ctx);

/* The pieces, for help and tests. words: only options whose long name begins with one of them,
 * or NULL. */
void cli_usage_text(const struct cli_cmd *cmd, struct str *out);
void cli_options_text(const struct cli_cmd *cmd, const char *const *words, size_t n_words,
		      struct str *out);
/* The manual's OPTIONS, as perf-CMD.txt has it: those that which names ("pid tid a": long names,
 * or letters of those that have none), or with "!" before the names all others; "" or NULL: all. */
void cli_options_doc(const struct cli_cmd *cmd, const char *which, struct str *out);
/* "--all-cpus --event ..." */
void cli_options_names(const struct cli_cmd *cmd, struct str *out);

#endif
