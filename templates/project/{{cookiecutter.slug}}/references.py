"""What each op means, in numpy, on real values: the judge of every kernel."""

from __future__ import annotations

import numpy as np
