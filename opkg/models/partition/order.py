"""In which order a partitioner visits the nodes of a model: OpenVINO's, of which a test holds 400 graphs."""

from __future__ import annotations

from opkg.models.model import Links, Model


def visiting_order(model: Model, edges: Links) -> tuple[int | str, ...]:
    """Depth first from the results, the last result and the first operands first; inputs come before everything.

    Nodes by their numbers, inputs and constants by their names.
    """
    todo: list[int | str] = [edges.maker.get(name, name) for name in model.outputs]
    todo += model.inputs
    done: dict[int | str, None] = {}
    while todo:
        at = todo[-1]
        needs = reversed(model.nodes[at].reads) if isinstance(at, int) else ()
        missing = [before for name in needs if (before := edges.maker.get(name, name)) not in done]
        if at in done or not missing:
            done.setdefault(at)
            todo.pop()
        else:
            todo += missing
    return tuple(done)
