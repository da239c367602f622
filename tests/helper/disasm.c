// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * disasm [--objdump] [-M STYLE] FILE FROM TO
 *	the instructions of FILE between two of its addresses (hex), one a line: "address length
 *	kind TAB text"
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/disasm/disasm.h"

static const char kinds[] = ".CJcRLS";

static int put(void *ctx, const struct insn *i)
{
	struct str *s = ctx;

	str_reset(s);
	insn_add_text(s, i);
	printf("%llx %u %c%s\t%s\n", (unsigned long long)i->rva, i->length, kinds[i->kind],
	       i->unknown ? "?" : "", str_cstr(s));
	return 0;
}

int main(int argc, char **argv)
{
	struct disasm_opts o = { .arch = arch_host() };
	struct symbols_opts so = { .buildid_dir = "" };
	struct err err = ERR_INIT;
	struct str text = STR_INIT;
	struct disasm_range r;
	struct os os;
	int ret = 1;

	for (; argc > 4; argc--, argv++) {
		if (!strcmp(argv[1], "--objdump"))
			o.objdump = "objdump";
		else if (!strcmp(argv[1], "-M") && argc > 5)
			o.style = argv[2], argc--, argv++;
	}
	if (argc != 4)
		return 2;
	os_init(&os);
	struct dso_store *store = dso_store_new(&os, &so);
	struct dso *d = dso_get(store, &(struct dso_key){ .kind = DSO_FILE, .path = argv[1] });
	struct disasm *x = disasm_new(&o, &err);

	r = (struct disasm_range){ strtoull(argv[2], NULL, 16), strtoull(argv[3], NULL, 16) };
	if (x && dso_set_file(d, argv[1], &err) == 0)
		ret = disasm_range(x, d, &r, put, &text, &err);
	if (ret)
		fprintf(stderr, "disasm: %s\n", err.msg ? err.msg : "?");
	disasm_free(x);
	dso_store_free(store);
	os_release(&os);
	str_release(&text);
	err_release(&err);
	return ret != 0;
}
