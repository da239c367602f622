// SPDX-License-Identifier: GPL-2.0-or-later
// --flight: of what the buffers of --overwrite hold, only the last seconds go to the file, and at
// the end only if the command has failed.
#include "util/record/session.h"

struct flight { struct record_session *s; u64 newest_ns; struct err *err; };

/* The first sample is the newest one. */
static int note_newest(void *ctx, struct span a, struct span b)
{
	struct flight *f = ctx;
	size_t size;

	for (size_t off = 0; off < a.len + b.len; off += size) {
		const u64 t = output_sample_time(&f->s->out.scan, a, b, off, &size);

		if (t) {
			f->newest_ns = MAX(f->newest_ns, t);
			break;
		}
	}
	return 0;
}

/* Up to the first sample that is too old; what is behind it is older. */
static int write_last(void *ctx, struct span a, struct span b)
{
	struct flight *f = ctx;
	const u64 window = f->s->o->output.flight_ns;
	size_t off = 0, size;

	for (; off < a.len + b.len; off += size) {
		const u64 t = output_sample_time(&f->s->out.scan, a, b, off, &size);

		if (t && t + window < f->newest_ns)
			break;
	}
	b.len = off > a.len ? off - a.len : 0;
	a.len = MIN(a.len, off);
	return off ? output_write(&f->s->out, a, b, f->err) : 0;
}

int record_dump_flight(struct record_session *s, struct err *err)
{
	struct flight f = { .s = s, .err = err };
	int ret = 0;

	for (size_t i = 0; i < s->rings.slots.n; i++) {
		struct rings_slot *slot = &s->rings.slots.v[i];
		const u64 seen = slot->seen;

		if (!slot->backward)
			continue;
		rings_dump_backward(slot, note_newest, &f);
		slot->seen = seen;	/* nothing was written yet */
	}
	for (size_t i = 0; i < s->rings.slots.n && !ret; i++)
		if (s->rings.slots.v[i].backward)
			ret = rings_dump_backward(&s->rings.slots.v[i], write_last, &f);
	return ret ? ret : output_round(&s->out, err);
}

/* Its events may have been seen to end before itself. */
bool record_flight_is_over(struct record_session *s)
{
	if (s->o->output.flight_ns && s->work_is_target && !s->work.reaped && !s->res->signal &&
	    !record_any_alive(s))
		workload_wait(&s->work, NULL);
	return s->o->output.flight_ns && s->work.reaped && !workload_exit_code(&s->work);
}
