// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/session/live-whom.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "util/base/words.h"
#include "util/os/cgroup.h"
#include "util/record/synth.h"
#include "util/wire/scoperec.h"

/* --- whom */

static int open_cgroups(const struct os *os, const char *list, int_vec *fds, struct err *err)
{
	word_list names = { 0 };
	int ret = 0;

	words_split(list, &names);
	if (list && !names.n)
		ret = err_set(err, EINVAL, "the list of cgroups is empty");
	if (names.n > SCOPE_MAX_CGROUPS)
		ret = err_set(err, E2BIG, "BPF programs watch at most %d cgroups",
			      SCOPE_MAX_CGROUPS);
	for (size_t i = 0; i < names.n && !ret; i++) {
		const int fd = os_cgroup2_open(os, names.v[i], err);

		if (fd < 0)
			ret = fd;
		else
			vec_push(fds, fd);
	}
	words_release(&names);
	return ret;
}

int live_whom_find(const struct live_session *s, const char *cgroups, struct live_whom *out,
		   struct err *err)
{
	struct target t = s->o.target;
	const bool named = t.pid || t.tid;
	int ret = 0;

	*out = (struct live_whom){ .everyone = s->everybody && !named,
				   .held = s->everybody || named ? 0 : s->work.pid };
	if (t.cpu_list)
		ret = parse_int_list(t.cpu_list, &out->cpus, err);
	t.cpu_list = NULL;
	t.system_wide = false;
	if (!ret && named) {
		ret = target_resolve(&t, &s->os, err);
		for vec_each(tid, &t.tids)
			vec_push(&out->tids, *tid);
		target_release(&t);
	}
	return ret ? ret : open_cgroups(&s->os, cgroups, &out->cgroup_fds, err);
}

struct scope_opts live_whom_scope(const struct live_whom *w)
{
	return (struct scope_opts){
		.tids = w->everyone ? NULL : &w->tids, .held = w->held,
		.cpus = w->cpus.n ? &w->cpus : NULL,
		.cgroup_fds = w->cgroup_fds.n ? &w->cgroup_fds : NULL,
	};
}

void live_whom_release(struct live_whom *w)
{
	for vec_each(fd, &w->cgroup_fds)
		close(*fd);
	vec_free(&w->cgroup_fds);
	vec_free(&w->tids);
	vec_free(&w->cpus);
}

/* --- sums */

enum { SUMS_ID = 1, MAX_FRAMES = 256, MAX_RAW = 4096 };

static struct event *add_event(struct event_list *list, const char *name)
{
	const struct perf_event_attr a = {
		.size = sizeof(a), .type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_BPF_OUTPUT, .sample_period = 1, .sample_id_all = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			PERF_SAMPLE_ID | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW,
	};
	struct event *e;

	event_list_init(list);
	e = event_list_add(list, &a, name);
	event_add_ids(e, (const u64[]){ SUMS_ID }, 1);
	event_list_index(list);
	return e;
}

static int before(void *ctx, const struct perf_event_header *rec)
{
	struct live_sums *l = ctx;
	const struct wire_timed r = { rec, 0 };

	stream_put(l->stream, &r, 1);
	return 0;
}

int live_sums_open(struct live_sums *l, const char *event, const struct os *os,
		   const struct stream_opts *so, struct sink *sink, struct err *err)
{
	const struct event *e;
	struct synth y = { .os = os, .emit = before, .ctx = l, .build_ids = true };
	int ret;

	*l = (struct live_sums){ .source = { .name = "live", .once = true } };
	e = add_event(&l->list, event);
	l->source.events = &l->list;
	l->stream = stream_new(&l->source, os, so, err);
	if (!l->stream)
		return -EINVAL;
	l->sink = sink;
	stream_begin(l->stream, &l->sink, 1);
	y.attr = &e->attr;
	ret = synth_kernel(&y);
	synth_release(&y);
	return ret ? err_sys(err, -ret, "cannot find out where the kernel lies") : 0;
}

int live_sums_put(struct live_sums *l, struct span raw, const u64 *frames, u32 n)
{
	const struct event *e = l->list.events.v[0];
	u64 chain[1 + MAX_FRAMES] = { PERF_CONTEXT_KERNEL }, rec[MAX_FRAMES + MAX_RAW / 8 + 16];
	const u32 n_used = MIN(n, (u32)MAX_FRAMES);
	const struct sample smp = {
		.present = e->attr.sample_type, .id = SUMS_ID, .ip = n_used ? frames[0] : 0,
		.misc = PERF_RECORD_MISC_KERNEL, .cpumode = PERF_RECORD_MISC_KERNEL,
		.chain = chain, .chain_n = n_used ? 1 + n_used : 0, .raw = raw,
	};
	const struct wire_timed r = { (const void *)rec, 0 };
	int bytes;

	memcpy(chain + 1, frames, n_used * sizeof(*chain));
	bytes = wire_encode_sample(&e->attr, &smp, rec, sizeof(rec));
	if (bytes < 0)
		return bytes;
	stream_put(l->stream, &r, 1);
	return 0;
}

void live_sums_close(struct live_sums *l)
{
	if (l->stream)
		stream_end(l->stream);
	stream_free(l->stream);
	event_list_release(&l->list);
	*l = (struct live_sums){ .stream = NULL };
}
