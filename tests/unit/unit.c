// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <ftw.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/base/vec.h"

/* A hanging test ends here; far above what any test needs, also on a machine that is busy with
 * other things. */
#define UNIT_TIMEOUT_S 600

/* Shared by a test's child and the parent. */
struct unit_state {
	bool skipped;
	char reason[200];
	char tmpdir[64];
};

static struct unit_state *state;

static VEC(void *) kept;

/* libiberty forgets the text of a name that it gives up on. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:d_growable_string_callback_adapter\n";
}

void *unit_keep(void *p)
{
	vec_push(&kept, p);
	return p;
}

struct unit_val unit_s64(s64 v)
{
	return (struct unit_val){ .kind = UNIT_S64, .s = v };
}

struct unit_val unit_u64(u64 v)
{
	return (struct unit_val){ .kind = UNIT_U64, .u = v };
}

struct unit_val unit_dbl(double v)
{
	return (struct unit_val){ .kind = UNIT_DBL, .d = v };
}

struct unit_val unit_ptr(const void *v)
{
	return (struct unit_val){ .kind = UNIT_PTR, .p = v };
}

static void fail_at(const char *file, int line)
{
	printf("# %s:%d: ", file, line);
}

static void __attribute__((noreturn)) fail_end(void)
{
	fflush(NULL);
	_exit(1);
}

void unit_fail(const char *file, int line, const char *text)
{
	fail_at(file, line);
	printf("CHECK(%s) failed\n", text);
	fail_end();
}

static void print_val(const char *text, struct unit_val v)
{
	printf("#   %s = ", text);
	switch (v.kind) {
	case UNIT_S64:
		printf("%" PRId64 "\n", v.s);
		break;
	case UNIT_U64:
		printf("%" PRIu64 " (0x%" PRIx64 ")\n", v.u, v.u);
		break;
	case UNIT_DBL:
		printf("%.17g\n", v.d);
		break;
	case UNIT_PTR:
		printf("%p\n", v.p);
		break;
	}
}

static double as_double(struct unit_val v)
{
	return v.kind == UNIT_DBL ? v.d : v.kind == UNIT_S64 ? (double)v.s : (double)v.u;
}

static bool val_eq(struct unit_val a, struct unit_val b)
{
	if (a.kind == UNIT_DBL || b.kind == UNIT_DBL)
		return as_double(a) == as_double(b);
	if (a.kind != b.kind && ((a.kind == UNIT_S64 && a.s < 0) ||
				 (b.kind == UNIT_S64 && b.s < 0)))
		return false;
	return a.u == b.u;
}

void unit_eq(const char *file, int line, const char *a_text, const char *b_text, struct unit_val a,
	     struct unit_val b)
{
	if (val_eq(a, b))
		return;
	fail_at(file, line);
	printf("CHECK_EQ(%s, %s) failed\n", a_text, b_text);
	print_val(a_text, a);
	print_val(b_text, b);
	fail_end();
}

static void print_str(const char *s)
{
	if (!s) {
		printf("NULL\n");
		return;
	}
	putchar('"');
	for (; *s; s++) {
		if (*s == '\n')
			printf("\\n");
		else if (isprint((unsigned char)*s))
			putchar(*s);
		else
			printf("\\x%02x", (unsigned char)*s);
	}
	printf("\"\n");
}

void unit_str_eq(const char *file, int line, const char *a_text, const char *a, const char *b)
{
	if (a == b || (a && b && !strcmp(a, b)))
		return;
	fail_at(file, line);
	printf("CHECK_STR(%s) failed\n#   got:      ", a_text);
	print_str(a);
	printf("#   expected: ");
	print_str(b);
	fail_end();
}

void unit_mem_eq(const char *file, int line, const char *a_text, const void *a, const void *b,
		 size_t n)
{
	const u8 *x = a, *y = b;
	size_t i = 0;

	while (i < n && x[i] == y[i])
		i++;
	if (i == n)
		return;
	fail_at(file, line);
	printf("CHECK_MEM(%s) failed at byte %zu of %zu: got 0x%02x, expected 0x%02x\n", a_text, i,
	       n, x[i], y[i]);
	fail_end();
}

void unit_skip(const char *reason)
{
	state->skipped = true;
	snprintf(state->reason, sizeof(state->reason), "%s", reason);
	fflush(NULL);
	_exit(0);
}

const char *unit_tmpdir(void)
{
	if (!state->tmpdir[0]) {
		snprintf(state->tmpdir, sizeof(state->tmpdir), "/tmp/unit-XXXXXX");
		if (!mkdtemp(state->tmpdir))
			unit_fail(__FILE__, __LINE__, "mkdtemp in /tmp");
	}
	return state->tmpdir;
}

static int remove_one(const char *path, const struct stat *st UNUSED, int type UNUSED,
		      struct FTW *ftw UNUSED)
{
	return remove(path);
}

/* true: passed or skipped */
static bool run_test(const struct unit_test *t, int nr)
{
	memset(state, 0, sizeof(*state));
	fflush(NULL);
	pid_t pid = fork();

	if (pid < 0) {
		printf("not ok %d - %s # cannot fork\n", nr, t->name);
		return false;
	}
	if (!pid) {
		alarm(UNIT_TIMEOUT_S);
		t->fn();
		exit(0);
	}
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (state->tmpdir[0])
		nftw(state->tmpdir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	bool ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;

	if (WIFSIGNALED(status))
		printf("# killed by signal %d (%s)\n", WTERMSIG(status),
		       strsignal(WTERMSIG(status)));
	else if (!ok && WEXITSTATUS(status) != 1)
		printf("# exit status %d\n", WEXITSTATUS(status));
	printf("%sok %d - %s", ok ? "" : "not ", nr, t->name);
	if (ok && state->skipped)
		printf(" # SKIP %s", state->reason);
	putchar('\n');
	return ok;
}

/* Without arguments all; else those that a glob matches, or that have an argument in the name. */
static bool wanted(const char *name, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!fnmatch(argv[i], name, 0) || strstr(name, argv[i]))
			return true;
	return argc < 2;
}

int main(int argc, char **argv)
{
	int nr = 0, failed = 0;

	if (argc == 2 && !strcmp(argv[1], "--list")) {
		for (const struct unit_test *t = unit_tests; t->name; t++)
			printf("%s\n", t->name);
		return 0;
	}
	state = mmap(NULL, sizeof(*state), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	if (state == MAP_FAILED)
		return 2;
	for (const struct unit_test *t = unit_tests; t->name; t++)
		if (wanted(t->name, argc, argv))
			failed += !run_test(t, ++nr);
	printf("1..%d\n", nr);
	if (failed)
		printf("# %d of %d failed\n", failed, nr);
	return failed ? 1 : 0;
}
