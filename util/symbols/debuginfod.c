// SPDX-License-Identifier: GPL-2.0-or-later
// libdebuginfod is opened at run time: most machines have it as a dependency of gdb, and nobody needs its headers to build.
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "util/base/log.h"
#include "util/symbols/debuginfod-priv.h"
#include "util/symbols/dso-priv.h"

#define LIMIT_SECONDS 20	/* for one file, connecting included; then the servers are not asked again */

struct client;
typedef struct client *begin_fn(void);
typedef void end_fn(struct client *c);
typedef int find_fn(struct client *c, const unsigned char *id, int id_bytes, char **path);
typedef int progress_fn(struct client *c, long a, long b);
typedef void set_progress_fn(struct client *c, progress_fn *fn);
typedef void set_user_data_fn(struct client *c, void *data);
typedef void *get_user_data_fn(struct client *c);

struct limit { time_t until; bool hit; };

/* There is one progress function for all clients and only the client tells them apart; the library stores our pointer. */
static int check_limit(struct client *c, long a UNUSED, long b UNUSED)
{
	get_user_data_fn *get = (get_user_data_fn *)(uintptr_t)dlsym(RTLD_DEFAULT, "debuginfod_get_user_data");
	struct limit *l = get ? get(c) : NULL;

	if (!l || time(NULL) < l->until)
		return 0;
	l->hit = true;
	return 1;
}

static char *ask(void *lib, const struct build_id *id, bool debug, bool *too_slow)
{
	begin_fn *begin = (begin_fn *)(uintptr_t)dlsym(lib, "debuginfod_begin");
	end_fn *end = (end_fn *)(uintptr_t)dlsym(lib, "debuginfod_end");
	find_fn *find = (find_fn *)(uintptr_t)dlsym(lib, debug ? "debuginfod_find_debuginfo" : "debuginfod_find_executable");
	set_progress_fn *progress = (set_progress_fn *)(uintptr_t)dlsym(lib, "debuginfod_set_progressfn");
	set_user_data_fn *user = (set_user_data_fn *)(uintptr_t)dlsym(lib, "debuginfod_set_user_data");
	struct limit limit = { .until = time(NULL) + LIMIT_SECONDS };
	char *path = NULL;

	if (!begin || !end || !find || !progress || !user)
		return NULL;
	struct client *c = begin();

	if (!c)
		return NULL;
	user(c, &limit);
	progress(c, check_limit);
	int fd = find(c, id->bytes, id->n, &path);

	end(c);
	if (fd >= 0)
		close(fd);
	*too_slow = limit.hit;
	return fd >= 0 ? path : NULL;
}

char *debuginfod_get(struct dso_store *s, const struct build_id *id, bool debug)
{
	const char *urls = s->opts->debuginfod_urls;
	char *path = NULL;
	bool too_slow = false;

	if (!urls || !urls[0] || atomic_load(&s->debuginfod_off))
		return NULL;
	void *lib = dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_GLOBAL);

	if (!lib) {
		atomic_store(&s->debuginfod_off, true);
		log_printf(LOG_SYMBOLS, 1, "debuginfod: %s", dlerror());
		return NULL;
	}
	path = ask(lib, id, debug, &too_slow);
	if (too_slow) {
		atomic_store(&s->debuginfod_off, true);
		log_printf(LOG_SYMBOLS, 1, "debuginfod: no answer in %d s, not asked again", LIMIT_SECONDS);
	}
	return path;
}
