// SPDX-License-Identifier: GPL-2.0-or-later
// Pages of Documentation/ as text for a pipe: their marks are for scripts/mkman.awk, not for a
// reader.

#include "util/cli/manual.h"

enum { BODY = 4, DEEP = 12, COLUMNS = 80 };

struct plain {
	struct str *out;
	struct str para;	/* words of the paragraph at hand */
	bool verse, list;	/* literal lines; after a "term::" */
};

static void put_line(struct plain *p, unsigned indent, const char *text, size_t n)
{
	str_addchn(p->out, ' ', indent);
	str_addn(p->out, text, n);
	str_addch(p->out, '\n');
}

/* The paragraph, filled. */
static void flush(struct plain *p)
{
	size_t column = 0;

	for (const char *w = str_cstr(&p->para); *w; ) {
		const size_t n = strcspn(w, " ");

		if (column && column + 1 + n > COLUMNS) {
			str_addch(p->out, '\n');
			column = 0;
		}
		if (column)
			str_addch(p->out, ' ');
		else
			str_addchn(p->out, ' ', BODY);
		str_addn(p->out, w, n);
		column = (column ? column + 1 : BODY) + n;
		w += n;
		w += *w == ' ';
	}
	if (column)
		str_addch(p->out, '\n');
	str_reset(&p->para);
}

/* "linkperf:perf-record[1]" is perf-record(1). */
static void add_text(struct str *out, const char *text, size_t n)
{
	static const char link[] = "linkperf:";
	const char *end = text + n;

	while (text < end) {
		const bool is_link = (size_t)(end - text) > sizeof(link) &&
			!strncmp(text, link, sizeof(link) - 1);
		const char *open = is_link ? memchr(text, '[', (size_t)(end - text)) : NULL;

		if (open && end - open >= 3 && open[2] == ']') {
			str_addn(out, text + sizeof(link) - 1,
				 (size_t)(open - text) - sizeof(link) + 1);
			str_addf(out, "(%c)", open[1]);
			text = open + 3;
		} else {
			str_addch(out, *text++);
		}
	}
}

/* Of a synopsis: 'perf record' [<options>] */
static void put_verse(struct plain *p, const char *line, size_t n)
{
	str_addchn(p->out, ' ', BODY);
	for (size_t i = 0; i < n; i++)
		if (line[i] != '\'')
			str_addch(p->out, line[i]);
	str_addch(p->out, '\n');
}

static void put(struct plain *p, const char *line, size_t n)
{
	const size_t blanks = strspn(line, " \t");
	const size_t margin = *line == '\t' ? 1 : blanks < 2 ? blanks : 2;	/* of an example */

	if (n == 7 && !strncmp(line, "[verse]", n)) {
		p->verse = true;
		return;
	}
	if (!n || blanks >= n || p->verse || blanks || (n > 2 && !strncmp(line + n - 2, "::", 2)))
		flush(p);
	if (!n || blanks >= n) {
		p->verse = false;
		str_addch(p->out, '\n');
	} else if (p->verse) {
		put_verse(p, line, n);
	} else if (p->list && blanks) {
		put_line(p, DEEP, line + blanks, n - blanks);
	} else if (blanks) {
		put_line(p, BODY + 2, line + margin, n - margin);
	} else if (n > 2 && !strncmp(line + n - 2, "::", 2)) {
		p->list = true;
		put_line(p, BODY, line, n - 2);
	} else {
		p->list = false;
		if (p->para.len)
			str_addch(&p->para, ' ');
		add_text(&p->para, line, n);
	}
}

/* Of dashes, tildes or equals signs, and about as long as the line above. */
static bool underlines(const char *line, size_t n, size_t above)
{
	return n >= 2 && n + 1 >= above && n <= above + 1 &&
	       (strspn(line, "-") >= n || strspn(line, "~") >= n || strspn(line, "=") >= n);
}

void cli_manual_plain(const char *page, struct str *out)
{
	struct plain p = { .out = out, .para = STR_INIT };

	for (const char *line = page; *line; ) {
		const size_t n = strcspn(line, "\n");
		const char *next = line + n + (line[n] == '\n');
		const size_t m = strcspn(next, "\n");

		if (n && underlines(next, m, n)) {
			flush(&p);
			p.verse = p.list = false;
			put_line(&p, *next == '~' ? BODY / 2 : 0, line, n);
			next += m + (next[m] == '\n');
		} else {
			put(&p, line, n);
		}
		line = next;
	}
	flush(&p);
	str_release(&p.para);
}
