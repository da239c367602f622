// SPDX-License-Identifier: GPL-2.0-or-later
// What stands in the file before the samples: who has which id, what is watched, and what ran
// already.
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "util/os/procfs.h"
#include "util/record/session.h"
#include "util/base/hash.h"
#include "util/record/synth.h"
#include "util/wire/user.h"

struct emit_ctx { struct record_session *s; struct err *err; };

static int emit(void *ctx, const struct perf_event_header *rec)
{
	struct emit_ctx *c = ctx;

	if (c->s->live && !c->s->out.n_files)
		live_unwind_record(c->s->live, rec);
	return output_write(&c->s->out, (struct span){ (const u8 *)rec, rec->size },
			    (struct span){ NULL, 0 }, c->err);
}

static int write_str(struct record_session *s, struct str *text, struct err *err)
{
	int ret = text->len ? output_write(&s->out,
					   (struct span){ (const u8 *)text->buf, text->len },
					   (struct span){ NULL, 0 }, err) : 0;

	str_release(text);
	return ret;
}

static void add_id_index(const struct record_session *s, struct str *out)
{
	VEC(struct wire_id_index) v = { NULL, 0, 0 };
	const struct event_list *l = s->list;

	for (size_t i = 0; i < l->events.n; i++) {
		const struct event *e = l->events.v[i];

		for (int t = 0; t < e->n_threads; t++)
			for (int c = 0; c < e->n_cpus; c++) {
				const size_t k = (size_t)t * (size_t)e->n_cpus + (size_t)c;
				struct wire_id_index x;

				if (!e->fds || e->fds[k] < 0)
					continue;
				x = (struct wire_id_index){ .id = e->fd_ids[k],
							    .idx = (u64)(l->cpus.v[c] < 0 ? t : c),
							    .cpu = l->cpus.v[c],
							    .tid = l->tids.v[t] };
				vec_push(&v, x);
			}
	}
	wire_add_id_index(out, v.v, v.n);
	vec_free(&v);
}

static void add_units(const struct record_session *s, struct str *out)
{
	for (size_t i = 0; i < s->list->events.n; i++) {
		const struct event *e = s->list->events.v[i];

		if (!e->n_ids)
			continue;
		if (e->unit)
			wire_add_event_update_text(out, WIRE_UPDATE_UNIT, e->ids[0], e->unit);
		if (e->scale != 1.0 && e->scale != 0.0)
			wire_add_event_update_scale(out, e->ids[0], e->scale);
	}
}

static void add_thread_map(const struct record_session *s, struct str *out)
{
	const int_vec *tids = &s->list->tids;
	VEC(struct wire_thread) v = { NULL, 0, 0 };

	for (size_t i = 0; i < tids->n; i++) {
		struct wire_thread t = { .tid = tids->v[i], .comm = "" };

		vec_push(&v, t);
	}
	wire_add_thread_map(out, v.v, v.n);
	vec_free(&v);
}

static void add_cpu_map(const struct record_session *s, struct str *out)
{
	wire_add_cpu_map(out, s->list->cpus.v, s->list->cpus.n);
}

/* How the time stamp counter becomes perf's time, where the kernel tells. */
static void add_time_conv(const struct record_session *s, struct str *out)
{
	const struct perf_event_mmap_page *p = s->rings.slots.n ? s->rings.slots.v[0].ring.base :
		NULL;
	struct wire_time_conv t;

	if (!p || !p->cap_user_time_zero)
		return;
	t = (struct wire_time_conv){ .shift = p->time_shift, .mult = p->time_mult,
				     .zero = p->time_zero, .cycles = p->time_cycles,
				     .mask = p->time_mask, .cap_zero = p->cap_user_time_zero,
				     .cap_short = p->cap_user_time_short };
	wire_add_time_conv(out, &t);
}

static int synth_targets(struct record_session *s, struct synth *y, struct err *err)
{
	const int_vec *tids = &s->list->tids;
	struct hmap seen = { NULL, NULL, 0, 0 };
	int ret = 0;

	for (size_t i = 0; i < tids->n && !ret; i++) {
		struct procfs_status st;
		struct err e = ERR_INIT;

		if (procfs_status(s->os, tids->v[i], &st, &e) == 0 &&
		    !hmap_get(&seen, (u64)st.tgid)) {
			hmap_put(&seen, (u64)st.tgid, s);
			ret = synth_process(y, st.tgid, &e);
			if (ret == -ESRCH || ret == -ENOENT)
				ret = 0;
			else if (ret && e.code)
				err_set(err, e.code, "%s", e.msg);
		}
		err_release(&e);
	}
	hmap_release(&seen);
	return ret;
}

static bool tracks_data(const struct event_list *l)
{
	for (size_t i = 0; i < l->events.n; i++)
		if (l->events.v[i]->attr.mmap_data)
			return true;
	return false;
}

static int synth_all(struct record_session *s, bool again, struct err *err)
{
	const struct record_sideband *o = &s->o->sideband;
	struct emit_ctx ctx = { s, err };
	struct synth y = {
		.os = s->os, .attr = &s->list->events.v[0]->attr, .emit = emit, .ctx = &ctx,
		.maps_timeout_ms = (unsigned)MAX(o->proc_map_timeout_ms, 0),
		.data_maps = tracks_data(s->list), .no_maps = o->no_synth_maps,
		.namespaces = o->namespaces, .build_ids = true, .file_ids = o->buildid_mmap,
	};
	int ret;

	s->out.scan.snapshot = true;
	ret = o->no_synth_maps ? 0 : synth_kernel(&y);
	if (!ret && !o->no_synth_maps && !o->no_bpf_event)
		ret = synth_bpf(&y);
	if (!ret && !o->no_synth_maps)
		ret = synth_trampolines(&y);
	if (!ret && o->all_cgroups && !o->no_synth_cgroups)
		ret = synth_cgroups(&y, err);
	if (!ret && s->work_is_target && !again)
		ret = synth_comm(&y, s->work.pid, "perf-exec");
	else if (!ret && !o->no_synth_tasks && (s->work_is_target || s->list->tids.v[0] < 0))
		ret = synth_tasks(&y, err);
	else if (!ret && !o->no_synth_tasks)
		ret = synth_targets(s, &y, err);
	s->res->kernel_hidden |= y.kernel_hidden;
	if (y.n_timeouts && !s->res->n_maps_timeouts)
		s->res->maps_timeout_pid = y.timeout_pid;
	s->res->n_maps_timeouts += y.n_timeouts;
	s->out.scan.snapshot = false;
	synth_release(&y);
	return ret;
}

int record_write_modules(struct record_session *s, struct err *err)
{
	struct emit_ctx ctx = { s, err };
	struct synth y = { .os = s->os, .attr = &s->list->events.v[0]->attr, .emit = emit,
			   .ctx = &ctx, .build_ids = true };
	int ret = modules_update(s->modules, &y, s->out.scan.newest_ns);

	synth_release(&y);
	return ret;
}

int record_write_head(struct record_session *s, struct err *err)
{
	struct str text = STR_INIT;
	int ret;

	add_time_conv(s, &text);
	add_id_index(s, &text);
	add_units(s, &text);
	add_thread_map(s, &text);
	add_cpu_map(s, &text);
	ret = write_str(s, &text, err);
	if (!ret && !s->o->sideband.tail_synth)
		ret = synth_all(s, s->out.n_files > 0, err);
	wire_add_finished_init(&text);
	return ret ? (str_release(&text), ret) : write_str(s, &text, err);
}

/* LOST_SAMPLES is a LOST record without its id. */
static int put_lost(struct record_session *s, const struct event *e, u64 id, u64 n, u16 misc,
		    struct err *err)
{
	const struct wire_lost lost = { .lost = n };
	const struct sample_id sid = { .id = id, .present = e->attr.sample_type };
	u64 rec[32];
	struct perf_event_header *h = (void *)rec;
	int size = wire_encode_lost(&e->attr, &lost, &sid, rec, sizeof(rec));

	if (size < 32)
		return 0;
	memmove(rec + 1, rec + 2, (size_t)size - 16);
	h->type = PERF_RECORD_LOST_SAMPLES;
	h->misc = misc;
	h->size = (u16)(size - 8);
	return output_write(&s->out, (struct span){ (u8 *)rec, h->size }, (struct span){ NULL, 0 },
			    err);
}

/* The kernel counts what it could not write, for each counter; a member of a group with its own
 * read. */
static u64 read_lost(const struct event *e, int fd)
{
	u64 buf[128], n = 0, on, run;
	struct wire_value v[32];
	ssize_t got = read(fd, buf, sizeof(buf));

	if (got <= 0 || wire_read_values(e->attr.read_format,
					 (struct span){ (u8 *)buf, (size_t)got }, v, 32, &n, &on,
					 &run))
		return 0;
	return n ? v[0].lost : 0;
}

int record_write_lost(struct record_session *s, const struct event *e, int fd, u64 id, u64 *sum,
		      struct err *err)
{
	const u64 n = e->dummy ? 0 : read_lost(e, fd);

	*sum += n;
	return n ? put_lost(s, e, id, n, 0, err) : 0;
}

/* By the event's filter. */
static int write_dropped(struct record_session *s, const struct event *e, struct err *err)
{
	const u64 n = filters_take_dropped(s->with.filters, e);

	s->res->n_dropped += n;
	return n ? put_lost(s, e, e->ids[0], n, WIRE_MISC_LOST_BPF, err) : 0;
}

/* Of events whose samples BPF programs make. */
static int write_heap_lost(struct record_session *s, const struct event *e, struct err *err)
{
	const u64 n = s->with.heap ? heap_recorder_lost(s->with.heap, e) : 0;

	return n ? put_lost(s, e, e->ids[0], n, 0, err) : 0;
}

static int write_lost(struct record_session *s, struct err *err)
{
	u64 all = s->lost_before;
	int ret = 0;

	for (size_t i = 0; i < s->list->events.n; i++) {
		const struct event *e = s->list->events.v[i];

		for (int k = 0; e->fds && k < e->n_threads * e->n_cpus && !ret; k++)
			if (e->fds[k] >= 0)
				ret = record_write_lost(s, e, e->fds[k], e->fd_ids[k], &all, err);
		if (!ret)
			ret = write_dropped(s, e, err);
		if (!ret)
			ret = write_heap_lost(s, e, err);
	}
	s->res->n_lost = MAX(s->res->n_lost, all);
	return ret;
}

int record_write_tail(struct record_session *s, struct err *err)
{
	int ret = s->o->sideband.tail_synth ? synth_all(s, true, err) : 0;

	return ret ? ret : write_lost(s, err);
}
