"""What of a rule QHPI cannot carry because of the outputs of the op that it is tried on."""

from __future__ import annotations

from collections.abc import Iterator

from opkg.rules import core
from opkg.rules.core import ModifierKind, TypedRule
from opkg.rules.walk import below
from opkg.spec.diagnostics import Severity
from opkg.spec.model import Op
from opkg.targets.qnn_htp_qhpi.rewrite_limits import OUT

# id, message, hint, place, whether the rule is left out because of it
Found = tuple[str, str, str, core.At, Severity | None]


def of_outputs(rule: TypedRule, root: Op | None) -> Iterator[Found]:
    """Roots with several outputs are replaced as a whole. `root`: the op of the package that the rule is tried on."""
    if root is None or (len(root.outputs) == 1 and root.outputs[0].variadic is None):
        for node in below(rule.replace):
            if isinstance(node, core.Modified) and node.kind is ModifierKind.MULTI_OUT and not _below_out(rule, node):
                message = "WITH_MULTI_OUT makes an op of several outputs, but the replaced op has one"
                yield "OPK269", message, "use OpMultiOut to choose one", node.at, None
        return
    arms: list[core.Repl] = [rule.replace]
    while arms:
        arm = arms.pop()
        if isinstance(arm, core.SelectRepl):
            arms += [arm.then, arm.otherwise]
        elif not (
            isinstance(arm, core.Build | core.Existing)
            or (
                isinstance(arm, core.Modified)
                and arm.kind is ModifierKind.MULTI_OUT
                and isinstance(arm.body, core.Build)
            )
        ):
            message = (
                f"'{root.name}' has several outputs: in QHPI it is replaced by one op with as many, described alike"
            )
            yield "OPK269", message, "use Op(...) without a modifier", arm.at, None


def _below_out(rule: TypedRule, node: core.Modified) -> bool:
    return any(
        isinstance(b, core.Build) and b.op == OUT and b.inputs and b.inputs[0] is node for b in below(rule.replace)
    )
