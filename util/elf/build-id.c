// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/hash.h"
#include "util/base/num.h"
#include "util/base/xalloc.h"
#include "util/elf/elf.h"
#include "util/os/kernel.h"

bool build_id_parse(const char *hex, struct build_id *out)
{
	size_t n = strlen(hex);
	struct build_id id = { .n = n / 2 };

	if (!n || n % 2 || n / 2 > sizeof(id.bytes))
		return false;
	for (size_t i = 0; i < n; i++) {
		char c = hex[i];
		int v = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 :
			c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;

		if (v < 0)
			return false;
		id.bytes[i / 2] = id.bytes[i / 2] << 4 | v;
	}
	*out = id;
	return true;
}

void build_id_add(struct str *s, const struct build_id *id)
{
	for (unsigned i = 0; i < id->n && i < sizeof(id->bytes); i++)
		str_add_hex(s, id->bytes[i], 2);
}

char *build_id_path(const char *dir, const struct build_id *id, const char *tail)
{
	struct str s = STR_INIT;

	str_add(&s, dir);
	str_add(&s, "/.build-id/");
	for (unsigned i = 0; i < id->n && i < sizeof(id->bytes); i++) {
		str_add_hex(&s, id->bytes[i], 2);
		if (i == 0)
			str_addch(&s, '/');
	}
	str_add(&s, tail);
	return str_detach(&s);
}

/* Short ids (MD5, UUID) are recorded with zeros after by some tools. */
bool build_id_equal(const struct build_id *a, const struct build_id *b)
{
	static const u8 zeros[20];
	const struct build_id *l = a->n < b->n ? b : a, *s = a->n < b->n ? a : b;

	if (!s->n || !l->n)
		return s->n == l->n;
	return l->n <= sizeof(l->bytes) && !memcmp(s->bytes, l->bytes, s->n) &&
	       !memcmp(l->bytes + s->n, zeros, l->n - s->n);
}

int build_id_of_file(const char *path, struct build_id *out, struct err *err)
{
	struct elf e;
	int ret = elf_open(&e, path, err);

	if (ret)
		return ret;
	if (!elf_build_id(&e, out))
		ret = err_set(err, ENOENT, "'%s' has no build-id", path);
	elf_close(&e);
	return ret;
}

bool build_id_of_fd(int fd, struct build_id *out)
{
	struct elf e;
	bool has;

	out->n = 0;
	has = !elf_open_fd(&e, fd, "", NULL) && elf_build_id(&e, out) && out->n;
	e.fd = -1;	/* it stays the caller's */
	elf_close(&e);
	return has;
}

static bool in_notes(const struct str *notes, struct build_id *out)
{
	const struct span all = { (const u8 *)notes->buf, notes->len };

	return elf_notes_build_id(all, false, 4, out);
}

int build_id_of_kernel(const struct os *os, struct build_id *out, struct err *err)
{
	struct str notes = STR_INIT;
	int ret = os_kernel_notes(os, &notes, err);

	if (!ret && !in_notes(&notes, out))
		ret = err_set(err, ENOENT, "'/sys/kernel/notes' holds no build-id");
	str_release(&notes);
	return ret;
}

int build_id_of_module(const struct os *os, const char *module, struct build_id *out,
		       struct err *err)
{
	struct str notes = STR_INIT;
	int ret = os_module_notes(os, module, &notes, err);

	if (!ret && !in_notes(&notes, out))
		ret = err_set(err, ENOENT, "'/sys/module/%s/notes/.note.gnu.build-id' holds no "
			      "build-id", module);
	str_release(&notes);
	return ret;
}

void build_id_of_text(const char *text, size_t len, struct build_id *out)
{
	*out = (struct build_id){ .n = sizeof(out->bytes) };
	for (size_t i = 0; i < sizeof(out->bytes); i += 4) {
		const u32 h = (u32)hash_bytes(text, len, i + 1);

		memcpy(out->bytes + i, &h, 4);
	}
}
