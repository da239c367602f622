// SPDX-License-Identifier: GPL-2.0-or-later
/* Configuration files: no crash; what was read can be set again by an edit, and is then read
 * back as it was. */
#include <stdlib.h>

#include "util/base/xalloc.h"
#include "util/cli/config.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t n);

static void check_edit(const char *text, const struct config_item *it)
{
	struct config again = { .items = { NULL, 0, 0 } };
	struct str out = STR_INIT;
	struct err err = ERR_INIT;

	if (config_edit(text, it->name, it->value, &out, &err) == 0) {
		const char *value;

		if (config_parse(&again, str_cstr(&out), "again", &err) < 0)
			abort();
		value = config_get(&again, it->name);
		if (!value || strcmp(value, it->value))
			abort();
	}
	config_release(&again);
	err_release(&err);
	str_release(&out);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t n)
{
	char *text = xstrndup(n ? (const char *)data : "", n);
	struct config c = { .items = { NULL, 0, 0 } };
	struct err err = ERR_INIT;

	if (config_parse(&c, text, "fuzz", &err) < 0) {
		if (!err.code || !err.msg)
			abort();
	} else if (c.items.n) {
		check_edit(text, &c.items.v[c.items.n - 1]);
	}
	config_release(&c);
	err_release(&err);
	free(text);
	return 0;
}
