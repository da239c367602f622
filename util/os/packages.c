// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/packages.h"

#include <stdlib.h>
#include <string.h>

#include "util/base/xalloc.h"

#define DPKG_INFO "/var/lib/dpkg/info"

/* "libc6:amd64.list" is the list of libc6. NULL: another file. */
static char *package_of_list(const char *file)
{
	return str_has_suffix(file, ".list") ? xstrndup(file, strcspn(file, ":") < strlen(file) ?
							strcspn(file, ":") : strlen(file) - 5) :
		NULL;
}

static bool has_line(const struct str *s, const char *line)
{
	const size_t n = strlen(line);
	const char *at = str_cstr(s);

	while (n && (at = strstr(at, line))) {
		if ((at == s->buf || at[-1] == '\n') && (at[n] == '\n' || !at[n]))
			return true;
		at += n;
	}
	return false;
}

/* dpkg lists a file where its package put it: /lib and /usr/lib are one directory today. */
static bool lists(const struct str *s, const char *path)
{
	char *other;
	bool has = has_line(s, path);

	if (has)
		return true;
	other = str_has_prefix(path, "/usr/") ? xstrdup(path + 4) : xasprintf("/usr%s", path);
	has = has_line(s, other);
	free(other);
	return has;
}

static void look_in(const struct os *os, const char *file, const char *const *paths, char **names,
		    size_t n)
{
	char *package = package_of_list(file), *path = xasprintf(DPKG_INFO "/%s", file);
	struct str s = STR_INIT;

	if (package && !os_read_file(os, path, &s, NULL))
		for (size_t i = 0; i < n; i++)
			if (!names[i] && paths[i] && lists(&s, paths[i]))
				names[i] = xstrdup(package);
	str_release(&s);
	free(package);
	free(path);
}

void os_package_owners(const struct os *os, const char *const *paths, char **names, size_t n)
{
	os_names files = { 0 };

	memset(names, 0, n * sizeof(*names));
	if (n && !os_list_dir(os, DPKG_INFO, &files, NULL))
		for vec_each(file, &files)
			look_in(os, *file, paths, names, n);
	os_names_release(&files);
}

/* Debian makes PACKAGE-dbgsym of each package; glibc and the kernels have theirs by hand. */
char *os_debug_package(const char *package)
{
	const bool by_hand = !strcmp(package, "libc6") || str_has_prefix(package, "linux-image-");

	return xasprintf("%s-%s", package, by_hand ? "dbg" : "dbgsym");
}

char *os_kernel_debug_package(const char *release)
{
	return xasprintf("linux-image-%s-dbg", release);
}

bool os_package_installed(const struct os *os, const char *package)
{
	os_names files = { 0 };
	bool found = false;

	if (!os_list_dir(os, DPKG_INFO, &files, NULL)) {
		for vec_each(file, &files) {
			char *name = package_of_list(*file);

			found = found || (name && !strcmp(name, package));
			free(name);
		}
	}
	os_names_release(&files);
	return found;
}
