// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/mem-samples.h"

#include <stdlib.h>
#include <string.h>

#include "util/export/perf-script-priv.h"

struct mem_samples {
	struct mem_samples_opts o;
	struct sink sink;
	struct str line;
};

/* What a sample without data source says: upstream perf takes it for unknown. */
#define NO_SOURCE (PERF_MEM_S(OP, NA) | PERF_MEM_S(LVL, NA) | PERF_MEM_S(SNOOP, NA) | \
		   PERF_MEM_S(LOCK, NA) | PERF_MEM_S(TLB, NA) | PERF_MEM_S(LVLNUM, NA))

static bool is_chosen(const struct mem_samples *m, const struct sink_item *item)
{
	const struct location *l = &item->res->leaf;
	union perf_mem_data_src d = { .val = item->sample->data_src };
	const u64 ops = (m->o.loads ? PERF_MEM_OP_LOAD : 0) | (m->o.stores ? PERF_MEM_OP_STORE : 0);

	if (m->o.hide_unresolved && !l->sym)
		return false;
	return !ops || d.mem_op & ops;
}

static void add_sep(struct mem_samples *m)
{
	str_add(&m->line, m->o.sep ? m->o.sep : " ");
}

static void add_line(struct mem_samples *m, const struct sink_item *item)
{
	const struct sample *s = item->sample;
	const struct location *l = &item->res->leaf;
	struct str page = STR_INIT;
	struct str *out = &m->line;

	str_addf(out, "%d", (int)s->pid);
	add_sep(m);
	str_addf(out, "%d", (int)s->tid);
	add_sep(m);
	str_addf(out, "0x%llx", (unsigned long long)s->ip);
	add_sep(m);
	str_addf(out, "0x%llx", (unsigned long long)s->addr);
	add_sep(m);
	if (m->o.phys) {
		str_addf(out, "0x%016llx", (unsigned long long)s->phys_addr);
		add_sep(m);
	}
	if (m->o.page_size) {
		add_page_size(&page, s->data_page_bytes);
		if (page.len)			/* without its blank */
			str_addn(out, page.buf + 1, page.len - 1);
		add_sep(m);
		str_release(&page);
	}
	str_addf(out, "%llu", (unsigned long long)s->weight);
	add_sep(m);
	str_addf(out, "0x%llx", (unsigned long long)(s->present & PERF_SAMPLE_DATA_SRC ?
						     s->data_src : NO_SOURCE));
	add_sep(m);
	str_add_safe(out, l->dso ? l->dso->path : "???");
	str_addch(out, ':');
	str_add_safe(out, l->sym ? l->sym->name : "???");
	str_addch(out, '\n');
}

static void take_samples(struct sink *s, const struct sink_item *items, size_t n)
{
	struct mem_samples *m = s->ctx;

	for (size_t i = 0; i < n; i++)
		if (is_chosen(m, &items[i]))
			add_line(m, &items[i]);
	fwrite(m->line.buf, 1, m->line.len, m->o.out);
	str_reset(&m->line);
	s->stop = s->stop || ferror(m->o.out);
}

struct mem_samples *mem_samples_new(const struct mem_samples_opts *o)
{
	struct mem_samples *m = xnew(struct mem_samples);

	m->o = *o;
	m->sink = (struct sink){ .wants = SINK_ORDER | SINK_SYMBOLS | SINK_THREAD, .ctx = m,
				 .samples = take_samples };
	return m;
}

struct sink *mem_samples_sink(struct mem_samples *m)
{
	return &m->sink;
}

void mem_samples_header(const struct mem_samples *m)
{
	fprintf(m->o.out, "# PID, TID, IP, ADDR, %s%sLOCAL WEIGHT, DSRC, SYMBOL\n",
		m->o.phys ? "PHYS ADDR, " : "", m->o.page_size ? "DATA PAGE SIZE, " : "");
}

void mem_samples_free(struct mem_samples *m)
{
	str_release(&m->line);
	free(m);
}
