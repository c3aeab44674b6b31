"""Smooth functions of one quantized input of 16 bits as cubics of 128 pieces (templates/qnn/hvx_curve.h).

sigmoid, tanh, erf, atan, sin, cos or softplus (log(1 + exp())) of a linear function, once, tanh() of the last (Mish), and sums
and products with it: between the points where `prepare` looks such a function has nothing that does not show there.
"""

from __future__ import annotations

from collections.abc import Sequence

from opkg.kernels.block import Block
from opkg.kernels.graphs.folding import fold
from opkg.kernels.graphs.graph import Graph, Node, Result
from opkg.kernels.graphs.nodes import needed, with_inputs
from opkg.kernels.lowered import Lowered, Member
from opkg.kernels.portable.expressions import Names, Writer, scalar_params
from opkg.kernels.snippet import Operand, Snippet
from opkg.kernels.strategies.fixed.cache import HEADERS as CACHE_HEADERS
from opkg.kernels.strategies.fixed.cache import kept_lines
from opkg.kernels.strategies.polynomials import steady
from opkg.kernels.strategies.softplus import constant, softplus_in
from opkg.spec.compute.types import Type

HEADERS = ("opkg/hvx_curve.h", *CACHE_HEADERS, "opkg/scalar.h")
_WAVES = frozenset(("sin", "cos"))  # they come back to a result
_CURVES = _WAVES | {"sigmoid", "tanh", "erf", "atan"}  # exp is too steep for 16-bit coefficients at its end
SMOOTH = _CURVES | {"exp"}  # what parts of larger expressions take, powers beside
_END = frozenset(("sigmoid", "tanh", "erf"))
_FLAT = 1.5  # from this power on cubics are near beside 0
_PARTS = ("value", "slope", "bend", "twist")


def lower(snippet: Snippet) -> Lowered | str:
    """The kernel, or why there is none."""
    why = _refusal(snippet)
    if why:
        return why
    (source,), (output,) = [snippet.operand(name) for name in snippet.graph.inputs], snippet.outputs
    setup = Block()
    body = Block(setup)
    for part, vector in enumerate(_results(setup, body, source, output, turns(snippet.graph))):
        body.store(output.name, vector, part)
    members = (Member("opkg::fixed::Curve", "curve_", "the function in 128 pieces"),)
    return Lowered(
        strategy="curves",
        title="cubics of 128 pieces in fixed point",
        error="within 1 step of the correctly rounded result",
        step=128,
        members=members,
        prepare=kept_lines(snippet, members, _fit(snippet, source, output)),
        setup=tuple(setup.insts),
        body=tuple(body.insts),
        headers=HEADERS,
        arch=62,
        unroll=1,
    )


def _refusal(snippet: Snippet) -> str:
    graph = snippet.graph
    if graph.reductions:
        return "a reduction"
    if len(graph.inputs) != 1 or len(snippet.outputs) != 1:
        return "several inputs or outputs"
    for operand in (snippet.operand(graph.inputs[0]), *snippet.outputs):
        if not operand.quantized or operand.storage.bits != 16:
            return f"{operand.name} is {operand.dtype.name}, not quantized of 16 bits"
    if any(o.is_param for o in snippet.inputs):
        return "a tensor param"
    return (
        ""
        if _smooth(graph)
        else "it is not sigmoid, tanh, erf, atan, sin, cos or softplus of a linear function, with sums and products"
    )


def smooth_part(graph: Graph, at: int) -> Graph | None:
    """What computes a node, where that is such a function of one input, an exponential or power that stays in more than 16 bits,
    or one of a steady polynomial."""
    part = needed(graph.nodes, (Result("result", at),))
    return part if _smooth(part, SMOOTH | {"pow"}, bent=True) else None


def smooth_argument(graph: Graph) -> int | None:
    """What a function takes sigmoid, tanh, exp and so on of, if it is smooth; of values that stay in more than 16 bits."""
    if not _smooth(graph, SMOOTH):
        return None
    return _inner(graph)


def is_smooth(graph: Graph) -> bool:
    """Whether a function of one input is smooth, and no wave."""
    return _smooth(graph, _CURVES - _WAVES)


def _smooth(graph: Graph, smooth: frozenset[str] = _CURVES, bent: bool = False) -> bool:
    degrees: list[int | None] = []
    softplus = softplus_in(graph)
    within = {at for found in softplus for at in found.within}
    ends = {found.last: found.argument for found in softplus}
    functions = 0
    for at, node in enumerate(graph.nodes):
        args = [degrees[arg] for arg in node.args]
        known = [d for d in args if d is not None]
        linear = len(known) == len(args)
        if node.type is not Type.REAL and node.op != "const":
            return False
        if node.op in ("input", "const", "param"):
            degrees.append(1 if node.op == "input" else 0)
        elif at in within:
            degrees.append(None)
        elif at in ends:
            if degrees[ends[at]] != 1:
                return False
            functions += 1
            degrees.append(None)
        elif node.op in ("add", "sub", "neg"):
            degrees.append(max(known) if linear else None)
        elif node.op == "mul":
            degrees.append(sum(known) if linear else None)
        elif node.op == "div" and args[1] == 0:
            degrees.append(args[0])
        elif node.op == "tanh" and node.args[0] in ends:
            degrees.append(None)
        elif node.op == "pow" and not (graph[node.args[1]].op == "const" and constant(graph, node.args[1]) >= _FLAT):
            return False
        elif (
            node.op in smooth
            and linear
            and (known[0] == 1 or (bent and node.op != "pow" and steady(graph, node.args[0])))
        ):
            functions += 1
            degrees.append(None)
        else:
            return False
    return functions == 1


def _fit(snippet: Snippet, source: Operand, output: Operand) -> list[str]:
    """Statements of `prepare` that make the pieces."""
    graph = snippet.graph
    numbers = ", ".join(f"op.{o.name}.scale, op.{o.name}.zero" for o in (source, output))
    lines = [
        f"if (!opkg::fixed::legal<{o.element}>(op.{o.name}.scale, op.{o.name}.zero)) return false;"
        for o in (source, output)
    ]
    types = f"{source.element}, {output.element}{', true' * turns(graph)}"
    call = f"curve_.fit<{types}>(function, argument, {numbers}, {apart(graph)})"
    return [*lines, *function_lines(graph), f"if (!{call}) return false;"]


def function_lines(graph: Graph) -> list[str]:
    """C++ of a smooth function of the only input, and of what it takes sigmoid, tanh and so on of: `function`, `argument`."""
    (result,) = graph.results
    given = {i: "x" for i, n in enumerate(graph.nodes) if n.op == "input"} | scalar_params(graph)
    lines: list[str] = []
    for name, node in (("function", result.node), ("argument", _inner(graph))):
        writer = Writer(graph, given, Names(("x",)), {})
        writer.write([node])
        made = [*writer.lines, f"return {writer.value(node, Type.REAL)};"]
        lines += [f"const auto {name} = [&](double x) {{", *(f"  {line}" for line in made), "};"]
    return lines


def waves_alone(graph: Graph) -> bool | None:
    """Whether a function uses its input for the argument of a wave alone; None of what is no wave."""
    if not any(node.op in _WAVES for node in graph.nodes):
        return None
    made = with_inputs(graph, {_inner(graph): "angle"}, graph.results)
    ((at, _), *others) = [(at, node) for at, node in enumerate(made.nodes) if node.op == "input"]
    return not others and all(made[user].op in _WAVES for user in made.users()[at])


def takes(graph: Graph) -> str:
    """C++ of what a function takes of its input."""
    if any(node.op == "pow" for node in graph.nodes):
        return "power"
    return "bent" if steady(graph, _inner(graph)) else "line"


def _inner(graph: Graph) -> int:
    """What a function takes sigmoid, tanh and so on of."""
    found = [softplus.argument for softplus in softplus_in(graph)]
    return (found or [n.args[0] for n in graph.nodes if n.op in SMOOTH | {"pow"}])[0]


def ends(graph: Graph) -> bool:
    """Whether a function takes what ends in both directions of its argument within 40, or is a line there."""
    return bool(softplus_in(graph)) or graph[next(at for at, n in enumerate(graph.nodes) if n.op in SMOOTH)].op in _END


def apart(graph: Graph) -> int:
    """How far from an end of the elements its result is looked for first."""
    return 1 if any(node.op in _WAVES for node in graph.nodes) else 256


def lines(graph: Graph) -> tuple[bool, bool]:
    """Whether a function of an element may go on as a line far below 0, and far above it."""
    if not turns(graph) or any(node.op in _WAVES for node in graph.nodes):
        return False, False
    return far_lines(graph)


def far_lines(graph: Graph) -> tuple[bool, bool]:
    """Whether a function that ends as a number or a line is no number far below 0, and far above it."""
    size = max(abs(at_number(graph, x) or 0.0) for x in (-60.0, -1.0, 1.0, 60.0))
    return _rises(graph, -60.0, size), _rises(graph, 60.0, size)


def _rises(graph: Graph, far: float, size: float) -> bool:
    ends = [at_number(graph, x) for x in (far, far / 2)]
    numbers = [end for end in ends if end is not None]
    return len(numbers) < 2 or abs(numbers[0] - numbers[1]) > 1e-12 * size


def at_number(graph: Graph, x: float) -> float | None:
    """The result at a number; None where it hangs on params."""
    values: list[Node] = []
    for node in graph.nodes:
        value = (
            x if node.op == "input" else node.value if not node.args else fold(node, [values[arg] for arg in node.args])
        )
        values.append(Node("const", (), node.type, value=value))
    return values[graph.results[0].node].value


def turns(graph: Graph) -> bool:
    """Whether it may rise and fall: waves, and what computes with the input more than once."""
    depends: list[bool] = []
    for node in graph.nodes:
        count = sum(depends[arg] for arg in node.args)
        if count > 1 or node.op in _WAVES:
            return True
        depends.append(node.op == "input" or count > 0)
    return False


def _results(setup: Block, body: Block, source: Operand, output: Operand, turning: bool) -> list[str]:
    def turned(vectors: list[str], signed: bool, plain: bool, name: str) -> list[str]:
        if signed is plain:
            return vectors
        top = setup.q6("Q6_V_vsplat_R", "0x80008000", to="all_80008000")
        return [body.q6("Q6_V_vxor_VV", vector, top, to=name) for vector in vectors]

    loaded = [body.load(source.name, part) for part in range(2)]
    found = curve_lanes(
        setup, body, turned(loaded, source.storage.signed, False, f"{source.name}_u"), "curve_", output.name, turning
    )
    return turned(found, output.storage.signed, True, output.name)


def curve_lanes(
    setup: Block, body: Block, elements: Sequence[str], curve: str, name: str, turning: bool = False
) -> list[str]:
    """A curve of two vectors of 16 bits without sign: results with sign, from the middle of their range. `curve`: the member;
    `name`: of results; `turning`: it may rise and fall."""

    index, along = places(setup, body, elements, curve)
    found = {part: entries(setup, body, f"{curve}.{part}", index, part) for part in reversed(_PARTS)}
    results = []
    for part, t in enumerate(along):
        total = found["twist"][part]
        for factor in ("bend", "slope"):
            product = body.q6("Q6_Vh_vmpy_VhVh_s1_rnd_sat", total, t, to="product")
            total = body.q6("Q6_Vh_vadd_VhVh_sat", found[factor][part], product, to="sum")
        rise = body.q6("Q6_Vh_vmpy_VhVh_s1_rnd_sat", total, t, to="rise")
        half = _splat(setup, f"{curve}.half")
        if turning:
            behind = body.q6("Q6_Q_vcmp_gt_VuhVuh", elements[part], _splat(setup, f"{curve}.border"), to="behind")
            half = body.q6("Q6_V_vmux_QVV", behind, _splat(setup, f"{curve}.beyond"), half, to="half")
        rounded = body.q6("Q6_Vh_vadd_VhVh_sat", rise, half, to="rise")
        steps = body.q6("Q6_Vh_vasr_VhR", rounded, f"{curve}.shift", to="steps")
        results.append(body.q6("Q6_Vh_vadd_VhVh_sat", found["value"][part], steps, to=name))
    return results


def places(setup: Block, body: Block, elements: Sequence[str], curve: str) -> tuple[str, list[str]]:
    """Of two vectors of 16 bits without sign: the numbers of their pieces in one vector, and t along these. `curve`: a member
    that is `Pieces`."""
    made = []
    for x in elements:
        above = body.q6("Q6_Vuh_vsub_VuhVuh_sat", x, _splat(setup, f"{curve}.low"), to="above")
        inside = body.q6("Q6_Vuh_vmin_VuhVuh", above, _splat(setup, f"{curve}.span"), to="inside")
        inside = body.q6("Q6_Vh_vadd_VhVh", inside, _splat(setup, f"{curve}.before"), to="inside")
        place = body.q6("Q6_Wuw_vmpy_VuhVuh", inside, _splat(setup, f"{curve}.zoom"), to="place")
        made.append([body.hi(place), body.lo(place)])
    return places_of_words(setup, body, made)


def places_of_words(setup: Block, body: Block, words: Sequence[Sequence[str]]) -> tuple[str, list[str]]:
    """The same of words, those of odd elements first: seven bits from the 16th on are the number of a piece, 16 make t."""
    found, along = [], []
    for both in words:
        found.append(body.q6("Q6_Vh_vshuffo_VhVh", *both, to="piece"))
        fraction = body.q6("Q6_Vh_vshuffe_VhVh", *both, to="fraction")
        along.append(body.q6("Q6_V_vxor_VV", fraction, _splat(setup, "0x80008000"), to="along"))
    return body.q6("Q6_Vb_vshuffe_VbVb", found[1], found[0], to="piece"), along


def entries(setup: Block, body: Block, table: str, index: str, name: str) -> tuple[str, str]:
    """Entries of 16 bits of 128: those of even and of odd places."""
    values = [setup.call("opkg::hvx::load", f"{table}{more}", to=f"{name}s") for more in ("", " + 64")]
    found = body.q6("Q6_Wh_vlut16_VbVhI", index, values[0], 0, to=name)
    for part in range(1, 8):
        found = body.q6("Q6_Wh_vlut16or_WhVbVhI", found, index, values[part // 4], part, to=name)
    return body.lo(found), body.hi(found)


def _splat(setup: Block, value: str) -> str:
    return setup.q6("Q6_V_vsplat_R", value, to=f"all_{value.rpartition('.')[2].removeprefix('0x')}")
