// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/target.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/os/procfs.h"

bool target_none(const struct target *t)
{
	return !t->pid && !t->tid && !t->cpu_list && !t->user && !t->system_wide;
}

void target_release(struct target *t)
{
	vec_free(&t->tids);
	vec_free(&t->cpus);
	if (t->uid_program > 0)
		close(t->uid_program);
	t->uid_program = 0;
}

/* Calls add for each number of "1,2"; what names it in errors. */
static int each_number(const struct os *os, const char *list, const char *what, int_vec *tids,
		       int (*add)(const struct os *os, int n, int_vec *tids, struct err *err),
		       struct err *err)
{
	char *copy = xstrdup(list), *save = NULL;
	int ret = 0, n, found = 0;

	for (char *p = strtok_r(copy, ",", &save); p && !ret; p = strtok_r(NULL, ",", &save),
	     found++) {
		p += strspn(p, " ");
		if (!parse_int(p, &n) || n <= 0) {
			ret = err_set(err, EINVAL, "'%s' is not a %s id", p, what);
			err_hint(err, "give numbers, separated by commas: 12,34");
		} else {
			ret = add(os, n, tids, err);
		}
	}
	if (!ret && !found)
		ret = err_set(err, EINVAL, "the list of %s ids is empty", what);
	free(copy);
	return ret;
}

static int add_process(const struct os *os, int pid, int_vec *tids, struct err *err)
{
	return procfs_tasks(os, pid, tids, err);
}

static int add_thread(const struct os *os, int tid, int_vec *tids, struct err *err)
{
	if (!procfs_alive(os, tid))
		return procfs_missing(os, "thread", tid, err);
	vec_push(tids, tid);
	return 0;
}

int target_find_user(const char *name, uid_t *uid, struct err *err)
{
	struct passwd pw, *found = NULL;
	char buf[4096];
	int n;

	if (!getpwnam_r(name, &pw, buf, sizeof(buf), &found) && found) {
		*uid = found->pw_uid;
		return 0;
	}
	if (parse_int(name, &n) && n >= 0) {
		*uid = (uid_t)n;
		return 0;
	}
	return err_set(err, EINVAL, "there is no user '%s'", name);
}

static int add_user(const struct os *os, const char *name, int_vec *tids, struct err *err)
{
	int_vec pids = { 0 };
	uid_t uid = 0;
	int ret = target_find_user(name, &uid, err);

	if (!ret)
		ret = procfs_pids(os, &pids, err);
	for (size_t i = 0; !ret && i < pids.n; i++) {
		struct procfs_status st;

		/* those that vanish meanwhile are no error */
		if (!procfs_status(os, pids.v[i], &st, NULL) && st.uid == uid)
			procfs_tasks(os, pids.v[i], tids, NULL);
	}
	if (!ret && !tids->n)
		ret = err_set(err, ESRCH, "user '%s' has no processes", name);
	vec_free(&pids);
	return ret;
}

static int resolve_cpus(struct target *t, const struct os *os, bool threads, struct err *err)
{
	int_vec online = { 0 };
	int ret;

	if (!t->cpu_list && !t->system_wide && !(threads && t->per_cpu)) {
		vec_push(&t->cpus, -1);
		return 0;
	}
	ret = os_online_cpus(os, &online, err);
	if (!ret && !t->cpu_list) {
		vec_free(&t->cpus);
		t->cpus = online;
		return 0;
	}
	if (!ret)
		ret = parse_int_list(t->cpu_list, &t->cpus, err);
	for (size_t i = 0; !ret && i < t->cpus.n; i++) {
		bool found = false;

		for (size_t k = 0; k < online.n; k++)
			found |= online.v[k] == t->cpus.v[i];
		if (!found) {
			struct str s = STR_INIT;

			str_add_int_list(&s, online.v, online.n);
			ret = err_set(err, ENODEV, "CPU %d is not online", t->cpus.v[i]);
			err_hint(err, "online are: %s", str_cstr(&s));
			str_release(&s);
		}
	}
	if (!ret && !t->cpus.n)
		ret = err_set(err, EINVAL, "the list of CPUs is empty");
	vec_free(&online);
	return ret;
}

int target_resolve(struct target *t, const struct os *os, struct err *err)
{
	bool threads = t->pid || t->tid || (t->user && !t->uid_program);
	int ret = 0;

	vec_clear(&t->tids);
	vec_clear(&t->cpus);
	if (t->user && !t->uid_program)
		t->system_wide = false;		/* all processes of this user */
	if ((t->pid && t->tid) || (t->user && (t->pid || t->tid)))
		return err_set(err, EINVAL, "only one of -p, -t and -u can be used");
	if (threads && t->system_wide)
		return err_set(err, EINVAL, "-a (all processes) and %s exclude each other",
			       t->pid ? "-p" : "-t");
	if (t->per_thread && (t->system_wide || t->cpu_list) && !threads)
		return err_set(err, EINVAL, "--per-thread watches threads: it cannot be used with "
					    "-a or -C");
	if (t->pid)
		ret = each_number(os, t->pid, "process", &t->tids, add_process, err);
	else if (t->tid)
		ret = each_number(os, t->tid, "thread", &t->tids, add_thread, err);
	else if (t->user && !t->uid_program)
		ret = add_user(os, t->user, &t->tids, err);
	else if (t->system_wide || t->cpu_list)
		vec_push(&t->tids, -1);
	return ret ? ret : resolve_cpus(t, os, threads || target_none(t), err);
}
