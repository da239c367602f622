#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# page.sh PAGE STYLE SCRIPT	the page with both in it, as initializers of C strings, one for each part between lines @PART@.
# The page forbids all that is not in it; style and script are allowed by their hashes.
set -e
export LC_ALL=C
page=$1 style=$2 script=$3
hash () { printf 'sha256-'; sha256sum <"$1" | cut -c1-64 | tr a-f A-F | tr -d '\n' | basenc -d --base16 | base64 | tr -d '\n'; }
bytes () { od -An -v -tx1 | sed 's/ \(..\)/0x\1,/g'; }

{
	while IFS= read -r line; do
		case $line in
		'<style>@STYLE@</style>') printf '<style>'; cat "$style"; echo '</style>' ;;
		'<script>@SCRIPT@</script>') printf '<script>'; cat "$script"; echo '</script>' ;;
		*@HASHES@*) printf '%s\n' "$line" | sed "s|@HASHES@|script-src '$(hash "$script")'; style-src '$(hash "$style")'|" ;;
		*@PART@*) printf '%s\001%s\n' "${line%%@PART@*}" "${line#*@PART@}" ;;
		*) printf '%s\n' "$line" ;;
		esac
	done <"$page"
} | bytes | sed 's/0x01,/0x00,/g'
