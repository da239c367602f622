// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stack dumps become call chains: unwound here, where the binaries are, they need none later. Two
 * passes: the first unwinds all, in the threads of the stream, and keeps each distinct chain once;
 * the second writes the samples with them. Their frames are what perf record writes when it unwinds
 * itself: a caller by the last byte of its call. Where a binary cannot be read the dump stays.
 */
#include <errno.h>
#include <stdlib.h>

#include "util/base/xalloc.h"
#include "util/inject/inject-priv.h"
#include "util/unwind/unwind.h"

#define WITH_DUMP (PERF_SAMPLE_STACK_USER | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_CALLCHAIN)
enum { MAX_CHAIN = 2048 };

struct chain { struct chain *next; u32 n; u64 va[]; };

/* Chains by what they hash to, and the chain of each sample by where it lies in the file. */
struct inject_stacks { struct arena memory; struct hmap chains, of; };

static bool has_dumps(const struct event *e)
{
	return (e->attr.sample_type & WITH_DUMP) == WITH_DUMP;
}

static const struct chain *keep(struct inject_stacks *st, const u64 *va, u32 n)
{
	const u64 h = hash_bytes(va, n * sizeof(*va), 1);
	struct chain *first = hmap_get(&st->chains, h), *c = first;

	while (c && (c->n != n || memcmp(c->va, va, n * sizeof(*va))))
		c = c->next;
	if (!c) {
		c = arena_alloc(&st->memory, sizeof(*c) + n * sizeof(*va));
		*c = (struct chain){ .next = first, .n = n };
		memcpy(c->va, va, n * sizeof(*va));
		hmap_put(&st->chains, h, c);
	}
	return c;
}

/* The user part; as the kernel's is recorded it stays as it is. */
static void see_sample(struct inject_stacks *st, const struct sink_item *it)
{
	const struct resolved *r = it->res;
	u64 va[MAX_CHAIN];
	u32 n = 0, i = 0;

	if (!it->sample->stack.len || !it->sample->user_regs.regs ||
	    !has_dumps(it->sample->event) || r->chain_end == UNWIND_NO_BINARY ||
	    r->chain_end == UNWIND_NO_REGS)
		return;
	while (i < r->n_frames && r->frames[i].cpumode != PERF_RECORD_MISC_USER)
		i++;
	for (; i < r->n_frames && n < MAX_CHAIN; i++)
		va[n++] = r->frames[i].va;
	if (n)
		hmap_put(&st->of, it->file_off + 1, (void *)(uintptr_t)keep(st, va, n));
}

static void see(struct sink *s, const struct sink_item *items, size_t n)
{
	for (size_t i = 0; i < n; i++)
		see_sample(s->ctx, &items[i]);
}

static struct sink *clone(struct sink *s)
{
	struct sink *to = xmemdup(s, sizeof(*s));

	to->ctx = xnew(struct inject_stacks);
	return to;
}

static void release(struct inject_stacks *st)
{
	hmap_release(&st->chains);
	hmap_release(&st->of);
	arena_release(&st->memory);
}

static void merge(struct sink *s, struct sink *from)
{
	struct inject_stacks *to = s->ctx, *st = from->ctx;

	for hmap_each(i, &st->of) {
		const struct chain *c = st->of.vals[i];

		hmap_put(&to->of, st->of.keys[i], (void *)(uintptr_t)keep(to, c->va, c->n));
	}
	release(st);
	free(st);
	free(from);
}

static int unwind_all(struct inject *in, struct err *err)
{
	const struct stream_opts so = { .no_inline = true, .symbols = in->o->symbols };
	struct sink sink = { .wants = SINK_CHAIN, .ctx = in->stacks, .samples = see,
			     .clone = clone, .merge = merge };
	struct sink *sinks[] = { &sink };
	const struct source src = source_of_reader(in->r);
	struct stream *s = stream_new(&src, in->os, &so, err);
	const int ret = s ? stream_run(s, sinks, 1, err) : -EINVAL;

	stream_free(s);
	return ret;
}

int inject_collect_stacks(struct inject *in, struct err *err)
{
	bool any = false;
	int ret;

	for vec_each(e, &in->r->events.events)
		any = any || has_dumps(*e);
	if (!any)
		return 0;
	if (in->r->stream || in->r->compressed || in->r->files.n > 1) {
		err_set(err, ENOTSUP, "%s: stack dumps of a pipe, of a compressed recording or of "
				      "one in a directory cannot be unwound here", in->r->path);
		err_hint(err, "write a plain file first: perf inject -i FILE -o PLAIN");
		return -ENOTSUP;
	}
	in->stacks = xnew(struct inject_stacks);
	ret = unwind_all(in, err);
	for vec_each(e, &in->r->events.events)
		if (has_dumps(*e))
			(*e)->attr.exclude_callchain_user = 0;	/* it is there now */
	return ret;
}

/* The record in buf; 0: it stays as it is. */
static int with_chain(struct inject *in, const struct perf_event_header *hdr, u64 off, void *buf,
		      size_t cap)
{
	const struct chain *c = hmap_get(&in->stacks->of, off + 1);
	const struct event *e = c ? event_of_record(&in->r->events, hdr) : NULL;
	u64 va[2 * MAX_CHAIN];
	struct sample s;
	const char *reason;
	size_t n = 0;

	if (!e || wire_decode_sample(&e->attr, hdr, &s, &reason))
		return 0;
	for (u64 i = 0; i < s.chain_n && n < MAX_CHAIN - 1; i++) {
		if (s.chain[i] == (u64)PERF_CONTEXT_USER)
			break;
		va[n++] = s.chain[i];
	}
	va[n++] = (u64)PERF_CONTEXT_USER;
	memcpy(va + n, c->va, c->n * sizeof(*va));
	s.chain = va;
	s.chain_n = n + c->n;
	s.user_regs = (struct regs_view){ .abi = PERF_SAMPLE_REGS_ABI_NONE };
	s.stack = (struct span){ NULL, 0 };
	return wire_encode_sample(&e->attr, &s, buf, cap);
}

int inject_copy_sample(struct inject *in, const struct perf_event_header *hdr, u64 off,
		       struct err *err)
{
	u64 buf[WIRE_MAX_RECORD_BYTES / 8 + 1];
	const int n = in->stacks ? with_chain(in, hdr, off, buf, WIRE_MAX_RECORD_BYTES) : 0;

	if (n <= 0)
		return data_write(&in->w, hdr, hdr->size, err);
	in->res->n_stacks++;
	return data_write(&in->w, buf, (size_t)n, err);
}

void inject_release_stacks(struct inject *in)
{
	if (!in->stacks)
		return;
	release(in->stacks);
	free(in->stacks);
	in->stacks = NULL;
}
