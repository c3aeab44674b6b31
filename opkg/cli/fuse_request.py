"""What the user asks `opkg fuse` for, and the names that follow from it."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class FuseRequest:
    """The arguments of one run."""

    path: str
    dry_run: bool
    target: str
    dims: dict[str, int]
    top: int
    directory: str | None
    package: str | None
    on: tuple[str, ...]
    html: str | None
    format: str

    @property
    def stem(self) -> str:
        return re.sub(r"[^a-z0-9]+", "_", Path(self.path).stem.lower()).strip("_") or "model"

    @property
    def folder(self) -> str:
        return self.directory or f"{Path(self.path).stem}-ops"

    @property
    def default_package(self) -> str:
        return f"fused.{self.stem}" if self.stem[0].isalpha() else f"fused.m{self.stem}"

    @property
    def on_htp(self) -> bool:
        """Whether the whole model is to run on HTP, too."""
        return not self.on or bool({"htp", "onnxruntime", "executorch"} & set(self.on))

    @property
    def rewritten(self) -> str:
        ending = ".xml" if self.path.lower().endswith(".xml") else ".onnx"
        return os.path.join(self.folder, f"{Path(self.path).stem}.fused{ending}")

    @property
    def written(self) -> tuple[str, ...]:
        """All files of the model with its ops."""
        weights = f"{os.path.splitext(self.rewritten)[0]}.bin"
        return (self.rewritten, weights) if self.rewritten.endswith(".xml") else (self.rewritten,)
