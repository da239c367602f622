// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/base/windows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/num.h"
#include "util/base/str.h"

static int add_window(window_vec *out, const char *word, struct err *err)
{
	struct window w = { 0, 0 };
	const char *dash = strchr(word, '-');
	char *from = xstrndup(word, dash ? (size_t)(dash - word) : strlen(word));
	bool ok = parse_duration(from, 1000000, &w.from_ns) &&
		(!dash || parse_duration(dash + 1, 1000000, &w.to_ns));

	free(from);
	if (!ok || (dash && w.to_ns <= w.from_ns))
		return err_set(err, EINVAL, "'%s' is not a delay: use milliseconds (100) or ranges "
					    "of them (10-20,30-40)", word);
	if (out->n && (!vec_last(out)->to_ns || w.from_ns < vec_last(out)->to_ns))
		return err_set(err, EINVAL, "the ranges of -D must follow one another: '%s' begins "
					    "too early", word);
	vec_push(out, w);
	return 0;
}

int windows_parse(window_vec *out, const char *text, struct err *err)
{
	int ret = 0;

	vec_clear(out);
	for (const char *p = text; !ret;) {
		const char *end = strchrnul(p, ',');
		char *word = xstrndup(p, (size_t)(end - p));

		ret = add_window(out, word, err);
		free(word);
		if (!*end)
			break;
		p = end + 1;
	}
	if (!ret && out->n == 1 && !out->v[0].from_ns && !out->v[0].to_ns)
		vec_clear(out);
	return ret;
}

u64 windows_due_ns(const struct windows *w)
{
	const struct window *x = w->all && w->at < w->all->n ? &w->all->v[w->at] : NULL;

	if (!x)
		return UINT64_MAX;
	return !w->on ? x->from_ns : x->to_ns ? x->to_ns : UINT64_MAX;
}

void windows_step(struct windows *w)
{
	w->on = !w->on;
	if (!w->on)
		w->at++;
}
