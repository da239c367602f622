// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/bpf/kbtf.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/hash.h"
#include "util/base/vec.h"
#include "util/os/kernel.h"
#include "util/os/rights.h"

#define VOID_PTR 1		/* number of "void *" in what is made */
#define MAX_CHAIN 32		/* of typedefs and qualifiers */

/* Bytes after a type's head: so many, and so many for each member. */
static const struct { bool known; u8 fixed, each; } kinds[32] = {
	[BTF_KIND_INT] = { true, 4, 0 },	[BTF_KIND_PTR] =
		{ true, 0, 0 },	[BTF_KIND_ARRAY] = { true, 12, 0 },
	[BTF_KIND_STRUCT] = { true, 0, 12 },	[BTF_KIND_UNION] =
	{ true, 0, 12 },	[BTF_KIND_ENUM] = { true, 0, 8 },
	[BTF_KIND_FWD] = { true, 0, 0 },	[BTF_KIND_TYPEDEF] =
	{ true, 0, 0 },	[BTF_KIND_VOLATILE] = { true, 0, 0 },
	[BTF_KIND_CONST] = { true, 0, 0 },	[BTF_KIND_RESTRICT] =
	{ true, 0, 0 },	[BTF_KIND_FUNC] = { true, 0, 0 },
	[BTF_KIND_FUNC_PROTO] = { true, 0, 8 },	[BTF_KIND_VAR] =
	{ true, 4, 0 },	[BTF_KIND_DATASEC] = { true, 0, 12 },
	[BTF_KIND_FLOAT] = { true, 0, 0 },	[17 /* DECL_TAG */] =
	{ true, 4, 0 },	[18 /* TYPE_TAG */] = { true, 0, 0 },
	[19 /* ENUM64 */] = { true, 0, 12 },
};
_Static_assert(sizeof(struct btf_type) == 12 && sizeof(struct btf_member) == 12 &&
	       sizeof(struct btf_array) == 12, "of the format");

struct cut {
	const struct btf_type **types;	/* of the kernel, by number; [0] is void */
	u32 n_types;
	struct span rest;		/* types that were not looked at yet */
	const char *strings;
	u32 strings_len;
	struct hmap ids;		/* number here -> number in what is made */
	/* numbers here of the types to make, in the order of their numbers there */
	VEC(u32) todo;
	struct str made, names;
};

static u32 kind_of(const struct btf_type *t)
{
	return t->info >> 24 & 0x1f;
}

static bool is_record(const struct btf_type *t)
{
	return kind_of(t) == BTF_KIND_STRUCT || kind_of(t) == BTF_KIND_UNION;
}

static const char *name_at(const struct cut *c, u32 off)
{
	return off < c->strings_len ? c->strings + off : "";
}

/* ---- reading ---- */

static bool find_sections(struct cut *c, struct span bytes, struct span *types)
{
	const struct btf_header *h = (const void *)bytes.ptr;
	u64 left;

	if (bytes.len < sizeof(*h) || h->magic != BTF_MAGIC || h->hdr_len < sizeof(*h) ||
	    h->hdr_len > bytes.len || h->hdr_len % 4)
		return false;
	left = bytes.len - h->hdr_len;
	if ((u64)h->type_off + h->type_len > left || (u64)h->str_off + h->str_len > left ||
	    h->type_off % 4 || !h->str_len)
		return false;
	*types = (struct span){ bytes.ptr + h->hdr_len + h->type_off, h->type_len };
	c->strings = (const char *)bytes.ptr + h->hdr_len + h->str_off;
	c->strings_len = h->str_len;
	return !c->strings[c->strings_len - 1];
}

/* One more. false: it is none; rest is empty or as it was. */
static bool next_type(struct cut *c)
{
	const struct btf_type *t = (const void *)c->rest.ptr;
	size_t bytes;

	if (c->rest.len < sizeof(*t) || !kinds[kind_of(t)].known)
		return false;
	bytes = sizeof(*t) + kinds[kind_of(t)].fixed + (size_t)kinds[kind_of(t)].each *
		(t->info & 0xffff);
	if (bytes > c->rest.len)
		return false;
	c->rest = (struct span){ c->rest.ptr + bytes, c->rest.len - bytes };
	c->types[c->n_types++] = t;
	return true;
}

/* Where the types are. Each takes its head at least: there are not more than this has room for. */
static bool begin_types(struct cut *c, struct span types)
{
	c->types = malloc((types.len / sizeof(struct btf_type) + 1) * sizeof(*c->types));
	if (!c->types)
		return false;
	c->types[0] = NULL;
	c->n_types = 1;
	c->rest = types;
	return true;
}

static bool is_there(struct cut *c, u32 id)
{
	while (id >= c->n_types && next_type(c))
		;
	return id < c->n_types;
}

/* ---- making ---- */

static u32 add_name(struct cut *c, u32 off)
{
	const char *name = name_at(c, off);
	u32 at = c->names.len;

	if (!*name)
		return 0;
	str_addn(&c->names, name, strlen(name) + 1);
	return at;
}

static u32 make(struct cut *c, u32 id)
{
	uintptr_t have = (uintptr_t)hmap_get(&c->ids, id);

	if (have)
		return have;
	vec_push(&c->todo, id);
	have = VOID_PTR + c->todo.n;
	hmap_put(&c->ids, id, (void *)have);
	return have;
}

/* The number of a member's type, without names and qualifiers. */
static u32 make_member(struct cut *c, u32 id)
{
	for (int i = 0; i < MAX_CHAIN && id && is_there(c, id); i++) {
		const struct btf_type *t = c->types[id];

		switch (kind_of(t)) {
		case BTF_KIND_TYPEDEF: case BTF_KIND_VOLATILE: case BTF_KIND_CONST:
		case BTF_KIND_RESTRICT: case 18:
			id = t->type;
			break;
		case BTF_KIND_INT: case BTF_KIND_ARRAY: case BTF_KIND_STRUCT: case BTF_KIND_UNION:
		case BTF_KIND_ENUM: case 19:
		case BTF_KIND_FLOAT:
			return make(c, id);
		default:
			return VOID_PTR;
		}
	}
	return VOID_PTR;
}

static void put_type(struct cut *c, u32 name, u32 info, u32 size_or_type)
{
	const struct btf_type t = { .name_off = name, .info = info, { size_or_type } };

	str_addn(&c->made, &t, sizeof(t));
}

static void put_record(struct cut *c, const struct btf_type *t)
{
	const struct btf_member *m = (const void *)(t + 1);

	put_type(c, add_name(c, t->name_off), t->info, t->size);
	for (u32 i = 0; i < (t->info & 0xffff); i++) {
		const struct btf_member made = { .name_off = add_name(c, m[i].name_off),
						 .type = make_member(c, m[i].type),
						 .offset = m[i].offset };

		str_addn(&c->made, &made, sizeof(made));
	}
}

/* Values of enums are left out: only what is read of memory matters. */
static void put(struct cut *c, const struct btf_type *t)
{
	struct btf_array a;

	switch (kind_of(t)) {
	case BTF_KIND_STRUCT: case BTF_KIND_UNION:
		put_record(c, t);
		break;
	case BTF_KIND_ARRAY:
		a = *(const struct btf_array *)(t + 1);
		a.type = make_member(c, a.type);
		a.index_type = make_member(c, a.index_type);
		put_type(c, 0, t->info, 0);
		str_addn(&c->made, &a, sizeof(a));
		break;
	case BTF_KIND_INT:
		put_type(c, add_name(c, t->name_off), t->info, t->size);
		str_addn(&c->made, t + 1, 4);
		break;
	default:
		put_type(c, add_name(c, t->name_off), t->info & ~0xffffu, t->size);
	}
}

/* ---- what is wanted ---- */

/* false: not all types could be read, and were to be. */
static bool find_wanted(struct cut *c, const struct kbtf_wants *w)
{
	struct strmap records = { .n = 0 }, typedefs = { .n = 0 };
	size_t n = 0;

	for (size_t i = 0; i < w->n_records; i++)
		strmap_put(&records, w->records[i], c);
	for (size_t i = 0; i < w->n_typedefs; i++) {
		w->typedefs[i].id = 0;
		strmap_put(&typedefs, w->typedefs[i].name, &w->typedefs[i]);
	}
	for (u32 id = 1; !(w->first && n == w->n_records) && is_there(c, id); id++) {
		const struct btf_type *t = c->types[id];
		struct kbtf_typedef *def;

		if (!t->name_off)
			continue;
		if (is_record(t) && strmap_get(&records, name_at(c, t->name_off))) {
			make(c, id);
			n++;
		}
		def = kind_of(t) == BTF_KIND_TYPEDEF ?
			strmap_get(&typedefs, name_at(c, t->name_off)) : NULL;
		if (def)
			def->id = id;
	}
	strmap_release(&records);
	strmap_release(&typedefs);
	return (w->first && n == w->n_records) || !c->rest.len;
}

bool kbtf_cut(struct span vmlinux, const struct kbtf_wants *w, struct str *out)
{
	struct cut c = { .n_types = 0 };
	struct btf_header h = { .magic = BTF_MAGIC, .version = BTF_VERSION, .hdr_len = sizeof(h) };
	struct span types;
	const bool ok = find_sections(&c, vmlinux, &types) && begin_types(&c, types) &&
		find_wanted(&c, w);

	if (ok) {
		str_addn(&c.names, "", 1);
		put_type(&c, 0, (u32)BTF_KIND_PTR << 24, 0);
		for (size_t i = 0; i < c.todo.n; i++)
			put(&c, c.types[c.todo.v[i]]);
		h.type_len = c.made.len;
		h.str_off = c.made.len;
		h.str_len = c.names.len;
		str_addn(out, &h, sizeof(h));
		str_addn(out, c.made.buf, c.made.len);
		str_addn(out, c.names.buf, c.names.len);
	}
	free(c.types);
	hmap_release(&c.ids);
	vec_free(&c.todo);
	str_release(&c.made);
	str_release(&c.names);
	return ok;
}

/* Since Linux 6.16 it can be mapped; to read it takes 4096 bytes a call, whatever is asked for. */
static bool cut_mapped(const char *path, const struct kbtf_wants *w, struct str *out, bool *ok)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *p;

	if (fd < 0 || fstat(fd, &st) || st.st_size <= 0)
		p = MAP_FAILED;
	else
		p = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (p == MAP_FAILED)
		return false;
	*ok = kbtf_cut((struct span){ p, st.st_size }, w, out);
	munmap(p, st.st_size);
	return true;
}

int kbtf_cut_running(const struct os *os, const struct kbtf_wants *w, struct str *out,
		     struct err *err)
{
	char *path = os_path(os, OS_BTF);
	struct str text = STR_INIT;
	bool ok = false;
	int ret = 0;

	if (!cut_mapped(path, w, out, &ok)) {
		ret = os_read_file(os, OS_BTF, &text, err);
		if (ret == -ENOENT)
			os_bpf_hint(os, ENOENT, err);
		ok = !ret && kbtf_cut((struct span){ (const void *)text.buf, text.len }, w, out);
	}
	if (!ret && !ok)
		ret = err_set(err, EINVAL, "the kernel's type information in '%s' is of a kind "
					   "that is not known", path);
	str_release(&text);
	free(path);
	return ret;
}
