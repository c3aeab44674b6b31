"""Long fuzz of the rule language: mutated rules through parser, checker and formatter.

    python scripts/fuzz_rules.py [--minutes 10] [--seed 1] [--keep build/fuzz]

Each text goes through the C++ front door, the checker and the formatter, and (a part of them) through a spec's YAML. A fault
is an exception, a text that takes longer than `SLOW` seconds, a finding outside of the file, or a formatter that changes
what is written or is not done after one turn. Texts at fault are kept in files. Exit code 1 when there is one.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from opkg.rules.check import Context, check
from opkg.rules.constructs import CONSTRUCTS
from opkg.rules.syntax import Document, Rule
from opkg.rules.text.cpp import parse_cpp
from opkg.rules.text.expanded import parse_expanded
from opkg.rules.text.formatter import format_cpp, format_spec
from opkg.rules.text.from_spec import document_of
from opkg.rules.text.lexer import tokenize
from opkg.rules.text.printer import declaration_text, rule_text
from opkg.spec import reader
from opkg.spec.diagnostics import Diagnostic

SLOW = 5  # seconds of one text; a hang
ROOT = Path(__file__).resolve().parent.parent
ORACLE = ROOT / "tests" / "rules" / "data" / "rule-oracle.tsv"
FRAMES = {
    "pass": 'DEF_PACKAGE_OPTIMIZATION({}, Op("A","X"), OK, Op("B","X"))',
    "flags": 'DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(EARLY, {}, Op("A","X"), OK, Op("B","X"))',
    "match": 'DEF_PACKAGE_OPTIMIZATION(EARLY, {}, OK, Op("B","X"))',
    "cst": 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A","X","Y"), {}, Op("B","X","Y"))',
    "repl": 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A","X","Y"), OK, {})',
    "props": "DEF_TENSOR_PROPERTIES({})",
    "op": "{}",
}
LONG = """\
DEF_PACKAGE_OPTIMIZATION(EARLY + 2,  // one
    Op("q::Conv2d", "In", LET("W", OpVarIn("Const" ".x", "Z")), OPCONST("B")),
    /* two */ AND(GT(DIM_HEIGHT("In"), TILE_HEIGHT), NOT(IS_FLOAT16("W")), LE(SUB(DIM_OF("In", 3), 8u), 0x10),
        OR(EQ(MOD(DIM_WIDTH("In"), 2), 0), MESSAGE_IF(OK, "a\\n \\"b\\"")), EQ(CONSTVAL_INT("B", 0), -1)),
    AUTOSPLIT(1, "I", TILE_HEIGHT, WITH_OUTPUT_TYPE(DType::QUInt8, ZERO_OFFSET_OF("*"), MUL(STEPSIZE_OF("In"), 1.5e-2f),
        Op(FROM_DEFAULT_PACKAGE("Conv2d"), TYPICAL_SLICE("In", "I"), "W",
            WITH_SIZE(gen_Shape(1, 1, 1, DIM_DEPTH("In")), WITH_TYPE("In", Op("Reshape", "B"))),
            SELECT(GT(SPLIT_START("I"), 0), AUTOSPLIT_SHAPEFN_APPLY(fn, "I", "In", 3), gen_ShapeOf("Z"))))))
DEF_PACKAGE_OPTIMIZATION(LATE, Op("Concat", "X"), OK,
    OP_ITER(Op("Concat"), "I", 0, INPUTS_OF("*"), OpMultiOut(2, 0, "B", ITER_INPUT_OF("*", "I"), gen_ConstArr_i32(3, 4))))
"""
PIECES = (
    *("Op(", '"A"', '"a b"', '""', '"', "'", "(", ")", "[", "]", "{", "}", "<", ">", ",", ";", "::", "+", "-", "*", "&", "|"),
    *("!", "?", ":", "=", ".", "->", "<<<", "f<T>", "(int)", "size_t(", "OK", "EARLY", "1", "-1", "010", "2L", "1.5f", "0x"),
    *("4294967296", "1e", "1e400f", "\\", "\\\n", "\n", "\r", "\t", " ", "@", "é", "\0", "\udcff", "#", "#if 0\n", "//", "/*"),
    *("*/", 'R"(', '<<<"f", 1>>>', '"*"', '"X"', '"I"', "(" * 60, ")" * 60, "NEG(" * 60, "9" * 60, "-2147483648", "u"),
)  # fmt: skip
SPEC = """opkg: 1
package: {{name: a.b, version: 1.0.0}}
ops:
  A:
    types: {{T: [float32]}}
    inputs:
      x: {{dtype: T, shape: [...]}}
    outputs:
      y: {{dtype: T, shape: x.shape}}
    reference: r:f
    rules:
      - match: |
{match}
        when: |
{when}
        replace: |
{replace}
"""


def seeds() -> list[str]:
    """Texts to begin with."""
    texts = [LONG]
    for line in ORACLE.read_text("utf-8").splitlines()[1:]:
        category, snippet = line.split("\t")[:2]
        if category in FRAMES:
            texts.append(FRAMES[category].format(snippet))
    return texts


def mutated(draw: random.Random, texts: Sequence[str]) -> str:
    """A text with a few changes of tokens or characters."""
    text = draw.choice(texts) if draw.random() < 0.6 else LONG
    for _ in range(draw.choice((1, 1, 2, 3, 8))):
        tokens = tokenize(text)[0]
        token = draw.choice(tokens)
        turn = draw.random()
        if turn < 0.3 and token.kind == "name":
            new = draw.choice(NAMES)
        elif turn < 0.5:
            new = draw.choice(PIECES)
        elif turn < 0.65:
            new = ""
        elif turn < 0.8:
            new = draw.choice(tokens).text
        elif turn < 0.9:
            new = token.text + " " + token.text
        else:
            other = draw.choice(texts)
            begin = draw.randrange(len(other))
            new = other[begin : begin + draw.randrange(60)]
        text = text[: token.start] + new + text[token.end :]
        if draw.random() < 0.2:
            at = draw.randrange(len(text) + 1)
            text = text[:at] + draw.choice(PIECES) + text[at + draw.randrange(4) :]
    return text


NAMES = (*CONSTRUCTS, "Foo", "DType::QUInt8", "LATE", "Flags::RESOURCE_HVX", "int", "x")


def _inside(findings: Sequence[Diagnostic], text: str) -> None:
    lines = text.split("\n")
    for finding in findings:
        _, line, column, end_line, end_column = finding.span
        assert 1 <= line <= end_line <= len(lines), finding
        assert 1 <= column <= len(lines[line - 1]) + 1, finding
        assert (end_line, end_column) > (line, column), finding
        assert finding.message, finding


def _shape(document: Document) -> list[str]:
    return [rule_text(i, 10**9) if isinstance(i, Rule) else declaration_text(i, 10**9) for i in document.items]


def cpp_case(text: str, ids: Counter[str]) -> None:
    """C++: parse, check, format."""
    document, findings = parse_cpp(text, "f.cpp")
    _inside(findings, text)
    found = check(document, Context("my.pkg", "2.25")).findings
    _inside(found, text)
    ids.update(finding.id for finding in (*findings, *found))
    formatted, _ = format_cpp(text, "f.cpp")
    again, _ = parse_cpp(formatted, "f.cpp")
    assert _shape(again) == _shape(document), "the formatter changes what is written"
    assert format_cpp(formatted, "f.cpp")[0] == formatted, "formatting again changes the text"
    parse_expanded(text, "no such file")


def spec_case(text: str, ids: Counter[str]) -> None:
    """A spec with the parts of the text's first rule, as a text may have them."""
    document, _ = parse_cpp(text, "f.cpp")
    if document.rules:
        rule = document.rules[0]
        when = rule.when if rule.when is not None else rule.match
        parts = {"match": rule.match, "when": when, "replace": rule.replace}
        texts = {part: text[node.start : node.end] for part, node in parts.items()}
    else:
        third = len(text) // 3 + 1
        texts = {"match": text[:third], "when": text[third : 2 * third], "replace": text[2 * third :]}
    fields = {part: "\n".join(" " * 10 + line for line in body.split("\n")) for part, body in texts.items()}
    data = SPEC.format(**fields).encode("utf-8", "replace")
    package, _ = reader.read(data, "s.yaml")[:2]
    if package is not None:
        read, findings = document_of(package)
        found = check(read, Context("a.b", "2.43")).findings
        _inside([*findings, *found], data.decode().replace("\r", "\n"))
        ids.update(finding.id for finding in (*findings, *found))
    formatted, _ = format_spec(data, "s.yaml")
    assert format_spec(formatted, "s.yaml")[0] == formatted, "formatting again changes the spec"


class Hang(BaseException):
    """A text takes too long."""


def _alarm(*_: object) -> None:
    raise Hang


def run(case: Callable[[str, Counter[str]], None], text: str, ids: Counter[str]) -> str:
    """What is wrong with a case: its traceback; empty when nothing is."""
    signal.setitimer(signal.ITIMER_REAL, SLOW)
    try:
        case(text, ids)
    except (Exception, Hang):
        return traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=ROOT / "build" / "fuzz")
    options = parser.parse_args()
    signal.signal(signal.SIGALRM, _alarm)
    draw, texts = random.Random(options.seed), seeds()
    ids: Counter[str] = Counter()
    failures: dict[str, str] = {}
    count, slowest, end = 0, 0.0, time.monotonic() + options.minutes * 60
    while time.monotonic() < end:
        text = mutated(draw, texts)
        case = spec_case if draw.random() < 0.2 else cpp_case
        begun = time.monotonic()
        failure = run(case, text, ids)
        count, slowest = count + 1, max(slowest, time.monotonic() - begun)
        if failure:
            place = "\n".join(failure.strip().splitlines()[-3:])
            if place not in failures:
                failures[place] = failure
                options.keep.mkdir(parents=True, exist_ok=True)
                name = (
                    options.keep
                    / f"{case.__name__}-{hashlib.sha1(text.encode('utf-8', 'replace')).hexdigest()[:8]}.txt"
                )
                name.write_bytes(text.encode("utf-8", "surrogateescape"))
                print(f"{name}:\n{failure}", flush=True)
    print(f"{count} texts, slowest {slowest:.2f} s, {len(failures)} faults; ids seen: {len(ids)}")
    print(" ".join(f"{id_}:{number}" for id_, number in sorted(ids.items())))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
