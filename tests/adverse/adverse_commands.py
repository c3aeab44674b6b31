"""A small project that has something for every command, and the command lines themselves."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from opkg.cli.main import cli
from opkg.project.generate import generate

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests" / "intree"))
from intree_lib import checkout  # noqa: E402

SPEC = """\
opkg: 1
package:
  name: a.mini
  targets: [qnn-htp-qhpi, qnn-htp-classic, executorch-builder]
ops:
  Gated:
    summary: silu(a + b)
    types: {T: [float32, ufixed8]}
    inputs:
      a: {dtype: T, rank: 1..4}
      b: {dtype: T, shape: a.shape}
    outputs:
      y: {dtype: T, shape: a.shape}
    pattern: |
      t = a + b
      torch.nn.functional.silu(t)
    compute: |
      t = a + b
      y = t * sigmoid(t)
  Relu:
    summary: max(x, 0)
    inputs:
      x: {dtype: ufixed8, rank: 1..4}
    outputs:
      y: {dtype: ufixed8, shape: x.shape}
    torch: aten.relu.default
    compute: y = max(x, 0)
  Twist:
    summary: the negative
    types: {T: [float32]}
    inputs:
      x: {dtype: T, rank: 1..4}
    outputs:
      y: {dtype: T, shape: x.shape}
    reference: references:twist
"""
REFERENCE = "def twist(x):\n    return -x\n"
KERNEL = """\
#include "a_mini/twist.h"

namespace a_mini {

opkg::Status twist_f32(const TwistArgsF32& args) {
  for (std::size_t i = 0; i < args.y.size(); ++i) args.y[i] = -args.x[i];
  return opkg::Status::ok;
}

}  // namespace a_mini
"""
OWN = """\
#include <stddef.h>

void relu(const void* const* in, void* const* out, size_t n, const float* numbers) {
  const unsigned char* x = in[0];
  unsigned char* y = out[0];
  for (size_t i = 0; i < n; ++i) y[i] = x[i];
}
"""
READ = (
    "--as",
    "cpp",
    "--sdk",
    "2.25",
    "--package",
    "a.b",
    "--preprocess",
    "-I",
    "cpp",
    "-D",
    "A=1",
)  # how rules are read
# Those that take a second or less, their other options, then those that compile or start ExecuTorch.
QUICK: tuple[tuple[str, ...], ...] = (
    ("new", "More", "--no-input"),
    ("new", "More", "--kind", "custom", "--no-input"),
    ("new", "More", "--dir", "sub/deep", "--no-input"),
    ("new", "More", "--package", "b.other", "--no-input"),
    ("validate",),
    ("validate", "--format", "sarif"),
    ("generate",),
    ("generate", "stale"),
    ("generate", "--diff", "stale"),
    ("generate", "--discard-edits", "stale"),
    ("check",),
    ("check", "--format", "github"),
    ("export", "a.mini", "-o", "handed-over"),
    ("kernel", "show", "Gated"),
    ("rules", "check", "cpp/fuse.cpp", "--package", "nn.fused"),
    ("rules", "check", "specs"),
    ("rules", "format", "cpp/untidy.cpp"),
    ("rules", "format", "--diff", "specs"),
    ("rules", "explain", "cpp/fuse.cpp", "--package", "nn.fused"),
    ("rules", "apply", "graphs/add_relu.txt", "cpp/fuse.cpp", "--package", "nn.fused", "--output", "o.txt", "--html", "o.html"),
    ("rules", "test", "cpp/order.cpp", "--cases", "2"),
    ("rules", "offer", "specs"),
    ("rules", "migrate", "cpp/fuse.cpp", "--package", "a.moved", "--output", "moved.yaml"),
    ("executorch", "env"),
    ("executorch", "intree", "checkout"),
    ("explain", "OPK300"),
    ("explain",),
    ("schema",),
    ("targets",),
    ("doctor",),
)  # fmt: skip
OPTIONS: tuple[tuple[str, ...], ...] = (
    ("generate", "stale", "--target", "qnn-htp-qhpi", "--dry-run", "--format", "json"),
    ("check", "stale", "--target", "qnn-htp-qhpi", "--full"),
    ("export", "a.mini", "--target", "qnn-htp-qhpi", "--format", "json"),
    ("kernel", "show", "Gated", "--package", "a.mini", "--stage", "graph", "--dot"),
    ("kernel", "show", "Gated", "--when", "T=float32", "--shape", "a=2,8", "--arch", "v73", "--target", "qnn-htp-classic",
     "--format", "json"),
    ("rules", "check", "cpp/fuse.cpp", *READ, "--format", "json"),
    ("rules", "format", "cpp/untidy.cpp", "--check", "--as", "cpp", "--format", "json"),
    ("rules", "explain", "cpp/external.cpp", *READ, "--rule", "external_2", "--format", "json"),
    ("rules", "explain", "--construct", "DIM_OF"),
    ("rules", "apply", "graphs/gelu.txt", "cpp/external.cpp", *READ, "--rule", "external_2", "--trace", "--dot", "o.dot",
     "--option", "tcm_size_for_tiling=4", "--external", "cpp/external.py", "--dim", "n=1", "--max-steps", "1", "--format",
     "json"),
    ("rules", "test", "cpp/external.cpp", *READ, "--rule", "external_2", "--cases", "1", "--seed", "1", "--option",
     "tcm_size_for_tiling=4", "--external", "cpp/external.py", "--format", "json"),
    ("rules", "offer", "specs", "--op", "Gated", "--only", "yaml", "--format", "json"),
    ("rules", "migrate", "cpp/fuse.cpp", "--package", "a.moved", "--preprocess", "-I", "cpp", "-D", "A=1", "--format", "json"),
    ("executorch", "intree", "checkout", "--diff"),
    ("executorch", "intree", "checkout", "--check", "--format", "json"),
    ("executorch", "intree", "checkout", "--remove"),
    ("explain", "--list"),
    ("schema", "--write"),
    ("targets", "--format", "json"),
    ("doctor", "--format", "json"),
)  # fmt: skip
SLOW: tuple[tuple[str, ...], ...] = (
    ("build",),
    ("verify", "--on", "host", "--cases", "1", "--junit", "build/v.xml", "--json", "build/v.json"),
    ("verify", "--on", "hexagon-v68", "--cases", "1", "--op", "Gated"),
    ("verify", "--on", "executorch", "--cases", "1", "--op", "Gated"),
    ("bench", "Relu", "--size", "256"),
    ("kernel", "tune", "Relu", "--arch", "v66"),
    ("executorch", "compare", "model.py"),
    ("build", "--interface", "classic", "--format", "json"),
    ("verify", "--on", "host", "--op", "Relu", "--case", "any-000", "--seed", "1", "--timeout", "60", "--sanitize",
     "--fail-fast", "--format", "json", "--html", "build/own.html"),
    ("verify", "--on", "htp", "--op", "Relu", "--cases", "1", "--large", "0", "--trace"),
    ("bench", "Relu", "--arch", "v66", "--size", "256", "--against", "own.c", "--package", "a.mini", "--html", "build/b.html",
     "--format", "json"),
    ("bench", "--suite", "--arch", "v66", "--size", "128"),
    ("bench", "Relu", "--call", "--shape", "2,8", "--arch", "v66"),
    ("graph", "Relu", "--pairs", "1", "--shape", "1,8,8,8", "--most", "9", "--package", "a.mini", "--format", "json"),
    ("kernel", "tune", "Relu", "--arch", "v66", "--dry-run", "--package", "a.mini"),
    ("executorch", "compare", "model.py", "--modes", "float", "--timeout", "60", "--html", "c.html", "--format", "json"),
    ("executorch", "judge", "-k", "no_such_test", "--baseline", "--format", "json"),
)  # fmt: skip


def verbs(group: click.Group = cli, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command of opkg with the words that call it, out of opkg's own groups."""
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        if isinstance(command, click.Group):
            yield from verbs(command, (*path, name))
        elif command is not None:
            yield (*path, name), command


# What stands for a required argument, by its name.
ARGUMENTS = {"op": "Relu", "graph": "graphs/add_relu.txt", "rules": "cpp/fuse.cpp", "files": "cpp/fuse.cpp", "name": "More",
             "model": "model.py", "checkout": "checkout"}  # fmt: skip


def derived(lines: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Lines for the commands and options that no line has: nothing new is left out until somebody writes a better one."""
    found = []
    for path, command in verbs():
        known = {word for line in lines if line[: len(path)] == path for word in line}
        arguments = [p for p in command.params if isinstance(p, click.Argument) and p.required]
        given = tuple(ARGUMENTS.get(p.name or "", "specs") for p in arguments)
        options = [p for p in command.params if isinstance(p, click.Option) and not known.intersection(p.opts)]
        if not known:
            found.append((*path, *given))
        found += [(*path, *given, option.opts[-1], *_value(option)) for option in options]
    return found


def _value(option: click.Option) -> tuple[str, ...]:
    if option.is_flag or option.count:
        return ()
    if isinstance(option.type, click.Choice):
        return (str(option.type.choices[0]),)
    numbers = isinstance(option.type, click.types.IntParamType | click.types.FloatParamType)
    return ("1" if numbers else "x",)


EVERY = (*QUICK, *OPTIONS, *SLOW)
ALL = (*EVERY, *derived(EVERY))


def make(root: Path) -> Path:
    """The project, generated, with another one in `stale/` whose spec has changed since."""
    for folder in (root / "stale", root):
        (folder / "specs").mkdir(parents=True)
        (folder / "specs" / "mini.yaml").write_text(SPEC)
        (folder / "references.py").write_text(REFERENCE)
        assert generate((str(folder / "specs"),)).ok
    stale = SPEC.replace("summary: the negative", "summary: minus x").replace("Relu:", "Elu:")
    (root / "stale" / "specs" / "mini.yaml").write_text(stale)
    (root / "kernels" / "twist.cpp").write_text(KERNEL)
    (root / "model.py").write_text("def model():\n    return None\n\n\ndef inputs():\n    return ()\n")
    (root / "own.c").write_text(OWN)
    for part in ("cpp", "graphs"):
        shutil.copytree(ROOT / "examples" / "rules" / part, root / part)
    checkout(root / "checkout")
    return root
