"""Functions of one 8-bit input as tables of 256 entries: exact, whatever is computed.

A byte lookup (`vlut32`) covers 32 entries and a halfword lookup (`vlut16`) 16, so 256 entries take 8 or 16 of them; each
gives 0 where the index is outside of its range, and the results are joined by or. A table vector holds two interleaved
runs of entries: `prepare` fills a table in plain order and `opkg::hvx::interleave_table` brings it into this one.
"""

from __future__ import annotations

from opkg.kernels.block import Block
from opkg.kernels.lowered import Lowered, Member
from opkg.kernels.snippet import Operand, Snippet

HEADERS = ("opkg/hvx_table.h",)
_KEY_WORDS = 3  # of a tensor: its scale, and its zero point as 64 bits


def lower(snippet: Snippet) -> Lowered | str:
    """One table for every output; a text says why that cannot be."""
    source = _source(snippet)
    if isinstance(source, str):
        return source
    setup = Block()
    tables = [table_values(setup, output.name, output.storage.bits) for output in snippet.outputs]
    body = Block(setup)
    index = body.load(source.name)
    for output, values in zip(snippet.outputs, tables, strict=True):
        for part, vector in enumerate(lookup(body, values, index, output.storage.bits)):
            body.store(output.name, vector, part)
    many = f"{len(tables)} tables" if len(tables) > 1 else "a table"
    return Lowered(
        strategy="table8",
        title=f"{many} of 256 entries, indexed by {source.name}",
        error="exact",
        step=128,
        members=tuple([table_member(output.name, output.storage.bits) for output in snippet.outputs]),
        prepare=tuple(prepare_lines(snippet, source)),
        setup=tuple(setup.insts),
        body=tuple(body.insts),
        headers=HEADERS,
        depth=3 if len(setup.insts) <= 8 else 1,  # that many table vectors leave registers for two steps
        unroll=2 if len(setup.insts) > 2 else 1,
    )


def _source(snippet: Snippet) -> Operand | str:
    """The input that everything is a function of."""
    graph = snippet.graph
    if graph.reductions:
        return "it reduces dimensions"
    if len(graph.inputs) != 1:
        return f"it is a function of {len(graph.inputs)} inputs"
    for node in graph.nodes:
        if node.op == "param" and node.name not in {scalar.name for scalar in snippet.params}:
            return f"'{node.name}' is a tensor"
    source = snippet.operand(graph.inputs[0])
    if source.storage.bits != 8:
        return f"'{source.name}' has {source.storage.bits} bits"
    for output in snippet.outputs:
        if output.storage.bits > 32:
            return f"'{output.name}' has {output.storage.bits} bits"
    if (
        source.quantized
        and all(o.is_float for o in snippet.outputs)
        and all(graph[r.node].op == "input" for r in graph.results)
    ):
        return "its reals are products with the scale, which take fewer packets than lookups"
    return source


# Parts that other strategies use, too -----------------------------------------------------------------------------------


def table_name(of: str) -> str:
    """Name of the member that holds a table, 128-byte aligned."""
    return f"{of}_table"


def table_member(of: str, bits: int) -> Member:
    """The member for 256 entries of 8, 16 or 32 bits."""
    return Member(f"alignas(128) uint{bits}_t", f"{table_name(of)}[256]", f"{of} for every stored number")


def table_values(setup: Block, of: str, bits: int) -> tuple[str, ...]:
    """The vectors of an interleaved table, loaded once per row: 2 for entries of 8 bits, 4 for 16, 8 for 32."""
    per_vector = 1024 // bits
    return tuple(
        [
            setup.call("opkg::hvx::load", f"{table_name(of)} + {at}" if at else table_name(of), to=f"{of}_entries")
            for at in range(0, 256, per_vector)
        ]
    )


def lookup(body: Block, values: tuple[str, ...], index: str, bits: int) -> tuple[str, ...]:
    """Table entries for 128 indices of 8 bits, in the order of memory: bits / 8 vectors."""
    if bits == 8:
        return (lookup8(body, values, index),)
    if bits == 16:
        return lookup16(body, values, index)
    return _lookup32(body, values, index)


def lookup8(body: Block, values: tuple[str, ...], index: str) -> str:
    """Entries of 8 bits for 128 indices. `values`: of `table_values(setup, name, 8)`."""
    found = body.q6("Q6_Vb_vlut32_VbVbI", index, values[0], 0, to="found")
    for part in range(1, 8):
        found = body.q6("Q6_Vb_vlut32or_VbVbVbI", found, index, values[part // 4], part, to="found")
    return found


def lookup16(body: Block, values: tuple[str, ...], index: str) -> tuple[str, str]:
    """Entries of 16 bits for 128 indices in the order of memory: those of the first 64 and of the last 64 indices."""
    pair = body.q6("Q6_W_vshuff_VVR", *reversed(lookup16_apart(body, values, index)), -2, to="ordered")
    return body.lo(pair), body.hi(pair)


def lookup16_apart(body: Block, values: tuple[str, ...], index: str) -> tuple[str, str]:
    """Entries of 16 bits: those of even and those of odd places. `values`: of `table_values(setup, name, 16)`."""
    found = body.q6("Q6_Wh_vlut16_VbVhI", index, values[0], 0, to="found")
    for part in range(1, 16):
        end = "I" if part < 8 else "R"  # a constant has 3 bits
        found = body.q6(f"Q6_Wh_vlut16or_WhVbVh{end}", found, index, values[part // 4], part, to="found")
    return body.lo(found), body.hi(found)


def _lookup32(body: Block, values: tuple[str, ...], index: str) -> tuple[str, ...]:
    """Entries of 32 bits: a table of the low and one of the high halves, joined."""
    low = lookup16_apart(body, values[:4], index)
    high = lookup16_apart(body, values[4:], index)
    even, odd = (body.q6("Q6_W_vshuff_VVR", high[k], low[k], -2, to="words") for k in (0, 1))
    parts: list[str] = []
    for half in (body.lo, body.hi):
        ordered = body.q6("Q6_W_vshuff_VVR", half(odd), half(even), -4, to="ordered")
        parts += [body.lo(ordered), body.hi(ordered)]
    return tuple(parts)


def prepare_lines(snippet: Snippet, source: Operand) -> list[str]:
    """Statements that fill the tables by the portable code of one element, unless a call before had the same numbers."""
    operands = (source, *snippet.outputs)
    words = sum(_KEY_WORDS for _ in operands) + 2 * len(snippet.params)
    key = f"opkg::hvx::TableKey<{words}>"
    lines = [f"{key} key;"]
    for operand in operands:
        lines.append(f"key.add(op.{operand.name}.scale);")
        lines.append(f"key.add(op.{operand.name}.zero);")
    lines += [f"key.add(op.{scalar.name});" for scalar in snippet.params]
    results = [f"{output.name}_stored" for output in snippet.outputs]
    for output, name in zip(snippet.outputs, results, strict=True):
        cache = f"{output.name}_cache"
        lines += [
            f"static opkg::TableCache<{key}, uint{output.storage.bits}_t[256]> {cache};",
            f"{cache}.get(key, {table_name(output.name)}, [&](auto& table) {{",
            "  for (uint32_t q = 0; q < 256; ++q) {",
            *(f"    {o.element} {result};" for o, result in zip(snippet.outputs, results, strict=True)),
            f"    element(static_cast<{source.element}>(q), {', '.join(results)});",
            f"    opkg::hvx::put_entry(table, q, {name});",
            "  }",
            "});",
        ]
    return ["{", *(f"  {line}" for line in lines), "}"]
