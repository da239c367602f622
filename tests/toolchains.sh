#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# toolchains.sh DIR [ROW...]	builds perf in clean Debian systems below DIR, which are made there and stay (mmdebstrap; 1 to 2 GB
# each), and writes a line of Documentation/TOOLCHAINS.md for each ROW, a name of the table below; all without one. Needs root, the
# network and some minutes a row, no package on this machine but mmdebstrap and, for other instruction sets, qemu-user-static.
# JOBS=2: of make. MIRROR=http://deb.debian.org/debian
#
# A row is green when there is no warning (they are errors) and the unit tests pass; a package when it is built, lintian has
# no errors and what was installed of it runs.

set -u
rows="
	bookworm-gcc	bookworm	gcc	-
	bookworm-gcc-11	bookworm	gcc-11	CC=gcc-11
	bookworm-clang-13	bookworm	clang-13	CC=clang-13
	bookworm-clang-14	bookworm	clang-14	CC=clang-14
	bookworm-clang-15	bookworm	clang-15	CC=clang-15
	bookworm-clang-16	bookworm	clang-16	CC=clang-16
	trixie-gcc	trixie	gcc	-
	trixie-clang	trixie	clang	CC=clang
	sid-gcc	sid	gcc	-
	sid-gcc-16	sid	gcc-16	CC=gcc-16
	sid-clang-21	sid	clang-21	CC=clang-21
	bookworm-arm64	bookworm	arm64	-
	trixie-arm64	trixie	arm64	-
	trixie-riscv64	trixie	riscv64	-
	bookworm-deb	bookworm	deb	-
	trixie-deb	trixie	deb	-
	sid-deb	sid	deb	-
"
required="libelf-dev libdw-dev libunwind-dev libtraceevent-dev zlib1g-dev"
optional="libzstd-dev liblzma-dev libcapstone-dev libiberty-dev libbpf-dev libslang2-dev libsqlite3-dev libpfm4-dev"
tools="make pkg-config xz-utils libc6-dev gcc clang llvm bpftool binutils mawk man-db"

[ $# -ge 1 ] || { echo "usage: toolchains.sh DIR [ROW...]" >&2; exit 129; }
mkdir -p "$1" && dir=$(cd "$1" && pwd) || exit 1
shift
top=$(cd "$(dirname "$0")/.." && pwd)
command -v mmdebstrap >/dev/null || { echo "toolchains.sh: mmdebstrap is not installed" >&2; exit 1; }

# As root of the system $root, with /proc and /dev, in the sources; the mounts end with the command.
inside () {
	root=$root command=$1 unshare -m sh -c 'mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" &&
		exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 sh -c "cd /perf && $command"'
}

# The system of a suite and an instruction set: made once. $1: suite, $2: Debian's name of the other machine, or nothing
system () {
	local other=$2 packages p
	root=$dir/$1${2:+-$2}
	[ -d "$root/usr/lib" ] && return
	packages="$tools dpkg-dev"
	for p in $required $optional; do packages="$packages $p${other:+:$other}"; done
	[ -z "$other" ] || packages="$packages libc6-dev:$other gcc-$(dpkg-architecture -a "$other" -q DEB_HOST_GNU_TYPE 2>/dev/null | tr _ -)"
	# mirrors that are frozen, as snapshots are, have lists that were to be valid for a week
	mmdebstrap --quiet --variant=minbase --aptopt='Acquire::Check-Valid-Until "false"' --dpkgopt=force-unsafe-io --architectures="$(dpkg --print-architecture)${other:+,$other}" \
		--include="$(echo $packages | tr ' ' ,)" "$1" "$root" "${MIRROR:-http://deb.debian.org/debian}" ||
		{ rm -rf "$root"; return 1; }
}

more () { inside "apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install $* >/dev/null"; }

sources () {
	rm -rf "$root/perf" && mkdir "$root/perf" && "$top/scripts/dist.sh" "$root/tmp" >/dev/null &&
		tar xJf "$root"/tmp/perf-*.tar.xz -C "$root/perf" --strip-components=1
}

# The unit tests of the build, by the emulator if there is one: "812 passed, 1 skipped", or the failures
unit_tests () {
	inside "$1 build/perf-unit" >"$log.unit" 2>&1
	awk -v rc=$? '/^not ok/ { bad++ } /^ok/ { ok++ } /^ok.*# SKIP/ { skip++; ok-- }
		END { printf "%d passed%s%s", ok, skip ? ", " skip " skipped" : "", bad || rc ? ", " bad " failed" : ""; exit bad || rc }' "$log.unit"
}

build () {	# NAME SUITE TOOL ARGUMENTS
	local emulator= args=$4 other= said
	case $3 in arm64|riscv64) other=$3 ;; esac
	system "$2" "$other" && sources || return 1
	case $other in
	"") more "$3" || { echo "| $1 | not in $2 | | |"; return 1; } ;;
	*)	args="CROSS_COMPILE=$(dpkg-architecture -a "$other" -q DEB_HOST_GNU_TYPE 2>/dev/null)-"
		emulator=qemu-${args#CROSS_COMPILE=}; emulator=${emulator%%-linux*}-static
		cp "$(command -v "$emulator")" "$root/usr/bin/" || return 1 ;;
	esac
	[ "$args" != - ] || args=
	if ! inside "make -s -k -j${JOBS:-2} WERROR=1 $args all workloads" >"$log" 2>&1; then
		echo "| $1 | $(compiler "$args") | $(grep -cE ' error: |undefined reference' "$log") errors, see $log | |"
		return 1
	fi
	said=$(unit_tests "$emulator")
	rc=$?
	echo "| $1 | $(compiler "$args") | none | $said |"
	return $rc
}

compiler () {
	local cc=gcc
	case $1 in CC=*) cc=${1#CC=} ;; CROSS_COMPILE=*) cc=${1#CROSS_COMPILE=}gcc ;; esac
	inside "$cc --version" | sed -n '1s/ *([^()]*)//; 1p'
}

package () {	# NAME SUITE
	system "$2" "" && sources && more debhelper lintian || return 1
	inside "dpkg-buildpackage -us -uc -b -j${JOBS:-2}" >"$log" 2>&1 || { echo "| $1 | not built, see $log | | |"; return 1; }
	inside "lintian --allow-root --fail-on error ../perf_*.changes" >"$log.lintian" 2>&1 || { echo "| $1 | lintian complains, see $log.lintian | | |"; return 1; }
	inside "apt-get -qq -y --no-install-recommends install ../perf_*.deb >/dev/null && cd / && perf --version && perf test -l" >"$log.run" 2>&1 ||
		{ echo "| $1 | does not run, see $log.run | | |"; return 1; }
	echo "| $1 | $(compiler "") | none | package: $(grep -c ^W: "$log.lintian") warnings of lintian, $(head -n 1 "$log.run") |"
}

bad=0
echo "| row | compiler | warnings and errors | unit tests |"
echo "|---|---|---|---|"
while read -r name suite tool args; do
	[ -n "$name" ] || continue
	[ $# = 0 ] || [[ " $* " == *" $name "* ]] || continue
	log=$dir/$name.log
	case $tool in deb) package "$name" "$suite" ;; *) build "$name" "$suite" "$tool" "$args" ;; esac || bad=1
done <<<"$rows"
exit $bad
