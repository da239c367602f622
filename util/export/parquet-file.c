// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/export/parquet-file.h"

#include <stdlib.h>

#include "util/base/hash.h"
#include "util/base/thrift.h"
#include "util/base/vec.h"
#include "util/base/xalloc.h"
#include "util/export/zstd.h"

#define ROWS_MAX (1u << 17)		/* of a row group */
#define BYTES_MAX (64u << 20)		/* of a column's texts in it */

/* field numbers and values of parquet.thrift */
enum { FILE_VERSION = 1, FILE_SCHEMA, FILE_ROWS, FILE_GROUPS, FILE_CREATOR = 6, FILE_ORDERS };
enum { SCHEMA_TYPE = 1, SCHEMA_REPETITION = 3, SCHEMA_NAME, SCHEMA_CHILDREN, SCHEMA_CONVERTED,
       SCHEMA_LOGICAL = 10 };
enum { LOGICAL_STRING = 1, LOGICAL_TIMESTAMP = 8, LOGICAL_JSON = 12 };
enum { TIMESTAMP_UTC = 1, TIMESTAMP_UNIT, UNIT_NANOS };
enum { GROUP_COLUMNS = 1, GROUP_BYTES, GROUP_ROWS };
enum { CHUNK_OFFSET = 2, CHUNK_META };
enum { META_TYPE = 1, META_ENCODINGS, META_PATH, META_CODEC, META_VALUES, META_UNPACKED,
       META_PACKED, META_DATA_OFFSET = 9, META_DICTIONARY_OFFSET = 11, META_STATISTICS };
enum { STATISTICS_NULLS = 3, STATISTICS_MAX = 5, STATISTICS_MIN };
enum { PAGE_TYPE = 1, PAGE_UNPACKED, PAGE_PACKED, PAGE_DATA = 5, PAGE_DICTIONARY = 7 };
enum { DATA_VALUES = 1, DATA_ENCODING, DATA_DEFINITION_ENCODING, DATA_REPETITION_ENCODING };
enum { TYPE_I32 = 1, TYPE_I64, TYPE_BYTES = 6 };
enum { CONVERTED_UTF8 = 0, CONVERTED_JSON = 19 };
enum { REQUIRED, OPTIONAL };
enum { CODEC_NONE = 0, CODEC_ZSTD = 6 };
enum { PLAIN = 0, RLE = 3, RLE_DICTIONARY = 8 };
enum { DATA_PAGE = 0, DICTIONARY_PAGE = 2 };

/* What was buffered of a column since the row group began. */
struct column {
	const struct parquet_column *def;
	VEC(bool) there;		/* by row: not null */
	u64 n_nulls;
	struct str values;		/* PLAIN; of PARQUET_NAME those of the dictionary */
	VEC(u32) index;			/* PARQUET_NAME: by value, its number in the dictionary */
	struct strmap names;		/* text -> number in the dictionary + 1 */
	u32 n_names;
	VEC(u32) named;			/* by the caller's number: the same */
	s64 min, max;			/* of numbers */
};

struct parquet_file {
	FILE *fp;
	u64 off;
	struct column *columns;
	size_t n_columns;
	u64 rows, group_rows, n_groups;
	bool no_zstd;
	struct str groups;		/* their metadata so far */
	struct str page, packed, header, clean;
};

static bool is_number(const struct column *c) { return c->def->type <= PARQUET_TIME; }

/* ---- values ---- */

static void add_le(struct str *out, u64 v, int bytes)
{
	for (int i = 0; i < bytes; i++)
		str_addch(out, (char)(v >> 8 * i));
}

static void add_bytes(struct column *c, const char *text, size_t n)
{
	add_le(&c->values, n, 4);
	str_addn(&c->values, text, n);
}

void parquet_number(struct parquet_file *f, size_t column, s64 v)
{
	struct column *c = &f->columns[column];
	const bool first = c->there.n == c->n_nulls;

	vec_push(&c->there, true);
	add_le(&c->values, (u64)v, c->def->type == PARQUET_I32 ? 4 : 8);
	c->min = first ? v : MIN(c->min, v);
	c->max = first ? v : MAX(c->max, v);
}

static u32 name_index(struct parquet_file *f, struct column *c, const char *text)
{
	uintptr_t n = (uintptr_t)strmap_get(&c->names, text);

	if (!n) {
		n = ++c->n_names;
		strmap_put(&c->names, text, (void *)n);
		str_reset(&f->clean);
		str_add_utf8(&f->clean, text);
		add_bytes(c, str_cstr(&f->clean), f->clean.len);
	}
	return (u32)n - 1;
}

void parquet_text(struct parquet_file *f, size_t column, const char *text)
{
	struct column *c = &f->columns[column];

	vec_push(&c->there, true);
	if (c->def->type == PARQUET_NAME) {
		vec_push(&c->index, name_index(f, c, text));
		return;
	}
	str_reset(&f->clean);
	str_add_utf8(&f->clean, text);
	add_bytes(c, str_cstr(&f->clean), f->clean.len);
}

bool parquet_named(struct parquet_file *f, size_t column, size_t number)
{
	struct column *c = &f->columns[column];

	if (number >= c->named.n || !c->named.v[number])
		return false;
	vec_push(&c->there, true);
	vec_push(&c->index, c->named.v[number] - 1);
	return true;
}

void parquet_name(struct parquet_file *f, size_t column, size_t number, const char *text)
{
	struct column *c = &f->columns[column];

	while (c->named.n <= number)
		vec_push(&c->named, 0);
	parquet_text(f, column, text);
	c->named.v[number] = *vec_last(&c->index) + 1;
}

void parquet_null(struct parquet_file *f, size_t column)
{
	struct column *c = &f->columns[column];

	vec_push(&c->there, false);
	c->n_nulls++;
}

/* ---- pages ---- */

static void put(struct parquet_file *f, const struct str *bytes)
{
	fwrite(str_cstr(bytes), 1, bytes->len, f->fp);
	f->off += bytes->len;
}

/* Numbers below 1 << width, packed into bits in groups of 8; as one run when all are the same. */
static void add_packed(struct str *out, const u32 *v, size_t n, int width)
{
	const int bytes = (width + 7) / 8;
	u64 bits = 0;
	int have = 0;
	size_t same = 1;

	while (same < n && v[same] == v[0])
		same++;
	if (same == n) {
		pb_varint(out, n << 1);
		add_le(out, v[0], bytes);
		return;
	}
	pb_varint(out, (n + 7) / 8 << 1 | 1);
	for (size_t i = 0; i < (n + 7) / 8 * 8; i++) {
		bits |= (u64)(i < n ? v[i] : 0) << have;
		for (have += width; have >= 8; have -= 8, bits >>= 8)
			str_addch(out, (char)bits);
	}
}

/* Which rows have a value: packed as numbers of one bit, behind their length. */
static void add_levels(struct parquet_file *f, const struct column *c)
{
	u32 *bits = xcalloc(c->there.n + 1, sizeof(*bits));
	struct str levels = STR_INIT;

	for (size_t i = 0; i < c->there.n; i++)
		bits[i] = c->there.v[i];
	add_packed(&levels, bits, c->there.n, 1);
	add_le(&f->page, levels.len, 4);
	str_addn(&f->page, levels.buf, levels.len);
	str_release(&levels);
	free(bits);
}

static int bit_width(u32 n)
{
	return n > 1 ? 32 - __builtin_clz(n - 1) : 1;
}

/* The page at hand, with its header; returns what it would need unpacked, with the header. */
static u64 put_page(struct parquet_file *f, int type, size_t n, int encoding)
{
	const size_t unpacked = f->page.len;
	struct thrift t = { &f->header, 0 }, inner;

	str_reset(&f->packed);
	str_reset(&f->header);
	f->no_zstd = f->no_zstd || !zstd_pack(str_cstr(&f->page), unpacked, &f->packed);
	thrift_i32(&t, PAGE_TYPE, type);
	thrift_i32(&t, PAGE_UNPACKED, (s32)unpacked);
	thrift_i32(&t, PAGE_PACKED, (s32)(f->no_zstd ? unpacked : f->packed.len));
	inner = thrift_struct(&t, type == DATA_PAGE ? PAGE_DATA : PAGE_DICTIONARY);
	thrift_i32(&inner, DATA_VALUES, (s32)n);
	thrift_i32(&inner, DATA_ENCODING, encoding);
	if (type == DATA_PAGE) {
		thrift_i32(&inner, DATA_DEFINITION_ENCODING, RLE);
		thrift_i32(&inner, DATA_REPETITION_ENCODING, RLE);
	}
	thrift_end(&inner);
	thrift_end(&t);
	put(f, &f->header);
	put(f, f->no_zstd ? &f->page : &f->packed);
	str_reset(&f->page);
	return unpacked + f->header.len;
}

static void add_statistics(struct thrift *meta, const struct column *c)
{
	struct thrift t = thrift_struct(meta, META_STATISTICS);
	struct str v = STR_INIT;
	const int bytes = c->def->type == PARQUET_I32 ? 4 : 8;

	thrift_i64(&t, STATISTICS_NULLS, (s64)c->n_nulls);
	if (is_number(c) && c->n_nulls < c->there.n) {
		add_le(&v, (u64)c->max, bytes);
		thrift_bytes(&t, STATISTICS_MAX, v.buf, v.len);
		str_reset(&v);
		add_le(&v, (u64)c->min, bytes);
		thrift_bytes(&t, STATISTICS_MIN, v.buf, v.len);
	}
	thrift_end(&t);
	str_release(&v);
}

static int physical(const struct column *c)
{
	return c->def->type == PARQUET_I32 ? TYPE_I32 : is_number(c) ? TYPE_I64 : TYPE_BYTES;
}

/* Pages of a column, and into the metadata what they are. Returns their unpacked size. */
static u64 put_column(struct parquet_file *f, struct column *c, struct str *out)
{
	const bool names = c->def->type == PARQUET_NAME;
	const u64 begin = f->off;
	struct thrift chunk = { out, 0 }, t;
	u64 data, unpacked = 0;

	if (names) {
		str_addn(&f->page, str_cstr(&c->values), c->values.len);
		unpacked += put_page(f, DICTIONARY_PAGE, c->n_names, PLAIN);
	}
	data = f->off;
	if (c->def->optional)
		add_levels(f, c);
	if (names) {
		str_addch(&f->page, (char)bit_width(c->n_names));
		if (c->index.n)
			add_packed(&f->page, c->index.v, c->index.n, bit_width(c->n_names));
	} else {
		str_addn(&f->page, str_cstr(&c->values), c->values.len);
	}
	unpacked += put_page(f, DATA_PAGE, c->there.n, names ? RLE_DICTIONARY : PLAIN);
	thrift_i64(&chunk, CHUNK_OFFSET, 0);
	t = thrift_struct(&chunk, CHUNK_META);
	thrift_i32(&t, META_TYPE, physical(c));
	thrift_list(&t, META_ENCODINGS, THRIFT_I32, 3);
	thrift_number(out, PLAIN);
	thrift_number(out, RLE);
	thrift_number(out, names ? RLE_DICTIONARY : PLAIN);
	thrift_list(&t, META_PATH, THRIFT_BYTES, 1);
	thrift_item(out, c->def->name, strlen(c->def->name));
	thrift_i32(&t, META_CODEC, f->no_zstd ? CODEC_NONE : CODEC_ZSTD);
	thrift_i64(&t, META_VALUES, (s64)c->there.n);
	thrift_i64(&t, META_UNPACKED, (s64)unpacked);
	thrift_i64(&t, META_PACKED, (s64)(f->off - begin));
	thrift_i64(&t, META_DATA_OFFSET, (s64)data);
	if (names)
		thrift_i64(&t, META_DICTIONARY_OFFSET, (s64)begin);
	add_statistics(&t, c);
	thrift_end(&t);
	thrift_end(&chunk);
	return unpacked;
}

static void clear(struct column *c)
{
	vec_clear(&c->there);
	vec_clear(&c->index);
	vec_clear(&c->named);
	c->n_nulls = c->n_names = 0;
	str_reset(&c->values);
	strmap_release(&c->names);
	c->names = (struct strmap){ 0 };
}

static void end_group(struct parquet_file *f)
{
	struct thrift t = { &f->groups, 0 };
	u64 bytes = 0;

	if (!f->off) {
		str_add(&f->page, "PAR1");
		put(f, &f->page);
		str_reset(&f->page);
	}
	if (!f->group_rows)
		return;
	thrift_list(&t, GROUP_COLUMNS, THRIFT_STRUCT, f->n_columns);
	for (size_t i = 0; i < f->n_columns; i++) {
		bytes += put_column(f, &f->columns[i], &f->groups);
		clear(&f->columns[i]);
	}
	thrift_i64(&t, GROUP_BYTES, (s64)bytes);
	thrift_i64(&t, GROUP_ROWS, (s64)f->group_rows);
	thrift_end(&t);
	f->rows += f->group_rows;
	f->group_rows = 0;
	f->n_groups++;
}

void parquet_row(struct parquet_file *f)
{
	bool full = ++f->group_rows >= ROWS_MAX;

	for (size_t i = 0; i < f->n_columns && !full; i++)
		full = f->columns[i].values.len >= BYTES_MAX;
	if (full)
		end_group(f);
}

/* ---- the file ---- */

static void add_logical(struct thrift *t, const struct column *c)
{
	const enum parquet_type type = c->def->type;
	struct thrift logical, kind, unit, nanos;

	if (type == PARQUET_I32 || type == PARQUET_I64)
		return;
	if (type != PARQUET_TIME)
		thrift_i32(t, SCHEMA_CONVERTED,
			   type == PARQUET_JSON ? CONVERTED_JSON : CONVERTED_UTF8);
	logical = thrift_struct(t, SCHEMA_LOGICAL);
	kind = thrift_struct(&logical, type == PARQUET_TIME ? LOGICAL_TIMESTAMP :
			     type == PARQUET_JSON ? LOGICAL_JSON : LOGICAL_STRING);
	if (type == PARQUET_TIME) {
		thrift_bool(&kind, TIMESTAMP_UTC, true);
		unit = thrift_struct(&kind, TIMESTAMP_UNIT);
		nanos = thrift_struct(&unit, UNIT_NANOS);
		thrift_end(&nanos);
		thrift_end(&unit);
	}
	thrift_end(&kind);
	thrift_end(&logical);
}

static void add_schema(struct parquet_file *f, struct thrift *t)
{
	struct thrift e = { t->out, 0 };

	thrift_list(t, FILE_SCHEMA, THRIFT_STRUCT, f->n_columns + 1);
	thrift_text(&e, SCHEMA_NAME, "samples");
	thrift_i32(&e, SCHEMA_CHILDREN, (s32)f->n_columns);
	thrift_end(&e);
	for (size_t i = 0; i < f->n_columns; i++) {
		e = (struct thrift){ t->out, 0 };
		thrift_i32(&e, SCHEMA_TYPE, physical(&f->columns[i]));
		thrift_i32(&e, SCHEMA_REPETITION,
			   f->columns[i].def->optional ? OPTIONAL : REQUIRED);
		thrift_text(&e, SCHEMA_NAME, f->columns[i].def->name);
		add_logical(&e, &f->columns[i]);
		thrift_end(&e);
	}
}

/* Values are compared as their types have it: only then are minima and maxima used. */
static void add_orders(struct parquet_file *f, struct thrift *t)
{
	struct thrift order, by_type;

	thrift_list(t, FILE_ORDERS, THRIFT_STRUCT, f->n_columns);
	for (size_t i = 0; i < f->n_columns; i++) {
		order = (struct thrift){ t->out, 0 };
		by_type = thrift_struct(&order, 1);
		thrift_end(&by_type);
		thrift_end(&order);
	}
}

void parquet_close(struct parquet_file *f)
{
	struct str footer = STR_INIT;
	struct thrift t = { &footer, 0 };
	size_t n;

	end_group(f);
	thrift_i32(&t, FILE_VERSION, 2);
	add_schema(f, &t);
	thrift_i64(&t, FILE_ROWS, (s64)f->rows);
	thrift_list(&t, FILE_GROUPS, THRIFT_STRUCT, f->n_groups);
	str_addn(&footer, str_cstr(&f->groups), f->groups.len);
	thrift_text(&t, FILE_CREATOR, "perf");
	add_orders(f, &t);
	thrift_end(&t);
	n = footer.len;
	add_le(&footer, n, 4);
	str_add(&footer, "PAR1");
	put(f, &footer);
	str_release(&footer);
}

struct parquet_file *parquet_open(FILE *fp, const struct parquet_column *columns, size_t n)
{
	struct parquet_file *f = xnew(struct parquet_file);

	f->fp = fp;
	f->n_columns = n;
	f->columns = xcalloc(n, sizeof(*f->columns));
	for (size_t i = 0; i < n; i++)
		f->columns[i].def = &columns[i];
	return f;
}

void parquet_free(struct parquet_file *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->n_columns; i++) {
		clear(&f->columns[i]);
		vec_free(&f->columns[i].there);
		vec_free(&f->columns[i].index);
		vec_free(&f->columns[i].named);
		str_release(&f->columns[i].values);
	}
	free(f->columns);
	str_release(&f->groups);
	str_release(&f->page);
	str_release(&f->packed);
	str_release(&f->header);
	str_release(&f->clean);
	free(f);
}
