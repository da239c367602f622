// SPDX-License-Identifier: GPL-2.0-or-later
// What the sub-commands of perf ftrace share: durations out of the tracer's lines, and the end.
#include <string.h>

#include "builtin-ftrace.h"
#include "util/base/words.h"
#include "util/cli/error.h"

struct lines { struct ftrace_model *model; struct str rest; };

static void take_lines(void *ctx, const char *text, size_t len)
{
	struct lines *l = ctx;

	for (size_t n; len; text += n, len -= n) {
		const char *end = memchr(text, '\n', len);

		n = end ? (size_t)(end - text) + 1 : len;
		str_addn(&l->rest, text, end ? n - 1 : n);
		if (!end)
			continue;
		ftrace_model_line(l->model, str_cstr(&l->rest), l->rest.len);
		str_reset(&l->rest);
	}
}

int ftrace_measure(struct ftrace_opts *c, const char **argv, struct ftrace_model *m, u64 *n_lost,
		   struct err *err)
{
	struct lines l = { .model = m };
	struct ftrace_reader reader = { .take = take_lines, .ctx = &l };
	int ret;

	c->run.graph_opts.tail = true;
	ret = ftrace_run(&c->run, "function_graph", argv, &reader, err);
	*n_lost = reader.n_lost;
	str_release(&l.rest);
	return ret;
}

int ftrace_finish(struct ftrace_opts *c, int ret, u64 n_lost, struct err *err)
{
	if (ret)
		ret = cli_error(err);
	if (n_lost)
		cli_warn("%llu events were overwritten before they were read: a larger buffer "
			 "(-m 32M) or fewer functions (-T, -G) help", (unsigned long long)n_lost);
	err_release(err);
	vec_free(&c->run.funcs);
	vec_free(&c->run.notrace);
	vec_free(&c->run.graph);
	vec_free(&c->run.nograph);
	return ret;
}
