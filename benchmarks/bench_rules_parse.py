"""CPU time to parse rules: `python benchmarks/bench_rules_parse.py [RULES]` (default 1000).

The rules are made with the sizes that public rules have (facts/rules.md, section 2): median 58 tokens, 90 % below 128, at
most about 320, nested 4 deep at the median and 12 at most. Measured: C++ source to syntax trees, and one expression at a time.
"""

from __future__ import annotations

import random
import statistics
import sys
import time

from opkg.rules.text.cpp import parse_cpp
from opkg.rules.text.lexer import tokenize
from opkg.rules.text.parse import parse_expression
from opkg.spec.source_text import SourceText

TAGS = ("In", "Weights", "Bias", "Act", "Scale", "Shape")
OPS = ("Relu", "Conv2d", "Add", "Mul", "Softmax", "Reshape", "q::MatMul", "Requantize", "Sigmoid.tcm")
PASSES = ("EARLY", "EARLY + 2", "HARD_OPS+100", "LATE + 10", "TILING + 100", "QNN", "MIDDLE", "CLEANUP_GRAPH+130")


def size_of(random_: random.Random) -> int:
    """Tokens that a rule is to have."""
    return max(14, min(230, int(random_.lognormvariate(3.86, 0.6))))


def condition(random_: random.Random, budget: int) -> str:
    """A constraint of about `budget` tokens."""
    if budget < 8:
        return "OK"
    if budget < 22:
        return random_.choice(
            (
                f'GT(DIM_HEIGHT("{random_.choice(TAGS)}"), {random_.randint(1, 64)})',
                f'EQ(DTYPE_OF("{random_.choice(TAGS)}"), DType::QUInt8)',
                f'NOT(IS_FLOAT16("{random_.choice(TAGS)}"))',
            )
        )
    return f"AND({condition(random_, budget // 2)}, {condition(random_, budget // 2)})"


def operand(random_: random.Random, budget: int, split: bool) -> str:
    """A replacement of about `budget` tokens."""
    if budget < 6:
        return f'"{random_.choice(TAGS)}"'
    if budget < 8 and split:
        return f'TYPICAL_SLICE("{random_.choice(TAGS)}", "I")'
    turn = random_.random()
    if turn < 0.2:
        return f'WITH_SAME_OUTPUT("*", {operand(random_, budget - 5, split)})'
    if turn < 0.3:
        return f"WITH_SIZE(gen_Shape(1, 1, 1, {random_.randint(1, 512)}), {operand(random_, budget - 14, split)})"
    if turn < 0.4:
        scale = f'DIV(STEPSIZE_OF("{random_.choice(TAGS)}"), 2.0f)'
        return f'WITH_OUTPUT_TYPE(DType::QUInt8, ZERO_OFFSET_OF("*"), {scale}, {operand(random_, budget - 20, split)})'
    name = f'"{random_.choice(OPS)}"'
    if random_.random() < 0.3:
        name = f"FROM_DEFAULT_PACKAGE({name})"
    number = min(random_.randint(1, 3), max(1, budget // 8))
    inputs = ", ".join(operand(random_, (budget - 4) // number, split) for _ in range(number))
    return f"Op({name}, {inputs})"


def rule(random_: random.Random) -> str:
    """One macro call, written over several lines as people do."""
    size = size_of(random_)
    inputs = ", ".join(f'"{tag}"' for tag in random_.sample(TAGS, random_.randint(1, 3)))
    match = f'Op("{random_.choice(OPS)}", {inputs})'
    when = condition(random_, random_.choice((0, 0, size // 4, size // 3)))
    split = random_.random() < 0.25
    body = operand(random_, size - 18, split)
    replace = f'AUTOSPLIT({random_.randint(1, 3)}, "I", TILE_HEIGHT, {body})' if split else body
    return f"DEF_PACKAGE_OPTIMIZATION({random_.choice(PASSES)},\n    {match},\n    {when},\n    {replace})\n"


def best(function: object, times: int = 5) -> float:
    """The least CPU time of a few runs, seconds."""
    assert callable(function)
    measured = []
    for _ in range(times):
        begin = time.process_time()
        function()
        measured.append(time.process_time() - begin)
    return min(measured)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    random_ = random.Random(20)
    rules = [rule(random_) for _ in range(count)]
    sizes = sorted(len(tokenize(text)[0]) - 3 for text in rules)  # without the macro's name and the end
    source = "".join(rules)
    document, findings = parse_cpp(source, "rules.cpp")
    assert not findings, findings[:3]
    assert len(document.rules) == count
    print(
        f"{count} rules, tokens: median {statistics.median(sizes):.0f}, 90% {sizes[len(sizes) * 9 // 10]},"
        f" max {sizes[-1]}, all {sum(sizes)}"
    )
    whole = best(lambda: parse_cpp(source, "rules.cpp"))
    print(f"C++ source to trees:   {whole * 1000:7.1f} ms CPU, {sum(sizes) / whole / 1e6:.2f} M tokens/s")
    texts = [SourceText("r", text[text.index("(") :].rstrip().replace("(", "R(", 1)) for text in rules]
    single = best(lambda: [parse_expression(text) for text in texts])
    print(f"one text at a time:    {single * 1000:7.1f} ms CPU")


if __name__ == "__main__":
    main()
