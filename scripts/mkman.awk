# SPDX-License-Identifier: GPL-2.0-or-later
# The plain text of Documentation/ -> troff for man(1): title, sections underlined with dashes, their
# parts with tildes, "term::" with an indented text, examples as lines with two blanks or a tab first; after [verse] each line
# stays one, until the next empty one. -v date=YYYY-MM-DD -v version=...

function esc(s) {
	gsub(/\\/, "\\e", s)
	gsub(/-/, "\\-", s)
	if (s ~ /^[.']/)
		s = "\\&" s
	return s
}

# 'perf record' is what a user types: bold.
function text(s,	lead) {
	while (match(s, /(^|[ (])'[^' ][^']*'/)) {
		lead = substr(s, RSTART, 1)
		if (lead == "'")
			lead = ""
		s = substr(s, 1, RSTART - 1) lead "\001" substr(s, RSTART + length(lead) + 1, RLENGTH - length(lead) - 2) "\002" \
			substr(s, RSTART + RLENGTH)
	}
	s = esc(s)
	gsub(/\001/, "\\fB", s)
	gsub(/\002/, "\\fR", s)
	return s
}

# Filled text in lines of at most 78 columns.
function fill(s,	n, i, words, line) {
	n = split(s, words, " ")
	line = words[1]
	for (i = 2; i <= n; i++) {
		if (length(line) + 1 + length(words[i]) > 78) {
			print line
			line = words[i] ~ /^[.']/ ? "\\&" words[i] : words[i]
		} else {
			line = line " " words[i]
		}
	}
	print line
}

function end_example() {
	if (example)
		print ".fi\n.RE"
	example = 0
}

# A new paragraph; a heading is followed by one anyway.
function paragraph(macro) {
	if (!fresh)
		print macro
	fresh = 0
}

function put(line) {
	if (line ~ /^\[verse\]$/) {
		verse = 1
		return
	}
	if (line ~ /^-----*$/)
		return
	if (line ~ /^$/) {
		verse = 0
		if (!example)
			blank = 1
		else
			held = held "\n"
		return
	}
	if (line ~ /::$/) {
		end_example()
		sub(/::$/, "", line)
		print (in_term ? ".TQ" : ".TP")
		fresh = 0
		print "\\fB" esc(line) "\\fR"
		in_term = 1
		in_list = 1
		blank = 0
		return
	}
	if (in_list && line ~ /^[\t ]/) {
		if (blank && !in_term)
			print ".IP"
		sub(/^[\t ]+/, "", line)
		fill(text(line))
		in_term = blank = 0
		return
	}
	if (line ~ /^(\t|  )/) {
		if (!example) {
			paragraph(".PP")
			print ".RS 4\n.nf"
			example = 1
		} else if (blank)
			print ""
		printf "%s", held
		held = ""
		sub(/^(\t|  )/, "", line)
		print esc(line)
		blank = 0
		return
	}
	end_example()
	if (blank || in_list || held != "")
		paragraph(".PP")
	else if (verse && !fresh)
		print ".br"
	fresh = 0
	held = ""
	in_list = in_term = blank = 0
	fill(text(line))
}

function section(macro, name) {
	end_example()
	held = ""
	in_list = in_term = blank = 0
	print macro " " name
	fresh = 1
}

NR == 1 {
	name = $0
	section_nr = substr(name, length(name) - 1, 1)
	sub(/\([0-9]\)$/, "", name)
	print ".TH \"" toupper(name) "\" " section_nr " \"" date "\" \"" version "\" \"perf manual\""
	next
}
NR == 2 && /^=+$/ { next }
# A heading is a line with dashes (tildes: of a part) of about its length under it; so one line is held back.
have && /^(--+|~~+)$/ && length($0) >= length(last) - 1 && length($0) <= length(last) + 1 {
	section(/^-/ ? ".SH" : ".SS", last)
	have = 0
	next
}
{
	if (have)
		put(last)
	last = $0
	have = 1
}
END {
	if (have)
		put(last)
	end_example()
}
