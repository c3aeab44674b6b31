"""Models of torch run by torch, in a process that has it, on the inputs of their own file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from opkg.fuse.values import Values
from opkg.models.torch_reader import read_values
from opkg.verify.machines.executorch.environment import Environment
from opkg.verify.machines.executorch.exported import values


class TorchRuntime:
    """A Python file with `model()` and `inputs()`; `folder`: for what the process writes."""

    name = "torch"

    def __init__(self, environment: Environment, path: str, folder: Path) -> None:
        self._environment, self._path, self._folder = environment, path, folder

    def values(self, inputs: Values, wanted: Sequence[str]) -> Values:
        """The values of tensors, of the file's own inputs: others are not taken."""
        place = values(self._environment, Path(self._path), self._folder, list(dict.fromkeys(wanted)))
        return read_values(place, self._path)
