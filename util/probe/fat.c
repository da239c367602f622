// SPDX-License-Identifier: GPL-2.0-or-later
// Strings and sequences that languages keep as a structure with a pointer in it: Go's string and
// []T, Rust's &str, String, &[T]
// and Vec<T>, C++'s std::string and std::vector. The pointer is the first one found in the
// structure, however deep: libraries
// rename and nest what is around it from version to version.
#include "util/probe/probe-priv.h"

enum fat_lang { FAT_GO, FAT_RUST, FAT_CXX };

static const struct fat_kind {
	enum fat_lang lang;
	const char *prefix;	/* of the structure's name */
	bool ended;		/* its text ends with a NUL */
} kinds[] = {
	{ FAT_GO, "string", false },
	{ FAT_GO, "[]", false },
	{ FAT_RUST, "&str", false },
	{ FAT_RUST, "&mut str", false },
	{ FAT_RUST, "String", false },
	{ FAT_RUST, "&[", false },
	{ FAT_RUST, "&mut [", false },
	{ FAT_RUST, "Vec<", false },
	{ FAT_RUST, "alloc::boxed::Box<str", false },
	{ FAT_RUST, "Box<str", false },
	{ FAT_CXX, "basic_string<char", true },
	{ FAT_CXX, "vector<", false },
};

static bool lang_is(int dwarf_lang, enum fat_lang lang)
{
	switch (dwarf_lang) {
	case DW_LANG_Go:
		return lang == FAT_GO;
	case DW_LANG_Rust:
		return lang == FAT_RUST;
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
		return lang == FAT_CXX;
	default:
		return false;
	}
}

static const struct fat_kind *kind_of(struct pctx *c, Dwarf_Die *t)
{
	const char *name = type_is_struct(t) ? dwarf_diename(t) : NULL;
	int lang = dwarf_srclang(&c->unit->die);

	for (size_t i = 0; name && i < ARRAY_SIZE(kinds); i++)
		if (lang_is(lang, kinds[i].lang) && str_has_prefix(name, kinds[i].prefix) &&
		    (kinds[i].lang != FAT_GO || kinds[i].prefix[0] == '[' ||
		     !strcmp(name, kinds[i].prefix)))
			return &kinds[i];
	return NULL;
}

static void cut(struct str *s, size_t len)
{
	if (s->len > len) {
		s->len = len;
		s->buf[len] = 0;
	}
}

static bool is_pointer(Dwarf_Die *t)
{
	return dwarf_tag(t) == DW_TAG_pointer_type;
}

static bool is_length(const char *name, Dwarf_Die *t)
{
	return dwarf_tag(t) == DW_TAG_base_type && name &&
		(!strcmp(name, "len") || !strcmp(name, "length"));
}

/* Appends ".a.b" of the first member, in depth, that is a pointer, or the number of elements. */
static bool find_part(Dwarf_Die *type, bool length, struct str *path, int depth)
{
	Dwarf_Die m, t;

	if (depth > 12 || dwarf_child(type, &m))
		return false;
	do {
		const char *name = dwarf_diename(&m);
		size_t before = path->len;
		int tag = dwarf_tag(&m);

		if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
		    dwarf_hasattr(&m, DW_AT_declaration) ||
		    !type_of(&m, &t) || !type_strip(&t, &t))
			continue;
		if (tag == DW_TAG_member && name)
			str_addf(path, ".%s", name);
		if (length ? is_length(name, &t) : is_pointer(&t))
			return true;
		if (type_is_struct(&t) && find_part(&t, length, path, depth + 1))
			return true;
		cut(path, before);
	} while (!dwarf_siblingof(&m, &m));
	return false;
}

/* What a Vec has elements of: its pointer is one to bytes. */
static bool element_type(Dwarf_Die *type, Dwarf_Die *out)
{
	const char *name = dwarf_diename(type);
	Dwarf_Die d;

	if (!name || !str_has_prefix(name, "Vec<") || dwarf_child(type, &d))
		return false;
	do
		if (dwarf_tag(&d) == DW_TAG_template_type_parameter)
			return type_of(&d, out);
	while (!dwarf_siblingof(&d, &d));
	return false;
}

/* ".a.b" of a structure -> "->a.b" of a pointer to it. */
static void by_arrow(struct str *path)
{
	struct str s = STR_INIT;

	if (!path->len)
		return;
	str_addf(&s, "->%s", path->buf + 1);
	str_release(path);
	*path = s;
}

bool fat_type(struct pctx *c, Dwarf_Die *type, struct fat *out)
{
	const struct fat_kind *k;
	bool arrow = false;
	Dwarf_Die t;

	*out = (struct fat){ .data = STR_INIT, .length = STR_INIT };
	if (!type_strip(type, &t))
		return false;
	k = kind_of(c, &t);
	/* a pointer or reference to one; Rust's "&str" is the structure itself */
	if (!k) {
		int tag = dwarf_tag(&t);

		if ((tag != DW_TAG_pointer_type && tag != DW_TAG_reference_type &&
		     tag != DW_TAG_rvalue_reference_type) ||
		    !type_of(&t, &t) || !type_strip(&t, &t))
			return false;
		k = kind_of(c, &t);
		arrow = tag == DW_TAG_pointer_type;
	}
	if (!k || !type_complete(c->obj, &t) || !find_part(&t, false, &out->data, 0)) {
		fat_release(out);
		return false;
	}
	find_part(&t, true, &out->length, 0);
	if (arrow) {
		by_arrow(&out->data);
		by_arrow(&out->length);
	}
	out->ended = k->ended;
	out->has_element = element_type(&t, &out->element);
	return true;
}

void fat_release(struct fat *f)
{
	str_release(&f->data);
	str_release(&f->length);
}
