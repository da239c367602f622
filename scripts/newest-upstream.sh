#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# newest-upstream.sh	fetches upstream perf of Debian sid, and the libraries it needs, for the tests that compare with it (NEWEST).
# It is unpacked into ${XDG_CACHE_HOME:-~/.cache}/stock-perf (about 250 MB), never installed; perf-sid there runs it.
# Without network, or without a Debian mirror, it says so and ends well: those tests are then skipped.

set -u
dir=${XDG_CACHE_HOME:-$HOME/.cache}/stock-perf
root=$dir/root-sid
give_up () { echo "newest-upstream: $*; the tests that need it will be skipped"; exit 0; }

[ "${1:-}" = --update ] || ! "$dir/perf-sid" version 2>/dev/null || { echo "newest-upstream: $dir/perf-sid"; exit 0; }
command -v apt-get >/dev/null && command -v dpkg >/dev/null || give_up "no apt-get here"
# The mirror that this machine uses anyway.
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | grep -v '^#' |
	grep -oE '(https?|file|mirror\+file)://[^ ]*/debian/?( |$)' | head -n 1 | tr -d ' ')
[ -n "$mirror" ] || give_up "no Debian mirror among the package sources"
mkdir -p "$dir"/state/lists/partial "$dir"/cache/archives/partial || give_up "cannot write to $dir"
: >"$dir/no-packages"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror sid main" >"$dir/sources"

apt () {
	apt-get -qq -o Dir::Etc::SourceList="$dir/sources" -o Dir::Etc::SourceParts=/dev/null -o Dir::State="$dir/state" \
		-o Dir::State::status="$dir/no-packages" -o Dir::Cache="$dir/cache" -o APT::Sandbox::User=root \
		-o Debug::NoLocking=1 -o APT::Get::List-Cleanup=false "$@" </dev/null
}
apt update >/dev/null 2>&1 || give_up "the package lists of sid could not be fetched"
rm -f "$dir"/cache/archives/*.deb
apt install -y --no-install-recommends --download-only linux-perf binutils >/dev/null 2>&1 ||
	give_up "the packages of sid could not be fetched"
rm -rf "$root.new"
mkdir "$root.new"
for deb in "$dir"/cache/archives/*.deb; do
	dpkg -x "$deb" "$root.new" || give_up "cannot unpack $deb"
done
rm -rf "$root" "$dir"/cache/archives/*.deb
mv "$root.new" "$root"
loader=$(find "$root" -name 'ld-linux-*.so.*' | head -n 1)
triplet=$(basename "$(dirname "$(find "$root" -name libc.so.6 | head -n 1)")")
[ -n "$loader" ] && [ -n "$triplet" ] || give_up "no C library among the packages"
cat >"$dir/perf-sid" <<X
#!/bin/sh
export PERF_EXEC_PATH=$root/usr/libexec/perf-core
exec $loader --library-path $root/lib/$triplet:$root/usr/lib/$triplet $root/usr/bin/perf "\$@"
X
chmod +x "$dir/perf-sid"
"$dir/perf-sid" version || give_up "the fetched perf does not run here"
echo "newest-upstream: $dir/perf-sid"
