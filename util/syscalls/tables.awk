# SPDX-License-Identifier: GPL-2.0-or-later
# flags.in, uapi.in and calls.in to C: struct sysx tables and the array of calls, sorted by name.
function end_table() {
	if (table != "")
		printf "\t{ NULL, 0, NULL }\n};\n"
	table = ""
}
function fail(text) { print FILENAME ":" FNR ": " text > "/dev/stderr"; bad = 1; exit 1 }
# A/B: two names
function item(names, value,	p) {
	if (split(names, p, "/") == 1)
		p[2] = p[1]
	printf "\t{ \"%s\", %s, \"%s\" },\n", p[1], value, p[2]
}
FILENAME ~ /(flags|uapi)\.in$/ {
	if ($0 ~ /^#/ || NF == 0)
		next
	if ($1 == "bits" || $1 == "values") {
		end_table()
		table = $2
		prefix[table] = $3
		is_bits[table] = $1 == "bits"
		tables[++n_tables] = table
		printf "static const struct sysx_item x_%s[] = {\n", table
		unknown[table] = $3 == "" ? "NULL" : "\"" $3 "???\""
		next
	}
	if ($1 == "zero") {
		zero[table] = $2
		zero_mask[table] = $3 == "" ? "0" : $3
		next
	}
	if ($1 == "unknown") {
		unknown[table] = $2 == "-" ? "NULL" : "\"" $2 "\""
		next
	}
	for (i = 1; i <= NF; i++) {
		w = $i
		if (w ~ /^=/) {		# =C_NAME:TEXT=VALUE
			sub(/^=[^:]*:/, "", w)
			split(w, p, "=")
			item(p[1], p[2])
		} else if (w ~ /=/) {
			split(w, p, "=")
			item(p[1], p[2])
		} else {
			printf "#ifdef %s%s\n\t{ \"%s\", (u32)%s%s, \"%s\" },\n#endif\n", prefix[table], w, w, prefix[table], w, w
		}
	}
	next
}
FNR == 1 {
	end_table()
	for (i = 1; i <= n_tables; i++) {
		t = tables[i]
		printf "const struct sysx sysx_%s = { x_%s, \"%s\", %s, %s, %s, %s };\n", t, t, prefix[t], zero[t] == "" ? "NULL" : "\"" zero[t] "\"", is_bits[t] ? "true" : "false", zero_mask[t] == "" ? "0" : zero_mask[t], unknown[t]
	}
}
/^#/ || NF == 0 { next }
$2 == "=" { alias[$1] = $3; names[++n] = $1; next }
{
	names[++n] = $1
	args = ""
	n_args = 0
	classes = "0"
	ret = "LONG"
	split("", index_of)
	for (i = 2; i <= NF; i++) {
		if ($i ~ /^->/ || $i ~ /^%/)
			continue
		split($i, p, ":")
		index_of[p[1]] = n_args++
	}
	if (n_args > 6)
		fail("too many arguments: " $1)
	for (i = 2; i <= NF; i++) {
		if ($i ~ /^->/) { ret = toupper(substr($i, 3)); continue }
		if ($i ~ /^%/) {
			m = split(substr($i, 2), c, "+")
			for (j = 1; j <= m; j++)
				classes = classes "|SYS_CLASS_" toupper(c[j])
			continue
		}
		split($i, p, ":")
		other = "-1"
		if ($i ~ /:.*:/) {
			other = p[3] == "ret" ? 6 : index_of[p[3]]
			if (other == "")
				fail("no argument '" p[3] "' in " $1)
		}
		tab = "NULL"
		kind = p[2]
		type = "NULL, 0"
		if (kind ~ /^o?struct=/) {	# struct=NAME/BYTES
			split(kind, q, /[=\/]/)
			kind = q[1]
			type = "\"" q[2] "\", " q[3]
		}
		if (kind ~ /^[@%]/) {
			t = substr(kind, 2)
			if (!(t in is_bits))
				fail("no table " t)
			tab = "&sysx_" t
			kind = kind ~ /^@/ ? "bits" : "value"
		}
		args = args sprintf("{ \"%s\", SYS_%s, %s, %s, %s }, ", p[1], toupper(kind), other, tab, type)
	}
	body[$1] = sprintf("%d, SYS_RET_%s, %s, { %s}", n_args, ret, classes, args)
}
END {
	if (bad)
		exit 1
	print "static const struct syscall_info calls[] = {"
	for (i = 1; i <= n; i++)
		sorted[i] = names[i]
	for (i = 2; i <= n; i++) {
		v = sorted[i]
		for (j = i - 1; j > 0 && sorted[j] > v; j--)
			sorted[j + 1] = sorted[j]
		sorted[j + 1] = v
	}
	for (i = 1; i <= n; i++) {
		v = sorted[i]
		b = v in alias ? alias[v] : v
		if (!(b in body)) {
			print "no call " b > "/dev/stderr"
			exit 1
		}
		printf "\t{ \"%s\", \"%s\", %s },\n", v, b, body[b]
	}
	print "};"
}
