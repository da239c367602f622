# SPDX-License-Identifier: GPL-2.0-or-later
# For the scripts that write tables from the uapi headers; $inc is where those are, $tmp a folder for what comes and goes.

# The numbers of the names in a file, by the compiler: "NAME VALUE". Names that are no numbers (they take arguments, or need what
# only the kernel has) are dropped from the file. Fails when the headers themselves cannot be compiled.
uapi_values ()	# NAMES-FILE TYPE HEADER...
{
	local names=$1 type=$2 round start
	shift 2
	for round in 1 2 3; do
		{ printf '#include <%s>\n' stddef.h "$@"; echo 'void f(void) {'; } >"$tmp/one.c"
		start=$(wc -l <"$tmp/one.c")
		sed "s/.*/asm volatile(\"\\\\n->& %0\" :: \"i\"((unsigned long)($type)(&)));/" "$names" >>"$tmp/one.c"
		echo '}' >>"$tmp/one.c"
		if ${CC:-cc} -w -fmax-errors=0 -I"$inc" -I"$inc/$(uname -m)-linux-gnu" -S -o "$tmp/one.s" "$tmp/one.c" 2>"$tmp/err"; then
			sed -nE 's/^->([A-Za-z_0-9]+) \$?(-?[0-9]+).*/\1 \2/p' "$tmp/one.s"
			return 0
		fi
		sed -nE 's/.*one\.c:([0-9]+):.*error.*/\1/p' "$tmp/err" | sort -un | awk -v s="$start" '$1 > s { print $1 - s "d" }' >"$tmp/drop"
		[ -s "$tmp/drop" ] || return 1
		sed -i -f "$tmp/drop" "$names"
	done
	return 1
}
