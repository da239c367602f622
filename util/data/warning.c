// SPDX-License-Identifier: GPL-2.0-or-later
// What is wrong with a recording, collected while it is read.
#include "util/data/warning.h"

#include <stdlib.h>

#include "util/data/data-priv.h"

void data_warn(struct data_reader *r, const char *hint, const char *fmt, ...)
{
	struct str s = STR_INIT;
	va_list ap;

	va_start(ap, fmt);
	str_addv(&s, fmt, ap);
	va_end(ap);
	pthread_mutex_lock(&r->priv->lock);
	for vec_each(w, &r->warnings)
		if (!strcmp(w->text, str_cstr(&s)))
			goto out;

	struct data_warning w = { str_detach(&s), xstrdup(hint), true };

	vec_push(&r->warnings, w);
out:
	pthread_mutex_unlock(&r->priv->lock);
	str_release(&s);
}

void data_warnings_release(data_warnings *v)
{
	for vec_each(w, v) {
		free(w->text);
		free(w->hint);
	}
	vec_free(v);
}
