// SPDX-License-Identifier: GPL-2.0-or-later
// SDT markers: notes of type 3 named "stapsdt" in .note.stapsdt: address, link-time base,
// semaphore, provider, name, arguments
// ("8@%rdi -4@$5 4@-20(%rbp)").
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "util/base/rd.h"
#include "util/base/xalloc.h"
#include "util/probe/probe-priv.h"

struct marker { u64 addr, base, sem; const char *provider, *name, *args; };
typedef VEC(struct marker) marker_vec;

static void read_markers(struct probe_obj *p, marker_vec *out)
{
	const struct elf_sec *base = elf_find(&p->elf, ".stapsdt.base");
	struct rd r = elf_rd(&p->elf, elf_find(&p->elf, ".note.stapsdt"));
	bool is64 = p->arch->addr_bytes == 8;

	while (rd_left(&r) >= 12) {
		u32 namesz = rd_u32(&r), descsz = rd_u32(&r), type = rd_u32(&r);
		const char *owner = rd_strn(&r, namesz);
		struct marker m;
		struct rd desc;

		rd_align(&r, 4);
		desc = rd_sub(&r, descsz);
		rd_align(&r, 4);
		m.addr = is64 ? rd_u64(&desc) : rd_u32(&desc);
		m.base = is64 ? rd_u64(&desc) : rd_u32(&desc);
		m.sem = is64 ? rd_u64(&desc) : rd_u32(&desc);
		m.provider = rd_cstr(&desc);
		m.name = rd_cstr(&desc);
		m.args = rd_cstr(&desc);
		if (rd_failed(&r))
			break;
		if (type != 3 || !owner || strcmp(owner, "stapsdt") || rd_failed(&desc))
			continue;
		if (base && base->addr != m.base) {	/* moved by prelink */
			m.addr += base->addr - m.base;
			if (m.sem)
				m.sem += base->addr - m.base;
		}
		vec_push(out, m);
	}
}

/* x86 register names of assembly -> the kernel's. */
static bool reg_text(const char *s, size_t n, struct str *out)
{
	static const char *const legacy[] = { "ax", "bx", "cx", "dx", "si", "di", "bp", "sp" };
	char r[8];
	size_t k = 0;

	if (n < 2 || n > 6 || s[0] != '%')
		return false;
	for (size_t i = 1; i < n; i++)
		r[k++] = s[i];
	r[k] = 0;
	for (size_t i = 0; i < ARRAY_SIZE(legacy); i++) {
		const char *l = legacy[i];

		/* rax eax ax al; sil dil bpl spl */
		if (!strcmp(r, l) || ((r[0] == 'r' || r[0] == 'e') && !strcmp(r + 1, l)) ||
		    (i < 4 && r[0] == l[0] && r[1] == 'l' && !r[2]) ||
		    (i >= 4 && !strncmp(r, l, 2) && r[2] == 'l' && !r[3])) {
			str_addf(out, "%%%s", l);
			return true;
		}
	}
	if (r[0] == 'r' && isdigit((unsigned char)r[1])) {
		size_t d = 1 + strspn(r + 1, "0123456789");

		if (!r[d] || (strchr("dwb", r[d]) && !r[d + 1])) {
			str_addf(out, "%%%.*s", (int)d, r);
			return true;
		}
	}
	return false;
}

/* "8@-20(%rbp)" -> "-20(%bp):u64"; false: a form that the kernel cannot fetch. */
static bool arg_fetch(const char *s, size_t n, struct probe_fetch *f)
{
	char *t = xstrndup(s, n), *at = strchr(t, '@'), *op = at ? at + 1 : t, *paren;
	int size = at ? (int)labs(strtol(t, NULL, 10)) : 8;
	char sign = at && t[0] == '-' ? 's' : 'u';
	struct str base = STR_INIT;
	bool ok;

	paren = strchr(op, '(');
	if (op[0] == '$') {
		const char *number = op + 1 + (op[1] == '-');

		str_addf(&base, "\\%s", op + 1);
		ok = *number && !number[strspn(number, "0123456789abcdefABCDEFx")];
	} else if (op[0] == '%') {
		ok = reg_text(op, strlen(op), &base);
	} else if (paren && paren[1] == '%' && !strchr(paren, ',')) {
		char *end = strchr(paren, ')');
		char *num_end;
		long long off = strtoll(op, &num_end, 0);

		ok = end && num_end == paren && reg_text(paren + 1, end - paren - 1, &base);
		if (ok)
			vec_push(&f->refs, xasprintf("%+lld", off));
	} else {
		ok = false;
	}
	if (ok && (size == 1 || size == 2 || size == 4 || size == 8))
		f->type = xasprintf("%c%d", sign, size * 8);
	f->base = ok ? str_detach(&base) : NULL;
	str_release(&base);
	free(t);
	return ok;
}

static int marker_args(const struct marker *m, const struct probe_spec *s, probe_notes *notes,
		       probe_fetches *out)
{
	const char *p = m->args;
	int k = 1;

	for (;; k++) {
		struct probe_fetch f = { .name = NULL };
		size_t n;

		p += strspn(p, " ");
		n = strcspn(p, " ");
		if (!n)
			break;
		if (arg_fetch(p, n, &f)) {
			f.name = xasprintf("arg%d", k);
			vec_push(out, f);
		} else {
			add_note(notes, "argument %d of %%%s cannot be fetched by the kernel: %.*s",
				 k, s->sdt, (int)n, p);
		}
		p += n;
	}
	return 0;
}

static int no_marker(struct probe_obj *p, const struct probe_spec *s, const marker_vec *all,
		     struct err *err)
{
	struct str names = STR_INIT;

	for vec_each(m, all)
		if (names.len < 300)
			str_addf(&names, "%s%%%s:%s", names.len ? ", " : "", m->provider, m->name);
	err_set(err, ENOENT, "no marker '%%%s' in %s", s->sdt, p->path);
	if (names.len)
		err_hint(err, "it has: %s", str_cstr(&names));
	else
		err_hint(err, "it has no SDT markers (section .note.stapsdt)");
	str_release(&names);
	return -ENOENT;
}

int resolve_sdt(struct probe_obj *p, const struct probe_spec *s, int index, probe_defs *out,
		probe_notes *notes, struct err *err)
{
	const char *colon = strchr(s->sdt, ':');
	marker_vec all = { 0 };
	struct probe_spec named = *s;
	size_t before = out->n;

	if (!cache_resolve(p, s, index, out))
		return 0;
	if (p->kernel || !p->has_elf)
		return err_set(err, EINVAL, "'%%%s': markers are in programs and libraries: add -x "
					    "FILE", s->sdt);
	read_markers(p, &all);
	for vec_each(m, &all) {
		char *full = xasprintf("%s:%s", m->provider, m->name),
			*event = probe_event_name(m->name), *group;
		probe_fetches args = { 0 };
		struct str g = STR_INIT;
		u64 sem = 0;

		if (glob_match(colon ? full : m->name, s->sdt)) {
			str_addf(&g, "sdt_%s", m->provider);
			for (char *c = g.buf; *c; c++)
				*c = isalnum((unsigned char)*c) ? *c : '_';
			group = str_detach(&g);
			if (!named.group)
				named.group = group;
			if (s->args.n)
				raw_args(s, &args, NULL);
			else
				marker_args(m, s, notes, &args);
			if (m->sem && !pobj_file_off(p, m->sem, &sem))
				sem = 0;
			add_def(p, &named, index, &(struct def_place){ .addr = m->addr, .event =
								       event, .ref_ctr_off = sem },
				&args, out);
			named.group = s->group;
			free(group);
		}
		fetches_release(&args);
		free(event);
		free(full);
	}
	int ret = out->n == before ? no_marker(p, s, &all, err) : 0;

	vec_free(&all);
	return ret;
}
