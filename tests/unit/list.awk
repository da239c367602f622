# SPDX-License-Identifier: GPL-2.0-or-later
# Makes the list of unit tests from the TEST(name) lines of tests/unit/**/test-*.c.
BEGIN {
	print "/* generated */"
	print "#include \"tests/unit/unit.h\"\n"
}
/^TEST\([a-z0-9_]+\)/ {
	id = FILENAME
	sub(/^tests\/unit\//, "", id)
	sub(/\.c$/, "", id)
	sub(/\/test-/, "/", id)
	name = $0
	sub(/^TEST\(/, "", name)
	sub(/\).*/, "", name)
	fn = id
	gsub(/[\/-]/, "_", fn)
	fn = "unit_" fn "__" name
	print "void " fn "(void);"
	rows = rows "\t{ \"" id "/" name "\", " fn " },\n"
}
END {
	print "\nconst struct unit_test unit_tests[] = {\n" rows "\t{ NULL, NULL }\n};"
}
