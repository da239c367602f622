// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libdebuginfod is opened at run time: most machines have it as a dependency of gdb, and nobody
 * needs its headers to build.
 *
 * Each build-id is asked for once in a run (the library itself remembers on disk what it got, and
 * for ten minutes what nobody had). Several may be asked for at the same time; who wants one that
 * is under way waits for it. A server that sends nothing for LIMIT_SECONDS is not waited for any
 * more: then no server is asked again. A file that comes slowly may take its time.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "util/base/hash.h"
#include "util/base/log.h"
#include "util/base/xalloc.h"
#include "util/elf/elf.h"
#include "util/symbols/buildid-cache.h"
#include "util/symbols/debuginfod.h"

#define LIMIT_SECONDS 20

struct client;
typedef struct client *begin_fn(void);
typedef void end_fn(struct client *c);
typedef int find_fn(struct client *c, const unsigned char *id, int id_bytes, char **path);
typedef int progress_fn(struct client *c, long a, long b);
typedef void set_progress_fn(struct client *c, progress_fn *fn);
typedef void set_user_data_fn(struct client *c, void *data);
typedef void *get_user_data_fn(struct client *c);

/* path NULL: nobody has it */
struct request { struct build_id id; bool debug, done; char *path; };

struct fetcher {
	const struct symbols_opts *opts;
	pthread_mutex_t lock;
	pthread_cond_t answered;
	VEC(struct request *) requests;
	void *lib;
	struct fetch_state state;
	time_t started;
};

struct fetcher *fetcher_new(const struct symbols_opts *opts)
{
	struct fetcher *f = xnew(struct fetcher);

	f->opts = opts;
	pthread_mutex_init(&f->lock, NULL);
	pthread_cond_init(&f->answered, NULL);
	return f;
}

void fetcher_free(struct fetcher *f)
{
	for vec_each(r, &f->requests) {
		free((*r)->path);
		free(*r);
	}
	vec_free(&f->requests);
	pthread_mutex_destroy(&f->lock);
	pthread_cond_destroy(&f->answered);
	free(f);
}

/* Under the lock. */
static void tell(struct fetcher *f)
{
	f->state.seconds = (unsigned)(time(NULL) - f->started);
	f->state.urls = f->opts->debuginfod_urls;
	if (f->opts->fetching)
		f->opts->fetching(&f->state);
}

struct limit { struct fetcher *f; time_t until; long bytes; bool hit; };

/* There is one progress function for all clients and only the client tells them apart; the
 * library stores our pointer. With a b, a is the bytes that came. Returning 1 ends the request. */
static int check_limit(struct client *c, long a, long b)
{
	get_user_data_fn *get = (get_user_data_fn *)(uintptr_t)dlsym(RTLD_DEFAULT,
								     "debuginfod_get_user_data");
	struct limit *l = get ? get(c) : NULL;
	int stop;

	if (!l)
		return 0;
	pthread_mutex_lock(&l->f->lock);
	if (b > 0 && a > l->bytes) {
		l->f->state.bytes += (u64)(a - l->bytes);
		l->bytes = a;
		l->until = time(NULL) + LIMIT_SECONDS;
	}
	l->hit = time(NULL) >= l->until;
	stop = l->hit || l->f->state.gave_up;
	tell(l->f);
	pthread_mutex_unlock(&l->f->lock);
	return stop;
}

/* Without the lock. */
static char *ask(struct fetcher *f, const struct request *r, bool *too_slow)
{
	begin_fn *begin = (begin_fn *)(uintptr_t)dlsym(f->lib, "debuginfod_begin");
	end_fn *end = (end_fn *)(uintptr_t)dlsym(f->lib, "debuginfod_end");
	find_fn *find = (find_fn *)(uintptr_t)dlsym(f->lib, r->debug ? "debuginfod_find_debuginfo" :
						    "debuginfod_find_executable");
	set_progress_fn *progress =
		(set_progress_fn *)(uintptr_t)dlsym(f->lib, "debuginfod_set_progressfn");
	set_user_data_fn *user = (set_user_data_fn *)(uintptr_t)dlsym(f->lib,
								      "debuginfod_set_user_data");
	struct limit limit = { .f = f, .until = time(NULL) + LIMIT_SECONDS };
	char *path = NULL;

	if (!begin || !end || !find || !progress || !user)
		return NULL;
	struct client *c = begin();

	if (!c)
		return NULL;
	user(c, &limit);
	progress(c, check_limit);
	int fd = find(c, r->id.bytes, r->id.n, &path);

	end(c);
	if (fd >= 0)
		close(fd);
	*too_slow = limit.hit || fd == -ETIME || fd == -ETIMEDOUT;
	return fd >= 0 ? path : NULL;
}

/* Under the lock. */
static struct request *find_request(const struct fetcher *f, const struct build_id *id, bool debug)
{
	for vec_each(r, &f->requests)
		if ((*r)->debug == debug && build_id_equal(&(*r)->id, id))
			return *r;
	return NULL;
}

static bool have_library(struct fetcher *f)
{
	if (f->lib || f->state.gave_up)
		return f->lib;
	f->lib = dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_GLOBAL);
	if (!f->lib) {
		f->state.gave_up = true;
		log_printf(LOG_SYMBOLS, 1, "debuginfod: %s", dlerror());
	}
	return f->lib;
}

/* Under the lock, which is let go while the server is asked. */
static void run_request(struct fetcher *f, struct request *r)
{
	bool too_slow = false, first;

	if (f->state.n_asked++ == f->state.n_answered)
		f->started = time(NULL);
	tell(f);
	pthread_mutex_unlock(&f->lock);
	char *path = ask(f, r, &too_slow);

	pthread_mutex_lock(&f->lock);
	r->path = path;
	r->done = true;
	f->state.n_answered++;
	first = too_slow && !f->state.gave_up;
	f->state.gave_up |= too_slow;
	f->state.just_gave_up = first;
	tell(f);
	f->state.just_gave_up = false;
	pthread_cond_broadcast(&f->answered);
}

char *debuginfod_get(struct fetcher *f, const struct build_id *id, bool debug)
{
	struct request *r;
	char *path;

	if (!f->opts->debuginfod_urls || !f->opts->debuginfod_urls[0])
		return NULL;
	pthread_mutex_lock(&f->lock);
	r = find_request(f, id, debug);
	if (!r && !f->state.gave_up && have_library(f)) {
		r = xnew(struct request);
		*r = (struct request){ .id = *id, .debug = debug };
		vec_push(&f->requests, r);
		run_request(f, r);
	}
	while (r && !r->done)
		pthread_cond_wait(&f->answered, &f->lock);
	path = r && r->path ? xstrdup(r->path) : NULL;
	pthread_mutex_unlock(&f->lock);
	return path;
}

static bool has_dwarf(const char *path)
{
	struct elf e;
	bool has;

	if (elf_open(&e, path, NULL))
		return false;
	has = elf_data(&e, elf_find(&e, ".debug_info")).len ||
		elf_data(&e, elf_find(&e, ".zdebug_info")).len;
	elf_close(&e);
	return has;
}

bool debuginfod_keep(struct fetcher *f, const char *dir, const struct build_id *id)
{
	char *elf = buildid_cache_file(dir, id), *debug = build_id_path(dir, id, "/debug"),
		*got = NULL;
	bool kept = false;

	if (access(debug, F_OK) && !access(elf, F_OK) && !has_dwarf(elf))
		got = debuginfod_get(f, id, true);
	if (got)
		kept = !buildid_cache_put_debug(dir, id, got, NULL);
	free(got);
	free(debug);
	free(elf);
	return kept;
}
