// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symbols/kcore-copy.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/vec.h"
#include "util/base/xalloc.h"
#include "util/os/kernel.h"
#include "util/symbols/buildid-cache.h"
#include "util/symbols/dso-priv.h"
#include "util/symbols/kallsyms.h"

#define MAX_TEXT_BYTES (512u << 20)
#define MAX_RANGE_BYTES (1ull << 30)

struct code { u64 start, end; };
typedef VEC(struct code) code_vec;

static char *beside(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');

	return xasprintf("%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, name);
}

static int read_beside(const char *kcore, const char *name, struct str *out, struct err *err)
{
	char *path = beside(kcore, name);
	int ret = io_read_file(path, MAX_TEXT_BYTES, out, err);

	if (ret)
		err_hint(err, "the files kallsyms and modules of that boot must lie beside '%s'",
			 kcore);
	free(path);
	return ret;
}

/* --- which addresses are code */

struct ends { u64 text, stext, etext; };

static int find_ends(void *ctx, const struct kallsym *k)
{
	struct ends *e = ctx;

	if (k->module)
		return 0;
	if (!strcmp(k->name, "_text"))
		e->text = k->va;
	else if (!strcmp(k->name, "_stext"))
		e->stext = k->va;
	else if (!strcmp(k->name, "_etext"))
		e->etext = k->va;
	return 0;
}

static int kernel_range(const struct str *kallsyms, const char *kcore, code_vec *out,
			struct err *err)
{
	struct str text = STR_INIT;
	struct ends e = { 0 };

	str_addn(&text, kallsyms->buf, kallsyms->len);
	kallsyms_parse(text.buf, text.len, find_ends, &e, NULL);
	str_release(&text);
	u64 start = e.stext && (!e.text || e.stext < e.text) ? e.stext : e.text ? e.text : e.stext;

	if (start && e.etext > start && e.etext - start < MAX_RANGE_BYTES) {
		vec_push(out, ((struct code){ start, e.etext }));
		return 0;
	}
	err_set(err, EACCES, "the kallsyms beside '%s' do not tell where the kernel's code is",
		kcore);
	err_hint(err, "its addresses may be hidden from you: then a copy that root makes has them");
	return -EACCES;
}

/* "NAME BYTES REFS USERS STATE 0xADDRESS" */
static void module_ranges(const struct str *modules, code_vec *out)
{
	struct rd r;
	const char *line;

	rd_init(&r, modules->buf, modules->len, false);
	while (rd_left(&r)) {
		unsigned long long bytes = 0, at = 0;
		char name[64], text[4096];
		const u8 *from = r.base + r.pos, *end = memchr(from, '\n', rd_left(&r));
		size_t n = end ? (size_t)(end - from) : rd_left(&r);

		snprintf(text, sizeof(text), "%.*s", (int)MIN(n, sizeof(text) - 1),
			 (const char *)from);
		line = text;
		if (sscanf(line, "%63s %llu %*s %*s %*s 0x%llx", name, &bytes, &at) == 3 && at &&
		    bytes && bytes < MAX_RANGE_BYTES)
			vec_push(out, ((struct code){ at & ~4095ull,
						      (at + bytes + 4095) & ~4095ull }));
		rd_skip(&r, n + (end != NULL));
	}
}

static int by_start(const void *pa, const void *pb)
{
	const struct code *a = pa, *b = pb;

	return a->start != b->start ? (a->start < b->start ? -1 : 1) :
		(a->end > b->end) - (a->end < b->end);
}

static void merge(code_vec *v)
{
	size_t n = 0;

	if (v->n)
		qsort(v->v, v->n, sizeof(*v->v), by_start);
	for (size_t i = 0; i < v->n; i++)
		if (n && v->v[i].start <= v->v[n - 1].end)
			v->v[n - 1].end = MAX(v->v[n - 1].end, v->v[i].end);
		else
			v->v[n++] = v->v[i];
	v->n = n;
}

/* --- the copy */

static int create(const char *dir, const char *name, struct err *err)
{
	char *path = xasprintf("%s/%s", dir, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0400);

	if (fd < 0)
		fd = err_sys(err, errno, "cannot write '%s'", path);
	free(path);
	return fd;
}

static int finish_file(int fd, int ret, const char *dir, const char *name, struct err *err)
{
	if (close(fd) && !ret)
		ret = -errno;
	return ret ? err_sys(err, -ret, "cannot write '%s/%s'", dir, name) : 0;
}

static int write_text(const char *dir, const char *name, const struct str *text, struct err *err)
{
	int fd = create(dir, name, err);

	return fd < 0 ? fd : finish_file(fd, io_write(fd, text->buf, text->len), dir, name, err);
}

/* A core file of these ranges; what the kernel does not show is zeros. */
static int write_code(int fd, struct elf *e, const code_vec *code)
{
	Elf64_Ehdr eh = { .e_type = ET_CORE, .e_machine = e->machine, .e_version = EV_CURRENT,
			  .e_phoff = sizeof(eh),
			  .e_ehsize = sizeof(eh), .e_phentsize = sizeof(Elf64_Phdr),
			  .e_phnum = (u16)code->n };
	u64 off = (sizeof(eh) + code->n * sizeof(Elf64_Phdr) + 4095) & ~4095ull;
	struct str head = STR_INIT;
	u8 *buf = xmalloc(1 << 16);
	int ret;

	memcpy(eh.e_ident, (const u8[]){ ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
		__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB, EV_CURRENT },
		7);
	str_addn(&head, &eh, sizeof(eh));
	for vec_each(c, code) {
		u64 n = c->end - c->start;
		Elf64_Phdr ph = { .p_type = PT_LOAD, .p_flags = PF_R | PF_W | PF_X, .p_offset = off,
				  .p_vaddr = c->start,
				  .p_filesz = n, .p_memsz = n, .p_align = 4096 };

		str_addn(&head, &ph, sizeof(ph));
		off += n;
	}
	str_addchn(&head, '\0', ((head.len + 4095) & ~(size_t)4095) - head.len);
	ret = io_write(fd, head.buf, head.len);
	for vec_each(c, code)
		for (u64 at = c->start; !ret && at < c->end; at += 1 << 16) {
			size_t n = MIN((u64)(1 << 16), c->end - at),
				have = elf_read_loaded(e, at, buf, n);

			memset(buf + have, 0, n - have);
			ret = io_write(fd, buf, n);
		}
	free(buf);
	str_release(&head);
	return ret;
}

static int open_core(struct elf *e, const char *kcore, struct err *err)
{
	int ret = elf_open(e, kcore, err);

	if (ret == -ENOENT && !strcmp(kcore, OS_KCORE))
		err_hint(err, "this kernel was built without CONFIG_PROC_KCORE");
	if (ret)
		return ret;
	if (e->type == ET_CORE && e->is64 && !e->swap)
		return 0;
	elf_close(e);
	return err_set(err, ENOEXEC, "'%s' is not a core file of a 64-bit kernel of this byte "
				     "order", kcore);
}

int kcore_copy(const char *kcore, const char *to, struct err *err)
{
	static const char *const names[] = { "kcore", "kallsyms", "modules", NULL };
	struct str kallsyms = STR_INIT, modules = STR_INIT;
	code_vec code = { 0 };
	struct elf e = { .fd = -1 };
	bool made = false;
	int ret = open_core(&e, kcore, err), fd;

	if (ret)
		return ret;
	if ((ret = read_beside(kcore, "kallsyms", &kallsyms, err)) ||
	    (ret = read_beside(kcore, "modules", &modules, err)) ||
	    (ret = kernel_range(&kallsyms, kcore, &code, err)))
		goto out;
	module_ranges(&modules, &code);
	merge(&code);
	made = mkdir(to, 0700) == 0;
	if (!made) {
		ret = err_sys(err, errno, "cannot make the directory '%s'", to);
		goto out;
	}
	if ((ret = write_text(to, "kallsyms", &kallsyms, err)) ||
	    (ret = write_text(to, "modules", &modules, err)))
		goto out;
	fd = create(to, "kcore", err);
	ret = fd < 0 ? fd : finish_file(fd, write_code(fd, &e, &code), to, "kcore", err);
out:
	if (ret && made)
		io_remove_dir_of(to, names);
	vec_free(&code);
	str_release(&kallsyms);
	str_release(&modules);
	elf_close(&e);
	return ret;
}

/* --- whose it is */

/* "BUILD-ID=..." in the note VMCOREINFO. */
static bool noted_id(struct elf *e, struct build_id *out)
{
	static const char key[] = "BUILD-ID=";
	u8 buf[65536];

	for (u32 i = 0; i < e->n_segs; i++) {
		size_t n = e->segs[i].type == PT_NOTE ?
			elf_pread(e, e->segs[i].off, buf, MIN(e->segs[i].file_bytes,
							      sizeof(buf) - 1)) : 0;
		const u8 *at = n ? memmem(buf, n, key, sizeof(key) - 1) : NULL;
		char hex[41];

		if (!at)
			continue;
		buf[n] = 0;
		at += sizeof(key) - 1;
		size_t len = strspn((const char *)at, "0123456789abcdef");

		snprintf(hex, sizeof(hex), "%.*s", (int)MIN(len, sizeof(hex) - 1),
			 (const char *)at);
		if (build_id_parse(hex, out))
			return true;
	}
	return false;
}

int kcore_build_id(const struct os *os, const char *kcore, struct build_id *out, struct err *err)
{
	struct elf e;
	int ret = open_core(&e, kcore, err);
	bool reported = !ret && noted_id(&e, out);

	if (!ret)
		elf_close(&e);
	if (ret || reported)
		return ret;
	if (!strcmp(kcore, OS_KCORE))
		return build_id_of_kernel(os, out, err);
	err_set(err, ENOENT, "'%s' does not tell its kernel's build-id", kcore);
	err_hint(err, "use the /proc/kcore of the running kernel, 5.9 or newer");
	return -ENOENT;
}

/* --- the cache */

/* The modules and their addresses, and where the kernel is, in one order. */
static int places_of(const char *kcore, struct str *out)
{
	struct str kallsyms = STR_INIT, modules = STR_INIT;
	code_vec code = { 0 };
	int ret = read_beside(kcore, "kallsyms", &kallsyms, NULL);

	if (!ret)
		ret = read_beside(kcore, "modules", &modules, NULL);
	if (!ret)
		ret = kernel_range(&kallsyms, kcore, &code, NULL);
	if (!ret) {
		char *rest = modules.buf, *line;

		while ((line = strsep(&rest, "\n"))) {
			char name[64];
			unsigned long long bytes, at;

			if (sscanf(line, "%63s %llu %*s %*s %*s 0x%llx", name, &bytes, &at) == 3)
				str_addf(out, "%s %llu %llx\n", name, bytes, at);
		}
		str_addf(out, "%llx\n", (unsigned long long)code.v[0].start);
	}
	vec_free(&code);
	str_release(&kallsyms);
	str_release(&modules);
	return ret;
}

static char *same_there(const char *top, const char *kcore)
{
	struct str want = STR_INIT, have = STR_INIT;
	DIR *d = places_of(kcore, &want) ? NULL : opendir(top);
	struct dirent *e;
	char *found = NULL;

	while (d && !found && (e = readdir(d))) {
		char *path = xasprintf("%s/%s", top, e->d_name),
			*file = xasprintf("%s/kcore", path);

		str_reset(&have);
		if (e->d_name[0] != '.' && access(file, F_OK) == 0 && !places_of(file, &have) &&
		    have.len == want.len &&
		    !memcmp(have.buf, want.buf, want.len)) {
			found = path;
			path = NULL;
		}
		free(path);
		free(file);
	}
	if (d)
		closedir(d);
	str_release(&want);
	str_release(&have);
	return found;
}

int buildid_cache_add_kcore(const char *dir, const struct build_id *id, const char *kcore,
			    char **where, struct err *err)
{
	struct str hex = STR_INIT;
	char when[32], *top;
	struct timeval now;
	struct tm tm;
	int ret;

	build_id_add(&hex, id);
	top = xasprintf("%s/[kernel.kcore]/%s", dir, str_cstr(&hex));
	str_release(&hex);
	*where = same_there(top, kcore);
	if (*where) {
		free(top);
		return 1;
	}
	gettimeofday(&now, NULL);
	localtime_r(&now.tv_sec, &tm);
	strftime(when, sizeof(when), "%Y%m%d%H%M%S", &tm);
	*where = xasprintf("%s/%s%02d", top, when, (int)(now.tv_usec / 10000));
	ret = buildid_cache_check(dir, err);
	if (!ret)
		ret = io_mkdirs_below(dir, top + strlen(dir), err);
	if (!ret)
		ret = kcore_copy(kcore, *where, err);
	free(top);
	return ret;
}
