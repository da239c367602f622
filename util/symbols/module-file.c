// SPDX-License-Identifier: GPL-2.0-or-later
// Files of kernel modules: unpacked, and laid out where the recording had the module.
#include <stdlib.h>
#include <string.h>

#include "util/base/io.h"
#include "util/base/xalloc.h"
#include "util/symbols/dso-priv.h"
#include "util/symbols/module-file.h"

/* where init code is laid out when only its offsets are asked for; any page */
#define INIT_BASE (1ULL << 40)
/* The uppermost 2 GB of x86-64; behind the page of vsyscall nothing ever is there (the kernel's
 * Documentation/arch/x86/x86_64/mm.rst). */
#define X86_MODULES_FROM 0xffffffff80000000ULL
#define X86_UNUSED 0xffffffffff700000ULL
#define DATA_DISTANCE (1ULL << 29)

/* Opens .ko, .ko.xz, .ko.zst, .ko.gz. */
int module_file_open(struct elf *e, const char *path, struct err *err)
{
	static const struct { const char *suffix;
			      int (*unpack)(const void *, size_t, u8 **, size_t *); } packings[] = {
		{ ".xz", inflate_xz }, { ".zst", inflate_zst }, { ".gz", inflate_gz },
	};
	struct str packed = STR_INIT;
	u8 *mem;
	size_t n;
	int ret;

	for (size_t i = 0; i < ARRAY_SIZE(packings); i++) {
		if (!str_has_suffix(path, packings[i].suffix))
			continue;
		ret = io_read_file(path, 256u << 20, &packed, err);
		if (!ret && packings[i].unpack(packed.buf, packed.len, &mem, &n))
			ret = err_set(err, EINVAL, "cannot unpack '%s'", path);
		str_release(&packed);
		return ret ? ret : elf_open_mem(e, mem, n, path, err);
	}
	return elf_open(e, path, err);
}

static bool is_code(const struct elf_sec *s)
{
	return s->flags & SHF_ALLOC && s->flags & SHF_EXECINSTR;
}

static bool is_data(const struct elf_sec *s)
{
	return s->flags & SHF_ALLOC && !(s->flags & SHF_EXECINSTR);
}

static bool is_init(const struct elf_sec *s)
{
	return str_has_prefix(s->name, ".init");
}

static void place(struct elf_sec *s, u64 *at_va)
{
	const u64 align = s->align ? s->align : 1;

	s->addr = (*at_va + align - 1) & ~(align - 1);
	*at_va = s->addr + s->size;
}

/* Where data lay of which nothing is known but what code of the file says of them: any place that
 * displacements reach. */
static u64 data_place(const struct elf *e, u64 core_end_va)
{
	const u64 page = 4096;

	if (e->machine == EM_X86_64 && core_end_va >= X86_MODULES_FROM)
		return X86_UNUSED;
	return ((core_end_va + page - 1) & ~(page - 1)) + DATA_DISTANCE;
}

/* The kernel lays the executable sections out in file order, .init ones apart (.exit ones too,
 * where modules cannot go). */
void module_file_place(struct elf *e, const struct dso_kernel_place *at)
{
	u64 core_va = at->reloc_va, init_va = at->init_va, data_va;

	for (u32 i = 0; i < e->n_secs; i++) {
		struct elf_sec *s = &e->secs[i];
		u64 *at_va = is_init(s) ? &init_va : &core_va;

		s->addr = 0;
		if (is_code(s) && *at_va)
			place(s, at_va);
		else if (is_code(s) || !core_va)
			s->flags &= ~(u64)SHF_ALLOC;
	}
	data_va = data_place(e, core_va);
	for (u32 i = 0; i < e->n_secs; i++)
		if (is_data(&e->secs[i]))
			place(&e->secs[i], &data_va);
	module_file_place_variables(e, at);
}

/* --- the places of data, by the names of what lies there */

/* A name that two things have says of neither where it is. */
struct known_place { u64 va; unsigned n_there, n_here; };
struct moving { struct elf *e; struct strmap places; };

static struct elf_sec *data_of(struct elf *e, const struct elf_symbol *s)
{
	struct elf_sec *sec = s->shndx < e->n_secs ? &e->secs[s->shndx] : NULL;

	return sec && is_data(sec) && s->type <= STT_OBJECT ? sec : NULL;
}

static int count_here(void *ctx, const struct elf_symbol *s)
{
	struct moving *m = ctx;
	struct known_place *p = data_of(m->e, s) ? strmap_get(&m->places, s->name) : NULL;

	if (p)
		p->n_here++;
	return 0;
}

static int move_section(void *ctx, const struct elf_symbol *s)
{
	struct moving *m = ctx;
	struct elf_sec *sec = data_of(m->e, s);
	const struct known_place *p = sec ? strmap_get(&m->places, s->name) : NULL;

	if (p && p->n_here == 1 && p->n_there == 1)
		sec->addr = p->va - s->value;
	return 0;
}

void module_file_place_variables(struct elf *e, const struct dso_kernel_place *at)
{
	struct known_place *places = xcalloc(at->variables.n + 1, sizeof(*places));
	struct moving m = { .e = e };
	struct elf_sec *symtab = elf_find_type(e, SHT_SYMTAB);

	for (size_t i = 0; i < at->variables.n && at->reloc_va; i++) {
		const struct kernel_symbol *k = &at->variables.v[i];
		struct known_place *p = strmap_get(&m.places, k->name);

		if (!p) {
			p = &places[i];
			p->va = k->va;
			strmap_put(&m.places, k->name, p);
		}
		p->n_there++;
	}
	if (m.places.n && symtab && !elf_each_symbol(e, symtab, count_here, &m))
		elf_each_symbol(e, symtab, move_section, &m);
	strmap_release(&m.places);
	free(places);
}

/* --- its bytes */

static void relocate_code(struct elf *e)
{
	for (u32 i = 0; i < e->n_secs; i++) {
		struct elf_sec *s = &e->secs[i];

		if (s->addr && is_code(s) && s->type == SHT_PROGBITS && elf_data(e, s).len)
			elf_relocate(e, i, s->data, s->data_bytes);
	}
}

size_t module_file_read(struct dso *d, u64 va, void *buf, size_t n)
{
	struct dso_priv *p = d->priv;
	const struct elf *e = &p->main;

	if (!atomic_load_explicit(&p->kernel.relocated, memory_order_acquire)) {
		pthread_mutex_lock(&p->lock);
		if (!atomic_load_explicit(&p->kernel.relocated, memory_order_relaxed)) {
			relocate_code(&p->main);
			atomic_store_explicit(&p->kernel.relocated, true, memory_order_release);
		}
		pthread_mutex_unlock(&p->lock);
	}
	for (u32 i = 0; i < e->n_secs; i++) {
		const struct elf_sec *s = &e->secs[i];

		if (!s->addr || !is_code(s) || va < s->addr || va - s->addr >= s->data_bytes)
			continue;
		n = MIN((u64)n, s->data_bytes - (va - s->addr));
		memcpy(buf, s->data + (va - s->addr), n);
		return n;
	}
	return 0;
}

static bool is_that_module(struct elf *e, const struct build_id *want)
{
	struct build_id id;

	return elf_build_id(e, &id) && build_id_equal(&id, want);
}

int module_file_load(struct dso *d, const char *path, struct symtab *t)
{
	struct err err = ERR_INIT;
	struct elf e;
	int ret = module_file_open(&e, path, &err);

	if (ret) {
		dso_add_reason(d, "%s", err.msg);
		err_release(&err);
		return ret;
	}
	if (d->id.n && !is_that_module(&e, &d->id)) {
		dso_add_reason(d, "'%s' has another build-id than the recorded module", path);
		ret = -ESTALE;
	} else {
		module_file_place(&e, &d->priv->kernel);
		t->labels_count = true;
		ret = elf_load_symbols(&e, &e, t);
		if (!ret && !d->priv->file)
			d->priv->file = xstrdup(path);
		if (!ret)
			dso_reset_reasons(d);
	}
	if (!ret)
		module_file_keep(d, &e);
	elf_close(&e);
	return ret;
}

void module_file_keep(struct dso *d, struct elf *e)
{
	if (d->priv->has_main)
		return;
	d->priv->main = *e;		/* its code and lines are asked for, too */
	d->priv->has_main = true;
	atomic_store_explicit(&d->priv->main_tried, true, memory_order_release);
	*e = (struct elf){ .fd = -1 };
}

bool module_file_init(struct dso *d, const char *path, struct symtab *t, struct elf *out)
{
	struct dso_priv *p = d->priv;
	struct symtab own = { 0 };
	const size_t before = t->n;
	struct elf e;

	if (module_file_open(&e, path, NULL))
		return false;
	if (is_that_module(&e, &d->id)) {
		module_file_place(&e, &p->kernel);
		own.labels_count = true;
		elf_load_symbols(&e, &e, &own);
	}
	for (size_t i = 0; i < own.n; i++) {
		const struct symbol *s = &own.sym[i];

		if (s->start_rva - p->kernel.init_va < p->kernel.init_bytes)
			symtab_add(t, s->start_rva, s->end_rva,
				   arena_strdup(&p->demangled, s->mangled), s->binding, s->type);
	}
	symtab_release(&own);
	if (t->n == before)
		elf_close(&e);
	else
		*out = e;
	return t->n > before;
}

void module_init_release(struct module_init *mi)
{
	for vec_each(f, &mi->functions)
		free(f->name);
	vec_free(&mi->functions);
	mi->bytes = 0;
}

static u64 init_layout_bytes(struct elf *e)
{
	u64 end_va = INIT_BASE;

	for (u32 i = 0; i < e->n_secs; i++)
		if (is_code(&e->secs[i]) && is_init(&e->secs[i]))
			place(&e->secs[i], &end_va);
	return end_va - INIT_BASE;
}

int module_init_read(const char *path, const struct build_id *id, struct module_init *mi)
{
	const struct dso_kernel_place nowhere = { .init_va = INIT_BASE };
	struct symtab t = { 0 };
	struct elf e;
	int ret = module_file_open(&e, path, NULL);

	*mi = (struct module_init){ .bytes = 0 };
	if (ret)
		return ret;
	if (id->n && !is_that_module(&e, id)) {
		elf_close(&e);
		return -ESTALE;
	}
	mi->bytes = init_layout_bytes(&e);
	module_file_place(&e, &nowhere);
	elf_load_symbols(&e, &e, &t);
	for (size_t i = 0; i < t.n; i++) {
		const struct symbol *s = &t.sym[i];

		if (s->type != STT_FUNC || s->start_rva < INIT_BASE ||
		    s->end_rva - INIT_BASE > mi->bytes)
			continue;
		vec_push(&mi->functions, ((struct module_function){ xstrdup(s->mangled),
								    s->start_rva - INIT_BASE,
								    s->end_rva - s->start_rva }));
	}
	symtab_release(&t);
	elf_close(&e);
	return 0;
}
