// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which samples are looked at: tasks, CPUs, time slices, and after resolution comms, dsos and
 * symbols.
 */
#include "util/stream/stream-priv.h"

#include <errno.h>

#include "util/wire/offcpurec.h"

static int parse_ids(const char *text, const char *what, int_vec *out, struct err *err)
{
	word_list parts = { 0 };
	int ret = 0, id;

	words_split(text, &parts);
	for vec_each(p, &parts) {
		if (ret == 0 && !parse_int(*p, &id))
			ret = err_set(err, EINVAL, "invalid %s '%s'", what, *p);
		else if (ret == 0)
			vec_push(out, id);
		free(*p);
	}
	vec_free(&parts);
	return ret;
}

/* "10%/2": the second slice of 10%; "10%-20%". -> fractions of the recording's time */
static bool parse_percent(const char *p, double *from, double *to)
{
	char *end;
	double a = strtod(p, &end), b;

	if (end == p || *end != '%' || a < 0 || a > 100)
		return false;
	p = end + 1;
	if (*p == '/') {
		u64 n;

		if (!parse_u64(p + 1, &n) || n < 1 || (double)(n - 1) * a >= 100)
			return false;
		*from = (double)(n - 1) * a / 100;
		*to = MIN((double)n * a / 100, 1.0);
		return true;
	}
	if (*p == '\0') {
		*from = 0;
		*to = a / 100;
		return true;
	}
	if (*p != '-')
		return false;
	b = strtod(p + 1, &end);
	if (end == p + 1 || end[0] != '%' || end[1] || b < a || b > 100)
		return false;
	*from = a / 100;
	*to = b / 100;
	return true;
}

/* Seconds that no clock reaches are the last moment before the sums of off-CPU time, which stand
 * after all times (record --off-cpu). */
static bool parse_moment(const char *text, u64 *ns)
{
	if (!*text || text[strspn(text, "0123456789")] || parse_time_ns(text, ns))
		return parse_time_ns(text, ns);
	*ns = OFFCPU_SUMS_NS - 1;
	return true;
}

/* "start,stop" with either side empty; several of them after blanks. */
static bool parse_seconds(const char *text, struct time_range *r)
{
	const char *comma = strchr(text, ',');
	char *start = comma ? xstrndup(text, comma - text) : xstrdup(text);
	bool ok = true;

	r->from_ns = 0;
	r->to_ns = UINT64_MAX;
	if (*start)
		ok = parse_moment(start, &r->from_ns);
	if (ok && comma && comma[1])
		ok = parse_moment(comma + 1 + strspn(comma + 1, " "), &r->to_ns);
	free(start);
	return ok && r->from_ns <= r->to_ns;
}

static int bad_time(const struct filter *f, struct err *err)
{
	err_set(err, EINVAL, "invalid time string '%s'", f->time_text);
	err_hint(err, "write \"start,stop\" in seconds as script shows them, \"10%%-20%%\", or "
		      "\"10%%/2\" for the second tenth");
	return -EINVAL;
}

/* Up to the blank after which the next range begins: "1,2 3,4", but "1, 2" is one. */
static size_t range_bytes(const char *p)
{
	const size_t n = strcspn(p, " "), gap = strspn(p + n, " ");
	const char *next = p + n + gap;

	return n && gap && p[n - 1] == ',' && *next && !memchr(next, ',', strcspn(next, " ")) ?
		n + gap + strcspn(next, " ") : n;
}

static int parse_seconds_list(struct filter *f, struct err *err)
{
	const char *p = f->time_text + strspn(f->time_text, " ");
	int ret = 0;

	while (*p && ret == 0) {
		const size_t n = range_bytes(p);
		char *one = xstrndup(p, n);
		struct time_range r;

		if (parse_seconds(one, &r))
			vec_push(&f->times, r);
		else
			ret = bad_time(f, err);
		free(one);
		p += n;
		p += strspn(p, " ");
	}
	return ret;
}

int filter_set_bounds(struct filter *f, u64 first_ns, u64 last_ns, struct err *err)
{
	word_list parts = { 0 };
	int ret = 0;

	if (f->where)
		where_set_bounds(f->where, first_ns, last_ns);
	if (!f->percent)
		return 0;
	words_split(f->time_text, &parts);
	for vec_each(p, &parts) {
		double from, to, all = last_ns > first_ns ? (double)(last_ns - first_ns) : 0;

		if (ret == 0 && !parse_percent(*p, &from, &to))
			ret = bad_time(f, err);
		else if (ret == 0)
			vec_push(&f->times, ((struct time_range){ first_ns + (u64)(all * from),
					 to >= 1.0 ? last_ns : first_ns + (u64)(all * to) -
					 (to > 0 && all > 0) }));
		free(*p);
	}
	vec_free(&parts);
	return ret;
}

/* What is no name of a symbol may be an address, or where a range begins. */
static void set_addresses(struct filter *f, int range)
{
	u64 va;

	f->addr_range = range;
	for vec_each(word, &f->symbols)
		if (parse_hex(*word, &va))
			vec_push(&f->addresses, va);
}

int filter_init(struct filter *f, const struct stream_filter *t, struct err *err)
{
	int ret = 0;

	memset(f, 0, sizeof(*f));
	words_split(t->comms, &f->comms);
	words_split(t->dsos, &f->dsos);
	words_split(t->symbols, &f->symbols);
	set_addresses(f, t->addr_range);
	f->substr = t->symbol_substr && *t->symbol_substr ? t->symbol_substr : NULL;
	f->time_text = t->time;
	if (t->pids)
		ret = parse_ids(t->pids, "pid", &f->pids, err);
	if (ret == 0 && t->tids)
		ret = parse_ids(t->tids, "tid", &f->tids, err);
	if (ret == 0 && t->cpus)
		ret = parse_int_list(t->cpus, &f->cpus, err);
	if (ret == 0 && t->time) {
		double a, b;
		char *first = xstrndup(t->time, strcspn(t->time, ","));

		f->percent = strchr(t->time, '%') != NULL;
		if (!f->percent)
			ret = parse_seconds_list(f, err);
		else if (!parse_percent(first, &a, &b))
			ret = bad_time(f, err);
		free(first);
	}
	if (ret == 0 && t->where)
		ret = where_parse(t->where, &f->where, err);
	f->needs_bounds = f->percent || (f->where && where_has_percent(f->where));
	f->any = f->comms.n || f->dsos.n || f->symbols.n || f->pids.n || f->tids.n || f->cpus.n ||
		f->time_text || f->substr || f->where;
	return ret;
}

void filter_release(struct filter *f)
{
	words_release(&f->comms);
	words_release(&f->dsos);
	words_release(&f->symbols);
	vec_free(&f->pids);
	vec_free(&f->tids);
	vec_free(&f->cpus);
	vec_free(&f->times);
	where_free(f->where);
	vec_free(&f->addresses);
}

static bool has_int(const int_vec *v, int x)
{
	for (size_t i = 0; i < v->n; i++) {
		if (v->v[i] == x)
			return true;
	}
	return v->n == 0;
}

static bool has_str(const word_list *v, const char *x)
{
	for (size_t i = 0; i < v->n && x; i++) {
		if (strcmp(v->v[i], x) == 0)
			return true;
	}
	return v->n == 0;
}

static bool in_times(const struct filter *f, u64 t)
{
	for (size_t i = 0; i < f->times.n; i++) {
		if (f->times.v[i].from_ns <= t && t <= f->times.v[i].to_ns)
			return true;
	}
	return f->times.n == 0;
}

bool filter_sample(const struct filter *f, const struct sample *s)
{
	return has_int(&f->pids, s->pid) && has_int(&f->tids, s->tid) &&
		has_int(&f->cpus, s->cpu) && in_times(f, s->time_ns);
}

/* The address of a symbol's start, the sample's own, or one from that on. */
static bool has_address(const struct filter *f, const struct location *l)
{
	const u64 start = l->sym ? l->va - l->back - (l->rva - l->sym->start_rva) : l->va;

	for (size_t i = 0; i < f->addresses.n; i++) {
		const u64 va = f->addresses.v[i];

		if (va == start || va == l->va ||
		    (f->addr_range > 0 && l->va >= va && l->va - va < (u64)f->addr_range))
			return true;
	}
	return false;
}

bool filter_resolved(const struct filter *f, const struct resolved *r)
{
	const struct dso *d = r->leaf.dso;
	const char *sym = r->leaf.sym ? r->leaf.sym->name : NULL;

	if (f->comms.n && !has_str(&f->comms, r->comm ? r->comm->name : NULL))
		return false;
	if (f->dsos.n && !(d && (has_str(&f->dsos, d->path) || has_str(&f->dsos, d->short_name))))
		return false;
	if (f->symbols.n && !(sym && has_str(&f->symbols, sym)) && !has_address(f, &r->leaf))
		return false;
	return !f->substr || (sym && strstr(sym, f->substr));
}

unsigned filter_wants(const struct filter *f)
{
	return (f->comms.n ? SINK_THREAD : 0) | (f->where ? where_wants(f->where) : 0) |
		(f->dsos.n || f->symbols.n || f->substr ? SINK_SYMBOLS | SINK_THREAD : 0);
}
