"""The tables of places of all trees whose lists stand at anchors: by the kind that a `Place` has."""

from __future__ import annotations

from collections.abc import Mapping

from opkg.trees.anchors import Row
from opkg.trees.onert.places import ROWS as ONERT
from opkg.trees.openvino.places import ROWS as OPENVINO

ANCHORED: Mapping[str, Mapping[str, Row]] = {"onert": ONERT, "openvino": OPENVINO}
