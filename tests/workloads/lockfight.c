// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lockfight [ROUNDS]
 * One thread has a lock for 20 ms, another one wants it meanwhile: of each kind of lock in turn, in
 * so many rounds (5). They tell each other by memory that they poll, so that nobody waits for a
 * futex but for these. A line for each kind says what it is, how often the waiter waited, for how
 * many ns as it measured that itself, and the numbers of waiter and holder:
 *	mutex 5 100123456 1235 1234
 * The first one is the kernel's mutex of a file's position: a long read has it.
 */
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define HOLD_MS 20
#define LEAST_NS 200000		/* what took less did not wait */
#define PIECES 128
#define PIECE_BYTES (1 << 20)

struct story;
struct kind {
	const char *name;
	void (*init)(struct story *s);
	void (*take)(struct story *s);		/* holder, before the others are told */
	void (*hold)(struct story *s);		/* for a while, then give it back */
	void (*want)(struct story *s);		/* waiter: comes back when it has had it */
};

struct story {
	const struct kind *kind;
	atomic_int round, wanted, done;
	long long ns;
	int n, fd;
	pid_t waiter, holder;
	pthread_mutex_t *mutex;
	char *bytes;
};

pthread_mutex_t static_lock = PTHREAD_MUTEX_INITIALIZER, pi_lock;
pthread_rwlock_t rw_lock = PTHREAD_RWLOCK_INITIALIZER;
pthread_mutex_t of_ready = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t is_ready = PTHREAD_COND_INITIALIZER;
sem_t tokens;
static int ready;
static int rounds = 5;

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void rest_us(long us)
{
	nanosleep(&(struct timespec){ 0, us * 1000 }, NULL);
}

static void wait_for(atomic_int *what, int value)
{
	while (atomic_load(what) < value)
		rest_us(50);
}

/* 'S': it sleeps. */
static char state_of(pid_t tid)
{
	char path[64], text[512], *p;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	fd = open(path, O_RDONLY);
	n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return 0;
	text[n] = 0;
	p = strrchr(text, ')');
	return p && p[1] ? p[2] : 0;
}

/* From the moment on at which the other one waits, however busy the machine is. */
static void hold_for_a_while(struct story *s)
{
	wait_for(&s->wanted, atomic_load(&s->round));
	while (state_of(s->waiter) != 'S')
		rest_us(50);
	rest_us(HOLD_MS * 1000);
}

/* --- a mutex of the kernel */

static void file_init(struct story *s)
{
	s->fd = open("/dev/shm", O_TMPFILE | O_RDWR, 0600);	/* holes there take no memory */
	s->bytes = malloc(PIECE_BYTES);
	if (s->fd < 0 || ftruncate(s->fd, (off_t)PIECES * PIECE_BYTES))
		exit(2);
}
static void file_take(struct story *s) { lseek(s->fd, 0, SEEK_SET); }
static void file_hold(struct story *s)
{
	struct iovec v[PIECES];

	for (int i = 0; i < PIECES; i++)
		v[i] = (struct iovec){ s->bytes, PIECE_BYTES };
	if (readv(s->fd, v, PIECES) < 0)
		exit(2);
}
static void file_want(struct story *s) { lseek(s->fd, 0, SEEK_CUR); }

/* --- locks of programs */

static void mutex_take(struct story *s) { pthread_mutex_lock(s->mutex); }
__attribute__((noinline)) static void mutex_hold(struct story *s)
{
	hold_for_a_while(s);
	pthread_mutex_unlock(s->mutex);
}
__attribute__((noinline)) static void mutex_want(struct story *s)
{
	pthread_mutex_lock(s->mutex);
	pthread_mutex_unlock(s->mutex);
}
static void static_init(struct story *s) { s->mutex = &static_lock; }
static void heap_init(struct story *s)
{
	s->mutex = malloc(sizeof(*s->mutex));
	pthread_mutex_init(s->mutex, NULL);
}
static void pi_init(struct story *s)
{
	pthread_mutexattr_t a;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&pi_lock, &a);
	s->mutex = &pi_lock;
}

static void rw_take(struct story *s) { (void)s; pthread_rwlock_wrlock(&rw_lock); }
static void rw_hold(struct story *s)
{
	hold_for_a_while(s);
	pthread_rwlock_unlock(&rw_lock);
}
static void rw_want(struct story *s)
{
	(void)s;
	pthread_rwlock_rdlock(&rw_lock);
	pthread_rwlock_unlock(&rw_lock);
}

static void cond_take(struct story *s) { (void)s; ready = 0; }
static void cond_hold(struct story *s)
{
	hold_for_a_while(s);
	pthread_mutex_lock(&of_ready);
	ready = 1;
	pthread_mutex_unlock(&of_ready);
	pthread_cond_signal(&is_ready);
}
static void cond_want(struct story *s)
{
	(void)s;
	pthread_mutex_lock(&of_ready);
	while (!ready)
		pthread_cond_wait(&is_ready, &of_ready);
	pthread_mutex_unlock(&of_ready);
}

static void sem_start(struct story *s) { (void)s; sem_init(&tokens, 0, 0); }
static void sem_take(struct story *s) { (void)s; }
static void sem_hold(struct story *s)
{
	hold_for_a_while(s);
	sem_post(&tokens);
}
static void sem_want(struct story *s) { (void)s; sem_wait(&tokens); }

static const struct kind kinds[] = {
	{ "file", file_init, file_take, file_hold, file_want },
	{ "mutex", static_init, mutex_take, mutex_hold, mutex_want },
	{ "heap", heap_init, mutex_take, mutex_hold, mutex_want },
	{ "pi", pi_init, mutex_take, mutex_hold, mutex_want },
	{ "rwlock", NULL, rw_take, rw_hold, rw_want },
	{ "condition", NULL, cond_take, cond_hold, cond_want },
	{ "semaphore", sem_start, sem_take, sem_hold, sem_want },
};

/* --- the story */

static void *waiter(void *arg)
{
	struct story *s = arg;

	s->waiter = (pid_t)syscall(SYS_gettid);
	for (int i = 1; i <= rounds; i++) {
		long long from, took;

		wait_for(&s->round, i);
		rest_us(1000);
		atomic_store(&s->wanted, i);
		from = now();
		s->kind->want(s);
		took = now() - from;
		if (took > LEAST_NS) {
			s->ns += took;
			s->n++;
		}
		atomic_store(&s->done, i);
	}
	return NULL;
}

static void *holder(void *arg)
{
	struct story *s = arg;

	s->holder = (pid_t)syscall(SYS_gettid);
	for (int i = 1; i <= rounds; i++) {
		s->kind->take(s);
		atomic_store(&s->round, i);
		s->kind->hold(s);
		wait_for(&s->done, i);
	}
	return NULL;
}

static void tell(const struct kind *k)
{
	struct story *s = calloc(1, sizeof(*s));
	pthread_t w, h;

	s->kind = k;
	if (k->init)
		k->init(s);
	pthread_create(&h, NULL, holder, s);
	pthread_setname_np(h, "holder");
	pthread_create(&w, NULL, waiter, s);
	pthread_setname_np(w, "waiter");
	wait_for(&s->done, rounds);
	pthread_join(w, NULL);
	pthread_join(h, NULL);
	printf("%s %d %lld %d %d\n", k->name, s->n, s->ns, s->waiter, s->holder);
	free(s->bytes);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		rounds = (int)strtol(argv[1], NULL, 10);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		tell(&kinds[i]);
	return 0;
}
