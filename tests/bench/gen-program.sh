#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# gen-program.sh SEED FUNCTIONS PREFIX: a C program with deep stacks and many symbols, on stdout. Each function calls one of
# three others that the seed chooses, by the value that it computes; 50 small functions are inlined into them. Run as
# ./program THREADS SECONDS DEPTH.
[ $# = 3 ] || { echo "usage: $0 SEED FUNCTIONS PREFIX" >&2; exit 1; }
awk -v seed="$1" -v n="$2" -v p="$3" 'BEGIN {
	srand(seed)
	print "#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <pthread.h>\n#include <time.h>"
	for (i = 0; i < n; i++)
		printf "uint64_t %s_step_%d(uint64_t x, int depth);\n", p, i
	for (k = 0; k < 50; k++)
		printf "static inline uint64_t %s_mix_%d(uint64_t x)\n{\n\tfor (int i = 0; i < %d; i++) {\n\t\tx ^= x << 13;\n\t\tx ^= x >> 7;\n\t\tx ^= x << %d;\n\t}\n\treturn x;\n}\n", p, k, 20 + k, 5 + k % 20
	for (i = 0; i < n; i++) {
		printf "__attribute__((noinline)) uint64_t %s_step_%d(uint64_t x, int depth)\n{\n", p, i
		printf "\tvolatile uint64_t keep[%d];\n\n\tx = %s_mix_%d(x | 1);\n\tif (depth <= 0)\n\t\treturn x;\n\tkeep[0] = x;\n", 2 + int(rand() * 10), p, int(rand() * 50)
		printf "\tswitch (x %% 37 == 0 ? 0 : x %% 41 == 0 ? 1 : 2) {\n"
		printf "\tcase 0: x += %s_step_%d(x, depth - 1); break;\n", p, int(rand() * n)
		printf "\tcase 1: x ^= %s_step_%d(x, depth - 1); break;\n", p, int(rand() * n)
		printf "\tdefault: x -= %s_step_%d(x, depth - 1);\n\t}\n\treturn x + keep[0];\n}\n", p, int(rand() * n)
	}
	print "static int depth, seconds;"
	printf "static void *run(void *arg)\n{\n\tuint64_t x = (uint64_t)arg * 7919 + 3;\n\ttime_t end = time(NULL) + seconds;\n\n"
	printf "\twhile (time(NULL) < end)\n\t\tfor (int i = 0; i < 200; i++)\n\t\t\tx += %s_step_0(x + i, depth - (x %% 8 == 0 ? (int)(x %% 16) : 0));\n\treturn (void *)x;\n}\n", p
	print "int main(int argc, char **argv)\n{\n\tpthread_t t[64];\n\tint n = argc > 1 ? atoi(argv[1]) : 1;\n\tuint64_t sum = 0;\n"
	print "\tseconds = argc > 2 ? atoi(argv[2]) : 1;\n\tdepth = argc > 3 ? atoi(argv[3]) : 40;\n\tif (n > 64)\n\t\tn = 64;"
	print "\tfor (long i = 0; i < n; i++)\n\t\tpthread_create(&t[i], NULL, run, (void *)(i + 1));"
	print "\tfor (int i = 0; i < n; i++) {\n\t\tvoid *r;\n\n\t\tpthread_join(t[i], &r);\n\t\tsum += (uint64_t)r;\n\t}"
	print "\tprintf(\"%lx\\n\", (unsigned long)sum);\n\treturn 0;\n}"
}'
