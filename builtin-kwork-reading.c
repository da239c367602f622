// SPDX-License-Identifier: GPL-2.0-or-later
// What the sub-commands of perf kwork share that read a recording.
#include <errno.h>
#include <string.h>

#include "builtin-dump.h"
#include "builtin-kwork.h"
#include "util/base/words.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/session/warnings.h"

const struct option_def kwork_class_options[] = {
	OPT_STRING('k', "kwork", struct kwork_input, classes, "kwork[,kwork...]",
		   "only work of these kinds: irq, softirq, workqueue, sched"),
	OPT_END
};

const struct option_def kwork_input_options[] = {
	OPT_STRING('i', "input", struct kwork_input, path, "file",
	     "the recording to read (default: perf.data; -: standard input)"),
	OPT_STRING('n', "name", struct kwork_input, name, "name",
		   "only work of this name: TIMER, or a function of a work queue"),
	OPT_STRING('C', "cpu", struct kwork_input, stream.filter.cpus, "cpu",
		   "only work on these CPUs (0-3,8)"),
	OPT_STRING(0, "time", struct kwork_input, stream.filter.time, "str",
		   "only this span of time: start,stop (in s; or percentages: 10%-20%)"),
	OPT_FLAG('D', "dump-raw-trace", struct kwork_input, dump, "print all records of the file"),
	OPT_FLAG('f', "force", struct kwork_input, force,
		 "read a recording that belongs to another user"),
	OPT_END
};

static int parse_classes(const char *list, unsigned *out, struct err *err)
{
	for (const char *p = list; p && *p; p += *p == ',') {
		const size_t n = strcspn(p, ",");
		const int c = word_index(kwork_class_names, KWORK_N_CLASSES, p, n);

		if (c < 0) {
			err_set(err, EINVAL, "--kwork: there is no kind of work '%.*s'", (int)n, p);
			err_hint(err, "the kinds are: irq, softirq, workqueue, sched");
			return -EINVAL;
		}
		*out |= 1U << c;
		p += n;
	}
	return 0;
}

int kwork_parse_classes(const char *list, unsigned *out)
{
	struct err err = ERR_INIT;
	int ret = parse_classes(list, out, &err);

	if (ret)
		cli_error(&err);
	err_release(&err);
	return ret;
}

void kwork_events(unsigned classes, const char *names[KWORK_EVENTS])
{
	static const struct { enum kwork_class class; const char *name; } events[KWORK_EVENTS] = {
		{ KWORK_IRQ, "irq:irq_handler_entry" }, { KWORK_IRQ, "irq:irq_handler_exit" },
		{ KWORK_SOFTIRQ, "irq:softirq_raise" }, { KWORK_SOFTIRQ, "irq:softirq_entry" },
		{ KWORK_SOFTIRQ, "irq:softirq_exit" },
		{ KWORK_WORKQUEUE, "workqueue:workqueue_activate_work" },
		{ KWORK_WORKQUEUE, "workqueue:workqueue_execute_start" },
		{ KWORK_WORKQUEUE, "workqueue:workqueue_execute_end" },
		{ KWORK_SCHED, "sched:sched_switch" },
	};
	int n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		if (!classes || classes >> events[i].class & 1)
			names[n++] = events[i].name;
}

static int bad_key(const struct kwork_sort *sort, const char *key, size_t n)
{
	struct err err = ERR_INIT;
	struct str names = STR_INIT;

	for (int i = 0; i < sort->n_names; i++)
		if (sort->names[i])
			str_addf(&names, "%s%s", names.len ? ", " : "", sort->names[i]);
	err_set(&err, EINVAL, "--sort: there is no key '%.*s'", (int)n, key);
	err_hint(&err, "the keys are: %s", str_cstr(&names));
	cli_error(&err);
	str_release(&names);
	err_release(&err);
	return -EINVAL;
}

int kwork_parse_sort(struct kwork_sort *sort)
{
	for (const char *p = sort->keys; *p; p += *p == ',') {
		const size_t n = strcspn(p, ",");
		const int k = word_index(sort->names, sort->n_names, p, n);

		if (k < 0)
			return bad_key(sort, p, n);
		if (sort->n_sorts < (int)ARRAY_SIZE(sort->sorts))
			sort->sorts[sort->n_sorts++] = k;
		p += n;
	}
	return 0;
}

int kwork_parse(struct kwork_input *in, struct kwork_sort *sort, const char *name,
		struct option_table own, int argc, const char **argv)
{
	const char *const usage[] = { "[<options>]", NULL };
	const struct option_table tables[] = {
		own, { kwork_class_options, in }, { kwork_input_options, in },
		cli_symbols_group(&in->stream.symbols), cli_output_group(&in->data),
		session_group(), cli_common_group(&in->common), { 0 } };
	const struct cli_cmd cmd = { .name = name, .usage = usage, .tables = tables,
				     .flags = CLI_NO_ARGUMENTS };
	const int n = cli_parse(&cmd, argc, argv);

	return n >= 0 && sort->keys && kwork_parse_sort(sort) ? CLI_DONE(CLI_FAILED) : n;
}

int kwork_open(struct session *s, const struct kwork_input *in,
	       int (*need)(const struct event_list *events, const char *path, struct err *err))
{
	return open_for_events(s, &(struct session_opts){ .path = in->path, .force = in->force,
							  .quiet = in->common.quiet },
			       in->dump, need, &in->stream);
}

int kwork_close(struct session *s, u64 n_bad, int ret)
{
	session_warn_analysis(s, n_bad, ret);
	return session_close(s, ret);
}
