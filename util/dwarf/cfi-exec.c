// SPDX-License-Identifier: GPL-2.0-or-later
// Call frame instructions. Source: DWARF 5 sections 6.4.2 and 7.24; LSB 10.6 (pointer
// encodings); AArch64 DWARF (negate_ra).
#include <dwarf.h>
#include <errno.h>
#include <string.h>

#include "util/base/rd.h"
#include "util/dwarf/cfi-priv.h"

#define MAX_REMEMBERED 12
#define MAX_INSNS 100000	/* of one function: far more than any has, and soon done */

struct row {
	u8 cfa_how, cfa_reg;
	s32 cfa_off;
	u32 cfa_expr;
	struct cfi_reg_rule regs[CFI_MAX_REGS];
};

struct machine_state {
	struct row row, initial, stack[MAX_REMEMBERED];
	int depth;
	u64 loc;
};

u64 cfi_read_pointer(const struct cfi_sec *s, struct rd *r, u8 encoding, unsigned addr_bytes)
{
	u64 at = s->rva + r->pos, v;

	if (encoding == DW_EH_PE_omit)
		return 0;
	switch (encoding & 0x0f) {
	case DW_EH_PE_absptr: v = addr_bytes == 4 ? rd_u32(r) : rd_u64(r); break;
	case DW_EH_PE_uleb128: v = rd_uleb(r); break;
	case DW_EH_PE_udata2: v = rd_u16(r); break;
	case DW_EH_PE_udata4: v = rd_u32(r); break;
	case DW_EH_PE_udata8: case DW_EH_PE_sdata8: v = rd_u64(r); break;
	case DW_EH_PE_sleb128: v = (u64)rd_sleb(r); break;
	case DW_EH_PE_sdata2: v = (u64)(s64)(s16)rd_u16(r); break;
	case DW_EH_PE_sdata4: v = (u64)(s64)(s32)rd_u32(r); break;
	default: r->failed = true; return 0;
	}
	switch (encoding & 0x70) {
	case DW_EH_PE_absptr: break;
	case DW_EH_PE_pcrel: v += at; break;
	case DW_EH_PE_textrel: v += s->text_rva; break;
	case DW_EH_PE_datarel: v += s->got_rva; break;
	default: r->failed = true; return 0;
	}
	return addr_bytes == 4 ? (u32)v : v;
}

/* Unsigned, so that what a file claims cannot overflow. */
static s64 times(u64 n, s64 factor)
{
	return (s64)(n * (u64)factor);
}

/* Of a register as instructions name it; the last is kept for the return address. */
static u64 column(const struct cfi_exec *x, u64 reg)
{
	if (reg < CFI_RA_BEYOND)
		return reg;
	return reg == x->cie->ra_reg ? CFI_RA_BEYOND : UINT64_MAX;
}

static void set_rule(struct machine_state *m, u64 reg, u8 how, s64 off, u32 expr)
{
	if (reg < CFI_MAX_REGS)
		m->row.regs[reg] = (struct cfi_reg_rule){ .how = how, .off = (s32)off,
							  .expr = expr };
}

static void set_cfa(struct machine_state *m, u64 reg, s64 off)
{
	m->row.cfa_how = CFI_REG;
	m->row.cfa_reg = reg < 255 ? reg : 255;
	m->row.cfa_off = (s32)off;
}

/* A block: its number for rules (section, offset of its length). */
static u32 take_expr(const struct cfi_exec *x, struct rd *r)
{
	size_t at = (r->base - x->sec->data.ptr) + r->pos;
	u64 n = rd_uleb(r);

	rd_skip(r, n);
	return (u32)at | x->sec_nr << CFI_EXPR_SEC_SHIFT;
}

static void restore_initial(struct machine_state *m, u64 reg)
{
	if (reg < CFI_MAX_REGS)
		m->row.regs[reg] = m->initial.regs[reg];
}

static int remember(struct machine_state *m)
{
	if (m->depth == MAX_REMEMBERED)
		return -EINVAL;
	m->stack[m->depth++] = m->row;
	return 0;
}

static int recall(struct machine_state *m)
{
	if (!m->depth)
		return -EINVAL;
	m->row = m->stack[--m->depth];
	return 0;
}

/* Instructions without an operand in their opcode, that set rules. */
static int rule_insn(const struct cfi_exec *x, struct machine_state *m, struct rd *r, u8 op)
{
	s64 da = x->cie->data_align;
	u64 reg;

	switch (op) {
	case DW_CFA_nop: return 0;
	case DW_CFA_offset_extended: reg = column(x, rd_uleb(r));
		set_rule(m, reg, CFI_AT_CFA, times(rd_uleb(r), da), 0); return 0;
	case DW_CFA_offset_extended_sf: reg = column(x, rd_uleb(r));
		set_rule(m, reg, CFI_AT_CFA, times((u64)rd_sleb(r), da), 0); return 0;
	case DW_CFA_GNU_negative_offset_extended:
		reg = column(x, rd_uleb(r));
		set_rule(m, reg, CFI_AT_CFA, times(-rd_uleb(r), da), 0); return 0;
	case DW_CFA_val_offset: reg = column(x, rd_uleb(r));
		set_rule(m, reg, CFI_IS_CFA_PLUS, times(rd_uleb(r), da), 0); return 0;
	case DW_CFA_val_offset_sf: reg = column(x, rd_uleb(r));
		set_rule(m, reg, CFI_IS_CFA_PLUS, times((u64)rd_sleb(r), da), 0); return 0;
	case DW_CFA_restore_extended: restore_initial(m, column(x, rd_uleb(r))); return 0;
	case DW_CFA_undefined: set_rule(m, column(x, rd_uleb(r)), CFI_UNDEFINED, 0, 0); return 0;
	case DW_CFA_same_value: set_rule(m, column(x, rd_uleb(r)), CFI_SAME, 0, 0); return 0;
	case DW_CFA_register:
		reg = column(x, rd_uleb(r));
		set_rule(m, reg, CFI_REG, 0, 0);
		u64 from = column(x, rd_uleb(r));
		if (reg < CFI_MAX_REGS)
			m->row.regs[reg].reg = from < 255 ? from : 255;
		return 0;
	case DW_CFA_remember_state: return remember(m);
	case DW_CFA_restore_state: return recall(m);
	case DW_CFA_def_cfa: reg = rd_uleb(r); set_cfa(m, reg, (s64)rd_uleb(r)); return 0;
	case DW_CFA_def_cfa_sf: reg = rd_uleb(r); set_cfa(m, reg, times((u64)rd_sleb(r), da));
		return 0;
	case DW_CFA_def_cfa_register: set_cfa(m, rd_uleb(r), m->row.cfa_off); return 0;
	case DW_CFA_def_cfa_offset: set_cfa(m, m->row.cfa_reg, (s64)rd_uleb(r)); return 0;
	case DW_CFA_def_cfa_offset_sf: set_cfa(m, m->row.cfa_reg, times((u64)rd_sleb(r), da));
		return 0;
	case DW_CFA_def_cfa_expression: m->row.cfa_how = CFI_EXPR;
		m->row.cfa_expr = take_expr(x, r); return 0;
	case DW_CFA_expression: reg = column(x, rd_uleb(r));
		set_rule(m, reg, CFI_EXPR, 0, take_expr(x, r)); return 0;
	case DW_CFA_val_expression: reg = column(x, rd_uleb(r));
		set_rule(m, reg, CFI_VAL_EXPR, 0, take_expr(x, r)); return 0;
	case DW_CFA_GNU_args_size: rd_uleb(r); return 0;
	/* AArch64: toggles the signing of return addresses, whose bits are masked */
	case DW_CFA_GNU_window_save: return 0;
	default: return -EINVAL;
	}
}

/* How far an instruction advances the location; 0 for all others. *known: it was such an
 * instruction. */
static u64 advance_insn(const struct cfi_exec *x, struct rd *r, u8 op, u64 loc, bool *known)
{
	u64 ca = x->cie->code_align;

	*known = true;
	switch (op) {
	case DW_CFA_set_loc: return cfi_read_pointer(x->sec, r, x->cie->fde_encoding,
						     x->cie->addr_bytes) - loc;
	case DW_CFA_advance_loc1: return rd_u8(r) * ca;
	case DW_CFA_advance_loc2: return rd_u16(r) * ca;
	case DW_CFA_advance_loc4: return rd_u32(r) * ca;
	default:
		if ((op & 0xc0) == DW_CFA_advance_loc)
			return (op & 0x3f) * ca;
		*known = false;
		return 0;
	}
}

/* Stops before the row that begins after rva; *next: where that is (end_rva when there is none). */
static int run(const struct cfi_exec *x, struct machine_state *m, struct rd *r, u64 rva, u64 *next)
{
	for (int n = 0; rd_left(r) && n < MAX_INSNS; n++) {
		u8 op = rd_u8(r);
		bool moves;
		u64 by = advance_insn(x, r, op, m->loc, &moves);

		if (rd_failed(r))
			return -EINVAL;
		if (moves) {
			if (m->loc + by > rva) {
				*next = m->loc + by;
				return 1;
			}
			m->loc += by;
			continue;
		}
		if ((op & 0xc0) == DW_CFA_offset)
			set_rule(m, column(x, op & 0x3f), CFI_AT_CFA,
				 times(rd_uleb(r), x->cie->data_align), 0);
		else if ((op & 0xc0) == DW_CFA_restore)
			restore_initial(m, column(x, op & 0x3f));
		else if (rule_insn(x, m, r, op))
			return -EINVAL;
		if (rd_failed(r))
			return -EINVAL;
	}
	return rd_left(r) ? -EINVAL : 0;
}

int cfi_run(const struct cfi_exec *x, struct rd fde_insns, u64 end_rva, u64 rva,
	    struct cfi_rule *out)
{
	struct machine_state m;
	struct rd init = x->cie->init;
	u64 next = end_rva, none;

	m.depth = 0;
	m.loc = x->fde_start;
	memset(&m.row, 0, sizeof(m.row));
	/* the return address has no rule: only then does "undefined" differ from "same" */
	if (run(x, &m, &init, UINT64_MAX, &none) < 0)
		return -EINVAL;
	m.initial = m.row;
	m.loc = x->fde_start;
	if (run(x, &m, &fde_insns, rva, &next) < 0)
		return -EINVAL;
	out->start_rva = m.loc;
	out->end_rva = MIN(next, end_rva);
	out->cfa_how = m.row.cfa_how;
	out->cfa_reg = m.row.cfa_reg;
	out->cfa_off = m.row.cfa_off;
	out->cfa_expr = m.row.cfa_expr;
	out->signal_frame = x->cie->signal_frame;
	out->ra_reg = (u8)MIN(column(x, x->cie->ra_reg), (u64)255);
	out->n_regs = CFI_MAX_REGS;
	memcpy(out->regs, m.row.regs, sizeof(out->regs));
	return out->cfa_how == CFI_REG || out->cfa_how == CFI_EXPR ? 0 : -EINVAL;
}
