// SPDX-License-Identifier: GPL-2.0-or-later
// perf buildid-list: the build-ids of a recording, of a file, or of the running kernel.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "builtin.h"
#include "util/cli/error.h"
#include "util/cli/options.h"
#include "util/record/synth.h"
#include "util/session/session.h"

struct buildid_opts {
	const char *input;
	bool force, with_hits, kernel, kernel_maps;
	int verbose;
};

struct line {
	char *text;
	char *path;
};
typedef VEC(struct line) lines;

/* n 0: none is known; there are blanks where it would be. */
static void add_line(lines *v, const u8 *id, size_t n, const char *path)
{
	struct str s = STR_INIT;

	if (!n)
		str_addf(&s, "%40s", "");
	for (size_t i = 0; i < n; i++)
		str_add_hex(&s, id[i], 2);
	str_addch(&s, ' ');
	str_add_safe(&s, path);
	str_addch(&s, '\n');

	struct line l = { str_detach(&s), xstrdup(path) };

	for vec_each(x, v)
		if (!strcmp(x->text, l.text)) {
			free(l.text);
			free(l.path);
			return;
		}
	vec_push(v, l);
}

static int by_path(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	int c = strcmp(x->path, y->path);

	return c ? c : strcmp(x->text, y->text);
}

static void show(lines *v)
{
	if (v->n)
		qsort(v->v, v->n, sizeof(*v->v), by_path);
	for vec_each(l, v) {
		fputs(l->text, stdout);
		free(l->text);
		free(l->path);
	}
	vec_free(v);
}

/* --- dsos with samples --- */

struct hits {
	u8 *seen;	/* by dso index */
	size_t n;
};

static void mark(struct hits *h, const struct dso *d)
{
	if (!d || d->index < 0)
		return;
	if ((size_t)d->index >= h->n) {
		size_t more = (size_t)d->index * 2 + 64;

		h->seen = xrealloc(h->seen, more);
		memset(h->seen + h->n, 0, more - h->n);
		h->n = more;
	}
	h->seen[d->index] = 1;
}

static void mark_hits(struct sink *s, const struct sink_item *items, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct resolved *r = items[i].res;

		mark(s->ctx, r->leaf.dso);
		for (u32 k = 0; k < r->n_frames; k++)
			mark(s->ctx, r->frames[k].dso);
	}
}

static bool is_binary(const struct dso *d)
{
	return d->kind == DSO_FILE || d->kind == DSO_KERNEL || d->kind == DSO_MODULE || d->kind == DSO_VDSO;
}

static int list_hits(struct session *s)
{
	struct hits h = { NULL, 0 };
	struct sink sink = { .wants = SINK_SYMBOLS | SINK_CHAIN, .ctx = &h, .samples = mark_hits };
	struct sink *sinks[] = { &sink };
	lines v = { 0 };
	int ret = session_run(s, sinks, 1);
	const struct dso_store *dsos = s->stream ? stream_dsos(s->stream) : NULL;

	for (size_t i = 0; dsos && i < dso_count(dsos) && i < h.n; i++) {
		const struct dso *d = dso_at(dsos, i);
		const struct data_build_id *b = data_find_build_id(s->source->env, d->path);

		if (!h.seen[i])
			continue;
		if (b)
			add_line(&v, b->id, b->bytes, d->path);
		else if (is_binary(d))
			add_line(&v, d->id.bytes, d->id_from_file ? 0 : d->id.n, d->path);
	}
	show(&v);
	free(h.seen);
	return ret;
}

static void list_section(const struct data_features *f)
{
	lines v = { 0 };

	for vec_each(b, &f->build_ids)
		add_line(&v, b->id, b->bytes, b->path);
	show(&v);
}

static int list_recording(const struct buildid_opts *o)
{
	struct session s = { 0 };
	int ret = session_open(&s, &(struct session_opts){ .path = o->input, .force = o->force });

	/* without the section (files of "record --buildid-mmap") they stand in the mappings' records: of those that were hit */
	if (!ret && (o->with_hits || !s.source->env->build_ids.n))
		ret = list_hits(&s);
	else if (!ret)
		list_section(s.source->env);
	return session_close(&s, ret);
}

static int list_kernel(struct err *err)
{
	struct build_id id;
	struct str s = STR_INIT;
	struct os os;
	int ret;

	os_init(&os);
	ret = build_id_of_kernel(&os, &id, err);
	if (!ret) {
		build_id_add(&s, &id);
		str_addch(&s, '\n');
		fputs(str_cstr(&s), stdout);
	}
	str_release(&s);
	os_release(&os);
	return ret;
}

static int show_map(void *ctx, const struct perf_event_header *rec)
{
	struct build_id id = { .n = 0 };
	struct str hex = STR_INIT, path = STR_INIT;
	struct wire_mmap m;
	const char *why;
	bool kernel;

	if (wire_decode_mmap(rec, &m, &why))
		return 0;
	kernel = str_has_prefix(m.path, "[kernel.kallsyms]");
	if (kernel || m.build_id_bytes) {	/* else: a module that tells none */
		id.n = m.build_id_bytes;
		memcpy(id.bytes, m.build_id, sizeof(id.bytes));
		build_id_add(&hex, &id);
		str_add_safe(&path, kernel ? "[kernel.kallsyms]" : m.path);
		fprintf(ctx, "%s %16llx %16llx %s\n", str_cstr(&hex), (unsigned long long)m.start_va,
			(unsigned long long)(m.start_va + m.bytes), str_cstr(&path));
	}
	str_release(&hex);
	str_release(&path);
	return 0;
}

static int list_kernel_maps(struct err *err)
{
	struct os os;
	struct synth s = { .os = &os, .emit = show_map, .ctx = stdout, .build_ids = true };
	int ret;

	os_init(&os);
	ret = synth_kernel(&s);
	if (!ret && s.kernel_hidden) {
		char *hint = os_addresses_hint(&os);

		ret = err_set(err, EPERM, "the addresses of the kernel are hidden");
		err_hint(err, "%s", hint);
		free(hint);
	}
	synth_release(&s);
	os_release(&os);
	return ret;
}

/* An ELF file named by -i: its own build-id. */
static bool list_file(const char *path)
{
	struct build_id id;
	struct str s = STR_INIT;
	char magic[4] = "";
	FILE *f = path ? fopen(path, "re") : NULL;
	bool elf = f && fread(magic, 1, 4, f) == 4 && !memcmp(magic, "\177ELF", 4);

	if (f)
		fclose(f);
	if (!elf || build_id_of_file(path, &id, NULL))
		return false;
	build_id_add(&s, &id);
	puts(str_cstr(&s));
	str_release(&s);
	return true;
}

static const struct option_def buildid_list_options[] = {
	OPT_FLAG('H', "with-hits", struct buildid_opts, with_hits, "Show only DSOs with hits"),
	OPT_STRING('i', "input", struct buildid_opts, input, "file", "input file name"),
	OPT_FLAG('f', "force", struct buildid_opts, force, "don't complain, do it"),
	OPT_FLAG('k', "kernel", struct buildid_opts, kernel, "Show current kernel build id"),
	OPT_FLAG('m', "kernel-maps", struct buildid_opts, kernel_maps, "Show build id of current kernel + modules"),
	OPT_COUNT('v', "verbose", struct buildid_opts, verbose, "be more verbose"),
	OPT_END
};

int cmd_buildid_list(int argc, const char **argv)
{
	static const char *const usage[] = { "[<options>]", NULL };
	struct buildid_opts o = { .input = NULL };
	const struct option_table tables[] = { { buildid_list_options, &o }, session_group(), { NULL, NULL } };
	const struct cli_cmd cmd = { .name = "buildid-list", .usage = usage, .tables = tables };
	struct err err = ERR_INIT;
	int n = cli_parse(&cmd, argc, argv), ret = 0;

	if (n < 0)
		return cli_status(n);
	if (n)
		return cli_usage_error(&cmd, "'%s': buildid-list takes no arguments; the file is named by -i", argv[0]);
	if (o.kernel)
		ret = list_kernel(&err);
	else if (o.kernel_maps)
		ret = list_kernel_maps(&err);
	else if (!list_file(o.input))
		return list_recording(&o);
	if (ret)
		ret = cli_error(&err);
	err_release(&err);
	return ret;
}
