# SPDX-License-Identifier: GPL-2.0-or-later
# Input: file:line:text of strip.awk. Output: "file name what number line" for functions (lines, nesting, parameters) and
# structs (fields). Functions begin with their head at the first column and a brace of its own line; their end is one, too.
{
	at = index($0, ":")
	file = substr($0, 1, at - 1)
	rest = substr($0, at + 1)
	at = index(rest, ":")
	nr = substr(rest, 1, at - 1) + 0
	text = substr(rest, at + 1)
}
file != last { head = ""; in_fn = 0; in_struct = 0; last = file }
# heads: up to their brace
!in_fn && !in_struct && text ~ /^[A-Za-z_].*[({,]?$/ && text !~ /;[ \t]*$/ && text !~ /^(struct|union|enum)[^(]*\{[ \t]*$/ && text !~ /=/ {
	head = text
	head_nr = nr
	next
}
!in_fn && head != "" && text ~ /^[ \t]/ && text !~ /;[ \t]*$/ { head = head " " text; next }
!in_fn && text ~ /^\{[ \t]*$/ && head ~ /\(/ {
	name = head
	sub(/\(.*/, "", name)
	sub(/.*[ *\t]/, "", name)
	args = head
	sub(/^[^(]*\(/, "", args)
	depth = 0
	n = 1
	for (i = 1; i <= length(args); i++) {
		c = substr(args, i, 1)
		if (c == "(") depth++
		else if (c == ")") { if (depth-- == 0) break }
		else if (c == "," && depth == 0) n++
	}
	print file, name, "parameters", n, head_nr
	in_fn = 1
	start = nr
	deep = braces = 0
	head = ""
	next
}
in_fn {
	if (text ~ /^\}/) {
		print file, name, "lines", nr - start + 1, start
		print file, name, "nesting", deep, start
		in_fn = 0
		next
	}
	if (text !~ /^[ \t]*(\.|\[|struct|static const)/) {
		o = gsub(/\{/, "{", text)
		c = gsub(/\}/, "}", text)
		if (c > o) braces += o - c
		else if (o > c) { braces += o - c; if (text !~ /=[ \t]*\{/ && braces > deep) deep = braces }
	} else {
		braces += gsub(/\{/, "{", text) - gsub(/\}/, "}", text)
	}
	next
}
!in_struct && text ~ /^(typedef )?struct [A-Za-z_0-9]+ \{[ \t]*$/ {
	name = text
	sub(/^(typedef )?struct /, "", name)
	sub(/ .*/, "", name)
	in_struct = 1
	fields = 0
	start = nr
	next
}
in_struct {
	if (text ~ /^\}/) {
		print file, "struct-" name, "fields", fields, start
		in_struct = 0
		next
	}
	if (text ~ /;/) {
		semi = gsub(/;/, ";", text)
		sub(/\([^)]*\)[ \t]*;/, ";", text)
		fields += semi + gsub(/,/, ",", text)
	}
	next
}
{ head = "" }
