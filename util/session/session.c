// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/session/session.h"

#include <errno.h>

#include "util/base/num.h"
#include "util/cli/error.h"
#include "util/inject/itrace.h"
#include "util/session/warnings.h"

static int decode_traces(struct session *s, const struct session_opts *o)
{
	static const struct symbols_opts none;
	struct inject_traces done;
	int ret = inject_decode_traces(s->source->reader, &s->os, o->itrace,
				       o->symbols ? o->symbols : &none, &done, &s->err);

	s->traces_decoded = !ret && done.found;
	s->trace_errors = done.n_errors;
	s->given = done.given;
	s->source->given = &s->given;
	return ret;
}

int session_open(struct session *s, const struct session_opts *o)
{
	const bool decode = o->itrace && !o->itrace->none && !o->header_only;
	const unsigned flags = (o->force ? DATA_FORCE : 0) |
		(o->header_only ? DATA_HEADER_ONLY : 0) |
		(decode || o->keep_traces ? DATA_KEEP_TRACES : 0);
	int ret;

	os_init(&s->os);
	s->open = true;
	s->quiet = o->quiet;
	s->source = &s->recording;
	ret = source_open_file(&s->recording, o->path, flags, &s->err);
	if (ret == 0 && decode && inject_has_traces(s->source->reader))
		ret = decode_traces(s, o);
	if (ret == 0 && o->keep_traces && !decode)
		data_aux_is_decoded(s->source->reader);	/* whoever reads the copy decodes it */
	return ret;
}

int session_prepare(struct session *s, const struct stream_opts *o)
{
	s->stream = stream_new(s->source, &s->os, o, &s->err);
	return s->stream ? 0 : -EINVAL;
}

int session_run(struct session *s, struct sink *const *sinks, size_t n)
{
	int ret = s->stream ? 0 : session_prepare(s, &(struct stream_opts){ .threads = 1 });

	return ret ? ret : stream_run(s->stream, sinks, n, &s->err);
}

int session_close(struct session *s, int ret)
{
	if (!s->open)
		return ret;
	session_warn(s);
	if (ret == -EPIPE)		/* who read our output has seen enough */
		ret = 0;
	else if (ret < 0)
		ret = cli_error(&s->err);
	stream_free(s->stream);
	stream_stats_release(&s->counted);
	source_close(s->source);
	given_stacks_release(&s->given);
	os_release(&s->os);
	err_release(&s->err);
	*s = (struct session){ 0 };
	return ret;
}

int *session_sockets(const struct session *s, unsigned *n)
{
	const struct data_features *f = s->source->env;
	int *sockets = xcalloc(f->cpus.n + 1, sizeof(*sockets));

	for (size_t i = 0; i < f->cpus.n; i++)
		sockets[i] = f->cpus.v[i].socket;
	*n = (unsigned)f->cpus.n;
	return sockets;
}

struct branch_counters session_branch_counters(const struct session *s)
{
	const struct data_features *env = s->source->env;
	struct branch_counters c;
	u64 bits = 0;

	for (size_t i = 0; env && i < env->pmu_caps.n; i++)
		for vec_each(cap, &env->pmu_caps.v[i].caps)
			if (cap->name && cap->value && !strcmp(cap->name, "branch_counter_width"))
				parse_u64(cap->value, &bits);
	branch_counters_find(&c, s->source->events, bits < 64 ? (unsigned)bits : 0);
	return c;
}

/* No machine has more: the file lies. */
enum { MOST_NODES = 4096, MOST_CPUS = 1 << 20 };

void session_nodes(const struct session *s, int_vec *nodes)
{
	for vec_each(node, &s->source->env->numa) {
		int_vec cpus = { NULL, 0, 0 };

		if (node->node < MOST_NODES && node->cpus &&
		    !parse_int_list(node->cpus, &cpus, NULL))
			for vec_each(cpu, &cpus) {
				if (*cpu >= MOST_CPUS)
					break;
				while (nodes->n <= (size_t)*cpu)
					vec_push(nodes, -1);
				nodes->v[*cpu] = (int)node->node;
			}
		vec_free(&cpus);
	}
}
