"""Source trees of OpenVINO: where the entries of an op of Snippets stand, and what sort of tree it is."""
