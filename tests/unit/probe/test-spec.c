// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"
#include "util/probe/probe.h"

static struct probe_spec parse(const char *text)
{
	struct probe_spec s;
	struct err err = ERR_INIT;

	if (probe_spec_parse(text, &s, &err))
		unit_fail(__FILE__, __LINE__, err.msg);
	return s;
}

static void refused(const char *text, size_t pos, const char *word)
{
	struct probe_spec s;
	struct err err = ERR_INIT;
	const char *caret;

	CHECK_EQ(probe_spec_parse(text, &s, &err), -EINVAL);
	CHECK(strstr(err.msg, word));
	caret = strrchr(err.msg, '\n');
	CHECK(caret);
	CHECK_EQ(strlen(caret + 3), pos + 1);
	err_release(&err);
}

TEST(points)
{
	struct probe_spec s = parse("leaf");

	CHECK_STR(s.func, "leaf");
	CHECK(!s.file && !s.has_line && !s.ret && !s.off && !s.args.n && !s.event);
	probe_spec_release(&s);
	s = parse("leaf+0x10");
	CHECK_EQ(s.off, 16);
	probe_spec_release(&s);
	s = parse("leaf@dir/a.c:3");
	CHECK_STR(s.func, "leaf");
	CHECK_STR(s.file, "dir/a.c");
	CHECK(s.has_line);
	CHECK_EQ(s.line, 3);
	probe_spec_release(&s);
	s = parse("a.c:14");
	CHECK(!s.func);
	CHECK_STR(s.file, "a.c");
	CHECK_EQ(s.line, 14);
	probe_spec_release(&s);
	s = parse("leaf%return");
	CHECK(s.ret);
	probe_spec_release(&s);
	s = parse("leaf;sum+=*");
	CHECK_STR(s.pattern, "sum+=*");
	CHECK_STR(s.func, "leaf");
	probe_spec_release(&s);
	s = parse("0x1189");
	CHECK(s.has_addr);
	CHECK_EQ(s.addr, 0x1189);
	probe_spec_release(&s);
	s = parse("%prov:mark");
	CHECK_STR(s.sdt, "prov:mark");
	probe_spec_release(&s);
	s = parse("getname_flags.part.0+4");
	CHECK_STR(s.func, "getname_flags.part.0");
	probe_spec_release(&s);
	s = parse("memcpy@GLIBC_2.2.5");
	CHECK_STR(s.func, "memcpy@GLIBC_2.2.5");
	probe_spec_release(&s);
}

TEST(names_of_other_languages)
{
	struct probe_spec s = parse("app::detail::Circle::area(int) const:3 n this->r");

	CHECK_STR(s.func, "app::detail::Circle::area(int) const");
	CHECK_EQ(s.line, 3);
	CHECK_EQ(s.args.n, 2);
	CHECK_STR(s.args.v[1].expr, "this->r");
	probe_spec_release(&s);
	s = parse("<m::Imp as m::Doer>::do_it a");
	CHECK_STR(s.func, "<m::Imp as m::Doer>::do_it");
	CHECK_EQ(s.args.n, 1);
	probe_spec_release(&s);
	s = parse("main.(*Store).Save%return");
	CHECK_STR(s.func, "main.(*Store).Save");
	CHECK(s.ret);
	probe_spec_release(&s);
	s = parse("operator<");
	CHECK_STR(s.func, "operator<");
	probe_spec_release(&s);
	s = parse("less=ns::operator== a");
	CHECK_STR(s.event, "less");
	CHECK_STR(s.func, "ns::operator==");
	CHECK_EQ(s.args.n, 1);
	probe_spec_release(&s);
	s = parse("Cache<std::pair<int, char>, A>::lookup k");
	CHECK_STR(s.func, "Cache<std::pair<int, char>, A>::lookup");
	CHECK_EQ(s.args.n, 1);
	probe_spec_release(&s);
}

TEST(events_and_arguments)
{
	struct probe_spec s = parse("grp:ev=leaf n x=p->a[3].b:u32 s:string@user %di +0(%si):u8 "
				    "y=\\1 @0x10:x64");

	CHECK_STR(s.group, "grp");
	CHECK_STR(s.event, "ev");
	CHECK_STR(s.func, "leaf");
	CHECK_EQ(s.args.n, 7);
	CHECK(!s.args.v[0].name && !s.args.v[0].type);
	CHECK_STR(s.args.v[1].name, "x");
	CHECK_STR(s.args.v[1].expr, "p->a[3].b");
	CHECK_STR(s.args.v[1].type, "u32");
	CHECK_STR(s.args.v[2].type, "string");
	CHECK(s.args.v[2].user);
	CHECK_STR(s.args.v[4].expr, "+0(%si)");
	CHECK_STR(s.args.v[4].type, "u8");
	CHECK_STR(s.args.v[5].name, "y");
	CHECK_STR(s.args.v[5].expr, "\\1");
	CHECK_STR(s.args.v[6].expr, "@0x10");
	probe_spec_release(&s);
}

TEST(errors_point_at_the_place)
{
	refused("1ev=leaf", 0, "event");
	refused("a-b=leaf", 0, "event");
	refused("g:1=leaf", 2, "event");
	refused("leaf:x", 5, "line number");
	refused("leaf%ret", 4, "%return");
	refused("leaf:1+3", 5, "offset");
	refused("leaf+z", 5, "bytes");
	refused("leaf n=", 5, "expression");
	refused("leaf 1=n", 5, "argument");
	refused("leaf n:", 6, "type");
	refused("", 0, "point");
	refused("ev=", 3, "point");
	refused("@a.c", 0, "line");
	refused("leaf+4%return", 0, "return probe");
}

static void names(const char *symbol, const char *want)
{
	char *s = probe_event_name(symbol);

	CHECK_STR(s, want);
	CHECK(probe_name_ok(s));
	free(s);
}

TEST(event_names)
{
	names("leaf", "leaf");
	names("_int_malloc", "int_malloc");
	names("getname_flags.part.0", "getname_flags");
	names("foo.isra.3.cold", "foo");
	names("foo.constprop.0", "foo");
	names("app::detail::Circle::area(int) const", "area");
	names("Cache<std::string>::lookup", "lookup");
	names("max<int>(int, int)", "max");
	names("main.(*ProcessStore).Save", "Save");
	names("main.NewStore", "NewStore");
	names("<m::Imp as m::Doer>::do_it", "do_it");
	names("memcpy@@GLIBC_2.14", "memcpy");
	names("operator<(P const&, int)", "operator_");
	names("a b", "a_b");
	names("9lives", "_9lives");
	names("__", "_");
}

TEST(ranges)
{
	struct probe_spec s;
	struct err err = ERR_INIT;
	u32 last;

	CHECK_EQ(probe_range_parse("leaf:2-5", &s, &last, &err), 0);
	CHECK_STR(s.func, "leaf");
	CHECK_EQ(s.line, 2);
	CHECK_EQ(last, 5);
	probe_spec_release(&s);
	CHECK_EQ(probe_range_parse("a.c:10+3", &s, &last, &err), 0);
	CHECK_STR(s.file, "a.c");
	CHECK_EQ(last, 12);
	probe_spec_release(&s);
	CHECK_EQ(probe_range_parse("ns::f", &s, &last, &err), 0);
	CHECK_STR(s.func, "ns::f");
	CHECK(!s.has_line);
	probe_spec_release(&s);
	CHECK_EQ(probe_range_parse("leaf:5-2", &s, &last, &err), -EINVAL);
	err_release(&err);
}

TEST(filters)
{
	CHECK(probe_filter_match("!_* & !*@plt", "leaf"));
	CHECK(!probe_filter_match("!_* & !*@plt", "_start"));
	CHECK(!probe_filter_match("!_* & !*@plt", "malloc@plt"));
	CHECK(probe_filter_match("a* | b*", "bx"));
	CHECK(!probe_filter_match("a* | b*", "cx"));
	CHECK(probe_filter_match("!(a* | b*)", "cx"));
	CHECK(!probe_filter_match("!(a* | b*)", "ax"));
	CHECK(probe_filter_match(NULL, "x"));
}
