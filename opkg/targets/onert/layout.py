"""What a user may choose about files for a tree of onert."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Option:
    """What a user may choose about generated files. `copyright`: who is named at their head, with the year:
    `2026 Samsung Electronics Co., Ltd. All Rights Reserved`; empty: no licence text."""

    copyright: str = ""

    def licence_lines(self) -> list[str]:
        """The comment at the head of a file."""
        return [f"Copyright (c) {self.copyright}", *_LICENCE] if self.copyright else []


_LICENCE = (
    "",
    'Licensed under the Apache License, Version 2.0 (the "License");',
    "you may not use this file except in compliance with the License.",
    "You may obtain a copy of the License at",
    "",
    "     http://www.apache.org/licenses/LICENSE-2.0",
    "",
    "Unless required by applicable law or agreed to in writing, software",
    'distributed under the License is distributed on an "AS IS" BASIS,',
    "WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.",
    "See the License for the specific language governing permissions and",
    "limitations under the License.",
)
