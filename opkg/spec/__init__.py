"""The spec room: YAML text to a typed, position-tracked OpPackage, and the diagnostics of doing so."""
