// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Inlined functions. Per unit its functions are listed once, per function its tree of inlined calls
 * is made once, each in one way through the bytes (dwarf-walk.c). Then any thread searches them
 * without a lock. The list is made under the lock of the unit's reader; trees are made at the same
 * time by several threads, which take that lock where libdw is asked.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"
#include "util/dwarf/lines-priv.h"

#define MAX_DEPTH (INLINES_MAX - 1)

struct call_site { u32 file, line, column; };	/* file: its number, or NO_FILE */
#define NO_FILE UINT32_MAX

/* An inlined call; of one with several ranges, one node each. Calls within it follow with a
 * higher depth. */
struct node {
	u64 low, high;
	int depth;
	/* of the first one of a call: its nodes, and where those of calls within it end */
	u32 n_same, end;
	const char *name;
	struct call_site call;
};

struct line_func { const char *name; VEC(struct node) nodes; };

void inlines_release(struct line_unit *u)
{
	for (size_t i = 0; u->funcs && i < u->entries.n; i++) {
		struct line_func *f = u->funcs[i];

		if (f) {
			vec_free(&f->nodes);
			free(f);
		}
	}
	free(u->funcs);
	vec_free(&u->entries);
	vec_free(&u->ranges);
	hmap_release(&u->origins);
	pthread_mutex_destroy(&u->lock);
	for (size_t i = 0; i < ARRAY_SIZE(u->making); i++)
		pthread_mutex_destroy(&u->making[i]);
	walk_release(&u->walk);
}

/* --- what is read of the file */

static void ask_ranges(const struct walk *w, const u8 *at, walk_ranges *out)
{
	Dwarf_Die die = walk_die(w, at);
	Dwarf_Addr base, low, high;
	ptrdiff_t next = 0;

	while ((next = dwarf_ranges(&die, next, &base, &low, &high)) > 0)
		if (high > low)
			vec_push(out, ((struct walk_range){ low, high }));
}

/* reader: whose lock is to be taken for libdw; NULL: it is held. */
static void lock_reader(struct line_reader *reader)
{
	if (reader)
		pthread_mutex_lock(&reader->lock);
}

static void unlock_reader(struct line_reader *reader)
{
	if (reader)
		pthread_mutex_unlock(&reader->lock);
}

/* What of the entry is code, and not empty. */
static void add_ranges(const struct walk *w, const struct walk_entry *e, struct line_reader *reader,
		       walk_ranges *out)
{
	const struct walk_value *low_pc = walk_get(e, W_LOW_PC), *high_pc = walk_get(e, W_HIGH_PC);
	u64 low, high, n;

	if (low_pc && high_pc && walk_address(w, low_pc, &low) &&
	    (walk_address(w, high_pc, &high) || (walk_number(w, high_pc, &n) &&
						 (high = low + n, true)))) {
		if (high > low)
			vec_push(out, ((struct walk_range){ low, high }));
		return;
	}
	if ((!low_pc || !high_pc) && (!walk_get(e, W_RANGES) ||
				      walk_range_list(w, walk_get(e, W_RANGES), out)))
		return;
	lock_reader(reader);
	ask_ranges(w, e->at, out);
	unlock_reader(reader);
}

/* By the unit's own bytes. false: the chain of entries leaves it, or is not plain, or the scope
 * is to be reported. */
static bool plain_name(struct line_unit *u, const u8 *at, const char **out)
{
	const struct walk *w = &u->walk;
	const struct walk_value *ref;
	const char *name = NULL, *linked = NULL;
	struct walk_entry e;
	bool unit;
	u64 off;

	for (int hop = 0; hop < 16 && !linked; hop++, at = w->start + off) {
		if (!walk_read_all(w, at, &e) || walk_get(&e, W_MIPS_LINKAGE) ||
		    (walk_get(&e, W_LINKAGE) && !walk_string(w, walk_get(&e, W_LINKAGE),
							     &linked)) ||
		    (!name && walk_get(&e, W_NAME) && !walk_string(w, walk_get(&e, W_NAME), &name)))
			return false;
		ref = walk_get(&e, W_ORIGIN) ? walk_get(&e, W_ORIGIN) :
			walk_get(&e, W_SPECIFICATION);
		if (!ref)
			break;
		if (!walk_reference(w, ref, &off, &unit) || !unit ||
		    off >= (u64)(w->end - w->start))
			return false;
	}
	if (!linked && u->scoped)
		return false;
	*out = linked ? lines_demangled(u->reader->of, linked) : name ? name : "??";
	return true;
}

static const char *entry_name(struct line_unit *u, const u8 *at)
{
	Dwarf_Die die = walk_die(&u->walk, at);
	const char *name;

	if (plain_name(u, at, &name))
		return name;
	pthread_mutex_lock(&u->reader->lock);
	name = dwarf_names_function(u->reader, &die, u->scoped);
	pthread_mutex_unlock(&u->reader->lock);
	return name;
}

/* Thousands of calls have few origins. */
static const char *call_name(struct line_unit *u, const struct walk_entry *e)
{
	const char *name;
	bool unit;
	u64 off;

	if (walk_get(e, W_NAME) || walk_get(e, W_LINKAGE) || walk_get(e, W_MIPS_LINKAGE) ||
	    !walk_reference(&u->walk, walk_get(e, W_ORIGIN), &off, &unit))
		return entry_name(u, e->at);
	off = off << 1 | unit;
	pthread_mutex_lock(&u->lock);
	name = hmap_get(&u->origins, off);
	pthread_mutex_unlock(&u->lock);
	if (!name) {
		name = entry_name(u, e->at);
		pthread_mutex_lock(&u->lock);
		hmap_put(&u->origins, off, (void *)name);
		pthread_mutex_unlock(&u->lock);
	}
	return name;
}

static u64 number(struct line_unit *u, unsigned code, const struct walk_value *v)
{
	Dwarf_Attribute attr;
	Dwarf_Word n = 0;

	if (!v || walk_number(&u->walk, v, &n))
		return n;
	attr = walk_libdw(&u->walk, code, v);
	pthread_mutex_lock(&u->reader->lock);
	dwarf_formudata(&attr, &n);
	pthread_mutex_unlock(&u->reader->lock);
	return n;
}

static struct call_site call_site(struct line_unit *u, const struct walk_entry *e)
{
	const struct walk_value *file = walk_get(e, W_CALL_FILE);

	return (struct call_site){
		.file = file ? (u32)MIN(number(u, DW_AT_call_file, file), (u64)NO_FILE) : NO_FILE,
		.line = (u32)number(u, DW_AT_call_line, walk_get(e, W_CALL_LINE)),
		.column = (u32)number(u, DW_AT_call_column, walk_get(e, W_CALL_COLUMN)),
	};
}

static void add_function(struct line_unit *u, const struct walk_entry *e, walk_ranges *found)
{
	size_t n = u->ranges.n;

	found->n = 0;
	add_ranges(&u->walk, e, NULL, found);
	for vec_each(r, found)
		if (lines_has_code_at(u->reader->of, r->low))
			vec_push(&u->ranges, ((struct line_range){ r->low, r->high,
								   u->entries.n }));
	if (u->ranges.n > n)
		vec_push(&u->entries, e->at);
}

/* Functions anywhere below: namespaces and classes hold some. Nested functions are concrete,
 * too. Gives the end of the list at p. */
static const u8 *list_functions(struct line_unit *u, const u8 *p, int depth, walk_ranges *found)
{
	struct walk_entry e;

	while (walk_read(&u->walk, p, &e)) {
		p = e.next;
		switch (e.tag) {
		case 0:
			return p;
		case DW_TAG_subprogram:
			add_function(u, &e, found);
			/* fall through */
		case DW_TAG_namespace: case DW_TAG_module: case DW_TAG_class_type:
		case DW_TAG_structure_type:
		case DW_TAG_lexical_block:
			if (e.children && depth < MAX_DEPTH)
				p = list_functions(u, p, depth + 1, found);
			else
				p = walk_skip(&u->walk, &e);
			break;
		default:
			p = walk_skip(&u->walk, &e);
			break;
		}
	}
	return u->walk.end;
}

/* Under the reader's lock. */
static void index_unit(struct line_unit *u)
{
	walk_ranges found = { 0 };
	struct walk_entry top;

	dwarf_file_full_unit(lines_file(u->reader->of), &u->cu, &u->top);
	u->top_dir = lines_dir(u->reader, &u->top);
	u->scoped = !lines_no_demangle(u->reader->of) && dwarf_names_scoped(&u->top);
	if (!walk_open(&u->walk, &u->top) || !walk_read(&u->walk, u->walk.top, &top) ||
	    !top.children)
		return;
	list_functions(u, top.next, 0, &found);
	vec_free(&found);
	lines_sort(&u->ranges);
	u->funcs = xcalloc(u->entries.n + 1, sizeof(*u->funcs));
}

/* --- the tree of a function */

struct tree {
	struct line_unit *u;
	struct line_func *f;
	walk_ranges found;
};

static const u8 *add_calls(struct tree *t, const u8 *p, int depth, int level);

/* The call and those within it; gives its end. */
static const u8 *add_call(struct tree *t, const struct walk_entry *e, int depth, int level)
{
	struct node node = { .depth = depth };
	struct line_func *f = t->f;
	size_t first = f->nodes.n;
	const u8 *p = NULL;

	t->found.n = 0;
	add_ranges(&t->u->walk, e, t->u->reader, &t->found);
	if (!t->found.n)
		return walk_skip(&t->u->walk, e);
	node.n_same = (u32)t->found.n;
	node.name = call_name(t->u, e);
	node.call = call_site(t->u, e);
	for vec_each(r, &t->found) {
		node.low = r->low;
		node.high = r->high;
		vec_push(&f->nodes, node);
	}
	if (e->children && level < MAX_DEPTH)
		p = add_calls(t, e->next, depth + 1, level + 1);
	f->nodes.v[first].end = (u32)f->nodes.n;
	return p ? p : walk_skip(&t->u->walk, e);
}

static const u8 *add_calls(struct tree *t, const u8 *p, int depth, int level)
{
	const struct walk *w = &t->u->walk;
	struct walk_entry e;

	while (walk_read(w, p, &e)) {
		if (!e.tag)
			return e.next;
		if (e.tag == DW_TAG_inlined_subroutine)
			p = add_call(t, &e, depth, level);
		else if (e.children && level < MAX_DEPTH &&
			 (e.tag == DW_TAG_lexical_block || e.tag == DW_TAG_try_block ||
			  e.tag == DW_TAG_catch_block))
			p = add_calls(t, e.next, depth, level + 1);
		else
			p = walk_skip(w, &e);
	}
	return w->end;
}

static struct line_func *make_function(struct line_unit *u, const u8 *at)
{
	struct tree t = { .u = u, .f = xnew(struct line_func) };
	struct walk_entry e;

	t.f->name = entry_name(u, at);
	if (walk_read(&u->walk, at, &e) && e.children)
		add_calls(&t, e.next, 0, 0);
	vec_free(&t.found);
	return t.f;
}

/* --- any thread */

static void need_index(struct line_unit *u)
{
	if (atomic_load_explicit(&u->indexed, memory_order_acquire))
		return;
	pthread_mutex_lock(&u->reader->lock);
	if (!atomic_load_explicit(&u->indexed, memory_order_relaxed)) {
		index_unit(u);
		atomic_store_explicit(&u->indexed, true, memory_order_release);
	}
	pthread_mutex_unlock(&u->reader->lock);
}

/* Of split DWARF the files are those of the skeleton, which compilers number alike; but clang's
 * .dwo has others for its types. */
static Dwarf_Files *need_files(struct line_unit *u)
{
	if (atomic_load_explicit(&u->has_files, memory_order_acquire))
		return u->files;
	pthread_mutex_lock(&u->reader->lock);
	if (!atomic_load_explicit(&u->has_files, memory_order_relaxed)) {
		if (dwarf_getsrcfiles(&u->cu, &u->files, NULL) &&
		    dwarf_getsrcfiles(&u->top, &u->files, NULL))
			u->files = NULL;
		atomic_store_explicit(&u->has_files, true, memory_order_release);
	}
	pthread_mutex_unlock(&u->reader->lock);
	return u->files;
}

static struct srcline place_of(struct line_unit *u, const struct call_site *c)
{
	struct srcline s = { .line = c->line, .column = c->column };
	Dwarf_Files *files = c->file == NO_FILE ? NULL : need_files(u);

	if (files)
		s.file = lines_path(u, u->top_dir, dwarf_filesrc(files, c->file, NULL, NULL));
	return s;
}

static const struct line_func *function(struct line_unit *u, u64 nr)
{
	struct line_func *f = atomic_load_explicit(&u->funcs[nr], memory_order_acquire);
	pthread_mutex_t *lock;

	if (f)
		return f;
	lock = &u->making[nr % ARRAY_SIZE(u->making)];
	pthread_mutex_lock(lock);
	f = atomic_load_explicit(&u->funcs[nr], memory_order_relaxed);
	if (!f) {
		f = make_function(u, u->entries.v[nr]);
		atomic_store_explicit(&u->funcs[nr], f, memory_order_release);
	}
	pthread_mutex_unlock(lock);
	return f;
}

/* The calls that hold rva, outermost first. */
static size_t path_at(const struct line_func *f, u64 rva, const struct node **path)
{
	const struct node *v = f->nodes.v;
	size_t n = 0;

	for (size_t i = 0; i < f->nodes.n;) {
		const struct node *hit = NULL;

		for (size_t k = i; k < i + v[i].n_same; k++)
			if (rva >= v[k].low && rva < v[k].high)
				hit = &v[k];
		if (!hit || hit->depth >= MAX_DEPTH) {
			i = v[i].end;
			continue;
		}
		/* a later one at the same place replaces the earlier */
		n = (size_t)hit->depth;
		path[n++] = hit;
		i += v[i].n_same;
	}
	return n;
}

void inlines_init(struct line_unit *u)
{
	pthread_mutex_init(&u->lock, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(u->making); i++)
		pthread_mutex_init(&u->making[i], NULL);
}

size_t inlines_at(struct line_unit *u, u64 rva, const struct srcline *a,
		  struct inline_frame *frames)
{
	const struct node *path[MAX_DEPTH];
	const struct line_range *r;
	struct srcline at = a ? *a : (struct srcline){ 0 };
	size_t n;

	need_index(u);
	r = lines_find(&u->ranges, rva);
	if (!r)
		return 0;
	const struct line_func *f = function(u, r->what);

	n = path_at(f, rva, path);
	if (!n)
		return 0;
	for (size_t i = 0; i < n; i++) {	/* innermost first */
		frames[i] = (struct inline_frame){ path[n - 1 - i]->name, at };
		if (a)
			at = place_of(u, &path[n - 1 - i]->call);
	}
	frames[n] = (struct inline_frame){ f->name, at };
	return n + 1;
}
