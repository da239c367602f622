// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/tui/keys.h"

#include "util/base/utf8.h"

/* ESC [ params final, or ESC O final */
struct sequence { unsigned param[4]; unsigned n; char final; bool mouse; };

static const struct { char final; u32 code; } by_final[] = {
	{ 'A', KEY_UP }, { 'B', KEY_DOWN }, { 'C', KEY_RIGHT }, { 'D', KEY_LEFT },
	{ 'H', KEY_HOME }, { 'F', KEY_END }, { 'Z', KEY_BACK_TAB }, { 'P', KEY_F1 },
	{ 'M', KEY_ENTER },	/* of the keypad, as SS3 */
};

static const struct { unsigned param; u32 code; } by_param[] = {	/* ESC [ n ~ */
	{ 1, KEY_HOME }, { 3, KEY_DELETE }, { 4, KEY_END }, { 5, KEY_PAGE_UP },
	{ 6, KEY_PAGE_DOWN }, { 7, KEY_HOME }, { 8, KEY_END }, { 11, KEY_F1 },
};

/* Bytes after "ESC [" or "ESC O"; 0: not whole yet. */
static size_t parse_sequence(const u8 *p, size_t n, struct sequence *s)
{
	size_t i = 0;

	*s = (struct sequence){ .n = 1 };
	if (i < n && p[i] == '<') {
		s->mouse = true;
		i++;
	}
	if (i < n && p[i] == '[') {	/* the Linux console: ESC [ [ A is F1 */
		s->final = i + 1 < n && p[i + 1] == 'A' ? 'P' : '\0';
		return i + 1 < n ? i + 2 : 0;
	}
	for (; i < n; i++) {
		if (p[i] >= '0' && p[i] <= '9') {
			unsigned *v = &s->param[s->n - 1];

			*v = MIN(*v * 10 + (p[i] - '0'), 99999u);
		} else if (p[i] == ';' && s->n < ARRAY_SIZE(s->param)) {
			s->n++;
		} else if (p[i] >= 0x40 && p[i] <= 0x7e) {
			s->final = (char)p[i];
			return i + 1;
		} else if (p[i] < 0x20) {
			return i;	/* cut off: what comes now is another key */
		}
	}
	return 0;
}

static void mouse_key(const struct sequence *s, struct screen_key *out)
{
	const unsigned button = s->param[0] & ~(4u | 8u | 16u);	/* with shift, meta, control */

	out->col = (int)s->param[1] - 1;
	out->row = (int)s->param[2] - 1;
	if (s->n < 3 || s->final != 'M' || out->col < 0 || out->row < 0)
		return;
	out->code = button == 0 ? KEY_CLICK : button == 64 ? KEY_WHEEL_UP :
		button == 65 ? KEY_WHEEL_DOWN : 0;
}

static size_t decode_escape(const u8 *p, size_t n, bool whole, struct screen_key *out)
{
	struct sequence s;
	size_t len;

	if (n == 1 || (p[1] != '[' && p[1] != 'O')) {
		if (n == 1 && !whole)
			return 0;
		out->code = KEY_ESC;
		return 1;
	}
	len = parse_sequence(p + 2, n - 2, &s);
	if (!len) {
		if (!whole && n < 32)
			return 0;
		if (n == 2)
			out->code = KEY_ESC;
		return n == 2 ? 1 : n;
	}
	if (s.mouse) {
		mouse_key(&s, out);
	} else if (s.final == '~') {
		for (size_t i = 0; i < ARRAY_SIZE(by_param); i++)
			if (by_param[i].param == s.param[0])
				out->code = by_param[i].code;
	} else {
		for (size_t i = 0; i < ARRAY_SIZE(by_final); i++)
			if (by_final[i].final == s.final)
				out->code = by_final[i].code;
	}
	return len + 2;
}

size_t keys_decode(const u8 *bytes, size_t n, bool whole, struct screen_key *out)
{
	size_t len;

	*out = (struct screen_key){ 0 };
	if (!n)
		return 0;
	switch (bytes[0]) {
	case 0x1b:
		return decode_escape(bytes, n, whole, out);
	case '\r':
	case '\n':
		out->code = KEY_ENTER;
		return 1;
	case '\t':
		out->code = KEY_TAB;
		return 1;
	case 0x7f:
	case '\b':
		out->code = KEY_BACKSPACE;
		return 1;
	default:
		break;
	}
	if (bytes[0] < 0x80) {
		out->code = bytes[0];
		return 1;
	}
	len = utf8_len(bytes, n);
	if (!len && n < 4 && bytes[0] >= 0xc2 && !whole)
		return 0;
	if (len)
		out->code = utf8_decode(bytes, len);
	return len ? len : 1;
}
