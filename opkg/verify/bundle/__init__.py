"""Everything for a run on a device: contexts prepared here, libraries, inputs, expected outputs, scripts."""
