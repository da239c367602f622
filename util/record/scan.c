// SPDX-License-Identifier: GPL-2.0-or-later
// A look at the headers that pass by: this runs for every sample of a recording, so it reads one cache line of each.
#include <stdlib.h>
#include <sys/mman.h>

#include "util/record/output.h"

void output_scan_init(struct output_scan *s, const struct perf_event_attr *attr)
{
	*s = (struct output_scan){ .first_ns = UINT64_MAX };
	if (!attr || !(attr->sample_type & PERF_SAMPLE_TIME))
		return;
	s->time_off = sizeof(struct perf_event_header);
	if (attr->sample_type & PERF_SAMPLE_IDENTIFIER)
		s->time_off += 8;
	if (attr->sample_type & PERF_SAMPLE_IP)
		s->time_off += 8;
	if (attr->sample_type & PERF_SAMPLE_TID)
		s->time_off += 8;
}

void output_scan_release(struct output_scan *s)
{
	for (size_t i = 0; i < s->dsos.n; i++) {
		free(s->dsos.v[i]->path);
		free(s->dsos.v[i]);
	}
	vec_free(&s->dsos);
	strmap_release(&s->seen);
	free(s->split);
	s->split = NULL;
}

static void note_map(struct output_scan *s, const struct perf_event_header *rec)
{
	struct wire_mmap m;
	struct output_dso *d;
	struct str key = STR_INIT;
	const char *why;

	if (wire_decode_mmap(rec, &m, &why) || m.data)
		return;
	str_add(&key, m.path);
	if (m.build_id_bytes)
		for (int i = 0; i < m.build_id_bytes; i++)
			str_addf(&key, "%c%02x", i ? ' ' : '\n', m.build_id[i]);
	else
		str_addf(&key, "\n%x:%x:%llx", m.maj, m.min, (unsigned long long)m.ino);
	if (!strmap_get(&s->seen, str_cstr(&key))) {
		d = xnew(struct output_dso);
		d->path = xstrdup(m.path);
		memcpy(d->id.bytes, m.build_id, sizeof(d->id.bytes));
		d->id.n = m.build_id_bytes;
		d->maj = m.maj;
		d->min = m.min;
		d->ino = m.ino;
		d->pid = (pid_t)m.pid;
		d->kernel = (rec->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
		vec_push(&s->dsos, d);
		strmap_put(&s->seen, str_cstr(&key), d);
	}
	str_release(&key);
}

static void scan_record(struct output_scan *s, const struct perf_event_header *h)
{
	struct wire_lost lost;
	const char *why;

	if (h->type == PERF_RECORD_MMAP2 || h->type == PERF_RECORD_MMAP) {
		note_map(s, h);
	} else if ((h->type == PERF_RECORD_LOST || h->type == PERF_RECORD_LOST_SAMPLES) && !wire_decode_lost(h, &lost, &why)) {
		/* LOST tells of all kinds of records, LOST_SAMPLES only once more of those among them that were samples */
		if (h->type == PERF_RECORD_LOST) {
			s->n_lost_records++;
			s->n_lost += lost.lost;
		}
	}
}

static void scan_sample(struct output_scan *s, u64 time_ns)
{
	s->n_samples++;
	if (!s->time_off)
		return;
	if (time_ns < s->first_ns)
		s->first_ns = time_ns;
	if (time_ns > s->last_ns)
		s->last_ns = time_ns;
}

/* The 8 bytes at off of the two pieces; they are aligned, so a piece's end never cuts them. */
static u64 word_at(struct span a, struct span b, size_t off)
{
	u64 v = 0;

	if (off + 8 <= a.len)
		memcpy(&v, a.ptr + off, 8);
	else if (off >= a.len && off - a.len + 8 <= b.len)
		memcpy(&v, b.ptr + (off - a.len), 8);
	return v;
}

static const struct perf_event_header *whole(struct output_scan *s, struct span a, struct span b, size_t off, size_t size)
{
	size_t first;

	if (off >= a.len)
		return (const void *)(b.ptr + (off - a.len));
	if (off + size <= a.len)
		return (const void *)(a.ptr + off);
	first = a.len - off;
	if (!s->split)
		s->split = xmalloc(65536);
	memcpy(s->split, a.ptr + off, first);
	memcpy(s->split + first, b.ptr, size - first);
	return (const void *)s->split;
}

bool output_scan_spans(struct output_scan *s, struct span a, struct span b)
{
	const size_t all = a.len + b.len;
	size_t off = 0;

	while (off < all) {
		const u64 head = word_at(a, b, off);
		struct perf_event_header h;

		memcpy(&h, &head, sizeof(h));
		if (h.size < sizeof(h) || h.size > all - off)
			return false;
		if (h.type == PERF_RECORD_SAMPLE)
			scan_sample(s, s->time_off && s->time_off + 8 <= h.size ? word_at(a, b, off + s->time_off) : 0);
		else
			scan_record(s, whole(s, a, b, off, h.size));
		off += h.size;
	}
	return true;
}
