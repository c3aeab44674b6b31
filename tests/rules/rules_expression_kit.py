"""Random expressions of a wanted type in the rule language, each with the C++ that the SDK's templates come down to."""

from random import Random

LEAVES = {
    "bool": [('IS_FLOAT("X")', "b1"), ('OPTION_BOOL("o")', "b0")],
    "int": [('ZERO_OFFSET_OF("X")', "zero"), ('CONSTVAL_INT("Y", 0)', "five"), ('OUTPUTS_OF("X")', "one")],
    "size": [('DIM_OF("X", 0)', "d0"), ('DIM_OF("X", 3)', "d3"), ('RANK_OF("X")', "rank")],
    "float": [('STEPSIZE_OF("X")', "step"), ('CONSTVAL_FLOAT("Y", 0)', "val")],
}
CONSTANTS = {
    "bool": [("true", "true"), ("false", "false")],
    "int": [("3", "3"), ("-2", "-2"), ("0x10", "0x10"), ("2147483647", "2147483647")],
    "size": [("7u", "size_t(7)"), ("size_t(2)", "size_t(2)")],
    "float": [("1.5", "1.5f"), ("-0.1f", "-0.1f"), ("1e30", "1e30f")],
}
NARROWER = {
    "bool": ["bool"],
    "int": ["bool", "int"],
    "size": ["bool", "int", "size"],
    "float": ["bool", "int", "size", "float"],
}
VALUES = {
    "b1": True, "b0": False, "zero": -7, "five": 5, "one": 1, "d0": 2, "d3": 2**40 + 3, "rank": 4, "step": 0.3, "val": -2.75,
}  # fmt: skip
TYPES = {"b": "bool", "z": "int", "f": "int", "o": "int", "d": "size_t", "r": "size_t", "s": "float", "v": "float"}
HEADER = """
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
using std::size_t;
template <class... T> using C = std::common_type_t<T...>;
template <class A, class B> C<A, B> ADD(A a, B b) { using T = C<A, B>; return T(T(a) + T(b)); }
template <class A, class B> C<A, B> SUB(A a, B b) { using T = C<A, B>; return T(T(a) - T(b)); }
template <class A, class B> C<A, B> MUL(A a, B b) { using T = C<A, B>; return T(T(a) * T(b)); }
template <class A, class B> C<A, B> DIV(A a, B b) { using T = C<A, B>; return T(T(a) / T(b)); }
template <class A, class B> C<A, B> REM(A a, B b) { using T = C<A, B>; return T(T(a) % T(b)); }
template <class A, class B> C<A, B> MIN(A a, B b) { using T = C<A, B>; return T(b) < T(a) ? T(b) : T(a); }
template <class A, class B> C<A, B> MAX(A a, B b) { using T = C<A, B>; return T(a) < T(b) ? T(b) : T(a); }
template <class A, class B> C<A, B> SELECT(bool c, A a, B b) { return c ? C<A, B>(a) : C<A, B>(b); }
#define COMPARE(NAME, SIGN) template <class A, class B> bool NAME(A a, B b) { return C<A, B>(a) SIGN C<A, B>(b); }
COMPARE(EQ, ==) COMPARE(NE, !=) COMPARE(LT, <) COMPARE(GT, >) COMPARE(LE, <=) COMPARE(GE, >=)
template <class T> T NEG(T a) { return T(-a); }
template <class T> T ABS(T a) { return std::abs(a); }
template <class T> bool IS_POW2(T a) { auto u = std::make_unsigned_t<T>(a); return (u & (u - 1)) == 0; }
void show(bool v) { printf("bool %d\\n", v); }
void show(int v) { printf("int %d\\n", v); }
void show(size_t v) { printf("size %zu\\n", v); }
void show(float v) { uint32_t bits; memcpy(&bits, &v, 4); printf("float %u\\n", bits); }
"""


class Maker:
    """Makes (text, C++) pairs; `random` decides."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def leaf(self, type: str) -> tuple[str, str]:
        return self.random.choice(LEAVES[type])

    def other(self, type: str, depth: int) -> tuple[str, str]:
        """A second operand: also a constant."""
        if self.random.random() < 0.3:
            return self.random.choice(CONSTANTS[type])
        return self.make(type, depth)

    def make(self, type: str, depth: int) -> tuple[str, str]:
        """An expression of the type that is no C++ constant."""
        if depth == 0:
            return self.leaf(type)
        forms = (
            [self.leaf, self.select] if type == "bool" else [self.leaf, self.select, self.pair, self.pair, self.cast]
        )
        forms += [self.comparison, self.comparison, self.logic, self.power] if type == "bool" else [self.many]
        forms += [self.sign] if type in ("int", "float") else []
        forms += [self.division] if type != "bool" else []
        form = self.random.choice(forms)
        return form(type) if form == self.leaf else form(type, depth - 1)  # type: ignore[call-arg, operator]

    def two(self, type: str, depth: int) -> tuple[tuple[str, str], tuple[str, str]]:
        """Two operands whose common type is `type`; the first is no constant."""
        narrow = self.random.choice(NARROWER[type])
        if self.random.random() < 0.5:
            return self.make(type, depth), self.other(narrow, depth)
        return self.make(narrow, depth), self.other(type, depth)

    def call(self, name: str, *args: tuple[str, str]) -> tuple[str, str]:
        return f"{name}({', '.join(a for a, _ in args)})", f"{name}({', '.join(b for _, b in args)})"

    def pair(self, type: str, depth: int) -> tuple[str, str]:
        return self.call(self.random.choice(["ADD", "SUB", "MUL", "MIN", "MAX"]), *self.two(type, depth))

    def many(self, type: str, depth: int) -> tuple[str, str]:
        name = self.random.choice(["ADD", "MUL", "MIN", "MAX"])
        (a, x), (b, y) = self.two(type, depth)
        (c, z) = self.other(self.random.choice(NARROWER[type]), depth)
        return f"{name}({a}, {b}, {c})", f"{name}({name}({x}, {y}), {z})"

    def division(self, type: str, depth: int) -> tuple[str, str]:
        name = "DIV" if type == "float" else self.random.choice(["DIV", "REM"])
        digit = str(self.random.randint(2, 9))
        return self.call(name, self.make(type, depth), (digit, digit))

    def select(self, type: str, depth: int) -> tuple[str, str]:
        return self.call("SELECT", self.make("bool", depth), *self.two(type, depth))

    def sign(self, type: str, depth: int) -> tuple[str, str]:
        return self.call(self.random.choice(["NEG", "ABS"]), self.make(type, depth))

    def cast(self, type: str, depth: int) -> tuple[str, str]:
        name, cpp = {"int": ("INT", "int"), "size": ("UINT", "size_t"), "float": ("FLOAT", "float")}[type]
        source = self.random.choice(["bool", "int", "size"])
        text, inner = self.make(source, depth)
        return f"{name}({text})", f"{cpp}({inner})"

    def comparison(self, type: str, depth: int) -> tuple[str, str]:
        name = self.random.choice(["EQ", "NE", "LT", "GT", "LE", "GE"])
        return self.call(name, *self.two(self.random.choice(list(LEAVES)), depth))

    def logic(self, type: str, depth: int) -> tuple[str, str]:
        (a, x), (b, y) = self.make("bool", depth), self.make(self.random.choice(list(LEAVES)), depth)
        name, sign = self.random.choice([("AND", "&&"), ("OR", "||"), ("XOR", "!=")])
        if self.random.random() < 0.2:
            return f"NOT({a})", f"(!{x})"
        return f"{name}({a}, {b})", f"(bool({x}) {sign} bool({y}))"

    def power(self, type: str, depth: int) -> tuple[str, str]:
        return self.call("IS_POW2", self.make(self.random.choice(["int", "size"]), depth))
