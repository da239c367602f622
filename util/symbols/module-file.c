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

/* The kernel lays the executable sections out in file order, .init ones apart (.exit ones too,
 * where modules cannot go). */
void module_file_place(struct elf *e, u64 core_va, u64 init_va)
{
	for (u32 i = 0; i < e->n_secs; i++) {
		struct elf_sec *s = &e->secs[i];
		u64 *at_va = is_init(s) ? &init_va : &core_va;

		s->addr = 0;
		if (is_code(s) && *at_va)
			place(s, at_va);
		else
			s->flags &= ~(u64)SHF_ALLOC;
	}
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
		module_file_place(&e, d->priv->kernel.reloc_va, d->priv->kernel.init_va);
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
		module_file_place(&e, p->kernel.reloc_va, p->kernel.init_va);
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
	module_file_place(&e, 0, INIT_BASE);
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
