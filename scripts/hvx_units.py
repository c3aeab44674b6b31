"""Finds out which units of a packet every HVX intrinsic needs: writes opkg/kernels/hvx/units.tsv.

The assembler checks whether a packet can be executed. So each intrinsic is compiled, and its instruction is put into
packets with instructions whose units are known; which of these the assembler accepts tells the units. Needs clang-19
and llvm-objdump-19.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from opkg.kernels.hvx.names import Intrinsic, intrinsics
from opkg.kernels.hvx.units import syntax
from opkg.verify.machines.hexagon import steady
from opkg.verify.machines.hexagon.toolchain import FREESTANDING

OUT = Path(__file__).resolve().parents[1] / "opkg" / "kernels" / "hvx" / "units.tsv"
ARCHITECTURES = (66, 68, 69, 73)
PROBES = {
    "s": "v20.h = vasr(v28.h,r20)",
    "p": "v21 = vror(v28,r20)",
    "m": "v22.uw = vrmpy(v28.ub,r20.ub)",
    "M": "v23.uw = vrmpy(v28.ub,r20.ub)",
    "a": "v24.h = vadd(v28.h,v29.h)",
}
# What an instruction leaves room for -> its units: one of the four, two, shift, permute, one or both multiply units.
PACKETS = ("s", "p", "m", "mM", "sp", "sm", "pm", "spm", "smM", "pmM")
KINDS = {
    "any": {*PACKETS},
    "two": {"s", "p", "m", "mM", "sp"},
    "shift": {"p", "m", "mM", "pm", "pmM"},
    "permute": {"s", "m", "mM", "sm", "smM"},
    "multiply": {"s", "p", "m", "sp", "sm", "pm", "spm"},
    "multiply2": {"s", "p", "sp"},
    "shift+permute": {"m", "mM"},
    "multiply2+shift": {"p"},
    "all": set(),
}
# No instructions at all once registers are assigned, and those that come with others that look alike.
FREE = ("Q6_W_vcombine_VV", "Q6_V_hi_W", "Q6_V_lo_W")
SPELLED = {
    "Q6_V_vand_QR": "v0 = vand(q0,r1)", "Q6_V_vand_QnR": "v0 = vand(!q0,r1)", "Q6_Q_vand_VR": "q0 = vand(v0,r1)",
    "Q6_V_vand_QV": "v0 = vand(q0,v1)", "Q6_V_vand_QnV": "v0 = vand(!q0,v1)", "Q6_V_vandor_VQR": "v0 |= vand(q0,r1)",
    "Q6_V_vandor_VQnR": "v0 |= vand(!q0,r1)", "Q6_Q_vandor_QVR": "q0 |= vand(v1,r1)",
}  # fmt: skip
C_TYPES = {"V": "HVX_Vector", "W": "HVX_VectorPair", "Q": "HVX_VectorPred", "R": "int", "D": "long long"}
C_TYPES |= {"P": "HVX_Vector*", "q": "HVX_VectorPred*"}


def function(row: Intrinsic) -> str:
    """A C function of nothing but the intrinsic."""
    params = [f"{C_TYPES[k]} x{i}" for i, k in enumerate(row.operands) if k in C_TYPES]
    args = ", ".join(f"x{i}" if k in C_TYPES else "1" for i, k in enumerate(row.operands))
    result = C_TYPES.get(row.result, "void")
    keep = "" if row.result == "-" else "*r = "
    first = [] if row.result == "-" else [f"{result}* r"]
    return f"void f_{row.name}({', '.join(first + params)}) {{ {keep}{row.name}({args}); }}"


def compiled(arch: int, rows: list[Intrinsic], folder: Path) -> dict[str, list[str]]:
    """The instructions of every function."""
    source, binary = folder / "all.c", folder / "all.o"
    source.write_text(
        "#include <hexagon_types.h>\n#include <hexagon_protos.h>\n#include <hvx_hexagon_protos.h>\n"
        + "\n".join(map(function, rows))
    )
    target = ["--target=hexagon-unknown-none-elf", f"-mcpu=hexagonv{arch}", "-mhvx", "-mhvx-length=128B"]
    flags = ["-mhvx-ieee-fp"] if arch >= 68 else []
    command = [
        *steady.prefix(),
        "clang-19",
        *target,
        *flags,
        "-O2",
        "-nostdlibinc",
        f"-isystem{FREESTANDING}",
        "-ffunction-sections",
    ]
    subprocess.run([*command, "-w", "-c", str(source), "-o", str(binary)], check=True)
    tool = ["llvm-objdump-19", "-d", f"--mcpu=hexagonv{arch}", f"--mattr=+hvxv{arch}", "--no-show-raw-insn"]
    text = subprocess.run([*tool, str(binary)], check=True, capture_output=True, text=True).stdout
    found: dict[str, list[str]] = {}
    name = ""
    for line in text.splitlines():
        if start := re.match(r"[0-9a-f]+ <f_(\w+)>:", line):
            name = start[1]
        elif code := re.match(r"\s*[0-9a-f]+:\s+(.*)", line):
            parts = re.split(r"[\t;{}]|:mem_noshuf", code[1])
            found.setdefault(name, []).extend(p.strip() for p in parts if p.strip())
    return found


def instruction(name: str, lines: list[str]) -> str:
    """The one that the intrinsic stands for: the vector instruction that is no load, store or copy."""
    own = [line for line in lines if re.search(r"\b[vq]\d", line) and "vmem" not in line]
    own = [line for line in own if not re.fullmatch(r"v\d+(:\d+)? = v(\d+|combine\(v\d+,v\d+\))", line)] or own
    for helper in ("vandvrt", "vand(", "vsplat"):  # what moves predicates
        left = [line for line in own if helper not in line]
        own = left if left else own
    return own[0] if len(own) == 1 else ""


def accepted(arch: int, packets: list[str], folder: Path) -> list[bool]:
    """Whether the assembler takes each packet."""
    source = folder / "packets.s"
    source.write_text("".join(f"{{ {packet} }}\n" for packet in packets))
    target = ["--target=hexagon-unknown-none-elf", f"-mcpu=hexagonv{arch}", "-mhvx", "-mhvx-length=128B"]
    done = subprocess.run(
        [*steady.prefix(), "clang-19", *target, *(["-mhvx-ieee-fp"] if arch >= 68 else []), "-c", str(source), "-o", "/dev/null"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    bad = {int(n) for n in re.findall(r"packets\.s:(\d+):\d+: error", done.stderr)}
    return [number not in bad for number in range(1, len(packets) + 1)]


def units(arch: int, folder: Path) -> dict[str, tuple[str, str]]:
    """Kind and syntax of every intrinsic that an architecture has."""
    rows = [row for row in intrinsics().values() if row.since <= arch]
    text = compiled(arch, rows, folder)
    found = {row.name: instruction(row.name, text.get(row.name, [])) for row in rows}
    known = {name: SPELLED.get(name, line) for name, line in found.items() if line or name in SPELLED}
    packets = [" ; ".join([line, *(PROBES[k] for k in p)]) for line in known.values() for p in ("", *PACKETS)]
    good = iter(accepted(arch, packets, folder))
    kinds = dict.fromkeys(FREE, ("none", "-"))
    for name, line in known.items():
        alone = next(good)
        fits = {p for p in PACKETS if next(good)}
        kind = next((k for k, room in KINDS.items() if room == fits), "")
        if not alone or not kind:
            print(f"v{arch} {name}: {line}: alone {alone}, with {sorted(fits)}", file=sys.stderr)
        kinds[name] = (kind or "?", syntax(line))
    for name in found.keys() - known.keys() - set(FREE):
        print(f"v{arch} {name}: {text.get(name)}", file=sys.stderr)
    return kinds


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        tables = {arch: units(arch, Path(scratch)) for arch in ARCHITECTURES}
    lines = ["# name\tsyntax\tv66\tv68\tv69\tv73"]
    for name in intrinsics():
        rows = [tables[arch].get(name, ("-", "-")) for arch in ARCHITECTURES]
        lines.append("\t".join([name, rows[-1][1], *(kind for kind, _ in rows)]))
    OUT.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
