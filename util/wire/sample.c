// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/wire/wire.h"

#include "util/wire/wire-priv.h"

static u64 popcount(u64 x)
{
	return (u64)__builtin_popcountll(x);
}

/* Bytes of a read_format block that begins at w; steps over it. */
static void take_read(struct words *w, u64 format, struct span *out)
{
	const u64 *from = w->p;
	u64 nr = 1, per = 1;

	if (format & PERF_FORMAT_GROUP)
		nr = words_u64(w);
	else
		words_take(w, 1);
	words_take(w, popcount(format & (PERF_FORMAT_TOTAL_TIME_ENABLED |
					 PERF_FORMAT_TOTAL_TIME_RUNNING)));
	per = popcount(format & (PERF_FORMAT_ID | PERF_FORMAT_LOST));
	if (format & PERF_FORMAT_GROUP) {
		if (nr > words_left(w))
			w->failed = true;
		else
			words_take(w, nr * (per + 1));
	} else {
		words_take(w, per);
	}
	if (!w->failed)
		*out = (struct span){ (const u8 *)from, (size_t)(w->p - from) * 8 };
}

static void take_raw(struct words *w, struct span *out)
{
	const u32 *p = (const u32 *)words_take(w, 1);

	if (!p)
		return;
	/* size counts the padding, so that size + 4 is a multiple of 8; older writers are
	 * rounded up here */
	u64 more = p[0] > 4 ? ((u64)p[0] - 4 + 7) / 8 : 0;

	if (words_take(w, more))
		*out = (struct span){ (const u8 *)(p + 1), p[0] };
}

static void take_branch(struct words *w, u64 type, struct branch_view *b)
{
	b->n = words_u64(w);
	if (type & PERF_SAMPLE_BRANCH_HW_INDEX) {
		b->has_hw_idx = true;
		b->hw_idx = words_u64(w);
	}
	if (b->n > words_left(w)) {
		w->failed = true;
		return;
	}
	b->entries = (const struct perf_branch_entry *)words_take(w,
								  b->n * (sizeof(*b->entries) / 8));
	if (type & ABI_SAMPLE_BRANCH_COUNTERS)
		b->counters = words_take(w, b->n);
}

static void take_regs(struct words *w, u64 mask, struct regs_view *r)
{
	r->abi = words_u64(w);
	r->mask = mask;
	if (r->abi != PERF_SAMPLE_REGS_ABI_NONE)
		r->regs = words_take(w, popcount(mask));
}

static void take_stack(struct words *w, struct sample *s)
{
	u64 bytes = words_u64(w);

	s->stack_short = true;
	if (!bytes)
		return;
	if (bytes / 8 > words_left(w)) {
		w->failed = true;
		return;
	}
	const u64 *p = words_take(w, (bytes + 7) / 8);

	s->stack_dyn_bytes = words_u64(w);
	s->stack_short = s->stack_dyn_bytes < bytes;
	if (!w->failed)
		s->stack = (struct span){ (const u8 *)p, MIN(bytes, s->stack_dyn_bytes) };
}

/* Everything after the fixed head, for the samples that have it. */
static void take_tail(struct words *w, const struct perf_event_attr *attr, struct sample *s)
{
	const u64 type = attr->sample_type;

	if (type & PERF_SAMPLE_RAW)
		take_raw(w, &s->raw);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		take_branch(w, attr->branch_sample_type, &s->branch);
	if (type & PERF_SAMPLE_REGS_USER)
		take_regs(w, attr->sample_regs_user, &s->user_regs);
	if (type & PERF_SAMPLE_STACK_USER)
		take_stack(w, s);
	if (type & PERF_SAMPLE_WEIGHT)
		s->weight = words_u64(w);
	if (type & PERF_SAMPLE_WEIGHT_STRUCT) {
		union perf_sample_weight v = { .full = words_u64(w) };

		s->weight = v.var1_dw;
		s->ins_lat = v.var2_w;
		s->p_stage_cyc = v.var3_w;
	}
	if (type & PERF_SAMPLE_DATA_SRC)
		s->data_src = words_u64(w);
	if (type & PERF_SAMPLE_TRANSACTION)
		s->transaction = words_u64(w);
	if (type & PERF_SAMPLE_REGS_INTR)
		take_regs(w, attr->sample_regs_intr, &s->intr_regs);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		s->phys_addr = words_u64(w);
	if (type & PERF_SAMPLE_CGROUP)
		s->cgroup = words_u64(w);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		s->data_page_bytes = words_u64(w);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		s->code_page_bytes = words_u64(w);
	if (type & PERF_SAMPLE_AUX) {
		u64 bytes = words_u64(w);
		const u64 *p = bytes / 8 <= words_left(w) ? words_take(w, (bytes + 7) / 8) : NULL;

		if (p)
			s->aux = (struct span){ (const u8 *)p, bytes };
		else
			w->failed = true;
	}
}

#define TAIL_BITS (PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER | \
		   PERF_SAMPLE_STACK_USER | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT | \
		   PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_REGS_INTR | \
		   PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP | PERF_SAMPLE_DATA_PAGE_SIZE | \
		   PERF_SAMPLE_CODE_PAGE_SIZE | PERF_SAMPLE_AUX)
#define KNOWN_BITS ((u64)PERF_SAMPLE_MAX - 1)

int wire_decode_sample(const struct perf_event_attr *attr, const struct perf_event_header *rec,
		       struct sample *out,
		       const char **reason)
{
	struct words w = words_of(rec);
	const u64 type = attr->sample_type;
	u32 unused;

	*out = (struct sample){ .present = type & KNOWN_BITS, .misc = rec->misc,
				.cpumode = rec->misc & PERF_RECORD_MISC_CPUMODE_MASK };
	if (type & PERF_SAMPLE_IDENTIFIER)
		out->id = words_u64(&w);
	if (type & PERF_SAMPLE_IP)
		out->ip = words_u64(&w);
	if (type & PERF_SAMPLE_TID)
		words_u32x2(&w, &out->pid, &out->tid);
	if (type & PERF_SAMPLE_TIME)
		out->time_ns = words_u64(&w);
	if (type & PERF_SAMPLE_ADDR)
		out->addr = words_u64(&w);
	if (type & PERF_SAMPLE_ID)
		out->id = words_u64(&w);
	if (type & PERF_SAMPLE_STREAM_ID)
		out->stream_id = words_u64(&w);
	if (type & PERF_SAMPLE_CPU)
		words_u32x2(&w, &out->cpu, &unused);
	if (type & PERF_SAMPLE_PERIOD)
		out->period = words_u64(&w);
	if (type & PERF_SAMPLE_READ)
		take_read(&w, attr->read_format, &out->read);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		out->chain_n = words_u64(&w);
		out->chain = words_take(&w, out->chain_n);
	}
	if (type & TAIL_BITS)
		take_tail(&w, attr, out);
	return w.failed ? wire_bad(reason, "the sample is longer than its record") : 0;
}

#define FLAT_WORDS (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
		    PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | \
		    PERF_SAMPLE_PERIOD)

unsigned wire_flat_words(u64 type)
{
	if (type & ~(u64)(FLAT_WORDS | PERF_SAMPLE_RAW))
		return 0;
	return 1 + (unsigned)popcount(type);
}

int wire_decode_flat(u64 type, unsigned words, const struct perf_event_header *rec,
		     struct sample *out, const char **reason)
{
	const u64 *w = (const u64 *)(const void *)(rec + 1);
	const unsigned have = rec->size / 8;
	u32 raw_bytes;

	if (have < words)
		return wire_bad(reason, "the sample is longer than its record");
	out->present = type;
	out->misc = rec->misc;
	out->cpumode = rec->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	if (type & PERF_SAMPLE_IDENTIFIER)
		out->id = *w++;
	if (type & PERF_SAMPLE_IP)
		out->ip = *w++;
	if (type & PERF_SAMPLE_TID) {
		out->pid = ((const u32 *)w)[0];
		out->tid = ((const u32 *)w++)[1];
	}
	if (type & PERF_SAMPLE_TIME)
		out->time_ns = *w++;
	if (type & PERF_SAMPLE_ADDR)
		out->addr = *w++;
	if (type & PERF_SAMPLE_ID)
		out->id = *w++;
	if (type & PERF_SAMPLE_STREAM_ID)
		out->stream_id = *w++;
	if (type & PERF_SAMPLE_CPU)
		out->cpu = *(const u32 *)w++;
	if (type & PERF_SAMPLE_PERIOD)
		out->period = *w++;
	if (!(type & PERF_SAMPLE_RAW))
		return 0;
	raw_bytes = *(const u32 *)w;
	if (((u64)raw_bytes + 4 + 7) / 8 > have - words + 1)
		return wire_bad(reason, "the sample is longer than its record");
	out->raw = (struct span){ (const u8 *)w + 4, raw_bytes };
	return 0;
}

/* Words before the identity. Where several events listen for the same KSYMBOL or BPF_EVENT the
 * kernel gives each the size of the one before it and another identity's (seen with 6.18): behind
 * the identity are words that nobody wrote. Of these records the front tells where it is. */
static u64 words_before_id(const struct perf_event_header *rec, const struct words *w, unsigned n)
{
	const u64 left = words_left(w);
	u64 front = left;

	if (rec->type == PERF_RECORD_BPF_EVENT)
		front = 2;
	else if (rec->type == PERF_RECORD_KSYMBOL && left > 2)
		front = 2 + strnlen((const char *)(w->p + 2), (left - 2) * 8) / 8 + 1;
	return front + n <= left ? front : left >= n ? left - n : n;
}

int wire_decode_id(const struct perf_event_attr *attr, const struct perf_event_header *rec,
		   struct sample_id *out,
		   const char **reason)
{
	const unsigned n = wire_id_words(attr);
	u32 unused;

	*out = (struct sample_id){ 0 };
	if (!n)
		return 0;

	struct words w = words_of(rec);

	if (!words_take(&w, words_before_id(rec, &w, n)) || words_left(&w) < n)
		return wire_bad(reason, "the record is too short for its identity");

	const u64 type = attr->sample_type;

	out->present = type & (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
			       PERF_SAMPLE_STREAM_ID |
			       PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER);
	if (type & PERF_SAMPLE_TID)
		words_u32x2(&w, &out->pid, &out->tid);
	if (type & PERF_SAMPLE_TIME)
		out->time_ns = words_u64(&w);
	if (type & PERF_SAMPLE_ID)
		out->id = words_u64(&w);
	if (type & PERF_SAMPLE_STREAM_ID)
		out->stream_id = words_u64(&w);
	if (type & PERF_SAMPLE_CPU)
		words_u32x2(&w, &out->cpu, &unused);
	if (type & PERF_SAMPLE_IDENTIFIER)
		out->id = words_u64(&w);
	return 0;
}

int wire_sample_id_pos(const struct perf_event_attr *attr)
{
	if (attr->sample_type & PERF_SAMPLE_IDENTIFIER)
		return 0;
	if (!(attr->sample_type & PERF_SAMPLE_ID))
		return -1;
	return __builtin_popcountll(attr->sample_type &
				    (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
				     PERF_SAMPLE_ADDR));
}

int wire_record_id_pos(const struct perf_event_attr *attr)
{
	if (!attr->sample_id_all)
		return -1;
	if (attr->sample_type & PERF_SAMPLE_IDENTIFIER)
		return 1;
	if (!(attr->sample_type & PERF_SAMPLE_ID))
		return -1;
	return 1 + __builtin_popcountll(attr->sample_type &
					(PERF_SAMPLE_CPU | PERF_SAMPLE_STREAM_ID));
}

int wire_sample_time_pos(const struct perf_event_attr *attr)
{
	if (!(attr->sample_type & PERF_SAMPLE_TIME))
		return -1;
	return popcount(attr->sample_type & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
					     PERF_SAMPLE_TID));
}

int wire_record_time_pos(const struct perf_event_attr *attr)
{
	if (!attr->sample_id_all || !(attr->sample_type & PERF_SAMPLE_TIME))
		return -1;
	return 1 + popcount(attr->sample_type &
			    (PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
			     PERF_SAMPLE_IDENTIFIER));
}

static void read_value(const u64 **p, u64 format, struct wire_value *out)
{
	out->value = *(*p)++;
	out->id = format & PERF_FORMAT_ID ? *(*p)++ : 0;
	out->lost = format & PERF_FORMAT_LOST ? *(*p)++ : 0;
}

int wire_read_values(u64 format, struct span bytes, struct wire_value *out, u64 max, u64 *n,
		     u64 *enabled_ns,
		     u64 *running_ns)
{
	const u64 *p = (const u64 *)(uintptr_t)bytes.ptr;
	const u64 have = bytes.len / 8;
	const u64 times = popcount(format & (PERF_FORMAT_TOTAL_TIME_ENABLED |
					     PERF_FORMAT_TOTAL_TIME_RUNNING));
	const u64 per = 1 + popcount(format & (PERF_FORMAT_ID | PERF_FORMAT_LOST));
	const bool group = format & PERF_FORMAT_GROUP;
	u64 nr = 1, enabled = 0, running = 0;

	if (have < 1 + times)
		return -EINVAL;
	if (group)
		nr = *p++;
	struct wire_value single = { 0 };

	if (!group)
		single.value = *p++;
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		enabled = *p++;
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		running = *p++;
	if (group ? nr > (have - 1 - times) / per : per - 1 > have - 1 - times)
		return -EINVAL;
	if (group) {
		for (u64 i = 0; i < nr && i < max; i++)
			read_value(&p, format, &out[i]);
	} else if (max) {
		single.id = format & PERF_FORMAT_ID ? *p++ : 0;
		single.lost = format & PERF_FORMAT_LOST ? *p++ : 0;
		out[0] = single;
	}
	*n = nr;
	if (enabled_ns)
		*enabled_ns = enabled;
	if (running_ns)
		*running_ns = running;
	return 0;
}
