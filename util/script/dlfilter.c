// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/script/dlfilter-priv.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/script/installed.h"
#include "util/script/sample-code.h"

/* The interface is what others compiled. */
_Static_assert(sizeof(struct perf_dlfilter_sample) == 208, "perf_dlfilter_sample");
_Static_assert(offsetof(struct perf_dlfilter_sample, raw_data) == 152, "perf_dlfilter_sample");
_Static_assert(sizeof(struct perf_dlfilter_al) == 88, "perf_dlfilter_al");
_Static_assert(sizeof(struct perf_dlfilter_fns) == 128 * sizeof(void *), "perf_dlfilter_fns");

/* ---- loading ---- */

static bool is_file(const char *path)
{
	return access(path, R_OK) == 0;
}

/* What dlopen() is to be given. */
static void place(const char *file, struct str *out)
{
	if (strchr(file, '/')) {
		str_add(out, file);
		return;
	}
	str_addf(out, "./%s", file);
	if (is_file(str_cstr(out)))
		return;
	str_reset(out);
	script_exec_path(out);
	str_addf(out, "/dlfilters/%s", file);
	if (is_file(str_cstr(out)))
		return;
	str_reset(out);
	str_add(out, file);
}

/* ISO C has no cast of an object's address to a function's. */
static void find(const struct dlfilter *f, const char *name, void *function)
{
	void *address = dlsym(f->library, name);

	memcpy(function, &address, sizeof(address));
}

struct dlfilter *dlfilter_new(const struct dlfilter_opts *o, struct err *err)
{
	struct dlfilter *f = xnew(struct dlfilter);
	struct perf_dlfilter_fns *fns;
	struct str path = STR_INIT;
	const char *why;

	f->opts = o;
	place(o->file, &path);
	f->library = dlopen(str_cstr(&path), RTLD_NOW);
	str_release(&path);
	if (!f->library) {
		why = dlerror();
		err_set(err, ENOENT, "cannot load the filter '%s': %s", o->file, why ? why : "");
		err_hint(err, "perf script --list-dlfilters lists those that are installed");
		dlfilter_free(f);
		return NULL;
	}
	for (size_t i = 0; i < o->n_args; i++)
		vec_push(&f->args, xstrdup(o->args[i]));
	vec_push(&f->args, NULL);
	fns = dlsym(f->library, "perf_dlfilter_fns");
	if (fns)
		dlfilter_functions(fns);
	find(f, "start", &f->start);
	find(f, "stop", &f->stop);
	find(f, "filter_event", &f->filter);
	find(f, "filter_event_early", &f->early);
	if (f->filter || f->early)
		return f;
	err_set(err, EINVAL, "'%s' is no filter: it has neither filter_event() nor "
			     "filter_event_early()", o->file);
	dlfilter_free(f);
	return NULL;
}

void dlfilter_free(struct dlfilter *f)
{
	if (!f)
		return;
	if (f->library)
		dlclose(f->library);
	for vec_each(a, &f->args)
		free(*a);
	vec_free(&f->args);
	disasm_free(f->disasm);
	free(f);
}

/* ---- samples ---- */

static u64 or_none(const struct sample *s, u64 bits, u64 v, u64 none)
{
	return s->present & bits ? v : none;
}

static void fill_rare(const struct sample *s, struct perf_dlfilter_sample *d)
{
	if (s->present & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT)) {
		d->ins_lat = s->ins_lat;
		d->p_stage_cyc = s->p_stage_cyc;
		d->weight = s->weight;
	}
	d->transaction = or_none(s, PERF_SAMPLE_TRANSACTION, s->transaction, 0);
	d->data_src = sample_data_src(s);
	d->phys_addr = or_none(s, PERF_SAMPLE_PHYS_ADDR, s->phys_addr, 0);
	d->data_page_size = or_none(s, PERF_SAMPLE_DATA_PAGE_SIZE, s->data_page_bytes, 0);
	d->code_page_size = or_none(s, PERF_SAMPLE_CODE_PAGE_SIZE, s->code_page_bytes, 0);
	d->cgroup = or_none(s, PERF_SAMPLE_CGROUP, s->cgroup, 0);
	if (s->present & PERF_SAMPLE_RAW) {
		d->raw_size = (u32)s->raw.len;
		d->raw_data = s->raw.ptr;
	}
	if (s->present & PERF_SAMPLE_BRANCH_STACK) {
		d->brstack_nr = s->branch.n;
		d->brstack = s->branch.entries;
	}
	if (s->present & PERF_SAMPLE_CALLCHAIN) {
		d->raw_callchain_nr = s->chain_n;
		d->raw_callchain = (const __u64 *)s->chain;
	}
}

static void fill(const struct sample *s, struct perf_dlfilter_sample *d)
{
	*d = (struct perf_dlfilter_sample){
		.size = sizeof(*d), .ip = s->ip, .event = s->event->name, .machine_pid = 0,
		.vcpu = -1, .cpumode = s->cpumode, .misc = s->misc,
		.addr_correlates_sym = event_addr_is_of_symbol(&s->event->attr),
		.pid = (s32)or_none(s, PERF_SAMPLE_TID, s->pid, ~0ULL),
		.tid = (s32)or_none(s, PERF_SAMPLE_TID, s->tid, ~0ULL),
		.time = or_none(s, PERF_SAMPLE_TIME, s->time_ns, ~0ULL),
		.addr = or_none(s, PERF_SAMPLE_ADDR, s->addr, 0),
		.id = or_none(s, PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER, s->id, ~0ULL),
		.stream_id = sample_stream_id(s),
		.cpu = (s32)or_none(s, PERF_SAMPLE_CPU, s->cpu, ~0ULL),
		.period = or_none(s, PERF_SAMPLE_PERIOD, s->period, s->event->attr.sample_period),
	};
	if (s->synth) {
		d->flags = s->synth->flags;
		d->insn_cnt = s->synth->n_insns;
		d->cyc_cnt = s->synth->n_cycles;
	}
	fill_rare(s, d);
}

static void show_printed(const struct dlfilter *f)
{
	if (f->opts->printed)
		f->opts->printed(f->opts->ctx);
}

/* 1: keep it. */
static int ask(struct dlfilter *f, const struct sink_item *it)
{
	struct perf_dlfilter_sample d;
	int ret = 0;

	fill(it->sample, &d);
	f->now = it;
	f->ip.size = f->addr.size = 0;
	if (f->early)
		ret = f->early(f->data, &d, f);
	if (ret == 0 && f->filter)
		ret = f->filter(f->data, &d, f);
	f->now = NULL;
	show_printed(f);
	if (ret < 0)
		f->failed = ret;
	return ret == 0;
}

static void on_samples(struct sink *sink, const struct sink_item *items, size_t n)
{
	struct dlfilter *f = (struct dlfilter *)sink;

	for (size_t i = 0; i < n && !f->failed && !sink->stop; i++) {
		if (ask(f, &items[i]))
			f->to->samples(f->to, &items[i], 1);
		sink->stop = f->to->stop || f->failed;
	}
}

static void on_record(struct sink *sink, const struct perf_event_header *rec,
		      const struct sample_id *id, u64 off)
{
	struct dlfilter *f = (struct dlfilter *)sink;

	if (f->to->wants & SINK_SIDEBAND && f->to->record)
		f->to->record(f->to, rec, id, off);
}

static unsigned wants(const struct dlfilter *f)
{
	return (f->to->wants & ~(unsigned)SINK_BATCHES) | SINK_ORDER | SINK_SYMBOLS | SINK_THREAD |
	       SINK_ADDR;
}

static void on_events(struct sink *sink)
{
	struct dlfilter *f = (struct dlfilter *)sink;

	if (f->to->events)
		f->to->events(f->to);
	sink->wants = wants(f);
}

/* ---- start, stop ---- */

int dlfilter_start(struct dlfilter *f, struct machine *m, struct sink *to, struct err *err)
{
	int ret = 0;

	f->machine = m;
	f->to = to;
	f->sink = (struct sink){ .samples = on_samples, .record = on_record, .events = on_events };
	f->sink.wants = wants(f);
	if (f->start)
		ret = f->start(&f->data, f);
	show_printed(f);
	return ret ? err_set(err, ECANCELED, "start() of the filter '%s' returned %d",
			     f->opts->file, ret) : 0;
}

struct sink *dlfilter_sink(struct dlfilter *f)
{
	return &f->sink;
}

int dlfilter_stop(struct dlfilter *f, struct err *err)
{
	int ret = f->stop ? f->stop(f->data, f) : 0;

	show_printed(f);
	if (f->failed)
		return err_set(err, ECANCELED, "the filter '%s' returned %d for a sample",
			       f->opts->file, f->failed);
	return ret ? err_set(err, ECANCELED, "stop() of the filter '%s' returned %d",
			     f->opts->file, ret) : 0;
}

/* ---- the list ---- */

static void add_long(struct str *out, const char *text)
{
	while (text && *text) {
		size_t n = strcspn(text, "\n");

		str_addf(out, "  %-36s ", "");
		str_add_safen(out, text, n);
		str_addch(out, '\n');
		text += n + (text[n] == '\n');
	}
}

static void add_filter(const char *dir, const char *name, bool whole, struct str *out)
{
	const char *(*describe)(const char **) = NULL;
	const char *longer = NULL, *brief;
	struct str path = STR_INIT;
	struct dlfilter f = { 0 };

	str_addf(&path, "%s/%s", dir, name);
	f.library = dlopen(str_cstr(&path), RTLD_NOW);
	str_release(&path);
	if (!f.library)
		return;
	find(&f, "filter_description", &describe);
	brief = describe ? describe(&longer) : NULL;
	str_addf(out, "  %-36s ", name);
	str_add_safe(out, brief ? brief : "");
	str_addch(out, '\n');
	if (whole)
		add_long(out, longer);
	dlclose(f.library);
}

static int is_shared_object(const struct dirent *e)
{
	return str_has_suffix(e->d_name, ".so");
}

static void add_dir(const char *dir, bool whole, struct str *out)
{
	struct dirent **v;
	int n = scandir(dir, &v, is_shared_object, alphasort);

	for (int i = 0; i < n; i++) {
		add_filter(dir, v[i]->d_name, whole, out);
		free(v[i]);
	}
	if (n >= 0)
		free(v);
}

void dlfilter_list(bool whole, struct str *out)
{
	struct str dir = STR_INIT;

	str_add(out, "List of available dlfilters:\n");
	add_dir(".", whole, out);
	script_exec_path(&dir);
	str_add(&dir, "/dlfilters");
	add_dir(str_cstr(&dir), whole, out);
	str_release(&dir);
}
