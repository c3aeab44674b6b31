"""What sort of tree of OpenVINO it is, read from its files."""

from __future__ import annotations

from opkg.targets.foreign import OpenvinoEra
from opkg.trees import traits
from opkg.trees.openvino.places import EXTENSION, GENERATOR, SHAPES, TOKENIZE
from opkg.trees.traits import Read, Trait

MARK = EXTENSION
"""The file that every tree has which OpenVINO's CPU plugin is in."""
KNOWS = "this opkg knows trees of openvinotoolkit/openvino from 2024.0 to the beginning of 2026"

TRAITS = (
    Trait("type_lists", "since 2025", (TOKENIZE,), r"\bis_type_any_of<", True),
    Trait("emitter_factory", "2026", (GENERATOR,), r"\bemitter_factory\b", True),
    Trait("shape_registry", "since the end of 2025", SHAPES[:1], r"\bmake_common_cpu_shape_infer_registry\("),
)


def detect(read: Read) -> OpenvinoEra:
    """The era of a tree."""
    return OpenvinoEra(**traits.found(TRAITS, read))
