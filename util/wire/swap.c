// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/wire/wire.h"

#include "util/wire/wire-priv.h"

static void swap64(u64 *p, u64 n)
{
	for (u64 i = 0; i < n; i++)
		p[i] = __builtin_bswap64(p[i]);
}

static void swap32(void *words, u64 n_words)
{
	u32 *p = words;

	for (u64 i = 0; i < n_words * 2; i++)
		p[i] = __builtin_bswap32(p[i]);
}

static void take_swap64(struct words *w, u64 n)
{
	u64 *p = words_take(w, n);

	if (p)
		swap64(p, n);
}

static void take_swap32(struct words *w, u64 n_words)
{
	u64 *p = words_take(w, n_words);

	if (p)
		swap32(p, n_words);
}

/* A count, swapped, and as many words as it says are left to take. */
static u64 take_count(struct words *w, u64 words_each)
{
	u64 *p = words_take(w, 1);

	if (!p)
		return 0;
	swap64(p, 1);
	if (*p > words_left(w) / words_each) {
		w->failed = true;
		return 0;
	}
	return *p;
}

/*
 * Bit fields of the other byte order begin at the other end: after the swap of its bytes the first
 * field stands in the highest bits. widths: of the fields in the order of their declaration.
 */
static u64 reorder_bits(u64 v, const u8 *widths, size_t n)
{
	u64 out = 0;
	unsigned low = 0, high = 64;

	for (size_t i = 0; i < n; i++) {
		high -= widths[i];
		out |= (v >> high & ((1ULL << widths[i]) - 1)) << low;
		low += widths[i];
	}
	return out;
}

static void swap_branches(struct words *w, const struct perf_event_attr *attr)
{
	/* mispred predicted in_tx abort cycles type spec new_type priv reserved */
	static const u8 widths[] = { 1, 1, 1, 1, 16, 4, 2, 4, 3, 31 };
	u64 n = take_count(w, 3);

	if (attr->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		take_swap64(w, 1);

	u64 *p = words_take(w, n * 3);

	if (!p)
		return;
	swap64(p, n * 3);
	for (u64 i = 0; i < n; i++)
		p[i * 3 + 2] = reorder_bits(p[i * 3 + 2], widths, ARRAY_SIZE(widths));
	if (attr->branch_sample_type & ABI_SAMPLE_BRANCH_COUNTERS)
		take_swap64(w, n);
}

static void swap_regs(struct words *w, u64 mask)
{
	u64 *abi = words_take(w, 1);

	if (!abi)
		return;
	swap64(abi, 1);
	if (*abi != PERF_SAMPLE_REGS_ABI_NONE)
		take_swap64(w, (u64)__builtin_popcountll(mask));
}

static void swap_bytes_field(struct words *w, bool dyn_size)
{
	u64 *p = words_take(w, 1);

	if (!p)
		return;
	swap64(p, 1);
	if (*p / 8 > words_left(w)) {
		w->failed = true;
		return;
	}
	words_take(w, (*p + 7) / 8);
	if (dyn_size && *p)
		take_swap64(w, 1);
}

static void swap_read(struct words *w, u64 format)
{
	const u64 times = format & (PERF_FORMAT_TOTAL_TIME_ENABLED |
				    PERF_FORMAT_TOTAL_TIME_RUNNING);
	const u64 per = 1 + (u64)__builtin_popcountll(format & (PERF_FORMAT_ID | PERF_FORMAT_LOST));

	if (format & PERF_FORMAT_GROUP) {
		u64 n = take_count(w, 1);

		take_swap64(w, (u64)__builtin_popcountll(times));
		take_swap64(w, n * per);
	} else {
		take_swap64(w, per + (u64)__builtin_popcountll(times));
	}
}

static void swap_tail(struct words *w, const struct perf_event_attr *attr)
{
	const u64 type = attr->sample_type;

	if (type & PERF_SAMPLE_RAW) {
		u32 *p = (u32 *)words_take(w, 1);

		if (p) {
			p[0] = __builtin_bswap32(p[0]);
			words_take(w, p[0] > 4 ? ((u64)p[0] - 4 + 7) / 8 : 0);
		}
	}
	if (type & PERF_SAMPLE_BRANCH_STACK)
		swap_branches(w, attr);
	if (type & PERF_SAMPLE_REGS_USER)
		swap_regs(w, attr->sample_regs_user);
	if (type & PERF_SAMPLE_STACK_USER)
		swap_bytes_field(w, true);
	/* WEIGHT_STRUCT has its members the other way round on big endian, so that one swap of
	 * the word serves both */
	take_swap64(w, (u64)__builtin_popcountll(type &
						 (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT |
							   PERF_SAMPLE_DATA_SRC |
							   PERF_SAMPLE_TRANSACTION)));
	if (type & PERF_SAMPLE_REGS_INTR)
		swap_regs(w, attr->sample_regs_intr);
	take_swap64(w, (u64)__builtin_popcountll(type &
						 (PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |
							   PERF_SAMPLE_DATA_PAGE_SIZE |
							   PERF_SAMPLE_CODE_PAGE_SIZE)));
	if (type & PERF_SAMPLE_AUX)
		swap_bytes_field(w, false);
}

static void swap_sample(struct words *w, const struct perf_event_attr *attr)
{
	const u64 type = attr->sample_type;

	take_swap64(w, (u64)__builtin_popcountll(type & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP)));
	if (type & PERF_SAMPLE_TID)
		take_swap32(w, 1);
	take_swap64(w, (u64)__builtin_popcountll(type & (PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
							 PERF_SAMPLE_ID |
							   PERF_SAMPLE_STREAM_ID)));
	if (type & PERF_SAMPLE_CPU)
		take_swap32(w, 1);
	if (type & PERF_SAMPLE_PERIOD)
		take_swap64(w, 1);
	if (type & PERF_SAMPLE_READ)
		swap_read(w, attr->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN)
		take_swap64(w, take_count(w, 1));
	swap_tail(w, attr);
}

/* The identity at the end, cut off w. */
static void swap_id(struct words *w, const struct perf_event_attr *attr)
{
	const unsigned n = wire_id_words(attr);

	if (!n)
		return;
	if (words_left(w) < n) {
		w->failed = true;
		return;
	}

	struct words id = { w->end - n, w->end, false };

	w->end -= n;
	if (attr->sample_type & PERF_SAMPLE_TID)
		take_swap32(&id, 1);
	take_swap64(&id, (u64)__builtin_popcountll(attr->sample_type &
						   (PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
									  PERF_SAMPLE_STREAM_ID)));
	if (attr->sample_type & PERF_SAMPLE_CPU)
		take_swap32(&id, 1);
	if (attr->sample_type & PERF_SAMPLE_IDENTIFIER)
		take_swap64(&id, 1);
}

static void swap_mmap(struct words *w, const struct perf_event_header *rec)
{
	take_swap32(w, 1);
	take_swap64(w, 3);
	if (rec->type != PERF_RECORD_MMAP2)
		return;
	if (rec->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		words_take(w, 3);
	} else {
		take_swap32(w, 1);
		take_swap64(w, 2);
	}
	take_swap32(w, 1);
}

static void swap_ksymbol(struct words *w)
{
	take_swap64(w, 1);

	u8 *p = (u8 *)words_take(w, 1);

	if (!p)
		return;
	((u32 *)(void *)p)[0] = __builtin_bswap32(((u32 *)(void *)p)[0]);
	((u16 *)(void *)p)[2] = __builtin_bswap16(((u16 *)(void *)p)[2]);
	((u16 *)(void *)p)[3] = __builtin_bswap16(((u16 *)(void *)p)[3]);
}

static void swap_text_poke(struct words *w)
{
	take_swap64(w, 1);

	u16 *p = (u16 *)words_take(w, 1);

	if (p) {
		p[0] = __builtin_bswap16(p[0]);
		p[1] = __builtin_bswap16(p[1]);
	}
}

/* The parts of a cpu map stand unaligned after a u16, so it is turned byte by byte. */
static void swap_at(u8 *p, const u8 *end, size_t width)
{
	if ((size_t)(end - p) < width)
		return;
	for (size_t i = 0; i < width / 2; i++) {
		u8 t = p[i];

		p[i] = p[width - 1 - i];
		p[width - 1 - i] = t;
	}
}

static void swap_cpu_map(struct words *w)
{
	u8 *end = (u8 *)w->end, *p = (u8 *)words_take(w, words_left(w));
	u16 type, word_bytes;

	if (!p || end - p < 8) {
		w->failed = true;
		return;
	}
	for (int i = 0; i < 4; i += 2)
		swap_at(p + i, end, 2);
	memcpy(&type, p, 2);
	if (type == WIRE_CPU_MASK) {
		swap_at(p + 4, end, 2);
		memcpy(&word_bytes, p + 4, 2);
		if (word_bytes != 8)
			word_bytes = 4;
		for (u8 *q = p + (word_bytes == 8 ? 10 : 6); q < end; q += word_bytes)
			swap_at(q, end, word_bytes);
	} else {
		if (type == WIRE_CPU_RANGE)	/* any_cpu is a byte */
			swap_at(p + 2, end, 2);
		for (u8 *q = p + 4; q < end; q += 2)
			swap_at(q, end, 2);
	}
}

static void swap_thread_map(struct words *w)
{
	u64 n = take_count(w, 3);

	for (u64 i = 0; i < n; i++) {
		take_swap64(w, 1);
		words_take(w, 2);
	}
}

static void swap_event_update(struct words *w)
{
	u64 *type = words_take(w, 1);

	if (!type)
		return;
	swap64(type, 1);
	take_swap64(w, 1);
	if (*type == 1)
		take_swap64(w, 1);
	else if (*type == 3)
		swap_cpu_map(w);
}

/* ATTR: the attr by its own function; what follows are ids. */
static void swap_header_attr(struct words *w)
{
	struct perf_event_attr attr = { 0 };
	u32 *p = (u32 *)w->p;

	if (words_left(w) < PERF_ATTR_SIZE_VER0 / 8) {
		w->failed = true;
		return;
	}

	u32 bytes = __builtin_bswap32(p[1]);
	u32 own = MIN(bytes, (u32)sizeof(attr));

	if (bytes < PERF_ATTR_SIZE_VER0 || bytes % 8 || bytes / 8 > words_left(w)) {
		w->failed = true;
		return;
	}
	memcpy(&attr, p, own);
	wire_swap_attr(&attr);
	memcpy(p, &attr, own);
	words_take(w, own / 8);
	take_swap64(w, words_left(w));
}

/* time, cpu, version and number of the domain; then counters, of a CPU's the last three of 64 bits
 */
static void swap_schedstat(struct words *w, bool domain)
{
	take_swap64(w, 1);

	u8 *p = (u8 *)words_take(w, 1);

	if (!p)
		return;
	swap_at(p, p + 8, 4);
	swap_at(p + 4, p + 8, 2);
	swap_at(p + 6, p + 8, 2);
	take_swap32(w, domain ? words_left(w) : 3);
	take_swap64(w, words_left(w));
}

static void swap_user(struct words *w, const struct perf_event_header *rec)
{
	switch (rec->type) {
	case WIRE_HEADER_ATTR:
		swap_header_attr(w);
		break;
	case WIRE_HEADER_TRACING_DATA: {
		u32 *p = (u32 *)words_take(w, 1);

		if (p)
			*p = __builtin_bswap32(*p);
		break;
	}
	case WIRE_HEADER_BUILD_ID: {
		u32 *p = (u32 *)words_take(w, 1);

		if (p)
			*p = __builtin_bswap32(*p);
		break;
	}
	case WIRE_AUXTRACE: {
		take_swap64(w, 3);
		take_swap32(w, words_left(w));
		break;
	}
	case WIRE_AUXTRACE_INFO:
		take_swap32(w, 1);
		take_swap64(w, words_left(w));
		break;
	case WIRE_AUXTRACE_ERROR:
		take_swap32(w, 3);	/* type code cpu pid tid fmt */
		take_swap64(w, 1);	/* ip */
		take_swap64(w, 1);	/* time */
		break;
	case WIRE_THREAD_MAP:
		swap_thread_map(w);
		break;
	case WIRE_CPU_MAP:
		swap_cpu_map(w);
		break;
	case WIRE_EVENT_UPDATE:
		swap_event_update(w);
		break;
	case WIRE_STAT:
		take_swap64(w, 1);
		take_swap32(w, 1);
		take_swap64(w, words_left(w));
		break;
	case WIRE_HEADER_FEATURE:
		/* the id; the bytes are a section's: data_feature_decode() swaps */
		take_swap64(w, 1);
		break;
	case WIRE_TIME_CONV:
		take_swap64(w, MIN(words_left(w), 5UL));	/* then single bytes */
		break;
	case WIRE_COMPRESSED2:
		take_swap64(w, 1);
		break;
	case WIRE_SCHEDSTAT_CPU: case WIRE_SCHEDSTAT_DOMAIN:
		swap_schedstat(w, rec->type == WIRE_SCHEDSTAT_DOMAIN);
		break;
	case WIRE_ID_INDEX: case WIRE_STAT_CONFIG: case WIRE_STAT_ROUND:
		take_swap64(w, words_left(w));
		break;
	default:
		break;
	}
}

static void swap_kernel(struct words *w, const struct perf_event_header *rec,
			const struct perf_event_attr *attr)
{
	if (rec->type == PERF_RECORD_SAMPLE) {
		if (attr)
			swap_sample(w, attr);
		return;
	}
	swap_id(w, attr);
	switch (rec->type) {
	case PERF_RECORD_MMAP: case PERF_RECORD_MMAP2:
		swap_mmap(w, rec);
		break;
	case PERF_RECORD_COMM: case PERF_RECORD_SWITCH_CPU_WIDE: case PERF_RECORD_ITRACE_START:
		take_swap32(w, 1);
		break;
	case PERF_RECORD_EXIT: case PERF_RECORD_FORK:
		take_swap32(w, 2);
		take_swap64(w, 1);
		break;
	case PERF_RECORD_READ:
		take_swap32(w, 1);
		take_swap64(w, attr ? words_left(w) : 0);
		break;
	case PERF_RECORD_LOST: case PERF_RECORD_LOST_SAMPLES: case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
	case PERF_RECORD_AUX: case PERF_RECORD_AUX_OUTPUT_HW_ID: {
		static const u8 words[PERF_RECORD_AUX_OUTPUT_HW_ID + 1] = {
			[PERF_RECORD_LOST] = 2, [PERF_RECORD_LOST_SAMPLES] = 1,
				[PERF_RECORD_THROTTLE] = 3,
			[PERF_RECORD_UNTHROTTLE] = 3, [PERF_RECORD_AUX] = 3,
			[PERF_RECORD_AUX_OUTPUT_HW_ID] = 1,
		};

		take_swap64(w, words[rec->type]);
		break;
	}
	case PERF_RECORD_NAMESPACES:
		take_swap32(w, 1);
		take_swap64(w, take_count(w, 2) * 2);
		break;
	case PERF_RECORD_KSYMBOL:
		swap_ksymbol(w);
		break;
	case PERF_RECORD_BPF_EVENT: {
		u16 *p = (u16 *)words_take(w, 1);

		if (p) {
			p[0] = __builtin_bswap16(p[0]);
			p[1] = __builtin_bswap16(p[1]);
			((u32 *)(void *)p)[1] = __builtin_bswap32(((u32 *)(void *)p)[1]);
		}
		break;
	}
	case PERF_RECORD_CGROUP:
		take_swap64(w, 1);
		break;
	case PERF_RECORD_TEXT_POKE:
		swap_text_poke(w);
		break;
	case ABI_RECORD_CALLCHAIN_DEFERRED:
		take_swap64(w, 1);
		take_swap64(w, take_count(w, 1));
		break;
	default:
		break;
	}
}

int wire_swap(struct perf_event_header *rec, const struct perf_event_attr *attr,
	      const char **reason)
{
	rec->type = __builtin_bswap32(rec->type);
	rec->misc = __builtin_bswap16(rec->misc);
	rec->size = __builtin_bswap16(rec->size);

	struct words w = words_of(rec);

	if (rec->type < WIRE_HEADER_ATTR)
		swap_kernel(&w, rec, attr);
	else
		swap_user(&w, rec);
	return w.failed ? wire_bad(reason, "the record is shorter than its fields") : 0;
}

static u8 reverse_bits(u8 b)
{
	b = (u8)((b & 0xf0) >> 4 | (b & 0x0f) << 4);
	b = (u8)((b & 0xcc) >> 2 | (b & 0x33) << 2);
	return (u8)((b & 0xaa) >> 1 | (b & 0x55) << 1);
}

void wire_swap_attr(struct perf_event_attr *attr)
{
	u8 *flags = (u8 *)attr + offsetof(struct perf_event_attr, read_format) + 8;
	u32 *words = (u32 *)(void *)attr;

	words[0] = __builtin_bswap32(words[0]);		/* type */
	words[1] = __builtin_bswap32(words[1]);		/* size */
	/* config sample_period sample_type read_format */
	swap64((u64 *)(void *)attr + 1, 4);
	for (int i = 0; i < 8; i++)
		flags[i] = reverse_bits(flags[i]);

	/* precise_ip: the only field of two bits, now with its bits exchanged */
	u8 p = attr->precise_ip;

	attr->precise_ip = (p & 1) << 1 | p >> 1;
	attr->wakeup_events = __builtin_bswap32(attr->wakeup_events);
	attr->bp_type = __builtin_bswap32(attr->bp_type);
	attr->config1 = __builtin_bswap64(attr->config1);
	attr->config2 = __builtin_bswap64(attr->config2);
	attr->branch_sample_type = __builtin_bswap64(attr->branch_sample_type);
	attr->sample_regs_user = __builtin_bswap64(attr->sample_regs_user);
	attr->sample_stack_user = __builtin_bswap32(attr->sample_stack_user);
	attr->clockid = (s32)__builtin_bswap32((u32)attr->clockid);
	attr->sample_regs_intr = __builtin_bswap64(attr->sample_regs_intr);
	attr->aux_watermark = __builtin_bswap32(attr->aux_watermark);
	attr->sample_max_stack = __builtin_bswap16(attr->sample_max_stack);
	attr->aux_sample_size = __builtin_bswap32(attr->aux_sample_size);
	attr->sig_data = __builtin_bswap64(attr->sig_data);
}
