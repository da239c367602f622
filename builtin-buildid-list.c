// SPDX-License-Identifier: GPL-2.0-or-later
// perf buildid-list: the build-ids of a recording, of a file, or of the running kernel.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "builtin.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/record/synth.h"
#include "util/session/session.h"
#include "util/symbols/buildid-table.h"
#include "util/view/buildid-text.h"

struct buildid_opts {
	const char *input;
	bool force, with_hits, kernel, kernel_maps;
	int verbose;
	struct table_output output;
};

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
	return d->kind == DSO_FILE || d->kind == DSO_KERNEL || d->kind == DSO_MODULE ||
		d->kind == DSO_VDSO;
}

static int list_hits(struct session *s, struct table *t)
{
	struct hits h = { NULL, 0 };
	struct sink sink = { .wants = SINK_SYMBOLS | SINK_CHAIN, .ctx = &h, .samples = mark_hits };
	struct sink *sinks[] = { &sink };
	int ret = session_run(s, sinks, 1);
	const struct dso_store *dsos = s->stream ? stream_dsos(s->stream) : NULL;

	for (size_t i = 0; dsos && i < dso_count(dsos) && i < h.n; i++) {
		const struct dso *d = dso_at(dsos, i);
		const struct data_build_id *b = data_find_build_id(s->source->env, d->path);

		if (!h.seen[i])
			continue;
		if (b)
			buildid_table_add(t, b->id, b->bytes, d->path);
		else if (is_binary(d))
			buildid_table_add(t, d->id.bytes, d->id_from_file ? 0 : d->id.n, d->path);
	}
	free(h.seen);
	return ret;
}

static void put(const struct buildid_opts *o, const struct table *t, bool whole)
{
	struct str out = STR_INIT;

	buildid_show(&out, t, &o->output, whole);
	fputs(str_cstr(&out), stdout);
	str_release(&out);
}

static int list_recording(const struct buildid_opts *o, struct table *t)
{
	struct session s = { 0 };
	int ret = session_open(&s, &(struct session_opts){ .path = o->input, .force = o->force });

	/* without the section (files of "record --buildid-mmap") they stand in the mappings'
	 * records: of those that were hit */
	if (!ret && (o->with_hits || !s.source->env->build_ids.n))
		ret = list_hits(&s, t);
	else if (!ret)
		for vec_each(b, &s.source->env->build_ids)
			buildid_table_add(t, b->id, b->bytes, b->path);
	buildid_table_sort(t);
	put(o, t, !ret);
	return session_close(&s, ret);
}

static int list_kernel(struct table *t, struct err *err)
{
	struct build_id id;
	struct os os;
	int ret;

	os_init(&os);
	ret = build_id_of_kernel(&os, &id, err);
	if (!ret)
		buildid_table_add(t, id.bytes, id.n, NULL);
	os_release(&os);
	return ret;
}

static int add_map(void *ctx, const struct perf_event_header *rec)
{
	struct table_row *row;
	struct wire_mmap m;
	const char *reason;
	bool kernel;

	if (wire_decode_mmap(rec, &m, &reason))
		return 0;
	kernel = str_has_prefix(m.path, "[kernel.kallsyms]");
	if (!kernel && !m.build_id_bytes)	/* a module that tells none */
		return 0;
	row = buildid_table_add(ctx, m.build_id, m.build_id_bytes, kernel ? "[kernel.kallsyms]" :
				m.path);
	row->cells[BUILDID_COLUMN_START] = cell_addr(m.start_va);
	row->cells[BUILDID_COLUMN_END] = cell_addr(m.start_va + m.bytes);
	return 0;
}

static int list_kernel_maps(struct table *t, struct err *err)
{
	struct os os;
	struct synth s = { .os = &os, .emit = add_map, .ctx = t, .build_ids = true };
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
static bool list_file(const char *path, struct table *t)
{
	struct build_id id;
	char magic[4] = "";
	FILE *f = path ? fopen(path, "re") : NULL;
	bool elf = f && fread(magic, 1, 4, f) == 4 && !memcmp(magic, "\177ELF", 4);

	if (f)
		fclose(f);
	if (!elf || build_id_of_file(path, &id, NULL))
		return false;
	buildid_table_add(t, id.bytes, id.n, NULL);
	return true;
}

static const struct option_def buildid_list_options[] = {
	OPT_FLAG('H', "with-hits", struct buildid_opts, with_hits,
	     "list only files in which samples or their callers lie"),
	OPT_STRING('i', "input", struct buildid_opts, input, "file",
	     "the recording to read (default: perf.data; -: standard input)"),
	OPT_FLAG('f', "force", struct buildid_opts, force,
	     "read a recording that belongs to another user"),
	OPT_FLAG('k', "kernel", struct buildid_opts, kernel,
	     "print the build-id of the running kernel"),
	OPT_FLAG('m', "kernel-maps", struct buildid_opts, kernel_maps,
		 "print the build-ids of the running kernel and its modules"),
	OPT_COUNT('v', "verbose", struct buildid_opts, verbose,
	     "print more messages (repeat for more)"),
	OPT_END
};

int cmd_buildid_list(int argc, const char **argv)
{
	static const char *const usage[] = { "[<options>]", NULL };
	struct buildid_opts o = { .input = NULL };
	const struct option_table tables[] =
		{ { buildid_list_options, &o }, cli_output_group(&o.output),
					       session_group(), { NULL, NULL } };
	const struct cli_cmd cmd = { .name = "buildid-list", .usage = usage, .tables = tables };
	struct table t = { 0 };
	struct err err = ERR_INIT;
	int n = cli_parse(&cmd, argc, argv), ret = 0, status = 0;

	if (n < 0)
		return cli_status(n);
	if (n)
		return cli_usage_error(&cmd, "'%s': buildid-list takes no arguments; the file is "
					     "named by -i", argv[0]);
	buildid_table_begin(&t);
	if (!o.kernel && !o.kernel_maps && !list_file(o.input, &t)) {
		status = list_recording(&o, &t);
	} else {
		if (o.kernel || o.kernel_maps)
			ret = (o.kernel ? list_kernel : list_kernel_maps)(&t, &err);
		put(&o, &t, !ret);
		status = ret ? cli_error(&err) : 0;
	}
	table_release(&t);
	err_release(&err);
	return status;
}
