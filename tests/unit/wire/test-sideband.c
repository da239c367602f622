// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include "util/wire/user.h"
#include "util/wire/wire.h"

static const struct perf_event_attr attr = {
	.sample_id_all = 1, .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		PERF_SAMPLE_IDENTIFIER,
};
static const struct sample_id id = { .id = 9, .time_ns = 1234, .pid = 5, .tid = 6 };
static u64 buf[512];
static struct perf_event_header *const rec = (struct perf_event_header *)buf;
static const char *reason;

static void check_id(int n)
{
	struct sample_id out;

	CHECK(n > 0);
	CHECK_EQ(n, rec->size);
	CHECK_EQ(n % 8, 0);
	CHECK_EQ(wire_decode_id(&attr, rec, &out, &reason), 0);
	CHECK_EQ(out.id, 9);
	CHECK_EQ(out.time_ns, 1234);
	CHECK_EQ(out.tid, 6);
}

/* Swapping to the other order is done by swapping what the swap back would: fields by hand, then
 * compare. */
static u64 be_pair(u32 a, u32 b)
{
	return (u64)__builtin_bswap32(a) | (u64)__builtin_bswap32(b) << 32;
}

static u64 be_header(u32 type, u16 misc, u16 size)
{
	return (u64)__builtin_bswap32(type) | (u64)__builtin_bswap16(misc) << 32 |
		(u64)__builtin_bswap16(size) << 48;
}

static void put_be_id(u64 *w)
{
	w[0] = be_pair(5, 6);
	w[1] = __builtin_bswap64(1234);
	w[2] = __builtin_bswap64(9);
}

TEST(mmap2)
{
	struct wire_mmap m = { .pid = 5, .tid = 6, .start_va = 0x400000, .bytes = 0x1000,
			       .off = 0x2000, .maj = 8, .min = 1,
			       .ino = 77, .ino_generation = 2, .prot = 5, .flags = 2,
			       .path = "/usr/bin/true" }, out;

	check_id(wire_encode_mmap2(&attr, &m, PERF_RECORD_MISC_USER, &id, buf, sizeof(buf)));
	CHECK_EQ(wire_decode_mmap(rec, &out, &reason), 0);
	CHECK_EQ(out.start_va, m.start_va);
	CHECK_EQ(out.bytes, m.bytes);
	CHECK_EQ(out.off, m.off);
	CHECK_EQ(out.maj, 8);
	CHECK_EQ(out.min, 1);
	CHECK_EQ(out.ino, 77);
	CHECK_EQ(out.ino_generation, 2);
	CHECK_EQ(out.prot, 5);
	CHECK_EQ(out.flags, 2);
	CHECK_EQ(out.build_id_bytes, 0);
	CHECK(!out.data);
	CHECK_STR(out.path, "/usr/bin/true");
	/* the mark that another reader's wish for build-ids leaves on it */
	rec->misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	CHECK_EQ(wire_decode_mmap(rec, &out, &reason), 0);
	CHECK_EQ(out.build_id_bytes, 0);
	CHECK_EQ(out.maj, 8);
	CHECK_EQ(out.ino, 77);
	m.build_id_bytes = 20;
	memset(m.build_id, 0xab, 20);
	m.data = true;
	check_id(wire_encode_mmap2(&attr, &m, 0, &id, buf, sizeof(buf)));
	CHECK_EQ(wire_decode_mmap(rec, &out, &reason), 0);
	CHECK_EQ(out.build_id_bytes, 20);
	CHECK_MEM(out.build_id, m.build_id, 20);
	CHECK(out.data);
	CHECK_EQ(out.ino, 0);
}

TEST(mmap_of_the_other_order)
{
	u64 w[12] = { be_header(PERF_RECORD_MMAP, 2, 96), be_pair(5, 6),
		      __builtin_bswap64(0x400000),
		      __builtin_bswap64(0x1000), __builtin_bswap64(0x2000) };
	struct wire_mmap out;
	struct sample_id i;

	memcpy(&w[5], "/bin/a-long-enough-name", 24);
	put_be_id(&w[9]);
	w[8] = 0;
	CHECK_EQ(wire_swap((void *)w, &attr, &reason), 0);
	CHECK_EQ(wire_decode_mmap((void *)w, &out, &reason), 0);
	CHECK_STR(out.path, "/bin/a-long-enough-name");
	CHECK_EQ(out.pid, 5);
	CHECK_EQ(out.tid, 6);
	CHECK_EQ(out.off, 0x2000);
	CHECK_EQ(wire_decode_id(&attr, (void *)w, &i, &reason), 0);
	CHECK_EQ(i.id, 9);
	CHECK_EQ(i.tid, 6);
}

TEST(comm_task_lost_cgroup)
{
	struct wire_comm c = { 5, 6, true, "worker 3" }, c2;
	struct wire_task t = { 1, 2, 3, 4, 99 }, t2;
	struct wire_lost l = { 9, 1000 }, l2;
	struct wire_cgroup g = { 12345, "/system.slice/x" }, g2;

	check_id(wire_encode_comm(&attr, &c, &id, buf, sizeof(buf)));
	CHECK_EQ(wire_decode_comm(rec, &c2, &reason), 0);
	CHECK(c2.exec);
	CHECK_STR(c2.comm, "worker 3");
	check_id(wire_encode_task(&attr, PERF_RECORD_FORK, &t, &id, buf, sizeof(buf)));
	CHECK_EQ(wire_decode_task(rec, &t2, &reason), 0);
	CHECK_EQ(t2.pid, 1);
	CHECK_EQ(t2.ppid, 2);
	CHECK_EQ(t2.tid, 3);
	CHECK_EQ(t2.ptid, 4);
	CHECK_EQ(t2.time_ns, 99);
	check_id(wire_encode_lost(&attr, &l, &id, buf, sizeof(buf)));
	CHECK_EQ(wire_decode_lost(rec, &l2, &reason), 0);
	CHECK_EQ(l2.lost, 1000);
	CHECK_EQ(l2.id, 9);
	check_id(wire_encode_cgroup(&attr, &g, &id, buf, sizeof(buf)));
	CHECK_EQ(wire_decode_cgroup(rec, &g2, &reason), 0);
	CHECK_EQ(g2.id, 12345);
	CHECK_STR(g2.path, "/system.slice/x");
}

/* As kernels write them where several events listen: larger than what is in them. */
TEST(identity_before_words_that_nobody_wrote)
{
	static const char *const names[] = { "bpf_prog_x", "1234567", "12345678", "" };
	const u64 bpf[] = { 1 | 2ULL << 32, 0x1122334455667788 };
	struct sample_id i;

	for (size_t k = 0; k < ARRAY_SIZE(names); k++) {
		const struct wire_ksymbol ks = { 0xffffffffc0001000, 64, 1, 2, names[k] };

		memset(buf, 0xff, sizeof(buf));
		check_id(wire_encode_ksymbol(&attr, &ks, &id, buf, sizeof(buf)));
		rec->size += 40;
		CHECK_EQ(wire_decode_id(&attr, rec, &i, &reason), 0);
		CHECK_EQ(i.time_ns, id.time_ns);
		CHECK_EQ(i.id, id.id);
	}
	memset(buf, 0xff, sizeof(buf));
	*rec = (struct perf_event_header){ .type = PERF_RECORD_BPF_EVENT, .size = 10 * 8 };
	memcpy(buf + 1, bpf, sizeof(bpf));
	buf[3] = 5 | 6ULL << 32;
	buf[4] = id.time_ns;
	buf[5] = id.id;
	CHECK_EQ(wire_decode_id(&attr, rec, &i, &reason), 0);
	CHECK_EQ(i.time_ns, id.time_ns);
	CHECK_EQ(i.id, id.id);
}

TEST(ksymbol_namespaces_switch)
{
	struct wire_ksymbol k = { 0xffffffffc0001000, 64, 1, 2, "bpf_prog_x" }, k2;
	struct perf_ns_link_info links[2] = { { 1, 2 }, { 3, 4 } };
	struct wire_namespaces ns = { 5, 6, 2, links }, ns2;
	struct wire_switch s;

	check_id(wire_encode_ksymbol(&attr, &k, &id, buf, sizeof(buf)));
	CHECK_EQ(wire_decode_ksymbol(rec, &k2, &reason), 0);
	CHECK_EQ(k2.va, k.va);
	CHECK_EQ(k2.bytes, 64);
	CHECK_EQ(k2.type, 1);
	CHECK_EQ(k2.flags, 2);
	CHECK_STR(k2.name, "bpf_prog_x");
	check_id(wire_encode_namespaces(&attr, &ns, &id, buf, sizeof(buf)));
	CHECK_EQ(wire_decode_namespaces(rec, &ns2, &reason), 0);
	CHECK_EQ(ns2.n, 2);
	CHECK_EQ(ns2.links[1].ino, 4);
	buf[2] = 1ULL << 62;
	CHECK_EQ(wire_decode_namespaces(rec, &ns2, &reason), -22);
	buf[0] = PERF_RECORD_SWITCH_CPU_WIDE | (u64)PERF_RECORD_MISC_SWITCH_OUT << 32 | 16ULL << 48;
	buf[1] = 7 | 8ULL << 32;
	CHECK_EQ(wire_decode_switch(rec, &s, &reason), 0);
	CHECK(s.out && s.cpu_wide && !s.preempt);
	CHECK_EQ(s.next_prev_tid, 8);
}

TEST(strings_must_end_inside)
{
	u64 w[4] = { PERF_RECORD_COMM | 24ULL << 48, 0, 0x4141414141414141, 0x4141414141414141 };
	struct wire_comm c;

	CHECK_EQ(wire_decode_comm((void *)w, &c, &reason), -22);
	w[2] &= ~0ULL >> 8;
	CHECK_EQ(wire_decode_comm((void *)w, &c, &reason), 0);
	CHECK_STR(c.comm, "AAAAAAA");
	w[0] = PERF_RECORD_COMM | 12ULL << 48;
	CHECK_EQ(wire_decode_comm((void *)w, &c, &reason), -22);
	w[0] = PERF_RECORD_COMM | 16ULL << 48;
	CHECK_EQ(wire_decode_comm((void *)w, &c, &reason), -22);
}

TEST(attr_of_the_other_order)
{
	struct perf_event_attr a = { .type = 1, .size = 112, .config = 3, .sample_freq = 4000,
				     .sample_type = 0x107,
				     .read_format = 4, .wakeup_events = 1, .sample_regs_user = 0xff,
				     .clockid = -1 };
	u8 *flags = (u8 *)&a + 40, be[sizeof(a)];
	u64 *w = (u64 *)(void *)be;

	/* what big endian has for disabled = 1, inherit = 1, freq (bit 10) = 1, precise_ip
	 * (15..16) = 2, mmap2 (23) = 1 */
	memcpy(be, &a, sizeof(a));
	for (int i = 1; i < 5; i++)
		w[i] = __builtin_bswap64(w[i]);
	w[0] = be_pair(1, 112);
	w[5] = __builtin_bswap64(1ULL << 63 | 1ULL << 62 | 1ULL << 53 | 1ULL << 48 | 1ULL << 40);
	w[6] = be_pair(1, 0);
	w[10] = __builtin_bswap64(0xff);
	wire_swap_attr((void *)be);
	a.disabled = a.inherit = a.freq = a.mmap2 = 1;
	a.precise_ip = 2;
	CHECK_MEM(be + 40, flags, 8);
	CHECK_MEM(be, &a, sizeof(a));
}

static const struct perf_event_header *first(const struct str *s)
{
	return (const void *)s->buf;
}

TEST(user_maps)
{
	struct str s = STR_INIT;
	struct wire_thread t[] = { { 100, "a-name-that-is-too-long" }, { -1, NULL } }, t2[4];
	struct wire_id_index x[] = { { 1, 0, 0, 22 }, { 2, 1, 1, -1 } }, x2[2];
	int cpus[] = { 0, 1, 5 };
	int_vec v = { 0 };
	size_t n;

	wire_add_thread_map(&s, t, 2);
	CHECK_EQ(wire_decode_thread_map(first(&s), t2, 4, &n, &reason), 0);
	CHECK_EQ(n, 2);
	CHECK_STR(t2[0].comm, "a-name-that-is-");
	CHECK_EQ(t2[1].tid, -1);
	str_reset(&s);
	wire_add_id_index(&s, x, 2);
	CHECK_EQ(wire_decode_id_index(first(&s), x2, 2, &n, &reason), 0);
	CHECK_EQ(x2[1].tid, -1);
	CHECK_EQ(x2[0].tid, 22);
	str_reset(&s);
	wire_add_cpu_map(&s, cpus, 3);
	CHECK_EQ(first(&s)->size, 24);
	CHECK_EQ(wire_decode_cpu_map(first(&s), &v, &reason), 0);
	CHECK_EQ(v.n, 3);
	CHECK_EQ(v.v[2], 5);
	str_release(&s);
	vec_free(&v);
}

TEST(cpu_map_encodings)
{
	static const u8 mask64[] = { 1, 0, 1, 0, 8, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0x80, 0, 0,
				     0, 0, 0, 0 };
	static const u8 mask32[] = { 1, 0, 2, 0, 4, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0 };
	static const u8 range[] = { 2, 0, 0, 0, 2, 0, 4, 0 };
	int_vec v = { 0 };
	u64 w[8];

	w[0] = WIRE_CPU_MAP | (8 + sizeof(mask64)) << 48;
	memcpy(&w[1], mask64, sizeof(mask64));
	CHECK_EQ(wire_decode_cpu_map((void *)w, &v, &reason), 0);
	CHECK_EQ(v.n, 3);
	CHECK_EQ(v.v[1], 2);
	CHECK_EQ(v.v[2], 63);
	w[0] = WIRE_CPU_MAP | (8 + sizeof(mask32)) << 48;
	memcpy(&w[1], mask32, sizeof(mask32));
	CHECK_EQ(wire_decode_cpu_map((void *)w, &v, &reason), 0);
	CHECK_EQ(v.n, 2);
	CHECK_EQ(v.v[0], 0);
	CHECK_EQ(v.v[1], 33);
	w[0] = WIRE_CPU_MAP | (8 + sizeof(range)) << 48;
	memcpy(&w[1], range, sizeof(range));
	CHECK_EQ(wire_decode_cpu_map((void *)w, &v, &reason), 0);
	CHECK_EQ(v.n, 3);
	CHECK_EQ(v.v[0], 2);
	CHECK_EQ(v.v[2], 4);
	vec_free(&v);
}

TEST(user_others)
{
	struct str s = STR_INIT;
	struct wire_time_conv tc = { 31, 1000, 55, 66, 77, true, false }, tc2;
	struct wire_update u = { 0 };
	struct wire_stat st = { 1, 2, 3, 400, 500, 600 }, st2;
	struct wire_build_id b;
	u8 bid[20] = { 1, 2, 3 };
	struct perf_event_attr a = { .type = 1, .config = 9 }, a2;
	u64 ids[] = { 11, 12 };
	struct span got;

	wire_add_time_conv(&s, &tc);
	CHECK_EQ(wire_decode_time_conv(first(&s), &tc2, &reason), 0);
	CHECK_EQ(tc2.mask, 77);
	CHECK(tc2.cap_zero && !tc2.cap_short);
	str_reset(&s);
	wire_add_event_update_text(&s, WIRE_UPDATE_NAME, 7, "cycles:u");
	CHECK_EQ(wire_decode_event_update(first(&s), &u, &reason), 0);
	CHECK_STR(u.text, "cycles:u");
	str_reset(&s);
	wire_add_event_update_scale(&s, 7, 0.25);
	CHECK_EQ(wire_decode_event_update(first(&s), &u, &reason), 0);
	CHECK(u.scale == 0.25);
	str_reset(&s);
	wire_add_stat(&s, &st);
	CHECK_EQ(wire_decode_stat(first(&s), &st2, &reason), 0);
	CHECK_MEM(&st, &st2, sizeof(st));
	str_reset(&s);
	wire_add_build_id(&s, bid, 16, PERF_RECORD_MISC_USER, -1, "/bin/true");
	CHECK_EQ(wire_decode_build_id(first(&s), &b, &reason), 0);
	CHECK_EQ(b.bytes, 16);
	CHECK_EQ(b.pid, -1);
	CHECK_STR(b.path, "/bin/true");
	CHECK_EQ(first(&s)->size % 8, 0);
	str_reset(&s);
	wire_add_attr(&s, &a, ids, 2);
	CHECK_EQ(wire_decode_attr(first(&s), &a2, &got, &reason), 0);
	CHECK_EQ(a2.config, 9);
	CHECK_EQ(got.len, 16);
	CHECK_MEM(got.ptr, ids, 16);
	str_release(&s);
}

/* Every decoder on every length of a record of all ones and of its own bytes: no read beyond the
 * end (ASan), no crash. */
TEST(any_bytes)
{
	struct wire_thread t[4];
	struct wire_id_index x[4];
	struct wire_tag tag[4];
	struct wire_mmap m;
	struct wire_build_id b;
	struct wire_update u = { 0 };
	struct wire_ksymbol k;
	struct perf_event_attr a;
	struct span sp;
	int_vec v = { 0 };
	size_t n;

	for (u32 type = 1; type < 90; type++)
		for (u16 size = 8; size < 300; size += 4) {
			struct perf_event_header *r = malloc(size);

			memset(r, type & 1 ? 0xff : 1, size);
			*r = (struct perf_event_header){ type, 0xffff, size };
			wire_decode_mmap(r, &m, &reason);
			wire_decode_ksymbol(r, &k, &reason);
			wire_decode_thread_map(r, t, 4, &n, &reason);
			wire_decode_id_index(r, x, 4, &n, &reason);
			wire_decode_stat_config(r, tag, 4, &n, &reason);
			wire_decode_build_id(r, &b, &reason);
			wire_decode_cpu_map(r, &v, &reason);
			wire_decode_event_update(r, &u, &reason);
			wire_decode_attr(r, &a, &sp, &reason);
			*r = (struct perf_event_header){ __builtin_bswap32(type), 0xffff,
							 __builtin_bswap16(size) };
			wire_swap(r, &attr, &reason);
			free(r);
		}
	vec_free(&v);
	vec_free(&u.cpus);
}
