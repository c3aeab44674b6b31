"""What kernels of an op write once: portable rows of several types, steps of two loops, and scopes that need no braces."""

from __future__ import annotations

from pathlib import Path

import pytest
from kernels_product import failures, generated, package_of

from opkg.kernels.emit.blocks import statements
from opkg.kernels.emit.merged import Merge
from opkg.kernels.emit.scopes import flat
from opkg.targets.qnn_htp_qhpi import TARGET
from opkg.verify.api import VerifyOptions, verify

ROOT = Path(__file__).resolve().parents[2]
CENTRED = """\
  Centred:
    types: {{T: [{types}]}}
    inputs: {{x: {{dtype: T, shape: [batch..., C], rank: 2..3}}, k: {{dtype: T, shape: [C], optional: true}}}}
    outputs: {{y: {{dtype: T, shape: x.shape}}}}
    compute: |
      d = (x - mean(x, axis=-1, keepdims=True)) * rsqrt(mean(x * x, axis=-1, keepdims=True) + 0.01)
      y = d * k if present(k) else d
    tests: {{tolerance: {{{tolerance}}}}}
"""


def centred(types: str) -> str:
    bounds = [f"{name}: {'1 lsb' if 'fixed' in name else '1e-4 abs'}" for name in types.split(", ")]
    return CENTRED.format(types=types, tolerance=", ".join(bounds))


def kernels(types: str) -> str:
    found = TARGET.render(package_of(centred(types), "qnn-htp-qhpi"))
    return next(artifact.text for artifact in found if artifact.path.endswith("_kernels.cpp"))


@pytest.mark.parametrize(
    ("types", "shared"),
    [
        ("float32, ufixed8, ufixed16", True),
        ("ufixed8, ufixed16", True),
        ("ufixed8", False),
        ("float32, float16", False),
    ],
)
def test_one_portable_row_serves_all_types(types: str, shared: bool) -> None:
    text = kernels(types)
    assert text.count("OPKG_RARE void centred_row(") == shared
    assert text.count("OPKG_RARE void row(") == (0 if shared else types.count(",") + 1)
    assert text.count("{ centred_row<kK, ") == (types.count(",") + 1) * shared
    assert text.count("opkg::Plain") == (shared and "float32" in types)


def test_a_step_of_both_loops_is_a_function() -> None:
    text = kernels("ufixed8")
    assert text.count("OPKG_INLINE HVX_Vector y_step(") == 2  # with k and without
    assert (
        text.count("y_out.each_vector(slots, last, unit")
        == text.count("return y_step(")
        == text.count("y_out.put(lanes, i, 0, y_step(")
        == 2
    )


def test_the_computation_stands_once() -> None:
    text = kernels("float32, ufixed8")
    assert text.count("d * k if present(k)") == 1
    assert "/// centred_u8, which computes what centred_f32 does:" in text


def test_what_they_compute(tmp_path: Path) -> None:
    package = generated(tmp_path, centred("float32, ufixed8, ufixed16"))
    assert not failures(verify(tmp_path, [package], VerifyOptions(on=("host",), cases=6, check_current=False)))


def lines(text: str) -> list[str]:
    return flat(text.strip().splitlines())


def loops(*body: str) -> str:
    return "\n".join(["bool loops(size_t n) const {", *(f"  {line}" for line in body), "}"])


BLOCK = ("{", "  const HVX_Vector one = f(1);", "  g(one);", "}")


def test_blocks_with_names_of_their_own_stand_without_braces() -> None:
    assert lines(loops(*BLOCK, *BLOCK)) == loops("const HVX_Vector one = f(1);", "g(one);", "g(one);").splitlines()


@pytest.mark.parametrize(
    "other",
    [
        ("{", "  const HVX_Vector one = f(2);", "  g(one);", "}"),  # another value of that name
        ("const int32_t one = 1;",),
        ("{", "  HVX_Vector one = f(1);", "  g(one);", "}"),  # a variable
    ],
)
def test_others_keep_their_braces(other: tuple[str, ...]) -> None:
    text = loops(*BLOCK, *other)
    assert lines(text) == text.splitlines()


def test_a_constant_of_what_changed_is_declared_again() -> None:
    block = ("{", "  const HVX_Vector one = f(total);", "  g(one);", "}")
    text = lines(loops(*block, "total += 1;", *block))
    assert text == loops(*(line.strip() for line in block[1:3]), "total += 1;", *block).splitlines()


def test_only_the_last_block_of_several_rows_loses_its_braces() -> None:
    text = loops(*BLOCK, "h();", *BLOCK).replace("bool loops(", "bool several(")
    assert [line.strip() for line in lines(text)].count("{") == 1


def test_sums_that_lose_something_stay_in_front_of_what_asks_for_it() -> None:
    fewer = "HVX_Vector lost = f();\nconst HVX_VectorPred near = g(lost);\nreturn h(near);"
    more = fewer.replace("const HVX_VectorPred", "const Numbers s = sum_of(a, b, lost);\nconst HVX_VectorPred")
    more = more.replace("h(near)", "h(near, s)")
    body = Merge("kB").body(statements(fewer.splitlines()), statements(more.splitlines()))
    assert "\n".join(body).index("sum_of(a, b, lost)") < "\n".join(body).index("g(lost)")


def test_layer_norm_has_at_most_450_lines() -> None:
    text = (ROOT / "examples/math/generated/nn_math/qhpi/src/layer_norm_kernels.cpp").read_text("utf-8")
    assert text.count("\n") <= 450
