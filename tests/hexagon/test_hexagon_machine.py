"""Whole verifications in the emulator: right kernels, wrong ones, ones that crash and overrun; missing tools."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import claims
import hexlib
import pytest
from hexprojects import EXAMPLES, HERE, KERNEL, copied, doubled, package_of, run

from opkg.report import verify_json
from opkg.spec.arriving import distinct_kernels
from opkg.spec.diagnostics import MissingTool, OpkgError
from opkg.spec.model import OpPackage
from opkg.targets.qnn_htp_qhpi.blocks import with_blocks, with_twins
from opkg.verify.judge.outcome import VerifyResult
from opkg.verify.machines.hexagon import scan, steady, toolchain
from opkg.verify.machines.table import choose

pytestmark = pytest.mark.hexagon
OLD_CPU = "v66"


@pytest.fixture
def tools() -> None:
    hexlib.need(OLD_CPU)


def runnable() -> tuple[str, ...]:
    """v66 and, where the emulator is new, v73."""
    return tuple(f"hexagon-{arch}" for arch in (OLD_CPU, "v73") if arch in toolchain.runnable())


def passed(result: VerifyResult) -> None:
    assert not result.diagnostics, result.diagnostics
    for cell in result.cells:
        assert cell.ok, (
            cell.op,
            cell.combination,
            cell.column.label,
            [(o.case, o.reason()) for o in cell.failures][:3],
        )


def functions(packages: list[OpPackage]) -> set[str]:
    """The kernels for which the target generates a record."""
    ops = [op for package in packages for op in with_blocks(package).ops]
    return {kernel.label for op in ops for kernel in distinct_kernels(with_twins(op))}


def test_every_kind_of_argument_and_layout(tools: None, tmp_path: Path) -> None:
    packages = copied(HERE / "project", tmp_path)
    result = run(tmp_path, packages, *runnable(), cases=12)
    passed(result)
    kernels = {kernel for cell in result.cells for kernel in cell.kernels}
    assert kernels == functions(packages)
    assert {cell.column.label for cell in result.cells} == {name.replace("-", " ") for name in runnable()}


@pytest.mark.parametrize("example", [pytest.param("activations", marks=pytest.mark.sweep), "math", "layout"])
def test_every_kernel_of_the_examples(tools: None, example: str, tmp_path: Path) -> None:
    packages = copied(EXAMPLES / example, tmp_path)
    result = run(tmp_path, packages, *runnable(), cases=9)
    passed(result)
    kernels = {kernel for cell in result.cells for kernel in cell.kernels}
    assert kernels == functions(packages)
    assert list(claims.differing(packages, verify_json.as_object(result)["cells"])) == []


ALIKE = """
opkg: 1
package: {name: t.alike}
ops:
  Pack:
    types: {T: [uint8, int8, sfixed8, int16, ufixed16]}
    inputs: {x: {dtype: T}}
    outputs: {y: {dtype: ufixed8, shape: x.shape}}
    compute: y = x
"""


def test_one_kernel_serves_all_types_that_arrive_alike(tools: None, tmp_path: Path) -> None:
    """Of quantized elements, which may be any numbers, where plain ones arrive alike: no other one is generated or declared."""
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs/alike.yaml").write_text(ALIKE)
    packages = [package_of(tmp_path, "specs/alike.yaml")]
    result = run(tmp_path, packages, f"hexagon-{OLD_CPU}", cases=9)
    passed(result)
    assert {kernel for cell in result.cells for kernel in cell.kernels} == {"pack_s8", "pack_s8_crouton", "pack_u16"}
    header = (tmp_path / "generated/t_alike/qhpi/include/t_alike/pack.h").read_text()
    assert re.findall(r"void (pack_\w+)\(", header) == ["pack_s8", "pack_u16"]


def test_wrong_numbers_fail(tools: None, tmp_path: Path) -> None:
    result = run(tmp_path, [doubled(tmp_path, "if (op.y.size() > 3) op.y.store(3, 77.0f);")], "hexagon-v66")
    cell, outcome = result.failures[0]
    assert outcome.status == "failed"
    assert outcome.kernels == ("double_f32",)
    assert f"opkg verify --on hexagon-v66 --op Double --seed 0 --case {outcome.case}" in result.command(cell, outcome)


@pytest.mark.parametrize(
    ("extra", "says"),
    [
        ("if (op.y.size() > 4) op.y.data[op.y.size()] = {};", "y: written"),
        ("if (op.y.size() > 4) op.y.data[-1] = {};", "before its start"),
        (
            "if (op.y.size() > 4) *const_cast<uint8_t*>(reinterpret_cast<const uint8_t*>(op.x.data)) ^= 1;",
            "into an input",
        ),
    ],
)
def test_a_write_out_of_bounds_is_seen(tools: None, extra: str, says: str, tmp_path: Path) -> None:
    result = run(tmp_path, [doubled(tmp_path, extra)], "hexagon-v66")
    bad = [outcome for _, outcome in result.failures]
    assert {outcome.status for outcome in bad} == {"guard"}
    assert all(says in outcome.message for outcome in bad), bad[0].message
    assert any(cell.outcomes != cell.failures for cell in result.cells)  # small tensors pass


def test_a_crash_belongs_to_its_case(tools: None, tmp_path: Path) -> None:
    extra = "if (op.x.rank == 4 && op.y.size() == 1) *reinterpret_cast<volatile int*>(16) = 1;"
    result = run(tmp_path, [doubled(tmp_path, extra)], "hexagon-v66")
    assert [(o.case, o.status) for _, o in result.failures] == [("f32-001", "crash"), ("u8-001", "crash")]
    assert "SIGSEGV" in result.failures[0][1].message


def test_a_kernel_that_hangs_is_ended(tools: None, tmp_path: Path) -> None:
    extra = "if (op.y.size() == 1) for (volatile int i = 1; i != 0;) {}"
    result = run(tmp_path, [doubled(tmp_path, extra)], "hexagon-v66", case="u8-001", timeout=0.1)
    assert [o.status for _, o in result.failures] == ["timeout"]


def test_a_kernel_that_refuses_is_an_error(tools: None, tmp_path: Path) -> None:
    result = run(tmp_path, [doubled(tmp_path, "return opkg::Status::unsupported;")], "hexagon-v66", case="u8-001")
    assert [(o.status, o.code, o.message) for _, o in result.failures] == [
        ("error", 1, "double_u8: the kernel returned unsupported")
    ]


def test_the_same_sources_are_compiled_once(tools: None, tmp_path: Path) -> None:
    packages = [doubled(tmp_path)]
    passed(run(tmp_path, packages, "hexagon-v66"))
    made = tmp_path / "build" / "acme_one" / "qhpi-hexagon-v66" / "kernels_double.o"
    first = made.stat().st_mtime_ns
    passed(run(tmp_path, packages, "hexagon-v66"))
    assert made.stat().st_mtime_ns == first
    header = tmp_path / "kernels" / "factor.h"
    header.write_text("#define FACTOR 2\n")
    packages = [doubled(tmp_path, '/*\n*/ static_assert(FACTOR == 2, "");', '#include "factor.h"')]
    passed(run(tmp_path, packages, "hexagon-v66"))
    header.write_text("#define FACTOR 3\n")
    result = run(tmp_path, packages, "hexagon-v66")
    assert [d.id for d in result.diagnostics] == ["OPK400"]
    assert result.diagnostics[0].span.path == "kernels/double.cpp"


@pytest.mark.parametrize(
    ("extra", "top", "id", "says"),
    [
        ("return nonsense;", "", "OPK400", "nonsense"),
        ("frobnicate(1);", "void frobnicate(int);", "OPK434", "frobnicate"),
    ],
)
def test_what_does_not_build_is_a_finding(
    tools: None, extra: str, top: str, id: str, says: str, tmp_path: Path
) -> None:
    result = run(tmp_path, [doubled(tmp_path, extra, top)], "hexagon-v66")
    assert [d.id for d in result.diagnostics][:1] == [id]
    assert says in result.diagnostics[0].message
    assert not result.cells


def test_a_kernel_that_is_not_there(tools: None, tmp_path: Path) -> None:
    kernel = KERNEL.replace("double_u8", "double_u9")
    result = run(tmp_path, [doubled(tmp_path, kernel=kernel)], "hexagon-v66")
    assert [d.id for d in result.diagnostics] == ["OPK401"]
    assert "double_u8" in result.diagnostics[0].message


def test_float_instructions_that_the_emulator_misreads_are_refused(tools: None, tmp_path: Path) -> None:
    if "v73" not in toolchain.runnable():
        pytest.skip("qemu-hexagon is too old for v73")
    top = "#include <hexagon_types.h>\n#include <hexagon_protos.h>\n#include <hvx_hexagon_protos.h>"
    use = "HVX_Vector v; memcpy(&v, op.y.data, sizeof v); v = Q6_Vsf_equals_Vqf32(v); memcpy(op.y.data, &v, sizeof v);"
    result = run(tmp_path, [doubled(tmp_path, f"if (op.y.size() > 128) {{ {use} }}", top)], "hexagon-v73")
    (finding,) = result.diagnostics
    assert (finding.id, finding.span.path) == ("OPK435", "kernels/double.cpp")
    assert "Q6_Vsf_equals_Vqf32" in finding.message
    trapping = use.replace("Q6_Vsf_equals_Vqf32(v)", "Q6_Vqf32_vadd_VsfVsf(v, v)")
    result = run(
        tmp_path, [doubled(tmp_path, f"if (op.y.size() > 128) {{ {trapping} }}", top)], "hexagon-v73", case="f32-000"
    )
    assert [o.status for _, o in result.failures] == ["crash"]
    assert "it has no HVX floating point" in result.failures[0][1].message
    guarded = f"#if OPKG_HVX_FLOAT\n{use}\n#endif\n"
    passed(run(tmp_path, [doubled(tmp_path, guarded, top)], "hexagon-v73"))


def test_the_scan_knows_all_six(tools: None, tmp_path: Path) -> None:
    source = tmp_path / "six.c"
    calls = "".join(
        f"void f{i}(HVX_Vector x) {{ {'HVX_VectorPair' if 'W' in name else 'HVX_Vector'} y = {name}(x); use(&y); }}\n"
        for i, (_, name) in enumerate(scan.MISREAD.values())
    )
    headers = (
        "#include <hexagon_types.h>\n#include <hexagon_protos.h>\n#include <hvx_hexagon_protos.h>\nvoid use(void*);\n"
    )
    source.write_text(headers + calls)
    (made,) = toolchain.compile([source], "v73", ["-O1", "-mhvx-ieee-fp"], tmp_path)
    assert scan.misread(made) == list(scan.MISREAD.values())
    source.write_text(headers + "void g(HVX_Vector x) { HVX_Vector y = Q6_Vb_vadd_VbVb(x, x); use(&y); }")
    (made,) = toolchain.compile([source], "v73", ["-O1"], tmp_path)
    assert scan.misread(made) == []


def fake(folder: Path, name: str, says: str) -> str:
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{says}'\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_an_emulator_that_is_too_old_is_said_so(tools: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPKG_QEMU_HEXAGON", fake(tmp_path, "qemu", "qemu-hexagon version 7.2.17 (Debian)"))
    assert [s.machine.name for s in choose(("hexagon",)) if s.availability.ok] == ["hexagon-v66"]
    with pytest.raises(MissingTool) as caught:
        choose(("hexagon-v73",))
    finding = caught.value.diagnostics[0]
    assert finding.id == "OPK430"
    assert "7.2.17 is too old for v73" in finding.message
    assert "bookworm-backports" in finding.hint


def test_zig_has_a_compiler_and_a_linker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    zig = fake(tmp_path, "zig", "clang version 22.1.8")
    monkeypatch.setenv("OPKG_HEXAGON_CXX", zig)
    monkeypatch.setenv("OPKG_HEXAGON_LD", zig)
    compiler, linker = toolchain.clang(), toolchain.lld()
    assert compiler is not None
    assert linker is not None
    assert (compiler.command, compiler.major) == ((zig, "clang"), 22)
    assert (linker.command, linker.version) == ((zig, "ld.lld"), "22.1.8")
    command = toolchain.compile_command(Path("a.cpp"), "v66", ["-O2"], Path("a.o"))
    assert command[len(steady.prefix()) :][:2] == [zig, "clang"]
    assert f"-isystem{tmp_path}/lib/include" in command


def test_no_emulator_is_a_missing_tool_with_the_command_that_installs_it(tmp_path: Path) -> None:
    doubled(tmp_path)
    environment = {
        **os.environ,
        "OPKG_QEMU_HEXAGON": "/nowhere/qemu",
        "OPKG_HEXAGON_LD": "/nowhere/lld",
        "NO_COLOR": "1",
    }
    command = [sys.executable, "-m", "opkg", "verify", "--on", "hexagon"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment)
    said = done.stdout + done.stderr
    assert done.returncode == 3, said
    assert "machine 'hexagon' is not available: no ld.lld-19, qemu-hexagon" in said
    assert "apt-get install clang-19 lld-19 qemu-user" in said


def test_other_machines_have_hints() -> None:
    with pytest.raises(OpkgError) as caught:
        choose(("hexagn",))
    assert caught.value.diagnostics[0].hint == "did you mean 'hexagon'?"
    assert [s.machine.name for s in choose(("host",))] == ["host"]
