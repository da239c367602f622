// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/cli/atfile.h"

#include <errno.h>
#include <string.h>

/* before: what each name gets in front */
static int add_names(const struct cli_atfile *a, const char *path, const char *before,
		     const struct os *os, struct str *out,
		     struct err *err)
{
	struct str text = STR_INIT;
	bool any = false;
	int ret = os_read_file(os, path, &text, err);

	if (ret) {
		err_prefix(err, "%s @%s: neither %s nor a file", a->option, path, a->name_kind);
		return ret;
	}
	for (const char *p = str_cstr(&text); *p;) {
		size_t n = strcspn(p, ", \t\r\n#");

		if (n && any)
			str_addch(out, ',');
		if (n)
			str_add(out, before);
		str_addn(out, p, n);
		any |= n > 0;
		p += n;
		if (*p == '#')
			p += strcspn(p, "\n");
		else if (*p)
			p++;
	}
	str_release(&text);
	return any ? 0 : err_set(err, EINVAL, "%s @%s: the file names no %s", a->option, path,
				 a->names);
}

int cli_atfile_expand(const struct cli_atfile *a, const char *list, const struct os *os,
		      struct str *out, struct err *err)
{
	int ret = 0;

	for (const char *text = list; *text && !ret;) {
		const size_t n = strcspn(text, ","), skip = *text == '!';
		struct str word = STR_INIT;
		const char *name;

		str_addn(&word, text, n);
		name = str_cstr(&word) + (n > skip ? skip + 1 : n);
		if (*name && text[skip] == '@' && !(a->is_name && a->is_name(name))) {
			if (text == list)	/* a ! there is for the whole list */
				str_addn(out, text, skip);
			ret = add_names(a, name, skip && text != list ? "!" : "", os, out, err);
		} else {
			str_addn(out, text, n);
		}
		str_release(&word);
		text += n;
		if (*text)
			str_addch(out, *text++);
	}
	return ret;
}
