"""Edits in somebody else's source tree: entries of lists and code at anchors, applied, checked and taken out again."""
