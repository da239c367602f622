// SPDX-License-Identifier: GPL-2.0-or-later
// Fields of samples that were made of a trace: flags of branches, power events, errors.
#include "util/base/hash.h"
#include "util/base/words.h"
#include "util/base/xalloc.h"
#include "util/export/perf-script-priv.h"
#include "util/itrace/pt.h"
#include "util/wire/synthrec.h"

/* ---- flags ---- */

#define NAMED (PT_F_BRANCH | PT_F_CALL | PT_F_RETURN | PT_F_CONDITIONAL | PT_F_SYSTEM | \
	       PT_F_ASYNC | PT_F_INTERRUPT | PT_F_TX_ABORT | PT_F_VMENTRY | PT_F_VMEXIT)

/* What a branch was expected to do, and did not. */
#define SAMPLED (PT_F_NOT_TAKEN | PT_F_MISPREDICTED)

static const struct { u32 flags; const char *name; } names[] = {
	{ PT_F_BRANCH | PT_F_CALL, "call" },
	{ PT_F_BRANCH | PT_F_RETURN, "return" },
	{ PT_F_BRANCH | PT_F_CONDITIONAL, "jcc" },
	{ PT_F_BRANCH, "jmp" },
	{ PT_F_BRANCH | PT_F_CALL | PT_F_INTERRUPT, "int" },
	{ PT_F_BRANCH | PT_F_RETURN | PT_F_INTERRUPT, "iret" },
	{ PT_F_BRANCH | PT_F_CALL | PT_F_SYSTEM, "syscall" },
	{ PT_F_BRANCH | PT_F_RETURN | PT_F_SYSTEM, "sysret" },
	{ PT_F_BRANCH | PT_F_ASYNC, "async" },
	{ PT_F_BRANCH | PT_F_CALL | PT_F_ASYNC | PT_F_INTERRUPT, "hw int" },
	{ PT_F_BRANCH | PT_F_TX_ABORT, "tx abrt" },
	{ PT_F_BRANCH | PT_F_CALL | PT_F_VMENTRY, "vmentry" },
	{ PT_F_BRANCH | PT_F_CALL | PT_F_VMEXIT, "vmexit" },
};

static const char *name_of(u32 flags)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].flags == (flags & NAMED))
			return names[i].name;
	return NULL;
}

static const char letters[] = "bcrosyiABExghDt";

static void add_letters(struct str *out, u32 flags)
{
	for (size_t i = 0; letters[i]; i++)
		if (flags >> i & 1)
			str_addch(out, letters[i]);
}

/* "jcc/miss,not_taken/" */
static void add_outcome(struct str *out, u32 flags)
{
	const bool missed = flags & PT_F_MISPREDICTED, not_taken = flags & PT_F_NOT_TAKEN;

	if (flags & SAMPLED)
		str_addf(out, "/%s%s%s/", missed ? "miss" : "", missed && not_taken ? "," : "",
			 not_taken ? "not_taken" : "");
}

/* "tr strt jmp", "tr end  call", "jcc     (x)" */
static void add_flag_names(struct str *out, u32 flags)
{
	const char *name = flags == PT_F_IN_TX ? "" : name_of(flags);
	const size_t from = out->len;

	if (flags & PT_F_BEGIN && flags & PT_F_END) {
		name = NULL;
	} else if (flags & (PT_F_BEGIN | PT_F_END) && name) {
		str_add(out, flags & PT_F_BEGIN ? "tr strt " : "tr end  ");
	}
	if (!name && !(flags & SAMPLED)) {
		add_letters(out, flags);
		return;
	}
	str_add(out, name ? name : "");
	add_outcome(out, flags);
	if (out->len - from < 15 && flags & PT_F_IN_TX)
		str_addchn(out, ' ', 15 - (out->len - from));
	if (flags & PT_F_IN_TX)
		str_add(out, "   (x)");
}

void script_add_flag_letters(struct str *out, u32 flags)
{
	for (size_t i = 0; letters[i]; i++)
		if (flags >> i & 1)
			str_addch(out, letters[i]);
}

void script_add_flag_names(struct str *out, u32 flags)
{
	add_flag_names(out, flags);
}

void add_trace_flags(struct str *out, const struct wire_synth *t)
{
	const size_t from = out->len;
	u32 flags = t ? t->flags : 0;

	str_add(out, "  ");
	if (flags)
		add_flag_names(out, flags);
	str_addchn(out, ' ', out->len - from < 24 ? 24 - (out->len - from) : 1);
}

/* ---- power and the like ---- */

static u64 payload(const struct sample *s)
{
	u64 v = 0;

	if (s->raw.len >= 12)
		memcpy(&v, s->raw.ptr + 4, sizeof(v));
	return v;
}

static void add_ratio(struct str *out, u32 first, u64 khz)
{
	const u32 cbr = first & 0xff, max = first >> 16 & 0xff;

	str_addf(out, " cbr: %2u freq: %4u MHz ", cbr, (u32)((khz + 500) / 1000));
	if (max)
		str_addf(out, "(%3u%%)", (cbr * 1000 / max + 5) / 10);
}

/* Events of control flow: Intel SDM volume 3, "Control Flow Event Packet", "Event Data Packet". */
static void add_control(struct str *out, u32 first, struct span data)
{
	static const char *const types[] = {
		"", "INTR", "IRET", "SMI", "RSM", "SIPI", "INIT", "VMENTRY", "VMEXIT",
		"VMEXIT_INTR", "SHUTDOWN",
	}, *const payloads[] = { "PFA", "VMXQ", "VMXR" };
	const u32 type = first & 0x1f;

	str_addf(out, " cfe: %s IP: %u vector: %u", type < ARRAY_SIZE(types) ? types[type] : "",
		 first >> 7 & 1, first >> 8 & 0xff);
	for (; data.len >= 16; data.ptr += 16, data.len -= 16) {
		u64 v[2];

		memcpy(v, data.ptr, sizeof(v));
		if (v[0] < ARRAY_SIZE(payloads))
			str_addf(out, " %s: %#llx", payloads[v[0]], (unsigned long long)v[1]);
		else
			str_addf(out, " EVD_%llu: %#llx", (unsigned long long)v[0],
				 (unsigned long long)v[1]);
	}
}

/* Up to the column that the address follows. */
enum { SYNTH_WIDTH = 34 };

void add_synth(struct str *out, const struct sample *s)
{
	const size_t from = out->len;
	const u64 v = payload(s);
	const unsigned u = (unsigned)v;
	u32 first = 0;

	if (s->event->attr.type != WIRE_TYPE_SYNTH)
		return;
	if (s->raw.len >= 4)
		memcpy(&first, s->raw.ptr, sizeof(first));
	switch (s->event->attr.config) {
	case WIRE_SYNTH_PTWRITE:
		str_addf(out, " IP: %u payload: %#llx ", first & 1, (unsigned long long)v);
		break;
	case WIRE_SYNTH_MWAIT:
		str_addf(out, " hints: %#x extensions: %#x ", u & 0xff, (unsigned)(v >> 32) & 3);
		break;
	case WIRE_SYNTH_PWRE:
		str_addf(out, " hw: %u cstate: %u sub-cstate: %u ", u >> 7 & 1, u >> 12 & 15,
			 u >> 8 & 15);
		break;
	case WIRE_SYNTH_EXSTOP:
		str_addf(out, " IP: %u ", first & 1);
		break;
	case WIRE_SYNTH_PWRX:
		str_addf(out, " deepest cstate: %u last cstate: %u wake reason: %#x ", u & 15,
			 u >> 4 & 15, u >> 8 & 15);
		break;
	case WIRE_SYNTH_CBR:
		add_ratio(out, first, v & UINT32_MAX);
		break;
	case WIRE_SYNTH_CONTROL:
		if (s->raw.len >= 4)
			add_control(out, first, (struct span){ s->raw.ptr + 4, s->raw.len - 4 });
		break;
	case WIRE_SYNTH_PSB:
		str_addf(out, " psb offs: %#llx", (unsigned long long)v);
		break;
	}
	if (out->len - from < SYNTH_WIDTH)
		str_addchn(out, ' ', SYNTH_WIDTH - (out->len - from));
}

/* ---- calls ---- */

enum { INDENT = 4, DSO_WIDTH = 50, CALL_WIDTH = 32, MOST_DEPTH = 1 << 10 };

/* What is called, or returns. */
static const struct location *called(u32 flags, const struct resolved *r)
{
	if (flags & (PT_F_CALL | PT_F_BEGIN))
		return &r->data;
	return flags & (PT_F_RETURN | PT_F_END) ? &r->leaf : NULL;
}

static void add_call_dso(struct str *out, u64 fields, const struct location *l)
{
	const size_t from = out->len + 1;

	str_addch(out, '(');
	str_add_safe(out, l->dso ? l->dso->path : "[unknown]");
	if (!(fields & SF_FLAGS) && out->len - from < DSO_WIDTH)
		str_addchn(out, ' ', DSO_WIDTH - (out->len - from));
	str_add(out, ")\t");
}

void add_call(struct str *out, u64 fields, const struct sample *s, const struct resolved *r,
	      size_t *spacing)
{
	const u32 flags = s->synth ? s->synth->flags : 0;
	const struct location *l = called(flags, r);
	const size_t indent = s->synth ? MIN(s->synth->depth, (u16)MOST_DEPTH) * INDENT : 0;
	size_t from, n;

	if (fields & SF_DSO && !(fields & (SF_IP | SF_ADDR)))
		add_call_dso(out, fields, &r->leaf);
	from = out->len;
	if (l && l->sym) {
		str_addchn(out, ' ', indent);
		str_add_safe(out, l->sym->name);
	} else if (l && l->va) {
		str_addchn(out, ' ', indent);
		str_addf(out, "%16llx", (unsigned long long)l->va);
	}
	n = out->len - from;
	if (n > *spacing || (n && n + 52 < *spacing))
		*spacing = ALIGN_UP(n + 4, (size_t)CALL_WIDTH);
	if (n < *spacing)
		str_addchn(out, ' ', *spacing - n);
}

struct call_graph { word_list names; struct hmap inside; };

struct call_graph *call_graph_new(const char *list)
{
	struct call_graph *g = list ? xnew(struct call_graph) : NULL;

	if (g)
		words_split(list, &g->names);
	return g;
}

void call_graph_free(struct call_graph *g)
{
	if (!g)
		return;
	words_release(&g->names);
	hmap_release(&g->inside);
	free(g);
}

static bool is_named(const struct call_graph *g, const struct location *l)
{
	for vec_each(w, &g->names)
		if (l && l->sym && !strcmp(*w, l->sym->name))
			return true;
	return false;
}

/* inside: by thread, how many calls deep the function is, plus one; none: in no such function. */
bool call_graph_has(struct call_graph *g, const struct sample *s, const struct resolved *r)
{
	const u32 flags = s->synth ? s->synth->flags : 0;
	const u64 key = (u64)s->tid + 1, depth = s->synth ? s->synth->depth : 0;
	const u64 at = (u64)(uintptr_t)hmap_get(&g->inside, key);
	const bool ends = flags & (PT_F_RETURN | PT_F_END);

	if (!(flags & (PT_F_CALL | PT_F_BEGIN | PT_F_RETURN | PT_F_END)) ||
	    (at && depth + 1 > at))
		return at;
	if (at && ends && depth + 1 == at) {
		hmap_put(&g->inside, key, NULL);
		return true;
	}
	if (!ends && is_named(g, called(flags, r))) {
		hmap_put(&g->inside, key, (void *)(uintptr_t)(depth + 1));
		return true;
	}
	hmap_put(&g->inside, key, NULL);
	return false;
}

/* ---- instructions ---- */

/* " ipc: 0.33 (1/3) " */
void add_ipc(struct str *out, const struct wire_synth *t)
{
	u64 hundredths;

	if (!t || !t->n_cycles || !t->n_insns)
		return;
	hundredths = t->n_insns * 100 / t->n_cycles;
	str_addf(out, " \t IPC: %llu.%02llu (%llu/%llu) ", (unsigned long long)(hundredths / 100),
		 (unsigned long long)(hundredths % 100), (unsigned long long)t->n_insns,
		 (unsigned long long)t->n_cycles);
}

/* ---- errors ---- */

void add_trace_error(struct str *out, const struct perf_event_header *rec)
{
	struct wire_trace_error e;
	const char *reason;

	if (wire_decode_trace_error(rec, &e, &reason) < 0)
		return;
	str_addf(out, " instruction trace error type %u", e.type);
	if (e.format)
		str_addf(out, " time %llu.%09llu", (unsigned long long)(e.time_ns / NSEC_PER_SEC),
			 (unsigned long long)(e.time_ns % NSEC_PER_SEC));
	str_addf(out, " cpu %d pid %d tid %d ip %#llx code %u: ", (s32)e.cpu, (s32)e.pid,
		 (s32)e.tid, (unsigned long long)e.ip, e.code);
	str_add_safe(out, e.text);
}
