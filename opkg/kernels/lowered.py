"""What a strategy makes: vector instructions in order, the numbers they need, and what is promised of the result."""

from __future__ import annotations

from dataclasses import dataclass

# Kinds of values: vector, pair of vectors, predicate, scalar register.
KINDS = ("V", "W", "Q", "R")
CPP = {"V": "HVX_Vector", "W": "HVX_VectorPair", "Q": "HVX_VectorPred", "R": "int32_t"}


@dataclass(frozen=True, slots=True)
class Inst:
    """One instruction in single assignment form.

    `op`: an intrinsic ("Q6_Vub_vadd_VubVub_sat"), `load` (args: input, part), `store` (args: output, part, value), or an
    inline C++ function of the runtime headers ("opkg::hvx::exp_sf"). `args`: names of values, or C++ expressions of
    scalars (members of the struct, numbers). `dest` is empty for a store. Part p of an operand: its vector p of the step.
    """

    dest: str
    kind: str
    op: str
    args: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Member:
    """A member of the rows struct that `prepare` sets: a number that all rows share."""

    type: str  # "int32_t", "float"; an array as "alignas(128) uint8_t" with name "table[256]"
    name: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Lowered:
    """An elementwise kernel in vector instructions: one loop over steps of `step` elements.

    In a step an operand of b bits has step * b / 1024 vectors ("parts"), in the order of memory.
    `prepare`: C++ statements that set the members from `op` (the argument struct); `return false;` in them means that
    these params or scales are not for the vector code: the portable code takes the call.
    `setup`: values made once per row, before the loop. `body`: one step.
    """

    strategy: str
    title: str  # one line: what was done
    error: str  # what is promised: "exact", "within 1 step of the correctly rounded result"
    step: int
    members: tuple[Member, ...]
    prepare: tuple[str, ...]
    setup: tuple[Inst, ...]
    body: tuple[Inst, ...]
    headers: tuple[str, ...] = ()  # beyond opkg/hvx.h
    arch: int = 62  # oldest architecture whose instructions are used
    unroll: int = 1
    anywhere: int = 0  # steps of a turn of rows at any address; 0: as many as usual
    depth: int = 1  # steps in flight (opkg.kernels.emit.pipeline)
    constants: tuple[str, ...] = ()  # lines of static members
    float_unit: bool = False  # computes floats in vectors: left out where OPKG_HVX_FLOAT is 0
    settled: bool = False  # of floats: no decision is left to what was rounded
    exactly: bool = False  # decides on sums, products and quotients of floats as if nothing was rounded
    once: tuple[str, ...] = ()  # `prepare` where it runs once for a graph: without what keeps numbers for the next call
