# SPDX-License-Identifier: GPL-2.0-or-later
# -v list=FILE -v stale=0|1: compares "file what number [where]" with the list of what is allowed, "file what number  # reason".
# stale=0: what is more than allowed. stale=1: lines of the list that nothing needs any more, or without a reason.
BEGIN {
	while ((getline line < list) > 0) {
		if (line ~ /^[ \t]*(#|$)/) continue
		n = split(line, w, /[ \t]+/)
		allowed[w[1], w[2]] = w[3]
		lines[w[1], w[2]] = w[1] " " w[2]
		if (stale && line !~ /#[ \t]*[A-Za-z]/) print list ": without a reason: " w[1] " " w[2]
	}
}
{ seen[$1, $2] = 1 }
!stale && $3 > allowed[$1, $2] + 0 {
	print $1 ($4 ? ":" $4 : "") ": " $2 " " $3 (allowed[$1, $2] ? ", not " allowed[$1, $2] : "")
}
END {
	if (stale)
		for (k in lines)
			if (!(k in seen)) print list ": not needed any more: " lines[k]
}
