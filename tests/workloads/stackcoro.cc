// SPDX-License-Identifier: GPL-2.0-or-later
// C++20 coroutines: resumed from below, from each other (symmetric transfer), and ended by an exception. Argument 1: rounds.
#include <coroutine>
#include <cstdlib>
#include <exception>

static volatile unsigned long sink;

[[gnu::noinline]] static unsigned long spin(unsigned long n)
{
	unsigned long v = n;

	for (unsigned long i = 0; i < n; i++)
		v = v * 6364136223846793005UL + (v >> 7);
	sink = sink + v;
	return v;
}

struct task {
	struct promise_type {
		std::coroutine_handle<> next = std::noop_coroutine();
		std::exception_ptr thrown;

		task get_return_object() { return { std::coroutine_handle<promise_type>::from_promise(*this) }; }
		std::suspend_always initial_suspend() noexcept { return {}; }
		struct onwards {
			bool await_ready() noexcept { return false; }
			std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> h) noexcept { return h.promise().next; }
			void await_resume() noexcept {}
		};
		onwards final_suspend() noexcept { return {}; }
		void return_void() {}
		void unhandled_exception() { thrown = std::current_exception(); }
	};
	std::coroutine_handle<promise_type> h;

	bool await_ready() { return false; }
	std::coroutine_handle<> await_suspend(std::coroutine_handle<> waits)
	{
		h.promise().next = waits;
		return h;
	}
	void await_resume()
	{
		std::exception_ptr e = h.promise().thrown;

		h.destroy();
		if (e)
			std::rethrow_exception(e);
	}
};

static task work(int depth)
{
	if (depth)
		co_await work(depth - 1);
	spin(100000);
	if (depth == 3)
		throw depth;
}

static task all()
{
	try {
		co_await work(8);
	} catch (int) {
		spin(200000);
	}
}

[[gnu::noinline]] static void drive()
{
	task t = all();

	t.h.resume();
	t.h.destroy();
}

int main(int argc, char **argv)
{
	for (int i = argc > 1 ? (int)std::strtol(argv[1], nullptr, 10) : 1; i > 0; i--)
		drive();
	return 0;
}
