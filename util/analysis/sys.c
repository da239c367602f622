// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/sys.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>

#define COMM_BYTES 16	/* of struct sysrec, not always terminated */

struct sys_pending {
	struct sysrec rec;
	struct str chunks;
	bool reported;		/* it had a SYS_LINE_BEGIN */
};

void sys_lines_init(struct sys_lines *l, const struct syscall_set *set, sys_line_fn fn, void *ctx)
{
	*l = (struct sys_lines){ .set = set, .fn = fn, .ctx = ctx };
}

static void pending_free(struct sys_pending *p)
{
	if (!p)
		return;
	str_release(&p->chunks);
	free(p);
}

static void free_all(struct hmap *m)
{
	for hmap_each(i, m)
		free(m->vals[i]);
	hmap_release(m);
}

void sys_lines_release(struct sys_lines *l)
{
	for hmap_each(i, &l->pending)
		pending_free(l->pending.vals[i]);
	hmap_release(&l->pending);
	free_all(&l->names);
	free_all(&l->comms);
	str_release(&l->scratch);
	*l = (struct sys_lines){ .set = NULL };
}

const char *sys_lines_file(const struct sys_lines *l, u64 key)
{
	return hmap_get(&l->names, key);
}

const char *sys_lines_comm(const struct sys_lines *l, u32 tid)
{
	return hmap_get(&l->comms, tid);
}

/* ---- names of files ---- */

#define SOCKFS_MAGIC 0x534F434B
#define PIPEFS_MAGIC 0x50495045
#define ANON_INODE_FS_MAGIC 0x09041934
#define NSFS_MAGIC 0x6e736673
#define PIDFS_MAGIC 0x50494446

static void add_endpoint(struct str *s, u16 family, const u8 *addr, u16 port)
{
	char text[INET6_ADDRSTRLEN];

	inet_ntop(family, addr, text, sizeof(text));
	str_addf(s, family == AF_INET6 ? "[%s]:%u" : "%s:%u", text, port);
}

/* As strace -yy has it: "UNIX-STREAM:[123->124,"/run/x"]", "TCP:[123]"; the protocol's name
 * comes with the record. */
static void socket_by_protocol(const struct sysname *n, struct span text, struct str *out)
{
	size_t one = strnlen((const char *)text.ptr, text.len);
	u64 peer;

	memcpy(&peer, n->laddr, sizeof(peer));
	str_addn(out, text.ptr, one);
	str_addf(out, ":[%llu", (unsigned long long)n->ino);
	if (n->sk_family == AF_UNIX && peer)
		str_addf(out, "->%llu", (unsigned long long)peer);
	if (n->sk_family == AF_UNIX && text.len > one + 1) {
		const char *path = (const char *)text.ptr + one + 1;
		size_t len = text.len - one - 1;
		bool abstract = !*path;

		str_add(out, abstract ? ",@\"" : ",\"");
		str_addn(out, path + abstract, abstract ? len - 1 : strnlen(path, len));
		str_addch(out, '"');
	}
	str_addch(out, ']');
}

static void socket_name(const struct sysname *n, struct span text, bool protocol, struct str *out)
{
	const char *proto = n->sk_proto == IPPROTO_TCP ? "TCP" : n->sk_proto == IPPROTO_UDP ?
		"UDP" : "IP";
	bool inet = n->sk_family == AF_INET || n->sk_family == AF_INET6;

	if (!inet || (!n->rport && !(n->lport &&
				     (n->sk_proto == IPPROTO_TCP || n->sk_proto == IPPROTO_UDP)))) {
		if (protocol && text.len)
			socket_by_protocol(n, text, out);
		else
			str_addf(out, "socket:[%llu]", (unsigned long long)n->ino);
		return;
	}
	str_addf(out, "%s%s:[", proto, n->sk_family == AF_INET6 ? "v6" : "");
	add_endpoint(out, n->sk_family, n->laddr, n->lport);
	if (n->rport) {
		str_add(out, "->");
		add_endpoint(out, n->sk_family, n->raddr, n->rport);
	}
	str_addch(out, ']');
}

/* Components come from the last one to the first. */
static void path_name(struct span text, struct str *out)
{
	size_t end = text.len;

	if (!end)
		str_addch(out, '/');
	while (end) {
		size_t from = end - 1;	/* the NUL of the component */

		while (from && text.ptr[from - 1])
			from--;
		str_addch(out, '/');
		str_addn(out, text.ptr + from, end - 1 - from);
		end = from;
	}
}

void sys_file_name(const struct sysname *n, struct span text, bool strace, struct str *out)
{
	size_t one = strnlen((const char *)text.ptr, text.len);

	switch (n->magic) {
	case SOCKFS_MAGIC:
		socket_name(n, text, strace, out);
		return;
	case PIPEFS_MAGIC:
		str_addf(out, "pipe:[%llu]", (unsigned long long)n->ino);
		return;
	case ANON_INODE_FS_MAGIC:
		str_add(out, "anon_inode:");
		str_addn(out, text.ptr, one);
		return;
	case PIDFS_MAGIC:
		str_add(out, "anon_inode:[pidfd]");
		return;
	case NSFS_MAGIC:
		str_addn(out, one ? (const char *)text.ptr : "ns", one ? one : 2);
		str_addf(out, ":[%llu]", (unsigned long long)n->ino);
		return;
	}
	path_name(text, out);
	if (n->unlinked && text.len)
		str_add(out, " (deleted)");
}

static void take_name(struct sys_lines *l, const struct sysname *n, size_t bytes)
{
	struct str s = STR_INIT;
	char *before;

	if (bytes < sizeof(*n) || n->len > bytes - sizeof(*n))
		return;
	sys_file_name(n, (struct span){ (const u8 *)(n + 1), n->len }, l->devices, &s);
	/* the kernel's own coding of device numbers */
	if (l->devices && (S_ISCHR(n->mode) || S_ISBLK(n->mode)))
		str_addf(&s, "<%s %u:%u>", S_ISCHR(n->mode) ? "char" : "block", n->rdev >> 20,
			 n->rdev & 0xfffff);
	before = hmap_get(&l->names, n->key);
	if (before && strcmp(before, str_cstr(&s)))
		l->n_renamed++;
	free(before);
	hmap_put(&l->names, n->key, str_detach(&s));
}

/* ---- lines ---- */

void sys_lines_note(struct sys_lines *l, u32 tid, const char *comm)
{
	char *c = hmap_get(&l->comms, tid);

	if (!c) {
		c = xzalloc(COMM_BYTES + 1);
		hmap_put(&l->comms, tid, c);
	}
	memset(c, 0, COMM_BYTES);
	memcpy(c, comm, strnlen(comm, COMM_BYTES));
	l->known[tid % ARRAY_SIZE(l->known)].tid = 0;
}

static void note_comm(struct sys_lines *l, const struct sysrec *r)
{
	u32 tid = r->type == SYSREC_CALL && r->exit_tid ? r->exit_tid : r->tid;
	struct sys_known *k = &l->known[tid % ARRAY_SIZE(l->known)];
	const char *known;

	if (k->tid == tid && !memcmp(k->comm, r->comm, COMM_BYTES))
		return;
	known = hmap_get(&l->comms, tid);
	if (!known || strncmp(known, r->comm, COMM_BYTES))
		sys_lines_note(l, tid, r->comm);
	k->tid = tid;
	memcpy(k->comm, r->comm, COMM_BYTES);
}

static void make_line(struct sys_lines *l, struct sys_line *out, const struct sysrec *r,
		      struct span chunks, char comm[17])
{
	bool compat = r->flags & SYSREC_F_COMPAT;
	const struct syscall_entry *e = syscall_entry(l->set, r->nr, compat);

	memcpy(comm, r->comm, 16);
	comm[16] = '\0';
	*out = (struct sys_line){
		.start_ns = r->enter_ns, .end_ns = r->exit_ns ? r->exit_ns : r->enter_ns,
			.comm = comm, .tid = r->tid,
		.tgid = r->tgid, .cpu = r->cpu, .nr = r->nr, .compat = compat, .name = e->name,
		.ustack = r->ustack, .kstack = r->kstack,
		.values = { .info = e->info, .compat = compat, .tgid = r->tgid,
			    .args = (const u64 *)r->args, .ret = r->ret,
			    .returned = r->type == SYSREC_CALL, .chunks = chunks },
	};
	if (out->end_ns && out->start_ns && r->type == SYSREC_CALL) {
		out->has_dur = true;
		out->dur_ns = out->end_ns - out->start_ns;
	}
	if (!e->name) {
		snprintf(l->unknown, sizeof(l->unknown), "syscall_%u", r->nr);
		out->name = l->unknown;
	}
}

static void emit(struct sys_lines *l, enum sys_line_kind kind, const struct sysrec *r,
		 struct span chunks)
{
	struct sys_line line;
	char comm[17];

	make_line(l, &line, r, chunks, comm);
	line.kind = kind;
	if (kind == SYS_LINE_REST && r->flags & SYSREC_F_NO_ENTER)
		line.start_ns = 0;
	else if (r->flags & SYSREC_F_REFUSED)
		line.start_ns = r->exit_ns;	/* as near as can be known */
	line.n_lost = r->lost_before;
	line.begun = l->resumed;
	if (kind == SYS_LINE_LOST)
		l->n_lost += line.n_lost;
	l->fn(l->ctx, &line);
}

static struct span chunks_of(const struct sys_pending *p)
{
	return (struct span){ (const u8 *)str_cstr(&p->chunks), p->chunks.len };
}

static void tell_begin(struct sys_lines *l, struct sys_pending *p)
{
	p->reported = true;
	emit(l, SYS_LINE_BEGIN, &p->rec, chunks_of(p));
}

/* A call whose arguments are not all known yet waits for them: they come with its next record. */
void sys_lines_flush(struct sys_lines *l)
{
	struct sys_pending *p = l->deferred;

	l->deferred = NULL;
	if (p && !(p->rec.flags & SYSREC_F_MISSING))
		tell_begin(l, p);
}

static int by_start(const void *a, const void *b)
{
	const struct sys_pending *x = *(struct sys_pending *const *)a,
		*y = *(struct sys_pending *const *)b;

	if (x->rec.enter_ns != y->rec.enter_ns)
		return x->rec.enter_ns < y->rec.enter_ns ? -1 : 1;
	return (x->rec.tid > y->rec.tid) - (x->rec.tid < y->rec.tid);
}

void sys_lines_end(struct sys_lines *l)
{
	VEC(struct sys_pending *) open = { NULL, 0, 0 };

	l->deferred = NULL;
	for hmap_each(i, &l->pending) {
		struct sys_pending *p = l->pending.vals[i];

		if (!p->reported)
			vec_push(&open, p);
	}
	if (open.n)
		qsort(open.v, open.n, sizeof(*open.v), by_start);
	for vec_each(p, &open)
		tell_begin(l, *p);
	vec_free(&open);
}

void sys_lines_lost(struct sys_lines *l, u64 n)
{
	const struct sys_line line = { .kind = SYS_LINE_LOST, .tid = (u32)-1, .n_lost = n,
				       .comm = "" };

	sys_lines_flush(l);
	l->n_lost += n;
	l->fn(l->ctx, &line);
}

static void begin_call(struct sys_lines *l, const struct sysrec *r, struct span chunks)
{
	struct sys_pending *p = hmap_get(&l->pending, r->tid);

	if (l->deferred != p)
		sys_lines_flush(l);
	if (!p || p->rec.enter_ns != r->enter_ns || p->rec.nr != r->nr) {
		if (p && !p->reported)	/* its end was lost */
			tell_begin(l, p);
		if (p && p == l->deferred)
			l->deferred = NULL;
		pending_free(p);
		p = xnew(struct sys_pending);
		hmap_put(&l->pending, r->tid, p);
	}
	p->rec = *r;
	if (chunks.len)
		str_addn(&p->chunks, (const char *)chunks.ptr, chunks.len);
	if (!p->reported)
		l->deferred = p;
}

/* The end of a call whose beginning came as a record of its own. */
static void end_call(struct sys_lines *l, const struct sysrec *r, struct span chunks, bool cut)
{
	struct sys_pending *p = hmap_del(&l->pending, r->tid);
	bool begun = p && p->reported;

	if (p && p == l->deferred)
		l->deferred = NULL;
	else
		sys_lines_flush(l);
	str_reset(&l->scratch);
	if (p)
		str_addn(&l->scratch, p->chunks.buf, p->chunks.len);
	str_addn(&l->scratch, (const char *)chunks.ptr, chunks.len);
	l->resumed = begun && !l->whole;
	emit(l, cut ? SYS_LINE_CUT : l->resumed ? SYS_LINE_REST : SYS_LINE_WHOLE, r,
	     (struct span){ (const u8 *)str_cstr(&l->scratch), l->scratch.len });
	l->resumed = false;
	pending_free(p);
}

static void take_record(struct sys_lines *l, const struct sysrec *r, struct span chunks)
{
	note_comm(l, r);
	if (r->lost_before) {
		sys_lines_flush(l);
		emit(l, SYS_LINE_LOST, r, (struct span){ NULL, 0 });
	}
	if (r->type == SYSREC_ENTER && !(r->flags & (SYSREC_F_NO_RETURN | SYSREC_F_CUT))) {
		begin_call(l, r, chunks);
		return;
	}
	if (r->flags & SYSREC_F_ENTERED) {
		end_call(l, r, chunks, r->flags & SYSREC_F_CUT);
		return;
	}
	sys_lines_flush(l);
	if (r->type == SYSREC_ENTER)
		emit(l, r->flags & SYSREC_F_CUT ? SYS_LINE_CUT : SYS_LINE_NO_RETURN, r, chunks);
	else if (r->flags & SYSREC_F_NO_ENTER && !(r->flags & SYSREC_F_REFUSED))
		emit(l, SYS_LINE_REST, r, chunks);
	else
		emit(l, SYS_LINE_WHOLE, r, chunks);
}

static void take_lifecycle(struct sys_lines *l, const struct sysends *f)
{
	const struct sys_line line = {
		.kind = f->type == SYSREC_SIGNAL ? SYS_LINE_SIGNAL : SYS_LINE_EXIT,
			.start_ns = f->time_ns, .end_ns = f->time_ns,
		.comm = "", .tid = f->tid, .tgid = f->tgid, .ustack = -1, .kstack = -1,
		.code = f->code,
		.info = { f->info, sizeof(f->info) },
	};

	sys_lines_flush(l);
	l->fn(l->ctx, &line);
}

void sys_lines_record(struct sys_lines *l, const void *record, size_t bytes)
{
	const struct sysrec *r = record;

	if (bytes < sizeof(u16))
		return;
	if (r->type == SYSREC_NAME) {
		take_name(l, record, bytes);
		return;
	}
	if ((r->type == SYSREC_SIGNAL || r->type == SYSREC_EXIT) &&
	    bytes >= sizeof(struct sysends)) {
		take_lifecycle(l, record);
		return;
	}
	if (bytes < sizeof(*r) || r->len > bytes - sizeof(*r) ||
	    (r->type != SYSREC_CALL && r->type != SYSREC_ENTER))
		return;
	take_record(l, r, (struct span){ (const u8 *)(r + 1), r->len });
}
