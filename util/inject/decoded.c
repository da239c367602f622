// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Samples that were made of traces, as records of the new recording. Each trace's are a file of the
 * reader, about in order of time; of these the oldest is always written next.
 */
#include <errno.h>
#include <stdlib.h>

#include "util/base/xalloc.h"
#include "util/inject/inject-priv.h"
#include "util/wire/synthrec.h"
#include "util/wire/user.h"

struct head {
	struct data_cursor c;
	struct data_record rec;
	u64 ns;
	bool there;
};

struct inject_decoded {
	VEC(struct head *) heads;
	VEC(struct perf_event_attr) attrs;	/* of the reader's events, as their samples are */
	bool begun;
};

/* Of the kernel's records only samples are among them. */
static u64 time_of(const struct inject *in, const struct perf_event_header *hdr)
{
	const struct event *e = event_of_record(&in->r->events, hdr);
	struct wire_trace_error error;
	struct sample s;
	const char *reason;

	if (hdr->type == WIRE_AUXTRACE_ERROR)
		return wire_decode_trace_error(hdr, &error, &reason) ? 0 : error.time_ns;
	if (hdr->type != PERF_RECORD_SAMPLE || !e ||
	    wire_decode_sample(&in->decoded->attrs.v[e->index], hdr, &s, &reason))
		return 0;
	return s.time_ns;
}

static int advance(struct inject *in, struct head *h, struct err *err)
{
	const int ret = data_cursor_next(&h->c, &h->rec, err);

	h->there = ret > 0;
	if (h->there)
		h->ns = time_of(in, h->rec.hdr);
	return MIN(ret, 0);
}

/* Raw data is only what power events and the like say; where to is only known of branches, and of
 * accesses to memory. */
static u64 outside(const struct perf_event_attr *a)
{
	const bool branch = a->type == PERF_TYPE_HARDWARE &&
		a->config == PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
	u64 type = a->sample_type;

	if (a->type != WIRE_TYPE_SYNTH)
		type &= ~(u64)PERF_SAMPLE_RAW;
	if (!branch && !(type & PERF_SAMPLE_DATA_SRC))
		type &= ~(u64)PERF_SAMPLE_ADDR;
	return type;
}

void inject_open_decoded(struct inject *in)
{
	struct data_reader *r = in->r;
	struct inject_decoded *d = in->decoded = xnew(struct inject_decoded);

	for vec_each(e, &r->events.events) {
		struct perf_event_attr *a = &(*e)->attr;

		vec_push(&d->attrs, *a);
		if ((*e)->decoded)
			a->sample_type = outside(a);
	}
	for (u32 i = 0; i < r->files.n; i++) {
		const struct data_chunk chunk = { .file = i, .to = r->files.v[i].to };
		struct head *h;

		if (!r->files.v[i].decoded)
			continue;
		h = xnew(struct head);
		data_cursor_chunk(&h->c, r, &chunk);
		vec_push(&d->heads, h);
	}
}

static int put_sample(struct inject *in, const struct head *h, struct err *err)
{
	const struct event *e = event_of_record(&in->r->events, h->rec.hdr);
	u64 buf[WIRE_MAX_RECORD_BYTES / 8 + 1];
	struct sample s;
	const char *reason;
	int n;

	if (!e || wire_decode_sample(&in->decoded->attrs.v[e->index], h->rec.hdr, &s, &reason))
		return 0;
	wire_take_synth(&s);
	s.misc = h->rec.hdr->misc;
	n = wire_encode_sample(&e->attr, &s, buf, WIRE_MAX_RECORD_BYTES);
	if (n < 0)
		return err_set(err, -n, "a sample of '%s' is too long for a record", e->name);
	in->res->n_decoded++;
	return data_write(&in->w, buf, (size_t)n, err);
}

static int put(struct inject *in, struct head *h, struct err *err)
{
	const struct perf_event_header *hdr = h->rec.hdr;
	int ret = 0;

	if (hdr->type == PERF_RECORD_SAMPLE)
		ret = put_sample(in, h, err);
	else if (hdr->type == WIRE_AUXTRACE_ERROR)
		ret = data_write(&in->w, hdr, hdr->size, err);
	return ret ? ret : advance(in, h, err);
}

/* The oldest; *next: up to when (or of which time) it stays that. NULL: none is older than that. */
static struct head *oldest(struct inject_decoded *d, u64 before_ns, u64 *next)
{
	struct head *first = NULL;

	*next = before_ns;
	for vec_each(h, &d->heads) {
		if (!(*h)->there || (*h)->ns >= before_ns)
			continue;
		if (!first || (*h)->ns < first->ns) {
			*next = first ? first->ns : before_ns;
			first = *h;
		} else {
			*next = MIN(*next, (*h)->ns);
		}
	}
	return first;
}

int inject_put_decoded(struct inject *in, u64 before_ns, struct err *err)
{
	struct inject_decoded *d = in->decoded;
	struct head *h;
	u64 next;
	int ret = 0;

	if (!d)
		return 0;
	if (!d->begun)
		for vec_each(v, &d->heads)
			ret = ret ? ret : advance(in, *v, err);
	d->begun = true;
	while (!ret && (h = oldest(d, before_ns, &next))) {
		do {
			ret = put(in, h, err);
		} while (!ret && h->there && h->ns < next);
	}
	return ret;
}

bool inject_is_replaced(const struct inject *in, const struct perf_event_header *hdr)
{
	if (!in->decoded)
		return false;
	switch (hdr->type) {
	case PERF_RECORD_AUX: case PERF_RECORD_ITRACE_START: case WIRE_AUXTRACE:
	case WIRE_AUXTRACE_INFO:
		return true;
	case PERF_RECORD_SAMPLE: case PERF_RECORD_SWITCH: case PERF_RECORD_SWITCH_CPU_WIDE:
		return in->o->strip;
	default:
		return false;
	}
}

void inject_release_decoded(struct inject *in)
{
	struct inject_decoded *d = in->decoded;

	if (!d)
		return;
	for vec_each(h, &d->heads) {
		data_cursor_release(&(*h)->c);
		free(*h);
	}
	vec_free(&d->heads);
	vec_free(&d->attrs);
	free(d);
	in->decoded = NULL;
}
