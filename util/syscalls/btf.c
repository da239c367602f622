// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/syscalls/btf.h"

#include <linux/btf.h>
#include <stdlib.h>

#include "util/base/rd.h"
#include "util/base/vec.h"
#include "util/base/xalloc.h"

#define MAX_DEPTH 6
#define MAX_PLAIN 12		/* so many members are written even if they are 0 */
#define MAX_ELEMS 8
#define MAX_LOOKS 10000		/* members of one value: damaged types may hold themselves */
#define KIND_ENUM64 19
#define KIND_TYPE_TAG 18

struct sys_btf {
	struct str text;
	const u8 *strings;
	u32 strings_len;
	VEC(const struct btf_type *) types;	/* by number; [0] is void */
};

/* Bytes that follow a type's head; -1: an unknown kind. */
static s64 tail_bytes(const struct btf_type *t)
{
	u32 n = BTF_INFO_VLEN(t->info);

	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_INT: case BTF_KIND_VAR: case BTF_KIND_DECL_TAG: return 4;
	case BTF_KIND_ARRAY: return 12;
	case BTF_KIND_STRUCT: case BTF_KIND_UNION: case BTF_KIND_DATASEC:
	case KIND_ENUM64: return 12 * (s64)n;
	case BTF_KIND_ENUM: case BTF_KIND_FUNC_PROTO: return 8 * (s64)n;
	case BTF_KIND_PTR: case BTF_KIND_FWD: case BTF_KIND_TYPEDEF: case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT: case BTF_KIND_FUNC: case BTF_KIND_FLOAT:
	case KIND_TYPE_TAG: return 0;
	}
	return -1;
}

static bool read_types(struct sys_btf *b)
{
	const struct btf_header *h;
	struct rd r, types;

	rd_init(&r, b->text.buf, b->text.len, false);
	h = rd_bytes(&r, sizeof(*h));
	if (!h || h->magic != BTF_MAGIC || h->hdr_len < sizeof(*h) || h->type_off % 4 ||
	    h->hdr_len % 4)
		return false;
	rd_seek(&r, (u64)h->hdr_len + h->str_off);
	b->strings = rd_bytes(&r, h->str_len);
	b->strings_len = h->str_len;
	if (!b->strings || !h->str_len || b->strings[h->str_len - 1])
		return false;
	rd_seek(&r, (u64)h->hdr_len + h->type_off);
	types = rd_sub(&r, h->type_len);
	vec_push(&b->types, NULL);
	while (rd_left(&types)) {
		const struct btf_type *t = rd_bytes(&types, sizeof(*t));
		s64 tail = t ? tail_bytes(t) : -1;

		if (tail < 0 || !rd_bytes(&types, tail))
			return false;
		vec_push(&b->types, t);
	}
	return !rd_failed(&types);
}

struct sys_btf *sys_btf_new(struct str *take)
{
	struct sys_btf *b = xnew(struct sys_btf);

	b->text = *take;
	*take = (struct str)STR_INIT;
	if (read_types(b))
		return b;
	sys_btf_free(b);
	return NULL;
}

void sys_btf_free(struct sys_btf *b)
{
	if (!b)
		return;
	str_release(&b->text);
	vec_free(&b->types);
	free(b);
}

static const char *name_at(const struct sys_btf *b, u32 off)
{
	return off < b->strings_len ? (const char *)b->strings + off : "";
}

/* Without names and qualifiers. NULL: void, or a chain that does not end. */
static const struct btf_type *bare(const struct sys_btf *b, u32 id)
{
	for (int i = 0; i < 32; i++) {
		const struct btf_type *t = id < b->types.n ? b->types.v[id] : NULL;

		if (!t)
			return NULL;
		switch (BTF_INFO_KIND(t->info)) {
		case BTF_KIND_TYPEDEF: case BTF_KIND_VOLATILE: case BTF_KIND_CONST:
		case BTF_KIND_RESTRICT: case KIND_TYPE_TAG:
			id = t->type;
			break;
		default:
			return t;
		}
	}
	return NULL;
}

static bool is_record(const struct btf_type *t)
{
	return BTF_INFO_KIND(t->info) == BTF_KIND_STRUCT || BTF_INFO_KIND(t->info) ==
		BTF_KIND_UNION;
}

/* 0: unknown */
static u64 type_bytes(const struct sys_btf *b, const struct btf_type *t, int depth)
{
	const struct btf_array *a;

	if (!t || depth > MAX_DEPTH)
		return 0;
	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_PTR: return 8;
	case BTF_KIND_ARRAY:
		a = (const void *)(t + 1);
		return type_bytes(b, bare(b, a->type), depth + 1) * a->nelems;
	case BTF_KIND_INT: case BTF_KIND_ENUM: case BTF_KIND_STRUCT: case BTF_KIND_UNION:
	case KIND_ENUM64: case BTF_KIND_FLOAT:
		return t->size;
	}
	return 0;
}

struct dump {
	const struct sys_btf *b;
	const struct syscall_style *style;
	struct str *s;
	struct span bytes;
	int depth;
	unsigned *looks;		/* that are left */
};

/* bits at a bit offset; false: not all of them are there */
static bool get_bits(const struct dump *d, u64 at, unsigned bits, u64 *out)
{
	unsigned __int128 v = 0;
	u64 first = at / 8, n = (at % 8 + bits + 7) / 8;

	if (!bits || bits > 64 || first > d->bytes.len || n > d->bytes.len - first)
		return false;
	memcpy(&v, d->bytes.ptr + first, n);
	v >>= at % 8;
	*out = bits == 64 ? (u64)v : (u64)v & ((1ULL << bits) - 1);
	return true;
}

static void add_record(const struct dump *d, const struct btf_type *t, u64 at, bool inside,
		       unsigned *written);

static const char *enumerator(const struct sys_btf *b, const struct btf_type *t, u64 v)
{
	const struct btf_enum *e = (const void *)(t + 1);

	for (u32 i = 0; BTF_INFO_KIND(t->info) == BTF_KIND_ENUM && i < BTF_INFO_VLEN(t->info); i++)
		if ((u32)e[i].val == (u32)v)
			return name_at(b, e[i].name_off);
	return NULL;
}

static void add_enum(const struct dump *d, const struct btf_type *t, u64 v)
{
	const char *name = enumerator(d->b, t, v);

	if (name)
		str_add_safe(d->s, name);
	else
		str_add_u64(d->s, v);
}

static void add_scalar(const struct dump *d, const struct btf_type *t, u64 v, unsigned bits)
{
	u32 enc = BTF_INFO_KIND(t->info) == BTF_KIND_INT ? BTF_INT_ENCODING(*(const u32 *)(t + 1)) :
		0;

	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_ENUM:
	case KIND_ENUM64:
		add_enum(d, t, v);
		return;
	case BTF_KIND_PTR:
		str_addf(d->s, v ? "%#llx" : "NULL", (unsigned long long)v);
		return;
	}
	if (enc & BTF_INT_SIGNED && bits)
		str_addf(d->s, "%lld", (long long)(v << (64 - bits)) >> (64 - bits));
	else
		str_addf(d->s, v >> 32 ? "%#llx" : "%llu", (unsigned long long)v);
}

/* false: its bytes are not there, and nothing was written */
static bool add_value(const struct dump *d, const struct btf_type *t, u64 at, unsigned bits);

static bool add_array(const struct dump *d, const struct btf_type *t, u64 at)
{
	const struct btf_array *a = (const void *)(t + 1);
	const struct btf_type *elem = bare(d->b, a->type);
	u64 each = type_bytes(d->b, elem, 0), have = at / 8 < d->bytes.len ? d->bytes.len - at / 8 :
		0;
	const u8 *p = d->bytes.ptr + at / 8;

	if (!each || !have)
		return false;
	if (each == 1 && BTF_INFO_KIND(elem->info) == BTF_KIND_INT) {
		u64 n = MIN((u64)a->nelems, have);

		n = strnlen((const char *)p, n);
		syscall_add_quoted(d->s, (struct span){ p, MIN(n, (u64)d->style->max_string) },
				   n > d->style->max_string);
		return true;
	}
	str_addch(d->s, '[');
	for (u64 i = 0; i < a->nelems; i++) {
		if (i)
			str_add(d->s, ", ");
		if (i == MAX_ELEMS || !add_value(d, elem, at + i * each * 8, 0)) {
			str_add(d->s, "...");
			break;
		}
	}
	str_addch(d->s, ']');
	return true;
}

static bool add_value(const struct dump *d, const struct btf_type *t, u64 at, unsigned bits)
{
	struct dump in = *d;
	unsigned written = 0;
	u64 v;

	if (!t || d->depth >= MAX_DEPTH)
		return false;
	in.depth++;
	if (is_record(t)) {
		if (at / 8 >= d->bytes.len)
			return false;
		add_record(&in, t, at, false, &written);
		return true;
	}
	if (BTF_INFO_KIND(t->info) == BTF_KIND_ARRAY)
		return add_array(&in, t, at);
	if (!bits)
		bits = MIN(type_bytes(d->b, t, 0), (u64)8) * 8;
	if (!get_bits(d, at, bits, &v))
		return false;
	add_scalar(d, t, v, bits);
	return true;
}

static bool all_zero(const struct dump *d, u64 at, u64 bits)
{
	const u64 end = MIN((at + bits + 7) / 8, (u64)d->bytes.len);

	for (u64 i = at / 8; i < end; i++)
		if (d->bytes.ptr[i])
			return false;
	return true;
}

static void add_name(const struct dump *d, const char *name, bool first)
{
	if (!first)
		str_add(d->s, ", ");
	if (syscall_values_only(d->style))
		return;
	if (!d->style->strace)
		str_addch(d->s, '.');
	str_add_safe(d->s, name);
	str_add(d->s, d->style->strace ? "=" : ": ");
}

/* One member. false: the bytes end before it */
static bool add_member(const struct dump *d, const struct btf_type *t, const struct btf_member *m,
		       u64 at, unsigned *written)
{
	bool fields = BTF_INFO_KFLAG(t->info);
	const struct btf_type *mt = bare(d->b, m->type);
	u64 from = at + (fields ? BTF_MEMBER_BIT_OFFSET(m->offset) : m->offset);
	unsigned bits = fields ? BTF_MEMBER_BITFIELD_SIZE(m->offset) : 0;
	const char *name = name_at(d->b, m->name_off);
	size_t before = d->s->len;

	if (!mt || from / 8 >= d->bytes.len)
		return mt == NULL;
	if (!*name && is_record(mt) && d->depth < MAX_DEPTH) {	/* its members are ours */
		struct dump in = *d;

		in.depth++;
		add_record(&in, mt, from, true, written);
		return true;
	}
	if (*written >= MAX_PLAIN && all_zero(d, from, bits ? bits : type_bytes(d->b, mt, 0) * 8))
		return true;
	add_name(d, name, !*written);
	if (add_value(d, mt, from, bits)) {
		++*written;
		return true;
	}
	d->s->len = before;
	return false;
}

static bool use_look(const struct dump *d)
{
	if (!*d->looks)
		return false;
	--*d->looks;
	return true;
}

/* Of a union the first member. inside: members of an unnamed struct, without braces */
static void add_record(const struct dump *d, const struct btf_type *t, u64 at, bool inside,
		       unsigned *written)
{
	const struct btf_member *m = (const void *)(t + 1);
	u32 n = BTF_INFO_VLEN(t->info);
	bool cut = false, tight = d->style->strace || syscall_values_only(d->style);

	if (BTF_INFO_KIND(t->info) == BTF_KIND_UNION && n > 1) {
		n = 1;
		cut = !inside;
	}
	if (!inside)
		str_add(d->s, tight ? "{" : "{ ");
	for (u32 i = 0; i < n; i++)
		if (!use_look(d) || !add_member(d, t, &m[i], at, written)) {
			cut = true;
			break;
		}
	if (!inside && cut)
		str_add(d->s, *written ? ", ..." : "...");
	if (!inside)
		str_add(d->s, tight ? "}" : " }");
}

bool sys_btf_add(const struct sys_btf *b, const char *type, struct span bytes,
		 const struct syscall_style *style, struct str *out)
{
	unsigned written = 0, looks = MAX_LOOKS;
	const struct dump d = { .b = b, .style = style, .s = out, .bytes = bytes, .looks = &looks };

	for (size_t i = 1; i < b->types.n; i++) {
		const struct btf_type *t = b->types.v[i];

		if (!is_record(t) || !t->size || strcmp(name_at(b, t->name_off), type) != 0)
			continue;
		add_record(&d, t, 0, false, &written);
		return true;
	}
	return false;
}

const char *sys_btf_enum(const struct sys_btf *b, const char *type, u64 value)
{
	for (size_t i = 1; i < b->types.n; i++) {
		const struct btf_type *t = b->types.v[i];

		if (BTF_INFO_KIND(t->info) == BTF_KIND_ENUM && BTF_INFO_VLEN(t->info) &&
		    !strcmp(name_at(b, t->name_off), type))
			return enumerator(b, t, value);
	}
	return NULL;
}
