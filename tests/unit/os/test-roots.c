// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/os/kernel.h"
#include "util/os/os.h"
#include "util/os/procfs.h"
#include "util/os/target.h"

static struct os root(const char *name)
{
	char *dir = xasprintf("tests/roots/%s", name);
	struct os os;

	os_init_root(&os, dir);
	free(dir);
	return os;
}

TEST(settings_come_from_the_tree)
{
	struct os os = root("server-2s");

	CHECK_EQ(os_paranoid(&os), -1);
	CHECK_EQ(os_mlock_kb(&os), 516);	/* not in the tree: the kernel's default */
	CHECK_EQ(os_nr_present_cpus(&os), 8);
	os_release(&os);
	os = root("laptop-hybrid");
	CHECK_EQ(os_paranoid(&os), 2);
	os_release(&os);
	os = root("arm64");			/* paranoid 2, but CAP_PERFMON */
	os_release(&os);
}

TEST(topology_of_two_sockets)
{
	struct os os = root("server-2s");
	os_cpu_vec v = { 0 };

	CHECK_EQ(os_topology(&os, &v, NULL), 0);
	CHECK_EQ(v.n, 4);
	CHECK_EQ(v.v[3].cpu, 3);
	CHECK_EQ(v.v[3].core, 1);
	CHECK_EQ(v.v[3].socket, 1);
	CHECK_EQ(v.v[3].node, 1);
	CHECK_EQ(v.v[1].node, 0);
	vec_free(&v);
	os_release(&os);
	os = root("arm64");
	CHECK_EQ(os_topology(&os, &v, NULL), 0);
	CHECK_EQ(v.v[1].die, -1);		/* no die_id in this tree */
	vec_free(&v);
	os_release(&os);
}

TEST(process_is_read_with_odd_name)
{
	struct os os = root("laptop-hybrid");
	struct procfs_status st;
	struct err err = ERR_INIT;

	CHECK_EQ(procfs_status(&os, 205, &st, NULL), 0);
	CHECK_STR(st.comm, "web (1) x");
	CHECK_EQ(st.tgid, 100);
	CHECK_EQ(st.state, 'S');
	CHECK_EQ(st.start_ticks, 777 + 205);
	CHECK_EQ(st.uid, 1000);
	CHECK_EQ(st.ns_pid, 205);
	CHECK_EQ(procfs_status(&os, 300, &st, NULL), 0);
	CHECK_EQ(st.ns_pid, 7);
	CHECK_EQ(procfs_status(&os, 999, &st, &err), -ESRCH);
	CHECK_STR(err.msg, "process 999 does not exist");
	err_release(&err);
	os_release(&os);
}

static int keep_map(void *ctx, const struct procfs_map *m)
{
	struct str *s = ctx;

	str_addf(s, "%llx-%llx p%x f%x +%llx %x:%x %llu %s\n", (unsigned long long)m->start_va,
		 (unsigned long long)m->end_va,
		 m->prot, m->flags, (unsigned long long)m->off, m->maj, m->min,
		 (unsigned long long)m->ino, m->path);
	return 0;
}

TEST(maps_are_read_in_order)
{
	struct os os = root("laptop-hybrid");
	struct str s = STR_INIT;

	CHECK_EQ(procfs_maps(&os, 100, 0, keep_map, &s, NULL), 0);
	CHECK_STR(str_cstr(&s),
		  "400000-401000 p5 f2 +0 8:2 131 /usr/bin/web\n"
		  "7f0000000000-7f0000002000 p3 f2 +1000 0:0 0 //anon\n"
		  "7f0000100000-7f0000101000 p1 f1 +0 fd:1f 99 /tmp/a b (deleted)\n"
		  "7ffc00000000-7ffc00002000 p5 f2 +0 0:0 0 [vdso]\n"
		  "ffffffffff600000-ffffffffff601000 p4 f2 +0 0:0 0 [vsyscall]\n");
	CHECK_EQ(procfs_maps(&os, 12345, 0, keep_map, &s, NULL), -ESRCH);
	str_release(&s);
	os_release(&os);
}

static char *resolved(struct os *os, struct target t, struct err *err)
{
	struct str s = STR_INIT;
	int ret = target_resolve(&t, os, err);

	if (ret) {
		str_addf(&s, "%d", ret);
	} else {
		for (size_t i = 0; i < t.tids.n; i++)
			str_addf(&s, "%d ", t.tids.v[i]);
		str_add(&s, "on");
		for (size_t i = 0; i < t.cpus.n; i++)
			str_addf(&s, " %d", t.cpus.v[i]);
	}
	target_release(&t);
	return unit_keep(str_detach(&s));
}

TEST(targets_expand)
{
	struct os os = root("laptop-hybrid");
	struct err err = ERR_INIT;

	CHECK_STR(resolved(&os, (struct target){ .pid = "100,300" }, &err),
		  "100 101 205 300 on -1");
	CHECK_STR(resolved(&os, (struct target){ .tid = "205" }, &err), "205 on -1");
	CHECK_STR(resolved(&os, (struct target){ .user = "1000" }, &err), "100 101 205 on -1");
	CHECK_STR(resolved(&os, (struct target){ .system_wide = true }, &err), "-1 on 0 1 2 3");
	CHECK_STR(resolved(&os, (struct target){ .cpu_list = "2-3,0" }, &err), "-1 on 0 2 3");
	CHECK_STR(resolved(&os, (struct target){ .pid = "300", .per_cpu = true }, &err),
		  "300 on 0 1 2 3");
	CHECK_STR(resolved(&os, (struct target){ 0 }, &err), "on -1");
	CHECK_STR(resolved(&os, (struct target){ .pid = "4242" }, &err), "-3");
	CHECK_STR(err.msg, "process 4242 does not exist");
	CHECK_STR(resolved(&os, (struct target){ .cpu_list = "9" }, &err), "-19");
	CHECK_STR(err.msg, "CPU 9 is not online");
	CHECK_STR(err.hint, "online are: 0-3");
	CHECK_STR(resolved(&os, (struct target){ .pid = "1", .system_wide = true }, &err), "-22");
	CHECK_STR(resolved(&os, (struct target){ .pid = "x" }, &err), "-22");
	err_release(&err);
	os_release(&os);
}

TEST(tracefs_of_the_tree)
{
	struct os os = root("vm");
	struct err err = ERR_INIT;
	os_names names = { 0 };

	CHECK_EQ(os_tracefs(&os, &err), 0);
	CHECK_EQ(os_list_dir(&os, "tracing:events/sched", &names, &err), 0);
	CHECK_STR(names.v[0], "enable");
	CHECK_STR(names.v[2], "sched_switch");
	os_names_release(&names);
	os_release(&os);
	os = root("arm64");
	CHECK_EQ(os_tracefs(&os, &err), -ENOENT);
	err_release(&err);
	os_release(&os);
}

TEST(unreadable_file_is_named)
{
	struct os os = root("vm");
	struct err err = ERR_INIT;
	struct str s = STR_INIT;

	CHECK_EQ(os_read_file(&os, "tracing:events/sched/nosuch/id", &s, &err), -ENOENT);
	CHECK(strstr(err.msg, "events/sched/nosuch/id'"));
	str_release(&s);
	err_release(&err);
	os_release(&os);
}

TEST(modules_and_texts_of_the_kernel)
{
	char dir[] = "/tmp/perf-unit-kernel.XXXXXX";
	struct os os;
	struct os_release_text release;
	struct str text = STR_INIT;
	struct err err = ERR_INIT;
	u64 va = 1;

	CHECK(mkdtemp(dir) != NULL);
	os_init_root(&os, dir);
	CHECK(!os_kernel_release(&os, &release));	/* that of this machine is another's */
	CHECK(!os_module_loaded(&os, "nf_nat", &va));
	CHECK_EQ(os_module_notes(&os, "../../x", &text, &err), -EINVAL);
	CHECK_STR(err.msg, "'../../x' is not a module name");
	CHECK_EQ(mkdir(os.proc, 0700), 0);
	char *path = xasprintf("%s/modules", os.proc);
	FILE *f = fopen(path, "w");

	fputs("nf_nat_ftp 1 0 - Live 0x10\nnf_nat 49152 2 a,b, Live 0xffffffffc0a40000 (O)\n"
	      "hidden 4096 0 - Live 0x0000000000000000\ncut 4096 0", f);
	fclose(f);
	CHECK(os_module_loaded(&os, "nf_nat", &va));
	CHECK_EQ(va, 0xffffffffc0a40000);
	CHECK(os_module_loaded(&os, "hidden", &va));
	CHECK_EQ(va, 0);
	CHECK(os_module_loaded(&os, "cut", &va));
	CHECK_EQ(va, 0);
	CHECK(os_module_loaded(&os, "nf_nat", NULL));
	CHECK(!os_module_loaded(&os, "nf", NULL));
	unlink(path);
	rmdir(os.proc);
	rmdir(dir);
	free(path);
	str_release(&text);
	err_release(&err);
	os_release(&os);
}
