// SPDX-License-Identifier: GPL-2.0-or-later
// Source files as lines: read whole, once.
#include <stdlib.h>
#include <string.h>

#include "util/analysis/annotate/listing.h"
#include "util/base/infile.h"
#include "util/base/xalloc.h"

#define MAX_BYTES (32u << 20)

struct source_file {
	struct str text;
	VEC(u32) starts;	/* of lines, in text */
	char *reason;		/* why it was not read; NULL: it was */
};

static void file_free(struct source_file *f)
{
	str_release(&f->text);
	vec_free(&f->starts);
	free(f->reason);
	free(f);
}

void source_files_release(struct source_files *s)
{
	if (!s->files)
		return;
	for strmap_each(i, s->files)
		file_free(s->files->vals[i]);
	strmap_release(s->files);
	free(s->files);
	s->files = NULL;
}

/* An absolute path, below the prefix. */
static void place(const struct source_files *s, const char *path, struct str *out)
{
	if (s->prefix && *path == '/') {
		for (unsigned i = 0; i < s->prefix_strip; i++) {
			const char *next = strchr(path + 1, '/');

			if (!next)
				break;
			path = next;
		}
		str_add(out, s->prefix);
	}
	str_add(out, path);
}

static struct source_file *load(const struct source_files *s, const char *path)
{
	struct source_file *f = xcalloc(1, sizeof(*f));
	struct err err = ERR_INIT;
	struct str where = STR_INIT;

	place(s, path, &where);
	if (infile_read(str_cstr(&where), 0, MAX_BYTES, &f->text, &err)) {
		f->reason = xstrdup(err.msg);
		str_reset(&f->text);
	}
	for (size_t at = 0; at < f->text.len;) {
		const char *end = memchr(f->text.buf + at, '\n', f->text.len - at);

		vec_push(&f->starts, (u32)at);
		at = end ? (size_t)(end - f->text.buf) + 1 : f->text.len;
	}
	vec_push(&f->starts, (u32)f->text.len);
	err_release(&err);
	str_release(&where);
	return f;
}

struct span source_line(struct source_files *s, const char *path, u32 nr)
{
	struct source_file *f;

	if (!s->files)
		s->files = xcalloc(1, sizeof(*s->files));
	f = strmap_get(s->files, path);
	if (!f) {
		f = load(s, path);
		strmap_put(s->files, path, f);
	}
	if (!nr || nr >= f->starts.n)
		return (struct span){ NULL, 0 };
	const char *line = f->text.buf + f->starts.v[nr - 1];
	size_t n = f->starts.v[nr] - f->starts.v[nr - 1];

	while (n && (line[n - 1] == '\n' || line[n - 1] == '\r'))
		n--;
	return (struct span){ (const u8 *)line, n };
}

size_t source_n_unread(const struct source_files *s, const char **reason)
{
	size_t n = 0;

	if (!s->files)
		return 0;
	for strmap_each(i, s->files) {
		const struct source_file *f = s->files->vals[i];

		if (f->reason && (!n || strcmp(f->reason, *reason) < 0))
			*reason = f->reason;
		n += f->reason != NULL;
	}
	return n;
}
