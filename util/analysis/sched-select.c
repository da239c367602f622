// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/sched-select.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/str.h"
#include "util/base/xalloc.h"

/* Calls fn for each word of a list with commas until it returns true; whether one did. */
static bool any_word(const char *list, bool (*fn)(void *ctx, const char *word), void *ctx)
{
	char *copy = xstrdup(list), *save = NULL;
	bool hit = false;

	for (char *w = strtok_r(copy, ",", &save); w && !hit; w = strtok_r(NULL, ",", &save))
		hit = fn(ctx, w);
	free(copy);
	return hit;
}

struct name_query { const char *comm; bool fuzzy; };

static bool name_is(void *ctx, const char *word)
{
	const struct name_query *q = ctx;

	return q->fuzzy ? strstr(q->comm, word) != NULL : !strcmp(q->comm, word);
}

bool sched_name_listed(const char *names, const char *comm, bool fuzzy)
{
	return any_word(names, name_is, &(struct name_query){ comm, fuzzy });
}

static bool task_is(void *ctx, const char *word)
{
	const struct sched_task *task = ctx;
	u64 id;

	return !strcmp(word, task->comm) || (parse_u64(word, &id) &&
					     (id == task->pid || id == task->tid));
}

bool sched_task_listed(const char *any, const struct sched_task *task)
{
	return any_word(any, task_is, (void *)task);
}

int sched_parse_window(const char *text, u64 *from_ns, u64 *to_ns, struct err *err)
{
	char *copy = xstrdup(text), *comma = strchr(copy, ',');
	int ret = 0;

	if (comma)
		*comma++ = '\0';
	if ((*copy && !parse_time_ns(copy, from_ns)) ||
	    (comma && *comma && !parse_time_ns(comma, to_ns)) || *from_ns > *to_ns) {
		ret = err_set(err, EINVAL, "invalid time window '%s'", text);
		err_hint(err, "write --time START,STOP in seconds, the earlier one first; either "
			      "may be left out");
	}
	free(copy);
	return ret;
}

struct search {
	const struct sched *s;
	const struct sched_selection *sel;
	sched_texts *out;
};

static void unseen_cpus(const struct search *q)
{
	struct sched_cpu *const *cpus;
	size_t n = sched_cpus(q->s, &cpus);
	int_vec wanted = { 0 }, missing = { 0 }, seen = { 0 };
	struct str list = STR_INIT, has = STR_INIT;

	if (parse_int_list(q->sel->cpus, &wanted, NULL) < 0)
		return;
	for (size_t i = 0; i < n; i++) {
		if (cpus[i])
			vec_push(&seen, (int)i);
	}
	for vec_each(cpu, &wanted) {
		if (!int_list_has(&seen, *cpu))
			vec_push(&missing, *cpu);
	}
	if (missing.n) {
		str_add_int_list(&list, missing.v, missing.n);
		str_add_int_list(&has, seen.v, seen.n);
		vec_push(q->out, xasprintf("the recording has no events of CPU %s; it has those of "
					   "CPU %s", str_cstr(&list),
					   has.len ? str_cstr(&has) : "none"));
	}
	str_release(&list);
	str_release(&has);
	vec_free(&wanted);
	vec_free(&missing);
	vec_free(&seen);
}

static void unseen_ids(const struct search *q, const char *text, bool threads)
{
	struct sched_task *const *tasks;
	size_t n = sched_tasks(q->s, &tasks);
	int_vec wanted = { 0 };

	if (!text || parse_int_list(text, &wanted, NULL) < 0)
		return;
	for vec_each(id, &wanted) {
		bool hit = false;

		for (size_t i = 0; i < n && !hit; i++)
			hit = (threads ? tasks[i]->tid : tasks[i]->pid) == (u32)*id;
		if (!hit)
			vec_push(q->out, xasprintf("the recording has no %s %d: perf sched "
						   "timehist -s shows which it has",
						   threads ? "thread" : "process", *id));
	}
	vec_free(&wanted);
}

static bool unseen_name(void *ctx, const char *word)
{
	const struct search *q = ctx;
	struct sched_task *const *tasks;
	size_t n = sched_tasks(q->s, &tasks);
	bool hit = false;

	for (size_t i = 0; i < n && !hit; i++)
		hit = q->sel->any ? task_is(tasks[i], word) :
				    name_is(&(struct name_query){ tasks[i]->comm, q->sel->fuzzy },
					    word);
	if (!hit)
		vec_push(q->out, xasprintf("no task of the recording is '%s': perf sched latency "
					   "-p shows which it has%s", word,
					   !q->sel->any && !q->sel->fuzzy ? ", --fuzzy-name also "
									    "finds a part of a "
									    "name" : ""));
	return false;
}

static void went_offline(const struct search *q)
{
	struct sched_cpu *const *cpus;
	size_t n = sched_cpus(q->s, &cpus);
	struct str list = STR_INIT;
	int_vec gone = { 0 };

	for (size_t i = 0; i < n; i++) {
		if (cpus[i] && cpus[i]->offline)
			vec_push(&gone, (int)i);
	}
	if (gone.n) {
		str_add_int_list(&list, gone.v, gone.n);
		vec_push(q->out, xasprintf("CPU %s went offline meanwhile: what ran there "
					   "afterwards was not recorded", str_cstr(&list)));
	}
	str_release(&list);
	vec_free(&gone);
}

void sched_unseen(const struct sched *s, const struct sched_selection *sel, sched_texts *out)
{
	struct search q = { s, sel, out };
	const char *names = sel->any ? sel->any : sel->names;

	if (sel->cpus)
		unseen_cpus(&q);
	unseen_ids(&q, sel->pids, false);
	unseen_ids(&q, sel->tids, true);
	if (names)
		any_word(names, unseen_name, &q);
	went_offline(&q);
}

void sched_texts_release(sched_texts *t)
{
	for vec_each(text, t)
		free(*text);
	vec_free(t);
}
