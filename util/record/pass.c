// SPDX-License-Identifier: GPL-2.0-or-later
// From the rings to the file: what they hold now, in passes.
#include "util/record/readers.h"
#include "util/record/session.h"

static int pass_plain(struct record_session *s, bool all, struct err *err)
{
	const u64 least = all ? 1 : s->o->buffers.flush_bytes;
	int ret = 0;

	for (size_t i = 0; i < s->rings.slots.n; i++) {
		struct rings_slot *slot = &s->rings.slots.v[i];
		struct span sp[2];
		u64 head;

		if (!rings_waiting(slot, least, sp, &head))
			continue;
		if (s->with.affinity)
			affinity_follow(s->with.affinity, slot->ring.cpu);
		s->data_bytes += head - slot->ring.tail;
		if (!ret)
			ret = output_write(&s->out, sp[0], sp[1], err);
		rings_free_to(slot, head);
	}
	return ret;
}

static int pass_rings(struct record_session *s, bool all, struct err *err)
{
	if (s->with.readers)
		return readers_collect(s->with.readers, all, err);
	return s->live ? live_unwind_pass(s->live, &s->rings, &s->out, &s->data_bytes, err) :
		pass_plain(s, all, err);
}

/* Within the round that the module's first samples are in at the earliest, so no reader has come
 * further. */
static int follow_modules(struct record_session *s, struct err *err)
{
	int ret;

	if (!s->modules || !modules_changed(s->modules, s->out.scan.newest_ns))
		return 0;
	ret = pass_rings(s, true, err);
	return ret ? ret : record_write_modules(s, err);
}

int record_pass(struct record_session *s, bool all, struct err *err)
{
	const u64 before = s->data_bytes;
	int ret = pass_rings(s, all, err);

	if (!ret && s->with.off_cpu)
		ret = off_time_pass(s->with.off_cpu, &s->out, &s->data_bytes, err);
	if (!ret && s->with.heap)
		ret = heap_recorder_pass(s->with.heap, all, &s->out, &s->data_bytes, err);
	output_scan_maps(&s->out.scan, os_now_ns());
	if (!ret)
		ret = follow_modules(s, err);
	if (!ret && s->data_bytes != before)
		ret = output_round(&s->out, err);
	return ret;
}

struct dump_ctx { struct record_session *s; size_t slot; struct err *err; };

static int write_dump(void *ctx, struct span a, struct span b)
{
	struct dump_ctx *c = ctx;

	if (c->s->with.readers)
		return readers_write(c->s->with.readers, c->slot, a, b, c->err);
	return output_write(&c->s->out, a, b, c->err);
}

int record_dump_backward(struct record_session *s, struct err *err)
{
	struct dump_ctx ctx = { s, 0, err };
	bool any = false;
	int ret = 0;

	if (s->o->output.flight_ns)
		return record_dump_flight(s, err);
	for (size_t i = 0; i < s->rings.slots.n && !ret; i++)
		if (s->rings.slots.v[i].backward) {
			ctx.slot = i;
			ret = rings_dump_backward(&s->rings.slots.v[i], write_dump, &ctx);
			any = true;
		}
	return !ret && any && !s->with.readers ? output_round(&s->out, err) : ret;
}
