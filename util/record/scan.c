// SPDX-License-Identifier: GPL-2.0-or-later
// A look at the headers that pass by: this runs for every sample of a recording, so it reads one
// cache line of each.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "util/machine/machine.h"
#include "util/os/procfs.h"
#include "util/record/output.h"
#include "util/symbols/jitdump.h"
#include "util/symbols/vdso.h"

#define PAGE_SHIFT 12
#define COMPACT_AT 65536	/* mappings or pages, before it is worth the work */

/* Where the call chain stands, when only fields of fixed size are before it. */
static size_t chain_off(const struct perf_event_attr *attr)
{
	const u64 fixed = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
		PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
			  PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
			  PERF_SAMPLE_PERIOD;

	if (!(attr->sample_type & PERF_SAMPLE_CALLCHAIN) || attr->sample_type & PERF_SAMPLE_READ)
		return 0;
	return sizeof(struct perf_event_header) +
		8 * (size_t)__builtin_popcountll(attr->sample_type & fixed);
}

void output_scan_init(struct output_scan *s, const struct perf_event_attr *attr,
		      struct pinned_files *held)
{
	*s = (struct output_scan){ .first_ns = UINT64_MAX, .held = held, .compact_at = COMPACT_AT };
	if (!attr || !(attr->sample_type & PERF_SAMPLE_TIME))
		return;
	s->time_off = sizeof(struct perf_event_header) + 8 * (size_t)wire_sample_time_pos(attr);
	if (attr->sample_id_all)
		s->id_time_back = 8 * (size_t)wire_record_time_pos(attr);
	if (attr->sample_type & PERF_SAMPLE_IP) {
		s->ip_off = sizeof(struct perf_event_header) +
			(attr->sample_type & PERF_SAMPLE_IDENTIFIER ? 8 : 0);
		s->chain_off = chain_off(attr);
	}
}

void output_scan_release(struct output_scan *s)
{
	for (size_t i = 0; i < s->dsos.n; i++) {
		if (s->held)
			pinned_files_close(s->held, s->dsos.v[i]->fd);
		str_release(&s->dsos.v[i]->map);
		free(s->dsos.v[i]->path);
		free(s->dsos.v[i]);
	}
	vec_free(&s->dsos);
	vec_free(&s->ranges);
	hmap_release(&s->pages);
	hmap_release(&s->older_pages);
	strmap_release(&s->seen);
	free(s->split);
	s->split = NULL;
}

#define MAX_TRIES 8

/* Also later mappings may tell the way to a file: those of processes that still run. */
static void hold(struct output_scan *s, struct output_dso *d, const struct wire_mmap *mm)
{
	const struct mapped m = {
		.path = d->path, .ino = d->ino, .pid = (pid_t)mm->pid, .kernel = d->kernel,
			.start_va = mm->start_va,
		.end_va = mm->start_va + mm->bytes,
	};

	if (!s->held || d->fd >= 0 || d->n_tries == MAX_TRIES)
		return;
	d->fd = pinned_files_open(s->held, &m, d->id.n ? &d->id : NULL, s->snapshot);
	d->n_tries = d->fd == PINNED_NOT_NEEDED ? MAX_TRIES : d->n_tries + 1;
}

#define MAX_DOUBLINGS 6		/* 20 ms to 1.3 s */

static bool wait_for_map(struct output_scan *s, struct output_dso *d, u64 now_ns)
{
	d->look_ns = now_ns + (HELD_TICK_MS * 1000000ULL << d->n_tries);
	d->n_tries = MIN(d->n_tries + 1, MAX_DOUBLINGS);
	d->fd = s->held ? pinned_files_open_map(s->held, d->pid) : PINNED_NOT_NEEDED;
	return d->fd == -1;
}

void output_scan_maps(struct output_scan *s, u64 now_ns)
{
	if (!s->n_maps_due)
		return;
	s->n_maps_due = 0;
	for vec_each(d, &s->dsos)
		if ((*d)->is_map && (*d)->fd == -1)
			s->n_maps_due += now_ns < (*d)->look_ns || wait_for_map(s, *d, now_ns);
}

/* A module's init code is in the module's file; its mapping stands after the module's own. */
static void note_init(struct output_scan *s, const struct wire_mmap *m)
{
	for (size_t i = s->dsos.n; i-- > 0 && m->build_id_bytes;) {
		struct output_dso *d = s->dsos.v[i];

		if (!d->kernel || d->id.n != m->build_id_bytes ||
		    memcmp(d->id.bytes, m->build_id, d->id.n))
			continue;
		if (!d->hit)
			vec_push(&s->ranges, ((struct output_range){ m->start_va,
								     m->start_va + m->bytes, d,
								     (pid_t)m->pid, false }));
		return;
	}
}

static struct output_dso *new_dso(struct output_scan *s, const struct wire_mmap *m, bool kernel,
				  const char *key)
{
	struct output_dso *d = xnew(struct output_dso);

	d->path = xstrdup(m->path);
	memcpy(d->id.bytes, m->build_id, sizeof(d->id.bytes));
	d->id.n = m->build_id_bytes;
	d->maj = m->maj;
	d->min = m->min;
	d->ino = m->ino;
	d->pid = (pid_t)m->pid;
	d->fd = -1;
	d->kernel = kernel;
	vec_push(&s->dsos, d);
	strmap_put(&s->seen, key, d);
	return d;
}

static struct output_dso *dso_of(struct output_scan *s, const struct wire_mmap *m, bool kernel)
{
	struct str key = STR_INIT;
	struct output_dso *d;

	str_add(&key, m->path);
	if (m->build_id_bytes)
		for (int i = 0; i < m->build_id_bytes; i++)
			str_addf(&key, "%c%02x", i ? ' ' : '\n', m->build_id[i]);
	else
		str_addf(&key, "\n%x:%x:%llx", m->maj, m->min, (unsigned long long)m->ino);
	/* one container's /tmp may get the numbers of one that has ended */
	if (jitdump_is_name(m->path))
		str_addf(&key, "\n%x", m->pid);
	d = strmap_get(&s->seen, str_cstr(&key));
	if (!d)
		d = new_dso(s, m, kernel, str_cstr(&key));
	str_release(&key);
	return d;
}

static bool is_of_kernel(const struct perf_event_header *rec)
{
	return (rec->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
}

static void note_map(struct output_scan *s, const struct perf_event_header *rec)
{
	struct wire_mmap m;
	struct output_dso *d;
	const char *reason;
	char map_path[48];
	bool is_map;

	if (wire_decode_mmap(rec, &m, &reason) || m.data)
		return;
	if (is_of_kernel(rec) && machine_is_module_init(m.path)) {
		note_init(s, &m);
		return;
	}
	is_map = machine_is_anon(m.path);
	if (is_map) {
		snprintf(map_path, sizeof(map_path), "/tmp/perf-%d.map", (int)m.pid);
		m.path = map_path;
	} else if (!strcmp(m.path, VDSO_NAME) && sizeof(long) == 8) {
		m.path = vdso_name(m.start_va, m.bytes);
	}
	d = dso_of(s, &m, is_of_kernel(rec));
	d->is_map = is_map;
	if (!is_map)
		hold(s, d, &m);
	else if (d->fd == -1 && !d->n_tries)
		s->n_maps_due += wait_for_map(s, d, 0);
	if (!d->hit)
		vec_push(&s->ranges, ((struct output_range){ m.start_va, m.start_va + m.bytes, d,
							     (pid_t)m.pid, false }));
}

void output_scan_hold(struct output_scan *s, const struct perf_event_header *rec)
{
	struct wire_mmap m;
	struct wire_task task;
	const char *reason;

	if (!s->held)
		return;
	if (rec->type == PERF_RECORD_FORK && !wire_decode_task(rec, &task, &reason))
		pinned_files_note_fork(s->held, task.pid, task.ppid);
	else if ((rec->type == PERF_RECORD_MMAP2 || rec->type == PERF_RECORD_MMAP) &&
		 !is_of_kernel(rec) && !wire_decode_mmap(rec, &m, &reason) && !m.data &&
		 m.path[0] == '/' && !machine_is_anon(m.path))
		hold(s, dso_of(s, &m, false), &m);
}

/* PERF_RECORD_USER_TYPE_START: from there on tools' own records, without trailing id. */
#define N_KERNEL_TYPES 64

static void note_time(struct output_scan *s, const struct perf_event_header *h)
{
	u64 t;

	if (!s->id_time_back || h->type >= N_KERNEL_TYPES || h->size < sizeof(*h) + s->id_time_back)
		return;
	memcpy(&t, (const u8 *)h + h->size - s->id_time_back, sizeof(t));
	s->newest_ns = MAX(s->newest_ns, t);
}

static void scan_other(struct output_scan *s, const struct perf_event_header *h)
{
	struct wire_task task;
	struct wire_lost lost;
	const char *reason;

	note_time(s, h);
	if (s->tap.fn && (h->type == PERF_RECORD_FORK || h->type == PERF_RECORD_EXIT ||
			  h->type == PERF_RECORD_MMAP || h->type == PERF_RECORD_MMAP2))
		s->tap.fn(s->tap.ctx, h);
	if (s->tap.records && (h->type == PERF_RECORD_FORK || h->type == PERF_RECORD_MMAP2 ||
			 h->type == PERF_RECORD_MMAP)) {
		str_addn(s->tap.records, h, h->size);
	} else if (h->type == PERF_RECORD_FORK && s->held && !wire_decode_task(h, &task, &reason)) {
		pinned_files_note_fork(s->held, task.pid, task.ppid);
	} else if (h->type == PERF_RECORD_MMAP2 || h->type == PERF_RECORD_MMAP) {
		s->n_maps++;
		note_map(s, h);
	} else if ((h->type == PERF_RECORD_LOST || h->type == PERF_RECORD_LOST_SAMPLES) &&
		   !wire_decode_lost(h, &lost, &reason)) {
		/* LOST tells of all kinds of records, LOST_SAMPLES only once more of those among
		 * them that were samples */
		if (h->type == PERF_RECORD_LOST) {
			s->n_lost_records++;
			s->n_lost += lost.lost;
		}
	}
}

static void count_sample(struct output_scan *s, u64 time_ns)
{
	s->n_samples++;
	if (!s->time_off)
		return;
	if (time_ns < s->first_ns)
		s->first_ns = time_ns;
	if (time_ns > s->last_ns)
		s->last_ns = time_ns;
	s->newest_ns = MAX(s->newest_ns, time_ns);
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

static void note_address(struct output_scan *s, u64 va)
{
	const u64 page = (va >> PAGE_SHIFT) + 1;

	u64 *const recent = &s->recent_pages[page % ARRAY_SIZE(s->recent_pages)];

	if (page == *recent)
		return;
	*recent = page;
	if (!hmap_get(&s->pages, page))
		hmap_put(&s->pages, page, s);
}

static void scan_addresses(struct output_scan *s, struct span a, struct span b, size_t off,
			   size_t size)
{
	size_t at = off + s->chain_off;
	u64 n;

	if (s->ip_off + 8 > size)
		return;
	note_address(s, word_at(a, b, off + s->ip_off));
	if (!s->chain_off || s->chain_off + 8 > size)
		return;
	n = MIN(word_at(a, b, at), (u64)(size - s->chain_off - 8) / 8);
	while (n--)
		note_address(s, word_at(a, b, at += 8));
}

static int by_page(const void *a, const void *b)
{
	const u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

void output_scan_hits(struct output_scan *s)
{
	VEC(u64) pages = { 0 };

	for hmap_each(i, &s->pages)
		vec_push(&pages, s->pages.keys[i] - 1);
	for hmap_each(k, &s->older_pages)
		vec_push(&pages, s->older_pages.keys[k] - 1);
	if (pages.n)
		qsort(pages.v, pages.n, sizeof(*pages.v), by_page);
	for vec_each(r, &s->ranges) {
		const u64 first = r->start_va >> PAGE_SHIFT;
		size_t lo = 0, hi = pages.n;

		while (lo < hi) {
			const size_t mid = (lo + hi) / 2;

			if (pages.v[mid] < first)
				lo = mid + 1;
			else
				hi = mid;
		}
		if (lo < pages.n && r->end_va > r->start_va &&
		    pages.v[lo] <= (r->end_va - 1) >> PAGE_SHIFT)
			r->dso->hit = true;
	}
	vec_free(&pages);
}

static bool is_alive(struct hmap *known, const struct os *os, pid_t pid)
{
	static const char yes[] = "yes", no[] = "no";
	const char *what = hmap_get(known, (u64)pid);

	if (!what) {
		what = procfs_alive(os, pid) ? yes : no;
		hmap_put(known, (u64)pid, (void *)(uintptr_t)what);
	}
	return what == yes;
}

bool output_scan_is_full(const struct output_scan *s, size_t other_pages)
{
	return s->ranges.n >= s->compact_at || s->pages.n + other_pages >= COMPACT_AT;
}

void output_scan_fold(struct output_scan *to, struct output_scan *from, bool pages)
{
	to->n_samples += from->n_samples;
	to->n_lost_records += from->n_lost_records;
	to->n_lost += from->n_lost;
	to->first_ns = MIN(to->first_ns, from->first_ns);
	to->last_ns = MAX(to->last_ns, from->last_ns);
	to->newest_ns = MAX(to->newest_ns, from->newest_ns);
	from->n_samples = from->n_lost_records = from->n_lost = 0;
	if (!pages)
		return;
	for hmap_each(i, &from->pages)
		hmap_put(&to->pages, from->pages.keys[i], to);
	hmap_release(&from->pages);
	memset(from->recent_pages, 0, sizeof(from->recent_pages));
}

/* A process that was found ended at the time before has had all its samples read by now. */
void output_scan_compact(struct output_scan *s, const struct os *os)
{
	struct hmap alive = { NULL, NULL, 0, 0 };
	size_t n = 0;

	if (!output_scan_is_full(s, 0))
		return;
	output_scan_hits(s);
	hmap_release(&s->older_pages);
	s->older_pages = s->pages;
	s->pages = (struct hmap){ NULL, NULL, 0, 0 };
	memset(s->recent_pages, 0, sizeof(s->recent_pages));
	for (size_t i = 0; i < s->ranges.n; i++) {
		struct output_range *r = &s->ranges.v[i];

		if (r->dso->hit || r->ended)
			continue;
		r->ended = !r->dso->kernel && !is_alive(&alive, os, r->pid);
		s->ranges.v[n++] = *r;
	}
	s->ranges.n = n;
	s->compact_at = MAX((size_t)COMPACT_AT, 2 * n);
	hmap_release(&alive);
}

static const struct perf_event_header *whole(struct output_scan *s, struct span a, struct span b,
					     size_t off, size_t size)
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
		if (h.type == PERF_RECORD_SAMPLE) {
			count_sample(s, s->time_off && s->time_off + 8 <= h.size ?
				     word_at(a, b, off + s->time_off) : 0);
			if (s->ip_off)
				scan_addresses(s, a, b, off, h.size);
		} else {
			scan_other(s, whole(s, a, b, off, h.size));
		}
		off += h.size;
	}
	return true;
}

u64 output_sample_time(const struct output_scan *s, struct span a, struct span b, size_t off,
		       size_t *size)
{
	const u64 head = word_at(a, b, off);
	struct perf_event_header h;

	memcpy(&h, &head, sizeof(h));
	*size = MAX((size_t)h.size, sizeof(h));
	return h.type == PERF_RECORD_SAMPLE && s->time_off && s->time_off + 8 <= h.size ?
		word_at(a, b, off + s->time_off) : 0;
}

void output_scan_record(struct output_scan *s, const struct perf_event_header *h)
{
	output_scan_spans(s, (struct span){ (const u8 *)h, h->size }, (struct span){ NULL, 0 });
}

void output_scan_sample(struct output_scan *s, u64 time_ns, const u64 *addresses_va, size_t n)
{
	count_sample(s, time_ns);
	for (size_t i = 0; i < n; i++)
		note_address(s, addresses_va[i]);
}

void output_scan_address(struct output_scan *s, u64 va)
{
	note_address(s, va);
}
