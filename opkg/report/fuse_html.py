"""A model before and after, its fused ops and how they were proved, as one self-contained HTML page."""

from __future__ import annotations

from functools import cache
from typing import Any

import opkg
from opkg.fuse.api import Proof
from opkg.fuse.ends import EndToEnd
from opkg.fuse.find import Found
from opkg.models.model import links
from opkg.report import fuse_ops
from opkg.report.findings_text import visible
from opkg.report.fuse_svg import COLOURS, MOST, Box, picture
from opkg.resources import data_folder


@cache
def _environment() -> Any:
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(data_folder("templates")),
        undefined=jinja2.StrictUndefined,
        autoescape=True,  # names in a model are text, never markup
        trim_blocks=True,
        lstrip_blocks=True,
    )


def render(found: Found, proof: Proof | None = None, end: EndToEnd | None = None) -> str:
    """The page: pictures, the table of ops with their computations, why other nodes are not fused, proof and end to end."""
    before, after = boxes(found)
    text: str = _environment().get_template("report/fuse.html.j2").render(
        found=found, proof=proof, end=end, words=fuse_ops.words, packets=fuse_ops.packets, colours=COLOURS,
        reasons=fuse_ops.reasons(found),
        before=picture(before, "the model before"), after=picture(after, "the model after"), most=MOST,
        counts=(len(before), len(after)), visible=visible, version=opkg.__version__,
        proved=fuse_ops.proved(proof) if proof is not None else "",
    )  # fmt: skip
    return text


def boxes(found: Found) -> tuple[list[Box], list[Box]]:
    """The nodes of the model, and those of the model with its fused ops, behind those that they need."""
    model, edges = found.model, links(found.model)
    group = {n: at for at, op in enumerate(found.ops) for place in op.places for n in place.nodes}
    before = [
        Box(node.op, visible(node.name), group.get(number, -1), _needs(edges.maker, node.reads, {}))
        for number, node in enumerate(model.nodes)
    ]
    whole: dict[int, tuple[int, ...]] = {
        number: tuple(sorted(place.nodes)) for op in found.ops for place in op.places for number in place.nodes
    }
    return before, _merged(found, whole)


def _needs(maker: Any, names: Any, at: dict[int, int]) -> tuple[int, ...]:
    numbers = (maker[name] for name in names if name in maker)
    return tuple(dict.fromkeys(at.get(number, number) for number in numbers))


def _merged(found: Found, whole: dict[int, tuple[int, ...]]) -> list[Box]:
    """The boxes of the model after: places are visited as one, behind all that they need."""
    model, edges = found.model, links(found.model)
    names = {n: (op.name, at) for at, op in enumerate(found.ops) for place in op.places for n in place.nodes}
    at: dict[int, int] = {}
    made: list[Box] = []
    waiting = list(reversed(range(len(model.nodes))))
    while waiting:
        number = waiting[-1]
        nodes = whole.get(number, (number,))
        needs = {edges.maker[name] for each in nodes for name in model.nodes[each].reads if name in edges.maker}
        missing = [need for need in sorted(needs - set(nodes)) if need not in at]
        if number in at or not missing:
            waiting.pop()
        if number in at:
            continue
        if missing:
            waiting += reversed(missing)
            continue
        name, group = names.get(number, (model.nodes[number].op, -1))
        title = visible(", ".join(model.nodes[each].name for each in nodes))
        places = tuple(dict.fromkeys(at[need] for need in sorted(needs - set(nodes))))
        at.update(dict.fromkeys(nodes, len(made)))
        made.append(Box(name, title, group, places))
    return made
