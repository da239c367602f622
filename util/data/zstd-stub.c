// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/data/data-priv.h"

#include <errno.h>

struct data_zstd {
	char unused;
};

static int missing(struct err *err)
{
	err_set(err, ENOTSUP, "this perf was built without zstd");
	err_hint(err, "install libzstd-dev and build again");
	return -ENOTSUP;
}

bool data_zstd_built(void)
{
	return false;
}

struct data_zstd *data_zstd_new(void)
{
	return xnew(struct data_zstd);
}

void data_zstd_free(struct data_zstd *z)
{
	free(z);
}

int data_zstd_unpack(struct data_zstd *z UNUSED, struct span in UNUSED, struct str *out UNUSED,
		     struct err *err)
{
	return missing(err);
}

int data_zstd_pack(struct data_zstd *z UNUSED, int level UNUSED, struct span in UNUSED,
		   struct str *out UNUSED,
		   struct err *err)
{
	return missing(err);
}
