# SPDX-License-Identifier: GPL-2.0-or-later
# Bodies of tests. Without -v parse=1: test scripts to "FILE LINE\nBODY" records that end with \1. With it: what bash's "declare -f"
# prints of them, a statement a line, to "FILE WHAT 1 LINE" for each statement that is not joined to the next one:
#	unjoined	its failure is not noticed: what comes after decides
#	loop		a loop whose status is that of its last turn alone: its last statement has no "|| return 1"
#	true		"|| true" and "|| :": cannot fail
# A loop is asked for its last statement alone: one that is in order needs no "&&" after it.
# A group after "||" says what failed: it may have several. An assignment of a constant, and "test_skip; return", cannot fail.

function word_end(s, i,   c, q)
{	# from i, one word of the shell: quotes are taken off; ends at a blank or a line's end outside of them
	word = ""
	for (; i <= length(s); i++) {
		c = substr(s, i, 1)
		if (q == "'") {
			if (c == "'") q = ""
			else word = word c
		} else if (q == "\"") {
			if (c == "\"") q = ""
			else if (c == "\\" && index("\"\\$`", substr(s, i + 1, 1))) word = word substr(s, ++i, 1)
			else word = word c
		} else if (c == "'" || c == "\"") {
			q = c
		} else if (c == "\\") {
			i++
			if (substr(s, i, 1) != "\n") word = word substr(s, i, 1)
		} else if (c == " " || c == "\t" || c == "\n" || c == ";") {
			break
		} else {
			word = word c
		}
	}
	return i
}

function bodies(file, text,   at, i, n, line, rest)
{
	line = 1
	while (match(text, /(^|\n)[ \t]*test_expect_success /)) {
		at = RSTART + RLENGTH
		rest = substr(text, 1, at - 1)
		line += gsub(/\n/, "\n", rest)
		text = substr(text, at)
		for (i = 1; i <= length(text) && substr(text, i, 1) !~ /[\n;]/;) {
			if (substr(text, i, 1) ~ /[ \t]/) { i++; continue }
			if (substr(text, i, 2) == "\\\n") { i += 2; continue }
			i = word_end(text, i)
			last = word
		}
		printf "%s %d\n%s%c", file, line, last, 1
		rest = substr(text, 1, i - 1)
		line += gsub(/\n/, "\n", rest)
		text = substr(text, i)
	}
}

function found(what) { print file, what, 1, at, show ? pending : "" }

# One statement less its ";" and its indentation, of which nothing is lost when the next one follows.
function harmless(s)
{
	gsub(/\$\(\(/, "", s)	# arithmetic is no command
	return s ~ /^(local )?[A-Za-z_0-9]+=[^`(]*$/ && s !~ /[&|]/ && s !~ /\$\(/ || s ~ /^(local [A-Za-z_ =]+|test_skip .*|shift)$/ ||
		s ~ /^(echo|printf|:)( [^|&]*)?$/ || s ~ /[^&]& [a-z_]+=\$!$/ || leaves(s)
}

# It says itself what is to be done when it fails.
function leaves(s)
{
	return s ~ /^(return|exit|break|continue)( [0-9]+)?$/ || s ~ /\|\| ((return|exit|break|continue)( [0-9]+)?|[a-z_]+=[^ ]*)$/ ||
		s ~ /&& (return|exit|break|continue)( [0-9]+)?$/ || s ~ /^[a-z_]*(bad|failed|wrong)=[^ ]*$/
}

!parse { text = FNR == 1 ? $0 : text "\n" $0; if (FNR == 1 && name) bodies(name, before); name = FILENAME; before = text }
END { if (!parse && name) bodies(name, before) }

# --- normalized
BEGIN { quiet = "^(echo|printf|cat|sed|awk|read|kill|head) " }
parse && /^@ / {
	file = $2; at = $3; top = 0; heredoc = ""; pending = ""
	if ($4) found($4)	# bash does not understand it
	next
}
parse && heredoc != "" { if ($0 == heredoc || $0 ~ "^\t*" heredoc "$") heredoc = ""; next }
parse {
	s = $0
	gsub(/^ +| +$/, "", s)
	if (match(s, /<<-?['"\\]?[A-Za-z_]+/)) {
		heredoc = substr(s, RSTART, RLENGTH)
		gsub(/^<<-?['"\\]?/, "", heredoc)
	}
	if (s ~ /\|\| (true|:)( |;|$)/) found("true")
	closes = s ~ /^(\}|done|fi|esac|;;|\)|else|elif)/
	# what was before is a statement of its own, and something follows it in the same block
	if (pending != "" && s != "do") {
		if (s ~ /^done/) {
			if (block[top] == "loop" && !harmless(pending) && pending !~ quiet)
				found("loop")
		} else if (!closes && block[top] != "handler" && !harmless(pending) && s !~ /\$\?/) {
			found("unjoined")
		}
	}
	pending = ""
	if (s ~ /^(\}|done|fi|esac|\))/ && top > 0) {
		was = block[top--]
		# a group after "||" that leaves: so does what it belongs to
		ended = was == "handler" && leaves(before) ? "return" : ""
	}
	if (s ~ /\{$/)
		block[++top] = s ~ /\|\| \{$/ || block[top - 1] == "handler" ? "handler" : "group"
	else if (s ~ /^do$/)
		block[++top] = "loop"
	else if (s ~ /(^|[^a-z])then$/ && s !~ /^elif/)
		block[++top] = block[top - 1] == "handler" ? "handler" : "if"
	else if (s ~ / in$/ && s ~ /(^|[^a-z])case /)
		block[++top] = "case"
	if (s ~ /;$/ && s !~ /;;$/)
		pending = s ~ /^done;$/ || (s ~ /^\};$/ && ended == "return") ? "return" : substr(s, 1, length(s) - 1)
	before = s
	sub(/;$/, "", before)
}
