// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/cli/recording.h"

#include <errno.h>

#include "util/cli/error.h"

void cli_data_warnings(const struct data_reader *r)
{
	for vec_each(w, &r->warnings) {
		struct err e = ERR_INIT;

		err_set(&e, EINVAL, "%s", w->text);
		if (w->hint)
			err_hint(&e, "%s", w->hint);
		cli_warn_err(&e);
		err_release(&e);
	}
}
