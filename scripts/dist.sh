#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# dist.sh DIR	makes DIR/perf-VERSION.tar.xz of the sources: in a checkout of what git knows (as it is now), else of all that is
# not built. The same sources are the same bytes: names in order, no owner, the time of the last commit (or SOURCE_DATE_EPOCH).

set -eu
[ $# = 1 ] || { echo "usage: dist.sh DIR" >&2; exit 129; }
out=$(realpath -m "$1")
cd "$(dirname "$0")/.."
version=$(sed -n 's/^#define PERF_RELEASE "\(.*\)"$/\1/p' builtin.h)
list=$(mktemp)
trap 'rm -f "$list"' EXIT
if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$PWD" ]; then
	git ls-files --cached | grep -v '^\.' | while IFS= read -r f; do [ ! -e "$f" ] && [ ! -L "$f" ] || printf '%s\n' "$f"; done >"$list"
	when=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
else
	find . -path './.?*' -prune -o -path './build*' ! -name '*.[ch]' -prune -o ! -type d -print | sed 's|^\./||' | grep -vx perf >"$list"
	when=${SOURCE_DATE_EPOCH:-$(stat -c %Y builtin.h)}
fi
mkdir -p "$out"
LC_ALL=C sort -o "$list" "$list"
tar --create --files-from="$list" --transform="s|^|perf-$version/|S" --format=ustar --owner=0 --group=0 --numeric-owner \
	--mode=u=rwX,go=rX --mtime="@$when" | xz -T1 >"$out/perf-$version.tar.xz.new"
mv -f "$out/perf-$version.tar.xz.new" "$out/perf-$version.tar.xz"
echo "$out/perf-$version.tar.xz"
