// SPDX-License-Identifier: GPL-2.0-or-later
// ioctl(2): names of requests, and the few arguments that are seen every day.
#include "util/syscalls/syscalls-priv.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>

/* By number, of the 64-bit ABI: where a struct is smaller for 32-bit processes, the request is
 * not found. */
static const struct request { u32 value; const char *name; } requests[] = {
#include "util/syscalls/ioctls.inc"
};

static int cmp_request(const void *key, const void *entry)
{
	u32 a = *(const u32 *)key, b = ((const struct request *)entry)->value;

	return a < b ? -1 : a > b;
}

const char *ioctl_name(u32 request)
{
	const struct request *r = bsearch(&request, requests, ARRAY_SIZE(requests),
					  sizeof(requests[0]), cmp_request);

	return r ? r->name : NULL;
}

void fmt_ioctl_request(const struct fmt *f, u32 request)
{
	static const char *const dirs[] = { "NONE", "WRITE", "READ", "READ|WRITE" };
	static const char *const strace_dirs[] =
		{ "_IOC_NONE", "_IOC_WRITE", "_IOC_READ", "_IOC_READ|_IOC_WRITE" };
	const char *name = ioctl_name(request);

	if (name)
		str_add(f->s, name);
	else
		str_addf(f->s, f->style->strace ? "_IOC(%s, %#x, %#x, %#x)" : "(%s, %#x, %#x, %#x)",
			 (f->style->strace ? strace_dirs : dirs)[request >> 30], request >> 8 & 255,
			 request & 255, request >> 16 & 0x3fff);
}

/* ---- arguments ---- */

static void add_winsize(const struct fmt *f, struct rd *r)
{
	static const char *const names[] = { "ws_row", "ws_col", "ws_xpixel", "ws_ypixel" };

	fmt_open(f);
	for (int i = 0; i < 4; i++) {
		fmt_field(f, names[i], !i);
		str_add_u64(f->s, rd_u16(r));
	}
	fmt_close(f);
}

static void add_speed(struct str *s, u32 speed)
{
	static const u32 low[] = { 0, 50, 75, 110, 134, 150, 200, 300, 600, 1200, 1800, 2400, 4800,
				   9600, 19200, 38400 };
	static const u32 high[] = { 0, 57600, 115200, 230400, 460800, 500000, 576000, 921600,
				    1000000, 1152000, 1500000, 2000000,
				    2500000, 3000000, 3500000, 4000000 };

	str_addf(s, "B%u", speed & 0x1000 ? high[speed & 15] : low[speed & 15]);
}

#define SPEED 0x100f
static void add_termios(const struct fmt *f, struct rd *r)
{
	u32 iflag = rd_u32(r), oflag = rd_u32(r), cflag = rd_u32(r), lflag = rd_u32(r);
	bool st = f->style->strace;

	fmt_open(f);
	fmt_field(f, "c_iflag", true);
	if (iflag || !st)
		sysx_add_bits(f->s, &sysx_iflag, iflag, false);
	fmt_field(f, "c_oflag", false);
	if (st && !(oflag & 0177400))	/* strace names the delays that there are not, too */
		str_add(f->s, oflag ? "NL0|CR0|TAB0|BS0|VT0|FF0|" : "NL0|CR0|TAB0|BS0|VT0|FF0");
	if (oflag || !st)
		sysx_add_bits(f->s, &sysx_oflag, oflag, false);
	fmt_field(f, "c_cflag", false);
	add_speed(f->s, cflag & SPEED);
	str_add(f->s, cflag & 060 ? "|" : "|CS5|");
	sysx_add_bits(f->s, &sysx_cflag, cflag & ~(u32)SPEED, false);
	fmt_field(f, "c_lflag", false);
	if (lflag || !st)
		sysx_add_bits(f->s, &sysx_lflag, lflag, false);
	str_add(f->s, ", ...");
	fmt_close(f);
}

void fmt_ioctl_arg(const struct fmt *f, unsigned arg, u32 request)
{
	struct span bytes;
	struct rd r;

	if (!fmt_chunk(f, arg, SYSCHUNK_MEM, &bytes)) {
		if (f->style->strace && !f->v->args[arg])
			str_addch(f->s, '0');
		else
			str_addf(f->s, "%#llx", (unsigned long long)f->v->args[arg]);
		return;
	}
	rd_init(&r, bytes.ptr, bytes.len, false);
	if ((request == TIOCGWINSZ || request == TIOCSWINSZ) && bytes.len == 8)
		add_winsize(f, &r);
	else if (request >= TCGETS && request <= TCSETSF && bytes.len == 36)
		add_termios(f, &r);
	else if (bytes.len == 4)
		str_addf(f->s, "[%d]", (s32)rd_u32(&r));
	else if (bytes.len == 8)
		str_addf(f->s, "[%llu]", (unsigned long long)rd_u64(&r));
	else
		fmt_ptr(f, f->v->args[arg]);
}
