// SPDX-License-Identifier: GPL-2.0-or-later
// Lines of the function_graph tracer of Linux 6.1 and newer, and what they add up to.
#include <string.h>

#include "tests/unit/unit.h"
#include "util/analysis/ftrace.h"
#include "util/base/str.h"
#include "util/view/ftrace-text.h"

static const char *const lines[] = {
	"# tracer: function_graph",
	"# CPU  DURATION                  FUNCTION CALLS",
	" 0)               |  vfs_read() {",
	" 0)   0.250 us    |    rw_verify_area();",
	" 0) + 12.500 us   |  } /* vfs_read */",
	" 1) ! 150.000 us  |  } /* vfs_read [ext4] */",
	" 1) $ 2000000 us  |  } /* schedule */",
	" 1)   0.750 us    |      rw_verify_area [ext4]();",
	" ------------------------------------------",
	" 0)  bash-123  =>  sleep-456",
	" 0)   ==========> |",
	"CPU:1 [LOST 55 EVENTS]",
	" 1) # 1023.999 us |  }",
	" 1)               |  /* a mark */",
};

static struct ftrace_model *model(const struct latency_buckets *b)
{
	struct ftrace_model *m = ftrace_model_new(b);

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		ftrace_model_line(m, lines[i], strlen(lines[i]));
	return m;
}

TEST(ftrace_profile)
{
	const struct latency_buckets b = { .unit_ns = 1000 };
	struct ftrace_model *m = model(&b);
	struct table t = { 0 };
	struct str out = STR_INIT;

	ftrace_model_profile(m, FTRACE_TOTAL, &t);
	ftrace_add_profile(&out, &t);
	CHECK_STR(str_cstr(&out),
		  "# Total (us)   Avg (us)   Max (us)      Count   Function\n"
		  " 2000000.000 2000000.000 2000000.000          1   schedule\n"
		  "     162.500     81.250    150.000          2   vfs_read\n"
		  "       1.000      0.500      0.750          2   rw_verify_area\n");
	CHECK_EQ(ftrace_model_times(m)->n, 5);
	table_release(&t);
	str_release(&out);
	ftrace_model_free(m);
}

TEST(ftrace_buckets)
{
	const struct latency_buckets two = { .unit_ns = 1000 };
	const struct latency_buckets steps = { .unit_ns = 1000, .range = 50, .min = 10,
					       .max = 160 };
	struct ftrace_model *m = model(&two);
	struct str out = STR_INIT;

	CHECK_EQ(ftrace_model_times(m)->counts[0], 2);
	CHECK_EQ(ftrace_model_times(m)->counts[4], 1);
	CHECK_EQ(ftrace_model_times(m)->counts[8], 1);
	CHECK_EQ(ftrace_model_times(m)->counts[LATENCY_BUCKETS - 1], 1);
	ftrace_add_histogram(&out, ftrace_model_times(m), &two, true);
	CHECK_STR(str_cstr(&out),
"#   DURATION     |      COUNT | GRAPH                                          |\n"
"     0 - 1    us |          2 | ##################                             |\n"
"     8 - 16   us |          1 | #########                                      |\n"
"   128 - 256  us |          1 | #########                                      |\n"
"     1 - ...   s |          1 | #########                                      |\n");
	ftrace_model_free(m);
	str_reset(&out);
	m = model(&steps);
	ftrace_add_histogram(&out, ftrace_model_times(m), &steps, false);
	CHECK_STR(str_cstr(&out),
"#   DURATION     |      COUNT | GRAPH                                          |\n"
"     0 - 10   us |          2 | ##################                             |\n"
"    10 - 60   us |          1 | #########                                      |\n"
"    60 - 110  us |          0 |                                                |\n"
"   110 - 160  us |          1 | #########                                      |\n"
"   160 - ...  us |          1 | #########                                      |\n");
	str_release(&out);
	ftrace_model_free(m);
}
