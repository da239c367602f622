// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/event-priv.h"

/* Modifiers as they would be typed: ":u", ":ppp", ":kH". */
static void add_modifiers(const struct perf_event_attr *a, struct str *out)
{
	bool any = a->exclude_user || a->exclude_kernel || a->exclude_hv;
	char text[12];
	size_t n = 0;

	if (any) {
		if (!a->exclude_kernel)
			text[n++] = 'k';
		if (!a->exclude_user)
			text[n++] = 'u';
		if (!a->exclude_hv)
			text[n++] = 'h';
	}
	for (unsigned i = 0; i < a->precise_ip; i++)
		text[n++] = 'p';
	if (a->exclude_host != a->exclude_guest)
		text[n++] = a->exclude_host ? 'G' : 'H';
	if (n) {
		str_addch(out, ':');
		str_addn(out, text, n);
	}
}

static void base_name(const struct perf_event_attr *a, struct str *out)
{
	const char *name = NULL;

	switch (a->type) {
	case PERF_TYPE_HARDWARE:
		name = event_generic_name(event_hw_names, a->config & 0xffffffff);
		if (name && a->config >> 32)
			str_addf(out, "cpu/%s/", name);
		else
			str_add(out, name ? name : "unknown-hardware");
		break;
	case PERF_TYPE_SOFTWARE:
		name = event_generic_name(event_sw_names, a->config);
		str_add(out, name ? name : "unknown-software");
		break;
	case PERF_TYPE_HW_CACHE:
		if (!event_cache_name(a->config & 0xffffffff, out))
			str_add(out, "unknown-ext-hardware-cache-type");
		break;
	case PERF_TYPE_TRACEPOINT:
		str_addf(out, "tracepoint:%llu", (unsigned long long)a->config);
		break;
	case PERF_TYPE_RAW:
		str_addf(out, "raw 0x%llx", (unsigned long long)a->config);
		break;
	case PERF_TYPE_BREAKPOINT:
		str_addf(out, "mem:0x%llx:%s%s%s", (unsigned long long)a->bp_addr, a->bp_type & 1 ?
			 "r" : "",
			 a->bp_type & 2 ? "w" : "", a->bp_type & 4 ? "x" : "");
		break;
	default:
		str_addf(out, "unknown event PMU=%u config=%s%llx", a->type, a->config ? "0x" : "",
			 (unsigned long long)a->config);
	}
}

void event_attr_name(const struct perf_event_attr *attr, struct str *out)
{
	base_name(attr, out);
	add_modifiers(attr, out);
}

struct bit_name { u64 bit; const char *name; };

static const struct bit_name sample_bits[] = {
	{ PERF_SAMPLE_IP, "IP" }, { PERF_SAMPLE_TID, "TID" }, { PERF_SAMPLE_TIME, "TIME" },
		{ PERF_SAMPLE_ADDR, "ADDR" },
	{ PERF_SAMPLE_READ, "READ" }, { PERF_SAMPLE_CALLCHAIN, "CALLCHAIN" },
	{ PERF_SAMPLE_ID, "ID" },
	{ PERF_SAMPLE_CPU, "CPU" }, { PERF_SAMPLE_PERIOD, "PERIOD" },
	{ PERF_SAMPLE_STREAM_ID, "STREAM_ID" },
	{ PERF_SAMPLE_RAW, "RAW" }, { PERF_SAMPLE_BRANCH_STACK, "BRANCH_STACK" },
	{ PERF_SAMPLE_REGS_USER, "REGS_USER" },
	{ PERF_SAMPLE_STACK_USER, "STACK_USER" }, { PERF_SAMPLE_IDENTIFIER, "IDENTIFIER" },
	{ PERF_SAMPLE_REGS_INTR, "REGS_INTR" }, { PERF_SAMPLE_DATA_SRC, "DATA_SRC" },
	{ PERF_SAMPLE_WEIGHT, "WEIGHT" },
	{ PERF_SAMPLE_PHYS_ADDR, "PHYS_ADDR" }, { 1ULL << 20, "AUX" }, { 1ULL << 21, "CGROUP" },
	{ 1ULL << 22, "DATA_PAGE_SIZE" }, { 1ULL << 23, "CODE_PAGE_SIZE" },
	{ 1ULL << 24, "WEIGHT_STRUCT" }, { 0, NULL }
};
static const struct bit_name read_bits[] = {
	{ 1, "TOTAL_TIME_ENABLED" }, { 2, "TOTAL_TIME_RUNNING" }, { 4, "ID" }, { 8, "GROUP" },
		{ 16, "LOST" }, { 0, NULL }
};
static const struct bit_name branch_bits[] = {
	{ 1 << 0, "USER" }, { 1 << 1, "KERNEL" }, { 1 << 2, "HV" }, { 1 << 3, "ANY" },
		{ 1 << 4, "ANY_CALL" },
	{ 1 << 5, "ANY_RETURN" }, { 1 << 6, "IND_CALL" }, { 1 << 7, "ABORT_TX" },
	{ 1 << 8, "IN_TX" }, { 1 << 9, "NO_TX" },
	{ 1 << 10, "COND" }, { 1 << 11, "CALL_STACK" }, { 1 << 12, "IND_JUMP" },
	{ 1 << 13, "CALL" }, { 1 << 14, "NO_FLAGS" },
	{ 1 << 15, "NO_CYCLES" }, { 1 << 16, "TYPE_SAVE" }, { 1 << 17, "HW_INDEX" },
	{ 1 << 18, "PRIV_SAVE" },
	{ 1 << 19, "COUNTERS" }, { 0, NULL }
};

struct attr_text {
	struct str *out;
	const char *is;			/* what stands between a name and its value */
};

static void add_bits(const struct attr_text *t, const char *key, u64 v,
		     const struct bit_name *names)
{
	bool first = true;

	if (!v)
		return;
	str_addf(t->out, ", %s%s", key, t->is);
	for (; names->name; names++)
		if (v & names->bit) {
			str_addf(t->out, "%s%s", first ? "" : "|", names->name);
			first = false;
		}
}

static void add_hex(const struct attr_text *t, const char *key, u64 v)
{
	if (v)
		str_addf(t->out, ", %s%s0x%llx", key, t->is, (unsigned long long)v);
}

static void add_dec(const struct attr_text *t, const char *key, u64 v)
{
	if (v)
		str_addf(t->out, ", %s%s%llu", key, t->is, (unsigned long long)v);
}

static const char *type_name(u32 type)
{
	static const char *const names[] = { "PERF_TYPE_HARDWARE", "PERF_TYPE_SOFTWARE",
					     "PERF_TYPE_TRACEPOINT",
		"PERF_TYPE_HW_CACHE", "cpu", "PERF_TYPE_BREAKPOINT" };

	return type < ARRAY_SIZE(names) ? names[type] : NULL;
}

/* The flag word after exclude_idle etc. as the file has it: bits that this kernel's header does
 * not know yet. */
static u64 flag_word(const struct perf_event_attr *a)
{
	u64 w;

	memcpy(&w, (const u8 *)a + 40, sizeof(w));
	return w;
}

enum { PRECISE_BIT = 15 };	/* two bits wide */
static const char *const flag_names[] = {
	"disabled", "inherit", "pinned", "exclusive", "exclude_user", "exclude_kernel",
		"exclude_hv", "exclude_idle",
	"mmap", "comm", "freq", "inherit_stat", "enable_on_exec", "task", "watermark", "precise_ip",
	NULL, "mmap_data",
	"sample_id_all", "exclude_host", "exclude_guest", "exclude_callchain_kernel",
	"exclude_callchain_user",
	"mmap2", "comm_exec", "use_clockid", "context_switch", "write_backward", "namespaces",
	"ksymbol", "bpf_event",
	"aux_output", "cgroup", "text_poke", "build_id", "inherit_thread", "remove_on_exec",
	"sigtrap",
	"defer_callchain", "defer_output",
};

static void add_flags(const struct perf_event_attr *a, const struct attr_text *t)
{
	u64 w = flag_word(a);

	for (size_t i = 0; i < ARRAY_SIZE(flag_names); i++) {
		if (!flag_names[i])
			continue;
		if (i == PRECISE_BIT)
			add_dec(t, flag_names[i], w >> 15 & 3);
		else
			add_dec(t, flag_names[i], w >> i & 1);
	}
}

/* From a position in the attr that an older header may not name. */
static u32 u32_at(const struct perf_event_attr *a, size_t off)
{
	u32 v = 0;

	if (off + 4 <= sizeof(*a))
		memcpy(&v, (const u8 *)a + off, 4);
	return v;
}

static u64 u64_at(const struct perf_event_attr *a, size_t off)
{
	u64 v = 0;

	if (off + 8 <= sizeof(*a))
		memcpy(&v, (const u8 *)a + off, 8);
	return v;
}

/* Names may be those of a file: untrusted. */
static void add_name(struct str *out, const char *name)
{
	str_add(out, " (");
	str_add_safe(out, name);
	str_addch(out, ')');
}

static void add_pmu_event(struct str *out, const char *pmu, const char *event)
{
	str_add(out, " (");
	str_add_safe(out, pmu);
	str_addf(out, "/%s/)", event);
}

/* With names from elsewhere: of the PMU, of the config; each may be NULL. */
static void event_attr_print_names(const struct perf_event_attr *a, const char *pmu,
				   const char *config_name, const char *is, struct str *out)
{
	const struct attr_text t = { out, is };
	const char *type = type_name(a->type);
	u32 action = u32_at(a, 116);

	if (pmu && (a->type == PERF_TYPE_RAW || a->type > PERF_TYPE_BREAKPOINT))
		type = pmu;
	str_addf(out, "type%s%u", is, a->type);
	if (type)
		add_name(out, type);
	str_addf(out, ", size%s%u, config%s%s%llx", is, a->size, is,
		 a->config ? "0x" : "",
		 (unsigned long long)a->config);
	if (config_name) {
		add_name(out, config_name);
	} else if (a->type == PERF_TYPE_HARDWARE || a->type == PERF_TYPE_SOFTWARE ||
		   a->type == PERF_TYPE_HW_CACHE) {
		struct str s = STR_INIT;

		if (event_config_name(a, &s)) {
			if (a->type != PERF_TYPE_SOFTWARE && a->config >> 32)
				add_pmu_event(out, pmu ? pmu : "cpu", str_cstr(&s));
			else
				str_addf(out, " (%s)", str_cstr(&s));
		}
		str_release(&s);
	}
	add_dec(&t, "{ sample_period, sample_freq }", a->sample_period);
	add_bits(&t, "sample_type", a->sample_type, sample_bits);
	add_bits(&t, "read_format", a->read_format, read_bits);
	add_flags(a, &t);
	add_dec(&t, "{ wakeup_events, wakeup_watermark }", a->wakeup_events);
	add_dec(&t, "bp_type", a->bp_type);
	add_hex(&t, "{ bp_addr, config1 }", a->bp_addr);
	add_hex(&t, "{ bp_len, config2 }", a->bp_len);
	add_bits(&t, "branch_sample_type", a->branch_sample_type, branch_bits);
	add_hex(&t, "sample_regs_user", a->sample_regs_user);
	add_dec(&t, "sample_stack_user", a->sample_stack_user);
	if (a->clockid)
		str_addf(out, ", clockid%s%d", is, a->clockid);
	add_hex(&t, "sample_regs_intr", a->sample_regs_intr);
	add_dec(&t, "aux_watermark", a->aux_watermark);
	add_dec(&t, "sample_max_stack", a->sample_max_stack);
	add_dec(&t, "aux_sample_size", u32_at(a, 112));
	add_dec(&t, "sig_data", u64_at(a, 120));
	add_dec(&t, "aux_start_paused", action & 1);
	add_dec(&t, "aux_pause", action >> 1 & 1);
	add_dec(&t, "aux_resume", action >> 2 & 1);
}

void event_attr_names(const struct perf_event_attr *attr, enum event_attr_word word,
		      void (*fn)(void *ctx, const char *name), void *ctx)
{
	const u64 v = word == EVENT_SAMPLE_TYPE ? attr->sample_type : attr->read_format;
	const u64 flags = flag_word(attr);

	const struct bit_name *b = word == EVENT_SAMPLE_TYPE ? sample_bits : read_bits;

	for (; word != EVENT_FLAGS && b->name; b++)
		if (v & b->bit)
			fn(ctx, b->name);
	for (size_t i = 0; i < ARRAY_SIZE(flag_names) && word == EVENT_FLAGS; i++)
		if (flag_names[i] && i != PRECISE_BIT && flags >> i & 1)
			fn(ctx, flag_names[i]);
}

void event_attr_print(const struct perf_event_attr *attr, const char *is, struct str *out)
{
	event_attr_print_names(attr, NULL, NULL, is, out);
}

void event_print(const struct event *e, const char *is, struct str *out)
{
	struct str s = STR_INIT;

	if (e->attr.type == PERF_TYPE_TRACEPOINT && e->tp_system && e->tp_name)
		str_addf(&s, "%s:%s", e->tp_system, e->tp_name);
	event_attr_print_names(&e->attr, e->pmu, s.len ? s.buf : NULL, is, out);
	str_release(&s);
}
