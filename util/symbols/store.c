// SPDX-License-Identifier: GPL-2.0-or-later
// The store of dsos: their identity, and what the recording says of them.
#include "util/symbols/dso.h"

#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/symbols/buildid-cache.h"
#include "util/symbols/debuginfod.h"
#include "util/symbols/dso-priv.h"
#include "util/symbols/embedded-priv.h"

/* What other users put into their caches is not taken for the symbols of what root looks at. */
static void choose_cache(struct dso_store *s)
{
	char *dir = buildid_cache_default_dir();
	struct err err = ERR_INIT;

	if (dir && buildid_cache_check(dir, &err)) {
		s->cache_reason = xasprintf("%s\nHint: %s", err.msg, err.hint);
		free(dir);
		dir = NULL;
	}
	s->cache_dir = dir;
	err_release(&err);
}

const char *dso_store_cache_reason(const struct dso_store *s)
{
	return s->cache_reason;
}

struct dso_store *dso_store_new(const struct os *os, const struct symbols_opts *opts)
{
	struct dso_store *s = xnew(struct dso_store);

	s->os = os;
	s->opts = opts;
	if (opts->buildid_dir)
		s->cache_dir = opts->buildid_dir[0] ? xstrdup(opts->buildid_dir) : NULL;
	else if (!os->fake)
		choose_cache(s);
	s->names = intern_new();
	s->fetcher = fetcher_new(opts);
	pthread_mutex_init(&s->lock, NULL);
	pthread_mutex_init(&s->kallsyms_lock, NULL);
	return s;
}

static void priv_free(struct dso_priv *p)
{
	symtab_release(&p->tab);
	arena_release(&p->demangled);
	str_release(&p->reason);
	cfi_table_free(p->unwind.table);
	lines_free(p->lines[0].lines);
	lines_free(p->lines[1].lines);
	if (p->has_main)
		elf_close(&p->main);
	if (p->has_debug)
		elf_close(&p->debug);
	free(p->file);
	free(p->kernel.reloc_name);
	vec_free(&p->kernel.variables);
	vec_free(&p->pids);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

void dso_store_free(struct dso_store *s)
{
	if (!s)
		return;
	for vec_each(d, &s->all) {
		priv_free((*d)->priv);
		free(*d);
	}
	vec_free(&s->all);
	vec_free(&s->spare);
	hmap_release(&s->by_key);
	for strmap_each(i, &s->ids)
		free(s->ids.vals[i]);
	strmap_release(&s->ids);
	intern_free(s->names);
	fetcher_free(s->fetcher);
	embedded_free(s->embedded);
	free(s->cache_dir);
	free(s->cache_reason);
	str_release(&s->kallsyms.text);
	vec_free(&s->kallsyms.syms);
	free(s->kallsyms.reason);
	if (s->has_kcore)
		elf_close(&s->kcore);
	pthread_mutex_destroy(&s->lock);
	pthread_mutex_destroy(&s->kallsyms_lock);
	free(s);
}

static u64 key_hash(const struct dso_key *k)
{
	u64 h = hash_str(k->path);

	h = hash_u64(h ^ (u64)k->kind << 56 ^ k->ino ^ (u64)k->maj << 40 ^ (u64)k->min << 20) ^
		     k->ino_generation;
	if (k->kind == DSO_PERF_MAP || k->kind == DSO_ANON || k->kind == DSO_JIT)
		h ^= hash_u64(k->pid);
	h = hash_bytes(k->id.bytes, MIN(k->id.n, sizeof(k->id.bytes)), h);
	return h ? h : 1;
}

static bool key_is(const struct dso *d, const struct dso_key *k, const struct build_id *recorded_id)
{
	bool by_pid = k->kind == DSO_PERF_MAP || k->kind == DSO_ANON || k->kind == DSO_JIT;

	return d->kind == k->kind && !strcmp(d->path, k->path) && d->maj == k->maj &&
		d->min == k->min && d->ino == k->ino &&
	       d->ino_generation == k->ino_generation && (!by_pid || d->pid == k->pid) &&
	       build_id_equal(recorded_id, &k->id);
}

/* What the hash was made of, apart from the fields that later findings change. */
struct dso_entry {
	struct dso d;
	struct build_id key_id;
	struct dso_entry *next;
	u64 hash;
	bool spare;
};

static const char *last_component(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (path[0] == '[' || !slash || !slash[1])
		return path;
	return slash + 1;
}

/* What tables show: the file's name; a module is "[name]". */
static const char *short_name(struct dso_store *s, const struct dso_key *k)
{
	const char *base = last_component(k->path), *dot = strstr(base, ".ko");
	struct str name = STR_INIT;
	const char *out;

	if (k->kind != DSO_MODULE || base[0] == '[' || !dot)
		return intern_str(s->names, base);
	str_addch(&name, '[');
	for (; base < dot; base++)
		str_addch(&name, *base == '-' ? '_' : *base);
	str_addch(&name, ']');
	out = intern_str(s->names, str_cstr(&name));
	str_release(&name);
	return out;
}

/* A new one, or one that is not needed any more; its index is set. */
static struct dso_entry *new_entry(struct dso_store *s)
{
	struct dso_entry *e;
	int index;

	if (!s->spare.n) {
		e = xnew(struct dso_entry);
		e->d.index = (int)s->all.n;
		vec_push(&s->all, &e->d);
		return e;
	}
	e = (struct dso_entry *)s->spare.v[--s->spare.n];
	index = e->d.index;
	priv_free(e->d.priv);
	*e = (struct dso_entry){ .d.index = index };
	return e;
}

static struct dso *dso_make(struct dso_store *s, const struct dso_key *k)
{
	struct dso_entry *e = new_entry(s);
	struct dso *d = &e->d;

	d->kind = k->kind;
	d->path = intern_str(s->names, k->path);
	d->short_name = short_name(s, k);
	d->id = e->key_id = k->id;
	d->maj = k->maj;
	d->min = k->min;
	d->ino = k->ino;
	d->ino_generation = k->ino_generation;
	d->pid = k->pid;
	d->is64 = true;
	d->priv = xnew(struct dso_priv);
	d->priv->store = s;
	/* a kernel file that the user names is the one to look at */
	if (k->kind != DSO_KERNEL || (!s->opts->kallsyms && !s->opts->vmlinux))
		d->priv->embedded = embedded_of(s->embedded, k);
	pthread_mutex_init(&d->priv->lock, NULL);
	if (!d->id.n) {
		const struct build_id *id = strmap_get(&s->ids, d->path);

		if (id && (d->kind == DSO_FILE || d->kind == DSO_VDSO || d->kind == DSO_MODULE ||
			   d->kind == DSO_PERF_MAP)) {
			d->id = *id;
			d->priv->weak_id = true;
		} else if (d->kind == DSO_KERNEL) {
			d->id = s->kernel_id;
		}
	}
	if (d->kind == DSO_KERNEL && d->id.n)
		s->kernel_id = d->id;
	return d;
}

static void note_pid(struct dso *d, pid_t pid)
{
	int_vec *pids = &d->priv->pids;

	if (pid <= 0 || pids->n >= 16)
		return;
	for (size_t i = 0; i < pids->n; i++)
		if (pids->v[i] == pid)
			return;
	vec_push(pids, pid);
}

struct dso *dso_get(struct dso_store *s, const struct dso_key *key)
{
	u64 h = key_hash(key);

	pthread_mutex_lock(&s->lock);
	struct dso_entry *head = hmap_get(&s->by_key, h), *e = head;

	while (e && !key_is(&e->d, key, &e->key_id))
		e = e->next;
	if (!e) {
		e = (struct dso_entry *)dso_make(s, key);
		e->next = head;
		e->hash = h;
		hmap_put(&s->by_key, h, e);
	}
	note_pid(&e->d, key->pid);
	pthread_mutex_unlock(&s->lock);
	return &e->d;
}

/* Who asked for anything of it may remember it. */
static bool is_unasked(const struct dso_entry *e)
{
	const struct dso_priv *p = e->d.priv;

	return (e->d.kind == DSO_FILE || e->d.kind == DSO_PERF_MAP) && !e->spare && !p->embedded &&
		!atomic_load(&p->symbols_loaded) && !atomic_load(&p->main_tried) &&
		!atomic_load(&p->debug_tried) && !atomic_load(&p->unwind.tried) &&
		!atomic_load(&p->lines[0].tried) && !atomic_load(&p->lines[1].tried);
}

static void forget(struct dso_store *s, struct dso_entry *e)
{
	struct dso_entry *head = hmap_get(&s->by_key, e->hash), *before = head;

	if (head == e && e->next) {
		hmap_put(&s->by_key, e->hash, e->next);
	} else if (head == e) {
		hmap_del(&s->by_key, e->hash);
	} else {
		while (before->next != e)
			before = before->next;
		before->next = e->next;
	}
	e->spare = true;
	vec_push(&s->spare, &e->d);
}

void dso_store_reuse(struct dso_store *s, const bool *used, size_t n)
{
	pthread_mutex_lock(&s->lock);
	for (size_t i = 0; i < n && i < s->all.n; i++) {
		struct dso_entry *e = (struct dso_entry *)s->all.v[i];

		if (!used[i] && is_unasked(e))
			forget(s, e);
	}
	pthread_mutex_unlock(&s->lock);
}

size_t dso_count(const struct dso_store *s)
{
	return s->all.n;
}

struct dso *dso_at(const struct dso_store *s, size_t i)
{
	return s->all.v[i];
}

/* Entries of modules have the kernel's mode, too. */
static bool is_module_path(const char *path)
{
	const char *slash = strrchr(path, '/'), *ko = strstr(slash ? slash : path, ".ko");

	if (path[0] == '[')
		return !str_has_prefix(path, "[kernel.") && !str_has_prefix(path, "[guest.kernel.");
	return ko && (!ko[3] || ko[3] == '.');
}

void dso_store_set_machine(struct dso_store *s, const char *host, const char *release)
{
	atomic_store(&s->host, host ? intern_str(s->names, host) : NULL);
	atomic_store(&s->is_this_machine, os_is_running(s->os, host, release));
}

void dso_store_set_this_machine(struct dso_store *s)
{
	atomic_store(&s->is_this_machine, true);
}

/* The same release may be another build of it. */
bool store_is_this_machine(const struct dso_store *s)
{
	struct build_id now;

	if (s->opts->live)
		return true;
	return atomic_load(&s->is_this_machine) &&
		(!s->kernel_id.n || build_id_of_kernel(s->os, &now, NULL) ||
		 build_id_equal(&s->kernel_id, &now));
}

void dso_store_set_build_id(struct dso_store *s, const char *path, bool in_kernel,
			    const struct build_id *id)
{
	const bool kernel = in_kernel && !is_module_path(path);

	pthread_mutex_lock(&s->lock);
	free(strmap_del(&s->ids, path));
	strmap_put(&s->ids, path, xmemdup(id, sizeof(*id)));
	if (kernel)
		s->kernel_id = *id;
	for vec_each(it, &s->all) {
		struct dso *d = *it;

		if (d->id.n || !(kernel ? d->kind == DSO_KERNEL : !strcmp(d->path, path)))
			continue;
		d->id = *id;
		d->priv->weak_id = !kernel;
	}
	pthread_mutex_unlock(&s->lock);
}

u64 dso_store_unopened(const struct dso_store *s)
{
	return atomic_load_explicit(&s->n_unopened, memory_order_relaxed);
}

void dso_add_reason(struct dso *d, const char *fmt, ...)
{
	struct str text = STR_INIT, *reason = &d->priv->reason;
	va_list ap;

	va_start(ap, fmt);
	str_addv(&text, fmt, ap);
	va_end(ap);
	if (!reason->len || !strstr(str_cstr(reason), str_cstr(&text))) {
		if (reason->len)
			str_add(reason, "; ");
		str_add(reason, str_cstr(&text));
	}
	str_release(&text);
}

void dso_add_trouble(struct dso *d, int ret)
{
	d->priv->troubles |= ret == -EACCES ? DSO_NO_ACCESS :
			     ret == -EBADMSG || ret == -EFBIG ? DSO_DAMAGED : 0;
}

void dso_reset_reasons(struct dso *d)
{
	str_reset(&d->priv->reason);
	d->priv->troubles = 0;
}

void dso_set_kernel_reloc(struct dso *d, u64 recorded_ref_va, const char *ref_name)
{
	pthread_mutex_lock(&d->priv->lock);
	d->priv->kernel.reloc_va = recorded_ref_va;
	free(d->priv->kernel.reloc_name);
	d->priv->kernel.reloc_name = xstrdup(ref_name);
	pthread_mutex_unlock(&d->priv->lock);
}

u64 dso_set_module_reloc(struct dso *d, u64 start_va)
{
	u64 first;

	pthread_mutex_lock(&d->priv->lock);
	if (!d->priv->kernel.reloc_va)
		d->priv->kernel.reloc_va = start_va;
	first = d->priv->kernel.reloc_va;
	pthread_mutex_unlock(&d->priv->lock);
	return first;
}

u64 dso_set_module_init(struct dso *d, u64 start_va, u64 bytes)
{
	struct dso_priv *p = d->priv;
	u64 first;

	pthread_mutex_lock(&p->lock);
	if (!p->kernel.init_va)
		p->kernel.init_va = start_va;
	p->kernel.init_bytes = MAX(p->kernel.init_bytes, bytes);
	first = p->kernel.init_va;
	pthread_mutex_unlock(&p->lock);
	return first;
}

void dso_add_symbol(struct dso *d, u64 start_rva, u64 end_rva, const char *name)
{
	pthread_mutex_lock(&d->priv->lock);
	if (!atomic_load_explicit(&d->priv->symbols_loaded, memory_order_relaxed))
		symtab_add(&d->priv->tab, start_rva, end_rva,
			   intern_str(d->priv->store->names, name), STB_GLOBAL, STT_FUNC);
	pthread_mutex_unlock(&d->priv->lock);
}
