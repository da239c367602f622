#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Who may include whom: util/LAYERS for rooms; "-priv.h" headers only from their own directory; the headers of libraries only
# where the design has them.
. tests/lint/sources.inc

includes=$(c_sources | xargs grep -nE '^[[:space:]]*#[[:space:]]*include' /dev/null)

# The room of a path: util/base/x.c -> base, arch/x86/x.c -> arch, perf.c -> "" (may include all that is public)
printf '%s\n' "$includes" | awk '
	function room(path,  p) {
		split(path, p, "/")
		return p[1] == "util" ? p[2] : p[1] == "arch" ? "arch" : p[1] == "include" ? "include" : ""
	}
	function directory(path) { return path ~ /\// ? substr(path, 1, match(path, /\/[^\/]*$/) - 1) : "" }
	BEGIN {
		while ((getline line < "util/LAYERS") > 0) {
			sub(/#.*/, "", line)
			n = split(line, w, /[: \t]+/)
			if (!w[1]) continue
			known[w[1]] = 1
			for (i = 2; i <= n; i++) may[w[1], w[i]] = 1
		}
	}
	match($0, /#[ \t]*include[ \t]*"[^"]*"/) {
		split($0, f, ":")
		file = f[1]; at = file ":" f[2] ": "
		inc = $0
		sub(/^[^"]*"/, "", inc)
		sub(/".*/, "", inc)
		from = room(file); to = room(inc)
		if (from != "" && from != "include" && !known[from])
			print at "room " from " is not in util/LAYERS"
		if (inc ~ /-priv\.h$/ && file ~ /\.h$/ && file !~ /-priv\.h$/)
			print at "a public header includes a private one: " inc
		if (inc ~ /-priv\.h$/ && directory(inc) != directory(file))
			print at "private header " inc " of another directory"
		if (inc ~ /^builtin(-[a-z-]+)?\.h$/) {
			if (from != "") print at "rooms do not know commands: " inc
		} else if (inc ~ /^bpf\/.*\.skel\.h$/) {
			if (from != "bpf") print at inc " belongs to room bpf"
		} else if (inc ~ /^(gen|generated)\//) {
			;
		} else if (to == "") {
			print at "include paths start at the top directory: " inc
		} else if (to == "include") {
			;
		} else if (from == "include") {
			print at "include/ knows no room: " inc
		} else if (from != "" && from != to && !((from, to) in may)) {
			print at from " may not include " inc
		}
	}' | verdict "layers: includes follow util/LAYERS"

# header as regular expression	files that may have it
printf '%s\n' "$includes" | awk '
	BEGIN {
		lib["slang(/|\\.h)"] = "^util/view/tui/screen-slang\\.c:"
		lib["(bpf/|linux/bpf\\.h)"] = "^util/(bpf|os)/"
		lib["(traceevent/|event-parse\\.h|trace-seq\\.h|kbuffer\\.h)"] = "^util/event/tracepoint[^/]*\\.c:"
		lib["(capstone/|capstone\\.h)"] = "^util/disasm/capstone[^/]*\\.[ch]:"
		lib["Python\\.h"] = "^util/script/python[^/]*\\.[ch]:"
		lib["libunwind"] = "^util/unwind/libunwind[^/]*\\.c:"
		lib["elfutils/debuginfod\\.h"] = "^util/symbols/debuginfod\\.c:"
		lib["(elfutils/libdw|dwarf\\.h|libdw)"] = "^(util/(elf|dwarf|unwind|probe)|arch)/"
		lib["(gelf|libelf)\\.h"] = "^util/(dwarf|unwind)/"
		lib["zstd\\.h"] = "^util/(data|elf|export)/zstd\\.c:"
		lib["zlib\\.h"] = "^util/(data|elf|export)/"
		lib["sqlite3\\.h"] = "^util/export/sqlite[^/]*\\.[ch]:"
		lib["lzma\\.h"] = "^util/elf/lzma\\.c:"
		lib["(libiberty|demangle\\.h)"] = "^util/elf/"
	}
	match($0, /#[ \t]*include[ \t]*<[^>]*>/) {
		inc = $0
		sub(/^[^<]*</, "", inc)
		sub(/>.*/, "", inc)
		for (l in lib)
			if (inc ~ "^" l && $0 !~ lib[l] && $0 !~ /\.bpf\.c:/) {
				split($0, f, ":")
				print f[1] ":" f[2] ": <" inc "> is not for this file"
			}
	}' | verdict "layers: library headers only in their own files"
