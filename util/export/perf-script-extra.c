// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The rarer fields of perf script: registers, branch stacks, data sources, page sizes, wall-clock
 * time.
 */
#include "util/export/perf-script-priv.h"

#include <stdio.h>
#include <time.h>

#include "include/abi/perf_event.h"
#include "util/wire/data-src.h"

const char *misc_text(u32 type, u16 misc)
{
	static const char *const modes[8] = { "", "K", "U", "H", "G", "g", "", "" };

	switch (type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		if (misc & PERF_RECORD_MISC_MMAP_DATA)
			return (misc & 7) == PERF_RECORD_MISC_KERNEL ? "KM" : "UM";
		break;
	case PERF_RECORD_COMM:
		if (misc & PERF_RECORD_MISC_COMM_EXEC)
			return (misc & 7) == PERF_RECORD_MISC_KERNEL ? "KE" : (misc & 7) ? "UE" :
				"E";
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		if (misc & PERF_RECORD_MISC_SWITCH_OUT)
			return misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? "Sp" : "S";
		break;
	}
	return modes[misc & 7];
}

void add_tod(struct str *out, const struct script_opts *o, u64 time_ns)
{
	u64 t = o->tod_ns + (time_ns - o->tod_clock_ns);
	time_t s = t / NSEC_PER_SEC;
	struct tm tm;
	char buf[40];

	if (localtime_r(&s, &tm) && strftime(buf, sizeof(buf), "%Y-%m-%d %H:%M:%S", &tm))
		str_addf(out, "%s.%06llu ", buf, (unsigned long long)(t % NSEC_PER_SEC / 1000));
}

void add_regs(struct str *out, const struct regs_view *r, const struct arch_info *arch)
{
	if (!r->regs)
		return;
	str_addf(out, " ABI:%llu ", (unsigned long long)r->abi);
	script_add_regs(out, r, arch);
}

void script_add_regs(struct str *out, const struct regs_view *r, const struct arch_info *arch)
{
	const u64 *v = r->regs;

	if (!v)
		return;
	for (unsigned i = 0; i < 64; i++) {
		const char *n = i < arch->n_perf_regs ? arch->perf_reg_names[i] : NULL;

		if (!(r->mask >> i & 1))
			continue;
		str_addf(out, "%5s:0x%llx ", n ? n : "unknown", (unsigned long long)*v++);
	}
}

/* ---- where data came from: union perf_mem_data_src ---- */

void add_data_src(struct str *out, u64 v)
{
	str_addch(out, ' ');
	script_add_data_src(out, v);
}

void script_add_data_src(struct str *out, u64 v)
{
	static const struct { const char *name; void (*add)(struct str *out, u64 v); } parts[] = {
		{ "|OP ", data_src_add_op }, { "|LVL ", data_src_add_level },
		{ "|SNP ", data_src_add_snoop }, { "|TLB ", data_src_add_tlb },
		{ "|LCK ", data_src_add_lock }, { "|BLK ", data_src_add_blocked },
	};

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		str_add(out, parts[i].name);
		parts[i].add(out, v);
	}
}

void add_page_size(struct str *out, u64 bytes)
{
	static const struct { u64 unit; char letter; } units[] =
		{ { 1ULL << 40, 'T' }, { 1ULL << 30, 'G' }, { 1 << 20, 'M' },
								   { 1 << 10, 'K' } };

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (bytes >= units[i].unit) {
			str_addf(out, " %llu%c", (unsigned long long)(bytes / units[i].unit),
				 units[i].letter);
			return;
		}
	}
	if (bytes)
		str_addf(out, " %llu", (unsigned long long)bytes);
	else
		str_add(out, " N/A");
}

/* ---- branch stacks ---- */

static const char *branch_type(const struct perf_branch_entry *b)
{
	static const char *const types[] = { "", "COND", "UNCOND", "IND", "CALL", "IND_CALL", "RET",
					     "SYSCALL", "SYSRET",
					     "COND_CALL", "COND_RET", "ERET", "IRQ", "SERROR",
					     "NO_TX" };

	return b->type < ARRAY_SIZE(types) ? types[b->type] : "";
}

static void add_end(struct str *out, const struct script_opts *o, u64 fields, u64 va,
		    const struct location *l)
{
	struct str text = STR_INIT;

	if (fields & SF_BRSTACKSYM && l) {
		add_symbol(&text, o, (fields & SF_DSO) | SF_SYM | SF_SYMOFF, l, true);
		if (text.len)			/* without its blank */
			str_addn(out, text.buf + 1, text.len - 1);
		str_release(&text);
		return;
	}
	if (fields & SF_BRSTACKOFF && l && l->map)
		va = l->rva;
	str_addf(out, "0x%llx", (unsigned long long)va);
	if (fields & SF_DSO && l)
		add_symbol(out, o, SF_DSO, l, false);
}

static void add_branch(struct str *out, const struct script_opts *o, u64 fields,
		       const struct perf_branch_entry *b,
		       const struct location *from, const struct location *to)
{
	static const char *const spec[] = { "-", "SPEC_WRONG_PATH", "NON_SPEC_CORRECT_PATH",
					    "SPEC_CORRECT_PATH" };

	if (!(fields & SF_BRSTACKSYM))
		str_addch(out, ' ');
	add_end(out, o, fields, b->from, from);
	str_addch(out, '/');
	add_end(out, o, fields, b->to, to);
	str_addf(out, "/%c%s/%c/%c/%u/%s/%s ", b->mispred ? 'M' : b->predicted ? 'P' : '-',
		 b->reserved & ABI_BRANCH_NOT_TAKEN ? "N" : "", b->in_tx ? 'X' : '-',
		 b->abort ? 'A' : '-',
		 (unsigned)b->cycles, branch_type(b), spec[b->spec & 3]);
}

void add_branches(struct str *out, const struct script_opts *o, u64 fields, const struct sample *s,
		  const struct resolved *r)
{
	const u64 form = fields & SF_BRSTACK ? SF_BRSTACK :
		fields & (fields & SF_BRSTACKSYM ? SF_BRSTACKSYM : SF_BRSTACKOFF);

	for (u64 i = 0; i < s->branch.n; i++)
		add_branch(out, o, (fields & SF_DSO) | form, &s->branch.entries[i],
			   r->branches ? &r->branches[2 * i] : NULL,
			   r->branches ? &r->branches[2 * i + 1] : NULL);
}
