"""What of the generated builders hangs on one op: a change of it leaves what is known of the others true."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import replace

from opkg.spec.model import Op, OpPackage
from opkg.targets.executorch_builder.builder import builder_module
from opkg.targets.executorch_builder.names import module, torch_op
from opkg.targets.executorch_builder.profiles import DEFAULT, profile_of
from opkg.targets.executorch_builder.target import shapes_module
from opkg.targets.executorch_builder.torch_mapping import calls_module, mapped_ops
from opkg.targets.executorch_builder.torch_ops import custom_ops

# What only computing in PyTorch needs, and what register() says: no builder reads them.
EAGER = frozenset(
    {
        "computations.py", "qnn_build.py", "torch_eager.py", "torch_elements.py", "torch_grad.py", "torch_keys.py",
        "torch_math.py", "torch_moves.py", "torch_packet.py", "torch_parts.py", "torch_places.py", "torch_plan.py",
        "torch_planning.py", "torch_program.py", "torch_reductions.py", "torch_results.py", "torch_slopes.py",
        "torch_sums.py", "torch_values.py", "undefined.py",
    }
)  # fmt: skip


def op_digests(package: OpPackage) -> dict[str, str]:
    """By torch op, a digest of what is generated for the ops that take its nodes, in the order in which they are asked."""
    found: dict[str, str] = defaultdict(str)
    for op in package.ops:
        digest = hashlib.sha256(_text(package, op).encode()).hexdigest()
        for name in (torch_op(package, op), *mapped_ops(op)):
            found[name] += digest
    return dict(found)


def _text(package: OpPackage, op: Op) -> str:
    """What is generated for an op, and for those that make its inputs."""
    called = {step.op for call in op.torch for _, expression in call.inputs for step in expression.steps}
    ops = tuple(each for each in package.ops if each is op or each.name in called)
    alone, profile = replace(package, ops=ops), profile_of(package.executorch) or DEFAULT
    texts = [builder_module(package, each) for each in ops]
    custom = [text for name, text in custom_ops(alone, profile).items() if name not in EAGER]
    return "".join([*texts, calls_module(alone), shapes_module(alone, profile), *custom])


def of_all_ops(package: OpPackage) -> frozenset[str]:
    """Files that no builder reads, in which all ops stand, or one alone; the others are the same whatever the ops are."""
    profile = profile_of(package.executorch) or DEFAULT
    names = {f"{module(op)}.py" for op in package.ops} | {*custom_ops(package, profile)}
    return frozenset(names | EAGER | {"__init__.py", "constants.py", "shapes.py", "torch_calls.py"})
