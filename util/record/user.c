// SPDX-License-Identifier: GPL-2.0-or-later
// -u: whoever runs as that user, also later.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/os/uid-program.h"
#include "util/record/record.h"

/* A program on a tracepoint or a probe decides for everybody who records it, not for this
 * descriptor alone; and it knows nothing of what is counted between samples. */
static int check_event(const struct event *e, struct err *err)
{
	const char *what = e->attr.type == PERF_TYPE_TRACEPOINT || (e->pmu &&
		(!strcmp(e->pmu, "kprobe") || !strcmp(e->pmu, "uprobe"))) ? "is a tracepoint" :
		e->sample_read ? "reads its group" : NULL;

	return what ? err_set(err, ENOTSUP, "'%s' %s", event_typed(e), what) : 0;
}

int record_watch_user(const struct event_list *l, struct record_opts *o, struct err *reason,
		      struct err *err)
{
	struct target *t = &o->target;
	uid_t uid = 0;
	int ret = t->user ? target_find_user(t->user, &uid, err) : 0;

	if (ret || !t->user || t->pid || t->tid)
		return ret;
	t->system_wide = false;		/* all processes of this user */
	if (t->per_thread || o->scope.no_inherit)
		ret = err_set(reason, EINVAL, "%s watches the threads that there are",
			      t->per_thread ? "--per-thread" : "--no-inherit");
	for (size_t i = 0; i < l->events.n && !ret; i++)
		ret = check_event(l->events.v[i], reason);
	if (!ret)
		ret = os_uid_program(uid, reason);
	for (size_t i = 0; i < l->events.n && ret > 0; i++) {
		struct event *e = l->events.v[i];
		char *his = xasprintf("uid == %u && pid != 0", (unsigned)uid);

		if (e->filter)
			event_and_filter(e, his);
		free(his);
	}
	if (ret > 0) {
		t->uid_program = ret;
		t->system_wide = true;
	}
	return 0;
}
