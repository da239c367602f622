// SPDX-License-Identifier: GPL-2.0-or-later
// A place in the code as perf script writes it: sym+off (dso).
#include "util/export/perf-script-priv.h"
#include "util/stream/frame.h"

/* Blanks in a path would end the dso for those who read the text. */
static void add_path(struct str *out, const char *path)
{
	const char *blank;

	while ((blank = strchr(path, ' ')) != NULL) {
		str_add_safen(out, path, blank - path);
		str_add(out, "\\x20");
		path = blank + 1;
	}
	str_add_safe(out, path);
}

static u64 dso_offset(const struct location *l)
{
	return l->va - l->map->start_va + l->map->off;
}

/* The kernel's own is called so as long as nobody asks for the file that names its functions. */
static const char *dso_label(const struct script_opts *o, struct dso *d)
{
	const char *file = d->kind == DSO_KERNEL && o->show_kernel_path ? dso_file(d) : NULL;

	return file ? file : d->path;
}

void add_dso(struct str *out, const struct script_opts *o, u64 fields,
		    const struct location *l)
{
	str_add(out, " (");
	if (!l->dso) {
		str_add(out, "[unknown]");
	} else {
		add_path(out, dso_label(o, l->dso));
		if (fields & SF_DSOFF && !l->map->kernel) {
			str_add(out, "+0x");
			str_add_hex(out, dso_offset(l), 1);
		}
	}
	str_addch(out, ')');
}

void add_symbol(struct str *out, const struct script_opts *o, u64 fields, const struct location *l,
		bool offset)
{
	bool inlined = l->inl && l->inline_depth;

	if (fields & SF_SYM) {
		str_addch(out, ' ');
		str_add_safe(out, frame_label(l));
		/* of an inlined function, too, it counts from the start of the function around
		 * it, as in upstream perf */
		if (l->sym && fields & SF_SYMOFF && offset) {
			str_add(out, "+0x");
			/* rva of a caller is inside its call; what is shown is where it returns
			 * to */
			str_add_hex(out, l->rva + l->back - l->sym->start_rva, 1);
		}
	}
	if (fields & SF_DSO && !inlined)
		add_dso(out, o, fields, l);
}

void script_add_srcline(struct str *out, const struct script_opts *o, const struct location *l)
{
	struct srcline at = { 0 };
	const char *base;

	if (l->inl)
		at = l->inl->at;
	else if (l->dso)
		dso_srcline(l->dso, l->rva, &at);
	if (at.file) {
		base = strrchr(at.file, '/');
		str_add_safe(out, base && !o->full_source_path ? base + 1 : at.file);
		str_addf(out, ":%u", at.line);
	} else if (l->dso) {
		base = strrchr(l->dso->path, '/');
		str_add_safe(out, base ? base + 1 : l->dso->path);
		str_addf(out, "[%llx]", (unsigned long long)(l->rva + l->back));
	}
}
