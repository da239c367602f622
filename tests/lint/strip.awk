# SPDX-License-Identifier: GPL-2.0-or-later
# C without its comments and the contents of its strings (with them: -v keep=1); each line as file:line:text.
FNR == 1 { comment = 0 }
{
	out = ""
	line = $0
	while (line != "") {
		if (comment) {
			end = index(line, "*/")
			if (!end) break
			line = substr(line, end + 2)
			comment = 0
			continue
		}
		if (!match(line, /"|'|\/\*|\/\//)) { out = out line; break }
		out = out substr(line, 1, RSTART - 1)
		token = substr(line, RSTART, RLENGTH)
		line = substr(line, RSTART + RLENGTH)
		if (token == "//") break
		if (token == "/*") { comment = 1; continue }
		re = token == "\"" ? "^([^\"\\\\]|\\\\.)*\"" : "^([^'\\\\]|\\\\.)*'"
		if (!match(line, re)) break
		out = out token (keep ? substr(line, 1, RLENGTH) : token)
		line = substr(line, RLENGTH + 1)
	}
	print FILENAME ":" FNR ":" out
}
