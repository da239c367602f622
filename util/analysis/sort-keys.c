// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/sort-keys.h"

#include <errno.h>
#include <string.h>

#include "util/base/str.h"
#include "util/base/words.h"

static int no_key(const char *word, size_t len, const char *const *names, int n_names,
		  struct err *err)
{
	struct str all = STR_INIT;

	for (int i = 0; i < n_names; i++)
		str_addf(&all, "%s%s", i ? ", " : "", names[i]);
	err_set(err, EINVAL, "--sort: there is no key '%.*s'", (int)len, word);
	err_hint(err, "the keys are: %s", str_cstr(&all));
	str_release(&all);
	return -EINVAL;
}

int sort_keys_parse(const char *list, const char *const *names, int n_names, int *keys,
		    struct err *err)
{
	int n_keys = 0;

	for (const char *p = list; *p; p += *p == ',') {
		const size_t n = strcspn(p, ",");
		const int k = word_index(names, n_names, p, n);

		if (k < 0)
			return no_key(p, n, names, n_names, err);
		if (n_keys < n_names)
			keys[n_keys++] = k;
		p += n;
	}
	return n_keys;
}
