// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/raw-dump.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/base/io.h"
#include "util/export/perf-script-priv.h"
#include "util/itrace/packets.h"
#include "util/wire/user.h"

typedef unsigned long long ull;

static void flush(struct raw_dump *d)
{
	int ret = d->failed ? 0 : io_write(d->fd, str_cstr(&d->out), d->out.len);

	if (ret)
		d->failed = -ret;
	if (d->failed)
		d->sink.stop = true;
	str_reset(&d->out);
}

static void dump_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct raw_dump *d = sink->ctx;

	for (size_t i = 0; i < n; i++) {
		const struct resolved *r = items[i].res;

		raw_dump_record(d, items[i].file_off, items[i].rec, items[i].sample, NULL, &d->out);
		raw_dump_location(r->comm ? r->comm->name : NULL, items[i].sample->tid,
				  r->leaf.dso ? r->leaf.dso->path : NULL, &d->out);
	}
	if (d->out.len > 1 << 16)
		flush(d);
}

static void dump_other(struct sink *sink, const struct perf_event_header *rec,
		       const struct sample_id *id, u64 file_off)
{
	struct raw_dump *d = sink->ctx;

	raw_dump_record(d, file_off, rec, NULL, id, &d->out);
	if (d->out.len > 1 << 16)
		flush(d);
}

void raw_dump_init(struct raw_dump *d, const char *file, const struct event_list *events,
		   const struct arch_info *arch, int fd)
{
	*d = (struct raw_dump){ .file = file, .arch = arch, .fd = fd, .data_fd = -1 };
	for vec_each(e, &events->events)
		d->sample_type |= (*e)->attr.sample_type;
	d->id_all = events->events.n && events->events.v[0]->attr.sample_id_all;
	d->sink = (struct sink){ .wants = SINK_ORDER | SINK_SIDEBAND | SINK_SYMBOLS, .ctx = d,
				 .samples = dump_samples,
				 .record = dump_other };
}

void raw_dump_with_aux(struct raw_dump *d, int data_fd)
{
	d->data_fd = data_fd;
}

int raw_dump_finish(struct raw_dump *d, struct err *err)
{
	flush(d);
	str_release(&d->out);
	return d->failed ? err_sys(err, d->failed, "cannot write the dump") : 0;
}

/* ".  0010:  xx xx ...  text", 16 bytes a line. */
static void add_hex(const u8 *p, size_t n, struct str *out)
{
	str_addf(out, ".\n. ... raw event: size %zu bytes\n", n);
	for (size_t at = 0; at < n; at += 16) {
		size_t left = MIN(n - at, (size_t)16);

		str_addf(out, ".  %04zx: ", at);
		for (size_t i = 0; i < 16; i++) {
			str_addch(out, ' ');
			if (i < left)
				str_add_hex(out, p[at + i], 2);
			else
				str_add(out, "  ");
		}
		str_add(out, "  ");
		for (size_t i = 0; i < 16; i++)
			str_addch(out, i >= left ? ' ' : isascii(p[at + i]) && isprint(p[at + i]) ?
				  (char)p[at + i] : '.');
		str_addch(out, '\n');
	}
	str_addch(out, '\n');
}

/* The cpu and the time that begin the line, as far as any event has them. */
static void add_stamp(const struct raw_dump *d, const struct perf_event_header *rec,
		      const struct sample *s,
		      const struct sample_id *id, struct str *out)
{
	u32 cpu = 0;
	u64 time_ns = 0;

	if (!s && !d->id_all) {
		str_add(out, "-1 -1 ");
		return;
	}
	if (s) {
		cpu = s->present & PERF_SAMPLE_CPU ? s->cpu : ~0U;
		time_ns = s->time_ns;
	} else if (rec->type < WIRE_HEADER_ATTR) {
		cpu = id && id->present & PERF_SAMPLE_CPU ? id->cpu : ~0U;
		time_ns = id ? id->time_ns : 0;
	}
	if (d->sample_type & PERF_SAMPLE_CPU)
		str_addf(out, "%u ", cpu);
	if (d->sample_type & PERF_SAMPLE_TIME)
		str_addf(out, "%llu ", (ull)time_ns);
}

/* --- samples --- */

static const char *context_name(u64 ip)
{
	switch (ip) {
	case PERF_CONTEXT_HV: return " (PERF_CONTEXT_HV)";
	case PERF_CONTEXT_KERNEL: return " (PERF_CONTEXT_KERNEL)";
	case PERF_CONTEXT_USER: return " (PERF_CONTEXT_USER)";
	case PERF_CONTEXT_GUEST: return " (PERF_CONTEXT_GUEST)";
	case PERF_CONTEXT_GUEST_KERNEL: return " (PERF_CONTEXT_GUEST_KERNEL)";
	case PERF_CONTEXT_GUEST_USER: return " (PERF_CONTEXT_GUEST_USER)";
	case (u64)-640: return " (PERF_CONTEXT_USER_DEFERRED)";
	default: return "";
	}
}

static bool has_call_stack(const struct sample *s)
{
	return s->event && s->event->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK;
}

/* From the leaf on: where the last call went, then where each call is. */
static u64 call_stack_ip(const struct sample *s, u64 i)
{
	return i ? s->branch.entries[i - 1].from : s->branch.entries[0].to;
}

/* The stack that they make together: the chain up to where user code begins, then the calls. */
static void add_lbr_chain(const struct sample *s, struct str *out)
{
	u64 n = 0, k = 0;

	while (k < s->chain_n && s->chain[k] != PERF_CONTEXT_USER)
		k++;
	if (k == s->chain_n || !s->branch.n)
		return;
	str_addf(out, "... LBR call chain: nr:%llu\n", (ull)(k + 1 + s->branch.n + 1));
	for (; n <= k; n++)
		str_addf(out, "..... %2llu: %016llx\n", (ull)n, (ull)s->chain[n]);
	for (u64 i = 0; i <= s->branch.n; i++, n++)
		str_addf(out, "..... %2llu: %016llx\n", (ull)n, (ull)call_stack_ip(s, i));
}

static void add_chain(const struct sample *s, struct str *out)
{
	if (has_call_stack(s))
		add_lbr_chain(s, out);
	str_addf(out, "... FP chain: nr:%llu\n", (ull)s->chain_n);
	for (u64 i = 0; i < s->chain_n; i++)
		str_addf(out, "..... %2llu: %016llx%s\n", (ull)i, (ull)s->chain[i],
			 context_name(s->chain[i]));
}

/* Calls that have not returned. Of none upstream says nr:1 and shows nothing. */
static void add_call_stack(const struct sample *s, struct str *out)
{
	const u64 n = s->branch.n ? s->branch.n + 1 : 0;

	str_addf(out, "... branch callstack: nr:%llu\n", (ull)n);
	for (u64 i = 0; i < n; i++)
		str_addf(out, "..... %2llu: %016llx\n", (ull)i, (ull)call_stack_ip(s, i));
}

static void add_branch_stack(const struct sample *s, struct str *out)
{
	static const char *const types[] = { "", "COND", "UNCOND", "IND", "CALL", "IND_CALL", "RET",
					     "SYSCALL", "SYSRET",
					     "COND_CALL", "COND_RET", "ERET", "IRQ", "SERROR",
					     "NO_TX" };

	if (has_call_stack(s)) {
		add_call_stack(s, out);
		return;
	}
	str_addf(out, "... branch stack: nr:%llu\n", (ull)s->branch.n);
	for (u64 i = 0; i < s->branch.n; i++) {
		const struct perf_branch_entry *b = &s->branch.entries[i];

		str_addf(out, "..... %2llu: %016llx -> %016llx %u cycles %s%s%s%s %x %s \n", (ull)i,
			 (ull)b->from, (ull)b->to,
			 (unsigned)b->cycles, b->mispred ? "M" : " ", b->predicted ? "P" : " ",
			 b->abort ? "A" : " ",
			 b->in_tx ? "T" : " ", (unsigned)(b->reserved / 2),
			 b->type < ARRAY_SIZE(types) ? types[b->type] : "");
	}
}

static void add_reg_values(const struct raw_dump *d, const char *which, const struct regs_view *r,
			   struct str *out)
{
	u64 n = 0;

	if (!r->regs)
		return;
	str_addf(out, "... %s regs: mask 0x%llx ABI %s\n", which, (ull)r->mask,
		 r->abi == PERF_SAMPLE_REGS_ABI_64 ? "64-bit" : r->abi == PERF_SAMPLE_REGS_ABI_32 ?
		 "32-bit" : "unknown");
	for (unsigned bit = 0; bit < 64; bit++) {
		char number[16];
		const char *name = d->arch && bit < d->arch->n_perf_regs ?
			d->arch->perf_reg_names[bit] : NULL;

		if (!(r->mask >> bit & 1))
			continue;
		if (!name) {
			snprintf(number, sizeof(number), "reg%u", bit);
			name = number;
		}
		str_addf(out, ".... %-5s 0x%016llx\n", name, (ull)r->regs[n++]);
	}
}

static void add_read(const struct event *e, const struct sample *s, struct str *out)
{
	struct wire_value v[64];
	const u64 format = e->attr.read_format;
	u64 n, enabled, running;

	if (wire_read_values(format, s->read, v, ARRAY_SIZE(v), &n, &enabled, &running))
		return;
	str_add(out, "... sample_read:\n");
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		str_addf(out, "...... time enabled %016llx\n", (ull)enabled);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		str_addf(out, "...... time running %016llx\n", (ull)running);
	if (format & PERF_FORMAT_GROUP)
		str_addf(out, ".... group nr %llu\n", (ull)n);
	for (u64 i = 0; i < n && i < ARRAY_SIZE(v); i++) {
		str_addf(out, "..... id %016llx, value %016llx", (ull)v[i].id, (ull)v[i].value);
		if (format & PERF_FORMAT_LOST)
			str_addf(out, ", lost %llu", (ull)v[i].lost);
		str_addch(out, '\n');
	}
}

static void add_page(const char *which, u64 bytes, struct str *out)
{
	str_addf(out, " .. %s page size:", which);
	add_page_size(out, bytes);
	str_addch(out, '\n');
}

static void add_sample(const struct raw_dump *d, const struct perf_event_header *rec,
		       const struct sample *s,
		       struct str *out)
{
	const struct event *e = s->event;
	const u64 has = s->present;

	str_addf(out, "(IP, %#x): %d/%d: %#llx period: %llu addr: %#llx\n", rec->misc, (int)s->pid,
		 (int)s->tid, (ull)s->ip,
		 (ull)(has & PERF_SAMPLE_PERIOD || !e ? s->period : e->attr.sample_period),
		 (ull)s->addr);
	if (has & PERF_SAMPLE_CALLCHAIN)
		add_chain(s, out);
	if (has & PERF_SAMPLE_BRANCH_STACK)
		add_branch_stack(s, out);
	if (has & PERF_SAMPLE_REGS_USER)
		add_reg_values(d, "user", &s->user_regs, out);
	if (has & PERF_SAMPLE_REGS_INTR)
		add_reg_values(d, "intr", &s->intr_regs, out);
	/* the offset is that of its size, in front of the bytes */
	if (has & PERF_SAMPLE_STACK_USER)
		str_addf(out, "... ustack: size %zu, offset 0x%zx\n", s->stack.len,
			 s->stack.ptr ? (size_t)(s->stack.ptr - 8 - (const u8 *)rec) : 0);
	if (has & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT)) {
		str_addf(out, "... weight: %llu", (ull)s->weight);
		if (has & PERF_SAMPLE_WEIGHT_STRUCT)
			str_addf(out, ",0x%x,0x%x", s->ins_lat, s->p_stage_cyc);
		str_addch(out, '\n');
	}
	if (has & PERF_SAMPLE_DATA_SRC)
		str_addf(out, " . data_src: 0x%llx\n", (ull)s->data_src);
	if (has & PERF_SAMPLE_PHYS_ADDR)
		str_addf(out, " .. phys_addr: 0x%llx\n", (ull)s->phys_addr);
	if (has & PERF_SAMPLE_DATA_PAGE_SIZE)
		add_page("data", s->data_page_bytes, out);
	if (has & PERF_SAMPLE_CODE_PAGE_SIZE)
		add_page("code", s->code_page_bytes, out);
	if (has & PERF_SAMPLE_TRANSACTION)
		str_addf(out, "... transaction: %llx\n", (ull)s->transaction);
	if (has & PERF_SAMPLE_READ && e)
		add_read(e, s, out);
}

void raw_dump_location(const char *comm, u32 tid, const char *dso, struct str *out)
{
	str_add(out, " ... thread: ");
	str_add_safe(out, comm ? comm : "unknown");
	str_addf(out, ":%d\n ...... dso: ", (int)tid);
	str_add_safe(out, dso ? dso : "<not found>");
	str_addch(out, '\n');
}

/* --- records of user space: each appends what stands after its name; decoding errors leave it
 * empty --- */

static void add_id_index(const struct perf_event_header *rec, struct str *out)
{
	const size_t max = rec->size / sizeof(struct wire_id_index);
	struct wire_id_index *v = xcalloc(max + 1, sizeof(*v));
	const char *reason;
	size_t n;

	if (!wire_decode_id_index(rec, v, max, &n, &reason)) {
		str_addf(out, " nr: %zu\n", n);
		for (size_t i = 0; i < n; i++)
			str_addf(out, " ... id: %llu  idx: %llu  cpu: %lld  tid: %lld\n",
				 (ull)v[i].id, (ull)v[i].idx,
				 (long long)v[i].cpu, (long long)v[i].tid);
	}
	free(v);
}

static void add_thread_map(const struct perf_event_header *rec, struct str *out)
{
	const size_t max = rec->size / 24;
	struct wire_thread *v = xcalloc(max + 1, sizeof(*v));
	const char *reason;
	size_t n;

	if (!wire_decode_thread_map(rec, v, max, &n, &reason)) {
		str_addf(out, " nr: %zu thread%s: ", n, n > 1 ? "s" : "");
		for (size_t i = 0; i < n; i++)
			str_addf(out, "%s%lld", i ? ", " : "", (long long)v[i].tid);
		str_addch(out, '\n');
	}
	free(v);
}

static void add_cpu_map(const struct perf_event_header *rec, struct str *out)
{
	int_vec v = { 0 };
	const char *reason;

	str_add(out, ": ");
	if (!wire_decode_cpu_map(rec, &v, &reason))
		str_add_int_list(out, v.v, v.n);
	str_addch(out, '\n');
	vec_free(&v);
}

static void add_update(const struct perf_event_header *rec, struct str *out)
{
	struct wire_update u = { 0 };
	const char *reason;

	if (!wire_decode_event_update(rec, &u, &reason)) {
		str_addf(out, "\n... id:    %llu\n", (ull)u.id);
		if (u.what == WIRE_UPDATE_SCALE)
			str_addf(out, "... scale: %f\n", u.scale);
		if (u.what == WIRE_UPDATE_UNIT || u.what == WIRE_UPDATE_NAME) {
			str_add(out, u.what == WIRE_UPDATE_UNIT ? "... unit:  " : "... name:  ");
			str_add_safe(out, u.text);
			str_addch(out, '\n');
		}
		if (u.what == WIRE_UPDATE_CPUS) {
			str_add(out, "... ");
			str_add_int_list(out, u.cpus.v, u.cpus.n);
			str_addch(out, '\n');
		}
	}
	vec_free(&u.cpus);
}

static void add_time_conv(const struct perf_event_header *rec, struct str *out)
{
	struct wire_time_conv t;
	const char *reason;

	if (wire_decode_time_conv(rec, &t, &reason))
		return;
	str_addf(out, "\n... Time Shift      %llu\n... Time Multiplier %llu\n... Time Zero       "
		      "%llu\n", (ull)t.shift, (ull)t.mult,
		 (ull)t.zero);
	if (rec->size >= 8 + 42)
		str_addf(out, "... Time Cycles     %llu\n... Time Mask       %#llx\n... Cap Time "
			      "Zero   %d\n... Cap Time Short  %d\n",
			 (ull)t.cycles, (ull)t.mask, t.cap_zero, t.cap_short);
	str_add(out, ": unhandled!\n");
}

static void add_stat(const struct perf_event_header *rec, struct str *out)
{
	struct wire_stat s;
	const char *reason;

	if (!wire_decode_stat(rec, &s, &reason))
		str_addf(out, "\n... id %llu, cpu %d, thread %d\n... value %llu, enabled %llu, "
			      "running %llu\n", (ull)s.id, (int)s.cpu,
			 (int)s.thread, (ull)s.value, (ull)s.enabled_ns, (ull)s.running_ns);
}

static void add_stat_round(const struct perf_event_header *rec, struct str *out)
{
	const char *reason;
	u64 type, time_ns;

	if (!wire_decode_stat_round(rec, &type, &time_ns, &reason))
		str_addf(out, "\n... time %llu, type %s\n", (ull)time_ns, type ? "FINAL" :
			 "INTERVAL");
}

static void add_stat_config(const struct perf_event_header *rec, struct str *out)
{
	static const char *const names[] = { "aggr_mode", "interval", "scale", "aggr_level" };
	struct wire_tag tags[16];
	const char *reason;
	size_t n;

	if (wire_decode_stat_config(rec, tags, ARRAY_SIZE(tags), &n, &reason))
		return;
	str_addch(out, '\n');
	for (size_t i = 0; i < MIN(n, ARRAY_SIZE(tags)); i++)
		str_addf(out, "... %-9s %llu\n", tags[i].tag < ARRAY_SIZE(names) ?
			 names[tags[i].tag] : "unknown", (ull)tags[i].value);
}

static void add_auxtrace(const struct perf_event_header *rec, struct str *out)
{
	struct wire_auxtrace a;
	const char *reason;

	if (!wire_decode_auxtrace(rec, &a, &reason))
		str_addf(out, " size: %#llx  offset: %#llx  ref: %#llx  idx: %u  tid: %d  cpu: "
			      "%d\n", (ull)a.bytes, (ull)a.off,
			 (ull)a.ref, a.idx, (int)a.tid, (int)a.cpu);
}

static void add_aux_info(const struct perf_event_header *rec, struct str *out)
{
	const u8 *body = (const u8 *)(rec + 1);
	u32 kind;

	if (rec->size < sizeof(*rec) + 8) {
		str_addch(out, '\n');
		return;
	}
	memcpy(&kind, body, sizeof(kind));
	itrace_add_info(kind, body + 8, rec->size - sizeof(*rec) - 8, out);
}

static void add_build_id(const struct perf_event_header *rec, struct str *out)
{
	struct wire_build_id b;
	const char *reason;

	if (wire_decode_build_id(rec, &b, &reason))
		return;
	str_add(out, ", ");
	for (unsigned i = 0; i < b.bytes; i++)
		str_add_hex(out, b.id[i], 2);
	str_addch(out, ' ');
	str_add_safe(out, b.path);
	str_addch(out, '\n');
}

static void add_attr(const struct perf_event_header *rec, struct str *out)
{
	struct perf_event_attr attr;
	struct span ids;
	const char *reason;

	if (wire_decode_attr(rec, &attr, &ids, &reason))
		return;
	str_add(out, ", ");
	event_attr_print(&attr, " = ", out);
}

static void add_unhandled(const struct perf_event_header *rec UNUSED, struct str *out)
{
	str_add(out, ": unhandled!\n");
}

static void add_newline(const struct perf_event_header *rec UNUSED, struct str *out)
{
	str_addch(out, '\n');
}

static const struct { u32 type; void (*add)(const struct perf_event_header *rec, struct str *out);
		      } user_texts[] = {
	{ WIRE_HEADER_ATTR, add_attr }, { WIRE_HEADER_BUILD_ID, add_build_id },
		{ WIRE_ID_INDEX, add_id_index },
	{ WIRE_AUXTRACE, add_auxtrace }, { WIRE_AUXTRACE_INFO, add_aux_info },
	{ WIRE_THREAD_MAP, add_thread_map },
	{ WIRE_CPU_MAP, add_cpu_map },
	{ WIRE_STAT_CONFIG, add_stat_config }, { WIRE_STAT, add_stat },
	{ WIRE_STAT_ROUND, add_stat_round },
	{ WIRE_EVENT_UPDATE, add_update }, { WIRE_TIME_CONV, add_time_conv },
	{ WIRE_FINISHED_INIT, add_unhandled },
	{ WIRE_FINISHED_ROUND, add_newline },
};

/* --- records of the kernel that perf-script-records.c has no text for --- */

static bool add_kernel_text(const struct perf_event_header *rec, struct str *out)
{
	const u64 *w = (const u64 *)(const void *)rec;
	const u32 *half = (const u32 *)(const void *)rec;

	if (rec->type == PERF_RECORD_THROTTLE || rec->type == PERF_RECORD_UNTHROTTLE) {
		str_add(out, wire_type_name(rec->type));
		return true;
	}
	if (rec->type == PERF_RECORD_BPF_EVENT && rec->size >= 16) {
		str_addf(out, "PERF_RECORD_BPF_EVENT type %u, flags %u, id %u\n", half[2] & 0xffff,
			 half[2] >> 16, half[3]);
		return true;
	}
	if (rec->type == PERF_RECORD_AUX && rec->size >= 32) {
		u64 f = w[3];

		str_addf(out, "PERF_RECORD_AUX offset: %#llx size: %#llx flags: %#llx [%s%s%s%s]\n",
			 (ull)w[1], (ull)w[2], (ull)f,
			 f & PERF_AUX_FLAG_TRUNCATED ? "T" : "", f & PERF_AUX_FLAG_OVERWRITE ? "O" :
			 "",
			 f & PERF_AUX_FLAG_PARTIAL ? "P" : "", f & PERF_AUX_FLAG_COLLISION ? "C" :
			 "");
		return true;
	}
	if (rec->type == PERF_RECORD_ITRACE_START && rec->size >= 16) {
		str_addf(out, "PERF_RECORD_ITRACE_START pid: %u tid: %u\n", half[2], half[3]);
		return true;
	}
	return false;
}

static void add_other(const struct perf_event_header *rec, struct str *out)
{
	const char *name = wire_type_name(rec->type);

	if (rec->type < WIRE_HEADER_ATTR) {
		if (!name) {
			str_addf(out, "PERF_RECORD_%u\n", rec->type);
		} else if (!add_kernel_text(rec, out)) {
			size_t before = out->len;

			add_record(out, rec, rec->misc);
			if (out->len == before)		/* too short for its fields */
				str_add(out, name);
			str_addch(out, '\n');
		}
		return;
	}
	str_add(out, name ? name : "PERF_RECORD_USER");
	for (size_t i = 0; i < ARRAY_SIZE(user_texts); i++)
		if (user_texts[i].type == rec->type) {
			user_texts[i].add(rec, out);
			return;
		}
	str_addch(out, '\n');
}

/* ---- traces ---- */

/* What follows the record in the file. */
static void add_aux_data(const struct raw_dump *d, u64 file_off,
			 const struct perf_event_header *rec, struct str *out)
{
	enum { MOST = 1 << 30 };
	struct wire_auxtrace a;
	const char *reason;
	u8 *bytes;

	if (rec->type != WIRE_AUXTRACE || d->data_fd < 0 ||
	    wire_decode_auxtrace(rec, &a, &reason) || a.bytes > MOST)
		return;
	bytes = xmalloc(a.bytes + 1);
	if (io_pread(d->data_fd, bytes, a.bytes, file_off + rec->size) == (ssize_t)a.bytes)
		itrace_add_packets(d->aux_kind, bytes, a.bytes, out);
	free(bytes);
}

void raw_dump_record(struct raw_dump *d, u64 file_off, const struct perf_event_header *rec,
		     const struct sample *s,
		     const struct sample_id *id, struct str *out)
{
	str_addf(out, "\n%#llx@", (ull)file_off);
	str_add_safe(out, d->file);
	str_addf(out, " [%#x]: event: %u\n", rec->size, rec->type);
	add_hex((const u8 *)rec, rec->size, out);
	add_stamp(d, rec, s, id, out);
	str_addf(out, "%#llx [%#x]: ", (ull)file_off, rec->size);
	if (rec->type == PERF_RECORD_SAMPLE) {
		str_add(out, "PERF_RECORD_SAMPLE");
		if (s)
			add_sample(d, rec, s, out);
		else
			str_add(out, " (cannot be decoded)\n");
	} else {
		add_other(rec, out);
		if (rec->type == WIRE_AUXTRACE_INFO && rec->size >= sizeof(*rec) + 8)
			memcpy(&d->aux_kind, rec + 1, sizeof(d->aux_kind));
		add_aux_data(d, file_off, rec, out);
	}
}
