"""A program that runs HVX intrinsics on random and extreme operands; the same text for the host and for Hexagon."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

ROUNDS = 24  # calls of every intrinsic, each with other operands

# Operands and results: V vector, W pair, Q predicate, R scalar. "V:VV" is Vector f(Vector, Vector).
SIGNATURES: dict[str, str] = {
    "V:": "Q6_V_vzero",
    "V:R": "Q6_V_vsplat_R Q6_Vh_vsplat_R Q6_Vb_vsplat_R",
    "V:V": """Q6_V_vnot_V Q6_Vb_vabs_Vb Q6_Vb_vabs_Vb_sat Q6_Vh_vabs_Vh Q6_Vh_vabs_Vh_sat Q6_Vw_vabs_Vw
        Q6_Vw_vabs_Vw_sat Q6_Vuh_vcl0_Vuh Q6_Vuw_vcl0_Vuw Q6_Vh_vpopcount_Vh Q6_Vh_vnormamt_Vh
        Q6_Vw_vnormamt_Vw Q6_Vb_vdeal_Vb Q6_Vh_vdeal_Vh Q6_Vb_vshuff_Vb Q6_Vh_vshuff_Vh""",
    "V:VV": """Q6_V_vand_VV Q6_V_vor_VV Q6_V_vxor_VV Q6_Vb_vadd_VbVb Q6_Vh_vadd_VhVh Q6_Vw_vadd_VwVw
        Q6_Vb_vsub_VbVb Q6_Vh_vsub_VhVh Q6_Vw_vsub_VwVw Q6_Vb_vadd_VbVb_sat Q6_Vub_vadd_VubVub_sat
        Q6_Vub_vadd_VubVb_sat Q6_Vh_vadd_VhVh_sat Q6_Vuh_vadd_VuhVuh_sat Q6_Vw_vadd_VwVw_sat
        Q6_Vuw_vadd_VuwVuw_sat Q6_Vb_vsub_VbVb_sat Q6_Vub_vsub_VubVub_sat Q6_Vub_vsub_VubVb_sat
        Q6_Vh_vsub_VhVh_sat Q6_Vuh_vsub_VuhVuh_sat Q6_Vw_vsub_VwVw_sat Q6_Vuw_vsub_VuwVuw_sat
        Q6_Vb_vmax_VbVb Q6_Vub_vmax_VubVub Q6_Vh_vmax_VhVh Q6_Vuh_vmax_VuhVuh Q6_Vw_vmax_VwVw
        Q6_Vb_vmin_VbVb Q6_Vub_vmin_VubVub Q6_Vh_vmin_VhVh Q6_Vuh_vmin_VuhVuh Q6_Vw_vmin_VwVw
        Q6_Vub_vavg_VubVub Q6_Vub_vavg_VubVub_rnd Q6_Vh_vavg_VhVh Q6_Vh_vavg_VhVh_rnd Q6_Vuh_vavg_VuhVuh
        Q6_Vuh_vavg_VuhVuh_rnd Q6_Vw_vavg_VwVw Q6_Vw_vavg_VwVw_rnd Q6_Vb_vavg_VbVb Q6_Vb_vavg_VbVb_rnd
        Q6_Vb_vnavg_VubVub Q6_Vh_vnavg_VhVh Q6_Vw_vnavg_VwVw Q6_Vub_vabsdiff_VubVub
        Q6_Vuh_vabsdiff_VuhVuh Q6_Vuh_vabsdiff_VhVh Q6_Vuw_vabsdiff_VwVw Q6_Vh_vasr_VhVh Q6_Vw_vasr_VwVw
        Q6_Vh_vasl_VhVh Q6_Vw_vasl_VwVw Q6_Vh_vlsr_VhVh Q6_Vw_vlsr_VwVw Q6_Vb_vpack_VhVh_sat
        Q6_Vub_vpack_VhVh_sat Q6_Vh_vpack_VwVw_sat Q6_Vuh_vpack_VwVw_sat Q6_Vb_vpacke_VhVh
        Q6_Vb_vpacko_VhVh Q6_Vh_vpacke_VwVw Q6_Vh_vpacko_VwVw Q6_Vub_vsat_VhVh Q6_Vh_vsat_VwVw
        Q6_Vuh_vsat_VuwVuw Q6_Vb_vround_VhVh_sat Q6_Vub_vround_VhVh_sat Q6_Vh_vround_VwVw_sat
        Q6_Vuh_vround_VwVw_sat Q6_Vuh_vround_VuwVuw_sat Q6_Vb_vshuffe_VbVb Q6_Vb_vshuffo_VbVb
        Q6_Vh_vshuffe_VhVh Q6_Vh_vshuffo_VhVh Q6_Vb_vdeale_VbVb Q6_Vh_vmpyi_VhVh Q6_Vw_vmpyie_VwVuh
        Q6_Vw_vmpyio_VwVh Q6_Vw_vmpyieo_VhVh Q6_Vh_vmpy_VhVh_s1_rnd_sat Q6_Vw_vmpye_VwVuh
        Q6_Vw_vmpyo_VwVh_s1_sat Q6_Vw_vmpyo_VwVh_s1_rnd_sat Q6_Vw_vrmpy_VbVb Q6_Vw_vrmpy_VubVb
        Q6_Vuw_vrmpy_VubVub""",
    "V:VR": """Q6_Vh_vasl_VhR Q6_Vw_vasl_VwR Q6_Vh_vasr_VhR Q6_Vw_vasr_VwR Q6_Vub_vlsr_VubR Q6_Vuh_vlsr_VuhR
        Q6_Vuw_vlsr_VuwR Q6_V_vror_VR Q6_Vh_vmpyi_VhRb Q6_Vw_vmpyi_VwRb Q6_Vw_vmpyi_VwRub
        Q6_Vw_vmpyi_VwRh Q6_Vh_vmpy_VhRh_s1_sat Q6_Vh_vmpy_VhRh_s1_rnd_sat Q6_Vw_vrmpy_VubRb
        Q6_Vuw_vrmpy_VubRub Q6_Vw_vinsert_VwR""",
    "V:VVR": """Q6_Vub_vasr_VhVhR_sat Q6_Vub_vasr_VhVhR_rnd_sat Q6_Vb_vasr_VhVhR_sat Q6_Vb_vasr_VhVhR_rnd_sat
        Q6_Vub_vasr_VuhVuhR_sat Q6_Vub_vasr_VuhVuhR_rnd_sat Q6_Vh_vasr_VwVwR Q6_Vh_vasr_VwVwR_sat
        Q6_Vh_vasr_VwVwR_rnd_sat Q6_Vuh_vasr_VwVwR_sat Q6_Vuh_vasr_VwVwR_rnd_sat Q6_Vuh_vasr_VuwVuwR_sat
        Q6_Vuh_vasr_VuwVuwR_rnd_sat Q6_V_valign_VVR Q6_V_vlalign_VVR Q6_Vb_vlut32_VbVbR
        Q6_Vb_vlut32_VbVbR_nomatch Q6_Vw_vaslacc_VwVwR Q6_Vw_vasracc_VwVwR Q6_Vw_vrmpyacc_VwVubRb
        Q6_Vuw_vrmpyacc_VuwVubRub""",
    "V:VVVR": "Q6_Vb_vlut32or_VbVbVbR",
    "V:VVV": """Q6_Vh_vmpyiacc_VhVhVh Q6_Vw_vrmpyacc_VwVbVb Q6_Vw_vrmpyacc_VwVubVb Q6_Vuw_vrmpyacc_VuwVubVub""",
    "V:W": "Q6_V_lo_W Q6_V_hi_W",
    "W:V": """Q6_Wuh_vzxt_Vub Q6_Wuw_vzxt_Vuh Q6_Wh_vsxt_Vb Q6_Ww_vsxt_Vh Q6_Wuh_vunpack_Vub Q6_Wuw_vunpack_Vuh
        Q6_Wh_vunpack_Vb Q6_Ww_vunpack_Vh""",
    "W:VV": """Q6_W_vcombine_VV Q6_Wh_vadd_VubVub Q6_Wh_vsub_VubVub Q6_Ww_vadd_VhVh Q6_Ww_vsub_VhVh
        Q6_Ww_vadd_VuhVuh Q6_Ww_vsub_VuhVuh Q6_Wb_vshuffoe_VbVb Q6_Wh_vshuffoe_VhVh Q6_Wh_vmpy_VbVb
        Q6_Wh_vmpy_VubVb Q6_Wuh_vmpy_VubVub Q6_Ww_vmpy_VhVh Q6_Ww_vmpy_VhVuh Q6_Wuw_vmpy_VuhVuh""",
    "W:WVV": """Q6_Wh_vaddacc_WhVubVub Q6_Ww_vaddacc_WwVhVh Q6_Ww_vaddacc_WwVuhVuh Q6_Wh_vmpyacc_WhVbVb
        Q6_Wh_vmpyacc_WhVubVb Q6_Wuh_vmpyacc_WuhVubVub Q6_Ww_vmpyacc_WwVhVh Q6_Ww_vmpyacc_WwVhVuh
        Q6_Wuw_vmpyacc_WuwVuhVuh""",
    "W:WW": """Q6_Wb_vadd_WbWb Q6_Wh_vadd_WhWh Q6_Ww_vadd_WwWw Q6_Wb_vsub_WbWb Q6_Wh_vsub_WhWh Q6_Ww_vsub_WwWw
        Q6_Wub_vadd_WubWub_sat Q6_Wuh_vadd_WuhWuh_sat Q6_Wh_vadd_WhWh_sat Q6_Ww_vadd_WwWw_sat
        Q6_Wub_vsub_WubWub_sat Q6_Wuh_vsub_WuhWuh_sat Q6_Wh_vsub_WhWh_sat Q6_Ww_vsub_WwWw_sat""",
    "W:VVR": "Q6_W_vshuff_VVR Q6_W_vdeal_VVR Q6_Wh_vlut16_VbVhR Q6_Wh_vlut16_VbVhR_nomatch",
    "W:WVVR": "Q6_Wh_vlut16or_WhVbVhR",
    "W:VR": "Q6_Wh_vmpy_VubRb Q6_Wuh_vmpy_VubRub Q6_Ww_vmpy_VhRh Q6_Wuw_vmpy_VuhRuh",
    "W:WVR": "Q6_Wh_vmpyacc_WhVubRb Q6_Wuh_vmpyacc_WuhVubRub Q6_Wuw_vmpyacc_WuwVuhRuh",
    "W:WR": "Q6_Wh_vmpa_WubRb Q6_Wh_vmpa_WubRub Q6_Ww_vmpa_WhRb",
    "W:WWR": "Q6_Wh_vmpaacc_WhWubRb Q6_Wh_vmpaacc_WhWubRub Q6_Ww_vmpaacc_WwWhRb",
    "Q:VV": """Q6_Q_vcmp_gt_VbVb Q6_Q_vcmp_gt_VubVub Q6_Q_vcmp_gt_VhVh Q6_Q_vcmp_gt_VuhVuh Q6_Q_vcmp_gt_VwVw
        Q6_Q_vcmp_gt_VuwVuw Q6_Q_vcmp_eq_VbVb Q6_Q_vcmp_eq_VhVh Q6_Q_vcmp_eq_VwVw""",
    "Q:QVV": """Q6_Q_vcmp_gtand_QVbVb Q6_Q_vcmp_gtor_QVubVub Q6_Q_vcmp_gtxacc_QVhVh Q6_Q_vcmp_eqand_QVhVh
        Q6_Q_vcmp_eqor_QVwVw""",
    "Q:QQ": "Q6_Q_and_QQ Q6_Q_and_QQn Q6_Q_or_QQ Q6_Q_or_QQn Q6_Q_xor_QQ",
    "Q:Q": "Q6_Q_not_Q",
    "Q:R": "Q6_Q_vsetq_R Q6_Q_vsetq2_R",
    "Q:VR": "Q6_Q_vand_VR",
    "Q:QVR": "Q6_Q_vandor_QVR",
    "V:QR": "Q6_V_vand_QR Q6_V_vand_QnR",
    "V:VQR": "Q6_V_vandor_VQR",
    "V:QV": "Q6_V_vand_QV Q6_V_vand_QnV",
    "V:QVV": """Q6_V_vmux_QVV Q6_Vb_condacc_QVbVb Q6_Vh_condacc_QVhVh Q6_Vw_condacc_QVwVw Q6_Vb_condnac_QnVbVb
        Q6_Vh_condnac_QnVhVh Q6_Vw_condnac_QnVwVw""",
    "W:QVV": "Q6_W_vswap_QVV",
    "R:VR": "Q6_R_vextract_VR",
    "R:RR": """Q6_R_min_RR Q6_R_max_RR Q6_R_combine_RlRl Q6_R_combine_RhRl Q6_R_combine_RlRh Q6_R_combine_RhRh
        Q6_R_add_RR_sat Q6_R_sub_RR_sat""",
    "R:R": "Q6_R_abs_R Q6_R_vsplatb_R Q6_R_cl0_R Q6_R_clb_R Q6_R_ct0_R Q6_R_normamt_R",
}

SIZES = {"V": 128, "W": 256, "Q": 128, "R": 4}

PROLOGUE = """
#include <stdint.h>
#include <hexagon_types.h>
#include <hexagon_protos.h>
#ifdef __hexagon__
#include <hvx_hexagon_protos.h>
void *memcpy(void *to, const void *from, unsigned long n) {
  for (unsigned long i = 0; i < n; i++) ((volatile char *)to)[i] = ((const char *)from)[i];
  return to;
}
void *memset(void *to, int value, unsigned long n) {
  for (unsigned long i = 0; i < n; i++) ((volatile char *)to)[i] = (char)value;
  return to;
}
static int call(int number, int a, int b, int c) {
  register int r6 __asm__("r6") = number;
  register int r0 __asm__("r0") = a;
  register int r1 __asm__("r1") = b;
  register int r2 __asm__("r2") = c;
  __asm__ volatile("trap0(#1)" : "+r"(r0) : "r"(r6), "r"(r1), "r"(r2) : "memory");
  return r0;
}
static void emit(const void *bytes, int n) {
  while (n > 0) {
    int done = call(64, 1, (int)bytes, n);
    bytes = (const char *)bytes + done;
    n -= done;
  }
}
#else
#include <unistd.h>
static void emit(const void *bytes, int n) {
  while (n > 0) {
    int done = (int)write(1, bytes, (size_t)n);
    bytes = (const char *)bytes + done;
    n -= done;
  }
}
#endif

static uint32_t state = 1;
static uint32_t next(void) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}
static const uint32_t extremes[] = {0, 1, 0xffffffffu, 0x80000000u, 0x7fffffffu, 0x80808080u, 0x7f7f7f7fu,
                                    0x80008000u, 0x7fff7fffu, 0x00ff00ffu, 0xff00ff00u, 0x01010101u,
                                    0x0000ffffu, 0x8000ffffu, 0x00010001u, 0x80007fffu};
static int32_t scalar(int round) {
  if (round % 3 == 0) return (int32_t)(next() & 127);
  return (int32_t)(round % 3 == 1 ? extremes[next() % 16] : next());
}
static uint32_t before[32];
static HVX_Vector vector(int round) {
  union { HVX_Vector v; uint32_t words[32]; } u;
  for (int i = 0; i < 32; i++) {
    u.words[i] = round % 2 ? next() : extremes[next() % 16];
    if (round % 4 >= 2) {  // some bytes, halfwords and words equal those of the vector before
      uint32_t same = extremes[next() % 16];
      u.words[i] = (u.words[i] & ~same) | (before[i] & same);
    }
    before[i] = u.words[i];
  }
  return u.v;
}
static HVX_VectorPair two(int round) {
  HVX_Vector high = vector(round);
  return Q6_W_vcombine_VV(high, vector(round + 1));
}
static HVX_VectorPred predicate(int round) { return Q6_Q_vand_VR(vector(round), 0x04042010); }
static union { HVX_Vector v; char bytes[128]; } V;
static union { HVX_VectorPair w; char bytes[256]; } W;
static int32_t R;
"""

EPILOGUE = """
#ifdef __hexagon__
void _start(void) { run(); call(94, 0, 0, 0); }
#else
int main() { run(); }
#endif
"""

MAKE = {
    "V": "HVX_Vector {0} = vector(round + {1});",
    "W": "HVX_VectorPair {0} = two(round + {1});",
    "Q": "HVX_VectorPred {0} = predicate(round + {1});",
    "R": "int32_t {0} = scalar(round + {1});",
}
KEEP = {
    "V": "V.v = {0}; emit(V.bytes, 128);",
    "W": "W.w = {0}; emit(W.bytes, 256);",
    "Q": "HVX_VectorPred q = {0}; V.v = Q6_V_vand_QR(q, -1); emit(V.bytes, 128);",
    "R": "R = (int32_t){0}; emit(&R, 4);",
}


@dataclass(frozen=True)
class Intrinsic:
    name: str
    result: str
    operands: str

    @property
    def size(self) -> int:
        return SIZES[self.result]


def intrinsics() -> list[Intrinsic]:
    return [Intrinsic(name, *signature.split(":")) for signature, names in SIGNATURES.items() for name in names.split()]


def source(table: list[Intrinsic]) -> str:
    body = []
    for intrinsic in table:
        arguments = [f"a{i}" for i in range(len(intrinsic.operands))]
        makes = " ".join(
            MAKE[kind].format(name, i) for i, (kind, name) in enumerate(zip(intrinsic.operands, arguments, strict=True))
        )
        call = f"{intrinsic.name}({', '.join(arguments)})"
        body.append(
            f"static void run_{intrinsic.name}(void) {{ for (int round = 0; round < {ROUNDS}; round++) {{ "
            f"{makes} {KEEP[intrinsic.result].format(call)} }} }}"
        )
    calls = "\n".join(f"  run_{intrinsic.name}();" for intrinsic in table)
    return "\n".join([PROLOGUE, *body, "static void run(void) {", calls, "}", EPILOGUE])


def run(command: list[str]) -> bytes:
    done = subprocess.run(command, capture_output=True, check=False, timeout=300)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr.decode()[:4000]}"
    return done.stdout


def on_host(text: str, folder: Path, include: Path, compiler: str = "g++") -> bytes:
    path = folder / "hvx_host.cpp"
    path.write_text(text)
    program = folder / "hvx_host"
    warnings = ["-Wall", "-Wextra", "-Werror", "-Wno-psabi", "-Wno-unused-function"]
    run([compiler, "-std=c++17", "-O1", *warnings, f"-I{include}", str(path), "-o", str(program)])
    return run([str(program)])


def on_hexagon(text: str, folder: Path) -> bytes:
    path = folder / "hvx_hexagon.c"
    path.write_text(text)
    target = ["--target=hexagon-unknown-linux-musl", "-mcpu=hexagonv66", "-mhvx", "-mhvx-length=128B"]
    flags = ["-O0", "-ffreestanding", "-fno-builtin", "-fno-pic", "-G0", "-w"]
    run(["clang-19", *target, *flags, "-c", str(path), "-o", str(folder / "hvx.o")])
    run(["ld.lld-19", "-m", "hexagonelf", "-static", str(folder / "hvx.o"), "-o", str(folder / "hvx.elf")])
    return run(["qemu-hexagon", str(folder / "hvx.elf")])


def differences(table: list[Intrinsic], host: bytes, hexagon: bytes) -> list[str]:
    """Names of the intrinsics whose results differ, with the round and byte of the first difference."""
    found, at = [], 0
    for intrinsic in table:
        size = intrinsic.size * ROUNDS
        ours, theirs = host[at : at + size], hexagon[at : at + size]
        at += size
        if ours != theirs:
            first = next((i for i in range(min(len(ours), len(theirs))) if ours[i] != theirs[i]), -1)
            found.append(f"{intrinsic.name}: round {first // intrinsic.size} byte {first % intrinsic.size}")
    return found
