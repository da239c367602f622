// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/os/sensors.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/base/hash.h"
#include "util/os/procfs.h"

#define HWMON "/sys/class/hwmon"

/* --- chips --- */

static bool read_line(const struct os *os, const char *path, struct str *out)
{
	str_reset(out);
	if (os_read_file(os, path, out, NULL))
		return false;
	while (out->len && isspace((unsigned char)out->buf[out->len - 1]))
		out->buf[--out->len] = 0;
	return out->len;
}

/* "temp1_input": its type and number. */
static bool is_value(const char *name, const char *suffix, size_t *letters, int *no)
{
	const size_t n = strcspn(name, "0123456789");
	char *end = NULL;
	long v;

	if (!n || !name[n])
		return false;
	v = strtol(name + n, &end, 10);
	if (v > 9999 || strcmp(end, suffix))
		return false;
	*letters = n;
	*no = (int)v;
	return true;
}

static void sensor_release(struct os_sensor *s)
{
	free(s->chip);
	free(s->type);
	free(s->label);
	free(s->stem);
	free(s->file);
}

static void add_sensor(const struct os *os, const char *chip, int chip_no, const char *name,
		       os_sensors *out)
{
	struct os_sensor s = { .chip_no = chip_no };
	struct str label = STR_INIT;
	size_t letters;
	char *path;

	/* where the driver has an average alone, that is the value */
	if (!is_value(name, "_input", &letters, &s.no) &&
	    !is_value(name, "_average", &letters, &s.no))
		return;
	s.chip = xstrdup(chip);
	s.type = xstrndup(name, letters);
	s.stem = xasprintf(HWMON "/hwmon%d/%s%d_", chip_no, s.type, s.no);
	s.file = xasprintf(HWMON "/hwmon%d/%s", chip_no, name);
	path = xasprintf("%slabel", s.stem);
	if (read_line(os, path, &label))
		s.label = xstrdup(str_cstr(&label));
	free(path);
	str_release(&label);
	/* names are sorted: an average stands before the input of the same number */
	if (out->n && !strcmp(vec_last(out)->stem, s.stem)) {
		sensor_release(vec_last(out));
		out->n--;
	}
	vec_push(out, s);
}

void os_hwmon(const struct os *os, os_sensors *out)
{
	os_names chips = { 0 };
	struct str name = STR_INIT;

	os_list_dir(os, HWMON, &chips, NULL);
	for vec_each(c, &chips) {
		char *dir = xasprintf(HWMON "/%s", *c), *path = xasprintf("%s/name", dir);
		os_names files = { 0 };
		int no;

		if (str_has_prefix(*c, "hwmon") && parse_int(*c + strlen("hwmon"), &no) &&
		    no >= 0 && read_line(os, path, &name) && !os_list_dir(os, dir, &files, NULL))
			for vec_each(f, &files)
				add_sensor(os, str_cstr(&name), no, *f, out);
		os_names_release(&files);
		free(path);
		free(dir);
	}
	os_names_release(&chips);
	str_release(&name);
}

void os_sensors_release(os_sensors *s)
{
	for vec_each(x, s)
		sensor_release(x);
	vec_free(s);
}

bool os_sensor_read(const struct os *os, const char *file, s64 *out)
{
	struct str s = STR_INIT;
	const bool ok = read_line(os, file, &s) && parse_s64(str_cstr(&s), out);

	str_release(&s);
	return ok;
}

/* --- graphics devices --- */

/* The value of a line "key:\tvalue" up to its end. */
static const char *line_of(const char *text, const char *key, size_t *len)
{
	const size_t n = strlen(key);

	for (const char *p = text; p && *p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL) {
		if (strncmp(p, key, n) || p[n] != ':')
			continue;
		p += n + 1;
		while (*p == ' ' || *p == '\t')
			p++;
		*len = strcspn(p, "\n");
		return p;
	}
	return NULL;
}

bool os_drm_value(const char *text, const char *key, u64 *out)
{
	static const struct { const char *name; u64 times; } units[] = {
		{ "KiB", 1 << 10 }, { "MiB", 1 << 20 }, { "GiB", 1 << 30 },
		{ "KHz", 1000 }, { "MHz", 1000000 }, { "GHz", 1000000000 },
	};
	size_t len = 0;
	const char *p = line_of(text, key, &len), *unit;
	char *end = NULL;

	if (!p || !isdigit((unsigned char)*p))
		return false;
	*out = strtoull(p, &end, 10);
	unit = end;
	while (*unit == ' ' || *unit == '\t')
		unit++;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (str_has_prefix(unit, units[i].name))
			*out *= units[i].times;
	return true;
}

bool os_drm_next_key(const char **at, struct str *key)
{
	while (**at) {
		const char *line = *at, *end = strchrnul(line, '\n'),
			*colon = memchr(line, ':', (size_t)(end - line)), *v;

		*at = *end ? end + 1 : end;
		if (!colon || !str_has_prefix(line, "drm-"))
			continue;
		for (v = colon + 1; v < end && (*v == ' ' || *v == '\t'); v++)
			;
		if (v == end || !isdigit((unsigned char)*v))
			continue;
		str_reset(key);
		str_addn(key, line, (size_t)(colon - line));
		return true;
	}
	return false;
}

static bool is_drm(const struct os *os, int pid, const char *fd)
{
	char *path = xasprintf("%s/%d/fd/%s", os->proc, pid, fd), link[64];
	const ssize_t n = readlink(path, link, sizeof(link) - 1);

	link[n > 0 ? n : 0] = 0;
	free(path);
	return str_has_prefix(link, "/dev/dri/");
}

static void show_file(const char *text, os_drm_fn *fn, void *ctx)
{
	size_t n_driver = 0, n_pdev = 0, n_client = 0;
	const char *driver = line_of(text, "drm-driver", &n_driver),
		*pdev = line_of(text, "drm-pdev", &n_pdev),
		*client = line_of(text, "drm-client-id", &n_client);
	struct os_drm_file f = { .text = text };
	char *name;

	if (!driver || !n_driver || !client)
		return;
	name = xstrndup(driver, n_driver);
	f.driver = name;
	f.client = hash_bytes(client, n_client, hash_bytes(pdev ? pdev : "", n_pdev,
							   hash_str(name)));
	fn(ctx, &f);
	free(name);
}

void os_drm_files(const struct os *os, const int_vec *pids, os_drm_fn *fn, void *ctx)
{
	int_vec all = { 0 };
	struct str text = STR_INIT;

	if (!pids)
		procfs_pids(os, &all, NULL);
	for vec_each(pid, pids ? pids : &all) {
		char *dir = xasprintf("/proc/%d/fd", *pid);
		os_names fds = { 0 };

		os_list_dir(os, dir, &fds, NULL);
		for vec_each(fd, &fds) {
			char *info = xasprintf("/proc/%d/fdinfo/%s", *pid, *fd);

			str_reset(&text);
			if (is_drm(os, *pid, *fd) && !os_read_file(os, info, &text, NULL))
				show_file(str_cstr(&text), fn, ctx);
			free(info);
		}
		os_names_release(&fds);
		free(dir);
	}
	str_release(&text);
	vec_free(&all);
}
