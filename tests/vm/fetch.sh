#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fetch.sh [dbg|fprobe|old|arm64|kernels]	downloads what the VM tests boot (about 30 MB of Debian packages: a kernel, a static busybox) and unpacks it
# below PERF_VMDIR (default: perf-vm in the user's cache directory); nothing is installed. With dbg also the kernel's debug
# information (285 MB, 1.7 GB unpacked), that makes the tests of source lines and variables run; with fprobe a second kernel, of
# Debian trixie (35 MB), that has fprobe events; with old that of Debian bullseye (5.10, 44 MB); with arm64 the kernel and the busybox of
# that machine, whose counters qemu emulates (30 MB; tests/vm/arm64.sh); with kernels what
# tests/kernels.sh boots: trixie's, bullseye's, bookworm's own (6.1) and sid's newest.

set -euo pipefail
dir=${PERF_VMDIR:-${XDG_CACHE_HOME:-$HOME/.cache}/perf-vm}
mkdir -p "$dir/x86" "$dir/deb/partial"
cd "$dir"
[ "$(dpkg --print-architecture)" = amd64 ] || { echo "fetch.sh: the VM tests are for amd64" >&2; exit 1; }

# get FOLDER PACKAGE...: downloads and unpacks; the directory is there only when it is complete.
get () {
	local p folder=$1
	shift
	rm -rf "$folder.new"
	mkdir -p "$folder.new"
	for p; do
		rm -f deb/"$p"_*.deb
		( cd deb && apt-get -qq -o APT::Sandbox::User=root -o Acquire::Retries=3 download "$p" )
		dpkg -x deb/"$p"_*.deb "$folder.new"
		rm -f deb/"$p"_*.deb
	done
	rm -rf "$folder"
	mv "$folder.new" "$folder"
}

# Kernels of 2026 and newer are packages of parts, of which linux-image- only says that they belong together.
parts () {
	apt-cache depends "$1" | grep -oE '(linux-binary|linux-modules)-[0-9][^ ]*' || echo "$1"
}

# newest_kernel BEGIN: of the versions that begin so; all if it is empty.
newest_kernel () {
	apt-cache pkgnames "linux-image-${1:+$1.}" | grep -E '^linux-image-[0-9.]+.*-cloud-amd64$' | sort -V | tail -n 1
}

[ -x x86/bb/bin/busybox ] || [ -x x86/bb/usr/bin/busybox ] || get x86/bb busybox-static
if [ ! -d x86/kcloud/boot ]; then
	kernel=$(newest_kernel 6)
	[ -n "$kernel" ] || { echo "fetch.sh: no cloud kernel in the package lists (apt-get update?)" >&2; exit 1; }
	get x86/kcloud $(parts "$kernel")
fi
kv=$(ls x86/kcloud/lib/modules 2>/dev/null || ls x86/kcloud/usr/lib/modules)
if [ "${1:-}" = dbg ] && [ ! -f "dbgpkg/usr/lib/debug/boot/vmlinux-$kv" ]; then
	get dbgpkg "linux-image-$kv-dbg"
fi
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | grep -v '^#' | grep -oE 'https?://[^ ]*/debian/?( |$)' |
	head -n 1 | tr -d ' ') || true	# not all of these files are there
# lists NAME RELEASE [SETTINGS]: this subshell uses package lists of its own: the system's stay as they are.
lists () {
	local lists=$dir/apt-$1
	mkdir -p "$lists/partial"
	echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror:-http://deb.debian.org/debian} $2 main" >"$lists.list"
	cat >"$lists.conf" <<X
Dir::Etc::SourceList "$lists.list"; Dir::Etc::SourceParts "/dev/null"; Dir::State::Lists "$lists";
Dir::Cache::pkgcache ""; Dir::Cache::srcpkgcache ""; APT::Sandbox::User "root"; ${3:-}
X
	export APT_CONFIG=$lists.conf
	apt-get -qq update
}

# from RELEASE FOLDER PATTERN: the newest kernel of another Debian release.
from () {
	local kernel
	[ ! -d "$2" ] || return 0
	(
		lists "$1" "$1"
		kernel=$(newest_kernel "$3")
		[ -n "$kernel" ] || { echo "fetch.sh: $1 has no such kernel" >&2; exit 1; }
		get "$2" $(parts "$kernel")
	)
	[ -e "$2/lib" ] || ln -s usr/lib "$2/lib"
	[ -e "$2/boot" ] || {
		kernel=$(ls "$2/lib/modules")
		mkdir "$2/boot" && ln -s "../lib/modules/$kernel/vmlinuz" "$2/boot/vmlinuz-$kernel"
	}
}

# Kernel and busybox of arm64, of bookworm, by lists of that machine.
arm64 () {
	local kernel
	[ ! -d arm/kcloud ] || return 0
	mkdir -p arm
	(
		lists arm64 bookworm 'Dir::State::status "/dev/null"; APT::Architecture "arm64"; APT::Architectures "arm64";'
		get arm/bb busybox-static
		kernel=$(apt-cache pkgnames linux-image-6. | grep -E '^linux-image-6[0-9.]+-[0-9]+-cloud-arm64$' | sort -V | tail -n 1)
		[ -n "$kernel" ] || { echo "fetch.sh: no cloud kernel of arm64" >&2; exit 1; }
		get arm/kcloud "$kernel"
	)
}

[ "${1:-}" != arm64 ] || arm64
case ${1:-} in fprobe|kernels) from trixie x86/kfprobe 6 ;; esac
case ${1:-} in old|kernels) from bullseye x86/k510 5.10 ;; esac
[ "${1:-}" != kernels ] || { from bookworm x86/k61 6.1; from sid x86/ksid ""; }
echo "fetch.sh: $kv is in $dir"
