// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From addresses to what the tree and the rows are made of, once per address and worker: a frame
 * becomes one location, or several where functions were inlined.
 */
#include "util/analysis/hist/hist-priv.h"
#include "util/analysis/hist/keys-priv.h"
#include "util/base/hash.h"
#include "util/symbols/cfi.h"
#include "util/stream/frame.h"

#define MAX_INLINED 64

char hist_level(u8 cpumode)
{
	switch (cpumode) {
	case PERF_RECORD_MISC_KERNEL:
		return 'k';
	case PERF_RECORD_MISC_GUEST_KERNEL:
		return 'g';
	case PERF_RECORD_MISC_GUEST_USER:
		return 'u';
	case PERF_RECORD_MISC_HYPERVISOR:
		return 'H';
	default:
		return '.';
	}
}

/* Code that a JIT compiler made: in a perf map, or in files of perf inject -j, one for each
 * piece. */
static bool is_jitted_file(const struct dso *d)
{
	return d->kind == DSO_FILE && str_has_prefix(d->short_name, "jitted-") &&
		str_has_suffix(d->short_name, ".so");
}

bool hist_is_jit(const struct dso *d)
{
	return d && (d->kind == DSO_PERF_MAP || d->kind == DSO_JIT || is_jitted_file(d));
}

/* One file may have come as several dsos: mapped with its build-id, and with its inode only.
 * With the lock held. */
static const struct dso *same_file(struct shared *sh, const struct dso *d)
{
	const struct dso *one = hmap_get(&sh->dso_of, (uintptr_t)d), *min;
	struct str key = STR_INIT;

	if (one || !d)
		return one;
	/* without a build-id a path may be another file in each mount namespace */
	if (is_jitted_file(d)) {	/* those of one process stand for one map */
		str_addf(&key, "jit %.*s", (int)(strrchr(d->path, '-') - d->path), d->path);
	} else {
		str_addf(&key, "%d %d ", (int)d->kind, d->id.n ? 0 : (int)d->pid);
		build_id_add(&key, &d->id);
		str_addf(&key, " %s", d->path ? d->path : "");
	}
	one = strmap_get(&sh->dsos, str_cstr(&key));
	if (!one) {
		one = d;
		strmap_put(&sh->dsos, str_cstr(&key), (void *)d);
	}
	hmap_put(&sh->dso_of, (uintptr_t)d, (void *)one);
	min = hmap_get(&sh->dso_min, (uintptr_t)one);
	if (!min || d->index < min->index)
		hmap_put(&sh->dso_min, (uintptr_t)one, (void *)d);
	str_release(&key);
	return one;
}

void hist_settle_dsos(struct hist *h)
{
	for vec_each(s, &h->sh.sym_ptrs) {
		const struct dso *first = (*s)->dso ? hmap_get(&h->sh.dso_min,
							       (uintptr_t)(*s)->dso) : NULL;

		if (first)		/* none: it was settled before */
			(*s)->dso = first;
	}
}

/* With the lock held. A function that was compiled again is elsewhere, but the same: its
 * (interned) name tells. */
static struct hist_sym *sym_intern(struct shared *sh, const struct location *l, const char *name,
				   bool inlined, u64 rva)
{
	const struct dso *dso = same_file(sh, l->dso);
	bool by_start = l->sym && !inlined && !hist_is_jit(l->dso);
	u64 ident = by_start ? l->sym->start_rva : (uintptr_t)name;
	char level = hist_level(l->cpumode);
	u64 tuple[4] = { (uintptr_t)dso, ident, rva, (u64)by_start << 9 | (u64)inlined << 8 |
			 (u8)(name ? 0 : level) };
	u32 id = idset_get(&sh->syms, tuple);

	if (id == sh->sym_ptrs.n) {
		struct hist_sym *s = arena_alloc(&sh->arena, sizeof(*s));

		*s = (struct hist_sym){ .dso = dso, .sym = by_start ? l->sym : NULL, .name = name,
					.inlined = inlined,
					.cpumode = l->cpumode, .level = level, .rva = rva };
		vec_push(&sh->sym_ptrs, s);
	}
	return sh->sym_ptrs.v[id];
}

/* One location. With the lock held; words of keys may need it not (names are interned in their
 * own table). */
static struct step loc_intern(struct hist *h, const struct hist_sym *chain, const u64 *keys)
{
	unsigned n = h->opts.keys->n_frame_keys;
	u64 tuple[MAX_KEYS + 1];
	struct step st;

	tuple[0] = h->opts.callgraph ? (uintptr_t)chain : 0;
	memcpy(tuple + 1, keys, n * sizeof(u64));
	st.fid = idset_get(&h->sh.fids, keys);
	st.loc = idset_get(&h->sh.locs, tuple);
	if (st.loc == h->sh.loc_fid.n)
		vec_push(&h->sh.loc_fid, st.fid);
	return st;
}

static void frame_words(struct hist *h, const struct location *l, const struct hist_sym *sym,
			u64 *out)
{
	struct hist_keys *keys = h->opts.keys;
	struct key_ctx c = { .keys = keys, .machine = h->opts.machine, .loc = l, .sym = sym };

	for (size_t i = 0, n = 0; i < keys->cols.n; i++)
		if (keys->cols.v[i].def->level == KEY_FRAME)
			out[n++] = keys->cols.v[i].def->word(&c, &keys->cols.v[i]);
}

/* "function file:line"; without a line "function ??:0", or "function +offset" when chains are
 * distinguished by address. */
static const char *line_label(struct hist *h, const struct location *l, const char *function,
			      const struct srcline *call)
{
	struct srcline at = { 0 };
	struct str s = STR_INIT;
	const char *name;

	if (call)
		at = *call;
	else if (l->inl)
		at = l->inl->at;
	else if (l->dso)
		dso_srcline(l->dso, l->rva, &at);
	str_add(&s, function);
	if (at.file) {
		str_addch(&s, ' ');
		srcline_add_short(&s, &at);
	} else if (h->opts.chain_key == CHAIN_KEY_SRCLINE) {
		str_add(&s, " ??:0");
	} else if (l->sym) {
		str_addf(&s, " +%llu",
			 (unsigned long long)(l->rva + l->back - l->sym->start_rva));
	}
	name = intern_str(h->sh.names, str_cstr(&s));
	str_release(&s);
	return name;
}

/* A frame of a file without a symbol for it, in chains: "file+0xstart" of the function that the
 * unwind tables know there, else of the address itself. So chains of several processes meet,
 * wherever each had the file. NULL: no file. */
static const char *place_label(struct hist *h, const struct location *l)
{
	struct str s = STR_INIT;
	u64 start = l->rva + l->back;
	const char *name;

	if (!l->dso || l->dso->kind != DSO_FILE)
		return NULL;
	if (h->opts.chain_key != CHAIN_KEY_ADDRESS)
		dso_function_start(l->dso, l->rva, &start);
	str_addf(&s, "%s+0x%llx", l->dso->short_name, (unsigned long long)start);
	name = intern_str(h->sh.names, str_cstr(&s));
	str_release(&s);
	return name;
}

/* call: where the function went on into an inlined one, or NULL. */
static struct step make_step(struct hist *h, const struct location *l, const struct srcline *call)
{
	enum chain_key ck = h->opts.chain_key;
	const char *inl = l->inl ? intern_str(h->sh.names, l->inl->name ? l->inl->name : "??") :
		NULL;
	const char *name = inl ? inl : !l->sym ? NULL : hist_is_jit(l->dso) ?
		intern_str(h->sh.names, l->sym->name) : l->sym->name;
	const struct hist_sym *row, *chain;
	u64 words[MAX_KEYS];

	if (l->broken)
		name = intern_str(h->sh.names, frame_label(l));
	const char *line = h->opts.callgraph && name && ck != CHAIN_KEY_FUNCTION ?
		line_label(h, l, name, call) : NULL;
	const char *place = h->opts.callgraph && !name ? place_label(h, l) : NULL;
	struct step st;

	pthread_mutex_lock(&h->sh.lock);
	row = chain = sym_intern(&h->sh, l, name, inl, 0);
	if (h->opts.callgraph) {
		struct location key = *l;

		key.sym = NULL;
		if (line) {
			chain = sym_intern(&h->sh, &key, line, inl, ck == CHAIN_KEY_ADDRESS ?
					   l->rva + 1 : 1);
		} else if (place) {
			chain = sym_intern(&h->sh, &key, place, NULL, 0);
		} else if (!name) {
			/* an unmapped frame has no rva */
			chain = sym_intern(&h->sh, l, name, inl, l->dso ? l->rva : l->va);
			if (!chain->va || l->va < chain->va)
				((struct hist_sym *)chain)->va = l->va;
		}
	}
	pthread_mutex_unlock(&h->sh.lock);
	frame_words(h, l, row, words);
	pthread_mutex_lock(&h->sh.lock);
	st = loc_intern(h, chain, words);
	pthread_mutex_unlock(&h->sh.lock);
	return st;
}

static bool parent_matches(const struct hist *h, const char *name)
{
	const regex_t *re = h->opts.keys->parent_re;

	return re && name && !regexec(re, name, 0, NULL, 0);
}

static void expand(struct worker *w, const struct location *l, bool leaf, struct addr_slot *out)
{
	struct hist *h = w->hist;
	struct addr_cache *cache = leaf ? &w->known.leaves : &w->known.addrs;
	const struct inline_frame *inl = NULL;
	struct location part = *l;
	size_t n = 0;

	out->first = (u32)cache->steps.n;
	out->cpumode = l->cpumode;
	part.inl = NULL;
	if (!leaf && !h->opts.no_inline && l->dso && l->sym && hist_level(l->cpumode) == '.')
		n = h->want_lines ? dso_inlines(l->dso, l->rva, &inl) :
			dso_inline_names(l->dso, l->rva, &inl);
	/* the last one is the function itself */
	vec_push(&cache->steps, make_step(h, &part, n > 1 ? &inl[n - 1].at : NULL));
	out->n = 1;
	out->parent = l->sym && parent_matches(h, l->sym->name);
	out->cut = h->have_ignore && l->sym && !regexec(&h->ignore_re, l->sym->name, 0, NULL, 0);
	if (n > MAX_INLINED)
		n = MAX_INLINED;
	for (size_t i = n; i-- > 1;) {
		part.inl = &inl[i - 1];
		part.inline_depth = (u32)(n - i);
		vec_push(&cache->steps, make_step(h, &part, NULL));
		out->n++;
	}
	if (out->n == 1)
		out->one = vec_pop(&cache->steps);
}

static size_t addr_hash(const void *dso, u64 rva)
{
	return hash_mul(rva ^ (uintptr_t)dso << 7);
}

static void addr_grow(struct addr_cache *c)
{
	size_t old = c->slots ? c->mask + 1 : 0;
	struct addr_slot *slots = c->slots;

	c->mask = old ? old * 2 - 1 : 1023;
	c->slots = xtable(c->mask + 1, sizeof(*c->slots));
	for (size_t i = 0; i < old; i++) {
		size_t j = addr_hash(slots[i].dso, slots[i].rva) & c->mask;

		if (!slots[i].n)
			continue;
		while (c->slots[j].n)
			j = (j + 1) & c->mask;
		c->slots[j] = slots[i];
	}
	free(slots);
}

static inline const void *addr_dso(const struct location *l)
{
	return l->dso ? (const void *)l->dso :
		(const void *)(uintptr_t)(l->cpumode + 1 + 256 * l->broken);
}

/* A caller and what is in its last byte are two. */
static inline u64 addr_rva(const struct location *l)
{
	return l->dso ? l->rva | (u64)l->back << 63 : l->va;
}

void addr_fetch(const struct worker *w, const struct location *l)
{
	const struct addr_cache *c = &w->known.addrs;

	if (c->slots)
		__builtin_prefetch(&c->slots[addr_hash(addr_dso(l), addr_rva(l)) & c->mask]);
}

const struct addr_slot *addr_lookup(struct worker *w, const struct location *l, bool leaf)
{
	struct addr_cache *c = leaf ? &w->known.leaves : &w->known.addrs;
	const void *dso = addr_dso(l);
	u64 rva = addr_rva(l);
	struct addr_slot *slot;
	size_t i;

	if (!c->slots || c->n >= (c->mask + 1) / 3 * 2)
		addr_grow(c);
	for (i = addr_hash(dso, rva) & c->mask; c->slots[i].n; i = (i + 1) & c->mask)
		if (c->slots[i].rva == rva && c->slots[i].dso == dso)
			return &c->slots[i];
	slot = &c->slots[i];
	slot->dso = dso;
	slot->rva = rva;
	expand(w, l, leaf, slot);
	c->n++;
	return slot;
}

const char *hist_loc_name(const struct hist_sym *s)
{
	return s->name ? s->name : "[unknown]";
}

const char *hist_loc_dso(const struct hist_sym *s)
{
	return s->dso ? s->dso->short_name : "[unknown]";
}
