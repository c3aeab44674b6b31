"""An out-of-tree target: one header, one file without comments and one script per op, and a kernel of the user's."""

import os

from opkg.spec.diagnostics import error, warning
from opkg.targets.artifact import Artifact, Ownership


class Toy:
    name = "toy"
    summary = "A target of a third party"

    def check(self, package):
        if os.environ.get("TOY_CHECK_FAILS"):
            raise RuntimeError("check is broken")
        found = [
            error("OPK999", f"toy cannot do {op.name}", op.span) for op in package.ops if op.name.startswith("Bad")
        ]
        return found + [warning("OPK998", f"toy dislikes {op.name}", op.span) for op in package.ops if op.name == "Odd"]

    def render(self, package):
        if os.environ.get("TOY_RENDER_FAILS"):
            raise RuntimeError("render is broken")
        base = f"generated/{package.cpp_namespace}/toy"
        out = [Artifact(os.environ["TOY_PATH"], "x\n")] if os.environ.get("TOY_PATH") else []
        out += shared(package, self.name)
        for op in package.ops:
            stem = op.name.lower()
            out.append(Artifact(f"{base}/{stem}.h", f"// {op.name}: {op.summary}\nvoid {stem}();\n"))
            out.append(
                Artifact(f"{base}/data/{stem}.json", f'{{"op": "{op.name}", "s": "{op.summary}"}}\n', comment="")
            )
            out.append(Artifact(f"{base}/{stem}.sh", f"#!/bin/sh\necho {op.name} {op.summary}\n", comment="#"))
            out.append(Artifact(f"kernels/{stem}.cpp", f"// yours: {op.name}\n", Ownership.YOURS))
        return out


class Second(Toy):
    name = "toy-two"
    summary = "Another one"

    def check(self, package):
        return []

    def render(self, package):
        return [
            Artifact(f"generated/{package.cpp_namespace}/two/all.txt", "two\n", comment="#"),
            *shared(package, self.name),
        ]


def shared(package, target):
    """What packages share: a header that all need, and one that ops called Wide need. TOY_SHARED: its text, also of one
    target alone (`toy-two:text`)."""
    if "TOY_SHARED" not in os.environ:
        return []
    whose, _, text = os.environ["TOY_SHARED"].rpartition(":")
    names = ["toy.h", *(["deep/wide.h"] if any(op.name == "Wide" for op in package.ops) else [])]
    text = text if whose in ("", target) else "other"
    return [Artifact(f"generated/opkg/{name}", f"// {text}\n", Ownership.SHARED) for name in names]


TARGET = Toy()
SECOND = Second()
INCOMPLETE = object()
