// SPDX-License-Identifier: GPL-2.0-or-later
// The source that is a file or a pipe: all is the reader's.
#include <stdlib.h>

#include "util/base/xalloc.h"
#include "util/data/reader.h"
#include "util/stream/source.h"

struct source source_of_reader(struct data_reader *r)
{
	return (struct source){ .name = r->path, .events = &r->events, .env = &r->feat,
				.swap = r->swap, .once = r->stream, .mtime_s = r->mtime_s,
				.reader = r };
}

int source_open_file(struct source *s, const char *path, unsigned flags, struct err *err)
{
	struct data_reader *r = xnew(struct data_reader);
	int ret = data_open(r, path, flags, err);

	*s = source_of_reader(r);
	return ret;
}

void source_close(struct source *s)
{
	if (s->ops) {
		s->ops->close(s);
	} else if (s->reader) {
		data_close(s->reader);
		free(s->reader);
	}
	*s = (struct source){ 0 };
}
