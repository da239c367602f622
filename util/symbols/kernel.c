// SPDX-License-Identifier: GPL-2.0-or-later
// Symbols of the kernel and its modules. rva is the run-time address of the recording: each
// source is moved there (KASLR).
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util/base/io.h"
#include "util/base/num.h"
#include "util/base/xalloc.h"
#include "util/elf/symfs.h"
#include "util/os/kernel.h"
#include "util/symbols/debuginfod.h"
#include "util/symbols/dso-priv.h"
#include "util/symbols/kallsyms.h"

#define MAX_KALLSYMS_BYTES (512u << 20)

static bool is_absolute(char type) { return type == 'a' || type == 'A'; }

static int collect(void *ctx, const struct kallsym *k)
{
	struct kallsyms_text *t = ctx;

	/* unresolved ones are no places, and absolute ones are in modules alone, which have their
	 * variables of each CPU so; $x and .L are marks */
	if (strchr("uU", k->type) || (is_absolute(k->type) && !k->module) || k->name[0] == '$' ||
	    (k->name[0] == '.' && k->name[1] == 'L'))
		return 0;
	vec_push(&t->syms, ((struct kernel_symbol){ k->va, k->name, k->module, k->type }));
	return 0;
}

/* Parses what text holds. Addresses are all 0 for those who may not know them: hint is what
 * helps, NULL where it is a copy. */
static int parse_kallsyms(struct kallsyms_text *t, const char *path, const char *hint)
{
	bool any = false;

	vec_reserve(&t->syms, t->text.len / 40);
	str_addch(&t->text, '\0');
	kallsyms_parse(t->text.buf, t->text.len - 1, collect, t, NULL);
	for (size_t i = 0; i < t->syms.n && !any; i++)
		any = t->syms.v[i].va != 0;
	if (any)
		return 0;
	vec_clear(&t->syms);
	if (hint)
		t->reason = xasprintf(t->text.len > 1 ? "'%s' shows all addresses as 0 (%s)" :
				      "'%s' is empty", path, hint);
	else
		t->reason = xasprintf(t->text.len > 1 ? "'%s' shows all addresses as 0" :
				      "'%s' is empty", path);
	return -EACCES;
}

static void parse_running(struct kallsyms_text *t, const struct os *os)
{
	char *hint = os_addresses_hint(os);

	parse_kallsyms(t, OS_KALLSYMS, hint);
	free(hint);
}

/* Under the lock. */
static void read_running(struct dso_store *s)
{
	struct kallsyms_text *t = &s->kallsyms;
	struct err err = ERR_INIT;

	if (os_read_kallsyms(s->os, &t->text, &err))
		t->reason = xstrdup(err.msg);
	else
		parse_running(t, s->os);
	t->tried = true;
	err_release(&err);
}

static const struct kallsyms_text *running_kallsyms(struct dso_store *s)
{
	pthread_mutex_lock(&s->kallsyms_lock);
	if (!s->kallsyms.tried)
		read_running(s);
	pthread_mutex_unlock(&s->kallsyms_lock);
	return &s->kallsyms;
}

/* Once the kernel's own table is made, only the symbols of modules may still be asked for. Under
 * the lock. */
static void keep_modules(struct kallsyms_text *t)
{
	struct str text = STR_INIT;
	size_t n = 0, bytes = 0;

	for (size_t i = 0; i < t->syms.n; i++)
		if (t->syms.v[i].module)
			bytes += strlen(t->syms.v[i].name) + strlen(t->syms.v[i].module) + 2;
	str_reserve(&text, bytes);	/* it must not move: names point into it */
	for (size_t i = 0; i < t->syms.n; i++) {
		struct kernel_symbol k = t->syms.v[i];

		if (!k.module)
			continue;
		const char *name = text.buf + text.len;

		str_addn(&text, k.name, strlen(k.name) + 1);
		const char *module = text.buf + text.len;

		str_addn(&text, k.module, strlen(k.module) + 1);
		k.name = name;
		k.module = module;
		t->syms.v[n++] = k;
	}
	t->syms.n = n;
	t->syms.v = xreallocarray(t->syms.v, n + 1, sizeof(*t->syms.v));
	t->syms.cap = n + 1;
	str_release(&t->text);
	t->text = text;
	t->trimmed = true;
}

static void kallsyms_text_release(struct kallsyms_text *t)
{
	str_release(&t->text);
	vec_free(&t->syms);
	free(t->reason);
}

/* What has come since it was read is in it then. Under the lock. */
static void read_again(struct dso_store *s)
{
	const bool trimmed = s->kallsyms.trimmed;

	kallsyms_text_release(&s->kallsyms);
	s->kallsyms = (struct kallsyms_text){ .tried = false };
	read_running(s);
	if (trimmed)
		keep_modules(&s->kallsyms);
}

/* "/lib/modules/.../nf-tables.ko.xz" or "[nf_tables]" -> "nf_tables"; the caller frees. */
static char *module_name(const struct dso *d)
{
	const char *from = d->short_name[0] == '[' ? d->short_name + 1 : d->short_name;
	size_t n = strcspn(from, d->short_name[0] == '[' ? "]" : ".");
	char *name = xstrndup(from, n);

	for (char *p = name; *p; p++)
		if (*p == '-')
			*p = '_';
	return name;
}

/* A module with the build-id of the one that is loaded now. */
static bool is_loaded_module(struct dso_store *s, const struct dso *d)
{
	char *name = d->kind == DSO_MODULE && d->id.n ? module_name(d) : NULL;
	struct build_id now;
	bool ok = name && build_id_of_module(s->os, name, &now, NULL) == 0 &&
		build_id_equal(&d->id, &now);

	free(name);
	return ok;
}

static void add_other_kernel(struct str *reason, const struct build_id *want,
			     const struct build_id *now)
{
	str_add(reason, "recorded on another kernel (build-id ");
	build_id_add(reason, want);
	str_add(reason, ", this one has ");
	build_id_add(reason, now);
	str_add(reason, "), so /proc/kallsyms does not apply");
}

/* Recorded on this very machine's kernel? Only a build-id proves it, or a live session: kernels
 * without KASLR all lie at one place, and with it there are few. */
bool store_is_running_kernel(struct dso_store *s, const struct dso *d, struct str *reason)
{
	const struct build_id *want = d->kind == DSO_KERNEL && d->id.n ? &d->id : &s->kernel_id;
	struct build_id now;
	const bool have = build_id_of_kernel(s->os, &now, NULL) == 0;

	if (want->n ? have && build_id_equal(want, &now) : s->opts->live || is_loaded_module(s, d))
		return true;
	if (!reason)
		return false;
	if (want->n && have)
		add_other_kernel(reason, want, &now);
	else if (want->n)
		str_add(reason, "the running kernel's build-id cannot be read from /sys/kernel/"
				"notes");
	else
		str_add(reason, "the recording does not say which kernel it ran on (it has no "
				"build-id of it); if that was this one, "
			"--kallsyms /proc/kallsyms names its functions");
	return false;
}

static u8 binding_of(char type)
{
	return type == 'w' || type == 'W' || type == 'v' || type == 'V' ? STB_WEAK :
	       type >= 'a' && type != 'u' ? STB_LOCAL : STB_GLOBAL;
}

static u8 type_of(char type)
{
	return strchr("tTwWiI", type) ? STT_FUNC : STT_OBJECT;
}

/* Symbols of one module (NULL: the kernel), moved by delta. The last one of them must not reach
 * into where init code lay. */
static void add_kallsyms(const struct kallsyms_text *text, const char *module, u64 delta,
			 u64 init_va, struct symtab *t)
{
	if (!module)
		symtab_reserve(t, text->syms.n);
	for (size_t i = 0; i < text->syms.n; i++) {
		const struct kernel_symbol *k = &text->syms.v[i];
		const u64 va = k->va + delta;

		if (is_absolute(k->type))
			continue;
		if (module ? k->module && !strcmp(k->module, module) : !k->module)
			symtab_add_upto(t, va, va < init_va ? init_va : 0, k->name,
					binding_of(k->type), type_of(k->type));
	}
}

/* Where the module had its variables. Names are kept as long as d is. */
static void add_variables(const struct kallsyms_text *text, const char *module, struct dso *d)
{
	struct dso_priv *p = d->priv;

	vec_clear(&p->kernel.variables);
	for (size_t i = 0; i < text->syms.n; i++) {
		struct kernel_symbol k = text->syms.v[i];

		if (!k.module || strcmp(k.module, module) || !strchr("aAdDbBrRgGsS", k.type))
			continue;
		k.name = arena_strdup(&p->demangled, k.name);
		k.module = NULL;
		vec_push(&p->kernel.variables, k);
	}
}

static u64 kallsyms_delta(const struct kallsyms_text *text, const struct dso *d)
{
	const struct dso_priv *p = d->priv;

	for (size_t i = 0; p->kernel.reloc_name && i < text->syms.n; i++)
		if (!text->syms.v[i].module && !strcmp(text->syms.v[i].name, p->kernel.reloc_name))
			return p->kernel.reloc_va - text->syms.v[i].va;
	return 0;
}

static int finish(struct dso *d, struct symtab *t, const char *path)
{
	t->last_wins = true;
	symtab_finish(t);
	if (!t->n) {
		dso_add_reason(d, "'%s' has no symbols", path);
		return -ENOENT;
	}
	if (!d->priv->file)
		d->priv->file = xstrdup(path);
	dso_reset_reasons(d);
	return 0;
}

static int load_kallsyms_file(struct dso *d, const char *path, struct symtab *t)
{
	struct kallsyms_text text = { 0 };
	struct err err = ERR_INIT;
	int ret = io_read_file(path, MAX_KALLSYMS_BYTES, &text.text, &err);

	if (ret)
		dso_add_reason(d, "%s", err.msg);
	else if ((ret = parse_kallsyms(&text, path, NULL)))
		dso_add_reason(d, "%s", text.reason);
	else {
		u64 delta = kallsyms_delta(&text, d);

		add_kallsyms(&text, NULL, delta, 0, t);
		ret = finish(d, t, path);
		if (!ret)
			kcore_attach(d, path, delta);
	}
	kallsyms_text_release(&text);
	err_release(&err);
	return ret;
}

/* Where the file has the reference symbol. */
struct ref { const char *name; u64 rva; bool found; };

static int find_ref(void *ctx, const struct elf_symbol *s)
{
	struct ref *r = ctx;

	if (s->shndx == SHN_UNDEF || strcmp(s->name, r->name))
		return 0;
	r->rva = s->value;
	r->found = true;
	return 1;
}

/* How far the recorded kernel lay from where it was linked. */
static u64 vmlinux_delta(const struct dso *d, struct elf *e)
{
	struct ref ref = { .name = d->priv->kernel.reloc_name };

	if (ref.name)
		elf_each_symbol(e, elf_find_type(e, SHT_SYMTAB), find_ref, &ref);
	return ref.found ? d->priv->kernel.reloc_va - ref.rva : 0;
}

static int load_vmlinux(struct dso *d, const char *path, bool given, struct symtab *t)
{
	struct err err = ERR_INIT;
	struct build_id id;
	struct symtab own = { 0 };
	struct elf e;
	u64 delta = 0;
	int ret = elf_open(&e, path, &err);

	note_open(d->priv->store, ret);
	if (ret) {
		if (given || ret != -ENOENT)
			dso_add_reason(d, "%s", err.msg);
		err_release(&err);
		return ret;
	}
	/* no symbols, and no build-id: those of its boot lie beside it */
	if (e.type == ET_CORE) {
		char *kallsyms = kcore_kallsyms(path);

		ret = load_kallsyms_file(d, kallsyms, t);
		free(kallsyms);
		goto out;
	}
	if (d->id.n && (!elf_build_id(&e, &id) || !build_id_equal(&id, &d->id))) {
		dso_add_reason(d, "'%s' has another build-id than the recorded kernel", path);
		ret = -ESTALE;
		goto out;
	}
	if (!elf_has_symtab(&e)) {
		dso_add_reason(d, "'%s' has no symbol table", path);
		ret = -ENOENT;
		goto out;
	}
	delta = vmlinux_delta(d, &e);
	own.labels_count = true;
	elf_load_symbols(&e, &e, &own);
	for (size_t i = 0; i < own.n; i++)
		symtab_add(t, own.sym[i].start_rva + delta, own.sym[i].end_rva + delta,
			   own.sym[i].mangled, own.sym[i].binding, own.sym[i].type);
	ret = finish(d, t, path);
	if (!ret && !d->priv->has_main) {	/* its code and lines are asked for, too */
		d->priv->main = e;
		d->priv->delta = delta;
		d->priv->has_main = true;
		atomic_store_explicit(&d->priv->main_tried, true, memory_order_release);
		e = (struct elf){ .fd = -1 };
	}
out:
	symtab_release(&own);
	elf_close(&e);
	return ret;
}

struct cached { struct dso *d; struct symtab *t; bool same_boot; };

static int find_kallsyms_ref(void *ctx, const struct kallsym *k)
{
	const struct cached *c = ctx;

	return !k->module && !strcmp(k->name, c->d->priv->kernel.reloc_name) &&
		k->va == c->d->priv->kernel.reloc_va;
}

/* Whether the reference symbol lies where it was recorded. */
static bool is_of_that_boot(const struct cached *c, const char *path)
{
	struct str text = STR_INIT;
	bool ok = c->d->priv->kernel.reloc_name &&
		  io_read_file(path, MAX_KALLSYMS_BYTES, &text, NULL) == 0 &&
		  kallsyms_parse(text.buf, text.len, find_kallsyms_ref, (void *)c, NULL) == 1;

	str_release(&text);
	return ok;
}

static int load_kept_kallsyms(void *ctx, const char *path)
{
	struct cached *c = ctx;

	if (c->same_boot && !is_of_that_boot(c, path))
		return -ENOENT;
	return load_kallsyms_file(c->d, path, c->t);
}

static int load_cached(struct dso *d, struct symtab *t)
{
	const char *dir = d->priv->store->cache_dir;
	static const char *const tails[] = { "/kallsyms", "/vmlinux", "/elf" };
	struct cached c = { d, t, true };
	int ret = kcore_each_cached(d->priv->store, &d->id, load_kept_kallsyms, &c);

	c.same_boot = false;
	if (ret)
		ret = kcore_each_cached(d->priv->store, &d->id, load_kept_kallsyms, &c);

	for (size_t i = 0; dir && d->id.n > 1 && ret && i < ARRAY_SIZE(tails); i++) {
		char *path = build_id_path(dir, &d->id, tails[i]);
		struct stat st;

		if (stat(path, &st) == 0)
			ret = i == 0 ? load_kallsyms_file(d, path, t) :
			load_vmlinux(d, path, true, t);
		free(path);
	}
	return ret;
}

/* Only files that prove by their build-id to be the recorded kernel. */
static int load_installed_vmlinux(struct dso *d, struct symtab *t)
{
	static const char *const places[] = {
		"/boot/vmlinux-%s", "/usr/lib/debug/boot/vmlinux-%s",
			"/lib/modules/%s/build/vmlinux",
		"/usr/lib/debug/lib/modules/%s/vmlinux", "/usr/lib/debug/boot/vmlinux-%s.debug",
	};
	const struct symbols_opts *o = d->priv->store->opts;
	struct os_release_text u;
	int ret = -ENOENT;

	if (o->ignore_vmlinux || !d->id.n || !os_kernel_release(d->priv->store->os, &u))
		return ret;
	char *by_id = build_id_path("/usr/lib/debug", &d->id, ".debug");

	ret = load_vmlinux(d, by_id, false, t);
	free(by_id);
	for (size_t i = 0; ret && i < ARRAY_SIZE(places); i++) {
		struct str path = STR_INIT;
		const char *mark = strstr(places[i], "%s");

		str_addn(&path, places[i], mark - places[i]);
		str_add(&path, u.text);
		str_add(&path, mark + 2);
		ret = load_vmlinux(d, str_cstr(&path), false, t);
		str_release(&path);
	}
	return ret;
}

/* A second kernel dso (of a guest, or known with and without its id) reads them again. */
static void restore_kernel(struct dso_store *s)
{
	pthread_mutex_lock(&s->kallsyms_lock);
	if (s->kallsyms.trimmed) {
		kallsyms_text_release(&s->kallsyms);
		s->kallsyms = (struct kallsyms_text){ .tried = false };
	}
	pthread_mutex_unlock(&s->kallsyms_lock);
}

static int load_running(struct dso *d, struct symtab *t)
{
	struct dso_store *s = d->priv->store;
	const struct kallsyms_text *text;
	struct str reason = STR_INIT;
	char *path;
	int ret = -ENOENT;

	restore_kernel(s);
	if (!store_is_running_kernel(s, d, &reason)) {
		dso_add_reason(d, "%s", str_cstr(&reason));
		goto out;
	}
	text = running_kallsyms(s);
	if (text->reason) {
		dso_add_reason(d, "%s", text->reason);
		goto out;
	}
	path = os_path(s->os, OS_KALLSYMS);
	pthread_mutex_lock(&s->kallsyms_lock);
	d->priv->kernel.run_delta = kallsyms_delta(text, d);
	add_kallsyms(text, NULL, d->priv->kernel.run_delta, 0, t);
	ret = finish(d, t, path);
	d->priv->kernel.is_running = !ret;
	if (!ret)
		keep_modules(&s->kallsyms);
	pthread_mutex_unlock(&s->kallsyms_lock);
	free(path);
out:
	str_release(&reason);
	return ret;
}

static bool kernel_probe(const struct dso *d)
{
	return d->kind == DSO_KERNEL;
}

static int kernel_load(struct dso *d, struct symtab *t)
{
	const struct symbols_opts *o = d->priv->store->opts;

	if (o->vmlinux && !o->ignore_vmlinux)
		return load_vmlinux(d, o->vmlinux, true, t);
	if (o->kallsyms)
		return load_kallsyms_file(d, o->kallsyms, t);
	if (!load_running(d, t) || !load_cached(d, t) || !load_installed_vmlinux(d, t))
		return 0;
	return -ENOENT;
}

const struct loader loader_kernel = { "kernel", kernel_probe, kernel_load };

/* --- modules */

static int load_module_kallsyms(struct dso *d, const char *name, struct symtab *t)
{
	struct dso_store *s = d->priv->store;
	struct str reason = STR_INIT;
	u64 now = 0, delta = 0;
	int ret = -ENOENT;

	if (!store_is_running_kernel(s, d, &reason)) {
		dso_add_reason(d, "%s", str_cstr(&reason));
		goto out;
	}
	const struct kallsyms_text *text = running_kallsyms(s);

	if (text->reason) {
		dso_add_reason(d, "%s", text->reason);
		goto out;
	}
	const bool is_there = os_module_loaded(s->os, name, &now);

	if (d->priv->kernel.reloc_va && is_there && now)
		delta = d->priv->kernel.reloc_va - now;
	char *path = os_path(s->os, OS_KALLSYMS);
	const size_t before = t->n;

	pthread_mutex_lock(&s->kallsyms_lock);
	add_kallsyms(text, name, delta, d->priv->kernel.init_va, t);
	if (t->n == before && is_there) {
		read_again(s);
		add_kallsyms(text, name, delta, d->priv->kernel.init_va, t);
	}
	if (t->n > before)
		ret = finish(d, t, path);
	else
		dso_add_reason(d, "module '%s' is not loaded now", name);
	/* those of a module that was unloaded since are not where they were */
	if (!ret && !delta)
		add_variables(text, name, d);
	d->priv->kernel.is_running = !ret;
	d->priv->kernel.run_delta = delta;
	pthread_mutex_unlock(&s->kallsyms_lock);
	free(path);
out:
	str_release(&reason);
	return ret;
}

/* --- files with DWARF */

/* Takes path. id: that it must have. */
static bool try_debug_file(struct dso *d, char *path, const struct build_id *id)
{
	struct dso_priv *p = d->priv;
	struct build_id has;
	struct elf e;
	bool ok = module_file_open(&e, path, NULL) == 0;

	free(path);
	if (!ok)
		return false;
	ok = elf_build_id(&e, &has) && build_id_equal(&has, id) && elf_find(&e, ".debug_info");
	if (!ok) {
		elf_close(&e);
		return false;
	}
	if (d->kind == DSO_MODULE)
		module_file_place(&e, &p->kernel);
	else
		p->debug_delta = vmlinux_delta(d, &e);
	p->debug = e;
	p->has_debug = true;
	return true;
}

static bool try_debug_by_id(struct dso *d, const struct build_id *id)
{
	const struct dso_store *s = d->priv->store;
	const char *dir = s->cache_dir;

	return (dir && (try_debug_file(d, build_id_path(dir, id, "/debug"), id) ||
			try_debug_file(d, build_id_path(dir, id, "/elf"), id) ||
			try_debug_file(d, build_id_path(dir, id, "/vmlinux"), id))) ||
	       (!s->os->fake && try_debug_file(d, build_id_path("/usr/lib/debug", id, ".debug"),
					       id));
}

bool kernel_find_debug(struct dso *d)
{
	const struct dso_store *s = d->priv->store;
	struct os_release_text u;

	if (d->id.n < 2 || s->opts->ignore_vmlinux)
		return false;
	if (try_debug_by_id(d, &d->id))
		return true;
	if (os_kernel_release(s->os, &u) &&
	    (try_debug_file(d, xasprintf("/usr/lib/debug/boot/vmlinux-%s", u.text), &d->id) ||
	     try_debug_file(d, xasprintf("/boot/vmlinux-%s", u.text), &d->id) ||
	     try_debug_file(d, xasprintf("/usr/lib/debug/lib/modules/%s/vmlinux", u.text),
			    &d->id)))
		return true;
	char *got = debuginfod_get(d->priv->store->fetcher, &d->id, true);

	return got && try_debug_file(d, got, &d->id);
}

/* A module's file on disk may be packed; its debug file is not. */
static char *debug_path_of_module(const char *path)
{
	const char *dot = strstr(path, ".ko");

	return dot ? xasprintf("/usr/lib/debug%.*s", (int)(dot + 3 - path), path) : xstrdup(path);
}

bool module_find_debug(struct dso *d)
{
	struct dso_store *s = d->priv->store;
	struct build_id id = d->id;
	char *name = module_name(d);

	if (id.n < 2 && d->priv->kernel.is_running)
		build_id_of_module(s->os, name, &id, NULL);
	free(name);
	if (id.n < 2 || !d->priv->kernel.reloc_va)
		return false;
	if (try_debug_by_id(d, &id))
		return true;
	if (d->path[0] == '/' && !s->os->fake &&
	    (try_debug_file(d, xstrdup(d->path), &id) ||
	     try_debug_file(d, debug_path_of_module(d->path), &id)))
		return true;
	char *got = debuginfod_get(s->fetcher, &id, true);

	return got && try_debug_file(d, got, &id);
}

static bool module_probe(const struct dso *d)
{
	return d->kind == DSO_MODULE;
}

/* By the kallsyms that --kallsyms names, or of a boot that was kept. */
struct given { struct dso *d; struct symtab *t; const char *module; };

static int load_module_given(void *ctx, const char *path)
{
	const struct given *g = ctx;
	struct kallsyms_text text = { 0 };
	struct err err = ERR_INIT;
	int ret = io_read_file(path, MAX_KALLSYMS_BYTES, &text.text, &err);

	if (ret)
		dso_add_reason(g->d, "%s", err.msg);
	else if ((ret = parse_kallsyms(&text, path, NULL)))
		dso_add_reason(g->d, "%s", text.reason);
	if (!ret) {
		const size_t before = g->t->n;

		add_kallsyms(&text, g->module, 0, g->d->priv->kernel.init_va, g->t);
		if (g->t->n > before)
			ret = finish(g->d, g->t, path);
		else
			ret = -ENOENT;
		if (!ret) {
			add_variables(&text, g->module, g->d);
			kcore_attach(g->d, path, 0);
		}
		else
			dso_add_reason(g->d, "'%s' has no symbols of module '%s'", path, g->module);
	}
	kallsyms_text_release(&text);
	err_release(&err);
	return ret;
}

/* Files that may be this module by their build-id: fn is called until it says true. */
static bool each_module_file(struct dso *d, bool (*fn)(void *ctx, const char *path), void *ctx)
{
	struct dso_store *s = d->priv->store;
	struct stat st;
	bool ok = false;
	char *path;

	if (s->cache_dir && d->id.n > 1) {
		path = build_id_path(s->cache_dir, &d->id, "/elf");
		ok = stat(path, &st) == 0 && fn(ctx, path);
		free(path);
	}
	if (!ok && d->path[0] == '/' && d->id.n && symfs_given(s->opts->symfs)) {
		path = symfs_path(s->opts->symfs, d->path);
		ok = fn(ctx, path);
		free(path);
	}
	return ok || (d->path[0] == '/' && d->id.n && !s->os->fake && fn(ctx, d->path));
}

struct from_file { struct dso *d; struct symtab *t; struct elf e; };

static bool load_from_file(void *ctx, const char *path)
{
	struct from_file *f = ctx;

	return module_file_load(f->d, path, f->t) == 0;
}

static bool add_init(void *ctx, const char *path)
{
	struct from_file *f = ctx;

	return module_file_init(f->d, path, f->t, &f->e);
}

static int module_load(struct dso *d, struct symtab *t)
{
	const struct symbols_opts *o = d->priv->store->opts;
	char *name = module_name(d);
	struct given g = { d, t, name };
	struct from_file f = { .d = d, .t = t, .e = { .fd = -1 } };
	const size_t reported = t->n;	/* by the recording itself */
	/* no kallsyms has them once the module is loaded */
	const bool init = d->priv->kernel.init_va && each_module_file(d, add_init, &f);
	int ret = o->kallsyms ? load_module_given(&g, o->kallsyms) :
		load_module_kallsyms(d, name, t);

	if (ret)
		ret = kcore_each_cached(d->priv->store, &d->priv->store->kernel_id,
					load_module_given, &g);
	if (ret) {
		t->n = reported;
		ret = each_module_file(d, load_from_file, &f) ? 0 : -ENOENT;
	} else if (init) {
		module_file_place_variables(&f.e, &d->priv->kernel);
		module_file_keep(d, &f.e);
	}
	if (ret && t->n)
		/* better than none; why the others are missing stays said */
		symtab_finish(t);
	elf_close(&f.e);
	free(name);
	return ret;
}

const struct loader loader_module = { "module", module_probe, module_load };
