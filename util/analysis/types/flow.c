// SPDX-License-Identifier: GPL-2.0-or-later
// Invariants: 1. A state only ever loses knowledge while paths meet, so the rounds end. 2. What
// variables hold depends on the address alone: it is looked up. A register of which nothing else is
// known keeps it until it is written, wherever the variable is then. 3. Code that
// no known path leads to (a jump table's) is begun with nothing known, once all other code is done.
// 4. Types that stand for no object (below) never leave this file: memory_held() makes of them what
// lies there.
#include "util/analysis/types/flow.h"

#include <string.h>

/* a displacement from here on may be an address; those of a kernel are negative */
#define LEAST_ADDRESS 4096
#define LEAST_KERNEL_DISTANCE (1 << 20)

/* rax, rdx, rcx, rsi, rdi, r8 to r11 (psABI); x0 to x18, x30 (AAPCS64) */
const struct flow_abi flow_x86_64 = { .clobbers = 0x0f37, .arg = 5, .result = 0 },
	flow_arm64 = { .clobbers = 0x4007ffff, .arg = 0, .result = 0 };

void flow_release(struct flow *f)
{
	vec_free(&f->insns);
	vec_free(&f->vars);
	vec_free(&f->links);
	vec_free(&f->ins);
}

/* What a register may hold but the address of an object: the thread's pointer plus off, the number
 * off, the address of the place off in the file's part of the thread's memory, or how far that is
 * from the thread's pointer; or the number off and a multiple of something. */
static const struct datatype thread_pointer = { .kind = DATATYPE_OTHER },
	number = { .kind = DATATYPE_OTHER }, thread_part = { .kind = DATATYPE_OTHER },
	thread_distance = { .kind = DATATYPE_OTHER }, multiple = { .kind = DATATYPE_OTHER };

static bool is_special(const struct datatype *t)
{
	return t == &thread_pointer || t == &number || t == &thread_part || t == &thread_distance ||
		t == &multiple;
}

static bool is_address(s64 v)
{
	return v >= LEAST_ADDRESS || v < -LEAST_KERNEL_DISTANCE;
}

static bool same(struct held a, struct held b) { return a.type == b.type && a.off == b.off; }

/* --- what registers and places hold */

static int rank(struct datatypes *t, struct held h)
{
	if (is_special(h.type))
		return h.type == &number || h.type == &multiple ? 1 : 2;
	if (held_resolve(t, &h) != ACCESS_KNOWN)
		return h.type ? 1 : 0;
	return h.type->kind == DATATYPE_STRUCT ? 3 : 2;
}

static void consider(struct flow *f, struct held h, struct held *best, int *best_rank)
{
	const int r = rank(f->types, h);

	if (r > *best_rank) {
		*best = h;
		*best_rank = r;
	}
}

/* What a variable tells of a register's value. */
static struct held by_variable(struct flow *f, const struct variable *v, u16 reg)
{
	struct held h = { NULL, 0 };

	if (v->place == VARIABLE_REG && v->reg == reg)
		h = held_pointer(f->types, v->type);
	else if (v->place == VARIABLE_AT_REG && v->reg == reg)
		h.type = v->type;
	h.off = -v->off;
	return h;
}

static struct held register_held(struct flow *f, const struct flow_insn *at,
				 const struct flow_state *s, u16 reg, s64 disp)
{
	struct held best = { NULL, 0 };
	int best_rank = 0;

	for (u32 l = at->first_variable; l; l = f->links.v[l - 1].next) {
		const struct variable *v = &f->vars.v[f->links.v[l - 1].variable];
		struct held h = by_variable(f, v, reg);

		h.off += disp;
		if (v->place != VARIABLE_AT_REG || (u64)h.off < v->type->bytes)
			consider(f, h, &best, &best_rank);
	}
	if (reg < FLOW_REGS) {
		struct held h = s->regs[reg];

		h.off += disp;
		consider(f, h, &best, &best_rank);
	}
	return best;
}

/* The variable at that place of the frame. */
static struct held frame_held(struct flow *f, const struct flow_insn *at, s64 place)
{
	for (u32 l = at->first_variable; l; l = f->links.v[l - 1].next) {
		const struct variable *v = &f->vars.v[f->links.v[l - 1].variable];

		if (v->place == VARIABLE_AT_CFA && place >= v->off &&
		    place - v->off < (s64)v->type->bytes)
			return (struct held){ v->type, place - v->off };
	}
	return (struct held){ NULL, 0 };
}

static struct held global_held(struct flow *f, u64 rva)
{
	u64 at = rva - f->delta;
	const struct variable *v = datatypes_global(f->types, at);

	/* CPUs' copies of variables go by numbers that do not move with the kernel */
	if (!v && f->kernel && f->delta) {
		at = rva;
		v = datatypes_global(f->types, at);
	}
	return v ? (struct held){ v->type, (s64)(at - (u64)v->off) } : (struct held){ NULL, 0 };
}

static struct held thread_part_held(struct flow *f, s64 off)
{
	s64 within = 0;
	const struct variable *v = off < 0 ? NULL :
		datatypes_thread_local(f->types, (u64)off, &within);

	return (struct held){ v ? v->type : NULL, within };
}

/* off: from the thread's pointer */
static struct held thread_local_held(struct flow *f, s64 off)
{
	s64 start;

	return datatypes_thread_start(f->types, &start) ? thread_part_held(f, off - start) :
		(struct held){ NULL, 0 };
}

/* What lies at an address that is no object's, by what it was made of. */
static struct held special_held(struct flow *f, struct held h)
{
	if (h.type == &thread_pointer)
		return thread_local_held(f, h.off);
	if (h.type == &thread_part)
		return thread_part_held(f, h.off);
	if (h.type == &number || (h.type == &multiple && is_address(h.off)))
		return global_held(f, (u64)h.off);
	return (struct held){ NULL, 0 };
}

/* Of a register that is added to an address. */
static s64 number_in(struct held h)
{
	return h.type == &number || h.type == &multiple ? h.off : 0;
}

/* "%fs:-0x40", "%fs:(%rax)" where the register has a number, "%fs:-0x40(%rax)" else: an array. */
static struct held thread_memory_held(struct flow *f, const struct flow_insn *at,
				      const struct flow_state *s)
{
	const struct insn_operands *o = &at->ops;
	struct held h = { NULL, 0 };

	if (o->mem.base != OPERAND_NO_REG)
		h = register_held(f, at, s, o->mem.base, 0);
	if (!o->mem.thread)
		return f->kernel ? global_held(f, (u64)(o->mem.disp + number_in(h))) :
			(struct held){ NULL, 0 };
	if (h.type == &thread_distance)
		return thread_part_held(f, o->mem.disp + h.off);
	return thread_local_held(f, o->mem.disp + number_in(h));
}

static bool on_frame(const struct flow_insn *at)
{
	return at->has_cfa && at->ops.mem.base == at->cfa_reg && !at->ops.mem.segment;
}

static struct held sum(struct held h, s64 imm)
{
	/* on to another object of an array */
	const u64 bytes = h.type ? h.type->bytes : 0;

	if (!bytes || imm % (s64)bytes)
		h.off += imm;
	return h;
}

static struct held sum_of(struct held a, struct held b)
{
	if (a.type == &thread_distance && b.type == &thread_pointer)
		return (struct held){ &thread_part, a.off + b.off };
	if (b.type == &thread_distance && a.type == &thread_pointer)
		return (struct held){ &thread_part, a.off + b.off };
	if (b.type == &multiple && a.type)
		return (struct held){ a.type, a.off + b.off };
	if (a.type == &multiple && b.type)
		return (struct held){ b.type, a.off + b.off };
	/* the address of an array, and an index into it */
	if ((a.type == &number && !b.type) || (b.type == &number && !a.type)) {
		if (b.type)
			a = b;
		return is_address(a.off) ? a : (struct held){ NULL, 0 };
	}
	if (b.type == &number)
		return sum(a, b.off);
	if (a.type == &number)
		return sum(b, a.off);
	return a.type && b.type ? (struct held){ NULL, 0 } : a.type ? a : b;
}

/* base: what that register and the displacement tell. */
static struct held indexed_held(struct flow *f, const struct flow_insn *at,
				const struct flow_state *s, struct held base)
{
	const struct insn_operands *o = &at->ops;
	const struct held index = register_held(f, at, s, o->mem.index, 0);
	struct held both = { NULL, 0 };

	if (o->mem.scale == 1 && base.type)
		both = sum_of(base, index);
	else if (o->mem.scale == 1 && index.type)
		both = (struct held){ index.type, index.off + o->mem.disp };
	else if (index.type == &multiple)
		both = (struct held){ base.type, base.off + index.off * o->mem.scale };
	return both.type ? both : base;
}

/* What lies where the memory operand points to. */
static struct held memory_held(struct flow *f, const struct flow_insn *at,
			       const struct flow_state *s)
{
	const struct insn_operands *o = &at->ops;
	struct held h = { NULL, 0 };

	if (o->mem.segment)
		return thread_memory_held(f, at, s);
	if (o->mem.base == OPERAND_NO_REG)
		h = global_held(f, (u64)o->mem.disp);
	else if (on_frame(at))
		h = frame_held(f, at, o->mem.disp - at->cfa_off);
	if (!h.type && o->mem.base != OPERAND_NO_REG)
		h = register_held(f, at, s, o->mem.base, o->mem.disp);
	if (o->mem.index != OPERAND_NO_REG)
		h = indexed_held(f, at, s, h);
	if (is_special(h.type))
		return special_held(f, h);
	if (!h.type && is_address(o->mem.disp) && o->mem.base != OPERAND_NO_REG)
		h = global_held(f, (u64)o->mem.disp);
	return h;
}

/* --- one instruction */

static struct held_slot *slot_at(struct flow_state *s, s64 place, bool make)
{
	struct held_slot *empty = NULL;

	for (int i = 0; i < FLOW_SLOTS; i++) {
		if (s->slots[i].held.type && s->slots[i].at == place)
			return &s->slots[i];
		if (!s->slots[i].held.type && !empty)
			empty = &s->slots[i];
	}
	if (make && empty)
		empty->at = place;
	return make ? empty : NULL;
}

static void store(const struct flow_insn *at, struct flow_state *s, struct held what)
{
	const s64 place = at->ops.mem.disp - at->cfa_off;
	struct held_slot *slot;

	if (!on_frame(at) || at->ops.mem.index != OPERAND_NO_REG)
		return;
	slot = slot_at(s, place, what.type != NULL);
	if (slot)
		slot->held = what;
}

/* Memory of a new object comes as a pointer to void: it is what it is stored as. */
static void store_register(struct flow *f, const struct flow_insn *at, struct flow_state *s,
			   struct held mem)
{
	struct held what = register_held(f, at, s, at->ops.src, 0);

	if (rank(f->types, what) < 2)
		what = held_loaded(f->types, mem);
	if (at->ops.src < FLOW_REGS && what.type)
		s->regs[at->ops.src] = what;
	store(at, s, what);
}

/* The word of the global offset table that is read; NULL: it is none. */
static const struct slot *slot_read(struct flow *f, const struct flow_insn *at,
				    const struct flow_state *s)
{
	const struct insn_operands *o = &at->ops;
	struct held h = { &number, o->mem.disp };

	if (!f->slots || o->mem.segment || o->mem.index != OPERAND_NO_REG)
		return NULL;
	if (o->mem.base != OPERAND_NO_REG)
		h = register_held(f, at, s, o->mem.base, o->mem.disp);
	return h.type == &number ? slots_find(f->slots, (u64)h.off) : NULL;
}

static struct held slot_held(const struct slot *slot)
{
	const struct datatype *type = !slot ? NULL : slot->kind == SLOT_ADDRESS ? &number :
		slot->kind == SLOT_THREAD_DISTANCE ? &thread_distance : NULL;

	return (struct held){ type, type ? (s64)slot->value : 0 };
}

/* "%fs:0": the word that the thread's pointer points to is itself. */
static bool is_thread_pointer(const struct flow_insn *at)
{
	const struct insn_operands *o = &at->ops;

	return o->mem.thread && !o->mem.disp && o->mem.base == OPERAND_NO_REG &&
		o->mem.index == OPERAND_NO_REG;
}

static struct held loaded(struct flow *f, const struct flow_insn *at, struct flow_state *s,
			  struct held from)
{
	struct held_slot *slot;

	if (is_thread_pointer(at))
		return (struct held){ &thread_pointer, 0 };
	if (!from.type && slot_read(f, at, s))
		return slot_held(slot_read(f, at, s));
	if (from.type || !on_frame(at) || at->ops.mem.index != OPERAND_NO_REG)
		return held_loaded(f->types, from);
	slot = slot_at(s, at->ops.mem.disp - at->cfa_off, false);
	return slot ? slot->held : (struct held){ NULL, 0 };
}

static struct held inserted(struct held h, const struct insn_operands *o)
{
	if (h.type != &number)
		return (struct held){ NULL, 0 };
	h.off = (h.off & ~(s64)(0xffffull << o->src2)) | o->imm;
	return h;
}

/* Of an address that is computed: what lies in the frame there. */
static struct held sum_held(struct flow *f, const struct flow_insn *at, const struct flow_state *s)
{
	const struct insn_operands *o = &at->ops;
	struct held h = { NULL, 0 };

	if (at->has_cfa && o->src == at->cfa_reg && o->dst != o->src)
		h = frame_held(f, at, o->imm - at->cfa_off);
	return h.type ? h : sum(register_held(f, at, s, o->src, 0), o->imm);
}

/* A word of memory is added: the thread's pointer, or a distance from it; in the kernel how far a
 * CPU's copies are from what their variables are called by. */
static struct held add_mem_held(struct flow *f, const struct flow_insn *at, struct flow_state *s)
{
	const struct held dst = register_held(f, at, s, at->ops.dst, 0);

	if (is_thread_pointer(at))
		return sum_of(dst, (struct held){ &thread_pointer, 0 });
	if (f->kernel && at->ops.mem.segment && dst.type == &number)
		return dst;
	return slot_read(f, at, s) ? sum_of(dst, slot_held(slot_read(f, at, s))) :
		(struct held){ NULL, 0 };
}

/* What dst holds after it. */
static struct held result(struct flow *f, const struct flow_insn *at, struct flow_state *s,
			  struct held mem)
{
	const struct insn_operands *o = &at->ops;

	switch (o->effect) {
	case EFFECT_COPY:
		return register_held(f, at, s, o->src, 0);
	case EFFECT_ADDRESS:
		return mem.type || o->mem.base != OPERAND_NO_REG ||
			o->mem.index != OPERAND_NO_REG ? mem :
			(struct held){ &number, o->mem.disp };
	case EFFECT_LOAD:
		return loaded(f, at, s, mem);
	case EFFECT_ADD:
		return sum_held(f, at, s);
	case EFFECT_THREAD:
		return (struct held){ &thread_pointer, 0 };
	case EFFECT_CONSTANT:
		return (struct held){ &number, o->imm };
	case EFFECT_ADD_REG:
		return sum_of(register_held(f, at, s, o->src, 0),
			      register_held(f, at, s, o->src2, 0));
	case EFFECT_INDEX:
		return (struct held){ &multiple, 0 };
	case EFFECT_INSERT:
		return inserted(register_held(f, at, s, o->dst, 0), o);
	case EFFECT_ADD_MEM:
		return add_mem_held(f, at, s);
	default:
		return (struct held){ NULL, 0 };
	}
}

static void put(struct flow_state *s, u16 reg, struct held what)
{
	if (reg < FLOW_REGS)
		s->regs[reg] = what;
}

static bool has_result(const struct insn_operands *o)
{
	return o->effect != EFFECT_OTHER && o->effect != EFFECT_STORE;
}

/* What a called function returns. Those that give the places of thread-local variables are known
 * by what they are called with; a descriptor's changes nothing but its result. */
static struct held call_result(struct flow *f, const struct flow_insn *at,
			       const struct flow_state *s, bool *keeps)
{
	const struct held arg = s->regs[f->abi->arg], desc = s->regs[f->abi->result];
	const struct slot *slot = NULL;

	*keeps = false;
	if (arg.type == &number)
		slot = slots_find(f->slots, (u64)arg.off);
	if (slot && slot->kind == SLOT_THREAD_ARGS)
		return (struct held){ &thread_part, (s64)slot->value };
	slot = desc.type == &number && !at->i.has_target ?
		slots_find(f->slots, (u64)desc.off) : NULL;
	if (slot && slot->kind == SLOT_THREAD_DESCRIPTOR) {
		*keeps = true;
		return (struct held){ &thread_distance, (s64)slot->value };
	}
	return held_pointer(f->types, at->returned);
}

static void step_call(struct flow *f, const struct flow_insn *at, struct flow_state *s)
{
	bool keeps;
	const struct held result = call_result(f, at, s, &keeps);
	const u64 written = !at->decoded ? ~0ull : at->ops.written |
		(keeps ? 1ull << f->abi->result : f->abi->clobbers);

	for (u16 r = 0; r < FLOW_REGS; r++)
		if (written >> r & 1)
			s->regs[r] = (struct held){ NULL, 0 };
	s->regs[f->abi->result] = result;
}

/* The other one of two registers that are loaded or stored, as an instruction of its own. */
static struct flow_insn second_of(const struct flow_insn *at)
{
	struct flow_insn second = *at;

	second.ops.mem.disp += 8;
	second.ops.src = second.ops.effect == EFFECT_STORE ? at->ops.second : OPERAND_NO_REG;
	second.ops.dst = second.ops.effect == EFFECT_LOAD ? at->ops.second : OPERAND_NO_REG;
	return second;
}

static struct held run(struct flow *f, const struct flow_insn *at, struct flow_state *s)
{
	const struct insn_operands *o = &at->ops;
	const bool uses_mem = o->has_mem || o->effect == EFFECT_ADDRESS;
	const struct held mem = uses_mem ? memory_held(f, at, s) : (struct held){ NULL, 0 };

	if (o->effect == EFFECT_STORE)
		store_register(f, at, s, mem);
	return result(f, at, s, mem);
}

/* A variable may be said to be elsewhere before its register has another value. */
static void keep_variables(struct flow *f, const struct flow_insn *at, struct flow_state *s)
{
	for (u32 l = at->first_variable; l; l = f->links.v[l - 1].next) {
		const struct variable *v = &f->vars.v[f->links.v[l - 1].variable];

		if (v->place == VARIABLE_REG && v->reg < FLOW_REGS && !s->regs[v->reg].type)
			s->regs[v->reg] = by_variable(f, v, v->reg);
	}
}

static void step(struct flow *f, const struct flow_insn *at, struct flow_state *s)
{
	const struct insn_operands *o = &at->ops;
	const u64 written = at->decoded ? o->written : ~0ull;
	struct held dst, second = { NULL, 0 }, base = { NULL, 0 };
	const bool pair = at->decoded && o->second != OPERAND_NO_REG;

	keep_variables(f, at, s);
	if (at->i.kind == INSN_CALL) {
		step_call(f, at, s);
		return;
	}
	dst = run(f, at, s);
	if (pair) {
		const struct flow_insn other = second_of(at);

		second = run(f, &other, s);
	}
	if (at->decoded && o->base_by)
		base = sum(register_held(f, at, s, o->mem.base, 0), o->base_by);
	for (int r = 0; r < FLOW_REGS; r++)
		if (written >> r & 1)
			s->regs[r] = (struct held){ NULL, 0 };
	if (!at->decoded)
		return;
	if (o->base_by)
		put(s, o->mem.base, base);
	if (has_result(o))
		put(s, o->dst, dst);
	if (pair && has_result(o))
		put(s, o->second, second);
}

/* --- paths */

/* True: a lost something. */
static bool meet(struct flow_state *a, const struct flow_state *b)
{
	bool changed = false;

	if (!a->reached) {
		*a = *b;
		a->reached = true;
		return true;
	}
	for (int r = 0; r < FLOW_REGS; r++)
		if (a->regs[r].type && !same(a->regs[r], b->regs[r])) {
			a->regs[r] = (struct held){ NULL, 0 };
			changed = true;
		}
	for (int i = 0; i < FLOW_SLOTS; i++) {
		struct held_slot *mine = &a->slots[i];
		const struct held_slot *other =
			mine->held.type ? slot_at((struct flow_state *)b, mine->at, false) : NULL;

		if (mine->held.type && (!other || !same(mine->held, other->held))) {
			mine->held = (struct held){ NULL, 0 };
			changed = true;
		}
	}
	return changed;
}

static struct flow_insn *insn_at(struct flow *f, u64 rva)
{
	size_t lo = 0, hi = f->insns.n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (f->insns.v[mid].i.rva < rva)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < f->insns.n && f->insns.v[lo].i.rva == rva ? &f->insns.v[lo] : NULL;
}

static void access_of(struct flow *f, const struct flow_insn *at, const struct flow_state *s,
		      struct access *out)
{
	struct held h;

	*out = (struct access){ .rva = at->i.rva, .length = at->i.length,
				.mnemonic = at->mnemonic, .why = ACCESS_NO_INSN };
	if (!at->decoded)
		return;
	out->why = at->ops.stack ? ACCESS_STACK : ACCESS_NO_MEMORY;
	if (!at->ops.has_mem)
		return;
	h = memory_held(f, at, s);
	out->why = (u8)held_resolve(f->types, &h);
	if (out->why == ACCESS_NO_VARIABLE && at->ops.stack)
		out->why = ACCESS_STACK;
	if (out->why != ACCESS_KNOWN)
		return;
	out->type = h.type;
	out->off = (u64)h.off;
}

/* All instructions once, from the first to the last. orphans: code that no path leads to as well.
 * out (may be NULL): what they access. True: something changed. */
static bool round_through(struct flow *f, bool orphans, struct access *out)
{
	struct flow_state s = { .reached = true };
	bool changed = false;

	for (size_t k = 0; k < f->insns.n; k++) {
		struct flow_insn *at = &f->insns.v[k];
		struct flow_state *in = at->in ? &f->ins.v[at->in - 1] : NULL;
		struct flow_insn *to;

		if (in && s.reached)
			changed |= meet(in, &s);
		if (in && in->reached)
			s = *in;
		else if (!s.reached && orphans)
			s = (struct flow_state){ .reached = true };
		if (out)
			access_of(f, at, &s, &out[k]);
		if (!s.reached)
			continue;
		step(f, at, &s);
		to = (at->i.kind == INSN_JUMP || at->i.kind == INSN_COND_JUMP) &&
			at->i.has_target ? insn_at(f, at->i.target_rva) : NULL;
		if (to)
			changed |= meet(&f->ins.v[to->in - 1], &s);
		if (at->i.kind == INSN_JUMP || at->i.kind == INSN_RET)
			s.reached = false;
	}
	return changed;
}

static void mark_targets(struct flow *f)
{
	for vec_each(at, &f->insns) {
		struct flow_insn *to =
			(at->i.kind == INSN_JUMP || at->i.kind == INSN_COND_JUMP) &&
			at->i.has_target ? insn_at(f, at->i.target_rva) : NULL;

		if (to && !to->in) {
			(void)vec_add(&f->ins);
			to->in = (u32)f->ins.n;
		}
	}
}

static int outer_first(const void *x, const void *y)
{
	const struct variable *a = x, *b = y;

	return (a->depth > b->depth) - (a->depth < b->depth);
}

/* For each instruction the variables that hold there. */
static void link_variables(struct flow *f)
{
	if (f->vars.n)
		qsort(f->vars.v, f->vars.n, sizeof(*f->vars.v), outer_first);
	for (size_t i = 0; i < f->vars.n; i++) {
		const struct variable *v = &f->vars.v[i];
		size_t lo = 0, hi = f->insns.n;

		while (lo < hi) {
			const size_t mid = lo + (hi - lo) / 2;

			if (f->insns.v[mid].i.rva - f->delta < v->from_rva)
				lo = mid + 1;
			else
				hi = mid;
		}
		for (; lo < f->insns.n && f->insns.v[lo].i.rva - f->delta < v->to_rva; lo++) {
			const struct variable_link l = { (u32)i, f->insns.v[lo].first_variable };

			vec_push(&f->links, l);
			f->insns.v[lo].first_variable = (u32)f->links.n;
		}
	}
}

void flow_run(struct flow *f, struct access *out)
{
	mark_targets(f);
	link_variables(f);
	while (round_through(f, false, NULL))
		;
	while (round_through(f, true, NULL))
		;
	round_through(f, true, out);
}
