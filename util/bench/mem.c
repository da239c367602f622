// SPDX-License-Identifier: GPL-2.0-or-later
// mem: bytes per second of copying, of filling, and of mapping memory.
#include "util/bench/mem-priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MAP_HUGE_SHIFT
#define MAP_HUGE_SHIFT 26
#endif

/* ---- time or cycles ---- */

static u64 read_cycles(const struct mem_suite *s)
{
	u64 n = 0;

	return s->counter >= 0 && read(s->counter, &n, sizeof(n)) == sizeof(n) ? n : 0;
}

void mem_watch_start(const struct mem_suite *s, struct mem_watch *w)
{
	w->cycles = read_cycles(s);
	w->us = bench_now_us();
}

void mem_watch_stop(const struct mem_suite *s, const struct mem_watch *w, struct mem_result *r)
{
	r->us = bench_now_us() - w->us;
	r->cycles = read_cycles(s) - w->cycles;
}

static int open_cycles(const struct bench *b, struct err *err)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE, .size = sizeof(attr),
					.config = PERF_COUNT_HW_CPU_CYCLES, .inherit = 1 };
	int fd = b->os->perf_event_open(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0) {
		err_sys(err, -fd, "cannot count cycles (-c)");
		err_hint(err, "without -c time is measured; perf doctor says what this machine can "
			      "count");
	}
	return fd;
}

/* ---- options ---- */

/* "4KB", "1mb", "1073741824" */
static int parse_bytes(const char *text, const char *what, u64 *out, struct err *err)
{
	static const char *const units[] = { "", "B", "KB", "MB", "GB", "TB" };
	const size_t digits = strspn(text, "0123456789");
	char *number = xasprintf("%.*s", (int)digits, text);
	int shift = -1;

	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcasecmp(text + digits, units[i]))
			shift = i < 2 ? 0 : 10 * ((int)i - 1);
	if (!digits || shift < 0 || !parse_u64(number, out) || (*out << shift) >> shift != *out) {
		err_set(err, EINVAL, "invalid %s: '%s'", what, text);
		err_hint(err, "a number with one of the units B, KB, MB, GB, TB");
		free(number);
		return -EINVAL;
	}
	*out <<= shift;
	free(number);
	return 0;
}

static int read_args(const struct bench_mem_opts *o, struct mem_args *a, struct err *err)
{
	int ret = parse_bytes(o->size, "size", &a->bytes, err);

	a->o = o;
	ret = ret ? ret : parse_bytes(o->chunk, "chunk size", &a->chunk_bytes, err);
	ret = ret ? ret : parse_bytes(o->page, "page size", &a->page_bytes, err);
	if (ret)
		return ret;
	if (a->page_bytes != 4 << 10 && a->page_bytes != 2 << 20 && a->page_bytes != 1 << 30) {
		err_set(err, EINVAL, "invalid page size: '%s'", o->page);
		err_hint(err, "one of 4KB, 2MB, 1GB");
		return -EINVAL;
	}
	if (!a->bytes)
		return err_set(err, EINVAL, "invalid size: '%s'", o->size);
	if (!a->chunk_bytes || a->chunk_bytes > a->bytes)
		a->chunk_bytes = a->bytes;
	return 0;
}

int mem_page_flags(const struct mem_args *a)
{
	int log2 = 0;

	if (a->page_bytes == 4 << 10)
		return MAP_PRIVATE | MAP_ANONYMOUS;
	while (1ULL << log2 < a->page_bytes)
		log2++;
	return MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | (log2 << MAP_HUGE_SHIFT);
}

/* ---- figures ---- */

static void print_rate(const struct bench *b, double rate)
{
	static const char *const units[] = { "bytes", "KB", "MB", "GB" };
	size_t i = 0;

	if (b->simple) {
		fprintf(b->out, "%f", rate);
		return;
	}
	for (; i < ARRAY_SIZE(units) - 1 && rate >= 1024; i++)
		rate /= 1024;
	fprintf(b->out, " %14f %s/sec", rate, units[i]);
}

static void print_result(const struct bench *b, const struct mem_suite *s, const struct mem_args *a,
			 const struct mem_result *r)
{
	const double bytes = (double)a->bytes * a->o->loops;
	struct stat_spread rates = { 0 };

	for (int i = 0; i < a->o->threads; i++)
		if (s->counter >= 0)
			stat_spread_add(&rates, bytes > 0 ? (double)r[i].cycles / bytes : 0);
		else
			stat_spread_add(&rates, bytes / ((double)MAX(r[i].us, 1U) / US_PER_SEC));
	if (s->counter >= 0)
		fprintf(b->out, b->simple ? "%f" : " %14f cycles/byte", rates.mean);
	else
		print_rate(b, rates.mean);
	if (a->o->threads > 1 && !b->simple)
		fprintf(b->out, "/thread\t( +- %6.2f%% )", bench_rel_error(&rates));
	fprintf(b->out, "\n");
}

static int run_function(const struct bench *b, const struct mem_suite *s,
			const struct mem_function *f, const struct mem_args *a, struct err *err)
{
	struct mem_result *r = xcalloc((size_t)a->o->threads, sizeof(*r));
	int ret;

	fprintf(b->out, "# function '%s' (%s)\n", f->name, f->help);
	ret = s->run(s, f, a, r, err);
	if (!ret) {
		if (!b->simple)
			fprintf(b->out, "# Copying %s bytes ...\n\n", a->o->size);
		print_result(b, s, a, r);
		fflush(b->out);
	}
	free(r);
	return ret;
}

static void list_functions(const struct mem_function *f, struct str *out)
{
	for (; f->name; f++)
		str_addf(out, "%s%s ... %s", out->len ? "\n\t" : "", f->name, f->help);
}

static int unknown_function(const struct mem_suite *s, const struct bench_mem_opts *o,
			    struct err *err)
{
	struct str names = STR_INIT;

	list_functions(s->functions, &names);
	err_set(err, EINVAL, "unknown function: '%s'", o->function);
	err_hint(err, "available functions:\n\t%s", str_cstr(&names));
	str_release(&names);
	return -EINVAL;
}

int mem_run_suite(struct bench *b, struct mem_suite *s, const struct bench_mem_opts *o,
		  struct err *err)
{
	struct str names = STR_INIT;
	struct mem_args a;
	bool all = !strcmp(o->function, "all"), found = all;
	int ret = 0;

	if (!strcmp(o->function, "help")) {
		list_functions(s->functions, &names);
		fprintf(b->out, "Available functions:\n\t%s\n", str_cstr(&names));
		str_release(&names);
		return 0;
	}
	for (const struct mem_function *f = s->functions; f->name; f++)
		found = found || !strcmp(f->name, o->function);
	if (!found)
		return unknown_function(s, o, err);
	ret = read_args(o, &a, err);
	if (!ret && o->threads < 1)
		ret = err_set(err, EINVAL, "%d threads: at least one is needed", o->threads);
	s->counter = !ret && o->cycles ? open_cycles(b, err) : -1;
	if (!ret && o->cycles && s->counter < 0)
		ret = s->counter;
	for (const struct mem_function *f = s->functions; f->name && !ret; f++)
		if (all || !strcmp(f->name, o->function))
			ret = run_function(b, s, f, &a, err);
	if (s->counter >= 0)
		close(s->counter);
	return ret;
}

/* ---- copying, filling ---- */

static void *map_pages(const struct mem_args *a, int flags, struct err *err)
{
	void *p = mmap(NULL, a->bytes, PROT_READ | PROT_WRITE, mem_page_flags(a) | flags, -1, 0);

	if (p != MAP_FAILED)
		return p;
	err_sys(err, errno, "cannot map %s in pages of %s", a->o->size, a->o->page);
	if (a->page_bytes > 4 << 10)
		err_hint(err, "such pages are reserved in /proc/sys/vm/nr_hugepages, or below "
			      "/sys/kernel/mm/hugepages");
	return NULL;
}

static void call_function(const struct mem_function *f, const struct mem_args *a, char *dst,
			  const char *src)
{
	for (u64 at = 0; at < a->bytes; at += a->chunk_bytes) {
		const u64 n = MIN(a->chunk_bytes, a->bytes - at);

		if (src)
			f->copy(dst + at, src + at, n);
		else
			f->set(dst + at, n);
	}
}

/* Once before it counts: the pages and the caches are as in the middle of a long run. */
static void call_often(const struct mem_suite *s, const struct mem_function *f,
		       const struct mem_args *a, char *buffers[2], struct mem_result *r)
{
	struct mem_watch w;

	call_function(f, a, buffers[0], buffers[1]);
	mem_watch_start(s, &w);
	for (int i = 0; i < a->o->loops; i++)
		call_function(f, a, buffers[0], buffers[1]);
	mem_watch_stop(s, &w, r);
}

static int run_calls(const struct mem_suite *s, const struct mem_function *f,
		     const struct mem_args *a, struct mem_result *r, struct err *err)
{
	char *buffers[2] = { map_pages(a, MAP_POPULATE, err), NULL };
	const bool copies = s->functions == mem_copies;
	int ret = buffers[0] ? 0 : -ENOMEM;

	if (!ret && copies) {
		buffers[1] = map_pages(a, MAP_POPULATE, err);
		ret = buffers[1] ? 0 : -ENOMEM;
	}
	if (!ret)
		call_often(s, f, a, buffers, r);
	for (int i = 0; i < 2; i++)
		if (buffers[i])
			munmap(buffers[i], a->bytes);
	return ret;
}

int bench_memcpy(struct bench *b, const void *opts, struct err *err)
{
	return mem_run_suite(b, &(struct mem_suite){ mem_copies, run_calls, -1 }, opts, err);
}

int bench_memset(struct bench *b, const void *opts, struct err *err)
{
	return mem_run_suite(b, &(struct mem_suite){ mem_sets, run_calls, -1 }, opts, err);
}
