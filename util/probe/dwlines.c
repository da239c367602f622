// SPDX-License-Identifier: GPL-2.0-or-later
// Line tables, and source files.
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/xalloc.h"
#include "util/probe/probe-priv.h"

static int by_addr_line(const void *a, const void *b)
{
	const struct pline *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

void unit_lines(struct punit *u, const char *file, pline_vec *out)
{
	Dwarf_Lines *lines;
	size_t n, from = out->n, to;

	if (dwarf_getsrclines(&u->die, &lines, &n))
		return;
	for (size_t i = 0; i < n; i++) {
		Dwarf_Line *l = dwarf_onesrcline(lines, i);
		struct pline p;
		Dwarf_Addr addr;
		bool stmt, end;
		int no;

		if (dwarf_linebeginstatement(l, &stmt) || !stmt || dwarf_lineendsequence(l, &end) ||
		    end ||
		    dwarf_lineno(l, &no) || no <= 0 || dwarf_lineaddr(l, &addr))
			continue;
		p = (struct pline){ addr, no, dwarf_linesrc(l, NULL, NULL) };
		if (p.file && (!file || !strcmp(p.file, file)))
			vec_push(out, p);
	}
	if (out->n == from)
		return;
	qsort(out->v + from, out->n - from, sizeof(*out->v), by_addr_line);
	to = from + 1;
	for (size_t i = from + 1; i < out->n; i++)
		if (out->v[i].addr != out->v[to - 1].addr ||
		    out->v[i].line != out->v[to - 1].line ||
		    strcmp(out->v[i].file, out->v[to - 1].file))
			out->v[to++] = out->v[i];
	out->n = to;
}

/* First statement row of the file at just this address. */
static u32 row_line(struct punit *u, u64 addr, const char *want, const char **file)
{
	Dwarf_Lines *lines;
	size_t n, lo = 0, hi;

	if (dwarf_getsrclines(&u->die, &lines, &n))
		return 0;
	for (hi = n; lo < hi;) {
		size_t mid = lo + (hi - lo) / 2;
		Dwarf_Addr a = 0;

		dwarf_lineaddr(dwarf_onesrcline(lines, mid), &a);
		if (a < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < n; lo++) {
		Dwarf_Line *l = dwarf_onesrcline(lines, lo);
		Dwarf_Addr a = 0;
		bool stmt = false, end = true;
		int no = 0;

		if (dwarf_lineaddr(l, &a) || a != addr)
			return 0;
		dwarf_linebeginstatement(l, &stmt);
		dwarf_lineendsequence(l, &end);
		dwarf_lineno(l, &no);
		if (stmt && !end && no > 0) {
			*file = dwarf_linesrc(l, NULL, NULL);
			if (!want || (*file && !strcmp(*file, want)))
				return no;
		}
	}
	return 0;
}

u32 unit_line_of(struct punit *u, u64 addr, const char *want, const char **file)
{
	die_vec scopes = { 0 };
	u32 line = 0;

	*file = NULL;
	unit_scopes(u, addr, &scopes);
	for vec_each(d, &scopes) {
		int no;
		u64 entry;

		if (dwarf_tag(d) != DW_TAG_subprogram)
			continue;
		if (die_entry(d, &entry) && entry == addr && !dwarf_decl_line(d, &no)) {
			*file = die_decl_file(d);
			if (!want || !*file || !strcmp(*file, want))
				line = no;
		}
		break;
	}
	vec_free(&scopes);
	return line ? line : row_line(u, addr, want, file);
}

u64 unit_prologue_end(struct punit *u, struct pinst *f)
{
	Dwarf_Lines *lines;
	size_t n;
	bool first = false;

	if (dwarf_getsrclines(&u->die, &lines, &n))
		return f->entry;
	for (size_t i = 0; i < n; i++) {
		Dwarf_Line *l = dwarf_onesrcline(lines, i);
		Dwarf_Addr a;
		bool stmt = false, end = true;
		int no = 0;

		if (dwarf_lineaddr(l, &a) || a < f->entry)
			continue;
		dwarf_linebeginstatement(l, &stmt);
		dwarf_lineendsequence(l, &end);
		dwarf_lineno(l, &no);
		if (!first && a == f->entry) {
			first = !end;	/* a sequence may end where this one begins */
			continue;
		}
		/* the body begins right at the entry: clang's optimized code, whose producer
		 * does not tell the options */
		if (first && stmt && !end && no > 0 && a == f->entry)
			return a;
		if (!first || end || dwarf_haspc(&f->die, a) <= 0)
			break;
		if (no > 0 && a > f->entry)
			return a;
	}
	return f->entry;
}

const char *unit_file(struct punit *u, const char *wanted)
{
	Dwarf_Files *files;
	size_t n;

	if (dwarf_getsrcfiles(&u->die, &files, &n))
		return NULL;
	for (size_t i = 0; i < n; i++) {
		const char *f = dwarf_filesrc(files, i, NULL, NULL);

		if (f && file_matches(f, wanted))
			return f;
	}
	return NULL;
}

static char *try_path(char *path)
{
	if (!access(path, R_OK))
		return path;
	free(path);
	return NULL;
}

char *source_path(const struct probe_obj *p, struct punit *u, const char *file)
{
	Dwarf_Attribute a;
	const char *dir = u ? dwarf_formstring(dwarf_attr(&u->die, DW_AT_comp_dir, &a)) : NULL,
		*base = p->opts->source_dir, *rest;
	char *out;

	if (!base) {
		if (file[0] != '/' && dir && (out = try_path(xasprintf("%s/%s", dir, file))))
			return out;
		return xstrdup(file);
	}
	/* below the given directory: the whole path, then ever fewer directories of it, as far
	 * as one is there */
	rest = file;
	if (dir && str_has_prefix(file, dir))
		rest = file + strlen(dir);
	for (const char *f = rest; f; f = strchr(f, '/')) {
		f += strspn(f, "/");
		out = try_path(xasprintf("%s/%s", base, f));
		if (out)
			return out;
		if (!strchr(f, '/'))
			break;
	}
	return xasprintf("%s/%s", base, rest + strspn(rest, "/"));
}

int source_load(const char *path, struct source *s, struct err *err)
{
	int ret;

	memset(s, 0, sizeof(*s));
	ret = io_read_file(path, 256 << 20, &s->text, err);
	if (ret)
		return ret;
	for (char *p = s->text.buf, *end = p ? p + s->text.len : NULL; p && p < end;) {
		char *nl = memchr(p, '\n', end - p);

		vec_push(&s->lines, (const char *)p);
		if (!nl)
			break;
		*nl = 0;
		p = nl + 1;
	}
	return 0;
}

void source_release(struct source *s)
{
	str_release(&s->text);
	vec_free(&s->lines);
}

/* --- calls of inlined copies */

void inlined_calls(Dwarf_Die *die, const char *file, u32 line, pline_vec *out, int depth)
{
	Dwarf_Die child;

	if (depth > 64 || dwarf_child(die, &child))
		return;
	do {
		int tag = dwarf_tag(&child);
		u64 at, entry;

		if (tag == DW_TAG_inlined_subroutine && die_const(&child, DW_AT_call_line, &at) &&
		    (!line || at == line) && die_entry(&child, &entry)) {
			const char *f = die_file_of(&child, DW_AT_call_file);

			if (f && !strcmp(f, file))
				vec_push(out, ((struct pline){ entry, at, f }));
		}
		if (die_holds_copies(tag))
			inlined_calls(&child, file, line, out, depth + 1);
	} while (!dwarf_siblingof(&child, &child));
}
