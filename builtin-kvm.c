// SPDX-License-Identifier: GPL-2.0-or-later
// perf kvm: what guests do, and why their virtual CPUs leave them.
#include <errno.h>
#include <string.h>

#include "builtin-kvm.h"
#include "builtin-picture.h"
#include "builtin-record.h"
#include "builtin.h"
#include "util/base/log.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"

static int set_guest(const struct opt_use *u, struct err *err UNUSED)
{
	((struct kvm_cmd *)u->base)->no_guest = u->unset;
	return 0;
}

#define ST struct kvm_cmd
static const struct option_def kvm_options[] = {
	OPT_STRING('i', "input", ST, input, "file", "the recording to read"),
	OPT_STRING('o', "output", ST, output, "file", "where a recording is written to"),
	OPT_CALL_NO(0, "guest", NULL, set_guest, "what guests do (default)"),
	OPT_FLAG(0, "host", ST, host, "what the host does"),
	OPT_END
};
#undef ST

static const char *cycles(const struct kvm_cmd *c)
{
	return !c->host ? "cycles:G" : c->no_guest ? "cycles:H" : "cycles:GH";
}

/* Another command, with more before the words that were given. */
static int run_with(int (*cmd)(int argc, const char **argv), const char *name,
		    const char *const *more, int argc, const char **argv)
{
	opt_list line = { 0 };
	int status;

	vec_push(&line, name);
	while (*more)
		vec_push(&line, *more++);
	for (int i = 1; i < argc; i++)
		vec_push(&line, argv[i]);
	vec_push(&line, NULL);
	status = cmd((int)line.n - 1, line.v);
	vec_free(&line);
	return status;
}

/* ---- record, report, top and others: those of perf, of guests ---- */

struct kvm_record { struct kvm_cmd kvm; };

static const struct option_def record_options[] = {
	OPT_STRING('o', "output", struct kvm_record, kvm.output, "file",
		   "output file name (default: perf.data.guest, .kvm or .host)"),
	OPT_END
};

static int kvm_record(int argc, const char **argv, void *ctx)
{
	static const char *const usage[] = { "[<options of perf record>] [<command>]", NULL };
	static const char *const words[] = { "kvm", "record", NULL };
	struct kvm_record o = { .kvm = *(struct kvm_cmd *)ctx };
	struct picture_record r = { 0 };
	const struct option_table tables[] =
		{ { record_options, &o }, picture_options(&r, record_options),
		  cli_common_group(&o.kvm.common), { 0 } };
	const struct cli_cmd cmd = { .name = "kvm record", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION };
	int n = cli_parse(&cmd, argc, argv);
	const char *const events[] = { cycles(&o.kvm), NULL };
	const struct record_preset p = {
		.words = words, .events = r.events ? NULL : events,
		.output = o.kvm.output ? o.kvm.output : kvm_file(&o.kvm) };
	opt_list line = { 0 };

	if (n >= 0) {
		record_line(&line, &r.words, n, argv);
		n = record_with(&p, (int)line.n - 1, line.v);
		vec_free(&line);
	} else {
		n = cli_status(n);
	}
	picture_release(&r);
	return n;
}

static int kvm_report(int argc, const char **argv, void *ctx)
{
	const struct kvm_cmd *c = ctx;
	const struct { const char *option, *value; } given[] = {
		{ "-i", c->input ? c->input : kvm_file(c) },
		{ "--guestkallsyms", c->guests.kallsyms },
		{ "--guestmodules", c->guests.modules }, { "--guestmount", c->guests.mount },
		{ "--guestvmlinux", c->guests.vmlinux },
	};
	const char *more[2 * ARRAY_SIZE(given) + 1];
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(given); i++)
		if (given[i].value) {
			more[n++] = given[i].option;
			more[n++] = given[i].value;
		}
	more[n] = NULL;
	return run_with(cmd_report, "report", more, argc, argv);
}

static int kvm_buildid_list(int argc, const char **argv, void *ctx)
{
	const struct kvm_cmd *c = ctx;
	const char *const more[] = { "-i", c->input ? c->input : kvm_file(c), NULL };

	return run_with(cmd_buildid_list, "buildid-list", more, argc, argv);
}

static int kvm_diff(int argc, const char **argv, void *ctx UNUSED)
{
	const char *const more[] = { NULL };

	return run_with(cmd_diff, "diff", more, argc, argv);
}

static int kvm_top(int argc, const char **argv, void *ctx)
{
	const char *const more[] = { "-e", cycles(ctx), NULL };

	return run_with(cmd_top, "top", more, argc, argv);
}

int cmd_kvm(int argc, const char **argv)
{
	static const char *const usage[] = { "[<options>] "
					     "{top|record|report|diff|buildid-list|stat}", NULL };
	static const char *const words[] = { "top", "record", "report", "diff", "buildid-list",
					     "stat", NULL };
	static const struct cli_sub subs[] = {
		{ "top", kvm_top }, { "record", kvm_record }, { "report", kvm_report },
		{ "diff", kvm_diff }, { "buildid-list", kvm_buildid_list }, { "stat", kvm_stat },
		{ NULL, NULL } };
	struct kvm_cmd c = { .input = NULL };
	const struct option_table tables[] =
		{ { kvm_options, &c }, cli_guests_group(&c.guests), cli_common_group(&c.common),
		  { 0 } };
	const struct cli_cmd cmd = { .name = "kvm", .usage = usage, .tables = tables,
				     .flags = CLI_STOP_AT_NON_OPTION, .words = words };
	const int n = cli_parse(&cmd, argc, argv);

	return n < 0 ? cli_status(n) : cli_run_sub(&cmd, subs, n, argv, &c);
}
