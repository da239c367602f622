// SPDX-License-Identifier: GPL-2.0-or-later
// What filters in shared objects ask of perf; ctx is what the filter was called with.
#include "util/script/dlfilter-priv.h"
#include "util/script/sample-code.h"

/* ---- addresses ---- */

static struct location locate(const struct dlfilter *f, u64 va)
{
	const struct sink_item *it = f->now;
	const u64 t = it->sample->time_ns;
	const bool kernel = machine_is_kernel_va(f->machine, va);
	struct location l = { .va = va };

	l.map = space_find(kernel ? machine_kernel_space(f->machine) :
			   thread_space_at(it->res->thread, t), va, t);
	if (!l.map)
		return l;
	l.dso = l.map->dso;
	l.rva = mapping_rva(l.map, va);
	l.sym = dso_find(l.dso, l.rva);
	return l;
}

static void set_al(const struct dlfilter *f, const struct location *l, struct perf_dlfilter_al *al)
{
	struct symbol at;

	al->is_kernel_ip = machine_is_kernel_va(f->machine, l->va);
	if (!l->map)
		return;
	al->addr = dso_rva_to_off(l->dso, l->rva);
	al->dso = l->dso->path;
	al->is_64_bit = l->dso->kind == DSO_FILE ? l->dso->is64 :
		machine_arch(f->machine)->addr_bytes == 8;
	al->buildid_size = l->dso->id.n;
	al->buildid = (__u8 *)(uintptr_t)l->dso->id.bytes;
	if (!l->sym)
		return;
	at = symbol_in_file(l->dso, l->sym);
	al->sym = l->sym->name;
	al->symoff = (u32)(l->rva + l->back - l->sym->start_rva);
	al->sym_start = at.start_rva;
	al->sym_end = at.end_rva;
	al->sym_binding = l->sym->binding;
}

static const struct perf_dlfilter_al *resolve_ip(void *ctx)
{
	struct dlfilter *f = ctx;

	if (!f->now)
		return NULL;
	if (!f->ip.size) {
		f->ip = (struct perf_dlfilter_al){ .size = sizeof(f->ip) };
		set_al(f, &f->now->res->leaf, &f->ip);
		f->ip.comm = f->now->res->comm->name;
	}
	return &f->ip;
}

static const struct perf_dlfilter_al *resolve_addr(void *ctx)
{
	struct dlfilter *f = ctx;

	if (!f->now || !event_addr_is_of_symbol(&f->now->sample->event->attr))
		return NULL;
	if (!f->addr.size) {
		f->addr = (struct perf_dlfilter_al){ .size = sizeof(f->addr) };
		set_al(f, &f->now->res->data, &f->addr);
	}
	return &f->addr;
}

/* Filters of before al_cleanup() have a shorter struct. */
static __s32 resolve_address(void *ctx, __u64 address, struct perf_dlfilter_al *al)
{
	struct dlfilter *f = ctx;
	struct perf_dlfilter_al whole = { 0 };
	struct location l;
	u32 size;

	if (!f->now || al->size < offsetof(struct perf_dlfilter_al, filtered))
		return -1;
	l = locate(f, address);
	size = MIN(al->size, (u32)sizeof(whole));
	set_al(f, &l, &whole);
	whole.size = size;
	memcpy(al, &whole, size);
	return 0;
}

static void al_cleanup(void *ctx UNUSED, struct perf_dlfilter_al *al UNUSED)
{
}

/* ---- the rest ---- */

static char **args(void *ctx, int *n)
{
	struct dlfilter *f = ctx;

	*n = (int)f->opts->n_args;
	return f->args.v;
}

static const __u8 *insn(void *ctx, __u32 *length)
{
	struct dlfilter *f = ctx;

	*length = 0;
	if (!f->now ||
	    !insn_at(&f->disasm, machine_arch(f->machine), &f->now->res->leaf, &f->insn))
		return NULL;
	*length = f->insn.length;
	return f->insn.bytes;
}

static const char *srcline(void *ctx, __u32 *line)
{
	struct dlfilter *f = ctx;
	const struct location *l = f->now ? &f->now->res->leaf : NULL;
	struct srcline at = { 0 };

	if (l && l->dso)
		dso_srcline(l->dso, l->rva, &at);
	*line = at.file ? at.line : 0;
	return at.file;
}

static struct perf_event_attr *attr(void *ctx)
{
	struct dlfilter *f = ctx;

	if (!f->now)
		return NULL;
	f->attr = f->now->sample->event->attr;
	return &f->attr;
}

static __s32 object_code(void *ctx, __u64 ip, void *buf, __u32 len)
{
	struct dlfilter *f = ctx;
	struct location l;
	size_t n = 0;

	if (!f->now)
		return -1;
	l = locate(f, ip);
	if (l.map)
		n = dso_read(l.dso, l.rva, buf, len);
	return n ? (__s32)n : -1;
}

void dlfilter_functions(struct perf_dlfilter_fns *fns)
{
	fns->resolve_ip = resolve_ip;
	fns->resolve_addr = resolve_addr;
	fns->args = args;
	fns->resolve_address = resolve_address;
	fns->insn = insn;
	fns->srcline = srcline;
	fns->attr = attr;
	fns->object_code = object_code;
	fns->al_cleanup = al_cleanup;
}
