// SPDX-License-Identifier: GPL-2.0-or-later
// C++ shapes for probes: members, templates, namespaces, inheritance, operators, lambdas, references, inlined copies.
#include <cstdio>
#include <string>
#include <vector>

namespace app {

enum class color : unsigned char { red, green = 7 };

struct point {
	short x, y;
	unsigned low : 3, high : 9;
	color c;

	__attribute__((noinline)) long norm(int scale) const { return (long)x * x * scale + y * y + high; }
	__attribute__((noinline)) point operator+(const point &other) const
	{
		point sum = *this;

		sum.x += other.x;
		sum.y += other.y;
		return sum;
	}
};

class shape {
public:
	explicit shape(int id) : id_(id), name_("shape") {}
	virtual ~shape() {}
	virtual double area(double unit) const { return unit; }
	static int count(int add);
	int id() const { return id_; }

protected:
	int id_;
	const char *name_;
	static int total;
};

int shape::total = 3;

__attribute__((noinline)) int shape::count(int add)
{
	total += add;
	return total;
}

class box : public shape {
public:
	box(int id, point a, point b) : shape(id), a_(a), b_(b) {}
	__attribute__((noinline)) double area(double unit) const override
	{
		return unit * (b_.x - a_.x) * (b_.y - a_.y);
	}
	__attribute__((noinline)) long grow(short by, point *also);

private:
	point a_, b_;
	long history_[4] = { 1, 2, 3, 4 };
};

__attribute__((noinline)) long box::grow(short by, point *also)
{
	long before = history_[by & 3];

	b_.x += by;
	b_.y += by;
	also->x = by;
	history_[by & 3] = before + also->norm(by);
	return before;
}

template <typename T> __attribute__((noinline)) T larger(T a, T b)
{
	return a > b ? a : b;
}

static inline __attribute__((always_inline)) int mixed(int seed)
{
	int r = seed * 31;

	r ^= shape::count(seed);
	return r;
}

__attribute__((noinline)) int first(int n) { return mixed(n) + 1; }

__attribute__((noinline)) int second(int n, const std::string &text)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += mixed(i + (int)text.size());
	return sum;
}

__attribute__((noinline)) long apply(const std::vector<int> &all, long &out)
{
	auto each = [&out](int v) __attribute__((noinline)) { out += v; return out; };

	for (int v : all)
		each(v);
	return out;
}

} // namespace app

int main(int argc, char **)
{
	app::point p = { 1, 2, 3, 400, app::color::green }, q = { 5, 6, 1, 2, app::color::red };
	app::box b(argc, p, q);
	const app::shape &s = b;
	long out = 0;

	printf("%ld %g %ld ", b.grow(2, &p), s.area(1.5), (p + q).norm(3));
	printf("%d %g %d %d ", app::larger(argc, 4), app::larger(1.5, 2.5), app::first(4), app::second(argc + 2, "text"));
	printf("%ld %d\n", app::apply({ 1, 2, argc }, out), s.id());
	return 0;
}
