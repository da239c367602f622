#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What watching locks costs the load: W = threads that read one file by its position, which has a mutex of the kernel, and
# threads that fight for one mutex of theirs. Each row the best of RUNS (five): CPU seconds of the load (user and system), times
# native. The cost of lock contention -b is to be at most half of that of upstream's, or of its lock record, where that has no BPF.
top=$(cd "$(dirname "$0")/../.." && pwd)
perf=${PERF:-$top/build/perf} upstream=${UPSTREAM:-/usr/bin/perf} loops=${LOOPS:-20000}
. "$top/tests/bench/table.sh"
tmp=$(mktemp -d "${TMPDIR:-/tmp}/bench-lock.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cat >"$tmp/fight.c" <<\EOF
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int fd;
static long loops;
static void *kernel(void *p)
{
	char *b = malloc(65536);

	for (long i = 0; i < loops; i++)
		if (read(fd, b, 65536) <= 0)
			lseek(fd, 0, SEEK_SET);
	return p;
}
static volatile long sum;
static void *futex(void *p)
{
	for (long i = 0; i < loops; i++) {
		pthread_mutex_lock(&m);
		for (int k = 0; k < 5000; k++)
			sum += k;
		pthread_mutex_unlock(&m);
	}
	return p;
}
int main(int argc, char **argv)
{
	pthread_t t[4];

	fd = open("/dev/shm", O_TMPFILE | O_RDWR, 0600);
	if (ftruncate(fd, 1L << 33))	/* a hole takes no memory */
		return 2;
	loops = atol(argv[2]);
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, argv[1][0] == 'k' ? kernel : futex, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return argc != 3;
}
EOF
cc -O2 -D_GNU_SOURCE -pthread -o "$tmp/fight" "$tmp/fight.c" || exit 1
# the program says what it used itself: the rest is the tracer's
for w in kernel futex; do printf '#!/bin/sh\n"%s" %s %s\ntimes >"%s"\n' "$tmp/fight" $w "$loops" "$tmp/used" >"$tmp/$w"; done
chmod +x "$tmp/kernel" "$tmp/futex"

seconds () { awk 'NR == 2 { for (i = 1; i <= NF; i++) { split($i, t, /[ms]/); s += t[1] * 60 + t[2] } print s }' "$tmp/used"; }

row () {	# TITLE COMMAND...: into $best
	local title=$1 i t
	shift
	best=
	for i in $(seq "${RUNS:-5}"); do
		rm -f "$tmp/used"
		"$@" >"$tmp/out" 2>&1
		t=$([ -e "$tmp/used" ] && seconds)
		[ -n "$t" ] || { printf '%-32s cannot: %s\n' "$title" "$(head -1 "$tmp/out")"; return 1; }
		best=$(awk -v a="${best:-$t}" -v b="$t" 'BEGIN { print a < b ? a : b }')
	done
	[ -n "${native:-}" ] || native=$best
	printf '%-32s %7.3f s %6.2f x\n' "$title" "$best" "$(awk -v a="$best" -v n="$native" 'BEGIN { print a / n }')"
}
cost () { awk -v a="$best" -v n="$native" 'BEGIN { print a - n }'; }

native=
row native "$tmp/kernel"
row 'lock contention -b' "$perf" lock contention -b -q "$tmp/kernel" && ours=$(cost)
row 'lock contention -b -t' "$perf" lock contention -b -q -t "$tmp/kernel"
row 'lock record' "$perf" lock record -q -o "$tmp/our.data" "$tmp/kernel"
theirs=
row 'upstream lock contention -b' "$upstream" lock contention -b "$tmp/kernel" && theirs=$(cost)
if row 'upstream lock record' "$upstream" lock record -q -o "$tmp/their.data" "$tmp/kernel" && [ -z "$theirs" ]; then theirs=$(cost); fi
[ -z "$theirs" ] || bench_row 'lock contention -b: cost to the load, times upstream' \
	"$(awk -v a="$ours" -v b="$theirs" 'BEGIN { printf("%.2f", b > 0 ? (a > 0 ? a / b : 0) : 0) }')" "" "<=0.5"
native=
row 'native, futexes' "$tmp/futex"
row 'lock futex' "$perf" lock futex -q "$tmp/futex"
row 'lock futex record' "$perf" lock futex record -q -o "$tmp/futex.data" "$tmp/futex"
