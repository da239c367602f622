/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_KWORK_H
#define BUILTIN_KWORK_H
/*
 * The parts of perf kwork: builtin-kwork-report.c and -top.c have the sub-commands that read a
 * recording, builtin-kwork-reading.c what they share, builtin-kwork.c the rest. Sub-commands are as
 * cli_run_sub() starts them; in: struct kwork_input.
 */
#include "util/analysis/kwork.h"
#include "util/base/table.h"
#include "util/cli/common.h"
#include "util/session/session.h"

struct kwork_input {
	const char *path, *classes, *name;
	bool force, dump;
	struct table_output data;
	struct stream_opts stream;
	struct cli_common common;
};

extern const struct option_def kwork_class_options[];	/* of a struct kwork_input */
extern const struct option_def kwork_input_options[];	/* of a struct kwork_input */

/* "irq,softirq": a bit for each; a message was printed if < 0. NULL: none. */
int kwork_parse_classes(const char *list, unsigned *out);
/* The events of such classes (0: all), for record and live. */
#define KWORK_EVENTS 9
void kwork_events(unsigned classes, const char *names[KWORK_EVENTS]);
/* As cli_parse(); own: of a sub-command, of the struct at base; its --sort is keys, one of n
 * names, and sorts[0..*n_sorts) become their indexes. */
struct kwork_sort {
	const char *keys;		/* as given, or the default */
	const char *const *names;	/* NULL: no key in its place */
	int n_names, sorts[8], n_sorts;
};
int kwork_parse_sort(struct kwork_sort *sort);	/* a message was printed if < 0 */
int kwork_parse(struct kwork_input *in, struct kwork_sort *sort, const char *name,
		struct option_table own, int argc, const char **argv);
/* Opens and prepares; need: whether the events are there. kwork_close() is due in any case and
 * gives the exit status; n_bad: events without the needed fields. */
int kwork_open(struct session *s, const struct kwork_input *in,
	       int (*need)(const struct event_list *events, const char *path, struct err *err));
int kwork_close(struct session *s, u64 n_bad, int ret);

int kwork_report(int argc, const char **argv, void *in);
int kwork_latency(int argc, const char **argv, void *in);
int kwork_timehist(int argc, const char **argv, void *in);
int kwork_top(int argc, const char **argv, void *in);
int kwork_live(int argc, const char **argv, void *in);

#endif
