// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "util/base/io.h"

bool os_kernel_release(const struct os *os, struct os_release_text *out)
{
	struct utsname u;

	if (os->fake || uname(&u))
		return false;
	_Static_assert(sizeof(u.release) <= sizeof(out->text), "the kernel's longest release fits");
	memcpy(out->text, u.release, sizeof(u.release));
	return true;
}

bool os_kernel_at_least(const struct os *os, int major, int minor)
{
	struct os_release_text r;
	int its_major, its_minor;

	return os_kernel_release(os, &r) && sscanf(r.text, "%d.%d", &its_major, &its_minor) == 2 &&
		(its_major > major || (its_major == major && its_minor >= minor));
}

/* "  01000000-02276507 : Kernel code": physical, but as long as the mapped text. */
u64 os_kernel_text_bytes(const struct os *os)
{
	struct str s = STR_INIT;
	unsigned long long a = 0, b = 0;
	const char *p;
	u64 bytes = 0;

	if (!os_read_file(os, "/proc/iomem", &s, NULL) &&
	    (p = strstr(str_cstr(&s), " : Kernel code"))) {
		while (p > s.buf && p[-1] != '\n')
			p--;
		if (sscanf(p, "%llx-%llx", &a, &b) == 2 && b > a)
			bytes = b - a + 1;
	}
	str_release(&s);
	return bytes;
}

static bool has_text(const struct os *os, const char *name)
{
	char *path = os_path(os, name), byte;
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	bool yes = fd >= 0 && io_read(fd, &byte, 1) == 1;

	if (fd >= 0)
		close(fd);
	free(path);
	return yes;
}

/* The first has everything that goes through ftrace: tracers, most kprobes, BPF programs at
 * functions, live patches. */
bool os_kernel_is_traced(const struct os *os)
{
	return has_text(os, "/sys/kernel/tracing/enabled_functions") ||
		has_text(os, "/sys/kernel/debug/tracing/enabled_functions") ||
		has_text(os, "/sys/kernel/debug/kprobes/list");
}

int os_kernel_notes(const struct os *os, struct str *out, struct err *err)
{
	return os_read_file(os, "/sys/kernel/notes", out, err);
}

int os_module_notes(const struct os *os, const char *module, struct str *out, struct err *err)
{
	char *path;
	int ret;

	if (strchr(module, '/'))
		return err_set(err, EINVAL, "'%s' is not a module name", module);
	path = xasprintf("/sys/module/%s/notes/.note.gnu.build-id", module);
	ret = os_read_file(os, path, out, err);
	free(path);
	return ret;
}

#define KALLSYMS_USUAL_BYTES (8u << 20)	/* not moved while it grows up to here */

int os_read_kallsyms(const struct os *os, struct str *out, struct err *err)
{
	str_reserve(out, KALLSYMS_USUAL_BYTES);
	return os_read_file(os, OS_KALLSYMS, out, err);
}

int os_open_kallsyms(const struct os *os)
{
	char *path = os_path(os, OS_KALLSYMS);
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	if (fd < 0)
		fd = -errno;
	free(path);
	return fd;
}

int os_read_modules(const struct os *os, struct str *out, struct err *err)
{
	return os_read_file(os, "/proc/modules", out, err);
}

/* kernfs counts a directory's sub-directories in its links. */
u64 os_count_modules(const struct os *os)
{
	char *path = os_path(os, "/sys/module");
	struct stat st;
	u64 n = stat(path, &st) ? 0 : (u64)st.st_nlink;

	free(path);
	return n;
}

static u64 read_of_module(const struct os *os, const char *module, const char *file, int base)
{
	char *path = xasprintf("/sys/module/%s/%s", module, file);
	struct str text = STR_INIT;
	u64 n = 0;

	if (!strchr(module, '/') && os_read_file(os, path, &text, NULL) == 0)
		n = strtoull(str_cstr(&text), NULL, base);
	str_release(&text);
	free(path);
	return n;
}

u64 os_module_core_bytes(const struct os *os, const char *module)
{
	return read_of_module(os, module, "coresize", 10);
}

u64 os_module_init_bytes(const struct os *os, const char *module)
{
	return read_of_module(os, module, "initsize", 10);
}

u64 os_module_section_va(const struct os *os, const char *module, const char *section)
{
	char *file = xasprintf("sections/%s", section);
	u64 va = read_of_module(os, module, file, 16);

	free(file);
	return va;
}

/* "name size refs deps state 0xADDRESS" */
bool os_module_loaded(const struct os *os, const char *name, u64 *va)
{
	struct str text = STR_INIT;
	const size_t n = strlen(name);
	bool loaded = false;

	if (!os_read_modules(os, &text, NULL))
		for (const char *p = str_cstr(&text), *end; *p && !loaded; p = end) {
			end = p + strcspn(p, "\n");
			loaded = !strncmp(p, name, n) && p[n] == ' ';
			if (loaded && va) {
				const char *hex = memmem(p, (size_t)(end - p), " 0x", 3);

				*va = hex ? strtoull(hex + 1, NULL, 16) : 0;
			}
			end += *end == '\n';
		}
	str_release(&text);
	return loaded;
}

int os_kprobe_blacklist(const struct os *os, struct str *out, struct err *err)
{
	return os_read_file(os, "/sys/kernel/debug/kprobes/blacklist", out, err);
}

bool os_inode_generation(int fd, u32 *out)
{
	long generation = 0;

	if (ioctl(fd, FS_IOC_GETVERSION, &generation))
		return false;
	*out = (u32)generation;
	return true;
}

void os_wait_cpus(void)
{
	syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
}

#define FIRST_PIDNS_INO 0xEFFFFFFCU

bool os_inner_pids(u64 *dev, u64 *ino)
{
	struct stat st;

	if (stat("/proc/self/ns/pid", &st) || st.st_ino == FIRST_PIDNS_INO)
		return false;
	*dev = st.st_dev;
	*ino = st.st_ino;
	return true;
}
