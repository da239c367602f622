#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# build-arm64.sh [SYSTEM]	builds perf and perf-unit for arm64 in build-arm64/, and puts the libraries that they need beside them
# (build-arm64/lib): what the VM tests of arm64 run. SYSTEM is the root of a Debian that has the compiler and the libraries, such as
# tests/toolchains.sh makes (default: /var/tmp/systems/bookworm-arm64 if it is there, which needs root; else this system, after
# scripts/deps.sh --cross arm64).

set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
system=${1:-/var/tmp/systems/bookworm-arm64}
[ $# = 1 ] || [ -d "$system" ] || system=
out=$top/build-arm64
flags="CROSS_COMPILE=aarch64-linux-gnu- O=build-arm64 -j${JOBS:-2}"

if [ -n "$system" ]; then
	mkdir -p "$system/mnt/perf"
	system=$system top=$top command="make -s $flags build-arm64/perf build-arm64/perf-unit" unshare -m sh -c '
		mount -t proc proc "$system/proc" && mount --rbind /dev "$system/dev" && mount --bind "$top" "$system/mnt/perf" &&
		exec chroot "$system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 sh -c "cd /mnt/perf && $command"'
else
	make -s -C "$top" $flags build-arm64/perf build-arm64/perf-unit
fi

# The libraries, and theirs. Those of packages for compiling (libc6-arm64-cross) come last.
libraries () {
	local name f d
	LC_ALL=C readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p' | while read -r name; do
		[ ! -e "$out/lib/$name" ] || continue
		for d in "$system"/usr/lib/aarch64-linux-gnu "$system"/lib/aarch64-linux-gnu "$system"/usr/aarch64-linux-gnu/lib; do
			f=$d/$name
			[ ! -e "$f" ] || break
		done
		[ -e "$f" ] || { echo "build-arm64.sh: no library $name of arm64" >&2; return 1; }
		cp -L "$f" "$out/lib/"
		libraries "$f"
	done
}
rm -rf "$out/lib"
mkdir "$out/lib"
libraries "$out/perf"
libraries "$out/perf-unit"
# Loaded when needed.
for f in "$system"/usr/lib/aarch64-linux-gnu/libcapstone.so.[0-9]; do
	[ ! -e "$f" ] || cp -L "$f" "$out/lib/"
done
echo "build-arm64.sh: $out is ready"
