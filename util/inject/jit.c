// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The jitdump files that a recording names (a JIT compiler maps its jit-PID.dump executable, so
 * that the recording knows): each piece of code becomes an ELF file beside the dump, and a mapping
 * of it at the time when it was loaded.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/outfile.h"
#include "util/base/utf8.h"
#include "util/base/xalloc.h"
#include "util/elf/elf-write.h"
#include "util/inject/inject-priv.h"
#include "util/os/procfs.h"
#include "util/symbols/buildid-cache.h"
#include "util/symbols/jitdump.h"
#include "util/wire/user.h"

#define MAX_DUMP_BYTES (4ULL << 30)
#define READ_BYTES (1 << 20)
/* what V8 and LLVM add to the addresses of lines: the size of an ELF header */
#define SHIFT_BYTES 0x40

struct marker { u32 pid, maj, min; u64 ino, time_ns; bool has_time; char *path; };

struct dump {
	struct inject *in;
	const struct marker *m;
	char *shown;			/* the file that was opened */
	char *dir;			/* where its ELF files go */
	struct str bytes;
	struct jitdump d;
	/* from its clock to the recording's, which may be earlier: it wraps */
	u64 offset_ns;
	bool shifted_lines;
	/* of the next LOAD */
	u64 lines_va;
	VEC(struct elf_line) lines;
	struct span unwind;
	u64 unwind_hdr_bytes;
	struct hmap loads;		/* code index + 1 -> index in in->added, + 1 */
};

struct clock { bool mono; bool has_conv; struct wire_time_conv conv; };

/* --- finding them --- */

typedef VEC(struct marker) markers;

static void note_marker(struct inject *in, const struct perf_event_header *hdr, markers *v)
{
	struct wire_mmap m;
	struct marker new = { 0 };
	const char *reason;

	if (wire_decode_mmap(hdr, &m, &reason) || m.data || !jitdump_is_name(m.path))
		return;
	for vec_each(x, v)
		if (x->pid == m.pid && !strcmp(x->path, m.path))
			return;
	new.pid = m.pid;
	new.maj = m.maj;
	new.min = m.min;
	new.ino = m.ino;
	new.has_time = inject_record_time(in, hdr, &new.time_ns);
	new.path = xstrdup(m.path);
	vec_push(v, new);
}

static int find_markers(struct inject *in, markers *v, struct clock *clock, struct err *err)
{
	struct data_cursor c;
	struct data_record rec;
	const char *reason;
	int ret;

	data_cursor_init(&c, in->r);
	c.want_kernel = 1ULL << PERF_RECORD_MMAP | 1ULL << PERF_RECORD_MMAP2;
	c.want_user = 1ULL << (WIRE_TIME_CONV - 64);
	while ((ret = data_cursor_next(&c, &rec, err)) > 0) {
		if (rec.hdr->type == WIRE_TIME_CONV)
			clock->has_conv = !wire_decode_time_conv(rec.hdr, &clock->conv, &reason) &&
			clock->conv.shift < 64;
		else
			note_marker(in, rec.hdr, v);
	}
	data_cursor_release(&c);
	return ret;
}

/* --- one dump --- */

/* A stranger's file could name code as it likes, and choose where files are written. */
static int check_owner(const struct dump *d, int fd, const struct procfs_status *st,
		       struct err *err)
{
	struct stat s;

	if (fstat(fd, &s) || !S_ISREG(s.st_mode))
		return err_set(err, EINVAL, "'%s' is not a regular file", d->shown);
	if (d->in->o->force || s.st_uid == 0 || s.st_uid == geteuid() ||
	    (st && s.st_uid == st->uid))
		return 0;
	err_set(err, EPERM, "'%s' belongs to user %u, neither to root nor to you: not used",
		d->shown, s.st_uid);
	err_hint(err, "-f takes it all the same");
	return -EPERM;
}

/* The file of that name here is the recorded one: the recording is of this machine, or the file's
 * number is the recorded one. */
static int check_machine(const struct dump *d, int fd, struct err *err)
{
	const struct data_features *f = &d->in->r->feat;
	struct stat s;

	if (d->in->o->force || os_is_running(d->in->os, f->hostname, f->osrelease) ||
	    (d->m->ino && !fstat(fd, &s) && s.st_ino == d->m->ino &&
	     major(s.st_dev) == d->m->maj && minor(s.st_dev) == d->m->min))
		return 0;
	if (f->hostname)
		err_set(err, EPERM, "'%s' is of this machine, and the recording of '%s': not used",
			d->shown, f->hostname);
	else
		err_set(err, EPERM, "'%s' is of this machine, and the recording does not say of "
			"which it is: not used", d->shown);
	err_hint(err, "-f takes it all the same");
	return -EPERM;
}

/* What the recorder kept of a process in a root of its own: the file of that name here, if any,
 * is another one. */
static int open_kept(struct dump *d)
{
	char *name = jitdump_kept_name(d->m->pid, d->m->path), *cache = buildid_cache_default_dir(),
		*file = NULL;
	int fd = -1;

	for vec_each(b, &d->in->r->feat.build_ids) {
		struct build_id id = { .n = MIN(b->bytes, sizeof(id.bytes)) };

		if (fd >= 0 || !cache || id.n < 2 || strcmp(b->path, name))
			continue;
		memcpy(id.bytes, b->id, id.n);
		free(file);
		file = buildid_cache_file(cache, &id);
		fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	}
	if (fd >= 0) {
		d->shown = file;
		file = NULL;
	}
	free(file);
	free(cache);
	free(name);
	return fd;
}

static u32 word_at(const struct str *s, u64 off)
{
	u32 v;

	memcpy(&v, s->buf + off, sizeof(v));
	return v;
}

/* Up to the first record that is none: after it a file may claim gigabytes, a hole for instance. */
static int read_dump(const struct dump *d, int fd, struct str *out, struct err *err)
{
	bool swap = false;
	/* the size of the header, then those of the records, each 4 bytes into it */
	u64 at = 8;
	ssize_t n;

	do {
		str_reserve(out, READ_BYTES);
		n = io_pread(fd, out->buf + out->len, READ_BYTES, out->len);
		if (n < 0)
			return err_sys(err, (int)-n, "cannot read '%s'", d->shown);
		out->len += (size_t)n;
		if (out->len >= 4)
			swap = word_at(out, 0) != JITDUMP_MAGIC;
		while (at + 4 <= out->len) {
			const u32 size = swap ? __builtin_bswap32(word_at(out, at)) :
				word_at(out, at);

			if (size < 16)
				return 0;
			at = at == 8 ? (u64)size + 4 : at + size;
		}
	} while (n == READ_BYTES && out->len < MAX_DUMP_BYTES);
	return 0;
}

static int open_dump(struct dump *d, struct err *err)
{
	struct procfs_status status, *st = procfs_status(d->in->os, (pid_t)d->m->pid, &status,
							 NULL) ? NULL : &status;
	int fd = open_kept(d), ret, code = ENOENT;
	const bool kept = fd >= 0;

	if (fd < 0) {
		d->shown = xstrdup(d->m->path);
		fd = open(d->shown, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		code = errno;
	}
	if (fd < 0 && st) {	/* a container's */
		free(d->shown);
		d->shown = procfs_root_name((pid_t)d->m->pid, d->m->path);
		fd = open(d->shown, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	}
	if (fd < 0)
		return err_sys(err, code, "cannot open '%s', which process %u wrote", d->m->path,
			       d->m->pid);
	ret = check_owner(d, fd, st, err);
	if (!ret && !kept)
		ret = check_machine(d, fd, err);
	if (!ret)
		ret = read_dump(d, fd, &d->bytes, err);
	close(fd);
	if (!ret && jitdump_init(&d->d, d->bytes.buf, d->bytes.len, err))
		ret = err_prefix(err, "'%s' cannot be used", d->shown);
	return ret;
}

/* V8 writes names of memory that it has freed: what follows such a name cannot be trusted
 * either. */
static bool is_file_name(const char *name)
{
	size_t left = strlen(name), n;

	if (!left)
		return false;
	for (const char *p = name; left; p += n, left -= n) {
		n = utf8_len(p, left);
		if (!n || (n == 1 && ((u8)*p < ' ' || *p == 0x7f)))
			return false;
	}
	return true;
}

/* Whether functions' lines begin that much too late. */
static bool lines_are_shifted(struct jitdump d)
{
	struct jit_record rec;
	struct jit_line l;
	u64 n = 0, shifted = 0;

	while (jitdump_next(&d, &rec) > 0) {
		const char *prev = "";

		if (rec.id != JIT_CODE_DEBUG || !jitdump_line(&rec.lines, &prev, &l))
			continue;
		n++;
		shifted += l.va >= rec.va + SHIFT_BYTES;
	}
	return n && shifted == n;
}

static int by_offset(const void *a, const void *b)
{
	const struct elf_line *x = a, *y = b;

	return x->off < y->off ? -1 : x->off > y->off;
}

static void take_lines(struct dump *d, const struct jit_record *rec)
{
	const u64 base = rec->va + (d->shifted_lines ? SHIFT_BYTES : 0);
	struct rd lines = rec->lines;
	struct jit_line l;
	const char *prev = "";

	vec_clear(&d->lines);
	d->lines_va = rec->va;
	for (u64 i = 0; i < rec->n_lines && jitdump_line(&lines, &prev, &l) && is_file_name(l.file);
	     i++)
		if (l.va >= base)
			vec_push(&d->lines, ((struct elf_line){ l.va - base, l.line, l.file }));
}

static void use_lines(struct dump *d, const struct jit_record *rec, struct elf_function *f)
{
	size_t n = 0;

	if (d->lines_va != rec->va)
		return;
	for vec_each(l, &d->lines)
		if (l->off < rec->bytes)
			d->lines.v[n++] = *l;
	if (n)
		qsort(d->lines.v, n, sizeof(*d->lines.v), by_offset);
	f->lines = d->lines.v;
	f->n_lines = n;
}

static int write_file(const char *path, const struct str *bytes, struct stat *st, struct err *err)
{
	/* half of one would be taken for the code */
	const struct outfile_opts o = { .how = OUTFILE_WHOLE, .mode = 0644 };
	struct outfile f;
	int ret;

	unlink(path);	/* of an earlier run; never through a link that somebody left there */
	ret = outfile_open(&f, path, &o, err);
	if (ret) {
		err_hint(err, "the code goes beside its jitdump file, so that directory must be "
			      "writable");
		return ret;
	}
	ret = io_write(f.fd, bytes->buf, bytes->len);
	if (!ret && fstat(f.fd, st))
		ret = -errno;
	ret = ret ? err_sys(err, -ret, "cannot write '%s'", path) : outfile_commit(&f, err);
	outfile_release(&f);
	return ret;
}

static u64 conv_ns(const struct wire_time_conv *t, u64 cycles)
{
	const u64 quot = cycles >> t->shift, rem = cycles & ((1ULL << t->shift) - 1);

	return t->zero + quot * t->mult + ((rem * t->mult) >> t->shift);
}

static u64 time_of(const struct dump *d, const struct clock *clock, u64 time)
{
	return d->d.arch_time ? conv_ns(&clock->conv, time) : time + d->offset_ns;
}

static int load(struct dump *d, const struct clock *clock, const struct jit_record *rec,
		struct err *err)
{
	struct elf_function f = {
		.machine = (u16)d->d.machine, .swap = d->d.swap, .name = rec->name,
			.code = rec->code, .bytes = rec->bytes,
		.unwind = d->unwind, .unwind_hdr_bytes = d->unwind_hdr_bytes,
	};
	struct added a = { .time_ns = time_of(d, clock, rec->time), .pid = d->m->pid,
			   .tid = d->m->pid, .va = rec->va,
			   .bytes = rec->bytes, .off = ELF_FUNCTION_TEXT_OFF };
	struct str file = STR_INIT;
	struct stat st;
	int ret;

	use_lines(d, rec, &f);
	elf_write_function(&f, &file, &a.id);
	a.path = xasprintf("%s/jitted-%u-%llu.so", d->dir, d->d.pid,
			   (unsigned long long)rec->index);
	ret = write_file(a.path, &file, &st, err);
	if (!ret) {
		a.maj = major(st.st_dev);
		a.min = minor(st.st_dev);
		a.ino = st.st_ino;
		vec_push(&d->in->added, a);
		hmap_put(&d->loads, rec->index + 1, (void *)(uintptr_t)d->in->added.n);
		d->in->res->n_loads++;
	} else {
		free(a.path);
	}
	str_release(&file);
	vec_clear(&d->lines);
	d->unwind = (struct span){ NULL, 0 };
	d->unwind_hdr_bytes = 0;
	return ret;
}

static void move(struct dump *d, const struct clock *clock, const struct jit_record *rec)
{
	const size_t at = (size_t)(uintptr_t)hmap_get(&d->loads, rec->index + 1);
	struct added a;

	if (!at) {
		d->d.n_bad++;
		return;
	}
	a = d->in->added.v[at - 1];
	a.path = xstrdup(a.path);
	a.time_ns = time_of(d, clock, rec->time);
	a.va = rec->va;
	vec_push(&d->in->added, a);
	d->in->res->n_moves++;
}

static int take_records(struct dump *d, const struct clock *clock, struct err *err)
{
	struct jit_record rec;
	int ret = 0;

	while (!ret && jitdump_next(&d->d, &rec) > 0) {
		switch (rec.id) {
		case JIT_CODE_LOAD:
			ret = load(d, clock, &rec, err);
			break;
		case JIT_CODE_MOVE:
			move(d, clock, &rec);
			break;
		case JIT_CODE_DEBUG:
			take_lines(d, &rec);
			break;
		case JIT_CODE_UNWIND:
			d->unwind = rec.unwind;
			d->unwind_hdr_bytes = rec.unwind_hdr_bytes;
			break;
		default:
			break;
		}
	}
	return ret;
}

static u64 first_time(struct jitdump d)
{
	struct jit_record rec;

	return jitdump_next(&d, &rec) > 0 ? rec.time : 0;
}

/*
 * The dump counts CLOCK_MONOTONIC. So should the recording; if not, both clocks met when the dump
 * was mapped: its header tells its time just after that. (V8 writes the wall clock there; then the
 * first record stands for it. It came some milliseconds later, so that code seems to be there some
 * milliseconds too early, which hardly ever matters.)
 */
static int set_clock(struct dump *d, const struct clock *clock, struct err *err)
{
	const u64 first = first_time(d->d);
	u64 begun = d->d.time_ns;

	if (d->d.arch_time && !clock->has_conv) {
		err_set(err, ENOTSUP, "'%s' has times of the processor's counter, and the "
				      "recording does not say how to convert them",
			d->shown);
		err_hint(err, "let the program use CLOCK_MONOTONIC, and record with -k mono");
		return -ENOTSUP;
	}
	if (clock->mono || d->d.arch_time || !first)
		return 0;
	if (!d->m->time_ns) {
		err_set(err, ENOTSUP, "the times of '%s' cannot be matched with those of the "
				      "recording", d->shown);
		err_hint(err, "record with -k mono");
		return -ENOTSUP;
	}
	if (begun > first || first - begun > 60 * NSEC_PER_SEC)
		begun = first;
	d->offset_ns = d->m->time_ns - begun;
	inject_say(d->in, INJECT_WARNING, "the recording was not made with -k mono: the times of "
					  "'%s' are estimated from its "
		   "beginning, and may be some milliseconds off", d->shown);
	return 0;
}

static int one_dump(struct inject *in, const struct marker *m, const struct clock *clock,
		    struct err *err)
{
	struct dump d = { .in = in, .m = m };
	int ret = open_dump(&d, err);

	if (!ret)
		ret = set_clock(&d, clock, err);
	if (!ret) {
		d.dir = xstrndup(d.shown, (size_t)(strrchr(d.shown, '/') - d.shown));
		d.shifted_lines = lines_are_shifted(d.d);
		ret = take_records(&d, clock, err);
		in->res->n_dumps++;
	}
	in->res->n_bad += d.d.n_bad;
	if (d.d.cut)
		inject_say(in, INJECT_WARNING, "'%s' ends within a record: the program was stopped "
					       "while it wrote it", d.shown);
	if (!ret)
		inject_say(in, INJECT_DETAIL, "'%s' of process %u: %llu pieces of code so far",
			   d.shown, m->pid,
			   (unsigned long long)in->res->n_loads);
	free(d.shown);
	free(d.dir);
	vec_free(&d.lines);
	hmap_release(&d.loads);
	str_release(&d.bytes);
	return ret;
}

static int by_time(const void *a, const void *b)
{
	const struct added *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return strcmp(x->path, y->path);
}

/* A dump that cannot be used does not spoil the others; without any that can, it is the error. */
static int take_all(struct inject *in, const markers *v, const struct clock *clock, struct err *err)
{
	int ret = 0;

	for vec_each(m, v) {
		struct err e = ERR_INIT;
		int r = one_dump(in, m, clock, &e);

		if (r && v->n == 1) {
			ret = err_set(err, e.code, "%s", e.msg);
			if (e.hint)
				err_hint(err, "%s", e.hint);
		} else if (r) {
			inject_say(in, INJECT_WARNING, "%s%s%s", e.msg, e.hint ? ": " : "",
				   e.hint ? e.hint : "");
		}
		err_release(&e);
	}
	return ret;
}

int inject_collect_jit(struct inject *in, struct err *err)
{
	const struct event_list *l = &in->r->events;
	struct clock clock = { 0 };
	markers v = { 0 };
	int ret;

	if (l->events.n)
		clock.mono = l->events.v[0]->attr.use_clockid && l->events.v[0]->attr.clockid ==
		CLOCK_MONOTONIC;
	ret = find_markers(in, &v, &clock, err);
	if (!ret && !v.n)
		inject_say(in, INJECT_WARNING, "no process of the recording mapped a jitdump file "
					       "(jit-PID.dump); node writes one with "
			   "--perf-prof, Java with an agent");
	if (!ret)
		ret = take_all(in, &v, &clock, err);
	if (in->added.n)
		qsort(in->added.v, in->added.n, sizeof(*in->added.v), by_time);
	for vec_each(m, &v)
		free(m->path);
	vec_free(&v);
	return ret;
}
