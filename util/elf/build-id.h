/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ELF_BUILD_ID_H
#define ELF_BUILD_ID_H
/*
 * What a linker calls a binary by: a hash of its contents. Any thread.
 */
#include "util/base/err.h"
#include "util/base/str.h"
#include "util/os/os.h"

struct build_id { u8 bytes[20]; u8 n; };	/* n 0: none */

bool build_id_parse(const char *hex, struct build_id *out);
void build_id_add(struct str *s, const struct build_id *id);		/* lower-case hex */
bool build_id_equal(const struct build_id *a, const struct build_id *b);
/* "DIR/.build-id/xx/yyyy" + tail; the caller frees. */
char *build_id_path(const char *dir, const struct build_id *id, const char *tail);

/* 0, -ENOENT: it has none, -errno. */
int build_id_of_file(const char *path, struct build_id *out, struct err *err);
/* Of an open file, which stays the caller's. false: it has none, out->n is 0. */
bool build_id_of_fd(int fd, struct build_id *out);
/* sys/kernel/notes */
int build_id_of_kernel(const struct os *os, struct build_id *out, struct err *err);
int build_id_of_module(const struct os *os, const char *module, struct build_id *out,
		       struct err *err);
/* What stands for one where a text or a file has none: of the contents. */
void build_id_of_text(const char *text, size_t len, struct build_id *out);

#endif
