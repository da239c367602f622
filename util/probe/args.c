// SPDX-License-Identifier: GPL-2.0-or-later
// Arguments: "state->p[0].x:u32" compiled to what the kernel fetches ("+16(+8(%di)):u32").
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "util/base/xalloc.h"
#include "util/probe/probe-priv.h"

struct acc {		/* the object that an expression has come to */
	struct pctx *c;
	const struct probe_arg *a;
	Dwarf_Die var, type;
	bool has_type;
	int dims;		/* of an array: subscripts already taken */
	struct ploc loc;
	int bit_off, bit_size;	/* of a bit field, from the start of the object at loc */
	/* offset within the variable before any dereference, for variables in pieces */
	u64 first_off;
	bool derefed;
	bool dry;		/* only types are wanted: nothing is reported */
	struct err *err;
};

static bool is_raw(const char *e)
{
	if (!strcmp(e, "$vars") || !strcmp(e, "$params"))
		return false;
	return strchr("%$@\\", e[0]) || ((e[0] == '+' || e[0] == '-') &&
					 (isdigit((unsigned char)e[1]) || e[1] == 'u'));
}

bool args_need_dwarf(const struct probe_spec *s)
{
	for vec_each(a, &s->args)
		if (!is_raw(a->expr))
			return true;
	return false;
}

/* --- names, unique within the event */

struct names {
	VEC(char *) v;
};

static void names_release(struct names *n)
{
	for vec_each(s, &n->v)
		free(*s);
	vec_free(&n->v);
}

static bool taken(const struct names *n, const char *s)
{
	for vec_each(x, &n->v)
		if (!strcmp(*x, s))
			return true;
	return false;
}

static const char *unique_name(struct names *n, const char *want)
{
	struct str s = STR_INIT;

	for (const char *p = want; *p; p++)
		str_addch(&s, isalnum((unsigned char)*p) || *p == '_' ? *p : '_');
	if (!s.len || isdigit((unsigned char)s.buf[0])) {
		char *t = str_detach(&s);

		str_addf(&s, "_%s", t);
		free(t);
	}
	if (s.len > 28) {
		s.len = 28;
		s.buf[28] = 0;
	}
	char *base = str_detach(&s), *name = xstrdup(base);

	for (int i = 1; taken(n, name) && i < 1000; i++) {
		free(name);
		name = xasprintf("%s_%d", base, i);
	}
	free(base);
	vec_push(&n->v, name);
	return name;
}

/* --- what the kernel takes as it is */

static int one_raw(const struct probe_arg *a, bool ret, struct names *names, probe_fetches *out,
		   struct err *err)
{
	if (!ret && !strcmp(a->expr, "$retval"))
		return err_set(err, EINVAL, "'$retval' is known at the return only: use "
					    "FUNCTION%%return");
	struct probe_fetch *f = vec_add(out);

	f->name = a->name ? xstrdup(unique_name(names, a->name)) : NULL;
	f->type = a->type ? xstrdup(a->type) : NULL;
	fetch_value(f, strcmp(a->expr, "$args") ? a->expr : "$arg*");
	return 0;
}

/* --- steps */

static int type_error(struct acc *x, const char *fmt, const char *what)
{
	struct str t = STR_INIT;

	if (x->has_type)
		type_name(&x->type, &t);
	else
		str_add(&t, "void");
	err_set(x->err, EINVAL, fmt, x->a->expr, what, str_cstr(&t));
	if (!x->has_type) {
		char *part = pobj_missing_part(x->c->obj);

		if (part)
			err_hint(x->err, "types stand in '%s', which is missing", part);
		free(part);
	}
	str_release(&t);
	return -EINVAL;
}

static void member_hint(struct acc *x, Dwarf_Die *type, const char *name)
{
	VEC(const char *) v = { 0 };
	struct str all = STR_INIT;
	Dwarf_Die m;
	const char *near;

	if (!dwarf_child(type, &m))
		do
			if (dwarf_tag(&m) == DW_TAG_member && dwarf_diename(&m))
				vec_push(&v, dwarf_diename(&m));
		while (!dwarf_siblingof(&m, &m));
	near = nearest_name(name, v.v, v.n);
	for (size_t i = 0; i < v.n && i < 20; i++)
		str_addf(&all, "%s%s", i ? ", " : "", v.v[i]);
	if (near)
		err_hint(x->err, "did you mean '%s'?", near);
	else if (all.len)
		err_hint(x->err, "its members: %s%s", all.buf, v.n > 20 ? "..." : "");
	str_release(&all);
	vec_free(&v);
}

/* The value becomes a place: what a pointer points to. */
static int go_through(struct acc *x, const char *what)
{
	if (ploc_deref(&x->loc)) {
		x->derefed = true;
		return 0;
	}
	if (x->loc.kind == LOC_NONE)
		return err_set(x->err, ENOENT, "cannot read '%s': %s", x->a->expr, x->loc.reason);
	return type_error(x, "'%s': cannot go through %s: the value is a constant, or too many "
			     "pointers follow (%s)", what);
}

/* Languages whose dot follows pointers. */
static bool dots_go_through(struct pctx *c)
{
	int lang = dwarf_srclang(&c->unit->die);

	return lang == DW_LANG_Go || lang == DW_LANG_Rust || lang == DW_LANG_D ||
		lang == DW_LANG_Swift;
}

static int take_member(struct acc *x, const char *name, bool arrow)
{
	Dwarf_Die t, m;
	u64 off = 0, size, bits;
	int tag, ret;

	if (!x->has_type || !type_strip(&x->type, &t))
		return type_error(x, "'%s': nothing has a member '%s' here: the type is %s", name);
	tag = dwarf_tag(&t);
	if (tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
	    tag == DW_TAG_rvalue_reference_type) {
		if (!arrow && tag == DW_TAG_pointer_type && !dots_go_through(x->c))
			return type_error(x, "'%s': member '%s' must be written with '->', as %s "
					     "is a pointer", name);
		ret = go_through(x, name);
		if (ret)
			return ret;
		if (!type_of(&t, &x->type) || !type_strip(&x->type, &t))
			return type_error(x, "'%s': no member '%s' after a %s", name);
	} else if (arrow) {
		return type_error(x, "'%s': member '%s' must be written with '.', as %s is no "
				     "pointer", name);
	}
	if (!type_is_struct(&t))
		return type_error(x, "'%s': no member '%s': %s is neither struct nor union", name);
	if (!type_complete(x->c->obj, &t))
		return type_error(x, "'%s': no member '%s' is known: %s is declared here but "
				     "defined nowhere", name);
	if (!type_member(&t, name, &m, &off, 0)) {
		x->type = t;
		type_error(x, "'%s': no member '%s' in %s", name);
		member_hint(x, &t, name);
		return -EINVAL;
	}
	x->bit_size = 0;
	if (!type_of(&m, &x->type))
		return type_error(x, "'%s': member '%s' has no type (%s)", name);
	if (die_const(&m, DW_AT_bit_size, &bits)) {
		u64 at, container = type_bytes(&x->type);

		if (!die_const(&m, DW_AT_data_bit_offset, &at)) {
			u64 be = 0;

			die_const(&m, DW_AT_byte_size, &container);
			die_const(&m, DW_AT_bit_offset, &be);
			at = off * 8 + container * 8 - be - bits;
		}
		x->bit_size = bits;
		size = container ? container : 4;
		if (at % (size * 8) + bits > size * 8)
			size = 8;
		off = at / (size * 8) * size;
		x->bit_off = at % (size * 8);
	}
	if (!x->derefed)
		x->first_off += off;
	ploc_add(&x->loc, off);
	x->dims = 0;
	return 0;
}

static int walk_fields(struct acc *x, const char *p, struct str *last);

/* Reading past the end may be meant, "char name[1]" being what it is, but is reported. */
static void note_bounds(struct acc *x, Dwarf_Die *array, s64 index)
{
	u64 count = array_count(array, x->dims);

	if (x->c->notes && !x->dry && (index < 0 || (count > 1 && (u64)index >= count)))
		add_note(x->c->notes, "'%s': element %lld is outside of the array, which has %llu",
			 x->a->expr, (long long)index,
			 (unsigned long long)count);
}

/* x->type is a sequence kept as a structure: it becomes the pointer to its elements. */
static int enter_sequence(struct acc *x, struct fat *f, Dwarf_Die *element)
{
	struct str ignored = STR_INIT;
	int ret = walk_fields(x, f->data.buf, &ignored);

	str_release(&ignored);
	if (!ret && f->has_element)
		*element = f->element;
	else if (!ret && (!type_strip(&x->type, element) || !type_of(element, element)))
		ret = type_error(x, "'%s': no element can be taken%s: the type is %s", "");
	return ret;
}

static int take_element(struct acc *x, s64 index)
{
	Dwarf_Die t, element;
	struct fat f;
	u64 bytes;
	int n, ret;

	if (!x->has_type || !type_strip(&x->type, &t))
		return type_error(x, "'%s': no element can be taken%s: the type is %s", "");
	if (fat_type(x->c, &t, &f)) {
		ret = enter_sequence(x, &f, &element);
		fat_release(&f);
		if (!ret)
			ret = go_through(x, "[]");
		if (ret)
			return ret;
		x->type = element;
		bytes = type_bytes(&element);
	} else if (dwarf_tag(&t) == DW_TAG_array_type) {
		bytes = array_element_bytes(&t, x->dims, &n);
		note_bounds(x, &t, index);
		if (++x->dims == n) {
			type_of(&t, &x->type);
			x->dims = 0;
		}
	} else if (dwarf_tag(&t) == DW_TAG_pointer_type) {
		ret = go_through(x, "[]");
		if (ret)
			return ret;
		x->has_type = type_of(&t, &x->type);
		bytes = x->has_type ? type_bytes(&x->type) : 0;
	} else {
		return type_error(x, "'%s': no element can be taken%s: %s is neither array nor "
				     "pointer", "");
	}
	if (!bytes)
		return type_error(x, "'%s': the size of elements%s of %s is not known", "");
	if (!x->derefed)
		x->first_off += index * bytes;
	ploc_add(&x->loc, index * (s64)bytes);
	return 0;
}

/* --- variables */

static bool var_named(Dwarf_Die *scope, const char *name, Dwarf_Die *out)
{
	Dwarf_Die d;

	if (dwarf_child(scope, &d))
		return false;
	do {
		int tag = dwarf_tag(&d);
		const char *n = tag == DW_TAG_variable || tag == DW_TAG_formal_parameter ?
			dwarf_diename(&d) : NULL;

		if (n && !strcmp(n, name)) {
			*out = d;
			return true;
		}
	} while (!dwarf_siblingof(&d, &d));
	return false;
}

static bool global_in(Dwarf_Die *scope, const char *name, const char *last, Dwarf_Die *out,
		      int depth)
{
	Dwarf_Die d;

	if (depth > 16 || dwarf_child(scope, &d))
		return false;
	do {
		int tag = dwarf_tag(&d);

		if (tag == DW_TAG_variable && dwarf_hasattr_integrate(&d, DW_AT_location)) {
			const char *n = dwarf_diename(&d);

			if (n && !strcmp(n, last)) {
				char *q = name != last ? die_qualified_name(&d) : NULL;
				bool ok = !q || !strcmp(q, name) || str_has_suffix(q, name);

				free(q);
				if (ok) {
					*out = d;
					return true;
				}
			}
		}
		if ((tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
		     tag == DW_TAG_structure_type) &&
		    global_in(&d, name, last, out, depth + 1))
			return true;
	} while (!dwarf_siblingof(&d, &d));
	return false;
}

/* Declared here and defined elsewhere: what there is of it is its type, and perhaps a symbol. */
static bool declared_in(Dwarf_Die *unit, const char *name, Dwarf_Die *out)
{
	Dwarf_Die d;

	if (dwarf_child(unit, &d))
		return false;
	do {
		const char *n = dwarf_tag(&d) == DW_TAG_variable &&
			dwarf_hasattr(&d, DW_AT_declaration) ? dwarf_diename(&d) : NULL;

		if (n && !strcmp(n, name)) {
			*out = d;
			return true;
		}
	} while (!dwarf_siblingof(&d, &d));
	return false;
}

static bool find_var(struct pctx *c, const char *name, Dwarf_Die *out)
{
	const char *last = name;
	u8 *marks;
	bool ok = false;

	for vec_each(s, &c->scopes)
		if (var_named(s, name, out))
			return true;
	for (const char *q = name; (q = strstr(q, "::")); q += 2)
		last = q + 2;
	if (global_in(&c->unit->die, name, last, out, 0))
		return true;
	marks = pobj_candidates(c->obj, last, FIND_VAR);
	for (size_t i = 0; i < c->obj->units.all.n && !ok; i++)
		ok = marks[i] && punit_open(c->obj, &c->obj->units.all.v[i]) &&
		     global_in(&c->obj->units.all.v[i].die, name, last, out, 0);
	free(marks);
	return ok || declared_in(&c->unit->die, name, out);
}

void visible_vars(struct pctx *c, bool params_only, die_vec *out)
{
	for vec_each(s, &c->scopes) {
		Dwarf_Die d;

		if (dwarf_child(s, &d))
			continue;
		do {
			int tag = dwarf_tag(&d);
			const char *n = dwarf_diename(&d);
			bool seen = false;

			if ((tag != DW_TAG_formal_parameter &&
			     (params_only || tag != DW_TAG_variable)) || !n)
				continue;
			for vec_each(o, out) {
				const char *on = dwarf_diename(o);

				seen = seen || (on && !strcmp(on, n));
			}
			if (!seen)
				vec_push(out, d);
		} while (!dwarf_siblingof(&d, &d));
		/* parameters are those of one function, not of what is inlined in it or calls it */
		if (params_only && dwarf_tag(s) != DW_TAG_lexical_block)
			break;
	}
}

/* Lines of the function where the variable can be read. */
static void hint_live_lines(struct pctx *c, Dwarf_Die *var, const char *name, struct err *err)
{
	Dwarf_Attribute a;
	Dwarf_Addr base, lo, hi;
	Dwarf_Op *ops;
	size_t n;
	ptrdiff_t off = 0;
	int decl = 0;
	u32 first = UINT32_MAX, last = 0;
	pline_vec lines = { 0 };
	Dwarf_Die *fn = c->scopes.n ? vec_last(&c->scopes) : NULL;

	if (!fn || !dwarf_attr_integrate(var, DW_AT_location, &a) || dwarf_decl_line(fn, &decl))
		return;
	unit_lines(c->unit, die_decl_file(fn), &lines);
	while ((off = dwarf_getlocations(&a, off, &base, &lo, &hi, &ops, &n)) > 0) {
		struct pctx at = *c;
		struct ploc l;

		for vec_each(x, &lines) {
			if (x->addr < lo || x->addr >= hi || (int)x->line < decl ||
			    dwarf_haspc(fn, x->addr) <= 0)
				continue;
			at.addr = x->addr;
			ploc_of_var(&at, var, 0, &l);
			if (l.kind == LOC_NONE)
				continue;
			first = x->line < first ? x->line : first;
			last = x->line > last ? x->line : last;
		}
	}
	vec_free(&lines);
	if (last && first == last)
		err_hint(err, "it can be read at line %u of the function only (-V FUNCTION --range "
			      "shows where)", first - decl);
	else if (last)
		err_hint(err, "it can be read at lines %u to %u of the function; -V FUNCTION "
			      "--range shows where '%s' is live",
			 first - decl, last - decl, name);
}

bool hint_function(struct probe_obj *p, const char *name, struct err *err)
{
	if (!pobj_symbol(p, name))
		return false;
	err_hint(err, "'%s' is a function, and words after a definition are its arguments: each "
		      "further probe wants an -a of its own "
		 "(-a %s)", name, name);
	return true;
}

static int no_such_var(struct pctx *c, const char *name, struct err *err)
{
	die_vec all = { 0 };
	VEC(const char *) names = { 0 };
	struct str s = STR_INIT;
	const char *near;

	visible_vars(c, false, &all);
	for vec_each(d, &all) {
		vec_push(&names, dwarf_diename(d));
		if (s.len < 200)
			str_addf(&s, "%s%s", s.len ? ", " : "", dwarf_diename(d));
	}
	near = nearest_name(name, names.v, names.n);
	err_set(err, ENOENT, "no variable '%s' is in scope at this address", name);
	if (c->obj->kernel && pobj_data_symbol(c->obj, name))
		err_hint(err, "the kernel has a symbol '%s': write '@%s:x64', or another type",
			 name, name);
	else if (hint_function(c->obj, name, err))
		;
	else if (near)
		err_hint(err, "did you mean '%s'? In scope: %s", near, str_cstr(&s));
	else
		err_hint(err, "in scope: %s", s.len ? str_cstr(&s) : "none");
	str_release(&s);
	vec_free(&names);
	vec_free(&all);
	return -ENOENT;
}

static size_t name_len(const char *e)
{
	size_t n = 0;

	while (e[n] && (isalnum((unsigned char)e[n]) || e[n] == '_' ||
			(unsigned char)e[n] >= 0x80 || (e[n] == ':' && e[n + 1] == ':')))
		n += e[n] == ':' ? 2 : 1;
	return n;
}

static int walk_fields(struct acc *x, const char *p, struct str *last)
{
	while (*p) {
		bool arrow = p[0] == '-' && p[1] == '>';
		int ret;

		if (*p == '[') {
			char *end;
			s64 i = strtoll(p + 1, &end, 0);

			if (end == p + 1 || *end != ']')
				return err_set(x->err, EINVAL, "'%s': a number and ']' must follow "
							       "'['", x->a->expr);
			ret = take_element(x, i);
			p = end + 1;
		} else if (*p == '.' || arrow) {
			p += arrow ? 2 : 1;
			size_t n = name_len(p);
			char *name = xstrndup(p, n);

			if (n) {
				str_reset(last);
				str_add(last, name);
			}
			ret = n ? take_member(x, name, arrow) :
				  err_set(x->err, EINVAL, "'%s': the name of a member must follow "
							  "'%s'", x->a->expr, arrow ? "->" : ".");
			free(name);
			p += n;
		} else {
			return err_set(x->err, EINVAL, "'%s': '%s' is not understood", x->a->expr,
				       p);
		}
		if (ret)
			return ret;
	}
	return 0;
}

/* --- the type that the kernel is reported */

static bool is_string_type(const char *t)
{
	return t && (!strcmp(t, "string") || !strcmp(t, "ustring") || !strcmp(t, "symstr"));
}

static int as_string(struct acc *x)
{
	Dwarf_Die t, to;
	int tag;

	if (!x->has_type || !type_strip(&x->type, &t))
		return type_error(x, "'%s' cannot be shown as a string%s: its type is %s", "");
	tag = dwarf_tag(&t);
	if (tag == DW_TAG_array_type && type_of(&t, &to) && type_is_char(&to))
		return x->loc.kind == LOC_MEM ? 0 : type_error(x,
							       "'%s' cannot be shown as a "
							       "string%s: it is not in memory (%s)",
							       "");
	if (tag == DW_TAG_pointer_type && (!type_of(&t, &to) || type_is_char(&to) ||
					   (type_strip(&to, &to) && !type_bytes(&to))))
		return go_through(x, "the pointer");
	type_error(x, "'%s' cannot be shown as a string%s: %s is neither array of nor pointer to "
		      "char", "");
	err_hint(x->err, "write '%s' without ':%s': its type says how it is shown", x->a->expr,
		 x->a->type);
	return -EINVAL;
}

static void bits_type(int bits, int off, u64 container, struct str *out)
{
	str_addf(out, "b%d@%d/%d", bits, off, (int)container * 8);
}

static void default_type(struct acc *x, struct str *out)
{
	Dwarf_Die t;
	Dwarf_Attribute a;
	Dwarf_Word enc = 0;
	u64 bytes;
	int tag;
	char sign = 'x';

	if (!x->has_type || !type_strip(&x->type, &t))
		return;
	tag = dwarf_tag(&t);
	bytes = type_bytes(&t);
	if (x->bit_size) {
		u64 size = bytes ? bytes : 4;

		if (x->bit_off + x->bit_size > (int)size * 8)
			size = 8;
		bits_type(x->bit_size, x->bit_off, size, out);
		return;
	}
	if (tag == DW_TAG_array_type || tag == DW_TAG_subroutine_type || !bytes)
		return;
	if ((tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type) && dwarf_bytesize(&t) < 0)
		return;		/* the kernel's default */
	if (tag == DW_TAG_base_type && !dwarf_formudata(dwarf_attr(&t, DW_AT_encoding, &a), &enc) &&
	    (enc == DW_ATE_signed || enc == DW_ATE_signed_char))
		sign = 's';
	if (bytes > 8 && x->c->notes)
		add_note(x->c->notes, "'%s' has %llu bytes: the first 8 are fetched; name a "
				      "member, or give a type", x->a->expr,
			 (unsigned long long)bytes);
	bytes = bytes >= 8 ? 8 : bytes >= 4 ? 4 : bytes >= 2 ? 2 : 1;
	if (x->loc.kind == LOC_REG && x->loc.bit_off) {
		bits_type(bytes * 8, x->loc.bit_off, 8, out);
		return;
	}
	str_addf(out, "%c%d", sign, (int)bytes * 8);
}

static int check_reachable(struct acc *x, const char *name)
{
	if (x->loc.kind == LOC_NONE) {
		err_set(x->err, ENOENT, "cannot read '%s': %s", name, x->loc.reason);
		if (!x->first_off)
			hint_live_lines(x->c, &x->var, name, x->err);
		return -ENOENT;
	}
	if (x->loc.kind == LOC_VALUE) {
		err_set(x->err, ENOENT, "cannot read '%s': its value is computed from a register, "
					"which the kernel cannot do", name);
		hint_live_lines(x->c, &x->var, name, x->err);
		return -ENOENT;
	}
	if (!ploc_named(x->c, &x->loc))
		return err_set(x->err, ENOENT, "cannot read '%s': it is in register %d of DWARF, "
					       "which the kernel cannot fetch "
			       "(floating point or vector)", name, x->loc.reg);
	if (x->loc.kind == LOC_REG && x->loc.bit_off >= 64)
		return err_set(x->err, ENOENT, "cannot read '%s': it is past the end of its "
					       "register", name);
	return 0;
}

/* The fields of x's type, wherever the variable may be: what comes of it is its type and
 * offsets. last: as of walk_fields(). */
static bool walk_types(struct acc *x, const char *fields, struct str *last)
{
	struct err ignored = ERR_INIT;
	bool ok;

	x->err = &ignored;
	x->dry = true;
	x->loc = (struct ploc){ .kind = LOC_MEM, .n_refs = 1 };
	ok = x->has_type && !walk_fields(x, fields, last) && x->has_type;
	err_release(&ignored);
	x->err = NULL;
	return ok;
}

/* The first part of a variable is gone, but the wanted one may be there: the place becomes any
 * that can be walked. */
static bool other_piece(struct acc *x, const char *fields)
{
	struct acc types = *x;
	struct str last = STR_INIT;
	struct ploc there = { .kind = LOC_NONE };

	if (walk_types(&types, fields, &last) && types.first_off)
		ploc_of_var(x->c, &x->var, types.first_off, &there);
	str_release(&last);
	if (there.kind == LOC_NONE || !there.in_piece)
		return false;
	x->loc = there;
	return true;
}

/* Variables in pieces are looked up again once the offset of the wanted part is known. */
static int locate(struct acc *x, const char *name, const char *fields, struct str *last)
{
	struct acc first = *x;
	u64 off;
	int ret;

	ploc_of_var(x->c, &x->var, 0, &x->loc);
	if (x->loc.kind == LOC_NONE && !other_piece(x, fields))
		return check_reachable(x, name);
	ret = walk_fields(x, fields, last);
	if (ret || (!x->loc.in_piece && x->derefed) || !x->first_off)
		return ret;
	off = x->first_off;
	ploc_of_var(x->c, &x->var, off, &first.loc);
	if (!first.loc.in_piece && first.loc.kind != LOC_NONE)
		return 0;	/* not in pieces */
	/* the piece is the part itself: its offset must not be added again */
	if (first.loc.kind == LOC_NONE)
		x->loc = first.loc;
	else if (!x->derefed)
		x->loc = first.loc;
	return 0;
}

static int one_var(struct pctx *c, const struct probe_arg *a, struct names *names,
		   probe_fetches *out, struct err *err);

/* The type of what the expression names, wherever it may be. */
static bool type_of_expr(struct pctx *c, const struct probe_arg *a, Dwarf_Die *var,
			 const char *fields, Dwarf_Die *type)
{
	struct acc x = { .c = c, .a = a, .var = *var };
	struct str last = STR_INIT;
	bool ok;

	x.has_type = type_of(&x.var, &x.type);
	ok = walk_types(&x, fields, &last);
	*type = x.type;
	str_release(&last);
	return ok;
}

/* "s" of "s", "name" of "p->name". */
static const char *last_name(const char *expr)
{
	const char *p = expr + strlen(expr);

	while (p > expr && (isalnum((unsigned char)p[-1]) || p[-1] == '_'))
		p--;
	return p;
}

/* "s:string" of such a structure: its text, and how much of it counts where no NUL ends it. */
static int fat_string(struct pctx *c, const struct probe_arg *a, const struct fat *f,
		      struct names *names, probe_fetches *out, struct err *err)
{
	struct probe_arg text = *a, length = { .pos = a->pos };
	int ret;

	text.expr = xasprintf("%s%s", a->expr, f->data.buf);
	text.name = xstrdup(a->name ? a->name : last_name(a->expr));
	length.expr = xasprintf("%s%s", a->expr, str_cstr(&f->length));
	length.name = xasprintf("%s_len", text.name);
	ret = one_var(c, &text, names, out, err);
	if (!ret && !f->ended && f->length.len) {
		ret = one_var(c, &length, names, out, err);
		if (!ret && c->notes)
			add_note(c->notes, "nothing ends the text of '%s': its first '%s' bytes "
					   "count", text.name, length.name);
	}
	free(text.expr);
	free(text.name);
	free(length.expr);
	free(length.name);
	return ret;
}

/* The default name of an argument: its last member, or the variable and its type. */
static const char *arg_name(struct acc *x, const char *var, struct str *last, struct names *names)
{
	if (x->a->name)
		return unique_name(names, x->a->name);
	if (!last->len)
		str_addf(last, x->a->type ? "%s_%s" : "%s", var, x->a->type);
	for (char *q; (q = strstr(last->buf, "::"));)
		memmove(last->buf, q + 2, strlen(q + 2) + 1);
	return unique_name(names, str_cstr(last));
}

/* The argument with that name, of the type that was asked for or else that the variable has. */
static struct probe_fetch *add_fetch(struct acc *x, const char *name, probe_fetches *out)
{
	struct probe_fetch *f = vec_add(out);
	struct str type = STR_INIT;

	f->name = xstrdup(name);
	if (x->a->type)
		str_add(&type, x->a->type);
	else
		default_type(x, &type);
	f->type = type.len ? str_detach(&type) : NULL;
	str_release(&type);
	return f;
}

static int plain_var(struct acc *x, const char *name, const char *fields, struct names *names,
		     probe_fetches *out)
{
	struct str last = STR_INIT;
	int ret;

	x->has_type = type_of(&x->var, &x->type);
	ret = locate(x, name, fields, &last);
	if (!ret)
		ret = check_reachable(x, x->a->expr);
	if (!ret && is_string_type(x->a->type))
		ret = as_string(x);
	if (!ret && x->dims && !x->a->type)
		x->has_type = false;	/* a row of an array: its first bytes */
	if (!ret)
		ploc_fetch(x->c, &x->loc, x->a->user,
			   add_fetch(x, arg_name(x, name, &last, names), out));
	str_release(&last);
	return ret;
}

static int one_var(struct pctx *c, const struct probe_arg *a, struct names *names,
		   probe_fetches *out, struct err *err)
{
	struct acc x = { .c = c, .a = a, .err = err };
	size_t n = name_len(a->expr);
	char *name = xstrndup(a->expr, n);
	Dwarf_Die type;
	struct fat f;
	int ret;

	if (!n) {
		ret = err_set(err, EINVAL, "'%s' is neither a variable nor what the kernel can "
					   "fetch (%%register, $retval, $stackN, "
			      "@address, +offset(...))", a->expr);
		if (a->expr[0] == '*' && name_len(a->expr + 1) == strlen(a->expr + 1) && a->expr[1])
			err_hint(err, "what it points to is written as '%s[0]', and a member of it "
				      "as '%s->MEMBER'", a->expr + 1,
				 a->expr + 1);
	} else if (!find_var(c, name, &x.var)) {
		ret = no_such_var(c, name, err);
	} else if (is_string_type(a->type) && type_of_expr(c, a, &x.var, a->expr + n, &type) &&
		   fat_type(c, &type, &f)) {
		ret = fat_string(c, a, &f, names, out, err);
		fat_release(&f);
	} else {
		ret = plain_var(&x, name, a->expr + n, names, out);
	}
	free(name);
	return ret;
}

/* All that can be read, as one argument each. */
static void all_vars(struct pctx *c, bool params_only, const struct probe_arg *like,
		     struct names *names, probe_fetches *out)
{
	die_vec vars = { 0 };

	visible_vars(c, params_only, &vars);
	for vec_each(d, &vars) {
		struct probe_arg a = *like;

		a.expr = xstrdup(dwarf_diename(d));
		a.name = NULL;
		one_var(c, &a, names, out, NULL);
		free(a.expr);
	}
	vec_free(&vars);
}

/* Its type, wherever below the scopes it is declared. */
static bool declared_below(Dwarf_Die *die, const char *name, Dwarf_Die *out, int depth)
{
	Dwarf_Die d;

	if (var_named(die, name, out))
		return true;
	if (depth > 8 || dwarf_child(die, &d))
		return false;
	do {
		int tag = dwarf_tag(&d);

		if ((tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) &&
		    declared_below(&d, name, out, depth + 1))
			return true;
	} while (!dwarf_siblingof(&d, &d));
	return false;
}

static bool find_type_only(struct pctx *c, const char *name, Dwarf_Die *out)
{
	Dwarf_Attribute a;
	Dwarf_Die origin;

	if (find_var(c, name, out))
		return true;
	for vec_each(s, &c->scopes)
		if (declared_below(s, name, out, 0) ||
		    (dwarf_attr(s, DW_AT_abstract_origin, &a) && dwarf_formref_die(&a, &origin) &&
		     declared_below(&origin, name, out, 0)))
			return true;
	return false;
}

/* In another copy of the code the variable may be gone: the event's format must be the same, so
 * a mark stands for it. */
static void add_mark(struct pctx *c, const struct probe_arg *a, struct names *names,
		     probe_fetches *out)
{
	struct acc x = { .c = c, .a = a };
	struct str last = STR_INIT;
	size_t n = name_len(a->expr);
	char *name = xstrndup(a->expr, n);

	if (find_type_only(c, name, &x.var))
		x.has_type = type_of(&x.var, &x.type);
	x.has_type = walk_types(&x, a->expr + n, &last);
	add_fetch(&x, arg_name(&x, name, &last, names), out)->base = xstrdup("\\0xdeade12d");
	free(name);
	str_release(&last);
}

static int no_vars_at_return(const struct probe_arg *a, struct err *err)
{
	err_set(err, EINVAL, "'%s': variables cannot be read at a function's return", a->expr);
	err_hint(err, "use $retval here, or probe the entry for '%s' in an event of its own",
		 a->expr);
	return -EINVAL;
}

int compile_args(struct pctx *c, const struct probe_spec *s, bool lenient, probe_fetches *out,
		 int *n_ok, struct err *err)
{
	struct names names = { .v = { 0 } };
	int ret = 0;

	for vec_each(a, &s->args) {
		if (is_raw(a->expr))
			ret = one_raw(a, s->ret, &names, out, err);
		else if (s->ret)
			ret = no_vars_at_return(a, err);
		else if (!strcmp(a->expr, "$vars") || !strcmp(a->expr, "$params"))
			all_vars(c, a->expr[1] == 'p', a, &names, out);
		else
			ret = one_var(c, a, &names, out, err);
		if (ret == -ENOENT && lenient) {
			add_mark(c, a, &names, out);
			ret = 0;
			continue;
		}
		if (ret)
			break;
		(*n_ok)++;
	}
	names_release(&names);
	return ret;
}

int raw_args(const struct probe_spec *s, probe_fetches *out, struct err *err)
{
	struct names names = { .v = { 0 } };
	int ret = 0;

	for vec_each(a, &s->args)
		if (!ret)
			ret = one_raw(a, s->ret, &names, out, err);
	names_release(&names);
	return ret;
}
