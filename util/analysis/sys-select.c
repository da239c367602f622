// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/analysis/sys-select.h"

#include <errno.h>
#include <regex.h>
#include <stdlib.h>

#include "util/base/vec.h"

void sys_select_init(struct sys_select *s)
{
	memset(s, 0, sizeof(*s));
}

void sys_select_release(struct sys_select *s)
{
	str_release(&s->events);
	vec_free(&s->ends);
}

/* strace's sets of calls by name. */
static const struct name_set {
	const char *name, *patterns;	/* by blanks */
} name_sets[] = {
	{ "stat", "stat stat64 oldstat" },
	{ "lstat", "lstat lstat64 oldlstat" },
	{ "fstat", "fstat fstat64 oldfstat newfstatat fstatat64 statx" },
	{ "%stat", "stat stat64 oldstat lstat lstat64 oldlstat fstat fstat64 oldfstat newfstatat "
		   "fstatat64 statx" },
	{ "statfs", "statfs statfs64" },
	{ "fstatfs", "fstatfs fstatfs64" },
	{ "%statfs", "statfs statfs64 fstatfs fstatfs64 ustat" },
	{ "pure", "getpid getppid gettid getpgrp getuid getuid32 geteuid geteuid32 getgid getgid32 "
		  "getegid getegid32" },
	{ "creds", "[gs]etuid [gs]etgid gete[ug]id setre[ug]id [gs]etres[ug]id [gs]etgroups "
		   "setfs[ug]id cap[gs]et prctl "
		   "[gs]etuid32 [gs]etgid32 gete[ug]id32 setre[ug]id32 [gs]etres[ug]id32 "
		   "[gs]etgroups32 setfs[ug]id32" },
	{ "clock", "adjtimex time stime [gs]ettimeofday clock_[gs]ettime clock_[gs]ettime64 "
		   "clock_getres clock_getres_time64 "
		   "clock_adjtime clock_adjtime64" },
};

/* "%stat", "%%stat"; NULL: none of them. A % must be there: "stat" is a call. */
static const char *find_set(const char *word)
{
	if (*word != '%')
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(name_sets); i++)
		if (!strcmp(word + 1, name_sets[i].name))
			return name_sets[i].patterns;
	return NULL;
}

struct match {
	enum { MATCH_ALL, MATCH_NONE, MATCH_CLASS, MATCH_GLOB, MATCH_REGEX, MATCH_SET } how;
	bool only64, only32;	/* name@64, name@32 */
	unsigned class;
	const char *text;
	regex_t regex;
};

static bool in_set(const char *patterns, const char *name)
{
	char one[64];

	while (*patterns) {
		size_t n = strcspn(patterns, " ");

		if (n < sizeof(one)) {
			memcpy(one, patterns, n);
			one[n] = '\0';
			if (glob_match(name, one))
				return true;
		}
		patterns += n;
		patterns += strspn(patterns, " ");
	}
	return false;
}

static bool matches(const struct match *m, const struct syscall_entry *e)
{
	if (!e->name)
		return false;
	switch (m->how) {
	case MATCH_ALL: return true;
	case MATCH_CLASS: return e->info && e->info->classes & m->class;
	case MATCH_GLOB: return glob_match(e->name, m->text);
	case MATCH_SET: return in_set(m->text, e->name);
	case MATCH_REGEX: return !regexec(&m->regex, e->name, 0, NULL, 0);
	default: return false;
	}
}

/* How many calls it is true for; they become value. */
static unsigned apply(struct sys_select *s, const struct syscall_set *set, const struct match *m,
		      bool value)
{
	unsigned n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(s->wanted); i++) {
		if (!matches(m, &set->e[i]) || (i < SYSPLAN_NRS ? m->only32 : m->only64))
			continue;
		s->wanted[i] = value;
		n++;
	}
	return n;
}

/* name@64, name@32: of one ABI. */
static void cut_abi(char *word, struct match *m)
{
	size_t n = strlen(word);

	m->only64 = n > 3 && !strcmp(word + n - 3, "@64");
	m->only32 = n > 3 && !strcmp(word + n - 3, "@32");
	if (m->only64 || m->only32)
		word[n - 3] = '\0';
}

static int add_word(struct sys_select *s, char *word, bool value, const struct syscall_set *set,
		    struct err *err)
{
	bool optional = *word == '?';	/* as strace has it: no such call is no error */
	struct match m = { .how = MATCH_GLOB };
	int ret = 0;

	word += optional;
	m.text = word;
	cut_abi(word, &m);
	if (find_set(word)) {
		m.how = MATCH_SET;
		m.text = find_set(word);
	} else if (!strcmp(word, "all") || !strcmp(word, "%all")) {
		m.how = MATCH_ALL;
	} else if (!strcmp(word, "none")) {
		m.how = MATCH_NONE;
	} else if (*word == '/') {
		m.how = MATCH_REGEX;
		if (regcomp(&m.regex, word + 1, REG_EXTENDED | REG_NOSUB))
			return err_set(err, EINVAL, "not a regular expression: '%s'", word + 1);
	} else if (syscall_class(word + (*word == '@'))) {
		m.how = MATCH_CLASS;
		m.class = syscall_class(word + (*word == '@'));
	}
	if (apply(s, set, &m, value) || m.how != MATCH_GLOB) {
		s->any = true;
	} else if (optional) {
		s->any = true;
	} else if (!value || *word == '%' || *word == '@') {
		ret = err_set(err, EINVAL, "no system call or class of them is called '%s'", word);
		err_hint(err, "classes: file, net, process, signal, ipc, memory, desc, %%stat, "
			      "%%lstat, %%fstat, %%%%stat, %%statfs, "
			 "%%fstatfs, %%%%statfs, %%creds, %%clock, %%pure");
	} else {
		if (s->events.len)
			str_addch(&s->events, ',');
		str_add(&s->events, word);
	}
	if (m.how == MATCH_REGEX)
		regfree(&m.regex);
	return ret;
}

/* The end of a word: a comma outside braces and slashes (of events), or the end. */
static size_t word_length(const char *p)
{
	int braces = 0, slashes = 0;
	size_t n;

	for (n = 0; p[n]; n++) {
		if (p[n] == '{')
			braces++;
		else if (p[n] == '}')
			braces--;
		else if (p[n] == '/' && n)
			slashes ^= 1;
		else if (p[n] == ',' && braces <= 0 && !slashes)
			break;
	}
	return n;
}

static int check_qualifier(const char **text, struct err *err)
{
	static const char *const others[] = { "signal=", "signals=", "abbrev=", "verbose=", "raw=",
					      "read=", "write=", "fault=",
					      "inject=", "status=", "quiet=", "kvm=",
					      "decode-fds=" };

	static const struct { const char *name, *here; } known[] = {
		{ "signal", "signal=none or all, with --style=strace; otherwise signals are the "
			    "event signal:signal_deliver" },
		{ "quiet", "quiet=exit, with --style=strace" },
		{ "status", "--failure shows only calls that failed" },
		{ "inject", "perf trace only looks" }, { "fault", "perf trace only looks" },
		{ "read", "--max-string 2048 shows more of each buffer" },
		{ "write", "--max-string 2048 shows more of each buffer" },
		{ "raw", "--json has the raw arguments" },
		{ "decode-fds", "files behind descriptors are shown always" },
	};

	if (str_has_prefix(*text, "trace="))
		*text += 6;
	else if (str_has_prefix(*text, "t="))
		*text += 2;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		if (!str_has_prefix(*text, others[i]))
			continue;
		err_set(err, EINVAL, "'%.*s' is a qualifier of strace that perf trace does not "
				     "have",
				(int)strlen(others[i]) - 1, others[i]);
		for (size_t k = 0; k < ARRAY_SIZE(known); k++)
			if (str_has_prefix(others[i], known[k].name)) {
				err_hint(err, "%s", known[k].here);
				return -EINVAL;
			}
		err_hint(err, "-e takes system calls, their classes, and events; --failure shows "
			      "only calls that failed, --max-string N "
			 "sets how much of a string is shown");
		return -EINVAL;
	}
	return 0;
}

/* The qualifiers that are about lines other than calls. */
static bool is_about_lifecycle(struct sys_select *s, const char *text)
{
	static const struct { const char *text; bool signals, exits; } known[] = {
		{ "signal=none", true, false }, { "signal=!all", true, false },
			{ "signal=all", false, false },
		{ "signals=none", true, false },
		{ "quiet=exit", false, true }, { "quiet=all", false, true },
		{ "quiet=none", false, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (strcmp(text, known[i].text))
			continue;
		s->no_signals |= known[i].signals;
		s->no_exits |= known[i].exits;
		return true;
	}
	return false;
}

int sys_select_add_more(struct sys_select *s, const char *text, const struct syscall_set *set,
			struct err *err)
{
	bool negated;
	int ret;

	if (is_about_lifecycle(s, text))
		return 0;
	ret = check_qualifier(&text, err);
	if (ret)
		return ret;
	if (!*text || !strcmp(text, "!"))
		return err_set(err, EINVAL, "-e names no system call or event");
	negated = *text == '!';
	if (negated) {		/* the whole list is what is not wanted */
		const struct match all = { .how = MATCH_ALL };

		text++;
		if (!s->any)
			apply(s, set, &all, true);
		s->any = true;
	}
	while (*text && !ret) {
		size_t n = word_length(text);
		bool not = negated || *text == '!';
		char *word = xstrndup(text + (*text == '!'), n - (*text == '!'));

		if (not && !s->any) {
			const struct match all = { .how = MATCH_ALL };

			apply(s, set, &all, true);
		}
		ret = *word ? add_word(s, word, !not, set, err) :
		      err_set(err, EINVAL, "-e has an empty name: a comma or '!' too many");
		free(word);
		text += n;
		text += *text == ',';
	}
	return ret;
}

int sys_select_add(struct sys_select *s, const char *text, const struct syscall_set *set,
		   struct err *err)
{
	int ret = sys_select_add_more(s, text, set, err);

	vec_push(&s->ends, s->events.len);
	return ret;
}

const char *sys_select_nearest(const struct syscall_set *set, const char *word)
{
	VEC(const char *) names = { NULL, 0, 0 };
	const char *best;

	for (size_t i = 0; i < SYSPLAN_NRS; i++)
		if (set->e[i].name)
			vec_push(&names, set->e[i].name);
	best = nearest_name(word, names.v, names.n);
	vec_free(&names);
	return best;
}

struct sysplan *sys_select_plans(const struct sys_select *s, const struct syscall_set *set,
				 bool calls, int max_string,
				 bool file_names)
{
	struct sysplan *plans = xcalloc(2 * SYSPLAN_NRS, sizeof(*plans));

	for (unsigned i = 0; i < 2 * SYSPLAN_NRS; i++) {
		if (calls && (!s->any || s->wanted[i]))
			plans[i].flags = SYSPLAN_WANTED;
		syscall_plan(&set->e[i], i >= SYSPLAN_NRS, max_string, file_names, &plans[i]);
	}
	return plans;
}
