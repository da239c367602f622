// SPDX-License-Identifier: GPL-2.0-or-later
// perf record: options to settings; what a recording session tells is printed here.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "builtin.h"
#include "builtin-record.h"
#include "util/bpf/filterprog.h"
#include "util/cli/common.h"
#include "util/cli/error.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/cli/stacks.h"
#include "util/inject/embed.h"
#include "util/os/kernel.h"
#include "util/record/recording-dir.h"
#include "util/record/record.h"
#include "util/unwind/unwind.h"
#include "util/wire/stackrec.h"

/* --- what the session says --- */

static void say(void *ctx, enum record_say kind, const char *text)
{
	const struct record_cmd *c = ctx;

	if (c->common.quiet)
		return;
	if (kind == RECORD_WARNING)
		cli_warn("%s", text);
	else
		fprintf(stderr, "%s\n", text);
}

static bool samples_by_time(const struct event_list *l)
{
	for (size_t i = 0; i < l->events.n; i++)
		if (l->events.v[i]->attr.freq)
			return true;
	return false;
}

/* What is left to be set: larger buffers than those of this time, a reader that goes first, several
 * readers, fewer or smaller samples. */
static void print_losses(const struct record_result *r, const struct record_opts *o,
			 const struct event_list *l, size_t page_bytes)
{
	const u64 all = r->n_samples + r->n_lost,
		given_mb = (u64)o->buffers.ring_pages * page_bytes >> 20;

	if (!r->n_lost)
		return;
	cli_warn("lost %llu of %llu samples (%.1f%%): the ring buffers (%llu kB in all) were full "
		 "%llu times\n"
		 "Hint: larger buffers (-m %lluM), %s%s%s, or less in a sample",
		 (unsigned long long)r->n_lost,
		 (unsigned long long)all, 100.0 * (double)r->n_lost / (double)all,
		 (unsigned long long)r->ring_bytes / 1024,
		 (unsigned long long)r->n_lost_records,
		 (unsigned long long)MAX(given_mb * 4, (u64)16),
		 o->buffers.rt_prio ? "" : "a reader that goes before other tasks (-r 1), ",
		 o->threads.v.n || o->target.per_thread || record_cmd_dated(&o->output) ? "" :
		 "a reader for each CPU (--threads), ",
		 samples_by_time(l) ? "a lower frequency (-F)" : "fewer events (-e, --filter)");
}

static void print_unread(const struct record_unwound *r, u64 unread, u64 all)
{
	struct str text = STR_INIT;

	if (!r->unread_file) {
		cli_warn("%llu of %llu stacks are in the file as copies: they run through code "
			 "whose unwind tables its JIT compiler has "
			 "in its jitdump file\nHint: perf inject -j puts them into the recording",
			 (unsigned long long)unread,
			 (unsigned long long)all);
		return;
	}
	str_add_safe(&text, r->unread_file);
	if (r->unread_reason) {
		str_add(&text, ": ");
		str_add_safe(&text, r->unread_reason);
	}
	cli_warn("%llu of %llu stacks are in the file as copies: they run through code whose file "
		 "cannot be read (%s)\n"
		 "Hint: give the reader that file by its name under --symfs, or by 'perf "
		 "buildid-cache --add'", (unsigned long long)unread,
		 (unsigned long long)all, str_cstr(&text));
	str_release(&text);
}

static void print_bpf_others(const struct record_unwound *r)
{
	const bool tasks = r->bpf_inherited && r->n_tasks_seen;

	cli_warn("samples of kernel code may be missing: %s since a moment of this recording, and "
		 "where the kernel unwinds stacks it drops "
		 "samples that meet them. perf itself has unwound them since then or at most %llu "
		 "ms later%s\n"
		 "Hint: --unwind cfi loses none", r->bpf_others,
		 (unsigned long long)(r->bpf_others_ns / 1000000 + 1),
		 tasks ? ", but not those of tasks that had been started before" : "");
}

/* -v: what the program in the kernel has unwound, and why not the others. */
static void print_kernel_unwinding(const struct record_cmd *c, const struct record_unwound *r)
{
	static const char *const reason[STACKREC_WHY_NR] = {
		[STACKREC_NEW_PROCESS] = "processes that it did not know",
			[STACKREC_NEW_CODE] = "code that it did not know",
		[STACKREC_REFUSED] = "rules that are not for it",
		[STACKREC_MEMORY] = "memory that could not be read",
		[STACKREC_FRAME] = "damaged frames",
	};
	const u64 done = r->kernel_reason[STACKREC_COMPLETE] +
		r->kernel_reason[STACKREC_MAX_FRAMES];
	u64 left = 0;

	for (int i = STACKREC_NEW_PROCESS; i < STACKREC_WHY_NR; i++)
		left += r->kernel_reason[i];
	if (r->kernel_cut)
		cli_warn("%llu stacks are cut where other code was mapped at the time",
			 (unsigned long long)r->kernel_cut);
	if (r->bpf_others)
		print_bpf_others(r);
	if (c->rec.stacks.compare_unwinding)
		fprintf(stderr, "stacks unwound both ways: %llu equal, %llu longer in the kernel "
				"(the copy was too short), "
			"%llu different\n", (unsigned long long)r->kernel_equal,
			(unsigned long long)r->kernel_longer,
			(unsigned long long)r->kernel_other);
	if (!c->common.verbose)
		return;
	fprintf(stderr, "stacks unwound in the kernel: %llu, left to the recorder: %llu\n",
		(unsigned long long)done,
		(unsigned long long)left);
	for (int i = STACKREC_NEW_PROCESS; i < STACKREC_WHY_NR; i++)
		if (r->kernel_reason[i])
			fprintf(stderr, "  %llu: %s\n", (unsigned long long)r->kernel_reason[i],
				reason[i]);
}

/* -v: how the stacks ended that were unwound; always, when many were cut because the dumps were
 * too short. */
static void print_unwinding(const struct record_cmd *c, const struct record_unwound *r)
{
	const u32 dump_bytes = c->rec.stacks.dump_bytes;
	u64 all = 0, cut = r->ended[UNWIND_STACK_CUT],
		unread = r->ended[UNWIND_NO_BINARY];

	for (int i = 0; i < UNWIND_END_NR; i++)
		all += r->ended[i];
	if (c->common.verbose)
		cli_unwind_ends(r->ended);
	if (r->n_tasks_seen && c->common.verbose)
		fprintf(stderr, "tasks seen while unwinding: %llu; still in memory at the end: "
				"%llu\n", (unsigned long long)r->n_tasks_seen,
			(unsigned long long)r->n_tasks_kept);
	if (cut > all / 10)
		cli_warn("%llu of %llu stacks are cut: they are deeper than the %u bytes that were "
			 "copied\n"
			 "Hint: copy more with --call-graph dwarf,%u", (unsigned long long)cut,
			 (unsigned long long)all,
			 dump_bytes, MIN(dump_bytes * 4, (u32)RECORD_MAX_DUMP));
	if (unread)
		print_unread(r, unread, all);
}

static void print_heap(const struct record_heap_result *r, u64 period, int verbose)
{
	static const char *const ways[] = { "", "session probes", "many probes at once",
					    "single probes" };

	fprintf(stderr, "[ perf heap record: %llu allocations of %llu bytes and %llu frees were "
			"seen, sampled by %llu bytes ]\n", (unsigned long long)r->n_allocs,
		(unsigned long long)r->bytes, (unsigned long long)r->n_frees,
		(unsigned long long)period);
	if (verbose)
		fprintf(stderr, "probes: %s, in %llu files (counted for each process)\n",
			ways[r->way], (unsigned long long)r->n_probed);
	if (r->failure)
		cli_warn("%s: what is allocated there is missing", r->failure);
	else if (!r->n_probed)
		cli_warn("no function that allocates memory was found in what the processes have "
			 "mapped: programs without symbols, or with an allocator of their own, "
			 "cannot be recorded");
	if (r->n_late)
		cli_warn("functions that allocate memory were mapped while this recorded, those of "
			 "'%s'%s: what they allocated in the first milliseconds is missing\n"
			 "Hint: --library %s probes them from the beginning", r->late,
			 r->n_late > 1 ? " and others" : "", r->late);
	if (r->n_lost || r->n_full || r->n_uncounted)
		cli_warn("missing: %llu samples for which the ring of the BPF programs was full, "
			 "%llu for which their table of live memory was, %llu calls whose end "
			 "could not be waited for\nHint: sample less, with a larger --period",
			 (unsigned long long)r->n_lost, (unsigned long long)r->n_full,
			 (unsigned long long)r->n_uncounted);
}

static void print_end(const struct record_cmd *c, const struct record_result *r)
{
	const struct record_opts *o = &c->rec;
	const char *file = c->output ? c->output : "perf.data";

	if (c->common.quiet)
		return;
	if (r->flight_over) {
		fprintf(stderr, "[ perf record: the command ended well, nothing more was written "
				"(--flight) ]\n");
		return;
	}
	if (r->size_limit)
		fprintf(stderr, "[ perf record: perf size limit reached (%llu KB), stopping "
				"session ]\n",
			(unsigned long long)o->output.max_bytes / 1024);
	fprintf(stderr, "[ perf record: Captured and wrote %.3f MB %s%s",
		(double)r->bytes / 1024.0 / 1024.0, file,
		record_cmd_dated(&o->output) ? ".<timestamp>" : "");
	if (r->n_samples && !record_cmd_dated(&o->output))
		fprintf(stderr, " (%llu samples)", (unsigned long long)r->n_samples);
	if (o->output.comp_level && r->bytes)
		fprintf(stderr, ", compressed (original %.3f MB, ratio is %.3f)",
			(double)r->unpacked_bytes / 1024.0 / 1024.0,
			(double)r->unpacked_bytes / (double)r->bytes);
	fprintf(stderr, " ]\n");
	if (r->n_dropped)
		fprintf(stderr, "[ perf record: %llu samples dropped by the filter ]\n",
			(unsigned long long)r->n_dropped);
	print_losses(r, o, &c->list, c->os.page_bytes);
	if (r->n_blocks_lost)
		cli_warn("%llu blocks of threads (%.3f s at least) are missing: the tables of "
			 "--off-cpu were full", (unsigned long long)r->n_blocks_lost,
			 (double)r->blocks_lost_ns / (double)NSEC_PER_SEC);
	if (o->heap.period)
		print_heap(&r->heap, o->heap.period, c->common.verbose);
	if (r->chains && c->common.verbose)
		fprintf(stderr, "call chains: %s\n", r->chains);
	if (r->unwound.in_kernel)
		print_kernel_unwinding(c, &r->unwound);
	print_unwinding(c, &r->unwound);
	if (r->n_maps_timeouts)
		cli_warn("reading /proc/%d/maps took too long and was cut, as were %llu more: its "
			 "symbols may be missing\n"
			 "Hint: allow more time with --proc-map-timeout", (int)r->maps_timeout_pid,
			 (unsigned long long)r->n_maps_timeouts - 1);
}

static void print_kernel_hidden(const struct record_cmd *c, const struct record_result *r)
{
	char *text = c->common.quiet || !r->kernel_hidden ? NULL :
		record_hidden_text(&c->os, &c->list);

	if (text)
		cli_warn("%s", text);
	free(text);
}

/* The recording is complete without. */
static int embed(const struct record_cmd *c)
{
	const struct embed_opts o = { .path = c->output ? c->output : "perf.data",
				      .symbols.vmlinux = c->rec.output.vmlinux };
	struct embed_result res;
	struct err err = ERR_INIT;
	int status = 0;

	if (embed_names(&o, &c->os, &res, &err)) {
		err_prefix(&err, "the names are not in the file");
		status = cli_error(&err);
	} else if (!c->common.quiet) {
		fprintf(stderr, "[ perf record: Embedded the names of %llu addresses in %llu "
				"binaries (%llu KB) ]\n", (unsigned long long)res.n_addrs,
			(unsigned long long)res.n_dsos, (unsigned long long)res.bytes / 1024);
	}
	err_release(&err);
	return status;
}

static int set_up_filter(const struct record_cmd *c)
{
	struct err err = ERR_INIT;
	int ret = c->setup_filter == SETUP_PIN ? filterprog_pin(&c->os, &err) :
		filterprog_unpin(&err);

	if (ret == -ENOENT && !err.msg)
		err_set(&err, ENOENT, "no filter of samples is pinned");
	ret = ret ? cli_error(&err) : 0;
	err_release(&err);
	return ret;
}

static int run(struct record_cmd *c, int argc, const char **argv)
{
	struct record_result res = { 0 };
	struct err err = ERR_INIT;
	char *in_dir = NULL;
	int ret, status = 0;

	c->rec.output.path = c->output;
	c->rec.listener = (struct record_listener){ say, c };
	c->rec.output.version = PERF_RELEASE;
	if (c->setup_filter)
		return set_up_filter(c);
	ret = record_cmd_check(c, argc > 0, &err);
	if (!ret && c->dry_run)
		return 0;
	if (!ret && (c->kcore || c->threads)) {
		ret = recording_dir_begin(c->output ? c->output : "perf.data",
					  c->kcore ? OS_KCORE : NULL, &in_dir, &err);
		c->rec.output.path = in_dir;
		c->rec.output.in_dir = c->threads;
	}
	if (!ret)
		ret = record_run(&c->list, &c->rec, argc ? argv : NULL, &c->os, &res, &err);
	if (res.n_files || res.flight_over) {
		print_end(c, &res);
		print_kernel_hidden(c, &res);
	}
	if (ret) {
		status = cli_error(&err);
	} else {
		status = argc ? res.exit_code : res.signal ? 128 + res.signal : 0;
	}
	if (c->embed && res.n_files && !ret) {
		const int embedded = embed(c);

		status = status ? status : embedded;
	}
	if (in_dir && !res.n_files)
		recording_dir_undo(c->output ? c->output : "perf.data");
	free(in_dir);
	record_result_release(&res);
	err_release(&err);
	return status;
}

void record_line(opt_list *line, const opt_list *options, int n, const char **command)
{
	vec_push(line, "record");
	for (size_t i = 0; options && i < options->n; i++)
		vec_push(line, options->v[i]);
	vec_push(line, "--");
	for (int i = 0; i < n; i++)
		vec_push(line, command[i]);
	vec_push(line, NULL);
}

int record_with(const struct record_preset *p, int argc, const char **argv)
{
	struct record_cmd c = { .rec = { .sampling.clockid = RECORD_NO_CLOCKID,
					 .off_cpu.thresh_ns = RECORD_OFF_CPU_THRESH_NS,
					 .stacks.dump_bytes = RECORD_DEFAULT_DUMP,
					 .sideband = { .buildid_mmap = true,
						       .proc_map_timeout_ms = 500 } } };
	VEC(const char *) line = { NULL, 0, 0 };
	int n, status = 0;

	vec_push(&line, "perf");
	for (const char *const *w = p->words; *w; w++)
		vec_push(&line, *w);
	for (int i = 1; i < argc; i++)
		vec_push(&line, argv[i]);
	c.rec.output.argc = (int)line.n;
	c.rec.output.argv = line.v;
	os_init(&c.os);
	event_list_init(&c.list);
	event_list_init(&c.switch_list);
	n = record_cmd_parse(&c, p, argc, argv, &status);
	if (n >= 0)
		status = run(&c, n, argv);
	event_list_release(&c.list);
	event_list_release(&c.switch_list);
	pmu_db_free(c.db);
	target_release(&c.rec.target);
	record_threads_release(&c.rec.threads);
	vec_free(&c.rec.when.windows);
	os_release(&c.os);
	vec_free(&line);
	return status;
}

int cmd_record(int argc, const char **argv)
{
	static const char *const words[] = { "record", NULL };

	return record_with(&(struct record_preset){ .words = words }, argc, argv);
}
