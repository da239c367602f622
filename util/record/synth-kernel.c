// SPDX-License-Identifier: GPL-2.0-or-later
// The mapping of the kernel, its BPF programs, and what modules' mappings are made of, too.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/os/bpf-progs.h"
#include "util/os/kernel.h"
#include "util/record/synth-priv.h"
#include "util/symbols/dso.h"

/* _text stands among the first lines, or after the per-CPU symbols of older kernels (some 30
 * KiB); _etext 100,000 lines later: that one is only looked for when /proc/iomem does not tell. */
struct kernel_text { u64 text, stext, etext; bool zero; };

/* One line "ffffffff81000000 T _text". */
static void take_symbol(const char *line, struct kernel_text *k)
{
	char *end;
	u64 va = strtoull(line, &end, 16);

	if (end == line || end[0] != ' ' || !end[1] || end[2] != ' ' || end[3] != '_')
		return;
	if (!strcmp(end + 3, "_text"))
		k->text = va, k->zero |= !va;
	else if (!strcmp(end + 3, "_stext"))
		k->stext = va, k->zero |= !va;
	else if (!strcmp(end + 3, "_etext"))
		k->etext = va;
}

/* Complete lines are taken and removed from the buffer. */
static void take_lines(struct str *s, struct kernel_text *k)
{
	char *p = s->buf, *nl;

	while ((nl = memchr(p, '\n', s->buf + s->len - p))) {
		*nl = '\0';
		take_symbol(p, k);
		p = nl + 1;
	}
	s->len -= (size_t)(p - s->buf);
	memmove(s->buf, p, s->len);
}

static void find_kernel_text(const struct os *os, struct kernel_text *k)
{
	const int fd = os_open_kallsyms(os);
	bool asked = false;
	struct str s = STR_INIT;
	ssize_t n;

	while (fd >= 0 && !k->zero && !k->etext && s.len < 1 << 20) {
		str_reserve(&s, 65536);
		n = io_read(fd, s.buf + s.len, asked ? 65536 : 8192);
		if (n <= 0)
			break;
		s.len += (size_t)n;
		take_lines(&s, k);
		if (k->text && !asked) {
			u64 bytes = os_kernel_text_bytes(os);

			asked = true;
			k->etext = bytes ? k->text + bytes : k->etext;
		}
	}
	if (fd >= 0)
		close(fd);
	str_release(&s);
}

int synth_kernel(struct synth *s)
{
	struct kernel_text k = { 0, 0, 0, false };
	struct build_id id = { { 0 }, 0 };
	struct err e = ERR_INIT;
	u64 start;
	int ret;

	find_kernel_text(s->os, &k);
	start = k.text ? k.text : k.stext;
	if (!start || k.zero) {
		s->kernel_hidden = true;
		return 0;
	}
	if (s->build_ids && build_id_of_kernel(s->os, &id, &e))
		id.n = 0;
	err_release(&e);
	ret = synth_put_kernel_map(s, start, k.etext > start ? k.etext : start + (1ULL << 30),
			     k.text ? "[kernel.kallsyms]_text" : "[kernel.kallsyms]_stext", &id);
	return ret ? ret : synth_modules(s);
}

/* --- BPF programs --- */

static int put_bpf(void *ctx, const struct os_bpf_function *f)
{
	return synth_put_ksymbol(ctx, f->va, f->bytes, PERF_RECORD_KSYMBOL_TYPE_BPF, f->name);
}

int synth_bpf(struct synth *s)
{
	return os_bpf_functions(s->os, put_bpf, s);
}
