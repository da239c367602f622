// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * address-data OUT FILE [--build-id] <addresses
 *	a recording with one sample at each address (hex, as the ELF file counts them), in the order
 *	given. Each sample has a call chain of one frame. FILE is mapped as the kernel would,
 *	without its inode, or with its build-id
 * address-data OUT --maps LIST <addresses
 *	LIST names files, which are mapped one above the other; each line of the input is an address
 *	and the number of the file (from 0) that counts it. With --ids in the place of --maps they
 *	have their build-ids
 * address-data OUT --anon PID <addresses
 *	of that process, which has 4 GB of anonymous memory with code at 0x7f0000000000
 */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "util/base/io.h"
#include "util/base/xalloc.h"
#include "util/data/writer.h"
#include "util/symbols/dso.h"
#include "util/wire/wire.h"

#define ANON_BASE 0x7f0000000000ULL
#define ANON_BYTES (1ULL << 32)
#define PIE_BASE 0x555555554000ULL
#define PAGE 4096ULL
#define MAP_STEP (1ULL << 32)

static u32 pid = 1000;
static struct perf_event_attr attr = {
	.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 1,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN |
	PERF_SAMPLE_PERIOD,
	.sample_id_all = 1, .mmap = 1, .comm = 1, .mmap2 = 1,
};

static int die(const char *what, struct err *err)
{
	fprintf(stderr, "address-data: %s%s%s\n", what, err && err->msg ? ": " : "",
		err && err->msg ? err->msg : "");
	return 1;
}

/* Executable segments of a little-endian ELF64 file; the address that is added to its own. */
static u64 add_maps(const struct str *image, const char *path, const struct build_id *id, u64 base,
		    struct str *out)
{
	const Elf64_Ehdr *h = (const Elf64_Ehdr *)image->buf;
	const Elf64_Phdr *p = (const Elf64_Phdr *)(image->buf + h->e_phoff);
	u64 buf[1024];

	if (h->e_type != ET_DYN)
		base = 0;
	struct sample_id sid = { .pid = pid, .tid = pid, .time_ns = 1 };

	for (int i = 0; i < h->e_phnum; i++, p++) {
		if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
			continue;
		u64 start = p->p_vaddr & ~(PAGE - 1);
		struct wire_mmap m = { .pid = pid, .tid = pid, .start_va = base + start,
				       .off = p->p_offset & ~(PAGE - 1),
				       .bytes = ((p->p_vaddr + p->p_memsz + PAGE - 1) &
						 ~(PAGE - 1)) - start, .prot = 5, .flags = 2,
				       .path = path, .build_id_bytes = id->n };

		memcpy(m.build_id, id->bytes, id->n);
		u16 misc = PERF_RECORD_MISC_USER | (id->n ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0);

		str_addn(out, buf, (size_t)wire_encode_mmap2(&attr, &m, misc, &sid, buf,
							     sizeof(buf)));
	}
	return base;
}

static void add_samples(FILE *in, u64 base, struct str *out)
{
	u64 buf[64], t = 1000;
	char line[64], *end;

	while (fgets(line, sizeof(line), in)) {
		u64 va = base + strtoull(line, &end, 16);

		va += strtoull(end, NULL, 10) * MAP_STEP;

		u64 chain[2] = { (u64)PERF_CONTEXT_USER, va };
		struct sample s = { .ip = va, .pid = pid, .tid = pid, .time_ns = t += 1000,
				    .period = 1, .chain = chain, .chain_n = 2,
				    .misc = PERF_RECORD_MISC_USER };

		str_addn(out, buf, (size_t)wire_encode_sample(&attr, &s, buf, sizeof(buf)));
	}
}

static int write_file(const char *path, const struct str *recs, struct err *err)
{
	struct data_writer_opts opts = { 0 };
	struct data_features f;
	struct utsname here;
	struct event_list l;
	struct data_writer w;

	event_list_init(&l);
	event_list_add(&l, &attr, "cpu-clock");
	event_list_index(&l);
	data_features_init(&f);
	data_set_str(&f, FEAT_ARCH, "x86_64");
	if (!uname(&here)) {
		data_set_str(&f, FEAT_HOSTNAME, here.nodename);
		data_set_str(&f, FEAT_OSRELEASE, here.release);
	}
	int ret = data_writer_open(&w, path, &opts, err);

	if (!ret)
		ret = data_writer_events(&w, &l, (struct span){ NULL, 0 }, err);
	if (!ret)
		ret = data_write(&w, recs->buf, recs->len, err);
	if (!ret)
		ret = data_writer_finish(&w, &f, &l, err);
	data_writer_release(&w);
	data_features_release(&f);
	event_list_release(&l);
	return ret;
}

static int add_file(const char *name, bool want_id, u64 base, u64 *added, struct str *out)
{
	char *path = realpath(name, NULL);
	struct str image = STR_INIT;
	struct err err = ERR_INIT;
	struct build_id id = { .n = 0 };
	int ret = 0;

	if (!path || io_read_file(path, 1ULL << 32, &image, &err))
		ret = die(name, &err);
	else if (image.len < sizeof(Elf64_Ehdr) || memcmp(image.buf, ELFMAG "\2\1", 6))
		ret = die("no little-endian 64-bit ELF file", NULL);
	else if (want_id && build_id_of_file(path, &id, &err))
		ret = die("no build-id", &err);
	else
		*added = add_maps(&image, path, &id, base, out);
	err_release(&err);
	str_release(&image);
	free(path);
	return ret;
}

static int add_list(const char *list, bool want_ids, u64 *added, struct str *out)
{
	FILE *f = fopen(list, "r");
	char line[4096];
	u64 base = PIE_BASE, ignored;
	int ret = f ? 0 : die(list, NULL);

	while (!ret && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = 0;
		ret = add_file(line, want_ids, base, &ignored, out);
		base += MAP_STEP;
	}
	*added = PIE_BASE;
	if (f)
		fclose(f);
	return ret;
}

static void add_anon(struct str *out)
{
	u64 buf[64];
	struct sample_id sid = { .pid = pid, .tid = pid, .time_ns = 1 };
	struct wire_mmap m = { .pid = pid, .tid = pid, .start_va = ANON_BASE, .bytes = ANON_BYTES,
			       .prot = 7, .flags = 2,
			       .path = "//anon" };

	str_addn(out, buf, (size_t)wire_encode_mmap2(&attr, &m, PERF_RECORD_MISC_USER, &sid, buf,
						     sizeof(buf)));
}

int main(int argc, char **argv)
{
	struct str recs = STR_INIT;
	struct err err = ERR_INIT;
	u64 buf[64], base = 0;
	const bool anon = argc == 4 && !strcmp(argv[2], "--anon");
	const bool ids = argc > 2 && !strcmp(argv[2], "--ids");
	int ret;

	if (argc < 3 || argc > 4)
		return die("usage: address-data OUT FILE [--build-id] | OUT --maps|--ids LIST | "
			   "OUT --anon PID <addresses", NULL);
	if (anon)
		pid = strtoul(argv[3], NULL, 10);

	struct sample_id sid = { .pid = pid, .tid = pid, .time_ns = 1 };
	struct wire_comm comm = { pid, pid, true, "addresses" };

	str_addn(&recs, buf, (size_t)wire_encode_comm(&attr, &comm, &sid, buf, sizeof(buf)));
	if (ids || !strcmp(argv[2], "--maps"))
		ret = argc < 4 ? die("a list is missing", NULL) :
		add_list(argv[3], ids, &base, &recs);
	else if (anon)
		ret = 0, add_anon(&recs);
	else
		ret = add_file(argv[2], argc > 3, PIE_BASE, &base, &recs);
	if (!ret) {
		add_samples(stdin, base, &recs);
		if (write_file(argv[1], &recs, &err))
			ret = die("cannot write", &err);
	}
	str_release(&recs);
	err_release(&err);
	return ret;
}
