// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * late WHY [ARGUMENT]: a task called "late" that is late for a known reason, by about 200 ms. Ends
 * with 77 where it cannot be made here.
 */
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CANNOT = 77 };

static void name(const char *s) { prctl(PR_SET_NAME, s); }

static long ms_of(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Of CPU time. */
static void work(long ms)
{
	const long end = ms_of(CLOCK_THREAD_CPUTIME_ID) + ms;

	while (ms_of(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

static void rest(long ms) { nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL); }

static void on_cpu(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static int last_cpu(void)
{
	cpu_set_t set;
	int cpu = 0;

	sched_getaffinity(0, sizeof(set), &set);
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set))
			cpu = i;
	return cpu;
}

/* ---- a lock that three others take before */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *holder(void *arg)
{
	name(arg);
	pthread_mutex_lock(&lock);
	work(70);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *waiter(void *arg)
{
	name(arg);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static int convoy(void)
{
	static char *const names[] = { "holder1", "holder2", "holder3" };
	pthread_t t[4];

	for (int i = 0; i < 3; i++) {
		pthread_create(&t[i], NULL, holder, names[i]);
		rest(5);
	}
	pthread_create(&t[3], NULL, waiter, "late");
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}

/* ---- a disk */

enum { PIECE = 1 << 18 };

static int disk(const char *path)
{
	const int fd = open(path, O_CREAT | O_TRUNC | O_RDWR | O_DIRECT, 0600);
	void *page;
	const long end = ms_of(CLOCK_MONOTONIC) + 300;

	if (fd < 0 || posix_memalign(&page, 4096, PIECE))
		return CANNOT;
	memset(page, 1, PIECE);
	name("late");
	for (int i = 0; i < 20000 && ms_of(CLOCK_MONOTONIC) < end; i++)
		if (pwrite(fd, page, PIECE, i % 64 * (long)PIECE) != PIECE || fdatasync(fd))
			return CANNOT;
	return 0;
}

/* ---- one of higher priority */

static int be_realtime(void)
{
	return sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = 50 });
}

static int hog(void)
{
	const int cpu = last_cpu();
	int status;
	pid_t pid;

	on_cpu(cpu);
	pid = fork();
	if (!pid) {
		name("hog");
		rest(20);
		if (be_realtime())
			_exit(CANNOT);
		work(200);
		_exit(0);
	}
	name("late");
	work(60);
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

/* The holder of the lock cannot run. */
static void *slow_holder(void *arg)
{
	on_cpu(*(int *)arg);
	name("holder");
	pthread_mutex_lock(&lock);
	work(40);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static int inversion(void)
{
	const int cpu = last_cpu();
	pthread_t t[2];
	int status;
	pid_t pid;

	pthread_create(&t[0], NULL, slow_holder, (void *)&cpu);
	rest(10);
	pid = fork();
	if (!pid) {
		name("hog");
		on_cpu(cpu);
		if (be_realtime())
			_exit(CANNOT);
		work(200);
		_exit(0);
	}
	pthread_create(&t[1], NULL, waiter, "late");
	pthread_join(t[1], NULL);
	pthread_join(t[0], NULL);
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

/* ---- others that are slow */

static void pass_on(int from, int to)
{
	char c;

	if (read(from, &c, 1) == 1 && write(to, &c, 1) == 1)
		_exit(0);
	_exit(1);
}

static int pipes(void)
{
	static const char *const names[] = { "first", "second", "third" };
	int p[3][2];
	char c;

	for (int i = 0; i < 3; i++)
		if (pipe(p[i]))
			return CANNOT;
	for (int i = 0; i < 3; i++) {
		if (fork())
			continue;
		name(names[i]);
		if (i)
			pass_on(p[i - 1][0], p[i][1]);
		work(200);
		_exit(write(p[0][1], "x", 1) != 1);
	}
	name("late");
	if (read(p[2][0], &c, 1) != 1)
		return 1;
	while (wait(NULL) > 0)
		;
	return 0;
}

static int child(void)
{
	const pid_t pid = fork();

	if (!pid) {
		name("child");
		work(200);
		_exit(0);
	}
	name("late");
	return waitpid(pid, NULL, 0) != pid;
}

static int server(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof(a);
	const int l = socket(AF_INET, SOCK_STREAM, 0), s = socket(AF_INET, SOCK_STREAM, 0);
	char c;

	if (bind(l, (struct sockaddr *)&a, n) || listen(l, 1) ||
	    getsockname(l, (struct sockaddr *)&a, &n))
		return CANNOT;
	if (!fork()) {
		const int d = accept(l, NULL, NULL);

		name("server");
		if (read(d, &c, 1) != 1)
			_exit(1);
		work(200);
		_exit(write(d, "x", 1) != 1);
	}
	name("late");
	if (connect(s, (struct sockaddr *)&a, n) || write(s, "x", 1) != 1 || read(s, &c, 1) != 1)
		return CANNOT;
	wait(NULL);
	return 0;
}

/* ---- what is done to it */

static int stopped(void)
{
	const pid_t pid = fork();

	if (!pid) {
		name("late");
		work(10);
		raise(SIGSTOP);
		work(10);
		_exit(0);
	}
	waitpid(pid, NULL, WUNTRACED);
	rest(200);
	kill(pid, SIGCONT);
	return waitpid(pid, NULL, 0) != pid;
}

static int tell(const char *cgroup, const char *file, const char *text)
{
	char path[512];
	FILE *fp;

	snprintf(path, sizeof(path), "%s/%s", cgroup, file);
	fp = fopen(path, "r+");
	return !fp || fputs(text, fp) < 0 || fclose(fp);
}

/* In a cgroup, of either version, that may run for 5 of 50 ms. */
static int quota(const char *cgroup)
{
	pid_t pid;

	if (tell(cgroup, "cpu.max", "5000 50000\n") &&
	    (tell(cgroup, "cpu.cfs_period_us", "50000\n") ||
	     tell(cgroup, "cpu.cfs_quota_us", "5000\n")))
		return CANNOT;
	pid = fork();
	if (!pid) {
		char text[32];

		snprintf(text, sizeof(text), "%d\n", getpid());
		if (tell(cgroup, "cgroup.procs", text))
			_exit(CANNOT);
		name("late");
		work(25);
		_exit(0);
	}
	return waitpid(pid, NULL, 0) != pid;
}

static int faults(void)
{
	const size_t bytes = 512UL << 20;
	char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return CANNOT;
	madvise(p, bytes, MADV_NOHUGEPAGE);
	name("late");
	for (size_t i = 0; i < bytes; i += 4096)
		p[i] = 1;
	return 0;
}

int main(int argc, char **argv)
{
	const char *why = argc > 1 ? argv[1] : "", *arg = argc > 2 ? argv[2] : ".";

	alarm(60);
	name("program");
	if (!strcmp(why, "quota"))
		return quota(arg);
	/* so that others are no reason, where it may be */
	if (strcmp(why, "hog") && strcmp(why, "inversion"))
		be_realtime();
	if (!strcmp(why, "disk"))
		return disk(arg);
	return !strcmp(why, "convoy") ? convoy() : !strcmp(why, "hog") ? hog() :
		!strcmp(why, "inversion") ? inversion() : !strcmp(why, "pipes") ? pipes() :
		!strcmp(why, "child") ? child() : !strcmp(why, "server") ? server() :
		!strcmp(why, "stopped") ? stopped() : !strcmp(why, "faults") ? faults() : 2;
}
