// SPDX-License-Identifier: GPL-2.0-or-later
// Work inside of C++ stacks: templates that inline into each other, virtual calls, lambdas in std::function and std::sort, and
// exceptions, in whose unwinder and clean-ups much of the time goes. Argument 1: rounds.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

static volatile unsigned long sink;

template <int N> struct Nest {
	static unsigned long work(unsigned long v) { return Nest<N - 1>::work(v * 2862933555777941757UL + N) ^ v >> 3; }
};
template <> struct Nest<0> {
	static unsigned long work(unsigned long v)
	{
		for (int i = 0; i < 20; i++)
			v = v * 6364136223846793005UL + 1442695040888963407UL;
		return v;
	}
};

struct Shape {
	virtual ~Shape() = default;
	virtual unsigned long area(unsigned long n) const = 0;
};
template <typename T> struct Square : Shape {
	unsigned long area(unsigned long n) const override
	{
		T v = 1;
		for (unsigned long i = 0; i < n; i++)
			v += static_cast<T>(Nest<6>::work(i));
		return static_cast<unsigned long>(v);
	}
};

struct Guard {
	std::string name;
	explicit Guard(int depth) : name("a name that is longer than the short ones " + std::to_string(depth)) {}
	~Guard() { sink = sink + name.size(); }
};

__attribute__((noinline)) static unsigned long thrower(int depth)
{
	Guard g(depth);
	if (!depth)
		throw std::runtime_error("thrown");
	return thrower(depth - 1) + g.name.size();
}

__attribute__((noinline)) static unsigned long catcher(int depth)
{
	try {
		return thrower(depth);
	} catch (const std::runtime_error &e) {
		return std::string(e.what()).size() + Nest<4>::work(7);
	}
}

__attribute__((noinline)) static unsigned long containers(unsigned long seed)
{
	std::map<std::string, unsigned long> m;
	std::vector<unsigned long> v;
	std::function<unsigned long(unsigned long)> f = [&](unsigned long x) { return Nest<3>::work(x + v.size()); };

	for (unsigned long i = 0; i < 60; i++) {
		v.push_back(f(seed + i));
		m[std::to_string(v.back())] = i;
	}
	std::sort(v.begin(), v.end(), [](unsigned long a, unsigned long b) { return Nest<2>::work(a) < Nest<2>::work(b); });
	return v[3] + m.size();
}

int main(int argc, char **argv)
{
	const int rounds = argc > 1 ? std::atoi(argv[1]) : 1;
	Square<unsigned long> a;
	Square<double> b;
	const Shape *shapes[] = { &a, &b };

	for (int i = 0; i < rounds; i++) {
		sink = sink + shapes[i & 1]->area(100) + catcher(12) + containers(i);
	}
	return 0;
}
