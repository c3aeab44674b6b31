"""Makes the reports that the site shows, by runs of their commands: build/docs/reports/*.html, with the command beside each."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "docs" / "reports"
RUNS = {
    "verify": "verify examples/activations --on host,htp --cases 8 --html",
    "bench": "bench HardSwish examples/activations --arch v73 --html",
    "rules": "rules apply examples/rules/graphs/add_relu.txt examples/rules/specs/fused.yaml --html",
}


def main() -> int:
    FOLDER.mkdir(parents=True, exist_ok=True)
    failed = 0
    for name, words in RUNS.items():
        page = FOLDER / f"{name}.html"
        page.unlink(missing_ok=True)
        done = subprocess.run([sys.executable, "-m", "opkg", *words.split(), str(page)], cwd=ROOT, check=False)
        failed += done.returncode != 0
        if page.is_file():
            (FOLDER / f"{name}.txt").write_text(f"opkg {words} {name}.html\n", "utf-8")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
