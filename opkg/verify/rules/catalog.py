"""The findings about rules under test (OPK450 to OPK469), as data for `opkg explain`."""

from __future__ import annotations

# id: (title, explanation). Joined to `opkg/verify/catalog.py`.
ENTRIES: dict[str, tuple[str, str]] = {
    "OPK450": (
        "the two sides of a rule differ",
        "On a graph that the rule's pattern and constraint accept, the rewritten graph gives another result: other "
        "values than the op's tolerance allows, another shape, element type or quantization, or an op that its own spec "
        "does not allow there. Usual causes: operands in the wrong order, a missing guard in the constraint, a new op "
        "that inherits the root's type or shape where it needs its own (WITH_TYPE, WITH_SIZE). `opkg rules test` prints "
        "the graph and the worst elements.",
    ),
    "OPK451": (
        "no graph found that a rule accepts",
        "The sampler made random graphs with the pattern's form and none satisfied the constraint within its budget. "
        "Either the constraint cannot hold (then the rule never fires), or it needs values that random search does not "
        "hit. The rule counts as not tested. The hint names the condition that failed most often.",
    ),
    "OPK452": (
        "rule not tested",
        "An op of the rule has neither a reference in a spec nor a meaning built in, or the rule calls a C++ function "
        "that was not given in Python, or reads a constant whose value is not known. The message names it.",
    ),
    "OPK454": (
        "rule did not fire",
        "On a machine, the graph that matches the rule ran, but the trace does not show that the rule was applied. The "
        "result may be right and the rule still useless: compare pattern and constraint with what the backend hands to "
        "rewrite callbacks (types of signed tensors, ranks padded to 4).",
    ),
    "OPK455": (
        "no rule case for a machine",
        "A rule cannot be run on a machine because its pattern needs ops which that machine does not have, or the "
        "interface cannot carry the graph. The message says which.",
    ),
}
