// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fields of a domain are those of load balancing by what the CPU was doing, then 12 others.
 * Version 15 begins with idle, 16 and 17 with busy; 17 splits the imbalance in four.
 */
#include "util/analysis/schedstat.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/num.h"
#include "util/base/rd.h"

static const char *const cpu_fields[SCHEDSTAT_CPU_FIELDS] = {
	"yld_count", "array_exp", "sched_count", "sched_goidle", "ttwu_count", "ttwu_local",
		"rq_cpu_time", "run_delay", "pcount",
};
static const char *const lb_fields_15[] = {
	"lb_count", "lb_balanced", "lb_failed", "lb_imbalance", "lb_gained", "lb_hot_gained",
		"lb_nobusyq", "lb_nobusyg",
};
static const char *const lb_fields_17[] = {
	"lb_count", "lb_balanced", "lb_failed", "lb_imbalance_load", "lb_imbalance_util",
		"lb_imbalance_task", "lb_imbalance_misfit",
	"lb_gained", "lb_hot_gained", "lb_nobusyq", "lb_nobusyg",
};
static const char *const other_fields[] = {
	"alb_count", "alb_failed", "alb_pushed", "sbe_count", "sbe_balanced", "sbe_pushed",
		"sbf_count", "sbf_balanced", "sbf_pushed",
	"ttwu_wake_remote", "ttwu_move_affine", "ttwu_move_balance",
};
enum { KINDS = 3, RECORD_HEAD = 24, DOMAIN_WORDS = 46, CPU_U32S = SCHEDSTAT_RQ_CPU_TIME };

size_t schedstat_n_fields(u16 version, bool domain)
{
	size_t lb = version == 17 ? ARRAY_SIZE(lb_fields_17) : ARRAY_SIZE(lb_fields_15);

	if (version < 15 || version > 17)
		return 0;
	return domain ? KINDS * lb + ARRAY_SIZE(other_fields) : ARRAY_SIZE(cpu_fields);
}

const char *schedstat_field(u16 version, bool domain, size_t i, char buf[64])
{
	static const char *const kinds_15[] = { "idle", "busy", "newidle" },
		*const kinds_16[] = { "busy", "idle", "newidle" };
	const char *const *lb = version == 17 ? lb_fields_17 : lb_fields_15;
	size_t n_lb = version == 17 ? ARRAY_SIZE(lb_fields_17) : ARRAY_SIZE(lb_fields_15);

	if (i >= schedstat_n_fields(version, domain))
		return "?";
	if (!domain)
		return cpu_fields[i];
	if (i >= KINDS * n_lb)
		return other_fields[i - KINDS * n_lb];
	snprintf(buf, 64, "%s_%s", (version == 15 ? kinds_15 : kinds_16)[i / n_lb], lb[i % n_lb]);
	return buf;
}

/* Numbers from p on into v; the number of them. */
static size_t numbers(const char *p, u64 *v, size_t max)
{
	size_t n = 0;
	char *end;

	while (n < max) {
		v[n] = strtoull(p, &end, 10);
		if (end == p)
			break;
		p = end;
		n++;
	}
	return n;
}

static const char *skip_word(const char *p)
{
	p += strcspn(p, " ");
	return p + strspn(p, " ");
}

/* "cpuN numbers", or "domainN [NAME] MASK numbers". */
static bool parse_line(const char *line, u16 version, u64 jiffies, schedstat_rows *out)
{
	bool domain = str_has_prefix(line, "domain");
	struct schedstat_row row = { .version = version, .jiffies = jiffies, .domain = -1 };
	unsigned long at = strtoul(line + (domain ? 6 : 3), NULL, 10);
	size_t n = schedstat_n_fields(version, domain);
	const char *p = skip_word(line);

	if (domain) {
		if (!out->n)
			return false;
		row.cpu = vec_last(out)->cpu;
		row.domain = (int)at;
		p = skip_word(version == 17 ? skip_word(p) : p);
	} else {
		row.cpu = (u32)at;
	}
	if (!n || numbers(p, row.v, n) != n)
		return false;
	vec_push(out, row);
	return true;
}

int schedstat_parse(const char *text, schedstat_rows *out, struct err *err)
{
	char *copy = xstrdup(text), *save = NULL;
	u16 version = 0;
	u64 jiffies = 0;
	int ret = 0;

	for (char *line = strtok_r(copy, "\n", &save); line && !ret;
	     line = strtok_r(NULL, "\n", &save)) {
		if (str_has_prefix(line, "version ")) {
			version = (u16)strtoul(line + 8, NULL, 10);
			if (!schedstat_n_fields(version, false))
				ret = err_set(err, EPROTO, "the kernel's schedstat has version %u; "
							   "15 to 17 are known", version);
		} else if (str_has_prefix(line, "timestamp ")) {
			jiffies = strtoull(line + 10, NULL, 10);
		} else if ((str_has_prefix(line, "cpu") || str_has_prefix(line, "domain")) &&
			   !parse_line(line, version, jiffies, out)) {
			ret = err_set(err, EINVAL, "a line of schedstat version %u is too short: "
						   "%.60s", version, line);
		}
	}
	free(copy);
	if (!ret && !out->n)
		ret = err_set(err, EINVAL, "no CPU in the kernel's schedstat");
	return ret;
}

static void add_u32(struct str *out, u64 v)
{
	u32 word = (u32)v;

	str_addn(out, &word, sizeof(word));
}

void schedstat_encode(const struct schedstat_row *row, struct str *out)
{
	bool domain = row->domain >= 0;
	struct perf_event_header hdr = { .type = domain ? WIRE_SCHEDSTAT_DOMAIN :
					 WIRE_SCHEDSTAT_CPU };
	u16 place[4] = { row->version, domain ? (u16)row->domain : 0, 0, 0 };

	hdr.size = domain ? RECORD_HEAD + DOMAIN_WORDS * 4 : RECORD_HEAD + CPU_U32S * 4 +
		(SCHEDSTAT_CPU_FIELDS - CPU_U32S) * 8;
	str_addn(out, &hdr, sizeof(hdr));
	str_addn(out, &row->jiffies, sizeof(row->jiffies));
	add_u32(out, row->cpu);
	str_addn(out, place, 4);
	for (size_t i = 0; domain && i < DOMAIN_WORDS; i++)
		add_u32(out, row->v[i]);
	for (size_t i = 0; !domain && i < CPU_U32S; i++)
		add_u32(out, row->v[i]);
	if (!domain)
		str_addn(out, &row->v[CPU_U32S], (SCHEDSTAT_CPU_FIELDS - CPU_U32S) * sizeof(u64));
}

int schedstat_decode(const struct perf_event_header *rec, schedstat_rows *out)
{
	struct schedstat_row row = { .domain = -1 };
	size_t n;
	struct rd r;
	u16 domain;

	if (rec->type != WIRE_SCHEDSTAT_CPU && rec->type != WIRE_SCHEDSTAT_DOMAIN)
		return 0;
	rd_init(&r, rec, rec->size, false);
	rd_skip(&r, sizeof(*rec));
	row.jiffies = rd_u64(&r);
	row.cpu = rd_u32(&r);
	row.version = rd_u16(&r);
	domain = rd_u16(&r);
	if (rec->type == WIRE_SCHEDSTAT_DOMAIN)
		row.domain = domain;
	n = schedstat_n_fields(row.version, row.domain >= 0);
	for (size_t i = 0; i < n; i++)
		row.v[i] = row.domain < 0 && i >= CPU_U32S ? rd_u64(&r) : rd_u32(&r);
	if (!n || rd_failed(&r))
		return -EINVAL;
	vec_push(out, row);
	return 1;
}

void schedstat_delta(const schedstat_rows *rows, schedstat_rows *out, u64 *elapsed)
{
	u64 first = rows->n ? rows->v[0].jiffies : 0, last = rows->n ? vec_last(rows)->jiffies : 0;

	*elapsed = last - first;
	for vec_each(b, rows) {
		if (b->jiffies != last || first == last)
			continue;
		for vec_each(a, rows) {
			struct schedstat_row d = *b;

			if (a->jiffies != first || a->cpu != b->cpu || a->domain != b->domain ||
			    a->version != b->version)
				continue;
			for (size_t i = 0; i < SCHEDSTAT_MAX_FIELDS; i++)
				d.v[i] = b->v[i] - a->v[i];
			/* Most counters are of 32 bits, and wrap. */
			for (size_t i = 0; i < (b->domain < 0 ? (size_t)CPU_U32S :
						(size_t)SCHEDSTAT_MAX_FIELDS); i++)
				d.v[i] = (u32)d.v[i];
			vec_push(out, d);
			break;
		}
	}
}

void schedstat_average(const schedstat_rows *rows, schedstat_rows *out)
{
	for (int domain = -1;; domain++) {
		struct schedstat_row sum = { .domain = domain };
		u64 n = 0;

		for vec_each(row, rows) {
			if (row->domain != domain)
				continue;
			sum.version = row->version;
			for (size_t i = 0; i < SCHEDSTAT_MAX_FIELDS; i++)
				sum.v[i] += row->v[i];
			n++;
		}
		if (!n)
			return;
		for (size_t i = 0; i < SCHEDSTAT_MAX_FIELDS; i++)
			sum.v[i] /= n;
		vec_push(out, sum);
	}
}

int schedstat_keep_cpus(schedstat_rows *rows, const char *cpus, struct err *err)
{
	int_vec list = { 0 }, have = { 0 };
	struct str text = STR_INIT;
	size_t n = 0;
	int ret = cpus ? parse_int_list(cpus, &list, err) : 0;

	for (size_t i = 0; cpus && !ret && i < rows->n; i++) {
		if (rows->v[i].domain < 0 && (!have.n || *vec_last(&have) < (int)rows->v[i].cpu))
			vec_push(&have, (int)rows->v[i].cpu);
		if (int_list_has(&list, (int)rows->v[i].cpu))
			rows->v[n++] = rows->v[i];
	}
	if (cpus && !ret) {
		rows->n = n;
		str_add_int_list(&text, have.v, have.n);
		if (!n) {
			ret = err_set(err, ENOENT, "no counters of CPU %s", cpus);
			err_hint(err, "there are those of CPU %s", str_cstr(&text));
		}
	}
	str_release(&text);
	vec_free(&have);
	vec_free(&list);
	return ret;
}
