"""Calls of kernels of QHPI packages: the functions that opkg calls, files with them, and scalars among a kernel's inputs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from opkg.imports.form import ImportedOp
from opkg.spec.names import name_fault, snake

VIEWS = "qhpi_views.h"


@dataclass(frozen=True, slots=True)
class Call:
    """One kernel: the function and argument type of the new package, the old function, whether it works in slices."""

    op: ImportedOp
    function: str
    struct: str
    old: str
    sliced: bool

    @property
    def text(self) -> str:
        """The function that opkg calls: views become tensors of QHPI."""
        inputs = [*(t.name for t in self.op.inputs), *(p.name for p in self.op.params)]
        outputs = [t.name for t in self.op.outputs]
        lines = [f"opkg::Status {self.function}(const {self.struct}& op) {{"]
        lines += [f"  QHPI_Tensor {_local(name)}(op.{name});" for name in (*outputs, *inputs)]
        lines.append(f"  QHPI_Tensor* outputs_[] = {{{', '.join(f'&{_local(name)}' for name in outputs)}}};")
        lines.append(f"  const QHPI_Tensor* inputs_[] = {{{', '.join(f'&{_local(name)}' for name in inputs)}}};")
        slices = "op.slice.count, op.slice.index" if self.sliced else ""
        lines.append(f"  QHPI_RuntimeHandle handle_{{{slices}}};")
        old = self.old.removeprefix("&").removeprefix("::")
        lines.append(f"  return finished(::{old}(&handle_, {len(outputs)}, outputs_, {len(inputs)}, inputs_));")
        return "\n".join([*lines, "}"])


def _local(name: str) -> str:
    return f"{name}_" if name == "op" else name


def scalars(text: str, types: Sequence[str]) -> dict[str, str]:
    """The last inputs of a kernel that it reads one number of into a variable, which are params: names and types."""
    out: dict[str, str] = {}
    for number in range(len(types) - 1, 0, -1):
        data = rf"qhpi_tensor_raw_data\(\s*\w+\[{number}\]\s*\)"
        read = re.search(rf"\b(\w+)\s*=\s*\*\s*(?:static_cast|reinterpret_cast)?\s*[<(][^;]*?{data}", text)
        read = read or re.search(rf"\b(\w+)\s*=\s*[^;=]*{data}\s*\)\s*\[0\]", text)
        if read is None or types[number] not in ("float32", "int32"):
            break
        name = snake(read[1])
        out[name if name_fault(name) is None and name not in out else f"param{number}"] = types[number]
    return dict(reversed(list(out.items())))


def kernel_file(name: str, text: str, namespace: str, calls: Sequence[Call], hvx: str) -> str:
    """A file of a package, and below it what opkg calls. `hvx`: an include that its vectors need, or ""."""
    ops = list(dict.fromkeys(call.op.name for call in calls))
    head = [
        f"// Kernels of {', '.join(ops)} out of {name}; opkg calls the functions at the end.",
        *(f'#include "{namespace}/{snake(op)}.h"' for op in ops),
        f'#include "{VIEWS}"',
        *([f'#include "{hvx}"'] if hvx else []),
        "",
        "using namespace qhpi;",
        "",
    ]
    functions = "\n\n".join(call.text for call in calls)
    return (
        "\n".join(head) + "\n" + text + f"\nnamespace {namespace} {{\n\n{functions}\n\n}}  // namespace {namespace}\n"
    )
