// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The rarer fields of perf script: registers, branch stacks, data sources, page sizes, wall-clock
 * time.
 */
#include "util/export/perf-script-priv.h"

#include <stdio.h>
#include <ctype.h>
#include <time.h>

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
	char name[16];

	if (!v)
		return;
	for (unsigned i = 0; i < 64; i++) {
		const char *n = i < arch->n_perf_regs ? arch->perf_reg_names[i] : NULL;
		size_t k = 0;

		if (!(r->mask >> i & 1))
			continue;
		for (; n && n[k] && k + 1 < sizeof(name); k++)
			name[k] = toupper((unsigned char)n[k]);
		name[k] = '\0';
		str_addf(out, "%5s:0x%llx ", k ? name : "unknown", (unsigned long long)*v++);
	}
}

/* ---- where data came from: union perf_mem_data_src ---- */

static void add_bits(struct str *out, u64 bits, const char *const *names, size_t n,
		     const char *none)
{
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		if (!(bits >> i & 1) || !names[i])
			continue;
		str_addf(out, "%s%s", any ? " or " : "", names[i]);
		any = true;
	}
	if (!any)
		str_add(out, none);
}

static void add_level(struct str *out, union perf_mem_data_src d)
{
	static const char *const levels[] = { NULL, NULL, NULL, "L1", "LFB/MAB", "L2", "L3",
					      "Local RAM", "Remote RAM (1 hop)",
					      "Remote RAM (2 hops)", "Remote Cache (1 hop)",
					      "Remote Cache (2 hops)", "I/O",
					      "Uncached" };
	static const char *const numbers[16] = { [1] = "L1", [2] = "L2", [3] = "L3", [4] = "L4",
						 [5] = "L2 MHB", [6] = "Memory-side Cache",
						 [8] = "Uncached", [9] = "CXL", [10] = "I/O",
						 [11] = "Any cache", [12] = "LFB/MAB",
						 [13] = "RAM", [14] = "PMEM" };
	u64 lvl = d.mem_lvl;

	if (lvl & PERF_MEM_LVL_NA || !lvl) {
		if (d.mem_lvl_num && numbers[d.mem_lvl_num])
			str_addf(out, "%s%s", d.mem_remote ? "Remote " : "",
				 numbers[d.mem_lvl_num]);
		else
			str_add(out, "N/A");
	} else {
		add_bits(out, lvl & ~(u64)(PERF_MEM_LVL_HIT | PERF_MEM_LVL_MISS), levels,
			 ARRAY_SIZE(levels), "N/A");
	}
	if (lvl & PERF_MEM_LVL_HIT)
		str_add(out, " hit");
	if (lvl & PERF_MEM_LVL_MISS)
		str_add(out, " miss");
}

static void add_tlb(struct str *out, u64 tlb)
{
	static const char *const names[] = { NULL, NULL, NULL, "L1", "L2", "Walker", "Fault" };

	add_bits(out, tlb & PERF_MEM_TLB_NA ? 0 : tlb, names, ARRAY_SIZE(names), "N/A");
	if (tlb & PERF_MEM_TLB_HIT)
		str_add(out, " hit");
	if (tlb & PERF_MEM_TLB_MISS)
		str_add(out, " miss");
}

void add_data_src(struct str *out, u64 v)
{
	str_addch(out, ' ');
	script_add_data_src(out, v);
}

void script_add_data_src(struct str *out, u64 v)
{
	static const char *const ops[] = { "N/A", "LOAD", "STORE", "PFETCH", "EXEC" };
	static const char *const snoops[] = { "N/A", "None", "Hit", "Miss", "HitM" };
	union perf_mem_data_src d = { .val = v };
	bool first = true;

	str_add(out, "|OP ");
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++) {
		if (!(d.mem_op >> i & 1))
			continue;
		str_addf(out, "%s%s", first ? "" : "|", ops[i]);
		first = false;
	}
	if (first)
		str_add(out, "No");
	str_add(out, "|LVL ");
	add_level(out, d);
	str_add(out, "|SNP ");
	if (d.mem_snoopx & PERF_MEM_SNOOPX_FWD)
		str_add(out, "Fwd");
	else
		add_bits(out, d.mem_snoop, snoops, ARRAY_SIZE(snoops), "N/A");
	str_add(out, "|TLB ");
	add_tlb(out, d.mem_dtlb);
	str_addf(out, "|LCK %s", d.mem_lock & PERF_MEM_LOCK_NA ? "N/A" :
		 d.mem_lock & PERF_MEM_LOCK_LOCKED ? "Yes" : "No");
	str_add(out, "|BLK ");
	if (d.mem_blk & PERF_MEM_BLK_DATA)
		str_add(out, " Data");
	if (d.mem_blk & PERF_MEM_BLK_ADDR)
		str_add(out, " Addr");
	if (!(d.mem_blk & (PERF_MEM_BLK_DATA | PERF_MEM_BLK_ADDR)))
		str_add(out, " N/A");
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
		str_add(out, str_cstr(&text) + 1);	/* without its blank */
		str_release(&text);
		return;
	}
	if (fields & SF_BRSTACKOFF && l && l->map)
		va = va - l->map->start_va + l->map->off;
	str_addf(out, "0x%llx", (unsigned long long)va);
	if (fields & SF_DSO && l && fields & SF_BRSTACK)
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
	str_addf(out, "/%c/%c/%c/%u/%s/%s ", b->mispred ? 'M' : b->predicted ? 'P' : '-',
		 b->in_tx ? 'X' : '-', b->abort ? 'A' : '-',
		 (unsigned)b->cycles, branch_type(b), spec[b->spec & 3]);
}

void add_branches(struct str *out, const struct script_opts *o, u64 fields, const struct sample *s,
		  const struct resolved *r)
{
	for (u64 i = 0; i < s->branch.n; i++)
		add_branch(out, o, fields, &s->branch.entries[i], r->branches ?
			   &r->branches[2 * i] : NULL,
			   r->branches ? &r->branches[2 * i + 1] : NULL);
}
