"""What a backend puts around an op that stands between convolutions: counted records of a prepared graph."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Around:
    """What one op adds to two convolutions. `form`: how the op stands in the model; `conversions`: records that bring a tensor
    into another layout; `transposes`: those that exchange dimensions. `problem`: why nothing could be counted."""

    form: str
    conversions: int = 0
    transposes: int = 0
    problem: str = ""

    def __str__(self) -> str:
        if self.problem:
            return f"{self.form}: {self.problem}"
        return f"{self.form}: {self.conversions} layout conversions, {self.transposes} transposes"
