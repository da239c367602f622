// SPDX-License-Identifier: GPL-2.0-or-later
/* "inject --jit": the first byte says what the recording around it is like, the rest is the
 * jitdump file that the recording names. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/base/io.h"
#include "util/base/xalloc.h"
#include "util/inject/inject.h"
#include "util/stream/source.h"
#include "util/wire/user.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t n);

enum { HAS_TIME_CONV = 1, ALL_BUILD_IDS = 2, MMAP2_IDS = 4 };

static char dir[64], dump[96];

static void remove_files(void)
{
	DIR *d = opendir(dir);
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (e->d_name[0] != '.')
			unlinkat(dirfd(d), e->d_name, 0);
	if (d)
		closedir(d);
}

static void remove_dir(void)
{
	remove_files();
	rmdir(dir);
}

static void set_up(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(dir, sizeof(dir), "%.40s/fuzz.XXXXXX", tmp ? tmp : "/tmp");
	setenv("HOME", "/nosuch", 1);
	if (!mkdtemp(dir))
		abort();
	snprintf(dump, sizeof(dump), "%s/jit-1.dump", dir);
	atexit(remove_dir);
}

static void put_bytes(const char *path, const u8 *data, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || io_write(fd, data, n))
		abort();
	close(fd);
}

static void add_record(struct str *out, const u64 *buf, int bytes)
{
	if (bytes <= 0)
		abort();
	str_addn(out, (const char *)buf, (size_t)bytes);
}

/* A pipe-mode recording in a file: an event, the mapping of the dump, samples in what it may load.
 * */
static void add_recording(struct str *out, u8 how)
{
	static const struct wire_time_conv conv = {
		.shift = 10, .mult = 1024, .zero = 5, .cap_zero = 1,
	};
	const u64 start[] = { 0x32454c4946524550ULL, 16 }, id = 7;
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_SOFTWARE, .sample_period = 1,
		.sample_id_all = 1, .mmap2 = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
	};
	struct wire_mmap map = { .pid = 1, .tid = 1, .start_va = 0x1000, .bytes = 0x1000, .prot = 5,
				 .flags = 2, .path = dump };
	struct sample_id when = { .pid = 1, .tid = 1, .time_ns = 100 };
	struct sample s = { .pid = 1, .tid = 1, .misc = PERF_RECORD_MISC_USER };
	u64 buf[128];

	str_addn(out, (const char *)start, sizeof(start));
	wire_add_attr(out, &attr, &id, 1);
	if (how & HAS_TIME_CONV)
		wire_add_time_conv(out, &conv);
	add_record(out, buf, wire_encode_mmap2(&attr, &map, PERF_RECORD_MISC_USER, &when, buf,
					       sizeof(buf)));
	for (u64 t = 200; t < 2000000; t *= 1000) {
		s.time_ns = t;
		s.ip = 0x7f0000001000 + t;
		add_record(out, buf, wire_encode_sample(&attr, &s, buf, sizeof(buf)));
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t n)
{
	struct inject_opts o = { .output = "/dev/null", .jit = true };
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct inject_result res = { 0 };
	struct source src = { 0 };
	struct err err = ERR_INIT;
	struct str rec = STR_INIT;
	char path[64];
	struct os os;

	if (!dir[0])
		set_up();
	if (fd < 0)
		return 0;
	add_recording(&rec, n ? data[0] : 0);
	if (io_write(fd, rec.buf, rec.len))
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	put_bytes(dump, n ? data + 1 : NULL, n ? n - 1 : 0);
	o.input = path;
	o.buildid_all = n && data[0] & ALL_BUILD_IDS;
	o.mmap2_all = n && data[0] & MMAP2_IDS;
	os_init(&os);
	if (!source_open_file(&src, path, 0, &err))
		inject_run(&o, &src, &os, &res, &err);
	source_close(&src);
	os_release(&os);
	remove_files();
	err_release(&err);
	str_release(&rec);
	close(fd);
	return 0;
}
