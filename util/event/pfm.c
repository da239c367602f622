// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/pfm.h"

#include <errno.h>
#include <perfmon/pfmlib_perf_event.h>
#include <pthread.h>
#include <stdlib.h>

#include "util/base/library.h"

#define SONAME "libpfm.so.4"

struct pfm {
	__typeof__(pfm_initialize) *initialize;
	__typeof__(pfm_strerror) *strerror;
	__typeof__(pfm_get_os_event_encoding) *get_os_event_encoding;
	__typeof__(pfm_get_pmu_info) *get_pmu_info;
	__typeof__(pfm_get_event_info) *get_event_info;
	__typeof__(pfm_get_event_next) *get_event_next;
	__typeof__(pfm_get_event_attr_info) *get_event_attr_info;
};

#define FUNCTION(name) LIBRARY_ENTRY(pfm_##name, offsetof(struct pfm, name))
static const struct library_function functions[] = {
	FUNCTION(initialize), FUNCTION(strerror), FUNCTION(get_os_event_encoding),
	FUNCTION(get_pmu_info), FUNCTION(get_event_info), FUNCTION(get_event_next),
	FUNCTION(get_event_attr_info),
};

/* lock: the library keeps what it knows without one */
static struct { pthread_mutex_t lock; bool tried, ready; struct pfm lib; char why[200]; } the = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
};

static bool ready(void)
{
	int code;

	if (the.tried)
		return the.ready;
	the.tried = true;
	if (!library_load(SONAME, functions, ARRAY_SIZE(functions), &the.lib, the.why,
			  sizeof(the.why)))
		return false;
	code = the.lib.initialize();
	the.ready = code == PFM_SUCCESS;
	if (!the.ready)
		snprintf(the.why, sizeof(the.why), "%s", the.lib.strerror(code));
	return the.ready;
}

static int not_ready(struct err *err)
{
	err_set(err, ENOTSUP, "libpfm4 cannot be used: %s", the.why);
	err_hint(err, "install the package libpfm4; perf list shows the kernel's names");
	return -ENOTSUP;
}

static int encode(const char *text, struct perf_event_attr *attr, struct err *err)
{
	struct perf_event_attr a = { .size = sizeof(a) };
	char *full = NULL;
	pfm_perf_encode_arg_t arg = { .attr = &a, .fstr = &full, .size = sizeof(arg), .cpu = -1 };
	int code = the.lib.get_os_event_encoding(text, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT,
						 &arg);

	if (code == PFM_SUCCESS && full && str_has_prefix(full, "perf_raw::"))
		code = PFM_ERR_NOTFOUND;	/* rNNN: the kernel's, not the vendor's */
	free(full);
	if (code != PFM_SUCCESS) {
		const bool none = code == PFM_ERR_NOTFOUND;

		err_set(err, none ? ENOENT : EINVAL, "libpfm4: %s: '%s'", the.lib.strerror(code),
			text);
		return none ? -ENOENT : -EINVAL;
	}
	a.size = sizeof(a);
	*attr = a;
	return 0;
}

int pfm_encode(const char *text, struct perf_event_attr *attr, struct err *err)
{
	int ret;

	pthread_mutex_lock(&the.lock);
	ret = ready() ? encode(text, attr, err) : not_ready(err);
	pthread_mutex_unlock(&the.lock);
	return ret;
}

/* ---- the list ---- */

struct each { void (*fn)(void *ctx, const struct pfm_event *e); void *ctx; };

static void each_mask(const struct each *o, const char *pmu, const pfm_event_info_t *e)
{
	unsigned n = 0;

	for (int i = 0; i < e->nattrs; i++) {
		pfm_event_attr_info_t a = { .size = sizeof(a) };
		char name[256];

		if (the.lib.get_event_attr_info(e->idx, i, PFM_OS_PERF_EVENT_EXT, &a) ||
		    a.type != PFM_ATTR_UMASK)
			continue;
		snprintf(name, sizeof(name), "%s:%s", e->name, a.name);
		o->fn(o->ctx, &(struct pfm_event){ pmu, name, a.desc });
		n++;
	}
	if (!n)
		o->fn(o->ctx, &(struct pfm_event){ pmu, e->name, e->desc });
}

static void each_of(const struct each *o, const pfm_pmu_info_t *pmu)
{
	for (int i = pmu->first_event; i != -1; i = the.lib.get_event_next(i)) {
		pfm_event_info_t e = { .size = sizeof(e) };

		if (!the.lib.get_event_info(i, PFM_OS_PERF_EVENT_EXT, &e))
			each_mask(o, pmu->name, &e);
	}
}

void pfm_each(void (*fn)(void *ctx, const struct pfm_event *e), void *ctx)
{
	const struct each o = { fn, ctx };

	pthread_mutex_lock(&the.lock);
	for (int i = 0; ready() && i < PFM_PMU_MAX; i++) {
		pfm_pmu_info_t pmu = { .size = sizeof(pmu) };

		if (the.lib.get_pmu_info((pfm_pmu_t)i, &pmu) || !pmu.is_present ||
		    pmu.pmu == PFM_PMU_PERF_EVENT || pmu.pmu == PFM_PMU_PERF_EVENT_RAW)
			continue;
		each_of(&o, &pmu);
	}
	pthread_mutex_unlock(&the.lock);
}
