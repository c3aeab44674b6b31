"""Prepares the models of cases ahead of time for a SoC: an ONNX file with the context beside it, in a folder for each case.

Options: --cases FILE --out FOLDER --soc MODEL. One line of JSON per case on stdout: {"case": N} or with "problem".
"""

from __future__ import annotations

import argparse
import importlib
import json
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import onnxruntime as ort
from opkg_executorch.records import one_line

from opkg_onnxruntime import models

ERRORS = 3


def prepare(
    sessions: Any, package: Any, described: Mapping[str, Any], case: Mapping[str, Any], folder: Path, soc: str
) -> str:
    """Writes FOLDER/model.onnx and the context beside it; why not, else empty."""
    model = models.model(case, package, Path(described["data"]).read_bytes())
    folder.mkdir(parents=True)
    path = folder / "model.onnx"
    config = {"ep.context_enable": "1", "ep.context_file_path": str(path), "ep.context_embed_mode": "0"}
    options = ort.SessionOptions()
    options.log_severity_level = ERRORS
    session = sessions.create_session(
        model, described["library"], options={"soc_model": soc}, config=config, session_options=options, required=False
    )
    placed = sessions.placement(session, model)
    if placed.elsewhere:
        return str(placed)
    return "" if path.is_file() else "no file was made"


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("--cases", "--out"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--soc", required=True)
    given = parser.parse_args()
    described = json.loads(given.cases.read_text(encoding="utf-8"))
    package = importlib.import_module(described["module"])
    sessions = importlib.import_module(f"{described['module']}.session")
    ort.set_default_logger_severity(ERRORS)
    for place, case in enumerate(described["cases"]):
        try:
            problem = prepare(sessions, package, described, case, given.out / str(place), given.soc)
        except Exception as failure:
            traceback.print_exc()
            problem = one_line(failure)
        print(json.dumps({"case": place, "problem": problem}), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
