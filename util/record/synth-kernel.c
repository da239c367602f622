// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel's and its modules' mappings, and the cgroups.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/os/bpf-progs.h"
#include "util/os/cgroup.h"
#include "util/record/synth-priv.h"
#include "util/symbols/dso.h"

#define KERNEL_PID ((u32)-1)

int synth_put_kernel_map(struct synth *s, u64 start, u64 end, const char *path,
			 const struct build_id *id)
{
	const struct sample_id sid = {
		.present = s->attr && s->attr->sample_id_all ?
			s->attr->sample_type & SYNTH_ID_BITS : 0, .time_ns = s->time_ns,
	};
	struct wire_mmap m = { .pid = KERNEL_PID, .tid = 0, .start_va = start, .bytes = end - start,
			       .off = start, .path = path };
	u64 buf[1024];

	if (id && id->n) {
		memcpy(m.build_id, id->bytes, sizeof(m.build_id));
		m.build_id_bytes = id->n;
	}
	return synth_put(s, buf, wire_encode_mmap2(s->attr, &m, PERF_RECORD_MISC_KERNEL, &sid, buf,
						   sizeof(buf)));
}

/* _text stands among the first lines, or after the per-CPU symbols of older kernels (some 30
 * KiB); _etext 100,000 lines later: that one is only looked for when /proc/iomem does not tell. */
struct kernel_text { u64 text, stext, etext; bool zero; };

/* One line "ffffffff81000000 T _text". */
static void take_symbol(const char *line, struct kernel_text *k)
{
	char *end;
	u64 va = strtoull(line, &end, 16);

	if (end == line || end[0] != ' ' || !end[1] || end[2] != ' ' || end[3] != '_')
		return;
	if (!strcmp(end + 3, "_text"))
		k->text = va, k->zero |= !va;
	else if (!strcmp(end + 3, "_stext"))
		k->stext = va, k->zero |= !va;
	else if (!strcmp(end + 3, "_etext"))
		k->etext = va;
}

/* Complete lines are taken and removed from the buffer. */
static void take_lines(struct str *s, struct kernel_text *k)
{
	char *p = s->buf, *nl;

	while ((nl = memchr(p, '\n', s->buf + s->len - p))) {
		*nl = '\0';
		take_symbol(p, k);
		p = nl + 1;
	}
	s->len -= (size_t)(p - s->buf);
	memmove(s->buf, p, s->len);
}

/* "  01000000-02276507 : Kernel code": physical, but as long as the mapped text. 0: unknown. */
static u64 iomem_kernel_bytes(const struct os *os)
{
	struct str s = STR_INIT;
	struct err e = ERR_INIT;
	unsigned long long a = 0, b = 0;
	const char *p;
	u64 bytes = 0;

	if (!os_read_file(os, "/proc/iomem", &s, &e) &&
	    (p = strstr(str_cstr(&s), " : Kernel code"))) {
		while (p > s.buf && p[-1] != '\n')
			p--;
		if (sscanf(p, "%llx-%llx", &a, &b) == 2 && b > a)
			bytes = b - a + 1;
	}
	err_release(&e);
	str_release(&s);
	return bytes;
}

static void find_kernel_text(const struct os *os, struct kernel_text *k)
{
	char *path = os_path(os, "/proc/kallsyms");
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	bool asked = false;
	struct str s = STR_INIT;
	ssize_t n;

	free(path);
	while (fd >= 0 && !k->zero && !k->etext && s.len < 1 << 20) {
		str_reserve(&s, 65536);
		n = io_read(fd, s.buf + s.len, asked ? 65536 : 8192);
		if (n <= 0)
			break;
		s.len += (size_t)n;
		take_lines(&s, k);
		if (k->text && !asked) {
			u64 bytes = iomem_kernel_bytes(os);

			asked = true;
			k->etext = bytes ? k->text + bytes : k->etext;
		}
	}
	if (fd >= 0)
		close(fd);
	str_release(&s);
}

/* Equal but for - and _, which modules' files and names mix. */
static bool same_module(const char *a, size_t n, const char *b)
{
	for (size_t i = 0; i < n; i++) {
		if (!b[i] || (a[i] == '-' ? '_' : a[i]) != (b[i] == '-' ? '_' : b[i]))
			return false;
	}
	return !b[n];
}

bool synth_module_path(const char *modules_dep, const char *name, struct str *out)
{
	for (const char *p = modules_dep; *p;) {
		const char *nl = strchrnul(p, '\n'), *colon = memchr(p, ':', (size_t)(nl - p));
		const char *slash = colon ? memrchr(p, '/', (size_t)(colon - p)) : NULL;
		const char *base = slash ? slash + 1 : p;
		const char *ko = colon ? memmem(base, (size_t)(colon - base), ".ko", 3) : NULL;

		if (ko && same_module(base, (size_t)(ko - base), name)) {
			str_addn(out, p, (size_t)(colon - p));
			return true;
		}
		p = *nl ? nl + 1 : nl;
	}
	return false;
}

static void read_modules_dep(struct synth *s)
{
	struct err e = ERR_INIT;
	struct utsname u;
	char *path;

	if (s->modules_dep.len || s->os->fake || uname(&u))
		return;
	str_reset(&s->modules_dir);
	str_addf(&s->modules_dir, "/lib/modules/%s/", u.release);
	path = xasprintf("%smodules.dep", str_cstr(&s->modules_dir));
	if (io_read_file(path, 16 << 20, &s->modules_dep, &e) || !s->modules_dep.len) {
		str_reset(&s->modules_dep);
		str_addch(&s->modules_dep, '\n');
	}
	free(path);
	err_release(&e);
}

bool synth_module_identity(struct synth *s, const char *name, struct str *path, struct build_id *id)
{
	struct err e = ERR_INIT;

	read_modules_dep(s);
	id->n = 0;
	if (s->build_ids && build_id_of_module(s->os, name, id, &e))
		id->n = 0;
	err_release(&e);
	str_reset(path);
	str_add(path, str_cstr(&s->modules_dir));
	return synth_module_path(str_cstr(&s->modules_dep), name, path);
}

int synth_module(struct synth *s, const struct module_place *p)
{
	struct str path = STR_INIT;
	struct build_id id;
	int ret;

	if (!synth_module_identity(s, p->name, &path, &id)) {
		str_reset(&path);
		str_addf(&path, "[%s]", p->name);
	}
	ret = synth_put_kernel_map(s, p->start_va, p->end_va, str_cstr(&path), &id);
	str_release(&path);
	return ret;
}

void module_list_release(module_list *l)
{
	for vec_each(p, l)
		free(p->name);
	vec_free(l);
}

static void clip_ends(module_list *l)
{
	for vec_each(p, l)
		for vec_each(q, l)
			if (q->start_va > p->start_va && q->start_va < p->end_va)
				p->end_va = q->start_va;
}

/* While a module is being loaded its size counts the init part, which lies elsewhere. */
static u64 core_bytes(const struct os *os, const char *name, u64 bytes)
{
	char *path = xasprintf("/sys/module/%s/coresize", name);
	u64 core = 0;

	if (strchr(name, '/') || os_read_u64(os, path, &core, NULL) || core > bytes)
		core = 0;
	free(path);
	return core ? core : bytes;
}

/* Lines like "ext4 933888 1 - Live 0xffffffffc0a00000". */
int module_list_read(const struct os *os, module_list *out)
{
	struct str text = STR_INIT;
	struct err e = ERR_INIT;
	int ret = os_read_file(os, "/proc/modules", &text, &e);

	for (char *p = text.buf, *nl; !ret && p && (nl = strchr(p, '\n')); p = nl + 1) {
		char name[128], state[16];
		unsigned long long bytes, va;

		*nl = '\0';
		if (sscanf(p, "%127s %llu %*s %*s %15s %llx", name, &bytes, state, &va) != 4)
			continue;
		const bool loading = !strcmp(state, "Loading");

		if (loading)
			bytes = core_bytes(os, name, bytes);
		if (va + bytes >= va)
			vec_push(out, ((struct module_place){ xstrdup(name), va, va + bytes,
							      loading }));
	}
	clip_ends(out);
	err_release(&e);
	str_release(&text);
	return ret;
}

static int put_loading(struct synth *s, const struct module_place *p)
{
	struct synth_init in;
	int ret = 0;

	if (p->loading && synth_init_read(s, p, &in)) {
		ret = synth_init_put(s, p, &in);
		synth_init_release(&in);
	}
	return ret;
}

static int put_modules(struct synth *s)
{
	module_list l = { 0 };
	int ret = 0;

	if (!module_list_read(s->os, &l))	/* else: a kernel without modules */
		for (size_t i = 0; i < l.n && !ret; i++) {
			if (!l.v[i].start_va) {
				s->kernel_hidden = true;
				continue;
			}
			ret = synth_module(s, &l.v[i]);
			if (!ret)
				ret = put_loading(s, &l.v[i]);
		}
	module_list_release(&l);
	return ret;
}

int synth_kernel(struct synth *s)
{
	struct kernel_text k = { 0, 0, 0, false };
	struct build_id id = { { 0 }, 0 };
	struct err e = ERR_INIT;
	u64 start;
	int ret;

	find_kernel_text(s->os, &k);
	start = k.text ? k.text : k.stext;
	if (!start || k.zero) {
		s->kernel_hidden = true;
		return 0;
	}
	if (s->build_ids && build_id_of_kernel(s->os, &id, &e))
		id.n = 0;
	err_release(&e);
	ret = synth_put_kernel_map(s, start, k.etext > start ? k.etext : start + (1ULL << 30),
			     k.text ? "[kernel.kallsyms]_text" : "[kernel.kallsyms]_stext", &id);
	return ret ? ret : put_modules(s);
}

/* --- BPF programs --- */

#define MAX_SYMBOL 512		/* bytes, as the kernel has it: KSYM_NAME_LEN */

int synth_put_ksymbol(struct synth *s, u64 va, u64 bytes, unsigned type, const char *name)
{
	const struct sample_id sid = {
		.present = s->attr && s->attr->sample_id_all ?
			s->attr->sample_type & SYNTH_ID_BITS : 0, .time_ns = s->time_ns,
	};
	const struct wire_ksymbol k = { .va = va, .bytes = (u32)bytes, .type = (u16)type,
					.name = name };
	u64 buf[128];

	if (strlen(name) >= MAX_SYMBOL || bytes > UINT32_MAX)
		return 0;
	return synth_put(s, buf, wire_encode_ksymbol(s->attr, &k, &sid, buf, sizeof(buf)));
}

static int put_bpf(void *ctx, const struct os_bpf_function *f)
{
	return synth_put_ksymbol(ctx, f->va, f->bytes, PERF_RECORD_KSYMBOL_TYPE_BPF, f->name);
}

int synth_bpf(struct synth *s)
{
	return os_bpf_functions(s->os, put_bpf, s);
}

/* --- cgroups --- */

static int put_cgroup(struct synth *s, const char *mount, const char *rel)
{
	const struct sample_id sid = {
		.present = s->attr && s->attr->sample_id_all ?
			s->attr->sample_type & SYNTH_ID_BITS : 0,
	};
	union { struct file_handle h; u8 room[sizeof(struct file_handle) + MAX_HANDLE_SZ]; } fh;
	struct wire_cgroup c = { .path = *rel ? rel : "/" };
	char *path = xasprintf("%s%s", mount, rel);
	struct stat st;
	u64 buf[1024];
	int mount_id, ret = 0;

	fh.h.handle_bytes = sizeof(u64);
	if (name_to_handle_at(AT_FDCWD, path, &fh.h, &mount_id, 0) == 0)
		memcpy(&c.id, fh.h.f_handle, sizeof(c.id));
	else if (stat(path, &st) == 0)
		c.id = st.st_ino;
	else
		ret = -errno;
	free(path);
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	return synth_put(s, buf, wire_encode_cgroup(s->attr, &c, &sid, buf, sizeof(buf)));
}

static int walk_cgroups(struct synth *s, const char *mount, const char *rel, int depth)
{
	char *path = xasprintf("%s%s", mount, rel);
	DIR *d = opendir(path);
	int ret = put_cgroup(s, mount, rel);

	free(path);
	for (struct dirent *e; d && !ret && depth < 64 && (e = readdir(d));) {
		if (e->d_type == DT_DIR && e->d_name[0] != '.') {
			char *sub = xasprintf("%s/%s", rel, e->d_name);

			ret = walk_cgroups(s, mount, sub, depth + 1);
			free(sub);
		}
	}
	if (d)
		closedir(d);
	return ret;
}

int synth_cgroups(struct synth *s, struct err *err)
{
	struct str mount = STR_INIT;
	int ret = 0;

	if (s->os->fake)
		return 0;
	ret = os_cgroup_mount(s->os, &mount, err);
	if (!ret) {
		ret = walk_cgroups(s, str_cstr(&mount), "", 0);
		if (ret < 0)
			err_sys(err, -ret, "cannot read the cgroups below %s", str_cstr(&mount));
	}
	str_release(&mount);
	return ret;
}
