// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/base/words.h"

void words_split(const char *list, word_list *out)
{
	while (list && *list) {
		const size_t n = strcspn(list, ",");

		if (n)
			vec_push(out, xstrndup(list, n));
		list += n + (list[n] == ',');
	}
}

void words_release(word_list *v)
{
	for vec_each(word, v)
		free(*word);
	vec_free(v);
}

int word_index(const char *const *names, int n, const char *text, size_t len)
{
	for (int i = 0; i < n; i++)
		if (names[i] && strlen(names[i]) == len && !strncmp(names[i], text, len))
			return i;
	return -1;
}
