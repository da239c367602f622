// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/pmu-priv.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <strings.h>

struct pmu_db *pmu_db_new(const struct os *os)
{
	struct pmu_db *db = xnew(struct pmu_db);

	db->os = os;
	db->n_core = -1;
	return db;
}

static void pmu_free(struct pmu *p)
{
	for vec_each(f, &p->formats) {
		free(f->name);
		vec_free(&f->bits);
	}
	vec_free(&p->formats);
	vec_free(&p->cpus);
	os_names_release(&p->events);
	free(p->name);
	free(p);
}

void pmu_db_free(struct pmu_db *db)
{
	if (!db)
		return;
	for (size_t i = 0; i < db->pmus.n; i++)
		pmu_free(db->pmus.v[i]);
	vec_free(&db->pmus);
	os_names_release(&db->names);
	free(db);
}

static void list_names(struct pmu_db *db)
{
	if (!db->listed)
		os_list_dir(db->os, PMU_DIR, &db->names, NULL);	/* without sysfs: no PMUs */
	db->listed = true;
}

static void trim(struct str *s)
{
	while (s->len && isspace((unsigned char)s->buf[s->len - 1]))
		s->buf[--s->len] = 0;
}

static bool read_text(const struct pmu_db *db, const char *pmu, const char *file, struct str *out)
{
	char *path = xasprintf(PMU_DIR "/%s/%s", pmu, file);
	bool ok = !os_read_file(db->os, path, out, NULL);

	trim(out);
	free(path);
	return ok;
}

/* "config:0-7,32-35" */
static bool parse_format(char *text, struct pmu_format *f)
{
	char *save = NULL, *colon = strchr(text, ':');

	if (!colon || !str_has_prefix(text, "config"))
		return false;
	*colon = 0;
	f->word = text[6] ? text[6] - '0' : 0;
	if (f->word < 0 || f->word > 4 || (text[6] && text[7]))
		return false;
	for (char *p = strtok_r(colon + 1, ",", &save); p; p = strtok_r(NULL, ",", &save)) {
		char *dash = strchr(p, '-');
		int from, to;

		if (dash)
			*dash = 0;
		if (!parse_int(p, &from) || !parse_int(dash ? dash + 1 : p, &to) || from < 0 ||
		    to > 63 || from > to)
			return false;
		vec_push(&f->bits, ((struct pmu_bits){ from, to }));
	}
	return f->bits.n > 0;
}

static void read_formats(const struct pmu_db *db, struct pmu *p)
{
	char *dir = xasprintf(PMU_DIR "/%s/format", p->name);
	os_names names = { 0 };

	os_list_dir(db->os, dir, &names, NULL);
	for (size_t i = 0; i < names.n; i++) {
		struct pmu_format f = { 0 };
		struct str s = STR_INIT;
		char *file = xasprintf("format/%s", names.v[i]);

		if (read_text(db, p->name, file, &s) && parse_format(s.buf, &f)) {
			f.name = xstrdup(names.v[i]);
			vec_push(&p->formats, f);
		} else {
			vec_free(&f.bits);
		}
		str_release(&s);
		free(file);
	}
	os_names_release(&names);
	free(dir);
}

static void read_events(const struct pmu_db *db, struct pmu *p)
{
	static const char *const not_events[] =
		{ ".unit", ".scale", ".per-pkg", ".snapshot", ".retirement_latency.mean",
		".retirement_latency.min", ".retirement_latency.max" };
	char *dir = xasprintf(PMU_DIR "/%s/events", p->name);
	os_names names = { 0 };

	os_list_dir(db->os, dir, &names, NULL);
	for (size_t i = 0; i < names.n; i++) {
		bool event = true;

		for (size_t k = 0; k < ARRAY_SIZE(not_events); k++)
			event &= !str_has_suffix(names.v[i], not_events[k]);
		if (event)
			vec_push(&p->events, xstrdup(names.v[i]));
	}
	os_names_release(&names);
	free(dir);
}

static const struct pmu *load(struct pmu_db *db, const char *name)
{
	struct str s = STR_INIT;
	struct pmu *p;
	u64 type;

	for (size_t i = 0; i < db->pmus.n; i++)
		if (!strcmp(db->pmus.v[i]->name, name))
			return db->pmus.v[i];
	if (strchr(name, '/') || !read_text(db, name, "type", &s) ||
	    !parse_u64(str_cstr(&s), &type)) {
		str_release(&s);
		return NULL;
	}
	p = xnew(struct pmu);
	p->name = xstrdup(name);
	p->type = (u32)type;
	str_reset(&s);
	if (read_text(db, name, "cpus", &s))
		p->core = true;
	else
		str_reset(&s);
	if (s.len || (read_text(db, name, "cpumask", &s) && s.len)) {
		if (parse_int_list(s.buf, &p->cpus, NULL))
			vec_clear(&p->cpus);
	}
	p->core |= !strcmp(name, "cpu");
	read_formats(db, p);
	read_events(db, p);
	vec_push(&db->pmus, p);
	str_release(&s);
	return p;
}

/* "uncore_imc_3" is one of "uncore_imc" and of "imc". */
static bool is_family(const char *pmu, const char *name)
{
	size_t n = strlen(name);

	if (str_has_prefix(pmu, "uncore_") && !str_has_prefix(name, "uncore_"))
		pmu += 7;
	if (strncmp(pmu, name, n))
		return false;
	pmu += n;
	if (!*pmu)
		return true;
	if (*pmu == '_')
		pmu++;
	return *pmu && pmu[strspn(pmu, "0123456789")] == 0;
}

static int cmp_pmu(const void *a, const void *b)
{
	const struct pmu *x = *(const struct pmu *const *)a, *y = *(const struct pmu *const *)b;

	return strverscmp(x->name, y->name);
}

void pmu_match(struct pmu_db *db, const char *name, pmu_vec *out)
{
	const struct pmu *p;

	if (!db)
		return;
	p = load(db, name);
	if (p) {
		vec_push(out, p);
		return;
	}
	list_names(db);
	for (size_t i = 0; i < db->names.n; i++)
		if (is_glob(name) ? glob_match(db->names.v[i], name) :
		    is_family(db->names.v[i], name)) {
			p = load(db, db->names.v[i]);
			if (p)
				vec_push(out, p);
		}
	if (out->n)
		qsort(out->v, out->n, sizeof(*out->v), cmp_pmu);
}

void pmu_all(struct pmu_db *db, pmu_vec *out)
{
	if (!db)
		return;
	list_names(db);
	for (size_t i = 0; i < db->names.n; i++) {
		const struct pmu *p = load(db, db->names.v[i]);

		if (p)
			vec_push(out, p);
	}
}

void pmu_hybrid(struct pmu_db *db, pmu_vec *out)
{
	struct str s = STR_INIT;

	if (!db || !db->n_core)
		return;
	list_names(db);
	for (size_t i = 0; i < db->names.n; i++) {
		str_reset(&s);
		if (read_text(db, db->names.v[i], "cpus", &s)) {
			const struct pmu *p = load(db, db->names.v[i]);

			if (p)
				vec_push(out, p);
		}
	}
	/* not alphabetical: the PMU with the larger cores has the lower CPUs */
	for (size_t i = 0; i + 1 < out->n; i++)
		for (size_t k = i + 1; k < out->n; k++)
			if (out->v[i]->cpus.n && out->v[k]->cpus.n &&
			    out->v[k]->cpus.v[0] < out->v[i]->cpus.v[0]) {
				const struct pmu *t = out->v[i];

				out->v[i] = out->v[k];
				out->v[k] = t;
			}
	db->n_core = (int)out->n;
	if (out->n < 2) {
		db->n_core = 0;
		vec_clear(out);
	}
	str_release(&s);
}

const struct pmu_format *pmu_format(const struct pmu *p, const char *name)
{
	for (size_t i = 0; i < p->formats.n; i++)
		if (!strcmp(p->formats.v[i].name, name))
			return &p->formats.v[i];
	return NULL;
}

int pmu_format_width(const struct pmu_format *f)
{
	int width = 0;

	for (size_t i = 0; i < f->bits.n; i++)
		width += f->bits.v[i].to - f->bits.v[i].from + 1;
	return width;
}

bool pmu_format_set(const struct pmu_format *f, struct perf_event_attr *attr, u64 value, u64 *max)
{
	u64 word, left = value;
	int width = pmu_format_width(f);
	void *at = f->word == 0 ? (void *)&attr->config : f->word == 1 ? (void *)&attr->config1 :
		   f->word == 2 ? (void *)&attr->config2 : NULL;

	*max = width >= 64 ? ~0ULL : (1ULL << width) - 1;
	if (value > *max)
		return false;
	if (!at) {		/* config3 and later: after sig_data */
		size_t off = 128 + 8 * (size_t)(f->word - 3);

		if (off + 8 > sizeof(*attr))
			return false;
		at = (u8 *)attr + off;
	}
	memcpy(&word, at, 8);
	for (size_t i = 0; i < f->bits.n; i++) {
		int n = f->bits.v[i].to - f->bits.v[i].from + 1;
		u64 mask = n == 64 ? ~0ULL : (1ULL << n) - 1;

		word = (word & ~(mask << f->bits.v[i].from)) | (left & mask) << f->bits.v[i].from;
		left = n == 64 ? 0 : left >> n;
	}
	memcpy(at, &word, 8);
	return true;
}

const char *pmu_event(const struct pmu *p, const char *event)
{
	for (size_t i = 0; i < p->events.n; i++)
		if (!strcasecmp(p->events.v[i], event))
			return p->events.v[i];
	return NULL;
}

int pmu_event_text(const struct pmu_db *db, const struct pmu *p, const char *event, struct str *out,
		   char **unit, double *scale,
		   struct err *err)
{
	char *path = xasprintf(PMU_DIR "/%s/events/%s", p->name, event);
	char *unit_file = xasprintf("events/%s.unit", event),
		*scale_file = xasprintf("events/%s.scale", event);
	struct str s = STR_INIT;
	int ret = os_read_file(db->os, path, out, err);

	trim(out);
	*unit = NULL;
	*scale = 1.0;
	if (!ret && read_text(db, p->name, unit_file, &s) && s.len)
		*unit = xstrdup(s.buf);
	str_reset(&s);
	if (!ret && read_text(db, p->name, scale_file, &s) && !parse_double(str_cstr(&s), scale))
		*scale = 1.0;
	str_release(&s);
	free(unit_file);
	free(scale_file);
	free(path);
	return ret;
}
