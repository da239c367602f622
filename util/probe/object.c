// SPDX-License-Identifier: GPL-2.0-or-later
// Opening a target: which file runs, what the kernel is to be told, which file has its DWARF, and all its symbols.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/log.h"
#include "util/base/xalloc.h"
#include "util/elf/demangle.h"
#include "util/elf/elf.h"
#include "util/elf/symfs.h"
#include "util/probe/probe-priv.h"
#include "util/symbols/dso.h"

/* --- paths */

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static char *find_in_path(const char *name)
{
	const char *p = getenv("PATH");

	while (p && *p) {
		size_t n = strcspn(p, ":");
		char *try = xasprintf("%.*s/%s", (int)n, n ? p : ".", name);

		if (!access(try, X_OK))
			return try;
		free(try);
		p += n + (p[n] == ':');
	}
	return NULL;
}

/* A link through another mount namespace (/proc/PID/root) leads elsewhere when it is read here: then the path stays as it is. */
static char *resolve_path(const char *path)
{
	char *real = realpath(path, NULL), cwd[4096];

	if (real && same_file(real, path))
		return real;
	free(real);
	if (path[0] == '/' || !getcwd(cwd, sizeof(cwd)))
		return xstrdup(path);
	return xasprintf("%s/%s", cwd, path);
}

static int user_paths(struct probe_obj *p, const char *path, struct err *err)
{
	const struct probe_opts *o = p->opts;
	bool elsewhere = false;		/* the file stands in for one of another machine */
	char *at;
	struct stat st;

	if (o->target_ns && path[0] != '/')
		return err_set(err, EINVAL, "'%s': in another process's root the path must be absolute", path);
	at = o->target_ns ? xasprintf("/proc/%d/root%s", o->target_ns, path) : xstrdup(path);
	if (symfs_given(o->symfs) && access(at, F_OK)) {
		free(at);
		at = symfs_path(o->symfs, path);
		elsewhere = path[0] == '/';
	}
	if (stat(at, &st) && errno == ENOENT && !strchr(path, '/') && !o->target_ns) {
		char *found = find_in_path(path);

		if (found) {
			free(at);
			at = found;
		}
	}
	if (stat(at, &st)) {
		int code = errno;

		err_sys(err, code, "cannot open '%s'", at);
		if (code == ENOENT)
			hint_program(o, path, at, err);
		free(at);
		return -code;
	}
	p->file = resolve_path(at);
	p->path = xstrdup(elsewhere ? path : p->file);
	free(at);
	if (!S_ISREG(st.st_mode))
		return err_set(err, EINVAL, "'%s' is not a regular file", path);
	return 0;
}

/* --- ELF */

Elf_Data *pobj_section(Elf *elf, const char *name, GElf_Shdr *sh)
{
	Elf_Scn *scn = NULL;
	size_t strndx;

	if (!elf || elf_getshdrstrndx(elf, &strndx))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *n;

		if (!gelf_getshdr(scn, sh))
			continue;
		n = elf_strptr(elf, strndx, sh->sh_name);
		if (n && !strcmp(n, name))
			return sh->sh_type == SHT_NOBITS || (sh->sh_flags & SHF_COMPRESSED) ? NULL : elf_rawdata(scn, NULL);
	}
	return NULL;
}

void pobj_fill_segments(struct probe_obj *p)
{
	size_t n = 0;

	elf_getphdrnum(p->elf, &n);
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr ph;

		if (gelf_getphdr(p->elf, i, &ph) && ph.p_type == PT_LOAD)
			vec_push(&p->segs, ((struct pseg){ ph.p_offset, ph.p_vaddr, ph.p_filesz, ph.p_flags & PF_X }));
	}
}

bool pobj_file_off(const struct probe_obj *p, u64 va, u64 *off)
{
	for vec_each(s, &p->segs)
		if (va >= s->va && va - s->va < s->bytes) {
			*off = va - s->va + s->off;
			return true;
		}
	return false;
}

bool pobj_is_code(const struct probe_obj *p, u64 va)
{
	for vec_each(s, &p->segs)
		if (s->exec && va >= s->va && va - s->va < s->bytes)
			return true;
	return false;
}

int pobj_open_elf(struct probe_obj *p, const char *file, struct err *err)
{
	GElf_Ehdr eh;

	elf_version(EV_CURRENT);
	struct stat st;

	p->fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (p->fd < 0)
		return err_sys(err, errno, "cannot open '%s'", file);
	p->elf = fstat(p->fd, &st) || !S_ISREG(st.st_mode) ? NULL : elf_begin(p->fd, ELF_C_READ_MMAP, NULL);
	if (!p->elf || elf_kind(p->elf) != ELF_K_ELF || !gelf_getehdr(p->elf, &eh)) {
		err_set(err, ENOEXEC, "'%s' is no ELF file", file);
		err_hint(err, "%s", p->kernel ? "a vmlinux or a module (.ko, unpacked) is needed, not a boot image" :
			 "name a program or library; of a script, its interpreter");
		return -ENOEXEC;
	}
	p->arch = arch_by_elf(eh.e_machine, gelf_getclass(p->elf) == ELFCLASS64);
	if (!p->arch)
		return err_set(err, ENOTSUP, "'%s' is for a machine that is not known here (ELF machine %u)", file, eh.e_machine);
	p->is_rel = eh.e_type == ET_REL;
	pobj_fill_segments(p);
	return 0;
}

struct probe_obj *probe_open_user(const struct probe_opts *o, const char *path, struct err *err)
{
	struct probe_obj *p = xnew(struct probe_obj);

	p->opts = o;
	p->fd = -1;
	if (user_paths(p, path, err) || pobj_open_elf(p, p->file, err)) {
		probe_close(p);
		return NULL;
	}
	return p;
}

void probe_close(struct probe_obj *p)
{
	if (!p)
		return;
	if (p->eh_cfi)
		dwarf_cfi_end(p->eh_cfi);
	pobj_close_windows(p);
	if (p->dwfl)
		dwfl_end(p->dwfl);
	dwarf_file_close(&p->dwarf);
	if (p->tables_elf) {
		elf_end(p->tables_elf);
		close(p->tables_fd);
	}
	if (p->elf)
		elf_end(p->elf);
	if (p->fd >= 0)
		close(p->fd);
	for vec_each(s, &p->syms)
		free(s->plain);
	vec_free(&p->syms);
	vec_free(&p->segs);
	vec_free(&p->units);
	strmap_release(&p->by_name);
	fnindex_free(p->index);
	arena_release(&p->mem);
	if (p->store)
		dso_store_free(p->store);
	free(p->sym_opts);
	free(p->tried);
	free(p->module);
	free(p->path);
	free(p->file);
	free(p);
}

const char *pobj_name(const struct probe_obj *p)
{
	return p->path ? p->path : p->module ? p->module : "the kernel";
}

const char *probe_obj_path(const struct probe_obj *p) { return p->path; }

/* --- DWARF */

/* By the same ways as reports find it. */
static void open_dwarf(struct probe_obj *p)
{
	struct symbols_opts *so = p->sym_opts = xnew(struct symbols_opts);
	struct dso_key key = { .kind = DSO_FILE, .path = p->file };

	so->symfs = p->opts->symfs;
	so->buildid_dir = p->opts->buildid_dir;
	so->debuginfod_urls = p->opts->debuginfod_urls;
	p->store = dso_store_new(p->opts->os, so);
	p->dso = dso_get(p->store, &key);
	if (!dso_set_file(p->dso, p->file, NULL) && !dso_dwarf(p->dso, &p->dwarf)) {
		p->debug_elf = p->dwarf.elf;
		p->dw = p->dwarf.dw;
	}
}

static int no_dwarf(struct probe_obj *p, struct err *err)
{
	struct build_id id = { .n = 0 };
	struct str s = STR_INIT;

	if (p->kernel)
		return kernel_no_dwarf(p, err);
	err_set(err, ENOENT, "'%s' has no debug information", p->file ? p->file : pobj_name(p));
	if (p->file && !build_id_of_file(p->file, &id, NULL) && id.n) {
		build_id_add(&s, &id);
		err_hint(err, "build it with -g, install its debug package (a file /usr/lib/debug/.build-id/%.2s/%s.debug), or set "
			 "DEBUGINFOD_URLS", str_cstr(&s), str_cstr(&s) + 2);
	} else {
		err_hint(err, "build it with -g, or install its debug package");
	}
	str_release(&s);
	return -ENOENT;
}

/* A relocatable file by libdwfl: both its symbols and its DWARF then have addresses. */
static void open_relocatable(struct probe_obj *p)
{
	static const Dwfl_Callbacks cb = { .find_debuginfo = dwfl_standard_find_debuginfo,
					   .section_address = dwfl_offline_section_address };
	Dwarf_Addr bias;

	p->dwfl = dwfl_begin(&cb);
	if (!p->dwfl)
		return;
	dwfl_report_begin(p->dwfl);
	p->mod = dwfl_report_offline(p->dwfl, p->file, p->file, -1);
	dwfl_report_end(p->dwfl, NULL, NULL);
	if (p->mod)
		p->dw = dwfl_module_getdwarf(p->mod, &bias);
}

/* A name without a type is code where code stands: labels of assembly are functions, those of tables and strings are not. */
static bool is_data(Elf *elf, int type, GElf_Word section)
{
	Elf_Scn *scn = type == STT_NOTYPE && section < SHN_LORESERVE ? elf_getscn(elf, section) : NULL;
	GElf_Shdr sh;

	return type == STT_OBJECT || (scn && gelf_getshdr(scn, &sh) && !(sh.sh_flags & SHF_EXECINSTR));
}

static void add_relocatable_symbols(struct probe_obj *p)
{
	int n = p->mod ? dwfl_module_getsymtab(p->mod) : 0;

	for (int i = 1; i < n; i++) {
		GElf_Sym sym;
		GElf_Addr addr;
		GElf_Word shndx;
		const char *name = dwfl_module_getsym_info(p->mod, i, &sym, &addr, &shndx, NULL, NULL);
		int type = name ? GELF_ST_TYPE(sym.st_info) : -1;

		if (!name || !name[0] || shndx == SHN_UNDEF || shndx >= SHN_LORESERVE ||
		    (type != STT_FUNC && type != STT_OBJECT && type != STT_NOTYPE))
			continue;
		vec_push(&p->syms, ((struct psym){ .name = name, .addr = addr, .size = sym.st_size, .bind = GELF_ST_BIND(sym.st_info),
						   .data = is_data(p->elf, type, shndx) }));
	}
}

int pobj_dwarf(struct probe_obj *p, struct err *err)
{
	if (p->dw_tried)
		return p->dw ? 0 : no_dwarf(p, err);
	p->dw_tried = true;
	if (!p->elf)
		return no_dwarf(p, err);
	if (p->is_rel) {
		open_relocatable(p);
		return p->dw ? 0 : no_dwarf(p, err);
	}
	open_dwarf(p);
	log_printf(LOG_PROBE, 1, "debug information of %s: %s", p->file, p->dw ? dso_debug_file(p->dso) ?: p->file : "none");
	return p->dw ? 0 : no_dwarf(p, err);
}

/* --- symbols */

/* Versions of a dynamic symbol table; NULL: none. */
static Elf_Data *versions_of(Elf *elf, const GElf_Shdr *sh)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr v;

	while (sh->sh_type == SHT_DYNSYM && (scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &v) && v.sh_type == SHT_GNU_versym)
			return elf_getdata(scn, NULL);
	return NULL;
}

static void add_table(struct probe_obj *p, Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Data *data = elf_getdata(scn, NULL), *vers = versions_of(elf, sh);
	GElf_Versym ver;
	size_t n = data && sh->sh_entsize ? sh->sh_size / sh->sh_entsize : 0;

	for (size_t i = 1; i < n; i++) {
		struct psym s = { .name = NULL };
		GElf_Sym sym;
		int type;

		if (!gelf_getsym(data, i, &sym) || sym.st_shndx == SHN_UNDEF || sym.st_shndx == SHN_ABS)
			continue;
		type = GELF_ST_TYPE(sym.st_info);
		if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE && type != STT_OBJECT)
			continue;
		s.name = elf_strptr(elf, sh->sh_link, sym.st_name);
		if (!s.name || !s.name[0] || s.name[0] == '$')
			continue;
		if (vers && gelf_getversym(vers, i, &ver) && (ver & 0x8000))
			continue;	/* an old version, for programs that were linked against it */
		s.addr = sym.st_value;
		s.size = sym.st_size;
		s.bind = GELF_ST_BIND(sym.st_info);
		s.data = is_data(elf, type, sym.st_shndx);
		s.indirect = type == STT_GNU_IFUNC;
		vec_push(&p->syms, s);
	}
}

/* See symbol_names_max(). */
static bool names_are_credible(Elf *elf, const GElf_Shdr *sh, const struct psym *s, size_t n)
{
	Elf_Data *names = elf_getdata(elf_getscn(elf, sh->sh_link), NULL);
	u64 left = names ? symbol_names_max(names->d_size) : 0;

	for (size_t i = 0; i < n; i++) {
		u64 bytes = strlen(s[i].name) + 1;

		if (bytes > left)
			return false;
		left -= bytes;
	}
	return true;
}

static int add_tables(struct probe_obj *p, Elf *elf, struct err *err)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while (elf && (scn = elf_nextscn(elf, scn))) {
		const size_t before = p->syms.n;

		if (!gelf_getshdr(scn, &sh) || (sh.sh_type != SHT_SYMTAB && sh.sh_type != SHT_DYNSYM))
			continue;
		add_table(p, elf, scn, &sh);
		if (names_are_credible(elf, &sh, p->syms.v + before, p->syms.n - before))
			continue;
		p->syms.n = before;
		err_set(err, ENOEXEC, "'%s' has a damaged symbol table: its names are longer than what they stand in", pobj_name(p));
		err_hint(err, "copy or build the file again");
		return -ENOEXEC;
	}
	return 0;
}

/* Those of another file than the program itself. */
static int add_debug_tables(struct probe_obj *p, struct err *err)
{
	const char *file = p->debug_elf ? dso_debug_file(p->dso) : NULL;

	if (!file || !strcmp(file, p->file))
		return 0;
	if (p->dwarf.fd >= 0)
		return add_tables(p, p->debug_elf, err);
	/* its DWARF is an image without them */
	p->tables_fd = open(file, O_RDONLY | O_CLOEXEC);
	p->tables_elf = p->tables_fd >= 0 ? elf_begin(p->tables_fd, ELF_C_READ_MMAP, NULL) : NULL;
	return add_tables(p, p->tables_elf, err);
}

static int by_addr(const void *a, const void *b)
{
	const struct psym *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	if (x->data != y->data)
		return x->data ? -1 : 1;
	if (x->bind != y->bind)		/* globals last: found first when searching from the end */
		return x->bind == STB_GLOBAL ? 1 : y->bind == STB_GLOBAL ? -1 : 0;
	return strcmp(y->name, x->name);
}

/* By the address first, by its bytes: sorting 100,000 symbols by comparing costs more than reading them. Then those of one address. */
static void sort_symbols(struct probe_obj *p)
{
	size_t n = p->syms.n, from, to;
	struct { u64 addr; u32 at; } *a = xcalloc(2 * n + 1, sizeof(*a)), *b = a + n, *t;
	struct psym *out = xcalloc(n + 1, sizeof(*out));
	u64 differ = 0;

	for (size_t i = 0; i < n; i++) {
		a[i].addr = p->syms.v[i].addr;
		a[i].at = (u32)i;
		differ |= a[i].addr ^ a[0].addr;
	}
	t = a;
	for (int shift = 0; shift < 64; shift += 8) {
		size_t at[257] = { 0 };
		void *swap = a;

		if (!(differ >> shift & 255))
			continue;
		for (size_t i = 0; i < n; i++)
			at[(a[i].addr >> shift & 255) + 1]++;
		for (int k = 0; k < 256; k++)
			at[k + 1] += at[k];
		for (size_t i = 0; i < n; i++)
			b[at[a[i].addr >> shift & 255]++] = a[i];
		a = b;
		b = swap;
	}
	for (size_t i = 0; i < n; i++)
		out[i] = p->syms.v[a[i].at];
	for (from = 0; from < n; from = to) {
		for (to = from + 1; to < n && out[to].addr == out[from].addr; to++)
			;
		if (to > from + 1)
			qsort(out + from, to - from, sizeof(*out), by_addr);
	}
	free(t);
	free(p->syms.v);
	p->syms.v = out;
	p->syms.cap = n + 1;
}

static void drop_doubles(struct probe_obj *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->syms.n; i++)
		if (!n || p->syms.v[n - 1].addr != p->syms.v[i].addr || strcmp(p->syms.v[n - 1].name, p->syms.v[i].name))
			p->syms.v[n++] = p->syms.v[i];
	p->syms.n = n;
}

int pobj_symbols(struct probe_obj *p, struct err *err)
{
	int ret = 0;

	if (p->syms_loaded)
		return 0;
	p->syms_loaded = true;
	if (p->kernel && !p->elf) {
		ret = kernel_symbols(p, err);
		if (ret)
			return ret;
	} else {
		if (!p->dw_tried)
			pobj_dwarf(p, NULL);
		if (p->is_rel) {
			add_relocatable_symbols(p);
		} else {
			ret = add_tables(p, p->elf, err);
			if (!ret)
				ret = add_debug_tables(p, err);
		}
	}
	sort_symbols(p);
	drop_doubles(p);
	return ret;
}

static void fill_by_name(struct probe_obj *p)
{
	for (size_t i = 0; i < p->syms.n; i++)
		if (!p->syms.v[i].data && !strmap_get(&p->by_name, p->syms.v[i].name))
			strmap_put(&p->by_name, p->syms.v[i].name, (void *)(i + 1));
}

const struct psym *pobj_symbol(struct probe_obj *p, const char *name)
{
	size_t i;

	pobj_symbols(p, NULL);
	if (++p->n_asked < 20) {	/* a few questions are not worth a table of 150,000 names */
		for vec_each(s, &p->syms)
			if (!s->data && !strcmp(s->name, name))
				return s;
		return NULL;
	}
	if (p->n_asked == 20)
		fill_by_name(p);
	i = (size_t)strmap_get(&p->by_name, name);
	return i ? &p->syms.v[i - 1] : NULL;
}

const struct psym *pobj_symbol_at(struct probe_obj *p, u64 addr)
{
	size_t lo = 0, hi;

	pobj_symbols(p, NULL);
	for (hi = p->syms.n; lo < hi;) {
		size_t mid = lo + (hi - lo) / 2;

		if (p->syms.v[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (size_t back = 0; lo-- && back < 64; back++) {
		const struct psym *s = &p->syms.v[lo];

		if (!s->data && (addr - s->addr < s->size || (!s->size && !back && (p->kernel || addr == s->addr))))
			return s;
	}
	return NULL;
}

const char *psym_plain(struct probe_obj *p, const struct psym *cs)
{
	struct psym *s = &p->syms.v[cs - p->syms.v];

	if (!s->tried && !p->opts->no_demangle) {
		s->plain = demangle(s->name);
		s->tried = true;
	}
	return s->plain ? s->plain : s->name;
}
