// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/tracepoint.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include <traceevent/event-parse.h>

#include "util/base/rd.h"
#include "util/event/tracepoint-check.h"
#include "util/event/tracepoint-priv.h"
#include "util/os/kernel.h"

/*
 * Invariants: formats are only added, never changed or removed. libtraceevent's handle is touched
 * under the lock, because its printing keeps caches; fields are ours and need no lock.
 */
struct tp_table {
	struct tep_handle *tep;
	pthread_mutex_t lock;
	VEC(struct tp_format *) formats;
	struct hmap by_id;
};

void tp_add_dev(struct str *out, u32 dev)
{
	str_addf(out, "%u:%u", dev >> 20, dev & 0xfffff);
}

struct tp_table *tp_table_new(void)
{
	struct tp_table *t = xnew(struct tp_table);
	bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	tep_set_loglevel(TEP_LOG_NONE);
	t->tep = tep_alloc();
	tep_set_local_bigendian(t->tep, big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_file_bigendian(t->tep, big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(t->tep, sizeof(long));
	pthread_mutex_init(&t->lock, NULL);
	return t;
}

void tp_table_free(struct tp_table *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->formats.n; i++) {
		struct tp_format *f = t->formats.v[i];

		for vec_each(field, &f->fields) {
			free(field->name);
			free(field->type);
		}
		vec_free(&f->fields);
		vec_free(&f->dynamic);
		tp_text_free(f->text);
		free(f->system);
		free(f->name);
		free(f);
	}
	vec_free(&t->formats);
	hmap_release(&t->by_id);
	tep_free(t->tep);
	pthread_mutex_destroy(&t->lock);
	free(t);
}

static void add_fields(struct tp_format *f, const struct tep_format_field *p)
{
	for (; p; p = p->next) {
		struct tp_field *x;

		if (p->offset < 0 || p->size < 0 || (u64)p->offset + p->size > 65536)
			continue;
		x = vec_add(&f->fields);
		x->name = xstrdup(p->name);
		x->type = xstrdup(p->type ? p->type : "");
		x->off = p->offset;
		x->bytes = p->size;
		x->is_signed = p->flags & TEP_FIELD_IS_SIGNED;
		x->is_string = p->flags & TEP_FIELD_IS_STRING;
		x->is_dynamic = p->flags & TEP_FIELD_IS_DYNAMIC;
		x->is_array = p->flags & TEP_FIELD_IS_ARRAY;
		x->is_relative = p->flags & TEP_FIELD_IS_RELATIVE;
		x->is_pointer = p->flags & TEP_FIELD_IS_POINTER;
		x->elem_bytes = p->elementsize ? p->elementsize : (u32)p->size;
		if (x->is_dynamic)
			vec_push(&f->dynamic, (u32)f->fields.n - 1);
		if (!x->is_array || x->is_dynamic || x->bytes)
			f->fixed_bytes = MAX(f->fixed_bytes, x->off + x->bytes);
	}
}

/* "name: X\n" and "ID: n\n" at the start; the rest is libtraceevent's business. */
static bool head_of(const char *text, char **name, u64 *id)
{
	const char *p = text, *q;
	char *num;
	bool ok;

	if (!str_has_prefix(p, "name: "))
		return false;
	p += 6;
	q = strchr(p, '\n');
	if (!q || q == p || !str_has_prefix(q + 1, "ID: "))
		return false;
	num = xstrndup(q + 5, strcspn(q + 5, "\n"));
	ok = parse_u64(num, id);
	free(num);
	if (ok)
		*name = xstrndup(p, q - p);
	return ok;
}

static const char *skip_blanks(const char *p)
{
	return p + strspn(p, " \t");
}

/* After a '/' or '%': whether the divisor may be a constant 0. libtraceevent computes constants
 * while it parses, names that it does not know count as 0, and it does not look before it divides.
 */
static bool maybe_zero(const char *p)
{
	bool nested = false;

	for (;;) {
		const char *word, *end;

		p = skip_blanks(p);
		if (*p == '(') {
			nested = true;
			p++;
			continue;
		}
		word = p;
		end = p + strspn(p, "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789 *");
		if (nested && *end == ')' && (*word < '0' || *word > '9')) {	/* a cast */
			p = end + 1;
			continue;
		}
		break;
	}
	if (str_has_prefix(p, "REC->") || str_has_prefix(p, "sizeof") ||
	    str_has_prefix(p, "__get_"))
		return false;
	if (*p < '0' || *p > '9' || !strtoull(p, NULL, 0))
		return true;
	p += strspn(p, "0123456789abcdefABCDEFxXuUlL");
	p = skip_blanks(p);
	return nested && *p != ')' && *p != '*' && *p != '+' && strncmp(p, "<<", 2) != 0;
}

/* Takes a print format that is not safe to parse out of a format text; the fields stay. */
static void disarm_print_fmt(char *text)
{
	char *fmt = strstr(text, "\nprint fmt:");
	bool quoted = false;

	for (char *p = fmt ? fmt + 11 : NULL; p && *p; p++) {
		if (quoted && *p == '\\' && p[1]) {
			p++;
		} else if (*p == '"') {
			quoted = !quoted;
		} else if (!quoted && (*p == '/' || *p == '%') && maybe_zero(p + 1)) {
			/* room is there: the operator and more */
			memcpy(fmt + 11, " \"\"\n", MIN(strlen(fmt + 11), 4UL));
			if (strlen(fmt + 11) > 4)
				fmt[11 + 4] = 0;
			return;
		}
	}
}

int tp_table_add(struct tp_table *t, const char *system, const char *format_text, size_t bytes,
		 struct err *err)
{
	char *text = xstrndup(format_text, bytes), *name = NULL;
	struct tp_format *f;
	u64 id = 0;
	size_t good = 0;
	int ret = 0;

	if (bytes > 1 << 20 || strlen(text) != bytes || !head_of(text, &name, &id)) {
		ret = err_set(err, EINVAL, "the format of a tracepoint of '%s' is damaged", system);
		goto out;
	}
	if (id > INT32_MAX || hmap_get(&t->by_id, id) || tp_by_name(t, system, name))
		goto out;	/* known already */
	f = xnew(struct tp_format);
	f->system = xstrdup(system);
	f->name = name;
	name = NULL;
	f->id = id;
	f->table = t;
	/* libtraceevent shows the fields one by one then */
	if (tp_format_check(text, &good) && good) {
		char *cut = xasprintf("%.*sprint fmt: \"%%s\", ({ damaged; })\n", (int)good, text);

		free(text);
		text = cut;
	}
	disarm_print_fmt(text);
	pthread_mutex_lock(&t->lock);
	if (good) {
		tep_parse_event(t->tep, text, strlen(text), system);
		f->tep = tep_find_event(t->tep, (int)id);
	}
	if (f->tep) {
		add_fields(f, f->tep->format.common_fields);
		add_fields(f, f->tep->format.fields);
	}
	pthread_mutex_unlock(&t->lock);
	if (f->tep && !(f->tep->flags & TEP_EVENT_FL_FAILED))
		f->text = tp_text_new(f, f->tep->print_fmt.format, f->tep->print_fmt.args);
	vec_push(&t->formats, f);
	hmap_put(&t->by_id, id, f);
out:
	free(text);
	free(name);
	return ret;
}

/* Groups, or events of a group: what is a directory; not "enable", "filter". */
static int list_directories(const struct os *os, const char *dir, os_names *out)
{
	char *real = os_path(os, dir);
	size_t n = 0;
	int ret = os_list_dir(os, dir, out, NULL);

	for (size_t i = 0; i < out->n; i++) {
		char *path = xasprintf("%s/%s/.", real, out->v[i]);

		if (!access(path, F_OK))
			out->v[n++] = out->v[i];
		else
			free(out->v[i]);
		free(path);
	}
	out->n = n;
	free(real);
	return ret;
}

static void hint_of_group(const char *system, const char *name, const os_names *names,
			  struct err *err)
{
	const char *best = nearest_name(name, (const char *const *)names->v, names->n);
	struct str s = STR_INIT;

	for (size_t i = 0; i < names->n; i++)
		str_addf(&s, "%s%s", i ? ", " : "", names->v[i]);
	if (best)
		err_hint(err, "did you mean '%s:%s'?", system, best);
	else if (names->n && names->n <= 10)
		err_hint(err, "the events of the group '%s' are: %s", system, str_cstr(&s));
	else
		err_hint(err, "perf list '%s:*' shows the events of this group", system);
	str_release(&s);
}

/* What a kernel has from some version on, whatever it was built with. */
static bool hint_of_age(const struct os *os, const char *system, const char *name, struct err *err)
{
	static const struct {
		const char *system, *name;
		int major, minor;
	} began[] = {
		{ "lock", "contention_begin", 5, 19 },
		{ "lock", "contention_end", 5, 19 },
		{ "syscalls", "sys_enter_landlock_add_rule", 5, 13 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(began); i++) {
		if (strcmp(system, began[i].system) || strcmp(name, began[i].name) ||
		    os_kernel_at_least(os, began[i].major, began[i].minor))
			continue;
		err_hint(err, "kernels have it from Linux %d.%d on", began[i].major,
			 began[i].minor);
		return true;
	}
	return false;
}

void tp_hint_unknown(const struct os *os, const char *system, const char *name, struct err *err)
{
	os_names systems = { 0 }, names = { 0 };
	const char *best = NULL;
	char *dir, *there;

	if (hint_of_age(os, system, name, err))
		return;
	dir = xasprintf("tracing:events/%s", system);
	if (!is_glob(system) && !is_glob(name) && !list_directories(os, dir, &names)) {
		hint_of_group(system, name, &names, err);
	} else {
		if (!is_glob(system) && !list_directories(os, "tracing:events", &systems))
			best = nearest_name(system, (const char *const *)systems.v, systems.n);
		there = best ? xasprintf("tracing:events/%s/%s", best, name) : NULL;
		if (best && strcmp(best, system) && !os_list_dir(os, there, &names, NULL))
			err_hint(err, "did you mean '%s:%s'?", best, name);
		else if (best && strcmp(best, system))
			err_hint(err, "did you mean the group '%s'?", best);
		else
			err_hint(err, "perf list 'tracepoint' shows those of this kernel; probes "
				      "must be defined first (perf probe)");
		free(there);
	}
	os_names_release(&systems);
	os_names_release(&names);
	free(dir);
}

int tp_table_load(struct tp_table *t, struct os *os, const char *system, const char *name,
		  const struct tp_format **out,
		  struct err *err)
{
	const struct tp_format *f = tp_by_name(t, system, name);
	struct str s = STR_INIT;
	char *path;
	int ret = 0;

	if (f) {
		*out = f;
		return 0;
	}
	ret = os_tracefs(os, err);
	if (ret)
		return ret;
	path = xasprintf("tracing:events/%s/%s/format", system, name);
	ret = os_read_file(os, path, &s, err);
	if (ret == -ENOENT) {
		err_set(err, ENOENT, "unknown tracepoint '%s:%s'", system, name);
		tp_hint_unknown(os, system, name, err);
	}
	if (!ret)
		ret = tp_table_add(t, system, str_cstr(&s), s.len, err);
	if (!ret) {
		*out = tp_by_name(t, system, name);
		if (!*out)
			ret = err_set(err, EINVAL, "'%s:%s' has the number of another tracepoint",
				      system, name);
	}
	free(path);
	str_release(&s);
	return ret;
}

/* --- the section of perf.data, see Documentation/perf.data-format.txt --- */

#define MAX_TEXT_BYTES (64u << 20)

static int add_system(struct tp_table *t, struct rd *r, struct err *err)
{
	const char *system = rd_cstr(r);
	u32 n = rd_u32(r);

	for (u32 i = 0; i < n && !rd_failed(r); i++) {
		u64 bytes = rd_u64(r);
		const char *text = bytes <= rd_left(r) ? rd_bytes(r, bytes) : NULL;

		if (!text) {
			r->failed = true;
			break;
		}
		if (system && tp_table_add(t, system, text, bytes, err))
			return -EINVAL;
	}
	return 0;
}

/* A text with its length, made NUL-terminated; NULL when it is empty or not there. */
static char *text_of(struct rd *r, u64 bytes)
{
	const char *p = bytes && bytes <= rd_left(r) && bytes < MAX_TEXT_BYTES ?
		rd_bytes(r, bytes) : NULL;

	if (!p) {
		rd_skip(r, bytes);
		return NULL;
	}
	return xstrndup(p, bytes);
}

/* Keeps the lines 0xADDR : "TEXT": libtraceevent reads in front of a text that is shorter than
 * what it cuts off the end. */
static void clean_printk_formats(char *text)
{
	char *out = text, *next;

	for (char *line = text; line; line = next) {
		size_t n = strcspn(line, "\n");
		char *colon = memchr(line, ':', n), *fmt = colon ? colon + 2 : NULL;

		next = line[n] ? line + n + 1 : NULL;
		if (!fmt || colon == line || fmt > line + n)
			continue;
		fmt += *fmt == '"';
		if (fmt + 3 > line + n)
			continue;
		memmove(out, line, n);
		out += n;
		*out++ = '\n';
	}
	*(out > text ? out - 1 : out) = 0;
}

static void read_tail(struct tp_table *t, struct rd *r, bool has_cmdlines)
{
	char *kallsyms = text_of(r, rd_u32(r)), *printk = text_of(r, rd_u32(r)), *cmdlines = NULL;

	if (has_cmdlines)
		cmdlines = text_of(r, rd_u64(r));
	pthread_mutex_lock(&t->lock);
	if (kallsyms)
		tep_parse_kallsyms(t->tep, kallsyms);
	if (printk) {
		clean_printk_formats(printk);
		tep_parse_printk_formats(t->tep, printk);
	}
	if (cmdlines)
		tep_parse_saved_cmdlines(t->tep, cmdlines);
	pthread_mutex_unlock(&t->lock);
	free(kallsyms);
	free(printk);
	free(cmdlines);
}

int tp_table_parse_section(struct tp_table *t, struct span bytes, struct err *err)
{
	struct rd r;
	const char *magic, *version;
	bool big, local_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	u8 long_size;
	u32 n;
	int ret = 0;

	rd_init(&r, bytes.ptr, bytes.len, false);
	magic = rd_bytes(&r, 10);
	if (!magic || memcmp(magic, "\x17\x08" "Dtracing", 10))
		return err_set(err, EINVAL, "the tracing data does not start with its magic");
	version = rd_cstr(&r);
	big = rd_u8(&r);
	r.swap = big != local_big;
	long_size = rd_u8(&r);
	rd_u32(&r);	/* page size */
	if (rd_failed(&r) || (long_size != 4 && long_size != 8))
		return err_set(err, EINVAL, "the header of the tracing data is damaged");
	tep_set_file_bigendian(t->tep, big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(t->tep, long_size);
	/* header_page, header_event: of the ring buffer, not of perf's data */
	for (int i = 0; i < 2; i++) {
		rd_cstr(&r);
		rd_skip(&r, rd_u64(&r));
	}
	n = rd_u32(&r);
	for (u32 i = 0; i < n && !rd_failed(&r); i++)	/* ftrace's own events */
		rd_skip(&r, rd_u64(&r));
	n = rd_u32(&r);
	for (u32 i = 0; i < n && !rd_failed(&r) && !ret; i++)
		ret = add_system(t, &r, err);
	if (!ret && rd_failed(&r))
		ret = err_set(err, EINVAL, "the tracing data ends early (%zu bytes)", bytes.len);
	if (!ret)
		read_tail(t, &r, !version || strcmp(version, "0.5") > 0);
	return ret;
}

static void add_u32(struct str *out, u32 v)
{
	str_addn(out, &v, sizeof(v));
}

static void add_u64(struct str *out, u64 v)
{
	str_addn(out, &v, sizeof(v));
}

static int add_header_file(struct os *os, const char *name, struct str *out)
{
	char *path = xasprintf("tracing:events/%s", name);
	struct str s = STR_INIT;

	/* nothing reads it in a perf.data, but it has its place */
	os_read_file(os, path, &s, NULL);
	str_addn(out, name, strlen(name) + 1);
	add_u64(out, s.len);
	str_addn(out, str_cstr(&s), s.len);
	str_release(&s);
	free(path);
	return 0;
}

/* First event of the list from i on with this system and name; tells duplicates. */
static bool first_of(const struct event_list *l, size_t i, bool same_name)
{
	const struct event *e = l->events.v[i];

	for (size_t k = 0; k < i; k++) {
		const struct event *o = l->events.v[k];

		if (o->tp_system && !strcmp(o->tp_system, e->tp_system) &&
		    (!same_name || !strcmp(o->tp_name, e->tp_name)))
			return false;
	}
	return true;
}

static int add_formats(struct os *os, const struct event_list *l, const char *system,
		       struct str *out, struct err *err)
{
	struct str s = STR_INIT;
	u32 n = 0;
	int ret = 0;

	for (size_t i = 0; i < l->events.n; i++)
		if (l->events.v[i]->tp_system && !strcmp(l->events.v[i]->tp_system, system))
			n += first_of(l, i, true);
	str_addn(out, system, strlen(system) + 1);
	add_u32(out, n);
	for (size_t i = 0; i < l->events.n && !ret; i++) {
		const struct event *e = l->events.v[i];
		char *path;

		if (!e->tp_system || strcmp(e->tp_system, system) || !first_of(l, i, true))
			continue;
		path = xasprintf("tracing:events/%s/%s/format", system, e->tp_name);
		str_reset(&s);
		ret = os_read_file(os, path, &s, err);
		add_u64(out, s.len);
		str_addn(out, str_cstr(&s), s.len);
		free(path);
	}
	str_release(&s);
	return ret;
}

int tp_table_write_section(struct os *os, const struct event_list *l, struct str *out,
			   struct err *err)
{
	struct str printk = STR_INIT;
	u32 systems = 0;
	int ret = os_tracefs(os, err);

	if (ret)
		return ret;
	str_addn(out, "\x17\x08" "Dtracing0.6", 14);
	str_addch(out, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	str_addch(out, sizeof(long));
	add_u32(out, (u32)os->page_bytes);
	add_header_file(os, "header_page", out);
	add_header_file(os, "header_event", out);
	add_u32(out, 0);
	for (size_t i = 0; i < l->events.n; i++)
		if (l->events.v[i]->tp_system)
			systems += first_of(l, i, false);
	add_u32(out, systems);
	for (size_t i = 0; i < l->events.n && !ret; i++)
		if (l->events.v[i]->tp_system && first_of(l, i, false))
			ret = add_formats(os, l, l->events.v[i]->tp_system, out, err);
	add_u32(out, 0);	/* kallsyms: not stored */
	if (os_read_file(os, "tracing:printk_formats", &printk, NULL))
		str_reset(&printk);
	add_u32(out, (u32)printk.len);
	str_addn(out, str_cstr(&printk), printk.len);
	add_u64(out, 0);	/* saved command lines */
	str_release(&printk);
	return ret;
}

/* --- reading --- */

const struct tp_format *tp_by_id(const struct tp_table *t, u64 id)
{
	return t ? hmap_get(&t->by_id, id) : NULL;
}

const struct tp_format *tp_by_name(const struct tp_table *t, const char *system, const char *name)
{
	for (size_t i = 0; t && i < t->formats.n; i++)
		if (!strcmp(t->formats.v[i]->name, name) &&
		    !strcmp(t->formats.v[i]->system, system))
			return t->formats.v[i];
	return NULL;
}

const char *tp_system(const struct tp_format *f)
{
	return f->system;
}

const char *tp_name(const struct tp_format *f)
{
	return f->name;
}

u64 tp_id(const struct tp_format *f)
{
	return f->id;
}

/* libtraceevent trusts the data: it may only see records whose fields all lie inside. */
static bool fits(const struct tp_format *f, struct span raw, bool swap)
{
	size_t len;

	if (raw.len < f->fixed_bytes)
		return false;
	for vec_each(i, &f->dynamic)
		if (!tp_read_bytes(&f->fields.v[*i], raw, swap, &len))
			return false;
	return true;
}

static void print_by_tep(const struct tp_format *f, struct span raw, u32 cpu, u64 time_ns,
			 struct str *out)
{
	struct tep_record rec = { .ts = time_ns, .size = (int)raw.len, .cpu = (int)cpu,
				  .record_size = (int)raw.len };
	struct trace_seq seq;
	u8 *copy = xzalloc(raw.len + 16);	/* strings without their NUL end here */

	if (raw.len)
		memcpy(copy, raw.ptr, raw.len);
	rec.data = copy;
	trace_seq_init(&seq);
	pthread_mutex_lock(&f->table->lock);
	tep_print_event(f->table->tep, &seq, &rec, "%s", TEP_PRINT_INFO);
	pthread_mutex_unlock(&f->table->lock);
	str_add_safen(out, seq.buffer, seq.len);
	trace_seq_destroy(&seq);
	free(copy);
}

/* Says why when the record cannot be printed. */
static bool printable(const struct tp_format *f, struct span raw, bool swap, struct str *out)
{
	if (!f->tep || raw.len > INT32_MAX)
		str_addf(out, "[%zu bytes of an unknown format]", raw.len);
	else if (!fits(f, raw, swap))
		str_addf(out, "[data of %zu bytes is cut off]", raw.len);
	else
		return true;
	return false;
}

void tp_print_slow(const struct tp_format *f, struct span raw, bool swap, u32 cpu, u64 time_ns,
		   struct str *out)
{
	if (printable(f, raw, swap, out))
		print_by_tep(f, raw, cpu, time_ns, out);
}

bool tp_is_compiled(const struct tp_format *f)
{
	return f->text;
}

void tp_print(const struct tp_format *f, struct span raw, bool swap, u32 cpu, u64 time_ns,
	      struct str *out)
{
	if (!printable(f, raw, swap, out))
		return;
	if (f->text)
		tp_text_print(f->text, raw, swap, out);
	else
		print_by_tep(f, raw, cpu, time_ns, out);
}
